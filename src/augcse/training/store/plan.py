"""The specification of a token store: the corpus, the views of a row and their sources, the labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self

from augcse.augmentations.run.other_language import other_language_warnings
from augcse.augmentations.spec import files_of, parse_spec, parse_specs
from augcse.config import Recipe
from augcse.corpus.files import Corpus
from augcse.corpus.read import CorpusReport
from augcse.corpus.rows import Row
from augcse.errors import UserError, unknown_name
from augcse.objectives.base import find_objective
from augcse.rng import derive_seed
from augcse.sections import VIEWS, AugmentationSection, CorpusSection, ModelSection, TaskSection
from augcse.training.manifest import digest_of
from augcse.training.store.roles import Roles
from augcse.training.store.used_roles import check_roles_of_views
from augcse.training.store.views import AUGMENTED, DEFAULT_NEGATIVE, NEXT, ORIGINAL, PAIR, Slot, slots_of

if TYPE_CHECKING:
    from augcse.objectives.sentence_loss import SentenceLoss

# The cell that holds a row's label.
LABEL = "label"


@dataclass(frozen=True)
class Plan:
    """Everything that determines the content of a store; the store's saved fingerprint is compared to it before reuse.

    Args:
        corpus: the corpus files.
        views: the views of a row that the objective reads, the original first.
        model: the section [model]: its tokenizer and maximum length.
        augmentation: the section [augmentation].
        table: the section [corpus]: views with a column are read from it, not augmented.
        task: the section [task]; a pair is another view, after the original.
        seed: the seed of the augmentations.
        label_kind: the label of the view "augmented": the index of the augmentation, or whether it is a positive.
        epoch: the epoch whose augmentations are drawn.
        held_out: originals whose rows are skipped.
        needs_documents: neighbouring sentences are paired, so that blank lines or the ends of files must separate documents.
    """

    corpus: Corpus
    views: tuple[str, ...]
    model: ModelSection
    augmentation: AugmentationSection = field(default_factory=AugmentationSection)
    table: CorpusSection = field(default_factory=CorpusSection)
    task: TaskSection | None = None
    seed: int = 42
    label_kind: Literal["augmentation", "positive"] = "augmentation"
    epoch: int = 0
    held_out: frozenset[str] = frozenset()
    needs_documents: bool = False

    @classmethod
    def of(cls, recipe: Recipe, corpus: Corpus, loss: SentenceLoss, held_out: frozenset[str] = frozenset()) -> Self:
        """Return the plan of a recipe for a corpus; raises `UserError` for contradictory settings."""
        plan = cls(
            corpus,
            loss.traits.views or find_objective(recipe.objective.name).views,
            recipe.model,
            recipe.augmentation,
            recipe.corpus,
            recipe.task,
            recipe.training.seed,
            loss.traits.label_kind,
            held_out=held_out,
            needs_documents=loss.traits.needs_documents,
        )
        plan.check()
        check_roles_of_views(recipe, plan.views, plan.label_kind)
        return plan

    @property
    def augmentations(self) -> tuple[str, ...]:
        """The augmentations of the view "augmented"; () if the objective does not read it."""
        return self.augmentation.pool if AUGMENTED in self.views else ()

    @property
    def roles(self) -> Roles:
        """The augmentations of the views "positive" and "negative"."""
        return Roles(self.augmentation)

    @property
    def stored_views(self) -> tuple[str, ...]:
        """The views of the store, in order."""
        has_pair = self.task is not None and self.task.pair is not None
        return (self.views[0], PAIR, *self.views[1:]) if has_pair else self.views

    @property
    def read_views(self) -> tuple[str, ...]:
        """The views, other than the original, that are read from a column, in order."""
        return tuple(view for view in self.stored_views if view == PAIR or (view in self.table.columns and view != ORIGINAL))

    @property
    def reads_next_sentence(self) -> bool:
        """Whether the view "next" is the following sentence of the corpus, not a column."""
        return NEXT in self.views and NEXT not in self.table.columns

    def slots(self) -> list[Slot]:
        """Return the augmented views with their augmentations."""
        drawn = [view for view in self.stored_views if view not in self.table.columns]
        return slots_of(drawn, self.augmentations, self.roles, self.augmentation.proportion)

    def language_warnings(self) -> Iterator[str]:
        """Yield a warning if the views are made by English rules, and the corpus does not look English."""
        specs = [parse_spec(name) for slot in self.slots() for name in slot.names()]
        return other_language_warnings(self.read_originals(), specs, self.augmentation.parser)

    def judges_rows(self) -> bool:
        """Return whether some augmentation is a positive in one row and a negative in another."""
        slots = self.slots()
        matters = self.label_kind == "positive" or any(slot.positive is not None for slot in slots)
        known = [self.roles.is_positive(name) for slot in slots for name in slot.names() if name != DEFAULT_NEGATIVE]
        return matters and None in known

    def epoch_seed(self) -> int:
        """Return the seed of this epoch's augmentations: the run's seed in the first, a derived one in later ones."""
        return derive_seed(self.seed, "epoch", self.epoch) if self.epoch else self.seed

    def read_originals(self, report: CorpusReport | None = None) -> Iterator[str]:
        """Stream the original sentences, without the held-out ones."""
        return (sentence for sentence in self._originals.sentences(report) if sentence not in self.held_out)

    def read_rows(self, report: CorpusReport) -> Iterator[Row]:
        """Stream the rows of the corpus: the original, the views with a column, the label; held-out originals have no row.

        If the view "next" is the following sentence, a row without cells marks the end of a document, or the place of a held-out row.
        """
        by_document = self.reads_next_sentence
        rows: Iterator[Row]
        if not self.table.columns and self.task is None:
            texts = self._originals.sentences_by_document(report) if by_document else self._originals.sentences(report)
            rows = (Row({ORIGINAL: text} if text else {}) for text in texts)
        else:
            read = self.corpus.rows_by_document if by_document else self.corpus.rows
            rows = read(self._cell_columns(), report, values=(LABEL,))
        kept = (Row({}) if row.cells.get(ORIGINAL) in self.held_out else row for row in rows)
        return kept if by_document else filter(None, kept)

    def check(self) -> None:
        """Raise `UserError` for unknown views or augmentations, or contradictory settings."""
        for view in self.views:
            if view not in VIEWS:
                raise unknown_name("view", view, VIEWS)
        self._check_columns()
        if self.augmentations:
            parse_specs(self.augmentations)
        self.roles.check()
        self._check_unaugmented()

    def fingerprint(self) -> dict[str, Any]:
        """Return everything that determines the content, as JSON."""
        slots, section = self.slots(), self.augmentation
        files = files_of(section.named)
        return {
            "corpus_sha256": list(self.corpus.sha256),
            "augmentations": list(self.augmentations),
            "parser": section.parser if slots else None,
            "seed": self.epoch_seed() if slots else None,
            "max_len_tokens": self.model.max_len_tokens,
            "tokenizer": self.model.backbone,
            "encoding_errors": self.corpus.encoding_errors,
            "column": self.corpus.column,
            "views": list(self.stored_views),
            "roles": self.roles.as_json(),
            "proportion": section.proportion,
            "unaugmented": section.unaugmented,
            "label_kind": self.label_kind,
            "columns": dict(self.table.columns),
            "held_out_sha256": digest_of(sorted(self.held_out)) if self.held_out else None,
            "task": None if self.task is None else self.task.model_dump(include={"kind", "label", "pair"}),
            **({"augmentation_files": files} if files else {}),
        }

    @property
    def _originals(self) -> Corpus:
        return self.corpus.originals(self.table.columns)

    def _cell_columns(self) -> dict[str, str | None]:
        """Return the column of each cell of a row."""
        columns: dict[str, str | None] = dict(self.table.columns)
        if self.task is not None:
            columns |= {PAIR: self.task.pair, LABEL: self.task.label}
        names = [*self.read_views, *([LABEL] if self.task is not None else [])]
        return {ORIGINAL: self._originals.column, **{name: columns[name] for name in names}}

    def _check_columns(self) -> None:
        """Raise `UserError` for a column of a view that is not read, or two columns for the text."""
        for view in self.table.columns:
            if view not in self.views:
                raise UserError(
                    f"corpus.columns names the view {view}, which this objective does not read; it reads {', '.join(self.views)}"
                )
        if self.corpus.column is not None and ORIGINAL in self.table.columns:
            raise UserError(
                f"--column {self.corpus.column} and corpus.columns.original = {self._originals.column} both name the text's column; leave"
                " one out"
            )

    def _check_unaugmented(self) -> None:
        """Raise `UserError` if dropping unaugmented rows contradicts other settings."""
        section = self.augmentation
        if section.unaugmented != "drop":
            return
        if section.resample_every_epoch:
            raise UserError(
                'augmentation.resample_every_epoch with unaugmented = "drop" would give every epoch other rows; set unaugmented to "keep",'
                " or resample_every_epoch to false"
            )
        if section.proportion < 1:
            raise UserError(
                f'augmentation.unaugmented is "drop" and augmentation.proportion {section.proportion}: the rows left as they are would'
                ' all be dropped; set unaugmented to "keep" or proportion to 1'
            )
