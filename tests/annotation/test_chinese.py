"""The jieba reading of Chinese: every character kept, subjects and predicates found, nothing of the program's own jieba touched."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse import augment
from augcse.annotation import chinese
from augcse.annotation.chinese import parse_chinese
from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import MAX_CHARACTERS, parse_sentence, parse_sentences, parser_identity, parser_language
from augcse.errors import MissingDependencyError, UserError


@pytest.fixture(scope="module")
def _jieba() -> None:
    pytest.importorskip("jieba", reason="jieba is an optional extra: augcse[zh]")


needs_jieba = pytest.mark.usefixtures("_jieba")


def words(parse: Parse, label: str) -> list[str]:
    return [token for token, dep in zip(parse.tokens, parse.deps, strict=True) if dep == label]


def subject(parse: Parse) -> str:
    [found] = parse.children(parse.roots()[0], "nsubj")
    return "".join(parse.tokens[parse.first(found) : parse.last(found) + 1])


@needs_jieba
@pytest.mark.parametrize(
    ("sentence", "of", "root"),
    [
        ("他喜欢苹果。", "他", "喜欢"),
        ("一个女孩打开一个绿色包裹。", "一个女孩", "打开"),
        ("这艘船的长度是30米。", "这艘船的长度", "是"),
        ("穿蓝色衣服的女士正在清扫人行道。", "穿蓝色衣服的女士", "清扫"),
        ("汤姆和我互相很了解。", "汤姆和我", "了解"),
        ("如果你累了，我们回家。", "我们", "回家"),
    ],
)
def test_subject_and_predicate_of_the_main_clause(sentence: str, of: str, root: str) -> None:
    parse = parse_chinese(sentence)
    assert parse.language == "zh"
    assert len(parse.roots()) == 1
    assert parse.tokens[parse.roots()[0]] == root
    assert subject(parse) == of


@needs_jieba
@pytest.mark.parametrize(
    ("sentence", "label", "expected"),
    [
        ("他可以去学校。", "aux:modal", ["可以"]),
        ("他不去学校。", "advmod", ["不"]),
        ("他去了学校。", "aux:asp", ["了"]),
        ("他说我喜欢苹果。", "ccomp", ["喜欢"]),
        ("因为下雨，他回家。", "advcl", ["下雨"]),
    ],
)
def test_labels_around_the_predicate(sentence: str, label: str, expected: list[str]) -> None:
    assert words(parse_chinese(sentence), label) == expected


@needs_jieba
@settings(max_examples=60)
@given(st.text(alphabet=st.sampled_from("我你他的了是不没在去来好看书学校，。！？ \n\tabc1２·“”😀é"), max_size=40))
def test_every_token_stands_where_it_says(text: str) -> None:
    parse = parse_chinese(text)
    assert all(text[start : start + len(token)] == token for start, token in zip(parse.starts, parse.tokens, strict=True))
    assert "".join(parse.tokens) == "".join(text.split())
    assert all(0 <= head < len(parse) for head in parse.heads)
    assert bool(parse.roots()) == bool(parse.tokens)


@needs_jieba
def test_reading_is_quiet_and_leaves_no_cache(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    chinese._tokenizer.cache_clear()
    parse_chinese("他喜欢苹果。")
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err == ""
    assert list(tmp_path.iterdir()) == []


@needs_jieba
def test_the_programs_own_jieba_neither_changes_nor_is_changed() -> None:
    import jieba

    before, handlers = parse_chinese("他喜欢苹果树上的果子。"), list(logging.getLogger().handlers)
    jieba.dt.user_word_tag_tab["他喜欢"] = "n"
    jieba.dt.FREQ["他喜欢"] = 10**9
    try:
        assert parse_chinese("他喜欢苹果树上的果子。") == before
        assert not jieba.dt.initialized
    finally:
        del jieba.dt.user_word_tag_tab["他喜欢"], jieba.dt.FREQ["他喜欢"]
    assert logging.getLogger().handlers == handlers


@needs_jieba
def test_jieba_is_named_as_a_parser() -> None:
    assert [len(parse) > 0 for parse in parse_sentences(["我喜欢你。", "好" * (MAX_CHARACTERS + 1)], "jieba")] == [True, False]
    assert augment(["这是免费的。"], "PunctuationInsertion", parser="jieba", mode="sequential", subject="comma") == ["这，是免费的。"]


@needs_jieba
def test_words_of_the_users_own_are_known(tmp_path: Path) -> None:
    words = tmp_path / "products.txt"
    words.write_text("悟空之翼三号 1000 nz\n小米手环\n", "utf-8")
    text = "他买了悟空之翼三号和小米手环。"
    assert "悟空之翼三号" not in parse_sentence(text, "jieba").tokens
    assert {"悟空之翼三号", "小米手环"} <= set(parse_sentence(text, f"jieba:{words}").tokens)
    assert parser_language(f"jieba:{words}") == "zh"
    assert parser_identity(f"jieba:{words}") != parser_identity("jieba")
    assert "悟空之翼三号" not in parse_sentence(text, "jieba").tokens


@needs_jieba
@pytest.mark.parametrize(("text", "message"), [("小米手环 oft nz", "line 1"), ("a b c d", "line 1"), (None, "not a user dictionary")])
def test_a_file_of_words_that_is_none_is_refused(tmp_path: Path, text: str | None, message: str) -> None:
    words = tmp_path / "products.txt"
    if text is not None:
        words.write_text(text, "utf-8")
    with pytest.raises(UserError, match=message):
        parse_sentence("他来了。", f"jieba:{words}")


def test_without_jieba_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    chinese._tokenizer.cache_clear()
    monkeypatch.setitem(sys.modules, "jieba", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'augcse\[zh\]'"):
        parse_sentence("我喜欢你。", "jieba")
    chinese._tokenizer.cache_clear()


def test_a_spacy_pipeline_hands_on_its_language() -> None:
    assert parse_sentence("He left.").language == "en"
