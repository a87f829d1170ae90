"""UNA: TF-IDF-driven hard negatives, added every `alpha` batches.

Shu and Lampos 2024, "Unsupervised hard Negative Augmentation for contrastive learning", Eq. 1, section 4, Table C4; its code's loss is
una.py of ClaudiaShu/UNA.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.checks import require
from augcse.objectives.info_nce import cosine_matrix
from augcse.objectives.option_types import BatchCount, Fidelity, ProjectionKind, Temperature
from augcse.objectives.projection import balance_terms
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode_views

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def nt_xent(
    first: Tensor,
    second: Tensor,
    temperature: float,
    others: Tensor | None = None,
    positive_in_denominator: bool = True,
    left_out: Tensor | None = None,
) -> Tensor:
    """Mean over the rows of both views of -log( exp(s_ij/t) / sum_k exp(s_ik/t) ), with j the row's other view.

    k runs over all rows of `first`, `second` and `others` except i itself and, with `positive_in_denominator` false (UNA's Eq. 1), except
    j. `others` are in denominators only, never anchors. With the positive in the denominator and no `others` this is NT-Xent (SimCLR,
    Chen et al. 2020, Eq. 1). `left_out` pairs are in no denominator. A row with an empty denominator, such as a single pair without its
    positive, has loss 0, where the formula gives minus infinity.

    Shapes: first, second (pairs, dim), others (any, dim), left_out (2 * pairs, all rows) bool -> scalar, in float32 at least.
    """
    with torch.autocast(first.device.type, enabled=False):
        rows = torch.cat([first, second] if others is None else [first, second, others])
        rows = rows.to(torch.promote_types(rows.dtype, torch.float32))
        anchors = 2 * len(first)
        logits = cosine_matrix(rows[:anchors], rows) / temperature  # (2 * pairs, rows)
        indices = torch.arange(anchors, device=rows.device)
        partners = indices.roll(len(first))
        positives = logits[indices, partners]
        own, partner = (torch.nn.functional.one_hot(index, len(rows)).bool() for index in (indices, partners))
        absent = own if left_out is None else own | (left_out & ~partner)
        if not positive_in_denominator:
            absent = absent | partner
            absent = absent & ~(absent.all(dim=1, keepdim=True) & partner)  # keep the positive as the only entry: loss 0
        return (logits.masked_fill(absent, -torch.inf).logsumexp(dim=1) - positives).mean()


@objective("una", paper="UNA (Shu and Lampos 2024)", equation="Eq. 1", views=("original", "negative"), trains_static=True)
@objective(
    "una-paraphrase", paper="UNA (Shu and Lampos 2024)", equation="Eq. 1", views=("original", "positive", "negative"), trains_static=True
)
class UNALoss(ProjectedLoss):
    """Symmetric contrastive loss; every `alpha` batches the UNA negative of each row is added.

    The negative view is encoded in those batches only. The logged `negatives` is the share of steps with negatives.

    Args:
        model: the encoder.
        temperature: divides the cosine (0.05).
        alpha: interval, in batches, at which negatives are used, starting with the first batch; 0: never (paper: 5, Table C4).
        projection: the training-only head (the code: "mlp").
        fidelity: "paper": Eq. 1, the positive is left out of the denominator; negatives are in denominators only. "repo": NT-Xent over
            the whole list, the positive in the denominator; the negative is encoded twice and each of the two is an anchor whose
            positive is the other (the code's batch of 4B rows).

    Deviations from the code: alpha = 0, a division by zero there, disables the negatives (row "0" of Table C4). The code counts steps
    from 0 in every run; here the count is a buffer, so a resumed run keeps the same interval. With gradient accumulation every
    micro-batch counts.

    Inputs in a `SentenceTransformerTrainer`: two text columns (original, negative), the original being its own positive under
    another dropout mask, or three (original, paraphrase, negative). Labels are ignored.
    """

    traits = Traits(citation=citations.UNA, gathers=True)
    batches: Tensor

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: Temperature = 0.05,
        alpha: BatchCount = 5,
        projection: ProjectionKind = "mlp",
        fidelity: Fidelity = "paper",
    ) -> None:
        super().__init__(model, temperature, projection)
        self.alpha = alpha
        self.fidelity = fidelity
        self.register_buffer("batches", torch.zeros((), dtype=torch.int64))

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}. Features: [original, (positive,) negative], each (batch, length)."""
        self.follow_mode()
        given = len(sentence_features)
        require(given <= 3, f"the data has {given} text columns; give UNALoss original and negative, or original, paraphrase and negative")
        *views, negative = sentence_features
        pair = [views[0], views[-1]]
        adds_negatives = self._adds_negatives()
        copies = (2 if self.fidelity == "repo" else 1) if adds_negatives else 0
        embeddings = encode_views(self.model, pair + [negative] * copies)
        rows = len(embeddings[0])
        projected = self.projection(torch.cat(embeddings)).split(rows)
        self.metrics = {"negatives": embeddings[0].new_tensor(float(adds_negatives))}
        repeated = self._repeated(*map(text_keys, [*pair, negative][: 3 if adds_negatives else 2]))
        return {"contrastive": self._contrast(projected, repeated), **balance_terms(self.projection)}

    def _adds_negatives(self) -> bool:
        """Return whether this batch has negatives, and count it in training."""
        batch = int(self.batches)
        if self.projection.training:
            self.batches += 1
        return self.alpha > 0 and batch % self.alpha == 0

    def _repeated(self, first: Tensor, second: Tensor, negatives: Tensor | None = None) -> Tensor:
        """Return which pairs are the same text, or views of it. Keys (batch,) each -> (anchors, all rows) bool, as in `nt_xent`."""
        if negatives is None:
            texts, sources = [first, second], [first, first]
        elif self.fidelity == "repo":
            texts, sources = [first, negatives, second, negatives], [first, negatives, first, negatives]
        else:
            texts, sources = [first, second, negatives], [first, first, negatives]
        anchors = len(first) * (4 if len(texts) == 4 else 2)
        text, source = torch.cat(texts), torch.cat(sources)
        return self.same_text(text[:anchors], text) | self.same_text(source[:anchors], source)

    def _contrast(self, projected: tuple[Tensor, ...], repeated: Tensor) -> Tensor:
        """Return the loss. projected: two views, then the negatives zero to two times; (batch, dim) each."""
        first, second, *negatives = projected
        if self.fidelity == "repo":
            if negatives:
                first, second = torch.cat([first, negatives[0]]), torch.cat([second, negatives[1]])
            return nt_xent(first, second, self.temperature, left_out=repeated)
        others = negatives[0] if negatives else None
        return nt_xent(first, second, self.temperature, others, positive_in_denominator=False, left_out=repeated)

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """Count both views of the other rows, and the hard negatives where they are used: once, or twice as in the code."""
        rows = self.rows_together(batch_size, processes)
        others = 2 * rows - 2
        without = {"batches without hard negatives": others} if self.alpha != 1 else {}
        hard_negatives = rows if self.fidelity == "paper" else 2 * rows
        return without | ({"batches with hard negatives": others + hard_negatives} if self.alpha else {})
