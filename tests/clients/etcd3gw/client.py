# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lock of OpenStack's etcd3gw: a plain key under a lease, with a UUID for a value."""
import os

import etcd3gw
from protocol import serve


class Client:
    def __init__(self, _kind):
        host, port = os.environ["ETCD"].split(":")
        self.server = etcd3gw.client(host=host, port=int(port), api_path="/v3/")
        self.lock = None

    def acquire(self, name, ttl_ms):
        lock = self.server.lock(name, ttl=ttl_ms // 1000)
        if not lock.acquire():
            return None
        self.lock = lock
        return lock.uuid

    def renew(self, _ttl_ms):
        return self.lock.refresh() > 0

    def release(self):
        return self.lock.release()


serve(Client)
