// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/text.h"
#include "shared/stores/set_owners.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_set_owners {

using namespace lockkeeper;
using namespace lockkeeper::stores;

namespace {

LockSet set(const char *scheme, const char *match, const char *table = "", const char *preset = "")
{
    LockSet set;
    set.scheme = scheme;
    set.match = match;
    set.table.table = QString::fromLatin1(table);
    set.preset = QString::fromLatin1(preset);
    return set;
}

} // namespace

/** Each lock belongs to one lock set, in every kind of store. */
class SetOwnersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void owners_data();
    void owners();
    void pagesAndPushesKeepOneOfEach();
    void onePlaceUnderTwoNames();
};

void SetOwnersTest::owners_data()
{
    QTest::addColumn<QList<LockSet>>("sets");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QList<int>>("owners"); ///< of those that take it
    const auto row = [](const char *what, const QList<LockSet> &sets, const char *name,
                        const QList<int> &owners) {
        QTest::newRow(what) << sets << QByteArray(name) << owners;
    };
    const QList<LockSet> keys{set("redis.token", "lock:*"), set("redis.token", "lock:pay:*"),
                              set("redis.token", "lock:pay:eu:*"), set("redis.token", "job:*")};
    row("of the widest", keys, "lock:a", {0});
    row("of the middle one", keys, "lock:pay:a", {1});
    row("of the narrowest", keys, "lock:pay:eu:a", {2});
    row("whatever their order", {keys.at(2), keys.at(1), keys.at(0)}, "lock:pay:eu:a", {0});
    row("keys of two schemes", {set("redis.token", "lock:*"), set("redis.redisson", "lock:pay:*")},
        "lock:pay:a", {1});
    row("permits are named by their set", {set("redis.semaphore", "sem:*"), set("redis.semaphore", "sem:a")},
        "member/sem:a", {1});
    row("a row's locks", {set("sql.row", "*", "jobs"), set("sql.row", "1?", "jobs")}, "PRIMARY/17", {1});
    row("rows", {set("sql.lease", "*", "jobs"), set("sql.lease", "pay-*", "jobs")}, "pay-1", {1});
    row("rows of two tables", {set("sql.lease", "*", "jobs"), set("sql.lease", "pay-*", "tasks")}, "pay-1",
        {0, 1});
    row("rows of one preset",
        {set("sql.shedlock", "*", "", "shedlock"), set("sql.shedlock", "p*", "", "shedlock")}, "pay", {1});
    row("a row and its lock", {set("sql.lease", "*", "jobs"), set("sql.row", "1*", "jobs")}, "1", {0, 1});
    row("advisory locks", {set("sql.advisory", "*"), set("sql.advisory", "pay-*")}, "pay-1", {1});
    row("advisory locks and rows", {set("sql.lease", "*", "jobs"), set("sql.advisory", "pay-*")}, "pay-1",
        {0, 1});
    row("documents", {set("mongodb.ttl", "*", "locks"), set("mongodb.ttl", "pay-*", "locks")}, "pay-1", {1});
    row("documents of two collections", {set("mongodb.ttl", "*", "a"), set("mongodb.ttl", "pay-*", "b")},
        "pay-1", {0, 1});
    row("prefixes", {set("etcd.lease", "locks/*"), set("etcd.lease", "locks/pay/*")}, "locks/pay/a", {1});
    row("paths", {set("zookeeper.sequence", "/locks/*"), set("zookeeper.sequence", "/locks/pay")},
        "/locks/pay", {1});
}

void SetOwnersTest::owners()
{
    QFETCH(const QList<LockSet>, sets);
    QFETCH(const QByteArray, name);
    QFETCH(const QList<int>, owners);
    const SetOwners made(sets);
    for (int i = 0; i < sets.size(); ++i) {
        const bool parted = sets.at(i).scheme == "sql.row" || sets.at(i).scheme == "redis.semaphore";
        const QByteArray own = parted ? name.mid(name.indexOf('/') + 1) : name;
        if (base::globMatches(sets.at(i).match, own))
            QCOMPARE(made.owns(quint16(i), name), owners.contains(i));
    }
}

void SetOwnersTest::pagesAndPushesKeepOneOfEach()
{
    const SetOwners owners({set("redis.token", "lock:*"), set("redis.redisson", "lock:pay:*")});
    Page page;
    Push push;
    push.position = "7";
    for (quint16 i = 0; i < 2; ++i) {
        Observation lock;
        lock.set = i;
        lock.name = "lock:pay:a";
        page.locks.append(lock);
        Change change;
        change.lock = lock;
        push.changes.append(change);
    }
    QCOMPARE(owners.owned(page).locks.size(), 1);
    QCOMPARE(owners.owned(page).locks.first().set, quint16(1));
    QCOMPARE(owners.owned(push).changes.size(), 1);
    QCOMPARE(owners.owned(push).changes.first().lock.set, quint16(1));
    QCOMPARE(owners.owned(push).position, QByteArray("7"));
}

/** Only the catalogue can show that two names are one table. */
void SetOwnersTest::onePlaceUnderTwoNames()
{
    const QList<LockSet> sets{set("sql.shedlock", "*", "", "shedlock"),
                              set("sql.shedlock", "pay*", "shedlock")};
    const auto error = undeclaredOverlap(sets, {"app.shedlock", "app.shedlock"});
    QVERIFY(error);
    QVERIFY(error->code == base::ErrorCode::SchemaMismatch);
    QCOMPARE(error->line(),
             QStringLiteral("the table of the preset \"shedlock\" and the table \"shedlock\" are the same "
                            "table, and two lock sets match the same locks in it. Write the same "
                            "\"table\" in both lock sets."));
    QVERIFY(!undeclaredOverlap(sets, {"app.fem_shedlock", "app.shedlock"}));
    QVERIFY(!undeclaredOverlap({sets.at(0), set("sql.shedlock", "pay*", "", "shedlock")},
                               {"app.shedlock", "app.shedlock"}));
}

LOCKKEEPER_TEST(SetOwnersTest)

} // namespace tst_set_owners

#include "tst_set_owners.moc"
