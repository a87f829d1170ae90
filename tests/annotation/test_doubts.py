"""The parser's doubt of each token: what it means, and that it is the same alone and among others."""

from __future__ import annotations

import math

import pytest

from augcse.annotation.doubts import doubt_at, parser_doubts
from augcse.annotation.pipeline import BUNDLED_PARSER, MAX_CHARACTERS, load_pipeline, parse_sentence

SENTENCES = [
    "The king saw the man with the telescope.",
    "The wolf the dogs chased bit the king.",
    "1. The farmers praised him,  who was ill.",
    "Yes",
    "",
    "🙂 🙂",
]


def naive_doubts(text: str) -> dict[int, float]:
    """Take the parser's steps through one text, with probabilities by the definition of softmax."""
    pipeline = load_pipeline(BUNDLED_PARSER)
    doc = pipeline.get_pipe("tok2vec")(pipeline.make_doc(text))
    parser = pipeline.get_pipe("parser")
    decisions, [state] = parser.model.predict([doc]), parser.moves.init_batch([doc])
    found: dict[int, float] = {}
    while not state.is_final():
        scores = decisions.predict([state])
        powers = [math.exp(score) for score in scores[0]]
        if state.S(0) >= 0:
            start = doc[state.S(0)].idx
            found[start] = found.get(start, 0.0) - math.log(max(powers) / math.fsum(powers))
        parser.transition_states([state], scores)
    parser.set_annotations([doc], [state])
    assert [token.head.i for token in doc] == [token.head.i for token in pipeline(text)]  # these are the parser's own steps
    return found


@pytest.mark.parametrize("text", [text for text in SENTENCES if not text.startswith("1.")])
def test_doubts_are_those_of_a_naive_loop(text: str) -> None:
    [found] = parser_doubts([text])
    assert found == pytest.approx(naive_doubts(text), abs=1e-5)


def test_a_text_has_the_same_doubts_among_others() -> None:
    together = list(parser_doubts(SENTENCES * 40))
    assert together == [next(parser_doubts([text])) for text in SENTENCES] * 40


def test_doubts_are_found_by_where_tokens_begin() -> None:
    text = SENTENCES[2]  # with the number of a list, and two blanks
    [found] = parser_doubts([text])
    assert set(found) <= set(parse_sentence(text).starts)
    assert min(found) == 3


def test_the_doubt_of_a_phrase_is_that_of_its_tokens() -> None:
    parse = parse_sentence(SENTENCES[0])
    [found] = parser_doubts([parse.text])
    assert doubt_at(parse, found, range(len(parse))) == pytest.approx(sum(found.values()))
    assert doubt_at(parse, found, [3, 4]) == found.get(13, 0.0) + found.get(17, 0.0)


def test_a_sentence_that_misleads_is_doubted_more() -> None:
    plain, misleading = (sum(doubts.values()) for doubts in parser_doubts(["The king saw the farmer.", SENTENCES[1]]))
    assert plain < 0.5 < 2.0 < misleading


def test_a_text_that_is_not_parsed_has_no_doubts() -> None:
    long, short = parser_doubts(["a " * MAX_CHARACTERS, "Yes"])
    assert long == {}
    assert short
