"""The file format of the bundled lexicon: a header, a table of named arrays, and the arrays; read by memory mapping.

    8 s   magic "AUGCSELX"      4 u   version      4 u   number of sections      4 u   CRC-32 of everything that follows
    per section: 16 s name, 4 s numpy type, 4 u offset from the start of the file, 4 u number of items

All numbers are little-endian; arrays start at multiples of 4 bytes. `SECTIONS` says what each array holds.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from augcse.errors import UserError

MAGIC = b"AUGCSELX"
VERSION = 1
_HEADER = struct.Struct("<8sIII")
_ENTRY = struct.Struct("<16s4sII")
_REMEDY = "install augcse again, or build it with scripts/build_lexicon.py"
# Lemmas are sorted by (lower case, as written); offsets are cumulative sums of counts.
SECTIONS = {
    "lemma_text": "|u1",  # all lemmas, UTF-8, one after the other
    "lemma_bytes": "|u1",  # the length of each
    "lemma_senses": "|u1",  # how many senses each has
    "lemma_common": "|u1",  # how common each is: 12 log2(1 + uses in definitions and examples)
    "sense_synset": "<u4",  # the synset of each sense, in the order of the lemmas, then parts of speech, then ranks
    "synset_members": "|u1",  # how many lemmas each synset has
    "member_lemma": "<u4",  # the lemmas of each synset
    "synset_category": "|u1",  # its lexicographer file, as a line of `categories`
    "synset_hypernyms": "|u1",  # how many hypernyms it has
    "hypernym": "<u4",  # the hypernyms of each synset; hyponyms are the inverse relation
    "antonym_sense": "<u4",  # senses that have an antonym, ascending, one entry per antonym
    "antonym_lemma": "<u4",  # the antonym
    "categories": "|u1",  # names of lexicographer files, a line each
    "irregular": "|u1",  # form, part of speech, lemma: a tab-separated line each
}
Sections = dict[str, NDArray[Any]]


def pack(sections: Mapping[str, NDArray[Any]]) -> bytes:
    """Serialise the arrays, deterministically."""
    start = _HEADER.size + len(SECTIONS) * _ENTRY.size
    table, body = b"", b""
    for name, kind in SECTIONS.items():
        padding = -(start + len(body)) % 4
        body += b"\0" * padding
        array = np.ascontiguousarray(sections[name], dtype=kind)
        table += _ENTRY.pack(name.encode(), kind.encode(), start + len(body), len(array))
        body += array.tobytes()
    return _HEADER.pack(MAGIC, VERSION, len(SECTIONS), zlib.crc32(table + body)) + table + body


def open_sections(path: Path) -> Sections:
    """Map the file into memory and return its arrays, without copying them.

    Raises:
        UserError: no such file, another format or version, or a damaged file.
    """
    try:
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise UserError(f"cannot read the lexicon {path}: {error}; {_REMEDY}") from error
    number = _checked_section_count(path, content)
    entries = [_ENTRY.unpack_from(content, _HEADER.size + index * _ENTRY.size) for index in range(number)]
    return {
        name.rstrip(b"\0").decode(): np.frombuffer(content, dtype=kind.rstrip(b"\0").decode(), count=count, offset=offset)
        for name, kind, offset, count in entries
    }


def _checked_section_count(path: Path, content: mmap.mmap) -> int:
    """Check the header against the content and return the number of sections."""
    if len(content) < _HEADER.size or content[: len(MAGIC)] != MAGIC:
        raise UserError(f"{path} is not an augcse lexicon; {_REMEDY}")
    _, version, number, checksum = _HEADER.unpack_from(content)
    if version != VERSION:
        raise UserError(f"{path} has format {version}, this augcse reads format {VERSION}; {_REMEDY}")
    with memoryview(content) as view:
        if zlib.crc32(view[_HEADER.size :]) != checksum:
            raise UserError(f"{path} is damaged: its checksum does not match; {_REMEDY}")
    return int(number)
