// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/etcd_stores.h"
#include "tests/support/certificates.h"
#include "tests/support/etcd_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_etcd_tls {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

/** etcds:// against real servers: which servers the store trusts, and how it reports untrusted servers. */
class TestEtcdTls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void whoIsTrusted_data();
    void whoIsTrusted();
    void aClientCertificate();
    void theWrongPort();

private:
    bool start(EtcdServer &etcd, const QString &certificate, bool clients = false) const
    {
        QStringList options{QStringLiteral("--cert-file"), m_files.certificate(certificate),
                            QStringLiteral("--key-file"), m_files.key(certificate)};
        if (clients)
            options += {QStringLiteral("--client-cert-auth"), QStringLiteral("--trusted-ca-file"),
                        m_files.certificate(QStringLiteral("ca"))};
        return etcd.start(options, {QStringLiteral("--insecure-skip-tls-verify")});
    }
    static SourceSpec specOf(const QUrl &url) { return sourceOf(url, "etcd.lease"); }

    Certificates m_files;
};

void TestEtcdTls::initTestCase()
{
    if (!EtcdServer::isInstalled())
        QSKIP(EtcdServer::absent());
    QVERIFY(m_files.makeAuthority(QStringLiteral("ca")));
    QVERIFY(m_files.makeAuthority(QStringLiteral("other-ca")));
    QVERIFY(m_files.make(QStringLiteral("server"), QStringLiteral("ca"), QStringLiteral("IP:127.0.0.1")));
    QVERIFY(
        m_files.make(QStringLiteral("elsewhere"), QStringLiteral("ca"), QStringLiteral("DNS:etcd.example")));
    QVERIFY(m_files.make(QStringLiteral("client"), QStringLiteral("ca"), QStringLiteral("DNS:lockkeeper")));
}

void TestEtcdTls::whoIsTrusted_data()
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
    row("all right", "server", "ca", "full", "");
    row("wrong CA", "server", "other-ca", "full", "Set tls_ca to the file of the CA that signed it.");
    row("wrong host", "elsewhere", "ca", "full", "is for another host than 127.0.0.1");
    row("wrong host, chain only", "elsewhere", "ca", "ca", "");
    row("not looked at", "elsewhere", "other-ca", "off", "");
    row("no such CA file", "server", "missing", "full", "can't be read");
}

void TestEtcdTls::whoIsTrusted()
{
    QFETCH(QString, server);
    QFETCH(QString, ca);
    QFETCH(QString, verify);
    QFETCH(QString, words);
    EtcdServer etcd;
    QVERIFY(start(etcd, server));
    SourceSpec spec = specOf(etcd.url());
    spec.tls = {{QStringLiteral("ca"), m_files.certificate(ca)}, {QStringLiteral("verify"), verify}};
    StoreHarness store(std::move(*etcd::makeStore(spec)));
    QCOMPARE(store.open(), words.isEmpty());
    if (words.isEmpty()) {
        QVERIFY(store.scan());
        return;
    }
    const base::Error &error = store.m_failures.constFirst();
    QVERIFY2(error.line().contains(words), qPrintable(error.line()));
    QVERIFY(!base::isTransient(error.code));
}

void TestEtcdTls::aClientCertificate()
{
    EtcdServer etcd;
    QVERIFY(start(etcd, QStringLiteral("server"), true));
    SourceSpec spec = specOf(etcd.url());
    spec.tls = {{QStringLiteral("ca"), m_files.certificate(QStringLiteral("ca"))}};
    StoreHarness without(std::move(*etcd::makeStore(spec)));
    QVERIFY(!without.open());
    QVERIFY2(without.m_failures.constFirst().line().contains(QLatin1String("tls_cert")),
             qPrintable(without.m_failures.constFirst().line()));
    spec.tls.insert(QStringLiteral("cert"), m_files.certificate(QStringLiteral("client")));
    spec.tls.insert(QStringLiteral("key"), m_files.key(QStringLiteral("client")));
    StoreHarness with(std::move(*etcd::makeStore(spec)));
    QVERIFY(with.open() && with.scan());
}

void TestEtcdTls::theWrongPort()
{
    EtcdServer plain;
    EtcdServer secret;
    QVERIFY(plain.start() && start(secret, QStringLiteral("server")));
    QUrl url = plain.url();
    url.setScheme(QStringLiteral("etcds"));
    StoreHarness toPlain(std::move(*etcd::makeStore(specOf(url))));
    QVERIFY(!toPlain.open());
    QVERIFY2(toPlain.m_failures.constFirst().line().contains(QLatin1String("etcd:// for this one")),
             qPrintable(toPlain.m_failures.constFirst().line()));
    url = secret.url();
    url.setScheme(QStringLiteral("etcd"));
    StoreHarness toSecret(std::move(*etcd::makeStore(specOf(url))));
    QVERIFY(!toSecret.open());
}

LOCKKEEPER_TEST(TestEtcdTls)

} // namespace tst_etcd_tls

#include "tst_etcd_tls.moc"
