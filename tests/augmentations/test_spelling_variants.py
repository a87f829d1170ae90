from random import Random

import pytest

from augcse.augmentations.rules.surface.spelling_variants.rule import spelling_variants


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Colour and humour.", "Color and humor."),
        ("She wrote a check in color.", "She wrote a check in colour."),
        ("She wrote a cheque in colour.", "She wrote a check in color."),
        ("THE CENTRE", "THE CENTER"),
        ("a councillor sold unpasteurised milk and chillies", "a councilor sold unpasteurized milk and chilies"),
        ("unrecognized sulfates", "unrecognised sulphates"),
        ("51 percent of them apologized", "51 per cent of them apologised"),
        # one direction at a time
        ("The grey color.", "The gray color."),
        ("a beveled miter joint and moisturizer", "a bevelled mitre joint and moisturiser"),
    ],
)
def test_spells_the_other_way(sentence: str, expected: str) -> None:
    assert spelling_variants(sentence, Random(0)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "🙂",
        "A check.",
        "An email from the website.",
        "The World Trade Center is here.",
        "a multi-colour-tv",
        "x.colour.com",
        "Take your home entertainment CENTER with you.",
        "an armored, well-organized group",
    ],
)
def test_leaves_alone(sentence: str) -> None:
    assert spelling_variants(sentence, Random(0)) is None
