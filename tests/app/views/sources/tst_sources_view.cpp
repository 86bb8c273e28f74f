// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/raw_model.h"
#include "app/views/sources/source_panel.h"
#include "app/views/sources/sources_view.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/banner_area.h"
#include "tests/app/views/support/exported.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QtTest>

namespace tst_sources_view {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using tests::ViewRig;

class TestSourcesView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void emptyUntilTheAgentTells();
    void saysThatNoAgentIsConnected();
    void agentLostIsNotKnownOf();
    void showsRights_data();
    void showsRights();
    void copiesTheMissingStatement();
    void warnsOfClocks_data();
    void warnsOfClocks();
    void findingsAreTold_data();
    void findingsAreTold();
    void gravestFindingStandsInTheTable();
    void noFindingsAndNoAnswer();
    void silentSourceIsNamed();
    void downSourceShowsItsError();
    void downIsNotAlwaysUnreachable_data();
    void downIsNotAlwaysUnreachable();
    void faultsAreToldInTheLanguage();
    void tellsOfTheAgent();
    void journalErrorIsABanner();
    void anotherAgentStartsClean();
    void exports();
    void filterSelectsASource();
    void speaksAnotherLanguage();

private:
    void open(const QList<domain::SourceState> &sources);
    bool says(const QString &text) const;
    QPushButton *copy() const { return m_view->findChild<SourcePanel *>()->findChild<QPushButton *>(); }
    DataTable *table() const { return m_view->findChild<DataTable *>(QStringLiteral("sources")); }
    QModelIndex index(int row, int column) const { return table()->model()->index(row, column); }

    std::unique_ptr<ViewRig> m_rig;
    std::unique_ptr<SourcesView> m_view;
};

void TestSourcesView::init()
{
    m_rig = std::make_unique<ViewRig>();
}

void TestSourcesView::cleanup()
{
    m_view.reset();
    m_rig.reset();
}

void TestSourcesView::open(const QList<domain::SourceState> &sources)
{
    QVERIFY(m_rig->connectAgent());
    QTRY_VERIFY(m_rig->isLive());
    m_view = std::make_unique<SourcesView>(m_rig->context);
    m_view->resize(1000, 640);
    m_view->show();
    m_view->activate();
    if (sources.isEmpty())
        return;
    m_rig->show(sources);
    QTRY_COMPARE(table()->model()->rowCount(), int(sources.size()));
}

bool TestSourcesView::says(const QString &text) const
{
    const QList<QLabel *> labels = m_view->findChildren<QLabel *>();
    return std::any_of(labels.begin(), labels.end(), [&text](const QLabel *label) {
        return label->isVisible() && label->text().contains(text);
    });
}

void TestSourcesView::emptyUntilTheAgentTells()
{
    open({});
    QTRY_VERIFY(says(QStringLiteral("No sources")));
    m_rig->show({m_rig->source(QStringLiteral("orders"))});
    QTRY_VERIFY(table()->isVisible());
    // The first one's details are shown below without a click.
    QTRY_VERIFY(says(QStringLiteral("Redis 7.0.15")));
    QCOMPARE(m_view->selectedRows(), qint64(1));
}

void TestSourcesView::saysThatNoAgentIsConnected()
{
    open({});
    QTRY_VERIFY(says(QStringLiteral("No sources")));
    m_rig->agent.stop();
    QTRY_VERIFY(says(QStringLiteral("No agent is connected")));
}

/** When the agent is lost, the view drops the agent's own state and disables its actions. */
void TestSourcesView::agentLostIsNotKnownOf()
{
    open({m_rig->source(QStringLiteral("orders"))});
    QTRY_VERIFY(says(QStringLiteral("Agent dc1")));
    const auto *probe = m_view->findChild<QPushButton *>(QStringLiteral("probe"));
    QTRY_VERIFY(probe->isVisible() && probe->isEnabled());
    m_rig->agent.stop();
    QTRY_VERIFY_WITH_TIMEOUT(!probe->isEnabled(), 20'000);
    QCOMPARE(probe->toolTip(), QStringLiteral("Its agent isn't connected"));
    QTRY_VERIFY_WITH_TIMEOUT(says(QStringLiteral("The agent's state is not known")), 20'000);
    QVERIFY(!says(QStringLiteral("Agent dc1")));
}

void TestSourcesView::showsRights_data()
{
    QTest::addColumn<bool>("observe");
    QTest::addColumn<bool>("release");
    QTest::addColumn<QString>("verdict");
    QTest::newRow("all") << true << true << QStringLiteral("Can observe and force-release.");
    QTest::newRow("observe only") << true << false
                                  << QStringLiteral("Can observe. Can't force-release: a right is missing.");
    QTest::newRow("neither") << false << false
                             << QStringLiteral("A right to observe is missing: some locks can't be seen.");
}

void TestSourcesView::showsRights()
{
    QFETCH(bool, observe);
    QFETCH(bool, release);
    QFETCH(QString, verdict);
    domain::SourceState source = m_rig->source(QStringLiteral("<b>orders</b>"));
    source.access = {{"observe:redis.token", observe, false, QStringLiteral("ACL 1")},
                     {"break:redis.token", release, true, QStringLiteral("ACL 2")}};
    open({source});
    QTRY_VERIFY(says(verdict));
    QVERIFY(says(QStringLiteral("<b>orders</b>")));
}

void TestSourcesView::copiesTheMissingStatement()
{
    domain::SourceState source = m_rig->source(QStringLiteral("orders"));
    const QString grant = QStringLiteral("GRANT UPDATE ON app.shedlock TO 'lockkeeper'@'%'");
    source.access = {{"observe:shedlock", true, false, {}}, {"break:shedlock", false, true, grant}};
    open({source});
    // The missing permission comes first and is already selected.
    QTRY_VERIFY(copy()->isEnabled());
    QSignalSpy told(&m_rig->requests, &Requests::messageCame);
    QTest::mouseClick(copy(), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), grant);
    QCOMPARE(told.size(), 1);
    // The choice survives the next look at the source.
    source.passUs += 1'000;
    m_rig->show({source});
    QTRY_VERIFY(says(QStringLiteral("a scan takes 2.8 ms")));
    QVERIFY(copy()->isEnabled());
    source.access = {};
    m_rig->show({source});
    QTRY_VERIFY(!copy()->isEnabled());
}

void TestSourcesView::warnsOfClocks_data()
{
    QTest::addColumn<qint64>("offsetUs");
    QTest::addColumn<bool>("warns");
    QTest::newRow("2 s ahead") << qint64(2'000'000) << false;
    QTest::newRow("more ahead") << qint64(2'100'000) << true;
    QTest::newRow("2 s behind") << qint64(-2'000'000) << false;
    QTest::newRow("more behind") << qint64(-2'100'000) << true;
}

void TestSourcesView::warnsOfClocks()
{
    QFETCH(qint64, offsetUs);
    QFETCH(bool, warns);
    domain::SourceState source = m_rig->source(QStringLiteral("orders"));
    source.clockOffsetUs = offsetUs;
    open({source});
    const QModelIndex clock = index(0, app::models::SourceClockOffsetColumn);
    QCOMPARE(clock.data(Qt::DecorationRole).isValid(), warns);
    QVERIFY(clock.data().toString().startsWith(offsetUs < 0 ? QStringLiteral("−2") : QStringLiteral("+2")));
    QTRY_VERIFY(says(QStringLiteral("against the agent's")));
    QCOMPARE(says(QStringLiteral("more than 2 s off")), warns);
}

void TestSourcesView::findingsAreTold_data()
{
    using domain::Severity;
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<int>("severity");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *code, Severity severity, const char *value, const char *words) {
        QTest::addRow("%s %s", code, domain::severityName(severity).data())
            << QByteArray(code) << int(severity) << QByteArray(value) << QString::fromUtf8(words);
    };
    row("eviction_policy", Severity::Warning, "allkeys-lru", "the policy is allkeys-lru");
    row("eviction_policy", Severity::Notice, "volatile-<b>", "the policy volatile-<b> would evict locks");
    row("evicted_keys", Severity::Danger, "12345", "Keys are being evicted: 12,345");
    row("evicted_keys", Severity::Warning, "17", "Keys evicted since the server's start: 17");
    row("replica_silent", Severity::Warning, "12", "hasn't answered for 12 s");
    row("replica_behind", Severity::Warning, "3145728", "3.0 MiB behind");
    row("replica_syncing", Severity::Notice, "2", "being given the data: 2");
    row("replica_link_down", Severity::Danger, "7200", "without its master for 2 h");
    row("replica", Severity::Notice, "2", "is a replica, at most 2 s behind");
    row("replica_lag", Severity::Warning, "90", "may be 90 s behind");
    row("replica_lag", Severity::Warning, "", "its delay behind its primary is unknown");
    row("replica_stalled", Severity::Danger, "7200", "its data is 2 h old");
    row("replica_stalled", Severity::Danger, "", "the age of its data is unknown");
    row("part_unseen", Severity::Warning, "/lk/<b>", "/lk/<b> isn't seen");
    row("no_persistence", Severity::Warning, "3", "Nothing is saved to disk");
    row("snapshots_only", Severity::Warning, "7300", "no snapshot has for 2 h");
    row("snapshots_only", Severity::Notice, "0", "back to the last snapshot");
    row("save_failed", Severity::Danger, "aof", "Couldn't write the append-only file");
    row("save_failed", Severity::Danger, "rdb", "Couldn't write the last snapshot");
    row("lens_blind", Severity::Notice, "INFO", "INFO is not permitted");
    row("clock_offset", Severity::Warning, "-2500000", "2.5 s behind the agent's");
    row("client_clock", Severity::Warning, "-300500000", "off by at least 300.5 s");
    row("lease_short", Severity::Warning, "10s 1m 30s:*",
        "Permits of 30s:* last 1m, longer than the lease of 10s");
    row("lease_short", Severity::Warning, "odd", "lease_short: odd");
    row("held_reads", Severity::Notice, "app.shedlock (by_deadline)",
        "what is held, by an index: app.shedlock");
    row("long_names", Severity::Warning, "app.jobs", "Rows of app.jobs aren't shown: their names are longer");
    row("standalone", Severity::Notice, "", "without a replica set");
    row("majority_behind", Severity::Warning, "130", "2 min behind its primary");
    row("ttl_overdue", Severity::Warning, "3", "five minutes ago: 3");
    row("no_leader", Severity::Danger, "etcd-1:2379", "etcd-1:2379 knows of no leader");
    row("single_member", Severity::Notice, "", "A single server: nothing");
    row("short_lease", Severity::Warning, "1000 400 /locks/a b",
        "/locks/a b's holder has a 1000 ms lease or session");
    row("short_lease", Severity::Warning, "x", "short_lease: x");
    row("watch_lag", Severity::Warning, "3", "up to 3 s late");
    row("no_expiry", Severity::Warning, "4", "without an expiry: 4");
    row("restarts", Severity::Warning, "2", "since the agent's start: 2");
    row("of_a_later_version", Severity::Notice, "x\ny", "of_a_later_version: x\\x0ay");
}

void TestSourcesView::findingsAreTold()
{
    QFETCH(QByteArray, code);
    QFETCH(int, severity);
    QFETCH(QByteArray, value);
    QFETCH(QString, words);
    domain::SourceState source = m_rig->source(QStringLiteral("orders"));
    source.findings = {{code, domain::Severity(severity), value, source.lastSeenUs}};
    open({source});
    QTRY_VERIFY2(says(words), qPrintable(words));
    QVERIFY(says(severity == 2   ? QStringLiteral("Danger")
                 : severity == 1 ? QStringLiteral("Warning")
                                 : QStringLiteral("Notice")));
    for (const QLabel *label : m_view->findChildren<QLabel *>())
        if (!label->text().isEmpty())
            QCOMPARE(label->textFormat(), Qt::PlainText);
}

void TestSourcesView::gravestFindingStandsInTheTable()
{
    domain::SourceState source = m_rig->source(QStringLiteral("orders"));
    source.findings = {{"evicted_keys", domain::Severity::Danger, "1"},
                       {"no_persistence", domain::Severity::Warning, "1"}};
    open({source, m_rig->source(QStringLiteral("other"))});
    const QModelIndex cell = index(0, app::models::SourceFindingsColumn);
    QCOMPARE(cell.data().toString(), QStringLiteral("Danger (2)"));
    QVERIFY(cell.data(Qt::DecorationRole).isValid());
    QCOMPARE(index(1, app::models::SourceFindingsColumn).data().toString(), QStringLiteral("—"));
    QVERIFY(!index(1, app::models::SourceFindingsColumn).data(Qt::DecorationRole).isValid());
}

void TestSourcesView::noFindingsAndNoAnswer()
{
    domain::SourceState source = m_rig->source(QStringLiteral("orders"));
    open({source});
    QTRY_VERIFY(says(QStringLiteral("No risks to its locks were found.")));
    source.link = domain::Link::Down;
    m_rig->show({source});
    QTRY_VERIFY(says(QStringLiteral("Not known while the source can't be reached.")));
    QVERIFY(!says(QStringLiteral("No risks to its locks")));
}

void TestSourcesView::silentSourceIsNamed()
{
    open({m_rig->source(QStringLiteral("orders"))});
    QCOMPARE(index(0, app::models::SourceLinkColumn).data().toString(), QStringLiteral("Observed"));
    m_rig->clock.advanceUs(6'000'000);
    QTRY_COMPARE(index(0, app::models::SourceLinkColumn).data().toString(), QStringLiteral("Silent"));
    QTRY_VERIFY(says(QStringLiteral("Silent since")));
}

void TestSourcesView::downSourceShowsItsError()
{
    domain::SourceState source = m_rig->source(QStringLiteral("orders"));
    open({source});
    QVERIFY(!says(QStringLiteral("Error")));
    source.link = domain::Link::Down;
    source.error = base::Error{base::ErrorCode::Unreachable, QStringLiteral("Connection <i>refused</i>"),
                               QStringLiteral("Start it")};
    source.gapSinceUs = source.lastSeenUs;
    m_rig->show({source});
    QTRY_VERIFY(says(QStringLiteral("Connection <i>refused</i>")));
    QVERIFY(says(QStringLiteral("not observed since 2026-11-18 11:06:40 UTC")));
    QVERIFY(says(QStringLiteral("Error")));
}

void TestSourcesView::downIsNotAlwaysUnreachable_data()
{
    QTest::addColumn<base::ErrorCode>("code");
    QTest::addColumn<QString>("state");
    QTest::newRow("link") << base::ErrorCode::Unreachable << QStringLiteral("Unreachable");
    QTest::newRow("login") << base::ErrorCode::Authentication << QStringLiteral("Login rejected");
    QTest::newRow("right") << base::ErrorCode::PermissionDenied << QStringLiteral("Right missing");
}

/** The server of a wrong password can be reached. */
void TestSourcesView::downIsNotAlwaysUnreachable()
{
    QFETCH(base::ErrorCode, code);
    domain::SourceState source = m_rig->source(QStringLiteral("orders"));
    source.link = domain::Link::Down;
    source.error = base::Error{code, QStringLiteral("said by the server"), {}};
    open({source});
    QTEST(index(0, app::models::SourceLinkColumn).data().toString(), "state");
}

/** The table and the details translate a fault, and keep the server's own words. */
void TestSourcesView::faultsAreToldInTheLanguage()
{
    m_rig->language.setLanguage(QStringLiteral("zh_CN"));
    domain::SourceState source = m_rig->source(QStringLiteral("orders"));
    source.link = domain::Link::Down;
    source.error = base::Error{base::ErrorCode::PermissionDenied, QStringLiteral("PROCESS is missing"),
                               QStringLiteral("Run: GRANT PROCESS ON *.* TO 'l'@'%'")};
    open({source, m_rig->source(QStringLiteral("payments"))});
    const QString words =
        QStringLiteral("缺少权限（PROCESS is missing）。请执行：GRANT PROCESS ON *.* TO 'l'@'%'");
    QCOMPARE(index(0, app::models::SourceErrorColumn).data().toString(), words);
    QCOMPARE(index(1, app::models::SourceErrorColumn).data().toString(), QString());
    QTRY_VERIFY(says(words));
}

void TestSourcesView::tellsOfTheAgent()
{
    m_rig->status.startedWallUs = 1'000'000;
    m_rig->status.wallUs = 1'000'000 + 872'000'000;
    m_rig->status.lastSeq = 1'234;
    m_rig->status.journalBytes = 2 << 20;
    m_rig->status.diskFreeBytes = 3ll << 30;
    open({});
    QTRY_VERIFY(says(QStringLiteral("Agent dc1 0.1.0 · running for 00:14:32 · journal 2.0 MiB, 1,234 events "
                                    "· disk 3.0 GiB free")));
}

void TestSourcesView::journalErrorIsABanner()
{
    m_rig->status.journalError = base::Error{base::ErrorCode::Storage, QStringLiteral("No space left"), {}};
    open({});
    const auto *area = m_view->findChild<BannerArea *>();
    QTRY_COMPARE(area->texts().size(), 1);
    QVERIFY(area->texts().first().contains(QStringLiteral("nothing can be force-released: No space left")));
    m_rig->status.journalError = base::Error{base::ErrorCode::Corrupt, QStringLiteral("Torn"), {}};
    QTRY_COMPARE(area->texts().value(0), QStringLiteral("The journal or its audit isn't whole: Torn"));
    m_rig->status.journalError = {};
    QTRY_COMPARE(area->texts().size(), 0); // the view looks again once a second
}

/** When another agent connects, the view drops the messages about the previous agent and its sources. */
void TestSourcesView::anotherAgentStartsClean()
{
    m_rig->status.journalError = base::Error{base::ErrorCode::Storage, QStringLiteral("No space left"), {}};
    open({m_rig->source(QStringLiteral("orders"))});
    QTRY_VERIFY(says(QStringLiteral("No space left")));
    QVERIFY(says(QStringLiteral("Agent dc1")));
    tests::ReplayAgent other; // which answers no question yet
    other.sources = {m_rig->source(QStringLiteral("payments"))};
    other.sources.first().server = QStringLiteral("Redis 8.2.1");
    QVERIFY(other.start());
    m_rig->session.open(other.address());
    QTRY_VERIFY(says(QStringLiteral("Redis 8.2.1"))); // the details of what there is now
    QVERIFY(!says(QStringLiteral("No space left")));
    QVERIFY(!says(QStringLiteral("Agent dc1")));
}

void TestSourcesView::exports()
{
    domain::SourceState down = m_rig->source(QStringLiteral("a,\"b\""));
    down.link = domain::Link::Down;
    down.error = {base::ErrorCode::Unreachable, QStringLiteral("nobody\nlistens"), {}};
    open({m_rig->source(QStringLiteral("=1+1")), down, m_rig->source(QStringLiteral("-7"))});
    const auto &model = *qobject_cast<app::models::RawModel *>(table()->model());
    const QJsonObject record = model.record(1);
    QCOMPARE(record.value(QLatin1String("name")).toString(), QStringLiteral("=1+1"));
    QCOMPARE(record.value(QLatin1String("agent")).toString(), m_rig->replica.agentOf(QStringLiteral("=1+1")));
    QCOMPARE(record.value(QLatin1String("lag_us")).toInteger(), 0);
    QCOMPARE(model.record(2).value(QLatin1String("link")).toString(), QStringLiteral("down"));
    tests::compareExports(*m_view, *m_rig, model);
}

void TestSourcesView::filterSelectsASource()
{
    open({m_rig->source(QStringLiteral("a")), m_rig->source(QStringLiteral("b"))});
    m_view->setFilter(QStringLiteral("b"));
    QCOMPARE(table()->selectedRowNumbers(), QList<int>({1}));
    m_view->setFilter(QStringLiteral("none of them"));
    QCOMPARE(table()->selectedRowNumbers(), QList<int>({1}));
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().at(1).toString(), QStringLiteral("source:=b"));
}

void TestSourcesView::speaksAnotherLanguage()
{
    open({m_rig->source(QStringLiteral("orders"))});
    const tests::BracketLanguage language;
    QTRY_COMPARE(m_view->title(), QStringLiteral("[Sources]"));
    QTRY_VERIFY(says(QStringLiteral("[Store's clock]")));
    QTRY_COMPARE(index(0, app::models::SourceLinkColumn).data().toString(), QStringLiteral("[Observed]"));
    QCOMPARE(table()->model()->headerData(0, Qt::Horizontal).toString(), QStringLiteral("[Source]"));
    QCOMPARE(copy()->text(), QStringLiteral("[&Copy statement]"));
}

LOCKKEEPER_TEST(TestSourcesView)

} // namespace tst_sources_view

#include "tst_sources_view.moc"
