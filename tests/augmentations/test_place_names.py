"""CityNamesTransformation and GeoNamesTransformation: which places count, what is told of them, commas and articles."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest

from augcse.annotation.parse import Parse
from augcse.augmentations.english.places import cities, countries, mentions, regions
from augcse.augmentations.rules.lexical.place_names.rule import city_names_transformation, geo_names_transformation
from augcse.augmentations.rules.lexical.place_names.substitutes import substitutes

ParseSentence = Callable[[str], Parse]
SEEDS = range(8)


def tell_all(parse: Parse) -> set[str]:
    return {geo_names_transformation(parse, Random(seed)) or "" for seed in range(40)}


@pytest.mark.parametrize("seed", SEEDS)
def test_city_becomes_a_smaller_one_of_its_country(parse_sentence: ParseSentence, seed: int) -> None:
    new = city_names_transformation(parse_sentence("She flew from  Paris to Houston, Texas ."), Random(seed)) or ""
    found = re.fullmatch(r"She flew from  (.+) to (.+), Texas \.", new)
    assert found
    assert found[1] in ("Lyon", "Toulouse", "Nantes", "Strasbourg", "Bordeaux", "Montpellier")
    assert found[2] in ("San Antonio", "Dallas", "Fort Worth", "El Paso", "Corpus Christi", "Plano", "Laredo", "Lubbock")


def test_substitutes_are_the_next_smaller_ones_that_the_text_does_not_name() -> None:
    names = substitutes(cities()["London"], "She left London for Glasgow.")
    assert names[0] == "Birmingham"
    assert {"Manchester", "Leeds"} <= set(names)
    assert "Glasgow" not in names
    assert set(substitutes(cities()["Chicago"], "She left Chicago for Texas.")).isdisjoint({"Houston", "Dallas", "San Antonio"})


def test_one_city_keeps_one_substitute(parse_sentence: ParseSentence) -> None:
    new = city_names_transformation(parse_sentence("He left Lyon in May, but Lyon's parks were in bloom."), Random(0)) or ""
    found = re.fullmatch(r"He left (.+) in May, but (.+)'s parks were in bloom\.", new)
    assert found
    assert found[1] == found[2] != "Lyon"


@pytest.mark.parametrize("seed", range(40))
def test_two_cities_get_two_substitutes(parse_sentence: ParseSentence, seed: int) -> None:
    new = city_names_transformation(parse_sentence("He flew from Zürich to Basel and Bern."), Random(seed)) or ""
    found = re.fullmatch(r"He flew from (.+) to (.+) and (.+)\.", new)
    assert found
    assert len(set(found.groups())) == 3


@pytest.mark.parametrize(
    "sentence",
    [
        "He left the University of Chicago in Chicago for Lyon.",
        "He ate Brussels sprouts.",
        "We ate Chicago hot dogs.",
        "She likes Chicago pizza.",
        "They used Portland cement.",
        "They own hotels in Vancouver, Calgary, Ottawa and Toronto, and others in Montreal.",
        "In 1950 he recorded the song April in Paris with her.",
        "The capital of Poland is Warsaw.",
    ],
)
def test_a_sentence_stays_where_one_of_its_cities_has_to(parse_sentence: ParseSentence, sentence: str) -> None:
    assert city_names_transformation(parse_sentence(sentence), Random(0)) is None


def test_as_published_no_genitive_follows_the_city(parse_sentence: ParseSentence) -> None:
    sentence = "She met New Orleans' oldest family."
    new = {city_names_transformation(parse_sentence(sentence), Random(seed), fidelity="original") for seed in range(8)}
    assert "She met Orlando' oldest family." in new


def test_valencia_is_in_spain_and_the_hague_is_known() -> None:
    assert (cities()["Valencia"].country, cities()["The Hague"].country) == ("ES", "NL")


def test_no_unfortunate_substitute() -> None:
    names = {name for city in cities().values() for name in substitutes(city, "")}
    assert names.isdisjoint({"Brooklyn", "New South Memphis", "Mobile", "Sunshine Coast", "Suginami", "Georgia"})


def test_city_in_a_compound_adjective_is_replaced(parse_sentence: ParseSentence) -> None:
    new = city_names_transformation(parse_sentence("She runs a Zurich-based firm."), Random(0)) or ""
    assert re.fullmatch(r"She runs an? (?!Zurich)[^-]+-based firm\.", new)


@pytest.mark.parametrize("seed", range(20))
def test_article_follows_the_city(parse_sentence: ParseSentence, seed: int) -> None:
    new = city_names_transformation(parse_sentence("She remembers a Boston without cars."), Random(seed)) or ""
    found = re.fullmatch(r"She remembers (an?) (.+) without cars\.", new)
    assert found
    assert (found[1] == "an") == (found[2][0] in "AEIO")


@pytest.mark.parametrize(
    "sentence",
    [
        "Jack London wrote it.",
        "He read the Boston Globe.",
        "He went to Miami (FL) in May.",
        "They drove to Paris, Texas.",
        "It happened in Birmingham, Alabama.",
        "Austin and Charlotte met in Phoenix.",
        "Reading is nice.",
        "He lives in France.",
        "They sell paris of gloves.",
        "She studied at the University of Oxford.",
        "She is at the University of California, San Diego today.",
        "He studied at UC Davis.",
        "The Bishop of Paris spoke.",
        "He saw the Nuremberg trials.",
        "They play the Chicago blues.",
        "He was the bishop of Porto.",
        "Tokyo changed its policies.",
        "Violence erupted in the capital, Kabul.",
        "He saw classical Athens.",
        "Much has changed since the Paris accord.",
        "He scored both Boston goals in a loss to Philadelphia.",
        "Based in Bristol, England, the company employs him.",
        "The Beijing 2008 Summer Olympics began.",
        "His club Sheffield won.",
        "On Houston's last possession of the half, a pass was intercepted.",
        "The Dublin-Galway route is long.",
        "They live in Dallas–Fort Worth today.",
        "It lies in the Mexican state of Puebla.",
        "She was born in Belfast, Ireland, in 1990.",
        "Adelaide had long known him.",
        "Aberdeen followed his leader.",
        "The Leipzig War Crimes Trials were held in Leipzig.",
        "Rangers and Aberdeen won.",
        "They suffered a 3-1 defeat at the hands of Barcelona.",
        "The court held that Cincinnati had violated the law.",
        "Santander says it aims to buy the bank.",
        "Kabul is expected to propose a law.",
        'She saw the film "An American in Paris" twice.',
        "She lived in Copenhagen and Kolding.",
        "They flew from Paris, London and Hong Kong.",
        "This plane flies between Osaka and Hakodate.",
        "The Salta–Antofagasta railway is long.",
        "It sponsors the Cannes, Melbourne and Sundance film festivals.",
        "He ran the 1983 Sydney to Melbourne Ultramarathon.",
        "It lies in Los Angeles, Orange and San Diego counties.",
        "Tokyo shares rose.",
        "He teaches the Copenhagen interpretation.",
        "He saw Maracanda (modern day Samarkand in Uzbekistan).",
        "It serves the province of Buenos Aires.",
        "They held meetings in Lyon and in Washington.",
        "He left Orsay for Paris.",
        "He fell ill in the Atlanta campaign.",
        "It has been published (London, 1819) twice.",
        "BAGHDAD - Men left their Baghdad hotel.",
        "The port lies on Batam island.",
        "Leeds v Saracens is on Friday.",
        "Tokyo's Nikkei average dropped.",
        "He opened a room in Paris and a seat on the Zurich Bourse.",
        "Hm",
        "",
    ],
)
def test_no_city_no_change(parse_sentence: ParseSentence, sentence: str) -> None:
    assert city_names_transformation(parse_sentence(sentence), Random(0)) is None


def test_facts_of_a_capital(parse_sentence: ParseSentence) -> None:
    assert tell_all(parse_sentence("Paris was quiet that morning.")) == {
        "Paris, a city in France, was quiet that morning.",
        "Paris, the capital of France, was quiet that morning.",
        "Paris, now a city of more than a million people, was quiet that morning.",
    }


@pytest.mark.parametrize("year", ["1672", "1980"])
def test_now_is_not_told_of_another_age(parse_sentence: ParseSentence, year: str) -> None:
    told = tell_all(parse_sentence(f"She came to Paris in {year}."))
    assert any("capital" in one for one in told)
    assert not any("now a city" in one for one in told)


def test_borders_are_not_told_of_another_age(parse_sentence: ParseSentence) -> None:
    assert tell_all(parse_sentence("He went to Portugal in 1698.")) == {"He went to Portugal, a country in Europe, in 1698."}


def test_a_place_is_told_of_where_it_is_named_first(parse_sentence: ParseSentence) -> None:
    told = tell_all(parse_sentence("He left Portugal when Portugal was poor."))
    assert told
    assert all(one.startswith("He left Portugal, ") for one in told)


def test_population_is_told_as_of_now(parse_sentence: ParseSentence) -> None:
    population = "now a city of more than a million people"
    assert f"Paris, {population}, was quiet." in tell_all(parse_sentence("Paris was quiet."))


def test_facts_of_a_country(parse_sentence: ParseSentence) -> None:
    assert tell_all(parse_sentence("He went to Portugal in 1998.")) == {
        "He went to Portugal, a country in Europe, in 1998.",
        "He went to Portugal, whose capital is Lisbon, in 1998.",
        "He went to Portugal, which borders Spain, in 1998.",
    }


@pytest.mark.parametrize(
    ("sentence", "pattern"),
    [
        ("He works in Seattle.", "He works in Seattle, [^,]+[.]"),
        ('"He works in Seattle," she said.', '"He works in Seattle [(][^,]+[)]," she said.'),
        ("In Nairobi, he met her.", "In Nairobi [(][^,]+[)], he met her[.]"),
        ("He moved to the Netherlands in May.", "He moved to the Netherlands, [^,]+, in May[.]"),
        ("Did she live in Oslo?", "Did she live in Oslo, [^,]+[?]"),
        ("It is the only one in India that works.", "It is the only one in India [(]a country in Asia[)] that works[.]"),
        ("She saw Spain and Peru before she left for Norway.", "She saw Spain and Peru before she left for Norway, [^,]+[.]"),
        ("We visited Kenya, which was hot.", "We visited Kenya [(]a country in Africa[)], which was hot[.]"),
        ("The trains in Norway were full.", "The trains in Norway, [^,]+, were full[.]"),
        ("They met in Lyon, France.", "They met in Lyon, France [(][^,]+[)][.]"),
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_apposition_is_closed_once(parse_sentence: ParseSentence, sentence: str, pattern: str, seed: int) -> None:
    assert re.fullmatch(pattern, geo_names_transformation(parse_sentence(sentence), Random(seed)) or "")


@pytest.mark.parametrize(
    "sentence",
    [
        "He went to Miami (FL) in May.",
        "They drove to Paris, Texas.",
        "France's army retreated.",
        "She visited Spain and Peru.",
        "Are Cuba, Chile or Peru cheaper?",
        "The rate in Haiti in 2013 was low.",
        "They live in the southern part of Norway near the border.",
        "The London office closed.",
        "He studied at the University of Bristol.",
        "He saw ancient Rome.",
        "He comes from northern Italy.",
        "Georgia won.",
        "Michael Jordan won.",
        "He read the Boston Globe.",
        "A Berlin-based firm won.",
        "He sang (in Berlin) twice.",
        'He sang "Vienna is calling".',
        "They live in the city of Houston.",
        "It is one of the Niger–Congo languages.",
        "She spoke to the children of Israel.",
        "It broke the spirit of Geneva.",
        "Adelaide had long known him.",
        "Aberdeen followed his leader.",
        "He ran his scoreless streak against Oakland to 30 innings.",
        "He scored as Liverpool retained their league title.",
        "Hm",
        "",
    ],
)
def test_no_apposition_where_it_reads_badly_or_is_untrue(parse_sentence: ParseSentence, sentence: str) -> None:
    assert tell_all(parse_sentence(sentence)) == {""}


def test_what_the_sentence_holds_is_not_told(parse_sentence: ParseSentence) -> None:
    told = tell_all(parse_sentence("France's president dies while he is staying in Paris."))
    assert told == {"France's president dies while he is staying in Paris, now a city of more than a million people."}


def test_mentions_are_the_longest_names(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("He flew from Rio de Janeiro to South Africa.")
    assert [mention.place.name for mention in mentions(parse)] == ["Rio de Janeiro", "South Africa"]


def test_long_text_is_handled(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("He left Berlin for Italy in May. " * 300)
    assert geo_names_transformation(parse, Random(0)) is not None
    assert city_names_transformation(parse, Random(0)) is not None


def test_every_city_lies_in_a_known_country() -> None:
    assert [name for name, city in cities().items() if city.country not in countries()] == []


def test_neighbours_are_mutual() -> None:
    pairs = {(code, other) for code, country in countries().items() for other in country.neighbours}
    assert {(other, code) for code, other in pairs} == pairs


@pytest.mark.parametrize("name", ["Reading", "Nice", "Mobile", "Victoria", "Phoenix", "Austin", "Washington", "Orange", "Van", "Batman"])
def test_names_that_mean_other_things_are_left_out(name: str) -> None:
    assert name not in cities()


def test_regions_are_those_of_three_countries() -> None:
    assert {country for country, _ in regions()} == {"US", "CA", "AU"}
    assert regions()["US", "IL"] == "Illinois"


def test_as_published_a_city_of_the_world_takes_the_place_and_a_fact_stands_anywhere(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("She read it at the University of Oxford.")
    assert city_names_transformation(parse, Random(0), fidelity="original") is not None
    assert ", " in (geo_names_transformation(parse, Random(0), fidelity="original") or "")


def test_a_city_without_an_s_takes_one_in_the_genitive(parse_sentence: ParseSentence) -> None:
    new = city_names_transformation(parse_sentence("New Orleans' oldest bar is here."), Random(0)) or ""
    assert re.fullmatch(r"(?!New Orleans)[\w .]+(?:s'|[^s]'s) oldest bar is here\.", new)
