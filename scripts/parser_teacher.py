"""A larger parser of English, the teacher of the bundled one: a pretrained encoder with biaffine attention, trained on UD English EWT.

    python scripts/parser_teacher.py DATA --encoder MODEL --output DIR

MODEL is the folder of a Hugging Face encoder: all-MiniLM-L6-v2 for the bundled parser. Writes DIR/teacher.safetensors, which a later call
takes as it is, and DIR/silver.spacy for scripts/train_parser.py: sentences of open texts (Wikipedia, Tatoeba, MASC; their tuning split)
with the teacher's tags, features, heads and labels. Sentences whose best heads are no tree are left out. Takes an hour of a core.

The texts are cut into words by the bundled pipeline's tokeniser, of which nothing is learnt. Scores of heads and labels: Dozat and Manning
(2017), "Deep biaffine attention for neural dependency parsing", without the prior of a head.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_model, save_model
from spacy.tokens import Doc, DocBin
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from transformers import AutoModel, AutoTokenizer

from augcse.annotation.pipeline import BUNDLED_PARSER, load_pipeline, tokens_of
from augcse.annotation.segment import sentence_ends
from sample_domains import split_of

TEXTS = ("wiki_sent/wiki_sent_02.txt.xz", "wiki_sent/wiki_sent_03.txt.xz", "tatoeba_en.txt.xz", "masc.txt.xz")
# A sentence of the texts has so many words.
WORDS = range(2, 61)
BATCH_SENTENCES = 32
EPOCHS = 6
ENCODER_RATE, HEAD_RATE = 2e-4, 1e-3
LOWERED = 0.15
CAPITALS = 5


@dataclass(frozen=True)
class Sentence:
    """One sentence of the treebank; `heads` counts from 1, 0 for the root."""

    words: tuple[str, ...]
    tags: tuple[int, ...]
    morphs: tuple[int, ...]
    heads: tuple[int, ...]
    labels: tuple[int, ...]


@dataclass
class Inventory:
    """The tags, features with parts of speech, and labels of the treebank, numbered."""

    tags: dict[str, int]
    morphs: dict[str, int]
    labels: dict[str, int]


class HeadScores(nn.Module):
    """Scores of dependents (batch, words, hidden) with heads (batch, others, hidden): (batch, words, others)."""

    def __init__(self, hidden: int, width: int) -> None:
        super().__init__()
        self.dependent, self.head = layer(hidden, width), layer(hidden, width)
        self.weight = nn.Linear(width, width, bias=False)
        nn.init.zeros_(self.weight.weight)

    def forward(self, dependents: Tensor, heads: Tensor) -> Tensor:
        scores: Tensor = self.dependent(dependents) @ self.weight(self.head(heads)).transpose(1, 2)
        return scores


class LabelScores(nn.Module):
    """Scores of `count` labels for dependents and their heads, both (batch, words, hidden): (batch, words, count)."""

    def __init__(self, hidden: int, width: int, count: int) -> None:
        super().__init__()
        self.dependent, self.head = layer(hidden, width), layer(hidden, width)
        self.weight = nn.Linear(width + 1, count * (width + 1), bias=False)
        nn.init.zeros_(self.weight.weight)

    def forward(self, dependents: Tensor, heads: Tensor) -> Tensor:
        rows, columns = with_one(self.dependent(dependents)), with_one(self.head(heads))
        scores: Tensor = self.weight(rows).unflatten(2, (-1, rows.shape[2])) @ columns[..., None]
        return scores[..., 0]


def layer(hidden: int, width: int) -> nn.Sequential:
    """Return what makes vectors of dependents or heads."""
    return nn.Sequential(nn.Linear(hidden, width), nn.GELU(), nn.Dropout(0.2))


def with_one(vectors: Tensor) -> Tensor:
    """Return vectors with a 1 after their last number, so that a product has terms of one side alone."""
    return torch.cat([vectors, vectors.new_ones(*vectors.shape[:-1], 1)], dim=-1)


class Teacher(nn.Module):
    """The encoder, the capitals that it does not see, one layer over words, and the four classifiers."""

    def __init__(self, encoder: str, inventory: Inventory) -> None:
        super().__init__()
        self.tokenizer = AutoTokenizer.from_pretrained(encoder)
        self.encoder = AutoModel.from_pretrained(encoder, attn_implementation="eager")
        self.encoder.embeddings.requires_grad_(False)
        hidden = self.encoder.config.hidden_size
        self.capitals = nn.Embedding(CAPITALS, hidden)
        self.mixed = nn.TransformerEncoderLayer(hidden, 8, 4 * hidden, dropout=0.1, activation="gelu", batch_first=True)
        self.tags = nn.Linear(hidden, len(inventory.tags))
        self.morphs = nn.Linear(hidden, len(inventory.morphs))
        self.arcs = HeadScores(hidden, 384)
        self.labels = LabelScores(hidden, 128, len(inventory.labels))

    def forward(self, sentences: Sequence[Sequence[str]], lowered: Sequence[bool]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return scores of tags, features (batch, words, n) and heads (batch, words, 1 + words), and the vectors of root and words."""
        words, mask = self._words(sentences, lowered)
        words = self.mixed(words, src_key_padding_mask=~mask)
        dependents = words[:, 1:]
        arcs = self.arcs(dependents, words).masked_fill(~mask[:, None, :], -1e4)
        return self.tags(dependents), self.morphs(dependents), arcs, words

    def label_scores(self, words: Tensor, heads: Tensor) -> Tensor:
        """Return scores of the labels (batch, words, n) for each word's head (batch, words)."""
        scores: Tensor = self.labels(words[:, 1:], words.gather(1, heads[..., None].expand(*heads.shape, words.shape[2])))
        return scores

    def _words(self, sentences: Sequence[Sequence[str]], lowered: Sequence[bool]) -> tuple[Tensor, Tensor]:
        """Return a vector for the root and each word, the mean of its word pieces, and which of them are there."""
        tokens = self.tokenizer(
            [list(words) for words in sentences],
            is_split_into_words=True,
            padding=True,
            truncation=True,
            max_length=512,
            return_tensors="pt",
        )
        pieces = self.encoder(tokens["input_ids"], attention_mask=tokens["attention_mask"]).last_hidden_state
        longest = max(map(len, sentences))
        owners = torch.zeros(len(sentences), longest + 1, pieces.shape[1])
        capitals = torch.zeros(len(sentences), longest + 1, dtype=torch.long)
        mask = torch.zeros(len(sentences), longest + 1, dtype=torch.bool)
        for row, words in enumerate(sentences):
            for piece, word in enumerate(tokens.word_ids(row)):
                if word is not None:
                    owners[row, word + 1, piece] = 1
            owners[row, 0, 0] = 1
            mask[row, : len(words) + 1] = True
            if not lowered[row]:
                capitals[row, 1 : len(words) + 1] = torch.tensor([capitals_of(word) for word in words])
        owners /= owners.sum(dim=2, keepdim=True).clamp(min=1)
        return owners.to(pieces.dtype) @ pieces + self.capitals(capitals), mask


def capitals_of(word: str) -> int:
    """Return how a word is written: in small letters, with a capital, in capitals, mixed, or without letters."""
    letters = [letter for letter in word if letter.isalpha()]
    if not letters:
        return 4
    if word.islower():
        return 0
    if word[:1].isupper() and not any(letter.isupper() for letter in word[1:]):
        return 1
    return 2 if word.isupper() else 3


def read_treebank(path: Path, inventory: Inventory, grow: bool) -> list[Sentence]:
    """Read a split; with `grow`, number what the inventory lacks, without it number it 0."""

    def number(table: dict[str, int], name: str) -> int:
        return table.setdefault(name, len(table)) if grow else table.get(name, 0)

    sentences, rows = [], []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in [*lines, "\n"]:
            cells = line.rstrip("\n").split("\t")
            if len(cells) == 10 and cells[0].isdigit():
                rows.append(cells)
            elif not line.strip() and rows:
                words, morphs, tags, heads, labels = zip(*((c[1], f"{c[3]} {c[5]}", c[4], c[6], c[7]) for c in rows), strict=True)
                sentences.append(
                    Sentence(
                        words,
                        tuple(number(inventory.tags, tag) for tag in tags),
                        tuple(number(inventory.morphs, morph) for morph in morphs),
                        tuple(map(int, heads)),
                        tuple(number(inventory.labels, label) for label in labels),
                    )
                )
                rows = []
    return sentences


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """Return rows of numbers as (batch, longest), -100 where a row has ended."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[-100] * (longest - len(row))] for row in rows])


def loss_of(teacher: Teacher, batch: Sequence[Sentence], rng: random.Random) -> Tensor:
    """Return the sum of the four mean cross-entropies."""
    lowered = [rng.random() < LOWERED for _ in batch]
    tags, morphs, arcs, words = teacher([sentence.words for sentence in batch], lowered)
    heads = padded([sentence.heads for sentence in batch])
    labels = teacher.label_scores(words, heads.clamp(min=0))
    pairs = [
        (tags, padded([sentence.tags for sentence in batch])),
        (morphs, padded([sentence.morphs for sentence in batch])),
        (arcs, heads),
        (labels, padded([sentence.labels for sentence in batch])),
    ]
    return torch.stack([cross_entropy(scores.flatten(0, 1).float(), gold.flatten()) for scores, gold in pairs]).sum()


def batches_of(sentences: Sequence[Sentence], rng: random.Random) -> list[list[Sentence]]:
    """Return shuffled batches of sentences about as long as one another."""
    order = sorted(sentences, key=lambda sentence: (len(sentence.words) + rng.random() * 4, rng.random()))
    batches = [list(order[start : start + BATCH_SENTENCES]) for start in range(0, len(order), BATCH_SENTENCES)]
    rng.shuffle(batches)
    return batches


def train(teacher: Teacher, sentences: Sequence[Sentence], dev: Sequence[Sentence], seed: int) -> None:
    """Train with AdamW: a warm-up of a tenth of the steps, then a linear decay."""
    rng = random.Random(seed)
    encoder = list(teacher.encoder.encoder.parameters())
    known = set(map(id, encoder))
    rest = [parameter for parameter in teacher.parameters() if parameter.requires_grad and id(parameter) not in known]
    optimizer = torch.optim.AdamW(
        [{"params": encoder, "lr": ENCODER_RATE}, {"params": rest, "lr": HEAD_RATE}], weight_decay=0.01, fused=True
    )
    steps = EPOCHS * -(-len(sentences) // BATCH_SENTENCES)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min((step + 1) / (0.1 * steps), (steps - step) / (0.9 * steps)))
    for epoch in range(EPOCHS):
        teacher.train()
        for batch in batches_of(sentences, rng):
            with torch.autocast("cpu", torch.bfloat16):
                loss = loss_of(teacher, batch, rng)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(teacher.parameters(), 1.0)
            optimizer.step()
            schedule.step()
        print(json.dumps({"epoch": epoch, "loss": loss.item(), "dev": accuracy(teacher, dev)}), flush=True)


@torch.inference_mode()
def predicted(teacher: Teacher, sentences: Sequence[Sequence[str]]) -> list[tuple[list[int], list[int], list[int], list[int]]]:
    """Return the best tags, features, heads and labels of each sentence."""
    teacher.eval()
    found: dict[int, tuple[list[int], list[int], list[int], list[int]]] = {}
    order = sorted(range(len(sentences)), key=lambda row: len(sentences[row]))
    for start in range(0, len(order), 64):
        rows = order[start : start + 64]
        with torch.autocast("cpu", torch.bfloat16):
            tags, morphs, arcs, words = teacher([sentences[row] for row in rows], [False] * len(rows))
            heads = arcs.argmax(2)
            best = teacher.label_scores(words, heads).argmax(2)
        columns = [column.tolist() for column in (tags.argmax(2), morphs.argmax(2), heads, best)]
        for index, row in enumerate(rows):
            length = len(sentences[row])
            found[row] = tuple(column[index][:length] for column in columns)
    return [found[row] for row in range(len(sentences))]


def accuracy(teacher: Teacher, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Return the percentages of right tags, heads, and heads with labels."""
    counts = {"tags": 0, "heads": 0, "labels": 0}
    words = sum(len(sentence.words) for sentence in sentences)
    for sentence, (tags, _, heads, labels) in zip(sentences, predicted(teacher, [s.words for s in sentences]), strict=True):
        counts["tags"] += sum(map(int.__eq__, tags, sentence.tags))
        right = list(map(int.__eq__, heads, sentence.heads))
        counts["heads"] += sum(right)
        counts["labels"] += sum(a and b == c for a, b, c in zip(right, labels, sentence.labels, strict=True))
    return {name: round(100 * count / words, 2) for name, count in counts.items()}


def is_tree(heads: Sequence[int]) -> bool:
    """Tell whether heads that count from 1 have one root and no cycle."""
    if list(heads).count(0) != 1:
        return False
    for word in range(1, len(heads) + 1):
        seen = set()
        while word:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word - 1]
    return True


def open_sentences(data: Path) -> Iterator[str]:
    """Yield single sentences of the tuning split of open texts."""
    for name in TEXTS:
        with lzma.open(data / "corpora" / name, "rt", encoding="utf-8") as lines:
            texts = list(dict.fromkeys(line.strip() for line in lines))
        yield from (text for text in texts if split_of(text) == "tuning" and len(text.split()) in WORDS and is_one_sentence(text))


def is_one_sentence(text: str) -> bool:
    """Tell whether no sentence ends within a text."""
    return all(end == len(text) for end in sentence_ends("en").ends(text))


def write_silver(teacher: Teacher, inventory: Inventory, texts: Sequence[str], output: Path) -> None:
    """Write the parses of sentences that are trees."""
    pipeline = load_pipeline(BUNDLED_PARSER)
    docs = [tokens_of(pipeline, text)[0] for text in texts]
    docs = [doc for doc in docs if len(doc) > 1]
    names = [list(table) for table in (inventory.tags, inventory.morphs, inventory.labels)]
    kept = DocBin(attrs=["ORTH", "SPACY", "TAG", "POS", "MORPH", "HEAD", "DEP"])
    for doc, (tags, morphs, heads, labels) in zip(docs, predicted(teacher, [[word.text for word in doc] for doc in docs]), strict=True):
        if is_tree(heads):
            kept.add(_annotated(doc, names, tags, morphs, heads, labels))
    kept.to_disk(output)
    print(f"{len(kept)} of {len(docs)} sentences are trees")


def _annotated(doc: Doc, names: list[list[str]], tags: list[int], morphs: list[int], heads: list[int], labels: list[int]) -> Doc:
    """Return a document with the tags, features, heads (0 for the root) and labels of such numbers."""
    parts = [names[1][morph].partition(" ") for morph in morphs]
    return Doc(
        doc.vocab,
        [word.text for word in doc],
        [bool(word.whitespace_) for word in doc],
        tags=[names[0][tag] for tag in tags],
        pos=[pos for pos, _, _ in parts],
        morphs=["" if features == "_" else features for _, _, features in parts],
        heads=[index if head == 0 else head - 1 for index, head in enumerate(heads)],
        deps=["ROOT" if head == 0 else names[2][label] for head, label in zip(heads, labels, strict=True)],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of texts that scripts/sample_domains.py reads")
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(arguments.seed)
    inventory = Inventory({}, {}, {})
    train_rows, dev, test = (
        read_treebank(arguments.data / "ud" / f"en_ewt-ud-{split}.conllu.xz", inventory, split == "train")
        for split in ("train", "dev", "test")
    )
    teacher = Teacher(arguments.encoder, inventory)
    weights = arguments.output / "teacher.safetensors"
    if weights.exists():
        load_model(teacher, weights)
    else:
        train(teacher, train_rows, dev, arguments.seed)
        save_model(teacher, str(weights))
    print(json.dumps({"test": accuracy(teacher, test)}))
    write_silver(teacher, inventory, list(open_sentences(arguments.data)), arguments.output / "silver.spacy")


if __name__ == "__main__":
    main()
