// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/connect/keychain.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace tst_keychain {

using namespace lockkeeper;
using app::views::Keychain;

/** Runs against a real service: GNOME's keyring on a private bus. */
class TestKeychain : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void keepsWhatItIsGiven_data();
    void keepsWhatItIsGiven();
    void anAddressHasItsOwn();
    void tellsThatItHasNothing();

private:
    QTemporaryDir m_folder;
    QProcess m_bus;
    QProcess m_keyring;
};

namespace {

/** The stored login; the outer optional is empty without an answer. */
std::optional<std::optional<protocol::Login>> kept(const QString &address)
{
    std::optional<std::optional<protocol::Login>> answer;
    QObject context;
    Keychain::read(address, &context, [&answer](const auto &login) { answer = login; });
    (void)QTest::qWaitFor([&answer] { return answer.has_value(); }, 20'000);
    return answer;
}

bool keeps(const QString &address, const protocol::Login &login)
{
    return QTest::qWaitFor(
        [&] {
            const auto answer = kept(address);
            return answer && *answer == login;
        },
        20'000);
}

} // namespace

void TestKeychain::initTestCase()
{
    const QString bus = QStandardPaths::findExecutable(QStringLiteral("dbus-daemon"));
    const QString keyring = QStandardPaths::findExecutable(QStringLiteral("gnome-keyring-daemon"));
    if (!Keychain::isAvailable() || bus.isEmpty() || keyring.isEmpty())
        QSKIP("needs dbus-daemon, gnome-keyring-daemon and a build with QtKeychain");
    m_bus.start(bus,
                {QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--print-address"),
                 QStringLiteral("--address=unix:path=%1").arg(m_folder.filePath(QStringLiteral("bus")))});
    QVERIFY(m_bus.waitForReadyRead(10'000));
    qputenv("DBUS_SESSION_BUS_ADDRESS", m_bus.readLine().trimmed());
    qputenv("XDG_CURRENT_DESKTOP", "GNOME");
    for (const char *name : {"HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"})
        qputenv(name, m_folder.path().toUtf8());
    m_keyring.start(keyring, {QStringLiteral("--foreground"), QStringLiteral("--unlock"),
                              QStringLiteral("--components=secrets")});
    QVERIFY(m_keyring.waitForStarted());
    m_keyring.write("pw");
    m_keyring.closeWriteChannel();
}

void TestKeychain::cleanupTestCase()
{
    for (QProcess *process : {&m_keyring, &m_bus}) {
        process->terminate();
        if (process->state() != QProcess::NotRunning)
            QVERIFY(process->waitForFinished(10'000));
    }
}

void TestKeychain::keepsWhatItIsGiven_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QByteArray>("password");
    const auto row = [](const char *name, const QString &user, const QByteArray &password) {
        QTest::newRow(name) << user << password;
    };
    row("plain", QStringLiteral("alice"), "wonderland");
    row("not UTF-8, with a NUL and line ends", QStringLiteral("alice"), QByteArray("\xff\xfe\0 a\nb\r\n", 9));
    row("in another script", QStringLiteral("爱丽丝"), QByteArray("密码 é"));
    row("empty", QStringLiteral("alice"), "");
    row("long", QStringLiteral("bob"), QByteArray(1'000, 'x'));
}

/** Each login replaces the previous login. */
void TestKeychain::keepsWhatItIsGiven()
{
    QFETCH(QString, user);
    QFETCH(QByteArray, password);
    const QString address = QStringLiteral("tls://agent.example:7420");
    Keychain::write(address, {user, password});
    QVERIFY(keeps(address, {user, password}));
}

void TestKeychain::anAddressHasItsOwn()
{
    const QString one = QStringLiteral("tls://one.example:7420");
    const QString two = QStringLiteral("tls://two.example:7420");
    Keychain::write(one, {QStringLiteral("a"), "1"});
    Keychain::write(two, {QStringLiteral("b"), "2"});
    QVERIFY(keeps(one, {QStringLiteral("a"), "1"}));
    QVERIFY(keeps(two, {QStringLiteral("b"), "2"}));
}

/** If the address isn't known, or the desktop has lost its keychain, the keychain returns no login. */
void TestKeychain::tellsThatItHasNothing()
{
    const auto unknown = kept(QStringLiteral("tls://unknown.example:7420"));
    QVERIFY(unknown && !*unknown);
    m_keyring.kill();
    QVERIFY(m_keyring.waitForFinished(10'000));
    const auto gone = kept(QStringLiteral("tls://one.example:7420"));
    QVERIFY(gone && !*gone);
}

LOCKKEEPER_TEST(TestKeychain)

} // namespace tst_keychain

#include "tst_keychain.moc"
