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
from augcse.augmentations.english.clause import FINITE_TAGS, VERB_WORDS
from augcse.augmentations.english.phrase import abbreviates
from augcse.augmentations.rules.noise.punctuation.language import Language, pack
from augcse.augmentations.text.edits import Edit, edited
from augcse.augmentations.text.marks import compiled
from augcse.options import Count

Mode = Literal["random", "sequential", "fallback"]
SubjectMark = Literal["either", "quotes", "comma"]
Fidelity = Literal["grammatical", "paper"]
QuotationMark = Annotated[str, Field(min_length=1, max_length=2, description="an opening quotation mark")]
_CLOSING = "\"'`”’)]»』」）】》"
_CLOSING_QUOTE = {"“": "”", "‘": "’", "«": "»", "„": "“", "「": "」", "『": "』"}
# A question stays one, an abbreviation whole, and an ellipsis too: "Why?!", "in Washington, D.C.!", "Well...!"
_STAYS = re.compile(r"(?:[?？]|\.\w?\.)\Z")
# What follows a mark within a word or a run of marks: "non-league", "Va.,".
_GLUED = re.compile("[A-Za-z0-9.,;:-]")
# "The way to go", "the idea of going", "older than": nothing to pause before.
_JOINED = frozenset("about for of on than to with".split())
_QUOTATION = re.compile('["“”„«»「」『』]')
# The rest of a word of which a part was read as the subject: "shares in Rolls | -Royce".
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
    fidelity: Fidelity = "grammatical",
) -> str | None:
    """Insert punctuation by one of SDA's rules: a comma at a clause, marks at the subject, an inner mark doubled, or an exclamation mark.

    (1) A comma before a subordinate clause; (2) quotation marks around the subject of the main clause, or a comma
    after it (`subject`: either, quotes, comma); (3) a mark inside the sentence doubled; (4) the final mark turned
    into "!". Marks are those of the text's language; `quote` sets another opening quotation mark.
    `mode="random"` (the default) draws one rule, and the sentence stays as it is if that rule does not apply;
    "sequential" is the chain of Algorithm 1, the first rule that applies; "fallback" tries the rules in random order, as the
    released code. Deviations: xcomp is no clause here (the released code takes it), nor what follows without a pause; a question
    keeps its mark; clauses and subjects are the edges of their subtrees (the released code looks words up by their spelling).
    `fidelity="paper"` is Algorithm 1 as printed ("sequential" unless `mode` says otherwise): the comma stands before a
    clause even after another mark, any noun subject of the sentence counts, the first mark is doubled, and a sentence
    without a final mark stays as it is. A clause that opens the sentence has nothing to be set off from: deviation, since
    the printed position would put a comma before the first word.
    """
    language, printed = pack(parse.language), fidelity == "paper"
    marks = (quote, _CLOSING_QUOTE.get(quote, quote)) if quote else language.quotes
    rules: list[Callable[[], list[Edit]]] = [
        lambda: _before_clause(parse, language, printed),
        lambda: _at_subject(parse, rng, subject, marks, printed),
        lambda: _double_mark(parse, rng, language, printed),
        lambda: _at_end(parse, language, printed),
    ]
    mode = mode or ("sequential" if printed else "random")
    if mode == "random":
        rules = [rng.choice(rules)]
    elif mode == "fallback":
        rng.shuffle(rules)
    edits = next((edits for rule in rules if (edits := rule())), None)
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

    The mark is one of the 32 ASCII ones, "all punctuation in English"; it stands right after a word, never after another mark or
    at the end. `marks` is how many are inserted, each at a gap of its own (the paper does not say; 1).
    """
    gaps = [found.end() for found in compiled(_GAP).finditer(sentence)]
    chosen = rng.sample(gaps, min(marks, len(gaps)))
    return edited(sentence, [Edit(gap, gap, rng.choice(string.punctuation)) for gap in sorted(chosen)])


def _before_clause(parse: Parse, language: Language, printed: bool) -> list[Edit]:
    """Return the comma before the first subordinate clause that begins inside the sentence."""
    for index, label in enumerate(parse.deps):
        opens = parse.tokens[index] in language.clause_openers
        if not opens and label not in language.clauses:
            continue
        first = index if opens else parse.first(index)
        while first < index and _is_mark(parse, first):
            first += 1
        if first > 0 and (printed or _may_pause(parse, first, index)) and _are_apart(parse, first, language):
            return [Edit(parse.end(first - 1), parse.end(first - 1), language.comma)]
    return []


def _may_pause(parse: Parse, first: int, clause: int) -> bool:
    """Tell whether one may pause before a clause, unlike in "the way to go", "all I know", "what I know", "as soon as", "long before"."""
    label = parse.deps[clause]
    if label == "acl" or (label == "acl:relcl" and parse.word(first) == "that") or _JOINED.intersection(parse.tokens[first : first + 2]):
        return False
    if parse.tag(parse.last(clause) + 1) in FINITE_TAGS:
        return False  # "Those who came | left": a second comma would be needed
    opened = any(tag[0] == "W" or tag == "IN" for tag in parse.tags[first : first + 2])
    if label in ("acl:relcl", "ccomp") and parse.language == "en" and not opened:
        return False
    if parse.tags[first - 1] in ("IN", "WP", "WRB") or parse.tokens[first - 2].lower() == "as":
        return False
    belongs = parse.word(first - 1) in VERB_WORDS["BEFORE_CONJUNCTION"] and parse.word(first) in VERB_WORDS["MODIFIED_CONJUNCTION"]
    return not (belongs or _is_mark(parse, first - 1))


def _are_apart(parse: Parse, index: int, language: Language) -> bool:
    """Tell whether the word begins a word, and is not the ending of the one before ("n't")."""
    return not language.join or index >= len(parse) or parse.starts[index] > parse.end(index - 1)


def _at_subject(parse: Parse, rng: Random, mark: SubjectMark, quotes: tuple[str, str], printed: bool) -> list[Edit]:
    """Return the quotation marks around the first subject of a main clause, or the comma after it."""
    language = pack(parse.language)
    quoted = mark == "quotes" or (mark == "either" and rng.random() < 0.5)
    found = range(len(parse)) if printed else (child for head in parse.roots() for child in parse.children(head, "nsubj"))
    subject = next((index for index in found if parse.has_label(index, "nsubj")), None)
    if subject is None:
        return []
    inside = range(parse.first(subject), parse.last(subject) + 1)
    words = [index for index in inside if printed or index == subject or parse.tokens[index] not in language.inner_marks]
    first, last = words[0], words[-1]
    before_mark = last + 1 < len(parse) and _is_mark(parse, last + 1)
    # "n't" is no word of its own; in "Canadian company Teck" and "cattle and grain farmers" the subject goes on.
    belongs = parse.pos(last + 1) == "PROPN" or parse.tag(last + 1) in ("CC", "POS")
    goes_on = not before_mark and (belongs or not _are_apart(parse, last + 1, language))
    start, end = parse.span(first, last)
    if not printed and (goes_on or _HYPHENATED.match(parse.text, end)):
        return []
    if quoted and not printed and _QUOTATION.search(parse.text, max(start - 1, 0), end + 1):
        return []  # "We came", he said: a quotation in another, or within the subject, would be in doubt
    if quoted:
        return [Edit(start, start, quotes[0]), Edit(end, end, quotes[1])]
    # "It, is" would be a comma after something that is no noun, "is the man, there?" one inside the clause.
    unfit = parse.language == "en" and (parse.upos[subject] == "PRON" or parse.text.rstrip().endswith("?"))
    return [] if (unfit or before_mark) and not printed else [Edit(end, end, language.comma)]


def _double_mark(parse: Parse, rng: Random, language: Language, printed: bool) -> list[Edit]:
    """Return the second copy of a random mark inside the sentence; as printed, of the first one of any kind."""
    final = _final_mark(parse.text, language)
    indices = [
        index
        for index, token in enumerate(parse.tokens[:-1])
        if (_is_mark(parse, index) if printed else token in language.inner_marks)
        and parse.starts[index] != final
        and not (_in_word(parse, index, language) if printed else _GLUED.match(parse.text, parse.end(index)) or abbreviates(parse, index))
    ]
    if not indices:
        return []
    chosen = indices[0] if printed else rng.choice(indices)
    return [Edit(parse.end(chosen), parse.end(chosen), parse.tokens[chosen])]


def _in_word(parse: Parse, index: int, language: Language) -> bool:
    """Tell whether the mark joins two parts of a word: "non-league"."""
    around = parse.text[max(parse.starts[index] - 1, 0) : parse.end(index) + 1]
    return bool(language.join or around.isascii()) and bool(re.fullmatch(r"\w.\w", around))


def _at_end(parse: Parse, language: Language, printed: bool) -> list[Edit]:
    """Return the exclamation mark that replaces the final mark, doubles it, or is appended."""
    final, end, mark = _final_mark(parse.text, language), len(parse.text.rstrip()), language.exclamation
    if not parse.tokens or (final is None and printed):
        return []
    if final is None:
        return [Edit(end, end, mark)]
    stays = parse.text[final] == mark or (not printed and _STAYS.search(parse.text, 0, final + 1))
    return [Edit(final + bool(stays), final + 1, mark)]


def _final_mark(text: str, language: Language) -> int | None:
    """Return the offset of the mark that ends the sentence, before closing quotation marks and brackets."""
    body = text.rstrip().rstrip(_CLOSING)
    is_emoticon = body.endswith((":", ";")) and body != text.rstrip()
    return len(body) - 1 if body[-1:] in language.final_marks and not is_emoticon else None


def _is_mark(parse: Parse, index: int) -> bool:
    return not any(character.isalnum() or character in "%$€£°" for character in parse.tokens[index])
