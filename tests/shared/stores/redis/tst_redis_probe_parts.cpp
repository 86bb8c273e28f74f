// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/monitor/probe_counter.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_probe_parts {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::redis;

/** Lines of MONITOR, and the counts made from them. */
class TestRedisProbeParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsLines_data();
    void readsLines();
    void refusesLines_data();
    void refusesLines();
    void everyCutIsRefusedOrShorter();
    void counts_data();
    void counts();
};

void TestRedisProbeParts::readsLines_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("database");
    QTest::addColumn<QByteArray>("client");
    QTest::addColumn<QByteArrayList>("words");
    const auto row = [](const char *name, const QByteArray &line, int database, const char *client,
                        const QByteArrayList &words) {
        QTest::newRow(name) << QByteArray("1339518083.107412 " + line) << database << QByteArray(client)
                            << words;
    };
    row("plain", R"([0 127.0.0.1:60866] "keys" "*")", 0, "127.0.0.1:60866", {"keys", "*"});
    row("one word", R"([3 127.0.0.1:60866] "ping")", 3, "127.0.0.1:60866", {"ping"});
    row("a script's", R"([0 lua] "del" "k")", 0, "lua", {"del", "k"});
    row("unix socket", R"([0 unix:/run/a b.sock] "get" "k")", 0, "unix:/run/a b.sock", {"get", "k"});
    row("IPv6", R"([0 [::1]:51342] "get" "k")", 0, "[::1]:51342", {"get", "k"});
    row("escapes", R"([0 c:1] "a\"b\\c\n\r\t\a\b\x00\xff" "")", 0, "c:1",
        {QByteArray("a\"b\\c\n\r\t\a\b\0\xff", 12), ""});
    row("brackets in a key", R"([0 c:1] "set" "] \"" "x] y")", 0, "c:1", {"set", "] \"", "x] y"});
    row("text that isn't English", R"([0 c:1] "get" "\xe9\x94\x81")", 0, "c:1", {"get", "\xe9\x94\x81"});
}

void TestRedisProbeParts::readsLines()
{
    QFETCH(QByteArray, line);
    const auto read = readMonitorLine(line);
    QVERIFY(read);
    QCOMPARE(read->timeUs, 1'339'518'083'107'412);
    QTEST(read->database, "database");
    QTEST(read->client, "client");
    QTEST(QByteArrayList(read->words), "words");
    QCOMPARE(read->isOfScript(), read->client == "lua");
}

void TestRedisProbeParts::refusesLines_data()
{
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char *name, const QByteArray &line) { QTest::newRow(name) << line; };
    row("empty", "");
    row("OK", "OK");
    row("no time", R"([0 c:1] "get")");
    row("short microseconds", R"(1339518083.10741 [0 c:1] "get")");
    row("negative time", R"(-1.107412 [0 c:1] "get")");
    row("endless time", R"(99999999999999999999.107412 [0 c:1] "get")");
    row("no database", R"(1.107412 [c:1] "get")");
    row("huge database", R"(1.107412 [99999999999 c:1] "get")");
    row("no client", R"(1.107412 [0 ] "get")");
    row("no command", R"(1.107412 [0 c:1])");
    row("no command but a space", R"(1.107412 [0 c:1] )");
    row("open quote", R"(1.107412 [0 c:1] "get" "k)");
    row("open escape", R"(1.107412 [0 c:1] "get" "k\)");
    row("half a byte", R"(1.107412 [0 c:1] "get" "\x0")");
    row("capital hex", R"(1.107412 [0 c:1] "get" "\xFF")");
    row("not hex", R"(1.107412 [0 c:1] "get" "\xg0")");
    row("unknown escape", R"(1.107412 [0 c:1] "get" "\u1234")");
    row("raw line feed", "1.107412 [0 c:1] \"get\" \"a\nb\"");
    row("raw NUL", QByteArray("1.107412 [0 c:1] \"get\" \"a\0b\"", 28));
    row("raw high byte", "1.107412 [0 c:1] \"get\" \"\xff\"");
    row("no space between", R"(1.107412 [0 c:1] "get""k")");
    row("two spaces", R"(1.107412 [0 c:1] "get"  "k")");
    row("rest", R"(1.107412 [0 c:1] "get" "k" )");
    row("bare word", R"(1.107412 [0 c:1] "get" k)");
}

void TestRedisProbeParts::refusesLines()
{
    QFETCH(QByteArray, line);
    QVERIFY(!readMonitorLine(line));
    ProbeCounter counter(0, {"*"});
    counter.take(line);
    QCOMPARE(counter.told().commands, 1);
    QCOMPARE(counter.told().unreadable, 1);
}

void TestRedisProbeParts::everyCutIsRefusedOrShorter()
{
    const QByteArray line = R"(1339518083.107412 [0 127.0.0.1:60866] "set" "lock:\x00\n" "v" "NX" "PX" "10")";
    const auto whole = readMonitorLine(line);
    QVERIFY(whole);
    for (qsizetype size = 0; size < line.size(); ++size) {
        if (const auto cut = readMonitorLine(QByteArrayView(line).first(size)))
            QCOMPARE(cut->words, whole->words.first(cut->words.size()));
    }
}

void TestRedisProbeParts::counts_data()
{
    QTest::addColumn<QStringList>("script"); // "client command …"; "<": by the script before it
    QTest::addColumn<QString>("counts");     // "lock/client attempts, …"
    const auto row = [](const char *name, std::initializer_list<const char *> lines, const char *counts) {
        QStringList script;
        for (const char *line : lines)
            script += QString::fromLatin1(line);
        QTest::newRow(name) << script << QString::fromLatin1(counts);
    };
    row("nothing of locks", {"a get x", "a set other v nx px 100", "a ping"}, "");
    row("the most first",
        {"a set lock:1 v nx px 100", "b set lock:1 w nx px 100", "b SET lock:1 w PX 100 NX",
         "a setnx lock:2 v"},
        "lock:1/b 2, lock:1/a 1, lock:2/a 1");
    row("a value is no option", {"a set lock:1 nx", "a set lock:1 NX px 100", "a set lock:1"}, "");
    row("other commands on a lock",
        {"a set lock:1 v px 100", "a set lock:1 v xx", "a pexpire lock:1 100", "a del lock:1",
         "a exists lock:1"},
        "");
    row("taken by a script",
        {"a eval x 1 lock:1", "< set lock:1 v NX PX 500", "b evalsha x 1 lock:1", "< set lock:1 v NX PX 500"},
        "lock:1/a 1, lock:1/b 1");
    row("released by a script", {"a evalsha 00 1 lock:1 v", "< get lock:1", "< del lock:1"}, "");
    row("Redisson",
        {"a evalsha 00 1 lock:1", "< exists lock:1", "< hincrby lock:1 f 1", "< pexpire lock:1 30000",
         "b evalsha 00 1 lock:1", "< exists lock:1", "< hexists lock:1 g", "< pttl lock:1",
         "a evalsha 01 1 lock:1", "< hexists lock:1 f", "< hincrby lock:1 f -1", "< del lock:1"},
        "lock:1/a 1, lock:1/b 1");
    row("several keys in one script",
        {"a evalsha 00 2 lock:1 lock:2", "< exists lock:1", "< exists lock:2", "< set lock:1 v PX 9",
         "< set lock:2 v PX 9", "b evalsha 00 2 lock:1 lock:2", "< exists lock:1"},
        "lock:1/a 1, lock:1/b 1, lock:2/a 1");
    row("asks and sets in one script",
        {"a evalsha 00 1 lock:1", "< exists lock:1", "< set lock:1 v NX PX 9", "a set lock:1 v nx"},
        "lock:1/a 2");
    row("another database",
        {"9/a setnx lock:1 v", "b setnx lock:1 w", "9/b evalsha 00 1 lock:1", "9/< exists lock:1"},
        "lock:1/b 1");
}

void TestRedisProbeParts::counts()
{
    QFETCH(QStringList, script);
    ProbeCounter counter(0, {"lock:*"});
    for (const QString &text : std::as_const(script)) {
        QStringList words = text.split(QLatin1Char(' '));
        QString client = words.takeFirst();
        QString database = QStringLiteral("0");
        if (const auto at = client.indexOf(QLatin1Char('/')); at > 0) {
            database = client.first(at);
            client = client.mid(at + 1);
        }
        if (client == QLatin1String("<"))
            client = QStringLiteral("lua");
        QString line = QStringLiteral("1700000000.000001 [%1 %2]").arg(database, client);
        for (const QString &word : std::as_const(words))
            line += QStringLiteral(" \"%1\"").arg(word);
        counter.take(line.toLatin1());
    }
    const ProbeReport report = counter.report();
    QCOMPARE(report.unreadable, 0);
    QCOMPARE(report.commands, script.size());
    QCOMPARE(report.beganUs, 1'700'000'000'000'001);
    QCOMPARE(report.endedUs, 1'700'000'000'000'001);
    QStringList texts;
    for (const ProbeCount &c : report.counts) {
        texts += QStringLiteral("%1/%2 %3")
                     .arg(QString::fromLatin1(c.lock), QString::fromLatin1(c.client))
                     .arg(c.attempts);
        QCOMPARE(c.failed, 0);
        QCOMPARE(c.uncertain, c.attempts);
    }
    QTEST(texts.join(QLatin1String(", ")), "counts");
}

LOCKKEEPER_TEST(TestRedisProbeParts)

} // namespace tst_redis_probe_parts

#include "tst_redis_probe_parts.moc"
