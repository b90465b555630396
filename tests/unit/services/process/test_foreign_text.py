"""Text that somebody else has written commands no terminal, turns no direction and hides nothing."""

import json
import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from services.process.foreign_text import are_safe_lines, is_safe, visible, visible_lines

UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
TEXTS = st.text(
    st.characters(codec=None, exclude_categories=()) | st.sampled_from("\u202e\u2028\x1b\x9b\n\ufeff")
)


def test_every_character_that_is_not_seen_is_escaped_and_no_other():
    for number in range(sys.maxunicode + 1):
        kind = unicodedata.category(chr(number))
        # A newer Unicode knows more of them than this Python does.
        assert is_safe(chr(number)) is (kind not in UNSEEN) or kind == "Cn", hex(number)


@given(TEXTS)
def test_nothing_unseen_is_left(text):
    assert is_safe(visible(text))
    assert visible(visible(text)) == visible(text)
    assert are_safe_lines(visible_lines(text))
    assert visible_lines(text).count("\n") == text.count("\n")


@given(st.text())
def test_json_keeps_its_meaning(text):
    assert json.loads(visible(json.dumps({"text": text}, ensure_ascii=False))) == {"text": text}


def test_what_people_write_stays():
    for text in ("Zoé joue 3 cartes !", "שלום", "你好", "👍🏽", "a b"):
        assert visible(text) == text
    assert visible("a\u202eb") == r"a\u202eb"
    assert visible("\U000e0041") == r"\udb40\udc41"
