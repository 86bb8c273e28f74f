// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_world.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_reaping {

using namespace lockkeeper;
using domain::Outcome;
using events::EventKind;
using tests::AgentWorld;
using tests::TestClient;

/** The reaper within a whole agent, as a client sees it. */
class TestReaping : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stuckLockIsReaped();
    void dryRunLeavesIt();
};

static void watch(AgentWorld &world, TestClient &client, bool dryRun)
{
    stores::LockSet &set = world.config.sources[0].locks[0];
    set.noExpiryAfterUs = 50'000;
    set.reaper = {stores::ReaperMode::Stuck, 100'000, 10, dryRun};
    QVERIFY(world.start());
    world.store->hold("lock:dead", "alice");
    world.store->hold("lock:live", "bob", 60'000'000);
    QVERIFY(client.open(world.socket()));
    client.subscribe(0);
}

void TestReaping::stuckLockIsReaped()
{
    AgentWorld world;
    TestClient client;
    watch(world, client, false);
    QVERIFY(client.saw(EventKind::ForceReleased));
    const events::LockEvent event = client.last(EventKind::ForceReleased);
    QCOMPARE(event.owner, QByteArray("alice"));
    const auto audit = client.ask<protocol::AuditPage>(protocol::AuditQuery{});
    QVERIFY(audit && audit->entries.size() == 1);
    QCOMPARE(audit->entries.constFirst().who, QStringLiteral("reaper"));
    QCOMPARE(audit->entries.constFirst().role, QStringLiteral("policy"));
    QCOMPARE(audit->entries.constFirst().outcome, Outcome::Released);
    QCOMPARE(audit->entries.constFirst().command, event.command);
    QCOMPARE(world.store->ownerOf("lock:live"), QByteArray("bob"));
    QCOMPARE(world.store->writes(), 1);
}

void TestReaping::dryRunLeavesIt()
{
    AgentWorld world;
    TestClient client;
    watch(world, client, true);
    std::optional<protocol::AuditPage> audit;
    const auto audited = [&] {
        audit = client.ask<protocol::AuditPage>(protocol::AuditQuery{});
        return audit && audit->entries.size() == 1 && audit->entries.constFirst().outcome != Outcome::Pending;
    };
    QTRY_VERIFY(audited());
    QCOMPARE(audit->entries.constFirst().outcome, Outcome::WouldRelease);
    QCOMPARE(world.store->ownerOf("lock:dead"), QByteArray("alice"));
    QCOMPARE(world.store->writes(), 0);
    for (const events::LockEvent &event : std::as_const(client.events))
        QVERIFY(event.kind != EventKind::ForceReleased && event.kind != EventKind::Released);
    QVERIFY(client.ask<protocol::AuditPage>(protocol::AuditQuery{0, {}, 10, true, {}})->verified);
}

LOCKKEEPER_TEST(TestReaping)

} // namespace tst_reaping

#include "tst_reaping.moc"
