"""List the conditions of the augmentation rules that hardly decide anything: take away each in turn, and count the outputs that change.

    python scripts/idle_conditions.py TEXT... --of rules/syntax/summarization --fewer-than 5

A condition here is an operand of "and" or "or", an `if` with its statement, a branch of a conditional expression, and an `if` of a
comprehension. TEXT has a sentence per line, of many kinds (questions, short sentences, newswire, several sentences), and for a rare rule
sentences that it is for: what decides 1 in 10,000 is half of a rule that changes 2. Printed are those that change fewer than so many
outputs in 10,000 sentences, over the rules named, with up to three of these outputs: with the condition, and without it. A condition that
raises an error when it is gone, or that has to be there for `fidelity="original"` or another option, is no idle one; the latter are
printed all the same, so that these outputs are to be compared after a cut (scripts/changed_outputs.py).
"""

from __future__ import annotations

import argparse
import ast
import copy
import functools
import gc
import importlib
import inspect
import signal
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import augcse.augmentations
from augcse.annotation.pipeline import BUNDLED_PARSER, parse_sentences
from augcse.augmentations.base import row_stream
from augcse.augmentations.run.composed import Parses, apply_spec
from augcse.augmentations.spec import parse_spec

ROOT = Path(augcse.augmentations.__file__).parent
RULES = sorted(tomllib.loads((Path(__file__).resolve().parents[1] / "docs" / "samples" / "holdout.toml").read_text("utf-8")))
SEED, BATCH, SHOWN, TIMEOUT_S = 7, 500, 3, 120
Place = tuple[str, str]  # a file and the qualified name of a function in it
Rows = list[int]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A function without one of its conditions."""

    line: int
    condition: str
    function: ast.FunctionDef


@dataclass
class Sample:
    """Sentences, what each rule makes of them, and which functions it went through for which of them."""

    sentences: Sequence[str]
    parses: Parses
    outputs: dict[str, list[str | None]] = field(default_factory=dict)
    entered: dict[str, dict[Place, Rows]] = field(default_factory=dict)

    def apply(self, rule: str, rows: Rows) -> list[str | None]:
        rngs = [row_stream(SEED, rule, row) for row in rows]
        return apply_spec(parse_spec(rule), [self.sentences[row] for row in rows], rngs, self.parses, {})


_SHARED: list[Sample] = []  # the sample of a worker process


@dataclass
class Finding:
    """How many outputs change without a condition, and some of them."""

    where: str
    changed: int = 0
    examples: list[str] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, nargs="+", help="one sentence per line")
    parser.add_argument("--of", nargs="+", default=["rules", "english"], help="files or folders under augcse/augmentations")
    parser.add_argument("--names", nargs="+", default=RULES, help="the augmentations to run (default: all grammatical ones)")
    parser.add_argument("--fewer-than", type=float, default=5, help="changed outputs in 10,000 sentences")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    rows = [row.strip() for path in arguments.texts for row in path.read_text("utf-8").splitlines() if row.strip()]
    sample = Sample(rows, Parses(functools.partial(parse_sentences, parser=BUNDLED_PARSER)))
    sample.parses.of(rows)
    for rule in arguments.names:
        sample.apply(rule, [])  # loads its modules, for the workers to know the caches in them
    limit = arguments.fewer_than * len(rows) / 10_000
    paths = [path for part in arguments.of for path in ([ROOT / part] if part.endswith(".py") else sorted((ROOT / part).rglob("*.py")))]
    with workers(arguments.workers, sample) as pool:
        for rule, (outputs, entered) in zip(arguments.names, pool.imap(observe, arguments.names), strict=True):
            sample.outputs[rule], sample.entered[rule] = outputs, entered
    with workers(arguments.workers, sample) as pool:
        for findings in pool.imap(functools.partial(idle_conditions, limit), paths):
            for finding in findings:
                print(f"{finding.changed} {finding.where}", *finding.examples, sep="\n    ", flush=True)


def workers(count: int, sample: Sample) -> Pool:
    """Return processes that have the sample as it is now, without a copy of it for every task."""
    return get_context("fork").Pool(count, initializer=_SHARED.append, initargs=(sample,))


def observe(rule: str) -> tuple[list[str | None], dict[Place, Rows]]:
    """Return what a rule makes of each sentence, and the sentences by the functions that it went through."""
    [sample] = _SHARED
    outputs: list[str | None] = []
    entered: dict[Place, Rows] = defaultdict(list)
    places: set[Place] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(ROOT)):
            places.add(place_of(frame.f_code))

    for row in range(len(sample.sentences)):
        places.clear()
        sys.setprofile(note)
        outputs += sample.apply(rule, [row])
        sys.setprofile(None)
        for place in places:
            entered[place].append(row)
    return outputs, dict(entered)


def place_of(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname


def idle_conditions(limit: float, path: Path) -> list[Finding]:
    """Return the conditions of a file whose absence changes fewer outputs than `limit`."""
    [sample] = _SHARED
    caches = word_caches()
    found = []
    for module, definition, function in functions_of(path):
        place = place_of(function.__code__)
        is_cached = any(cache.__wrapped__ is function for cache in caches)  # entered for the first sentence with the word alone
        every = list(range(len(sample.sentences)))
        rows = {rule: every if is_cached else by_place[place] for rule, by_place in sample.entered.items() if place in by_place}
        for mutant in mutants(definition):
            code = compiled(module, mutant.function)
            if code.co_freevars == function.__code__.co_freevars:
                finding = Finding(f"{path.relative_to(ROOT)}:{mutant.line} {definition.name} | {mutant.condition}")
                try_out(sample, finding, function, code, rows, limit, caches)
                found += [finding] if finding.changed < limit else []
    return found


def try_out(
    sample: Sample, finding: Finding, function: Any, code: CodeType, rows: dict[str, Rows], limit: float, caches: Sequence[Any]
) -> None:
    """Run the rules with another code of a function until enough outputs change; an error counts as change enough."""
    kept = function.__code__
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(TIMEOUT_S)
    try:
        function.__code__ = code
        for cache in caches:
            cache.cache_clear()
        for rule, entered in rows.items():
            for start in range(0, len(entered), BATCH):
                if finding.changed < limit:
                    compare(sample, finding, rule, entered[start : start + BATCH])
    except Exception:  # noqa: BLE001 - whatever a function without one of its conditions raises
        finding.changed = len(sample.sentences)
    finally:
        signal.alarm(0)
        function.__code__ = kept
        for cache in caches:
            cache.cache_clear()


def compare(sample: Sample, finding: Finding, rule: str, rows: Rows) -> None:
    for row, new in zip(rows, sample.apply(rule, rows), strict=True):
        old = sample.outputs[rule][row]
        if new != old:
            finding.changed += 1
            if len(finding.examples) < 4 * SHOWN:
                finding.examples += [f"{rule}: {sample.sentences[row]}", f"  with it     {old}", f"  without it  {new}", ""]


def _stop(*_: Any) -> None:
    raise TimeoutError


def word_caches() -> list[Any]:
    """Return the caches by word of the package; those of whole tables hold nothing that a condition decides."""
    caches = [thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper)]
    own = [cache for cache in caches if str(ROOT) in getattr(getattr(cache.__wrapped__, "__code__", None), "co_filename", "")]
    return [cache for cache in own if (cache.cache_parameters()["maxsize"] or 0) > 64]


def functions_of(path: Path) -> Iterator[tuple[ModuleType, ast.FunctionDef, Any]]:
    """Yield the functions and methods of a file: its module, their trees, and what runs."""
    module = importlib.import_module("augcse.augmentations." + ".".join(path.relative_to(ROOT).with_suffix("").parts))
    tree = ast.parse(path.read_text("utf-8"))
    owners = [(module, tree.body), *((getattr(module, node.name), node.body) for node in tree.body if isinstance(node, ast.ClassDef))]
    for owner, body in owners:
        for node in body:
            function = plain(inspect.getattr_static(owner, node.name)) if isinstance(node, ast.FunctionDef) else None
            if isinstance(node, ast.FunctionDef) and function is not None:
                yield module, node, function


def plain(function: Any) -> Any:
    """Return the function in a property, a cache or the like; None where there is none."""
    for inner in ("__func__", "fget", "func", "__wrapped__"):
        function = getattr(function, inner, function)
    return function if hasattr(function, "__code__") else None


def compiled(module: ModuleType, function: ast.FunctionDef) -> CodeType:
    """Return the code of a function without its decorators."""
    bare = copy.deepcopy(function)
    bare.decorator_list = []
    future = ast.ImportFrom("__future__", [ast.alias("annotations")], 0)
    names = dict(vars(module))
    exec(compile(ast.fix_missing_locations(ast.Module([future, bare], [])), str(module.__file__), "exec"), names)
    code: CodeType = names[bare.name].__code__
    return code


def mutants(function: ast.FunctionDef) -> Iterator[Mutant]:
    """Yield the function without each of its conditions."""
    for index, node in enumerate(ast.walk(function)):
        for line, condition, take_away in _conditions(node):
            other = copy.deepcopy(function)
            take_away(list(ast.walk(other))[index])
            yield Mutant(line, condition, other)


def _conditions(node: ast.AST) -> Iterator[tuple[int, str, Callable[[Any], None]]]:
    """Yield the line and the text of each condition that hangs on a node, and what takes it from a copy of the node."""
    if isinstance(node, ast.BoolOp):
        joins = isinstance(node.op, ast.And)
        for index, value in enumerate(node.values):
            yield value.lineno, f"{'and' if joins else 'or'} {ast.unparse(value)}", functools.partial(_neutralise, index, joins)
    elif isinstance(node, ast.If | ast.IfExp):
        for truth in (False, True):
            yield node.lineno, f"if {ast.unparse(node.test)}: always {truth}", functools.partial(_fix, truth)
    elif isinstance(node, ast.comprehension):
        for index, value in enumerate(node.ifs):
            yield value.lineno, f"for ... if {ast.unparse(value)}", functools.partial(_drop, index)


def _neutralise(index: int, truth: bool, node: Any) -> None:
    node.values[index] = ast.Constant(truth)


def _drop(index: int, node: Any) -> None:
    del node.ifs[index]


def _fix(truth: bool, node: Any) -> None:
    node.test = ast.Constant(truth)


if __name__ == "__main__":
    main()
