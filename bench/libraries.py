"""The operations that bench/libraries_speed.py times, with the call of each library.

The docs show the options as passed. All use a rate of 0.1 if the operation has one; TextAttack re-tokenises a sentence for every changed
word, has no batches, and makes one new text per sentence.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

Texts = list[str]
Work = Callable[[Texts], Texts]
LIBRARIES = ("augcse", "nlpaug", "TextAttack", "glitchlings")
MODULES = {"nlpaug": "nlpaug.augmenter.word", "TextAttack": "textattack.augmentation", "glitchlings": "glitchlings"}


class Named(str):
    """A placeholder for a local resource in the options below: see `Resources`."""

    __slots__ = ()

    def __repr__(self) -> str:
        """What the table shows."""
        return f"<{self}>"


MODEL, WORDNET, VECTORS = Named("mini-bert"), Named("WordNet 3.0"), Named("mini-bert's vectors")
WORDS, TERMS = Named("the corpus's words"), Named("the corpus's TF-IDF")


@dataclass(frozen=True)
class Contender:
    """One implementation of an operation: a library, the name of its class, and the options."""

    library: str
    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    batched: bool = False

    @property
    def call(self) -> str:
        """What the table shows."""
        return f"{self.name}({', '.join(f'{key}={value!r}' for key, value in self.options.items())})"


def _ours(name: str, **options: Any) -> Contender:
    return Contender("augcse", name, options)


def _nlpaug(name: str, **options: Any) -> Contender:
    return Contender("nlpaug", name, {**options, "aug_max": None})


def _textattack(name: str, rate: float = 0.1, **options: Any) -> Contender:
    return Contender("TextAttack", name, {**options, "pct_words_to_swap": rate})


def _glitchlings(name: str, **options: Any) -> list[Contender]:
    return [Contender("glitchlings", name, options), Contender("glitchlings", name, options, batched=True)]


# Rates are relative to the first contender of an operation.
OPERATIONS: dict[str, list[Contender]] = {
    "delete words": [
        _ours("RandomDeletion", rate=0.1),
        _ours("EDARandomDeletion", alpha=0.1),
        _nlpaug("RandomWordAug", action="delete", aug_p=0.1),
        _textattack("DeletionAugmenter"),
        *_glitchlings("Rushmore", modes="delete", rate=0.1, unweighted=True),
    ],
    "delete a run of words": [
        _ours("RandomCrop", rate=0.1),
        _nlpaug("RandomWordAug", action="crop", aug_p=0.1, aug_min=2),
    ],
    "swap neighbouring words": [
        _ours("RandomSwap", rate=0.2),
        _nlpaug("RandomWordAug", action="swap", aug_p=0.1),
        *_glitchlings("Rushmore", modes="swap", rate=0.1),
    ],
    "swap any two words": [_ours("EDARandomSwap", alpha=0.1), _textattack("SwapAugmenter")],
    "repeat words": [_ours("WordRepetition", rate=0.2), *_glitchlings("Rushmore", modes="duplicate", rate=0.1, unweighted=True)],
    "mask words": [
        _ours("WordMask", rate=0.1),
        _nlpaug("RandomWordAug", action="substitute", aug_p=0.1, target_words=["[MASK]"]),
        *_glitchlings("Redactyl", rate=0.1, unweighted=True),
    ],
    "replace words by any of the corpus": [
        _ours("UniformReplacement", rate=0.1),
        _nlpaug("RandomWordAug", action="substitute", aug_p=0.1, target_words=WORDS),
    ],
    "replace words by TF-IDF": [_ours("TFIDFReplacement", rate=0.1, replacement="uda"), _nlpaug("TfIdfAug", model_path=TERMS, aug_p=0.1)],
    "replace words by synonyms": [
        _ours("EDASynonymReplacement", alpha=0.1, lexicon=WORDNET),
        _ours("EDASynonymReplacement", alpha=0.1),
        _ours("SynonymSubstitution", rate=0.5),
        _nlpaug("SynonymAug", aug_src="wordnet", aug_p=0.1),
        _textattack("WordNetAugmenter"),
        *_glitchlings("Jargoyle", lexemes="synonyms", rate=0.1),
    ],
    "insert synonyms": [_ours("EDARandomInsertion", alpha=0.1, lexicon=WORDNET), _textattack("SynonymInsertionAugmenter")],
    "replace words by antonyms": [_ours("AntonymsSubstitute"), _nlpaug("AntonymAug", aug_p=0.1)],
    "replace words by near ones in static vectors": [
        _ours("RandomWordEmbAugmentation", rate=0.1, top_k=5, vectors=VECTORS),
        _nlpaug("WordEmbsAug", model_type="glove", model_path=VECTORS, top_k=5, aug_p=0.1),
        _textattack("WordSwapEmbedding", max_candidates=5, embedding=VECTORS),
    ],
    "replace words by a masked language model": [
        _ours("RandomContextualWordAugmentation", action="substitute", rate=0.1, top_k=10, precision="fp32"),
        _nlpaug("ContextualWordEmbsAug", model_path=MODEL, model_type="bert", top_k=10, aug_p=0.1),
        _textattack("WordSwapMaskedLM", method="bae", masked_language_model=MODEL, max_candidates=10, max_length=128),
    ],
    "letters that look alike": [
        _ours("VisualAttackLetters", rate=0.02),
        _textattack("WordSwapHomoglyphSwap", random_one=True),
        *_glitchlings("Mim1c", rate=0.02),
    ],
    "contractions": [_ours("ContractionExpansions"), _textattack("WordSwapExtend + WordSwapContract")],
    "colours": [_ours("ColorTransformation"), *_glitchlings("Jargoyle", lexemes="colors", rate=1.0)],
}


@dataclass(frozen=True)
class Resources:
    """The local resources of the options: words and statistics of the corpus, word vectors, and a model folder."""

    folder: Path
    sentences: Sequence[str]

    def resolved(self, contender: Contender) -> dict[str, Any]:
        """Return the options with placeholders replaced."""
        return {key: self._value(contender, key, value) for key, value in contender.options.items()}

    def _value(self, contender: Contender, key: str, value: Any) -> Any:
        if value == MODEL:
            from augcse.resources import MINI_BERT

            return str(MINI_BERT)
        if value == WORDNET:
            return f"wndb:{wordnet_folder()}"
        if value == WORDS:
            return sorted({word for sentence in self.sentences for word in sentence.split() if word.isalpha()})
        if value == VECTORS:
            return self._keyed_vectors() if key == "embedding" else str(self._vectors_file())
        return str(self._terms()) if value == TERMS else value

    def _vectors_file(self) -> Path:
        from augcse.augmentations.neural.vectors import load_vectors

        path = self.folder / "vectors.txt"
        if not path.exists():
            vectors = load_vectors("mini-bert")
            rows = zip(vectors.words, vectors.vectors.tolist(), strict=True)
            path.write_text("".join(f"{word} {' '.join(f'{number:.6f}' for number in row)}\n" for word, row in rows), "utf-8")
        return path

    def _keyed_vectors(self) -> Any:
        from gensim.models import KeyedVectors
        from textattack.shared import GensimWordEmbedding

        return GensimWordEmbedding(KeyedVectors.load_word2vec_format(str(self._vectors_file()), binary=False, no_header=True))

    def _terms(self) -> Path:
        from nlpaug.model.word_stats import TfIdf
        from nlpaug.util.text.tokenizer import Tokenizer

        statistics = TfIdf()
        statistics.train([Tokenizer.tokenizer(sentence) for sentence in self.sentences])
        statistics.save(str(self.folder))
        return self.folder


def wordnet_folder() -> Path:
    """Return nltk's WordNet folder; raises `LookupError` if there is none."""
    import nltk

    return Path(str(nltk.data.find("corpora/wordnet")))


def work_of(contender: Contender, resources: Resources) -> Work:
    """Return the function to time, with all resources loaded."""
    options = resources.resolved(contender)
    if contender.library == "augcse":
        return _our_work(contender.name, options, resources.sentences)
    module = importlib.import_module(MODULES[contender.library])
    if contender.library == "nlpaug":
        augment: Work = getattr(module, contender.name)(**options).augment
        return augment
    if contender.library == "TextAttack":
        augmenter = _textattack_augmenter(module, contender.name, options)
        return lambda texts: [variants[0] for variants in augmenter.augment_many(texts)]
    glitchling = getattr(module, contender.name)(**options, seed=0)
    return module.Gaggle([glitchling], seed=0).corrupt_batch if contender.batched else lambda texts: list(map(glitchling.corrupt, texts))


def _our_work(name: str, options: dict[str, Any], sentences: Sequence[str]) -> Work:
    """Return a function like `augcse.augment`, with corpus statistics computed beforehand."""
    from augcse.annotation.pipeline import parse_sentences
    from augcse.augmentations.base import row_stream
    from augcse.augmentations.run.composed import Parses, apply_spec
    from augcse.augmentations.spec import parse_spec

    spec = parse_spec(name)
    spec = replace(spec, options=spec.member.check_options(options))
    kind = spec.member.fitted
    fitted = {} if kind is None else {spec.text: kind.fit(sentences)}

    def augment(texts: Texts) -> Texts:
        rngs = [row_stream(0, spec.text, row) for row in range(len(texts))]
        results = apply_spec(spec, texts, rngs, Parses(parse_sentences), fitted)
        return [old if new is None else new for old, new in zip(texts, results, strict=True)]

    return augment


def _textattack_augmenter(module: Any, name: str, options: dict[str, Any]) -> Any:
    """Return a predefined augmenter, or one made from transformations; "A + B" draws one of the two."""
    from textattack import transformations
    from textattack.constraints.pre_transformation import RepeatModification

    rate = options.pop("pct_words_to_swap")
    if name.endswith("Augmenter"):
        return getattr(importlib.import_module("textattack.augmentation.recipes"), name)(pct_words_to_swap=rate)
    parts = [getattr(transformations, part)(**options) for part in name.split(" + ")]
    transformation = parts[0] if len(parts) == 1 else transformations.CompositeTransformation(parts)
    return module.Augmenter(transformation=transformation, constraints=[RepeatModification()], pct_words_to_swap=rate)
