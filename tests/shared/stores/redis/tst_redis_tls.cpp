// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/shared/stores/redis/push_watch.h"
#include "tests/support/certificates.h"
#include "tests/support/free_port.h"
#include "tests/support/lock_answers.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_tls {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using domain::Outcome;

/** rediss:// against real servers: which servers the store trusts, and how it reports untrusted servers. */
class TestRedisTls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (RedisServer bare; !bare.start({QStringLiteral("--tls-port"), QStringLiteral("0")}))
            QSKIP("this server is built without TLS");
        QVERIFY(m_files.makeAuthority(QStringLiteral("ca")));
        QVERIFY(m_files.makeAuthority(QStringLiteral("other-ca")));
        QVERIFY(m_files.make(QStringLiteral("server"), QStringLiteral("ca"), QStringLiteral("IP:127.0.0.1")));
        QVERIFY(m_files.make(QStringLiteral("elsewhere"), QStringLiteral("ca"),
                             QStringLiteral("DNS:redis.example")));
        QVERIFY(m_files.make(QStringLiteral("old"), QStringLiteral("ca"), QStringLiteral("IP:127.0.0.1"),
                             Certificates::kExpired));
        QVERIFY(
            m_files.make(QStringLiteral("client"), QStringLiteral("ca"), QStringLiteral("DNS:lockkeeper")));
        QVERIFY(m_files.make(QStringLiteral("stranger"), QStringLiteral("other-ca"),
                             QStringLiteral("DNS:nobody")));
        QVERIFY(m_plain.start({}, true));
    }

    void whoIsTrusted_data()
    {
        QTest::addColumn<QString>("server"); // whose certificate it shows
        QTest::addColumn<QString>("ca");
        QTest::addColumn<QString>("verify");
        QTest::addColumn<QString>("words"); // of the refusal; empty: trusted
        const auto row = [](const char *name, const char *server, const char *ca, const char *verify,
                            const char *words) {
            QTest::newRow(name) << QString::fromLatin1(server) << QString::fromLatin1(ca)
                                << QString::fromLatin1(verify) << QString::fromLatin1(words);
        };
        row("all right", "server", "ca", "", "");
        row("told in full", "server", "ca", "full", "");
        row("the system's CAs", "server", "", "", "Set tls_ca to the file of the CA that signed it.");
        row("wrong CA", "server", "other-ca", "full", "Set tls_ca to the file of the CA that signed it.");
        row("wrong CA, chain only", "server", "other-ca", "ca", "Set tls_ca to the file");
        row("wrong host", "elsewhere", "ca", "full", "is for another host than 127.0.0.1");
        row("wrong host, chain only", "elsewhere", "ca", "ca", "");
        row("expired", "old", "ca", "full", "expired");
        row("expired, chain only", "old", "ca", "ca", "expired");
        row("not looked at", "elsewhere", "other-ca", "off", "");
        row("not looked at, no CA", "old", "", "off", "");
        row("no such CA file", "server", "missing", "full", "can't be read");
    }
    void whoIsTrusted()
    {
        QFETCH(QString, server);
        QFETCH(QString, ca);
        QFETCH(QString, verify);
        QFETCH(QString, words);
        const quint16 port = freePort();
        RedisServer redis;
        QVERIFY(redis.start(optionsFor(server, port, false)));
        SourceSpec spec = specFor(port);
        if (!ca.isEmpty())
            spec.tls.insert(QStringLiteral("ca"), m_files.certificate(ca));
        if (!verify.isEmpty())
            spec.tls.insert(QStringLiteral("verify"), verify);
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QCOMPARE(harness.open(), words.isEmpty());
        if (words.isEmpty()) {
            QVERIFY(harness.scan());
            return;
        }
        const base::Error &error = harness.m_failures.constFirst();
        QVERIFY2(error.line().contains(words), qPrintable(error.line()));
        QVERIFY(!base::isTransient(error.code));
        QVERIFY(!error.line().contains(QLatin1Char('\n')));
    }

    void locksAreSeenAndBroken()
    {
        const quint16 port = freePort();
        RedisServer redis;
        QVERIFY(redis.start(optionsFor(QStringLiteral("server"), port, false)));
        for (int i = 0; i < 5'000; ++i)
            redis.command({"SET", "lock:" + QByteArray::number(i), QByteArray(200, 'x')});
        redis.command({"SET", "lock:long", QByteArray(200'000, 'x')});
        SourceSpec spec = specFor(port);
        spec.tls.insert(QStringLiteral("ca"), m_files.certificate(QStringLiteral("ca")));
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        QCOMPARE(harness.m_ends.constFirst().scanned, 5'001);
        QVERIFY(harness.find("lock:4999") != nullptr);
        QCOMPARE(harness.release(orderFor(harness.inspect("lock:7"))).outcome, Outcome::Released);
        auto client = std::move(*locks::redis::makeLockClient(spec, spec.locks.first()));
        QCOMPARE(acquired(*client, "lock:7", 60'000'000).attempt, locks::Attempt::Done);
        redis.kill();
        QVERIFY(harness.waitForFailure());
        QCOMPARE(harness.m_failures.constFirst().code, ErrorCode::ConnectionLost);
    }

    /** Both connections of a source with push go over TLS. */
    void changesArePushed()
    {
        if (RedisServer::version() < 600)
            QSKIP("servers tell of changes from Redis 6.0 on");
        const quint16 port = freePort();
        RedisServer redis;
        QVERIFY(redis.start(optionsFor(QStringLiteral("server"), port, true)));
        SourceSpec spec = specFor(port);
        spec.push = true;
        spec.tls = {{QStringLiteral("ca"), m_files.certificate(QStringLiteral("ca"))},
                    {QStringLiteral("cert"), m_files.certificate(QStringLiteral("client"))},
                    {QStringLiteral("key"), m_files.key(QStringLiteral("client"))}};
        push::Watch watch(spec);
        QVERIFY(watch.openPushing());
        for (int i = 0; i < 1'000; ++i)
            redis.command({"SET", "lock:" + QByteArray::number(i), QByteArray(200, 'x'), "PX", "60000"});
        QVERIFY(watch.comes("lock:999", [](const Change &change) { return change.lock.held; }));
        redis.command({"DEL", "lock:7"});
        QVERIFY(watch.comes("lock:7", [](const Change &change) { return !change.lock.present; }));
        redis.command({"CLIENT", "KILL", "TYPE", "pubsub"});
        QTRY_COMPARE(watch.states.size(), 3); // and back
        QVERIFY(watch.states.constLast().on);
        redis.command({"SET", "lock:after", "x"});
        QVERIFY(watch.comes("lock:after"));
    }

    void aClientCertificateIsAsked_data()
    {
        QTest::addColumn<QString>("client");
        QTest::addColumn<QString>("protocols");
        QTest::addColumn<bool>("accepted");
        for (const char *protocols : {"TLSv1.2", "TLSv1.3"}) {
            const QString p = QString::fromLatin1(protocols);
            QTest::addRow("%s, ours", protocols) << QStringLiteral("client") << p << true;
            QTest::addRow("%s, none", protocols) << QString() << p << false;
            QTest::addRow("%s, a stranger's", protocols) << QStringLiteral("stranger") << p << false;
        }
    }
    void aClientCertificateIsAsked()
    {
        QFETCH(QString, client);
        QFETCH(QString, protocols);
        QFETCH(bool, accepted);
        const quint16 port = freePort();
        RedisServer redis;
        QVERIFY(redis.start(optionsFor(QStringLiteral("server"), port, true) +
                            QStringList{QStringLiteral("--tls-protocols"), protocols}));
        SourceSpec spec = specFor(port);
        spec.tls.insert(QStringLiteral("ca"), m_files.certificate(QStringLiteral("ca")));
        if (!client.isEmpty()) {
            spec.tls.insert(QStringLiteral("cert"), m_files.certificate(client));
            spec.tls.insert(QStringLiteral("key"), m_files.key(client));
        }
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QCOMPARE(harness.open(), accepted);
        if (accepted)
            return;
        const base::Error &error = harness.m_failures.constFirst();
        // With TLS 1.3 the server objects after the handshake, and its alert may be lost with the connection.
        QList<ErrorCode> honest{ErrorCode::Authentication};
        if (protocols == QLatin1String("TLSv1.3"))
            honest.append(ErrorCode::ConnectionLost);
        QVERIFY2(honest.contains(error.code), qPrintable(error.line()));
        QVERIFY2(error.remedy.contains(QLatin1String("tls_cert")), qPrintable(error.line()));
    }

    void oldProtocolsAreNotSpoken()
    {
        const quint16 port = freePort();
        RedisServer redis;
        QVERIFY(redis.start(optionsFor(QStringLiteral("server"), port, false) +
                            QStringList{QStringLiteral("--tls-protocols"), QStringLiteral("TLSv1.1"),
                                        QStringLiteral("--tls-ciphers"), QStringLiteral("ALL:@SECLEVEL=0")}));
        SourceSpec spec = specFor(port);
        spec.tls.insert(QStringLiteral("verify"), QStringLiteral("off"));
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(!harness.open());
    }

    void aPlainServerIsSaidToBeOne()
    {
        SourceSpec spec = specFor(m_plain.port());
        spec.connectTimeoutMs = 1'000;
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(!harness.open());
        const QString line = harness.m_failures.constFirst().line();
        QVERIFY2(line.contains(QLatin1String("TLS")), qPrintable(line));
    }

    void aTlsServerIsNoPlainOne()
    {
        const quint16 port = freePort();
        RedisServer redis;
        QVERIFY(redis.start(optionsFor(QStringLiteral("server"), port, false)));
        StoreHarness harness(
            std::move(*redis::makeStore(redisSpec(QUrl(QStringLiteral("redis://127.0.0.1:%1").arg(port))))));
        QVERIFY(!harness.open());
    }

private:
    QStringList optionsFor(const QString &certificate, quint16 port, bool clients) const
    {
        return {QStringLiteral("--tls-port"),         QString::number(port),
                QStringLiteral("--tls-cert-file"),    m_files.certificate(certificate),
                QStringLiteral("--tls-key-file"),     m_files.key(certificate),
                QStringLiteral("--tls-ca-cert-file"), m_files.certificate(QStringLiteral("ca")),
                QStringLiteral("--tls-auth-clients"), clients ? QStringLiteral("yes") : QStringLiteral("no")};
    }

    static SourceSpec specFor(quint16 port)
    {
        return redisSpec(QUrl(QStringLiteral("rediss://127.0.0.1:%1/0").arg(port)), "lock:*");
    }

    Certificates m_files;
    RedisServer m_plain;
};

LOCKKEEPER_TEST(TestRedisTls)

} // namespace tst_redis_tls

#include "tst_redis_tls.moc"
