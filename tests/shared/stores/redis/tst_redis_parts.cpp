// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/text.h"
#include "shared/stores/redis/connection/acl_rules.h"
#include "shared/stores/redis/connection/endpoint.h"
#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/redis/connection/resp.h"
#include "shared/stores/redis/connection/script.h"
#include "shared/stores/redis/health/access_probe.h"
#include "shared/stores/redis/reading/seen_names.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_parts {

using namespace lockkeeper;
using namespace lockkeeper::stores::redis;
using base::ErrorCode;

/** The parts that need no server: URLs, wire format, words of errors, INFO, patterns. */
class TestRedisParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void urlsNameAnEndpoint_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("endpoint"); // empty: refused
        QTest::newRow("plain") << "redis://example.org/3"
                               << "example.org:6379/3 ";
        QTest::newRow("port and user") << "redis://lk@10.0.0.1:7000"
                                       << "10.0.0.1:7000/0 lk";
        QTest::newRow("escaped user") << "redis://l%40k@h/0"
                                      << "h:6379/0 l@k";
        QTest::newRow("no host") << "redis:///2"
                                 << "127.0.0.1:6379/2 ";
        QTest::newRow("ipv6") << "redis://[::1]:1/0"
                              << "::1:1/0 ";
        QTest::newRow("unix") << "redis+unix:///run/r.sock?db=4&user=lk"
                              << "/run/r.sock/4 lk";
        QTest::newRow("unix, no query") << "redis+unix:///run/r.sock"
                                        << "/run/r.sock/0 ";
        QTest::newRow("unix with host") << "redis+unix://run/r.sock"
                                        << "";
        QTest::newRow("bad database") << "redis://h/x"
                                      << "";
        QTest::newRow("negative database") << "redis+unix:///r?db=-1"
                                           << "";
        QTest::newRow("huge database") << "redis://h/99999999999"
                                       << "";
        QTest::newRow("another scheme") << "mysql://h/0"
                                        << "";
    }
    void urlsNameAnEndpoint()
    {
        QFETCH(QString, url);
        QFETCH(QString, endpoint);
        const auto result = endpointOf(QUrl(url));
        QCOMPARE(result.has_value(), !endpoint.isEmpty());
        if (!result) {
            QCOMPARE(result.error().code, ErrorCode::Usage);
            QVERIFY(!result.error().remedy.isEmpty());
            lockkeeper::stores::SourceSpec spec;
            spec.url = QUrl(url);
            QVERIFY(!makeStore(spec).has_value());
            return;
        }
        const QString where =
            result->isUnix() ? result->path : result->host + QLatin1Char(':') + QString::number(result->port);
        QCOMPARE(
            QStringLiteral("%1/%2 %3").arg(where).arg(result->database).arg(QString::fromUtf8(result->user)),
            endpoint);
    }

    void aUrlsPasswordIsNotRepeated()
    {
        const auto result = endpointOf(QUrl(QStringLiteral("http://u:secret@h/")));
        QVERIFY(!result.has_value());
        QVERIFY(!result.error().line().contains(QLatin1String("secret")));
    }

    void commandsCarryAnyBytes()
    {
        CommandBatch batch;
        batch.add({"SET", QByteArrayView("a\r\n\0b", 5), ""});
        batch.add({"TIME"});
        QCOMPARE(batch.size(), 2);
        QCOMPARE(batch.command(0).toByteArray(),
                 QByteArray("*3\r\n$3\r\nSET\r\n$5\r\na\r\n\0b\r\n$0\r\n\r\n", 30));
        QCOMPARE(batch.command(1).toByteArray(), QByteArray("*1\r\n$4\r\nTIME\r\n"));
    }

    void errorsAreMapped_data()
    {
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("remedy");
        const auto row = [](const char *name, const char *message, ErrorCode code, const char *remedy) {
            QTest::newRow(name) << QByteArray(message) << int(code) << QString::fromLatin1(remedy);
        };
        row("wrong password", "WRONGPASS invalid username-password pair or user is disabled.",
            ErrorCode::Authentication, "Check the source's user and password.");
        row("none given", "NOAUTH Authentication required.", ErrorCode::Authentication,
            "Check the source's user and password.");
        row("command", "NOPERM this user has no permissions to run the 'scan' command",
            ErrorCode::PermissionDenied, "ACL SETUSER lk +scan");
        row("command, 7.2", "NOPERM User lk has no permissions to run the 'client|setname' command",
            ErrorCode::PermissionDenied, "ACL SETUSER lk +client|setname");
        row("key", "NOPERM this user has no permissions to access one of the keys used as arguments",
            ErrorCode::PermissionDenied, "ACL SETUSER lk %R~lock:*");
        row("loading", "LOADING Redis is loading the dataset in memory", ErrorCode::Loading, "");
        row("replica, in a script before 7",
            "ERR Error running script (call to f_5dc0): @user_script:63: @user_script: 63: -READONLY You "
            "can't write "
            "against a read only replica.",
            ErrorCode::ReadOnly, "Connect the source to the primary.");
        row("replica", "READONLY You can't write against a read only replica.", ErrorCode::ReadOnly,
            "Connect the source to the primary.");
        row("busy", "BUSY Redis is busy running a script.", ErrorCode::Busy, "");
        row("disk", "MISCONF Redis is configured to save RDB snapshots", ErrorCode::Storage, "");
        row("full", "ERR max number of clients reached", ErrorCode::Unreachable, "");
        row("a longer word", "LOADINGS is something else", ErrorCode::Unsupported, "");
        row("empty", "", ErrorCode::Unsupported, "");
    }
    void errorsAreMapped()
    {
        QFETCH(QByteArray, message);
        QFETCH(int, code);
        QFETCH(QString, remedy);
        const base::Error error = errorOf(message, {"lk", "lock:*"});
        QCOMPARE(int(error.code), code);
        QCOMPARE(error.remedy, remedy);
        QCOMPARE(error.cause, base::displayText(message));
    }

    void aBreakNeedsBothDirections()
    {
        const QByteArray key(
            "NOPERM this user has no permissions to access one of the keys used as arguments");
        QCOMPARE(errorOf(key, {"lk", "lock:*"}, RightPurpose::Break).remedy,
                 QStringLiteral("ACL SETUSER lk ~lock:*"));
        const QByteArray script(
            "ERR The user executing the script can't run this command or subcommand script: 1");
        QCOMPARE(errorOf(script, {{}, "a*"}, RightPurpose::Break).remedy,
                 QStringLiteral("ACL SETUSER default ~a* ") + QLatin1String(kBreakRules));
        QCOMPARE(errorOf(key, {"lk", "lock:*", false}).remedy, QStringLiteral("ACL SETUSER lk ~lock:*"));
    }

    void infoIsRead()
    {
        const RedisFacts facts =
            factsOf("# Server\r\nredis_version:7.0.15\r\nrun_id:abc\r\nrole:slave\r\nnonsense\r\n"
                    "loading:1\r\nconnected_slaves:2\r\n");
        QCOMPARE(facts.version, QStringLiteral("7.0.15"));
        QCOMPARE(facts.majorVersion(), 7);
        QCOMPARE(facts.product(), QStringLiteral("Redis 7.0.15"));
        QCOMPARE(facts.runId, QByteArray("abc"));
        QVERIFY(facts.replica && facts.loading);
        QCOMPARE(facts.replicas, 2);
        QVERIFY(!factsOf("").replica);
        const RedisFacts valkey =
            factsOf("redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.1\r\n");
        QCOMPARE(valkey.majorVersion(), 7);
        QCOMPARE(valkey.product(), QStringLiteral("Valkey 8.1.1"));
    }

    void samplesFitTheirPattern_data()
    {
        QTest::addColumn<QByteArray>("pattern");
        for (const char *pattern :
             {"*", "lock:*", "a?c", "l[ab]x*", "l[^q]*", "q\\*[a-c]", "exact", "[", "a\\"})
            QTest::newRow(pattern) << QByteArray(pattern);
    }
    void samplesFitTheirPattern()
    {
        QFETCH(QByteArray, pattern);
        if (pattern.size() > 1 || pattern == "*")
            QVERIFY2(base::globMatches(pattern, sampleOf(pattern)), sampleOf(pattern).constData());
        else
            QVERIFY(sampleOf(pattern).size() <= 1);
    }

    void namesSeenTwiceAreFound()
    {
        SeenNames seen;
        for (int i = 0; i < 20'000; ++i)
            QVERIFY(seen.insert(QByteArray::number(i)));
        for (int i = 0; i < 20'000; ++i)
            QVERIFY(!seen.insert(QByteArray::number(i)));
        QVERIFY(seen.insert(""));
        QVERIFY(!seen.insert(""));
        seen.clear();
        QVERIFY(seen.insert("7"));
    }

    void scriptsAreBuiltIn()
    {
        const Script abc("abc");
        QCOMPARE(abc.sha, QByteArray("a9993e364706816aba3e25717850c26c9cd0d89d"));
        for (const Script &script :
             {guardedScript("token_release"), clientScript("token_renew"), clientScript("token_unlock")})
            QVERIFY(script.text.contains("KEYS[1]"));
    }
};

LOCKKEEPER_TEST(TestRedisParts)

} // namespace tst_redis_parts

#include "tst_redis_parts.moc"
