"""Build a static encoder in seconds from sentences and a backbone's embedding table, as a baseline or a teacher."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.corpus.sample import sample_sentences
from augcse.encoding.static.build import static
from augcse.encoding.static.progress import Progress
from augcse.encoding.static.tokenizer import OtherScriptError
from augcse.errors import FailedWorkError, UserError
from augcse.files import write_text

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# The largest sample for whitening and word frequencies.
SENTENCES = 30_000


def static_encoder(sentences: Iterable[str], backbone: str, settings: Mapping[str, Any]) -> SentenceTransformer:
    """Return the static encoder of up to 30,000 of the sentences, on the CPU.

    Args:
        sentences: of a corpus.
        backbone: mini-bert, a folder or a hub name.
        settings: others of `augcse.static`, e.g. {"rows": "backbone"}.

    Raises:
        UserError: fewer than 100 distinct sentences, or a backbone without embedding table or with a tokenizer of another script.
    """
    from augcse.encoding.model import load_encoder

    with tempfile.TemporaryDirectory() as name:
        text, folder = Path(name) / "corpus.txt", Path(name) / "model"
        write_text(text, "".join(f"{' '.join(sentence.splitlines())}\n" for sentence in sample_sentences(sentences, SENTENCES)))
        try:
            # No messages: they would refer to the temporary file.
            static(text, output=folder, backbone=backbone, progress=Progress(), **settings)
        except (OtherScriptError, FailedWorkError):
            raise
        except UserError as error:
            raise UserError(str(error).replace(str(text), "the corpus")) from error
        return load_encoder(str(folder), device="cpu")
