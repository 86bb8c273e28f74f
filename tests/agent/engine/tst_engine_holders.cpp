// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_rig.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_engine_holders {

using namespace lockkeeper;
using tests::EngineRig;

/** A liveness probe's verdict on a holder, as the engine takes it. */
class TestEngineHolders : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scripts_data();
    void scripts();
    void anotherAcquisitionIsNotMarked();
    void countsIt();
};

void TestEngineHolders::scripts_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const QByteArray &script, const QByteArray &expected) {
        QTest::newRow(name) << QString::fromLatin1(script) << QString::fromLatin1(expected);
    };
    const QByteArray held = "up\nscan\nat 500\nscan a;A;60000\nat 1000\n";
    const QByteArray first = "acquired a by A at 500 window 500 ttl 60000\n";
    const QByteArray gone = "stuck a by A at 1000 ttl 60000 {\"reason\":\"holder_gone\"}";
    row("dead makes it stuck at once", held + "dead a", first + gone);
    row("dead again is no other event", held + "dead a\nat 2000\ndead a", first + gone);
    row("it stays stuck while it is seen again",
        held + "dead a\nat 1500\nscan a;A;59000\nat 2000\nlook a;A;58500", first + gone);
    row("alive ends it", held + "dead a\nat 2000\nalive a",
        first + gone + "\nunstuck a by A at 2000 ttl 60000 {\"reason\":\"holder_gone\"}");
    row("alive alone is nothing", held + "alive a", first.trimmed());
    row("a renewal ends it, and the probe isn't believed again",
        held + "dead a\nat 2000\nscan a;A;60000\nat 3000\ndead a",
        first + gone + "\nunstuck a by A at 2000 window 1500 ttl 60000 {\"reason\":\"holder_gone\"}");
    row("after a renewal and a probe that found it alive, the probe is believed again",
        held + "dead a\nat 2000\nscan a;A;60000\nat 3000\nalive a\nat 4000\ndead a",
        first + gone +
            "\nunstuck a by A at 2000 window 1500 ttl 60000 {\"reason\":\"holder_gone\"}\n"
            "stuck a by A at 4000 ttl 60000 {\"reason\":\"holder_gone\"}");
    row("the end is just an end", held + "dead a\nat 1500\nlook a",
        first + gone + "\nreleased a by A at 1500 window 1000 ttl 60000 seen 500");
    row("the next holder isn't stuck", held + "dead a\nat 1500\nscan a;B;60000",
        first + gone + "\ntaken_over a by B at 1500 window 1000 ttl 60000 {\"previous\":\"A\"}");
    row("the same holder's next acquisition isn't stuck",
        held + "dead a\nat 1500\nlook a\nat 2000\nscan a;A;60000\nat 2500\nscan a;A;59500",
        first + gone +
            "\nreleased a by A at 1500 window 1000 ttl 60000 seen 500\n"
            "acquired a by A at 2000 window 500 ttl 60000");
    row("it gets the store's reason when that is due",
        "up\nscan\nat 500\nscan a;A;-\nat 1000\ndead a\nat 31000\nscan a;A;-\nat 32000\nalive a",
        "acquired a by A at 500 window 500\nstuck a by A at 1000 {\"reason\":\"holder_gone\"}\n"
        "stuck a by A at 30500 {\"reason\":\"no_expiry\"}");
    row("dead adds nothing to the store's reason",
        "up\nscan\nat 500\nscan a;A;-\nat 31000\nscan a;A;-\nat 32000\ndead a\nat 33000\nalive a",
        "acquired a by A at 500 window 500\nstuck a by A at 30500 {\"reason\":\"no_expiry\"}");
    row("without a link nothing is taken", held + "down\ndead a", first.trimmed());
    row("a lock that nobody holds", "up\nscan\nat 500\nscan\ndead a", "");
    row("seen again after a restart of the agent",
        "at 1000\nrestore a;A;60000\nat 2000\nup\nat 2500\nscan a;A;58500\nat 3000\ndead a",
        "stuck a by A at 3000 ttl 58500 {\"reason\":\"holder_gone\"}");
}

void TestEngineHolders::scripts()
{
    QFETCH(QString, script);
    QFETCH(QString, expected);
    EngineRig rig(EngineRig::redisSpec());
    QStringList told;
    for (const QString &line : rig.run(script).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        if (!line.startsWith(QLatin1String("source_")) && !line.startsWith(QLatin1String("gap_")) &&
            !line.startsWith(QLatin1String("? ")) && !line.startsWith(QLatin1String("(renewed ")) &&
            !line.startsWith(QLatin1String("~ ")) && line != QLatin1String("scan") &&
            line != QLatin1String("open"))
            told.append(line);
    }
    QCOMPARE(told.join(QLatin1Char('\n')), expected);
}

void TestEngineHolders::anotherAcquisitionIsNotMarked()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\nscan\nat 500\nscan a;A;60000"));
    const domain::LockState first = rig.engine().table().locks().constFirst();
    QVERIFY(!first.guard.isEmpty());
    rig.run(QStringLiteral("at 1000\nscan a;B;60000"));
    QVERIFY(rig.engine().holderChecked(first.key, first.guard, true, rig.now()).events.isEmpty());
    QVERIFY(rig.engine().holderChecked(first.key, {}, true, rig.now()).events.isEmpty());
    QCOMPARE(rig.engine().table().locks().constFirst().stuck, domain::StuckReason::None);
}

void TestEngineHolders::countsIt()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\nscan\nat 500\nscan a;A;60000 b;B;60000\ndead a"));
    QCOMPARE(rig.engine().state(rig.now()).counts.stuck, 1);
    rig.run(QStringLiteral("at 1000\nlook a"));
    QCOMPARE(rig.engine().state(rig.now()).counts.stuck, 0);
}

LOCKKEEPER_TEST(TestEngineHolders)

} // namespace tst_engine_holders

#include "tst_engine_holders.moc"
