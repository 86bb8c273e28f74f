// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/durations.h"
#include "app/words/lock_text.h"
#include "app/words/scheme_words.h"
#include "app/words/time_format.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <ctime>

namespace tst_formats {

using namespace lockkeeper;
using app::words::Durations;
using app::words::LockText;
using app::words::Mark;
using app::words::TimeFormat;

class FormatsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void durations_data();
    void durations();
    void shortOnes_data();
    void shortOnes();
    void inSentences_data();
    void inSentences();
    void remainingStopsAtZero_data();
    void remainingStopsAtZero();
    void heldForCarriesItsMark();
    void holders_data();
    void holders();
    void namesAreEscaped();
    void times();
    void unnamedWaiters();
    void everySchemeSaysWhatItsHolderNotices();

private:
    static domain::LockState held()
    {
        domain::LockState state;
        state.phase = domain::Phase::Held;
        state.acquiredUs = 1'000'000'000;
        return state;
    }
};

void FormatsTest::unnamedWaiters()
{
    domain::LockState state = held();
    state.key.scheme = "redis.token";
    QVERIFY(LockText::unnamedWaiters(state, 0).contains(QLatin1String("in this scheme")));
    state.key.scheme = "redis.redisson";
    QVERIFY(LockText::unnamedWaiters(state, 0).contains(QLatin1String("not visible now")));
    state.waiting = 2;
    state.seenUs = 1'000'000;
    const QString counted = LockText::unnamedWaiters(state, 41'000'000);
    QVERIFY2(counted.startsWith(QLatin1String("2 process")) && counted.contains(QLatin1String("40")),
             qPrintable(counted));
}

void FormatsTest::everySchemeSaysWhatItsHolderNotices()
{
    for (const QByteArray scheme :
         {"redis.token", "redis.json", "redis.redisson", "redis.semaphore", "sql.shedlock", "sql.insert",
          "sql.lease", "sql.reentrant", "etcd.lease", "zookeeper.sequence"})
        QVERIFY2(!app::words::SchemeWords::noticed(scheme).isEmpty(), scheme.constData());
}

void FormatsTest::durations_data()
{
    QTest::addColumn<qint64>("us");
    QTest::addColumn<Mark>("mark");
    QTest::addColumn<QString>("text");
    QTest::newRow("tenths") << qint64(24'890'000) << Mark::None << QStringLiteral("24.8 s");
    QTest::newRow("zero") << qint64(0) << Mark::None << QStringLiteral("0.0 s");
    QTest::newRow("under a minute") << qint64(59'999'999) << Mark::None << QStringLiteral("59.9 s");
    QTest::newRow("a minute") << qint64(60'000'000) << Mark::None << QStringLiteral("00:01:00");
    QTest::newRow("hours") << qint64(872'000'000) << Mark::None << QStringLiteral("00:14:32");
    QTest::newRow("days") << qint64(274'320'000'000) << Mark::None << QStringLiteral("3d 04:12");
    QTest::newRow("past") << qint64(-72'000'000) << Mark::None << QStringLiteral("−00:01:12");
    QTest::newRow("window") << qint64(872'000'000) << Mark::About << QStringLiteral("~ 00:14:32");
    QTest::newRow("unseen start") << qint64(9'667'000'000) << Mark::AtLeast << QStringLiteral("≥ 02:41:07");
}

void FormatsTest::durations()
{
    QFETCH(qint64, us);
    QFETCH(Mark, mark);
    QFETCH(QString, text);
    QCOMPARE(Durations::text(us, mark), text);
}

void FormatsTest::shortOnes_data()
{
    QTest::addColumn<qint64>("us");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << qint64(-30) << QStringLiteral("0 ms");
    QTest::newRow("tenths") << qint64(400) << QStringLiteral("0.4 ms");
    QTest::newRow("behind") << qint64(-6'820) << QStringLiteral("−6.8 ms");
    QTest::newRow("whole") << qint64(42'900) << QStringLiteral("42 ms");
    QTest::newRow("seconds") << qint64(1'300'000) << QStringLiteral("1.3 s");
}

void FormatsTest::shortOnes()
{
    QFETCH(qint64, us);
    QFETCH(QString, text);
    QCOMPARE(Durations::shortText(us), text);
}

void FormatsTest::inSentences_data()
{
    QTest::addColumn<qint64>("us");
    QTest::addColumn<QString>("text");
    QTest::newRow("milliseconds") << qint64(902'000) << QStringLiteral("902 ms");
    QTest::newRow("seconds") << qint64(24'800'000) << QStringLiteral("24.8 s");
    QTest::newRow("minutes") << qint64(93'400'000) << QStringLiteral("1 min 33 s");
    QTest::newRow("hours") << qint64(9'667'000'000) << QStringLiteral("2 h 41 min");
    QTest::newRow("days") << qint64(274'320'000'000) << QStringLiteral("3 d 4 h");
}

/** "00:01:33 ago" would read as a time of day. */
void FormatsTest::inSentences()
{
    QFETCH(qint64, us);
    QFETCH(QString, text);
    QCOMPARE(Durations::inSentence(us), text);
}

void FormatsTest::remainingStopsAtZero_data()
{
    QTest::addColumn<int>("phase");
    QTest::addColumn<int>("expiry");
    QTest::addColumn<qint64>("leftUs");
    QTest::addColumn<QString>("text");
    const int at = int(domain::ExpiryKind::At);
    QTest::newRow("left") << int(domain::Phase::Held) << at << qint64(5'000'000) << QStringLiteral("5.0 s");
    QTest::newRow("zero, not seen expired")
        << int(domain::Phase::Held) << at << qint64(-7'000'000) << QStringLiteral("0.0 s");
    QTest::newRow("seen expired") << int(domain::Phase::Expired) << at << qint64(-7'000'000)
                                  << QStringLiteral("−7.0 s");
    QTest::newRow("no expiry") << int(domain::Phase::Held) << int(domain::ExpiryKind::None) << qint64(0)
                               << QStringLiteral("no expiry");
    QTest::newRow("not told") << int(domain::Phase::Held) << int(domain::ExpiryKind::Unknown) << qint64(0)
                              << QStringLiteral("?");
    QTest::newRow("free") << int(domain::Phase::Free) << at << qint64(0) << QStringLiteral("—");
    QTest::newRow("nonsense") << int(domain::Phase::Unknown) << at << qint64(0) << QStringLiteral("?");
}

void FormatsTest::remainingStopsAtZero()
{
    QFETCH(int, phase);
    QFETCH(int, expiry);
    QFETCH(qint64, leftUs);
    QFETCH(QString, text);
    domain::LockState state = held();
    state.phase = domain::Phase(phase);
    state.expiry = domain::ExpiryKind(expiry);
    state.expiresUs = 2'000'000'000 + leftUs;
    QCOMPARE(Durations::remaining(state, 2'000'000'000), text);
}

void FormatsTest::heldForCarriesItsMark()
{
    domain::LockState state = held();
    QCOMPARE(Durations::heldFor(state, 1'005'000'000), QStringLiteral("5.0 s"));
    state.windowUs = 500'000;
    QCOMPARE(Durations::heldFor(state, 1'005'000'000), QStringLiteral("~ 5.0 s"));
    state.acquiredBy = domain::Evidence::FirstSeen;
    QCOMPARE(Durations::heldFor(state, 1'005'000'000), QStringLiteral("≥ 5.0 s"));
    state.acquiredUs.reset();
    QCOMPARE(Durations::heldFor(state, 1'005'000'000), QStringLiteral("?"));
    state.phase = domain::Phase::Free;
    QCOMPARE(Durations::heldFor(state, 1'005'000'000), QStringLiteral("—"));
}

void FormatsTest::holders_data()
{
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<bool>("known");
    QTest::addColumn<QString>("text");
    QTest::newRow("uuid") << QByteArray("3b5f9c1e-77aa-4c1f-9a10-2bb1f0c7d2e1") << true
                          << QStringLiteral("3b5f9c1e");
    QTest::newRow("hex") << QByteArray("3b5f9c1e77aa4c1f9a102bb1f0c7d2e1") << true
                         << QStringLiteral("3b5f9c1e");
    QTest::newRow("embedded") << QByteArray("worker-3@10.2.3.17:9c1f77aa4c1f9a10") << true
                              << QStringLiteral("worker-3@10.2.3.17");
    QTest::newRow("host") << QByteArray("backup-host-01") << true << QStringLiteral("backup-host-01");
    QTest::newRow("null") << QByteArray() << false << QStringLiteral("NULL");
    QTest::newRow("nobody") << QByteArray() << true << QStringLiteral("—");
    QTest::newRow("hostile") << QByteArray("a\x1b[2Jb") << true << QStringLiteral("a\\x1b[2Jb");
}

void FormatsTest::holders()
{
    QFETCH(QByteArray, owner);
    QFETCH(bool, known);
    QFETCH(QString, text);
    QCOMPARE(LockText::holder(owner, known), text);
}

void FormatsTest::namesAreEscaped()
{
    domain::LockKey key{QStringLiteral("s"), "redis.token", "db0", "a\xe2\x80\xaegnp.exe"};
    QCOMPARE(LockText::name(key), QStringLiteral("a\\u202egnp.exe"));
    key.name = "<img src=x>";
    QCOMPARE(LockText::name(key), QStringLiteral("<img src=x>"));
}

void FormatsTest::times()
{
    TimeFormat format;
    format.setZone(app::words::Zone::Utc);
    constexpr qint64 at = 1'795'212'345'678'901;
    QCOMPARE(format.zoneText(at), QStringLiteral("UTC"));
    QCOMPARE(format.dateTime(at), QStringLiteral("2026-11-20 22:05:45"));
    QCOMPARE(format.exact(at), QStringLiteral("2026-11-20 22:05:45.678901 UTC"));
    QCOMPARE(TimeFormat::rfc3339(at), QStringLiteral("2026-11-20T22:05:45.678901Z"));
    format.setMilliseconds(true);
    QCOMPARE(format.time(at), QStringLiteral("22:05:45.678"));
    QCOMPARE(format.nearTime(at, at + 86'400'000'000), QStringLiteral("2026-11-20 22:05:45.678"));
    QCOMPARE(format.shortTime(at, at + 1'000'000), QStringLiteral("22:05:45.678"));
    QCOMPARE(format.shortTime(at, at + 86'400'000'000), QStringLiteral("11-20 22:05"));
    QCOMPARE(format.shortTime(at, at + 400 * 86'400'000'000), QStringLiteral("2026-11-20"));
    qputenv("TZ", "Asia/Shanghai");
    tzset();
    format.setZone(app::words::Zone::Local);
    QCOMPARE(format.zoneText(at), QStringLiteral("UTC+8"));
    QCOMPARE(format.time(at), QStringLiteral("06:05:45.678"));
}

LOCKKEEPER_TEST(FormatsTest)

} // namespace tst_formats

#include "tst_formats.moc"
