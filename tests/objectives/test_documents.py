"""Document positives: crops by their definition, the loss against a loop, and corpora without documents refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from augcse import train
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives.crops import random_crops
from augcse.objectives.discriminated import DiscriminatedLoss
from augcse.objectives.documents import DocumentsLoss
from augcse.objectives.joint import JointSupervisedLoss
from augcse.objectives.sentence_loss import SentenceLoss
from augcse.training.store.files import TokenStore


def _rows(lengths: list[int]) -> tuple[Tensor, Tensor]:
    """Rows 1, 100, 101, ..., 2: a token tells its place."""
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    ids = (torch.arange(max(lengths)) + 99).expand(len(lengths), -1).clone()
    ids[:, 0] = 1
    for row, length in enumerate(lengths):
        ids[row, length - 1] = 2
    return ids * mask, mask.long()


@given(
    lengths=st.lists(st.integers(3, 20), min_size=1, max_size=6),
    shortest=st.integers(1, 8),
    more=st.integers(0, 6),
    seed=st.integers(0, 99),
)
def test_a_crop_is_a_run_of_its_row(lengths: list[int], shortest: int, more: int, seed: int) -> None:
    torch.manual_seed(seed)
    ids, mask = _rows(lengths)
    crops, kept = random_crops(ids, mask, shortest, shortest + more, pad_id=0)
    assert torch.equal(crops != 0, kept.bool())
    for row, (crop, length) in enumerate(zip(crops, lengths, strict=True)):
        found = crop[kept[row].bool()].tolist()
        inner = found[1:-1]
        assert (found[0], found[-1]) == (1, 2)
        assert inner == list(range(inner[0], inner[0] + len(inner)))
        assert 100 <= inner[0] <= inner[-1] <= 100 + length - 3
        assert min(shortest, length - 2) <= len(inner) <= min(shortest + more, length - 2)


def test_lengths_and_beginnings_of_crops_are_uniform() -> None:
    torch.manual_seed(0)
    crops, kept = random_crops(*_rows([8] * 6000), shortest=2, longest=4, pad_id=0)
    lengths = kept.sum(dim=1) - 2
    shares = torch.bincount(lengths)[2:] / 6000
    assert shares.tolist() == pytest.approx([1 / 3] * 3, abs=0.03)
    starts = crops[lengths == 4, 1] - 100
    assert (torch.bincount(starts) / len(starts)).tolist() == pytest.approx([1 / 3] * 3, abs=0.05)


def _features(seed: int) -> dict[str, Tensor]:
    ids = torch.randint(5, 500, (4, 9), generator=torch.Generator().manual_seed(seed))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


@pytest.mark.parametrize("pairs", ["next", "crops"])
def test_the_loss_is_a_loop_over_pairs(pairs: Any, tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls").eval()
    loss = DocumentsLoss(model, pairs=pairs, temperature=0.2, shortest_crop_tokens=2, longest_crop_tokens=5).double().eval()
    views = [_features(0), _features(1)]
    if pairs == "next":
        # A row's next sentence that is another row's sentence is no negative of that one.
        views[1]["input_ids"][0] = views[0]["input_ids"][1]
    torch.manual_seed(4)
    found = loss(views[: len(loss.traits.views)])["contrastive"].item()
    torch.manual_seed(4)
    if pairs == "crops":
        made = [random_crops(views[0]["input_ids"], views[0]["attention_mask"], 2, 5, 0) for _ in range(2)]
        views = [{"input_ids": ids, "attention_mask": mask} for ids, mask in made]
    left, right = (model(dict(view))["sentence_embedding"].tolist() for view in views)
    total = 0.0
    for row in range(4):
        scores = []
        for other in range(4):
            if pairs == "next" and (row, other) == (1, 0):
                continue
            a, b = left[row], right[other]
            dot = sum(x * y for x, y in zip(a, b, strict=True))
            scores.append((other == row, dot / math.hypot(*a) / math.hypot(*b) / 0.2))
        whole = sum(math.exp(score) for _, score in scores)
        total -= next(score for own, score in scores if own) - math.log(whole)
    assert found == pytest.approx(total / 4, rel=1e-6)


def _train(recipe: str, corpus: Path | list[Path], tiny_backbone: Path, folder: Path) -> None:
    train(recipe, corpus=corpus, output=folder / "run", model=str(tiny_backbone), workers=1, batch_size=4, max_steps=1)


def test_a_corpus_without_documents_is_refused_before_any_work(tiny_backbone: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "lines.txt"
    corpus.write_text("".join(f"Sentence number {number} is here.\n" for number in range(20)), "utf-8")
    with pytest.raises(UserError, match=r"lines\.txt: no documents in it: no blank line separates one from the next") as refused:
        _train("documents-mini", corpus, tiny_backbone, tmp_path)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "run" / "prepared").exists()


def test_files_are_documents(tiny_backbone: Path, tmp_path: Path) -> None:
    files = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for file in files:
        file.write_text("".join(f"Sentence number {number} is in {file.stem}.\n" for number in range(10)), "utf-8")
    _train("documents-mini", files, tiny_backbone, tmp_path)
    assert len(TokenStore.open(tmp_path / "run" / "prepared")) == 18


def test_sentences_are_no_paragraphs(tiny_backbone: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "lines.txt"
    corpus.write_text("".join(f"Number {number}.\n" for number in range(20)), "utf-8")
    with pytest.raises(UserError, match="100% of the rows have fewer than 16 tokens; give one paragraph per line"):
        _train("documents-paragraphs-mini", corpus, tiny_backbone, tmp_path)
    assert list((tmp_path / "run").glob("*")) == []


@pytest.mark.parametrize(
    "wrapped",
    [lambda loss: DiscriminatedLoss(loss, ("original",), 2), lambda loss: JointSupervisedLoss(loss, num_labels=2)],
    ids=["discriminator", "task"],
)
def test_sentences_are_no_paragraphs_of_a_wrapped_objective_either(
    wrapped: Callable[[DocumentsLoss], SentenceLoss], tiny_backbone: Path
) -> None:
    loss = wrapped(DocumentsLoss(load_encoder(str(tiny_backbone), "cls"), pairs="crops"))
    loss.check_lengths([30, 30, 6])
    with pytest.raises(UserError, match="67% of the rows have fewer than 16 tokens"):
        loss.check_lengths([30, 6, 6])


def test_a_longest_crop_below_the_shortest_is_refused(tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match="shortest_crop_tokens is 9, longest_crop_tokens 8"):
        DocumentsLoss(load_encoder(str(tiny_backbone), "cls"), pairs="crops", shortest_crop_tokens=9, longest_crop_tokens=8)
