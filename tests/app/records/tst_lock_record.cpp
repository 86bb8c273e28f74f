// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/records/records.h"
#include "tests/shared/protocol/perturbed.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_lock_record {

using namespace lockkeeper;
using namespace lockkeeper::app::records;

/** The JSON object of a lock has all that its state says. */
class TestLockRecord : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFieldIsExported();
    void aProbeIsExported();
};

void TestLockRecord::everyFieldIsExported()
{
    constexpr qint64 now = 1'800'000'000'000'000;
    domain::LockState state;
    state.phase = domain::Phase::Held;
    state.owner = "w1";
    state.acquiredUs = now - 10'000'000;
    state.renewals = 2;
    state.renewedUs = now - 1'000'000;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = now + 1'000'000;
    const SourceView view{"redis", now, false, now}; // of a past moment, which has the most members
    const auto record = [&view](const domain::LockState &s) { return lockObject(s, view, {}); };
    QSet<quint64> missing;
    for (const quint64 key : tests::keysOnWire<domain::LockState>())
        missing.insert(key);
    for (const tests::PerturbedState &other : tests::perturbed(state)) {
        if (record(other.state) != record(state))
            missing.remove(quint64(other.key));
    }
    const QSet<quint64> onPurpose{8,
                                  15}; // the evidence of the times: `window_us` and the words of the console
    QCOMPARE(missing, onPurpose);
}

void TestLockRecord::aProbeIsExported()
{
    const SourceView view{"redis", 1'800'000'000'000'000, false, {}};
    domain::LockState state;
    state.phase = domain::Phase::Held;
    const QString alive = QStringLiteral("alive");
    const QString probe = QStringLiteral("probe");
    QVERIFY(lockObject(state, view, {}).value(alive)[probe].isNull());
    domain::HolderCheck check;
    check.rule = QStringLiteral("pods");
    check.verdict = domain::HolderVerdict::Dead;
    check.evidence = domain::HolderEvidence::PodReplaced;
    check.target = "shop/orders-7f9";
    check.number = 1'799'999'999'000'000;
    check.checkedUs = 1'799'999'999'999'000;
    const QJsonObject expected{{QStringLiteral("checked_us"), check.checkedUs},
                               {QStringLiteral("evidence"), QStringLiteral("pod_replaced")},
                               {QStringLiteral("number"), *check.number},
                               {QStringLiteral("rule"), check.rule},
                               {QStringLiteral("target"), QStringLiteral("shop/orders-7f9")},
                               {QStringLiteral("verdict"), QStringLiteral("dead")}};
    QCOMPARE(lockObject(state, view, {}, {}, &check).value(alive)[probe].toObject(), expected);
}

LOCKKEEPER_TEST(TestLockRecord)

} // namespace tst_lock_record

#include "tst_lock_record.moc"
