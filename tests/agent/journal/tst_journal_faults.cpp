// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/migrations.h"
#include "tests/agent/journal/fault_injection.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QSignalSpy>

#include <cerrno>

namespace tst_journal_faults {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;

namespace {

/** Makes the leaves of tables that contain `needle` unreadable; how many there are. */
int damageLeaves(const QString &path, const QByteArray &needle)
{
    constexpr qsizetype kPage = 2048;
    constexpr char kLeafOfTable = 0x0d;
    QFile file(path);
    if (!file.open(QIODevice::ReadWrite))
        return 0;
    int damaged = 0;
    for (qint64 at = kPage; at < file.size(); at += kPage) {
        file.seek(at);
        const QByteArray page = file.read(kPage);
        if (page.startsWith(kLeafOfTable) && page.contains(needle) && file.seek(at))
            damaged += file.write(QByteArray(8, '\xee')) == 8;
    }
    return damaged;
}

constexpr qint64 kLarge = 257LL << 20; ///< bytes: of smaller files a start looks through each page

/** Makes the first page of a table, which is all of a small one, unreadable; in a file of `size`, where that
 * isn't 0. */
bool damageRoot(JournalFixture &f, const char *table, qint64 size = kLarge)
{
    const qint64 root =
        f.sql(
             QStringLiteral("SELECT rootpage FROM sqlite_master WHERE name = '%1'").arg(QLatin1String(table)))
            .toLongLong();
    QFile file(f.path());
    return root > 1 && file.open(QIODevice::ReadWrite) && file.seek((root - 1) * 2048) &&
           file.write(QByteArray(8, '\xee')) == 8 && (size == 0 || file.resize(size));
}

/** Copies the files of `running` into the folder of `next`, as a kill would leave them. The disk is full from
 * now on. */
void killOnAFullDisk(JournalFixture &running, const JournalFixture &next)
{
    const QDir from(running.folder.path());
    for (const QString &name : from.entryList(QDir::Files))
        QVERIFY(QFile::copy(from.filePath(name), next.folder.filePath(name)));
    FaultInjection::failWrites(ENOSPC, "-wal"); // of both databases
    running.close();
}

} // namespace

class TestJournalFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { FaultInjection::failWrites(0); }
    void failingDisk_data();
    void failingDisk();
    void databaseAloneFails();
    void logAloneFails();
    void whatWasToldOutlivesAFailingDatabase();
    void numbersOfAMachineThatFailedMeanNothing_data();
    void numbersOfAMachineThatFailedMeanNothing();
    void outcomesAreWrittenAfterwards();
    void outcomeIsWrittenAtTheEnd();
    void closesWhileFailing();
    void flippedBits();
    void damageOfAPageIsTold();
    void damageOfAPageKeepsNobodyFromWriting_data();
    void damageOfAPageKeepsNobodyFromWriting();
    void damagedIndexOfNamesIsMadeAnew();
    void damagedIndexOfNamesIsFoundByTheStart_data();
    void damagedIndexOfNamesIsFoundByTheStart();
    void damageThatEndsAStartIsFoundByTheNext();
    void damagedFileIsSetAside_data();
    void damagedFileIsSetAside();
    void startsOnAFullDisk();
    void endsOnAFullDisk();
    void aLinkIsRefused();
    void newerSchemaIsRefused();
    void schemaBeforeTheFirstReleaseIsRefused();
    void migrationResumes();
    void secondWriterIsRefused();
};

void TestJournalFaults::failingDisk_data()
{
    QTest::addColumn<int>("error");
    QTest::newRow("full") << ENOSPC;
    QTest::newRow("input/output") << EIO;
    QTest::newRow("quota") << EDQUOT;
    QTest::newRow("read-only") << EROFS;
}

void TestJournalFaults::failingDisk()
{
    QFETCH(int, error);
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100)});
    QCOMPARE(f.replay(0, 10).events.size(), 1);
    FaultInjection::failWrites(error);
    f.journal->append({lockEvent(EventKind::Released, "a", "w1", 200)});
    QTRY_COMPARE(f.failures.size(), 1);
    QCOMPARE(f.failures.first().code, base::ErrorCode::Storage);
    QCOMPARE(f.journal->error().code, base::ErrorCode::Storage);
    f.journal->append(
        {lockEvent(EventKind::Acquired, "a", "w2", 300), lockEvent(EventKind::Acquired, "b", "w2", 301)});
    QCOMPARE(f.journal->queuedEvents(), 3);
    const auto refused = f.begin(intentOf("c1"));
    QVERIFY2(!refused, "no audit, no release");
    QCOMPARE(refused.error().code, base::ErrorCode::Storage);
    QCOMPARE(f.committed.size(), 1);
    QCOMPARE(f.replay(0, 10).events.size(), 1); // reading continues

    FaultInjection::failWrites(0);
    QTRY_COMPARE_WITH_TIMEOUT(f.recoveries, 1, 60'000);
    QTRY_COMPARE(f.committed.size(), 4);
    for (int i = 0; i < 4; ++i)
        QCOMPARE(f.committed.at(i).seq, quint64(i + 1));
    QCOMPARE(f.journal->error(), base::Error{});
    QCOMPARE(f.failures.size(), 1);
    QCOMPARE(textOf(f.holds({})), (QStringList{QStringLiteral("b w2 301- "), QStringLiteral("a w2 300- "),
                                               QStringLiteral("a w1 100-200 released")}));
    const auto intent = f.begin(intentOf("c1"));
    QVERIFY(intent && !intent->recorded);
}

void TestJournalFaults::databaseAloneFails()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100)});
    QCOMPARE(f.replay(0, 10).events.size(), 1);
    FaultInjection::failWrites(ENOSPC, "-wal");
    // The log has the event, so the journal reports it as committed. The failed filing is noticed only
    // afterwards.
    f.commit({lockEvent(EventKind::Released, "a", "w1", 200)});
    QTRY_COMPARE(f.failures.size(), 1);
    QCOMPARE(f.failures.first().code, base::ErrorCode::Storage);
    QCOMPARE(f.replay(0, 10).events.size(), 1); // reading continues
    // From then on events wait, although the log would take them.
    f.journal->append({lockEvent(EventKind::Acquired, "a", "w2", 300)});
    QVERIFY(!f.begin(intentOf("c1")));
    QCOMPARE(f.committed.size(), 2);
    QCOMPARE(f.journal->queuedEvents(), 1);

    FaultInjection::failWrites(0);
    QTRY_COMPARE_WITH_TIMEOUT(f.recoveries, 1, 60'000);
    QTRY_COMPARE(f.committed.size(), 3);
    const QStringList all = textOf(f.replay(0, 10).events);
    QCOMPARE(all, textOf(f.committed));
    QCOMPARE(all.size(), 3);
    QCOMPARE(f.failures.size(), 1);
}

void TestJournalFaults::logAloneFails()
{
    JournalFixture f;
    QVERIFY(f.open());
    const auto before = f.begin(intentOf("c0"));
    QVERIFY(before);
    FaultInjection::failWrites(ENOSPC, "-log");
    f.journal->append({lockEvent(EventKind::Acquired, "a", "w1", 100)});
    QTRY_COMPARE(f.failures.size(), 1);
    QVERIFY(f.failures.first().cause.contains(QLatin1String("-log0")));
    // A release's outcome is kept wherever it can be, and doesn't wait behind the events. But no release
    // begins.
    QVERIFY(f.end(before->auditId, domain::Outcome::Released));
    const auto refused = f.begin(intentOf("c1"));
    QVERIFY(!refused);
    QVERIFY(refused.error().cause.contains(QLatin1String("-log0")));
    QCOMPARE(f.committed.size(), 0);
    FaultInjection::failWrites(0);
    QTRY_COMPARE_WITH_TIMEOUT(f.recoveries, 1, 60'000);
    QTRY_COMPARE(f.committed.size(), 1);
    QCOMPARE(f.committed.first().seq, 1u);
    QCOMPARE(f.replay(0, 10).events.size(), 1);
    QVERIFY(f.begin(intentOf("c1")));
}

void TestJournalFaults::whatWasToldOutlivesAFailingDatabase()
{
    JournalFixture f;
    QVERIFY(f.open());
    FaultInjection::failWrites(EIO, "-wal");
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100)}, {{QStringLiteral("orders"), "redis", 105}});
    f.journal->append({lockEvent(EventKind::Acquired, "b", "w1", 200)});
    QTRY_COMPARE(f.failures.size(), 1);
    f.close();
    FaultInjection::failWrites(0);
    const auto opened = f.open();
    QVERIFY(opened);
    // The second one too: at shutdown no caller may wait for the database.
    QCOMPARE(opened->lastSeq, 2u);
    QCOMPARE(opened->held.size(), 2);
    QCOMPARE(opened->sources.constFirst().lastSeenUs, 105);
    QCOMPARE(textOf(f.replay(0, 10).events),
             (QStringList{QStringLiteral("1 acquired a/w1 @100"), QStringLiteral("2 acquired b/w1 @200")}));
    f.commit({lockEvent(EventKind::Released, "a", "w1", 300)});
    QCOMPARE(f.committed.first().seq, 3u);
}

void TestJournalFaults::numbersOfAMachineThatFailedMeanNothing_data()
{
    QTest::addColumn<bool>("interrupted");
    QTest::addColumn<bool>("restarted");
    QTest::addColumn<bool>("renewed");
    QTest::newRow("agent and machine went on") << false << false << false;
    QTest::newRow("the agent ended, then the machine") << false << true << false;
    QTest::newRow("the agent was killed") << true << false << false;
    QTest::newRow("the machine ended under the agent") << true << true << true;
}

void TestJournalFaults::numbersOfAMachineThatFailedMeanNothing()
{
    QFETCH(bool, interrupted);
    QFETCH(bool, restarted);
    QFETCH(bool, renewed);
    JournalFixture f;
    QVERIFY(f.open());
    const QByteArray id = f.journal->id();
    f.commit({lockEvent(EventKind::Acquired, "a", "w", 100)});
    const QString log = f.path() + QLatin1String("-log0");
    QFile::copy(log, log + QLatin1String(".kept"));
    f.close();
    if (interrupted)
        QVERIFY(QFile::remove(log) && QFile::rename(log + QLatin1String(".kept"), log));
    if (restarted)
        f.sql(QStringLiteral("UPDATE meta SET value = x'6d6f6f6e' WHERE key = x'626f6f745f6964'")); // boot_id
    const auto opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->id != id, renewed);
    QCOMPARE(opened->lastSeq, 1u); // the journal keeps its events
    f.commit({lockEvent(EventKind::Released, "a", "w", 200)});
    QCOMPARE(f.committed.first().seq, 2u);
    const QByteArray present = f.journal->id();
    QVERIFY(f.open());
    QCOMPARE(f.journal->id(), present); // once
}

void TestJournalFaults::outcomesAreWrittenAfterwards()
{
    JournalFixture f;
    QVERIFY(f.open());
    const auto first = f.begin(intentOf("c1"));
    const auto second = f.begin(intentOf("c2"));
    QVERIFY(first && second);
    FaultInjection::failWrites(ENOSPC);
    QVERIFY2(!f.end(first->auditId, domain::Outcome::Released), "not durable yet, and said so");
    QVERIFY(!f.end(second->auditId, domain::Outcome::HolderChanged));
    QCOMPARE(f.journal->pendingAudits(), 2); // an end waits for them
    FaultInjection::failWrites(0);
    QTRY_COMPARE_WITH_TIMEOUT(f.recoveries, 1, 60'000);
    QCOMPARE(f.journal->pendingAudits(), 0); // written before the recovery is announced
    protocol::AuditQuery query;
    query.verify = true;
    const protocol::AuditPage page = f.audit(query);
    QCOMPARE(page.entries.size(), 2);
    QCOMPARE(page.entries.at(0).outcome, domain::Outcome::HolderChanged);
    QCOMPARE(page.entries.at(1).outcome, domain::Outcome::Released);
    QVERIFY(page.verified);
}

void TestJournalFaults::outcomeIsWrittenAtTheEnd()
{
    JournalFixture f;
    QVERIFY(f.open());
    const auto intent = f.begin(intentOf("c1"));
    QVERIFY(intent);
    FaultInjection::failWrites(ENOSPC);
    QVERIFY(!f.end(intent->auditId, domain::Outcome::Released));
    FaultInjection::failWrites(0);
    f.close();
    const auto opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->interruptedReleases, 0);
    QCOMPARE(f.audit({}).entries.constFirst().outcome, domain::Outcome::Released);
}

void TestJournalFaults::closesWhileFailing()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100)});
    FaultInjection::failWrites(ENOSPC);
    f.journal->append({lockEvent(EventKind::Released, "a", "w1", 200)});
    QTRY_COMPARE(f.failures.size(), 1);
    f.close();
    FaultInjection::failWrites(0);
    const auto opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->lastSeq, 1u);
    f.commit({lockEvent(EventKind::Acquired, "b", "w1", 300)});
    QCOMPARE(f.committed.first().seq, 2u);
}

void TestJournalFaults::flippedBits()
{
    // One bit of one row's content at a time: never an invented event, hold or lock.
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> events;
    for (int i = 0; i < 20; ++i)
        events += lockEvent(EventKind::Acquired, "lock:payroll-" + QByteArray::number(i),
                            "worker-" + QByteArray::number(i), 100 + i);
    f.commit(events);
    const QList<events::LockEvent> expected = f.replay(0, 100).events;
    const QStringList expectedHolds = textOf(f.holds({}));
    f.close();
    f.sql(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
    QFile file(f.path());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray sound = file.readAll();
    file.close();
    QRandomGenerator random(7);
    int detected = 0;
    for (int flip = 0; flip < 100; ++flip) {
        const int row = random.bounded(20);
        const QByteArray owner = "worker-" + QByteArray::number(row);
        // Content that a reader would believe: the owner's bytes, wherever they are stored.
        QList<qsizetype> places;
        for (qsizetype at = sound.indexOf(owner); at >= 0; at = sound.indexOf(owner, at + 1))
            places += at;
        QVERIFY(!places.isEmpty());
        QByteArray damaged = sound;
        const qsizetype at =
            places.at(random.bounded(int(places.size()))) + random.bounded(int(owner.size()));
        damaged[at] = char(uchar(damaged.at(at)) ^ (1u << random.bounded(8)));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(damaged);
        file.close();
        QVERIFY(f.open());
        const QList<events::LockEvent> read = f.replay(0, 100).events;
        const bool eventsRefused = f.lastError.code == base::ErrorCode::Corrupt;
        if (eventsRefused)
            QVERIFY(f.lastError.cause.contains(QLatin1String("row")));
        else
            QCOMPARE(read, expected);
        const QStringList holds = textOf(f.holds({}));
        const bool holdsRefused = f.lastError.code == base::ErrorCode::Corrupt;
        if (!holdsRefused)
            QCOMPARE(holds, expectedHolds);
        f.close();
        QFile::remove(f.path() + QLatin1String("-wal"));
        const int held = f.open()->held.size();
        detected += eventsRefused || holdsRefused || held < 20;
        f.close();
    }
    QCOMPARE(detected, 100);
}

/** A reader that comes to a damaged page must not take it for the end. */
void TestJournalFaults::damageOfAPageIsTold()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> events;
    for (int i = 0; i < 900; ++i) {
        events += lockEvent(EventKind::Acquired, "a" + QByteArray::number(i), "w1", 100 + i);
        events.last().command = "needle-" + QByteArray::number(i);
    }
    f.commit(events);
    f.close();
    f.sql(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
    QVERIFY(f.open());
    QCOMPARE(damageLeaves(f.path(), "needle-450"), 1);
    protocol::HistoryQuery query;
    query.limit = 1000;
    query.afterSeq = 420; // near the damage: after a while, a page is answered with the events that it has
    QVERIFY(f.history(query).events.isEmpty());
    QCOMPARE(f.lastError.code, base::ErrorCode::Corrupt);
    QVERIFY(f.replay(0, 1000).events.isEmpty());
    QCOMPARE(f.lastError.code, base::ErrorCode::Corrupt);
    QCOMPARE(f.replay(800, 1000).events.size(), 100); // readable events are returned
    QCOMPARE(f.lastError.code, base::ErrorCode::Unknown);
}

void TestJournalFaults::damageOfAPageKeepsNobodyFromWriting_data()
{
    QTest::addColumn<bool>("rolledUp");
    QTest::newRow("a roll-up comes to it") << false;
    QTest::newRow("retention comes to it") << true;
}

/** The damage is in old rows, which nothing else reads. */
void TestJournalFaults::damageOfAPageKeepsNobodyFromWriting()
{
    QFETCH(bool, rolledUp);
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> events;
    for (int i = 0; i < 450; ++i) {
        const QByteArray name = "a" + QByteArray::number(i);
        events += lockEvent(EventKind::Acquired, name, "w1", 100 + i);
        events.last().command = "needle-" + QByteArray::number(i);
        events += lockEvent(EventKind::Released, name, "w1", 1'000 + i);
    }
    f.commit(events);
    if (rolledUp)
        f.roll();
    f.close();
    f.sql(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
    QCOMPARE(damageLeaves(f.path(), "needle-225"), 1);
    QVERIFY(QFile::resize(f.path(), kLarge));
    f.clock.advanceUs(40 * 86'400'000'000LL); // all of it is older than 30 days now
    const auto early = f.open();
    QVERIFY2(early, qPrintable(early ? QString() : early.error().line()));
    QTRY_COMPARE_WITH_TIMEOUT(f.journal->damage().code, base::ErrorCode::Corrupt, 20'000);
    f.commit({lockEvent(EventKind::Acquired, "b", "w2", f.clock.wallUs())});
    QCOMPARE(f.replay(900, 10).events.size(), 1);
    const auto intent = f.begin(intentOf("c1"));
    QVERIFY(intent && f.end(intent->auditId, domain::Outcome::Released));
    QCOMPARE(f.failures.size(), 0);
    QCOMPARE(f.journal->error(), base::Error{});
    f.close();
    QVERIFY(QFile::resize(f.path(), kLarge));
    const auto opened = f.open(); // it knows of it
    QVERIFY(opened && !opened->setAside.isEmpty());
    QCOMPARE(f.journal->damage(), base::Error{}); // the page is no longer in the way; the audit isn't touched
}

/** It says nothing that the table of locks doesn't. */
void TestJournalFaults::damagedIndexOfNamesIsMadeAnew()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(
        {lockEvent(EventKind::Acquired, "a", "w1", 100), lockEvent(EventKind::Acquired, "b", "w1", 101)});
    QVERIFY(f.open()); // the start enters both
    f.close();
    f.sql(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
    QVERIFY(damageRoot(f, "lock_names"));
    QVERIFY(f.open());
    f.committed.clear();
    f.journal->append(
        {lockEvent(EventKind::Released, "a", "w1", 200), lockEvent(EventKind::Acquired, "c", "w1", 201)});
    QTRY_COMPARE(f.failures.size(), 1);
    QCOMPARE(f.failures.first().code, base::ErrorCode::Corrupt);
    QTRY_COMPARE_WITH_TIMEOUT(f.recoveries, 1, 60'000);
    QTRY_COMPARE(f.committed.size(), 2);
    protocol::HoldsQuery query;
    query.key = lockEvent(EventKind::Acquired, "a", {}, 0).key;
    QCOMPARE(textOf(f.holds(query)), QStringList{QStringLiteral("a w1 100-200 released")});
    const auto intent = f.begin(intentOf("c1"));
    QVERIFY(intent && f.end(intent->auditId, domain::Outcome::Released));
    QCOMPARE(f.failures.size(), 1);
    f.close();
    const auto named = f.sql(QStringLiteral(
        "SELECT count(*) FROM lock_names JOIN locks USING(lock_id, name_hash) WHERE lock_id <= 2"));
    QCOMPARE(named.toInt(), 2);
    QCOMPARE(f.sql(QStringLiteral("SELECT count(*) FROM locks")).toInt(), 3);
    const auto shrink = [&f] { // a start looks through each page of a small file
        f.close();
        f.sql(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
        return QFile::resize(f.path(), f.sql(QStringLiteral("PRAGMA page_count")).toLongLong() * 2048);
    };
    QVERIFY(shrink());
    const auto again = f.open();
    QVERIFY(again);
    QCOMPARE(again->setAside, QString());
    QCOMPARE(textOf(f.holds(query)), QStringList{QStringLiteral("a w1 100-200 released")});
    f.close();
    f.sql(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
    QVERIFY(damageRoot(f, "sources"));
    QVERIFY(shrink());
    const auto damaged = f.open();
    QVERIFY(damaged && !damaged->setAside.isEmpty());
}

void TestJournalFaults::damagedIndexOfNamesIsFoundByTheStart_data()
{
    QTest::addColumn<bool>("more");
    QTest::newRow("it alone") << false;
    QTest::newRow("another table, too") << true;
}

/** Before the writer comes to it. */
void TestJournalFaults::damagedIndexOfNamesIsFoundByTheStart()
{
    QFETCH(bool, more);
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(
        {lockEvent(EventKind::Acquired, "a", "w1", 100), lockEvent(EventKind::Acquired, "b", "w1", 101)});
    QVERIFY(f.open()); // the start enters both
    f.close();
    f.sql(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
    QVERIFY(damageRoot(f, "lock_names", 0));
    if (more)
        QVERIFY(damageRoot(f, "waits", 0));
    const auto opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->setAside.isEmpty(), !more);
    if (more)
        return;
    QCOMPARE(opened->held.size(), 2);
    f.commit({lockEvent(EventKind::Released, "a", "w1", 200)});
    protocol::HoldsQuery query;
    query.key = lockEvent(EventKind::Acquired, "a", {}, 0).key;
    QCOMPARE(textOf(f.holds(query)), QStringList{QStringLiteral("a w1 100-200 released")});
    QCOMPARE(f.failures.size(), 0);
    const auto again = f.open(); // its remains don't count as damage
    QVERIFY(again);
    QCOMPARE(again->setAside, QString());
}

void TestJournalFaults::damageThatEndsAStartIsFoundByTheNext()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100)});
    f.close();
    f.sql(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
    QVERIFY(damageRoot(f, "sources"));
    const auto failed = f.open();
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, base::ErrorCode::Corrupt);
    QVERIFY(failed.error().remedy.contains(QLatin1String("Restart the agent")));
    f.close();
    QVERIFY(QFile::resize(f.path(), kLarge));
    const auto opened = f.open();
    QVERIFY(opened && !opened->setAside.isEmpty());
}

void TestJournalFaults::damagedFileIsSetAside_data()
{
    QTest::addColumn<qint64>("at");
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("header") << qint64(0) << QByteArray("not a database at all");
    QTest::newRow("schema page") << qint64(100) << QByteArray(3900, '\xff');
    QTest::newRow("everything") << qint64(0) << QByteArray(40'000, 'x');
    QTest::newRow("a page in the middle") << qint64(8192) << QByteArray(4096, '\xee');
}

void TestJournalFaults::damagedFileIsSetAside()
{
    QFETCH(qint64, at);
    QFETCH(QByteArray, bytes);
    JournalFixture f;
    QVERIFY(f.open());
    const QByteArray id = f.journal->id();
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100)});
    QVERIFY(f.begin(intentOf("c1")));
    f.close();
    QFile file(f.path());
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.seek(at));
    file.write(bytes);
    file.close();
    const auto opened = f.open();
    QVERIFY2(opened, opened ? "" : qPrintable(opened.error().line()));
    QVERIFY(opened->setAside.startsWith(f.path() + QLatin1String(".corrupt-")));
    QVERIFY(QFile::exists(opened->setAside));
    QVERIFY(opened->id != id);
    QCOMPARE(opened->lastSeq, 0u);
    QVERIFY(opened->held.isEmpty());
    protocol::AuditQuery query;
    query.verify = true;
    const protocol::AuditPage audit = f.audit(query); // in its own file
    QVERIFY(audit.verified);
    QCOMPARE(audit.entries.size(), 1);
}

/** The files of an agent that was killed on a full disk: an event in the log but not in the database, and a
 * release without an outcome. */
void TestJournalFaults::startsOnAFullDisk()
{
    JournalFixture killed;
    QVERIFY(killed.open());
    killed.commit({lockEvent(EventKind::Acquired, "a", "w1", 100)});
    QCOMPARE(killed.replay(0, 10).events.size(), 1);
    QVERIFY(killed.begin(intentOf("c1")));
    FaultInjection::failWrites(ENOSPC, "journal.db-wal");
    killed.commit(
        {lockEvent(EventKind::Released, "a", "w1", 200), lockEvent(EventKind::Acquired, "b", "w2", 201)});
    QTRY_COMPARE(killed.failures.size(), 1);
    JournalFixture f;
    killOnAFullDisk(killed, f);

    const auto opened = f.open();
    QVERIFY2(opened, qPrintable(opened ? QString() : opened.error().line()));
    QCOMPARE(opened->lastSeq, 3u);
    QCOMPARE(opened->held.size(), 1);
    QCOMPARE(opened->held.constFirst().key.name, QByteArray("b"));
    QCOMPARE(opened->interruptedReleases, 1);
    QTRY_COMPARE(f.failures.size(), 1);
    QCOMPARE(f.journal->error().code, base::ErrorCode::Storage);
    const auto refused = f.begin(intentOf("c2"));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, base::ErrorCode::Storage);
    QCOMPARE(f.audit({}).entries.constFirst().outcome, domain::Outcome::Pending); // reading continues
    f.journal->append({lockEvent(EventKind::Released, "b", "w2", 300)});

    FaultInjection::failWrites(0);
    QTRY_COMPARE_WITH_TIMEOUT(f.recoveries, 1, 60'000);
    QTRY_COMPARE(f.committed.size(), 1);
    QCOMPARE(f.committed.constFirst().seq, 4u);
    QCOMPARE(f.replay(0, 10).events.size(), 4);
    QCOMPARE(textOf(f.holds({})),
             (QStringList{QStringLiteral("b w2 201-300 released"), QStringLiteral("a w1 100-200 released")}));
    QCOMPARE(f.audit({}).entries.constFirst().outcome, domain::Outcome::Unknown);
    QVERIFY(f.begin(intentOf("c3")));
    QVERIFY(f.open()); // nothing is filed twice
    QCOMPARE(f.replay(0, 10).events.size(), 4);
}

/** The disk stays full until the agent ends. The next one finds the events again. */
void TestJournalFaults::endsOnAFullDisk()
{
    JournalFixture killed;
    QVERIFY(killed.open());
    killed.commit({lockEvent(EventKind::Acquired, "a", "w1", 100)});
    QCOMPARE(killed.replay(0, 10).events.size(), 1);
    FaultInjection::failWrites(ENOSPC, "journal.db-wal");
    killed.commit({lockEvent(EventKind::Released, "a", "w1", 200)});
    QTRY_COMPARE(killed.failures.size(), 1);
    JournalFixture f;
    killOnAFullDisk(killed, f);
    QVERIFY(f.open());
    f.journal->append({lockEvent(EventKind::Acquired, "c", "w3", 300)});
    f.close();
    FaultInjection::failWrites(0);
    const auto opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->lastSeq, 2u);
    QCOMPARE(textOf(f.holds({})), QStringList{QStringLiteral("a w1 100-200 released")});
}

void TestJournalFaults::aLinkIsRefused()
{
    for (const bool isAudit : {false, true}) {
        JournalFixture f;
        QVERIFY(
            QFile::link(f.folder.filePath(QStringLiteral("elsewhere")), isAudit ? f.auditPath() : f.path()));
        const auto opened = f.open();
        QVERIFY(!opened);
        QVERIFY2(opened.error().cause.endsWith(QLatin1String("is a symbolic link")),
                 qPrintable(opened.error().line()));
        QVERIFY(!QFile::exists(f.folder.filePath(QStringLiteral("elsewhere"))));
    }
}

void TestJournalFaults::newerSchemaIsRefused()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.close();
    f.sql(QStringLiteral("INSERT INTO schema_version VALUES(99)"));
    const auto opened = f.open();
    QVERIFY(!opened);
    QCOMPARE(opened.error().code, base::ErrorCode::Unsupported);
    QVERIFY(!opened.error().remedy.isEmpty());
    QVERIFY(QDir(f.folder.path()).entryList({QStringLiteral("*.corrupt-*")}).isEmpty());
}

void TestJournalFaults::schemaBeforeTheFirstReleaseIsRefused()
{
    JournalFixture f;
    f.sql(QStringLiteral("CREATE TABLE schema_version(version INTEGER PRIMARY KEY)"));
    f.sql(QStringLiteral("INSERT INTO schema_version VALUES(1), (5)"));
    const auto opened = f.open();
    QVERIFY(!opened);
    QCOMPARE(opened.error().code, base::ErrorCode::Unsupported);
    QVERIFY2(opened.error().line().contains(QLatin1String("schema 5")), qPrintable(opened.error().line()));
    QVERIFY(opened.error().remedy.contains(QLatin1String("Move the files of journal.url away")));
    QCOMPARE(f.sql(QStringLiteral("SELECT count(*) FROM sqlite_master")).toInt(), 1); // left untouched
}

void TestJournalFaults::migrationResumes()
{
    // A crash in the middle of the first migration: its transaction never became true.
    JournalFixture f;
    f.sql(QStringLiteral("CREATE TABLE schema_version(version INTEGER PRIMARY KEY)"));
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100)});
    f.close();
    QCOMPARE(f.sql(QStringLiteral("SELECT max(version) FROM schema_version")).toInt(),
             agent::journal::newestOf(agent::journal::Schema::Journal));
    QVERIFY(f.open()); // and once more is nothing
}

void TestJournalFaults::secondWriterIsRefused()
{
    JournalFixture f;
    QVERIFY(f.open());
    agent::journal::Journal second(f.clock);
    const auto refused = second.open(f.options);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, base::ErrorCode::Busy);
    f.close();
    QVERIFY(second.open(f.options));
}

LOCKKEEPER_TEST(TestJournalFaults)

} // namespace tst_journal_faults

#include "tst_journal_faults.moc"
