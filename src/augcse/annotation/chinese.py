"""A lightweight Chinese parser: jieba's words and tags, with heads and labels from a few word-order rules.

It is for users without a Chinese spaCy pipeline (`zh_core_web_sm` and larger ones are better and are used when named). The augmentation
rules need little of a Chinese sentence: where its clauses begin, its subject, its predicate, and what lies between them. Tags are those
of the Chinese Treebank, as in spaCy; labels are spaCy's Chinese ones, except that a copula is itself the root.

A separate tokenizer instance segments the words, so that a program's own use of jieba (its user words, its parallel mode) and ours do
not affect each other. The dictionary is loaded in each process (about a second); jieba's cache file in /tmp is neither written nor read.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.errors import MissingDependencyError, UserError

if TYPE_CHECKING:
    from jieba import Tokenizer
    from jieba.posseg import POSTokenizer

JIEBA = "jieba"
BREAKS = frozenset("，。！？；：,!?;:…\n")
MODALS = frozenset(
    "能 会 可以 可能 应该 应当 应 必须 要 能够 可 需要 需 想 想要 愿意 敢 肯 须 得 不能 不会 不得不 一定要 务必 将 将会".split()
)
NEGATORS = frozenset("不 没 没有 未 别 勿 莫 无 并非 不是 不能 不会 不可 不要 从不 从未 绝不 毫不 不得 不再".split())
CONJUNCTIONS = frozenset(
    "但是 但 可是 不过 然而 因为 由于 所以 因此 如果 假如 要是 虽然 尽管 即使 而且 并且 否则 除非 只要 于是 以便 以免 当 一旦 既然".split()
)
_SUBORDINATE = frozenset("因为 由于 如果 假如 要是 虽然 尽管 即使 除非 只要 以便 以免 当 一旦 既然 若 若是 无论 不管".split())
_SUBORDINATING_ENDINGS = frozenset("后 前 时 以后 之后 以前 之前 时候 的话 起来".split())
_CLAUSE_VERBS = frozenset(
    "说 认为 觉得 知道 表示 相信 希望 发现 指出 告诉 以为 宣布 记得 听说 猜 担心 怀疑 证明 显示 认识到 意识到".split()
)
_ASPECT = frozenset("了 着 过".split())
_ADVERBS = frozenset("很 有点 有点儿 为什么 怎么 怎样 却是 只有 正 也 都 还 就 太 最 更 不常 不再 从不 从未 绝不 毫不 并非 已 已经".split())
_PREPOSITIONS = frozenset("朝 往 向 离 对 从 为 给 与 跟 比 按".split())
_TAGS_OF_CLASSES = {
    "a": ("ADJ", "VA"), "b": ("ADJ", "JJ"), "c": ("CCONJ", "CC"), "d": ("ADV", "AD"), "e": ("INTJ", "IJ"), "f": ("ADP", "LC"),
    "h": ("PART", "MSP"), "i": ("VERB", "VA"), "l": ("NOUN", "NN"), "m": ("NUM", "CD"), "o": ("INTJ", "IJ"), "p": ("ADP", "P"),
    "q": ("NOUN", "M"), "r": ("PRON", "PN"), "t": ("NOUN", "NT"), "u": ("PART", "SP"), "v": ("VERB", "VV"), "y": ("PART", "SP"),
    "z": ("ADJ", "VA"),
}  # fmt: skip
_TAGS_OF_FLAGS = {"ad": ("ADV", "AD"), "an": ("NOUN", "NN"), "vn": ("NOUN", "VN"), "nr": ("PROPN", "NR"), "nrt": ("PROPN", "NR"),
          "nrfg": ("PROPN", "NR"), "ns": ("PROPN", "NR"), "nt": ("PROPN", "NR"), "nz": ("PROPN", "NR"), "eng": ("PROPN", "FW")}  # fmt: skip
_TAGS_OF_WORDS = {
    "是": ("VERB", "VC"), "有": ("VERB", "VE"), "没有": ("VERB", "VE"), "的": ("PART", "DEG"), "地": ("PART", "DEV"),
    "得": ("PART", "DER"), "了": ("PART", "AS"), "着": ("PART", "AS"), "过": ("PART", "AS"), "不": ("ADV", "AD"), "没": ("ADV", "AD"),
    "未": ("ADV", "AD"), "把": ("ADP", "BA"), "被": ("ADP", "LB"), "这": ("PRON", "DT"), "那": ("PRON", "DT"), "每": ("PRON", "DT"),
    "可能": ("VERB", "VV"), "可以": ("VERB", "VV"), "正在": ("ADV", "AD"), "之": ("PART", "DEG"), "等": ("PART", "ETC"),
    "警察": ("NOUN", "NN"), "利用": ("VERB", "VV"), "反对": ("VERB", "VV"),
    "回家": ("VERB", "VV"), "生气": ("VERB", "VA"), "结账": ("VERB", "VV"), "住院": ("VERB", "VV"),
}  # fmt: skip
_SEVERAL_WORDS = ("我会", "带你去", "去过", "我要", "你会", "我能", "我想", "你是", "我是", "他是", "不是", "还有", "都是", "也是", "就是")
_PREDICATES = frozenset({"VV", "VC", "VE", "VA"})
_COORDINATORS = frozenset("和 与 及 以及 或 、".split())
_NOMINAL = frozenset({"NN", "NR", "NT", "PN", "DT", "FW", "M", "CD", "JJ", "DEG", "ETC", "LC"})
_SUBJECT_HEADS = frozenset({"NN", "NR", "PN", "FW", "M", "DT", "ETC"})


@dataclass(slots=True)
class _Columns:
    """The columns of a parse under construction."""

    tokens: list[str]
    starts: list[int]
    upos: list[str]
    tags: list[str]
    heads: list[int] = field(default_factory=list)
    deps: list[str] = field(default_factory=list)

    def attach(self, index: int, head: int, label: str) -> None:
        self.heads[index], self.deps[index] = head, label


def parse_chinese(text: str, user_words: str = "") -> Parse:
    """Parse one Chinese text; `user_words` is a jieba user dictionary: a file of words that jieba lacks, such as product names.

    Raises:
        MissingDependencyError: jieba is not installed.
        UserError: the user dictionary cannot be read, or has a malformed line.
    """
    columns = _tokenise(text, user_words)
    if not columns.tokens:
        return parse_of_rows(text, [], "zh")
    columns.heads, columns.deps = list(range(len(columns.tokens))), ["dep"] * len(columns.tokens)
    _retag(columns)
    _attach_tokens(columns, _clauses(columns.tokens))
    rows = zip(columns.tokens, columns.starts, columns.tokens, columns.upos, columns.tags, columns.heads, columns.deps, strict=True)
    return parse_of_rows(text, rows, "zh")


@functools.lru_cache(maxsize=2)
def _tokenizer(user_words: str) -> POSTokenizer:
    """Load jieba's dictionary, with the user's words if a file is named."""
    try:
        with warnings.catch_warnings():
            # jieba 0.42 has escape sequences and imports that newer Python versions warn about.
            warnings.simplefilter("ignore")
            from jieba import Tokenizer
            from jieba.posseg import POSTokenizer
    except ImportError as error:
        raise MissingDependencyError("the parser 'jieba' needs jieba; install it with: pip install 'augcse[zh]'") from error
    tokenizer = Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    # The dictionary lists these as titles of works; nearly always they are several words, such as a pronoun and a verb.
    tokenizer.FREQ.update(dict.fromkeys(_SEVERAL_WORDS, 0))
    if user_words:
        _add_words(tokenizer, Path(user_words))
    return POSTokenizer(tokenizer)


def _add_words(tokenizer: Tokenizer, path: Path) -> None:
    """Add one word per line, with its frequency and tag if given ("大疆无人机 100 nz"); without a tag it is a proper noun."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not a user dictionary for jieba: {error}") from error
    for number, line in enumerate(lines, start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) > 3 or (len(fields) > 1 and not fields[1].isdecimal()):
            raise UserError(f"{path}, line {number}: {line!r} is not a word with frequency and tag; write it as in: 大疆无人机 100 nz")
        word, frequency, tag = (*fields, "", "")[:3]
        tokenizer.add_word(word, int(frequency) if frequency else None, tag or "nz")


def _tokenise(text: str, user_words: str) -> _Columns:
    """Return the words of a text with their offsets and tags; heads and labels are added later."""
    columns = _Columns([], [], [], [])
    position = 0
    for word, flag in _tokenizer(user_words).cut(text, HMM=False):
        if word.strip():
            upos, tag = _tag(word, flag)
            columns.tokens.append(word)
            columns.starts.append(position)
            columns.upos.append(upos)
            columns.tags.append(tag)
        position += len(word)
    return columns


def _tag(word: str, flag: str) -> tuple[str, str]:
    """Return the universal tag and the Chinese Treebank tag of a word, by lists of words, then by jieba's flag."""
    if not any(character.isalnum() for character in word):
        return "PUNCT", "PU"
    if word in _ADVERBS:
        return "ADV", "AD"
    if word in MODALS and word != "得":
        return "VERB", "VV"
    if word in _TAGS_OF_WORDS:
        return _TAGS_OF_WORDS[word]
    if word in CONJUNCTIONS:
        return "CCONJ", "CS"
    return _TAGS_OF_FLAGS.get(flag) or _TAGS_OF_CLASSES.get(flag[:1], ("NOUN", "NN"))


def _retag(columns: _Columns) -> None:
    """Correct tags by their context: a verb after 的 is a noun, 没有 before a verb an adverb, an action noun after 正在 a verb."""
    for index, word in enumerate(columns.tokens):
        tag_before = columns.tags[index - 1] if index else "PU"
        tag_after = columns.tags[index + 1] if index + 1 < len(columns.tags) else "PU"
        is_modal = word in MODALS or (index > 0 and columns.tokens[index - 1] in MODALS)
        corrected = _tag_in_context(word, columns.tags[index], tag_before, tag_after, is_modal)
        if corrected is not None:
            columns.upos[index], columns.tags[index] = corrected


def _tag_in_context(word: str, tag: str, tag_before: str, tag_after: str, is_modal: bool) -> tuple[str, str] | None:
    """Return the universal tag and the tag that the neighbours' tags call for; None to keep those of the dictionary."""
    if tag == "VN":
        is_verb = is_modal or tag_before in ("AD", "BA", "LB") or tag_after == "AS"
        return ("VERB", "VV") if is_verb else ("NOUN", "NN")
    if tag in ("VV", "VA") and tag_before in ("DEG", "M") and tag_after in ("PU", "DEG", "VC", "NN") and not is_modal:
        return "NOUN", "NN"
    if word == "没有" and tag_after in ("VV", "VA", "AD", "P", "BA", "LB"):
        return "ADV", "AD"
    if word == "在" and tag_after in ("VV", "VN"):
        return "ADV", "AD"
    if word in _PREPOSITIONS and tag_after in ("NN", "NR", "PN", "DT", "JJ", "CD"):
        return "ADP", "P"
    is_attribute = tag == "VA" and tag_after == "NN" and len(word) == 1 and tag_before != "AD"
    return ("ADJ", "JJ") if is_attribute else None


def _clauses(tokens: Sequence[str]) -> list[range]:
    """Return the token ranges between the marks that end clauses."""
    clauses, start = [], 0
    for index, token in enumerate([*tokens, "。"]):
        if token in BREAKS:
            if index > start:
                clauses.append(range(start, index))
            start = index + 1
    return clauses


def _attach_tokens(columns: _Columns, clauses: list[range]) -> None:
    """Give every token a head: the words of a clause depend on its predicate, the predicates on that of the first main clause."""
    predicates: dict[range, int] = {}
    for clause in clauses:
        predicate = _predicate(columns, clause)
        if predicate is not None:
            predicates[clause] = predicate
    main = next((clause for clause in predicates if not _is_subordinate(columns, clause)), None)
    root = predicates[main] if main is not None else next(iter(predicates.values()), 0)
    for index in range(len(columns.tokens)):
        columns.attach(index, root, "punct" if columns.tags[index] == "PU" else "dep")
    for clause, predicate in predicates.items():
        _attach_clause(columns, clause, predicate)
        label = "advcl" if _is_subordinate(columns, clause) else "conj"
        columns.attach(predicate, root, label)
    columns.attach(root, root, "ROOT")


def _is_subordinate(columns: _Columns, clause: range) -> bool:
    return columns.tokens[clause.start] in _SUBORDINATE or columns.tokens[clause[-1]] in _SUBORDINATING_ENDINGS


def _predicate(columns: _Columns, clause: range) -> int | None:
    """Return the clause's first verb or adjective outside phrases with 的, a modal only if no verb follows; None if there is none."""
    verbs = [index for index in clause if columns.tags[index] in _PREDICATES]
    # The last verb before a 的 belongs to the modifier of the noun that follows.
    particles = [index for index in clause if columns.tags[index] == "DEG" and index < clause[-1]]
    modifying = {max((verb for verb in verbs if verb < particle), default=-1) for particle in particles}
    free = [verb for verb in verbs if verb not in modifying and columns.tags[clause[-1]] != "DEG"]
    for verb in free:
        if columns.tokens[verb] not in MODALS or not any(later > verb for later in verbs):
            return verb
    if free:
        return None
    # Every verb is inside a phrase with 的: take the first one after a subject or an adverb, unless 的 follows it directly.
    for verb in verbs:
        follows_subject = verb > clause.start and columns.tags[verb - 1] in (_SUBJECT_HEADS | {"AD"})
        if follows_subject and (verb == clause[-1] or columns.tags[verb + 1] != "DEG"):
            return verb
    return None


def _attach_clause(columns: _Columns, clause: range, predicate: int) -> None:
    """Attach the words of one clause to its predicate."""
    for index in clause:
        if index != predicate:
            columns.attach(index, predicate, _label(columns, index, predicate))
    subject = _subject(columns, clause, predicate)
    if subject is not None:
        for index in subject:
            columns.attach(index, subject[-1], "compound")
        columns.attach(subject[-1], predicate, "nsubj")
    if columns.tokens[predicate] in _CLAUSE_VERBS:
        _attach_complement(columns, clause, predicate)


def _label(columns: _Columns, index: int, predicate: int) -> str:
    """Return the label of a word that depends on the predicate of its clause."""
    word, tag = columns.tokens[index], columns.tags[index]
    if word in MODALS and index < predicate:
        return "aux:modal"
    if word in _ASPECT and tag == "AS":
        return "aux:asp"
    if word in NEGATORS and tag == "AD":
        return "neg"
    return {"AD": "advmod", "PU": "punct", "CC": "cc", "CS": "mark", "P": "case", "SP": "discourse"}.get(tag, "dep")


def _subject(columns: _Columns, clause: range, predicate: int) -> range | None:
    """Return the noun phrase that opens the clause, up to the first preposition, adverb, modal or the predicate; None if there is none."""
    first = clause.start
    while first < predicate and columns.tags[first] in ("CC", "CS", "IJ", "AD"):
        first += 1
    last = first
    while last < predicate and not _ends_subject(columns, last, predicate):
        last += 1
    while last > first + 1 and columns.tags[last - 1] == "NT":
        last -= 1
    return range(first, last) if last > first and columns.tags[last - 1] in _SUBJECT_HEADS else None


def _ends_subject(columns: _Columns, index: int, predicate: int) -> bool:
    """Return whether the noun phrase of the subject ends before a token."""
    if columns.tags[index] == "PU":
        # The dot between the parts of a foreign name does not end it: 大卫·理查森.
        return columns.tokens[index] != "·"
    if columns.tags[index] == "P" and index > 0 and columns.tags[index - 1] in ("NN", "NR", "PN", "FW"):
        return True
    if columns.tags[index] == "DEG" or any(columns.tags[later] == "DEG" for later in range(index + 1, predicate)):
        return False
    return columns.tags[index] not in _NOMINAL and columns.tokens[index] not in _COORDINATORS


def _attach_complement(columns: _Columns, clause: range, predicate: int) -> None:
    """Make the words after a verb of saying its complement clause, if they have a subject and a verb."""
    if predicate + 1 >= clause.stop or columns.tags[predicate + 1] not in ("PN", "NR", "NN", "DT"):
        return
    complement = range(predicate + 1, clause.stop)
    verb = _predicate(columns, complement)
    if verb is None or _subject(columns, complement, verb) is None:
        return
    _attach_clause(columns, complement, verb)
    columns.attach(verb, predicate, "ccomp")
