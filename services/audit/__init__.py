"""Evidence: published heads, what operators did, where a request led, who knew a card.

``watch`` and the doors import it; it imports ``matches``, ``log`` and ``words``. Begin with ``digests.py``.
"""
