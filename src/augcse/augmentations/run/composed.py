"""Apply a spec to many sentences; each member of a composition reads what the members before it made of a sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Fitted
from augcse.augmentations.refusals import note
from augcse.augmentations.run.given import in_small_letters, raised, split_ends
from augcse.augmentations.spec import Spec
from augcse.rng import stream

_STREAM_BITS = 64


@dataclass(frozen=True)
class Parses:
    """Parses by text, each made when a rule first asks for it."""

    parse: Callable[[Sequence[str]], Iterable[Parse]]
    made: dict[str, Parse] = field(default_factory=dict)

    def of(self, texts: Sequence[str]) -> list[Parse]:
        """Return the parse of each text."""
        missing = [text for text in dict.fromkeys(texts) if text not in self.made]
        if missing:
            self.made.update(zip(missing, self.parse(missing), strict=True))
        return [self.made[text] for text in texts]


def apply_spec(
    spec: Spec,
    sentences: Sequence[str],
    rngs: Sequence[Random],
    parses: Parses,
    fitted: Mapping[str, Fitted],
    applied: Sequence[list[str]] | None = None,
) -> list[str | None]:
    """Return the new text of each sentence, or None.

    Args:
        spec: what to apply.
        sentences: the texts.
        rngs: a random stream for each.
        parses: makes the parses, also of the texts between the members of a composition.
        fitted: what rules learnt from the corpus, by the text of their specs.
        applied: a list per sentence, to which the specs of the augmentations that made its new text are added, in order.
    """
    steps: list[list[str]] = [[] for _ in sentences]
    if spec.members:
        results = _apply_members(spec, sentences, rngs, parses, fitted, steps)
    else:
        results = _apply_rule(spec, sentences, rngs, parses, fitted)
        steps = [[spec.text]] * len(results)
    for row, row_applied in enumerate(applied or ()):
        if results[row] is not None:
            row_applied += steps[row]
    return results


def _apply_rule(
    spec: Spec, sentences: Sequence[str], rngs: Sequence[Random], parses: Parses, fitted: Mapping[str, Fitted]
) -> list[str | None]:
    """Apply one rule to each text without the format characters at its ends, which are added again to what the rule gives.

    A rule that reads all-capitals texts in lower case is given those.
    """
    rule = spec.member
    pieces = [split_ends(text) for text in sentences]
    texts = [text for _, text, _ in pieces]
    given = [in_small_letters(text, spec.options) for text in texts] if rule.reads_small_letters else texts
    # Only texts that the rule may change are parsed; but at least one, so that a missing parser is reported.
    may_change = rule.may_change or (lambda text, **options: True)
    rows = [row for row, text in enumerate(given) if may_change(text, **spec.options)] or range(len(given[:1]))
    candidates = [given[row] for row in rows]
    inputs = parses.of(candidates) if rule.needs_parse else candidates
    results = rule.apply_all(inputs, [rngs[row] for row in rows], fitted.get(spec.text), **spec.options)
    result_of = dict(zip(rows, results, strict=True))
    new = map(raised, texts, given, map(result_of.get, range(len(texts))))
    return [None if text is None else before + text + after for (before, _, after), text in zip(pieces, new, strict=True)]


def _apply_members(
    spec: Spec,
    sentences: Sequence[str],
    rngs: Sequence[Random],
    parses: Parses,
    fitted: Mapping[str, Fitted],
    applied: Sequence[list[str]],
) -> list[str | None]:
    """Give each row's members their turns; rows whose turn falls to the same member go through it together."""
    if not sentences:
        return []
    count = len(spec.members)
    # Each member has its own stream in each row, whatever the other members draw.
    keys = [rng.getrandbits(_STREAM_BITS) for rng in rngs]
    orders, changes_left = map(list, zip(*(spec.composition.turns_of(count, rng, spec.options) for rng in rngs), strict=True))
    texts = list(sentences)
    for turn in range(count):
        rows_of = defaultdict(list)
        for row, order in enumerate(orders):
            if changes_left[row]:
                rows_of[order[turn]].append(row)
        for index, rows in rows_of.items():
            streams = [stream(keys[row], index) for row in rows]
            new = apply_spec(spec.members[index], [texts[row] for row in rows], streams, parses, fitted, [applied[row] for row in rows])
            for row, text in zip(rows, new, strict=True):
                if text is not None:
                    texts[row] = text
                    changes_left[row] -= 1
    changed = [row for row, text in enumerate(texts) if text != sentences[row]]
    kept = spec.composition.accepted([sentences[row] for row in changed], [texts[row] for row in changed], spec.options)
    if not all(kept):
        note(spec.name)
    text_of = {row: texts[row] for row, is_kept in zip(changed, kept, strict=True) if is_kept}
    return [text_of.get(row) for row in range(len(texts))]
