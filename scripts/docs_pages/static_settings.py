"""The page of the tries by which the settings of `augcse static` were chosen, from the log of scripts/choose_static.py."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from augcse.report.table import Table
from docs_pages.layout import NOTE, RESULTS

LOG = RESULTS / "choice" / "static.jsonl"
CONTEXTS = RESULTS / "static_contexts.json"
Trial = dict[str, Any]
_SHORT = {"brown:4000+tatoeba_en:4000+abc_news:4000+movie_reviews:4000+masc:4000+wiki:8000": "28,000 first lines"}
_HEADER = ["dims", "dev", "even", "odd", "once", "even", "odd"]


_HOW_TO_READ = """# The settings of `augcse static`

Spearman x 100 on STS-B dev, of all pairs, the even and the odd ones: of the plain mean of a sentence's vectors (what
sentence-transformers' `StaticEmbedding` computes), and of the mean with each token counted once. No test score was computed.

The {tries} tries of [choice/static.jsonl](choice/static.jsonl) (`scripts/choose_static.py`) are all on the same 1,500 pairs, so that the
best of them is too high by what was chance, and no interval of their differences was computed: a few tenths decide nothing. Five more
tries were taken out of the log, since their text was not the one that they named. The lines' commits are those of the work in progress;
tries of `spelling` on 1,000,000 sentences drew other random numbers than the package does today, and what another draw changes was not
measured.

"""
_KEPT = """Kept: the vectors from letters (`spelling`; `identity` is a random vector per token, without letters), a = 1e-3, singular
values to the power 0.25, frequencies also of the text that the whitening is fitted on, and vectors of words drawn together that begin alike
and are alike. That does what a lexicon's lemmas do (`draw`: prefix, forms), without one.

Vectors from letters alone, which know nothing of meaning, come to {alone:.2f}: STS-B dev rewards words in common. A gain by letters says
little of pairs that mean the same in other words; `--set letters_dim=0` leaves them out.

Not kept: other norms of the rows than 1, drawing to the nearest rows whatever their letters (`nearest`), rows refined by contrast on halves
of sentences (`refine rows`). Weights learned in the same way (`refine weights`) and two windows side by side gain little for their cost.

"""


def static_settings() -> str:
    trials = [json.loads(line) for line in LOG.read_text("utf-8").splitlines()]
    curve = [trial for trial in trials if _from_its_own_text(trial)]
    others = [trial for trial in trials if trial not in curve]
    start = trials[1]["settings"]
    alone = next(trial for trial in trials if trial["settings"]["parts"] == "spelling")
    text = (
        _HOW_TO_READ.format(tries=len(trials))
        + _KEPT.format(alone=alone["stock"][0])
        + "## Text and size\n\nTokenizer trained on the text itself (30,000 tokens at most), or mini-bert's with its rows beside those of"
        " co-occurrence; whitened on the text itself, with vectors from letters or without. More text of one kind changes little; its kind"
        " changes more.\n\n"
        + _curve_table(curve)
        + "\n\n## Contexts\n\nHow often a token has to occur to be a context, with other defaults as they are"
        " (`scripts/static_contexts.py`, [static_contexts.json](static_contexts.json)); the factors' time grows with the third power of the"
        " contexts' number. The first line's seconds are also those of loading the libraries.\n\n"
        + _contexts_table(json.loads(CONTEXTS.read_text("utf-8"))["tries"])
        + "\n\n## All other tries\n\nWhat differs from the start, the best first. The start: "
        + ", ".join(f"{key} {_value(value)}" for key, value in start.items() if value != "none")
        + ".\n\n"
        + Table(["changed", *_HEADER], [[_changes(trial, start), *_scores(trial)] for trial in _best_first(others)]).markdown()
    )
    return NOTE + text + "\n"


def _from_its_own_text(trial: Trial) -> bool:
    settings = trial["settings"]
    name = settings["corpus"].partition(":")[0]
    return bool(settings["whiten_on"].partition(":")[0] == name and "+" not in settings["whiten_on"])


def _curve_table(trials: Iterable[Trial]) -> str:
    rows = []
    for trial in trials:
        settings = trial["settings"]
        name, _, number = settings["corpus"].partition(":")
        taken = "trained" if settings["tokenizer"].startswith("trained") else f"{settings['tokenizer']}'s"
        letters = "yes" if "spelling" in settings["parts"] else "no"
        rows.append((name != "wiki", name, int(number), taken, letters, _scores(trial)))
    cells = [[name, f"{number:,}", taken, letters, *scores] for _, name, number, taken, letters, scores in sorted(rows)]
    return Table(["text", "sentences", "tokenizer", "letters", *_HEADER], cells).markdown()


def _contexts_table(tries: Iterable[Trial]) -> str:
    rows = [
        [
            f"{trial['sentences']:,}",
            "yes" if trial["settings"]["letters_dim"] else "no",
            str(trial["settings"]["context_occurrences"]),
            f"{trial['contexts_counted']:,}",
            f"{trial['cpu_s']:.1f}",
            f"{trial['scores']['STSB-dev']:.2f}",
        ]
        for trial in tries
    ]
    return Table(["sentences", "letters", "times at least", "contexts", "CPU seconds", "dev"], rows).markdown()


def _best_first(trials: list[Trial]) -> list[Trial]:
    return sorted(trials, key=lambda trial: (-trial["stock"][0], json.dumps(trial["settings"])))


def _scores(trial: Trial) -> list[str]:
    return [str(trial["dim"]), *(f"{score:.2f}" for score in (*trial["stock"], *trial["once"]))]


def _changes(trial: Trial, start: dict[str, Any]) -> str:
    settings = trial["settings"]
    changed = [f"{key} {_value(value)}" for key, value in settings.items() if _differs(key, value, start, settings)]
    return ", ".join(changed) or "nothing"


def _differs(key: str, value: Any, start: dict[str, Any], settings: dict[str, Any]) -> bool:
    """Whether a value counts: settings that came later are not in the start's line, and a part that is off has none."""
    from choose_static import START

    if any(key.startswith(f"{part}_") and settings.get(part) == "none" for part in ("draw", "refine")):
        return False
    if key.startswith("names_") and not {"identity", "spelling"} & set(settings["parts"].split("+")):
        return False
    return bool(value != start.get(key, START[key] if key not in ("draw_share", "draw_cosine") else None))


def _value(value: Any) -> str:
    return (
        _SHORT.get(value, value.replace("+", " + ")) if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
    )
