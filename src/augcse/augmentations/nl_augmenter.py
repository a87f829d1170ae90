"""NL-Augmenter's form of an augmentation: a class with `generate(sentence) -> list[str]`, run as it is."""

from __future__ import annotations

import importlib.util
import inspect
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from types import ModuleType
from typing import Any

from augcse.errors import UserError
from augcse.own_files import failure_on

_SEED_BITS = 32


class GeneratedRule:
    """A batched rule around a class with `generate`, or `generate_batch` if it has that.

    Such classes seed the process-wide generators inside each call, with one seed for all sentences. Here each sentence gets its own seed:
    `seed` of the object and the generators are set from the row's stream before the call, and the generators are restored after it. One of
    several outputs is drawn. With `generate_batch` the rows of a chunk share the seed of the chunk's first row.
    """

    def __init__(self, form: type) -> None:
        for name in ("generate", "generate_batch"):
            if inspect.iscoroutinefunction(getattr(form, name, None)):
                raise UserError(f"{form.__name__}.{name} is a coroutine (async def); write it as a plain method")
        self._form = form
        self._instances: dict[str, Any] = {}
        self._file = getattr(inspect.getmodule(form), "__file__", None)
        self.__module__ = form.__module__
        self.__signature__ = inspect.Signature(_options(form))

    def __call__(self, sentences: Sequence[str], rngs: Sequence[Random], **options: Any) -> list[str | None]:
        """Return one new sentence per sentence, or None."""
        instance = self._instance(options)
        if not sentences:
            return []
        if callable(getattr(instance, "generate_batch", None)):
            with _borrowed_generators(instance, rngs[0]):
                outputs = list(instance.generate_batch(list(sentences)))
            if len(outputs) != len(sentences):
                counts = f"{len(outputs):,} results for {len(sentences):,} sentences"
                raise UserError(f"{self._form.__name__}.generate_batch gave {counts}; give a list of texts for each, an empty one for none")
        else:
            outputs = []
            for sentence, rng in zip(sentences, rngs, strict=True):
                with failure_on(f"{self._form.__name__}.generate", sentence, self._file), _borrowed_generators(instance, rng):
                    outputs.append(instance.generate(sentence))
        return [self._choose(texts, rng) for texts, rng in zip(outputs, rngs, strict=True)]

    def _instance(self, options: Mapping[str, Any]) -> Any:
        """Return the one object of the class with these options; the key is their text, since an option may be a list."""
        key = repr(sorted(options.items()))
        if key not in self._instances:
            try:
                self._instances[key] = self._form(**options)
            except TypeError as error:
                raise UserError(f"{self._form.__name__} cannot be made: {error}") from error
        return self._instances[key]

    def _choose(self, outputs: Any, rng: Random) -> str | None:
        """Return one of the outputs for a sentence, None if there are none; raises `UserError` for anything but a list of texts."""
        if not isinstance(outputs, (list, tuple)) or not all(isinstance(output, str) for output in outputs):
            raise UserError(f"{self._form.__name__}.generate gave {type(outputs).__name__}, not a list of texts")
        return str(rng.choice(outputs)) if len(outputs) > 1 else next(iter(outputs), None)


def _options(form: type) -> list[inspect.Parameter]:
    """Return the constructor's arguments as options, without the seed, which is set for each sentence."""
    parameters = list(inspect.signature(form.__init__).parameters.values())[1:]  # type: ignore[misc]
    named = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.name != "seed"]
    return [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in named]


@contextmanager
def _borrowed_generators(instance: Any, rng: Random) -> Iterator[None]:
    """Seed the process-wide generators for one call, and restore them after it."""
    seed = rng.getrandbits(_SEED_BITS)
    numpy: Any = sys.modules.get("numpy")
    python_state = random.getstate()
    numpy_state = numpy.random.get_state() if numpy else None
    if hasattr(instance, "seed"):
        instance.seed = seed
    random.seed(seed)
    if numpy:
        numpy.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(python_state)
        if numpy:
            numpy.random.set_state(numpy_state)


@contextmanager
def nl_augmenter_imports() -> Iterator[None]:
    """Let a file import NL-Augmenter's base class and task names where that package is not installed."""
    stand_ins = {name: module for name, module in _stand_ins().items() if name not in sys.modules}
    if importlib.util.find_spec("nlaugmenter") is not None:
        stand_ins = {name: module for name, module in stand_ins.items() if not name.startswith("nlaugmenter")}
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name in stand_ins:
            sys.modules.pop(name, None)


class _AnyTask(type):
    def __getattr__(cls, name: str) -> str:
        return name


class _TaskType(metaclass=_AnyTask):
    """Accepts any of NL-Augmenter's task names, which decide nothing here."""


class _SentenceOperation:
    """What NL-Augmenter's base class gives its children: a seed, a limit and an empty card."""

    languages: Any = None
    keywords: Any = None
    tasks: Any = None

    def __init__(self, seed: int = 0, verbose: bool = False, max_outputs: int = 1, **others: Any) -> None:
        self.seed = seed
        self.verbose = verbose
        self.max_outputs = max_outputs


def _stand_ins() -> dict[str, ModuleType]:
    """Return the modules that such a file may import, by name; each offers both stand-ins."""
    submodules = ("interfaces", "tasks", "interfaces.SentenceOperation", "tasks.TaskTypes")
    modules = {name: ModuleType(name) for name in ("nlaugmenter", *submodules, *(f"nlaugmenter.{name}" for name in submodules))}
    for module in modules.values():
        vars(module).update(__path__=[], SentenceOperation=_SentenceOperation, TaskType=_TaskType)
    return modules
