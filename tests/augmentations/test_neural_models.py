"""Word pieces go back into clean text; models are refused in one line; a row's result does not hang on its company."""

from __future__ import annotations

import math
import re
import shutil
from pathlib import Path
from random import Random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse import augment
from augcse.augmentations.english.article import apply_with_articles
from augcse.augmentations.neural import apertium
from augcse.augmentations.neural.checkpoint import load_checkpoint
from augcse.augmentations.neural.masked import Candidates, load_masked
from augcse.augmentations.neural.seq2seq import Decoding, entailment, generate, score_pairs
from augcse.augmentations.neural.wordpiece import PAUSE, STOP, WORD, draw, edits_of, kind_of, load_vocabulary
from augcse.augmentations.rules.model.masked_words import _without
from augcse.augmentations.text.edits import Edit
from augcse.errors import MissingDependencyError, UserError
from tiny_models import build_tiny_model

NEURAL_TEXT = [
    "RandomContextualWordAugmentation",
    "MLMTokenReplacement",
    "MLMTokenInsertion",
    "RandomTokenDeletion",
    "RandomWordEmbAugmentation",
]


def _spell(word: str) -> str:
    return load_vocabulary("mini-bert").spell(word)


SEQ2SEQ = ["t5", "marian", "fsmt", "m2m", "pegasus"]


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUGCSE_CACHE", "off")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("tiny")
    return {kind: str(build_tiny_model(kind, folder / kind, sentences)) for kind in [*SEQ2SEQ, "classifier", "masked"]}


@pytest.mark.parametrize("name", NEURAL_TEXT)
def test_no_special_token_and_no_piece_mark_gets_into_the_text(name: str, sentences: list[str]) -> None:
    for new in filter(None, augment(sentences[:150], name, seed=4)):
        assert not re.search(r"##|\[(?:MASK|PAD|CLS|SEP|UNK)\]", new)


@given(st.text(alphabet="Ab é'-.1\t😀", max_size=30), st.integers(0, 99))
def test_deleting_pieces_keeps_the_rest_in_order(text: str, seed: int) -> None:
    [new] = augment([text], "RandomTokenDeletion", seed=seed)
    rest = iter(text.lower())
    assert new is None or all(character in rest for character in new.lower())


def test_masking_changes_nothing_but_the_masked_spans() -> None:
    text = "Zoë's  well-known\tcats aren't PLAYING…"
    [new] = augment([text], "MaskTokens", seed=3, rate=0.3, mask="\0")
    assert new is not None
    assert re.fullmatch(".+?".join(map(re.escape, new.split("\0"))) if new[-1] != "\0" else ".*", text, re.DOTALL)


def test_only_free_words_are_sites() -> None:
    [pieces] = load_vocabulary("mini-bert").split(["Zoë isn't well-known (yet) at a.b.com, x_y, in 1998."])
    assert [pieces.text[site.start : site.end] for site in pieces.word_sites()] == ["Zoë", "yet", "at", "in"]


def test_case_of_what_is_replaced_is_kept() -> None:
    [pieces] = load_vocabulary("mini-bert").split(["The NATO saw Paris and I left"])
    words = pieces.word_sites()
    edits = edits_of(pieces, zip(words, ["a", "dog", "met", "house", "i", "may", "paris"], strict=True), _spell)
    assert [edit.replacement for edit in edits] == ["A", "dog", "met", "house", "I", "may", "Paris"]


def test_a_text_in_capitals_stays_in_capitals() -> None:
    [pieces] = load_vocabulary("mini-bert").split(["THE CAT SAT"])
    assert [edit.replacement for edit in edits_of(pieces, [(pieces.word_sites()[1], "dog")], _spell)] == ["DOG"]


def test_a_continuation_never_becomes_the_pronoun() -> None:
    [pieces] = load_vocabulary("mini-bert").split(["Rarotongan"])
    last = pieces.piece_sites()[-1]
    assert edits_of(pieces, [(last, "##i")], _spell) == [Edit(last.start, last.end, "i")]


def test_a_lower_casing_models_words_are_spelled_with_their_capitals_and_names_are_barred() -> None:
    vocabulary = load_vocabulary("mini-bert")
    numbers = {piece: number for number, piece in enumerate(vocabulary.pieces)}
    assert [vocabulary.spell(word) for word in ("december", "portuguese", "house", "paris")] == ["December", "Portuguese", "house", "Paris"]
    assert not any(vocabulary.writable[numbers[name]] for name in ("joseph", "may", "march", "united", "herman") if name in numbers)


def test_marks_are_exchanged_only_where_a_sentence_pauses_or_ends() -> None:
    text = "On 3,000 days, at 9:30 (St. John's \"x\"), Mr. X wasn't well-known."
    [pieces] = load_vocabulary("mini-bert").split([text])
    assert [pieces.text[site.start : site.end] for site in pieces.replaceable_sites() if site.kind in (PAUSE, STOP)] == [",", ",", "."]
    words = {text[site.start : site.end] for site in pieces.replaceable_sites()}
    assert words.isdisjoint({"St", "Mr", '"', "(", ")", "-", "'"})


def test_half_a_character_is_split_as_one_that_is_unknown() -> None:
    [pieces] = load_vocabulary("mini-bert").split(["a \ud800 cat"])
    assert pieces.text[slice(*pieces.spans[-1])] == "cat"


def test_where_all_pieces_are_barred_the_first_is_taken() -> None:
    assert {Candidates([7, 8], [math.nan, math.nan]).pick(Random(seed)) for seed in range(8)} == {7}


def test_no_more_outputs_than_beams() -> None:
    with pytest.raises(UserError, match="5 outputs cannot come from 2 beams"):
        Decoding(beams=2, outputs=5)


def test_neighbouring_masks_give_no_doubles() -> None:
    candidates = Candidates([7, 8, 9], [0.9, 0.1])
    assert candidates.pick(Random(0)) == 7
    assert candidates.pick(Random(0), {7}) == 8
    assert candidates.pick(Random(0), {7, 8}) == 9
    articles = re.compile(r"\b(\w+) \1\b|\b(?:a|an|the) (?:a|an|the)\b", re.IGNORECASE)
    texts = ["The old man sold the big house to the young couple in the town by the sea last year."] * 60
    new = augment(texts, "RandomContextualWordAugmentation", action="substitute", rate=0.8)
    assert not [text for text in new if text and articles.search(text)]


@pytest.mark.parametrize(
    ("text", "deleted", "expected"),
    [
        ("In all of it", ["In", "all"], "Of it"),
        ("a bottom - up approach", ["-", "up"], "a bottom approach"),
        ("one, two, three", ["two"], "one, three"),
        ('the "big" man', ["big"], "the man"),
        ("1998 we met", ["1998"], "We met"),
        ('"The cat sat', ["The"], '"Cat sat'),
    ],
)
def test_deleted_pieces_leave_blanks_and_marks_in_order(text: str, deleted: list[str], expected: str) -> None:
    [pieces] = load_vocabulary("mini-bert").split([text])
    assert _without(pieces, [site for site in pieces.piece_sites() if text[site.start : site.end] in deleted]) == expected


def test_deletion_leaves_what_a_mark_joins() -> None:
    [pieces] = load_vocabulary("mini-bert").split(["Congo's 560,000 well-known U.S. (men, etc)."])
    assert [pieces.text[site.start : site.end] for site in pieces.separable_sites()] == ["men", ",", "etc", "."]


def test_digits_within_a_number_are_replaced_by_digits() -> None:
    assert kind_of("##05") not in (kind_of("##s"), kind_of("05"))


@pytest.mark.parametrize(
    ("text", "edit", "expected"),
    [
        ("He saw a dog.", Edit(9, 12, "owl"), "He saw an owl."),
        ("An owl sat.", Edit(3, 6, "dog"), "A dog sat."),
        ("He saw one owl.", Edit(7, 10, "a"), "He saw an owl."),
        ("Vitamin A is good.", Edit(10, 12, "old"), "Vitamin A old good."),
        ("a owl saw a dog", Edit(12, 15, "cat"), "a owl saw a cat"),
    ],
)
def test_articles_beside_an_edit_are_aligned(text: str, edit: Edit, expected: str) -> None:
    assert apply_with_articles(text, [edit]) == expected


def test_a_masks_candidates_are_bit_for_bit_the_same_alone_and_in_company(sentences: list[str]) -> None:
    model = load_masked("mini-bert", "fp32")
    pieces = model.vocabulary.split(sentences[:60])
    sites = [draw(text.piece_sites(), 4, Random(row)) for row, text in enumerate(pieces)]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # several share a sum out by the batch's size, and so add in another order
    try:
        together = model.fill(pieces, sites, 5, False)
        assert together == [model.fill([text], [here], 5, False)[0] for text, here in zip(pieces, sites, strict=True)]
    finally:
        torch.set_num_threads(threads)


def test_a_masks_candidates_are_those_of_a_plain_forward_pass() -> None:
    model = load_masked("mini-bert", "fp32")
    [pieces] = model.vocabulary.split(["The old man sold his house ."])
    [[found]] = model.fill([pieces], [[pieces.piece_sites()[2]]], 3, False)
    ids = [model.vocabulary.first, *pieces.ids[:2], model.vocabulary.mask, *pieces.ids[3:], model.vocabulary.last]
    with torch.inference_mode():
        scores = load_checkpoint("mini-bert", "masked", "fp32").model(input_ids=torch.tensor([ids])).logits[0, 3]
    beside = {pieces.ids[1], pieces.ids[3]}
    allowed = [number for number, kind in enumerate(model.vocabulary.writable) if kind == WORD and number not in beside]
    assert found.ids == sorted(allowed, key=lambda number: -float(scores[number]))[:4]


def test_a_text_longer_than_the_model_is_filled_in_windows() -> None:
    [new] = augment(["The old man sold his house to us. " * 150], "MLMTokenInsertion", seed=1)
    assert new is not None
    assert len(new.split()) > 8 * 150 * 1.1


@pytest.mark.parametrize("kind", SEQ2SEQ)
def test_generation_does_not_hang_on_company_and_leaves_the_global_generator(tiny: dict[str, str], kind: str, sentences: list[str]) -> None:
    some = sentences[:12]
    language = {"source": "en", "target": "de"} if kind == "m2m" else {}
    decoding = Decoding(beams=2, outputs=2, max_tokens=60, **language)
    state = torch.random.get_rng_state()
    together = generate(tiny[kind], some, decoding, [0] * 12)
    alone = [generate(tiny[kind], [text], decoding, [0])[0] for text in some]
    assert together == alone
    assert torch.equal(torch.random.get_rng_state(), state)


def test_sampling_draws_from_the_rows_own_stream(tiny: dict[str, str], sentences: list[str]) -> None:
    options = {"model": tiny["t5"], "temperature": 1.0, "max_tokens": 60}
    first = augment(sentences[:6], "PegasusParaphrase", seed=1, **options)
    assert first == augment(sentences[:6], "PegasusParaphrase", seed=1, **options)
    assert first[:2] == augment(sentences[:2], "PegasusParaphrase", seed=1, **options)
    assert first != augment(sentences[:6], "PegasusParaphrase", seed=2, **options)


def test_a_text_over_the_bound_is_left_alone(tiny: dict[str, str]) -> None:
    assert augment(["word " * 100, "Two words."], "PegasusParaphrase", model=tiny["t5"], beams=2, max_tokens=20)[0] is None


def test_adequacy_ranks_and_the_threshold_refuses(tiny: dict[str, str], sentences: list[str]) -> None:
    options = {"model": tiny["t5"], "adequacy": tiny["classifier"], "candidates": 3, "max_tokens": 60}
    [best] = augment(sentences[:1], "Casual2Formal", threshold=0.0, **options)
    decoding = Decoding(beams=3, outputs=3, max_tokens=60, prefix="transfer Casual to Formal: ")
    [texts] = generate(tiny["t5"], sentences[:1], decoding, [0])
    scores = score_pairs(tiny["classifier"], [(sentences[0], text) for text in texts])
    assert best == texts[scores.index(max(scores))]
    assert augment(sentences[:1], "Casual2Formal", threshold=1.0, **options) == [None]


def test_entailment_is_found_by_its_name_or_place() -> None:
    assert entailment([3.0, 0.0], {0: "ENTAILMENT", 1: "not_entailment"}) == pytest.approx(0.9526, abs=1e-4)
    assert entailment([0.0, 9.0, 0.0], {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "name", ["BackTranslation", "DiverseParaphrase", "Casual2Formal", "PegasusParaphrase", "MultilingualBackTranslation"]
)
def test_without_the_hub_the_checkpoint_is_named_and_the_remedy_given(name: str) -> None:
    with pytest.raises(UserError, match=r"cannot load the model \w+/\S+: .*HF_HUB_OFFLINE.*give a local folder") as caught:
        augment(["Hello there, my friend."], name)
    assert "\n" not in str(caught.value)


def test_a_folder_without_safetensors_is_refused(tiny: dict[str, str], tmp_path: Path) -> None:
    folder = shutil.copytree(tiny["t5"], tmp_path / "pickled")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(UserError, match="no safetensors weights"):
        augment(["Hello there."], "PegasusParaphrase", model=str(folder))


def test_a_checkpoint_without_word_pieces_is_refused(tiny: dict[str, str]) -> None:
    with pytest.raises(UserError, match=r"no \[MASK\]"):
        augment(["Hello there."], "MLMTokenReplacement", model=tiny["t5"])


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("MLMTokenReplacement", {"pick": "argmx"}, "did you mean argmax"),
        ("RandomContextualWordAugmentation", {"action": "delete"}, "action is 'delete'; give one of: random"),
        ("RandomContextualWordAugmentation", {"top_k": 0}, "give a whole number from 1"),
        ("BackTranslation", {"engine": "apertum"}, "did you mean apertium"),
        ("BackTranslation", {"temperature": -1.0}, "temperature"),
        ("MaskTokens", {"rate": 2.0}, "give a number from 0 to 1"),
    ],
)
def test_bad_options_are_refused(name: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        augment(["The old man sold his house."], name, **options)


def test_apertium_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apertium.shutil, "which", lambda _: None)
    with pytest.raises(MissingDependencyError, match="apt-get install apertium"):
        augment(["The old man sold his house."], "BackTranslation", engine="apertium")


@pytest.mark.skipif(shutil.which("apertium") is None, reason="apertium is not installed here (apt-get install apertium-eng-spa)")
def test_apertium_goes_there_and_back_each_sentence_by_itself() -> None:
    texts = ["The old man finally sold his house to a young couple.", "a [b] ^c$ {d} <b>e</b> \\ / @f *g", "He won't\n\ngo."]
    together = augment(texts, "BackTranslation", engine="apertium")
    assert together[0] == "The old man finally sold his house to a young pair."
    assert together == [augment([text], "BackTranslation", engine="apertium")[0] for text in texts]


@settings(max_examples=10)
@given(st.lists(st.sampled_from(["The old man.", "", "He left, 3 days ago!", "Ünlü şehir"]), max_size=6), st.integers(0, 9))
def test_contextual_edits_are_the_same_for_any_company(texts: list[str], seed: int) -> None:
    name = "RandomContextualWordAugmentation"
    whole = augment(texts, name, seed=seed)
    assert whole[:1] == augment(texts[:1], name, seed=seed)


def test_the_last_word_is_replaced_and_no_half_of_a_contraction_or_address() -> None:
    vocabulary = load_vocabulary("mini-bert")
    texts = ["They're late for the end", "mail john.smith@mail.com"]
    found = [[pieces.text[site.start : site.end] for site in pieces.word_sites()] for pieces in vocabulary.split(texts)]
    assert found == [["late", "for", "the", "end"], ["mail"]]
