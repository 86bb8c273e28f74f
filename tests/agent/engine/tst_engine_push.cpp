// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/engine/engine_rig.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** Pushed changes through the engine, and what passes beside them may and may not say. */
class TestEnginePush : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scripts_data();
    void scripts();
    void mode();
    void resumesOnlyWhereTheTableIsWhole();

private:
    static QString steps(EngineRig &rig, const QString &script);
};

QString TestEnginePush::steps(EngineRig &rig, const QString &script)
{
    QStringList told;
    for (const QString &line : rig.run(script).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        if (line != QLatin1String("pass") && line != QLatin1String("open") &&
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
    row("shorter than the poll", "at 0\nup\npushing afresh\npass\nat 100\nchange 0 a;A;-\nat 103\nchange 0 a",
        {s("acquired a by A at 100"), s("released a by A at 103")});
    row("a window of the change, not of the poll",
        "at 0\nup\npushing afresh\npass\nat 5000\nchange 300 a;A;-\nat 9000\nchange 20 a",
        {s("acquired a by A at 5000 window 300"), s("released a by A at 9000 window 20")});
    row("before the first pass ended it is a sighting",
        "at 0\nup\npushing afresh\nat 100\nchange 0 a;A;-\nat 200\npass a;A;-",
        {s("acquired a by A at 100 {\"first_seen\":true}")});
    row("deleted while the pass is read",
        "at 0\nup\npushing afresh\nat 100\nchange 0 a\nspan 100\nat 150\npage a;A;-\npass", {});
    row("a page that is behind",
        "at 0\nup\npushing afresh\npass\nat 100\nchange 0 a;A;-\nat 200\nchange 0 a\nat 210\npass a;A;-\nat "
        "900\nlook a",
        {s("acquired a by A at 100"), s("released a by A at 200")});
    row("a page that is ahead",
        "at 0\nup\npushing afresh\npass\nat 100\nchange 0 a;A;-\nat 200\npass a;B;-\nat 201\nchange 5 "
        "a\nchange 4 a;B;-",
        {s("acquired a by A at 100"), s("released a by A at 201 window 5"),
         s("acquired a by B at 201 window 1")});
    row("missed",
        "at 0\nup\npushing afresh\npass\nat 100\nchange 0 a;A;-\nat 2000\npass a;A;-\nat 3000\npass "
        "b;B;-\nlook a\nat 4100\ntick\nlook a\nlook b;B;-",
        {s("acquired a by A at 100"), s("released a by A at 4100 window 2100 missed"),
         s("acquired b by B at 4100 window 2100 missed")});
    row("a row that ran out needs no change",
        "at 0\nup\npushing afresh\npass a;A;0;1000\nat 1001\ntick\nlook a;A;0;1000",
        {s("acquired a by A at 0 ttl 1000 {\"first_seen\":true}"), s("expired a by A at 1000")});
    row("ran out unseen before the next holder",
        "at 0\nup\npushing afresh\npass\nat 1000\nchange 0 a;A;1000;2000\nat 5000\nchange 0 a;B;5000;9000",
        {s("acquired a by A at 1000"), s("expired a by A at 2000"), s("taken_over a by B at 5000")});
    row("lost: a gap, and the pass tells",
        "at 0\nup\npushing afresh\npass a;A;-\nat 500\npushing lost\nat 600\npass",
        {s("acquired a by A at 0 {\"first_seen\":true}"), s("gap_opened at 0"), s("gap_closed at 600")});
    row("restarted, and goes on",
        "at 0\nresume a;A;-\nat 5000\nup\npushing on\nchange 100 a\nchange 50 b;B;-\npass b;B;-",
        {s("released a by A at 5000 window 100"), s("acquired b by B at 5000 window 50")});
    row("restarted, and the log is purged", "at 0\nresume a;A;-\nat 5000\nup\npushing afresh\npass a;A;-",
        {s("gap_opened at 0"), s("gap_closed at 5000")});
    row("restarted, and not reachable",
        "at 0\nresume a;A;-\nat 100\ndown\nat 5000\nup\npushing on\nchange 0 a\npass",
        {s("source_down at 1100"), s("gap_opened at 0"), s("released a by A at 5000"),
         s("gap_closed at 5000")});
}

void TestEnginePush::scripts()
{
    QFETCH(QString, script);
    QFETCH(QStringList, events);
    const bool rows = script.contains(QLatin1String(";A;0;")) || script.contains(QLatin1String(";A;1000;"));
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
}

void TestEnginePush::mode()
{
    EngineRig rig(EngineRig::insertSpec(false));
    rig.run(QStringLiteral("at 0\nup\npushing afresh\npass"));
    QCOMPARE(rig.engine().state(rig.now()).mode, domain::ObservationMode::Push);
    // The next pass is the proving one.
    QVERIFY(rig.engine().nextTickUs() - rig.now().monotonicUs > 50'000'000);
    rig.run(QStringLiteral("at 1000\npushing lost"));
    QCOMPARE(rig.engine().state(rig.now()).mode, domain::ObservationMode::Poll);
    QVERIFY(rig.run(QStringLiteral("tick")).contains(QLatin1String("pass")));
}

void TestEnginePush::resumesOnlyWhereTheTableIsWhole()
{
    EngineRig rig(EngineRig::insertSpec(false));
    rig.run(QStringLiteral("at 0\nup\npushing afresh"));
    QVERIFY(!rig.engine().canResume());
    rig.run(QStringLiteral("pass"));
    QVERIFY(rig.engine().canResume());
    rig.run(QStringLiteral("down"));
    QVERIFY(rig.engine().canResume());
    rig.run(QStringLiteral("up\npushing off"));
    QVERIFY(!rig.engine().canResume());
    rig.run(QStringLiteral("pushing afresh"));
    QVERIFY(!rig.engine().canResume());
}

QTEST_GUILESS_MAIN(TestEnginePush)
#include "tst_engine_push.moc"
