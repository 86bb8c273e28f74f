// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/json_fields.h"
#include "shared/stores/redis/schemes/key_preset.h"
#include "shared/stores/redis/schemes/redisson_names.h"
#include "shared/stores/redis/schemes/semaphore_scheme.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_json_fields {

using namespace lockkeeper::stores::redis;

/** Parsing of the values and names of keys, without a server. */
class TestRedisNamesAndFields : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fields_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("expected"); // of "a"; "!": refused
        // ' stands for ", which moc can't follow in raw strings
        const auto row = [](QByteArray json, const char *expected) {
            json.replace('\'', '"');
            QTest::addRow("%s", json.left(40).constData()) << json << QByteArray(expected);
        };
        row("{'a':'x'}", "x");
        row(" {\t\"b\" : [1,{\"a\":2}] ,\n\"a\":\"x\" } ", "x");
        row("{'a':'\\u00e9\\ud83d\\ude00\\n\\/\\\\'}", "\xc3\xa9\xf0\x9f\x98\x80\n/\\");
        row("{'a':18446744073709551615}", "18446744073709551615");
        row("{'a':9007199254740993}", "9007199254740993");
        row("{'a':-0.5e+10}", "-0.5e+10");
        row("{'a':true}", "true");
        row("{'a':null}", "(null)");
        row("{'a':{'a':1}}", "(nested)");
        row("{}", "(absent)");
        row("{'a':''}", "");
        row("{'\\u0061':'x'}", "x");
        row("{'a':'x','a':'y'}", "!");
        row("{'a':'x','b':1,'\\u0062':2}", "!");
        row("{'a':'x'}}", "!");
        row("{'a':'x'} {}", "!");
        row("{'a':'x',}", "!");
        row("{'a':01}", "!");
        row("{'a':+1}", "!");
        row("{'a':-}", "!");
        row("{'a':'\\ud83d'}", "!");
        row("{'a':'\\ude00'}", "!");
        row("{'a':'\\u00g1'}", "!");
        row("{\"a\":\"\xff\"}", "!");
        row("{\"a\":\"\xed\xa0\x80\"}", "!");
        row("['a']", "!");
        row("'a'", "!");
        row("", "!");
        row("{'a':'x", "!");
        row("{`a`:`x`}", "!");
        row("{'a':tru}", "!");
        row("{\"a\":" + QByteArray(31, '[') + QByteArray(31, ']') + '}', "(nested)");
        row("{\"a\":" + QByteArray(2'000, '[') + QByteArray(2'000, ']') + '}', "!");
    }
    void fields()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, expected);
        const auto fields = readJsonFields(json, {"a"});
        if (!fields) {
            QCOMPARE(QByteArray("!"), expected);
            return;
        }
        const JsonField &field = fields->constFirst();
        const QByteArray found = field.kind == JsonField::Absent   ? QByteArray("(absent)")
                                 : field.kind == JsonField::Null   ? QByteArray("(null)")
                                 : field.kind == JsonField::Nested ? QByteArray("(nested)")
                                                                   : field.text;
        QCOMPARE(found, expected);
    }

    /** Every text that is cut anywhere is refused, and none is read past its end. */
    void everyCutIsRefused()
    {
        const QByteArray whole =
            QByteArray("{'a':'\\ud83d\\ude00','b':[-1.5e+3,{'c':null}],'d':true}").replace('\'', '"');
        QVERIFY(readJsonFields(whole, {"a"}));
        for (qsizetype i = 0; i < whole.size(); ++i)
            QVERIFY(!readJsonFields(QByteArrayView(whole).first(i), {"a"}));
    }

    void membersSurviveThePlace_data()
    {
        QTest::addColumn<QByteArray>("member");
        QTest::addColumn<QByteArray>("encoded");
        QTest::newRow("uuid") << QByteArray("4f1c-9") << QByteArray("4f1c-9");
        QTest::newRow("slash") << QByteArray("a/b") << QByteArray("a%2Fb");
        QTest::newRow("percent") << QByteArray("%2F") << QByteArray("%252F");
        QTest::newRow("empty") << QByteArray("") << QByteArray("%");
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("a%00b");
        QTest::newRow("binary") << QByteArray("\xf4^") << QByteArray("%F4%5E");
    }
    void membersSurviveThePlace()
    {
        QFETCH(QByteArray, member);
        QFETCH(QByteArray, encoded);
        QCOMPARE(encodedMember(member), encoded);
        QCOMPARE(decodedMember(encoded), member);
    }

    void redissonNames()
    {
        QCOMPARE(redissonPrefixed("p", "a"), QByteArray("p:{a}"));
        QCOMPARE(redissonPrefixed("p", "x{a}y"), QByteArray("p:x{a}y"));
        QCOMPARE(redissonUnsuffixed("{a}:timeout", "timeout"), (QList<QByteArray>{"a", "{a}"}));
        QCOMPARE(redissonUnsuffixed("x{a}y:timeout", "timeout"), QList<QByteArray>{"x{a}y"});
        QCOMPARE(redissonUnsuffixed("a:timeout", "timeout"), QList<QByteArray>());
        QCOMPARE(redissonUnsuffixed("{a}:other", "timeout"), QList<QByteArray>());
    }

    void everyPresetIsWhole()
    {
        QVERIFY(keyPresetIds().size() >= 9);
        for (const QString &id : keyPresetIds())
            QVERIFY2(keyPresetNamed(id), qPrintable(id));
        QCOMPARE(keyPresetNamed(QStringLiteral("redis-semaphore-mutex"))->match, QByteArray("mutex:*"));
        QVERIFY(keyPresetNamed(QStringLiteral("redisson-permits"))->keys.permits ==
                lockkeeper::stores::Permits::Redisson);
        QVERIFY(!keyPresetNamed(QStringLiteral("knex")));
    }
};

LOCKKEEPER_TEST(TestRedisNamesAndFields)

} // namespace tst_redis_json_fields

#include "tst_redis_json_fields.moc"
