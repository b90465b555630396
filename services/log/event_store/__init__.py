"""The event store: the log's contract, its model in memory, and its adapter to Redis and Valkey."""
