// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/hub/hub_writer.h"
#include "tests/support/postgres_server.h"

namespace lockkeeper::tests {

/** Batches of a made-up journal: each event and each lock once, in order. */
class MadeJournal
{
public:
    explicit MadeJournal(QByteArray id = "journal-1", QString agent = QStringLiteral("dc1"));

    agent::hub::ForwardingAgent agent;
    qint64 nowUs; ///< the time of the next event; each takes a millisecond

    /** A hold of the lock, as two events; the second ends it. Each lock name is sent once. */
    MadeJournal &hold(const QByteArray &lock, const QByteArray &owner);
    MadeJournal &event(const QByteArray &lock, events::EventKind kind, const QByteArray &owner);
    MadeJournal &hole(int numbers);
    /** Records of the audit, chained. */
    MadeJournal &record(const QString &who);
    /** The batch since the last call. */
    agent::hub::HubBatch take();
    qint64 lastSeq() const { return m_seq; }

private:
    qint64 lockOf(const QByteArray &name);

    agent::hub::HubBatch m_batch;
    QHash<QByteArray, qint64> m_locks;
    qint64 m_seq = 0;
    qint64 m_record = 0;
    QByteArray m_hash;
};

/** A private PostgreSQL with one hub in each database. */
class HubRig
{
public:
    HubRig();

    /** A new empty database; agents dc1 and dc2 log in as roles of these names. False: a message was
     * printed. */
    bool start(bool install = true);
    agent::hub::HubTarget target(const QString &user = QStringLiteral("dc1")) const;
    /** The first column of all rows, joined by a comma, read as `user`; an error begins with "ERROR ". */
    QByteArray ask(const QByteArray &sql, const QString &user = QStringLiteral("root")) const;
    QUrl url(const QString &user = QStringLiteral("root")) const { return m_server.url(m_database, user); }
    PostgresServer &server() { return m_server; }
    /** kill -9 of the server's first process; the others end with it. */
    void killServer();

private:
    PostgresServer m_server;
    QString m_database;
    int m_databases = 0;
};

} // namespace lockkeeper::tests

/** Fails with the error of a Result, which is evaluated once. */
#define QVERIFY_DONE(result)                                                                                 \
    do {                                                                                                     \
        const auto &done = (result);                                                                         \
        QVERIFY2(done, done ? "" : qPrintable(done.error().line()));                                         \
    } while (false)
