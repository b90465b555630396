"""Where the archive is, as settings tell it."""

from pathlib import Path

import pytest

from services.log.archive.folder import FolderStorage
from services.log.archive.storage import storage_at
from services.process.settings import Settings, SettingsError, load_settings


def test_the_archive_is_in_the_data_folder_unless_told_otherwise(tmp_path):
    assert Settings(data=str(tmp_path)).archive_address == str(tmp_path / "archive")
    assert Settings(archive="old/matches").archive_address == str(Path("old/matches").absolute())
    assert Settings(archive="s3://club/old").archive_address == "s3://club/old"


def test_processes_that_are_started_get_the_same(tmp_path):
    for settings in (Settings(data=str(tmp_path)), Settings(data=str(tmp_path), archive="s3://club/old")):
        again = load_settings(settings.to_environment())
        assert again.archive_address == settings.archive_address


def test_the_grace_period_is_a_number_of_days():
    assert Settings().archive_after_days == 7
    assert load_settings({"TABLEE_ARCHIVE_AFTER_DAYS": "0.5"}).archive_after_days == 0.5
    for wrong in ("-1", "soon"):
        with pytest.raises(SettingsError, match="TABLEE_ARCHIVE_AFTER_DAYS"):
            load_settings({"TABLEE_ARCHIVE_AFTER_DAYS": wrong})


def test_a_path_is_a_folder_place(tmp_path):
    assert isinstance(storage_at(str(tmp_path)), FolderStorage)
