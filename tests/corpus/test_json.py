"""JSON: arrays, values after one another, and what is no text in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.corpus.json_values import json_elements
from augcse.corpus.read import read_sentences
from augcse.corpus.rows import read_rows
from augcse.corpus.unpack import PIECE_BYTES
from augcse.errors import UserError

SENTENCES = ["one", 'two, "quoted"', "[three]", "é 漢字 😀"]


def _read(folder: Path, content: str, name: str = "c.json") -> list[str]:
    (folder / name).write_text(content, "utf-8")
    return list(read_sentences([folder / name], keep_blank=True))


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(SENTENCES),
        json.dumps(SENTENCES, indent=2, ensure_ascii=False),
        json.dumps([{"id": n, "text": text} for n, text in enumerate(SENTENCES)], indent=1),
        "\n".join(json.dumps({"text": text}) for text in SENTENCES),
        "\n\n".join(json.dumps({"text": text}, indent=2) for text in SENTENCES),
    ],
    ids=["strings", "indented", "objects", "lines", "indented values"],
)
def test_a_json_file_is_an_array_or_values_after_one_another(content: str, tmp_path: Path) -> None:
    assert _read(tmp_path, content + "\n") == SENTENCES


@pytest.mark.parametrize("content", ["[]", " [ ] ", "", "\n"])
def test_nothing_is_no_sentence(content: str, tmp_path: Path) -> None:
    assert _read(tmp_path, content) == []


@given(values=st.lists(st.one_of(st.text(max_size=20), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans())))
@pytest.mark.parametrize("indent", [None, 3])
def test_elements_are_what_json_reads_at_once(indent: int | None, values: list[object], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("json") / "c.json"
    path.write_text(json.dumps(values, indent=indent), "utf-8")
    assert [value for _, value in json_elements(path, "strict")] == values


def test_an_element_may_lie_across_what_is_read_at_once(tmp_path: Path) -> None:
    sentences = [f"{n} " + "é" * 997 for n in range(3 * PIECE_BYTES // 1_000)]
    assert _read(tmp_path, json.dumps(sentences, ensure_ascii=False)) == sentences


def test_nulls_are_blank(tmp_path: Path) -> None:
    assert _read(tmp_path, '[{"text": null}, null, "one"]') == ["", "", "one"]


def test_the_first_object_of_a_file_chooses_the_key_for_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"title": "One."}\n{"id": 2, "title": "Two."}\n', "utf-8")
    (tmp_path / "b.jsonl").write_text('{"id": 3, "text": "Three."}\n', "utf-8")
    assert list(read_sentences([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])) == ["One.", "Two.", "Three."]


DEEP = "[" * 100_000
INPUTS = [
    ("c.json", '["one", 2]', "element 2: 2 is not text"),
    ("c.json", '["one", ["two"]]', r"element 2: \['two'\] is not text"),
    ("c.jsonl", '{"id": 1, "text": "One."}\n{"title": "Foo"}\n', "line 2: unknown column 'text'; known: title"),
    ("c.jsonl", '"One."\n\n{"title": "Foo"}\n{"id": 1, "text": "Two."}\n', "line 4: unknown column 'title'; known: id, text"),
    ("c.json", '[{"text": "One."}, {"sentence": "Two."}]', "element 2: unknown column 'text'; known: sentence"),
    ("c.json", '{"data": ["one"]}', r"element 1: \['one'\] is not text; name the text's key with --column"),
    ("c.json", '["one", "two"', "no comma and no ] after element 2; give the whole file"),
    ("c.json", '["one" "two"]', "no comma and no ] after element 1"),
    ("c.json", '["one", ]', r"element 2: not JSON \(Expecting value\)"),
    ("c.json", '["one"] ["two"]', "text after the array's end"),
    ("c.json", '["one", "tw', r"element 2: not JSON \(Unterminated string"),
    ("c.json", '["one", NaN]', r"element 2: not JSON \(NaN is not a JSON number\)"),
    ("c.json", DEEP, r"element 1: not JSON \(nested too deeply\)"),
    ("c.json", "plain text", r"element 1: not JSON"),
    ("c.jsonl", '"one"\n' + DEEP + "\n", r"line 2: not JSON \(nested too deeply\)"),
    ("c.jsonl", '"one"\n{"text": Infinity}\n', r"line 2: not JSON \(Infinity is not a JSON number\)"),
    ("c.jsonl", '"one"\n' + "9" * 5_000 + "\n", r"line 2: not JSON \(Exceeds the limit"),
    ("c.jsonl", '"one"\n"\\ud800"\n', r"line 2: U\+D800 is half a character \(a lone surrogate\)"),
    ("c.jsonl", '"one"\n{"text": "a\\u0000b"}\n', "line 2: NUL byte"),
    ("c.json", '["one", "\\udfff"]', r"element 2: U\+DFFF is half a character"),
]


@pytest.mark.parametrize(("name", "content", "message"), INPUTS, ids=[f"{name} {content[:20]!r}" for name, content, _ in INPUTS])
def test_what_is_wrong_is_one_line_with_its_place(name: str, content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=rf"{name}(, |: ){message}") as caught:
        _read(tmp_path, content, name)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_pair_of_surrogates_is_a_character(tmp_path: Path) -> None:
    assert _read(tmp_path, '["\\ud83d\\ude00"]') == ["😀"]


def test_replace_puts_a_sign_in_place_of_what_is_no_character(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text('"a\\ud800b\\u0000c"\n', "utf-8")
    assert list(read_sentences([tmp_path / "c.jsonl"], "replace")) == ["a\ufffdb\ufffdc"]


@pytest.mark.parametrize("content", [b'["one", "\xff"]', b'["one", "\xc3'])
def test_bytes_that_are_not_utf8_are_refused_with_their_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_bytes(b"\n" + content)
    with pytest.raises(UserError, match=r"c\.json, line 2: .* UTF-8"):
        list(read_sentences([tmp_path / "c.json"]))


def test_an_infinite_label_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text('{"text": "one", "label": 1e999}\n', "utf-8")
    with pytest.raises(UserError, match=r"line 1: inf is not a number"):
        list(read_rows([tmp_path / "c.jsonl"], {"original": "text", "label": "label"}, values=("label",)))
