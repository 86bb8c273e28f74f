// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/records/csv_lines.h"
#include "app/records/records.h"
#include "app/views/locks/column_layout.h"
#include "app/views/locks/filter_bar.h"
#include "app/views/locks/locks_table.h"
#include "app/views/locks/locks_view.h"
#include "app/views/locks/state_chips.h"
#include "app/views/table/exporter.h"
#include "app/views/widgets/field_error.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/requests.h"
#include "app/views/window/main_window.h"
#include "app/views/window/navigation.h"
#include "tests/app/views/support/demo_feed.h"
#include "tests/app/views/support/picture.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QClipboard>
#include <QCompleter>
#include <QDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QStyleOptionHeader>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QWindow>

#include <functional>

namespace tst_locks_view {

using namespace lockkeeper;
using namespace lockkeeper::app;

/** The operator's work with the table: filter, chips, columns, sort, copy. */
class LocksViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void showsTheWorstFirst();
    void ownRequestStandsInItsRow();
    void hostileNamesAreLiteral();
    void filterAppliesAfterAPause();
    void wrongFieldFiltersNothing();
    void escapeLeavesTheFilterAsItIs();
    void completionsGoByKeyboard();
    void recentFiltersComeBack();
    void clicksBesideCompletionsCount();
    void errorsCoverNoChips();
    void emptyTablesKnowTheJournal();
    void chipsHideStates();
    void chipsKeepTheirCounts();
    void emptyListSaysWhatHides();
    void nineColumnsAt1280();
    void aliveAndReleaseAreWordsFrom1440();
    void wideWindowsShowMoreColumns();
    void sortingFixesNoColumn();
    void aColumnCanBeHidden();
    void aSortedHeaderIsWhole();
    void savedFiltersSayHowMany();
    void namesInFiltersWaitForTheTable();
    void questionMarkOpensTheSyntax();
    void shiftF10OpensTheMenu();
    void menuFilters();
    void menuLeadsElsewhere();
    void columnsAreRememberedByName();
    void unknownColumnsAreIgnored();
    void thirdHeaderClickRestoresTheOrder();
    void copiesTsvAndJson();
    void exportsTheShownLocks();
    void exportsWhileRowsMove();
    void rowsAreSentences();

private:
    QStringList names() const;
    QByteArrayList exported(records::FileFormat::Syntax format, const std::function<void()> &meanwhile = {});
    views::LocksView *view() const { return m_rig->console->locks(); }
    void load(int count);
    /** Selects a row, beside which the detail dock opens. */
    void select(int row);
    /** The part of the widget from `left`, or a null image if it has one colour only. */
    static QImage inked(QWidget *widget, int left, int width, int height);

    tests::FakeClock m_clock;
    std::unique_ptr<tests::ConsoleRig> m_rig;
};

void LocksViewTest::init()
{
    m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
    m_rig->console->window()->resize(1280, 800);
    m_rig->console->window()->show();
    m_rig->console->window()->activateWindow(); // no window manager does it
    QVERIFY(QTest::qWaitForWindowActive(m_rig->console->window()));
}

void LocksViewTest::cleanup()
{
    m_rig.reset();
}

void LocksViewTest::load(int count)
{
    m_rig->feed.load(*m_rig->console->replica(), m_rig->feed.locks(count));
    QTRY_COMPARE(m_rig->console->replica()->locks().size(), count);
    view()->proxy()->tick();
}

void LocksViewTest::select(int row)
{
    const int wide = view()->table()->width();
    view()->table()->setCurrentIndex(view()->proxy()->index(row, 0));
    QTRY_VERIFY(view()->table()->width() < wide);
}

QImage LocksViewTest::inked(QWidget *widget, int left, int width, int height)
{
    // Without the lines around a section and a row.
    const QImage part = widget->grab(QRect(left + 4, 4, width - 8, height - 8))
                            .toImage()
                            .convertToFormat(QImage::Format_RGB32);
    const QRgb ground = part.pixel(0, 0);
    for (int y = 0; y < part.height(); ++y) {
        for (int x = 0; x < part.width(); ++x) {
            if (qAbs(qGray(part.pixel(x, y)) - qGray(ground)) > 60)
                return part;
        }
    }
    return {};
}

QStringList LocksViewTest::names() const
{
    QStringList result;
    for (int row = 0; row < view()->proxy()->rowCount(); ++row)
        result.append(view()->proxy()->index(row, models::NameColumn).data().toString());
    return result;
}

void LocksViewTest::showsTheWorstFirst()
{
    load(12);
    QCOMPARE(view()->proxy()->rowCount(), 10); // two are free, hence hidden at first
    QCOMPARE(view()->proxy()->index(0, models::StateColumn).data().toString(), QStringLiteral("Stuck"));
    QCOMPARE(view()->proxy()->index(0, models::RemainingColumn).data().toString(),
             QStringLiteral("no expiry"));
    QVERIFY(
        view()->proxy()->index(0, models::HeldForColumn).data().toString().startsWith(QStringLiteral("≥ ")));
    QCOMPARE(view()->proxy()->index(2, models::StateColumn).data().toString(), QStringLiteral("Expired"));
}

/** A lock whose release awaits another person's approval shows the remaining time in its row. */
void LocksViewTest::ownRequestStandsInItsRow()
{
    load(12);
    const models::LocksProxy *proxy = view()->proxy();
    const domain::LockKey asked = proxy->lockAt(1)->lock.key();
    qint64 leftUs = 252'900'000;
    view()->setAwaited(
        [&](const domain::LockKey &key) { return key == asked ? std::optional(leftUs) : std::nullopt; });
    const QModelIndex cell = proxy->index(1, models::StateColumn);
    QCOMPARE(cell.data().toString(), QStringLiteral("Awaiting approval 4:12"));
    QVERIFY(cell.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("Awaiting approval 4:12")));
    QVERIFY(cell.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Awaiting approval 4:12")));
    QVERIFY(!proxy->index(0, models::StateColumn).data().toString().contains(QStringLiteral("waiting")));
    tests::picture(view(), "locks-awaiting");
    leftUs = -5;
    QCOMPARE(cell.data().toString(), QStringLiteral("Awaiting approval 0:00"));
    view()->setAwaited([](const domain::LockKey &) -> std::optional<qint64> { return std::nullopt; });
    QVERIFY(!cell.data().toString().contains(QStringLiteral("waiting")));
}

void LocksViewTest::hostileNamesAreLiteral()
{
    load(12);
    QVERIFY(names().contains(QStringLiteral("<img src=x onerror=alert(1)><b>bold</b>")));
    QVERIFY(names().contains(QStringLiteral("lock:\\u202etxt.exe")));
    const int row = int(names().indexOf(QStringLiteral("<img src=x onerror=alert(1)><b>bold</b>")));
    const QPoint at = view()->table()->visualRect(view()->proxy()->index(row, models::NameColumn)).center();
    QHelpEvent help(QEvent::ToolTip, at, view()->table()->viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(view()->table()->viewport(), &help);
    QVERIFY2(QToolTip::text().contains(QStringLiteral("&lt;img")), qPrintable(QToolTip::text()));
}

void LocksViewTest::filterAppliesAfterAPause()
{
    load(12);
    views::FilterEdit *edit = view()->filterBar()->edit();
    view()->focusFilter();
    QTest::keyClicks(edit, QStringLiteral("settle"));
    QCOMPARE(view()->proxy()->rowCount(), 10); // no filtering at each key
    QTRY_COMPARE(view()->proxy()->rowCount(), 1);
    QCOMPARE(names(), QStringList{QStringLiteral("settle-daily")});
}

void LocksViewTest::wrongFieldFiltersNothing()
{
    load(12);
    views::FilterEdit *edit = view()->filterBar()->edit();
    const int all = view()->proxy()->rowCount();
    view()->setFilter(QStringLiteral("source:orders-db"));
    const int rows = view()->proxy()->rowCount();
    QVERIFY(rows > 0 && rows < all);
    view()->setFilter(QStringLiteral("sorce:orders-db"));
    QVERIFY(edit->error().has_value());
    QCOMPARE(edit->error()->suggestion, QStringLiteral("source"));
    QCOMPARE(view()->proxy()->rowCount(), all); // without the previous filter
    view()->setFilter(QStringLiteral("source:orders-redis"));
    QVERIFY(!edit->error());
}

void LocksViewTest::escapeLeavesTheFilterAsItIs()
{
    load(12);
    views::FilterEdit *edit = view()->filterBar()->edit();
    view()->setFilter(QStringLiteral("settle"));
    view()->focusFilter();
    const int rows = view()->proxy()->rowCount();
    QVERIFY(rows > 0 && rows < 10);
    QTest::keyClick(edit, Qt::Key_Escape);
    QTRY_VERIFY(view()->table()->hasFocus());
    QCOMPARE(edit->text(), QStringLiteral("settle"));
    QCOMPARE(view()->proxy()->rowCount(), rows);
    QAction *clear = edit->actions().last();
    QVERIFY(clear->isVisible());
    clear->trigger();
    QCOMPARE(edit->text(), QString());
    QCOMPARE(view()->proxy()->rowCount(), 10);
    QVERIFY(!clear->isVisible());
}

/** The open list takes the keys: Enter inserts the marked word, Esc closes the list. */
void LocksViewTest::completionsGoByKeyboard()
{
    load(12);
    views::FilterEdit *edit = view()->filterBar()->edit();
    QAbstractItemView *words = edit->findChild<QCompleter *>()->popup();
    view()->focusFilter();
    QTest::keyClicks(edit, QStringLiteral("sou"));
    QTRY_VERIFY(words->isVisible());
    QTest::keyClick(words, Qt::Key_Escape);
    QVERIFY(!words->isVisible());
    QCOMPARE(edit->text(), QStringLiteral("sou"));
    QTest::keyClick(edit, Qt::Key_Down);
    QVERIFY(words->isVisible());
    QTest::keyClick(words, Qt::Key_Down);
    QTest::keyClick(words, Qt::Key_Return);
    QCOMPARE(edit->text(), QStringLiteral("source:"));
    QTRY_VERIFY(words->isVisible()); // the list continues with the field's values
    QTest::keyClick(words, Qt::Key_Escape);
    QCOMPARE(edit->text(), QStringLiteral("source:"));
    QCOMPARE(edit->window()->focusWidget(), edit); // also in an inactive window
}

/** Down in the empty line lists the filters used before, the newest first; a wrong filter isn't among them.
 */
void LocksViewTest::recentFiltersComeBack()
{
    load(12);
    views::FilterEdit *edit = view()->filterBar()->edit();
    QAbstractItemView *words = edit->findChild<QCompleter *>()->popup();
    for (const char *filter : {"settle", "state:stuck", "settle", "sorce:s", ""})
        view()->setFilter(QString::fromLatin1(filter));
    view()->focusFilter();
    QTest::keyClick(edit, Qt::Key_Down);
    QVERIFY(words->isVisible());
    QStringList listed;
    for (int row = 0; row < words->model()->rowCount(); ++row)
        listed.append(words->model()->index(row, 0).data().toString());
    QCOMPARE(listed, QStringList({QStringLiteral("settle"), QStringLiteral("state:stuck")}));
    const int all = view()->proxy()->rowCount();
    QTest::keyClick(words, Qt::Key_Down);
    QTest::keyClick(words, Qt::Key_Return);
    QCOMPARE(edit->text(), QStringLiteral("settle"));
    QTRY_VERIFY(view()->proxy()->rowCount() < all);
}

/** A click that closes the list of completions isn't lost. */
void LocksViewTest::clicksBesideCompletionsCount()
{
    load(12);
    views::FilterEdit *edit = view()->filterBar()->edit();
    QAbstractItemView *words = edit->findChild<QCompleter *>()->popup();
    const views::StateChip *chip = view()->filterBar()->chips()->chip(replica::Badge::Held);
    QVERIFY(chip->isChecked());
    view()->focusFilter();
    QTest::keyClicks(edit, QStringLiteral("sou"));
    QTRY_VERIFY(words->isVisible());
    const QPoint at(chip->width() - 4, chip->height() / 2);
    QVERIFY(!words->geometry().contains(chip->mapToGlobal(at)));
    QTest::mouseClick(view()->window()->windowHandle(), Qt::LeftButton, {},
                      chip->mapTo(view()->window(), at));
    QTRY_VERIFY(!words->isVisible());
    QTRY_VERIFY(!chip->isChecked());
    QCOMPARE(edit->text(), QStringLiteral("sou"));
}

void LocksViewTest::errorsCoverNoChips()
{
    load(12);
    view()->setFilter(QStringLiteral("sorce:s"));
    const auto labels = view()->window()->findChildren<views::FieldError *>();
    const auto shown =
        std::find_if(labels.cbegin(), labels.cend(), [](const QWidget *label) { return label->isVisible(); });
    QVERIFY(shown != labels.cend());
    const views::StateChips *chips = view()->filterBar()->chips();
    const QRect place(chips->mapTo(view()->window(), QPoint()), chips->size());
    QVERIFY(!(*shown)->geometry().intersects(place));
}

/** The journal of a store whose locks are all released isn't empty. */
void LocksViewTest::emptyTablesKnowTheJournal()
{
    const auto says = [this](const char *text) {
        const auto labels = view()->findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(), [text](const QLabel *label) {
            return label->isVisible() && label->text() == QLatin1String(text);
        });
    };
    m_rig->console->replica()->beginTable();
    m_rig->console->replica()->completeTable(0);
    m_rig->console->replica()->setLive(true, QStringLiteral("dc1"));
    QTRY_VERIFY(says("No locks seen yet"));
    m_rig->console->replica()->beginTable();
    m_rig->console->replica()->completeTable(170'000);
    QTRY_VERIFY(says("No lock is seen now"));
    QVERIFY(!says("No locks seen yet"));
}

void LocksViewTest::chipsHideStates()
{
    load(12);
    views::StateChip *free = view()->filterBar()->chips()->chip(replica::Badge::Free);
    QVERIFY(!free->isChecked());
    QCOMPARE(free->count(), 2);
    QTest::mouseClick(free, Qt::LeftButton);
    QCOMPARE(view()->proxy()->rowCount(), 12);
    QTest::mouseClick(view()->filterBar()->chips()->chip(replica::Badge::Stuck), Qt::LeftButton);
    QCOMPARE(view()->proxy()->rowCount(), 10);
    // Kept for the next run.
    const auto kept = m_rig->settings.viewState(QStringLiteral("locks"));
    QVERIFY(kept && kept->hiddenStates.contains(QStringLiteral("stuck")) &&
            !kept->hiddenStates.contains(QStringLiteral("free")));
}

/** With too little room for words, each chip keeps its icon and its count. */
void LocksViewTest::chipsKeepTheirCounts()
{
    load(20'000);
    m_rig->console->window()->resize(1024, 640);
    const views::StateChips *chips = view()->filterBar()->chips();
    const auto shown = [chips] {
        QList<const views::StateChip *> all;
        for (const auto *chip : chips->findChildren<views::StateChip *>()) {
            if (chip->isVisible())
                all.append(chip);
        }
        return all;
    };
    const auto fit = [&] {
        const QList<const views::StateChip *> all = shown();
        return std::all_of(all.cbegin(), all.cend(), [chips](const views::StateChip *chip) {
            return chip->width() == chip->sizeHint().width() && chip->geometry().right() < chips->width();
        });
    };
    QTRY_VERIFY(fit());
    m_rig->console->selection()->selectOne(view()->proxy()->lockAt(0)->lock.key());
    m_rig->console->window()->showDetail(); // which leaves the row half of the width
    QTRY_VERIFY(chips->width() < 700 && fit());
    tests::picture(m_rig->console->window(), "locks-1024");
    const views::StateChip *stuck = chips->chip(replica::Badge::Stuck);
    QVERIFY(stuck->isBrief());
    QVERIFY(stuck->toolTip().startsWith(QStringLiteral("Stuck")));
    QVERIFY(stuck->accessibleName().startsWith(QStringLiteral("Stuck ")));
    m_rig->console->window()->resize(1920, 1080);
    QTRY_VERIFY(!stuck->isBrief() && fit());
}

void LocksViewTest::emptyListSaysWhatHides()
{
    load(12);
    view()->setFilter(QStringLiteral("lock:archiveJob"));
    QCOMPARE(view()->proxy()->rowCount(), 0);
    const auto texts = view()->findChildren<QLabel *>();
    const auto says = [&](const QString &text) {
        return std::any_of(texts.cbegin(), texts.cend(),
                           [&](const QLabel *label) { return label->isVisible() && label->text() == text; });
    };
    QTRY_VERIFY(says(QStringLiteral("1 free lock is hidden.")));
    view()->setFilter(QStringLiteral("lock:nothing-like-this"));
    QTRY_VERIFY(says(QStringLiteral("No lock matches the filter")));
}

/** The dock stands beside the table. *Alive* and *Release* are icons with a tooltip. */
void LocksViewTest::nineColumnsAt1280()
{
    load(200);
    select(0);
    const QHeaderView *header = view()->table()->header();
    int shown = 0;
    for (int column = 0; column < header->count(); ++column)
        shown += header->isSectionHidden(column) ? 0 : 1;
    QCOMPARE(shown, 9);
    QVERIFY(header->sectionSize(models::NameColumn) >= views::ColumnLayout::kLockMinimum);
    QTRY_VERIFY(header->length() <= view()->table()->viewport()->width());
    for (const int column : {models::AliveColumn, models::ReleaseColumn}) {
        QVERIFY(header->sectionSize(column) >= 24); // a target
        QVERIFY(header->sectionSize(column) < views::ColumnLayout::kIconOnly);
        QVERIFY(!view()->proxy()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
        const QImage head = inked(header->viewport(), header->sectionViewportPosition(column),
                                  header->sectionSize(column), header->height());
        const QRect cell = view()->table()->visualRect(view()->proxy()->index(0, column));
        QVERIFY(!head.isNull());
        QVERIFY(!inked(view()->table()->viewport(), cell.left(), cell.width(), cell.bottom()).isNull());
    }
    tests::picture(m_rig->console->window(), "locks-1280");
}

void LocksViewTest::aliveAndReleaseAreWordsFrom1440()
{
    m_rig->console->window()->resize(1440, 900);
    load(200);
    QTRY_VERIFY(view()->table()->width() > 1200);
    select(0);
    const QHeaderView *header = view()->table()->header();
    QTRY_VERIFY(header->length() <= view()->table()->viewport()->width());
    const int row = int(names().indexOf(QStringLiteral("settle-daily")));
    const auto said = [this, row](int column, int role) {
        return view()->proxy()->index(row, column).data(role).toString();
    };
    for (const int column : {models::AliveColumn, models::ReleaseColumn}) {
        QVERIFY(!header->isSectionHidden(column));
        QVERIFY(header->sectionSize(column) >= views::ColumnLayout::kIconOnly);
        const QString word =
            column == models::AliveColumn ? QStringLiteral("unknown") : QStringLiteral("guarded");
        QCOMPARE(said(column, Qt::DisplayRole), word);
        // The sentence, also in copies and for a screen reader.
        for (const int role : {int(Qt::ToolTipRole), models::kWholeRole, int(Qt::AccessibleTextRole)})
            QVERIFY2(said(column, role).startsWith(word + QStringLiteral(": ")),
                     qPrintable(said(column, role)));
    }
    m_rig->console->window()->resize(1280, 800);
    QTRY_VERIFY(header->sectionSize(models::AliveColumn) < views::ColumnLayout::kIconOnly);
    QTRY_VERIFY(header->length() <= view()->table()->viewport()->width());
}

void LocksViewTest::wideWindowsShowMoreColumns()
{
    load(200);
    select(0);
    const QHeaderView *header = view()->table()->header();
    for (int width = 1440; width <= 2100; width += 20) {
        m_rig->console->window()->resize(width, 1080);
        QCoreApplication::processEvents(); // the layout's turn
        QVERIFY2(header->length() <= view()->table()->viewport()->width(),
                 qPrintable(QString::number(width)));
    }
    m_rig->console->window()->resize(1920, 1080);
    QTRY_VERIFY(!header->isSectionHidden(models::SchemeColumn));
    QVERIFY(!header->isSectionHidden(models::LongestWaitColumn));
    QVERIFY(header->isSectionHidden(models::TokenColumn));
}

/** An order alone fixes no column: they still come and go with the window's width. */
void LocksViewTest::sortingFixesNoColumn()
{
    view()->table()->sortByColumn(models::WaitersColumn, Qt::DescendingOrder);
    const Console second(&m_rig->settings, &m_clock);
    const QHeaderView *header = second.locks()->table()->header();
    QCOMPARE(header->sortIndicatorSection(), int(models::WaitersColumn));
    second.window()->resize(1920, 1080);
    second.window()->show();
    QTRY_VERIFY(!header->isSectionHidden(models::SchemeColumn));
}

void LocksViewTest::aColumnCanBeHidden()
{
    load(12);
    QHeaderView *header = view()->table()->header();
    QVERIFY(!header->isSectionHidden(models::AliveColumn));
    Q_EMIT header->customContextMenuRequested(QPoint(10, 10));
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu);
    const auto actions = menu->actions();
    const auto found = std::find_if(actions.cbegin(), actions.cend(), [](const QAction *action) {
        return action->text() == QLatin1String("Alive");
    });
    QVERIFY(found != actions.cend());
    (*found)->trigger();
    menu->close();
    QVERIFY(header->isSectionHidden(models::AliveColumn));
}

void LocksViewTest::aSortedHeaderIsWhole()
{
    load(12);
    const QHeaderView *header = view()->table()->header();
    const int windowWidth = 1440;
    for (int column = 0; column < header->count(); ++column) {
        const QString title = view()->proxy()->headerData(column, Qt::Horizontal).toString();
        QStyleOptionHeader option;
        option.initFrom(header);
        option.sortIndicator = QStyleOptionHeader::SortDown;
        option.rect = QRect(0, 0, views::ColumnLayout::defaultWidth(column, windowWidth), header->height());
        const QRect label = header->style()->subElementRect(QStyle::SE_HeaderLabel, &option, header);
        const QRect mark = header->style()->subElementRect(QStyle::SE_HeaderArrow, &option, header);
        QVERIFY2(label.width() >= header->fontMetrics().horizontalAdvance(title), qPrintable(title));
        QVERIFY2(!label.intersects(mark) && mark.width() >= 8, qPrintable(title));
    }
}

void LocksViewTest::savedFiltersSayHowMany()
{
    load(12);
    const QList<qint64> counts = view()->subCounts();
    QCOMPARE(counts.size(), view()->subEntries().size());
    view()->openSubEntry(0);
    QVERIFY(view()->proxy()->shownLocks() > 0);
    QCOMPARE(counts.at(0), view()->proxy()->shownLocks());
    QCOMPARE(view()->count(), counts.at(0)); // the badge
    const auto *list = m_rig->console->window()->findChild<views::Navigation *>();
    const auto found = list->findItems(QStringLiteral("Needs attention"), Qt::MatchExactly);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first()->data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("Needs attention, saved filter of Locks, %1").arg(counts.at(0)));
    QCOMPARE(list->item(list->row(found.first()) - 1)->data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("Locks, %1 need attention").arg(counts.at(0)));
    m_rig->settings.setSavedFilters({{{}, QStringLiteral("settle"), QStringLiteral("settle"), {}}});
    QCOMPARE(view()->subCounts(), counts + QList<qint64>{1});
}

/** As at every start, the console loads the filters before the table whose names they contain. */
void LocksViewTest::namesInFiltersWaitForTheTable()
{
    const QString name = QStringLiteral("orders:checkout"); // no field is called so
    m_rig->settings.setSavedFilters({{{}, QStringLiteral("orders"), name, {}}});
    view()->setFilter(name);
    QVERIFY(view()->filterBar()->edit()->error());
    load(12);
    QVERIFY(!view()->filterBar()->edit()->error());
    QCOMPARE(names(), QStringList{QStringLiteral("lock:orders:checkout:2025-1")});
    QCOMPARE(view()->subCounts().last(), 1);
}

void LocksViewTest::questionMarkOpensTheSyntax()
{
    auto *button = view()->findChild<QToolButton *>(QStringLiteral("filterHelp"));
    QVERIFY(button && button->focusPolicy() != Qt::NoFocus);
    QTest::mouseClick(button, Qt::LeftButton);
    auto *page = m_rig->console->window()->findChild<QDialog *>(QStringLiteral("filterSyntax"));
    QVERIFY(page && page->isVisible() && !page->isModal());
    tests::picture(page, "filter-syntax");
    QStringList texts;
    for (const QLabel *label : page->findChildren<QLabel *>())
        texts.append(label->text());
    for (const QByteArray &field : filter::fieldNames(filter::QueryScope::Locks)) {
        const auto begins = [&field](const QString &text) {
            return text.startsWith(QString::fromLatin1(field));
        };
        const auto example = std::find_if(texts.cbegin(), texts.cend(), begins);
        QVERIFY2(example != texts.cend(), field.constData());
        QVERIFY2(filter::parseQuery(*example).has_value(), qPrintable(*example)); // fit for pasting
    }
    QVERIFY(page->height() <= 800);
    page->close();
}

void LocksViewTest::shiftF10OpensTheMenu()
{
    load(12);
    view()->table()->setCurrentIndex(view()->proxy()->index(0, 0));
    view()->table()->setFocus();
    QTest::keyClick(view()->table(), Qt::Key_F10, Qt::ShiftModifier);
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu);
    menu->close();
    view()->filterBar()->edit()->setFocus(); // a line edit shows its own menu
    QTest::keyClick(view()->filterBar()->edit(), Qt::Key_F10, Qt::ShiftModifier);
    menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu);
    menu->close();
}

/** Below the window's entries, the menu has those of the row. */
void LocksViewTest::menuFilters()
{
    load(12);
    const auto entry = [this](const char *title) {
        QTest::keyClick(view()->table(), Qt::Key_F10, Qt::ShiftModifier);
        const auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QAction *found = nullptr;
        for (QAction *action : menu ? menu->actions() : QList<QAction *>()) {
            if (action->text().remove(QLatin1Char('&')) == QLatin1String(title))
                found = action;
        }
        return found;
    };
    const auto close = [] { QApplication::activePopupWidget()->close(); };
    const auto choose = [&](const char *title) {
        QAction *action = entry(title);
        QVERIFY2(action && action->isEnabled(), title);
        action->trigger();
        close();
    };
    int held = 0;
    while (view()->proxy()->lockAt(held)->lock.state().owner.isEmpty())
        ++held;
    const domain::LockState lock = view()->proxy()->lockAt(held)->lock.state();
    view()->table()->setFocus();
    for (const auto &[title, field, value] : {std::tuple("Filter by this holder", "holder", lock.owner),
                                              {"Filter by this source", "source", lock.key.source.toUtf8()},
                                              {"Filter by this scheme", "scheme", lock.key.scheme}}) {
        view()->setFilter({});
        view()->table()->setCurrentIndex(view()->proxy()->index(held, models::NameColumn));
        choose(title);
        const QString text = view()->filterBar()->edit()->text();
        QVERIFY2(text.startsWith(QLatin1String(field) + QStringLiteral(":=")), qPrintable(text));
        QVERIFY2(!view()->filterBar()->edit()->error(), qPrintable(text));
        QVERIFY2(view()->showsLock(lock.key), value.constData());
    }
    view()->setFilter({});
    view()->table()->setCurrentIndex(view()->proxy()->index(held, models::SourceColumn));
    choose("Copy cell");
    QCOMPARE(QGuiApplication::clipboard()->text(), lock.key.source);
    const QAction *chains = entry("Show in Chains");
    QVERIFY(chains && !chains->isEnabled()); // this lock has no waiters
    close();
    const QAction *timeline = entry("Show in Timeline at this moment");
    QVERIFY(timeline && timeline->isEnabled());
    close();
}

void LocksViewTest::menuLeadsElsewhere()
{
    tests::ViewRig rig; // its agent offers chains and timelines
    domain::LockState lock = tests::ViewRig::lock("a");
    lock.waitersVisible = true;
    lock.waiters.append({"w9", rig.clock.wallUs() - 1'000'000, {}, 0});
    QVERIFY(rig.connectWith({lock}));
    views::LocksView locks(rig.context);
    locks.show();
    QTRY_VERIFY(rig.isLive() && rig.replica.find(lock.key));
    locks.proxy()->tick();
    QTRY_COMPARE(locks.proxy()->rowCount(), 1);
    locks.table()->setCurrentIndex(locks.proxy()->index(0, 0));
    QSignalSpy views(&rig.requests, &views::Requests::viewAsked);
    QSignalSpy timelines(&rig.requests, &views::Requests::timelineAtAsked);
    Q_EMIT locks.table()->menuAsked(locks.mapToGlobal(QPoint()));
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu);
    for (QAction *action : menu->actions()) {
        if (action->text().startsWith(QLatin1String("Show in ")))
            action->trigger();
    }
    menu->close();
    QCOMPARE(views.size(), 1);
    QCOMPARE(views.first().first().toByteArray(), QByteArray("chains"));
    QCOMPARE(rig.selection.current(), lock.key); // which Chains follows
    QCOMPARE(timelines.size(), 1);
    QCOMPARE(timelines.first().at(0).value<QList<domain::LockKey>>(), QList<domain::LockKey>{lock.key});
    QVERIFY(timelines.first().at(1).toLongLong() > 0);
}

void LocksViewTest::columnsAreRememberedByName()
{
    QHeaderView *header = view()->table()->header();
    header->moveSection(header->visualIndex(models::SourceColumn), 2);
    header->resizeSection(models::HolderColumn, 177);
    const auto kept = m_rig->settings.columns(QStringLiteral("locks"));
    QVERIFY(kept.has_value());
    QCOMPARE(kept->columns.at(2).name, QByteArray("source"));
    Console second(&m_rig->settings, &m_clock);
    const QHeaderView *again = second.locks()->table()->header();
    QCOMPARE(again->visualIndex(models::SourceColumn), 2);
    QCOMPARE(again->sectionSize(models::HolderColumn), 177);
}

void LocksViewTest::unknownColumnsAreIgnored()
{
    settings::ColumnSettings columns;
    columns.columns = {
        {"of_a_later_version", 50, true}, {"state", 112, false}, {"name", 300, true}, {"waiters", 70, true}};
    m_rig->settings.setColumns(QStringLiteral("locks"), columns);
    Console second(&m_rig->settings, &m_clock);
    const QHeaderView *header = second.locks()->table()->header();
    QVERIFY(!header->isSectionHidden(models::StateColumn)); // a column that is always shown
    QCOMPARE(header->visualIndex(models::WaitersColumn), 2);
    QCOMPARE(header->sectionSize(models::WaitersColumn), 70);
}

void LocksViewTest::thirdHeaderClickRestoresTheOrder()
{
    load(12);
    const QStringList before = names();
    QHeaderView *header = view()->table()->header();
    const QPoint at(header->sectionViewportPosition(models::NameColumn) + 20, header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
    const QStringList ascending = names();
    QVERIFY(ascending != before);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
    QVERIFY(names() != ascending);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(names(), before);
    QCOMPARE(view()->proxy()->sorting().column, -1);
}

void LocksViewTest::copiesTsvAndJson()
{
    load(12);
    view()->setFilter(QStringLiteral("settle"));
    view()->table()->selectAll();
    QVERIFY(view()->copyText());
    const QString tsv = QGuiApplication::clipboard()->text();
    QVERIFY(tsv.startsWith(QStringLiteral("State\tLock\tHolder")));
    QVERIFY(tsv.contains(QStringLiteral("\nExpired\tsettle-daily\tworker-7")));
    // The copy has the whole name, though the table shows only its beginning.
    view()->setFilter(QStringLiteral("checkout"));
    view()->table()->selectAll();
    QVERIFY(view()->copyText());
    QVERIFY2(QGuiApplication::clipboard()->text().contains(
                 QStringLiteral("\tlock:orders:checkout:2025-1\t3b5f9c1e77aa4c1f9a102bb1f0c7d2e1\t")),
             qPrintable(QGuiApplication::clipboard()->text()));
    view()->setFilter(QStringLiteral("settle"));
    view()->table()->selectAll();
    QVERIFY(view()->copyJson());
    const QJsonArray array = QJsonDocument::fromJson(QGuiApplication::clipboard()->text().toUtf8()).array();
    QCOMPARE(array.size(), 1);
    QCOMPARE(array.first().toObject().value(QStringLiteral("state")).toString(), QStringLiteral("expired"));
    QCOMPARE(array.first().toObject().value(QStringLiteral("owner")).toString(), QStringLiteral("worker-7"));
}

/** The lines of the file; `meanwhile` after each part. */
QByteArrayList LocksViewTest::exported(records::FileFormat::Syntax format,
                                       const std::function<void()> &meanwhile)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("locks"));
    views::Exporter exporter(path, view()->exportSource(format));
    QSignalSpy ended(&exporter, &views::Exporter::ended);
    if (meanwhile)
        connect(&exporter, &views::Exporter::moved, this, meanwhile);
    exporter.start();
    if (!QTest::qWaitFor([&ended] { return !ended.isEmpty(); }, 30'000))
        return {};
    QFile file(path);
    QByteArrayList lines = file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QByteArrayList();
    if (!lines.isEmpty())
        lines.removeLast();
    return lines;
}

void LocksViewTest::exportsTheShownLocks()
{
    load(40);
    view()->setFilter(QStringLiteral("settle"));
    const QByteArrayList lines = exported(records::FileFormat::Syntax::Csv);
    QCOMPARE(lines.size(), view()->proxy()->rowCount() + 1);
    QCOMPARE(lines.first() + '\n', records::csvHeader(records::lockColumns(false)));
    const QByteArrayList objects = exported(records::FileFormat::Syntax::JsonLines);
    QCOMPARE(objects.size(), view()->proxy()->rowCount());
    for (qsizetype row = 0; row < objects.size(); ++row) {
        const domain::LockState lock = view()->proxy()->lockAt(int(row))->lock.state();
        const QJsonObject object = QJsonDocument::fromJson(objects.at(row)).object();
        // The line that lockkeeperctl writes for this lock.
        const domain::SourceState *source = m_rig->console->replica()->source(lock.key.source);
        QVERIFY(source);
        records::SourceView here = records::viewOf(*source, 0);
        here.nowUs = m_rig->console->replica()->storeNowUs(lock.key.source);
        here.stale = false;
        QJsonObject expected =
            records::lockObject(lock, here, object.value(QLatin1String("agent")).toString());
        QJsonObject got = object;
        for (QJsonObject *one : {&expected, &got}) {
            for (const char *running : {"alive", "longest_wait_us"}) // they count on meanwhile
                one->remove(QLatin1String(running));
        }
        QCOMPARE(got, expected);
        QVERIFY(object.contains(QLatin1String("acquired_us")) && object.contains(QLatin1String("window_us")));
    }
    view()->setFilter(QStringLiteral("nothing-like-it"));
    QTRY_COMPARE(view()->proxy()->rowCount(), 0);
    QCOMPARE(exported(records::FileFormat::Syntax::Csv).size(), 1);
}

/** The rows change their order all the time; the file still has each lock once. */
void LocksViewTest::exportsWhileRowsMove()
{
    load(4'000);
    QTRY_VERIFY(view()->proxy()->rowCount() > 3'000); // a sort over several turns
    int turn = 0;
    const QByteArrayList objects = exported(records::FileFormat::Syntax::JsonLines, [this, &turn] {
        view()->proxy()->sort(models::NameColumn, ++turn % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
    });
    QCOMPARE(objects.size(), view()->proxy()->rowCount());
    QCOMPARE(QSet<QByteArray>(objects.begin(), objects.end()).size(), objects.size());
}

void LocksViewTest::rowsAreSentences()
{
    load(12);
    const QString sentence =
        view()->proxy()->index(0, models::StateColumn).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(sentence.startsWith(QStringLiteral("Stuck, ")), qPrintable(sentence));
    QVERIFY2(sentence.contains(QStringLiteral("held at least 2 hours 41 minutes")), qPrintable(sentence));
}

LOCKKEEPER_TEST(LocksViewTest)

} // namespace tst_locks_view

#include "tst_locks_view.moc"
