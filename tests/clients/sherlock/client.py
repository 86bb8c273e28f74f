# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sherlock on Redis."""
from protocol import redis_client, serve
from sherlock import RedisLock
from sherlock.lock import LockException


class Client:
    def __init__(self, _kind):
        self.server = redis_client()
        self.lock = None

    def acquire(self, name, ttl):
        lock = RedisLock(name, namespace="sherlock", client=self.server, expire=ttl // 1000)
        if not lock.acquire(blocking=False):
            return None
        self.lock = lock
        return self.server.get("sherlock_" + name)

    def renew(self, _ttl):
        return bool(self.lock.renew())

    def release(self):
        try:
            self.lock.release()
            return True
        except LockException:
            return False


serve(Client)
