from pathlib import Path

import pytest

from tests.kit.certificates import make_certificate


@pytest.fixture(scope="session")
def certificate(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("tls")
    return make_certificate(folder, "localhost", "hooks.example.org")
