// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/same_locks.h"
#include "tests/support/test_program.h"

#include <QtTest>

namespace tst_same_locks {

using namespace lockkeeper;
using app::session::betterSource;
using app::session::storeIdentity;
using domain::SourceState;

class TestSameLocks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void identityNamesARunningServer_data();
    void identityNamesARunningServer();
    void whatProvesNothingIsNoIdentity_data();
    void whatProvesNothingIsNoIdentity();
    void betterComesFirst_data();
    void betterComesFirst();
    void firstDifferenceCounts();
    void sourcesOfAnElection_data();
    void sourcesOfAnElection();
};

const QByteArray kRun = "3b5f6a3e20f54f0ca6b80c2a0c1a7f103b5f6a3e";

SourceState sourceOf(const QByteArray &store, const QByteArray &instance, const QString &address = {})
{
    SourceState source;
    source.store = store;
    source.instance = instance;
    source.address = address;
    return source;
}

void TestSameLocks::identityNamesARunningServer_data()
{
    QTest::addColumn<SourceState>("a");
    QTest::addColumn<SourceState>("b");
    QTest::addColumn<bool>("same");

    const auto redis = [](const QByteArray &run, const char *address = "redis://h:6379/0") {
        return sourceOf("redis", run, QString::fromLatin1(address));
    };
    QTest::newRow("Redis by another address")
        << redis(kRun) << redis(kRun, "redis+sentinel://s/orders") << true;
    QTest::newRow("Redis, another run") << redis(kRun) << redis(QByteArray(40, '0')) << false;
    QTest::newRow("MariaDB") << sourceOf("mysql", "Xa+1=:1795212345") << sourceOf("mysql", "Xa+1=:1795212345")
                             << true;
    QTest::newRow("MariaDB in two containers of one hardware address")
        << sourceOf("mysql", "Xa+1=:1795212345") << sourceOf("mysql", "Xa+1=:1795212399") << false;
    QTest::newRow("PostgreSQL and its standby")
        << sourceOf("postgresql", "7015545877453537036:1795212345678901")
        << sourceOf("postgresql", "7015545877453537036:1795212399678901") << false;
    QTest::newRow("another kind of store")
        << sourceOf("mysql", "7:1") << sourceOf("postgresql", "7:1") << false;
}

void TestSameLocks::identityNamesARunningServer()
{
    QFETCH(SourceState, a);
    QFETCH(SourceState, b);
    QFETCH(bool, same);
    QVERIFY(!storeIdentity(a).isEmpty());
    QVERIFY(!storeIdentity(b).isEmpty());
    QCOMPARE(storeIdentity(a) == storeIdentity(b), same);
}

void TestSameLocks::whatProvesNothingIsNoIdentity_data()
{
    QTest::addColumn<SourceState>("source");

    QTest::newRow("not told") << sourceOf("redis", {}, QStringLiteral("redis://h:6379/0"));
    QTest::newRow("a cluster") << sourceOf("redis", "cluster", QStringLiteral("redis+cluster://h:1"));
    QTest::newRow("a Redlock's addresses")
        << sourceOf("redis", kRun, QStringLiteral("redlock://h:1,h:2,h:3"));
    QTest::newRow("a MariaDB without a uid") << sourceOf("mysql", ":1795212345");
    QTest::newRow("a PostgreSQL that may not be asked") << sourceOf("postgresql", ":1795212345678901");
    QTest::newRow("a server without a start") << sourceOf("mysql", "Xa+1=:");
    QTest::newRow("a file") << sourceOf("sqlite", "2049:131");
    QTest::newRow("a store of later days") << sourceOf("etcd", "7:1");
}

void TestSameLocks::whatProvesNothingIsNoIdentity()
{
    QFETCH(SourceState, source);
    QCOMPARE(storeIdentity(source), QByteArray());
}

SourceState seen(domain::Link link, domain::ObservationMode mode, qint64 pollMs, bool mayBreak = true)
{
    SourceState source;
    source.link = link;
    source.mode = mode;
    source.pollMs = pollMs;
    source.access = {{"observe:a", false, false, {}}, {"break:a", mayBreak, true, {}}};
    return source;
}

void TestSameLocks::betterComesFirst_data()
{
    using domain::Link;
    using domain::ObservationMode;
    QTest::addColumn<SourceState>("better");
    QTest::addColumn<SourceState>("worse");

    const SourceState usual = seen(Link::Up, ObservationMode::Poll, 500);
    QTest::newRow("up") << usual << seen(Link::Down, ObservationMode::Poll, 500);
    QTest::newRow("up, not connecting") << usual << seen(Link::Connecting, ObservationMode::Poll, 500);
    QTest::newRow("pushed") << seen(Link::Up, ObservationMode::Push, 500) << usual;
    QTest::newRow("polled more often") << seen(Link::Up, ObservationMode::Poll, 499) << usual;
    QTest::newRow("may break") << usual << seen(Link::Up, ObservationMode::Poll, 500, false);
}

void TestSameLocks::betterComesFirst()
{
    QFETCH(SourceState, better);
    QFETCH(SourceState, worse);
    QCOMPARE(betterSource(better, worse), -1);
    QCOMPARE(betterSource(worse, better), 1);
    QCOMPARE(betterSource(better, better), 0);
}

void TestSameLocks::firstDifferenceCounts()
{
    using domain::Link;
    using domain::ObservationMode;
    // Each state beats all later states by the first criterion that differs, and loses to them by every later
    // criterion.
    const QList<SourceState> falling{
        seen(Link::Up, ObservationMode::Push, 9000, false), seen(Link::Up, ObservationMode::Poll, 100, false),
        seen(Link::Up, ObservationMode::Poll, 200, true), seen(Link::Down, ObservationMode::Push, 50, true)};
    for (qsizetype i = 0; i < falling.size(); ++i) {
        for (qsizetype j = 0; j < falling.size(); ++j)
            QCOMPARE(betterSource(falling.at(i), falling.at(j)), i < j ? -1 : i > j ? 1 : 0);
    }
}

void TestSameLocks::sourcesOfAnElection_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("address");
    QTest::addColumn<bool>("same");
    QTest::newRow("the other agent's") << QStringLiteral("b/orders") << QStringLiteral("redis://one") << true;
    QTest::newRow("another name") << QStringLiteral("b/stock") << QStringLiteral("redis://one") << false;
    QTest::newRow("another address") << QStringLiteral("b/orders") << QStringLiteral("redis://two") << false;
}

void TestSameLocks::sourcesOfAnElection()
{
    QFETCH(QString, name);
    QFETCH(QString, address);
    SourceState mine = sourceOf("redis", {}, QStringLiteral("redis://one"));
    mine.name = QStringLiteral("a/orders");
    SourceState other = sourceOf("redis", kRun, address);
    other.name = name;
    QTEST(app::session::isSameConfigured(mine, other), "same");
}

LOCKKEEPER_TEST(TestSameLocks)

} // namespace tst_same_locks

#include "tst_same_locks.moc"
