"""What cannot be adapted: models, text and settings."""

from __future__ import annotations

from pathlib import Path

from fault import Fault, Write, write
from faults_models import copied, damages

_ON = ("adapt", "{corpus}", "--output", "{work}/out", "--quiet", "--model")
_ADAPT = (*_ON, "{model}")


def _static(work: Path) -> None:
    """A static encoder."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    from augcse.encoding.model import load_tokenizer

    embedding = StaticEmbedding(load_tokenizer("mini-bert"), embedding_dim=8)
    SentenceTransformer(modules=[embedding], device="cpu").save_pretrained(str(work / "static"), create_model_card=False)


def _few(number: int) -> Write:
    return write("few.txt", "".join(f"The old mill of {index} brothers is closed.\n" for index in range(number)))


ADAPT = [
    Fault(f"adapt: {kind}", words, (name,), prepare)
    for kind, words, name, prepare in [
        ("recipe: an unknown name", (*_ADAPT, "--recipe", "adaptt"), "did you mean adapt", lambda work: None),
        ("objective: an unknown name", (*_ADAPT, "--objective", "simcsee"), "did you mean simcse", lambda work: None),
        ("objective: one that needs columns", (*_ADAPT, "--objective", "simcse-supervised"), "sent0", lambda work: None),
        ("last layers: none", (*_ADAPT, "--last-layers", "0"), "last-layers", lambda work: None),
        ("last layers: more than there are", (*_ADAPT, "--last-layers", "3", "--dev", "none"), "has 2", lambda work: None),
        ("weights: above 1", (*_ADAPT, "--set", "interpolation.weights=[1.5]"), "interpolation.weights", lambda work: None),
        ("weights: a number", (*_ADAPT, "--set", "interpolation.weights=0.5"), "interpolation.weights", lambda work: None),
        ("set: an unknown key", (*_ADAPT, "--set", "interpolation.weigths=[1]"), "did you mean", lambda work: None),
        ("set: another pooling", (*_ADAPT, "--set", "pooling=cls", "--dev", "none"), "leave model.pooling out", lambda work: None),
        ("dev: absent", (*_ADAPT, "--dev", "{work}/pairs.tsv"), "pairs.tsv", lambda work: None),
        ("output: in use", ("adapt", "{corpus}", "--output", "{run}", "--quiet", "--model", "{model}"), "is not empty", lambda work: None),
        ("probe: too few sentences", ("adapt", "{work}/few.txt", *_ADAPT[2:]), "--dev probe: the corpus has 40", _few(40)),
        (
            "static: an objective inside a transformer",
            (*_ON, "{work}/static", "--objective", "diffcse", "--dev", "none"),
            "is a static encoder",
            _static,
        ),
        ("static: last layers", (*_ON, "{work}/static", "--last-layers", "1", "--dev", "none"), "has no layers", _static),
    ]
]
ADAPT += [
    Fault(f"adapt: model: {kind}", (*_ON, "{work}/model"), ("model",), copied(damage))
    for kind, damage in damages("no config.json", "tokenizer.json cut short", "code of its own").items()
]
