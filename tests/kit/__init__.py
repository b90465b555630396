"""What tests share: a table that is told what was given and asked what then happens, random play, invariants, fakes."""
