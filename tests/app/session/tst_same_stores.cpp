// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/same_stores.h"
#include "tests/support/test_program.h"

#include <QtTest>

namespace tst_same_stores {

using namespace lockkeeper;
using app::session::SameStores;

class TestSameStores : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void strangersAreAlone();
    void theBetterComesFirst();
    void changesAreTold();
    void aLostAgentComesLast();
    void anAgentThatLeftIsForgotten();
};

namespace {

domain::SourceState stateOf(const char *name, const QByteArray &run, qint64 pollMs = 500)
{
    domain::SourceState state;
    state.name = QString::fromLatin1(name);
    state.store = "redis";
    state.instance = run;
    state.link = domain::Link::Up;
    state.pollMs = pollMs;
    return state;
}

QStringList list(const char *names)
{
    return QString::fromLatin1(names).split(QLatin1Char(' '));
}

} // namespace

void TestSameStores::strangersAreAlone()
{
    SameStores stores;
    QVERIFY(!stores.take(stateOf("a/s", "run1")));
    QVERIFY(!stores.take(stateOf("b/s", "run2")));
    QVERIFY(!stores.take(stateOf("c/s", {})));
    QVERIFY(!stores.take(stateOf("d/s", {}))); // no proof of being the same store
    QVERIFY(stores.isEmpty());
    QCOMPARE(stores.of(QStringLiteral("a/s")), list("a/s"));
    QCOMPARE(stores.of(QStringLiteral("no/such")), list("no/such"));
    QCOMPARE(stores.bestOf(QStringLiteral("b/s")), QStringLiteral("b/s"));
}

void TestSameStores::theBetterComesFirst()
{
    SameStores stores;
    stores.take(stateOf("a/s", "run", 2000));
    QVERIFY(stores.take(stateOf("b/t", "run", 500)));
    QVERIFY(stores.take(stateOf("c/s", "run", 2000)));
    QCOMPARE(stores.of(QStringLiteral("a/s")), list("b/t a/s c/s"));
    QCOMPARE(stores.of(QStringLiteral("b/t")), stores.of(QStringLiteral("c/s")));
    QCOMPARE(stores.bestOf(QStringLiteral("c/s")), QStringLiteral("b/t"));
}

void TestSameStores::changesAreTold()
{
    SameStores stores;
    domain::SourceState a = stateOf("a/s", "run"), b = stateOf("b/s", "run");
    stores.take(a);
    QVERIFY(stores.take(b));
    QVERIFY(!stores.take(b));
    b.lastSeenUs = 5; // no hint at the better observer
    QVERIFY(!stores.take(b));
    b.mode = domain::ObservationMode::Push;
    QVERIFY(stores.take(b));
    QCOMPARE(stores.bestOf(a.name), b.name);
    b.mode = domain::ObservationMode::Poll;
    QVERIFY(stores.take(b)); // push ended
    QCOMPARE(stores.bestOf(a.name), a.name);
    a.link = domain::Link::Down;
    QVERIFY(stores.take(a));
    QCOMPARE(stores.bestOf(a.name), b.name);
    a.link = domain::Link::Up;
    a.instance = "another run"; // the server was started again, and "b" hasn't noticed yet
    QVERIFY(stores.take(a));
    QVERIFY(stores.isEmpty());
    b.instance = "another run";
    QVERIFY(stores.take(b));
    stores.clear();
    QVERIFY(stores.isEmpty());
}

void TestSameStores::aLostAgentComesLast()
{
    SameStores stores;
    QVERIFY(!stores.setLive(QStringLiteral("a"), true));
    stores.take(stateOf("a/s", "run", 100));
    stores.take(stateOf("b/s", "run"));
    QVERIFY(stores.setLive(QStringLiteral("a"), false));
    QCOMPARE(stores.bestOf(QStringLiteral("a/s")), QStringLiteral("b/s"));
    QVERIFY(!stores.setLive(QStringLiteral("a"), false));
    QVERIFY(stores.setLive(QStringLiteral("b"), false)); // both lost: the same order as with both live
    QCOMPARE(stores.bestOf(QStringLiteral("b/s")), QStringLiteral("a/s"));
    stores.setLive(QStringLiteral("a"), true);
    stores.setLive(QStringLiteral("b"), true);
    QCOMPARE(stores.bestOf(QStringLiteral("b/s")), QStringLiteral("a/s"));
}

void TestSameStores::anAgentThatLeftIsForgotten()
{
    SameStores stores;
    stores.take(stateOf("a/s", "run"));
    stores.take(stateOf("b/s", "run"));
    stores.setLive(QStringLiteral("a"), false);
    QVERIFY(stores.forget(QStringLiteral("a")));
    QVERIFY(stores.isEmpty());
    QVERIFY(!stores.forget(QStringLiteral("a")));
    stores.take(stateOf("a/s", "run")); // another, live agent of that name
    QCOMPARE(stores.bestOf(QStringLiteral("b/s")), QStringLiteral("a/s"));
}

LOCKKEEPER_TEST(TestSameStores)

} // namespace tst_same_stores

#include "tst_same_stores.moc"
