import stat
from pathlib import Path

import pytest

from services.process.settings import Settings, SettingsError, installation_secret, load_settings


def test_without_anything_given_the_defaults_hold():
    settings = load_settings({})
    assert settings == Settings()
    assert settings.data_folder == Path.cwd() / "tablee-data"
    assert settings.api_url == "http://127.0.0.1:8000"


def test_the_command_line_wins_over_the_environment_and_that_over_the_default():
    variables = {"TABLEE_PORT": "9000", "TABLEE_HOST": "0.0.0.0", "TABLEE_SHARDS": ""}
    settings = load_settings(variables, port=9001, host=None)
    assert (settings.port, settings.host, settings.shards) == (9001, "0.0.0.0", 16)
    assert settings.api_url == "http://127.0.0.1:9001"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TABLEE_PORT", "0"),
        ("TABLEE_PORT", "tcp://10.0.0.1:8000"),
        ("TABLEE_SHARDS", "many"),
        ("TABLEE_LOG_FORMAT", "xml"),
        ("TABLEE_LOG_STORE_URL", "localhost:6379"),
        ("TABLEE_ACCEPT_WEAK_DURABILITY", "perhaps"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_by_the_name_that_its_author_knows(variable, value):
    with pytest.raises(SettingsError, match=rf"^{variable} cannot be used .*given: '{value}'"):
        load_settings({variable: value})


def test_an_option_that_cannot_be_used_is_named_as_an_option():
    with pytest.raises(SettingsError, match=r"^--log-format cannot be used"):
        load_settings({}, log_format="xml")


def test_an_option_that_does_not_exist_is_a_mistake_of_the_program():
    with pytest.raises(TypeError, match="colour"):
        load_settings({}, colour="red")


def test_child_processes_read_the_same_settings_back():
    settings = load_settings(
        {},
        data="/srv/tablee",
        port=9000,
        accept_weak_durability=True,
        secret="s" * 32,
        log_store_url="redis://db",
    )
    assert load_settings(settings.to_environment()) == settings


def test_a_relative_data_folder_means_the_same_in_a_child_that_runs_elsewhere():
    assert load_settings({}, data="x").to_environment()["TABLEE_DATA"] == str(Path.cwd() / "x")


def test_the_secret_is_never_shown():
    settings = load_settings({"TABLEE_SECRET": "s3cr3t-" * 6})
    assert "s3cr3t" not in repr(settings)
    with pytest.raises(SettingsError) as refusal:
        load_settings({"TABLEE_SECRET": "s3cr3t"})
    assert "s3cr3t" not in str(refusal.value)


def test_the_secret_is_made_once_and_only_its_owner_can_read_it(tmp_path):
    settings = load_settings({}, data=str(tmp_path / "new"))
    secret = installation_secret(settings)
    assert len(secret) >= 32
    assert installation_secret(settings) == secret
    (file,) = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_secret_from_the_environment_or_a_file_is_taken_as_it_is(tmp_path):
    file = tmp_path / "secret"
    file.write_text("f" * 40 + "\n")
    assert installation_secret(load_settings({"TABLEE_SECRET_FILE": str(file)})) == b"f" * 40
    assert installation_secret(load_settings({"TABLEE_SECRET": "e" * 40})) == b"e" * 40
    assert not list(tmp_path.glob("tablee-data"))


def test_a_secret_file_that_is_missing_or_too_short_is_refused(tmp_path):
    file = tmp_path / "secret"
    settings = load_settings({"TABLEE_SECRET_FILE": str(file)})
    with pytest.raises(SettingsError, match="cannot be read"):
        installation_secret(settings)
    file.write_text("short")
    with pytest.raises(SettingsError, match="at least 32"):
        installation_secret(settings)
