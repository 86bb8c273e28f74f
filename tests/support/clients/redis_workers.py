# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten workers of redis-py's Lock fight for some locks and count what they attempt.

redis_workers.py HOST PORT WORKERS LOCKS MILLISECONDS. Says "ready", waits for a line, works, and prints one JSON object:
{"LOCK": {"CLIENT": [attempts, failed], …}, …}.
"""
import json
import sys
import threading
import time

import redis
from redis.lock import Lock

host, port, workers, locks, milliseconds = sys.argv[1], *map(int, sys.argv[2:6])
counts = {}
guard = threading.Lock()
begin = threading.Event()


class CountingLock(Lock):
    """Counts each SET … NX as its caller sees it answered."""

    def __init__(self, *args, address, **kwargs):
        super().__init__(*args, **kwargs)
        self.address = address

    def do_acquire(self, token):
        taken = super().do_acquire(token)
        with guard:
            count = counts.setdefault(self.name, {}).setdefault(self.address, [0, 0])
            count[0] += 1
            count[1] += 0 if taken else 1
        return taken


def work(number):
    client = redis.Redis(host=host, port=port, single_connection_client=True)
    address = client.client_info()["addr"]
    begin.wait()
    end = time.monotonic() + milliseconds / 1000
    while time.monotonic() < end:
        name = "lock:%d" % (number % locks)
        lock = CountingLock(client, name, timeout=30, sleep=0.002, address=address, thread_local=False)
        if lock.acquire(blocking=True, blocking_timeout=0.05):
            time.sleep(0.003)
            lock.release()


threads = [threading.Thread(target=work, args=(number,)) for number in range(workers)]
for thread in threads:
    thread.start()
print("ready", flush=True)
sys.stdin.readline()
begin.set()
for thread in threads:
    thread.join()
print(json.dumps(counts), flush=True)
