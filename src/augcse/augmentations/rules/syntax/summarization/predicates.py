"""Whether the predicate noun or adjective that a summary keeps says too little alone, or is not the one the copula has."""

from __future__ import annotations

from augcse.augmentations.rules.syntax.summarization.noun_words import chunk_end
from augcse.augmentations.rules.syntax.summarization.nouns import NOUN_TAGS
from augcse.augmentations.rules.syntax.summarization.summary import SUBJECTS, Summary
from augcse.augmentations.rules.syntax.summarization.word_lists import ADJECTIVES_REQUIRING_COMPLEMENT, ANNOUNCED, EMPTY_PREDICATES, SAID_TO

_OPENING_TAGS = NOUN_TAGS | {"DT", "PDT", "PRP", "PRP$", "CD", "JJ", "JJR", "JJS", "$", "RB", "WP", "WDT"}


def lacks_predicate(summary: Summary, clause: int) -> bool:
    """Tell whether the predicate at `clause` says nothing alone or is cut short."""
    if summary.lemma(clause) in EMPTY_PREDICATES or _stands_for_clause(summary, clause):
        return True
    if summary.tag(clause).startswith(("JJ", "V")):
        return _lacks_relation(summary, clause)
    cases = {summary.word(place) for place in summary.tree.children(clause, "case")}
    if "to" in cases or (cases and (_is_cleft(summary, clause) or summary.tag(clause + 1) == "TO")):
        return True
    return _is_cut_short(summary, clause)


def _lacks_relation(summary: Summary, clause: int) -> bool:
    """Tell whether an adjective stays without what it is said of: "is identical", "is responsible for the team winning"."""
    lemma, following = summary.lemma(clause), clause + 1
    said_of = summary.keeps_after(clause)
    if summary.tag(max(summary.places) + 1) == "VBG" or (lemma in ADJECTIVES_REQUIRING_COMPLEMENT and not said_of):
        return True
    if (not said_of and summary.tag(following) in _OPENING_TAGS - {"RB"}) or (
        lemma in SAID_TO and summary.word(following) not in ("to", "with")
    ):
        return True
    if following in summary.places or summary.tag(following) not in ("IN", "TO"):
        return False
    return summary.tag(following) == "TO" or lemma in ADJECTIVES_REQUIRING_COMPLEMENT or summary.tag(following + 1) == "VBG"


def _has_it(summary: Summary, clause: int) -> bool:
    return any(summary.word(place) == "it" for place in summary.tree.children(clause, *SUBJECTS))


def _stands_for_clause(summary: Summary, clause: int) -> bool:
    """Tell whether "it" stands for a clause after the predicate: "it is unclear where he went"."""
    if not _has_it(summary, clause) or (summary.tag(clause).startswith("JJ") and summary.keeps_after(clause)):
        return False
    return summary.tag(clause + 1) in ("WRB", "WP", "TO") or summary.word(clause + 1) in ANNOUNCED


def _is_cleft(summary: Summary, clause: int) -> bool:
    """Tell whether "it was in Paris that he died" would lose its second half."""
    after = {summary.word(place) for place in range(clause, len(summary.tree.parse))}
    return _has_it(summary, clause) and bool({"that", "who", "when", "where"} & after)


def _is_cut_short(summary: Summary, clause: int) -> bool:
    """Tell whether the phrase that begins after the copula ends elsewhere than the predicate noun."""
    after = summary.tree.children(clause, "cop")[-1] + 1
    while after < clause and summary.tag(after) in ("RB", "RBR", "RBS"):
        after += 1
    if after > clause:
        return not summary.tree.children(clause, "expl")
    if summary.tag(after) in ("IN", "TO"):
        return after not in summary.places
    return summary.tag(after) not in _OPENING_TAGS or chunk_end(summary.tree.parse, after) not in summary.places
