// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue_client.h"
#include "shared/base/text.h"
#include "shared/stores/discover/queues/zookeeper_discoverer.h"
#include "shared/stores/discover/source_section.h"
#include "tests/support/discovering.h"
#include "tests/support/foreign_client.h"
#include "tests/support/test_program.h"
#include "tests/support/zookeeper_server.h"

#include <QTest>

namespace tst_zookeeper_discover {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::discover;
using namespace lockkeeper::tests;

/** Recognition of the znodes in a real ZooKeeper. */
class TestZookeeperDiscover : public QObject, protected Discovering
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void findsRecipes();
    void findsForeignClients_data();
    void findsForeignClients();
    void staysWithinItsLimits_data();
    void staysWithinItsLimits();
    void whatMayNotBeRead();
    void takenBack();
    void nobodyThere();
    void patternsHoldWhatTheyWereMadeOf_data();
    void patternsHoldWhatTheyWereMadeOf();

private:
    SourceSpec specOf(const QString &chroot) const
    {
        SourceSpec spec;
        spec.url = m_server.url();
        spec.url.setPath(chroot);
        return spec;
    }

    ZookeeperServer m_server;
    std::unique_ptr<QueueClient> m_client;
};

void TestZookeeperDiscover::initTestCase()
{
    if (!ZookeeperServer::isInstalled())
        QSKIP(ZookeeperServer::absent());
    QVERIFY(m_server.start());
}

/** Each test has a new session: an old session expires while a test waits for anything but its client. */
void TestZookeeperDiscover::init()
{
    m_client = std::make_unique<QueueClient>(m_server.url());
    QVERIFY(m_client->isOpen());
}

void TestZookeeperDiscover::findsRecipes()
{
    for (const char *path :
         {"/r", "/r/jobs", "/r/jobs/nightly", "/r/jobs/weekly", "/r/jobs/weekly/not", "/r/spool",
          "/r/spool/mails", "/r/mutexes", "/r/mutexes/m", "/r/settings", "/r/settings/colour"})
        QVERIFY(m_client->make(path));
    for (const char *path : {"/r/jobs/nightly/_c_a9-lock-", "/r/jobs/nightly/_c_b7-lock-",
                             "/r/jobs/weekly/x-10001-", "/r/spool/mails/entry-", "/r/mutexes/m/node-"})
        QVERIFY(!m_client->place(path).isEmpty());
    QVERIFY(discover(specOf(QStringLiteral("/r"))) && m_found);
    QCOMPARE(m_found->store, QByteArray("zookeeper"));
    QVERIFY2(m_found->server.startsWith(QLatin1String("ZooKeeper 3.")), qPrintable(m_found->server));
    QCOMPARE(m_found->tables, 15);
    QVERIFY(m_found->allSeen);
    QCOMPARE(patterns(m_found->found), (QList<QByteArray>{"/jobs/*", "/mutexes/*"}));
    const Candidate &jobs = m_found->found.first();
    QCOMPARE(jobs.keys, 2);
    QCOMPARE(jobs.scheme, QByteArray("zookeeper.sequence"));
    QCOMPARE(jobs.reasons.first(),
             (Reason{ReasonCode::ZnodeRecipe, 80, {}, QStringLiteral("Curator, ZooKeeper")}));
    QVERIFY(jobs.access.size() == 2 && jobs.access.first().granted);
    QCOMPARE(patterns(m_found->near) + patterns(m_found->rest), QList<QByteArray>{"/spool/*"});
    const SectionSource source{{}, specOf(QStringLiteral("/r")).url, {}, {}};
    const QString section =
        sourceSection(source, m_found->found, [](const Candidate &) { return QStringList(); });
    QVERIFY2(section.contains(QLatin1String("push = true\n")), qPrintable(section));
    QVERIFY(section.contains(QLatin1String("scheme = \"zookeeper.sequence\"\n  match = \"/jobs/*\"")));
}

void TestZookeeperDiscover::findsForeignClients_data()
{
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("kind");
    for (const char *program : {"kazoo", "curator"}) {
        for (const char *kind : {"lock", "read", "semaphore"})
            QTest::addRow("%s %s", program, kind) << QByteArray(program) << QByteArray(kind);
    }
}

void TestZookeeperDiscover::findsForeignClients()
{
    QFETCH(QByteArray, program);
    QFETCH(QByteArray, kind);
    ForeignProgram client(program, program == "kazoo" ? "python" : "java");
    client.start({{QStringLiteral("ZOOKEEPER"), m_server.address()}});
    if (!client.isReady())
        QSKIP(qPrintable(client.why));
    const QByteArray root = '/' + program + '-' + kind;
    QVERIFY(client.ask(kind + " acquire " + root + "/things/one 5000").startsWith("acquired"));
    if (program == "kazoo" && kind == "semaphore") // a permit is no sure sign; a waiter is
        QVERIFY(client.ask(kind + "#2 acquire " + root + "/things/one 5000").startsWith("acquired") &&
                client.ask(kind + "#3 take " + root + "/things/one") == "waiting");
    QTRY_VERIFY(discover(specOf(QString::fromLatin1(root))) && m_found && !m_found->found.isEmpty());
    const QByteArray expected = program == "curator" && kind == "semaphore" ? "/things/one/*" : "/things/*";
    QCOMPARE(patterns(m_found->found), QList<QByteArray>{expected});
    QVERIFY(m_found->found.first().reasons.first().value.compare(QString::fromLatin1(program),
                                                                 Qt::CaseInsensitive) == 0);
}

void TestZookeeperDiscover::staysWithinItsLimits_data()
{
    QTest::addColumn<int>("names");
    QTest::addColumn<int>("below");
    QTest::addColumn<bool>("allSeen");
    QTest::addColumn<qsizetype>("queues");
    QTest::newRow("enough") << 1'000 << 100 << true << qsizetype(30);
    QTest::newRow("fewer names") << 20 << 100 << false << qsizetype(-1);
    QTest::newRow("fewer below one") << 1'000 << 10 << false << qsizetype(10);
}

void TestZookeeperDiscover::staysWithinItsLimits()
{
    QFETCH(int, names);
    QFETCH(int, below);
    QFETCH(qsizetype, queues);
    if (m_client->make("/limits")) {
        for (int i = 0; i < 30; ++i) {
            const QByteArray path = "/limits/" + QByteArray::number(i);
            QVERIFY(m_client->make(path) && m_client->make(path + "/x-1-0000000000"));
        }
    }
    const auto survey = zookeeper::Survey::of(specOf(QStringLiteral("/limits")), {names, below}).value();
    std::optional<zookeeper::TreeFacts> facts;
    connect(survey.get(), &zookeeper::Survey::found, this, [&facts](const auto &all) { facts = all; });
    survey->start();
    QTRY_VERIFY(facts);
    QTEST(facts->allSeen, "allSeen");
    QVERIFY(queues < 0 ? facts->queues.size() <= 30 : facts->queues.size() == queues);
}

void TestZookeeperDiscover::whatMayNotBeRead()
{
    QueueClient owner(m_server.url(QStringLiteral("lk")), "secret");
    QVERIFY(owner.isOpen());
    for (const char *path : {"/acl", "/acl/locks", "/acl/locks/a"})
        QVERIFY((qstrcmp(path, "/acl") == 0 ? *m_client : owner).make(path));
    QVERIFY(!owner.place("/acl/locks/a/x-1-").isEmpty());
    SourceSpec spec = specOf(QStringLiteral("/acl"));
    QVERIFY(discover(spec) && m_found);
    QVERIFY(!m_found->allSeen);
    QVERIFY(m_found->found.isEmpty());
    spec.url.setPath(QStringLiteral("/acl/locks"));
    QVERIFY(discover(spec) && m_error);
    QCOMPARE(m_error->code, base::ErrorCode::PermissionDenied);
    spec.url.setUserName(QStringLiteral("lk"));
    spec.password = "secret";
    QVERIFY(discover(spec) && m_found);
    QCOMPARE(patterns(m_found->found), QList<QByteArray>{"/a"});
}

/** No answer follows a cancelled search. */
void TestZookeeperDiscover::takenBack()
{
    const auto discoverer = makeDiscoverer(specOf({})).value();
    bool told = false;
    connect(discoverer.get(), &Discoverer::found, this, [&told] { told = true; });
    connect(discoverer.get(), &Discoverer::failed, this, [&told] { told = true; });
    discoverer->start();
    discoverer->cancel();
    QVERIFY(discover(specOf(QStringLiteral("/zookeeper"))) && m_found); // which takes as long
    QVERIFY(!told);
}

void TestZookeeperDiscover::nobodyThere()
{
    QVERIFY(discover(QUrl(QStringLiteral("zookeeper://127.0.0.1:1"))) && m_error);
    QCOMPARE(m_error->code, base::ErrorCode::Unreachable);
}

void TestZookeeperDiscover::patternsHoldWhatTheyWereMadeOf_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("client");
    QTest::addColumn<QByteArray>("match");
    QTest::addColumn<bool>("proposed");
    QTest::newRow("at the top") << QByteArray("/jobs") << QByteArray("kazoo") << QByteArray("/jobs") << true;
    QTest::newRow("the root itself") << QByteArray("/") << QByteArray("kazoo") << QByteArray("/") << true;
    QTest::newRow("characters of globs")
        << QByteArray("/a[1]*/x") << QByteArray("Hive") << QByteArray("/a\\[1\\]\\*/*") << true;
    QTest::newRow("numbered by somebody")
        << QByteArray("/a/b") << QByteArray() << QByteArray("/a/*") << false;
    QTest::newRow("named after locks")
        << QByteArray("/locks/b") << QByteArray() << QByteArray("/locks/*") << true;
    QTest::newRow("a queue of work") << QByteArray("/queue/b") << QByteArray() << QByteArray("/queue/*")
                                     << false;
}

void TestZookeeperDiscover::patternsHoldWhatTheyWereMadeOf()
{
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, client);
    QFETCH(QByteArray, match);
    const QList<Candidate> candidates = judgeQueues({{path, client, 1}});
    QCOMPARE(candidates.size(), 1);
    QCOMPARE(candidates.first().match, match);
    QTEST(candidates.first().isProposed(), "proposed");
    QVERIFY(base::globMatches(match, path));
}

LOCKKEEPER_TEST(TestZookeeperDiscover)

} // namespace tst_zookeeper_discover

#include "tst_zookeeper_discover.moc"
