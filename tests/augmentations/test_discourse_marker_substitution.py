from random import Random

import pytest

from augcse.augmentations.rules.surface.discourse_marker_substitution.rule import discourse_marker_substitution


def results(sentence: str, **options: str) -> set[str | None]:
    return {discourse_marker_substitution(sentence, Random(seed), **options) for seed in range(40)}


MOREOVER = {f"“{new},”  no.\tMeanwhile,  it ran." for new in ("Furthermore", "Additionally", "In addition")}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("However, it rained.", {"Nevertheless, it rained.", "Nonetheless, it rained."}),
        ("For example, cats.", {"For instance, cats."}),
        ("Cats (for instance Tom) sleep.", {"Cats (for example Tom) sleep."}),
        ("He nevertheless won.", {"He nonetheless won."}),
        ("By contrast, it sank.", {"In contrast, it sank.", "On the other hand, it sank."}),
        ("In fact, it sank.", {"Indeed, it sank."}),
        ("Similarly, it sank.", {"Likewise, it sank."}),
        ("Previously, it sank.", {"Earlier, it sank."}),
        ("It was subsequently renamed.", {"It was later renamed."}),
        ("He later became king.", {"He subsequently became king."}),
        ("In the meantime, it ran.", {"Meanwhile, it ran."}),
        ("She then moved.", {"She subsequently moved."}),
        ("It fell, but was soon rebuilt.", {"It fell, yet was soon rebuilt."}),
        ("At first, it ran.", {"Initially, it ran."}),
        ("After the war, it ran.", {"Following the war, it ran."}),
        ("Before the war, it ran.", {"Prior to the war, it ran."}),
        ("It ran prior to 1990.", {"It ran before 1990."}),
        ("Towns such as Rome grew.", {"Towns like Rome grew."}),
        ("Old towns, such as Rome, grew.", {f"Old towns, {new} Rome, grew." for new in ("for example", "for instance")}),
        ("The town was initially called Rome.", {"The town was at first called Rome."}),
        ("It hurts, especially in May.", {"It hurts, particularly in May."}),
        ("He, along with his wife, fled.", {f"He, {new} his wife, fled." for new in ("as well as", "in addition to", "together with")}),
        ("It failed due to the rain.", {"It failed because of the rain."}),
        ("Take tea instead of the milk.", {"Take tea rather than the milk."}),
        ("He stayed because he was ill.", {"He stayed since he was ill."}),
        (
            "He stayed, since he was ill.",
            {"He stayed, because he was ill.", "He stayed, as he was ill."},
        ),
        ("Although it rained, we went.", {"Though it rained, we went.", "Even though it rained, we went."}),
        ("It failed because of rain.", {"It failed due to rain.", "It failed owing to rain."}),
        ("Despite rain, it ran.", {"In spite of rain, it ran."}),
        ("It was cold, but it was dry.", {"It was cold, yet it was dry."}),
        ("It rained, so we stayed inside.", {"It rained, and so we stayed inside."}),
        ("The bed was soft but the walls were thin.", {"The bed was soft yet the walls were thin."}),
        ("Call me, because you know I care.", {"Call me, since you know I care."}),
        ("He left, because the mill closed.", {"He left, as the mill closed.", "He left, since the mill closed."}),
        ("Rick fell ill because he played in the mud.", {None}),
        ("He spoke of the day it was announced because the mill was shut.", {None}),
        ("Until the 1960s, it ran.", {None}),
        ("It was cheap, but has it ever worked?", {None}),
        ("Nobody panic, but we are locked in.", {None}),
        ("It shall be referred to and finally decided by a court.", {None}),
        ("A is big, whereas B is small.", {"A is big, while B is small."}),
        ("We waited until he came.", {"We waited till he came."}),
        ("As soon as he came, we left.", {"Once he came, we left."}),
        ("We hid so that they could not see us.", {"We hid in order that they could not see us."}),
        ("HOWEVER, IT RAINED.", {"NEVERTHELESS, IT RAINED.", "NONETHELESS, IT RAINED."}),
        ("“Moreover,”  no.\tMeanwhile,  it ran.", {"“Moreover,”  no.\tAt the same time,  it ran.", *MOREOVER}),
    ],
)
def test_substitutes(sentence: str, expected: set[str]) -> None:
    assert results(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "x",
        "🙂",
        "مرحبا",
        "It has plunged 13% since July.",
        "He has been here since 1998.",
        "It has been empty ever since.",
        "He has lived there, since he was a boy.",
        "Two years later he died.",
        "Yet another story, a short one, followed.",
        "Crowds only boo because they are bored.",
        "It was partly lost because it was heavy.",
        "He did not simply leave because he was ill.",
        "However hard he tried, it failed.",
        "It failed only because he slept.",
        "It was not cold, but it was wet.",
        "It comes once a year.",
        "It ran as soon as possible.",
        "He stayed until 1947.",
        "I'm sorry, but it is late.",
        "He knew everything but the answer she had given.",
        "Once there was a king.",
        "He was there earlier.",
        "After the war ended it ran.",
        "He is also tall.",
        "It is also called the Blue House.",
        "The screenplay, also written by him, is dull.",
        "On the contrary, it rose.",
        "Not only did he sing, he also danced.",
        "He logged in and then deleted it.",
        "Following the river, he ran.",
        "Before the court, he wept.",
        "After a while, she slept.",
        "After the next two days, we left.",
        "She was initially elected in May.",
        "It was then called Rome.",
        "It was due to the rain.",
        "It was not due to the rain.",
        "They get along with the neighbours.",
        "Eat rather than sleep.",
        "So thus far and no further.",
        "It stands elsewhere, such as in Rome.",
        "Finally",
    ],
)
def test_leaves_alone(sentence: str) -> None:
    assert results(sentence) == {None}


def test_replaces_one_marker_only() -> None:
    sentence = "However, it rained, for example, today."
    assert all(new.startswith("However") != ("for example" in new) for new in results(sentence))


def test_original_fidelity_gives_the_example_of_the_paper() -> None:
    sentence = "It has plunged 13% since July to around 26 cents a pound. A year ago ethylene sold for 33 cents"
    assert sentence.replace("since", "inasmuch as") in results(sentence, fidelity="original")


def test_long_text_is_quick() -> None:
    assert discourse_marker_substitution("However, it rained. " * 500, Random(0)) is not None
