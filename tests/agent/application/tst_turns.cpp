// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/turns.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_turns {

using lockkeeper::agent::application::Turns;

class TestTurns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sessionsAreServedInTurn();
};

void TestTurns::sessionsAreServedInTurn()
{
    Turns<QByteArray> turns;
    QVERIFY(turns.isEmpty() && !turns.take());
    for (const char *item : {"a1", "a2", "a3"})
        turns.push(1, item);
    turns.push(2, "b1");
    QCOMPARE(*turns.take(), QByteArray("a1"));
    turns.push(3, "c1");
    turns.push(2, "b2");
    QByteArrayList rest;
    while (const auto item = turns.take())
        rest.append(*item);
    QCOMPARE(rest, (QByteArrayList{"b1", "a2", "c1", "b2", "a3"}));
    QVERIFY(turns.isEmpty());
}

LOCKKEEPER_TEST(TestTurns)

} // namespace tst_turns

#include "tst_turns.moc"
