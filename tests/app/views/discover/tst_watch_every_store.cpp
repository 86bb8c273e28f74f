// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// "Watch a store" through its own dialog, against a real server of each kind, with a real private agent.
#include "app/replica/replica.h"
#include "app/views/discover/finish_page.h"
#include "app/views/discover/password_field.h"
#include "app/views/discover/store_form.h"
#include "app/views/discover/tables_page.h"
#include "shared/stores/host_list.h"
#include "tests/app/views/discover/watch_rig.h"
#include "tests/support/certificates.h"
#include "tests/support/etcd_server.h"
#include "tests/support/free_port.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/postgres_server.h"
#include "tests/support/redis_server.h"
#include "tests/support/redlock_nodes.h"
#include "tests/support/test_program.h"

#ifdef LOCKKEEPER_WITH_MONGODB
#include "tests/shared/stores/mongodb/document_client.h"
#include "tests/support/mongod_server.h"
#endif
#ifdef LOCKKEEPER_WITH_ZOOKEEPER
#include "tests/shared/stores/zookeeper/queue_client.h"
#include "tests/support/zookeeper_server.h"
#endif

#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTimeZone>
#include <QtTest>

namespace tst_watch_every_store {

using namespace lockkeeper;
using app::views::WatchStoreDialog;
using tests::kPatienceMs;
using tests::s;

namespace {

void choose(QWidget *page, const char *combo, const char *data)
{
    auto *box = page->findChild<QComboBox *>(s(combo));
    QVERIFY(box);
    const int index = box->findData(s(data));
    QVERIFY2(index >= 0, data);
    box->setCurrentIndex(index);
}

void type(QWidget *page, const char *edit, const QString &text)
{
    auto *line = page->findChild<QLineEdit *>(s(edit));
    QVERIFY2(line, edit);
    line->setText(text);
}

/** Statements for a database that Qt has a driver for. */
void execute(const char *driver, const QUrl &url, const QStringList &statements)
{
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(s(driver), s("fill"));
        if (url.scheme() == QLatin1String("sqlite")) {
            database.setDatabaseName(url.path());
        } else {
            database.setHostName(url.host());
            database.setPort(url.port());
            database.setDatabaseName(url.path().mid(1));
            database.setUserName(url.userName());
        }
        if (!database.open())
            qFatal("%s", qPrintable(database.lastError().text()));
        QSqlQuery query(database);
        for (const QString &statement : statements) {
            if (!query.exec(statement))
                qFatal("%s", qPrintable(query.lastError().text()));
        }
    }
    QSqlDatabase::removeDatabase(s("fill"));
}

/** The dialog from its first page to its end, and the time until the console shows `locks` locks. */
class Newcomer
{
public:
    Newcomer()
    {
        rig.console->start({});
        m_clock.start();
        rig.console->watchStore();
        form = rig.dialog()->form();
    }

    void look()
    {
        QVERIFY(rig.dialog()->nextButton()->isEnabled());
        rig.dialog()->nextButton()->click();
        QTRY_VERIFY2_WITH_TIMEOUT(rig.dialog()->page() == WatchStoreDialog::ChoosePage,
                                  qPrintable(form->errorText()), kPatienceMs);
    }

    void start(int locks)
    {
        QVERIFY(rig.dialog()->nextButton()->isEnabled());
        rig.dialog()->nextButton()->click();
        section = rig.dialog()->finish()->section();
        rig.dialog()->finish()->startButton()->click();
        const auto failed = [this] {
            return rig.dialog() && rig.dialog()->finish()->startButton()->isEnabled();
        };
        const auto hasEnded = [&] { return !rig.dialog() || failed(); };
        QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), kPatienceMs);
        QVERIFY2(!rig.dialog(), rig.dialog() ? qPrintable(rig.dialog()->finish()->failureText()) : "");
        QTRY_COMPARE_WITH_TIMEOUT(rig.console->replica()->locks().size(), locks, kPatienceMs);
        QVERIFY2(m_clock.elapsed() < 60'000, qPrintable(QString::number(m_clock.elapsed())));
    }

    QByteArray configuration() const
    {
        QFile file(rig.console->privateAgent()->files().configFile());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    domain::LockState lock(const char *name) const
    {
        for (const app::replica::PackedLock &one : rig.console->replica()->locks()) {
            if (one.name() == name)
                return one.state();
        }
        return {};
    }

    tests::WatchRig rig;
    app::views::StoreForm *form;
    QString section;

private:
    QElapsedTimer m_clock;
};

} // namespace

class TestWatchEveryStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void postgresqlOverTls();
    void sqliteFile();
    void redisOverTls();
    void passwordByReference_data();
    void passwordByReference();
    void missingVariableIsSaid();
    void wrongAuthorityIsSaid();
    void zoneHasToBeOne();
    void otherAddressesAreSaid();
    void severalServers_data();
    void severalServers();
    void redlockOverItsNodes();
    void etcdAndItsQueues();
    void mongodbAndItsCollections();
    void zookeeperAndItsQueues();

private:
    QUrl secureRedis(tests::RedisServer &server);

    tests::Certificates m_files;
};

void TestWatchEveryStore::initTestCase()
{
    QVERIFY(m_files.makeAuthority(s("ours")));
    QVERIFY(m_files.makeAuthority(s("theirs")));
    QVERIFY(m_files.make(s("server"), s("ours"), s("IP:127.0.0.1")));
    QVERIFY(m_files.make(s("client"), s("ours"), s("DNS:client")));
}

/** The table's times carry no zone: the agent uses the zone that the user chose in the wizard. */
void TestWatchEveryStore::postgresqlOverTls()
{
    QVERIFY(m_files.giveTo("nobody"));
    tests::PostgresServer server({s("-c"), s("ssl=on"), s("-c"),
                                  s("ssl_cert_file=") + m_files.certificate(s("server")), s("-c"),
                                  s("ssl_key_file=") + m_files.key(s("server"))});
    QVERIFY(server.start());
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    const QString there = QDateTime::fromMSecsSinceEpoch(nowMs + 3'600'000, Qt::UTC)
                              .toTimeZone(QTimeZone("Asia/Shanghai"))
                              .toString(s("yyyy-MM-dd HH:mm:ss.zzz"));
    execute("QPSQL", server.tcpUrl(),
            {s("CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP NOT NULL, "
               "locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL)"),
             s("INSERT INTO shedlock VALUES ('nightly', '%1', '%1', 'w1@10.0.0.7')").arg(there),
             s("INSERT INTO shedlock VALUES ('settle', '%1', '%1', 'w2@10.0.0.7')").arg(there)});
    Newcomer newcomer;
    QVERIFY(newcomer.form->setUrl(server.tcpUrl()));
    choose(newcomer.form, "tls", "full");
    type(newcomer.form, "tls_ca", m_files.certificate(s("ours")));
    newcomer.look();
    newcomer.rig.dialog()->tables()->findChild<QComboBox *>(s("zone"))->setCurrentText(s("Asia/Shanghai"));
    tests::picture(newcomer.rig.dialog(), "watch-postgresql-choose");
    newcomer.start(2);
    QVERIFY2(newcomer.section.contains(s("tls_verify = \"full\"")), qPrintable(newcomer.section));
    QVERIFY(newcomer.section.contains(s("time_zone = \"Asia/Shanghai\"")));
    const std::optional<qint64> expires = newcomer.lock("nightly").expiresUs;
    QVERIFY(expires);
    QVERIFY2(std::abs(*expires / 1000 - nowMs - 3'600'000) < 1'000, qPrintable(QString::number(*expires)));
}

void TestWatchEveryStore::sqliteFile()
{
    const QTemporaryDir folder;
    const QUrl url(s("sqlite:") + folder.filePath(s("app.db")));
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    execute("QSQLITE", url,
            {s("CREATE TABLE task_lock (task_name TEXT PRIMARY KEY, locked_by TEXT, locked_at BIGINT, "
               "lock_until BIGINT)"),
             s("INSERT INTO task_lock VALUES ('import', 'w1', %1, %2)").arg(nowMs).arg(nowMs + 600'000),
             s("INSERT INTO task_lock VALUES ('export', 'w2', %1, %2)").arg(nowMs).arg(nowMs + 600'000),
             s("INSERT INTO task_lock VALUES ('rollup', 'w3', %1, %2)").arg(nowMs).arg(nowMs + 600'000)});
    Newcomer newcomer;
    choose(newcomer.form, "kind", "sqlite");
    QVERIFY(!newcomer.rig.dialog()->nextButton()->isEnabled());
    type(newcomer.form, "file", url.path());
    newcomer.look();
    newcomer.start(3);
    QCOMPARE(newcomer.lock("import").owner, QByteArray("w1"));
    QVERIFY(!newcomer.configuration().contains("tls_"));
    QVERIFY(!newcomer.configuration().contains("password"));
}

QUrl TestWatchEveryStore::secureRedis(tests::RedisServer &server)
{
    const quint16 port = tests::freePort();
    if (!server.start({s("--tls-port"), QString::number(port), s("--tls-cert-file"),
                       m_files.certificate(s("server")), s("--tls-key-file"), m_files.key(s("server")),
                       s("--tls-ca-cert-file"), m_files.certificate(s("ours")), s("--tls-auth-clients"),
                       s("yes")}))
        return {};
    for (const char *name : {"lock:orders", "lock:billing"})
        server.command({"SET", name, "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "PX", "600000"});
    return QUrl(s("rediss://127.0.0.1:%1/0").arg(port));
}

void TestWatchEveryStore::redisOverTls()
{
    tests::RedisServer server;
    const QUrl url = secureRedis(server);
    QVERIFY(!url.isEmpty());
    Newcomer newcomer;
    QVERIFY(newcomer.form->setUrl(url));
    type(newcomer.form, "tls_ca", m_files.certificate(s("ours")));
    type(newcomer.form, "tls_cert", m_files.certificate(s("client")));
    type(newcomer.form, "tls_key", m_files.key(s("client")));
    tests::picture(newcomer.rig.dialog(), "watch-redis-tls");
    newcomer.look();
    newcomer.start(2);
    QVERIFY(newcomer.section.contains(s("url = \"rediss://127.0.0.1:")));
    QVERIFY(newcomer.section.contains(s("tls_key = \"") + m_files.key(s("client"))));
    QVERIFY(!newcomer.section.contains(s("time_zone"))); // no time zone for keys
}

void TestWatchEveryStore::passwordByReference_data()
{
    QTest::addColumn<int>("where");
    QTest::newRow("environment") << int(app::views::PasswordField::Where::Environment);
    QTest::newRow("file") << int(app::views::PasswordField::Where::File);
}

void TestWatchEveryStore::passwordByReference()
{
    QFETCH(int, where);
    const QTemporaryDir folder;
    QFile file(folder.filePath(s("password")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
    file.write("pa\"ss\n");
    file.close();
    qputenv("LOCKKEEPER_TEST_PASSWORD", "pa\"ss");
    tests::RedisServer server;
    QVERIFY(server.start({s("--requirepass"), s("pa\"ss")}, true));
    server.command({"AUTH", "pa\"ss"});
    server.command({"SET", "lock:orders", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "PX", "600000"});
    server.command({"SET", "lock:billing", "3f2504e0-4f89-11d3-9a0c-0305e82c3302", "PX", "600000"});
    Newcomer newcomer;
    QVERIFY(newcomer.form->setUrl(server.tcpUrl()));
    newcomer.form->findChild<QComboBox *>(s("password_where"))->setCurrentIndex(where);
    QVERIFY(!newcomer.rig.dialog()->nextButton()->isEnabled()); // no variable or file named yet
    type(newcomer.form, "password_variable", s("LOCKKEEPER_TEST_PASSWORD"));
    type(newcomer.form, "password_file", file.fileName());
    tests::picture(newcomer.rig.dialog(), QTest::currentDataTag());
    newcomer.look();
    newcomer.start(2);
    const QString reference = where == int(app::views::PasswordField::Where::File)
                                  ? s("file:") + file.fileName()
                                  : s("env:LOCKKEEPER_TEST_PASSWORD");
    QVERIFY2(newcomer.section.contains(s("password = \"%1\"").arg(reference)), qPrintable(newcomer.section));
    QVERIFY(newcomer.configuration().contains(reference.toUtf8()));
    const QString secrets = newcomer.rig.console->privateAgent()->files().folder() + s("/secrets");
    QVERIFY(QDir(secrets).isEmpty()); // only a reference, no copy of the password
    qunsetenv("LOCKKEEPER_TEST_PASSWORD");
}

void TestWatchEveryStore::missingVariableIsSaid()
{
    Newcomer newcomer;
    QVERIFY(newcomer.form->setUrl(QUrl(s("mysql://me@127.0.0.1:1/app"))));
    newcomer.form->findChild<QComboBox *>(s("password_where"))
        ->setCurrentIndex(int(app::views::PasswordField::Where::Environment));
    type(newcomer.form, "password_variable", s("NOT_SET_ANYWHERE"));
    newcomer.rig.dialog()->nextButton()->click();
    QCOMPARE(newcomer.rig.dialog()->page(), WatchStoreDialog::AddressPage);
    QVERIFY2(newcomer.form->errorText().contains(s("NOT_SET_ANYWHERE")),
             qPrintable(newcomer.form->errorText()));
}

void TestWatchEveryStore::wrongAuthorityIsSaid()
{
    tests::RedisServer server;
    const QUrl url = secureRedis(server);
    QVERIFY(!url.isEmpty());
    Newcomer newcomer;
    QVERIFY(newcomer.form->setUrl(url));
    type(newcomer.form, "tls_ca", m_files.certificate(s("theirs")));
    newcomer.rig.dialog()->nextButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!newcomer.form->errorText().isEmpty(), kPatienceMs);
    QVERIFY2(newcomer.form->errorText().contains(s("certificate"), Qt::CaseInsensitive),
             qPrintable(newcomer.form->errorText()));
    tests::picture(newcomer.rig.dialog(), "watch-wrong-authority");
}

void TestWatchEveryStore::zoneHasToBeOne()
{
    stores::discover::Discovery discovery;
    discovery.store = "mysql";
    stores::discover::Candidate candidate;
    candidate.table = s("t");
    candidate.scheme = "sql.insert";
    candidate.score = 80;
    discovery.found = {candidate};
    app::views::TablesPage page;
    page.setDiscovery(discovery);
    page.show();
    auto *zone = page.findChild<QComboBox *>(s("zone"));
    QCOMPARE(zone->currentText(), s("UTC"));
    QVERIFY(page.isComplete());
    zone->setCurrentText(s("Europe/Nowhere"));
    QVERIFY(!page.isComplete());
    zone->setCurrentText(s("Europe/Berlin"));
    QVERIFY(page.isComplete());
    discovery.store = "redis";
    discovery.found.first().match = "lock:*";
    page.setDiscovery(discovery);
    QVERIFY(!zone->isVisible());
}

void TestWatchEveryStore::otherAddressesAreSaid()
{
    app::views::StoreForm form;
    auto *host = form.findChild<QLineEdit *>(s("host"));
    host->clear();
    QTest::keyClicks(host, s("ftp://a"));
    QVERIFY2(form.errorText().contains(s("ftp")), qPrintable(form.errorText()));
    QVERIFY(!form.isComplete());
}

void TestWatchEveryStore::severalServers_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("sentinel") << s("redis+sentinel://lk@10.0.0.1:26379,[::1]:26380/orders/2");
    QTest::newRow("sentinel, database 0") << s("redis+sentinel://10.0.0.1:26379/orders");
    QTest::newRow("cluster") << s("redis+cluster://lk%40x@a:7000,b:7001,c:7002");
    QTest::newRow("redlock") << s("redlock://a:6379,b:6379,c:6379/3");
    QTest::newRow("etcd") << s("etcd://lk@a:2379,[::1]:2379");
    QTest::newRow("etcd with TLS") << s("etcds://a:2379,b:2379");
    QTest::newRow("ZooKeeper") << s("zookeeper://a:2181,b:2181");
    QTest::newRow("ZooKeeper with a chroot") << s("zookeeper://lk@a:2181/apps/orders");
}

/** The form returns a pasted address unchanged, and its fields show it. */
void TestWatchEveryStore::severalServers()
{
    QFETCH(QString, text);
    app::views::StoreForm form;
    auto *host = form.findChild<QLineEdit *>(s("host"));
    host->clear();
    QTest::keyClicks(host, s("x"));
    host->selectAll();
    QGuiApplication::clipboard()->setText(text);
    host->paste();
    QCOMPARE(stores::textOf(form.url()), text);
    QVERIFY(form.isComplete());
    QVERIFY(form.hasKeys());
    QVERIFY(!host->text().contains(s("://")));
    host->setText(s("a:1, not a host, b:2"));
    QVERIFY(!form.isComplete());
}

void TestWatchEveryStore::redlockOverItsNodes()
{
    tests::RedlockNodes nodes;
    QVERIFY(nodes.start(3));
    QVERIFY(nodes.set({0, 1, 2}, "lock:orders", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", 600'000));
    QVERIFY(nodes.set({0, 1}, "lock:billing", "3f2504e0-4f89-11d3-9a0c-0305e82c3302", 600'000));
    Newcomer newcomer;
    QVERIFY(newcomer.form->setUrl(nodes.url()));
    tests::picture(newcomer.rig.dialog(), "watch-redlock");
    newcomer.look();
    newcomer.start(2);
    QVERIFY2(newcomer.section.contains(s("redlock://127.0.0.1:")), qPrintable(newcomer.section));
    QCOMPARE(newcomer.lock("lock:billing").nodes.size(), 3);
}

void TestWatchEveryStore::etcdAndItsQueues()
{
    if (!tests::EtcdServer::isInstalled())
        QSKIP(tests::EtcdServer::absent());
    tests::EtcdServer etcd;
    QVERIFY(etcd.start());
    tests::EtcdctlLock holder(etcd, s("svc/orders"), 60);
    QVERIFY(!holder.key().isEmpty());
    Newcomer newcomer;
    QVERIFY(newcomer.form->setUrl(etcd.url()));
    tests::picture(newcomer.rig.dialog(), "watch-etcd");
    newcomer.look();
    tests::picture(newcomer.rig.dialog(), "watch-etcd-found");
    newcomer.start(1);
    QVERIFY2(newcomer.section.contains(s("match = \"svc/*\"")), qPrintable(newcomer.section));
    QCOMPARE(newcomer.lock("svc/orders").owner, holder.lease());
}

void TestWatchEveryStore::mongodbAndItsCollections()
{
#ifdef LOCKKEEPER_WITH_MONGODB
    if (!tests::MongodServer::isInstalled())
        QSKIP(tests::MongodServer::absent());
    tests::MongodServer mongod;
    QVERIFY(mongod.start());
    const tests::DocumentClient client(mongod.url());
    QVERIFY(client.insert("jobLocks", R"({"_id": "nightly", "acquirer": "w1", "acquiredAt":
        {"$date": "2026-01-01T00:00:00Z"}, "updatedAt": {"$date": "2026-01-01T00:00:00Z"}})"));
    Newcomer newcomer;
    QVERIFY(newcomer.form->setUrl(mongod.url()));
    QCOMPARE(newcomer.form->url(), mongod.url());
    tests::picture(newcomer.rig.dialog(), "watch-mongodb");
    newcomer.look();
    tests::picture(newcomer.rig.dialog(), "watch-mongodb-found");
    newcomer.start(1);
    QVERIFY2(newcomer.section.contains(s("table = \"jobLocks\"")), qPrintable(newcomer.section));
    QCOMPARE(newcomer.lock("nightly").owner, QByteArray("w1"));
#else
    QSKIP("this build can't talk to MongoDB");
#endif
}

void TestWatchEveryStore::zookeeperAndItsQueues()
{
#ifdef LOCKKEEPER_WITH_ZOOKEEPER
    if (!tests::ZookeeperServer::isInstalled())
        QSKIP(tests::ZookeeperServer::absent());
    tests::ZookeeperServer server;
    QVERIFY(server.start());
    tests::QueueClient client(server.url());
    for (const char *path : {"/app", "/app/locks", "/app/locks/orders"})
        QVERIFY(client.make(path));
    QVERIFY(!client.place("/app/locks/orders/_c_1-lock-", "w1").isEmpty());
    QVERIFY(!client.place("/app/locks/orders/_c_2-lock-", "w2").isEmpty());
    QUrl url = server.url();
    url.setPath(s("/app"));
    Newcomer newcomer;
    QVERIFY(newcomer.form->setUrl(url));
    QCOMPARE(newcomer.form->url(), url);
    QVERIFY(newcomer.form->tls().isEmpty());
    tests::picture(newcomer.rig.dialog(), "watch-zookeeper");
    newcomer.look();
    tests::picture(newcomer.rig.dialog(), "watch-zookeeper-found");
    newcomer.start(1);
    QVERIFY2(newcomer.section.contains(s("match = \"/locks/*\"")), qPrintable(newcomer.section));
    QVERIFY(newcomer.lock("/locks/orders").owner.startsWith("w1 (0x"));
    QCOMPARE(newcomer.lock("/locks/orders").waiters.size(), 1);
#else
    QSKIP("this build can't talk to ZooKeeper");
#endif
}

LOCKKEEPER_TEST(TestWatchEveryStore)

} // namespace tst_watch_every_store

#include "tst_watch_every_store.moc"
