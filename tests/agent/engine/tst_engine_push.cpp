// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/engine/engine_rig.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

namespace tst_engine_push {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** Pushed changes through the engine, and the events that scans beside them may and may not cause. */
class TestEnginePush : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scripts_data();
    void scripts();
    void keys_data();
    void keys();
    void mode();
    void polledWhileSlotsMove();
    void whatNobodyReadIsCounted();
    void resumesOnlyWhereTheTableIsWhole();
    void readsNothingBeforeItIsToldHowToGoOn();
    void aPageMayBeAheadOfWhereTheStoreGoesOn();

private:
    static QString steps(EngineRig &rig, const QString &script);
};

QString TestEnginePush::steps(EngineRig &rig, const QString &script)
{
    QStringList told;
    for (const QString &line : rig.run(script).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        if (line != QLatin1String("scan") && line != QLatin1String("open") &&
            !line.startsWith(QLatin1String("source_up")))
            told.append(line);
    }
    return told.join(QLatin1Char('\n'));
}

void TestEnginePush::scripts_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QStringList>("events");
    const auto row = [](const char *name, const char *script, const QStringList &events) {
        QTest::newRow(name) << QString::fromLatin1(script) << events;
    };
    const auto s = [](const char *text) { return QString::fromLatin1(text); };
    row("shorter than the poll", "at 0\nup\npushing afresh\nscan\nat 100\nchange 0 a;A;-\nat 103\nchange 0 a",
        {s("acquired a by A at 100"), s("released a by A at 103")});
    row("a window of the change, not of the poll",
        "at 0\nup\npushing afresh\nscan\nat 5000\nchange 300 a;A;-\nat 9000\nchange 20 a",
        {s("acquired a by A at 5000 window 300"), s("released a by A at 9000 window 20")});
    row("before the first scan ended it is a sighting",
        "at 0\nup\npushing afresh\nat 100\nchange 0 a;A;-\nat 200\nscan a;A;-",
        {s("acquired a by A at 100 {\"first_seen\":true}")});
    row("deleted while the scan is read",
        "at 0\nup\npushing afresh\nat 100\nchange 0 a\nspan 100\nat 150\npage a;A;-\nscan", {});
    row("a write that its store dates before a page that doesn't show it yet",
        "at 0\nup\npushing afresh\nat 100\npage a;A;-\nskew -1\nchange 0 a\nskew 1\nscan\nat 105\nlook a",
        {s("acquired a by A at 100 {\"first_seen\":true}"), s("released a by A at 105 window 5")});
    row("a page that doesn't show yet what was pushed before it came",
        "at 0\nup\npushing afresh\nat 100\nchange 0 a\nat 101\npage a;A;-\nat 102\nlook a\nscan", {});
    row("a page that is behind",
        "at 0\nup\npushing afresh\nscan\nat 100\nchange 0 a;A;-\nat 200\nchange 0 a\nat 210\nscan a;A;-\nat "
        "900\nlook a",
        {s("acquired a by A at 100"), s("released a by A at 200")});
    row("a page that is ahead",
        "at 0\nup\npushing afresh\nscan\nat 100\nchange 0 a;A;-\nat 200\nscan a;B;-\nat 201\nchange 5 "
        "a\nchange 4 a;B;-",
        {s("acquired a by A at 100"), s("released a by A at 201 window 5"),
         s("acquired a by B at 201 window 1")});
    row("a row that is free already when its hold is told",
        "at 0\nup\npushing afresh\nscan\nat 5301\npage a;A;5200;5300\nat 5350\nchange 350 a;A;5200;9000\n"
        "change 350 a;A;5200;5300",
        {s("acquired a by A at 5200 ttl 3800"), s("released a by A at 5300 ttl 3800")});
    row("gone again already when its hold is told",
        "at 0\nup\npushing afresh\nscan a;A;-\nat 100\nnow\nchange 0 a\nat 5301\nlook a\nat 5350\n"
        "change 350 a;B;-\nchange 350 a",
        {s("acquired a by A at 0 {\"first_seen\":true}"), s("released a by A at 100"),
         s("acquired a by B at 5350 window 350"), s("released a by B at 5350 window 350")});
    row("held again by the same token already when its end is told",
        "at 0\nup\npushing afresh\nscan a;A;-|plain\nat 5000\nnow\npage a;A;-|plain\nat 5050\n"
        "change 350 a\nchange 150 a;A;-|plain",
        {s("acquired a by A at 0 {\"first_seen\":true}"), s("released a by A at 5050 window 350"),
         s("acquired a by A at 5050 window 150")});
    row("missed",
        "at 0\nup\npushing afresh\nscan\nat 100\nchange 0 a;A;-\nat 2000\nscan a;A;-\nat 3000\nscan "
        "b;B;-\nlook a\nat 4100\ntick\nlook a\nlook b;B;-",
        {s("acquired a by A at 100"), s("released a by A at 4100 window 2100 missed"),
         s("acquired b by B at 4100 window 2100 missed")});
    row("a row that ran out needs no change",
        "at 0\nup\npushing afresh\nscan a;A;0;1000\nat 1001\ntick\nlook a;A;0;1000",
        {s("acquired a by A at 0 ttl 1000 {\"first_seen\":true}"), s("expired a by A at 1000")});
    row("ran out unseen before the next holder",
        "at 0\nup\npushing afresh\nscan\nat 1000\nchange 0 a;A;1000;2000\nat 5000\nchange 0 a;B;5000;9000",
        {s("acquired a by A at 1000"), s("expired a by A at 2000"), s("acquired a by B at 5000")});
    row("in whole seconds: nobody holds it before the other one has given it back",
        "at 0\nup\npushing afresh\nscan a;A;0;9000|step=1000\nat 1600\nchange 600 a;A;0;1000|step=1000\n"
        "at 1720\nchange 720 a;B;1000;9000|step=1000",
        {s("acquired a by A at 0 window 500"), s("released a by A at 1600 window 600"),
         s("acquired a by B at 1720 window 720")});
    row("in whole seconds, and the log tells the commit",
        "at 0\nup\npushing afresh\nscan\nat 1300\nchange 0 a;A;1000;9000|step=1000\nat 1500\nchange 0 a",
        {s("acquired a by A at 1300 ttl 8000"), s("released a by A at 1500 ttl 8000")});
    row("gone, in the log's whole seconds: not before it was acquired",
        "at 0\nup\npushing afresh\nscan\nat 1300\nchange 300 a;A;1250;9000\nat 1509\nchange 509 a",
        {s("acquired a by A at 1250 ttl 7750"), s("released a by A at 1509 window 259")});
    row("restarted, and its whole seconds are as they were",
        "at 2700\nresume a;A;2000;9000|step=1000\nat 5000\nup\npushing on\nscan a;A;2000;9000|step=1000", {});
    row("scans fail, and all changes are told: no gap",
        "at 0\nup\npushing afresh\nscan\nat 1000\npartial\nat 2000\npartial\nat 3000\nchange 5 a;A;-",
        {s("acquired a by A at 3000 window 5")});
    row("told of from later on than a scan has read that is under way: the next one proves",
        "at 0\nup\nat 50\npushing afresh\neverything 0\nat 100\nscan\nat 150\ntick\nscan a;A;-",
        {s("acquired a by A at 150 window 50")});
    row("lost: a gap, and the scan tells",
        "at 0\nup\npushing afresh\nscan a;A;-\nat 500\npushing lost\nat 600\nscan",
        {s("acquired a by A at 0 {\"first_seen\":true}"), s("gap_opened at 0"), s("gap_closed at 600")});
    row("told by another server, whose clock is seconds behind: its own window alone",
        "at 0\nup\npushing afresh\nscan a;A;-|server=1 b;B;-|server=1\nat 500\nskew -3000\nchange 100 "
        "a|server=2\nchange 50 b;C;-|server=2",
        {s("acquired a by A at 0 {\"first_seen\":true}"), s("acquired b by B at 0 {\"first_seen\":true}"),
         s("released a by A at -2500 window 100"),
         s("taken_over b by C at -2500 window 50 {\"previous\":\"B\"}")});
    row("restarted, and goes on",
        "at 0\nresume a;A;-\nat 5000\nup\npushing on\nchange 100 a\nchange 50 b;B;-\nscan b;B;-",
        {s("released a by A at 5000 window 100"), s("acquired b by B at 5000 window 50")});
    row("restarted, and another has it: what was read before the store goes on isn't told twice",
        "at 0\nresume a;A;-\nat 5000\nup\npage a;B;-\npushing on\nat 5100\nchange 2000 a\nchange 1000 "
        "a;B;-\nscan a;B;-",
        {s("taken_over a by B at 5000 window 5000 {\"previous\":\"A\"}"), s("gap_opened at 0"),
         s("gap_closed at 5100")});
    row("restarted, and the store doesn't say whether it goes on",
        "at 0\nresume a;A;-\nat 5000\nup\nat 10000\ntick\nscan\nlook a",
        {s("gap_opened at 0"), s("gap_closed at 10000"), s("released a by A at 10000 window 10000")});
    row("polled for a while: what the store tells of that time isn't told twice",
        "at 0\nup\npushing afresh\nscan a;A;-\nat 500\npushing off\nat 1000\nscan a;B;-\nat 1500\npushing "
        "on\nskew -1000\nchange 0 a\nchange 0 a;B;-\nskew 1000\nscan a;B;-",
        {s("acquired a by A at 0 {\"first_seen\":true}"),
         s("taken_over a by B at 1000 window 1000 {\"previous\":\"A\"}")});
    row("restarted, and the log is purged", "at 0\nresume a;A;-\nat 5000\nup\npushing afresh\nscan a;A;-",
        {s("gap_opened at 0"), s("gap_closed at 5000")});
    row("restarted, and not reachable",
        "at 0\nresume a;A;-\nat 100\ndown\nat 5000\nup\npushing on\nchange 0 a\nscan",
        {s("source_down at 1100"), s("gap_opened at 0"), s("released a by A at 5000"),
         s("gap_closed at 5000")});
}

void TestEnginePush::keys_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("events");
    const auto row = [](const char *name, const QByteArray &script, const QByteArray &events) {
        QTest::newRow(name) << QStringLiteral("at 0\nup\npushing afresh\n") + QString::fromLatin1(script)
                            << QString::fromLatin1(events);
    };
    row("deleted before its deadline", "scan\nat 100\nchange 5 a;A;1000\nat 900\nchange 50 a",
        "acquired a by A at 100 window 5 ttl 1000\nreleased a by A at 900 window 50 ttl 1000 seen 100");
    row("gone after its deadline, and watched until then",
        "scan\nat 100\nchange 5 a;A;1000\nat 1300\nchange 100 a",
        "acquired a by A at 100 window 5 ttl 1000\nexpired a by A at 1100 ttl 1000 seen 100");
    row("around its deadline, and nobody says how", "scan\nat 100\nchange 5 a;A;1000\nat 1110\nchange 50 a",
        "acquired a by A at 100 window 5 ttl 1000\nexpired a by A at 1100 window 40 ttl 1000 seen 100 "
        "{\"may_be\":\"released\"}");
    row("gone from another server, by whose clock its deadline has passed already: not by its own",
        "scan a;A;1000|server=1 b;B;1000|server=1\nskew 3000\nchange 0 c;C;-|server=2\nskew -3000\nat 500\n"
        "look a;A;500|server=1\nskew 3000\nchange 100 a|server=2\nskew -3000\nat 1100\nskew 3000\n"
        "change 50 b|server=2",
        "acquired a by A at 0 ttl 1000 {\"first_seen\":true}\n"
        "acquired b by B at 0 ttl 1000 {\"first_seen\":true}\nacquired c by C at 3000\n"
        "released a by A at 3500 window 100 ttl 1000 seen 500\n"
        "expired b by B at 4000 ttl 1000 seen 0");
    row("another has it, and the lease had run out first",
        "scan\nat 100\nchange 5 a;A;1000\nat 1300\nchange 100 a;B;1000",
        "acquired a by A at 100 window 5 ttl 1000\nexpired a by A at 1100 ttl 1000 seen 100\n"
        "acquired a by B at 1300 window 100 ttl 1000");
    row("another has it around the deadline, and nobody says how",
        "scan\nat 100\nchange 5 a;A;1000\nat 1110\nchange 50 a;B;1000",
        "acquired a by A at 100 window 5 ttl 1000\nexpired a by A at 1100 window 40 ttl 1000 seen 100 "
        "{\"may_be\":\"released\"}\nacquired a by B at 1110 window 50 ttl 1000");
    row("another has it around the deadline, by expiry",
        "scan\nat 100\nchange 5 a;A;1000\nat 1110\nchange 50 a;B;1000|expired",
        "acquired a by A at 100 window 5 ttl 1000\nexpired a by A at 1100 ttl 1000 seen 100\n"
        "acquired a by B at 1110 window 50 ttl 1000");
    row("another has it around the deadline, by deletion",
        "scan\nat 100\nchange 5 a;A;1000\nat 1110\nchange 50 a;B;1000|deleted",
        "acquired a by A at 100 window 5 ttl 1000\n"
        "taken_over a by B at 1110 window 50 ttl 1000 {\"previous\":\"A\"}");
    row("around its deadline, by expiry", "scan\nat 100\nchange 5 a;A;1000\nat 1110\nchange 50 a|expired",
        "acquired a by A at 100 window 5 ttl 1000\nexpired a by A at 1100 ttl 1000 seen 100");
    row("around its deadline, by deletion", "scan\nat 100\nchange 5 a;A;1000\nat 1110\nchange 50 a|deleted",
        "acquired a by A at 100 window 5 ttl 1000\nreleased a by A at 1110 window 50 ttl 1000 seen 100");
    row("deleted after the deadline that was known: renewed unseen",
        "scan\nat 100\nchange 5 a;A;1000\nat 1300\nchange 100 a|deleted",
        "acquired a by A at 100 window 5 ttl 1000\n"
        "released a by A at 1300 window 100 ttl 1000 seen 100");
    row("expired before the deadline that was known",
        "scan\nat 100\nchange 5 a;A;1000\nat 500\nchange 50 a|expired|n=1",
        "acquired a by A at 100 window 5 ttl 1000\nexpired a by A at 500 window 50 ttl 1000 seen 100 "
        "{\"coalesced\":1}");
    row("only the last of several", "scan\nat 100\nchange 5 a;B;1000|n=4\nat 200\nchange 5 a;C;1000|n=2",
        "acquired a by B at 100 window 5 ttl 1000 {\"coalesced\":4}\n"
        "taken_over a by C at 200 window 5 ttl 1000 {\"coalesced\":2,\"previous\":\"B\"}");
    row("came and went unseen", "scan\nat 100\nchange 5 a|unseen\nat 200\nchange 3 a|unseen|expired|n=1",
        "acquired a by NULL at 100 window 5 {\"unseen\":true}\n"
        "released a by NULL at 100 window 5 {\"unseen\":true}\n"
        "acquired a by NULL at 200 window 3 {\"coalesced\":1,\"unseen\":true}\n"
        "expired a by NULL at 200 window 3 {\"coalesced\":1,\"unseen\":true}");
    row("what was known wasn't unseen", "scan\nat 100\nchange 5 a;A;-\nat 200\nchange 5 a|unseen",
        "acquired a by A at 100 window 5\nreleased a by A at 200 window 5 seen 100");
    row("before a scan has shown what there is nothing is unseen", "at 100\nchange 5 a|unseen", "");
    row("gone in the scan, and unseen after it", "at 10\nchange 5 a\nat 20\nscan\nat 100\nchange 5 a|unseen",
        "acquired a by NULL at 100 window 5 {\"unseen\":true}\n"
        "released a by NULL at 100 window 5 {\"unseen\":true}");
    row("everything is gone: no gap, no doubt, a window from then",
        "scan a;A;-\nat 5000\neverything 10\nat 5002\nscan\nat 5003\nlook a",
        "acquired a by A at 0 {\"first_seen\":true}\n"
        "released a by A at 5003 window 13 seen 0");
    row("everything, and some are there again",
        "scan a;A;-\nat 5000\neverything 10\nat 5002\nscan a;B;- c;C;-",
        "acquired a by A at 0 {\"first_seen\":true}\n"
        "taken_over a by B at 5002 window 12 {\"previous\":\"A\"}\n"
        "acquired c by C at 5002 window 12");
    row("everything of another database: nothing to say",
        "scan a;A;-\nat 5000\neverything 10\nat 5002\nscan a;A;-",
        "acquired a by A at 0 {\"first_seen\":true}");
    row("everything twice: the first counts until a scan is over",
        "scan a;A;-\nat 5000\neverything 10\nat 5500\neverything 10\nat 5502\nscan\nscan\nlook a",
        "acquired a by A at 0 {\"first_seen\":true}\n"
        "released a by A at 5502 window 512 seen 0");
    row("everything during a scan: the next one proves",
        "scan a;A;-\nat 5000\ntick\nnow\npage a;A;-\neverything 10\nscan a;A;-\nat 5003\nscan\nlook a",
        "acquired a by A at 0 {\"first_seen\":true}\n"
        "released a by A at 5003 window 3 seen 5000");
    const QByteArray moved("scan a1;A;- a2;B;- b;C;-\nat 5000\nmoving a\n");
    const QByteArray opened("acquired a1 by A at 0 {\"first_seen\":true}\n"
                            "acquired a2 by B at 0 {\"first_seen\":true}\n"
                            "acquired b by C at 0 {\"first_seen\":true}\n"
                            "gap_opened at 0 {\"cause\":\"slots_moving\",\"node\":\"n1\","
                            "\"partial\":true,\"slots\":\"a\"}\n");
    const QByteArray closed("{\"node\":\"n1\",\"partial\":true,\"slots\":\"a\"}");
    row("slots on the move: what a scan shows is so, and was no change that should have been told",
        moved + "at 5500\nscan a2;D;- b;C;-\nat 5501\nlook a1",
        opened + "taken_over a2 by D at 5500 window 5500 {\"previous\":\"B\"}\n"
                 "released a1 by A at 5501 window 5501 seen 0");
    row("they rest once a whole scan has shown them, and are followed again",
        moved + "at 5500\nscan a1;A;- a2;B;- b;C;-\nat 6000\nresting a\nat 6100\nscan a1;A;- b;C;-\nat "
                "6101\nlook a2\nat 7000\nchange 5 a1\nchange 4 a3|unseen",
        opened + "gap_closed at 6100 " + closed +
            "\nreleased a2 by B at 6101 window 601 seen 5500\n"
            "released a1 by A at 7000 window 5 seen 6100\n"
            "acquired a3 by NULL at 7000 window 4 {\"unseen\":true}\n"
            "released a3 by NULL at 7000 window 4 {\"unseen\":true}");
    row("until then a change may be of the time that nobody told of",
        moved + "at 5500\nscan a1;A;- a2;B;- b;C;-\nat 6000\nresting a\nchange 5 a1;D;-\nchange 4 a3|unseen",
        opened + "taken_over a1 by D at 6000 window 500 {\"previous\":\"A\"}");
    row("a change that may be older than what the closing scan shows is asked for: the next one isn't all "
        "there was",
        moved +
            "at 6000\nresting a\nat 6100\nnow\npage a1;A;- a2;B;- b;C;-\nat 6150\nchange 100 a1\nscan\nat "
            "6300\nchange 20 a1;D;-",
        opened + "gap_closed at 6150 " + closed +
            "\ntaken_over a1 by D at 6300 window 200 {\"previous\":\"A\"}");
    row("the others are followed all the time", moved + "at 5500\nchange 5 b",
        opened + "released b by C at 5500 window 5 seen 0");
    row("another sign of a move: the gap goes on",
        moved + "at 6000\nresting a\nat 6100\nmoving a\nscan a1;A;- a2;B;- b;C;-", opened.chopped(1));
    row("a change that may be older than what a first scan shows: the next one isn't all there was",
        "at 100\npage a;A;-\nat 150\nchange 100 a\nscan\nat 300\nchange 20 a;D;-",
        "acquired a by A at 100 {\"first_seen\":true}\n"
        "taken_over a by D at 300 window 200 {\"previous\":\"A\"}");
    row("lost: the gap begins where the telling ended",
        "scan a;A;-\nat 5000\npushing lost 4800\nat 5100\nscan",
        "acquired a by A at 0 {\"first_seen\":true}\ngap_opened at 4800 "
        "{\"cause\":\"push_lost\"}\ngap_closed at 5100");
    row("what is gone after a gap wasn't missed",
        "scan a;A;-\nat 5000\npushing afresh 4800\nat 5100\nscan\nat 5101\nlook a",
        "acquired a by A at 0 {\"first_seen\":true}\ngap_opened at 4800 "
        "{\"cause\":\"push_lost\"}\ngap_closed at 5100\n"
        "released a by A at 5101 window 5101 seen 0 {\"cause\":\"gap\"}");
    row("a change after a gap may be of the gap",
        "scan a;A;-\nat 5000\npushing afresh 4800\nat 5050\nchange 5 a;B;-\nat 5100\nscan a;B;-",
        "acquired a by A at 0 {\"first_seen\":true}\ngap_opened at 4800 {\"cause\":\"push_lost\"}\n"
        "taken_over a by B at 5050 window 5050 {\"previous\":\"A\"}\ngap_closed at 5100");
}

void TestEnginePush::keys()
{
    QFETCH(QString, script);
    QFETCH(QString, events);
    EngineRig rig(EngineRig::redisSpec());
    QStringList kept;
    for (const QString &line : steps(rig, script).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QChar first = line.at(0);
        if (first.isLetter())
            kept.append(line);
    }
    QCOMPARE(kept.join(QLatin1Char('\n')), events);
    QCOMPARE(rig.engine().table().missedPushes(), quint64(0));
}

void TestEnginePush::scripts()
{
    QFETCH(QString, script);
    QFETCH(QStringList, events);
    static const QRegularExpression row(QStringLiteral(";A;[0-9]+;"));
    const bool rows = script.contains(row);
    EngineRig rig(rows ? EngineRig::shedlockSpec() : EngineRig::insertSpec(false));
    const QString told = steps(rig, script);
    QStringList kept;
    for (QString line : told.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        if (line.startsWith(QLatin1Char('?')) || line.startsWith(QLatin1Char('~')) ||
            line.startsWith(QLatin1Char('-')) || line.startsWith(QLatin1Char('(')))
            continue;
        kept.append(line);
    }
    QVERIFY2(!told.contains(QLatin1String("MISMATCH")), qPrintable(told));
    QCOMPARE(kept.size(), events.size());
    for (qsizetype i = 0; i < events.size(); ++i) {
        QString wanted = events.at(i);
        if (wanted.endsWith(QLatin1String(" missed"))) {
            QVERIFY2(kept.at(i).contains(QLatin1String("\"missed\":true")), qPrintable(kept.at(i)));
            wanted.chop(7);
        }
        QVERIFY2(kept.at(i).startsWith(wanted),
                 qPrintable(kept.at(i) + QLatin1String(" instead of ") + wanted));
        const bool windowed = kept.at(i).contains(QLatin1String(" window "));
        QVERIFY2(windowed == wanted.contains(QLatin1String(" window ")), qPrintable(kept.at(i)));
    }
    const auto missed = std::count_if(events.cbegin(), events.cend(), [](const QString &event) {
        return event.endsWith(QLatin1String(" missed"));
    });
    QCOMPARE(rig.engine().table().missedPushes(), quint64(missed));
}

void TestEnginePush::mode()
{
    EngineRig rig(EngineRig::insertSpec(false));
    rig.run(QStringLiteral("at 0\nup\npushing afresh\nscan"));
    QCOMPARE(rig.engine().state(rig.now()).mode, domain::ObservationMode::Push);
    // The next scan is the proving one.
    QVERIFY(rig.engine().nextTickUs() - rig.now().monotonicUs > 50'000'000);
    rig.run(QStringLiteral("at 1000\npushing lost"));
    QCOMPARE(rig.engine().state(rig.now()).mode, domain::ObservationMode::Poll);
    QVERIFY(rig.run(QStringLiteral("tick")).contains(QLatin1String("scan")));
}

void TestEnginePush::polledWhileSlotsMove()
{
    EngineRig rig(EngineRig::redisSpec());
    const auto dueMs = [&rig] { return (rig.engine().nextTickUs() - rig.now().monotonicUs) / 1'000; };
    rig.run(QStringLiteral("at 0\nup\npushing afresh\nscan\nat 1000"));
    QVERIFY(dueMs() > 50'000);
    QVERIFY(rig.run(QStringLiteral("moving a\ntick")).contains(QLatin1String("scan")));
    rig.run(QStringLiteral("scan\nat 1001"));
    QVERIFY(dueMs() < 1'000);
    rig.run(QStringLiteral("resting a\nat 2000\ntick\nscan\nat 4000\ntick\nscan"));
    QVERIFY(dueMs() > 50'000);
}

/** The metrics count pushed changes that may have been holds, although the engine can't claim them. */
void TestEnginePush::whatNobodyReadIsCounted()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("at 0\nup\npushing afresh\nchange 5 a\nscan b;B;-"));
    QCOMPARE(rig.engine().table().unreadPushes(), quint64(0)); // a scan shows the locks
    rig.run(QStringLiteral("at 100\nchange 5 a\nchange 4 a|unseen\nchange 3 b\nchange 2 b"));
    QCOMPARE(rig.engine().table().unreadPushes(), quint64(2));
}

void TestEnginePush::resumesOnlyWhereTheTableIsWhole()
{
    EngineRig rig(EngineRig::insertSpec(false));
    rig.run(QStringLiteral("at 0\nup\npushing afresh"));
    QVERIFY(!rig.engine().canResume());
    rig.run(QStringLiteral("scan"));
    QVERIFY(rig.engine().canResume());
    rig.run(QStringLiteral("down"));
    QVERIFY(rig.engine().canResume());
    rig.run(QStringLiteral("up\npushing off"));
    QVERIFY(!rig.engine().canResume());
    rig.run(QStringLiteral("pushing afresh"));
    QVERIFY(!rig.engine().canResume());
}

/** A scan may be faster than the push of the changes before it. */
void TestEnginePush::readsNothingBeforeItIsToldHowToGoOn()
{
    EngineRig rig(EngineRig::insertSpec(false));
    QVERIFY(!rig.run(QStringLiteral("at 0\nresume a;A;500\nat 5000\nup\nat 5400\ntick\nnow"))
                 .contains(QLatin1String("scan")));
    QCOMPARE(rig.run(QStringLiteral("pushing on")), QStringLiteral("scan\n"));
}

/** Held and released while the agent was away: leftover keys don't hide this hold. */
void TestEnginePush::aPageMayBeAheadOfWhereTheStoreGoesOn()
{
    EngineRig rig(EngineRig::shedlockSpec());
    rig.run(QStringLiteral("at 0\nresume a;A;-100;9000\nat 5000\nup\npushing on"));
    QCOMPARE(steps(rig, QStringLiteral("page a;A;-100;1200 b;B;1500;2000 c;C;100;300")),
             QStringLiteral("~ b free by B\n~ c free by C"));
    QCOMPARE(steps(rig, QStringLiteral("at 5001\nchange 3801 a;A;-100;1200\nchange 3501 b;B;1500;9000\n"
                                       "change 3001 b;B;1500;2000")),
             QStringLiteral("released a by A at 1200 seen 0\nacquired b by B at 1500 ttl 7500\n"
                            "released b by B at 2000 ttl 7500 seen 5001"));
    QCOMPARE(steps(rig, QStringLiteral("scan a;A;-100;1200 b;B;1500;2000 c;C;100;300")), QString());
}

LOCKKEEPER_TEST(TestEnginePush)

} // namespace tst_engine_push

#include "tst_engine_push.moc"
