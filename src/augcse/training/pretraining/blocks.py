"""The corpus as blocks of one length: sentences one after another, [CLS] at a block's beginning, [SEP] after each sentence.

As RoBERTa's FULL-SENTENCES (Liu et al. 2019, section 4.2): a block's end may cut a sentence, and blocks run on over documents. Nothing
is padded.
"""

from __future__ import annotations

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
    """Return the blocks of a corpus, (blocks, block_tokens); raises `UserError` where they do not make one batch."""
    blocks = packed(sentences, tokenizer.cls_token_id, tokenizer.sep_token_id, options.block_tokens)
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


def packed(sentences: TokenizedSentences, cls: int, sep: int, length: int) -> Array:
    """Return sentences without special tokens as whole blocks, (blocks, length), the rest left out.

    >>> from augcse.encoding.static.tokens import TokenizedSentences
    >>> packed(TokenizedSentences(np.array([7, 8, 9, 7, 5]), np.array([0, 2, 3, 5])), 1, 2, 4).tolist()
    [[1, 7, 8, 2], [1, 9, 2, 7]]
    """
    stream = np.insert(sentences.ids.astype(np.int64), sentences.offsets[1:], sep)
    content = length - 1
    blocks = stream[: len(stream) // content * content].reshape(-1, content)
    return np.concatenate([np.full((len(blocks), 1), cls), blocks], axis=1)
