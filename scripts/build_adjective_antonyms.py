"""Build the adjective antonyms of SentenceAdjectivesAntonymsSwitch from Open English WordNet.

    python scripts/build_adjective_antonyms.py oewn_senses.tsv[.xz] src/augcse/augmentations/rules/lexical/antonyms/adjective_antonyms.tsv

The senses file has the columns lemma, pos, rank, sense key, synset, relations; relations are `kind:target,target;...`.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterable
from pathlib import Path

HEADER = """\
# Adjective antonyms: adjective TAB antonym.
# Source: Open English WordNet (https://en-word.net), CC BY 4.0, (c) the Open English WordNet team,
# derived from Princeton WordNet 3.1, (c) 2006 Princeton University (WordNet licence).
# Built by scripts/build_adjective_antonyms.py: the antonym of the most frequent sense that has one, if that is the
# first or second sense; multi-word and capitalised words, "non-" antonyms, and a list of pairs that read as nonsense
# left out; antonyms that suit the everyday sense better chosen by hand (PREFERRED in the script).
"""
MAX_RANK = 1
# Words whose opposite is ungrammatical in their place, or means nothing in most of the places they are used in.
BLOCKED = frozenset(
    """
    actual aesthetic alternate analogous anti arbitrary attributable bedded biennial bimodal biological bodied bound
    catholic celestial central chartered christian common conjunctive considerable continental contracted critical
    cubic curious different directional double due easterly eccentric equatorial equipped faceted faced fine fewer
    first fit free front future general gross handed historic historical human ilk incidental individual involved
    ill instrumental joint just last left less lesser like little logical magnetic many material mediate mere middle
    middling military minded mobile more most much musical near net nominal odd off opposite organic oriented
    original other out outside overt own parallel past patterned polar posterior powered present presidential pro
    procedural quantitative random real relative representative resident reverse rhetorical right round same second
    septic several sharp single sidereal singular solid specified square standard such surgical terminal top uniform
    unitary united up vocal well westerly whole worn saturated onymous evitable precedented exaugural coloured
    colored concerned hewn known lettered listed looked named numbered rolled-up serial shaped sided sized stranded
    tempered toothed winged social flat mean set spotted stacked still taken used wanted white-collar domestic north
    south east west northeast southwest substantive cardinal ordinal nascent territorial subject sure greater inner
    fresh sweet linear partial verbal classical capital chief contemporary few many most least former single
    multiple federal medical annual basic nuclear sexual geographic intermediate away far functional center lyric
    cerebral overhead fractional inclined ordered theatrical mini stuck determined endemic uneasy prospective
    downtown frozen dedicated matched connected altered sporadic relaxed charitable leaky moderate
    inclusive inductive oblique plucked deductive specific sanitary unsanitary topless retroactive proactive
    unwieldy wieldy tight drunk superficial sterile fertile figurative variable
    absolute abundant abused accompanied acidulous actual adaptive addicted additive adjective adjusted adulterating
    affiliated alike all altruistic amended amphibious anal analogue analytic analyzed angular antemeridian
    antiseptic applied arranged artesian articulated assigned assisted attached authorized backed baptized blessed
    bold bony bordered born branded breathing buried calm changed charged cleared collateral collected colorful
    combined commercial communicative compact comparable compliant composed compound concentrated concentric
    concrete conditional conditioned confined conjugate consecrated constitutional continent continued convertible
    coordinating cosmopolitan covered crooked crossed custodial dear decisive declared defeated delicate derived
    descriptive designed destroyed detachable detached diplomatic discontinued distinct distributed dominant drained
    dull dying dynamic eager earned elastic elective emotional enabling endowed erect established even exact
    exclusive exhausted expanded expired extended extrinsic eyed fictional filled finished focused formed forward
    foul found freelance gabled generic gracious grammatical guided handled headed hearing holistic holy home
    homologous imperative improved incoming incredible induced inhibited inside intended intensive intercontinental
    invasive inverse inviting landed lean legal legged like live loaded loose lost made melodic metabolic mined
    minus modest mortal moved moving mutual nascent noticed on operative opposed orthodox owned packaged parental
    passing perennial periodic personal phonetic physical piano piercing plain planted plus pointed polished
    portable posed precise prepared preserved pressed profound progressive prophetic protective proved provided
    publicized punished raised reactive reconstructed recorded reflected regular regulated reported requested
    reserved responsible rested restrained revealing revived robust rounded rugged running saved scholarly
    scientific scripted seeded selected sensational sensory sent separate shared shaved shut side signed skinned
    sold solvent some sonic sophisticated sound spaced specialized spoken staged stained stemmed straight stressed
    studied subordinate subordinating supported suppressed surface suspected swept symphonic systematic temperate
    tender tight tonal topical topped touched tough tracked transmitted traveled treated turned twin understood
    unlike unveiled utilised utilized varied vascular vegetative voiced wheeled won worldly worsening written
    agnostic consumptive credible innocuous noxious pointless potential preventive retarded seamless seedy toothless
    unaffected uneven
    adequate alcoholic alienable anticlimactic climactic exchangeable inalienable masochistic nonalcoholic perpendicular plural
    alert thirsty forceful qualified sadistic seasoned unqualified unwanted unwitting
    precocious hydrostatic hydrokinetic thematic unthematic sarcastic unsarcastic incorrupt excitable unexcitable modifiable
    unmodifiable carved uncarved efficacious inefficacious desirous undesirous fingerless melodious unmelodious
    """.split()
)
# Antonyms that are rare words, or do not read as the opposite.
BLOCKED_ANTONYMS = frozenset(
    """
    adoptive antecedent antimagnetic antiseptic aboral accentual alternating androgynous anal bicameral cauline
    caducous cosmopolitan cerebral distributive ecdemic ecumenical exoteric exaugural evitable fractional frivolous
    geographic heterologous igneous inglorious lowborn middle molar multiform onymous perennial phlegmy precedented
    profane proximate salty sighted sidereal stative unangry unartistic uncivil uncharacteristic uncritical
    undomestic undramatic undynamic unexpansive ungathered unhuman unmilitary unmusical unobvious unoriented
    unpresidential unplayful unprovocative unsocial unspatial unrhetorical unchristian undue unafraid incorrupt
    inconsiderable uncreative unanimated dissuasive unworldly unbodied uncousinly unconsecrated undescriptive
    unreverberant exorbitant unloving unaffixed unhewn unbound unfree immediate constrictive categorial glad dear
    imperfective unmarried-man divided induced year-round elated intercontinental extraterritorial uninfluential
    untalented untroubled stingy sporadic unregretful uncontrived handless armless bedless faceless unpeaceful
    unchartered unfaceted dull rested clearheaded unneurotic unrespectable unsexy styleless unseductive uncompassionate
    unconscientious unresentful seamed seedless insensible shaven unready avirulent
    """.split()
)
ALLOWED_NON = frozenset("nonviolent nontraditional nontoxic nonalcoholic nonresidential nonfictional noncommercial".split())
# The everyday opposite where Open English WordNet lists several, a rarer one, or that of a rarer sense.
PREFERRED = {
    "acidic": "alkaline", "ancient": "modern", "angry": "calm", "big": "small",
    "bottom": "top", "bright": "dim", "broad": "narrow", "civilian": "military",
    "close": "distant", "closed": "open", "common": "uncommon", "constant": "variable", "current": "previous",
    "dark": "bright", "difficult": "easy", "domestic": "foreign", "dry": "wet", "famous": "unknown",
    "fat": "thin", "female": "male", "frequent": "infrequent", "generous": "stingy", "glad": "sad",
    "gradual": "sudden", "happy": "unhappy", "hard": "easy", "heavy": "light", "homosexual": "heterosexual",
    "horizontal": "vertical", "hot": "cold", "huge": "tiny", "hungry": "full", "inner": "outer",
    "international": "national", "large": "small", "latter": "former", "light": "heavy", "local": "national",
    "loud": "quiet", "male": "female", "modern": "ancient", "narrow": "wide", "national": "local",
    "natural": "artificial", "negative": "positive", "new": "old", "nice": "nasty", "noisy": "quiet",
    "old": "new", "open": "closed", "permanent": "temporary", "poor": "rich",
    "popular": "unpopular", "positive": "negative", "preceding": "following", "previous": "subsequent",
    "professional": "amateur", "quick": "slow", "quiet": "noisy", "rapid": "slow", "religious": "secular",
    "rich": "poor", "rough": "smooth", "sad": "happy", "safe": "dangerous", "serious": "minor",
    "severe": "mild", "short": "long", "smart": "stupid", "soft": "hard", "steep": "gentle", "stupid": "smart",
    "subsequent": "previous", "successful": "unsuccessful", "temporary": "permanent", "thick": "thin",
    "thin": "thick", "tiny": "huge", "tired": "rested", "true": "false", "vertical": "horizontal",
    "alkaline": "acidic", "busy": "quiet", "genuine": "fake", "hostile": "friendly", "imperfect": "perfect",
    "loose": "tight", "naive": "sophisticated", "renewable": "nonrenewable", "strange": "normal", "unusual": "ordinary",
    "supersonic": "subsonic", "susceptible": "immune", "synthetic": "natural", "tight": "loose",
    "tall": "short", "invasive": "native", "lax": "strict", "mild": "severe",
    "blond": "dark", "broken": "intact", "powerful": "weak", "sensible": "foolish",
    "crowded": "empty", "exciting": "boring", "sober": "drunk", "violent": "peaceful",
    "weak": "strong", "wet": "dry", "wide": "narrow", "young": "old",
}  # fmt: skip


def read_senses(path: Path) -> list[tuple[str, str, int, str, str]]:
    """Return (lemma, part of speech, rank, key, relations) rows; the file may be xz-compressed."""
    content = path.read_bytes()
    text = (lzma.decompress(content) if path.suffix == ".xz" else content).decode("utf-8")
    rows = (line.split("\t") for line in text.split("\n") if line)
    return [(row[0], row[1], int(row[2]), row[3], row[5]) for row in rows if row[2].isdigit()]


def antonyms(senses: Iterable[tuple[str, str, int, str, str]]) -> dict[str, str]:
    """Return the chosen antonym of every adjective that keeps one."""
    senses = list(senses)
    lemma_of = {key: lemma for lemma, _, _, key, _ in senses}
    best: dict[str, tuple[int, str]] = {}
    for lemma, part, rank, _, relations in senses:
        if part in ("a", "s") and rank <= MAX_RANK and is_plain(lemma) and lemma not in BLOCKED:
            for target in targets_of(relations):
                antonym = lemma_of.get(target, "")
                if is_acceptable(antonym) and (lemma not in best or rank < best[lemma][0]):
                    best[lemma] = (rank, antonym)
    return {lemma: chosen for lemma, (_, chosen) in best.items()} | PREFERRED


def targets_of(relations: str) -> list[str]:
    """Return the sense keys that a relations column names as antonyms."""
    pairs = (relation.split(":", 1) for relation in relations.split(";") if relation)
    return [target for kind, targets in pairs if kind == "antonym" for target in targets.split(",")]


def is_plain(word: str) -> bool:
    """Tell whether a word is one lower-case word of letters."""
    return word.isalpha() and word.islower() and len(word) > 1


def is_acceptable(antonym: str) -> bool:
    """Tell whether a word may stand as an antonym."""
    unwanted = antonym in BLOCKED_ANTONYMS or (antonym.startswith("non") and antonym not in ALLOWED_NON)
    return is_plain(antonym) and not unwanted


def main() -> None:
    """Read the senses, write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("senses", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    pairs = antonyms(read_senses(arguments.senses))
    lines = "".join(f"{adjective}\t{antonym}\n" for adjective, antonym in sorted(pairs.items()))
    arguments.output.write_text(HEADER + lines, encoding="utf-8")


if __name__ == "__main__":
    main()
