"""Compositions: how they are written, their algebra, and that they are augmentations wherever one is named."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse import augment
from augcse.augmentations.composition import COMPOSITIONS, Call, read_call, split_names
from augcse.augmentations.run import engines
from augcse.augmentations.run.apply import Job, Request, apply_requests, preview_rows
from augcse.augmentations.run.engines import apply_stream
from augcse.augmentations.run.write import augment_corpus
from augcse.augmentations.sets import expand
from augcse.augmentations.spec import parse_spec
from augcse.cli.completion import augmentation_list
from augcse.config import load_recipe
from augcse.errors import UserError
from augcse.resources import DEMO_CORPUS
from augcse.training.store.roles import Roles

# Without draws: what they give depends on the text alone.
DETERMINISTIC = ("ContractionExpansions", "NumericToWord", "PigLatin", "SentenceAuxiliaryNegationRemoval", "WordMask:rate=0")
TEXTS = [
    "He doesn't know that the 3 old cars weren't sold in Rome.",
    "Well, it's 12 miles.",
    "Yes.",
    "They will not go, and she isn't here.",
]
members = st.recursive(
    st.sampled_from([*DETERMINISTIC, "RandomSwap:rate=0.5", "RandomDeletion:rate=0.2", "YodaPerturbation"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda some: f"chain({', '.join(some)})"),
        st.lists(inner, min_size=1, max_size=3).map(lambda some: f"one_of({', '.join(some)})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda some: f"some_of(2, {', '.join(some)})"),
        st.tuples(st.sampled_from(["0", "0.5", "1"]), inner).map(lambda pair: f"maybe({pair[0]}, {pair[1]})"),
    ),
    max_leaves=4,
)


def _of(name: str, texts: list[str] = TEXTS, seed: int = 0) -> list[str | None]:
    return augment(texts, name, seed=seed)


def _step_by_step(names: tuple[str, ...], text: str) -> str | None:
    """A chain as one would do it by hand."""
    now = text
    for name in names:
        now = _of(name, [now])[0] or now
    return None if now == text else now


@settings(max_examples=60)
@given(members, st.integers(0, 2**32))
def test_text_is_read_back_and_results_depend_on_row_and_seed_alone(name: str, seed: int) -> None:
    spec = parse_spec(name)
    assert parse_spec(spec.text) == spec
    assert expand([name]) == expand([spec.text]) == [spec.text]
    together = _of(name, seed=seed)
    assert together == _of(name, seed=seed)
    alone = [augment([text], name, seed=seed, rows=[row])[0] for row, text in enumerate(TEXTS)]
    assert together == alone
    assert all(new is None or (new.strip() and new != old) for new, old in zip(together, TEXTS, strict=True))


@given(st.lists(st.sampled_from(DETERMINISTIC), min_size=1, max_size=3).map(tuple))
def test_a_chain_is_its_members_one_after_the_other(names: tuple[str, ...]) -> None:
    assert _of(f"chain({', '.join(names)})") == [_step_by_step(names, text) for text in TEXTS]


@given(st.sampled_from(DETERMINISTIC), st.sampled_from(DETERMINISTIC), st.sampled_from(DETERMINISTIC))
def test_chains_are_associative_where_nothing_is_drawn(a: str, b: str, c: str) -> None:
    assert _of(f"chain(chain({a}, {b}), {c})") == _of(f"chain({a}, chain({b}, {c}))") == _of(f"chain({a}, {b}, {c})")


@given(st.sampled_from(DETERMINISTIC))
def test_of_one_member_every_composition_is_the_member(name: str) -> None:
    plain = _of(name)
    assert plain == _of(f"chain({name})") == _of(f"one_of({name})") == _of(f"some_of(1, {name})") == _of(f"maybe(1, {name})")
    assert _of(f"maybe(0, {name})") == [None] * len(TEXTS)


def test_a_later_member_reads_the_parse_of_what_the_earlier_one_gave() -> None:
    # The parsed rule alone leaves "isn't" as one finds it; after the expansion it sees "is not".
    text = "She isn't here."
    expanded = _of("ContractionExpansions", [text])[0]
    assert expanded == "She is not here."
    assert _of("chain(ContractionExpansions, SentenceAuxiliaryNegationRemoval)", [text]) == _of(
        "SentenceAuxiliaryNegationRemoval", [expanded]
    )


def test_what_comes_back_to_the_original_is_no_change() -> None:
    assert _of("GenderSwap", ["He isn't here."]) == ["She isn't here."]
    assert _of("chain(GenderSwap, GenderSwap)", ["He isn't here."]) == [None]


def test_one_of_draws_uniformly_among_those_that_change_the_sentence() -> None:
    texts = ["It isn't 3 miles to Rome."] * 3000
    names = ("ContractionExpansions", "NumericToWord", "PigLatin", "GenderSwap")
    results = _of(f"one_of({', '.join(names)})", texts)
    alone = {name: _of(name, texts[:1])[0] for name in names}
    assert alone["GenderSwap"] is None
    applicable = [new for new in alone.values() if new is not None]
    counts = Counter(results)
    assert set(counts) == set(applicable)
    expected = len(texts) / len(applicable)
    # Five standard deviations of a binomial.
    assert all(abs(count - expected) < 5 * (expected * (1 - 1 / len(applicable))) ** 0.5 for count in counts.values())


def test_maybe_changes_the_asked_share() -> None:
    texts = ["It isn't late."] * 4000
    changed = sum(new is not None for new in _of("maybe(0.3, ContractionExpansions)", texts))
    assert abs(changed - 1200) < 5 * (4000 * 0.3 * 0.7) ** 0.5


def test_some_of_changes_as_often_as_asked() -> None:
    texts = ["It isn't 3 miles."] * 200
    once = {_of(name, texts[:1])[0] for name in ("ContractionExpansions", "NumericToWord")}
    assert set(_of("some_of(1, ContractionExpansions, NumericToWord)", texts)) == once
    assert set(_of("some_of(2, ContractionExpansions, NumericToWord)", texts)) == {"It is not three miles."}


def test_members_have_streams_of_their_own() -> None:
    # The same rule twice, drawn from one stream, would swap the same words back.
    texts = ["one two three four five six seven eight"] * 50
    first, both = _of("chain(RandomSwap)", texts), _of("chain(RandomSwap, RandomSwap)", texts)
    assert sum(a != b for a, b in zip(first, both, strict=True)) > 40


def test_blanks_do_not_matter_and_sets_stand_for_their_members(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('names = ["RandomSwap", "chain(RandomCrop,\\n  RandomDeletion,\\n)"]\n', "utf-8")
    assert parse_spec(" one_of(RandomSwap ,RandomCrop)").text == "one_of(RandomSwap, RandomCrop)"
    assert expand([f"one_of({tmp_path}/mine.toml)"]) == ["one_of(RandomSwap, chain(RandomCrop, RandomDeletion))"]
    assert expand([f"{tmp_path}/mine.toml"]) == ["RandomSwap", "chain(RandomCrop, RandomDeletion)"]
    assert [leaf.text for leaf in parse_spec("chain(4-aug-2, chain(RandomCrop))").leaves] == [*expand(["4-aug-2"]), "RandomCrop"]


def test_a_set_file_in_a_set_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('names = ["one_of(mine.toml)"]\n', "utf-8")
    with pytest.raises(UserError, match="another set's file"):
        expand([str(tmp_path / "mine.toml")])


def test_names_are_split_at_outer_commas() -> None:
    assert split_names("a,chain(b, one_of(c, d)),e") == ["a", "chain(b, one_of(c, d))", "e"]
    assert read_call("Model:folder=/data(1)/m") is None
    assert augmentation_list("chain(RandomSw") == ["chain(RandomSwap"]
    assert augmentation_list("RandomSwap,one") == ["RandomSwap,one_of("]


@given(st.text(st.sampled_from('a/,() "\\\n'), min_size=1))
def test_any_value_is_written_so_that_it_is_read_back(value: str) -> None:
    member = "chain(RandomSwap, RandomCrop)"
    written = Call(COMPOSITIONS["keep_words"], (value,), (member,)).text([member])
    call = read_call(written)
    assert call is not None
    assert (call.values, call.members, call.text(call.members)) == ((value,), (member,), written)
    assert split_names(f"{written},chain({written})") == [written, f"chain({written})"]


def test_quotes_that_a_value_does_not_need_are_left_out() -> None:
    assert expand(['keep_words("words.txt" , RandomSwap)']) == ["keep_words(words.txt, RandomSwap)"]
    assert expand(['smallest_similarity(0.5, "a, b", RandomSwap)']) == ['smallest_similarity(0.5, "a, b", RandomSwap)']
    # A quote within a value opens nothing.
    assert split_names('RandomSwap,Model:folder=12",RandomCrop') == ["RandomSwap", 'Model:folder=12"', "RandomCrop"]


def test_meaning_is_that_of_all_members_or_in_doubt() -> None:
    assert parse_spec("chain(ContractionExpansions, NumericToWord)").meaning == "highly_preserving"
    assert parse_spec("one_of(ContractionExpansions, RandomSwap)").meaning == "possible_alteration"
    section = load_recipe("contrastive-mini", {"augmentation.neutral": ["chain(ContractionExpansions,NumericToWord)"]}).augmentation
    assert Roles(section).is_positive(section.neutral[0])


def test_a_rule_that_learns_from_the_corpus_is_a_member_like_any(tmp_path: Path) -> None:
    corpus = tmp_path / "c.txt"
    corpus.write_text("\n".join(DEMO_CORPUS.read_text("utf-8").splitlines()[:120]), "utf-8")
    name = "chain(TFIDFReplacement, RandomSwap:rate=0.1)"
    done = augment_corpus(corpus, [name], tmp_path / "out")
    texts = corpus.read_text("utf-8").splitlines()
    written = pq.read_table(tmp_path / "out").to_pylist()
    assert [row["augmented"] for row in written] == [new or old for new, old in zip(augment(texts, name), texts, strict=True)]
    assert done.changed[name] == sum(row["changed"] for row in written) > 60


def test_workers_chunks_and_other_names_do_not_change_the_rows(monkeypatch: pytest.MonkeyPatch, sentences: list[str]) -> None:
    names = ("chain(ContractionExpansions, YodaPerturbation, RandomSwap)", "one_of(4-aug-2)", "RandomSwap")
    requests = [Request(row, text, names) for row, text in enumerate(sentences[:90])]
    whole = apply_requests(requests, Job(4))
    monkeypatch.setattr(engines, "CHUNK_ROWS", 20)
    assert [texts for _, texts in apply_stream(requests, Job(4), workers=2)] == whole
    alone = apply_requests([Request(r.row, r.sentence, names[:1]) for r in reversed(requests)], Job(4))
    assert [texts[:1] for texts in whole] == alone[::-1]


def test_options_of_a_call_belong_to_no_composition() -> None:
    with pytest.raises(UserError, match="give it to a member"):
        augment(["a b"], "chain(RandomSwap)", rate=0.1)


def test_a_preview_says_why_for_each_member() -> None:
    [found] = preview_rows("Yes.", ["chain(NumericToWord, GenderSwap)"])
    assert found.augmented is None
    assert found.why_unchanged.startswith("NumericToWord: needs a text with a number")


@pytest.mark.parametrize("name", COMPOSITIONS)
def test_every_composition_is_described(name: str) -> None:
    card = COMPOSITIONS[name].card()
    assert card["form"].startswith(f"{name}(")
    assert card["description"].endswith(".")
