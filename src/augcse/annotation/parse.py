"""The parse of one sentence as plain lists, whatever pipeline produced it.

Most rules are pure functions of this type, so they are tested on hand-made parses too. Labels are Universal Dependencies (v2);
spaCy's English labels (`en_core_web_*`, ClearNLP style) are translated when a parse is built. The translation cannot change the
shape of copular clauses: in UD "was" depends on the predicate (`cop`), in ClearNLP the predicate
depends on "was" (`attr`, `acomp`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

_UD_LABEL_OF_CLEARNLP = {
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "auxpass": "aux:pass",
    "dobj": "obj",
    "pobj": "obl",
    "dative": "iobj",
    "neg": "advmod",
    "relcl": "acl:relcl",
    "poss": "nmod:poss",
    "prt": "compound:prt",
    "npadvmod": "obl:unmarked",
    "nn": "compound",
    "preconj": "cc:preconj",
    "predet": "det:predet",
    "quantmod": "advmod",
    "intj": "discourse",
    "agent": "obl:agent",
    "root": "ROOT",
}
# As a token; tokenised text may split it further: "isn 't".
CONTRACTED_NOT = frozenset({"n't", "n’t", "n 't", "n ’t"})
NEGATIONS = CONTRACTED_NOT | {"not", "nt"}


@dataclass(frozen=True)
class Parse:
    """One parsed sentence; all lists have one entry per token.

    `heads` holds token indices (a root is its own head), `tags` Penn tags, `upos` universal tags, `deps` UD labels, `starts`
    the character offset of each token in `text`. The untouched text between tokens is always taken from `text` itself.
    `language` is the pipeline's ISO 639-1 code. Chinese parses have the tags of the Chinese Treebank (VV, VC, VE, VA, AD, ...).
    """

    text: str
    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    lemmas: tuple[str, ...]
    upos: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    deps: tuple[str, ...]
    language: str = "en"

    def __len__(self) -> int:
        return len(self.tokens)

    def end(self, index: int) -> int:
        """Return the character offset after token `index`."""
        return self.starts[index] + len(self.tokens[index])

    def span(self, first: int, last: int | None = None) -> tuple[int, int]:
        """Return the character offsets of token `first`, or of the tokens from `first` to `last`: (start, end)."""
        return self.starts[first], self.end(first if last is None else last)

    def token(self, index: int) -> str:
        """Return a token; "" for an index outside the text."""
        return self.tokens[index] if 0 <= index < len(self.tokens) else ""

    def word(self, index: int) -> str:
        """Return a token in lower case; "" for an index outside the text."""
        return self.words[index] if 0 <= index < len(self.tokens) else ""

    def pos(self, index: int) -> str:
        """Return a token's universal tag; "" for an index outside the text."""
        return self.upos[index] if 0 <= index < len(self.tokens) else ""

    def tag(self, index: int) -> str:
        """Return a token's tag; for an index outside the text, the tag of a full stop."""
        return self.tags[index] if 0 <= index < len(self.tokens) else "."

    def children(self, index: int, *labels: str) -> list[int]:
        """Return the dependents of `index` in order; if `labels` are given, only those with one of them.

        A label matches its subtypes too: "nsubj" finds "nsubj:pass".
        """
        return [
            child for child in self._dependents[index] if not labels or self.deps[child] in labels or self._main_labels[child] in labels
        ]

    @cached_property
    def _main_labels(self) -> list[str]:
        """Each label's part before the colon, computed once, like the next two: rules ask for those of every token."""
        return [label.partition(":")[0] for label in self.deps]

    @cached_property
    def words(self) -> list[str]:
        """The tokens in lower case."""
        return [token.lower() for token in self.tokens]

    @cached_property
    def _dependents(self) -> list[list[int]]:
        """The dependents of each token: a text may have thousands."""
        dependents: list[list[int]] = [[] for _ in self.heads]
        for child, head in enumerate(self.heads):
            if head != child:
                dependents[head].append(child)
        return dependents

    def first(self, index: int) -> int:
        """Return the first token of the subtree: of `index` and all its descendants."""
        return self._spans[0][index]

    def last(self, index: int) -> int:
        """Return the last token of the subtree."""
        return self._spans[1][index]

    def is_contiguous(self, index: int) -> bool:
        """Return whether the subtree is one stretch of text."""
        return self.last(index) - self.first(index) + 1 == self._spans[2][index]

    @cached_property
    def _spans(self) -> tuple[list[int], list[int], list[int]]:
        """The first token, the last token and the size of each subtree, in linear time."""
        first, last = list(range(len(self))), list(range(len(self)))
        size = [1] * len(self)
        order = self.roots()
        for index in order:
            order.extend(self._dependents[index])
        for index in reversed(order):
            head = self.heads[index]
            if head != index:
                first[head] = min(first[head], first[index])
                last[head] = max(last[head], last[index])
                size[head] += size[index]
        return first, last, size

    def has_label(self, index: int, *labels: str) -> bool:
        """Return whether the token's label, or its part before the colon, is one of `labels`."""
        return self.deps[index] in labels or self._main_labels[index] in labels

    def indices_of(self, *words: str) -> list[int]:
        """Return, in order, the indices of the tokens that are one of `words` (given in lower case), whatever their case."""
        return sorted(index for word in words for index in self._indices.get(word, ()))

    @cached_property
    def _indices(self) -> dict[str, list[int]]:
        indices: dict[str, list[int]] = {}
        for index, word in enumerate(self.words):
            indices.setdefault(word, []).append(index)
        return indices

    def is_below(self, index: int, ancestor: int) -> bool:
        """Return whether `ancestor` is the token itself, its head, its head's head, and so on."""
        return ancestor in self.path(index)

    def path(self, index: int) -> Iterator[int]:
        """Yield the token, its head, its head's head, and so on to the root."""
        yield index
        while self.heads[index] != index:
            index = self.heads[index]
            yield index

    def roots(self) -> list[int]:
        """Return the roots: one per sentence the parser found in the text."""
        return [index for index, head in enumerate(self.heads) if head == index]

    def head_of(self, first: int, last: int) -> int:
        """Return the token of a phrase, from `first` to `last`, that depends on a word outside of it; the last one if there is none."""
        inside = range(first, last + 1)
        return next((index for index in inside if self.heads[index] not in inside), last)

    def conjuncts(self, index: int) -> list[int]:
        """Return the words that are coordinated with the token, itself included: the first one, on which the others depend, and those."""
        first = self.heads[index] if self.deps[index] == "conj" else index
        return [first, *self.children(first, "conj")]

    def clause_head(self, index: int) -> int:
        """Return the word whose clause the auxiliary, copula or verb belongs to."""
        return self.heads[index] if self.has_label(index, "aux", "cop") else index

    def is_negation(self, index: int) -> bool:
        """Return whether the token is "not" or "n't"."""
        return self.word(index) in NEGATIONS


def universal_label(label: str) -> str:
    """Translate a ClearNLP label to its UD name; a UD label is returned unchanged.

    >>> universal_label("nsubjpass"), universal_label("obl")
    ('nsubj:pass', 'obl')
    """
    return _UD_LABEL_OF_CLEARNLP.get(label, _UD_LABEL_OF_CLEARNLP.get(label.lower(), label))


def penn_tag(tag: str) -> str:
    """Return the Penn part of a tag: some pipelines' tags carry their features after two underscores.

    >>> penn_tag("VBZ__Mood=Ind|Number=Sing")
    'VBZ'
    """
    return tag.split("__", 1)[0]


def parse_of_rows(text: str, rows: Iterable[tuple[str, int, str, str, str, int, str]], language: str = "en") -> Parse:
    """Build a `Parse` from rows of (token, start, lemma, upos, tag, head, label)."""
    columns = list(zip(*rows, strict=True)) or [()] * 7
    tokens, starts, lemmas, upos, tags, heads, labels = columns
    return Parse(
        text=text,
        tokens=tuple(tokens),
        starts=tuple(starts),
        lemmas=tuple(lemmas),
        upos=tuple(upos),
        tags=tuple(map(penn_tag, tags)),
        heads=tuple(heads),
        deps=tuple(map(universal_label, labels)),
        language=language,
    )
