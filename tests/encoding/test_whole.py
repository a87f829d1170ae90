"""Models that load, and would score, although something of them is absent; and models that do not load: one clear line each."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import BertModel

from augcse.encoding.model import load_encoder
from augcse.encoding.postprocess import apply_steps
from augcse.errors import UserError

Weights = dict[str, torch.Tensor]


@pytest.fixture(scope="module")
def whole(tiny_backbone: Path, sentences: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers folder with a head: a whitened backbone."""
    folder = tmp_path_factory.mktemp("whole") / "model"
    model, _ = apply_steps(load_encoder(str(tiny_backbone)), sentences[:100], ["whiten:dim=8"])
    model.save_pretrained(str(folder), create_model_card=False)
    return folder


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "copy")


def rewrite(path: Path, change: Callable[[Weights], Weights]) -> None:
    weights = {name: value.clone() for name, value in load_file(path).items()}
    save_file(change(weights), path, metadata={"format": "pt"})


def refused(folder: Path) -> str:
    with pytest.raises(UserError) as caught:
        load_encoder(str(folder))
    assert "\n" not in str(caught.value)
    assert str(folder) in str(caught.value)
    return str(caught.value)


def test_a_whole_model_is_loaded_once(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loads = []
    plain = BertModel.from_pretrained.__func__
    monkeypatch.setattr(BertModel, "from_pretrained", classmethod(lambda *given, **named: loads.append(1) or plain(*given, **named)))
    assert load_encoder(str(copy)).encode(["One sentence."]).shape == (1, 8)
    assert len(loads) <= 1


def test_a_backbone_without_a_pooler_is_whole(tiny_backbone: Path) -> None:
    assert not any("pooler" in name for name in load_file(tiny_backbone / "model.safetensors"))
    assert load_encoder(str(tiny_backbone)).encode(["One sentence."]).shape == (1, 32)


def test_weights_that_no_file_gives_are_named(copy: Path) -> None:
    rewrite(copy / "model.safetensors", lambda weights: {name: value for name, value in weights.items() if "layer.1." not in name})
    message = refused(copy)
    assert "16 of " in message
    assert "would be random (e.g. encoder.layer.1." in message


def test_weights_under_other_names_are_no_weights(copy: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    rewrite(copy / "model.safetensors", lambda weights: {f"student.{name}": value for name, value in weights.items()})
    assert "would be random" in refused(copy)
    bare = shutil.copytree(tiny_backbone, tmp_path / "bare")
    rewrite(bare / "model.safetensors", lambda weights: {f"student.{name}": value for name, value in weights.items()})
    assert "would be random" in refused(bare)


def test_a_head_without_its_weights_does_not_load(copy: Path) -> None:
    rewrite(copy / "2_Dense" / "model.safetensors", lambda weights: {f"other.{name}": value for name, value in weights.items()})
    assert "cannot load the model" in refused(copy)
    (copy / "2_Dense" / "model.safetensors").unlink()
    assert "Could not find 'model.safetensors'" in refused(copy)


def test_weights_of_another_size_do_not_load(copy: Path) -> None:
    def halve(weights: Weights) -> Weights:
        name = next(name for name in weights if name.endswith("word_embeddings.weight"))
        return {**weights, name: weights[name][:, :16].contiguous()}

    rewrite(copy / "model.safetensors", halve)
    assert "other shapes than its config.json says" in refused(copy)


def test_a_file_cut_short_does_not_load(copy: Path) -> None:
    content = (copy / "model.safetensors").read_bytes()
    (copy / "model.safetensors").write_bytes(content[: len(content) // 2])
    assert "a file of the folder is damaged" in refused(copy)


def test_a_model_without_its_vocabulary_is_refused(copy: Path) -> None:
    for path in copy.glob("*token*"):
        path.unlink()
    (copy / "vocab.txt").unlink(missing_ok=True)
    assert "its tokeniser knows no words" in refused(copy)


def test_another_models_vocabulary_is_refused(copy: Path) -> None:
    tokenizer = json.loads((copy / "tokenizer.json").read_text("utf-8"))
    words = tokenizer["model"]["vocab"]
    words |= {f"more{number}": len(words) + number for number in range(10)}
    (copy / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    assert "give those of one model" in refused(copy)


WRONG_SETTINGS = {
    "no heads": ("config.json", {"num_attention_heads": 0}, "cannot load the model"),
    "a padding token without a vector": ("config.json", {"pad_token_id": 10**9}, "cannot load the model"),
    "a negative length": ("sentence_bert_config.json", {"max_seq_length": -1}, "cannot encode a sentence"),
    "a length that is no number": ("sentence_bert_config.json", {"max_seq_length": "long"}, "cannot encode a sentence"),
    "an output that no module gives": ("sentence_bert_config.json", {"module_output_name": "words"}, "cannot encode a sentence"),
    "no padding token": ("tokenizer_config.json", {"pad_token": None}, "cannot encode a sentence"),
    "dimensions that are no number": ("config_sentence_transformers.json", {"truncate_dim": "few"}, "cannot encode a sentence"),
}


@pytest.mark.parametrize("case", WRONG_SETTINGS)
def test_a_setting_that_no_encoding_survives_is_found_when_loading(case: str, copy: Path) -> None:
    file, settings, message = WRONG_SETTINGS[case]
    path = copy / file
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **settings}), "utf-8")
    assert message in refused(copy)
