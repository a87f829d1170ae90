"""Masking whole words: all pieces of a word or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from augcse.encoding.model import load_encoder, load_tokenizer
from augcse.errors import UserError
from augcse.objectives.auxiliary_mlm import MaskedLanguageModelLoss
from augcse.objectives.token_edits import mask_tokens
from augcse.objectives.whole_words import continues_word, continuing_tokens


def _words(continues: list[bool]) -> list[list[int]]:
    words: list[list[int]] = []
    for place, goes_on in enumerate(continues):
        if goes_on and words:
            words[-1].append(place)
        else:
            words.append([place])
    return words


@given(st.lists(st.booleans(), min_size=1, max_size=20), st.integers(0, 1000))
def test_a_word_is_chosen_whole_or_not_at_all(continues: list[bool], seed: int) -> None:
    continues[0] = False
    ids = torch.arange(10, 10 + len(continues))[None]
    torch.manual_seed(seed)
    masked, chosen = mask_tokens(ids, torch.ones_like(ids, dtype=torch.bool), 1, 100, 0.4, torch.tensor([continues]))
    torch.manual_seed(seed)
    draws = torch.rand(2, 1, len(continues))
    for word in _words(continues):
        # The oracle: the draw of the word's first piece decides.
        assert {bool(chosen[0, place]) for place in word} == {bool(draws[0, 0, word[0]] < 0.4)}
    assert torch.equal(masked[~chosen], ids[~chosen])


def test_pieces_by_themselves_are_chosen_as_without_words() -> None:
    ids = torch.arange(20).reshape(2, 10)
    maskable = torch.rand(2, 10) < 0.7
    found = []
    for continues in (None, torch.zeros(2, 10, dtype=torch.bool)):
        torch.manual_seed(3)
        found.append(mask_tokens(ids, maskable, 1, 100, 0.5, continues))
    assert torch.equal(found[0][0], found[1][0])
    assert torch.equal(found[0][1], found[1][1])


def test_word_pieces_are_marked_inside_a_word(tiny_backbone: Path) -> None:
    tokenizer: Any = load_tokenizer(str(tiny_backbone))
    continuing = continuing_tokens(tokenizer)
    names = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    assert continuing.tolist() == [name.startswith("##") for name in names]
    assert 0 < continuing.sum() < len(continuing)


def test_byte_pairs_are_marked_at_the_beginning_of_a_word(sentences: list[str]) -> None:
    from tokenizers import ByteLevelBPETokenizer
    from transformers import PreTrainedTokenizerFast

    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(sentences, vocab_size=400, show_progress=False)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=trained._tokenizer)
    ids = torch.tensor([tokenizer(" unbelievable kettle")["input_ids"]])
    goes_on = continues_word(ids, continuing_tokens(tokenizer), torch.tensor([], dtype=torch.int64))
    starts = [name.startswith("\u0120") for name in tokenizer.convert_ids_to_tokens(ids[0].tolist())]
    assert goes_on[0].tolist() == [not start for start in starts]
    assert starts.count(True) == 2


def test_a_tokenizer_that_marks_nothing_is_refused() -> None:
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel({"a": 0, "b": 1}, "a")))
    with pytest.raises(UserError, match="does not mark which pieces"):
        continuing_tokens(tokenizer)


def test_a_word_does_not_go_on_over_a_special_token() -> None:
    # 9 goes on with a word wherever it stands; 1 and 2 are special.
    ids = torch.tensor([[1, 9, 5, 9, 9, 2, 9, 5]])
    continuing = torch.zeros(10, dtype=torch.bool)
    continuing[9] = True
    expected = [False, False, False, True, True, False, False, False]
    assert continues_word(ids, continuing, torch.tensor([1, 2]))[0].tolist() == expected


@pytest.mark.parametrize("whole_words", [False, True])
def test_the_loss_is_that_of_transformers_over_the_chosen_tokens(tiny_backbone: Path, whole_words: bool) -> None:
    encoder = load_encoder(str(tiny_backbone), "cls")
    loss: Any = MaskedLanguageModelLoss(encoder, 0.4, whole_words=whole_words)
    tokenizer: Any = encoder.tokenizer
    rows = tokenizer(["The kettle was not there, unbelievably.", "A mill."], padding=True, return_tensors="pt")
    encoder.eval()
    torch.manual_seed(5)
    value = loss([dict(rows)])["masked_lm"]
    torch.manual_seed(5)
    ids, special = rows["input_ids"], torch.tensor(tokenizer.all_special_ids)
    maskable = rows["attention_mask"].bool() & ~torch.isin(ids, special)
    continues = continues_word(ids, continuing_tokens(tokenizer), special) if whole_words else None
    masked, chosen = mask_tokens(ids, maskable, tokenizer.mask_token_id, len(tokenizer), 0.4, continues)
    from augcse.objectives.masked_lm import load_masked_lm

    model = load_masked_lm(str(tiny_backbone)).eval()
    labels = ids.masked_fill(~chosen, -100)
    expected = model(input_ids=masked, attention_mask=rows["attention_mask"], labels=labels).loss
    assert chosen.any()
    torch.testing.assert_close(value, expected)
