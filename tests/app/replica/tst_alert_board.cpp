// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/alert_board.h"
#include "tests/app/session/agents_rig.h"
#include "tests/app/session/alert_fixture.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QtTest>

namespace tst_alert_board {

using namespace lockkeeper;
using app::replica::AlertBoard;
using domain::Alert;
using domain::AlertPhase;
using tests::AlertBook;
using tests::firedAlert;
using Verb = protocol::AlertAction::AlertVerb;

/** A board over agents within the test, and each agent's alerts. */
struct BoardRig
{
    explicit BoardRig(const QStringList &names) : agents(names), books(std::size_t(names.size()))
    {
        for (std::size_t i = 0; i < books.size(); ++i) {
            agents[i].answer = [this, i](const protocol::Message &message) {
                return books[i].answer(agents[i], message);
            };
        }
    }
    bool isKnown(const QString &label = {}) const { return board.agents().value(label).isKnown; }
    bool isAway(const QString &label = {}) const
    {
        return board.agents().value(label).awaySinceUs.has_value();
    }

    tests::AgentsRig agents;
    std::vector<AlertBook> books;
    base::SystemClock clock;
    AlertBoard board{agents.agents, clock};
    QSignalSpy fired{&board, &AlertBoard::fired};
};

class TestAlertBoard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asksOnConnectingAndFollowsChanges();
    void aChangeRightAfterAnAnswerIsKept();
    void aFirstAnswerIsNoNews();
    void newsIsAnAlertThatFiresOrFiresAgain();
    void anAgentThatIsAwayLeavesItsAlertsUnknown();
    void aReconnectionBringsTheAlertsAndTheNews();
    void agentsWithEqualIdsStayApart();
    void actionsReachTheAgentWithItsOwnId();
    void aRefusalIsReportedAndNotRepeated();
    void phasesFollowTheClock();
    void oldAlertsLeave();
};

void TestAlertBoard::asksOnConnectingAndFollowsChanges()
{
    BoardRig rig({QStringLiteral("dc1")});
    rig.books[0].alerts = {firedAlert("a1")};
    rig.books[0].receivers = {{QStringLiteral("pager"), "webhook", {}, {}, {}, 0}};
    rig.agents.open();
    QTRY_VERIFY(rig.isKnown());
    QCOMPARE(rig.board.alerts(), rig.books[0].alerts);
    QCOMPARE(rig.board.agents().value({}).receivers, rig.books[0].receivers);
    QCOMPARE(rig.board.activeCount(), 1);
    Alert over = firedAlert("a1");
    over.resolvedUs = over.firedUs + 1;
    rig.books[0].change(rig.agents[0], over);
    QTRY_COMPARE(rig.board.activeCount(), 0);
    QCOMPARE(rig.board.alerts(), QList<Alert>{over});
    QCOMPARE(rig.board.alertsOf(over.lock), QList<Alert>{over});
    QVERIFY(rig.board.alertsOf(tests::heldLock("other").key).isEmpty());
}

/** Both arrive in one read: the answer was made before the change. */
void TestAlertBoard::aChangeRightAfterAnAnswerIsKept()
{
    BoardRig rig({QStringLiteral("dc1")});
    Alert taken = firedAlert("a1");
    taken.acknowledgedUs = taken.firedUs + 1;
    rig.agents[0].answer = [&](const protocol::Message &message) -> std::optional<protocol::Message> {
        if (const auto *query = std::get_if<protocol::AlertsQuery>(&message)) {
            rig.agents[0].sendToAll(protocol::AlertsPage{query->id, {firedAlert("a1")}, {}, 0});
            rig.agents[0].sendToAll(protocol::AlertChanged{taken});
        }
        return std::nullopt;
    };
    rig.agents.open();
    QTRY_VERIFY(rig.isKnown());
    QTRY_COMPARE(rig.board.phase(rig.board.alerts().first()), AlertPhase::Acknowledged);
    QSignalSpy changed(&rig.board, &AlertBoard::changed);
    rig.board.refresh();
    QTRY_COMPARE(changed.size(), 3); // asked, answered, changed
    QCOMPARE(rig.board.phase(rig.board.alerts().first()), AlertPhase::Acknowledged);
}

void TestAlertBoard::aFirstAnswerIsNoNews()
{
    BoardRig rig({QStringLiteral("dc1")});
    rig.books[0].alerts = {firedAlert("a1"), firedAlert("a2")};
    rig.agents.open();
    QTRY_VERIFY(rig.isKnown());
    QCOMPARE(rig.board.activeCount(), 2);
    QCOMPARE(rig.fired.size(), 0);
}

void TestAlertBoard::newsIsAnAlertThatFiresOrFiresAgain()
{
    BoardRig rig({QStringLiteral("dc1")});
    rig.agents.open();
    QTRY_VERIFY(rig.isKnown());
    Alert alert = firedAlert("a1");
    rig.books[0].change(rig.agents[0], alert);
    QTRY_COMPARE(rig.fired.size(), 1);
    alert.acknowledgedUs = alert.firedUs + 1;
    rig.books[0].change(rig.agents[0], alert);
    alert.acknowledgedUs.reset();
    alert.resolvedUs = alert.firedUs + 2;
    rig.books[0].change(rig.agents[0], alert);
    alert.resolvedUs.reset();
    alert.repeats = 1;
    rig.books[0].change(rig.agents[0], alert);
    QTRY_COMPARE(rig.fired.size(), 2);
    QCOMPARE(rig.fired.last().first().value<Alert>(), alert);
}

void TestAlertBoard::anAgentThatIsAwayLeavesItsAlertsUnknown()
{
    BoardRig rig({QStringLiteral("dc1")});
    rig.books[0].alerts = {firedAlert("a1")};
    rig.agents.open();
    QTRY_VERIFY(rig.isKnown());
    QVERIFY(!rig.isAway());
    rig.agents[0].stop();
    QTRY_VERIFY(rig.isAway());
    QCOMPARE(rig.board.alerts().size(), 1); // not over
    QVERIFY(rig.board.awaySinceUs(rig.board.alerts().first()).has_value());
}

void TestAlertBoard::aReconnectionBringsTheAlertsAndTheNews()
{
    BoardRig rig({QStringLiteral("dc1")});
    rig.books[0].alerts = {firedAlert("a1")};
    rig.agents.open();
    QTRY_VERIFY(rig.isKnown());
    rig.agents[0].stop();
    QTRY_VERIFY(rig.isAway());
    Alert over = firedAlert("a1");
    over.resolvedUs = over.firedUs + 1;
    rig.books[0].alerts = {firedAlert("a2"), over};
    QVERIFY(rig.agents[0].start());
    QTRY_VERIFY(!rig.isAway());
    QCOMPARE(rig.board.activeCount(), 1);
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.fired.first().first().value<Alert>().id, QByteArray("a2"));
}

void TestAlertBoard::agentsWithEqualIdsStayApart()
{
    const QString first = QStringLiteral("dc1");
    const QString second = QStringLiteral("dc2");
    BoardRig rig({first, second});
    rig.books[0].alerts = {firedAlert("a1")};
    rig.books[1].alerts = {firedAlert("a1")};
    Alert ofAgent = firedAlert("a2", {}, domain::AlertCondition::AuditFailing);
    ofAgent.source.clear();
    rig.books[1].alerts.append(ofAgent);
    rig.agents.open();
    QTRY_VERIFY(rig.isKnown(first) && rig.isKnown(second));
    QCOMPARE(rig.board.alerts().size(), 3);
    QCOMPARE(rig.board.find("dc1/a1")->lock.source, QStringLiteral("dc1/s"));
    QCOMPARE(rig.board.find("dc2/a2")->source, QStringLiteral("dc2/"));
    rig.agents[1].stop();
    QTRY_VERIFY(rig.isAway(second));
    QVERIFY(!rig.isAway(first));
    QVERIFY(rig.board.awaySinceUs(*rig.board.find("dc2/a2")));
    QVERIFY(!rig.board.awaySinceUs(*rig.board.find("dc1/a1")));
}

void TestAlertBoard::actionsReachTheAgentWithItsOwnId()
{
    const QString second = QStringLiteral("dc2");
    BoardRig rig({QStringLiteral("dc1"), second});
    Alert ofAgent = firedAlert("a2", {}, domain::AlertCondition::AuditFailing);
    ofAgent.source.clear();
    rig.books[1].alerts = {firedAlert("a1"), ofAgent};
    rig.agents.open();
    QTRY_VERIFY(rig.isKnown(second));
    int done = 0;
    const auto count = [&done](const base::Result<protocol::Done> &answer) { done += answer ? 1 : 100; };
    rig.board.act(*rig.board.find("dc2/a1"), Verb::Snooze, 900'000'000, this, count);
    rig.board.act(*rig.board.find("dc2/a2"), Verb::Acknowledge, 0, this, count);
    rig.board.test(second, QStringLiteral("pager"), this, count);
    QTRY_COMPARE(done, 3);
    const auto asked = rig.agents[1].received<protocol::AlertAction>();
    QCOMPARE(asked.size(), 2);
    QCOMPARE(asked.at(0).alert, QByteArray("a1"));
    QCOMPARE(asked.at(0).forUs, 900'000'000);
    QCOMPARE(asked.at(1).alert, QByteArray("a2"));
    QVERIFY(rig.agents[0].received<protocol::AlertAction>().isEmpty());
    QCOMPARE(rig.agents[1].received<protocol::ReceiverTest>().value(0).receiver, QStringLiteral("pager"));
    QTRY_COMPARE(rig.board.phase(*rig.board.find("dc2/a1")), AlertPhase::Snoozed);
    QCOMPARE(rig.board.find("dc2/a1")->snoozedBy, QStringLiteral("ann"));
}

void TestAlertBoard::aRefusalIsReportedAndNotRepeated()
{
    BoardRig rig({QStringLiteral("dc1")});
    rig.books[0].failure = base::Error{base::ErrorCode::Unsupported, QStringLiteral("not here"), {}};
    rig.agents.open();
    QTRY_COMPARE(rig.board.agents().value({}).error.code, base::ErrorCode::Unsupported);
    QVERIFY(!rig.isKnown());
    QCOMPARE(rig.agents[0].received<protocol::AlertsQuery>().size(), 1);
    rig.books[0].failure.reset();
    rig.board.refresh();
    QTRY_VERIFY(rig.isKnown());
    QVERIFY(rig.board.agents().value({}).error.cause.isEmpty());
    QCOMPARE(rig.agents[0].received<protocol::AlertsQuery>().size(), 2);
}

void TestAlertBoard::phasesFollowTheClock()
{
    BoardRig rig({QStringLiteral("dc1")});
    rig.agents[0].wallUs = rig.clock.wallUs() + 3'600 * base::kSecondUs; // ahead of this computer
    Alert alert = firedAlert("a1");
    alert.snoozedUntilUs = rig.clock.wallUs() + 1'800 * base::kSecondUs; // over by the agent's clock
    rig.books[0].alerts = {alert};
    rig.agents.open();
    QTRY_VERIFY(rig.isKnown());
    QTRY_VERIFY(rig.board.nowUs({}) > rig.clock.wallUs() + 3'500 * base::kSecondUs);
    QCOMPARE(rig.board.phase(rig.board.alerts().first()), AlertPhase::Active);
}

void TestAlertBoard::oldAlertsLeave()
{
    BoardRig rig({QStringLiteral("dc1")});
    Alert old = firedAlert("a1");
    old.firedUs -= 2 * AlertBoard::kKeepUs;
    old.resolvedUs = old.firedUs + 1;
    rig.books[0].alerts = {old};
    rig.agents.open();
    QTRY_VERIFY(rig.isKnown());
    rig.books[0].change(rig.agents[0], firedAlert("a2"));
    QTRY_VERIFY(rig.board.find("a2"));
    QVERIFY(!rig.board.find("a1"));
}

LOCKKEEPER_TEST(TestAlertBoard)

} // namespace tst_alert_board

#include "tst_alert_board.moc"
