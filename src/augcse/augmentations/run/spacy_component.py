"""Augmentations as a component of a spaCy pipeline: `nlp.add_pipe("augcse", config={"names": ["RandomSwap"]})`.

spaCy finds the component by the package's entry point and imports this module whenever a pipeline is made; hence what augmenting needs is
imported where it is used. spaCy reads the annotations of `make`, so they must not become texts (no `from __future__ import annotations`).
"""

from collections.abc import Iterable, Iterator, Sequence

from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import minibatch

from augcse.annotation.pipeline import BUNDLED_PARSER
from augcse.errors import UserError


class SpacyComponent:
    """Writes to `doc._.augmented` what augmentations make of a text: a dictionary for each one that changes it.

    Its keys: `name`, `text`, `applied` (the members that changed it), and `ents`: [start, end, label] of the entities that stayed
    unchanged (lists, as spaCy's other processes return tuples as lists). What is drawn depends only on the seed and the text.

    Args:
        names: augmentations and sets.
        seed: of the random streams.
        parser: the spaCy pipeline for augmentations that need a parse.

    Raises:
        UserError: an unknown name, or an augmentation that takes statistics from a corpus: a pipeline has none.
    """

    def __init__(self, names: Sequence[str], seed: int, parser: str) -> None:
        from augcse.augmentations.spec import parse_specs

        specs = parse_specs(names)
        fitted = next((spec.text for spec in specs if spec.is_fitted), None)
        if fitted is not None:
            raise UserError(f"{fitted} takes statistics from a corpus, which a pipeline does not have; leave it out or call augcse.augment")
        self._names = [spec.text for spec in specs]
        self._seed, self._parser = seed, parser
        Doc.set_extension("augmented", default=None, force=True)

    def __call__(self, doc: Doc) -> Doc:
        """Augment one document."""
        return next(self.pipe([doc]))

    def pipe(self, docs: Iterable[Doc], batch_size: int = 128) -> Iterator[Doc]:
        """Augment documents, `batch_size` at a time."""
        for batch in minibatch(docs, batch_size):
            self._augment(batch)
            yield from batch

    def _augment(self, docs: Sequence[Doc]) -> None:
        from augcse.augmentations.run.apply import edits
        from augcse.rng import derive_seed

        texts = [doc.text for doc in docs]
        rows = [derive_seed(self._seed, "doc", text) for text in texts]
        for doc in docs:
            doc._.augmented = []
        for name in self._names:
            made = edits(texts, name, seed=self._seed, rows=rows, parser=self._parser)
            for doc, edit in zip(docs, made, strict=True):
                if edit is not None:
                    carried = edit.carry([(ent.start_char, ent.end_char) for ent in doc.ents])
                    ents = [[*span, ent.label_] for span, ent in zip(carried, doc.ents, strict=True) if span is not None]
                    doc._.augmented.append({"name": name, "text": edit.augmented, "applied": list(edit.applied), "ents": ents})


def make(nlp: Language, name: str, names: list[str], seed: int, parser: str) -> SpacyComponent:
    """Make the component; `config` has the augmentations, the seed of the random streams and the pipeline for rules that need a parse."""
    return SpacyComponent(names, seed, parser)


Language.factory("augcse", default_config={"names": ["4-aug-2"], "seed": 0, "parser": BUNDLED_PARSER}, func=make)
