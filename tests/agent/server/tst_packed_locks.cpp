// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/batches.h"
#include "agent/server/packed_locks.h"
#include "tests/support/test_program.h"

#include <QCryptographicHash>
#include <QTest>

namespace tst_packed_locks {

using namespace lockkeeper;
using agent::server::PackedLocks;

namespace {

QList<domain::LockState> takeAll(PackedLocks &packed)
{
    QList<domain::LockState> all;
    while (!packed.isEmpty())
        all += packed.takeLocks();
    return all;
}

domain::LockState stateOf(int i, const QByteArray &owner)
{
    domain::LockState state;
    state.key = {QStringLiteral("orders"), "redis.token", "db0", "lock:orders:" + QByteArray::number(i)};
    state.phase = domain::Phase::Held;
    state.owner = state.token = owner;
    state.acquiredUs = 1'795'000'000'000'000 + i * 37;
    state.acquiredBy = domain::Evidence::Observation;
    state.windowUs = 400'000;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = 1'795'000'030'000'000 + i * 41;
    state.ttlMs = 30'000;
    state.guard = QCryptographicHash::hash(state.key.name + owner, QCryptographicHash::Sha256).toHex();
    state.seenUs = 1'795'000'000'400'000;
    return state;
}

QByteArray tokenOf(int i)
{
    return QCryptographicHash::hash(QByteArray::number(i), QCryptographicHash::Md5).toHex();
}

QHash<domain::LockKey, domain::LockState> byKey(const QList<domain::LockState> &locks)
{
    QHash<domain::LockKey, domain::LockState> all;
    for (const domain::LockState &state : locks)
        all.insert(state.key, state);
    return all;
}

} // namespace

class TestPackedLocks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatGoesInComesOut();
    void onlyTheLastStateCounts();
    void pagesAreMessagesAsAnyOther();
    void theyTakeLittleMemory();
    void emptyIsEmpty();
};

void TestPackedLocks::whatGoesInComesOut()
{
    PackedLocks packed;
    QList<domain::LockState> locks;
    for (int i = 0; i < 1'234; ++i) {
        locks.append(stateOf(i, tokenOf(i)));
        packed.append(locks.constLast());
    }
    packed.seal();
    QCOMPARE(takeAll(packed), locks); // in their order
    QVERIFY(packed.isEmpty());
    QCOMPARE(packed.bytes(), 0);
}

void TestPackedLocks::onlyTheLastStateCounts()
{
    PackedLocks packed;
    QHash<domain::LockKey, domain::LockState> truth;
    for (int i = 0; i < 2'000; ++i) {
        const domain::LockState state = stateOf(i, "first");
        truth.insert(state.key, state);
        packed.append(state);
    }
    // Every third changes twice, every fifth goes in the second round and every seventh in the last one.
    for (const QByteArray &round : {QByteArray("second"), QByteArray("third")}) {
        QList<domain::LockKey> changed;
        for (int i = 0; i < 2'000; ++i) {
            if (i % 3 == 0 || i % (round == "second" ? 5 : 7) == 0)
                changed.append(stateOf(i, {}).key);
        }
        packed.supersede(changed);
        for (int i = 0; i < 2'000; ++i) {
            const domain::LockState state = stateOf(i, round);
            if (!changed.contains(state.key))
                continue;
            truth.remove(state.key);
            if (i % (round == "second" ? 5 : 7) == 0)
                continue; // it is gone
            packed.append(state);
            truth.insert(state.key, state);
        }
    }
    packed.seal();
    const QList<domain::LockState> left = takeAll(packed);
    QCOMPARE(left.size(), truth.size());
    QCOMPARE(byKey(left), truth);
}

void TestPackedLocks::pagesAreMessagesAsAnyOther()
{
    for (const int count : {0, 1, 23, 24, 255, 256, 500}) {
        protocol::SnapshotPage page;
        page.id = 7;
        page.atSeq = 1'000'042;
        QByteArray states;
        for (int i = 0; i < count; ++i) {
            page.locks.append(stateOf(i, tokenOf(i)));
            states += protocol::encodeState(page.locks.constLast());
        }
        QCOMPARE(protocol::encodePage(7, 1'000'042, quint32(count), states), protocol::encode(page));
    }
}

void TestPackedLocks::theyTakeLittleMemory()
{
    PackedLocks packed;
    for (int i = 0; i < 20'000; ++i)
        packed.append(stateOf(i, tokenOf(i)));
    packed.seal();
    // A random token of 16 bytes and a digest of 32 can't be made smaller.
    QVERIFY2(packed.bytes() < 20'000 * 120, qPrintable(QString::number(packed.bytes() / 20'000)));
    qInfo("%lld bytes a lock", packed.bytes() / 20'000);
}

void TestPackedLocks::emptyIsEmpty()
{
    PackedLocks packed;
    packed.seal();
    packed.supersede({stateOf(1, {}).key});
    packed.seal();
    QVERIFY(packed.isEmpty());
    QCOMPARE(takeAll(packed).size(), 0);
}

LOCKKEEPER_TEST(TestPackedLocks)

} // namespace tst_packed_locks

#include "tst_packed_locks.moc"
