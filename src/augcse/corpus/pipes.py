"""Standard input and process substitution as a corpus, copied to temporary files for commands that read a corpus several times."""

from __future__ import annotations

import functools
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO

from augcse.corpus.read import STANDARD_INPUT
from augcse.corpus.unpack import refuse_compressed_pipe
from augcse.errors import FailedWorkError, UserError
from augcse.files import DISK_FULL

_DESCRIPTORS = re.compile(r"/dev/stdin|/dev/fd/\d+|/proc/self/fd/\d+")


@contextmanager
def corpus_files(paths: Sequence[str | Path]) -> Iterator[list[Path]]:
    """Return the paths, with standard input ("-") and `<(...)` replaced by temporary files of their content, deleted at the end.

    Pipes hold plain text. A named FIFO is left as it is, and `check_corpus_paths` refuses it: reading could wait forever for a writer.
    A `UserError` inside the block names the pipes as given.

    Raises:
        UserError: "-" if standard input is a terminal or closed; a pipe that is named twice, cannot be copied, or is compressed.
    """
    piped = [str(path) for path in paths if _is_pipe(str(path))]
    if len(set(piped)) < len(piped):
        raise UserError(f"{piped[0]} is named twice; a pipe can be read once")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="augcse-"))) if piped else Path()
        # The names end up in records, so the same input must get the same names in every call.
        copies = {text: _copy_pipe(text, folder / f"pipe-{index}.txt") for index, text in enumerate(piped, start=1)}
        files = [copies.get(str(path), Path(path)) for path in paths]
        try:
            yield files
        except UserError as error:
            error.args = (as_given(paths, files)(str(error)),)
            raise


def as_given(paths: Sequence[str | Path], files: Sequence[Path]) -> Callable[[str], str]:
    """Return a function that names pipes in a message: those in `paths`, instead of their copies, the `files` of `corpus_files`.

    >>> as_given(["-"], [Path("/tmp/augcse-x/pipe-1.txt")])("/tmp/augcse-x/pipe-1.txt, line 2: a NUL")
    'standard input, line 2: a NUL'
    """
    names = {str(file): _name_in_messages(str(path)) for path, file in zip(paths, files, strict=True) if str(path) != str(file)}
    return lambda message: functools.reduce(lambda text, file: text.replace(file, names[file]), names, message)


def _name_in_messages(text: str) -> str:
    return "standard input" if text == STANDARD_INPUT else text


def _is_pipe(text: str) -> bool:
    if text == STANDARD_INPUT:
        return True
    try:
        return _DESCRIPTORS.fullmatch(text) is not None and not stat.S_ISREG(Path(text).stat().st_mode)
    except OSError:
        return False


def _copy_pipe(text: str, file: Path) -> Path:
    try:
        with _open_pipe(text) as source, file.open("wb") as target:
            shutil.copyfileobj(source, target)
    except OSError as error:
        if error.errno in DISK_FULL:
            raise FailedWorkError(
                f"{file.parent} has no room for a copy of {_name_in_messages(text)}; set TMPDIR to another folder"
            ) from error
        raise UserError(f"cannot read {text}: {error}") from error
    refuse_compressed_pipe(_name_in_messages(text), file)
    return file


def _open_pipe(text: str) -> AbstractContextManager[BinaryIO]:
    """Open standard input or a descriptor; raises `UserError` if it is a terminal or closed."""
    if text != STANDARD_INPUT:
        source: AbstractContextManager[BinaryIO] = Path(text).open("rb")  # noqa: SIM115 - returned as a context manager
        is_terminal = Path(text).is_char_device()
    elif sys.stdin is None:
        raise UserError("- reads standard input, which is closed; pipe text into it, or give a file")
    else:
        source = nullcontext(sys.stdin.buffer)
        is_terminal = sys.stdin.isatty()
    if is_terminal:
        raise UserError(f"{text} reads standard input, which is a terminal; pipe text into it, or give a file")
    return source
