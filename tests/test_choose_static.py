"""The script that chooses the static settings: what it tries is what the package computes, and a stopped one goes on."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import numpy as np
import pytest

import choose_static
from augcse.encoding.static.factors import token_factors
from static_choice.rows import mutual_information, singular_vectors
from static_choice.sentences import whitening

SMALL = ["corpus=tiny", "whiten_on=tiny", "contexts=50", "dim=8", "draw=prefix"]


@pytest.fixture
def data(tmp_path: Path, sentences: list[str]) -> Path:
    folder = tmp_path / "data"
    (folder / "corpora").mkdir(parents=True)
    with lzma.open(folder / "corpora" / "tiny.txt.xz", "wt", encoding="utf-8") as file:
        file.writelines(f"{sentence}\n" for sentence in sentences)
    (folder / "sts" / "STSB").mkdir(parents=True)
    pairs = zip(sentences[0:40:2], sentences[1:40:2], strict=True)
    lines = [f"{index % 5}.0\t{first}\t{second}\n" for index, (first, second) in enumerate(pairs)]
    (folder / "sts" / "STSB" / "dev.tsv").write_text("".join(lines), "utf-8")
    return folder


def test_tries_are_logged_once(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log.jsonl"
    command = ["choose_static", "--data", str(data), "--cache", str(tmp_path / "cache"), "--log", str(log)]
    monkeypatch.setattr("sys.argv", [*command, "--set", *SMALL, "--set", *SMALL, "a=0.01"])
    choose_static.main()
    logged = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [trial["settings"]["a"] for trial in logged] == [choose_static.START["a"], 0.01]
    assert logged[0]["stock"] != logged[1]["stock"]
    assert all(-100 <= score <= 100 for trial in logged for score in (*trial["stock"], *trial["once"]))
    choose_static.main()
    assert len(log.read_text("utf-8").splitlines()) == 2


def test_its_factors_are_those_of_the_package() -> None:
    table = np.random.default_rng(0).poisson(np.outer(np.arange(1, 61), 1 / np.arange(1, 41))).astype(np.float32)
    exact = token_factors(table.astype(np.uint32), 5, value_exponent=0.5)
    left, values = singular_vectors(mutual_information(table.copy(), 1.0, 0.0), 5)
    np.testing.assert_allclose(np.abs(left * np.sqrt(values)), np.abs(exact), atol=1e-3)


def test_whitening_to_the_power_of_a_half_makes_the_covariance_one() -> None:
    embeddings = np.random.default_rng(0).standard_normal((200, 4)) * [1, 2, 3, 4]
    mean, transform = whitening(embeddings, 0.5, 0.0)
    np.testing.assert_allclose(np.cov(((embeddings - mean) @ transform).T, bias=True), np.eye(4), atol=1e-5)
    _, turned = whitening(embeddings, 0.0, 0.0)
    np.testing.assert_allclose(turned @ turned.T, np.eye(4) * (turned[0] @ turned[0]), atol=1e-5)
