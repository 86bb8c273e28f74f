// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/audit_model.h"
#include "app/presentation/audit_formatter.h"
#include "app/views/table/data_table.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QToolTip>
#include <QtTest>

namespace tst_data_table {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using app::models::AuditModel;
using app::settings::Columns;
using tests::ViewRig;

namespace {

const QHash<int, int> kWidths{
    {app::models::AuditTimeColumn, 150},   {app::models::AuditWhoColumn, 90},
    {app::models::AuditRoleColumn, 0},     {app::models::AuditLockColumn, 120},
    {app::models::AuditReasonColumn, 200}, {app::models::AuditGuardColumn, 100},
    {app::models::AuditSourceColumn, 0},
};

/** A table over the audit, which has columns of every kind. */
struct Table
{
    explicit Table(ViewRig &rig) : model(rig.session), formatter(&rig.times)
    {
        model.setFormatter(&formatter);
        view = std::make_unique<DataTable>(rig.context, &model, QStringLiteral("audit"),
                                           app::models::AuditReasonColumn);
        view->setDefaultWidths(kWidths);
        view->resize(1000, 300);
        view->show();
    }
    QList<int> order() const
    {
        QList<int> columns;
        for (int place = 0; place < view->horizontalHeader()->count(); ++place)
            columns.append(view->horizontalHeader()->logicalIndex(place));
        return columns;
    }

    AuditModel model;
    app::presentation::AuditFormatter formatter;
    std::unique_ptr<DataTable> view;
};

} // namespace

class TestDataTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void columnsComeBackByName();
    void unknownNamesAreIgnored();
    void resetLayoutIsSeenAtOnce();
    void oneColumnTakesWhatIsLeft();
    void spareColumnsGiveWay();
    void wideTablesWidenWhatIsCut();
    void densitySetsTheRows();
    void copiesTheSelectedRows();
    void toolTipsAreLiteral();

private:
    /** Two entries, the newer of a hostile lock; true once they are shown. */
    static bool load(ViewRig &rig, AuditModel &model);
};

bool TestDataTable::load(ViewRig &rig, AuditModel &model)
{
    for (int id : {2, 1}) {
        domain::AuditEntry entry;
        entry.id = id;
        entry.who = QStringLiteral("maria");
        entry.key = {QStringLiteral("s"), "redis.token", "db0",
                     id == 2 ? QByteArray("<b>bold</b>\tlock\n") : QByteArray("plain")};
        entry.reason = QStringLiteral("<b>reason</b> %1").arg(id);
        entry.guard = QByteArray(64, 'a');
        rig.audit.append(entry);
    }
    if (!rig.connectAgent() || !QTest::qWaitFor([&] { return rig.isLive(); }))
        return false;
    model.refresh();
    return QTest::qWaitFor([&] { return model.rowCount() == 2; });
}

void TestDataTable::columnsComeBackByName()
{
    ViewRig rig;
    QList<int> moved;
    {
        const Table table(rig);
        QVERIFY(table.view->isColumnHidden(app::models::AuditRoleColumn));
        table.view->horizontalHeader()->moveSection(1, 4);
        table.view->setColumnWidth(app::models::AuditGuardColumn, 177);
        moved = table.order();
    }
    auto kept = rig.settings.columns(QStringLiteral("audit"));
    QVERIFY(kept);
    QCOMPARE(kept->columns.first().name, QByteArray("time"));
    // Someone edits the settings: they show a column that is hidden by default.
    for (app::settings::ColumnSetting &column : kept->columns) {
        if (column.name == "role")
            column.visible = true;
    }
    rig.settings.setColumns(QStringLiteral("audit"), *kept);

    const Table again(rig);
    QCOMPARE(again.order(), moved);
    QVERIFY(moved != QList<int>({0, 1, 2, 3, 4, 5, 6, 7, 8}));
    QCOMPARE(again.view->columnWidth(app::models::AuditGuardColumn), 177);
    QVERIFY(!again.view->isColumnHidden(app::models::AuditRoleColumn));
}

void TestDataTable::unknownNamesAreIgnored()
{
    ViewRig rig;
    ColumnSettings kept;
    kept.columns = {{"from_the_future", 90, true}, {"guard", 140, true}, {"who", 33, false}};
    rig.settings.setColumns(QStringLiteral("audit"), kept);
    const Table table(rig);
    QCOMPARE(table.order().first(), int(app::models::AuditGuardColumn));
    QCOMPARE(table.view->columnWidth(app::models::AuditGuardColumn), 140);
    QVERIFY(table.view->isColumnHidden(app::models::AuditWhoColumn));
    // A column that the stored layout doesn't know gets its default width.
    QCOMPARE(table.view->columnWidth(app::models::AuditTimeColumn), 150);
}

void TestDataTable::resetLayoutIsSeenAtOnce()
{
    ViewRig rig;
    const Table table(rig);
    const Table untouched(rig);
    table.view->setSortable();
    table.view->horizontalHeader()->moveSection(1, 4);
    table.view->setColumnWidth(app::models::AuditGuardColumn, 177);
    table.view->setColumnHidden(app::models::AuditWhoColumn, true);
    table.view->setColumnHidden(app::models::AuditRoleColumn, false);
    table.view->sortByColumn(app::models::AuditTimeColumn, Qt::DescendingOrder);
    const auto widths = [](const Table &of) {
        QList<int> all;
        for (int column = 0; column < of.model.columnCount(); ++column)
            all.append(of.view->columnWidth(column));
        return all;
    };
    QVERIFY(table.order() != untouched.order() && widths(table) != widths(untouched));
    rig.settings.resetLayout();
    QCOMPARE(table.order(), untouched.order());
    QCOMPARE(widths(table), widths(untouched));
    QCOMPARE(table.view->horizontalHeader()->sortIndicatorSection(), -1);
    QVERIFY(!rig.settings.columns(QStringLiteral("audit")));
}

void TestDataTable::oneColumnTakesWhatIsLeft()
{
    ViewRig rig;
    const Table table(rig);
    const auto total = [&] {
        int width = 0;
        for (int column = 0; column < table.model.columnCount(); ++column)
            width += table.view->isColumnHidden(column) ? 0 : table.view->columnWidth(column);
        return width;
    };
    QCOMPARE(total(), table.view->viewport()->width());
    table.view->resize(1300, 300);
    QTRY_COMPARE(total(), table.view->viewport()->width());
    table.view->resize(300, 300);
    QTRY_COMPARE(table.view->columnWidth(app::models::AuditReasonColumn), 140);
}

/**
 * The spare columns, least important first, hide when space is short, and return with it. The operator's own
 * choice prevails.
 */
void TestDataTable::spareColumnsGiveWay()
{
    ViewRig rig;
    const Table table(rig);
    table.view->setSpareColumns({app::models::AuditGuardColumn, app::models::AuditWhoColumn});
    const auto hidden = [&table](int column) { return table.view->isColumnHidden(column); };
    QVERIFY(!hidden(app::models::AuditGuardColumn));
    table.view->resize(900, 300);
    QVERIFY(hidden(app::models::AuditGuardColumn));
    QVERIFY(!hidden(app::models::AuditWhoColumn));
    table.view->resize(800, 300);
    QVERIFY(hidden(app::models::AuditWhoColumn));
    table.view->resize(1000, 300);
    QVERIFY(!hidden(app::models::AuditGuardColumn) && !hidden(app::models::AuditWhoColumn));
    QCOMPARE(table.view->columnWidth(app::models::AuditGuardColumn), 100);
    table.view->setColumnWidth(app::models::AuditLockColumn, 300); // the operator's own width
    table.view->resize(800, 300);
    QVERIFY(!hidden(app::models::AuditGuardColumn));
}

void TestDataTable::wideTablesWidenWhatIsCut()
{
    ViewRig rig;
    const Table table(rig);
    table.view->setGrowingColumns({app::models::AuditGuardColumn, app::models::AuditWhoColumn});
    const auto width = [&table](int column) { return table.view->columnWidth(column); };
    const int who = width(app::models::AuditWhoColumn);
    QCOMPARE(width(app::models::AuditGuardColumn), 100);
    table.view->resize(3000, 300);
    QCOMPARE(width(app::models::AuditGuardColumn), 200);
    QCOMPARE(width(app::models::AuditWhoColumn), 2 * who);
    QVERIFY(width(app::models::AuditReasonColumn) > 400);
    table.view->resize(1000, 300);
    QCOMPARE(width(app::models::AuditGuardColumn), 100);
    table.view->setColumnWidth(app::models::AuditGuardColumn, 120); // the operator's own
    table.view->resize(3000, 300);
    QCOMPARE(width(app::models::AuditGuardColumn), 120);
}

void TestDataTable::densitySetsTheRows()
{
    ViewRig rig;
    const Table table(rig);
    QCOMPARE(table.view->verticalHeader()->defaultSectionSize(), 24);
    rig.settings.setValue(app::settings::Key::Density, QStringLiteral("comfortable"));
    QCOMPARE(table.view->verticalHeader()->defaultSectionSize(), 28);
}

void TestDataTable::copiesTheSelectedRows()
{
    ViewRig rig;
    Table table(rig);
    QVERIFY(load(rig, table.model));
    QGuiApplication::clipboard()->setText(QStringLiteral("before"));
    QVERIFY(!table.view->copyTsv());
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("before"));
    table.view->selectRow(0);
    QVERIFY(table.view->copyTsv());
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    QVERIFY(lines.size() >= 2);
    QVERIFY(lines.at(0).contains(QStringLiteral("Who\tLock")));
    QVERIFY(!lines.at(0).contains(QStringLiteral("Role")));
    QVERIFY2(lines.at(1).contains(QStringLiteral("maria\t<b>bold</b>")), qPrintable(lines.at(1)));
    QVERIFY(!lines.at(1).contains(QStringLiteral("</b> 1")));
    // A tab or a line's end in a name would create extra cells and rows.
    QCOMPARE(lines.at(1).count(QLatin1Char('\t')), lines.at(0).count(QLatin1Char('\t')));
    // The copy has the whole text, though the table shows only its beginning.
    QVERIFY2(lines.at(1).contains(QString(64, QLatin1Char('a'))), qPrintable(lines.at(1)));
}

void TestDataTable::toolTipsAreLiteral()
{
    ViewRig rig;
    Table table(rig);
    QVERIFY(load(rig, table.model));
    const QModelIndex index = table.model.index(0, app::models::AuditReasonColumn);
    const QPoint at = table.view->visualRect(index).center();
    QHelpEvent help(QEvent::ToolTip, at, table.view->viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(table.view->viewport(), &help);
    QVERIFY2(QToolTip::text().contains(QStringLiteral("&lt;b&gt;reason&lt;/b&gt; 2")),
             qPrintable(QToolTip::text()));
}

LOCKKEEPER_TEST(TestDataTable)

} // namespace tst_data_table

#include "tst_data_table.moc"
