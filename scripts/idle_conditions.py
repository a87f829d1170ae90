"""List the conditions of the augmentation rules that hardly decide anything: take away each in turn, and count the outputs that change.

    python scripts/idle_conditions.py TEXT... --of rules/syntax/summarization --fewer-than 5

A condition here is an operand of "and" or "or", an `if` with its statement, a branch of a conditional expression, and an `if` of a
comprehension. TEXT has a sentence per line, of many kinds (questions, short sentences, newswire, several sentences), and for a rare rule
sentences that it is for: what decides 1 in 10,000 is half of a rule that changes 2. Printed are those that change fewer than so many
outputs in 10,000 sentences, over the rules named, with up to three of these outputs: with the condition, and without it. A condition that
raises an error when it is gone, or that has to be there for `fidelity="original"` or another option, is no idle one; the latter are
printed all the same, so that these outputs are to be compared after a cut (scripts/changed_outputs.py).

A rule first reads every sentence and notes which conditions came out otherwise than they would if they were gone; only for these sentences
is a condition then taken away.
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
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import augcse.augmentations
from augcse.annotation.pipeline import BUNDLED_PARSER, parse_sentences
from augcse.augmentations.base import row_stream
from augcse.augmentations.run.composed import Parses, apply_spec
from augcse.augmentations.spec import parse_spec

ROOT = Path(augcse.augmentations.__file__).parent
RULES = sorted(tomllib.loads((Path(__file__).resolve().parents[1] / "docs" / "samples" / "holdout.toml").read_text("utf-8")))
SEED, BATCH, SHOWN, TIMEOUT_S = 7, 500, 3, 120
NOTE = "__note_condition__"  # what a function calls that notes its conditions
Rows = list[int]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition in the tree of a function, and the truth that takes its place."""

    line: int
    text: str
    node: int  # its number in the walk of the tree
    member: str
    index: int | None
    without: bool

    def expression(self, nodes: Sequence[Any]) -> ast.expr:
        found = getattr(nodes[self.node], self.member)
        expression: ast.expr = found if self.index is None else found[self.index]
        return expression

    def replace(self, nodes: Sequence[Any], new: ast.expr) -> None:
        if self.index is None:
            setattr(nodes[self.node], self.member, new)
        else:
            getattr(nodes[self.node], self.member)[self.index] = new


@dataclass(frozen=True, slots=True)
class Site:
    """A condition of a function of a file, with what the function runs."""

    path: Path
    module: ModuleType
    definition: ast.FunctionDef
    function: Any
    condition: Condition

    @property
    def key(self) -> str:
        """What tells it from every other."""
        name = f"{self.path.relative_to(ROOT)}:{self.condition.line} {self.definition.name}"
        return f"{name} | {self.condition.text} | {self.condition.node} {self.condition.index}"


@dataclass
class Sample:
    """Sentences, what each rule makes of them, and for which of them each condition decided something."""

    sentences: Sequence[str]
    parses: Parses
    outputs: dict[str, list[str | None]] = field(default_factory=dict)
    decided: dict[str, dict[str, Rows]] = field(default_factory=dict)

    def apply(self, rule: str, rows: Rows) -> list[str | None]:
        rngs = [row_stream(SEED, rule, row) for row in rows]
        return apply_spec(parse_spec(rule), [self.sentences[row] for row in rows], rngs, self.parses, {})


_SHARED: list[Sample] = []  # the sample of a worker process
_NOTED: set[str] = set()  # the keys of the conditions that decided something since this was emptied


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
    sites = [site for path in paths for site in sites_of(path)]
    with noting(sites), workers(arguments.workers, sample) as pool:
        for rule, (outputs, decided) in zip(arguments.names, pool.imap(observe, arguments.names), strict=True):
            sample.outputs[rule], sample.decided[rule] = outputs, decided
    with workers(arguments.workers, sample) as pool:
        for findings in pool.imap(functools.partial(idle_conditions, limit), paths):
            for finding in findings:
                print(f"{finding.changed} {finding.where}", *finding.examples, sep="\n    ", flush=True)


def workers(count: int, sample: Sample) -> Pool:
    """Return processes that have the sample as it is now, without a copy of it for every task."""
    return get_context("fork").Pool(count, initializer=_SHARED.append, initargs=(sample,))


@contextmanager
def noting(sites: Sequence[Site]) -> Iterator[None]:
    """Let the functions note which of their conditions come out otherwise than they would if they were gone."""
    by_function: dict[Any, list[Site]] = defaultdict(list)
    for site in sites:
        by_function[site.function].append(site)
    kept = {function: function.__code__ for function in by_function}
    try:
        for function, own in by_function.items():
            setattr(own[0].module, NOTE, note)
            function.__code__ = compiled(own[0].module, with_notes(own))
        yield
    finally:
        for function, code in kept.items():
            function.__code__ = code


def with_notes(sites: Sequence[Site]) -> ast.FunctionDef:
    """Return a function of which each condition is handed to `note`."""
    function = copy.deepcopy(sites[0].definition)
    nodes = list(ast.walk(function))
    for site in sites:
        arguments = [ast.Constant(site.key), ast.Constant(site.condition.without), site.condition.expression(nodes)]
        site.condition.replace(nodes, ast.Call(ast.Name(NOTE, ast.Load()), arguments, []))
    return function


def note(key: str, without: bool, value: Any) -> Any:
    if value is not without:
        _NOTED.add(key)
    return value


def observe(rule: str) -> tuple[list[str | None], dict[str, Rows]]:
    """Return what a rule makes of each sentence, and the sentences by the conditions that decided something."""
    [sample] = _SHARED
    caches = word_caches()
    outputs: list[str | None] = []
    decided: dict[str, Rows] = defaultdict(list)
    for row in range(len(sample.sentences)):
        _NOTED.clear()
        for cache in caches:
            cache.cache_clear()
        outputs += sample.apply(rule, [row])
        for key in _NOTED:
            decided[key].append(row)
    return outputs, dict(decided)


def idle_conditions(limit: float, path: Path) -> list[Finding]:
    """Return the conditions of a file whose absence changes fewer outputs than `limit`."""
    [sample] = _SHARED
    caches = word_caches()
    found = []
    for site in sites_of(path):
        rows = {rule: by_site[site.key] for rule, by_site in sample.decided.items() if site.key in by_site}
        finding = Finding(site.key.rpartition(" | ")[0])
        try_out(sample, finding, site, rows, limit, caches)
        found += [finding] if finding.changed < limit else []
    return found


def try_out(sample: Sample, finding: Finding, site: Site, rows: dict[str, Rows], limit: float, caches: Sequence[Any]) -> None:
    """Run the rules without a condition until enough outputs change; an error counts as change enough."""
    function, kept = site.function, site.function.__code__
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(TIMEOUT_S)
    try:
        function.__code__ = compiled(site.module, without(site.definition, site.condition))
        for cache in caches:
            cache.cache_clear()
        for rule, decided in rows.items():
            for start in range(0, len(decided), BATCH):
                if finding.changed < limit:
                    compare(sample, finding, rule, decided[start : start + BATCH])
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


def sites_of(path: Path) -> Iterator[Site]:
    """Yield the conditions of a file; of a function that reads variables of another one around it, none."""
    for module, definition, function in functions_of(path):
        if compiled(module, definition).co_freevars == function.__code__.co_freevars:
            yield from (Site(path, module, definition, function, condition) for condition in conditions_of(definition))


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


def without(function: ast.FunctionDef, condition: Condition) -> ast.FunctionDef:
    """Return the function without one of its conditions."""
    other = copy.deepcopy(function)
    condition.replace(list(ast.walk(other)), ast.Constant(condition.without))
    return other


def conditions_of(function: ast.FunctionDef) -> Iterator[Condition]:
    """Yield the conditions of a function; an `if` has two, as it may be taken either way."""
    for number, node in enumerate(ast.walk(function)):
        if isinstance(node, ast.BoolOp):
            name, truth = ("and", True) if isinstance(node.op, ast.And) else ("or", False)
            for index, value in enumerate(node.values):
                yield Condition(value.lineno, f"{name} {ast.unparse(value)}", number, "values", index, truth)
        elif isinstance(node, ast.If | ast.IfExp):
            for truth in (False, True):
                yield Condition(node.lineno, f"if {ast.unparse(node.test)}: always {truth}", number, "test", None, truth)
        elif isinstance(node, ast.comprehension):
            for index, value in enumerate(node.ifs):
                yield Condition(value.lineno, f"for ... if {ast.unparse(value)}", number, "ifs", index, True)


if __name__ == "__main__":
    main()
