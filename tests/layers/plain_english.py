#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists sentences in comments, documents and commit subjects that a native reader would stumble over.

    plain-english [--summary] [PATH ...]        comments of C++ sources and scripts, and Markdown text (default: the tree)
    plain-english --changed [REV]               only lines added since REV (default: HEAD~1), and commit subjects since then
    plain-english --strings [FILE.ts ...]       the words that users read: sources of Qt translation files (default: translations/*_zh_CN.ts)

Prints FILE:LINE: RULE: sentence, then one line with the totals. Exit 0 always: it advises, a person decides.
"""
import argparse, os, re, subprocess, sys

RULES = [  # (name, pattern on one sentence, what to write instead)
    ("headless clause", re.compile(r"^(What|Who|Whoever|Whom|Whose|Which|That which)\b(?!.*\?)"), "name the actor: subject, verb, object"),
    ("inverted opening", re.compile(r"^(Of|By|From|To|In|With) (what|whom|which|whose|one that|it|them|those|an? \w+ that)\b"), "start with the subject"),
    ("tell", re.compile(r"\b(tells?|told|telling|untold)\b"), "report, notify, announce, say, show, mean"),
    ("whoever", re.compile(r"\b(whoever|whom|he who|who (else )?(asks|waits|has|holds|knows|gives|comes|takes|reads|writes)\b(?<!\w who))"), "the caller, the reader, a client that …"),
    ("Else/So far opening", re.compile(r"^(Else|So far|As yet|Thereby|Thereof|Wherein|Whereof|Therein)\b"), "Otherwise …"),
    ("bare 'what is'", re.compile(r"\b(of|by|for|than|as|and|from|in) what (is|was|has|had|can|may|must|it|they|the)\b"), "name the thing"),
    ("has … of its own", re.compile(r"\bof (its|their) own\b"), "its own …, or say what it is for"),
    ("'one that' pronoun chain", re.compile(r"\b(one|those|that) (that|which|who)\b.*\b(one|those|that) (that|which|who)\b"), "repeat the noun"),
    ("is there / isn't there", re.compile(r"\b(is|are|was|were)(n't)? there\b(?! (a|an|any|no|some|enough)\b)"), "exists, is available, is installed"),
]
UI = [  # more rules for what users read
    ("Off:", re.compile(r"^(Off|Against|For):"), "Can't release: …"),
    ("by itself", re.compile(r"\bby (itself|themselves)\b"), "automatically"),
    ("fits", re.compile(r"\bfits?\b"), "matches"),
    ("nobody", re.compile(r"\b[Nn]obody\b"), "no connection, no client, not held"),
    ("taken/given back", re.compile(r"\b(taken|given|takes|gives|give|take) back\b"), "cancelled, released"),
    ("gone/there/stands", re.compile(r"\b(stands?|stood)\b|\b(is|are) gone\b"), "is shown, no longer exists"),
    ("look", re.compile(r"\b(looks?|looked) (at|through|for)\b"), "check, scan, search"),
]
LIMIT = 34  # words in a sentence
COMMIT = re.compile(r"^[a-z0-9/_-]+: \S")
CODE = (".h", ".cpp", ".c", ".hpp", ".sh", ".py", ".cmake", ".sql", ".lua")

def comments(text, ext):
    """(line, text) of each comment block."""
    if ext in (".sh", ".py", ".cmake"):
        block, start = [], 0
        for n, l in enumerate(text.splitlines(), 1):
            m = re.match(r"\s*#(?!!)\s?(.*)", l)
            if m and not m.group(1).startswith("SPDX"):
                if not block: start = n
                block.append(m.group(1))
            elif block: yield start, " ".join(block); block = []
        if block: yield start, " ".join(block)
        return
    for m in re.finditer(r"/\*\*?(.*?)\*/|((?:[ \t]*//[/<!]*[^\n]*\n)+)|(//[/<!]*[^\n]*)", text, re.S):
        raw = m.group(0)
        if "SPDX" in raw: continue
        body = re.sub(r"(?m)^\s*(/\*\*?|\*/|\*|//[/<!]*)\s?|\*/", " ", raw)
        yield text.count("\n", 0, m.start()) + 1, body
    if ext == ".sql":
        for n, l in enumerate(text.splitlines(), 1):
            m = re.match(r"\s*--\s?(.*)", l)
            if m: yield n, m.group(1)

def prose(text):
    fence = False
    for n, l in enumerate(text.splitlines(), 1):
        if l.startswith("```"): fence = not fence
        elif not fence and l.strip() and not l.startswith(("#", "<", "|--")): yield n, re.sub(r"^\s*([-*]|\d+\.)\s+", "", l)

def sentences(body):
    body = re.sub(r"`[^`]*`", "X", re.sub(r"\s+", " ", body)).strip()
    return [s.strip() for s in re.split(r"(?<=[.!?…])\s+(?=[A-Z(“\"])", body) if len(s.split()) > 2]

def look(path, text, only=None):
    ext = os.path.splitext(path)[1]
    for n, body in (prose(text) if ext == ".md" else comments(text, ext)):
        if only is not None and not any(n <= k <= n + body.count("\n") + 12 for k in only): continue
        for s in sentences(body):
            yield n, s, [(a, c) for a, b, c in RULES if b.search(s)] + ([("%d words" % len(s.split()), "two sentences")] if len(s.split()) > LIMIT and s.count("|") < 2 else [])

def strings(paths):
    import glob, html
    seen = bad = 0; by = {}
    for f in paths or sorted(glob.glob("translations/*_zh_CN.ts")):
        text = open(f, errors="replace").read()
        for m in re.finditer(r"<source>(.*?)</source>", text, re.S):
            for s in [x for x in re.split(r"(?<=[.!?…:])\s+", html.unescape(m.group(1)).replace("%n", "5")) if len(x.split()) > 2]:
                seen += 1
                faults = [(a, c) for a, b, c in RULES + UI if b.search(s)] + ([("long", "two sentences")] if len(s.split()) > 25 else [])
                if faults:
                    bad += 1
                    for a, _ in faults: by[a] = by.get(a, 0) + 1
                    yield "%s:%d: %s: %s" % (f, text.count("\n", 0, m.start()) + 1, "; ".join("%s → %s" % x for x in faults), s[:160])
    yield "; ".join("%s %d" % x for x in sorted(by.items(), key=lambda x: -x[1]))
    yield "%d of %d strings flagged (%.1f %%)" % (bad, seen, 100.0 * bad / max(1, seen))

def tree(paths):
    out = subprocess.run(["git", "ls-files", "-z", *paths], capture_output=True, text=True).stdout.split("\0")
    return [f for f in out if os.path.splitext(f)[1] in CODE + (".md",) and not f.endswith(("LICENSE",))]

def main():
    a = argparse.ArgumentParser(); a.add_argument("--summary", action="store_true"); a.add_argument("--changed", nargs="?", const="HEAD~1"); a.add_argument("--strings", action="store_true"); a.add_argument("paths", nargs="*")
    o = a.parse_args()
    if o.strings:
        rows = list(strings(o.paths)); print("\n".join(rows[-2:] if o.summary else rows)); return
    seen = bad = 0; by = {}; rooms = {}
    added = None
    if o.changed:
        added, f = {}, None
        for l in subprocess.run(["git", "diff", "-U0", o.changed, "--", *(o.paths or ["."])], capture_output=True, text=True, errors="replace").stdout.splitlines():
            if l.startswith("+++ b/"): f = l[6:]
            m = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", l)
            if m and f: added.setdefault(f, set()).update(range(int(m.group(1)), int(m.group(1)) + int(m.group(2) or 1)))
        for l in subprocess.run(["git", "log", "--format=%h %s", o.changed + "..HEAD"], capture_output=True, text=True).stdout.splitlines():
            h, s = l.split(" ", 1); seen += 1
            if not COMMIT.match(s) or len(s) > 72:
                bad += 1; by["commit subject"] = by.get("commit subject", 0) + 1
                if not o.summary: print("commit %s: 'area: imperative subject', at most 72 characters: %s" % (h, s))
    for f in (list(added) if added is not None else tree(o.paths)):
        if os.path.splitext(f)[1] not in CODE + (".md",) or not os.path.exists(f): continue
        for n, s, faults in look(f, open(f, errors="replace").read(), added[f] if added is not None else None):
            seen += 1
            room = "/".join(f.split("/")[:2]); r = rooms.setdefault(room, [0, 0]); r[0] += 1
            if faults:
                bad += 1; r[1] += 1
                for name, _ in faults: by[name if not name.endswith("words") else "long"] = by.get(name if not name.endswith("words") else "long", 0) + 1
                if not o.summary: print("%s:%d: %s: %s" % (f, n, "; ".join("%s → %s" % x for x in faults), s[:220]))
    if o.summary:
        for k, (x, y) in sorted(rooms.items(), key=lambda r: -r[1][1])[:20]: print("%5d of %5d  %s" % (y, x, k))
        print("; ".join("%s %d" % x for x in sorted(by.items(), key=lambda x: -x[1])))
    print("%d of %d sentences flagged (%.1f %%)" % (bad, seen, 100.0 * bad / max(1, seen)))
if __name__ == "__main__": main()
