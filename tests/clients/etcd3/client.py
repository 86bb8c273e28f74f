# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lock of the Python package etcd3: a plain key under a lease, with 16 random bytes for a value."""
import os

import etcd3
from protocol import serve


class Client:
    def __init__(self, _kind):
        host, port = os.environ["ETCD"].split(":")
        self.server = etcd3.client(host=host, port=int(port))
        self.lock = None

    def acquire(self, name, ttl_ms):
        lock = self.server.lock(name, ttl=ttl_ms // 1000)
        if not lock.acquire(timeout=0):
            return None
        self.lock = lock
        return lock.uuid.hex()

    def renew(self, _ttl_ms):
        return self.lock.refresh()[0].TTL > 0

    def release(self):
        return self.lock.release()


serve(Client)
