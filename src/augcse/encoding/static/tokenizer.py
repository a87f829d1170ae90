"""The tokenizer of a static encoder: trained on the corpus, or a model's."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from augcse.errors import ForeignFailure, UserError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

UNKNOWN = "[UNK]"
_CONTINUED = "##"
# Unicode ranges: a Chinese character is a word or a meaningful part of one, without a space before the next.
_IDEOGRAPH = r"\p{Ideographic}"
# A larger share means that a tokenizer was made for another script. That of mini-bert lacks 28 % of Hindi, 68 % of Chinese and all of
# Thai tokens, but none of English, German or Vietnamese text.
MOST_UNKNOWN = 0.2
# A pair of pieces that occurs only once is chance.
_LEAST_PAIRS = 2


class OtherScriptError(UserError):
    """A model's tokenizer does not know the corpus's script.

    Args:
        reason: the tokenizer, and the share of tokens that it does not know.
        remedy: for the command that reads the corpus, since options differ between callers.
    """

    def __init__(self, reason: str, remedy: str) -> None:
        self.reason = reason
        super().__init__(f"{reason}; {remedy}")


def check_knows(name: str | None, vocabulary_size: int, unknown_share: float, remedy: str) -> None:
    """Refuse a tokenizer to which more than a fifth of a corpus's tokens is unknown.

    Args:
        name: the model whose tokenizer it is; None for one that was trained on the corpus.
        vocabulary_size: the limit for a trained one.
        unknown_share: of the corpus's tokens.
        remedy: ends the message on a model's tokenizer.

    Raises:
        OtherScriptError: for a model's tokenizer; `UserError` for a trained one.
    """
    if unknown_share <= MOST_UNKNOWN:
        return
    unknown = f"does not know {unknown_share:.0%} of the corpus's tokens (more than {MOST_UNKNOWN:.0%})"
    if name is None:
        raise UserError(
            f"the tokenizer trained on the corpus {unknown}: a vocabulary_size of {vocabulary_size:,} is too small for its characters;"
            " give a larger one"
        )
    raise OtherScriptError(f"the tokenizer of {name} {unknown}: it was made for another script", remedy)


def word_splitter(*, ideographs_apart: bool = True) -> Any:
    """Return the pre-tokenizer: it splits at spaces, around punctuation and around ideographs (as BERT's `handle_chinese_chars`)."""
    from tokenizers import Regex, pre_tokenizers

    ideographs = [pre_tokenizers.Split(Regex(_IDEOGRAPH), "isolated")] if ideographs_apart else []
    # Punctuation second: `words.part_pattern`.
    return pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("isolated"), *ideographs])


def train_tokenizer(
    sentences: Sequence[str], vocabulary_size: int, splitter: Any = None, special_tokens: Sequence[str] = (UNKNOWN,)
) -> Tokenizer:
    """Train byte-pair encoding (Sennrich et al. 2016) of lower-case text; the same sentences give the same tokenizer.

    Each ideograph is a token; other scripts without spaces between words are split into learned pieces only. An unknown character is one
    unknown token, while WordPiece would lose the whole word, which in Thai is half a sentence.

    Deviation from the library's trainer: the ids of single characters are given to it. It would take them from a hash table in an order
    that differs from run to run, and ids decide between pairs of equal frequency.

    Args:
        sentences: read twice.
        vocabulary_size: the largest number of tokens; the most frequent characters, each alone and inside a word, take half at most.
            An ideograph is never inside a word, so it takes one; if the text yields too few pieces, further characters fill the rest.
        splitter: splits a text into words; None takes `word_splitter`.
        special_tokens: tokens that no text is split into, with the first ids, in this order; `UNKNOWN` among them.

    Raises:
        UserError: no token in the sentences.
    """
    from tokenizers import Tokenizer, models, normalizers, trainers

    tokenizer: Any = Tokenizer(models.BPE(unk_token=UNKNOWN, continuing_subword_prefix=_CONTINUED, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = word_splitter() if splitter is None else splitter
    characters = _by_frequency(tokenizer.normalizer.normalize_str(sentence) for sentence in sentences)
    if not characters:
        raise UserError("no token in the corpus; give text with words in it")
    ideographs = {one for one in characters if one.isalnum() and _stands_alone(one, tokenizer.pre_tokenizer)}
    alphabet = _alphabet(characters, ideographs, vocabulary_size)
    inside_words = [_CONTINUED + one for one in alphabet if not _stands_alone(one, tokenizer.pre_tokenizer)]
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary_size,
        min_frequency=_LEAST_PAIRS,
        initial_alphabet=alphabet,
        limit_alphabet=len(alphabet),
        special_tokens=[*special_tokens, *alphabet, *inside_words],
        continuing_subword_prefix=_CONTINUED,
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences, trainer)
    # Tokens declared special to fix their ids become ordinary ones.
    document = json.loads(tokenizer.to_str()) | {"added_tokens": []}
    vocabulary = document["model"]["vocab"]
    left_out = [one for one in characters if one in ideographs and one not in vocabulary]
    for one in left_out[: max(vocabulary_size - len(vocabulary), 0)]:
        vocabulary[one] = len(vocabulary)
    trained: Tokenizer = Tokenizer.from_str(json.dumps(document, ensure_ascii=False))
    return trained


def tokenizer_of(name: str) -> Tokenizer:
    """Return a copy of a model's fast tokenizer, without padding and truncation.

    Args:
        name: a bundled model, a folder with a tokenizer.json, or a hub name.

    Raises:
        UserError: there is none, or only a slow one.
    """
    from augcse.encoding.model import load_tokenizer

    loaded = load_tokenizer(name)
    with ForeignFailure(partial(_not_fast, name)):
        return copied(loaded.backend_tokenizer)


def copied(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer's copy, without padding and truncation."""
    copy: Any = type(tokenizer).from_str(tokenizer.to_str())
    copy.no_padding()
    copy.no_truncation()
    return copy  # type: ignore[no-any-return]


def unknown_token(tokenizer: Tokenizer) -> int | None:
    """Return the id of the unknown token, or None."""
    model = json.loads(tokenizer.to_str())["model"]
    number = model.get("unk_id")
    return number if number is not None else tokenizer.token_to_id(model.get("unk_token") or "")


def _by_frequency(texts: Iterable[str]) -> list[str]:
    """Return the characters, most frequent first; ties are broken by their code points."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(text)
    return sorted((character for character in counts if not character.isspace()), key=lambda one: (-counts[one], one))


def _alphabet(characters: Sequence[str], ideographs: Collection[str], vocabulary_size: int) -> list[str]:
    """Return the first characters that take half of the vocabulary, in order of their code points.

    An ideograph counts as one token, all else as two: punctuation takes one, but there are few such characters.
    """
    tokens = accumulate(1 if one in ideographs else 2 for one in characters)
    half = 2 * max(vocabulary_size // 4, 1)
    return sorted(one for one, taken in zip(characters, tokens, strict=True) if taken <= half)


def _stands_alone(character: str, splitter: Any) -> bool:
    """Return whether a character is always a separate word."""
    return len(splitter.pre_tokenize_str(character * 2)) > 1


def _not_fast(name: str, error: BaseException) -> str:
    return f"{name} has no fast tokenizer ({type(error).__name__}); give a folder with a tokenizer.json, or none to train one"
