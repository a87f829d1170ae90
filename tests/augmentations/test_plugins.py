"""The user's own augmentations: a decorated rule, a plain function, a class with `generate`, an entry point."""

from __future__ import annotations

import importlib.metadata
import random
import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from augcse import augment
from augcse.augmentations.base import AUGMENTATIONS, Augmentation, _adopt
from augcse.augmentations.plugins import find
from augcse.augmentations.run.write import augment_corpus
from augcse.augmentations.spec import parse_spec
from augcse.errors import UserError
from augcse.registry import Registry

RULES = '''
import random
import numpy
from interfaces.SentenceOperation import SentenceOperation
from nlaugmenter.tasks.TaskTypes import TaskType


class Shuffle(SentenceOperation):
    """Shuffle the words."""

    tasks = [TaskType.TEXT_CLASSIFICATION]
    languages = ["en", "de"]
    keywords = ["meaning-alteration", "lexical"]

    def __init__(self, seed=0, max_outputs=1, loud=False):
        super().__init__(seed, max_outputs=max_outputs)
        self.loud = loud

    def generate(self, sentence: str):
        random.seed(self.seed)
        numpy.random.seed(self.seed)
        words = sentence.split()
        random.shuffle(words)
        text = " ".join(words)
        return [text.upper() if self.loud else text]


class Doubled:
    def generate(self, sentence):
        raise AssertionError("generate_batch is there")

    def generate_batch(self, sentences):
        return [[s + " " + s, s + "!"] for s in sentences]


class Broken:
    def generate(self, sentence):
        return sentence


class Late:
    def generate(self, sentence):
        if "six" in sentence:
            raise KeyError('Late')
        return [sentence.upper()]


def late(sentence, rng):
    if "six" in sentence:
        raise KeyError('late')
    return sentence.upper()


def shout(sentence, rng, *, marks=1):
    """Raise the voice."""
    return sentence.upper() + "!" * marks
'''
SWAP = "augcse.augmentations.rules.noise.random_words:random_swap"
TEXTS = ["one two three four five", "six seven eight nine ten", "a b c d e"]


@pytest.fixture
def rules(tmp_path: Path) -> str:
    path = tmp_path / "my_rules.py"
    path.write_text(RULES, "utf-8")
    return str(path)


def test_a_class_with_generate_runs_unchanged(rules: str) -> None:
    python_state, numpy_state = random.getstate(), np.random.get_state()[1].copy()  # noqa: NPY002
    first = augment(TEXTS, f"{rules}:Shuffle", seed=3)
    assert first == augment(TEXTS, f"{rules}:Shuffle", seed=3)
    assert first != augment(TEXTS, f"{rules}:Shuffle", seed=4)
    assert all(new is None or sorted(new.split()) == sorted(old.split()) for new, old in zip(first, TEXTS, strict=True))
    assert random.getstate() == python_state
    assert (np.random.get_state()[1] == numpy_state).all()  # noqa: NPY002


def test_rows_of_equal_length_get_different_streams(rules: str) -> None:
    texts = [f"{n} b c d e f g h" for n in range(20)]
    orders = {tuple(new.replace(str(n), "a", 1).split()) for n, new in enumerate(augment(texts, f"{rules}:Shuffle")) if new}
    assert len(orders) > 10


def test_its_card_and_options_come_from_the_class(rules: str) -> None:
    member = parse_spec(f"{rules}:Shuffle").member
    assert (member.meaning, member.languages, member.description) == ("alteration", ("en", "de"), "Shuffle the words.")
    assert augment(TEXTS[:1], f"{rules}:Shuffle:loud=true")[0].isupper()  # type: ignore[union-attr]
    with pytest.raises(UserError, match=r"unknown option of .*Shuffle.*did you mean loud"):
        parse_spec(f"{rules}:Shuffle:lod=true")


def test_generate_batch_is_preferred_and_one_of_several_outputs_is_drawn(rules: str) -> None:
    drawn = augment(TEXTS * 10, f"{rules}:Doubled")
    assert {new.endswith("!") for new in drawn if new} == {True, False}


def test_a_plain_function(rules: str) -> None:
    assert augment(["stop it"], f"{rules}:shout:marks=3") == ["STOP IT!!!"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.py:Shout", "no file nowhere.py"),
        ("{rules}:shuot", "unknown name 'shuot'; did you mean shout"),
        ("{rules}:TEXTS_", "unknown name"),
        ("{rules}", r"my_rules\.py names a file and no augmentation in it; give path/to/file\.py:Name"),
        ("{rules}:", r"my_rules\.py: names a file and no augmentation in it"),
        ("chain(RandomSwap, {rules})", r"my_rules\.py names a file and no augmentation in it"),
        ("nowhere.py", r"nowhere\.py names a file and no augmentation in it"),
    ],
)
def test_what_is_not_there_is_refused(name: str, message: str, rules: str) -> None:
    with pytest.raises(UserError, match=message):
        augment(["a b"], name.format(rules=rules))


def test_a_file_that_does_not_import_and_a_class_that_gives_no_list(rules: str, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import no_such_module\n", "utf-8")
    with pytest.raises(UserError, match=r"bad.py cannot be imported: ModuleNotFoundError"):
        augment(["a b"], f"{tmp_path / 'bad.py'}:X")
    with pytest.raises(UserError, match="generate gave str, not a list"):
        augment(["a b"], f"{rules}:Broken")


def test_workers_find_it_and_an_edited_file_is_another_job(rules: str, corpus: Path, tmp_path: Path) -> None:
    augment_corpus([corpus], [f"{rules}:Shuffle"], tmp_path / "one", workers=1)
    augment_corpus([corpus], [f"{rules}:Shuffle"], tmp_path / "two", workers=2)
    [one], [two] = (tmp_path / "one").iterdir(), (tmp_path / "two").iterdir()
    assert one.read_bytes() == two.read_bytes()
    Path(rules).write_text(RULES + "# edited\n", "utf-8")
    with pytest.raises(UserError, match=rf"other arguments \(code\); changed since: {re.escape(rules)}; choose"):
        augment_corpus([corpus], [f"{rules}:Shuffle"], tmp_path / "one")


@pytest.mark.parametrize(("name", "what"), [("late", "{rules}:late"), ("Late", "Late.generate")])
def test_a_rule_that_fails_in_mid_corpus_names_the_sentence(name: str, what: str, rules: str) -> None:
    line = next(number for number, text in enumerate(RULES.splitlines(), start=1) if f"KeyError('{name}')" in text)
    failure = f"{what.format(rules=rules)} failed on 'six seven eight nine ten': KeyError: '{name}' ({rules}, line {line})"
    with pytest.raises(UserError, match=re.escape(failure)):
        augment(TEXTS, f"{rules}:{name}")


def _with_points(monkeypatch: pytest.MonkeyPatch, **points: str) -> Registry[Augmentation]:
    """Return a registry of our own augmentations and of such entry points, given as name=value."""
    found = [importlib.metadata.EntryPoint(name, value, "augcse.augmentations") for name, value in points.items()]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: found if group == "augcse.augmentations" else [])
    registry: Registry[Augmentation] = Registry("augmentation", "augcse.augmentations.rules", "augcse.augmentations", _adopt)
    for member in AUGMENTATIONS:
        registry.add(member.name, member, member.rule.__module__)
    return registry


def test_an_entry_point_is_listed_with_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _with_points(monkeypatch, Reverse="string:capwords")
    assert set(found.names()) == {"Reverse", *AUGMENTATIONS.names()}
    assert found.get("Reverse").family == "user"
    assert found.failures() == []


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Gone", "no_such_module:rule", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("Gone", "string:nothing", "AttributeError: module 'string' has no attribute 'nothing'"),
        ("Gone", "string", "it names a module and nothing in it; write string:Name"),
        ("Gone", "string:digits", "Gone is not an augmentation: give a function"),
        ("Swap", SWAP, "what it gives is registered as 'RandomSwap'; give the entry point that name"),
    ],
)
def test_an_entry_point_that_does_not_load_is_one_line_and_leaves_the_others(
    name: str, value: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = _with_points(monkeypatch, **{name: value, "Capitals": "string:capwords"})
    assert found.names() == [*AUGMENTATIONS.names(), "Capitals"]
    assert found.get("RandomSwap") is AUGMENTATIONS.get("RandomSwap")
    where = re.escape(f"entry point {name} = {value} (augcse.augmentations) does not load: ")
    with pytest.raises(UserError, match=f"^{where}{message}") as refused:
        found.get(name)
    assert found.failures() == [str(refused.value)]
    assert "\n" not in str(refused.value)


def test_an_entry_point_with_a_name_of_ours_is_a_warning_and_ours_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _with_points(monkeypatch, RandomSwap="string:capwords")
    with pytest.warns(UserWarning, match="entry point RandomSwap = string:capwords .*there is another augmentation 'RandomSwap'"):
        assert found.get("RandomSwap") is AUGMENTATIONS.get("RandomSwap")
    assert len(found.failures()) == 1


def test_of_two_entry_points_with_one_name_the_second_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [importlib.metadata.EntryPoint("Twice", f"textwrap:{rule}", "augcse.augmentations") for rule in ("dedent", "fill", "dedent")]
    found = _with_points(monkeypatch)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points)
    assert [line.partition(" (")[0] for line in found.failures()] == ["entry point Twice = textwrap:fill"]
    with pytest.warns(UserWarning, match="another augmentation 'Twice'; choose another name"):
        assert found.get("Twice").rule.__name__ == "dedent"


FAILING = """
import sys


class Built:
    def __init__(self):
        raise RuntimeError("no vocabulary")

    def generate(self, sentence):
        return [sentence]


class Raising:
    def generate(self, sentence):
        raise KeyError("word")


def lines(sentence, rng):
    raise ValueError("two\\nlines")


def number(sentence, rng):
    return 5


def ending(sentence, rng):
    sys.exit(0)


def halves(sentence, rng):
    return sentence + "\\ud83d"


class Halves:
    def generate(self, sentence):
        return [sentence + "\\ud83d"]


def single(sentence):
    return sentence
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Built", r"RuntimeError: no vocabulary \(.*failing\.py, line 7\)"),
        ("Raising", r"KeyError: 'word' \(.*failing\.py, line 15\)"),
        ("lines", r"ValueError: two lines \(.*failing\.py, line 19\)"),
        ("number", "gave int, not a text or None"),
        ("ending", r"SystemExit: 0 \(.*failing\.py, line 27\)"),
        ("halves", r"failing\.py:halves gave a text with U\+D83D, half a character"),
        ("Halves", r"failing\.py:Halves gave a text with U\+D83D, half a character"),
        ("single", "single\\(\\) takes 1 positional argument but 2 were given"),
    ],
)
def test_a_users_code_that_fails_is_one_line_with_its_place(name: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "failing.py"
    path.write_text(FAILING, "utf-8")
    with pytest.raises(UserError, match=message) as refused:
        augment(["One sentence."], f"{path}:{name}")
    assert "\n" not in str(refused.value)


COROUTINES = """
from augcse.augmentations.base import Example, augmentation


async def shout(sentence, rng):
    return sentence.upper()


class Shout:
    async def generate(self, sentence):
        return [sentence.upper()]


class ShoutAll:
    def generate(self, sentence):
        return [sentence.upper()]

    async def generate_batch(self, sentences):
        return [[sentence.upper()] for sentence in sentences]
"""
DECORATED = """

@augmentation("Late", family="noise", meaning="alteration", source="us", example=Example("a", "A"))
async def late(sentence, rng):
    return sentence.upper()
"""


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("shout", "", r"shout is a coroutine \(async def\); write it as a plain function"),
        ("Shout", "", r"Shout\.generate is a coroutine \(async def\); write it as a plain method"),
        ("ShoutAll", "", r"ShoutAll\.generate_batch is a coroutine"),
        ("late", DECORATED, r"Late is a coroutine"),
    ],
)
def test_a_coroutine_is_refused(name: str, more: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "waiting.py"
    path.write_text(COROUTINES + more, "utf-8")
    with pytest.raises(UserError, match=message):
        augment(["One sentence."], f"{path}:{name}")


@pytest.mark.parametrize("content", ["raise ValueError('no table')", "1 / 0", "import sys\nsys.exit(0)", "assert False", "x = '\0'"])
def test_a_file_that_fails_while_it_is_imported_is_one_line(content: str, tmp_path: Path) -> None:
    path = tmp_path / "failing.py"
    path.write_text(content, "utf-8")
    with pytest.raises(UserError, match=r"failing\.py cannot be imported: [A-Za-z]+.*(line \d|null bytes)"):
        augment(["One sentence."], f"{path}:rule")


def test_a_set_takes_no_options() -> None:
    with pytest.raises(UserError, match="8-aug is a set of augmentations; give its options to its members"):
        parse_spec("8-aug:rate=0.1")


COUNTS = """
from augcse.augmentations.base import Augmentation, Example

class Counts:
    @classmethod
    def fit(cls, sentences):
        return cls()
    def save(self, folder):
        (folder / "who").write_text("{who}")
    @classmethod
    def load(cls, folder):
        counts = cls()
        counts.who = (folder / "who").read_text()
        return counts

def rule(sentence, rng, counts):
    return sentence + counts.who

# Not registered: the registry is that of all tests of this process.
says = Augmentation("Says", "user", "alteration", "", "Say who learnt.", Example("", ""), rule, fitted_class=Counts)
"""


def test_what_two_files_learn_by_classes_of_one_name_is_kept_apart(corpus: Path, tmp_path: Path) -> None:
    names = []
    for who in ("First", "Second"):
        path = tmp_path / f"{who}.py"
        path.write_text(COUNTS.replace("{who}", who), "utf-8")
        names.append(f"{path}:says")
    augment_corpus([corpus], names, tmp_path / "out")
    ends = {row["augmentation"][-14:]: row["augmented"][-5:] for row in pq.read_table(tmp_path / "out").to_pylist()}
    assert ends == {names[0][-14:]: "First", names[1][-14:]: "econd"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def generate_batch(self, sentences):\n        return [['x']] * 3", "Shout.generate_batch gave 3 results for 2 sentences"),
        ("keywords = 3", "Shout: keywords is 3; give a list of texts"),
    ],
)
def test_a_class_that_is_no_augmentation_is_one_line(body: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "shout.py"
    path.write_text(f"class Shout:\n    def generate(self, sentence):\n        return []\n    {body}\n", "utf-8")
    with pytest.raises(UserError, match=message):
        augment(["One.", "Two."], f"{path}:Shout")


def test_a_class_takes_lists_as_options_and_one_language_as_text(tmp_path: Path) -> None:
    path = tmp_path / "words.py"
    lines = ["class Words:", "    languages = 'de'", "    def __init__(self, words=()):", "        self.words = words"]
    path.write_text("\n".join([*lines, "    def generate(self, sentence):", "        return [' '.join(self.words)]", ""]), "utf-8")
    assert augment(["One."], f"{path}:Words", words=["a", "b"]) == ["a b"]
    assert find(f"{path}:Words").languages == ("de",)
