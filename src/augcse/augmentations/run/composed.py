"""Apply a spec, a composition or not, to many sentences: a member of a composition reads what those before it made of the sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Fitted
from augcse.augmentations.spec import Spec
from augcse.rng import stream

_STREAM_BITS = 64


@dataclass(frozen=True)
class Parses:
    """Parses by text, each made when a rule first asks for it."""

    parse: Callable[[Sequence[str]], Iterable[Parse]]
    made: dict[str, Parse] = field(default_factory=dict)

    def of(self, texts: Sequence[str]) -> list[Parse]:
        """Return a parse of each text."""
        missing = [text for text in dict.fromkeys(texts) if text not in self.made]
        if missing:
            self.made.update(zip(missing, self.parse(missing), strict=True))
        return [self.made[text] for text in texts]


def apply_spec(
    spec: Spec, sentences: Sequence[str], rngs: Sequence[Random], parses: Parses, fitted: Mapping[str, Fitted]
) -> list[str | None]:
    """Return the new text of each sentence, or None.

    Args:
        spec: what to apply.
        sentences: the texts.
        rngs: a random stream for each.
        parses: where the parses come from, those of texts in between too.
        fitted: what rules learnt from the corpus, by the text of their specs.
    """
    if spec.members:
        return _apply_members(spec, sentences, rngs, parses, fitted)
    inputs: Sequence[str | Parse] = parses.of(sentences) if spec.member.needs_parse else sentences
    return spec.member.apply_all(inputs, rngs, fitted.get(spec.text), **spec.options)


def _apply_members(
    spec: Spec, sentences: Sequence[str], rngs: Sequence[Random], parses: Parses, fitted: Mapping[str, Fitted]
) -> list[str | None]:
    """Give each row's members their turns; all rows that have the same member at the same turn go through it together."""
    count = len(spec.members)
    # Of a member: its own stream, whatever the others draw.
    keys = [rng.getrandbits(_STREAM_BITS) for rng in rngs]
    orders, open_changes = map(list, zip(*(spec.composition.turns(count, rng, **spec.options) for rng in rngs), strict=True))
    texts = list(sentences)
    for turn in range(count):
        rows_of = defaultdict(list)
        for row, order in enumerate(orders):
            if open_changes[row]:
                rows_of[order[turn]].append(row)
        for index, rows in rows_of.items():
            streams = [stream(keys[row], index) for row in rows]
            new = apply_spec(spec.members[index], [texts[row] for row in rows], streams, parses, fitted)
            for row, text in zip(rows, new, strict=True):
                if text is not None:
                    texts[row] = text
                    open_changes[row] -= 1
    return [None if new == old else new for new, old in zip(texts, sentences, strict=True)]
