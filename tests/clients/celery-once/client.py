# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""celery-once: a task that is queued is locked until a worker has run it, and the worker deletes whatever is there."""
from celery import Celery
from celery_once import AlreadyQueued, QueueOnce
from protocol import redis_client, redis_url, serve

app = Celery("clients", broker=redis_url())
app.conf.ONCE = {"backend": "celery_once.backends.Redis", "settings": {"url": redis_url(), "default_timeout": 60}}


@app.task(base=QueueOnce, name="tasks.run")
def run(name):
    return name


class Client:
    def __init__(self, _kind):
        self.server = redis_client()
        self.name = None

    def acquire(self, name, ttl):
        try:
            run.apply_async(args=[name], once={"timeout": ttl // 1000})
        except AlreadyQueued:
            return None
        self.name = name
        return self.server.get("qo_tasks.run_name-" + name)

    def release(self):
        run.after_return("SUCCESS", None, "id", [self.name], {}, None)
        return True


serve(Client)
