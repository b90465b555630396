"""Looking into one match as its operator: its events, what each did, who could see what, and why it stands still."""
