"""`augcse.probe`: models side by side, intervals, differences, and what it refuses before any work."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from sentence_transformers import SentenceTransformer
from torch.nn import Identity

import augcse
from augcse.analysis.probe import run
from augcse.analysis.probe.held_out import hold_out
from augcse.analysis.probe.run import Probe
from augcse.encoding.model import load_encoder
from augcse.errors import UserError

SAMPLE = 60


@pytest.fixture(scope="module")
def found(tiny_backbone: Path, corpus: Path) -> Probe:
    return augcse.probe([tiny_backbone, load_encoder(str(tiny_backbone), "cls")], corpus, sample=SAMPLE, resamples=50)


def test_figures_lie_in_their_intervals(found: Probe) -> None:
    for model in found.models:
        for check in ("summary", "mrr", "triples", "next-sentence", "alignment", "uniformity", "anisotropy", "upper-case"):
            figure = model.figures[check, ""]
            assert figure.interval.low <= figure.value <= figure.interval.high
            assert (figure.interval.level, figure.interval.resamples) == (0.95, 50)


def test_a_difference_is_second_minus_first(found: Probe) -> None:
    first, second = found.models
    for key, difference in found.differences.items():
        assert difference.difference == pytest.approx(second.figures[key].value - first.figures[key].value)


def test_a_pair_is_resampled_together(tiny_backbone: Path, corpus: Path) -> None:
    both = augcse.probe([tiny_backbone, tiny_backbone], corpus, sample=SAMPLE, resamples=20)
    differences = both.differences.values()
    assert {(one.difference, one.interval.low, one.interval.high, one.p_value) for one in differences} == {(0.0, 0.0, 0.0, 1.0)}


def test_it_is_the_same_again(found: Probe, tiny_backbone: Path, corpus: Path) -> None:
    again = augcse.probe(tiny_backbone, str(corpus), sample=SAMPLE, resamples=50)
    assert again.models[0].figures == found.models[0].figures
    assert again.differences == {}


def test_every_distinct_text_is_encoded_once_per_model(tiny_backbone: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, rows = load_encoder(str(tiny_backbone)), []
    forward = encoder.forward
    monkeypatch.setattr(encoder, "forward", lambda given, **options: rows.append(len(given["input_ids"])) or forward(given, **options))
    done = augcse.probe(encoder, corpus, sample=SAMPLE, resamples=5)
    assert sum(rows) == len(done.texts.all())


def test_the_document_is_json_and_complete(found: Probe) -> None:
    document = json.loads(json.dumps(found.as_json()))
    assert document["sample"]["sentences"] == SAMPLE
    assert document["sample"]["with_next_sentence"] > 40
    first, second = document["models"]
    assert set(first["checks"]["recall@1"]["by_augmentation"]) == set(document["preserving"])
    assert set(first["checks"]["triples"]["by_augmentation"]) == set(document["altering"])
    value = second["checks"]["summary"]["value"] - first["checks"]["summary"]["value"]
    assert document["differences"]["summary"]["difference"] == pytest.approx(value)
    assert document["left_out"]["BackTranslation"]


def test_blank_lines_end_documents(tiny_backbone: Path, sentences: list[str], tmp_path: Path) -> None:
    (tmp_path / "apart.txt").write_text("\n\n".join(sentences[:SAMPLE]), "utf-8")
    done = augcse.probe(tiny_backbone, tmp_path / "apart.txt", sample=SAMPLE, resamples=5)
    assert done.texts.sample.documents == SAMPLE
    assert ("next-sentence", "") not in done.models[0].figures
    assert ("summary", "") in done.models[0].figures


def test_the_end_of_a_file_is_the_end_of_a_document(tiny_backbone: Path, sentences: list[str], tmp_path: Path) -> None:
    files = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for file, part in zip(files, (sentences[:30], sentences[30:60]), strict=True):
        file.write_text("\n".join(part), "utf-8")
    done = augcse.probe(tiny_backbone, files, sample=SAMPLE, resamples=5)
    assert sum(text is not None for text in done.texts.sample.following) == 58


def test_text_that_no_augmentation_reads_is_checked_without_edits(tiny_backbone: Path, tmp_path: Path) -> None:
    lines = [f"{first}{second}人去了。" for first in "天地玄黄宇宙洪荒" for second in "日月盈昃辰宿列張"]
    (tmp_path / "zh.txt").write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "alone.txt").write_text("\n\n".join(lines) + "\n", "utf-8")
    followed = augcse.probe(tiny_backbone, tmp_path / "zh.txt", sample=SAMPLE, resamples=5, language="zh")
    alone = augcse.probe(tiny_backbone, tmp_path / "alone.txt", sample=SAMPLE, resamples=5, language="zh")
    checks = {check for check, _ in followed.models[0].figures}
    assert {"summary", "next-sentence", "uniformity", "anisotropy"} <= checks
    assert checks.isdisjoint({"recall@1", "mrr", "triples", "alignment"})
    assert math.isnan(alone.models[0].summary)
    with pytest.raises(UserError, match="no augmentation that keeps the meaning changes 20 of the 50 sentences"):
        hold_out(lambda: ["一" * number for number in range(1, 61)], 50, parser="jieba", seed=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sample": 49}, "a sample of 49; give 50 to 5,000"),
        ({"sample": 5001}, "a sample of 5001; give 50 to 5,000"),
        ({"resamples": 0}, "at least 1"),
        ({"pooling": "max"}, "unknown pooling 'max'"),
        (
            {"pooling": "cls", "models": ["mini-bert", SentenceTransformer(modules=[Identity()])]},
            "has its own; leave pooling out",
        ),
        ({"language": "German"}, "language 'German'; give an ISO 639 code"),
        ({"parser": "no_such"}, "no spaCy pipeline 'no_such'"),
        ({"models": []}, "no model named"),
        ({"models": ["./no"]}, "no model folder ./no"),
        ({"corpus": "no.txt"}, "no corpus file no.txt"),
    ],
)
def test_what_is_wrong_is_said_before_a_model_is_loaded(
    options: dict[str, Any], message: str, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augcse.encoding.model.load_encoder", lambda *arguments: pytest.fail("a model was loaded"))
    with pytest.raises(UserError, match=message):
        run.probe(**({"models": "mini-bert", "corpus": corpus} | options))
