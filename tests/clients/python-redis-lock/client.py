# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python-redis-lock: a token under lock:NAME, and a list that wakes its waiters."""
import redis_lock
from protocol import redis_client, serve


class Client:
    def __init__(self, _kind):
        self.server = redis_client()
        self.lock = None

    def acquire(self, name, ttl):
        lock = redis_lock.Lock(self.server, name, expire=ttl // 1000)
        if not lock.acquire(blocking=False):
            return None
        self.lock = lock
        return lock.id

    def renew(self, ttl):
        try:
            self.lock.extend(ttl // 1000)
            return True
        except (redis_lock.NotAcquired, redis_lock.NotExpirable):
            return False

    def release(self):
        try:
            self.lock.release()
            return True
        except redis_lock.NotAcquired:
            return False

    def wait(self, name):
        lock = redis_lock.Lock(redis_client(), name, expire=60)
        lock.acquire()
        lock.release()
        return lock.id


serve(Client)
