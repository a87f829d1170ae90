"""Princeton WordNet database files: index.noun, data.noun, noun.exc and those of the other parts of speech (wndb(5WN)).

They are what Debian's wordnet-base installs in /usr/share/wordnet and NLTK in corpora/wordnet. The files are mapped
into memory; a lemma is found by binary search in the sorted index, a synset by its byte offset.
"""

from __future__ import annotations

import mmap
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from augcse.errors import UserError
from augcse.lexicon.base import POS, Lexicon, Pos, Synset, check_pos

_FILE: dict[Pos, str] = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
# The lexicographer files by number (lexnames(5WN)).
_CATEGORIES = (
    "adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition"
    " noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person"
    " noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state"
    " noun.substance noun.time verb.body verb.change verb.cognition verb.communication verb.competition"
    " verb.consumption verb.contact verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social"
    " verb.stative verb.weather adj.ppl"
).split()
# The syntactic marker of an adjective: "galore(ip)".
_MARKER = re.compile(r"\((?:a|p|ip)\)$")
_CACHED = 50_000


@dataclass(frozen=True, slots=True)
class _Pointer:
    symbol: str
    pos: Pos
    offset: int
    source: int
    target: int


class WndbLexicon(Lexicon):
    """WordNet database files in a folder; a synset's key is its byte offset times 4 plus its part of speech.

    Args:
        folder: holds index.*, data.* and, for irregular forms, *.exc.

    Raises:
        UserError: a file is missing or is not a WordNet database file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = {pos: _map_file(folder / f"index.{_FILE[pos]}") for pos in POS}
        self._data = {pos: _map_file(folder / f"data.{_FILE[pos]}") for pos in POS}
        self._record = lru_cache(_CACHED)(self._read_record)
        self._offsets = lru_cache(_CACHED)(self._search_offsets)

    def synsets(self, lemma: str, pos: Pos | None = None) -> tuple[Synset, ...]:
        """Return the meanings of a lemma, the most frequent first; without a part of speech, nouns before verbs."""
        check_pos(pos)
        classes = POS if pos is None else (pos,)
        return tuple(self._record(each, offset)[0] for each in classes for offset in self._offsets(lemma.lower(), each))

    def antonyms(self, lemma: str, pos: Pos, senses: int | None = None) -> tuple[str, ...]:
        """Return the words opposite to the first `senses` meanings of the lemma (None: to all)."""
        antonyms: list[str] = []
        for offset in self._offsets(lemma.lower(), pos)[:senses]:
            synset, pointers = self._record(pos, offset)
            members = {index for index, word in enumerate(synset.lemmas, start=1) if word.lower() == lemma.lower()}
            antonyms += [self._target(pointer) for pointer in pointers if pointer.symbol == "!" and pointer.source in members]
        return tuple(dict.fromkeys(antonyms))

    def hypernyms(self, synset: Synset) -> tuple[Synset, ...]:
        """Return the next broader meanings, those of an instance ("Paris") included."""
        return self._related(synset, "@")

    def hyponyms(self, synset: Synset) -> tuple[Synset, ...]:
        """Return the next narrower meanings, instances included."""
        return self._related(synset, "~")

    def irregular(self, form: str, pos: Pos) -> tuple[str, ...]:
        """Return the lemmas that `form` is listed as an irregular form of."""
        check_pos(pos)
        return self._irregular[pos].get(form.lower(), ())

    @cached_property
    def _irregular(self) -> dict[Pos, dict[str, tuple[str, ...]]]:
        return {pos: _exceptions(self._folder / f"{name}.exc") for pos, name in _FILE.items()}

    def _related(self, synset: Synset, symbol: str) -> tuple[Synset, ...]:
        _, pointers = self._record(POS[synset.key % 4], synset.key // 4)
        return tuple(self._record(pointer.pos, pointer.offset)[0] for pointer in pointers if pointer.symbol.startswith(symbol))

    def _target(self, pointer: _Pointer) -> str:
        return self._record(pointer.pos, pointer.offset)[0].lemmas[pointer.target - 1]

    def _search_offsets(self, lower: str, pos: Pos) -> tuple[int, ...]:
        """Return the offsets of the lemma's synsets: index lines are sorted by lemma, byte for byte."""
        index, target = self._index[pos], lower.replace(" ", "_").encode()
        low, high = 0, len(index)
        while low < high:
            start = index.rfind(b"\n", 0, (low + high) // 2) + 1
            end = index.find(b"\n", start)
            end = len(index) if end < 0 else end
            line = index[start:end]
            # The licence comes before the index, indented by two spaces.
            lemma = b"" if line.startswith(b"  ") else line.split(b" ", 1)[0]
            if lemma == target and target:
                return _index_offsets(line.decode())
            low, high = (end + 1, high) if lemma < target else (low, start)
        return ()

    def _read_record(self, pos: Pos, offset: int) -> tuple[Synset, tuple[_Pointer, ...]]:
        """Read the line at `offset`: the synset and its pointers."""
        data = self._data[pos]
        end = data.find(b"\n", offset)
        try:
            return _synset(data[offset : end if end >= 0 else len(data)].decode("utf-8"), pos, offset)
        except (ValueError, IndexError, KeyError) as error:
            name = self._folder / f"data.{_FILE[pos]}"
            raise UserError(f"{name}: no synset at byte {offset}; index and data must be of one WordNet version") from error


def _map_file(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise UserError(f"cannot read {path}: {error}; give a folder of WordNet database files (Debian: wordnet-base)") from error


def _index_offsets(line: str) -> tuple[int, ...]:
    fields = line.split()
    # lemma, pos, number of synsets, number p of pointer symbols, p symbols, number of senses, number tagged, offsets
    return tuple(map(int, fields[6 + int(fields[3]) :]))


def _synset(line: str, pos: Pos, offset: int) -> tuple[Synset, tuple[_Pointer, ...]]:
    """Parse a line of a data file: the synset, and its pointers to others (wndb(5WN))."""
    fields = line.split(" | ")[0].split()
    if int(fields[0]) != offset:
        raise ValueError(line)
    count_field = 4 + 2 * int(fields[3], 16)
    words = tuple(_MARKER.sub("", word).replace("_", " ") for word in fields[4:count_field:2])
    rows = [fields[index : index + 4] for index in range(count_field + 1, count_field + 1 + 4 * int(fields[count_field]), 4)]
    pointers = tuple(_Pointer(row[0], _pointer_pos(row[2]), int(row[1]), int(row[3][:2], 16), int(row[3][2:], 16)) for row in rows)
    return Synset(4 * offset + POS.index(pos), pos, _CATEGORIES[int(fields[1])], words), pointers


def _pointer_pos(letter: str) -> Pos:
    """Return the part of speech of a pointer; satellites ("s") count as adjectives."""
    return POS[POS.index("a" if letter == "s" else letter)]


def _exceptions(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the lemmas of each irregular form; {} if there is no such file."""
    if not path.exists():
        return {}
    rows = (line.replace("_", " ").split("\t") if "\t" in line else line.split() for line in path.read_text("utf-8").splitlines())
    return {row[0].replace("_", " "): tuple(lemma.replace("_", " ") for lemma in row[1:]) for row in rows if len(row) > 1}
