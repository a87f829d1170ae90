"""What strict readers found in the published samples of the structure rules, one short sentence for each cause."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.english.times import Tense
from augcse.augmentations.rules.polarity.affirmative_auxiliary import affirmative_auxiliary
from augcse.augmentations.rules.polarity.double_negation import double_negation
from augcse.augmentations.rules.polarity.modal_verbs import modal_verbs
from augcse.augmentations.rules.polarity.sentence_auxiliary_negation_removal import sentence_auxiliary_negation_removal
from augcse.augmentations.rules.polarity.sentence_negation import sentence_negation
from augcse.augmentations.rules.syntax.sentence_reordering.rule import sentence_reordering
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.rule import sentence_subject_object_switch
from augcse.augmentations.rules.syntax.tense_transformation.rule import tense_transformation
from augcse.augmentations.rules.syntax.yoda_perturbation.rule import yoda_perturbation

ParseSentence = Callable[[str], Parse]


def hand_made(text: str, *words: str) -> Parse:
    """Return a parse of words written "token tag label head"."""
    rows, start = [], 0
    for word in words:
        token, tag, label, head = word.split()
        start = text.index(token, start)
        upos = "VERB" if tag.startswith(("V", "MD")) else "X"
        rows.append((token, start, token.lower(), upos, tag, int(head), label))
        start += len(token)
    return parse_of_rows(text, rows)


@pytest.mark.parametrize(
    "sentence",
    [
        "She praised the singer — who was still young — in May.",
        "He painted his best works, three altarpieces, in Florence.",
        "Oxycodone has low affinity for the receptor.",
        "He took office in May.",
        "Then boys and girls like games.",
    ],
)
def test_torn_phrase_or_doubtful_capital_is_not_switched(parse_sentence: ParseSentence, sentence: str) -> None:
    assert sentence_subject_object_switch([parse_sentence(sentence)], [Random(0)]) == [None]


@pytest.mark.parametrize(
    "sentence",
    [
        "It was here that he worked.",
    ],
)
def test_yoda_leaves_idioms_and_what_would_be_stranded(parse_sentence: ParseSentence, sentence: str) -> None:
    assert yoda_perturbation(parse_sentence(sentence), Random(0)) is None


def test_yoda_does_not_strand_a_relative_clause() -> None:
    words = ("It PRP nsubj 1", "hurt VBD ROOT 1", "tenants NNS obj 1", ", , punct 5", "who WP nsubj 5", "paid VBD conj 1", ". . punct 1")
    assert yoda_perturbation(hand_made("It hurt tenants, who paid.", *words), Random(0)) is None


def test_yoda_lowers_a_common_noun_that_the_tagger_took_for_a_name(parse_sentence: ParseSentence) -> None:
    assert yoda_perturbation(parse_sentence("Chromatography is a technique."), Random(0)) == "A technique, chromatography is."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Sensory contact gives rise to craving.", "To craving, sensory contact gives rise."),
        ("It affirmed the rights of Americans as neutrals.", "The rights of Americans as neutrals, it affirmed."),
        ("She won the title in 2015.", "The title in 2015, she won."),
        ("He followed this up by winning the cup.", None),
    ],
)
def test_yoda_takes_along_what_an_object_would_strand(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert yoda_perturbation(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "They met the Hon. Fabian Picardo of Gibraltar.",
        "The groups (countries, people etc.) Others followed them home.",
        "It had 2 towns. (ordered by size) They are cities.",
        "The study by Dole et al. (2011) showed it.",
        'The powers (groups of people etc.) "othered" places they wanted.',
        "It was 'damp and cold... [and]... full'.",
    ],
)
def test_abbreviation_or_bracket_ends_no_sentence(parse_sentence: ParseSentence, sentence: str) -> None:
    assert sentence_reordering(parse_sentence(sentence), Random(0)) is None


@pytest.mark.parametrize("to_tense", ["past", "present", "future"])
@pytest.mark.parametrize(
    "sentence",
    [
        "He was fat and would constantly eat cake.",
        "The wine is old and should be sold.",
        "There is currently no way out.",
        "A constitution was written in 1997 but has not been used, and elections have been postponed.",
        "The letters begin in May, and conclude with wishes.",
    ],
)
def test_no_verb_stays_behind_in_the_old_tense(parse_sentence: ParseSentence, sentence: str, to_tense: Tense) -> None:
    assert tense_transformation(parse_sentence(sentence), Random(0), to_tense=to_tense) is None


def test_past_relative_clause_stands_behind_no_future(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("He won a competition, which enabled him to study.")
    assert tense_transformation(parse, Random(0), to_tense="future") is None
    assert tense_transformation(parse, Random(0), to_tense="present") == "He wins a competition, which enables him to study."


def test_bare_verb_under_a_modal_is_no_missed_one() -> None:
    under_modal = ("He PRP nsubj 2", "will MD aux 2", "come VB ROOT 2", "and CC cc 4", "stay VB conj 2", ". . punct 2")
    assert tense_transformation(hand_made("He will come and stay.", *under_modal), Random(0), to_tense="past") == "He came and stayed."
    finite = ("They PRP nsubj 1", "come VBP ROOT 1", "and CC cc 3", "stay VB conj 1", ". . punct 1")
    assert tense_transformation(hand_made("They come and stay.", *finite), Random(0), to_tense="past") is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The Revolution profoundly altered the course of history.", "The Revolution did not profoundly alter the course of history."),
        ("Critics have sometimes been fans of it.", None),
        ("In the church is a cycle of frescoes.", None),
        ("Only one cardinal was appointed.", None),
        # What comes of it would be told of what did not happen.
        ("Tom forgot the key, so the thieves walked in.", None),
        ("The king was so old.", "The king was not so old."),
        ("You can't park here unless you have a permit.", None),
        ("War Did Not Make The World Safer.", "War Made The World Safer."),
        ("The king came and the men left.", None),
        ("The king came; the men left.", None),
        ("The town was sold, with ten houses left.", None),
        ("To save the town, the king left it.", None),
        # Denied, it would not be what happened instead.
        ("Instead of the town, the king left the castle.", None),
        ("In addition to the town, the king left the castle.", None),
        ("The king came and saw the town.", "The king did not come and see the town."),
        ("Nobody came to it.", "Somebody came to it."),
        ("None of them came home", "Some of them came home"),
        ("This is Not a good product.", "This is a good product."),
        ("By the time he came, the queen had left the town.", None),
        ("That is, it reduces the cost.", None),
        ("There is", "There is not"),
        ("The 1990 film was good.", "The 1990 film was not good."),
        ("Six hospitals were closed.", None),
        ("He simply invented it.", None),
        ("Such sets do exist, i.e., they are here.", None),
        ("He left because, as he said, it rained.", None),
        ("When time to leave came, the king left.", "When time to leave came, the king did not leave."),
    ],
)
def test_negation_stands_where_it_can(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert sentence_negation(parse_sentence(sentence), Random(0)) == expected


def test_subordinate_clause_taken_for_the_main_one_is_left_alone() -> None:
    words = ("When WRB amod 1", "orbits NNS nsubj:pass 3", "are VBP aux:pass 3", "compared VBN ROOT 3", ", , punct 3", "it PRP nsubj 6",
             "rains VBZ parataxis 3", ". . punct 3")  # fmt: skip
    assert sentence_negation(hand_made("When orbits are compared, it rains.", *words), Random(0)) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The box may or may not include items.", None),
        ("It was not as good as the band had hoped.", "It was as good as the band had hoped."),
        ("He might not star in any more films.", "He might star in some more films."),
        ("You can't park here unless you have a permit.", None),
        ("He did not come because he was ill.", None),
        ("She couldn't abide bad manners.", None),
        ("Don't ever leave it!", None),
        ("He notes it but does not ponder it.", None),
        ("Aren't I clever?", None),
    ],
)
def test_negation_removal_of_set_phrases(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert sentence_auxiliary_negation_removal(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "It was covered by the band and appears on their album.",
        "The game was developed for children, but was ported to it.",
        "A territorial, he was called up.",
        "Short Films - The winner has been named.",
        "Generally the fiction was released in May.",
        "Why did so many men leave the town?",
    ],
)
def test_denial_reaches_over_one_clause_only(parse_sentence: ParseSentence, sentence: str) -> None:
    assert double_negation(parse_sentence(sentence), Random(0), opening="sentence") is None


def test_denial_stands_behind_a_connective(parse_sentence: ParseSentence) -> None:
    denied = double_negation(parse_sentence("For example, the force is greater than that."), Random(1), opening="sentence")
    assert denied is not None
    assert denied.startswith("For example, it is not ")
    assert denied.endswith(" the force is not greater than that.")


def test_be_goes_behind_the_adverb(parse_sentence: ParseSentence) -> None:
    new = modal_verbs(parse_sentence("Radio stations are still marked on charts."), Random(0))
    assert new is not None
    assert new.endswith(" still be marked on charts.")


@pytest.mark.parametrize(
    "sentence",
    [
        "When the enthusiasm for church grew to new levels the government backed out.",
        "His aides even accused the mission.",
    ],
)
@pytest.mark.parametrize("rule", [modal_verbs, affirmative_auxiliary])
def test_verb_that_is_none_takes_no_auxiliary(
    parse_sentence: ParseSentence, rule: Callable[[Parse, Random], str | None], sentence: str
) -> None:
    assert rule(parse_sentence(sentence), Random(0)) is None


def test_what_is_no_base_form_is_not_inflected() -> None:
    """The parser took "caused" for the verb under "does", and "unchanged" for that under "will"."""
    text = "This warranty does not cover damage caused by misuse."
    words = "This DT det 1,warranty NN nsubj 6,does VBZ aux 6,not RB advmod 6,cover NN compound 5,damage NN obl 6,caused VBN ROOT 6"
    torn = hand_made(text, *f"{words},by IN case 8,misuse NN obl 6,. . punct 6".split(","))
    assert sentence_auxiliary_negation_removal(torn, Random(0)) is None
    text = "Rates will remain unchanged."
    torn = hand_made(text, "Rates NNS nsubj 3", "will MD aux 3", "remain VB advmod 3", "unchanged JJ ROOT 3", ". . punct 3")
    assert all(tense_transformation(torn, Random(0), to_tense=tense) is None for tense in ("past", "present"))


def test_a_do_that_hangs_elsewhere_leaves_a_question_alone() -> None:
    text = "What did the doctor say?"
    torn = hand_made(text, "What WP obj 4", "did VBD acl:relcl 0", "the DT det 3", "doctor NN nsubj 4", "say VBP ROOT 4", "? . punct 4")
    assert sentence_negation(torn, Random(0)) is None
    assert all(tense_transformation(torn, Random(seed)) is None for seed in range(4))


def test_yoda_leaves_the_pronoun_that_is_asked(parse_sentence: ParseSentence) -> None:
    assert yoda_perturbation(parse_sentence("He showed me the way."), Random(0)) == "The way, he showed me."
    text = "She asked me whether I agreed."
    words = "She PRP nsubj 1,asked VBD ROOT 1,me PRP iobj 1,whether IN mark 5,I PRP nsubj 5,agreed VBD advcl 1,. . punct 1"
    assert yoda_perturbation(hand_made(text, *words.split(",")), Random(0)) == "Whether I agreed, she asked me."


def test_a_tokenised_contraction_keeps_one_blank(parse_sentence: ParseSentence) -> None:
    assert tense_transformation(parse_sentence("it 's not the worst film"), Random(0), to_tense="past") == "it was not the worst film"


def test_a_coordinated_past_that_the_tagger_took_for_a_participle_leaves_the_tense_alone() -> None:
    text = "Snow fell and covered it."
    words = "Snow NN nsubj 1", "fell VBD ROOT 1", "and CC cc 3", "covered VBN conj 1", "it PRP obj 3", ". . punct 1"
    assert all(tense_transformation(hand_made(text, *words), Random(seed)) is None for seed in range(4))


@pytest.mark.parametrize(
    ("sentence", "to_tense", "augmented"),
    [
        ("the acting is first-rate", "future", "the acting will be first-rate"),
        ("The two need not be entirely different.", "future", None),
        ("He will come and crowdfund it.", "past", None),
        ("here we are", "future", "here we will be"),
        ("it 's late", "future", "it will be late"),
        ("if you like dumb comedies , you 'll love this one", "past", "if you liked dumb comedies , you loved this one"),
        (
            "He picked up his hat, nodded to the waiter and left the cafe.",
            "future",
            "He will pick up his hat, will nod to the waiter and will leave the cafe.",
        ),
    ],
)
def test_hyphens_tokenised_contractions_and_lists_of_verbs(
    parse_sentence: ParseSentence, sentence: str, to_tense: Tense, augmented: str | None
) -> None:
    assert tense_transformation(parse_sentence(sentence), Random(0), to_tense=to_tense) == augmented


def test_yoda_ends_with_a_full_form_after_one_blank(parse_sentence: ParseSentence) -> None:
    assert yoda_perturbation(parse_sentence("you 'll love this one"), Random(0)) == "love this one, you will"
