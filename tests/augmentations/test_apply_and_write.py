"""The augmentation pipeline: parse once, same rows for any number of workers, shards that any number of calls complete."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from multiprocessing import active_children
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from augcse.annotation import kept
from augcse.augmentations.run import apply, blocks, engines, write
from augcse.augmentations.run.apply import Job, Request, apply_requests
from augcse.augmentations.run.engines import apply_stream
from augcse.augmentations.run.given import split_ends
from augcse.augmentations.run.write import augment_corpus
from augcse.augmentations.spec import parse_spec
from augcse.errors import FailedWorkError, UserError
from augcse.locks import locked_folder

NAMES = ["TenseTransformation", "RandomSwap", "PunctuationInsertion"]


def test_a_sentence_is_parsed_once_for_all_its_augmentations(monkeypatch: pytest.MonkeyPatch, sentences: list[str]) -> None:
    parsed: list[str] = []
    original = kept.parse_sentences

    def counting(texts: object, parser: str) -> object:
        listed = list(texts)  # type: ignore[call-overload]
        parsed.extend(listed)
        return original(listed, parser)

    monkeypatch.setenv("AUGCSE_CACHE", "off")
    monkeypatch.setattr(kept, "parse_sentences", counting)
    apply_requests([Request(row, text, tuple(NAMES)) for row, text in enumerate(sentences[:20])], Job(0))
    assert parsed == sentences[:20]


def test_no_parse_where_no_rule_needs_it(monkeypatch: pytest.MonkeyPatch, sentences: list[str]) -> None:
    monkeypatch.setattr(apply, "kept_parses", lambda *_: pytest.fail("parsed"))
    apply_requests([Request(0, sentences[0], ("RandomSwap",))], Job(0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He left.\u200b", ("", "He left.", "\u200b")),
        ("\ufeffHe left.", ("\ufeff", "He left.", "")),
        ("\u202bHe left.\u202c \u200f\n", ("\u202b", "He left.", "\u202c \u200f\n")),
        (" \u00ad He\u200b left. ", (" \u00ad", " He\u200b left. ", "")),
        ("\u200b \ufeff", ("", "\u200b \ufeff", "")),
        ("", ("", "", "")),
        ("we \U0001f469\u200d\U0001f467", ("", "we \U0001f469\u200d\U0001f467", "")),
        ("we \U0001f3f4\U000e0067\U000e0062\U000e007f", ("", "we \U0001f3f4\U000e0067\U000e0062\U000e007f", "")),
        ("അവന്\u200d", ("", "അവന്\u200d", "")),
    ],
)
def test_format_characters_are_split_from_the_ends(text: str, expected: tuple[str, str, str]) -> None:
    assert split_ends(text) == expected


def test_changed_spans_count_the_format_characters_at_the_start() -> None:
    [edit] = apply.edits(["\u200b\ufeffIt isn't late.\u200b"], "ContractionExpansions")
    assert edit.augmented == "\u200b\ufeffIt is not late.\u200b"
    assert [(edit.sentence[c.start : c.end], edit.augmented[c.new_start : c.new_end]) for c in edit.changes] == [("isn't", "is not")]
    assert edit.carry([(11, 15)]) == [(12, 16)]


def test_members_of_a_composition_read_no_format_characters_at_the_ends() -> None:
    names = "chain(ContractionExpansions, SentenceAuxiliaryNegationRemoval)"
    assert apply.augment(["He isn't here.\u200b"], names) == ["He is here.\u200b"]


def test_workers_do_not_change_the_rows(monkeypatch: pytest.MonkeyPatch, sentences: list[str]) -> None:
    monkeypatch.setattr(engines, "CHUNK_ROWS", 30)
    requests = [Request(row, text, tuple(NAMES)) for row, text in enumerate(sentences[:120])]
    one = list(apply_stream(requests, Job(4), workers=1))
    two = list(apply_stream(requests, Job(4), workers=2))
    assert one == two


def test_a_killed_worker_is_one_line(monkeypatch: pytest.MonkeyPatch, sentences: list[str]) -> None:
    monkeypatch.setattr(engines, "CHUNK_ROWS", 5)
    results = apply_stream((Request(row, text, ("RandomSwap",)) for row, text in enumerate(sentences * 100)), Job(), workers=2)
    next(results)
    os.kill(active_children()[0].pid or 0, signal.SIGKILL)
    with pytest.raises(FailedWorkError, match=r"a worker process was killed, .*; fewer --workers take less$"):
        list(results)
    assert not active_children()


def test_closing_the_stream_ends_the_workers(monkeypatch: pytest.MonkeyPatch, sentences: list[str]) -> None:
    monkeypatch.setattr(engines, "CHUNK_ROWS", 5)
    results = apply_stream((Request(row, text, ("RandomSwap",)) for row, text in enumerate(sentences)), Job(), workers=2)
    next(results)
    assert len(active_children()) == 2
    results.close()
    assert not active_children()


@pytest.fixture
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "SHARD_SENTENCES", 150)


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Record the augmentations that were asked for, one entry per row."""
    asked: list[tuple[str, ...]] = []
    original = write.apply_stream

    def recording(requests: Iterable[Request], *arguments: object) -> object:
        recorded = (asked.append(request.names) or request for request in requests)  # type: ignore[func-returns-value]
        return original(recorded, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(write, "apply_stream", recording)
    return asked


def _content(folder: Path) -> dict[str, bytes]:
    """All files of a folder, hidden ones too."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _shard_names(*names: str) -> list[str]:
    return [f"part-{block:05d}~{name}.parquet" for block in range(3) for name in names]


@pytest.mark.usefixtures("_small_shards")
def test_every_row_has_its_output_row(corpus: Path, sentences: list[str], tmp_path: Path) -> None:
    done = augment_corpus([corpus], NAMES, tmp_path / "out", seed=1)
    shards = sorted((tmp_path / "out").iterdir())
    assert [shard.name for shard in shards] == _shard_names(*sorted(NAMES))
    rows = [row for shard in shards for row in pq.read_table(shard).to_pylist()]
    assert sorted((row["row"], row["augmentation"]) for row in rows) == [(r, name) for r in range(400) for name in sorted(NAMES)]
    assert all(row["sentence"] == sentences[row["row"]] for row in rows)
    assert all((row["augmented"] != row["sentence"]) == row["changed"] for row in rows)
    assert (done.sentences, done.blank) == (400, 0)
    assert done.changed["RandomSwap"] == sum(row["changed"] for row in rows if row["augmentation"] == "RandomSwap")


class _Killed(Exception):
    pass


def _kill_after(rows: int) -> Callable[[int], None]:
    done = 0

    def count(further: int) -> None:
        nonlocal done
        done += further
        if done >= rows:
            raise _Killed

    return count


@pytest.mark.usefixtures("_small_shards")
def test_a_killed_run_goes_on_and_ends_with_the_same_bytes(corpus: Path, tmp_path: Path, applied: list[tuple[str, ...]]) -> None:
    augment_corpus([corpus], ["RandomSwap"], tmp_path / "whole")
    with pytest.raises(_Killed):
        augment_corpus([corpus], ["RandomSwap"], tmp_path / "out", progress=_kill_after(200))
    assert list(_content(tmp_path / "out")) == ["part-00000~RandomSwap.parquet"]
    assert not list((tmp_path / "out").glob(".*"))
    applied.clear()
    augment_corpus([corpus], ["RandomSwap"], tmp_path / "out")
    assert applied == [("RandomSwap",)] * 250
    assert _content(tmp_path / "out") == _content(tmp_path / "whole")


@pytest.mark.usefixtures("_small_shards")
def test_an_added_augmentation_is_computed_alone(corpus: Path, tmp_path: Path, applied: list[tuple[str, ...]]) -> None:
    augment_corpus([corpus], ["RandomSwap", "PigLatin"], tmp_path / "out")
    applied.clear()
    augment_corpus([corpus], ["RandomSwap", "PigLatin", "RandomCrop"], tmp_path / "out")
    assert applied == [("RandomCrop",)] * 400


@pytest.mark.usefixtures("_small_shards")
@pytest.mark.parametrize(
    "calls", [["RandomSwap", "RandomCrop"], ["RandomCrop", "RandomSwap,PigLatin"]], ids=["one by one", "another order"]
)
def test_the_bytes_do_not_depend_on_the_calls(calls: list[str], corpus: Path, tmp_path: Path) -> None:
    augment_corpus([corpus], ["PigLatin", "RandomSwap", "RandomCrop"], tmp_path / "once")
    for names in [*calls, "PigLatin"]:
        augment_corpus([corpus], names.split(","), tmp_path / "out")
    assert _content(tmp_path / "out") == _content(tmp_path / "once")


def test_a_finished_folder_is_left_as_it_is(corpus: Path, tmp_path: Path, applied: list[tuple[str, ...]]) -> None:
    first = augment_corpus([corpus], ["RandomSwap"], tmp_path / "out")
    applied.clear()
    rows: list[int] = []
    assert augment_corpus([corpus], ["RandomSwap"], tmp_path / "out", progress=rows.append) == first
    assert (applied, sum(rows)) == ([], 400)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"seed": 1}, "seed"),
        ({"changed_only": True}, "changed_only"),
        ({"format": "csv"}, "format"),
        ({"encoding_errors": "replace"}, "encoding_errors"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("names", [["RandomSwap"], ["RandomCrop"]], ids=["the same", "another"])
def test_other_arguments_in_the_same_folder_are_refused(
    options: dict[str, int], named: str, names: list[str], corpus: Path, tmp_path: Path
) -> None:
    augment_corpus([corpus], ["RandomSwap"], tmp_path / "out")
    before = _content(tmp_path / "out")
    with pytest.raises(UserError, match=rf"made with other arguments \({named}\)"):
        augment_corpus([corpus], names, tmp_path / "out", **options)  # type: ignore[arg-type]
    assert _content(tmp_path / "out") == before


@pytest.mark.parametrize("name", ["thesis.txt", "part-00000.parquet", "manifest.json", "part-00000~RandomSwap.txt"])
def test_a_folder_of_something_else_is_refused(name: str, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("precious", "utf-8")
    with pytest.raises(UserError, match="is not empty"):
        augment_corpus([corpus], ["RandomSwap"], tmp_path / "out")
    assert _content(tmp_path / "out") == {name: b"precious"}


def _refused(tmp_path: Path, names: list[str], match: str, content: bytes = b"One line.\nTwo.\n", **options: object) -> None:
    corpus = tmp_path / "c.txt"
    corpus.write_bytes(content)
    with pytest.raises(UserError, match=match):
        augment_corpus([corpus], names, tmp_path / "out", **options)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == [corpus]
    corpus.write_text("Now it is well.\n", "utf-8")
    augment_corpus([corpus], ["RandomSwap:rate=1"], tmp_path / "out")


@pytest.mark.parametrize(
    ("names", "match"),
    [
        (["RandomSawp"], "did you mean RandomSwap"),
        (["RandomSwap", "RandomDeletion:rat=0.5"], "unknown option of RandomDeletion 'rat'"),
        (["RandomSwap:rate=5"], "rate"),
        (["PigLatin", "no_such.py:Rule"], "no file no_such.py"),
    ],
)
def test_names_and_options_are_checked_before_anything_is_claimed(names: list[str], match: str, tmp_path: Path) -> None:
    _refused(tmp_path, names, match)


@pytest.mark.parametrize(
    ("content", "match"),
    [(b"\n", "no sentence in it"), (b"Good.\n" * 400 + b"\xff\n", "line 401: byte 1 .* is not UTF-8")],
    ids=["empty", "last line"],
)
@pytest.mark.usefixtures("_small_shards")
def test_the_corpus_is_checked_to_its_last_line_before_anything_is_claimed(content: bytes, match: str, tmp_path: Path) -> None:
    _refused(tmp_path, ["RandomSwap"], match, content)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"engine": "rya"}, "unknown engine 'rya'; did you mean ray"),
        ({"format": "parket"}, "unknown format 'parket'; did you mean parquet"),
    ],
    ids=["engine", "format"],
)
def test_engine_and_format_are_checked_before_anything_is_claimed(options: dict[str, str], match: str, tmp_path: Path) -> None:
    _refused(tmp_path, ["RandomSwap"], match, **options)


@pytest.mark.parametrize("name", ["TenseTransformation", "RandomSwap"], ids=["parses", "does not parse"])
def test_a_parser_that_there_is_not_is_refused_before_anything_is_claimed(name: str, tmp_path: Path) -> None:
    _refused(tmp_path, [name], "no spaCy pipeline 'nope'", parser="nope")


def test_a_stream_refuses_an_engine_that_there_is_not() -> None:
    with pytest.raises(UserError, match="unknown engine 'rya'; did you mean ray"):
        apply_stream([], Job(), engine="rya")  # type: ignore[arg-type]


def test_a_missing_ray_is_said_before_anything_is_claimed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines.importlib.util, "find_spec", lambda name: None)
    _refused(tmp_path, ["RandomSwap"], r"pip install 'augcse\[ray\]'", engine="ray")


def test_a_folder_that_another_writes_is_refused(corpus: Path, tmp_path: Path) -> None:
    with locked_folder(tmp_path / "out"), pytest.raises(UserError, match=f"is being written by process {os.getpid()} "):
        augment_corpus([corpus], ["RandomSwap"], tmp_path / "out")


def test_what_killed_runs_left_is_taken_over_and_cleared(corpus: Path, tmp_path: Path) -> None:
    augment_corpus([corpus], ["UNA"], tmp_path / "whole")
    (tmp_path / "out" / ".fitted-of-another").mkdir(parents=True)
    (tmp_path / "out" / ".part-00000~UNA.parquet.partial").write_text("half", "utf-8")
    (tmp_path / "out" / ".lock").write_text("{}", "utf-8")
    augment_corpus([corpus], ["UNA"], tmp_path / "out")
    assert _content(tmp_path / "out") == _content(tmp_path / "whole")
    assert list(_content(tmp_path / "out")) == ["part-00000~UNA.parquet"]


@pytest.mark.usefixtures("_small_shards")
def test_blank_rows_have_their_output_rows(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text('text\n"He didn\'t\tcome,\nNA"\n""\nnull\n', "utf-8")
    done = augment_corpus([tmp_path / "c.csv"], ["ContractionExpansions"], tmp_path / "out")
    [shard] = (tmp_path / "out").iterdir()
    rows = pq.read_table(shard).to_pylist()
    assert [(row["row"], row["sentence"], row["augmented"], row["changed"]) for row in rows] == [
        (0, "He didn't\tcome,\nNA", "He did not\tcome,\nNA", True),
        (1, "", "", False),
        (2, "null", "null", False),
    ]
    assert (done.sentences, done.blank) == (3, 1)


def test_rows_without_change_are_left_out_where_that_is_asked(corpus: Path, tmp_path: Path) -> None:
    everything = augment_corpus([corpus], ["ContractionExpansions"], tmp_path / "all")
    changed = augment_corpus([corpus], ["ContractionExpansions"], tmp_path / "changed", changed_only=True)
    assert changed == everything
    rows = pq.read_table(tmp_path / "all").to_pylist()
    assert 0 < everything.changed["ContractionExpansions"] < 400
    assert pq.read_table(tmp_path / "changed").to_pylist() == [row for row in rows if row["changed"]]


@pytest.mark.usefixtures("_small_shards")
@pytest.mark.parametrize("damage", ["truncate", "replace", "text"])
def test_a_damaged_or_foreign_shard_is_noticed_and_written_again(damage: str, corpus: Path, tmp_path: Path) -> None:
    augment_corpus([corpus], ["RandomSwap"], tmp_path / "out")
    shard = tmp_path / "out" / "part-00001~RandomSwap.parquet"
    whole = shard.read_bytes()
    other = (tmp_path / "out" / "part-00000~RandomSwap.parquet").read_bytes()
    shard.write_bytes({"truncate": whole[: len(whole) // 2], "replace": other, "text": b"no Parquet"}[damage])
    warnings: list[str] = []
    augment_corpus([corpus], ["RandomSwap"], tmp_path / "out", warn=warnings.append)
    assert warnings == [f"{shard} is damaged or not ours; it is written again"]
    assert shard.read_bytes() == whole


def test_a_real_ray_cluster_of_two_workers_writes_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed (augcse[ray])")
    names = "RandomSwap,TenseTransformation,RandomDeletion:rate=0.2"
    # In a process of its own: Ray speaks over sockets, which are blocked in this one.
    arguments = ["augment", str(corpus), "--with", names, "--output", str(tmp_path / "ray"), "--engine", "ray", "--workers", "2"]
    environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    done = subprocess.run([sys.executable, "-m", "augcse", *arguments], capture_output=True, text=True, timeout=900, env=environment)
    assert done.returncode == 0, done.stderr
    augment_corpus([corpus], names.split(","), tmp_path / "local")
    assert _content(tmp_path / "ray") == _content(tmp_path / "local")


def test_what_other_code_learnt_lies_in_another_folder(tmp_path: Path) -> None:
    path, names = tmp_path / "rules.py", []
    card = "'Says', 'user', 'alteration', '', '', Example('', ''), lambda sentence, rng, counts: counts.who, fitted_class=Counts"
    for code in ("first", "second"):
        lines = ["from augcse.augmentations.base import Augmentation, Example", "class Counts:", f"    who = {code!r}"]
        path.write_text("\n".join([*lines, f"says = Augmentation({card})", ""]), "utf-8")
        names.append(write._fitted_name({}, [parse_spec(f"{path}:says")]))
    assert names[0] != names[1]
