// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/records/records.h"
#include "app/views/audit/audit_view.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/requests.h"
#include "tests/app/views/support/exported.h"
#include "tests/app/views/support/picture.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
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
    void reasonIsReadWhole();
    void timesAreReadWhole();
    void wordsEveryOutcome_data();
    void wordsEveryOutcome();
    void saysWhenTheChainHeld();
    void saysWhatItWasComparedWith();
    void saysWhoSignedIt();
    void namesTheFirstBadRow_data();
    void namesTheFirstBadRow();
    void namesTheReaper();
    void readsAgainAfterARelease();
    void failureKeepsWhatIsKnown();
    void verificationCanBeCancelled();
    void failedVerificationIsItsOwnNews();
    void emptyAuditSaysWhatItIsFor();
    void exportsTheWholeAudit();
    void filters_data();
    void filters();
    void readsOnForWhatFits();
    void rowsHaveAMenu();
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

/** Connects, shows and activates the view with the rig's audit. */
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

/** Times of another season carry their zone and milliseconds. */
void TestAuditView::timesAreReadWhole()
{
    const QByteArray zone = qgetenv("TZ");
    const auto restore = qScopeGuard([&zone] {
        zone.isNull() ? qunsetenv("TZ") : qputenv("TZ", zone);
        tzset();
    });
    qputenv("TZ", "Europe/Berlin");
    tzset();
    m_rig->times.setZone(app::words::Zone::Local);
    m_rig->audit = {entry(2), entry(1)};
    m_rig->audit.first().timeUs = 1'784'116'800'000'000; // summer
    m_rig->audit.last().timeUs = 1'768'478'400'000'000;  // winter
    open();
    const auto *table = m_view->findChild<DataTable *>(QStringLiteral("audit"));
    const auto whole = [&](int row) {
        const QModelIndex time = table->model()->index(row, app::models::AuditTimeColumn);
        return table->sizeHintForIndex(time).width() <= table->columnWidth(time.column());
    };
    QVERIFY(whole(0) && whole(1));
    m_rig->times.setMilliseconds(true);
    QVERIFY(whole(0) && whole(1));
    m_rig->times.setZone(app::words::Zone::Utc);
    QVERIFY(whole(0) && table->columnWidth(app::models::AuditTimeColumn) < 190);
}

/**
 * In a window of 1280 px, the author and the reason aren't cut off in favour of a digest.
 */
void TestAuditView::reasonIsReadWhole()
{
    m_rig->audit = {entry(2), entry(1)};
    m_rig->audit.first().reason = QStringLiteral("worker-3's pod was evicted at 16:40");
    open();
    m_view->resize(1280 - 136, 640);
    const auto *table = m_view->findChild<DataTable *>(QStringLiteral("audit"));
    const QModelIndex reason = table->model()->index(0, app::models::AuditReasonColumn);
    QVERIFY(table->fontMetrics().horizontalAdvance(reason.data().toString()) + 16 <=
            table->columnWidth(reason.column()));
    QVERIFY(!table->isColumnHidden(app::models::AuditCommandColumn));
}

void TestAuditView::wordsEveryOutcome_data()
{
    QTest::addColumn<int>("outcome");
    for (int outcome = 0; outcome <= int(domain::kLastOutcome); ++outcome)
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
    // The view calls a lock released only if the store confirmed it.
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

/** If no earlier head was compared, the view says so: a shortened chain would look the same. */
void TestAuditView::saysWhatItWasComparedWith()
{
    m_rig->audit = {entry(1)};
    m_rig->isAuditCompared = false;
    open();
    QTRY_VERIFY(
        says(QStringLiteral("Chain whole 2026-11-18 11:06:40 UTC, but compared with no earlier head")));
    QVERIFY(!says(QStringLiteral("verified")));
}

void TestAuditView::saysWhoSignedIt()
{
    m_rig->audit = {entry(2), entry(1)};
    m_rig->auditSignature = domain::AuditSignature{3, QByteArray(32, 'h'), m_rig->clock.wallUs(),
                                                   QByteArray::fromHex("00ff17"), QByteArray(64, 's')};
    open();
    QTRY_VERIFY(says(QStringLiteral("Signed by key 00ff17 at record 3 of 4")));
    QVERIFY(says(QStringLiteral("compare the key"))); // nobody has compared the key here
    tests::picture(m_view.get(), "audit-signed");
    m_rig->auditSignature.reset();
    m_view->refresh();
    QTRY_VERIFY(says(QStringLiteral("Unsigned")));
    m_rig->chainHolds = false;
    m_view->refresh();
    QTRY_VERIFY(says(QStringLiteral("Chain broken")));
    QVERIFY(!says(QStringLiteral("Signed by")) && !says(QStringLiteral("Unsigned"))); // by nobody
    AuditView unasked(m_rig->context);
    QCOMPARE(unasked.findChild<QLabel *>(QStringLiteral("signature"))->text(),
             QStringLiteral("Signature not checked yet"));
}

void TestAuditView::namesTheFirstBadRow_data()
{
    QTest::addColumn<int>("id");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("altered") << 12 << QStringLiteral("isn't whole from entry 12 on: ");
    QTest::newRow("cut off") << 0 << QStringLiteral("The audit isn't whole: ");
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
    QVERIFY2(banners().first().contains(QStringLiteral("records 101 to 206 of the audit are missing")),
             qPrintable(banners().first()));
    tests::picture(m_view.get(), "audit-broken");
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
    // A release from this console.
    m_rig->audit.prepend(entry(2, domain::Outcome::Pending));
    m_rig->replica.setReleasing(entry(2).key, true);
    QTRY_COMPARE(m_view->model()->rowCount(), 2);
    QCOMPARE(cell(0, app::models::AuditOutcomeColumn) == QStringLiteral("Released"), false);
    m_rig->audit.first().outcome = domain::Outcome::Released;
    m_rig->replica.setReleasing(entry(2).key, false);
    QTRY_COMPARE(cell(0, app::models::AuditOutcomeColumn), QStringLiteral("Released"));
    // Another operator's release.
    m_rig->audit.prepend(entry(3));
    events::LockEvent event = ViewRig::eventAt(m_rig->clock.wallUs());
    event.kind = events::EventKind::ForceReleased;
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

/** The verification takes as long as the chain is. */
void TestAuditView::verificationCanBeCancelled()
{
    m_rig->audit = {entry(1)};
    open();
    QTRY_VERIFY(says(QStringLiteral("Chain verified")));
    auto *verify = m_view->findChild<QPushButton *>(QStringLiteral("verify"));
    const int width = verify->width();
    m_rig->mute = true;
    verify->click();
    QTRY_COMPARE(verify->text(), QStringLiteral("Cancel"));
    QVERIFY(says(QStringLiteral("Checking the chain")));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QCOMPARE(verify->width(), width);
    verify->click();
    QTRY_VERIFY(says(QStringLiteral("The chain has not been checked yet")));
    QTRY_COMPARE(m_rig->agent.received<protocol::Cancel>().size(), 1);
    QCOMPARE(banners(), QStringList());
    m_rig->mute = false;
    verify->click();
    QTRY_VERIFY(says(QStringLiteral("Chain verified")));
}

/** A failed verification keeps the loaded entries, and doesn't call them outdated. */
void TestAuditView::failedVerificationIsItsOwnNews()
{
    const auto usual = m_rig->agent.answer;
    bool fails = true;
    m_rig->agent.answer = [&](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *query = std::get_if<protocol::AuditQuery>(&message);
        if (fails && query && query->verify)
            return protocol::Failed{query->id, {base::ErrorCode::Storage, QStringLiteral("bad disk"), {}}};
        return usual(message);
    };
    m_rig->audit = {entry(1)};
    open();
    QTRY_COMPARE(banners(), QStringList{QStringLiteral("Couldn't check the chain: bad disk")});
    m_view->model()->refresh();
    QTRY_VERIFY(!m_view->model()->isLoading());
    QCOMPARE(banners().size(), 1);
    fails = false;
    m_view->refresh();
    QTRY_COMPARE(banners(), QStringList());
    QVERIFY(says(QStringLiteral("Chain verified")));
}

void TestAuditView::emptyAuditSaysWhatItIsFor()
{
    open();
    QTRY_VERIFY(says(QStringLiteral("Nothing was force-released yet")));
    QVERIFY(!m_view->canExport());
}

void TestAuditView::exportsTheWholeAudit()
{
    for (int id = 700; id > 0; --id)
        m_rig->audit.append(entry(id, id % 2 == 0 ? domain::Outcome::Released : domain::Outcome::Refused));
    open();
    QVERIFY(m_view->model()->rowCount() < 700);
    QCOMPARE(tests::exported(*m_view, *m_rig, QStringLiteral("audit.csv")).size(), 701);
    const QByteArrayList lines = tests::exported(*m_view, *m_rig, QStringLiteral("audit.jsonl"));
    QCOMPARE(lines.size(), 700);
    const QJsonObject first =
        app::records::withAgent(app::records::auditObject(m_rig->audit.first()), QStringLiteral("fake"));
    QCOMPARE(lines.first() + '\n', app::records::jsonLine(first));
    m_view->setFilter(QStringLiteral("outcome:refused"));
    QTRY_VERIFY(m_view->model()->hiddenRows() > 0);
    QCOMPARE(tests::exported(*m_view, *m_rig, QStringLiteral("refused.csv")).size(), 351);
}

void TestAuditView::filters_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QList<int>>("ids");
    const auto row = [](const char *filter, const QList<int> &ids) {
        QTest::newRow(filter) << QString::fromLatin1(filter) << ids;
    };
    row("", {3, 2, 1});
    row("outcome:refused", {2});
    row("-outcome:refused", {3, 1});
    row("who:kim", {3});
    row("kim", {3}); // a word alone: who, too
    row("reason:\"paged, 1\"", {1});
    row("source:other", {1});
    row("from:2026-11-18T11:06:41", {3});
    row("name:nothing", {});
}

void TestAuditView::filters()
{
    QFETCH(QString, filter);
    QFETCH(QList<int>, ids);
    domain::AuditEntry third = entry(3);
    third.who = QStringLiteral("kim");
    third.timeUs += 2'000'000;
    domain::AuditEntry first = entry(1);
    first.key.source = QStringLiteral("other");
    m_rig->audit = {third, entry(2, domain::Outcome::Refused), first};
    open();
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(3));
    m_view->setFilter(filter);
    tests::picture(m_view.get(), filter == QLatin1String("name:nothing") ? "audit-empty" : "audit");
    QList<int> shown;
    for (int row = 0; row < m_view->model()->rowCount(); ++row)
        shown.append(int(m_view->model()->at(row)->id));
    QCOMPARE(shown, ids);
    QCOMPARE(says(QStringLiteral("No entry matches this filter")), ids.isEmpty());
    // On a refresh, entries that fit now appear, and entries that no longer fit disappear.
    m_rig->audit[1].outcome = domain::Outcome::Released;
    m_rig->audit.prepend(entry(4, domain::Outcome::Refused));
    m_view->refresh();
    QTRY_VERIFY(!m_view->model()->isLoading() && m_view->model()->hiddenRows() + *m_view->shownRows() == 4);
    const auto isShown = [this](qint64 id) {
        const auto *model = m_view->model();
        int row = 0;
        while (row < model->rowCount() && model->at(row)->id != id)
            ++row;
        return row < model->rowCount();
    };
    QCOMPARE(isShown(4), filter.isEmpty() || filter == QLatin1String("outcome:refused"));
    QCOMPARE(isShown(2), filter.isEmpty() || filter == QLatin1String("-outcome:refused"));
    AuditView other(m_rig->context);
    other.restoreState(m_view->saveState());
    QCOMPARE(other.saveState(), m_view->saveState());
}

/** A matching entry may be pages away. */
void TestAuditView::readsOnForWhatFits()
{
    for (qint64 id = 1'000; id > 0; --id)
        m_rig->audit.append(entry(id, id == 3 ? domain::Outcome::Refused : domain::Outcome::Released));
    open();
    QTRY_COMPARE(m_view->model()->rowCount(), 200);
    m_view->setFilter(QStringLiteral("outcome:refused"));
    QTRY_COMPARE(m_view->model()->rowCount(), 1);
    QCOMPARE(m_view->model()->at(0)->id, 3);
}

void TestAuditView::rowsHaveAMenu()
{
    m_rig->audit = {entry(1)};
    open();
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(1));
    QCOMPARE(cell(0, app::models::AuditSourceColumn), QStringLiteral("s"));
    auto *table = m_view->findChild<DataTable *>(QStringLiteral("audit"));
    QVERIFY(!table->isColumnHidden(app::models::AuditSourceColumn));
    table->selectRow(0);
    Q_EMIT table->customContextMenuRequested(table->visualRect(table->model()->index(0, 0)).center());
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu);
    const auto choose = [menu](const char *word) {
        for (QAction *action : menu->actions()) {
            if (action->text().remove(QLatin1Char('&')) == QLatin1String(word))
                action->trigger();
        }
    };
    QSignalSpy history(&m_rig->requests, &Requests::historyAsked);
    QSignalSpy locks(&m_rig->requests, &Requests::lockAsked);
    choose("History of this lock");
    choose("Show in Locks");
    choose("Copy");
    choose("Only this lock");
    QCOMPARE(history.count(), 1);
    QCOMPARE(locks.count(), 1);
    QCOMPARE(m_view->saveState().value(QStringLiteral("filter")).toString(),
             QStringLiteral("source:=s place:=db0 lock:=\"<b>lock</b>\""));
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("paged, 1")));
    menu->close();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(history.count(), 2);
    // A login belongs to no lock: the view opens no history.
    domain::AuditEntry login = entry(2, domain::Outcome::LoggedIn);
    login.key = {{}, domain::AuditEntry::kLogin, "10.0.0.9", {}};
    m_rig->audit.prepend(login);
    m_view->setFilter({});
    m_view->refresh();
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(2));
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(history.count(), 2);
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
