"""What AffirmativeAuxiliary and ModalVerbs leave alone: clauses that no other auxiliary goes with."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from augcse.annotation.parse import Parse
from augcse.augmentations.rules.polarity.affirmative_auxiliary import affirmative_auxiliary
from augcse.augmentations.rules.polarity.modal_verbs import modal_verbs

ParseSentence = Callable[[str], Parse]
Rule = Callable[[Parse, Random], str | None]


@pytest.mark.parametrize("rule", [affirmative_auxiliary, modal_verbs])
@pytest.mark.parametrize(
    "sentence",
    [
        "He does not walk.",
        "She can't come.",
        "He never walks.",
        "He is going to leave.",
        "You had better leave.",
        "He said that he did not know.",
        "Nobody came.",
        "Isn't he here?",
        "I dont like it.",
        "Rise of prices",
        "Motorists killed after tunnel collapses",
        "Do babies just 'cry it out'?",
        "He has to go.",
        "The ship is expected to arrive today.",
        "Our findings, which are based on facts",
        "How ca n I improve my skill?",
        "He used to live here.",
        "Only then did he leave.",
        "A house on the hill.",
        "",
        "Yes",
        "🙂 🙂",
    ],
)
def test_left_alone(parse_sentence: ParseSentence, rule: Rule, sentence: str) -> None:
    assert rule(parse_sentence(sentence), Random(0)) is None
