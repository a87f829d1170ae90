"""Views out of a table's columns: read as they are, the others drawn as ever; what does not fit is one line."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoTokenizer, PreTrainedTokenizerBase

from augcse import train
from augcse.augmentations.run.apply import augment
from augcse.errors import UserError
from augcse.training.store.build import prepare
from augcse.training.store.files import TokenStore
from augcse.training.store.views import DEFAULT_NEGATIVE
from augcse.training.watcher import Watcher
from plans import small_plan

HEADER = ["sent0", "sent1", "hard_neg"]
TRIPLETS = {"original": "sent0", "positive": "sent1", "negative": "hard_neg"}
PAIRS = {"original": "sent0", "positive": "sent1"}
VIEWS = ("original", "positive", "negative")


@pytest.fixture(scope="module")
def tokenizer(tiny_backbone: Path) -> PreTrainedTokenizerBase:
    return AutoTokenizer.from_pretrained(str(tiny_backbone))


@pytest.fixture(scope="module")
def table(sentences: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """200 rows of three different sentences."""
    path = tmp_path_factory.mktemp("table") / "triplets.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEADER, *([sentences[row], sentences[row + 200], sentences[row + 100]] for row in range(200))])
    return path


@pytest.fixture
def make(tokenizer: PreTrainedTokenizerBase, tmp_path: Path) -> Callable[..., TokenStore]:
    def made(path: Path, columns: dict[str, str], *views: str, folder: str = "store", workers: int = 1, **more: Any) -> TokenStore:
        return prepare(small_plan(path, *(views or VIEWS), columns=columns, **more), tokenizer, tmp_path / folder, workers=workers)

    return made


def _rows(store: TokenStore, view: str) -> list[list[int]]:
    return [store.views[view].row(row).tolist() for row in range(len(store))]


def _columns(path: Path) -> dict[str, list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in HEADER}


def test_views_with_a_column_are_its_cells(make: Any, table: Path, tokenizer: PreTrainedTokenizerBase) -> None:
    # Augmentations of a view that is read are not asked for.
    store = make(table, TRIPLETS, positives=("RandomSwap",), negatives=("RandomDeletion",))
    for view, column in TRIPLETS.items():
        assert _rows(store, view) == tokenizer(_columns(table)[column], truncation=True, max_length=32)["input_ids"]
    assert store.meta["view_counts"] == {}
    assert list(store.views) == list(VIEWS)


def test_a_view_without_a_column_is_drawn_from_the_original(make: Any, table: Path, tokenizer: PreTrainedTokenizerBase) -> None:
    store = make(table, PAIRS, positives=("RandomSwap",), negatives=("ContractionExpansions",))
    originals = _columns(table)["sent0"]
    named, deleted = augment(originals, "ContractionExpansions", seed=1), augment(originals, DEFAULT_NEGATIVE, seed=1)
    drawn = zip(_rows(store, "original"), _rows(store, "negative"), named, deleted, strict=True)
    for row, (original, negative, first, second) in enumerate(drawn):
        tried = [tokenizer(text, truncation=True, max_length=32)["input_ids"] for text in (first, second) if text]
        # Where neither changes a token, it is the sentence before.
        expected = [ids for ids in tried if ids != original] or [_rows(store, "original")[row - 1]]
        assert negative == expected[0]
    assert store.meta["view_counts"]["negative"]["ContractionExpansions"] > 10
    assert list(store.meta["view_counts"]) == ["negative"]
    assert _rows(store, "positive") == tokenizer(_columns(table)["sent1"], truncation=True, max_length=32)["input_ids"]


def test_next_can_be_read_or_be_the_following_row(make: Any, tmp_path: Path, tokenizer: PreTrainedTokenizerBase) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "a,b\nOne cat sat.,It slept.\nTwo dogs ran.,They barked.\n,\nThree birds flew.,They sang.\nFour fish swam.,So.\n", "utf-8"
    )
    read = make(path, {"original": "a", "next": "b"}, "original", "next")
    assert _rows(read, "next") == tokenizer(["It slept.", "They barked.", "They sang.", "So."])["input_ids"]
    following = make(path, {"original": "a"}, "original", "next", folder="following")
    assert _rows(following, "original") == tokenizer(["One cat sat.", "Three birds flew."])["input_ids"]
    assert _rows(following, "next") == tokenizer(["Two dogs ran.", "Four fish swam."])["input_ids"]


def test_two_workers_write_the_same_bytes(make: Any, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.training.store.draw._PARALLEL_FROM_ROWS", 50)
    monkeypatch.setattr("augcse.training.store.build._CHUNK_ROWS", 30)
    monkeypatch.setattr("augcse.augmentations.run.engines.CHUNK_ROWS", 40)
    negatives = ("ContractionExpansions", "RandomSwap")
    for workers in (1, 2):
        make(table, PAIRS, folder=str(workers), workers=workers, negatives=negatives)
    files = sorted(path.name for path in (tmp_path / "1").iterdir() if path.is_file())
    assert files == sorted(path.name for path in (tmp_path / "2").iterdir() if path.is_file())
    assert all((tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes() for name in files)


def test_other_columns_are_another_store(make: Any, table: Path) -> None:
    first = _rows(make(table, TRIPLETS), "positive")
    swapped = make(table, {"original": "sent0", "positive": "hard_neg", "negative": "sent1"})
    assert _rows(swapped, "negative") == first


def test_rows_without_one_of_their_texts_are_left_out_with_a_warning(tokenizer: PreTrainedTokenizerBase, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("sent0,sent1,hard_neg\nA cat sat.,It sat.,It ran.\nA dog ran.,,It sat.\nA bird flew.,It did.,No.\n", "utf-8")
    warnings: list[str] = []
    store = prepare(small_plan(path, *VIEWS, columns=TRIPLETS), tokenizer, tmp_path / "store", warn=warnings.append)
    assert len(store) == 2
    assert warnings == ["1 rows have an empty cell among their texts; they are left out"]


# From the recipe to the trained model.


def _run(folder: Path, corpus: Path, backbone: Path, recipe: str = "simcse-supervised-mini", kill_at: int = 0, **more: Any) -> Any:
    def advance(step: int, figures: object) -> None:
        if step == kill_at and not figures:
            raise Killed

    settings = {"batch_size": 20, "epochs": 2, "max_steps": 14, "checkpoint_every_steps": 4, "resume": False, **more}
    watcher = Watcher(advance=advance, note=settings.pop("note", lambda message: None))
    return train(recipe, corpus=corpus, output=folder, model=str(backbone), workers=1, dev="none", watcher=watcher, **settings)


class Killed(Exception):
    """Stands in for SIGKILL."""


def test_a_triplet_run_resumes_to_the_same_bits(table: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    # The negative is drawn, anew in each epoch; the positive is read.
    settings = {"corpus.columns": PAIRS, "augmentation.negatives": ["RandomSwap"], "augmentation.resample_every_epoch": True}
    notes: list[str] = []
    whole = _run(tmp_path / "whole", table, tiny_backbone, note=notes.append, **settings)
    with pytest.raises(Killed):
        _run(tmp_path / "killed", table, tiny_backbone, kill_at=13, **settings)
    resumed = _run(tmp_path / "killed", table, tiny_backbone, resume=True, **settings)
    first, second = (load_file(run.model / "model.safetensors") for run in (whole, resumed))
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert notes[0] == "negatives per anchor: 39"
    assert whole.record["negatives_per_anchor"] == {"contrastive": 39}
    assert "from a table (original: sent0, positive: sent1)" in (whole.model / "README.md").read_text("utf-8")


def test_a_column_that_is_a_negative_is_learnt_as_one(table: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    """The first step's loss is SimCSE's Eq. 5 over the cells, by a naive loop."""
    settings = {"batch_size": 8, "max_steps": 1, "learning_rate": 1e-12, "log_every_steps": 1, "model.dropout_rate": 0.0}
    path = tmp_path / "eight.csv"
    path.write_text("".join(table.read_text("utf-8").splitlines(keepends=True)[:9]), "utf-8")
    run = _run(tmp_path / "run", path, tiny_backbone, **settings, **{"objective.projection": "none", "precision": "fp32"})
    cells = _columns(path)
    vectors = {column: torch.nn.functional.normalize(_vectors(run.model, cells[column]), dim=1) for column in HEADER}
    losses = []
    for row in range(8):
        own = vectors["sent0"][row]
        logits = [own @ other / 0.1 for column in ("sent1", "hard_neg") for other in vectors[column]]
        losses.append(torch.logsumexp(torch.stack(logits), 0) - logits[row])
    assert run.record["curves"][0]["contrastive"] == pytest.approx(torch.stack(losses).mean().item(), rel=1e-4)


def _vectors(model: Path, texts: list[str]) -> torch.Tensor:
    from sentence_transformers import SentenceTransformer

    encoder = SentenceTransformer(str(model), device="cpu")
    encoder.max_seq_length = 32
    return encoder.encode(texts, convert_to_tensor=True)


@pytest.mark.parametrize(
    ("recipe", "options", "message"),
    [
        ("simcse-supervised-mini", {"corpus.columns.positive": "sent11"}, "unknown column 'sent11'; did you mean sent1"),
        ("simcse-mini", {"corpus.columns": TRIPLETS}, "names the view positive, which this objective does not read; it reads original"),
        ("simcse-mini", {"corpus.columns": {"orginal": "sent0"}}, "corpus.columns: unknown view 'orginal'; did you mean original"),
        ("augcse-mini", {"corpus.columns": {"augmented": "sent1"}}, '"augmented" comes with the name of its augmentation'),
        ("simcse-supervised-mini", {"column": "sent0"}, "--column sent0 and corpus.columns.original = sent0 both name"),
        ("simcse-mini", {"task.kind": "classification"}, "task.label is missing; give a text"),
        ("simcse-mini", {"task.kind": "clasification", "task.label": "x"}, "task.kind is 'clasification'; give one of"),
    ],
)
def test_refused_in_one_line(recipe: str, options: dict[str, Any], message: str, table: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message) as caught:
        _run(tmp_path / "run", table, tiny_backbone, recipe, **options)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "run" / "checkpoints").exists()


def test_plain_text_where_a_table_is_needed_is_refused(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"is plain text; rows of 3 cells need a table .* with columns sent0, sent1, hard_neg"):
        _run(tmp_path / "run", corpus, tiny_backbone)
    assert not (tmp_path / "run" / "prepared").exists()
