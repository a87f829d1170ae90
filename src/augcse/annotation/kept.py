"""A disk cache of parses, shared by all rules, seeds and epochs; the key is the text, the parser and the parsing code."""

from __future__ import annotations

import base64
import functools
import importlib.metadata
import importlib.util
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import BUNDLED_PARSER, jieba_words, parse_sentences
from augcse.disk_cache import Store, cached
from augcse.files import file_sha256
from augcse.resources import PARSER

# About a million sentences.
PARSES = Store("parses.sqlite3", limit_bytes=1 << 30)
_COLUMNS = ("tokens", "starts", "lemmas", "upos", "tags", "heads", "deps")


def kept_parses(texts: Sequence[str], parser: str = BUNDLED_PARSER) -> list[Parse]:
    """Return a parse of each text, in order: as `parse_sentences`, but read from the disk cache (`AUGCSE_CACHE`) where present.

    Raises:
        UserError: as `parse_sentences`.
    """
    identity = _identity(parser)
    if identity is None:
        return list(parse_sentences(texts, parser))
    documents = cached(identity, texts, lambda missing: [_encode_parse(parse) for parse in parse_sentences(missing, parser)], PARSES)
    return [_decode_parse(text, document) for text, document in zip(texts, documents, strict=True)]


def _encode_parse(parse: Parse) -> str:
    """Serialise a parse without its text, compressed so that an entry fits into a page of the cache file."""
    columns = [parse.language, *(getattr(parse, column) for column in _COLUMNS)]
    return base64.b64encode(zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), 1)).decode("ascii")


def _decode_parse(text: str, document: str) -> Parse:
    language, *columns = json.loads(zlib.decompress(base64.b64decode(document)))
    return Parse(text=text, language=language, **{name: tuple(column) for name, column in zip(_COLUMNS, columns, strict=True)})


@functools.lru_cache(maxsize=8)
def _identity(parser: str) -> dict[str, Any] | None:
    """Return everything but the text that a parse depends on, without loading the parser; None if its files cannot be found."""
    code = [file_sha256(path) for path in sorted(Path(__file__).parent.glob("*.py"))]
    user_words = jieba_words(parser)
    if user_words is not None:
        words = file_sha256(user_words) if user_words and Path(user_words).is_file() else user_words
        return {"kind": "parse", "code": code, "parser": parser, "jieba": _package_version("jieba"), "words": words}
    folder = _pipeline_folder(parser)
    if folder is None:
        return None
    files = {str(path.relative_to(folder)): file_sha256(path) for path in sorted(folder.rglob("*")) if path.is_file()}
    return {"kind": "parse", "code": code, "files": files, "spacy": _package_version("spacy")}


def _pipeline_folder(parser: str) -> Path | None:
    """Return the folder of a spaCy pipeline's files; None if it is not found."""
    if parser == BUNDLED_PARSER:
        return PARSER
    path = Path(parser).expanduser()
    if path.is_dir():
        return path
    spec = importlib.util.find_spec(parser) if parser.isidentifier() else None
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None


def _package_version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
