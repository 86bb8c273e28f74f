// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/store_contract.h"
#include "tests/support/test_program.h"

#include <QDateTime>
#include <QTest>

namespace tst_sql_contract {

using namespace lockkeeper;
using namespace lockkeeper::tests;

class SqlContractTest : public StoreContract
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_server.start());
        m_server.exec(QStringLiteral("CREATE DATABASE app"));
        sql("CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(6) NOT NULL, "
            "locked_at TIMESTAMP(6) NOT NULL, locked_by VARCHAR(255) NOT NULL)");
    }
    void init() { sql("DELETE FROM shedlock"); }

private:
    QList<Row> sql(const QByteArray &statement)
    {
        return m_server.exec(QString::fromLatin1(statement), QStringLiteral("app"));
    }
    stores::SourceSpec source() const override { return shedlockSpec(m_server.url(QStringLiteral("app"))); }
    QByteArray lockName() const override { return "a"; }
    bool acquire(const QByteArray &holder) override
    {
        sql("REPLACE INTO shedlock VALUES ('a', NOW(6) + INTERVAL 1 HOUR, NOW(6), '" + holder + "')");
        return isAcquired();
    }
    bool giveBack() override
    {
        sql("UPDATE shedlock SET lock_until = NOW(6) WHERE name = 'a'");
        return !isAcquired();
    }
    bool isAcquired() override
    {
        return !sql("SELECT 1 FROM shedlock WHERE name = 'a' AND lock_until > NOW(6)").isEmpty();
    }
    ServerSwitch server() override
    {
        return {[this] { m_server.kill(); }, [this] { return restart(); }, [this] { m_server.freeze(); },
                [this] { m_server.thaw(); }};
    }
    /** In another second: the start's second names the server's run. */
    bool restart()
    {
        const qint64 second = QDateTime::currentSecsSinceEpoch();
        return QTest::qWaitFor([second] { return QDateTime::currentSecsSinceEpoch() > second + 1; }) &&
               m_server.start();
    }
    QUrl nobody() const override
    {
        return QUrl(QStringLiteral("mysql+unix:///nonexistent/mysql.sock?db=app"));
    }
    domain::Outcome answerToAnotherServer() const override { return domain::Outcome::HolderChanged; }
    /** Connector/C reports its time-out so. */
    base::ErrorCode silence() const override { return base::ErrorCode::ConnectionLost; }
    bool voidsGuardsOnRestart() const override { return true; }

    MariaDbServer m_server;
};

LOCKKEEPER_TEST(SqlContractTest)

} // namespace tst_sql_contract

#include "tst_sql_contract.moc"
