"""Compositions of augmentations: parentheses, members, counts and probabilities that are not right, wherever one may be named."""

from __future__ import annotations

from fault import Fault, write

_WRONG: list[tuple[str, str, tuple[str, ...]]] = [
    ("never closed", "chain(RandomSwap", ("never closed",)),
    ("closes none", "chain(RandomSwap))", ("closes none",)),
    ("two without a comma", "chain(RandomSwap) chain(RandomCrop)", ("closes none",)),
    ("options after it", "chain(RandomSwap):rate=0.1", ("last parenthesis",)),
    ("nested deeply", "chain(" * 5000 + "RandomSwap" + ")" * 5000, ("20 deep",)),
    ("an unknown composition", "chian(RandomSwap)", ("chian", "did you mean chain?")),
    ("an unknown member", "chain(RandomSwop, RandomCrop)", ("did you mean RandomSwap",)),
    ("an unknown option of a member", "one_of(RandomSwap:rtae=0.1)", ("RandomSwap", "did you mean rate")),
    ("no member", "chain()", ("chain(a, b, ...)",)),
    ("an empty member", "chain(RandomSwap, , RandomCrop)", ("chain(a, b, ...)",)),
    ("a number alone", "some_of(2)", ("some_of(number, a, b, ...)",)),
    ("no number", "some_of(RandomSwap, RandomCrop)", ("some_of", "number is 'RandomSwap'")),
    ("a number of none", "some_of(0, RandomSwap)", ("some_of", "number is 0")),
    ("a number that is no whole one", "some_of(1.5, RandomSwap, RandomCrop)", ("some_of", "number is 1.5")),
    ("more than there are", "some_of(3, RandomSwap, RandomCrop)", ("has 2 members",)),
    ("a probability above 1", "maybe(1.5, RandomSwap)", ("maybe", "probability is 1.5")),
    ("a negative probability", "maybe(-0.1, RandomSwap)", ("maybe", "probability is -0.1")),
    ("a probability that is no number", "maybe(RandomSwap, 0.5)", ("maybe", "probability is 'RandomSwap'")),
    ("a probability of several", "maybe(0.5, RandomSwap, RandomCrop)", ("has 2 members",)),
    ("a probability of a set", "maybe(0.5, 4-aug-2)", ("has 3 members",)),
    ("a share above 1", "largest_change(1.5, RandomSwap)", ("largest_change", "share is 1.5")),
    ("a share of two", "largest_change(0.5, RandomSwap, RandomCrop)", ("has 2 members",)),
    ("words in no file", "keep_words(no-such-words.txt, RandomSwap)", ("keep_words", "no-such-words.txt")),
    ("words in a folder", "keep_words(., RandomSwap)", ("keep_words", "cannot read")),
    ("a cosine above 1", "smallest_similarity(1.5, mini-bert, RandomSwap)", ("smallest_similarity", "cosine is 1.5")),
    ("a similarity under no model", "smallest_similarity(0.5, RandomSwap)", ("smallest_similarity(cosine, model, a)",)),
    ("a similarity under an absent model", "smallest_similarity(0.5, /no/such, RandomSwap)", ("/no/such",)),
    ("a set with options", "chain(4-aug-2:rate=1)", ("4-aug-2 is a set",)),
]  # fmt: skip
_COMMANDS: dict[str, tuple[str, ...]] = {
    "augment": ("augment", "{corpus}", "--output", "{work}/out", "--with"),
    "preview": ("preview", "One two three.", "--with"),
    "score": ("score", "{corpus}", "--model", "{model}", "--lm", "none", "--quiet", "--with"),
}
_RECIPE = """
[model]
backbone = "mini-bert"
[objective]
name = "augcse"
[training]
learning_rate = 3e-5
batch_size = 8
[augmentation]
names = [{name}]
"""
COMPOSED = [
    *(
        Fault(f"{command}: composition: {kind}", (*words, text), names)
        for command, words in _COMMANDS.items()
        for kind, text, names in _WRONG
    ),
    *(
        Fault(
            f"train: composition: {kind}",
            ("train", "{work}/mine.toml", "--model", "{model}", "--corpus", "{corpus}", "--output", "{work}/out"),
            names,
            write("mine.toml", _RECIPE.replace("{name}", repr(text))),
        )
        for kind, text, names in _WRONG
    ),
    Fault(
        "augment: composition: in a set's file",
        ("augment", "{corpus}", "--output", "{work}/out", "--with", "{work}/mine.toml"),
        ("number is 0",),
        write("mine.toml", 'names = ["RandomSwap", "some_of(0, RandomSwap)"]\n'),
    ),
    Fault(
        "augment: composition: a set's file in itself",
        ("augment", "{corpus}", "--output", "{work}/out", "--with", "{work}/mine.toml"),
        ("mine.toml",),
        write("mine.toml", 'names = ["one_of(mine.toml)"]\n'),
    ),
    *(
        Fault(
            f"augment: words to keep: {kind}",
            ("augment", "{corpus}", "--output", "{work}/out", "--with", "RandomSwap", "--keep-words", "{work}/words.txt"),
            ("--keep-words", "words.txt"),
            write("words.txt", content),
        )
        for kind, content in (("none", " \n\n"), ("latin-1", "caf\xe9\n".encode("latin-1")), ("binary", bytes(range(256))))
    ),
]
