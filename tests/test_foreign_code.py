"""A model folder is data: whatever in it names code, other repositories or pickles is refused, and nothing is asked for or run."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import pickle
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from augcse.augmentations.neural.checkpoint import load_checkpoint
from augcse.encoding.model import load_encoder, load_tokenizer
from augcse.encoding.postprocess import apply_steps
from augcse.errors import UserError
from augcse.foreign_code import refuse_foreign_code, refuse_pickled_weights
from augcse.objectives.masked_lm import load_masked_lm

FILES = sorted((Path(__file__).resolve().parents[1] / "src" / "augcse").rglob("*.py"))
COMMIT = "0123456789abcdef0123456789abcdef01234567"
PAYLOAD = "import pathlib\npathlib.Path({marker!r}).touch()\nclass Evil:\n    load = staticmethod(lambda *given, **named: None)\n"
FLOW = "augcse.encoding.flow.Flow"
STOCK = "sentence_transformers.sentence_transformer.modules"
REMOTE = "evil/code--modeling.Evil"
Change = Callable[[Path], None]


@dataclass
class Hub:
    """A hub on this machine: repositories by name, and the requests that came."""

    repositories: dict[str, Path] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    def answer(self, path: str) -> tuple[dict[str, str], bytes] | None:
        """Return headers and body of the answer to a path, or None for 404."""
        self.requests.append(path)
        for name, folder in self.repositories.items():
            files = sorted(file for file in folder.rglob("*") if file.is_file())
            if path.startswith(f"/api/models/{name}/discussions"):
                return {}, json.dumps({"discussions": [], "count": 0, "start": 0}).encode()
            if path.startswith(f"/api/models/{name}/tree/"):
                tree = [{"type": "file", "path": str(f.relative_to(folder)), "size": f.stat().st_size, "oid": f.name} for f in files]
                return {}, json.dumps(tree).encode()
            if path.startswith(f"/api/models/{name}"):
                siblings = [{"rfilename": str(f.relative_to(folder))} for f in files]
                return {}, json.dumps({"id": name, "sha": COMMIT, "siblings": siblings}).encode()
            if path.startswith(f"/{name}/resolve/"):
                file = folder / path.split("/", 5)[5].split("?")[0]
                if not file.is_file():
                    return None
                content = file.read_bytes()
                return {"ETag": f'"{hashlib.sha256(content).hexdigest()}"', "X-Repo-Commit": COMMIT}, content
        return None


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, socket_enabled: None) -> Iterator[Hub]:
    """A loopback hub that serves, as `evil/code`, a module that leaves a mark when it is run."""
    from huggingface_hub import constants

    code = tmp_path / "evil-code"
    code.mkdir()
    (code / "modeling.py").write_text(PAYLOAD.format(marker=str(tmp_path / "marker")), "utf-8")
    (code / "config.json").write_text(json.dumps({"model_type": "evil", "auto_map": {"AutoModel": "modeling.Evil"}}), "utf-8")
    served = Hub({"evil/code": code})

    class Handler(BaseHTTPRequestHandler):
        def _send(self, *, body: bool) -> None:
            found = served.answer(self.path)
            self.send_response(200 if found else 404)
            headers, content = found or ({"X-Error-Code": "RepoNotFound"}, b"")
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            if body:
                self.wfile.write(content)

        def do_GET(self) -> None:
            self._send(body=True)

        def do_HEAD(self) -> None:
            self._send(body=False)

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    endpoint = f"http://127.0.0.1:{server.server_port}"
    for name, value in {
        "ENDPOINT": endpoint,
        "HUGGINGFACE_CO_URL_TEMPLATE": endpoint + "/{repo_id}/resolve/{revision}/{filename}",
        "HF_HUB_OFFLINE": False,
        "HF_HUB_CACHE": str(tmp_path / "cache"),
        "HF_MODULES_CACHE": str(tmp_path / "modules"),
        "HF_HUB_DISABLE_PROGRESS_BARS": True,
    }.items():
        monkeypatch.setattr(constants, name, value, raising=False)
    yield served
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def flow_folder(tiny_backbone: Path, sentences: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound model with a module of ours, which sentence-transformers alone would load only with its flag for foreign code."""
    folder = tmp_path_factory.mktemp("flow") / "model"
    model, _ = apply_steps(load_encoder(str(tiny_backbone)), sentences[:100], ["flow:steps=1,epochs=1"])
    model.save_pretrained(str(folder), create_model_card=False)
    return folder


@pytest.fixture
def folder(flow_folder: Path, tmp_path: Path) -> Path:
    return shutil.copytree(flow_folder, tmp_path / "model")


def merged(name: str, values: dict[str, Any]) -> Change:
    """Put keys into a JSON object of the folder, which is made where it is not there."""

    def change(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        old = json.loads(path.read_text("utf-8")) if path.exists() else {}
        path.write_text(json.dumps(old | values), "utf-8")

    return change


def module(kind: str, path: str = "9_Evil") -> Change:
    """Add a module to modules.json."""

    def change(folder: Path) -> None:
        entries = json.loads((folder / "modules.json").read_text("utf-8"))
        entries.append({"idx": 9, "name": "9", "path": path, "type": kind})
        (folder / "modules.json").write_text(json.dumps(entries), "utf-8")

    return change


def router(types: dict[str, str], config: str = "9_Router/router_config.json", kind: str = "Router") -> Change:
    """Add a router whose configuration names classes."""

    def change(folder: Path) -> None:
        module(f"{STOCK}.{kind}", "9_Router")(folder)
        merged(config, {"types": types, "structure": {"query": list(types)}, "parameters": {}})(folder)

    return change


def both(*changes: Change) -> Change:
    def change(folder: Path) -> None:
        for one in changes:
            one(folder)

    return change


def linked_folder(folder: Path) -> None:
    elsewhere = folder.parent / "elsewhere"
    merged("config.json", {"model_type": "evil", "auto_map": {"AutoConfig": REMOTE, "AutoModel": REMOTE}})(elsewhere)
    (folder / "9_Transformer").symlink_to(elsewhere, target_is_directory=True)
    module(f"{STOCK}.Transformer", "9_Transformer")(folder)


def local_code(folder: Path) -> None:
    marker = folder.parent / "marker"
    (folder / "modeling.py").write_text(PAYLOAD.format(marker=str(marker)), "utf-8")
    module("modeling.Evil", "")(folder)


def pickled_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps({}))


def pickled_head(folder: Path) -> None:
    (folder / "2_Flow" / "model.safetensors").unlink()
    (folder / "2_Flow" / "pytorch_model.bin").write_bytes(pickle.dumps({}))


def nested_json(folder: Path) -> None:
    (folder / "config.json").write_text('{"a":' * 20_000 + "1" + "}" * 20_000, "utf-8")


def pipe(folder: Path) -> None:
    os.mkfifo(folder / "generation_config.json")


def linked_disk(folder: Path) -> None:
    crowd = folder.parent / "crowd"
    crowd.mkdir()
    for number in range(300):
        (crowd / f"{number}.txt").touch()
    (folder / "all").symlink_to(crowd, target_is_directory=True)


AUTO_MAP = {"auto_map": {"AutoConfig": "modeling.Evil", "AutoModel": "modeling.Evil", "AutoTokenizer": [None, "modeling.Evil"]}}
HOSTILE: dict[str, tuple[Change, str]] = {
    "a router that names code in a repository": (router({"query": REMOTE}), "router_config.json: types.query: "),
    "a router in a router": (
        both(
            router({"query": f"{STOCK}.Router"}),
            merged("9_Router/query/router_config.json", {"types": {"deep": REMOTE}, "structure": {}, "parameters": {}}),
        ),
        "router_config.json: types.deep: ",
    ),
    "the older kind of router": (router({"query": REMOTE}, "9_Router/config.json", "Asym"), "config.json: types.query: "),
    "a router with a module of ours": (router({"query": "augcse.cli.app.main"}), "types.query: "),
    "a router out of its folder": (router({"../../x": f"{STOCK}.Transformer"}), "leads out of the model folder"),
    "a module type that looks like ours": (module("augcse.x--modeling.Evil"), "modules.json: [3]: "),
    "a function of ours": (module("augcse.cli.app.main"), "modules.json: [3]: "),
    "a class of ours that is no module": (module("augcse.encoding.flow.FlowStep"), "modules.json: [3]: "),
    "code in another repository": (module(REMOTE), "modules.json: [3]: "),
    "code in the folder": (local_code, "modules.json: [3]: "),
    "an installed package": (module("subprocess.Popen"), "modules.json: [3]: "),
    "something that sentence-transformers imports": (module("sentence_transformers.base.model.torch"), "modules.json: [3]: "),
    "a name in other letters": (module("Sentence_Transformers.models.Pooling"), "modules.json: [3]: "),
    "a module that is no text": (module([f"{STOCK}.Pooling"]), "modules.json: [3]: "),  # type: ignore[arg-type]
    "a path upwards": (module(f"{STOCK}.Normalize", "../elsewhere"), "modules.json: [3]: the path '../elsewhere'"),
    "a path upwards, in the middle": (module(f"{STOCK}.Normalize", "1_Pooling/../../elsewhere"), "leads out of the model folder"),
    "an absolute path": (module(f"{STOCK}.Normalize", "/etc"), "modules.json: [3]: the path '/etc'"),
    "a path of Windows'": (module(f"{STOCK}.Normalize", "..\\elsewhere"), "leads out of the model folder"),
    "a linked folder": (linked_folder, "config.json: auto_map"),
    "auto_map": (merged("config.json", AUTO_MAP), "config.json: auto_map"),
    "auto_map of the tokeniser": (merged("tokenizer_config.json", AUTO_MAP), "tokenizer_config.json: auto_map"),
    "auto_map of the processor": (merged("processor_config.json", AUTO_MAP), "processor_config.json: auto_map"),
    "auto_map in a module's folder": (merged("1_Pooling/config.json", AUTO_MAP), "config.json: auto_map"),
    "auto_map in depth": (merged("config.json", {"text_config": [{"deeper": AUTO_MAP}]}), "text_config[0].deeper.auto_map"),
    "auto_map of an unknown model type": (merged("config.json", {"model_type": "evil", **AUTO_MAP}), "config.json: auto_map"),
    "auto_map in a file of other letters": (merged("CONFIG.JSON", AUTO_MAP), "CONFIG.JSON: auto_map"),
    "pipelines of its own": (merged("config.json", {"custom_pipelines": {"x": {"impl": "p.P"}}}), "config.json: custom_pipelines"),
    "an adapter": (merged("adapter_config.json", {"base_model_name_or_path": "evil/code", "peft_type": "LORA"}), "adapter_config.json"),
    "a base model elsewhere": (merged("config.json", {"base_model_name_or_path": "evil/code"}), "config.json: base_model_name_or_path"),
    "a tokeniser elsewhere": (merged("sentence_bert_config.json", {"tokenizer_name_or_path": "evil/code"}), "tokenizer_name_or_path"),
    "a tokeniser's class elsewhere": (merged("tokenizer_config.json", {"tokenizer_class": REMOTE}), "tokenizer_class"),
    "a tokeniser's class by import": (
        both(module(f"{STOCK}.WordEmbeddings", "9_W"), merged("9_W/wordembedding_config.json", {"tokenizer_class": "subprocess.Popen"})),
        "wordembedding_config.json: tokenizer_class",
    ),
    "an argument to unpickle": (
        merged("sentence_bert_config.json", {"model_kwargs": {"weights_only": False}}),
        "model_kwargs.weights_only",
    ),
    "the flag for code, older spelling": (merged("sentence_bert_config.json", {"model_args": {"trust_remote_code": True}}), "model_args."),
    "attention from the hub": (merged("config.json", {"_attn_implementation": "evil/code:run"}), "config.json: _attn_implementation"),
    "attention from the hub, by argument": (
        merged("sentence_bert_config.json", {"model_kwargs": {"attn_implementation": {"": "evil/code"}}}),
        "attn_implementation",
    ),
    "a function for an activation": (
        both(module(f"{STOCK}.Dense", "9_D"), merged("9_D/config.json", {"activation_function": "torch.hub.load"})),
        "config.json: activation_function",
    ),
    "an architecture that is a path": (merged("config.json", {"architectures": ["evil/code"]}), "config.json: architectures[0]"),
    "weights in a pickle": (pickled_weights, "holds no safetensors weights next to pytorch_model.bin"),
    "a module's weights in a pickle": (pickled_head, "holds no safetensors weights next to 2_Flow/pytorch_model.bin"),
    "a part of the weights in a pickle": (
        merged("model.safetensors.index.json", {"weight_map": {"a": "pytorch_model.bin"}}),
        "index.json: weight_map.a",
    ),
    "weights elsewhere": (merged("config.json", {"transformers_weights": "../../other.safetensors"}), "config.json: transformers_weights"),
    "an audio tokeniser elsewhere": (
        merged("processor_config.json", {"audio_tokenizer": {"audio_tokenizer_class": "X", "audio_tokenizer_name_or_path": "evil/code"}}),
        "processor_config.json: audio_tokenizer.audio_tokenizer_name_or_path",
    ),
    "a pickle beside other weights": (
        both(pickled_head, lambda folder: (folder / "2_Flow" / "other.safetensors").touch()),
        "holds no safetensors weights next to 2_Flow/pytorch_model.bin",
    ),
    "a method that does not embed": (
        merged("sentence_bert_config.json", {"modality_config": {"text": {"method": "push_to_hub", "method_output_name": None}}}),
        "sentence_bert_config.json: modality_config.text.method",
    ),
    "JSON too deep": (nested_json, "config.json: not JSON: nested too deeply"),
    "a pipe that never ends": (pipe, "generation_config.json: not a regular file"),
    "a link to half the disk": (linked_disk, "more than 200 files"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_folder_is_refused_and_nothing_is_asked_for_or_run(
    case: str, folder: Path, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, expected = HOSTILE[case]
    change(folder)
    monkeypatch.setattr("augcse.foreign_code._MAX_FILES", 200)
    monkeypatch.setattr("builtins.input", lambda *given: pytest.fail("asked on the terminal"))
    with pytest.raises(UserError) as caught:
        load_encoder(str(folder))
    assert expected in str(caught.value)
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert hub.requests == []
    assert not (tmp_path / "marker").exists()


DOORS: dict[str, Callable[[str], Any]] = {
    "an encoder": load_encoder,
    "a backbone with pooling": lambda name: load_encoder(name, "cls"),
    "a tokeniser": load_tokenizer,
    "a masked language model": load_masked_lm,
    "an augmentation's checkpoint": lambda name: load_checkpoint(name, "masked", "fp32"),
}


@pytest.mark.parametrize("door", DOORS)
def test_every_door_has_the_guard(door: str, tiny_backbone: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_backbone, tmp_path / "model")
    merged("tokenizer_config.json", AUTO_MAP)(folder)
    with pytest.raises(UserError, match=r"tokenizer_config\.json: auto_map"):
        DOORS[door](str(folder))


@pytest.mark.parametrize("door", DOORS)
def test_every_door_has_the_guard_for_a_hub_name(door: str, tiny_backbone: Path, tmp_path: Path, hub: Hub) -> None:
    hub.repositories["evil/model"] = shutil.copytree(tiny_backbone, tmp_path / "model")
    merged("config.json", {"auto_map": {"AutoModel": "modeling.Evil", "AutoModelForMaskedLM": REMOTE}})(tmp_path / "model")
    (tmp_path / "model" / "modeling.py").write_text(PAYLOAD.format(marker=str(tmp_path / "marker")), "utf-8")
    (tmp_path / "model" / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(UserError, match=r"config\.json: auto_map"):
        DOORS[door]("evil/model")
    assert hub.requests
    assert not [path for path in hub.requests if path.endswith((".py", ".bin")) or path.startswith(("/evil/code", "/api/models/evil/code"))]
    assert not (tmp_path / "marker").exists()


@pytest.mark.parametrize("revision", ["", f"@{COMMIT}"])
def test_a_sound_model_is_loaded_from_the_hub(revision: str, flow_folder: Path, hub: Hub) -> None:
    hub.repositories["good/model"] = flow_folder
    model = load_encoder(f"good/model{revision}")
    assert (model.encode(["One sentence."]) == load_encoder(str(flow_folder)).encode(["One sentence."])).all()


def test_a_hub_model_in_pickles_alone_is_refused_before_they_are_fetched(tiny_backbone: Path, tmp_path: Path, hub: Hub) -> None:
    hub.repositories["old/model"] = shutil.copytree(tiny_backbone, tmp_path / "model")
    pickled_weights(tmp_path / "model")
    with pytest.raises(UserError, match=r"old/model holds no safetensors weights"):
        load_encoder("old/model")
    assert not [path for path in hub.requests if path.endswith(".bin")]


def test_an_unknown_hub_name_is_one_line(hub: Hub) -> None:
    with pytest.raises(UserError, match="cannot load the model nobody/nothing") as caught:
        load_encoder("nobody/nothing")
    assert "\n" not in str(caught.value)


def test_whatever_the_hubs_library_raises_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*given: object, **named: object) -> None:
        raise KeyError("siblings\nof the repository")

    monkeypatch.setattr("huggingface_hub.snapshot_download", failing)
    with pytest.raises(UserError, match=r"cannot load the model good/model: ") as caught:
        load_encoder("good/model")
    assert "\n" not in str(caught.value)


def test_stock_and_own_modules_are_no_foreign_code(flow_folder: Path) -> None:
    refuse_foreign_code(flow_folder)
    refuse_pickled_weights(flow_folder, "model")
    assert load_encoder(str(flow_folder)).encode(["One sentence."]).shape == (1, 32)


def test_what_lies_about_unread_is_no_reason_to_refuse(folder: Path) -> None:
    (folder / "train.py").write_text("import nothing\n", "utf-8")
    (folder / "training_args.bin").write_bytes(b"")
    (folder / "vocab.json").write_text(json.dumps({"auto_map": 1, "a/b--c.D": 2}), "utf-8")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    assert load_encoder(str(folder)).encode(["One sentence."]).shape == (1, 32)


def test_prompts_and_similarity_of_a_model_with_our_module_are_kept(folder: Path) -> None:
    merged("config_sentence_transformers.json", {"prompts": {"query": "q: "}, "similarity_fn_name": "dot", "truncate_dim": 8})(folder)
    model = load_encoder(str(folder))
    assert model.prompts["query"] == "q: "
    assert model.similarity_fn_name == "dot"
    assert model.encode(["One sentence."]).shape == (1, 8)


def _arguments(path: Path) -> Iterator[tuple[str, ast.expr]]:
    """Yield every keyword argument and every entry of a literal dictionary."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            yield from ((keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg)
        elif isinstance(node, ast.Dict):
            yield from ((key.value, value) for key, value in zip(node.keys, node.values, strict=True) if isinstance(key, ast.Constant))


def test_the_flag_for_foreign_code_is_never_set() -> None:
    given = [(path, value) for path in FILES for name, value in _arguments(path) if name == "trust_remote_code"]
    assert given
    assert [str(path) for path, value in given if not (isinstance(value, ast.Constant) and value.value is False)] == []


def test_models_are_loaded_by_way_of_the_guard_alone() -> None:
    loading = re.compile(r"\.from_pretrained\(|SentenceTransformer\(str|snapshot_download\(")
    loads = [path for path in FILES if loading.search(path.read_text("utf-8"))]
    assert [path.name for path in loads if "model_folder" not in f"{path.name} {path.read_text('utf-8')}"] == []


def test_nothing_unpickles() -> None:
    unpickling = re.compile(r"torch\.load\(|^\s*(import|from) (pickle|joblib|dill|shelve)\b", re.MULTILINE)
    assert [str(path) for path in FILES if unpickling.search(path.read_text("utf-8"))] == []


def test_the_marker_would_be_seen(tmp_path: Path) -> None:
    exec(PAYLOAD.format(marker=str(tmp_path / "marker")), {})
    assert (tmp_path / "marker").exists()
