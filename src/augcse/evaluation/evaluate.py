"""`augcse.evaluate`: a model scored on tasks, suites and files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from augcse.arguments import BatchSize, FilePath, FilesOrNames, Model, listed
from augcse.errors import UserError
from augcse.evaluation.data_folder import find_data
from augcse.evaluation.selection import own_file_warnings
from augcse.model_folder import local_model_folder
from augcse.options import checks_arguments

if TYPE_CHECKING:
    from augcse.encoding.model import Pooling
    from augcse.evaluation.base import ClassifierName, ProtocolName
    from augcse.evaluation.scores import Scores


@checks_arguments
def evaluate(
    model: Model,
    tasks: FilesOrNames = ("sts",),
    data: FilePath | None = None,
    *,
    pooling: Pooling | None = None,
    batch_size: BatchSize = 128,
    classifier: ClassifierName = "lbfgs",
    protocol: ProtocolName = "test",
    mteb_results: FilePath | None = None,
) -> Scores:
    """Score a model on tasks or suites.

    Args:
        model: a `SentenceTransformer`, a folder or a name.
        tasks: as in `augcse list tasks`; "sts" is the seven STS tasks, "transfer" SentEval's seven transfer tasks. Or your own
            files of graded pairs or labels (docs/own-data.md).
        data: a folder with `sts/`, `transfer/`; if None, `AUGCSE_DATA` if that is set, else the hub.
        pooling: for a bare backbone (default: mean); not for a `SentenceTransformer`, which has its own.
        batch_size: of encoding.
        classifier: of the transfer tasks: "lbfgs" (exact, fast) or "senteval" (SentEval's own training loop, slow).
        protocol: of the transfer tasks: "test" as the papers report, "fast" with fewer folds, or "dev": as "fast", the accuracy on
            development rows, by which a model may be selected.
        mteb_results: a folder in which MTEB keeps the results of its own tasks (`mteb:NAME`), as its leaderboard takes them.
    """
    from augcse.encoding.model import check_pooling, load_encoder
    from augcse.evaluation.base import EvaluationOptions, own_files
    from augcse.evaluation.mteb_tasks import KeptResults, split_names
    from augcse.evaluation.scores import check_names, evaluate_model

    options = EvaluationOptions(classifier, protocol)
    names = [str(task) for task in listed(tasks)]
    check_names(names)
    ours, theirs = split_names(names)
    own_file_warnings(own_files(ours), options)
    if mteb_results is not None and not (theirs and isinstance(model, (str, Path))):
        raise UserError(f"{mteb_results} is for results of MTEB's own tasks; give --tasks mteb:NAME and a model by its folder or hub name")
    folder = find_data(data)
    check_pooling(pooling, model)
    if isinstance(model, (str, Path)):
        local_model_folder(str(model))

    encoder = load_encoder(str(model), pooling) if isinstance(model, (str, Path)) else model
    name = str(model) if isinstance(model, (str, Path)) else type(model).__name__
    keep = None if mteb_results is None else KeptResults.of(Path(mteb_results).expanduser(), str(model))
    return evaluate_model(encoder, names, folder, name, batch_size, options, keep)
