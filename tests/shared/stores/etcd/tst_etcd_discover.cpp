// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/text.h"
#include "shared/stores/discover/queues/etcd_discoverer.h"
#include "shared/stores/discover/source_section.h"
#include "shared/stores/etcd/reading/queues.h"
#include "tests/support/discovering.h"
#include "tests/support/etcd_server.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_etcd_discover {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::discover;
using namespace lockkeeper::tests;

/** Recognition of the keys in a real etcd. */
class TestEtcdDiscover : public QObject, protected Discovering
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void findsQueuesAndLeases();
    void saysWhatIsLeftOut();
    void needsToReadAll();
    void nobodyThere();
    void patternsHoldWhatTheyWereMadeOf_data();
    void patternsHoldWhatTheyWereMadeOf();

private:
    static SourceSpec specOf(const EtcdServer &etcd)
    {
        SourceSpec spec;
        spec.url = etcd.url();
        return spec;
    }
};

void TestEtcdDiscover::initTestCase()
{
    if (!EtcdServer::isInstalled())
        QSKIP(EtcdServer::absent());
}

void TestEtcdDiscover::findsQueuesAndLeases()
{
    EtcdServer etcd;
    QVERIFY(etcd.start());
    EtcdctlLock first(etcd, QStringLiteral("svc/orders"), 60);
    EtcdctlLock second(etcd, QStringLiteral("svc/billing"), 60);
    QVERIFY(!first.key().isEmpty() && !second.key().isEmpty());
    const QByteArray lease = etcd.grant(600);
    const auto put = [&](const char *key, bool leased) {
        QStringList arguments{QStringLiteral("put"), QLatin1String(key), QStringLiteral("v")};
        if (leased)
            arguments.append(QLatin1String("--lease=") + QLatin1String(lease));
        etcd.ctl(arguments);
    };
    put("app/locks/import", true);
    put("/registry/events/default/pod.1", true);
    put("app/settings/colour", false);
    QVERIFY(discover(etcd.url()) && m_found);
    QCOMPARE(m_found->store, QByteArray("etcd"));
    QVERIFY(m_found->server.startsWith(QLatin1String("etcd 3.")));
    QCOMPARE(m_found->tables, 5);
    QVERIFY(m_found->allSeen);
    QCOMPARE(patterns(m_found->found), (QList<QByteArray>{"svc/*", "app/locks/*"}));
    QCOMPARE(m_found->found.first().keys, 2);
    QVERIFY(m_found->found.first().access.size() == 2);
    const QList<QByteArray> others = patterns(m_found->near) + patterns(m_found->rest);
    QCOMPARE(others, QList<QByteArray>{"/registry/events/default/*"});
    const QString section = sourceSection({QStringLiteral("e"), etcd.url(), {}, {}}, m_found->found,
                                          [](const Candidate &) { return QStringList(); });
    QVERIFY2(section.contains(QLatin1String("push = true\n")), qPrintable(section));
    QVERIFY(section.contains(QLatin1String("scheme = \"etcd.lease\"\n  match = \"svc/*\"")));
}

void TestEtcdDiscover::saysWhatIsLeftOut()
{
    EtcdServer etcd;
    QVERIFY(etcd.start());
    const QByteArray lease = etcd.grant(600);
    for (int i = 0; i < 12; ++i)
        etcd.ctl({QStringLiteral("put"), QStringLiteral("locks/%1").arg(i), QStringLiteral("v"),
                  QLatin1String("--lease=") + QLatin1String(lease)});
    const SourceSpec spec = specOf(etcd);
    QVERIFY(discover(std::make_unique<EtcdDiscoverer>(spec, etcd::endpointsOf(spec).value(), 5)) && m_found);
    QVERIFY(!m_found->allSeen);
    QCOMPARE(m_found->tables, 5);
    QCOMPARE(patterns(m_found->found), QList<QByteArray>{"locks/*"});
}

void TestEtcdDiscover::needsToReadAll()
{
    EtcdServer etcd;
    QVERIFY(etcd.start());
    for (const char *line : {"user add root:secret", "user add some:secret", "role add some",
                             "role grant-permission some --prefix=true read lk/", "user grant-role some some",
                             "user grant-role root root", "auth enable"})
        etcd.ctl(QString::fromLatin1(line).split(QLatin1Char(' ')));
    SourceSpec spec = specOf(etcd);
    spec.url.setUserName(QStringLiteral("some"));
    spec.password = "secret";
    QVERIFY(discover(spec) && m_error);
    QCOMPARE(m_error->code, base::ErrorCode::PermissionDenied);
    QVERIFY(m_error->remedy.contains(QLatin1String("may read all keys")));
    spec.password = "wrong";
    QVERIFY(discover(spec) && m_error);
    QCOMPARE(m_error->code, base::ErrorCode::Authentication);
}

void TestEtcdDiscover::nobodyThere()
{
    QVERIFY(discover(QUrl(QStringLiteral("etcd://127.0.0.1:1"))) && m_error);
    QCOMPARE(m_error->code, base::ErrorCode::Unreachable);
}

void TestEtcdDiscover::patternsHoldWhatTheyWereMadeOf_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("match");
    QTest::addColumn<bool>("proposed");
    QTest::newRow("a queue at the top") << QByteArray("jobs/1f") << QByteArray("jobs") << true;
    QTest::newRow("below a slash") << QByteArray("/jobs/1f") << QByteArray("/jobs") << true;
    QTest::newRow("characters of globs") << QByteArray("a[1]*/x/1f") << QByteArray("a\\[1\\]\\*/*") << true;
    QTest::newRow("a plain key") << QByteArray("nodes/n1") << QByteArray("nodes/*") << false;
    QTest::newRow("named after locks") << QByteArray("mutex/n1") << QByteArray("mutex/*") << true;
    QTest::newRow("OpenStack's Tooz") << QByteArray("/tooz/locksjobs") << QByteArray("/tooz/locks*") << true;
    QTest::newRow("a cache") << QByteArray("cache/n1") << QByteArray("cache/*") << false;
}

void TestEtcdDiscover::patternsHoldWhatTheyWereMadeOf()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, match);
    QFETCH(bool, proposed);
    const QList<Candidate> candidates = judgeKeys({{key, {}, 5, 5, 0x1f}});
    QCOMPARE(candidates.size(), 1);
    QCOMPARE(candidates.first().match, match);
    QCOMPARE(candidates.first().isProposed(), proposed);
    QVERIFY(base::globMatches(match, etcd::queuesOf({{key, {}, 5, 5, 0x1f}}).first().name));
}

LOCKKEEPER_TEST(TestEtcdDiscover)

} // namespace tst_etcd_discover

#include "tst_etcd_discover.moc"
