"""Reading requests: who asks, what they send, and the command that they submit.

Routes and pages import it. Begin with ``submissions.py``, which both doors share.
"""
