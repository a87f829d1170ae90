"""The verb phrase of a Chinese main clause, affirmed (AffirmativeAuxiliary) or negated twice (DoubleNegation).

Insertions always go to one position, the slot: after the subject and the words that frame the clause (也, 都, 每天), before modal verbs,
phrases with 在, 把, 被 and the verb. Clauses without this order are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.text.edits import Edit, apply_edits
from augcse.augmentations.text.tables import word_sets

_WORDS = word_sets(Path(__file__).with_name("words.txt"))
_RESULTS = tuple("在来去开到出过起上下走成完见死入进回住掉给近满")
_ASPECT = frozenset("了 着 过".split())
_BINDING = ("必须", "不得不", "一定要")
_CERTAIN = ("一定", "肯定")
_QUESTION_STARTS = ("哪", "怎", "什么", "几", "多少", "多大", "咋", "何", "为什么", "为何", "谁")
_DENIALS = ("并非", "并不是", "不是")
_STRONG_DENIALS = ("并非", "并不是")
_NEGATORS = frozenset("不 没 没有 未".split())
_PHRASE_TAGS = frozenset({"P", "BA", "LB", "SB"})
_SURE = frozenset("必须 一定 一定要 肯定 务必 不得不 必定 得 可".split())


@dataclass(frozen=True, slots=True)
class _Clause:
    """A main clause: `slot` is the index before which words are inserted, `verb` that of the verb."""

    parse: Parse
    slot: int
    verb: int

    @property
    def adverbials(self) -> set[str]:
        """The words between the slot and the verb."""
        return set(self.parse.tokens[self.slot : self.verb])

    @property
    def end(self) -> int:
        """The index after the last word of the clause."""
        marks = (index for index in range(self.verb + 1, len(self.parse)) if self.parse.tags[index] == "PU")
        return next(marks, len(self.parse))

    @property
    def perfectives(self) -> list[int]:
        """The indices of 了 after the verb and at the end of the clause."""
        return [index for index in sorted({self.verb + 1, self.end - 1}) if self.parse.word(index) == "了"]

    @property
    def has_aspect(self) -> bool:
        """Whether the verb has an aspect marker: 了, 着 or 过 after it or at its end, or 了 at the end of the clause."""
        is_followed = self.parse.word(self.verb + 1) in _ASPECT
        return is_followed or bool(self.perfectives) or self.parse.tokens[self.verb].endswith(tuple(_ASPECT))

    @property
    def has_phrase(self) -> bool:
        """Whether a phrase with 在, 把, 被 or the like, or a progressive 在, comes before the verb."""
        return not _PHRASE_TAGS.isdisjoint(self.parse.tags[self.slot : self.verb]) or not {"在", "正在"}.isdisjoint(self.adverbials)


def affirm(parse: Parse, rng: Random) -> str | None:
    """Insert 必须, 不得不, 一定要 before a verb of action, or 一定, 肯定 before a state or an event that has happened."""
    clause = _main_clause(parse)
    if clause is None or _has_negation(clause):
        return None
    binding, certain = rng.choice(_BINDING), rng.choice(_CERTAIN)
    first = parse.tokens[clause.slot]
    if first == "可能":
        return apply_edits(parse.text, [Edit(*parse.span(clause.slot), certain)])
    if first in _WORDS["GIVE_WAY"] and clause.slot < clause.verb:
        return apply_edits(parse.text, [Edit(*parse.span(clause.slot), binding)])
    if first in _SURE:
        return None
    is_fact = clause.has_aspect or clause.adverbials & (_WORDS["STAY_AFTER_SURE"] | _WORDS["DEGREE"] | {"在", "正在"})
    is_action = parse.tokens[clause.verb] in _WORDS["DEED"] and not is_fact
    start = parse.starts[clause.slot]
    return apply_edits(parse.text, [Edit(start, start, binding if is_action else certain)])


def negate_twice(parse: Parse, rng: Random) -> str | None:
    """Deny the negation of the clause: 去 -> 并非不去, 去了 -> 并非没有去; or turn its negation into a denial: 不去 -> 并非去."""
    clause = _main_clause(parse)
    if clause is None:
        return None
    if parse.tokens[clause.slot] in _NEGATORS:
        return _negation_denied(clause, rng.choice(_STRONG_DENIALS))
    denial = rng.choice(_DENIALS)
    if parse.tokens[clause.slot] == "都":
        # The negation comes after 都: 并非不都 would deny less than 都不 says.
        clause = _Clause(parse, clause.slot + 1, clause.verb)
    if _has_negation(clause) or not _can_be_negated(clause):
        return None
    if parse.tags[clause.verb] in ("VA", "VC") and clause.perfectives:
        return None
    # 不是不是 and 并不是不是 are hard to read.
    denial = "并非" if parse.tags[clause.verb] == "VC" else denial
    return apply_edits(parse.text, _double_negation_edits(clause, denial))


def _double_negation_edits(clause: _Clause, denial: str) -> list[Edit]:
    """Return the edits that insert a denial and a negation before the verb; none if a 了 would be left in a negated clause."""
    parse, start = clause.parse, clause.parse.starts[clause.slot]
    if parse.tokens[clause.verb].startswith("有"):
        return [Edit(start, start, denial), Edit(parse.starts[clause.verb], parse.starts[clause.verb], "没")]
    is_event = clause.has_aspect or clause.has_phrase or _has_result(clause)
    is_copula = parse.tags[clause.verb] == "VC"
    negator = "没有" if is_event and not is_copula and parse.tokens[clause.slot] not in _WORDS["NEGATABLE"] else "不"
    dropped = [Edit(*parse.span(index), "") for index in clause.perfectives]
    if sum("了" in token for token in parse.tokens[clause.verb : clause.end]) > len(dropped):
        return []
    progressives = [Edit(*parse.span(index), "在") for index in range(clause.slot, clause.verb) if parse.tokens[index] == "正在"]
    return [Edit(start, start, denial + negator), *progressives, *dropped]


def _has_result(clause: _Clause) -> bool:
    """Return whether the verb names an event with its outcome (打开, 走下) or place (坐在); such verbs are negated with 没有."""
    verb = clause.parse.tokens[clause.verb]
    if verb in _WORDS["HAPPENING"] or clause.parse.word(clause.verb + 1) in _WORDS["OUTCOME"]:
        return True
    return len(verb) > 1 and verb.endswith(_RESULTS)


def _negation_denied(clause: _Clause, denial: str) -> str | None:
    """Return the text with a denial in place of the clause's negation; None if that would not deny what the clause says."""
    parse = clause.parse
    if {"从来", "还"} & set(parse.tokens):
        return None
    denial = "并非" if parse.tags[clause.verb] == "VC" else denial
    if clause.slot == clause.verb:
        return apply_edits(parse.text, [Edit(*parse.span(clause.slot), f"{denial}有")])
    if parse.tokens[clause.slot] == "不" and clause.perfectives:
        return None  # 不去了 is "no longer goes".
    edits = [Edit(*parse.span(clause.slot), denial)]
    if parse.tokens[clause.slot] != "不" and not clause.has_aspect and clause.slot + 1 == clause.verb:
        # 没去 says that it has not happened; without 没, a 了 is needed to say that it has.
        edits.append(Edit(parse.end(clause.verb), parse.end(clause.verb), "了"))
    return apply_edits(parse.text, edits)


def _main_clause(parse: Parse) -> _Clause | None:
    """Return the main clause; None unless it is a statement with a subject before its verb and nothing unknown between them."""
    if not len(parse) or _is_question(parse):
        return None
    root = parse.roots()[0]
    verb = next(iter(parse.children(root, "cop")), root)
    subject = next(iter(parse.children(root, "nsubj")), None)
    if subject is None or subject >= verb or not _is_affirmed_subject(parse, subject) or not _is_predicate(parse, root, verb):
        return None
    slot = subject + 1
    while parse.tags[slot] == "NT" or parse.tokens[slot] in _WORDS["FRAME"]:
        slot += 1
    clause = _Clause(parse, slot, verb)
    return clause if _is_plain(clause) else None


def _is_affirmed_subject(parse: Parse, subject: int) -> bool:
    """Return whether the clause has no negation up to its subject, as 没人 (nobody) is, and the subject is a whole word."""
    if any(token.startswith(("没", "无", "不")) for token in parse.tokens[: subject + 1]):
        return False
    # jieba splits a name that it does not know into single characters: 叶/树/章.
    return parse.tags[subject] != "NR" or len(parse.tokens[subject]) > 1


def _is_predicate(parse: Parse, root: int, verb: int) -> bool:
    """Return whether the verb (or adjective) at the root is the predicate of an independent clause."""
    if any(parse.tokens[index] in _WORDS["SUBORDINATOR"] for index in parse.children(root, "mark", "advmod", "case")):
        return False
    if parse.tokens[verb] in _WORDS["NO_ROOT"] or parse.tokens[0] in ("只有", "只", "有些"):
        return False
    next_tag = parse.tags[verb + 1] if verb + 1 < len(parse) else "PU"
    if parse.tags[verb] == "VA":
        # An adjective with more after it is not the predicate.
        return next_tag in ("PU", "SP", "AS")
    # In 来计算 (in order to compute) the predicate is another verb.
    return parse.tags[verb] in ("VV", "VC", "VE") and not (parse.tokens[verb] == "来" and next_tag == "VV")


def _is_question(parse: Parse) -> bool:
    """Return whether it is a question, or an exclamation with 多么, which cannot be negated either."""
    if parse.tokens[-1] in ("？", "?") or _WORDS["QUESTION"] & set(parse.tokens):
        return True
    return "多么" in parse.tokens or any(token.startswith(_QUESTION_STARTS) for token in parse.tokens)


def _is_plain(clause: _Clause) -> bool:
    """Return whether there are only modals, known adverbs and prepositional phrases between the slot and the verb."""
    parse, known = clause.parse, _WORDS["INNER"] | _NEGATORS | _WORDS["DEGREE"]
    for index in range(clause.slot, clause.verb):
        if parse.tags[index] in _PHRASE_TAGS:
            break
        if parse.tokens[index] not in known and not parse.deps[index].startswith("aux"):
            return False
    return "PU" not in parse.tags[clause.slot : clause.verb]


def _has_negation(clause: _Clause) -> bool:
    words = {*clause.adverbials, *clause.parse.tokens[clause.verb : clause.verb + 2]}
    return any(word.startswith(("不", "没", "未", "并")) for word in words)


def _can_be_negated(clause: _Clause) -> bool:
    """Return whether the clause has no adverb of degree, no auxiliary without a negative form, and no complement with 得."""
    parse = clause.parse
    if clause.adverbials & _WORDS["DEGREE"] - {"很"} or _WORDS["OTHER_NEGATION"] & set(parse.tokens):
        return False
    if parse.deps[clause.slot].startswith("aux") and parse.tokens[clause.slot] not in _WORDS["NEGATABLE"]:
        return False
    return "得" not in parse.tokens[clause.verb] and parse.word(clause.verb + 1) != "得"
