"""Scripts without blanks between words, in which a word has no bounds to look for."""

from __future__ import annotations

# Inside the brackets of a pattern: Thai and Lao, Burmese, Khmer, Japanese syllables, ideographs.
UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff"
