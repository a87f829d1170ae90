"""The page of what making a static encoder costs and how fast it encodes, from the records of the two benchmarks."""

from __future__ import annotations

import json
import statistics
from typing import Any

from augcse.report.table import Table
from docs_pages.layout import NOTE, RESULTS

RECORDS = RESULTS / "static_speed"
Record = dict[str, Any]


def static_speed() -> str:
    build, encode, vectors = (json.loads((RECORDS / f"{name}.json").read_text("utf-8")) for name in ("build", "encode", "word_vectors"))
    text = (
        "# Static encoders: time, memory, and word vectors beside them\n\nOn one machine with other work beside it"
        f" ({build['hardware']['processor']}, {build['hardware']['cores']} cores): compare rows, not machines. CPU seconds are summed over"
        " threads.\n\n## Making one\n\n`augcse static` of the first so many Wikipedia sentences, tokenizer trained on them, every setting"
        f" as it is, {build['threads']} threads, each in a fresh process (`python bench/static_speed.py build`).\n\n"
        + _build_table(build["runs"])
        + "\n\n## Encoding\n\nSentences per CPU second, one thread, median of"
        f" {encode['rounds']} rounds of {encode['sentences_per_round']:,} sentences that were not seen before"
        " (`python bench/static_speed.py encode`). Ratio: median over the rounds, to the first row.\n\n"
        "`SentenceTransformer(folder).encode(...)` runs none of augcse's code: its rows are those called sentence-transformers."
        " `augcse.encoding.model.load_encoder(folder).encode(...)`, which every command of augcse calls, gives the same embeddings"
        f"{_difference(encode['models'])} from words that it remembers; the vectors are the folder's, so that nothing has to be trained"
        " or saved anew. `TokensOnce` remembers words by itself.\n\n"
        + _encode_tables(encode["models"])
        + "\n\n## Beside word2vec and fastText\n\nSpearman x 100 on STS-B dev, all made of the same"
        f" {vectors['sentences']:,} Wikipedia sentences; gensim's skip-gram, {vectors['dim']} dimensions, window {vectors['window']},"
        f' {vectors["negatives"]} negatives, {vectors["epochs"]} epochs (`python bench/static_word_vectors.py`). "Component removed" is'
        " SIF as published (Arora et al. 2017). The first row's seconds are also those of loading the libraries.\n\n"
        + _vectors_table(vectors["rows"])
    )
    return NOTE + text + "\n"


def _build_table(runs: list[Record]) -> str:
    stages = list(runs[0]["stages"])
    rows = [
        [
            f"{run['sentences']:,}",
            f"{run['wall_s']:.0f}",
            f"{run['cpu_s']:.0f}",
            f"{run['peak_mb']:,}",
            *(f"{run['stages'][stage]['cpu_s']:.1f}" for stage in stages),
        ]
        for run in runs
    ]
    return Table(["sentences", "seconds", "CPU seconds", "peak MB", *stages], rows).markdown()


def _difference(models: dict[str, Record]) -> str:
    """Say how far embeddings of the same folder are from sentence-transformers' own, at most."""
    rows = (row for model in models.values() for name, row in model["encoders"].items() if name.startswith("the same"))
    largest = max(row["largest_difference"] for row in rows)
    return f" (largest difference of a value: {largest:g})"


def _encode_tables(models: dict[str, Record]) -> str:
    return "\n\n".join(f"{name} ({model['vocabulary']:,} tokens):\n\n{_encode_table(model['encoders'])}" for name, model in models.items())


def _encode_table(encoders: dict[str, Record]) -> str:
    rows = [[name, f"{statistics.median(found['sentences_per_cpu_s']):,.0f}", f"{found['ratio']:.2f}"] for name, found in encoders.items()]
    return Table(["encoder", "sentences per CPU second", "ratio"], rows).markdown()


def _vectors_table(rows: list[Record]) -> str:
    kinds = ["as it is", "mean", "SIF", "SIF, component removed"]
    cells = [
        [
            row["model"],
            row["units"],
            f"{row['cpu_s']:.0f}",
            *(f"{row['stsb_dev'][kind]:.2f}" if kind in row["stsb_dev"] else "-" for kind in kinds),
        ]
        for row in rows
    ]
    return Table(["model", "of", "CPU seconds", *kinds], cells).markdown()
