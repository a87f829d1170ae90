"""Words exchanged for their neighbours in a space of static word vectors."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import apply_with_articles
from augcse.augmentations.english.function_words import FUNCTION_WORDS
from augcse.augmentations.neural.vectors import BUNDLED_VECTORS, WordVectors, check_vectors_name, load_vectors
from augcse.augmentations.neural.wordpiece import Pieces, Site, draw, edits_of, load_vocabulary, share
from augcse.options import Count, FileName, Share

VectorsName = Annotated[
    str, AfterValidator(check_vectors_name), FileName((BUNDLED_VECTORS,)), Field(description="mini-bert, or a text file in GloVe's format")
]


@augmentation(
    "RandomWordEmbAugmentation",
    family="model",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; nlpaug (Ma 2019); GloVe (Pennington et al. 2014)",
    example=Example(
        "The old man did not sell his house to the young couple.", "The middle person did not sell his house to the poor marriage.", seed=2
    ),
    needs=("vectors",),
    batched=True,
)
def random_word_emb_augmentation(
    sentences: Sequence[str],
    rngs: Sequence[Random],
    *,
    rate: Share = 0.3,
    action: Literal["substitute", "insert", "random"] = "substitute",
    top_k: Count = 5,
    vectors: VectorsName = BUNDLED_VECTORS,
) -> list[str | None]:
    """Replace random words by near ones in a space of static word vectors.

    Of n free-standing words `rate * n`, rounded half up, at least one, are replaced, each by one of its `top_k` nearest neighbours
    (cosine), drawn uniformly; function words and words without a vector stay. `action="insert"` inserts that many random
    words of the vocabulary at spaces instead, "random" tosses a coin per sentence. `vectors` is a text file in GloVe's format.

    Deviations: the default vectors are the bundled mini-bert's input embeddings of its whole-word pieces, without their
    common part, since GloVe's are too large to include: their neighbours are similar in use more than in meaning. The paper says
    "substitutes", its code also inserts: here only on demand. nlpaug draws from 100 neighbours and replaces function words too.
    """
    known = load_vectors(vectors)
    vocabulary = load_vocabulary("mini-bert")
    pieces = vocabulary.split(sentences)
    sites = [_drawn_sites(text, known, rate, action, rng) for text, rng in zip(pieces, rngs, strict=True)]
    neighbours = known.neighbours((_word(text, site) for text, of_text in zip(pieces, sites, strict=True) for site in of_text), top_k)
    results: list[str | None] = []
    for text, of_text, rng in zip(pieces, sites, rngs, strict=True):
        words = [rng.choice(neighbours[_word(text, site)] if site.start < site.end else known.words) for site in of_text]
        edits = edits_of(text, zip(of_text, words, strict=True), vocabulary.spell)
        results.append(apply_with_articles(text.text, edits) if edits else None)
    return results


def _drawn_sites(text: Pieces, known: WordVectors, rate: float, action: str, rng: Random) -> list[Site]:
    """Draw the sites of one sentence: words to replace, or gaps between words (`start == end`) to insert at."""
    words = text.word_sites()
    number = share(rate, len(words))
    if action == "insert" or (action == "random" and rng.random() < 0.5):
        return draw(text.gap_sites(), number, rng)
    return draw([site for site in words if _word(text, site) in known and _word(text, site) not in FUNCTION_WORDS], number, rng)


def _word(text: Pieces, site: Site) -> str:
    return text.text[site.start : site.end].lower()
