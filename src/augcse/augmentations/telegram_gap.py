"""Whether a telegram leaves out what its words cannot do without, judged by the words that stand beside the kept ones.

The parser gives many a complement to the wrong head; what stands right behind a verb or right before a noun is surer than its labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from augcse.annotation.parse import Parse
from augcse.augmentations.clause_doubt import CAUSING, is_sound
from augcse.augmentations.noun_words import MONTHS, chunk_end, chunk_start, is_named
from augcse.augmentations.phrase import FINITE_TAGS, Tree
from augcse.augmentations.telegram import AS_VERBS, NAMING, SUBJECTS, Piece, has_finite_verb, particles
from augcse.lexicon.base import POS, Pos

_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_OPENING_TAGS = _NOUN_TAGS | {"DT", "PDT", "PRP", "PRP$", "CD", "JJ", "JJR", "JJS", "$", "EX", "WP", "WDT"}
_NEEDING_AS = frozenset("view regard see treat perceive describe define classify recognize recognise refer".split())
_RESULTING = frozenset("keep find leave render deem get hold think believe paint drive turn set".split())
_SEPARATED = frozenset({"down", "up", "out", "off", "away", "back", "apart", "behind", "together", "home", "aside", "over"})
_SAID_TO = frozenset("similar identical equal parallel analogous adjacent contrary prone subject due akin equivalent comparable".split())
_TRANSITIVE = frozenset("do make have get take give put bring hold use find include contain involve say".split())
_REPORTING = frozenset("claim argue say state report announce suggest write note explain believe think agree conclude insist warn".split())
_GOALS = frozenset({"to", "through", "until", "till", "into"})
_ANNOUNCED = frozenset({"that", "whether", "if", "how", "why", "what", "who", "as", "where", "when", "for"})
_NEVER_BEFORE_SUBJECT = frozenset({"FW", "VB", "VBZ", "VBP", "MD", "POS", "WDT", "WP", "WP$", "HYPH", "LS", "SYM"})
# Said of nothing, these nouns say nothing.
_PARTITIVES = frozenset("lot kind type sort form part variety range number majority half couple rest amount piece total fraction".split())
_TITLES = frozenset("fr dr mr mrs ms rev hon gen col lt capt sgt st prof sr jr no vol ca sir".split())
_TIMES = frozenset(
    "year month week day time decade century season morning evening night hour minute summer winter today date period era moment weekend spring autumn fall age stage".split()
)
_LASTING = frozenset("last take spend wait serve run require need have continue devote waste endure survive".split())
_INTRANSITIVE = frozenset("work live go come die appear arrive happen occur sit stand tour travel serve".split())
# Nouns of adverbials and fixed phrases: "toured three times", "side by side", "for instance".
_ADVERBIAL_NOUNS = frozenset(
    "time times side mind instance addition fact order turn way hand manner fashion others other bit spite".split()
)
# Nouns of prepositions in several words: "on account of", "with regard to".
_PREPOSITIONAL_NOUNS = frozenset(
    "account regard respect view terms term accordance favor favour front light charge conjunction connection contrast behalf course"
    " place effect use control sight mercy expense cost face wake event search need response relation reference terms result way pursuit"
    " support defense defence honor honour memory exchange return contact touch line keeping collaboration cooperation association"
    " partnership addition comparison proximity".split()
)
_ASKING = frozenset("what which who whom whose that how why".split())
_COUNTLESS = frozenset({"dozens", "hundreds", "thousands", "millions", "billions"})
_LINKING = frozenset({"conj", "parataxis"})
# Without their object, or a complement with a preposition, these verbs say nothing.
_HUNGRY = frozenset(
    "do make have get take give put place set lay keep hold bring bear base compose comprise consist attribute ascribe credit know consider"
    " regard refer associate suspect accuse charge influence force cause lead situate locate surround relate link connect derive depend"
    " rely belong result suffer act serve function behave tend seek aim intend want need try become seem remain feel sound look"
    " turn mean involve include contain represent constitute allow enable permit require ask tell say think believe suppose call"
    " name tend manage fail refuse decide agree claim state note describe follow precede accompany replace characterize equip"
    " say affect cover subject expose dedicate devote limit restrict confine convict inspire use see view treat address convert"
    " transform design destine mention feature qualify contribute lie stand range vary differ amount correspond concern own possess"
    " cast attach entitle own oppose divide split combine merge date name render deem label rank rate title dub determine enter"
    " reach join leave lose win find meet beat defeat face hit cut let run help ".split()
)
# Said of something without more, in the passive: "a film was made", "the village was founded".
_PASSIVE_ENOUGH = frozenset(
    "make see find lose cut replace destroy win hit use cover divide split cast combine merge design convert mention join start stop address"
    " begin continue hold meet beat defeat determine split require include run say feature render expose need decide state note limit"
    " restrict involve take convict accuse".split()
)
# Of these the passive alone is half of what is said.
_PASSIVE_HUNGRY = frozenset("divide split cast convert design use require convict accuse take include say involve combine merge".split())
_DIRECTED = frozenset(
    "put place base attribute ascribe prevent deprive rid compare convert transform turn devote associate equate distinguish confuse subject"
    " expose accuse convict remind inform mistake substitute restrict limit owe divide split combine merge relate link connect set send"
    " lead drive force attach assign transfer translate regard render deem declare throw push keep leave bring".split()
)
_URGING = frozenset(
    "charge help get want need like prove believe consider find warn teach invite urge advise train hire instruct drive".split()
)
_DIRECTIONS = frozenset("to into in on onto from of with for against as between among out off under at within inside over".split())
_WEAKENING = frozenset(
    "almost nearly hardly barely scarcely rarely seldom virtually allegedly supposedly reportedly apparently possibly probably perhaps"
    " theoretically formerly nominally ostensibly too neither nor unsuccessfully falsely wrongly mistakenly insufficiently"
    " infrequently partially partly partway".split()
)
_PRIVATIVE = frozenset(
    "former fake false alleged supposed so-called would-be possible potential unlikely few little fewer less purported"
    " apparent hypothetical fictional imaginary fictitious mock pseudo attempted failed planned proposed ex least no".split()
)
_COMPARING = frozenset({"more", "most", "less", "least", "so", "as", "too", "enough", "equally", "not", "that", "how"})
_EMPTY_PREDICATES = frozenset(
    "much many more less such same enough other last first own due possible necessary important clear true second third fourth fifth sixth seventh eighth ninth tenth way reason idea case fact".split()
)
_PREPOSITION_TAGS = frozenset({"IN", "TO", "RP"})
_CLAUSE_OPENERS = frozenset(
    "because while when if although though whereas unless since until till once before after whilst lest where whenever wherever".split()
)
_FREE_GERUND = frozenset(
    {"by", "while", "after", "before", "without", "when", "since", "upon", "on", "until", "despite", "if", "though", "through"}
)
_PERCEIVING = frozenset(
    "involve entail picture depict have get find leave keep see make hear want need catch watch feel notice let help bid".split()
)
_LOOSE_ADVERBS = frozenset(
    "home abroad together well badly far away back forward forwards ahead apart east west north south northeast northwest southeast"
    " southwest up down out off in around behind alone there here elsewhere better best worse upstream downstream about over".split()
)


def lacks_words(tree: Tree, heads: list[int], pieces: Sequence[Piece]) -> bool:
    """Tell whether the telegram of these clauses lacks half of a name, number, coordination or fixed phrase, or a complement."""
    kept = {place for piece in pieces for place in piece.places}
    if len(heads) > 1 or _is_torn(tree, kept) or _changes_sense(tree, pieces, kept):
        return True
    if _is_disordered(pieces) or _announces(tree.parse, pieces):
        return True
    nouns = [piece for piece in pieces if piece.kind == "noun"]
    clauses = [piece.head for piece in pieces if piece.kind == "verb"]
    subjects = {place for clause in clauses for place in tree.children(clause, *SUBJECTS) if place < clause}
    if any(_is_partial(tree, piece, kept, subjects) for piece in nouns):
        return True
    return any(_lacks_complement(tree, clause, kept) or (clause not in heads and _is_doubtful(tree, clause)) for clause in clauses)


def _is_disordered(pieces: Sequence[Piece]) -> bool:
    """Tell whether words would be said twice or in another order than the text's."""
    places = [place for piece in pieces for place in piece.places]
    heads = [piece.head for piece in pieces if piece.kind == "noun"]
    return len(places) > len(set(places)) or heads != sorted(heads)


def _announces(parse: Parse, pieces: Sequence[Piece]) -> bool:
    """Tell whether the subject "it" stands for a clause that would be left out."""
    last = max(place for piece in pieces for place in piece.places)
    behind = parse.tokens[last + 1 : last + 2]
    return pieces[0].text.lower() == "it" and bool(behind) and (behind[0] in _ANNOUNCED or parse.tags[last + 1] == "TO")


def _is_torn(tree: Tree, kept: set[int]) -> bool:
    """Tell whether half of a coordination would be kept, or a word that leads to what is not."""
    parse = tree.parse
    for place, token in enumerate(parse.tokens):
        if place in kept and (_is_joined(tree, place, kept) or (parse.tags[place] == "RB" and token.endswith("ly"))):
            return True
        if parse.tags[place] in FINITE_TAGS and parse.deps[parse.clause_head(place)] in _LINKING:
            return True
        if place in kept and (token.lower() in _ASKING | _COUNTLESS or parse.tags[place] == "$" or token == "%"):
            return True
    text = "".join(parse.tokens[place] for place in kept)
    return text.count("(") != text.count(")") or '"' in parse.text or _is_in_brackets(parse, kept)


def _is_in_brackets(parse: Parse, kept: set[int]) -> bool:
    opened = 0
    for place, token in enumerate(parse.tokens):
        opened += (token in ("(", "[")) - (token in (")", "]"))
        if opened > 0 and place in kept:
            return True
    return False


def _is_joined(tree: Tree, place: int, kept: set[int]) -> bool:
    """Tell whether a word is coordinated; the words of one name, which the parser labels so at times, have no "and"."""
    return any(tree.children(child, "cc") or child not in kept for child in tree.children(place, "conj"))


def _changes_sense(tree: Tree, pieces: Sequence[Piece], kept: set[int]) -> bool:
    """Tell whether a left out modifier turns the sense: "hardly", "former", "few", "more common than"."""
    parse = tree.parse
    for piece in pieces:
        below = [place for place in tree.dependents[piece.head] if place not in kept]
        words = {parse.tokens[place].lower() for place in below if parse.has_label(place, "amod", "advmod", "det", "cc", "nummod")}
        if piece.kind in ("noun", "verb") and words & (_WEAKENING | _PRIVATIVE):
            return True
        if parse.tags[piece.head].startswith("JJ") and (words & _COMPARING or parse.tags[piece.head] == "JJR"):
            return True
    return False


def _is_partial(tree: Tree, piece: Piece, kept: set[int], subjects: set[int]) -> bool:
    """Tell whether a kept noun goes on beside what is kept of it, or stands behind a preposition or "and" that is not kept."""
    parse, first, last = tree.parse, min(piece.places), max(piece.places)
    following = parse.tags[last + 1] if last + 1 < len(parse) else "."
    if following in _NOUN_TAGS | {"HYPH", "AFX"} and (piece.head in subjects or not _is_apposition(tree, piece, last + 1)):
        return True
    if (
        following in ("JJ", "VBG", "CD")
        and parse.tags[last + 2 : last + 3]
        and parse.tags[last + 2] in _NOUN_TAGS
        and piece.head in subjects
    ):
        return True
    if following in ("POS", "CC") or parse.tokens[first] in ("'d", "’d") or (following == "CD" and parse.tokens[last].istitle()):
        return True
    start = chunk_start(parse, first)
    before = parse.tags[start - 1] if start > 0 else "."
    if before == "CC" and start > 1:
        return True
    if piece.head in subjects and (before in _NEVER_BEFORE_SUBJECT or (before in ("IN", "TO") and parse.deps[start - 1] != "mark")):
        return True
    if _is_no_noun(parse, piece.head):
        return True
    if before == "IN" and piece.head not in subjects and start - 1 not in kept and parse.tokens[start - 1].lower() != "than":
        return True
    if parse.tokens[last].lower().rstrip(".") in _TITLES or (piece.head in subjects and _is_late(parse, start)):
        return True
    if parse.lemmas[piece.head].lower() in _PARTITIVES and following == "IN" and last + 1 not in kept:
        return True
    named = is_named(parse, piece.head) and parse.tokens[start].lower() in ("a", "an")
    if named and last + 1 < len(parse) and parse.tokens[last + 1] == ",":
        return True  # "a Kiln, Mississippi, quarterback"
    counted = parse.tags[last] == "CD" and parse.tokens[last + 1 : last + 2] and parse.tokens[last + 1].isalpha()
    if counted and following not in ("IN", "TO", "CC", "VBD", "VBZ", "VBP", "VBN", "VBG", "MD", "RB", "WDT", "WRB", "WP"):
        return True  # "150 g"
    if piece.head in subjects and following == "JJ":
        return True
    if following == "VBG" and parse.tokens[last + 2 : last + 3] == ("of",):
        return True  # "her singles ranking of"
    if parse.tokens[piece.head] in ("percent", "%") and parse.tags[first] != "CD":
        return True
    pointing = parse.tags[piece.head] == "DT" and (following in ("WP", "WDT", "VBN", "VBG") or parse.tokens[piece.head].lower() == "those")
    return parse.tags[piece.head] == "RB" or pointing or _is_headless(tree, piece) or _is_adverbial(tree, piece, last)


def _is_no_noun(parse: Parse, head: int) -> bool:
    """Tell whether the tagger calls a word a noun that the dictionary knows as another part of speech only."""
    word = parse.tokens[head]
    return parse.tags[head] in ("NN", "NNS") and word.islower() and not word.endswith("ing") and not _can_be(word, "n")


def _is_no_verb(parse: Parse, head: int) -> bool:
    return parse.tags[head].startswith("VB") and not _can_be(parse.tokens[head].lower(), "v")


@lru_cache(maxsize=20_000)
def _can_be(word: str, pos: Pos) -> bool:
    """Tell whether a word of the dictionary can be of this part of speech; a word it lacks can."""
    from augcse.lexicon.open import bundled_lexicon

    lexicon = bundled_lexicon()
    return bool(lexicon.lemmas(word, pos)) or not any(lexicon.lemmas(word, other) for other in POS)


def _is_late(parse: Parse, start: int) -> bool:
    """Tell whether a list may go on in the subject: two commas stand before it, and no pronoun begins it."""
    if (
        parse.tags[start].startswith("NNP")
        and parse.tokens[start - 1] == ","
        and parse.tags[start - 2].startswith("NNP")
        and parse.tokens[start - 2].lower() not in MONTHS
    ):
        return start > 4  # "in Holmdel Township, New Jersey had built"
    commas = sum(parse.tokens[place] == "," and parse.tags[place - 1] != "CD" for place in range(1, start))
    return commas > 1 and parse.tokens[start - 1] == "," and parse.tags[start] not in ("PRP", "PRP$", "DT", "NNP", "NNPS")


def _is_apposition(tree: Tree, piece: Piece, place: int) -> bool:
    """Tell whether a name stands behind the noun that says what it is: "the general Ricimer"."""
    named = tree.parse.tags[place] in ("NNP", "NNPS") and tree.parse.tokens[place][0].isupper()
    return (
        named and not tree.parse.tokens[piece.head][0].isupper() and tree.parse.heads[place] in (piece.head, *tree.dependents[piece.head])
    )


def _is_adverbial(tree: Tree, piece: Piece, last: int) -> bool:
    """Tell whether a kept complement is an adverbial or one of the fixed phrases that mean something only as a whole."""
    parse, head = tree.parse, piece.head
    if parse.has_label(head, *SUBJECTS):
        return False
    bound = parse.lemmas[head].lower() in _PREPOSITIONAL_NOUNS and parse.tags[last + 1 : last + 2] in (("IN",), ("TO",))
    if bound and tree.children(head, "case") and _is_bare(tree, head):
        return True
    if not parse.has_label(head, "obj", "obl"):
        return False
    if parse.tokens[last + 1 : last + 3] in (("in", "mind"), ("by", parse.tokens[last])) or parse.tags[head].startswith("JJ"):
        return True
    if parse.lemmas[head].lower() in _TIMES and not tree.children(head, "case"):
        return parse.lemmas[parse.heads[head]].lower() not in _LASTING
    if parse.has_label(head, "obj"):
        return (
            parse.tags[head] == "CD"
            or parse.lemmas[head].lower() in ("way", "time", "thanks")
            or parse.lemmas[parse.heads[head]].lower() in _INTRANSITIVE
        )
    if parse.tokens[last + 1 : last + 2] and parse.tokens[last + 1] in ("after", "before", "later", "ago", "since", "earlier"):
        if parse.lemmas[head].lower() in _TIMES | {"cycle", "mile", "lap"}:
            return True
    lemma = parse.lemmas[head].lower()
    if lemma in _TIMES and not (parse.tags[min(piece.places)] == "CD" or is_named(parse, head)):
        return True  # "on the same day"
    if lemma in _ADVERBIAL_NOUNS:
        return True
    return not tree.children(head, "case")


def _is_headless(tree: Tree, piece: Piece) -> bool:
    """Tell whether an adjective stands for a noun that is not there, but for superlatives: "one of the best"."""
    return tree.parse.tags[piece.head] in ("JJ", "JJR") and tree.parse.has_label(piece.head, "nmod")


def _is_bare(tree: Tree, head: int) -> bool:
    return not tree.children(head, "det", "nmod:poss", "amod")


def _is_doubtful(tree: Tree, clause: int) -> bool:
    """Tell whether a kept subordinate clause has no subject of its own, one that does not agree, or an opening that is left out."""
    parse = tree.parse
    if parse.tags[clause] == "VBN" and not tree.children(clause, "aux", "cop", "nsubj"):
        return True
    if parse.tags[clause] == "VBG" and (parse.heads[clause] < clause - 3 or tree.children(parse.heads[clause], "aux:pass", "obj")):
        return True
    opening = {parse.tokens[place].lower() for place in tree.children(clause, "mark")}
    if any(parse.tags[place].startswith("W") for place in range(parse.heads[clause] + 1, clause)):
        return True
    finite = has_finite_verb(tree, clause)
    subjects = tree.children(clause, *SUBJECTS)
    return bool(opening - {"that", "to"}) or finite != bool(subjects) or (finite and not is_sound(tree, clause))


def _lacks_complement(tree: Tree, clause: int, kept: set[int]) -> bool:
    """Tell whether the telegram leaves out what stands right behind the verb, or what the verb cannot do without."""
    parse = tree.parse
    if _is_no_verb(parse, clause) or _is_far(tree, clause) or any(place > clause for place in tree.children(clause, "aux", "cop")):
        return True
    if _negates_more(tree, clause):
        return True
    if tree.children(clause, "cop"):
        return _lacks_predicate(tree, clause, kept)
    if _is_split(tree, clause):
        return True
    behind = max([clause, *(place for place in particles(tree, clause) if place < clause + 4)]) + 1
    adverbs = behind
    while behind < len(parse) and parse.tags[behind] in ("RB", "RBR", "RBS") and parse.tokens[behind].lower() not in ("not", "n't"):
        behind += 1
    bare = not any(place in kept for place in range(clause + 1, len(parse)) if place not in particles(tree, clause))
    if _goes_on_to(tree, clause, kept):
        return True
    if bare and any(parse.tokens[place].lower() in _LOOSE_ADVERBS for place in range(adverbs, behind)):
        return True
    passive = bool(tree.children(clause, "aux:pass"))
    if bare and passive and any(parse.tokens[place].lower() == "it" for place in tree.children(clause, *SUBJECTS)):
        return True
    if bare and _is_hungry(parse.lemmas[clause].lower(), passive):
        return True
    participle = parse.tags[behind : behind + 1] in (("VBN",), ("VBD",)) or parse.tokens[behind].endswith("ed")
    if parse.lemmas[clause].lower() in ("have", "be") and participle:
        return True  # "have formulated views"
    objects = tree.children(clause, "obj", "iobj", "xcomp", "ccomp")
    if parse.lemmas[clause].lower() in _TRANSITIVE and not passive and not any(place in kept for place in objects):
        return True  # "they did so"
    clause_behind = any(parse.tokens[place] == "that" and parse.tags[place] == "IN" for place in range(behind, len(parse)))
    if clause_behind and parse.lemmas[clause].lower() in _REPORTING and not any(place in kept for place in objects):
        return True
    if bare and parse.tokens[behind : behind + 1] == ("that",):
        return True
    if passive and parse.lemmas[clause].lower() in _NEEDING_AS and not any(parse.tokens[place] == "as" for place in kept):
        return True
    if _is_apart(tree, clause, behind, kept):
        return True
    return behind < len(parse) and _leaves_out(tree, clause, behind, kept, adverbs < behind)


def _is_split(tree: Tree, clause: int) -> bool:
    """Tell whether a noun stands between auxiliary and verb, as where "is a footballer playing" is read as "is playing"."""
    parse = tree.parse
    first = min([clause, *tree.children(clause, "aux")])
    inside = range(first + 1, clause)
    return any(parse.tags[place] in _NOUN_TAGS | {"DT", "IN", "PRP"} for place in inside)


def _negates_more(tree: Tree, clause: int) -> bool:
    """Tell whether a "not" within the verb belongs to an adverb, or the verb is negated together with a number: "never more than two"."""
    parse = tree.parse
    first = min([clause, *tree.children(clause, "aux", "cop")])
    negations = [place for place in range(first, clause + 1) if parse.is_negation(place) or parse.tokens[place].lower() == "never"]
    subject = min(tree.children(clause, *SUBJECTS), default=0)
    before = range(tree.first(clause), subject)
    if any(parse.is_negation(place) for place in before) or any(parse.heads[place] != clause for place in negations):
        return True
    return bool(negations) and any(parse.tokens[place].lower() in ("more", "less", "all", "every") for place in range(clause, len(parse)))


def _goes_on_to(tree: Tree, clause: int, kept: set[int]) -> bool:
    """Tell whether "from" is kept and the "to" behind it is not."""
    parse = tree.parse
    obliques = tree.children(clause, "obl")
    opening = {place: {parse.tokens[case].lower() for case in tree.children(place, "case")} for place in obliques}
    start = next((place for place in obliques if place in kept and "from" in opening[place]), len(parse))
    return any(parse.tokens[place] in _GOALS and parse.deps[place] in ("case", "mark") for place in range(start, len(parse)))


def _is_apart(tree: Tree, clause: int, behind: int, kept: set[int]) -> bool:
    """Tell whether the object stands away from the verb, which ends before `behind`, or is a number."""
    parse = tree.parse
    objects = [place for place in tree.children(clause, "obj", "iobj") if place in kept]
    bare = [place for place in tree.children(clause, "obl", "xcomp") if place in kept and parse.tags[place] == "CD"]
    if any(not tree.children(place, "case") for place in bare):
        return True
    start = min((chunk_start(parse, place) for place in objects), default=behind)
    complements = [place for place in tree.children(clause, "xcomp") if place in kept and parse.tags[place].startswith(("JJ", "RB"))]
    if objects and complements and parse.lemmas[clause].lower() not in NAMING | _RESULTING:
        return True
    return start > behind and not tree.children(clause, "expl") and parse.tags[behind] not in ("CC", "DT", "PDT", "IN")


def _is_hungry(lemma: str, passive: bool) -> bool:
    if not passive:
        return lemma in _HUNGRY or lemma in _DIRECTED
    return (
        (lemma in _HUNGRY and lemma not in _PASSIVE_ENOUGH) or lemma in _PASSIVE_HUNGRY or lemma in NAMING | AS_VERBS - {"select", "choose"}
    )


def _is_far(tree: Tree, clause: int) -> bool:
    """Tell whether a clause of another kind may stand between the subject and its verb, so that the subject may be another's."""
    parse = tree.parse
    if any(tree.children(subject, "obj", "obl", "xcomp") for subject in tree.children(clause, "csubj")):
        return True
    verb = min([clause, *tree.children(clause, "aux", "cop")])
    for subject in tree.children(clause, *SUBJECTS):
        between = range(subject + 1, verb)
        relative = any(parse.tags[place] in ("WDT", "WP", "WRB", "WP$") or parse.tokens[place] == "that" for place in between)
        participle = any(parse.tags[place] == "VBN" for place in between)
        for place in between:
            if parse.tags[place] in FINITE_TAGS and not relative:
                return True
            if parse.tags[place] == "IN" and parse.tokens[place].lower() in _CLAUSE_OPENERS:
                return True
            if parse.tags[place] == "CC" and (parse.tokens[place - 1] == "," or (participle and parse.tags[place + 1] == "DT")):
                return True
    return False


def _lacks_predicate(tree: Tree, clause: int, kept: set[int]) -> bool:
    parse = tree.parse
    following = clause + 1
    word = parse.lemmas[clause].lower()
    if word in _EMPTY_PREDICATES:
        return True
    if parse.tags[clause].startswith(("JJ", "V")):
        said_of = any(place in kept for place in range(following, len(parse)))
        if _is_gerund_behind(parse, max(kept)) or (word in _NEEDY_ADJECTIVES and not said_of):
            return True
        if not said_of and (parse.tags[following] in _OPENING_TAGS or _is_of_clause(tree, clause)):
            return True
        if word in _SAID_TO and parse.tokens[following : following + 1] not in (("to",), ("with",)):
            return True
        loose = following < len(parse) and parse.tags[following] in ("IN", "TO") and following not in kept
        if loose and parse.tags[following] == "TO":
            return True
        return loose and (word in _NEEDY_ADJECTIVES or parse.tags[following + 1 : following + 2] == ("VBG",))
    cases = tree.children(clause, "case")
    if _is_of_clause(tree, clause) or (cases and _is_cleft(tree, clause)):
        return True
    if any(parse.tokens[place] == "to" for place in cases):
        return True
    if cases and parse.tags[following : following + 1] == ("TO",):
        return True
    if parse.tokens[clause].lower() == "one" and not any(place in kept for place in range(following, len(parse))):
        return True
    return _is_cut_short(tree, clause, kept)


def _is_cleft(tree: Tree, clause: int) -> bool:
    """Tell whether "it was in Paris that he died" would lose its second half."""
    parse = tree.parse
    it = any(parse.tokens[place].lower() == "it" for place in tree.children(clause, *SUBJECTS))
    return it and bool({"that", "who", "when", "where"} & set(parse.tokens[clause:]))


def _is_cut_short(tree: Tree, clause: int, kept: set[int]) -> bool:
    """Tell whether the phrase that begins behind the copula ends elsewhere than the predicate noun."""
    parse = tree.parse
    behind = tree.children(clause, "cop")[-1] + 1
    while behind < clause and parse.tags[behind] in ("RB", "RBR", "RBS"):
        behind += 1
    if behind > clause:
        return bool(tree.children(clause, "expl")) is False
    if parse.tags[behind] in ("IN", "TO"):
        return behind not in kept
    return parse.tags[behind] not in _OPENING_TAGS | {"RB"} or chunk_end(parse, behind) not in kept


def _is_of_clause(tree: Tree, clause: int) -> bool:
    """Tell whether "it" stands for a clause behind the adjective: "it is unclear where he went"."""
    parse = tree.parse
    it = any(parse.tokens[place].lower() == "it" for place in tree.children(clause, *SUBJECTS))
    return it and (parse.tags[clause + 1] in ("WRB", "WP", "TO") or parse.tokens[clause + 1] in ("that", "whether", "if", "for", "as"))


def _is_gerund_behind(parse: Parse, last: int) -> bool:
    """Tell whether what is said of an adjective goes on: "responsible for the team winning"."""
    return parse.tags[last + 1 : last + 2] == ("VBG",)


_NEEDY_ADJECTIVES = frozenset(
    "identical similar equal responsible subject prone capable incapable due able unable devoid full guilty worth close opposed parallel"
    " analogous adjacent contrary akin likely unlikely equivalent comparable aware unaware fond short reluctant willing eager acquainted double triple".split()
)


def _leaves_out(tree: Tree, clause: int, behind: int, kept: set[int], adverb: bool) -> bool:
    """Tell whether the words that begin right behind the verb, at `behind`, belong to it and are left out."""
    parse = tree.parse
    tag, token = parse.tags[behind], parse.tokens[behind].lower()
    if tag in _OPENING_TAGS or (tag == "CC" and token in ("both", "either", "neither")):
        last = chunk_end(parse, behind)
        if last not in kept:
            return True
        return _lacks_second(tree, clause, last, kept)
    if tag == "VBG" or (tag == "VBN" and parse.deps[behind] in ("amod", "compound")):
        return behind not in kept and chunk_end(parse, behind) not in kept
    if tag in ("VBN", "VBD", "VB", "VBP", "VBZ", "MD"):
        return behind not in kept
    if tag == "TO" or tag in _PREPOSITION_TAGS:
        return _leaves_preposition(tree, behind, kept, adverb)
    return tag in ("WP", "WDT") or (tag == "WRB" and token in ("how", "why"))


def _leaves_preposition(tree: Tree, behind: int, kept: set[int], adverb: bool) -> bool:
    parse = tree.parse
    token = parse.tokens[behind].lower()
    if any(parse.deps[place] == "obl:agent" for place in kept):
        return False
    if behind in kept:
        return adverb and token in ("of", "from", "than", "as")
    following = parse.tags[behind + 1] if behind + 1 < len(parse) else "."
    if parse.deps[behind] == "mark":
        return (
            token not in _CLAUSE_OPENERS | {"that"}
            and not (following == "VBG" and token in _FREE_GERUND)
            and not (token == "as" and following != "VBG")
        )
    return True


def _lacks_second(tree: Tree, clause: int, last: int, kept: set[int]) -> bool:
    """Tell whether a second object or a complement of the object, which ends at `last`, is left out: "allow them a share"."""
    parse = tree.parse
    following = last + 1
    if following >= len(parse):
        return False
    tag, token, lemma = parse.tags[following], parse.tokens[following].lower(), parse.lemmas[clause].lower()
    if tag in _OPENING_TAGS - {"WDT", "WP"}:
        end = chunk_end(parse, following)
        return end not in kept and not {parse.lemmas[place].lower() for place in range(following, end + 1)} & _TIMES
    if tag in ("VB", "VBG", "VBN") and lemma in _PERCEIVING:
        return following not in kept
    if tag == "TO" and parse.tokens[following + 1 : following + 2] == ("be",) and following not in kept:
        return True
    if tag == "TO" and following not in kept:
        return lemma in CAUSING | _URGING or (parse.deps[following] == "case" and lemma in _DIRECTED)
    if tag in ("RB", "RP", "IN") and token in _SEPARATED and parse.tags[following + 1 : following + 2] not in (("DT",), ("NN",), ("NNP",)):
        return True
    if tag in ("IN", "RP") and following not in kept:
        return (lemma in _DIRECTED and token in _DIRECTIONS) or (token == "as" and lemma in AS_VERBS) or tag == "RP"
    return False
