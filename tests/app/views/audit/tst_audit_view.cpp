// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/audit/audit_view.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/banner.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QtTest>

namespace tst_audit_view {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using app::models::AuditModel;
using tests::ViewRig;

class TestAuditView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void showsTheNewestFirst();
    void wordsEveryOutcome_data();
    void wordsEveryOutcome();
    void saysWhenTheChainHeld();
    void namesTheFirstBadRow_data();
    void namesTheFirstBadRow();
    void namesTheReaper();
    void readsAgainAfterARelease();
    void failureKeepsWhatIsKnown();
    void emptyAuditSaysWhatItIsFor();
    void speaksAnotherLanguage();

private:
    static domain::AuditEntry entry(qint64 id, domain::Outcome outcome = domain::Outcome::Released);
    void open();
    bool says(const QString &text) const;
    QString cell(int row, int column) const { return m_view->model()->index(row, column).data().toString(); }
    QStringList banners() const { return m_view->findChild<BannerArea *>()->texts(); }

    std::unique_ptr<ViewRig> m_rig;
    std::unique_ptr<AuditView> m_view;
};

void TestAuditView::init()
{
    m_rig = std::make_unique<ViewRig>();
}

void TestAuditView::cleanup()
{
    m_view.reset();
    m_rig.reset();
}

domain::AuditEntry TestAuditView::entry(qint64 id, domain::Outcome outcome)
{
    domain::AuditEntry made;
    made.id = id;
    made.timeUs = 1'795'000'000'000'000;
    made.who = QStringLiteral("maria");
    made.role = QStringLiteral("operator");
    made.key = {QStringLiteral("s"), "redis.token", "db0", "<b>lock</b>"};
    made.holder = "w1";
    made.reason = QStringLiteral("<img src=x> paged, %1").arg(id);
    made.guard = QByteArray(64, 'a');
    made.outcome = outcome;
    made.command = QByteArray(32, '7');
    return made;
}

/** Connected, shown and activated, with what the rig's audit holds. */
void TestAuditView::open()
{
    QVERIFY(m_rig->connectAgent());
    QTRY_VERIFY(m_rig->isLive());
    m_view = std::make_unique<AuditView>(m_rig->context);
    m_view->resize(1000, 640);
    m_view->show();
    m_view->activate();
    QTRY_VERIFY(!m_view->model()->isLoading());
}

bool TestAuditView::says(const QString &text) const
{
    const QList<QLabel *> labels = m_view->findChildren<QLabel *>();
    return std::any_of(labels.begin(), labels.end(), [&text](const QLabel *label) {
        return label->isVisible() && label->text().contains(text);
    });
}

void TestAuditView::showsTheNewestFirst()
{
    m_rig->audit = {entry(2), entry(1)};
    open();
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(2));
    QCOMPARE(cell(0, app::models::AuditTimeColumn), QStringLiteral("2026-11-18 11:06:40"));
    QCOMPARE(cell(0, app::models::AuditWhoColumn), QStringLiteral("maria"));
    QCOMPARE(cell(0, app::models::AuditLockColumn), QStringLiteral("<b>lock</b>"));
    QCOMPARE(cell(0, app::models::AuditReasonColumn), QStringLiteral("<img src=x> paged, 2"));
    QCOMPARE(cell(1, app::models::AuditReasonColumn), QStringLiteral("<img src=x> paged, 1"));
    auto *table = m_view->findChild<DataTable *>(QStringLiteral("audit"));
    QVERIFY(table->isVisible());
    QVERIFY(table->editTriggers() == QAbstractItemView::NoEditTriggers);
    table->selectRow(1);
    QVERIFY(m_view->copyText());
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("<img src=x> paged, 1")));
}

void TestAuditView::wordsEveryOutcome_data()
{
    QTest::addColumn<int>("outcome");
    for (int outcome = 0; outcome <= int(domain::Outcome::Probed); ++outcome)
        QTest::addRow("%d", outcome) << outcome;
}

void TestAuditView::wordsEveryOutcome()
{
    QFETCH(int, outcome);
    m_rig->audit = {entry(1, domain::Outcome(outcome))};
    m_rig->audit.first().detail = QStringLiteral("the cause");
    open();
    QTRY_COMPARE(m_view->model()->rowCount(), 1);
    const QModelIndex index = m_view->model()->index(0, app::models::AuditOutcomeColumn);
    QVERIFY(!index.data().toString().isEmpty());
    QVERIFY(index.data(Qt::ToolTipRole).toString().endsWith(QStringLiteral("\nthe cause")));
    // Only what the store has confirmed is called released.
    QCOMPARE(index.data().toString() == QStringLiteral("Released"),
             outcome == int(domain::Outcome::Released));
}

void TestAuditView::namesTheReaper()
{
    domain::AuditEntry act = entry(1, domain::Outcome::WouldRelease);
    act.who = QStringLiteral("lockkeeper");
    act.role = QStringLiteral("policy");
    m_rig->audit = {act};
    open();
    QTRY_COMPARE(m_view->model()->rowCount(), 1);
    QCOMPARE(cell(0, app::models::AuditWhoColumn), QStringLiteral("Reaper"));
    QCOMPARE(cell(0, app::models::AuditRoleColumn), QStringLiteral("Policy"));
    QCOMPARE(cell(0, app::models::AuditOutcomeColumn), QStringLiteral("Would release"));
    const QModelIndex outcome = m_view->model()->index(0, app::models::AuditOutcomeColumn);
    QVERIFY(outcome.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Nothing was released.")));
    const QModelIndex who = m_view->model()->index(0, app::models::AuditWhoColumn);
    QVERIFY(who.data(Qt::ToolTipRole).toString().endsWith(QStringLiteral("run as lockkeeper")));
}

void TestAuditView::saysWhenTheChainHeld()
{
    m_rig->audit = {entry(1)};
    open();
    QTRY_VERIFY(says(QStringLiteral("Chain verified 2026-11-18 11:06:40 UTC")));
    QCOMPARE(banners(), QStringList());
    const auto asked = m_rig->agent.received<protocol::AuditQuery>();
    QVERIFY(std::any_of(asked.begin(), asked.end(), [](const auto &query) { return query.verify; }));
}

void TestAuditView::namesTheFirstBadRow_data()
{
    QTest::addColumn<int>("id");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("altered") << 12 << QStringLiteral("entry 12 is the first");
    QTest::newRow("cut off") << 0 << QStringLiteral("entries are missing at its end");
}

void TestAuditView::namesTheFirstBadRow()
{
    QFETCH(int, id);
    QFETCH(QString, sentence);
    m_rig->audit = {entry(12), entry(11)};
    m_rig->audit.first().intact = id != 12;
    m_rig->chainHolds = false;
    if (id)
        m_rig->firstBadId = id;
    open();
    QTRY_COMPARE(banners().size(), 1);
    QVERIFY2(banners().first().contains(sentence), qPrintable(banners().first()));
    QVERIFY(says(QStringLiteral("Chain broken, checked")));
    const QModelIndex first = m_view->model()->index(0, app::models::AuditTimeColumn);
    QCOMPARE(first.data(Qt::DecorationRole).isValid(), id == 12);
    QVERIFY(!first.siblingAtRow(1).data(Qt::DecorationRole).isValid());
    m_rig->chainHolds = true;
    m_rig->firstBadId.reset();
    m_view->refresh();
    QTRY_COMPARE(banners(), QStringList());
}

void TestAuditView::readsAgainAfterARelease()
{
    m_rig->audit = {entry(1)};
    open();
    QTRY_COMPARE(m_view->model()->rowCount(), 1);
    // One of this console's.
    m_rig->audit.prepend(entry(2, domain::Outcome::Pending));
    m_rig->replica.setReleasing(entry(2).key, true);
    QTRY_COMPARE(m_view->model()->rowCount(), 2);
    QCOMPARE(cell(0, app::models::AuditOutcomeColumn) == QStringLiteral("Released"), false);
    m_rig->audit.first().outcome = domain::Outcome::Released;
    m_rig->replica.setReleasing(entry(2).key, false);
    QTRY_COMPARE(cell(0, app::models::AuditOutcomeColumn), QStringLiteral("Released"));
    // Another operator's.
    m_rig->audit.prepend(entry(3));
    events::LockEvent event = ViewRig::eventAt(m_rig->clock.wallUs());
    event.kind = events::Kind::ForceReleased;
    m_rig->agent.publish(event);
    QTRY_COMPARE(m_view->model()->rowCount(), 3);
}

void TestAuditView::failureKeepsWhatIsKnown()
{
    m_rig->failure = base::Error{base::ErrorCode::Storage, QStringLiteral("disk gone"), {}};
    m_rig->audit = {entry(1)};
    open();
    QTRY_VERIFY(says(QStringLiteral("disk gone")));
    m_rig->failure.reset();
    m_view->refresh();
    QTRY_COMPARE(m_view->model()->rowCount(), 1);
    QTRY_VERIFY(m_view->findChild<DataTable *>()->isVisible());
    m_rig->failure = base::Error{base::ErrorCode::Storage, QStringLiteral("disk gone"), {}};
    m_view->refresh();
    QTRY_COMPARE(banners().size(), 1);
    QVERIFY(banners().first().contains(QStringLiteral("disk gone")));
    QCOMPARE(m_view->model()->rowCount(), 1);
    QVERIFY(m_view->findChild<DataTable *>()->isVisible());
    m_rig->failure.reset();
    m_view->refresh();
    QTRY_COMPARE(banners(), QStringList());
}

void TestAuditView::emptyAuditSaysWhatItIsFor()
{
    open();
    QTRY_VERIFY(says(QStringLiteral("Nothing was force-released yet")));
    QVERIFY(!m_view->canExport());
}

void TestAuditView::speaksAnotherLanguage()
{
    m_rig->audit = {entry(1)};
    open();
    QTRY_VERIFY(says(QStringLiteral("Chain verified")));
    const tests::BracketLanguage language;
    QTRY_COMPARE(m_view->title(), QStringLiteral("[Audit]"));
    QTRY_VERIFY(says(QStringLiteral("[Chain verified")));
    QCOMPARE(m_view->model()->headerData(app::models::AuditReasonColumn, Qt::Horizontal).toString(),
             QStringLiteral("[Reason]"));
    QCOMPARE(cell(0, app::models::AuditOutcomeColumn), QStringLiteral("[Released]"));
}

LOCKKEEPER_TEST(TestAuditView)

} // namespace tst_audit_view

#include "tst_audit_view.moc"
