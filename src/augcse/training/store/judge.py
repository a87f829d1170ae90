"""Classify augmentations as positives or negatives row by row, by the bundled mini-bert's pseudo-perplexity and similarity."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from augcse.encoding.model import load_tokenizer
from augcse.objectives.masked_lm import load_masked_lm
from augcse.objectives.pseudo_perplexity import pseudo_perplexities, scored_once
from augcse.training.store.roles import Array, Calibration, label_by_scores

if TYPE_CHECKING:
    from augcse.training.store.plan import Plan
    from augcse.training.store.views import Judge

CALIBRATION_SENTENCES = 1_000


def mini_bert_judge(plan: Plan) -> Judge:
    """Return the judge of label method "lm_uniform", calibrated on the first 1,000 sentences of the corpus; deterministic."""
    scorer = MiniBertScorer(plan.model.max_len_tokens)
    sample = list(islice(plan.read_originals(), CALIBRATION_SENTENCES))
    calibration = scorer.calibrate(sample)
    section = plan.augmentation

    def judge(originals: Sequence[str], augmented: Sequence[str]) -> Sequence[bool]:
        original_perplexities, original_vectors = scorer.score(originals)
        augmented_perplexities, augmented_vectors = scorer.score(augmented)
        similarity = (original_vectors * augmented_vectors).sum(axis=1)
        verdicts: list[bool] = label_by_scores(
            original_perplexities,
            augmented_perplexities,
            similarity,
            calibration,
            section.label_perplexity_scale,
            section.label_similarity_scale,
        ).tolist()
        return verdicts

    return judge


class MiniBertScorer:
    """Pseudo-perplexity and normalised mean embeddings of sentences.

    AugCSE's code takes distilgpt2's perplexity (its paper: GPT-2) and all-mpnet-base-v2's similarity; neither can be bundled, and the rule
    depends only on the rank and spread of the figures.
    """

    def __init__(self, max_len_tokens: int) -> None:
        self.tokenizer: Any = load_tokenizer("mini-bert")
        self.model: Any = load_masked_lm("mini-bert").eval()
        self.max_len_tokens = max_len_tokens

    def calibrate(self, sentences: Sequence[str]) -> Calibration:
        """Measure a sample: its perplexities, and the similarities of all pairs of different rows."""
        perplexities, embeddings = self.score(sentences)
        pairs = (embeddings @ embeddings.T)[~np.eye(len(embeddings), dtype=bool)]
        return Calibration.of(perplexities, pairs)

    def score(self, sentences: Sequence[str]) -> tuple[Array, Array]:
        """Return the pseudo-perplexities, (rows,), and unit vectors, (rows, dim)."""
        perplexities, embeddings = scored_once(sentences, self._score_distinct)
        return perplexities, embeddings

    @torch.inference_mode()
    def _score_distinct(self, sentences: Sequence[str]) -> tuple[Array, Array]:
        """Return perplexities and unit vectors of sentences in one batch."""
        options = {"padding": True, "truncation": True, "max_length": self.max_len_tokens, "return_special_tokens_mask": True}
        batch = self.tokenizer(list(sentences), return_tensors="pt", **options)
        ids, mask = batch["input_ids"], batch["attention_mask"]  # (rows, length)
        states = self.model.bert(input_ids=ids, attention_mask=mask).last_hidden_state  # (rows, length, dim)
        embeddings = torch.nn.functional.normalize((states * mask[:, :, None]).sum(dim=1) / mask.sum(dim=1, keepdim=True), dim=1)
        perplexities = pseudo_perplexities(self.model, ids, mask, batch["special_tokens_mask"] == 0, self.tokenizer.mask_token_id)
        return perplexities.numpy(), embeddings.numpy()
