"""SentEval's data from the hub: the archive that SimCSE's download script fetches (SentEval/data/downstream/download_dataset.sh).

The hub keeps it under a name that may move, and a cut-off SUBJ once stood in it: what vouches for a file is the checksum of its content.
Nothing is unpacked; a file is read out of the archive.
"""

from __future__ import annotations

import tarfile
from pathlib import Path

from augcse.errors import UserError

REPOSITORY = "princeton-nlp/datasets-for-simcse"
FILE = "senteval.tar"


class SentEvalArchive:
    """The archive on disk; its files are named as below SentEval's `data/downstream`, e.g. `MR/rt-polarity.pos`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def fetch(cls) -> SentEvalArchive:
        """Return the archive from the hub's cache, downloaded first where it is not there.

        Raises:
            UserError: it cannot be had.
        """
        from huggingface_hub import hf_hub_download

        try:
            return cls(Path(hf_hub_download(REPOSITORY, FILE, repo_type="dataset")))
        except (OSError, ValueError) as error:
            reason = str(error).strip().split("\n")[0]
            raise UserError(f"cannot load {FILE} of {REPOSITORY} from the hub ({reason})") from error

    def read(self, name: str) -> bytes:
        """Return the content of a file. Raises `UserError` where the archive is broken or has no such file."""
        try:
            with tarfile.open(self.path) as archive:
                for member in archive:
                    # The archive is unpacked inside `downstream`; whether its names start with ./ or that folder makes no difference.
                    if member.isfile() and f"/{member.name}".endswith(f"/{name}"):
                        file = archive.extractfile(member)
                        if file is not None:
                            return file.read()
        except (OSError, tarfile.TarError) as error:
            reason = str(error).split("\n")[0].rstrip(":")
            raise UserError(f"cannot read {self.path}: {reason}") from error
        raise UserError(f"{self.path} holds no file {name}")
