# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Huey's lock_task() on its storage with a key for each datum: the value 1, without an expiry."""

from huey import RedisExpireHuey
from huey.exceptions import TaskLockedException
from protocol import redis_url, serve

huey = RedisExpireHuey("clients", url=redis_url())


class Client:
    def __init__(self, _kind):
        self.lock = None

    def acquire(self, name, _ttl):
        lock = huey.lock_task(name)
        try:
            lock.__enter__()
        except TaskLockedException:
            return None
        self.lock = lock
        return "1"

    def release(self):
        return bool(self.lock.clear())


serve(Client)
