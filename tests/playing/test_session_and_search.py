"""What the page computes: embeddings once per sentence, exact search, cosines, every augmentation of a sentence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from letters import Letters, cosine, session

from augcse.augmentations.base import AUGMENTATIONS
from augcse.augmentations.run.apply import augment
from augcse.errors import UserError
from augcse.playing import session as session_module
from augcse.playing.augmented import augment_all, offline_names
from augcse.playing.search import largest, search
from augcse.playing.session import encode_corpus
from augcse.playing.similarities import MAX_SENTENCES, similarities, split_sentences

CORPUS = ["a cab", "bbb", "cab", "accca", "none: xyz", "baa"]


def test_a_corpus_is_encoded_in_pieces_each_sentence_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "_CHUNK_SENTENCES", 4)
    model, done = Letters("abc"), []
    vectors = encode_corpus(model, CORPUS, 2, done.append)  # type: ignore[arg-type] # all that it needs of a model
    assert done == [4, 2]
    assert model.encoded == CORPUS
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1).round(6).tolist() == [1, 1, 1, 1, 0, 1]


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, -1.0]), min_size=1), st.integers(1, 12))
def test_the_largest_values_come_first_and_of_equals_the_earlier_one(values: list[float], k: int) -> None:
    assert largest(np.array(values), k) == sorted(range(len(values)), key=lambda row: (-values[row], row))[:k]


@pytest.mark.parametrize("k", [1, 3, 99])
def test_search_agrees_with_a_loop_over_the_corpus(k: int) -> None:
    found = search(session(CORPUS, abc="abc", ax="ax"), "cab", k)
    assert list(found) == ["abc", "ax"]
    for letters, near in found.items():
        ranked = sorted(CORPUS, key=lambda text: -round(cosine(letters, "cab", text), 6))[:k]
        assert [one.sentence for one in near] == ranked
        assert [one.cosine for one in near] == pytest.approx([cosine(letters, "cab", text) for text in ranked], abs=1e-6)


def test_similarities_agree_with_a_loop_over_pairs() -> None:
    found = similarities(session(abc="abc", ax="ax"), CORPUS)
    for letters, cosines in found.items():
        assert cosines == pytest.approx(np.array([[cosine(letters, one, other) for other in CORPUS] for one in CORPUS]), abs=1e-6)


def test_lines_are_sentences_and_blank_ones_are_none() -> None:
    assert split_sentences(" one \n\n\ttwo\r\n") == ["one", "two"]


@pytest.mark.parametrize("text", ["", "one", "one\n" * (MAX_SENTENCES + 1)], ids=["none", "one", "many"])
def test_a_matrix_needs_two_sentences_and_not_too_many(text: str) -> None:
    with pytest.raises(UserError, match=f"give 2 to {MAX_SENTENCES} sentences, one per line; here are {len(text.split())}"):
        split_sentences(text)


def test_every_augmentation_without_a_download_is_there() -> None:
    downloads = {member.name for member in AUGMENTATIONS if "seq2seq" in member.needs}
    assert set(offline_names()) == set(AUGMENTATIONS.names()) - downloads
    assert downloads


def test_a_sentence_is_augmented_as_by_the_function_and_compared_with_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["ContractionExpansions", "NumericToWord", "RandomSwap", "ColorTransformation", "SpellingVariants"]
    monkeypatch.setattr("augcse.playing.augmented.offline_names", lambda: names)
    sentence = "She didn't buy 3 old cabs because of the cat."
    found = augment_all(session(abc="abc", ot="ot"), sentence, seed=7)
    assert sorted(one.name for one in found) == sorted(names)
    for one in found:
        assert one.text == augment([sentence], one.name, seed=7)[0]
        expected = [] if one.text is None else [cosine(letters, sentence, one.text) for letters in ("abc", "ot")]
        assert list(one.cosines) == pytest.approx(expected, abs=1e-6)
    changed = [one for one in found if one.text is not None]
    assert found[: len(changed)] == changed
    first = [one.cosines[0] for one in changed]
    assert first == sorted(first, reverse=True)


def test_what_does_not_apply_says_what_was_left_alone_and_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.playing.augmented.offline_names", lambda: ["FactiveVerbTransformation", "NumericToWord"])
    found = {one.name: one for one in augment_all(session(), "Is it?")}
    assert found["NumericToWord"].why.startswith("needs a text with a number")
    assert found["FactiveVerbTransformation"].why.startswith("left alone: question, exclamation or request; needs a text with a statement")
    assert all(one.text is None and one.cosines == () for one in found.values())


def test_a_sentence_that_nothing_changes_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.playing.augmented.offline_names", lambda: ["NumericToWord"])
    [one] = augment_all(session(), "Yes.")
    assert one.text is None
