"""Recipes and settings: TOML that is none, keys and values that are not allowed, settings that do not go together."""

from __future__ import annotations

from pathlib import Path

from fault import Fault, write

_WHOLE = """
[model]
backbone = "mini-bert"

[objective]
name = "simcse"

[training]
learning_rate = 3e-5
batch_size = 8
"""
_FILES: list[tuple[str, str | bytes, str]] = [
    ("empty", "", "mine.toml"),
    ("no TOML", "learning rate: 3", "mine.toml"),
    ("a key twice", _WHOLE + "batch_size = 9\n", "mine.toml"),
    ("a table twice", _WHOLE + "[model]\n", "mine.toml"),
    ("a text that never ends", _WHOLE + 'precision = "fp32\n', "mine.toml"),
    ("latin-1", _WHOLE.encode() + "# Caf\xe9\n".encode("latin-1"), "mine.toml"),
    ("utf-16", _WHOLE.encode("utf-16"), "mine.toml"),
    ("binary", bytes(range(256)), "mine.toml"),
    ("JSON", '{"model": {"backbone": "mini-bert"}}', "mine.toml"),
    ("nested deeply", _WHOLE + "seed = " + "[" * 5000 + "]" * 5000 + "\n", "mine.toml"),
    ("a number of 5,000 digits", _WHOLE + "seed = " + "9" * 5000 + "\n", "mine.toml"),
    ("no training", _WHOLE.partition("[training]")[0], "training"),
    ("no backbone", _WHOLE.replace('backbone = "mini-bert"', ""), "model.backbone"),
    ("no objective", _WHOLE.replace('[objective]\nname = "simcse"', ""), "objective"),
    ("no learning rate", _WHOLE.replace("learning_rate = 3e-5", ""), "training.learning_rate"),
    ("an unknown table", _WHOLE + "[trainer]\nx = 1\n", "trainer"),
    ("an unknown key", _WHOLE + "epoch = 1\n", "training.epochs"),
    ("an unknown option", _WHOLE.replace('"simcse"', '"simcse"\ntemprature = 1'), "temperature"),
    ("an unknown objective", _WHOLE.replace('"simcse"', '"simsce"'), "simcse"),
    ("an objective's file that is not there", _WHOLE.replace('"simcse"', '"nowhere.py:MyLoss"'), "nowhere.py"),
    ("a number for a table", 'model = 3\n' + _WHOLE.partition("[objective]")[1] + _WHOLE.partition("[objective]")[2], "model"),
    ("a list of tables", _WHOLE.replace("[training]", "[[training]]"), "training"),
    ("a date for a number", _WHOLE + "epochs = 2020-01-01\n", "training.epochs"),
    ("an unknown view", _WHOLE + '[corpus]\ncolumns = {orignal = "a"}\n', "orignal"),
    ("a view that is drawn", _WHOLE + '[corpus]\ncolumns = {augmented = "a"}\n', "augmented"),
    ("an empty column", _WHOLE + '[corpus]\ncolumns = {original = ""}\n', "corpus.columns"),
    ("a task without a label", _WHOLE + '[task]\nkind = "classification"\n', "task.label"),
    ("an unknown augmentation", _WHOLE.replace('"simcse"', '"augcse"') + '[augmentation]\nnames = ["RandomSwop"]\n', "RandomSwap"),
    ("a wrong option of one", _WHOLE.replace('"simcse"', '"augcse"') + '[augmentation]\nnames = ["RandomSwap:rate=5"]\n', "rate"),
    ("no augmentation where one is needed", _WHOLE.replace('"simcse"', '"augcse"'), "augmentation"),
    ("an augmentation in two roles",
     _WHOLE.replace('"simcse"', '"contrastive"\nsampling = "uniform"')
     + '[augmentation]\npositives = ["PigLatin"]\nnegatives = ["PigLatin"]\n', "PigLatin is named twice"),
    ("a neutral augmentation of the role that is not drawn",
     _WHOLE.replace('"simcse"', '"sda"') + '[augmentation]\npositives = ["PigLatin"]\nneutral = ["SentenceNegation"]\n', "neutral has"),
    ("augmentations that nothing draws from", _WHOLE + '[augmentation]\npositives = ["PigLatin"]\n', "augmentation.positives"),
    ("rows dropped and drawn anew",
     _WHOLE.replace('"simcse"', '"augcse"')
     + '[augmentation]\nnames = ["RandomSwap"]\nunaugmented = "drop"\nresample_every_epoch = true\n', "resample_every_epoch"),
    ("columns of plain text", _WHOLE + '[corpus]\ncolumns = {original = "a"}\n', "corpus.txt"),
    ("an unknown parser",
     _WHOLE.replace('"simcse"', '"augcse"') + '[augmentation]\nnames = ["YodaPerturbation"]\nparser = "no_such"\n', "no_such"),
    ("a start of an unknown step", _WHOLE + '[start]\nsteps = ["whitten"]\n', "did you mean whiten?"),
    ("a start of no step", _WHOLE + "[start]\nsteps = []\n", "start.steps"),
    ("a start without steps", _WHOLE + "[start]\nsentences = 100\n", "start.steps is missing"),
    ("a start in another order", _WHOLE + '[start]\nsteps = ["whiten", "sif"]\n', "give sif first"),
    ("a start with an option of none", _WHOLE + '[start]\nsteps = ["whiten:dims=5"]\n', "did you mean dim?"),
    ("nothing to discriminate",
     _WHOLE.replace('"simcse"', '"augcse"\ndiscriminate = "none"') + '[augmentation]\nnames = ["RandomSwap"]\n', "discriminate"),
    ("no weight at all", _WHOLE.replace('"simcse"', '"diffcse"\ncontrastive_weight = 0\ndiscriminator_weight = 0'), "contrastive_weight"),
    ("noise in mini batches", _WHOLE.replace('"simcse"', '"pca-jitter"') + "mini_batch_size = 4\n", "mini_batch_size"),
    ("negatives drawn uniformly",
     _WHOLE.replace('"simcse"', '"contrastive"\nlosses = "ranking_neg"\nsampling = "uniform"')
     + '[augmentation]\npositives = ["RandomSwap"]\n', "sampling"),
]  # fmt: skip
_VALUES = {
    "training.batch_size": ("abc", "0", "1", "-8", "1e9", "1000000000", "true", "1.5", "[8]"),
    "training.mini_batch_size": ("abc", "-1", "1.5"),
    "training.epochs": ("abc", "0", "-1", "1e9", "nan", "inf", "true"),
    "training.max_steps": ("abc", "0", "-2", "1.5"),
    "training.seed": ("abc", "-1", "4294967296", "1.5", "true", "9223372036854775808"),
    "training.learning_rate": ("abc", "0", "-1", "nan", "inf", "2"),
    "training.warmup_ratio": ("abc", "-0.1", "1", "1.5"),
    "training.weight_decay": ("abc", "-1", "nan"),
    "training.max_grad_norm": ("abc", "0", "-1", "inf"),
    "training.precision": ("fp16", "32", "true"),
    "training.eval_every_steps": ("abc", "0", "-1", "0.5"),
    "training.log_every_steps": ("0",),
    "training.checkpoint_every_steps": ("0", "abc"),
    "model.max_len_tokens": ("abc", "2", "-1", "1.5", "100001", "600"),
    "model.dropout_rate": ("abc", "1", "-0.1", "nan"),
    "model.pooling": ("max", "1"),
    "model.backbone": ("3", "{work}/absent", "{corpus}"),
    "augmentation.names": ("3", "RandomSwop", "[3]"),
    "augmentation.proportion": ("abc", "2", "-1"),
    "augmentation.unaugmented": ("maybe",),
    "augmentation.resample_every_epoch": ("maybe", "1"),
    "augmentation.label_method": ("random",),
    "objective.temperature": ("abc", "0", "-1", "nan", "true", "[0.05]"),
    "objective.projection": ("bachnorm", "mlp:layers=0", "mlp:layers=x", "mlp:layers=9999", "moe:experts=2:active=3", "3"),
    "objective.do_mlm": ("maybe", "1"),
    "objective.mlm_probability": ("0", "1", "abc"),
    "objective.name": ("3", "[1]"),
}
_SETTINGS = ["training.batchsize=3", "nonsense", "=3", "training=3", "objective=3", "training.seed.x=3", "corpus.columns.x=a",
             "training.batch_size=8\nseed=3", "temprature=1", "task.kind=other"]  # fmt: skip
_TRAIN = ("--corpus", "{corpus}", "--output", "{work}/out", "--workers", "1")


def _folder(work: Path) -> None:
    (work / "mine.toml").mkdir()


RECIPES = [
    Fault(f"train: recipe: {kind}", ("train", "{work}/mine.toml", *_TRAIN), (name,), write("mine.toml", content))
    for kind, content, name in _FILES
]
RECIPES += [Fault("train: recipe: a folder", ("train", "{work}/mine.toml", *_TRAIN), ("mine.toml",), _folder)]
RECIPES += [
    Fault(f"train: --set {key}={value}", ("train", "simcse-mini", *_TRAIN, "--set", f"{key}={value}"), (key.rpartition(".")[2],))
    for key, values in _VALUES.items()
    for value in values
    if key != "model.backbone"
]
RECIPES += [
    Fault(f"train: --set model.backbone={value}", ("train", "simcse-mini", *_TRAIN, "--set", f"model.backbone={value}"), (value,))
    for value in _VALUES["model.backbone"]
]
RECIPES += [
    Fault(f"train: --set objective.name={name}", ("train", "simcse-mini", *_TRAIN, "--set", f"objective.name={name}"), ("MyLoss",))
    for name in ("{rules}:MyLoss", "{work}:MyLoss", "{work}/absent.py:MyLoss")
]
RECIPES += [
    Fault(f"train: --set {key}, an option's name", ("train", "simcse-mini", *_TRAIN, "--set", f"{key}=none"), (f"--set {key}", f"--{key}"))
    for key in ("dev", "test")
]
RECIPES += [Fault(f"train: --set {setting!r}", ("train", "simcse-mini", *_TRAIN, "--set", setting)) for setting in _SETTINGS]
RECIPES += [
    Fault(f"train: --report-to {names!r}", ("train", "simcse-mini", *_TRAIN, "--report-to", names), ("report_to",))
    for names in ("", "all", "tensorbord", "none,trackio", ",")
]
_TEACHERS = {
    "absent": "['{work}/absent']",
    "no model": "['{work}']",
    "a file": "['{corpus}']",
    "no list": "3",
    "empty": "[]",
    "twice": "['ema', 'ema']",
    "a misspelt option": "['static:rwos=both']",
}
RECIPES += [
    Fault(f"train: teachers: {kind}", ("train", "rankcse-mini", *_TRAIN, "--set", f"objective.teachers={value}"), ("teacher",))
    for kind, value in _TEACHERS.items()
]
_SCORES = '{"scores": [{"name": "RandomSwap", "changed": 9, "similarity": null}, {"name": "RandomCrop", "similarity": {}}]}'
RECIPES += [
    Fault(
        f"train: gaps: {kind}",
        ("train", "sncse-mini", *_TRAIN, "--set", f"objective.gaps={value}", "--set", f"augmentation.names=['{name}']"),
        (said,),
        write("scores/scores.json", _SCORES),
    )
    for kind, value, name, said in [
        ("a folder that is not there", "{work}/absent", "RandomSwap", "absent"),
        ("a model's folder", "{model}", "RandomSwap", "scores.json"),
        ("a file", "{corpus}", "RandomSwap", "scores.json"),
        ("an augmentation that was not scored", "{work}/scores", "PigLatin", "PigLatin"),
        ("an augmentation that changed too few", "{work}/scores", "RandomSwap", "too few"),
        ("scores without quartiles", "{work}/scores", "RandomCrop", "scores.json"),
        ("a number", "3", "RandomSwap", "gaps"),
    ]
]
