// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_client.h"
#include "shared/stores/mongodb/store/mongo_store.h"
#include "tests/support/mongod_server.h"
#include "tests/support/store_contract.h"
#include "tests/support/test_program.h"

#include <QDateTime>
#include <QTest>

namespace tst_mongodb_store {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::mongodb;
using namespace lockkeeper::tests;
using domain::ExpiryKind;
using domain::Outcome;

constexpr char kHeld[] = R"({"_id": "a", "acquirer": "h1", "acquiredAt": {"$date": "2026-01-01T00:00:00Z"},
                             "updatedAt": {"$date": "2026-01-01T00:00:00Z"}})";
/** A TTL that the monitor never reaches. */
constexpr char kTtl[] = R"({"key": {"updatedAt": 1}, "name": "ttl", "expireAfterSeconds": 1000000000})";

/** The store on a real mongod. */
class TestMongodbStore : public StoreContract
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void holdersAndDeadlines();
    void pagesAndNames();
    void aPageIsJudgedByItsReading();
    void aTtlIndexThatChanges();
    void aBreakTellsTheServersTime();
    void whatHasChangedIsLeft_data();
    void whatHasChangedIsLeft();
    void aFieldThatCame();
    void aNameOfAnotherType();
    void lettersOfAnotherCase();
    void aHolderLikeAPath();
    void whatHasExpiredMeanwhile();
    void aTermLeftOutFreesTheWrongOne_data();
    void aTermLeftOutFreesTheWrongOne();
    void onlyWhatHasExpired();
    void shedlocksDocumentStays();
    void namesNeedAUniqueIndex();
    void idsOfEveryTypeAreBroken();
    void nobodysDocumentIsLeft();
    void documentsThatNobodyShouldWrite_data();
    void documentsThatNobodyShouldWrite();
    void bigDocuments();
    void whatABigBatchLeavesIsAsOld();
    void rightsAndPasswords();
    void findings();
    void aServerWithoutASet();
    void aMigrationsLock();
    void nobodyThere_data();
    void nobodyThere();

private:
    SourceSpec spec(const QString &preset = {}) const
    {
        SourceSpec spec = sourceOf(m_server->url(), "mongodb.ttl");
        spec.locks.first().preset = preset;
        if (preset.isEmpty())
            spec.locks.first().table.table = QStringLiteral("locks");
        return spec;
    }
    SourceSpec source() const override { return spec(); }
    QByteArray lockName() const override { return "a"; }
    bool acquire(const QByteArray &holder) override
    {
        return m_client->insert("locks", R"({"_id": "a", "acquirer": ")" + holder + R"("})");
    }
    bool giveBack() override { return m_client->remove("locks", R"({"_id": "a"})"); }
    bool isAcquired() override { return m_client->count("locks") == 1; }
    ServerSwitch server() override { return ServerSwitch::of(*m_server); }
    /** The driver reports its time-out so. */
    base::ErrorCode silence() const override { return base::ErrorCode::ConnectionLost; }
    QUrl nobody() const override { return QUrl(QStringLiteral("mongodb://127.0.0.1:1/app")); }
    static std::unique_ptr<StoreHarness> harness(const SourceSpec &spec, WriteTerm leftOut = WriteTerm::None)
    {
        QList<Layout> layouts;
        for (const LockSet &set : spec.locks)
            layouts.append(layoutOf(set).value());
        return std::make_unique<StoreHarness>(std::make_unique<MongoStore>(spec, layouts, leftOut));
    }

    std::unique_ptr<MongodServer> m_server;
    std::unique_ptr<DocumentClient> m_client;
};

void TestMongodbStore::initTestCase()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
    m_server = std::make_unique<MongodServer>();
    QVERIFY(m_server->start());
}

void TestMongodbStore::init()
{
    m_client = std::make_unique<DocumentClient>(m_server->url());
    QVERIFY(!m_client->run(R"({"dropDatabase": 1})").isEmpty());
    QVERIFY(!m_server->ask(R"({"setParameter": 1, "ttlMonitorEnabled": true})").isEmpty());
}

void TestMongodbStore::holdersAndDeadlines()
{
    const auto store = harness(spec());
    QVERIFY(store->open());
    QVERIFY2(store->m_info.server.startsWith(QLatin1String("MongoDB ")), qPrintable(store->m_info.server));
    QCOMPARE(store->m_info.instance, "rs0");
    QCOMPARE(store->m_info.places, QList<QByteArray>{"app.locks"});
    for (const domain::Access &access : std::as_const(store->m_info.access))
        QVERIFY2(access.granted, access.need.constData());
    QVERIFY(store->scan()); // the collection doesn't exist yet
    QVERIFY(store->m_ends.constLast().complete && store->m_pages.constFirst().locks.isEmpty());
    QVERIFY(m_client->index("locks", kTtl));
    QVERIFY(m_client->insert("locks", kHeld));
    QVERIFY(store->scan());
    const Observation lock = *store->find("a");
    QVERIFY(lock.held && lock.reclaimed && lock.ownerKnown);
    QCOMPARE(lock.owner, "h1");
    QCOMPARE(lock.expiry, ExpiryKind::At);
    QCOMPARE(lock.expiresUs, (1'767'225'600LL + 1'000'000'000LL) * 1'000'000);
    QCOMPARE(*lock.acquiredUs, 1'767'225'600LL * 1'000'000);
    QVERIFY(store->m_ends.constLast().beganUs <= store->m_ends.constLast().endedUs);
    // A renewal continues the hold; another acquisition starts a new hold.
    QVERIFY(m_client->update("locks", R"({"_id": "a"})",
                             R"({"$set": {"updatedAt": {"$date": "2026-01-01T00:01:00Z"}}})"));
    QVERIFY(store->scan());
    QCOMPARE(store->find("a")->identity, lock.identity);
    QVERIFY(store->find("a")->freshness != lock.freshness);
    QVERIFY(m_client->remove("locks", R"({"_id": "a"})"));
    QVERIFY(store->scan() && !store->find("a"));
    const QList<Observation> points = store->readPoints({{0, "a"}});
    QCOMPARE(points.size(), 1);
    QVERIFY(!points.constFirst().present);
}

void TestMongodbStore::pagesAndNames()
{
    SourceSpec small = spec();
    small.pageSize = 10;
    small.locks.first().match = "lock-*";
    for (int i = 0; i < 25; ++i)
        QVERIFY(m_client->insert("locks",
                                 "{\"_id\": \"lock-" + QByteArray::number(i) + "\", \"acquirer\": \"h\"}"));
    QVERIFY(m_client->insert("locks", R"({"_id": "other", "acquirer": "h"})"));
    const auto store = harness(small);
    QVERIFY(store->open() && store->scan());
    QSet<QByteArray> names;
    for (const Page &page : std::as_const(store->m_pages)) {
        QVERIFY(page.locks.size() <= 10 && page.beganUs <= page.endedUs);
        for (const Observation &lock : page.locks)
            names.insert(lock.name);
    }
    QCOMPARE(names.size(), 25);
    QCOMPARE(store->m_ends.constLast().scanned, 26);
    // A scan that waits ends with the connection, and only once.
    store->store().setPaused(true);
    store->beginScan();
    QVERIFY(store->waitFor([&] { return !store->m_pages.isEmpty(); }));
    QCOMPARE(store->inspect("lock-7").lock.owner, "h"); // after the first page
    const auto before = store->m_ends.size();
    store->store().close();
    QCOMPARE(store->m_ends.size(), before + 1);
    QVERIFY(!store->m_ends.constLast().complete);
    store->store().setPaused(false);
    QVERIFY(store->open());
    // The scan resumes where it stopped.
    store->store().setPaused(true);
    store->beginScan();
    QVERIFY(store->waitFor([&] { return !store->m_pages.isEmpty(); }));
    QCOMPARE(store->inspect("lock-7").lock.owner, "h");
    const auto ends = store->m_ends.size();
    store->store().setPaused(false);
    QVERIFY(store->waitFor([&] { return store->m_ends.size() > ends; }));
    QVERIFY(store->m_ends.constLast().complete);
}

/** A lock that waits to be reported while the scan is paused may be renewed meanwhile. Its hold doesn't end
 * when the deadline that was read passes. */
void TestMongodbStore::aPageIsJudgedByItsReading()
{
    SourceSpec small = spec(QStringLiteral("mongodb-shedlock"));
    small.pageSize = 1;
    const auto store = harness(small);
    QVERIFY(store->open());
    const QByteArray until = QByteArray::number(QDateTime::currentMSecsSinceEpoch() + 5'000);
    for (const char *name : {"a", "b"})
        QVERIFY(m_client->insert("shedLock",
                                 QByteArray(R"({"_id": ")") + name +
                                     R"(", "lockedBy": "h", "lockedAt": {"$date": "2026-01-01T00:00:00Z"},
                                        "lockUntil": {"$date": {"$numberLong": ")" +
                                     until + R"("}}})"));
    store->store().setPaused(true);
    store->beginScan();
    QVERIFY(store->waitFor([&] { return !store->m_pages.isEmpty(); }));
    QVERIFY(store->inspect("b").lock.held); // answered once the next page was read, too
    QVERIFY(QTest::qWaitFor([&] { return !store->inspect("b").lock.held; }, 30'000));
    QVERIFY(!store->find("b"));
    store->store().setPaused(false);
    QVERIFY(store->waitFor([&] { return !store->m_ends.isEmpty(); }));
    QVERIFY(store->find("b")->held);
}

void TestMongodbStore::aTtlIndexThatChanges()
{
    QVERIFY(m_client->insert("locks", kHeld));
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan());
    QCOMPARE(store->find("a")->expiry, ExpiryKind::None);
    QVERIFY(m_client->index("locks", kTtl));
    QVERIFY(store->scan());
    QCOMPARE(store->find("a")->expiry, ExpiryKind::At);
    const qint64 first = store->find("a")->expiresUs;
    QVERIFY(
        !m_client->run(R"({"collMod": "locks", "index": {"name": "ttl", "expireAfterSeconds": 2000000000}})")
             .isEmpty());
    QVERIFY(store->scan());
    QCOMPARE(store->find("a")->expiresUs, first + 1'000'000'000LL * 1'000'000);
}

void TestMongodbStore::aBreakTellsTheServersTime()
{
    QVERIFY(m_client->insert("locks", kHeld));
    const auto store = harness(spec());
    QVERIFY(store->open());
    const ReleaseReport report = store->release(orderFor(store->inspect("a")));
    QCOMPARE(report.outcome, Outcome::Released);
    QVERIFY(report.storeUs && *report.storeUs > 1'767'225'600LL * 1'000'000);
}

void TestMongodbStore::whatHasChangedIsLeft_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::newRow("another holder") << QByteArray(R"({"$set": {"acquirer": "h2"}})");
    QTest::newRow("a list with the holder in it") << QByteArray(R"({"$set": {"acquirer": ["h1"]}})");
    QTest::newRow("acquired again") << QByteArray(
        R"({"$set": {"acquiredAt": {"$date": "2026-01-01T00:00:00.001Z"}}})");
    QTest::newRow("a number for the date")
        << QByteArray(R"({"$set": {"acquiredAt": {"$numberLong": "1767225600000"}}})");
    QTest::newRow("renewed") << QByteArray(
        R"({"$set": {"updatedAt": {"$date": "2026-01-01T00:00:00.001Z"}}})");
    QTest::newRow("a field gone") << QByteArray(R"({"$unset": {"updatedAt": ""}})");
    QTest::newRow("null for a field") << QByteArray(R"({"$set": {"updatedAt": null}})");
}

void TestMongodbStore::whatHasChangedIsLeft()
{
    QFETCH(const QByteArray, change);
    QVERIFY(m_client->insert("locks", kHeld));
    const auto store = harness(spec());
    QVERIFY(store->open());
    const ReleaseOrder order = orderFor(store->inspect("a"));
    QVERIFY(m_client->update("locks", R"({"_id": "a"})", change));
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QCOMPARE(m_client->count("locks"), 1);
    // The changed lock can be broken in turn.
    QCOMPARE(store->release(orderFor(store->inspect("a"))).outcome, Outcome::Released);
    QCOMPARE(m_client->count("locks"), 0);
}

void TestMongodbStore::aFieldThatCame()
{
    QVERIFY(m_client->insert("locks", R"({"_id": "a", "acquirer": "h1"})"));
    const auto store = harness(spec());
    QVERIFY(store->open());
    const ReleaseOrder order = orderFor(store->inspect("a"));
    QVERIFY(m_client->update("locks", R"({"_id": "a"})",
                             R"({"$set": {"updatedAt": {"$date": "2026-01-01T00:00:00Z"}}})"));
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QCOMPARE(m_client->count("locks"), 1);
}

/** Equal numbers of two types are the same `_id` to the server, but two names. */
void TestMongodbStore::aNameOfAnotherType()
{
    QVERIFY(m_client->insert("locks", R"({"_id": {"$numberInt": "1"}, "acquirer": "h1"})"));
    const auto store = harness(spec());
    QVERIFY(store->open());
    const ReleaseOrder order = orderFor(store->inspect(R"({ "_id" : { "$numberInt" : "1" } })"));
    QVERIFY(m_client->remove("locks", R"({"_id": 1})"));
    QVERIFY(m_client->insert("locks", R"({"_id": {"$numberDouble": "1"}, "acquirer": "h1"})"));
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QCOMPARE(m_client->count("locks"), 1);
}

/** The collection's collation ignores case. */
void TestMongodbStore::lettersOfAnotherCase()
{
    QVERIFY(!m_client->run(R"({"create": "locks", "collation": {"locale": "en", "strength": 1}})").isEmpty());
    QVERIFY(m_client->insert("locks", R"({"_id": "a", "acquirer": "H1"})"));
    const auto store = harness(spec());
    QVERIFY(store->open());
    const ReleaseOrder order = orderFor(store->inspect("a"));
    QVERIFY(m_client->update("locks", R"({"_id": "a"})", R"({"$set": {"acquirer": "h1"}})"));
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QCOMPARE(m_client->count("locks"), 1);
}

/** "$acquirer" is the holder's name here, not the current value of the field. */
void TestMongodbStore::aHolderLikeAPath()
{
    QVERIFY(m_client->insert("locks", R"({"_id": "$_id", "acquirer": "$acquirer"})"));
    const auto store = harness(spec());
    QVERIFY(store->open());
    const ReleaseOrder order = orderFor(store->inspect("$_id"));
    QVERIFY(m_client->update("locks", R"({"_id": "$_id"})", R"({"$set": {"acquirer": "h2"}})"));
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QVERIFY(m_client->update("locks", R"({"_id": "$_id"})", R"({"$set": {"acquirer": "$acquirer"}})"));
    QCOMPARE(store->release(order).outcome, Outcome::Released);
    QCOMPARE(m_client->count("locks"), 0);
}

/** A document that stays is free then: nothing remains to be broken. */
void TestMongodbStore::whatHasExpiredMeanwhile()
{
    const QByteArray soon = QByteArray::number(QDateTime::currentMSecsSinceEpoch() + 1'500);
    const QByteArray document =
        R"("_id": "job", "lockedBy": "h1", "lockedAt": {"$date": "2026-01-01T00:00:00Z"},
        "lockUntil": {"$date": {"$numberLong": ")" +
        soon + "\"}}";
    QVERIFY(m_client->insert("shedLock", '{' + document + '}'));
    const auto store = harness(spec(QStringLiteral("mongodb-shedlock")));
    QVERIFY(store->open());
    const ReleaseOrder order = orderFor(store->inspect("job"));
    QTRY_VERIFY_WITH_TIMEOUT(store->scan() && !store->find("job")->held, 20'000);
    QCOMPARE(store->release(order).outcome, Outcome::AlreadyFree);
    QCOMPARE(m_client->count("shedLock", '{' + document + '}'), 1);
}

void TestMongodbStore::aTermLeftOutFreesTheWrongOne_data()
{
    QTest::addColumn<int>("term");
    QTest::addColumn<QByteArray>("change");
    QTest::newRow("identity") << int(WriteTerm::Identity) << QByteArray(R"({"$set": {"acquirer": "h2"}})");
    QTest::newRow("freshness") << int(WriteTerm::Freshness)
                               << QByteArray(
                                      R"({"$set": {"updatedAt": {"$date": "2026-01-01T00:00:00.001Z"}}})");
    QTest::newRow("type") << int(WriteTerm::Type)
                          << QByteArray(R"({"$set": {"generation": {"$numberDouble": "1"}}})");
    QTest::newRow("id") << int(WriteTerm::Id) << QByteArray();
}

/** Each term protects a break from the wrong target: without the term, the wrong lock is freed. */
void TestMongodbStore::aTermLeftOutFreesTheWrongOne()
{
    QFETCH(const int, term);
    QFETCH(const QByteArray, change);
    SourceSpec with = spec();
    if (WriteTerm(term) == WriteTerm::Type) {
        with.locks.first().table.holder = QStringLiteral("acquirer");
        with.locks.first().table.acquiredAt = QStringLiteral("generation"); // a number is a time as well
    }
    for (const WriteTerm leftOut : {WriteTerm::None, WriteTerm(term)}) {
        const bool wrong = leftOut != WriteTerm::None;
        QVERIFY(!m_client->run(R"({"delete": "locks", "deletes": [{"q": {}, "limit": 0}]})").isEmpty());
        if (WriteTerm(term) ==
            WriteTerm::Id) // without a comparison of the id, the first of the two is removed
            QVERIFY(m_client->insert("locks", R"({"_id": "0", "acquirer": "h1"})") &&
                    m_client->insert("locks", R"({"_id": "a", "acquirer": "h1"})"));
        else if (WriteTerm(term) == WriteTerm::Type)
            QVERIFY(m_client->insert(
                "locks", R"({"_id": "a", "acquirer": "h1", "generation": {"$numberLong": "1"}})"));
        else
            QVERIFY(m_client->insert("locks", kHeld));
        const auto store = harness(with, leftOut);
        QVERIFY(store->open());
        const ReleaseOrder order = orderFor(store->inspect("a"));
        if (WriteTerm(term) == WriteTerm::Id) {
            QCOMPARE(store->release(order).outcome, Outcome::Released);
            QCOMPARE(m_client->count("locks", R"({"_id": "0"})"), wrong ? 0 : 1);
            continue;
        }
        QVERIFY(m_client->update("locks", R"({"_id": "a"})", change));
        QCOMPARE(store->release(order).outcome, wrong ? Outcome::Released : Outcome::HolderChanged);
    }
}

void TestMongodbStore::onlyWhatHasExpired()
{
    QVERIFY(m_client->index("locks", kTtl));
    QVERIFY(m_client->insert("locks", kHeld));
    const auto store = harness(spec());
    QVERIFY(store->open());
    ReleaseOrder order = orderFor(store->inspect("a"));
    order.mustBeExpired = true;
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QCOMPARE(m_client->count("locks"), 1);
    SourceSpec numbers = spec();
    numbers.locks.first().table.holder = QStringLiteral("who");
    numbers.locks.first().table.expiresAt = QStringLiteral("until");
    numbers.locks.first().table.units.insert(QStringLiteral("expires_at"), QStringLiteral("epoch_s"));
    QVERIFY(m_client->insert("locks", R"({"_id": "past", "who": "h1", "until": 1700000000})"));
    QVERIFY(m_client->insert("locks", R"({"_id": "future", "who": "h1", "until": 17000000000})"));
    const auto other = harness(numbers);
    QVERIFY(other->open());
    for (const auto &[name, outcome] :
         {std::pair("past", Outcome::Released), std::pair("future", Outcome::HolderChanged)}) {
        ReleaseOrder expired = orderFor(other->inspect(name));
        expired.mustBeExpired = true;
        QCOMPARE(other->release(expired).outcome, outcome);
    }
    ReleaseOrder never = orderFor(other->inspect("a"));
    QVERIFY(m_client->run(R"({"dropIndexes": "locks", "index": "ttl"})").size() > 0);
    never = orderFor(store->inspect("a"));
    never.mustBeExpired = true;
    QCOMPARE(store->release(never).outcome, Outcome::Refused);
}

void TestMongodbStore::shedlocksDocumentStays()
{
    QVERIFY(m_client->insert("shedLock", R"({"_id": "job", "lockedBy": "h1",
        "lockedAt": {"$date": "2026-01-01T00:00:00Z"}, "lockUntil": {"$date": "2199-01-01T00:00:00Z"}})"));
    const auto store = harness(spec(QStringLiteral("mongodb-shedlock")));
    QVERIFY(store->open() && store->scan());
    QVERIFY(store->find("job")->held);
    const ReleaseOrder order = orderFor(store->inspect("job"));
    QCOMPARE(store->release(order).outcome, Outcome::Released);
    QVERIFY(store->scan());
    const Observation free = *store->find("job");
    QVERIFY(free.present && !free.held);
    QCOMPARE(free.owner, "h1");
    QVERIFY(free.expiresUs <= store->m_ends.constLast().endedUs);
    QCOMPARE(store->release(order).outcome, Outcome::AlreadyFree);
    QCOMPARE(m_client->count("shedLock"), 1);
}

void TestMongodbStore::namesNeedAUniqueIndex()
{
    QVERIFY(m_client->insert("locks", R"({"action": "a", "expiresAt": {"$date": "2199-01-01T00:00:00Z"}})"));
    const auto store = harness(spec(QStringLiteral("mongo-locks")));
    QVERIFY(!store->open());
    QCOMPARE(store->m_failures.constLast().code, base::ErrorCode::SchemaMismatch);
    QVERIFY(m_client->index("locks", R"({"key": {"action": 1}, "name": "action", "unique": true})"));
    QVERIFY(store->open() && store->scan());
    const Observation lock = *store->find("a");
    QVERIFY(lock.held && !lock.ownerKnown && lock.dated && lock.flaw == Flaw::None);
    const ReleaseOrder order = orderFor(store->inspect("a"));
    // A new acquisition makes another document.
    QVERIFY(m_client->remove("locks", R"({"action": "a"})"));
    QCOMPARE(store->release(order).outcome, Outcome::AlreadyFree);
    ReleaseOrder unnamed = order;
    unnamed.guard.key.name = "{"; // no document has such a name: a forged guard
    QCOMPARE(store->release(unnamed).outcome, Outcome::Refused);
    QVERIFY(m_client->insert("locks", R"({"action": "a", "expiresAt": {"$date": "2199-01-01T00:00:00Z"}})"));
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QCOMPARE(m_client->count("locks"), 1);
    QCOMPARE(store->release(orderFor(store->inspect("a"))).outcome, Outcome::Released);
}

void TestMongodbStore::idsOfEveryTypeAreBroken()
{
    const QList<QByteArray> ids{R"("a")",
                                R"("{x")",
                                R"({"$numberInt": "5"})",
                                R"({"$numberLong": "9007199254740993"})",
                                R"({"$oid": "5f8f8c44b54764421b7156c9"})",
                                "true",
                                R"({"$numberDouble": "NaN"})",
                                R"({"x": 1, "y": "z"})",
                                R"({"$date": {"$numberLong": "5"}})",
                                R"({"$binary": {"base64": "AP8=", "subType": "00"}})",
                                R"({"$binary": {"base64": "AP8=", "subType": "80"}})",
                                R"({"$timestamp": {"t": 5, "i": 1}})",
                                R"({"$numberDecimal": "1.0"})",
                                R"({"$numberDouble": "-0.0"})",
                                R"({"$numberDouble": "-Infinity"})",
                                R"({"$date": {"$numberLong": "253402300799999"}})",
                                R"({"$date": {"$numberLong": "-9223372036854775808"}})",
                                R"({"$code": "return 1"})",
                                R"({"$symbol": "s"})",
                                R"({"$minKey": 1})",
                                R"({"$maxKey": 1})",
                                R"({})",
                                "null"};
    for (const QByteArray &id : ids)
        QVERIFY2(m_client->insert("locks", "{\"_id\": " + id + ", \"acquirer\": \"h\"}"), id.constData());
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan());
    QList<QByteArray> names;
    for (const Observation &lock : store->m_pages.constFirst().locks)
        names.append(lock.name);
    QCOMPARE(names.size(), ids.size());
    for (qsizetype i = 0; i < names.size(); ++i) {
        QCOMPARE(store->release(orderFor(store->inspect(names.at(i)))).outcome, Outcome::Released);
        QCOMPARE(m_client->count("locks"), int(ids.size() - i - 1));
    }
}

void TestMongodbStore::nobodysDocumentIsLeft()
{
    QVERIFY(m_client->insert("locks", R"({"_id": "a", "acquirer": null})"));
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan());
    QCOMPARE(store->find("a")->flaw, Flaw::NullIdentity);
    QCOMPARE(store->release(orderFor(store->inspect("a"))).outcome, Outcome::Refused);
    QCOMPARE(m_client->count("locks"), 1);
}

void TestMongodbStore::documentsThatNobodyShouldWrite_data()
{
    QTest::addColumn<QByteArray>("rest");
    QTest::addColumn<int>("flaw");
    QTest::addColumn<bool>("broken");
    const auto row = [](const char *name, const char *rest, Flaw flaw, bool broken) {
        QTest::newRow(name) << QByteArray(rest) << int(flaw) << broken;
    };
    row("no field at all", "", Flaw::NullIdentity, false);
    row("the holder twice", R"(, "acquirer": "h1", "acquirer": "h2")", Flaw::Malformed, false);
    row("a time twice", R"(, "acquirer": "h1", "updatedAt": 1, "updatedAt": 2)", Flaw::Malformed, false);
    row("the holder as a document", R"(, "acquirer": {"host": "h1", "pid": 7})", Flaw::None, true);
    row("the holder as a list", R"(, "acquirer": ["h1", "h2"])", Flaw::None, true);
    row("the holder as a number", R"(, "acquirer": {"$numberLong": "9007199254740993"})", Flaw::None, true);
    row("the holder as NaN", R"(, "acquirer": {"$numberDouble": "NaN"})", Flaw::None, true);
    row("the holder like an expression", R"(, "acquirer": "$$NOW")", Flaw::None, true);
    row("the holder like an operator", R"(, "acquirer": {"$oid": "5f8f8c44b54764421b7156c9"})", Flaw::None,
        true);
    row("a time as a list", R"(, "acquirer": "h1", "updatedAt": [1])", Flaw::BadTime, false);
    row("a time of NaN", R"(, "acquirer": "h1", "acquiredAt": {"$numberDouble": "NaN"})", Flaw::BadTime,
        false);
    row("a time before all",
        R"(, "acquirer": "h1", "updatedAt": {"$date": {"$numberLong": "-9223372036854775808"}})",
        Flaw::BadTime, false);
    row("the year 9999", R"(, "acquirer": "h1", "updatedAt": {"$date": "9999-12-31T23:59:59.999Z"})",
        Flaw::None, true);
}

/** Odd documents are shown and released exactly, or not at all. */
void TestMongodbStore::documentsThatNobodyShouldWrite()
{
    QFETCH(const QByteArray, rest);
    QFETCH(const int, flaw);
    QFETCH(const bool, broken);
    QVERIFY(!m_server->ask(R"({"setParameter": 1, "ttlMonitorEnabled": false})").isEmpty());
    QVERIFY(m_client->index("locks", kTtl));
    QVERIFY(m_client->insert("locks", "{\"_id\": \"a\"" + rest + '}'));
    QVERIFY(m_client->insert("locks", R"({"_id": "b", "acquirer": "h1"})"));
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan());
    QVERIFY(store->find("b"));
    QCOMPARE(int(store->find("a")->flaw), flaw);
    const Inspection seen = store->inspect("a");
    QCOMPARE(int(seen.lock.flaw), flaw);
    if (broken || seen.lock.identity.isEmpty()) { // one with a flaw isn't asked for
        QCOMPARE(store->release(orderFor(seen)).outcome, broken ? Outcome::Released : Outcome::Refused);
        QCOMPARE(m_client->count("locks", R"({"_id": "a"})"), broken ? 0 : 1);
    }
    QCOMPARE(m_client->count("locks", R"({"_id": "b"})"), 1);
}

void TestMongodbStore::bigDocuments()
{
    const QByteArray mib(1024 * 1024, 'x');
    const Bson largest = fromJson(R"({"_id": "payload", "acquirer": "h"})");
    const int room = 16 * 1024 * 1024 - int(largest.get()->len) - int(sizeof "\2payload\0size");
    const QByteArray payload(room, 'x');
    QVERIFY(bson_append_utf8(largest.get(), "payload", -1, payload.constData(), int(payload.size())));
    QCOMPARE(largest.get()->len, 16U * 1024 * 1024);
    QVERIFY(m_client->insert("locks", largest.get()));
    QVERIFY(m_client->insert("locks", "{\"_id\": \"holder\", \"acquirer\": \"" + mib.repeated(15) + "\"}"));
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan());
    QCOMPARE(store->find("payload")->flaw, Flaw::None);
    QCOMPARE(store->find("holder")->flaw, Flaw::Truncated);
    QCOMPARE(store->find("holder")->owner.size(), kShownOfLongValue);
    QCOMPARE(store->release(orderFor(store->inspect("holder"))).outcome, Outcome::Refused);
    QCOMPARE(store->release(orderFor(store->inspect("payload"))).outcome, Outcome::Released);
    QCOMPARE(m_client->count("locks"), 1);
}

/** The server ends a batch where it is big: what is left of the next one when a page is full was read before
 * it. */
void TestMongodbStore::whatABigBatchLeavesIsAsOld()
{
    const QByteArray big(9 * 1024 * 1024, 'x');
    for (const char *name : {"1", "2"})
        QVERIFY(m_client->insert("locks",
                                 "{\"_id\": \"" + QByteArray(name) + "\", \"acquirer\": \"" + big + "\"}"));
    for (const char *name : {"3", "4", "5", "6", "7"})
        QVERIFY(m_client->insert("locks", "{\"_id\": \"" + QByteArray(name) + "\", \"acquirer\": \"h\"}"));
    SourceSpec small = spec();
    small.pageSize = 2;
    const auto store = harness(small);
    QVERIFY(store->open() && store->scan());
    QCOMPARE(store->m_pages.size(), 4);
    for (const Page &page : std::as_const(store->m_pages)) {
        QCOMPARE(page.beganUs, store->m_pages.constFirst().beganUs);
        QVERIFY(page.beganUs < page.endedUs);
    }
}

void TestMongodbStore::rightsAndPasswords()
{
    MongodServer guarded;
    QVERIFY(guarded.start(false, {QStringLiteral("--auth")}));
    {
        DocumentClient first(guarded.url()); // the server lets a local one in until there is a user
        QVERIFY(!first.run(R"({"createUser": "root", "pwd": "r", "roles": ["root"]})", "admin").isEmpty());
    }
    QUrl asRoot = guarded.url(QStringLiteral("root"));
    asRoot.setPassword(QStringLiteral("r"));
    asRoot.setQuery(QStringLiteral("authSource=admin"));
    DocumentClient root(asRoot);
    QVERIFY(root.insert("locks", kHeld));
    QVERIFY(!root.run(R"({"createUser": "reader", "pwd": "p@ss/word", "roles": ["read"]})").isEmpty());
    QVERIFY(!root.run(R"({"createUser": "breaker", "pwd": "b", "roles": ["readWrite"]})").isEmpty());
    QVERIFY(!root.run(R"({"createUser": "nobody", "pwd": "n", "roles": []})").isEmpty());
    const auto as = [&](const char *user, const QByteArray &password) {
        SourceSpec with = spec();
        with.url = guarded.url(QLatin1String(user));
        with.password = password;
        return harness(with);
    };
    const auto grantsOf = [](const StoreHarness &store) {
        QList<bool> granted;
        for (const domain::Access &access : store.m_info.access)
            granted.append(access.granted);
        return granted;
    };
    const auto reader = as("reader", "p@ss/word");
    QVERIFY(reader->open() && reader->scan());
    QVERIFY(reader->find("a"));
    QCOMPARE(grantsOf(*reader), (QList<bool>{true, false}));
    QVERIFY(reader->m_info.access.constLast().remedy.contains(QLatin1String("actions: [\"remove\"]")));
    const ReleaseReport refused = reader->release(orderFor(reader->inspect("a")));
    QCOMPARE(refused.outcome, Outcome::Refused);
    QCOMPARE(refused.error.code, base::ErrorCode::PermissionDenied);
    QCOMPARE(root.count("locks"), 1);
    const auto nobody = as("nobody", "n");
    QVERIFY(nobody->open());
    QCOMPARE(grantsOf(*nobody), (QList<bool>{false, false}));
    const auto wrong = as("breaker", "x");
    QVERIFY(!wrong->open());
    QCOMPARE(wrong->m_failures.constLast().code, base::ErrorCode::Authentication);
    QVERIFY(!wrong->m_failures.constLast().line().contains(QLatin1String("p@ss")));
    const auto breaker = as("breaker", "b");
    QVERIFY(breaker->open());
    QCOMPARE(grantsOf(*breaker), (QList<bool>{true, true}));
    QCOMPARE(breaker->release(orderFor(breaker->inspect("a"))).outcome, Outcome::Released);
}

void TestMongodbStore::findings()
{
    const auto codesOf = [](const SourceSpec &spec) {
        const auto store = harness(spec);
        std::optional<QList<domain::Finding>> found;
        QObject::connect(&store->store(), &Store::findingsRead, store.get(),
                         [&found](const QList<domain::Finding> &findings) { found = findings; });
        QByteArrayList codes;
        if (!store->open() || !store->scan() ||
            !QTest::qWaitFor([&found] { return found.has_value(); }, 10'000))
            return QByteArrayList{"not read"};
        for (const domain::Finding &finding : std::as_const(*found))
            codes.append(finding.code + ' ' + finding.value);
        return codes;
    };
    QVERIFY(m_client->index("locks", kTtl));
    QVERIFY(m_client->insert("locks", kHeld));
    QCOMPARE(codesOf(spec()), QByteArrayList());
    MongodServer single;
    QVERIFY(
        single.start(false, {QStringLiteral("--setParameter"), QStringLiteral("ttlMonitorEnabled=false")}));
    const DocumentClient client(single.url());
    QVERIFY(client.index("locks", kTtl));
    QVERIFY(client.insert(
        "locks", R"({"_id": "a", "acquirer": "h1", "updatedAt": {"$date": "1980-01-01T00:00:00Z"}})"));
    SourceSpec alone = spec();
    alone.url = single.url();
    QCOMPARE(codesOf(alone), (QByteArrayList{"standalone ", "ttl_overdue 1"}));
}

void TestMongodbStore::aServerWithoutASet()
{
    MongodServer alone;
    QVERIFY(alone.start(false));
    DocumentClient client(alone.url());
    QVERIFY(client.insert("locks", kHeld));
    SourceSpec with = spec();
    with.url = alone.url();
    const auto store = harness(with);
    QVERIFY(store->open() && store->scan());
    QCOMPARE(store->m_info.instance, "standalone");
    QCOMPARE(store->release(orderFor(store->inspect("a"))).outcome, Outcome::Released);
}

/** The document of migrate-mongo 11: it has a time and nothing else, and its TTL index may remove it. */
void TestMongodbStore::aMigrationsLock()
{
    QVERIFY(m_client->index(
        "changelog_lock", R"({"key": {"createdAt": 1}, "name": "createdAt_1", "expireAfterSeconds": 600})"));
    QVERIFY(m_client->insert("changelog_lock", R"({"_id": {"$oid": "65f0c0ffee0000000000beef"},
        "createdAt": {"$date": {"$numberLong": "4102444800000"}}})"));
    const auto store = harness(spec(QStringLiteral("migrate-mongo")));
    QVERIFY(store->open() && store->scan());
    const auto &locks = store->m_pages.constFirst().locks;
    QCOMPARE(locks.size(), 1);
    const Observation &lock = locks.constFirst();
    QVERIFY(lock.held && lock.name.contains("65f0c0ffee0000000000beef"));
    QCOMPARE(lock.expiry, domain::ExpiryKind::At);
    QCOMPARE(lock.expiresUs, 4'102'444'800'000'000 + 600'000'000);
    QCOMPARE(store->release(orderFor(store->inspect(lock.name))).outcome, Outcome::Released);
    QCOMPARE(m_client->count("changelog_lock"), 0);
}

void TestMongodbStore::nobodyThere_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("cause");
    QTest::newRow("no server") << QStringLiteral("mongodb://127.0.0.1:1/app") << QStringLiteral("no primary");
    QTest::newRow("no host") << QStringLiteral("mongodb://nowhere.invalid/app")
                             << QStringLiteral("nowhere.invalid");
    QTest::newRow("no record in the DNS") << QStringLiteral("mongodb+srv://locks.nowhere.invalid/app")
                                          << QStringLiteral("_mongodb._tcp.locks.nowhere");
}

void TestMongodbStore::nobodyThere()
{
    QFETCH(QString, url);
    QFETCH(QString, cause);
    SourceSpec none = spec();
    none.url = QUrl(url);
    none.connectTimeoutMs = 500;
    const auto store = harness(none);
    QVERIFY(!store->open());
    QTRY_VERIFY_WITH_TIMEOUT(!store->m_failures.isEmpty(), 60'000); // a resolver may take its time
    const base::Error error = store->m_failures.constLast();
    QCOMPARE(error.code, base::ErrorCode::Unreachable);
    QVERIFY2(error.cause.contains(cause), qPrintable(error.cause));
    QCOMPARE(error.remedy.contains(QLatin1String("DNS")), url.contains(QLatin1String("+srv")));
}

LOCKKEEPER_TEST(TestMongodbStore)

} // namespace tst_mongodb_store

#include "tst_mongodb_store.moc"
