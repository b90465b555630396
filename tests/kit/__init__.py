"""What tests share: a given/when/then table, random play, invariants, fakes."""
