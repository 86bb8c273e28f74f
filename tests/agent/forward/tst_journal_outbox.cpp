// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/forward/journal_outbox.h"
#include "tests/agent/forward/fake_hub.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>

namespace tst_journal_outbox {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::forward::OutboxPosition;
using agent::forward::OutboxReading;
using agent::forward::readOutbox;
using agent::hub::HubHole;
using agent::hub::Watermark;
using agent::journal::OutboxLimits;
using events::EventKind;

namespace {

OutboxReading readAt(JournalFixture &f, const OutboxPosition &position, const OutboxLimits &limits = {})
{
    return f.ask([position, limits](agent::journal::Queries &queries) {
        return readOutbox(queries, position, limits);
    });
}

/** Reads the whole journal in batches, as a hub would have it. */
JournalCopy copyOf(JournalFixture &f, const OutboxLimits &limits = {}, int *batches = nullptr)
{
    JournalCopy copy;
    for (int i = 0; i < 1'000; ++i) {
        const OutboxReading reading = readAt(f, {copy.watermark, -1}, limits);
        if (f.lastError != base::Error())
            qWarning("%s", qPrintable(f.lastError.line()));
        if (reading.batch.toSeq < reading.batch.fromSeq && reading.batch.records.isEmpty())
            break;
        const auto added = addTo(copy, reading.batch);
        if (!added) {
            qWarning("%s", qPrintable(added.error().line()));
            break;
        }
        if (batches)
            ++*batches;
    }
    return copy;
}

QString textOf(const HubHole &hole)
{
    return QStringLiteral("%1-%2 %3 @%4-%5")
        .arg(hole.from)
        .arg(hole.to)
        .arg(hole.reason == HubHole::Deleted ? QStringLiteral("deleted") : QStringLiteral("unreadable"))
        .arg(hole.fromUs)
        .arg(hole.toUs);
}

/** Makes the leaves of tables that contain `needle` unreadable, in a file so large that a start doesn't look
 * through each page. Returns their number. */
int damageLeaves(const QString &path, const QByteArray &needle)
{
    constexpr qsizetype kPage = 2'048;
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
    return file.resize(257LL << 20) ? damaged : 0;
}

/** Eight events: two holds of "a" and one of "b", of which the last is open, and a wait for "a". */
QList<events::LockEvent> someEvents()
{
    return {sourceEvent(EventKind::SourceUp, 50),
            lockEvent(EventKind::Acquired, "a", "w1", 100),
            waitEvent(EventKind::WaitStart, "a", "w2", 150),
            lockEvent(EventKind::Acquired, "b", "w3", 180),
            lockEvent(EventKind::Released, "a", "w1", 200),
            waitEvent(EventKind::WaitEnd, "a", "w2", 200),
            lockEvent(EventKind::Acquired, "a", "w2", 200),
            lockEvent(EventKind::Expired, "a", "w2", 400)};
}

} // namespace

class TestJournalOutbox : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEachRowOnce_data();
    void readsEachRowOnce();
    void bytesLimitABatch();
    void endsOfOneTimeStayApart();
    void deletedEventsAreAHole();
    void anEmptiedJournalIsAHole();
    void aLongHoleCarriesItsLocksInParts();
    void damagedEventsAreHoles();
    void anUnreadablePageIsAHole();
    void aDamagedLockKeepsItsEvents();
    void auditFollows();
    void aJournalFromABackupIsForeign();
};

void TestJournalOutbox::readsEachRowOnce_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("batches");
    QTest::newRow("one by one") << 1 << 8;
    QTest::newRow("by three") << 3 << 3;
    QTest::newRow("all at once") << 5'000 << 1;
}

void TestJournalOutbox::readsEachRowOnce()
{
    QFETCH(int, rows);
    QFETCH(int, batches);
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(someEvents());
    int made = 0;
    OutboxLimits limits;
    limits.rows = rows;
    const JournalCopy copy = copyOf(f, limits, &made);
    QCOMPARE(made, batches);
    QCOMPARE(copy.numbers, (QList<qint64>{1, 2, 3, 4, 5, 6, 7, 8}));
    QVERIFY(copy.holes.isEmpty());
    QStringList events;
    for (const auto &row : copy.events)
        events += QStringLiteral("%1 %2").arg(row.lockId.value_or(0)).arg(QString::fromUtf8(row.event.owner));
    QCOMPARE(events.join(QLatin1String(", ")),
             QStringLiteral("0 , 1 w1, 1 w1, 2 w3, 1 w1, 1 w1, 1 w2, 1 w2"));
    QVERIFY(copy.events.at(1).event.after);
    QCOMPARE(copy.events.at(1).event.after->acquiredUs, std::optional<qint64>(100));
    QStringList locks;
    for (const auto &lock : copy.locks)
        locks += QStringLiteral("%1 %2 %3")
                     .arg(lock.lockId)
                     .arg(lock.sourceId)
                     .arg(QString::fromUtf8(lock.key.name));
    QCOMPARE(locks.join(QLatin1String(", ")), QStringLiteral("1 1 a, 2 1 b"));
    QStringList holds;
    for (const auto &row : copy.holds)
        holds += QStringLiteral("%1 %2 %3-%4 %5")
                     .arg(row.holdId)
                     .arg(QString::fromUtf8(row.hold.owner))
                     .arg(row.hold.fromUs)
                     .arg(row.hold.toUs.value_or(0))
                     .arg(QString::fromLatin1(row.hold.end));
    QCOMPARE(holds.join(QLatin1String(", ")), QStringLiteral("2 w1 100-200 released, 7 w2 200-400 expired"));
    QCOMPARE(copy.waits.size(), 1);
    QCOMPARE(copy.waits.constFirst().waitId, 3);
    QCOMPARE(copy.waits.constFirst().lockId, 1);
    QCOMPARE(copy.waits.constFirst().waiter, QByteArray("w2"));
    QCOMPARE(copy.waits.constFirst().fromUs, 150);
    QCOMPARE(copy.waits.constFirst().toUs, 200);
}

void TestJournalOutbox::bytesLimitABatch()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> large;
    for (int i = 0; i < 10; ++i)
        large +=
            lockEvent(EventKind::Acquired, "k" + QByteArray::number(i), QByteArray(40'000, 'w'), 100 + i);
    f.commit(large);
    int made = 0;
    OutboxLimits limits;
    limits.bytes = 200'000;
    QCOMPARE(copyOf(f, limits, &made).numbers.size(), 10);
    QVERIFY2(made >= 2 && made <= 10, qPrintable(QString::number(made)));
    limits.bytes = 1; // a single event may exceed it
    made = 0;
    QCOMPARE(copyOf(f, limits, &made).numbers.size(), 10);
    QCOMPARE(made, 10);
}

/** Several holds and waits of one lock begin and end at the same microsecond. */
void TestJournalOutbox::endsOfOneTimeStayApart()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> events;
    for (int i = 0; i < 3; ++i) {
        events += lockEvent(EventKind::Acquired, "a", "w1", 100);
        events += waitEvent(EventKind::WaitStart, "a", "w2", 100);
        events += waitEvent(EventKind::WaitEnd, "a", "w2", 100);
        events += lockEvent(EventKind::Released, "a", "w1", 100);
    }
    f.commit(events);
    for (const int rows : {1, 2, 5, 100}) {
        OutboxLimits limits;
        limits.rows = rows;
        const JournalCopy copy = copyOf(f, limits);
        QList<qint64> holds;
        for (const auto &row : copy.holds)
            holds += row.holdId;
        QList<qint64> waits;
        for (const auto &wait : copy.waits)
            waits += wait.waitId;
        QCOMPARE(holds, (QList<qint64>{1, 5, 9}));
        QCOMPARE(waits, (QList<qint64>{2, 6, 10}));
    }
}

void TestJournalOutbox::deletedEventsAreAHole()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(someEvents());
    (void)f.history({});
    f.sql(QStringLiteral("DELETE FROM events WHERE seq <= 4"));
    const JournalCopy fromStart = copyOf(f);
    QCOMPARE(fromStart.holes.size(), 1);
    QCOMPARE(textOf(fromStart.holes.constFirst()), QStringLiteral("1-4 deleted @0-200"));
    QCOMPARE(fromStart.numbers, (QList<qint64>{1, 2, 3, 4, 5, 6, 7, 8}));
    QCOMPARE(fromStart.locks.size(), 2);
    const OutboxReading later = readAt(f, {{2, 1, 0}, -1});
    QCOMPARE(later.batch.holes.size(), 1);
    QCOMPARE(textOf(later.batch.holes.constFirst()), QStringLiteral("3-4 deleted @0-200"));
    QCOMPARE(later.batch.toSeq, 4);
}

void TestJournalOutbox::anEmptiedJournalIsAHole()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(someEvents());
    (void)f.history({});
    f.sql(QStringLiteral("DELETE FROM events"));
    const JournalCopy copy = copyOf(f);
    QCOMPARE(copy.watermark.lastSeq, 8);
    QCOMPARE(textOf(copy.holes.constFirst()), QStringLiteral("1-8 deleted @0-%1").arg(f.clock.wallUs()));
}

void TestJournalOutbox::aLongHoleCarriesItsLocksInParts()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> many;
    for (int i = 0; i < 41'000; ++i)
        many += lockEvent(EventKind::Acquired, "k" + QByteArray::number(i), "w", 100 + i);
    f.commit(many);
    (void)f.history({});
    f.sql(QStringLiteral("DELETE FROM events WHERE seq <= 40900"));
    int made = 0;
    const JournalCopy copy = copyOf(f, {}, &made);
    QCOMPARE(copy.numbers.size(), 41'000);
    QCOMPARE(copy.locks.size(), 41'000);
    QCOMPARE(copy.events.size(), 100);
    QCOMPARE(copy.holes.size(), 3);
    QCOMPARE(copy.holes.at(0).to, 20'000);
    QCOMPARE(copy.holes.at(2).to, 40'900);
}

void TestJournalOutbox::damagedEventsAreHoles()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(someEvents());
    (void)f.history({});
    f.sql(QStringLiteral("UPDATE events SET t_us = t_us + 1 WHERE seq IN (3, 4, 8)"));
    const JournalCopy copy = copyOf(f);
    QCOMPARE(copy.numbers, (QList<qint64>{1, 2, 3, 4, 5, 6, 7, 8}));
    QCOMPARE(copy.holes.size(), 2);
    QCOMPARE(textOf(copy.holes.at(0)), QStringLiteral("3-4 unreadable @100-200"));
    QCOMPARE(textOf(copy.holes.at(1)), QStringLiteral("8-8 unreadable @200-%1").arg(f.clock.wallUs()));
}

/** SQLite can't read the page of a table, so that no statement can walk over it. */
void TestJournalOutbox::anUnreadablePageIsAHole()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> many;
    for (int i = 0; i < 600; ++i) {
        many += lockEvent(EventKind::Released, "k" + QByteArray::number(i % 7), "w", 100 + i);
        if (i >= 300 && i < 320)
            many.last().detail.others.insert(QStringLiteral("note"), QStringLiteral("a needle"));
    }
    f.commit(many);
    f.close();
    QVERIFY(damageLeaves(f.path(), "a needle") > 0);
    QVERIFY(f.open());
    const JournalCopy copy = copyOf(f);
    QCOMPARE(copy.numbers.size(), 600);
    qint64 missing = 0;
    for (const HubHole &hole : copy.holes) {
        QVERIFY(hole.reason == HubHole::Unreadable && hole.from > 200 && hole.to < 450);
        missing += hole.to - hole.from + 1;
    }
    QVERIFY(missing >= 20);
    QCOMPARE(copy.events.size(), 600 - missing);
    for (const auto &row : copy.events)
        QVERIFY(!row.event.detail.others.contains(QLatin1String("note")));
}

void TestJournalOutbox::aDamagedLockKeepsItsEvents()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(someEvents());
    (void)f.history({});
    f.sql(QStringLiteral("UPDATE locks SET checksum = checksum + 1 WHERE lock_id = 1"));
    f.sql(QStringLiteral("DELETE FROM locks WHERE lock_id = 2"));
    const JournalCopy copy = copyOf(f);
    QCOMPARE(copy.events.size(), 8);
    QCOMPARE(copy.locks.size(), 2);
    for (const auto &lock : copy.locks) {
        QCOMPARE(lock.sourceId, 1);
        QCOMPARE(lock.key.name, QByteArray());
    }
}

void TestJournalOutbox::auditFollows()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({sourceEvent(EventKind::SourceUp, 50)});
    const auto intent = f.begin(intentOf("c1"));
    QVERIFY(intent);
    QVERIFY(f.end(intent->auditId, domain::Outcome::Released));
    f.open(); // a start signs the head
    OutboxReading reading = readAt(f, {});
    QCOMPARE(reading.batch.records.size(), 2);
    QVERIFY(reading.batch.records.at(0).isIntact());
    QCOMPARE(reading.batch.records.at(1).previous, reading.batch.records.at(0).hash);
    QVERIFY(!reading.batch.signatures.isEmpty());
    const domain::AuditSignature &signature = reading.batch.signatures.constLast();
    QCOMPARE(signature.records, 2);
    QCOMPARE(signature.hash, reading.batch.records.at(1).hash);
    reading = readAt(f, {{1, 0, 2}, -1}); // in another run the agent doesn't know what it sent
    QVERIFY(reading.batch.records.isEmpty());
    QCOMPARE(reading.batch.signatures.size(), 1);
    QVERIFY(readAt(f, {{1, 0, 2}, 2}).isEmpty());
}

void TestJournalOutbox::aJournalFromABackupIsForeign()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(someEvents());
    QVERIFY(!readAt(f, {{8, 2, 0}, -1}).isForeign);
    const OutboxReading reading = readAt(f, {{9, 2, 0}, -1});
    QVERIFY(reading.isForeign && reading.isEmpty());
}

LOCKKEEPER_TEST(TestJournalOutbox)

} // namespace tst_journal_outbox

#include "tst_journal_outbox.moc"
