# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""redlock-py, over one server. Its unlock() doesn't say whether there was anything to unlock."""
import os

from protocol import redis_client, serve
from redlock import Redlock


class Client:
    def __init__(self, _kind):
        self.server = redis_client()
        self.locks = Redlock([{"unix_socket_path": os.environ["REDIS_SOCKET"]}], retry_count=1)
        self.lock = None

    def acquire(self, name, ttl):
        lock = self.locks.lock(name, ttl)
        if not lock:
            return None
        self.lock = lock
        return lock.key

    def release(self):
        self.locks.unlock(self.lock)
        return True


serve(Client)
