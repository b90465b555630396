"""Leagues of a club: several tables in rounds, made by themselves, and a table of their results.

Begin with ``services/people/clubs/league.py`` (what is kept), then ``changes.py`` (what a league becomes, and why not),
``schedule.py`` (who plays whom), ``running.py`` (rounds open, tables are made and watched) and ``table.py`` (who stands
where). Results are read from the rows of matches, so a league's table is the same however the rows were built.
"""
