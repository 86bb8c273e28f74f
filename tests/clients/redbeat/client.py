# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""celery-redbeat: the lock that makes one scheduler of many the active one."""
from types import SimpleNamespace

import redis
from celery import Celery
from protocol import redis_url, serve
from redbeat.schedulers import RedBeatScheduler, acquire_distributed_beat_lock


class Client:
    def __init__(self, _kind):
        self.app = Celery("clients", broker=redis_url())
        self.app.conf.redbeat_redis_url = redis_url()
        self.scheduler = None

    def acquire(self, name, ttl):
        self.scheduler = RedBeatScheduler(self.app, lock_key=name, lock_timeout=ttl // 1000, lazy=True,
                                         max_interval=0.2)
        acquire_distributed_beat_lock(sender=SimpleNamespace(scheduler=self.scheduler))
        return self.scheduler.lock.local.token

    def renew(self, ttl):
        try:
            return self.scheduler.lock.extend(ttl // 1000)
        except redis.exceptions.LockError:
            return False

    def wait(self, name):
        token = self.acquire(name, 60000)
        self.release()
        return token

    def release(self):
        owned = self.scheduler.lock.owned()
        self.scheduler.close()
        return owned


serve(Client)
