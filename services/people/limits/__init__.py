"""How many requests one person, or one address, may make."""
