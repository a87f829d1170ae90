"""Words replaced according to their tf-idf: UNA's negatives, UDA's positives, and the uniform draw as a baseline of both.

All three take `TermStatistics` of the corpus; see there for terms, ranks and scores. Marks and clitics (`'s`) count as terms in every
formula, but are neither replaced nor drawn, so that brackets, quotes and spacing stay complete. Words with a dot or sign of their own
("St.", "$7") are not replaced, and codes and file names ("b52", "index.html") not drawn. UNA's `fidelity="repo"` has no such limits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from augcse.augmentations.base import ANY_LANGUAGE, Example, augmentation
from augcse.augmentations.rules.corpus.term_replacement.terms import lower_terms, split_terms
from augcse.options import Share

if TYPE_CHECKING:
    from augcse.augmentations.rules.corpus.term_replacement.batch import TermBatch
    from augcse.augmentations.rules.corpus.term_replacement.statistics import TermStatistics

# Named as text, and `TermBatch` imported where it is used: numpy would take a third of the time allowed for `augcse list`.
_STATISTICS = "augcse.augmentations.rules.corpus.term_replacement.statistics:TermStatistics"
BATCH_ROWS = 2_000
_SENTENCE = "My grandmother made a soup of carrots, and Mary's cat drank the milk."


@augmentation(
    "UNA",
    family="corpus",
    meaning="alteration",
    source="UNA (Shu and Lampos 2024), section 3, Eq. 2-4, Algorithm 1",
    example=Example(_SENTENCE, "My bits lowered a soup of frying, and Rarely's west professor the electricity.", seed=2),
    needs=("corpus",),
    batched=True,
    fitted=_STATISTICS,
    languages=("en", ANY_LANGUAGE),
)
def una(
    sentences: Sequence[str],
    rngs: Sequence[Random],
    statistics: TermStatistics,
    *,
    beta: Share = 0.5,
    radius: Annotated[int, Field(ge=1, le=10_000_000)] = 4000,
    replacement: Literal["similar", "uniform"] = "similar",
    exclude_self: bool = True,
    fidelity: Literal["paper", "repo"] = "paper",
) -> list[str | None]:
    """Replace the informative words of a sentence by words that are as informative elsewhere in the corpus: a hard negative.

    With z the sentence's tf-idf per term and a = z - min z, a word is replaced with probability `min(1, beta * a / mean a)`, and the one
    with the largest z always. The new word is drawn from those up to `radius` ranks above and below, in proportion to their scores.
    Where all z are equal, one random word is replaced. A term that is not in the corpus is treated as if one sentence had it, and has
    the rank of its tf-idf in this sentence. None where there is no word, or no other word to draw.

    Options:
        beta: share of terms replaced on average, before the cap at 1.
        radius: ranks to either side of the term's own (the paper's 4000 are about 1 % of its 451,691 terms).
        replacement: "similar"; or "uniform" for any word of the corpus (Table 2, "Step 3 random").
        exclude_self: never draw the word itself, as the published code may.
        fidelity: "paper"; or "repo" for what the published code writes: lower-cased terms separated by one space, `"` as in the Penn
            Treebank, marks replaced and drawn too, a term drawn for itself, sentences whose z are all equal only lower-cased, and one
            random term instead of the whole sentence where nothing changed.

    Deviations from both: what is not replaced stays byte for byte, capitals are carried over, and "a" or "an" before a replaced word is
    adapted, since traces of the replacement would give cased models a shortcut; marks stay. Even in "repo" mode `don't` stays one
    term, and an unknown term is handled as above, where the published code stops with a KeyError.
    """

    def rewrite(batch: TermBatch) -> list[str | None]:
        chosen = batch.one_word_where_none(batch.draw_indices(batch.telling(beta, batch.words)))
        if replacement == "uniform":
            return batch.write(batch.draw_terms(chosen, [statistics.words], None, exclude_self))
        # In a window where no other word has a score, the draw is uniform.
        return batch.write(batch.draw_terms(chosen, [statistics.word_scores, statistics.words], radius, exclude_self))

    def rewrite_as_released(batch: TermBatch) -> list[str | None]:
        chosen = batch.draw_indices(batch.telling(beta))
        return _written_as_released(batch, batch.draw_terms(chosen, [statistics.term_scores], radius, exclude_self=False))

    return _in_batches(sentences, rngs, statistics, rewrite if fidelity == "paper" else rewrite_as_released)


def _in_batches(
    sentences: Sequence[str], rngs: Sequence[Random], statistics: TermStatistics, rewrite: Callable[[TermBatch], list[str | None]]
) -> list[str | None]:
    """Rewrite the sentences that have terms, some thousand at a time, so that memory does not grow with their number."""
    from augcse.augmentations.rules.corpus.term_replacement.batch import TermBatch

    results: list[str | None] = [None] * len(sentences)
    for start in range(0, len(sentences), BATCH_ROWS):
        split = ((row, split_terms(text)) for row, text in enumerate(sentences[start : start + BATCH_ROWS], start))
        pieces = {row: text_pieces for row, text_pieces in split if len(text_pieces) > 1}
        if pieces:
            batch = TermBatch(list(pieces.values()), [rngs[row] for row in pieces], statistics)
            for row, new in zip(pieces, rewrite(batch), strict=True):
                results[row] = new
    return results


def _written_as_released(batch: TermBatch, new: Sequence[dict[int, str]]) -> list[str | None]:
    """Write sentences as the published code does."""
    results: list[str | None] = []
    for pieces, rng, words in zip(batch.pieces, batch.rngs, new, strict=True):
        text = " ".join(words.get(term, old) for term, old in enumerate(_treebank_terms(pieces)))
        if text == "".join(pieces):
            rank = batch.statistics.term_surplus.draw_one(rng.random())
            text = batch.statistics.term(rank) if rank >= 0 else text
        results.append(text)
    return results


def _treebank_terms(pieces: Sequence[str]) -> list[str]:
    """Return the terms in lower case, an opening `"` as two backticks and a closing one as two apostrophes."""
    terms = lower_terms(pieces)
    for index, text in enumerate(terms):
        if text == '"':
            opens = index == 0 or pieces[2 * index] or terms[index - 1] in "([{<"
            terms[index] = "``" if opens else "''"
    return terms


@augmentation(
    "TFIDFReplacement",
    family="corpus",
    meaning="possible_alteration",
    source="UDA (Xie et al. 2020), TF-IDF word replacement; ablation of UNA (Shu and Lampos 2024)",
    example=Example(_SENTENCE, "My grandmother made by soup brings carrots, and Mary's cat drank the milk.", seed=7),
    needs=("corpus",),
    batched=True,
    fitted=_STATISTICS,
    languages=("en", ANY_LANGUAGE),
)
def tfidf_replacement(
    sentences: Sequence[str],
    rngs: Sequence[Random],
    statistics: TermStatistics,
    *,
    rate: Share = 0.3,
    replacement: Literal["common", "uda"] = "common",
) -> list[str | None]:
    """Replace the words of a sentence that say little, and keep the informative ones.

    With z the sentence's tf-idf per term and a = max z - z, a word is replaced with probability `min(1, rate * a / mean a)`. The term
    with the largest z always stays. None where no word is drawn or all z are equal.

    Options:
        rate: share of terms replaced on average, before the cap at 1.
        replacement: "common" draws words in proportion to the number of sentences that contain them; "uda" in proportion to
            max S - S with S = occurrences * idf, the paper's formula.

    Deviation: UDA aims at uninformative words, but its S of a word that occurs once is as small as that of "the", and most words of
    a corpus occur once: "uda" replaces words that say little by rare, informative ones. "common" does what is meant, and is the default.
    """
    wheel = statistics.common_words if replacement == "common" else statistics.uninformative_words

    def rewrite(batch: TermBatch) -> list[str | None]:
        return batch.write(batch.draw_terms(batch.draw_indices(batch.little(rate)), [wheel]))

    return _in_batches(sentences, rngs, statistics, rewrite)


@augmentation(
    "UniformReplacement",
    family="corpus",
    meaning="alteration",
    source="UNA (Shu and Lampos 2024), Table 2, first row; UnifRep of UDA (Xie et al. 2020)",
    example=Example(_SENTENCE, "My grandmother reeds a wind of signal, debts Mary's bus drank smoked after.", seed=7),
    needs=("corpus",),
    batched=True,
    fitted=_STATISTICS,
    languages=("en", ANY_LANGUAGE),
)
def uniform_replacement(
    sentences: Sequence[str], rngs: Sequence[Random], statistics: TermStatistics, *, rate: Share = 0.5
) -> list[str | None]:
    """Replace each word with probability `rate` by any other word of the corpus, drawn uniformly.

    If no word is drawn, one random word is replaced. None for fewer than three terms, as in the published code.

    Deviation: the published code leaves a sentence of which no word is drawn as it is; here a negative always differs.
    """
    if rate == 0.0:
        return [None] * len(sentences)

    def rewrite(batch: TermBatch) -> list[str | None]:
        chosen = batch.one_word_where_none(batch.draw_indices(rate * batch.words))
        return batch.write(batch.draw_terms(chosen[batch.lengths[batch.rows[chosen]] >= 3], [statistics.words]))

    return _in_batches(sentences, rngs, statistics, rewrite)
