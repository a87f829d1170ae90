"""Language packs, and the guard that keeps a rule from a language it does not know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from augcse.annotation.parse import Parse
from augcse.augmentations.base import AUGMENTATIONS
from augcse.augmentations.rules.noise.punctuation.language import PACKS, pack
from augcse.errors import UserError

ParseSentence = Callable[[str], Parse]
SENTENCE = "He didn't sell 12 big cars, however, because she was not there."


@pytest.mark.parametrize("member", [pytest.param(member, id=member.name) for member in AUGMENTATIONS if member.needs_parse])
def test_a_parse_in_a_language_off_the_card_gives_none(member: object, parse_sentence: ParseSentence) -> None:
    foreign = replace(parse_sentence(SENTENCE), language="xx")
    assert member.apply_all([foreign, foreign], [Random(0), Random(1)]) == [None, None]  # type: ignore[attr-defined]


def test_a_foreign_row_leaves_the_others_as_they_are(parse_sentence: ParseSentence) -> None:
    member = AUGMENTATIONS.get("SentenceAuxiliaryNegationRemoval")
    parse = parse_sentence("It was not late.")
    mixed = [replace(parse, language="zh"), parse, replace(parse, language="zh")]
    assert member.apply_all(mixed, [Random(row) for row in range(3)]) == [None, "It was late.", None]


def test_cards_name_only_languages_with_a_pack_where_there_are_several() -> None:
    several = [member for member in AUGMENTATIONS if len(member.languages) > 1 and member.needs_parse]
    assert {member.name for member in several} >= {"PunctuationInsertion", "AffirmativeAuxiliary", "DoubleNegation"}
    assert all(set(member.languages) <= set(PACKS) for member in several)


def test_a_rule_that_parts_words_at_blanks_reads_any_language_with_blanks() -> None:
    member = AUGMENTATIONS.get("WordRepetition")
    assert [member.reads(language) for language in ("en", "de", "zh", "ja")] == [True, True, False, False]
    assert [AUGMENTATIONS.get("PunctuationInsertion").reads(language) for language in ("en", "zh", "de")] == [True, True, False]


def test_unknown_language_is_a_user_error() -> None:
    with pytest.raises(UserError, match="unknown language 'xx'; known: en, zh"):
        pack("xx")
