"""What ``tablee doctor`` looks at; ``rounds.py`` calls the checks in order."""
