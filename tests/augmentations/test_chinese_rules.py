"""The three rules of SDA on Chinese: read by jieba, and on parses with the labels of spaCy's Chinese pipelines."""

from __future__ import annotations

import functools
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.rules.noise.punctuation.rule import punctuation_insertion
from augcse.augmentations.rules.polarity.affirmative_auxiliary import affirmative_auxiliary
from augcse.augmentations.rules.polarity.double_negation import double_negation

ParseChinese = Callable[[str], Parse]


class First(Random):
    """A stream that draws the first of what there is, once from a given place."""

    def __init__(self, place: int = 0) -> None:
        super().__init__(0)
        self.place = place

    def choice(self, seq: Any) -> Any:
        place, self.place = self.place, 0
        return seq[place]


@pytest.fixture(scope="session")
def parse_chinese() -> ParseChinese:
    pytest.importorskip("jieba", reason="jieba is an optional extra: augcse[zh]")
    from augcse.annotation import chinese

    return functools.lru_cache(maxsize=None)(chinese.parse_chinese)


@pytest.mark.parametrize(
    ("rule", "sentence", "expected"),
    [
        (0, "他没有来因为他很忙。", "他没有来，因为他很忙。"),
        (0, "他说我喜欢苹果。", "他说，我喜欢苹果。"),
        (0, "他没有来，因为他很忙。", None),
        (1, "这艘船的长度是30米。", "“这艘船的长度”是30米。"),
        (2, "是的，他来了。", "是的，，他来了。"),
        (2, "他来了。", None),
        (3, "他来了。", "他来了！"),
        (3, "他来了！", "他来了！！"),
        (3, "他来了", "他来了！"),
        (3, "他说：“好。”", "他说：“好！”"),
    ],
)
def test_punctuation(parse_chinese: ParseChinese, rule: int, sentence: str, expected: str | None) -> None:
    assert punctuation_insertion(parse_chinese(sentence), First(rule), subject="quotes") == expected


def test_punctuation_behind_the_subject(parse_chinese: ParseChinese) -> None:
    assert punctuation_insertion(parse_chinese("他喜欢苹果。"), First(1), subject="comma") == "他，喜欢苹果。"
    assert punctuation_insertion(parse_chinese("他喜欢苹果。"), First(), fidelity="paper", subject="comma") == "他，喜欢苹果。"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("他可以去学校。", "他必须去学校。"),
        ("他每天去学校。", "他每天必须去学校。"),
        ("他会去学校。", "他一定会去学校。"),
        ("他是学生。", "他一定是学生。"),
        ("他去了学校。", "他一定去了学校。"),
        ("他在公园里玩。", "他一定在公园里玩。"),
        ("一个女人正在切土豆块。", "一个女人一定正在切土豆块。"),
        ("他不去学校。", None),
        ("他必须去学校。", None),
        ("他去学校吗？", None),
        ("谁喜欢苹果", None),
        ("如果你累了。", None),
        ("喜欢苹果。", None),
        ("", None),
    ],
)
def test_affirmative(parse_chinese: ParseChinese, sentence: str, expected: str | None) -> None:
    assert affirmative_auxiliary(parse_chinese(sentence), First()) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("他喜欢苹果。", "他并非不喜欢苹果。"),
        ("他是学生。", "他并非不是学生。"),
        ("他有钱。", "他并非没有钱。"),
        ("他会去学校。", "他并非不会去学校。"),
        ("他去了学校。", "他并非没有去学校。"),
        ("他去过学校。", "他并非没有去过学校。"),
        ("一个女人正在切土豆块。", "一个女人并非没有在切土豆块。"),
        ("她把自己关在房里。", "她并非没有把自己关在房里。"),
        ("他不喜欢苹果。", "他并非喜欢苹果。"),
        ("他没有钱。", "他并非有钱。"),
        ("他没去学校。", "他并非去了学校。"),
        ("他不去学校了。", None),
        ("他不得不去学校。", None),
        ("他已经走了。", None),
        ("没人喜欢苹果。", None),
        ("他喜欢苹果吗？", None),
        ("苹果。", None),
        ("", None),
    ],
)
def test_double_negation(parse_chinese: ParseChinese, sentence: str, expected: str | None) -> None:
    assert double_negation(parse_chinese(sentence), First()) == expected


@pytest.mark.parametrize("seed", range(12))
def test_double_negation_keeps_the_number_of_negations_even(parse_chinese: ParseChinese, seed: int) -> None:
    new = double_negation(parse_chinese("他喜欢苹果。"), Random(seed))
    assert new in {"他并非不喜欢苹果。", "他并不是不喜欢苹果。", "他不是不喜欢苹果。"}


def spacy_rows(copula: bool) -> Parse:
    """Return a parse with the labels of `zh_core_web_sm`: 是 hangs on the predicate noun."""
    if copula:
        rows = [
            ("他", 0, "他", "PRON", "PN", 2, "nsubj"),
            ("是", 1, "是", "VERB", "VC", 2, "cop"),
            ("学生", 2, "学生", "NOUN", "NN", 2, "ROOT"),
            ("。", 4, "。", "PUNCT", "PU", 2, "punct"),
        ]
        return parse_of_rows("他是学生。", rows, "zh")
    rows = [
        ("他", 0, "他", "PRON", "PN", 2, "nsubj"),
        ("可以", 1, "可以", "VERB", "VV", 2, "aux:modal"),
        ("去", 3, "去", "VERB", "VV", 2, "ROOT"),
        ("学校", 4, "学校", "NOUN", "NN", 2, "dobj"),
        ("。", 6, "。", "PUNCT", "PU", 2, "punct"),
    ]
    return parse_of_rows("他可以去学校。", rows, "zh")


def test_labels_of_spacys_chinese_pipelines() -> None:
    assert affirmative_auxiliary(spacy_rows(copula=True), First()) == "他一定是学生。"
    assert double_negation(spacy_rows(copula=True), First()) == "他并非不是学生。"
    assert affirmative_auxiliary(spacy_rows(copula=False), First()) == "他必须去学校。"
    assert double_negation(spacy_rows(copula=False), First()) == "他并非不可以去学校。"
    assert punctuation_insertion(spacy_rows(copula=False), First(3)) == "他可以去学校！"


def test_english_words_are_not_put_into_chinese(parse_chinese: ParseChinese) -> None:
    for fidelity in ("grammatical", "paper"):
        for rule in (affirmative_auxiliary, double_negation):
            new = rule(parse_chinese("他可以去学校。"), Random(0), fidelity=fidelity)
            assert new is not None
            assert not any("a" <= character <= "z" for character in new)
