"""A masked language model that fills many texts' masks at once, each text's result independent of its company.

Batches hold texts of one padded length only, and the prediction head sees blocks of one fixed size. So the same text meets matrices of
all but the same shape whatever it shares a batch with: in fp32 on a CPU its numbers came out bit for bit the same, alone or among others.
In bf16, and on a GPU, they may differ in the last place, which now and then makes another candidate the likeliest.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING

from augcse.augmentations.neural.batches import by_padded_length, model_inputs
from augcse.augmentations.neural.checkpoint import load_checkpoint
from augcse.augmentations.neural.wordpiece import ARTICLES, FORBIDDEN, NUMBER, WORD, Pieces, Site, WordPieces, load_vocabulary
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

    def pick(self, rng: Random, banned: Collection[int] = ()) -> int:
        """Draw one by its probability, the likeliest where none has any; if that is banned, the likeliest that is not."""
        place, shares = rng.random(), accumulate(self.probabilities)
        drawn = next((number for number, share in zip(self.ids, shares, strict=False) if place < share), self.ids[0])
        return next((number for number in self.ids if number not in banned), drawn) if drawn in banned else drawn


@dataclass(frozen=True, slots=True)
class _Mask:
    """A place in a window: its index there, the text and its number in it, what may stand there, and what may not (or is asked for)."""

    index: int
    row: int
    column: int
    kind: int
    pieces: tuple[int, ...]


# A stretch of one text that fits the model: ids, and the places that matter.
_Window = tuple[list[int], list[_Mask]]


class MaskedModel:
    """A masked language model with word pieces (BERT, DistilBERT, ...)."""

    def __init__(self, name: str, precision: str) -> None:
        import torch

        self.vocabulary: WordPieces = load_vocabulary(name)
        checkpoint = load_checkpoint(name, "masked", precision)
        self._model, self._device = checkpoint.model, checkpoint.device
        self._head = getattr(self._model, "cls", None)
        self._room = int(getattr(self._model.config, "max_position_embeddings", 512)) - 2
        size = int(self._model.config.vocab_size)
        if size < len(self.vocabulary.pieces):
            raise UserError(f"{name}: the tokenizer has {len(self.vocabulary.pieces)} pieces, the model {size}: they do not fit")
        kinds = self.vocabulary.writable
        self._kinds = torch.tensor(kinds + [FORBIDDEN] * (size - len(kinds))).to(self._device)
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
        windows = [
            window for row, (text, here) in enumerate(zip(pieces, sites, strict=True)) for window in self._windows(row, text, here, spare)
        ]
        found: dict[tuple[int, int], Candidates] = {}
        for masks, scores in self._scored(windows):
            found.update(self._ranked(masks, scores, width))
        return [[found[row, column] for column in range(len(here))] for row, here in enumerate(sites)]

    def expectations(self, pieces: Sequence[Pieces], wanted: Sequence[Sequence[tuple[int, int]]]) -> list[list[float]]:
        """Return log probabilities of pieces at indices of whole texts, nothing masked: what else the model could read there.

        Args:
            pieces: the texts, each of which the model reads once.
            wanted: per text, indices in it and ids of pieces. One beyond what the model can read has the probability 1 / vocabulary.
        """
        windows = []
        for row, (text, places) in enumerate(zip(pieces, wanted, strict=True)):
            masks = [_Mask(index + 1, row, column, WORD, (piece,)) for column, (index, piece) in enumerate(places) if index < self._room]
            windows += [self._window(text.ids[: self._room], masks)] if masks else []
        found: dict[tuple[int, int], float] = {}
        for masks, scores in self._scored(windows):
            logs = scores.log_softmax(dim=1)
            found.update({(mask.row, mask.column): float(logs[place, mask.pieces[0]]) for place, mask in enumerate(masks)})
        least = -math.log(len(self.vocabulary.pieces))
        return [[found.get((row, column), least) for column in range(len(places))] for row, places in enumerate(wanted)]

    def _window(self, ids: list[int], masks: list[_Mask]) -> _Window:
        return [self.vocabulary.first, *ids, self.vocabulary.last], masks

    def _windows(self, row: int, text: Pieces, sites: Sequence[Site], spare: bool) -> Iterator[_Window]:
        ids: list[int] = []
        masks: list[_Mask] = []
        position = 0
        for column, site in enumerate(sites):
            ids += text.ids[position : site.first]
            banned = self._unfit(text, site, sites[column + 1 : column + 2])
            masks.append(_Mask(len(ids), row, column, site.kind, banned + (tuple(text.ids[site.first : site.stop]) if spare else ())))
            ids.append(self.vocabulary.mask)
            position = site.stop
        ids += text.ids[position:]
        for start in range(0, len(ids), self._room):
            inside = [replace(mask, index=mask.index - start + 1) for mask in masks if start <= mask.index < start + self._room]
            if inside:
                yield self._window(ids[start : start + self._room], inside)

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

    def _scored(self, windows: Sequence[_Window]) -> Iterator[tuple[list[_Mask], torch.Tensor]]:
        """Yield the masks of the windows, some at a time, with the scores of all pieces there."""
        import torch

        lengths = [len(ids) for ids, _ in windows]
        for padded_length, chosen in by_padded_length(lengths, _LENGTH_STEP, lambda length: max(1, _TOKENS_AT_ONCE // length)):
            batch = [windows[number] for number in chosen]
            masks = [mask for _, inside in batch for mask in inside]
            rows = torch.tensor([row for row, (_, inside) in enumerate(batch) for _ in inside])
            with torch.inference_mode():
                hidden = self._hidden([ids for ids, _ in batch], min(self._room + 2, padded_length))
                hidden = hidden[rows, torch.tensor([mask.index for mask in masks])]
                for start in range(0, len(masks), _HEAD_ROWS):
                    yield masks[start : start + _HEAD_ROWS], self._scores(hidden[start : start + _HEAD_ROWS])

    def _hidden(self, ids: Sequence[list[int]], length: int) -> torch.Tensor:
        """Return hidden states, or scores of a model whose head cannot be taken by itself."""
        inputs = model_inputs(ids, length, self.vocabulary.pad, self._device)
        # BERT's head, by far the larger half of a small model's work, is needed at the masks only.
        states: torch.Tensor = self._model.base_model(**inputs).last_hidden_state if self._head else self._model(**inputs).logits
        return states

    def _scores(self, rows: torch.Tensor) -> torch.Tensor:
        from torch.nn.functional import pad

        scores: torch.Tensor = self._head(pad(rows, (0, 0, 0, _HEAD_ROWS - len(rows)))) if self._head else rows
        return scores[: len(rows)].float()

    def _ranked(self, masks: Sequence[_Mask], scores: torch.Tensor, width: int) -> dict[tuple[int, int], Candidates]:
        import torch

        kinds = torch.tensor([[mask.kind] for mask in masks]).to(self._device)
        scores = scores.masked_fill(self._kinds != kinds, -torch.inf)
        for place, mask in enumerate(masks):
            scores[place, list(mask.pieces)] = -torch.inf
        best = scores.topk(min(width + 1, scores.shape[1]), dim=1)
        # Not a number where all pieces are barred, as in a tiny vocabulary.
        shares = best.values[:, :width].softmax(dim=1).tolist()
        found = zip(masks, best.indices.tolist(), shares, strict=True)
        return {(mask.row, mask.column): Candidates(ids, share) for mask, ids, share in found}


@functools.lru_cache(maxsize=2)
def load_masked(name: str, precision: str = "auto") -> MaskedModel:
    """Load a masked language model once per process; see `load_checkpoint`."""
    return MaskedModel(name, precision)
