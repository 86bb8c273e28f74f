// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/seats.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_seats {

using namespace lockkeeper;
using agent::server::Seats;

class TestSeats : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void limits_data();
    void limits();
    void placesAreGivenBack();
    void aReserveIsKeptForAdministrators();
};

namespace {

const QString kHere;
const QString kDesk = QStringLiteral("192.0.2.7");
const QString kAda = QStringLiteral("ada");

} // namespace

void TestSeats::limits_data()
{
    QTest::addColumn<QString>("firstMachine");
    QTest::addColumn<QString>("user"); // the user who connects after four sessions of ada's
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QString>("refusal");
    QTest::newRow("a user's, over the network")
        << kDesk << kAda << QStringLiteral("192.0.2.8") << QStringLiteral("ada has 4 sessions already");
    QTest::newRow("a user's, here") << kHere << kAda << kHere << QStringLiteral("ada has 4 sessions already");
    QTest::newRow("a machine's") << kDesk << QStringLiteral("bob") << kDesk
                                 << QStringLiteral("192.0.2.7 has 4 sessions already");
    QTest::newRow("another user, another machine")
        << kDesk << QStringLiteral("bob") << QStringLiteral("192.0.2.8") << QString();
    QTest::newRow("another user, here") << kHere << QStringLiteral("bob") << kHere << QString();
    QTest::newRow("here beside the network") << kDesk << kAda << kHere << QString();
}

void TestSeats::limits()
{
    QFETCH(QString, firstMachine);
    QFETCH(QString, user);
    QFETCH(QString, machine);
    QFETCH(QString, refusal);
    Seats seats({10, 2, 4, 4});
    QList<Seats::Place> taken;
    for (int i = 0; i < 4; ++i) {
        const auto place = seats.take(kAda, firstMachine, false);
        QVERIFY(place);
        taken.append(*place);
    }
    const auto next = seats.take(user, machine, false);
    QCOMPARE(next ? QString() : next.error().cause, refusal);
}

void TestSeats::placesAreGivenBack()
{
    Seats seats({3, 0, 1, 3});
    auto place = seats.take(kAda, kDesk, false);
    QVERIFY(place && !seats.take(kAda, kDesk, false));
    place->reset();
    QVERIFY(seats.take(kAda, kDesk, false));
}

void TestSeats::aReserveIsKeptForAdministrators()
{
    Seats seats({10, 2, 100, 100});
    QList<Seats::Place> taken;
    for (;;) {
        const auto place = seats.take(QStringLiteral("viewer"), kDesk, false);
        if (!place) {
            QCOMPARE(place.error().code, base::ErrorCode::Busy);
            break;
        }
        taken.append(*place);
    }
    QCOMPARE(taken.size(), 8);
    QVERIFY(!seats.take(kAda, QStringLiteral("192.0.2.9"), false));
    QVERIFY(seats.take(kAda, QStringLiteral("192.0.2.9"), true));
}

LOCKKEEPER_TEST(TestSeats)

} // namespace tst_seats

#include "tst_seats.moc"
