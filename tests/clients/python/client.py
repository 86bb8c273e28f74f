# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""client.py SOCKET: redis-py's Lock, told on standard input what to do, a command a line:
acquire NAME TTL_MS    answers "acquired OWNER" or "held"
release                answers "released" or "lost"
"""
import sys

import redis

server = redis.Redis(unix_socket_path=sys.argv[1])
lock = None
for line in sys.stdin:
    words = line.split()
    if words[0] == "acquire":
        lock = server.lock(words[1], timeout=int(words[2]) / 1000)
        taken = lock.acquire(blocking=False)
        print("acquired " + lock.local.token.decode() if taken else "held", flush=True)
    elif words[0] == "release":
        try:
            lock.release()
            print("released", flush=True)
        except redis.exceptions.LockError:
            print("lost", flush=True)
