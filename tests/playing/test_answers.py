"""What the page shows, as HTML: all text is escaped, and what cannot be answered is a line that says what to give."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from letters import session

from augcse.playing.answers import MAX_CHARACTERS, augmented_answer, search_answer, similarities_answer

HOSTILE = "<script>alert(1)</script> & <img src=x onerror=y> cab"
TAGS = set("div p table thead tbody tr th td small del ins details summary section h3 ol li b i wbr".split())


class Tags(HTMLParser):
    """The elements of an answer, each closed in its place, and its text."""

    def __init__(self, answer: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""
        self.feed(answer)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag != "wbr":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(autouse=True)
def _few_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.playing.augmented.offline_names", lambda: ["RandomSwap", "NumericToWord", "ContractionExpansions"])


@pytest.mark.parametrize(
    "answer",
    [
        lambda made: augmented_answer(made, HOSTILE, 0),
        lambda made: search_answer(made, HOSTILE, 5),
        lambda made: similarities_answer(made, f"{HOSTILE}\n{HOSTILE}"),
    ],
    ids=["augment", "search", "compare"],
)
def test_what_comes_from_outside_is_text(answer) -> None:
    made = session([HOSTILE, "cab", "abba"], **{"<i>abc": "abc", '"onload=': "ab"})
    found = Tags(answer(made))
    assert found.seen <= TAGS
    assert "script" in found.text
    assert "<i>abc" in found.text
    assert '"onload=' in found.text


def test_a_changed_sentence_is_shown_word_by_word_with_a_figure_per_model() -> None:
    answer = augmented_answer(session(abc="abc", xyz="xyz"), "She didn't buy cabs.", 0)
    assert "She <del>didn&#x27;t</del><ins>did not</ins> buy cabs." in answer
    assert '<td class="figure" data-label="abc">1.000</td><td class="figure" data-label="xyz">1.000</td>' in answer
    assert "2 of 3 augmentations change it" in answer
    assert "1 leave it as it is, and why" in answer
    assert "<th scope=row>NumericToWord</th><td>needs a text with a number" in answer


def test_a_sentence_that_nothing_changes_has_no_empty_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.playing.augmented.offline_names", lambda: ["NumericToWord"])
    answer = augmented_answer(session(), "Yes.", 0)
    assert "0 of 1 augmentations change it" in answer
    assert "changed" not in answer


def test_search_names_the_rank_under_the_other_model() -> None:
    answer = search_answer(session(["aab", "ax", "bb"], ab="ab", ax="ax"), "a", 2)
    assert answer.count("<li>") == 4
    # Of "ab": ax (1.0), aab (0.894); of "ax": aab (1.0), ax (0.707).
    assert (
        "<h3>ab</h3><ol><li><b>1.000</b> ax<small>rank 2 under ax</small></li><li><b>0.894</b> aab<small>rank 1 under ax</small></li>"
        in answer
    )
    assert (
        "<h3>ax</h3><ol><li><b>1.000</b> aab<small>rank 2 under ab</small></li><li><b>0.707</b> ax<small>rank 1 under ab</small></li>"
        in answer
    )


def test_a_query_that_a_model_knows_nothing_of_has_no_list_but_a_line() -> None:
    answer = search_answer(session(["aab", "ax", "bb"], ab="ab", ax="ax"), "b", 2)
    assert "ax knows no token of the query" in answer
    assert "<li>" not in answer


def test_a_single_model_has_no_other() -> None:
    assert "<small>" not in search_answer(session(["aab", "ax"]), "a", 2)


def test_a_matrix_has_a_row_and_a_column_per_sentence_and_a_table_per_model() -> None:
    answer = similarities_answer(session(ab="ab", bc="bc"), "ab\n\nac\nbb")
    assert answer.count("<table") == 2
    assert answer.count('class="figure"') == 2 * 9
    assert "<th scope=row><i>2</i> ac</th>" in answer
    assert '<td class="figure" style="--share: 71%">0.707</td>' in answer


@pytest.mark.parametrize("sentence", ["", "  \n "])
def test_no_sentence_is_a_line(sentence: str) -> None:
    for answer in (augmented_answer(session(), sentence, 0), search_answer(session(["cab"]), sentence, 3)):
        assert answer == '<div class="answer"><p class="message">give a sentence</p></div>'


def test_a_long_text_is_a_line() -> None:
    text = "a" * (MAX_CHARACTERS + 1)
    for answer in (
        augmented_answer(session(), text, 0),
        search_answer(session(["cab"]), text, 3),
        similarities_answer(session(), f"a\n{text}"),
    ):
        assert "give a sentence of 2,000 characters at most; here are 2,001" in answer


@pytest.mark.parametrize("seed", [None, -1, 0.5, 2**32, float("inf"), float("nan")])
def test_a_seed_that_is_none_is_a_line(seed: float | None) -> None:
    assert "give a whole number from 0 to 4,294,967,295 as the seed" in augmented_answer(session(), "cab", seed)


def test_the_seed_decides_what_is_drawn() -> None:
    drawn = {augmented_answer(session(), "one two three four five six", seed) for seed in (0, 1, 2, 3, 1)}
    assert 2 <= len(drawn) <= 4
