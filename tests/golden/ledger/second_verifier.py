#!/usr/bin/env python3
"""A second verifier of ledgers, written from docs/formats/ledger.md and keys.md alone.

It shares no line with the one in audit/, so that the two can disagree. It says less: the verdict
and the first failing property. Python's standard library only.

usage: second_verifier.py LEDGER [ROOT_KEY]
       second_verifier.py --self-test GOLDEN_FOLDER
"""
import base64
import hashlib
import hmac
import json
import os
import re
import sys

HEAD, MIDDLE, TAIL = b'{"mac":"', b'","record":', b"}\n"
RECORD_MAX = 1 << 20
LINE_MAX = RECORD_MAX + 85
EPOCH_MAX = 1024
DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z")
RUN_KINDS = set(
    "genesis admission step_intent step_outcome step_refused step_skipped approval policy_changed "
    "run_interrupted run_suspended run_sealed".split())
INDEX_KINDS = set(
    "index_genesis run_started run_finished run_refused run_rolled_back pruned".split())
SHARED_KINDS = set("recovery epoch_closed key_rotated checkpoint".split())


class Failure(Exception):
    def __init__(self, prop, why):
        super().__init__(why)
        self.prop = prop


def need(condition, prop, why):
    if not condition:
        raise Failure(prop, why)


# ---- keys ----------------------------------------------------------------------------------------

def hkdf(key, salt, info):
    prk = hmac.new(salt or bytes(32), key, hashlib.sha256).digest()
    return hmac.new(prk, info + b"\x01", hashlib.sha256).digest()


def commitment(key):
    return hashlib.sha256(b"rgx.key-commitment/v1\0" + key).hexdigest()


def read_root_key(text):
    match = re.fullmatch(rb"rgx-root-key/v1\nid: ([0-9a-f]{16})\nsecret: ([0-9a-f]{64})\n", text)
    need(match, "key", "not a root key file")
    secret = bytes.fromhex(match[2].decode())
    need(commitment(secret)[:16] == match[1].decode(), "key", "damaged key file")
    return match[1].decode(), secret


def pae(kind, data):
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(data), data)


# ---- Ed25519 (RFC 8032, 5.1) ------------------------------------------------------------------------

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def add(a, b):
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    e, g, h, k = f - e, h - g, h + g, f + e
    return (e * g % P, h * k % P, g * h % P, e * k % P)


def multiply(n, point):
    result = (0, 1, 1, 0)
    while n:
        if n & 1:
            result = add(result, point)
        point = add(point, point)
        n >>= 1
    return result


def decompress(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = decompress((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def ed25519_verify(key, message, signature):
    a, r = decompress(key), decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= Q:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % Q
    left, right = multiply(s, BASE), add(r, multiply(k, a))
    return all((left[i] * right[2] - right[i] * left[2]) % P == 0 for i in (0, 1))


# ---- tree ----------------------------------------------------------------------------------------

class Tree:
    def __init__(self):
        self.size, self.peaks = 0, []

    def add(self, leaf):
        bits, self.size = self.size, self.size + 1
        while bits & 1:
            leaf = hashlib.sha256(b"\x01" + self.peaks.pop() + leaf).digest()
            bits >>= 1
        self.peaks.append(leaf)

    def root(self):
        if not self.peaks:
            return "sha256:" + hashlib.sha256(b"").hexdigest()
        root = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            root = hashlib.sha256(b"\x01" + peak + root).digest()
        return "sha256:" + root.hex()


# ---- records ---------------------------------------------------------------------------------------

def refuse_float(text):
    raise ValueError("a number that is no integer: " + text)


def bounded(text):
    if text == "-0" or abs(int(text)) > 2**53 - 1:
        raise ValueError("an integer out of range: " + text)
    return int(text)


def canonical(value):
    """RFC 8785 for this value space; names are sorted by UTF-16 code units."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(n) + ":" + canonical(value[n]) for n in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def parse_record(data):
    try:
        text = data.decode("utf-8")
        value = json.loads(text, parse_float=refuse_float, parse_int=bounded,
                           parse_constant=refuse_float)
        need(canonical(value).encode("utf-8") == data, "integrity", "not canonical")
    except (ValueError, RecursionError) as error:
        raise Failure("integrity", str(error)) from error
    members = "body env epoch kid log_id prev seq type v".split()
    need(isinstance(value, dict) and sorted(value) == members, "integrity", "members")
    need(value["v"] == 1 and type(value["v"]) is int, "integrity", "version")
    for name, pattern in (("log_id", r"[0-9a-f]{32}\Z"), ("kid", r"[0-9a-f]{16}\Z"),
                          ("prev", DIGEST.pattern), ("type", r"[a-z_]+\Z")):
        need(isinstance(value[name], str) and re.match(pattern, value[name]), "integrity", name)
    for name in ("seq", "epoch"):
        need(type(value[name]) is int and value[name] >= 0, "integrity", name)
    need(value["type"] in RUN_KINDS | INDEX_KINDS | SHARED_KINDS, "integrity", "kind")
    env = value["env"]
    need(isinstance(value["body"], dict) and isinstance(env, dict), "integrity", "objects")
    need(sorted(env) == ["host", "monotonic_ms", "pid", "time"], "integrity", "env")
    return value


def check_requester(record):
    body = record["body"]
    statement = canonical({"admission_digest": body["admission_digest"],
                           "log_id": record["log_id"], "plan_digest": body["plan_digest"]})
    key, signature = body["requester"]["public_key"], body["requester"]["signature"]
    need(key.startswith("ed25519:"), "meaning", "requester key")
    info = base64.b64decode(key[8:], validate=True)
    need(info[:12].hex() == "302a300506032b6570032100", "meaning", "requester key")
    message = pae(b"application/vnd.rgx.audit.requester.v1+json", statement.encode())
    need(ed25519_verify(info[12:], message, base64.b64decode(signature, validate=True)),
         "meaning", "requester signature")


class Order:
    """What records say together: document, section Order."""

    def __init__(self):
        self.index, self.open, self.approved, self.genesis, self.spent = False, {}, set(), None, {}
        self.rollbacks, self.review, self.settled, self.base = {}, False, {}, None

    def accept(self, state, told):
        """Whether what the seal says of the acceptance follows from the records."""
        if told is None:
            return
        if "approval" in told:
            answer = self.settled.get(told["approval"])
            need(answer == "approve" or (answer == "reject" and state != "succeeded"), "meaning",
                 "acceptance approval not there")
        if state == "succeeded":
            need(told["verdict"] == "accepted", "meaning", "not accepted")
            changed = told["changed_judge_total"] > 0 or "unknown" in told
            need(not (self.review and changed) or "approval" in told, "meaning", "no review")

    def end_worktree(self, record):
        """Whether the seal announces the commit of a worktree where there is one."""
        told = record["body"].get("worktree")
        ends = self.genesis["workspace"] == "worktree" and record["body"]["state"] == "succeeded"
        need((told is not None) == ends, "meaning", "worktree")
        need(not ends or (told["base"], told["branch"]) ==
             (self.base, "rgx/r-" + record["log_id"][:12]), "meaning", "worktree of another run")

    def next(self, record, tree):
        kind, body, seq = record["type"], record["body"], record["seq"]
        if seq == 0:
            self.index = kind == "index_genesis"
            need(kind in ("genesis", "index_genesis"), "meaning", "no genesis")
            need(body["mode"] == "local" and body["schema"] == "rgx.ledger/v1", "meaning", "mode")
            self.genesis = body
            if not self.index:
                check_requester(record)
            return
        allowed = (INDEX_KINDS if self.index else RUN_KINDS) | SHARED_KINDS
        need(kind in allowed and "genesis" not in kind, "meaning", "kind in the wrong place")
        need(self.index or (kind == "admission") == (seq == 1), "meaning", "admission")
        if kind in ("admission", "policy_changed"):
            self.review = body.get("changed_judge") == "needs_review"
        if kind == "approval" and body["step"] == "acceptance":
            self.settled[seq] = body["answer"]
        if kind == "admission":
            self.base = body["base_revision"]
            for name in ("plan_digest", "admission_digest"):
                need(body[name] == self.genesis[name], "meaning", name)
        elif kind == "step_intent":
            decision, cited = body["decision"].get("decision"), body.get("approvals", [])
            need(decision in ("allow", "require_approval"), "meaning", "no allowing decision")
            need(decision == "allow" or cited, "meaning", "no approval")
            need(set(cited) <= self.approved, "meaning", "approval not there")
            need(self.open.get(body["step"], 0) < body["attempt"], "meaning", "attempt repeats")
            self.open[body["step"]] = body["attempt"]
        elif kind == "step_outcome":
            need(self.open.pop(body["step"], None) == body["attempt"], "meaning", "no intent")
            for name, amount in body["spent"].items():
                self.spent[name] = self.spent.get(name, 0) + amount
        elif kind == "approval" and body["answer"] == "approve":
            self.approved.add(seq)
        elif kind == "policy_changed":
            self.approved.clear()
            self.settled = {at: said for at, said in self.settled.items() if said == "reject"}
        elif kind == "epoch_closed":
            need((body["epoch"], body["records"], body["root"]) ==
                 (record["epoch"], seq, tree.root()), "meaning", "epoch_closed")
        elif kind == "run_sealed":
            need(body["state"] != "succeeded" or not self.open, "meaning", "open intents")
            self.accept(body["state"], body.get("acceptance"))
            self.end_worktree(record)
            for name in set(self.spent) - {"wall_ms"}:
                need(body["spent"].get(name, 0) >= self.spent[name], "meaning", "spent")
        elif kind == "run_started":
            need(body["log_id"] not in self.open, "meaning", "started twice")
            self.open[body["log_id"]] = 1
        elif kind == "run_finished":
            need(self.open.pop(body["log_id"], None), "meaning", "not started")
        elif kind == "run_rolled_back" and body["state"] == "started":
            self.rollbacks[body["log_id"]] = body["digest"]
        elif kind == "run_rolled_back":
            need(self.rollbacks.pop(body["log_id"], None) == body["digest"], "meaning", "rollback")


# ---- verdict ---------------------------------------------------------------------------------------

class Verifier:
    def __init__(self, root):
        self.root, self.order, self.tree = root, Order(), Tree()
        self.prev, self.first, self.key = "sha256:" + "0" * 64, None, None
        self.epoch, self.in_epoch, self.sealed, self.reserved = 0, 0, False, False
        self.right, self.wrong, self.failure = 0, 0, None

    def line(self, line):
        need(not self.sealed, "completeness", "a line after the seal")
        need(85 < len(line) <= LINE_MAX and line.startswith(HEAD) and line[72:83] == MIDDLE and
             line.endswith(TAIL) and re.fullmatch(rb"[0-9a-f]{64}", line[8:72]), "integrity",
             "frame")
        data = line[83:-2]
        record = parse_record(data)
        need(record["seq"] == self.tree.size and record["prev"] == self.prev, "integrity", "chain")
        if self.first is None:
            self.first = record
            if self.root:
                self.key = hkdf(self.root[1], record["log_id"].encode(), b"rgx.log-key/v1")
        for name in ("log_id", "kid"):
            need(record[name] == self.first[name], "integrity", name)
        need(record["epoch"] == self.epoch, "integrity", "epoch")
        closes = record["type"] == "epoch_closed"
        need(closes or self.in_epoch + 1 < EPOCH_MAX, "integrity", "epoch not closed")
        self.check_mac(record, data, line[8:72].decode())
        try:
            if self.failure is None:
                self.order.next(record, self.tree)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            self.failure = Failure("meaning", "body: %r" % error)
        except Failure as failure:
            self.failure = failure
        self.reserved |= record["type"] in ("key_rotated", "pruned")
        if record["type"] == "run_sealed":
            need((record["body"].get("records"), record["body"].get("root")) ==
                 (self.tree.size, self.tree.root()), "completeness", "the seal disagrees")
            self.sealed = True
        leaf = hashlib.sha256(b"\0" + data).digest()
        self.prev = "sha256:" + leaf.hex()
        self.tree.add(leaf)
        self.epoch, self.in_epoch = (self.epoch + 1, 0) if closes else (self.epoch,
                                                                        self.in_epoch + 1)

    def check_mac(self, record, data, mac):
        if not self.key:
            return
        message = pae(b"application/vnd.rgx.audit.record.v1+json", data)
        is_right = hmac.compare_digest(hmac.new(self.key, message, hashlib.sha256).hexdigest(), mac)
        if record["seq"] == 0:
            self.commits = record["body"].get("key_commitment") == "sha256:" + commitment(self.key)
            is_right = is_right and self.commits
        if record["type"] == "epoch_closed":
            self.key = hkdf(self.key, b"", b"rgx.epoch-key/v1")
            is_right = is_right and (record["body"].get("next_key_commitment") ==
                                     "sha256:" + commitment(self.key))
        self.right, self.wrong = self.right + is_right, self.wrong + (not is_right)

    def verdict(self, torn):
        if self.failure or (torn and self.sealed):
            return "TAMPERED"
        another = self.first and self.root and self.first["kid"] != self.root[0]
        if self.wrong and not (another and not self.right and not self.commits):
            return "TAMPERED"
        if torn:
            return "TORN"
        return "VERIFIED" if self.sealed and self.right and not self.wrong and not self.reserved \
            else "INCONCLUSIVE"


def verify(data, root=None):
    verifier, at = Verifier(root), 0
    try:
        while (feed := data.find(b"\n", at)) >= 0:
            verifier.line(data[at:feed + 1])
            at = feed + 1
        need(len(data[at:].rstrip(b"\0")) <= LINE_MAX, "integrity", "endless line")
    except Failure as failure:
        return "TAMPERED", "%s at byte %d: %s" % (failure.prop, at, failure)
    return verifier.verdict(at < len(data)), str(verifier.failure or "")


def self_test(folder):
    def read(name):
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()

    root = read_root_key(read("ledger/root.key"))
    run, index = read("ledger/run.jsonl"), read("ledger/index.jsonl")
    lines = run.splitlines(keepends=True)
    cases = [("run", run, root, "VERIFIED"), ("run, no key", run, None, "INCONCLUSIVE"),
             ("run, another key", run, (commitment(bytes(32))[:16], bytes(32)), "INCONCLUSIVE"),
             ("index", index, root, "INCONCLUSIVE"), ("empty", b"", root, "INCONCLUSIVE"),
             ("no seal", b"".join(lines[:-1]), root, "INCONCLUSIVE"),
             ("torn", run[:-1], root, "TORN"), ("zeros", b"".join(lines[:-1]) + bytes(9), root, "TORN"),
             ("tail after the seal", run + b"{", root, "TAMPERED")]
    for i in range(len(lines) - 1):
        rest = lines[:i] + lines[i + 1:]
        cases.append(("line %d dropped" % i, b"".join(rest), root, "TAMPERED"))
    for at in range(0, len(run) - 1, 7):
        changed = run[:at] + bytes([run[at] ^ 1]) + run[at + 1:]
        cases.append(("byte %d changed" % at, changed, root, "TAMPERED"))
    corpus = os.path.join(folder, "corpus")
    for version in sorted(os.listdir(corpus)):
        if os.path.isdir(os.path.join(corpus, version)):
            key = read_root_key(read(os.path.join("corpus", version, "root.key")))
            ledger = read(os.path.join("corpus", version, "ledger.jsonl"))
            cases.append((version, ledger, key, "VERIFIED"))
    wrong = 0
    for name, data, key, expected in cases:
        verdict, why = verify(data, key)
        if verdict != expected:
            wrong += 1
            print("%s: %s instead of %s %s" % (name, verdict, expected, why))
    print("%d cases, %d wrong" % (len(cases), wrong))
    return wrong != 0


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--self-test":
        return self_test(arguments[1])
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], "rb") as file:
        data = file.read()
    root = None
    if len(arguments) == 2:
        with open(arguments[1], "rb") as file:
            root = read_root_key(file.read())
    verdict, why = verify(data, root)
    print(verdict, why)
    return {"VERIFIED": 0, "TAMPERED": 4, "INCONCLUSIVE": 9, "TORN": 10}[verdict]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
