"""What people read: history lines, refusals and names, in every language of the catalogues.

Every wing above may import it; it imports no other wing. Begin with ``refusals.py``.

The keys of the catalogues (msgids) are English sentences, not made-up names. Code shows what it says, translators see
the sentence that they translate, any gettext tool can count what is missing, and a text without a translation still
comes out as a sentence. The catalogue ``en`` may reword a source text without touching the other languages.

* ``languages``: the languages, and how one is chosen;
* ``history``: the line of an entry; ``refusals``: why something was refused; ``names``: cards, moves, options;
* ``match``: the table's texts; ``games/<key>``: those of one game, found by its key;
* ``phrases``, ``telling``, ``contract``: how texts are written in code; ``catalogues``: where they are translated;
* ``update``: what developers run after changing a text.

Everything here is pure, but for reading the catalogues once.
"""
