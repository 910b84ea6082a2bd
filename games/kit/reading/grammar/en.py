"""English words in typed lines."""

from games.kit.reading.grammar.shape import Grammar, phrases, words

ENGLISH = Grammar(
    articles=words("the a an with and"),
    fillers=words(
        "w we my our me us it its of in for then also now please would like will want wish"
        " let lets s"
        " m d ll re ve is are be that this so ok some another new first second next finally go goes"
        " card their his her own by to out all i"
    ),
    deeds=words(
        "move moves send sends give gives put puts army"
        " armies legion legions troops men soldiers card"
    ),
    general_verbs=words(
        "builds erect lay lays win wins annex annexes build construct make erect buy get play use"
    ),
    origins=words("frm from by out"),
    goals=words("v on onto into against vs versus to toward towards at"),
    conjunctions=phrases("and, then, and then"),
    amounts=phrases("half, half an, one, two, a, an"),
    costs=words("cost costs for a act acts ap half an"),
    actions=words("action actions"),
    present_endings=words("ing"),
    plural_endings=words("xes ches shes sses"),
    past_endings=words("ed"),
    beats=phrases("beat|beats|bt|b, defeat|defeats|defeated|def, win|wins|won against|vs|over"),
    loses_to=phrases("lose|loses|lost to|against, is|are|was|were beaten|defeated|crushed by"),
    draws_with=phrases(
        "draw|draws|drew, draw|draws|drew with|against|vs, tie|ties|tied with|against"
    ),
    between_shares=words("to"),
    points=words("pt pts point points"),
    eras=phrases("ad, bc"),
    victory=words("won win wins beat beats defeat defeats defeated crush crushes crushed over bt"),
    victory_alone=words("won win wins victory"),
    defeat=words("lost lose loses"),
    draw=words("draw draws drew tie tied"),
    auxiliaries=words("is are was were been"),
    agents=words("by"),
    between_joined_shares=words("against and"),
    beside_shares=words(
        "routed rout lost losses lose result results final score the of their his her own army men"
        " percent per cent only just and vs versus against was were is are with"
    ),
    battles=words("battle battles result contest game match"),
    doubts=words(
        "if unless would could should may might must almost nearly about around approximately"
        " roughly maybe perhaps possibly probably likely guess hope hopes hopefully hoping wish bet"
        " predict prediction until will shall can cannot not never didn don doesn wasn isn"
        " nobody supposing suppose unsure last previous"
    ),
    negations=words(
        "not no never don dont won wont doesn doesnt didn didnt isn cannot cant nothing none"
        " neither nor instead"
    ),
    conditions=words("or either if unless when whether maybe perhaps"),
    without=words("without"),
    chat=words(
        "ok okay alright right well hi hello hey guys folks everyone everybody friends all"
        " gonna wanna gotta going go ahead just really think guess so here there today tonight"
        " time round move moves order orders plan plans idea ideas make makes making do "
        " doing give gives put puts throw set sets up some bit more little one thing things"
        " again please lol haha sorry finally lastly additionally plus using"
        " via through against onto towards send sends sending our their theirs them "
        " his her course legion legions army armies troops men soldiers must "
        " need needs have has got decide choose chooses choosing announce announces announcing"
        " declare declares declaring intend intends start starts starting launch launches"
        " launching begin as because while but yes yep yeah much very good after"
    ),
    links=words("of s"),
    additions=words("with w"),
    thanks=words("thanks thank cheers thx"),
    narration=words(
        "emperor empress caesar augustus king queen prince ruler sovereign senate council"
        " court consul governor governors general generals admiral commander commanders"
        " officers minister treasurer majesty highness imperial royal glorious mighty brave"
        " loyal faithful people citizens population inhabitants subjects farmers peasants"
        " nobles envoys envoy emissaries emissary messengers agents agent engineers workers"
        " builders masons craftsmen architects shipwrights sailors priests veterans cohorts"
        " cohort forces warriors decree decrees edict edicts command season spring summer year"
        " treasury glory honour honor empire realm kingdom cost costs costing work works"
        " legion legions army armies troops men soldiers navy"
    ),
    orders=words(
        "orders commands instructs directs wishes wants construction building buildings"
        " creation erection conclude concludes concluding sign signs signing stir stirs"
        " stirring incite incites inciting foment foments fomenting instigate instigates"
        " provoke provokes provoking unleash unleashes establish establishes lead leads"
        " leading commission commissions equip equips equipping ordering being spread spreads"
        " spreading unrest putting placing place places raising"
    ),
    participles=words(
        "built ordered concluded signed launched offered played granted erected constructed"
        " established stirred begun equipped raised"
    ),
    passives=words("is are be being get gets"),
    others=words("their his her your next last after before"),
    headings=words(
        "structures buildings building constructions construction works economy economics"
        " finance finances treasury military army armies war diplomacy politics cards card"
        " actions action orders order moves move navy"
    ),
    courtesies=phrases(
        "and let s see what happens, let s see what happens, and we will see what happens,"
        " if you please, if i may, sorry about that, no hard feelings, nothing personal,"
        " no offence, no offense, no worries, why not, not much else, good luck,"
        " good luck everyone, good luck all, have fun, have fun everyone, well then,"
        " may the gods be with us, long live the emperor, for the glory of rome,"
        " and that is that, as always, as usual, of course, last but not least, well played,"
        " his majesty, her majesty, first come first served, if anyone wants it,"
        " if anyone wants to trade, if anyone is interested, if you want it,"
        " in case anyone wants it, and see what happens, see what happens, from me"
    ),
)
