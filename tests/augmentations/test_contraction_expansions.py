from random import Random

import pytest

from augcse.augmentations.rules.surface.contraction_expansions.rule import contraction_expansions


def rewrite(sentence: str) -> str | None:
    return contraction_expansions(sentence, Random(0))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        # "has" beside a participle that says what somebody has done, or that has an object
        ("He's won two medals.", "He has won two medals."),
        ("She's visited Paris.", "She has visited Paris."),
        ("It's taken years.", "It has taken years."),
        ("That's changed everything.", "That has changed everything."),
        ("He's visited by his mother.", "He is visited by his mother."),
        ("It's written in French.", "It is written in French."),
        ("Who's left?", "Who is left?"),
        # the published examples of NL-Augmenter
        ("Alex can't afford to buy that car", "Alex cannot afford to buy that car"),
        (
            "There is always another opportunity to be had down the road.",
            "There's always another opportunity to be had down the road.",
        ),
        ("You can go ahead, I'll join you later.", "You can go ahead, I will join you later."),
        ("He often doesn't come to school.", "He often does not come to school."),
        (
            "Right now, I'm not sure what to wear to the interview.",
            "Right now, I am not sure what to wear to the interview.",
        ),
        ("He is a doctor, but she's a teacher.", "He is a doctor, but she is a teacher."),
        # case and apostrophes
        ("I'm late.", "I am late."),
        ("i'm late", "i am late"),
        ("It won't rain.", "It will not rain."),
        ("Isn't.", "Is not."),
        ("IT ISN'T HERE", "IT IS NOT HERE"),
        ("We don’t know.", "We do not know."),
        ("Let's go.", "Let us go."),
        ("It ain't true.", "It is not true."),
        ("I ain't sure.", "I am not sure."),
        # 's and 'd by their context
        ("He's been there.", "He has been there."),
        ("She's already got it.", "She has already got it."),
        ("He's taken the book.", "He has taken the book."),
        ("It's called the Tower.", "It is called the Tower."),
        ("I'd like tea.", "I would like tea."),
        ("I'd never seen him.", "I had never seen him."),
        ("You'd better go.", "You had better go."),
        # without the apostrophe, cut by a tokeniser, with other apostrophes
        ("I dont know, youre right.", "I do not know, you are right."),
        ("i wont be there, it was his wont", "i will not be there, it was his wont"),
        ("it 's a film that does n't work .", "it is a film that does not work ."),
        ("there is n't much", "there is not much"),
        ("He ca n’t come.", "He cannot come."),
        ("You don`t know.", "You do not know."),
        ("True, it's.", "True, it is."),
        # questions keep their order
        ("Isn't he coming?", "Is he not coming?"),
        ("You're tired, aren't you?", "You are tired, are you not?"),
        ("Why don't you ask?", "Why do you not ask?"),
        ("Can't you see?", "Can you not see?"),
        # drawing together
        ("He is here.", "He's here."),
        ("it is not hot", "it isn't hot"),
        ("I am not sure.", "I'm not sure."),
        ("They are happy and we are too.", "They're happy and we are too."),
        ("We have seen it.", "We've seen it."),
        ("They cannot swim.", "They can't swim."),
        ("He had never seen it.", "He'd never seen it."),
        ("She has recently moved.", "She's recently moved."),
        ("Since 1990, it has been on display.", "Since 1990, it's been on display."),
        ("A man who had worked there knew.", "A man who'd worked there knew."),
        ("The man who is late waits.", "The man who's late waits."),
        ("There's still plenty of milk.", "There is still plenty of milk."),
        ("That  will not\tdo.", "That  won't\tdo."),
    ],
)
def test_rewrites(sentence: str, expected: str) -> None:
    assert rewrite(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Return same sentence when no contraction is present",
        "John's car is red.",
        "Yes, he is.",
        "I know who you are.",
        "I know how old he is today.",
        "Nor we are too.",
        "Don't you dare!",
        "He ran faster than they are able to.",
        "To do it is hard.",
        "We have a dog.",
        "He had a dog.",
        "He knew what he had found.",
        "A man who has doubts asks.",
        "It is not only cheap.",
        "The will is strong.",
        "'IT is growing'",
        "Don't the boys know?",
        "rock 'n' roll",
        "one truth, that is Shiva in all",
        "There's only 4 chairs.",
        "there's still lots of red hats",
        "",
        "x",
        "🙂",
        "مرحبا بالعالم",
    ],
)
def test_leaves_alone(sentence: str) -> None:
    assert rewrite(sentence) is None


def test_never_contracts_what_it_could_expand() -> None:
    assert rewrite("It isn't cold and it is not hot.") == "It is not cold and it is not hot."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [("Isn't he here?", "Is not he here?"), ("He's been there.", "He is been there."), ("Yes, he is so.", "Yes, he's so.")],
)
def test_original_fidelity_has_no_conditions(sentence: str, expected: str) -> None:
    assert contraction_expansions(sentence, Random(0), fidelity="original") == expected


def test_same_for_every_stream() -> None:
    assert {contraction_expansions("I'm here, he isn't.", Random(seed)) for seed in range(5)} == {"I am here, he is not."}


def test_long_text_is_quick() -> None:
    assert rewrite("he is a man and " * 700) is not None


def test_would_stays_before_a_base_form_that_is_the_participle_too() -> None:
    assert contraction_expansions("He would become king.", Random(0)) is None
    assert contraction_expansions("He would go home.", Random(0)) == "He'd go home."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The song \"Don't Be Cruel\" wasn't bad.", 'The song "Don\'t Be Cruel" was not bad.'),
        ("“Don’t Look Now” isn’t a comedy.", "“Don’t Look Now” is not a comedy."),
        ('He sang "That\'s the Beat of a Heart" twice.', None),
        # no titles: a clause has words in small letters, or an end mark
        ('"I\'m from Paris," she said.', '"I am from Paris," she said.'),
        ('He said "I\'m late" twice.', 'He said "I am late" twice.'),
        ('She asked "Isn\'t he Tom?"', 'She asked "Is he not Tom?"'),
    ],
)
def test_the_title_of_a_work_stays(sentence: str, expected: str | None) -> None:
    assert rewrite(sentence) == expected
