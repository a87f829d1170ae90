"""Warnings about a prepared corpus, before hours of training are spent on it."""

from __future__ import annotations

from collections.abc import Iterator

from augcse.encoding.static.tokenizer import MOST_UNKNOWN
from augcse.training.store.files import TokenStore
from augcse.training.store.tally import UNCHANGED
from augcse.training.store.views import ORIGINAL

_MUCH_REPEATED = 0.05
# Of fewer rows an augmentation that applies to one sentence in ten may change none.
_ROWS_TO_JUDGE = 20


def remarks(store: TokenStore, unknown_id: int | None, special_tokens: int, augmented_share: float) -> Iterator[str]:
    """Yield a warning for each property of the corpus that makes the training doubtful.

    Args:
        store: the prepared corpus.
        unknown_id: the id of the tokenizer's unknown token, if it has one.
        special_tokens: the number of special tokens that the tokenizer adds to each row.
        augmented_share: the share of rows that an augmentation was drawn for.
    """
    repeated = 1 - store.meta["distinct"] / len(store)
    if repeated >= _MUCH_REPEATED:
        yield (
            f"{repeated:.0%} of the sentences repeat another one: they weigh more than the rest; they are not negatives of one another,"
            ' unless objective.repeated_texts is "keep"'
        )
    tokens = store.views[ORIGINAL].tokens
    text_tokens = max(len(tokens) - special_tokens * len(store), 1)
    unknown = 0.0 if unknown_id is None else int((tokens == unknown_id).sum()) / text_tokens
    if unknown > MOST_UNKNOWN:
        yield (
            f"{unknown:.0%} of the tokens are unknown to the model's tokenizer, which was made for another script: the model cannot"
            " distinguish such sentences; take a model of this language (--model), pretrain one (augcse pretrain), or augcse static"
        )
    drawn = _rows_by_augmentation(store)
    idle = sorted(name for name, count in drawn.items() if not count)
    if len(idle) > len(drawn) / 2 and len(store) * augmented_share >= _ROWS_TO_JUDGE * len(drawn):
        yield (
            f"{len(idle)} of {len(drawn)} augmentations changed no row: {', '.join(idle)}; most rules read English only:"
            " augcse augment counts what each one changes, augcse score which ones suit the text"
        )


def _rows_by_augmentation(store: TokenStore) -> dict[str, int]:
    """Return how many rows each augmentation made, over all views."""
    counts = [store.meta["label_counts"], *store.meta["view_counts"].values()]
    names = {name for counts_of_view in counts for name in counts_of_view} - {UNCHANGED}
    return {name: sum(counts_of_view.get(name, 0) for counts_of_view in counts) for name in names}
