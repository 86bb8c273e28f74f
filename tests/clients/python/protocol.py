# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The line protocol of tests/support/foreign_client.h for the clients in Python.

A client is an object with acquire(name, ttl_ms) -> owner or None, release() -> whether it still had the lock, and,
where the library can, renew(ttl_ms) -> whether it still had the lock and wait(name) -> owner.
"""
import os
import sys
import threading
import time


def redis_client(**options):
    import redis

    return redis.Redis(unix_socket_path=os.environ["REDIS_SOCKET"], **options)


def redis_url():
    return "redis://127.0.0.1:%s/0" % os.environ["REDIS_PORT"]


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def answer(client, verb, arguments):
    if verb == "acquire":
        owner = client.acquire(arguments[0], int(arguments[1]))
        return "held" if owner is None else "acquired " + text(owner)
    if verb == "renew":
        return "renewed" if client.renew(int(arguments[0])) else "lost"
    if verb == "release":
        return "released" if client.release() else "lost"
    if verb == "fight":
        threading.Thread(target=lambda: say("got %d" % fight(client, *arguments)), daemon=True).start()
        return "waiting"
    threading.Thread(target=lambda: say("got " + text(client.wait(arguments[0]))), daemon=True).start()
    return "waiting"


def fight(client, name, ttl, rounds, folder):
    """Takes the lock so often, and counts how often somebody else was inside: a folder can be made once."""
    overlaps = 0
    for _ in range(int(rounds)):
        while client.acquire(name, int(ttl)) is None:
            time.sleep(0.001)
        try:
            os.mkdir(folder + "/inside")
        except FileExistsError:
            overlaps += 1
        with open(folder + "/holders", "a", encoding="ascii") as holders:
            holders.write("T")
        time.sleep(0.001)
        if os.path.isdir(folder + "/inside"):
            os.rmdir(folder + "/inside")
        client.release()
        time.sleep(0.02)
    return overlaps


def serve(make):
    """Serves until standard input ends; make(kind) gives a new client."""
    clients = {}
    say("ready")
    for line in sys.stdin:
        who, verb, *arguments = line.split()
        if who not in clients:
            clients[who] = make(who.split("#")[0])
        try:
            say(answer(clients[who], verb, arguments))
        except Exception as error:  # pylint: disable=broad-except
            say("error %s: %s" % (type(error).__name__, " ".join(str(error).split())))
    os._exit(0)
