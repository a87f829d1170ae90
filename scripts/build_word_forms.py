"""Build the word forms of the package from LemmInflect 0.2.3, and compare the two.

    pip install lemminflect==0.2.3
    python scripts/build_word_forms.py src/augcse/resources/word_forms
    python scripts/build_word_forms.py --compare src/augcse/resources/word_forms

LemmInflect keeps its two networks as gzipped pickles. Reading a pickle runs what is in it: this script does, where it is run by hand on a
release that one trusts; nothing in the package does.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from lemminflect import config, getInflection, getLemma
from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec
from lemminflect.codecs.OverridesCodec import OverridesCodec
from lemminflect.utils.DataContainer import DataContainer
from safetensors.numpy import save_file

from augcse.lexicon.unlisted_words import INFLECTION, LEMMA
from augcse.lexicon.word_forms import WordForms

Table = Mapping[str, Mapping[str, tuple[str, ...]]]
TAGS = "NN NNS NNP NNPS VB VBP VBZ VBD VBN VBG MD JJ JJR JJS RB RBR RBS RP CD .".split()
UPOS = "NOUN PROPN VERB ADJ ADV AUX".split()


def lines(table: Table, overrides: Table) -> list[str]:
    """Return the lines of a table, sorted by the bytes of the word: word, then `TAG:form/form`, or the tag alone for the word itself."""
    merged = {word: {**table.get(word, {}), **overrides.get(word, {})} for word in {*table, *overrides}}
    return [
        "\t".join([word, *(tag if forms == (word,) else f"{tag}:{'/'.join(forms)}" for tag, forms in sorted(merged[word].items()))])
        for word in sorted(merged, key=str.encode)
    ]


def write_tables(folder: Path) -> None:
    """Write both tables."""
    inflections = lines(InflectionLUCodec.load(config.inflection_lu_fn), OverridesCodec.load(config.infl_overrides_fn))
    lemmas = lines(LemmaLUCodec.load(config.lemma_lu_fn), OverridesCodec.load(config.lemma_overrides_fn))
    for name, content in (("inflections", inflections), ("lemmas", lemmas)):
        (folder / f"{name}.tsv").write_text("\n".join(content) + "\n", "utf-8")


def write_networks(path: Path) -> None:
    """Write both networks, layer by layer, with their classes."""
    tensors: dict[str, np.ndarray] = {}
    classes: dict[str, str] = {}
    for name, source in ((INFLECTION, config.model_infl_fn), (LEMMA, config.model_lemma_fn)):
        container = DataContainer.load(source)
        parts = ("hidden.weight", "hidden.bias", "output.weight", "output.bias")
        tensors |= {f"{name}.{part}": np.ascontiguousarray(array) for part, array in zip(parts, container.weights, strict=True)}
        classes[name] = "\n".join(container.meta["output_enum"])
    save_file(tensors, path, classes)


def compare(folder: Path) -> int:
    """Print how many answers were compared, and those that differ; return how many differ."""
    ours, compared, different = WordForms(folder), 0, 0
    for word in words():
        for ask, theirs, kinds in ((ours.inflections, getInflection, TAGS), (ours.lemmas, getLemma, UPOS)):
            for kind in kinds:
                compared += 1
                if ask(word, kind) != tuple(theirs(word, kind)):
                    different += 1
                    print(word, kind, ask(word, kind), theirs(word, kind))
    print(f"{compared} answers, {different} differ")
    return different


def words() -> Iterable[str]:
    """Yield every listed word in its own, small and large letters, and as many that are not listed, made by exchanging a letter."""
    listed = sorted({*InflectionLUCodec.load(config.inflection_lu_fn), *LemmaLUCodec.load(config.lemma_lu_fn)})
    draw = random.Random(0)
    for word in listed:
        yield from dict.fromkeys((word, word.lower(), word.capitalize(), word.upper()))
        index = draw.randrange(len(word))
        yield word[:index] + draw.choice("abcdefghijklmnopqrstuvwxyzéß-'1") + word[index + 1 :]


def main() -> None:
    """Build, or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--compare", action="store_true", help="compare the built folder with LemmInflect, which takes minutes")
    arguments = parser.parse_args()
    if arguments.compare:
        raise SystemExit(1 if compare(arguments.folder) else 0)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    write_tables(arguments.folder)
    write_networks(arguments.folder / "networks.safetensors")


if __name__ == "__main__":
    main()
