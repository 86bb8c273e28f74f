#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks by somebody else's client: redis-py's Lock, and one process that dies between SETNX and EXPIRE.

Usage: third_party.py UNIX_SOCKET. Runs until it is killed.
"""

import os
import random
import socket
import sys
import threading
import time

import redis
from redis.exceptions import LockError, RedisError


def forget_expire(path):
    """A faulty application: SETNX, then death before EXPIRE. Nobody will ever release the lock, and a liveness
    rule finds that the process in its value is gone."""
    worker = os.fork()
    if worker == 0:
        value = f"{os.getpid()}@{socket.gethostname()}:9f2b6a1d5e4c3b2a8d0a4c7e3b5f0c1e"
        redis.Redis(unix_socket_path=path).setnx("lock:payout:batch-7", value)
        os._exit(0)
    os.waitpid(worker, 0)


def work(path, number):
    """Acquires, sometimes extends, holds, and gives back or crashes, for ever."""
    choice = random.Random(number)
    connection = redis.Redis(unix_socket_path=path)
    while True:
        lock = connection.lock(f"lock:py:{choice.choice(['billing', 'crawler', 'thumbnails', 'geo'])}",
                               timeout=choice.randint(6, 14), blocking_timeout=2)
        try:
            if lock.acquire():
                time.sleep(choice.uniform(1, 4))
                if choice.random() < 0.4:
                    lock.extend(8)
                    time.sleep(choice.uniform(1, 4))
                if choice.random() < 0.85:  # otherwise: crashed, the lease runs out
                    lock.release()
        except (LockError, RedisError) as error:
            print(f"third_party: {error}", file=sys.stderr)
        time.sleep(choice.uniform(0.2, 2))


def main():
    path = sys.argv[1]
    forget_expire(path)
    for number in range(6):
        threading.Thread(target=work, args=(path, number), daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    main()
