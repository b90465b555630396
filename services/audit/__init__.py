"""Evidence: published heads, what operators did, what a request led to, who knew a card.

``watch``, the API and the workers import it; it imports ``matches``, ``log``, ``words`` and ``process``. Begin with
``digests.py``.
"""
