"""Sequence-to-sequence checkpoints: beam search by default, sampling from each row's own stream, costly results cached."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from augcse.augmentations.neural.batches import by_padded_length, model_inputs, padded
from augcse.augmentations.neural.checkpoint import Checkpoint, load_checkpoint
from augcse.disk_cache import cached
from augcse.errors import UserError

if TYPE_CHECKING:
    import torch

_LENGTH_STEP = 8
_batches = functools.partial(by_padded_length, step=_LENGTH_STEP, rows_at_once=lambda length: 32)


@dataclass(frozen=True, slots=True)
class Decoding:
    """How a text is generated.

    `beams` > 1 searches, 1 takes the likeliest token each time; `outputs` texts, at most `beams`, come back, best first. `temperature` > 0
    samples instead (`beams` is then 1). `max_tokens` bounds the input: longer texts are left alone, because what a model drops would be
    missing. `prefix` is put before the text; `source` and `target` are the language codes of models that know many.
    """

    beams: int = 5
    outputs: int = 1
    temperature: float = 0.0
    max_tokens: int = 128
    prefix: str = ""
    source: str = ""
    target: str = ""

    def __post_init__(self) -> None:
        if self.temperature == 0.0 and self.outputs > self.beams:
            raise UserError(f"{self.outputs} outputs cannot come from {self.beams} beams; give at least as many beams")


def has_letters(text: str) -> bool:
    """Tell whether there is something to rewrite."""
    return any(map(str.isalpha, text))


def generate_rows(name: str, sentences: Sequence[str], rngs: Sequence[Random], decoding: Decoding, precision: str) -> list[list[str]]:
    """Generate from the sentences that hold a letter, none for the others; one seed is drawn per row where tokens are sampled."""
    rows = [row for row, text in enumerate(sentences) if has_letters(text)]
    if not rows:
        return [[] for _ in sentences]
    seeds = [rngs[row].getrandbits(63) if decoding.temperature > 0.0 else 0 for row in rows]
    texts_of = dict(zip(rows, generate(name, [sentences[row] for row in rows], decoding, seeds, precision), strict=True))
    return [texts_of.get(row, []) for row in range(len(sentences))]


def is_other(source: str, text: str) -> bool:
    """Tell whether a text differs from its source by more than white space."""
    return text.split() != source.split()


def first_others(sources: Sequence[str], found: Sequence[Sequence[str]]) -> list[str | None]:
    """Return, of the texts found for each source, the first that differs from it."""
    return [next((text for text in texts if is_other(source, text)), None) for source, texts in zip(sources, found, strict=True)]


def generate(name: str, texts: Sequence[str], decoding: Decoding, seeds: Sequence[int], precision: str = "auto") -> list[list[str]]:
    """Generate texts from texts: per text at most `decoding.outputs`, best first; none for a text too long for the model.

    Rows are decoded with rows of the same padded length and bounded by that length, so that a row's result does not hang on its company
    (up to rounding: in a search, two all but equal scores may change places). Repeated texts and those in the cache cost nothing.
    """
    checkpoint = load_checkpoint(name, "seq2seq", precision)
    identity = {"generate": checkpoint.identity, "dtype": str(checkpoint.model.dtype), **asdict(decoding)}
    # A text that holds the separator is still another text than its neighbour's: the seed is decimal and comes first.
    keys = [f"{seed}|{text}" for seed, text in zip(seeds, texts, strict=True)]
    row_of = dict(zip(keys, zip(seeds, texts, strict=True), strict=True))
    return cached(identity, keys, lambda missing: _generate(checkpoint, [row_of[key] for key in missing], decoding))


def score_pairs(name: str, pairs: Sequence[tuple[str, str]], precision: str = "auto") -> list[float]:
    """Return how surely each second text follows from the first, by a classifier of sentence pairs.

    The label whose name begins with "entail" or "adequate" counts, against contradiction only where there is a neutral one (as in Parrot).
    """
    if not pairs:
        return []
    checkpoint = load_checkpoint(name, "classifier", precision)
    identity = {"score": checkpoint.identity, "dtype": str(checkpoint.model.dtype)}
    keys = [f"{len(first)}|{first}{second}" for first, second in pairs]
    pair_of = dict(zip(keys, pairs, strict=True))
    return cached(identity, keys, lambda missing: _score(checkpoint, [pair_of[key] for key in missing]))


def _generate(checkpoint: Checkpoint, rows: Sequence[tuple[int, str]], decoding: Decoding) -> list[list[str]]:
    tokenizer = checkpoint.tokenizer
    # Set before every use: loaded checkpoints are shared.
    if decoding.source:
        tokenizer.src_lang = decoding.source
    ids = [tokenizer(decoding.prefix + text)["input_ids"] for _, text in rows]
    limit = min(decoding.max_tokens, _room(checkpoint.model))
    results: list[list[str]] = [[] for _ in rows]
    for length, batch in _batches([len(row) if len(row) <= limit else 0 for row in ids]):
        texts = _generate_batch(checkpoint, [ids[row] for row in batch], [rows[row][0] for row in batch], length, decoding)
        for index, row in enumerate(batch):
            found = texts[index * decoding.outputs : (index + 1) * decoding.outputs]
            results[row] = list(dict.fromkeys(text for text in (" ".join(text.split()) for text in found) if text))
    return results


def _generate_batch(checkpoint: Checkpoint, ids: list[list[int]], seeds: list[int], length: int, decoding: Decoding) -> list[str]:
    import torch
    from transformers import LogitsProcessorList

    model, tokenizer = checkpoint.model, checkpoint.tokenizer
    room = min(length, _room(model))
    sampling = decoding.temperature > 0.0
    repeats = decoding.outputs if sampling else 1
    processors = LogitsProcessorList([_OwnNoise(seeds, repeats, decoding.temperature)] if sampling else [])
    options: dict[str, Any] = {"forced_bos_token_id": _language_id(tokenizer, decoding.target)} if decoding.target else {}
    inputs = model_inputs([row for row in ids for _ in range(repeats)], room, tokenizer.pad_token_id, checkpoint.device)
    with torch.inference_mode():
        made = model.generate(
            **inputs,
            do_sample=False,
            num_beams=1 if sampling else decoding.beams,
            num_return_sequences=1 if sampling else decoding.outputs,
            max_length=None,
            min_length=0,
            max_new_tokens=min(2 * length + _LENGTH_STEP, _room(model) - 1),
            logits_processor=processors,
            **options,
        )
    return list(tokenizer.batch_decode(made, skip_special_tokens=True))


class _OwnNoise:
    """Sampling for a decoder that takes the likeliest token: Gumbel noise on the scores, from each row's own generator.

    The likeliest token of `scores / temperature + noise` is a draw from their softmax (Gumbel-max), and no process-wide generator is used.
    """

    def __init__(self, seeds: Sequence[int], repeats: int, temperature: float) -> None:
        import torch

        self._temperature = temperature
        self._generators = [torch.Generator().manual_seed(seed + number) for seed in seeds for number in range(repeats)]

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Return the scores with noise; (rows, vocabulary)."""
        import torch

        noise = torch.stack([torch.rand(scores.shape[1], generator=generator) for generator in self._generators])
        return scores.float() / self._temperature - torch.log(-torch.log(noise.clamp(1e-10, 1 - 1e-7))).to(scores.device)


def _score(checkpoint: Checkpoint, pairs: Sequence[tuple[str, str]]) -> list[float]:
    import torch

    tokenizer, model = checkpoint.tokenizer, checkpoint.model
    coded = [tokenizer(*pair, truncation=True, max_length=_room(model)) for pair in pairs]
    has_types = "token_type_ids" in coded[0] and getattr(model.config, "type_vocab_size", 0) > 1
    results = [0.0] * len(pairs)
    for length, batch in _batches([len(row["input_ids"]) for row in coded]):
        room = min(length, _room(model))
        ids = [coded[row]["input_ids"] for row in batch]
        inputs = model_inputs(ids, room, tokenizer.pad_token_id, checkpoint.device)
        if has_types:
            inputs["token_type_ids"] = padded([coded[row]["token_type_ids"] for row in batch], room, 0, checkpoint.device)
        with torch.inference_mode():
            logits = model(**inputs).logits.float().cpu()
        for row, values in zip(batch, logits.tolist(), strict=True):
            results[row] = entailment(values, model.config.id2label)
    return results


def entailment(logits: Sequence[float], labels: dict[int, str]) -> float:
    """Return the probability of the entailment label, the neutral one left out; a single logit goes through a sigmoid.

    Labels without telling names are read as MNLI's order: contradiction, (neutral,) entailment.

    >>> round(entailment([0.0, 5.0, 2.0], {0: "contradiction", 1: "neutral", 2: "entailment"}), 3)
    0.881
    """
    if len(logits) == 1:
        return 1.0 / (1.0 + math.exp(-logits[0]))
    names = {number: str(labels.get(number, "")).lower() for number in range(len(logits))}
    true = next((n for n, name in names.items() if name.startswith(("entail", "adequate"))), len(logits) - 1)
    rest = [n for n, name in names.items() if n != true and name != "neutral"]
    if len(rest) > 1 and not any(names[n].startswith("contra") for n in rest):
        rest = [n for n in rest if n != 1]
    top = max(logits)
    return math.exp(logits[true] - top) / sum(math.exp(logits[n] - top) for n in (true, *rest))


def _room(model: Any) -> int:
    """Return how many positions the model has; T5 has no bound of its own."""
    for name in ("max_position_embeddings", "n_positions"):
        if isinstance(size := getattr(model.config, name, None), int):
            # BART's positions begin at 2, RoBERTa's too.
            return size - 2
    return 512


def _language_id(tokenizer: Any, language: str) -> int:
    number = tokenizer.convert_tokens_to_ids(f"__{language}__")
    if number is None or number == tokenizer.unk_token_id:
        raise UserError(f"the model knows no language {language!r}; give one of its codes, e.g. de, fr, es")
    return int(number)
