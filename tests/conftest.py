"""What all tests share: a tiny random encoder, a small corpus, the data folder where there is one."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# As the runs of a sweep have, which tests compare theirs with; the test command starts a process per core anyway.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.pop("AUGCSE_DATA", None)
# Verdicts are of the CPU, also where there is a GPU; CUDA_VISIBLE_DEVICES=0 tries that.
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

# A shell that starts the tests in the background has them ignore SIGINT, and their children too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is slow now and then; that is no failure.
settings.register_profile("augcse", deadline=None)
settings.load_profile("augcse")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name bytes that are no text after their argument: gzip's header holds the time, and every worker has to collect the same names."""
    return argname if isinstance(val, bytes) and not val.isascii() else None


def pytest_collection_finish() -> None:
    """Let collections pass over what imports have made: the trainer collects after each training, half a second with torch loaded."""
    gc.collect()
    gc.freeze()


SHARED_DATA = Path(os.environ.get("AUGCSE_TEST_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))


@pytest.fixture(scope="session", autouse=True)
def _auto_is_fp32() -> Iterator[None]:
    """Let training.precision = "auto" be fp32 on every processor, so that no verdict depends on it; tests of bf16 ask for bf16."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("augcse.training.precision.has_bf16", lambda: False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what the package remembers between runs (parses, rates) out of the user's cache; the processes of a test run share one."""
    base = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUGCSE_CACHE", str((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "augcse-cache"))
        yield


@pytest.fixture(scope="session")
def sentences() -> list[str]:
    """The first 400 sentences of the demo corpus."""
    from augcse.resources import DEMO_CORPUS

    return DEMO_CORPUS.read_text("utf-8").splitlines()[:400]


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Path:
    """A corpus file of 400 sentences."""
    path = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    path.write_text("\n".join(sentences) + "\n", "utf-8")
    return path


@pytest.fixture(scope="session")
def tiny_backbone(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Path:
    """A randomly initialised two-layer BERT, 32 wide, with a WordPiece vocabulary made from the corpus."""
    import torch
    from transformers import BertConfig, BertForMaskedLM, BertModel

    from tiny_models import word_pieces

    folder = tmp_path_factory.mktemp("tiny-bert")
    tokenizer = word_pieces(sentences, 1500, model_max_length=128)
    tokenizer.save_pretrained(str(folder))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
    )
    # With a masked-language-model head, as checkpoints of BERT have: generators and auxiliary tasks need one.
    encoder = BertModel(config, add_pooling_layer=False)
    language_model = BertForMaskedLM(config)
    language_model.bert.load_state_dict(encoder.state_dict())
    language_model.save_pretrained(str(folder))
    return folder


@pytest.fixture(scope="session")
def static_folder(tiny_backbone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A randomly initialised static encoder, 16 wide, with the tokens of the tiny backbone."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer

    folder = tmp_path_factory.mktemp("static") / "model"
    torch.manual_seed(0)
    embedding = StaticEmbedding(Tokenizer.from_file(str(tiny_backbone / "tokenizer.json")), embedding_dim=16)
    SentenceTransformer(modules=[embedding], device="cpu").save_pretrained(str(folder), create_model_card=False)
    return folder


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The evaluation data; tests that need it skip, with the reason, where it is absent."""
    if not (SHARED_DATA / "sts").is_dir():
        pytest.skip(f"no evaluation data at {SHARED_DATA} (set AUGCSE_TEST_DATA)")
    return SHARED_DATA


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium. Not for a whole session: until it is closed, its event loop is the thread's."""
    api = pytest.importorskip("playwright.sync_api", reason="pip install playwright, to open pages in a browser")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium), to open pages in")
    with api.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()
