"""How an augmentation is named with its options: `RandomDeletion:rate=0.1`, `rules.py:Shout:times=2`, `chain(RandomSwap, RandomCrop)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from augcse.augmentations.base import Augmentation, Fitted, Meaning
from augcse.augmentations.composition import COMPOSITIONS, Call, Composition, read_call
from augcse.augmentations.plugins import find
from augcse.augmentations.sets import SETS, expand
from augcse.errors import UserError
from augcse.files import content_sha256
from augcse.options import option_texts, read_options


@dataclass(frozen=True, slots=True)
class Spec:
    """A name and the options that differ from the defaults; `text` is what the user wrote and keys the random streams.

    For a composition, `name` is its own ("chain"), `options` are its parameters, and `members` what it is made of.
    """

    text: str
    name: str
    options: dict[str, Any] = field(default_factory=dict, compare=False)
    members: tuple[Spec, ...] = ()

    @property
    def member(self) -> Augmentation:
        """The registered augmentation or the user's own; a composition has `members` instead."""
        return find(self.name)

    @property
    def composition(self) -> Composition:
        """How the members are put together."""
        return COMPOSITIONS[self.name]

    @property
    def leaves(self) -> tuple[Spec, ...]:
        """The augmentations that it is made of, at any depth; only itself if it is not a composition."""
        return tuple(leaf for member in self.members for leaf in member.leaves) if self.members else (self,)

    @property
    def needs_parse(self) -> bool:
        """Whether one of its rules takes a `Parse` in place of the sentence."""
        return any(leaf.member.needs_parse for leaf in self.leaves)

    @property
    def is_fitted(self) -> bool:
        """Whether one of its rules takes statistics of the corpus."""
        return any(leaf.member.fitted_class is not None for leaf in self.leaves)

    def fitted_classes(self) -> dict[str, type[Fitted]]:
        """Return the classes of what its rules learn from a corpus, by the text of the rules' specs."""
        classes = {leaf.text: leaf.member.fitted for leaf in self.leaves}
        return {text: fitted_class for text, fitted_class in classes.items() if fitted_class is not None}

    @property
    def meaning(self) -> Meaning:
        """What it does to the meaning: what all its members do, or a possible alteration where they differ."""
        meanings = {leaf.member.meaning for leaf in self.leaves}
        return meanings.pop() if len(meanings) == 1 else "possible_alteration"

    @property
    def family(self) -> str:
        """The folder of its rule; the name of a composition."""
        return self.name if self.members else self.member.family

    def files(self) -> list[tuple[str, str]]:
        """Return path and checksum of the user's files that it reads: that of its rule, then files and folders that options name."""
        paths: list[str | None] = [] if self.members else [self.member.own_file]
        known = self.composition.parameters if self.members else self.member.options
        paths += [known[name].file_named(value) for name, value in self.options.items()]
        checksums = [(path, content_sha256(path)) for path in paths if path is not None]
        files = [(path, checksum) for path, checksum in checksums if checksum is not None]
        return files + [file for member in self.members for file in member.files()]

    def files_sha256(self) -> str | None:
        """Return the checksums of `files` in one text; None if it reads no file."""
        return " ".join(checksum for _, checksum in self.files()) or None

    def why_unchanged(self, parser_language: str | None) -> str:
        """Return why a whole corpus was left as it is, in a few words, for each of its rules."""
        if not self.members:
            return self.member.why_unchanged(parser_language)
        reasons = []
        for member in self.members:
            reason = member.why_unchanged(parser_language)
            reasons.append(reason if member.members else f"{member.text}: {reason}")
        kept_none = f"{self.name} kept no change, or " if self.composition.leaves_rows else ""
        return kept_none + "; ".join(dict.fromkeys(reasons))


def parse_spec(text: str) -> Spec:
    """Read `NAME[:key=value ...]`, or a composition; values are numbers, true, false, none or text, as the option takes them.

    Raises `UserError` for an unknown name or option, an option without a value, a value that is not allowed, or a malformed composition.

    >>> parse_spec("RandomDeletion:rate=0.1").options
    {'rate': 0.1}
    >>> parse_spec("chain(RandomSwap,RandomDeletion:rate=0.1)").members[1].options
    {'rate': 0.1}
    """
    if not isinstance(text, str):
        raise UserError(f"{text!r:.60} is not the name of an augmentation; give a text (augcse list augmentations)")
    # Sets are replaced by their members and spaces normalised, since the text keys the random stream.
    text = expand([text])[0] if read_call(text) else text.strip()
    call = read_call(text)
    if call is not None:
        return _composed(text, call)
    name, parts = _split_options(text)
    texts = option_texts(text, name, parts)
    if name.lower() in SETS:
        remedy = "give its options to its members" if parts else f"name one of its members, or one_of({name}), which draws one for each row"
        raise UserError(f"{text!r}: {name} is a set of augmentations; {remedy} (augcse list sets)")
    return Spec(text, name, read_options(find(name).options, texts, name))


def parse_specs(texts: Sequence[str]) -> list[Spec]:
    """Read several specs; sets ("12-aug") may be among them. Raises `UserError` if there is none."""
    specs = [parse_spec(text) for text in expand(texts) if text.strip()]
    if not specs:
        raise UserError("no augmentation named; see: augcse list augmentations")
    return specs


def files_of(texts: Sequence[str]) -> dict[str, str]:
    """Return the checksums of the user's files that each augmentation reads, by its text, without those that read none."""
    checksums_of = {text: parse_spec(text).files_sha256() for text in texts}
    return {text: checksums for text, checksums in checksums_of.items() if checksums is not None}


def _split_options(text: str) -> tuple[str, list[str]]:
    """Separate the name from its options; the name of a user's class has a colon itself: `path/to/file.py:Class`."""
    parts = text.split(":")
    # The path may have further colons, as after the drive letter of Windows: it ends with the part that ends in ".py".
    for index, part in enumerate(parts[:-1]):
        if part.endswith(".py"):
            return ":".join(parts[: index + 2]), parts[index + 2 :]
    return parts[0].strip(), parts[1:]


def _composed(text: str, call: Call) -> Spec:
    composition = call.composition
    written = dict(zip(composition.parameters, call.values, strict=True))
    options = read_options(composition.parameters, written, composition.name)
    members = tuple(map(parse_spec, call.members))
    composition.check(text, len(members), options)
    return Spec(text, composition.name, options, members)
