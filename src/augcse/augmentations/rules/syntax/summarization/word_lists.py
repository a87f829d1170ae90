"""Words by what a summary may leave out beside them. Verbs, nouns and adjectives are lemmas; all are facts of English usage."""

from __future__ import annotations

# Verbs that give a name or a rank; their second object or predicate belongs to them.
NAMING = frozenset("appoint become call consider crown declare dub elect label make name nickname prove remain rename seem title".split())
# Nouns that mean little without the noun after "of".
QUANTITIES = frozenset(
    "absence acre aid all amount any array barrel basis beginning body both bottom case couple dollar dozen each either end"
    " euro example few foot form gallon group half handful hectare inch kilometer kilometre kind km lack liter litre loss lot"
    " majority many means member meter metre middle mile minority most name neither none number one pair part percent"
    " percentage piece plenty pound proportion quarter range rest result series set several some sort string symbol third"
    " three ton tonne top total two type variety".split()
)
# Of these, the noun alone says nothing: "they were a lot".
PARTITIVES = frozenset("amount couple form fraction half kind lot majority number part piece range rest sort total type variety".split())
# Numbers that the summary would leave without what they count.
COUNTLESS = frozenset("billions dozens hundreds millions thousands".split())
# Adjectives whose complement with a preposition is kept.
RELATIVE_ADJECTIVES = frozenset(
    "able active adjacent akin analogous available aware capable characteristic close coeval common comparable contrary"
    " critical dependent devoid different distinct due eager effective eligible equal equivalent essential familiar famous"
    " fluent fond free full guilty home identical incapable interested involved known likely native near next notable opposed"
    " opposite parallel prone ready related reluctant responsible rich sensitive short similar skilled subject susceptible"
    " typical unable unaware unlikely vulnerable willing worth".split()
)
# Adjectives that are nothing without their complement.
ADJECTIVES_REQUIRING_COMPLEMENT = frozenset(
    "able acquainted adjacent akin analogous aware capable close comparable contrary devoid double due eager equal equivalent"
    " fond full guilty identical incapable likely opposed parallel prone reluctant responsible short similar subject triple"
    " unable unaware unlikely willing worth".split()
)
# Adjectives whose complement opens with "to" or "with".
SAID_TO = frozenset("adjacent akin analogous comparable contrary due equal equivalent identical parallel prone similar subject".split())
# Adverbs that leave half of a comparison or turn the adjective: "more common than".
COMPARING = frozenset("as enough equally how least less more most not so that too".split())
# Predicates that say nothing alone.
EMPTY_PREDICATES = frozenset(
    "case clear due eighth enough fact fifth first fourth idea important last less many more much necessary ninth other own"
    " possible reason same second seventh sixth such tenth third true way".split()
)
# Verbs whose complement with "as" is kept.
AS_VERBS = frozenset(
    "appoint characterize choose cite classify consider credit define depict describe designate elect hire identify interpret"
    " know label list name portray rank rate recognise recognize recruit reelect refer regard rename see select treat use view".split()
)
# Of these, the passive without "as" says another thing: "is regarded by".
NEEDING_AS = frozenset("classify define describe perceive recognise recognize refer regard see treat view".split())
# Verbs that take an adjective of their object, besides the naming ones.
RESULTING = frozenset("believe deem drive find get hold keep leave paint render set think turn".split())
# Verbs that mean something else without an object.
TRANSITIVE = frozenset("bring contain do find get give have hold include involve make put say take use".split())
# Verbs of which the clause is what is said.
REPORTING = frozenset("agree announce argue believe claim conclude explain insist note report say state suggest think warn write".split())
# Their object is the subject of an infinitive, which the parser often hangs elsewhere.
CAUSING = frozenset("allow ask cause enable encourage expect force lead order permit persuade require tell".split())
# Their second object is a clause: "promise the child that".
TELLING = frozenset("advise assure convince inform notify persuade promise remind show teach tell warn".split())
# The same of other verbs, which the parser reads well enough to be main verbs.
URGING = frozenset(
    "commission advise believe charge consider drive find get help hire instruct invite like need prove teach train urge want warn".split()
)
# Their object is the subject of a participle or a bare infinitive after it.
PERCEIVING = frozenset(
    "bid catch depict entail feel find get have hear help involve keep leave let make need notice picture see want watch".split()
)
# Verbs of which object and preposition belong together: "turn lead into gold".
DIRECTED = frozenset(
    "admit commit accuse ascribe assign associate attach attribute base bring combine compare confuse connect convert convict declare deem"
    " deprive devote distinguish divide drive equate expose force inform keep lead leave limit link merge mistake owe place"
    " prevent push put regard relate remind render restrict rid send set split subject substitute throw transfer transform"
    " translate turn".split()
)
# The prepositions of those.
DIRECTIONS = frozenset("against among as at between for from in inside into of off on onto out over to under with within".split())
# Verbs that say nothing without an object or a complement.
REQUIRES_COMPLEMENT = frozenset(
    "accompany accuse act address affect agree aim allow amount ascribe ask assign associate attach attribute base bear beat"
    " become behave believe belong bring call cast cause characterize charge claim combine compare compose comprise concern"
    " confine confuse connect consider consist constitute contain contribute convert convict correspond cover credit cut date"
    " decide declare dedicate deem defeat depend deprive derive describe design destine determine devote differ distinguish"
    " divide do drive dub enable enter entitle equate equip expose face fail feature feel find follow force function get give"
    " have help hit hold include influence inform inspire intend involve join keep know label lay lead leave let lie limit"
    " link locate look lose make manage mean meet mention merge mistake name need note oppose owe own permit place possess"
    " precede prevent push put qualify range rank rate reach refer refuse regard relate rely remain remind render replace"
    " represent require restrict result rid run say see seek seem send serve set situate sound split stand state subject"
    " substitute suffer suppose surround suspect take tell tend think throw title transfer transform translate treat try turn"
    " use vary view want win".split()
)
# Of which the passive alone is half of what is said.
REQUIRES_COMPLEMENT_IN_PASSIVE = frozenset(
    "accompany accuse act affect agree aim allow amount appoint ascribe ask associate attach attribute base bear become"
    " behave believe belong bring call cast cause characterize charge cite claim classify combine compose comprise concern"
    " confine connect consider consist constitute contain contribute convert convict correspond credit crown date declare"
    " dedicate deem define depend depict derive describe design designate destine devote differ divide do dub elect enable"
    " enter entitle equip face fail feel follow force function get give have help hire identify include influence inspire"
    " intend interpret involve keep know label lay lead leave let lie link list locate look make manage mean merge name"
    " nickname oppose own permit place portray possess precede prove put qualify range rank rate reach recognise recognize"
    " recruit reelect refer refuse regard relate rely remain rename represent require result say see seek seem serve set"
    " situate sound split stand subject suffer suppose surround suspect take tell tend think title transform treat try turn"
    " use vary view want".split()
)
# Verbs without an object; what the parser calls so is an adverbial.
INTRANSITIVE = frozenset("appear arrive come die go happen live occur serve sit stand tour travel work".split())
# Verbs whose object can be a time.
LASTING = frozenset("continue devote endure have last need require run serve spend survive take wait waste".split())
# Adverbs without which a verb or noun says more than the sentence does.
WEAKENING = frozenset(
    "allegedly almost apparently barely falsely formerly hardly infrequently insufficiently mistakenly nearly neither"
    " nominally nor ostensibly partially partly partway perhaps possibly probably rarely reportedly scarcely seldom supposedly"
    " theoretically too unsuccessfully virtually wrongly".split()
)
# Words without which a noun is another thing: "former", "few".
PRIVATIVE = frozenset(
    "alleged apparent attempted ex failed fake false few fewer fictional fictitious former hypothetical imaginary least less"
    " little mock no planned possible potential proposed pseudo purported so-called supposed unlikely would-be".split()
)
# Nouns of time.
TIMES = frozenset(
    "age autumn century date day decade era evening fall hour minute moment month morning night period season spring stage"
    " summer time today week weekend winter year".split()
)
# Nouns of adverbials and fixed phrases: "side by side", "in turn".
ADVERBIAL_NOUNS = frozenset("addition bit fact fashion hand instance manner mind order other others side spite time times turn way".split())
# Nouns of prepositions in several words: "on account of", "with regard to".
PREPOSITIONAL_NOUNS = frozenset(
    "accordance account addition association behalf charge collaboration comparison conjunction connection contact contrast"
    " control cooperation cost course defence defense effect event exchange expense face favor favour front honor honour"
    " keeping light line memory mercy need partnership place proximity pursuit reference regard relation respect response"
    " result return search sight support term terms touch use view wake way".split()
)
# Adverbs that a verb without a complement cannot spare.
LOOSE_ADVERBS = frozenset(
    "about abroad ahead alone apart around away back badly behind best better down downstream east elsewhere far forward"
    " forwards here home in north northeast northwest off out over south southeast southwest there together up upstream well"
    " west worse".split()
)
# Particles after the object: "leaves pets behind".
SEPARATED = frozenset("apart aside away back behind down home off out over together up".split())
# Conjunctions of clauses that can be left out.
CLAUSE_OPENERS = frozenset(
    "after although because before if lest once since though till unless until when whenever where whereas wherever while whilst".split()
)
# Prepositions whose gerund can be left out.
FREE_GERUND = frozenset("after before by despite if since though through until when while without".split())
# What goes on after "from".
GOALS = frozenset("into through till to until".split())
# Openings of what "it" stands for.
ANNOUNCED = frozenset("as for how if that what when where whether who why".split())
# Question words, which need their clause.
ASKING = frozenset("how that what which who whom whose why".split())
# Abbreviated titles, which need their name.
TITLES = frozenset("ca capt col dr fr gen hon jr lt mr mrs ms no prof rev sgt sir sr st vol".split())
