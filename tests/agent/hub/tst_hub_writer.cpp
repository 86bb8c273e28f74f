// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each row of a journal reaches the hub's database exactly once, whatever breaks.
#include "agent/hub/utc_day.h"
#include "tests/agent/hub/hub_rig.h"
#include "tests/support/test_program.h"

#include <QJsonObject>
#include <QRegularExpression>

#include <limits>

namespace tst_hub_writer {

using namespace lockkeeper;
using namespace lockkeeper::agent::hub;
using namespace lockkeeper::tests;
using base::ErrorCode;
using events::EventKind;

class TestHubWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_rig.start()); }

    void storesABatch();
    void keepsEachColumn();
    void refersToOwners();
    void ignoresARepeat();
    void refusesWhatDoesNotFollow_data();
    void refusesWhatDoesNotFollow();
    void refusesAMissingNumber();
    void takesRecordsAlone();
    void flagsAChangedRecord();
    void flagsAMissingRecord();
    void startsAnotherJournalAfterARestore();
    void refusesAZombie();
    void keepsNamesOfAnyBytes();
    void storesTimesOutOfAnyRange_data();
    void storesTimesOutOfAnyRange();
    void refusesANewerSchema();
    void namesTheMissingSchema();
    void endsWhenInterrupted();

private:
    static ErrorCode codeOf(const base::Result<Watermark> &result)
    {
        return result ? ErrorCode::Unknown : result.error().code;
    }

    HubRig m_rig;
};

void TestHubWriter::storesABatch()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    const auto opened = writer.open(journal.agent);
    QVERIFY_DONE(opened);
    QCOMPARE(*opened, Watermark());
    const auto written = writer.write(journal.hold("a", "one").hold("b", "two").hole(3).take());
    QVERIFY_DONE(written);
    QCOMPARE(*written, (Watermark{7, 2, 0}));
    QCOMPARE(*writer.open(journal.agent), *written);
    QCOMPARE(m_rig.ask("SELECT seq || lockkeeper.kind_name(kind) FROM lockkeeper.events ORDER BY seq"),
             QByteArray("1acquired,2released,3acquired,4released"));
    QCOMPARE(m_rig.ask("SELECT from_seq || '-' || to_seq FROM lockkeeper.holes"), QByteArray("5-7"));
    QCOMPARE(m_rig.ask("SELECT lock || ' ' || owner FROM lockkeeper.holds_v1 ORDER BY began"),
             QByteArray("a one,b two"));
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.events_default"), QByteArray("0"));
}

void TestHubWriter::keepsEachColumn()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    HubBatch batch = journal.event("a", EventKind::Acquired, "one").take();
    events::LockEvent &event = batch.events.first().event;
    event.windowUs = 500'000;
    event.observedUs = event.timeUs - 7; // a clock that went back
    event.ttlMs = 0;
    event.expiresUs = event.timeUs + 123'456'789'012'345;
    event.waiter = QByteArray("");
    event.command = "cmd";
    event.detail.previous.emplace(QStringLiteral("x\u0000y"));
    QVERIFY_DONE(writer.open(journal.agent));
    QVERIFY_DONE(writer.write(batch));
    QCOMPARE(
        m_rig.ask(
            "SELECT concat_ws('|', lockkeeper.us_of(at - timestamptz 'epoch'), window_us, seen_us, ttl_ms, "
            "lasts_us, owner, length(waiter), command, detail, phase::int) FROM lockkeeper.events"),
        QByteArray::number(event.timeUs) + "|500000|-7|0|123456789012345|\\x6f6e65|0|\\x636d64|\\x" +
            QByteArray("{\"previous\":\"x\\u0000y\"}").toHex() + "|1");
    QVERIFY(m_rig.ask("SELECT length(after) > 0 FROM lockkeeper.events") == "t");
    QCOMPARE(
        m_rig.ask(
            "SELECT concat_ws('|', agent, source, store, scheme, place, lock, event, owner, state_after) "
            "FROM lockkeeper.events_v1"),
        QByteArray("dc1|orders-redis|redis|redis.token|db0|a|acquired|one|held"));
}

/** Owners are stored once a day; a row of the next holder doesn't get the name of the one before. */
void TestHubWriter::refersToOwners()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    journal.nowUs = journal.nowUs / kUsPerDay * kUsPerDay; // midnight: all in one day
    QVERIFY_DONE(writer.open(journal.agent));
    QVERIFY_DONE(
        writer.write(journal.hold("a", "one").hold("a", "two").hold("a", "two").hold("b", "one").take()));
    journal.nowUs -= 1'000; // two owners at the same microsecond
    QVERIFY_DONE(writer.write(journal.hold("b", "three").take()));
    QCOMPARE(m_rig.ask("SELECT seq FROM lockkeeper.events WHERE owner IS NOT NULL ORDER BY seq"),
             QByteArray("1,3,7,9"));
    QCOMPARE(m_rig.ask("SELECT owner FROM lockkeeper.events_v1 ORDER BY seq"),
             QByteArray("one,one,two,two,two,two,one,one,three,three"));
    QCOMPARE(m_rig.ask("SELECT owner FROM lockkeeper.holds_v1 ORDER BY hold_id"),
             QByteArray("one,two,two,one,three"));
    journal.nowUs -= kUsPerDay;
    QVERIFY_DONE(writer.write(journal.hold("b", "three").take()));
    QCOMPARE(m_rig.ask("SELECT encode(owner, 'escape') FROM lockkeeper.events WHERE seq = 11"),
             QByteArray("three"));
}

void TestHubWriter::ignoresARepeat()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    const HubBatch first = journal.hold("a", "one").record(QStringLiteral("alice")).take();
    QVERIFY_DONE(writer.open(journal.agent));
    QVERIFY_DONE(writer.write(first));
    const auto second = writer.write(journal.hold("a", "two").take());
    QVERIFY_DONE(second);
    const auto again = writer.write(first);
    QVERIFY_DONE(again);
    QCOMPARE(*again, *second);
    QCOMPARE(m_rig.ask("SELECT seq FROM lockkeeper.events ORDER BY seq"), QByteArray("1,2,3,4"));
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.holds"), QByteArray("2"));
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.audit"), QByteArray("1"));
}

void TestHubWriter::refusesWhatDoesNotFollow_data()
{
    QTest::addColumn<qint64>("from");
    QTest::addColumn<qint64>("to");
    QTest::newRow("a hole") << qint64(4) << qint64(5);
    QTest::newRow("an overlap") << qint64(2) << qint64(3);
    QTest::newRow("backwards") << qint64(3) << qint64(1);
}

void TestHubWriter::refusesWhatDoesNotFollow()
{
    QFETCH(const qint64, from);
    QFETCH(const qint64, to);
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    QVERIFY_DONE(writer.write(journal.hold("a", "one").take()));
    HubBatch wrong = journal.hold("a", "two").take();
    wrong.fromSeq = from;
    wrong.toSeq = to;
    QCOMPARE(codeOf(writer.write(wrong)), ErrorCode::Usage);
    QCOMPARE(writer.open(journal.agent).value_or(Watermark()), (Watermark{2, 1, 0}));
    QCOMPARE(m_rig.ask("SELECT seq FROM lockkeeper.events ORDER BY seq"), QByteArray("1,2"));
}

void TestHubWriter::refusesAMissingNumber()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    HubBatch batch = journal.hold("a", "one").hold("a", "two").take();
    batch.events.removeAt(1);
    QCOMPARE(codeOf(writer.write(batch)), ErrorCode::Usage);
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.events"), QByteArray("0"));
}

void TestHubWriter::takesRecordsAlone()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    const auto idle = writer.write(journal.take());
    QVERIFY_DONE(idle);
    QCOMPARE(*idle, Watermark());
    HubBatch batch = journal.record(QStringLiteral("alice")).record(QStringLiteral("bob")).take();
    batch.signatures = {{2, batch.records.last().hash, 5, "key", "signature"}};
    for (int times = 0; times < 2; ++times) {
        const auto written = writer.write(batch);
        QVERIFY_DONE(written);
        QCOMPARE(*written, (Watermark{0, 0, 2}));
    }
    QCOMPARE(m_rig.ask("SELECT who || verified FROM lockkeeper.audit_v1 ORDER BY record"),
             QByteArray("alicetrue,bobtrue"));
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.signatures"), QByteArray("1"));
    QCOMPARE(m_rig.ask("SELECT lockkeeper.verify_audit(1) IS NULL"), QByteArray("t"));
    m_rig.ask("UPDATE lockkeeper.audit SET who = 'mallory' WHERE record = 1");
    QCOMPARE(m_rig.ask("SELECT lockkeeper.verify_audit(1)"), QByteArray("1"));
}

void TestHubWriter::flagsAChangedRecord()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    HubBatch batch = journal.record(QStringLiteral("alice")).record(QStringLiteral("bob")).take();
    batch.records[0].entry.who = QStringLiteral("mallory");
    QTest::ignoreMessage(QtWarningMsg,
                         QRegularExpression(QStringLiteral("record 1 of the audit doesn't verify")));
    QVERIFY_DONE(writer.write(batch));
    batch = journal.record(QStringLiteral("carol")).record(QStringLiteral("dave")).take();
    batch.records[1].previous = batch.records[1].hash;
    batch.records[1].hash = batch.records[1].expectedHash(); // intact, but follows another record
    QTest::ignoreMessage(QtWarningMsg,
                         QRegularExpression(QStringLiteral("record 4 of the audit doesn't verify")));
    QVERIFY_DONE(writer.write(batch));
    QCOMPARE(m_rig.ask("SELECT who || verified FROM lockkeeper.audit_v1 ORDER BY record"),
             QByteArray("mallory"
                        "false,bobtrue,caroltrue,davefalse"));
    QCOMPARE(m_rig.ask("SELECT audit_faults FROM lockkeeper.agents_v1 WHERE agent = 'dc1'"), QByteArray("2"));
}

void TestHubWriter::startsAnotherJournalAfterARestore()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    QVERIFY_DONE(writer.write(journal.hold("a", "one").take()));
    MadeJournal restored("journal-2");
    const auto opened = writer.open(restored.agent);
    QVERIFY_DONE(opened);
    QCOMPARE(*opened, Watermark());
    QVERIFY_DONE(writer.write(restored.hold("z", "two").take()));
    QCOMPARE(
        m_rig.ask("SELECT journal || ':' || seq || lock FROM lockkeeper.events_v1 ORDER BY journal, seq"),
        QByteArray("1:1a,1:2a,2:1z,2:2z"));
    QCOMPARE(m_rig.ask("SELECT journal FROM lockkeeper.agents_v1 WHERE is_current AND agent = 'dc1'"),
             QByteArray("2"));
}

void TestHubWriter::refusesAZombie()
{
    HubWriter zombie(m_rig.target());
    HubWriter active(m_rig.target());
    MadeJournal journal;
    MadeJournal other("journal-2");
    journal.agent.epoch = 5;
    other.agent.epoch = 6;
    QVERIFY_DONE(zombie.open(journal.agent));
    QVERIFY_DONE(active.open(other.agent));
    const auto written = zombie.write(journal.hold("a", "one").take());
    QCOMPARE(codeOf(written), ErrorCode::ReadOnly);
    QCOMPARE(codeOf(zombie.open(journal.agent)), ErrorCode::ReadOnly);
    QVERIFY_DONE(active.write(other.hold("a", "one").take()));
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.events"), QByteArray("2"));
    m_rig.ask("SELECT lockkeeper.forget_epoch('dc1')");
    QVERIFY_DONE(zombie.open(journal.agent));
}

void TestHubWriter::keepsNamesOfAnyBytes()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    const QByteArray name("l\xff\x00\xc3\xa4\xe2\x82", 7);
    QVERIFY_DONE(writer.open(journal.agent));
    QVERIFY_DONE(writer.write(journal.hold(name, name).hold(QByteArray(5'000, 'x'), "one").take()));
    QCOMPARE(m_rig.ask("SELECT encode(name, 'hex') FROM lockkeeper.locks WHERE lock = 1"), name.toHex());
    QCOMPARE(m_rig.ask("SELECT DISTINCT lock || owner FROM lockkeeper.events_v1 WHERE lock_id = 1"),
             QByteArray("l\\xff\\x00\xc3\xa4\\xe2\\x82").repeated(2));
    QCOMPARE(m_rig.ask("SELECT max(length(lock)) FROM lockkeeper.events_v1"), QByteArray("5000"));
}

void TestHubWriter::storesTimesOutOfAnyRange_data()
{
    QTest::addColumn<qint64>("us");
    QTest::newRow("1970") << qint64(0);
    QTest::newRow("long ago") << qint64(-1);
    QTest::newRow("far ahead") << qint64(253'402'300'800'000'000);
    QTest::newRow("the least") << std::numeric_limits<qint64>::min();
    QTest::newRow("the greatest") << std::numeric_limits<qint64>::max();
}

void TestHubWriter::storesTimesOutOfAnyRange()
{
    QFETCH(const qint64, us);
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    HubBatch batch = journal.hold("a", "one").take();
    for (agent::journal::EventRow &row : batch.events)
        row.event.timeUs = us;
    batch.events.first().event.expiresUs = std::numeric_limits<qint64>::max();
    batch.events.last().event.expiresUs = std::numeric_limits<qint64>::min();
    batch.holds.first().hold.toUs = us;
    QVERIFY_DONE(writer.write(batch));
    QCOMPARE(m_rig.ask("SELECT count(*) FROM lockkeeper.events_default"), QByteArray("2"));
    QCOMPARE(m_rig.ask("SELECT count(expires_at) + count(observed_at) FROM lockkeeper.events_v1"),
             QByteArray("4"));
    QCOMPARE(m_rig.ask("SELECT count(held) FROM lockkeeper.holds_v1"), QByteArray("1"));
    QCOMPARE(m_rig.ask("SELECT lockkeeper.maintain()"), QByteArray("{}"));
}

void TestHubWriter::refusesANewerSchema()
{
    m_rig.ask("UPDATE lockkeeper.meta SET value = 99 WHERE key = 'version'");
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent)); // newer, and it still takes this build's rows
    m_rig.ask("UPDATE lockkeeper.meta SET value = 99");
    const auto opened = writer.open(journal.agent);
    QCOMPARE(codeOf(opened), ErrorCode::Unsupported);
    QVERIFY(opened.error().cause.contains(QStringLiteral("another version")));
    m_rig.ask("UPDATE lockkeeper.meta SET value = 1");
    QCOMPARE(codeOf(writer.open(journal.agent)), ErrorCode::Unsupported);
}

void TestHubWriter::namesTheMissingSchema()
{
    QVERIFY(m_rig.start(false));
    HubWriter writer(m_rig.target());
    const auto opened = writer.open(MadeJournal().agent);
    QCOMPARE(codeOf(opened), ErrorCode::Unsupported);
    QVERIFY(opened.error().remedy.contains(QStringLiteral("hub --init")));
}

void TestHubWriter::endsWhenInterrupted()
{
    HubWriter writer(m_rig.target());
    writer.interrupt();
    QCOMPARE(codeOf(writer.open(MadeJournal().agent)), ErrorCode::Cancelled);
}

/** An audit that was recovered from a damaged file lacks records. */
void TestHubWriter::flagsAMissingRecord()
{
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    HubBatch batch =
        journal.record(QStringLiteral("a")).record(QStringLiteral("b")).record(QStringLiteral("c")).take();
    batch.records.removeAt(1);
    QTest::ignoreMessage(QtWarningMsg,
                         QRegularExpression(QStringLiteral("record 3 of the audit doesn't verify")));
    const auto written = writer.write(batch);
    QVERIFY_DONE(written);
    QCOMPARE(written->lastRecord, qint64(3));
    QCOMPARE(m_rig.ask("SELECT record || verified::text FROM lockkeeper.audit ORDER BY record"),
             QByteArray("1true,3false"));
    QCOMPARE(m_rig.ask("SELECT lockkeeper.verify_audit(1)"), QByteArray("2"));
}

LOCKKEEPER_TEST(TestHubWriter)

} // namespace tst_hub_writer

#include "tst_hub_writer.moc"
