"""Contractions written out, or, in a sentence that has none, pairs drawn together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.text.edits import Edit, apply_edits, match_case
from augcse.augmentations.text.tables import data_rows

_DATA = Path(__file__).parent
_CONTRACTION = re.compile(r"(?<![\w'’])[A-Za-z]+(?:['’][A-Za-z]+)+(?![\w'’])")
_SECOND = re.compile(r" (not|is|are|am|have|will|would|NOT|IS|ARE|AM|HAVE|WILL|WOULD)(?![\w'’-])")
_FIRST = re.compile(r"(?<![\w'’.-])[A-Za-z]{1,6}\Z")
_NEXT_WORDS = re.compile(r"\s+([A-Za-z]+(?:['’][a-z]+)?)")
_PREVIOUS_WORD = re.compile(r"([A-Za-z'’]+)\s+\Z")
_PRONOUN = re.compile(r" (i|you|he|she|it|we|they|there|this|that|these|those|anyone|everyone|[A-Z][a-z]+(?= [a-z]))\b(?!['’])")
_TITLE = re.compile(r"[a-z] (?!I['’])[A-Z][a-z]*['’][a-z]+ [A-Z]")
_QUESTION = re.compile(r"[^.!?;]*\?")
_SUBJECTS = frozenset("i you he she it we they there".split())

_ADVERBS = frozenset(
    """already also always actually all almost apparently barely certainly clearly definitely either even ever finally
    generally hardly just largely long mainly mostly never nearly not now often once only probably quickly rarely
    really recently seldom simply since sometimes soon still surely then therefore thus truly usually""".split()
)
# Participles that no form of "be" precedes, and those that are not also the base form.
_ONLY_PERFECT = frozenset("been got gotten had happened lived become worked arrived".split())
_PARTICIPLES = frozenset(
    """been become begun broken brought built bought caught chosen done drawn driven drunk eaten fallen felt forgotten
    found flown given gone got gotten grown had heard held hidden kept known left lost made meant met paid ridden
    risen said seen sent shown slept sold spent spoken stood stolen sung taken taught thought thrown told understood
    won worn written""".split()
)
_BASES_IN_ED = frozenset("need feed seed speed exceed succeed proceed heed bleed breed embed shed wed".split())
_OBJECTS = frozenset("the a an my your his her its our their me you him them us it this these those some any".split())
_PASSIVE_WITH_OBJECT = frozenset("called named considered dubbed given shown made taught told paid".split())

# Drawing these together is possible and dated, or loses the reading.
_NOT_DRAWN = frozenset(
    """ain't can't've daren't here's how'd how'll how's it'd let's ma'am mightn't needn't oughtn't shan't that'd
    that'll there'd there'll there're they'd've what'll what're what've when's where'd where's where've who'd who'll
    who're who've why'd why's""".split()
)
_HAVE_PAIRS = frozenset(("i have", "you have", "we have", "they have"))
_QUESTIONS = frozenset(("what is", "who is"))
_UNDRAWN_MODALS = frozenset(("would have", "could have", "should have", "might have", "must have"))
_BEFORE_NO_CONTRACTION = frozenset("as than what whatever which where wherever how however who whoever so nor neither to".split())
_BEFORE_CLAUSE = frozenset(
    """although and because believe believed but feel felt hope how if know means said say says since so sure than that
    then think thinks thought though unless until when whether while yes no""".split()
)
_AFTER_NO_CONTRACTION = frozenset("and or but because if when than though although".split())
# The base form is the participle too, so that "'d" might be read as "had".
_SAME_PARTICIPLE = frozenset("become bet burst come cost cut hit hurt let overcome put quit run set shut split spread".split())
_AFTER_NOT = frozenset("only merely just simply so to".split())


@lru_cache(maxsize=1)
def _expansions() -> dict[str, str]:
    return {contraction: expansion for contraction, expansion in data_rows(_DATA / "contractions.tsv")}


@lru_cache(maxsize=1)
def _contractions() -> dict[str, str]:
    """Return the pairs that are drawn together, such as "is not"."""
    pairs = {long: short for short, long in _expansions().items() if short not in _NOT_DRAWN and long.count(" ") == 1}
    return {long: short for long, short in pairs.items() if long not in _UNDRAWN_MODALS} | {"can not": "can't"}


@augmentation(
    "ContractionExpansions",
    family="surface",
    meaning="highly_preserving",
    condition="a contraction, or words that contract",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter contraction_expansions; CheckList (Ribeiro et al. 2020)",
    example=Example("He often doesn't come to school.", "He often does not come to school."),
)
def contraction_expansions(sentence: str, rng: Random) -> str | None:
    """Write out the contractions ("doesn't" becomes "does not"); in a sentence without any, contract instead.

    All contractions of the sentence are written out, or all contractible pairs are contracted, left to right without
    overlap; "it is not" becomes "it isn't". Nothing is drawn from `rng`.

    Deviations from CheckList, so that the result reads well: `'s` and `'d` become "has", "had" where the next words
    ask for it; a question keeps its order ("Isn't he coming?" becomes "Is he not coming?", and is left alone when the
    subject is a longer phrase); "ain't" agrees with "I", "you", "we", "they"; possessives stay; a pair is not
    contracted at the end of its clause
    ("yes, he is."), nor where "it is" may be no constituent ("to do it is hard").
    """
    del rng
    if "'" in sentence or "’" in sentence:
        edits = list(_expand(sentence))
        if edits or any(_is_contraction(found[0]) for found in _CONTRACTION.finditer(sentence)):
            return apply_edits(sentence, edits) if edits else None
    edits = list(_contract(sentence))
    return apply_edits(sentence, edits) if edits else None


def _plain(word: str) -> str:
    return word.replace("’", "'").lower()


def _is_contraction(word: str) -> bool:
    return _plain(word) in _expansions()


def _next_words(text: str, position: int, count: int = 4) -> list[str]:
    words: list[str] = []
    while len(words) < count and (found := _NEXT_WORDS.match(text, position)):
        words.append(found[1].lower())
        position = found.end()
    return words


def _previous_word(text: str, position: int) -> str:
    found = _PREVIOUS_WORD.search(text, max(0, position - 30), position)
    return _plain(found[1]) if found else ""


def _expand(text: str) -> Iterator[Edit]:
    for found in _CONTRACTION.finditer(text):
        word = _plain(found[0])
        expansion = _expansions().get(word)
        if expansion is None or _TITLE.match(text, max(0, found.start() - 2)):
            continue
        if word.endswith("n't"):
            edit = _expand_negation(text, found, expansion)
            if edit is not None:
                yield edit
            continue
        long = _resolve(word, expansion, _next_words(text, found.end()))
        yield Edit(found.start(), found.end(), match_case(found[0], long))


def _expand_negation(text: str, found: re.Match[str], expansion: str) -> Edit | None:
    """Write out "n't"; in a question, "not" goes after the subject, and None is returned when that is not one word."""
    subject = _previous_word(text, found.start())
    auxiliary = _agree(expansion, subject) if _plain(found[0]) == "ain't" else expansion
    inverted = _PRONOUN.match(text, found.end())
    if subject in _SUBJECTS or not (inverted or _asks(text, found, subject)):
        return Edit(found.start(), found.end(), match_case(found[0], auxiliary))
    if inverted is None or (inverted[1] in ("this", "that", "these", "those") and _NEXT_WORDS.match(text, inverted.end())):
        return None
    if inverted[1] == "I" or (inverted[1].lower() not in _SUBJECTS and not _asks(text, found, subject)):
        return None
    auxiliary = "am not" if auxiliary == "are not" and inverted[1] == "I" else auxiliary
    verb = "can" if auxiliary == "cannot" else auxiliary.removesuffix(" not")
    return Edit(found.start(), inverted.end(), match_case(found[0], verb) + inverted[0] + " not")


def _agree(expansion: str, subject: str) -> str:
    return {"i": "am not", "you": "are not", "we": "are not", "they": "are not"}.get(subject, expansion)


def _asks(text: str, found: re.Match[str], before: str) -> bool:
    """Tell whether the negated auxiliary opens a question: "Don't the boys", "why don't people"."""
    opens = before in ("why", "when", "where", "how", "and", "but", "so", "or", "well") or not text[: found.start()].strip(" \"'“‘-")
    opens = opens or text[: found.start()].rstrip().endswith((",", ".", "!", "?", ":", ";"))
    return opens and _QUESTION.match(text, found.end()) is not None


def _resolve(word: str, expansion: str, following: list[str]) -> str:
    """Return the expansion of `word` before the words `following`: "he's been" is "he has been"."""
    rest = [following[place] for place in range(len(following)) if set(following[: place + 1]) - _ADVERBS]
    verb, after = (rest[0], rest[1] if len(rest) > 1 else "") if rest else ("", "")
    if word.endswith("'s") and expansion.endswith(" is"):
        return expansion.removesuffix("is") + "has" if _perfect(verb, after) else expansion
    if word.endswith("'d") and expansion.endswith(" would"):
        past = verb in _PARTICIPLES or verb in ("better", "best") or (verb.endswith("ed") and verb not in _BASES_IN_ED)
        return expansion.removesuffix("would") + "had" if past else expansion
    return expansion


def _perfect(verb: str, after: str) -> bool:
    if verb in _ONLY_PERFECT:
        return True
    participle = verb in _PARTICIPLES or (verb.endswith("ed") and verb not in _BASES_IN_ED)
    return participle and after in _OBJECTS and verb not in _PASSIVE_WITH_OBJECT


def _contract(text: str) -> Iterator[Edit]:
    end = 0
    mark = "’" if "’" in text else "'"
    for second in _SECOND.finditer(text):
        first = _FIRST.search(text, max(0, second.start() - 8), second.start())
        pair = f"{first[0]}{second[0]}" if first else ""
        short = _contractions().get(pair.lower())
        if first is None or short is None or first.start() < end or not _joins(text, first, second):
            continue
        end = second.end()
        yield Edit(first.start(), end, match_case(pair, short).replace("'", mark))
    yield from _contract_cannot(text, mark)


def _contract_cannot(text: str, mark: str) -> Iterator[Edit]:
    for found in re.finditer(r"\b[Cc]annot\b(?! (?:only|help but)\b)", text) if "annot" in text else ():
        yield Edit(found.start(), found.end(), match_case(found[0], f"can{mark}t"))


def _joins(text: str, first: re.Match[str], second: re.Match[str]) -> bool:
    pair = f"{first[0]}{second[0]}".lower()
    following = _next_words(text, second.end(), 2)
    if pair.endswith(" not"):
        return not following or following[0] not in _AFTER_NOT
    before = _previous_word(text, first.start())
    if not following or following[0] in _AFTER_NO_CONTRACTION or before in _BEFORE_NO_CONTRACTION:
        return False
    if (following[0] == "not" and f"{second[1]} not".lower() in _contractions()) or (pair in _QUESTIONS and following[0] == "it"):
        return False
    if second[0].lower() == " would" and following[0] in _SAME_PARTICIPLE:
        return False
    if pair == "that is" and text[: first.start()].rstrip().endswith((",", "(")):
        return False  # the parenthesis "that is"
    if first[0].isupper() and len(first[0]) > 1:
        return False  # "IT will", "US"
    if pair in _HAVE_PAIRS and not any(_is_participle(word) for word in following[: 2 if following[0] in _ADVERBS else 1]):
        return False
    return first[0].lower() in ("i", "he", "she", "we", "they") or _opens_clause(text, first.start(), before)


def _is_participle(word: str) -> bool:
    return word in _PARTICIPLES or (word.endswith("ed") and word not in _BASES_IN_ED)


def _opens_clause(text: str, position: int, before: str) -> bool:
    head = text[:position].rstrip()
    return not head or head[-1] in ",;:.?!\"'“”(—" or before in _BEFORE_CLAUSE
