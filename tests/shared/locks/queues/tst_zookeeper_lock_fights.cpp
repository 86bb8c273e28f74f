// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/lock_manager.h"
#include "shared/stores/source_spec.h"
#include "tests/shared/stores/zookeeper/queue_client.h"
#include "tests/support/lock_fighter.h"
#include "tests/support/test_program.h"
#include "tests/support/zookeeper_server.h"

#include <QTest>

namespace tst_zookeeper_lock_fights {

using namespace lockkeeper;
using namespace lockkeeper::tests;

namespace {

bool isTaken(locks::Lock &lock)
{
    std::optional<bool> taken;
    lock.tryAcquire([&taken](const base::Result<bool> &result) { taken = result.value_or(false); });
    return QTest::qWaitFor([&taken] { return taken.has_value(); }, 20'000) && *taken;
}

bool isGiven(locks::Lock &lock)
{
    std::optional<bool> given;
    lock.release([&given](const base::Result<bool> &result) { given = result.value_or(false); });
    return QTest::qWaitFor([&given] { return given.has_value(); }, 20'000) && *given;
}

} // namespace

/** Foreign clients and the lock library compete for the same lock. */
class TestZookeeperLockFights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void oneAtATime_data();
    void oneAtATime();
    void readersTogether_data();
    void readersTogether();
    void permits();

private:
    base::Result<std::unique_ptr<locks::LockManager>> managerOf(const QString &preset, int permits = 1) const
    {
        stores::SourceSpec spec;
        spec.url = m_server.url();
        stores::LockSet set;
        set.preset = preset;
        set.scheme = "zookeeper.sequence";
        set.keys.limit = permits;
        return locks::LockManager::open(spec, set, "me");
    }

    ZookeeperServer m_server;
};

void TestZookeeperLockFights::initTestCase()
{
    if (!ZookeeperServer::isInstalled())
        QSKIP(ZookeeperServer::absent());
    QVERIFY(m_server.start());
}

void TestZookeeperLockFights::oneAtATime_data()
{
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("language");
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QString>("preset");
    QTest::addColumn<int>("others");
    const auto row = [](const char *program, const char *language, const char *kind, const char *preset = "",
                        int others = 2) {
        QTest::addRow("%s %s", program, kind) << QByteArray(program) << QByteArray(language)
                                              << QByteArray(kind) << QString::fromLatin1(preset) << others;
    };
    row("kazoo", "python", "lock");
    row("kazoo", "python", "write");
    row("kazoo", "python", "read", "", 1); // two of them would be inside together
    row("curator", "java", "lock", "curator");
    row("curator", "java", "write", "curator-write");
    row("curator", "java", "read", "curator-write", 1);
    row("go-zookeeper", "go", "lock", "zookeeper-recipe"); // it counts every name that ends with a sequence
}

void TestZookeeperLockFights::oneAtATime()
{
    QFETCH(QByteArray, program);
    QFETCH(QByteArray, language);
    QFETCH(QByteArray, kind);
    QFETCH(QString, preset);
    QFETCH(int, others);
    constexpr int kRounds = 25;
    ForeignProgram theirs(program, language);
    theirs.start({{QStringLiteral("ZOOKEEPER"), m_server.address()}});
    if (!theirs.isReady())
        QSKIP(qPrintable(theirs.why));
    const auto manager = managerOf(preset);
    QVERIFY(manager);
    QList<QByteArray> who;
    for (int i = 1; i <= others; ++i)
        who.append(kind + '#' + QByteArray::number(i));
    const QByteArray name = '/' + program + '-' + kind;
    // kazoo's clients don't wait in the queue here: they retry again and again.
    fight(
        theirs, who, name,
        [&] {
            return *(*manager)->lock(name, {std::chrono::seconds(10), true});
        },
        kRounds, program == "kazoo" ? 0 : kRounds);
}

void TestZookeeperLockFights::readersTogether_data()
{
    QTest::addColumn<QByteArray>("language");
    QTest::newRow("kazoo") << QByteArray("python");
    QTest::newRow("curator") << QByteArray("java");
}

/** A reader holds the lock beside other readers, foreign ones included. It neither holds beside a writer that
 * came earlier nor overtakes it. */
void TestZookeeperLockFights::readersTogether()
{
    ForeignClient foreign;
    foreign.program = QTest::currentDataTag();
    QFETCH(QByteArray, language);
    foreign.language = language;
    ForeignProgram theirs(foreign);
    theirs.start({{QStringLiteral("ZOOKEEPER"), m_server.address()},
                  {QStringLiteral("SESSION"), QStringLiteral("20")}});
    if (!theirs.isReady())
        QSKIP(qPrintable(theirs.why));
    const auto manager = managerOf(QString::fromLatin1(foreign.program + "-read"));
    QVERIFY(manager);
    const QByteArray name = "/together-" + foreign.program;
    const auto newLock = [&] { return *(*manager)->lock(name, {std::chrono::seconds(20), true}); };
    const auto first = newLock();
    const auto second = newLock();
    QVERIFY(isTaken(*first) && isTaken(*second));
    QVERIFY(theirs.ask("read acquire " + name + " 4000").startsWith("acquired"));
    QCOMPARE(theirs.ask("write#1 acquire " + name + " 4000"), QByteArray("held"));
    QCOMPARE(theirs.ask("write#2 take " + name), QByteArray("waiting"));
    const auto third = newLock();
    QueueClient line(m_server.url());
    QTRY_COMPARE_WITH_TIMEOUT(line.children(name).children.size(), 4,
                              20'000); // the writer stands in the queue
    QVERIFY(!isTaken(*third));
    bool held = false;
    third->acquire({}, [&held](const base::Result<bool> &result) { held = result.value_or(false); });
    QVERIFY(isGiven(*first) && isGiven(*second));
    QVERIFY(!held);
    QCOMPARE(theirs.ask("read release"), QByteArray("released"));
    QVERIFY(theirs.waited().startsWith("got "));
    QVERIFY(!held);
    QCOMPARE(theirs.ask("write#2 release"), QByteArray("released"));
    QTRY_VERIFY2_WITH_TIMEOUT(held, line.children(name).children.join(' ').constData(), 20'000);
    QVERIFY(isGiven(*third));
}

/** Two permits of a Curator semaphore: one is ours, the other is Curator's. */
void TestZookeeperLockFights::permits()
{
    ForeignProgram theirs("curator", "java");
    theirs.start({{QStringLiteral("ZOOKEEPER"), m_server.address()}});
    if (!theirs.isReady())
        QSKIP(qPrintable(theirs.why));
    const auto manager = managerOf(QStringLiteral("curator-semaphore"), 2);
    QVERIFY(manager);
    const auto newLock = [&] {
        return *(*manager)->lock("/permits/leases", {std::chrono::seconds(20), true});
    };
    const auto ours = newLock();
    const auto second = newLock();
    QVERIFY(isTaken(*ours));
    QVERIFY(theirs.ask("semaphore#1 acquire /permits 4000").startsWith("acquired"));
    QVERIFY(!isTaken(*second));
    QCOMPARE(theirs.ask("semaphore#2 acquire /permits 4000"), QByteArray("held"));
    bool held = false;
    second->acquire({}, [&held](const base::Result<bool> &result) { held = result.value_or(false); });
    QueueClient line(m_server.url());
    QTRY_COMPARE_WITH_TIMEOUT(line.children("/permits/leases").children.size(), 3, 20'000);
    QCOMPARE(theirs.ask("semaphore#2 take /permits"), QByteArray("waiting"));
    QTRY_COMPARE_WITH_TIMEOUT(line.children("/permits/leases").children.size(), 4, 20'000);
    QVERIFY(!held);
    QVERIFY(isGiven(*ours)); // not the last of those before the second one
    QTRY_VERIFY_WITH_TIMEOUT(held, 20'000);
    QCOMPARE(line.children("/permits/leases").children.size(), 3); // theirs still waits
    QCOMPARE(theirs.ask("semaphore#1 release"), QByteArray("released"));
    QVERIFY(theirs.waited().startsWith("got "));
    QVERIFY(isGiven(*second));
    QCOMPARE(theirs.ask("semaphore#2 release"), QByteArray("released"));
}

LOCKKEEPER_TEST(TestZookeeperLockFights)

} // namespace tst_zookeeper_lock_fights

#include "tst_zookeeper_lock_fights.moc"
