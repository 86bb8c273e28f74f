# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""mongoelector's MongoLocker, in the collection of its elector."""
from mongoelector.locker import LockExists, MongoLocker
from protocol import mongodb_database, serve


class Client:
    def __init__(self, _kind):
        self.database = mongodb_database()
        self.lock = None

    def acquire(self, name, ttl):
        lock = MongoLocker(name, self.database, dbcollection="electorlocks", ttl=ttl / 1000)
        try:
            lock.acquire(blocking=False)
        except LockExists:
            return None
        self.lock = lock
        return lock.uuid

    def renew(self, ttl):
        self.lock._ttl = ttl / 1000  # pylint: disable=protected-access
        return self.lock.touch() is not None

    def release(self):
        """Its own release says nothing."""
        owned = self.lock.owned()
        self.lock.release()
        return owned


mongodb_database().electorlocks.create_index("ts_expire", expireAfterSeconds=0)
serve(Client)
