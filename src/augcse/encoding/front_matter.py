"""The front matter of every model card: what the hub reads, as YAML that is valid for any name; and the names that cards show."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal

from augcse.errors import ForeignFailure, UserError
from augcse.files import exists
from augcse.model_folder import BUNDLED_BACKBONES, BUNDLED_LICENCES

if TYPE_CHECKING:
    from huggingface_hub import EvalResult

# Library and tags, by what a model is for.
_USES = {
    "sentence-similarity": ("sentence-transformers", ("sentence-transformers", "sentence-similarity", "feature-extraction")),
    "fill-mask": ("transformers", ("fill-mask",)),
}
_LINE = "---\n"
_MODEL = "model"
CARD = "README.md"


@dataclass(frozen=True)
class ModelOrigin:
    """What a card may state about a model that another one is made from.

    Args:
        name: without its parent folders, which are private.
        hub_name: its name on the hub; None for a folder or a bundled model.
        licence: the hub's identifier; None if nothing states it.
        languages: of its text, as codes of the hub.
    """

    name: str
    hub_name: str | None = None
    licence: str | None = None
    languages: tuple[str, ...] = ()


def front_matter(
    *,
    name: str = "",
    tags: Sequence[str] = (),
    licence: str | None = None,
    languages: Sequence[str] = (),
    base_models: Sequence[str] = (),
    results: Sequence[EvalResult] = (),
    use: Literal["sentence-similarity", "fill-mask"] = "sentence-similarity",
) -> str:
    """Return the front matter, its two lines of dashes included; characters that cannot be printed become spaces.

    Args:
        name: of the model; with results it is the name in the model-index.
        tags: in addition to those of every model for this use.
        licence: an identifier of the hub's.
        languages: codes of the hub's.
        base_models: names on the hub, which folders do not have.
        results: the scores.
        use: what the model is for.
    """
    from huggingface_hub import ModelCardData

    library, tags_of_use = _USES[use]
    data = ModelCardData(
        base_model=list(map(_printable_text, base_models)) or None,
        language=list(map(_printable_text, languages)) or None,
        library_name=library,
        license=None if licence is None else _printable_text(licence),
        pipeline_tag=use,
        tags=[*tags_of_use, *map(_printable_text, tags), "augcse"],
        model_name=shown_name(name) if results else None,
        eval_results=list(results) or None,
    )
    return f"{_LINE}{data.to_yaml()}\n{_LINE}"


def without_front_matter(card: str) -> str:
    """Return the text of a card after its front matter."""
    return card.split(_LINE, 2)[2] if card.startswith(_LINE) else card


def shown_name(value: object) -> str:
    """Return how a card names a model or a file: a path by its last part, a run's `model` with the run's name, in one printable line."""
    text = str(value)
    path = Path(text)
    # "~name" of no local user is an ordinary name.
    with suppress(RuntimeError):
        path = path.expanduser()
    if path.is_absolute() or exists(path):
        path = path.resolve() if exists(path) else path
        text = _last_parts(path)
    return " ".join(_printable_text(text).split())


def model_name(model: str) -> str:
    """Return the last part of a model's path or hub name, for a run's `model` with the run's name, in one printable line.

    Unlike `shown_name` it does not read the disk, so that the result does not depend on where the models are.

    >>> model_name("google-bert/bert-base-uncased"), model_name("runs/best/model")
    ('bert-base-uncased', 'best/model')
    """
    return " ".join(_printable_text(_last_parts(PurePath(model))).split())


def _last_parts(path: PurePath) -> str:
    return f"{path.parent.name}/{_MODEL}" if path.name == _MODEL and path.parent.name else path.name


def _printable_text(text: str) -> str:
    # YAML reads some control characters as the end of a line, and its writers do not quote all of them.
    return "".join(letter if letter.isprintable() else " " for letter in text)


def shown_setting(value: Any) -> Any:
    """Return an option's value with every path in it replaced by its last part, e.g. of a file of rules or a model's folder."""
    if isinstance(value, dict):
        return {key: shown_setting(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown_setting(entry) for entry in value]
    if isinstance(value, str) and ".py:" in value:
        return PurePath(value.replace("\\", "/")).name
    return shown_name(value) if isinstance(value, str) and "/" in value and exists(Path(value).expanduser()) else value


def origin_of(name: str) -> ModelOrigin:
    """Return what is known of a model: licence and languages are from a folder's own card, or from NOTICE for a bundled model."""
    if name in BUNDLED_BACKBONES:
        return ModelOrigin(name, licence=BUNDLED_LICENCES[name].lower(), languages=("en",))
    folder = Path(name).expanduser()
    if not folder.is_dir():
        return ModelOrigin(shown_name(name), hub_name=name.partition("@")[0])
    stated = _stated_front_matter(folder / CARD)
    licence, languages = stated.get("license"), stated.get("language") or ()
    return ModelOrigin(
        shown_name(name),
        licence=licence if isinstance(licence, str) else None,
        languages=tuple(map(str, [languages] if isinstance(languages, str) else languages)),
    )


def _stated_front_matter(card: Path) -> dict[str, Any]:
    """Return the front matter of a card; {} if it has none, or none that can be read."""
    from huggingface_hub import metadata_load

    try:
        with ForeignFailure(str):
            return metadata_load(card) or {} if card.is_file() else {}
    except UserError:
        return {}
