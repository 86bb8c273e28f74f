# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Django's cache on django-redis: its lock(), and the idiom of cache.add() with a constant value."""
import django
from django.conf import settings
from protocol import redis_url, serve

settings.configure(CACHES={"default": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": redis_url(),
                                       "KEY_PREFIX": "django"}})
django.setup()

from django.core.cache import cache  # noqa: E402  pylint: disable=wrong-import-position
from redis.exceptions import LockError  # noqa: E402  pylint: disable=wrong-import-position


class Lock:
    lock = None

    def acquire(self, name, ttl):
        lock = cache.lock(name, timeout=ttl / 1000)
        if not lock.acquire(blocking=False):
            return None
        self.lock = lock
        return lock.local.token

    def release(self):
        try:
            self.lock.release()
            return True
        except LockError:
            return False


class Add:
    name = None

    def acquire(self, name, ttl):
        if not cache.add(name, 1, timeout=ttl / 1000):
            return None
        self.name = name
        return "1"

    def renew(self, ttl):
        return cache.touch(self.name, ttl / 1000)

    def release(self):
        return bool(cache.delete(self.name))


serve(lambda kind: Lock() if kind == "lock" else Add())
