// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/factory.h"
#include "tests/shared/stores/mongodb/document_client.h"
#include "tests/support/foreign_client.h"
#include "tests/support/lock_answers.h"
#include "tests/support/mongod_server.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace tst_mongodb_lock_fights {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using locks::Attempt;
using locks::AttemptResult;

/** A foreign client and ours want the same document, again and again. */
class MongodbLockFightsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void excludeEachOther_data();
    void excludeEachOther();

private:
    /** Names and types of the fields of the collection's one document with an unreleased lock. */
    QStringList fields(const QByteArray &collection) const;

    MongodServer m_server;
    std::unique_ptr<DocumentClient> m_application;
};

void MongodbLockFightsTest::initTestCase()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
    QVERIFY(m_server.start());
    m_application = std::make_unique<DocumentClient>(m_server.url());
}

QStringList MongodbLockFightsTest::fields(const QByteArray &collection) const
{
    const QByteArray answer = m_application->run(
        "{\"aggregate\": \"" + collection +
        R"(", "cursor": {}, "pipeline": [{"$match": {"expired": {"$exists": false}}}, {"$project": {"_id": 0,
           "fields": {"$map": {"input": {"$objectToArray": "$$ROOT"}, "in":
           {"$concat": ["$$this.k", " ", {"$type": "$$this.v"}]}}}}}]})");
    const QJsonArray documents = QJsonDocument::fromJson(answer)
                                     .object()[QLatin1String("cursor")][QLatin1String("firstBatch")]
                                     .toArray();
    QStringList names;
    for (const QVariant &field : documents.at(0)[QLatin1String("fields")].toArray().toVariantList())
        names.append(field.toString());
    names.sort();
    return names;
}

void MongodbLockFightsTest::excludeEachOther_data()
{
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("language");
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("collection");
    const auto row = [](const char *name, const char *program, const char *language, const char *preset,
                        const char *collection) {
        QTest::newRow(name) << QByteArray(program) << QByteArray(language) << QString::fromLatin1(preset)
                            << QString::fromLatin1(collection);
    };
    row("ShedLock", "shedlock-mongo", "java", "mongodb-shedlock", "shedLock");
    row("mongo-locks", "mongo-locks", "node", "mongo-locks", "locks");
    row("mongodb-lock", "mongodb-lock", "node", "mongodb-lock", "mongodb-locks");
    row("mongoelector", "mongoelector", "python", "mongoelector", "electorlocks");
    row("pymongo", "pymongo", "python", "", "leases");
}

void MongodbLockFightsTest::excludeEachOther()
{
    QFETCH(const QByteArray, program);
    QFETCH(const QByteArray, language);
    QFETCH(const QString, preset);
    QFETCH(const QString, collection);
    constexpr int kRounds = 40;
    SourceSpec spec;
    spec.name = QStringLiteral("s");
    spec.url = m_server.url();
    LockSet set;
    set.scheme = "mongodb.ttl";
    set.preset = preset;
    set.table.table = collection;
    ForeignClient foreign;
    foreign.program = program;
    foreign.kind = "lock";
    foreign.language = language;
    ForeignProgram theirs(foreign);
    theirs.start({{QStringLiteral("MONGODB_URL"), m_server.url().toString()}});
    if (!theirs.isReady())
        QSKIP(qPrintable(theirs.why));
    const auto ours = *locks::makeLockClient(spec, set, "me");
    const auto ask = [&] { return acquired(*ours, "fight", 60'000'000); };
    QStringList oursLook;
    QStringList theirsLook;
    int oursFirst = 0;
    for (int round = 0; round < kRounds; ++round) {
        // Both ask at once: exactly one of them may acquire the lock.
        theirs.tell("lock acquire fight 60000");
        const AttemptResult mine = ask();
        const QByteArray told = theirs.answer();
        QVERIFY2(!mine.error, qPrintable(mine.error.value_or(base::Error{}).line()));
        const bool theirTurn = told.startsWith("acquired");
        if (!theirTurn)
            QCOMPARE(told, QByteArray("held"));
        const bool ourTurn = mine.attempt == Attempt::Done;
        QVERIFY2(ourTurn != theirTurn, ourTurn ? "both have it" : "nobody has it");
        if (ourTurn) {
            ++oursFirst;
            QCOMPARE(renewed(*ours, mine.lease, 60'000'000).attempt, Attempt::Done);
            QCOMPARE(released(*ours, mine.lease).attempt, Attempt::Done);
            QVERIFY(theirs.ask("lock acquire fight 60000").startsWith("acquired"));
        }
        theirsLook = fields(collection.toLatin1());
        // We get their lock as soon as they release it, and not before.
        QCOMPARE(ask().attempt, Attempt::Held);
        theirs.tell("lock release");
        AttemptResult next;
        QVERIFY(QTest::qWaitFor([&] { return (next = ask()).attempt == Attempt::Done; }, 20'000));
        QCOMPARE(theirs.answer(), QByteArray("released"));
        oursLook = fields(collection.toLatin1());
        if (round % 10 == 0)
            QCOMPARE(theirs.ask("lock acquire fight 60000"), QByteArray("held"));
        QCOMPARE(released(*ours, next.lease).attempt, Attempt::Done);
    }
    QCOMPARE(oursLook, theirsLook);
    qInfo("%d rounds, ours was the faster one %d times", kRounds, oursFirst);
}

LOCKKEEPER_TEST(MongodbLockFightsTest)

} // namespace tst_mongodb_lock_fights

#include "tst_mongodb_lock_fights.moc"
