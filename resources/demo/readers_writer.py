#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A read-write lock as Redisson keeps it, by somebody else's client (redis-py): readers, and a writer now and then.

Usage: readers_writer.py UNIX_SOCKET. Runs until it is killed.
"""

import random
import sys
import time
import uuid

import redis

RW_LOCK = "catalog:snapshot"


def reader_or_writer(connection, owner, choice):
    """A read-write lock: the mode is a field beside the holder's own."""
    writes = choice.random() < 0.4
    field = owner + (":write" if writes else "")
    if not connection.exists(RW_LOCK):
        with connection.pipeline(transaction=True) as transaction:
            transaction.hset(RW_LOCK, mapping={"mode": "write" if writes else "read", field: 1})
            transaction.pexpire(RW_LOCK, 30_000)
            transaction.execute()
        time.sleep(choice.uniform(3, 7))
        connection.delete(RW_LOCK)
    time.sleep(choice.uniform(1, 3))


def main():
    connection = redis.Redis(unix_socket_path=sys.argv[1])
    owner, choice = f"{uuid.UUID(int=77, version=4)}:12", random.Random(77)
    while True:
        try:
            reader_or_writer(connection, owner, choice)
        except redis.RedisError as error:  # the server was away for a while
            print(f"readers_writer: {error}", file=sys.stderr)
            time.sleep(1)


if __name__ == "__main__":
    main()
