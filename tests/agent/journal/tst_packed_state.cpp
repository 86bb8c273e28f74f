// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/packed_state.h"
#include "tests/shared/protocol/perturbed.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_packed_state {

using namespace lockkeeper;
using namespace lockkeeper::agent::journal;

/** The states that the journal keeps beside an event's row come back whole. */
class TestPackedState : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFieldComesBack_data();
    void everyFieldComesBack();
};

void TestPackedState::everyFieldComesBack_data()
{
    QTest::addColumn<domain::LockState>("state");
    domain::LockState usual;
    usual.phase = domain::Phase::Held;
    usual.owner = usual.token = "w1";
    usual.acquiredUs = 1'795'212'345'678'901;
    usual.guard = QByteArray("0123456789abcdef").repeated(4);
    usual.session.emplace();
    usual.waiters.append(domain::Waiter());
    usual.nodes.append(domain::NodeView());
    int row = 0;
    for (const tests::PerturbedState &other : tests::perturbed(usual))
        QTest::addRow("%d, key %d", row++, other.key) << other.state;
}

void TestPackedState::everyFieldComesBack()
{
    QFETCH(domain::LockState, state);
    events::LockEvent event;
    event.kind = events::EventKind::Acquired;
    event.owner = "w1";
    event.timeUs = 1'795'212'345'678'901;
    event.observedUs = event.timeUs + 9;
    for (const domain::LockState &base : {domain::LockState(), stateBy(event)})
        QVERIFY(unpackState(packState(state, base), base) == base::Result<domain::LockState>(state));
}

LOCKKEEPER_TEST(TestPackedState)

} // namespace tst_packed_state

#include "tst_packed_state.moc"
