"""A static encoder from files to folder: what it holds, that it loads without this package, and that it is always the same."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_static_tokens import SCRIPTS

import augcse
from augcse.corpus.files import Corpus
from augcse.encoding.model import load_encoder
from augcse.encoding.static.build import StaticModel
from augcse.encoding.static.options import StaticOptions
from augcse.encoding.static.progress import Progress
from augcse.encoding.static.rows import context_number
from augcse.encoding.static.text import survey
from augcse.errors import UserError
from augcse.resources import DEMO_CORPUS

SMALL = {"vocabulary_size": 1000, "contexts": 200, "cooccurrence_dim": 16, "letters_dim": 16}
TEXTS = ["The mill was built near a river.", "Dogs sleep in the sun.", ""]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> StaticModel:
    return augcse.static(corpus, output=tmp_path_factory.mktemp("static") / "model", **SMALL)


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def test_it_loads_where_this_package_is_not(made: StaticModel, tmp_path: Path) -> None:
    code = (
        "import sys\nsys.modules['augcse'] = None\nimport json\nfrom sentence_transformers import SentenceTransformer\n"
        f"model = SentenceTransformer({str(made.folder)!r}, device='cpu', local_files_only=True)\n"
        f"open({str(tmp_path / 'out.json')!r}, 'w').write(json.dumps(model.encode({TEXTS!r}).tolist()))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    elsewhere = np.array(json.loads((tmp_path / "out.json").read_text("utf-8")))
    assert elsewhere.tolist() == load_encoder(str(made.folder), device="cpu").encode(TEXTS).tolist()
    assert elsewhere.shape == (3, made.record["dim"])
    assert elsewhere[2].tolist() == [0.0] * made.record["dim"]
    assert np.isfinite(elsewhere).all()
    assert np.abs(elsewhere[:2]).max() > 0


def test_the_record_says_what_it_was_made_of(made: StaticModel, corpus: Path, sentences: list[str]) -> None:
    record = json.loads((made.folder / "static.json").read_text("utf-8"))
    assert record == made.record
    assert record["corpus"] == [{"name": corpus.name, "sha256": hashlib.sha256(corpus.read_bytes()).hexdigest()}]
    assert (record["sentences"], record["unknown_share"]) == (len(sentences), 0.0)
    assert str(corpus.parent) not in json.dumps(record)
    card = (made.folder / "README.md").read_text("utf-8")
    assert record["corpus"][0]["sha256"] in card
    assert "Licence: as your text." in card
    assert "library_name: sentence-transformers" in card


def test_the_same_text_gives_the_same_bytes(made: StaticModel, corpus: Path, tmp_path: Path) -> None:
    code = f"import augcse\naugcse.static({str(corpus)!r}, output={str(tmp_path / 'again')!r}, **{SMALL!r})\n"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    assert digests(tmp_path / "again") == digests(made.folder)


def test_the_rows_of_a_backbone_come_with_its_tokenizer(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    made = augcse.static(corpus, output=tmp_path / "out", rows="backbone", backbone=str(tiny_backbone), dim=8)
    model = load_encoder(str(made.folder), device="cpu")
    backbone = load_encoder(str(tiny_backbone), "mean", "cpu")
    assert made.record["settings"]["backbone_name"] == tiny_backbone.name
    assert model.tokenizer.get_vocab() == backbone.tokenizer.get_vocab()
    assert model.encode(TEXTS).shape == (3, 8)
    assert "whose embedding table" in made.record["licence"]


def test_the_bundled_backbone_brings_its_licence(corpus: Path, tmp_path: Path) -> None:
    made = augcse.static(corpus, output=tmp_path / "out", backbone="mini-bert", dim=20, **SMALL)
    assert made.record["licence"] == "CC-BY-SA-3.0"
    assert made.record["settings"]["rows"] == "both"
    assert "license: cc-by-sa-3.0" in (made.folder / "README.md").read_text("utf-8")


def test_only_the_tokenizer_of_a_model_is_taken(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    made = augcse.static(corpus, output=tmp_path / "out", tokenizer=str(tiny_backbone), **SMALL)
    assert made.record["licence"] == "as your text"
    assert f"of {tiny_backbone.name}" in (made.folder / "README.md").read_text("utf-8")


def test_each_token_once_is_the_mean_of_distinct_tokens(corpus: Path, made: StaticModel, tmp_path: Path) -> None:
    once = load_encoder(str(augcse.static(corpus, output=tmp_path / "out", tokens_once=True, **SMALL).folder), device="cpu")
    weights = next(iter(once.parameters())).detach().numpy()
    text = "the mill and the river and the mill"
    ids = list(dict.fromkeys(once.tokenizer.encode(text, add_special_tokens=False).ids))
    assert once.encode(text) == pytest.approx(weights[ids].mean(axis=0), abs=1e-5)
    assert once.encode(["the mill", "the the the mill", ""]).tolist()[0] == once.encode("the the the mill").tolist()
    assert once.encode([""]).tolist() == [[0.0] * weights.shape[1]]


def test_each_token_once_survives_another_saving(corpus: Path, tmp_path: Path) -> None:
    first = load_encoder(str(augcse.static(corpus, output=tmp_path / "out", tokens_once=True, **SMALL).folder), device="cpu")
    first.save_pretrained(str(tmp_path / "again"), create_model_card=False)
    assert load_encoder(str(tmp_path / "again"), device="cpu").encode(TEXTS).tolist() == first.encode(TEXTS).tolist()


def test_half_precision_is_half_as_large_and_nearly_the_same(corpus: Path, made: StaticModel, tmp_path: Path) -> None:
    half = augcse.static(corpus, output=tmp_path / "out", precision="fp16", **SMALL)
    sizes = [(folder / "model.safetensors").stat().st_size for folder in (half.folder, made.folder)]
    assert sizes[0] < 0.51 * sizes[1]
    one, other = (load_encoder(str(folder), device="cpu").encode(TEXTS).astype(np.float32) for folder in (half.folder, made.folder))
    assert one == pytest.approx(other, abs=0.02)


@pytest.mark.parametrize("tokens_once", [False, True])
def test_as_the_card_loads_half_precision_an_empty_text_is_the_zero_vector(tokens_once: bool, corpus: Path, tmp_path: Path) -> None:
    folder = augcse.static(corpus, output=tmp_path / "out", precision="fp16", tokens_once=tokens_once, **SMALL).folder
    [program] = re.findall(r"^```python\n(.*?)^```$", (folder / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(program.replace("path/to/this/folder", str(folder)), names)
    assert not names["model"].encode([""], normalize_embeddings=True).any()


def test_whitening_is_fitted_on_other_text_where_it_is_given(corpus: Path, tmp_path: Path) -> None:
    """On all sentences of it, so that chance has no part in their mean."""
    other = augcse.static(corpus, output=tmp_path / "out", whiten_on=DEMO_CORPUS, **SMALL)
    assert other.record["whitened_on"][0]["name"] == DEMO_CORPUS.name
    texts = DEMO_CORPUS.read_text("utf-8").splitlines()
    assert other.record["whitening_sentences"] == len(texts)
    assert np.abs(load_encoder(str(other.folder), device="cpu").encode(texts).mean(axis=0)).max() < 0.02


def test_whitening_is_fitted_on_as_many_sentences_as_asked_for(corpus: Path, tmp_path: Path) -> None:
    made = augcse.static(corpus, output=tmp_path / "out", whiten_on=DEMO_CORPUS, whitening_sentences=300, **SMALL)
    assert made.record["whitening_sentences"] == 300


@given(st.lists(st.integers(0, 120), min_size=1, max_size=40), st.integers(2, 50), st.integers(1, 50), st.integers(5, 100))
def test_contexts_occur_often_or_are_as_many_as_the_dimensions(counts: list[int], most: int, dim: int, least: int) -> None:
    options = StaticOptions(contexts=most, cooccurrence_dim=dim, context_occurrences=least)
    falling = sorted(counts, reverse=True)
    taken = [count for place, count in enumerate(falling) if place < most and (count >= least or (count >= 5 and place < dim))]
    assert context_number(np.array(counts), options) == len(taken)


@pytest.mark.parametrize("script", SCRIPTS)
def test_any_script_makes_an_encoder(script: str, tmp_path: Path) -> None:
    """Sentences drawn from the words, or the characters, of a few lines of each script."""
    pieces = SCRIPTS[script].split() if " " in SCRIPTS[script] else list(SCRIPTS[script])
    generator = np.random.default_rng(0)
    blank = " " if " " in SCRIPTS[script] else ""
    texts = [blank.join(generator.choice(pieces, 6)) for _ in range(300)]
    (tmp_path / "corpus.txt").write_text("\n".join(texts) + "\n", "utf-8")
    made = augcse.static(tmp_path / "corpus.txt", output=tmp_path / "out", **SMALL)
    embeddings = load_encoder(str(made.folder), device="cpu").encode(texts[:50])
    assert made.record["unknown_share"] == 0.0
    assert np.isfinite(embeddings).all()
    assert len(np.unique(embeddings.round(2), axis=0)) > 10


def test_sentences_of_shared_words_are_nearer(tmp_path: Path) -> None:
    made = augcse.static(DEMO_CORPUS, output=tmp_path / "out", cooccurrence_dim=50)
    model = load_encoder(str(made.folder), device="cpu")
    near = model.encode(["The mill was built near the river.", "They built a mill by the river.", "Her brother sells green apples."])
    cosines = near @ near.T / np.outer(np.linalg.norm(near, axis=1), np.linalg.norm(near, axis=1))
    assert cosines[0, 1] > cosines[0, 2] + 0.2


def test_stages_and_their_sentences_are_reported(corpus: Path, tmp_path: Path) -> None:
    stages: list[tuple[str, int | None]] = []
    done: list[int] = []
    augcse.static(corpus, output=tmp_path / "out", progress=Progress(lambda *stage: stages.append(stage), done.append), **SMALL)
    assert stages == [
        ("reading", None),
        ("training the tokenizer", None),
        ("tokenising", 400),
        ("counting", 400),
        ("factorising", None),
        ("whitening", None),
        ("writing", None),
    ]
    assert sum(done) == 3 * 400


@pytest.mark.parametrize(("script", "warned"), [("cyrillic", True), ("arabic", True), ("english", False)])
def test_a_tokenizer_that_spells_words_out_is_warned_of(script: str, warned: bool, sentences: list[str], tmp_path: Path) -> None:
    texts = [f"{SCRIPTS[script]} {'а' * (index % 9)}{index}" for index in range(200)] if script in SCRIPTS else sentences
    (tmp_path / "corpus.txt").write_text("\n".join(texts) + "\n", "utf-8")
    warnings: list[str] = []
    progress = Progress(warn=warnings.append)
    augcse.static(tmp_path / "corpus.txt", output=tmp_path / "out", tokenizer="mini-bert", progress=progress, **SMALL)
    assert ["made for another language" in warning for warning in warnings] == [True] * warned


CHINESE = ["".join(chr(0x4E00 + (7 * row + step) % 900) for step in range(40)) for row in range(200)]


def test_a_vocabulary_that_is_too_small_for_the_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text("\n".join(CHINESE) + "\n", "utf-8")
    with pytest.raises(UserError, match=r"trained on the corpus does not know .* vocabulary_size of 100 is too small .* give a larger one"):
        augcse.static(tmp_path / "corpus.txt", output=tmp_path / "out", **{**SMALL, "vocabulary_size": 100})
    augcse.static(tmp_path / "corpus.txt", output=tmp_path / "out", **SMALL)


@pytest.mark.parametrize(
    ("settings", "remedy"),
    [
        ({"backbone": "mini-bert", "rows": "cooccurrence"}, "leave out --backbone to"),
        ({"backbone": "mini-bert"}, "leave out --backbone to"),
        ({"backbone": "mini-bert", "rows": "both"}, "leave out --backbone and --rows to"),
        ({"tokenizer": "mini-bert"}, "leave out --tokenizer to"),
    ],
)
def test_the_remedy_for_a_tokenizer_of_another_script_works(settings: dict[str, str], remedy: str, tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text("\n".join(CHINESE) + "\n", "utf-8")
    with pytest.raises(UserError, match=remedy):
        augcse.static(tmp_path / "corpus.txt", output=tmp_path / "out", **SMALL, **settings)
    kept = {name: value for name, value in settings.items() if f"--{name}" not in remedy}
    augcse.static(tmp_path / "corpus.txt", output=tmp_path / "out", **SMALL, **kept)


def test_an_interruption_leaves_nothing(corpus: Path, tmp_path: Path) -> None:
    def stop(stage: str, total: int | None) -> None:
        if stage == "writing":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        augcse.static(corpus, output=tmp_path / "out", progress=Progress(stop), **SMALL)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [1, 7, 64, 65, 1000])
def test_a_survey_samples_at_equal_distances(number: int, tmp_path: Path) -> None:
    texts = [f"sentence {index}" for index in range(number)]
    (tmp_path / "corpus.txt").write_text("\n".join(texts), "utf-8")
    advanced: list[int] = []
    found = survey(Corpus.of(tmp_path / "corpus.txt"), 64, 1, advanced.append)
    step = -(-number // len(found.sample))
    assert found.sample == texts[::step]
    assert found.sentences == sum(advanced) == number
    assert min(number, 32) <= len(found.sample) <= 64


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rows": "both"}, "no backbone to take them from"),
        ({"rows": "bth"}, "did you mean both"),
        ({"windw": 5}, "did you mean window"),
        ({"window": 0}, "give a whole number from 1 to 100"),
        ({"dim": 0}, "give a whole number from 1"),
        ({"frequency_weight": 0.0}, "frequency_weight is 0.0"),
        ({"frequency_weight": float("nan")}, "frequency_weight is nan"),
        ({"tokens_once": "yes"}, "true or false"),
        ({"backbone": "mini-bert", "tokenizer": "mini-bert"}, "leave the tokenizer out"),
        ({"backbone": "./nowhere"}, "no model folder"),
        ({"backbone": ""}, "backbone is ''; give a name"),
        ({"dim": 400}, "dimensions"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(settings: dict[str, object], message: str, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        augcse.static(corpus, output=tmp_path / "out", **({**SMALL} | settings))
    assert list(tmp_path.iterdir()) == []
