// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/forward/forwarding.h"
#include "tests/agent/forward/fake_hub.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>

#include <numeric>

namespace tst_forwarding {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::config::ForwardSettings;
using agent::forward::Forwarding;
using events::EventKind;

namespace {

ForwardSettings toHub(const QString &name)
{
    ForwardSettings settings;
    settings.name = name;
    settings.url = "postgresql:///" + name.toUtf8();
    return settings;
}

/** A journal and the hubs "a" and "b" that follow it. */
struct ForwardingWorld
{
    JournalFixture journal;
    FakeHub a;
    FakeHub b;
    qint64 epoch = 0;
    base::SleeplessClock clock;
    std::unique_ptr<Forwarding> forwarding;

    bool open() { return journal.open().has_value(); }
    QByteArray id() const { return journal.journal->id(); }
    void begin(const QStringList &hubs)
    {
        forwarding = std::make_unique<Forwarding>(
            agent::forward::ForwardingSender{QStringLiteral("dc1"), [this] { return epoch; }},
            [this](const ForwardSettings &to) { return (to.name == QLatin1String("a") ? a : b).sink(); },
            *journal.journal, clock);
        apply(hubs);
    }
    void apply(const QStringList &hubs) const
    {
        QList<ForwardSettings> settings;
        for (const QString &hub : hubs)
            settings.append(toHub(hub));
        forwarding->apply(settings);
    }
    void commit(int events)
    {
        QList<events::LockEvent> some;
        for (int i = 0; i < events; ++i)
            some += lockEvent(i % 2 ? EventKind::Released : EventKind::Acquired,
                              "k" + QByteArray::number(i / 2 % 50), "w", 1'000 + i);
        journal.commit(some);
    }
};

QList<qint64> upTo(qint64 last)
{
    QList<qint64> numbers(last);
    std::iota(numbers.begin(), numbers.end(), 1);
    return numbers;
}

const QStringList kOne{QStringLiteral("a")};
const QStringList kBoth{QStringLiteral("a"), QStringLiteral("b")};

} // namespace

class TestForwarding : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eventsArriveWithinASecond();
    void lostAnswersDoubleNothing();
    void anAbsentHubCatchesUpInOrder();
    void theNewestEpochIsSent();
    void aRefusedEpochIsShown();
    void anotherJournalOverwritesNothing();
    void aJournalFromABackupOverwritesNothing();
    void aHubThatHangsDelaysNoOther();
    void endsWhileAHubHangs();
    void reloadKeepsUnchangedHubs();
    void stateTellsHowFarAHubIs();
};

void TestForwarding::eventsArriveWithinASecond()
{
    ForwardingWorld world;
    QVERIFY(world.open());
    world.begin(kOne);
    QTRY_VERIFY(world.forwarding->states().constFirst().watermark);
    QElapsedTimer taken;
    for (int i = 1; i <= 3; ++i) {
        taken.start();
        world.commit(2);
        QTRY_COMPARE(world.a.lastSeqOf(world.id()), 2 * i);
        QVERIFY2(taken.elapsed() < 2'000,
                 qPrintable(QString::number(taken.elapsed()))); // 1 s, on a busy machine
    }
    QCOMPARE(world.a.copyOf(world.id()).numbers, upTo(6));
}

void TestForwarding::lostAnswersDoubleNothing()
{
    ForwardingWorld world;
    QVERIFY(world.open());
    world.begin(kOne);
    for (int i = 1; i <= 4; ++i) {
        world.a.setFault(HubFault::LostReply);
        world.commit(10);
        QTRY_COMPARE(world.a.lastSeqOf(world.id()), 10 * i);
    }
    QTRY_COMPARE(world.forwarding->states().constFirst().unforwarded, 0);
    QCOMPARE(world.a.copyOf(world.id()).numbers, upTo(40));
    QVERIFY(world.forwarding->states().constFirst().failures >= 4);
}

void TestForwarding::anAbsentHubCatchesUpInOrder()
{
    ForwardingWorld world;
    QVERIFY(world.open());
    world.a.setFault(HubFault::Unreachable);
    world.begin(kOne);
    for (int i = 0; i < 6; ++i)
        world.commit(2'000);
    QTRY_VERIFY(world.forwarding->states().constFirst().failures >= 2);
    QCOMPARE(world.forwarding->states().constFirst().unforwarded, 12'000);
    QCOMPARE(world.forwarding->states().constFirst().error.code, base::ErrorCode::Unreachable);
    world.a.setFault(HubFault::None);
    QTRY_COMPARE(world.a.lastSeqOf(world.id()), 12'000);
    const JournalCopy copy = world.a.copyOf(world.id());
    QCOMPARE(copy.numbers, upTo(12'000));
    QCOMPARE(copy.holds.size(), 6'000);
    QCOMPARE(copy.locks.size(), 50);
    QVERIFY(world.a.batches() >= 3); // no batch is larger than its limit
    QTRY_COMPARE(world.forwarding->states().constFirst().error, base::Error());
}

void TestForwarding::theNewestEpochIsSent()
{
    ForwardingWorld world;
    world.epoch = 3;
    QVERIFY(world.open());
    world.begin(kOne);
    world.commit(2);
    QTRY_COMPARE(world.a.lastSeqOf(world.id()), 2);
    world.epoch = 4;
    world.commit(2);
    QTRY_COMPARE(world.a.lastSeqOf(world.id()), 4);
    QCOMPARE(world.a.openedEpochs(), (QList<qint64>{3, 4}));
}

void TestForwarding::aRefusedEpochIsShown()
{
    ForwardingWorld world;
    world.epoch = 3;
    world.a.setEpoch(4);
    QVERIFY(world.open());
    world.begin(kOne);
    world.commit(2);
    QTRY_COMPARE(world.forwarding->states().constFirst().error.code, base::ErrorCode::ReadOnly);
    QCOMPARE(world.a.lastSeqOf(world.id()), 0);
    QCOMPARE(world.a.batches(), 0);
}

/** A machine lost its last events, so their numbers mean other events now. */
void TestForwarding::anotherJournalOverwritesNothing()
{
    ForwardingWorld world;
    QVERIFY(world.open());
    const QByteArray before = world.id();
    world.begin(kOne);
    world.commit(4);
    QTRY_COMPARE(world.a.lastSeqOf(before), 4);
    world.forwarding.reset();
    world.journal.close();
    world.journal.sql(QStringLiteral("DELETE FROM meta WHERE CAST(key AS TEXT) = 'journal_id'"));
    QVERIFY(world.open());
    QVERIFY(world.id() != before);
    world.begin(kOne);
    world.commit(2);
    QTRY_COMPARE(world.a.lastSeqOf(world.id()), 6);
    QCOMPARE(world.a.copyOf(before).numbers, upTo(4));
}

/** Its numbers are used again, for other events. */
void TestForwarding::aJournalFromABackupOverwritesNothing()
{
    ForwardingWorld world;
    QVERIFY(world.open());
    const QByteArray before = world.id();
    world.begin(kOne);
    world.commit(6);
    QTRY_COMPARE(world.a.lastSeqOf(before), 6);
    world.forwarding.reset();
    world.journal.close();
    const QString file = world.journal.path();
    QVERIFY(QFile::copy(file, file + QStringLiteral(".backup")));
    QVERIFY(world.open());
    world.begin(kOne);
    world.commit(4);
    QTRY_COMPARE(world.a.lastSeqOf(before), 10);
    world.forwarding.reset();
    world.journal.close();
    QVERIFY(QFile::remove(file) && QFile::copy(file + QStringLiteral(".backup"), file));
    QVERIFY(world.open());
    world.begin(kOne);
    QTRY_COMPARE(world.forwarding->states().constFirst().error.code, base::ErrorCode::Corrupt);
    world.commit(10); // now the journal is longer than the hub's copy
    QVERIFY(!QTest::qWaitFor([&world] { return world.a.lastSeqOf(world.id()) > 10; }, 1'500));
    world.forwarding.reset();
    QVERIFY(world.open());
    QVERIFY(world.id() != before);
    const QByteArray after = world.id();
    QVERIFY(world.open());
    QCOMPARE(world.id(), after); // not again
    world.begin(kOne);
    QTRY_COMPARE(world.a.lastSeqOf(after), 16);
    QCOMPARE(world.a.lastSeqOf(before), 10);
}

void TestForwarding::aHubThatHangsDelaysNoOther()
{
    ForwardingWorld world;
    QVERIFY(world.open());
    world.a.setFault(HubFault::Hangs);
    world.begin(kBoth);
    world.commit(4);
    QTRY_VERIFY(world.a.isHanging());
    QTRY_COMPARE(world.b.lastSeqOf(world.id()), 4);
    world.commit(4);
    QTRY_COMPARE(world.b.lastSeqOf(world.id()), 8);
    QCOMPARE(world.a.lastSeqOf(world.id()), 0);
}

void TestForwarding::endsWhileAHubHangs()
{
    ForwardingWorld world;
    QVERIFY(world.open());
    world.a.setFault(HubFault::Hangs);
    world.begin(kBoth);
    world.commit(4);
    QTRY_VERIFY(world.a.isHanging());
    QElapsedTimer taken;
    taken.start();
    world.forwarding.reset();
    QVERIFY(taken.elapsed() < 2'000);
    QTRY_VERIFY(!world.a.isHanging());
}

void TestForwarding::reloadKeepsUnchangedHubs()
{
    ForwardingWorld world;
    QVERIFY(world.open());
    world.begin(kOne);
    world.commit(4);
    QTRY_COMPARE(world.a.lastSeqOf(world.id()), 4);
    world.apply(kBoth);
    QTRY_COMPARE(world.b.lastSeqOf(world.id()), 4);
    QCOMPARE(world.a.openedEpochs().size(), 1);
    world.apply({QStringLiteral("b")});
    world.commit(2);
    QTRY_COMPARE(world.b.lastSeqOf(world.id()), 6);
    QCOMPARE(world.a.lastSeqOf(world.id()), 4);
    QCOMPARE(world.forwarding->states().size(), 1);
    world.apply(kOne); // it goes on where the hub is
    QTRY_COMPARE(world.a.lastSeqOf(world.id()), 6);
    QCOMPARE(world.a.copyOf(world.id()).numbers, upTo(6));
}

void TestForwarding::stateTellsHowFarAHubIs()
{
    ForwardingWorld world;
    QVERIFY(world.open());
    world.a.setFault(HubFault::KeepsNothing);
    world.begin(kOne);
    world.commit(4);
    QTRY_COMPARE(world.forwarding->states().constFirst().error.code, base::ErrorCode::Protocol);
    const agent::forward::ForwardState behind = world.forwarding->states().constFirst();
    QCOMPARE(behind.name, QStringLiteral("a"));
    QCOMPARE(behind.unforwarded, 4);
    QVERIFY(behind.behindUs > 0);
    QCOMPARE(behind.watermark->lastSeq, 0);
    world.a.setFault(HubFault::None);
    world.forwarding.reset();
    world.begin(kOne);
    QTRY_COMPARE(world.forwarding->states().constFirst().unforwarded, 0);
    QCOMPARE(world.forwarding->states().constFirst().behindUs, 0);
    QCOMPARE(world.forwarding->states().constFirst().watermark->lastSeq, 4);
}

LOCKKEEPER_TEST(TestForwarding)

} // namespace tst_forwarding

#include "tst_forwarding.moc"
