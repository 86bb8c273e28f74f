// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/request_deadlines.h"
#include "tests/support/test_program.h"

#include <QList>
#include <QTest>

namespace tst_deadlines {

using namespace lockkeeper;
using agent::application::Deadlines;
using namespace std::chrono_literals;

/** Many time limits behind one timer. */
class DeadlinesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void inTheirOrder();
    void aRemovedOneIsNotCalled();
    void oneMayAddAndRemoveOthers();
};

void DeadlinesTest::inTheirOrder()
{
    RequestDeadlines deadlines;
    QList<int> late;
    deadlines.add(30ms, [&late] { late.append(3); });
    deadlines.add(1ms, [&late] { late.append(1); });
    deadlines.add(15ms, [&late] { late.append(2); });
    QTRY_COMPARE(late.size(), 3);
    QCOMPARE(late, (QList<int>{1, 2, 3}));
}

void DeadlinesTest::aRemovedOneIsNotCalled()
{
    RequestDeadlines deadlines;
    QList<int> late;
    const quint64 first = deadlines.add(1ms, [&late] { late.append(1); });
    deadlines.add(5ms, [&late] { late.append(2); });
    deadlines.remove(first);
    deadlines.remove(first);
    deadlines.remove(4'711);
    QTRY_COMPARE(late.size(), 1);
    QCOMPARE(late, QList<int>{2});
}

void DeadlinesTest::oneMayAddAndRemoveOthers()
{
    RequestDeadlines deadlines;
    QList<int> late;
    quint64 other = 0;
    deadlines.add(1ms, [&] {
        late.append(1);
        deadlines.remove(other);
        deadlines.add(0ms, [&late] { late.append(3); });
    });
    other = deadlines.add(2ms, [&late] { late.append(2); });
    QTRY_COMPARE(late.size(), 2);
    QCOMPARE(late, (QList<int>{1, 3}));
}

LOCKKEEPER_TEST(DeadlinesTest)

} // namespace tst_deadlines

#include "tst_deadlines.moc"
