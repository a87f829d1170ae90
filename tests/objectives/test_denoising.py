"""Denoising losses against loops over their formulas, and their decoders on every kind of encoder that they are for."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from augcse.encoding.first_token import compute_first_token_only
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives.decoders import ParallelLayer, TiedDecoder, sinusoids
from augcse.objectives.denoising import DenoisingLoss, DenoSentLoss, TSDAELoss
from augcse.training.state import own_state

LENGTHS = (7, 9, 4, 6)
SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64, "vocab_size": 1600}


def _features(lengths: tuple[int, ...] = LENGTHS, seed: int = 0) -> dict[str, Tensor]:
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    ids = torch.randint(5, 500, mask.shape, generator=torch.Generator().manual_seed(seed))
    return {"input_ids": ids * mask, "attention_mask": mask.long()}


VIEWS = [_features(), _features((5, 4, 3, 6), seed=1)]


def _loss(kind: type[DenoisingLoss], backbone: Path, **options: Any) -> Any:
    torch.manual_seed(1)
    loss: Any = kind(load_encoder(str(backbone), "cls"), **options)
    # Larger than they begin, so that the vector tells.
    with torch.no_grad():
        for parameter in loss.decoder.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(2)), alpha=0.1)
    loss.eval()
    return loss.double()


def _mean_cross_entropy(loss: Any, states: list[Tensor], tokens: list[int]) -> float:
    """The head of the checkpoint, token by token."""
    from transformers import AutoModelForMaskedLM

    reference = AutoModelForMaskedLM.from_pretrained(loss.model[0].auto_model.config.name_or_path).double()
    total = 0.0
    for state, token in zip(states, tokens, strict=True):
        logits = reference.cls(state[None, None])[0, 0].tolist()
        total -= logits[token] - math.log(sum(math.exp(value) for value in logits))
    return total / len(tokens)


def _softmax(values: list[float]) -> list[float]:
    whole = sum(math.exp(value) for value in values)
    return [math.exp(value) / whole for value in values]


def _attend(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """One head: the shares of some keys for one query, in a loop."""
    shares = _softmax([float(query @ key) / math.sqrt(len(query)) for key in keys])
    return torch.stack([share * value for share, value in zip(shares, values, strict=True)]).sum(dim=0)


def _decode_naively(loss: Any, ids: Tensor, vector: Tensor) -> list[Tensor]:
    """BERT's layers from left to right, position by position, the vector after each attention."""
    backbone = loss.model[0].auto_model
    states = backbone.embeddings(input_ids=ids[None])[0]
    for layer, value, norm in zip(backbone.encoder.layer, loss.decoder.values, loss.decoder.norms, strict=True):
        attention = layer.attention.self
        width = attention.attention_head_size
        query, key, values = (part(states).unflatten(1, (-1, width)) for part in (attention.query, attention.key, attention.value))
        context = torch.stack(
            [
                torch.cat([_attend(query[at, head], key[: at + 1, head], values[: at + 1, head]) for head in range(query.shape[1])])
                for at in range(len(ids))
            ]
        )
        attended = norm(layer.attention.output(context, states) + value(vector))
        states = layer.output(layer.intermediate(attended), attended)
    return list(states)


@torch.no_grad()
def test_tsdae_is_a_loop_over_sentences_and_tokens(tiny_backbone: Path) -> None:
    loss = _loss(TSDAELoss, tiny_backbone, denoising_weight=0.7)
    vectors = loss.model(dict(VIEWS[1]))["sentence_embedding"]
    states: list[Tensor] = []
    tokens: list[int] = []
    for ids, length, vector in zip(VIEWS[0]["input_ids"], LENGTHS, vectors, strict=True):
        states += _decode_naively(loss, ids[: length - 1], vector)
        tokens += ids[1:length].tolist()
    terms = loss(VIEWS)
    assert set(terms) == {"denoising"}
    assert terms["denoising"].item() == pytest.approx(0.7 * _mean_cross_entropy(loss, states, tokens), rel=1e-6)
    assert loss.metrics["denoising_loss"].item() == pytest.approx(terms["denoising"].item() / 0.7)


def test_attention_to_a_single_key_is_a_linear_map_of_it() -> None:
    torch.manual_seed(0)
    attention = nn.MultiheadAttention(16, 4, batch_first=True).double()
    states, vectors = torch.randn(3, 5, 16, dtype=torch.float64), torch.randn(3, 16, dtype=torch.float64)
    found, _ = attention(states, vectors[:, None], vectors[:, None])
    values = vectors @ attention.in_proj_weight[32:].T + attention.in_proj_bias[32:]
    assert torch.allclose(found, attention.out_proj(values)[:, None].expand_as(found))


def _torchs_layer(layer: ParallelLayer) -> nn.TransformerDecoderLayer:
    """The layer that DenoSent's code stacks, with our weights; the query and key of its attention to the vector stay random."""
    width = layer.output.in_features
    other = nn.TransformerDecoderLayer(width, 1, layer.widen.out_features, batch_first=True).double()
    with torch.no_grad():
        for name, source in (("self_attn", layer.joint), ("multihead_attn", layer.value)):
            attention = getattr(other, name)
            attention.in_proj_weight[-len(source.weight) :] = source.weight
            attention.in_proj_bias[-len(source.bias) :] = source.bias
        other.multihead_attn.out_proj.weight.copy_(torch.eye(width))
        other.multihead_attn.out_proj.bias.zero_()
        pairs = [(other.self_attn.out_proj, layer.output), (other.linear1, layer.widen), (other.linear2, layer.narrow)]
        pairs += zip((other.norm1, other.norm2, other.norm3), layer.norms, strict=True)  # type: ignore[arg-type]
        for target, source in pairs:
            target.load_state_dict(source.state_dict())
    return other.eval()


@torch.no_grad()
def test_denosent_is_torchs_decoder_row_by_row(tiny_backbone: Path) -> None:
    loss = _loss(
        DenoSentLoss, tiny_backbone, decoder_layers=2, temperature=0.2, contrastive_weight=0.3, denoising_weight=0.9, projection="linear"
    )
    layers = [_torchs_layer(layer) for layer in loss.decoder.layers]
    noisy, clean = (loss.projection(loss.model(dict(view))["sentence_embedding"]) for view in (VIEWS[1], VIEWS[0]))
    states: list[Tensor] = []
    tokens: list[int] = []
    for ids, length, vector in zip(VIEWS[0]["input_ids"], LENGTHS, noisy, strict=True):
        row = loss.model[0].auto_model.embeddings(input_ids=ids[None, :length])
        for layer in layers:
            row = layer(row, vector[None, None])
        states += list(row[0])
        tokens += ids[:length].tolist()
    cosines = [[float(a @ b / (a.norm() * b.norm())) / 0.2 for b in clean] for a in noisy]
    contrastive = -sum(math.log(_softmax(row)[place]) for place, row in enumerate(cosines)) / len(cosines)
    terms = loss(VIEWS)
    assert terms["contrastive"].item() == pytest.approx(0.3 * contrastive, rel=1e-6)
    assert terms["denoising"].item() == pytest.approx(0.9 * _mean_cross_entropy(loss, states, tokens), rel=1e-6)


def _tiny(kind: str, tiny_backbone: Path, folder: Path) -> Path:
    """A tiny masked language model of another kind, with the tiny backbone's tokenizer."""
    import transformers as tf

    configs: dict[str, Any] = {
        "roberta": lambda: tf.RobertaConfig(**SMALL, max_position_embeddings=130, pad_token_id=1),
        "modernbert": lambda: tf.ModernBertConfig(
            **SMALL, pad_token_id=0, bos_token_id=2, eos_token_id=3, cls_token_id=2, sep_token_id=3, global_attn_every_n_layers=2
        ),
        "distilbert": lambda: tf.DistilBertConfig(vocab_size=1600, dim=32, n_layers=2, n_heads=2, hidden_dim=64),
        "electra": lambda: tf.ElectraConfig(**SMALL, embedding_size=16),
    }
    torch.manual_seed(0)
    tf.AutoModelForMaskedLM.from_config(configs[kind]()).save_pretrained(folder)
    tf.AutoTokenizer.from_pretrained(tiny_backbone).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kind", ["bert", "roberta", "modernbert", "distilbert"])
def test_decoders_work_for_encoders_of_this_kind(kind: str, tiny_backbone: Path, tmp_path: Path) -> None:
    backbone = tiny_backbone if kind == "bert" else _tiny(kind, tiny_backbone, tmp_path)
    for made in (TSDAELoss, DenoSentLoss):
        loss = _loss(made, backbone, **({"decoder_layers": 2} if made is DenoSentLoss else {}))
        original = _features((9, 9, 9))
        vectors = torch.randn(3, 32, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
        plain, tokens = loss.decoder(loss.model, original, vectors)
        other, _ = loss.decoder(loss.model, original, vectors.flip(1))
        assert not torch.allclose(plain, other, atol=1e-3)
        if made is TSDAELoss:
            assert torch.equal(tokens, original["input_ids"][:, 1:].flatten())
            changed = {**original, "input_ids": original["input_ids"].clone()}
            changed["input_ids"][:, 6:] += 1
            # The states that predict tokens 1 to 6 have read tokens 0 to 5.
            states = [found.unflatten(0, (3, 8))[:, :6] for found in (plain, loss.decoder(loss.model, changed, vectors)[0])]
            assert torch.allclose(states[0], states[1])
        loss.model.train()
        torch.stack(list(loss(VIEWS).values())).sum().backward()
        assert all(torch.isfinite(p.grad).all() for p in loss.parameters() if p.grad is not None)
        assert all(p.grad is not None for p in loss.decoder.parameters())


def test_sinusoids_are_the_papers_formula() -> None:
    found = sinusoids(5, 6)
    assert found[3, 4].item() == pytest.approx(math.sin(3 / 10_000 ** (4 / 6)), abs=1e-6)
    assert found[3, 5].item() == pytest.approx(math.cos(3 / 10_000 ** (4 / 6)), abs=1e-6)


def test_the_decoder_computes_all_tokens_where_the_encoder_computes_the_first(tiny_backbone: Path) -> None:
    found = []
    for first_only in (False, True):
        loss = _loss(TSDAELoss, tiny_backbone)
        if first_only:
            assert compute_first_token_only(loss.model)
        loss.model.train()
        for module in loss.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.0
        loss.zero_grad()
        term = loss(VIEWS)["denoising"]
        term.backward()
        found.append((term.item(), loss.model[0].auto_model.embeddings.word_embeddings.weight.grad))
        assert ("forward" in loss.model[0].auto_model.encoder.layer[-1].__dict__) == first_only
    assert found[0][0] == pytest.approx(found[1][0], rel=1e-9)
    assert torch.allclose(found[0][1], found[1][1])


def test_most_of_the_originals_embeddings_is_dropped_and_gets_no_gradient(tiny_backbone: Path) -> None:
    loss = _loss(DenoSentLoss, tiny_backbone, decoder_layers=1, contrastive_weight=0.0)
    seen: list[Tensor] = []
    loss.decoder.layers[0].register_forward_hook(lambda module, arguments, output: seen.append(arguments[0]))
    loss.train()
    torch.manual_seed(0)
    loss.decoder(loss.model, _features((9,) * 200), torch.zeros(200, 32, dtype=torch.float64))
    assert not seen[0].requires_grad
    # 0.1 is the encoder's own dropout, before it.
    assert (seen[0] == 0).double().mean().item() == pytest.approx(1 - 0.175 * 0.9, abs=0.01)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("reentrant", [False, True])
def test_tsdae_learns_the_same_with_gradient_checkpointing(reentrant: bool, tiny_backbone: Path) -> None:
    def gradients(checkpointed: bool) -> list[Tensor]:
        loss = _loss(TSDAELoss, tiny_backbone)
        if checkpointed:
            loss.model.gradient_checkpointing_enable({"use_reentrant": reentrant})
        loss.model.train()
        torch.manual_seed(3)
        loss(VIEWS)["denoising"].backward()
        return [parameter.grad for parameter in loss.parameters() if parameter.grad is not None]

    for found, expected in zip(gradients(True), gradients(False), strict=True):
        assert torch.allclose(found, expected)


@pytest.mark.parametrize("made", [TSDAELoss, DenoSentLoss])
def test_decoder_and_head_are_in_checkpoints_and_not_in_the_encoder(made: Any, tiny_backbone: Path) -> None:
    before = set(load_encoder(str(tiny_backbone), "cls").state_dict())
    loss = _loss(made, tiny_backbone)
    assert set(loss.model.state_dict()) == before
    saved = own_state(loss)
    assert {name.split(".")[0] for name in saved} >= {"decoder", "head"}
    # Layers and embeddings are the encoder's, and are saved with it.
    largest = max(value.numel() for value in saved.values())
    assert largest < loss.model[0].auto_model.embeddings.word_embeddings.weight.numel()


def test_the_same_text_is_no_negative_from_either_side(tiny_backbone: Path) -> None:
    loss = _loss(DenoSentLoss, tiny_backbone, decoder_layers=1, denoising_weight=0.0, contrastive_weight=1.0, projection="none")
    original, augmented = _features((5, 5, 5)), _features((5, 5, 5), seed=3)
    augmented["input_ids"][0] = original["input_ids"][2]
    noisy, clean = (loss.model(dict(view))["sentence_embedding"] for view in (augmented, original))
    cosines = nn.functional.normalize(noisy, dim=1) @ nn.functional.normalize(clean, dim=1).T / 0.05
    cosines[0, 2] = -math.inf
    expected = nn.functional.cross_entropy(cosines, torch.arange(3))
    assert loss([original, augmented])["contrastive"].item() == pytest.approx(expected.item(), rel=1e-6)


def test_an_encoder_without_a_trained_head_begins_with_a_random_one(
    tiny_backbone: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from transformers import AutoModel, AutoTokenizer

    AutoModel.from_pretrained(tiny_backbone, add_pooling_layer=False).save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(tiny_backbone).save_pretrained(tmp_path)
    loss = TSDAELoss(load_encoder(str(tmp_path), "cls"))
    assert "no trained masked-language-model head: the head of the decoder begins at random" in caplog.text
    assert torch.isfinite(loss(VIEWS)["denoising"])


@pytest.mark.parametrize(
    ("made", "message"),
    [(TiedDecoder, "those of t5 cannot be run from left to right"), (DenoSentLoss, "of a kind that has a masked-language-model head")],
)
def test_other_encoders_are_refused_in_a_line(made: Any, message: str, tiny_backbone: Path, tmp_path: Path) -> None:
    import transformers as tf

    config = tf.T5Config(vocab_size=1600, d_model=32, d_kv=16, d_ff=64, num_layers=2, num_heads=2)
    tf.T5EncoderModel(config).save_pretrained(tmp_path)
    model = load_encoder(str(tiny_backbone), "cls")
    model[0].model = tf.T5EncoderModel.from_pretrained(tmp_path)
    with pytest.raises(UserError, match=message) as refused:
        made(model)
    assert "\n" not in str(refused.value)


def test_embeddings_of_another_width_are_refused_in_a_line(tiny_backbone: Path, tmp_path: Path) -> None:
    model = load_encoder(str(_tiny("electra", tiny_backbone, tmp_path)), "cls")
    with pytest.raises(UserError, match="are 16 and 32 wide; use another backbone"):
        DenoSentLoss(model, decoder_layers=1)


@pytest.mark.parametrize("made", [TSDAELoss, DenoSentLoss])
def test_a_share_of_the_tokens_estimates_the_same_mean(made: Any, tiny_backbone: Path) -> None:
    options = {"decoder_layers": 1} if made is DenoSentLoss else {}
    whole, part = _loss(made, tiny_backbone, **options), _loss(made, tiny_backbone, restored_share=0.5, **options)
    asked: list[int] = []
    part.head.register_forward_hook(lambda module, arguments, output: asked.append(len(output)))
    torch.manual_seed(0)
    with torch.no_grad():
        estimates = torch.stack([part(VIEWS)["denoising"] for _ in range(200)])
        expected = whole(VIEWS)["denoising"].item()
    tokens = sum(LENGTHS) - (len(LENGTHS) if made is TSDAELoss else 0)
    assert sum(asked) / 200 == pytest.approx(tokens / 2, rel=0.1)
    assert estimates.mean().item() == pytest.approx(expected, abs=4 * float(estimates.std()) / 200**0.5)


def test_nothing_to_learn_is_refused(tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match="both 0: nothing to learn"):
        TSDAELoss(load_encoder(str(tiny_backbone), "cls"), denoising_weight=0.0)
