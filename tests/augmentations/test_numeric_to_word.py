import subprocess
import sys
from random import Random

import pytest

from augcse.augmentations.rules.surface.numeric_to_word.rule import numeric_to_word


def read(sentence: str) -> str | None:
    return numeric_to_word(sentence, Random(0))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("a 50-50 chance", "a fifty-fifty chance"),
        # cardinals, decimals, signs, leading zeros
        ("Please buy me 20 apples", "Please buy me twenty apples"),
        ("1,234 people came.", "One thousand two hundred and thirty-four people came."),
        (
            "a total of 1234567",
            "a total of one million two hundred and thirty-four thousand five hundred and sixty-seven",
        ),
        ("pi is 3.14", "pi is three point one four"),
        ("it was -5 outside", "it was minus five outside"),
        ("agent 007", "agent zero zero seven"),
        ("a 4-digit code", "a four-digit code"),
        ("10-15 men", "Ten to fifteen men"),
        # ordinals
        ("the 3rd time", "the third time"),
        ("the 21st century", "the twenty-first century"),
        ("on 5th Avenue", "on Fifth Avenue"),
        # years and decades
        ("in 1998", "in nineteen ninety-eight"),
        ("It rose 5% in 2004.", "It rose five percent in two thousand and four."),
        ("the 1960 elections", "the nineteen sixty elections"),
        ("the war (1939-1945)", "the war (nineteen thirty-nine to nineteen forty-five)"),
        ("the 1998–99 season", "the nineteen ninety-eight to ninety-nine season"),
        ("the 1990s", "the nineteen nineties"),
        ("in his 20s", "in his twenties"),
        ("about 1500 people", "about one thousand five hundred people"),
        ("there were 2000 soldiers", "there were two thousand soldiers"),
        # dates
        ("May 5, 2021", "May fifth, twenty twenty-one"),
        ("on 5 May 2021", "on the fifth of May twenty twenty-one"),
        ("on 12/05/2021", "on December fifth, twenty twenty-one"),
        ("on 14/07/2021", "on July fourteenth, twenty twenty-one"),
        ("on 2021-05-12.", "on May twelfth, twenty twenty-one."),
        ("on 2 October 534", "on the second of October five thirty-four"),
        ("from 3–5 June", "from the third to the fifth of June"),
        # times
        ("at 7:30 am", "at seven thirty am"),
        ("at 7:30pm, not 7.05p.m.", "at seven thirty pm, not seven oh five p.m."),
        ("at 18:00", "at eighteen hundred hours"),
        ("at 7:05", "at seven oh five"),
        ("at 8pm", "at eight pm"),
        # money
        ("It costs $4.50.", "It costs four dollars and fifty cents."),
        ("It costs £3", "It costs three pounds"),
        ("a €2m fine", "a two million euro fine"),
        ("worth $1.2 million", "worth one point two million dollars"),
        ("a US$5 note", "a five US dollar note"),
        ("¥500", "Five hundred yen"),
        ("$5-10 million was lost", "Five to ten million dollars was lost"),
        # percentages, fractions, units
        ("12% of it", "Twelve percent of it"),
        ("10-15% more", "Ten to fifteen percent more"),
        ("3/4 of it", "Three quarters of it"),
        ("1/2 cup", "One half cup"),
        ("2 1/2 cups", "Two and a half cups"),
        ("run 5km", "run five kilometers"),
        ("run 1 km", "run one kilometer"),
        ("a 5 km race", "a five kilometer race"),
        ("at 60 mph", "at sixty miles per hour"),
        ("it is 20°C", "it is twenty degrees Celsius"),
        ("30 km² of land", "Thirty square kilometers of land"),
        # phone numbers, formulas, number signs
        ("call 555-1234", "call five five five, one two three four"),
        ("call 911 now", "call nine one one now"),
        ("call 1300 123 456 now", "call one three zero zero, one two three, four five six now"),
        ("phone (02) 9374 1234.", "phone zero two, nine three seven four, one two three four."),
        ("Tel: 800.555.1234", "Tel: eight zero zero, five five five, one two three four"),
        ("It is +49 30 1234567.", "It is plus four nine, three zero, one two three four five six seven."),
        ("the best smartphone 2016", "the best smartphone twenty sixteen"),
        # ranges
        ("500-1000 men came", "Five hundred to one thousand men came"),
        ("it fell 5.5%-6% there", "it fell five point five to six percent there"),
        ("the 1998/99 season", "the nineteen ninety-eight to ninety-nine season"),
        ("at 7-8pm", "at seven to eight pm"),
        ("it was split 60:40", "it was split sixty to forty"),
        ("on january 30 , 1972 in derry", "on january thirtieth , nineteen seventy-two in derry"),
        # what a tokeniser parted, and codes
        ("dd5 . 1 sounds good .", None),
        # what a tokeniser leaves of numbers and units
        ("He paid $500, 000 there.", "He paid five hundred thousand dollars there."),
        ("at 70 m.p.h. there", "at seventy m.p.h. there"),
        ("2 + 2 = 4", "Two plus two equals four"),
        ("3×4=12", "Three times four equals twelve"),
        ("p < 0.05", "p is less than zero point zero five"),
        ("6 ÷ 2", "Six divided by two"),
        ("No. 5 wins", "Number five wins"),
        ("he is #5", "he is number five"),
        ("Amendment No 7 was proposed.", "Amendment number seven was proposed."),
        ("only # 2 died", "only number two died"),
        ("in 1825/1826 or mid-1961", "in eighteen twenty-five to eighteen twenty-six or mid-nineteen sixty-one"),
        ("Eagles 6–0, 1986 results, before about 1940.", "Eagles six to zero, nineteen eighty-six results, before about nineteen forty."),
        ("bought in about 1940, when", "bought in about nineteen forty, when"),
        ("the region of 300 , 000 people", "the region of three hundred thousand people"),
        ("a $100 U.S. bond", "a one hundred dollar U.S. bond"),
        ("He raises $22.5 Million", "He raises twenty-two point five Million dollars"),
        ("Rs. 500 is enough", "Five hundred rupees is enough"),
        ("call me at 555-0182", "call me at five five five, zero one eight two"),
        ("It gets an 8/10 from me", "It gets an eight out of ten from me"),
        ("about 3/10 of it", "about three tenths of it"),
        # what would be said of another number, or beside a noun in the singular
        ("between 100 and 200 people", "between one hundred and two hundred people"),
        ("from 5 to 9 August 2009", "from the fifth to the ninth of August two thousand and nine"),
        ("on 27 and 28 May they sent", "on the twenty-seventh and the twenty-eighth of May they sent"),
        ("an estimated $50 million.", "an estimated fifty million dollars."),
        ("another $20 a week", "another twenty dollars a week"),
        # scores between names, decimals that a tokeniser parted, more than a number
        ("on 1-19 July", "on the first to the nineteenth of July"),
        # times of machines, marks of the web, names of planes, a scale in letters
        ("several key 9-11 figures", None),
        ("a $200 mil deal", "a two hundred million dollar deal"),
        # records, standards, signs
        # spacing stays
        ("a  5\tb", "a  five\tb"),
        ("It ended. 5 men left.", "It ended. Five men left."),
    ],
)
def test_reads(sentence: str, expected: str) -> None:
    assert read(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "one",
        "I <3 you.",
        "It costs 5€ or 20 € per month.",
        "R$ 20 is enough.",
        "5 000 people came.",
        "Press 1\ufe0f\u20e3 for sales.",
        "It lies above 10⁻³ M.",
        "His number is 555-1234.",
        "1. Open the box. 2. Remove the foil.",
        "1) Open it 2) Close it",
        "No numbers here.",
        "the B52 flew",
        "Section 4(2) applies",
        "As shown [28], it is (1) cheap and (2) fast.",
        "2 ) storage capacity",
        "My iPhone 4 broke.",
        "an iPhone 6s",
        "COVID-19 spread",
        "H2O and mp3 on A4",
        "version 1.2.3",
        "at 192.168.0.1",
        "see http://a.com/12?b=5",
        "a Boeing 747",
        "in 3D",
        "two Boeing 787s",
        "an ISO 9001 audit",
        "John 3:16",
        "after 9/11",
        "won 6-3-2",
        "🙂",
        "٣ كتب",
    ],
)
def test_leaves_alone(sentence: str) -> None:
    assert read(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("In 1958, Explorer 1 was first.", "In nineteen fifty-eight, Explorer 1 was first."),
        ("He filed a Form 1040 again", None),
        ("the Standard & Poor's 500 Index fell", None),
        ("2 . you have to clean it", None),
        ("it fails when 1 ) recording 2 ) stopping", None),
        ("it costs $1. 75 today", None),
        ('He saw "Scream 3" again', None),
        ("It is on the PlayStation 2 and others", None),
        ("They saw Apollo 9's orbit", None),
        ("it was bought in london 20 years ago", "it was bought in london twenty years ago"),
        ("With Service Pack 2 and more", None),
        ("They have 10-15 wins", "They have ten to fifteen wins"),
        ("Games like Half-Life 2, or Halo 2 on Xbox, cost money", None),
        ("They cruised to a 6-4 win over the town", "They cruised to a six-to-four win over the town"),
        ("She scored 27 in a 61-48 win.", "She scored twenty-seven in a sixty-one-to-forty-eight win."),
        ("It was a 2-2 draw after 90 minutes.", None),
        ("Does Windows 7 still work?", None),
        ("He put Android 12 here on 3 phones.", "He put Android 12 here on three phones."),
        ("In Chicago 7 people died.", "In Chicago seven people died."),
        ("The iPhone and Python 3 too failed.", None),
        ("It weighed 410 gm. in 1950", "It weighed four hundred and ten grams in nineteen fifty"),
        ("On Monday, Sept. 20: the men ran", "On Monday, Sept. twentieth: the men ran"),
        ("at the tile of Beta 5's release", None),
        ("in Formula Renault 2.0 with him", None),
        ("the 100-yard dash", "the one-hundred-yard dash"),
        ("a 230-seat house", "a two-hundred-and-thirty-seat house"),
        ("under section 51(xxvi) of it", None),
        # Half of a range, labels, and signs beside a number.
        ("both paragraphs 1 (B) and 1 (C) of 3 pages", "both paragraphs 1 (B) and 1 (C) of three pages"),
        ("3 For his next house he took 4 men.", "3 For his next house he took four men."),
        ("In London 25 people died", "In London twenty-five people died"),
        ("In all of London 25 were hurt", "In all of London twenty-five were hurt"),
        ("They beat Denver 9 to 6", "They beat Denver nine to six"),
        ("the Awards 60-year blog", "the Awards sixty-year blog"),
        ("on Monday 3 of us", "on Monday three of us"),
        ("Article 4 states", "Article four states"),
        ("on May 5 and 12 people came", "on May fifth and twelve people came"),
        ("on those 1993 records", "on those nineteen ninety-three records"),
        ("of those 1200 men", "of those one thousand two hundred men"),
        # what a tokeniser or a line's end has parted
        ("i have about 7 , 500 songs", "i have about seven thousand five hundred songs"),
        ("a divorced woman in her 30 's", "a divorced woman in her thirties"),
        ("for ages 7 - 17 there", "for ages seven to seventeen there"),
        ("She scored 6. 5 out of 9", "She scored 6. 5 out of nine"),
        ("it was only $ 39 . 99 after 3 weeks", "it was only $ 39 . 99 after three weeks"),
        ("The decision overturns a 199...", None),
        # lists, addresses, catalogues, citations
        ("4- looks great", None),
        ('"1. What is it?"', None),
        ("2 the camera is small", None),
        ("a sonata (K. 526) in A", None),
        ("In Helvering v. Horst, 311 U.S. 112 was cited", None),
        ("Ca 2 + is an ion", None),
        # titles and inscriptions, not what is said
        ('the "15 Best Songs of 2014" list', None),
        ('He said "I paid 20 dollars," and left', 'He said "I paid twenty dollars," and left'),
        # patents, sides, hours, wards; years before a subject
        ("It rose by 6.3 points", "It rose by six point three points"),
        ('"54" is a film', None),
        ("Joe Dirt 2: Beautiful Loser", None),
        # notes of money, and years that count nothing
        ("They ban Rs 500 notes", "They ban five hundred rupee notes"),
        ("the only 1933 double eagle", "the only nineteen thirty-three double eagle"),
        ("from then to approximately 1950.", "from then to approximately nineteen fifty."),
        ("It sold 1.2m copies", "It sold one point two million copies"),
        ("call 634 - 6102 now", "call six three four, six one zero two now"),
        ("It was shown by 2 men, Dauenhauer et al. (2016).", None),
        ("He wrote 2 books (London, 1819) there", None),
        ("Should I buy the IPhone 6s or 3 others", "Should I buy the IPhone 6s or three others"),
        ("the study of Pyron and Wiens (2011) has 3 parts", None),
        ("Levinson (1983: 12) lists 5 maxims", None),
        ("observed at 4.3 mm by Coates (1959) and at 8 mm", None),
        ("the software Microsoft Office 2003 has 3 parts", "the software Microsoft Office 2003 has three parts"),
        ("the war began. Since 2001 it has grown", "the war began. Since two thousand and one it has grown"),
        ("It rose 5% (Herder and Herder, N.Y., 1971) there", None),
        ("It rose 5% (Warren 2003: 174) there", None),
        ("Built to last, Porras, J. L. (1995), sold 5 copies", None),
        ("the 2 letters (p. 63) there", None),
        ("the war (May 5, 2021) there", "the war (May fifth, twenty twenty-one) there"),
        ("below January's 129 mln and 7 others", "below January's one hundred and twenty-nine mln and seven others"),
        ("it was significant (p <.05)", "it was significant (p is less than zero point zero five)"),
    ],
)
def test_names_and_double_measures(sentence: str, expected: str | None) -> None:
    assert read(sentence) == expected


@pytest.mark.parametrize("text", ["1" * 10_000, "1" * 9_000 + ".5", "1" * 9_000 + "th", "1-" * 5_000, "a1." * 3_000, "1," * 5_000])
def test_long_runs_are_safe(text: str) -> None:
    read(text)


def test_long_texts_are_quick() -> None:
    assert read("5 km, 3/4 at 7:30 - " * 500) is not None


def test_import_does_not_load_num2words() -> None:
    code = "import sys, augcse.augmentations.rules.surface.numeric_to_word.rule; sys.exit('num2words' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
