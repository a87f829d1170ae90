"""English word forms: golden look-ups, the same answers as LemmInflect, look-ups in a sorted file."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from augcse.errors import UserError
from augcse.lexicon.sorted_lines import SortedLines
from augcse.lexicon.word_forms import word_forms
from augcse.resources import WORD_FORMS

TAGS = "NN NNS NNP NNPS VB VBP VBZ VBD VBN VBG MD JJ JJR JJS RB RBR RBS RP CD".split()
PARTS_OF_SPEECH = "NOUN PROPN VERB ADJ ADV AUX".split()


@pytest.mark.parametrize(
    ("lemma", "tag", "forms"),
    [
        ("go", "VBD", ("went",)),
        ("Be", "VBD", ("Was", "Were")),
        ("CITY", "NNS", ("CITIES",)),
        ("Adams", "NNP", ("Adams",)),
        ("kinda", "JJR", ("kindaer",)),  # by rule
        ("blorf", "VBG", ("blorfing",)),
        ("snarg", "VBD", ("snarged",)),
        ("plit", "VBD", ("plitted",)),
        ("zyglosis", "NNS", ("zygloses",)),
        ("the", "DT", ()),
        ("", "NNS", ()),
    ],
)
def test_inflections(lemma: str, tag: str, forms: tuple[str, ...]) -> None:
    assert word_forms().inflections(lemma, tag) == forms


@pytest.mark.parametrize(
    ("word", "upos", "lemmas"),
    [
        ("mice", "NOUN", ("mouse",)),
        ("Found", "VERB", ("Find", "Found")),
        ("blorfing", "VERB", ("blorf",)),
        ("itself", "NOUN", ("itself",)),
        ("quickly", "ADP", ()),
    ],
)
def test_lemmas(word: str, upos: str, lemmas: tuple[str, ...]) -> None:
    assert word_forms().lemmas(word, upos) == lemmas


@pytest.mark.parametrize(("word", "listed"), [("houses", True), ("Houses", True), ("blorf", False), ("a\tb", False), ("", False)])
def test_listed_words(word: str, listed: bool) -> None:
    assert word_forms().is_listed(word) is listed


def test_same_answers_as_lemminflect() -> None:
    """1,500 listed words and as many with a letter exchanged, in small and capital letters, every tag and part of speech."""
    lemminflect = pytest.importorskip("lemminflect", reason="LemmInflect is not installed (augcse[dev])")
    draw = Random(1)
    listed = [line.split("\t")[0] for line in (WORD_FORMS / "lemmas.tsv").read_text("utf-8").splitlines()]
    words = draw.sample(listed, 1500)
    unlisted = [word[:index] + draw.choice("aeiouystrnlé-") + word[index + 1 :] for word in words for index in [draw.randrange(len(word))]]
    ours = word_forms()
    for word in [*words, *unlisted]:
        tag, upos = draw.choice(TAGS), draw.choice(PARTS_OF_SPEECH)
        for spelling in (word, word.lower(), word.capitalize()):
            assert ours.inflections(spelling, tag) == tuple(lemminflect.getInflection(spelling, tag)), (spelling, tag)
            assert ours.lemmas(spelling, upos) == tuple(lemminflect.getLemma(spelling, upos)), (spelling, upos)


def test_every_line_of_a_sorted_file_is_found(tmp_path: Path) -> None:
    keys = sorted((f"{'k' * (number % 7)}{number}é" for number in range(50)), key=str.encode)
    path = tmp_path / "table.tsv"
    path.write_text("".join(f"{key}\t{key.upper()}\tlast\n" for key in keys), "utf-8")
    table = SortedLines(path)
    assert [table.find(key) for key in keys] == [[key.upper(), "last"] for key in keys]
    assert [table.find(f"{key}x") for key in ("", "zz", *keys)] == [None] * 52


def test_a_missing_table_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*absent\.tsv: .*; install augcse again"):
        SortedLines(tmp_path / "absent.tsv")
