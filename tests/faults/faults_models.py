"""Model folders that are damaged, incomplete, or of another model."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fault import Fault

_COMMANDS = {
    "evaluate": ("evaluate", "{work}/model", "--tasks", "STSB", "--data", "{data}"),
    "train": ("train", "simcse-mini", "--model", "{work}/model", "--corpus", "{corpus}", "--output", "{work}/out", "--workers", "1"),
    "geometry": ("analyze", "geometry", "{work}/model", "--data", "{data}"),
    "compare": ("analyze", "compare", "{model}", "{work}/model", "--tasks", "STSB", "--data", "{data}"),
    "postprocess": ("postprocess", "{work}/model", "--output", "{work}/out"),
    "hybrid": ("hybrid", "{model}", "{work}/model", "--output", "{work}/out"),
    "neighbours": ("analyze", "neighbours", "{work}/model", "--query", "a mill", "--corpus", "{corpus}"),
    "adapt": ("adapt", "{corpus}", "--model", "{work}/model", "--output", "{work}/out", "--workers", "1", "--quiet"),
    "pairs": ("pairs", "{corpus}", "--model", "{work}/model", "--output", "{work}/out.tsv", "--quiet"),
    "soup": ("soup", "{model}", "{work}/model", "--output", "{work}/out"),
    "score": ("score", "{corpus}", "--with", "RandomSwap", "--model", "{work}/model", "--lm", "none", "--sample", "60", "--quiet"),
    "probe": ("probe", "{work}/model", "{corpus}", "--sample", "60", "--resamples", "5", "--quiet"),
}
# The tokeniser alone is read.
_DOCTOR = {"doctor": ("doctor", "{corpus}", "--model", "{work}/model")}
Damage = Callable[[Path], None]


def _without(*names: str) -> Damage:
    def damage(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return damage


def _content(name: str, content: str | bytes) -> Damage:
    def damage(folder: Path) -> None:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    return damage


def _cut(name: str, share: float) -> Damage:
    def damage(folder: Path) -> None:
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(whole[: int(len(whole) * share)])

    return damage


def _changed(name: str, **values: Any) -> Damage:
    def damage(folder: Path) -> None:
        document = json.loads((folder / name).read_text("utf-8"))
        (folder / name).write_text(json.dumps(document | values), "utf-8")

    return damage


def _other_type(folder: Path) -> None:
    entries = json.loads((folder / "modules.json").read_text("utf-8"))
    entries[1]["type"] = "os.path.join"
    (folder / "modules.json").write_text(json.dumps(entries), "utf-8")


def _weights_of_nothing(folder: Path) -> None:
    from safetensors.numpy import save_file

    save_file({}, folder / "model.safetensors")


def _weights_not_finite(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    save_file({name: tensor.fill_(float("nan")) for name, tensor in tensors.items()}, folder / "model.safetensors", {"format": "pt"})


def _loop(name: str) -> Damage:
    def damage(folder: Path) -> None:
        if (folder / name).is_dir():
            shutil.rmtree(folder / name)
        else:
            (folder / name).unlink()
        (folder / name).symlink_to(folder / name)

    return damage


# What no command can load.
_DAMAGES: dict[str, Damage] = {
    "no config.json": _without("config.json"),
    "no weights": _without("model.safetensors"),
    "neither config.json nor modules.json": _without("config.json", "modules.json"),
    "config.json cut short": _cut("config.json", 0.5),
    "config.json empty": _content("config.json", ""),
    "config.json a list": _content("config.json", "[]"),
    "config.json of nothing": _content("config.json", "{}"),
    "config.json binary": _content("config.json", bytes(range(256))),
    "an unknown model type": _changed("config.json", model_type="no-such-type"),
    "another width": _changed("config.json", hidden_size=64),
    "a width that no head divides": _changed("config.json", num_attention_heads=5),
    "another vocabulary": _changed("config.json", vocab_size=7),
    "words for numbers": _changed("config.json", hidden_size="wide"),
    "a negative number of layers": _changed("config.json", num_hidden_layers=-1),
    "code of its own": _changed("config.json", auto_map={"AutoModel": "other/repository--file.Class"}),
    "weights cut short": _cut("model.safetensors", 0.5),
    "weights cut to their header": _cut("model.safetensors", 0.01),
    "weights empty": _content("model.safetensors", b""),
    "weights of zeros": _content("model.safetensors", bytes(4096)),
    "weights that are text": _content("model.safetensors", "weights\n" * 100),
    "weights of nothing": _weights_of_nothing,
    "weights a link to itself": _loop("model.safetensors"),
    "config.json a link to itself": _loop("config.json"),
    "tokenizer.json cut short": _cut("tokenizer.json", 0.5),
    "tokenizer.json a list": _content("tokenizer.json", "[]"),
    "tokenizer.json of nothing": _content("tokenizer.json", "{}"),
    "no words": _content("tokenizer.json", '{"version": "1.0", "model": {"type": "WordPiece", "vocab": {}, "unk_token": "[UNK]"}}'),
}
# Of the folder as sentence-transformers reads it.
_MODULES: dict[str, Damage] = {
    "modules.json cut short": _cut("modules.json", 0.5),
    "modules.json empty": _content("modules.json", ""),
    "modules.json no list": _content("modules.json", '{"a": 1}'),
    "modules.json of numbers": _content("modules.json", "[1, 2]"),
    "a module of other code": _other_type,
    "no pooling": lambda folder: shutil.rmtree(folder / "1_Pooling"),
    "pooling cut short": _cut("1_Pooling/config.json", 0.5),
    "a pooling folder that is a link to itself": _loop("1_Pooling"),
    "weights that are not finite": _weights_not_finite,
}
_AS_SAVED = {name: command for name, command in _COMMANDS.items() if name in ("evaluate", "probe")}
_TOKENISER = {name: damage for name, damage in _DAMAGES.items() if name.startswith(("tokenizer.json", "config.json cut", "no words"))}


def copied(damage: Damage) -> Callable[[Path], None]:
    """Return a preparation that puts a damaged copy of the whole model into the working folder."""

    def prepare(work: Path) -> None:
        shutil.copytree(_SOURCE[0], work / "model")
        damage(work / "model")

    return prepare


# The whole model, known when the session has made it.
_SOURCE: list[Path] = []


def copy_models_from(folder: Path) -> None:
    """Say which model the damaged ones are copies of."""
    _SOURCE[:] = [folder]


def damages(*names: str) -> dict[str, Damage]:
    """Return some of what no command can load, by name."""
    return {name: _DAMAGES[name] for name in names}


def _cases(commands: dict[str, tuple[str, ...]], damages: dict[str, Damage]) -> list[Fault]:
    return [
        Fault(f"{name}: model: {kind}", command, ("model",), copied(damage))
        for name, command in commands.items()
        for kind, damage in damages.items()
    ]


_LOADERS = {name: command for name, command in _COMMANDS.items() if name in ("evaluate", "train")}
_OTHERS = {name: command for name, command in _COMMANDS.items() if name not in _LOADERS}
# All load by one function: of the others one damage to each kind of file.
_SOME = damages("config.json cut short", "weights cut short", "no words")
MODELS = [
    *_cases(_LOADERS, _DAMAGES),
    *_cases(_OTHERS, _SOME),
    *_cases(_AS_SAVED, _MODULES),
    *_cases(_DOCTOR, _TOKENISER),
]
MODELS += [
    Fault(f"{name}: model: {kind}", tuple(word.replace("{work}/model", model) for word in command), (model[:40],))
    for name, command in (_COMMANDS | _DOCTOR).items()
    for kind, model in {
        "absent": "{work}/absent",
        "a file": "{corpus}",
        "an empty folder": "{work}",
        "an empty name": "",
        "a name of no hub": "no such model?",
    }.items()
]
