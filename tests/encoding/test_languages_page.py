"""docs/languages.md: its commands make, query and score an encoder of a small text, and its figures are those of the record."""

from __future__ import annotations

import itertools
import json
import lzma
import re
import shlex
from pathlib import Path
from random import Random

import pytest
from test_static_tokens import SCRIPTS

import static_chinese
from augcse.cli.app import run
from augcse.encoding.static.tokenizer import UNKNOWN, unknown_token

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "languages.md").read_text("utf-8")
FIRST, SECOND = re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)
CURVE = re.findall(r"^\| ([\d,]+) \| ([\d.]+) \|$", PAGE, re.MULTILINE)


def commands(block: str) -> list[list[str]]:
    lines = [shlex.split(line, comments=True) for line in block.splitlines()]
    return [words[1:] for words in lines if words[0] == "augcse"]


@pytest.fixture
def sentences() -> list[str]:
    """Chinese characters in orders of which no two are nearly the same, so that pairs can be drawn."""
    characters = sorted(set(filter(str.isalpha, SCRIPTS["chinese"])))
    return ["".join(Random(index).sample(characters, 12)) + "。" for index in range(300)]


def test_the_commands_make_query_and_score_an_encoder(
    sentences: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sentences.txt").write_text("\n".join(sentences) + "\n", "utf-8")
    doctor, static, neighbours = commands(FIRST)
    assert run(doctor) == 0
    assert run(static) == 0
    capsys.readouterr()
    assert run([*(sentences[7] if word.startswith("A sentence") else word for word in neighbours), "--json"]) == 0
    assert sentences[7] in json.dumps(json.loads(capsys.readouterr().out), ensure_ascii=False)
    pairs, evaluate, other = commands(SECOND)
    assert run(pairs) == 0
    graded(Path("pairs.tsv"))
    assert run(evaluate) == 0
    assert run(other) == 0
    assert json.loads(Path("other/static.json").read_text("utf-8"))["settings"]["letters_dim"] == 0


def graded(path: Path) -> None:
    """Grade the pairs by their place, since nobody is here who reads them."""
    header, *rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    column = header.index("score")
    for index, row in enumerate(rows):
        row[column] = str(index % 6)
    path.write_text("".join("\t".join(row) + "\n" for row in [header, *rows]), "utf-8")


@pytest.mark.parametrize(("size", "score"), CURVE)
def test_a_figure_of_the_curve_is_that_of_the_record(size: str, score: str) -> None:
    tries = json.loads(static_chinese.RECORD.read_text("utf-8"))["tries"]
    name = static_chinese.CHOSEN if size == f"{static_chinese.WHOLE:,}" else f"characters, {size} sentences"
    assert f"{tries[name]['scores'][static_chinese.DEV]:.2f}" == score


def test_the_curve_is_there_and_what_it_is_compared_with() -> None:
    assert len(CURVE) == 4
    assert f"({json.loads(static_chinese.RECORD.read_text('utf-8'))[static_chinese.OVERLAP]:.2f})" in PAGE


@pytest.fixture
def data(sentences: list[str], tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "zh"
    (folder / "CNSD-STSB").mkdir(parents=True)
    with lzma.open(folder / "unlabelled_zh.txt.xz", "wt", encoding="utf-8") as file:
        file.write("\n".join(sentences) + "\n")
    rows = [f"{index % 6}\t{first}\t{second}\tkey\n" for index, (first, second) in enumerate(itertools.pairwise(sentences[:9]))]
    with lzma.open(folder / "CNSD-STSB" / "train.tsv.xz", "wt", encoding="utf-8") as file:
        file.writelines(rows)
    (folder / "CNSD-STSB" / "dev.tsv").write_text("3\t我们去\t我们来\tkey\n0\t你\t他\tkey\n5\t好\t好\tkey\n", "utf-8")
    return tmp_path / "data"


def test_a_text_is_cut_to_its_first_sentences_and_rid_of_training_pairs(data: Path, sentences: list[str]) -> None:
    assert static_chinese.chinese(data, 5) == sentences[:5]
    assert static_chinese.chinese(data, 1000, "CNSD-STSB") == sentences[9:]


@pytest.mark.parametrize("kind", [static_chinese.PIECES, static_chinese.UNIGRAM])
def test_a_tokenizer_that_is_compared_cuts_runs(kind: str, sentences: list[str]) -> None:
    tokenizer = static_chinese.trained(kind, sentences)
    assert unknown_token(tokenizer) is not None
    pieces = {token.removeprefix("##") for token in tokenizer.get_vocab()} - {UNKNOWN}
    assert max(map(len, pieces)) > 1


def test_the_overlap_is_that_of_characters(data: Path) -> None:
    """Shares 2 of 3, 0 and 1 against grades 3, 0 and 5."""
    assert static_chinese.overlap_score(data, "dev") == 100.0


def test_no_try_follows_the_test(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "record.json"
    record.write_text(json.dumps({"tries": {}, "test": {"characters": 70.0}}), "utf-8")
    monkeypatch.setattr(static_chinese, "RECORD", record)
    monkeypatch.setattr("sys.argv", ["static_chinese", "--data", str(data)])
    with pytest.raises(SystemExit, match="no further try"):
        static_chinese.main()
