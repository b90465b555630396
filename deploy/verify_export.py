"""Check matches that Tablée exported, with docs/reference/format.md alone. Exit code 1: something is wrong.

The chain of hashes holds; what is shown was fixed when the event was written (openings against commitments); as far as
the seed is open, salts, draws and deals come from it (in a fork that asked for that, from its parent's) and the players'
own words; heads are those in digests that you kept (compare the SHA-256 with what you noted). Rules are not known here.
"""

import argparse
import gzip
import hashlib
import hmac
import json
import re

KEYS = ("v", "type", "at", "actor", "door", "command", "data", "seat", "trace", "deadlines", "note")
DOORS, NOTES = {"page", "api", "bot", "clock", "operator"}, {"", "fallback", "hurried"}
WORDS = {"at": r"[0-9T:.-]{23}Z", "actor": r"[\w.:@-]{1,64}", "trace": r"[\w-]{0,64}"}


def require(holds, otherwise):
    if not holds:
        raise ValueError(otherwise)


def keyed(pairs):
    require(len(dict(pairs)) == len(pairs), "has a key twice")
    return dict(pairs)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()


def draws(seed, nonces, purpose, bounds):
    message = "tablee/chance/1\n" + "".join(nonce + "\n" for nonce in nonces) + purpose
    key = hmac.digest(bytes.fromhex(seed), message.encode(), "sha256")
    blocks = (hashlib.sha256(key + block.to_bytes(8, "big")).digest() for block in range(2**64))
    words = (int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4))
    for bound in bounds:
        yield next(word for word in words if word < 2**32 - 2**32 % bound) % bound


def flat(part):
    return [card for inner in part for card in flat(inner)] if isinstance(part, list) else [part]


def dealt(cards, *source):
    order = list(cards)
    for last, chosen in enumerate([*draws(*source, range(len(order), 1, -1))], 1):
        order[-last], order[chosen] = order[chosen], order[-last]
    return order


class Match:
    def __init__(self, line):
        self.line, self.head, self.heads = line, sha256(b"tablee/1 ", line["match"].encode()), {}
        self.at, self.command, self.seed, self.chances, self.closed = "", None, "", [0, 0], 0
        self.promised, self.said, self.inherited, self.veiled = {}, {}, None, f"sha256:{self.head}"
        require("chance" in line, "does not say how it was dealt: export it again with a newer release")
        self.described = line["chance"]
        self.places = {card: at for at, (card, _) in enumerate(self.described["cards"])}

    def event(self, line):
        version, envelope = len(self.heads) + 1, json.loads(line["e"], object_pairs_hook=keyed)
        self.head = self.heads[version] = sha256(bytes.fromhex(self.head), line["e"].encode())
        require(line["h"] == self.head, "its bytes are not those that were hashed")
        require(line["version"] == envelope["v"] == version and envelope["at"] >= self.at, "is out of order")
        text = json.dumps(envelope, separators=(",", ":"), ensure_ascii=False)
        known = [key for key in KEYS if key in envelope] == [*envelope] and text == line["e"]
        require(known and [*envelope["command"]] == ["id", "from", "to"], "holds what no envelope holds")
        require(envelope["door"] in DOORS and envelope.get("note", "") in NOTES, "has no such door or note")
        for key, word in {**WORDS, "id": r"[\w.:~@+/=-]{1,160}"}.items():
            said = envelope["command"]["id"] if key == "id" else envelope.get(key, "")
            require(re.fullmatch(word, said, re.ASCII), f"says something else for its {key}")
        mark, data, self.at = envelope["command"], envelope["data"], envelope["at"]
        require(version <= mark["to"] and mark == (self.command or {**mark, "from": version}), "torn command")
        self.command = mark if version < mark["to"] else None
        if version == 1:
            game, rules, self.seats = (data["terms"][key] for key in ("game", "rules", "seats"))
            self.table = data["terms"].get("table", 1)
            require((self.line["game"], self.line["rules"]) == (game, rules), "is of another game or rules")
            # The chain covers the first event, and so all of the description.
            text = json.dumps(self.described, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            self.bound = data.get("chance", "")
            require(self.bound in {"", sha256(text.encode())}, "was dealt in another way than it says")
            self.seed = next((one["value"] for one in line["openings"] if one["field"] == "seed"), "")
        parts = dict(data)
        for name, part in data.items():
            parts |= {f"{name}/{at}": one for at, one in enumerate(part if isinstance(part, list) else ())}
        sealed = {at: one for at, one in parts.items() if isinstance(one, dict) and [*one] == ["sealed"]}
        for one in line["openings"]:
            require(one.keys() <= {"field", "salt", "value", "seats"}, "an opening holds more than it may")
            field, salt, (name, _, at) = one["field"], one["salt"], one["field"].partition("/")
            text = json.dumps(one["value"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            right = {"sealed": sha256(bytes.fromhex(salt), text.encode())}
            require(sealed.pop(field, None) == right, f"{field} is not what was sealed")
            right = hmac.digest(bytes.fromhex(self.seed), f"{version}/{field}".encode(), "sha256").hex()
            require(not self.seed or salt == right, f"the salt of {field} is not the seed's")
            (data[name] if at else data)[int(at) if at else name] = one["value"]
        self.closed += len(sealed)
        self.chance(envelope["type"], data, data.get("seat"), is_open=self.seed and not sealed)

    def chance(self, kind, data, seat, is_open):
        if kind == "SeatTaken":
            self.promised[seat], self.said[seat] = data.get("nonce_hash", ""), ""
        elif kind in {"SeatReady", "NonceShown"}:
            self.said[seat] = data.get("nonce", "")
            # Since number 3 of the table's rules people may be ready first, and show their word later.
            later = self.table >= 3 and not self.said[seat]
            require(
                later or self.promised[seat] in {"", sha256(self.said[seat].encode())}, "reveals another word"
            )
        elif kind == "NonceAnnounced":
            self.promised[seat] = data["nonce_hash"]
        elif kind == "ReadinessVoided":
            for at in data["seats"]:
                self.promised[at], self.said[at] = "", ""
        elif kind == "MatchForked" and is_open and data["entropy"].get("seed"):
            self.inherited = data["entropy"]["seed"], data["entropy"].get("nonces", [])
        shuffled, picked = self.described["shuffles"].get(kind), self.described["picks"].get(kind)
        source = self.inherited or (self.seed, [self.said.get(at, "") for at in range(self.seats)])
        self.chances[not is_open] += bool(shuffled) + bool(picked)
        if picked and is_open:
            drawn = next(draws(*source, f"pick/{picked['purpose']}", [data[picked["below"]]]))
            require(drawn == data[picked["value"]], "was drawn otherwise")
        if shuffled and is_open:
            order = [card for name in shuffled["cards"] for card in flat(data[name])]
            listed = sorted(order, key=self.places.__getitem__)
            whole = [card for card, count in self.described["cards"] for _ in range(count)]
            require(not shuffled["whole"] or listed == whole, "other cards than the game's were dealt")
            number, purpose = data[shuffled["round"]], f"{data[shuffled['round']]}/{data[shuffled['number']]}"
            again = dealt(listed, *source, f"shuffle/{purpose}")
            require(again == order, f"round {number} was not dealt by the seed")

    def end(self, line, digest, published):
        name, count = self.line["match"], self.line["events"]
        require([line["match"], line["events"], len(self.heads)] == [name, count, count], "events missing")
        require(self.head == self.line["head"] and not self.command, "the end is missing")
        require(digest == line["sha256"], "what the chain does not cover was altered")
        require(not self.closed or not self.line["complete"], "openings are missing")
        heads = published.get(name, []) + published.get(self.veiled, [])
        require(all(self.heads.get(at) == head for at, head in heads), "another head was published")
        told = f"events: {count}, deals and draws: {self.chances[0]} right, {self.chances[1]} still sealed"
        print(
            f"good  {name}  {told}, published heads: {len(heads) or 'none'}, closed seals: {self.closed}"
            f"{'' if self.bound else ', how it was dealt is told by the file alone'}"
        )


def check(file, published, at):
    match, digest, since, raw = None, None, 0, b""
    for at[0], raw in enumerate(file, 1):
        line = json.loads(raw, object_pairs_hook=keyed)
        if line.get("kind") == "match" and match is None:
            require(line["export"] == 1 and re.fullmatch("[A-Za-z0-9_-]{1,64}", line["match"]), "not known")
            match, digest, at[1] = Match(line), hashlib.sha256(raw), line["match"]
        elif line.get("kind") == "end":
            match, since = match.end(line, digest.hexdigest(), published), since + 1
        elif line.get("kind") == "file" and match is None:
            since = require(line["matches"] == since, "matches are missing") or 0
        else:
            digest.update(raw)
            match.event(line)
    require(raw.endswith(b"\n") and match is None and since == 0, "the file is cut off, or empty")


def keep(file, published, _):
    lines = file.read().splitlines(keepends=True)
    first, *rows = [json.loads(line, object_pairs_hook=keyed) for line in lines]
    own, found = 1 + first.get("pieces", 0), {}
    pieces, heads = rows[: own - 1], rows[own - 1 :]
    count = sum(piece["heads"] for piece in pieces) if pieces else len(heads)
    said = first.get("kind"), first.get("format"), first.get("heads")
    require(said == ("digest", 2 if pieces else 1, count), "this is no whole digest of format 1 or 2")
    for line, row in zip(lines[own:], heads, strict=True):
        published.setdefault(row["match"], []).append((row["version"], row["head"]))
        hidden = row["match"].removeprefix("sha256:")
        zero = hidden if hidden != row["match"] else sha256(b"tablee/1 ", hidden.encode())
        for piece in pieces:
            if zero.startswith(piece["piece"]):
                found.setdefault(piece["sha256"], []).append(line)
    require(not pieces or sum(map(len, found.values())) == len(heads), "names what is in none of its pieces")
    require(all(sha256(*some) == said for said, some in found.items()), "a piece is altered, or not whole")
    here = "" if len(heads) == count else f", {len(heads)} of them here"
    hashed = sha256(*lines[:own] if pieces else lines)
    print(f"digest {first['digest']}  {first['at']}, heads: {count}{here}, SHA-256: {hashed}")


asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
asked.add_argument("files", nargs="+", metavar="FILE", help="an export, or a file of the archive")
asked.add_argument("--digest", action="append", default=[], metavar="FILE", help="a digest that you kept")
given, published, good = asked.parse_args(), {}, True
for work, path in [(keep, path) for path in given.digest] + [(check, path) for path in given.files]:
    at = [0, "?"]
    try:
        with (gzip.open if open(path, "rb").read(2) == b"\x1f\x8b" else open)(path, "rb") as file:
            work(file, published, at)
    except Exception as error:  # noqa: BLE001 - whatever cannot be checked is not good
        good = print(f"BAD   {path}, line {at[0]}, match {at[1]}: {type(error).__name__}: {error}")
raise SystemExit(0 if good else 1)
