// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/banner_area.h"
#include "app/views/window/console_status_bar.h"
#include "tests/app/views/discover/watch_rig.h"
#include "tests/support/agent_process.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QtTest>

namespace tst_standby_console {

using namespace lockkeeper;
using tests::kPatienceMs;
using tests::s;

/** A console that is connected to two real agents, one active and one standby, follows their hand-over. */
class TestStandbyConsole : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void followsTheHandOver();

private:
    QString standbyBanner() const
    {
        return m_rig->console->window()->banners()->texts().filter(s("is standby")).join(QLatin1Char('\n'));
    }
    /** In the console's form: the agent's label stands before the source's name. */
    bool sees(const char *agent, const char *lock) const
    {
        const domain::LockKey key{s(agent) + s("/orders"), "redis.token", "db0", lock};
        const auto state = m_rig->console->replica()->find(key);
        return state && state->isHeld() && m_rig->console->replica()->isLive(key.source) &&
               !m_rig->console->replica()->isStale(key.source);
    }

    std::unique_ptr<tests::WatchRig> m_rig;
};

void TestStandbyConsole::followsTheHandOver()
{
    tests::RedisServer redis;
    QVERIFY(redis.start());
    redis.command({"SET", "lock:1", "me", "PX", "600000"});
    tests::AgentProcess left;
    tests::AgentProcess right;
    const QByteArray sources =
        "election = \"orders\"\nelection_ttl = \"3s\"\n[[source]]\nname = \"orders\"\nurl = "
        "\"redis+unix://" +
        redis.socketPath().toUtf8() +
        "?db=0\"\npoll_ms = 50\nstatement_timeout_ms = 1000\n  [[source.locks]]\n"
        "  scheme = \"redis.token\"\n  match = \"lock:*\"\n";
    left.configure(sources, {}, "left");
    right.configure(sources, {}, "right");
    QVERIFY(left.start());
    QTRY_VERIFY_WITH_TIMEOUT(left.httpGet("/healthz").contains("ok: active"), kPatienceMs);
    QVERIFY(right.start());

    m_rig = std::make_unique<tests::WatchRig>();
    m_rig->console->start(s("local:") + left.socket() + s(", local:") + right.socket());
    QTRY_VERIFY_WITH_TIMEOUT(sees("left", "lock:1"), kPatienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(standbyBanner().contains(s("Agent right: this agent is standby")) &&
                                  standbyBanner().contains(s("active is left on ")),
                              qPrintable(standbyBanner()), kPatienceMs);
    QVERIFY(!standbyBanner().contains(s("Agent left")));
    QVERIFY(!sees("right", "lock:1"));
    QCOMPARE(m_rig->console->window()->consoleStatus()->linkText(), s("Live 2/2")); // nothing is stale
    tests::picture(m_rig->console->window(), "standby");

    left.kill();
    redis.command({"SET", "lock:2", "he", "PX", "600000"});
    QTRY_VERIFY_WITH_TIMEOUT(sees("right", "lock:2") && sees("right", "lock:1"), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(standbyBanner(), QString(), kPatienceMs);

    QVERIFY(left.start()); // and it is the standby of the other one
    QTRY_VERIFY2_WITH_TIMEOUT(standbyBanner().contains(s("Agent left: this agent is standby")) &&
                                  standbyBanner().contains(s("active is right on ")),
                              qPrintable(standbyBanner()), kPatienceMs);
    QVERIFY(sees("right", "lock:2"));
}

LOCKKEEPER_TEST(TestStandbyConsole)

} // namespace tst_standby_console

#include "tst_standby_console.moc"
