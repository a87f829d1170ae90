"""The front matter of model cards: YAML that says what it was told, whatever that holds; names without the user's folders."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from huggingface_hub import EvalResult, ModelCard
from hypothesis import example, given
from hypothesis import strategies as st

from augcse.encoding.front_matter import CARD, ModelOrigin, front_matter, origin_of, shown_name, shown_setting, without_front_matter


@example(name="", licence="a", language="de", base="\x85")
@example(name="~nobody of this name", licence="a", language="de", base="a")
@given(name=st.text(), licence=st.text(min_size=1), language=st.text(min_size=1), base=st.text(min_size=1))
def test_it_is_yaml_that_says_what_it_was_told(name: str, licence: str, language: str, base: str) -> None:
    result = EvalResult(task_type="t", dataset_type="d", dataset_name="d", metric_type="spearman", metric_value=70.5)
    text = front_matter(name=name, tags=[base], licence=licence, languages=[language], base_models=[base], results=[result])
    assert text.startswith("---\n")
    assert text.endswith("\n---\n")
    found = yaml.safe_load(text.removeprefix("---\n").removesuffix("---\n"))
    licence, language, base = ("".join(letter if letter.isprintable() else " " for letter in text) for text in (licence, language, base))
    assert (found["license"], found["language"], found["base_model"]) == (licence, [language], [base])
    assert found["tags"][-2:] == [base, "augcse"]
    assert found["model-index"][0]["name"] == shown_name(name)
    assert found["model-index"][0]["results"][0]["metrics"][0]["value"] == 70.5


def test_the_hubs_library_reads_it() -> None:
    data = ModelCard(front_matter(licence="mit") + "\n# A model\n").data
    assert (data.library_name, data.pipeline_tag, data.license) == ("sentence-transformers", "sentence-similarity", "mit")
    assert without_front_matter(front_matter() + "\n# A model\n---\nb\n") == "\n# A model\n---\nb\n"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("BAAI/bge-small-en", "BAAI/bge-small-en"),
        ("mini-bert", "mini-bert"),
        ("/home/me/secret/corpus.txt", "corpus.txt"),
        ("/home/me/runs/mine/model", "mine/model"),
        ("/home/me/a: [b]\n---\n\x1b.txt", "a: [b] --- .txt"),
        ("a\udcffb", "a b"),
        ("a" * 300, "a" * 300),
    ],
)
def test_names_are_without_folders_and_in_one_line(value: str, shown: str) -> None:
    assert shown_name(value) == shown


def test_settings_are_without_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "runs" / "model").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    given_ = {"generator": "runs/model", "names": [str(tmp_path / "rules.py:Shout"), "RandomSwap"], "alpha": 1.0, "hub": "a/b"}
    assert shown_setting(given_) == {"generator": "runs/model", "names": ["rules.py:Shout", "RandomSwap"], "alpha": 1.0, "hub": "a/b"}
    assert shown_setting(str(tmp_path / "runs" / "model")) == "runs/model"


def test_a_folder_tells_its_licence_and_languages_in_its_card(tmp_path: Path) -> None:
    (tmp_path / CARD).write_text("---\nlicense: mit\nlanguage: de\n---\n# A model\n", "utf-8")
    assert origin_of(str(tmp_path)) == ModelOrigin(tmp_path.name, licence="mit", languages=("de",))


@pytest.mark.parametrize("content", ["", "# None\n", "---\n- a\n---\n", "---\na: [\n---\n", "---\nlicense: [mit]\n---\n", "---\n"])
def test_a_card_that_states_nothing_is_passed_over(tmp_path: Path, content: str) -> None:
    (tmp_path / CARD).write_text(content, "utf-8")
    assert origin_of(str(tmp_path)) == ModelOrigin(tmp_path.name)


def test_what_is_bundled_and_what_is_on_the_hub() -> None:
    assert origin_of("mini-bert") == ModelOrigin("mini-bert", licence="cc-by-sa-3.0", languages=("en",))
    assert origin_of("BAAI/bge-small-en@abc") == ModelOrigin("BAAI/bge-small-en@abc", hub_name="BAAI/bge-small-en")
