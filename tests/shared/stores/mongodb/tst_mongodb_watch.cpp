// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_client.h"
#include "shared/base/clock.h"
#include "shared/stores/mongodb/store/mongo_store.h"
#include "tests/support/mongod_server.h"
#include "tests/support/push_log.h"
#include "tests/support/slow_link.h"
#include "tests/support/test_program.h"

#include <QDateTime>
#include <QScopeGuard>
#include <QTemporaryFile>
#include <QTest>
#include <QUrlQuery>

#include <atomic>
#include <future>
#include <vector>

namespace tst_mongodb_watch {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::mongodb;
using namespace lockkeeper::tests;

constexpr char kA[] = R"({"_id": "a"})";

qint64 nowUs()
{
    return base::SystemClock().wallUs();
}

/** Push by a change stream of a real mongod. */
class TestMongodbWatch : public QObject, protected PushLog
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void everyShortHoldIsTold();
    void updatesChangeWhatTheyName();
    void aNameOfAnotherField();
    void aScanComesAfterWhatItShows();
    void whileOthersWriteAllTheTime();
    void nothingIsLostWhileItIsAway();
    void goesOnBetweenTransactions();
    void aPositionThatIsGoneIsAGap();
    void aPositionThatWasRefusedIsForgotten();
    void aRestartedServer();
    void aDroppedCollectionIsAGap();
    void aPartOfAFieldIsAGap();
    void anEventThatIsTooLargeIsAGap();
    void aTransactionIsToldWhole();
    void oddAndLargeDocuments();
    void anOplogThatRolledOver();
    void aTtlIndexThatChanges();
    void twoSets();
    void aSlowLinkIsTold();
    void withoutAReplicaSetItPolls();
    void withoutTheRightItPolls();

private:
    SourceSpec spec(const QString &preset = {}) const
    {
        SourceSpec spec = sourceOf(m_server->url(), "mongodb.ttl");
        spec.locks.first().preset = preset;
        if (preset.isEmpty())
            spec.locks.first().table.table = QStringLiteral("locks");
        spec.push = true;
        return spec;
    }
    void watch(const SourceSpec &spec);
    /** Waits until a lock is reported as gone, or as free. */
    bool gone(const QByteArray &name);
    bool take(const QByteArray &who, const QByteArray &name = "a") const;
    /** The reported changes of a lock: its holders, "-" where it went, "free" where it stays. */
    QByteArrayList lifeOf(const QByteArray &name) const;

    std::unique_ptr<MongodServer> m_server;
    std::unique_ptr<DocumentClient> m_client;
};

void TestMongodbWatch::watch(const SourceSpec &spec)
{
    QList<Layout> layouts;
    for (const LockSet &set : spec.locks)
        layouts.append(layoutOf(set).value());
    PushLog::watch(std::make_unique<MongoStore>(spec, layouts));
}

QByteArrayList TestMongodbWatch::lifeOf(const QByteArray &name) const
{
    QByteArrayList life;
    for (const Change &change : m_told) {
        if (change.lock.name == name)
            life.append(!change.lock.present ? QByteArray("-")
                        : change.lock.held   ? change.lock.owner
                                             : "free");
    }
    return life;
}

bool TestMongodbWatch::gone(const QByteArray &name)
{
    return QTest::qWaitFor([&] { return lifeOf(name).endsWith("-"); }, 10'000);
}

bool TestMongodbWatch::take(const QByteArray &who, const QByteArray &name) const
{
    const QByteArray now = "{\"$date\": {\"$numberLong\": \"" + QByteArray::number(nowUs() / 1'000) + "\"}}";
    return m_client->insert("locks", "{\"_id\": \"" + name + "\", \"acquirer\": \"" + who +
                                         "\", \"acquiredAt\": " + now + ", \"updatedAt\": " + now + '}');
}

void TestMongodbWatch::initTestCase()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
}

void TestMongodbWatch::init()
{
    forget();
    m_server = std::make_unique<MongodServer>();
    QVERIFY(m_server->start());
    m_client = std::make_unique<DocumentClient>(m_server->url());
    QVERIFY(m_client->index("locks",
                            R"({"key": {"updatedAt": 1}, "name": "ttl", "expireAfterSeconds": 1000000000})"));
}

void TestMongodbWatch::cleanup()
{
    m_store.reset();
    m_client.reset();
    m_server.reset();
}

/** Holds too short for any poll: each is reported with a window that contains the write. */
void TestMongodbWatch::everyShortHoldIsTold()
{
    constexpr int kHolds = 100;
    watch(spec());
    QVERIFY(opened());
    QVERIFY(m_states.constLast().blind); // nothing is known of before
    QCOMPARE(m_everything, 1);           // nor by a scan that was under way
    QList<std::pair<qint64, qint64>> asked;
    QByteArrayList life;
    for (int i = 0; i < kHolds; ++i) {
        const QByteArray who = QByteArray::number(i);
        const qint64 fromUs = nowUs();
        QVERIFY(take(who));
        const qint64 takenUs = nowUs() + 999;
        QVERIFY(m_client->remove("locks", kA));
        asked << std::pair(fromUs, takenUs) << std::pair(takenUs - 999, nowUs() + 999);
        life << who << "-";
    }
    QTRY_COMPARE(lifeOf("a"), life);
    for (int i = 0; i < 2 * kHolds; ++i) {
        const Change &change = m_told.at(i);
        QCOMPARE(change.windowUs, 999);
        QVERIFY(change.timeUs >= asked.at(i).first && change.timeUs - change.windowUs <= asked.at(i).second);
        QVERIFY(change.coalesced == 0 && !change.unseen);
    }
    // While nothing happens, the watch still proves that nothing did.
    const qint64 endUs = m_told.constLast().timeUs;
    QTRY_VERIFY(m_seenUs > endUs + 300'000);
}

/** An update reports only its own fields; the other fields keep their known values. */
void TestMongodbWatch::updatesChangeWhatTheyName()
{
    QVERIFY(take("h1"));
    watch(spec());
    QVERIFY(opened());
    const auto change = [this](const char *what) { return m_client->update("locks", kA, what); };
    QVERIFY(change(R"({"$set": {"note": "nobody reads it"}})"));
    QVERIFY(change(R"({"$set": {"updatedAt": {"$date": "2026-01-01T00:00:00Z"}}})"));
    QVERIFY(change(R"({"$set": {"acquirer": "h2", "note": "again"}})"));
    QVERIFY(change(R"({"$unset": {"acquirer": 1}})"));
    QVERIFY(change(R"({"$set": {"acquirer": "h3", "acquiredAt": {"$date": "2026-01-02T00:00:00Z"}}})"));
    QVERIFY(m_client->remove("locks", kA));
    QVERIFY(gone("a"));
    QCOMPARE(lifeOf("a"), (QByteArrayList{"h1", "h2", "", "h3", "-"}));
    QCOMPARE(m_told.at(0).lock.expiresUs, (1'767'225'600LL + 1'000'000'000) * 1'000'000);
    QVERIFY(!m_told.at(2).lock.ownerKnown);
    QCOMPARE(m_told.at(3).lock.acquiredUs, 1'767'312'000'000'000);
    QCOMPARE(m_told.at(3).lock.expiresUs, m_told.at(0).lock.expiresUs);
    // A reported change equals the state that a scan shows.
    QVERIFY(take("h4"));
    QTRY_COMPARE(lifeOf("a").constLast(), "h4");
    QVERIFY(change(R"({"$set": {"updatedAt": {"$date": "2026-01-03T00:00:00Z"}}})"));
    QTRY_COMPARE(lifeOf("a").size(), 7);
    QVERIFY(m_store->scan());
    QCOMPARE(*m_store->find("a"), m_told.constLast().lock);
}

/** The event of a deletion contains only the _id. */
void TestMongodbWatch::aNameOfAnotherField()
{
    QVERIFY(m_client->index("named", R"({"key": {"name": 1}, "name": "n", "unique": true})"));
    QVERIFY(m_client->insert("named", R"({"_id": 1, "name": "a", "owner": "h1"})"));
    SourceSpec spec = this->spec();
    spec.locks[0].table.table = QStringLiteral("named");
    spec.locks[0].table.name = {QStringLiteral("name")};
    spec.locks[0].table.holder = QStringLiteral("owner");
    watch(spec);
    QVERIFY(opened());
    QVERIFY(m_client->update("named", R"({"_id": 1})", R"({"$set": {"name": "b"}})"));
    QVERIFY(m_client->remove("named", R"({"_id": 1})"));
    QVERIFY(gone("b"));
    QCOMPARE(lifeOf("a"), QByteArrayList{"-"});
    QCOMPARE(lifeOf("b"), (QByteArrayList{"h1", "-"}));
}

void TestMongodbWatch::aScanComesAfterWhatItShows()
{
    watch(spec());
    QVERIFY(opened());
    for (int i = 0; i < 8; ++i) {
        const QByteArray name = QByteArray::number(i);
        QVERIFY(take("h", name));
        QVERIFY(m_store->scan());
        QVERIFY(m_store->find(name));
        QCOMPARE(lifeOf(name), QByteArrayList{"h"});
    }
}

/** Under constant writes, the majority never has everything that the primary has. */
void TestMongodbWatch::whileOthersWriteAllTheTime()
{
    constexpr int kOthers = 4;
    std::atomic<bool> go = true;
    std::atomic<int> written = 0;
    std::vector<std::future<void>> others;
    for (int i = 0; i < kOthers; ++i)
        others.push_back(std::async(std::launch::async, [this, &go, &written, i] {
            const DocumentClient client(m_server->url());
            const QByteArray write = R"({"update": "others", "updates": [{"q": {"_id": )" +
                                     QByteArray::number(i) +
                                     R"(}, "u": {"$inc": {"n": 1}}, "upsert": true}],
                                        "writeConcern": {"w": 1}})";
            while (go && !client.run(write).isEmpty())
                ++written;
        }));
    const auto stop = qScopeGuard([&] { go = false; });
    QTRY_VERIFY_WITH_TIMEOUT(written > 100 * kOthers, 30'000);
    watch(spec());
    QVERIFY(opened());
    QVERIFY(take("h1"));
    QTRY_COMPARE(lifeOf("a"), QByteArrayList{"h1"});
    for (int i = 0; i < 3; ++i)
        QVERIFY(m_store->scan());
    QVERIFY(m_store->find("a"));
    const qint64 before = m_seenUs;
    QTRY_VERIFY_WITH_TIMEOUT(m_seenUs > before + 1'000'000, 30'000);
}

void TestMongodbWatch::nothingIsLostWhileItIsAway()
{
    watch(spec());
    QVERIFY(opened());
    QVERIFY(take("h1"));
    QTRY_COMPARE(lifeOf("a"), QByteArrayList{"h1"});
    const QByteArray position = m_position;
    m_store.reset();
    QVERIFY(m_client->update("locks", kA, R"({"$set": {"acquirer": "h2"}})"));
    QVERIFY(m_client->update("locks", kA, R"({"$set": {"acquirer": "h3"}})"));
    QVERIFY(m_client->remove("locks", kA));
    QVERIFY(take("h4"));
    watch(spec());
    QVERIFY(opened(position));
    QVERIFY(!m_states.constLast().blind);
    QCOMPARE(m_everything, 1);
    QTRY_COMPARE(lifeOf("a"), (QByteArrayList{"h1", "h2", "h3", "-", "h4"}));
    // Fields that an update doesn't name keep their values of that time.
    QCOMPARE(m_told.at(1).lock.acquiredUs, m_told.at(0).lock.acquiredUs);
    QCOMPARE(m_states.size(), 1);
}

/** All changes of one have the same stamp: where it resumes, all or none of them are in the mirror. */
void TestMongodbWatch::goesOnBetweenTransactions()
{
    watch(spec());
    QVERIFY(opened());
    QVERIFY(take("h1"));
    QTRY_COMPARE(lifeOf("a"), QByteArrayList{"h1"});
    m_store.reset();
    QByteArrayList documents;
    for (int i = 0; i < 150; ++i)
        documents.append(R"({"_id": ")" + QByteArray::number(i) + R"(", "acquirer": "h"})");
    QVERIFY(m_client->insertTogether("locks", documents));
    ChangeStream stream(spec(), {layoutOf(spec().locks.constFirst()).value()});
    const auto resumed = stream.open(m_position);
    QVERIFY(resumed && *resumed);
    qsizetype told = 0;
    QVERIFY(QTest::qWaitFor(
        [&] {
            const auto next = stream.next();
            told = next ? next->push.changes.size() : -1;
            return told != 0;
        },
        20'000));
    QCOMPARE(told, 150);
}

void TestMongodbWatch::aPositionThatIsGoneIsAGap()
{
    watch(spec());
    QVERIFY(opened());
    QVERIFY(take("h1"));
    QTRY_COMPARE(lifeOf("a"), QByteArrayList{"h1"});
    StreamPosition place = StreamPosition::decoded(m_position).value();
    m_store.reset();
    place.stamp.seconds -= 100'000; // long before what the server has of old moments
    watch(spec());
    QVERIFY(opened(place.encoded()));
    QVERIFY(m_states.constLast().blind);
    m_store.reset();
    watch(spec());
    QVERIFY(opened("no position"));
    QVERIFY(m_states.constLast().blind);
}

/** A new primary refuses a position for a moment. */
void TestMongodbWatch::aPositionThatWasRefusedIsForgotten()
{
    m_client.reset();
    m_server = std::make_unique<MongodServer>();
    QVERIFY(
        m_server->start(true, {QStringLiteral("--setParameter"), QStringLiteral("enableTestCommands=1")}));
    m_client = std::make_unique<DocumentClient>(m_server->url());
    const auto failOnce = [this](const QByteArray &how) {
        const QByteArray point = R"({"configureFailPoint": "failCommand", "mode": {"times": 1}, "data": )"
                                 R"({"appName": "lockkeeper", )";
        return !m_server->ask((point + how + "}}").constData()).isEmpty();
    };
    watch(spec());
    QVERIFY(opened());
    QVERIFY(take("h1"));
    QTRY_COMPARE(lifeOf("a"), QByteArrayList{"h1"});
    m_store.reset();
    QVERIFY(m_client->remove("locks", kA));
    m_told.clear();
    const QByteArray position = m_position;
    QVERIFY(failOnce(R"("failCommands": ["aggregate"], "errorCode": 246)"));
    watch(spec());
    QVERIFY(opened(position));
    QVERIFY(m_states.constLast().blind);
    QVERIFY(failOnce(R"("failCommands": ["getMore"], "closeConnection": true)"));
    QTRY_COMPARE(m_states.size(), 2);
    QVERIFY(m_states.constLast().blind && m_told.isEmpty());
}

void TestMongodbWatch::aRestartedServer()
{
    watch(spec());
    QVERIFY(opened());
    QVERIFY(take("h1"));
    QTRY_COMPARE(lifeOf("a"), QByteArrayList{"h1"});
    m_server->kill();
    m_store->beginScan();
    QVERIFY(m_store->waitForFailure());
    QVERIFY(m_server->restart());
    // Once it is the primary again.
    QTRY_VERIFY_WITH_TIMEOUT(m_client->update("locks", kA, R"({"$set": {"acquirer": "h2"}})"), 30'000);
    QVERIFY(opened(m_position));
    QVERIFY(m_client->remove("locks", kA));
    QVERIFY(gone("a"));
    // The oplog outlives the server, so that the stream continues at its position.
    QVERIFY(!m_states.constLast().blind);
    QCOMPARE(lifeOf("a"), (QByteArrayList{"h1", "h2", "-"}));
}

void TestMongodbWatch::aDroppedCollectionIsAGap()
{
    QVERIFY(take("h1"));
    watch(spec());
    QVERIFY(opened());
    m_states.clear();
    QVERIFY(!m_client->run(R"({"drop": "locks"})").isEmpty());
    QTRY_VERIFY(!m_states.isEmpty());
    QVERIFY(m_states.constLast().on && m_states.constLast().blind);
    QVERIFY(m_states.constLast().why.cause.contains(QStringLiteral("dropped")));
    QVERIFY(take("h2"));
    QTRY_COMPARE(lifeOf("a"), QByteArrayList{"h2"});
}

void TestMongodbWatch::aPartOfAFieldIsAGap()
{
    QVERIFY(m_client->insert("locks", R"({"_id": "a", "acquirer": {"host": "h", "pid": 1}})"));
    watch(spec());
    QVERIFY(opened());
    m_states.clear();
    QVERIFY(m_client->update("locks", kA, R"({"$set": {"acquirer.pid": 2}})"));
    QTRY_VERIFY(!m_states.isEmpty());
    QVERIFY(m_states.constLast().on && m_states.constLast().blind);
}

/** The server can't send the event, nor any event after it. */
void TestMongodbWatch::anEventThatIsTooLargeIsAGap()
{
    watch(spec());
    QVERIFY(opened());
    m_states.clear();
    const Bson document = fromJson(R"({"acquirer": "h"})");
    const QByteArray id(5 * 1024 * 1024, 'x'); // which an event has several times
    QVERIFY(bson_append_utf8(document.get(), "_id", -1, id.constData(), int(id.size())));
    QVERIFY(m_client->insert("locks", document.get()));
    QTRY_VERIFY(!m_states.isEmpty());
    QVERIFY(m_states.constLast().on && m_states.constLast().blind);
    QCOMPARE(m_states.constLast().why.code, base::ErrorCode::TooLarge);
    QVERIFY(take("h1"));
    QTRY_COMPARE(lifeOf("a"), QByteArrayList{"h1"});
    QCOMPARE(m_states.size(), 1);
}

/** All changes of a transaction have the same time, also right after the moment that the agent has read. */
void TestMongodbWatch::aTransactionIsToldWhole()
{
    watch(spec());
    QVERIFY(opened());
    QVERIFY(take("h", "before"));
    QTRY_COMPARE(lifeOf("before"), QByteArrayList{"h"});
    StreamPosition place = StreamPosition::decoded(m_position).value();
    place.token = Bson(); // as at a first beginning
    m_store.reset();
    QVERIFY(m_client->insertTogether(
        "locks", {R"({"_id": "a", "acquirer": "h1"})", R"({"_id": "b", "acquirer": "h1"})"}));
    QVERIFY(take("h", "after")); // the majority has them all then
    watch(spec());
    QVERIFY(opened(place.encoded()));
    QVERIFY(!m_states.constLast().blind);
    QTRY_COMPARE(lifeOf("after"), QByteArrayList{"h"});
    QCOMPARE(lifeOf("a"), QByteArrayList{"h1"});
    QCOMPARE(lifeOf("b"), QByteArrayList{"h1"});
    QCOMPARE(lifeOf("before"), QByteArrayList{"h"});
}

/** No odd document ends the stream or hides the next change. */
void TestMongodbWatch::oddAndLargeDocuments()
{
    watch(spec());
    QVERIFY(opened());
    m_states.clear();
    for (const char *document :
         {R"({"_id": {"x": [1, null]}, "acquirer": "h"})", R"({"_id": {"$numberDouble": "NaN"}})",
          R"({"_id": "twice", "acquirer": "h1", "acquirer": "h2"})",
          R"({"_id": "times", "acquirer": "h", "acquiredAt": {"$numberDouble": "NaN"},
              "updatedAt": {"$date": "9999-12-31T23:59:59.999Z"}})"})
        QVERIFY(m_client->insert("locks", document));
    const Bson largest = fromJson(R"({"_id": "largest", "acquirer": "h1"})");
    const int room = 16 * 1024 * 1024 - int(largest.get()->len) - int(sizeof "\2payload\0size");
    const QByteArray payload(room, 'x');
    QVERIFY(bson_append_utf8(largest.get(), "payload", -1, payload.constData(), room));
    QVERIFY(m_client->insert("locks", largest.get()));
    QVERIFY(m_client->update("locks", R"({"_id": "largest"})", R"({"$set": {"acquirer": "h2"}})"));
    QVERIFY(m_client->remove("locks", R"({"_id": "largest"})"));
    QVERIFY(take("h1"));
    QVERIFY(m_client->remove("locks", kA));
    QVERIFY(gone("a"));
    QCOMPARE(lifeOf("a"), (QByteArrayList{"h1", "-"}));
    QCOMPARE(lifeOf("twice"), QByteArrayList{"h1"});
    QCOMPARE(lifeOf("times"), QByteArrayList{"h"});
    QCOMPARE(lifeOf("largest"), (QByteArrayList{"h1", "h2", "-"}));
    QVERIFY(m_states.isEmpty());
}

/** Missed changes can't be reported any more. Existing locks are reported, and none of them has ended. */
void TestMongodbWatch::anOplogThatRolledOver()
{
    m_client.reset();
    m_server = std::make_unique<MongodServer>();
    QVERIFY(m_server->start(true, {QStringLiteral("--oplogSize"), QStringLiteral("1"),
                                   QStringLiteral("--syncdelay"), QStringLiteral("1")}));
    m_client = std::make_unique<DocumentClient>(m_server->url());
    watch(spec());
    QVERIFY(opened());
    QVERIFY(take("h1"));
    QVERIFY(take("h1", "b"));
    QTRY_COMPARE(lifeOf("b"), QByteArrayList{"h1"});
    const QByteArray position = m_position;
    const Stamp known = StreamPosition::decoded(position)->stamp;
    m_store.reset();
    QVERIFY(m_client->remove("locks", kA));
    const QByteArray junk(100'000, 'x');
    int written = 0;
    const auto rolledOver = [&] {
        for (int i = 0; i < 20; ++i)
            m_client->insert("junk",
                             "{\"_id\": " + QByteArray::number(++written) + ", \"x\": \"" + junk + "\"}");
        const Bson first = fromJson(m_client->run(
            R"({"find": "oplog.rs", "sort": {"$natural": 1}, "limit": 1, "projection": {"ts": 1}})",
            "local"));
        const Bson cursor = first ? documentOf(first.get(), "cursor") : newBson();
        const Bson batch = documentOf(cursor.get(), "firstBatch");
        const Bson oldest = documentOf(batch.get(), "0");
        const BsonField stamp = fieldOf(oldest.get(), "ts");
        Stamp at;
        if (stamp)
            bson_iter_timestamp(&*stamp, &at.seconds, &at.increment);
        return at > known;
    };
    QTRY_VERIFY_WITH_TIMEOUT(rolledOver(), 60'000);
    m_told.clear();
    watch(spec());
    QVERIFY(opened(position));
    QVERIFY(m_states.constLast().blind);
    QVERIFY(m_store->scan() && m_store->find("b") && !m_store->find("a"));
    QVERIFY(m_client->remove("locks", R"({"_id": "b"})"));
    QVERIFY(gone("b"));
    QCOMPARE(lifeOf("b"), QByteArrayList{"-"});
}

/** A changed TTL index moves every deadline at once. */
void TestMongodbWatch::aTtlIndexThatChanges()
{
    QVERIFY(take("h1"));
    watch(spec());
    QVERIFY(opened());
    QVERIFY(
        !m_client->run(R"({"collMod": "locks", "index": {"name": "ttl", "expireAfterSeconds": 2000000000}})")
             .isEmpty());
    QTRY_COMPARE(m_everything, 2); // the first when it began
}

void TestMongodbWatch::twoSets()
{
    SourceSpec spec = this->spec();
    spec.locks.append(this->spec(QStringLiteral("mongodb-shedlock")).locks.constFirst());
    watch(spec);
    QVERIFY(opened());
    QVERIFY(take("h1"));
    QVERIFY(m_client->insert("shedLock", R"({"_id": "job", "lockUntil": {"$date": "2099-01-01T00:00:00Z"},
        "lockedAt": {"$date": "2026-01-01T00:00:00Z"}, "lockedBy": "node"})"));
    QVERIFY(m_client->insert("others", R"({"_id": "x"})"));
    QVERIFY(m_client->update("shedLock", R"({"_id": "job"})", R"({"$currentDate": {"lockUntil": true}})"));
    QTRY_COMPARE(lifeOf("job"), (QByteArrayList{"node", "free"}));
    QCOMPARE(lifeOf("a"), QByteArrayList{"h1"});
    QCOMPARE(m_told.size(), 3);
    QCOMPARE(m_told.constLast().lock.set, 1);
}

void TestMongodbWatch::aSlowLinkIsTold()
{
    SlowLink link(quint16(m_server->url().port()));
    SourceSpec slow = spec(QStringLiteral("mongodb-shedlock"));
    slow.url = QUrl(QStringLiteral("mongodb://127.0.0.1:%1/app?directConnection=true").arg(link.port()));
    const QByteArray from = QByteArray::number(QDateTime::currentMSecsSinceEpoch() + 60'000);
    const QByteArray until = QByteArray::number(from.toLongLong() + 500);
    const auto date = [](const QByteArray &ms) { return R"({"$date": {"$numberLong": ")" + ms + "\"}}"; };
    QVERIFY(m_client->insert("shedLock", R"({"_id": "a", "lockedBy": "me", "lockedAt": )" + date(from) +
                                             ", \"lockUntil\": " + date(until) + '}'));
    watch(slow);
    QByteArrayList found;
    connect(&m_store->store(), &Store::findingsRead, this, [&found](const QList<domain::Finding> &findings) {
        found.clear();
        for (const domain::Finding &finding : findings)
            found.append(finding.code + ' ' + finding.value);
    });
    const auto told = [&](const QByteArray &beginning) {
        return std::any_of(found.cbegin(), found.cend(),
                           [&](const QByteArray &one) { return one.startsWith(beginning); });
    };
    QVERIFY(opened() && m_store->scan());
    QVERIFY(!told("short_lease") && !told("watch_lag"));
    link.setDelayMs(200);
    for (int i = 0; i < 2; ++i) // of three answers the one in the middle counts
        QVERIFY(m_store->scan());
    QTRY_VERIFY2(told("short_lease 500 "), found.join("; ").constData());
    link.setDelayMs(800);
    const qint64 before = m_seenUs;
    QTRY_VERIFY_WITH_TIMEOUT(m_seenUs > before + 2'000'000, 20'000);
    link.setDelayMs(0);
    QVERIFY(m_store->scan());
    QTRY_VERIFY2(told("watch_lag "), found.join("; ").constData());
}

void TestMongodbWatch::withoutAReplicaSetItPolls()
{
    m_server = std::make_unique<MongodServer>();
    QVERIFY(m_server->start(false));
    watch(spec());
    QVERIFY(m_store->open());
    QTRY_VERIFY(!m_states.isEmpty());
    QVERIFY(!m_states.constLast().on && !m_states.constLast().blind);
    QVERIFY2(m_states.constLast().why.cause.contains(QStringLiteral("replica set")),
             qPrintable(m_states.constLast().why.cause));
    QVERIFY(m_store->scan());
}

void TestMongodbWatch::withoutTheRightItPolls()
{
    QTemporaryFile key; // members of a set with access control know each other by one
    QVERIFY(key.open() && key.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
    key.write("bm90IGEgc2VjcmV0");
    QVERIFY(key.flush());
    m_client.reset();
    m_server = std::make_unique<MongodServer>();
    QVERIFY(m_server->start(true, {QStringLiteral("--keyFile"), key.fileName()}));
    {
        const DocumentClient first(m_server->url()); // a local one is let in until there is a user
        QVERIFY(!first.run(R"({"createUser": "root", "pwd": "r", "roles": ["root"]})", "admin").isEmpty());
    }
    QUrl asRoot = m_server->url(QStringLiteral("root"));
    asRoot.setPassword(QStringLiteral("r"));
    QUrlQuery query(asRoot);
    query.addQueryItem(QStringLiteral("authSource"), QStringLiteral("admin"));
    asRoot.setQuery(query);
    const DocumentClient root(asRoot);
    QVERIFY(!root.run(R"({"createRole": "finder", "roles": [], "privileges": [{"resource":
        {"db": "app", "collection": ""}, "actions": ["find", "listIndexes"]}]})")
                 .isEmpty());
    QVERIFY(!root.run(R"({"createUser": "u", "pwd": "p", "roles": ["finder"]})").isEmpty());
    QVERIFY(!root.run(R"({"createUser": "reader", "pwd": "p", "roles": ["read"]})").isEmpty());
    for (const char *user : {"u", "reader"}) {
        SourceSpec spec = this->spec();
        spec.url = m_server->url(QLatin1String(user));
        spec.password = "p";
        m_states.clear();
        watch(spec);
        QVERIFY(m_store->open());
        QTRY_VERIFY(!m_states.isEmpty());
        const PushState &state = m_states.constLast();
        QCOMPARE(state.on, QByteArray(user) == "reader");
        QCOMPARE(state.why.remedy.contains(QStringLiteral("changeStream")), !state.on);
        QVERIFY(m_store->scan());
    }
}

LOCKKEEPER_TEST(TestMongodbWatch)

} // namespace tst_mongodb_watch

#include "tst_mongodb_watch.moc"
