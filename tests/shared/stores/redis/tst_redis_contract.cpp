// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_server.h"
#include "tests/support/store_contract.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_contract {

using namespace lockkeeper;
using namespace lockkeeper::tests;

class TestRedisContract : public StoreContract
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_server.start({QStringLiteral("--appendonly"), QStringLiteral("yes"),
                                QStringLiteral("--appendfsync"), QStringLiteral("always")}));
    }
    void init() { m_server.command({"FLUSHALL"}); }

private:
    stores::SourceSpec source() const override { return redisSpec(m_server.url(), "lock:*"); }
    QByteArray lockName() const override { return "lock:a"; }
    bool acquire(const QByteArray &holder) override
    {
        return m_server.command({"SET", "lock:a", holder, "NX", "PX", "600000"}).bytes == "OK";
    }
    bool giveBack() override { return m_server.command({"DEL", "lock:a"}).integer == 1; }
    bool isAcquired() override { return m_server.command({"EXISTS", "lock:a"}).integer == 1; }
    ServerSwitch server() override { return ServerSwitch::of(m_server); }
    QUrl nobody() const override { return QUrl(QStringLiteral("redis://127.0.0.1:1/0")); }
    /** Any bytes may be a token. */
    domain::Outcome answerToAnotherIdentity() const override { return domain::Outcome::HolderChanged; }
    bool voidsGuardsOnRestart() const override { return true; }

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisContract)

} // namespace tst_redis_contract

#include "tst_redis_contract.moc"
