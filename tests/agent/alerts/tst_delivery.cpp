// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/delivery.h"
#include "agent/alerts/storage/alert_store.h"
#include "tests/agent/alerts/hook_server.h"
#include "tests/agent/alerts/sample_alerts.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <csignal>

namespace tst_delivery {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using namespace lockkeeper::agent::alerts;
using agent::config::ReceiverSettings;

namespace {

ReceiverSettings hook(const QString &name, const HookServer &server)
{
    agent::config::WebhookReceiver target;
    target.access.url = server.url();
    return {name, {}, {}, target};
}

/** "a1 active" for each request that the server got. */
QStringList received(const HookServer &server)
{
    QStringList list;
    for (const QByteArray &body : server.bodies()) {
        const QJsonObject json = QJsonDocument::fromJson(body).object();
        list.append(json.value(QLatin1String("id")).toString() + QLatin1Char(' ') +
                    json.value(QLatin1String("phase")).toString());
    }
    return list;
}

/** A store and a delivery with the machine's clock. */
class DeliveryRig
{
public:
    DeliveryRig() { start(); }
    void start()
    {
        store = std::make_unique<AlertStore>(clock);
        if (!store->open(folder.filePath(QStringLiteral("alerts.db"))))
            qFatal("no store");
        delivery = std::make_unique<Delivery>(store->outbox(), clock, QStringLiteral("dc1"));
    }
    void stop()
    {
        delivery.reset();
        store.reset();
    }
    void commit(const domain::Alert &alert, const QStringList &receivers)
    {
        QList<Notice> notices;
        for (const QString &receiver : receivers)
            notices.append({receiver, alert.id});
        if (!store->commit({alert}, notices, 1))
            qFatal("no commit");
        delivery->wake();
    }
    protocol::AlertReceiver state(const QString &name) const
    {
        for (const protocol::AlertReceiver &receiver : delivery->receivers()) {
            if (receiver.name == name)
                return receiver;
        }
        return {};
    }

    QTemporaryDir folder;
    base::SystemClock clock;
    std::unique_ptr<AlertStore> store;
    std::unique_ptr<Delivery> delivery;
};

const QString kA = QStringLiteral("a");
const QString kB = QStringLiteral("b");

} // namespace

class DeliveryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void firingAndEndArrive();
    void failureIsRetried();
    void failingReceiverDelaysNobody();
    void refusedMessageIsNotRepeated();
    void refusedBatchIsSplit();
    void standbySendsNothing();
    void restartSendsWhatIsLeft();
    void changedReceiverGetsWhatItRejected();
    void removedReceiverIsForgotten();
    void testMessages();
    void endsInTime();
    void storeThatFailsSendsNothingTwice();
};

void DeliveryTest::initTestCase()
{
    std::signal(SIGPIPE, SIG_IGN); // as the agent does
}

void DeliveryTest::firingAndEndArrive()
{
    const HookServer server;
    DeliveryRig f;
    f.delivery->apply({hook(kA, server)});
    f.delivery->setActive(true);
    f.commit(firedAlert("a1"), {kA});
    QTRY_COMPARE(received(server), QStringList{QStringLiteral("a1 active")});
    QTRY_VERIFY(f.state(kA).deliveredUs);
    QCOMPARE(f.state(kA).waiting, 0);
    QCOMPARE(f.state(kA).type, QByteArray("webhook"));
    f.commit(overAlert(firedAlert("a1")), {kA});
    QTRY_COMPARE(received(server), QStringList({QStringLiteral("a1 active"), QStringLiteral("a1 resolved")}));
}

void DeliveryTest::failureIsRetried()
{
    HookServer server;
    server.answerNext({HookAnswer::Fails, HookAnswer::Resets});
    DeliveryRig f;
    QSignalSpy failing(f.delivery.get(), &Delivery::receiverFailing);
    QSignalSpy recovered(f.delivery.get(), &Delivery::receiverRecovered);
    f.delivery->apply({hook(kA, server)});
    f.delivery->setActive(true);
    f.commit(firedAlert("a1"), {kA});
    QTRY_COMPARE(failing.size(), 1);
    QCOMPARE(failing.first().first().toString(), kA);
    QVERIFY(f.state(kA).failingSinceUs);
    QCOMPARE(f.state(kA).waiting, 1);
    QVERIFY(f.state(kA).error.cause.contains(QLatin1String("500")));
    QTRY_COMPARE(recovered.size(), 1);
    QVERIFY(!f.state(kA).failingSinceUs);
    QCOMPARE(received(server).count(QStringLiteral("a1 active")), 3);
    QCOMPARE(failing.size(), 1);
}

void DeliveryTest::failingReceiverDelaysNobody()
{
    HookServer hanging;
    hanging.answerNext({HookAnswer::Hangs});
    const HookServer server;
    DeliveryRig f;
    f.delivery->apply({hook(kA, hanging), hook(kB, server)});
    f.delivery->setActive(true);
    for (int i = 0; i < 20; ++i)
        f.commit(firedAlert("a" + QByteArray::number(i)), {kA, kB});
    QElapsedTimer timer;
    timer.start();
    QTRY_COMPARE(received(server).size(), 20);
    QVERIFY(timer.elapsed() < 10'000); // a hang takes 15 s
    QCOMPARE(f.state(kA).waiting, 20);
}

void DeliveryTest::refusedMessageIsNotRepeated()
{
    HookServer server;
    server.answerNext({HookAnswer::Refuses});
    DeliveryRig f;
    QSignalSpy failing(f.delivery.get(), &Delivery::receiverFailing);
    f.delivery->apply({hook(kA, server)});
    f.delivery->setActive(true);
    QTest::ignoreMessage(QtCriticalMsg, QRegularExpression(QStringLiteral("refuses the alert bad for good")));
    f.commit(firedAlert("bad"), {kA});
    QTRY_COMPARE(failing.size(), 1);
    f.commit(firedAlert("good"), {kA});
    QTRY_COMPARE(received(server),
                 QStringList({QStringLiteral("bad active"), QStringLiteral("good active")}));
    QTRY_VERIFY(!f.state(kA).failingSinceUs);
    QVERIFY(f.store->outbox().due(kA, f.clock.wallUs() + base::kHourUs, 10)->isEmpty());
}

void DeliveryTest::refusedBatchIsSplit()
{
    HookServer server;
    server.answerNext({HookAnswer::Refuses, HookAnswer::Accepts, HookAnswer::Refuses});
    agent::config::AlertmanagerReceiver target;
    target.access.url = server.url(QString());
    DeliveryRig f;
    f.delivery->apply({{kA, {}, {}, target}});
    QTest::ignoreMessage(QtCriticalMsg, QRegularExpression(QStringLiteral("refuses the alert a2 for good")));
    for (int i = 1; i <= 3; ++i)
        f.commit(firedAlert("a" + QByteArray::number(i)), {kA});
    f.delivery->setActive(true);
    QTRY_COMPARE(server.requests().size(), 4); // all three, then each
    QTRY_COMPARE(f.state(kA).waiting, 0);
    // The two that arrived are repeated within a minute.
    QTRY_COMPARE(f.store->outbox().due(kA, f.clock.wallUs() + 61 * base::kSecondUs, 10)->size(), 2);
}

void DeliveryTest::standbySendsNothing()
{
    const HookServer server;
    DeliveryRig f;
    f.delivery->apply({hook(kA, server)});
    f.commit(firedAlert("a1"), {kA});
    bool tested = false;
    f.delivery->test(kA, [&tested](const base::Result<void> &done) { tested = done.has_value(); });
    QTRY_VERIFY(tested); // an attempt for a1 would have come first
    QCOMPARE(server.requests().size(), 1);
    f.delivery->setActive(true);
    QTRY_COMPARE(server.requests().size(), 2);
    QCOMPARE(received(server).last(), QStringLiteral("a1 active"));
}

void DeliveryTest::restartSendsWhatIsLeft()
{
    HookServer server;
    DeliveryRig f;
    f.commit(firedAlert("a1"), {kA});
    f.commit(overAlert(firedAlert("a1")), {kA});
    f.stop();
    f.start();
    f.delivery->apply({hook(kA, server)});
    f.delivery->setActive(true);
    QTRY_COMPARE(received(server), QStringList{QStringLiteral("a1 resolved")});
    QVERIFY(server.bodies().first().contains("\"firing_delivered\":false"));
}

void DeliveryTest::changedReceiverGetsWhatItRejected()
{
    HookServer server;
    server.answerNext({HookAnswer::Refuses});
    DeliveryRig f;
    QSignalSpy failing(f.delivery.get(), &Delivery::receiverFailing);
    f.delivery->apply({hook(kA, server)});
    f.delivery->setActive(true);
    QTest::ignoreMessage(QtCriticalMsg, QRegularExpression(QStringLiteral("for good")));
    f.commit(firedAlert("a1"), {kA});
    QTRY_COMPARE(failing.size(), 1);
    f.delivery->apply({hook(kA, server)}); // the same: nothing happens
    ReceiverSettings changed = hook(kA, server);
    std::get<agent::config::WebhookReceiver>(changed.target).secret = "key";
    f.delivery->apply({changed});
    QTRY_COMPARE(received(server), QStringList({QStringLiteral("a1 active"), QStringLiteral("a1 active")}));
    QVERIFY(server.requests().last().head.contains("X-Lockkeeper-Signature"));
}

void DeliveryTest::removedReceiverIsForgotten()
{
    DeliveryRig f;
    const HookServer server;
    f.delivery->apply({hook(kA, server), hook(kB, server)});
    f.commit(firedAlert("a1"), {kA, kB});
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("didn't get 1 alerts")));
    f.delivery->apply({hook(kB, server)});
    QCOMPARE(f.delivery->receivers().size(), 1);
    QCOMPARE(f.state(kB).waiting, 1);
}

void DeliveryTest::testMessages()
{
    HookServer server;
    server.answerNext({HookAnswer::Fails});
    DeliveryRig f;
    f.delivery->apply({hook(kA, server)});
    QStringList results;
    const auto keep = [&results](const base::Result<void> &done) {
        results.append(done ? QStringLiteral("delivered") : done.error().line());
    };
    f.delivery->test(kA, keep);
    f.delivery->test(kA, keep);
    f.delivery->test(kB, keep);
    QVERIFY(results.isEmpty()); // later, never within the call
    QTRY_COMPARE(results.size(), 3);
    QCOMPARE(results.at(0), QStringLiteral("no receiver is named \"b\". Use one of: a"));
    QCOMPARE(results.at(1), QStringLiteral("the receiver answered 500: broken"));
    QCOMPARE(results.at(2), QStringLiteral("delivered"));
    QVERIFY(server.bodies().last().contains("Test message of the Lockkeeper agent `dc1`"));
}

void DeliveryTest::endsInTime()
{
    HookServer server;
    server.answerNext({HookAnswer::Hangs, HookAnswer::Hangs});
    DeliveryRig f;
    f.delivery->apply({hook(kA, server), hook(kB, server)});
    f.delivery->setActive(true);
    f.commit(firedAlert("a1"), {kA, kB});
    bool failed = false;
    f.delivery->test(kA, [&failed](const base::Result<void> &done) {
        failed = !done && done.error().code == base::ErrorCode::Shutdown;
    });
    QTRY_COMPARE(server.requests().size(), 2);
    QElapsedTimer timer;
    timer.start();
    f.stop();
    QVERIFY(timer.elapsed() < 2'500);
    QVERIFY(failed);
    f.start();
    QCOMPARE(f.store->outbox().backlogs()->value(kA).waiting, 1);
}

void DeliveryTest::storeThatFailsSendsNothingTwice()
{
    const HookServer server;
    DeliveryRig f;
    f.delivery->apply({hook(kA, server)});
    agent::journal::SqliteConnection raw;
    QVERIFY(raw.open(f.folder.filePath(QStringLiteral("alerts.db")),
                     agent::journal::SqliteConnection::Mode::Write));
    f.commit(firedAlert("a1"), {kA});
    f.commit(firedAlert("a2"), {kA});
    QVERIFY(raw.run(QStringLiteral("CREATE TRIGGER full BEFORE INSERT ON receivers BEGIN "
                                   "SELECT RAISE(ABORT, 'no space'); END")));
    QTest::ignoreMessage(QtCriticalMsg, QRegularExpression(QStringLiteral("can't be recorded.*no space")));
    f.delivery->setActive(true);
    bool tested = false; // after the attempt for a1
    f.delivery->test(kA, [&tested](const base::Result<void> &done) { tested = done.has_value(); });
    QTRY_VERIFY(tested);
    QCOMPARE(server.requests().size(), 2);
    QCOMPARE(f.state(kA).waiting, 2);
    QVERIFY(raw.run(QStringLiteral("DROP TRIGGER full")));
    QTRY_COMPARE(f.state(kA).waiting, 0);
    QCOMPARE(received(server).size(), 3);
    QCOMPARE(received(server).first(), QStringLiteral("a1 active"));
    QCOMPARE(received(server).last(), QStringLiteral("a2 active"));
}

LOCKKEEPER_TEST(DeliveryTest)

} // namespace tst_delivery

#include "tst_delivery.moc"
