"""The types of the arguments of several public functions, each with a description; `augcse.options.checks_arguments` checks them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from pydantic import Field, InstanceOf

from augcse.options import MAX_BATCH_ROWS, MAX_WORKERS

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Name = TypeVar("Name", str, str | Path)


@runtime_checkable
class _Encodes(Protocol):
    """A loaded model, known by its method: the import of `SentenceTransformer` takes seconds."""

    def encode(self, sentences: Any) -> Any: ...


_A_NAME = "a folder, mini-bert or a hub name"
_A_MODEL = f"{_A_NAME}, or a SentenceTransformer"

FilePath = Annotated[str | Path, Field(description="a path")]
FilePaths = Annotated[str | Path | Sequence[str | Path], Field(description="a path, or a list of paths")]
# A user's file or a name, such as that of a recipe or task.
FileOrName = Annotated[str | Path, Field(description="a name or a path")]
FilesOrNames = Annotated[str | Path | Sequence[str | Path], Field(description="a name, a path, or a list of them")]
ModelName = Annotated[str | Path, Field(description=_A_NAME)]
ModelNames = Annotated[Sequence[str | Path], Field(description=f"a list, each {_A_NAME}")]
Specs = Annotated[str | Sequence[str], Field(description="a text, or a list of texts")]
Settings = Annotated[Mapping[str, Any], Field(description='a dictionary, e.g. {"training.batch_size": 16}')]
Notify = Annotated[Callable[[str], None], Field(description="a function that takes a text")]
BatchSize = Annotated[int, Field(ge=1, le=MAX_BATCH_ROWS)]
Workers = Annotated[int, Field(ge=1, le=MAX_WORKERS)]
if TYPE_CHECKING:
    Model: TypeAlias = str | Path | SentenceTransformer
    Models: TypeAlias = Model | Sequence[Model]
else:
    _AnyModel = str | Path | InstanceOf[_Encodes]
    Model = Annotated[_AnyModel, Field(description=_A_MODEL)]
    Models = Annotated[_AnyModel | Sequence[_AnyModel], Field(description=f"{_A_MODEL}, or a list of them")]


def listed(given: Name | Sequence[Name]) -> list[Name]:
    """Return one path or name, or several, as a list."""
    return [given] if isinstance(given, str | Path) else list(given)
