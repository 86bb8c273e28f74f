// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/lease_chart.h"
#include "app/views/common/requests.h"
#include "app/views/detail/lock_detail.h"
#include "app/views/locks/locks_view.h"
#include "app/views/window/main_window.h"
#include "tests/app/views/release/dialog_rig.h"
#include "tests/app/views/support/demo_feed.h"
#include "tests/support/fake_clock.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::app;

class LockDetailTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_rig.reset(); }
    void saysWhyItIsStuck();
    void listsWaitersInOrder();
    void saysThatWaitersAreNotVisible();
    void nameIsPlain();
    void releaseIsOffWithItsReason();
    void saysThatTheFilterHidesIt();
    void chartStaysSmall();
    void holdsAreReadAgainWhenTheLockGoes();

private:
    void select(const QString &source, const QByteArray &name);
    QString text() const { return m_rig->console->window()->detail()->text(); }

    tests::FakeClock m_clock;
    std::unique_ptr<tests::ConsoleRig> m_rig;
};

void LockDetailTest::init()
{
    m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
    m_rig->console->window()->resize(1280, 800);
    m_rig->console->window()->show();
    m_rig->feed.load(*m_rig->console->replica(), m_rig->feed.locks(12));
    m_rig->console->locks()->proxy()->tick();
}

void LockDetailTest::select(const QString &source, const QByteArray &name)
{
    const bool redis = source == QLatin1String("orders-redis");
    m_rig->console->selection()->selectOne(
        {source, redis ? "redis.token" : "sql.shedlock", redis ? "db0" : "app.shedlock", name});
}

void LockDetailTest::saysWhyItIsStuck()
{
    select(QStringLiteral("orders-redis"), "lock:orders:checkout:2025-1");
    QVERIFY2(text().contains(QStringLiteral("Stuck: it has no expiry")), qPrintable(text()));
    QVERIFY(text().contains(QStringLiteral("Held for\t≥ 02:41:07")));
    QVERIFY(text().contains(QStringLiteral("Release\tguarded: token and expiry")));
    QVERIFY(text().contains(QStringLiteral("Token\t3b5f9c1e77aa4c1f9a102bb1f0c7d2e1")));
    QVERIFY(m_rig->console->window()->detail()->releaseButton()->isEnabled());
}

void LockDetailTest::listsWaitersInOrder()
{
    select(QStringLiteral("orders-redis"), "reportJob");
    QVERIFY2(text().contains(QStringLiteral("Waiters (4)\n1\tworker-7, 00:02:11\n2\tworker-8")),
             qPrintable(text()));
    QVERIFY(text().contains(QStringLiteral("Alive\trenewed 4.2 s ago")));
}

void LockDetailTest::saysThatWaitersAreNotVisible()
{
    select(QStringLiteral("orders-db"), "cleanupJob");
    QVERIFY(text().contains(QStringLiteral("Waiters not visible in this scheme")));
}

void LockDetailTest::nameIsPlain()
{
    select(QStringLiteral("orders-redis"), "<img src=x onerror=alert(1)><b>bold</b>");
    QVERIFY(text().startsWith(QStringLiteral("<img src=x onerror=alert(1)><b>bold</b>")));
    for (const QLabel *label : m_rig->console->window()->detail()->findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
}

void LockDetailTest::releaseIsOffWithItsReason()
{
    select(QStringLiteral("orders-db"), "archiveJob");
    const QPushButton *button = m_rig->console->window()->detail()->releaseButton();
    QVERIFY(!button->isEnabled());
    const auto labels = m_rig->console->window()->detail()->findChildren<QLabel *>();
    const auto says = [&](const QString &reason) {
        return std::any_of(labels.cbegin(), labels.cend(), [&](const QLabel *label) {
            return label->isVisible() && label->text() == reason;
        });
    };
    QVERIFY(says(QStringLiteral("Nothing to release: the lock is free.")));
    select(QStringLiteral("orders-db"), "settle-daily");
    QVERIFY(button->isEnabled());
    m_rig->console->replica()->setLive(false, QStringLiteral("dc1"));
    QVERIFY(!button->isEnabled());
    QTRY_VERIFY(says(QStringLiteral("Off: no agent is connected.")));
}

void LockDetailTest::saysThatTheFilterHidesIt()
{
    select(QStringLiteral("orders-db"), "cleanupJob");
    QVERIFY(!text().contains(QStringLiteral("Not in the list")));
    m_rig->console->locks()->setFilter(QStringLiteral("settle"));
    QTRY_VERIFY(text().contains(QStringLiteral("Not in the list")));
}

void LockDetailTest::chartStaysSmall()
{
    presentation::Theme theme;
    charts::LeaseChart chart(&theme);
    models::LeaseTrajectory trajectory;
    domain::LockState state = m_rig->feed.locks(5).at(4);
    qint64 now = m_clock.wallUs();
    for (int i = 0; i < 20'000; ++i, now += 40'000) {
        state.renewedUs = now;
        state.renewals = quint32(i + 1);
        state.expiresUs = now + 30'000'000 + (i % 7) * 1000;
        trajectory.add(state, now);
    }
    trajectory.openGap(now);
    chart.show(trajectory, now + 5'000'000);
    QVERIFY(chart.pointCount() > 10);
    QVERIFY2(chart.pointCount() <= models::LeaseTrajectory::kMaxPoints,
             qPrintable(QString::number(chart.pointCount())));
    QVERIFY(chart.summary().contains(QStringLiteral("1 gap")));
}

void LockDetailTest::holdsAreReadAgainWhenTheLockGoes()
{
    tests::DialogRig rig;
    const domain::LockState lock = tests::DialogRig::stuckLock("lock:a");
    QVERIFY(rig.connectWith({lock}));
    QTRY_VERIFY(rig.replica.find(lock.key));
    views::LockDetail detail(rig.context);
    rig.selection.selectOne(lock.key);
    QTRY_COMPARE(rig.agent.received<protocol::HoldsQuery>().size(), 1);
    rig.agent.publish(tests::released(lock));
    QTRY_VERIFY(!rig.replica.find(lock.key));
    QTRY_COMPARE(rig.agent.received<protocol::HoldsQuery>().size(), 2); // "still held" isn't true any more
}

QTEST_MAIN(LockDetailTest)
#include "tst_lock_detail.moc"
