"""The rows of pretraining: single sentences, or packed blocks of equal length.

A block is a sequence of sentences, with [CLS] at the beginning and [SEP] after each sentence, as RoBERTa's FULL-SENTENCES (Liu et al.
2019, section 4.2): sentences may continue in the next block, and blocks may cross document boundaries. There is no padding.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.errors import UserError
from augcse.objectives.gather import launched_processes
from augcse.training.store.files import StoreWriter
from augcse.training.store.views import ORIGINAL

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from augcse.encoding.static.tokens import TokenizedSentences
    from augcse.training.pretraining.options import PretrainOptions

Array = npt.NDArray[Any]
_CHUNK_BLOCKS = 4096


def blocks_of(sentences: TokenizedSentences, tokenizer: PreTrainedTokenizerBase, options: PretrainOptions) -> Array:
    """Return the blocks of a corpus, (blocks, block_tokens); raises `UserError` if there are too few for one batch."""
    blocks = pack_blocks(sentences, tokenizer.cls_token_id, tokenizer.sep_token_id, options.block_tokens)
    needed = options.batch_size * launched_processes()
    if len(blocks) < needed:
        raise UserError(
            f"the corpus makes {len(blocks):,} blocks of {options.block_tokens} tokens, and a step takes {needed:,} (batch_size); give more"
            " text, or a smaller batch_size or block_tokens"
        )
    return blocks


def write_blocks(blocks: Array, folder: Path) -> None:
    """Write blocks as a token store."""
    folder.mkdir()
    with StoreWriter(folder, [ORIGINAL], labelled=False) as writer:
        for first in range(0, len(blocks), _CHUNK_BLOCKS):
            writer.append(ORIGINAL, blocks[first : first + _CHUNK_BLOCKS].tolist())
        writer.finish({"blocks": len(blocks)})


def write_sentences(sentences: TokenizedSentences, tokenizer: PreTrainedTokenizerBase, options: PretrainOptions, folder: Path) -> None:
    """Write the sentences as a token store, each between [CLS] and [SEP] and truncated to `sentence_tokens`; empty ones are skipped.

    Raises:
        UserError: there are too few for one batch.
    """
    cls, sep = tokenizer.cls_token_id, tokenizer.sep_token_id
    max_content_tokens = options.sentence_tokens - 2
    kept = np.flatnonzero(sentences.lengths)
    needed = options.sentence_batch_size * launched_processes()
    if len(kept) < needed:
        raise UserError(
            f"the corpus has {len(kept):,} sentences, and a step takes {needed:,} (sentence_batch_size); give more text, or a smaller one"
        )
    folder.mkdir()
    with StoreWriter(folder, [ORIGINAL], labelled=False) as writer:
        for first in range(0, len(kept), _CHUNK_BLOCKS):
            chunk = sentences.take(kept[first : first + _CHUNK_BLOCKS])
            rows = [chunk.ids[start:end][:max_content_tokens].tolist() for start, end in pairwise(chunk.offsets.tolist())]
            writer.append(ORIGINAL, [[cls, *row, sep] for row in rows])
        writer.finish({"sentences": len(kept)})


def pack_blocks(sentences: TokenizedSentences, cls: int, sep: int, length: int) -> Array:
    """Pack sentences, given without special tokens, into full blocks, (blocks, length); the incomplete last block is dropped.

    >>> from augcse.encoding.static.tokens import TokenizedSentences
    >>> pack_blocks(TokenizedSentences(np.array([7, 8, 9, 7, 5]), np.array([0, 2, 3, 5])), 1, 2, 4).tolist()
    [[1, 7, 8, 2], [1, 9, 2, 7]]
    """
    stream = np.insert(sentences.ids.astype(np.int64), sentences.offsets[1:], sep)
    content_tokens = length - 1
    blocks = stream[: len(stream) // content_tokens * content_tokens].reshape(-1, content_tokens)
    return np.concatenate([np.full((len(blocks), 1), cls), blocks], axis=1)
