"""Post-processed models: what their modules compute, that they load without this package, and what is refused."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Dense, Pooling, WordWeights

import augcse
from augcse.encoding.front_matter import ModelOrigin, origin_of
from augcse.encoding.model import load_encoder
from augcse.encoding.postprocess import apply_steps, postprocess
from augcse.errors import UserError
from augcse.files import partial_path


@pytest.fixture(scope="module")
def model(tiny_backbone: Path) -> SentenceTransformer:
    return load_encoder(str(tiny_backbone))


def test_sif_is_a_mean_of_tokens_by_the_papers_weights(model: SentenceTransformer, sentences: list[str]) -> None:
    texts, a = sentences[:120], 0.01
    weighted, [done] = apply_steps(model, texts, [f"sif:a={a}"])
    assert [type(module) for module in weighted.children()][1:] == [WordWeights, Pooling]
    rows = [model.tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
    counts: dict[int, int] = {}
    for row in rows:
        for token in row:
            counts[token] = counts.get(token, 0) + 1
    total = sum(counts.values())
    assert done["figures"] == {"tokens": total, "distinct_tokens": len(counts)}
    unseen = sentences[300]
    for text in [*texts[:3], unseen]:
        vectors = model.encode([text], output_value="token_embeddings")[0].numpy()[1:-1]
        weights = [a / (a + counts.get(token, 0) / total) for token in model.tokenizer(text, add_special_tokens=False)["input_ids"]]
        expected = sum(weight * vector for weight, vector in zip(weights, vectors, strict=True)) / sum(weights)
        assert weighted.encode([text])[0] == pytest.approx(expected, abs=1e-5)
    assert not weighted.encode([""]).any()


def test_sif_and_a_component_removed_is_arora(model: SentenceTransformer, sentences: list[str]) -> None:
    texts = sentences[:100]
    weighted, _ = apply_steps(model, texts, ["sif"])
    rows = weighted.encode(texts).astype(np.float64)
    direction = np.linalg.svd(rows)[2][0]
    finished, _ = apply_steps(model, texts, ["sif", "remove-components:k=1"])
    assert finished.encode(texts) == pytest.approx(rows - np.outer(rows @ direction, direction), abs=1e-5)


def test_each_step_is_fitted_on_what_comes_before_it(model: SentenceTransformer, sentences: list[str]) -> None:
    texts = sentences[:100]
    first, _ = apply_steps(model, texts, ["sif", "remove-components"])
    at_once, done = apply_steps(model, texts, ["sif", "remove-components", "whiten:dim=5,shrinkage=none"])
    one_by_one, _ = apply_steps(first, texts, ["whiten:dim=5,shrinkage=none"])
    assert at_once.encode(texts) == pytest.approx(one_by_one.encode(texts), abs=1e-4)
    assert np.cov(at_once.encode(texts).T, bias=True) == pytest.approx(np.eye(5), abs=1e-3)
    assert [step["name"] for step in done] == ["sif", "remove-components", "whiten"]


def test_the_encoder_is_left_as_it_was(model: SentenceTransformer, sentences: list[str]) -> None:
    before = model.encode(sentences[:5])
    apply_steps(model, sentences[:60], ["sif", "whiten", "flow:steps=1,epochs=1"])
    assert model.encode(sentences[:5]).tolist() == before.tolist()
    assert len(list(model.children())) == 2


def test_the_folder_loads_in_stock_sentence_transformers_and_gives_the_same(tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    steps = ["sif:a=0.003", "remove-components:k=2,centre=true", "whiten:exponent=0.5,dim=7"]
    built = augcse.postprocess(tiny_backbone, corpus, steps=steps, output=tmp_path / "model")
    code = "import sys, json\nfrom sentence_transformers import SentenceTransformer\n"
    code += "model = SentenceTransformer(sys.argv[1], device='cpu')\nassert 'augcse' not in sys.modules\n"
    code += "print(json.dumps(model.encode(['One sentence.', 'Two.']).tolist()))"
    done = subprocess.run([sys.executable, "-c", code, str(built.folder)], capture_output=True, text=True, check=True, cwd=tmp_path)
    stock = np.array(json.loads(done.stdout.splitlines()[-1]))
    assert stock == pytest.approx(load_encoder(str(built.folder)).encode(["One sentence.", "Two."]), abs=1e-6)
    assert stock.shape == (2, 7)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_same_text_in_any_order_gives_the_same_bytes_and_no_path(tiny_backbone: Path, sentences: list[str], tmp_path: Path) -> None:
    made = []
    for name, lines in (("one", sentences[:150]), ("two", sentences[:150][::-1] + sentences[:40])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "text.txt").write_text("\n".join(lines), "utf-8")
        built = postprocess(
            tiny_backbone, tmp_path / name / "text.txt", steps=["sif", "whiten", "flow:steps=1,epochs=1"], output=tmp_path / name / "m",
            sample=100,
        )  # fmt: skip
        made.append(contents(built.folder))
    assert {name for name in made[0] if made[0][name] != made[1][name]} == {"README.md"}
    assert not [name for name, content in made[0].items() if str(tmp_path).encode() in content or str(tiny_backbone).encode() in content]


def test_the_global_generator_is_left(corpus: Path, tmp_path: Path) -> None:
    state = torch.get_rng_state()
    postprocess("mini-bert", corpus, steps="sif", output=tmp_path / "model", sample=20)
    assert torch.equal(torch.get_rng_state(), state)


def test_the_card_says_what_was_done_on_which_text(tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    built = postprocess(tiny_backbone, corpus, steps=["sif", "whiten:dim=9"], output=tmp_path / "model", sample=50)
    card = (built.folder / "README.md").read_text("utf-8")
    [file] = built.record["text"]["files"]
    assert built.record["text"] | {"files": 0} == {"distinct": 50, "read": 400, "files": 0}
    for said in ("sif + whiten", "9 dimensions (32 before)", "50 distinct sentences of the 400", f"corpus.txt, SHA-256 {file['sha256']}"):
        assert said in card
    assert "Licence" in card
    assert "from sentence_transformers import" in card


def test_the_card_states_licence_and_language_of_the_model(corpus: Path, tmp_path: Path) -> None:
    built = postprocess("mini-bert", corpus, steps="whiten:dim=9", output=tmp_path / "out", sample=50)
    assert origin_of(str(built.folder)) == ModelOrigin("out", licence="cc-by-sa-3.0", languages=("en",))


def test_a_flows_card_says_what_it_needs(tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    built = postprocess(tiny_backbone, corpus, steps="flow:steps=1,epochs=1", output=tmp_path / "model", sample=50)
    assert "load_encoder" in (built.folder / "README.md").read_text("utf-8")


@pytest.mark.parametrize("pooling", ["cls", "first-last-0"])
def test_without_a_step_only_the_pooling_is_put_on(pooling: Any, tiny_backbone: Path, tmp_path: Path) -> None:
    built = postprocess(tiny_backbone, pooling=pooling, output=tmp_path / "model")
    expected = load_encoder(str(tiny_backbone), pooling).encode(["One sentence."])
    assert SentenceTransformer(str(built.folder)).encode(["One sentence."]) == pytest.approx(expected, abs=1e-6)
    assert (built.record["steps"], built.record["text"]) == ([], None)


def test_word_vectors_take_every_step(sentences: list[str], tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    words = sorted({word.strip(".,").lower() for text in sentences for word in text.split()})
    lines = [f"{word} {' '.join(f'{value:.4f}' for value in rng.normal(size=4))}" for word in words if word]
    (tmp_path / "glove.txt").write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "text.txt").write_text("\n".join(sentences), "utf-8")
    steps = ["sif", "remove-components", "whiten:dim=2"]
    built = postprocess(tmp_path / "glove.txt", tmp_path / "text.txt", steps=steps, output=tmp_path / "m", stop_words=False)
    assert built.record["model"] == "glove.txt"
    assert SentenceTransformer(str(built.folder)).encode(["The mill."]).shape == (1, 2)


def test_prompts_are_kept_and_counted(tiny_backbone: Path, sentences: list[str]) -> None:
    modules = list(load_encoder(str(tiny_backbone)).children())
    prompted = SentenceTransformer(modules=modules, prompts={"q": "zebra zebra "}, default_prompt_name="q", device="cpu")
    finished, [sif, _] = apply_steps(prompted, sentences[:50], ["sif", "whiten"])
    _, [without, _] = apply_steps(load_encoder(str(tiny_backbone)), sentences[:50], ["sif", "whiten"])
    extra = 50 * len(prompted.tokenizer("zebra zebra ", add_special_tokens=False)["input_ids"])
    assert (finished.default_prompt_name, finished.prompts["q"]) == ("q", "zebra zebra ")
    assert sif["figures"]["tokens"] == without["figures"]["tokens"] + extra


def test_half_precision_becomes_single(tiny_backbone: Path, sentences: list[str]) -> None:
    half = load_encoder(str(tiny_backbone)).half()
    finished, _ = apply_steps(half, sentences[:50], ["whiten"])
    assert finished.encode(["One."]).dtype == np.float32
    assert half.dtype == torch.float16


def test_a_model_after_another_can_be_processed(tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    first = postprocess(tiny_backbone, corpus, steps="sif", output=tmp_path / "first", sample=50)
    second = postprocess(first.folder, corpus, steps="whiten:dim=3", output=tmp_path / "second", sample=50)
    kinds = [type(module) for module in load_encoder(str(second.folder)).children()]
    assert kinds[1:] == [WordWeights, Pooling, Dense]
    with pytest.raises(UserError, match="weights its tokens already"):
        postprocess(first.folder, corpus, steps="sif", output=tmp_path / "third", sample=50)


def spoilt(source: Path, folder: Path, value: float) -> Path:
    """A copy of a model whose weights are all one number."""
    shutil.copytree(source, folder)
    tensors = {name: torch.full_like(tensor, value) for name, tensor in load_file(folder / "model.safetensors").items()}
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    return folder


@pytest.mark.parametrize(("value", "message"), [(float("nan"), "not finite"), (0.0, "are the same")])
@pytest.mark.parametrize("steps", ["whiten", "remove-components", "flow"])
def test_embeddings_of_no_use_are_refused(
    steps: str, value: float, message: str, tiny_backbone: Path, corpus: Path, tmp_path: Path
) -> None:
    broken = spoilt(tiny_backbone, tmp_path / "broken", value)
    with pytest.raises(UserError, match=message):
        postprocess(broken, corpus, steps=steps, output=tmp_path / "model")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken"]


@pytest.mark.parametrize(
    ("count", "steps", "message"),
    [
        (1, "sif", "1 distinct sentence is too few"),
        (1, "whiten", "1 distinct sentence is too few"),
        (10, "whiten:shrinkage=none,dim=20", "10 sentences vary in 9 of 32 directions"),
        (10, "remove-components:k=10", "give 11 or more"),
        (10, "remove-components:k=32", "give 1 to 31"),
        (30, "flow", "needs 33 or more distinct sentences"),
    ],
)
def test_too_few_sentences_are_refused_with_the_number_needed(
    count: int, steps: str, message: str, model: SentenceTransformer, sentences: list[str]
) -> None:
    with pytest.raises(UserError, match=message):
        apply_steps(model, sentences[:count] * 3, [steps])


@pytest.mark.parametrize("count", [2, 10, 100])
def test_with_shrinkage_few_sentences_are_enough(count: int, model: SentenceTransformer, sentences: list[str]) -> None:
    finished, [done] = apply_steps(model, sentences[:count], ["whiten"])
    assert np.isfinite(finished.encode(sentences[100:150])).all()
    assert (done["figures"]["shrinkage"] > 0.5) == (count <= 10)


def test_a_model_that_cuts_its_embeddings_is_refused(tiny_backbone: Path, sentences: list[str]) -> None:
    cut = SentenceTransformer(modules=list(load_encoder(str(tiny_backbone)).children()), truncate_dim=8, device="cpu")
    with pytest.raises(UserError, match="truncate_dim"):
        apply_steps(cut, sentences[:50], ["whiten"])


def test_words_that_the_vectors_do_not_have_are_refused(sentences: list[str], tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("zyzzyva 1 2\nxylyl 3 4\n", "utf-8")
    (tmp_path / "text.txt").write_text("\n".join(sentences), "utf-8")
    for step, message in (("sif", "knows no token"), ("whiten", "are the same")):
        with pytest.raises(UserError, match=message):
            postprocess(tmp_path / "glove.txt", tmp_path / "text.txt", steps=step, output=tmp_path / "model")


def test_a_write_that_is_cut_short_leaves_nothing_that_looks_whole(
    tiny_backbone: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def killed(folder: Path) -> Any:
        seen.extend(entry.name for entry in partial_path(tmp_path / "model").iterdir())
        raise KeyboardInterrupt

    monkeypatch.setattr("augcse.files.sync_tree", killed)
    with pytest.raises(KeyboardInterrupt):
        postprocess(tiny_backbone, corpus, steps="whiten", output=tmp_path / "model", sample=50)
    assert {"modules.json", "README.md"} <= set(seen)
    assert list(tmp_path.iterdir()) == []
