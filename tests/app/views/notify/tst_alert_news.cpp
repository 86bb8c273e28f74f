// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/notify/alert_news.h"
#include "app/views/notify/alert_watch.h"
#include "app/views/notify/attention_watch.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QtTest>

namespace tst_alert_news {

using namespace lockkeeper;
using app::views::AlertNews;
using app::views::AlertWatch;
using app::views::FiredAlert;
using domain::Alert;
using domain::AlertSeverity;
using tests::firedAlert;

class TestAlertNews : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneNotificationForAnAlert();
    void togetherTheyAreOneTheGravestFirst();
    void aTakenAlertIsDropped();
    void flapsCollapseAndComeBackAfterCalm();
    void wordsAndClick();
    void offInTheSettings();
    void anAgentWithAlertsHasNoOtherNews();
};

void TestAlertNews::oneNotificationForAnAlert()
{
    tests::FakeClock clock;
    AlertNews news(clock);
    news.take(firedAlert("a1"));
    QVERIFY(news.takeDue().isEmpty());
    clock.advanceUs(AlertNews::kGatherUs);
    QCOMPARE(news.takeDue().size(), 1);
    QVERIFY(news.takeDue().isEmpty());
    news.take(firedAlert("a2", "other"));
    clock.advanceUs(AlertNews::kGatherUs);
    QVERIFY(news.takeDue().isEmpty()); // two are half a minute apart
    clock.advanceUs(AlertNews::kApartUs);
    QCOMPARE(news.takeDue().size(), 1);
}

void TestAlertNews::togetherTheyAreOneTheGravestFirst()
{
    tests::FakeClock clock;
    AlertNews news(clock);
    Alert critical = firedAlert("a2", "b");
    critical.severity = AlertSeverity::Critical;
    news.take(firedAlert("a1", "a"));
    news.take(critical);
    clock.advanceUs(AlertNews::kGatherUs);
    const QList<FiredAlert> due = news.takeDue();
    QCOMPARE(due.size(), 2);
    QCOMPARE(due.first().alert.id, QByteArray("a2"));
}

void TestAlertNews::aTakenAlertIsDropped()
{
    tests::FakeClock clock;
    AlertNews news(clock);
    news.take(firedAlert("a1"));
    QCOMPARE(news.waiting(), QList<QByteArray>{"a1"});
    news.drop("a1");
    clock.advanceUs(AlertNews::kGatherUs);
    QVERIFY(news.takeDue().isEmpty());
}

/** Each acquisition of the lock makes an alert with a new id. */
void TestAlertNews::flapsCollapseAndComeBackAfterCalm()
{
    tests::FakeClock clock;
    AlertNews news(clock);
    QList<int> firings;
    for (int i = 0; i < 8; ++i) {
        news.take(firedAlert("a" + QByteArray::number(i)));
        clock.advanceUs(60 * base::kSecondUs);
        const QList<FiredAlert> due = news.takeDue();
        firings.append(due.isEmpty() ? 0 : due.first().firings);
    }
    QCOMPARE(firings, (QList<int>{1, 2, 3, 4, 0, 0, 0, 0}));
    news.take(firedAlert("b", "another lock"));
    clock.advanceUs(60 * base::kSecondUs);
    QCOMPARE(news.takeDue().value(0).firings, 1);
    clock.advanceUs(AlertNews::kFlapUs);
    news.takeDue();
    news.take(firedAlert("a9"));
    clock.advanceUs(AlertNews::kGatherUs);
    QCOMPARE(news.takeDue().value(0).firings, 1);
}

void TestAlertNews::wordsAndClick()
{
    tests::ViewRig rig;
    rig.book.emplace();
    rig.language.setLanguage(QStringLiteral("en")); // its plurals
    QStringList titles;
    QStringList texts;
    std::function<void()> click;
    AlertWatch watch(rig.context, [&](const QString &title, const QString &text, auto clicked) {
        titles.append(title);
        texts.append(text);
        click = std::move(clicked);
    });
    QVERIFY(rig.connectAgent());
    QTRY_VERIFY(rig.alerts.isKnown({}));
    const auto fire = [&rig](const QList<Alert> &alerts) {
        for (const Alert &alert : alerts)
            rig.book->change(rig.agent, alert);
        QTRY_VERIFY(rig.alerts.find(alerts.last().id));
        rig.clock.advanceUs(AlertNews::kApartUs);
    };
    fire({firedAlert("a1", "<b>a</b>")});
    watch.check();
    QCOMPARE(titles, QStringList{QStringLiteral("Warning: Lock stuck")});
    QCOMPARE(texts, QStringList{QStringLiteral("“<b>a</b>” in s is stuck.")});
    QSignalSpy opened(&rig.requests, &app::views::Requests::viewAsked);
    click();
    QCOMPARE(opened.first().at(0).toByteArray(), QByteArray("alerts"));
    QCOMPARE(opened.first().at(1).toString(), QStringLiteral("a1"));
    fire({firedAlert("a2", "b"), firedAlert("a3", "c"), firedAlert("a4", "d"), firedAlert("a5", "e")});
    watch.check();
    QCOMPARE(titles.last(), QStringLiteral("4 alerts have fired"));
    QVERIFY2(texts.last().endsWith(QStringLiteral("\nAnd 1 more.")), qPrintable(texts.last()));
}

void TestAlertNews::offInTheSettings()
{
    tests::ViewRig rig;
    rig.book.emplace();
    rig.settings.setValue(app::settings::Key::AttentionNews, false);
    int told = 0;
    AlertWatch watch(rig.context, [&](const QString &, const QString &, auto) { ++told; });
    QVERIFY(rig.connectAgent());
    QTRY_VERIFY(rig.alerts.isKnown({}));
    rig.book->change(rig.agent, firedAlert("a1"));
    QTRY_VERIFY(rig.alerts.find("a1"));
    rig.clock.advanceUs(AlertNews::kApartUs);
    watch.check();
    QCOMPARE(told, 0);
}

void TestAlertNews::anAgentWithAlertsHasNoOtherNews()
{
    for (const bool hasAlerts : {false, true}) {
        tests::ViewRig rig;
        if (hasAlerts)
            rig.book.emplace();
        int told = 0;
        app::views::AttentionWatch watch(rig.context,
                                         [&](const QString &, const QString &, auto) { ++told; });
        QVERIFY(rig.connectAgent());
        QTRY_VERIFY(rig.isLive());
        QTRY_COMPARE(rig.alerts.isKnown({}), hasAlerts);
        rig.clock.advanceUs(60 * base::kSecondUs);
        events::LockEvent event = tests::acquired(tests::ViewRig::stuckLock("lock:a"));
        event.kind = events::EventKind::Stuck;
        event.observedUs = event.timeUs = rig.replica.storeClockUs(event.key.source);
        QSignalSpy came(&rig.replica, &app::replica::Replica::events);
        rig.agent.publish(event);
        QTRY_VERIFY(!came.isEmpty());
        rig.clock.advanceUs(60 * base::kSecondUs);
        watch.check();
        QCOMPARE(told, hasAlerts ? 0 : 1);
    }
}

LOCKKEEPER_TEST(TestAlertNews)

} // namespace tst_alert_news

#include "tst_alert_news.moc"
