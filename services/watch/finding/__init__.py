"""Finding moments in logs: events of a kind, and states of which an expression is true."""
