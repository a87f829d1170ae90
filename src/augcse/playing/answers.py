"""The HTML answers of the page; for invalid input, the answer is a line that says what to enter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from augcse.analysis.neighbours import Neighbour
from augcse.augmentations.base import Meaning
from augcse.errors import UserError
from augcse.options import MAX_SEED
from augcse.playing.augmented import Augmented, augment_all
from augcse.playing.search import search
from augcse.playing.session import Array, Session
from augcse.playing.similarities import similarities, split_sentences
from augcse.report.html import paragraph
from augcse.report.texts import word_diff

# The page is for sentences; word diffs of longer texts take seconds.
MAX_CHARACTERS = 2000
_MEANINGS: dict[Meaning, str] = {
    "highly_preserving": "keeps the meaning",
    "possible_alteration": "may change the meaning",
    "alteration": "changes the meaning",
}


def augmented_answer(session: Session, sentence: str, seed: float | None) -> str:
    """Return the results of all augmentations of a sentence, and for those that do not change it, why."""
    try:
        results = augment_all(session, _checked_sentence(sentence), _checked_seed(seed))
    except UserError as error:
        return _error_answer(error)
    changed = [result for result in results if result.text is not None]
    unchanged = [result for result in results if result.text is None]
    count = f"{len(changed)} of {len(results)} augmentations change it; the figure is the cosine with the original."
    return _answer(paragraph(count, "note"), _changed_table(session, sentence.strip(), changed), _unchanged_table(unchanged))


def search_answer(session: Session, query: str, k: float) -> str:
    """Return the nearest sentences of the corpus, in one list per model."""
    try:
        results = search(session, _checked_sentence(query), int(k))
    except UserError as error:
        return _error_answer(error)
    lists = "".join(_nearest_list(name, results) for name in results)
    return _answer(f'<div class="side-by-side">{lists}</div>')


def similarities_answer(session: Session, text: str) -> str:
    """Return a table of cosines per model."""
    try:
        sentences = split_sentences(text)
        for sentence in sentences:
            _checked_sentence(sentence)
    except UserError as error:
        return _error_answer(error)
    return _answer(*(_cosine_table(name, sentences, cosines) for name, cosines in similarities(session, sentences).items()))


def _checked_sentence(sentence: str) -> str:
    """Return a sentence stripped; raises `UserError` if it is empty or too long."""
    if not sentence.strip():
        raise UserError("give a sentence")
    if len(sentence) > MAX_CHARACTERS:
        raise UserError(f"give a sentence of {MAX_CHARACTERS:,} characters at most; here are {len(sentence):,}")
    return sentence.strip()


def _checked_seed(seed: float | None) -> int:
    if seed is None or not 0 <= seed <= MAX_SEED or seed != int(seed):
        raise UserError(f"give a whole number from 0 to {MAX_SEED:,} as the seed")
    return int(seed)


def _answer(*parts: str) -> str:
    return f'<div class="answer">{"".join(parts)}</div>'


def _error_answer(error: UserError) -> str:
    return _answer(paragraph(str(error), "message"))


def _changed_table(session: Session, sentence: str, changed: Sequence[Augmented]) -> str:
    rows = "".join(
        f"<tr><th scope=row>{escape(result.name)}<small>{_MEANINGS[result.meaning]}</small></th>"
        f"<td>{word_diff(sentence, result.text or '')}</td>{_cosine_cells(session, result)}</tr>"
        for result in changed
    )
    names = "".join(f"<th scope=col>{_label(name)}</th>" for name in session.models)
    head = f"<thead><tr><th scope=col>augmentation</th><th scope=col>sentence</th>{names}</tr></thead>"
    return f'<table class="changed">{head}<tbody>{rows}</tbody></table>' if changed else ""


def _cosine_cells(session: Session, result: Augmented) -> str:
    pairs = zip(session.models, result.cosines, strict=True)
    return "".join(f'<td class="figure" data-label="{escape(name)}">{_rounded(cosine)}</td>' for name, cosine in pairs)


def _unchanged_table(unchanged: Sequence[Augmented]) -> str:
    rows = "".join(f"<tr><th scope=row>{escape(result.name)}</th><td>{escape(result.why)}</td></tr>" for result in unchanged)
    table = f'<table class="same"><tbody>{rows}</tbody></table>'
    return f"<details open><summary>{len(unchanged)} leave it as it is, and why</summary>{table}</details>" if unchanged else ""


def _nearest_list(name: str, results: Mapping[str, Sequence[Neighbour]]) -> str:
    """Return the sentences nearest under a model, each with its rank under the other model."""
    other_ranks = {
        neighbour.sentence: f"<small>{escape(f'rank {rank} under {other}')}</small>"
        for other in results
        if other != name
        for rank, neighbour in enumerate(results[other], start=1)
    }
    items = "".join(
        f"<li><b>{_rounded(neighbour.cosine)}</b> {escape(neighbour.sentence)}{other_ranks.get(neighbour.sentence, '')}</li>"
        for neighbour in results[name]
    )
    return f"<section><h3>{escape(name)}</h3><ol>{items}</ol></section>"


def _cosine_table(name: str, sentences: Sequence[str], cosines: Array) -> str:
    numbers = "".join(f"<th scope=col>{number}</th>" for number in range(1, len(sentences) + 1))
    rows = "".join(
        f"<tr><th scope=row><i>{row + 1}</i> {escape(sentence)}</th>{''.join(map(_cosine_cell, cosines[row].tolist()))}</tr>"
        for row, sentence in enumerate(sentences)
    )
    head = f"<thead><tr><td></td>{numbers}</tr></thead>"
    return f'<h3>{escape(name)}</h3><div class="wide"><table class="matrix">{head}<tbody>{rows}</tbody></table></div>'


def _cosine_cell(cosine: float) -> str:
    return f'<td class="figure" style="--share: {max(cosine, 0):.0%}">{_rounded(cosine)}</td>'


def _label(model: str) -> str:
    """Return a model's name as HTML, which may break at slashes in a narrow column."""
    return escape(model).replace("/", "/<wbr>")


def _rounded(cosine: float) -> str:
    # Adding 0 turns -0.0 into 0.0.
    return f"{round(cosine, 3) + 0.0:.3f}"
