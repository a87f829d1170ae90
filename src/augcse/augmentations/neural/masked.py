"""A masked language model that fills many texts' masks at once, each text's result independent of its company.

Batches hold texts of one padded length only, and the prediction head sees blocks of one fixed size. So the same text meets matrices of
all but the same shape whatever it shares a batch with: in fp32 on a CPU its numbers came out bit for bit the same, alone or among others.
In bf16, and on a GPU, they may differ in the last place, which now and then makes another candidate the likeliest.
"""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from augcse.augmentations.neural.checkpoint import load_checkpoint
from augcse.augmentations.neural.wordpiece import ARTICLES, DIGITS, FORBIDDEN, NUMBER, WORD, Pieces, Site, Vocabulary, load_vocabulary
from augcse.errors import UserError

if TYPE_CHECKING:
    import torch

_LENGTH_STEP = 16
_TOKENS_AT_ONCE = 4096
_HEAD_ROWS = 64


@dataclass(frozen=True, slots=True)
class Candidates:
    """The likeliest pieces for one mask, best first, with probabilities that sum to 1, and one more in reserve."""

    ids: list[int]
    probabilities: list[float]

    def pick(self, rng: Random | None, banned: Collection[int] = ()) -> int:
        """Draw one by its probability, or take the likeliest if there is no `rng`; if that is banned, the likeliest that is not."""
        drawn = self.ids[0] if rng is None else self._sample(rng)
        return next((number for number in self.ids if number not in banned), drawn) if drawn in banned else drawn

    def _sample(self, rng: Random) -> int:
        left = rng.random()
        for number, probability in zip(self.ids, self.probabilities, strict=False):
            left -= probability
            if left < 0.0:
                return number
        return self.ids[0]


@dataclass(frozen=True, slots=True)
class _Window:
    """A stretch of one text that fits the model: ids with masks, and for each mask its number and what may stand there."""

    ids: list[int]
    masks: list[tuple[int, int, int, tuple[int, ...]]]  # index in ids, number of the mask, kind, banned ids


class MaskedModel:
    """A masked language model with word pieces (BERT, DistilBERT, ...)."""

    def __init__(self, name: str, precision: str) -> None:
        self.vocabulary: Vocabulary = load_vocabulary(name)
        checkpoint = load_checkpoint(name, "masked", precision)
        self._model, self._device = checkpoint.model, checkpoint.device
        self._room = int(getattr(self._model.config, "max_position_embeddings", 512)) - 2
        size = int(self._model.config.vocab_size)
        if size < len(self.vocabulary.pieces):
            raise UserError(f"{name}: the tokenizer has {len(self.vocabulary.pieces)} pieces, the model {size}: they do not fit")
        self._kinds = self._kind_rows(size)
        numbers = {piece: number for number, piece in enumerate(self.vocabulary.pieces) if piece in (*ARTICLES, "new")}
        self.articles = frozenset(number for piece, number in numbers.items() if piece in ARTICLES)
        self._zeros = tuple(n for n, piece in enumerate(self.vocabulary.pieces) if len(piece) > 1 and piece[0] == "0")
        self._new = (numbers["new"],) if "new" in numbers else ()

    def fill(self, pieces: Sequence[Pieces], sites: Sequence[Sequence[Site]], width: int, spare: bool) -> list[list[Candidates]]:
        """Put a mask at every site and return what the model would write there, one list per text in the order of its sites.

        Args:
            pieces: the texts.
            sites: per text, in text order, none overlapping.
            width: how many candidates to choose from per mask; one more is returned.
            spare: whether the piece that stands there now is no candidate. The pieces beside a site never are: no doubled words.
        """
        numbered: list[tuple[int, int]] = []
        windows: list[_Window] = []
        for row, (text, here) in enumerate(zip(pieces, sites, strict=True)):
            windows += self._windows(text, here, len(numbered), spare)
            numbered += [(row, index) for index in range(len(here))]
        results: list[list[Candidates]] = [[] for _ in pieces]
        filled = dict(item for batch in _batches(windows) for item in self._fill_batch(batch, width))
        for number, (row, _) in enumerate(numbered):
            results[row].append(filled[number])
        return results

    def expectations(self, pieces: Sequence[Pieces], wanted: Sequence[Sequence[tuple[int, int]]]) -> list[list[float]]:
        """Return log probabilities of pieces at indices of whole texts, nothing masked: what else the model could read there.

        Args:
            pieces: the texts, each of which the model reads once.
            wanted: per text, indices in it and ids of pieces. One beyond what the model can read has the probability 1 / vocabulary.
        """
        results = [[-math.log(len(self.vocabulary.pieces))] * len(indices) for indices in wanted]
        windows: list[_Window] = []
        numbered: list[tuple[int, int]] = []
        for row, (text, indices) in enumerate(zip(pieces, wanted, strict=True)):
            inside = [(column, index, piece) for column, (index, piece) in enumerate(indices) if index < self._room]
            if inside:
                masks: list[tuple[int, int, int, tuple[int, ...]]] = [
                    (index + 1, len(numbered) + number, WORD, (piece,)) for number, (_, index, piece) in enumerate(inside)
                ]
                numbered += [(row, column) for column, _, _ in inside]
                windows.append(_Window([self.vocabulary.first, *text.ids[: self._room], self.vocabulary.last], masks))
        for batch in _batches(windows):
            for number, value in self._expect_batch(batch):
                row, column = numbered[number]
                results[row][column] = value
        return results

    def _windows(self, text: Pieces, sites: Sequence[Site], number: int, spare: bool) -> Iterator[_Window]:
        ids: list[int] = []
        masks: list[tuple[int, int, int, tuple[int, ...]]] = []
        position = 0
        for index, site in enumerate(sites):
            ids += text.ids[position : site.first]
            banned = self._unfit(text, site, sites[index + 1 : index + 2])
            masks.append((len(ids), number + index, site.kind, banned + (tuple(text.ids[site.first : site.stop]) if spare else ())))
            ids.append(self.vocabulary.mask)
            position = site.stop
        ids += text.ids[position:]
        for start in range(0, len(ids), self._room):
            inside = [(p - start + 1, *rest) for p, *rest in masks if start <= p < start + self._room]
            if inside:
                yield _Window([self.vocabulary.first, *ids[start : start + self._room], self.vocabulary.last], inside)  # type: ignore[arg-type]

    def _unfit(self, text: Pieces, site: Site, following: Sequence[Site]) -> tuple[int, ...]:
        """Return what may not stand here: a double of a piece beside it, an article beside one, "new" in what may be "New York", "000"."""
        beside = (*text.ids[max(0, site.first - 1) : site.first], *text.ids[site.stop : site.stop + 1])
        if not self.articles.isdisjoint(beside):
            beside += tuple(self.articles)
        if site.stop < len(text) and (
            text.text[text.spans[site.stop][0]].isupper() or any(other.first == site.stop for other in following)
        ):
            beside += self._new
        return beside + self._zeros if site.kind == NUMBER else beside

    def _fill_batch(self, batch: list[_Window], width: int) -> Iterator[tuple[int, Candidates]]:
        for masks, scores in self._scored(batch):
            yield from self._rank(masks, scores, width)

    def _expect_batch(self, batch: list[_Window]) -> Iterator[tuple[int, float]]:
        for masks, scores in self._scored(batch):
            rows = scores.log_softmax(dim=1)
            yield from ((number, float(rows[row, piece])) for row, (_, number, _, (piece,)) in enumerate(masks))

    def _scored(self, batch: list[_Window]) -> Iterator[tuple[list[tuple[int, int, int, tuple[int, ...]]], torch.Tensor]]:
        """Yield the masks of the windows, some at a time, with the scores of all pieces there."""
        import torch

        with torch.inference_mode():
            hidden, whole = self._encode(batch)
            masks = [mask for window in batch for mask in window.masks]
            rows = torch.tensor([row for row, window in enumerate(batch) for _ in window.masks])
            columns = torch.tensor([index for index, *_ in masks])
            chosen = hidden[rows, columns]
            for start in range(0, len(masks), _HEAD_ROWS):
                yield masks[start : start + _HEAD_ROWS], self._scores(chosen[start : start + _HEAD_ROWS], whole)

    def _encode(self, batch: list[_Window]) -> tuple[torch.Tensor, bool]:
        """Return hidden states and False, or scores and True for a model whose head cannot be taken by itself."""
        import torch

        length = min(self._room + 2, -(-max(len(window.ids) for window in batch) // _LENGTH_STEP) * _LENGTH_STEP)
        ids = torch.full((len(batch), length), self.vocabulary.pad)
        attention = torch.zeros((len(batch), length), dtype=torch.long)
        for row, window in enumerate(batch):
            ids[row, : len(window.ids)] = torch.tensor(window.ids)
            attention[row, : len(window.ids)] = 1
        inputs: dict[str, Any] = {"input_ids": ids.to(self._device), "attention_mask": attention.to(self._device)}
        # BERT's head, by far the larger half of a small model's work, is needed at the masks only.
        if hasattr(self._model, "cls"):
            return self._model.base_model(**inputs).last_hidden_state, False
        return self._model(**inputs).logits, True

    def _scores(self, rows: torch.Tensor, whole: bool) -> torch.Tensor:
        import torch

        if whole:
            return rows.float()
        padded = torch.zeros((_HEAD_ROWS, rows.shape[1]), dtype=rows.dtype, device=rows.device)
        padded[: len(rows)] = rows
        scores: torch.Tensor = self._model.cls(padded)[: len(rows)].float()
        return scores

    def _rank(
        self, masks: list[tuple[int, int, int, tuple[int, ...]]], scores: torch.Tensor, width: int
    ) -> Iterator[tuple[int, Candidates]]:
        import torch

        scores = scores + self._kinds[torch.tensor([kind for _, _, kind, _ in masks])]
        for row, (_, _, _, banned) in enumerate(masks):
            scores[row, list(banned)] = -torch.inf
        best = scores.topk(min(width + 1, scores.shape[1]), dim=1)
        shares = best.values[:, :width].softmax(dim=1).tolist()
        for (_, number, _, _), ids, share in zip(masks, best.indices.tolist(), shares, strict=True):
            yield number, Candidates(ids, share)

    def _kind_rows(self, size: int) -> torch.Tensor:
        """Return, per kind, what to add to the scores: 0 for pieces of that kind, minus infinity for all others."""
        import torch

        kinds = torch.tensor(self.vocabulary.writable + [FORBIDDEN] * (size - len(self.vocabulary.writable)))
        rows = torch.full((DIGITS + 1, size), -torch.inf)
        for kind in range(1, DIGITS + 1):
            rows[kind, kinds == kind] = 0.0
        return rows.to(self._device)


@functools.lru_cache(maxsize=2)
def load_masked(name: str, precision: str = "auto") -> MaskedModel:
    """Load a masked language model once per process; see `load_checkpoint`."""
    return MaskedModel(name, precision)


def _batches(windows: list[_Window]) -> Iterator[list[_Window]]:
    """Yield the windows by padded length, shortest first, as many as make up a batch."""
    by_length: dict[int, list[_Window]] = defaultdict(list)
    for window in windows:
        by_length[-(-len(window.ids) // _LENGTH_STEP)].append(window)
    for steps in sorted(by_length):
        iterator = iter(by_length[steps])
        while batch := list(islice(iterator, max(1, _TOKENS_AT_ONCE // (steps * _LENGTH_STEP)))):
            yield batch
