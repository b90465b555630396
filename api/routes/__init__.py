"""The addresses of the API, one thing in each file."""
