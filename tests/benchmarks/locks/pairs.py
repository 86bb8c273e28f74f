# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of acquire and release a second of redis-py's Lock: pairs.py SOCKET SECONDS."""
import sys
import time

import redis

server = redis.Redis(unix_socket_path=sys.argv[1])
locks = [server.lock("py:%d" % i, timeout=30) for i in range(64)]
pairs = 0
began = time.monotonic()
while time.monotonic() - began < float(sys.argv[2]):
    for lock in locks:
        lock.acquire(blocking=False)
        lock.release()
    pairs += len(locks)
print(pairs / (time.monotonic() - began))
