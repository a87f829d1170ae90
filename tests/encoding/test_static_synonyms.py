"""Synonyms of a lexicon, and vectors drawn to them, against loops over all pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import augcse
from augcse.encoding.model import load_encoder
from augcse.encoding.static.progress import Progress
from augcse.encoding.static.synonyms import retrofit, synonym_weights
from augcse.lexicon.base import POS
from augcse.lexicon.open import open_lexicon

WORDS = ["car", "cars", "automobile", "##car", "auto", "river", "[CLS]", "buy", "bought", "purchase", "12"]


def _tie(first: str, second: str) -> float:
    """Sum what the first word's lemmas give the second, the plain way."""
    lexicon, total = open_lexicon(), 0.0
    for pos in POS if first.isalpha() else ():
        for lemma in lexicon.lemmas(first, pos):
            for rank, synset in enumerate(lexicon.synsets(lemma, pos)[:3], start=1):
                total += sum(member.lower() == second and member.lower() != lemma for member in synset.lemmas) / rank
    return total if first != second else 0.0


def test_the_weights_are_those_of_a_loop_over_all_pairs() -> None:
    found = synonym_weights(WORDS, open_lexicon())
    for i, first in enumerate(WORDS):
        for j, second in enumerate(WORDS):
            assert found.get((i, j), 0.0) == pytest.approx(_tie(first, second) + _tie(second, first)), (first, second)


def test_synonyms_are_tied_and_pieces_of_words_are_not() -> None:
    found = synonym_weights(WORDS, open_lexicon())
    tied = {(WORDS[i], WORDS[j]) for i, j in found}
    assert {("car", "automobile"), ("cars", "auto"), ("bought", "purchase"), ("purchase", "buy")} <= tied
    assert not {"##car", "[CLS]", "12", "river"} & {word for pair in tied for word in pair}
    assert all(found[j, i] == weight for (i, j), weight in found.items())
    assert list(found) == sorted(found)


def test_rows_turn_to_their_synonyms_as_in_a_loop() -> None:
    random = np.random.default_rng(3)
    rows = random.standard_normal((9, 4)).astype(np.float32)
    rows[4] = 0.0
    weights = {(i, j): 1.0 + (i + j) % 3 for i in range(8) for j in range(8) if i != j and (i * j + i + j) % 3 == 0}
    lengths = np.linalg.norm(rows, axis=1)
    unit = rows / np.where(lengths, lengths, 1.0)[:, None]
    directions = unit.copy()
    for _ in range(5):
        turned = directions.copy()
        for i in range(9):
            ties = [(j, weight) for (first, j), weight in weights.items() if first == i and lengths[i] and lengths[j]]
            if ties:
                mean = sum(weight * directions[j] for j, weight in ties) / sum(weight for _, weight in ties)
                moved = 0.3 * unit[i] + 0.7 * mean
                turned[i] = moved / np.linalg.norm(moved)
        directions = turned
    np.testing.assert_allclose(retrofit(rows, weights, 0.7), directions * lengths[:, None], atol=1e-5)


@given(
    arrays.arrays(np.float32, (5, 3), elements=st.floats(-4, 4, width=32)),
    st.dictionaries(
        st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda pair: pair[0] != pair[1]), st.floats(0.25, 4), max_size=9
    ),
    st.floats(0, 0.9),
)
def test_lengths_stay_and_who_has_no_synonym_stays(rows: np.ndarray, ties: dict[tuple[int, int], float], share: float) -> None:
    weights = {pair: weight for (i, j), weight in ties.items() for pair in ((i, j), (j, i))}
    drawn = retrofit(rows, weights, share)
    np.testing.assert_allclose(np.linalg.norm(drawn, axis=1), np.linalg.norm(rows, axis=1), rtol=1e-4, atol=1e-5)
    alone = [index for index in range(5) if not any(index in pair for pair in weights)]
    np.testing.assert_array_equal(drawn[alone], rows[alone])
    np.testing.assert_array_equal(retrofit(rows, weights, 0.0), rows)


def test_an_encoder_has_synonyms_nearer_and_says_so(corpus: Path, tmp_path: Path) -> None:
    small = {"backbone": "mini-bert", "contexts": 200, "cooccurrence_dim": 16, "letters_dim": 16}
    plain = augcse.static(corpus, output=tmp_path / "plain", **small)
    drawn = augcse.static(corpus, output=tmp_path / "drawn", synonym_share=0.7, **small)
    cosines = [
        float(np.dot(*(vector / np.linalg.norm(vector) for vector in load_encoder(str(made.folder)).encode(["buy", "purchase"]))))
        for made in (plain, drawn)
    ]
    assert cosines[1] > cosines[0] + 0.1
    assert drawn.record["synonym_pairs"] > 1000
    assert "synonym_pairs" not in plain.record
    assert "Open English WordNet" in (drawn.folder / "README.md").read_text("utf-8")
    assert "WordNet" not in (plain.folder / "README.md").read_text("utf-8")


def test_text_without_english_words_is_said(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    words = [chr(code) for code in range(0x4E00, 0x4E00 + 60)]
    text = tmp_path / "text.txt"
    text.write_text("".join("".join(random.choice(words, 6)) + "\n" for _ in range(2000)), "utf-8")
    warnings: list[str] = []
    settings = {"vocabulary_size": 200, "contexts": 20, "cooccurrence_dim": 8, "letters_dim": 8, "synonym_share": 0.7}
    augcse.static(text, output=tmp_path / "model", progress=Progress(warn=warnings.append), **settings)
    assert any("synonym_share" in warning for warning in warnings)
