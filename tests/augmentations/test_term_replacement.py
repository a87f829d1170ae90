from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse import augment
from augcse.augmentations.base import Rule, row_stream
from augcse.augmentations.rules.corpus.term_replacement import rule as tfidf
from augcse.augmentations.rules.corpus.term_replacement.batch import TermBatch
from augcse.augmentations.rules.corpus.term_replacement.rule import BATCH_ROWS
from augcse.augmentations.rules.corpus.term_replacement.statistics import TermStatistics
from augcse.augmentations.rules.corpus.term_replacement.terms import is_word, split_terms, term_texts
from augcse.errors import UserError

CORPUS = [
    "the cat sat on the mat .",
    "the dog ran to the old house .",
    "a bird sang in the tree !",
    "the mat was red , the house blue .",
    "one bird and one dog slept .",
    "rain fell on the tree .",
]
STATISTICS = TermStatistics.fit(CORPUS)
WORDS = sorted({term for sentence in CORPUS for term in sentence.split() if is_word(term)})


def _one(rule: Rule) -> Callable[..., str | None]:
    """The rule on one sentence."""
    return lambda sentence, rng, statistics, **options: rule([sentence], [rng], statistics, **options)[0]


una, tfidf_replacement, uniform_replacement = map(_one, (tfidf.una, tfidf.tfidf_replacement, tfidf.uniform_replacement))
RULES = (una, tfidf_replacement, uniform_replacement)
SENTENCES = st.lists(st.sampled_from([*WORDS, "Unseen", "UFO", ",", ".", '"', "(", "(the)", "Anna's"]), max_size=12).map(" ".join)
SEEDS = st.integers(0, 10_000)


def _eq_3_and_4(weights: list[float], beta: float) -> list[float]:
    mean = sum(weight - min(weights) for weight in weights) / len(weights)
    return [min(beta * (weight - min(weights)) / mean, 1.0) for weight in weights]


def _weighed(*sentences: list[float]) -> TermBatch:
    """A batch of sentences "a a a ..." with these weights."""
    batch = TermBatch([split_terms("a " * len(weights)) for weights in sentences], [Random(0)] * len(sentences), STATISTICS)
    batch.weights = np.array([weight for weights in sentences for weight in weights])
    return batch


WEIGHTS = st.lists(st.floats(0, 5), min_size=2, max_size=10).filter(lambda values: max(values) - min(values) > 0.01)


@given(WEIGHTS, WEIGHTS, st.floats(0, 1))
def test_probabilities_are_those_of_the_paper(first: list[float], second: list[float], beta: float) -> None:
    expected = []
    for weights in (first, second):
        shares = _eq_3_and_4(weights, beta)
        shares[weights.index(max(weights))] = 1.0
        expected += shares
    found = _weighed(first, second).telling(beta, np.ones(len(expected), dtype=bool))
    assert np.minimum(found, 1.0).tolist() == pytest.approx(expected, abs=1e-9)


def test_the_greatest_allowed_term_is_always_replaced_and_marks_never() -> None:
    assert _weighed([0.1, 0.9, 0.5]).telling(0.0, np.array([True, False, True])).tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("weights", [[0.3], [0.3, 0.3, 0.3]])
def test_equal_weights_give_no_probabilities(weights: list[float]) -> None:
    batch = _weighed(weights, [1.0, 2.0])
    assert not batch.telling(0.5, np.ones(len(batch.texts), dtype=bool))[: len(weights)].any()
    assert not batch.little(0.5)[: len(weights)].any()


def test_uda_turns_the_weights_round() -> None:
    batch = _weighed([0.0, 1.0, 2.0, 1.0])
    batch.words[3] = False
    assert batch.little(0.3).tolist() == pytest.approx([0.6, 0.3, 0.0, 0.0])


def test_draws_follow_the_scores_in_the_window() -> None:
    """One word of one sentence, 20,000 draws, against the brute-force shares (a chi-square test with a fixed seed)."""
    rank, radius, trials = STATISTICS._ranks["bird"], 3, 20_000
    allowed = {
        STATISTICS.term(other): STATISTICS.scores[other]
        for other in range(max(0, rank - radius), min(len(STATISTICS), rank + radius + 1))
        if other != rank and is_word(STATISTICS.term(other))
    }
    counts = Counter(una("bird", Random(seed), STATISTICS, radius=radius) for seed in range(trials))
    assert set(counts) == set(allowed)
    total = sum(allowed.values())
    statistic = sum((counts[term] - trials * score / total) ** 2 / (trials * score / total) for term, score in allowed.items())
    assert statistic < 25  # 5 degrees of freedom: p = 0.0001


def test_shares_of_replacement_follow_eq_3() -> None:
    sentence = "the dog ran to the old house ."
    weights = TermBatch([split_terms(sentence)], [Random(0)], STATISTICS).weights.tolist()
    expected = _eq_3_and_4(weights, 0.5)
    expected[weights.index(max(weights))] = 1.0
    trials = 4000
    counts: Counter[int] = Counter()
    for seed in range(trials):
        counts.update(
            place for place, term in enumerate(una(sentence, Random(seed), STATISTICS).split()) if term != sentence.split()[place]
        )
    for place, term in enumerate(sentence.split()):
        assert counts[place] / trials == pytest.approx(expected[place] if is_word(term) else 0.0, abs=0.04)


@given(SENTENCES, SEEDS)
def test_una_changes_words_alone_and_at_least_one(sentence: str, seed: int) -> None:
    new = una(sentence, Random(seed), STATISTICS)
    old_pieces = split_terms(sentence)
    if not any(map(is_word, old_pieces[1::2])):
        assert new is None
        return
    # Terms of the corpus hold no blank and no mark, so that the terms of both sentences stand side by side.
    new_pieces = split_terms(new)
    assert new_pieces[::2] == old_pieces[::2]
    changed = [old for old, other in zip(old_pieces[1::2], new_pieces[1::2], strict=True) if old.lower() != other.lower()]
    assert changed
    assert all(map(is_word, changed))


@pytest.mark.parametrize("rule", RULES)
@given(SENTENCES, SEEDS)
def test_replacements_are_words_of_the_corpus(rule: Rule, sentence: str, seed: int) -> None:
    new = rule(sentence, Random(seed), STATISTICS) or ""
    assert set(term_texts(new)) <= {*term_texts(sentence), *WORDS, "a", "an"}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("sentence", ["", "  ", "... !?", "🙂 🙂"])
def test_no_words_is_none(rule: Rule, sentence: str) -> None:
    assert rule(sentence, Random(0), STATISTICS) is None


@pytest.mark.parametrize("rule", RULES)
def test_a_corpus_without_words_is_none(rule: Rule) -> None:
    for corpus in ([], ["... !", "?"], ["cat"]):
        assert rule("cat cat cat", Random(0), TermStatistics.fit(corpus)) in (None, "cat cat cat")


def test_one_word_and_equal_words_get_one_replacement() -> None:
    for sentence in ("cat", "Cat Cat", "unseen words here"):
        for seed in range(20):
            new = una(sentence, Random(seed), STATISTICS)
            assert sum(old != other for old, other in zip(sentence.split(), new.split(), strict=True)) == 1


def test_a_corpus_where_every_term_is_everywhere_is_drawn_from_uniformly() -> None:
    statistics = TermStatistics.fit(["a b c", "c b a"])
    counts = Counter(una("a", Random(seed), statistics) for seed in range(2000))
    assert set(counts) == {"b", "c"}
    assert 900 < counts["b"] < 1100


def _word(number: int) -> str:
    return "w" + "".join("abcdefghij"[int(digit)] for digit in str(number))


@pytest.mark.parametrize("rule", [una, uniform_replacement])
def test_what_a_dot_or_sign_belongs_to_stays(rule: Rule) -> None:
    statistics = TermStatistics.fit(["one two three four five", "six seven eight nine ten"])
    for seed in range(60):
        new = rule("Jr., paid $7 at St. Louis for 5% of it.", Random(seed), statistics)
        assert new is None or re.fullmatch(r"Jr\., \w+ \$7 \w+ St\. \w+ \w+ 5% \w+ \w+\.", new)


def test_codes_and_file_names_are_never_drawn() -> None:
    statistics = TermStatistics.fit(["a_b index.html b52 x4 cat", "c_d main.py r2d2 dog"])
    new = {uniform_replacement("mouse and mice", Random(seed), statistics, rate=1.0) for seed in range(60)}
    assert {word for text in new if text for word in text.split()} == {"cat", "dog"}


@pytest.mark.parametrize("rule", RULES)
def test_words_with_vowel_signs_are_replaced_whole(rule: Rule) -> None:
    corpus = ["मैं किताब पढ़ता हूँ", "वह किताब पीती थी", "हम गाँव में रहते हैं"]
    known = {word for sentence in corpus for word in sentence.split()}
    new = [rule(corpus[0], Random(seed), TermStatistics.fit(corpus)) for seed in range(40)]
    assert any(new)
    assert all(text is None or (len(text.split()) == 4 and set(text.split()) <= known) for text in new)


def test_unknown_words_are_drawn_for_by_their_weight() -> None:
    statistics = TermStatistics.fit([" ".join(map(_word, range(start, start + 30))) for start in range(0, 3000, 30)])
    new = {una("stranger", Random(seed), statistics, radius=3) for seed in range(60)}
    assert new <= {statistics.term(rank) for rank in range(4)}  # alone in its sentence it weighs more than any of the corpus


def test_exclude_self_off_may_draw_the_word_itself() -> None:
    drawn = [una("bird", Random(seed), STATISTICS, radius=1, exclude_self=False) for seed in range(60)]
    assert "bird" in drawn
    assert "bird" not in [una("bird", Random(seed), STATISTICS, radius=1) for seed in range(60)]


def test_uniform_replacement_in_una_ignores_the_window() -> None:
    drawn = Counter(una("bird", Random(seed), STATISTICS, radius=1, replacement="uniform") for seed in range(4000))
    assert set(drawn) == set(WORDS) - {"bird"}
    assert max(drawn.values()) < 1.5 * min(drawn.values())


def test_repo_mode_writes_lower_cased_terms_with_treebank_quotes() -> None:
    new = una('The "Dog" ran  ("to") the old house.', Random(1), STATISTICS, fidelity="repo", beta=0.0)
    kept = "the `` dog '' ran ( `` to '' ) the old house .".split(" ")
    assert len(new.split(" ")) == len(kept)
    assert sum(old != other for old, other in zip(kept, new.split(" "), strict=True)) <= 1


def test_repo_mode_leaves_equal_weights_alone_and_falls_back_to_one_random_term() -> None:
    assert una("Cat", Random(0), STATISTICS, fidelity="repo") == "cat"
    terms = {una("cat", Random(seed), STATISTICS, fidelity="repo") for seed in range(300)}
    assert terms <= {term for sentence in CORPUS for term in sentence.split()}
    assert len(terms) > 10


def test_repo_mode_may_draw_marks() -> None:
    drawn = {una("The cat", Random(seed), STATISTICS, fidelity="repo") for seed in range(500)}
    assert any("!" in new for new in drawn)
    assert any(new.endswith(" cat") for new in drawn)  # the term itself was drawn, only its case is gone


@given(SENTENCES, SEEDS)
def test_tfidf_replacement_keeps_the_telling_term(sentence: str, seed: int) -> None:
    new = tfidf_replacement(sentence, Random(seed), STATISTICS, rate=1.0)
    if new is None:
        return
    terms = term_texts(sentence)
    weights = TermBatch([split_terms(sentence)], [Random(0)], STATISTICS).weights.tolist()
    top = weights.index(max(weights))
    # An article before a replaced word is made to fit.
    assert term_texts(new)[top] == terms[top] or {term_texts(new)[top], terms[top]} == {"a", "an"}


def test_common_draws_common_words_and_uda_rare_ones() -> None:
    sentence = "the rain fell on the tree"
    common = Counter(" ".join(filter(None, (tfidf_replacement(sentence, Random(s), STATISTICS) for s in range(3000)))).split())
    literal = Counter(
        " ".join(filter(None, (tfidf_replacement(sentence, Random(s), STATISTICS, replacement="uda") for s in range(3000)))).split()
    )
    assert common["bird"] > 1.5 * common["sang"]
    assert literal["bird"] < literal["sang"]


def test_uniform_replacement_keeps_its_rate_and_needs_three_terms() -> None:
    sentence = " ".join(["bird"] * 100)
    changed = sum(
        term != "bird" for seed in range(100) for term in uniform_replacement(sentence, Random(seed), STATISTICS, rate=0.3).split()
    )
    assert 2800 < changed < 3200
    assert uniform_replacement("two words", Random(0), STATISTICS) is None
    assert uniform_replacement("one two three", Random(0), STATISTICS, rate=0.0) is None
    assert uniform_replacement("bird bird bird", Random(0), STATISTICS, rate=1e-9) is not None


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("UNA", {"beta": 1.5}, r"beta is 1\.5"),
        ("UNA", {"radius": 0}, "radius is 0"),
        ("UNA", {"replacement": "similer"}, "did you mean similar"),
        ("UNA", {"fidelity": "code"}, "give one of: paper, repo"),
        ("TFIDFReplacement", {"rate": -1}, "rate is -1"),
        ("TFIDFReplacement", {"replacement": "comon"}, "did you mean common"),
        ("UniformReplacement", {"rate": 2}, "rate is 2"),
    ],
)
def test_bad_options_are_refused(name: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        augment(["The cat sat."], name, corpus=CORPUS, **options)


def test_without_a_corpus_the_sentences_are_the_corpus() -> None:
    assert augment(CORPUS, "UNA", seed=3) == augment(CORPUS, "UNA", seed=3, corpus=CORPUS)


@pytest.mark.parametrize("name", ["una", "tfidf_replacement", "uniform_replacement"])
def test_a_row_is_the_same_in_any_batch(name: str) -> None:
    rule = getattr(tfidf, name)
    texts = [*CORPUS, "", "one", "...", "Unseen words, here and here!"]
    sentences = [texts[row % len(texts)] for row in range(BATCH_ROWS + 50)]
    together = rule(sentences, [row_stream(0, name, row) for row in range(len(sentences))], STATISTICS)
    for row in [*range(40), *range(BATCH_ROWS - 20, BATCH_ROWS + 50)]:
        assert together[row] == rule([sentences[row]], [row_stream(0, name, row)], STATISTICS)[0]
