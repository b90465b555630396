"""Our own Valkey servers in a data folder, which ``tablee up`` uses when no store is named."""
