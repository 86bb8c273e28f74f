// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/advice/advice_view.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QtTest>

namespace tst_advice_view {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using app::models::AdviceModel;
using tests::ViewRig;

/** The view Advice: rows, sentences, order, range, and its states without rows. */
class TestAdviceView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void showsWholeSentences();
    void sorts();
    void rangeIsAsked();
    void withoutAdvice_data();
    void withoutAdvice();
    void failureKeepsTheRows();
    void namesItsBounds();
    void opensTheHistoryOfALock();
    void exportsRecords();
    void speaksAnotherLanguage();

private:
    static domain::Advice advice(domain::AdviceCode code, const QByteArray &lock)
    {
        domain::Advice one;
        one.code = code;
        one.lock = {QStringLiteral("orders"), "redis.token", "db0", lock};
        one.figures = {{QStringLiteral("ttl_us"), 10'000'000}, {QStringLiteral("holds"), 40}};
        one.ttlUs = 20'000'000;
        return one;
    }
    void open();
    QString cell(int row, int column) const { return m_view->model()->index(row, column).data().toString(); }
    QString note() const { return m_view->findChild<QLabel *>(QStringLiteral("note"))->text(); }

    std::unique_ptr<ViewRig> m_rig;
    std::unique_ptr<AdviceView> m_view;
    protocol::AdvicePage m_page;
    QList<protocol::AdviceQuery> m_asked;
};

void TestAdviceView::init()
{
    m_rig = std::make_unique<ViewRig>();
    m_asked.clear();
    m_page = {};
    m_page.observedPermille = 1000;
    m_page.locks = 2;
    m_page.holds = 80;
    m_page.advice = {advice(domain::AdviceCode::LeaseTooShort, "b"),
                     advice(domain::AdviceCode::NoExpiry, "a")};
    m_rig->agent.answer = [this, usual = m_rig->agent.answer](const protocol::Message &message) {
        const auto *query = std::get_if<protocol::AdviceQuery>(&message);
        if (!query)
            return usual(message);
        m_asked.append(*query);
        if (m_rig->failure)
            return std::optional<protocol::Message>(protocol::Failed{query->id, *m_rig->failure});
        protocol::AdvicePage page = m_page;
        page.id = query->id;
        return std::optional<protocol::Message>(page);
    };
}

void TestAdviceView::cleanup()
{
    m_view.reset();
    m_rig.reset();
}

void TestAdviceView::open()
{
    QVERIFY(m_rig->connectAgent());
    QTRY_VERIFY(m_rig->isLive());
    m_view = std::make_unique<AdviceView>(m_rig->context);
    m_view->resize(1200, 640);
    m_view->show();
    m_view->activate();
    QTRY_VERIFY(!m_view->model()->isLoading());
}

void TestAdviceView::showsWholeSentences()
{
    open();
    const QAbstractItemModelTester tester(m_view->model());
    QCOMPARE(m_view->shownRows(), std::optional<qint64>(2));
    QCOMPARE(cell(0, app::models::AdviceTitleColumn), QStringLiteral("Lease too short"));
    QCOMPARE(cell(0, app::models::AdviceLockColumn), QStringLiteral("b"));
    auto *sentences = m_view->findChild<QLabel *>(QStringLiteral("selected"));
    QVERIFY(!sentences->isVisible());
    m_view->findChild<DataTable *>()->selectRow(0);
    QVERIFY(sentences->isVisible());
    QVERIFY(sentences->text().contains(QLatin1String("Use a lease of 20 s")));
    QVERIFY(sentences->text().contains(QLatin1String("advice.md#lease_too_short")));
}

void TestAdviceView::sorts()
{
    open();
    const QAbstractItemModelTester tester(m_view->model());
    m_view->model()->sort(app::models::AdviceLockColumn);
    QCOMPARE(cell(0, app::models::AdviceLockColumn), QStringLiteral("a"));
    m_view->model()->sort(app::models::AdviceLockColumn, Qt::DescendingOrder);
    QCOMPARE(cell(0, app::models::AdviceLockColumn), QStringLiteral("b"));
    m_view->model()->sort(-1);
    QCOMPARE(cell(0, app::models::AdviceLockColumn), QStringLiteral("b"));
}

void TestAdviceView::rangeIsAsked()
{
    open();
    QCOMPARE(*m_asked.constLast().toUs - *m_asked.constLast().fromUs, 86'400'000'000LL);
    auto *range = m_view->findChild<QComboBox *>(QStringLiteral("range"));
    range->setCurrentIndex(0);
    Q_EMIT range->activated(0);
    QTRY_COMPARE(m_asked.size(), 2);
    QCOMPARE(*m_asked.constLast().toUs - *m_asked.constLast().fromUs, 3'600'000'000LL);
    const QVariantMap state = m_view->saveState();
    range->setCurrentIndex(2);
    m_view->restoreState(state);
    QCOMPARE(range->currentIndex(), 0);
}

void TestAdviceView::withoutAdvice_data()
{
    QTest::addColumn<qint64>("holds");
    QTest::addColumn<bool>("fails");
    QTest::addColumn<QString>("text");
    QTest::newRow("healthy") << 80LL << false << QStringLiteral("No advice");
    QTest::newRow("nothing happened") << 0LL << false << QStringLiteral("No evidence yet");
    QTest::newRow("no answer") << 0LL << true << QString();
}

void TestAdviceView::withoutAdvice()
{
    QFETCH(qint64, holds);
    QFETCH(bool, fails);
    QFETCH(QString, text);
    m_page.advice.clear();
    m_page.holds = holds;
    if (fails)
        m_rig->failure = {base::ErrorCode::Timeout, QStringLiteral("the query took longer than 5 s"), {}};
    open();
    auto *page = m_view->findChild<StatePage *>();
    QTRY_VERIFY(page->isVisible());
    if (!fails)
        QCOMPARE(page->text(), text);
    else
        QVERIFY(!page->text().isEmpty() && page->text() != QLatin1String("No advice"));
}

void TestAdviceView::failureKeepsTheRows()
{
    open();
    m_rig->failure = {base::ErrorCode::Timeout, QStringLiteral("the query took longer than 5 s"), {}};
    m_view->refresh();
    QTRY_COMPARE(m_view->findChild<BannerArea *>()->texts().size(), 1);
    QCOMPARE(m_view->shownRows(), std::optional<qint64>(2));
    m_rig->failure.reset();
    m_view->refresh();
    QTRY_VERIFY(m_view->findChild<BannerArea *>()->texts().isEmpty());
}

void TestAdviceView::namesItsBounds()
{
    m_page.observedPermille = 400;
    m_page.more = true;
    open();
    QVERIFY2(note().contains(QLatin1String("80 holds of 2 locks")), qPrintable(note()));
    QVERIFY2(note().contains(QLatin1String("only 40.0 % of the range was observed")), qPrintable(note()));
    QVERIFY2(note().contains(QLatin1String("not everything was read")), qPrintable(note()));
}

void TestAdviceView::opensTheHistoryOfALock()
{
    open();
    QSignalSpy asked(&m_rig->requests, &Requests::historyAsked);
    Q_EMIT m_view->findChild<DataTable *>()->activatedRow(0);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().first().value<domain::LockKey>().name, QByteArray("b"));
}

void TestAdviceView::exportsRecords()
{
    open();
    const QJsonObject record = m_view->model()->record(0);
    QCOMPARE(record.value(QLatin1String("code")).toString(), QStringLiteral("lease_too_short"));
    QCOMPARE(record.value(QLatin1String("ttl_us")).toInteger(), 20'000'000);
    for (const QString &column : m_view->model()->recordColumns())
        QVERIFY2(record.contains(column), qPrintable(column));
}

void TestAdviceView::speaksAnotherLanguage()
{
    open();
    const tests::BracketLanguage language;
    QCoreApplication::processEvents();
    QCOMPARE(cell(0, app::models::AdviceTitleColumn), QStringLiteral("[lease too short]"));
    QVERIFY(note().startsWith(QLatin1Char('[')));
    QCOMPARE(m_view->title(), QStringLiteral("[Advice]"));
}

LOCKKEEPER_TEST(TestAdviceView)

} // namespace tst_advice_view

#include "tst_advice_view.moc"
