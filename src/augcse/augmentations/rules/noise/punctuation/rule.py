"""PunctuationInsertion: the four punctuation rules of SDA, and RandomPunctuationInsertion, its baseline."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from random import Random
from typing import Annotated, Literal

from pydantic import Field

from augcse.annotation.parse import Parse
from augcse.augmentations.base import ANY_LANGUAGE, Example, augmentation
from augcse.augmentations.english.clause import FINITE_TAGS
from augcse.augmentations.english.conjunctions import relation_at
from augcse.augmentations.english.marks import abbreviates, asks
from augcse.augmentations.option_types import PaperFidelity
from augcse.augmentations.rules.noise.punctuation.language import Language, pack
from augcse.augmentations.text.cut import CLOSING
from augcse.augmentations.text.edits import Edit, edited
from augcse.augmentations.text.marks import compiled
from augcse.options import Count

Mode = Literal["random", "sequential", "fallback"]
SubjectMark = Literal["either", "quotes", "comma"]
QuotationMark = Annotated[str, Field(min_length=1, max_length=2, description="an opening quotation mark")]
_CLOSING_QUOTE = {"“": "”", "‘": "’", "«": "»", "„": "“", "「": "」", "『": "』"}
# The final marks that "!" follows but does not replace: of a question, an abbreviation or an ellipsis ("Why?!", "in D.C.!", "Well...!").
_STAYS = re.compile(r"(?:[?？]|\.\w?\.)\Z")
# What follows a mark inside a word or a run of marks: "non-league", "Va.,".
_GLUED = re.compile("[A-Za-z0-9.,;:-]")
# The words that nobody pauses before: "the way to go", "the idea of going", "older than".
_JOINED = frozenset("about for of on than to with".split())
# What says more of the conjunction after it, and what a clause with such a one says of the rest: "long before", "only if", "back when".
_BEFORE_CONJUNCTION = frozenset("assuming back ever even given just long now only provided shortly soon".split())
_MODIFIED = ("time", "reason", "condition", "content")
_QUOTATION = re.compile('["“”„«»「」『』]')
# The rest of a word that the parser cut after the subject: "shares in Rolls | -Royce".
_HYPHENATED = re.compile(r"-\w")
_GAP = r"(?<=[\w\p{M}])(?=\s+\S)"


@augmentation(
    "PunctuationInsertion",
    family="noise",
    meaning="highly_preserving",
    source="SDA (Mao et al. 2022), Algorithm 1",
    needs=("parse",),
    languages=("en", "zh"),
    example=Example(
        "A shareholder may transfer its Shares only with the prior written consent of the Company.",
        "A shareholder, may transfer its Shares only with the prior written consent of the Company.",
        seed=7,
    ),
)
def punctuation_insertion(
    parse: Parse,
    rng: Random,
    *,
    mode: Mode | None = None,
    subject: SubjectMark = "either",
    quote: QuotationMark | None = None,
    fidelity: PaperFidelity = "grammatical",
) -> str | None:
    """Insert punctuation by one of SDA's rules: a comma at a clause, marks at the subject, an inner mark doubled, or an exclamation mark.

    (1) A comma before a subordinate clause; (2) quotation marks around the subject of the main clause, or a comma after it (`subject`:
    either, quotes, comma); (3) a mark inside the sentence doubled; (4) the final mark turned into "!". Marks are those of the text's
    language; `quote` sets another opening quotation mark. `mode="random"` (the default) draws one rule, and the sentence stays as it is if
    that rule does not apply; "sequential" is the chain of Algorithm 1, the first rule that applies; "fallback" tries the rules in random
    order, as the released code. Deviations: an xcomp is not a clause here (the released code takes it), nor is one that follows without a
    pause; a question keeps its mark; clauses and subjects are the edges of their subtrees (the released code looks words up by their
    spelling). `fidelity="paper"` is Algorithm 1 as printed ("sequential" unless `mode` says otherwise): the comma comes before a clause
    even after another mark, any noun subject of the sentence counts, the first mark is doubled, and a sentence without a final mark stays
    as it is. Deviation: no comma for a clause that opens the sentence, as it would come before the first word.
    """
    language, as_published = pack(parse.language), fidelity == "paper"
    marks = (quote, _CLOSING_QUOTE.get(quote, quote)) if quote else language.quotes
    rules: list[Callable[[], list[Edit]]] = [
        lambda: _before_clause(parse, language, as_published),
        lambda: _at_subject(parse, rng, subject, marks, as_published),
        lambda: _double_mark(parse, rng, language, as_published),
        lambda: _at_end(parse, language, as_published),
    ]
    mode = mode or ("sequential" if as_published else "random")
    if mode == "random":
        rules = [rng.choice(rules)]
    elif mode == "fallback":
        rng.shuffle(rules)
    edits = next(filter(None, (rule() for rule in rules)), None)
    return edited(parse.text, edits)


@augmentation(
    "RandomPunctuationInsertion",
    family="noise",
    meaning="possible_alteration",
    source="SDA (Mao et al. 2022), Table 7 (Random Insertion)",
    example=Example("The old man walks to the harbour.", "The old man- walks to the harbour.", seed=5),
    languages=("en", ANY_LANGUAGE),
)
def random_punctuation_insertion(sentence: str, rng: Random, *, marks: Count = 1) -> str | None:
    """Insert a random punctuation mark at a random gap between words: the baseline SDA compares its rules with.

    The mark is one of the 32 ASCII ones, "all punctuation in English"; it comes right after a word, never after another mark or
    at the end. `marks` is how many are inserted, each at another gap (the paper does not say; 1).
    """
    gaps = [gap.start() for gap in compiled(_GAP).finditer(sentence)]
    chosen = rng.sample(gaps, min(marks, len(gaps)))
    return edited(sentence, [Edit(gap, gap, rng.choice(string.punctuation)) for gap in sorted(chosen)])


def _before_clause(parse: Parse, language: Language, as_published: bool) -> list[Edit]:
    """Return the comma before the first subordinate clause that begins inside the sentence."""
    for index, label in enumerate(parse.deps):
        opens_clause = parse.tokens[index] in language.clause_openers
        if not opens_clause and label not in language.clauses:
            continue
        first = index if opens_clause else parse.first(index)
        while first < index and _is_mark(parse, first):
            first += 1
        if first > 0 and (as_published or _may_pause(parse, first, index)) and _are_apart(parse, first, language):
            return [Edit(parse.end(first - 1), parse.end(first - 1), language.comma)]
    return []


def _may_pause(parse: Parse, first: int, clause: int) -> bool:
    """Return whether one may pause before a clause: not in "the way to go", "all I know", "what I know", "as soon as", "long before"."""
    label = parse.deps[clause]
    if label == "acl" or (label == "acl:relcl" and parse.word(first) == "that") or _JOINED.intersection(parse.tokens[first : first + 2]):
        return False
    if parse.tag(parse.last(clause) + 1) in FINITE_TAGS:
        return False  # a second comma would be needed at the end of the clause: "Those who came | left"
    has_opener = any(tag[0] == "W" or tag == "IN" for tag in parse.tags[first : first + 2])
    if label in ("acl:relcl", "ccomp") and parse.language == "en" and not has_opener:
        return False
    if parse.tags[first - 1] in ("IN", "WP", "WRB") or parse.tokens[first - 2].lower() == "as":
        return False
    modifies_opener = parse.word(first - 1) in _BEFORE_CONJUNCTION and relation_at(parse, first) in _MODIFIED
    return not (modifies_opener or _is_mark(parse, first - 1))


def _are_apart(parse: Parse, index: int, language: Language) -> bool:
    """Return whether the token begins a word, and is not the ending of the word before ("n't")."""
    return not language.join or index >= len(parse) or parse.starts[index] > parse.end(index - 1)


def _at_subject(parse: Parse, rng: Random, mark: SubjectMark, quotes: tuple[str, str], as_published: bool) -> list[Edit]:
    """Return the quotation marks around the first subject of a main clause, or the comma after it; as published, of any clause."""
    language = pack(parse.language)
    is_quoted = mark == "quotes" or (mark == "either" and rng.random() < 0.5)
    if as_published:
        subjects = [index for index in range(len(parse)) if parse.has_label(index, "nsubj")]
    else:
        subjects = [child for head in parse.roots() for child in parse.children(head, "nsubj")]
    if not subjects:
        return []
    subject = subjects[0]
    tokens = range(parse.first(subject), parse.last(subject) + 1)
    if not as_published:
        words = [index for index in tokens if index == subject or parse.tokens[index] not in language.inner_marks]
        tokens = range(words[0], words[-1] + 1)
        may_be_marked = _may_quote(parse, tokens) if is_quoted else _may_pause_after(parse, subject, tokens)
        if _is_cut(parse, tokens, language) or not may_be_marked:
            return []
    start, end = parse.span(tokens[0], tokens[-1])
    return [Edit(start, start, quotes[0]), Edit(end, end, quotes[1])] if is_quoted else [Edit(end, end, language.comma)]


def _is_cut(parse: Parse, subject: range, language: Language) -> bool:
    """Return whether the subject continues after what the parser took for it: "Canadian company | Teck", "cattle | and grain farmers"."""
    if _HYPHENATED.match(parse.text, parse.end(subject[-1])):
        return True
    joins = parse.pos(subject.stop) == "PROPN" or parse.tag(subject.stop) in ("CC", "POS")
    return not _is_mark(parse, subject.stop) and (joins or not _are_apart(parse, subject.stop, language))


def _may_quote(parse: Parse, subject: range) -> bool:
    """Return whether no quotation mark is in or next to the subject: in '"We came", he said' it would be unclear what is quoted."""
    start, end = parse.span(subject[0], subject[-1])
    return not _QUOTATION.search(parse.text, max(start - 1, 0), end + 1)


def _may_pause_after(parse: Parse, head: int, subject: range) -> bool:
    """Return whether a comma may follow the subject: in English, neither a pronoun ("It, is") nor in a question ("Is he, there?")."""
    is_unfit = parse.language == "en" and (parse.upos[head] == "PRON" or asks(parse, head))
    return not is_unfit and not _is_mark(parse, subject.stop)


def _double_mark(parse: Parse, rng: Random, language: Language, as_published: bool) -> list[Edit]:
    """Return the second copy of a random mark inside the sentence; as published, of the first one of any kind."""
    final = _final_mark(parse.text, language)
    inner = [index for index in range(len(parse) - 1) if parse.starts[index] != final]
    if as_published:
        doubled = [index for index in inner if _is_mark(parse, index) and not _in_word(parse, index, language)][:1]
    else:
        marks = [index for index in inner if parse.tokens[index] in language.inner_marks]
        free = [index for index in marks if not (_GLUED.match(parse.text, parse.end(index)) or abbreviates(parse, index))]
        doubled = [rng.choice(free)] if free else []
    return [Edit(parse.end(index), parse.end(index), parse.tokens[index]) for index in doubled]


def _in_word(parse: Parse, index: int, language: Language) -> bool:
    """Return whether the mark joins two parts of a word: "non-league"."""
    around = parse.text[max(parse.starts[index] - 1, 0) : parse.end(index) + 1]
    return bool(language.join or around.isascii()) and bool(re.fullmatch(r"\w.\w", around))


def _at_end(parse: Parse, language: Language, as_published: bool) -> list[Edit]:
    """Return the exclamation mark that replaces the final mark, doubles it, or is appended."""
    final = _final_mark(parse.text, language)
    if not parse.tokens or (final is None and as_published):
        return []
    if final is None:
        end = len(parse.text.rstrip())
        return [Edit(end, end, language.exclamation)]
    is_kept = parse.text[final] == language.exclamation or (not as_published and _STAYS.search(parse.text, 0, final + 1))
    return [Edit(final + 1 if is_kept else final, final + 1, language.exclamation)]


def _final_mark(text: str, language: Language) -> int | None:
    """Return the offset of the mark that ends the sentence, before closing quotation marks and brackets."""
    body = text.rstrip().rstrip(CLOSING)
    is_emoticon = body.endswith((":", ";")) and body != text.rstrip()
    return len(body) - 1 if body[-1:] in language.final_marks and not is_emoticon else None


def _is_mark(parse: Parse, index: int) -> bool:
    """Return whether a token is a mark; False for an index after the text."""
    return index < len(parse) and not any(character.isalnum() or character in "%$€£°" for character in parse.tokens[index])
