"""What runs without anybody asking: RQ jobs (bots' turns) and the loops that follow the feed and the clock."""
