"""MTEB's own tasks, run by MTEB's own code: `mteb:NAME` (Muennighoff et al. 2023).

MTEB loads its data from the hub. For the STS tasks that we have too, the local files are used instead, so that they run offline and on the
same pairs as ours; every other task needs the network, or the hub's cache.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.errors import MissingDependencyError, UserError, unknown_name
from augcse.evaluation.pairs import Pairs, read_pairs
from augcse.files import cannot_write
from augcse.model_folder import model_folder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.evaluation.tasks.sts import LoadedPairs

PREFIX = "mteb:"
_TEST = "test"


@dataclass(frozen=True)
class LocalData:
    """Location of an MTEB task's test pairs in our data folder: tasks of ours, or files with their number of pairs."""

    tasks: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    expected_pairs: int = 0


@dataclass(frozen=True)
class KeptResults:
    """The folder of MTEB's results, and the name and revision of the model in them.

    In `folder/results/NAME/REVISION`: a `TaskResult` per task, `model_meta.json` and the settings of the run, as MTEB reads them again
    (`mteb.ResultCache(folder)`).
    """

    folder: Path
    name: str
    revision: str

    @classmethod
    def of(cls, folder: Path, model: str) -> KeptResults:
        """Name a model, given by bundled name, folder or hub name, as MTEB does: `owner/name`, and the commit or the content's digest."""
        from augcse.encoding.front_matter import origin_of
        from augcse.training.manifest import folder_digest

        origin, files = origin_of(model), model_folder(model)
        if origin.hub_name is not None:
            # A snapshot's folder is named after its commit.
            return cls(folder, origin.hub_name if "/" in origin.hub_name else f"sentence-transformers/{origin.hub_name}", files.name)
        return cls(folder, f"local/{origin.name.replace('/', '--')}", folder_digest(files))


LOCAL = {
    **{name: LocalData(tasks=(name,)) for name in ("STS12", "STS13", "STS14", "STS15", "STS16")},
    "STSBenchmark": LocalData(tasks=("STSB",)),
    "STSB": LocalData(tasks=("CNSD-STSB",)),
    # MTEB scores SICK's three splits together.
    "SICK-R": LocalData(files=("sts/SICK/train.tsv", "sts/SICK/trial.tsv", "sts/SICK/test.tsv"), expected_pairs=9927),
}


def split_names(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the names of our tasks and suites, and of MTEB's without their prefix."""
    ours = [name for name in names if not name.startswith(PREFIX)]
    return ours, [name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX)]


def evaluate_mteb(
    model: SentenceTransformer, names: Sequence[str], data: Path | None, batch_size: int = 128, keep: KeptResults | None = None
) -> dict[str, float]:
    """Run tasks of MTEB and return `mteb:NAME` -> main score x 100. All tasks are resolved, and local data read, before any runs.

    Args:
        model: the encoder.
        names: MTEB's names, without prefix.
        data: our data folder, for the tasks in `LOCAL`; None takes the hub.
        batch_size: of encoding.
        keep: where MTEB's own results are kept, replacing those of the same task, name and revision; None: they are not kept.

    Raises:
        MissingDependencyError: MTEB is not installed.
        UserError: an unknown task, bad local data, or data that the hub does not give.
    """
    tasks = {name: _mteb_task(name, data) for name in dict.fromkeys(names)}
    if keep is not None:
        try:
            keep.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(keep.folder, error) from error
    return {PREFIX + name: round(100 * _main_score(model, name, task, batch_size, keep), 4) for name, task in tasks.items()}


def mteb_encoder(model: SentenceTransformer, name: str, revision: str) -> Any:
    """Return MTEB's encoder around a model, whose `ModelMeta` has this name and revision."""
    mteb = import_module("mteb")
    encoder = mteb.SentenceTransformerEncoderWrapper(model)
    encoder.mteb_model_meta = encoder.mteb_model_meta.model_copy(update={"name": name, "revision": revision})
    return encoder


def local_pairs(name: str, data: Path) -> Pairs:
    """Return the test pairs of a task in `LOCAL` from our data folder. Raises `UserError` if their number differs from the task's."""
    where = LOCAL[name]
    parts = [_loaded_pairs(task, data).pairs for task in where.tasks] + [read_pairs(data / file) for file in where.files]
    pairs = Pairs(
        [score for part in parts for score in part.scores],
        [text for part in parts for text in part.first],
        [text for part in parts for text in part.second],
    )
    if where.files and len(pairs) != where.expected_pairs:
        raise UserError(f"{PREFIX}{name} in {data} has {len(pairs):,} pairs, not {where.expected_pairs:,}; the score would not compare")
    return pairs


def _loaded_pairs(name: str, data: Path) -> LoadedPairs:
    from augcse.evaluation.detail import load_pair_tasks

    return load_pair_tasks([name], data)[name]


def _mteb_task(name: str, data: Path | None) -> Any:
    """Return MTEB's task, with local data if there are some; raises an error if MTEB or the task is missing."""
    try:
        mteb = import_module("mteb")
    except ImportError as error:
        raise MissingDependencyError(f"{PREFIX}{name} needs MTEB: pip install 'augcse[mteb]'") from error
    try:
        task = mteb.get_task(name)
    except KeyError as error:
        raise unknown_name("MTEB task", name, [known.metadata.name for known in mteb.get_tasks()]) from error
    if data is not None and name in LOCAL:
        _set_data(task, local_pairs(name, data))
    return task


def _set_data(task: Any, pairs: Pairs) -> None:
    """Set the data of an MTEB task, as `load_data` would."""
    from datasets import Dataset, DatasetDict

    rows = Dataset.from_dict({"sentence1": pairs.first, "sentence2": pairs.second, "score": pairs.scores})
    task.dataset = DatasetDict({_TEST: rows})
    task.data_loaded = True
    # The Chinese task averages over its validation split too; here its score is that of the test split, as in the papers.
    task.metadata = task.metadata.model_copy(update={"eval_splits": [_TEST]})


def _main_score(model: SentenceTransformer, name: str, task: Any, batch_size: int, keep: KeptResults | None) -> float:
    """Return the main score of one task, from 0 to 1, as MTEB computes it."""
    settings = {"co2_tracker": False, "show_progress_bar": False, "encode_kwargs": {"batch_size": batch_size}}
    mteb = import_module("mteb")
    try:
        with warnings.catch_warnings():
            # Deprecation warnings of sentence-transformers, for MTEB to fix.
            warnings.simplefilter("ignore", FutureWarning)
            if keep is None:
                result = mteb.evaluate(model, task, cache=None, **settings)
            else:
                encoder = mteb_encoder(model, keep.name, keep.revision)
                result = mteb.evaluate(encoder, task, cache=mteb.ResultCache(keep.folder), overwrite_strategy="always", **settings)
    except (OSError, ValueError, RuntimeError) as error:
        reason = str(error).strip().split("\n")[0]
        raise UserError(f"{PREFIX}{name}: MTEB cannot run it ({reason}); local data exist for: {', '.join(LOCAL)}") from error
    return float(result.task_results[0].get_score())
