"""Tiny randomly initialised models of the published checkpoints' kinds, built offline and saved like those."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LANGUAGES = ("__en__", "__de__")


def build_tiny_model(kind: str, folder: Path, sentences: Sequence[str]) -> Path:
    """Save a model and its tokenizer: "seq2seq" or "t5" (T5), "marian", "fsmt", "m2m", "pegasus", "classifier" or "masked" (BERT).

    Random weights know no end: after six tokens the seq2seq models' end token is made likelier with every step.
    """
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        tokenizer = word_pieces(sentences) if kind == "masked" else _tokenizer(sentences)
        model = _model("t5" if kind == "seq2seq" else kind, tokenizer)
    if kind not in ("classifier", "masked"):
        model.generation_config.exponential_decay_length_penalty = (6, 2.0)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _tokenizer(sentences: Sequence[str]) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(models.BPE(unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Metaspace()
    words.decoder = decoders.Metaspace()
    special = ["<pad>", "</s>", "<unk>", "<s>", *LANGUAGES]
    words.train_from_iterator(sentences, trainers.BpeTrainer(vocab_size=600, special_tokens=special, show_progress=False))
    words.post_processor = processors.TemplateProcessing("$A </s>", "$A </s> $B </s>", special_tokens=[("</s>", 1)])
    return PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", bos_token="<s>")


def word_pieces(sentences: Sequence[str], size: int = 800, **options: Any) -> Any:
    """Return a BERT tokenizer of single characters and the most frequent words.

    The library's trainer draws the numbers of characters from a hash table: a test would cut the same text differently in each run.
    """
    from transformers import BertTokenizerFast

    counts = Counter(word for sentence in sentences for word in re.findall(r"\w+|[^\w\s]", sentence.lower()))
    characters = sorted(set("".join(counts)))
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    frequent = sorted(counts, key=lambda word: (-counts[word], word))
    pieces = dict.fromkeys([*special, *characters, *("##" + one for one in characters), *frequent])
    return BertTokenizerFast(vocab={piece: number for number, piece in enumerate(list(pieces)[:size])}, do_lower_case=True, **options)


def _model(kind: str, tokenizer: Any) -> Any:
    import transformers as tf

    size = {"vocab_size": len(tokenizer), "pad_token_id": 0, "eos_token_id": 1, "bos_token_id": 3}
    layers = {"encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2, "decoder_attention_heads": 2}
    wide = {"d_model": 16, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "max_position_embeddings": 256, "decoder_start_token_id": 0}
    if kind == "t5":
        return tf.T5ForConditionalGeneration(
            tf.T5Config(**size, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, decoder_start_token_id=0)
        )
    if kind == "marian":
        return tf.MarianMTModel(tf.MarianConfig(**size, **layers, **wide, forced_eos_token_id=None))
    if kind == "m2m":
        return tf.M2M100ForConditionalGeneration(tf.M2M100Config(**size, **layers, **wide))
    if kind == "pegasus":
        return tf.PegasusForConditionalGeneration(tf.PegasusConfig(**size, **layers, **wide, forced_eos_token_id=None))
    if kind == "fsmt":
        return tf.FSMTForConditionalGeneration(_fsmt_config(len(tokenizer), layers, wide))
    if kind == "classifier":
        return tf.BartForSequenceClassification(tf.BartConfig(**size, **layers, **wide, num_labels=3))
    bert = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    return tf.BertForMaskedLM(tf.BertConfig(vocab_size=len(tokenizer), **bert))


def _fsmt_config(size: int, layers: dict[str, int], wide: dict[str, int]) -> Any:
    import transformers as tf

    return tf.FSMTConfig(
        langs=["en", "de"], src_vocab_size=size, tgt_vocab_size=size, **layers, **wide,
        pad_token_id=0, eos_token_id=1, bos_token_id=3, forced_eos_token_id=None,
    )  # fmt: skip
