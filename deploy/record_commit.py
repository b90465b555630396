"""Writes into a wheel of which commit it was made; the packager calls it (see ``pyproject.toml``).

The commit is that of the checkout, or what ``TABLEE_COMMIT`` says where there is none, as in a container's build.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RecordCommit(BuildHookInterface[Any]):
    """Adds a file with the commit, if it is known."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add it to a wheel; an editable one reads its checkout."""
        if version != "standard":
            return
        sys.path.insert(0, self.root)
        try:
            from services.process.code_identity import commit_of
        finally:
            sys.path.remove(self.root)
        commit = os.environ.get("TABLEE_COMMIT") or commit_of(Path(self.root))
        if commit:
            self._file = tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False)  # noqa: SIM115
            with self._file as file:
                file.write(f"{commit}\n")
            build_data["force_include"][self._file.name] = "services/process/commit.txt"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was written for the wheel."""
        if hasattr(self, "_file"):
            Path(self._file.name).unlink(missing_ok=True)
