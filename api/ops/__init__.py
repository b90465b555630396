"""The operator's pages, under ``/ops``: nobody else sees them."""
