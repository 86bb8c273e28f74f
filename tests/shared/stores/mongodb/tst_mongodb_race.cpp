// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_client.h"
#include "shared/stores/mongodb/store/mongo_store.h"
#include "tests/support/mongod_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QSet>
#include <QTest>

#include <atomic>
#include <thread>

namespace tst_mongodb_race {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::mongodb;
using namespace lockkeeper::tests;
using domain::Outcome;

/** Breaks against an application at full speed: each frees the acquisition that was seen, or nothing. */
class TestMongodbRace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void breaksAgainstAClient();
};

void TestMongodbRace::breaksAgainstAClient()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
    const int rounds = qEnvironmentVariableIntValue("LOCKKEEPER_RACE_ROUNDS") > 0
                           ? qEnvironmentVariableIntValue("LOCKKEEPER_RACE_ROUNDS")
                           : 300;
    MongodServer server;
    QVERIFY(server.start());
    SourceSpec spec = tableOf(server.url(), "mongodb.ttl", QStringLiteral("locks"));
    StoreHarness store(std::make_unique<MongoStore>(spec, QList<Layout>{*layoutOf(spec.locks.first())}));
    QVERIFY(store.open());
    std::atomic<bool> over = false;
    QSet<QByteArray>
        taken; // from the application: it tried to release the lock, but another client had done so
    std::thread application([&] {
        const DocumentClient client(server.url());
        for (int n = 0; !over; ++n) {
            const QByteArray who = "h" + QByteArray::number(n);
            const QByteArray document = R"({"_id": "a", "acquirer": ")" + who + R"(", "updatedAt": 1})";
            if (!client.insert("locks", document))
                continue;
            for (int i = 0; i < 4 + n % 16; ++i) // some are released before the break, some after it
                client.count("locks");
            if (!client.remove("locks", R"({"_id": "a", "acquirer": ")" + who + "\"}"))
                taken.insert(who);
        }
    });
    QSet<QByteArray> released;
    int stale = 0;
    QElapsedTimer timer;
    timer.start();
    int round = 0;
    while (round < rounds && timer.elapsed() < 60'000 + rounds * 50LL) {
        const Inspection seen = store.inspect("a");
        if (!seen.lock.present)
            continue;
        ++round;
        const ReleaseReport report = store.release(orderFor(seen));
        if (report.outcome == Outcome::Released)
            released.insert(seen.lock.owner);
        else
            stale += report.outcome == Outcome::HolderChanged || report.outcome == Outcome::AlreadyFree;
    }
    over = true;
    application.join();
    QCOMPARE(released, taken);
    qInfo("%d rounds: %lld released, %d stale guards", round, qlonglong(released.size()), stale);
    QCOMPARE(round, rounds);
    QVERIFY(!released.isEmpty());
}

LOCKKEEPER_TEST(TestMongodbRace)

} // namespace tst_mongodb_race

#include "tst_mongodb_race.moc"
