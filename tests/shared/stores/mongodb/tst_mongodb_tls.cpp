// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_client.h"
#include "shared/stores/mongodb/store/mongo_store.h"
#include "tests/support/certificates.h"
#include "tests/support/mongod_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QUrlQuery>

namespace tst_mongodb_tls {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::mongodb;
using namespace lockkeeper::tests;
using base::ErrorCode;
using domain::Outcome;

/** TLS and logins by certificate, at a real mongod that takes nothing else. */
class TestMongodbTls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aCertificateLogsIn();
    void whoIsntLetInIsToldWhy_data();
    void whoIsntLetInIsToldWhy();

private:
    /** Certificate and key in one file, as MongoDB's driver and server want it. */
    QString both(const QString &name) const
    {
        QFile certificate(m_certificates.certificate(name));
        QFile key(m_certificates.key(name));
        QFile file(certificate.fileName() + QStringLiteral(".both"));
        if (!certificate.open(QFile::ReadOnly) || !key.open(QFile::ReadOnly) || !file.open(QFile::WriteOnly))
            return {};
        file.write(certificate.readAll() + key.readAll());
        return file.fileName();
    }
    SourceSpec spec(const QString &authority, const QString &certificate) const
    {
        SourceSpec spec;
        spec.name = QStringLiteral("s");
        spec.url = m_server.url();
        spec.connectTimeoutMs = 2'000;
        if (!authority.isEmpty())
            spec.tls.insert(QStringLiteral("ca"), m_certificates.certificate(authority));
        if (!certificate.isEmpty())
            spec.tls.insert(QStringLiteral("cert"), both(certificate));
        LockSet set;
        set.scheme = "mongodb.ttl";
        set.table.table = QStringLiteral("locks");
        spec.locks = {set};
        return spec;
    }
    static QUrl byCertificate(QUrl url)
    {
        url.setQuery(QStringLiteral("authMechanism=MONGODB-X509&authSource=$external"));
        return url;
    }

    Certificates m_certificates;
    MongodServer m_server;
};

void TestMongodbTls::initTestCase()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
    const QString here = QStringLiteral("IP:127.0.0.1");
    for (const char *name : {"ca", "other"})
        QVERIFY(m_certificates.makeAuthority(QLatin1String(name)));
    for (const char *name : {"server", "agent", "stranger"})
        QVERIFY(m_certificates.make(QLatin1String(name), QStringLiteral("ca"), here));
    QVERIFY(m_server.start(false, {QStringLiteral("--auth"), QStringLiteral("--tlsMode"),
                                   QStringLiteral("preferTLS"), QStringLiteral("--tlsCertificateKeyFile"),
                                   both(QStringLiteral("server")), QStringLiteral("--tlsCAFile"),
                                   m_certificates.certificate(QStringLiteral("ca")),
                                   QStringLiteral("--tlsAllowConnectionsWithoutCertificates")}));
    {
        const DocumentClient first(m_server.url()); // a local one is let in until there is a user
        QVERIFY(!first.run(R"({"createUser": "root", "pwd": "r", "roles": ["root"]})", "admin").isEmpty());
    }
    QUrl url = m_server.url(QStringLiteral("root"));
    url.setPassword(QStringLiteral("r"));
    url.setQuery(QStringLiteral("authSource=admin"));
    const DocumentClient root(url);
    QVERIFY(
        !root.run(R"({"createUser": "CN=agent", "roles": [{"role": "readWrite", "db": "app"}]})", "$external")
             .isEmpty());
    QVERIFY(root.insert("locks", R"({"_id": "a", "acquirer": "h1"})"));
    QVERIFY(!root.run(R"({"setParameter": 1, "tlsMode": "requireTLS"})", "admin").isEmpty());
}

void TestMongodbTls::aCertificateLogsIn()
{
    SourceSpec with = spec(QStringLiteral("ca"), QStringLiteral("agent"));
    with.url = byCertificate(with.url);
    StoreHarness store(std::make_unique<MongoStore>(with, QList<Layout>{*layoutOf(with.locks.first())}));
    QVERIFY2(store.open(), store.m_failures.isEmpty() ? "" : qPrintable(store.m_failures.constLast().line()));
    for (const domain::Access &access : std::as_const(store.m_info.access))
        QVERIFY2(access.granted, access.need.constData());
    QVERIFY(store.scan() && store.find("a"));
    QCOMPARE(store.release(orderFor(store.inspect("a"))).outcome, Outcome::Released);
}

void TestMongodbTls::whoIsntLetInIsToldWhy_data()
{
    QTest::addColumn<QString>("authority");
    QTest::addColumn<QString>("certificate");
    QTest::addColumn<QString>("user");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, const char *authority, const char *certificate, const char *user,
                        ErrorCode code, const char *words) {
        QTest::newRow(name) << QString::fromLatin1(authority) << QString::fromLatin1(certificate)
                            << QString::fromLatin1(user) << int(code) << QString::fromLatin1(words);
    };
    row("without TLS", "", "", "root", ErrorCode::Unreachable, "tls");
    row("another authority", "other", "", "root", ErrorCode::Unreachable, "certificate");
    row("a wrong password", "ca", "", "root", ErrorCode::Authentication, "password");
    row("a certificate that is nobody's", "ca", "stranger", "", ErrorCode::Authentication,
        "refused the login");
    row("a login by certificate without one", "ca", "", "", ErrorCode::Authentication, "refused the login");
}

void TestMongodbTls::whoIsntLetInIsToldWhy()
{
    QFETCH(const QString, authority);
    QFETCH(const QString, certificate);
    QFETCH(const QString, user);
    QFETCH(const int, code);
    QFETCH(const QString, words);
    SourceSpec with = spec(authority, certificate);
    if (user.isEmpty()) {
        with.url = byCertificate(with.url);
    } else {
        with.url = m_server.url(user);
        with.url.setQuery(QStringLiteral("authSource=admin"));
        with.password = "wr0ng";
    }
    StoreHarness store(std::make_unique<MongoStore>(with, QList<Layout>{*layoutOf(with.locks.first())}));
    QVERIFY(!store.open());
    const base::Error error = store.m_failures.constLast();
    qInfo().noquote() << error.line() << "|" << error.remedy;
    QCOMPARE(int(error.code), code);
    const QString said = error.line() + QLatin1Char('\n') + error.remedy;
    QVERIFY2(said.contains(words), qPrintable(said));
    QVERIFY(!error.line().contains(QLatin1String("wr0ng")));
}

LOCKKEEPER_TEST(TestMongodbTls)

} // namespace tst_mongodb_tls

#include "tst_mongodb_tls.moc"
