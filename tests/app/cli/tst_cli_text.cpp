// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/cli/commands/export_writer.h"
#include "app/cli/commands/release_command.h"
#include "app/cli/commands/watch_command.h"
#include "app/cli/table.h"
#include "app/cli/times.h"
#include "app/records/csv_lines.h"
#include "harness.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

namespace tst_cli_text {

using namespace lockkeeper;
using namespace lockkeeper::app::cli;
using namespace lockkeeper::app::records;
using namespace lockkeeper::tests;

/** The parts that need no agent: the command line, tables, times and CSV. */
class TestCliText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("TZ", "Asia/Shanghai"); }
    void badCommandLines_data();
    void badCommandLines();
    void goodCommandLines();
    void helpAndVersion();
    void nearestCommand_data();
    void nearestCommand();
    void windows_data();
    void windows();
    void address();
    void times_data();
    void times();
    void badTimes_data();
    void badTimes();
    void zone();
    void durations_data();
    void durations();
    void widths_data();
    void widths();
    void elision_data();
    void elision();
    void tableFits_data();
    void tableFits();
    void tableColours();
    void csv_data();
    void csv();
    void momentsInCsv();
    void globs_data();
    void globs();
};

static QStringList words(const char *line)
{
    return QString::fromUtf8(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

/** Splits the line as a shell does, by spaces and single quotes. */
static QStringList shellWords(const QString &line)
{
    QStringList words;
    const QStringList parts = line.split(QLatin1Char('\''));
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (i % 2 == 1)
            words.append(parts.at(i));
        else
            words += parts.at(i).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    }
    return words;
}

void TestCliText::badCommandLines_data()
{
    QTest::addColumn<QString>("line");
    for (const char *line : {"",
                             "bogus",
                             "status extra",
                             "locks --state wrong",
                             "watch --since x",
                             "watch --since -1",
                             "watch --for 5",
                             "watch --for soon",
                             "watch --for 25d",
                             "history --event made",
                             "history --from tomorrow",
                             "locks --sort size",
                             "locks --at later",
                             "locks --at 2026-11-20",
                             "watch --event made",
                             "watch --state expiring",
                             "history --limit many",
                             "holds",
                             "holds --lock a --limit 0",
                             "holds --lock a --limit 1001",
                             "release",
                             "release s",
                             "release s l",
                             "release s l --guard g",
                             "release s l --reason r",
                             "release s l --guard g --reason r --because whim",
                             "export",
                             "export --format xml",
                             "export --format csv --locks --history",
                             "export --format csv --lock a",
                             "export --format csv --history --state held",
                             "export --format csv --history --at -15m",
                             "export --format csv --history --sort name",
                             "run --store redis://h --scheme redis.token --lock a --ttl 1s --kill-after 25d "
                             "-- true",
                             "simulate file.toml --for 50d",
                             "--log-level loud status"})
        QTest::newRow(line) << QString::fromLatin1(line);
}

void TestCliText::badCommandLines()
{
    QFETCH(QString, line);
    const auto parsed = parse(line.split(QLatin1Char(' '), Qt::SkipEmptyParts), 0);
    QVERIFY(std::holds_alternative<Stop>(parsed));
    const Stop stop = std::get<Stop>(parsed);
    QCOMPARE(stop.status, 2);
    QVERIFY(!stop.text.isEmpty());
    QVERIFY2(!stop.text.contains(QLatin1Char('\n')), "one line");
}

/** The options that a command was given. */
template <typename Options> Options optionsOf(const QStringList &line, qint64 nowUs = 0)
{
    const auto parsed = parse(line, nowUs);
    const auto *given = std::get_if<CommandLine>(&parsed);
    const auto *command = given ? dynamic_cast<const WithOptions<Options> *>(given->command.get()) : nullptr;
    return command ? command->options : Options();
}

void TestCliText::goodCommandLines()
{
    const QStringList line = words("locks --json --agent local:/a --state stuck --name l*");
    const auto parsed = parse(line, 0);
    QVERIFY(std::holds_alternative<CommandLine>(parsed));
    const auto &general = std::get<CommandLine>(parsed);
    QVERIFY2(general.json, "general options may follow the command");
    QCOMPARE(general.agents, QStringList(QStringLiteral("local:/a")));
    const auto locks = optionsOf<LocksOptions>(line);
    QCOMPARE(locks.state, std::optional(domain::Condition::Stuck));
    QCOMPARE(locks.nameGlob, QByteArray("l*"));

    const auto watch =
        optionsOf<WatchOptions>(words("watch --since 0 --for 500ms --renewals --no-reconnect"));
    QCOMPARE(watch.since, std::optional<qint64>(0));
    QCOMPARE(watch.forUs, std::optional<qint64>(500'000));
    QVERIFY(watch.renewals);
    QVERIFY(!watch.reconnect);

    const auto history = optionsOf<HistoryOptions>(
        words("history --from -15m --event acquired,expired --after 7 --limit 0"), 1'000'000'000);
    QCOMPARE(history.fromUs, std::optional<qint64>(100'000'000));
    QCOMPARE(history.kinds, (QList{events::EventKind::Acquired, events::EventKind::Expired}));
    QCOMPARE(history.afterSeq, std::optional<qint64>(7));
    QCOMPARE(history.limit, qint64(0));

    const auto release = optionsOf<ReleaseOptions>({QStringLiteral("release"), QStringLiteral("s"),
                                                    QStringLiteral("a b"), QStringLiteral("--holder="),
                                                    QStringLiteral("--reason"), QStringLiteral("why not")});
    QCOMPARE(release.lock, QStringLiteral("a b"));
    QVERIFY2(release.holder == QString(), "an empty holder is a holder");

    const auto exported = optionsOf<ExportOptions>(words("export --format csv --history --lock a* -o f.csv"));
    QVERIFY(exported.csv);
    QCOMPARE(exported.file, QStringLiteral("f.csv"));
    QVERIFY(exported.ofHistory());
    QCOMPARE(std::get<HistoryOptions>(exported.what).lockGlob, QByteArray("a*"));
}

void TestCliText::helpAndVersion()
{
    const Stop help = std::get<Stop>(parse(words("--help"), 0));
    QCOMPARE(help.status, 0);
    for (const char *command : {"status", "locks", "watch", "history", "holds", "release", "audit", "export"})
        QVERIFY(help.text.contains(QLatin1String(command)));
    const Stop version = std::get<Stop>(parse(words("--version"), 0));
    QCOMPARE(version.status, 0);
    QVERIFY(version.text.startsWith(QLatin1String("lockkeeperctl ")));
    // Each command shows two examples, which parse.
    static const QRegularExpression kExample(QStringLiteral("^  lockkeeperctl (.+)$"),
                                             QRegularExpression::MultilineOption);
    for (const auto &spec : allCommands()) {
        const QString command = QString::fromLatin1(spec->summary().name);
        const Stop stop = std::get<Stop>(parse({command, QStringLiteral("-h")}, 0));
        QCOMPARE(stop.status, 0);
        int examples = 0;
        for (auto it = kExample.globalMatch(stop.text); it.hasNext(); ++examples) {
            static const QRegularExpression kShell(QStringLiteral(" [|>] ")); // the shell's part
            const QString line = it.next().captured(1).section(kShell, 0, 0);
            QVERIFY2(line.startsWith(command) || spec->summary().name == QByteArray("bridge"),
                     qPrintable(line));
            const auto parsed = parse(shellWords(line), 1'000'000'000);
            QVERIFY2(std::holds_alternative<CommandLine>(parsed), qPrintable(line));
        }
        QCOMPARE(examples, 2);
    }
    const Stop chains = std::get<Stop>(parse(words("chains -h"), 0));
    QVERIFY2(chains.text.contains(QLatin1String("queues")), "not of databases alone");
}

void TestCliText::nearestCommand_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("said");
    QTest::newRow("a letter") << QStringLiteral("--agent lock lokcs --json")
                              << QStringLiteral("there is no command 'lokcs'. Did you mean 'locks'?");
    QTest::newRow("its beginning") << QStringLiteral("hist --from -15m")
                                   << QStringLiteral("there is no command 'hist'. Did you mean 'history'?");
    QTest::newRow("nothing like it") << QStringLiteral("zzz")
                                     << QStringLiteral("Use one of: status, overview, locks, ");
    QTest::newRow("an event") << QStringLiteral("watch --event stuk")
                              << QStringLiteral("Did you mean 'stuck'?");
}

void TestCliText::nearestCommand()
{
    QFETCH(QString, line);
    QFETCH(QString, said);
    const Stop stop = std::get<Stop>(parse(line.split(u' '), 0));
    QCOMPARE(stop.status, 2);
    QVERIFY2(stop.text.contains(said), qPrintable(stop.text));
}

void TestCliText::address()
{
    CommandLine options;
    qputenv("XDG_RUNTIME_DIR", "/nonexistent");
    qunsetenv("LOCKKEEPER_AGENT");
    QCOMPARE(agentAddresses(options),
             QStringList(QStringLiteral("local:/var/lib/lockkeeper/lockkeeper.sock")));
    qputenv("LOCKKEEPER_AGENT", "local:/b");
    QCOMPARE(agentAddresses(options), QStringList(QStringLiteral("local:/b")));
    options.agents = {QStringLiteral("local:/a"), QStringLiteral("dc2"), QStringLiteral("local:/a")};
    QCOMPARE(agentAddresses(options), QStringList({QStringLiteral("local:/a"), QStringLiteral("dc2")}));
    qunsetenv("LOCKKEEPER_AGENT");
}

void TestCliText::times_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("us");
    QTest::newRow("UTC") << QStringLiteral("2026-11-21T02:51:13Z") << qint64(1795229473000000);
    QTest::newRow("milliseconds") << QStringLiteral("2026-11-21T02:51:13.402Z") << qint64(1795229473402000);
    QTest::newRow("offset") << QStringLiteral("2026-11-21T10:51:13+08:00") << qint64(1795229473000000);
    QTest::newRow("the user's zone") << QStringLiteral("2026-11-21T10:51:13") << qint64(1795229473000000);
    QTest::newRow("a day") << QStringLiteral("1970-01-01") << qint64(-28'800'000'000);
    QTest::newRow("a time of this day") << QStringLiteral("08:05") << qint64(300'000'000);
    QTest::newRow("the day before") << QStringLiteral("yesterday 22:00") << qint64(-36'000'000'000);
    QTest::newRow("ago") << QStringLiteral("-15m") << qint64(100'000'000);
    QTest::newRow("ago in ms") << QStringLiteral("-500ms") << qint64(999'500'000);
}

void TestCliText::times()
{
    QFETCH(QString, text);
    QFETCH(qint64, us);
    const auto time = parseTime(text, 1'000'000'000);
    QVERIFY(time);
    QCOMPARE(*time, us);
}

void TestCliText::badTimes_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"", "now", "15m", "-15", "-m", "2026-13-21T02:51:13Z", "25:51", "tomorrow"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestCliText::badTimes()
{
    QFETCH(QString, text);
    const auto time = parseTime(text, 0);
    QVERIFY(!time);
    QCOMPARE(time.error().code, base::ErrorCode::Usage);
}

void TestCliText::zone()
{
    QCOMPARE(zoneName(1795229473000000), QStringLiteral("UTC+08:00"));
    QCOMPARE(timeText(qint64(1795229473402999)), QStringLiteral("2026-11-21T10:51:13.402"));
    QCOMPARE(timeText(domain::TimeUs()), QStringLiteral("—"));
}

void TestCliText::durations_data()
{
    QTest::addColumn<qint64>("us");
    QTest::addColumn<QString>("text");
    QTest::newRow("0") << qint64(0) << QStringLiteral("0.0s");
    QTest::newRow("seconds") << qint64(24'890'000) << QStringLiteral("24.8s");
    QTest::newRow("just below a minute") << qint64(59'999'999) << QStringLiteral("59.9s");
    QTest::newRow("a minute") << qint64(60'000'000) << QStringLiteral("00:01:00");
    QTest::newRow("minutes") << qint64(872'000'000) << QStringLiteral("00:14:32");
    QTest::newRow("below a day") << qint64(86'399'000'000) << QStringLiteral("23:59:59");
    QTest::newRow("days") << qint64(274'320'000'000) << QStringLiteral("3d04:12");
    QTest::newRow("hardly past") << qint64(-99'999) << QStringLiteral("0.0s");
    QTest::newRow("past") << qint64(-72'000'000) << QStringLiteral("−00:01:12");
}

void TestCliText::durations()
{
    QFETCH(qint64, us);
    QFETCH(QString, text);
    QCOMPARE(durationText(us), text);
}

void TestCliText::windows_data()
{
    QTest::addColumn<qint64>("us");
    QTest::addColumn<QString>("text");
    QTest::newRow("exact") << qint64(0) << QStringLiteral("0");
    QTest::newRow("a microsecond") << qint64(1) << QStringLiteral("~1ms");
    QTest::newRow("milliseconds") << qint64(509'300) << QStringLiteral("~510ms");
    QTest::newRow("no narrower than it is") << qint64(1'510'000) << QStringLiteral("~1.6s");
    QTest::newRow("minutes") << qint64(90'000'000) << QStringLiteral("~00:01:30");
}

void TestCliText::windows()
{
    QFETCH(qint64, us);
    QFETCH(QString, text);
    QCOMPARE(windowText(us), text);
}

void TestCliText::widths_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("width");
    QTest::newRow("ASCII") << QStringLiteral("lock") << 4;
    QTest::newRow("Chinese") << QStringLiteral("锁a") << 3;
    QTest::newRow("combining") << QStringLiteral("e\u0301") << 1;
    QTest::newRow("emoji") << QString::fromUcs4(U"\U0001F512") << 2;
    QTest::newRow("Hangul") << QStringLiteral("한") << 2;
}

void TestCliText::widths()
{
    QFETCH(QString, text);
    QFETCH(int, width);
    QCOMPARE(displayWidth(text), width);
}

void TestCliText::elision_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("width");
    QTest::addColumn<QString>("elided");
    QTest::newRow("fits") << QStringLiteral("abc") << 3 << QStringLiteral("abc");
    QTest::newRow("middle") << QStringLiteral("lock:orders:42") << 9 << QStringLiteral("lock…s:42");
    QTest::newRow("one") << QStringLiteral("abc") << 1 << QStringLiteral("…");
    QTest::newRow("none") << QStringLiteral("abc") << 0 << QString();
    QTest::newRow("wide") << QStringLiteral("锁锁锁锁") << 5 << QStringLiteral("锁…锁");
}

void TestCliText::elision()
{
    QFETCH(QString, text);
    QFETCH(int, width);
    QFETCH(QString, elided);
    QCOMPARE(app::cli::elided(text, width), elided);
    QVERIFY(displayWidth(elided) <= width);
}

static Table sampleTable()
{
    Table table({{QStringLiteral("STATE"), Table::Align::Left, false, 8, 0},
                 {QStringLiteral("LOCK"), Table::Align::Left, true, 10, 0},
                 {QStringLiteral("HELD"), Table::Align::Right, false, 8, 1},
                 {QStringLiteral("SOURCE"), Table::Align::Left, false, 8, 2}});
    table.add({QStringLiteral("held"), QString(60, QLatin1Char('x')), QStringLiteral("1.0 s"),
               QStringLiteral("orders")},
              QStringLiteral("34"));
    table.add(
        {QStringLiteral("stuck"), QStringLiteral("锁"), QStringLiteral("00:14:32"), QStringLiteral("s")},
        QStringLiteral("31"));
    return table;
}

void TestCliText::tableFits_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("source");
    QTest::addColumn<bool>("held");
    QTest::newRow("wide") << 200 << true << true;
    QTest::newRow("80") << 80 << true << true;
    QTest::newRow("40") << 40 << true << true;
    QTest::newRow("30") << 30 << false << true;
    QTest::newRow("20") << 20 << false << false;
}

void TestCliText::tableFits()
{
    QFETCH(int, width);
    QFETCH(bool, source);
    QFETCH(bool, held);
    const QString text = sampleTable().render(width, false);
    const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    for (const QString &line : lines)
        QVERIFY2(displayWidth(line) <= width, qPrintable(line));
    QCOMPARE(lines.first().contains(QLatin1String("SOURCE")), source);
    QCOMPARE(lines.first().contains(QLatin1String("HELD")), held);
    QVERIFY(lines.first().contains(QLatin1String("LOCK")));
}

void TestCliText::tableColours()
{
    QVERIFY(!sampleTable().render(80, false).contains(QChar(u'\x1b')));
    QVERIFY(sampleTable().render(80, true).contains(QStringLiteral("\x1b[31mstuck")));
}

void TestCliText::csv_data()
{
    QTest::addColumn<QString>("cell");
    QTest::addColumn<QByteArray>("written");
    QTest::newRow("plain") << QStringLiteral("lock:a") << QByteArray("lock:a");
    QTest::newRow("formula") << QStringLiteral("=cmd|' /C calc'!A0") << QByteArray("'=cmd|' /C calc'!A0");
    QTest::newRow("plus") << QStringLiteral("+1") << QByteArray("+1"); // a number is none
    QTest::newRow("minus") << QStringLiteral("-1") << QByteArray("-1");
    QTest::newRow("minus and a name") << QStringLiteral("-1+cmd") << QByteArray("'-1+cmd");
    QTest::newRow("at") << QStringLiteral("@SUM(1)") << QByteArray("'@SUM(1)");
    QTest::newRow("tab") << QStringLiteral("\t=1") << QByteArray("\\x09=1");
    QTest::newRow("carriage return") << QStringLiteral("\r=1") << QByteArray("\\x0d=1");
    QTest::newRow("comma") << QStringLiteral("a,b") << QByteArray("\"a,b\"");
    QTest::newRow("quote") << QStringLiteral("a\"b") << QByteArray("\"a\"\"b\"");
    QTest::newRow("line") << QStringLiteral("a\nb") << QByteArray("a\\x0ab");
    QTest::newRow("formula with comma") << QStringLiteral("=A1,B1") << QByteArray("\"'=A1,B1\"");
    QTest::newRow("formula within") << QStringLiteral("a=1") << QByteArray("a=1");
    QTest::newRow("empty") << QString() << QByteArray();
}

void TestCliText::csv()
{
    QFETCH(QString, cell);
    QFETCH(QByteArray, written);
    const QJsonObject object{{QStringLiteral("t"), cell},
                             {QStringLiteral("n"), qint64(-9007199254740993)},
                             {QStringLiteral("o"), QJsonObject{{QStringLiteral("p"), true}}}};
    const QStringList columns{QStringLiteral("t"), QStringLiteral("n"), QStringLiteral("o.p"),
                              QStringLiteral("none")};
    QCOMPARE(csvRow(object, columns), written + ",-9007199254740993,true,\r\n");
    QCOMPARE(csvHeader(columns), QByteArray("t,n,o_p,none\r\n"));
}

void TestCliText::momentsInCsv()
{
    const QStringList columns{QStringLiteral("t_us"), QStringLiteral("window_us"),
                              QStringLiteral("expires_us")};
    const QJsonObject object{{QStringLiteral("t_us"), qint64(1'795'168'800'000'017)},
                             {QStringLiteral("window_us"), 17},
                             {QStringLiteral("expires_us"), QJsonValue()}};
    QCOMPARE(csvHeader(columns), QByteArray("t,window_us,expires\r\n"));
    QCOMPARE(csvRow(object, columns), QByteArray("2026-11-20T10:00:00.000017Z,17,\r\n"));
    QCOMPARE(csvRow({{QStringLiteral("t_us"), -1}}, {QStringLiteral("t_us")}),
             QByteArray("1969-12-31T23:59:59.999999Z\r\n"));
}

void TestCliText::globs_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("glob");
    QTest::newRow("plain") << QStringLiteral("lock:a") << QByteArray("lock:a");
    QTest::newRow("special") << QStringLiteral("a*b?c[d]") << QByteArray("a\\*b\\?c\\[d\\]");
    QTest::newRow("escape") << QStringLiteral("a\\xffb") << QByteArray("a*");
}

void TestCliText::globs()
{
    QFETCH(QString, text);
    QFETCH(QByteArray, glob);
    QCOMPARE(globFor(text), glob);
}

LOCKKEEPER_TEST(TestCliText)

} // namespace tst_cli_text

#include "tst_cli_text.moc"
