"""Progress on standard error, on one line of a terminal that goes away again."""

import sys

import click

from services.process.foreign_text import visible


def show_progress(told: str) -> None:
    """Show how far the work is; an empty text takes that away. Only to somebody who looks."""
    if sys.stderr.isatty():
        click.echo(f"\r\033[K{visible(told)}", nl=False, err=True)
