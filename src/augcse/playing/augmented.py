"""All augmentations of one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augcse.augmentations.base import AUGMENTATIONS, Meaning
from augcse.augmentations.run.apply import Preview, preview_rows
from augcse.playing.session import Session


@dataclass(frozen=True)
class Augmented:
    """The result of one augmentation on a sentence.

    Args:
        name: the augmentation's.
        meaning: its effect on the meaning, as declared on its card.
        text: the new sentence; None if it is unchanged.
        cosines: with the original, one per model; empty if it is unchanged.
        why: the reason if it is unchanged; "" otherwise.
    """

    name: str
    meaning: Meaning
    text: str | None
    cosines: tuple[float, ...] = ()
    why: str = ""


def offline_names() -> list[str]:
    """Return the augmentations that run without a download."""
    return [member.name for member in AUGMENTATIONS if "seq2seq" not in member.needs]


def augment_all(session: Session, sentence: str, seed: int = 0) -> list[Augmented]:
    """Apply every augmentation to a sentence: changed results first, ordered by similarity under the first model.

    Args:
        session: provides the models that measure similarity.
        sentence: one sentence.
        seed: of the random streams.
    """
    previews = preview_rows(sentence, offline_names(), seed, session.parser)
    changed = [preview for preview in previews if preview.augmented is not None]
    cosines = _cosines(session, sentence, [preview.augmented or "" for preview in changed])
    results = [_augmented(preview, values) for preview, values in zip(changed, cosines, strict=True)]
    results.sort(key=lambda result: -result.cosines[0])
    return [*results, *(_augmented(preview) for preview in previews if preview.augmented is None)]


def _cosines(session: Session, sentence: str, texts: Sequence[str]) -> list[tuple[float, ...]]:
    """Return, per text, its cosine with the sentence under each model."""
    columns = []
    for name in session.models:
        embedding, *text_embeddings = session.encode(name, [sentence, *texts])
        columns.append([float(text_embedding @ embedding) for text_embedding in text_embeddings])
    return list(zip(*columns, strict=True))


def _augmented(preview: Preview, cosines: tuple[float, ...] = ()) -> Augmented:
    meaning = AUGMENTATIONS.get(preview.name).meaning
    why = "" if cosines else _why_unchanged(preview)
    return Augmented(preview.name, meaning, preview.augmented, cosines, why)


def _why_unchanged(preview: Preview) -> str:
    """Return the refusals that applied, by name, and what the rule needs."""
    left_alone = f"left alone: {', '.join(preview.refusals)}" if preview.refusals else ""
    return "; ".join(filter(None, [left_alone, preview.why_unchanged]))
