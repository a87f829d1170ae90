"""DoubleNegation and SentenceNegation: two toggles, one toggle, none; the algorithm as printed."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest

from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import parse_sentences
from augcse.augmentations.rules.polarity.double_negation import double_negation
from augcse.augmentations.rules.polarity.sentence_negation import sentence_negation

ParseSentence = Callable[[str], Parse]
SHAREHOLDER = "A shareholder may transfer its Shares only with the prior written consent of the Company."
DENIAL = re.compile(r"\b(?:[Ii]t (?:is|was) not (?:true|the case) that |[Ii]s it (?:false|untrue) that |fail to |Not (?=[A-Z“]))")
NEGATIVE = re.compile(r"(?i)\bnot\b|n['’]t\b|\bcannot\b|\bno\b|\bnever\b|\bnobody\b|\bnothing\b|\bnone\b|\bnowhere\b")


class First(Random):
    """A stream that draws the first of what there is."""

    def choice(self, seq):  # type: ignore[no-untyped-def]
        return seq[0]


def twice(parse: Parse, **options: str) -> str | None:
    return double_negation(parse, First(0), **{"opening": "sentence", **options})  # type: ignore[arg-type]


def once(parse: Parse) -> str | None:
    return sentence_negation(parse, Random(0))


def test_example_of_table_1_is_reproduced(parse_sentence: ParseSentence) -> None:
    expected = "Not A shareholder may not transfer its Shares only with the prior written consent of the Company."
    assert twice(parse_sentence(SHAREHOLDER), opening="not") == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (SHAREHOLDER, "It is not true that a" + SHAREHOLDER[1:].replace("may", "may not")),
        ("He can swim.", "It is not true that he cannot swim."),
        ("It's cold.", "It is not true that it is not cold."),
        ("Mary was seen.", "It is not true that Mary was not seen."),
        ("I am here.", "It is not true that I am not here."),
        ("He was as rich as Ann.", "It is not true that he was not as rich as Ann."),
        ("The other dog was ill.", "It is not true that the other dog was not ill."),
        ("He has gone.", "It is not true that he has not gone."),
        ("It is made in Spain, which is old.", "It is not true that it is not made in Spain, which is old."),
        ("He has already gone.", "It is not true that he has not yet gone."),
        ("He is still here.", "It is not true that he is no longer here."),
        ("However, he was here.", "However, it is not true that he was not here."),
        ("According to Tom, he was here.", "According to Tom, it was not true that he was not here."),
        ("In 1990, he was here.", "It is not true that in 1990, he was not here."),
        ("On Monday, he was not here.", "It is not true that on Monday, he was here."),
        ('On the other hand, "free" trade is old.', 'On the other hand, it is not true that "free" trade is not old.'),
        ("But he was here.", "But it is not true that he was not here."),
        ("He did not go home.", "It is not true that he went home."),
        ("She doesn't like anyone.", "It is not true that she likes anyone."),
        ("He has never been there.", "It is not true that he has ever been there."),
        ("He has no money.", "It is not true that he has any money."),
        ("Nobody came.", "It is not true that anybody came."),
        ("Is he here?", "Is it false that he is not here?"),
        ("Can he swim?", "Is it false that he cannot swim?"),
        ("Is it what?", "Is it false that it is not what?"),
        ("How can I win?", "How can I not fail to win?"),
        ("Why was she angry?", "Why is it false that she was not angry?"),
        ("Why do people call it that?", "Why is it false that people do not call it that?"),
        ("Do you like it?", "Is it false that you do not like it?"),
        ("Is there a way?", "Is it false that there is not a way?"),
        ("Go home!", "Do not fail to go home!"),
    ],
)
def test_two_toggles(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert twice(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "She walks home.",
        "He is rich, and she is poor.",
        "Is he rich, and is she poor?",
        "Rise of prices",
        "Who won the match?",
        "How do I log out?",
        "Seen from here, he was old.",
        "He may not come.",
        "With no help, he was able to walk.",
        "It is probably cold.",
        "Almost 15 boys were ill.",
        "This dog may be ill, while that one is not.",
        "He is neither rich nor happy.",
        "He said that he was not ill.",
        "Not only was he rich.",
        # Capitals of a name, a clause before the main one, half a quotation, no end mark.
        "If he is here, she is happy.",
        "“He is here.",
        "The man is here",
        "A house on the hill.",
        "",
        "🙂",
        "@tom But he is late.",
        "[After the Fall] Tom Smith is late.",
        "That is, he is late.",
        "Significant is the fact that he is here.",
        "The tide may soon turn.",
        "RT @tom Aaron is late.",
        "Like the king, Ann was late.",
        "She did not believe in divorce so much as in patience.",
        "She is an Italian cyclist, who last rode for Rome.",
        "Sales were at 20 %, up from 17 %.",
    ],
)
def test_left_alone(parse_sentence: ParseSentence, sentence: str) -> None:
    assert twice(parse_sentence(sentence)) is None


def test_exactly_two_toggles_on_real_text(sentences: list[str]) -> None:
    changed = 0
    for row, parse in enumerate(parse_sentences(sentences)):
        new = double_negation(parse, Random(row))
        if new is None:
            continue
        changed += 1
        # One toggle is the denial; the other puts a negative word in or takes one out.
        assert DENIAL.search(new)
        assert abs(len(NEGATIVE.findall(DENIAL.sub("", new, count=1))) - len(NEGATIVE.findall(parse.text))) == 1
    assert changed > 50


def test_the_two_denials_are_drawn(parse_sentence: ParseSentence) -> None:
    drawn = {double_negation(parse_sentence("It was cold."), Random(seed)) for seed in range(40)}
    assert drawn == {"It is not true that it was not cold.", "It is not the case that it was not cold."}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        # aux, then the root verb: the algorithm does not give the paper's own example.
        (SHAREHOLDER, SHAREHOLDER.replace("may transfer", "may not do not transfer")),
        ("He has walked.", "He has not do not walked."),
        ("She is walking to see him.", "She is not do not walking to see him."),
        ("She walks to see him.", "She do not walks to not see him."),
        ("She never walks.", "She do not walks."),
        ("She walks home.", None),
        ("He is rich.", None),
    ],
)
def test_paper_fidelity_is_the_printed_algorithm(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert twice(parse_sentence(sentence), fidelity="paper") == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The old man walks to the harbour.", "The old man does not walk to the harbour."),
        ("They walk home.", "They do not walk home."),
        ("They went home.", "They did not go home."),
        ("He often walks home.", "He does not often walk home."),
        ("He is old.", "He is not old."),
        ("It's cold.", "It is not cold."),
        ("He can swim.", "He cannot swim."),
        ("It was built in 1900.", "It was not built in 1900."),
        ("There is a way.", "There is not a way."),
        ("There was talk of it.", "There was no talk of it."),
        ("He does not walk.", "He walks."),
        ("She didn't see anyone.", "She saw someone."),
        ("He never walks.", "He walks."),
        ("He has no money.", "He has some money."),
        ("Nobody came.", "Somebody came."),
        ("Do you like it?", "Don't you like it?"),
        ("Is he here?", "Isn't he here?"),
        ("Will he come?", "Won't he come?"),
        ("Am I wrong?", "Am I not wrong?"),
        ("Why is it cold?", "Why is it not cold?"),
        ("May I go?", "May I not go?"),
        ("Why do you like it?", "Why do you not like it?"),
        ("Where are they building it?", "Where are they not building it?"),
        ("He said that he lost, but won.", "He did not say that he lost, but won."),
        ("Who won the match?", "Who did not win the match?"),
        ("Don't you like it?", "Do you like it?"),
        ("Have the kittens opened their eyes?", "Haven't the kittens opened their eyes?"),
        ("It rained for nearly half an hour.", "It did not rain for nearly half an hour."),
        ("Go home!", "Do not go home!"),
        ('"Take them", I said.', '"Do not take them", I said.'),
        ("Please close the door.", "Please do not close the door."),
        ("Do not close the door.", "Close the door."),
        ("I dont like it.", "I like it."),
        ("He has some friends in town.", "He does not have any friends in town."),
        ("He came home last night.", "He did not come home last night."),
        ("She is the most famous singer.", "She is not the most famous singer."),
        ("He says that some friends are in town.", "He does not say that some friends are in town."),
        ("He left it here, picked up his gun, and started off.", "He did not leave it here, pick up his gun, or start off."),
    ],
)
def test_one_toggle(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert once(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Woman charged with murder of son",
        "Mexican singer Jenni Rivera believed killed in plane crash",
        "Tom, too, has left the town.",
        "He is here now - and not there?",
        "What is the reason?",
        "Where is the office?",
        "He lost the first match, but he won the second.",
        "She bakes bread because she loves the smell.",
        "They raised the money by selling their house.",
        "Teens urged to consider joining the industry",
        "One moment they are here, the next moment, they are in Italy.",
        "Rise of prices",
        "He only walks.",
        '"Any time, Roberts", he said.',
        '"Whiskey still, my foot", said Joel.',
        "He hardly walks.",
        "Prices have changed little.",
        "The banks have formed only a part of it.",
        "He is neither rich nor happy.",
        "No, he is not here.",
        "How did the accident happen?",
        "How much should I pay for my work?",
        "He has sometimes left.",
        "The house is rather old.",
        "They both like it.",
        "No, really, you do.",
        "",
        "Yes",
    ],
)
def test_one_toggle_leaves_alone(parse_sentence: ParseSentence, sentence: str) -> None:
    assert once(parse_sentence(sentence)) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The problem is difficult and ongoing.", "The problem is not difficult or ongoing."),
        ("He is a singer, writer and actor.", "He is not a singer, writer or actor."),
        ("It was built and sold in Spain.", "It was not built or sold in Spain."),
        ("He can read and write.", "He cannot read or write."),
        ("We went out and bought bread.", "We did not go out or buy bread."),
        ("He made her rich and famous.", "He did not make her rich or famous."),
        ("She is responsible for the army, and for the police.", "She is not responsible for the army, or for the police."),
        ("He said that it rained and that it was cold.", "He did not say that it rained or that it was cold."),
        ("They argue about money and about politics.", "They do not argue about money or about politics."),
        ("You can go and see her.", "You cannot go and see her."),
        ("She got up and then left.", "She did not get up and then leave."),
        ("They are husband and wife.", "They are not husband and wife."),
        ("She lives between Paris and Rome.", "She does not live between Paris and Rome."),
        ("It cost five and six pounds.", "It did not cost five and six pounds."),
        ("They had new and improved tools.", "They did not have new and improved tools."),
    ],
)
def test_what_not_denies_in_parts_takes_or(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert once(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He is also a singer.", "He is not a singer either."),
        ("It can also be sung.", "It cannot be sung either."),
        ("They also introduced it in Spain .", "They did not introduce it in Spain either ."),
        ("He also said that he was ill.", None),
        ("I also do not like it.", "I also like it."),
        ("She's still a girl.", "She's no longer a girl."),
        ("I still love it.", "I no longer love it."),
        ("I would still recommend it.", "I would still not recommend it."),
        ("The fact is that we still have it.", "The fact is that we no longer have it."),
        ("He has already left.", "He has not yet left."),
        ("He already knew it.", "He did not yet know it."),
        ("He used the already famous song.", "He did not use the already famous song."),
        ("It is arguably the best.", "It is arguably not the best."),
        ("He reportedly left the town.", "He reportedly did not leave the town."),
        ("He finally left the town.", None),
        ("It is often sometimes seen.", None),
        ("He too is old.", None),
    ],
)
def test_adverbs_under_not(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert once(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("She is an Italian cyclist, who last rode for Rome.", None),
        ("He was a trader, whose ships sailed to Spain.", None),
        ("They won a match, after which they went home.", None),
        ("They have a son, who lives in Rome.", None),
        ("It was hidden under a tree, where I looked first.", "It was not hidden under a tree, where I looked first."),
        ("The winner is Ann Lee, who lives in Rome.", "The winner is not Ann Lee, who lives in Rome."),
        ("He met his mother, who lives in Rome.", "He did not meet his mother, who lives in Rome."),
        ("Sales grew by 20 %, up from 17 %.", None),
        ("The harbour is old since it was built in 1200.", None),
        ("He has lived here since he was ten.", "He has not lived here since he was ten."),
        ("It was sold, having been built in Spain.", None),
        ("He bought the house and left the town, making her happy.", None),
        ("He said that she left, making her happy.", "He did not say that she left, making her happy."),
    ],
)
def test_what_takes_the_denied_clause_for_true(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert once(parse_sentence(sentence)) == expected


def test_exactly_one_toggle_on_real_text(sentences: list[str]) -> None:
    changed = 0
    for parse in parse_sentences(sentences):
        new = once(parse)
        if new is not None:
            changed += 1
            assert abs(len(NEGATIVE.findall(new)) - len(NEGATIVE.findall(parse.text))) == 1
    assert changed > 150


def test_clearnlp_copula_is_handled(copula_as_root: Parse) -> None:
    assert twice(copula_as_root) == "It is not true that he was not old."
    assert once(copula_as_root) == "He was not old."


def test_long_text_is_handled(parse_sentence: ParseSentence) -> None:
    new = twice(parse_sentence("He was here. " * 600))
    assert new is None or new.startswith("It is not true that he was not here. He was here.")
