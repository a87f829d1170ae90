"""Errors, registry, random streams, files: what everything stands on."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors import SafetensorError

from augcse.errors import UserError, unknown_name
from augcse.files import check_can_be_folder, replace_folder, whole_folder, write_json, write_text
from augcse.registry import Registry
from augcse.rng import derive_seed, stream


@given(st.integers(0, 2**40), st.text(max_size=8), st.integers(0, 2**40))
def test_streams_repeat_and_leave_the_global_generator_alone(seed: int, name: str, row: int) -> None:
    state = random.getstate()
    assert stream(seed, name, row).random() == stream(seed, name, row).random()
    assert random.getstate() == state


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=2, max_size=20, unique=True))
def test_different_paths_give_different_seeds(paths: list[tuple[int, int]]) -> None:
    assert len({derive_seed(0, "x", *path) for path in paths}) == len(paths)


def test_path_elements_do_not_run_together() -> None:
    assert derive_seed(1, "ab", "c") != derive_seed(1, "a", "bc")


def test_uniform_over_rows() -> None:
    draws = [stream(0, "draw", row).randrange(4) for row in range(8000)]
    assert all(1850 < draws.count(value) < 2150 for value in range(4))


def test_unknown_name_without_a_near_one_lists_all() -> None:
    assert str(unknown_name("task", "zzz", ["b", "a"])) == "unknown task 'zzz'; known: a, b"


def test_registering_twice_is_a_programming_error() -> None:
    registry: Registry[int] = Registry("thing", "augcse.report")
    registry.add("x", 1)
    with pytest.raises(ValueError, match="registered twice"):
        registry.add("x", 2)
    assert "x" in registry
    assert list(registry) == [1]


def test_write_text_replaces_whole_files(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.txt"
    write_text(path, "one")
    write_text(path, "two")
    assert path.read_text("utf-8") == "two"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("name", ["locked", "locked/new", "locked/deep/new"])
def test_a_folder_without_permission_to_write_is_refused_before_any_work(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "locked").mkdir()
    # In place of chmod: a superuser may write anywhere.
    monkeypatch.setattr("augcse.files.os.access", lambda path, mode: not (mode & os.W_OK and Path(path) == tmp_path / "locked"))
    with pytest.raises(UserError, match=r"permission denied for .*locked; choose another --output"):
        check_can_be_folder(tmp_path / name)
    check_can_be_folder(tmp_path / "free")


def test_a_link_at_the_partial_name_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("a letter", "utf-8")
    (tmp_path / ".out.txt.partial").symlink_to(tmp_path / "letter")
    write_text(tmp_path / "out.txt", "ours")
    assert (tmp_path / "letter").read_text("utf-8") == "a letter"
    assert not (tmp_path / "out.txt").is_symlink()


def test_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(self: Path, *arguments: object, **options: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", no_space)
    with pytest.raises(UserError, match="No space left on device; free some space"):
        write_json(tmp_path / "run.json", {})
    assert not list(tmp_path.iterdir())


@pytest.fixture
def disk_calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record what is synced and renamed, in order, as `call name`."""
    calls: list[str] = []
    names: dict[int, str] = {}
    opened, synced, renamed, replaced = os.open, os.fsync, Path.rename, Path.replace

    def open_(path: Path, *arguments: int) -> int:
        descriptor = opened(path, *arguments)
        names[descriptor] = Path(path).name
        return descriptor

    def fsync(descriptor: int) -> None:
        calls.append(f"sync {names[descriptor]}")
        synced(descriptor)

    def rename(self: Path, target: Path) -> Path:
        calls.append(f"rename {self.name}")
        return renamed(self, target)

    def replace(self: Path, target: Path) -> Path:
        calls.append(f"rename {self.name}")
        return replaced(self, target)

    monkeypatch.setattr(os, "open", open_)
    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "rename", rename)
    monkeypatch.setattr(Path, "replace", replace)
    return calls


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, disk_calls: list[str]) -> None:
    write_text(tmp_path / "run.json", "{}")
    assert disk_calls == ["sync .run.json.partial", "rename .run.json.partial", f"sync {tmp_path.name}"]


def test_a_folder_is_on_the_disk_before_it_has_its_name(tmp_path: Path, disk_calls: list[str]) -> None:
    with whole_folder(tmp_path / "model") as partial:
        (partial / "modules").mkdir()
        (partial / "modules" / "a").write_text("a", "utf-8")
    assert disk_calls == ["sync modules", "sync a", "sync .model.partial", "rename .model.partial", f"sync {tmp_path.name}"]


def test_a_folder_that_fails_half_way_leaves_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "model"
    with whole_folder(target) as partial:
        (partial / "a").write_text("old", "utf-8")
    with pytest.raises(UserError, match="cannot write"), whole_folder(target) as partial:  # noqa: PT012 - the write is what fails
        (partial / "a").write_text("new", "utf-8")
        raise OSError(28, "No space left on device")
    assert (target / "a").read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    "error",
    [
        OSError(28, "No space left on device"),
        SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)"),
        RuntimeError("[enforce fail at inline_container.cc:672] . unexpected pos 17344 vs 17236"),
    ],
    ids=["python", "safetensors", "torch"],
)
def test_a_full_disk_reads_the_same_whoever_reports_it(error: Exception, tmp_path: Path) -> None:
    with (
        pytest.raises(UserError, match=r"cannot write .*model: .*No space left on device.*free some space"),
        whole_folder(tmp_path / "model"),
    ):
        raise error
    assert not list(tmp_path.iterdir())


def test_other_runtime_errors_stay_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="shapes"), whole_folder(tmp_path / "model"):
        raise RuntimeError("shapes do not match")


@pytest.mark.skipif(not sys.platform.startswith(("linux", "darwin")), reason="this system exchanges no names")
def test_a_kill_after_any_rename_of_a_replacement_leaves_one_of_the_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("new", "old"):
        write_text(tmp_path / name / "content", name)
    renamed = Path.rename

    def killed(self: Path, target: Path) -> None:
        renamed(self, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "rename", killed)
    with suppress(KeyboardInterrupt):
        replace_folder(tmp_path / "new", tmp_path / "old")
    assert (tmp_path / "old" / "content").read_text("utf-8") in ("new", "old")


@pytest.mark.parametrize("exchanges", [True, False])
def test_replace_folder_takes_the_old_ones_place(exchanges: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not exchanges:
        monkeypatch.setattr("augcse.files.exchange", lambda one, other: False)
    (tmp_path / "new").mkdir()
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "stale").write_text("", "utf-8")
    replace_folder(tmp_path / "new", tmp_path / "old")
    assert not list((tmp_path / "old").iterdir())
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_members_are_listed_by_module_whichever_was_imported_first() -> None:
    code = "import augcse.augmentations.rules.noise.eda, augcse.evaluation.tasks.transfer; from {0} import {1}; print({1}.names())"
    for module, registry in (("augcse.augmentations.base", "AUGMENTATIONS"), ("augcse.evaluation.base", "TASKS")):
        late = subprocess.run([sys.executable, "-c", code.format(module, registry)], capture_output=True, text=True, check=True).stdout
        plain = f"from {module} import {registry}; print({registry}.names())"
        assert late == subprocess.run([sys.executable, "-c", plain], capture_output=True, text=True, check=True).stdout
