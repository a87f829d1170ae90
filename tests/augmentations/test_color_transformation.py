"""ColorTransformation: what counts as a colour, what is put in, the table of the W3C."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.rules.lexical.color_transformation.rule import color_transformation, colors

ParseSentence = Callable[[str], Parse]
COLOR = "|".join(sorted(map(re.escape, colors()), key=len, reverse=True))


@pytest.mark.parametrize(
    ("sentence", "pattern"),
    [
        ("He has a red car.", "He has an? (COLOR) car."),
        ("An orange hat lay there.", "An? (COLOR) hat lay there."),
        ("White flowers grow here.", "(COLOR) flowers grow here."),
        ("The sky is blue.", "The sky is (COLOR)."),
        ("The walls were painted in light blue.", "The walls were painted in (COLOR)."),
        ("The team's colours are blue and gold.", "The team's colours are (COLOR) and (COLOR)."),
        ("Mr. Brown saw a black  dog .", "Mr. Brown saw an? (COLOR)  dog ."),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_colour_becomes_another_and_the_rest_stays(parse_sentence: ParseSentence, sentence: str, pattern: str, seed: int) -> None:
    new = color_transformation(parse_sentence(sentence), Random(seed))
    assert new is not None
    assert new != sentence
    assert re.fullmatch(pattern.replace("COLOR", COLOR).replace(".", r"\."), new, re.IGNORECASE), new


@pytest.mark.parametrize(
    "sentence",
    [
        "He drank orange juice and white wine.",
        "Scientists saw a black hole.",
        "The black people of the town came.",
        "Two white and two black men came.",
        "The film was shot in black and white.",
        "James Brown came.",
        "She is red-haired.",
        "He felt blue.",
        "He ate salmon and wheat.",
        "He won a gold medal.",
        "The White House was full.",
        "A jet black car stopped.",
        'They wrote "green" there.',
        "It studies purple bacteria and green bacteria.",
        "The red supergiant is large.",
        "The share of red varieties grew.",
        "Tar balls and brown carbon coat the black carbon particles.",
        "The Asian brown cloud is a concern.",
        "Colonies of black legged kittiwakes breed here.",
        "They saw a red fox and a white oak.",
        "They built large green areas.",
        "He ate white chocolate.",
        "It is a reddish brown oxide.",
        "It was a bright yellow line with a wavelength of 587 nanometers.",
        "The flowers are whitish to pale yellow.",
        "The shield is golden (yellow) today.",
        "The jersey is all-red with a white collar.",
        "i watched jackie brown in a green coat .",
        "they crossed the blue ridge mountains .",
        "he worked for brown and williams then .",
        "the officer led operation brown ice.",
        "Its shade was a midnight green colour.",
        "He saw a green car and a red-haired dog.",
        "He wore a red hat beside eight black delegates.",
        "`` the lady in red `` is a train .",
        "Its clean and green image helps.",
        "Green lumber was all very well.",
        "They grow hard red spring wheat.",
        "The grey gene acts on any colour.",
        "It lies between orange and dark gray on the spectrum.",
        "is the car windows azure ?",
        "The night was black as hell.",
        "They make gray iron castings and red bean curd.",
        "Eat brown bread instead of white.",
        "Hm",
        "",
    ],
)
def test_name_kind_idiom_or_person_stays(parse_sentence: ParseSentence, sentence: str) -> None:
    assert color_transformation(parse_sentence(sentence), Random(0)) is None


@pytest.mark.parametrize(
    ("sentence", "pattern"),
    [
        ("Red, green, and blue are the primary colors.", "(COLOR), (COLOR), and (COLOR) are the primary colors."),
        ("The field has a red cross.", "The field has an? (COLOR) cross."),
        ("They wore green or brown clothing.", "They wore (COLOR) or (COLOR) clothing."),
        ("My notebook is pink.", "My notebook is (COLOR)."),
        ("A dog, which is brown, runs.", "A dog, which is (COLOR), runs."),
        ("A large white dog saw a black one.", "A large (COLOR) dog saw an? (COLOR) one."),
        ("A man in a shirt dyed purple ran away.", "A man in a shirt dyed (COLOR) ran away."),
        ("Mary dyed her hair blue.", "Mary dyed her hair (COLOR)."),
        ("The light turned green.", "The light turned (COLOR)."),
        ("He sat in a white porcelain bathtub.", "He sat in an? (COLOR) porcelain bathtub."),
        ("She wore a blue kimono.", "She wore an? (COLOR) kimono."),
        ("She wore a black coat instead of a white coat.", "She wore an? (COLOR) coat instead of an? (COLOR) coat."),
        ("I saw a woman in black.", "I saw a woman in (COLOR)."),
        ("I like my yellow scarf.", "I like my (COLOR) scarf."),
        ("The mug is white.", "The mug is (COLOR)."),
        ("Our sofa is dark green.", "Our sofa is (COLOR)."),
        ("Unplug the black cable.", "Unplug the (COLOR) cable."),
    ],
)
def test_every_colour_changes(parse_sentence: ParseSentence, sentence: str, pattern: str) -> None:
    new = color_transformation(parse_sentence(sentence), Random(0)) or ""
    assert re.fullmatch(pattern.replace("COLOR", COLOR).replace(".", r"\."), new, re.IGNORECASE), new


def test_capital_of_the_sentence_is_no_name() -> None:
    rows = [("Brown", 0, "brown", "PROPN", "NNP", 2, "compound"), ("corrugated", 6, "corrugate", "VERB", "VBN", 2, "amod"),
            ("sheeting", 17, "sheeting", "NOUN", "NN", 3, "nsubj"), ("rusted", 26, "rust", "VERB", "VBD", 3, "ROOT")]  # fmt: skip
    new = color_transformation(parse_of_rows("Brown corrugated sheeting rusted", rows), Random(0)) or ""
    assert re.fullmatch(f"({COLOR}) corrugated sheeting rusted", new, re.IGNORECASE)


@pytest.mark.parametrize("seed", range(40))
def test_no_name_of_a_thing_is_put_in(parse_sentence: ParseSentence, seed: int) -> None:
    new = color_transformation(parse_sentence("He has a red car."), Random(seed)) or ""
    assert not re.search("orchid|lime car|snow|linen|chocolate|tomato|salmon|peru|wheat|cream|lace", new)


@pytest.mark.parametrize(
    ("sentence", "pattern"),
    [
        ("Tom's eyes are blue.", "Tom's eyes are (brown|gray|green)."),
        ("A black dog ran.", "A (brown|gray|white) dog ran."),
        ("He has a red car.", "He has an? ((?!dark turquoise|medium|dim|dark red)COLOR) car."),
    ],
)
@pytest.mark.parametrize("seed", range(10))
def test_a_thing_gets_a_colour_that_it_may_have(parse_sentence: ParseSentence, sentence: str, pattern: str, seed: int) -> None:
    new = color_transformation(parse_sentence(sentence), Random(seed)) or ""
    assert re.fullmatch(pattern.replace("COLOR", f"(?:{COLOR})").replace(".", r"\."), new, re.IGNORECASE), new


@pytest.mark.parametrize("seed", range(20))
def test_article_follows_the_new_name(parse_sentence: ParseSentence, seed: int) -> None:
    new = color_transformation(parse_sentence("He has a red car."), Random(seed)) or ""
    found = re.fullmatch(r"He has (an?) (.+) car\.", new)
    assert found
    assert (found[1] == "an") == (found[2][0].lower() in "aeiou")


@pytest.mark.parametrize("seed", range(20))
def test_one_colour_one_substitute(parse_sentence: ParseSentence, seed: int) -> None:
    new = color_transformation(parse_sentence("A red car hit the red gate and the blue bus."), Random(seed)) or ""
    found = re.fullmatch(r"An? (.+) car hit the (.+) gate and the (.+) bus\.", new)
    assert found
    assert found[1] == found[2] != found[3]


@pytest.mark.parametrize("seed", range(20))
def test_a_shade_word_gets_a_name_of_one_word(parse_sentence: ParseSentence, seed: int) -> None:
    new = color_transformation(parse_sentence("The wall was a bright red colour."), Random(seed)) or ""
    assert re.fullmatch(r"The wall was a bright \w+ colour\.", new)


@settings(max_examples=60)
@given(st.sampled_from(sorted(colors())), st.integers(0, 2**32))
def test_the_value_always_changes(name: str, seed: int) -> None:
    text = f"a red {name.replace('-', ' ')} bus".replace(" red red", " red")
    words = text.split()
    starts = [sum(len(word) + 1 for word in words[:place]) for place in range(len(words))]
    last = len(words) - 1
    rows = [
        (word, start, word, "NOUN" if place == last else "ADJ", "NN" if place == last else "JJ", last, "ROOT" if place == last else "amod")
        for place, (word, start) in enumerate(zip(words, starts, strict=True))
    ]
    new = color_transformation(parse_of_rows(text, rows), Random(seed))
    assert new is None or new != text


def test_as_published_any_letters_of_the_list_change(parse_sentence: ParseSentence) -> None:
    new = color_transformation(parse_sentence("He ate tan salmon."), Random(0), fidelity="original")
    assert new is not None
    assert "salmon" not in new


def test_table_holds_the_147_keywords() -> None:
    assert len(colors()) == 147
    assert colors()["light sea green"] == "20b2aa"
    assert colors()["gray"] == colors()["grey"]
    assert all(re.fullmatch("[0-9a-f]{6}", value) for value in colors().values())


def test_long_text_is_handled(parse_sentence: ParseSentence) -> None:
    new = color_transformation(parse_sentence("He saw the green door and a red car. " * 260), Random(0))
    assert new is not None
    assert new.count("He saw the ") == 260
