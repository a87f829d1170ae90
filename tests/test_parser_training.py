"""The scripts that train the bundled parser and its teacher, on hand-made sentences."""

from __future__ import annotations

import itertools
import lzma
from pathlib import Path

import pytest
import spacy
import torch
from spacy.tokens import Doc, DocBin

import parser_teacher
import train_parser

CONLLU = """\
# text = Dogs bark .
1	Dogs	dog	NOUN	NNS	Number=Plur	2	nsubj	_	_
2	bark	bark	VERB	VBP	_	0	root	_	_
2.1	hidden	hidden	_	_	_	_	_	_	_
3	.	.	PUNCT	.	_	2	punct	_	_

1-2	It's	_	_	_	_	_	_	_	_
1	It	it	PRON	PRP	_	0	root	_	_
2	's	be	AUX	VBZ	_	1	cop	_	_
"""


def _is_tree(heads: tuple[int, ...]) -> bool:
    """Follow each word up as many steps as there are words: all must end at the root, of which there is one."""
    for word in range(1, len(heads) + 1):
        for _ in heads:
            word = heads[word - 1] if word else 0
        if word:
            return False
    return sum(head == 0 for head in heads) == 1


@pytest.mark.parametrize("length", range(1, 5))
def test_a_tree_has_one_root_and_no_cycle(length: int) -> None:
    for heads in itertools.product(range(length + 1), repeat=length):
        assert parser_teacher.is_tree(heads) == _is_tree(heads), heads


def test_words_of_a_treebank_are_read_without_ranges_and_empty_nodes(tmp_path: Path) -> None:
    path = tmp_path / "tiny.conllu.xz"
    path.write_bytes(lzma.compress(CONLLU.encode()))
    inventory = parser_teacher.Inventory({}, {}, {})
    dogs, short = parser_teacher.read_treebank(path, inventory, grow=True)
    assert (dogs.words, dogs.heads, [list(inventory.labels)[label] for label in dogs.labels]) == (
        ("Dogs", "bark", "."),
        (2, 0, 2),
        ["nsubj", "root", "punct"],
    )
    assert short.words == ("It", "'s")
    assert list(inventory.morphs)[dogs.morphs[0]] == "NOUN Number=Plur"


@torch.inference_mode()
def test_head_scores_are_those_of_each_pair() -> None:
    torch.manual_seed(0)
    layer = parser_teacher.HeadScores(6, 4).eval()
    torch.nn.init.normal_(layer.weight.weight)
    words = torch.randn(2, 3, 6)
    scores = layer(words, words)
    for batch, row, column in itertools.product(range(2), range(3), range(3)):
        head = layer.head(words[batch, column])
        assert scores[batch, row, column].item() == pytest.approx(
            float(layer.dependent(words[batch, row]) @ (layer.weight.weight @ head)), abs=1e-5
        )


@torch.inference_mode()
def test_label_scores_are_those_of_each_label() -> None:
    torch.manual_seed(0)
    layer = parser_teacher.LabelScores(6, 4, 5).eval()
    torch.nn.init.normal_(layer.weight.weight)
    dependents, heads = torch.randn(1, 3, 6), torch.randn(1, 3, 6)
    scores = layer(dependents, heads)
    weights = layer.weight.weight.unflatten(0, (5, 5))  # (label, head, dependent)
    for row, label in itertools.product(range(3), range(5)):
        one, other = (torch.cat([vector, torch.ones(1)]) for vector in (layer.dependent(dependents[0, row]), layer.head(heads[0, row])))
        assert scores[0, row, label].item() == pytest.approx(float(other @ weights[label] @ one), abs=1e-5)


def test_the_treebank_comes_three_times_and_what_the_teacher_read_once(tmp_path: Path) -> None:
    vocab = spacy.blank("en").vocab
    gold, silver = DocBin(), DocBin(attrs=["ORTH", "SPACY", "TAG", "POS", "MORPH", "HEAD", "DEP"])
    gold.add(Doc(vocab, ["Dogs", "bark"], tags=["NNS", "VBP"], heads=[1, 1], deps=["nsubj", "ROOT"], lemmas=["dog", "bark"]))
    for _ in range(40):
        silver.add(Doc(vocab, ["Cats", "SLEEP"], tags=["NNS", "VBP"], heads=[1, 1], deps=["nsubj", "ROOT"]))
    gold.to_disk(tmp_path / "train.spacy")
    silver.to_disk(tmp_path / "silver.spacy")
    train_parser.add_silver(tmp_path / "train.spacy", tmp_path / "silver.spacy")
    docs = list(DocBin().from_disk(tmp_path / "train.spacy").get_docs(vocab))
    assert [doc.text for doc in docs[:3]] == ["Dogs bark "] * 3
    assert len(docs) == 43
    small = [doc for doc in docs[3:] if doc[0].text == "cats"]
    assert 0 < len(small) < 20
    assert [(word.text, word.tag_, word.dep_, word.lemma_) for word in small[0]] == [
        ("cats", "NNS", "nsubj", ""),
        ("sleep", "VBP", "ROOT", ""),
    ]
