# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contended locks of redis-py. usage: lock_workload.py SOCKET WORKERS ROUNDS

Prints a line for each acquisition once it is over: name, token, and "released" or "expired".
"""
import random
import sys
import threading
import time

import redis

NAMES = ["lock:orders", "lock:billing", "lock:mail"]
guard = threading.Lock()


def tell(name, token, end):
    with guard:
        sys.stdout.write("%s %s %s\n" % (name, token.decode(), end))


def work(path, rounds, seed):
    dice = random.Random(seed)
    client = redis.Redis(unix_socket_path=path)
    for _ in range(rounds):
        name = dice.choice(NAMES)
        crashes = dice.random() < 0.1
        lock = client.lock(name, timeout=0.3 if crashes else 30, sleep=0.002, thread_local=False)
        if not lock.acquire(blocking_timeout=60):
            sys.exit("no lock")
        token = lock.local.token
        if crashes:
            time.sleep(0.35)
            tell(name, token, "expired")
            continue
        time.sleep(dice.uniform(0.004, 0.02))
        lock.release()
        tell(name, token, "released")


def main():
    path, workers, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    threads = [threading.Thread(target=work, args=(path, rounds, i)) for i in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


main()
