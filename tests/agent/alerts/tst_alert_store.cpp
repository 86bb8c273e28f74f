// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/storage/alert_store.h"
#include "tests/agent/alerts/sample_alerts.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <memory>

namespace tst_alert_store {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using namespace lockkeeper::agent::alerts;
using base::kSecondUs;
namespace journal = agent::journal;

namespace {

const QString kPager = QStringLiteral("pager");
const QString kMail = QStringLiteral("mail");
const base::Error kRefused{base::ErrorCode::Unreachable, QStringLiteral("refused"), {}};

/** A store in a temporary folder. */
class StoreRig
{
public:
    StoreRig() { reopen(); }
    void reopen()
    {
        store.reset();
        store = std::make_unique<AlertStore>(clock);
        opened = store->open(path());
    }
    QString path() const { return folder.filePath(QStringLiteral("alerts.db")); }
    Outbox &outbox() { return store->outbox(); }
    QList<DueNotice> due(const QString &receiver = kPager)
    {
        return outbox().due(receiver, clock.wallUs(), 100'000).value_or(QList<DueNotice>{});
    }
    qint64 waiting(const QString &receiver = kPager)
    {
        return outbox().backlogs().value_or(QHash<QString, ReceiverBacklog>{}).value(receiver).waiting;
    }
    bool commit(const QList<domain::Alert> &alerts, const QStringList &receivers = {kPager},
                quint64 cursor = 1)
    {
        QList<Notice> notices;
        for (const domain::Alert &alert : alerts) {
            for (const QString &receiver : receivers)
                notices.append({receiver, alert.id});
        }
        return store->commit(alerts, notices, cursor).has_value();
    }
    bool deliver(const QString &receiver = kPager)
    {
        return outbox().delivered(receiver, due(receiver), clock.wallUs()).has_value();
    }

    QTemporaryDir folder;
    FakeClock clock{1'795'910'500'000'000};
    std::unique_ptr<AlertStore> store;
    base::Result<void> opened;
};

QStringList idsOf(const QList<DueNotice> &notices)
{
    QStringList ids;
    for (const DueNotice &notice : notices)
        ids.append(QString::fromUtf8(notice.alert.id) +
                   QLatin1String(notice.alert.isResolved() ? " over" : " fired") +
                   QLatin1String(notice.firingDelivered ? " known" : ""));
    return ids;
}

} // namespace

class AlertStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void alertsAndCursorSurvive();
    void oldAlertsLeave();
    void endBeforeDeliveryIsOneMessage();
    void endAfterDeliveryFollows();
    void changeDuringDeliveryIsSentAgain();
    void failedWaits();
    void clockThatIsSetBackHoldsNothing();
    void rejectedWaitsForNewSettings();
    void repetition();
    void receiversAreApart();
    void longQueueIsMerged();
    void nothingIsCommittedInParts();
    void damagedFileIsSetAside_data();
    void damagedFileIsSetAside();
    void newerFileIsRefused();
};

void AlertStoreTest::alertsAndCursorSurvive()
{
    StoreRig f;
    QVERIFY(f.opened);
    QVERIFY(!f.store->load()->cursor);
    domain::Alert alert = firedAlert("a");
    alert.detail.insert(QStringLiteral("sessions"), 3);
    alert.acknowledgedBy = QStringLiteral("ann");
    QVERIFY(f.commit({alert, overAlert(firedAlert("b"))}, {kPager}, 42));
    f.reopen();
    const auto stored = f.store->load();
    QVERIFY(stored);
    QCOMPARE(stored->cursor, std::optional<quint64>(42));
    QCOMPARE(stored->alerts, QList<domain::Alert>({alert, overAlert(firedAlert("b"))}));
    QCOMPARE(idsOf(f.due()), QStringList({QStringLiteral("a fired"), QStringLiteral("b over")}));
}

void AlertStoreTest::oldAlertsLeave()
{
    StoreRig f;
    QVERIFY(f.commit({firedAlert("active"), overAlert(firedAlert("over"))}, {}));
    QVERIFY(f.commit({overAlert(firedAlert("waiting"))}));
    f.clock.advanceUs(25 * base::kHourUs);
    QCOMPARE(f.store->load()->alerts, QList<domain::Alert>{firedAlert("active")});
    f.clock.advanceUs(31 * 24 * base::kHourUs);
    QVERIFY(f.commit({}));
    QVERIFY(f.deliver());
    f.clock.advanceUs(2 * base::kHourUs);
    QVERIFY(f.commit({}));
    f.store.reset();
    journal::SqliteConnection raw;
    QVERIFY(raw.open(f.path(), journal::SqliteConnection::Mode::Read));
    QCOMPARE(raw.scalar(QStringLiteral("SELECT group_concat(alert_id) FROM alerts"))->toByteArray(),
             QByteArray("active"));
}

void AlertStoreTest::endBeforeDeliveryIsOneMessage()
{
    StoreRig f;
    QVERIFY(f.commit({firedAlert("a")}));
    QVERIFY(f.commit({overAlert(firedAlert("a"))}));
    QCOMPARE(idsOf(f.due()), QStringList{QStringLiteral("a over")});
    QVERIFY(f.deliver());
    QVERIFY(f.due().isEmpty());
    QCOMPARE(f.waiting(), 0);
    QCOMPARE(f.outbox().backlogs()->value(kPager).deliveredUs, std::optional(f.clock.wallUs()));
}

void AlertStoreTest::endAfterDeliveryFollows()
{
    StoreRig f;
    QVERIFY(f.commit({firedAlert("a")}));
    QVERIFY(f.deliver());
    QVERIFY(f.due().isEmpty());
    f.reopen();
    QVERIFY(f.commit({overAlert(firedAlert("a"))}));
    QCOMPARE(idsOf(f.due()), QStringList{QStringLiteral("a over known")});
    QVERIFY(f.deliver());
    QVERIFY(f.due().isEmpty());
}

void AlertStoreTest::changeDuringDeliveryIsSentAgain()
{
    StoreRig f;
    QVERIFY(f.commit({firedAlert("a")}));
    const auto sent = f.due();
    QVERIFY(f.commit({overAlert(firedAlert("a"))}));
    QVERIFY(f.outbox().delivered(kPager, sent, f.clock.wallUs()));
    QCOMPARE(idsOf(f.due()), QStringList{QStringLiteral("a over known")});
    const auto end = f.due();
    QVERIFY(f.commit({firedAlert("a")})); // it fired again, and nobody has heard of it
    QVERIFY(f.outbox().delivered(kPager, end, f.clock.wallUs()));
    QCOMPARE(idsOf(f.due()), QStringList{QStringLiteral("a fired")});
}

void AlertStoreTest::failedWaits()
{
    StoreRig f;
    QVERIFY(f.commit({firedAlert("a"), firedAlert("b")}));
    const qint64 laterUs = f.clock.wallUs() + 4 * kSecondUs;
    QVERIFY(f.outbox().failed({f.due().first()}, laterUs, kRefused));
    QCOMPARE(idsOf(f.due()), QStringList{QStringLiteral("b fired")});
    QVERIFY(f.deliver());
    QCOMPARE(f.outbox().nextDueUs(kPager).value(), std::optional(laterUs));
    f.reopen();
    QVERIFY(f.due().isEmpty());
    QCOMPARE(f.waiting(), 1);
    f.clock.advanceUs(4 * kSecondUs);
    QCOMPARE(f.due().first().attempts, 1);
}

void AlertStoreTest::clockThatIsSetBackHoldsNothing()
{
    StoreRig f;
    QVERIFY(f.commit({firedAlert("a")}));
    QVERIFY(f.outbox().failed(f.due(), f.clock.wallUs() + kSecondUs, kRefused));
    f.clock.setWallUs(f.clock.wallUs() - base::kHourUs);
    QCOMPARE(f.due().size(), 1);
    QCOMPARE(f.outbox().nextDueUs(kPager).value(), std::optional(f.clock.wallUs()));
}

void AlertStoreTest::rejectedWaitsForNewSettings()
{
    StoreRig f;
    QVERIFY(f.commit({firedAlert("a"), overAlert(firedAlert("b"))}));
    QVERIFY(f.outbox().rejected(f.due(), kRefused));
    QVERIFY(f.due().isEmpty());
    QVERIFY(f.outbox().requeue(kPager));
    QCOMPARE(idsOf(f.due()), QStringList({QStringLiteral("a fired"), QStringLiteral("b over")}));
    QVERIFY(f.outbox().rejected(f.due(), kRefused));
    QVERIFY(f.commit({overAlert(firedAlert("a"))})); // a new message: worth a new attempt
    QCOMPARE(idsOf(f.due()), QStringList{QStringLiteral("a over")});
    f.clock.advanceUs(25 * base::kHourUs);
    QVERIFY(f.commit({}));
    QVERIFY(f.outbox().requeue(kPager));
    QCOMPARE(idsOf(f.due()), QStringList{QStringLiteral("a over")});
}

void AlertStoreTest::repetition()
{
    StoreRig f;
    QVERIFY(f.commit({firedAlert("a")}));
    const qint64 repeatUs = f.clock.wallUs() + 60 * kSecondUs;
    QVERIFY(f.outbox().delivered(kPager, f.due(), f.clock.wallUs(), repeatUs));
    QCOMPARE(f.waiting(), 0);
    QVERIFY(f.due().isEmpty());
    f.clock.advanceUs(60 * kSecondUs);
    QCOMPARE(idsOf(f.due()), QStringList{QStringLiteral("a fired known")});
    QVERIFY(f.commit({overAlert(firedAlert("a"))}));
    QVERIFY(f.outbox().delivered(kPager, f.due(), f.clock.wallUs(), repeatUs));
    QVERIFY(!f.outbox().nextDueUs(kPager).value());
}

void AlertStoreTest::receiversAreApart()
{
    StoreRig f;
    QVERIFY(f.commit({firedAlert("a")}, {kPager, kMail}));
    QVERIFY(f.deliver());
    QCOMPARE(idsOf(f.due(kMail)), QStringList{QStringLiteral("a fired")});
    QCOMPARE(f.outbox().retain({kPager}).value(), 1);
    QVERIFY(f.due(kMail).isEmpty());
    QVERIFY(f.commit({overAlert(firedAlert("a"))}));
    QCOMPARE(idsOf(f.due()), QStringList{QStringLiteral("a over known")});
}

void AlertStoreTest::longQueueIsMerged()
{
    StoreRig f;
    QVERIFY(f.commit({firedAlert("known")}));
    QVERIFY(f.deliver());
    QVERIFY(f.commit({firedAlert("active"), overAlert(firedAlert("known"))}));
    const auto addOver = [&f](int from, int count) {
        QList<domain::Alert> alerts;
        for (int i = from; i < from + count; ++i)
            alerts.append(overAlert(firedAlert("o" + QByteArray::number(i), 1'795'910'000'000'000 + i)));
        return f.commit(alerts);
    };
    QVERIFY(addOver(0, kMostUndelivered - 2));
    QCOMPARE(f.due().size(), kMostUndelivered);
    QVERIFY(addOver(kMostUndelivered, 1));
    QVERIFY(addOver(kMostUndelivered + 1, 2'000));
    const QList<DueNotice> due = f.due();
    QVERIFY(due.size() <= kMostUndelivered);
    const auto summary = std::find_if(
        due.cbegin(), due.cend(), [](const DueNotice &notice) { return notice.alert.rule == kSummaryRule; });
    QVERIFY(summary != due.cend());
    QCOMPARE(summary->alert.firedUs, 1'795'910'000'000'000);
    const qint64 merged = summary->alert.detail.value(QLatin1String("count")).toInteger();
    QCOMPARE(merged + due.size() - 1, kMostUndelivered + 2'001);
    const QStringList ids = idsOf(due);
    QVERIFY(ids.contains(QStringLiteral("active fired")));
    QVERIFY(ids.contains(QStringLiteral("known over known")));
    QVERIFY(f.deliver());
    QVERIFY(f.due().isEmpty());
}

void AlertStoreTest::nothingIsCommittedInParts()
{
    StoreRig f;
    QVERIFY(f.commit({firedAlert("a")}, {}, 1));
    journal::SqliteConnection raw;
    QVERIFY(raw.open(f.path(), journal::SqliteConnection::Mode::Write));
    QVERIFY(raw.run(QStringLiteral("CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN "
                                   "SELECT RAISE(ABORT, 'no space'); END")));
    const auto committed = f.store->commit({overAlert(firedAlert("a"))}, {{kPager, "a"}}, 2);
    QVERIFY(!committed);
    QVERIFY(committed.error().cause.contains(QLatin1String("no space")));
    QCOMPARE(f.store->load()->alerts, QList<domain::Alert>{firedAlert("a")});
    QCOMPARE(f.store->load()->cursor, std::optional<quint64>(1));
}

void AlertStoreTest::damagedFileIsSetAside_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("no database") << QByteArray(8'192, 'x');
    QTest::newRow("a header alone") << QByteArray("SQLite format 3").append('\0') + QByteArray(8'000, '\xff');
}

void AlertStoreTest::damagedFileIsSetAside()
{
    QFETCH(const QByteArray, content);
    StoreRig f;
    f.store.reset();
    QFile file(f.path());
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    file.close();
    QTest::ignoreMessage(QtCriticalMsg, QRegularExpression(QStringLiteral("is damaged.*corrupt-")));
    f.reopen();
    QVERIFY2(f.opened, qPrintable(f.opened ? QString() : f.opened.error().line()));
    QVERIFY(QFile::exists(f.store->setAside()));
    QVERIFY(f.store->setAside().startsWith(f.path() + QLatin1String(".corrupt-20261129T")));
    QVERIFY(!f.store->load()->cursor);
    QVERIFY(f.commit({firedAlert("a")}));
}

void AlertStoreTest::newerFileIsRefused()
{
    StoreRig f;
    journal::SqliteConnection raw;
    QVERIFY(raw.open(f.path(), journal::SqliteConnection::Mode::Write));
    QVERIFY(raw.run(QStringLiteral("INSERT INTO schema_version VALUES(9999)")));
    raw.close();
    f.reopen();
    QVERIFY(!f.opened);
    QCOMPARE(f.opened.error().code, base::ErrorCode::Unsupported);
    QVERIFY(f.opened.error().cause.startsWith(QLatin1String("the store of alerts was written by a newer")));
}

LOCKKEEPER_TEST(AlertStoreTest)

} // namespace tst_alert_store

#include "tst_alert_store.moc"
