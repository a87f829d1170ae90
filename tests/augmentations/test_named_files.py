"""What an augmentation reads of the user's own is known by its content."""

from __future__ import annotations

from pathlib import Path

import pytest

from augcse.augmentations.spec import files_of, parse_spec
from augcse.files import content_sha256, file_sha256


def test_a_folder_is_known_by_the_names_and_the_bytes_of_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "wordnet"
    (folder / "more").mkdir(parents=True)
    (folder / "one").write_text("a", "utf-8")
    seen = [content_sha256(str(folder))]
    (folder / "more" / "two").write_text("a", "utf-8")
    seen.append(content_sha256(str(folder)))
    (folder / "more" / "two").write_text("b", "utf-8")
    seen.append(content_sha256(str(folder)))
    (folder / "more" / "two").rename(folder / "two")
    seen.append(content_sha256(str(folder)))
    assert None not in seen
    assert len(set(seen)) == 4


@pytest.mark.parametrize("name", ["nowhere", "x" * 5000, "a\0b", ""])
def test_what_is_no_file_has_no_checksum(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert content_sha256(name) is None


def test_every_option_that_names_a_file_counts(tmp_path: Path) -> None:
    words, vectors = tmp_path / "words.txt", tmp_path / "vectors.txt"
    words.write_text("river\n", "utf-8")
    vectors.write_text("river 0.1 0.2\nmill 0.2 0.1\n", "utf-8")
    swap, far = "RandomSwap:rate=0.2", f"RandomWordEmbAugmentation:vectors={vectors}"
    chain = f"keep_words({words}, {far})"
    assert files_of([swap, far, chain]) == {
        far: file_sha256(vectors),
        chain: f"{file_sha256(words)} {file_sha256(vectors)}",
    }
    assert parse_spec(swap).files_sha256() is None
