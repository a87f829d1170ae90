"""What ships inside the package: the parser, the mini backbone, the demo corpus and its graded pairs."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent
PARSER = ROOT / "en_ewt"
MINI_BERT = ROOT / "mini-bert"
DEMO_CORPUS = ROOT / "demo" / "sentences.txt"
DEMO_PAIRS = ROOT / "demo" / "pairs.tsv"
LEXICON = ROOT / "lexicon" / "oewn.lexicon"
WORD_FORMS = ROOT / "word_forms"
