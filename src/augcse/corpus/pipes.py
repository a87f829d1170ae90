"""Standard input and process substitution, copied once to a temporary file: commands that make one result of a corpus can take them."""

from __future__ import annotations

import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO

from augcse.corpus.read import STANDARD_INPUT
from augcse.errors import UserError

_DESCRIPTORS = re.compile(r"/dev/stdin|/dev/fd/\d+|/proc/self/fd/\d+")


@contextmanager
def corpus_files(paths: Sequence[str | Path]) -> Iterator[list[Path]]:
    """Return the paths as they are, but standard input ("-") and `<(...)` as files with their content, deleted at the end.

    What comes through a pipe is plain text. A named FIFO stays one, and is refused by `check_corpus_paths`: nobody may ever write to it.

    Raises:
        UserError: "-" where standard input is a terminal or closed, or comes twice; a pipe that cannot be copied.
    """
    piped = [str(path) for path in paths if _is_pipe(str(path))]
    if len(set(piped)) < len(piped):
        raise UserError(f"{piped[0]} is named twice; a pipe can be read once")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="augcse-"))) if piped else Path()
        # The names are recorded with what is made of the files: those of another call with the same input must be the same.
        copies = {text: _copied(text, folder / f"pipe-{index}.txt") for index, text in enumerate(piped, start=1)}
        yield [copies.get(str(path), Path(path)) for path in paths]


def _is_pipe(text: str) -> bool:
    if text == STANDARD_INPUT:
        return True
    try:
        return _DESCRIPTORS.fullmatch(text) is not None and not stat.S_ISREG(Path(text).stat().st_mode)
    except OSError:
        return False


def _copied(text: str, file: Path) -> Path:
    try:
        with _opened(text) as source, file.open("wb") as target:
            shutil.copyfileobj(source, target)
    except OSError as error:
        raise UserError(f"cannot read {text}: {error}") from error
    return file


def _opened(text: str) -> AbstractContextManager[BinaryIO]:
    if text != STANDARD_INPUT:
        source: AbstractContextManager[BinaryIO] = Path(text).open("rb")  # noqa: SIM115 - it is returned as one
        is_terminal = Path(text).is_char_device()
    elif sys.stdin is None:
        raise UserError("- reads standard input, which is closed; pipe text into it, or give a file")
    else:
        source = nullcontext(sys.stdin.buffer)
        is_terminal = sys.stdin.isatty()
    if is_terminal:
        raise UserError(f"{text} reads standard input, which is a terminal; pipe text into it, or give a file")
    return source
