"""What transformers shows while it loads and saves: progress bars, and a report of weights that are only in the file or in the model."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_LOADER = "transformers.modeling_utils"
_REPORT = "LOAD REPORT"


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Show neither while a model of ours is loaded or saved; every other message stays, and afterwards all is as the user has set it.

    The report is expected: a backbone is loaded without its head, and without a pooler that nothing reads. The caller checks what is
    missing and is read (`augcse.encoding.whole`).
    """
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars
    from transformers.utils import logging as transformers_logging

    thread = threading.get_ident()

    def passes(record: logging.LogRecord) -> bool:
        return record.thread != thread or _REPORT not in str(record.msg)

    loader = logging.getLogger(_LOADER)
    shown, hub_silent = transformers_logging.is_progress_bar_enabled(), are_progress_bars_disabled()
    loader.addFilter(passes)
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        loader.removeFilter(passes)
        if shown:
            # Which switches the hub's on too.
            transformers_logging.enable_progress_bar()
            if hub_silent:
                disable_progress_bars()
