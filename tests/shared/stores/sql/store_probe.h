// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/store/sql_store.h"
#include "tests/support/mariadb_server.h"

#include <QHash>
#include <QObject>

namespace lockkeeper::tests {

/** Sends requests to a Store, waits for its answers, and keeps them for the test. */
class StoreProbe : public QObject
{
    Q_OBJECT

public:
    explicit StoreProbe(const stores::SourceSpec &spec, const stores::sql::ReleaseSeams &seams = {});
    /** Wraps any Store. */
    explicit StoreProbe(std::unique_ptr<stores::Store> store);

    stores::Store &store() { return *m_store; }

    /** True once opened; false once failed (see error()). */
    bool open();
    /** A whole scan; the rows by name. complete() returns false if it failed. */
    QHash<QByteArray, stores::Observation> scan();
    stores::Observation readPoints(const QByteArray &name, quint16 set = 0);
    stores::Inspection inspect(const QByteArray &name, quint16 set = 0);
    // The same without waiting.
    void askScan();
    void askPoints(const QList<stores::Subject> &subjects);
    void askInspection(const stores::Subject &subject);
    void sendRelease(const stores::ReleaseOrder &order);
    stores::ReleaseReport release(const stores::ReleaseOrder &order);
    /** Releases under `guard` for the reason "operator". */
    stores::ReleaseReport release(const domain::Guard &guard, bool checkFreshness = false,
                                  bool dryRun = false);

    stores::ServerInfo info;
    QList<base::Error> failures;
    QList<stores::Page> pages;
    QList<stores::ScanEnd> ends;
    QList<stores::Inspection> inspections;
    QList<stores::ReleaseReport> reports;
    QList<stores::Push> pushes;
    QList<stores::PushState> pushStates;
    QList<domain::Finding> findings;
    QList<stores::ShardState> parts;
    int opens = 0;
    int looked = 0;

private:
    void listen();

    std::unique_ptr<stores::Store> m_store;
};

/** A source "db" with one ShedLock set, as most tests want it. */
stores::SourceSpec shedlockSpec(const QUrl &url, const QString &table = {});

/** A guard's identity and freshness for a row of that set. */
QByteArray shedlockIdentity(const QByteArray &holder, const QByteArray &acquiredAt);
QByteArray shedlockFreshness(const QByteArray &acquiredAt, const QByteArray &expiresAt);

/** The table with fractions of `precision` digits. */
QString shedlockTable(const QString &name, int precision = 6,
                      const QString &type = QStringLiteral("TIMESTAMP"));

/** Returns as soon as `done`, or fails the process after `ms`; runs the event loop meanwhile. */
bool waitFor(const std::function<bool()> &done, int ms = 15'000);

} // namespace lockkeeper::tests
