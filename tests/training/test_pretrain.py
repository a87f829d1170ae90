"""A backbone from plain text: its blocks, its start, its folder, and that a resumed one is the same."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import RobertaConfig, RobertaForMaskedLM

from augcse.cli.pretrain import _describe
from augcse.encoding.model import load_encoder, load_tokenizer
from augcse.encoding.static.options import StaticOptions
from augcse.encoding.static.progress import Progress
from augcse.encoding.static.rows import cooccurrence_rows
from augcse.encoding.static.tokenizer import train_tokenizer
from augcse.encoding.static.tokens import TokenizedSentences, offsets_of, tokenize_sentences
from augcse.errors import UserError
from augcse.objectives.masked_lm import load_masked_lm
from augcse.pipeline import train
from augcse.training.pretraining.blocks import pack_blocks
from augcse.training.pretraining.card import backbone_card
from augcse.training.pretraining.options import PretrainOptions, pretrain_options
from augcse.training.pretraining.pretrain import pretrain
from augcse.training.pretraining.start import copy_vectors, new_model, sinusoids, tokenizer_of_start
from augcse.training.pretraining.vocabulary import train_mlm_tokenizer
from augcse.training.watcher import Watcher

TINY: dict[str, Any] = {
    "vocabulary_size": 500, "hidden_size": 32, "layers": 1, "heads": 2, "intermediate_size": 32, "positions": 32, "block_tokens": 16,
    "batch_size": 8, "max_steps": 12, "log_every_steps": 3, "checkpoint_every_steps": 4, "precision": "fp32", "learning_rate": 2e-2,
}  # fmt: skip
QUIET = Progress()


@pytest.fixture(scope="module")
def backbone(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Path:
    return pretrain(corpus, output=tmp_path_factory.mktemp("pretrained") / "backbone", **TINY).folder


def files_of(folder: Path) -> dict[str, bytes]:
    """All that must be the same, however often a pretraining was resumed: its record says how long it took."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "pretrain.json"}


@given(st.lists(st.lists(st.integers(5, 50), max_size=6), max_size=12), st.integers(2, 9))
def test_blocks_hold_the_text_in_order(sentences: list[list[int]], length: int) -> None:
    cls, sep = 1, 2
    ids = np.array([token for sentence in sentences for token in sentence], dtype=np.uint16)
    blocks = pack_blocks(TokenizedSentences(ids, offsets_of([len(sentence) for sentence in sentences])), cls, sep, length)
    stream = [token for sentence in sentences for token in [*sentence, sep]]
    assert blocks.shape == (len(stream) // (length - 1), length)
    assert (blocks[:, 0] == cls).all()
    assert blocks[:, 1:].reshape(-1).tolist() == stream[: blocks.shape[0] * (length - 1)]


def test_the_trained_tokenizer_is_that_of_static_after_its_special_tokens(sentences: list[str]) -> None:
    tokenizer = train_mlm_tokenizer(sentences, 500)
    static: Any = train_tokenizer(sentences, 496)
    text = "The kettle was not there, unbelievably."
    plain = tokenizer(text, add_special_tokens=False)["input_ids"]
    # [UNK] is one of both.
    assert plain == [number + 4 for number in static.encode(text, add_special_tokens=False).ids]
    assert [tokenizer.pad_token_id, tokenizer.unk_token_id, tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.mask_token_id] == [
        0, 1, 2, 3, 4
    ]  # fmt: skip
    assert tokenizer(text)["input_ids"] == [2, *plain, 3]
    assert tokenizer("[MASK]", add_special_tokens=False)["input_ids"] == [4]


def test_a_text_of_few_tokens_gives_a_smaller_tokenizer_and_says_so(sentences: list[str]) -> None:
    warnings: list[str] = []
    small = tokenizer_of_start(PretrainOptions(), sentences, warnings.append)
    assert warnings == [f"vocabulary_size is 12,288, and the corpus gives {len(small):,} tokens; continuing with these"]
    again = tokenizer_of_start(PretrainOptions(vocabulary_size=len(small)), sentences, warnings.append)
    assert again.get_vocab() == small.get_vocab()
    assert len(warnings) == 1


def test_vectors_have_the_length_of_random_ones_and_unknown_tokens_stay_random() -> None:
    generator = torch.Generator().manual_seed(0)
    table = torch.randn(4, 6, generator=generator)
    before = table.clone()
    rows = np.array([[3.0, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2], [1, 1, 1, 1]], dtype=np.float32)
    copy_vectors(table, rows, 0.02)
    known = [0, 2, 3]
    torch.testing.assert_close(table[known, :4].norm(dim=1), torch.full((3,), 0.02 * 4**0.5))
    torch.testing.assert_close(table[0, :4], torch.tensor([0.6, 0.8, 0, 0]) * 0.04)
    assert torch.equal(table[1], before[1])
    assert torch.equal(table[:, 4:], before[:, 4:])


def test_the_start_is_the_co_occurrence_of_the_text(sentences: list[str]) -> None:
    tokenizer: Any = train_mlm_tokenizer(sentences, 500)
    text = tokenize_sentences(tokenizer.backend_tokenizer, sentences)
    torch.manual_seed(1)
    model = new_model(pretrain_options(TINY), tokenizer, text, QUIET)
    counts = np.bincount(text.ids, minlength=500)
    counts[:5] = 0
    rows, _ = cooccurrence_rows(text, counts, StaticOptions(cooccurrence_dim=32), QUIET)
    table = model.get_input_embeddings().weight.detach()
    counted = np.flatnonzero(rows.any(axis=1))
    assert len(counted) > 300
    cosines = torch.nn.functional.cosine_similarity(table[counted][:, : rows.shape[1]], torch.from_numpy(rows[counted]))
    torch.testing.assert_close(cosines, torch.ones(len(counted)))
    assert model.get_output_embeddings().weight is model.get_input_embeddings().weight


def test_a_random_start_has_other_embeddings(sentences: list[str]) -> None:
    tokenizer: Any = train_mlm_tokenizer(sentences, 500)
    text = tokenize_sentences(tokenizer.backend_tokenizer, sentences)
    tables = []
    for static_start in (True, False):
        torch.manual_seed(1)
        model = new_model(PretrainOptions(**TINY, static_start=static_start), tokenizer, text, QUIET)
        tables.append(model.get_input_embeddings().weight)
    assert not torch.allclose(*tables)


def test_sinusoids_equal_the_papers_formula() -> None:
    table = sinusoids(5, 6)
    for position in range(5):
        for pair in range(3):
            angle = position / 10_000 ** (2 * pair / 6)
            assert table[position, 2 * pair : 2 * pair + 2] == pytest.approx([math.sin(angle), math.cos(angle)], abs=1e-6)


def test_positions_begin_as_sinusoids_and_weights_as_large_as_the_width_asks(sentences: list[str]) -> None:
    tokenizer: Any = train_mlm_tokenizer(sentences, 500)
    text = tokenize_sentences(tokenizer.backend_tokenizer, sentences)
    torch.manual_seed(1)
    model = new_model(PretrainOptions(**TINY), tokenizer, text, QUIET)
    table = model.bert.embeddings.position_embeddings.weight.detach()
    cosines = torch.nn.functional.cosine_similarity(table, torch.from_numpy(sinusoids(*table.shape)))
    torch.testing.assert_close(cosines, torch.ones(len(table)))
    assert float(table.norm(dim=1).mean()) == pytest.approx(0.02 * 768**0.5, rel=1e-3)
    weights = model.bert.encoder.layer[0].intermediate.dense.weight
    assert float(weights.detach().std()) == pytest.approx(0.02 * (768 / 32) ** 0.5, rel=0.1)
    torch.manual_seed(1)
    other = new_model(PretrainOptions(**TINY, sinusoidal_positions=False, initial_deviation=0.02), tokenizer, text, QUIET)
    assert float(other.bert.encoder.layer[0].intermediate.dense.weight.detach().std()) == pytest.approx(0.02, rel=0.1)
    assert not torch.allclose(other.bert.embeddings.position_embeddings.weight, table)


def test_the_folder_is_a_masked_language_model_that_learned(backbone: Path) -> None:
    record = json.loads((backbone / "pretrain.json").read_text("utf-8"))
    losses = [entry["loss"] for entry in record["curves"]["masked-lm"] if "loss" in entry]
    assert len(losses) == 4
    assert losses[-1] < losses[0] - 0.1
    model = load_masked_lm(str(backbone))
    assert model.config.model_type == "bert"
    assert record["parameters"] == sum(parameter.numel() for parameter in model.parameters())
    assert not backbone.with_name("backbone.run").exists()
    card = (backbone / "README.md").read_text("utf-8")
    assert "pipeline_tag: fill-mask" in card
    assert "masked language model of 1 layer, 32 wide" in card


def test_it_is_stored_in_half_precision_unless_asked_otherwise(backbone: Path, corpus: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    single = pretrain(corpus, output=tmp_path / "single", **{**TINY, "stored_precision": "fp32"}).folder
    half, whole = load_file(backbone / "model.safetensors"), load_file(single / "model.safetensors")
    assert {value.dtype for value in half.values()} == {torch.float16}
    assert {value.dtype for value in whole.values()} == {torch.float32}
    assert all(torch.equal(half[name], whole[name].half()) for name in whole)


def test_other_commands_take_it(backbone: Path, corpus: Path, tmp_path: Path) -> None:
    settings = {"training.batch_size": 8, "training.max_steps": 2, "training.precision": "fp32"}
    run = train("simcse-mini", corpus=corpus, output=tmp_path / "run", model=str(backbone), workers=1, **settings)
    assert load_encoder(str(run.model)).get_embedding_dimension() == 32
    again = pretrain(corpus, output=tmp_path / "again", tokenizer=str(backbone), **{**TINY, "max_steps": 1})
    assert load_tokenizer(str(again.folder)).get_vocab() == load_tokenizer(str(backbone)).get_vocab()


def test_a_backbone_is_gone_on_with(tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    settings = {"block_tokens": 16, "batch_size": 4, "max_steps": 2, "learning_rate": 1e-5, "precision": "fp32", "stored_precision": "fp32"}
    made = pretrain(corpus, output=tmp_path / "more", backbone=str(tiny_backbone), **settings)
    before, after = load_masked_lm(str(tiny_backbone)).state_dict(), load_masked_lm(str(made.folder)).state_dict()
    assert before.keys() == after.keys()
    difference = max(float((before[name] - after[name]).abs().max()) for name in before)
    assert 0 < difference < 1e-4
    assert made.record["hidden_size"] == 32


@pytest.mark.parametrize("setting", ["block_tokens", "sentence_tokens"])
def test_rows_that_a_backbone_cannot_read_are_refused_before_the_text_is_read(setting: str, corpus: Path, tmp_path: Path) -> None:
    # RoBERTa's table has two rows before the first position.
    config = RobertaConfig(vocab_size=40, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, max_position_embeddings=66)
    RobertaForMaskedLM(config).save_pretrained(str(tmp_path / "roberta"))
    stages: list[str] = []
    settings = {"backbone": str(tmp_path / "roberta"), "sentence_stage": "retromae", "block_tokens": 64, "sentence_tokens": 64, setting: 65}
    with pytest.raises(UserError, match=rf"{setting} is 65, and .* has 64 positions; give that or less"):
        pretrain(corpus, output=tmp_path / "out", watcher=Watcher(start=lambda stage, total: stages.append(stage)), **settings)
    assert stages == []


class Killed(Exception):
    """Stands in for SIGKILL."""


@pytest.mark.parametrize("step", [2, 6, 12])
def test_a_resumed_pretraining_is_the_same_to_the_last_byte(step: int, backbone: Path, corpus: Path, tmp_path: Path) -> None:
    def advance(done: int, figures: object) -> None:
        if done == step and not figures and stages[-1] == "training":
            raise Killed

    stages: list[str] = []
    watcher = Watcher(start=lambda stage, total: stages.append(stage), advance=advance)
    output = tmp_path / "backbone"
    with pytest.raises(Killed):
        pretrain(corpus, output=output, watcher=watcher, **TINY)
    assert not output.exists()
    resumed = pretrain(corpus, output=output, resume=True, **TINY)
    assert files_of(output) == files_of(backbone)
    assert resumed.record["curves"] == json.loads((backbone / "pretrain.json").read_text("utf-8"))["curves"]
    assert resumed.record["resumed_from_steps"] == [step - step % 4 - (4 if step == 12 else 0)]
    assert not (tmp_path / "backbone.run").exists()


def test_the_time_of_a_resumed_pretraining_counts_from_its_resume(backbone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads((backbone / "pretrain.json").read_text("utf-8"))
    _describe(backbone, record)
    assert " min; model:" in capsys.readouterr().err
    _describe(backbone, {**record, "resumed_from_steps": [4]})
    assert " min since the last resume; model:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("losses", "steps", "said", "in_card"),
    [
        ([6.5, 6.25, 6.0], 12, "12 steps, loss 6.50 -> 6.00;", "12 steps, loss 6.500 in the first ones, 6.000 in the last |"),
        ([6.111], 1, "1 step, mean loss 6.11;", "1 step, mean loss 6.111 |"),
        ([], 2, "2 steps;", "2 steps |"),
    ],
)
def test_a_loss_changes_only_between_two_figures(
    losses: list[float], steps: int, said: str, in_card: str, backbone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = json.loads((backbone / "pretrain.json").read_text("utf-8"))
    curve = [{"step": steps, "loss": loss} for loss in losses]
    record |= {"curves": {"masked-lm": [*curve, {"step": steps, "train_loss": 1.0}]}, "steps": {"masked-lm": steps}}
    _describe(backbone, record)
    assert f"1 layer, 32 wide, {record['vocabulary']:,} tokens, {record['megabytes']} MB; masked-lm {said}" in capsys.readouterr().err
    assert f"| masked-lm | {in_card}\n" in backbone_card(record)


def test_without_resume_a_kept_run_is_not_overwritten(corpus: Path, tmp_path: Path) -> None:
    def advance(done: int, figures: object) -> None:
        if done == 5 and stages[-1] == "training":
            raise Killed

    stages: list[str] = []
    with pytest.raises(Killed):
        pretrain(corpus, output=tmp_path / "b", watcher=Watcher(start=lambda stage, total: stages.append(stage), advance=advance), **TINY)
    with pytest.raises(UserError, match=r"b\.run is not empty; .* --resume"):
        pretrain(corpus, output=tmp_path / "b", **TINY)
    with pytest.raises(UserError, match=r"holds a run with mask_rate = 0.2 \(now 0.3\)"):
        pretrain(corpus, output=tmp_path / "b", resume=True, **{**TINY, "mask_rate": 0.3})


def test_a_finished_one_is_left_as_it_is(backbone: Path, corpus: Path) -> None:
    notes: list[str] = []
    before = (backbone / "pretrain.json").read_bytes()
    pretrain(corpus, output=backbone, resume=True, watcher=Watcher(note=notes.append), **TINY)
    assert (backbone / "pretrain.json").read_bytes() == before
    assert "there is nothing to do" in notes[0]
    with pytest.raises(UserError, match="of another text, other settings or versions"):
        pretrain(corpus, output=backbone, resume=True, **{**TINY, "seed": 1})


SENTENCES: dict[str, Any] = {
    "sentence_stage": "retromae", "sentence_tokens": 16, "sentence_batch_size": 8, "sentence_max_steps": 6, "max_steps": 4,
}  # fmt: skip


@pytest.fixture(scope="module")
def of_sentences(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Path:
    return pretrain(corpus, output=tmp_path_factory.mktemp("sentences") / "backbone", **{**TINY, **SENTENCES}).folder


def test_the_stage_for_sentences_goes_on_from_the_masked_language_model(of_sentences: Path, corpus: Path, tmp_path: Path) -> None:
    record = json.loads((of_sentences / "pretrain.json").read_text("utf-8"))
    assert record["steps"] == {"masked-lm": 4, "retromae": 6}
    assert {"encoder", "decoder"} <= set(record["curves"]["retromae"][0])
    alone = pretrain(corpus, output=tmp_path / "alone", **{**TINY, "max_steps": 4}).folder
    before, after = load_masked_lm(str(alone)).state_dict(), load_masked_lm(str(of_sentences)).state_dict()
    # The same architecture: the decoder is gone.
    assert before.keys() == after.keys()
    assert not any(torch.equal(before[name], after[name]) for name in before if name.endswith("query.weight"))
    curves = [json.loads((folder / "pretrain.json").read_text("utf-8"))["curves"] for folder in (alone, of_sentences)]
    assert curves[0]["masked-lm"][0]["loss"] == curves[1]["masked-lm"][0]["loss"]


@pytest.mark.parametrize("step", [3, 5])
def test_a_stage_for_sentences_is_resumed_without_the_one_before(step: int, of_sentences: Path, corpus: Path, tmp_path: Path) -> None:
    def advance(done: int, figures: object) -> None:
        if done == step and not figures and stages.count("training") == 2:
            raise Killed

    stages: list[str] = []
    watcher = Watcher(start=lambda stage, total: stages.append(stage), advance=advance)
    settings = {**TINY, **SENTENCES, "checkpoint_every_steps": 2}
    with pytest.raises(Killed):
        pretrain(corpus, output=tmp_path / "b", watcher=watcher, **settings)
    stages.clear()
    going_on = Watcher(start=lambda stage, total: stages.append(stage))
    resumed = pretrain(corpus, output=tmp_path / "b", resume=True, watcher=going_on, **settings)
    assert stages == ["training"]
    assert resumed.record["resumed_from_steps"] == [step - 1]
    assert (tmp_path / "b" / "model.safetensors").read_bytes() == (of_sentences / "model.safetensors").read_bytes()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sentence_batch_size": 8}, "set sentence_stage to retromae"),
        ({"sentence_stage": "retromae", "sentence_tokens": 64}, "reads 32 tokens"),
        ({"heads": 3}, "not a multiple of heads"),
        ({"block_tokens": 64}, "reads 32 tokens"),
        ({"layers": 0}, "layers is 0"),
        ({"maskrate": 0.1}, "did you mean mask_rate"),
        ({"backbone": "mini-bert"}, "is of a new model"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        pretrain_options({**TINY, **settings})
