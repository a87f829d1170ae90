"""MODALS: the second view moved about in embedding space.

Cheung and Yeung 2021, "MODALS: Modality-agnostic Automated Data Augmentation in the Latent Space", ICLR, section 3.1, as UNA (Shu and
Lampos 2024, Table C3) uses its four transformations for contrast; its code is jamestszhim/modals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import torch
from torch import Tensor

from augcse.errors import unknown_name
from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.info_nce import cosine_matrix
from augcse.objectives.option_types import Method, ProjectionKind, Share, Temperature
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode_twice

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# Interpolation chooses among this share of the pool (the code: 5 %, at least one).
CANDIDATE_SHARE = 0.05


def move(embeddings: Tensor, pool: Tensor, method: Method, magnitude: float) -> Tensor:
    """Move each embedding by `magnitude`; draws come from torch's default generator.

    x + m (y - x), y a hard example near x (interpolation, see `hard_neighbours`); x + m (x - mean) (extrapolation);
    x + m (y1 - y2), two different random rows (linear); x + m sd e, e standard normal (gaussian). Mean, standard deviation per
    dimension and the rows y are the pool's, and constants to the gradient.

    Shapes: embeddings, pool (rows, dim), row i of both the same sentence -> (rows, dim).
    """
    pool = pool.detach()
    if method == "interpolation":
        return embeddings + magnitude * (pool[hard_neighbours(embeddings.detach(), pool)] - embeddings)
    if method == "extrapolation":
        return embeddings + magnitude * (embeddings - pool.mean(dim=0))
    if method == "linear":
        first, second = _two_others(len(pool), pool.device)
        return embeddings + magnitude * (pool[first] - pool[second])
    if method == "gaussian":
        return embeddings + magnitude * pool.std(dim=0, unbiased=False) * torch.randn_like(embeddings)
    raise unknown_name("method", method, get_args(Method))


def hard_neighbours(embeddings: Tensor, pool: Tensor) -> Tensor:
    """Return for each row the place of its hard example: of some drawn pool rows the one most like it, never itself.

    The code draws max(1, 5 %) rows, far ones rather than near ones (weight exp(distance to the pool's mean)), and takes the one with the
    greatest cosine after centring on that mean. Drawing k rows without replacement by weight is taking the k greatest of log weight +
    Gumbel noise.

    Shapes: embeddings, pool (rows, dim) -> (rows,) int; a single row is its own neighbour.
    """
    rows = len(pool)
    if rows == 1:
        return torch.zeros(1, dtype=torch.int64, device=pool.device)
    pool, embeddings = pool.float(), embeddings.float()
    mean = pool.mean(dim=0)
    hardness = torch.linalg.vector_norm(pool - mean, dim=1)  # (rows,): the log of the weight
    gumbel = -torch.empty(rows, rows, device=pool.device).exponential_().log()
    own = torch.eye(rows, dtype=torch.bool, device=pool.device)
    keys = (hardness + gumbel).masked_fill(own, -torch.inf)
    drawn = keys.topk(max(1, int(CANDIDATE_SHARE * rows)), dim=1).indices  # (rows, candidates)
    cosines = cosine_matrix(embeddings - mean, pool - mean).gather(1, drawn)
    nearest = cosines.argmax(dim=1, keepdim=True)
    return torch.gather(drawn, 1, nearest).squeeze(1)


def _two_others(rows: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Draw for each row two rows that differ from each other (where there are two)."""
    first = torch.randint(rows, (rows,), device=device)
    step = torch.randint(1, rows, (rows,), device=device) if rows > 1 else torch.zeros(rows, dtype=torch.int64, device=device)
    return first, (first + step) % rows


@objective("modals", paper="MODALS (Cheung and Yeung 2021), as in UNA Table C3", equation="section 3.1", views=("original",))
class MODALSLoss(ProjectedLoss):
    """SimCSE with the second view moved in embedding space: towards a hard example, off the centre, along a difference, or at random.

    The sources define it for labelled classes and leave contrast open. Chosen here: the batch's second views, as constants, are one
    class; the move is applied to the second view before the projection, in train mode only.

    Args:
        model: the encoder.
        temperature: divides the cosine (0.05).
        projection: the training-only head ("mlp", as SimCSE).
        method: "interpolation", "extrapolation", "linear" or "gaussian".
        magnitude: how far, in parts of the difference (in [0, 1]; UNA states none; MODALS searches it).

    Inputs in a `SentenceTransformerTrainer`: one text column; further columns and labels are ignored.
    """

    traits = Traits(citation=citations.MODALS, gathers=True)

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: Temperature = 0.05,
        projection: ProjectionKind = "mlp",
        method: Method = "gaussian",
        magnitude: Share = 0.1,
    ) -> None:
        super().__init__(model, temperature, projection)
        self.method: Method = method
        self.magnitude = magnitude

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}. Features: input_ids and attention_mask (batch, length)."""
        self.follow_mode()
        first, second = encode_twice(self.model, sentence_features[0])
        if self.projection.training:
            second = move(second, second, self.method, self.magnitude)
        return self.contrast_pair(first, second, sentence_features[0])
