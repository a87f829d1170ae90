"""Silence the output of libraries that no user of this package can act on."""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_LOADER = "transformers.modeling_utils"
_REPORT = "LOAD REPORT"


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Hide progress bars and the report of unmatched weights inside the block; the user's settings are restored afterwards.

    Unmatched weights are expected: a backbone is loaded without its head and an unused pooler. The caller checks that no weights that are
    used are missing (`augcse.encoding.whole`).
    """
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars
    from transformers.utils import logging as transformers_logging

    thread = threading.get_ident()

    def is_shown(record: logging.LogRecord) -> bool:
        return record.thread != thread or _REPORT not in str(record.msg)

    loader = logging.getLogger(_LOADER)
    shown, hub_silent = transformers_logging.is_progress_bar_enabled(), are_progress_bars_disabled()
    loader.addFilter(is_shown)
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        loader.removeFilter(is_shown)
        if shown:
            # This enables the hub's progress bars too.
            transformers_logging.enable_progress_bar()
            if hub_silent:
                disable_progress_bars()


@contextmanager
def quiet_distributed() -> Iterator[None]:
    """Hide inside the block torch's warning on `broadcast_buffers`, an argument that transformers passes on by this old name."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"`broadcast_buffers` is deprecated", FutureWarning)
        yield
