"""Sentences as token numbers, and the tokenizer that makes them: by plain loops, and the same in every process."""

from __future__ import annotations

import functools
import hashlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, pre_tokenizers

from augcse.encoding.static import words
from augcse.encoding.static.tokenizer import UNKNOWN, tokenizer_of, train_tokenizer, unknown_token, word_splitter
from augcse.encoding.static.tokens import TokenizedSentences, evenly_spaced, tokenize_sentences
from augcse.encoding.static.words import WordEncoder, splits_at_blanks
from augcse.errors import UserError
from augcse.resources import DEMO_CORPUS

Lists = st.lists(st.lists(st.integers(0, 9), max_size=8), max_size=12)
SCRIPTS = {
    "chinese": "我还有几天过生日。我们明天去公园。你好吗？今天天气很好。",
    "arabic": "الكتاب على الطاولة. ذهب الولد إلى المدرسة. الطقس جميل اليوم.",
    "thai": "วันนี้อากาศดีมาก ฉันไปโรงเรียน เขาอ่านหนังสือ",
    "cyrillic": "Сегодня хорошая погода. Мальчик идёт в школу. Книга лежит на столе.",
    "devanagari": "आज मौसम अच्छा है। लड़का स्कूल जाता है।",
    "japanese": "今日は天気がいいです。私は学校に行きます。本を読んでいます。",
    "khmer": "ថ្ងៃនេះអាកាសធាតុល្អណាស់ ខ្ញុំទៅសាលារៀន គាត់អានសៀវភៅ",
    "korean": "오늘은 날씨가 좋습니다. 나는 학교에 갑니다. 책을 읽고 있습니다.",
}


def tokenized(lists: list[list[int]]) -> TokenizedSentences:
    """What the tests start from: numbers as they come from a tokenizer."""
    offsets = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return TokenizedSentences(np.array([token for ids in lists for token in ids], dtype=np.uint16), offsets)


def listed(sentences: TokenizedSentences) -> list[list[int]]:
    return [sentences.ids[start:end].tolist() for start, end in zip(sentences.offsets[:-1], sentences.offsets[1:], strict=True)]


@given(Lists, st.integers(1, 20))
def test_chunks_give_every_sentence_once_and_whole(lists: list[list[int]], tokens: int) -> None:
    chunks = list(tokenized(lists).chunks(tokens))
    assert [ids for chunk in chunks for ids in listed(chunk)] == lists
    assert all(len(chunk.ids) <= tokens or len(chunk) == 1 for chunk in chunks)


@given(Lists, st.data())
def test_take_gives_the_sentences_asked_for(lists: list[list[int]], data: st.DataObject) -> None:
    indices = data.draw(st.lists(st.integers(0, len(lists) - 1))) if lists else []
    assert listed(tokenized(lists).take(indices)) == [lists[index] for index in indices]


@given(Lists, st.sets(st.integers(0, 9)))
def test_only_leaves_the_other_tokens_out(lists: list[list[int]], wanted: set[int]) -> None:
    mask = np.array([token in wanted for token in range(10)])
    assert listed(tokenized(lists).only(mask)) == [[token for token in ids if token in wanted] for ids in lists]


@given(Lists)
def test_distinct_tokens_keep_the_first_of_each(lists: list[list[int]]) -> None:
    assert listed(tokenized(lists).distinct_tokens()) == [list(dict.fromkeys(ids)) for ids in lists]


@given(Lists)
def test_distinct_keeps_the_first_of_equal_sentences_and_no_empty_one(lists: list[list[int]]) -> None:
    assert listed(tokenized(lists).distinct()) == [list(ids) for ids in dict.fromkeys(map(tuple, lists)) if ids]


@given(st.integers(0, 10_000), st.integers(1, 300))
def test_evenly_spaced_is_spread_over_all(number: int, most: int) -> None:
    found = evenly_spaced(number, most)
    assert len(found) == min(number, most)
    steps = np.diff([*found.tolist(), number])
    assert not len(found) or (found[0] == 0 and steps.max() - steps.min() <= 1 and steps.min() >= 1)


def test_tokens_are_those_of_one_sentence_at_a_time(sentences: list[str]) -> None:
    tokenizer = train_tokenizer(sentences, 500)
    many = [*sentences, "", *sentences] * 12
    advanced: list[int] = []
    found = tokenize_sentences(tokenizer, iter(many), advanced.append)
    assert listed(found) == [tokenizer.encode(sentence, add_special_tokens=False).ids for sentence in many]
    assert found.ids.dtype == np.uint16
    assert sum(advanced) == len(many)


# Text of all kinds that a file can hold: what normalisers change, compose and take apart, blanks that are none, punctuation, special
# tokens, Chinese.
CHARACTERS = "aAbé\u0301 \u00a0\u3000\t\u001c\u200d,.'-_=<\u0338[]CLSEPUNK我们ﬁ´Σςİß가\u1100\u1161"
Texts = st.lists(st.text(st.sampled_from(CHARACTERS) | st.characters(codec="utf-8"), max_size=30))


@pytest.mark.parametrize("name", ["trained", "mini-bert"])
@given(data=st.data())
@settings(max_examples=60)
def test_words_have_the_tokens_of_their_sentences(name: str, data: st.DataObject) -> None:
    tokenizer = _tokenizer(name)
    assert splits_at_blanks(tokenizer)
    texts = data.draw(Texts)
    encoder = WordEncoder(tokenizer, np.dtype(np.uint16))
    for _ in range(2):
        found, lengths = encoder.encode(texts)
        plain = [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
        assert found.tolist() == [token for ids in plain for token in ids]
        assert lengths.tolist() == [len(ids) for ids in plain]


@functools.cache
def _tokenizer(name: str) -> Tokenizer:
    return tokenizer_of(name) if name == "mini-bert" else train_tokenizer(DEMO_CORPUS.read_text("utf-8").splitlines(), 3000)


def test_forgotten_words_are_learned_again(sentences: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_MOST_CHARACTERS", 10)
    encoder = WordEncoder(_tokenizer("trained"), np.dtype(np.uint16))
    first, second = (encoder.encode(sentences)[0].tolist() for _ in range(2))
    assert first == second == [token for text in sentences for token in _tokenizer("trained").encode(text).ids]


@pytest.mark.parametrize(
    "pre_tokenizer",
    [
        pre_tokenizers.Metaspace(),
        pre_tokenizers.ByteLevel(),
        pre_tokenizers.Sequence([pre_tokenizers.Punctuation()]),
        pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="first")]),
    ],
    ids=["metaspace", "bytes", "punctuation", "metaspace after blanks"],
)
def test_a_tokenizer_that_reads_blanks_encodes_whole_sentences(pre_tokenizer: Any, sentences: list[str]) -> None:
    tokenizer = Tokenizer.from_str(_tokenizer("trained").to_str())
    tokenizer.pre_tokenizer = pre_tokenizer
    assert not splits_at_blanks(tokenizer)
    many = sentences * 25
    assert listed(tokenize_sentences(tokenizer, many)) == [tokenizer.encode(text).ids for text in sentences] * 25


def test_an_added_token_with_a_blank_is_seen(sentences: list[str]) -> None:
    tokenizer = Tokenizer.from_str(_tokenizer("trained").to_str())
    tokenizer.add_tokens(["new york"])
    assert not splits_at_blanks(tokenizer)


def test_no_sentence_gives_no_token(sentences: list[str]) -> None:
    assert listed(tokenize_sentences(train_tokenizer(sentences, 500), [])) == []


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_is_learned_from_its_text(script: str) -> None:
    text = [SCRIPTS[script], SCRIPTS[script][::-1]]
    tokenizer = train_tokenizer(text, 1000)
    unknown = unknown_token(tokenizer)
    encoding = tokenizer.encode(SCRIPTS[script])
    assert unknown is not None
    assert unknown not in encoding.ids
    # Every ideograph is a token by itself.
    assert len(encoding.ids) < len(SCRIPTS[script]) + (script == "chinese")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("我们去公园", ["我", "们", "去", "公", "园"]),
        ("看iphone看", ["看", "iphone", "看"]),
        ("学校にいます", ["学", "校", "にいます"]),
        ("㐀𠀀〇", ["㐀", "𠀀", "〇"]),
        ("학교에", ["학교에"]),
        ("ไปโรง", ["ไปโรง"]),
    ],
    ids=["chinese", "latin between", "kana", "rare ideographs", "korean", "thai"],
)
def test_an_ideograph_is_a_word_and_letters_are_not(text: str, tokens: list[str]) -> None:
    assert [part for part, _ in word_splitter().pre_tokenize_str(text)] == tokens
    assert [part for part, _ in word_splitter(ideographs_apart=False).pre_tokenize_str(text)] == [text]


def test_what_is_always_a_word_has_no_form_inside_one() -> None:
    vocabulary = train_tokenizer(["我们去公园, 看 iphone"] * 3, 1000).get_vocab()
    assert {"我", "园", ","} <= set(vocabulary)
    assert not {"##我", "##园", "##,"} & set(vocabulary)
    assert "##o" in vocabulary


def test_an_unknown_character_costs_itself_alone() -> None:
    tokenizer = train_tokenizer([SCRIPTS["chinese"]] * 3, 1000)
    tokens = tokenizer.encode("我还有几天鿍过生日").tokens
    assert tokens.count(UNKNOWN) == 1
    assert len(tokens) > 2


def test_a_literal_unknown_is_text() -> None:
    tokenizer = train_tokenizer(["an [UNK] in a text"] * 3, 200)
    assert unknown_token(tokenizer) not in tokenizer.encode("an [UNK] in a text").ids


@pytest.mark.parametrize("size", [100, 400, 3000])
def test_the_vocabulary_has_its_size_at_most(size: int, sentences: list[str]) -> None:
    assert train_tokenizer([*sentences, *SCRIPTS.values()], size).get_vocab_size() <= size


@pytest.mark.parametrize("size", [100, 300, 500])
def test_each_token_of_a_vocabulary_may_be_an_ideograph(size: int) -> None:
    ideographs = [chr(0x4E00 + number) for number in range(400)]
    # The first ones are the most frequent: ideograph i occurs 400 - i times.
    tokenizer = train_tokenizer(["".join(ideographs[:length]) for length in range(1, 401)], size)
    assert set(tokenizer.get_vocab()) == {UNKNOWN, *ideographs[: size - 1]}


def test_an_ideograph_takes_one_token_of_the_characters_half_and_a_letter_two() -> None:
    # Each pair of the letters occurs twice, so words would fill the rest.
    letters = [chr(0x430 + number) for number in range(30)]
    pairs = [one + other for one in letters for other in letters] * 2
    ideographs = "".join(chr(0x4E00 + number) for number in range(60)) * 200
    vocabulary = train_tokenizer([ideographs, *pairs], 200).get_vocab()
    single = [token.removeprefix("##") for token in vocabulary if len(token.removeprefix("##")) == 1]
    assert len(vocabulary) == 200
    assert sum(one in ideographs for one in single) == 60
    assert sum(one in letters for one in single) == 2 * 20


# Made when every character counted as two tokens. 100 cuts the characters off.
@pytest.mark.parametrize(
    ("size", "digest"), [(100, "b621f46562ca"), (200, "171b920cb81a"), (3000, "28ca4be6ad83"), (12_288, "bf1fa11656b4")]
)
def test_the_vocabulary_of_text_without_ideographs_stays_as_it_was(size: int, digest: str) -> None:
    trained = train_tokenizer(DEMO_CORPUS.read_text("utf-8").splitlines(), size)
    assert hashlib.sha256(trained.to_str().encode()).hexdigest().startswith(digest)


@pytest.mark.parametrize("texts", [[""], [" ", "\u3000"], []])
def test_text_without_tokens_is_refused(texts: list[str]) -> None:
    with pytest.raises(UserError, match="no token in the corpus"):
        train_tokenizer(texts, 1000)


def test_the_tokenizer_is_the_same_in_every_process() -> None:
    """The library's own trainer gives another vocabulary each time."""
    code = (
        "import hashlib, sys\nfrom augcse.encoding.static.tokenizer import train_tokenizer\n"
        "from augcse.resources import DEMO_CORPUS\n"
        "trained = train_tokenizer(DEMO_CORPUS.read_text('utf-8').splitlines(), 6000)\n"
        "sys.stdout.write(hashlib.sha256(trained.to_str().encode()).hexdigest())\n"
    )
    here = train_tokenizer(DEMO_CORPUS.read_text("utf-8").splitlines(), 6000)
    others = {subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout for _ in range(2)}
    assert others == {hashlib.sha256(here.to_str().encode()).hexdigest()}
