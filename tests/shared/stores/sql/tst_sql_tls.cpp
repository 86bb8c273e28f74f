// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/mysql_tls.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/certificates.h"
#include "tests/support/postgres_server.h"
#include "tests/support/test_program.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

namespace tst_sql_tls {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;

namespace {
/** A source's TLS settings, and the expected result. */
struct Case
{
    const char *name;
    const char *server = "good"; ///< the server's certificate; "none": it speaks no TLS
    const char *host = "127.0.0.1";
    const char *verify = "full";
    const char *ca = "ours"; ///< "ours", "other", or none
    bool opens = true;
};

constexpr std::array<Case, 14> kCases{{
    {"checked, by its address"},
    {"checked, by its name", "good", "localhost"},
    {"another authority", "good", "127.0.0.1", "full", "other", false},
    {"no authority: the system's don't know it", "good", "127.0.0.1", "full", "", false},
    // By its name: Connector/C 3.4 doesn't compare 127.0.0.1.
    {"made out to another host", "elsewhere", "localhost", "full", "ours", false},
    {"made out to the address alone", "address", "localhost", "full", "ours", false},
    {"past its days", "old", "127.0.0.1", "full", "ours", false},
    {"encrypted alone", "elsewhere", "127.0.0.1", "off", "", true},
    {"encrypted alone, whoever signed", "good", "127.0.0.1", "off", "other", true},
    {"signed, whoever it is", "elsewhere", "127.0.0.1", "ca", "ours", true},
    {"signed by another", "good", "127.0.0.1", "ca", "other", false},
    {"no TLS, checked", "none", "127.0.0.1", "full", "ours", false},
    {"no TLS, signed", "none", "127.0.0.1", "ca", "ours", false},
    {"no TLS, encrypted alone", "none", "127.0.0.1", "off", "", false},
}};

void cases()
{
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < kCases.size(); ++i)
        QTest::newRow(kCases.at(i).name) << int(i);
}

const Case &current()
{
    return kCases.at(size_t(*static_cast<int *>(QTest::qData("index", QMetaType::Int))));
}

bool hasTold(const StoreProbe &probe, const QByteArray &name)
{
    return std::any_of(probe.pushes.cbegin(), probe.pushes.cend(), [&](const Push &push) {
        return !push.changes.isEmpty() && push.changes.first().lock.name == name;
    });
}
} // namespace

/** Sources over TLS: the server proves its identity, or the store sends nothing to it. */
class SqlTlsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void mariaDb_data() { cases(); }
    void mariaDb();
    void mariaDbAsksForACertificate();
    void mariaDbBinaryLog();
    void mySqlBinaryLog();
    void postgreSql_data() { cases(); }
    void postgreSql();
    void handlerComesBack();

private:
    SourceSpec spec(const QUrl &url, const Case &wanted) const;
    /** A running server with that certificate. */
    MariaDbServer *mariaDbWith(const QString &certificate);
    PostgresServer *postgresWith(const QString &certificate);

    Certificates m_files;
    TestDatabases m_databases;
    std::unique_ptr<MariaDbServer> m_mariaDb;
    std::unique_ptr<PostgresServer> m_postgres;
    QString m_running; ///< the certificate of the one that runs
};

void SqlTlsTest::initTestCase()
{
    QVERIFY(m_files.makeAuthority(QStringLiteral("ours")) && m_files.makeAuthority(QStringLiteral("other")));
    const auto sign = [this](const char *name, const char *forName, std::chrono::hours made = {}) {
        return m_files.make(QLatin1String(name), QStringLiteral("ours"), QLatin1String(forName), made);
    };
    QVERIFY(sign("good", "DNS:localhost,IP:127.0.0.1"));
    QVERIFY(sign("address", "IP:127.0.0.1"));
    QVERIFY(sign("elsewhere", "DNS:db.example"));
    QVERIFY(sign("old", "DNS:localhost,IP:127.0.0.1", Certificates::kExpired));
    QVERIFY(sign("agent", "DNS:agent"));
}

SourceSpec SqlTlsTest::spec(const QUrl &url, const Case &wanted) const
{
    QUrl there = url;
    there.setHost(QLatin1String(wanted.host));
    SourceSpec spec = shedlockSpec(there);
    spec.tls.insert(QStringLiteral("verify"), QLatin1String(wanted.verify));
    const QByteArray ca = wanted.ca;
    if (!ca.isEmpty())
        spec.tls.insert(QStringLiteral("ca"), m_files.certificate(QLatin1String(ca)));
    return spec;
}

MariaDbServer *SqlTlsTest::mariaDbWith(const QString &certificate)
{
    if (m_mariaDb && m_running == certificate)
        return m_mariaDb.get();
    QStringList options{QStringLiteral("--log-bin=binlog"), QStringLiteral("--server-id=1"),
                        QStringLiteral("--binlog-format=ROW")};
    if (certificate != QLatin1String("none"))
        options << QStringLiteral("--ssl-ca=") + m_files.certificate(QStringLiteral("ours"))
                << QStringLiteral("--ssl-cert=") + m_files.certificate(certificate)
                << QStringLiteral("--ssl-key=") + m_files.key(certificate);
    else
        options << QStringLiteral("--skip-ssl"); // from 11.4 on a server makes a certificate by itself
    m_running = certificate;
    m_mariaDb = std::make_unique<MariaDbServer>(options, true);
    if (!m_mariaDb->start())
        return nullptr;
    m_mariaDb->exec(QStringLiteral("CREATE DATABASE app;\nCREATE USER 'shy'@'127.0.0.1' REQUIRE X509;\n"
                                   "GRANT ALL ON *.* TO 'shy'@'127.0.0.1'"));
    m_mariaDb->exec(shedlockTable(QStringLiteral("shedlock")), QStringLiteral("app"));
    return m_mariaDb.get();
}

void SqlTlsTest::mariaDb()
{
    const Case &wanted = current();
    MariaDbServer *server = mariaDbWith(QLatin1String(wanted.server));
    QVERIFY(server);
    const auto connections = [&] {
        return server->exec(QStringLiteral("SHOW GLOBAL STATUS LIKE 'Ssl_finished_accepts'"))
            .value(0)
            .value(1);
    };
    StoreProbe probe(spec(server->tcpUrl(QStringLiteral("app")), wanted));
    if (QByteArray(wanted.verify) == "ca") { // the library can't distinguish the two
        QVERIFY(!probe.open());
        QCOMPARE(probe.failures.last().code, ErrorCode::Unsupported);
        QVERIFY(probe.failures.last().remedy.contains(QStringLiteral("tls_verify = \"full\"")));
        return;
    }
    const bool opened = probe.open();
    QVERIFY2(opened == wanted.opens,
             probe.failures.isEmpty() ? "it opened" : qPrintable(probe.failures.last().line()));
    if (!opened) {
        QCOMPARE(probe.failures.last().code, ErrorCode::Unreachable);
        return;
    }
    QVERIFY(connections().toInt() > 0);
    QVERIFY(probe.scan().isEmpty() && probe.ends.last().complete);
}

void SqlTlsTest::mariaDbAsksForACertificate()
{
    MariaDbServer *server = mariaDbWith(QStringLiteral("good"));
    QVERIFY(server);
    SourceSpec wanted = spec(server->tcpUrl(QStringLiteral("app"), QStringLiteral("shy")), kCases.at(0));
    StoreProbe without(wanted);
    QVERIFY(!without.open());
    QCOMPARE(without.failures.last().code, ErrorCode::Authentication);
    wanted.tls.insert(QStringLiteral("cert"), m_files.certificate(QStringLiteral("agent")));
    wanted.tls.insert(QStringLiteral("key"), m_files.key(QStringLiteral("agent")));
    StoreProbe with(wanted);
    QVERIFY2(with.open(), with.failures.isEmpty() ? "" : qPrintable(with.failures.last().line()));
}

void SqlTlsTest::mariaDbBinaryLog()
{
    MariaDbServer *server = mariaDbWith(QStringLiteral("good"));
    QVERIFY(server);
    // An account that must present a certificate: neither of the two connections is accepted without TLS.
    SourceSpec wanted = spec(server->tcpUrl(QStringLiteral("app"), QStringLiteral("shy")), kCases.at(0));
    wanted.tls.insert(QStringLiteral("cert"), m_files.certificate(QStringLiteral("agent")));
    wanted.tls.insert(QStringLiteral("key"), m_files.key(QStringLiteral("agent")));
    wanted.binlog = true;
    StoreProbe probe(wanted);
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    QTRY_VERIFY(!probe.pushStates.isEmpty());
    QVERIFY2(probe.pushStates.last().on, qPrintable(probe.pushStates.last().why.line()));
    server->exec(QStringLiteral("INSERT INTO shedlock VALUES ('a', NOW(6) + INTERVAL 1 HOUR, NOW(6), 'me')"),
                 QStringLiteral("app"));
    QTRY_VERIFY(hasTold(probe, "a"));
    const auto dumping = server->exec(
        QStringLiteral("SELECT USER FROM information_schema.PROCESSLIST WHERE COMMAND = 'Binlog Dump' AND "
                       "HOST LIKE '127.0.0.1%'"));
    QCOMPARE(dumping.size(), 1);
    QCOMPARE(dumping.first().first(), QByteArray("shy"));
}

void SqlTlsTest::mySqlBinaryLog()
{
    TestDatabase *database =
        m_databases.fresh(QStringLiteral("mysql"), shedlockTable(QStringLiteral("shedlock")));
    if (!database)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    SourceSpec wanted = shedlockSpec(database->spec().url);
    wanted.password = database->spec().password;
    wanted.binlog = true;
    wanted.tls.insert(QStringLiteral("verify"), QStringLiteral("off"));
    {
        StoreProbe probe(wanted);
        QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
        QTRY_VERIFY(!probe.pushStates.isEmpty());
        QVERIFY2(probe.pushStates.last().on, qPrintable(probe.pushStates.last().why.line()));
        database->exec(
            QStringLiteral("INSERT INTO shedlock VALUES ('a', NOW(6) + INTERVAL 1 HOUR, NOW(6), 'me')"));
        QTRY_VERIFY(hasTold(probe, "a"));
        const auto dumping = database->exec(
            QStringLiteral("SELECT CONNECTION_TYPE FROM performance_schema.threads WHERE PROCESSLIST_DB = "
                           "DATABASE() AND PROCESSLIST_COMMAND LIKE 'Binlog Dump%'"));
        QCOMPARE(dumping, (QList<Row>{{"SSL/TLS"}}));
    }
    // The server's certificate is self-made: no authority vouches for it.
    wanted.tls.insert(QStringLiteral("verify"), QStringLiteral("full"));
    StoreProbe checked(wanted);
    QVERIFY(!checked.open());
    QCOMPARE(checked.failures.last().code, ErrorCode::Unreachable);
}

PostgresServer *SqlTlsTest::postgresWith(const QString &certificate)
{
    if (m_postgres && m_running == certificate)
        return m_postgres.get();
    m_postgres.reset();
    QStringList options;
    if (certificate != QLatin1String("none")) {
        if (!m_files.giveTo("nobody"))
            return nullptr;
        for (const QString &option :
             {QStringLiteral("ssl=on"), QStringLiteral("ssl_cert_file=") + m_files.certificate(certificate),
              QStringLiteral("ssl_key_file=") + m_files.key(certificate)})
            options << QStringLiteral("-c") << option;
    }
    m_running = certificate;
    m_postgres = std::make_unique<PostgresServer>(options);
    if (!m_postgres->start())
        return nullptr;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), QStringLiteral("tls"));
        database.setHostName(m_postgres->socketFolder());
        database.setPort(m_postgres->port());
        database.setDatabaseName(QStringLiteral("postgres"));
        database.setUserName(QStringLiteral("root"));
        if (database.open())
            QSqlQuery(database).exec(
                QStringLiteral("CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP, "
                               "locked_at TIMESTAMP, locked_by VARCHAR(255))"));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("tls"));
    return m_postgres.get();
}

void SqlTlsTest::postgreSql()
{
    const Case &wanted = current();
    m_mariaDb.reset();
    PostgresServer *server = postgresWith(QLatin1String(wanted.server));
    QVERIFY(server);
    StoreProbe probe(spec(server->tcpUrl(), wanted));
    const bool opened = probe.open();
    QVERIFY2(opened == wanted.opens,
             probe.failures.isEmpty() ? "it opened" : qPrintable(probe.failures.last().line()));
    if (!opened) {
        QCOMPARE(probe.failures.last().code, ErrorCode::Unreachable);
        return;
    }
    QVERIFY(probe.scan().isEmpty() && probe.ends.last().complete);
}

void SqlTlsTest::handlerComesBack()
{
    // The library forgets the handler with its last connection.
    for (int i = 0; i < 3; ++i) {
        {
            const QSqlDatabase database =
                QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), QStringLiteral("handler"));
            QVERIFY(database.isValid());
            QVERIFY(sql::mysqltls::install());
            QVERIFY(sql::mysqltls::install());
        }
        QSqlDatabase::removeDatabase(QStringLiteral("handler"));
    }
}

LOCKKEEPER_TEST(SqlTlsTest)

} // namespace tst_sql_tls

#include "tst_sql_tls.moc"
