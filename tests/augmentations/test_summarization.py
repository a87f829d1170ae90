"""Summarization: what is left out of a sentence, and what has to stay."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest

from augcse.annotation.parse import Parse
from augcse.augmentations.rules.syntax.summarization.rule import summarization

ParseSentence = Callable[[str], Parse]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        # Adverbials in front, and between commas; two in a row.
        ("In 2015, Belushi was praised by Rolling Stone.", "Belushi was praised by Rolling Stone."),
        ("However, the bridge was rebuilt by the king.", "The bridge was rebuilt by the king."),
        ("Although it rained, the farmers cut the hay.", "The farmers cut the hay."),
        ("The king, after a long war, left the town.", "The king left the town."),
        ("The king was ill when he died.", "The king was ill."),
        ("In those years, the king was a fool.", "The king was a fool."),
        ("It is not clear, however, whether he will come.", "It is not clear whether he will come."),
        # Appositions, relative and participle clauses after a comma.
        ("Mary Smith, a doctor from Ohio, wrote the book.", "Mary Smith wrote the book."),
        ("He visited the castle, which was built by monks.", "He visited the castle."),
        # A comma that closes another aside or an opening stays, and none before the verb; one full stop ends the sentence.
        (
            "With the choice of Michael O. Leavitt, a governor of Utah, the shape of the cabinet has become clear.",
            "With the choice of Michael O. Leavitt, the shape of the cabinet has become clear.",
        ),
        ("One of my concerns, though, is I don't want to see him.", "One of my concerns is I don't want to see him."),
        # Of two asides, the one that stays keeps its commas.
        ("Anna Petrova, aged 93, of Bristol, died in her sleep.", "Anna Petrova, of Bristol, died in her sleep."),
        ("Susan Hall, 90, a retired doctor, died Tuesday.", "Susan Hall, 90, died Tuesday."),
        ("His first film, Swell Hogan, directed by Ralph Graves, was a disaster.", "His first film was a disaster."),
        ("He studied law in Washington, D.C., where he met the king.", "He studied law in Washington, D.C."),
        ("The storm hit the coast, causing heavy floods.", "The storm hit the coast."),
        ("Tom came home, now, along the river.", "Tom came home."),
        ("He said the rules, focusing on safety, were new.", "He said the rules were new."),
        ("China signed a pact, which may help, he said.", "China signed a pact, he said."),
        # Brackets.
        ("The film (released in May) won a prize.", "The film won a prize."),
        # Reasons and times at the end.
        ("The farmers sold the horses because the winter was hard.", "The farmers sold the horses."),
        ("The king built the castle during the war.", "The king built the castle."),
        ("She lost her watch yesterday.", "She lost her watch."),
        ("In May, all the men left.", "All the men left."),
        ("The bridge was built by the monks in the 12th century.", "The bridge was built by the monks."),
        ("The children cheered the king when he came.", "The children cheered the king."),
        # More of a predicate.
        ("Gamla is a village in northern Iran.", "Gamla is a village."),
        # A second main clause.
        ("The king left the town, and the queen stayed in the castle.", "The king left the town."),
        ("The dog (a puppy) met the cat (a kitten) in the park.", "The dog met the cat in the park."),
        ("It was (temporarily) removed because it had faults.", "It was removed because it had faults."),
    ],
)
def test_what_can_be_left_out_is(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert summarization(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "He slept.",
        "A quiet place by the sea.",
        "Run!",
        "",
        "...",
        # What holds there, or then, only.
        "In frogs, the change is mediated by cells.",
        "Before the war, terror was confined to towns.",
        "Prices were flat last year.",
        # Adjectives and adverbs of manner.
        "The type should be easily recognized.",
        "She bought an expensive car.",
        # What follows "but" is what the sentence is said for.
        "The king left the town, but the queen stayed in the castle.",
        "Values of the counter (s) are stored.",
        # A condition, a negation, a weakening word.
        "If it rains, the farmers stay at home.",
        "Without the king, the town fell.",
        "Perhaps, the king left.",
        # Where a general claim, or one of what there is, holds; how often; an alternative or an exception.
        "In these complexes, chlorophyll serves three functions.",
        "He is constantly complaining.",
        "She won a fourth term.",
        "It was midnight (or a little later) in the town.",
        "She liked all of it (besides the price).",
        # Whose view it is, what it leaves out, and when only.
        "The king, according to the paper, left the town.",
        "To my knowledge, the king left the town.",
        "The king left the town, in my view.",
        "The bridge is old (somewhat).",
        "The king saw the town during all wars but one.",
        "The animated graphics are so great, that they look every bit of realistic.",
        "They thought the risk was gone when, in fact, it was there.",
        "On average, the king saw the town.",
        "In part, the king was right.",
        "They reached the target of (40 tonnes).",
        "It was built with the aim, to help them.",
        # The last of a list of clauses.
        "He picked it up, rubbed it, and a king appeared.",
        # One of two adjectives.
        "It changed the life of a young and idealistic radio astronomer.",
        # Words that make another thing of the noun, a term of the dictionary, an empty noun, a light verb.
        "He met the former king.",
        "He had a heart attack.",
        "He visited a high school.",
        "It has a long tail.",
        "She found the right way.",
        # The name that a pronoun stands for.
        "When Mary came, she sang.",
        # A list is no apposition.
        "He met Anna, Paul, and Maria.",
        "He was born in 1950.",
        # What "the" or a possessive tells apart, what is denied, and what is likened to.
        "They read the second chapter.",
        "They met the German king.",
        "This is not told by a famous writer.",
        "It sounds like a good plan.",
        # A condition, and what is known.
        "The children laugh when the king falls.",
        "When the king falls, the children laugh.",
        # All that is said of the subject; half of a stretch of time.
        "Harvard was founded in 1636.",
        "She worked from morning till night.",
        "He left the town nearly forty years after he came.",
        "The bell has rung the week before the feast.",
        "The indicator was over 350 when the plane crashed.",
        # What the parser takes for the main clause opens with "when".
        "When the orchestra concluded, about 50 latecomers rustled in.",
        "That's why, working with this Congress, I will reform it.",
        # What the brackets hold is the predicate, or half of the brackets would stay.
        "The correct answer is (c).",
        "The king (a man (of old Rome) who lived) left the town.",
        'He walked home ("he said (no)").',
        "The dog (a puppy) met the cat (not a kitten) in the park.",
        # The last of three clauses takes its "and" along.
        "The soup was cold, the waiter was rude and we left the town.",
        # Half of a sentence opens with its comma.
        ", in May, the king came home.",
        "In the event that he fails, the money is lost.",
    ],
)
def test_what_is_needed_stays(parse_sentence: ParseSentence, sentence: str) -> None:
    assert summarization(parse_sentence(sentence), Random(0)) is None


def test_each_sentence_of_a_text_is_shortened(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("The king, an old man, left the town. The film (released in May) won a prize.")
    assert summarization(parse, Random(0)) == "The king left the town. The film won a prize."


def test_no_more_is_written_than_stood_there(parse_sentence: ParseSentence) -> None:
    sentence = "On Monday, the old bridge, which was built by monks, fell into the river."
    words = re.findall(r"\w+", (summarization(parse_sentence(sentence), Random(0)) or "").lower())
    assert words
    assert set(words) <= set(re.findall(r"\w+", sentence.lower()))


def test_an_aside_before_a_participle_may_be_one_of_a_list(parse_sentence: ParseSentence) -> None:
    sentence = (
        "Measurements at 3.15 cm were obtained on 11 days spread over the interval May 3 to June 19, 1956, using the 50-foot reflector at"
        " the U. S. Naval Research Laboratory in Washington."
    )
    # The year was once cut out with both of its commas.
    short = "Measurements at 3.15 cm were obtained on 11 days spread over the interval May 3 to June 19, 1956."
    assert summarization(parse_sentence(sentence), Random(0)) == short


@pytest.mark.parametrize(
    "sentence",
    [
        "The storm weakened overnight but is still packing winds of 160 kilometres an hour.",
        "The strap is cut from leather that darkens with age and picks up, over the years, a map of everywhere you've been.",
    ],
)
def test_no_rate_and_no_object_after_an_aside_is_left_out(parse_sentence: ParseSentence, sentence: str) -> None:
    assert summarization(parse_sentence(sentence), Random(0)) is None
