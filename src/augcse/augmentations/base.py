"""What an augmentation is: a pure rule from (sentence, random stream) to a new sentence or None, with its card.

    @augmentation(
        "RandomSwap",
        family="noise",
        meaning="possible_alteration",
        source="AugCSE (Tang et al. 2022), A.2; EDA (Wei and Zou 2019)",
        example=Example("...", "...", seed=3),
    )
    def random_swap(sentence: str, rng: Random, *, rate: float = 0.3) -> str | None: ...

A rule that needs the parse declares `needs=("parse",)` and takes a `Parse` in place of the string. One that is faster on many
sentences at once declares `batched=True` and takes and returns lists: (sentences, streams) to new sentences. One that depends on the
whole corpus declares `fitted=MyStatistics` (a `Fitted` class, or "module:Class" for one that is expensive to import) and takes the
fitted object after the stream.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from itertools import compress
from pathlib import Path
from pkgutil import resolve_name
from random import Random
from typing import Any, Literal, Protocol, Self, TypeVar

from augcse.annotation.parse import Parse
from augcse.augmentations.measured import change_rate
from augcse.augmentations.refusals import EMPTY_RESULT, Refusal, note
from augcse.corpus.lines import lone_surrogate
from augcse.errors import ForeignFailure, UserError
from augcse.options import Option, checked_options, options_of
from augcse.own_files import failure_at, failure_on
from augcse.registry import Registry, check_point_name
from augcse.rng import stream

Meaning = Literal["highly_preserving", "possible_alteration", "alteration"]
Need = Literal["parse", "mlm", "corpus", "vectors", "seq2seq"]
Rule = Callable[..., Any]
Decorated = TypeVar("Decorated", bound=Rule)
# Every language that is written with spaces between words.
ANY_LANGUAGE = "any"
# The language of a text that is not English, if the user has not named it.
OTHER_LANGUAGE, UNSPACED = "another language, it seems", "another language, without spaces between words, it seems"
_LANGUAGES_WITHOUT_SPACES = frozenset({"zh", "ja", "th", "lo", "my", "km", "bo", UNSPACED})
# The families whose rules are given a lower-cased copy of an all-capitals text; those of surface need its letters as they are ("20 °C").
_LOWER_CASED_FAMILIES = frozenset({"lexical", "syntax", "polarity"})


class Fitted(Protocol):
    """What an augmentation learns from the whole corpus before it sees a row."""

    @classmethod
    def fit(cls, sentences: Iterable[str]) -> Self:
        """Learn from a stream of sentences, in memory that does not grow with their number."""

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Open what `save` wrote; large arrays are memory-mapped."""

    def save(self, folder: Path) -> None:
        """Write into an empty folder."""


@dataclass(frozen=True, slots=True)
class Example:
    """An input and the exact output that the rule gives for it at `seed`; the contract tests run every one.

    The exception is `needs_model`: the rule runs on a published checkpoint that is too large for the package and its tests, and the output
    was written by hand to show what such a checkpoint does. The card says so.
    """

    sentence: str
    augmented: str
    seed: int = 0
    needs_model: bool = False


@dataclass(frozen=True, slots=True)
class Augmentation:
    """A rule and its card."""

    name: str
    family: str
    meaning: Meaning
    source: str
    description: str
    example: Example
    rule: Rule
    needs: tuple[Need, ...] = ()
    # ISO 639-1, or `ANY_LANGUAGE`.
    languages: tuple[str, ...] = ("en",)
    batched: bool = False
    fitted_class: type[Fitted] | str | None = None
    # What a text must contain for the rule to apply, as the end of "a text with ...".
    condition: str | None = None
    refusals: tuple[Refusal[Any], ...] = ()
    # Quick test of the raw text, before parsing; takes the rule's options too.
    may_change: Callable[..., bool] | None = None

    def __post_init__(self) -> None:
        """Raise `UserError` for a coroutine, which nothing here would await."""
        if inspect.iscoroutinefunction(self.rule):
            raise UserError(f"{self.name} is a coroutine (async def); write it as a plain function")

    @property
    def fitted(self) -> type[Fitted] | None:
        """The class of what the rule learns from the corpus, imported at the first use; None if it learns nothing."""
        if not isinstance(self.fitted_class, str):
            return self.fitted_class
        imported: type[Fitted] = resolve_name(self.fitted_class)
        return imported

    @property
    def needs_parse(self) -> bool:
        """Whether the rule takes a `Parse` in place of the sentence."""
        return "parse" in self.needs

    @property
    def reads_small_letters(self) -> bool:
        """Whether the rule is given a lower-cased copy of an all-capitals text; a user's own rule always gets the text as it is."""
        return self._is_ours and self.family in _LOWER_CASED_FAMILIES

    def reads(self, language: str) -> bool:
        """Whether the rule works on a language (ISO 639-1)."""
        return language in self.languages or (ANY_LANGUAGE in self.languages and language not in _LANGUAGES_WITHOUT_SPACES)

    @property
    def options(self) -> dict[str, Option]:
        """The rule's options, by name."""
        return options_of(self.rule)

    def check_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options as the rule takes them; raises `UserError` for an unknown option or a value that is not allowed."""
        return checked_options(self.options, options, self.name)

    def apply(self, sentence: str | Parse, rng: Random, fitted: Fitted | None = None, **options: Any) -> str | None:
        """Return the new sentence, or None where the rule does not apply; never the input itself, never an empty text."""
        return self.apply_all([sentence], [rng], fitted, **options)[0]

    def apply_all(
        self, inputs: Sequence[str | Parse], rngs: Sequence[Random], fitted: Fitted | None = None, **options: Any
    ) -> list[str | None]:
        """Apply to many sentences, each with its own stream; row i is `apply(inputs[i], rngs[i])`.

        A parse in a language that the augmentation does not read gives None.
        """
        readable = [not isinstance(sentence, Parse) or self.reads(sentence.language) for sentence in inputs]
        if not all(readable):
            augmented = iter(self.apply_all(list(compress(inputs, readable)), list(compress(rngs, readable)), fitted, **options))
            return [next(augmented) if is_readable else None for is_readable in readable]
        state = () if self.fitted_class is None else (fitted,)
        with nullcontext() if self._is_ours else ForeignFailure(self._failure):
            if self.batched:
                results = list(self.rule(inputs, rngs, *state, **options))
            else:
                results = [self._apply_rule(sentence, rng, state, options) for sentence, rng in zip(inputs, rngs, strict=True)]
            if not self._is_ours:
                _check_results(self.name, results, len(inputs))
        return [_new_text(sentence, augmented) for sentence, augmented in zip(inputs, results, strict=True)]

    def _apply_rule(self, sentence: str | Parse, rng: Random, state: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
        """Return what the rule gives for one sentence; where a user's rule fails, raises a `UserError` that quotes the sentence."""
        if self._is_ours:
            return self.rule(sentence, rng, *state, **options)
        with failure_on(self.name, sentence.text if isinstance(sentence, Parse) else sentence, self._file):
            return self.rule(sentence, rng, *state, **options)

    def why_unchanged(self, parser_language: str | None) -> str:
        """Return why a whole corpus was left as it is, in a few words: its language, what a text must contain, or an example that fits.

        `parser_language` is None where nothing was parsed.
        """
        if self.needs_parse and not self.reads(parser_language or ""):
            return f"works on {' and '.join(self.languages)}; the parser reads {parser_language}"
        if self.condition is not None:
            return f"needs a text with {self.condition}; none fits"
        if self.example.sentence:
            return f"no text fits; one that does with the default options: {self.example.sentence}"
        return "no text fits"

    @property
    def own_file(self) -> str | None:
        """The file of a user's own rule; None for ours, which the package's version identifies."""
        return None if self._is_ours else self._file

    @property
    def _is_ours(self) -> bool:
        return getattr(self.rule, "__module__", "").startswith("augcse.")

    @property
    def _file(self) -> str | None:
        return getattr(inspect.getmodule(self.rule), "__file__", None)

    def _failure(self, error: BaseException) -> str:
        return f"{self.name} failed: {failure_at(error, self._file)}"

    def card(self) -> dict[str, Any]:
        """Return what `augcse list augmentations --json` prints."""
        return {
            "name": self.name,
            "family": self.family,
            "meaning": self.meaning,
            "needs": list(self.needs),
            "languages": list(self.languages),
            "source": self.source,
            "description": self.description,
            "example": {"sentence": self.example.sentence, "augmented": self.example.augmented, "seed": self.example.seed}
            | ({"written_by_hand": True} if self.example.needs_model else {}),
            "options": [option.card() for option in self.options.values()],
            "refusals": [refusal.card() for refusal in self.refusals],
            "changes": change_rate(self.name),
            "module": self.rule.__module__,
        }


def _adopt(point: EntryPoint) -> Augmentation:
    from augcse.augmentations.plugins import adopt

    member = adopt(point.name, point.load())
    check_point_name(point, member.name)
    return member


AUGMENTATIONS: Registry[Augmentation] = Registry("augmentation", "augcse.augmentations.rules", "augcse.augmentations", _adopt)


def augmentation(
    name: str,
    *,
    family: str,
    meaning: Meaning,
    source: str,
    example: Example,
    needs: tuple[Need, ...] = (),
    languages: tuple[str, ...] = ("en",),
    batched: bool = False,
    fitted: type[Fitted] | str | None = None,
    condition: str | None = None,
    refusals: tuple[Refusal[Any], ...] = (),
    may_change: Callable[..., bool] | None = None,
) -> Callable[[Decorated], Decorated]:
    """Register the decorated rule under `name`; its description is the first paragraph of its docstring.

    `condition` is what a row must contain for the rule to apply ("a number"), unless every row of its languages will do; `refusals` are
    the candidates that it still leaves alone. `may_change` takes the text and the options; where it is False the rule would give None, so
    that a text without the words that the rule looks for is not parsed.
    """

    def register(rule: Decorated) -> Decorated:
        description = " ".join((inspect.getdoc(rule) or "").split("\n\n")[0].split())
        card = (name, family, meaning, source, description, example)
        member = Augmentation(*card, rule, needs, languages, batched, fitted, condition, refusals, may_change)
        AUGMENTATIONS.add(name, member, rule.__module__)
        return rule

    return register


def _check_results(name: str, results: Sequence[Any], count: int) -> None:
    """Raise `UserError` unless a user's rule gave a well-formed text or None for each sentence."""
    if len(results) != count:
        raise UserError(f"{name} gave {len(results):,} results for {count:,} sentences; give one for each, None where it does not apply")
    for result in results:
        if not isinstance(result, str | None):
            raise UserError(f"{name} gave {type(result).__name__}, not a text or None")
        half = None if result is None else lone_surrogate(result)
        if half is not None:
            raise UserError(f"{name} gave a text with {half}, half a character (a lone surrogate); let it return whole characters")
        if result is not None and not result.strip():
            note(EMPTY_RESULT)


def _new_text(sentence: str | Parse, augmented: str | None) -> str | None:
    """Return the rule's text; None where it is empty or the sentence itself."""
    original = sentence.text if isinstance(sentence, Parse) else sentence
    is_new = augmented is not None and augmented.strip() != "" and augmented != original
    return augmented if is_new else None


def row_stream(seed: int, name: str, row: int) -> Random:
    """Return the stream of one augmentation on one row; the last part of its path is the epoch, always 0 here."""
    return stream(seed, name, row, 0)
