// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_rig.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_source_engine {

using namespace lockkeeper;
using tests::EngineRig;

/** The engine's rules, one row each: the store's data and the engine's answer. */
class SourceEngineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tokens_data();
    void tokens();
    void rows_data();
    void rows();
    void link_data();
    void link();
    void capabilities_data();
    void capabilities();
    void countsKeepUp();
    void burstsArePaged();
    void aPartIsNotTheWhole();
    void whatANewSetShowsWasNotLookedAt();
    void sourceStateTells();
    void toldLateIsNoReadingOfTheClock();
    void inspectionChangesNothing();
    void journalsRenewalsWhereAsked();
    void measuresSilenceOnlyWhileWatching();
    void rowsAreNotLostByARestart();
};

namespace {

void columns()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
}

void row(const char *name, const char *script, const char *expected)
{
    QTest::newRow(name) << QString::fromUtf8(script) << QString::fromUtf8(expected);
}

/** Runs a row after connecting and one empty scan at 0; the output of these two is left out. */
void compare(EngineRig &rig, bool connected)
{
    QFETCH(QString, script);
    QFETCH(QString, expected);
    if (connected)
        rig.run(QStringLiteral("up\nscan"));
    QString got = rig.run(script);
    QStringList wanted;
    for (const QString &line : expected.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        wanted.append(line.trimmed());
    QCOMPARE(got.trimmed(), wanted.join(QLatin1Char('\n')));
}

} // namespace

void SourceEngineTest::tokens_data()
{
    columns();
    row("acquired between two scans", "at 500\n scan a;A;30000",
        "acquired a by A at 500 window 500 ttl 30000");
    row("still held says nothing", "at 500\n scan a;A;30000\n at 1000\n scan a;A;29500",
        "acquired a by A at 500 window 500 ttl 30000");
    row("missing is asked for before anything is claimed",
        "at 500\n scan a;A;30000\n at 1000\n scan\n at 1001\n look a",
        "acquired a by A at 500 window 500 ttl 30000\n ? a\n released a by A at 1001 window 501 ttl 30000 "
        "seen 500");
    row("missing in SCAN and there after all",
        "at 500\n scan a;A;30000\n at 1000\n scan\n at 1001\n look a;A;29499",
        "acquired a by A at 500 window 500 ttl 30000\n ? a");
    row("an incomplete scan claims nothing", "at 500\n scan a;A;30000\n at 1000\n partial",
        "acquired a by A at 500 window 500 ttl 30000");
    row("a scan that waits for minutes is no fault, and its windows are as long",
        "at 500\n now\n page a;A;900000\n at 60000\n tick\n at 120000\n tick\n at 180000\n scan a;A;720500 "
        "b;B;9000",
        "scan\n acquired a by A at 500 window 500 ttl 900000\n acquired b by B at 180000 window 180000 ttl "
        "9000");
    row("an expiry is looked for just before and just after the deadline",
        "at 500\n scan a;A;1000\n at 1485\n tick\n look a;A;15\n at 1501\n tick\n at 1502\n look a",
        "acquired a by A at 500 window 500 ttl 1000\n ? a\n scan\n ? a\n expired a by A at 1500 ttl 1000 "
        "seen 1485");
    row("gone at the look before the deadline", "at 500\n scan a;A;1000\n at 1485\n look a",
        "acquired a by A at 500 window 500 ttl 1000\n released a by A at 1485 window 985 ttl 1000 seen 500");
    row("gone in a look that spans the deadline is looked at again",
        "at 500\n scan a;A;1000\n at 1490\n look a;A;10\n span 10\n at 1505\n look a\n span 0\n at 1506\n "
        "look a",
        "acquired a by A at 500 window 500 ttl 1000\n ? a\n expired a by A at 1500 ttl 1000 seen 1490");
    row("what a look left out is looked for again, while others are answered",
        "at 500\n scan a;A;1000 b;B;1000\n at 1485\n tick\n look b;B;1000\n unread a b\n at 1600\n scan "
        "b;B;885\n look a",
        "acquired a by A at 500 window 500 ttl 1000\n acquired b by B at 500 window 500 ttl 1000\n ? a\n ? "
        "b\n scan\n ~ b held by B until 2485\n (renewed b by B at 1485 ttl 1000)\n ? a\n expired a by A at "
        "1500 "
        "ttl 1000 seen 500");
    row("renewed", "at 500\n scan a;A;1000\n at 1000\n scan a;A;1000",
        "acquired a by A at 500 window 500 ttl 1000\n ~ a held by A until 2000\n (renewed a by A at 1000 ttl "
        "1000)");
    row("a vague deadline that overlaps is no renewal",
        "slack 3\n at 500\n scan a;A;1000\n at 1002\n scan a;A;500\n at 1500\n scan a;A;1",
        "acquired a by A at 500 window 500 ttl 1003");
    row("persisted: no renewal", "at 500\n scan a;A;1000\n at 1000\n scan a;A;-",
        "acquired a by A at 500 window 500 ttl 1000\n changed a by A at 1000 window 500 "
        "{\"state\":\"held\"}");
    row("shortened: no renewal", "at 500\n scan a;A;9000\n at 1000\n scan a;A;100",
        "acquired a by A at 500 window 500 ttl 9000\n changed a by A at 1000 window 500 ttl 9000 "
        "{\"state\":\"held\"}");
    row("taken over", "at 500\n scan a;A;1000\n at 1000\n scan a;B;1000",
        "acquired a by A at 500 window 500 ttl 1000\n"
        "taken_over a by B at 1000 window 500 ttl 1000 {\"previous\":\"A\"}");
    row("ran out just after a look, and another has it at the next one",
        "at 500\n scan a;A;1000\n at 1485\n look a;A;15\n at 1501\n look a;B;1000",
        "acquired a by A at 500 window 500 ttl 1000\n expired a by A at 1500 ttl 1000 seen 1485\n"
        "acquired a by B at 1501 window 16 ttl 1000");
    row("its deadline passed long after it was seen last: it may have been given back before",
        "at 500\n scan a;A;1000\n at 1501\n scan a;B;1000",
        "acquired a by A at 500 window 500 ttl 1000\n"
        "taken_over a by B at 1501 window 1001 ttl 1000 {\"previous\":\"A\"}");
    row("expired, seen free, then acquired",
        "at 500\n scan a;A;1000\n at 1501\n look a\n at 1600\n scan a;B;1000",
        "acquired a by A at 500 window 500 ttl 1000\n expired a by A at 1500 ttl 1000 seen 500\n"
        "acquired a by B at 1600 window 99 ttl 1000");
    row("an older answer that comes late is left out",
        "at 500\n scan a;A;1000\n at 900\n look a\n span 500\n at 905\n page a;A;595\n span 0\n at 906\n "
        "look a",
        "acquired a by A at 500 window 500 ttl 1000\n released a by A at 900 window 400 ttl 1000 seen 500\n "
        "? a");
    row("an answer from before the last one says nothing",
        "at 500\n scan a;A;1000\n at 900\n look a\n skew -50\n page a;A;650",
        "acquired a by A at 500 window 500 ttl 1000\n released a by A at 900 window 400 ttl 1000 seen 500");
    row("no expiry for 30 s is stuck",
        "at 500\n scan a;A;-\n at 30499\n scan a;A;-\n at 30501\n tick\n look a;A;-",
        "acquired a by A at 500 window 500\n ? a\n stuck a by A at 30500 {\"reason\":\"no_expiry\"}");
    row("unstuck by an expiry", "at 500\n scan a;A;-\n at 40000\n scan a;A;-\n at 41000\n scan a;A;5000",
        "acquired a by A at 500 window 500\n stuck a by A at 30500 {\"reason\":\"no_expiry\"}\n"
        "unstuck a by A at 41000 window 1000 ttl 5000 {\"reason\":\"no_expiry\"}");
    row("the end of a stuck lock is just an end",
        "at 500\n scan a;A;-\n at 40000\n scan a;A;-\n at 41000\n look a\n at 42000\n scan a;B;100",
        "acquired a by A at 500 window 500\n stuck a by A at 30500 {\"reason\":\"no_expiry\"}\n"
        "released a by A at 41000 window 1000 seen 40000\n acquired a by B at 42000 window 1000 ttl 100");
    row("an unknown expiry is neither stuck nor expired", "at 500\n scan a;A;?\n at 90000\n scan a;A;?",
        "acquired a by A at 500 window 500");
    row("force-released", "at 500\n scan a;A;-\n at 1000\n forced a A c1\n at 1002\n look a",
        "acquired a by A at 500 window 500\n ? a\n force_released a by A at 1002 window 502 command c1 seen "
        "500");
    row("force-released and taken at once",
        "at 500\n scan a;A;-\n at 1000\n forced a A c1\n at 1002\n look a;B;1000",
        "acquired a by A at 500 window 500\n ? a\n force_released a by A at 1002 window 502 command c1 seen "
        "500\n"
        "acquired a by B at 1002 window 502 ttl 1000");
    row("a force-release of another acquisition",
        "at 500\n scan a;A;-\n at 1000\n forced a B c1\n at 1002\n look a",
        "acquired a by A at 500 window 500\n ? a\n released a by A at 1002 window 502 seen 500");
    row("a force-release whose effect came too late",
        "at 500\n scan a;A;90000\n at 1000\n forced a A c1\n at 61001\n look a",
        "acquired a by A at 500 window 500 ttl 90000\n ? a\n released a by A at 61001 window 60501 ttl 90000 "
        "seen 500");
    row("too long a value", "at 500\n scan a;!truncated\n at 600\n scan a;!truncated\n at 700\n look a",
        "changed a by NULL at 500 window 500 {\"state\":\"unknown\"}\n changed a by NULL at 700 window 100 "
        "{\"state\":\"gone\"}");
    row("a key that becomes another type",
        "at 500\n scan a;A;9000\n at 1000\n scan a;!wrongtype\n at 1500\n scan a;B;900",
        "acquired a by A at 500 window 500 ttl 9000\n released a by A at 1000 window 500 ttl 9000 seen 500\n"
        "acquired a by B at 1500 window 500 ttl 900");
    row("the store's clock set back an hour",
        "at 500\n scan a;A;9000\n skew -3600000\n scan a;A;3609000\n at -3599000\n look a",
        "acquired a by A at 500 window 500 ttl 9000\n released a by A at -3599000 window 500 ttl 9000 seen "
        "-3599500");
    row("the store's clock set forward expires what the store expired",
        "at 500\n scan a;A;9000\n skew 60000\n scan b;B;100\n at 60501\n look a",
        "acquired a by A at 500 window 500 ttl 9000\n acquired b by B at 60500 window 60000 ttl 100\n ? a\n"
        "expired a by A at 9500 ttl 9000 seen 500");
    row("acquired, seen by a look only", "at 500\n scan\n at 700\n page a;A;1000",
        "acquired a by A at 700 window 200 ttl 1000");
}

void SourceEngineTest::tokens()
{
    EngineRig rig(EngineRig::redisSpec());
    compare(rig, true);
}

void SourceEngineTest::rows_data()
{
    columns();
    row("acquired, dated by its column", "at 500\n scan j;H;200;9000", "acquired j by H at 200 ttl 8800");
    row("free when first seen: no event", "at 500\n scan j;H;-900;-100", "~ j free by H");
    row("free and then acquired", "at 500\n scan j;H;-900;-100\n at 1000\n scan j;K;700;9000",
        "~ j free by H\n acquired j by K at 700 ttl 8300");
    row("released exactly", "at 500\n scan j;H;200;9000\n at 1000\n scan j;H;200;777",
        "acquired j by H at 200 ttl 8800\n released j by H at 777 ttl 8800 seen 500");
    row("ran out", "at 500\n scan j;H;200;900\n at 1000\n scan j;H;200;900",
        "acquired j by H at 200 ttl 700\n expired j by H at 900 ttl 700 seen 500");
    row("looked at only after the deadline, as the row stays",
        "at 500\n scan j;H;200;900\n at 890\n tick\n at 901\n tick\n look j;H;200;900",
        "acquired j by H at 200 ttl 700\n ? j\n expired j by H at 900 ttl 700 seen 500");
    row("renewed", "at 500\n scan j;H;200;900\n at 800\n scan j;H;200;1500",
        "acquired j by H at 200 ttl 700\n ~ j held by H until 1500\n (renewed j by H at 800 ttl 700)");
    row("came and went unseen", "at 500\n scan j;H;-900;-100\n at 1000\n scan j;K;600;750",
        "~ j free by H\n acquired j by K at 600\n released j by K at 750 seen 600");
    row("taken over, dated by its column", "at 500\n scan j;H;200;600\n at 1000\n scan j;K;700;9000",
        "acquired j by H at 200 ttl 400\n taken_over j by K at 700 ttl 8300 {\"previous\":\"H\"}");
    row("acquired in the future by a wrong clock", "at 500\n scan j;H;99000;199000",
        "acquired j by H at 500 window 500 ttl 198500");
    row("acquired before it was seen free: the column is wrong",
        "at 500\n scan j;H;-900;-100\n at 1000\n scan j;K;-300;9000",
        "~ j free by H\n acquired j by K at 1000 window 500 ttl 8000");
    row("in whole seconds: not before the last sighting, nor after this one",
        "at 1600\n scan\n at 2500\n scan j;H;2000;9000|step=1000",
        "acquired j by H at 2500 window 900 ttl 7000");
    row("in whole seconds, seen later: as far as the column tells",
        "at 900\n scan\n at 4500\n scan j;H;2000;9000|step=1000",
        "acquired j by H at 2999.999 window 1499.999 ttl 7000");
    row("given back in whole seconds",
        "at 1600\n scan\n at 2500\n scan j;H;2000;9000|step=1000\n at 3700\n scan j;H;2000;3000|step=1000",
        "acquired j by H at 2500 window 900 ttl 7000\n released j by H at 3700 window 700 ttl 7000 seen "
        "2500");
    row("came and went unseen in whole seconds",
        "at 1500\n scan j;H;-900;-100\n at 4000\n scan j;K;2000;3000|step=1000",
        "~ j free by H\n acquired j by K at 2999.999 window 1499.999\n"
        "released j by K at 3999.999 window 999.999 seen 2999.999");
    row("NULL holder", "at 500\n scan j;NULL;200;9000\n at 1000\n scan j;NULL;200;800",
        "acquired j by NULL at 200 ttl 8800\n released j by NULL at 800 ttl 8800 seen 500");
    row("a row deleted while held", "at 500\n scan j;H;200;9000\n at 1000\n scan\n at 1001\n look j",
        "acquired j by H at 200 ttl 8800\n ? j\n released j by H at 1001 window 501 ttl 8800 seen 500");
    row("a row deleted while free", "at 500\n scan j;H;-900;-100\n at 1000\n scan\n at 1001\n look j",
        "~ j free by H\n ? j\n - j");
    row("force-released", "at 500\n scan j;H;200;9000\n forced j H@200 c7\n at 510\n look j;H;200;505",
        "acquired j by H at 200 ttl 8800\n ? j\n force_released j by H at 505 ttl 8800 command c7 seen 500");
    row("force-released and taken at once",
        "at 500\n scan j;H;200;9000\n forced j H@200 c7\n at 510\n look j;K;507;9000",
        "acquired j by H at 200 ttl 8800\n ? j\n force_released j by H at 507 window 7 ttl 8800 command c7 "
        "seen 500\n"
        "acquired j by K at 507 ttl 8493");
    row("given back, and nobody is named any more",
        "at 500\n scan j;H;200;9000\n at 1000\n scan j;;0;900|nobody\n at 1500\n scan j;;0;900|nobody",
        "acquired j by H at 200 ttl 8800\n released j by H at 900 ttl 8800 seen 500");
    row("a time that makes no sense", "at 500\n scan j;!badtime\n at 900\n scan j;H;700;9000",
        "changed j by NULL at 500 window 500 {\"state\":\"unknown\"}\n acquired j by H at 700 ttl 8300");
}

void SourceEngineTest::rows()
{
    EngineRig rig(EngineRig::shedlockSpec());
    compare(rig, true);
}

void SourceEngineTest::link_data()
{
    columns();
    row("first seen", "up\n at 500\n scan a;A;1000 b;B;-",
        "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 1000 {\"first_seen\":true}\n"
        "acquired b by B at 500 {\"first_seen\":true}");
    row("never reached", "down\n tick\n at 260\n tick\n down",
        "open\n source_down at 1000 {\"cause\":\"unreachable\"}\n open");
    row("a wrong password is tried again slowly", "down authentication\n at 20000\n tick\n at 30000\n tick",
        "open\n source_down at 1000 {\"cause\":\"authentication\"}\n open");
    row("down before the first page: nobody has looked since it was up",
        "up\n at 500\n down\n at 5000\n up\n at 5200\n scan a;A;9000",
        "open\n source_up at 1000\n scan\n source_down at 1500 {\"cause\":\"unreachable\"}\n"
        "gap_opened at 1000 {\"cause\":\"source_down\"}\n source_up at 6000\n scan\n"
        "acquired a by A at 5200 ttl 9000 {\"first_seen\":true}\n gap_closed at 5200");
    row("down before the first whole scan: nobody has seen all of it",
        "up\n at 1500\n page a;A;60000\n at 1800\n down\n at 5000\n up\n at 5200\n scan a;A;56300",
        "open\n source_up at 1000\n scan\n acquired a by A at 1500 ttl 60000 {\"first_seen\":true}\n"
        "source_down at 1800 {\"cause\":\"unreachable\"}\n gap_opened at 1000 {\"cause\":\"source_down\"}\n"
        "source_up at 5000\n scan\n gap_closed at 5200");
    row("a gap is dated at the last observation before and the first whole scan after it",
        "up\n at 500\n scan a;A;60000\n at 800\n down\n at 5000\n up\n at 5100\n partial\n at 5200\n now\n "
        "scan a;A;55300",
        "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 60000 {\"first_seen\":true}\n"
        "source_down at 800 {\"cause\":\"unreachable\"}\n gap_opened at 500 {\"cause\":\"source_down\"}\n"
        "source_up at 5000\n scan\n scan\n gap_closed at 5200");
    row("scans that fail while the connection stands: the second leaves a gap since the last whole one",
        "up\n at 500\n scan a;A;60000\n at 1000\n partial\n at 1500\n partial a;A;59000\n at 2000\n "
        "partial\n "
        "at 9000\n scan a;A;51500 b;B;9000",
        "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 60000 {\"first_seen\":true}\n"
        "gap_opened at 500 {\"cause\":\"scans_failed\"}\n"
        "acquired b by B at 9000 window 8500 ttl 9000\n gap_closed at 9000");
    const QByteArray hidden("up\n at 500\n scan a1;A;60000 a2;B;- b;C;-\n at 1000\n hidden a\n at "
                            "2000\n shown a\n at 2500\n ");
    const QByteArray unknown("open\n source_up at 1000\n scan\n"
                             "acquired a1 by A at 500 ttl 60000 {\"first_seen\":true}\n"
                             "acquired a2 by B at 500 {\"first_seen\":true}\n"
                             "acquired b by C at 500 {\"first_seen\":true}\n"
                             "gap_opened at 500 {\"cause\":\"source_down\",\"node\":"
                             "\"n2\",\"partial\":true}\n"
                             "~ a1 unknown by A until 60500\n ~ a2 unknown by B\n");
    row("a part isn't observed: its locks are unknown, each until it is seen again",
        (hidden + "scan a1;A;58000 a2;B;- b;C;-").constData(),
        (unknown + "~ a1 held by A until 60500\n ~ a2 held by B\n"
                   "gap_closed at 2500 {\"node\":\"n2\",\"partial\":true}")
            .constData());
    row("a lock that has changed while its part wasn't observed",
        (hidden + "scan a1;D;58000 a2;B;- b;C;-").constData(),
        (unknown + "taken_over a1 by D at 2500 window 2000 ttl 58000 {\"previous\":\"A\"}\n"
                   "~ a2 held by B\n gap_closed at 2500 {\"node\":\"n2\",\"partial\":true}")
            .constData());
    row("a deadline that passed while scans failed isn't exact",
        "up\n at 500\n scan a;A;1000\n at 1000\n partial\n at 1400\n partial\n at 5200\n scan\n at 5201\n "
        "look a",
        "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 1000 {\"first_seen\":true}\n"
        "gap_opened at 500 {\"cause\":\"scans_failed\"}\n gap_closed at 5200\n ? a\n"
        "expired a by A at 5201 window 4701 ttl 1000 seen 500 {\"cause\":\"gap\"}");
    row("an agent that was stopped: a gap since it looked last, and no deadline in it is exact",
        "up\n at 500\n scan a;A;60000\n at 30000\n tick\n scan a;A;30500\n at 90000\n tick\n scan\n look a",
        "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 60000 {\"first_seen\":true}\n scan\n"
        "gap_opened at 30000 {\"cause\":\"agent_stalled\"}\n ? a\n scan\n gap_closed at 90000\n ? a\n"
        "expired a by A at 90000 window 60000 ttl 60000 seen 30000 {\"cause\":\"gap\"}");
    row("one that was stopped while an answer was on its way: what that shows isn't true until now",
        "up\n at 500\n scan a;A;60000\n at 1000\n tick\n at 90000\n skew -89000\n scan a;A;59500\n"
        "skew 89000\n at 99000\n tick\n scan\n look a",
        "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 60000 {\"first_seen\":true}\n scan\n"
        "gap_opened at 500 {\"cause\":\"agent_stalled\"}\n scan\n gap_closed at 99000\n ? a\n"
        "expired a by A at 99000 window 98000 ttl 60000 seen 1000 {\"cause\":\"gap\"}");
    row("one scan that fails between two that don't is no gap",
        "up\n at 500\n scan\n at 1000\n partial\n at 1500\n scan\n at 2000\n partial\n at 2500\n scan",
        "open\n source_up at 1000\n scan");
    row("scans that fail from the first on: nobody has looked since it was up",
        "up\n at 500\n partial a;A;60000\n at 1000\n partial\n at 2000\n scan a;A;58500",
        "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 60000 {\"first_seen\":true}\n"
        "gap_opened at 1000 {\"cause\":\"scans_failed\"}\n gap_closed at 2000");
    row("what changed in a gap has a window from before it",
        "up\n at 500\n scan a;A;60000\n down\n at 5000\n up\n at 5200\n scan b;B;9000\n at 5201\n look a",
        "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 60000 {\"first_seen\":true}\n"
        "source_down at 500 {\"cause\":\"unreachable\"}\n gap_opened at 500 {\"cause\":\"source_down\"}\n"
        "source_up at 5000\n scan\n acquired b by B at 5200 window 4700 ttl 9000\n gap_closed at 5200\n ? a\n"
        "released a by A at 5201 window 4701 ttl 60000 seen 500 {\"cause\":\"gap\"}");
    row("a deadline that passed in a gap isn't exact",
        "up\n at 500\n scan a;A;1000\n down\n at 5000\n up\n at 5200\n scan\n at 5201\n look a",
        "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 1000 {\"first_seen\":true}\n"
        "source_down at 500 {\"cause\":\"unreachable\"}\n gap_opened at 500 {\"cause\":\"source_down\"}\n"
        "source_up at 5000\n scan\n gap_closed at 5200\n ? a\n"
        "expired a by A at 5201 window 4701 ttl 1000 seen 500 {\"cause\":\"gap\"}");
    row("a server restarted empty",
        "up\n at 500\n scan a;A;60000\n down\n at 900\n up run2\n at 1000\n scan\n at 1001\n look a",
        "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 60000 {\"first_seen\":true}\n"
        "source_down at 500 {\"cause\":\"unreachable\"}\n gap_opened at 500 {\"cause\":\"source_down\"}\n"
        "source_up at 900\n scan\n gap_closed at 1000\n ? a\n"
        "lost a by A at 1001 window 501 ttl 60000 seen 500 {\"cause\":\"server_restarted\"}");
    row("another server took its place, without the lock",
        "up\n at 500\n scan a;A;60000 c;C;60000\n down\n at 900\n up run2 failover\n at 1000\n scan "
        "c;C;59500\n at "
        "1001\n look a",
        "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 60000 {\"first_seen\":true}\n"
        "acquired c by C at 500 ttl 60000 {\"first_seen\":true}\n"
        "source_down at 500 {\"cause\":\"unreachable\"}\n gap_opened at 500 {\"cause\":\"source_down\"}\n"
        "source_up at 900\n scan\n ~ c held by C until 60500\n gap_closed at 1000\n ? a\n"
        "lost a by A at 1001 window 501 ttl 60000 seen 500 {\"cause\":\"lost_in_failover\"}");
    row("a server restarted with its data: new guards",
        "up\n at 500\n scan a;A;60000\n down\n at 900\n up run2\n at 1000\n scan a;A;59500",
        "open\n source_up at 1000\n scan\n acquired a by A at 500 ttl 60000 {\"first_seen\":true}\n"
        "source_down at 500 {\"cause\":\"unreachable\"}\n gap_opened at 500 {\"cause\":\"source_down\"}\n"
        "source_up at 900\n scan\n ~ a held by A until 60500\n gap_closed at 1000");
    row("the agent restarted",
        "at 1000\n restore a;A;60000 b;B;60000\n at 9000\n up\n at 9100\n scan a;A;51900 c;C;5000\n at "
        "9101\n look b",
        "gap_opened at 1000 {\"cause\":\"agent_restarted\"}\n open\n source_up at 10000\n scan\n"
        "acquired c by C at 9100 window 8600 ttl 5000\n ~ a held by A until 61000\n gap_closed at 9100\n ? "
        "b\n"
        "released b by B at 9101 window 8101 seen 1000 {\"cause\":\"gap\"}");
    row("the agent restarted, and the store's clock was set back meanwhile",
        "at 1000\n restore a;A;- b;B;-\n skew -3600000\n up\n at -3598000\n scan a;A;-\n at -3597999\n "
        "look b",
        "gap_opened at 1000 {\"cause\":\"agent_restarted\"}\n open\n source_up at 2000\n scan\n"
        "~ a held by A\n gap_closed at -3598000\n ? b\n"
        "released b by B at -3597999 window 2001 seen -3600000 {\"cause\":\"gap\"}");
    row("scans never overlap", "up\n at 1000\n tick\n at 1500\n scan\n at 1549\n tick\n at 1650\n tick",
        "open\n source_up at 1000\n scan\n scan");
    row("an operator's scan", "up\n scan\n at 10\n now\n at 11\n now\n at 12\n scan\n at 13\n tick",
        "open\n source_up at 1000\n scan\n scan\n scan");
}

void SourceEngineTest::link()
{
    EngineRig rig(EngineRig::redisSpec());
    compare(rig, false);
}

void SourceEngineTest::capabilities_data()
{
    using domain::ReleaseOff;
    QTest::addColumn<QString>("script");
    QTest::addColumn<int>("mode");
    QTest::addColumn<QByteArray>("right");
    QTest::addColumn<QByteArray>("expected");
    const auto line = [](const char *name, const char *script, stores::BreakMode mode, const char *right,
                         const char *expected) {
        QTest::newRow(name) << QString::fromLatin1(script) << int(mode) << QByteArray(right)
                            << QByteArray(expected);
    };
    using stores::BreakMode;
    line("guarded", "scan j;H;-100;9000", BreakMode::Guarded, "", "guarded none");
    line("free", "scan j;H;-900;-100", BreakMode::Guarded, "", "off free");
    line("never", "scan j;H;-100;9000", BreakMode::Never, "", "off break_never");
    line("link down", "scan j;H;-100;9000\n down", BreakMode::Guarded, "", "off source_down");
    line("no identity", "scan j;NULL;-100;9000", BreakMode::Guarded, "", "off no_identity");
    line("no identity, unsafe", "scan j;NULL;-100;9000", BreakMode::Unsafe, "", "unsafe none");
    line("a nonsense time", "scan j;!badtime", BreakMode::Guarded, "", "off malformed");
    line("truncated", "scan j;!truncated", BreakMode::Guarded, "", "off truncated");
    line("no right", "scan j;H;-100;9000", BreakMode::Guarded, "break:shedlock", "off not_permitted");
    line("no right to another table", "scan j;H;-100;9000", BreakMode::Guarded, "break:lock",
         "off not_permitted");
    line("a replica", "scan j;H;-100;9000", BreakMode::Guarded, "read-only", "off read_only");
}

void SourceEngineTest::capabilities()
{
    QFETCH(QString, script);
    QFETCH(int, mode);
    QFETCH(QByteArray, right);
    QFETCH(QByteArray, expected);
    stores::SourceSpec spec = EngineRig::shedlockSpec();
    spec.locks[0].breakMode = stores::BreakMode(mode);
    spec.locks.append(spec.locks.at(0));
    EngineRig rig(spec);
    stores::ServerInfo info = EngineRig::info(spec);
    info.places[1] = "app.jobs";
    info.readOnly = right == "read-only";
    if (!right.isEmpty() && !info.readOnly)
        info.access = {{"observe:shedlock", true, false, {}}, {right, false, true, QStringLiteral("GRANT")}};
    rig.take(rig.engine().start({}, rig.now()));
    rig.take(rig.engine().opened(info, rig.now()));
    rig.run(QStringLiteral("at 500\n") + script);
    const auto lock = rig.engine().table().lock({spec.name, "sql.shedlock", "app.shedlock", "j"});
    QVERIFY(lock.has_value());
    QCOMPARE(domain::safetyName(lock->release.safety).toByteArray() + ' ' +
                 domain::releaseOffName(lock->release.why).toByteArray(),
             expected);
}

void SourceEngineTest::countsKeepUp()
{
    EngineRig rig(EngineRig::redisSpec());
    const auto counts = [&rig] {
        const domain::Counts c = rig.engine().state(rig.now()).counts;
        return QStringLiteral("%1 held %2 free %3 stuck %4")
            .arg(c.total)
            .arg(c.held)
            .arg(c.free)
            .arg(c.stuck);
    };
    rig.run(QStringLiteral("up\n at 500\n scan a;A;- b;B;100000 c;!truncated"));
    QCOMPARE(counts(), QStringLiteral("3 held 2 free 0 stuck 0"));
    rig.run(QStringLiteral("at 40000\n scan a;A;- b;B;60500 c;!truncated"));
    QCOMPARE(counts(), QStringLiteral("3 held 2 free 0 stuck 1"));
    rig.run(QStringLiteral("at 41000\n look a b c"));
    QCOMPARE(counts(), QStringLiteral("0 held 0 free 0 stuck 0"));
    rig.run(QStringLiteral("at 42000\n scan"));
    QVERIFY(rig.engine().table().locks().isEmpty());
}

void SourceEngineTest::burstsArePaged()
{
    constexpr int kCount = 20'000;
    EngineRig rig(EngineRig::redisSpec());
    rig.setQuiet(true);
    rig.run(QStringLiteral("up\nscan\nat 500"));
    stores::Page page{rig.storeUs(), rig.storeUs(), {}};
    for (int i = 0; i < kCount; ++i) {
        stores::Observation seen;
        seen.name = QByteArray::number(i);
        seen.identity = seen.owner = seen.token = "t";
        seen.held = true;
        seen.expiry = domain::ExpiryKind::None;
        page.locks.append(seen);
    }
    QCOMPARE(rig.engine().pageRead(page, rig.now()).events.size(), kCount);
    rig.advanceUs(500'000);
    QVERIFY(rig.engine().tick(rig.now()).scan);
    agent::engine::EngineStep step =
        rig.engine().scanEnded({true, rig.storeUs(), rig.storeUs(), 0, {}}, rig.now());
    int released = 0;
    int underWay = int(step.pointReads.size());
    QCOMPARE(underWay, 1'000);
    while (underWay < 4'000) {
        step.pointReads += rig.engine().tick(rig.now()).pointReads;
        QVERIFY(step.pointReads.size() > underWay);
        underWay = int(step.pointReads.size());
    }
    QVERIFY(rig.engine().tick(rig.now()).pointReads.isEmpty());
    while (!step.pointReads.isEmpty()) {
        stores::Page answer{rig.storeUs() + 1, rig.storeUs() + 1, {}};
        for (const stores::Subject &subject : std::as_const(step.pointReads)) {
            stores::Observation gone;
            gone.name = subject.name;
            gone.present = false;
            answer.locks.append(gone);
        }
        step = rig.engine().pageRead(answer, rig.now());
        released += int(step.events.size());
        QVERIFY(step.pointReads.size() <= 1'000);
    }
    QCOMPARE(released, kCount);
    QVERIFY(rig.engine().table().locks().isEmpty());
}

/**
 * The store may announce long afterwards up to which time it has reported all changes. That time is only a
 * lower bound of the store's clock.
 */
void SourceEngineTest::toldLateIsNoReadingOfTheClock()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up"));
    const auto offsetUs = [&rig] { return rig.engine().state(rig.now()).clockOffsetUs; };
    const auto told = [&rig](qint64 us) { rig.engine().pageTold({us, us, {}}, rig.now()); };
    told(rig.storeUs() - 300'000);
    rig.run(QStringLiteral("span 4\n at 500\n scan a;A;100\n"));
    QCOMPARE(offsetUs(), -1'000'000);
    rig.run(QStringLiteral("at 20000"));
    told(rig.storeUs() - 300'000);
    QCOMPARE(offsetUs(), -1'000'000);
    QCOMPARE(rig.engine().state(rig.now()).clockUncertaintyUs, 2'000);
    QCOMPARE(rig.engine().table().storeNowUs(rig.now()), rig.storeUs());
    told(rig.storeUs() + 400'000); // this clock had stood still
    QCOMPARE(rig.engine().table().storeNowUs(rig.now()), rig.storeUs() + 400'000);
}

/** An agent that ends in its first scan, or in one of a gap, hasn't seen the locks that it didn't come to. */
void SourceEngineTest::aPartIsNotTheWhole()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\n at 500\n page a;A;9000"));
    QCOMPARE(rig.engine().table().lastSeenUs(), 0);
    rig.run(QStringLiteral("at 600\n scan a;A;8900"));
    const qint64 wholeUs = rig.engine().table().lastSeenUs();
    QVERIFY(wholeUs > 0);
    rig.run(QStringLiteral("down\n at 5000\n up run2\n at 6000\n page a;A;3500"));
    QVERIFY(rig.engine().state(rig.now()).gapSinceUs);
    QCOMPARE(rig.engine().table().lastSeenUs(), wholeUs);
    rig.run(QStringLiteral("at 7000\n scan a;A;2500"));
    QVERIFY(rig.engine().table().lastSeenUs() > wholeUs);
}

/** The lock may have been held for long, and no earlier push reported it. */
void SourceEngineTest::whatANewSetShowsWasNotLookedAt()
{
    stores::SourceSpec spec = EngineRig::redisSpec();
    spec.push = true;
    spec.locks[0].match = "a*";
    const QByteArrayList before = agent::engine::watchedSets(spec);
    spec.locks.append(spec.locks.at(0));
    spec.locks[1].match = "b*";
    agent::engine::SourceEngine engine(spec, 1);
    agent::engine::Restored restored;
    restored.lastSeenUs = tests::kT0;
    restored.position = "there";
    restored.sets = before;
    QCOMPARE(engine.start(restored, {1'000'000, tests::kT0}).events.size(), 1); // a gap
    engine.opened(EngineRig::info(spec), {1'000'000, tests::kT0});
    stores::Page page{tests::kT0 + 5'000'000, tests::kT0 + 5'000'000, {}};
    for (const quint16 set : {quint16(0), quint16(1)}) {
        stores::Observation seen;
        seen.set = set;
        seen.name = set == 0 ? "a" : "b";
        seen.identity = seen.owner = seen.token = "t";
        seen.held = true;
        page.locks.append(seen);
    }
    const agent::engine::Instant then{6'000'000, tests::kT0 + 5'000'000};
    const QList<events::LockEvent> told = engine.pageRead(page, then).events;
    QCOMPARE(told.size(), 2);
    QCOMPARE(told.at(0).key.name, QByteArray("a"));
    QVERIFY(told.at(0).windowUs >= 5'000'000);
    QVERIFY(!told.at(0).detail.firstSeen);
    QCOMPARE(told.at(1).windowUs, 0);
    QVERIFY(told.at(1).detail.firstSeen);
    QCOMPARE(engine.scannedSets(), before);
    engine.scanEnded({true, page.beganUs, page.endedUs, 2, {}}, then);
    QCOMPARE(engine.scannedSets(), agent::engine::watchedSets(spec));
}

void SourceEngineTest::sourceStateTells()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\n span 4\n at 500\n scan a;A;100\n"));
    domain::SourceState state = rig.engine().state(rig.now());
    QVERIFY(state.link == domain::Link::Up);
    QCOMPARE(state.server, QStringLiteral("test 1"));
    QCOMPARE(state.passUs, 4'000);
    QCOMPARE(state.lastSeenUs, std::optional<qint64>(tests::kT0 + 500'000));
    QCOMPARE(state.clockOffsetUs, -1'000'000);
    QCOMPARE(state.clockUncertaintyUs, 2'000);
    rig.run(QStringLiteral("at 600\n down authentication"));
    state = rig.engine().state(rig.now());
    QVERIFY(state.link == domain::Link::Down);
    QVERIFY(state.error.code == base::ErrorCode::Authentication);
    QVERIFY(state.gapSinceUs.has_value());
    QVERIFY(*state.retryWallUs - rig.now().wallUs > 20'000'000);
    QCOMPARE(rig.engine().nextTickUs() - rig.now().monotonicUs, *state.retryWallUs - rig.now().wallUs);
}

void SourceEngineTest::inspectionChangesNothing()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\n scan\n at 500\n scan a;A;10000"));
    const QList<domain::LockState> before = rig.engine().table().locks();
    rig.advanceUs(1'000'000);
    stores::Inspection inspection;
    inspection.storeUs = rig.storeUs();
    stores::Observation &seen = inspection.lock;
    seen.name = "a";
    seen.owner = seen.token = seen.identity = "A";
    seen.held = seen.ownIdentity = true;
    seen.expiry = domain::ExpiryKind::At;
    seen.expiresUs = rig.storeUs() + 10'000'000;
    inspection.guard = {before.first().key, "run1", "A", "f"};
    const domain::LockState state = rig.engine().table().stateOf(inspection);
    QCOMPARE(state.renewals, 1U);
    QCOMPARE(state.acquiredUs, before.first().acquiredUs);
    QCOMPARE(state.expiresUs, std::optional<qint64>(rig.storeUs() + 10'000'000));
    QCOMPARE(state.guard, before.first().guard);
    QCOMPARE(state.guard, inspection.guard.digest());
    seen = stores::Observation();
    seen.name = "a";
    seen.present = false;
    inspection.guard.identity.clear();
    QVERIFY(rig.engine().table().stateOf(inspection).phase == domain::Phase::Free);
    QVERIFY(rig.engine().table().locks() == before);
}

void SourceEngineTest::journalsRenewalsWhereAsked()
{
    stores::SourceSpec spec = EngineRig::redisSpec();
    spec.journalRenewals = true;
    EngineRig rig(spec);
    rig.run(QStringLiteral("up\n scan\n at 500\n scan a;A;1000"));
    QCOMPARE(rig.run(QStringLiteral("at 1000\n scan a;A;1000")),
             QStringLiteral("renewed a by A at 1000 ttl 1000\n"));
}

void SourceEngineTest::measuresSilenceOnlyWhileWatching()
{
    EngineRig rig(EngineRig::redisSpec());
    const auto gap = [&rig] { return rig.engine().table().locks().first().longestRenewalGapUs; };
    rig.run(QStringLiteral("up\n scan\n at 500\n scan a;A;9000\n at 1000\n scan a;A;9000"));
    QCOMPARE(gap(), 0);
    rig.run(QStringLiteral("at 3000\n scan a;A;9000"));
    QCOMPARE(gap(), 2'000'000);
    rig.run(QStringLiteral("down\n at 9000\n up\n scan a;A;9000"));
    QCOMPARE(gap(), 2'000'000);
    QCOMPARE(rig.engine().table().locks().first().renewals, 3U);
}

void SourceEngineTest::rowsAreNotLostByARestart()
{
    EngineRig rig(EngineRig::insertSpec(false));
    rig.run(QStringLiteral(
        "up\n scan\n at 500\n scan a;A;-\n down\n at 900\n up run2\n at 1000\n scan\n at 1001"));
    QVERIFY(
        rig.run(QStringLiteral("look a")).startsWith(QLatin1String("released a by A at 1001 window 501")));
}

LOCKKEEPER_TEST(SourceEngineTest)

} // namespace tst_source_engine

#include "tst_source_engine.moc"
