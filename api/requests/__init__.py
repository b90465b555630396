"""Reading requests: who asks, what they send, and which command that makes."""
