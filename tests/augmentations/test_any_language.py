"""Rules that read any language with spaces between words, in a dozen scripts; and the warning before English ones read another."""

import re
from collections import Counter
from pathlib import Path

import pytest

from augcse.analysis.probe.edits import make_edits
from augcse.annotation.pipeline import BUNDLED_PARSER
from augcse.augmentations.base import ANY_LANGUAGE, AUGMENTATIONS
from augcse.augmentations.run.apply import augment
from augcse.augmentations.run.other_language import language_of, other_language_warnings
from augcse.augmentations.run.write import augment_corpus
from augcse.augmentations.spec import parse_specs

SENTENCES = {
    "Swahili": "Mtoto alikwenda sokoni na mama yake asubuhi ya leo, lakini hakununua chochote.",
    "German": "Das Kind ging heute Morgen mit seiner Mutter auf den Markt, aber es kaufte nichts.",
    "Yoruba": "Ọmọ náà lọ sí ọjà pẹ̀lú ìyá rẹ̀ ní òwúrọ̀ yìí, ṣùgbọ́n kò ra nǹkan kan.",
    "Greek": "Η γάτα κάθισε στο χαλί και κοίταξε το παράθυρο, όπου έβρεχε.",
    "Hindi": "बच्चा आज सुबह अपनी माँ के साथ बाज़ार गया, लेकिन उसने कुछ नहीं ख़रीदा।",
    "Tamil": "குழந்தை இன்று காலை தன் தாயுடன் சந்தைக்குச் சென்றது, ஆனால் எதுவும் வாங்கவில்லை.",
    "Georgian": "ბავშვი დღეს დილით დედასთან ერთად ბაზარში წავიდა, მაგრამ არაფერი იყიდა.",
    "Amharic": "ሕፃኑ ዛሬ ጠዋት ከእናቱ ጋር ወደ ገበያ ሄደ፤ ነገር ግን ምንም አልገዛም።",
    "Hebrew": "הילד הלך הבוקר לשוק עם אמו, אבל לא קנה דבר.",
    "Arabic": "الطفل ذهب هذا الصباح إلى السوق مع أمه، لكنه لم يشتر شيئا.",
    "Korean": "아이는 오늘 아침 어머니와 함께 시장에 갔지만 아무것도 사지 않았다.",
    "Inuktitut": "ᐊᓯᖏᑦ ᓄᓇᓕᖕᓂ ᐃᓕᓐᓂᐊᖅᑐᑦ ᐅᓪᓗᒥ ᐃᓕᓐᓂᐊᕐᕕᖕᒧᑦ ᐊᐃᓚᐅᖅᑐᑦ.",
}
ANY = [member.name for member in AUGMENTATIONS if ANY_LANGUAGE in member.languages]
# They write no word that the sentence has not.
REARRANGING = ["RandomSwap", "RandomDeletion", "RandomCrop", "RandomWordAugmentation", "EDARandomSwap", "EDARandomDeletion"]
ENGLISH = ["The bridge over the river was built by the monks who lived in the town."] * 20


def _words(text: str) -> Counter[str]:
    return Counter(re.sub(r"[.,،;፤፣።।]", " ", text).casefold().split())


def test_noise_on_words_is_for_any_language() -> None:
    assert set(ANY) >= {*REARRANGING, "WordMask", "WordRepetition", "RandomPunctuationInsertion", "UNA", "TFIDFReplacement"}


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("name", ANY)
def test_every_language_is_changed(name: str, language: str) -> None:
    words = SENTENCES[language].split()
    rows = [SENTENCES[language]] * 30 + [" ".join(words[:count]) for count in range(2, len(words))] * 5
    changed = [text for text in augment(rows, name, seed=3)[:30] if text is not None]
    assert changed
    for text in changed:
        assert "  " not in text
        assert not re.search(r"\s[.,،፤።।]", text)


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("name", REARRANGING)
def test_words_stay_whole_and_the_closing_mark_last(name: str, language: str) -> None:
    sentence = SENTENCES[language]
    changed = [text for text in augment([sentence] * 30, name, seed=5) if text is not None]
    assert changed
    for text in changed:
        assert _words(text) <= _words(sentence)
        assert text[-1] == sentence[-1]


@pytest.mark.parametrize("language", SENTENCES)
def test_no_other_language_is_taken_for_english(language: str) -> None:
    assert language_of([SENTENCES[language]] * 20) == "another language, it seems"


def test_english_is_known_and_so_is_text_without_spaces() -> None:
    assert language_of(ENGLISH) == "en"
    assert language_of(["Police seek witnesses after fatal crash on coastal road"] * 20) == "en"
    titles = ["Stainless Steel Water Bottle, Vacuum Insulated", "Running Shoes for Men, Black", "Deep Residual Learning"]
    assert language_of(titles * 20) == "en"
    assert language_of(["孩子今天早上和妈妈去了市场，但是什么也没买。"] * 40).startswith("another language, without")
    assert language_of(["Mtoto alikwenda sokoni."]) == "en", "too short to decide"


def test_a_warning_names_the_rules_that_read_english_only() -> None:
    swahili, specs = [SENTENCES["Swahili"]] * 20, parse_specs(["RandomSwap", "ModalVerbs", "SynonymSubstitution"])
    (warning,) = other_language_warnings(swahili, specs, BUNDLED_PARSER)
    assert "ModalVerbs, SynonymSubstitution;" in warning
    assert "RandomSwap" not in warning
    assert not list(other_language_warnings(ENGLISH, specs, BUNDLED_PARSER))
    assert not list(other_language_warnings(swahili, parse_specs(["RandomSwap", "UNA"]), BUNDLED_PARSER))


def test_augmenting_a_corpus_warns(tmp_path: Path) -> None:
    corpus = tmp_path / "swahili.txt"
    corpus.write_text(f"{SENTENCES['Swahili']}\n" * 20, "utf-8")
    warnings: list[str] = []
    augment_corpus(corpus, ["ModalVerbs", "RandomSwap"], tmp_path / "out", warn=warnings.append)
    assert [warning for warning in warnings if "does not look like English" in warning]


def test_the_probe_leaves_english_rules_out_of_another_language() -> None:
    words = SENTENCES["Swahili"].split()
    rows = [" ".join(words[index:] + words[:index]) for index in range(len(words))] * 5
    assert make_edits(rows).left_out["ModalVerbs"] == "works on en; the text is another language, it seems"
    assert "works on" not in make_edits(rows, language="en").left_out.get("ModalVerbs", "")
