"""Put the example's files into the guide for new games, after changing them: ``python -m tests.games``."""

from tests.games.guide import GUIDE, NAMED_BLOCK, written_anew

if __name__ == "__main__":
    text = GUIDE.read_text("utf-8")
    GUIDE.write_text(written_anew(text), "utf-8")
    print(f"{len(NAMED_BLOCK.findall(text))} files are in {GUIDE.name}")
