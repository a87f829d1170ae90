"""Several encoders as one: the definition, tokenising, devices, lengths, and the folder that comes back the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import StaticEmbedding, Transformer
from tokenizers import Tokenizer

from augcse.encoding.hybrid import Hybrid, hybrid_model
from augcse.encoding.length import maximum_tokens, truncated_sentences
from augcse.encoding.model import load_encoder
from augcse.encoding.postprocess import apply_steps, postprocess
from augcse.encoding.word_vectors import word_vector_model
from augcse.errors import UserError

TEXTS = ["One sentence about a mill.", "Two rivers.", "", "The mill was built near a quiet river, long ago, by nobody in particular."]


def static_model(folder: Path, dim: int = 5) -> SentenceTransformer:
    """Random vectors for the tokens of a backbone's own tokeniser, as a stock `StaticEmbedding`."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    rows = np.random.default_rng(0).normal(size=(tokenizer.get_vocab_size(), dim)).astype(np.float32)
    return SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=rows)], device="cpu")


def naive(models: list[SentenceTransformer], weights: list[float], texts: list[str]) -> np.ndarray:
    """Encode each text alone by each model, and join by hand."""
    rows = []
    for text in texts:
        row: list[float] = []
        for model, weight in zip(models, weights, strict=True):
            vector = model.encode([text])[0]
            length = float(np.sqrt((vector**2).sum()))
            row += [weight * float(value) / length if length else 0.0 for value in vector]
        rows.append(row)
    return np.array(rows)


@pytest.fixture
def parts(tiny_backbone: Path, tmp_path: Path) -> list[SentenceTransformer]:
    (tmp_path / "glove.txt").write_text("mill 1 2\nriver 3 4\n", "utf-8")
    vectors = word_vector_model(tmp_path / "glove.txt")
    return [load_encoder(str(tiny_backbone)), static_model(tiny_backbone), load_encoder(str(tiny_backbone), "cls"), vectors]


def test_it_is_unit_vectors_times_weights_side_by_side(parts: list[SentenceTransformer]) -> None:
    weights = [1.0, 0.5, 2.0, 0.25]
    model = hybrid_model(parts, weights)
    found = model.encode(TEXTS)
    assert found == pytest.approx(naive(parts, weights, TEXTS), abs=1e-5)
    assert found.dtype == np.float32
    assert model.get_embedding_dimension() == found.shape[1] == 32 + 5 + 32 + 2


def test_its_cosine_is_the_mean_of_the_parts_by_squared_weights(parts: list[SentenceTransformer]) -> None:
    weights = [1.0, 0.5]
    left, right = hybrid_model(parts[:2], weights).encode(TEXTS[:2])
    cosines = [float(torch.cosine_similarity(*map(torch.from_numpy, part.encode(TEXTS[:2])), dim=0)) for part in parts[:2]]
    expected = (cosines[0] + 0.25 * cosines[1]) / 1.25
    assert float(left @ right / np.linalg.norm(left) / np.linalg.norm(right)) == pytest.approx(expected, abs=1e-5)


def test_parts_with_one_tokeniser_tokenise_once(tiny_backbone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = [load_encoder(str(tiny_backbone)), load_encoder(str(tiny_backbone), "cls"), load_encoder("mini-bert")]
    calls: list[int] = []
    plain = Transformer.preprocess
    monkeypatch.setattr(Transformer, "preprocess", lambda self, *given, **named: (calls.append(1), plain(self, *given, **named))[1])
    joined = hybrid_model(models, [1, 1, 1])
    found = joined.encode(TEXTS)
    assert len(calls) == 2
    assert found == pytest.approx(naive(models, [1, 1, 1], TEXTS), abs=1e-5)
    models[1].max_seq_length = 4
    calls.clear()
    assert joined.encode(TEXTS) == pytest.approx(naive(models, [1, 1, 1], TEXTS), abs=1e-5)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_folder_comes_back_and_is_written_again_with_the_same_bytes(parts: list[SentenceTransformer], tmp_path: Path) -> None:
    model = hybrid_model(parts, [1, 0.5, 0.7, 1.4])
    before = model.encode(TEXTS)
    model.save_pretrained(str(tmp_path / "one"), create_model_card=False)
    loaded = load_encoder(str(tmp_path / "one"))
    assert loaded.encode(TEXTS).tolist() == before.tolist()
    loaded.save_pretrained(str(tmp_path / "two"), create_model_card=False)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert not list(tmp_path.rglob("*.bin"))
    assert {path.name for path in (tmp_path / "one" / "0_Hybrid").iterdir()} == {"config.json", "part-1", "part-2", "part-3", "part-4"}


def test_a_folder_that_is_loaded_and_saved_keeps_its_card(parts: list[SentenceTransformer], tmp_path: Path) -> None:
    hybrid_model(parts, [1] * 4).save_pretrained(str(tmp_path / "one"), create_model_card=False)
    (tmp_path / "one" / "README.md").write_text("---\nlicense: mit\n---\n# Mine, größer\n", "utf-8")
    load_encoder(str(tmp_path / "one")).save_pretrained(str(tmp_path / "two"))
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_stock_sentence_transformers_refuses_the_folder_and_loads_its_parts(parts: list[SentenceTransformer], tmp_path: Path) -> None:
    hybrid_model(parts, [1] * 4).save_pretrained(str(tmp_path / "m"), create_model_card=False)
    with pytest.raises(ValueError, match="augcse"):
        SentenceTransformer(str(tmp_path / "m"))
    part = SentenceTransformer(str(tmp_path / "m" / "0_Hybrid" / "part-2"))
    assert part.encode(TEXTS).tolist() == parts[1].encode(TEXTS).tolist()


def test_a_part_may_have_a_module_of_ours(tiny_backbone: Path, sentences: list[str], tmp_path: Path) -> None:
    plain = load_encoder(str(tiny_backbone))
    flow, _ = apply_steps(plain, sentences[:60], ["flow:steps=1,epochs=1"])
    inner = hybrid_model([plain, flow], [1, 1])
    outer = hybrid_model([inner, static_model(tiny_backbone)], [1, 1])
    outer.save_pretrained(str(tmp_path / "m"), create_model_card=False)
    loaded = load_encoder(str(tmp_path / "m"))
    assert loaded.encode(TEXTS) == pytest.approx(naive([inner, static_model(tiny_backbone)], [1, 1], TEXTS), abs=1e-5)


def test_the_length_is_that_of_the_part_that_reads_least(tiny_backbone: Path) -> None:
    short, long = load_encoder(str(tiny_backbone)), load_encoder("mini-bert")
    short.max_seq_length = 6
    model = hybrid_model([static_model(tiny_backbone), long, short], [1, 1, 1])
    assert maximum_tokens(model) == model.max_seq_length == 6
    assert truncated_sentences(model, TEXTS) == {TEXTS[0], TEXTS[3]}
    model.max_seq_length = 64
    assert (short.max_seq_length, long.max_seq_length) == (64, 64)
    assert truncated_sentences(model, TEXTS) == frozenset()
    assert maximum_tokens(hybrid_model([static_model(tiny_backbone)] * 2, [1, 1])) is None


def test_each_part_has_its_own_prompt_unless_one_is_given(tiny_backbone: Path) -> None:
    modules = list(load_encoder(str(tiny_backbone)).children())
    prompted = SentenceTransformer(modules=modules, prompts={"q": "zebra "}, default_prompt_name="q", device="cpu")
    plain = load_encoder(str(tiny_backbone))
    model = hybrid_model([prompted, plain], [1, 1])
    assert model.encode(["a mill"]) == pytest.approx(naive([prompted, plain], [1, 1], ["a mill"]), abs=1e-6)
    assert model.encode(["a mill"], prompt="x ") == pytest.approx(naive([plain, plain], [1, 1], ["x a mill"]), abs=1e-6)


def test_half_precision_becomes_single(tiny_backbone: Path) -> None:
    half = load_encoder(str(tiny_backbone)).half()
    model = hybrid_model([half, load_encoder(str(tiny_backbone))], [1, 1])
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}
    assert half.dtype == torch.float16


def test_it_moves_with_all_its_parts(parts: list[SentenceTransformer]) -> None:
    model = hybrid_model(parts, [1] * 4).to("meta")
    assert {parameter.device.type for parameter in model.parameters()} == {"meta"}


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device (or hidden by CUDA_VISIBLE_DEVICES)")
def test_it_encodes_the_same_on_a_gpu(parts: list[SentenceTransformer]) -> None:
    model = hybrid_model(parts, [1] * 4)
    on_cpu = model.to("cpu").encode(TEXTS)
    assert model.to("cuda").encode(TEXTS) == pytest.approx(on_cpu, abs=1e-3)


def test_gradients_reach_every_part(parts: list[SentenceTransformer]) -> None:
    model = hybrid_model(parts[:2], [1, 1])
    model(model.preprocess(TEXTS[:2]))["sentence_embedding"].sum().backward()
    assert all(any(parameter.grad is not None for parameter in part.parameters()) for part in parts[:2])


def test_steps_go_on_top_of_a_hybrid(tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    hybrid_model([load_encoder(str(tiny_backbone)), static_model(tiny_backbone)], [1, 1]).save_pretrained(
        str(tmp_path / "m"), create_model_card=False
    )
    built = postprocess(tmp_path / "m", corpus, steps="whiten:dim=6", output=tmp_path / "white", sample=80)
    assert load_encoder(str(built.folder)).encode(TEXTS).shape == (4, 6)
    with pytest.raises(UserError, match="has no vectors of tokens"):
        postprocess(tmp_path / "m", corpus, steps="sif", output=tmp_path / "other", sample=80)


@pytest.mark.parametrize("damage", ["part", "weights", "code"])
def test_a_damaged_folder_is_refused(damage: str, tiny_backbone: Path, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    hybrid_model([load_encoder(str(tiny_backbone)), static_model(tiny_backbone)], [1, 1]).save_pretrained(
        str(folder), create_model_card=False
    )
    inside = folder / "0_Hybrid"
    if damage == "part":
        shutil.rmtree(inside / "part-2")
    elif damage == "weights":
        (inside / "part-1" / "model.safetensors").write_bytes(b"no weights")
    else:
        entries: list[dict[str, Any]] = json.loads((inside / "part-1" / "modules.json").read_text("utf-8"))
        entries[0]["type"] = "os.path.join"
        (inside / "part-1" / "modules.json").write_text(json.dumps(entries), "utf-8")
    with pytest.raises(UserError) as caught:
        load_encoder(str(folder))
    assert "\n" not in str(caught.value)


def test_the_module_is_the_only_one(parts: list[SentenceTransformer]) -> None:
    assert [type(module) for module in hybrid_model(parts, [1] * 4).children()] == [Hybrid]
