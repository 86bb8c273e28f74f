// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/holder_checks.h"
#include "tests/app/session/agents_rig.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QtTest>

namespace tst_holder_checks {

using namespace lockkeeper;
using app::replica::HolderChecks;

/** One agent that answers every question about a holder with `check`. */
struct HoldersRig
{
    HoldersRig()
    {
        agents[0].answer = [this](const protocol::Message &message) -> std::optional<protocol::Message> {
            const auto *query = std::get_if<protocol::HolderChecksQuery>(&message);
            if (!query)
                return std::nullopt;
            asked.append(query->key);
            if (failure)
                return protocol::Failed{query->id, *failure};
            protocol::HolderChecksPage page{query->id, {}, kNowUs};
            if (check)
                page.checks = {*check};
            return page;
        };
        agents.open();
        lock.guard = "guard-1";
        check.emplace();
        check->lock = lock.key;
        check->guard = "guard-1";
        check->verdict = domain::HolderVerdict::Dead;
        check->evidence = domain::HolderEvidence::PodGone;
        check->checkedUs = kNowUs - 4 * base::kSecondUs;
    }
    bool isLive() const { return agents.live() == 1; }
    void look() { checks.look(lock.key); }

    static constexpr qint64 kNowUs = 1'900'000'000'000'000;
    tests::AgentsRig agents{{QStringLiteral("dc1")}};
    tests::FakeClock clock;
    domain::LockState lock = tests::heldLock("l");
    std::optional<domain::HolderCheck> check;
    std::optional<base::Error> failure;
    QList<domain::LockKey> asked;
    HolderChecks checks{agents.agents, clock};
    QSignalSpy changed{&checks, &HolderChecks::changed};
};

class TestHolderChecks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asksWhileSomebodyLooks();
    void aVerdictBelongsToOneAcquisition();
    void aFailureKeepsTheOldVerdict();
    void forgetsWhatNobodyLooksAt();
};

void TestHolderChecks::asksWhileSomebodyLooks()
{
    HoldersRig rig;
    QTRY_VERIFY(rig.isLive());
    rig.look();
    rig.look(); // the answer is awaited
    QTRY_COMPARE(rig.changed.size(), 1);
    QCOMPARE(rig.asked, QList<domain::LockKey>{rig.lock.key});
    const auto check = rig.checks.find(rig.lock);
    QVERIFY(check);
    QCOMPARE(*check, *rig.check);
    QCOMPARE(rig.checks.ageUs(rig.lock.key), 4 * base::kSecondUs);
    rig.clock.advanceUs(HolderChecks::kAskEveryUs - 1);
    rig.look();
    QCOMPARE(rig.checks.ageUs(rig.lock.key), 9 * base::kSecondUs - 1); // not asked again: it grew older
    rig.clock.advanceUs(1);
    rig.look();
    QTRY_COMPARE(rig.changed.size(), 2);
    QCOMPARE(rig.asked.size(), 2);
}

void TestHolderChecks::aVerdictBelongsToOneAcquisition()
{
    HoldersRig rig;
    QTRY_VERIFY(rig.isLive());
    rig.look();
    QTRY_COMPARE(rig.changed.size(), 1);
    QVERIFY(rig.checks.find(rig.lock));
    domain::LockState next = rig.lock;
    next.guard = "guard-2";
    QVERIFY(!rig.checks.find(next));
    domain::LockState free = rig.lock;
    free.phase = domain::Phase::Free;
    QVERIFY(!rig.checks.find(free));
}

void TestHolderChecks::aFailureKeepsTheOldVerdict()
{
    HoldersRig rig;
    QTRY_VERIFY(rig.isLive());
    rig.look();
    QTRY_COMPARE(rig.changed.size(), 1);
    rig.failure = base::Error{base::ErrorCode::Timeout, QStringLiteral("late"), {}};
    rig.clock.advanceUs(HolderChecks::kAskEveryUs);
    rig.look();
    QTRY_COMPARE(rig.asked.size(), 2);
    QVERIFY(rig.checks.find(rig.lock));
    QCOMPARE(rig.checks.ageUs(rig.lock.key), 9 * base::kSecondUs); // its age shows that it is old
}

void TestHolderChecks::forgetsWhatNobodyLooksAt()
{
    HoldersRig rig;
    QTRY_VERIFY(rig.isLive());
    rig.look();
    QTRY_COMPARE(rig.changed.size(), 1);
    rig.clock.advanceUs(HolderChecks::kForgetAfterUs + 1);
    rig.checks.look(tests::heldLock("other").key);
    QVERIFY(!rig.checks.find(rig.lock));
}

LOCKKEEPER_TEST(TestHolderChecks)

} // namespace tst_holder_checks

#include "tst_holder_checks.moc"
