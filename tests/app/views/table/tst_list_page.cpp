// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/audit_model.h"
#include "app/presentation/audit_formatter.h"
#include "app/views/table/data_table.h"
#include "app/views/table/list_page.h"
#include "app/views/widgets/banner_area.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QtTest>

namespace tst_list_page {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using tests::ViewRig;

/** A list of the audit's entries. */
struct AuditList
{
    explicit AuditList(ViewRig &rig) : model(rig.session), formatter(&rig.times)
    {
        model.setFormatter(&formatter);
        list = std::make_unique<ListPage>(rig.context,
                                          new DataTable(rig.context, &model, QStringLiteral("audit"), 0));
        list->setReading([this] { ++cancelled; }, [this] { ++again; });
        list->resize(1000, 400);
        list->show();
    }
    QString words() const
    {
        QStringList words;
        const auto labels = list->findChildren<QLabel *>();
        for (const QLabel *label : labels)
            words += label->isVisible() ? QStringList{label->text()} : QStringList();
        return words.join(QLatin1Char('\n'));
    }
    QPushButton *button(const char *text) const
    {
        const auto buttons = list->findChildren<QPushButton *>();
        for (QPushButton *one : buttons) {
            if (one->isVisible() && one->text() == QLatin1String(text))
                return one;
        }
        return nullptr;
    }

    app::models::AuditModel model;
    app::presentation::AuditFormatter formatter;
    std::unique_ptr<ListPage> list; ///< destroyed before its model
    int cancelled = 0;
    int again = 0;
};

class TestListPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void missingRowsHaveAReason_data();
    void missingRowsHaveAReason();
    void progressLeavesTheButtonUnderThePointer();
    void oldRowsStayAndSaySo();
    void menuLeadsToTheLock_data();
    void menuLeadsToTheLock();
    void detailHidesWithoutRows();
    void copiesRecords();

private:
    void readRows();
    QStringList openMenu(const QString &chosen = {});

    std::unique_ptr<ViewRig> m_rig;
    std::unique_ptr<AuditList> m_audit;
};

const EmptyList kEmpty{QStringLiteral("Nothing"), QStringLiteral("because")};

void TestListPage::init()
{
    m_rig = std::make_unique<ViewRig>();
    m_audit = std::make_unique<AuditList>(*m_rig);
    const QAbstractItemModelTester tester(&m_audit->model);
}

void TestListPage::cleanup()
{
    m_audit.reset();
    m_rig.reset();
}

void TestListPage::readRows()
{
    for (int id = 2; id > 0; --id) {
        domain::AuditEntry entry;
        entry.id = id;
        entry.timeUs = m_rig->clock.wallUs();
        entry.who = QStringLiteral("kim");
        entry.key = ViewRig::lock("job").key;
        m_rig->audit.append(entry);
    }
    QVERIFY(m_rig->connectAgent());
    QTRY_VERIFY(m_rig->isLive());
    m_audit->model.refresh();
    QTRY_COMPARE(m_audit->list->rowCount(), 2);
    m_audit->list->showState({}, kEmpty);
}

/** The texts of the first row's menu; triggers the entry `chosen`. */
QStringList TestListPage::openMenu(const QString &chosen)
{
    DataTable *table = m_audit->list->table();
    Q_EMIT table->customContextMenuRequested(table->visualRect(m_audit->model.index(0, 0)).center());
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QStringList texts;
    const QList<QAction *> actions = menu ? menu->actions() : QList<QAction *>();
    for (QAction *action : actions) {
        texts += action->isSeparator() ? QStringList() : QStringList{action->text()};
        if (action->text() == chosen)
            action->trigger();
    }
    if (menu)
        menu->close();
    return texts;
}

void TestListPage::missingRowsHaveAReason_data()
{
    using base::ErrorCode;
    QTest::addColumn<bool>("isLoading");
    QTest::addColumn<base::Error>("error");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("button");
    const base::Error cancelled{ErrorCode::Cancelled, QStringLiteral("cancelled"), {}};
    const base::Error failed{ErrorCode::Timeout, QStringLiteral("too slow"), {}};
    QTest::newRow("loading") << true << base::Error() << "Reading…"
                             << "Cancel";
    QTest::newRow("loading again") << true << failed << "Reading…"
                                   << "Cancel";
    QTest::newRow("cancelled") << false << cancelled << "Nothing was read"
                               << "Try again";
    QTest::newRow("failed") << false << failed << "too slow"
                            << "Try again";
    QTest::newRow("empty") << false << base::Error() << "because" << QString();
}

void TestListPage::missingRowsHaveAReason()
{
    QFETCH(bool, isLoading);
    QFETCH(base::Error, error);
    QFETCH(QString, says);
    QFETCH(QString, button);
    m_audit->list->showState({isLoading, error}, kEmpty);
    QTRY_VERIFY2(m_audit->words().contains(says), qPrintable(m_audit->words()));
    QVERIFY(!m_audit->list->table()->isVisible());
    if (button.isEmpty())
        return;
    QTRY_VERIFY(m_audit->button(qPrintable(button)));
    m_audit->button(qPrintable(button))->click();
    QCOMPARE(m_audit->cancelled, isLoading ? 1 : 0);
    QCOMPARE(m_audit->again, isLoading ? 0 : 1);
}

void TestListPage::progressLeavesTheButtonUnderThePointer()
{
    m_audit->list->showState({true, {}, QStringLiteral("10 of 20")}, kEmpty);
    QTRY_VERIFY(m_audit->button("Cancel"));
    const QPushButton *before = m_audit->button("Cancel");
    m_audit->list->showState({true, {}, QStringLiteral("11 of 20")}, kEmpty);
    QVERIFY(m_audit->words().contains(QStringLiteral("11 of 20")));
    QCOMPARE(m_audit->button("Cancel"), before);
    m_audit->list->showState({}, kEmpty);
    m_audit->list->showState({true}, kEmpty);
    QTRY_VERIFY(m_audit->button("Cancel"));
}

void TestListPage::oldRowsStayAndSaySo()
{
    readRows();
    const ListPage &list = *m_audit->list;
    QVERIFY(list.table()->isVisible() && !list.table()->isStale() && list.banners()->texts().isEmpty());
    const base::Error error{base::ErrorCode::Timeout, QStringLiteral("too slow"), {}};
    m_audit->list->showState({false, error}, kEmpty);
    QVERIFY(list.table()->isVisible() && list.table()->isStale());
    QCOMPARE(list.banners()->texts().size(), 1);
    QVERIFY(list.banners()->texts().first().startsWith(QStringLiteral("Not read again: ")));
    QTRY_VERIFY(m_audit->button("Try again"));
    m_audit->button("Try again")->click();
    QCOMPARE(m_audit->again, 1);
    m_audit->list->showState({}, kEmpty);
    QVERIFY(!list.table()->isStale() && list.banners()->texts().isEmpty());
}

void TestListPage::menuLeadsToTheLock_data()
{
    QTest::addColumn<bool>("hasLock");
    QTest::addColumn<bool>("hasTime");
    QTest::addColumn<QStringList>("texts");
    const QStringList copies{QStringLiteral("&Copy"), QStringLiteral("Copy as &JSON")};
    const QStringList ways{QStringLiteral("Show in &Locks"), QStringLiteral("Show in &Timeline"),
                           QStringLiteral("&History of this lock")};
    QTest::newRow("no lock") << false << false << copies;
    QTest::newRow("now") << true << false << ways + copies;
    QTest::newRow("dated") << true << true << ways + QStringList{QStringLiteral("&Report…")} + copies;
}

void TestListPage::menuLeadsToTheLock()
{
    QFETCH(bool, hasLock);
    QFETCH(bool, hasTime);
    QFETCH(QStringList, texts);
    readRows();
    m_audit->list->setSubject([&](int row) {
        const domain::AuditEntry &entry = *m_audit->model.at(row);
        RowSubject subject;
        subject.locks = hasLock ? QList<domain::LockKey>{entry.key} : QList<domain::LockKey>();
        if (hasTime)
            subject.time = events::Interval{entry.timeUs, entry.timeUs};
        return subject;
    });
    QSignalSpy now(&m_rig->requests, &Requests::timelineAsked);
    QSignalSpy then(&m_rig->requests, &Requests::timelineAtAsked);
    QCOMPARE(openMenu(QStringLiteral("Show in &Timeline")), texts);
    QCOMPARE(now.size(), hasLock && !hasTime ? 1 : 0);
    QCOMPARE(then.size(), hasTime ? 1 : 0);
    if (hasTime)
        QCOMPARE(then.first().at(1).toLongLong(), m_audit->model.at(0)->timeUs);
}

void TestListPage::detailHidesWithoutRows()
{
    auto *detail = new QLabel;
    m_audit->list->setDetail(detail, "audit", {2, 1});
    readRows();
    QVERIFY(detail->isVisible());
    const auto nobody = app::filter::parseQuery(QStringLiteral("who:nobody"), app::filter::QueryScope::Audit,
                                                {}, app::filter::beginsNameOf(m_rig->replica.locks()));
    m_audit->model.setQuery(*nobody);
    m_audit->list->showState({}, kEmpty);
    QVERIFY(!detail->isVisible());
}

void TestListPage::copiesRecords()
{
    readRows();
    QVERIFY(!m_audit->list->copyJson());
    m_audit->list->table()->selectRow(1);
    QCOMPARE(m_audit->list->selectedRows(), 1);
    QVERIFY(m_audit->list->copyJson());
    const QJsonObject record =
        QJsonDocument::fromJson(QGuiApplication::clipboard()->text().toUtf8()).object();
    QCOMPARE(record.value(QLatin1String("who")).toString(), QStringLiteral("kim"));
    QCOMPARE(record.value(QLatin1String("agent")).toString(), QStringLiteral("fake"));
}

LOCKKEEPER_TEST(TestListPage)

} // namespace tst_list_page

#include "tst_list_page.moc"
