"""A masked language model that fills the masks of many texts at once; a text's result does not depend on the other texts.

All texts of a batch have the same padded length, and the prediction head gets blocks of one fixed size. So the shapes of the matrices are
nearly the same whatever else is in the batch: in fp32 on a CPU a text's scores were the same to the bit, alone or with others. In bf16, and
on a GPU, they may differ in the last digit, which now and then makes another candidate the most probable.
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
    """The most probable pieces for one mask, best first, with probabilities that sum to 1; `ids` has one more piece, in reserve."""

    ids: list[int]
    probabilities: list[float]

    def pick(self, rng: Random, banned: Collection[int] = ()) -> int:
        """Draw a piece by its probability (the first, if none has any); if it is banned, return the most probable one that is not."""
        point, bounds = rng.random(), accumulate(self.probabilities)
        drawn = next((piece for piece, bound in zip(self.ids, bounds, strict=False) if point < bound), self.ids[0])
        if drawn not in banned:
            return drawn
        return next((piece for piece in self.ids if piece not in banned), drawn)


@dataclass(frozen=True, slots=True)
class _Mask:
    """A place in a window whose scores are needed; only pieces of `kind` that are not `excluded` may be written there."""

    index: int  # in the window
    text_number: int
    number: int  # among the masks of its text
    kind: int = WORD
    excluded: tuple[int, ...] = ()


# A part of one text that fits the model: ids, and the places whose scores are needed.
_Window = tuple[list[int], list[_Mask]]


class MaskedModel:
    """A masked language model with word pieces (BERT, DistilBERT, ...)."""

    def __init__(self, name: str, precision: str) -> None:
        import torch

        self.vocabulary: WordPieces = load_vocabulary(name)
        checkpoint = load_checkpoint(name, "masked", precision)
        self._model, self._device = checkpoint.model, checkpoint.device
        self._head = getattr(self._model, "cls", None)
        self._most_pieces = int(getattr(self._model.config, "max_position_embeddings", 512)) - 2  # without the special tokens
        size = int(self._model.config.vocab_size)
        if size < len(self.vocabulary.pieces):
            raise UserError(f"{name}: the tokenizer has {len(self.vocabulary.pieces)} pieces, the model {size}: they do not fit")
        kinds = self.vocabulary.writable
        self._kinds = torch.tensor(kinds + [FORBIDDEN] * (size - len(kinds))).to(self._device)
        numbers = {piece: number for number, piece in enumerate(self.vocabulary.pieces) if piece in (*ARTICLES, "new")}
        self.articles = frozenset(number for piece, number in numbers.items() if piece in ARTICLES)
        self._zero_led = tuple(n for n, piece in enumerate(self.vocabulary.pieces) if len(piece) > 1 and piece[0] == "0")
        self._new = (numbers["new"],) if "new" in numbers else ()

    def fill(self, pieces: Sequence[Pieces], sites: Sequence[Sequence[Site]], width: int, exclude_old: bool) -> list[list[Candidates]]:
        """Mask every site and return what the model would write there, one list per text in the order of its sites.

        Args:
            pieces: the texts.
            sites: per text, in text order, none overlapping.
            width: how many candidates to choose from per mask; one more is returned.
            exclude_old: whether the piece that is masked cannot be a candidate. The pieces next to a site never are: no doubled words.
        """
        windows: list[_Window] = []
        for text_number, (text, text_sites) in enumerate(zip(pieces, sites, strict=True)):
            windows += self._windows(text_number, text, text_sites, exclude_old)
        candidates: dict[tuple[int, int], Candidates] = {}
        for masks, scores in self._scored(windows):
            candidates.update(self._ranked(masks, scores, width))
        return [[candidates[text_number, number] for number in range(len(of_text))] for text_number, of_text in enumerate(sites)]

    def expectations(self, pieces: Sequence[Pieces], wanted: Sequence[Sequence[tuple[int, int]]]) -> list[list[float]]:
        """Return log probabilities of pieces at indices of whole texts, with nothing masked: what else the model could read there.

        Args:
            pieces: the texts, each of which the model reads once.
            wanted: per text, pairs of an index and a piece. Beyond what the model can read, each has the probability 1 / vocabulary.
        """
        windows = []
        for text_number, (text, places) in enumerate(zip(pieces, wanted, strict=True)):
            masks = [_Mask(index + 1, text_number, number) for number, (index, _) in enumerate(places) if index < self._most_pieces]
            if masks:
                windows.append(self._window(text.ids[: self._most_pieces], masks))
        logs: dict[tuple[int, int], float] = {}
        for masks, scores in self._scored(windows):
            for mask, row in zip(masks, scores.log_softmax(dim=1), strict=True):
                _, piece = wanted[mask.text_number][mask.number]
                logs[mask.text_number, mask.number] = float(row[piece])
        unread = -math.log(len(self.vocabulary.pieces))
        return [[logs.get((text_number, number), unread) for number in range(len(places))] for text_number, places in enumerate(wanted)]

    def _window(self, ids: list[int], masks: list[_Mask]) -> _Window:
        return [self.vocabulary.first, *ids, self.vocabulary.last], masks

    def _windows(self, text_number: int, text: Pieces, sites: Sequence[Site], exclude_old: bool) -> Iterator[_Window]:
        """Yield the parts of a text, with masks at its sites, that fit the model; parts without a mask are left out."""
        ids: list[int] = []
        masks: list[_Mask] = []
        position = 0
        for number, site in enumerate(sites):
            ids += text.ids[position : site.first]
            excluded = self._excluded(text, site, sites[number + 1 : number + 2])
            if exclude_old:
                excluded += tuple(text.ids[site.first : site.stop])
            masks.append(_Mask(len(ids), text_number, number, site.kind, excluded))
            ids.append(self.vocabulary.mask)
            position = site.stop
        ids += text.ids[position:]
        for start in range(0, len(ids), self._most_pieces):
            end = start + self._most_pieces
            inside = [replace(mask, index=mask.index - start + 1) for mask in masks if start <= mask.index < end]
            if inside:
                yield self._window(ids[start:end], inside)

    def _excluded(self, text: Pieces, site: Site, following: Sequence[Site]) -> tuple[int, ...]:
        """Return what may not be written at a site: a neighbour's double, an article next to one, "new" before a name, and "000"."""
        excluded = (*text.ids[max(0, site.first - 1) : site.first], *text.ids[site.stop : site.stop + 1])
        if not self.articles.isdisjoint(excluded):
            excluded += tuple(self.articles)
        if site.stop < len(text):
            is_next_capital = text.text[text.spans[site.stop][0]].isupper()
            is_next_masked = any(other.first == site.stop for other in following)
            if is_next_capital or is_next_masked:  # it may be "New York"
                excluded += self._new
        if site.kind == NUMBER:
            excluded += self._zero_led
        return excluded

    def _scored(self, windows: Sequence[_Window]) -> Iterator[tuple[list[_Mask], torch.Tensor]]:
        """Yield the masks of the windows, some at a time, with their scores of all pieces, of shape (masks, vocabulary)."""
        import torch

        lengths = [len(ids) for ids, _ in windows]
        for padded_length, chosen in by_padded_length(lengths, _LENGTH_STEP, lambda length: max(1, _TOKENS_AT_ONCE // length)):
            batch = [windows[number] for number in chosen]
            masks = [mask for _, inside in batch for mask in inside]
            rows = torch.tensor([row for row, (_, inside) in enumerate(batch) for _ in inside])
            with torch.inference_mode():
                hidden = self._hidden([ids for ids, _ in batch], min(self._most_pieces + 2, padded_length))
                hidden = hidden[rows, torch.tensor([mask.index for mask in masks])]
                for start in range(0, len(masks), _HEAD_ROWS):
                    yield masks[start : start + _HEAD_ROWS], self._scores(hidden[start : start + _HEAD_ROWS])

    def _hidden(self, ids: Sequence[list[int]], length: int) -> torch.Tensor:
        """Return hidden states; of a model whose head cannot be called separately, the scores."""
        inputs = model_inputs(ids, length, self.vocabulary.pad, self._device)
        # BERT's head, which takes most of a small model's time, is needed only at the masks.
        states: torch.Tensor = self._model.base_model(**inputs).last_hidden_state if self._head else self._model(**inputs).logits
        return states

    def _scores(self, rows: torch.Tensor) -> torch.Tensor:
        """Return the scores of what `_hidden` gave; the head always gets `_HEAD_ROWS` rows."""
        from torch.nn.functional import pad

        scores: torch.Tensor = self._head(pad(rows, (0, 0, 0, _HEAD_ROWS - len(rows)))) if self._head else rows
        return scores[: len(rows)].float()

    def _ranked(self, masks: Sequence[_Mask], scores: torch.Tensor, width: int) -> dict[tuple[int, int], Candidates]:
        """Return the best candidates of each mask, by its text and its number in it."""
        import torch

        kinds = torch.tensor([[mask.kind] for mask in masks]).to(self._device)
        scores = scores.masked_fill(self._kinds != kinds, -torch.inf)
        for row, mask in enumerate(masks):
            scores[row, list(mask.excluded)] = -torch.inf
        best = scores.topk(min(width + 1, scores.shape[1]), dim=1)
        # Not a number where all pieces are excluded, as in a tiny vocabulary.
        probabilities = best.values[:, :width].softmax(dim=1).tolist()
        rows = zip(masks, best.indices.tolist(), probabilities, strict=True)
        return {(mask.text_number, mask.number): Candidates(ids, of_ids) for mask, ids, of_ids in rows}


@functools.lru_cache(maxsize=2)
def load_masked(name: str, precision: str = "auto") -> MaskedModel:
    """Load a masked language model once per process; see `load_checkpoint`."""
    return MaskedModel(name, precision)
