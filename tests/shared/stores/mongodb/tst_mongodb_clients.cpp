// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_client.h"
#include "shared/locks/factory.h"
#include "shared/stores/mongodb/store/mongo_store.h"
#include "tests/support/lock_answers.h"
#include "tests/support/mongod_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_mongodb_clients {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::mongodb;
using namespace lockkeeper::tests;
using domain::Outcome;
using locks::Attempt;
using locks::AttemptResult;
using locks::Lease;
using locks::LockClient;

constexpr qint64 kTtlUs = 30'000'000;

/** The lock library's side of MongoDB. */
class TestMongodbClients : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void aLeaseFromAcquisitionToRelease_data() { layouts(); }
    void aLeaseFromAcquisitionToRelease();
    void aTokenIsHonoured_data() { layouts(); }
    void aTokenIsHonoured();
    void aBrokenLockIsLost_data() { layouts(); }
    void aBrokenLockIsLost();
    void aLeaseEndsByItself_data() { layouts(); }
    void aLeaseEndsByItself();
    void whatStandsThere_data();
    void whatStandsThere();
    void withoutItsIndexThereIsNoLease_data();
    void withoutItsIndexThereIsNoLease();
    void whatIsntTaken();
    void itReconnectsOnTheNextRequest();

private:
    static void layouts()
    {
        QTest::addColumn<QString>("preset");
        QTest::newRow("mongodb.ttl") << QString();
        QTest::newRow("ShedLock") << QStringLiteral("mongodb-shedlock");
        QTest::newRow("mongo-locks") << QStringLiteral("mongo-locks");
        QTest::newRow("mongodb-lock") << QStringLiteral("mongodb-lock");
        QTest::newRow("mongoelector") << QStringLiteral("mongoelector");
    }
    /** Makes the indexes of the layout's own clients, with leases of 90 s if the index sets their length. */
    void makeIndexes(const QString &preset, int seconds = 90)
    {
        const auto index = [this](const QByteArray &field, const QByteArray &option) {
            return m_application->index("locks", "{\"key\": {\"" + field + "\": 1}, \"name\": \"" + field +
                                                     "\", " + option + '}');
        };
        if (preset.isEmpty())
            QVERIFY(index("updatedAt", "\"expireAfterSeconds\": " + QByteArray::number(seconds)));
        if (preset == QLatin1String("mongo-locks"))
            QVERIFY(index("action", "\"unique\": true") && index("expiresAt", "\"expireAfterSeconds\": 0"));
        if (preset == QLatin1String("mongodb-lock"))
            QVERIFY(index("name", "\"unique\": true"));
        if (preset == QLatin1String("mongoelector"))
            QVERIFY(index("ts_expire", "\"expireAfterSeconds\": 0"));
    }
    SourceSpec spec(const QString &preset) const
    {
        SourceSpec spec = tableOf(m_server.url(), "mongodb.ttl", QStringLiteral("locks"));
        spec.locks.first().preset = preset;
        return spec;
    }
    std::unique_ptr<LockClient> newClient(const SourceSpec &with)
    {
        auto client = locks::makeLockClient(with, with.locks.constFirst(), "test@host");
        if (!client)
            return nullptr;
        return std::move(*client);
    }
    AttemptResult acquire(LockClient &client, const QByteArray &name, qint64 ttlUs = kTtlUs)
    {
        return acquired(client, name, ttlUs);
    }
    AttemptResult renew(LockClient &client, const Lease &lease, qint64 ttlUs = kTtlUs)
    {
        return renewed(client, lease, ttlUs);
    }
    Attempt release(LockClient &client, const Lease &lease) { return released(client, lease).attempt; }

    MongodServer m_server;
    std::unique_ptr<DocumentClient> m_application;
};

void TestMongodbClients::initTestCase()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
    QVERIFY(m_server.start());
}

void TestMongodbClients::init()
{
    m_application = std::make_unique<DocumentClient>(m_server.url());
    QVERIFY(!m_application->run(R"({"dropDatabase": 1})").isEmpty());
}

void TestMongodbClients::aLeaseFromAcquisitionToRelease()
{
    QFETCH(const QString, preset);
    makeIndexes(preset);
    const auto one = newClient(spec(preset));
    const auto two = newClient(spec(preset));
    QVERIFY(one && two);
    const AttemptResult taken = acquire(*one, "a");
    QVERIFY2(!taken.error, taken.error ? qPrintable(taken.error->line()) : "");
    QCOMPARE(taken.attempt, Attempt::Done);
    QCOMPARE(taken.lease.ttlUs, preset.isEmpty() ? 90'000'000 : kTtlUs);
    const AttemptResult held = acquire(*two, "a");
    QVERIFY(!held.error);
    QCOMPARE(held.attempt, Attempt::Held);
    QCOMPARE(acquire(*two, "b").attempt, Attempt::Done);
    StoreHarness store(
        std::make_unique<MongoStore>(spec(preset), QList<Layout>{*layoutOf(spec(preset).locks.first())}));
    QVERIFY(store.open() && store.scan());
    const Observation first = *store.find("a");
    QVERIFY(first.held && first.acquiredUs && first.expiry == domain::ExpiryKind::At);
    const bool hasOwner = preset != QLatin1String("mongo-locks");
    QCOMPARE(first.owner, hasOwner ? taken.lease.token : QByteArray());
    QCOMPARE(first.expiresUs - *first.acquiredUs, taken.lease.ttlUs);
    const AttemptResult renewed = renew(*one, taken.lease);
    QCOMPARE(renewed.attempt, Attempt::Done);
    QVERIFY(store.scan());
    QCOMPARE(store.find("a")->identity, first.identity);
    QVERIFY(store.find("a")->expiresUs >= first.expiresUs);
    QCOMPARE(release(*one, renewed.lease), Attempt::Done);
    QCOMPARE(release(*one, renewed.lease), Attempt::Lost);
    QCOMPARE(renew(*one, renewed.lease).attempt, Attempt::Lost);
    QCOMPARE(acquire(*two, "a").attempt, Attempt::Done);
    QCOMPARE(m_application->count("locks"), 2);
}

void TestMongodbClients::aTokenIsHonoured()
{
    QFETCH(const QString, preset);
    makeIndexes(preset);
    const auto one = newClient(spec(preset));
    StoreHarness store(
        std::make_unique<MongoStore>(spec(preset), QList<Layout>{*layoutOf(spec(preset).locks.first())}));
    QVERIFY(store.open());
    for (int round = 0; round < 2; ++round) { // a document that is made, and one that stayed
        const AttemptResult taken = acquired(*one, "a", kTtlUs, "chosen");
        QVERIFY2(!taken.error, taken.error ? qPrintable(taken.error->line()) : "");
        QCOMPARE(taken.attempt, Attempt::Done);
        QCOMPARE(taken.lease.token, "chosen");
        QVERIFY(store.scan());
        const Observation before = *store.find("a");
        QCOMPARE(acquired(*one, "a", kTtlUs, "chosen").attempt, Attempt::Held); // its own doesn't enter again
        QVERIFY(store.scan());
        QCOMPARE(store.find("a")->identity, before.identity);
        QCOMPARE(store.find("a")->freshness, before.freshness);
        QCOMPARE(acquired(*one, "a", kTtlUs, "other").attempt, Attempt::Held);
        QCOMPARE(renew(*one, taken.lease).attempt, Attempt::Done);
        QCOMPARE(release(*one, taken.lease), Attempt::Done);
    }
    const AttemptResult refused = acquired(*one, "a", kTtlUs, "\xff");
    QVERIFY(refused.error && refused.lease.token.isEmpty());
}

void TestMongodbClients::aBrokenLockIsLost()
{
    QFETCH(const QString, preset);
    makeIndexes(preset);
    const auto client = newClient(spec(preset));
    const auto other = newClient(spec(preset));
    const Lease lease = acquire(*client, "a").lease;
    StoreHarness store(
        std::make_unique<MongoStore>(spec(preset), QList<Layout>{*layoutOf(spec(preset).locks.first())}));
    QVERIFY(store.open());
    QCOMPARE(store.release(orderFor(store.inspect("a"))).outcome, Outcome::Released);
    QCOMPARE(renew(*client, lease).attempt, Attempt::Lost);
    QCOMPARE(acquire(*other, "a").attempt, Attempt::Done);
    QCOMPARE(release(*client, lease), Attempt::Lost);
    QCOMPARE(acquire(*client, "a").attempt, Attempt::Held);
}

void TestMongodbClients::aLeaseEndsByItself()
{
    QFETCH(const QString, preset);
    makeIndexes(preset, 1);
    const auto one = newClient(spec(preset));
    const auto two = newClient(spec(preset));
    const Lease lease = acquire(*one, "a", 200'000).lease;
    QVERIFY(QTest::qWaitFor([&] { return acquire(*two, "a").attempt == Attempt::Done; }, 20'000));
    QCOMPARE(renew(*one, lease).attempt, Attempt::Lost);
    QCOMPARE(release(*one, lease), Attempt::Lost);
}

/** An expired document that its collection's clients don't sweep waits for the TTL monitor. A document with
 * another type of deadline can't be acquired. */
void TestMongodbClients::whatStandsThere_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QByteArray>("document");
    QTest::newRow("ShedLock, a number")
        << QStringLiteral("mongodb-shedlock") << QByteArray(R"("_id": "a", "lockUntil": 1)");
    QTest::newRow("ShedLock, nothing") << QStringLiteral("mongodb-shedlock") << QByteArray(R"("_id": "a")");
    QTest::newRow("mongodb-lock, a date")
        << QStringLiteral("mongodb-lock")
        << QByteArray(R"("name": "a", "expire": {"$date": {"$numberLong": "4102444800000"}})");
    QTest::newRow("mongodb-lock, nothing")
        << QStringLiteral("mongodb-lock") << QByteArray(R"("name": "a", "code": "c")");
}

void TestMongodbClients::whatStandsThere()
{
    QFETCH(const QString, preset);
    QFETCH(const QByteArray, document);
    makeIndexes(preset);
    QVERIFY(m_application->insert("locks", '{' + document + '}'));
    const auto client = newClient(spec(preset));
    QCOMPARE(acquire(*client, "a").attempt, Attempt::Held);
    QCOMPARE(m_application->count("locks", '{' + document + '}'), 1);
}

void TestMongodbClients::withoutItsIndexThereIsNoLease_data()
{
    QTest::addColumn<QString>("preset");
    for (const char *preset : {"", "mongo-locks", "mongodb-lock", "mongoelector"})
        QTest::newRow(*preset != '\0' ? preset : "mongodb.ttl") << QString::fromLatin1(preset);
}

void TestMongodbClients::withoutItsIndexThereIsNoLease()
{
    QFETCH(const QString, preset);
    const auto client = newClient(spec(preset));
    for (const bool there : {false, true}) {
        if (there)
            QVERIFY(!m_application->run(R"({"create": "locks"})").isEmpty());
        const AttemptResult result = acquire(*client, "a");
        QVERIFY(result.error && result.error->code == base::ErrorCode::SchemaMismatch);
        QVERIFY(result.error->remedy.contains(QLatin1String("createIndex")));
        QVERIFY(result.lease.token.isEmpty());
        QCOMPARE(m_application->count("locks"), 0);
    }
    makeIndexes(preset);
    QCOMPARE(acquire(*client, "a").attempt, Attempt::Done);
}

void TestMongodbClients::whatIsntTaken()
{
    const SourceSpec agenda = spec(QStringLiteral("agenda"));
    const auto job = locks::makeLockClient(agenda, agenda.locks.constFirst(), "test@host");
    QVERIFY(!job && job.error().code == base::ErrorCode::Unsupported);
    makeIndexes({});
    const auto client = newClient(spec({}));
    QVERIFY(acquire(*client, "a", 0).error);
    QVERIFY(acquire(*client, "\xff").error);
    const QByteArray longest(1000, 'x');
    QCOMPARE(acquire(*client, longest).attempt, Attempt::Done);
    // A name with quotes and dollars is a name.
    const AttemptResult odd = acquire(*client, R"($a"b\c{)");
    QCOMPARE(odd.attempt, Attempt::Done);
    QCOMPARE(release(*client, odd.lease), Attempt::Done);
}

void TestMongodbClients::itReconnectsOnTheNextRequest()
{
    SourceSpec quick = spec({});
    quick.connectTimeoutMs = 1'000;
    makeIndexes({});
    const auto client = newClient(quick);
    const Lease lease = acquire(*client, "a").lease;
    m_server.kill();
    QVERIFY(renew(*client, lease).error);
    QVERIFY(m_server.restart());
    QVERIFY(QTest::qWaitFor([&] { return renew(*client, lease).attempt == Attempt::Done; }, 20'000));
    QCOMPARE(release(*client, lease), Attempt::Done);
}

LOCKKEEPER_TEST(TestMongodbClients)

} // namespace tst_mongodb_clients

#include "tst_mongodb_clients.moc"
