// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_client.h"
#include "shared/stores/discover/mongodb_scan.h"
#include "shared/stores/discover/source_section.h"
#include "tests/support/discovering.h"
#include "tests/support/mongod_server.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_mongodb_discover {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::discover;
using namespace lockkeeper::tests;
using mongodb::CollectionFacts;

/** Recognition of the collections in a real MongoDB. */
class TestMongodbDiscover : public QObject, protected Discovering
{
    Q_OBJECT

private Q_SLOTS:
    void findsWhatIsKnownAndWhatLooksLikeLocks();
    void valuesAreOfTimesAndNumbers();
    void nobodyThere();
    void shapes_data();
    void shapes();
};

void TestMongodbDiscover::findsWhatIsKnownAndWhatLooksLikeLocks()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
    MongodServer server;
    QVERIFY(server.start());
    const DocumentClient client(server.url());
    QVERIFY(client.insert("shedLock", R"({"_id": "job", "lockUntil": {"$date": "2099-01-01T00:00:00Z"},
        "lockedAt": {"$date": "2026-01-01T00:00:00Z"}, "lockedBy": "node"})"));
    QVERIFY(client.insert("job_locks", R"({"_id": "a", "acquirer": "h1", "acquiredAt":
        {"$date": "2026-01-01T00:00:00Z"}, "updatedAt": {"$date": "2026-01-01T00:00:00Z"}})"));
    QVERIFY(client.index("job_locks",
                         R"({"key": {"updatedAt": 1}, "name": "t", "expireAfterSeconds": 1000000000})"));
    QVERIFY(client.insert("orders", R"({"_id": 1, "customer": "c", "price": 3, "createdAt":
        {"$date": "2026-01-01T00:00:00Z"}})"));
    QVERIFY(discover(server.url()) && m_found);
    QCOMPARE(m_found->store, QByteArray("mongodb"));
    QVERIFY(m_found->server.startsWith(QLatin1String("MongoDB 6.")));
    QCOMPARE(m_found->database, QStringLiteral("app"));
    QCOMPARE(m_found->tables, 3);
    QCOMPARE(m_found->found.size(), 2);
    QCOMPARE(m_found->found.at(0).preset, QStringLiteral("mongodb-shedlock"));
    const Candidate &own = m_found->found.at(1);
    QCOMPARE(own.scheme, QByteArray("mongodb.ttl"));
    QCOMPARE(own.mapping.table, QStringLiteral("job_locks"));
    QCOMPARE(own.mapping.name, QStringList{QStringLiteral("_id")});
    QCOMPARE(own.mapping.holder, QStringLiteral("acquirer"));
    QCOMPARE(own.mapping.acquiredAt, QStringLiteral("acquiredAt"));
    QCOMPARE(own.mapping.renewedAt, QStringLiteral("updatedAt")); // the deadline follows from its TTL index
    QCOMPARE(own.access.size(), 2);                               // the agent's own look at it
    const QString section = sourceSection({QStringLiteral("m"), server.url(), {}, {}}, m_found->found,
                                          [](const Candidate &) { return QStringList(); });
    QVERIFY2(section.contains(QLatin1String("preset = \"mongodb-shedlock\"\n  table = \"shedLock\"")),
             qPrintable(section));
    QVERIFY2(section.contains(
                 QLatin1String("scheme = \"mongodb.ttl\"\n  table = \"job_locks\"\n  name = \"_id\"")),
             qPrintable(section));
}

/** Discover keeps values of times and numbers only; holders' names are none of its business. */
void TestMongodbDiscover::valuesAreOfTimesAndNumbers()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
    MongodServer server;
    QVERIFY(server.start());
    const DocumentClient client(server.url());
    QVERIFY(client.insert("locks", R"({"_id": "secret-name", "acquirer": "secret-holder", "n": 7})"));
    SourceSpec spec;
    spec.url = server.url();
    const auto facts = mongodb::readCollections(spec, [](qint64, qint64) { return true; });
    QVERIFY(facts);
    const CollectionFacts &locks = facts->collections.constFirst();
    QCOMPARE(locks.documents, 1);
    QCOMPARE(locks.fields.size(), 3);
    QCOMPARE(locks.fields.at(1).types, QByteArrayList{"string"});
    QCOMPARE(locks.fields.at(2).numbers, QList<qint64>{7});
    QVERIFY(!mongodb::readCollections(spec, [](qint64, qint64) { return false; }));
}

void TestMongodbDiscover::nobodyThere()
{
    QVERIFY(discover(QUrl(QStringLiteral("mongodb://127.0.0.1:1/app"))) && m_error);
    QCOMPARE(m_error->code, base::ErrorCode::Unreachable);
    QVERIFY(discover(QUrl(QStringLiteral("mongodb://127.0.0.1:1"))) && m_error);
    QCOMPARE(m_error->code, base::ErrorCode::Usage);
}

void TestMongodbDiscover::shapes_data()
{
    using Fields = QList<std::pair<const char *, const char *>>;
    QTest::addColumn<QByteArray>("collection");
    QTest::addColumn<Fields>("fields");
    QTest::addColumn<QByteArray>("unique"); ///< a field
    QTest::addColumn<bool>("proposed");
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("name");
    const auto row = [](const char *tag, const char *collection, const Fields &fields, const char *unique,
                        bool proposed, const char *preset, const char *name) {
        QTest::newRow(tag) << QByteArray(collection) << fields << QByteArray(unique) << proposed
                           << QString::fromLatin1(preset) << QString::fromLatin1(name);
    };
    row("npm mongo-locks", "locks", {{"_id", "objectId"}, {"action", "string"}, {"expiresAt", "date"}},
        "action", true, "mongo-locks", "action");
    row("npm mongo-locks 3", "locks",
        {{"_id", "objectId"},
         {"action", "string"},
         {"createdAt", "date"},
         {"refreshedAt", "date"},
         {"expiresAt", "date"}},
        "action", true, "mongo-locks", "action");
    row("npm mongodb-lock", "locks",
        {{"_id", "objectId"},
         {"name", "string"},
         {"code", "string"},
         {"expire", "double"},
         {"inserted", "double"},
         {"expired", "double"}},
        "name", true, "mongodb-lock", "name");
    row("npm agenda", "agendaJobs",
        {{"_id", "objectId"},
         {"name", "string"},
         {"data", "null"},
         {"priority", "int"},
         {"type", "string"},
         {"nextRunAt", "date"},
         {"lastModifiedBy", "string"},
         {"lockedAt", "date"},
         {"lastRunAt", "date"},
         {"lastFinishedAt", "date"}},
        "", true, "agenda", "_id");
    row("PyPI mongoelector", "electorlocks",
        {{"_id", "string"}, {"uuid", "string"}, {"ts_created", "date"}, {"ts_expire", "date"}}, "", true,
        "mongoelector", "_id");
    row("npm migrate-mongo", "changelog_lock", {{"_id", "objectId"}, {"createdAt", "date"}}, "", true,
        "migrate-mongo", "_id");
    row("ShedLock under another name", "schedulerLocks",
        {{"_id", "string"}, {"lockUntil", "date"}, {"lockedAt", "date"}, {"lockedBy", "string"}}, "", true,
        "mongodb-shedlock", "_id");
    row("a key of its own", "mutexes",
        {{"_id", "objectId"}, {"lockKey", "string"}, {"owner", "string"}, {"expiresAt", "date"}}, "lockKey",
        true, "", "lockKey");
    row("without a unique index", "mutexes",
        {{"_id", "objectId"}, {"lockKey", "string"}, {"owner", "string"}, {"expiresAt", "date"}}, "", false,
        "", "lockKey");
    row("sessions", "sessions", {{"_id", "string"}, {"session", "string"}, {"expires", "date"}}, "", false,
        "", "");
    row("users", "users", {{"_id", "objectId"}, {"email", "string"}, {"lockedAt", "date"}}, "email", false,
        "", "");
    row("some names are ObjectIds", "jobLocks",
        {{"_id", "string objectId"}, {"acquirer", "string"}, {"acquiredAt", "date"}, {"updatedAt", "date"}},
        "", true, "", "_id");
    row("empty", "locks", {}, "", false, "", "");
}

void TestMongodbDiscover::shapes()
{
    using Fields = QList<std::pair<const char *, const char *>>;
    QFETCH(const QByteArray, collection);
    QFETCH(const Fields, fields);
    QFETCH(const QByteArray, unique);
    QFETCH(const bool, proposed);
    QFETCH(const QString, preset);
    QFETCH(const QString, name);
    CollectionFacts facts;
    facts.name = collection;
    facts.documents = fields.isEmpty() ? 0 : 3;
    for (const auto &[field, type] : fields)
        facts.fields.append({field, QByteArray(type).split(' '), true, {}, {}});
    if (!unique.isEmpty())
        facts.uniqueKeys = {{unique}};
    const Candidate candidate = judgeCollection(facts, 1'795'000'000'000'000);
    QVERIFY2(candidate.isProposed() == proposed, qPrintable(QString::number(candidate.score)));
    QCOMPARE(candidate.preset, preset);
    if (!name.isEmpty())
        QCOMPARE(candidate.mapping.name, QStringList{name});
    QCOMPARE(candidate.scheme, QByteArray("mongodb.ttl"));
}

LOCKKEEPER_TEST(TestMongodbDiscover)

} // namespace tst_mongodb_discover

#include "tst_mongodb_discover.moc"
