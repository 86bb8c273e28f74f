// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/certificate_maker.h"
#include "agent/login/certificate_user.h"
#include "agent/login/server_certificate.h"
#include "shared/transport/fingerprint.h"
#include "tests/support/certificates.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSslCertificate>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

namespace tst_server_certificate {

using namespace lockkeeper;
using namespace lockkeeper::agent;
using namespace lockkeeper::agent::login;
using base::ErrorCode;

class TestServerCertificate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void made();
    void neverReplaced();
    void hostsAreNames();
    void refused_data();
    void refused();
    void changeIsTaken();
    void brokenChangeIsNot();
    void users_data();
    void users();

private:
    agent::config::TlsSettings pair(const QString &certificate, const QString &key) const
    {
        agent::config::TlsSettings tls;
        tls.certificate = m_certificates.certificate(certificate);
        tls.key = m_certificates.key(key);
        return tls;
    }
    static void copy(const QString &from, const QString &to)
    {
        QFile::remove(to);
        QVERIFY(QFile::copy(from, to));
        QVERIFY(QFile::setPermissions(to, QFile::ReadOwner | QFile::WriteOwner));
    }

    tests::Certificates m_certificates;
};

void TestServerCertificate::initTestCase()
{
    QVERIFY(m_certificates.makeSelfSigned(QStringLiteral("one"), QStringLiteral("DNS:one")));
    QVERIFY(m_certificates.makeSelfSigned(QStringLiteral("two"), QStringLiteral("DNS:two")));
}

void TestServerCertificate::made()
{
    const QTemporaryDir folder;
    agent::config::TlsSettings tls;
    tls.certificate = folder.filePath(QStringLiteral("data/agent.crt"));
    tls.key = folder.filePath(QStringLiteral("data/agent.key"));
    const QStringList hosts{QStringLiteral("db1.example.org"), QStringLiteral("10.0.0.7"),
                            QStringLiteral("::1")};
    const auto fingerprint = makeCertificate(tls, hosts);
    QVERIFY2(fingerprint, fingerprint ? "" : qPrintable(fingerprint.error().line()));
    QCOMPARE(*fingerprint, *fingerprintOfServer(tls));
    struct stat info = {};
    QCOMPARE(::stat(qPrintable(tls.key), &info), 0);
    QCOMPARE(info.st_mode & 07777, mode_t(0600));
    const QSslCertificate certificate = QSslCertificate::fromPath(tls.certificate).constFirst();
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QVERIFY2(certificate.effectiveDate() < now.addDays(-1), "good for clients whose clock is a day behind");
    QVERIFY(certificate.expiryDate() > now.addYears(9));
    QCOMPARE(certificate.subjectAlternativeNames().values(QSsl::DnsEntry), hosts.mid(0, 1));
    QCOMPARE(certificate.subjectAlternativeNames().values(QSsl::IpAddressEntry).size(), 2);
    QVERIFY(serverConfiguration(tls));
    QProcess openssl; // as another tool prints it
    openssl.start(QStringLiteral("openssl"),
                  {QStringLiteral("x509"), QStringLiteral("-noout"), QStringLiteral("-fingerprint"),
                   QStringLiteral("-sha256"), QStringLiteral("-in"), tls.certificate});
    QVERIFY(openssl.waitForFinished());
    const QString printed = QString::fromLatin1(openssl.readAll()).section(QLatin1Char('='), 1).trimmed();
    QCOMPARE(transport::fingerprintText(*transport::parseFingerprint(printed)), *fingerprint);
}

void TestServerCertificate::neverReplaced()
{
    const QTemporaryDir folder;
    agent::config::TlsSettings tls;
    tls.certificate = folder.filePath(QStringLiteral("agent.crt"));
    tls.key = folder.filePath(QStringLiteral("agent.key"));
    const QStringList hosts{QStringLiteral("db1")};
    const auto first = makeCertificate(tls, hosts);
    QVERIFY(first);
    QVERIFY(!makeCertificate(tls, hosts));
    QVERIFY(QFile::remove(tls.certificate));
    const auto second = makeCertificate(tls, hosts);
    QVERIFY2(!second, "the key alone is kept as well");
    QCOMPARE(second.error().code, ErrorCode::Storage);
    QVERIFY(!QFile::exists(tls.certificate));
}

void TestServerCertificate::hostsAreNames()
{
    const QTemporaryDir folder;
    agent::config::TlsSettings tls;
    tls.certificate = folder.filePath(QStringLiteral("agent.crt"));
    tls.key = folder.filePath(QStringLiteral("agent.key"));
    for (const char *host : {"", "a,DNS:b", "a b", "a\nb"})
        QVERIFY(!makeCertificate(tls, {QString::fromLatin1(host)}));
    QVERIFY(!QFile::exists(tls.key));
}

void TestServerCertificate::refused_data()
{
    QTest::addColumn<QString>("certificate");
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("mode");
    QTest::addColumn<QString>("cause");
    QTest::newRow("good") << "one"
                          << "one" << 0600 << "";
    QTest::newRow("read by a group") << "one"
                                     << "one" << 0640 << "";
    QTest::newRow("open to others") << "one"
                                    << "one" << 0644 << "open to others";
    QTest::newRow("written by a group") << "one"
                                        << "one" << 0660 << "open to others";
    QTest::newRow("another's key") << "one"
                                   << "two" << 0600 << "isn't the private key";
    QTest::newRow("no certificate") << "none"
                                    << "one" << 0600 << "[tls] certificate";
    QTest::newRow("no key") << "one"
                            << "none" << 0600 << "[tls] key";
}

void TestServerCertificate::refused()
{
    QFETCH(QString, certificate);
    QFETCH(QString, key);
    QFETCH(int, mode);
    QFETCH(QString, cause);
    const agent::config::TlsSettings tls = pair(certificate, key);
    ::chmod(qPrintable(tls.key), mode_t(mode));
    const auto read = serverConfiguration(tls);
    QCOMPARE(read.has_value(), cause.isEmpty());
    if (!read) {
        QVERIFY2(read.error().cause.contains(cause), qPrintable(read.error().line()));
        QVERIFY(!read.error().remedy.isEmpty());
    }
    ::chmod(qPrintable(tls.key), 0600);
}

void TestServerCertificate::changeIsTaken()
{
    const QTemporaryDir folder;
    agent::config::TlsSettings tls;
    tls.certificate = folder.filePath(QStringLiteral("agent.crt"));
    tls.key = folder.filePath(QStringLiteral("agent.key"));
    copy(m_certificates.certificate(QStringLiteral("one")), tls.certificate);
    copy(m_certificates.key(QStringLiteral("one")), tls.key);
    ServerCertificate certificate;
    QVERIFY(certificate.configure(tls));
    const auto shown = [&] { return certificate.configuration().localCertificate(); };
    const QSslCertificate first = shown();
    copy(m_certificates.key(QStringLiteral("two")), tls.key);
    copy(m_certificates.certificate(QStringLiteral("two")), tls.certificate);
    QTRY_VERIFY(shown() != first);
}

void TestServerCertificate::brokenChangeIsNot()
{
    const QTemporaryDir folder;
    agent::config::TlsSettings tls;
    tls.certificate = folder.filePath(QStringLiteral("agent.crt"));
    tls.key = folder.filePath(QStringLiteral("agent.key"));
    copy(m_certificates.certificate(QStringLiteral("one")), tls.certificate);
    copy(m_certificates.key(QStringLiteral("one")), tls.key);
    ServerCertificate certificate;
    QVERIFY(certificate.configure(tls));
    const QSslCertificate first = certificate.configuration().localCertificate();
    copy(m_certificates.certificate(QStringLiteral("two")), tls.certificate);
    QVERIFY(!certificate.configure(tls));
    static int told = 0;
    const QtMessageHandler before =
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &line) {
            told += line.contains(QLatin1String("the previous certificate stays"));
        });
    const bool seen = QTest::qWaitFor([] { return told > 0; }, 10'000);
    qInstallMessageHandler(before);
    QVERIFY(seen);
    QCOMPARE(certificate.configuration().localCertificate(), first);
    copy(m_certificates.key(QStringLiteral("two")), tls.key); // now they belong together
    QTRY_VERIFY(certificate.configuration().localCertificate() != first);
}

void TestServerCertificate::users_data()
{
    QTest::addColumn<QString>("subject");
    QTest::addColumn<QString>("alternative");
    QTest::addColumn<QString>("user");
    QTest::newRow("common name") << "/CN=alice"
                                 << "DNS:other"
                                 << "alice";
    QTest::newRow("e-mail") << "/O=x"
                            << "DNS:host,email:alice@example.org"
                            << "alice@example.org";
    QTest::newRow("DNS name") << "/O=x"
                              << "DNS:alice"
                              << "alice";
    QTest::newRow("URI") << "/O=x"
                         << "URI:spiffe://example.org/ns/ops/alice"
                         << "alice";
    QTest::newRow("a blank") << "/CN=Alice Liddell"
                             << "email:alice@example.org"
                             << "";
    QTest::newRow("nobody") << "/O=x"
                            << "IP:10.0.0.7"
                            << "";
}

void TestServerCertificate::users()
{
    QFETCH(QString, subject);
    QFETCH(QString, alternative);
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("c.pem"));
    QProcess openssl;
    openssl.start(QStringLiteral("openssl"),
                  {QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-subj"), subject,
                   QStringLiteral("-addext"), QStringLiteral("subjectAltName=") + alternative,
                   QStringLiteral("-newkey"), QStringLiteral("ec"), QStringLiteral("-pkeyopt"),
                   QStringLiteral("ec_paramgen_curve:prime256v1"), QStringLiteral("-nodes"),
                   QStringLiteral("-keyout"), QStringLiteral("/dev/null"), QStringLiteral("-out"), file});
    QVERIFY(openssl.waitForFinished() && openssl.exitCode() == 0);
    QTEST(userOf(QSslCertificate::fromPath(file).value(0)), "user");
}

LOCKKEEPER_TEST(TestServerCertificate)

} // namespace tst_server_certificate

#include "tst_server_certificate.moc"
