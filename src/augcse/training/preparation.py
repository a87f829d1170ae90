"""What decides the content of a token store: the corpus, the views of a row and where each comes from, the labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from augcse.augmentations.roles import Roles
from augcse.augmentations.spec import parse_specs
from augcse.config import VIEWS, TaskSection
from augcse.corpus.lines import EncodingErrors
from augcse.corpus.read import CorpusReport, read_sentences
from augcse.corpus.rows import Row, read_rows
from augcse.errors import UserError, unknown_name
from augcse.rng import derive_seed
from augcse.training.manifest import digest_of
from augcse.training.slots import AUGMENTED, DEFAULT_NEGATIVE, NEXT, ORIGINAL, PAIR, Slot, slots_of

# The cell that holds a row's label.
LABEL = "label"


@dataclass(frozen=True)
class Preparation:
    """What decides a store's content; kept in the store and compared before it is used again.

    `augmentations` is what the view "augmented" is drawn from, `roles` what "positive" and "negative" are. `views` () means the
    original and, where there are augmentations, the augmented one. `columns` (view -> column of a table) gives views that are read, not
    drawn. `task` names the columns of a labelled task; its pair is one more view, after the original. Rows whose original is in
    `held_out` are left out.
    """

    corpus: tuple[str, ...]
    corpus_sha256: tuple[str, ...]
    augmentations: tuple[str, ...]
    parser: str
    seed: int
    max_len_tokens: int
    tokenizer: str
    encoding_errors: EncodingErrors = "strict"
    column: str | None = None
    views: tuple[str, ...] = ()
    roles: Roles = field(default_factory=Roles)
    proportion: float = 1.0
    unaugmented: Literal["keep", "drop"] = "keep"
    label_kind: Literal["augmentation", "positive"] = "augmentation"
    epoch: int = 0
    columns: Mapping[str, str] = field(default_factory=dict)
    task: TaskSection | None = None
    held_out: frozenset[str] = frozenset()

    @property
    def shown(self) -> tuple[str, ...]:
        """The views of the store, in order."""
        read = self.views or ((ORIGINAL, AUGMENTED) if self.augmentations else (ORIGINAL,))
        return (read[0], PAIR, *read[1:]) if self.task is not None and self.task.pair is not None else read

    @property
    def given(self) -> tuple[str, ...]:
        """The views beside the original that a row brings along, in order."""
        return tuple(view for view in self.shown if view == PAIR or (view in self.columns and view != ORIGINAL))

    @property
    def follows(self) -> bool:
        """Whether the view "next" is the sentence that stands next in the corpus."""
        return NEXT in self.shown and NEXT not in self.columns

    def slots(self) -> list[Slot]:
        """Return the augmented views and what each is drawn from."""
        drawn = [view for view in self.shown if view not in self.columns]
        return slots_of(drawn, self.augmentations, self.roles, self.proportion)

    def judges_rows(self) -> bool:
        """Whether some augmentation is a positive for one row and a negative for another."""
        slots = self.slots()
        matters = self.label_kind == "positive" or any(slot.positive is not None for slot in slots)
        known = [self.roles.is_positive(name) for slot in slots for name in slot.names() if name != DEFAULT_NEGATIVE]
        return matters and None in known

    def epoch_seed(self) -> int:
        """Return the seed of this epoch's draws: the run's for the first, another for each later one."""
        return derive_seed(self.seed, "epoch", self.epoch) if self.epoch else self.seed

    def read(self, report: CorpusReport | None = None, keep_blank: bool = False) -> Iterator[str]:
        """Stream the corpus: its original sentences. One that is held out is a blank row."""
        found = read_sentences(self.corpus, self.encoding_errors, report, self._original_column, keep_blank)
        if not self.held_out:
            return found
        kept = ("" if sentence in self.held_out else sentence for sentence in found)
        return kept if keep_blank else filter(None, kept)

    def read_rows(self, report: CorpusReport) -> Iterator[Row]:
        """Stream the corpus with all that a row brings along: the original, the given views, the label.

        Blank rows come too, without cells, where they part documents.
        """
        if not self.columns and self.task is None:
            return (Row({ORIGINAL: text} if text else {}) for text in self.read(report, keep_blank=self.follows))
        columns: dict[str, str | None] = {ORIGINAL: self._original_column}
        for view in self.given:
            columns[view] = self.task.pair if view == PAIR and self.task is not None else self.columns[view]
        if self.task is not None:
            columns[LABEL] = self.task.label
        rows = read_rows(self.corpus, columns, self.encoding_errors, report, values=(LABEL,), keep_blank=self.follows)
        if not self.held_out:
            return rows
        kept = (Row({}) if row.cells.get(ORIGINAL) in self.held_out else row for row in rows)
        return kept if self.follows else filter(None, kept)

    def check(self) -> None:
        """Raise `UserError` for augmentations or settings that cannot work."""
        for view in self.views:
            if view not in VIEWS:
                raise unknown_name("view", view, VIEWS)
        self._check_columns()
        if self.augmentations:
            parse_specs(self.augmentations)
        self.roles.check()
        if self.unaugmented == "drop" and self.proportion < 1:
            raise UserError(
                f'augmentation.unaugmented is "drop" and augmentation.proportion {self.proportion}: the rows left as they are would'
                ' all be dropped; set unaugmented to "keep" or proportion to 1'
            )

    def fingerprint(self) -> dict[str, Any]:
        """Return the part that decides the content."""
        slots = self.slots()
        return {
            "corpus_sha256": list(self.corpus_sha256),
            "augmentations": list(self.augmentations),
            "parser": self.parser if slots else None,
            "seed": self.epoch_seed() if slots else None,
            "max_len_tokens": self.max_len_tokens,
            "tokenizer": self.tokenizer,
            "encoding_errors": self.encoding_errors,
            "column": self.column,
            "views": list(self.shown),
            "roles": {name: _as_json(getattr(self.roles, name)) for name in self.roles.__slots__},
            "proportion": self.proportion,
            "unaugmented": self.unaugmented,
            "label_kind": self.label_kind,
            "columns": dict(self.columns),
            "held_out_sha256": digest_of(sorted(self.held_out)) if self.held_out else None,
            "task": None if self.task is None else {"kind": self.task.kind, "label": self.task.label, "pair": self.task.pair},
        }

    @property
    def _original_column(self) -> str | None:
        return self.columns.get(ORIGINAL, self.column)

    def _check_columns(self) -> None:
        for view in self.columns:
            if view not in self.shown:
                read = ", ".join(view for view in self.shown if view != PAIR)
                raise UserError(f"corpus.columns names the view {view}, which this objective does not read; it reads {read}")
        if self.column is not None and ORIGINAL in self.columns:
            raise UserError(
                f"--column {self.column} and corpus.columns.original = {self.columns[ORIGINAL]} both name the text's column; leave one out"
            )


def _as_json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
