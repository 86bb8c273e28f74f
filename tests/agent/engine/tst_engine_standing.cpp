// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/engine/engine_rig.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_engine_standing {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using stores::Standing;

/** Replicas that lag, and servers that went back to an older state. */
class EngineStandingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void replicas_data();
    void replicas();
    void wentBack_data();
    void wentBack() { replicas(); }
    void whileTheAgentWasDown_data();
    void whileTheAgentWasDown() { replicas(); }
    void whatNoScanHasShownIsNotKept();
    void removedLate_data();
    void removedLate() { replicas(); }
    void mayHaveLost_data();
    void mayHaveLost();
    void saysSo_data();
    void saysSo();
    void nothingIsFreeOnAReplica();

private:
    static void addRow(const char *name, bool keys, const char *script, const char *expected)
    {
        QTest::newRow(name) << keys << QString::fromLatin1(script) << QString::fromLatin1(expected);
    }
    static void addColumns()
    {
        QTest::addColumn<bool>("keys");
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("expected");
    }
};

void EngineStandingTest::replicas_data()
{
    addColumns();
    addRow("a key that is gone at its deadline may have been renewed", true,
           "standing A 1 replica 400\n up\n at 500\n scan a;A;1000\n at 1501\n look a\n at 2100\n"
           "standing A 1 replica 2000\n scan\n at 2101\n look a",
           "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 1000 {\"first_seen\":true}\n"
           "changed a by A at 1501 window 1101 ttl 1000 {\"state\":\"unknown\"}\n ? a\n"
           " expired a by A at 1500 ttl 1000 seen 500");
    addRow("or was", true,
           "standing A 1 replica 400\n up\n at 500\n scan a;A;1000\n at 1501\n look a\n at 2100\n"
           "standing A 1 replica 2000\n scan a;A;9000",
           "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 1000 {\"first_seen\":true}\n"
           "changed a by A at 1501 window 1101 ttl 1000 {\"state\":\"unknown\"}\n "
           "changed a by A at 2100 window 1700 ttl 9000 {\"state\":\"held\"}\n (renewed a by A at 2100 ttl "
           "9000)");
    addRow("a key that goes before its deadline was given back, in a window that has the lag", true,
           "standing A 1 replica 400\n up\n at 500\n scan a;A;9000\n standing A 1 replica 1000\n"
           "at 1500\n scan\n at 1501\n look a",
           "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 9000 {\"first_seen\":true}\n"
           "? a\n released a by A at 1501 window 1001 ttl 9000 seen 500");
    addRow("a lease over its row", false,
           "standing A 1 replica 400\n up\n at 500\n scan job;A;300;1000\n at 1600\n"
           "scan job;A;300;1000\n at 2200\n standing A 1 replica 2100\n scan job;A;300;1000",
           "open\n source_up at 1000\n scan\n acquired job by A at 300 ttl 700 {\"first_seen\":true}\n"
           "changed job by A at 1600 window 1200 ttl 700 {\"state\":\"unknown\"}\n "
           "expired job by A at 1000 ttl 700 seen 500");
    addRow("of which nobody knows how old it is", false,
           "standing A 1 replica ?\n up\n at 500\n scan job;A;300;1000\n at 1600\n scan job;A;300;1000\n"
           "at 9000\n scan job;A;300;1000",
           "open\n source_up at 1000\n scan\n acquired job by A at 300 ttl 700 {\"first_seen\":true}\n"
           "changed job by A at 1600 window 4296067.295 ttl 700 {\"state\":\"unknown\"}");
    addRow("a free row is free once the replica was past its end", false,
           "standing A 1 replica 400\n up\n at 500\n scan job;A;100;450\n standing A 1 replica 600\n"
           "at 700\n scan job;A;100;450",
           "open\n source_up at 1000\n scan\n changed job by A at 500 {\"state\":\"unknown\"}\n "
           "changed job by A at 700 {\"state\":\"free\"}");
    addRow("what is acquired has the lag in its window", true,
           "standing A 1 replica 400\n up\n at 500\n scan\n standing A 1 replica 700\n at 1500\n"
           "scan a;A;9000",
           "open\n source_up at 1000\n scan\n acquired a by A at 1500 window 1100 ttl 9000");
    addRow("a primary proves what it shows", false,
           "standing A 1\n up\n at 500\n scan job;A;300;1000\n at 1600\n scan job;A;300;1000",
           "open\n source_up at 1000\n scan\n acquired job by A at 300 ttl 700 {\"first_seen\":true}\n"
           "expired job by A at 1000 ttl 700 seen 500");
}

void EngineStandingTest::wentBack_data()
{
    addColumns();
    addRow("a row that another server lacks is lost", false,
           "standing A 7\n up\n at 500\n scan job;A;300;9000\n down\n at 900\n standing B 5\n up run2\n"
           "at 1000\n scan\n at 1001\n look job",
           "open\n source_up at 1000\n scan\n acquired job by A at 300 ttl 8700 {\"first_seen\":true}\n"
           "source_down at 500 {\"cause\":\"unreachable\"}\n"
           "gap_opened at 500 {\"cause\":\"source_down\"}\n source_up at 900\n scan\n"
           "gap_closed at 1000\n ? job\n"
           "lost job by A at 1001 window 501 ttl 8700 seen 500 {\"cause\":\"lost_in_failover\"}");
    addRow("a row is as it was before: nobody took it over, or gave it back", false,
           "standing A 7\n up\n at 5000\n scan job;B;4000;90000\n down\n at 5900\n standing B 5\n"
           "up run2\n at 6000\n scan job;A;1000;2000",
           "open\n source_up at 1000\n scan\n"
           "acquired job by B at 4000 ttl 86000 {\"first_seen\":true}\n"
           "source_down at 5000 {\"cause\":\"unreachable\"}\n"
           "gap_opened at 5000 {\"cause\":\"source_down\"}\n source_up at 5900\n scan\n"
           "lost job by B at 6000 window 1000 ttl 86000 seen 5000 {\"cause\":\"lost_in_failover\"}\n"
           "gap_closed at 6000");
    addRow("the holder of long ago has it again", false,
           "standing A 7\n up\n at 5000\n scan job;B;4000;90000\n down\n at 5900\n standing B 5\n"
           "up run2\n at 6000\n scan job;A;1000;80000",
           "open\n source_up at 1000\n scan\n"
           "acquired job by B at 4000 ttl 86000 {\"first_seen\":true}\n"
           "source_down at 5000 {\"cause\":\"unreachable\"}\n"
           "gap_opened at 5000 {\"cause\":\"source_down\"}\n source_up at 5900\n scan\n"
           "lost job by B at 6000 window 1000 ttl 86000 seen 5000 {\"cause\":\"lost_in_failover\"}\n"
           "acquired job by A at 6000 window 1000 ttl 74000 {\"came_back\":true,\"cause\":\"failover\"}\n"
           "gap_closed at 6000");
    addRow("a row that was free is held as before", false,
           "standing A 7\n up\n at 5000\n scan job;A;1000;4000\n down\n at 5900\n standing A 5\n"
           "up run2\n at 6000\n scan job;A;1000;80000",
           "open\n source_up at 1000\n scan\n ~ job free by A\n"
           "source_down at 5000 {\"cause\":\"unreachable\"}\n"
           "gap_opened at 5000 {\"cause\":\"source_down\"}\n source_up at 5900\n scan\n"
           "acquired job by A at 6000 window 1000 ttl 74000 {\"came_back\":true,\"cause\":\"went_back\"}\n"
           "gap_closed at 6000");
    addRow("given back there since", false,
           "standing A 7\n up\n at 5000\n scan job;A;4000;90000\n down\n at 5900\n standing B 5\n"
           "up run2\n at 8000\n scan job;A;4000;7000",
           "open\n source_up at 1000\n scan\n"
           "acquired job by A at 4000 ttl 86000 {\"first_seen\":true}\n"
           "source_down at 5000 {\"cause\":\"unreachable\"}\n"
           "gap_opened at 5000 {\"cause\":\"source_down\"}\n source_up at 5900\n scan\n"
           "released job by A at 7000 ttl 86000 seen 5000 {\"cause\":\"gap\"}\n gap_closed at 8000");
    addRow("the same server restarted keeps its rows", false,
           "standing A 7\n up\n at 500\n scan job;A;300;9000\n down\n at 900\n standing A 7\n up run2\n"
           "at 1000\n scan\n at 1001\n look job",
           "open\n source_up at 1000\n scan\n acquired job by A at 300 ttl 8700 {\"first_seen\":true}\n"
           "source_down at 500 {\"cause\":\"unreachable\"}\n"
           "gap_opened at 500 {\"cause\":\"source_down\"}\n source_up at 900\n scan\n"
           "gap_closed at 1000\n ? job\n"
           "released job by A at 1001 window 501 ttl 8700 seen 500 {\"cause\":\"gap\"}");
    addRow("restored below its name", true,
           "standing A 7\n up\n at 500\n scan a;A;9000\n down\n at 900\n standing A 5\n up\n at 1000\n"
           "scan\n at 1001\n look a",
           "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 9000 {\"first_seen\":true}\n"
           "source_down at 500 {\"cause\":\"unreachable\"}\n"
           "gap_opened at 500 {\"cause\":\"source_down\"}\n source_up at 900\n scan\n"
           "gap_closed at 1000\n ? a\n"
           "lost a by A at 1001 window 501 ttl 9000 seen 500 {\"cause\":\"went_back\"}");
    addRow("through the same link: a gap, and a new reading", true,
           "standing A 7\n up\n at 500\n scan a;A;9000\n at 1000\n standing A 5\n at 1001\n"
           "scan b;B;9000\n at 1002\n look a\n at 1100\n tick\n at 1101\n scan b;B;8900",
           "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 9000 {\"first_seen\":true}\n"
           "gap_opened at 500 {\"cause\":\"went_back\"}\n"
           "acquired b by B at 1001 window 501 ttl 9000 {\"cause\":\"went_back\"}\n gap_closed at 1001\n"
           "? a\n lost a by A at 1002 window 502 ttl 9000 seen 500 {\"cause\":\"went_back\"}");
    addRow("a row goes back by itself", false,
           "standing A 7\n up\n at 90000\n scan job;B;80000;190000\n at 91000\n scan job;A;1000;2000",
           "open\n source_up at 1000\n scan\n"
           "acquired job by B at 80000 ttl 110000 {\"first_seen\":true}\n"
           "lost job by B at 91000 window 1000 ttl 110000 seen 90000 {\"cause\":\"went_back\"}");
    addRow("a row that only a slow clock dates earlier is another hold", false,
           "standing A 7\n up\n at 90000\n scan job;B;80000;190000\n at 91000\n scan job;A;79000;190000",
           "open\n source_up at 1000\n scan\n"
           "acquired job by B at 80000 ttl 110000 {\"first_seen\":true}\n"
           "taken_over job by A at 91000 window 1000 ttl 99000 {\"previous\":\"B\"}");
}

void EngineStandingTest::whileTheAgentWasDown_data()
{
    addColumns();
    addRow(
        "a failover", false,
        "at 500\n knew run1 A 7\n restore job;A;300;9000\n standing B 5\n at 900\n up run2\n at 1000\n scan\n"
        "at 1001\n look job",
        "gap_opened at 500 {\"cause\":\"agent_restarted\"}\n open\n source_up at 1900\n scan\n"
        "gap_closed at 1000\n ? job\n"
        "lost job by A at 1001 window 501 seen 500 {\"cause\":\"lost_in_failover\"}");
    addRow(
        "a restore", false,
        "at 500\n knew run1 A 7\n restore job;A;300;9000\n standing A 5\n at 900\n up run2\n at 1000\n scan\n"
        "at 1001\n look job",
        "gap_opened at 500 {\"cause\":\"agent_restarted\"}\n open\n source_up at 1900\n scan\n"
        "gap_closed at 1000\n ? job\n"
        "lost job by A at 1001 window 501 seen 500 {\"cause\":\"went_back\"}");
    addRow("a restore brings the holder of before back", false,
           "at 5000\n knew run1 A 7\n restore job;B;4000;90000\n standing A 5\n at 5900\n up run2\n at 6000\n"
           "scan job;A;1000;80000",
           "gap_opened at 5000 {\"cause\":\"agent_restarted\"}\n open\n source_up at 6900\n scan\n"
           "lost job by B at 6000 window 1000 seen 5000 {\"cause\":\"went_back\"}\n"
           "acquired job by A at 6000 window 1000 ttl 74000 {\"came_back\":true,\"cause\":\"went_back\"}\n"
           "gap_closed at 6000");
    addRow(
        "a restart keeps rows", false,
        "at 500\n knew run1 A 7\n restore job;A;300;9000\n standing A 8\n at 900\n up run2\n at 1000\n scan\n"
        "at 1001\n look job",
        "gap_opened at 500 {\"cause\":\"agent_restarted\"}\n open\n source_up at 1900\n scan\n"
        "gap_closed at 1000\n ? job\n"
        "released job by A at 1001 window 501 seen 500 {\"cause\":\"gap\"}");
    addRow("a restart may lose keys", true,
           "at 500\n knew run1 A 7\n restore a;A;9000\n standing A 7\n at 900\n up run2\n at 1000\n scan\n"
           "at 1001\n look a",
           "gap_opened at 500 {\"cause\":\"agent_restarted\"}\n open\n source_up at 1900\n scan\n"
           "gap_closed at 1000\n ? a\n"
           "lost a by A at 1001 window 501 seen 500 {\"cause\":\"server_restarted\"}");
    addRow("nothing", true,
           "at 500\n knew run1 A 7\n restore a;A;9000\n standing A 7\n at 900\n up run1\n at 1000\n scan\n"
           "at 1001\n look a",
           "gap_opened at 500 {\"cause\":\"agent_restarted\"}\n open\n source_up at 1900\n scan\n"
           "gap_closed at 1000\n ? a\n"
           "released a by A at 1001 window 501 seen 500 {\"cause\":\"gap\"}");
}

/** A crash before the first scan would make a release of the loss. */
void EngineStandingTest::whatNoScanHasShownIsNotKept()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral(
        "standing A 7\n up\n at 500\n scan a;A;9000\n down\n at 900\n standing A 5\n up run2"));
    QCOMPARE(rig.engine().lastServer().instance, QByteArray("run1"));
    QCOMPARE(rig.engine().lastServer().standing.reached.value("writes"), quint64(7));
    rig.run(QStringLiteral("down\n at 1900\n up run2"));
    QCOMPARE(rig.engine().lastServer().instance, QByteArray("run1"));
    rig.run(QStringLiteral("at 2000\n scan a;A;8000\n at 2500\n now\n scan a;A;8000"));
    QCOMPARE(rig.engine().lastServer().instance, QByteArray("run2"));
    QCOMPARE(rig.engine().lastServer().standing.reached.value("writes"), quint64(5));
}

void EngineStandingTest::removedLate_data()
{
    addColumns();
    addRow("expired when it was deleted, and not at its deadline", true,
           "up\n at 500\n scan a;A;1000|late\n at 1501\n look a;A;-1|late\n at 1601\n"
           "look a;A;-101|late\n at 1701\n look a",
           "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 1000 {\"first_seen\":true}\n"
           "expired a by A at 1701 window 100 ttl 1000 seen 1601");
    addRow("pushed", true,
           "up\n at 500\n pushing afresh\n scan a;A;1000|late\n at 1600\n scan a;A;-100|late\n at 2200\n"
           "change 50 a",
           "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 1000 {\"first_seen\":true}\n"
           "expired a by A at 2200 window 50 ttl 1000 seen 1600");
    addRow("somebody waited for it", true,
           "up\n at 500\n scan a;A;1000|late\n at 1486\n look a;A;14|late\n at 1501\n look a;A;-1|late\n"
           "at 1701\n look a;B;9000|late",
           "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 1000 {\"first_seen\":true}\n"
           "expired a by A at 1701 window 200 ttl 1000 seen 1501\n"
           "acquired a by B at 1701 window 200 ttl 9000");
}

void EngineStandingTest::replicas()
{
    QFETCH(bool, keys);
    QFETCH(QString, script);
    QFETCH(QString, expected);
    EngineRig rig(keys ? EngineRig::redisSpec() : EngineRig::shedlockSpec());
    QStringList wanted;
    for (const QString &line : expected.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        wanted.append(line.trimmed());
    QCOMPARE(rig.run(script).trimmed(), wanted.join(QLatin1Char('\n')));
}

void EngineStandingTest::mayHaveLost_data()
{
    QTest::addColumn<Standing>("before");
    QTest::addColumn<Standing>("later");
    QTest::addColumn<bool>("expected");
    using Reached = QHash<QByteArray, quint64>;
    const auto standing = [](const char *line, const char *branch, const Reached &reached) {
        return Standing{line, line, branch, reached};
    };
    QTest::newRow("the same") << standing("A", "1", {{"w", 7}}) << standing("A", "1", {{"w", 7}}) << false;
    QTest::newRow("further") << standing("A", "1", {{"w", 7}}) << standing("A", "1", {{"w", 8}}) << false;
    QTest::newRow("less far") << standing("A", "1", {{"w", 7}}) << standing("A", "1", {{"w", 6}}) << true;
    QTest::newRow("other data") << standing("A", "", {}) << standing("B", "", {}) << true;
    QTest::newRow("another branch") << standing("A", "1", {{"w", 7}}) << standing("A", "2", {{"w", 9}})
                                    << true;
    QTest::newRow("its replica") << standing("A", "1", {{"w", 7}}) << standing("A", "", {{"w", 7}}) << false;
    QTest::newRow("a part is missing")
        << standing("A", "", {{"w", 7}, {"x", 1}}) << standing("A", "", {{"w", 9}}) << true;
    QTest::newRow("nothing is known of it") << standing("A", "1", {{"w", 7}}) << Standing() << false;
    QTest::newRow("nothing was known") << Standing() << standing("A", "1", {{"w", 7}}) << false;
}

void EngineStandingTest::mayHaveLost()
{
    QFETCH(Standing, before);
    QFETCH(Standing, later);
    QTEST(before.mayHaveLost(later), "expected");
}

void EngineStandingTest::saysSo_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *script, const char *expected) {
        QTest::newRow(name) << QString::fromLatin1(script) << QByteArray(expected);
    };
    row("a primary", "standing A 7\n up\n at 500\n scan", "");
    row("a replica", "standing A 7 replica 400\n up\n at 500\n scan", "notice replica 1");
    row("far behind", "at 0\n standing A 7 replica 400\n up\n at 90000\n scan", "warning replica_lag 90");
    row("nobody knows how far", "standing A 7 replica ?\n up\n at 500\n scan", "warning replica_lag ");
    row("standing still", "standing A 7 stalled 400\n up\n at 5000\n scan", "danger replica_stalled 5");
    row("no longer a replica", "standing A 7 replica 400\n up\n at 500\n scan\n standing A 8\n scan", "");
    row("not connected", "standing A 7 replica 400\n up\n at 500\n scan\n down", "");
}

void EngineStandingTest::saysSo()
{
    QFETCH(QString, script);
    EngineRig rig(EngineRig::shedlockSpec());
    rig.run(script);
    QByteArrayList found;
    for (const domain::Finding &finding : rig.engine().state(rig.now()).findings)
        found.append(domain::severityName(finding.severity).toByteArray() + ' ' + finding.code + ' ' +
                     finding.value);
    QTEST(found.join("; "), "expected");
}

void EngineStandingTest::nothingIsFreeOnAReplica()
{
    EngineRig rig(EngineRig::shedlockSpec());
    rig.run(QStringLiteral("standing A 7 replica 900\n up\n at 1000\n scan job;A;100;500"));
    const QList<domain::LockState> locks = rig.engine().table().locks();
    QCOMPARE(locks.size(), 1);
    QCOMPARE(locks.first().phase, domain::Phase::Free);
    QCOMPARE(locks.first().release.why, domain::ReleaseOff::ReadOnly);
}

LOCKKEEPER_TEST(EngineStandingTest)

} // namespace tst_engine_standing

#include "tst_engine_standing.moc"
