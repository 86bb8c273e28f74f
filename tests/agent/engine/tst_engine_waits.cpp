// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/change_rate.h"
#include "engine_rig.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_engine_waits {

using namespace lockkeeper;
using tests::EngineRig;
using tests::kT0;

/**
 * Waiters, sessions, versions, and leases that no store enforces: the store's data and the engine's answer.
 */
class EngineWaitsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waits_data();
    void waits();
    void leases_data();
    void leases();
    void clientClocks_data();
    void clientClocks();
    void versions_data();
    void versions();
    void sessions_data();
    void sessions();
    void readingJudgesAnew_data();
    void readingJudgesAnew();
    void increases_data();
    void increases();
    void minuteSlides();
    void contendedIsCounted();
    void anEmptyQueueProvesNothing();
    void crowdsStayCheap();
    void graphTellsItsEvidence();
    void graphsWithoutTimesAreDated();
    void idleLocksStaySmall();
};

namespace {

void columns()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
}

void row(const char *name, const char *script, const char *expected)
{
    QTest::newRow(name) << QString::fromUtf8(script) << QString::fromUtf8(expected);
}

void compare(const stores::SourceSpec &spec)
{
    QFETCH(QString, script);
    QFETCH(QString, expected);
    EngineRig rig(spec);
    rig.run(QStringLiteral("up\nscan"));
    QStringList wanted;
    for (const QString &line : expected.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        wanted.append(line.trimmed());
    QCOMPARE(rig.run(script).trimmed(), wanted.join(QLatin1Char('\n')));
}

} // namespace

void EngineWaitsTest::waits_data()
{
    columns();
    row("begun when the store says", "at 500\n scan a;A;-|w=\n at 1000\n scan a;A;-|w=B@700",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 700");
    row("begun between two sightings", "at 500\n scan a;A;-|w=\n at 1000\n scan a;A;-|w=B",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 1000 window 500");
    row("begun in the store's own window", "at 500\n scan a;A;-|w=\n at 1000\n scan a;A;-|w=B@900~300",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 900 window 300");
    row("begun before it was seen to: the store is believed",
        "at 500\n scan a;A;-|w=\n at 1000\n scan a;A;-|w=B@300",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 300");
    row("a date in the future is cut", "at 500\n scan a;A;-|w=\n at 1000\n scan a;A;-|w=B@1300",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 1000");
    row("there with the lock", "at 500\n scan a;A;-|w=B",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 500 window 500");
    row("still waits", "at 500\n scan a;A;-|w=B@400\n at 900\n scan a;A;-|w=B@400",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 400");
    row("a vaguer date later changes nothing",
        "at 500\n scan a;A;-|w=B@400\n at 900\n scan a;A;-|w=B@450~100",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 400");
    row("gave up", "at 500\n scan a;A;-|w=B@400\n at 900\n scan a;A;-|w=",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 400\n"
        "wait_end a by A waiter B at 900 window 400 since 400 {\"outcome\":\"left\"}");
    row("another wait of the same one", "at 500\n scan a;A;-|w=B@400\n at 900\n scan a;A;-|w=B@700",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 400\n"
        "wait_end a by A waiter B at 900 window 400 since 400 {\"outcome\":\"left\"}\n"
        "wait_start a by A waiter B at 700");
    row("acquired", "at 500\n scan a;A;-|w=B@400,C@450\n at 900\n scan a;B;-|w=C@450",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 400\n"
        "wait_start a by A waiter C at 450\n taken_over a by B at 900 window 400 {\"previous\":\"A\"}\n"
        "wait_end a by B waiter B at 900 window 400 since 400 {\"outcome\":\"acquired\"}");
    row("acquired after a force-release",
        "at 500\n scan a;A;-|w=B@400\n forced a A c1\n at 510\n look a;B;-|w=",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 400\n ? a\n"
        "force_released a by A at 510 window 10 command c1 seen 500\n"
        "acquired a by B at 510 window 10\n"
        "wait_end a by B waiter B at 510 window 10 since 400 {\"outcome\":\"acquired\"}");
    row("the lock went", "at 500\n scan a;A;-|w=B@400\n at 900\n look a",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 400\n"
        "released a by A at 900 window 400 seen 500\n"
        "wait_end a by A waiter B at 900 window 400 since 400 {\"outcome\":\"lock_gone\"}");
    row("a fair queue whose holder changes three times: each wait is whole",
        "at 500\n scan a;A;-|w=B,C,D\n at 900\n look a|q=3\n at 910\n look a;B;-|w=C,D\n at 1500\n look "
        "a|q=2\n"
        "at 1510\n look a|q=2\n at 1520\n look a;C;-|w=D\n at 2000\n look a|q=1\n at 2010\n look a;D;-|w=",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 500 window 500\n"
        "wait_start a by A waiter C at 500 window 500\n wait_start a by A waiter D at 500 window 500\n"
        "released a by A at 900 window 400 seen 500\n acquired a by B at 910 window 10\n"
        "wait_end a by B waiter B at 910 window 10 since 500 {\"outcome\":\"acquired\"}\n"
        "released a by B at 1500 window 590 seen 910\n acquired a by C at 1520 window 10\n"
        "wait_end a by C waiter C at 1520 window 10 since 500 {\"outcome\":\"acquired\"}\n"
        "released a by C at 2000 window 480 seen 1520\n acquired a by D at 2010 window 10\n"
        "wait_end a by D waiter D at 2010 window 10 since 500 {\"outcome\":\"acquired\"}");
    row("one left while nobody held it",
        "at 500\n scan a;A;-|w=B,C\n at 900\n look a|q=2\n at 1000\n scan\n at 1010\n look a|q=1\n at 1500\n "
        "scan "
        "a;C;-|w=",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 500 window 500\n"
        "wait_start a by A waiter C at 500 window 500\n released a by A at 900 window 400 seen 500\n ? a\n"
        "acquired a by C at 1500 window 490\n"
        "wait_end a by C waiter B at 1500 window 490 since 500 {\"outcome\":\"left\"}\n"
        "wait_end a by C waiter C at 1500 window 490 since 500 {\"outcome\":\"acquired\"}");
    row("the queue empties after the lock went",
        "at 500\n scan a;A;-|w=B\n at 900\n look a|q=1\n at 1000\n scan\n at 1010\n look a\n at 1500\n scan\n"
        "at 2000\n scan a;B;-|w=C",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 500 window 500\n"
        "released a by A at 900 window 400 seen 500\n ? a\n"
        "wait_end a by A waiter B at 1010 window 110 since 500 {\"outcome\":\"lock_gone\"}\n"
        "acquired a by B at 2000 window 500\n wait_start a by B waiter C at 2000 window 500");
    row("order changes without an event",
        "at 500\n scan a;A;-|w=B@400,C@450\n at 900\n scan a;A;-|w=C@450,B@400",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 400\n"
        "wait_start a by A waiter C at 450\n ~ a held by A <- C <- B");
    row("not shown any more isn't over", "at 500\n scan a;A;-|w=B@400\n at 900\n scan a;A;-",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 400\n ~ a held by A");
    row("never shown: nothing said", "at 500\n scan a;A;-\n at 900\n scan a;A;-",
        "acquired a by A at 500 window 500");
    row("shown only now: no telling when it began", "at 500\n scan a;A;-\n at 900\n scan a;A;-|w=B",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 900 {\"first_seen\":true}");
    row("of two sightings that overlap neither is the later",
        "at 500\n scan a;A;-|w=B@400\n span 100\n at 550\n page a;A;-|w=\n span 0\n at 900\n scan "
        "a;A;-|w=B@400",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 400");
    row("across a gap", "at 500\n scan a;A;-|w=B@400\n down\n at 5000\n up\n at 5200\n scan a;A;-|w=C@5100",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 400\n"
        "source_down at 500 {\"cause\":\"unreachable\"}\n gap_opened at 500 {\"cause\":\"source_down\"}\n"
        "source_up at 5000\n scan\n"
        "wait_end a by A waiter B at 5200 window 4700 since 400 {\"cause\":\"gap\",\"outcome\":\"left\"}\n"
        "wait_start a by A waiter C at 5100\n gap_closed at 5200");
    row("twice in one list", "at 500\n scan a;A;-|w=B@400,B@400",
        "acquired a by A at 500 window 500\n wait_start a by A waiter B at 400");
}

void EngineWaitsTest::waits()
{
    compare(EngineRig::redisSpec());
}

void EngineWaitsTest::leases_data()
{
    columns();
    row("expired once, and its row's going is no second end",
        "at 500\n scan j;H;200;900|held\n at 1000\n scan j;H;200;900|held\n at 1500\n scan "
        "j;H;200;900|held\n "
        "at 2000\n scan\n at 2001\n look j",
        "acquired j by H at 200 ttl 700\n expired j by H at 900 ttl 700 seen 500\n ? j\n "
        "changed j by H at 2001 window 501 {\"state\":\"gone\"}");
    row("expired, then taken by another",
        "at 500\n scan j;H;200;900|held\n at 1000\n scan j;H;200;900|held\n"
        "at 1500\n scan j;K;1200;9000",
        "acquired j by H at 200 ttl 700\n expired j by H at 900 ttl 700 seen 500\n"
        "acquired j by K at 1200 ttl 7800");
    row("expired, then force-released",
        "at 500\n scan j;H;200;900|held\n at 1000\n scan j;H;200;900|held\n forced j H@200 c7\n at 1100\n "
        "look j",
        "acquired j by H at 200 ttl 700\n expired j by H at 900 ttl 700 seen 500\n ? j\n"
        "force_released j by H at 1100 window 100 ttl 700 command c7 seen 1000");
    row("expired, then renewed by the same one",
        "at 500\n scan j;H;200;900|held\n at 1000\n scan j;H;200;900|held\n at 1500\n scan j;H;200;9000",
        "acquired j by H at 200 ttl 700\n expired j by H at 900 ttl 700 seen 500\n"
        "acquired j by H at 1500 window 500 ttl 7500");
    row("renewed unseen and expired since",
        "at 500\n scan j;H;200;900|held\n at 2000\n scan j;H;200;1500|held",
        "acquired j by H at 200 ttl 700\n expired j by H at 1500 ttl 700 seen 500");
    row("expired already when first seen",
        "at 1500\n scan j;H;200;900|held\n at 2000\n scan j;H;200;900|held",
        "acquired j by H at 200 ttl 700\n expired j by H at 900 seen 200");
    row("over before anybody looked: no event",
        "at 1500\n scan j;H;-900;-100|held\n at 2000\n scan j;H;-900;-100|held\n at 2500\n scan "
        "j;K;2200;9000",
        "changed j by H at 1500 window 1500 {\"state\":\"expired\"}\n acquired j by K at 2200 ttl 6800");
    row("deleted before its deadline, looked for after it",
        "at 500\n scan j;H;200;900|held\n at 1000\n look j",
        "acquired j by H at 200 ttl 700\n released j by H at 1000 window 500 ttl 700 seen 500");
    row("no deadline where there should be one",
        "at 500\n scan j;H;?|held\n at 700000\n scan j;H;-|held\n at 1300001\n scan j;H;-|held",
        "acquired j by H at 500 window 500\n changed j by H at 700000 window 699500 {\"state\":\"held\"}\n"
        "stuck j by H at 1300000 {\"reason\":\"no_expiry\"}");
}

void EngineWaitsTest::leases()
{
    stores::SourceSpec spec = EngineRig::insertSpec(true);
    spec.locks[0].noExpiryAfterUs = 600'000'000;
    compare(spec);
}

void EngineWaitsTest::clientClocks_data()
{
    columns();
    // The application's clock is five minutes ahead of the store's, or behind it.
    row("behind: its deadline expires nothing",
        "at 500\n scan j;H;-299500;-270000|held\n at 1000\n scan j;H;-299500;-270000|held",
        "acquired j by H at 500 window 500");
    row("ahead", "at 500\n scan j;H;300200;330200|held\n at 1000\n scan\n at 1001\n look j",
        "acquired j by H at 500 window 500 ttl 329700\n ? j\n"
        "released j by H at 1001 window 501 ttl 329700 seen 500");
    row("its times date no event", "at 500\n scan j;H;200;9000\n at 1000\n scan j;K;700;9000",
        "acquired j by H at 500 window 500 ttl 8500\n"
        "taken_over j by K at 1000 window 500 ttl 8000 {\"previous\":\"H\"}");
}

void EngineWaitsTest::clientClocks()
{
    stores::SourceSpec spec = EngineRig::insertSpec(true);
    spec.clientClock = true;
    compare(spec);
}

void EngineWaitsTest::versions_data()
{
    columns();
    row("no rate before the second reading", "at 500\n scan o;;-|v=41", "~ o optimistic version 41");
    row("increments", "at 500\n scan o;;-|v=41\n at 1000\n scan o;;-|v=44\n at 1500\n scan o;;-|v=45",
        "~ o optimistic version 41\n ~ o optimistic version 44 rate 3\n ~ o optimistic version 45 rate 4");
    row("a minute later they are over",
        "at 0\n scan o;;-|v=1\n at 1000\n scan o;;-|v=3\n at 30000\n scan o;;-|v=3\n at 61000\n scan "
        "o;;-|v=3",
        "~ o optimistic version 1\n ~ o optimistic version 3 rate 2\n ~ o optimistic version 3 rate 0");
    row("a decrease is no increment",
        "at 500\n scan o;;-|v=41\n at 1000\n scan o;;-|v=1\n at 1500\n scan o;;-|v=2",
        "~ o optimistic version 41\n ~ o optimistic version 1 rate 0\n ~ o optimistic version 2 rate 1");
    row("what happened in a long silence has no date", "at 500\n scan o;;-|v=41\n at 90000\n scan o;;-|v=99",
        "~ o optimistic version 41\n ~ o optimistic version 99");
    row("past 2^64", "at 500\n scan o;;-|v=18446744073709551615\n at 1000\n scan o;;-|v=18446744073709551617",
        "~ o optimistic version 18446744073709551615\n ~ o optimistic version 18446744073709551617 rate 2");
    row("not a number", "at 500\n scan o;;-|v=a1\n at 1000\n scan o;;-|v=a2",
        "~ o optimistic version a1\n ~ o optimistic version a2");
    row("gone", "at 500\n scan o;;-|v=41\n at 900\n look o", "~ o optimistic version 41\n - o");
}

void EngineWaitsTest::versions()
{
    stores::SourceSpec spec = EngineRig::insertSpec(false);
    spec.locks[0].scheme = "sql.version";
    compare(spec);
}

void EngineWaitsTest::sessions_data()
{
    columns();
    row("idle too long is stuck", "at 500\n scan r;7;-|s=7@400\n at 610000\n scan r;7;-|s=7@400",
        "acquired r by 7 at 500 window 500\n stuck r by 7 at 600500 {\"reason\":\"no_sign_of_life\"}");
    row("a statement is a sign of life",
        "at 500\n scan r;7;-|s=7@400\n at 300000\n scan r;7;-|s=7@-\n at 610000\n scan r;7;-|s=7@299000",
        "acquired r by 7 at 500 window 500\n ~ r held by 7 session 7\n ~ r held by 7 session 7");
    row("so is whatever a guard's freshness compares",
        "at 500\n scan r;7;-|f=1\n at 300000\n scan r;7;-|f=2\n at 610000\n scan r;7;-|f=2\n at 900000\n "
        "scan r;7;-|f=2",
        "acquired r by 7 at 500 window 500\n stuck r by 7 at 900000 {\"reason\":\"no_sign_of_life\"}");
    row("its own words change the state", "at 500\n scan r;7;-|s=7@400\n at 900\n scan r;7;-|s=7@400",
        "acquired r by 7 at 500 window 500");
}

void EngineWaitsTest::sessions()
{
    stores::SourceSpec spec = EngineRig::insertSpec(false);
    spec.locks[0].scheme = "sql.row";
    compare(spec);
}

void EngineWaitsTest::readingJudgesAnew_data()
{
    QTest::addColumn<domain::ExpiryKind>("expiry");
    QTest::addColumn<QByteArray>("freshness");
    QTest::addColumn<domain::StuckReason>("stuck");
    using domain::ExpiryKind;
    using domain::StuckReason;
    QTest::newRow("as it was") << ExpiryKind::None << QByteArray("1") << StuckReason::NoExpiry;
    QTest::newRow("renewed since") << ExpiryKind::At << QByteArray("2") << StuckReason::None;
    QTest::newRow("a sign of life since") << ExpiryKind::None << QByteArray("2") << StuckReason::None;
}

/** The table still shows it as stuck: a release follows the reading. */
void EngineWaitsTest::readingJudgesAnew()
{
    QFETCH(domain::ExpiryKind, expiry);
    QFETCH(QByteArray, freshness);
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\n scan\n at 500\n scan a;A;-|f=1\n at 40000\n scan a;A;-|f=1"));
    rig.advanceUs(1'000);
    stores::Inspection read;
    read.lock.name = "a";
    read.lock.held = true;
    read.lock.owner = read.lock.identity = read.lock.token = "A";
    read.lock.expiry = expiry;
    read.lock.expiresBy = domain::Evidence::Ttl;
    read.lock.expiresUs = rig.storeUs() + 30'000'000;
    read.lock.freshness = freshness;
    read.storeUs = rig.storeUs();
    QTEST(rig.engine().table().stateOf(read).stuck, "stuck");
    QVERIFY(rig.engine().table().locks().constFirst().stuck != domain::StuckReason::None);
}

void EngineWaitsTest::increases_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<qint64>("grown"); // −1: can't be compared
    const auto line = [](const char *before, const char *after, qint64 grown) {
        QTest::addRow("%s to %s", before, after) << QByteArray(before) << QByteArray(after) << grown;
    };
    line("1", "1", 0);
    line("1", "2", 1);
    line("9", "10", 1);
    line("10", "9", 0);
    line("007", "8", 1);
    line("99999999999999999999999999", "100000000000000000000000000", 1);
    line("18446744073709551615", "18446744073709551616", 1);
    line("0", "999999999999999999", 999'999'999'999'999'999);
    line("", "1", -1);
    line("-1", "1", -1);
    line("1.5", "2", -1);
    line("1", "2 ", -1);
}

void EngineWaitsTest::increases()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(qint64, grown);
    const auto result = agent::engine::increase(before, after);
    QCOMPARE(result ? qint64(*result) : -1, grown);
}

void EngineWaitsTest::minuteSlides()
{
    agent::engine::ChangeRate rate;
    QVERIFY(!rate.perMinute());
    qint64 version = 0;
    // One a second: after a minute the rate is 60, except for the current step of five seconds.
    for (qint64 second = 1; second <= 300; ++second) {
        rate.read(QByteArray::number(version), QByteArray::number(version + 1), kT0 + second * 1'000'000);
        ++version;
        if (second > 60)
            QVERIFY2(*rate.perMinute() > 55 && *rate.perMinute() <= 60,
                     qPrintable(QString::number(*rate.perMinute())));
    }
    rate.read("0", "99999999999999999999", kT0 + 301'000'000);
    QCOMPARE(*rate.perMinute(), std::numeric_limits<quint32>::max());
    rate.read("1", "1", kT0); // the clock was set back
    QVERIFY(!rate.perMinute());
}

void EngineWaitsTest::contendedIsCounted()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\n scan"));
    const auto contended = [&rig] { return rig.engine().state(rig.now()).counts.contended; };
    rig.run(QStringLiteral("at 500\n scan a;A;-|w=B@400 b;B;-|w="));
    QCOMPARE(contended(), 1);
    rig.run(QStringLiteral("at 600\n scan a;A;-|w=B@400,C b;B;-|w=D"));
    QCOMPARE(contended(), 2);
    rig.run(QStringLiteral("at 700\n scan a;C;-|w= b;B;-|w=D"));
    QCOMPARE(contended(), 1);
    rig.run(QStringLiteral("at 800\n look a\n look b"));
    QCOMPARE(contended(), 0);
}

void EngineWaitsTest::crowdsStayCheap()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\n scan\n at 500\n scan a;A;-|w="));
    QStringList names;
    for (int i = 0; i < 1'000; ++i)
        names.append(QStringLiteral("w%1@600").arg(i));
    const auto shown = [](const QString &printed) { return printed.count(QLatin1Char('\n')); };
    QCOMPARE(shown(rig.run(QStringLiteral("at 1000\n scan a;A;-|w=") + names.join(QLatin1Char(',')))), 1'000);
    QCOMPARE(shown(rig.run(QStringLiteral("at 1500\n scan a;A;-|w="))), 1'000);
    QVERIFY(rig.difference().isEmpty());
    // A crowd's events carry each list of waiters once, not once per waiter.
    stores::Page page{rig.storeUs(), rig.storeUs(), {}};
    stores::Observation seen;
    seen.name = "b";
    seen.held = true;
    seen.owner = seen.identity = "A";
    seen.waitersVisible = true;
    for (int i = 0; i < 1'000; ++i)
        seen.waiters.append({QByteArray::number(i), rig.storeUs(), {}, 0});
    page.locks = {seen};
    qsizetype listed = 0;
    for (const events::LockEvent &event : rig.engine().pageRead(page, rig.now()).events)
        listed += event.after ? event.after->waiters.size() : 0;
    QVERIFY2(listed <= 2'000, qPrintable(QString::number(listed)));
}

/** Redisson's plain and spin locks have no queue; a fair one's comes and goes, and its waits are dated. */
void EngineWaitsTest::anEmptyQueueProvesNothing()
{
    stores::SourceSpec spec = EngineRig::redisSpec();
    spec.locks[0].scheme = "redis.redisson";
    EngineRig rig(spec);
    const auto visible = [&rig] { return rig.engine().table().locks().constFirst().waitersVisible; };
    rig.run(QStringLiteral("up\n scan\n at 500\n scan a;A;60000|w="));
    QVERIFY(!visible());
    QCOMPARE(rig.run(QStringLiteral("at 700\n look a;A;59800|w=B")),
             QStringLiteral("wait_start a by A waiter B at 700 window 200 ttl 60000\n"));
    QVERIFY(visible());
    QVERIFY(rig.run(QStringLiteral("at 900\n look a;A;59600|w="))
                .startsWith(QLatin1String("wait_end a by A waiter B")));
    QVERIFY(!visible());
    QCOMPARE(rig.difference(), QString());
}

/** Behind a holder all wait for it, and the graph says what shows that. */
void EngineWaitsTest::graphTellsItsEvidence()
{
    for (const bool registered : {false, true}) {
        stores::SourceSpec spec = EngineRig::redisSpec();
        spec.locks[0].scheme = registered ? "redis.token" : "redis.redisson";
        spec.locks[0].waitersRegistered = registered;
        EngineRig rig(spec);
        rig.run(QStringLiteral("up\n scan\n at 500\n scan a;A;60000|w=B,C"));
        const domain::WaitGraph graph = rig.engine().table().queues();
        QCOMPARE(graph.edges.size(), 2);
        QCOMPARE(graph.evidence, QByteArray(registered ? "registered" : "redisson_lock_queue"));
        for (const domain::WaitEdge &edge : graph.edges)
            QCOMPARE(edge.blocker, QByteArray("A"));
    }
}

/** etcd and ZooKeeper show the order of a queue, but not since when each contender stands in it. */
void EngineWaitsTest::graphsWithoutTimesAreDated()
{
    stores::SourceSpec spec = EngineRig::redisSpec();
    EngineRig rig(spec);
    rig.run(QStringLiteral("up\n scan\n at 500\n scan a;A;60000|w=B\n at 900\n scan a;A;59600|w=B,C"));
    const auto lock = rig.engine().table().locks().first();
    QCOMPARE(lock.waiters.size(), 2);
    QVERIFY(lock.waiters.at(0).sinceUs && lock.waiters.at(1).sinceUs);
    domain::LockKey other = lock.key;
    other.name = "other";
    const domain::TimeUs own = lock.waiters.at(1).sinceUs.value() - 7;
    domain::WaitGraph graph;
    graph.edges = {{"session-b", "session-a", lock.key, {}, 0, "B"},
                   {"C", "session-b", lock.key, {}, 0, {}},
                   {"C", "session-b", lock.key, own, 3, {}},
                   {"D", "session-b", lock.key, {}, 0, {}},
                   {"C", "session-b", other, {}, 0, {}}};
    rig.engine().table().dateWaits(graph);
    QCOMPARE(graph.edges.at(0).sinceUs, lock.waiters.at(0).sinceUs);
    QCOMPARE(graph.edges.at(1).sinceUs, lock.waiters.at(1).sinceUs);
    QCOMPARE(graph.edges.at(1).windowUs, lock.waiters.at(1).windowUs);
    QCOMPARE(graph.edges.at(2).sinceUs, own); // the store knows it better
    QVERIFY(!graph.edges.at(3).sinceUs);
    QVERIFY(!graph.edges.at(4).sinceUs);
}

void EngineWaitsTest::idleLocksStaySmall()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.setQuiet(true);
    rig.run(QStringLiteral("up\n scan\n at 500"));
    stores::Page page{rig.storeUs(), rig.storeUs(), {}};
    for (int i = 0; i < 10'000; ++i) {
        stores::Observation seen;
        seen.name = "lock:orders:" + QByteArray::number(i);
        seen.held = true;
        seen.owner = seen.identity = seen.token = "6f1e2d3c4b5a69788796a5b4c3d2e1f0" + QByteArray::number(i);
        seen.waitersVisible = true;
        page.locks.append(seen);
    }
    rig.take(rig.engine().pageRead(page, rig.now()));
    const qint64 each = rig.engine().memoryBytes() / 10'000;
    QVERIFY2(each <= 300, qPrintable(QString::number(each)));
}

LOCKKEEPER_TEST(EngineWaitsTest)

} // namespace tst_engine_waits

#include "tst_engine_waits.moc"
