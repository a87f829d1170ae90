"""The scripts that write pages of samples take names, options and compositions as the command line does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sample_augmentations
import sample_domains
from augcse.augmentations.run.apply import augment

CHAIN = "chain(ContractionExpansions, WordMask:rate=0.2)"
SENTENCES = ["He doesn't see the small dog.", "They won't come to the old house.", "We walk along the river today."]


def test_samples_of_a_composition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "corpus.txt").write_text("\n".join(SENTENCES) + "\n")
    monkeypatch.setattr(sample_augmentations, "SAMPLES", tmp_path)
    monkeypatch.setattr(sample_augmentations, "MEASURED", tmp_path / "measured.json")
    names = "chain( ContractionExpansions,WordMask:rate=0.2 ),ContractionExpansions"
    monkeypatch.setattr("sys.argv", ["sample", str(tmp_path / "corpus.txt"), "--names", names, "--workers", "1"])
    sample_augmentations.main()
    page = (tmp_path / f"{CHAIN}.md").read_text("utf-8")
    assert all(f"→ {text}" in page for text in augment(SENTENCES, CHAIN) if text)
    measured = json.loads((tmp_path / "measured.json").read_text("utf-8"))
    assert measured["changed"] == {"ContractionExpansions": pytest.approx(2 / 3, abs=1e-4)}


def test_domains_of_a_composition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_domains, "DOMAINS", {"letters": lambda _: iter(SENTENCES)})
    monkeypatch.setattr(sample_domains, "split_of", lambda _: "tuning")
    names = f"{CHAIN},SentenceAuxiliaryNegationRemoval"
    monkeypatch.setattr("sys.argv", ["domains", str(tmp_path), "--names", names, "--output", str(tmp_path)])
    sample_domains.main()
    page = (tmp_path / f"{CHAIN}.md").read_text("utf-8")
    assert all(f"→ {text}" in page for text in augment(SENTENCES, CHAIN) if text)
    shares = json.loads((tmp_path / "shares.json").read_text("utf-8"))["changed"]
    assert shares["SentenceAuxiliaryNegationRemoval"] == {"letters": pytest.approx(2 / 3, abs=1e-4)}


@pytest.mark.parametrize("kinds", ["further", "last"])
def test_other_kinds_of_text_have_a_record_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: str) -> None:
    monkeypatch.setattr(sample_domains, f"{kinds.upper()}_DOMAINS", {"letters": lambda _: iter(SENTENCES)})
    monkeypatch.setattr(sample_domains, "split_of", lambda _: "hold-out")
    monkeypatch.setattr(sample_domains, "RESULTS", tmp_path)
    arguments = ["domains", str(tmp_path), "--names", "ContractionExpansions", "--output", str(tmp_path), "--split", "hold-out"]
    monkeypatch.setattr("sys.argv", [*arguments, f"--{kinds}", "--record"])
    sample_domains.main()
    record = json.loads((tmp_path / f"hold-out-{kinds}.json").read_text("utf-8"))
    assert record["changed"] == {"ContractionExpansions": {"letters": pytest.approx(2 / 3, abs=1e-4)}}
    # Without the encyclopedia's rows no draw of a set can be told.
    assert record["set_draw_on_wiki"] == {}


def test_fresh_kinds_of_text_are_the_files_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "letters.txt").write_text("\n".join(SENTENCES) + "\n")
    monkeypatch.setattr(sample_domains, "split_of", lambda _: "hold-out")
    monkeypatch.setattr(sample_domains, "RESULTS", tmp_path)
    arguments = ["domains", str(tmp_path), "--names", "ContractionExpansions", "--output", str(tmp_path), "--split", "hold-out"]
    monkeypatch.setattr("sys.argv", [*arguments, "--fresh", str(tmp_path), "--record"])
    sample_domains.main()
    record = json.loads((tmp_path / "hold-out-fresh.json").read_text("utf-8"))
    assert record["changed"] == {"ContractionExpansions": {"letters": pytest.approx(2 / 3, abs=1e-4)}}
