"""Every option of every augmentation and objective states what it may be, and nothing else is taken."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from augcse.allowed_values import as_meant
from augcse.augmentations.base import AUGMENTATIONS
from augcse.augmentations.run.apply import augment
from augcse.augmentations.spec import parse_spec
from augcse.config import load_recipe
from augcse.encoding.model import load_encoder
from augcse.encoding.static.options import StaticOptions, static_options
from augcse.errors import UserError
from augcse.objectives.base import OBJECTIVES
from augcse.options import Option, options_of

OF_RULES = [(member.name, option) for member in AUGMENTATIONS for option in member.options.values()]
RULES = [pytest.param(name, option, id=f"{name}-{option.name}") for name, option in OF_RULES]
LOSSES = [pytest.param(card.name, option, id=f"{card.name}-{option.name}") for card in OBJECTIVES for option in card.options.values()]
# What no option of ours is: each is refused by most, and an option says of each which type it has in its place.
WRONG: dict[str, tuple[Any, ...]] = {
    "float": ("abc", True, math.nan, math.inf, 1e30, -1e30, [1.0], None),
    "int": ("abc", 1.5, True, math.nan, 10**30, -(10**30), [1], None),
    "bool": ("yes", 1, 0.0, [True], None),
    "str": (3, 0.5, True, ["a"], None),
    "list": ("replace", 3, [], [3], None),
    "list of numbers": ("replace", 3, ["a"], [math.nan], [True], None),
}


def _wrong_values(option: Option) -> list[Any]:
    kind, _, none = option.type.partition(" or ")
    kind += " of numbers" if kind == "list" and "each a number" in option.allowed else ""
    # An empty list is right where it is the default.
    right = [list(option.default)] if isinstance(option.default, tuple) else []
    return [value for value in WRONG[kind] if value not in right and (value is not None or not none)]


@pytest.mark.parametrize(("name", "option"), [*RULES, *LOSSES])
def test_an_option_says_what_it_may_be(name: str, option: Option) -> None:
    bounded = " from " in option.allowed or " above " in option.allowed
    kind = option.type.partition(" or ")[0]
    assert kind in WRONG
    assert bounded or kind not in ("int", "float")
    # A text is one of a list, or its words are not those of any text.
    assert option.allowed.partition(" or ")[0] != "a text"


@pytest.mark.parametrize(("name", "option"), [*RULES, *LOSSES])
def test_a_default_is_allowed(name: str, option: Option) -> None:
    assert Option(option.name, option.annotation).check(option.default, name) == option.default


@pytest.mark.parametrize(("name", "option"), RULES)
def test_a_rule_refuses_every_wrong_value_in_one_line_that_names_all(name: str, option: Option) -> None:
    for value in _wrong_values(option):
        with pytest.raises(UserError) as caught:
            augment(["One two three."], name, **{option.name: value})
        message = str(caught.value)
        assert message.startswith(f"{name}: {option.name} is ")
        assert option.allowed in message
        assert "\n" not in message


@pytest.mark.parametrize(("name", "option"), LOSSES)
def test_an_objective_refuses_every_wrong_value_in_one_line_that_names_all(name: str, option: Option) -> None:
    for value in _wrong_values(option):
        with pytest.raises(UserError) as caught:
            OBJECTIVES.get(name).check_options({option.name: value})
        message = str(caught.value)
        assert message.startswith(f"objective {name}: {option.name} is ")
        assert option.allowed in message
        assert "\n" not in message


@pytest.mark.parametrize("name", OBJECTIVES.names())
def test_options_read_from_the_source_are_those_of_the_class(name: str) -> None:
    card = OBJECTIVES.get(name)
    assert options_of(card.load().__init__, card.options) == card.options


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RandomSwap:rate=abc", "RandomSwap: rate is 'abc'; give a number from 0 to 1 (default 0.3)"),
        ("RandomSwap:rate=true", "RandomSwap: rate is true; give a number from 0 to 1 (default 0.3)"),
        ("RandomSwap:adjacent=1", "RandomSwap: adjacent is 1; give true or false (default true)"),
        ("RandomSwap:rtae=0.1", "unknown option of RandomSwap 'rtae'; did you mean rate?"),
        ("ModalVerbs:rate=0.1", "unknown option of ModalVerbs 'rate'; it has none, leave it out"),
        ("TenseTransformation:to_tense=futur", "did you mean future?"),
        ("RandomPunctuationInsertion:marks=0", "give a whole number from 1 to 1000 (default 1)"),
        ("SynonymSubstitution:lexicon=wordnet", "unknown lexicon 'wordnet'"),
        ("WordMask:mask= ", "give the encoder's mask token"),
        ("MLMTokenReplacement:model=/no/such", "no model folder /no/such"),
        ("RandomWordEmbAugmentation:vectors=/no/such", "no vectors file /no/such"),
        ("RandomSwap:rate=0.1:rate=0.2", "rate is given twice"),
    ],
)
def test_a_spec_is_refused_before_anything_is_read(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_spec(text)
    assert message in str(caught.value)


def test_a_text_that_looks_like_a_number_is_a_text_where_one_is_asked_for() -> None:
    assert parse_spec("WordMask:mask=0").options == {"mask": "0"}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("objective.temperature", "abc", "objective augcse: temperature is 'abc'; give a number above 0 and up to 100 (default 0.05)"),
        ("objective.temperature", True, "temperature is true"),
        ("objective.fidelity", "papers", "did you mean paper?"),
        ("objective.projection", "mlp:layers=0", "layers is '0'; give a whole number from 1 to 64"),
        ("training.seed", -1, "training.seed is -1; give a whole number from 0 to 4294967295"),
        ("training.seed", 2**32, "training.seed is 4294967296; give"),
        ("training.epochs", 0, "training.epochs is 0; give a number above 0"),
        ("training.epochs", 1e9, "training.epochs is 1000000000.0; give"),
        ("training.epochs", math.nan, "training.epochs is nan; give"),
        ("training.batch_size", "32", "training.batch_size is '32'; give a whole number"),
        ("training.batch_size", True, "training.batch_size is true; give"),
        ("training.warmup_ratio", 1.5, "training.warmup_ratio is 1.5; give a number from 0 and below 1"),
        ("augmentation.names", 3, "augmentation.names is 3; give a list, each a text"),
        ("model.pooling", "max", "model.pooling is 'max'; give one of: own, cls, mean"),
    ],
)
def test_a_recipe_is_refused_when_it_is_loaded(key: str, value: object, message: str) -> None:
    with pytest.raises(UserError) as caught:
        load_recipe("augcse-mini", {key: value})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [None, "none"])
def test_none_is_taken_as_a_command_line_writes_it(value: str | None) -> None:
    assert static_options({"rows": value, "dim": value}) == StaticOptions()
    assert static_options({"backbone": "none", "rows": "both"}).backbone == "none"


@pytest.mark.parametrize(
    ("recipe", "key", "value", "expected"),
    [
        ("augcse-mini", "augmentation.names", "RandomSwap", ["RandomSwap"]),
        ("contrastive-mini", "positives", "4-aug-2", ["ContractionExpansions", "TenseTransformation", "RandomSwap"]),
        ("augcse-mini", "evaluation.test", "STSB", ["STSB"]),
        ("augcse-mini", "evaluation.baselines", "static", ["static"]),
        ("adapt-static", "start.steps", "whiten", ["whiten"]),
        ("rankcse-mini", "teachers", "static", ["static"]),
    ],
)
def test_one_text_is_a_list_of_one_where_a_list_of_texts_is_meant(recipe: str, key: str, value: str, expected: list[str]) -> None:
    resolved = load_recipe(recipe, {key: value}).model_dump(mode="json")
    section = next(table for table in resolved.values() if isinstance(table, dict) and key.split(".")[-1] in table)
    assert section[key.split(".")[-1]] == expected


def test_one_text_is_a_text_where_both_are_meant() -> None:
    assert as_meant(str | Sequence[str], "a") == "a"
    assert [as_meant(Literal["all"] | Sequence[str], text) for text in ("all", "a")] == ["all", ["a"]]


@pytest.mark.parametrize("key", ["training.last_layers", "model.dropout_rate", "training.average_decay", "training.eval_every_steps"])
def test_none_is_taken_where_a_recipe_offers_it(key: str) -> None:
    section, _, leaf = key.partition(".")
    assert load_recipe("simcse-mini", {key: "none"}).model_dump()[section][leaf] is None


def test_none_is_a_name_where_texts_are_taken() -> None:
    assert load_recipe("simcse-mini", {"model.backbone": "none"}).model.backbone == "none"


def test_a_loss_keeps_the_settings_that_were_checked(tiny_backbone: Path) -> None:
    settings = OBJECTIVES.get("simcse").load()(load_encoder(str(tiny_backbone)), temperature=np.float32(0.05)).settings
    assert json.dumps(settings["temperature"]) == repr(float(np.float32(0.05)))


def test_a_loss_built_by_hand_refuses_the_same() -> None:
    with pytest.raises(UserError, match="SimCSELoss: temperature is -1; give a number above 0"):
        OBJECTIVES.get("simcse").load()(object(), temperature=-1)


def test_a_users_function_is_checked_where_it_says_what_it_takes() -> None:
    def rule(sentence: str, rng: object, *, times: int = 2, anything=None) -> str: ...  # type: ignore[no-untyped-def]

    options = options_of(rule)
    assert options["anything"].check({"a": 1}, "rule") == {"a": 1}
    with pytest.raises(UserError, match="rule: times is 'abc'; give a whole number"):
        options["times"].check("abc", "rule")
    assert options["times"].default == 2
    assert inspect.Parameter.empty is options["anything"].annotation
