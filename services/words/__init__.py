"""What people read: history lines, refusals and names, in every language of the catalogues.

The source texts are English sentences, and they, not made-up names, are the keys of the catalogues (msgids): the code
reads as what it says, translators see the sentence that they translate, any gettext tool can count what is missing,
and a text without a translation still comes out as a sentence. The catalogue ``en`` may reword a source text without
touching the other languages.

* ``languages``: the languages, and how one is chosen;
* ``history``: the line of a log's entry; ``refusals``: why something was refused; ``names``: cards, moves, options;
* ``match``: the table's own texts; ``games/<key>``: those of one game, found by its key;
* ``phrases``, ``telling``, ``contract``: how texts are written down; ``catalogues``: where they are translated;
* ``update``: what developers run after they have changed a text.

Everything here is pure, except that it reads the catalogues once.
"""
