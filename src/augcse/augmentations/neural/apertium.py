"""Rule-based translation with Debian's apertium, many sentences per process.

The stages of a direction are run one after the other over all sentences, with one exception: the tagger remembers ambiguities it meets
and lets them sway later sentences, so it is started per sentence (some milliseconds). Sentences are parted by an empty line, before which
apertium's own deformatter puts a sentence end; so a sentence's translation depends on that sentence alone.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from augcse.errors import MissingDependencyError, UserError

_BREAK = "\n\n"
_TIMEOUT_S = 300.0
_BLANKS = re.compile(r"\s+")
_INSTALL = "install it with: apt-get install apertium apertium-eng-spa"


def translate(texts: Sequence[str], direction: str) -> list[str]:
    """Translate each text, `direction` being e.g. "eng-spa"; unknown words are kept without their mark. White space becomes one blank.

    Raises `UserError` where apertium or the language pair is not installed, or a stage fails or does not end in five minutes.
    """
    stages = _stages(direction)
    lines = [_BLANKS.sub(" ", text).strip() for text in texts]
    stream = "".join(line + _BREAK for line in lines)
    for stage in [["apertium-destxt"], *stages, ["apertium-retxt"]]:
        if stage[0] == "apertium-tagger":
            units = [unit + _BREAK for unit in stream.split(_BREAK)[:-1]]
            stream = "".join(_run(stage, unit) for unit in units) + stream.split(_BREAK)[-1]
        else:
            stream = _run(stage, stream)
    found = [_BLANKS.sub(" ", line).strip() for line in stream.split(_BREAK)]
    if len(found) != len(lines) + 1:
        raise UserError(f"apertium {direction} returned {len(found) - 1} texts for {len(lines)}; is it a current version?")
    return found[:-1]


def _stages(direction: str) -> list[list[str]]:
    program = shutil.which("apertium")
    if program is None:
        raise MissingDependencyError(f"engine=apertium needs the program apertium; {_INSTALL}")
    mode = Path(program).resolve().parents[1] / "share" / "apertium" / "modes" / f"{direction}.mode"
    if not mode.exists():
        raise MissingDependencyError(f"apertium has no direction {direction}; {_INSTALL}")
    # In a mode file $1 is how the generator treats unknown words (-n: without marks), $2 an option of the tagger.
    pipeline = mode.read_text("utf-8").strip().replace("$1", "-n").replace("$2", "")
    return [shlex.split(stage) for stage in pipeline.split("|")]


def _run(stage: Sequence[str], stream: str) -> str:
    try:
        done = subprocess.run(stage, input=stream.encode(), capture_output=True, check=True, timeout=_TIMEOUT_S)
    except FileNotFoundError as error:
        raise MissingDependencyError(f"engine=apertium needs the program {stage[0]}; {_INSTALL}") from error
    except subprocess.TimeoutExpired as error:
        raise UserError(f"{stage[0]} did not end within {_TIMEOUT_S:.0f} seconds; give it fewer or shorter sentences") from error
    except subprocess.CalledProcessError as error:
        raise UserError(f"{stage[0]} failed with code {error.returncode}: {error.stderr.decode(errors='replace')[:200]}") from error
    return done.stdout.decode("utf-8", "replace")
