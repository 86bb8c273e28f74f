// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

namespace tst_journal_unforwarded {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;

namespace {

constexpr qint64 kDay = 86'400'000'000;
constexpr qint64 kThen = 100 * kDay;

/** Commits `events` events, alternately of holds that begin and end, of which every second has a wait. */
void commitOld(JournalFixture &f, int events)
{
    QList<events::LockEvent> some;
    for (int i = 0; i < events; i += 4) {
        const QByteArray name = "k" + QByteArray::number(i / 4 % 20);
        some += lockEvent(EventKind::Acquired, name, "w1", kThen + i);
        some += waitEvent(EventKind::WaitStart, name, "w2", kThen + i + 1);
        some += waitEvent(EventKind::WaitEnd, name, "w2", kThen + i + 2);
        some += lockEvent(EventKind::Released, name, "w1", kThen + i + 3);
    }
    f.commit(some);
}

/** Waits until a whole round of retention has run. */
void retain(JournalFixture &f)
{
    f.sql(QStringLiteral("INSERT INTO rollup_hours(at, lock_id, holds, held_us, waits, waited_us, forced, "
                         "expired, takeovers) VALUES(1, 1, 0, 0, 0, 0, 0, 0, 0)"));
    f.roll();
    QTRY_COMPARE(f.sql(QStringLiteral("SELECT count(*) FROM rollup_hours WHERE at = 1")).toInt(), 0);
    (void)f.history({});
}

/** A journal whose events are ten days old, while it keeps one day. */
bool openOld(JournalFixture &f, int events, const QList<agent::journal::UnforwardedEvents> &unforwarded)
{
    f.options.keepDays = 1;
    f.options.keepRollupsDays = 20;
    f.options.unforwarded = unforwarded;
    f.clock.setWallUs(kThen);
    if (!f.open())
        return false;
    commitOld(f, events);
    f.clock.setWallUs(kThen + 10 * kDay);
    return f.open().has_value();
}

qint64 countOf(JournalFixture &f, const char *table)
{
    return f.sql(QStringLiteral("SELECT count(*) FROM %1").arg(QLatin1String(table))).toLongLong();
}

} // namespace

class TestJournalUnforwarded : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutAReceiverOldEventsGo();
    void whatAReceiverLacksStays();
    void theSlowestReceiverCounts();
    void noMoreStaysThanItsLimit();
};

void TestJournalUnforwarded::withoutAReceiverOldEventsGo()
{
    JournalFixture f;
    QVERIFY(openOld(f, 40, {}));
    retain(f);
    QCOMPARE(countOf(f, "events"), 0);
}

void TestJournalUnforwarded::whatAReceiverLacksStays()
{
    JournalFixture f;
    QVERIFY(openOld(f, 40, {{0, 1'024}}));
    retain(f);
    QCOMPARE(countOf(f, "events"), 40);
    QCOMPARE(countOf(f, "holds"), 10);
    QCOMPARE(countOf(f, "waits"), 10);
    f.journal->setUnforwarded({{20, 1'024}});
    retain(f);
    QCOMPARE(countOf(f, "events"), 20);
    QTRY_COMPARE(f.journal->firstSeq(), 21u);
    QCOMPARE(countOf(f, "holds"), 5);
    QCOMPARE(countOf(f, "waits"), 5);
    f.journal->setUnforwarded({{40, 1'024}});
    retain(f);
    QCOMPARE(countOf(f, "events"), 0);
}

void TestJournalUnforwarded::theSlowestReceiverCounts()
{
    JournalFixture f;
    QVERIFY(openOld(f, 40, {{30, 1'024}, {8, 1'024}, {40, 1'024}}));
    retain(f);
    QCOMPARE(countOf(f, "events"), 32);
}

void TestJournalUnforwarded::noMoreStaysThanItsLimit()
{
    JournalFixture f;
    QVERIFY(openOld(f, 40'000, {{0, 1}}));
    retain(f);
    const qint64 left = countOf(f, "events");
    QVERIFY2(left > 1'000 && left < 20'000, qPrintable(QString::number(left)));
    const qint64 pages = f.sql(QStringLiteral("PRAGMA page_count")).toLongLong() -
                         f.sql(QStringLiteral("PRAGMA freelist_count")).toLongLong();
    QVERIFY2(pages * 2'048 < 3'000'000, qPrintable(QString::number(pages)));
}

LOCKKEEPER_TEST(TestJournalUnforwarded)

} // namespace tst_journal_unforwarded

#include "tst_journal_unforwarded.moc"
