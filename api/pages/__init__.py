"""The pages: what people see in a browser. They translate and authorise, as the API does, and decide nothing.

* ``visits``: who asks, in which language; ``forms``: what a form says, and that it comes from our own page;
* ``scene``, ``table``: what a match shows to somebody, and its HTML, one renderer for live tables, spectators, replays;
* ``games/<key>``, ``templates/games/<key>.html``: what differs between the games; a new game adds its own;
* ``home``, ``new_table``, ``sitting``, ``table_pages``, ``commands``, ``replay``, ``rules``, ``stream``: the addresses;
* ``static``: styles, modules and shapes, all our own; nothing is loaded from elsewhere.
"""
