// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/notify/attention_news.h"
#include "app/views/notify/attention_watch.h"
#include "app/views/notify/tray.h"
#include "tests/app/views/support/demo_feed.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QSystemTrayIcon>
#include <QTest>
#include <QWidget>

namespace tst_attention_news {

using namespace lockkeeper;
using namespace lockkeeper::app;
using base::kSecondUs;
using events::EventKind;
using views::AttentionNews;
using views::Trouble;
using views::TroubleItem;

/** The news that the desktop is notified of, by a clock that the test moves. */
class AttentionNewsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void oneLock_data();
    void oneLock();
    void whatWasThereIsNoNews();
    void oldEventsAreNoNews();
    void gapsAreNoNews();
    void whatEndsInTimeIsNoNews_data();
    void whatEndsInTimeIsNoNews();
    void aShortOutageIsNoNews();
    void manyAreOne();
    void oneLockIsAnnouncedOnce();
    void wordsAndClicks();
    void offInTheSettings();
    void worksWithoutATray();

private:
    static events::LockEvent event(EventKind kind, const QByteArray &name = "lock:a")
    {
        events::LockEvent event = tests::acquired(tests::heldLock(name));
        event.kind = kind;
        if (event.isSourceEvent()) {
            event.key = {event.key.source, {}, {}, {}};
            event.after.reset();
        }
        return event;
    }
    static TroubleItem item(Trouble trouble, const QByteArray &name = "lock:a")
    {
        return {trouble, tests::heldLock(name).key};
    }
    void pass(qint64 us) { m_clock->advanceUs(us); }

    std::unique_ptr<tests::FakeClock> m_clock;
    std::unique_ptr<AttentionNews> m_news;
};

void AttentionNewsTest::init()
{
    m_clock = std::make_unique<tests::FakeClock>();
    m_news = std::make_unique<AttentionNews>(*m_clock);
    m_news->settle();
    pass(AttentionNews::kSettleUs);
}

void AttentionNewsTest::oneLock_data()
{
    QTest::addColumn<EventKind>("kind");
    QTest::addColumn<bool>("present");
    QTest::addColumn<int>("trouble"); // −1: no news
    QTest::newRow("stuck") << EventKind::Stuck << true << int(Trouble::Stuck);
    QTest::newRow("expired and still there") << EventKind::Expired << true << int(Trouble::Expired);
    QTest::newRow("expired and gone") << EventKind::Expired << false << -1;
    for (const EventKind kind :
         {EventKind::Acquired, EventKind::Renewed, EventKind::Released, EventKind::TakenOver,
          EventKind::WaitStart, EventKind::WaitEnd, EventKind::Unstuck, EventKind::ForceReleased,
          EventKind::Lost, EventKind::Changed})
        QTest::newRow(events::kindName(kind).toByteArray().constData()) << kind << true << -1;
}

void AttentionNewsTest::oneLock()
{
    QFETCH(EventKind, kind);
    QFETCH(bool, present);
    QFETCH(int, trouble);
    events::LockEvent one = event(kind);
    if (!present)
        one.after.reset();
    m_news->take(one, 0);
    QVERIFY(m_news->takeDue().isEmpty()); // others may follow
    pass(AttentionNews::kGatherUs);
    const QList<TroubleItem> due = m_news->takeDue();
    QCOMPARE(due, trouble < 0 ? QList<TroubleItem>() : QList<TroubleItem>{item(Trouble(trouble))});
    QVERIFY(!m_news->isWaiting());
    pass(AttentionNews::kAgainUs);
    QVERIFY(m_news->takeDue().isEmpty());
}

/** The first seconds after a connection show old trouble, also to an agent that has just begun. */
void AttentionNewsTest::whatWasThereIsNoNews()
{
    m_news->take(event(EventKind::Stuck), 0);
    m_news->settle();
    m_news->take(event(EventKind::Stuck, "lock:b"), 0);
    m_news->take(event(EventKind::SourceDown), 0);
    pass(AttentionNews::kSettleUs);
    QVERIFY(m_news->takeDue().isEmpty());
    m_news->take(event(EventKind::Stuck, "lock:c"), 0);
    pass(AttentionNews::kGatherUs);
    QCOMPARE(m_news->takeDue(), QList<TroubleItem>{item(Trouble::Stuck, "lock:c")});
}

/** A console that reconnects reads the events in between. */
void AttentionNewsTest::oldEventsAreNoNews()
{
    m_news->take(event(EventKind::Stuck), AttentionNews::kFreshUs);
    m_news->take(event(EventKind::SourceDown), AttentionNews::kFreshUs);
    pass(AttentionNews::kSourceUs);
    QVERIFY(m_news->takeDue().isEmpty());
}

void AttentionNewsTest::gapsAreNoNews()
{
    m_news->take(event(EventKind::GapOpened), 0);
    m_news->take(event(EventKind::Expired), 0); // by the clock alone, without a viewer
    pass(AttentionNews::kAgainUs);
    QVERIFY(m_news->takeDue().isEmpty());
    m_news->take(event(EventKind::GapClosed), 0);
    m_news->take(event(EventKind::Stuck), 0); // became so in the gap
    pass(AttentionNews::kSettleUs);
    QVERIFY(m_news->takeDue().isEmpty());
    // The gap of one source says nothing about another.
    m_news->take(event(EventKind::GapOpened), 0);
    events::LockEvent other = event(EventKind::Stuck);
    other.key.source = QStringLiteral("other");
    m_news->take(other, 0);
    pass(AttentionNews::kGatherUs);
    QCOMPARE(m_news->takeDue().size(), 1);
}

void AttentionNewsTest::whatEndsInTimeIsNoNews_data()
{
    QTest::addColumn<EventKind>("end");
    for (const EventKind kind :
         {EventKind::Unstuck, EventKind::Released, EventKind::ForceReleased, EventKind::TakenOver,
          EventKind::Acquired, EventKind::Renewed, EventKind::Lost})
        QTest::newRow(events::kindName(kind).toByteArray().constData()) << kind;
}

void AttentionNewsTest::whatEndsInTimeIsNoNews()
{
    QFETCH(EventKind, end);
    m_news->take(event(EventKind::Stuck), 0);
    pass(AttentionNews::kGatherUs - 1);
    m_news->take(event(end), 0);
    pass(1);
    QVERIFY(m_news->takeDue().isEmpty());
}

void AttentionNewsTest::aShortOutageIsNoNews()
{
    m_news->take(event(EventKind::GapOpened), 0);
    m_news->take(event(EventKind::SourceDown), 0);
    pass(AttentionNews::kSourceUs - 1);
    QVERIFY(m_news->takeDue().isEmpty());
    m_news->take(event(EventKind::SourceUp), 0);
    pass(1);
    QVERIFY(m_news->takeDue().isEmpty());
    m_news->take(event(EventKind::SourceDown), 0);
    pass(AttentionNews::kSourceUs);
    const QList<TroubleItem> due = m_news->takeDue();
    QCOMPARE(due.size(), 1);
    QCOMPARE(due.first().trouble, Trouble::SourceDown);
}

/** Many at once are one notification, the worst first; those that follow at once wait for the next. */
void AttentionNewsTest::manyAreOne()
{
    for (int i = 0; i < 500; ++i)
        m_news->take(event(i % 2 ? EventKind::Stuck : EventKind::Expired, QByteArray::number(i)), 0);
    pass(AttentionNews::kGatherUs);
    const QList<TroubleItem> due = m_news->takeDue();
    QCOMPARE(due.size(), 500);
    QCOMPARE(due.first(), item(Trouble::Stuck, "1"));
    QCOMPARE(due.last(), item(Trouble::Expired, "498"));
    m_news->take(event(EventKind::Stuck, "later"), 0);
    pass(AttentionNews::kApartUs - 1);
    QVERIFY(m_news->takeDue().isEmpty());
    pass(1);
    QCOMPARE(m_news->takeDue(), QList<TroubleItem>{item(Trouble::Stuck, "later")});
}

void AttentionNewsTest::oneLockIsAnnouncedOnce()
{
    for (int minute = 0; minute < 23; ++minute) {
        m_news->take(event(EventKind::Expired), 0);
        pass(AttentionNews::kGatherUs);
        QCOMPARE(m_news->takeDue().size(), minute % 11 == 0 ? 1 : 0);
        m_news->take(event(EventKind::Acquired), 0);
        pass(60 * kSecondUs - AttentionNews::kGatherUs);
    }
}

void AttentionNewsTest::wordsAndClicks()
{
    tests::ViewRig rig;
    QStringList told;
    std::function<void()> click;
    views::AttentionWatch watch(rig.context, [&](const QString &title, const QString &text, auto clicked) {
        told = {title, text};
        click = clicked;
    });
    QSignalSpy lockAsked(&rig.requests, &views::Requests::lockAsked);
    QSignalSpy viewAsked(&rig.requests, &views::Requests::viewAsked);
    const auto happens = [&](QList<events::LockEvent> events) {
        told.clear();
        rig.clock.advanceUs(AttentionNews::kAgainUs);
        domain::SourceState source = rig.source(QStringLiteral("s"));
        rig.replica.takeStates({}, {source});
        for (events::LockEvent &one : events)
            one.observedUs = rig.replica.storeClockUs(one.key.source);
        Q_EMIT rig.replica.events(events);
        watch.check();
        QVERIFY(told.isEmpty());
        rig.clock.advanceUs(AttentionNews::kSourceUs);
        watch.check();
    };
    rig.replica.setLive(true, QStringLiteral("dc1"));
    rig.replica.beginTable();
    rig.replica.completeTable(0);
    rig.replica.flush();
    happens({event(EventKind::Stuck, "<b>lock</b>\x1b")});
    QCOMPARE(told, (QStringList{QStringLiteral("A lock is stuck"),
                                QStringLiteral("“<b>lock</b>\\x1b” in s is stuck.")}));
    QCOMPARE(lockAsked.count(), 0);
    click();
    QCOMPARE(lockAsked.count(), 1);
    QCOMPARE(lockAsked.first().first().value<domain::LockKey>().name, QByteArray("<b>lock</b>\x1b"));
    happens({event(EventKind::Stuck, "one"), event(EventKind::Stuck, "two"),
             event(EventKind::Expired, "three"), event(EventKind::SourceDown)});
    QCOMPARE(told, (QStringList{QStringLiteral("4 thing(s) need attention"),
                                QStringLiteral("s isn't observed any more.\n"
                                               "2 lock(s) are stuck, such as “one” in s.\n"
                                               "“three” in s has expired and still exists.")}));
    click();
    QCOMPARE(viewAsked.last().first().toByteArray(), QByteArray("overview"));
    happens({event(EventKind::SourceDown)});
    QCOMPARE(told.value(0), QStringLiteral("A source is down"));
    click();
    QCOMPARE(viewAsked.last().first().toByteArray(), QByteArray("sources"));
    // A whole table again: an agent that restarted.
    rig.replica.beginTable();
    rig.replica.completeTable(0);
    rig.replica.flush();
    told.clear();
    events::LockEvent again = event(EventKind::Stuck, "four");
    again.observedUs = rig.replica.storeClockUs(again.key.source);
    Q_EMIT rig.replica.events({again});
    rig.clock.advanceUs(AttentionNews::kSettleUs);
    watch.check();
    QVERIFY(told.isEmpty());
}

void AttentionNewsTest::offInTheSettings()
{
    tests::ViewRig rig;
    int told = 0;
    views::AttentionWatch watch(rig.context, [&](const QString &, const QString &, auto) { ++told; });
    rig.settings.setValue(settings::Key::AttentionNews, false);
    const auto happens = [&](const QByteArray &name) {
        rig.clock.advanceUs(AttentionNews::kAgainUs);
        events::LockEvent one = event(EventKind::Stuck, name);
        one.observedUs = rig.replica.storeClockUs(one.key.source);
        Q_EMIT rig.replica.events({one});
        rig.clock.advanceUs(AttentionNews::kGatherUs);
        watch.check();
    };
    happens("a");
    QCOMPARE(told, 0);
    rig.settings.setValue(settings::Key::AttentionNews, true);
    watch.check();
    QCOMPARE(told, 0); // it is over
    happens("b");
    QCOMPARE(told, 1);
}

/** Where the tests run there is no tray. */
void AttentionNewsTest::worksWithoutATray()
{
    if (QSystemTrayIcon::isSystemTrayAvailable())
        QSKIP("this desktop has a tray");
    QWidget window;
    views::Tray tray(&window);
    tray.setShown(true);
    tray.notify(QStringLiteral("title"), QStringLiteral("text"));
    tray.setShown(false);
    QVERIFY(!tray.findChild<QSystemTrayIcon *>());
    QVERIFY(!window.isVisible());
#ifdef Q_OS_LINUX
    QCOMPARE(views::Tray::notificationText(QStringLiteral("<b>&")), QStringLiteral("&lt;b&gt;&amp;"));
#endif
}

LOCKKEEPER_TEST(AttentionNewsTest)

} // namespace tst_attention_news

#include "tst_attention_news.moc"
