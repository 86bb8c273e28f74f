// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/simulation/scenario.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>
#include <QTest>

namespace tst_scenario {

using namespace lockkeeper;
using namespace lockkeeper::locks::simulation;

namespace {

const QByteArray kSource = "[[source]]\nname = \"s\"\nurl = \"redis://127.0.0.1/0\"\n"
                           "[[source.locks]]\nscheme = \"redis.token\"\nmatch = \"job-*\"\n"
                           "[[source.locks]]\nscheme = \"redis.json\"\nmatch = \"sync-*\"\n";

} // namespace

class TestScenario : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads();
    void refuses_data();
    void refuses();
    void spreads();
};

void TestScenario::reads()
{
    const auto scenario =
        parseScenario("seed = 7\nfor = \"5m\"\n" + kSource +
                          "[[workers]]\nsource = \"s\"\nworkers = 20\nper_process = 10\nlock = "
                          "\"job-{n}\"\nlocks = 3\npick = \"own\"\nttl = \"10s\"\nhold = [\"1s\", "
                          "\"5s\"]\nidle = \"~2s\"\nwait = \"0s\"\nrenew = false\ncrash = 0.25\n"
                          "restart = \"3s\"\nowner = \"w\"\n"
                          "[[workers]]\nlock = [\"sync-a\", \"sync-b\"]\n",
                      QStringLiteral("x.toml"));
    QVERIFY2(scenario, scenario ? "" : qPrintable(scenario.error().first().text()));
    QCOMPARE(scenario->seed, 7U);
    QCOMPARE(scenario->forUs, std::optional<qint64>(300'000'000));
    QCOMPARE(scenario->groups.size(), 2);
    const WorkerGroup &first = scenario->groups.first();
    QCOMPARE(first.names, (QList<QByteArray>{"job-0", "job-1", "job-2"}));
    QCOMPARE(first.set.scheme, QByteArray("redis.token"));
    QCOMPARE(first.hold, (RandomDuration{1'000'000, 5'000'000, false}));
    QCOMPARE(first.idle, (RandomDuration{2'000'000, 2'000'000, true}));
    QCOMPARE(first.restart, (RandomDuration{3'000'000, 3'000'000, false}));
    QCOMPARE(first.waitUs, std::optional<qint64>(0));
    QCOMPARE(first.crash, 0.25);
    QVERIFY(!first.anyLock && !first.renews);
    QCOMPARE(scenario->groups.last().set.scheme, QByteArray("redis.json"));
    QVERIFY(!scenario->groups.last().waitUs);
}

void TestScenario::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char *name, const QByteArray &workers, const char *says) {
        QTest::newRow(name) << kSource + "[[workers]]\n" + workers << QByteArray(says);
    };
    QTest::newRow("no workers") << kSource << QByteArray("no [[workers]]");
    QTest::newRow("no source") << QByteArray("[[workers]]\nlock = \"a\"\n") << QByteArray("[[source]]");
    QTest::newRow("longer than a timer takes")
        << "for = \"25d\"\n" + kSource + "[[workers]]\nlock = \"job-a\"\n"
        << QByteArray("1ms to 24d");
    row("no lock", "", "\"lock\"");
    row("an unknown key", "lock = \"job-a\"\nholds = \"1s\"\n", "Did you mean \"hold\"?");
    row("an unknown source", "lock = \"job-a\"\nsource = \"t\"\n", "no source \"t\"");
    row("a lock that no set takes", "lock = \"other\"\n", "no lock set");
    row("locks of two sets", "lock = [\"job-a\", \"sync-a\"]\n", "no lock set");
    row("not a duration", "lock = \"job-a\"\nhold = \"3\"\n", "is not a duration");
    row("the wrong way round", "lock = \"job-a\"\nhold = [\"3s\", \"1s\"]\n", "isn't a duration");
    row("three of them", "lock = \"job-a\"\nhold = [\"1s\", \"2s\", \"3s\"]\n", "isn't a duration");
    row("longer than a timer takes, too", "lock = \"job-a\"\nidle = [\"1s\", \"25d\"]\n", "24d");
    row("longer in the worst case", "lock = \"job-a\"\nhold = \"~3d\"\n", "a tenth");
    row("likelier than sure", "lock = \"job-a\"\ncrash = 1.5\n", "a number from 0 to 1");
    row("nobody", "lock = \"job-a\"\nworkers = 0\n", "a whole number");
}

void TestScenario::refuses()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    const auto scenario = parseScenario(text, QStringLiteral("x.toml"));
    QVERIFY(!scenario);
    QByteArray all;
    for (const config::Problem &problem : scenario.error())
        all += problem.text().toUtf8() + '\n';
    QVERIFY2(all.contains(says), all.constData());
}

void TestScenario::spreads()
{
    QRandomGenerator random(1);
    double sum = 0;
    for (int i = 0; i < 2'000; ++i) {
        const qint64 us = RandomDuration{1'000, 3'000, false}.draw(random);
        QVERIFY(us >= 1'000 && us <= 3'000);
        const qint64 exponential = RandomDuration{1'000, 1'000, true}.draw(random);
        QVERIFY(exponential >= 0 && exponential <= 10'000);
        sum += double(exponential);
    }
    QVERIFY(sum / 2'000 > 900 && sum / 2'000 < 1'100);
    QCOMPARE((RandomDuration{5, 5, false}.draw(random)), 5);
}

LOCKKEEPER_TEST(TestScenario)

} // namespace tst_scenario

#include "tst_scenario.moc"
