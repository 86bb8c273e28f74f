// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/contention_meter.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_contention_meter {

using namespace lockkeeper;
using namespace lockkeeper::agent::journal;
using events::EventKind;

namespace {

/** "from-to end", with "~window" behind a time; "?" before it where the start wasn't seen, no `to`:
 * held. */
HoldSpan hold(const QString &text)
{
    const QStringList parts = text.split(QLatin1Char(' '));
    const QStringList times = parts.at(0).split(QLatin1Char('-'));
    const auto time = [](QString word, qint64 *window) {
        const QStringList both = word.remove(QLatin1Char('?')).split(QLatin1Char('~'));
        *window = both.size() > 1 ? both.at(1).toLongLong() : 0;
        return both.at(0).toLongLong();
    };
    HoldSpan h;
    h.startSeen = !times.at(0).startsWith(QLatin1Char('?'));
    h.fromUs = time(times.at(0), &h.fromWindowUs);
    if (!times.at(1).isEmpty())
        h.toUs = time(times.at(1), &h.toWindowUs);
    for (int end = 0; end <= int(HoldEnd::Lost); ++end) {
        if (holdEndName(HoldEnd(end)) == parts.value(1).toLatin1())
            h.end = HoldEnd(end);
    }
    return h;
}

QString spreadText(const domain::Spread &s)
{
    return QStringLiteral("%1 %2/%3/%4").arg(s.count).arg(s.p50Us).arg(s.p95Us).arg(s.maxUs);
}

} // namespace

/** One lock's figures from its holds and waits, and when a source was observed. */
class TestContentionMeter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void figures_data();
    void figures();
    void waits();
    void percentiles();
    void observed_data();
    void observed();
};

void TestContentionMeter::figures_data()
{
    QTest::addColumn<QStringList>("holds");
    QTest::addColumn<int>("acquisitions");
    QTest::addColumn<QString>("ends"); // taken over, expired, forced
    QTest::addColumn<QString>("lengths");
    QTest::addColumn<QString>("low");
    QTest::addColumn<QString>("high");
    QTest::addColumn<QString>("held");
    const auto row = [](const char *name, std::initializer_list<const char *> texts, int acquisitions,
                        const char *ends, const char *lengths, const char *low, const char *high,
                        const char *held) {
        QStringList holds;
        for (const char *text : texts)
            holds += QString::fromLatin1(text);
        QTest::newRow(name) << holds << acquisitions << QString::fromLatin1(ends)
                            << QString::fromLatin1(lengths) << QString::fromLatin1(low)
                            << QString::fromLatin1(high) << QString::fromLatin1(held);
    };
    // The range is 1000 to 2000, observed but for 1500 to 1600.
    row("nothing", {}, 0, "0 0 0", "0 0/0/0", "0 0/0/0", "0 0/0/0", "0-0");
    row("two, exact", {"1100-1200 released", "1250-1300 expired"}, 2, "0 1 0", "2 50/100/100", "1 50/50/50",
        "1 50/50/50", "150-150");
    row("windows", {"1100~10-1200~20 released", "1250~30-1300~5 released"}, 2, "0 0 0", "2 50/100/100",
        "1 20/20/20", "1 70/70/70", "125-190");
    row("taken over", {"1100-1200~20 taken_over", "1200~20-1300 released"}, 2, "1 0 0", "2 100/100/100",
        "1 0/0/0", "1 20/20/20", "180-200");
    row("forced, and again", {"1100-1200 force_released", "1201-1300 released"}, 2, "0 0 1", "2 99/100/100",
        "1 1/1/1", "1 1/1/1", "199-199");
    row("began before", {"900-1200 released", "1250-1300 released"}, 1, "0 0 0", "2 50/300/300", "1 50/50/50",
        "1 50/50/50", "250-250");
    row("start not seen", {"?1100-1200 released", "1250-1300 released"}, 1, "0 0 0", "1 50/50/50",
        "1 50/50/50", "1 50/50/50", "150-150");
    row("next start not seen", {"1100-1200 released", "?1250-1300 released"}, 1, "0 0 0", "1 100/100/100",
        "0 0/0/0", "0 0/0/0", "150-150");
    row("goes on", {"1100-1200 released", "1900-"}, 2, "0 0 0", "1 100/100/100", "0 0/0/0", "0 0/0/0",
        "200-200");
    row("goes on for long", {"1700-"}, 1, "0 0 0", "0 0/0/300", "0 0/0/0", "0 0/0/0", "300-300");
    row("ended after", {"1700-2500 expired"}, 1, "0 0 0", "0 0/0/300", "0 0/0/0", "0 0/0/0", "300-300");
    row("nobody looked between", {"1100-1490 released", "1610-1700 released"}, 2, "0 0 0", "2 90/390/390",
        "0 0/0/0", "0 0/0/0", "480-480");
    row("end lost", {"1100-1490 gap", "1495-1500 released"}, 2, "0 0 0", "1 5/5/5", "0 0/0/0", "0 0/0/0",
        "395-395");
    row("held while nobody looked", {"1400-1700 released"}, 1, "0 0 0", "1 300/300/300", "0 0/0/0", "0 0/0/0",
        "200-200");
    row("before and after the range", {"100-200 released", "2100-2200 released"}, 0, "0 0 0", "0 0/0/0",
        "0 0/0/0", "0 0/0/0", "0-0");
}

void TestContentionMeter::figures()
{
    QFETCH(QStringList, holds);
    const QList<Interval> observed{{1000, 1500}, {1600, 2000}};
    ContentionMeter meter({1000, 2000}, observed);
    for (const QString &text : std::as_const(holds))
        meter.addHold(hold(text));
    const domain::Contention c = meter.result();
    QTEST(int(c.acquisitions), "acquisitions");
    QTEST(QStringLiteral("%1 %2 %3").arg(c.takeovers).arg(c.expiries).arg(c.forced), "ends");
    QTEST(spreadText(c.holds), "lengths");
    QTEST(spreadText(c.handoverLow), "low");
    QTEST(spreadText(c.handoverHigh), "high");
    QTEST(QStringLiteral("%1-%2").arg(c.heldLowUs).arg(c.heldHighUs), "held");
    QCOMPARE(c.observedUs, 900);
}

void TestContentionMeter::waits()
{
    ContentionMeter meter({1000, 2000}, {{1000, 2000}});
    meter.addWait(100, 900);  // over before
    meter.addWait(900, 1100); // 100 of its 200 lie within
    meter.addWait(1500, 1600);
    meter.addWait(1700, std::nullopt); // continues
    meter.addWait(1900, 2700);
    meter.addWait(2100, 2200); // later
    const domain::Spread waits = meter.result().waits;
    QCOMPARE(spreadText(waits), QStringLiteral("4 100/300/300"));
    QCOMPARE(waits.totalUs, 100 + 100 + 300 + 100);
}

void TestContentionMeter::percentiles()
{
    ContentionMeter meter({0, 100'000}, {{0, 100'000}});
    for (int i = 1; i <= 100; ++i)
        meter.addWait(1000, 1000 + i);
    QCOMPARE(spreadText(meter.result().waits), QStringLiteral("100 50/95/100"));
}

void TestContentionMeter::observed_data()
{
    QTest::addColumn<QString>("marks");
    QTest::addColumn<qint64>("seenUntil");
    QTest::addColumn<QString>("intervals");
    const auto row = [](const char *name, const char *marks, qint64 seenUntil, const char *intervals) {
        QTest::newRow(name) << QString::fromLatin1(marks) << seenUntil << QString::fromLatin1(intervals);
    };
    // The range is 1000 to 2000; the journal's oldest event is of 500.
    row("nothing told", "", 3000, "1000-2000");
    row("seen until within", "up700", 1900, "1000-1900");
    row("first started within", "up1200", 3000, "1200-2000");
    row("never reached", "down700", 0, "");
    row("reached late", "down700 up1100", 3000, "1100-2000");
    row("a gap", "up700 open1100 down1110 up1190 close1200", 3000, "1000-1100 1200-2000");
    row("a gap that is open", "up700 open1100 down1110", 1100, "1000-1100");
    row("up is not yet whole", "up700 open1100 down1110 up1190", 1100, "1000-1100");
    row("restarted agent", "up700 open1100 up1150 close1160", 3000, "1000-1100 1160-2000");
    row("begins in a gap", "close1200", 3000, "1200-2000");
    row("begins with a gap's opening", "open1200 close1300", 3000, "1000-1200 1300-2000");
    row("down before the gap's opening", "down1210 open1200 close1300", 3000, "1000-1200 1300-2000");
    row("gap around the range", "up100 open900 close2100", 3000, "");
    row("gap before the range", "up100 open600 close700", 3000, "1000-2000");
    row("the journal dropped some within a gap", "up700 open1100 lose1200 told1300 close1400", 3000,
        "1000-1100 1400-2000");
    row("a gap that began while the journal dropped", "up700 lose1200 told1300 open1250 close1400", 3000,
        "1000-1200 1400-2000");
    row("a part comes back within a gap", "up700 part1050 open1100 whole1200 close1400", 3000,
        "1000-1050 1400-2000");
    row("a new link within a part's gap", "up700 part1100 down1110 up1150 whole1200", 3000,
        "1000-1100 1200-2000");
    row("whoever saw the part is gone", "up700 part1100 open1200 close1300", 3000, "1000-1100 1300-2000");
    row("two gaps", "up100 open1100 close1200 open1300 close1400", 3000, "1000-1100 1200-1300 1400-2000");
}

void TestContentionMeter::observed()
{
    QFETCH(QString, marks);
    QFETCH(qint64, seenUntil);
    QList<SourceMark> list;
    const QHash<QString, EventKind> kinds{
        {QStringLiteral("up"), EventKind::SourceUp},    {QStringLiteral("down"), EventKind::SourceDown},
        {QStringLiteral("open"), EventKind::GapOpened}, {QStringLiteral("close"), EventKind::GapClosed},
        {QStringLiteral("part"), EventKind::GapOpened}, {QStringLiteral("whole"), EventKind::GapClosed},
        {QStringLiteral("lose"), EventKind::GapOpened}, {QStringLiteral("told"), EventKind::GapClosed}};
    for (const QString &word : marks.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto digit = std::find_if(word.cbegin(), word.cend(), [](QChar c) { return c.isDigit(); });
        const qsizetype at = digit - word.cbegin();
        const QString what = word.first(at);
        const bool ofJournal = what == QLatin1String("lose") || what == QLatin1String("told");
        const bool ofPart = what == QLatin1String("part") || what == QLatin1String("whole");
        list.append({kinds.value(what), word.mid(at).toLongLong(),
                     ofPart      ? SourceMark::Part
                     : ofJournal ? SourceMark::Journal
                                 : SourceMark::Whole});
    }
    QStringList texts;
    for (const Interval &i : observedIn({1000, 2000}, list, 500, seenUntil))
        texts += QStringLiteral("%1-%2").arg(i.fromUs).arg(i.toUs);
    QTEST(texts.join(QLatin1Char(' ')), "intervals");
}

LOCKKEEPER_TEST(TestContentionMeter)

} // namespace tst_contention_meter

#include "tst_contention_meter.moc"
