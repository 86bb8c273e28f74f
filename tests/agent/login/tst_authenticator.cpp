// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/authenticator.h"
#include "agent/login/password_hash.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

namespace tst_authenticator {

using namespace lockkeeper;
using namespace lockkeeper::agent;
using namespace lockkeeper::agent::login;
using access::Identity;
using base::ErrorCode;

class TestAuthenticator : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void verdicts_data();
    void verdicts();
    void verdictComesLater();
    void changesCountAtOnce();
    void passwordsThatAreNoLongerTakenEndSessions();
    void brokenFileLetsNobodyIn();
    void failuresAreLimited();
    void machinesAreLimited();
    void successIsNoFailure();
    void bucketsAreBounded();
    void onlySoManyWait();
    void aCrowdHasNotFailed();
    void byPam_data();
    void byPam();
    void hangingPamIsARefusal();

private:
    std::optional<base::Result<void>> verify(const QString &user, const QByteArray &password,
                                             const QString &address = QStringLiteral("10.0.0.7"))
    {
        std::optional<base::Result<void>> verdict;
        m_login->verify(user, password, address, this, [&](const base::Result<void> &v) { verdict = v; });
        static_cast<void>(QTest::qWaitFor([&] { return verdict.has_value(); }, 20'000));
        return verdict;
    }
    bool mayLogIn(const QString &user, const QByteArray &password)
    {
        const auto verdict = verify(user, password);
        return verdict && *verdict;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<tests::FakeClock> m_clock;
    std::unique_ptr<Authenticator> m_login;
    agent::config::TlsSettings m_tls;
    QList<User> m_users;
};

void TestAuthenticator::initTestCase()
{
    m_users = {{QStringLiteral("alice"), *hashPassword("secret"), false},
               {QStringLiteral("bob"), *hashPassword("hidden"), true}};
    // The agent looks for it beside its own program.
    QFile::link(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeper-pam"),
                QCoreApplication::applicationDirPath() + QStringLiteral("/lockkeeper-pam"));
}

void TestAuthenticator::init()
{
    m_login.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_clock = std::make_unique<tests::FakeClock>();
    m_login = std::make_unique<Authenticator>(*m_clock);
    m_tls = {};
    m_tls.users = m_folder->filePath(QStringLiteral("users.toml"));
    QVERIFY(writeUsers(m_tls.users, m_users));
    QVERIFY(m_login->configure(m_tls));
}

void TestAuthenticator::verdicts_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QByteArray>("password");
    QTest::addColumn<bool>("right");
    QTest::newRow("right") << "alice" << QByteArray("secret") << true;
    QTest::newRow("wrong password") << "alice" << QByteArray("Secret") << false;
    QTest::newRow("another's password") << "alice" << QByteArray("hidden") << false;
    QTest::newRow("no such user") << "carol" << QByteArray("secret") << false;
    QTest::newRow("disabled") << "bob" << QByteArray("hidden") << false;
    QTest::newRow("no name") << "" << QByteArray("secret") << false;
    QTest::newRow("another case") << "Alice" << QByteArray("secret") << false;
    QTest::newRow("empty password") << "alice" << QByteArray() << false;
    QTest::newRow("1 MiB name") << QString(1 << 20, QLatin1Char('a')) << QByteArray("secret") << false;
    QTest::newRow("1 MiB password") << "alice" << QByteArray(1 << 20, 'x') << false;
}

void TestAuthenticator::verdicts()
{
    QFETCH(QString, user);
    QFETCH(QByteArray, password);
    QFETCH(bool, right);
    const auto verdict = verify(user, password);
    QVERIFY(verdict);
    QCOMPARE(verdict->has_value(), right);
    if (!right)
        QCOMPARE(verdict->error().code, ErrorCode::Authentication);
}

void TestAuthenticator::verdictComesLater()
{
    bool told = false;
    auto *asker = new QObject(this);
    m_login->verify(QStringLiteral("alice"), "secret", {}, asker, [&](const auto &) { told = true; });
    m_login->verify({}, {}, {}, asker, [&](const auto &) { told = true; });
    QVERIFY(!told);
    delete asker;
    QVERIFY(mayLogIn(QStringLiteral("alice"), "secret"));
    QVERIFY2(!told, "nobody is there to be told");
}

void TestAuthenticator::changesCountAtOnce()
{
    const auto alice = [this](Identity::LoginWay way = Identity::LoginWay::Password) {
        const QString name = QStringLiteral("alice");
        return Identity{way, name, {}, m_login->accountOf(name)};
    };
    const Identity first = alice();
    const Identity local{Identity::LoginWay::Local, QStringLiteral("alice"), {}};
    QVERIFY(m_login->mayStand(first));
    QList<User> users = m_users;
    users[0].password = *hashPassword("another");
    QVERIFY(writeUsers(m_tls.users, users));
    QVERIFY(!mayLogIn(QStringLiteral("alice"), "secret"));
    QVERIFY(mayLogIn(QStringLiteral("alice"), "another"));
    QVERIFY2(!m_login->mayStand(first), "a new password ends the sessions of the old one");
    const Identity second = alice();
    const Identity byCertificate = alice(Identity::LoginWay::Certificate);
    QVERIFY(m_login->mayStand(second) && m_login->mayStand(byCertificate));
    users[0].changedUs = 1; // disabled and enabled, or removed and added, before the agent looked
    QVERIFY(writeUsers(m_tls.users, users));
    QTRY_VERIFY(!m_login->mayStand(second)); // by itself
    QVERIFY(!m_login->mayStand(byCertificate));
    users[0].disabled = true;
    QVERIFY(writeUsers(m_tls.users, users));
    QTRY_VERIFY(!m_login->mayStand(alice()));
    QVERIFY2(!m_login->mayStand(alice(Identity::LoginWay::Certificate)),
             "who is disabled is so by any way over TLS");
    QVERIFY(m_login->mayStand(local));
    QVERIFY(!mayLogIn(QStringLiteral("alice"), "another"));
    QVERIFY(writeUsers(m_tls.users, {}));
    // A certificate needs no password here.
    QTRY_VERIFY(m_login->mayStand(alice(Identity::LoginWay::Certificate)));
    QVERIFY(!m_login->mayStand(alice()));
}

void TestAuthenticator::passwordsThatAreNoLongerTakenEndSessions()
{
    int changes = 0;
    connect(m_login.get(), &Authenticator::changed, this, [&changes] { ++changes; });
    m_tls.login = agent::config::TlsSettings::LoginMethod::Certificate;
    QVERIFY(m_login->configure(m_tls));
    QCOMPARE(changes, 1); // sessions are checked again
    QVERIFY(!m_login->mayStand({Identity::LoginWay::Password, QStringLiteral("alice"), {}}));
    QVERIFY(m_login->mayStand({Identity::LoginWay::Certificate,
                               QStringLiteral("alice"),
                               {},
                               m_login->accountOf(QStringLiteral("alice"))}));
    QVERIFY(m_login->mayStand({Identity::LoginWay::Local, QStringLiteral("alice"), {}}));
    QCOMPARE(m_login->wayOfPasswords(), Identity::LoginWay::Password);
    m_tls.login = agent::config::TlsSettings::LoginMethod::Pam; // which may know no alice
    QVERIFY(m_login->configure(m_tls));
    QVERIFY(!m_login->mayStand({Identity::LoginWay::Password, QStringLiteral("alice"), {}}));
    QCOMPARE(m_login->wayOfPasswords(), Identity::LoginWay::Pam);
    QVERIFY(m_login->mayStand({Identity::LoginWay::Pam, QStringLiteral("alice"), {}}));
    m_tls.login = agent::config::TlsSettings::LoginMethod::Users;
    QVERIFY(m_login->configure(m_tls));
    QVERIFY(!m_login->mayStand({Identity::LoginWay::Pam, QStringLiteral("alice"), {}}));
}

void TestAuthenticator::brokenFileLetsNobodyIn()
{
    const Identity alice{Identity::LoginWay::Password,
                         QStringLiteral("alice"),
                         {},
                         m_login->accountOf(QStringLiteral("alice"))};
    QFile file(m_tls.users);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("[[user]]\n");
    file.close();
    QVERIFY(!mayLogIn(QStringLiteral("alice"), "secret"));
    QVERIFY2(m_login->mayStand(alice), "who is in stays: nothing says that they may not");
    QVERIFY(writeUsers(m_tls.users, m_users));
    QVERIFY(mayLogIn(QStringLiteral("alice"), "secret"));
}

/** Scaled down from 10,000 guesses: the limit is the same. */
void TestAuthenticator::failuresAreLimited()
{
    LoginLimits limits;
    int taken = 0;
    for (int guess = 0; guess < 10'000; ++guess) { // one in 0.36 s, each from another machine
        const QString machine = QStringLiteral("10.%1.%2.1").arg(guess / 250).arg(guess % 250);
        const QString name = guess % 2 == 0 ? QStringLiteral("alice") : QStringLiteral("aLice"); // one to PAM
        if (limits.mayTry(name, machine, m_clock->monotonicUs())) {
            limits.failed(name, machine, m_clock->monotonicUs());
            ++taken;
        }
        m_clock->advanceUs(360'000);
    }
    QVERIFY2(taken <= 100, qPrintable(QString::number(taken)));
    QVERIFY2(taken >= 90, "it is let in again little by little");
    QVERIFY(limits.mayTry(QStringLiteral("bob"), QStringLiteral("10.99.0.1"), m_clock->monotonicUs()));
}

void TestAuthenticator::machinesAreLimited()
{
    LoginLimits limits;
    int taken = 0;
    for (int guess = 0; guess < 1'000; ++guess) {
        const QString user = QStringLiteral("user%1").arg(guess);
        const QString machine = QStringLiteral("2001:db8:1:2::%1").arg(guess, 0, 16);
        if (limits.mayTry(user, machine, 0)) {
            limits.failed(user, machine, 0);
            ++taken;
        }
    }
    QCOMPARE(taken, 20); // all of one network
    QVERIFY(limits.mayTry(QStringLiteral("user1"), QStringLiteral("2001:db8:1:3::1"), 0));
}

void TestAuthenticator::successIsNoFailure()
{
    LoginLimits limits;
    for (int i = 0; i < 1'000; ++i) {
        QVERIFY(limits.mayTry(QStringLiteral("alice"), QStringLiteral("::1"), 0));
        limits.failed(QStringLiteral("alice"), QStringLiteral("::1"), 0);
        limits.succeeded(QStringLiteral("alice"), QStringLiteral("::1"));
    }
}

void TestAuthenticator::bucketsAreBounded()
{
    LoginLimits limits;
    for (int i = 0; i < 20; ++i)
        limits.failed(QStringLiteral("alice"), QStringLiteral("10.0.0.1"), 0);
    for (int i = 0; i < 6'000; ++i)
        limits.failed(QStringLiteral("u%1").arg(i), QStringLiteral("10.1.%1.%2").arg(i / 250).arg(i % 250),
                      i);
    QVERIFY(limits.size() <= 10'000);
    QVERIFY2(!limits.mayTry(QStringLiteral("alice"), QStringLiteral("10.9.9.9"), 6'000),
             "a crowd of others doesn't wash the failures of one away");
}

void TestAuthenticator::onlySoManyWait()
{
    int refused = 0;
    int told = 0;
    for (int i = 0; i < 200; ++i)
        m_login->verify(QStringLiteral("user%1").arg(i), "x", QStringLiteral("10.0.%1.1").arg(i), this,
                        [&](const base::Result<void> &verdict) {
                            ++told;
                            refused += verdict.error().cause.contains(QLatin1String("at once"));
                        });
    QTRY_COMPARE_WITH_TIMEOUT(told, 200, 60'000);
    QCOMPARE(refused, 200 - 32);
}

/**
 * Consoles behind one address that all come back after a restart: a console that must wait may retry.
 */
void TestAuthenticator::aCrowdHasNotFailed()
{
    int in = 0;
    int asked = 0;
    const auto knock = [&](const auto &again) -> void {
        ++asked;
        m_login->verify(QStringLiteral("alice"), "secret", QStringLiteral("10.0.0.7"), this,
                        [&, again](const base::Result<void> &verdict) {
                            if (verdict)
                                ++in;
                            else if (verdict.error().code == ErrorCode::Busy)
                                QTimer::singleShot(20, this, [&, again] { again(again); });
                        });
    };
    for (int i = 0; i < 30; ++i)
        knock(knock);
    QTRY_COMPARE_WITH_TIMEOUT(in, 30, 60'000);
    QVERIFY(asked > 30);
}

void TestAuthenticator::byPam_data()
{
    QTest::addColumn<QByteArray>("rules");
    QTest::addColumn<bool>("right");
    QTest::newRow("permit") << QByteArray("auth required pam_permit.so\naccount required pam_permit.so\n")
                            << true;
    QTest::newRow("deny") << QByteArray("auth required pam_deny.so\naccount required pam_permit.so\n")
                          << false;
    QTest::newRow("locked account") << QByteArray(
                                           "auth required pam_permit.so\naccount required pam_deny.so\n")
                                    << false;
    QTest::newRow("no such module") << QByteArray(
                                           "auth required pam_none.so\naccount required pam_permit.so\n")
                                    << false;
    QTest::newRow("another word")
        << QByteArray("auth required pam_exec.so expose_authtok quiet /bin/grep -qx other\n"
                      "account required pam_permit.so\n")
        << false;
    QTest::newRow("the very word")
        << QByteArray("auth required pam_exec.so expose_authtok quiet /bin/grep -qx word\n"
                      "account required pam_permit.so\n")
        << true;
    QTest::newRow("no such service") << QByteArray() << false;
}

void TestAuthenticator::byPam()
{
    QFETCH(QByteArray, rules);
    QFETCH(bool, right);
    m_tls.login = agent::config::TlsSettings::LoginMethod::Pam;
    m_tls.pamService = m_folder->filePath(QStringLiteral("lockkeeper"));
    if (!rules.isEmpty()) {
        QFile file(m_tls.pamService);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(rules);
    }
    QVERIFY(m_login->configure(m_tls));
    QCOMPARE(mayLogIn(QStringLiteral("nobody"), "word"), right);
}

void TestAuthenticator::hangingPamIsARefusal()
{
    m_tls.login = agent::config::TlsSettings::LoginMethod::Pam;
    m_tls.pamService = m_folder->filePath(QStringLiteral("lockkeeper"));
    QFile file(m_tls.pamService);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("auth required pam_exec.so quiet /bin/sleep 60\naccount required pam_permit.so\n");
    file.close();
    QVERIFY(m_login->configure(m_tls));
    const auto verdict = verify(QStringLiteral("nobody"), "word");
    QVERIFY(verdict);
    QVERIFY(!*verdict);
}

LOCKKEEPER_TEST(TestAuthenticator)

} // namespace tst_authenticator

#include "tst_authenticator.moc"
