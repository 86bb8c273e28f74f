// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/overview/past.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_past {

using namespace lockkeeper;
using namespace lockkeeper::app::overview;

namespace {

constexpr qint64 kHour = 3'600'000'000;
constexpr qint64 kMinute = 60'000'000;
constexpr qint64 kFrom = 1'795'000'000'000'000;

protocol::ContentionPage costs(const QList<qint64> &waited)
{
    protocol::ContentionPage page;
    page.fromUs = kFrom;
    page.toUs = kFrom + kHour;
    for (const qint64 us : waited) {
        domain::Contention lock;
        lock.key.name = QByteArray::number(us);
        lock.waits = {us > 0 ? 2 : 0, us, 0, 0, 0};
        lock.acquisitions = 10;
        lock.forced = 1;
        lock.observedUs = kHour / 2;
        page.locks.append(lock);
    }
    return page;
}

protocol::SourceWaiting source(const char *name, const QList<events::Interval> &gaps, qint64 seenUntilUs,
                               const QList<qint64> &waited = {})
{
    return {QString::fromLatin1(name), seenUntilUs, gaps, waited};
}

} // namespace

/** The compared hours: their sums, and the observed share of each. */
class TestPast : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hours();
    void sums();
    void sumsBeyondTheLimit();
    void unobservedIsUnknown();
    void minutesHaveHoles();
    void topIsOfThoseThatWereWaitedFor();
    void breaksOfADay();
};

void TestPast::hours()
{
    const auto three = hoursBefore(kFrom);
    QCOMPARE(three[0], (events::Interval{kFrom - kHour, kFrom}));
    QCOMPARE(three[1], (events::Interval{kFrom - 25 * kHour, kFrom - 24 * kHour}));
    QCOMPARE(three[2], (events::Interval{kFrom - 169 * kHour, kFrom - 168 * kHour}));
}

void TestPast::sums()
{
    protocol::WaitingPage seen{1, kFrom, kFrom + kHour, {}};
    seen.sources = {source("a", {{kFrom, kFrom + 6 * kMinute}}, kFrom + kHour),
                    source("b", {}, kFrom + kHour)};
    protocol::ContentionPage page = costs({30, 12});
    page.more = true;
    const Hour hour = hourOf(page, seen);
    QCOMPARE(hour.waitedUs, 42);
    QCOMPARE(hour.waits, 4);
    QCOMPARE(hour.acquisitions, 20);
    QCOMPARE(hour.forced, 2);
    QVERIFY(hour.atLeast && hour.isKnown());
    QCOMPARE(hour.observed.value_or(0), 0.95); // of the time of both sources
}

/**
 * The agent sums the waits of all locks, also of locks beyond the list. An older agent doesn't: its sums are
 * lower bounds.
 */
void TestPast::sumsBeyondTheLimit()
{
    const protocol::WaitingPage seen{1, kFrom, kFrom + kHour, {source("a", {}, kFrom + kHour)}};
    protocol::ContentionPage page = costs({30, 12});
    page.more = true;
    QVERIFY(hourOf(page, seen).waitsAtLeast); // an older agent's page
    page.waitedUs = 99;
    page.waits = 9;
    const Hour hour = hourOf(page, seen);
    QCOMPARE(hour.waitedUs, 99);
    QCOMPARE(hour.waits, 9);
    QVERIFY(!hour.waitsAtLeast);
    QVERIFY(hour.atLeast); // for acquisitions and breaks
    QCOMPARE(hour.acquisitions, 20);
    page.acquisitions = 70;
    page.forced = 3;
    const Hour all = hourOf(page, seen);
    QVERIFY(!all.atLeast);
    QCOMPARE(all.acquisitions, 70);
    QCOMPARE(all.forced, 3);
}

/**
 * In the ranking, a quiet hour looks like an unobserved hour. The observed share distinguishes
 * them.
 */
void TestPast::unobservedIsUnknown()
{
    protocol::WaitingPage seen{1, kFrom, kFrom + kHour, {}};
    seen.sources = {source("a", {{kFrom, kFrom + kHour}}, kFrom + kHour)};
    QVERIFY(!hourOf(costs({}), seen).isKnown());
    QCOMPARE(hourOf(costs({}), seen).observed.value_or(1), 0.0);
    seen.sources = {source("a", {}, kFrom + kHour)};
    QVERIFY(hourOf(costs({}), seen).isKnown());
    // Time that the source hasn't reached yet counts neither as observed nor as unobserved.
    seen.sources = {source("a", {}, kFrom + kHour - 700'000)};
    QCOMPARE(hourOf(costs({}), seen).observed.value_or(0), 1.0);
    seen.sources.clear();
    QVERIFY(!hourOf(costs({}), seen).observed);
}

void TestPast::minutesHaveHoles()
{
    protocol::WaitingPage page{1, kFrom, kFrom + 4 * kMinute, {}};
    const qint64 until = kFrom + 4 * kMinute - kMinute / 2;
    page.sources = {
        source("a", {{kFrom + kMinute, kFrom + 2 * kMinute}}, until, {kMinute, 0, 3 * kMinute, kMinute}),
        source("b", {{kFrom + 2 * kMinute, kFrom + 2 * kMinute + kMinute / 2}}, until,
               {kMinute, kMinute, kMinute / 2, 0})};
    const QList<Minute> minutes = minutesOf(page);
    QCOMPARE(minutes.size(), 4);
    QCOMPARE(minutes.at(0).waiting.value_or(-1), 2.0);
    QCOMPARE(minutes.at(0).observed, 1.0);
    QVERIFY(!minutes.at(1).waiting); // of "a" nothing is known: no sum
    QCOMPARE(minutes.at(1).observed, 0.5);
    QCOMPARE(minutes.at(2).waiting.value_or(-1), 4.0); // one waiter throughout the observed half minute
    QCOMPARE(minutes.at(2).observed, 0.75);
    QCOMPARE(minutes.at(3).waiting.value_or(-1), 2.0); // up to now
    QCOMPARE(minutes.at(3).span, (events::Interval{kFrom + 3 * kMinute, kFrom + 4 * kMinute}));
    QVERIFY(minutesOf({}).isEmpty());
    // An unobserved source makes no hole in the whole chart; the view names it instead.
    QVERIFY(blindOf(page).isEmpty());
    page.sources.append(source("gone", {{kFrom, page.toUs}}, page.toUs, {0, 0, 0, 0}));
    QCOMPARE(blindOf(page), QStringList{QStringLiteral("gone")});
    QCOMPARE(minutesOf(page).at(0).waiting.value_or(-1), 2.0);
    QVERIFY(!minutesOf(page).at(1).waiting);
    page.sources = {page.sources.last()};
    QVERIFY(!minutesOf(page).at(0).waiting);
}

void TestPast::topIsOfThoseThatWereWaitedFor()
{
    const QList<domain::Contention> top = topOf(costs({9, 8, 7, 6, 5, 4}));
    QCOMPARE(top.size(), 5);
    QCOMPARE(top.first().waits.totalUs, 9);
    QVERIFY(topOf(costs({0, 0})).isEmpty());
}

void TestPast::breaksOfADay()
{
    protocol::AuditPage page;
    page.more = true;
    for (int i = 0; i < 9; ++i) {
        domain::AuditEntry entry;
        entry.timeUs = kFrom - i * kHour;
        if (i == 3)
            entry.key.scheme = domain::AuditEntry::kProbe;
        if (i == 1)
            entry.outcome = domain::Outcome::WouldRelease; // a reaper on trial: nothing was broken
        page.entries.append(entry);
    }
    Breaks breaks = breaksOf(page, kFrom - 7 * kHour);
    QCOMPARE(breaks.count, 6);
    QVERIFY(!breaks.atLeast); // the page reaches further back
    QCOMPARE(breaks.last.size(), 5);
    QCOMPARE(breaks.last.last().timeUs, kFrom - 6 * kHour);
    breaks = breaksOf(page, kFrom - 24 * kHour);
    QCOMPARE(breaks.count, 7);
    QVERIFY(breaks.atLeast);
}

LOCKKEEPER_TEST(TestPast)

} // namespace tst_past

#include "tst_past.moc"
