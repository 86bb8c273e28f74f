// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/client.h"
#include "shared/transport/fingerprint.h"
#include "shared/transport/tls_listener.h"
#include "tests/support/certificates.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QHostAddress>
#include <QProcess>
#include <QScopeGuard>
#include <QSslServer>
#include <QSslSocket>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <algorithm>
#include <memory>
#include <vector>

namespace tst_tls {

using namespace lockkeeper;
using namespace lockkeeper::protocol;
using base::ErrorCode;
using transport::Client;
using transport::TlsOptions;

/** An agent's side over TLS, which greets every client that says Hello. */
class TlsServer : public QObject
{
public:
    explicit TlsServer(const QSslConfiguration &configuration, const transport::Timings &timings = {})
    {
        listener.setTimings(timings);
        listener.setConfiguration(configuration);
        connect(&listener, &transport::Listener::channelReady, this, [this] {
            while (auto channel = listener.takeChannel()) {
                ++accepted;
                auto *raw = channel.release();
                raw->setParent(this);
                channels.append(raw);
                connect(raw, &transport::Channel::received, this,
                        [this, raw](const Message &m) { handle(raw, m); });
                connect(raw, &transport::Channel::closed, this, [this, raw] {
                    channels.removeOne(raw);
                    raw->deleteLater();
                });
            }
        });
        const auto listening = listener.listen({{}, QStringLiteral("127.0.0.1"), {}, 0, true});
        if (!listening)
            qFatal("%s", qPrintable(listening.error().line()));
    }
    transport::Address address(const QString &host = QStringLiteral("127.0.0.1")) const
    {
        return {{}, host, {}, listener.port(), true};
    }

    transport::TlsListener listener;
    QList<transport::Channel *> channels;
    QList<Message> received;
    int accepted = 0;
    bool wantsPassword = false;

private:
    void handle(transport::Channel *channel, const Message &message)
    {
        received.append(message);
        if (std::holds_alternative<Hello>(message) && wantsPassword) {
            channel->send(LoginNeeded{{QStringLiteral("password")}});
        } else if (const auto *login = std::get_if<Login>(&message); login && login->password != "right") {
            channel->send(Goodbye{{ErrorCode::Authentication, QStringLiteral("wrong"), {}}});
            channel->close();
        } else if (std::holds_alternative<Hello>(message) || login) {
            channel->send(Welcome{});
            channel->setLoggedIn();
        }
    }
};

/** The result of one attempt. */
struct Attempt
{
    bool connected = false;
    base::Error error;
    QByteArray unknown;
    bool wantsLogin = false;
};

class TestTls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void unknownIsRefusedWithItsFingerprint();
    void knownConnects();
    void changedIsRefusedWithBoth();
    void authorityVouches();
    void trustedIsExactlyThatOne();
    void strangersAreRefused_data();
    void strangersAreRefused();
    void whatIsNoAgent_data();
    void whatIsNoAgent();
    void noSuchHostNorPort();
    void clientsWithoutTls_data();
    void clientsWithoutTls();
    void oldTlsIsRefused_data();
    void oldTlsIsRefused();
    void clientCertificates_data();
    void clientCertificates();
    void authoritiesThatChangeMeanwhile_data();
    void authoritiesThatChangeMeanwhile();
    void loginIsAskedFor();
    void largeFramesBothWays();
    void newCertificateIsShownToWhoComesNext();
    void slowHandshakesDontKeepOthersOut();
    void strangersWhoDontGreetAreDropped();
    void fingerprints_data();
    void fingerprints();
    void listensOnAddressesOnly();

private:
    QSslConfiguration server(const QString &name, const QString &clientCa = {},
                             QSslSocket::PeerVerifyMode mode = QSslSocket::VerifyNone) const;
    QList<QSslCertificate> certificates(const QString &name) const
    {
        return QSslCertificate::fromPath(m_made.certificate(name));
    }
    QSslKey key(const QString &name) const
    {
        QFile file(m_made.key(name));
        return file.open(QIODevice::ReadOnly) ? QSslKey(file.readAll(), QSsl::Ec) : QSslKey();
    }
    Attempt attempt(const transport::Address &address, const TlsOptions &options,
                    const std::optional<Login> &login = {});

    tests::Certificates m_made;
};

void TestTls::initTestCase()
{
    const QString loopback = QStringLiteral("IP:127.0.0.1");
    QVERIFY(m_made.makeAuthority(QStringLiteral("ca")));
    QVERIFY(m_made.makeAuthority(QStringLiteral("other")));
    QVERIFY(m_made.makeSelfSigned(QStringLiteral("self"), loopback));
    QVERIFY(m_made.makeSelfSigned(QStringLiteral("self2"), QStringLiteral("DNS:elsewhere")));
    QVERIFY(m_made.make(QStringLiteral("good"), QStringLiteral("ca"), loopback));
    QVERIFY(m_made.make(QStringLiteral("host"), QStringLiteral("ca"), QStringLiteral("DNS:elsewhere")));
    QVERIFY(m_made.make(QStringLiteral("expired"), QStringLiteral("ca"), loopback,
                        tests::Certificates::kExpired));
    QVERIFY(m_made.make(QStringLiteral("alice"), QStringLiteral("ca"), QStringLiteral("DNS:alice")));
    QVERIFY(m_made.make(QStringLiteral("late"), QStringLiteral("ca"), QStringLiteral("DNS:late"),
                        tests::Certificates::kExpired));
    QVERIFY(m_made.make(QStringLiteral("mallory"), QStringLiteral("other"), QStringLiteral("DNS:alice")));
}

QSslConfiguration TestTls::server(const QString &name, const QString &clientCa,
                                  QSslSocket::PeerVerifyMode mode) const
{
    QSslConfiguration configuration;
    configuration.setProtocol(QSsl::TlsV1_2OrLater);
    configuration.setLocalCertificateChain(certificates(name));
    configuration.setPrivateKey(key(name));
    configuration.setPeerVerifyMode(mode);
    configuration.setCaCertificates(clientCa.isEmpty() ? QList<QSslCertificate>() : certificates(clientCa));
    return configuration;
}

Attempt TestTls::attempt(const transport::Address &address, const TlsOptions &options,
                         const std::optional<Login> &login)
{
    Client client(QStringLiteral("test"));
    Attempt result;
    bool ended = false;
    connect(&client, &Client::connected, this, [&] { result.connected = true; });
    connect(&client, &Client::disconnected, this, [&](const base::Error &error) {
        result.error = error;
        result.unknown = client.unknownCertificate();
        result.wantsLogin = client.wantsLogin();
        ended = true;
    });
    client.setTls(options);
    client.setLogin(login);
    client.open(address);
    if (!QTest::qWaitFor([&] { return result.connected || ended; }, 15'000))
        result.error.cause = QStringLiteral("nothing came of it");
    return result;
}

void TestTls::unknownIsRefusedWithItsFingerprint()
{
    TlsServer agent(server(QStringLiteral("self")));
    const Attempt result = attempt(agent.address(), {});
    QVERIFY(!result.connected);
    QCOMPARE(result.error.code, ErrorCode::Authentication);
    const QByteArray fingerprint =
        transport::fingerprintOf(certificates(QStringLiteral("self")).constFirst());
    QCOMPARE(result.unknown, fingerprint);
    QVERIFY(result.error.cause.contains(transport::fingerprintText(fingerprint)));
    QVERIFY(result.error.remedy.contains(QLatin1String("--fingerprint")));
    QVERIFY2(agent.received.isEmpty(), "nothing is said to an agent that isn't trusted");
}

void TestTls::knownConnects()
{
    for (const char *name : {"self", "self2"}) { // the pin is of the certificate, whatever name stands in it
        TlsServer agent(server(QString::fromLatin1(name)));
        TlsOptions options;
        options.pin = transport::fingerprintOf(certificates(QString::fromLatin1(name)).constFirst());
        const Attempt result = attempt(agent.address(), options);
        QVERIFY2(result.connected, qPrintable(result.error.line()));
    }
}

void TestTls::changedIsRefusedWithBoth()
{
    TlsServer agent(server(QStringLiteral("self2")));
    TlsOptions options;
    options.pin = transport::fingerprintOf(certificates(QStringLiteral("self")).constFirst());
    const Attempt result = attempt(agent.address(), options);
    QVERIFY(!result.connected);
    QCOMPARE(result.error.code, ErrorCode::Authentication);
    QVERIFY(result.error.cause.contains(transport::fingerprintText(options.pin)));
    QVERIFY(result.error.cause.contains(transport::fingerprintText(
        transport::fingerprintOf(certificates(QStringLiteral("self2")).constFirst()))));
    QVERIFY2(result.unknown.isEmpty(), "nobody is asked to click a changed one away");
    QVERIFY(agent.received.isEmpty());
}

void TestTls::authorityVouches()
{
    TlsServer agent(server(QStringLiteral("good")));
    TlsOptions options;
    options.ca = certificates(QStringLiteral("ca"));
    const Attempt result = attempt(agent.address(), options);
    QVERIFY2(result.connected, qPrintable(result.error.line()));
}

/** A client that demands one exact certificate rejects any other certificate, even one that an authority has
 * signed. */
void TestTls::trustedIsExactlyThatOne()
{
    const QSslConfiguration before = QSslConfiguration::defaultConfiguration();
    const auto back = qScopeGuard([&before] { QSslConfiguration::setDefaultConfiguration(before); });
    QSslConfiguration ofSystem = before;
    ofSystem.setCaCertificates(certificates(QStringLiteral("ca")));
    QSslConfiguration::setDefaultConfiguration(ofSystem);
    TlsServer agent(server(QStringLiteral("good")));
    TlsOptions options;
    options.exactly = true;
    options.pin = transport::fingerprintOf(certificates(QStringLiteral("self")).constFirst());
    const Attempt other = attempt(agent.address(), options);
    QVERIFY(!other.connected);
    QCOMPARE(other.error.code, ErrorCode::Authentication);
    QVERIFY2(other.error.cause.contains(transport::fingerprintText(options.pin)),
             qPrintable(other.error.line()));
    QVERIFY(agent.received.isEmpty());
    options.pin = transport::fingerprintOf(certificates(QStringLiteral("good")).constFirst());
    QVERIFY(attempt(agent.address(), options).connected);
}

void TestTls::strangersAreRefused_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("ca");
    QTest::addColumn<bool>("pinned");
    QTest::addColumn<QString>("cause");
    QTest::newRow("another authority") << "good"
                                       << "other" << false << "isn't signed by the given authority";
    QTest::newRow("self-signed, an authority given") << "self"
                                                     << "ca" << true << "isn't signed by the given authority";
    QTest::newRow("another host") << "host"
                                  << "ca" << false << "is for another host";
    QTest::newRow("expired") << "expired"
                             << "ca" << false << "expired on";
    QTest::newRow("expired, and known") << "expired"
                                        << "" << true << "expired on";
}

void TestTls::strangersAreRefused()
{
    QFETCH(QString, name);
    QFETCH(QString, ca);
    QFETCH(bool, pinned);
    QFETCH(QString, cause);
    TlsServer agent(server(name));
    TlsOptions options;
    if (!ca.isEmpty())
        options.ca = certificates(ca);
    if (pinned)
        options.pin = transport::fingerprintOf(certificates(name).constFirst());
    const Attempt result = attempt(agent.address(), options);
    QVERIFY(!result.connected);
    QCOMPARE(result.error.code, ErrorCode::Authentication);
    QVERIFY2(result.error.cause.contains(cause), qPrintable(result.error.line()));
    QVERIFY(!result.error.remedy.isEmpty());
    QVERIFY(result.unknown.isEmpty());
    QVERIFY(agent.received.isEmpty());
}

void TestTls::whatIsNoAgent_data()
{
    QTest::addColumn<bool>("tls");
    QTest::addColumn<QByteArray>("says");
    QTest::addColumn<QString>("cause");
    QTest::newRow("plain text that waits") << false << QByteArray("+PONG\r\n") << "doesn't use TLS";
    QTest::newRow("plain HTTP") << false << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n")
                                << "doesn't use TLS";
    QTest::newRow("plain text that closes") << false << QByteArray() << "closed the connection";
    QTest::newRow("HTTPS") << true << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n")
                           << "isn't a lockkeeper-agent";
    QTest::newRow("TLS that closes") << true << QByteArray() << "before the handshake";
}

void TestTls::whatIsNoAgent()
{
    QFETCH(bool, tls);
    QFETCH(QByteArray, says);
    QFETCH(QString, cause);
    const std::unique_ptr<QTcpServer> listening =
        tls ? std::make_unique<QSslServer>() : std::make_unique<QTcpServer>();
    if (tls)
        static_cast<QSslServer &>(*listening).setSslConfiguration(server(QStringLiteral("good")));
    QVERIFY(listening->listen(QHostAddress::LocalHost));
    connect(listening.get(), &QTcpServer::pendingConnectionAvailable, this, [&] {
        QTcpSocket *socket = listening->nextPendingConnection();
        const auto answer = [socket, says] {
            socket->readAll();
            socket->write(says);
            if (says.isEmpty())
                socket->disconnectFromHost();
        };
        connect(socket, &QTcpSocket::readyRead, socket, answer);
        if (socket->bytesAvailable() > 0)
            answer();
    });
    TlsOptions options;
    options.ca = certificates(QStringLiteral("ca"));
    const Attempt result =
        attempt({{}, QStringLiteral("127.0.0.1"), {}, listening->serverPort(), true}, options);
    QVERIFY(!result.connected);
    QVERIFY2(result.error.cause.contains(cause), qPrintable(result.error.line()));
}

void TestTls::noSuchHostNorPort()
{
    const Attempt host = attempt({{}, QStringLiteral("no-such-host.invalid"), {}, 7420, true}, {});
    QCOMPARE(host.error.code, ErrorCode::Unreachable);
    QVERIFY2(host.error.cause.contains(QLatin1String("no host named")), qPrintable(host.error.line()));
    QTcpServer gone;
    QVERIFY(gone.listen(QHostAddress::LocalHost));
    const int port = gone.serverPort();
    gone.close();
    const Attempt refused = attempt({{}, QStringLiteral("127.0.0.1"), {}, port, true}, {});
    QCOMPARE(refused.error.code, ErrorCode::Unreachable);
    QVERIFY2(refused.error.cause.contains(QLatin1String("no agent answers")),
             qPrintable(refused.error.line()));
}

void TestTls::clientsWithoutTls_data()
{
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("a Hello in clear") << frame(encode(Hello{}));
    QTest::newRow("HTTP") << QByteArray("GET / HTTP/1.1\r\n\r\n");
    QTest::newRow("noise") << QByteArray(100'000, '\x16');
}

void TestTls::clientsWithoutTls()
{
    QFETCH(QByteArray, says);
    TlsServer agent(server(QStringLiteral("self")));
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, agent.listener.port());
    socket.write(says);
    QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::UnconnectedState, 10'000);
    QCOMPARE(agent.accepted, 0);
    QVERIFY(!socket.readAll().contains("dc1"));
}

void TestTls::oldTlsIsRefused_data()
{
    QTest::addColumn<QString>("version");
    QTest::addColumn<bool>("taken");
    QTest::newRow("1.0") << "-tls1" << false;
    QTest::newRow("1.1") << "-tls1_1" << false;
    QTest::newRow("1.2") << "-tls1_2" << true;
    QTest::newRow("1.3") << "-tls1_3" << true;
}

void TestTls::oldTlsIsRefused()
{
    QFETCH(QString, version);
    QFETCH(bool, taken);
    TlsServer agent(server(QStringLiteral("self")));
    QProcess openssl;
    openssl.start(QStringLiteral("openssl"),
                  {QStringLiteral("s_client"), QStringLiteral("-connect"),
                   QStringLiteral("127.0.0.1:%1").arg(agent.listener.port()), version,
                   QStringLiteral("-cipher"), QStringLiteral("DEFAULT:@SECLEVEL=0")});
    QByteArray said;
    const auto settled = [&] {
        said += openssl.readAllStandardOutput();
        return openssl.state() == QProcess::NotRunning || said.contains("Verify return code");
    };
    QVERIFY(QTest::qWaitFor(settled, 20'000));
    if (taken)
        QTRY_COMPARE(agent.accepted, 1);
    else
        QCOMPARE(agent.accepted, 0);
    openssl.kill();
    openssl.waitForFinished();
}

void TestTls::clientCertificates_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("demanded");
    QTest::addColumn<QString>("user");
    QTest::addColumn<bool>("taken");
    QTest::newRow("signed, asked for") << "alice" << false << "alice" << true;
    QTest::newRow("signed, demanded") << "alice" << true << "alice" << true;
    QTest::newRow("none, asked for") << "" << false << "" << true;
    QTest::newRow("none, demanded") << "" << true << "" << false;
    QTest::newRow("another authority, asked for") << "mallory" << false << "" << false;
    QTest::newRow("another authority, demanded") << "mallory" << true << "" << false;
    QTest::newRow("expired, asked for") << "late" << false << "" << false;
    QTest::newRow("expired, demanded") << "late" << true << "" << false;
}

void TestTls::clientCertificates()
{
    QFETCH(QString, name);
    QFETCH(bool, demanded);
    QFETCH(QString, user);
    QFETCH(bool, taken);
    TlsServer agent(server(QStringLiteral("good"), QStringLiteral("ca"),
                           demanded ? QSslSocket::VerifyPeer : QSslSocket::QueryPeer));
    TlsOptions options;
    options.ca = certificates(QStringLiteral("ca"));
    if (!name.isEmpty()) {
        options.certificate = certificates(name);
        options.key = key(name);
    }
    const Attempt result = attempt(agent.address(), options);
    QVERIFY2(result.connected == taken, qPrintable(result.error.line()));
    QCOMPARE(agent.accepted, taken ? 1 : 0);
    if (!taken) {
        QVERIFY2(agent.received.isEmpty(), "refused before any byte of the protocol");
        QVERIFY(!result.error.line().isEmpty());
        return;
    }
    const auto peer = agent.channels.constFirst()->tlsPeer();
    QVERIFY(peer);
    QCOMPARE(peer->address, QStringLiteral("127.0.0.1"));
    QCOMPARE(peer->certificate.subjectInfo(QSslCertificate::CommonName).value(0), user);
}

void TestTls::authoritiesThatChangeMeanwhile_data()
{
    QTest::addColumn<bool>("byCertificate");
    QTest::newRow("by a certificate") << true;
    QTest::newRow("without") << false;
}

/** The authorities change after the client has authenticated and before it is admitted. */
void TestTls::authoritiesThatChangeMeanwhile()
{
    QFETCH(bool, byCertificate);
    TlsServer agent(server(QStringLiteral("good"), QStringLiteral("ca"), QSslSocket::QueryPeer));
    QSslConfiguration configuration;
    configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    if (byCertificate) {
        configuration.setLocalCertificateChain(certificates(QStringLiteral("alice")));
        configuration.setPrivateKey(key(QStringLiteral("alice")));
    }
    QSslSocket client;
    client.setSslConfiguration(configuration);
    client.connectToHost(QHostAddress::LocalHost, agent.listener.port());
    QTRY_VERIFY(agent.listener.findChild<QSslSocket *>() != nullptr);
    QTRY_COMPARE(client.state(), QAbstractSocket::ConnectedState);
    auto *side = agent.listener.findChild<QSslSocket *>();
    bool proved = false;
    connect(side, &QSslSocket::encrypted, &agent, [&, side] {
        proved = side->peerCertificate().isNull() != byCertificate && side->sslHandshakeErrors().isEmpty();
        agent.listener.setConfiguration(
            server(QStringLiteral("good"), QStringLiteral("other"), QSslSocket::QueryPeer));
    });
    client.startClientEncryption();
    if (byCertificate)
        QTRY_COMPARE(client.state(), QAbstractSocket::UnconnectedState);
    else
        QTRY_COMPARE(agent.accepted, 1);
    QVERIFY(proved);
    QCOMPARE(agent.accepted, byCertificate ? 0 : 1);
}

void TestTls::loginIsAskedFor()
{
    TlsServer agent(server(QStringLiteral("good")));
    agent.wantsPassword = true;
    TlsOptions options;
    options.ca = certificates(QStringLiteral("ca"));
    const Attempt without = attempt(agent.address(), options);
    QVERIFY(without.wantsLogin);
    QCOMPARE(without.error.code, ErrorCode::Authentication);
    const Attempt wrong = attempt(agent.address(), options, Login{QStringLiteral("ann"), "wrong"});
    QVERIFY(wrong.wantsLogin);
    QCOMPARE(wrong.error.cause, QStringLiteral("wrong"));
    const Attempt right = attempt(agent.address(), options, Login{QStringLiteral("ann"), "right"});
    QVERIFY2(right.connected, qPrintable(right.error.line()));
    QVERIFY(!right.wantsLogin);
}

void TestTls::largeFramesBothWays()
{
    TlsServer agent(server(QStringLiteral("good")));
    Client client(QStringLiteral("test"));
    TlsOptions options;
    options.ca = certificates(QStringLiteral("ca"));
    client.setTls(options);
    QList<Message> got;
    connect(&client, &Client::received, this, [&got](const Message &m) { got.append(m); });
    client.open(agent.address());
    QTRY_VERIFY(client.isConnected());
    agent.received.clear();
    ForceRelease request;
    request.reason = QString(5'000'000, QLatin1Char('y'));
    transport::Channel *channel = agent.channels.constFirst();
    bool drained = false;
    connect(channel, &transport::Channel::drained, this, [&drained] { drained = true; });
    HistoryQuery page;
    page.source = QString(5'000'000, QLatin1Char('x'));
    for (int i = 0; i < 3; ++i) {
        channel->send(page);
        client.send(request);
    }
    QVERIFY2(channel->pendingBytes() > 1'000'000, "what isn't encrypted yet counts");
    QTRY_COMPARE_WITH_TIMEOUT(got.size(), 3, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(agent.received.size(), 3, 20'000);
    QVERIFY(got.constFirst() == Message(page));
    QTRY_VERIFY(drained);
    QTRY_COMPARE(channel->pendingBytes(), 0);
}

void TestTls::newCertificateIsShownToWhoComesNext()
{
    TlsServer agent(server(QStringLiteral("self")));
    TlsOptions first;
    first.pin = transport::fingerprintOf(certificates(QStringLiteral("self")).constFirst());
    Client stays(QStringLiteral("test"));
    stays.setTls(first);
    stays.open(agent.address());
    QTRY_VERIFY(stays.isConnected());
    agent.listener.setConfiguration(server(QStringLiteral("self2")));
    QVERIFY(!attempt(agent.address(), first).connected);
    TlsOptions second;
    second.pin = transport::fingerprintOf(certificates(QStringLiteral("self2")).constFirst());
    QVERIFY(attempt(agent.address(), second).connected);
    QVERIFY2(stays.isConnected(), "a session that stands isn't touched");
}

static int openFiles()
{
    return int(QDir(QStringLiteral("/proc/self/fd"))
                   .entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System)
                   .size());
}

void TestTls::slowHandshakesDontKeepOthersOut()
{
    TlsServer agent(server(QStringLiteral("good")));
    TlsOptions options;
    options.ca = certificates(QStringLiteral("ca"));
    const int before = openFiles();
    {
        std::vector<std::unique_ptr<QTcpSocket>> slow;
        for (int i = 0; i < 400; ++i) {
            slow.push_back(std::make_unique<QTcpSocket>());
            slow.back()->connectToHost(QHostAddress::LocalHost, agent.listener.port());
            slow.back()->write("\x16\x03\x01", 3);
        }
        QTRY_VERIFY(std::all_of(slow.begin(), slow.end(), [](const auto &s) {
            return s->state() != QAbstractSocket::HostLookupState &&
                   s->state() != QAbstractSocket::ConnectingState;
        }));
        QElapsedTimer took;
        took.start();
        const Attempt result = attempt(agent.address(), options);
        QVERIFY2(result.connected, qPrintable(result.error.line()));
        QVERIFY2(took.elapsed() < 4'000, // theirs end after 5 s
                 qPrintable(QString::number(took.elapsed())));
        const auto open = std::count_if(slow.begin(), slow.end(), [](const auto &s) {
            return s->state() == QAbstractSocket::ConnectedState;
        });
        QVERIFY2(open <= 128, "the rest was dropped");
        // Silent connections are closed in time.
        QTRY_VERIFY_WITH_TIMEOUT(
            std::none_of(slow.begin(), slow.end(),
                         [](const auto &s) { return s->state() == QAbstractSocket::ConnectedState; }),
            10'000);
    }
    QTRY_VERIFY(openFiles() <= before + 5);
}

void TestTls::strangersWhoDontGreetAreDropped()
{
    TlsServer agent(server(QStringLiteral("good")));
    std::vector<std::unique_ptr<QSslSocket>> silent;
    QSslConfiguration configuration;
    configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    for (int i = 0; i < 140; ++i) {
        silent.push_back(std::make_unique<QSslSocket>());
        silent.back()->setSslConfiguration(configuration);
        silent.back()->connectToHostEncrypted(QStringLiteral("127.0.0.1"), agent.listener.port());
        QTRY_VERIFY(silent.back()->isEncrypted());
    }
    QTRY_COMPARE(agent.accepted, 140);
    QTRY_VERIFY(agent.channels.size() <= 129);
    TlsOptions options;
    options.ca = certificates(QStringLiteral("ca"));
    const Attempt result = attempt(agent.address(), options);
    QVERIFY2(result.connected, qPrintable(result.error.line()));
}

void TestTls::fingerprints_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("good");
    const QByteArray bytes(32, '\xab');
    QTest::newRow("as we print it") << transport::fingerprintText(bytes) << true;
    QTest::newRow("as openssl prints it") << QString::fromLatin1(bytes.toHex(':')).toUpper() << true;
    QTest::newRow("hex") << QString::fromLatin1(bytes.toHex()) << true;
    QTest::newRow("with blanks around")
        << QStringLiteral(" %1\n").arg(transport::fingerprintText(bytes)) << true;
    QTest::newRow("cut") << transport::fingerprintText(bytes).chopped(3) << false;
    QTest::newRow("another kind") << QStringLiteral("MD5:") + QString::fromLatin1(bytes.toBase64()) << false;
    QTest::newRow("empty") << QString() << false;
    QTest::newRow("no hex") << QString(64, QLatin1Char('g')) << false;
}

void TestTls::fingerprints()
{
    QFETCH(QString, text);
    QFETCH(bool, good);
    const auto parsed = transport::parseFingerprint(text);
    QCOMPARE(parsed.has_value(), good);
    if (good)
        QCOMPARE(*parsed, QByteArray(32, '\xab'));
}

void TestTls::listensOnAddressesOnly()
{
    transport::TlsListener listener;
    const auto named = listener.listen({{}, QStringLiteral("db1.example.org"), {}, 0, true});
    QVERIFY(!named);
    QCOMPARE(named.error().code, ErrorCode::Usage);
    TlsServer agent(server(QStringLiteral("self")));
    const auto taken = listener.listen(agent.address());
    QVERIFY(!taken);
    QCOMPARE(taken.error().code, ErrorCode::Busy);
    QVERIFY(!taken.error().remedy.isEmpty());
}

LOCKKEEPER_TEST(TestTls)

} // namespace tst_tls

#include "tst_tls.moc"
