"""The parse type: offsets, labels of both schemes, trees."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.annotation.parse import parse_of_rows, penn_tag, universal_label
from augcse.annotation.pipeline import MAX_CHARACTERS, load_pipeline, parse_sentence, parse_sentences
from augcse.errors import UserError

TEXT = "Amanda's  mother wasn't\tvery beautiful."


def test_tokens_sit_at_their_offsets() -> None:
    parse = parse_sentence(TEXT)
    assert all(parse.text[parse.starts[i] : parse.end(i)] == parse.tokens[i] for i in range(len(parse)))
    assert "".join(parse.tokens) == "".join(TEXT.split())


def test_tree_of_a_copular_clause() -> None:
    parse = parse_sentence("Amanda's mother was very beautiful.")
    root = parse.tokens.index("beautiful")
    assert parse.roots() == [root]
    assert [parse.tokens[child] for child in parse.children(root, "nsubj", "cop")] == ["mother", "was"]
    mother = parse.tokens.index("mother")
    assert (parse.first(mother), parse.last(mother), parse.is_contiguous(mother)) == (0, 2, True)
    assert parse.clause_head(parse.tokens.index("was")) == root


@pytest.mark.parametrize(
    ("tokenised", "words", "tags"),
    [
        ("i 've had headaches .", ["i", "'ve", "had"], ["PRP", "VBP", "VBN"]),
        ("I ’m here .", ["I", "’m", "here"], ["PRP", "VBP", "RB"]),
        ("it isn 't big .", ["it", "is", "n 't", "big"], ["PRP", "VBZ", "RB", "JJ"]),
        ("Don ’t buy it .", ["Do", "n ’t", "buy"], ["VB", "RB", "VB"]),
        ("you can 't go .", ["you", "ca", "n 't", "go"], ["PRP", "MD", "RB", "VB"]),
    ],
)
def test_clitics_that_a_tokeniser_parted_are_words(tokenised: str, words: list[str], tags: list[str]) -> None:
    parse = parse_sentence(tokenised)
    assert list(parse.tokens[: len(words)]) == words
    assert list(parse.tags[: len(words)]) == tags
    assert [parse.is_negation(index) for index in range(len(words))] == [word[0] == "n" for word in words]


@pytest.mark.parametrize("marker", ["27. ", "(a) ", "b ) ", "- ", "> ", "• ", "1) ", "4 . "])
def test_the_marker_of_a_list_is_no_word(marker: str) -> None:
    parse, alone = parse_sentence(f"{marker}Her mother left."), parse_sentence("Her mother left.")
    assert (parse.text, parse.tokens, parse.heads) == (f"{marker}Her mother left.", alone.tokens, alone.heads)
    assert [start - len(marker) for start in parse.starts] == list(alone.starts)


@pytest.mark.parametrize("text", ["3 . 5 million left.", "A) is wrong.", "1847 was cold.", "- 5 degrees were measured.", "a man left."])
def test_what_only_looks_like_a_marker_is_read(text: str) -> None:
    assert "".join(parse_sentence(text).tokens) == text.replace(" ", "")


@pytest.mark.parametrize("blanks", ["  ", "\t", "\n", " \n\t ", "\u3000"])
def test_repeated_blanks_change_no_reading(blanks: str) -> None:
    plain = parse_sentence("I ca n't come. She saw the king, and he left.")
    spaced = parse_sentence(plain.text.replace(" ", blanks))
    assert (spaced.tokens, spaced.tags, spaced.heads, spaced.deps) == (plain.tokens, plain.tags, plain.heads, plain.deps)
    assert [spaced.text[start:].startswith(token) for start, token in zip(spaced.starts, spaced.tokens, strict=True)] == [True] * len(
        spaced
    )


def test_each_sentence_of_a_text_is_read_as_if_alone() -> None:
    sentences = ["Mr. Smith saw the king.", '"Who left?" she asked.', "He came home (late)."]
    together, apart = parse_sentence(" ".join(sentences)), [parse_sentence(sentence) for sentence in sentences]
    first = [sum(len(parse) for parse in apart[:index]) for index in range(3)]
    assert together.heads == tuple(head + start for start, parse in zip(first, apart, strict=True) for head in parse.heads)
    assert together.deps == tuple(dep for parse in apart for dep in parse.deps)


def test_penn_tags_are_bare() -> None:
    assert set(parse_sentence("She walks.").tags) <= {"PRP", "VBZ", "."}
    assert penn_tag("NN") == "NN"


@pytest.mark.parametrize(
    ("clearnlp", "universal"),
    [("nsubjpass", "nsubj:pass"), ("dobj", "obj"), ("neg", "advmod"), ("ROOT", "ROOT"), ("nsubj", "nsubj"), ("acl:relcl", "acl:relcl")],
)
def test_labels_of_both_schemes(clearnlp: str, universal: str) -> None:
    assert universal_label(clearnlp) == universal


def test_empty_parse() -> None:
    parse = parse_of_rows("", [])
    assert len(parse) == 0
    assert parse.roots() == []


def test_long_text_is_not_parsed() -> None:
    long = "word " * (MAX_CHARACTERS // 5 + 1)
    first, second = parse_sentences([long, "Short one."])
    assert len(first) == 0
    assert first.text == long
    assert len(second) == 3


def test_unknown_pipeline_names_the_bundled_one() -> None:
    with pytest.raises(UserError, match=r"en_ewt.*bundled"):
        load_pipeline("en_no_such_pipeline")


@settings(max_examples=30)
@given(st.text(max_size=60))
def test_any_text_keeps_heads_inside(text: str) -> None:
    parse = parse_sentence(text)
    assert all(0 <= head < len(parse) for head in parse.heads)
    for index in range(len(parse)):
        below = [other for other in range(len(parse)) if parse.is_below(other, index)]
        assert (parse.first(index), parse.last(index)) == (below[0], below[-1])
        assert parse.is_contiguous(index) == (below == list(range(below[0], below[-1] + 1)))


def test_what_stands_at_an_index_and_outside() -> None:
    parse = parse_sentence("The King sleeps.")
    assert [(parse.token(i), parse.word(i), parse.pos(i)) for i in (-1, 1, 4)] == [("", "", ""), ("King", "king", "PROPN"), ("", "", "")]
    assert parse.span(1) == (4, 8)
    assert parse.text[slice(*parse.span(1, 2))] == "King sleeps"
    assert not parse.is_negation(-1)


def test_a_pipeline_that_cannot_be_loaded_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text("{", "utf-8")
    (tmp_path / "config.cfg").write_text("[nlp]\n", "utf-8")
    with pytest.raises(UserError, match=r"spaCy pipeline '.*' cannot be loaded \(.*\); give an installed pipeline"):
        load_pipeline(str(tmp_path))


def test_no_sentence_of_the_parser_goes_on_for_ever() -> None:
    parse = parse_sentence("(" * 1500)
    assert len(parse) == 1500
    assert max(abs(head - index) for index, head in enumerate(parse.heads)) < 400
