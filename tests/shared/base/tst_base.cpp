// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/bounded_queue.h"
#include "shared/base/clock.h"
#include "shared/base/error.h"
#include "shared/base/log_level.h"
#include "shared/base/nearest.h"
#include "shared/base/random_id.h"
#include "shared/base/text.h"
#include "tests/support/processor_time.h"
#include "tests/support/test_program.h"

#include <QSet>
#include <QTest>

#include <memory>

namespace tst_base {

using namespace lockkeeper::base;

/** Hostile bytes as text, globs, durations, errors and the bounded queue. */
class BaseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bytesAsText_data();
    void bytesAsText();
    void globs_data();
    void globs();
    void textGlobs_data();
    void textGlobs();
    void literalGlobs_data();
    void literalGlobs();
    void nearestNames_data();
    void nearestNames();
    void randomIds();
    void globsStayFast();
    void durations_data();
    void durations();
    void durationsThatAreNone_data();
    void durationsThatAreNone();
    void durationsComeBack();
    void errorLines_data();
    void errorLines();
    void errorNamesComeBack();
    void transientErrors();
    void queueKeepsItsLimit();
    void queueMovesItsItems();
    void monotonicTimeGoesOn();
    void logRulesAdmitFromALevelOn();
};

void BaseTest::bytesAsText_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char *name, const QByteArray &bytes, const char *json, const char *shown) {
        QTest::newRow(name) << bytes << QString::fromUtf8(json) << QString::fromUtf8(shown);
    };
    row("empty", "", "", "");
    row("plain", "lock:orders", "lock:orders", "lock:orders");
    row("Chinese", "锁", "锁", "锁");
    row("beyond the first plane", "a\xf0\x9f\x94\x92z", "a\xf0\x9f\x94\x92z", "a\xf0\x9f\x94\x92z");
    row("escape", "\x1b[31m", "\x1b[31m", "\\x1b[31m");
    row("CR LF", "a\r\nb", "a\r\nb", "a\\x0d\\x0ab");
    row("tab", "a\tb", "a\tb", "a\\x09b");
    row("right to left override",
        "a\xe2\x80\xae"
        "b",
        "a\xe2\x80\xae"
        "b",
        "a\\u202eb");
    row("zero width",
        "a\xe2\x80\x8b"
        "b",
        "a\xe2\x80\x8b"
        "b",
        "a\\u200bb");
    row("line separator",
        "a\xe2\x80\xa8"
        "b",
        "a\xe2\x80\xa8"
        "b",
        "a\\u2028b");
    row("C1 control", "\xc2\x9b", "\xc2\x9b", "\\u009b");
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf"
                                                   "a")
                                     << QString(QChar(QChar::ByteOrderMark)) + QLatin1Char('a')
                                     << QStringLiteral("\\ufeffa");
    row("private use", "\xee\x80\x80", "\xee\x80\x80", "\\ue000");
    row("a tag character", "\xf3\xa0\x81\x81", "\xf3\xa0\x81\x81", "\\ue0041");
    row("not UTF-8",
        "a\xff"
        "b",
        "a\\xffb", "a\\xffb");
    row("overlong slash", "\xc0\xaf", "\\xc0\\xaf", "\\xc0\\xaf");
    row("overlong in three", "\xe0\x80\xaf", "\\xe0\\x80\\xaf", "\\xe0\\x80\\xaf");
    row("surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80");
    row("past the last code point", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", "\\xf4\\x90\\x80\\x80");
    row("cut short", "a\xe9\x94", "a\\xe9\\x94", "a\\xe9\\x94");
    row("lone tail", "\x80", "\\x80", "\\x80");
    QTest::newRow("NUL") << QByteArray("a\0b", 3)
                         << QStringLiteral("a") + QChar(QChar::Null) + QStringLiteral("b")
                         << QStringLiteral("a\\x00b");
}

void BaseTest::bytesAsText()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, json);
    QFETCH(QString, shown);
    QCOMPARE(textOf(bytes), json);
    QCOMPARE(displayText(bytes), shown);
    QCOMPARE(displayText(json), shown);
    QCOMPARE(singleLine(json), shown);
    QCOMPARE(displayText(shown), shown);
}

void BaseTest::globs_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("matches");
    const auto row = [](const char *pattern, const char *name, bool matches) {
        QTest::addRow("%s ~ %s", pattern, name) << QByteArray(pattern) << QByteArray(name) << matches;
    };
    row("", "", true);
    row("", "a", false);
    row("*", "", true);
    row("*", "anything", true);
    row("lock:*", "lock:", true);
    row("lock:*", "lock", false);
    row("*:orders", "lock:orders", true);
    row("*:orders", "lock:orders:1", false);
    row("a*b*c", "axxbyyc", true);
    row("a*b*c", "axxbyy", false);
    row("a**c", "abc", true);
    row("?", "", false);
    row("?", "a", true);
    row("a?c", "abc", true);
    row("[a-c]x", "bx", true);
    row("[a-c]x", "dx", false);
    row("[^a-c]x", "dx", true);
    row("[!a-c]x", "bx", false);
    row("[]a]", "]", true);
    row("[a-]", "-", true);
    row("[\\]]", "]", true);
    row("[abc", "[abc", true);
    row("\\*", "*", true);
    row("\\*", "a", false);
    row("\\", "\\", true);
    row("LOCK", "lock", false);
    row("*.?*", "a.b", true);
    QTest::newRow("byte by byte") << QByteArray("?") << QByteArray("é") << false;
    QTest::newRow("NUL is a byte") << QByteArray("a?b") << QByteArray("a\0b", 3) << true;
    QTest::newRow("high bytes") << QByteArray("[\x80-\xff]") << QByteArray("\xc3") << true;
}

void BaseTest::globs()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, name);
    QFETCH(bool, matches);
    QCOMPARE(globMatches(pattern, name), matches);
}

void BaseTest::textGlobs_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("matches");
    QTest::newRow("case") << QByteArray("Lock-?*") << QByteArray("lOCK-a") << true;
    QTest::newRow("a whole character") << QByteArray("a?b") << QByteArray("aéb") << true;
    QTest::newRow("not two of them") << QByteArray("a?b") << QByteArray("aééb") << false;
    QTest::newRow("not of UTF-8") << QByteArray("a?b")
                                  << QByteArray("a\xc3"
                                                "b")
                                  << true;
    QTest::newRow("no case beyond ASCII") << QByteArray("É") << QByteArray("é") << false;
    QTest::newRow("at the end") << QByteArray("?") << QByteArray("") << false;
}

void BaseTest::textGlobs()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, name);
    QFETCH(bool, matches);
    QCOMPARE(globMatches(pattern, name, GlobRules::Text), matches);
}

void BaseTest::literalGlobs_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("glob");
    QTest::newRow("plain") << QByteArray("lock:a") << QByteArray("lock:a");
    QTest::newRow("star") << QByteArray("lock:*?") << QByteArray("lock:\\*\\?");
    QTest::newRow("class") << QByteArray("a[b]") << QByteArray("a\\[b\\]");
    QTest::newRow("backslash") << QByteArray("a\\b") << QByteArray("a\\\\b");
    QTest::newRow("nul") << QByteArray("a\0b", 3) << QByteArray("a\0b", 3);
}

void BaseTest::literalGlobs()
{
    QFETCH(QByteArray, name);
    QTEST(literalGlob(name), "glob");
    QVERIFY(globMatches(literalGlob(name), name));
}

void BaseTest::nearestNames_data()
{
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("nearest");
    QTest::newRow("typing mistake") << QStringLiteral("shedlok") << QStringLiteral("shedlock");
    QTest::newRow("case") << QStringLiteral("SHEDLOCK") << QStringLiteral("shedlock");
    QTest::newRow("prefix") << QStringLiteral("fem_s") << QStringLiteral("fem_shedlock");
    QTest::newRow("a swap") << QStringLiteral("oredrs") << QStringLiteral("orders");
    QTest::newRow("nothing like it") << QStringLiteral("zzz") << QString();
}

void BaseTest::nearestNames()
{
    QFETCH(QString, wanted);
    QTEST(nearestName(wanted,
                      {QStringLiteral("orders"), QStringLiteral("shedlock"), QStringLiteral("fem_shedlock")}),
          "nearest");
}

void BaseTest::randomIds()
{
    QCOMPARE(randomId().size(), 32);
    QCOMPARE(randomId(20).size(), 40);
    QVERIFY(randomId() != randomId());
    const QByteArray id = randomId();
    QCOMPARE(QByteArray::fromHex(id).toHex(), id);
}

void BaseTest::globsStayFast()
{
    const qint64 begun = lockkeeper::tests::processorMs();
    const QByteArray pattern = QByteArray("a*").repeated(200) + 'b';
    const QByteArray name(20'000, 'a');
    QVERIFY(!globMatches(pattern, name));
    QVERIFY(!globMatches(QByteArray(5'000, '*') + 'b', name));
    QVERIFY(lockkeeper::tests::processorMs() - begun < 5'000);
}

void BaseTest::durations_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("us");
    QTest::addColumn<QString>("shortest");
    const auto row = [](const char *text, qint64 us, const char *shortest) {
        QTest::newRow(text) << QString::fromUtf8(text) << us << QString::fromUtf8(shortest);
    };
    row("500ms", 500'000, "500ms");
    row("30s", 30'000'000, "30s");
    row("10m", 600'000'000, "10m");
    row("2h", 7'200'000'000, "2h");
    row("7d", 604'800'000'000, "7d");
    row("1500ms", 1'500'000, "1500ms");
    row("60s", 60'000'000, "1m");
    row("48h", 172'800'000'000, "2d");
    row("7us", 7, "7us");
    row("0s", 0, "0s");
    row("0d", 0, "0s");
}

void BaseTest::durations()
{
    QFETCH(QString, text);
    QFETCH(qint64, us);
    QFETCH(QString, shortest);
    QCOMPARE(parseDuration(text).value_or(-1), us);
    QCOMPARE(formatDuration(us), shortest);
}

void BaseTest::durationsThatAreNone_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"", "5", "s", "5 s", "-5s", "+5s", "1.5s", "5S", "5min", "5ss", "0x5s", "٣s",
                             "9223372036854775807s", "99999999999999999999s", "106751992d"})
        QTest::newRow(text) << QString::fromUtf8(text);
}

void BaseTest::durationsThatAreNone()
{
    QFETCH(QString, text);
    const auto parsed = parseDuration(text);
    QVERIFY(!parsed.has_value());
    QVERIFY(parsed.error().code == ErrorCode::Usage);
    QVERIFY(!parsed.error().remedy.isEmpty());
}

void BaseTest::durationsComeBack()
{
    for (qint64 us : {1LL, 999LL, 1'000LL, 1'001LL, 59'999'999LL, 3'600'000'000LL, 86'400'000'001LL,
                      9'000'000'000'000'000'000LL})
        QCOMPARE(parseDuration(formatDuration(us)).value_or(-1), us);
}

void BaseTest::errorLines_data()
{
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QString>("remedy");
    QTest::addColumn<QString>("line");
    const auto row = [](const char *name, const char *cause, const char *remedy, const char *line) {
        QTest::newRow(name) << QString::fromUtf8(cause) << QString::fromUtf8(remedy)
                            << QString::fromUtf8(line);
    };
    row("both", "no answer", "Start it.", "no answer. Start it.");
    row("a full stop", "no answer.", "Start it.", "no answer. Start it.");
    row("a colon", "missing:", "GRANT x", "missing: GRANT x");
    row("no remedy", "no answer", "", "no answer");
    row("remedy alone", "", "Start it.", "Start it.");
    row("two lines", "a\nb", "", "a\\x0ab");
}

void BaseTest::errorLines()
{
    QFETCH(QString, cause);
    QFETCH(QString, remedy);
    QFETCH(QString, line);
    QCOMPARE((Error{ErrorCode::Unknown, cause, remedy}).line(), line);
}

void BaseTest::errorNamesComeBack()
{
    QSet<QByteArray> names;
    for (int i = 0; i <= int(ErrorCode::Shutdown); ++i) {
        const QByteArray name = errorName(ErrorCode(i)).toByteArray();
        QVERIFY(!names.contains(name));
        names.insert(name);
        QVERIFY(errorFromName(name) == ErrorCode(i));
    }
    QVERIFY(errorFromName("no such thing") == ErrorCode::Unknown);
    QCOMPARE(errorName(ErrorCode(250)).toByteArray(), QByteArray("unknown"));
}

void BaseTest::transientErrors()
{
    for (ErrorCode code : {ErrorCode::Unreachable, ErrorCode::Loading, ErrorCode::Timeout,
                           ErrorCode::ConnectionLost, ErrorCode::Busy})
        QVERIFY(isTransient(code));
    for (ErrorCode code : {ErrorCode::Authentication, ErrorCode::PermissionDenied, ErrorCode::SchemaMismatch,
                           ErrorCode::Usage, ErrorCode::Unsupported, ErrorCode::Unknown})
        QVERIFY(!isTransient(code));
}

void BaseTest::queueKeepsItsLimit()
{
    BoundedQueue<int> queue(10);
    QVERIFY(queue.push(1, 4));
    QVERIFY(queue.push(2, 6));
    QVERIFY(!queue.push(3, 1));
    QVERIFY(queue.push(4, 0));
    QVERIFY(!queue.push(5, -1));
    QVERIFY(!queue.push(6, std::numeric_limits<qint64>::max()));
    QCOMPARE(queue.size(), 3);
    QCOMPARE(queue.cost(), 10);
    QCOMPARE(queue.front(), 1);
    QCOMPARE(queue.pop(), 1);
    QCOMPARE(queue.cost(), 6);
    QVERIFY(queue.push(7, 4));
    QCOMPARE(queue.pop(), 2);
    QCOMPARE(queue.pop(), 4);
    QCOMPARE(queue.pop(), 7);
    QVERIFY(queue.isEmpty());
    QCOMPARE(queue.cost(), 0);
    QVERIFY(queue.push(8, 10));
    queue.clear();
    QVERIFY(queue.isEmpty());
    QCOMPARE(queue.cost(), 0);
    QCOMPARE(queue.limit(), 10);
}

void BaseTest::queueMovesItsItems()
{
    BoundedQueue<std::unique_ptr<int>> queue(1);
    QVERIFY(queue.push(std::make_unique<int>(5), 1));
    QCOMPARE(*queue.pop(), 5);
}

void BaseTest::monotonicTimeGoesOn()
{
    const SystemClock clock;
    const qint64 first = clock.monotonicUs();
    QVERIFY(clock.monotonicUs() >= first);
    QVERIFY(clock.wallUs() > 1'700'000'000'000'000);
}

void BaseTest::logRulesAdmitFromALevelOn()
{
    QCOMPARE(logLevels(), (QStringList{QStringLiteral("debug"), QStringLiteral("info"),
                                       QStringLiteral("warning"), QStringLiteral("error")}));
    QCOMPARE(logRules(QStringLiteral("warning")),
             QStringLiteral("*.debug=false\n*.info=false\nlockkeeper.*.warning=true\n"));
    QCOMPARE(logRules(QStringLiteral("error")),
             QStringLiteral("*.debug=false\n*.info=false\n*.warning=false\n"));
    QCOMPARE(logRules(QStringLiteral("critical")), QString());
}

LOCKKEEPER_TEST(BaseTest)

} // namespace tst_base

#include "tst_base.moc"
