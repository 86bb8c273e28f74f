// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/fingerprint.h"
#include "tests/support/agent_process.h"
#include "tests/support/certificates.h"
#include "tests/support/free_port.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QSslKey>
#include <QSslSocket>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <memory>
#include <vector>

namespace tst_agent_tls {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using base::ErrorCode;

/** An operator's way from nothing to a session over TLS, by the programs alone. */
class TestAgentTls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void shellSeesLiveLocks();
    void refusalsNameTheirRemedy();
    void usersByTheCommand();
    void badFilesKeepItFromStarting();
    void certificateIsReadAgain();
    void sessionEndsWithItsCertificate();
    void clockOffByADay_data();
    void clockOffByADay();
    void strangersCostLittle();

private:
    bool configure(const QByteArray &tls = {});
    QByteArray agent(const QStringList &options, const QByteArray &input = {}, int status = 0)
    {
        QByteArray output;
        const int got = m_agent->run(options, &output, input);
        if (got != status)
            qWarning("%d: %s", got, output.constData());
        return got == status ? output : QByteArray();
    }
    Output ctl(const QStringList &arguments)
    {
        return run(
            "lockkeeperctl", QStringList{QStringLiteral("--agent"), m_address} + arguments,
            {QStringLiteral("XDG_CONFIG_HOME=") + m_config->path(), QStringLiteral("LK_PASSWORD=secret")});
    }
    QStringList asAlice() const
    {
        return {QStringLiteral("--user"), QStringLiteral("alice"), QStringLiteral("--password"),
                QStringLiteral("env:LK_PASSWORD")};
    }

    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<AgentProcess> m_agent;
    std::unique_ptr<QTemporaryDir> m_config;
    QString m_address;
    int m_port = 0;
};

void TestAgentTls::init()
{
    m_agent = std::make_unique<AgentProcess>();
    m_redis = std::make_unique<RedisServer>();
    m_config = std::make_unique<QTemporaryDir>();
    QVERIFY(m_redis->start());
    m_port = freePort();
    m_address = QStringLiteral("tls://127.0.0.1:%1").arg(m_port);
}

bool TestAgentTls::configure(const QByteArray &tls)
{
    m_agent->configure(
        tls + "[[source]]\nname = \"orders\"\nurl = \"" + m_redis->url().toEncoded() +
            "\"\npoll_ms = 50\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n",
        m_address.toLatin1());
    return true;
}

void TestAgentTls::shellSeesLiveLocks()
{
    QVERIFY(configure());
    const QByteArray made =
        agent({QStringLiteral("--make-certificate"), QStringLiteral("--host"), QStringLiteral("127.0.0.1")});
    QVERIFY(made.startsWith("SHA256:"));
    QCOMPARE(agent({QStringLiteral("--fingerprint")}), made);
    agent({QStringLiteral("user"), QStringLiteral("add"), QStringLiteral("alice")}, "secret\n");
    QVERIFY(m_agent->start());
    m_redis->command({"SET", "lock:a", "token-1", "NX", "PX", "600000"});
    const QString fingerprint = QString::fromLatin1(made).trimmed();
    const Output unknown = ctl(QStringList{QStringLiteral("status")} + asAlice());
    QCOMPARE(unknown.status, 4);
    QVERIFY2(unknown.err.contains(made.trimmed()), unknown.err.constData());
    const Output trusted =
        ctl(QStringList{QStringLiteral("--trust"), fingerprint, QStringLiteral("status")} + asAlice());
    QVERIFY2(trusted.status == 0, trusted.err.constData());
    QTRY_VERIFY_WITH_TIMEOUT(ctl(QStringList{QStringLiteral("locks")} + asAlice()).out.contains("lock:a"),
                             20'000);
    const Output changed =
        ctl(QStringList{QStringLiteral("--trust"), transport::fingerprintText(QByteArray(32, 'x')),
                        QStringLiteral("status")} +
            asAlice());
    QCOMPARE(changed.status, 4);
    QVERIFY2(ctl(QStringList{QStringLiteral("status")} + asAlice()).status == 0,
             "a wrong one isn't remembered");
}

void TestAgentTls::refusalsNameTheirRemedy()
{
    QVERIFY(configure());
    const QString fingerprint = QString::fromLatin1(agent({QStringLiteral("--make-certificate")})).trimmed();
    agent({QStringLiteral("user"), QStringLiteral("add"), QStringLiteral("alice")}, "another\n");
    QVERIFY(m_agent->start());
    const QStringList trust{QStringLiteral("--trust"), fingerprint, QStringLiteral("status")};
    const Output none = ctl(trust);
    QCOMPARE(none.status, 4);
    QVERIFY2(none.err.contains("--user"), none.err.constData());
    const Output wrong = ctl(trust + asAlice());
    QCOMPARE(wrong.status, 4);
    QVERIFY2(wrong.err.contains("the name or the password is wrong"), wrong.err.constData());
    m_agent->kill();
    const Output gone = ctl(trust + asAlice());
    QCOMPARE(gone.status, 3);
    QVERIFY2(gone.err.contains("no agent answers"), gone.err.constData());
}

void TestAgentTls::usersByTheCommand()
{
    QVERIFY(configure());
    const auto user = [this](const char *verb, const char *name, const QByteArray &input = {},
                             int status = 0) {
        QStringList options{QStringLiteral("user"), QString::fromLatin1(verb)};
        if (name)
            options.append(QString::fromLatin1(name));
        QByteArray output;
        const int got = m_agent->run(options, &output, input);
        if (got != status)
            qWarning("%s: %d %s", verb, got, output.constData());
        return got == status ? output + '.' : QByteArray();
    };
    QVERIFY(!user("add", "alice", "secret\n").isEmpty());
    QVERIFY(!user("add", "bob", "secret").isEmpty()); // without a line's end
    QVERIFY(user("add", "alice", "x\n", 1).contains("already"));
    QVERIFY(user("add", "carol", "\n", 1).contains("empty"));
    QVERIFY(user("add", "a:b", "x\n", 1).contains("isn't a valid user name"));
    QVERIFY(user("add", "carol", QByteArray(2'000, 'x') + '\n', 1).contains("longer"));
    QVERIFY(!user("disable", "bob").isEmpty());
    QCOMPARE(user("list", nullptr), QByteArray("alice\nbob  disabled\n."));
    QVERIFY(!user("enable", "bob").isEmpty());
    QVERIFY(!user("password", "bob", "other\n").isEmpty());
    QVERIFY(!user("remove", "alice").isEmpty());
    QCOMPARE(user("list", nullptr), QByteArray("bob\n."));
    QVERIFY(user("remove", "alice", {}, 1).contains("there is no user"));
    QVERIFY(!user("rename", "bob", {}, 2).isEmpty());
    QFile file(m_agent->folder() + QStringLiteral("/data/users.toml"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY(!text.contains("other") && text.contains("$argon2id$"));
    QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
}

void TestAgentTls::badFilesKeepItFromStarting()
{
    QVERIFY(configure());
    QByteArray output;
    QCOMPARE(m_agent->run({}, &output), 1);
    QVERIFY2(output.contains("--make-certificate"), output.constData());
    agent({QStringLiteral("--make-certificate")});
    agent({QStringLiteral("--make-certificate")}, {}, 1);
    const QString data = m_agent->folder() + QStringLiteral("/data");
    QFile::setPermissions(data + QStringLiteral("/agent.key"),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
    QCOMPARE(m_agent->run({}, &output), 1);
    QVERIFY2(output.contains("chmod 600"), output.constData());
    QFile::setPermissions(data + QStringLiteral("/agent.key"), QFile::ReadOwner | QFile::WriteOwner);
    QFile users(data + QStringLiteral("/users.toml"));
    QVERIFY(users.open(QIODevice::WriteOnly));
    users.write("[[user]]\n");
    users.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    users.close();
    QCOMPARE(m_agent->run({}, &output), 1);
    QVERIFY2(output.contains("is incomplete"), output.constData());
    QCOMPARE(m_agent->run({QStringLiteral("--check")}, &output), 1);
    QVERIFY2(output.contains("is incomplete"), output.constData());
}

void TestAgentTls::certificateIsReadAgain()
{
    QVERIFY(configure());
    const QString first = QString::fromLatin1(agent({QStringLiteral("--make-certificate")})).trimmed();
    agent({QStringLiteral("user"), QStringLiteral("add"), QStringLiteral("alice")}, "secret\n");
    QVERIFY(m_agent->start());
    const auto status = [this](const QString &fingerprint) {
        return ctl(QStringList{QStringLiteral("--trust"), fingerprint, QStringLiteral("status")} + asAlice())
            .status;
    };
    QCOMPARE(status(first), 0);
    const QString data = m_agent->folder() + QStringLiteral("/data");
    QVERIFY(QFile::remove(data + QStringLiteral("/agent.crt")) &&
            QFile::remove(data + QStringLiteral("/agent.key")));
    const QString second = QString::fromLatin1(agent({QStringLiteral("--make-certificate")})).trimmed();
    QVERIFY(first != second);
    m_agent->signal(SIGHUP);
    QTRY_COMPARE_WITH_TIMEOUT(status(second), 0, 20'000);
    QCOMPARE(status(first), 4);
}

/** A certificate for one day, and an agent whose clock is one day ahead, less some seconds. */
void TestAgentTls::sessionEndsWithItsCertificate()
{
    Certificates made;
    QVERIFY(made.makeAuthority(QStringLiteral("ca")));
    QVERIFY(made.make(QStringLiteral("alice"), QStringLiteral("ca"), QStringLiteral("DNS:a")));
    QVERIFY(configure("[tls]\nclient_ca = \"" + made.certificate(QStringLiteral("ca")).toUtf8() +
                      "\"\nlogin = \"certificate\"\n"));
    const QString fingerprint = QString::fromLatin1(agent({QStringLiteral("--make-certificate")})).trimmed();
    TestClient client;
    transport::TlsOptions options;
    options.pin = *transport::parseFingerprint(fingerprint);
    options.certificate = QSslCertificate::fromPath(made.certificate(QStringLiteral("alice")));
    QFile key(made.key(QStringLiteral("alice")));
    QVERIFY(key.open(QIODevice::ReadOnly));
    options.key = QSslKey(&key, QSsl::Ec);
    client.client.setTls(options);
    const QDateTime expiry = options.certificate.constFirst().expiryDate();
    const qint64 left = 12;
    m_agent->shiftClock(std::chrono::seconds(QDateTime::currentDateTimeUtc().secsTo(expiry) - left));
    QVERIFY(m_agent->start());
    const auto address = transport::parseAddress(m_address, QStringLiteral("/"));
    QVERIFY2(client.open(*address), qPrintable(client.end.value_or(base::Error()).line()));
    QCOMPARE(client.welcome.user, QStringLiteral("alice"));
    QTRY_VERIFY_WITH_TIMEOUT(client.end.has_value(), int(left + 5) * 1'000);
    QVERIFY2(client.end->cause.contains(QLatin1String("has expired")), qPrintable(client.end->line()));
    QVERIFY2(!client.open(*address), "nor does it come in again");
}

void TestAgentTls::clockOffByADay_data()
{
    QTest::addColumn<int>("hours");
    QTest::newRow("the agent's is ahead") << 24;
    QTest::newRow("the agent's is behind") << -24;
}

void TestAgentTls::clockOffByADay()
{
    QFETCH(int, hours);
    QVERIFY(configure());
    m_agent->shiftClock(std::chrono::hours(hours));
    const QString fingerprint = QString::fromLatin1(agent({QStringLiteral("--make-certificate")})).trimmed();
    agent({QStringLiteral("user"), QStringLiteral("add"), QStringLiteral("alice")}, "secret\n");
    QVERIFY(m_agent->start());
    const Output status =
        ctl(QStringList{QStringLiteral("--trust"), fingerprint, QStringLiteral("status")} + asAlice());
    QVERIFY2(status.status == 0, status.err.constData());
}

/** A hundred connections that shook hands and said a part of a Hello; and all their resources are freed.
 */
void TestAgentTls::strangersCostLittle()
{
    QVERIFY(configure());
    agent({QStringLiteral("--make-certificate")});
    QVERIFY(m_agent->start());
    QSslConfiguration configuration;
    configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    const auto crowd = [&](int size) {
        std::vector<std::unique_ptr<QSslSocket>> sockets;
        for (int i = 0; i < size; ++i) {
            sockets.push_back(std::make_unique<QSslSocket>());
            sockets.back()->setSslConfiguration(configuration);
            sockets.back()->connectToHostEncrypted(QStringLiteral("127.0.0.1"), quint16(m_port));
        }
        static_cast<void>(QTest::qWaitFor(
            [&] {
                return std::all_of(sockets.begin(), sockets.end(),
                                   [](const auto &socket) { return socket->isEncrypted(); });
            },
            20'000));
        for (const auto &socket : sockets)
            socket->write(QByteArray::fromHex("00003fff") + QByteArray(16'000, 'x'));
        return sockets;
    };
    const int files = m_agent->openFiles();
    crowd(1); // the first connection loads things that stay
    QTRY_VERIFY_WITH_TIMEOUT(m_agent->openFiles() <= files + 5, 20'000);
    const qint64 before = m_agent->residentKib();
    auto sockets = crowd(50);
    const auto standAll = [&] {
        const auto hasSent = [](const auto &socket) {
            return socket->bytesToWrite() + socket->encryptedBytesToWrite() == 0;
        };
        return m_agent->openFiles() >= files + 50 && std::all_of(sockets.begin(), sockets.end(), hasSent);
    };
    // The first ones may have ended before the last ones have completed the handshake.
    if (!QTest::qWaitFor(standAll, 3'000))
        QSKIP("the machine is too busy for fifty handshakes in their time");
    const qint64 each = (m_agent->residentKib() - before) / 50;
    qInfo("%lld KiB a connection before its login", each);
    // 133 KiB were measured with OpenSSL 3.5, which exchanges ML-KEM keys, too.
    const int most = QSslSocket::sslLibraryVersionNumber() >= 0x30500000 ? 160 : 128;
    QVERIFY2(each <= most, "75 and 110 KiB were measured, of which OpenSSL has the most; 64 is the aim");
    sockets.clear();
    QTRY_VERIFY_WITH_TIMEOUT(m_agent->openFiles() <= files + 5, 20'000);
}

LOCKKEEPER_TEST(TestAgentTls)

} // namespace tst_agent_tls

#include "tst_agent_tls.moc"
