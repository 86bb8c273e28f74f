// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/queries.h"
#include "agent/login/certificate_maker.h"
#include "agent/login/password_hash.h"
#include "agent/login/users_file.h"
#include "agent_world.h"
#include "shared/transport/fingerprint.h"
#include "tests/agent/journal/fault_injection.h"
#include "tests/support/certificates.h"
#include "tests/support/fake_clock.h"
#include "tests/support/free_port.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSslKey>
#include <QSslSocket>
#include <QTest>

namespace tst_tls_sessions {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using base::ErrorCode;

/** Users who connect over TLS, the proof that they must show, and their rights. */
class TestTlsSessions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void userSeesLiveLocks();
    void nameOfTheAgentsUserIsNoRight();
    void wrongLoginsAreRefused_data();
    void wrongLoginsAreRefused();
    void nothingIsAnsweredBeforeTheLogin_data();
    void nothingIsAnsweredBeforeTheLogin();
    void guessesEnd();
    void certificateLogsIn();
    void certificateAlone();
    void actingDoesNotWaitBehindLooking();
    void sessionEndsWithItsUser_data();
    void sessionEndsWithItsUser();
    void sessionEndsWithItsAuthority_data();
    void sessionEndsWithItsAuthority();
    void reloadWithoutACertificateTakesNothing();
    void sessionsEndWithTheLastTlsListener();
    void endWaitsForTheAudit();
    void anotherFolderWaitsForTheStart();
    void floodLeavesOthersAlone();

private:
    bool startAgent(const QByteArray &login = "users", bool withClientCa = true);
    bool prepareByCertificate(TestClient &client, const QString &user) const;
    transport::Address address() const { return {{}, QStringLiteral("127.0.0.1"), {}, m_port, true}; }
    transport::TlsOptions known() const
    {
        transport::TlsOptions options;
        options.pin = m_pin;
        return options;
    }
    void prepare(TestClient &client, const QString &user, const QByteArray &password) const
    {
        client.client.setTls(known());
        client.client.setLogin(protocol::Login{user, password});
    }
    bool writeUsers(bool disabled = false, bool removed = false, qint64 changedUs = 0)
    {
        QList<agent::login::User> users{{QStringLiteral("bob"), m_hash, false}};
        if (!removed)
            users.append({QStringLiteral("alice"), m_hash, disabled, changedUs});
        return agent::login::writeUsers(m_world->config.tls.users, users).has_value();
    }

    Certificates m_certificates;
    std::unique_ptr<AgentWorld> m_world;
    QByteArray m_hash;
    QByteArray m_pin;
    int m_port = 0;
};

/** A client that sends any bytes for a test, and keeps the bytes that it receives. */
class RawTls
{
public:
    explicit RawTls(int port)
    {
        QSslConfiguration configuration;
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
        socket.setSslConfiguration(configuration);
        socket.connectToHostEncrypted(QStringLiteral("127.0.0.1"), quint16(port));
    }
    bool waitForTls()
    {
        return QTest::qWaitFor([this] { return socket.isEncrypted(); }, 10'000);
    }
    void send(const protocol::Message &message) { socket.write(protocol::frame(protocol::encode(message))); }
    QList<protocol::Message> waitForEnd()
    {
        static_cast<void>(
            QTest::qWaitFor([this] { return socket.state() == QAbstractSocket::UnconnectedState; }, 15'000));
        QList<protocol::Message> all;
        protocol::Deframer deframer(protocol::kMaxFrame);
        deframer.feed(socket.readAll());
        for (auto next = deframer.next(); next && *next; next = deframer.next()) {
            if (const auto message = protocol::decode(**next))
                all.append(*message);
        }
        return all;
    }

    QSslSocket socket;
};

void TestTlsSessions::initTestCase()
{
    m_hash = *agent::login::hashPassword("secret");
    QVERIFY(m_certificates.makeAuthority(QStringLiteral("clients")));
    QVERIFY(m_certificates.makeAuthority(QStringLiteral("others")));
    QVERIFY(m_certificates.make(QStringLiteral("alice"), QStringLiteral("clients"), QStringLiteral("DNS:a")));
    QVERIFY(m_certificates.make(QStringLiteral("carol"), QStringLiteral("clients"), QStringLiteral("DNS:c")));
}

void TestTlsSessions::init()
{
    m_world.reset();
    m_world = std::make_unique<AgentWorld>();
}

bool TestTlsSessions::startAgent(const QByteArray &login, bool withClientCa)
{
    m_port = freePort();
    agent::config::Config &config = m_world->config;
    config.listen.append(QStringLiteral("tls://127.0.0.1:%1").arg(m_port));
    config.tls.certificate = config.dataDir + QStringLiteral("/agent.crt");
    config.tls.key = config.dataDir + QStringLiteral("/agent.key");
    config.tls.users = config.dataDir + QStringLiteral("/users.toml");
    if (withClientCa)
        config.tls.clientCa = m_certificates.certificate(QStringLiteral("clients"));
    config.tls.login = login == "users" ? agent::config::TlsSettings::LoginMethod::Users
                                        : agent::config::TlsSettings::LoginMethod::Certificate;
    const auto made = agent::login::makeCertificate(config.tls, {QStringLiteral("127.0.0.1")});
    if (!made)
        return false;
    m_pin = *transport::parseFingerprint(*made);
    return writeUsers() && m_world->start();
}

bool TestTlsSessions::prepareByCertificate(TestClient &client, const QString &user) const
{
    transport::TlsOptions options = known();
    options.certificate = QSslCertificate::fromPath(m_certificates.certificate(user));
    QFile key(m_certificates.key(user));
    if (!key.open(QIODevice::ReadOnly))
        return false;
    options.key = QSslKey(&key, QSsl::Ec);
    client.client.setTls(options);
    client.client.setLogin({});
    return true;
}

void TestTlsSessions::userSeesLiveLocks()
{
    QVERIFY(startAgent());
    TestClient client;
    prepare(client, QStringLiteral("alice"), "secret");
    QVERIFY2(client.open(address()), qPrintable(client.end.value_or(base::Error()).line()));
    QCOMPARE(client.welcome.user, QStringLiteral("alice"));
    QCOMPARE(client.welcome.role, QStringLiteral("viewer"));
    client.subscribe(std::nullopt);
    QTRY_VERIFY(client.tableWhole);
    m_world->store->hold("lock:a", "owner", 60'000'000);
    QVERIFY(client.waitForEvent([](const events::LockEvent &e) { return e.key.name == "lock:a"; }));
    QVERIFY(client.breakLock(m_world->key("lock:a")) != domain::Outcome::Released);
    QVERIFY(client.faults.isEmpty());
}

void TestTlsSessions::nameOfTheAgentsUserIsNoRight()
{
    QVERIFY(startAgent());
    QVERIFY(agent::login::writeUsers(m_world->config.tls.users, {{QStringLiteral("root"), m_hash, false}}));
    TestClient client;
    prepare(client, QStringLiteral("root"), "secret");
    QVERIFY(client.open(address()));
    QCOMPARE(client.welcome.role, QStringLiteral("viewer"));
}

void TestTlsSessions::wrongLoginsAreRefused_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QByteArray>("password");
    QTest::newRow("wrong password") << "alice" << QByteArray("guess");
    QTest::newRow("no such user") << "mallory" << QByteArray("secret");
    QTest::newRow("empty password") << "alice" << QByteArray();
    QTest::newRow("empty name") << "" << QByteArray("secret");
    QTest::newRow("1 MiB name") << QString(1 << 20, QLatin1Char('a')) << QByteArray("secret");
    QTest::newRow("8 KiB password") << "alice" << QByteArray(8'192, 'x');
}

void TestTlsSessions::wrongLoginsAreRefused()
{
    QFETCH(QString, user);
    QFETCH(QByteArray, password);
    QVERIFY(startAgent());
    TestClient client;
    prepare(client, user, password);
    QVERIFY(!client.open(address()));
    QVERIFY(client.end);
    QVERIFY2(!client.end->cause.isEmpty(), "with its cause");
    if (user.size() <= 64 && !user.isEmpty() && !password.isEmpty() && password.size() <= 1024)
        QVERIFY(client.client.wantsLogin());
}

void TestTlsSessions::nothingIsAnsweredBeforeTheLogin_data()
{
    QTest::addColumn<QString>("what");
    for (const char *what : {"no hello", "request", "second hello", "login first", "two logins", "bad frame"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

void TestTlsSessions::nothingIsAnsweredBeforeTheLogin()
{
    QFETCH(QString, what);
    QVERIFY(startAgent());
    RawTls client(m_port);
    QVERIFY(client.waitForTls());
    protocol::Hello hello;
    if (what != QLatin1String("no hello") && what != QLatin1String("login first"))
        client.send(hello);
    if (what == QLatin1String("second hello"))
        client.send(hello);
    if (what == QLatin1String("no hello") || what == QLatin1String("request"))
        client.send(protocol::LocksQuery{1, {}, {}, {}});
    if (what == QLatin1String("login first"))
        client.send(protocol::Login{QStringLiteral("alice"), "secret"});
    if (what == QLatin1String("two logins")) {
        client.send(protocol::Login{QStringLiteral("alice"), "guess"});
        client.send(protocol::Login{QStringLiteral("alice"), "secret"});
    }
    if (what == QLatin1String("bad frame"))
        client.socket.write(QByteArray::fromHex("00100001"));
    // An agent may ask for the login before it hangs up; it says nothing else to a stranger.
    for (const protocol::Message &message : client.waitForEnd()) {
        const bool asksToLogIn = std::holds_alternative<protocol::LoginNeeded>(message);
        if (!asksToLogIn)
            QVERIFY(std::holds_alternative<protocol::Goodbye>(message));
    }
}

/** Scaled down: the limit of one machine is twenty at once. */
void TestTlsSessions::guessesEnd()
{
    QVERIFY(startAgent());
    int wrong = 0;
    int limited = 0;
    for (int i = 0; i < 30; ++i) {
        TestClient client;
        prepare(client, QStringLiteral("alice"), "guess" + QByteArray::number(i));
        QVERIFY(!client.open(address()));
        wrong += client.end->cause.contains(QLatin1String("is wrong"));
        limited += client.end->cause.contains(QLatin1String("too many logins have failed"));
    }
    QCOMPARE(wrong + limited, 30);
    QVERIFY2(wrong <= 21, qPrintable(QString::number(wrong)));
    TestClient right;
    prepare(right, QStringLiteral("alice"), "secret");
    QVERIFY2(!right.open(address()), "not even the right one is looked at");
}

void TestTlsSessions::certificateLogsIn()
{
    QVERIFY(startAgent());
    TestClient client;
    QVERIFY(prepareByCertificate(client, QStringLiteral("carol")));
    QVERIFY2(client.open(address()), qPrintable(client.end.value_or(base::Error()).line()));
    QCOMPARE(client.welcome.user, QStringLiteral("carol"));
}

void TestTlsSessions::certificateAlone()
{
    QVERIFY(startAgent("certificate"));
    TestClient client;
    prepare(client, QStringLiteral("alice"), "secret");
    QVERIFY(!client.open(address()));
    QVERIFY2(client.end->line().contains(QLatin1String("certificate")), qPrintable(client.end->line()));
    QVERIFY(!client.client.wantsLogin());
}

/** A viewer's questions wait for the limit of readings; an operator's question about the same lock doesn't.
 */
void TestTlsSessions::actingDoesNotWaitBehindLooking()
{
    m_world->config.sources[0].maxReadsPerSecond = 2; // one single lock a second
    QVERIFY(startAgent());
    TestClient alice;
    prepare(alice, QStringLiteral("alice"), QByteArray("secret"));
    QVERIFY(alice.open(address()));
    QCOMPARE(alice.welcome.role, QStringLiteral("viewer"));
    for (int i = 0; i < 30; ++i)
        alice.post(protocol::Inspect{0, m_world->key("lock:" + QByteArray::number(i))});
    QVERIFY(alice.ask<protocol::Status>(protocol::StatusQuery{})); // the agent has all of them
    TestClient owner;
    QVERIFY(owner.open(m_world->socket()));
    QCOMPARE(owner.welcome.role, QStringLiteral("admin"));
    const auto read = owner.ask<protocol::Inspected>(protocol::Inspect{0, m_world->key("lock:29")});
    QVERIFY(read);
    QVERIFY2(!read->error, qPrintable(read->error ? read->error->line() : QString()));
    QVERIFY(m_world->store->inspections() < 30);
}

void TestTlsSessions::sessionEndsWithItsUser_data()
{
    QTest::addColumn<bool>("byCertificate");
    QTest::addColumn<QString>("how");
    QTest::newRow("disabled") << false << QStringLiteral("is disabled");
    QTest::newRow("removed") << false << QStringLiteral("was removed");
    QTest::newRow("disabled and enabled at once") << false << QStringLiteral("was changed");
    QTest::newRow("disabled, by certificate") << true << QStringLiteral("is disabled");
    QTest::newRow("disabled and enabled at once, by certificate") << true << QStringLiteral("was changed");
}

void TestTlsSessions::sessionEndsWithItsUser()
{
    QFETCH(bool, byCertificate);
    QFETCH(QString, how);
    const bool isChanged = how == QLatin1String("was changed");
    QVERIFY(startAgent());
    TestClient alice;
    TestClient bob;
    prepare(bob, QStringLiteral("bob"), "secret");
    prepare(alice, QStringLiteral("alice"), "secret");
    if (byCertificate)
        QVERIFY(prepareByCertificate(alice, QStringLiteral("alice")));
    QVERIFY(alice.open(address()));
    QVERIFY(bob.open(address()));
    if (isChanged)
        QVERIFY(writeUsers(false, false, 1));
    else
        QVERIFY(writeUsers(how == QLatin1String("is disabled"), how == QLatin1String("was removed")));
    QTRY_VERIFY(alice.end.has_value());
    QCOMPARE(alice.end->code, ErrorCode::Authentication);
    QVERIFY2(alice.end->cause.contains(how), qPrintable(alice.end->line()));
    QVERIFY(bob.connected);
    QCOMPARE(alice.open(address()), isChanged);
}

void TestTlsSessions::sessionEndsWithItsAuthority_data()
{
    QTest::addColumn<QStringList>("authorities"); // after the reload; at first there is "clients"
    QTest::addColumn<bool>("ends");
    const QString clients = QStringLiteral("clients");
    const QString others = QStringLiteral("others");
    QTest::newRow("replaced") << QStringList{others} << true;
    QTest::newRow("removed") << QStringList() << true;
    QTest::newRow("another is added") << QStringList{others, clients} << false;
}

void TestTlsSessions::sessionEndsWithItsAuthority()
{
    QFETCH(QStringList, authorities);
    QFETCH(bool, ends);
    QVERIFY(startAgent());
    TestClient alice;
    TestClient bob;
    QVERIFY(prepareByCertificate(alice, QStringLiteral("alice")));
    prepare(bob, QStringLiteral("bob"), "secret");
    QVERIFY(alice.open(address()));
    QVERIFY(bob.open(address()));
    agent::config::TlsSettings &tls = m_world->config.tls;
    QFile together(m_world->folder.filePath(QStringLiteral("authorities.pem")));
    QVERIFY(together.open(QIODevice::WriteOnly));
    for (const QString &name : authorities) {
        QFile one(m_certificates.certificate(name));
        QVERIFY(one.open(QIODevice::ReadOnly));
        together.write(one.readAll());
    }
    together.close();
    const QByteArray clientCa =
        authorities.isEmpty() ? QByteArray() : "client_ca = \"" + together.fileName().toUtf8() + "\"\n";
    QVERIFY(m_world->writeConfig("[tls]\ncertificate = \"" + tls.certificate.toUtf8() + "\"\nkey = \"" +
                                 tls.key.toUtf8() + "\"\n" + clientCa));
    m_world->agent->reload();
    QVERIFY(bob.ask<protocol::Status>(protocol::StatusQuery{}).has_value());
    if (ends) {
        QTRY_VERIFY(alice.end.has_value());
        QCOMPARE(alice.end->code, ErrorCode::ConnectionLost);
        QVERIFY(!alice.open(address()));
    } else {
        QVERIFY(alice.ask<protocol::Status>(protocol::StatusQuery{}).has_value());
    }
}

/** The reload changes neither the login, nor the authorities, nor the access rules. */
void TestTlsSessions::reloadWithoutACertificateTakesNothing()
{
    QVERIFY(startAgent());
    TestClient alice;
    TestClient carol;
    prepare(alice, QStringLiteral("alice"), "secret");
    QVERIFY(prepareByCertificate(carol, QStringLiteral("carol")));
    QVERIFY(alice.open(address()));
    QVERIFY(carol.open(address()));
    QVERIFY(m_world->writeConfig(
        "[tls]\ncertificate = \"/nowhere/agent.crt\"\nkey = \"/nowhere/agent.key\"\nclient_ca = \"" +
        m_certificates.certificate(QStringLiteral("others")).toUtf8() +
        "\"\nlogin = \"certificate\"\n[[access]]\nwho = \"user:bob\"\nrole = \"viewer\"\n"));
    QTest::ignoreMessage(QtCriticalMsg,
                         QRegularExpression(QStringLiteral("configuration not reloaded: .*agent.crt")));
    m_world->agent->reload();
    QVERIFY(alice.ask<protocol::Status>(protocol::StatusQuery{}).has_value());
    QVERIFY(carol.ask<protocol::Status>(protocol::StatusQuery{}).has_value());
    QVERIFY(!alice.end && !carol.end);
    alice.close();
    QVERIFY2(alice.open(address()), qPrintable(alice.end.value_or(base::Error()).line()));
}

void TestTlsSessions::sessionsEndWithTheLastTlsListener()
{
    QVERIFY(startAgent());
    agent::config::Config &config = m_world->config;
    const int other = freePort();
    TestClient alice;
    TestClient carol;
    TestClient local;
    prepare(alice, QStringLiteral("alice"), "secret");
    QVERIFY(prepareByCertificate(carol, QStringLiteral("carol")));
    QVERIFY(alice.open(address()));
    QVERIFY(carol.open(address()));
    QVERIFY(local.open(m_world->socket()));
    config.listen.last() = QStringLiteral("tls://127.0.0.1:%1").arg(other); // one is left
    QVERIFY(m_world->writeConfig("[tls]\ncertificate = \"" + config.tls.certificate.toUtf8() +
                                 "\"\nkey = \"" + config.tls.key.toUtf8() + "\"\nclient_ca = \"" +
                                 config.tls.clientCa.toUtf8() + "\"\n"));
    m_world->agent->reload();
    QVERIFY(alice.ask<protocol::Status>(protocol::StatusQuery{}).has_value());
    QVERIFY(carol.ask<protocol::Status>(protocol::StatusQuery{}).has_value());
    config.listen.removeLast();
    QVERIFY(m_world->writeConfig());
    m_world->agent->reload();
    QTRY_VERIFY(alice.end && carol.end);
    QCOMPARE(alice.end->code, ErrorCode::ConnectionLost);
    QCOMPARE(carol.end->code, ErrorCode::ConnectionLost);
    QVERIFY(local.ask<protocol::Status>(protocol::StatusQuery{}).has_value());
}

/** At the next start, an action without a written outcome would look like the trace of a crash. */
void TestTlsSessions::endWaitsForTheAudit()
{
    constexpr int kAMinute = agent::release::AuditLimit::kAMinute;
    QVERIFY(startAgent());
    const FakeClock patient; // its end waits 2 s of this clock
    m_world->agent = std::make_unique<agent::application::Agent>(
        m_world->config, patient, [&patient](const stores::SourceSpec &spec) {
            return base::Result<std::unique_ptr<stores::Store>>(std::make_unique<FakeStore>(spec, patient));
        });
    QVERIFY(m_world->agent->start());
    TestClient alice; // a viewer
    TestClient bob;
    prepare(alice, QStringLiteral("alice"), "secret");
    prepare(bob, QStringLiteral("bob"), "secret");
    QVERIFY(alice.open(address()));
    for (int i = 0; i <= kAMinute; ++i) {
        protocol::ForceRelease request;
        request.command = QByteArray::number(i).rightJustified(32, '0');
        request.key = m_world->key("lock:a");
        const auto refused = alice.ask<protocol::ReleaseResult>(request);
        QCOMPARE(refused ? refused->outcome : domain::Outcome::Released, domain::Outcome::Refused);
    }
    HeldWrites held("-wal");      // an agent that doesn't wait for them hangs at its journal's end
    QVERIFY(bob.open(address())); // his login is on its way to the audit
    const QSignalSpy ended(m_world->agent.get(), &agent::application::Agent::finished);
    m_world->agent->shutDown();
    QTRY_VERIFY(bob.end && alice.end);
    QVERIFY(AgentWorld::letTurnsPass());
    QCOMPARE(ended.size(), 0);
    held.letGo();
    QTRY_COMPARE(ended.size(), 1);
    m_world->agent.reset();
    agent::journal::Journal journal(patient);
    const auto opened = journal.open({m_world->config.journalPath});
    QVERIFY(opened);
    QCOMPARE(opened->interruptedReleases, 0);
    base::Result<protocol::AuditPage> page;
    journal.ask(
        [](agent::journal::Queries &queries) {
            return queries.audit.audit({1, {}, 2});
        },
        [&page](const auto &answer) { page = answer; });
    QTRY_COMPARE(page->entries.size(), 2);
    QCOMPARE(page->entries.at(0).outcome, domain::Outcome::Refused);
    QCOMPARE(page->entries.at(0).reason, QStringLiteral("1 more requests ended so within a minute"));
    QCOMPARE(page->entries.at(1).outcome, domain::Outcome::LoggedIn);
    QCOMPARE(page->entries.at(1).who, QStringLiteral("bob"));
}

/** A reload before the restart that data_dir needs lets everybody in as before. */
void TestTlsSessions::anotherFolderWaitsForTheStart()
{
    QVERIFY(startAgent());
    m_world->config.dataDir = QStringLiteral("elsewhere");
    QVERIFY(m_world->writeConfig("[tls]\ncertificate = \"" + m_world->config.tls.certificate.toUtf8() +
                                 "\"\nkey = \"" + m_world->config.tls.key.toUtf8() + "\"\n"));
    m_world->agent->reload();
    TestClient alice;
    prepare(alice, QStringLiteral("alice"), "secret");
    QVERIFY2(alice.open(address()), qPrintable(alice.end.value_or(base::Error()).line()));
}

/** 20,000 bad frames, 500 connections that say nothing and 200 that break off: a good client still gets
 * answers.
 */
void TestTlsSessions::floodLeavesOthersAlone()
{
    QVERIFY(startAgent());
    TestClient good;
    prepare(good, QStringLiteral("alice"), "secret");
    QVERIFY(good.open(address()));
    const auto openFiles = [] {
        return QDir(QStringLiteral("/proc/self/fd"))
            .entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System)
            .size();
    };
    const auto before = openFiles();
    qint64 slowest = 0;
    const auto look = [&] {
        QElapsedTimer took;
        took.start();
        const bool answered = good.ask<protocol::Status>(protocol::StatusQuery{}).has_value();
        slowest = std::max(slowest, took.elapsed());
        return answered;
    };
    {
        std::vector<std::unique_ptr<QTcpSocket>> silent;
        for (int i = 0; i < 500; ++i) {
            silent.push_back(std::make_unique<QTcpSocket>());
            silent.back()->connectToHost(QStringLiteral("127.0.0.1"), quint16(m_port));
            if (i % 50 == 0)
                QVERIFY(look());
        }
        for (int i = 0; i < 200; ++i) {
            RawTls noise(m_port);
            if (i % 10 == 0) {
                QVERIFY(noise.waitForTls());
                noise.socket.write(QByteArray(1'000 * 6, '\x81'));
                QVERIFY(look());
            }
        }
    }
    QVERIFY(look());
    QVERIFY2(slowest < 10'000, qPrintable(QStringLiteral("%1 ms").arg(slowest)));
    QTRY_VERIFY_WITH_TIMEOUT(openFiles() <= before + 5, 15'000);
    QVERIFY(good.connected);
}

LOCKKEEPER_TEST(TestTlsSessions)

} // namespace tst_tls_sessions

#include "tst_tls_sessions.moc"
