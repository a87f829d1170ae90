"""The verb phrase of a Chinese main clause, affirmed (AffirmativeAuxiliary) or negated twice (DoubleNegation).

What is put in always goes to one place: behind the subject and what frames the clause (也, 都, 每天), before modal verbs, phrases
with 在, 把, 被 and the verb. Clauses that do not show this order are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.edit import Edit, apply_edits

# Adverbs that stand before what is put in.
_FRAME = frozenset("也 都 还 又 就 才 却 仍然 仍 其实 总 总是 一直 每天 经常 常 常常 通常 从来 同时 当然 甚至 今天 明天 昨天 现在 以后".split())
# Adverbs that may stand between what is put in and the verb.
_INNER = frozenset("很 在 正在 自己 互相 一起 亲自 独自 共同".split())
_DEGREE = frozenset("很 太 非常 十分 最 更 有点 比较 挺 真 极 相当 好".split())
_STATES = frozenset(
    "喜欢 知道 认识 爱 属于 觉得 认为 位于 等于 相信 希望 记得 明白 懂 了解 讨厌 恨 以为 意味着 意味 包括 拥有 存在 叫 姓 像 值得 具有 "
    "怕 害怕 担心 需要 缺乏 富有 含有 来自 信 同意 反对 发现 看见 看到 听到 感到 失去 忘记 看起来 听说 似乎 成为 发生 出现 死 坐在 "
    "住在 站在 躺在 生于 出生 适合 符合 高兴 有望 没".split()
)
_ASPECT = frozenset("了 着 过".split())
_GIVE_WAY = frozenset("可以 应该 应当 应 需要 要".split())
_STAY_BEHIND_SURE = frozenset("会 能 能够 想 想要 愿意 敢 肯 将 将会".split())
_NEGATABLE = frozenset("可以 能 能够 会 应该 应当 可能 想 愿意 敢 肯 需要 想要".split())
_BINDING = ("必须", "不得不", "一定要")
_CERTAIN = ("一定", "肯定")
_DENIALS = ("并非", "并不是", "不是")
_NEGATORS = frozenset("不 没 没有 未".split())
_QUESTIONS = frozenset("吗 呢 什么 谁 哪 哪里 哪儿 哪个 怎么 怎样 怎么样 为什么 为何 几 多少 如何 啥 是否 难道 干吗 吧 何时".split())
_OTHER_NEGATION = frozenset("不得不 不能不 并非 不是 别 勿 不要 没什么 未必 不必 无 从未 从不 毫不 绝不 非".split())


@dataclass(frozen=True, slots=True)
class _Clause:
    """The place for what is put in, the words from there to the verb, and the verb."""

    parse: Parse
    place: int
    verb: int

    @property
    def inner(self) -> list[str]:
        return list(self.parse.tokens[self.place : self.verb])

    @property
    def has_phrase(self) -> bool:
        """Whether a phrase with 在, 把, 被 or the like, or a 在 of what goes on, stands before the verb."""
        return any(self.parse.tags[index] in ("P", "BA", "LB", "SB") for index in range(self.place, self.verb)) or bool(
            {"在", "正在"} & set(self.inner)
        )

    @property
    def aspect(self) -> str | None:
        """The 了, 着 or 过 behind the verb or at the end of its clause."""
        tokens = self.parse.tokens
        if self.verb + 1 < len(tokens) and tokens[self.verb + 1] in _ASPECT:
            return tokens[self.verb + 1]
        return "了" if self._final_le() is not None else next((mark for mark in _ASPECT if tokens[self.verb].endswith(mark) and len(tokens[self.verb]) > 1), None)

    def _final_le(self) -> int | None:
        for index in range(self.verb + 1, len(self.parse)):
            if self.parse.tags[index] == "PU":
                return index - 1 if self.parse.tokens[index - 1] == "了" else None
        return len(self.parse) - 1 if self.parse.tokens[-1] == "了" else None

    def perfectives(self) -> list[int]:
        """Return the places of 了 behind the verb and at the end of the clause."""
        places = {self.verb + 1} if self.verb + 1 < len(self.parse) and self.parse.tokens[self.verb + 1] == "了" else set()
        final = self._final_le()
        return sorted(places | ({final} if final is not None else set()))


def affirm(parse: Parse, rng: Random) -> str | None:
    """Put 必须, 不得不, 一定要 (a verb of doing) or 一定, 肯定 (a state, or what has happened) before the verb."""
    clause = _main_clause(parse)
    if clause is None or _has_negation(clause):
        return None
    binding, certain = rng.choice(_BINDING), rng.choice(_CERTAIN)
    first = parse.tokens[clause.place]
    if first in ("可能",):
        return apply_edits(parse.text, [_replaced(parse, clause.place, certain)])
    if first in _GIVE_WAY and clause.place < clause.verb:
        return apply_edits(parse.text, [_replaced(parse, clause.place, binding)])
    if first in ("必须", "一定", "一定要", "肯定", "务必", "不得不", "必定", "得", "可"):
        return None
    is_state = first in _STAY_BEHIND_SURE or clause.aspect or parse.tokens[clause.verb] in _STATES or parse.tags[clause.verb] in ("VC", "VE", "VA")
    word = certain if is_state or {"在", "正在", "很"} & set(clause.inner) else binding
    start = parse.starts[clause.place]
    return apply_edits(parse.text, [Edit(start, start, word)])


def negate_twice(parse: Parse, rng: Random) -> str | None:
    """Deny the negation of the clause: 去 -> 并非不去, 去了 -> 并非没有去; or turn its negation into a denial: 不去 -> 并非去."""
    clause = _main_clause(parse)
    if clause is None:
        return None
    denial = rng.choice(_DENIALS)
    if parse.tokens[clause.place] in _NEGATORS or parse.tokens[clause.verb] == "没有":
        return _denial_for_negation(clause, denial)
    if _has_negation(clause) or not _negatable(clause):
        return None
    start = parse.starts[clause.place]
    if parse.tokens[clause.verb] == "有":
        return apply_edits(parse.text, [Edit(start, start, denial), Edit(parse.starts[clause.verb], parse.starts[clause.verb], "没")])
    event = clause.aspect is not None or clause.has_phrase
    negator = "没有" if event and parse.tokens[clause.place] not in _NEGATABLE else "不"
    dropped = [_replaced(parse, index, "") for index in clause.perfectives()] if negator == "没有" else []
    if negator == "不" and clause.perfectives():
        return None
    ongoing = [_replaced(parse, i, "在") for i in range(clause.place, clause.verb) if parse.tokens[i] == "正在"]
    if ongoing and ongoing[0].start == start:
        ongoing, start_edit = [], Edit(start, ongoing[0].end, f"{denial}{negator}在")
        return apply_edits(parse.text, [start_edit, *dropped])
    return apply_edits(parse.text, [Edit(start, start, denial + negator), *ongoing, *dropped])


def _denial_for_negation(clause: _Clause, denial: str) -> str | None:
    parse = clause.parse
    negations = [i for i in range(clause.place, clause.verb + 1) if parse.tokens[i] in _NEGATORS]
    if len(negations) != 1 or parse.tokens[clause.verb + 1 : clause.verb + 2] == ("不",):
        return None
    negation = negations[0]
    word = parse.tokens[negation]
    if negation == clause.verb:
        return apply_edits(parse.text, [_replaced(parse, negation, f"{denial}有")])
    if word != "不" and clause.aspect is None:
        # 没去 says that it has not happened: without 没, 了 says that it has.
        behind = parse.end(clause.verb)
        return apply_edits(parse.text, [_replaced(parse, negation, denial), Edit(behind, behind, "了")])
    if word == "不" and clause.perfectives():
        # 不去了 is "no longer goes".
        return None
    return apply_edits(parse.text, [_replaced(parse, negation, denial)])


def _main_clause(parse: Parse) -> _Clause | None:
    if not len(parse) or parse.tokens[-1] in ("？", "?") or _QUESTIONS & set(parse.tokens):
        return None
    root = parse.roots()[0]
    verb = next(iter(parse.children(root, "cop")), root)
    subject = next(iter(parse.children(root, "nsubj")), None)
    if subject is None or subject >= verb or parse.tags[verb] not in ("VV", "VC", "VE", "VA"):
        return None
    behind = parse.tags[verb + 1] if verb + 1 < len(parse) else "PU"
    if parse.tags[verb] == "VA" and behind not in ("PU", "SP", "AS"):
        return None
    place = subject + 1
    while place < verb and (parse.tags[place] == "NT" or parse.tokens[place] in _FRAME):
        place += 1
    clause = _Clause(parse, place, verb)
    return clause if _is_plain(clause) else None


def _is_plain(clause: _Clause) -> bool:
    """Tell whether only modals, known adverbs and prepositional phrases stand between the place and the verb."""
    parse = clause.parse
    in_phrase = False
    for index in range(clause.place, clause.verb):
        tag, word = parse.tags[index], parse.tokens[index]
        in_phrase = in_phrase or tag in ("P", "BA", "LB", "SB")
        known = word in _INNER or word in _NEGATORS or word in _DEGREE or parse.deps[index].startswith("aux")
        if tag == "PU" or not (known or in_phrase):
            return False
    return parse.tags[clause.verb - 1] != "PU"


def _has_negation(clause: _Clause) -> bool:
    words = {*clause.inner, *clause.parse.tokens[clause.verb : clause.verb + 2]}
    return bool(words & (_NEGATORS | _OTHER_NEGATION)) or any(word.startswith(("不", "没", "未")) for word in words)


def _negatable(clause: _Clause) -> bool:
    parse = clause.parse
    first = parse.tokens[clause.place]
    if _DEGREE & set(clause.inner) - {"很"} or _OTHER_NEGATION & set(parse.tokens):
        return False
    if parse.deps[clause.place].startswith("aux") and first not in _NEGATABLE:
        return False
    return not any(parse.tokens[index] == "得" for index in range(clause.verb, min(clause.verb + 2, len(parse))))


def _replaced(parse: Parse, index: int, word: str) -> Edit:
    return Edit(parse.starts[index], parse.end(index), word)
