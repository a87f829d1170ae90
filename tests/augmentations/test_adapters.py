"""Augmentations in `datasets.map` and as a spaCy component: the same results as from `augment`, however the rows come."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pyarrow as pa
import pytest
import spacy
from datasets import Dataset, disable_progress_bars
from spacy.tokens import Doc, DocBin

import augcse
from augcse import Augmenter, augment
from augcse.augmentations.rules.corpus.term_replacement.statistics import TermStatistics
from augcse.augmentations.run import spacy_component
from augcse.errors import UserError
from augcse.rng import derive_seed

disable_progress_bars()
NAME = "chain(ContractionExpansions, RandomSwap:rate=0.2)"
TEXT = "Mary Smith isn't in Boston with 3 cats."


@pytest.mark.parametrize(("batch_size", "processes"), [(7, None), (1000, None), (10, 2)])
def test_map_gives_what_augment_gives(batch_size: int, processes: int | None, sentences: list[str]) -> None:
    table = Dataset.from_dict({"text": [*sentences[:40], None], "label": list(range(41))})
    mapped = table.map(Augmenter(NAME, seed=3), batched=True, with_indices=True, batch_size=batch_size, num_proc=processes)
    assert mapped["augmented"] == augment([*sentences[:40], None], NAME, seed=3)
    assert mapped["label"] == list(range(41))


def test_map_writes_the_record_on_demand() -> None:
    table = Dataset.from_dict({"sentence": ["It isn't late.", "Yes."]})
    augmenter = Augmenter("ContractionExpansions", column="sentence", to="view", record=True)
    first, second = table.map(augmenter, batched=True, with_indices=True)
    assert (first["view"], first["applied"]) == ("It is not late.", ["ContractionExpansions"])
    assert first["changes"] == [{"start": 3, "end": 8, "new_start": 3, "new_end": 9}]
    assert (second["view"], second["applied"], second["changes"]) == (None, [], [])


@pytest.mark.parametrize("processes", [None, 2])
@pytest.mark.parametrize("record", [False, True])
def test_a_first_batch_without_any_change_does_not_decide_the_types(record: bool, processes: int | None) -> None:
    texts = ["The bell rang."] * 4 + ["It isn't late."] * 2
    augmenter = Augmenter("ContractionExpansions", record=record)
    table = Dataset.from_dict({"text": texts, "id": list(range(6))})
    mapped = table.map(augmenter, batched=True, with_indices=True, batch_size=2, num_proc=processes, remove_columns=["id"])
    assert mapped["augmented"] == [None] * 4 + ["It is not late."] * 2
    assert mapped.column_names == ["text", "augmented", *(["applied", "changes"] if record else [])]
    if record:
        assert mapped["applied"] == [[]] * 4 + [["ContractionExpansions"]] * 2
        assert mapped["changes"] == [[]] * 4 + [[{"start": 3, "end": 8, "new_start": 3, "new_end": 9}]] * 2


def test_tables_in_which_nothing_changes_have_the_types_of_others() -> None:
    mapped = [
        Dataset.from_dict({"text": [text]}).map(Augmenter("ContractionExpansions", record=True), batched=True, with_indices=True)
        for text in ("Yes.", "It isn't late.")
    ]
    assert mapped[0].features == mapped[1].features


@pytest.mark.parametrize("processes", [None, 2])
def test_map_with_a_corpus_gives_what_augment_gives(processes: int | None, sentences: list[str]) -> None:
    texts = [*sentences[:40], None]
    table, name = Dataset.from_dict({"text": texts}), "chain(UNA, TFIDFReplacement)"
    augmenter = Augmenter(name, corpus=table["text"])
    mapped = table.map(augmenter, batched=True, with_indices=True, batch_size=7, num_proc=processes)
    assert mapped["augmented"] == augment(texts, name)
    assert mapped["augmented"] != augment(texts, name, corpus=sentences[:10])


def test_a_corpus_is_read_once_for_all_batches_and_leaves_the_fingerprint_as_it_was(
    sentences: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fits: list[type] = []
    fit_once = TermStatistics.fit
    monkeypatch.setattr(TermStatistics, "fit", lambda texts: fits.append(TermStatistics) or fit_once(texts))
    table, augmenter = Dataset.from_dict({"text": sentences[:40]}), Augmenter("UNA", corpus=iter(sentences[:40]))
    first = table.map(augmenter, batched=True, with_indices=True, batch_size=10)
    assert len(fits) == 1
    assert table.map(augmenter, batched=True, with_indices=True, batch_size=10)._fingerprint == first._fingerprint


def test_a_caller_without_datasets_gets_lists() -> None:
    columns = Augmenter("ContractionExpansions", record=True)({"text": ["Yes.", "It isn't late."]}, range(2))
    assert columns == {
        "augmented": [None, "It is not late."],
        "applied": [[], ["ContractionExpansions"]],
        "changes": [[], [{"start": 3, "end": 8, "new_start": 3, "new_end": 9}]],
    }
    assert all(isinstance(column, list) for column in columns.values())


def test_map_is_cached_by_its_settings() -> None:
    table = Dataset.from_dict({"text": ["one two three four five six"]})
    prints = {table.map(Augmenter("RandomSwap", seed=seed), batched=True, with_indices=True)._fingerprint for seed in (1, 1, 2)}
    assert len(prints) == 2


@pytest.mark.parametrize("form", ["arrow", "pandas", "numpy"])
def test_a_table_with_a_format_gets_the_same_columns_beside_its_own(form: str) -> None:
    pytest.importorskip("pandas")
    table = Dataset.from_dict({"text": ["one two three four five six", None, "seven eight nine ten"], "label": [3, 4, 5]})
    augmenter = Augmenter("RandomSwap", record=True)
    plain = table.map(augmenter, batched=True, with_indices=True, batch_size=2)
    formatted = table.with_format(form).map(augmenter, batched=True, with_indices=True, batch_size=2)
    assert formatted.with_format(None)[:] == plain[:]
    assert all(formatted.features[name] == plain.features[name] for name in ("label", "augmented", "applied", "changes"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Augmenter("RandomSwap")({"text": ["a b"]}), "with_indices=True"),
        (lambda: Augmenter("RandomSwap")({"text": "a b"}, 0), "batched=True"),
        (lambda: Augmenter("RandomSwap")({"sentence": ["a b"]}, [0]), "one of: sentence"),
        (lambda: Augmenter("RandomSwap")(pa.table({"a": ["a b"], "b": [1]}), [0]), "one of: a, b"),
        (lambda: Augmenter("RandomSwap")(["a b"], [0]), r"gave a list and no table; leave its input_columns out"),  # type: ignore[arg-type]
        (lambda: Augmenter("RandomSwap")(pa.array(["a b"]), [0]), "leave its input_columns out"),
        (lambda: Augmenter("RandomSwap", to="applied", record=True), "to is 'applied', which record=True writes itself"),
        (lambda: Augmenter("RandomSwap", to="changes", record=True), "to is 'changes', which record=True writes itself"),
        (lambda: Augmenter("RandomSwap", record=True)({"text": ["a b"], "changes": [1]}, [0]), "the table has changes; rename or remove"),
        (lambda: Augmenter("RandomSwap", to=None), "to is None; give the name of a column"),  # type: ignore[arg-type]
        (lambda: Augmenter("RandomSwap", column=3), "column is 3; give the name of a column"),  # type: ignore[arg-type]
        (lambda: Augmenter("RandomSwap", parser="nope"), "no spaCy pipeline 'nope'"),
        (lambda: Augmenter("UNA")({"text": ["a b"]}, [0]), "give the whole text as corpus="),
        (lambda: Augmenter("UNA", corpus="a b"), "corpus is str; give a list of texts"),
        (lambda: Augmenter("UNA", corpus=["a b", 5]), r"sentence 1 of the corpus is not text but int \(5\)"),  # type: ignore[list-item]
        (lambda: Augmenter("RandomSwop")({"text": ["a b"]}, [0]), "did you mean RandomSwap"),
    ],
)
def test_a_wrong_call_of_map_is_one_line(call: object, message: str) -> None:
    with pytest.raises(UserError, match=message):
        call()  # type: ignore[operator]


def _pipeline(**config: object) -> spacy.language.Language:
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PERSON", "pattern": "Mary Smith"}, {"label": "GPE", "pattern": "Boston"}])
    nlp.add_pipe("augcse", config=config)
    return nlp


def test_a_component_writes_texts_and_carries_entities() -> None:
    name = "chain(ContractionExpansions, NumericToWord)"
    kept, lost = _pipeline(names=[name, "PigLatin"])(TEXT)._.augmented
    assert (kept["name"], kept["text"]) == (name, "Mary Smith is not in Boston with three cats.")
    assert kept["applied"] == ["ContractionExpansions", "NumericToWord"]
    assert [(kept["text"][start:end], label) for start, end, label in kept["ents"]] == [("Mary Smith", "PERSON"), ("Boston", "GPE")]
    assert lost["ents"] == []


def test_a_document_s_texts_hang_on_seed_and_text_alone(sentences: list[str]) -> None:
    some, nlp = sentences[:30], _pipeline(names=["RandomSwap"], seed=5)
    whole = [doc._.augmented for doc in nlp.pipe(some, batch_size=8)]
    assert whole == [nlp(text)._.augmented for text in some]
    assert whole[::-1] == [doc._.augmented for doc in nlp.pipe(some[::-1])]
    expected = augment(some, "RandomSwap", seed=5, rows=[derive_seed(5, "doc", text) for text in some])
    assert [found[0]["text"] for found in whole if found] == [text for text in expected if text]


def test_other_processes_write_the_same(sentences: list[str]) -> None:
    some = [TEXT, *sentences[:6]]
    nlp = _pipeline(names=["ContractionExpansions"])
    here = [doc._.augmented for doc in nlp.pipe(some)]
    assert here[0][0]["ents"]
    assert [doc._.augmented for doc in nlp.pipe(some, n_process=2, batch_size=2)] == here


def test_the_texts_are_kept_with_the_documents(tmp_path: Path) -> None:
    nlp = _pipeline(names=["ContractionExpansions"])
    nlp.to_disk(tmp_path / "pipeline")
    loaded = spacy.load(tmp_path / "pipeline")
    docs = [loaded("It isn't late in Boston."), loaded("Yes.")]
    [first, second] = DocBin(docs=docs, store_user_data=True).get_docs(loaded.vocab)
    assert first._.augmented[0]["text"] == "It is not late in Boston."
    assert not second._.augmented


def test_a_wrong_name_in_a_pipeline_is_one_line() -> None:
    with pytest.raises(UserError, match="did you mean RandomSwap"):
        _pipeline(names=["RandomSwop"])


@pytest.mark.parametrize("name", ["UNA", "chain(RandomSwap, maybe(0.5, TFIDFReplacement))"])
def test_a_pipeline_has_no_corpus(name: str) -> None:
    with pytest.raises(UserError, match=r"takes statistics from a corpus, which a pipeline does not have; leave it out") as refused:
        _pipeline(names=["RandomSwap", name])
    assert str(refused.value).startswith(name)


def test_the_page_shows_what_the_component_writes(capsys: pytest.CaptureFixture[str]) -> None:
    # Not run with the other pages: an installation from before the entry point does not know the component.
    page = (Path(__file__).resolve().parents[2] / "docs" / "datasets.md").read_text("utf-8")
    [program, shown] = re.findall(r"^```(?:python|text)\n((?:import spacy|It ).*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(program, {})
    assert capsys.readouterr().out == shown


def test_the_package_offers_the_component() -> None:
    project = tomllib.loads((Path(augcse.__file__).resolve().parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, name = project["entry-points"]["spacy_factories"]["augcse"].partition(":")
    assert getattr(import_module(module), name) is spacy_component.make
    assert Doc.has_extension("augmented")
