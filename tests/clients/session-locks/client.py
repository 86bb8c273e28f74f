# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks that belong to a session, as programs take them by hand: GET_LOCK and a row FOR UPDATE in MariaDB (PyMySQL),
advisory locks in PostgreSQL (psycopg2)."""
import os

import protocol


def mariadb():
    import pymysql

    return pymysql.connect(host="127.0.0.1", port=int(os.environ["MARIADB_PORT"]), user="root", database="app", autocommit=True)


def postgres():
    import psycopg2

    link = psycopg2.connect(host="127.0.0.1", port=os.environ["POSTGRES_PORT"], user="root", dbname="postgres")
    link.autocommit = True
    return link


class Session:
    def __init__(self, link):
        self.cursor = link.cursor()

    def ask(self, sql, *values):
        self.cursor.execute(sql, values)
        row = self.cursor.fetchone() if self.cursor.description else None
        return row[0] if row else None


class GetLock(Session):
    def __init__(self):
        super().__init__(mariadb())

    def acquire(self, name, ttl_ms):
        self.name = name
        return self.ask("SELECT CONNECTION_ID()") if self.ask("SELECT GET_LOCK(%s, 0)", name) == 1 else None

    def wait(self, name):
        self.name = name
        return self.ask("SELECT CONNECTION_ID()") if self.ask("SELECT GET_LOCK(%s, 20)", name) == 1 else "nothing"

    def release(self):
        return self.ask("SELECT RELEASE_LOCK(%s)", self.name) == 1


class ForUpdate(Session):
    def __init__(self):
        super().__init__(mariadb())

    def acquire(self, name, ttl_ms):
        import pymysql

        self.ask("BEGIN")
        try:
            return self.ask("SELECT id FROM `lock` WHERE lock_key = %s FOR UPDATE NOWAIT", name)
        except pymysql.err.OperationalError:
            self.ask("ROLLBACK")
            return None

    def release(self):
        self.ask("COMMIT")
        return True


class Advisory(Session):
    def __init__(self):
        super().__init__(postgres())

    def acquire(self, name, ttl_ms):
        self.name = name
        taken = self.ask("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", name)
        return self.ask("SELECT pg_backend_pid()") if taken else None

    def release(self):
        return self.ask("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", self.name)


KINDS = {"get_lock": GetLock, "for_update": ForUpdate, "advisory": Advisory}

for needed in ("pymysql", "psycopg2"):
    try:
        __import__(needed)
    except ImportError:
        protocol.say("absent " + needed)
        raise SystemExit(0)
protocol.serve(lambda kind: KINDS[kind]())
