"""The encoder: poolings against plain recomputation, the cheap dropout's law, the last layer at [CLS] only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize
from torch import nn

from augcse.encoding.dropout import FastDropout, dropout_mask, use_fast_dropout
from augcse.encoding.first_token import compute_first_token_only
from augcse.encoding.model import Pooling, encode_distinct, load_encoder
from augcse.errors import UserError

TEXTS = ["The old man sold his car.", "Rain fell.", "Why did nobody call the doctor in time?"]


def _hidden(model: SentenceTransformer) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
    features = model.tokenizer(TEXTS, padding=True, return_tensors="pt")
    with torch.no_grad():
        output = model[0].auto_model.eval()(**features, output_hidden_states=True)
    return output.hidden_states, features["attention_mask"].unsqueeze(-1).float()


@pytest.mark.parametrize("pooling", ["cls", "mean", "first-last-0", "first-last-1"])
def test_pooling_is_what_it_says(pooling: str, tiny_backbone: Path, tmp_path: Path) -> None:
    model = load_encoder(str(tiny_backbone), pooling)  # type: ignore[arg-type]
    states, mask = _hidden(model)
    if pooling == "cls":
        expected = states[-1][:, 0]
    else:
        layers = states[-1] if pooling == "mean" else (states[int(pooling[-1])] + states[-1]) / 2
        expected = (layers * mask).sum(1) / mask.sum(1)
    encoded = model.encode(TEXTS)
    assert np.allclose(encoded, expected.numpy(), atol=1e-5)
    model.save_pretrained(str(tmp_path / "saved"), create_model_card=False)
    assert np.allclose(SentenceTransformer(str(tmp_path / "saved")).encode(TEXTS), encoded, atol=1e-6)


@pytest.mark.parametrize("pooling", get_args(Pooling))
def test_a_saved_model_needs_sentence_transformers_alone(pooling: str, tiny_backbone: Path, tmp_path: Path) -> None:
    load_encoder(str(tiny_backbone), pooling).save_pretrained(str(tmp_path / "saved"), create_model_card=False)  # type: ignore[arg-type]
    types = [entry["type"] for entry in json.loads((tmp_path / "saved" / "modules.json").read_text("utf-8"))]
    assert len(types) >= 2
    assert [kind for kind in types if not kind.startswith("sentence_transformers.")] == []
    assert "augcse" not in "".join(path.read_text("utf-8") for path in (tmp_path / "saved").rglob("*config*.json"))


def test_bundled_backbone_loads_in_float32() -> None:
    model = load_encoder("mini-bert", "cls")
    assert model.get_embedding_dimension() == 256
    assert next(model.parameters()).dtype == torch.float32


def test_a_saved_model_keeps_its_own_pooling(tiny_backbone: Path, tmp_path: Path) -> None:
    load_encoder(str(tiny_backbone), "cls").save_pretrained(str(tmp_path / "m"), create_model_card=False)
    assert np.allclose(load_encoder(str(tmp_path / "m")).encode(TEXTS), load_encoder(str(tiny_backbone), "cls").encode(TEXTS), atol=1e-6)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("/no/such/model", "no model folder"),
        ("./nor/this", "no model folder"),
        (str(Path(__file__).parent), "holds no model"),
        (__file__, "is a file"),
    ],
)
def test_what_is_no_model_is_refused(name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_encoder(name)


def test_a_hub_name_without_a_network_is_one_line() -> None:
    with pytest.raises(UserError, match="give a local folder") as caught:
        load_encoder("nobody/no-such-model", "cls")
    assert "\n" not in str(caught.value)


def test_misspelt_pooling_is_refused() -> None:
    with pytest.raises(UserError, match="did you mean mean"):
        load_encoder("mini-bert", "meen")  # type: ignore[arg-type]


def test_broken_weights_are_one_line(tiny_backbone: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(tiny_backbone, tmp_path / "m")
    (tmp_path / "m" / "config.json").write_text("{", "utf-8")
    with pytest.raises(UserError, match="cannot load the model"):
        load_encoder(str(tmp_path / "m"), "cls")


def test_each_distinct_sentence_is_encoded_once(tiny_backbone: Path) -> None:
    embeddings, row_of = encode_distinct(load_encoder(str(tiny_backbone)), [*TEXTS, *TEXTS[::-1]])
    assert embeddings.shape == (3, 32)
    assert list(row_of) == TEXTS


def _texts_of_many_lengths() -> list[str]:
    return [" ".join(["a" if row % 2 else "extraordinarily"] * (1 + row % 7)) + f" {row}" for row in range(40)]


def _noting_lengths(model: SentenceTransformer, monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Return the list that the tokens of each text of each batch are put into, as the model is given them."""
    lengths: list[list[int]] = []
    forward = model.forward

    def noted(features: dict[str, Any], **options: Any) -> dict[str, torch.Tensor]:
        lengths.append(features["attention_mask"].sum(1).tolist())
        return forward(features, **options)

    monkeypatch.setattr(model, "forward", noted)
    return lengths


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_batches_are_sorted_by_tokens_and_every_row_is_its_sentences(
    pooling: Pooling, tiny_backbone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load_encoder(str(tiny_backbone), pooling)
    model.max_seq_length = 20  # the longest are cut
    sentences = _texts_of_many_lengths()
    alone = np.stack([model.encode(sentence) for sentence in sentences])
    lengths = _noting_lengths(model, monkeypatch)
    monkeypatch.setattr(model, "encode", None)  # the tokens are made once, not by the library
    embeddings, row_of = encode_distinct(model, sentences, batch_size=8)
    assert list(row_of.values()) == list(range(40))
    assert embeddings.dtype == np.float32
    assert np.allclose(embeddings, alone, atol=1e-5)
    flat = [length for batch in lengths for length in batch]
    assert flat == sorted(flat, reverse=True)
    assert (max(flat), min(flat)) == (20, len(model.tokenizer("a 7")["input_ids"]))
    assert max(map(len, lengths)) == 8


def test_what_the_library_alone_makes_of_a_text_is_left_to_it(tiny_backbone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_encoder(str(tiny_backbone))
    model.prompts, model.default_prompt_name = {"query": "a question: "}, "query"
    sentences = _texts_of_many_lengths()
    lengths = _noting_lengths(model, monkeypatch)
    embeddings, _ = encode_distinct(model, sentences, batch_size=8)
    prompted = [len(model.tokenizer(f"a question: {sentence}")["input_ids"]) for sentence in sentences]
    assert sorted(length for batch in lengths for length in batch) == sorted(prompted)
    assert np.allclose(embeddings, model.encode(sentences), atol=1e-5)


def test_the_last_layer_is_as_before_after_many_sentences_were_encoded(tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls")
    layer = model[0].auto_model.encoder.layer[-1]
    before, widths = _token_embeddings(model), []
    layer.attention.output.register_forward_hook(lambda module, given, result: widths.append(result.shape[1]))
    encode_distinct(model, TEXTS)
    assert widths[-1] == 1
    assert torch.equal(_token_embeddings(model), before)
    assert widths[-1] == before.shape[1]


def _token_embeddings(model: SentenceTransformer) -> torch.Tensor:
    with torch.no_grad():
        found: torch.Tensor = model(model.preprocess(TEXTS))["token_embeddings"]
    return found


def test_weights_that_the_files_lack_are_the_same_whatever_the_callers_generator(tiny_backbone: Path) -> None:
    torch.manual_seed(7)
    state = torch.get_rng_state()
    first = load_encoder(str(tiny_backbone))[0].auto_model.pooler.dense.weight
    assert torch.equal(torch.get_rng_state(), state)
    torch.manual_seed(8)
    assert torch.equal(load_encoder(str(tiny_backbone))[0].auto_model.pooler.dense.weight, first)
    torch.manual_seed(0)
    assert torch.equal(load_encoder(str(tiny_backbone), seed=None)[0].auto_model.pooler.dense.weight, first)
    assert not torch.equal(load_encoder(str(tiny_backbone), seed=None)[0].auto_model.pooler.dense.weight, first)


def test_nothing_to_encode_gives_no_rows(tiny_backbone: Path) -> None:
    embeddings, row_of = encode_distinct(load_encoder(str(tiny_backbone)), [])
    assert (embeddings.shape, row_of) == ((0, 32), {})


@pytest.mark.parametrize("rate", [0.05, 0.1, 0.5, 0.9])
def test_dropout_keeps_the_mean_and_drops_its_share(rate: float) -> None:
    torch.manual_seed(0)
    mask = dropout_mask(torch.Size([300, 1000]), rate, torch.float32)
    assert (mask == 0).float().mean().item() == pytest.approx(rate, abs=0.003)
    assert mask.mean().item() == pytest.approx(1.0, abs=0.01)
    assert mask.unique().tolist() == pytest.approx([0.0, 1 / (1 - rate)])


def test_dropout_masks_follow_torchs_seed_and_differ_from_call_to_call() -> None:
    layer, values = FastDropout(0.3), torch.ones(7, 5)
    torch.manual_seed(3)
    first, second = layer(values), layer(values)
    torch.manual_seed(3)
    assert torch.equal(layer(values), first)
    assert not torch.equal(first, second)


def test_dropout_is_off_in_eval_mode_and_at_rate_zero() -> None:
    values = torch.ones(4, 4)
    assert torch.equal(FastDropout(0.3).eval()(values), values)
    assert torch.equal(FastDropout(0.0)(values), values)


def test_neighbouring_elements_drop_independently() -> None:
    torch.manual_seed(1)
    dropped = (dropout_mask(torch.Size([400_000]), 0.5, torch.float32) == 0).float() - 0.5
    for lag in (1, 2, 3, 4, 8):
        assert abs((dropped[:-lag] * dropped[lag:]).mean().item()) < 0.002


def test_gradient_passes_where_the_value_did() -> None:
    values = torch.ones(50, requires_grad=True)
    out = FastDropout(0.5)(values)
    out.sum().backward()
    assert torch.equal(values.grad, out.detach())


def test_all_plain_dropouts_are_replaced(tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls")
    expected = sum(type(module) is nn.Dropout for module in model.modules())
    assert use_fast_dropout(model) == expected > 0
    assert not any(type(module) is nn.Dropout for module in model.modules())


def _without_dropout(backbone: Path) -> SentenceTransformer:
    model = load_encoder(str(backbone), "cls").double()
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    return model.train()


def test_last_layer_at_cls_only_gives_the_same_vectors_and_gradients(tiny_backbone: Path) -> None:
    plain, short = _without_dropout(tiny_backbone), _without_dropout(tiny_backbone)
    assert compute_first_token_only(short)
    ids = torch.randint(5, 400, (4, 9), generator=torch.Generator().manual_seed(0))
    mask = torch.ones_like(ids)
    mask[1, 5:] = 0
    results = []
    for model in (plain, short):
        embeddings = model({"input_ids": ids.clone(), "attention_mask": mask.clone()})["sentence_embedding"]
        embeddings.square().sum().backward()
        results.append(embeddings)
    assert torch.allclose(results[0], results[1], atol=1e-12)
    for left, right in zip(plain.parameters(), short.parameters(), strict=True):
        assert (left.grad is None) == (right.grad is None)
        assert left.grad is None or torch.allclose(left.grad, right.grad, atol=1e-10)


def test_last_layer_is_whole_in_eval_mode_and_for_other_poolings(tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls")
    expected = model.encode(TEXTS, output_value="token_embeddings")
    assert compute_first_token_only(model)
    for left, right in zip(expected, model.encode(TEXTS, output_value="token_embeddings"), strict=True):
        assert torch.equal(left, right)
    assert not compute_first_token_only(load_encoder(str(tiny_backbone), "mean"))
    assert not compute_first_token_only(load_encoder(str(tiny_backbone), "first-last-1"))


def test_modules_after_the_pooling_that_read_the_sentence_alone_leave_the_last_layer_short(tiny_backbone: Path) -> None:
    for name, expected in (("sentence_embedding", True), ("token_embeddings", False)):
        model = load_encoder(str(tiny_backbone), "cls")
        model.append(Normalize(module_input_name=name))
        assert compute_first_token_only(model) is expected


def test_loading_leaves_the_tokeniser_as_it_is_in_its_file(tiny_backbone: Path, tmp_path: Path) -> None:
    load_encoder(str(tiny_backbone)).save_pretrained(str(tmp_path), create_model_card=False)
    assert (tmp_path / "tokenizer.json").read_bytes() == (tiny_backbone / "tokenizer.json").read_bytes()
