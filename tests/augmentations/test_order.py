"""SentenceSubjectObjectSwitch, YodaPerturbation, SentenceReordering: golden sentences, what is left alone, hand-made parses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.rules.syntax.sentence_reordering.adverbial import moved_adverbial
from augcse.augmentations.rules.syntax.sentence_reordering.rule import sentence_reordering
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.rule import sentence_subject_object_switch
from augcse.augmentations.rules.syntax.yoda_perturbation.rule import yoda_perturbation

ParseSentence = Callable[[str], Parse]


def switch(parse: Parse, rng: Random | None = None, *, fidelity: Fidelity = "grammatical") -> str | None:
    [new] = sentence_subject_object_switch([parse], [rng or Random(0)], fidelity=fidelity)
    return new


def yoda(parse: Parse) -> str | None:
    return yoda_perturbation(parse, Random(0))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("I saw him.", "He saw me."),
        ("Mason developed new methods.", "New methods developed Mason."),
        ("The group bought Boeing Co.", "Boeing Co. bought the group."),
        ("Mr Smith Jr. praised the king.", "The king praised Mr Smith Jr."),
        ("He loves them.", "They love him."),
        # Not the pronoun.
        ("Canada thanked the US.", "The US thanked Canada."),
        ("The US helped the police.", "The police helped the US."),
        # "It" is a thing, unless it stands for a clause that follows.
        ("It killed the man.", "The man killed it."),
        ("It asked the man to wait.", "The man asked it to wait."),
        ("We are helping them.", "They are helping us."),
        ("The man does not like dogs.", "Dogs do not like the man."),
        ("The book was written by Tolstoy.", "Tolstoy was written by the book."),
        ("The cats were chased by him.", "He was chased by the cats."),
        ("The committee that met here approved the plan.", "The plan approved the committee that met here."),
        ("In 2016, the king praised  the farmer.", "In 2016, the farmer praised  the king."),
        ("John loves Mary.", "Mary loves John."),
        ("Mary and John have a dog.", "A dog has Mary and John."),
        ("Did the king see the farmers?", "Did the farmers see the king?"),
        ("She wants to see the old man.", "The old man wants to see her."),
        ("The dog looked at him.", "He looked at the dog."),
        ("The king had a dog, which was old.", "A dog, which was old, had the king."),
        ("the king had a dog , which was old .", "a dog , which was old , had the king ."),
        ('He said, "My son has two dogs."', 'He said, "Two dogs have my son."'),
        # After a quotation the sentence goes on, and so does a quotation that "he said" interrupts.
        ('"It rains," Tom told the farmer.', '"It rains," the farmer told Tom.'),
        ('"It rains," Okafor wrote to her dealer.', '"It rains," her dealer wrote to Okafor.'),
        ('"We won," the king told the farmer, "and I praise them."', '"We won," the king told the farmer, "and they praise me."'),
        ('"I am ill," said the knight, "I want my supper."', '"I am ill," said the knight, "my supper wants me."'),
        ('"It is late," Ann said. "I saw him."', '"It is late," Ann said. "He saw me."'),
        ("Last year the king praised the farmers.", "Last year the farmers praised the king."),
        ("I saw him last year.", "He saw me last year."),
        ("The treaty was signed by the Dutch.", "The Dutch were signed by the treaty."),
        ("Nazareth and Israel were ruled by the king.", "The king was ruled by Nazareth and Israel."),
        # The one who is told something is the object.
        ("She told him that it rained.", "He told her that it rained."),
        # The whole phrase moves, as far as the parser takes it.
        ("The debate over its origins has inflamed a paper.", "A paper has inflamed the debate over its origins."),
        ("How do I stop my cravings?", "How do my cravings stop me?"),
        ("He criticized his colleagues for their faults.", "His colleagues criticized him for their faults."),
        ("She is proud of her son.", "Her son is proud of her."),
        # The number of a share is that of its noun, in two words too.
        ("The Costa group already owns 26 per cent of Chiquita shares.", "26 per cent of Chiquita shares already own the Costa group."),
        ("He was brought up by his uncle.", "His uncle was brought up by him."),
        ("He has the right to vote.", "The right to vote has him."),
        # A clause of the object, with its prepositions, goes with it; one of the subject too.
        ("The king praised a letter sent by the farmer.", "A letter sent by the farmer praised the king."),
        ("The man who now commanded her had started the voyage.", "The voyage had started the man who now commanded her."),
    ],
)
def test_subject_and_object_change_places(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert switch(parse_sentence(sentence)) == expected


def test_a_day_beside_the_object_stays(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("The Securities and Exchange Commission sued two District men yesterday, charging them with it.")
    assert switch(parse) == "Two District men sued the Securities and Exchange Commission yesterday, charging them with it."


@pytest.mark.parametrize(
    "sentence",
    [
        "He made his debut in May.",
        "She was a singer.",
        "He slept.",
        "It lasted three years.",
        "It annoyed the man to wait.",
        "It surprised the man that she came.",
        "The ceremony took place in May.",
        "He washed himself.",
        "Who saw the man?",
        "He gave her a book.",
        "I wish you good luck.",
        "The man did the actual writing.",
        "They said the central bank sold about 30 mln U.S. Dlrs.",  # which the parser takes for "said the bank"
        "",
        "Stop",
        "🙂 🙂",
        "Bees collect nectar from flowers and turn it into honey.",
        "The house was seen in a book.",
        "The king died in Paris.",
        "Fischer never liked this move and avoided it.",
        "Walking home, I saw the dog.",
        "The academy elected Ann as its fellow.",
        "Tom jammed with the singer.",
        "It is made of the island of Malta and several outlying rocks.",
    ],
)
def test_sentence_that_resists_the_switch_stays(parse_sentence: ParseSentence, sentence: str) -> None:
    assert switch(parse_sentence(sentence)) is None


def clause(subject: list[tuple[str, str, str]], verb: tuple[str, str], other: list[tuple[str, str, str]]) -> Parse:
    """Return the parse of "subject verb object."; a phrase is (word, tag, label) with its head last."""
    words = [*subject, (verb[0], verb[1], "ROOT"), *other, (".", ".", "punct")]
    root = len(subject)
    heads = [len(subject) - 1] * (len(subject) - 1) + [root, root] + [root + len(other)] * (len(other) - 1) + [root, root]
    rows, start = [], 0
    for (word, tag, label), head in zip(words, heads, strict=True):
        start -= word == "."
        rows.append((word, start, word.lower(), "X", tag, head, label))
        start += len(word) + 1
    return parse_of_rows(" ".join(word for word, _, _ in words[:-1]) + ".", rows)


@pytest.mark.parametrize(
    ("left_alone", "neighbour", "expected"),
    [
        # The verb says the same of both.
        ("The length of the legs equals the length of the body.", "A book explains the law.", "The law explains a book."),
        ("In 1842, he married Elinor Stone.", "In 1842, he praised Elinor Stone.", "In 1842, Elinor Stone praised him."),
        # An object with "no" in front turns the clause around: "No house had the king".
        ("The king had no house.", "The king had a house.", "A house had the king."),
        # "Not" stands before no object.
        ("Not everyone loves the king.", "Everyone loves the king.", "The king loves everyone."),
        ("Not all farmers saw the king.", "All farmers saw the king.", "The king saw all farmers."),
        # Another noun phrase begins where the object ends.
        ("The king called them a fool.", "The king called them.", "They called the king."),
        # Half of a coordination would stay after.
        ("He saw the man, the dog and the king.", "He saw the man and the king.", "The man and the king saw him."),
        # Number that a verb shows and the noun does not.
        ("They were released by the Bengals.", "The Bengals released him.", "He released the Bengals."),
        ("The food was praised by other media.", "The food was praised by critics.", "Critics were praised by the food."),
        # The phrase goes on where the parser, and not the tagger, ends it.
        ("The state sold a majority stake to the king.", "The state sold a farm in May.", "A farm sold the state in May."),
        # A passive's object is a predicate, or a second one.
        ("He was made a member of the council.", "A member of the council saw him.", "He saw a member of the council."),
        # Half of a preposition.
        ("She voted in favour of the bill.", "She voted for the bill.", "The bill voted for her."),
        # A name that the lexicon has as a word, and a common noun.
        ("Worth left the town.", "Women left the town.", "The town left women."),
        # A common noun that is a surname too.
        ("Power left the Civil Service.", "Women left the Civil Service.", "The Civil Service left women."),
        # A particle does not stand before a pronoun.
        ("He will give up Emirena.", "The prince gave up Emirena.", "Emirena gave up the prince."),
        # No deed of anybody.
        ("The army was reduced by 25 percent.", "The army was praised by critics.", "Critics were praised by the army."),
        ("Nobody had any proof.", "Nobody had a proof.", "A proof had nobody."),
        # A time, or what is between two things, is no object.
        ("The doctor died in the past.", "The doctor died in the river.", "The river died in the doctor."),
        ("The doctor died in the 1960s.", "The doctor died in the river.", "The river died in the doctor."),
        ("Tom was sitting between Mary and John.", "Tom was sitting beside Mary and John.", "Mary and John were sitting beside Tom."),
        # Half of an idiom.
        ("The king waited on hold.", "The king waited on the farmer.", "The farmer waited on the king."),
        # Whether a preposition is the object's or the verb's is sure only where the noun is known to take it.
        ("They raised their stake in the company.", "They raised their stake.", "Their stake raised them."),
        ("She knows the man with a hat.", "She has the right to vote.", "The right to vote has her."),
        ("He informed the king of the danger.", "He feared the king of the danger.", "The king of the danger feared him."),
        # "It" that stands for what follows, and "same" that announces it.
        ("It is hard on me.", "He is hard on me.", "I am hard on him."),
        ("I had the same problem as you.", "I had the problem.", "The problem had me."),
        # What the parser was in doubt about.
        ("The boy left at the farm was happy.", "The boy left the farm.", "The farm left the boy."),
        # A clause that takes up the doer would speak of another one.
        (
            "We would like to sell this house, if we don't have to.",
            "We would like to sell this house.",
            "This house would like to sell us.",
        ),
        # So would a clause with "-ing" whose doer is that of the main one, not that of its object.
        ("Before leaving, the nurse saw the man.", "Before dawn, the nurse saw the man.", "Before dawn, the man saw the nurse."),
        ("She praised me after telling a lie.", "She accused me of telling a lie.", "I accused her of telling a lie."),
        # An adjective's infinitive is of no object.
        ("Moves were underway to tackle the problem.", "Moves began to tackle the problem.", "The problem began to tackle moves."),
        ("Its mission is to maintain the system.", "Its mission maintains the system.", "The system maintains its mission."),
        ("She saw three men a day.", "I saw him a day later.", "He saw me a day later."),
        ("The dog had been killed by 11 p.m.", "The dog had been killed by the farmer.", "The farmer had been killed by the dog."),
        # A passive with an object, the object of what is done to it, a subject among the objects.
        ("The queen was given a book.", "The queen gave a book.", "A book gave the queen."),
        ("The king had the house painted.", "The king had the house.", "The house had the king."),
        ("They saw each other.", "They saw the others.", "The others saw them."),
        # Two pronouns, two objects, a pronoun of the wrong case.
        ("They saw him or her.", "They saw him.", "He saw them."),
        ("He or she saw them.", "He saw them.", "They saw him."),
        ("Tom and I saw the dog.", "Tom and Ann saw the dog.", "The dog saw Tom and Ann."),
        ("To him made me sick.", "He made me sick.", "I made him sick."),
        ("I give the ipod five stars.", "I give five stars.", "Five stars give me."),
        # Half of a verb.
        ("He did the job.", "He saw the job.", "The job saw him."),
        # What may be a particle does not stand before a pronoun; a preposition does.
        ("I handed in my notice on Monday.", "I relied on my notice on Monday.", "My notice relied on me on Monday."),
        # A quantity alone after a preposition.
        ("The princess did not sleep at all.", "The princess did not smile at us.", "We did not smile at the princess."),
        # What describes the subject in front of it.
        ("As a boy of nine he crossed the Pyrenees.", "As a result he crossed the Pyrenees.", "As a result the Pyrenees crossed him."),
        (
            "Although unsigned, the altarpiece was praised by the king.",
            "In the end, the altarpiece was praised by the king.",
            "In the end, the king was praised by the altarpiece.",
        ),
        # An infinitive whose verb was taken for an adjective.
        ("He listened to slow music.", "He listened to the old music.", "The old music listened to him."),
        # What follows an adverb says where, unless verb and preposition are one verb.
        ("The robin sang on from the handle.", "The hind looked straight at us.", "We looked straight at the hind."),
        ("A biker is riding away from a fence.", "The boy relied heavily on his mother.", "His mother relied heavily on the boy."),
    ],
)
def test_switch_tells_what_can_move_from_what_cannot(parse_sentence: ParseSentence, left_alone: str, neighbour: str, expected: str) -> None:
    assert switch(parse_sentence(left_alone)) is None
    assert switch(parse_sentence(neighbour)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [("He was born in Paris.", "Paris was born in He."), ("The king met her.", "her met The king."), ("It rained.", None)],
)
def test_original_switches_the_first_phrases_as_they_are(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert switch(parse_sentence(sentence), fidelity="original") == expected


def test_number_of_a_share_is_that_of_its_noun(parse_sentence: ParseSentence) -> None:
    assert switch(parse_sentence("He sends about 70 percent of his letters.")) == "About 70 percent of his letters send him."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The king praised the old farmer, but he disliked the farm.", "The old farmer praised the king, but he disliked the farm."),
        ("The king left the town when the war began.", "The town left the king when the war began."),
        ("The king praised the farmers, making them happy.", "The farmers praised the king, making them happy."),
    ],
)
def test_what_follows_the_object_and_is_none_of_it_stays(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert switch(parse_sentence(sentence)) == expected


PRONOUNS = {"I": "me", "he": "him", "she": "her", "we": "us", "they": "them", "it": "it", "you": "you"}


@given(st.sampled_from(sorted(PRONOUNS)), st.sampled_from(sorted(PRONOUNS)))
def test_switching_pronouns_gives_case_and_number(one: str, other: str) -> None:
    """The oracle builds the switched sentence from the definition; switching it back gives the first sentence again."""

    def sentence(subject: str, seen: str) -> tuple[str, Parse]:
        verb = "sees" if subject in ("he", "she", "it") else "see"
        tag = "VBZ" if verb == "sees" else "VBP"
        first = subject if subject == "I" else subject.capitalize()
        return f"{first} {verb} {PRONOUNS[seen]}.", clause([(first, "PRP", "nsubj")], (verb, tag), [(PRONOUNS[seen], "PRP", "obj")])

    assume(one != other)
    text, parse = sentence(one, other)
    switched, back = sentence(other, one)
    assert parse.text == text
    assert switch(parse) == switched
    assert switch(back) == text


def test_demonym_and_name_keep_their_capital_and_common_words_do_not() -> None:
    farm = [("the", "DT", "det"), ("farm", "NN", "obj")]
    assert switch(clause([("Germans", "NNS", "nsubj")], ("bought", "VBD"), farm)) == "The farm bought Germans."
    assert switch(clause([("Women", "NNS", "nsubj")], ("bought", "VBD"), farm)) == "The farm bought women."


def test_doubtful_agreement_is_left_alone() -> None:
    assert switch(clause([("Railway", "NN", "nsubj")], ("carry", "VBP"), [("coal", "NN", "obj")])) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("You are strong.", "Strong, you are."),
        ("May is a time when we sing.", "A time when we sing, May is."),
        ("Is he strong?", "Strong, is he?"),
        ("What's the best way to learn?", "The best way to learn, what is?"),
        ("How can I find the ring?", "Find the ring, how can I?"),
        ("Go home!", "Home, go!"),
        ("It's true.", "True, it is."),
        ("You still have much to learn.", "Much to learn, you still have."),
        ("I am your father.", "Your father, I am."),
        ("He will find the ring.", "Find the ring, he will."),
        ("He did not go home.", "Go home, he did not."),
        ("She can't swim.", "Swim, she can't."),
        ("In 1990, he moved to Paris.", "In 1990, to Paris, he moved."),
        ("He gave up the fight.", "The fight, he gave up."),
        ("He gave her a book.", "A book, he gave her."),
        ("He gave me a book.", "A book, he gave me."),
        ("He took off his coat.", "His coat, he took off."),
        ("He said that he was ill.", "That he was ill, he said."),
        ("There is a house in the village.", "A house in the village, there is."),
        ("The book was written by Tolstoy.", "Written by Tolstoy, the book was."),
        (
            "The force is strong with this one, and the dark side is near.",
            "Strong with this one, the force is, and near, the dark side is.",
        ),
        ("200 members of the council of Rome were at the front.", "At the front, 200 members of the council of Rome were."),
        ("50 boys saw a girl of Rome.", "A girl of Rome, 50 boys saw."),
        # An address has no capital of a sentence.
        ("Visit https://a.org/b for more details.", "https://a.org/b, visit for more details."),
        # A participle that comments on the whole clause stays at the end, wherever the parser puts it; a list of them may not be one.
        ("It is old, suggesting that monks built it.", "Old, it is, suggesting that monks built it."),
        ("He is the man who came when asked, making us happy.", "The man who came when asked, he is, making us happy."),
        # An expression of verb and noun that the lexicon has stays together, and a place with its relative clause.
        ("The concert took place in May.", "In May, the concert took place."),
        ("I took care of my sister.", "Of my sister, I took care."),
        ("I drink water in the morning.", "Water in the morning, I drink."),
        ("I did it.", "It, I did."),
        ("I live in Rome, where my parents met.", "In Rome, where my parents met, I live."),
        ("It was a film about the war, refusing to take sides.", "A film about the war, refusing to take sides, it was."),
        ("I saw her dog.", "Her dog, I saw."),
        ("The doors open at 9 a.m.", "At 9 a.m., the doors open."),
        ("She works for Apple Inc.", "For Apple Inc., she works."),
        ("The site is located approx. 2.5 km away.", "Located approx. 2.5 km away, the site is."),
        ("The house was locked after I left.", "Locked, the house was, after I left."),
    ],
)
def test_what_follows_the_verb_goes_in_front(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert yoda(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Is he strong, or is he old?",
        "He slept.",
        "What is it?",
        "What about lunch?",
        "He made her cry.",
        "Let the reader catch his breath.",
        "Sing in the rain today",
        "Lie back and go to sleep.",
        "Fold in the flour and bake the cake.",
        "Don't open the door or the cake will fall.",
        "He bought his daughter a dress.",  # of which the parser takes both for what is bought
        "In many of his poems, death comes by train: a strong image.",
        "Paris in spring.",
        '"I am old," he said.',
        "",
        "🙂 🙂",
    ],
)
def test_sentence_without_a_flip_stays(parse_sentence: ParseSentence, sentence: str) -> None:
    assert yoda(parse_sentence(sentence)) is None


def test_yoda_keeps_every_word(parse_sentence: ParseSentence, sentences: list[str]) -> None:
    flipped = [(text, yoda(parse_sentence(text))) for text in sentences[:200]]
    # "It's" at the end of a clause is written out.
    changed = [(text, new) for text, new in flipped if new and not {"'", "’"} & set(text)]
    assert len(changed) > 40
    for text, new in changed:
        assert Counter(filter(str.isalnum, text.lower())) == Counter(filter(str.isalnum, new.lower()))


def test_reordering_shuffles_whole_sentences(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("The bell rang.  We ran home! Rain fell.")
    results = {sentence_reordering(parse, Random(seed)) for seed in range(60)}
    assert len(results) == 5
    assert parse.text not in results
    assert "Rain fell.  We ran home! The bell rang." in results


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann came. She left. Bob slept.", "Bob slept. Ann came. She left."),
        ("Ann came. In the storm they left it. Bob slept.", "Bob slept. Ann came. In the storm they left it."),
        ("Gates open. Rust, however, stops them. Nobody came.", "Nobody came. Gates open. Rust, however, stops them."),
        # a first sentence leans on nothing that is there
        ("She left. Bob slept.", "Bob slept. She left."),
        ("Labor Day is in May. It is a holiday.", None),
        # a subject without a name has to be known from before, a speaker or what is always so does not
        ("Ann sold the factory. Terms were undisclosed.", None),
        ("Ann sold the factory. Labels are powerful.", "Labels are powerful. Ann sold the factory."),
        # what leans on a sentence that is not there stays behind nothing else
        ("However, Ann came. Peter slept.", None),
        ("It was cold. However, we left.", None),
        ("Circles are hard. In Syracuse Archimedes did this.", None),
        (
            "The use of fences, walls etc. - should be avoided. Nobody came.",
            "Nobody came. The use of fences, walls etc. - should be avoided.",
        ),
    ],
)
def test_what_leans_on_a_sentence_moves_with_it(parse_sentence: ParseSentence, text: str, expected: str | None) -> None:
    assert sentence_reordering(parse_sentence(text), Random(0)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "The bell rang.",
        "He met Mr. Smith of the U.S. Army at No. 5 St. James Street.",
        "It rang. It rang. It rang.",
        'He said "Come. Go" twice.',
        "",
        "...",
        # A message that is passed on, and what builds on the sentence before it.
        "The king won again. RT @tom: Rain fell. We ran home.",
        "We love cake. We especially love cake with cream.",
    ],
)
def test_one_sentence_stays(parse_sentence: ParseSentence, sentence: str) -> None:
    assert sentence_reordering(parse_sentence(sentence), Random(0)) is None


def test_no_words_have_no_adverbial(parse_sentence: ParseSentence) -> None:
    assert moved_adverbial(parse_sentence("")) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("When the king left, we ran home.", "We ran home when the king left."),
        ("Although it was late, the king left the town.", "The king left the town, although it was late."),
        ("The king left the town because it was cold.", "Because it was cold, the king left the town."),
        ("In 1990, the king left the town .", "The king left the town in 1990 ."),
        ("He was born in Lamia, Greece in 1950.", "In 1950, he was born in Lamia, Greece."),
        ("The album was released on the next day.", "On the next day, the album was released."),
        ("Germany invaded Poland on September 1, 1939.", "On September 1, 1939, Germany invaded Poland."),
        ("He retired in the spring of 1999.", "In the spring of 1999, he retired."),
        ("The shop was closed from 1990 to 1995.", "From 1990 to 1995, the shop was closed."),
        ("The king left last night.", "Last night, the king left."),
        ("He came home in May.", "In May, he came home."),
        ("We ran home when the bell rang.", "When the bell rang, we ran home."),
        ("He worked mainly during the war.", None),
        # The first word loses its capital, or keeps that of a name; where it may be either, the sentence stays.
        ("Prices rose last year.", "Last year, prices rose."),
        ("Stones were thrown last night.", "Last night, stones were thrown."),
        ("Germany lost the war in 1918.", "In 1918, Germany lost the war."),
        ("Power was lost in 1990.", None),
        ("Snow covered the town in 1990.", None),
        ("The museum closed during the war.", "During the war, the museum closed."),
        ("The window is from May 1990 to June 1995.", None),
        # A number is no time; "last" may be half of one.
        ("The costs ranged from 50,000 to 200,000.", None),
        ("The king fell over the last years.", None),
        # No war passes away, or is "he".
        ("His wife passed away in 2009.", "In 2009, his wife passed away."),
        ("He lost his job during the war.", "During the war, he lost his job."),
        ("He lost his job during the reign of the king.", None),
        ("It fell during the war.", None),
        ("In 1990, the king left the town, which was old.", "The king, in 1990, left the town, which was old."),
        ("On May 2, 1990, the king left the town, which was old.", None),
        ("In 1990, a king left the town, which was old.", None),
        ("In 1990, he left the town, which was old.", None),
        ("The king visited the elections held in May 1990.", None),
        ("He said that the king left in 1990.", None),
        ("Customer says the screen flickers when the charger is plugged in.", None),  # read as "says the screen"
        ("When the king came, he slept in the town.", None),
        ("However, in 1990, the king left the town.", None),
        # A pronoun would come before what it stands for, and "when" goes with a noun.
        ("He left the town when he was ten.", "When he was ten, he left the town."),
        # A clause would part the subject far from its verb.
        ("While the king slept, the men must leave ports such as York, Leeds, and Hull.", None),
        # The place would say more of the last noun; a negation would no longer reach over what was moved.
        ("In Greek myths, the king saw the queen.", None),
        ("In Greek myths, the king was seen.", "The king was seen in Greek myths."),
        ("In the town, no man saw a house.", None),
        # A time would belong to a word within the last phrase: to the end, or to what is known.
        ("In 1990, the king saw the end of the war in Spain.", "The king, in 1990, saw the end of the war in Spain."),
        ("In 1990, she saw the end of the war in Spain.", None),
        ("In 1990, the king had a house known as the castle.", "The king, in 1990, had a house known as the castle."),
        # Between subject and verb an adverbial needs a verb with words after it, and no general statement.
        ("In 1990, the king left, weeping.", None),
        ("During the war, the king asked himself if he was right.", "The king, during the war, asked himself if he was right."),
        ("During a war, the king asks himself if he is right.", None),
        ("By 1841, the king was old.", None),
        # Without a comma, with two, and before a second clause.
        ("In 1775 he left the town.", "He left the town in 1775."),
        ("On July 4, 1776, the king left the town.", "The king left the town on July 4, 1776."),
        ("In 1775, he moved to Paris, and she stayed.", "He moved to Paris in 1775, and she stayed."),
        ("In the Times , the king said that he was late, but ill.", "The king, in the Times, said that he was late, but ill."),
    ],
)
def test_adverbial_of_the_only_sentence_changes_its_place(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert sentence_reordering(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize("rule", [switch, yoda_perturbation, sentence_reordering])
def test_long_text_is_handled(parse_sentence: ParseSentence, rule: Callable[[Parse, Random], str | None]) -> None:
    new = rule(parse_sentence("He saw the old house there. We like tea. " * 240), Random(0))
    assert new is not None
    assert len(new) > 9_000
