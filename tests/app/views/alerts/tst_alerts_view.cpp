// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/alerts/alert_panel.h"
#include "app/views/alerts/alerts_table.h"
#include "app/views/alerts/alerts_view.h"
#include "app/views/alerts/phase_chips.h"
#include "app/views/alerts/receivers_panel.h"
#include "app/views/widgets/banner_area.h"
#include "tests/app/views/support/exported.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonArray>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

namespace tst_alerts_view {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using domain::Alert;
using domain::AlertCondition;
using domain::AlertPhase;
using tests::AlertBook;
using tests::firedAlert;
using tests::ViewRig;
using Verb = protocol::AlertAction::AlertVerb;

class TestAlertsView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theBadgeCountsActiveAlerts();
    void showsTheSelectedAlert();
    void storeTextIsPlain();
    void acknowledges();
    void snoozes_data();
    void snoozes();
    void wakes();
    void actsOnAllSelected();
    void aViewerMayOnlyLook();
    void anAlertThatIsOverHasNoActions();
    void refusalIsAMessage();
    void opensTheLockOrTheSource();
    void reportsOnTheLock();
    void anAgentThatIsAwayIsNotKnownOf();
    void emptyLoadingAndError();
    void saysThatSomeAreLeftOut();
    void resolvedAlertsAreHiddenAndKept();
    void selectsAnAlertById();
    void showsReceivers();
    void testsAReceiver();
    void exportsAndCopies();
    void speaksAnotherLanguage();

private:
    void open(const QList<Alert> &alerts);
    bool says(const QString &text) const;
    QPushButton *button(const char *name) const
    {
        return m_view->findChild<QPushButton *>(QString::fromLatin1(name));
    }
    QList<protocol::AlertAction> asked() const { return m_rig->agent.received<protocol::AlertAction>(); }
    AlertPanel *panel() const { return m_view->findChild<AlertPanel *>(); }

    std::unique_ptr<ViewRig> m_rig;
    std::unique_ptr<AlertsView> m_view;
};

void TestAlertsView::init()
{
    m_rig = std::make_unique<ViewRig>();
    m_rig->book.emplace();
    m_rig->language.setLanguage(QStringLiteral("en")); // its plurals
}

void TestAlertsView::cleanup()
{
    m_view.reset();
    m_rig.reset();
}

void TestAlertsView::open(const QList<Alert> &alerts)
{
    m_rig->book->alerts = alerts;
    QVERIFY(m_rig->connectAgent());
    QTRY_VERIFY(m_rig->isLive());
    m_view = std::make_unique<AlertsView>(m_rig->context);
    m_view->resize(1124, 680);
    m_view->show();
    m_view->activate();
    if (m_rig->book->failure || m_rig->book->mute)
        return;
    QTRY_VERIFY(m_rig->alerts.isKnown({}));
    m_view->activate(); // as the window does when the view comes to the front
}

bool TestAlertsView::says(const QString &text) const
{
    const QList<QLabel *> labels = m_view->findChildren<QLabel *>();
    return std::any_of(labels.begin(), labels.end(), [&text](const QLabel *label) {
        return label->isVisible() && label->text().contains(text);
    });
}

void TestAlertsView::theBadgeCountsActiveAlerts()
{
    open({firedAlert("a1"), firedAlert("a2")});
    QCOMPARE(m_view->count(), std::optional<qint64>(2));
    QSignalSpy counted(m_view.get(), &View::countChanged);
    Alert taken = firedAlert("a1");
    taken.acknowledgedUs = taken.firedUs + 1;
    m_rig->book->change(m_rig->agent, taken);
    QTRY_COMPARE(m_view->count(), std::optional<qint64>(1));
    QVERIFY(!counted.isEmpty());
    taken.id = "a2";
    m_rig->book->change(m_rig->agent, taken);
    QTRY_COMPARE(m_view->count(), std::nullopt);
}

void TestAlertsView::showsTheSelectedAlert()
{
    Alert alert = firedAlert("5f1c9a2b", "lock:report", AlertCondition::LongestWait);
    alert.value = 101 * base::kSecondUs;
    alert.threshold = 60 * base::kSecondUs;
    alert.holder = "w3@10.1.0.7";
    alert.repeats = 2;
    alert.detail = {
        {QStringLiteral("cause"), QStringLiteral("slow query")},
        {QStringLiteral("chain"), QJsonArray{QStringLiteral("lock:report"),
                                             QJsonObject{{QStringLiteral("lock"), QStringLiteral("b")}}}},
        {QStringLiteral("sessions"), 4},
        {QStringLiteral("liveness"),
         QJsonObject{{QStringLiteral("verdict"), QStringLiteral("dead")},
                     {QStringLiteral("evidence"), QStringLiteral("pod_gone")},
                     {QStringLiteral("target"), QStringLiteral("shop/orders-7f9")},
                     {QStringLiteral("checked_us"), alert.firedUs}}}};
    open({alert});
    QTRY_COMPARE(m_view->selectedRows(), qint64(1)); // without a click
    const QString text = panel()->text();
    for (const char *part : {"A client has waited 1 min 41 s for “lock:report” in s.", "w3@10.1.0.7",
                             "00:01:41 > 00:01:00", "slow query", "lock:report → b", "4", "5f1c9a2b",
                             "Active", "dead: pod shop/orders-7f9 doesn't exist, probed at "})
        QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
}

void TestAlertsView::saysThatSomeAreLeftOut()
{
    m_rig->book->more = true;
    open({firedAlert("a1")});
    QTRY_VERIFY(says(QStringLiteral("too many alerts to show")));
    m_rig->book->more = false;
    m_rig->alerts.refresh();
    QTRY_VERIFY(!says(QStringLiteral("too many alerts to show")));
}

void TestAlertsView::storeTextIsPlain()
{
    Alert alert = firedAlert("a1", "<b>bold</b>");
    alert.rule = QStringLiteral("<i>rule</i>");
    open({alert});
    QTRY_VERIFY(says(QStringLiteral("“<b>bold</b>” in s is stuck.")));
    for (const QLabel *label : m_view->findChildren<QLabel *>())
        QVERIFY(label->textFormat() == Qt::PlainText || !label->text().contains(QLatin1Char('<')));
}

void TestAlertsView::acknowledges()
{
    open({firedAlert("a1")});
    QTRY_VERIFY(button("acknowledge")->isEnabled());
    QSignalSpy said(&m_rig->requests, &Requests::messageCame);
    button("acknowledge")->click();
    QTRY_COMPARE(said.size(), 1);
    QCOMPARE(asked().size(), 1);
    QCOMPARE(asked().first().alert, QByteArray("a1"));
    QCOMPARE(asked().first().verb, Verb::Acknowledge);
    QTRY_VERIFY(!button("acknowledge")->isEnabled());
    QVERIFY(says(QStringLiteral("The alert is acknowledged.")));
    QVERIFY(button("snooze")->isEnabled());
}

void TestAlertsView::snoozes_data()
{
    QTest::addColumn<int>("entry");
    QTest::addColumn<qint64>("minutes");
    QTest::newRow("15 min") << 0 << qint64(15);
    QTest::newRow("1 h") << 1 << qint64(60);
    QTest::newRow("4 h") << 2 << qint64(240);
}

void TestAlertsView::snoozes()
{
    QFETCH(int, entry);
    QFETCH(qint64, minutes);
    open({firedAlert("a1")});
    QTRY_VERIFY(button("snooze")->isEnabled());
    button("snooze")->menu()->actions().at(entry)->trigger();
    QTRY_COMPARE(asked().size(), 1);
    QCOMPARE(asked().first().verb, Verb::Snooze);
    QCOMPARE(asked().first().forUs, minutes * 60 * base::kSecondUs);
    QTRY_VERIFY(panel()->text().contains(QStringLiteral("Snoozed until")));
}

void TestAlertsView::wakes()
{
    Alert alert = firedAlert("a1");
    alert.snoozedUntilUs = alert.firedUs + 3'600 * base::kSecondUs;
    alert.snoozedBy = QStringLiteral("kim");
    open({alert});
    QTRY_VERIFY(button("wake")->isEnabled());
    button("wake")->click();
    QTRY_VERIFY(!button("wake")->isEnabled());
    QCOMPARE(asked().first().verb, Verb::Wake);
}

void TestAlertsView::actsOnAllSelected()
{
    Alert taken = firedAlert("a2");
    taken.acknowledgedUs = taken.firedUs + 1;
    open({firedAlert("a1"), taken, firedAlert("a3")});
    m_view->table()->selectAll();
    QTRY_VERIFY(says(QStringLiteral("3 alerts selected")));
    button("acknowledge")->click();
    QTRY_COMPARE(asked().size(), 2); // one was acknowledged before
    QTRY_COMPARE(m_view->count(), std::nullopt);
}

void TestAlertsView::aViewerMayOnlyLook()
{
    m_rig->agent.grants = domain::grantsFor(domain::Role::Viewer);
    m_rig->book->receivers = {{QStringLiteral("pager"), "webhook", {}, {}, {}, 0}};
    open({firedAlert("a1")});
    QTRY_VERIFY(says(QStringLiteral("it takes the role that may release the lock")));
    for (const char *name : {"acknowledge", "snooze", "wake"})
        QVERIFY(!button(name)->isEnabled());
    QVERIFY(button("openAlert")->isEnabled());
    m_view->findChild<DataTable *>(QStringLiteral("receivers"))->selectRow(0);
    QTRY_VERIFY(says(QStringLiteral("A test takes the role admin.")));
    QVERIFY(!button("testReceiver")->isEnabled());
}

void TestAlertsView::anAlertThatIsOverHasNoActions()
{
    Alert over = firedAlert("a1");
    over.resolvedUs = over.firedUs + 1;
    over.snoozedUntilUs = over.firedUs + 3'600 * base::kSecondUs;
    open({over});
    m_view->setFilter(QStringLiteral("a1"));
    QTRY_VERIFY(says(QStringLiteral("The alert is over.")));
    QVERIFY(!button("snooze")->isEnabled());
    QVERIFY(panel()->text().contains(QStringLiteral("Resolved")));
}

void TestAlertsView::refusalIsAMessage()
{
    open({firedAlert("a1")});
    QTRY_VERIFY(button("acknowledge")->isEnabled());
    m_rig->book->failure = base::Error{base::ErrorCode::NotFound, QStringLiteral("gone"), {}};
    QSignalSpy said(&m_rig->requests, &Requests::messageCame);
    button("acknowledge")->click();
    QTRY_COMPARE(said.size(), 1);
    QVERIFY(said.first().first().toString().contains(QStringLiteral("gone")));
}

void TestAlertsView::opensTheLockOrTheSource()
{
    Alert down = firedAlert("a2", {}, AlertCondition::SourceDown);
    open({firedAlert("a1"), down});
    QSignalSpy lock(&m_rig->requests, &Requests::lockAsked);
    QSignalSpy view(&m_rig->requests, &Requests::viewAsked);
    m_view->setFilter(QStringLiteral("a1"));
    button("openAlert")->click();
    QCOMPARE(lock.size(), 1);
    QCOMPARE(lock.first().first().value<domain::LockKey>(), firedAlert("a1").lock);
    m_view->setFilter(QStringLiteral("a2"));
    QTRY_COMPARE(button("openAlert")->text(), QStringLiteral("Go to the so&urce"));
    QTest::keyClick(m_view->table(), Qt::Key_Return);
    QCOMPARE(view.size(), 1);
    QCOMPARE(view.first().at(0).toByteArray(), QByteArray("sources"));
    QCOMPARE(view.first().at(1).toString(), QStringLiteral("s"));
}

/** From ten minutes before its beginning; an alert about a source has no lock to report on. */
void TestAlertsView::reportsOnTheLock()
{
    const Alert fired = firedAlert("a1");
    open({fired, firedAlert("a2", {}, AlertCondition::SourceDown)});
    QSignalSpy report(&m_rig->requests, &Requests::reportAsked);
    m_view->setFilter(QStringLiteral("a1"));
    QTRY_VERIFY(button("reportAlert")->isEnabled());
    button("reportAlert")->click();
    QCOMPARE(report.size(), 1);
    QCOMPARE(report.first().at(0).value<domain::LockKey>(), fired.lock);
    QCOMPARE(report.first().at(1).toLongLong(), fired.sinceUs - 600 * base::kSecondUs);
    QCOMPARE(report.first().at(2).toLongLong(), m_rig->context.nowUs() + 600 * base::kSecondUs);
    m_view->setFilter(QStringLiteral("a2"));
    QTRY_VERIFY(!button("reportAlert")->isEnabled());
}

void TestAlertsView::anAgentThatIsAwayIsNotKnownOf()
{
    open({firedAlert("a1")});
    QTRY_COMPARE(m_view->model()->rowCount(), 1);
    m_rig->agent.stop();
    QTRY_VERIFY(panel()->text().contains(QStringLiteral("Not known since")));
    QCOMPARE(m_view->model()->rowCount(), 1); // not over
    QVERIFY(says(QStringLiteral("The agent of this alert isn't connected.")));
    QVERIFY(!button("acknowledge")->isEnabled());
}

void TestAlertsView::emptyLoadingAndError()
{
    m_rig->book->mute = true;
    open({});
    QTRY_VERIFY(says(QStringLiteral("Reading…")));
    cleanup();
    init();
    m_rig->book->failure = base::Error{base::ErrorCode::Unsupported, QStringLiteral("no alerts here"), {}};
    open({});
    QTRY_VERIFY(says(QStringLiteral("no alerts here")));
    m_rig->book->failure.reset();
    m_view->refresh();
    QTRY_VERIFY(says(QStringLiteral("The agent's rules have fired nothing within the last day.")));
    QVERIFY(says(QStringLiteral("No receiver is configured")));
}

void TestAlertsView::resolvedAlertsAreHiddenAndKept()
{
    Alert over = firedAlert("a1");
    over.resolvedUs = over.firedUs + 1;
    open({over});
    QTRY_VERIFY(says(QStringLiteral("1 alert is hidden.")));
    QVERIFY(says(QStringLiteral("No alert is active")));
    m_rig->book->change(m_rig->agent, firedAlert("a2"));
    QTRY_COMPARE(m_view->model()->rowCount(), 1);
    m_view->findChild<PhaseChips *>()->chip(AlertPhase::Active)->click();
    QVERIFY(says(QStringLiteral("All alerts are hidden")));
    m_view->findChild<PhaseChips *>()->chip(AlertPhase::Resolved)->click();
    QCOMPARE(m_view->model()->rowCount(), 1);
    const QVariantMap kept = m_view->saveState();
    AlertsView another(m_rig->context);
    another.restoreState(kept);
    QVERIFY(another.model()->shown().at(std::size_t(AlertPhase::Resolved)));
    another.restoreState({});
    QVERIFY(another.model()->shown().at(std::size_t(AlertPhase::Resolved)));
}

void TestAlertsView::selectsAnAlertById()
{
    open({firedAlert("a1"), firedAlert("a2"), firedAlert("a3")});
    QTRY_COMPARE(m_view->model()->rowCount(), 3);
    m_view->setFilter(QStringLiteral("a2"));
    QCOMPARE(m_view->table()->selectedAlerts().value(0).alert.id, QByteArray("a2"));
    m_view->setFilter(QStringLiteral("unknown"));
    QCOMPARE(m_view->table()->selectedAlerts().value(0).alert.id, QByteArray("a2"));
}

void TestAlertsView::showsReceivers()
{
    protocol::AlertReceiver ops{QStringLiteral("ops"), "webhook", 1'795'000'000'000'000,
                                1'795'000'060'000'000, {},        7};
    ops.error = {base::ErrorCode::Unreachable, QStringLiteral("connection refused"), {}};
    m_rig->book->receivers = {{QStringLiteral("pager"), "pagerduty", 1'795'000'000'000'000, {}, {}, 0}, ops};
    open({});
    auto *table = m_view->findChild<DataTable *>(QStringLiteral("receivers"));
    QTRY_COMPARE(table->model()->rowCount(), 2);
    const auto cell = [table](int row, int column) {
        return table->model()->index(row, column).data().toString();
    };
    QCOMPARE(cell(0, app::models::ReceiverNameColumn), QStringLiteral("ops"));
    QCOMPARE(cell(0, app::models::ReceiverStateColumn), QStringLiteral("Fails"));
    QCOMPARE(cell(0, app::models::ReceiverWaitingColumn), QStringLiteral("7"));
    QVERIFY(cell(0, app::models::ReceiverErrorColumn).contains(QStringLiteral("connection refused")));
    QCOMPARE(cell(1, app::models::ReceiverTypeColumn), QStringLiteral("PagerDuty"));
    QCOMPARE(cell(1, app::models::ReceiverStateColumn), QStringLiteral("Works"));
    QCOMPARE(table->model()->index(1, app::models::ReceiverStateColumn).data(Qt::ToolTipRole).toString(),
             QStringLiteral("Works\nLast delivery 2026-11-18 11:06:40"));
}

void TestAlertsView::testsAReceiver()
{
    m_rig->book->receivers = {{QStringLiteral("pager"), "webhook", {}, {}, {}, 0}};
    open({});
    auto *table = m_view->findChild<DataTable *>(QStringLiteral("receivers"));
    QTRY_COMPARE(table->model()->rowCount(), 1);
    QVERIFY(!button("testReceiver")->isEnabled());
    table->selectRow(0);
    QTRY_VERIFY(button("testReceiver")->isEnabled());
    QSignalSpy said(&m_rig->requests, &Requests::messageCame);
    button("testReceiver")->click();
    QVERIFY(says(QStringLiteral("Sending…")));
    QTRY_COMPARE(said.size(), 1);
    QCOMPARE(said.first().first().toString(), QStringLiteral("The test message was delivered to pager."));
    QCOMPARE(m_rig->agent.received<protocol::ReceiverTest>().value(0).receiver, QStringLiteral("pager"));
}

void TestAlertsView::exportsAndCopies()
{
    open({firedAlert("a1", "lock:report")});
    QTRY_VERIFY(m_view->canExport());
    button("copyAlert")->click();
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("“lock:report” in s is stuck.")));
    QVERIFY(m_view->copyText());
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("lock:report")));
}

void TestAlertsView::speaksAnotherLanguage()
{
    open({firedAlert("a1")});
    QTRY_COMPARE(m_view->model()->rowCount(), 1);
    const tests::BracketLanguage language;
    QTRY_COMPARE(m_view->title(), QStringLiteral("[Alerts]"));
    QTRY_COMPARE(button("acknowledge")->text(), QStringLiteral("[&Acknowledge]"));
    QTRY_COMPARE(m_view->model()->index(0, app::models::AlertPhaseColumn).data().toString(),
                 QStringLiteral("[Active]"));
}

LOCKKEEPER_TEST(TestAlertsView)

} // namespace tst_alerts_view

#include "tst_alerts_view.moc"
