"""Rule-based translation with Debian's apertium, many sentences per process.

Each stage of a direction runs once over all sentences, with one exception: the tagger remembers ambiguities, which would affect later
sentences, so it is started for each sentence (some milliseconds). Sentences are separated by an empty line, before which apertium's
deformatter inserts a sentence end; so a translation depends only on its own sentence.
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
_SPACES = re.compile(r"\s+")
_INSTALL = "install it with: apt-get install apertium apertium-eng-spa"


def translate(texts: Sequence[str], direction: str) -> list[str]:
    """Translate each text in a direction such as "eng-spa"; unknown words stay without a mark. White space becomes a single space.

    Raises `UserError` if apertium or the language pair is not installed, or a stage fails or does not end within five minutes.
    """
    stages = _stages(direction)
    lines = [_SPACES.sub(" ", text).strip() for text in texts]
    stream = "".join(line + _BREAK for line in lines)
    for stage in [["apertium-destxt"], *stages, ["apertium-retxt"]]:
        if stage[0] == "apertium-tagger":
            *units, last = stream.split(_BREAK)
            stream = "".join(_run_stage(stage, unit + _BREAK) for unit in units) + last
        else:
            stream = _run_stage(stage, stream)
    translations = [_SPACES.sub(" ", line).strip() for line in stream.split(_BREAK)]
    if len(translations) != len(lines) + 1:
        raise UserError(f"apertium {direction} returned {len(translations) - 1} texts for {len(lines)}; is it a current version?")
    return translations[:-1]


def _stages(direction: str) -> list[list[str]]:
    """Return the commands of a direction's pipeline; raises `UserError` if it is not installed."""
    program = shutil.which("apertium")
    if program is None:
        raise MissingDependencyError(f"engine=apertium needs the program apertium; {_INSTALL}")
    mode = Path(program).resolve().parents[1] / "share" / "apertium" / "modes" / f"{direction}.mode"
    if not mode.exists():
        raise MissingDependencyError(f"apertium has no direction {direction}; {_INSTALL}")
    # In a mode file $1 says how the generator writes unknown words (-n: without marks), $2 is an option of the tagger.
    pipeline = mode.read_text("utf-8").strip().replace("$1", "-n").replace("$2", "")
    return [shlex.split(stage) for stage in pipeline.split("|")]


def _run_stage(stage: Sequence[str], stream: str) -> str:
    """Return what one stage writes for a stream; raises `UserError` if it is not installed, fails or does not end."""
    try:
        done = subprocess.run(stage, input=stream.encode(), capture_output=True, check=True, timeout=_TIMEOUT_S)
    except FileNotFoundError as error:
        raise MissingDependencyError(f"engine=apertium needs the program {stage[0]}; {_INSTALL}") from error
    except subprocess.TimeoutExpired as error:
        raise UserError(f"{stage[0]} did not end within {_TIMEOUT_S:.0f} seconds; give it fewer or shorter sentences") from error
    except subprocess.CalledProcessError as error:
        raise UserError(f"{stage[0]} failed with code {error.returncode}: {error.stderr.decode(errors='replace')[:200]}") from error
    return done.stdout.decode("utf-8", "replace")
