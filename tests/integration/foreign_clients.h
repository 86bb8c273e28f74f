// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/agent_process.h"
#include "tests/support/foreign_client.h"
#include "tests/support/test_client.h"

#include <QObject>
#include <QUrl>

#include <map>
#include <memory>

namespace lockkeeper::tests {

/**
 * An operator relies on these rules for every client of tests/clients, a row each. The agent sees locks that
 * are acquired, renewed, released, fought for, or that outlive their holder. They are broken as the table
 * says. A guard read from one acquisition never frees the next. One agent and one program a client for all
 * rows.
 */
class ForeignClientsTest : public QObject
{
    Q_OBJECT

protected:
    /** Starts the servers, and puts their addresses into `environment`. */
    virtual bool startStores() = 0;
    /** The agent's sources, as the programs have made their tables. */
    virtual QByteArray sources() const = 0;
    /** A source with the lock sets of the clients of a store that are installed; may be empty. */
    QByteArray sourceOf(const QByteArray &store, const QUrl &url, const QByteArray &settings) const;

    /** How many clients of the store sleep until a message comes. */
    virtual int sleepers() { return 0; }

    explicit ForeignClientsTest(const QList<QByteArray> &stores) : m_clients(ForeignClient::all(stores)) {}

    bool isReady(const QByteArray &program) const { return m_programs.at(program)->isReady(); }
    const TestClient &agentClient() const { return *m_agentClient; }

    QHash<QString, QString> environment;

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void cleanup();

    void taken_data() { rows(); }
    void taken();
    void renewed_data();
    void renewed();
    void givenBack_data() { rows(); }
    void givenBack();
    void contended_data();
    void contended();
    void broken_data() { rows(); }
    void broken();
    void wokenByABreak_data();
    void wokenByABreak();
    void oldGuardOnNextAcquisition_data() { rows(); }
    void oldGuardOnNextAcquisition();
    /** The last one: it kills every client's program. */
    void expired_data() { rows(); }
    void expired();

private:
    using Fits = bool (*)(const ForeignClient &);

    void rows(Fits fits = [](const ForeignClient &) { return true; });
    /** The row's client, its program ready; false if it isn't installed. */
    bool begin();
    QByteArray ask(const QByteArray &command) { return m_program->ask(m_client.kind + command); }
    QByteArray acquire(int ttlMs = 60'000, const char *who = "");
    /** A lock, or a generation of it, of the row. */
    bool isRows(const domain::LockKey &key) const;
    /** Of the row's lock, since the row began. */
    qsizetype count(events::EventKind kind) const;
    events::LockEvent last(events::EventKind kind) const;
    domain::LockState state() const;
    void killAll();

    QList<ForeignClient> m_clients;
    std::map<QByteArray, std::unique_ptr<ForeignProgram>> m_programs; ///< by folder
    std::unique_ptr<AgentProcess> m_agent;
    std::unique_ptr<TestClient> m_agentClient;
    QHash<QByteArray, QByteArray> m_orphans; ///< each client's last answer before it was killed
    qsizetype m_killedFrom = 0;              ///< the first event of the row that killed them

    // of the row that runs
    ForeignClient m_client;
    ForeignProgram *m_program = nullptr;
    QByteArray m_lock;
    QByteArray m_key;
    qsizetype m_from = 0; ///< the first of its events
};

} // namespace lockkeeper::tests
