"""SentenceSubjectObjectSwitch, YodaPerturbation and SentenceReordering: the same phrases or sentences in another order."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.capital import opening_case
from augcse.augmentations.caution import resists_exchange
from augcse.augmentations.edit import Edit, apply_edits
from augcse.augmentations.phrase import (
    FINITE_TAGS,
    OBJECT_FORM,
    PARENTHETICAL,
    SUBJECT_FORM,
    Tree,
    agreeing_form,
    agrees,
    is_balanced,
    is_finite,
    is_plural,
    lower_first,
    raise_first,
    recased,
    slice_text,
    words_only,
)

_CLAUSES = ("ROOT", "conj", "ccomp", "advcl", "parataxis")
_INTRANSITIVE = frozenset("go come die appear arrive happen exist occur live sit stand fall rise rank debut seem wait begin start".split())
# Their object is the subject of the infinitive behind it, even where the parser hangs that on the object.
_CAUSING = frozenset("allow enable cause force require ask tell permit help lead encourage want persuade order expect get".split())
# "Place took the wedding", "three years lasted the war" are no sentences.
_MEASURING = frozenset("last weigh cost measure number total take stand span become remain be spend average".split())
_IDIOMS = frozenset(
    "place part care advantage account note charge effect precedence root aim shape sense way home rise fun use umbrage debut birth"
    " battle notice control possession credit heed issue office".split()
)
# What a phrase of these prepositions hangs on is in doubt; "the author of the book" is one phrase whoever parses it.
_BOUND = frozenset("of for between about against among on".split())
# Behind a noun, a phrase of any other preposition may be the noun's, which is torn where the parser hangs it on the verb.
_UNBOUND = frozenset("during since until till after before throughout despite although because while if though when via into onto".split())
_MEASURES = frozenset(
    "year month week day hour minute second time decade century kilometre kilometer km metre meter m mile foot acre hectare percent"
    " % degree pound kg gram ton tonne season age way".split()
)
_STRAY_LABELS = frozenset({"dep", "list", "discourse", "vocative", "parataxis", "goeswith", "obl", "obl:unmarked"})
_STOPS = frozenset({".", ";", ":", "!", "?", "...", "…"})
_UNFINISHED = frozenset({"VBN", "VBD", "VB", "VBP", "MD", "DT", "CC", "TO", "PRP$", "HYPH", "WP", "WDT", "WRB", "IN"})
# A clause or bracket behind a noun phrase is part of it, whatever the parser says.
_LEFT_BEHIND = frozenset({"that", "than", "which", "who", "whose", "whom", "whether", "("})
_NOMINAL_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "CD", "DT", "PRP$", "POS", "$", "``"})
_HEAD_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT"})
_BEFORE_VERB_TAGS = frozenset({"RB", "RBR", ","})
_BEHIND_VERB_TAGS = frozenset({"RB", "RP", "``"})
_GOING_ON = frozenset({"VB", "VBG", "VBN", "JJ", "RP", "WRB", "WDT", "WP", "DT", "NN", "NNS", "NNP", "CD"})
_DASHES = frozenset({"—", "–", "-", "--", "―", ":", "(", "["})
_MONTHS = frozenset("January February March April May June July August September October November December".split())
_REFLEXIVES = frozenset("myself yourself himself herself itself oneself ourselves yourselves themselves each another".split())


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase as a stretch of tokens; `open_comma`: it ends in a parenthetical that needs a closing comma inside a sentence."""

    head: int
    first: int
    last: int
    open_comma: bool


@augmentation(
    "SentenceSubjectObjectSwitch",
    family="syntax",
    meaning="alteration",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter subject_object_switch (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("He has two old friends.", "Two old friends have him."),
)
def sentence_subject_object_switch(parse: Parse, rng: Random) -> str | None:
    """Exchange the subject and the object of a clause, so that who does what to whom is reversed.

    The main clause comes first, else the first subordinate one that has both; deterministic. Whole noun phrases move, with
    their relative clauses; pronouns change their case, the verb its number, the first word of the sentence its capital. In the
    passive, the agent behind "by" is the object. Left alone: reflexives, measures ("lasted three years"), idioms
    ("took place"), questions, and clauses whose parse leaves the phrases' bounds in doubt.
    """
    tree = Tree(parse)
    clauses = [index for index in range(len(parse)) if parse.has_label(index, *_CLAUSES)]
    for clause in sorted(clauses, key=lambda index: (parse.deps[index] != "ROOT", index)):
        edits = _switch(tree, clause)
        if edits:
            return apply_edits(parse.text, edits)
    return None


def _switch(tree: Tree, clause: int) -> list[Edit]:
    roles = _roles(tree, clause)
    if roles is None or _resists(tree, clause, roles[1]):
        return []
    subject, other, passive = roles
    one, two = _noun_phrase(tree, subject), _noun_phrase(tree, other, behind_preposition=passive)
    if one is None or two is None or not one.last < clause < two.first or not _is_closed(tree.parse, clause, one, two):
        return []
    if _is_torn(tree, clause, one, two) or (_opens_sentence(tree.parse, one.first) and opening_case(tree.parse, one.first) == "doubt"):
        return []
    if resists_exchange(tree, clause, ((subject, one.first, one.last), (other, two.first, two.last))):
        return []
    verbs = _verb_edits(tree, clause, subject, other)
    return [] if verbs is None else [*verbs, *_exchange(tree, one, two)]


def _is_closed(parse: Parse, clause: int, one: NounPhrase, two: NounPhrase) -> bool:
    """Tell whether the commas around the phrases are their own."""
    if two.last + 1 < len(parse) and parse.tags[two.last + 1] in FINITE_TAGS | {"VBN"}:
        return False
    comma = parse.tokens[one.last + 1] == ","
    return comma == one.open_comma and (parse.deps[clause] == "ROOT" or not two.open_comma)


def _is_torn(tree: Tree, clause: int, one: NounPhrase, two: NounPhrase) -> bool:
    """Tell whether a part of one of the phrases may stand outside of it, or what is none of its parts in it."""
    parse = tree.parse
    first_verb = min([clause, *tree.children(clause, "aux", "cop")])
    between = parse.tags[clause + 1 : two.first] if parse.deps[one.head] == "nsubj" else ()
    if not _BEFORE_VERB_TAGS.issuperset(parse.tags[one.last + 1 : first_verb]) or not _BEHIND_VERB_TAGS.issuperset(between):
        return True
    joined = one.first > 1 and parse.tags[one.first - 1] == "CC"
    if joined and (parse.heads[one.first - 1] != clause or parse.deps[clause] == "ROOT"):
        return True
    if any(_is_unbound(parse, place) for place in range(two.first, two.last + 1)) or _is_foreign_agent(tree, clause, one, two):
        return True
    if parse.tags[two.last].startswith("JJ") or parse.tokens[two.first - 2].lower() in ("either", "both"):
        return True
    return _has_loose_comma(tree, one) or _has_loose_comma(tree, two) or _goes_on(tree, clause, two.last + 1)


def _is_unbound(parse: Parse, place: int) -> bool:
    """Tell whether a word of the object may not be the object's: a preposition of time or place, a second noun phrase."""
    word, tag = parse.tokens[place].lower(), parse.tags[place]
    if word in ("nor", "neither") or (tag == "NNS" and parse.tags[place + 1 : place + 2] == ("NN",)):
        return True
    if tag != "IN" or (parse.deps[place] == "mark" and word != "from"):
        return False
    return word not in _BOUND or parse.tokens[place + 1] in _MONTHS


def _is_foreign_agent(tree: Tree, clause: int, one: NounPhrase, two: NounPhrase) -> bool:
    """Tell whether the words behind "by" may belong to another verb or noun: "supported by him", "writings by him"."""
    parse = tree.parse
    if parse.deps[one.head] != "nsubj:pass":
        return False
    between = range(clause + 1, two.first - 1)
    return parse.tags[two.first - 2] in ("NN", "NNS") or any(parse.tags[place] == "VBN" or parse.tokens[place] == "by" for place in between)


def _has_loose_comma(tree: Tree, phrase: NounPhrase) -> bool:
    """Tell whether a comma stands in a coordination without "and": the second half may be an apposition."""
    parse = tree.parse
    for place in range(phrase.first, phrase.last + 1):
        conjuncts = tree.children(place, "conj")
        if conjuncts and not any(tree.children(conjunct, "cc") for conjunct in conjuncts):
            return True
    return parse.tokens[phrase.first : phrase.last + 1].count(",") == 1 and not phrase.open_comma


def _goes_on(tree: Tree, clause: int, place: int) -> bool:
    """Tell whether the words from `place` on may belong to the object before them."""
    parse = tree.parse
    if place < len(parse) and parse.tokens[place] == "," and place + 1 < len(parse):
        place += 1
    if place >= len(parse):
        return False
    word, tag = parse.tokens[place].lower(), parse.tags[place]
    if word in _DASHES or tag in _GOING_ON or parse.tokens[place : place + 2] == ("as", "well") or _hangs_behind(parse, place):
        return True
    if tag in ("IN", "TO") and word not in _UNBOUND:
        # Nothing hangs on a pronoun or on a bare name.
        return parse.tags[place - 1] not in ("PRP", "NNP") and not _is_adverbial(tree, clause, place)
    if tag != "CC":
        return False
    conjunct = parse.heads[place]
    verbs = [conjunct, *tree.children(conjunct, "aux", "cop")]
    return parse.deps[conjunct] != "conj" or not any(is_finite(tree, verb) or parse.tags[verb] == "MD" for verb in verbs)


def _hangs_behind(parse: Parse, place: int) -> bool:
    """Tell whether a relative clause about a person stands further on: it may be about the one that moves."""
    stretch = parse.tokens[place:]
    return any(token in ("who", "whose", "whom") and stretch[index - 1] == "," for index, token in enumerate(stretch) if index)


def _is_adverbial(tree: Tree, clause: int, place: int) -> bool:
    """Tell whether a preposition opens a time, or the way a thing is done: what hangs on no noun."""
    parse, noun = tree.parse, tree.parse.heads[place]
    if parse.heads[noun] != clause:
        return False
    return parse.tags[noun] == "CD" or parse.tokens[noun] in _MONTHS or (parse.tags[noun] == "VBG" and parse.tokens[place] == "by")


def _roles(tree: Tree, clause: int) -> tuple[int, int, bool] | None:
    """Return the head of the subject, that of the object or agent, and whether the clause is passive."""
    subjects = tree.children(clause, "nsubj")
    if len(subjects) != 1 or tree.children(clause, "expl", "iobj", "cop") or not tree.parse.tags[clause].startswith("VB"):
        return None
    passive = tree.parse.deps[subjects[0]] == "nsubj:pass"
    objects = tree.children(clause, "obl:agent" if passive else "obj")
    if passive and not tree.children(clause, "aux:pass"):
        return None
    return (subjects[0], objects[0], passive) if len(objects) == 1 else None


def _resists(tree: Tree, clause: int, other: int) -> bool:
    parse = tree.parse
    verb, noun = parse.lemmas[clause].lower(), parse.lemmas[other].lower()
    if verb in _INTRANSITIVE or (verb in _CAUSING and tree.children(other, "acl")):
        return True
    if verb in _MEASURING and (noun in _MEASURES or verb in ("last", "become", "remain", "be", "number", "total")):
        return True
    if noun in _IDIOMS and not tree.children(other, "det", "amod", "nmod:poss"):
        return True
    stretch = {token.lower() for token in parse.tokens[tree.first(clause) : tree.last(clause) + 1]}
    return bool(_REFLEXIVES & stretch) or "?" in stretch


def _noun_phrase(tree: Tree, head: int, *, behind_preposition: bool = False) -> NounPhrase | None:
    parse = tree.parse
    if parse.tags[head] not in _HEAD_TAGS or parse.tokens[head].lower() == "that" or parse.tokens[head].endswith("ly"):
        return None
    first, last = tree.first(head), tree.last(head)
    if behind_preposition:
        bare = parse.tags[head] == "NN" and head == first + 1
        if bare or first == head or not tree.parse.has_label(first, "case") or parse.tokens[first].lower() != "by":
            return None
        first += 1
    elif tree.children(head, "case") or (first > 0 and parse.deps[first - 1] == "case"):
        return None
    if any(tree.children(conjunct, "case") for conjunct in tree.children(head, "conj")):
        return None
    stretch = words_only(parse, first, last)
    if not tree.is_contiguous(head) or stretch is None or _is_doubtful(tree, *stretch):
        return None
    return NounPhrase(head, *stretch, _has_open_comma(tree, head, stretch[1]))


def _is_doubtful(tree: Tree, first: int, last: int) -> bool:
    """Tell whether the stretch is no whole noun phrase: a neighbouring noun, an adverb in front, a half pair of brackets."""
    parse = tree.parse
    below = {parse.deps[place] for place in range(first, last + 1)}
    marks = {parse.tokens[place] for place in range(first, last + 1)}
    if below & _STRAY_LABELS or marks & _STOPS or not is_balanced(slice_text(parse, first, last)):
        return True
    if parse.tags[last] in _UNFINISHED and last > first:
        return True
    return _opens_oddly(parse, first, last) or _has_stray_neighbour(parse, first, last) or _is_list(tree, first, last)


def _opens_oddly(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the stretch begins with what begins no noun phrase: a preposition, a relative, an adverb of the sentence."""
    tag, following = parse.tags[first], parse.tags[min(first + 1, last)]
    if tag in ("IN", "CC") or tag.startswith("W") or parse.tokens[first].lower() == "that":
        return True
    if tag == "PRP" and first != last and following not in ("CC", ","):
        return True
    if tag == "RB" and parse.heads[first] == parse.heads[min(first + 1, last)]:
        return True
    return parse.has_label(first, "advmod") and following not in ("CD", "DT", "PDT", "JJ")


def _has_stray_neighbour(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the word before or behind belongs to the phrase by its looks: the parser has cut it short."""
    before = parse.tags[first - 1] if first > 0 else "."
    reduced = before.startswith("VB") and parse.deps[first - 1] == "acl"
    if before in _NOMINAL_TAGS or (reduced and parse.heads[first - 1] != parse.heads[last]):
        return True
    if before == "," and parse.tags[first - 2 : first - 1] == ("JJ",):
        return True  # "the long, cold winter"
    if first in (1, 2) and parse.tokens[first - 1] == ".":
        return True  # behind an abbreviation
    if last + 1 >= len(parse):
        return False
    start, end = parse.starts[first], parse.end(last)
    if set("-/") & {parse.text[end], parse.text[start - 1] if start else ""}:
        return True
    if _LEFT_BEHIND & {token.lower() for token in parse.tokens[last + 1 : last + 2 + (parse.tokens[last + 1] == ",")]}:
        return True
    behind = parse.tags[last + 1]
    if behind == "," and last + 2 < len(parse):
        behind = parse.tags[last + 2] if parse.tokens[last + 2][0].islower() else "NNP"
    return behind in _NOMINAL_TAGS


def _is_list(tree: Tree, first: int, last: int) -> bool:
    """Tell whether the phrase may be a list the parser has taken for an apposition, or two phrases it has taken for one."""
    parse = tree.parse
    for place in range(first, last + 1):
        if parse.deps[place] == "appos" and tree.children(place, "conj"):
            return True
        if parse.tags[place] == "DT" and place > first and parse.tags[place - 1].startswith("NN"):
            return True
    return False


def _has_open_comma(tree: Tree, head: int, last: int) -> bool:
    """Tell whether the phrase ends in an apposition or clause set off by a comma: "John, the mayor"."""
    parse = tree.parse
    commas = _commas(parse, head, last)
    if commas and "conj" not in parse.deps[head : last + 1]:
        return True
    for place in range(head + 1, last + 1):
        closes = parse.deps[place] in PARENTHETICAL and tree.last(place) >= last and parse.tokens[tree.first(place)] not in ("(", "[")
        if closes and any(comma <= tree.first(place) for comma in commas):
            return True
    return False


def _commas(parse: Parse, first: int, last: int) -> list[int]:
    """Return the commas of a stretch that stand outside of brackets."""
    found, depth = [], 0
    for place in range(first, last + 1):
        depth += (parse.tokens[place] in "([") - (parse.tokens[place] in ")]")
        if parse.tokens[place] == "," and depth == 0:
            found.append(place)
    return found


def _verb_edits(tree: Tree, clause: int, subject: int, other: int) -> list[Edit] | None:
    """Return the edits that make the verbs agree with their new subject; None if one cannot be told."""
    parse = tree.parse
    if not agrees(tree, subject, sorted([*tree.children(clause, "aux", "cop"), clause])[0]):
        return None
    plural = is_plural(tree, other)
    first_person = parse.tokens[other].lower() == "me"
    edits = []
    for verb in [clause, *(place for place in tree.children(clause, "conj") if not tree.children(place, "nsubj", "expl"))]:
        group = sorted([*tree.children(verb, "aux", "cop"), verb])
        finite = group[0]
        if verb == clause and (finite < subject or not is_finite(tree, finite)):
            return None
        form = agreeing_form(parse, finite, plural, first_person)
        if form is None:
            return None
        if form != parse.tokens[finite]:
            edits.append(Edit(parse.starts[finite], parse.end(finite), form))
    return edits


def _exchange(tree: Tree, subject: NounPhrase, other: NounPhrase) -> list[Edit]:
    parse = tree.parse
    raised = slice_text(parse, other.first, other.last, _recased(tree, other.head, SUBJECT_FORM))
    lowered = slice_text(parse, subject.first, subject.last, _recased(tree, subject.head, OBJECT_FORM))
    if _opens_sentence(parse, subject.first):
        raised = raise_first(raised, parse.tokens[subject.first])
        lowered = lower_first(parse, subject.first, lowered)
    edits = [_placed(parse, subject, raised, other.open_comma), _placed(parse, other, lowered, subject.open_comma)]
    if subject.open_comma and not other.open_comma:
        edits.append(Edit(parse.end(subject.last), parse.end(subject.last + 1), ""))
    return edits


def _recased(tree: Tree, head: int, forms: dict[str, str]) -> list[tuple[int, str]]:
    return recased(tree.parse, [head, *tree.children(head, "conj")], forms)


def _opens_sentence(parse: Parse, index: int) -> bool:
    before = [token for token in parse.tokens[max(0, index - 2) : index] if token not in ('"', "“", "(", "'", "‘", "``")]
    return not before or before[-1] in (".", "!", "?", ":")


def _placed(parse: Parse, place: NounPhrase, text: str, open_comma: bool) -> Edit:
    """Put `text` in the place of a noun phrase, with a closing comma where one is due."""
    follower = parse.tokens[place.last + 1] if place.last + 1 < len(parse) else "."
    return Edit(parse.starts[place.first], parse.end(place.last), text + "," * (open_comma and follower[0].isalnum()))
