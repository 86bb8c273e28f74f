// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/permissions.h"
#include "agent/release/release_rules.h"
#include "agent/release/ticket_box.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_permissions {

using namespace lockkeeper;
using namespace lockkeeper::agent::release;

class TestPermissions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void requests_data();
    void requests();
    void ticketsAreUniqueAndBounded();
};

void TestPermissions::requests_data()
{
    QTest::addColumn<protocol::Message>("message");
    QTest::addColumn<int>("needs");
    const auto row = [](const char *name, protocol::Message message, std::optional<Permission> needs) {
        QTest::newRow(name) << std::move(message) << (needs ? int(*needs) : -1);
    };
    row("subscribe", protocol::Subscribe{}, Permission::Observe);
    row("locks", protocol::LocksQuery{}, Permission::Observe);
    row("history", protocol::HistoryQuery{}, Permission::Observe);
    row("holds", protocol::HoldsQuery{}, Permission::Observe);
    row("audit", protocol::AuditQuery{}, Permission::Observe);
    row("status", protocol::StatusQuery{}, Permission::Observe);
    row("inspect", protocol::Inspect{}, Permission::Observe);
    row("chains", protocol::ChainsQuery{}, Permission::Observe);
    row("contention", protocol::ContentionQuery{}, Permission::Observe);
    row("timeline", protocol::TimelineQuery{}, Permission::Observe);
    row("an agent's timeline", protocol::TimelinePage{}, std::nullopt);
    row("waiting", protocol::WaitingQuery{}, Permission::Observe);
    row("read now", protocol::ReadNow{}, Permission::Observe);
    row("force-release", protocol::ForceRelease{}, Permission::Release);
    row("cancel", protocol::Cancel{}, Permission::None);
    row("login", protocol::Login{}, Permission::None);
    row("an agent's wish for a login", protocol::LoginNeeded{}, std::nullopt);
    row("who am I", protocol::WhoAmI{}, Permission::Observe);
    row("who one is", protocol::Identified{}, std::nullopt);
    row("approvals", protocol::ApprovalsQuery{}, Permission::Observe);
    row("a decision", protocol::Decision{}, Permission::Observe);
    row("an agent's approvals", protocol::ApprovalsPage{}, std::nullopt);
    row("an agent's news of them", protocol::ApprovalChanged{}, std::nullopt);
    row("an agent's answer", protocol::Welcome{}, std::nullopt);
    row("an agent's chains", protocol::ChainsPage{}, std::nullopt);
    row("probe", protocol::ProbeRequest{}, Permission::Probe);
    row("an agent's probe", protocol::ProbeResult{}, std::nullopt);
    row("discover", protocol::DiscoverRequest{}, Permission::Administer);
    row("an agent's discovery", protocol::DiscoverResult{}, std::nullopt);
    row("an agent's contention", protocol::ContentionPage{}, std::nullopt);
    row("an agent's waiting", protocol::WaitingPage{}, std::nullopt);
    row("an agent's events", protocol::EventBatch{}, std::nullopt);
    row("advice", protocol::AdviceQuery{}, Permission::Observe);
    row("a holder's liveness", protocol::HolderChecksQuery{}, Permission::Observe);
    row("an agent's verdicts on holders", protocol::HolderChecksPage{}, std::nullopt);
    row("an agent's advice", protocol::AdvicePage{}, std::nullopt);
    row("an agent's result", protocol::ReleaseResult{}, std::nullopt);
}

void TestPermissions::requests()
{
    QFETCH(protocol::Message, message);
    QFETCH(int, needs);
    const auto got = requiredPermission(message);
    QCOMPARE(got ? int(*got) : -1, needs);
}

void TestPermissions::ticketsAreUniqueAndBounded()
{
    TicketBox box;
    QSet<QByteArray> seen;
    QByteArray first;
    for (int i = 0; i < 300; ++i) {
        LockReading reading;
        reading.monotonicUs = i;
        const QByteArray ticket = box.keep(reading);
        QVERIFY(!seen.contains(ticket));
        seen.insert(ticket);
        if (i == 0)
            first = ticket;
        QCOMPARE(box.find(ticket)->monotonicUs, i);
    }
    QCOMPARE(box.size(), 256);
    QVERIFY(!box.find(first));
}

LOCKKEEPER_TEST(TestPermissions)

} // namespace tst_permissions

#include "tst_permissions.moc"
