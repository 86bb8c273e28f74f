# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""kazoo's lock, read, write and semaphore (of two); each client has a session of its own, and what it waited for it keeps."""
import os

from kazoo.client import KazooClient
from protocol import serve


class Client:
    def __init__(self, kind):
        self.kind = kind
        self.server = KazooClient(hosts=os.environ["ZOOKEEPER"], timeout=float(os.environ.get("SESSION", "2")))
        self.server.start()
        self.lock = None

    def make(self, name):
        recipes = {"read": self.server.ReadLock, "write": self.server.WriteLock, "lock": self.server.Lock}
        if self.kind == "semaphore":
            return self.server.Semaphore(name, "kazoo", max_leases=2)
        return recipes[self.kind](name, "kazoo")

    def session(self):
        return "0x%x" % self.server.client_id[0]

    def acquire(self, name, _ttl):
        lock = self.make(name)
        if not lock.acquire(blocking=False):
            return None
        self.lock = lock
        return self.session()

    def release(self):
        return self.lock.release()

    def wait(self, name):
        lock = self.make(name)
        lock.acquire()
        self.lock = lock
        return self.session()


serve(Client)
