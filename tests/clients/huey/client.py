# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Huey's lock_task(): the value 1, without an expiry. On its storage with a key for each datum, and (kind "field") on
its usual one, a hash of all results."""

from huey import RedisExpireHuey, RedisHuey
from huey.exceptions import TaskLockedException
from protocol import redis_url, serve

KINDS = {
    "lock": RedisExpireHuey("clients", url=redis_url()),
    "field": RedisHuey("clients", url=redis_url()),
}


class Client:
    def __init__(self, kind):
        self.huey = KINDS[kind]
        self.lock = None

    def acquire(self, name, _ttl):
        lock = self.huey.lock_task(name)
        try:
            lock.__enter__()
        except TaskLockedException:
            return None
        self.lock = lock
        return "1"

    def release(self):
        return bool(self.lock.clear())


serve(Client)
