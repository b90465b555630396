"""The event store: the contract of the log, a memory model of it, and the adapter to Redis and Valkey."""
