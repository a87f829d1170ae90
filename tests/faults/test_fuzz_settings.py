"""Whatever is written as a setting is a value or a `UserError` of one line: specs of augmentations, --set, and TOML recipes."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from augcse.assignments import parse_assignments
from augcse.augmentations.spec import parse_spec
from augcse.config import known_keys, load_recipe
from augcse.errors import UserError

_NAMES = st.sampled_from(["RandomSwap", "RandomSwap:rate", "WordMask:mask", "UNA:radius", "PunctuationInsertion:quote", "absent.py:X", ""])
_VALUES = st.one_of(
    st.text(max_size=30),
    st.floats().map(str),
    st.integers().map(str),
    st.sampled_from(["true", "none", "[]", "{}", "1e400", "-0", "0x10", "1_0", "2020-01-01", '"a"', "[[1]]", "{a = 1}", "\x00"]),
)
_KEYS = st.one_of(
    st.sampled_from([*known_keys(), "objective.temperature", "objective.projection", "corpus.columns.original"]), st.text(max_size=12)
)


def _refused_in_one_line(error: UserError) -> None:
    assert str(error)
    assert "Traceback" not in str(error)


@settings(max_examples=150)
@given(name=_NAMES, value=_VALUES)
@example(name="RandomSwap:rate", value="nan")
def test_a_spec_is_options_or_a_user_error(name: str, value: str) -> None:
    try:
        assert isinstance(parse_spec(f"{name}={value}").options, dict)
    except UserError as error:
        _refused_in_one_line(error)


@settings(max_examples=150)
@given(key=_KEYS, value=_VALUES)
@example(key="training.seed", value="9" * 5000)
@example(key="training.seed", value="[" * 5000)
def test_a_setting_is_a_recipe_or_a_user_error(key: str, value: str) -> None:
    try:
        assert load_recipe("simcse-mini", parse_assignments([f"{key}={value}"])).name
    except UserError as error:
        _refused_in_one_line(error)


@settings(max_examples=60)
@given(content=st.one_of(st.text(max_size=200).map(str.encode), st.binary(max_size=200)))
def test_a_file_is_a_recipe_or_a_user_error(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine.toml"
        path.write_bytes(content)
        try:
            load_recipe(str(path))
        except UserError as error:
            _refused_in_one_line(error)
