// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/engine/engine_rig.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_engine_keys {

using namespace lockkeeper::tests;

/** Keys that stay while free, and permits that other clients remove. */
class EngineKeysTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keysThatStay_data();
    void keysThatStay();
    void serversOfTheirOwn_data();
    void serversOfTheirOwn() { keysThatStay(); }
};

void EngineKeysTest::keysThatStay_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *script, const char *expected) {
        QTest::newRow(name) << QString::fromLatin1(script) << QString::fromLatin1(expected);
    };
    row("given back, with another end of its run", "at 500\n scan j;H;8800|run=1\n at 1000\n scan j;H;-|idle",
        "acquired j by H at 500 window 500 ttl 8800\n released j by H at 1000 window 500 ttl 8800 seen 500");
    row("another one took it and gave it back, unseen: only what was seen is told",
        "at 500\n scan j;H;8800|run=1\n at 1000\n scan j;K;-|idle",
        "acquired j by H at 500 window 500 ttl 8800\n released j by H at 1000 window 500 ttl 8800 seen 500");
    row("written by two at once", "at 500\n scan j;H;8800|run=1\n at 900\n scan j;K;8800|run=1",
        "acquired j by H at 500 window 500 ttl 8800\n"
        "taken_over j by K at 900 window 400 ttl 8800 {\"previous\":\"H\"}");
    row("idle, and its key runs out", "at 500\n scan j;H;-|idle\n at 1000\n scan\n at 1001\n look j",
        "~ j free by H\n ? j\n - j");
    row("a permit is given back", "at 500\n scan j;H;800|permit\n at 900\n scan\n at 901\n look j",
        "acquired j by H at 500 window 500 ttl 800\n ? j\n released j by H at 901 window 401 ttl 800 seen "
        "500");
    row("a permit that has run out is removed by the next client",
        "at 500\n scan j;H;800|permit\n at 1400\n scan\n at 1401\n look j",
        "acquired j by H at 500 window 500 ttl 800\n ? j\n expired j by H at 1300 ttl 800 seen 500");
    row("a permit that has run out is still there",
        "at 500\n scan j;H;800|permit\n at 1400\n scan j;H;-100|permit",
        "acquired j by H at 500 window 500 ttl 800\n expired j by H at 1300 ttl 800 seen 500");
}

/** Locks that go to another server, and servers that take another's place. */
void EngineKeysTest::serversOfTheirOwn_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *script, const char *expected) {
        QTest::newRow(name) << QString::fromLatin1(script) << QString::fromLatin1(expected);
    };
    row("taken to another server, whose clock is ahead: nobody renewed it",
        "at 500\n scan a;A;9000|server=1\n at 600\n scan a;A;9900|server=2\n at 700\n scan a;A;9950|server=2",
        "acquired a by A at 500 window 500 ttl 9000\n ~ a held by A until 10500\n ~ a held by A until 10650\n"
        "(renewed a by A at 700 ttl 9950)");
    row("or behind", "at 500\n scan a;A;9000|server=1\n at 600\n scan a;A;8000|server=2",
        "acquired a by A at 500 window 500 ttl 9000\n ~ a held by A until 8600");
    row("with the very same deadline: its guard is another",
        "at 500\n scan a;A;9000|server=1\n at 600\n scan a;A;8900|server=2\n at 700\n scan a;A;9000|server=2",
        "acquired a by A at 500 window 500 ttl 9000\n ~ a held by A until 9500\n ~ a held by A until 9700\n"
        "(renewed a by A at 700 ttl 9000)");
    row("two servers whose clocks are seconds apart: what one shows isn't dated by the other",
        "at 500\n page a;A;9000|server=1\n skew -3000\n page b;B;8000|server=2\n skew 3000\n at 700\n look "
        "a|server=1",
        "acquired a by A at 500 window 500 ttl 9000\n acquired b by B at -2500 ttl 8000\n released a by A at "
        "700 window 200 ttl 9000 seen 500");
    row("a deadline by a clock that is behind isn't looked for before it comes",
        "at 500\n page a;A;9000|server=1\n skew -3000\n page b;B;1000|server=2\n skew 3000\n at 1480\n "
        "tick\n "
        "at 1486\n tick\n skew -3000\n look b;B;14|server=2\n skew 3000\n at 1502\n tick\n skew -3000\n look "
        "b|server=2",
        "acquired a by A at 500 window 500 ttl 9000\n acquired b by B at -2500 ttl 1000\n scan\n ? b\n ? b\n"
        "expired b by B at -1500 ttl 1000 seen -1514");
    row("what all servers have told is known until then",
        "at 500\n page a;A;9000|server=1\n at 1500\n page\n at 1700\n down",
        "acquired a by A at 500 window 500 ttl 9000\n source_down at 1700 {\"cause\":\"unreachable\"}\n"
        "gap_opened at 1500 {\"cause\":\"source_down\"}");
    row("nor after it by one that is ahead",
        "at 500\n page a;A;9000|server=1\n skew 3000\n page b;B;1000|server=2\n skew -3000\n at 1480\n "
        "tick\n "
        "at 1486\n tick\n skew 3000\n look b;B;14|server=2\n skew -3000\n at 1502\n tick\n skew 3000\n look "
        "b|server=2",
        "acquired a by A at 500 window 500 ttl 9000\n acquired b by B at 3500 window 3500 ttl 1000\n scan\n "
        "? b\n"
        "? b\n expired b by B at 4500 ttl 1000 seen 4486");
    row("another server, with another holder: nobody handed the lock over",
        "at 500\n scan a;B;60000\n down\n at 900\n up run2 failover\n at 1000\n scan a;A;59500\n at 1100\n"
        "scan a;A;59400 b;B;-\n at 1200\n scan a;C;60000 b;B;-",
        "acquired a by B at 500 window 500 ttl 60000\n source_down at 500 {\"cause\":\"unreachable\"}\n"
        "gap_opened at 500 {\"cause\":\"source_down\"}\n source_up at 900\n scan\n"
        "lost a by B at 1000 window 500 ttl 60000 seen 500 {\"cause\":\"lost_in_failover\"}\n"
        "acquired a by A at 1000 window 500 ttl 59500 {\"cause\":\"failover\"}\n gap_closed at 1000\n"
        "acquired b by B at 1100 window 100\n"
        "taken_over a by C at 1200 window 100 ttl 60000 {\"previous\":\"A\"}");
    row("the one that had it before has it again",
        "at 500\n scan a;A;60000\n at 600\n scan a;B;60000\n down\n at 900\n up run2 failover\n at 1000\n"
        "scan a;A;59500",
        "acquired a by A at 500 window 500 ttl 60000\n"
        "taken_over a by B at 600 window 100 ttl 60000 {\"previous\":\"A\"}\n"
        "source_down at 600 {\"cause\":\"unreachable\"}\n gap_opened at 600 {\"cause\":\"source_down\"}\n"
        "source_up at 900\n scan\n"
        "lost a by B at 1000 window 400 ttl 60000 seen 600 {\"cause\":\"lost_in_failover\"}\n"
        "acquired a by A at 1000 window 400 ttl 59500 {\"came_back\":true,\"cause\":\"failover\"}\n"
        "gap_closed at 1000");
    row("a lease that would have run out by then wasn't lost for certain",
        "at 500\n scan a;B;300\n down\n at 900\n up run2 failover\n at 1000\n scan a;A;59500",
        "acquired a by B at 500 window 500 ttl 300\n source_down at 500 {\"cause\":\"unreachable\"}\n"
        "gap_opened at 500 {\"cause\":\"source_down\"}\n source_up at 900\n scan\n"
        "expired a by B at 1000 window 500 ttl 300 seen 500 {\"cause\":\"gap\"}\n"
        "acquired a by A at 1000 window 500 ttl 59500 {\"cause\":\"failover\"}\n gap_closed at 1000");
    row("a restart brings back what its last snapshot had",
        "at 500\n scan\n down\n at 900\n up run2\n at 1000\n scan a;A;-\n at 1100\n scan a;A;- b;B;-",
        "source_down at 500 {\"cause\":\"unreachable\"}\n gap_opened at 500 {\"cause\":\"source_down\"}\n"
        "source_up at 900\n scan\n acquired a by A at 1000 window 500 {\"cause\":\"restart\"}\n"
        "gap_closed at 1000\n acquired b by B at 1100 window 100");
    row("the same server after a gap: handed over, as far as anybody saw",
        "at 500\n scan a;B;60000\n down\n at 900\n up\n at 1000\n scan a;A;59500",
        "acquired a by B at 500 window 500 ttl 60000\n source_down at 500 {\"cause\":\"unreachable\"}\n"
        "gap_opened at 500 {\"cause\":\"source_down\"}\n source_up at 900\n scan\n"
        "taken_over a by A at 1000 window 500 ttl 59500 {\"previous\":\"B\"}\n gap_closed at 1000");
}

void EngineKeysTest::keysThatStay()
{
    QFETCH(QString, script);
    QFETCH(QString, expected);
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\nscan"));
    QStringList wanted;
    for (const QString &line : expected.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        wanted.append(line.trimmed());
    QCOMPARE(rig.run(script).trimmed(), wanted.join(QLatin1Char('\n')));
}

LOCKKEEPER_TEST(EngineKeysTest)

} // namespace tst_engine_keys

#include "tst_engine_keys.moc"
