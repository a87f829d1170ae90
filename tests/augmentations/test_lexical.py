"""The rules that replace words from a lexicon: golden sentences, what is left alone, the reviewed tables, EDA's algebra."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.english.words import inflect
from augcse.augmentations.rules.lexical.antonyms.rule import antonyms_substitute, sentence_adjectives_antonyms_switch
from augcse.augmentations.rules.lexical.hypernyms.fitting import broader_words
from augcse.augmentations.rules.lexical.hypernyms.rule import HYPERNYMS, HYPONYMS, replace_hypernyms, replace_hyponyms
from augcse.augmentations.rules.lexical.synonym_substitution.rule import SYNONYMS, synonym_substitution
from augcse.augmentations.rules.noise import eda
from augcse.lexicon.open import bundled_lexicon

ParseSentence = Callable[[str], Parse]
WORDNET = Path("/usr/share/wordnet")
texts = st.lists(st.sampled_from("The the old dog , barked . at 3 us I'm (cats) well-known Paris".split()), min_size=1, max_size=12).map(
    " ".join
)


def every(rule: Callable[..., list[str | None]], parse: Parse, **options: object) -> set[str | None]:
    return set(rule([parse] * 25, [Random(seed) for seed in range(25)], **options))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The films were good.", "The movies were good."),
        ("He tried to come.", "He attempted to come."),
        ("An attorney came.", "A lawyer came."),
        ("It often rains.", "It frequently rains."),
        ("Often it rains.", "Frequently it rains."),
        ("The  movie\twas long .", "The  film\twas long ."),
    ],
)
def test_synonym_takes_form_case_and_spacing(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert expected in every(synonym_substitution, parse_sentence(sentence), rate=1.0)


def test_no_synonym_of_another_scale_or_kind(parse_sentence: ParseSentence) -> None:
    for sentence in ("They differ fundamentally.", "It has a large budget.", "The velocity is high.", "It is somewhat cold."):
        assert every(synonym_substitution, parse_sentence(sentence), rate=1.0) == {None}
    assert every(synonym_substitution, parse_sentence("It is a biblical narrative."), rate=1.0) == {"It is a biblical story."}


def test_article_follows_the_synonym(parse_sentence: ParseSentence) -> None:
    assert "He drove an automobile." in every(synonym_substitution, parse_sentence("He drove a car."), rate=1.0)


@pytest.mark.parametrize(
    "sentence", ["He used to sing.", "The Country Club opened.", "The rock band sang.", "It is a film-like thing.", "Ok", "", "🙂"]
)
def test_expressions_names_and_conditions_stay(parse_sentence: ParseSentence, sentence: str) -> None:
    assert every(synonym_substitution, parse_sentence(sentence), rate=1.0) == {None}


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("It was reproduced this way.", "way"),
        ("It was an advisory opinion.", "opinion"),
        ("It is an alternative to finding it.", "alternative"),
        ("The more correct model won.", "correct"),
        ("Private wealth is great.", "wealth"),
        ("Human sleep needs vary.", "needs"),
        ("The rock layer was thick.", "rock"),
        ("It was the entire city.", "entire"),
        ("He came from grief and sorrow.", "grief and sorrow"),
        ("The Guild author left.", "author"),
        ("THE FILM was long.", "FILM"),
        ('The word "film" is short.', "film"),
        ("How do I stop my dog from barking?", "stop"),
        ("He was fatally injured.", "injured"),
        ("They got it wrong.", "wrong"),
        ("The economy picked up speed.", "speed"),
        ("The film is about four boys.", "about four"),
        ("How do I change the battery?", "change"),
        ("He carried a bunch of roses.", "bunch"),
        ("They couldn't help themselves.", "help"),
        ("The airline offered us a room.", "offered"),
        ("My thoughts and prayers go out to you.", "thoughts"),
        ("High prices hurt the currency.", "hurt"),
        ("It was also spelled so.", "also"),
        ("I do not expect him today.", "expect"),
        ("Big thanks to all of you.", "Big"),
        ("He ate two portions of rice.", "portions"),
        ("It is their number one seller.", "seller"),
        ("He died after a short illness.", "illness"),
        ("No worries, we can meet tomorrow.", "worries"),
        ("Note that the door is shut.", "Note"),
        ("The call blocks the main thread.", "main"),
        ("The owner is motivated to sell.", "motivated"),
        ("We could split an uber.", "split"),
        ("This option is deprecated.", "option"),
        ("She rides a bike.", "She rides a bi"),  # no motorcycle
    ],
)
def test_a_sense_that_the_place_excludes_is_left_alone(parse_sentence: ParseSentence, sentence: str, word: str) -> None:
    assert all(word in (new or sentence) for new in every(synonym_substitution, parse_sentence(sentence), rate=1.0))


def test_way_is_a_manner_behind_in(parse_sentence: ParseSentence) -> None:
    assert every(synonym_substitution, parse_sentence("It was done in this way."), rate=1.0) == {"It was done in this manner."}


def test_no_ending_makes_a_comparative_that_is_none(parse_sentence: ParseSentence) -> None:
    assert every(synonym_substitution, parse_sentence("They were wealthier than us."), rate=1.0) == {None}


def test_rate_zero_replaces_nothing(parse_sentence: ParseSentence) -> None:
    assert every(synonym_substitution, parse_sentence("The students purchased a big car."), rate=0.0) == {None}


def test_at_least_one_word_is_replaced_and_a_share_of_more() -> None:
    """`rate` is a share of the replaceable words, at least one: a sentence with one such word is always changed."""
    parse = parse_of_rows("films often", [("films", 0, "film", "NOUN", "NNS", 0, "ROOT"), ("often", 6, "often", "ADV", "RB", 0, "advmod")])
    assert every(synonym_substitution, parse, rate=0.01) == {"movies often", "films frequently"}
    assert every(synonym_substitution, parse, rate=1.0) == {"movies frequently"}


def test_without_a_judge_more_synonyms_are_taken(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("The foliage was thick and the aroma was strong.")
    written = {
        judge: {word for new in every(synonym_substitution, parse, rate=1.0, judge=judge) for word in (new or "").split()}
        for judge in ("none", "lexical")
    }
    assert len(written["none"] - written["lexical"]) > 3


@pytest.mark.parametrize("rule", [synonym_substitution, replace_hypernyms, replace_hyponyms])
def test_the_original_takes_any_sense_as_it_is_listed(parse_sentence: ParseSentence, rule: Callable[..., list[str | None]]) -> None:
    parse = parse_sentence("The dogs ran.")
    found = every(rule, parse, fidelity="original")
    assert len(found) > 3
    # Not inflected: the plural is lost.
    assert any(new is not None and " dogs " not in new and "s ran" not in new for new in found)


def test_reviewed_synonyms_are_synonyms() -> None:
    lexicon = bundled_lexicon()
    strangers = {
        (word, synonym)
        for (pos, word), rows in SYNONYMS.reviewed.items()
        for synonyms, _ in rows
        for synonym in synonyms
        if synonym not in lexicon.synonyms(word, pos)  # type: ignore[arg-type]
    }
    assert strangers == set()


def test_reviewed_nouns_are_related() -> None:
    lexicon = bundled_lexicon()
    pairs = {(noun, other) for (_, noun), rows in HYPERNYMS.reviewed.items() for others, _ in rows for other in others}
    pairs |= {(other, noun) for (_, noun), rows in HYPONYMS.reviewed.items() for others, _ in rows for other in others}
    assert {(narrow, broad) for narrow, broad in pairs if broad not in broader_words(narrow, lexicon)} == set()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He saw the eagles in the park.", "He saw the birds in the park."),
        ("He saw an elephant in the park.", "He saw an animal in the park."),
        ("Two men left.", "Two people left."),
        ("The wolves ran.", "The animals ran."),
        ("The church has a tower.", "The place of worship has a tower."),
        ("He left the club after one season.", "He left the team after one season."),
        ("The controversy ended.", "The dispute ended."),
        ("He likes cuisine.", "He likes cooking."),
        ("Three violinists were aboard.", "Three musicians were aboard."),
        # Before a name a title needs no article.
        ("He met actor Tom Smith.", "He met performer Tom Smith."),
        ("That hammer fell.", "That tool fell."),
        ("He led the troops.", "He led the forces."),
        ("The price of it was high.", "The cost of it was high."),
    ],
)
def test_hypernym_keeps_the_number(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert expected in every(replace_hypernyms, parse_sentence(sentence))


@pytest.mark.parametrize("sentence", ["He went to school by bus.", "The Lion sings.", "Everything is an entity.", "", "x"])
def test_no_hypernym_where_the_article_or_the_name_forbids_it(parse_sentence: ParseSentence, sentence: str) -> None:
    assert every(replace_hypernyms, parse_sentence(sentence)) == {None}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("They moved to Chicago.", "They moved to a city."),
        ("The streets of New Orleans' suburbs filled.", "The streets of a city's suburbs filled."),
        ("Hungary left.", "A country left."),
        ("They farmed in Ohio.", "They farmed in a state."),
        ("They farmed in Quebec.", "They farmed in a province."),
        ("After it fell, France left.", "After it fell, a country left."),
        ("They fled to Chad.", "They fled to a country."),
        ("He admires the United States.", "He admires a country."),
        ("The Netherlands's exports rose.", "A country's exports rose."),
        ("He fled to Sweden in May 1940.", "He fled to a country in May 1940."),
        ("The economy of Ghana grew in 1990.", "The economy of a country grew in 1990."),
        ("Born in Rome, he worked in Peru.", "Born in Rome, he worked in a country."),
    ],
)
def test_a_place_gives_way_to_its_kind(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert expected in every(replace_hypernyms, parse_sentence(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "She flew from Berlin to Madrid.",
        "Hungary is Hungary.",
        "She loves Chicago (Illinois).",
        "He rules the Kingdom of Hungary.",
        "In Hungary, he slept.",
        "In Hungary and Poland he slept.",
        "Paris Hilton slept.",
        "She came from the island of Malta.",
        "She slept at Chicago.",
        "She hates mainland China.",
        "They farmed in Georgia.",
        "Boston won it.",
        "HUNGARY LEFT.",
        "She loves her Chicago.",
        "They found another Paris.",
        "The United Kingdom left it for Great Britain.",
        "It spread from China to Europe.",
        "They took Line 3 from Ulan Ude in Russia to Erenhot.",
        "She worked at Burlington House in London.",
        "Barbados is classified as rich.",
        "Women in Togo have voted.",
        "Spain's exports are rising.",
    ],
)
def test_a_place_stays_where_its_kind_would_not_stand_for_it(parse_sentence: ParseSentence, sentence: str) -> None:
    assert every(replace_hypernyms, parse_sentence(sentence)) == {None}


def test_a_noun_that_stands_twice_is_replaced_twice_or_not_at_all(parse_sentence: ParseSentence) -> None:
    twice = parse_sentence("The car stopped where he had bought the car.")
    assert every(replace_hypernyms, twice) == {"The vehicle stopped where he had bought the vehicle."}
    assert every(replace_hypernyms, parse_sentence("The car stopped where he had seen a car door.")) == {None}


@pytest.mark.parametrize(
    "sentence",
    [
        "As a boy, he sang.",
        "Dogs and cats came.",
        "The church has a function.",
        "It is layered like an onion.",
        "His journals survived.",
        "The brothers and sisters came.",
        "Steel was born in Durham.",
        "It moves in the galactic plane.",
        "His friends slept.",
        "The little guy gave apple the region.",
        "Prices rose.",
        "We went to the movies.",
        "She is a famous writer.",
        "Currency dealers slept.",
        "This is the official site of the game show.",
        "The round of the bee ended.",
        "The crime barons fell.",
        "The original letters are white.",
        "Monster movies act like monster movies.",
        "The president is more powerful than the prime minister.",
        "They found a modern reef.",
        "The harvest of coffee failed.",
        "The poison dart frog slept.",
        "It comes with a two-car garage.",
        "There was no sign of rain.",
    ],
)
def test_no_hypernym_where_it_would_tell_something_else(parse_sentence: ParseSentence, sentence: str) -> None:
    assert every(replace_hypernyms, parse_sentence(sentence)) == {None}


@pytest.mark.parametrize(
    "sentence",
    [
        "A Tony award came.",
        "Many birds, such as the robin, came.",
        "The bird, a robin, sang.",
        "He saw birds: robins.",
        "He spoke like a king and a child.",
        "Flightless birds came.",
        "The bird (a robin) came.",
        "The birds included robins.",
        "In a closed vessel it reacts.",
        "It offers the players a gain.",
        "A vocal group sang.",
        "They joined the war against France.",
        "As a child, he sang.",
        "It is a good idea.",
        "The widow lost her benefits.",
        "The player shows no disc.",
        "A woman is peeling a potato.",
        "The story was untrue.",
        "Two likeable actors, Hugh and Sam, left.",
    ],
)
def test_no_hyponym_where_the_sentence_says_which(parse_sentence: ParseSentence, sentence: str) -> None:
    assert every(replace_hyponyms, parse_sentence(sentence)) == {None}


@pytest.mark.parametrize(("before", "expected"), [("which", False), ("the", True)])
def test_a_verb_that_the_parser_took_for_a_noun_is_left_alone(before: str, expected: bool) -> None:
    rows = [(before, 0, before, "PRON", "WDT", 1, "nsubj"), ("films", len(before) + 1, "film", "NOUN", "NNS", 1, "ROOT")]
    assert (every(replace_hyponyms, parse_of_rows(f"{before} films", rows)) != {None}) is expected


def test_a_kind_takes_the_place_of_the_noun(parse_sentence: ParseSentence) -> None:
    assert "He is a visiting professor in Bonn." in every(replace_hyponyms, parse_sentence("He is a professor in Bonn."))
    assert "He died of lung cancer." in every(replace_hyponyms, parse_sentence("He died of cancer."))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The band released an album.", "The rock band released an album."),
        ("The station has two platforms.", "The railway station has two platforms."),
        ("The team hired a quarterback.", "The football team hired a quarterback."),
        ("This country borders Germany.", "This European country borders Germany."),
        ("The game was sold for the PlayStation.", "The video game was sold for the PlayStation."),
        ("The company found crude in the sea.", "The oil company found crude in the sea."),
        ("She has the ability to learn.", "She has the capacity to learn."),
        ("The country left Kenya.", "The African country left Kenya."),
        ("The difference between the two is small.", "The distinction between the two is small."),
        ("He cooked meat.", "He cooked pork."),
    ],
)
def test_a_kind_that_the_rest_of_the_sentence_tells(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert expected in every(replace_hyponyms, parse_sentence(sentence))


def test_an_adjective_that_says_no_kind_does_not_forbid_a_narrower_word(parse_sentence: ParseSentence) -> None:
    assert "She found an excellent technique." in every(replace_hyponyms, parse_sentence("She found an excellent method."))


def test_a_narrower_word_says_nothing_twice(parse_sentence: ParseSentence) -> None:
    assert "The committee met before the committee meeting." not in every(
        replace_hyponyms, parse_sentence("The committee met before the meeting.")
    )
    assert "The directors left the board meeting." in every(replace_hyponyms, parse_sentence("The directors left the meeting."))


def test_only_an_adjective_says_which_kind(parse_sentence: ParseSentence) -> None:
    assert every(replace_hyponyms, parse_sentence("They kept watching birds.")) != {None}


def test_hyponyms_keep_article_and_possessive(parse_sentence: ParseSentence) -> None:
    assert every(replace_hyponyms, parse_sentence("He saw a bird in May.")) >= {"He saw an owl in May.", "He saw a parrot in May."}
    assert "An owl's wing broke." in every(replace_hyponyms, parse_sentence("A bird's wing broke."))
    assert all("s's" not in (new or "") for new in every(replace_hyponyms, parse_sentence("The doctors' houses fell.")))


def test_two_nouns_are_replaced_when_two_are_wanted(parse_sentence: ParseSentence) -> None:
    assert "He gave the animal to his relative." in every(replace_hypernyms, parse_sentence("He gave the dog to his uncle."), nouns=2)


@pytest.mark.parametrize(
    ("sentence", "odd", "even"),
    [
        ("The house was small.", "The house was large.", None),
        ("The small house was old.", None, "The large house was new."),
        ("He quickly found the small house.", None, "He slowly found the large house."),
        ("He came slowly.", "He came quickly.", None),
        ("He came.", None, None),
    ],
)
def test_antonyms_apply_by_parity(parse_sentence: ParseSentence, sentence: str, odd: str | None, even: str | None) -> None:
    parse = parse_sentence(sentence)
    assert antonyms_substitute(parse, Random(0)) == odd
    assert antonyms_substitute(parse, Random(0), parity="even") == even


def test_wordnet_files_take_the_place_of_the_bundled_lexicon(parse_sentence: ParseSentence) -> None:
    if not (WORDNET / "data.noun").exists():
        pytest.skip(f"no WordNet database files in {WORDNET} (Debian: wordnet-base)")
    name = f"wndb:{WORDNET}"
    assert "He drove an automobile." in every(synonym_substitution, parse_sentence("He drove a car."), rate=1.0, lexicon=name)
    assert every(replace_hypernyms, parse_sentence("He saw the eagle in May."), lexicon=name) == {"He saw the bird in May."}
    assert sentence_adjectives_antonyms_switch(parse_sentence("It is hot."), Random(0), lexicon=name) == "It is cold."


@pytest.mark.parametrize(
    ("lemma", "tag", "form"),
    [
        ("mouse", "NNS", "mice"),
        ("person", "NNS", "people"),
        ("begin", "VBN", "begun"),
        ("overcome", "VBN", "overcome"),
        ("go", "VBD", "went"),
        ("aircraft", "NNS", "aircraft"),
        ("body of water", "NNS", "bodies of water"),
        ("wealthy", "JJR", "wealthier"),
    ],
)
def test_forms(lemma: str, tag: str, form: str) -> None:
    assert inflect(lemma, tag) == form


@given(text=texts, seed=st.integers(0, 999), alpha=st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_swap_keeps_the_words_and_everything_between(text: str, seed: int, alpha: float) -> None:
    new = eda.eda_random_swap(text, Random(seed), alpha=alpha)
    if new is not None:
        assert alpha > 0
        words, others = re.findall(r"[\w'-]+", new.lower()), re.sub(r"[\w'-]+", "", new)
        assert Counter(words) == Counter(re.findall(r"[\w'-]+", text.lower()))
        assert others == re.sub(r"[\w'-]+", "", text)


@given(text=texts, seed=st.integers(0, 999), alpha=st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_deletion_takes_words_away_and_leaves_one(text: str, seed: int, alpha: float) -> None:
    new = eda.eda_random_deletion(text, Random(seed), alpha=alpha)
    if new is not None:
        before, after = (Counter(re.findall(r"[\w'-]+", one.lower())) for one in (text, new))
        assert after < before
        assert re.search(r"[^\W\d_]", new)
        assert "  " not in new
        assert new == new.strip()


@given(text=texts, seed=st.integers(0, 999))
def test_insertion_only_adds(text: str, seed: int) -> None:
    new = eda.eda_random_insertion(text, Random(seed), alpha=0.3)
    if new is not None:
        rest = iter(new)
        assert all(character in rest for character in text)
        assert len(new) > len(text)


@given(text=texts, seed=st.integers(0, 999))
def test_replacement_leaves_stop_words(text: str, seed: int) -> None:
    new = eda.eda_synonym_replacement(text, Random(seed), alpha=1.0)
    if new is not None:
        kept = [word for word in re.findall(r"[\w'-]+", text.lower()) if word in eda.STOP_WORDS]
        assert Counter(kept) <= Counter(re.findall(r"[\w'-]+", new.lower()))


def test_replacement_changes_as_many_words_as_alpha_says() -> None:
    text = "dog cat horse house river mountain bridge tower castle garden"
    new = eda.eda_synonym_replacement(text, Random(0), alpha=0.3)
    assert new is not None
    assert sum(word in new.split() for word in text.split()) == 7


def test_replacement_is_the_same_in_all_places_with_the_case_of_each() -> None:
    new = eda.eda_synonym_replacement("Horse by horse.", Random(5), alpha=0.4)
    assert new is not None
    first, second = re.fullmatch("(.+) by (.+)\\.", new).groups()  # type: ignore[union-attr]
    assert second != "horse"
    assert first == second[0].upper() + second[1:]


def test_names_and_letters_have_no_synonyms() -> None:
    sentence = "We saw Mr. Smith and Victor King, u"
    replaced, longer = _eda(eda.eda_synonym_replacement, sentence, 1.0), _eda(eda.eda_random_insertion, sentence, 1.0)
    assert replaced
    assert all(new.endswith("Mr. Smith and Victor King, u") for new in replaced)
    assert longer
    assert not any(word in new for new in longer for word in ("metalworker", "uranium", "world-beater"))


def test_abbreviations_are_not_replaced() -> None:
    assert eda.eda_synonym_replacement("The US and the MT", Random(0), alpha=1.0) is None


def _eda(rule: Callable[..., str | None], sentence: str, alpha: float = 0.3) -> set[str]:
    return {new for seed in range(300) if (new := rule(sentence, Random(seed), alpha=alpha)) is not None}


def test_deletion_leaves_marks_and_blanks_in_order() -> None:
    results = _eda(eda.eda_random_deletion, 'Its "huge spectrum", instructor, at under-19 levels by the name "Bob."')
    assert not any(bad in result for result in results for bad in ('""', '" spectrum', ",,", ", ,", " -19", '"."', "  "))
    assert any(result.endswith("name.") for result in results)
    assert any('"spectrum"' in result for result in results)


def test_swap_leaves_abbreviations_where_they_are() -> None:
    results = _eda(eda.eda_random_swap, "Then F.E. Davidson met Eng. and sdun which came")
    assert results
    assert all("F.E. " in result and " Eng. " in result for result in results)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [("Certainly the same", "The certainly same"), ("Obama spoke there", "Spoke Obama there"), ("In 1998 we met", "Met 1998 we in")],
)
def test_swapped_first_word_keeps_its_capital_only_as_a_name(sentence: str, expected: str) -> None:
    assert expected in _eda(eda.eda_random_swap, sentence)


def test_swap_leaves_a_first_word_that_may_be_a_name() -> None:
    assert all(result.startswith("Mark ") for result in _eda(eda.eda_random_swap, "Mark Twain wrote it"))
    assert eda.eda_random_swap("Mark Twain", Random(0)) is None


@pytest.mark.parametrize("rule", [eda.eda_synonym_replacement, eda.eda_random_insertion, eda.eda_random_swap, eda.eda_random_deletion])
def test_eda_does_nothing_at_zero(rule: Callable[..., str | None]) -> None:
    assert rule("The old dog barked at us.", Random(0), alpha=0.0) is None


def test_a_noun_before_a_comma_at_the_end_is_looked_at(parse_sentence: ParseSentence) -> None:
    assert every(replace_hyponyms, parse_sentence("The car,")) != {None}
    assert every(replace_hyponyms, parse_sentence("cAR,")) == {None}


@pytest.mark.parametrize("seed", range(12))
def test_the_blank_before_the_last_mark_of_tokenised_text_stays(seed: int) -> None:
    new = eda.eda_random_deletion("the movie is good .", Random(seed), alpha=0.4)
    assert new is None or new.endswith(" .")
