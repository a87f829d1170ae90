"""Corpus examination: counts against plain loops, and what a user would be told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from augcse.analysis.doctor import TokenCounts, diagnose, token_counter
from augcse.analysis.near_duplicates import SIGNATURE, near_duplicates, signatures
from augcse.cli.app import app


def _count(sentences: object) -> list[TokenCounts]:
    return [TokenCounts(len(sentence.split()) + 2, 2, sentence.split().count("zzz")) for sentence in sentences]  # type: ignore[attr-defined]


def _diagnose(rows: list[str], **options: int) -> object:
    def read() -> Iterator[str]:
        return iter(rows)

    return diagnose(read, _count, **{"max_len_tokens": 8, "batch_size": 4, **options})


def test_counts_of_a_small_corpus() -> None:
    found = _diagnose(["a b c d", "", "a b c d", "e f g h i j k l", "zzz zzz b d", "cafÃ© au lait", "bad \ufffd one \x01", "\ufeffb d e"])
    assert (found.rows, found.blank, found.sentences) == (8, 1, 7)
    assert found.duplicates["count"] == 1
    assert found.duplicates["examples"] == [{"first": "a b c d", "again": "a b c d"}]
    assert found.encoding == {"undecodable_bytes": 1, "control_characters": 1, "byte_order_marks": 1, "mojibake": 1}
    assert [(example["trouble"], example["row"]) for example in found.encoding_examples] == [
        ("undecodable_bytes", 7), ("control_characters", 7), ("byte_order_marks", 8), ("mojibake", 6)
    ]  # fmt: skip
    assert found.tokens["truncated_share"] == pytest.approx(1 / 7, abs=1e-4)
    assert found.tokens["unknown_share"] == pytest.approx(2 / 30, abs=1e-4)
    assert any("repeat an earlier one" in line for line in found.advice)
    assert any("encoding trouble" in line for line in found.advice)


def test_the_first_rows_of_a_trouble_are_named_across_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.analysis.doctor._CHUNK_ROWS", 3)
    rows = [f"row {number} {'cafÃ©' if number % 2 else ''}" for number in range(1, 21)]
    found = _diagnose(["", *rows])
    assert found.encoding["mojibake"] == 10
    assert [(example["row"], example["text"]) for example in found.encoding_examples] == [(n + 1, rows[n - 1]) for n in (1, 3, 5, 7, 9)]


def test_a_clean_corpus_gets_no_advice(sentences: list[str]) -> None:
    assert _diagnose(sentences[:300], max_len_tokens=64).advice == []


@pytest.mark.parametrize(("rows", "batch_size", "said"), [(99, 4, True), (100, 4, False), (100, 128, True)])
def test_a_corpus_that_is_too_small_is_said(rows: int, batch_size: int, said: bool, sentences: list[str]) -> None:
    distinct = list(dict.fromkeys(sentences))[:rows]
    advice = _diagnose([*distinct, distinct[0]], max_len_tokens=64, batch_size=batch_size).advice
    assert [f"{rows} sentences that differ" in line for line in advice].count(True) == said


@pytest.mark.parametrize("content", [b"Only one line here.\n", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"], ids=["one sentence", "binary"])
def test_what_training_refuses_is_worth_a_worry(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_bytes(content)
    assert "nothing to worry about" not in CliRunner().invoke(app, ["doctor", str(tmp_path / "c.txt")]).stderr


@given(st.lists(st.sampled_from(["a b", "c d", "e f", "g h i", "j"]), min_size=2, max_size=30))
def test_repeats_and_the_batch_share_agree_with_plain_counting(rows: list[str]) -> None:
    found = _diagnose(rows)
    assert found.duplicates["count"] == len(rows) - len(set(rows))
    equal = sum(rows[i] == rows[j] for i in range(len(rows)) for j in range(len(rows)) if i != j) / (len(rows) * (len(rows) - 1))
    assert found.duplicates["batches_with_repeat"] == pytest.approx(1 - np.exp(-equal * 4 * 3 / 2), abs=1e-4)


def test_a_signature_agrees_as_often_as_the_sets_overlap() -> None:
    words = [f"w{n}" for n in range(400)]
    left, right = " ".join(words[:300]), " ".join(words[100:])
    pairs = [set(zip(words[a:b], words[a + 1 : b], strict=False)) for a, b in ((0, 300), (100, 400))]
    jaccard = len(pairs[0] & pairs[1]) / len(pairs[0] | pairs[1])
    found = signatures([left, right])
    assert (found[0] == found[1]).mean() == pytest.approx(jaccard, abs=3 * (jaccard * (1 - jaccard) / SIGNATURE) ** 0.5)


def test_near_repeats_are_found_and_different_sentences_are_not(sentences: list[str]) -> None:
    long = [sentence for sentence in sentences if len(sentence.split()) >= 10][:60]
    edited = [sentence + " Indeed" for sentence in long]
    pairs = near_duplicates(signatures(long + edited))
    assert all(row - len(long) == earlier for row, earlier in pairs)
    assert len(pairs) >= 0.9 * len(long)


@pytest.mark.parametrize(
    ("sentence", "near", "other"),
    [
        (
            "当他们走近战士的院子时，乔恩在三条街的广场上拦住了他们。",
            "当他们走近骑士的院子时，乔恩在三条街的广场上拦住了他们！",
            "女子撑竿跳高距离田径场不到七十五英里。",
        ),
        ("วันนี้แมวสวยไปตลาดกับเขา", "วันนี้แมวสวยไปตลาดกับเขา!", "ฝนตกหนักที่โรงเรียนพรุ่งนี้"),
        ("ཁྱི་ཆེན་པོ་ལམ་ཁར་རྒྱུགས་སོང་།", "ཁྱི་ཆེན་པོ་ལམ་ཁར་རྒྱུགས་སོང་༑", "དེ་རིང་ང་ཁྲོམ་ལ་མ་འགྲོ་བས་ཁྱིམ་དུ་སྡོད།"),
    ],
)
def test_near_repeats_are_found_where_no_blanks_part_words(sentence: str, near: str, other: str) -> None:
    assert near_duplicates(signatures([sentence, other, near])) == [(2, 0)]


def test_the_command_prints_one_document(corpus: Path) -> None:
    result = CliRunner().invoke(app, ["doctor", str(corpus), "--json"])
    document = json.loads(result.stdout)
    assert result.exit_code == 0
    assert document["rows"] == document["sentences"] == 400
    assert document["tokens"]["unknown_share"] < 0.01
    plain = CliRunner().invoke(app, ["doctor", str(corpus)])
    assert "cut at 32 tokens" in plain.stdout


def test_text_of_another_script_is_unknown_throughout() -> None:
    [counts] = token_counter("mini-bert")(["去去"])
    assert counts == (4, 2, 2)


def test_trouble_is_named_by_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n\nTwo.\n", "utf-8")
    (tmp_path / "b.csv").write_text('id,text\n1,"One\nis here."\n2,cafÃ©\n', "utf-8")
    command = ["doctor", str(tmp_path / "a.txt"), str(tmp_path / "b.csv")]
    assert f"mojibake, {tmp_path / 'b.csv'}, line 4: 'cafÃ©'" in CliRunner().invoke(app, command).stderr
    [example] = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)["encoding_examples"]
    assert example == {"trouble": "mojibake", "row": 5, "text": "cafÃ©", "where": f"{tmp_path / 'b.csv'}, line 4"}


def test_trouble_in_standard_input_is_named_as_such() -> None:
    assert "mojibake, standard input, line 2: 'cafÃ©'" in CliRunner().invoke(app, ["doctor", "-"], input="One.\ncafÃ©\n").stderr


def test_an_empty_corpus_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("\n\n", "utf-8")
    result = CliRunner().invoke(app, ["doctor", str(tmp_path / "c.txt")])
    assert "no sentence in it" in str(result.exception)
