// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/incident_reader.h"
#include "incident_night.h"
#include "shared/base/text.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_incident_reader {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using namespace lockkeeper::app::report;

namespace {

/** Answers each question at once from the night's evidence. */
struct NightAgent
{
    IncidentEvidence night = incidentNight();
    QList<protocol::Message> asked;
    int failsAt = -1; ///< the number of the question that fails
    qsizetype eventsEachPage = 1'000;
    qsizetype extraEvents = 0; ///< further events before those of the night
    qsizetype extraAudit = 0;  ///< further entries, about another lock, newer than those of the night

    void answer(const protocol::Message &message, const IncidentReader::Take &take)
    {
        asked.append(message);
        if (asked.size() - 1 == failsAt)
            return take(base::failure(base::ErrorCode::PermissionDenied, QStringLiteral("not allowed")));
        take(std::visit([this](const auto &request) { return reply(request); },
                        static_cast<const protocol::AnyMessage &>(message)));
    }

    template <typename Request> protocol::Message reply(const Request &request)
    {
        if constexpr (std::is_same_v<Request, protocol::StatusQuery>) {
            protocol::Status status;
            status.version = night.agentVersion;
            status.sources = {*night.source};
            return status;
        } else if constexpr (std::is_same_v<Request, protocol::TimelineQuery>) {
            return night.timeline;
        } else if constexpr (std::is_same_v<Request, protocol::HoldsQuery>) {
            return protocol::HoldPage{0, night.holds, false};
        } else if constexpr (std::is_same_v<Request, protocol::HistoryQuery>) {
            return events(request);
        } else if constexpr (std::is_same_v<Request, protocol::AuditQuery>) {
            return audit(request);
        } else if constexpr (std::is_same_v<Request, protocol::AlertsQuery>) {
            return protocol::AlertsPage{0, night.alerts, {}, night.madeUs};
        } else if constexpr (std::is_same_v<Request, protocol::AdviceQuery>) {
            return night.advice;
        } else if constexpr (std::is_same_v<Request, protocol::LocksQuery>) {
            return protocol::SnapshotPage{0, 0, true, {}, {}};
        } else {
            return protocol::Done{};
        }
    }

    protocol::EventPage events(const protocol::HistoryQuery &query) const
    {
        QList<events::LockEvent> all;
        for (qsizetype i = 0; i < extraEvents; ++i) {
            all.append(night.events.constFirst());
            all.last().seq = quint64(i) + 1;
        }
        for (const events::LockEvent &event : night.events) {
            all.append(event);
            all.last().seq = quint64(all.size());
        }
        protocol::EventPage page;
        for (auto it = all.crbegin(); it != all.crend(); ++it) {
            if (query.beforeSeq && it->seq >= *query.beforeSeq)
                continue;
            page.more = page.events.size() >= eventsEachPage;
            if (page.more)
                break;
            page.events.append(*it);
        }
        return page;
    }

    protocol::AuditPage audit(const protocol::AuditQuery &query) const
    {
        protocol::AuditPage page;
        for (qsizetype id = extraAudit + 10; id > 7; --id) {
            if (query.beforeId && id >= *query.beforeId)
                continue;
            page.more = page.entries.size() >= query.limit;
            if (page.more)
                break;
            domain::AuditEntry entry = id == 9 ? night.audit.at(0) : night.audit.at(1);
            if (id > 9)
                entry.key.name = "another";
            entry.id = id;
            page.entries.append(entry);
        }
        return page;
    }
};

IncidentEvidence read(NightAgent &agent)
{
    IncidentEvidence start;
    start.key = agent.night.key;
    start.range = agent.night.range;
    IncidentReader reader(start, [&agent](const protocol::Message &message,
                                          const IncidentReader::Take &take) { agent.answer(message, take); });
    QSignalSpy finished(&reader, &IncidentReader::finished);
    reader.start();
    if (finished.size() != 1)
        qWarning("it hasn't finished");
    return reader.evidence();
}

} // namespace

/** The questions for a report, their bounds and their failures. */
class TestIncidentReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEverything();
    void survivesFailures_data();
    void survivesFailures();
    void keepsTheNewestEvents();
    void readsPagesOfEvents();
    void readsFurtherAudit();
    void boundsTheAudit();
    void leavesOutOthers();
    void asksForChainsOfConnections_data();
    void asksForChainsOfConnections();
};

void TestIncidentReader::readsEverything()
{
    NightAgent agent;
    const IncidentEvidence evidence = read(agent);
    QVERIFY(evidence.unread.isEmpty());
    QCOMPARE(evidence.agentVersion, QStringLiteral("0.1.0"));
    QVERIFY(evidence.source);
    QCOMPARE(evidence.timeline.lanes.size(), 1);
    QCOMPARE(evidence.holds, agent.night.holds);
    QCOMPARE(evidence.events.size(), agent.night.events.size());
    QVERIFY(std::is_sorted(evidence.events.cbegin(), evidence.events.cend(),
                           [](const auto &a, const auto &b) { return a.timeUs < b.timeUs; }));
    QCOMPARE(evidence.audit.size(), 2);
    QCOMPARE(evidence.alerts, agent.night.alerts);
    QCOMPARE(evidence.advice, agent.night.advice);
    QVERIFY(!evidence.eventsCut && !evidence.holdsCut && !evidence.auditCut);
    QCOMPARE(agent.asked.size(), 7);
}

void TestIncidentReader::survivesFailures_data()
{
    QTest::addColumn<int>("failsAt");
    for (int i = 0; i < 7; ++i)
        QTest::addRow("%d", i) << i;
}

void TestIncidentReader::survivesFailures()
{
    QFETCH(int, failsAt);
    NightAgent agent;
    agent.failsAt = failsAt;
    const IncidentEvidence evidence = read(agent);
    QCOMPARE(evidence.unread.size(), 1);
    QCOMPARE(evidence.unread.constFirst().part, EvidencePart(failsAt));
    QVERIFY(!evidence.hasRead(EvidencePart(failsAt)));
    QCOMPARE(agent.asked.size(), 7);
}

void TestIncidentReader::keepsTheNewestEvents()
{
    NightAgent agent;
    agent.extraEvents = 3'000;
    const IncidentEvidence evidence = read(agent);
    QCOMPARE(evidence.events.size(), IncidentReader::kMostEvents);
    QVERIFY(evidence.eventsCut);
    QCOMPARE(evidence.events.constLast().kind, agent.night.events.constLast().kind);
}

void TestIncidentReader::readsPagesOfEvents()
{
    NightAgent agent;
    agent.eventsEachPage = 2;
    const IncidentEvidence evidence = read(agent);
    QCOMPARE(evidence.events.size(), agent.night.events.size());
    QVERIFY(!evidence.eventsCut);
}

void TestIncidentReader::readsFurtherAudit()
{
    NightAgent agent;
    agent.extraAudit = 2'500;
    const IncidentEvidence evidence = read(agent);
    QCOMPARE(evidence.audit.size(), 2);
    QVERIFY(!evidence.auditCut);
}

void TestIncidentReader::boundsTheAudit()
{
    NightAgent agent;
    agent.extraAudit = 20'000;
    const IncidentEvidence evidence = read(agent);
    QVERIFY(evidence.audit.isEmpty());
    QVERIFY(evidence.auditCut);
}

/** The agent's answers may be about more than the lock: a glob, a Java name, an alert of another lock. */
void TestIncidentReader::leavesOutOthers()
{
    NightAgent agent;
    for (events::LockEvent &event : agent.night.events)
        event.key.place = "db1";
    agent.night.holds[0].key.place = "db1";
    agent.night.alerts[0].lock.name = "another";
    agent.night.advice.advice[0].lock.name = "another";
    agent.night.timeline.lanes[0].key->name = "another";
    const IncidentEvidence evidence = read(agent);
    QVERIFY(evidence.events.isEmpty());
    QCOMPARE(evidence.holds.size(), 1);
    QVERIFY(evidence.alerts.isEmpty());
    QVERIFY(evidence.advice.advice.isEmpty());
    QVERIFY(evidence.timeline.lanes.isEmpty());
}

void TestIncidentReader::asksForChainsOfConnections_data()
{
    QTest::addColumn<QByteArray>("scheme");
    QTest::addColumn<bool>("asks");
    QTest::newRow("row lock") << QByteArray("sql.row") << true;
    QTest::newRow("advisory lock") << QByteArray("sql.advisory") << true;
    QTest::newRow("token") << QByteArray("redis.token") << false;
}

void TestIncidentReader::asksForChainsOfConnections()
{
    QFETCH(QByteArray, scheme);
    QFETCH(bool, asks);
    NightAgent agent;
    agent.night.key.scheme = scheme;
    agent.night.timeline.lanes[0].key = agent.night.key;
    const IncidentEvidence evidence = read(agent);
    QCOMPARE(std::holds_alternative<protocol::LocksQuery>(agent.asked.constLast()), asks);
    QCOMPARE(evidence.graphsAtUs.has_value(), asks);
}

LOCKKEEPER_TEST(TestIncidentReader)

} // namespace tst_incident_reader

#include "tst_incident_reader.moc"
