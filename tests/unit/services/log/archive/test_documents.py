"""The export format: the same log is the same bytes, and nothing that was cut, doubled or moved is taken for whole."""

import io
import json

import pytest

from services.log.archive.documents import Document, document_of, documents, file_end
from services.log.archive.errors import UnreadableExport
from services.log.archive.files import lines_of
from tests.kit.checkout import ROOT
from tests.kit.logs import finished, named

LOG = named("a-match", finished())
OTHER = named("another", finished("odin", 2))
DOCUMENT = document_of("a-match", "lama", 1, LOG)
FILE = DOCUMENT + document_of("another", "odin", 1, OTHER) + file_end(2)


def read(content: bytes) -> list[Document]:
    return list(documents(lines_of(io.BytesIO(content))))


def code_of(content: bytes) -> str:
    with pytest.raises(UnreadableExport) as caught:
        read(content)
    return caught.value.code


def test_a_log_comes_back_as_it_was():
    one, two = read(FILE)
    assert (one.entries, two.entries) == (LOG, OTHER)
    assert (one.line.match, one.line.game, one.line.rules, one.line.complete) == ("a-match", "lama", 1, True)
    assert (one.line.events, one.line.head) == (len(LOG), LOG[-1].h.hex())
    assert not one.altered
    assert document_of("a-match", "lama", 1, one.entries) == DOCUMENT


def test_every_line_is_json_and_every_event_is_its_stored_bytes():
    lines = [json.loads(line) for line in DOCUMENT.splitlines()]
    assert [line.get("kind") for line in lines] == ["match", *[None] * len(LOG), "end"]
    assert [line["e"].encode() for line in lines[1:-1]] == [entry.e for entry in LOG]


def test_files_can_be_put_behind_one_another_and_compressed():
    import gzip

    twice = FILE + DOCUMENT + file_end(1)
    assert len(read(twice)) == 3
    assert read(gzip.compress(FILE) + gzip.compress(DOCUMENT + file_end(1))) == read(twice)


def test_a_file_that_is_cut_off_anywhere_is_never_whole():
    for length in range(0, len(FILE), 97):
        assert code_of(FILE[:length]) == "export.truncated"
    ends = [number for number, byte in enumerate(FILE, 1) if byte == ord("\n")]
    for end in ends[:-1]:
        assert code_of(FILE[:end]) == "export.truncated"


def test_what_is_whole_in_front_of_a_cut_is_given_before_the_error():
    found: list[str] = []
    with pytest.raises(UnreadableExport):
        found.extend(document.line.match for document in documents(io.BytesIO(FILE[:-10])))
    assert found == ["a-match", "another"]


def test_a_compressed_file_that_is_cut_off_is_never_whole():
    import gzip

    packed = gzip.compress(FILE)
    for length in (5, 100, len(packed) // 2, len(packed) - 9, len(packed) - 1):
        assert code_of(packed[:length]) == "export.truncated"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (b'"export":1', b'"export":2', "export.format_unknown"),
        (b'"kind":"match"', b'"kind":"cats"', "export.malformed"),
        (b'{"kind":"end"', b'{"kind":"file"', "export.malformed"),
        (b'{"version":3,', b'{"version":"x",', "export.malformed"),
        (b'{"version":3,', b'{"versions":3,', "export.malformed"),
        (b'"matches":2', b'"matches":3', "export.truncated"),
        (f'"events":{len(LOG)},"head"'.encode(), b'"events":5,"head"', "export.malformed"),
        (f'"events":{len(LOG)},"head"'.encode(), b'"events":999,"head"', "export.truncated"),
        (f'"events":{len(LOG)},"head"'.encode(), b'"events":0,"head"', "export.malformed"),
    ],
)
def test_a_line_that_has_no_place_is_named(old, new, code):
    assert old in FILE
    assert code_of(FILE.replace(old, new, 1)) == code


def test_lines_left_out_doubled_or_moved_are_noticed():
    lines = FILE.splitlines(keepends=True)
    for wrong in (lines[1:], lines[:4] + lines[5:], lines[:4] + lines[3:], [lines[1], lines[0], *lines[2:]]):
        with pytest.raises(UnreadableExport):
            read(b"".join(wrong))
    (swapped, _) = read(b"".join([*lines[:3], lines[4], lines[3], *lines[5:]]))
    assert swapped.altered


@pytest.mark.parametrize("part", [b'"salt":"', b'"game":"lama"'])
def test_bytes_that_the_chain_does_not_cover_are_covered_by_the_end(part):
    at = FILE.index(part) + len(part)
    changed = FILE[:at] + (b"0" if FILE[at : at + 1] != b"0" else b"1") + FILE[at + 1 :]
    if part.endswith(b'lama"'):
        changed = FILE.replace(b'"game":"lama"', b'"game":"odin"', 1)
    assert read(changed)[0].altered


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"not json\n", b"[]\n", b"null\n", b"\xff\xfe\n", b"[" * 9000 + b"\n"]
)
def test_something_else_is_no_export(content):
    assert code_of(content) in {"export.malformed", "export.truncated"}


def test_a_file_without_matches_is_whole():
    assert read(file_end(0)) == []


def test_the_documentation_shows_this_format():
    text = (ROOT / "docs" / "reference" / "format.md").read_text()
    for word in ('"kind":"match"', '"kind":"end"', '"kind":"file"', '"export":1', "tablee/1 ", "sha256"):
        assert word in text
