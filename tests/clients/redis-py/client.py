# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""redis-py's own Lock."""
import redis
from protocol import redis_client, serve


class Client:
    def __init__(self, _kind):
        self.server = redis_client()
        self.lock = None

    def acquire(self, name, ttl):
        lock = self.server.lock(name, timeout=ttl / 1000)
        if not lock.acquire(blocking=False):
            return None
        self.lock = lock
        return lock.local.token

    def renew(self, ttl):
        try:
            return self.lock.extend(ttl / 1000, replace_ttl=True)
        except redis.exceptions.LockError:
            return False

    def release(self):
        try:
            self.lock.release()
            return True
        except redis.exceptions.LockError:
            return False


serve(Client)
