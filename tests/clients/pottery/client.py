# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pottery's Redlock, over one master."""
from pottery import ExtendUnlockedLock, Redlock, ReleaseUnlockedLock
from protocol import redis_client, serve


class Client:
    def __init__(self, _kind):
        self.server = redis_client()
        self.lock = None

    def acquire(self, name, ttl):
        lock = Redlock(key=name, masters={self.server}, auto_release_time=ttl / 1000)
        if not lock.acquire(blocking=False):
            return None
        self.lock = lock
        return self.server.get(lock.key)

    def renew(self, _ttl):
        try:
            self.lock.extend()
            return True
        except ExtendUnlockedLock:
            return False

    def release(self):
        try:
            self.lock.release()
            return True
        except ReleaseUnlockedLock:
            return False


serve(Client)
