"""MODALS: the second view augmented in embedding space.

Cheung and Yeung 2021, "MODALS: Modality-agnostic Automated Data Augmentation in the Latent Space", ICLR, section 3.1, with its
four transformations in contrastive learning as in UNA (Shu and Lampos 2024, Table C3); code: jamestszhim/modals.
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

# Share of the pool among which interpolation chooses (the code: 5 %, at least one).
CANDIDATE_SHARE = 0.05


def move(embeddings: Tensor, pool: Tensor, method: Method, magnitude: float) -> Tensor:
    """Transform each embedding by `magnitude`; random numbers come from torch's default generator.

    x + m (y - x), y a hard example near x (interpolation, see `hard_neighbours`); x + m (x - mean) (extrapolation);
    x + m (y1 - y2), two different random rows (linear); x + m sd e, e standard normal (gaussian). Mean, standard deviation per
    dimension and the rows y are the pool's, without gradient.

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
    """Return the index of each row's hard example: the most similar of some randomly drawn pool rows, never itself.

    As in the code, max(1, 5 %) rows are drawn with weight exp(distance to the pool's mean), and the one with the greatest cosine after
    centring on that mean is taken. Drawing k rows without replacement by weight is the Gumbel top-k of the log weights.

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
    """Draw two different rows per row (the same one twice if there is only one)."""
    first = torch.randint(rows, (rows,), device=device)
    step = torch.randint(1, rows, (rows,), device=device) if rows > 1 else torch.zeros(rows, dtype=torch.int64, device=device)
    return first, (first + step) % rows


@objective(
    "modals", paper="MODALS (Cheung and Yeung 2021), as in UNA Table C3", equation="section 3.1", views=("original",), trains_static=True
)
class MODALSLoss(ProjectedLoss):
    """SimCSE with the second view transformed in embedding space: interpolation, extrapolation, linear delta, or Gaussian noise.

    MODALS is defined for labelled classes; UNA does not say how it is used for contrast. Here the second views of the batch, without
    gradient, form one class; the second view is transformed before the projection, in train mode only.

    Args:
        model: the encoder.
        temperature: divides the cosine (0.05).
        projection: the training-only head ("mlp", as SimCSE).
        method: "interpolation", "extrapolation", "linear" or "gaussian".
        magnitude: as a share of the difference, in [0, 1] (UNA states none; MODALS searches it).

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
