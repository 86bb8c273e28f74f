// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/packed_lock_table.h"
#include "tests/shared/protocol/perturbed.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <functional>

namespace tst_packed_lock {

using namespace lockkeeper;
using app::replica::PackedLock;
using app::replica::PackedLockTable;
using domain::LockState;

class TestPackedLock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFieldComesBack_data();
    void everyFieldComesBack();
    void mostTakeLittle();
    void tableKeepsOneOfAKey();
    void equalHashesAreTwoLocks();
};

LockState usual()
{
    LockState state;
    state.key = {QStringLiteral("shop-缓存"), "redis.token", "db0", QByteArray("lock:a\0b", 8)};
    state.phase = domain::Phase::Held;
    state.owner = "3b5f6a3e-20f5-4f0c-a6b8-0c2a0c1a7f10";
    state.token = state.owner;
    state.acquiredUs = 1'795'212'345'678'901;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = 1'795'212'375'678'901;
    state.ttlMs = 30'000;
    state.release.safety = domain::ReleaseSafety::Guarded;
    state.guard = QByteArray("0123456789abcdef").repeated(4);
    state.seenUs = 1'795'212'346'000'000;
    return state;
}

/**
 * Each row changes one field of the usual lock. The field must survive packing, and give a different block.
 */
void TestPackedLock::everyFieldComesBack_data()
{
    using Change = std::function<void(LockState &)>;
    QTest::addColumn<LockState>("state");
    for (const tests::PerturbedState &other : tests::perturbed(usual()))
        QTest::addRow("key %d", other.key) << other.state;
    const auto row = [](const char *name, const Change &change) {
        LockState state = usual();
        change(state);
        QTest::newRow(name) << state;
    };
    row("nothing at all", [](LockState &s) { s = {}; });
    row("no place", [](LockState &s) { s.key.place.clear(); });
    row("a name that isn't text", [](LockState &s) { s.key.name = "\xff\xfe"; });
    row("the last reason", [](LockState &s) { s.stuck = domain::StuckReason::NoSignOfLife; });
    row("no owner", [](LockState &s) { s.owner.clear(); });
    row("no token", [](LockState &s) { s.token.clear(); });
    row("acquired at the epoch", [](LockState &s) { s.acquiredUs = 0; });
    row("renewed before it", [](LockState &s) { s.renewedUs = -5; });
    row("most renewals", [](LockState &s) { s.renewals = 0xffffffff; });
    row("waiters", [](LockState &s) { s.waiters = {{"w1", 5, "d", 6}, {"w2", std::nullopt, {}}}; });
    row("session", [](LockState &s) { s.session.emplace().user = "app"; });
    row("no guard", [](LockState &s) { s.guard.clear(); });
    row("a guard in capitals", [](LockState &s) { s.guard = s.guard.toUpper(); });
    row("a short guard", [](LockState &s) { s.guard = "ff"; });
    row("a guard that is no number", [](LockState &s) { s.guard = "guard"; });
}

void TestPackedLock::everyFieldComesBack()
{
    QFETCH(const LockState, state);
    const PackedLock packed(state);
    QVERIFY(!packed.isNull());
    QCOMPARE(packed.state(), state);
    QCOMPARE(packed.key(), state.key);
    QCOMPARE(packed.name(), QByteArrayView(state.key.name));
    QCOMPARE(packed.hash(), PackedLock::hashOf(state.key));
    QVERIFY(packed.isOf(state.key));
    LockState seen = packed.peek();
    seen.guard = state.guard;
    QCOMPARE(seen, state);
    QVERIFY(packed == PackedLock(LockState(state)));
    QVERIFY(packed != PackedLock(usual()));
    QCOMPARE(packed.isSameHold(PackedLock(usual())),
             state.owner == usual().owner && state.guard == usual().guard);
    QCOMPARE(packed.isOf(usual().key), state.key == usual().key);
}

void TestPackedLock::mostTakeLittle()
{
    QVERIFY2(PackedLock(usual()).bytes() <= 240, QByteArray::number(PackedLock(usual()).bytes()).constData());
}

void TestPackedLock::tableKeepsOneOfAKey()
{
    PackedLockTable table;
    QVERIFY(table.isEmpty() && !table.find(usual().key) && table.packed(usual().key).isNull());
    table.insert(PackedLock(usual()));
    LockState other = usual();
    other.owner = "another";
    table.insert(PackedLock(other));
    QCOMPARE(table.size(), 1);
    QCOMPARE(table.find(usual().key)->owner, QByteArray("another"));
    QCOMPARE(table.values(), QList<LockState>{other});
    table.remove(usual().key);
    table.remove(usual().key);
    QVERIFY(table.isEmpty() && !table.contains(usual().key));
}

/** Equal 32-bit hashes prove nothing: among 300,000 names, some share a hash. */
void TestPackedLock::equalHashesAreTwoLocks()
{
    PackedLockTable table;
    LockState state = usual();
    constexpr int kLocks = 300'000;
    QSet<quint32> hashes;
    for (int i = 0; i < kLocks; ++i) {
        state.key.name = QByteArray::number(i);
        table.insert(PackedLock(state));
        hashes.insert(PackedLock::hashOf(state.key));
    }
    QVERIFY(hashes.size() < kLocks);
    QCOMPARE(table.size(), kLocks);
    for (int i = 0; i < kLocks; ++i)
        QCOMPARE(table.find({state.key.source, "redis.token", "db0", QByteArray::number(i)})->key.name,
                 QByteArray::number(i));
}

LOCKKEEPER_TEST(TestPackedLock)

} // namespace tst_packed_lock

#include "tst_packed_lock.moc"
