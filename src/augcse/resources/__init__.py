"""What ships inside the package: the parser, the mini backbone, the demo corpus, its graded pairs, a report's style and script."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent
PARSER = ROOT / "en_ewt"
MINI_BERT = ROOT / "mini-bert"
DEMO_CORPUS = ROOT / "demo" / "sentences.txt"
DEMO_PAIRS = ROOT / "demo" / "pairs.tsv"
LEXICON = ROOT / "lexicon" / "oewn.lexicon"
WORD_FORMS = ROOT / "word_forms"
PAGE_STYLE = ROOT / "report" / "page.css"
PAGE_SCRIPT = ROOT / "report" / "page.js"
PLAY_STYLE = ROOT / "report" / "play.css"
