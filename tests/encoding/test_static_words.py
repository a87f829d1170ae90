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
from tokenizers import Tokenizer, models

import augcse
from augcse.encoding.model import load_encoder
from augcse.encoding.static import words as words_module
from augcse.encoding.static.tokenizer import tokenizer_of, train_tokenizer
from augcse.encoding.static.words import WordEncoder, WordwiseTokenizer, splits_at_blanks

TEXT = ["The mill was built in 1847, they said.", "It's a naïve café; ﬁne!", "我们明天去公园。", "", "  The the mill  "]


class Listening:
    """A tokenizer that keeps what it was asked for."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
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


def test_what_is_more_than_numbers_is_asked_of_the_tokenizer() -> None:
    bert: Any = tokenizer_of("mini-bert")
    quick: Any = WordwiseTokenizer(bert)
    [encoding] = quick.encode_batch(["the mill"])
    assert (encoding.ids, encoding.tokens) == (bert.encode("the mill").ids, ["[CLS]", "the", "mill", "[SEP]"])
    bert.enable_truncation(2)
    assert [len(encoding.ids) for encoding in quick.encode_batch(TEXT[:2], add_special_tokens=False)] == [2, 2]


@pytest.fixture(scope="module")
def folder(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = {"vocabulary_size": 1000, "contexts": 200, "cooccurrence_dim": 16}
    return augcse.static(corpus, output=tmp_path_factory.mktemp("words") / "model", **options).folder


def test_a_stock_model_embeds_as_before(folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    stock = SentenceTransformer(str(folder), device="cpu")
    ours = load_encoder(str(folder), device="cpu")
    assert isinstance(ours[0].tokenizer, WordwiseTokenizer)
    assert type(ours[0]) is type(stock[0])
    assert ours.encode(TEXT, prompt="A: ").tolist() == stock.encode(TEXT, prompt="A: ").tolist()
    for copied in (copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert copied.encode(TEXT).tolist() == stock.encode(TEXT).tolist()


def test_a_stock_model_is_saved_as_before(folder: Path, tmp_path: Path) -> None:
    load_encoder(str(folder), device="cpu").save_pretrained(str(tmp_path), create_model_card=False)
    for name in ("model.safetensors", "tokenizer.json", "modules.json"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
