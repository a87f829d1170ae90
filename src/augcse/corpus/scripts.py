"""What differs between scripts: the marks that end a sentence, and scripts without spaces between words."""

from __future__ import annotations

# Of Latin, Greek and Cyrillic; Arabic and Urdu; Armenian; Devanagari and other Indic scripts; Ethiopic; Tibetan; Burmese; Khmer.
SPACED_END_MARKS = ".!?…‽⁇⁈⁉؟۔։।॥።፧།။។៕"
# Of Chinese and Japanese, where no space follows.
FULL_WIDTH_END_MARKS = "。！？｡"
END_MARKS = SPACED_END_MARKS + FULL_WIDTH_END_MARKS
# Inside the brackets of a pattern: Thai, Lao, Tibetan and Burmese, Khmer, Japanese syllables, ideographs. Words have no marked boundaries.
UNSPACED = r"\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff"
