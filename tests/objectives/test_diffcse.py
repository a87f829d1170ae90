"""DiffCSE: the vector in the [CLS] slot, each task's loss against a loop, the generator, what reaches a checkpoint."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from augcse.encoding.first_token import compute_first_token_only
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives import DiffCSELoss, DiffCSENextLoss, DiffCSEPairsLoss
from augcse.objectives.difference import corrective_losses, detection_loss
from augcse.objectives.info_nce import info_nce
from augcse.objectives.masked_lm import keep_first_layers, load_masked_lm, sample_tokens
from augcse.objectives.sentence_editor import SentenceEditor
from augcse.objectives.slot_encoder import SlotEncoder, copy_encoder, masked_lm_logits
from augcse.objectives.token_edits import Edited
from augcse.training.state import load_own_state, own_state

IDS = torch.randint(5, 400, (4, 7), generator=torch.Generator().manual_seed(0))
MASK = torch.ones_like(IDS)
MASK[1, 5:] = 0
MASK[3, 4:] = 0
FEATURES = {"input_ids": IDS * MASK, "attention_mask": MASK}
NEXT = {"input_ids": IDS.flip(1)[:, :6], "attention_mask": torch.ones(4, 6, dtype=torch.long)}


def _loss(backbone: Path, kind: type[Any] = DiffCSELoss, **options: Any) -> Any:
    torch.manual_seed(0)
    return kind(load_encoder(str(backbone), "cls"), **options)


def _tiny(family: str) -> Any:
    import transformers

    torch.manual_seed(0)
    sizes = {"vocab_size": 50, "max_position_embeddings": 20}
    if family == "distilbert":
        return transformers.DistilBertModel(transformers.DistilBertConfig(dim=16, n_layers=2, n_heads=2, hidden_dim=32, **sizes))
    sizes |= {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    if family == "bert":
        return transformers.BertModel(transformers.BertConfig(**sizes))
    if family == "roberta":
        return transformers.RobertaModel(transformers.RobertaConfig(pad_token_id=1, **sizes))
    if family == "albert":
        return transformers.AlbertModel(transformers.AlbertConfig(embedding_size=8, **sizes))
    return transformers.GPT2Model(transformers.GPT2Config(vocab_size=50, n_embd=16, n_layer=1, n_head=2))


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert"])
def test_the_slot_agrees_with_a_run_through_the_encoders_own_layers(family: str) -> None:
    backbone = _tiny(family).eval()
    ids = torch.randint(2, 50, (3, 6), generator=torch.Generator().manual_seed(1))
    mask = torch.tensor([[1] * 6, [1] * 4 + [0] * 2, [1] * 5 + [0]])
    vectors = torch.randn(3, 16)
    states = backbone.embeddings(ids).clone()
    states[:, 0] = vectors
    # Added to attention scores: 0 where the key is real, minus a lot where it is padding.
    bias = (1 - mask[:, None, None, :]).float().expand(-1, 1, 6, -1) * -1e9
    for layer in backbone.transformer.layer if family == "distilbert" else backbone.encoder.layer:
        output = layer(states, bias)
        states = output[0] if isinstance(output, tuple) else output
    encoder = SlotEncoder(copy_encoder(backbone, 16))
    found = encoder(ids, mask, vectors)
    assert torch.allclose(found[mask.bool()], states[mask.bool()], atol=1e-5)
    assert not torch.allclose(backbone(input_ids=ids, attention_mask=mask).last_hidden_state[:, 1], found[:, 1], atol=1e-3)
    assert torch.equal(encoder.backbone.embeddings(ids), backbone.embeddings(ids))  # the hook is gone


@pytest.mark.parametrize(("family", "message"), [("albert", "its embeddings|embeddings 8"), ("gpt2", "gpt2 has none")])
def test_backbones_without_a_slot_are_refused(family: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        copy_encoder(_tiny(family), 16)


def test_the_copy_computes_all_positions_and_is_the_encoder_at_the_start(tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls")
    compute_first_token_only(model)
    model.train()
    copied = copy_encoder(model[0].auto_model, 32)
    assert copied(input_ids=IDS, attention_mask=MASK).last_hidden_state.shape == (4, 7, 32)
    assert copied.pooler is None
    assert torch.equal(copied.embeddings.word_embeddings.weight, model[0].auto_model.embeddings.word_embeddings.weight)
    assert copied.embeddings.word_embeddings.weight is not model[0].auto_model.embeddings.word_embeddings.weight


def test_head_at_chosen_places_is_the_head_everywhere(tiny_backbone: Path) -> None:
    model = load_masked_lm(str(tiny_backbone)).eval()
    at = torch.rand(IDS.shape, generator=torch.Generator().manual_seed(2)) < 0.4
    hidden, logits = masked_lm_logits(model, IDS, MASK, at)
    whole = model(input_ids=IDS, attention_mask=MASK, output_hidden_states=True)
    assert torch.allclose(logits, whole.logits[at], atol=1e-5)
    assert torch.allclose(hidden, whole.hidden_states[-1], atol=1e-5)


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 10**6))
@settings(max_examples=40)
def test_detection_loss_is_the_papers_formula(rows: int, length: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(2 * rows, length, 2, generator=generator, dtype=torch.float64)
    labels = torch.rand(2 * rows, length, generator=generator) < 0.4
    weights = (torch.rand(2 * rows, length, generator=generator) < 0.7).long()
    weights[:, 0] = 1
    expected = 0.0
    for run in (range(rows), range(rows, 2 * rows)):
        total, count = 0.0, 0
        for row in run:
            for place in range(length):
                unedited = 1 / (1 + math.exp(float(logits[row, place, 1] - logits[row, place, 0])))  # D(x'', h, t)
                if weights[row, place]:
                    total -= math.log(1 - unedited) if labels[row, place] else math.log(unedited)
                    count += 1
        expected += total / count
    assert detection_loss(logits, labels, weights, originals=2).item() == pytest.approx(expected, rel=1e-4, abs=1e-6)


@given(st.integers(1, 6), st.integers(2, 9), st.integers(0, 10**6))
@settings(max_examples=40)
def test_corrective_loss_is_the_mixture_of_copying_and_generating(rows: int, words: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(rows, words, generator=generator, dtype=torch.float64)
    copies = torch.randn(rows, generator=generator, dtype=torch.float64)
    shown, targets = (torch.randint(words, (rows,), generator=generator) for _ in range(2))
    for row, loss in enumerate(corrective_losses(logits, copies, shown, targets).tolist()):
        copy = 1 / (1 + math.exp(-float(copies[row])))
        total = sum(math.exp(float(value)) for value in logits[row])
        probability = (1 - copy) * math.exp(float(logits[row, targets[row]])) / total + copy * float(shown[row] == targets[row])
        assert loss == pytest.approx(-math.log(probability), rel=1e-8)


def test_corrective_loss_stays_finite_where_a_probability_is_zero() -> None:
    losses = corrective_losses(torch.tensor([[0.0, 500.0]]), torch.tensor([500.0]), torch.tensor([1]), torch.tensor([0]))
    assert bool(torch.isfinite(losses).all())


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 10**6))
@settings(max_examples=30)
def test_info_nce_against_negatives_is_a_loop(rows: int, extra: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    anchors, positives, negatives = (torch.randn(count, 5, generator=generator) for count in (rows, rows, extra))

    def strength(left: Tensor, right: Tensor) -> float:
        return math.exp(float(left @ right / left.norm() / right.norm()) / 0.1)

    losses = []
    for row in range(rows):
        others = [*positives, *negatives]
        total = sum(strength(anchors[row], other) for other in others)
        losses.append(-math.log(strength(anchors[row], positives[row]) / total))
    assert info_nce(anchors, positives, 0.1, negatives=negatives).item() == pytest.approx(sum(losses) / rows, rel=1e-3, abs=1e-5)


def test_sampling_follows_the_distribution_and_never_takes_the_impossible() -> None:
    torch.manual_seed(0)
    probabilities = torch.tensor([0.0, 0.5, 0.0, 0.2, 0.3, 0.0])
    drawn = sample_tokens(probabilities.log().expand(20_000, -1))
    shares = torch.bincount(drawn, minlength=6) / 20_000
    assert shares.tolist() == pytest.approx(probabilities.tolist(), abs=0.015)
    assert shares[[0, 2, 5]].sum() == 0
    assert sample_tokens(torch.zeros(0, 6)).shape == (0,)


def _editor(backbone: Path, **options: Any) -> SentenceEditor:
    defaults: dict[str, Any] = {"edits": ["replace"], "ratio": 0.4, "generator": None, "generator_layers": None, "fidelity": "paper"}
    return SentenceEditor(load_encoder(str(backbone), "cls"), **(defaults | options))


def test_the_paper_samples_masked_places_and_the_code_rewrites_all_but_the_first(tiny_backbone: Path) -> None:
    paper, repo = _editor(tiny_backbone), _editor(tiny_backbone, fidelity="repo")
    ids, mask = FEATURES["input_ids"], FEATURES["attention_mask"]
    torch.manual_seed(3)
    edited = paper(ids, mask)
    assert torch.equal(edited.ids[~edited.chosen], ids[~edited.chosen])
    assert not bool(torch.isin(edited.ids[edited.chosen & edited.labels], paper.special).any())
    repo.eval()
    edited = repo(ids, mask)
    assert torch.equal(edited.ids[:, 0], ids[:, 0])
    assert torch.equal(edited.ids[mask == 0], ids[mask == 0])
    # A random generator's likeliest token is hardly ever the right one.
    assert edited.labels[:, 1:][mask[:, 1:].bool()].float().mean() > 0.9


def test_the_codes_tokens_are_the_generators_likeliest(tiny_backbone: Path) -> None:
    editor = _editor(tiny_backbone, fidelity="repo").eval()
    generator = load_masked_lm(str(tiny_backbone)).eval()
    torch.manual_seed(3)
    edited = editor(IDS, torch.ones_like(IDS))
    torch.manual_seed(3)
    editor.generator = None
    masked = editor(IDS, torch.ones_like(IDS))
    with torch.no_grad():
        likeliest = generator(input_ids=masked.ids, attention_mask=masked.mask).logits.argmax(dim=2)
    assert torch.equal(edited.ids[:, 1:], likeliest[:, 1:])


def test_the_generator_is_frozen_and_its_dropout_off_unless_the_code_is_followed(tiny_backbone: Path) -> None:
    for fidelity, training in (("paper", False), ("repo", True)):
        loss = _loss(tiny_backbone, fidelity=fidelity)
        loss.train()
        loss([FEATURES])["discriminator"].backward()
        generator = loss.editor.generator
        assert all(module.training is training for module in generator.modules())
        assert all(not parameter.requires_grad and parameter.grad is None for parameter in generator.parameters())


def test_no_generator_is_loaded_where_none_is_used(tiny_backbone: Path) -> None:
    assert _loss(tiny_backbone, edits=["delete"]).editor.generator is None
    assert _loss(tiny_backbone, task="masked_lm").editor.generator is None
    assert _loss(tiny_backbone, task="corrective_lm").editor.generator is not None


def test_a_cut_generator_has_its_first_layers(tiny_backbone: Path) -> None:
    model = load_masked_lm(str(tiny_backbone))
    first = model.bert.encoder.layer[0]
    keep_first_layers(model, 1)
    assert list(model.bert.encoder.layer) == [first]
    assert model(input_ids=IDS).logits.shape[:2] == IDS.shape
    with pytest.raises(UserError, match="generator_layers is 3; the generator has 1"):
        keep_first_layers(model, 3)


class _Fixed(torch.nn.Module):
    """Edits by token id alone, so that a row's edit does not depend on its place."""

    pad_id = 0

    def forward(self, ids: Tensor, mask: Tensor) -> Edited:
        chosen = (ids % 3 == 0) & mask.bool()
        chosen[:, 0] = False
        kinds = torch.zeros(len(ids), dtype=torch.long)
        return Edited(torch.where(chosen, ids % 97 + 5, ids), mask, chosen, ids, torch.zeros_like(chosen), kinds)


@pytest.mark.parametrize("kind", [DiffCSELoss, DiffCSENextLoss, DiffCSEPairsLoss])
@pytest.mark.parametrize("task", ["detection", "masked_lm", "corrective_lm"])
def test_order_of_the_batch_does_not_matter(kind: type[Any], task: str, tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, kind, **({} if kind is DiffCSEPairsLoss else {"task": task}))
    loss.editor = _Fixed()
    loss.model.eval()
    order = torch.tensor([2, 0, 3, 1])
    plain = loss([FEATURES, NEXT])
    permuted = loss([{key: value[order] for key, value in view.items()} for view in (FEATURES, NEXT)])
    assert {key: pytest.approx(value.item(), abs=1e-5) for key, value in plain.items()} == {
        key: value.item() for key, value in permuted.items()
    }


def test_total_is_contrastive_plus_lambda_detection(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, discriminator_weight=0.25)
    loss.editor = _Fixed()
    loss.model.eval()
    terms = loss([FEATURES])
    with torch.no_grad():
        projected = loss.projection(loss.model(dict(FEATURES))["sentence_embedding"])
        edited = loss.editor(FEATURES["input_ids"], MASK)
        logits = loss.discriminator.head(loss.discriminator.encoder(edited.ids, MASK, projected))
        expected = torch.nn.functional.cross_entropy(logits[MASK.bool()], edited.labels[MASK.bool()].long())
    assert terms["discriminator"].item() == pytest.approx(0.25 * expected.item(), rel=1e-4)
    assert terms["contrastive"].item() == pytest.approx(info_nce(projected, projected, 0.05).item(), rel=1e-4)


def test_the_code_averages_over_padding_too(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, fidelity="repo", discriminator_weight=1.0)
    loss.editor = _Fixed()
    loss.model.eval()
    found = loss([FEATURES])["discriminator"]
    with torch.no_grad():
        projected = loss.projection(loss.model(dict(FEATURES))["sentence_embedding"])
        edited = loss.editor(FEATURES["input_ids"], MASK)
        logits = loss.discriminator.head(loss.discriminator.encoder(edited.ids, MASK, projected))
    expected = torch.nn.functional.cross_entropy(logits.flatten(0, 1), edited.labels.flatten().long())
    assert found.item() == pytest.approx(expected.item(), rel=1e-4)


def test_same_and_next_add_up(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, DiffCSENextLoss, with_same=True, discriminator_weight=1.0)
    loss.editor = _Fixed()
    loss.model.eval()
    both = loss([FEATURES, NEXT])["discriminator"].item()
    loss.with_same = False
    following = loss([FEATURES, NEXT])["discriminator"].item()
    same = DiffCSELoss.edited_views
    loss.edited_views = lambda views: same(loss, views)
    assert both == pytest.approx(following + loss([FEATURES, NEXT])["discriminator"].item(), rel=1e-4)


@pytest.mark.parametrize("condition", ["projected", "pooled"])
def test_the_difference_teaches_the_encoder_through_the_slot_alone(condition: str, tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, contrastive_weight=0.0, discriminator_weight=1.0, condition=condition)
    terms = loss([FEATURES])
    assert list(terms) == ["discriminator"]
    terms["discriminator"].backward()
    encoder = loss.model[0].auto_model.embeddings.word_embeddings.weight.grad
    assert encoder.abs().max() > 0
    assert loss.discriminator.head.weight.grad.abs().max() > 0
    assert (loss.projection[0].weight.grad is not None) == (condition == "projected")


def test_a_weight_of_zero_is_simcse(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, discriminator_weight=0.0)
    loss.discriminator = loss.editor = torch.nn.Identity()
    assert list(loss([FEATURES])) == ["contrastive"]


@pytest.mark.parametrize("options", [{}, {"edits": ["replace", "insert", "delete"]}, {"task": "masked_lm"}, {"task": "corrective_lm"}])
def test_a_step_lowers_the_difference_loss(options: dict[str, Any], tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, contrastive_weight=0.0, discriminator_weight=1.0, **options)
    for module in loss.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    optimizer = torch.optim.Adam([parameter for parameter in loss.parameters() if parameter.requires_grad], lr=3e-3)
    values = []
    for _ in range(25):
        torch.manual_seed(7)
        value = loss([FEATURES])["discriminator"]
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        values.append(value.item())
    assert values[-1] < 0.7 * values[0]


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize(
    "options", [{"edits": ["insert", "delete"]}, {"task": "masked_lm"}, {"task": "corrective_lm"}, {"fidelity": "repo"}]
)
def test_finite_in_bf16_even_for_one_row(options: dict[str, Any], rows: int, tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, **options)
    features = {key: value[:1].repeat(rows, 1) for key, value in FEATURES.items()}
    with torch.autocast("cpu", dtype=torch.bfloat16):
        total = torch.stack(list(loss([features]).values())).sum()
    total.backward()
    assert bool(torch.isfinite(total))
    assert all(bool(torch.isfinite(value.grad).all()) for value in loss.parameters() if value.grad is not None)
    assert all(bool(torch.isfinite(value)) for value in loss.metrics.values())


@pytest.mark.parametrize("task", ["detection", "masked_lm", "corrective_lm"])
def test_a_checkpoint_holds_the_discriminator_and_not_the_generator(task: str, tiny_backbone: Path, tmp_path: Path) -> None:
    from safetensors.torch import save_file

    first, second = (_loss(tiny_backbone, task=task) for _ in range(2))
    state = own_state(first)
    assert any(name.startswith("discriminator.") for name in state)
    assert any(name.startswith("projection.") for name in state)
    assert not any("generator" in name for name in state)
    with torch.no_grad():
        for parameter in first.discriminator.parameters():
            parameter.add_(1.0)
    save_file(own_state(first), tmp_path / "loss.safetensors")
    load_own_state(second, tmp_path / "loss.safetensors")
    left, right = first.discriminator.state_dict(), second.discriminator.state_dict()
    assert all(torch.equal(left[name], right[name]) for name in left)


def test_tied_weights_stay_tied(tiny_backbone: Path) -> None:
    language_model = _loss(tiny_backbone, task="masked_lm").discriminator.encoder.language_model
    assert language_model.get_output_embeddings().weight is language_model.get_input_embeddings().weight


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"temperature": 0.0}, "temperature is 0"),
        ({"discriminator_weight": -1.0}, "discriminator_weight is -1"),
        ({"contrastive_weight": 0.0, "discriminator_weight": 0.0}, "nothing to learn"),
        ({"masking_ratio": 1.5}, "masking_ratio is 1.5"),
        ({"edits": ["replce"]}, "did you mean replace"),
        ({"edits": "insert"}, "give a list"),
        ({"edits": []}, "give a list"),
        ({"task": "masked_lm", "edits": ["insert"]}, "goes with edits"),
        ({"task": "detecton"}, "did you mean detection"),
        ({"condition": "pooledd"}, "did you mean pooled"),
        ({"fidelity": "papre"}, "did you mean paper"),
        ({"projection": "bachnorm"}, "did you mean batchnorm"),
        ({"generator": "mini-bert"}, "another vocabulary"),
        ({"generator_layers": 5}, "the generator has 2"),
        ({"generator": "/nowhere"}, "no model folder /nowhere"),
    ],
)
def test_impossible_settings_are_refused(options: dict[str, Any], message: str, tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=message):
        _loss(tiny_backbone, **options)


def test_a_generator_without_a_trained_head_is_refused(tiny_backbone: Path, tmp_path: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls")
    model[0].auto_model.save_pretrained(str(tmp_path))
    model.tokenizer.save_pretrained(str(tmp_path))
    with pytest.raises(UserError, match="no trained masked-language-model head"):
        DiffCSELoss(model, generator=str(tmp_path))


def test_the_next_sentence_is_asked_for(tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match="one text column; give DiffCSENextLoss 2, in this order: original, next"):
        _loss(tiny_backbone, DiffCSENextLoss)([FEATURES])
    with pytest.raises(UserError, match="did you mean positive"):
        _loss(tiny_backbone, DiffCSEPairsLoss, role="positve")


@pytest.mark.filterwarnings("ignore")
def test_works_in_a_stock_trainer(tiny_backbone: Path, sentences: list[str], tmp_path: Path) -> None:
    from datasets import Dataset
    from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments

    model = load_encoder(str(tiny_backbone), "cls")
    loss = DiffCSENextLoss(model, with_same=True, edits=["replace", "insert", "delete"])
    before = loss.discriminator.head.weight.detach().clone()
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(tmp_path), per_device_train_batch_size=8, max_steps=2, learning_rate=1e-2, use_cpu=True, report_to="none",
        save_strategy="no", logging_steps=1, disable_tqdm=True,
    )  # fmt: skip
    columns = Dataset.from_dict({"original": sentences[:32], "next": sentences[1:33]})
    trainer = SentenceTransformerTrainer(model=model, args=arguments, train_dataset=columns, loss=loss)
    trainer.train()
    assert {"contrastive", "discriminator"} <= {key for entry in trainer.state.log_history for key in entry}
    assert not torch.equal(before, loss.discriminator.head.weight)
