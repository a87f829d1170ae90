"""Judge augmentations row by row with the bundled mini-bert: does the result read well, and is it still near its original?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from augcse.encoding.model import load_tokenizer
from augcse.objectives.masked_lm import load_masked_lm
from augcse.training.store.roles import Array, Calibration, label_by_scores

if TYPE_CHECKING:
    from augcse.training.store.plan import Plan
    from augcse.training.store.views import Judge

CALIBRATION_SENTENCES = 1_000
_BATCH_ROWS = 64
# Every fourth token is masked at once: four passes see each token masked once, about as many masks as in pretraining.
_STRIDE = 4


def mini_bert_judge(plan: Plan) -> Judge:
    """Return the judge of label method "lm_uniform", calibrated on the first 1,000 sentences of the corpus; deterministic."""
    scorer = MiniBertScorer(plan.model.max_len_tokens)
    sample = list(islice(plan.read_originals(), CALIBRATION_SENTENCES))
    calibration = scorer.calibrate(sample)
    section = plan.augmentation

    def judge(originals: Sequence[str], augmented: Sequence[str]) -> Sequence[bool]:
        before, left = scorer.score(originals)
        after, right = scorer.score(augmented)
        similarity = (left * right).sum(axis=1)
        verdicts: list[bool] = label_by_scores(
            before, after, similarity, calibration, section.label_perplexity_scale, section.label_similarity_scale
        ).tolist()
        return verdicts

    return judge


class MiniBertScorer:
    """Pseudo-perplexity and normalised mean embeddings of sentences.

    Pseudo-perplexity is exp of the mean negative log likelihood of each token when it is masked (Salazar et al. 2020). Deviation: every
    fourth token is masked at once, not one at a time. AugCSE's code takes distilgpt2's perplexity (its paper: GPT-2) and
    all-mpnet-base-v2's similarity; neither can be bundled, and only the rank and spread of the figures matter to the rule.
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
        """Return the pseudo-perplexities, (rows,), and unit vectors, (rows, dim).

        Every distinct sentence is scored once, among others of like length.
        """
        distinct = sorted(dict.fromkeys(sentences), key=len)
        row_of = {sentence: row for row, sentence in enumerate(distinct)}
        parts = [self._score(distinct[start : start + _BATCH_ROWS]) for start in range(0, len(distinct), _BATCH_ROWS)]
        perplexities, embeddings = (np.concatenate(part) for part in zip(*parts, strict=True))
        rows = [row_of[sentence] for sentence in sentences]
        return perplexities[rows], embeddings[rows]

    @torch.inference_mode()
    def _score(self, sentences: Sequence[str]) -> tuple[Array, Array]:
        batch = self.tokenizer(
            list(sentences),
            padding=True,
            truncation=True,
            max_length=self.max_len_tokens,
            return_tensors="pt",
            return_special_tokens_mask=True,
        )
        ids, mask = batch["input_ids"], batch["attention_mask"]  # (rows, length)
        real = batch["special_tokens_mask"] == 0
        states = self.model.bert(input_ids=ids, attention_mask=mask).last_hidden_state  # (rows, length, dim)
        embeddings = torch.nn.functional.normalize((states * mask[:, :, None]).sum(dim=1) / mask.sum(dim=1, keepdim=True), dim=1)
        surprise = torch.zeros(ids.shape)
        for offset in range(_STRIDE):
            hidden = real & (torch.arange(ids.shape[1]) % _STRIDE == offset)
            masked = self.model.bert(input_ids=ids.masked_fill(hidden, self.tokenizer.mask_token_id), attention_mask=mask)
            # The vocabulary is wide: its scores are computed where they are read. (masked, dim) -> (masked, vocabulary)
            logits = self.model.cls(masked.last_hidden_state[hidden])
            surprise[hidden] = torch.nn.functional.cross_entropy(logits, ids[hidden], reduction="none")
        # A row of special tokens alone has no perplexity: 0 / 0.
        return torch.exp(surprise.sum(dim=1) / real.sum(dim=1)).numpy(), embeddings.numpy()
