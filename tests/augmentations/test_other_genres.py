"""What readers found in sentences of leaflets, contracts, forums, emails, recipes and news, one short sentence for each cause."""

from __future__ import annotations

import pytest

from augcse.augmentations.run.apply import augment


@pytest.mark.parametrize(
    ("rule", "sentence", "expected"),
    [
        ("ModalVerbs", "We randomly assigned 40 adults to one group.", "We should have randomly assigned 40 adults to one group."),
        ("ModalVerbs", "I would like to know her name.", None),
        ("AffirmativeAuxiliary:auxiliary=have to", "I was really lonely.", "I had to be really lonely."),
        ("TenseTransformation:to_tense=future", "The king once again came up.", "The king will once again come up."),
        ("SynonymSubstitution", "I cried like a baby.", None),
        ("SynonymSubstitution", "The children left.", None),
        ("ModalVerbs", "The scan showed a tear.", "The scan should have shown a tear."),
        ("AffirmativeAuxiliary", "His brother died of a fever at 49.", None),
        ("AffirmativeAuxiliary", "She was born in Rome.", None),
        ("AffirmativeAuxiliary:auxiliary=cannot but", "The rooms are huge.", None),
        ("AffirmativeAuxiliary", "Well, you know, I grew up in a small town.", None),
        ("SentenceSubjectObjectSwitch", "Snow fell on high ground overnight.", None),
        ("DoubleNegation", "Pyrite is harder than gold.", None),
        ("GenderSwap", "Rembrandt painted it in the year of his wife's death.", None),
        ("GenderSwap", "The paternity leave was for women too.", None),
        ("GenderSwap", "He is good at Mario Kart.", "She is good at Mario Kart."),
        ("SynonymSubstitution", "Park here and use the bus lane.", None),
        ("ContractionExpansions", "Do NOT book here.", None),
        ("ContractionExpansions", "I DON'T like it.", "I DO NOT like it."),
        ("ContractionExpansions", "IT IS GOOD.", "IT'S GOOD."),
        ("DiscourseMarkerSubstitution", "NOW, THEREFORE, the parties agree.", None),
        ("DiscourseMarkerSubstitution", "They are cheap, but they can also break.", None),
        ("DiscourseMarkerSubstitution", "They are cheap, but they are good.", "They are cheap, yet they are good."),
        ("NumericToWord", "He is #1 in 3 countries.", "He is number one in three countries."),
        ("PunctuationInsertion:mode=sequential", "See Fig. 3", "See Fig. 3!"),
        ("SentenceAuxiliaryNegationRemoval", "He still has not seen it.", None),
        ("SentenceSubjectObjectSwitch", "Tom came home and saw the farmer.", "The farmer came home and saw Tom."),
        ("YodaPerturbation", "The man agrees not to copy it.", "Not to copy it, the man agrees."),
        ("SentenceReordering", "Although canned tomatoes are cheaper, fresh ones taste better.", None),
        ("GenderSwap", "Women are invited for breast screening.", None),
        ("GenderSwap", "I'll tell her everything.", "I'll tell him everything."),
        ("GenderSwap", "Let her sleep.", "Let him sleep."),
        ("GenderSwap", "Hamlet loves his mother.", None),
        ("GenderSwap", "He lives in Princes Street.", None),
        ("GenderSwap", "SIR Ivan Walsh lost his hat.", "DAME Barbara Walsh lost her hat."),
        ("AntonymsSubstitute", "Police are appealing for witnesses.", None),
        ("AntonymsSubstitute", "The older patients left.", "The younger patients left."),
        ("AffirmativeAuxiliary", "You know, people forget that it was cold.", None),
        ("SentenceNegation", "It is late, which means that he sleeps.", None),
        ("SentenceNegation", "The band wrote its first song, which reached number five.", None),
        ("SentenceNegation", "He painted the bridge, which is old.", "He did not paint the bridge, which is old."),
        ("SentenceNegation", "I am sending you photographs as well as a jar.", None),
        ("SentenceNegation", "They have argued about it ever since it came.", None),
        ("YodaPerturbation", "The burger was dry, the fries were soggy, and my pasta had too much salt.", None),
        ("YodaPerturbation", "Your new card is enclosed; sign the back.", None),
        ("YodaPerturbation", "It was not the plague but the grain tax that broke the village.", None),
        ("DoubleNegation", "As a retired nurse, I was appalled.", None),
        ("DoubleNegation", "Previously renovated, the flat would suit him.", None),
        ("GeoNamesTransformation", "God bless the United States of America.", None),
        ("SentenceSubjectObjectSwitch", "He is lying, buy the cake.", None),
        # Denials, duties and openings in prospectuses, reports and interviews.
        ("SentenceAuxiliaryNegationRemoval", "He does not sing; he shouts.", None),
        ("SentenceAuxiliaryNegationRemoval", "It's not that they don't care.", None),
        ("SentenceAuxiliaryNegationRemoval", "She hasn't read either of the books.", "She has read both of the books."),
        ("SentenceNegation", "He has yet to learn it.", None),
        ("SentenceAuxiliaryNegationRemoval", "He isn't remotely funny.", "He is funny."),
        ("SentenceNegation", "Take your coat and leave.", None),
        ("SentenceNegation", "Did it work? It did.", None),
        ("SentenceNegation", "Rabbits eat grass, and most of them like it.", None),
        ("DoubleNegation", "The lift is not working, which is a shame.", None),
        ("DoubleNegation", "The shop was open, so we went in.", None),
        ("DoubleNegation", "The shop was open - the bank too.", None),
        ("AffirmativeAuxiliary", "The door seems to be shut.", None),
        ("AffirmativeAuxiliary", "She knew the way.", None),
        ("AffirmativeAuxiliary", "The song may be older.", None),
        ("AffirmativeAuxiliary:auxiliary=cannot but", "You must sign the form.", None),
        ("TenseTransformation", "Had they asked, we could have helped.", None),
        ("TenseTransformation", "Can you open the window?", None),
        ("YodaPerturbation", "The guards stood by.", None),
        ("YodaPerturbation", "The tide came in at six.", "At six, the tide came in."),
        ("FactiveVerbTransformation", "Sadly, the tree fell.", None),
        ("FactiveVerbTransformation", "The food was cold and I can't recommend it.", None),
        ("FactiveVerbTransformation", "Judge made three saves.", None),
        ("FactiveVerbTransformation", "Dog is a short film.", None),
        ("SentenceSubjectObjectSwitch", "No one has ever seen the comet.", None),
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


@pytest.mark.parametrize(
    ("rule", "sentence", "expected"),
    [
        ("YodaPerturbation", "She's bought a new house.", "Bought a new house, she has."),
        ("SentenceNegation", "They went somewhere warm.", "They did not go anywhere warm."),
        ("SentenceNegation", "This is no joke.", "This is a joke."),
        ("SentenceNegation", "It is no use.", None),
        ("SentenceNegation", "She is a teacher and lives in Bath.", None),
        ("SentenceNegation", "My name is Anna and I am ten.", None),
        ("SentenceNegation", "Tom's finished his lunch.", None),
        ("SentenceNegation", "Always check the oil before you drive.", None),
        ("SentenceNegation", "For example, he says, a study found it.", None),
        ("SentenceNegation", "Vouchers, they argue, are a guise.", None),
        ("TenseTransformation", "My sister's had a baby.", None),
        ("TenseTransformation", "We had better leave.", None),
        ("YodaPerturbation", "They used to live in Rome.", None),
        ("YodaPerturbation", "Call me later.", None),
        ("ModalVerbs", "She has got to leave.", None),
        ("ModalVerbs", "She would like some help.", None),
        ("ModalVerbs", "May I come in?", None),
        ("AffirmativeAuxiliary", "I can see the sea from my window.", None),
        ("AffirmativeAuxiliary", "Few people live there.", None),
        ("DoubleNegation", "Can you help me?", None),
        ("Summarization", "Ch'an (Zen) spread to Japan.", "Ch'an spread to Japan."),
        ("SentenceReordering", "While I was cooking, the phone rang.", "The phone rang while I was cooking."),
        ("FactiveVerbTransformation", "Hope is important.", None),
        ("SynonymSubstitution", "He faces severe problems.", "He faces serious problems."),
        ("ContractionExpansions", "My friends ain't coming.", "My friends are not coming."),
        ("ContractionExpansions", "My boss ain't coming.", "My boss is not coming."),
        ("SentenceAdjectivesAntonymsSwitch", "He spoke in a soft voice.", "He spoke in a loud voice."),
        ("SentenceAdjectivesAntonymsSwitch", "The car had a dead battery.", None),
    ],
)
def test_what_a_reviewer_of_ordinary_sentences_found(rule: str, sentence: str, expected: str | None) -> None:
    assert augment([sentence], rule, seed=1) == [expected]


@pytest.mark.parametrize(
    ("rule", "sentence", "expected"),
    [
        ("SentenceNegation", "We have closed your account and enclose a cheque.", None),
        ("DoubleNegation", "We have closed your account and enclose a cheque.", None),
        ("ModalVerbs", "I have read the terms and agree to them.", None),
        ("TenseTransformation", "We have read it and regret to say no.", None),
        ("YodaPerturbation", "We have reviewed your claim and regret to inform you that it is late.", None),
        (
            "SentenceSubjectObjectSwitch",
            "We have enclosed a form and ask you to return it.",
            "A form has enclosed us and asks you to return it.",
        ),
        ("AffirmativeAuxiliary", "All notices under this Agreement must be here.", "All notices under this Agreement have to be here."),
        ("AffirmativeAuxiliary", "Her husband passed away in 2015.", None),
        ("AffirmativeAuxiliary:auxiliary=have to", "They passed a law.", "They had to pass a law."),
    ],
)
def test_letters_notes_and_recipes(rule: str, sentence: str, expected: str | None) -> None:
    assert augment([sentence], rule, seed=1) == [expected]
