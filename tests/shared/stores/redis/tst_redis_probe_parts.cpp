// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/probe_counter.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_probe_parts {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::redis;

/** Lines of MONITOR, and what is counted in them. */
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
    void startsWithWhatIsHeld();
    void mostFailuresFirst();
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
    ProbeCounter counter({0, {"*"}}, {});
    counter.take(line);
    QCOMPARE(counter.lines(), 1);
    QCOMPARE(counter.unreadable(), 1);
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
    QTest::addColumn<QStringList>("script"); // "ms client command …"; "<": by the script before it
    QTest::addColumn<QString>("counts");     // "lock/client attempts failed uncertain, …"
    const auto row = [](const char *name, std::initializer_list<const char *> lines, const char *counts) {
        QStringList script;
        for (const char *line : lines)
            script += QString::fromLatin1(line);
        QTest::newRow(name) << script << QString::fromLatin1(counts);
    };
    row("nothing of locks", {"0 a get x", "1 a set other v nx px 100"}, "");
    row("the first attempt isn't sure", {"0 a set lock:1 v nx px 100"}, "lock:1/a 1 0 1");
    row("sure after a deletion",
        {"0 a del lock:1", "1 a set lock:1 v nx px 100", "2 b set lock:1 w nx px 100",
         "3 b SET lock:1 w PX 100 NX"},
        "lock:1/b 2 2 0, lock:1/a 1 0 0");
    row("expired", {"0 a del lock:1", "1 a set lock:1 v nx px 100", "200 b set lock:1 w nx px 100"},
        "lock:1/a 1 0 0, lock:1/b 1 0 0");
    row("at the deadline it isn't sure",
        {"0 a del lock:1", "1 a set lock:1 v nx px 100", "100 b set lock:1 w nx px 100"},
        "lock:1/b 1 1 1, lock:1/a 1 0 0");
    row("in seconds", {"0 a del lock:1", "1 a set lock:1 v ex 1 nx", "500 b set lock:1 w nx ex 1"},
        "lock:1/b 1 1 0, lock:1/a 1 0 0");
    row("setnx and expire",
        {"0 a del lock:1", "1 a setnx lock:1 v", "2 a expire lock:1 1", "900 b setnx lock:1 w",
         "1500 b setnx lock:1 w"},
        "lock:1/b 2 1 0, lock:1/a 1 0 0");
    row("setnx without expiry", {"0 a del lock:1", "1 a setnx lock:1 v", "99999 b setnx lock:1 w"},
        "lock:1/b 1 1 0, lock:1/a 1 0 0");
    row("renewed",
        {"0 a del lock:1", "1 a set lock:1 v nx px 100", "50 a pexpire lock:1 1000", "500 b setnx lock:1 w"},
        "lock:1/b 1 1 0, lock:1/a 1 0 0");
    row("made to expire at once",
        {"0 a del lock:1", "1 a set lock:1 v nx px 100", "2 a pexpire lock:1 0", "3 b setnx lock:1 w"},
        "lock:1/a 1 0 0, lock:1/b 1 0 0");
    row("persisted",
        {"0 a del lock:1", "1 a set lock:1 v nx px 100", "2 a persist lock:1", "500 b setnx lock:1 w"},
        "lock:1/b 1 1 0, lock:1/a 1 0 0");
    row("set for certain", {"0 a set lock:1 v px 100", "1 b setnx lock:1 w"}, "lock:1/b 1 1 0");
    row("psetex", {"0 a psetex lock:1 100 v", "1 b setnx lock:1 w"}, "lock:1/b 1 1 0");
    row("mset", {"0 a mset x 1 lock:1 2", "1 b setnx lock:1 w"}, "lock:1/b 1 1 0");
    row("getdel", {"0 a set lock:1 v", "1 a getdel lock:1", "2 b setnx lock:1 w"}, "lock:1/b 1 0 0");
    row("unlink of several", {"0 a set lock:1 v", "1 a unlink x lock:1", "2 b setnx lock:1 w"},
        "lock:1/b 1 0 0");
    row("only where it is there",
        {"0 a set lock:1 v px 50", "1 a set lock:1 v xx px 500", "200 b setnx lock:1 w"}, "lock:1/b 1 1 0");
    row("flushed", {"0 a set lock:1 v", "1 a flushall", "2 b setnx lock:1 w", "3 b setnx lock:2 w"},
        "lock:1/b 1 0 0, lock:2/b 1 0 0");
    row("renamed onto", {"0 a del lock:1", "1 a rename x lock:1", "2 b setnx lock:1 w"}, "lock:1/b 1 0 1");
    row("a command that isn't known", {"0 a set lock:1 v", "1 a append lock:1 v", "2 b setnx lock:1 w"},
        "lock:1/b 1 1 1");
    row("refused by the server",
        {"0 a set lock:1 v", "1 b set lock:1 w nx px 0", "2 b set lock:1 w nx xx", "3 b set lock:1 w nx px x",
         "4 b setnx lock:1"},
        "");
    row("a lease past all time",
        {"0 a del lock:1", "1 a set lock:1 v nx px 9223372036854775807", "2 b setnx lock:1 w"},
        "lock:1/b 1 1 0, lock:1/a 1 0 0");
    row("released by a script",
        {"0 a set lock:1 v px 1000", "1 a evalsha 00 1 lock:1 v", "1 < get lock:1", "1 < del lock:1",
         "2 b setnx lock:1 w"},
        "lock:1/b 1 0 0");
    row("release refused by a script",
        {"0 a set lock:1 v px 1000", "1 b evalsha 00 1 lock:1 w", "1 < get lock:1", "2 b setnx lock:1 w"},
        "lock:1/b 1 1 0");
    row("taken by a script",
        {"0 a del lock:1", "1 a eval x 1 lock:1", "1 < set lock:1 v NX PX 500", "2 b eval x 1 lock:1",
         "2 < set lock:1 v NX PX 500"},
        "lock:1/b 1 1 0, lock:1/a 1 0 0");
    row("Redisson",
        {"0 a evalsha 00 1 lock:1", "0 < exists lock:1", "0 < hincrby lock:1 f 1", "0 < pexpire lock:1 30000",
         "1 b evalsha 00 1 lock:1", "1 < exists lock:1", "1 < hexists lock:1 g", "1 < pttl lock:1",
         "2 a evalsha 01 1 lock:1", "2 < hexists lock:1 f", "2 < hincrby lock:1 f -1", "2 < del lock:1"},
        "lock:1/b 1 1 0, lock:1/a 1 0 0");
    row("several keys in one script",
        {"0 a evalsha 00 2 lock:1 lock:2", "0 < exists lock:1", "0 < exists lock:2", "0 < set lock:1 v PX 9",
         "0 < set lock:2 v PX 9", "1 b evalsha 00 2 lock:1 lock:2", "1 < exists lock:1"},
        "lock:1/b 1 1 1, lock:1/a 1 0 0, lock:2/a 1 0 0");
    row("another database",
        {"0 a del lock:1", "0 9/a set lock:1 v", "1 b setnx lock:1 w", "2 9/b setnx lock:1 w"},
        "lock:1/b 1 0 0");
}

void TestRedisProbeParts::counts()
{
    QFETCH(QStringList, script);
    ProbeCounter counter({0, {"lock:*"}}, {});
    for (const QString &text : std::as_const(script)) {
        QStringList words = text.split(QLatin1Char(' '));
        const qint64 us = 1'700'000'000'000'000 + words.takeFirst().toLongLong() * 1000;
        QString client = words.takeFirst();
        QString database = QStringLiteral("0");
        if (const auto at = client.indexOf(QLatin1Char('/')); at > 0) {
            database = client.first(at);
            client = client.mid(at + 1);
        }
        if (client == QLatin1String("<"))
            client = QStringLiteral("lua");
        QString line = QStringLiteral("%1.%2 [%3 %4]")
                           .arg(us / 1'000'000)
                           .arg(us % 1'000'000, 6, 10, QLatin1Char('0'))
                           .arg(database, client);
        for (const QString &word : std::as_const(words))
            line += QStringLiteral(" \"%1\"").arg(word);
        counter.take(line.toLatin1());
    }
    counter.finish();
    QCOMPARE(counter.unreadable(), 0);
    QStringList texts;
    for (const ProbeCount &c : counter.counts())
        texts += QStringLiteral("%1/%2 %3 %4 %5")
                     .arg(QString::fromLatin1(c.lock), QString::fromLatin1(c.client))
                     .arg(c.attempts)
                     .arg(c.failed)
                     .arg(c.uncertain);
    QTEST(texts.join(QLatin1String(", ")), "counts");
}

void TestRedisProbeParts::startsWithWhatIsHeld()
{
    ProbeCounter counter({0, {"*"}}, {{"lock:1", 5'000'000}, {"lock:2", std::nullopt}});
    counter.take(R"(4.000000 [0 a] "setnx" "lock:1" "v")");
    counter.take(R"(4.000000 [0 a] "setnx" "lock:2" "v")");
    counter.take(R"(6.000000 [0 a] "setnx" "lock:3" "v")");
    counter.finish();
    const QList<ProbeCount> expected{
        {"lock:1", "a", 1, 1, 1}, {"lock:2", "a", 1, 1, 1}, {"lock:3", "a", 1, 0, 1}};
    QCOMPARE(counter.counts(), expected);
}

void TestRedisProbeParts::mostFailuresFirst()
{
    ProbeCounter counter({0, {"*"}}, {});
    counter.take(R"(1.000000 [0 a] "flushall")");
    for (int i = 0; i < 3; ++i)
        counter.take(R"(2.000000 [0 b] "setnx" "l1" "v")");
    for (int i = 0; i < 5; ++i)
        counter.take(R"(2.000000 [0 c] "setnx" "l2" "v")");
    const QList<ProbeCount> counts = counter.counts();
    QCOMPARE(counts.size(), 2);
    QCOMPARE(counts.at(0).lock, QByteArray("l2"));
    QCOMPARE(counts.at(0).failed, 4);
    QCOMPARE(counter.timeUs(), 2'000'000);
    QCOMPARE(counter.lines(), 9);
}

LOCKKEEPER_TEST(TestRedisProbeParts)

} // namespace tst_redis_probe_parts

#include "tst_redis_probe_parts.moc"
