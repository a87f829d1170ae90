"""What readers found in sentences of leaflets, contracts, forums, emails, recipes and news, one short sentence for each cause."""

from __future__ import annotations

import pytest

from augcse.augmentations.run.apply import augment


@pytest.mark.parametrize(
    ("rule", "sentence", "expected"),
    [
        ("ContractionExpansions", "Do NOT book here.", None),
        ("ContractionExpansions", "I DON'T like it.", "I DO NOT like it."),
        ("ContractionExpansions", "IT IS GOOD.", "IT'S GOOD."),
        ("DiscourseMarkerSubstitution", "NOW, THEREFORE, the parties agree.", None),
        ("DiscourseMarkerSubstitution", "It is short notice, but can somebody come?", None),
        ("DiscourseMarkerSubstitution", "They are cheap, but they can also break.", None),
        ("DiscourseMarkerSubstitution", "They are cheap, but they are good.", "They are cheap, yet they are good."),
        ("NumericToWord", "Ticket #48213 is open.", None),
        ("NumericToWord", "It took 50 fs to decay.", None),
        ("NumericToWord", "He is #1 in 3 countries.", "He is number one in three countries."),
        ("PunctuationInsertion:mode=sequential", "See Fig. 3", "See Fig. 3!"),
        ("SentenceAuxiliaryNegationRemoval", "The families don't feel any richer.", "The families feel richer."),
        ("SentenceAuxiliaryNegationRemoval", "He still has not seen it.", None),
        ("SentenceAuxiliaryNegationRemoval", "Do not take it if you use any other.", "Take it if you use any other."),
        ("SentenceSubjectObjectSwitch", "The airline is buying 40 new aircraft.", "40 new aircraft are buying the airline."),
        ("SentenceSubjectObjectSwitch", "The war ended by the time of the king.", None),
        ("SentenceSubjectObjectSwitch", "Tom came home and saw the farmer.", "The farmer came home and saw Tom."),
        ("YodaPerturbation", "The man agrees not to copy it.", "Not to copy it, the man agrees."),
        ("Summarization", "Although canned tomatoes are cheaper, fresh ones taste better.", None),
        ("SentenceReordering", "Although canned tomatoes are cheaper, fresh ones taste better.", None),
        ("GenderSwap", "Women are invited for breast screening.", None),
        ("GenderSwap", "Hamlet loves his mother.", None),
        ("GenderSwap", "He lives in Princes Street.", None),
        ("GenderSwap", "SIR Ivan Walsh lost his hat.", "DAME Barbara Walsh lost her hat."),
        ("GenderSwap", "Alexander I Theopator was a king.", None),
        ("ColorTransformation", "Red, White & Crüe has a red car.", None),
        ("ColorTransformation", "It was anti-flash white.", None),
        (
            "DoubleNegation",
            "Yet, ironically, their defence rests on circumstances produced by the war they claim is inevitable.",
            None,
        ),
        ("NumericToWord", "On 14 Mar 1519 he came.", None),
        ("ColorTransformation", "He made Play of Light: Black, White, Grey.", None),
        ("AntonymsSubstitute", "Police are appealing for witnesses.", None),
        ("AntonymsSubstitute", "The older patients left.", "The younger patients left."),
        ("AffirmativeAuxiliary", "How did they react?", None),
        ("AffirmativeAuxiliary", "You know, people forget that it was cold.", None),
        ("SentenceNegation", "It is late, which means that he sleeps.", None),
        ("SentenceNegation", "I am sending you photographs as well as a jar.", None),
        ("SentenceNegation", "They have argued about it ever since it came.", None),
        ("YodaPerturbation", "The burger was dry, the fries were soggy, and my pasta had too much salt.", None),
        ("YodaPerturbation", "Your new card is enclosed; sign the back.", None),
        ("YodaPerturbation", "It was not the plague but the grain tax that broke the village.", None),
        ("YodaPerturbation", "She could smell the iron long before the ship came.", None),
        ("TenseTransformation", "He will consider it and can leave it if she wants it.", None),
        ("DoubleNegation", "As a retired nurse, I was appalled.", None),
        ("DoubleNegation", "Previously renovated, the flat would suit him.", None),
        ("DoubleNegation", "There is something comic about it.", None),
        ("GeoNamesTransformation", "God bless the United States of America.", None),
        ("DiscourseMarkerSubstitution", "It improved last year because the plants were closed.", None),
        ("SentenceSubjectObjectSwitch", "He is lying, buy the cake.", None),
        ("SentenceAuxiliaryNegationRemoval", "It is not bad, and anyone who says so is ill.", "It is bad, and anyone who says so is ill."),
        # What a review found lost or wrong in these mends.
        ("SentenceSubjectObjectSwitch", "The men own the house.", "The house owns the men."),
        ("SentenceNegation", "There are some apples.", "There are not any apples."),
        ("SentenceAuxiliaryNegationRemoval", "He does not think that anyone who came is ill.", "He thinks that someone who came is ill."),
        ("SentenceAuxiliaryNegationRemoval", "It is still not good.", "It is still good."),
        ("ColorTransformation", "He had a well-worn red coat.", "He had a well-worn orange coat."),
        ("GenderSwap", "He told his wife of the Othello recording.", "She told her husband of the Othello recording."),
        ("YodaPerturbation", "It has hit the house that he built.", "Hit the house that he built, it has."),
    ],
)
def test_findings(rule: str, sentence: str, expected: str | None) -> None:
    assert augment([sentence], rule) == [expected]
