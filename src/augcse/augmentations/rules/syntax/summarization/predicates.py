"""Whether the predicate noun or adjective that a telegram keeps says too little alone, or is not the one the copula has."""

from __future__ import annotations

from augcse.augmentations.rules.syntax.summarization.noun_words import chunk_end
from augcse.augmentations.rules.syntax.summarization.nouns import NOUN_TAGS
from augcse.augmentations.rules.syntax.summarization.telegram import SUBJECTS, Telegram
from augcse.augmentations.rules.syntax.summarization.word_lists import ANNOUNCED, EMPTY_PREDICATES, NEEDY_ADJECTIVES, SAID_TO

_OPENING_TAGS = NOUN_TAGS | {"DT", "PDT", "PRP", "PRP$", "CD", "JJ", "JJR", "JJS", "$", "RB", "WP", "WDT"}


def lacks_predicate(telegram: Telegram, clause: int) -> bool:
    """Tell whether the predicate at `clause` says nothing alone or is cut short."""
    if telegram.lemma(clause) in EMPTY_PREDICATES or _stands_for_clause(telegram, clause):
        return True
    if telegram.tag(clause).startswith(("JJ", "V")):
        return _lacks_relation(telegram, clause)
    cases = {telegram.word(place) for place in telegram.tree.children(clause, "case")}
    if "to" in cases or (cases and (_is_cleft(telegram, clause) or telegram.tag(clause + 1) == "TO")):
        return True
    return _is_cut_short(telegram, clause)


def _lacks_relation(telegram: Telegram, clause: int) -> bool:
    """Tell whether an adjective stays without what it is said of: "is identical", "is responsible for the team winning"."""
    lemma, following = telegram.lemma(clause), clause + 1
    said_of = telegram.keeps_behind(clause)
    if telegram.tag(max(telegram.places) + 1) == "VBG" or (lemma in NEEDY_ADJECTIVES and not said_of):
        return True
    if (not said_of and telegram.tag(following) in _OPENING_TAGS - {"RB"}) or (
        lemma in SAID_TO and telegram.word(following) not in ("to", "with")
    ):
        return True
    if following in telegram.places or telegram.tag(following) not in ("IN", "TO"):
        return False
    return telegram.tag(following) == "TO" or lemma in NEEDY_ADJECTIVES or telegram.tag(following + 1) == "VBG"


def _has_it(telegram: Telegram, clause: int) -> bool:
    return any(telegram.word(place) == "it" for place in telegram.tree.children(clause, *SUBJECTS))


def _stands_for_clause(telegram: Telegram, clause: int) -> bool:
    """Tell whether "it" stands for a clause after the predicate: "it is unclear where he went"."""
    if not _has_it(telegram, clause) or (telegram.tag(clause).startswith("JJ") and telegram.keeps_behind(clause)):
        return False
    return telegram.tag(clause + 1) in ("WRB", "WP", "TO") or telegram.word(clause + 1) in ANNOUNCED


def _is_cleft(telegram: Telegram, clause: int) -> bool:
    """Tell whether "it was in Paris that he died" would lose its second half."""
    behind = {telegram.word(place) for place in range(clause, len(telegram.tree.parse))}
    return _has_it(telegram, clause) and bool({"that", "who", "when", "where"} & behind)


def _is_cut_short(telegram: Telegram, clause: int) -> bool:
    """Tell whether the phrase that begins after the copula ends elsewhere than the predicate noun."""
    behind = telegram.tree.children(clause, "cop")[-1] + 1
    while behind < clause and telegram.tag(behind) in ("RB", "RBR", "RBS"):
        behind += 1
    if behind > clause:
        return not telegram.tree.children(clause, "expl")
    if telegram.tag(behind) in ("IN", "TO"):
        return behind not in telegram.places
    return telegram.tag(behind) not in _OPENING_TAGS or chunk_end(telegram.tree.parse, behind) not in telegram.places
