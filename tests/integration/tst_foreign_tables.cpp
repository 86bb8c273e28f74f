// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/foreign_clients.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/postgres_server.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace tst_foreign_tables {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** The clients of tests/clients that keep their locks in MariaDB and PostgreSQL. */
class TestForeignTables : public ForeignClientsTest
{
    Q_OBJECT

public:
    TestForeignTables() : ForeignClientsTest({"mariadb", "postgres"}) {}

private Q_SLOTS:
    /** After all rows: their programs have been killed. */
    void membersOfQuartz();

private:
    bool startStores() override
    {
        if (!m_mariaDb.start() || !m_postgres.start())
            return false;
        m_mariaDb.exec(QStringLiteral("CREATE DATABASE app"));
        environment.insert(QStringLiteral("MARIADB_PORT"), QString::number(m_mariaDb.port()));
        environment.insert(QStringLiteral("POSTGRES_PORT"), QString::number(m_postgres.port()));
        return true;
    }
    QByteArray sources() const override
    {
        const QByteArray members =
            isReady("quartz") ? "  [[source.locks]]\n  preset = \"quartz-scheduler-state\"\n" : "";
        return sourceOf("mariadb", m_mariaDb.url(QStringLiteral("app")), "poll_ms = 50\n") + members +
               sourceOf("postgres", m_postgres.url(), "poll_ms = 50\n");
    }

    MariaDbServer m_mariaDb{sessionOptions() + QStringList{QStringLiteral("--default-time-zone=+00:00"),
                                                           QStringLiteral("--innodb-status-output-locks=ON")},
                            true};
    // Some libraries' tables live in a separate schema. The agent looks only for tables on the search path.
    PostgresServer m_postgres{
        {QStringLiteral("-c"), QStringLiteral("search_path=public,graphile_worker,pgboss")}};
};

/** A member lives while it checks in, and for the 7.5 s longer that the others give it. */
void TestForeignTables::membersOfQuartz()
{
    if (!isReady("quartz"))
        QSKIP("needs Quartz");
    domain::LockState member;
    for (const domain::LockState &state : agentClient().table.locks) {
        if (state.key.name == "jobs/" + state.owner)
            member = state;
    }
    QVERIFY(!member.owner.isEmpty());
    QVERIFY(member.renewals > 2);
    QCOMPARE(member.release.why, domain::ReleaseOff::BreakNever);
    const auto told = [&](events::EventKind kind) {
        return std::count_if(
            agentClient().events.cbegin(), agentClient().events.cend(),
            [&](const events::LockEvent &event) { return event.kind == kind && event.key == member.key; });
    };
    QTRY_COMPARE_WITH_TIMEOUT(told(events::Kind::Expired), 1, 20'000);
    QCOMPARE(told(events::Kind::Acquired), 1);
}

LOCKKEEPER_TEST(TestForeignTables)

} // namespace tst_foreign_tables

#include "tst_foreign_tables.moc"
