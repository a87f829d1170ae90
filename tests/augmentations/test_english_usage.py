"""What English does not allow, or says otherwise, one sentence for each: what a rule writes there, or None where it leaves it alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from augcse.annotation.parse import Parse
from augcse.augmentations.english.inflection import verb_lemma
from augcse.augmentations.english.main_clause import main_verb_group
from augcse.augmentations.english.phrase import lower_first
from augcse.augmentations.rules.lexical.antonyms.rule import sentence_adjectives_antonyms_switch
from augcse.augmentations.rules.lexical.gender_swap.rule import gender_swap
from augcse.augmentations.rules.lexical.synonym_substitution.rule import synonym_substitution
from augcse.augmentations.rules.noise.punctuation.rule import punctuation_insertion
from augcse.augmentations.rules.polarity.affirmative_auxiliary import affirmative_auxiliary
from augcse.augmentations.rules.polarity.double_negation import double_negation
from augcse.augmentations.rules.polarity.modal_verbs import modal_verbs
from augcse.augmentations.rules.polarity.sentence_auxiliary_negation_removal import sentence_auxiliary_negation_removal
from augcse.augmentations.rules.polarity.sentence_negation import sentence_negation
from augcse.augmentations.rules.syntax.factive_verb_transformation import factive_verb_transformation
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.rule import sentence_subject_object_switch
from augcse.augmentations.rules.syntax.summarization.rule import summarization
from augcse.augmentations.rules.syntax.tense_transformation.rule import tense_transformation
from augcse.augmentations.rules.syntax.yoda_perturbation.rule import yoda_perturbation

ParseSentence = Callable[[str], Parse]
Rule = Callable[[Parse, Random], str | None]


@pytest.mark.parametrize("rule", [sentence_negation, double_negation, affirmative_auxiliary, modal_verbs])
def test_would_rather_and_had_better_take_no_other_auxiliary(parse_sentence: ParseSentence, rule: Rule) -> None:
    for sentence in ("I'd rather stay home than go to another one of his parties.", "You'd better hurry, or you'll miss the plane."):
        assert rule(parse_sentence(sentence), Random(0)) is None, sentence


def test_better_after_be_is_no_had_better(parse_sentence: ParseSentence) -> None:
    assert modal_verbs(parse_sentence("The old road is better."), Random(0)) is not None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Nothing has been decided yet.", "Something has been decided already."),
        ("Few people have ever heard of this village.", None),
        ("She never eats any meat.", "She eats some meat."),
        ("They never saw anyone there.", "They saw someone there."),
        ("The door is never locked at all.", "The door is locked."),
        ("Tom never goes there anymore.", "Tom goes there."),
        ("He cannot see either.", "He can see both."),
        ("He never eats much.", "He eats a lot."),
    ],
)
def test_words_that_live_on_a_negation_follow_it(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert sentence_negation(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The law does not apply at all times.", "The law applies at all times."),
        ("It was not open at all hours.", "It was open at all hours."),
        ("They do not work remotely.", "They work remotely."),
        ("They are not remotely rich.", "They are rich."),
        ("He did not smoke either.", "He smoked too."),
        ("They will not come any time soon.", "They will come soon."),
    ],
)
def test_words_that_live_on_a_negation_are_told_from_the_same_words_elsewhere(
    parse_sentence: ParseSentence, sentence: str, expected: str
) -> None:
    assert sentence_negation(parse_sentence(sentence), Random(0)) == expected
    assert sentence_auxiliary_negation_removal(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("No, he is a doctor.", None),
        ("No. 4477 left the base.", None),
        ("He will win no matter what.", None),
        ("We have no more money.", None),
        ("She has no idea.", "She has an idea."),
        ("No one came.", "Someone came."),
        ("I saw no one.", "I saw someone."),
        ("He is no longer here.", "He is still here."),
        ("The school no longer exists.", "The school still exists."),
    ],
)
def test_no_is_a_negation_as_a_determiner_or_with_its_word(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert sentence_negation(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He comes here once a week.", "He does not come here once a week."),
        ("He alone left.", None),
        ("He lives alone.", "He does not live alone."),
        ("She is a pretty girl.", "She is not a pretty girl."),
        ("She is pretty old.", None),
        ("He wrote some 30 books.", "He did not write some 30 books."),
        ("They have lived here ever since.", None),
    ],
)
def test_words_that_a_denial_changes(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert sentence_negation(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize(
    "sentence", ["It is not new, it is old.", "Tom is not rich, he is poor.", "They do not play chess, they play cards."]
)
def test_a_correction_stays(parse_sentence: ParseSentence, sentence: str) -> None:
    assert sentence_negation(parse_sentence(sentence), Random(0)) is None
    assert sentence_auxiliary_negation_removal(parse_sentence(sentence), Random(0)) is None


def test_an_inverted_condition_loses_its_capital(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("Had I known about the strike, I would have taken the car.")
    assert lower_first(parse, 0, parse.text) == "had I known about the strike, I would have taken the car."


def test_what_will_happen_would_happen_after_a_past(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("I don't think he will come.")
    assert tense_transformation(parse, Random(0), to_tense="past") == "I didn't think he would come."


@pytest.mark.parametrize("sentence", ["We had our roof repaired last summer.", "The thief had his fingerprints taken at the station."])
def test_who_has_something_done_is_not_switched(parse_sentence: ParseSentence, sentence: str) -> None:
    assert sentence_subject_object_switch([parse_sentence(sentence)], [Random(0)]) == [None]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("See you on Monday.", None),
        ("it 's a funny , sweet and surprisingly honest little film .", "a funny , sweet and surprisingly honest little film , it is ."),
    ],
)
def test_yoda_keeps_greetings_and_writes_commas_as_the_text_does(
    parse_sentence: ParseSentence, sentence: str, expected: str | None
) -> None:
    assert yoda_perturbation(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize("sentence", ["lol the whole pizza is gone", "Mary, I love you."])
def test_an_interjection_or_address_is_no_fact(parse_sentence: ParseSentence, sentence: str) -> None:
    assert factive_verb_transformation(parse_sentence(sentence), Random(0)) is None


def test_not_only_waits_for_its_but(parse_sentence: ParseSentence) -> None:
    assert summarization(parse_sentence("Not only did he forget my birthday, but he also blamed me for it."), Random(0)) is None


def test_her_before_a_verb_is_him(parse_sentence: ParseSentence) -> None:
    swapped = gender_swap(parse_sentence("Her parents let her stay up late on Saturdays."), Random(0))
    assert swapped == "His parents let him stay up late on Saturdays."


def test_however_before_an_adverb_is_no_connective(parse_sentence: ParseSentence) -> None:
    parses = [parse_sentence("However hard she tried, she could not open the jar.")]
    for seed in range(5):
        [text] = synonym_substitution(parses, [Random(seed)], rate=1.0)
        assert text is None or text.startswith("However hard")


def test_an_adjective_after_a_preposition_stays(parse_sentence: ParseSentence) -> None:
    assert sentence_adjectives_antonyms_switch(parse_sentence("They will be back before dark."), Random(0)) is None


def test_an_emoticon_is_no_final_mark(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("just finished my last exam & im so happy rn :)")
    written = {punctuation_insertion(parse, Random(seed)) for seed in range(12)}
    assert not any("!)" in text for text in written if text)
    assert any(text.endswith(":)!") for text in written if text)


@pytest.mark.parametrize(
    "sentence", ["No two snowflakes are alike.", "There's nothing in the fridge but a lemon.", "I'm not sure whether I locked the door."]
)
def test_a_negation_that_the_rest_hangs_on_is_not_taken_out(parse_sentence: ParseSentence, sentence: str) -> None:
    assert sentence_negation(parse_sentence(sentence), Random(0)) is None


def test_a_headline_with_a_predicate_may_be_a_passive(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("Woman found dead in hotel room")
    assert sentence_negation(parse, Random(0)) is None
    assert modal_verbs(parse, Random(0)) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("This commit fixes a memory leak in the image loader.", None),
        ("Bees make honey, and spiders spin webs.", None),
    ],
)
def test_no_verb_is_put_in_the_future_by_mistake(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert tense_transformation(parse_sentence(sentence), Random(0), to_tense="future") == expected


@pytest.mark.parametrize(("word", "lemma"), [("spiders", None), ("dozens", None), ("walks", "walk")])
def test_a_noun_that_is_no_verb_has_no_verb_form(word: str, lemma: str | None) -> None:
    assert verb_lemma(word, "VBZ", word.removesuffix("s")) == lemma


def test_a_noun_of_which_the_tagger_mistook_the_number_leaves_the_switch_in_doubt(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("The wind drives the clouds.")
    mistaken = replace(parse, tags=(*parse.tags[:-2], "NN", parse.tags[-1]))
    assert sentence_subject_object_switch([mistaken], [Random(0)]) == [None]


def test_yoda_leaves_both_with_what_it_joins(parse_sentence: ParseSentence) -> None:
    turned = yoda_perturbation(parse_sentence("Both the king and the queen were sick."), Random(0))
    assert turned == "Sick, both the king and the queen were."


def test_a_verb_that_the_tagger_took_for_an_adjective_has_no_antonym(parse_sentence: ParseSentence) -> None:
    switched = sentence_adjectives_antonyms_switch(parse_sentence("What surprised me most was the price."), Random(0))
    assert switched is None or "unsurprised" not in switched


def test_too_before_an_infinitive_is_not_overly(parse_sentence: ParseSentence) -> None:
    parses = [parse_sentence("He is too young to drive.")]
    assert all("overly" not in (synonym_substitution(parses, [Random(seed)], rate=1.0)[0] or "") for seed in range(5))


def test_no_quotation_mark_before_the_comma_of_a_subject(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("According to the report, 40 of the 52 bridges are unsafe.")
    written = {punctuation_insertion(parse, Random(seed), mode="fallback") for seed in range(20)}
    assert not any('report",' in text for text in written if text)


def test_a_final_too_would_have_to_be_either(parse_sentence: ParseSentence) -> None:
    assert sentence_negation(parse_sentence("You can use it, too."), Random(0)) is None


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("I was offered a job at the mill.", "provided"),
        ("We were disappointed.", "thwarted"),
        ("The man expects to hear it.", "anticipates"),
        ("Please note that it is late.", "remark"),
        ("He tried very hard to win.", "difficult"),
        ("What are the various forms?", "several"),
    ],
)
def test_a_synonym_of_another_sense_stays_out(parse_sentence: ParseSentence, sentence: str, word: str) -> None:
    parses = [parse_sentence(sentence)]
    assert all(word not in (synonym_substitution(parses, [Random(seed)], rate=1.0)[0] or "") for seed in range(5))


def test_on_her_is_on_him(parse_sentence: ParseSentence) -> None:
    assert gender_swap(parse_sentence("I knew I was stuck on her already."), Random(0)) == "I knew I was stuck on him already."


@pytest.mark.parametrize("sentence", ["Not many people came.", "It is taking longer to dry."])
def test_not_many_and_taking_longer_have_no_antonym(parse_sentence: ParseSentence, sentence: str) -> None:
    assert sentence_adjectives_antonyms_switch(parse_sentence(sentence), Random(0)) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Stocks dipped lower on Tuesday.",
        "You are working too hard.",
        "They outraged the television watching public.",
        "The power of the large countries grows at the expense of small.",
        "It is slow, very, very slow indeed and a slow train.",
        "They are getting married.",
        "Let's clear something up.",
        "No one escaped alive.",
        "He had a hard boiled egg.",
        "She moved to new york.",
        "They went their separate ways.",
    ],
)
def test_adverbs_nouns_and_set_phrases_have_no_antonym(parse_sentence: ParseSentence, sentence: str) -> None:
    assert sentence_adjectives_antonyms_switch(parse_sentence(sentence), Random(0)) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The rain made it harder to see.", "The rain made it easier to see."),
        ("Critics praised the latest plan.", "Critics praised the first plan."),
        ("He has strange ideas.", "He has normal ideas."),
        ("They imposed tough sanctions.", "They imposed weak sanctions."),
        ("I was in a similar situation.", "I was in a different situation."),
        ("His father lived in a constant fear.", "His father lived in an occasional fear."),
        ("They asked for greater autonomy.", "They asked for less autonomy."),
        ("The current law is short.", "The previous law is long."),
    ],
)
def test_the_antonym_is_that_of_the_sense(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert sentence_adjectives_antonyms_switch(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He went home and slept.", "He did not go home or sleep."),
        ("She opened the window, looked out and waved.", "She did not open the window, look out or wave."),
        ("He takes the bus, gets home late and goes to bed.", "He does not take the bus, get home late or go to bed."),
        ("She sings, he dances and laughs.", "She does not sing, he dances and laughs."),
        ("He left, she stayed and waited.", "He did not leave, she stayed and waited."),
        ("She sings and dances.", "She does not sing or dance."),
        ("He eats, sleeps and works.", "He does not eat, sleep or work."),
        ("They sing and dance.", "They do not sing or dance."),
        ("We did not sing and dance.", "We sang and danced."),
        ("He can sing and dances well.", None),
        ("Many people came.", "Not many people came."),
        ("Every dog barked.", "Not every dog barked."),
        ("In May, all shops are shut.", "In May, not all shops are shut."),
        ("Everybody was happy.", "Not everybody was happy."),
        ("All the dogs are alive.", "Not all the dogs are alive."),
        ("All I want is a car.", None),
        ("Several dogs barked.", "No dogs barked."),
        ("Some people left.", "No people left."),
        ("Someone is here.", "No one is here."),
        ("Someone is cutting some paper.", "No one is cutting any paper."),
        ("Some 200 men left.", None),
        ("Something may be wrong.", None),
        ("Some of them left.", None),
        ("Each dog barked.", None),
        ("Half of them came.", None),
        ("A lot of people came.", None),
        ("Thousands of people came.", None),
        ("The number of people grew.", "The number of people did not grow."),
        ("Many people are not here.", None),
        ("The women upstairs sang.", "The women upstairs did not sing."),
        ("The figures below suddenly rose.", "The figures below did not suddenly rise."),
        ("He likes songs and dances.", "He does not like songs and dances."),
        ("He likes dogs but hates cats.", None),
        ("There is also a museum in the town.", None),
        ("I bet you are right.", None),
        ("There were few visitors.", None),
        ("What is this dish called in English?", None),
    ],
)
def test_a_denial_reaches_the_verbs_that_share_the_subject(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert sentence_negation(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It does not make much sense.", "It makes a lot of sense."),
        ("It does not matter much.", "It matters a lot."),
        ("I do not know if it works.", None),
        ("She is not exactly happy.", None),
    ],
)
def test_what_lives_on_a_negation_is_adapted_or_keeps_it(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert sentence_auxiliary_negation_removal(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The sail is being reflected by the water.", None),
        ("Where does the old man live?", "Where will the old man live?"),
        ("Whose book is this?", "Whose book will this be?"),
        ("I said it wasn't a person, in the legal sense.", "I will say it isn't a person, in the legal sense."),
    ],
)
def test_the_future_of_passives_and_questions(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert tense_transformation(parse_sentence(sentence), Random(0), to_tense="future") == expected


def test_am_has_no_contracted_not(parse_sentence: ParseSentence) -> None:
    assert tense_transformation(parse_sentence("I wasn't around."), Random(0), to_tense="present") is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He is skillfully playing the piano.", "be skillfully playing the piano."),
        ("The house was fatally damaged.", "have been fatally damaged."),
        ("The house is often too small.", "often be too small."),
        ("The tower is still closed.", "still be closed."),
    ],
)
def test_only_an_adverb_of_the_clause_goes_before_the_verb_of_a_modal(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    new = modal_verbs(parse_sentence(sentence), Random(0))
    assert new is not None
    assert new.endswith(expected)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The town is the place he has seen in theaters.", None),
        ("It was over what the king had said at a session.", None),
        ("It makes no difference.", None),
        ("If you wear a bear bell on your backpack, it rings.", "If a bear bell wears you on your backpack, it rings."),
        ('"The Last Frontier" was praised by old critics.', 'Old critics were praised by "The Last Frontier".'),
        ('"The Last Frontier" was shown by old theaters.', 'Old theaters were shown by "The Last Frontier".'),
    ],
)
def test_switched_phrases_are_subject_and_object(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert sentence_subject_object_switch([parse_sentence(sentence)], [Random(0)]) == [expected]


@pytest.mark.parametrize(
    "sentence",
    ["The point is an unarmed child was murdered.", "This was just after the war had started.", "I laugh at her and follow her upstairs."],
)
def test_yoda_turns_no_two_clauses_as_one(parse_sentence: ParseSentence, sentence: str) -> None:
    assert yoda_perturbation(parse_sentence(sentence), Random(0)) is None


def test_yoda_ends_no_clause_within_a_number(parse_sentence: ParseSentence) -> None:
    assert yoda_perturbation(parse_sentence("it was only $ 39 . 99 with free shipping ."), Random(0)) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It rained heavily, he said.", "It did not rain heavily, he said."),
        ("The bank is not safe, a spokesman told reporters.", "The bank is safe, a spokesman told reporters."),
        ("He said that it rained.", "He did not say that it rained."),
    ],
)
def test_what_is_said_is_denied_and_not_that_someone_says_it(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert sentence_negation(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize(
    ("rule", "sentence", "expected"),
    [
        (sentence_negation, "i 've had headaches .", "i have not had headaches ."),
        (sentence_negation, "the device isn 't really so big .", "the device is really so big ."),
        (sentence_negation, "don 't buy this phone .", "buy this phone ."),
        (sentence_auxiliary_negation_removal, "i haven 't seen anything yet .", "i have seen something already ."),
        (tense_transformation, "you can 't go .", "you couldn 't go ."),
        (yoda_perturbation, "i don 't like it .", "like it , i don 't ."),
    ],
)
def test_clitics_that_a_tokeniser_parted_are_read_as_what_they_are(
    parse_sentence: ParseSentence, rule: Rule, sentence: str, expected: str
) -> None:
    assert rule(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize(
    ("rule", "sentence", "expected"),
    [
        (double_negation, "27. Your print is different.", "27. It is not the case that your print is not different."),
        (yoda_perturbation, "(a) The tenant shall pay the rent.", "(a) Pay the rent, the tenant shall."),
        (sentence_negation, "> I think that we should leave.", "> I do not think that we should leave."),
    ],
)
def test_a_sentence_begins_after_the_marker_of_a_list(parse_sentence: ParseSentence, rule: Rule, sentence: str, expected: str) -> None:
    assert rule(parse_sentence(sentence), Random(0)) == expected


def test_a_verb_in_one_word_with_its_to_stays(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("I gotta go home.")
    assert main_verb_group(parse) is None
    assert tense_transformation(parse, Random(0)) is None
    assert yoda_perturbation(parse, Random(0)) is None
