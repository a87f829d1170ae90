"""The bundled lexicon, WordNet database files, and the build: golden look-ups, algebra, refusals."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.errors import UserError
from augcse.lexicon.base import Lexicon
from augcse.lexicon.compact import CompactLexicon
from augcse.lexicon.layout import pack
from augcse.lexicon.morphology import base_forms
from augcse.lexicon.open import bundled_lexicon, open_lexicon
from augcse.lexicon.wndb import WndbLexicon
from augcse.resources import LEXICON
from build_lexicon import build

REAL_WORDNET = Path("/usr/share/wordnet")
SENSES = [
    ["dog", "n", "0", "dog%1", "s1-n", "", ""],
    ["domestic dog", "n", "0", "domestic_dog%1", "s1-n", "", ""],
    ["animal", "n", "0", "animal%1", "s0-n", "", ""],
    ["hot", "a", "0", "hot%3", "s2-a", "antonym:cold%3;derivation:heat%1", "hotter,hottest"],
    ["cold", "a", "0", "cold%3", "s3-a", "antonym:hot%3", ""],
    ["cold", "n", "0", "cold%1", "s4-n", "", ""],
    ["Dog", "n-1", "0", "dog%2", "s4-n", "", ""],
    ["dog", "n", "10", "dog%11", "s4-n", "", ""],
    ["dog", "n", "2", "dog%12", "s0-n", "", ""],
]
SYNSETS = [
    ["s0-n", "n", "noun.Tops", "animal|dog", "a living dog", "", ""],
    ["s1-n", "n", "noun.animal", "dog|domestic dog", "dogs and hot dogs", "", "hypernym:s0-n"],
    ["s2-a", "a", "adj.all", "hot", "warm", "", "similar:s9-a"],
    ["s3-a", "a", "adj.all", "cold", "not hot", "", ""],
    ["s4-n", "n", "noun.state", "cold|Dog|dog", "an illness", "", ""],
]
# data.noun of the hand-made folder: (category, lemmas, pointers by number of the target synset).
NOUNS = [
    ("03", ["animal"], [("~", "n", 1, "0000")]),
    ("05", ["dog", "domestic_dog"], [("@", "n", 0, "0000")]),
]
ADJECTIVES = [
    ("00", ["hot(a)"], [("!", "a", 1, "0101")]),
    ("00", ["cold"], [("!", "a", 0, "0101")]),
]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    path = tmp_path_factory.mktemp("lexicon") / "small.lexicon"
    path.write_bytes(pack(build(SENSES, SYNSETS)))
    return CompactLexicon(path)


@pytest.fixture(scope="module")
def handmade(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    folder = tmp_path_factory.mktemp("wndb")
    for name, letter, rows in (("noun", "n", NOUNS), ("verb", "v", []), ("adj", "a", ADJECTIVES), ("adv", "r", [])):
        _write_wndb(folder, name, letter, rows)
    (folder / "noun.exc").write_text("dogges dog\n", "utf-8")
    return open_lexicon(f"wndb:{folder}")


def _write_wndb(folder: Path, name: str, letter: str, rows: list[tuple[str, list[str], list[tuple[str, str, int, str]]]]) -> None:
    licence = "  1 This is a licence.\n"

    def lines(offsets: list[int]) -> list[str]:
        return [
            f"{offset:08d} {category} {letter} {len(lemmas):02x} " + " ".join(f"{lemma} 0" for lemma in lemmas)
            + f" {len(pointers):03d} " + " ".join(f"{symbol} {offsets[to]:08d} {pos} {which}" for symbol, pos, to, which in pointers)
            + " | a gloss  \n"
            for offset, (category, lemmas, pointers) in zip(offsets, rows, strict=True)
        ]  # fmt: skip

    lengths = [len(line) for line in lines([0] * len(rows))]
    offsets = [len(licence) + sum(lengths[:place]) for place in range(len(rows))]
    (folder / f"data.{name}").write_text(licence + "".join(lines(offsets)), "utf-8")
    words = {lemma.split("(")[0]: offsets[place] for place, (_, lemmas, _) in enumerate(rows) for lemma in lemmas}
    index = "".join(f"{word} {letter} 1 1 @ 1 0 {offset:08d}  \n" for word, offset in sorted(words.items()))
    (folder / f"index.{name}").write_text(licence + index, "utf-8")


@pytest.fixture(params=["small", "handmade"])
def lexicon(request: pytest.FixtureRequest) -> Lexicon:
    found: Lexicon = request.getfixturevalue(request.param)
    return found


def test_both_readers_know_members_and_categories(lexicon: Lexicon) -> None:
    first = lexicon.synsets("dog", "n")[0]
    assert (first.pos, first.category, first.lemmas) == ("n", "noun.animal", ("dog", "domestic dog"))
    assert lexicon.synsets("DOMESTIC dog") == (first,)


def test_both_readers_go_up_and_down(lexicon: Lexicon) -> None:
    dog, animal = lexicon.synsets("domestic dog", "n")[0], lexicon.synsets("animal", "n")[0]
    assert lexicon.hypernyms(dog) == (animal,)
    assert lexicon.hyponyms(animal) == (dog,)
    assert (lexicon.depth(animal), lexicon.depth(dog)) == (0, 1)


def test_both_readers_know_antonyms_of_a_word_not_of_its_synset(lexicon: Lexicon) -> None:
    assert lexicon.antonyms("hot", "a") == ("cold",)
    assert lexicon.antonyms("cold", "a") == ("hot",)
    assert lexicon.antonyms("dog", "n") == ()


def test_both_readers_know_synonyms_and_strangers(lexicon: Lexicon) -> None:
    assert lexicon.synonyms("domestic dog", "n") == ("dog",)
    assert lexicon.synsets("unicorn") == ()
    assert lexicon.synsets("") == ()
    assert lexicon.synsets("dog", "v") == ()


def test_wrong_part_of_speech_is_refused(lexicon: Lexicon) -> None:
    with pytest.raises(UserError, match="unknown part of speech 'noun'"):
        lexicon.synsets("dog", "noun")  # type: ignore[arg-type]


def test_senses_are_ranked_as_numbers_and_capitals_come_behind(small: Lexicon) -> None:
    assert [synset.category for synset in small.synsets("dog", "n")] == ["noun.animal", "noun.Tops", "noun.state"]
    assert [synset.category for synset in small.synsets("Dog", "n")] == ["noun.state", "noun.animal", "noun.Tops"]


def test_irregular_forms_are_found(small: Lexicon, handmade: Lexicon) -> None:
    assert small.lemmas("hotter", "a") == ("hot",)
    assert handmade.lemmas("dogges", "n") == ("dog",)
    assert handmade.lemmas("dogs", "n") == ("dog",)


def test_definitions_are_counted_in_whatever_form(small: Lexicon) -> None:
    assert isinstance(small, CompactLexicon)
    # "a living dog", "dogs and hot dogs": three dogs, 12 log2(1 + 3).
    assert small.commonness("dog") == 24
    assert small.commonness("unicorn") == 0


def test_the_same_tables_give_the_same_bytes() -> None:
    assert pack(build(SENSES, SYNSETS)) == pack(build(list(reversed(SENSES)), SYNSETS))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda content: b"", "cannot read the lexicon"),
        (lambda content: b"PK" + content[2:], "is not an augcse lexicon"),
        (lambda content: content[:8] + struct.pack("<I", 9) + content[12:], "has format 9"),
        (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "is damaged"),
        (lambda content: content[:-100], "is damaged"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(tmp_path: Path, damage: object, message: str) -> None:
    path = tmp_path / "x.lexicon"
    path.write_bytes(damage(LEXICON.read_bytes()))  # type: ignore[operator]
    with pytest.raises(UserError, match=message) as caught:
        CompactLexicon(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["wordnet", "wndb", "wndb:/no/such/folder", ""])
def test_what_is_no_lexicon_is_refused(name: str) -> None:
    with pytest.raises(UserError):
        open_lexicon(name)


def test_index_and_data_of_different_versions_are_refused(tmp_path: Path) -> None:
    for name, letter in (("verb", "v"), ("adj", "a"), ("adv", "r"), ("noun", "n")):
        _write_wndb(tmp_path, name, letter, NOUNS if letter == "n" else [])
    index = tmp_path / "index.noun"
    index.write_text(index.read_text("utf-8").replace("000000", "000001"), "utf-8")
    with pytest.raises(UserError, match="must be of one WordNet version"):
        WndbLexicon(tmp_path).synsets("dog", "n")


def test_the_bundled_file_is_small() -> None:
    assert LEXICON.stat().st_size < 5_000_000


@pytest.mark.parametrize(
    ("form", "pos", "lemma"),
    [("mice", "n", "mouse"), ("Churches", "n", "church"), ("went", "v", "go"), ("worse", "a", "bad"), ("men", "n", "man")],
)
def test_bundled_lemmas(form: str, pos: str, lemma: str) -> None:
    assert lemma in bundled_lexicon().lemmas(form, pos)  # type: ignore[arg-type]


@given(st.integers(0, 100_000))
def test_bundled_relations_are_each_others_reverse(key: int) -> None:
    lexicon = bundled_lexicon()
    synset = lexicon.synset(key)
    assert all(synset in lexicon.hyponyms(broader) for broader in lexicon.hypernyms(synset))
    assert all(synset in lexicon.synsets(lemma, synset.pos) for lemma in synset.lemmas)
    assert all(synset in lexicon.hypernyms(narrower) for narrower in lexicon.hyponyms(synset)[:20])


@given(st.text(max_size=12))
def test_any_text_can_be_looked_up(word: str) -> None:
    lexicon = bundled_lexicon()
    assert all(word.lower() in map(str.lower, synset.lemmas) for synset in lexicon.synsets(word))


@given(st.text(alphabet="abies", min_size=1, max_size=8))
def test_only_known_lemmas_come_out_of_the_endings(form: str) -> None:
    assert set(base_forms(form, "n", (), {"bab", "as"}.__contains__)) <= {"bab", "as"}


def test_real_wordnet_answers_like_the_bundled_one() -> None:
    if not (REAL_WORDNET / "data.noun").exists():
        pytest.skip(f"no WordNet database files in {REAL_WORDNET} (Debian: wordnet-base)")
    wordnet = open_lexicon(f"wndb:{REAL_WORDNET}")
    [*_, paris] = wordnet.synsets("paris", "n")[:1]
    assert "French capital" in paris.lemmas
    assert "car" in wordnet.synonyms("automobile", "n")
    assert wordnet.antonyms("hot", "a", 1) == ("cold",)
    assert wordnet.lemmas("geese", "n") == ("goose",)
    first, last = wordnet.synsets("'hood", "n"), wordnet.synsets("zymurgy", "n")
    assert len(first) == len(last) == 1
    dog = wordnet.synsets("dog", "n")[0]
    assert {"canine", "domestic animal"} <= {lemma for broader in wordnet.hypernyms(dog) for lemma in broader.lemmas}
    assert all(dog in wordnet.hypernyms(narrower) for narrower in wordnet.hyponyms(dog))
