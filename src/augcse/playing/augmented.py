"""One sentence, and what every augmentation makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augcse.augmentations.base import AUGMENTATIONS, Meaning
from augcse.augmentations.run.apply import Preview, preview_rows
from augcse.playing.session import Session


@dataclass(frozen=True)
class Augmented:
    """What one augmentation makes of a sentence.

    Args:
        name: the augmentation's.
        meaning: what its card says that it does to the meaning.
        text: the new sentence; None where the sentence stays as it is.
        cosines: with the original, one per model; none where the sentence stays as it is.
        why: why the sentence stays as it is; "" where it does not.
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
    """Return what each augmentation makes of a sentence: the changed ones first, most similar under the first model first.

    Args:
        session: whose models say how similar.
        sentence: one sentence.
        seed: of the random streams.
    """
    previews = preview_rows(sentence, offline_names(), seed, session.parser)
    changed = [preview for preview in previews if preview.augmented is not None]
    cosines = _cosines(session, sentence, [preview.augmented or "" for preview in changed])
    found = [_augmented(preview, near) for preview, near in zip(changed, cosines, strict=True)]
    found.sort(key=lambda one: -one.cosines[0])
    return [*found, *(_augmented(preview) for preview in previews if preview.augmented is None)]


def _cosines(session: Session, sentence: str, texts: Sequence[str]) -> list[tuple[float, ...]]:
    """Return, per text, its cosine with the sentence under each model."""
    columns = []
    for name in session.models:
        own, *others = session.encode(name, [sentence, *texts])
        columns.append([float(other @ own) for other in others])
    return list(zip(*columns, strict=True))


def _augmented(preview: Preview, cosines: tuple[float, ...] = ()) -> Augmented:
    meaning = AUGMENTATIONS.get(preview.name).meaning
    return Augmented(preview.name, meaning, preview.augmented, cosines, "" if cosines else _why(preview))


def _why(preview: Preview) -> str:
    """Return what was left alone, by name, and what the rule needs."""
    left_alone = f"left alone: {', '.join(preview.refusals)}" if preview.refusals else ""
    return "; ".join(filter(None, [left_alone, preview.why_unchanged]))
