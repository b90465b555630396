"""A certificate for ``localhost`` that nobody trusts until told to."""

import subprocess
from pathlib import Path


def make_certificate(folder: Path, *names: str) -> Path:
    """Make key and certificate in one file."""
    file, alone = folder / "localhost.pem", folder / "localhost.crt"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    called = ",".join(f"DNS:{name}" for name in names)
    more = ["-addext", f"subjectAltName={called}", "-keyout", str(file), "-out", str(alone)]
    subprocess.run([*command.split(), *more], check=True, capture_output=True)
    file.write_text(file.read_text() + alone.read_text())
    return file
