"""Capitalised words that name no person: parts of institutions, of books, of titles of works, of things called after somebody."""

from __future__ import annotations

import re

from augcse.augmentations.rules.lexical.gender_swap.her import previous_word
from augcse.lexicon.open import open_lexicon

_SENTENCE_START = re.compile(r"(?:\A|[.!?:]\s)[\s\"“'‘(\[]*\Z")
_CAPITAL_AFTER = re.compile(r"\.? ([A-Z][\w]*)")
_CAPITALS_AFTER = re.compile(r"(?:['’]s)?(?:,? (?:[A-Z][\w.'’-]*|&)){1,7}")
# A chapter, or a name made with the possessive: "John 19", "Martha's Vineyard".
_CHAPTER = re.compile(r" \d+(?:[:.]\d|\b)|['’]s? [A-Z]")
# "the Life of Brian", "the Legion of Mary".
_OF = re.compile(
    r"\b(?:(?:Acts|Adventures|Alphabet|Code|Autopsy|Ballad|Book|Chapel|Children|Church|Confessions|Congregation|Cult|Curse|Daughters|Death|Diary"
    r"|Dialogues|Epistle|Faces|Feast|Ghost|Gospel|House|Image|Journals|Key|Knights|Ladder|Lady|Legend|Legion|Letter|Life|Lives|Marriage"
    r"|Martyrdom|Murder|Mystery|Oblates|Order|Passion|Portrait|Prayer|Return|Secret|Shrine|Sisters|Society|Song|Songs|Sons|Star|Statue"
    r"|Story|Tale|Tales|Temple|Testament|Theater|Theatre|Times|Tomb|Travels|Trial|Tribe|Voice|Voyage|Works|Writings|[Tt]ribes?)"
    r" (?:of|to)|Perspective on"
    r"|(?:abbey|city|commune|county|diocese|district|duchy|isle|island|municipality|parish|port|province|river|ship|state|topic|town|village)"
    r" of|\d) \Z"
)
_CAPITAL_OF = re.compile(r"\b[A-Z][\w’-]+ of \Z")
_ORGANISATIONS = frozenset(
    """Abbey Academy Act Agency Airport Archive Archives Arena Army Association Avenue Award Awards Band Bank Barracks Base
    Basilica Bay Bible Boulevard Bowl Brewery Brewing Bridge Broadcasting Brothers Building Business Cabinet Canyon Castle
    Cathedral Cemetery Center Centre Chair Chapel Church Cinema Cinemas City Class Classic Clinic Club Coast Collection College
    Comics Commission Company Conservatory Corp Corporation Councils County Court Creek Cup Dam Diocese Disease District Division
    Drive Dynasty Ensemble Entertainment Estate Expedition Fair Falls Farm Fellow Fellowship Festival Field Films Fjord Forest
    Foundation Fund Gallery Garden Gardens Glacier Gold Group Hall Harbor Harbour Haus Heights High Highway Hill Hills Holding
    Holdings Home Hospital Hotel House Inc Industries Inlet Inn Institut Institute Institution International Island Islands
    Junction Laboratories Laboratory Lake Lakes Land Lane Law Lecture Lectures Library Limited Lodge Ltd Manor Market Medal
    Memorial Mill Mills Mine Mission Mosque Motors Mountain Mountains Museum Observatory Orchestra Organization Palace Papers
    Parade Parish Park Parkway Party Passage Peak Peninsula Pictures Place Plaza Point Port Prefecture Prep Press Prize
    Productions Professor Professorship Project Publishing Quartet Quintet Racing Railroad Railway Ranch Range Records Regiment
    Report Reservation Reserve Revue Ridge River Road Rock Scholarship School Schools Sea Seminary Series Show Shrine Society Sons
    Sound Springs Square Stadium State Station Store Stores Strait Street Studio Studios Syndrome Temple Terrace Theater Theatre
    Theorem Tower Towers Town Township Trail Trio Trophy Trust Tunnel Union University Valley Verlag Version Village Vineyard
    Vineyards Way Winery Wing Woods Works Zone Zoo""".split()
)
# Of these, which are surnames too: "James Hill" may be a person.
_SURNAMES_TOO = frozenset(
    """Banks Castle Church Fair Farm Field Forest Garden Gold Hall Hill Hills House Lake Land Lane Law Market Mill Mills Parish Park
    Point Price Rock Street Temple Town Towers Union Way Woods""".split()
)
_SURELY_ORGANISATIONS = _ORGANISATIONS - _SURNAMES_TOO
_AT_SAINT = re.compile(r"\b(?:at|for|from|in|near|of|on|the|to|with) St\.? \Z")
_SCRIPTURE = ("Gospel", "gospel", "Epistle", "epistle", "New Testament", "Old Testament", "Synoptic")
_EVANGELISTS = frozenset("Daniel Esther James Jeremiah John Jude Judith Luke Mark Matthew Paul Peter Ruth Samuel Thomas".split())
_PAGEANT = re.compile(
    r"\b(?:Miss|Mister|Mr|Ms|Mrs)\.? [A-Z](?=.*\b(?:[Pp]ageants?|titleholder|crowned|runner-up)\b)"
    r"|\b[Pp]ageant\b.*\bMiss\b|\bMiss (?:[A-Z]\w+ ){1,3}\d{4}\b"
)

_JOINTS = frozenset("of the and in a an to for on with at from vs de la del my".split())
_JOINT = rf"(?:{'|'.join(sorted(_JOINTS))})\b\.?"
_PART = re.compile(r"[A-Z\d][\w.'’&-]*")
_ENDING = re.compile(rf"(?:['’]s)?(?: (?:[A-Z\d][\w.'’&-]*|{_JOINT}(?= (?:{_JOINT} ){{0,2}}[A-Z\d])))*")
_KINDS = frozenset(
    """album albums anime ballet ballets band bands book books comedy comic comics docudrama documentary drama dramas duo episode episodes
    EP film films game games group hymn magazine manga melodrama miniseries movie movies musical musicals newspaper novel novella novels
    opera operas operetta painting play plays poem poems remake sculpture sequel series show shows single singles sitcom sitcoms soap
    song songs soundtrack steamboat steamer story titled entitled track tracks trilogy video videos western""".split()
)
_WORKS = rf"(?:{'|'.join(sorted(_KINDS))})\b"
_QUOTES = "\"“'‘"
_SUBTITLED = re.compile(r"\b(?:[A-Z]\w*|\d+): \Z")
_UNQUOTED = re.compile(r"[.,!?]?[\"”'’]")
_YEAR_AFTER = re.compile(rf" \((?:(?:18|19|20)\d\d[),;]|(?:\d{{4}} )?(?:TV |video )?{_WORKS})")
_IS_A_WORK = re.compile(
    rf"(?: \([^)]*\))?(?:,| is| was| are)(?: an?| the)? (?:[\w-]+ ){{0,6}}?{_WORKS}"
    r"(?:\.|,? (?:about|based|by|created|directed|from|of|produced|published|released|series|set|starring|that|which|written)\b)"
    r"| (?:premiered|aired|was (?:adapted|aired|broadcast|published|recorded|released|serialized))\b"
)
# Within a sentence, a capital such a word has only as the first of a title.
_OPENS_TITLE = re.compile(
    r"(?:The|An?|My|Our|Your|In|On|To|For|From|With|When|Where|What|Who|How|Why|If|All|Every|This|That|I|It|You|We|No|Not|Being|Meet) "
)
_NAMESAKE = re.compile(
    r"(?: [A-Z][\w’'-]*)?(?:['’]s (?:algorithm|conjecture|disease|equation|inequality|lemma|lymphoma|paradox|sarcoma|syndrome|theorem)"
    r"|[ -](?:award|class|classes|nominated|nomination|nominations|nominee|nominees|statuette|winning)\b| (?:awards|winners?|algorithm"
    r"|conjecture|disease|effect|equation|hypothesis|inequality|lemma|method|paradox|principle|process|scale|syndrome|theorem|transform)\b)"
)
# "the Henry Draper Catalogue"
_TWO_CAPITALS = re.compile(r"(?: [A-Z][\w.’-]+){2}")
# The country after a city: "in Nancy, France".
_PLACE_AFTER = re.compile(r", [A-Z]")
_QUOTED_NAME = re.compile(r"[A-Z][\w’-]+ [A-Z][\w’-]+[.,!?]?[\"”'’]")
# "John Smith's Life" is by him, and "Bridget Jones's Diary" is not.
_OWNED_TITLE = re.compile(r"(?: [A-Z][\w.-]+){0,2}['’]s [A-Z]")
_SPECIES_AFTER = re.compile(r" \([A-Z][a-z]+ [a-z]+\)")
_OWNED = re.compile(r"['’]s ((?:[a-z-]+ ?){1,3})")


def opens_sentence(text: str, start: int) -> bool:
    """Tell whether a word that starts there has its capital because of its place."""
    return _SENTENCE_START.search(text, max(0, start - 8), start) is not None


def next_capital(word: re.Match[str]) -> str:
    """Return the capitalised word directly after; "" where there is none."""
    found = _CAPITAL_AFTER.match(word.string, word.end())
    return found[1] if found else ""


def names_institution(word: re.Match[str], surely: bool = False) -> bool:
    """Tell whether the capitalised words after make an institution or a place of it; `surely`: whether no surname can be meant."""
    after = _CAPITALS_AFTER.match(word.string, word.end())
    if after is None:
        return False
    words = _SURELY_ORGANISATIONS if surely else _ORGANISATIONS
    return not words.isdisjoint(re.findall(r"\w+", after[0]))


def names_chapter(word: re.Match[str]) -> bool:
    """Tell whether a number or a possessive makes another name of it: "John 19", "Martha's Vineyard"."""
    return _CHAPTER.match(word.string, word.end()) is not None


def names_subject(word: re.Match[str]) -> bool:
    """Tell whether a book, an order or the like is called after the name: "the Gospel of John", "the Legion of Mary"."""
    text, start = word.string, word.start()
    if _OF.search(text, max(0, start - 22), start):
        return True
    # "the Bank of Casper"; a name with a surname may be a person's.
    found = _CAPITAL_OF.search(text, max(0, start - 30), start)
    return found is not None and not next_capital(word) and not opens_sentence(text, found.start())


def may_be_saint(word: re.Match[str]) -> bool:
    """Tell whether a name after "St." is the saint's own, not a church's or a town's: "St. Jerome wrote", not "at St. Jerome"."""
    if previous_word(word) != "St" or next_capital(word) or word.string[word.end() : word.end() + 1] in ("'", "’", "-"):
        return False
    return _AT_SAINT.search(word.string, max(0, word.start() - 12), word.start()) is None


def names_books(sentence: str, words: list[str]) -> bool:
    """Tell whether names may be those of books of the Bible: "the Gospels of Matthew and Luke"."""
    return any(book in sentence for book in _SCRIPTURE) and not _EVANGELISTS.isdisjoint(words)


def names_pageant(sentence: str) -> bool:
    """Tell whether a "Miss" may be a title won in a pageant."""
    return any(title in sentence for title in ("Miss", "Mister", "Mr", "Ms")) and _PAGEANT.search(sentence) is not None


def names_work(word: re.Match[str]) -> bool:
    """Tell whether a capitalised word stands in the title of a work, a band or the like: "the film The King's Breakfast".

    A title is a stretch of capitalised words, in quotation marks, after the word for its kind ("the sitcom"), before its year,
    with such a word as its predicate, or with an article at its head within a sentence.
    """
    text, start = word.string, _beginning(word)
    ending = _ENDING.match(text, word.end())
    end = ending.end() if ending else word.end()
    quoted = text[start - 1 : start] in _QUOTES and start > 0
    if quoted and " " in text[start:end] and _UNQUOTED.match(text, end):
        return True
    if _SUBTITLED.search(text, max(0, start - 20), start):
        return True
    if text[: start - quoted].rpartition(" ")[0].rpartition(" ")[2] in _KINDS or _YEAR_AFTER.match(text, end):
        return True
    if start == word.start() > 0:
        return False
    if opens_sentence(text, start):
        return start == 0 and _IS_A_WORK.match(text, end) is not None
    return _OPENS_TITLE.match(text, start) is not None


def may_name_work(word: re.Match[str]) -> bool:
    """Tell whether a given name may be a title or a person's all the same: "the play John wrote", "Alice Smith" in quotes."""
    if word.string[word.start() - 1 : word.start()] in tuple(_QUOTES) and _QUOTED_NAME.match(word.string, word.start()):
        return True
    if _OWNED_TITLE.match(word.string, word.end()):
        return True
    return not next_capital(word) and _beginning(word) == word.start() and names_work(word)


def names_thing(word: re.Match[str]) -> bool:
    """Tell whether a given name is that of a prize, a theorem, a species or a product: "the Oscar", "Vincent's bush squirrel"."""
    if _NAMESAKE.match(word.string, word.end()) or _SPECIES_AFTER.match(word.string, word.end()):
        return True
    before = previous_word(word).lower()
    if before == "the" and _TWO_CAPITALS.match(word.string, word.end()):
        return True
    if before in ("the", "in", "near", "from", "at", "to") and not next_capital(word):
        return before == "the" or _PLACE_AFTER.match(word.string, word.end()) is not None
    owned = _OWNED.match(word.string, word.end())
    return owned is not None and len(owned[1].split()) > 1 and any(_is_living(noun) for noun in owned[1].split()[1:])


def _is_living(noun: str) -> bool:
    lemmas = open_lexicon().lemmas(noun, "n")
    senses = [sense for lemma in lemmas[:1] for sense in open_lexicon().synsets(lemma, "n")[:1]]
    return any(sense.category in ("noun.animal", "noun.plant") for sense in senses)


def _beginning(word: re.Match[str]) -> int:
    """Return where the stretch of capitalised words begins that the word ends, with the small words between them."""
    text, place, start = word.string, word.start(), word.start()
    while place > 0 and text[place - 1] == " ":
        before = text.rfind(" ", 0, place - 1) + 1
        token = text[before : place - 1]
        place = before
        if token.lstrip("\"“'‘(") != token:
            stripped = token.lstrip("\"“'‘(")
            return before + len(token) - len(stripped) if _PART.fullmatch(stripped) else start
        if _PART.fullmatch(token):
            start = before
        elif token not in _JOINTS:
            break
    return start
