#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks in a pair of Redis servers that a Sentinel watches, and a failover every while: the replica stops hearing
from its primary, locks are taken meanwhile, and the primary is killed. Those locks are lost.

Usage: failover.py FOLDER SENTINEL_PORT SECONDS_BETWEEN_FAILURES. Starts the servers itself and ends them with itself.
"""

import ctypes
import os
import random
import signal
import subprocess
import sys
import threading
import time

import redis
from redis.exceptions import LockError, RedisError
from redis.sentinel import Sentinel

NAME = "sessions"


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def start(folder, name, arguments):
    return subprocess.Popen(["redis-server", *arguments], cwd=folder, preexec_fn=die_with_parent,
                            stdout=open(os.path.join(folder, name + ".log"), "ab"), stderr=subprocess.STDOUT)


def server(folder, port, primary=None):
    arguments = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                 "--repl-diskless-sync-delay", "0"]
    if primary:
        arguments += ["--replicaof", "127.0.0.1", str(primary)]
    return start(folder, f"redis-{port}", arguments)


def sentinel(folder, port, primary):
    path = os.path.join(folder, "sentinel.conf")
    with open(path, "w", encoding="ascii") as file:
        file.write(f"port {port}\nbind 127.0.0.1\nsentinel monitor {NAME} 127.0.0.1 {primary} 1\n"
                   f"sentinel down-after-milliseconds {NAME} 2000\nsentinel failover-timeout {NAME} 5000\n")
    return start(folder, "sentinel", [path, "--sentinel"])


def work(port, number):
    """Takes, holds and gives back locks at whoever is the primary."""
    choice = random.Random(number)
    primary = Sentinel([("127.0.0.1", port)], socket_timeout=2).master_for(NAME, socket_timeout=2)
    while True:
        lock = primary.lock(f"lock:session:{number}", timeout=20)
        try:
            if lock.acquire(blocking_timeout=2):
                time.sleep(choice.uniform(3, 9))
                lock.release()
        except (LockError, RedisError) as error:
            print(f"failover: {error}", file=sys.stderr)
        time.sleep(choice.uniform(0.5, 2))


def wait_for(condition):
    while True:
        try:
            if condition():
                return
        except RedisError:
            pass
        time.sleep(0.2)


def main():
    folder, sentinel_port, pause = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    ports = [sentinel_port + 1, sentinel_port + 2]
    servers = {ports[0]: server(folder, ports[0]), ports[1]: server(folder, ports[1], ports[0])}
    watcher = sentinel(folder, sentinel_port, ports[0])
    asked = Sentinel([("127.0.0.1", sentinel_port)], socket_timeout=2)
    wait_for(lambda: asked.discover_slaves(NAME))
    for number in range(8):
        threading.Thread(target=work, args=(sentinel_port, number), daemon=True).start()
    while watcher.poll() is None:
        time.sleep(pause)
        old = asked.discover_master(NAME)[1]
        new = ports[1] if old == ports[0] else ports[0]
        servers[new].send_signal(signal.SIGSTOP)
        # The replica would still read the commands that wait in its socket. Killing the link drops them, and a
        # stopped replica doesn't reconnect.
        redis.Redis(port=old).execute_command("CLIENT", "KILL", "TYPE", "replica")
        time.sleep(3)
        servers[old].kill()
        servers[old].wait()
        servers[new].send_signal(signal.SIGCONT)
        wait_for(lambda port=new: asked.discover_master(NAME)[1] == port)
        time.sleep(5)
        servers[old] = server(folder, old, new)
        wait_for(lambda: asked.discover_slaves(NAME))


if __name__ == "__main__":
    main()
