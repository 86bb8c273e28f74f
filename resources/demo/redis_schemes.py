#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Redis locks of other schemes by somebody else's client (redis-py): JSON leases, one of which loses its holder, a
queue before a fair lock as Redisson keeps it, readers and a writer, and permits of a semaphore.

Usage: redis_schemes.py UNIX_SOCKET. Runs until it is killed.
"""

import json
import random
import sys
import threading
import time
import uuid

import redis

JSON_TTL = 60
SEMAPHORE_LIMIT = 3
SEMAPHORE_TIMEOUT_MS = 15_000
FAIR_LOCK = "printer:labels"
RW_LOCK = "catalog:snapshot"

# The fair lock of Redisson: a hash with one field while held, the queue as a list, and each waiter's deadline in a
# sorted set. KEYS: lock, queue, deadlines. ARGV: owner, lease in ms, now in ms, patience in ms.
FAIR_ACQUIRE = """
local now = tonumber(ARGV[3])
while true do
  local first = redis.call('lindex', KEYS[2], 0)
  if not first then break end
  local deadline = tonumber(redis.call('zscore', KEYS[3], first) or '0')
  if deadline > now then break end
  redis.call('zrem', KEYS[3], first)
  redis.call('lpop', KEYS[2])
end
local first = redis.call('lindex', KEYS[2], 0)
if redis.call('exists', KEYS[1]) == 0 and (not first or first == ARGV[1]) then
  if first then
    redis.call('lpop', KEYS[2])
    redis.call('zrem', KEYS[3], ARGV[1])
  end
  redis.call('hset', KEYS[1], ARGV[1], 1)
  redis.call('pexpire', KEYS[1], ARGV[2])
  return 1
end
if not redis.call('zscore', KEYS[3], ARGV[1]) then redis.call('rpush', KEYS[2], ARGV[1]) end
redis.call('zadd', KEYS[3], now + tonumber(ARGV[4]), ARGV[1])
return 0
"""

# KEYS: lock. ARGV: owner.
UNLOCK_HASH = """
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('del', KEYS[1])
return 1
"""


def for_ever(act, *arguments):
    """Calls act() again and again, also when the server was away for a while."""
    while True:
        try:
            act(*arguments)
        except redis.RedisError as error:
            print(f"redis_schemes: {error}", file=sys.stderr)
            time.sleep(1)


def json_value(owner, state, last_sync):
    return json.dumps({"owner": owner, "state": state, "lastSync": last_sync})


def json_lease(connection, name, owner, choice, dies):
    """One job: waits, executes with a heartbeat, and says when it last ran. `dies`: the heartbeat stops midway."""
    key, last_sync = f"sync:{name}", int(time.time() * 1000)
    while True:
        connection.setex(key, JSON_TTL, json_value(owner, "execute", last_sync))
        time.sleep(0.5)
        held = json.loads(connection.get(key) or "{}")
        if held.get("owner") == owner:
            for _ in range(choice.randint(2, 5)):
                time.sleep(5)
                connection.setex(key, JSON_TTL, json_value(owner, "execute", last_sync))
            if dies:
                time.sleep(JSON_TTL + 15)
            last_sync = int(time.time() * 1000)
            connection.setex(key, JSON_TTL, json_value(owner, "wait", last_sync))
        time.sleep(choice.uniform(3, 9))


def fair_customer(connection, owner, choice):
    """Queues for the printer, holds it for a while, and gives it back."""
    acquire, unlock = connection.register_script(FAIR_ACQUIRE), connection.register_script(UNLOCK_HASH)
    keys = [FAIR_LOCK, "redisson_lock_queue:{%s}" % FAIR_LOCK, "redisson_lock_timeout:{%s}" % FAIR_LOCK]
    while not acquire(keys=keys, args=[owner, 30_000, int(time.time() * 1000), 60_000]):
        time.sleep(0.25)
    time.sleep(choice.uniform(4, 8))
    unlock(keys=keys[:1], args=[owner])
    connection.publish("redisson_lock__channel:{%s}" % FAIR_LOCK, 0)
    time.sleep(choice.uniform(0.5, 2))


def reader_or_writer(connection, owner, choice):
    """A read-write lock: the mode is a field beside the holder's own."""
    writes = choice.random() < 0.4
    field = owner + (":write" if writes else "")
    if not connection.exists(RW_LOCK):
        with connection.pipeline(transaction=True) as transaction:
            transaction.hset(RW_LOCK, mapping={"mode": "write" if writes else "read", field: 1})
            transaction.pexpire(RW_LOCK, 30_000)
            transaction.execute()
        time.sleep(choice.uniform(3, 7))
        connection.delete(RW_LOCK)
    time.sleep(choice.uniform(1, 3))


def semaphore_user(connection, name, choice):
    """A permit of redis-semaphore: a member of a sorted set, its score the time at which it was taken."""
    key, permit = f"semaphore:{name}", str(uuid.UUID(int=choice.getrandbits(128), version=4))
    now = int(time.time() * 1000)
    connection.zremrangebyscore(key, "-inf", now - SEMAPHORE_TIMEOUT_MS)
    if connection.zcard(key) < SEMAPHORE_LIMIT:
        with connection.pipeline(transaction=True) as transaction:
            transaction.zadd(key, {permit: now})
            transaction.pexpire(key, SEMAPHORE_TIMEOUT_MS)
            transaction.execute()
        time.sleep(choice.uniform(2, 6))
        if choice.random() < 0.85:  # otherwise: crashed, the permit runs out
            connection.zrem(key, permit)
    time.sleep(choice.uniform(0.5, 3))


def main():
    path = sys.argv[1]
    jobs = []
    for number, (name, dies) in enumerate([("crm-contacts", False), ("erp-orders", False), ("cms-pages", True)]):
        jobs.append((json_lease, name, f"sync-{number + 1}@10.2.4.{number + 11}", random.Random(number), dies))
    for number in range(5):
        owner = f"{uuid.UUID(int=number + 1, version=4)}:{40 + number}"
        jobs.append((fair_customer, owner, random.Random(100 + number)))
    jobs.append((reader_or_writer, f"{uuid.UUID(int=77, version=4)}:12", random.Random(77)))
    for number in range(4):
        jobs.append((semaphore_user, "thumbnails", random.Random(200 + number)))
    for act, *arguments in jobs:
        connection = redis.Redis(unix_socket_path=path)
        threading.Thread(target=for_ever, args=(act, connection, *arguments), daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    main()
