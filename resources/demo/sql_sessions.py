#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Database locks by somebody else's client (PyMySQL): a chain of row locks, a whole table locked by a predicate
without an index, a re-entrant lock, a row whose owner died, and an optimistic
counter under fire.

Usage: sql_sessions.py UNIX_SOCKET. Runs until it is killed.
"""

import itertools
import os
import random
import sys
import threading
import time

import pymysql

CHAIN = ["invoice:2031", "customer:77", "ledger:eu", "payout:88", "statement:2031-07"]


def connect(path, program):
    """A connection as an application makes it: its own transaction, and its name in the connection's attributes."""
    return pymysql.connect(unix_socket=path, user="app", password=os.environ["LOCKKEEPER_DEMO_PASSWORD"], database="app",
                           autocommit=False, program_name=program, init_command="SET innodb_lock_wait_timeout = 120")


def for_ever(connection, act):
    """Calls act() again and again. A connection that was killed is made anew, as a pool would."""
    while True:
        try:
            connection.ping(reconnect=True)
            act()
        except pymysql.MySQLError as error:
            print(f"sql_sessions: {error}", file=sys.stderr)
            time.sleep(1)


def lock_row(cursor, key):
    cursor.execute("SELECT id FROM row_lock WHERE lock_key = %s FOR UPDATE", (key,))


def chain_link(path, place, start, done):
    """Session `place` of five: locks its own row, then wants the one of the session before it."""
    connection = connect(path, f"billing-{place + 1}")

    def turn():
        start.wait()
        try:
            with connection.cursor() as cursor:
                lock_row(cursor, CHAIN[place])
                time.sleep(1 + place)
                if place > 0:
                    lock_row(cursor, CHAIN[place - 1])
                else:
                    time.sleep(40)  # the head of the chain: it thinks, and everybody waits
            connection.commit()
        finally:  # also when an operator has killed this connection
            done.wait()

    for_ever(connection, turn)


def table_scan(path):
    """Nobody indexed `note`: FOR UPDATE locks every row that the search passes, that is all of them."""
    connection = connect(path, "report-builder")

    def turn():
        with connection.cursor() as cursor:
            cursor.execute("SELECT id FROM stock WHERE note = 'recount' FOR UPDATE")
            time.sleep(25)
        connection.rollback()
        time.sleep(12)

    for_ever(connection, turn)


def stock_sale(path, number):
    """Wants one row of the table that somebody else has locked whole."""
    connection = connect(path, f"shop-{number}")
    choice = random.Random(number)

    def turn():
        with connection.cursor() as cursor:
            cursor.execute("UPDATE stock SET amount = amount - 1 WHERE id = %s", (choice.randint(1, 200),))
        connection.commit()
        time.sleep(choice.uniform(1, 4))

    for_ever(connection, turn)


def reentrant(path, number):
    """t_tag_lock: the same request takes the lock twice, and has to give it back as often."""
    connection = connect(path, f"tagger-{number}")
    counter = itertools.count(1)

    def change(cursor, request, by):
        cursor.execute(
            "UPDATE t_tag_lock SET Fcount = Fcount + %s, Fstatus = IF(Fcount > 0, 1, 0), Frequest_id = IF(Fcount > 0, %s, ''),"
            " Fdeadline = UTC_TIMESTAMP(3) + INTERVAL 30 SECOND, Fmodify_time = UTC_TIMESTAMP(3)"
            " WHERE Flock_name = 'tags:rebuild' AND (Frequest_id = %s OR Fcount = 0 OR Fdeadline < UTC_TIMESTAMP(3))",
            (by, request, request))
        connection.commit()
        return cursor.rowcount == 1

    def turn():
        request = f"tagger-{number}-{next(counter)}"
        with connection.cursor() as cursor:
            if change(cursor, request, 1):
                for by in (1, 1, -1, -1, -1):
                    time.sleep(2)
                    change(cursor, request, by)
        time.sleep(random.uniform(0.5, 2))

    for_ever(connection, turn)


def counter(path, number):
    """An optimistic counter: reads a version, computes, writes where nobody has written in between."""
    connection = connect(path, f"counter-{number}")
    connection.autocommit(True)

    def turn():
        with connection.cursor() as cursor:
            cursor.execute("SELECT version FROM optimistic_lock WHERE resource = 'stats:page-views'")
            (version,) = cursor.fetchone()
            time.sleep(random.uniform(0.02, 0.1))
            cursor.execute("UPDATE optimistic_lock SET version = version + 1, updated_at = UTC_TIMESTAMP()"
                           " WHERE resource = 'stats:page-views' AND version = %s", (version,))

    for_ever(connection, turn)


def die_with_a_row(path):
    """Inserts its lock's row and is gone: nothing in the database will ever delete it."""
    with connect(path, "importer") as connection, connection.cursor() as cursor:
        cursor.execute("INSERT INTO distribute_lock (resource_id, create_time) VALUES ('import:catalog', UTC_TIMESTAMP(3))")
        connection.commit()


def row_worker(path, number):
    """Takes and gives back locks by inserting and deleting their rows."""
    connection = connect(path, f"sync-{number}")
    choice = random.Random(number)

    def turn():
        resource = f"sync:{choice.choice(['crm', 'mail', 'wiki', 'shop'])}"
        with connection.cursor() as cursor:
            try:
                cursor.execute("INSERT INTO distribute_lock (resource_id, create_time) VALUES (%s, UTC_TIMESTAMP(3))", (resource,))
            except pymysql.IntegrityError:
                connection.rollback()
                time.sleep(choice.uniform(0.3, 1))
                return
            row = cursor.lastrowid
            connection.commit()
            time.sleep(choice.uniform(1, 8))
            cursor.execute("DELETE FROM distribute_lock WHERE id = %s", (row,))
            connection.commit()
        time.sleep(choice.uniform(0.5, 3))

    for_ever(connection, turn)


def main():
    path = sys.argv[1]
    die_with_a_row(path)
    start, done = threading.Barrier(len(CHAIN)), threading.Barrier(len(CHAIN))
    work = [(chain_link, (path, place, start, done)) for place in range(len(CHAIN))]
    work += [(table_scan, (path,))] + [(stock_sale, (path, number)) for number in (1, 2)]
    work += [(reentrant, (path, number)) for number in (1, 2)]
    work += [(counter, (path, number)) for number in (1, 2, 3)]
    work += [(row_worker, (path, number)) for number in (1, 2, 3)]
    for act, arguments in work:
        threading.Thread(target=act, args=arguments, daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    main()
