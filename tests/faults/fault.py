"""What a fault is: a command line over damaged input, and what the one line about it has to name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

Write = Callable[[Path], None]


@dataclass(frozen=True)
class Place:
    """Where a case finds whole things, and where it puts its damaged ones."""

    work: Path
    corpus: Path
    model: Path
    run: Path
    augmented: Path
    data: Path
    vectors: Path
    # A home for what is always a user's own: an augmentation in a file.
    rules: Path

    def filled(self, text: str) -> str:
        """Put the paths in the place of {work}, {corpus} and so on."""
        for name in ("work", "corpus", "model", "run", "augmented", "data", "vectors", "rules"):
            text = text.replace("{" + name + "}", str(getattr(self, name)))
        return text


@dataclass(frozen=True)
class Fault:
    """A case of the table.

    Args:
        name: of the case: "train: recipe: a key twice".
        command: its words, with {work}, {model} and so on in them.
        names: what the line names: the file, the key, the value; {work} and so on are put in.
        prepare: makes the damaged things in the working folder.
    """

    name: str
    command: tuple[str, ...]
    names: tuple[str, ...] = ()
    prepare: Write = field(default=lambda work: None)


def write(name: str, content: str | bytes) -> Write:
    """Return a preparation that writes one file."""

    def prepare(work: Path) -> None:
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))

    return prepare


def crossed(kind: str, commands: dict[str, tuple[str, ...]], damages: Iterable[tuple[str, tuple[str, ...], Write]]) -> list[Fault]:
    """Return every command with every damage of a kind."""
    return [
        Fault(f"{name}: {kind}: {damage}", command, names, prepare)
        for name, command in commands.items()
        for damage, names, prepare in damages
    ]
