"""SentEval's own files: a folder filled by its script, or the archive that SimCSE's download script fetches from the hub.

SentEval/data/downstream/get_transfer_data.bash (Conneau and Kiela 2018) says what each file holds. The hub keeps the archive under a name
that may change, and it once contained a truncated SUBJ: files are verified by their content. Nothing is unpacked; a file is read from
the archive.
"""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Protocol

from augcse.errors import UserError

REPOSITORY = "princeton-nlp/datasets-for-simcse"
FILE = "senteval.tar"


def other_sources(file: str) -> str:
    """Return the remedy if the archive is not usable; `file` is an example of our own layout."""
    folder = "SentEval's own data folder (data/ of github.com/facebookresearch/SentEval, filled by its get_transfer_data.bash)"
    return f"give --data DIR with DIR/{file} and so on, or {folder}"


class SentEvalFiles(Protocol):
    """Files with the names they have in SentEval's `data/downstream`, e.g. `MR/rt-polarity.pos`."""

    @property
    def path(self) -> Path:
        """The location of the files, for messages."""
        ...

    def read(self, name: str) -> bytes:
        """Return the content of a file. Raises `UserError` if it cannot be read."""
        ...


class SentEvalFolder:
    """SentEval's `data` folder, or its `downstream`."""

    def __init__(self, path: Path) -> None:
        self.path = path / "downstream" if (path / "downstream").is_dir() else path

    def __contains__(self, name: str) -> bool:
        return (self.path / name).is_file()

    def read(self, name: str) -> bytes:
        """Return the content of a file. Raises `UserError` if it is missing or cannot be read."""
        try:
            return (self.path / name).read_bytes()
        except OSError as error:
            raise UserError(f"cannot read {self.path / name}: {error.strerror}; give a whole folder") from error


class SentEvalArchive:
    """The archive on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def fetch(cls) -> SentEvalArchive:
        """Return the archive from the hub's cache, downloading it if necessary.

        Raises:
            UserError: it cannot be read.
        """
        from huggingface_hub import hf_hub_download

        try:
            return cls(Path(hf_hub_download(REPOSITORY, FILE, repo_type="dataset")))
        except (OSError, ValueError) as error:
            reason = str(error).strip().split("\n")[0]
            raise UserError(f"cannot load {FILE} of {REPOSITORY} from the hub ({reason})") from error

    def read(self, name: str) -> bytes:
        """Return the content of a file. Raises `UserError` if the archive is broken or has no such file."""
        try:
            with tarfile.open(self.path) as archive:
                for member in archive:
                    # The archive is unpacked inside `downstream`; its names may start with ./ or with that folder.
                    if member.isfile() and f"/{member.name}".endswith(f"/{name}"):
                        file = archive.extractfile(member)
                        if file is not None:
                            return file.read()
        except (OSError, tarfile.TarError) as error:
            reason = str(error).split("\n")[0].rstrip(":")
            raise UserError(f"cannot read {self.path}: {reason}; delete it, it is fetched anew") from error
        raise UserError(f"{self.path} holds no file {name}")
