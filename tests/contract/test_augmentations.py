"""One contract for every registered augmentation: a new member is tested because it exists."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import get_args, get_type_hints

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from augcse import augment
from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import parse_sentences
from augcse.augmentations.base import AUGMENTATIONS, Augmentation, Fitted, row_stream
from augcse.augmentations.refusals import Refusal, noting
from augcse.augmentations.run.apply import Job, Request, apply_requests, fit_all
from augcse.augmentations.run.composed import Parses, apply_spec
from augcse.augmentations.spec import Spec, parse_spec
from augcse.corpus.read import read_sentences
from augcse.errors import UserError
from augcse.resources import DEMO_CORPUS
from tiny_models import build_tiny_model

SpecOf = Callable[[Augmentation], Spec]
MEMBERS = [pytest.param(member, id=member.name) for member in AUGMENTATIONS]
FIRST_MEMBERS = {
    "ContractionExpansions",
    "DiscourseMarkerSubstitution",
    "NumericToWord",
    "RandomSwap",
    "RandomDeletion",
    "RandomCrop",
    "RandomWordAugmentation",
    "PunctuationInsertion",
    "GenderSwap",
    "SentenceAdjectivesAntonymsSwitch",
    "SentenceAuxiliaryNegationRemoval",
    "TenseTransformation",
}
# The demo corpus names hardly any real place, and of its sentences 3 % hold a colour word of any sense.
RARELY_APPLICABLE = {"CityNamesTransformation", "ColorTransformation", "GeoNamesTransformation"}
AWKWARD = {
    "empty": "",
    "blank": "  \t ",
    "one word": "Yes",
    "punctuation": "... !? -- ;",
    "emoji": "😀 👩‍👩‍👧 ok 🏳️‍🌈",
    "right to left": "لا أعرف ماذا تريد. שלום עולם",
    "csv null": "NA",
    "tabs and newlines": "He doesn't\tknow,\nand 3 of them\r\nwill not go.",
    "quotes": "“It isn't 5 o'clock,” she said.",
    "ten thousand characters": "The old man did not sell 12 cars. " * 295,
    "surrogate-free astral": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 is 100% fun, isn't it?",
    "combining": "Zoe\u0308 wasn't here in 1998\u200b.",
}
texts = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(
            "He She isn't not did won't 3 $4.50 1998 however, old the , . ! Mary because big 12:30 5% her his will walked cars".split()
        ),
        max_size=14,
    ).map(" ".join),
)


def _prepared(member: Augmentation, text: str) -> object:
    return next(parse_sentences([text])) if member.needs_parse else text


@functools.cache
def _fitted(kind: type[Fitted] | None) -> Fitted | None:
    return None if kind is None else kind.fit(read_sentences([DEMO_CORPUS]))


# The options that hold a checkpoint's name, by the kind of tiny model that takes its place.
CHECKPOINTS = {"model": "seq2seq", "forward": "seq2seq", "backward": "seq2seq", "adequacy": "classifier"}


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUGCSE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def spec_of(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Callable[[Augmentation], Spec]:
    """How a member is called here: by its name, or, where it needs a published checkpoint, with tiny random models in its place."""

    @functools.cache
    def model(kind: str) -> Path:
        return build_tiny_model(kind, tmp_path_factory.mktemp("tiny") / kind, sentences)

    @functools.cache
    def spec(member: Augmentation) -> Spec:
        if "seq2seq" not in member.needs:
            return parse_spec(member.name)
        names = [name for name in member.options if name in CHECKPOINTS]
        # A random classifier is sure of nothing, and a random generator knows no end: few beams, short texts.
        frugal = {"threshold": 0, "beams": 2, "candidates": 2, "max_tokens": 48}
        options = [f"{name}={value}" for name, value in frugal.items() if name in member.options]
        return parse_spec(":".join([member.name, *(f"{name}={model(CHECKPOINTS[name])}" for name in names), *options]))

    return spec


def _augment(sentences: list[str], member: Augmentation, spec: Spec, seed: int = 0) -> list[str | None]:
    return augment(sentences, spec.text, seed=seed, corpus=read_sentences([DEMO_CORPUS]) if member.fitted else None)


def test_the_first_members_are_registered() -> None:
    assert set(AUGMENTATIONS.names()) >= FIRST_MEMBERS


@pytest.mark.parametrize("member", [pytest.param(m, id=m.name) for m in AUGMENTATIONS if not m.example.needs_model])
def test_example_is_what_the_rule_gives(member: Augmentation, spec_of: SpecOf) -> None:
    assert _augment([member.example.sentence], member, spec_of(member), member.example.seed) == [member.example.augmented]


@pytest.mark.parametrize("member", [pytest.param(m, id=m.name) for m in AUGMENTATIONS if not m.example.needs_model])
def test_format_characters_at_the_ends_stay_there_and_change_nothing(member: Augmentation, spec_of: SpecOf) -> None:
    example = member.example
    around = f"\ufeff{example.sentence}\u200b\u202c "
    assert _augment([around], member, spec_of(member), example.seed) == [f"\ufeff{example.augmented}\u200b\u202c "]


@pytest.mark.parametrize("member", MEMBERS)
def test_only_members_on_published_checkpoints_have_examples_by_hand(member: Augmentation) -> None:
    assert member.example.needs_model == ("seq2seq" in member.needs)
    assert member.example.augmented != member.example.sentence


@pytest.mark.parametrize("member", MEMBERS)
def test_card_is_complete(member: Augmentation) -> None:
    card = member.card()
    stated = ["name", "family", "meaning", "needs", "languages", "source", "description", "example"]
    assert list(card) == [*stated, "options", "refusals", "changes", "module"]
    assert all(card[key] for key in [*stated, "module"] if key != "needs")
    assert card["meaning"] in {"highly_preserving", "possible_alteration", "alteration"}


def _refusals() -> Iterator[object]:
    for member in AUGMENTATIONS:
        for refusal in member.refusals:
            yield pytest.param(member, refusal, id=f"{member.name}: {refusal.name}")


@pytest.mark.parametrize(("member", "refusal"), _refusals())
def test_refusal_leaves_its_example_alone_and_is_why(member: Augmentation, refusal: Refusal[...], spec_of: SpecOf) -> None:
    sentence, spec = refusal.example, spec_of(member)
    fitted = _fitted(member.fitted)
    decided = set()
    for row in range(8):
        with noting() as names:
            assert (
                member.apply(_prepared(member, sentence), row_stream(0, spec.text, row), fitted, **spec.options, **refusal.options) is None
            )
        decided.update(names)
    assert refusal.name in decided


@pytest.mark.parametrize("member", [pytest.param(m, id=m.name) for m in AUGMENTATIONS if m.refusals])
def test_refusals_have_a_name_each(member: Augmentation) -> None:
    names = [refusal.name for refusal in member.refusals]
    assert len(set(names)) == len(names)
    assert len({refusal.example for refusal in member.refusals}) == len(names)


@pytest.mark.parametrize("member", MEMBERS)
def test_folder_is_the_family_and_file_the_rule(member: Augmentation) -> None:
    _, _, rules, family, name, *rule = member.rule.__module__.split(".")
    assert (rules, family, rule) in (("rules", member.family, []), ("rules", member.family, ["rule"]))
    # Several rules in one file share an idea, which it is named after; one alone is named in it, at least by its last words.
    alone = [other.rule.__module__ for other in AUGMENTATIONS].count(member.rule.__module__) == 1
    assert not alone or member.name.lower().endswith(name.replace("_", "")), "name the file by the last words of the rule's name"


@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
@pytest.mark.parametrize("member", MEMBERS)
def test_awkward_text_is_safe(member: Augmentation, text: str, spec_of: SpecOf) -> None:
    [augmented] = _augment([text], member, spec_of(member))
    assert augmented is None or (augmented != text and augmented.strip())


@pytest.mark.parametrize("member", MEMBERS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(text=texts, seed=st.integers(0, 2**32))
def test_deterministic_never_its_input_and_no_global_rng(member: Augmentation, spec_of: SpecOf, text: str, seed: int) -> None:
    prepared, fitted, options = _prepared(member, text), _fitted(member.fitted), spec_of(member).options
    python_state, numpy_state = random.getstate(), np.random.get_state()[1].copy()  # noqa: NPY002 - it must not change
    first = member.apply(prepared, row_stream(seed, member.name, 0), fitted, **options)
    second = member.apply(prepared, row_stream(seed, member.name, 0), fitted, **options)
    assert first == second
    assert first is None or (first != text and first.strip())
    assert random.getstate() == python_state
    assert (np.random.get_state()[1] == numpy_state).all()  # noqa: NPY002


@pytest.mark.parametrize("member", MEMBERS)
def test_rows_do_not_depend_on_each_other(
    member: Augmentation, spec_of: SpecOf, sentences: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is cached was computed in the company of the first call: with the cache on, this would pass by itself.
    monkeypatch.setenv("AUGCSE_CACHE", "off")
    some, name = sentences[:40], spec_of(member).text
    together = _augment(some, member, spec_of(member), seed=5)
    job = Job(5, fitted=fit_all([name], lambda: read_sentences([DEMO_CORPUS]), tmp_path))
    requests = [Request(row, some[row], (name,)) for row in reversed(range(40))]
    alone = {request.row: result[0] for request, result in zip(requests, apply_requests(requests, job), strict=True)}
    assert together == [alone[row] for row in range(40)]


@pytest.mark.parametrize("member", MEMBERS)
def test_changes_something_in_real_text(member: Augmentation, spec_of: SpecOf, sentences: list[str]) -> None:
    # Beam search takes its time even with a tiny model; sentences are reordered where there are several.
    some = sentences[:60] if "seq2seq" in member.needs else sentences
    if member.name == "SentenceReordering":
        some = [f"{first} {second}" for first, second in pairwise(some)]
    changed = sum(new is not None for new in _augment(some, member, spec_of(member)))
    rarely = "it changes fewer than 3 % of the demo corpus: put it in RARELY_APPLICABLE, with the reason"
    assert changed >= (0.03 * len(some) if member.name not in RARELY_APPLICABLE else 1), rarely


@pytest.mark.parametrize("member", [pytest.param(member, id=member.name) for member in AUGMENTATIONS if member.may_change])
def test_what_may_not_change_is_not_parsed_and_would_not_change(member: Augmentation, sentences: list[str]) -> None:
    asked: list[str] = []

    def parse(some: Sequence[str]) -> Iterator[Parse]:
        asked.extend(some)
        return parse_sentences(some)

    examples = [member.example.sentence, *(refusal.example for refusal in member.refusals)]
    some = list(dict.fromkeys([*sentences, *examples, *AWKWARD.values(), "She cant, dont and wont. It cannot be RED."]))
    parses = list(parse_sentences(some))
    for fidelity in get_args(get_type_hints(member.rule)["fidelity"]):
        asked.clear()
        spec = parse_spec(f"{member.name}:fidelity={fidelity}")
        without = member.apply_all(parses, [row_stream(0, spec.text, row) for row in range(len(some))], fidelity=fidelity)
        assert apply_spec(spec, some, [row_stream(0, spec.text, row) for row in range(len(some))], Parses(parse), {}) == without
        assert member.may_change is not None
        assert asked == [text for text in some if member.may_change(text, fidelity=fidelity)]


@pytest.mark.parametrize("member", MEMBERS)
def test_unknown_option_names_the_near_one(member: Augmentation) -> None:
    with pytest.raises(UserError, match=f"unknown option of {member.name}"):
        augment(["One two three."], member.name, no_such_option=1)


def test_unknown_name_suggests_the_near_one() -> None:
    with pytest.raises(UserError, match="did you mean RandomSwap"):
        augment(["a b"], "RandomSwop")


def test_a_text_in_place_of_a_list_is_refused() -> None:
    with pytest.raises(UserError, match="sentences is str; give a list of texts"):
        augment("He doesn't come.", "ContractionExpansions")
