// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/connections/connection.h"
#include "app/connections/known_agents.h"
#include "shared/transport/fingerprint.h"
#include "tests/support/certificates.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace tst_known_agents {

using namespace lockkeeper;
using namespace lockkeeper::app::connections;
using base::ErrorCode;

/** The fingerprints of known agents over TLS, and the credentials of a connection to an agent. */
class TestKnownAgents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void nobodyIsKnownWithoutAFile();
    void trustedIsKnown();
    void trustReplacesAndKeepsOthers();
    void mistakesNameTheirLine_data();
    void mistakesNameTheirLine();
    void connectionTakesAllTogether();
    void whatIsGivenCountsMore();
    void loginIsRefusedElsewhere_data();
    void loginIsRefusedElsewhere();
    void badFilesAreTold();

private:
    transport::Address address(const char *text) const
    {
        return *transport::parseAddress(QString::fromLatin1(text), QStringLiteral("/"));
    }
    void write(const QString &path, const QByteArray &text)
    {
        QVERIFY(QDir().mkpath(QFileInfo(path).absolutePath()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    tests::Certificates m_certificates;
    QString m_file;
};

void TestKnownAgents::initTestCase()
{
    QVERIFY(m_certificates.makeSelfSigned(QStringLiteral("ann"), QStringLiteral("DNS:ann")));
    QVERIFY(m_certificates.makeSelfSigned(QStringLiteral("bob"), QStringLiteral("DNS:bob")));
}

void TestKnownAgents::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CONFIG_HOME", m_folder->path().toUtf8());
    m_file = KnownAgents::defaultFile();
    QVERIFY(m_file.startsWith(m_folder->path()));
}

void TestKnownAgents::nobodyIsKnownWithoutAFile()
{
    const auto known = KnownAgents::fingerprintAt(address("tls://db1"), m_file);
    QVERIFY(known);
    QVERIFY(known->isEmpty());
}

void TestKnownAgents::trustedIsKnown()
{
    const QByteArray fingerprint(32, '\x5a');
    QVERIFY(KnownAgents::trust(address("tls://db1"), fingerprint, m_file)); // the folder doesn't exist yet
    QCOMPARE(*KnownAgents::fingerprintAt(address("tls://db1:7420"), m_file), fingerprint);
    QVERIFY(KnownAgents::fingerprintAt(address("tls://db1:7421"), m_file)->isEmpty());
    QVERIFY(KnownAgents::fingerprintAt(address("tls://db2"), m_file)->isEmpty());
}

void TestKnownAgents::trustReplacesAndKeepsOthers()
{
    const QByteArray first(32, '\x01');
    const QByteArray second(32, '\x02');
    QVERIFY(KnownAgents::trust(address("tls://db1"), first, m_file));
    QVERIFY(KnownAgents::trust(address("tls://[::1]"), first, m_file));
    QVERIFY(KnownAgents::trust(address("tls://db1"), second, m_file));
    QCOMPARE(*KnownAgents::fingerprintAt(address("tls://db1"), m_file), second);
    QCOMPARE(*KnownAgents::fingerprintAt(address("tls://[::1]"), m_file), first);
}

void TestKnownAgents::mistakesNameTheirLine_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::newRow("no fingerprint") << QByteArray("tls://db1:7420\n") << 1;
    QTest::newRow("cut") << QByteArray("# known\ntls://db1:7420 SHA256:abc\n") << 2;
    QTest::newRow("three words") << QByteArray("tls://db1:7420 SHA256:abc x\n") << 1;
}

void TestKnownAgents::mistakesNameTheirLine()
{
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    write(m_file, text);
    const auto known = KnownAgents::fingerprintAt(address("tls://other"), m_file);
    QVERIFY(!known);
    QVERIFY2(known.error().cause.contains(QStringLiteral("known_agents:%1:").arg(line)),
             qPrintable(known.error().line()));
    QVERIFY2(!KnownAgents::trust(address("tls://db1"), QByteArray(32, 'a'), m_file), "nothing is lost by it");
}

void TestKnownAgents::connectionTakesAllTogether()
{
    write(SavedAgents::defaultFile(),
          "[[agent]]\nname = \"dc1\"\naddress = \"tls://db1\"\nuser = \"ann\"\npassword = \"file:secret\"\n"
          "certificate = \"ann.pem\"\nkey = \"ann.key\"\nca = \"ann.pem\"\n");
    const QDir folder = QFileInfo(SavedAgents::defaultFile()).dir();
    QVERIFY(QFile::copy(m_certificates.certificate(QStringLiteral("ann")),
                        folder.filePath(QStringLiteral("ann.pem"))));
    QVERIFY(
        QFile::copy(m_certificates.key(QStringLiteral("ann")), folder.filePath(QStringLiteral("ann.key"))));
    write(folder.filePath(QStringLiteral("secret")), "pass word\n");
    QVERIFY(KnownAgents::trust(address("tls://db1"), QByteArray(32, 'a'), m_file));
    const QTemporaryDir elsewhere;
    write(elsewhere.filePath(QStringLiteral("secret")), "typed\n");
    const auto connection = resolveConnection(QStringLiteral("dc1"), elsewhere.path());
    QVERIFY2(connection, connection ? "" : qPrintable(connection.error().line()));
    QCOMPARE(connection->address, address("tls://db1:7420"));
    QCOMPARE(connection->user, QStringLiteral("ann"));
    QCOMPARE(connection->password, QByteArray("pass word"));
    QCOMPARE(connection->tls.pin, QByteArray(32, 'a'));
    QCOMPARE(connection->tls.ca.size(), 1);
    QCOMPARE(connection->tls.certificate.size(), 1);
    QVERIFY(!connection->tls.key.isNull());
    const auto typed = resolveConnection(QStringLiteral("dc1"), elsewhere.path(),
                                         {{}, QStringLiteral("file:secret"), {}, {}, {}});
    QVERIFY(typed);
    QCOMPARE(typed->password, QByteArray("typed"));
}

void TestKnownAgents::whatIsGivenCountsMore()
{
    write(SavedAgents::defaultFile(), "[[agent]]\nname = \"dc1\"\naddress = \"tls://db1\"\nuser = \"ann\"\n");
    const auto connection = resolveConnection(QStringLiteral("dc1"), QStringLiteral("/"),
                                              {QStringLiteral("bob"), {}, {}, {}, {}});
    QVERIFY(connection);
    QCOMPARE(connection->user, QStringLiteral("bob"));
    QVERIFY(!connection->login());
}

void TestKnownAgents::loginIsRefusedElsewhere_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("local") << "local:/a";
    QTest::newRow("ssh") << "ssh://db1";
}

void TestKnownAgents::loginIsRefusedElsewhere()
{
    QFETCH(QString, text);
    QVERIFY(resolveConnection(text, QStringLiteral("/")));
    const auto connection =
        resolveConnection(text, QStringLiteral("/"), {QStringLiteral("ann"), {}, {}, {}, {}});
    QVERIFY(!connection);
    QCOMPARE(connection.error().code, ErrorCode::Usage);
}

void TestKnownAgents::badFilesAreTold()
{
    const QString tls = QStringLiteral("tls://db1");
    const QString ann = m_certificates.certificate(QStringLiteral("ann"));
    const auto with = [&tls](const Credentials &given) {
        return resolveConnection(tls, QStringLiteral("/"), given);
    };
    QVERIFY(with({{}, {}, ann, m_certificates.key(QStringLiteral("ann")), {}}));
    QVERIFY2(!with({{}, {}, ann, {}, {}}), "there is no key in it");
    QVERIFY(!with({{}, {}, ann, QStringLiteral("/none"), {}}));
    QVERIFY(!with({{}, {}, {}, {}, QStringLiteral("/none")}));
    QVERIFY(!with({{}, {}, {}, {}, m_certificates.key(QStringLiteral("ann"))}));
    QVERIFY2(!with({QStringLiteral("ann"), QStringLiteral("hunter2"), {}, {}, {}}), "a password in clear");
}

LOCKKEEPER_TEST(TestKnownAgents)

} // namespace tst_known_agents

#include "tst_known_agents.moc"
