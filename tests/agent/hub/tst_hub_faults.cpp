// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// After every fault the writer goes on from the hub's watermark: no row is lost, none is doubled.
#include "tests/agent/hub/hub_rig.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>

#include <algorithm>
#include <atomic>
#include <signal.h>
#include <thread>

namespace tst_hub_faults {

using namespace lockkeeper;
using namespace lockkeeper::agent::hub;
using namespace lockkeeper::tests;
using base::ErrorCode;
using events::EventKind;

namespace {

constexpr int kBatches = 60;

/** The batches of one journal; each is written until the hub has it. */
struct Backlog
{
    ForwardingAgent agent;
    QList<HubBatch> batches;

    qint64 lastSeq() const { return batches.constLast().toSeq; }
};

Backlog backlogOf(int batches)
{
    MadeJournal journal;
    Backlog backlog{journal.agent, {}};
    for (int i = 0; i < batches; ++i)
        backlog.batches.append(
            journal.hold("lock " + QByteArray::number(i % 7), "owner " + QByteArray::number(i))
                .hole(i % 3 == 0 ? 2 : 0)
                .record(QStringLiteral("user"))
                .take());
    return backlog;
}

/** Writes what the hub lacks, as forwarding does. `done` counts the faults. */
void forward(HubWriter &writer, const Backlog &backlog, std::atomic<int> &faults)
{
    for (;;) {
        auto watermark = writer.open(backlog.agent);
        while (watermark && watermark->lastSeq < backlog.lastSeq()) {
            const auto next = std::ranges::find_if(
                backlog.batches, [&](const HubBatch &batch) { return batch.toSeq > watermark->lastSeq; });
            watermark = writer.write(*next);
        }
        if (watermark || watermark.error().code == ErrorCode::Cancelled)
            return;
        ++faults;
        std::this_thread::yield();
    }
}

} // namespace

class TestHubFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_rig.start()); }

    void survivesEveryCutAnswer();
    void letsOneOfTwoWritersWin();
    void survivesAKilledServer();
    void refusesALyingAgent_data();
    void refusesALyingAgent();
    void movesRowsOfAMissingDay();
    void dropsOldDays();
    void sumsFinishedHours();
    void stopsWaitingWhenInterrupted();

private:
    /** Each number once, as an event or in a hole, and each hold and record once. */
    void verifyAll(const Backlog &backlog);

    HubRig m_rig;
};

void TestHubFaults::verifyAll(const Backlog &backlog)
{
    QCOMPARE(
        m_rig.ask(
            "SELECT count(*) || ' ' || count(DISTINCT seq) || ' ' || max(seq) FROM (SELECT seq FROM "
            "lockkeeper.events UNION ALL SELECT generate_series(from_seq, to_seq) FROM lockkeeper.holes) "
            "AS numbers"),
        QByteArray::number(backlog.lastSeq()).append(' ').repeated(3).trimmed());
    const QByteArray batches = QByteArray::number(backlog.batches.size());
    QCOMPARE(m_rig.ask("SELECT count(*) || ' ' || count(DISTINCT hold) FROM lockkeeper.holds"),
             batches + ' ' + batches);
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.audit WHERE verified"), batches);
    QCOMPARE(m_rig.ask("SELECT lockkeeper.verify_audit(1) IS NULL"), QByteArray("t"));
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.locks"), QByteArray("7"));
    QCOMPARE(m_rig.ask("SELECT count(DISTINCT owner) FROM lockkeeper.events_v1"), batches);
    QCOMPARE(
        m_rig.ask(
            "SELECT count(*) FROM lockkeeper.events_v1 AS e JOIN lockkeeper.holds_v1 AS h ON h.hold_id = "
            "e.seq WHERE e.owner IS DISTINCT FROM h.owner"),
        QByteArray("0"));
}

/** The link breaks after each possible number of bytes of the answers, that of COMMIT included. */
void TestHubFaults::survivesEveryCutAnswer()
{
    const QString socket = QStringLiteral("/.s.PGSQL.%1").arg(m_rig.server().port());
    ProxyThread proxy(m_rig.server().socketFolder() + socket);
    QTemporaryDir folder;
    QVERIFY(proxy.listen());
    QVERIFY(QFile::link(proxy.path(), folder.path() + socket));
    HubTarget target = m_rig.target();
    target.url.replace(m_rig.server().socketFolder(), folder.path());
    const Backlog backlog = backlogOf(kBatches);
    HubWriter writer(target);
    int cuts = 0;
    int stored = 0; ///< batches whose answer was lost
    qint64 limit = 0;
    for (const HubBatch &batch : backlog.batches) {
        QVERIFY_DONE(writer.open(backlog.agent));
        proxy.cutAnswersAfter(limit);
        limit += 17;
        const auto written = writer.write(batch);
        proxy.cutAnswersAfter(-1);
        const auto reopened = writer.open(backlog.agent);
        QVERIFY_DONE(reopened);
        cuts += !written;
        stored += !written && reopened->lastSeq == batch.toSeq;
        QVERIFY(reopened->lastSeq == batch.toSeq || reopened->lastSeq == batch.fromSeq - 1);
        const auto again = writer.write(batch);
        QVERIFY_DONE(again);
        QCOMPARE(again->lastSeq, batch.toSeq);
    }
    QVERIFY2(cuts > kBatches / 3, qPrintable(QString::number(cuts)));
    QVERIFY(cuts < kBatches);
    QVERIFY2(stored > 0, "no answer of a COMMIT was lost");
    verifyAll(backlog);
}

void TestHubFaults::letsOneOfTwoWritersWin()
{
    const Backlog backlog = backlogOf(kBatches);
    std::atomic<int> faults = 0;
    const auto write = [&] {
        HubWriter writer(m_rig.target());
        forward(writer, backlog, faults);
    };
    std::thread other(write);
    write();
    other.join();
    verifyAll(backlog);
}

void TestHubFaults::survivesAKilledServer()
{
    QVERIFY(!m_rig.ask("SELECT pg_postmaster_start_time()").startsWith("ERROR"));
    const Backlog backlog = backlogOf(kBatches * 5);
    std::atomic<int> faults = 0;
    HubWriter writer(m_rig.target());
    std::thread forwarder([&] { forward(writer, backlog, faults); });
    const auto ended = qScopeGuard([&] {
        writer.interrupt();
        if (forwarder.joinable())
            forwarder.join();
    });
    for (const qint64 seq : {40, 200, 500}) {
        QTRY_VERIFY(m_rig.ask("SELECT coalesce(max(last_seq), 0) FROM lockkeeper.journals").toLongLong() >=
                    seq);
        m_rig.killServer();
        bool started = false; // a new server ends at once while processes of the old one are left
        const auto starts = [&] {
            return started = started || (!m_rig.server().isRunning() && m_rig.server().start());
        };
        QTRY_VERIFY(starts());
    }
    forwarder.join();
    QVERIFY(faults > 0);
    verifyAll(backlog);
}

void TestHubFaults::refusesALyingAgent_data()
{
    QTest::addColumn<QByteArray>("sql");
    QTest::addColumn<QByteArray>("refusal");
    const QByteArray event =
        "INSERT INTO lockkeeper.events(at, seq, lock, journal, kind) VALUES (now(), 3, 1, 1, '\\001')";
    QTest::newRow("another agent's name")
        << QByteArray("SELECT lockkeeper.open_journal('dc1', 'journal-1', 0)")
        << QByteArray("may not write for agent");
    QTest::newRow("another agent's batch") << QByteArray("SELECT lockkeeper.begin_batch(1, 0, 3, 3)")
                                           << QByteArray("may not write into journal");
    QTest::newRow("an event without a batch") << event << QByteArray("has begun no batch");
    QTest::newRow("an event of another agent in an own batch")
        << QByteArray("DO $$ BEGIN PERFORM lockkeeper.begin_batch(2, 0, 1, 5); ") + event + "; END $$"
        << QByteArray("has begun no batch of journal 1");
    QTest::newRow("events of two agents in one statement")
        << QByteArray("DO $$ BEGIN PERFORM lockkeeper.begin_batch(2, 0, 1, 5); ") + event +
               ", (now(), 3, 1, 2, '\\001'); END $$"
        << QByteArray("has begun no batch of journal 1");
    QTest::newRow("a number outside of the batch")
        << QByteArray("DO $$ BEGIN PERFORM lockkeeper.begin_batch(2, 0, 1, 2); ") +
               QByteArray(event).replace("1, 1,", "1, 2,") + "; END $$"
        << QByteArray("outside of the batch");
    QTest::newRow("another agent's lock")
        << QByteArray("INSERT INTO lockkeeper.locks VALUES (9, 1, 1, 'x', 'x', 'x')")
        << QByteArray("has begun no batch");
    QTest::newRow("another agent's hold")
        << QByteArray("INSERT INTO lockkeeper.holds(ended, began, hold, lock, journal, how, start_seen) "
                      "VALUES (now(), now(), 1, 1, 1, 1, 1)")
        << QByteArray("has begun no batch");
    QTest::newRow("another agent's audit")
        << QByteArray("SELECT lockkeeper.add_hole(1, 3, 3, 0::smallint, now(), now())")
        << QByteArray("has begun no batch");
    QTest::newRow("a partition, past the triggers")
        << QByteArray("INSERT INTO lockkeeper.events_default(at, seq, lock, journal, kind) "
                      "VALUES (now(), 3, 1, 1, '\\001')")
        << QByteArray("permission denied");
    QTest::newRow("the watermark") << QByteArray("UPDATE lockkeeper.journals SET last_seq = 0")
                                   << QByteArray("permission denied");
    QTest::newRow("reading") << QByteArray("SELECT * FROM lockkeeper.events")
                             << QByteArray("permission denied");
    QTest::newRow("the list of agents")
        << QByteArray("SELECT lockkeeper.add_agent('dc1', 'dc2')") << QByteArray("permission denied");
    QTest::newRow("the epoch") << QByteArray("SELECT lockkeeper.forget_epoch('dc1')")
                               << QByteArray("permission denied");
}

void TestHubFaults::refusesALyingAgent()
{
    QFETCH(const QByteArray, sql);
    QFETCH(const QByteArray, refusal);
    HubWriter honest(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(honest.open(journal.agent));
    QVERIFY_DONE(honest.write(journal.hold("a", "one").take()));
    HubWriter own(m_rig.target(QStringLiteral("dc2")));
    QVERIFY_DONE(own.open(MadeJournal("journal-1", QStringLiteral("dc2")).agent));
    const QByteArray answer = m_rig.ask(sql, QStringLiteral("dc2"));
    QVERIFY2(answer.startsWith("ERROR ") && answer.contains(refusal), answer.constData());
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.events"), QByteArray("2"));
}

void TestHubFaults::movesRowsOfAMissingDay()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    QVERIFY_DONE(writer.write(journal.hold("a", "one").take()));
    m_rig.ask(
        "DO $$ DECLARE t text; BEGIN FOREACH t IN ARRAY ARRAY['events', 'holds', 'waits', 'sum_hours'] LOOP "
        "EXECUTE 'DROP TABLE lockkeeper.' || t || to_char(now() AT TIME ZONE 'UTC', '_YYYYMMDD'); END LOOP; "
        "END $$");
    QVERIFY_DONE(writer.write(journal.hold("a", "one").take())); // it believes that the day exists
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.events_default"), QByteArray("2"));
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.events_v1"), QByteArray("2"));
    m_rig.ask("SELECT lockkeeper.maintain()");
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.events_default"), QByteArray("0"));
    QCOMPARE(m_rig.ask("SELECT seq FROM lockkeeper.events ORDER BY seq"), QByteArray("3,4"));
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.holds"), QByteArray("1"));
}

void TestHubFaults::dropsOldDays()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    const qint64 nowUs = journal.nowUs;
    for (const int days : {400, 20, 3, 0}) { // the first is too old for a partition
        journal.nowUs = nowUs - days * 86'400'000'000;
        QVERIFY_DONE(writer.write(journal.hold("a", "one").take()));
    }
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.events_default"), QByteArray("2"));
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.events_v1"), QByteArray("8"));
    m_rig.ask("SELECT lockkeeper.maintain()");
    QCOMPARE(m_rig.ask("SELECT seq FROM lockkeeper.events ORDER BY seq"), QByteArray("3,4,5,6,7,8"));
    m_rig.ask("UPDATE lockkeeper.settings SET keep_days = 10");
    m_rig.ask("SELECT lockkeeper.maintain()");
    QCOMPARE(m_rig.ask("SELECT seq FROM lockkeeper.events ORDER BY seq"), QByteArray("5,6,7,8"));
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.holds"), QByteArray("2"));
    QCOMPARE(
        m_rig.ask("SELECT to_regclass('lockkeeper.events' || to_char(now() AT TIME ZONE 'UTC' - interval "
                  "'20 days', '_YYYYMMDD')) IS NULL"),
        QByteArray("t"));
}

void TestHubFaults::sumsFinishedHours()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    const qint64 hour = journal.nowUs / 3'600'000'000 - 30; // 30 hours ago
    journal.nowUs = hour * 3'600'000'000;
    HubBatch batch = journal.hold("a", "one").hold("a", "two").hold("b", "one").take();
    batch.waits = {{1, 1, "w", journal.nowUs - 3'000'000, journal.nowUs},
                   {2, 1, "w", journal.nowUs, journal.nowUs + 1}};
    batch.holds[0].hold.end = "expired";
    QVERIFY_DONE(writer.write(batch));
    m_rig.ask("SELECT lockkeeper.maintain()");
    const QByteArray hours =
        "SELECT concat_ws(' ', lock, events, holds, held_us, waits, waited_us, longest_wait_us, "
        "expired, extract(epoch FROM hour)::bigint / 3600 - " +
        QByteArray::number(hour) + ") FROM lockkeeper.hours_v1 ORDER BY lock";
    QCOMPARE(m_rig.ask(hours), QByteArray("a 4 2 2000 2 3000001 3000000 1 0,b 2 1 1000 0 0 0 0 0"));
    QCOMPARE(m_rig.ask("SELECT lock || events FROM lockkeeper.days_v1 ORDER BY lock"), QByteArray("a4,b2"));
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.unsummed"), QByteArray("0"));
    // Late rows of the same hour are added.
    QVERIFY_DONE(writer.write(journal.hold("b", "late").take()));
    m_rig.ask("SELECT lockkeeper.maintain()");
    QCOMPARE(m_rig.ask("SELECT lock || events FROM lockkeeper.days_v1 ORDER BY lock"), QByteArray("a4,b4"));
    QCOMPARE(
        m_rig.ask("SELECT lock || waits || longest_wait FROM lockkeeper.worst_locks_v1(now() - interval '2 "
                  "days', now(), 20)"),
        QByteArray("a200:00:03"));
    QCOMPARE(m_rig.ask("SELECT lock || state || seq FROM lockkeeper.locks_v1 ORDER BY lock"),
             QByteArray("afree4,bfree8"));
}

void TestHubFaults::stopsWaitingWhenInterrupted()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    const base::Interrupt never;
    PgConnection blocker(never);
    QVERIFY_DONE(blocker.open(m_rig.target(QStringLiteral("root"))));
    QVERIFY_DONE(blocker.begin());
    QVERIFY_DONE(blocker.run("SELECT * FROM lockkeeper.agents FOR UPDATE"));
    ErrorCode code = ErrorCode::Unknown;
    const HubBatch batch = journal.hold("a", "one").take();
    std::thread waiting([&] {
        const auto written = writer.write(batch);
        code = written ? ErrorCode::Unknown : written.error().code;
    });
    const auto ended = qScopeGuard([&] {
        writer.interrupt();
        if (waiting.joinable())
            waiting.join();
    });
    QTRY_COMPARE(m_rig.ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"),
                 QByteArray("1"));
    writer.interrupt();
    waiting.join();
    QCOMPARE(code, ErrorCode::Cancelled);
}

LOCKKEEPER_TEST(TestHubFaults)

} // namespace tst_hub_faults

#include "tst_hub_faults.moc"
