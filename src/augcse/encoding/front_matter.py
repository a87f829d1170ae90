"""The front matter of every model card: what the hub reads, as YAML that is valid whatever a name holds; and the names that cards state."""

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
    """A model that another one is made from, as far as a card may tell.

    Args:
        name: without the folders that it lies in, which are the user's own.
        hub_name: its name on the hub; None for a folder and for what is bundled.
        licence: the hub's identifier; None where nothing states it.
        languages: of its text, as the hub writes them.
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
    """Return the front matter, its two lines of dashes included; characters that cannot be printed are blanks.

    Args:
        name: of the model; with results it heads the model-index.
        tags: beside those of every model for this use.
        licence: an identifier of the hub's.
        languages: codes of the hub's.
        base_models: names on the hub; a folder has none.
        results: the scores.
        use: what the model is for.
    """
    from huggingface_hub import ModelCardData

    library, tags_of_use = _USES[use]
    data = ModelCardData(
        base_model=list(map(_printable, base_models)) or None,
        language=list(map(_printable, languages)) or None,
        library_name=library,
        license=None if licence is None else _printable(licence),
        pipeline_tag=use,
        tags=[*tags_of_use, *map(_printable, tags), "augcse"],
        model_name=shown_name(name) if results else None,
        eval_results=list(results) or None,
    )
    return f"{_LINE}{data.to_yaml()}\n{_LINE}"


def without_front_matter(card: str) -> str:
    """Return what a card says after its front matter."""
    return card.split(_LINE, 2)[2] if card.startswith(_LINE) else card


def shown_name(value: object) -> str:
    """Return how a card names a model or a file: a path by its last part, of a run's `model` the run's too, in one printable line."""
    text = str(value)
    path = Path(text)
    # "~name" of nobody here is a name like others.
    with suppress(RuntimeError):
        path = path.expanduser()
    if path.is_absolute() or exists(path):
        path = path.resolve() if exists(path) else path
        text = _last_parts(path)
    return " ".join(_printable(text).split())


def model_name(model: str) -> str:
    """Return the last part of a model's path or hub name, of a run's `model` the run's too, in one printable line.

    Unlike `shown_name` it reads no disk, so that a record is told alike wherever its models are.

    >>> model_name("google-bert/bert-base-uncased"), model_name("runs/best/model")
    ('bert-base-uncased', 'best/model')
    """
    return " ".join(_printable(_last_parts(PurePath(model))).split())


def _last_parts(path: PurePath) -> str:
    return f"{path.parent.name}/{_MODEL}" if path.name == _MODEL and path.parent.name else path.name


def _printable(text: str) -> str:
    # YAML takes some control characters for the end of a line, and its writers do not quote all of them.
    return "".join(letter if letter.isprintable() else " " for letter in text)


def shown_setting(value: Any) -> Any:
    """Return an option's value with every path in it by its last part: a rule in a file, a folder with a model."""
    if isinstance(value, dict):
        return {key: shown_setting(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown_setting(entry) for entry in value]
    if isinstance(value, str) and ".py:" in value:
        return PurePath(value.replace("\\", "/")).name
    return shown_name(value) if isinstance(value, str) and "/" in value and exists(Path(value).expanduser()) else value


def origin_of(name: str) -> ModelOrigin:
    """Return what is known of a model: a folder's own card tells its licence and languages, what is bundled NOTICE."""
    if name in BUNDLED_BACKBONES:
        return ModelOrigin(name, licence=BUNDLED_LICENCES[name].lower(), languages=("en",))
    folder = Path(name).expanduser()
    if not folder.is_dir():
        return ModelOrigin(shown_name(name), hub_name=name.partition("@")[0])
    stated = _stated(folder / CARD)
    licence, languages = stated.get("license"), stated.get("language") or ()
    return ModelOrigin(
        shown_name(name),
        licence=licence if isinstance(licence, str) else None,
        languages=tuple(map(str, [languages] if isinstance(languages, str) else languages)),
    )


def _stated(card: Path) -> dict[str, Any]:
    """Return the front matter of a card; {} where it has none that can be read."""
    from huggingface_hub import metadata_load

    try:
        with ForeignFailure(str):
            return metadata_load(card) or {} if card.is_file() else {}
    except UserError:
        return {}
