// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/approval_watch.h"
#include "app/views/release/approve_dialog.h"
#include "app/views/release/release_dialog.h"
#include "app/views/release/release_facts.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/release_verdict.h"
#include "tests/app/views/release/release_rig.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

namespace tst_approve_dialog {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using namespace lockkeeper::app;
using app::views::ApprovalWatch;
using app::views::ApproveDialog;
using app::views::BannerArea;
using domain::Outcome;
using domain::Role;

/** Two persons at one agent: the requester waits without a dialog; the approver gets a notice and decides. */
class TestApproveDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoIsTold_data();
    void whoIsTold();
    void toldOfWhatIsOpenAlready();
    void aLostAgentsRequestsAreForgotten();
    void approving_data();
    void approving();
    void aConnectionsGuardIsNamed();
    void whatIsOldIsNotOfNow();
    void agentsClockCounts_data();
    void agentsClockCounts();
    void rejectsWithAReason();
    void deniedIsNotUnknown();
    void aServersWordsStayPlain();
    void requestingWaitsWithoutADialog();
    void forgottenRequestsAwaitNothing();
    void whatTheRoleDeniesIsOff();

private:
    struct World
    {
        World()
        {
            rig.agent.answer = [this, before = rig.agent.answer](
                                   const protocol::Message &message) -> std::optional<protocol::Message> {
                if (const auto *query = std::get_if<protocol::ApprovalsQuery>(&message))
                    return protocol::ApprovalsPage{query->id, open};
                if (const auto *decision = std::get_if<protocol::Decision>(&message)) {
                    decisions.append(*decision);
                    protocol::ReleaseResult result;
                    result.id = decision->id;
                    result.outcome = decision->approve ? Outcome::Released : Outcome::Rejected;
                    return result;
                }
                return before(message);
            };
        }
        bool start(Role role = Role::Approver)
        {
            rig.agent.grants = domain::grantsFor(role);
            const domain::LockState lock = ViewRig::lock("lock:a");
            rig.reading = ViewRig::readingOf(lock);
            return rig.connectWith({lock}) && QTest::qWaitFor([this] { return rig.isLive(); });
        }
        domain::ApprovalRequest request(const char *who = "eve") const
        {
            domain::ApprovalRequest made;
            made.id = 17;
            made.key = ViewRig::lock("lock:a").key;
            made.who = QString::fromLatin1(who);
            made.reason = QStringLiteral("<b>its pod is gone</b>");
            made.guard = "guard-1";
            made.command = QByteArray(32, 'c');
            made.endsUs = rig.clock.wallUs() + 252'000'000;
            return made;
        }
        void tell(const domain::ApprovalRequest &request)
        {
            rig.agent.sendToAll(protocol::ApprovalChanged{request});
        }

        ReleaseRig rig;
        BannerArea area{&rig.theme};
        ApprovalWatch *watch = new ApprovalWatch(
            rig.context, &rig.commands, &area,
            [this](const QString &, const QString &text) { told.append(text); }, &rig.window);
        QList<domain::ApprovalRequest> open;
        QList<protocol::Decision> decisions;
        QStringList told;
    };
};

void TestApproveDialog::whoIsTold_data()
{
    QTest::addColumn<int>("role");
    QTest::addColumn<QString>("who");
    QTest::addColumn<bool>("banner");
    QTest::addColumn<bool>("notified");
    QTest::newRow("an approver") << int(Role::Approver) << QStringLiteral("eve") << true << true;
    QTest::newRow("an admin") << int(Role::Admin) << QStringLiteral("eve") << true << true;
    QTest::newRow("who asked") << int(Role::Approver) << QStringLiteral("ann") << true << false;
    QTest::newRow("an operator") << int(Role::Operator) << QStringLiteral("eve") << false << false;
    QTest::newRow("a viewer") << int(Role::Viewer) << QStringLiteral("eve") << false << false;
}

void TestApproveDialog::whoIsTold()
{
    QFETCH(int, role);
    QFETCH(QString, who);
    QFETCH(bool, banner);
    QFETCH(bool, notified);
    World w;
    QVERIFY(w.start(Role(role)));
    domain::ApprovalRequest request = w.request(who.toLatin1().constData());
    w.tell(request);
    domain::ApprovalRequest last = request; // the marker after which the request has been processed
    last.id = 99;
    last.state = domain::ApprovalRequest::ApprovalState::Ended;
    bool seen = false;
    connect(&w.rig.session, &session::AgentGroup::approvalChanged, this,
            [&seen](const domain::ApprovalRequest &news) { seen = seen || news.id == 99; });
    w.tell(last);
    QTRY_VERIFY(seen);
    QCOMPARE(w.area.hasBanner("approval:17"), banner);
    QCOMPARE(w.told.size(), notified ? 1 : 0);
    w.tell(request); // once is enough
    request.state = domain::ApprovalRequest::ApprovalState::Ended;
    w.tell(request);
    QTRY_VERIFY(!w.area.hasBanner("approval:17"));
    QCOMPARE(w.told.size(), notified ? 1 : 0);
}

void TestApproveDialog::toldOfWhatIsOpenAlready()
{
    World w;
    w.open = {w.request("<i>eve</i>")};
    QVERIFY(w.start());
    QTRY_VERIFY(w.area.hasBanner("approval:17"));
    QCOMPARE(w.told.size(), 1);
    QVERIFY(w.told.first().contains(QStringLiteral("<i>eve</i>")));
    w.rig.agent.grants = domain::grantsFor(Role::Viewer);
    w.rig.agent.sendToAll(
        protocol::Identified{0, QStringLiteral("local"), QStringLiteral("ann"), w.rig.agent.grants});
    QTRY_VERIFY(!w.area.hasBanner("approval:17")); // the role is gone
    QCOMPARE(w.rig.session.grants().role(), Role::Viewer);
}

/** A lost agent can't report the end of its requests. */
void TestApproveDialog::aLostAgentsRequestsAreForgotten()
{
    World w;
    w.rig.agent.grants = domain::grantsFor(Role::Approver);
    tests::ReplayAgent other;
    other.name = QStringLiteral("other");
    other.grants = w.rig.agent.grants;
    QVERIFY(w.rig.agent.start() && other.start());
    w.rig.session.open({w.rig.agent.address(), other.address()});
    const auto sessions = w.rig.session.sessions();
    QTRY_VERIFY(std::all_of(sessions.cbegin(), sessions.cend(),
                            [](const auto *one) { return one->link() == session::LinkState::Live; }));
    w.tell(w.request());
    other.sendToAll(protocol::ApprovalChanged{w.request()});
    QTRY_VERIFY(w.area.hasBanner("approval:fake/17") && w.area.hasBanner("approval:other/17"));
    w.rig.agent.stop();
    QTRY_VERIFY(!w.area.hasBanner("approval:fake/17"));
    QVERIFY(w.area.hasBanner("approval:other/17"));
}

void TestApproveDialog::approving_data()
{
    QTest::addColumn<QString>("who");
    QTest::addColumn<QByteArray>("guard"); // the guard that the agent reads now
    QTest::addColumn<int>("role");
    QTest::addColumn<bool>("may");
    QTest::newRow("as it was asked for")
        << QStringLiteral("eve") << QByteArray("guard-1") << int(Role::Approver) << true;
    QTest::newRow("one's own") << QStringLiteral("ann") << QByteArray("guard-1") << int(Role::Admin) << false;
    QTest::newRow("another acquisition")
        << QStringLiteral("eve") << QByteArray("guard-2") << int(Role::Approver) << false;
    QTest::newRow("by an operator") << QStringLiteral("eve") << QByteArray("guard-1") << int(Role::Operator)
                                    << false;
}

void TestApproveDialog::approving()
{
    QFETCH(QString, who);
    QFETCH(QByteArray, guard);
    QFETCH(int, role);
    QFETCH(bool, may);
    World w;
    QVERIFY(w.start(Role(role)));
    w.rig.reading.state.guard = guard;
    ApproveDialog dialog(w.rig.context, w.request(who.toLatin1().constData()), &w.rig.window);
    dialog.open();
    auto *action = dialog.findChild<QPushButton *>(QStringLiteral("action"));
    auto *missing = dialog.findChild<QLabel *>(QStringLiteral("missing"));
    QVERIFY(!action->isEnabled()); // no reading yet, and no time for the user to read it
    const QString reading = missing->text();
    if (may)
        QTRY_VERIFY(missing->text() != reading);
    w.rig.clock.advanceUs(1'100'000);
    if (may) {
        QTRY_VERIFY(action->isEnabled());
        QVERIFY(missing->text().isEmpty());
    } else {
        QTRY_VERIFY(missing->text() != QStringLiteral("The lock is being read."));
        QVERIFY(!action->isEnabled());
        QVERIFY(!action->toolTip().isEmpty());
    }
    QVERIFY(dialog.findChild<QLabel *>(QStringLiteral("asked"))->textFormat() == Qt::PlainText);
    // The dialog grows for the text that the reading adds: nothing overlaps the next line.
    QTRY_VERIFY(dialog.height() >= dialog.layout()->totalHeightForWidth(dialog.width()));
    tests::picture(&dialog, may ? "approve" : "approve-not");
    action->click();
    action->click();
    if (!may) {
        QVERIFY(w.decisions.isEmpty());
        return;
    }
    QTRY_COMPARE(w.decisions.size(), 1);
    QVERIFY(w.decisions.constFirst().approve);
    QCOMPARE(w.decisions.constFirst().request, 17);
    QTRY_VERIFY(dialog.findChild<QLabel *>(QStringLiteral("outcome"))->isVisible());
    QVERIFY(!action->isEnabled());
    QVERIFY(dialog.height() >= dialog.layout()->totalHeightForWidth(dialog.width()));
}

/** The guard names the target of the kill: this connection, not an acquisition that may have been renewed. */
void TestApproveDialog::aConnectionsGuardIsNamed()
{
    World w;
    QVERIFY(w.start());
    w.rig.reading.state.session = domain::Session();
    w.rig.reading.state.session->id = "17";
    domain::ApprovalRequest request = w.request();
    request.key.scheme = "sql.row";
    const ApproveDialog dialog(w.rig.context, request, &w.rig.window);
    const auto *facts = dialog.findChild<views::ReleaseFacts *>();
    QTRY_VERIFY2(facts->text().contains(QStringLiteral("Guard: this connection, its thread")),
                 qPrintable(facts->text()));
}

void TestApproveDialog::whatIsOldIsNotOfNow()
{
    World w;
    QVERIFY(w.start());
    ApproveDialog dialog(w.rig.context, w.request());
    dialog.show();
    const auto *explanation = dialog.findChild<QLabel *>(QStringLiteral("explanation"));
    QTRY_VERIFY2(explanation->text().startsWith(QStringLiteral("You see it as it is now.")),
                 qPrintable(explanation->text()));
    w.rig.agent.stop();
    QTRY_VERIFY2_WITH_TIMEOUT(
        explanation->text().startsWith(QStringLiteral("It is shown as it was last seen.")),
        qPrintable(explanation->text()), 20'000);
}

void TestApproveDialog::agentsClockCounts_data()
{
    QTest::addColumn<int>("days"); // this computer's clock is ahead
    QTest::newRow("right") << 0;
    QTest::newRow("a day ahead") << 1;
    QTest::newRow("a day behind") << -1;
}

void TestApproveDialog::agentsClockCounts()
{
    QFETCH(int, days);
    World w;
    const qint64 agentUs = base::SystemClock().wallUs(); // the time in the agent's answers to pings
    w.rig.clock.setWallUs(agentUs + days * 86'400'000'000ll);
    QVERIFY(w.start());
    QTRY_VERIFY(w.rig.session.lagUs() >= 0);
    domain::ApprovalRequest request = w.request();
    request.endsUs = agentUs + 252'000'000;
    ApproveDialog dialog(w.rig.context, request, &w.rig.window);
    dialog.open();
    const QString said = dialog.findChild<QLabel *>(QStringLiteral("explanation"))->text();
    // 252 seconds, less those that this test has taken.
    static const QRegularExpression kLeft(QStringLiteral("ends in 4:[01]\\d"));
    QVERIFY2(said.contains(kLeft), qPrintable(said));
}

void TestApproveDialog::rejectsWithAReason()
{
    World w;
    QVERIFY(w.start());
    ApproveDialog dialog(w.rig.context, w.request(), &w.rig.window);
    dialog.open();
    dialog.findChild<QLineEdit *>(QStringLiteral("word"))->setText(QStringLiteral(" the nightly run "));
    dialog.findChild<QPushButton *>(QStringLiteral("reject"))->click();
    QTRY_COMPARE(w.decisions.size(), 1);
    QVERIFY(!w.decisions.constFirst().approve);
    QCOMPARE(w.decisions.constFirst().reason, QStringLiteral("the nightly run"));
}

void TestApproveDialog::deniedIsNotUnknown()
{
    World w;
    QVERIFY(w.start());
    w.rig.agent.answer =
        [before = w.rig.agent.answer](const protocol::Message &message) -> std::optional<protocol::Message> {
        if (const auto *decision = std::get_if<protocol::Decision>(&message))
            return protocol::Failed{
                decision->id, {base::ErrorCode::PermissionDenied, QStringLiteral("not your scope"), {}}};
        return before(message);
    };
    ApproveDialog dialog(w.rig.context, w.request(), &w.rig.window);
    dialog.open();
    dialog.findChild<QPushButton *>(QStringLiteral("reject"))->click();
    const auto *outcome = dialog.findChild<QLabel *>(QStringLiteral("outcome"));
    QTRY_VERIFY(outcome->isVisible());
    QCOMPARE(outcome->text(),
             QStringLiteral("The release was refused. Nothing was released.\nnot your scope"));
}

void TestApproveDialog::aServersWordsStayPlain()
{
    World w;
    QVERIFY(w.start());
    w.rig.reading.error = base::Error{base::ErrorCode::PermissionDenied, QStringLiteral("<b>NOPERM</b>"), {}};
    const ApproveDialog dialog(w.rig.context, w.request(), &w.rig.window);
    const auto *action = dialog.findChild<QPushButton *>(QStringLiteral("action"));
    QTRY_VERIFY2(action->toolTip().contains(QStringLiteral("&lt;b&gt;NOPERM")),
                 qPrintable(action->toolTip()));
}

void TestApproveDialog::requestingWaitsWithoutADialog()
{
    World w;
    QVERIFY(w.start(Role::Operator));
    w.rig.reading.needsApproval = true;
    w.rig.reading.ticket = "t";
    w.rig.result.outcome = Outcome::AwaitingApproval;
    w.rig.result.endsUs = w.rig.clock.wallUs() + 300'000'000;
    views::ReleaseDialog dialog(w.rig.context, ViewRig::lock("lock:a").key, w.rig.controller.get(),
                                &w.rig.window);
    dialog.open();
    auto *action = dialog.findChild<QPushButton *>(QStringLiteral("action"));
    QTRY_COMPARE(action->text(), QStringLiteral("Request approval"));
    QVERIFY(dialog.findChild<QLabel *>(QStringLiteral("explanation"))
                ->text()
                .contains(QStringLiteral("within 5 minutes")));
    QTest::keyClicks(dialog.findChild<QLineEdit *>(QStringLiteral("reason")), QStringLiteral("on call"));
    dialog.findChild<QLineEdit *>(QStringLiteral("name"))->setText(QStringLiteral("lock:a"));
    w.rig.clock.advanceUs(1'100'000);
    QTRY_VERIFY(action->isEnabled());
    action->click();
    QTRY_COMPARE(w.rig.commands.approvalEndsUs(), w.rig.result.endsUs);
    QCOMPARE(w.rig.commands.approvalEndsUs(ViewRig::lock("lock:a").key), w.rig.result.endsUs);
    QCOMPARE(w.rig.commands.approvalEndsUs(ViewRig::lock("lock:b").key), 0);
    QCOMPARE(w.rig.commands.pendingCount(), 0);
    domain::ApprovalRequest decided = w.request("ann");
    decided.command = w.rig.commands.at(0)->id;
    decided.state = domain::ApprovalRequest::ApprovalState::Approved;
    w.tell(decided); // the release continues
    decided.outcome = Outcome::Released;
    w.tell(decided);
    QTRY_COMPARE(w.rig.commands.at(0)->outcome, Outcome::Released);
    QCOMPARE(w.rig.commands.approvalEndsUs(), 0);
}

/** A restarted agent has no open requests. The console doesn't know how the earlier requests ended. */
void TestApproveDialog::forgottenRequestsAwaitNothing()
{
    World w;
    w.open = {w.request("ann")};
    QVERIFY(w.start(Role::Operator));
    models::ConsoleRelease command;
    command.key = w.request().key;
    command.outcome = Outcome::AwaitingApproval;
    command.approvalEndsUs = w.request().endsUs;
    for (const QByteArray &id : {w.request().command, QByteArray("another")}) {
        command.id = id;
        w.rig.commands.add(command);
    }
    w.rig.agent.stop();
    QTRY_VERIFY(!w.rig.isLive());
    QVERIFY(w.rig.agent.start());
    QTRY_COMPARE(w.rig.commands.at(0)->outcome, Outcome::Unknown);
    QCOMPARE(w.rig.commands.at(1)->outcome, Outcome::AwaitingApproval);
    w.open.clear();
    w.rig.agent.stop();
    QTRY_VERIFY(!w.rig.isLive());
    QVERIFY(w.rig.agent.start());
    QTRY_COMPARE(w.rig.commands.approvalEndsUs(command.key), 0);
}

void TestApproveDialog::whatTheRoleDeniesIsOff()
{
    World w;
    QVERIFY(w.start(Role::Operator));
    QTRY_VERIFY(w.rig.replica.find(ViewRig::lock("lock:a").key));
    w.rig.show({w.rig.source(QStringLiteral("s"))});
    const auto verdict = [&w] {
        return views::ReleaseVerdict::of({ViewRig::lock("lock:a").key}, w.rig.context);
    };
    QTRY_VERIFY(verdict().possible);
    const auto tell = [&w](const domain::Grants &grants) {
        w.rig.agent.sendToAll(
            protocol::Identified{0, QStringLiteral("local"), QStringLiteral("ann"), grants});
        return QTest::qWaitFor([&] { return w.rig.session.grants() == grants; });
    };
    QVERIFY(tell({{{Role::Operator, {}, {"order:*"}}}}));
    QCOMPARE(
        verdict().reason,
        QStringLiteral("Can't release: your role doesn't cover this lock. An administrator can extend it."));
    QVERIFY(!verdict().possible);
    QVERIFY(tell(domain::grantsFor(Role::Viewer)));
    QCOMPARE(
        verdict().reason,
        QStringLiteral("Can't release: your role is Viewer. An administrator can make you an operator."));
    QVERIFY(tell({{{Role::Operator, {QStringLiteral("s")}, {"lock:*"}}}}));
    QVERIFY(verdict().possible);
}

LOCKKEEPER_TEST(TestApproveDialog)

} // namespace tst_approve_dialog

#include "tst_approve_dialog.moc"
