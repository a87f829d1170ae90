"""Static encoders that encode word by word: the same embeddings and files, each word tokenised once."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

import augcse
from augcse.encoding.model import load_encoder
from augcse.encoding.static import words as words_module
from augcse.encoding.static.folder import encoder_of_rows
from augcse.encoding.static.tokenizer import tokenizer_of, train_tokenizer
from augcse.encoding.static.training import RowTokenizer
from augcse.encoding.static.words import WordEncoder, WordwisePreprocessing, part_pattern, splits_at_blanks

TEXT = ["The mill was built in 1847, they said.", "It's a naïve café; ﬁne!", "我们明天去公园。", "", "  The the mill  "]


class Listening:
    """A tokenizer that keeps what it was asked for."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.to_str = tokenizer.to_str
        self.asked: list[str] = []

    def encode_batch_fast(self, texts: Sequence[str], add_special_tokens: bool) -> Any:
        self.asked += texts
        return self._tokenizer.encode_batch_fast(texts, add_special_tokens=add_special_tokens)


@pytest.fixture(scope="module")
def tokenizer(sentences: list[str]) -> Any:
    return train_tokenizer(sentences, 500)


def test_a_word_is_tokenised_once(tokenizer: Any) -> None:
    listening: Any = Listening(tokenizer)
    encoder = WordEncoder(listening, np.dtype(np.uint16))
    encoder.encode(["the mill the mill", "mill"])
    encoder.encode(["the mill stood"])
    assert sorted(listening.asked) == ["mill", "stood", "the"]


def test_threads_share_words(tokenizer: Any, sentences: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words_module, "_MOST_CHARACTERS", 2000)
    encoder = WordEncoder(tokenizer, np.dtype(np.uint16))
    batches = [sentences[start : start + 40] for start in range(0, 400, 40)] * 3
    with ThreadPoolExecutor(4) as pool:
        found = [tokens.tolist() for tokens, _ in pool.map(encoder.encode, batches)]
    assert found == [[token for text in batch for token in tokenizer.encode(text).ids] for batch in batches]


def test_pieces_by_chance_are_drawn_anew_each_time(tokenizer: Any) -> None:
    drawing: Any = Tokenizer.from_str(tokenizer.to_str())
    drawing.model = models.BPE(unk_token="[UNK]", dropout=0.5)
    assert not splits_at_blanks(drawing)


def test_of_a_new_word_known_parts_are_not_tokenised_again(tokenizer: Any) -> None:
    listening: Any = Listening(tokenizer)
    encoder = WordEncoder(listening, np.dtype(np.uint16))
    encoder.encode(["the mill, it's"])
    encoder.encode(["(mill) the-mill. s\u0301,"])
    assert sorted(listening.asked) == sorted(["the", "mill", ",", "it", "'", "s", "(", ")", "-", ".", "s\u0301,"])


def test_the_marks_of_added_tokens_divide_nothing(tokenizer: Any) -> None:
    pattern = part_pattern(tokenizer_of("mini-bert"))
    assert pattern is not None
    assert pattern.findall("x,[CLS].y") == ["x", ",", "[CLS]", ".", "y"]
    wide: Any = Tokenizer.from_str(tokenizer.to_str())
    wide.add_tokens(["x．y"])
    assert part_pattern(wide) is None


@pytest.mark.parametrize(
    ("pre_tokenizer", "divided"),
    [
        (pre_tokenizers.BertPreTokenizer(), True),
        (pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Punctuation("isolated")]), True),
        (pre_tokenizers.Whitespace(), False),
        (pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("contiguous")]), False),
        (pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split("a.", "isolated")]), False),
    ],
    ids=["bert", "punctuation alone", "runs", "contiguous", "a pattern first"],
)
def test_only_what_isolates_punctuation_divides_words(tokenizer: Any, pre_tokenizer: Any, divided: bool) -> None:
    other: Any = Tokenizer.from_str(tokenizer.to_str())
    other.pre_tokenizer = pre_tokenizer
    assert (part_pattern(other) is not None) == divided
    texts = ["a.b... (the_mill), a.", "", "...", "they're 1.5%"]
    found, lengths = WordEncoder(other, np.dtype(np.uint16)).encode(texts)
    plain = [other.encode(text).ids for text in texts]
    assert (found.tolist(), lengths.tolist()) == ([token for ids in plain for token in ids], [len(ids) for ids in plain])


@pytest.fixture(scope="module")
def folder(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = {"vocabulary_size": 1000, "contexts": 200, "cooccurrence_dim": 16}
    return augcse.static(corpus, output=tmp_path_factory.mktemp("words") / "model", **options).folder


def test_a_stock_model_embeds_as_before(folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    stock = SentenceTransformer(str(folder), device="cpu")
    ours = load_encoder(str(folder), device="cpu")
    assert isinstance(ours[0].preprocess, WordwisePreprocessing)
    assert type(ours[0]) is type(stock[0])
    assert ours.encode(TEXT, prompt="A: ").tolist() == stock.encode(TEXT, prompt="A: ").tolist()
    for copied in (copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert copied.encode(TEXT).tolist() == stock.encode(TEXT).tolist()


def test_what_is_no_plain_text_is_read_as_before(folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    stock = SentenceTransformer(str(folder), device="cpu")
    ours = load_encoder(str(folder), device="cpu")
    pairs: list[Any] = [("the mill", "they said"), ("it", "is")]
    assert ours.encode(pairs).tolist() == stock.encode(pairs).tolist()
    for model in (ours, stock):
        model[0].tokenizer.enable_truncation(2)
    assert ours.encode(TEXT).tolist() == stock.encode(TEXT).tolist()
    ours[0].tokenizer = tokenizer_of("mini-bert")
    assert ours[0].preprocess(["mill"])["input_ids"].tolist() == ours[0].tokenizer.encode("mill", add_special_tokens=False).ids


def test_each_token_counts_once(tokenizer: Any) -> None:
    rows = np.random.default_rng(0).normal(size=(tokenizer.get_vocab_size(), 4)).astype(np.float32)
    found = encoder_of_rows(tokenizer, rows, tokens_once=True).encode([*TEXT, "the the mill"])
    distinct = [sorted(set(tokenizer.encode(text).ids)) for text in [*TEXT, "the the mill"]]
    assert np.allclose(found, [rows[ids].mean(0) if ids else np.zeros(4) for ids in distinct], atol=1e-6)


@pytest.mark.parametrize("max_length", [1, 3, 1000])
def test_rows_of_each_token_once_are_those_of_the_beginning_of_the_text(max_length: int, tokenizer: Any) -> None:
    rows = np.zeros((tokenizer.get_vocab_size(), 4), np.float32)
    texts = [*TEXT, "the the mill the"]
    found = RowTokenizer(encoder_of_rows(tokenizer, rows, tokens_once=True))(texts, max_length=max_length)["input_ids"]
    assert found == [sorted(set(tokenizer.encode(text).ids[:max_length])) or [0] for text in texts]


def test_a_stock_model_is_saved_as_before(folder: Path, tmp_path: Path) -> None:
    load_encoder(str(folder), device="cpu").save_pretrained(str(tmp_path), create_model_card=False)
    for name in ("model.safetensors", "tokenizer.json", "modules.json"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
