// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/script.h"
#include "tests/support/redlock_race.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redlock_race {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** A break on three nodes among clients at full speed removes only the lock that its guard names, on each
 * node. */
class TestRedlockRace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (RedisServer::version() < 602)
            QSKIP("its clients need PXAT, which Redis 6.2 brought");
        QVERIFY(m_nodes.start(3));
        m_rounds = qEnvironmentVariableIntValue("LOCKKEEPER_RACE_ROUNDS");
        if (m_rounds <= 0)
            m_rounds = 1'500;
    }
    void init() { m_nodes.clear(); }

    void noNodeLosesALeaseWithoutItsGuard()
    {
        // On a busy machine few guards are young enough: continue until enough of each kind has happened.
        qint64 released = 0;
        qint64 missed = 0;
        qint64 lost = 0;
        for (int round = 0;
             round < 10 && (released <= m_rounds / 200 || missed <= m_rounds / 50 || lost == 0); ++round) {
            RacePlan plan;
            plan.rounds = m_rounds;
            const RaceResult result = runRedlockRace(m_nodes, plan);
            report(result);
            QCOMPARE(result.rounds, plan.rounds);
            QCOMPARE(result.wrong, 0);
            released += result.released;
            missed += result.holderChanged + result.alreadyFree;
            lost += result.lost;
            m_nodes.clear();
        }
        QVERIFY(released > m_rounds / 200);
        QVERIFY(missed > m_rounds / 50);
        QVERIFY(lost > 0);
    }

    void aMissingTermIsFound_data()
    {
        QTest::addColumn<QByteArray>("term");
        QTest::newRow("value") << QByteArray("value");
        QTest::newRow("freshness") << QByteArray("freshness");
    }
    void aMissingTermIsFound()
    {
        QFETCH(QByteArray, term);
        QByteArray text = stores::redis::guardedScript("token_release").text;
        const qsizetype mark = text.indexOf("-- guard: " + term + '\n');
        QVERIFY(mark > 0);
        const qsizetype line = text.lastIndexOf('\n', mark);
        text.remove(line, mark - line);
        RacePlan plan;
        plan.pins = false; // each term for itself
        plan.rounds = 1'000;
        const RaceResult result = runRedlockRace(m_nodes, plan, stores::redis::Script(text));
        QCOMPARE(result.rounds, plan.rounds);
        QVERIFY(result.wrong > 0);
    }

private:
    static void report(const RaceResult &result)
    {
        qInfo("%lld rounds: %lld released, %lld partial, %lld changed, %lld free; %lld acquisitions, %lld "
              "renewals, %lld lost on a node, %lld wrong",
              result.rounds, result.released, result.partial, result.holderChanged, result.alreadyFree,
              result.acquisitions, result.renewals, result.lost, result.wrong);
    }

    RedlockNodes m_nodes;
    int m_rounds = 0;
};

LOCKKEEPER_TEST(TestRedlockRace)

} // namespace tst_redlock_race

#include "tst_redlock_race.moc"
