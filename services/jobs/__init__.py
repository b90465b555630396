"""The queue of jobs, as RQ keeps it: its names, and what an operator sees of it and does to it."""
