# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""By hand: a document a lock, removed some seconds after its last renewal by a TTL index."""
import datetime
import uuid

from protocol import mongodb_database, serve
from pymongo.errors import DuplicateKeyError


def now():
    return datetime.datetime.now(datetime.timezone.utc)


class Client:
    def __init__(self, _kind):
        self.leases = mongodb_database().leases
        self.mine = None

    def acquire(self, name, _ttl):
        mine = {"_id": name, "acquirer": str(uuid.uuid4())}
        try:
            self.leases.insert_one({**mine, "acquiredAt": now(), "updatedAt": now()})
        except DuplicateKeyError:
            return None
        self.mine = mine
        return mine["acquirer"]

    def renew(self, _ttl):
        return self.leases.update_one(self.mine, {"$set": {"updatedAt": now()}}).matched_count == 1

    def release(self):
        return self.leases.delete_one(self.mine).deleted_count == 1


mongodb_database().leases.create_index("updatedAt", expireAfterSeconds=15)
serve(Client)
