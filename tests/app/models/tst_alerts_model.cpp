// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/alerts_model.h"
#include "tests/app/session/agents_rig.h"
#include "tests/app/session/alert_fixture.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QtTest>

namespace tst_alerts_model {

using namespace lockkeeper;
using app::models::AlertsModel;
using app::models::ReceiversModel;
using domain::Alert;
using domain::AlertCondition;
using domain::AlertPhase;
using domain::AlertSeverity;
using tests::AlertBook;
using tests::firedAlert;

class TestAlertsModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theUrgentComeFirst();
    void phasesAreCountedAndHidden();
    void rowsStayUntilTheyMayMove();
    void aSelectionStaysWithItsAlert();
    void sortsByColumns_data();
    void sortsByColumns();
    void recordsAreThoseOfTheShell();
    void aStormIsTakenInAtOnce();
    void failingReceiversComeFirst();

private:
    void show(const QList<Alert> &alerts);
    QByteArray ids(const AlertsModel &model) const;
    static Alert ofPhase(const QByteArray &id, AlertPhase phase);

    std::unique_ptr<tests::AgentsRig> m_agents;
    AlertBook m_book;
    base::SystemClock m_clock;
    std::unique_ptr<app::replica::AlertBoard> m_board;
};

void TestAlertsModel::init()
{
    m_board.reset();
    m_agents = std::make_unique<tests::AgentsRig>(QStringList{QStringLiteral("dc1")});
    m_book = {};
    (*m_agents)[0].answer = [this](const protocol::Message &message) {
        return m_book.answer((*m_agents)[0], message);
    };
    m_board = std::make_unique<app::replica::AlertBoard>(m_agents->agents, m_clock);
}

void TestAlertsModel::show(const QList<Alert> &alerts)
{
    m_book.alerts = alerts;
    m_agents->open();
    QTRY_VERIFY(m_board->isKnown({}));
}

QByteArray TestAlertsModel::ids(const AlertsModel &model) const
{
    QByteArrayList list;
    for (int row = 0; row < model.rowCount(); ++row)
        list.append(model.at(row)->alert.id);
    return list.join(' ');
}

Alert TestAlertsModel::ofPhase(const QByteArray &id, AlertPhase phase)
{
    Alert alert = firedAlert(id);
    if (phase == AlertPhase::Resolved)
        alert.resolvedUs = alert.firedUs + 1;
    if (phase == AlertPhase::Acknowledged)
        alert.acknowledgedUs = alert.firedUs + 1;
    if (phase == AlertPhase::Snoozed)
        alert.snoozedUntilUs = alert.firedUs + 3'600 * base::kSecondUs;
    return alert;
}

void TestAlertsModel::theUrgentComeFirst()
{
    Alert critical = firedAlert("critical");
    critical.severity = AlertSeverity::Critical;
    Alert older = firedAlert("older");
    older.firedUs -= 1;
    Alert mine = ofPhase("taken", AlertPhase::Acknowledged);
    mine.severity = AlertSeverity::Critical;
    show({older, mine, firedAlert("newer"), critical});
    const AlertsModel model(*m_board);
    QCOMPARE(ids(model), QByteArray("critical newer older taken"));
}

void TestAlertsModel::phasesAreCountedAndHidden()
{
    show({ofPhase("a", AlertPhase::Active), ofPhase("k", AlertPhase::Acknowledged),
          ofPhase("s", AlertPhase::Snoozed), ofPhase("r", AlertPhase::Resolved),
          ofPhase("q", AlertPhase::Resolved)});
    AlertsModel model(*m_board);
    QAbstractItemModelTester tester(&model);
    QCOMPARE(model.counts(), (app::models::PhaseCounts{1, 1, 1, 2}));
    QCOMPARE(ids(model), QByteArray("a k s"));
    model.setShown(AlertPhase::Resolved, true);
    model.setShown(AlertPhase::Active, false);
    QCOMPARE(ids(model), QByteArray("k s q r"));
}

void TestAlertsModel::rowsStayUntilTheyMayMove()
{
    show({firedAlert("a"), firedAlert("b")});
    AlertsModel model(*m_board);
    QAbstractItemModelTester tester(&model);
    m_book.change((*m_agents)[0], ofPhase("a", AlertPhase::Resolved));
    m_book.change((*m_agents)[0], firedAlert("c"));
    QTRY_VERIFY(m_board->find("c"));
    model.refresh(false);
    QCOMPARE(ids(model), QByteArray("a b"));
    QCOMPARE(model.at(0)->phase, AlertPhase::Resolved); // the value is current
    QCOMPARE(model.counts(), (app::models::PhaseCounts{2, 0, 0, 1}));
    model.refresh(true);
    QCOMPARE(ids(model), QByteArray("b c"));
}

void TestAlertsModel::aSelectionStaysWithItsAlert()
{
    show({firedAlert("a"), firedAlert("b"), firedAlert("c")});
    AlertsModel model(*m_board);
    QAbstractItemModelTester tester(&model);
    const QPersistentModelIndex chosen = model.index(model.rowOf("b"), 0);
    m_book.change((*m_agents)[0], ofPhase("b", AlertPhase::Acknowledged));
    m_book.change((*m_agents)[0], firedAlert("d"));
    QTRY_VERIFY(m_board->find("d"));
    model.refresh(true);
    QCOMPARE(model.at(chosen.row())->alert.id, QByteArray("b"));
    QCOMPARE(chosen.row(), 3);
}

void TestAlertsModel::sortsByColumns_data()
{
    QTest::addColumn<int>("column");
    QTest::addColumn<QByteArray>("ascending");
    QTest::newRow("severity") << int(app::models::AlertSeverityColumn) << QByteArray("b a");
    QTest::newRow("lock") << int(app::models::AlertSubjectColumn) << QByteArray("a b");
    QTest::newRow("lasts") << int(app::models::AlertLastsColumn) << QByteArray("a b");
    QTest::newRow("since") << int(app::models::AlertSinceColumn) << QByteArray("b a");
    QTest::newRow("value") << int(app::models::AlertValueColumn) << QByteArray("b a");
    QTest::newRow("holder") << int(app::models::AlertHolderColumn) << QByteArray("a b");
    QTest::newRow("condition") << int(app::models::AlertConditionColumn) << QByteArray("b a");
}

void TestAlertsModel::sortsByColumns()
{
    QFETCH(int, column);
    QFETCH(QByteArray, ascending);
    Alert a = firedAlert("a", "lock:1", AlertCondition::HeldFor);
    a.severity = AlertSeverity::Critical;
    a.value = 90;
    a.holder = "w1";
    Alert b = firedAlert("b", "lock:2", AlertCondition::LongestWait);
    b.sinceUs -= base::kSecondUs;
    b.value = 80;
    b.holder = "w2";
    show({a, b});
    AlertsModel model(*m_board);
    QAbstractItemModelTester tester(&model);
    model.sort(column, Qt::AscendingOrder);
    QCOMPARE(ids(model), ascending);
    model.sort(column, Qt::DescendingOrder);
    QCOMPARE(ids(model), ascending == "a b" ? QByteArray("b a") : QByteArray("a b"));
    model.sort(-1, Qt::AscendingOrder);
    QCOMPARE(ids(model), QByteArray("a b"));
}

void TestAlertsModel::recordsAreThoseOfTheShell()
{
    show({firedAlert("a1")});
    const AlertsModel model(*m_board);
    QCOMPARE(model.record(0),
             app::records::alertObject(m_book.alerts.first(), AlertPhase::Active, QStringLiteral("dc1")));
    const QStringList members = model.record(0).keys();
    const QStringList columns = model.recordColumns();
    QCOMPARE(QSet<QString>(members.cbegin(), members.cend()),
             QSet<QString>(columns.cbegin(), columns.cend()));
}

void TestAlertsModel::aStormIsTakenInAtOnce()
{
    show({firedAlert("first")});
    AlertsModel model(*m_board);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QList<Alert> storm;
    for (int i = 0; i < 5'000; ++i)
        storm.append(firedAlert(QByteArray::number(100'000 + i)));
    m_book.alerts = storm + m_book.alerts;
    m_board->refresh();
    QTRY_COMPARE(m_board->alerts().size(), 5'001);
    model.refresh(true);
    QCOMPARE(model.rowCount(), 5'001);
    QVERIFY(inserted.size() <= 2);
}

void TestAlertsModel::failingReceiversComeFirst()
{
    m_book.receivers = {{QStringLiteral("mail"), "email", 1, {}, {}, 0},
                        {QStringLiteral("ops"), "webhook", 1, 2, {}, 3}};
    show({});
    ReceiversModel model(*m_board);
    QAbstractItemModelTester tester(&model);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.at(0)->receiver.name, QStringLiteral("ops"));
    m_book.receivers[1].waiting = 5;
    m_board->refresh();
    QTRY_COMPARE(m_board->agents().value({}).receivers.value(1).waiting, 5);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.refresh();
    QCOMPARE(model.at(0)->receiver.waiting, 5);
    QCOMPARE(reset.size(), 0); // the selection stays
}

LOCKKEEPER_TEST(TestAlertsModel)

} // namespace tst_alerts_model

#include "tst_alerts_model.moc"
