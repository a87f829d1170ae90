"""The verb phrase of a Chinese main clause, affirmed (AffirmativeAuxiliary) or negated twice (DoubleNegation).

What is put in always goes to one place: after the subject and what frames the clause (也, 都, 每天), before modal verbs, phrases
with 在, 把, 被 and the verb. Clauses that do not show this order are left alone.
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
    """`slot`, the index before which something is put in, and the index of the verb."""

    parse: Parse
    slot: int
    verb: int

    @property
    def inner(self) -> set[str]:
        """The words before the verb."""
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
    def aspect(self) -> bool:
        """Whether 了, 着 or 过 stands after the verb, in it or at the end of its clause."""
        after = self.parse.word(self.verb + 1) in _ASPECT
        return after or bool(self.perfectives) or self.parse.tokens[self.verb].endswith(tuple(_ASPECT))

    @property
    def has_phrase(self) -> bool:
        """Whether a phrase with 在, 把, 被 or the like, or a 在 of what goes on, stands before the verb."""
        return not _PHRASE_TAGS.isdisjoint(self.parse.tags[self.slot : self.verb]) or not {"在", "正在"}.isdisjoint(self.inner)


def affirm(parse: Parse, rng: Random) -> str | None:
    """Put 必须, 不得不, 一定要 (a verb of doing) or 一定, 肯定 (a state, or what has happened) before the verb."""
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
    merely_certain = clause.aspect or clause.inner & (_WORDS["STAY_AFTER_SURE"] | _WORDS["DEGREE"] | {"在", "正在"})
    is_deed = parse.tokens[clause.verb] in _WORDS["DEED"] and not merely_certain
    start = parse.starts[clause.slot]
    return apply_edits(parse.text, [Edit(start, start, binding if is_deed else certain)])


def negate_twice(parse: Parse, rng: Random) -> str | None:
    """Deny the negation of the clause: 去 -> 并非不去, 去了 -> 并非没有去; or turn its negation into a denial: 不去 -> 并非去."""
    clause = _main_clause(parse)
    if clause is None:
        return None
    if parse.tokens[clause.slot] in _NEGATORS:
        return _denial_for_negation(clause, rng.choice(_STRONG_DENIALS))
    denial = rng.choice(_DENIALS)
    if parse.tokens[clause.slot] == "都":
        # 并非不都 would deny less than 都不 says.
        clause = _Clause(parse, clause.slot + 1, clause.verb)
    if _has_negation(clause) or not _negatable(clause):
        return None
    if parse.tags[clause.verb] in ("VA", "VC") and clause.perfectives:
        return None
    # 不是不是 and 并不是不是 are tongue-twisters.
    denial = "并非" if parse.tags[clause.verb] == "VC" else denial
    return apply_edits(parse.text, _denied_negation(clause, denial))


def _denied_negation(clause: _Clause, denial: str) -> list[Edit]:
    """Return the edits that put a denial and a negation before the verb; none if a 了 would be left in a negated clause."""
    parse, start = clause.parse, clause.parse.starts[clause.slot]
    if parse.tokens[clause.verb].startswith("有"):
        return [Edit(start, start, denial), Edit(parse.starts[clause.verb], parse.starts[clause.verb], "没")]
    event = clause.aspect or clause.has_phrase or _has_result(clause)
    is_being = parse.tags[clause.verb] == "VC"
    negator = "没有" if event and not is_being and parse.tokens[clause.slot] not in _WORDS["NEGATABLE"] else "不"
    dropped = [Edit(*parse.span(index), "") for index in clause.perfectives]
    marks_of_past = sum("了" in token for token in parse.tokens[clause.verb : clause.end])
    if marks_of_past > len(dropped):
        return []
    ongoing = [Edit(*parse.span(index), "在") for index in range(clause.slot, clause.verb) if parse.tokens[index] == "正在"]
    return [Edit(start, start, denial + negator), *ongoing, *dropped]


def _has_result(clause: _Clause) -> bool:
    """Return whether the verb names an event with its outcome (打开, 走下) or place (坐在): such are negated with 没有."""
    verb = clause.parse.tokens[clause.verb]
    if verb in _WORDS["HAPPENING"] or clause.parse.word(clause.verb + 1) in _WORDS["OUTCOME"]:
        return True
    return len(verb) > 1 and verb.endswith(_RESULTS)


def _denial_for_negation(clause: _Clause, denial: str) -> str | None:
    parse = clause.parse
    if {"从来", "还"} & set(parse.tokens):
        return None
    denial = "并非" if parse.tags[clause.verb] == "VC" else denial
    if clause.slot == clause.verb:
        return apply_edits(parse.text, [Edit(*parse.span(clause.slot), f"{denial}有")])
    if parse.tokens[clause.slot] == "不" and clause.perfectives:
        return None  # 不去了 is "no longer goes".
    edits = [Edit(*parse.span(clause.slot), denial)]
    if parse.tokens[clause.slot] != "不" and not clause.aspect and clause.slot + 1 == clause.verb:
        # 没去 says that it has not happened: without 没, 了 says that it has.
        edits.append(Edit(parse.end(clause.verb), parse.end(clause.verb), "了"))
    return apply_edits(parse.text, edits)


def _main_clause(parse: Parse) -> _Clause | None:
    if not len(parse) or _is_question(parse):
        return None
    root = parse.roots()[0]
    verb = next(iter(parse.children(root, "cop")), root)
    subject = next(iter(parse.children(root, "nsubj")), None)
    if any(parse.tokens[index] in _WORDS["SUBORDINATOR"] for index in parse.children(root, "mark", "advmod", "case")):
        return None
    if subject is None or subject >= verb or parse.tags[verb] not in ("VV", "VC", "VE", "VA"):
        return None
    if parse.tokens[verb] in _WORDS["NO_ROOT"] or parse.tokens[0] in ("只有", "只", "有些"):
        return None
    after = parse.tags[verb + 1] if verb + 1 < len(parse) else "PU"
    # 来计算 is "in order to compute": the verb is another one. An adjective with more after it is no predicate.
    if (parse.tokens[verb] == "来" and after == "VV") or (parse.tags[verb] == "VA" and after not in ("PU", "SP", "AS")):
        return None
    # 没人 (nobody) is negated already, and a name that jieba does not know comes in pieces: 叶/树/章.
    negated = any(token.startswith(("没", "无", "不")) for token in parse.tokens[: subject + 1])
    if negated or (parse.tags[subject] == "NR" and len(parse.tokens[subject]) == 1):
        return None
    slot = subject + 1
    while parse.tags[slot] == "NT" or parse.tokens[slot] in _WORDS["FRAME"]:
        slot += 1
    clause = _Clause(parse, slot, verb)
    return clause if _is_plain(clause) else None


def _is_question(parse: Parse) -> bool:
    if parse.tokens[-1] in ("？", "?") or _WORDS["QUESTION"] & set(parse.tokens):
        return True
    # 多么 opens an exclamation, which is negated as little as a question.
    return "多么" in parse.tokens or any(token.startswith(_QUESTION_STARTS) for token in parse.tokens)


def _is_plain(clause: _Clause) -> bool:
    """Return whether only modals, known adverbs and prepositional phrases stand between the slot and the verb."""
    parse, known = clause.parse, _WORDS["INNER"] | _NEGATORS | _WORDS["DEGREE"]
    for index in range(clause.slot, clause.verb):
        if parse.tags[index] in _PHRASE_TAGS:
            break
        if parse.tokens[index] not in known and not parse.deps[index].startswith("aux"):
            return False
    return "PU" not in parse.tags[clause.slot : clause.verb]


def _has_negation(clause: _Clause) -> bool:
    words = {*clause.inner, *clause.parse.tokens[clause.verb : clause.verb + 2]}
    return any(word.startswith(("不", "没", "未", "并")) for word in words)


def _negatable(clause: _Clause) -> bool:
    parse, first, verb = clause.parse, clause.parse.tokens[clause.slot], clause.parse.tokens[clause.verb]
    if clause.inner & _WORDS["DEGREE"] - {"很"} or _WORDS["OTHER_NEGATION"] & set(parse.tokens):
        return False
    if parse.deps[clause.slot].startswith("aux") and first not in _WORDS["NEGATABLE"]:
        return False
    return "得" not in verb and parse.word(clause.verb + 1) != "得"
