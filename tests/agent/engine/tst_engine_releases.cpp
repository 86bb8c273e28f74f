// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/engine/engine_rig.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_engine_releases {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** Observations of a lock between a force-release's command and its outcome. */
class TestEngineReleases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scripts_data();
    void scripts();
    void aKilledSessionIsRememberedUntilThePoll();
    void resumesOnlyWhereAllIsTold();
};

void TestEngineReleases::scripts_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const QByteArray &script, const QByteArray &expected) {
        QTest::newRow(name) << QString::fromLatin1(script) << QString::fromLatin1(expected);
    };
    const QByteArray polled = "up\nscan\nat 500\nscan a;A;-\nat 1000\nsent a A\nat 1002\n";
    const QByteArray first = "acquired a by A at 500 window 500\n";
    row("ours, by its outcome", polled + "look a\nat 1500\nforced a A c1\nanswered a\nlook a",
        first + "force_released a by A at 1002 window 502 command c1 seen 500");
    row("the holder's own, by its outcome", polled + "look a\nat 1500\nanswered a",
        first + "released a by A at 1002 window 502 seen 500");
    row("what came after it keeps its time and place",
        polled + "look a\nat 1100\nscan a;B;1000\nat 1200\nlook a\nat 1500\nforced a A c1\nanswered a",
        first + "force_released a by A at 1002 window 502 command c1 seen 500\n"
                "acquired a by B at 1100 window 98 ttl 1000\n"
                "released a by B at 1200 window 100 ttl 1000 seen 1100");
    row("still there is seen at once, and bounds the window",
        polled + "look a;A;-\nat 1100\nlook a\nat 1500\nforced a A c1\nanswered a",
        first + "force_released a by A at 1100 window 98 command c1 seen 1002");
    row("the next one has the same token",
        "up\nscan\nat 500\nscan a;A;60000|plain\nat 1000\nsent a A\nat 1002\nforced a A c1\nanswered a\n"
        "at 1003\nlook a;A;60000|plain\nat 5000\nlook a",
        "acquired a by A at 500 window 500 ttl 60000\n"
        "force_released a by A at 1003 window 503 ttl 60000 command c1 seen 500\n"
        "acquired a by A at 1003 window 503 ttl 60000\n"
        "released a by A at 5000 window 3997 ttl 60000 seen 1003");
    row("a killed session takes its time",
        "up\nscan\nat 500\nscan a;A;-|s=7\nat 1000\nsent a A\nat 3000\nforced a A c1\nanswered a\n"
        "look a;A;-|s=7\nat 32000\nscan a;A;-|s=7\nat 61000\ntick\nlook a",
        first + "force_released a by A at 61000 window 29000 command c1 seen 32000");
    row("a killed session takes its time, and the link is away meanwhile",
        "up\nscan\nat 500\nscan a;A;-|s=7\nat 1000\nsent a A\nat 3000\nforced a A c1\nanswered a\n"
        "look a;A;-|s=7\nat 4000\ndown\nat 61000\nup\nscan\nlook a",
        first + "force_released a by A at 61000 window 58000 command c1 seen 3000 {\"cause\":\"gap\"}");
    row("the next one has the same token, and a page from before the release doesn't show it",
        "up\nscan\nat 500\nscan a;A;60000|plain\nat 1000\nsent a A\nskew 100\nforced a A c1\nanswered a\n"
        "span 60\npage a;A;59400|plain\nspan 0\nat 1300\nlook a",
        "acquired a by A at 500 window 500 ttl 60000\n"
        "force_released a by A at 1300 window 260 ttl 60000 command c1 seen 1100");
    row("others are not delayed", polled + "scan b;B;-\nat 1003\nlook a\nat 1500\nforced a A c1\nanswered a",
        first + "acquired b by B at 1002 window 502\n"
                "force_released a by A at 1003 window 503 command c1 seen 500");
    row("an order about an earlier holder delays nothing",
        "up\nscan\nat 500\nscan a;B;-\nsent a A\nat 1000\nlook a",
        "acquired a by B at 500 window 500\nreleased a by B at 1000 window 500 seen 500");
    row("an order about a holder that the table never had delays no later one",
        "up\nscan\nat 500\nscan a;B;-\nsent a A\nat 1000\nlook a\nanswered a\nat 1500\nscan a;C;-\n"
        "at 2000\nsent a C\nlook a\nforced a C c2\nanswered a",
        "acquired a by B at 500 window 500\nreleased a by B at 1000 window 500 seen 500\n"
        "acquired a by C at 1500 window 500\nforce_released a by C at 2000 window 500 command c2 seen 1500");
    row("two orders: the last outcome", polled + "sent a A\nlook a\nanswered a\nforced a A c1\nanswered a",
        first + "force_released a by A at 1002 window 502 command c1 seen 500");
    row("the link goes: nothing is told of what it showed",
        polled + "look a\ndown\nanswered a\nat 5000\nup\nscan\nlook a",
        first + "released a by A at 5000 window 4500 seen 500 {\"cause\":\"gap\"}");
    row("its answer is lost, and the server carries it out when it goes on",
        polled + "lost a A c1\nanswered a\ndown\nat 5000\nup\nscan\nlook a",
        first + "force_released a by A at 5000 window 4500 command c1 seen 500 "
                "{\"cause\":\"gap\",\"may_be\":\"released\"}");
    row("its answer is lost, and it is carried out just after a look",
        polled + "lost a A c1\nanswered a\nat 2000\nlook a;A;-\nat 3000\nlook a",
        first + "force_released a by A at 3000 window 1000 command c1 seen 2000 {\"may_be\":\"released\"}");
    row("its answer is lost, and long after it the holder gives it back",
        polled + "lost a A c1\nanswered a\nat 2000\nlook a;A;-\nat 9000\nlook a",
        first + "released a by A at 9000 window 7000 seen 2000");
    row("its answer is lost, and the deadline was the end",
        "up\nscan\nat 500\nscan a;A;1000\nat 1000\nsent a A\nlost a A c1\nanswered a\nat 2000\nlook a",
        "acquired a by A at 500 window 500 ttl 1000\nexpired a by A at 1500 ttl 1000 seen 500");
    row("its answer is lost, and another acquisition is given back",
        polled + "lost a A c1\nanswered a\nat 2000\nlook a;B;-\nat 3000\nlook a",
        first + "force_released a by A at 2000 window 1500 command c1 seen 500 {\"may_be\":\"released\"}\n"
                "acquired a by B at 2000 window 1500\nreleased a by B at 3000 window 1000 seen 2000");
    row("its answer comes late and proves it",
        polled + "lost a A c1\nanswered a\nat 2000\nlate a A released\nlook a",
        first + "force_released a by A at 2000 window 1500 command c1 seen 500");
    row("its answer comes late and denies it",
        polled + "lost a A c1\nanswered a\nat 2000\nlate a A already_free\nlook a",
        first + "released a by A at 2000 window 1500 seen 500");
    row("known from the journal alone: probably that one",
        "at 1000\nrestore a;A;-\nat 2000\nup\nsent a A\nat 2500\nlook a\nforced a A c1\nanswered a",
        "force_released a by A at 2500 window 1500 command c1 seen 1000 "
        "{\"cause\":\"gap\",\"may_be\":\"released\"}");
    row("known from the journal alone, and another one's",
        "at 1000\nrestore a;A;-\nat 2000\nup\nsent a B\nforced a B c1\nanswered a\nat 2500\n"
        "look a;B;-\nat 3000\nlook a",
        "taken_over a by B at 2500 window 1500 {\"previous\":\"A\"}\n"
        "force_released a by B at 3000 window 500 command c1 seen 2500");
    row("pushed, and exact",
        "up\npushing afresh\nscan\nat 100\nchange 0 a;A;-\nsent a A\nat 110\nchange 0 a\nat 120\n"
        "change 0 a;B;-\nat 130\nchange 0 a\nat 600\nforced a A c1\nanswered a",
        "acquired a by A at 100\nforce_released a by A at 110 command c1 seen 100\nacquired a by B at 120\n"
        "released a by B at 130 seen 120");
}

void TestEngineReleases::scripts()
{
    QFETCH(QString, script);
    QFETCH(QString, expected);
    EngineRig rig(EngineRig::redisSpec());
    QStringList told;
    for (const QString &line : rig.run(script).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        if (!line.startsWith(QLatin1String("source_")) && !line.startsWith(QLatin1String("gap_")) &&
            !line.startsWith(QLatin1String("? ")) && line != QLatin1String("scan") &&
            line != QLatin1String("open"))
            told.append(line);
    }
    QCOMPARE(told.join(QLatin1Char('\n')), expected);
}

/** Only polls see it again while it rolls back. */
void TestEngineReleases::aKilledSessionIsRememberedUntilThePoll()
{
    stores::SourceSpec spec = EngineRig::redisSpec();
    spec.pollMs = 60'000;
    EngineRig rig(spec);
    const QString told = rig.run(QStringLiteral(
        "up\nscan\nat 500\nscan a;A;-|s=7\nat 1000\nsent a A\nat 3000\nforced a A c1\nanswered a\n"
        "look a;A;-|s=7\nat 62000\ntick\nlook a"));
    QVERIFY2(told.contains(QLatin1String("force_released a by A at 62000 window 59000 command c1 seen 3000")),
             qPrintable(told));
}

/** A position behind a change that wasn't reported yet would lose that change. */
void TestEngineReleases::resumesOnlyWhereAllIsTold()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\npushing afresh\nscan\nat 100\nchange 0 a;A;-\nsent a A"));
    QVERIFY(rig.engine().canResume());
    rig.run(QStringLiteral("at 110\nchange 0 a"));
    QVERIFY(!rig.engine().canResume());
    rig.run(QStringLiteral("answered a"));
    QVERIFY(rig.engine().canResume());
    rig.run(QStringLiteral("at 200\nchange 0 a;A;-\nsent a A\nat 210\nchange 0 a\ndown"));
    QVERIFY(!rig.engine().canResume());
}

LOCKKEEPER_TEST(TestEngineReleases)

} // namespace tst_engine_releases

#include "tst_engine_releases.moc"
