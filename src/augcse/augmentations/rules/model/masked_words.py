"""Rules on words and word pieces, most of them filled in by a masked language model; by default the bundled mini-bert."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Literal

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import apply_with_articles
from augcse.augmentations.neural.masked import Candidates, MaskedModel, load_masked
from augcse.augmentations.neural.wordpiece import Pieces, Site, draw, edits_of, load_vocabulary, share
from augcse.augmentations.option_types import MaskText, ModelName, Precision
from augcse.augmentations.text.cut import cut_spans
from augcse.augmentations.text.edits import Edit, capitalise, edited
from augcse.options import Count, Share

# "the the": possible where two masks are neighbours, or a new piece makes a word equal to the next one.
_DOUBLED = re.compile(r"\b([^\W\d_]{1,40}) (?=\1\b)", re.IGNORECASE)
# From how many of the most probable pieces one is drawn.
_WIDTHS = {"argmax": 1, "sample": 100}


@augmentation(
    "RandomContextualWordAugmentation",
    family="model",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; nlpaug (Ma 2019); Zang et al. 2020",
    example=Example(
        "The old man did not sell his house to the young couple.", "An old man did not get his way to the same couple.", seed=15
    ),
    needs=("mlm",),
    batched=True,
)
def random_contextual_word_augmentation(
    sentences: Sequence[str],
    rngs: Sequence[Random],
    *,
    rate: Share = 0.3,
    action: Literal["random", "insert", "substitute"] = "random",
    top_k: Count = 10,
    model: ModelName = "mini-bert",
    precision: Precision = "auto",
) -> list[str | None]:
    """Mask random words, or put masks between words, and let a masked language model fill them.

    Of n free-standing words `rate * n`, rounded half up, at least one, are replaced, or that many are inserted at spaces between words.
    `action="random"` tosses a coin per sentence, as the paper's code does (its text mentions only replacing). A word is drawn from the
    `top_k` most probable ones by their probability; it is never the old word or the double of a neighbour.

    Deviations from nlpaug: whole words only, none joined to others by apostrophe or hyphen; all masks are filled in one
    pass; `top_k` is 10, not 100, and the number of words has no upper bound of 10. The model is the bundled mini-bert
    (`model` takes any BERT-like checkpoint, e.g. distilbert-base-uncased, which the paper's code uses).
    `precision` is bf16, fp32, or auto: bf16 on a GPU, fp32 on a CPU, where bf16 is faster, but in rare cases a text's
    result then depends on the other texts of its batch.
    """
    pieces = load_vocabulary(model).split(sentences)
    sites = []
    for text, rng in zip(pieces, rngs, strict=True):
        insert = rng.random() < 0.5 if action == "random" else action == "insert"
        words = text.word_sites()
        sites.append(draw(text.gap_sites() if insert else words, share(rate, len(words)), rng))
    return _rewritten(pieces, sites, rngs, model=model, precision=precision, width=top_k, exclude_old=True)


@augmentation(
    "MLMTokenReplacement",
    family="model",
    meaning="possible_alteration",
    source="DiffCSE (Chuang et al. 2022), 2 and 5; ELECTRA (Clark et al. 2020)",
    example=Example(
        "The old man did not sell his house to the young couple.", "The old man did not sell his house to the young man.", seed=2
    ),
    needs=("mlm",),
    batched=True,
)
def mlm_token_replacement(
    sentences: Sequence[str],
    rngs: Sequence[Random],
    *,
    rate: Share = 0.3,
    pick: Literal["argmax", "sample"] = "argmax",
    model: ModelName = "mini-bert",
    precision: Precision = "auto",
) -> list[str | None]:
    """Mask a share of the word pieces and write what a masked language model predicts there, DiffCSE's replaced tokens.

    `rate` is DiffCSE's masking ratio (0.30 for STS, 0.15 for transfer). `pick="argmax"` takes the most probable piece, as
    its code does, "sample" draws from the 100 most probable, as its paper says. The model may predict the old piece; None
    where it predicts all of them. A piece is replaced by one of its kind: word, part of a word, number, or mark (`,;:` or the final
    `.!?`; other marks stay, and so do abbreviations).

    Deviations from DiffCSE's code: the first piece of a longer word stays, and no result doubles a word; every chosen piece
    is masked (not 80 %), pieces that were not chosen stay (the code
    takes the model's guess everywhere), the model runs without dropout, and the result is text again.
    """
    pieces = load_vocabulary(model).split(sentences)
    sites = [draw(text.replaceable_sites(), share(rate, len(text)), rng) for text, rng in zip(pieces, rngs, strict=True)]
    return _rewritten(pieces, sites, rngs, model=model, precision=precision, width=_WIDTHS[pick], exclude_old=False)


@augmentation(
    "MLMTokenInsertion",
    family="model",
    meaning="possible_alteration",
    source="DiffCSE (Chuang et al. 2022), 5 (Table 4)",
    example=Example(
        "The old man did not sell his house to the young couple.",
        "The old young man did not sell his own house to the young couple.",
        seed=3,
    ),
    needs=("mlm",),
    batched=True,
)
def mlm_token_insertion(
    sentences: Sequence[str],
    rngs: Sequence[Random],
    *,
    rate: Share = 0.15,
    pick: Literal["argmax", "sample"] = "argmax",
    model: ModelName = "mini-bert",
    precision: Precision = "auto",
) -> list[str | None]:
    """Insert masks, as many as 15 % of the word pieces, and write what a masked language model predicts there.

    Masks are inserted at random spaces of the text, one per space, and are filled with whole words; None for a text without a
    space. `pick` as in MLMTokenReplacement.

    Deviation from DiffCSE, whose masks may be anywhere: none inside a word or before the first one.
    """
    pieces = load_vocabulary(model).split(sentences)
    sites = [draw(text.gap_sites(), share(rate, len(text)), rng) for text, rng in zip(pieces, rngs, strict=True)]
    return _rewritten(pieces, sites, rngs, model=model, precision=precision, width=_WIDTHS[pick], exclude_old=False)


@augmentation(
    "RandomTokenDeletion",
    family="model",
    meaning="possible_alteration",
    source="DiffCSE (Chuang et al. 2022), 5 (Table 4)",
    example=Example("The old man did not sell his house to the young couple.", "The man did sell his house to the young couple.", seed=7),
    batched=True,
)
def random_token_deletion(
    sentences: Sequence[str], rngs: Sequence[Random], *, rate: Share = 0.15, model: ModelName = "mini-bert"
) -> list[str | None]:
    """Delete a share of the word pieces: words, parts of words, numbers and punctuation marks.

    Of n pieces `rate * n`, rounded half up, are deleted, at least one and never all, a whole word with a space next to it. Quotes and
    brackets are deleted only as emptied pairs, commas also where they would be doubled; what a mark joins to its neighbour stays ("1,000",
    "Congo's"). `model` names the tokenizer. None for fewer than two pieces.
    """
    pieces = load_vocabulary(model).split(sentences)
    return [_without(text, _drawn(text, text.separable_sites(), rate, rng)) for text, rng in zip(pieces, rngs, strict=True)]


@augmentation(
    "MaskTokens",
    family="model",
    meaning="possible_alteration",
    source="SDA (Mao et al. 2022), Table 6; Wu et al. 2020; Meng et al. 2021",
    example=Example(
        "The old man did not sell his house to the young couple.", "The old [MASK] did not sell [MASK] house to the young couple.", seed=8
    ),
    batched=True,
)
def mask_tokens(
    sentences: Sequence[str], rngs: Sequence[Random], *, rate: Share = 0.15, mask: MaskText = "[MASK]", model: ModelName = "mini-bert"
) -> list[str | None]:
    """Replace a share of the word pieces by the encoder's mask token.

    `rate * n` of n pieces, rounded half up, at least one and never all. `mask` is what the encoder's tokenizer reads as its mask
    ("<mask>" for RoBERTa); `model` names the tokenizer that defines the pieces. None for fewer than two pieces.
    """
    pieces = load_vocabulary(model).split(sentences)
    drawn = ((text.text, _drawn(text, text.piece_sites(), rate, rng)) for text, rng in zip(pieces, rngs, strict=True))
    return [edited(text, [Edit(site.start, site.end, mask) for site in sites]) for text, sites in drawn]


def _drawn(pieces: Pieces, sites: list[Site], rate: float, rng: Random) -> list[Site]:
    """Draw a share of the sites, never all of them; none of fewer than two."""
    return draw(sites, min(share(rate, len(pieces)), len(sites) - 1), rng) if len(sites) > 1 else []


def _without(pieces: Pieces, sites: Sequence[Site]) -> str | None:
    """Return the text without the pieces at the sites; None if there are no sites."""
    if not sites:
        return None
    text = pieces.text
    shortened = cut_spans(text, [(site.start, site.end) for site in sites])
    first = next((index for index, character in enumerate(text) if character.isalnum()), len(text))
    is_first_deleted = any(site.start <= first < site.end for site in sites)
    return capitalise(shortened) if is_first_deleted and not text[first].islower() else shortened


def _rewritten(
    pieces: Sequence[Pieces],
    sites: Sequence[Sequence[Site]],
    rngs: Sequence[Random],
    *,
    model: str,
    precision: str,
    width: int,
    exclude_old: bool,
) -> list[str | None]:
    """Fill the sites of all texts in one call and write the pieces back into the texts; None where nothing changes, or a word doubles."""
    if not any(sites):
        return [None] * len(pieces)
    masked = load_masked(model, precision)
    results: list[str | None] = []
    for text, text_sites, rng, candidates in zip(pieces, sites, rngs, masked.fill(pieces, sites, width, exclude_old), strict=True):
        picked = _picked_pieces(masked, text_sites, candidates, rng)
        chosen = [
            (site, masked.vocabulary.pieces[piece])
            for site, piece in zip(text_sites, picked, strict=True)
            if text.ids[site.first : site.stop] != [piece]  # an unchanged piece keeps its capitals
        ]
        edits = edits_of(text, chosen, masked.vocabulary.spell)
        new = apply_with_articles(text.text, edits) if edits else None
        results.append(None if new and _count_doubles(new) > _count_doubles(text.text) else new)
    return results


def _count_doubles(text: str) -> int:
    return len(_DOUBLED.findall(text))


def _picked_pieces(masked: MaskedModel, sites: Sequence[Site], candidates: Sequence[Candidates], rng: Random) -> list[int]:
    """Choose a piece for each site. The model fills each mask without knowing the others, so doubles of neighbours are banned here."""
    picked: list[int] = []
    for index, of_site in enumerate(candidates):
        banned: frozenset[int] = frozenset()
        if index and sites[index - 1].stop == sites[index].first:
            banned = masked.articles if picked[-1] in masked.articles else frozenset({picked[-1]})
        picked.append(of_site.pick(rng, banned))
    return picked
