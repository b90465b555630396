"""What people read: history lines, refusals and names, in every language of the catalogues.

The source texts are English sentences, and they are the keys of the catalogues (msgids), not made-up names: the code
reads as what it says, a translator sees the sentence that he translates, any gettext tool can count what is missing,
and a text without translation still comes out as a sentence. The catalogue ``en`` may word a source text otherwise
without touching the other languages.

* ``languages``: which there are, and how one is chosen;
* ``history``: the line of a log's entry; ``refusals``: why something was refused; ``names``: cards, moves, options;
* ``match``: the table's own texts; ``games/<key>``: those of one game, found by its key;
* ``phrases``, ``telling``, ``contract``: how texts are written down; ``catalogues``: where they are translated;
* ``update``: what a developer runs after he has changed a text.

Everything here is pure but for reading the catalogues, once.
"""
