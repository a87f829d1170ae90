"""Fit the judge's weights to graded proposals, and measure them by cross-validation.

    python scripts/fit_judge.py DATA [--model mini-bert]

scripts/judge_grades.tsv holds what was graded: a domain of scripts/sample_domains.py, a row of its tuning split, a token, its lemma, the
word in its place, the relation, and 1 if the sentence reads well with it and the word is what the relation says, else 0. The sentences
themselves are read from DATA. A logistic regression per relation, over standardised evidence, is written to weights.json, with the least
probability at which as many as `--precision` of the proposals that were held out were good.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import parse_sentences
from augcse.augmentations.english.words import free_words, inflect
from augcse.augmentations.judge.judge import FLUENCY, LEXICAL, PAIR, PLACE, WEIGHTS, fluencies, judged_form, pair_evidence, place_evidence
from augcse.augmentations.judge.proposal import Pair, Proposal, Related, Relation, Senses
from augcse.augmentations.rules.lexical.hypernyms.rule import hypernyms_of, hyponyms_of
from augcse.augmentations.rules.lexical.synonym_substitution.rule import synonyms_of
from augcse.augmentations.text.tables import data_rows
from augcse.files import write_json
from augcse.lexicon.base import POS
from augcse.lexicon.open import bundled_lexicon
from sample_domains import tuning_rows

GRADES = Path(__file__).with_name("judge_grades.tsv")
_FOLDS, _REPEATS = 10, 5
_STRENGTH = 0.1
# Chosen by reading what the rules do to the tuning split: at least nine in ten changed sentences good, the reviewed words included.
THRESHOLDS = {"synonym": 0.84, "hypernym": 0.8, "hyponym": 0.8}
# What the lexicon proposes, by relation.
RELATED: dict[str, Related] = {"synonym": synonyms_of, "hypernym": hypernyms_of, "hyponym": hyponyms_of}
Graded = tuple[Parse, tuple[Proposal, Senses], int]


def main() -> None:
    arguments = _arguments()
    graded = read_grades(arguments.data)
    table: dict[str, dict[str, dict[str, float]]] = {LEXICAL: {}, "model": {}}
    for relation, rows in sorted(graded.items()):
        evidence, grades = evidence_of(rows), np.array([grade for _, _, grade in rows])
        table[LEXICAL][relation] = fit(relation, evidence, grades, (*PAIR, *PLACE))
        with_model = np.hstack([evidence, fluency_of(rows, arguments.model)])
        table["model"][relation] = fit(relation, with_model, grades, (*PAIR, *PLACE, FLUENCY))
    write_json(WEIGHTS, table)


def read_grades(data: Path) -> dict[str, list[Graded]]:
    """Return the graded proposals by relation; those that the rules would not make today are left out."""
    rows_by_place: dict[tuple[str, int], list[list[str]]] = defaultdict(list)
    for domain, row, *rest in data_rows(GRADES):
        rows_by_place[domain, int(row)].append(rest)
    parses = _parses(data, rows_by_place)
    graded: dict[str, list[Graded]] = defaultdict(list)
    for place, rows in rows_by_place.items():
        for index, _, new, relation, grade in rows:
            proposal = _proposal(parses[place], int(index), new, relation)  # type: ignore[arg-type]
            if proposal is not None:
                graded[relation].append((parses[place], proposal, int(grade)))
    return dict(graded)


def evidence_of(rows: list[Graded]) -> NDArray[np.float64]:
    """Return the evidence that needs no model: (proposals, pieces)."""
    evidence = []
    for parse, (proposal, senses), _ in rows:
        pair = pair_evidence(parse.word(proposal.token), judged_form(proposal.pair.form), senses)
        evidence.append((*pair, *next(place_evidence(parse, [proposal]))))
    return np.array(evidence)


def fluency_of(rows: list[Graded], model: str) -> NDArray[np.float64]:
    """Return the model's log-odds of the new word over the old: (proposals, 1)."""
    return np.array(fluencies(model, [parse for parse, _, _ in rows], [[proposal] for _, (proposal, _), _ in rows]))


def fit(relation: str, evidence: NDArray[np.float64], grades: NDArray[np.int64], names: tuple[str, ...]) -> dict[str, float]:
    """Return the weights of the plain evidence, a bias and the threshold."""
    model = make_pipeline(StandardScaler(), LogisticRegression(C=_STRENGTH))
    folds = (KFold(_FOLDS, shuffle=True, random_state=seed) for seed in range(_REPEATS))
    held_out = np.mean([cross_val_predict(model, evidence, grades, cv=fold, method="predict_proba")[:, 1] for fold in folds], axis=0)
    kept = grades[held_out >= THRESHOLDS[relation]]
    print(f"{relation}, {names[-1]}: {grades.sum()} of {len(grades)} good; of {len(kept)} kept {kept.sum()}", file=sys.stderr)
    model.fit(evidence, grades)
    scaler, regression = model[0], model[1]
    weights = regression.coef_[0] / scaler.scale_
    bias = float(regression.intercept_[0] - weights @ scaler.mean_)
    row = {"bias": bias, **dict(zip(names, weights.tolist(), strict=True)), "threshold": THRESHOLDS[relation]}
    return {key: round(value, 4) for key, value in row.items()}


def _proposal(parse: Parse, index: int, new: str, relation: Relation) -> tuple[Proposal, Senses] | None:
    lexicon = bundled_lexicon()
    word = next((word for word in free_words(parse, lexicon, POS) if word.index == index), None)
    if word is None:
        return None
    senses, form = RELATED[relation](word.lemma, word.pos, lexicon).get(new), inflect(new, word.tag)
    return None if senses is None or form is None else (Proposal(index, Pair(new, form, 0.0)), senses)


def _parses(data: Path, places: dict[tuple[str, int], list[list[str]]]) -> dict[tuple[str, int], Parse]:
    keys = sorted(places)
    texts: list[str] = []
    for domain in sorted({domain for domain, _ in keys}):
        texts += tuning_rows(data, domain, [row for name, row in keys if name == domain])
    return dict(zip(keys, parse_sentences(texts), strict=True))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of texts that scripts/sample_domains.py reads")
    parser.add_argument("--model", default="mini-bert")
    return parser.parse_args()


if __name__ == "__main__":
    main()
