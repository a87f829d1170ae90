"""SentenceAdjectivesAntonymsSwitch: golden sentences, what is left alone, the antonym table."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.rules.lexical.antonyms.places import antonyms
from augcse.augmentations.rules.lexical.antonyms.rule import antonyms_substitute, sentence_adjectives_antonyms_switch

ParseSentence = Callable[[str], Parse]


def switch(parse: Parse) -> str | None:
    return sentence_adjectives_antonyms_switch(parse, Random(0))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Amanda's mother was very beautiful.", "Amanda's mother was very ugly."),
        ("The dead man had a small dog.", "The living man had a large dog."),
        ("He was unable to come.", "He was able to come."),
        ("Big dogs bark.", "Small dogs bark."),
        ("The  small\tdog barked .", "The  large\tdog barked ."),
        # one that does not go with the words around stays, the others need not
        ("A brown and white dog ran through the tall grass.", "A brown and white dog ran through the short grass."),
        ("The big house was so cold that he left.", "The small house was so cold that he left."),
        ("They are not able to sell the old car.", "They are not able to sell the new car."),
        # what is joined with it and no adjective need not agree with it
        ("The price was high, but we bought it.", "The price was low, but we bought it."),
        ("It was wet because it had rained.", "It was dry because it had rained."),
        # people are young, and what was theirs once is new
        ("The old witch laughed.", "The young witch laughed."),
        ("My old neighbor left.", "My new neighbor left."),
        # what is compared is not swapped too, which would say the same
        ("Rich countries have lower birth rates than poor countries.", "Rich countries have higher birth rates than poor countries."),
        ("The old cars are faster than the old trucks.", "The new cars are slower than the new trucks."),
    ],
)
def test_adjective_is_switched(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert switch(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The house was bigger than the barn.", "The house was smaller than the barn."),
        ("It is the biggest city in the country.", "It is the smallest city in the country."),
        ("It was the best book.", "It was the worst book."),
        ("That is a more difficult task.", "That is an easier task."),
        ("It is less expensive.", "It is more expensive."),
        # "more" and "most" become "less" and "least" where the opposite has no ending
        ("She is the most important writer.", "She is the least important writer."),
        ("Are you more careful than Tom?", "Are you less careful than Tom?"),
        ("I know a more precise method.", "I know a less precise method."),
        ("It became more popular and interesting.", "It became less popular and interesting."),
        ("It was a most interesting book.", "It was a most uninteresting book."),
        ("He is one of the richest and most powerful men.", "He is one of the poorest and weakest men."),
        ("We want more good books.", "We want more bad books."),
    ],
)
def test_degree_is_kept(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert switch(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He is an old man.", "He is a young man."),
        ("It is strangely unimportant.", "It is strangely important."),
        ("An old house stood there.", "A new house stood there."),
        ("It was a popular answer.", "It was an unpopular answer."),
    ],
)
def test_article_follows(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert switch(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "She goes to high school.",
        "He is five years old.",
        "At least he came.",
        "The New York Times printed it.",
        "The well-known singer came.",
        "I need it right now.",
        "He did it as fast as possible.",
        "Good morning, Tom.",
        "The troops came at short notice.",
        "She runs a legal services office.",
        "They ruled in personal union.",
        "He sends his best wishes.",
        "Its absolute magnitude fell.",
        "It was closely related to music.",
        "The late king liked music.",
        "She sold manual labor.",
        "He had a big break.",
        "He sat in a complete silence.",
        "The public and private sectors met.",
        "He was American.",
        "He was the first of many.",
        "They were rich, famous and French.",
        "She was a humble and modest leader.",
        "There is a market for organic, healthy frozen dinners.",
        "The reason is not clear.",
        "He drank nothing salty.",
        "The price fell short.",
        "How many people came?",
        "Schools, hospitals and similar places closed.",
        "It is a real surprise.",
        "She owns a smart tv.",
        "It is an acidic comedy.",
        "They ran a low key campaign.",
        "Set the white balance.",
        "It is a perfect square.",
        "The hole was big enough for a whale.",
        "They spoke in the same way as he did.",
        "He played no small part in it.",
        "He waited several weeks.",
        "She learns a new language.",
        "The album was certified gold.",
        "It is clear that he left.",
        "It was a full member.",
        "He waited for the last three weeks.",
        "He was a weak, sickly child.",
        # joined with one that stays, or clashing with it
        "Great phone, but the battery life is poor.",
        "Sales rose to two million, the highest level in five years.",
        "She was weak and exhausted.",
        "The rich man gave money to the poor.",
        "Strong winds in the north made it hard for the weak.",
        "The old codgers sat there.",
        "Shares fell in thin trading.",
        "He took exactly the same position.",
        "He fell sick in May.",
        "The men committed atrocities.",
        "He met an old friend.",
        "The bank sits tight.",
        "They won for the second time in a row.",
        "It set a new daily record.",
        "The seven traditional kingdoms fell.",
        "They played with equal temperament.",
        "The traditional owners left.",
        "She saw the western diplomats.",
        "It is a moral theory.",
        "She pressed her lips indirectly or directly.",
        # part of a compound, and a noun
        "The dynasty was short lived.",
        "The Israel official spoke.",
        "He came.",
        "",
        "Hm",
        "🙂",
        "كتاب كبير",
        "How do I clear IBPS PO in one month?",  # a verb
        "He sought to avoid offending either side of the debate.",
        "He rested for several more months.",
        # fixed expressions
        "My old man used to say the same thing.",
        "For more information, please visit our website.",
        "Turn on dark mode.",
        "We train on noisy data.",
    ],
)
def test_name_measure_or_fixed_expression_stays(parse_sentence: ParseSentence, sentence: str) -> None:
    assert switch(parse_sentence(sentence)) is None


def test_predicate_of_a_clearnlp_parse_is_switched() -> None:
    rows = [
        ("He", 0, "he", "PRON", "PRP", 1, "nsubj"),
        ("was", 3, "be", "AUX", "VBD", 1, "ROOT"),
        ("happy", 7, "happy", "ADJ", "JJ", 1, "acomp"),
        (".", 12, ".", "PUNCT", ".", 1, "punct"),
    ]
    assert switch(parse_of_rows("He was happy.", rows)) == "He was unhappy."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The quality was poor.", "The quality was good."),
        ("A poor family lived there.", "A rich family lived there."),
        ("The lower half was found.", "The upper half was found."),
        ("It came in the late 19th century.", "It came in the early 19th century."),
        ("It was a supersonic flight.", "It was a subsonic flight."),
        ("He is wrong because the men are tall.", "He is right because the men are short."),
        ("The path was cold and wet.", "The path was hot and dry."),
        ("The reason is clear.", "The reason is unclear."),
        ("She is taller than you are.", "She is shorter than you are."),
        ("They held multilateral talks.", "They held bilateral talks."),
        ("It was a nice job.", "It was a bad job."),
        ("They use modern techniques.", "They use traditional techniques."),
        ("The court made a final ruling.", "The court made an initial ruling."),
        ("It is the main focus.", "It is the secondary focus."),
        ("He left the busy street.", "He left the quiet street."),
        ("She has a distant cousin.", "She has a close cousin."),
        ("It crosses the western border.", "It crosses the eastern border."),
        ("He took an active role.", "He took a passive role."),
        ("He married a wealthy widow.", "He married a poor widow."),
        ("It covers a wide area.", "It covers a small area."),
        ("He took a sharp knife.", "He took a blunt knife."),
        ("They found a rare coin.", "They found a common coin."),
        ("They award more small grants.", "They award more large grants."),
        ("He was the first player to win it.", "He was the last player to win it."),
        ("It stood on the opposite side.", "It stood on the same side."),
        ("He was involved in the accident.", "He was uninvolved in the accident."),
        ("The old Lyric Theatre burned.", "The new Lyric Theatre burned."),
        ("It offers a great glimpse of a cruel world.", "It offers a great glimpse of a kind world."),
        ("It grew in the late nineteenth century.", "It grew in the early nineteenth century."),
        ("They built numerous churches.", "They built few churches."),
        ("The same man came.", "A different man came."),
        ("They went to the same schools.", "They went to different schools."),
        # no second thing is there for "similar"
        ("We met under different names.", "We met under the same names."),
        ("She works in a different town.", "She works in the same town."),
        ("I saw three different types.", None),
        ("They are very different.", "They are very similar."),
        ("I am using a new computer.", "I am using an old computer."),
        ("Many of the houses fell.", "Few of the houses fell."),
        ("Much of the town burned.", "Little of the town burned."),
        ("She is the current mayor.", "She is the former mayor."),
        ("I am sure Tom would come.", None),
        ("It was her first day.", "It was her last day."),
        ("It saw the growth of several towns, including Rome.", None),
        ("Several people came.", "Few people came."),
        ("It is the principal reason.", "It is the secondary reason."),
        ("She is their young daughter.", "She is their older daughter."),
        ("It fell on the previous month.", "It fell on the following month."),
        ("They run a public primary school.", "They run a private primary school."),
        ("The topic is of great importance.", "The topic is of little importance."),
        ("A little girl came the next day.", "A big girl came the previous day."),
    ],
)
def test_the_antonym_depends_on_what_is_said_of_what(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert switch(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He knows a local baker.", None),
        ("The local newspaper closed.", "The national newspaper closed."),
        ("The town plans 40 new flats.", None),
        ("We saw the new flats.", "We saw the old flats."),
        ("They preserved the original windows.", None),
        ("She sold the equipment available to her.", None),
        ("The book is available.", "The book is unavailable."),
        ("Unlike most birds, it swims.", None),
        ("Few tests have found any harm.", None),
        ("No rooms are available.", None),
        ("It makes much of a difference.", None),
        ("The guards are highly visible.", None),
        ("We stayed at home because the streets were dangerous.", None),
        ("He joined a new party.", None),
        ("It was the worst massacre.", None),
        ("She likes political songs.", None),
        ("They told a human story.", None),
        # changed twice, it would mean the same
        ("The cloth was soft, supple and thin.", None),
    ],
)
def test_what_would_give_the_meaning_back_or_clash_stays(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert switch(parse_sentence(sentence)) == expected


def test_the_original_switches_whatever_has_an_antonym(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("She goes to high school.")
    assert switch(parse) is None
    assert sentence_adjectives_antonyms_switch(parse, Random(0), fidelity="original") == "She goes to low school."
    assert antonyms_substitute(parse, Random(0), fidelity="original") == "She goes to low school."
    assert antonyms_substitute(parse, Random(0), fidelity="original", parity="even") is None
    assert sentence_adjectives_antonyms_switch(parse_sentence("He came."), Random(0), fidelity="original") is None


@pytest.mark.parametrize(("before", "lemma", "expected"), [("leans", "lean", None), ("is", "be", "She is easy")])
def test_what_is_an_adverb_is_left_alone(before: str, lemma: str, expected: str | None) -> None:
    rows = [
        ("She", 0, "she", "PRON", "PRP", 1, "nsubj"),
        (before, 4, lemma, "VERB", "VBZ", 1, "ROOT"),
        ("hard", 5 + len(before), "hard", "ADJ", "JJ", 1, "acomp"),
    ]
    assert switch(parse_of_rows(f"She {before} hard", rows)) == expected


def test_long_text_is_handled(parse_sentence: ParseSentence) -> None:
    assert switch(parse_sentence("He was happy. " * 710)) is not None


def test_no_adjective_is_its_own_antonym() -> None:
    assert [word for word, antonym in antonyms().items() if word == antonym] == []


@pytest.mark.parametrize("word", ["first", "last", "own", "same", "other", "more", "many", "such"])
def test_words_without_a_sensible_opposite_are_left_out(word: str) -> None:
    assert word not in antonyms()


@pytest.mark.parametrize(("word", "tag"), [("er", "JJR"), ("est", "JJS"), ("er", "JJ"), ("-", "JJR"), ("x", "JJS")])
def test_what_is_no_word_but_tagged_an_adjective_is_left_alone(word: str, tag: str) -> None:
    parse = parse_of_rows(word, [(word, 0, word, "ADJ", tag, 0, "ROOT")])
    assert sentence_adjectives_antonyms_switch(parse, Random(0)) is None


def test_what_was_done_successfully_has_no_opposite(parse_sentence: ParseSentence) -> None:
    assert antonyms_substitute(parse_sentence("They successfully closed the shop."), Random(0)) is None
    assert antonyms_substitute(parse_sentence("He tried unsuccessfully to win."), Random(0)) == "He tried successfully to win."


def test_adjectives_that_share_a_degree_are_one_change(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("It became more popular and interesting.")
    assert antonyms_substitute(parse, Random(0)) == "It became less popular and interesting."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The most expensive cars are fast.", "The cheapest cars are slow."),
        ("Most expensive cars are fast.", "Most cheap cars are slow."),  # it counts the cars
        ("He is a more popular singer.", "He is a less popular singer."),
    ],
)
def test_most_grades_the_adjective_or_counts_the_noun(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert sentence_adjectives_antonyms_switch(parse_sentence(sentence), Random(0)) == expected
