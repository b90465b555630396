"""Check matches that Tablée exported, with Python alone: python3 verify_export.py FILE ... [--digest=FILE ...]

It shares no code with Tablée; docs/format.md is all it knows. It checks that no event was changed, left out, doubled,
moved or cut off (the chain of hashes), that what is shown was fixed when the event was written (openings against
commitments) and, once a match is over and its seed open, that salts and deals come from that seed and the players' own
words; with a digest that you kept, that matches have the heads which it published. Exit code 1: something is wrong.
It cannot show that nobody looked into hands while a match ran.
"""

import gzip
import hashlib
import hmac
import json
import sys
import zlib


def require(holds, otherwise):
    if not holds:
        raise ValueError(otherwise)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()


def numbers(seed, nonces, purpose):
    """Yield the numbers of generator 1 for a purpose."""
    message = "tablee/chance/1\n" + "".join(nonce + "\n" for nonce in nonces) + purpose
    key, block = hmac.digest(bytes.fromhex(seed), message.encode(), "sha256"), 0
    while True:
        words = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(words[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def below(source, bound):
    return next(word for word in source if word < 2**32 - 2**32 % bound) % bound


def dealt(cards, source):
    """Shuffle cards: in card-list order first, which rises, but goes by colour in Odin."""
    order = sorted(cards, key=lambda card: ("ROYGBV".find(str(card)[0]), card))
    for last in range(len(order) - 1, 0, -1):
        chosen = below(source, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


class Match:
    def __init__(self, line):
        self.line, self.head, self.heads = line, sha256(b"tablee/1 ", line["match"].encode()), {}
        self.names = {line["match"], f"sha256:{self.head}"}
        self.at, self.command, self.seed, self.deals, self.closed = "", None, "", 0, 0
        self.promised, self.said, self.own_chance = {}, {}, True

    def event(self, line):
        version, envelope = len(self.heads) + 1, json.loads(line["e"])
        self.head = self.heads[version] = sha256(bytes.fromhex(self.head), line["e"].encode())
        require(line["version"] == envelope["v"] == version, f"stands where event {version} should")
        require(line["h"] == self.head, "its bytes are not those that were hashed")
        require(envelope["at"] >= self.at, "is older than the one before it")
        mark, data, self.at = envelope["command"], envelope["data"], envelope["at"]
        follows = mark == self.command if self.command else mark["from"] == version
        require(follows and version <= mark["to"], "does not belong to its command")
        self.command = mark if version < mark["to"] else None
        if version == 1:
            self.seats = range(data["terms"]["seats"])
            self.seed = next((one["value"] for one in line["openings"] if one["field"] == "seed"), "")
        parts = dict(data)
        for name, part in data.items():
            parts |= {f"{name}/{at}": one for at, one in enumerate(part if isinstance(part, list) else ())}
        sealed = {
            name: part for name, part in parts.items() if isinstance(part, dict) and [*part] == ["sealed"]
        }
        for one in line["openings"]:
            field, salt, (name, _, at) = one["field"], one["salt"], one["field"].partition("/")
            text = json.dumps(one["value"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            right = sealed.pop(field, None) == {"sealed": sha256(bytes.fromhex(salt), text.encode())}
            require(right, f"{field} is not what was sealed")
            seeded = hmac.digest(bytes.fromhex(self.seed), f"{version}/{field}".encode(), "sha256").hex()
            require(not self.seed or salt == seeded, f"the salt of {field} is not the seed's")
            (data[name] if at else data)[int(at) if at else name] = one["value"]
        self.closed += len(sealed)
        if not sealed:
            self.chance(envelope["type"], data, data.get("seat"))

    def chance(self, kind, data, seat):
        if kind == "SeatTaken":
            self.promised[seat], self.said[seat] = data.get("nonce_hash", ""), ""
        elif kind == "SeatReady":
            self.said[seat] = data.get("nonce", "")
            require(self.promised[seat] in {"", sha256(self.said[seat].encode())}, "reveals another word")
        elif kind == "MatchForked":  # its later cards may come from the seed of the match before it
            self.own_chance = not data["entropy"].get("seed")
        source = self.seed, [self.said.get(number, "") for number in self.seats]
        if self.seed and self.own_chance and kind == "FirstPlayerDrawn":
            require(
                below(numbers(*source, "pick/first"), data["below"]) == seat, "the draw is not the seed's"
            )
        elif self.seed and self.own_chance and kind in {"RoundStarted", "PileReshuffled"}:
            order = [card for hand in data.get("hands", data.get("boards", [])) for card in hand]
            order += [data[name] for name in ("top", "discard") if name in data and kind == "RoundStarted"]
            order += data.get("pile", data.get("undealt"))
            again = dealt(order, numbers(*source, f"shuffle/{data['round']}/{data['shuffle']}"))
            require(again == order, f"round {data['round']} was not dealt by the seed")
            self.deals += 1

    def end(self, line, digest, published):
        count, first = len(self.heads), self.line
        require(count == line["events"] == first["events"], f"there are {count} events")
        require(self.head == first["head"] and not self.command, "the end is missing")
        require(digest == line["sha256"], "what the chain does not cover was altered")
        require(not self.closed or not first["complete"], "openings are missing")
        for version, head in (pair for name in self.names for pair in published.get(name, ())):
            require(self.heads.get(version) == head, f"another head was published for version {version}")
        print(f"good  {first['match']}  {count} events, {self.deals} deals, {self.closed} seals still closed")


def check(file, published, at):
    match, digest, since = None, None, 0
    for at[0], raw in enumerate(file, 1):
        line = json.loads(raw)
        kind = line.get("kind", "event")
        if kind == "match" and match is None:
            require(line["export"] == 1, "this file has another format than the one known here")
            match, digest, at[1] = Match(line), hashlib.sha256(raw), line["match"]
        elif kind == "end":
            match, since = match.end(line, digest.hexdigest(), published), since + 1
        elif kind == "file" and match is None:
            since = require(line["matches"] == since, "matches are missing") or 0
        else:
            digest.update(raw)
            match.event(line)
    require(match is None and since == 0, "the file is cut off")


published, good = {}, True
for path in (given[9:] for given in sys.argv[1:] if given.startswith("--digest=")):
    for head in map(json.loads, open(path, "rb")):
        published.setdefault(head.get("match"), []).append((head.get("version"), head.get("head")))
for path in (given for given in sys.argv[1:] if not given.startswith("--")):
    at = [0, "?"]
    try:
        with (gzip.open if open(path, "rb").read(2) == b"\x1f\x8b" else open)(path, "rb") as file:
            check(file, published, at)
    except (ValueError, LookupError, TypeError, AttributeError, EOFError, OSError, zlib.error) as error:
        good = print(f"BAD   {path}, line {at[0]}, match {at[1]}: {error!r}")
sys.exit(0 if good else 1)
