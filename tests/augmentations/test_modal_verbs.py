"""ModalVerbs: a modal exchanged or added in every kind of verb group, and what is left alone."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from augcse.annotation.parse import Parse
from augcse.augmentations.rules.polarity.modal_verbs import modal_verbs

ParseSentence = Callable[[str], Parse]
SHAREHOLDER = "A shareholder may transfer its Shares only with the prior written consent of the Company."
REAL, UNREAL = "He stays if it rains.", "He must stay if it rained."


class Last(Random):
    """A stream that draws the last of what there is."""

    def choice(self, seq):  # type: ignore[no-untyped-def]
        return seq[-1]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (SHAREHOLDER, SHAREHOLDER.replace("may", "will")),
        ("Shops are finally seeing customers come back.", "Shops will finally be seeing customers come back."),
        ("Tom was in fact prone to seasickness.", "Tom should in fact have been prone to seasickness."),
        ("He was alone in the room.", "He should have been alone in the room."),
        ("She is by far the best player.", "She will be by far the best player."),
        ("Which company does the work?", "Which company would do the work?"),
        ("From which house does the music come?", "From which house would the music come?"),
        ("She must go.", "She will go."),
        ("She walks home.", "She will walk home."),
        ("She walked home.", "She should have walked home."),
        ("She went home.", "She should have gone home."),
        ("She walks home and takes a bath.", "She will walk home and take a bath."),
        ("She sings and dances.", "She will sing and dance."),
        ("He writes songs and plays.", "He will write songs and plays."),
        ("She came in, sat down, and ate.", "She should have come in, sat down, and eaten."),
        ("It was built in 1900 and sold in 1910.", "It should have been built in 1900 and sold in 1910."),
        ("He is going to Rome.", "He will be going to Rome."),
        ("She had better grades.", "She should have had better grades."),
        ("He walks when nobody sees him.", "He will walk when nobody sees him."),
        ("No, he is a doctor.", "No, he will be a doctor."),
        ("The people there left.", "The people there should have left."),
        ("She quickly left.", "She should have quickly left."),
        ("She also walked home.", "She should also have walked home."),
        ("She soon wants a house.", "She will soon want a house."),
        ("It is cold.", "It will be cold."),
        ("It was built in 1900.", "It should have been built in 1900."),
        ("He has walked home.", "He should have walked home."),
        ("It's a cold day.", "It will be a cold day."),
        ("He may have gone home.", "He should have gone home."),
        ("He will go home.", "He should go home."),
        ("Is he here?", "Would he be here?"),
        ("Do you like it?", "Would you like it?"),
        ("Did you take it?", "Would you have taken it?"),
        ("Can he swim?", "Would he swim?"),
        ("What was the reason?", "What would have been the reason?"),
        ("Open the door.", "You should open the door."),
        ("I am", "I will be"),
        ("They'd built a house.", "They should have built a house."),
        ("He'd broken it.", "He should have broken it."),
        ("Are you who?", "Would you be who?"),
    ],
)
def test_modal_verbs_exchange_or_add_one(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert modal_verbs(parse_sentence(sentence), Last(0)) == expected


@pytest.mark.parametrize("seed", range(20))
def test_a_modal_never_gives_way_to_one_of_its_own_force(parse_sentence: ParseSentence, seed: int) -> None:
    new = modal_verbs(parse_sentence(SHAREHOLDER), Random(seed))
    assert new is not None
    assert not {"can", "could", "may", "might"} & set(new.split())


def test_clearnlp_copula_is_handled(copula_as_root: Parse) -> None:
    assert modal_verbs(copula_as_root, Last(0)) == "He should have been old."


@pytest.mark.parametrize("seed", range(8))
def test_would_needs_a_condition_and_a_condition_of_the_past_a_conditional(parse_sentence: ParseSentence, seed: int) -> None:
    bare, real, unreal = (modal_verbs(parse_sentence(text), Random(seed)) for text in ("He stays.", REAL, UNREAL))
    assert bare is not None
    assert real is not None
    assert unreal is not None
    assert "would" not in bare + real
    assert unreal.split()[1] in ("could", "might", "should", "would")


@pytest.mark.parametrize("sentence", ["The house is being built.", "He is being silly.", "He probably walks.", "Luckily, she heard him."])
def test_progress_and_certainty_take_no_modal(parse_sentence: ParseSentence, sentence: str) -> None:
    assert modal_verbs(parse_sentence(sentence), Random(0)) is None


@pytest.mark.parametrize("sentence", ["What is the reason?", "Where were they?", "What are their names?"])
def test_a_question_what_a_thing_is_takes_a_modal_that_asks_it(parse_sentence: ParseSentence, sentence: str) -> None:
    new = modal_verbs(parse_sentence(sentence), Random(0))
    assert new is not None
    assert {"could", "might", "will", "would"} & set(new.split())


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("question", ["Why do people call it that?", "What is the reason?", "Which photos look real?"])
def test_no_question_asks_with_may_or_must(parse_sentence: ParseSentence, question: str, seed: int) -> None:
    new = modal_verbs(parse_sentence(question), Random(seed))
    assert new is not None
    assert not {"may", "must"} & set(new.split())


@pytest.mark.parametrize(
    "sentence",
    ["For which newspaper does the man with the beard write?", "Every time you recall a memory, you alter it slightly."],
)
def test_a_misread_main_clause_takes_no_modal(parse_sentence: ParseSentence, sentence: str) -> None:
    assert modal_verbs(parse_sentence(sentence), Random(0)) is None


def test_coordinated_verbs_of_a_question_take_the_perfect_too(parse_sentence: ParseSentence) -> None:
    assert modal_verbs(parse_sentence("What did you see and hear?"), Last()) == "What would you have seen and heard?"
    assert modal_verbs(parse_sentence("Did he sing and dance?"), Last()) == "Would he have sung and danced?"
