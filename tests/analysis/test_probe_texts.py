"""The texts of the checks without labels: the sample, the size of an edit, the edits and their triples."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.analysis.probe.edits import FEWEST_EDITS, make_edits, make_triples
from augcse.analysis.probe.surface import edit_distance, tokens
from augcse.analysis.probe.texts import prepare
from augcse.analysis.sample import draw_sample
from augcse.augmentations.base import AUGMENTATIONS
from augcse.augmentations.run.apply import augment
from augcse.errors import UserError

LINES = [f"Sentence number {number} of the corpus." for number in range(400)]


def test_neither_order_nor_repeats_change_what_is_drawn() -> None:
    mixed = [*LINES, *LINES[:50]]
    random.Random(1).shuffle(mixed)
    assert draw_sample(LINES, 80).sentences == draw_sample(mixed, 80).sentences


def test_a_larger_sample_holds_the_smaller_and_another_seed_draws_others() -> None:
    small = set(draw_sample(LINES, 60).sentences)
    assert small < set(draw_sample(LINES, 100).sentences)
    assert small != set(draw_sample(LINES, 60, seed=1).sentences)


def test_a_small_corpus_is_taken_whole() -> None:
    sample = draw_sample([*LINES[:70], *LINES[:5]], 1000)
    assert (sorted(sample.sentences), sample.of_sentences) == (sorted(LINES[:70]), 75)


@given(st.lists(st.integers(-1, 120), min_size=150, max_size=300), st.integers(50, 70))
def test_what_follows_is_the_next_line_of_the_document(numbers: list[int], size: int) -> None:
    lines = ["" if number < 0 else f"line {number}" for number in numbers]
    expected: dict[str, str] = {}
    for line, after in itertools.pairwise(lines):
        if line and after and line != after and line not in expected:
            expected[line] = after
    if len(set(lines) - {""}) < 50:
        return
    sample = draw_sample(lines, size)
    found = dict(zip(sample.sentences, sample.following, strict=True))
    # What was put out of the sample and never came back has no next line to remember.
    assert found == {line: expected.get(line) for line in sample.sentences}


def test_other_edits_of_the_same_sentences_are_other_texts(sentences: list[str]) -> None:
    sample = draw_sample(sentences, 60)
    first, same, other = (prepare(sample, seed=seed).digest() for seed in (0, 0, 1))
    assert first == same != other


def test_documents_are_counted() -> None:
    assert draw_sample(["", *LINES[:30], "", "", *LINES[30:60], ""], 100).documents == 2


def test_too_few_sentences_are_refused() -> None:
    with pytest.raises(UserError, match="49 distinct sentences; 50 or more"):
        draw_sample([*LINES[:49], *LINES[:49]], 100)


def naive_distance(first: Sequence[str], second: Sequence[str]) -> int:
    if not first or not second:
        return len(first) + len(second)
    if first[0] == second[0]:
        return naive_distance(first[1:], second[1:])
    rest = (naive_distance(first[1:], second), naive_distance(first, second[1:]), naive_distance(first[1:], second[1:]))
    return 1 + min(rest)


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_edit_distance_is_the_recursion(first: str, second: str) -> None:
    assert edit_distance(first, second) == naive_distance(first, second) == edit_distance(second, first)


@given(st.text("abc", max_size=6), st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_edit_distance_is_a_metric(first: str, second: str, third: str) -> None:
    assert edit_distance(first, third) <= edit_distance(first, second) + edit_distance(second, third)
    assert (edit_distance(first, second) == 0) == (first == second)


@pytest.fixture(scope="module")
def sample_texts(sentences: list[str]) -> list[str]:
    return list(dict.fromkeys(sentences))[:120]


def test_the_cards_decide_what_keeps_and_what_changes_the_meaning(sample_texts: list[str]) -> None:
    edits = make_edits(sample_texts)
    meanings = {name: AUGMENTATIONS.get(name).meaning for name in [*edits.preserving, *edits.altering, *edits.left_out]}
    assert {meanings[name] for name in edits.preserving} == {"highly_preserving"}
    assert {meanings[name] for name in edits.altering} == {"alteration"}
    known = {member.name for member in AUGMENTATIONS if member.meaning != "possible_alteration"}
    assert set(meanings) == known
    assert "SentenceNegation" in edits.altering
    assert edits.left_out["BackTranslation"] == "runs a model of its own"


def test_an_edit_is_what_augment_gives_for_the_sentence_alone(sample_texts: list[str]) -> None:
    edits = make_edits(sample_texts)
    # SentenceNegation draws nothing.
    assert edits.altering["SentenceNegation"] == augment(sample_texts, "SentenceNegation")


def test_an_edit_depends_on_its_sentence_and_not_on_the_others(sample_texts: list[str]) -> None:
    some, all_of_them = make_edits(sample_texts[:80]), make_edits(sample_texts)
    assert some.preserving["WordRepetition"] == all_of_them.preserving["WordRepetition"][:80]


def test_in_another_language_only_what_reads_it_is_left(sample_texts: list[str]) -> None:
    edits = make_edits(sample_texts, language="de")
    assert list(edits.preserving) == ["WordRepetition"]
    assert set(edits.altering) == {"UNA", "UniformReplacement"}
    assert edits.left_out["SentenceNegation"] == "works on en; the text is de"


def test_text_that_nothing_changes_has_no_edits() -> None:
    edits = make_edits([f"{'一' * number}。" for number in range(1, 61)], language="zh")
    assert edits.preserving == edits.altering == {}
    assert edits.left_out["WordRepetition"].startswith("works on en and languages with spaces between words")


def test_a_triple_takes_the_preserving_edit_nearest_in_size(sample_texts: list[str]) -> None:
    edits = make_edits(sample_texts)
    triples = make_triples(sample_texts, edits)["SentenceNegation"]
    assert len(triples.rows) >= FEWEST_EDITS
    for row, kept, altered in zip(triples.rows, triples.preserving, triples.altering, strict=True):
        words = tokens(sample_texts[row])
        size = edit_distance(words, tokens(altered))
        others = [edit_distance(words, tokens(column[row] or "")) for column in edits.preserving.values() if column[row]]
        assert altered == edits.altering["SentenceNegation"][row]
        assert any(column[row] == kept for column in edits.preserving.values())
        assert abs(edit_distance(words, tokens(kept)) - size) == min(abs(other - size) for other in others)


def test_every_text_of_the_checks_is_listed_once(sentences: list[str]) -> None:
    texts = prepare(draw_sample(sentences, 100))
    listed = texts.all()
    assert len(set(listed)) == len(listed)
    needed = [text for triples in texts.triples.values() for text in [*triples.preserving, *triples.altering]]
    needed += [*texts.sample.sentences, *filter(None, texts.sample.following), *(text.upper() for text in texts.sample.sentences)]
    assert set(needed) <= set(listed)


def test_thinned_texts_are_of_the_first_sentences_and_no_edit_counts_too_often(sentences: list[str]) -> None:
    whole = prepare(draw_sample(sentences, 200))
    thinned = whole.thinned(100, 12)
    assert thinned.sample.sentences == whole.sample.sentences[:100]
    assert len(thinned.sample.following) == len(thinned.lengths_tokens) == 100
    for name, column in whole.edits.preserving.items():
        given, kept = [row for row, text in enumerate(column[:100]) if text], thinned.edits.preserving.get(name, [None] * 100)
        assert [row for row, text in enumerate(kept) if text] == [given[i * len(given) // 12] for i in range(12)] or len(given) <= 12
        assert sum(text is not None for text in kept) == min(len(given), 12)
        assert all(text is None or text == column[row] for row, text in enumerate(kept))
    for name, triples in whole.triples.items():
        found = thinned.triples[name]
        assert len(found.rows) == len(found.preserving) == len(found.altering) == min(12, int((triples.rows < 100).sum()))
        pairs = list(zip(triples.rows, triples.preserving, triples.altering, strict=True))
        assert set(zip(found.rows, found.preserving, found.altering, strict=True)) <= set(pairs)


def test_the_summary_needs_no_text_that_is_not_in_all(sentences: list[str]) -> None:
    whole = prepare(draw_sample(sentences, 120))
    assert set(whole.of_summary()) < set(whole.all())
    assert len(set(whole.of_summary())) == len(whole.of_summary())
