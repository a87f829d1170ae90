"""A finished model encodes once for its own scores and for the hybrid's, and the hybrid's embeddings are the hybrid's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from augcse.encoding.hybrid import hybrid_model
from augcse.encoding.model import encode_distinct, load_encoder
from augcse.evaluation.encoded_once import EncodedOnce

SENTENCES = ["A man sold his car.", "It rained.", "A man sold his car.", "Nobody called the doctor in time."]


def test_the_hybrids_embeddings_are_those_of_the_model_made_of_both(tiny_backbone: Path) -> None:
    model, other = load_encoder(str(tiny_backbone)), load_encoder(str(tiny_backbone), "cls")
    hybrid = hybrid_model([model, other], [1.0, 1.0])
    expected, expected_rows = encode_distinct(hybrid, SENTENCES)
    found, rows = EncodedOnce(model).beside(other)(SENTENCES, 128)
    assert rows == expected_rows
    assert np.allclose(found, expected, atol=1e-6)


def test_the_same_sentences_are_encoded_once_and_others_anew(tiny_backbone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, other = load_encoder(str(tiny_backbone)), load_encoder(str(tiny_backbone), "cls")
    forward, rows_encoded = model.forward, []
    monkeypatch.setattr(
        model, "forward", lambda given, **options: rows_encoded.append(len(given["input_ids"])) or forward(given, **options)
    )
    finished = EncodedOnce(model)
    own, _ = finished.encode(SENTENCES, 128)
    finished.beside(other)(SENTENCES, 128)
    assert rows_encoded == [len(set(SENTENCES))]
    assert np.array_equal(finished.encode(SENTENCES, 128)[0], own)
    fewer, rows = finished.encode(SENTENCES[:2], 128)
    assert (fewer.shape[0], list(rows)) == (2, SENTENCES[:2])
