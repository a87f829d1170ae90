"""spaCy, loaded in one place."""

from __future__ import annotations

import importlib
from types import ModuleType

from augcse.errors import MissingDependencyError
from augcse.rng import kept_python_generator


def load_spacy(purpose: str) -> ModuleType:
    """Import spaCy, whose libraries draw from Python's generator while they are imported (rich), and leave that as it was.

    Raises:
        MissingDependencyError: spaCy is not installed; the message says that `purpose` needs it.
    """
    try:
        with kept_python_generator():
            return importlib.import_module("spacy")
    except ImportError as error:
        raise MissingDependencyError(f"{purpose} needs spaCy; install it with: pip install 'spacy>=3.8'") from error
