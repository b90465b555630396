"""What holds a data folder and serves others meanwhile, as ``running.json`` names it."""

UP = "tablee up"
STORE = "tablee store"
