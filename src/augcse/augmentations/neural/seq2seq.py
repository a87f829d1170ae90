"""Sequence-to-sequence checkpoints: beam search by default, or sampling from each row's own stream; expensive results are cached."""

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

    `beams` > 1 is beam search, 1 takes the most probable token each time; `outputs` texts, at most `beams`, are returned, best first.
    `temperature` > 0 samples instead (`beams` is then 1). `max_tokens` bounds the input: longer texts are left alone, because the model
    would drop their end. `prefix` is written before the text; `source` and `target` are language codes, for models of many languages.
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
    """Return whether there is something to rewrite."""
    return any(map(str.isalpha, text))


def generate_rows(name: str, sentences: Sequence[str], rngs: Sequence[Random], decoding: Decoding, precision: str) -> list[list[str]]:
    """Generate from the sentences with a letter; the others get no text. One seed is drawn per row if tokens are sampled."""
    rows = [row for row, text in enumerate(sentences) if has_letters(text)]
    if not rows:
        return [[] for _ in sentences]
    seeds = [rngs[row].getrandbits(63) if decoding.temperature > 0.0 else 0 for row in rows]
    texts_of = dict(zip(rows, generate(name, [sentences[row] for row in rows], decoding, seeds, precision), strict=True))
    return [texts_of.get(row, []) for row in range(len(sentences))]


def is_other(source: str, text: str) -> bool:
    """Return whether a text differs from its source by more than white space."""
    return text.split() != source.split()


def first_others(sources: Sequence[str], generated: Sequence[Sequence[str]]) -> list[str | None]:
    """Return, for each source, the first of its generated texts that differs from it; None if none does."""
    return [next((text for text in texts if is_other(source, text)), None) for source, texts in zip(sources, generated, strict=True)]


def generate(name: str, texts: Sequence[str], decoding: Decoding, seeds: Sequence[int], precision: str = "auto") -> list[list[str]]:
    """Generate texts from texts: per text at most `decoding.outputs`, best first; none for a text too long for the model.

    Rows are decoded with rows of the same padded length and bounded by that length, so that a row's result does not depend on the other
    rows of its batch (up to rounding: in a search, two nearly equal scores may swap). Repeated and cached texts are not computed again.
    """
    checkpoint = load_checkpoint(name, "seq2seq", precision)
    identity = {"generate": checkpoint.identity, "dtype": str(checkpoint.model.dtype), **asdict(decoding)}
    # Distinct even if a text contains the separator, since the seed comes first and is decimal.
    keys = [f"{seed}|{text}" for seed, text in zip(seeds, texts, strict=True)]
    row_of = dict(zip(keys, zip(seeds, texts, strict=True), strict=True))
    return cached(identity, keys, lambda missing: _generate(checkpoint, [row_of[key] for key in missing], decoding))


def score_pairs(name: str, pairs: Sequence[tuple[str, str]], precision: str = "auto") -> list[float]:
    """Return the probability that each second text follows from the first, by a classifier of sentence pairs; see `entailment`."""
    if not pairs:
        return []
    checkpoint = load_checkpoint(name, "classifier", precision)
    identity = {"score": checkpoint.identity, "dtype": str(checkpoint.model.dtype)}
    keys = [f"{len(first)}|{first}{second}" for first, second in pairs]
    pair_of = dict(zip(keys, pairs, strict=True))
    return cached(identity, keys, lambda missing: _score(checkpoint, [pair_of[key] for key in missing]))


def _generate(checkpoint: Checkpoint, rows: Sequence[tuple[int, str]], decoding: Decoding) -> list[list[str]]:
    """Generate from rows of (seed, text); no texts for a row that is too long."""
    tokenizer = checkpoint.tokenizer
    # Set before every use: loaded checkpoints are shared.
    if decoding.source:
        tokenizer.src_lang = decoding.source
    ids = [tokenizer(decoding.prefix + text)["input_ids"] for _, text in rows]
    limit = min(decoding.max_tokens, _most_positions(checkpoint.model))
    results: list[list[str]] = [[] for _ in rows]
    for length, batch in _batches([len(row) if len(row) <= limit else 0 for row in ids]):
        texts = _generate_batch(checkpoint, [ids[row] for row in batch], [rows[row][0] for row in batch], length, decoding)
        for index, row in enumerate(batch):
            of_row = texts[index * decoding.outputs : (index + 1) * decoding.outputs]
            normalised = (" ".join(text.split()) for text in of_row)
            results[row] = list(dict.fromkeys(filter(None, normalised)))
    return results


def _generate_batch(checkpoint: Checkpoint, ids: list[list[int]], seeds: list[int], length: int, decoding: Decoding) -> list[str]:
    import torch
    from transformers import LogitsProcessorList

    model, tokenizer = checkpoint.model, checkpoint.tokenizer
    most_positions = _most_positions(model)
    sampling = decoding.temperature > 0.0
    repeats = decoding.outputs if sampling else 1
    processors = LogitsProcessorList([_GumbelNoise(seeds, repeats, decoding.temperature)] if sampling else [])
    options: dict[str, Any] = {"forced_bos_token_id": _language_id(tokenizer, decoding.target)} if decoding.target else {}
    repeated = [row for row in ids for _ in range(repeats)]
    inputs = model_inputs(repeated, min(length, most_positions), tokenizer.pad_token_id, checkpoint.device)
    with torch.inference_mode():
        generated = model.generate(
            **inputs,
            do_sample=False,
            num_beams=1 if sampling else decoding.beams,
            num_return_sequences=1 if sampling else decoding.outputs,
            max_length=None,
            min_length=0,
            max_new_tokens=min(2 * length + _LENGTH_STEP, most_positions - 1),
            logits_processor=processors,
            **options,
        )
    return list(tokenizer.batch_decode(generated, skip_special_tokens=True))


class _GumbelNoise:
    """Makes a decoder that takes the most probable token sample: it adds Gumbel noise to the scores, from each row's own generator.

    The highest of `scores / temperature + noise` is a draw from their softmax (Gumbel-max), and no process-wide generator is used.
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
    most_positions = _most_positions(model)
    coded = [tokenizer(*pair, truncation=True, max_length=most_positions) for pair in pairs]
    has_types = "token_type_ids" in coded[0] and getattr(model.config, "type_vocab_size", 0) > 1
    results = [0.0] * len(pairs)
    for padded_length, batch in _batches([len(row["input_ids"]) for row in coded]):
        length = min(padded_length, most_positions)
        ids = [coded[row]["input_ids"] for row in batch]
        inputs = model_inputs(ids, length, tokenizer.pad_token_id, checkpoint.device)
        if has_types:
            inputs["token_type_ids"] = padded([coded[row]["token_type_ids"] for row in batch], length, 0, checkpoint.device)
        with torch.inference_mode():
            logits = model(**inputs).logits.float().cpu()
        for row, values in zip(batch, logits.tolist(), strict=True):
            results[row] = entailment(values, model.config.id2label)
    return results


def entailment(logits: Sequence[float], labels: dict[int, str]) -> float:
    """Return the probability of the label "entail..." or "adequate...", without the neutral one (as in Parrot); of one logit, its sigmoid.

    Labels with other names are read in MNLI's order: contradiction, (neutral,) entailment.

    >>> round(entailment([0.0, 5.0, 2.0], {0: "contradiction", 1: "neutral", 2: "entailment"}), 3)
    0.881
    """
    if len(logits) == 1:
        return 1.0 / (1.0 + math.exp(-logits[0]))
    names = {number: str(labels.get(number, "")).lower() for number in range(len(logits))}
    true = next((n for n, name in names.items() if name.startswith(("entail", "adequate"))), len(logits) - 1)
    others = [n for n, name in names.items() if n != true and name != "neutral"]
    if len(others) > 1 and not any(names[n].startswith("contra") for n in others):
        others = [n for n in others if n != 1]
    top = max(logits)
    return math.exp(logits[true] - top) / sum(math.exp(logits[n] - top) for n in (true, *others))


def _most_positions(model: Any) -> int:
    """Return how many positions the model has; 512 for models without a bound, such as T5."""
    for name in ("max_position_embeddings", "n_positions"):
        size = getattr(model.config, name, None)
        if isinstance(size, int):
            return size - 2  # the positions of BART and RoBERTa begin at 2
    return 512


def _language_id(tokenizer: Any, language: str) -> int:
    """Return the id of the token that names a language; raises `UserError` if the model has none."""
    number = tokenizer.convert_tokens_to_ids(f"__{language}__")
    if number is None or number == tokenizer.unk_token_id:
        raise UserError(f"the model knows no language {language!r}; give one of its codes, e.g. de, fr, es")
    return int(number)
