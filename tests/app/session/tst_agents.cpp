// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/agent_group.h"
#include "tests/app/session/agents_rig.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QtTest>

namespace tst_agents {

using namespace lockkeeper;
using app::session::AgentGroup;
using app::session::LinkState;
using base::ErrorCode;
using tests::acquired;
using tests::AgentsRig;
using tests::heldLock;
using tests::ReplayAgent;

class TestAgents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneAloneIsCalledAsItIs();
    void sourcesAreCalledAfterTheirAgents();
    void aQuestionToAllIsMerged();
    void whoIsAwayIsLeftOut();
    void whoFailsIsLeftOutByName();
    void whereAllFailTheCauseIsOfOneThatIsThere();
    void cancellingReachesAll();
    void aQuestionAboutASourceGoesToItsAgent();
    void whatConcernsAnUnknownAgentReachesNobody_data();
    void whatConcernsAnUnknownAgentReachesNobody();
    void whatConcernsALostAgentReachesNobody();
    void oneThatReadsOnIsNotAllRead();
    void aReleaseGoesToItsAgentAlone();
    void twoAddressesOfOneAgentCountOnce();
    void twoAgentsOfOneNameAreToldApart();
    void aLabelIsNeverHandedOn();
    void aRenamedAgentIsTold();
    void anotherSetBeginsAfresh();
    void aRemovedAgentsReleaseEndsAsUnknown();
    void aReleaseOutlivesTheSetNotTheAgents();
    void timelineIsAskedAgainWithTheWidestSlice();
    void slicesThatNeverFitAreLeftOut();
    void timelineKeysGoToTheirAgents();
    void slowOnesAreNamed();
    void waitersOfOneStoreCountOnce();
    void waitsOfOneStoreCountOnceAndBothTellTheirGaps();
};

namespace {

/** The answer to one question, once it has arrived. */
template <typename T> struct Taken
{
    std::optional<base::Result<T>> result;
    int count = 0;

    auto taker()
    {
        return [this](base::Result<T> answer) {
            result = std::move(answer);
            ++count;
        };
    }
    bool failedAs(ErrorCode code) const { return result && !*result && result->error().code == code; }
};

/** Answers each history query with one event for each time. */
void tellHistory(ReplayAgent &fake, const QList<qint64> &timesUs)
{
    fake.answer = [timesUs](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *query = std::get_if<protocol::HistoryQuery>(&message);
        if (!query)
            return std::nullopt;
        protocol::EventPage page;
        page.id = query->id;
        for (const qint64 timeUs : timesUs) {
            page.events.append(acquired(heldLock("l"), quint64(page.events.size() + 1)));
            page.events.last().timeUs = timeUs;
        }
        page.lastSeq = quint64(timesUs.size());
        return page;
    };
}

protocol::ForceRelease releaseOf(const domain::LockKey &key)
{
    protocol::ForceRelease request;
    request.key = key;
    request.reason = QStringLiteral("test");
    return request;
}

domain::LockKey keyOf(const QString &source)
{
    return heldLock("l", "w1", source).key;
}

protocol::Status statusOf(quint64 id)
{
    protocol::Status status;
    status.id = id;
    return status;
}

protocol::ContentionPage emptyContention(quint64 id)
{
    protocol::ContentionPage page;
    page.id = id;
    return page;
}

domain::SourceState storeOf(const QString &name, const QByteArray &run)
{
    domain::SourceState state;
    state.name = name;
    state.store = "redis";
    state.instance = run;
    state.link = domain::Link::Up;
    return state;
}

} // namespace

void TestAgents::oneAloneIsCalledAsItIs()
{
    AgentsRig rig({QStringLiteral("a")});
    rig[0].table.locks.insert(keyOf({}), heldLock("l"));
    QSignalSpy pages(&rig.agents, &AgentGroup::tablePage);
    rig.open();
    QTRY_COMPARE(rig.live(), 1);
    QVERIFY(!rig.agents.several());
    QCOMPARE(pages.first().at(0).toString(), QString());
    QCOMPARE(pages.first().at(1).value<QList<domain::LockState>>().first().key.source, QStringLiteral("s"));
    QCOMPARE(rig.agents.agentOf(QStringLiteral("s")), QStringLiteral("a"));
    QCOMPARE(rig.agents.labelOf(QStringLiteral("s")), QString());
    tellHistory(rig[0], {1, 2});
    Taken<app::session::EventsRead> taken;
    const quint64 id = rig.agents.history({}, this, taken.taker(), {{QString(), 7}});
    QTRY_VERIFY(taken.result);
    QCOMPARE((*taken.result)->id, id);
    QCOMPARE((*taken.result)->events.first().key.source, QStringLiteral("s"));
    QCOMPARE(rig[0].received<protocol::HistoryQuery>().first().afterSeq, std::optional<quint64>(7));
}

void TestAgents::sourcesAreCalledAfterTheirAgents()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b/c")});
    rig[0].table.locks.insert(keyOf({}), heldLock("l"));
    rig[1].sources = {storeOf(QStringLiteral("s"), {})};
    QSignalSpy pages(&rig.agents, &AgentGroup::tablePage);
    QSignalSpy events(&rig.agents, &AgentGroup::eventsCame);
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    QStringList names;
    for (const auto &page : std::as_const(pages)) {
        for (const auto &lock : page.at(1).value<QList<domain::LockState>>())
            names.append(lock.key.source);
        for (const auto &source : page.at(2).value<QList<domain::SourceState>>())
            names.append(source.name);
    }
    names.sort();
    QCOMPARE(names, (QStringList{QStringLiteral("a/s"), QStringLiteral("b-c/s")}));
    rig[1].publish(acquired(heldLock("x")));
    QTRY_COMPARE(events.count(), 1);
    QCOMPARE(events.first().at(0).toString(), QStringLiteral("b-c"));
    const auto event = events.first().at(1).value<QList<events::LockEvent>>().first();
    QCOMPARE(event.key.source, QStringLiteral("b-c/s"));
    QCOMPARE(event.after->key.source, QStringLiteral("b-c/s"));
    QCOMPARE(rig.agents.agentOf(QStringLiteral("b-c/s")), QStringLiteral("b-c"));
    QCOMPARE(rig.agents.welcome().agent, QStringLiteral("a, b-c"));
}

void TestAgents::aQuestionToAllIsMerged()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    tellHistory(rig[0], {10, 30});
    tellHistory(rig[1], {20, 40});
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    Taken<app::session::EventsRead> taken;
    protocol::HistoryQuery query;
    const quint64 id = rig.agents.history(query, this, taken.taker(), {{QStringLiteral("b"), 5}}, 3);
    QTRY_VERIFY(taken.result);
    QVERIFY(taken.result->has_value());
    const app::session::EventsRead &read = **taken.result;
    QStringList told;
    for (const events::LockEvent &event : read.events)
        told.append(event.key.source + QString::number(event.timeUs));
    QCOMPARE(told.join(QLatin1Char(' ')), QStringLiteral("a/s10 b/s20 a/s30 b/s40"));
    QCOMPARE(read.id, id);
    QCOMPARE(read.journals.size(), 2);
    const auto ofA = rig[0].received<protocol::HistoryQuery>().first();
    const auto ofB = rig[1].received<protocol::HistoryQuery>().first();
    QCOMPARE(ofA.fromUs, std::optional<qint64>(3));
    QVERIFY(!ofA.afterSeq);
    QCOMPARE(ofB.afterSeq, std::optional<quint64>(5));
    QVERIFY(!ofB.fromUs);
}

void TestAgents::whoIsAwayIsLeftOut()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    tellHistory(rig[0], {10});
    rig[1].stop();
    QSignalSpy leftOut(&rig.agents, &AgentGroup::leftOut);
    rig.open();
    QTRY_COMPARE(rig.live(), 1);
    Taken<app::session::EventsRead> taken;
    rig.agents.history({}, this, taken.taker());
    QTRY_VERIFY(taken.result);
    QVERIFY(taken.result->has_value());
    QCOMPARE((*taken.result)->events.size(), 1);
    QCOMPARE(leftOut.count(), 0); // its rows are grey and a banner names it already
}

void TestAgents::whoFailsIsLeftOutByName()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    tellHistory(rig[0], {10});
    rig[1].answer = [](const protocol::Message &message) -> std::optional<protocol::Message> {
        return protocol::Failed{std::get<protocol::HistoryQuery>(message).id,
                                {ErrorCode::PermissionDenied, QStringLiteral("too much"), {}}};
    };
    QSignalSpy leftOut(&rig.agents, &AgentGroup::leftOut);
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    Taken<app::session::EventsRead> taken;
    rig.agents.history({}, this, taken.taker());
    QTRY_VERIFY(taken.result);
    QVERIFY(taken.result->has_value());
    QCOMPARE(leftOut.count(), 1);
    QCOMPARE(leftOut.first().at(0).toString(), QStringLiteral("b"));
    QCOMPARE(leftOut.first().at(1).value<base::Error>().code, ErrorCode::PermissionDenied);
}

/** The unreachable agent fails first. Its error doesn't explain why the other agents didn't answer. */
void TestAgents::whereAllFailTheCauseIsOfOneThatIsThere()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    rig[0].stop();
    rig[1].answer = [](const protocol::Message &message) -> std::optional<protocol::Message> {
        return protocol::Failed{std::get<protocol::HistoryQuery>(message).id,
                                {ErrorCode::PermissionDenied, QStringLiteral("too much"), {}}};
    };
    rig.open();
    QTRY_COMPARE(rig.live(), 1);
    Taken<app::session::EventsRead> taken;
    rig.agents.history({}, this, taken.taker());
    QTRY_VERIFY(taken.result);
    QVERIFY(taken.failedAs(ErrorCode::PermissionDenied));
}

void TestAgents::cancellingReachesAll()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    rig[2].stop();
    QSignalSpy leftOut(&rig.agents, &AgentGroup::leftOut);
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    Taken<app::session::EventsRead> taken;
    const quint64 id = rig.agents.history({}, this, taken.taker());
    QTRY_COMPARE(rig[1].received<protocol::HistoryQuery>().size(), 1);
    rig.agents.cancel(id);
    QTRY_VERIFY(taken.result);
    QVERIFY(taken.failedAs(ErrorCode::Cancelled)); // reported as cancelled
    QTRY_COMPARE(rig[0].received<protocol::Cancel>().size(), 1);
    QTRY_COMPARE(rig[1].received<protocol::Cancel>().size(), 1);
    QCOMPARE(rig[0].received<protocol::Cancel>().first().id,
             rig[0].received<protocol::HistoryQuery>().first().id);

    // A cancelled question has no answer, even if one agent has answered by then.
    tellHistory(rig[0], {10});
    Taken<app::session::EventsRead> half;
    const quint64 again = rig.agents.history({}, this, half.taker());
    QTRY_COMPARE(rig[1].received<protocol::HistoryQuery>().size(), 2);
    QTRY_COMPARE(rig[0].received<protocol::HistoryQuery>().size(), 2);
    Taken<protocol::Status> after; // the same link's next answer: the first has been read
    rig[0].answer = [](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *query = std::get_if<protocol::StatusQuery>(&message);
        return query ? std::optional<protocol::Message>(statusOf(query->id)) : std::nullopt;
    };
    rig.agents.askAgentOf(QStringLiteral("a/s"), protocol::StatusQuery(), this, after.taker());
    QTRY_VERIFY(after.result);
    rig.agents.cancel(again);
    QTRY_VERIFY(half.result);
    QVERIFY(half.failedAs(ErrorCode::Cancelled));
    QCOMPARE(leftOut.count(), 0);
}

void TestAgents::aQuestionAboutASourceGoesToItsAgent()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    rig[1].answer = [](const protocol::Message &message) -> std::optional<protocol::Message> {
        if (const auto *inspect = std::get_if<protocol::Inspect>(&message)) {
            protocol::Inspected seen;
            seen.id = inspect->id;
            seen.present = true;
            seen.state = heldLock("l");
            return seen;
        }
        if (const auto *query = std::get_if<protocol::ContentionQuery>(&message))
            return emptyContention(query->id);
        return std::nullopt;
    };
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    Taken<protocol::Inspected> seen;
    rig.agents.ask(protocol::Inspect{0, keyOf(QStringLiteral("b/s"))}, this, seen.taker());
    QTRY_VERIFY(seen.result);
    QCOMPARE((*seen.result)->state.key.source, QStringLiteral("b/s"));
    QCOMPARE(rig[1].received<protocol::Inspect>().first().key.source, QStringLiteral("s"));
    Taken<protocol::ContentionPage> cost;
    protocol::ContentionQuery query;
    query.source = QStringLiteral("b/s");
    rig.agents.ask(query, this, cost.taker());
    QTRY_VERIFY(cost.result);
    QCOMPARE(rig[1].received<protocol::ContentionQuery>().first().source, QStringLiteral("s"));
    QCOMPARE(rig[0].received<protocol::Inspect>().size(), 0);
    QCOMPARE(rig[0].received<protocol::ContentionQuery>().size(), 0);
}

void TestAgents::whatConcernsAnUnknownAgentReachesNobody_data()
{
    QTest::addColumn<QByteArray>("what");
    for (const char *what : {"release", "inspect", "decide", "probe", "status", "history", "holds", "chains",
                             "contention", "timeline", "lanes", "read"})
        QTest::newRow(what) << QByteArray(what);
}

/** "b" isn't connected, and "a" has a source of the same name: "a" must not receive the question. */
void TestAgents::whatConcernsAnUnknownAgentReachesNobody()
{
    QFETCH(QByteArray, what);
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    rig[1].stop();
    rig[0].sources = {storeOf(QStringLiteral("s"), {})};
    QSignalSpy pages(&rig.agents, &AgentGroup::tablePage);
    rig.open();
    QTRY_COMPARE(rig.live(), 1);
    int asked = 0;
    rig[0].answer = [&asked](const protocol::Message &message) -> std::optional<protocol::Message> {
        if (!std::holds_alternative<protocol::Ping>(message) &&
            !std::holds_alternative<protocol::StatusQuery>(message))
            ++asked;
        return std::nullopt;
    };
    const QString source = QStringLiteral("b/s");
    const domain::LockKey key = keyOf(source);
    std::optional<ErrorCode> failed;
    const auto take = [&failed](const auto &answer) {
        failed = answer ? ErrorCode::Unknown : answer.error().code;
    };
    protocol::HistoryQuery history;
    history.source = source;
    protocol::HoldsQuery holds;
    holds.key = key;
    protocol::ContentionQuery contention;
    contention.source = source;
    protocol::TimelineQuery timeline;
    timeline.source = source;
    protocol::TimelineQuery lanes;
    lanes.keys = {key};
    protocol::ProbeRequest probe;
    probe.source = source;
    if (what == "release")
        rig.agents.ask(releaseOf(key), this, take);
    else if (what == "inspect")
        rig.agents.ask(protocol::Inspect{0, key}, this, take);
    else if (what == "decide")
        rig.agents.askAgentOf(source, protocol::Decision{0, 7, true, {}}, this, take);
    else if (what == "probe")
        rig.agents.ask(probe, this, take);
    else if (what == "status")
        rig.agents.askAgentOf(source, protocol::StatusQuery(), this, take);
    else if (what == "history")
        rig.agents.history(history, this, take);
    else if (what == "holds")
        rig.agents.holds(holds, this, take);
    else if (what == "chains")
        rig.agents.ask(protocol::ChainsQuery{0, source}, this, take);
    else if (what == "contention")
        rig.agents.ask(contention, this, take);
    else if (what == "timeline")
        rig.agents.timeline(timeline, this, take);
    else if (what == "lanes")
        rig.agents.timeline(lanes, this, take);
    else
        rig.agents.ask(protocol::ReadNow{0, source}, this, take);
    Taken<protocol::Status> last; // what went to "a" before this one has been read when it is
    rig.agents.askAgentOf(QStringLiteral("a/s"), protocol::StatusQuery(), this, last.taker());
    QTRY_COMPARE(rig[0].received<protocol::StatusQuery>().size(), 1);
    QCOMPARE(asked, 0);
    QTRY_COMPARE(failed, std::optional(ErrorCode::Unreachable));
}

void TestAgents::whatConcernsALostAgentReachesNobody()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    rig[1].stop();
    QTRY_VERIFY(!rig.agents.isLive(QStringLiteral("b/s")));
    Taken<protocol::ReleaseResult> released;
    rig.agents.ask(releaseOf(keyOf(QStringLiteral("b/s"))), this, released.taker());
    QTRY_VERIFY(released.result);
    QVERIFY(released.failedAs(ErrorCode::Unreachable));
    QCOMPARE(rig[0].received<protocol::ForceRelease>().size(), 0);
}

/** ReadNow fails while one agent hasn't read. A standby has nothing to read and doesn't count. */
void TestAgents::oneThatReadsOnIsNotAllRead()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    ErrorCode code = ErrorCode::ReadOnly;
    for (const bool other : {false, true}) {
        rig[std::size_t(other)].answer =
            [&code, other](const protocol::Message &message) -> std::optional<protocol::Message> {
            const auto *now = std::get_if<protocol::ReadNow>(&message);
            if (!now)
                return std::nullopt;
            if (other)
                return protocol::Failed{now->id, {code, QStringLiteral("not read"), {}}};
            return protocol::Done{now->id};
        };
    }
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    QSignalSpy leftOut(&rig.agents, &app::session::AgentGroup::leftOut);
    Taken<protocol::Done> read;
    rig.agents.ask(protocol::ReadNow(), this, read.taker());
    QTRY_VERIFY(read.result);
    QVERIFY(*read.result);
    QCOMPARE(leftOut.size(), 0);
    code = ErrorCode::Timeout;
    Taken<protocol::Done> late;
    rig.agents.ask(protocol::ReadNow(), this, late.taker());
    QTRY_VERIFY(late.result);
    QVERIFY(late.failedAs(ErrorCode::Timeout));
}

void TestAgents::aReleaseGoesToItsAgentAlone()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    rig[1].answer = [](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *request = std::get_if<protocol::ForceRelease>(&message);
        if (!request)
            return std::nullopt;
        protocol::ReleaseResult result;
        result.id = request->id;
        result.command = request->command;
        result.outcome = domain::Outcome::Released;
        return result;
    };
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    Taken<protocol::ReleaseResult> released;
    const quint64 id = rig.agents.ask(releaseOf(keyOf(QStringLiteral("b/s"))), this, released.taker());
    QTRY_VERIFY(released.result);
    QCOMPARE((*released.result)->outcome, domain::Outcome::Released);
    QCOMPARE((*released.result)->id, id);
    QCOMPARE(rig[1].received<protocol::ForceRelease>().first().key, keyOf(QStringLiteral("s")));
    QCOMPARE(rig[0].received<protocol::ForceRelease>().size(), 0);
}

void TestAgents::twoAddressesOfOneAgentCountOnce()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("a"), QStringLiteral("b")});
    rig[0].table.locks.insert(keyOf({}), heldLock("l"));
    rig[1].table.locks.insert(keyOf({}), heldLock("l"));
    tellHistory(rig[0], {10});
    tellHistory(rig[1], {10});
    tellHistory(rig[2], {20});
    QSignalSpy completed(&rig.agents, &AgentGroup::tableComplete);
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    QTRY_COMPARE(completed.count(), 2);
    QCOMPARE(rig.agents.welcome().agent, QStringLiteral("a, b"));
    Taken<app::session::EventsRead> taken;
    rig.agents.history({}, this, taken.taker());
    QTRY_VERIFY(taken.result);
    QCOMPARE((*taken.result)->events.size(), 2);
    QCOMPARE(rig[0].received<protocol::HistoryQuery>().size() +
                 rig[1].received<protocol::HistoryQuery>().size(),
             1);
}

void TestAgents::twoAgentsOfOneNameAreToldApart()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("a")});
    rig[1].journalId = "another journal";
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    const QString first = rig.agents.nameOf(rig.agents.sessions().at(0));
    const QString second = rig.agents.nameOf(rig.agents.sessions().at(1));
    QVERIFY(!first.isEmpty() && !second.isEmpty() && first != second);
    // The agent that was seen first keeps the name, and either may answer first.
    QCOMPARE(QStringList({first, second}).count(QStringLiteral("a")), 1);
    QVERIFY((first + second).contains(QLatin1Char('@')));
    QVERIFY(!(first + second).contains(QLatin1Char('/')));
    Taken<protocol::Inspected> seen;
    rig.agents.ask(protocol::Inspect{0, keyOf(second + QStringLiteral("/s"))}, this, seen.taker());
    QTRY_COMPARE(rig[1].received<protocol::Inspect>().size(), 1);
    QCOMPARE(rig[0].received<protocol::Inspect>().size(), 0);

    // An agent whose own name is another agent's label doesn't take over that label.
    ReplayAgent &third = rig.add(first.contains(QLatin1Char('@')) ? first : second);
    ReplayAgent &fourth = rig.add(third.name);
    fourth.journalId = "a fourth journal";
    rig.open();
    QTRY_COMPARE(rig.live(), 4);
    QSet<QString> labels;
    for (const app::session::AgentSession *session : rig.agents.sessions())
        labels.insert(rig.agents.nameOf(session));
    QCOMPARE(labels.size(), 4);
}

/** A dialog that was opened on a lock of one agent must not reach the other agent. */
void TestAgents::aLabelIsNeverHandedOn()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("a")});
    rig[1].journalId = "another journal";
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    const std::size_t plain = rig.agents.nameOf(rig.agents.sessions().at(0)) == QLatin1String("a") ? 0 : 1;
    ReplayAgent &renamed = rig[plain];
    ReplayAgent &other = rig[1 - plain];
    renamed.stop();
    QTRY_COMPARE(rig.live(), 1);
    renamed.name = QStringLiteral("z");
    QVERIFY(renamed.start());
    QTRY_COMPARE(rig.agents.agentOf(QStringLiteral("z/s")), QStringLiteral("z"));
    other.stop();
    QTRY_COMPARE(rig.live(), 1);
    QVERIFY(other.start());
    QTRY_COMPARE(rig.live(), 2);
    Taken<protocol::ReleaseResult> released;
    rig.agents.ask(releaseOf(keyOf(QStringLiteral("a/s"))), this, released.taker());
    QTRY_VERIFY(released.result);
    QVERIFY(released.failedAs(ErrorCode::Unreachable));
    QCOMPARE(other.received<protocol::ForceRelease>().size(), 0);
}

void TestAgents::aRenamedAgentIsTold()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    rig[0].sources = {storeOf(QStringLiteral("s"), "run")};
    rig[1].sources = {storeOf(QStringLiteral("s"), "run")};
    QSignalSpy gone(&rig.agents, &AgentGroup::agentGone);
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    QCOMPARE(rig.agents.sameStores().of(QStringLiteral("b/s")).size(), 2);
    rig[0].stop();
    QTRY_COMPARE(rig.live(), 1);
    rig[0].name = QStringLiteral("z");
    QVERIFY(rig[0].start());
    QTRY_COMPARE(rig.live(), 2);
    QCOMPARE(gone.count(), 1);
    QCOMPARE(gone.first().first().toString(), QStringLiteral("a"));
    QStringList same = rig.agents.sameStores().of(QStringLiteral("b/s"));
    same.sort();
    QCOMPARE(same, (QStringList{QStringLiteral("b/s"), QStringLiteral("z/s")}));
}

void TestAgents::anotherSetBeginsAfresh()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    const QList<transport::Address> all = rig.addresses();
    rig.agents.open({all[0], all[1]});
    QTRY_COMPARE(rig.live(), 2);
    QSignalSpy changed(&rig.agents, &AgentGroup::agentChanged);
    QSignalSpy completed(&rig.agents, &AgentGroup::tableComplete);
    rig.agents.open({all[0], all[1]}); // the same: what is known stays
    QTRY_COMPARE(rig.live(), 2);
    QCOMPARE(changed.count(), 0);
    rig.agents.open({all[0], all[2]});
    QCOMPARE(changed.count(), 1);
    QTRY_COMPARE(rig.agents.welcome().agent, QStringLiteral("a, c"));
    QTRY_COMPARE(rig.live(), 2);
    QVERIFY(completed.count() >= 2); // "a" sent its table again
    rig.agents.open(all[2]);
    QTRY_COMPARE(rig.live(), 1);
    QVERIFY(!rig.agents.several());
    QCOMPARE(rig.agents.agentOf(QStringLiteral("s")), QStringLiteral("c"));
    rig.agents.open(all);
    QTRY_COMPARE(rig.live(), 3);
}

void TestAgents::aRemovedAgentsReleaseEndsAsUnknown()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    Taken<protocol::ReleaseResult> released;
    rig.agents.ask(releaseOf(keyOf(QStringLiteral("b/s"))), this, released.taker());
    QTRY_COMPARE(rig[1].received<protocol::ForceRelease>().size(), 1);
    rig.agents.open(rig[0].address());
    QTRY_VERIFY(released.result);
    QVERIFY(released.result->has_value());
    QCOMPARE((*released.result)->outcome, domain::Outcome::Unknown);
    QCOMPARE(released.count, 1);
    QCOMPARE(rig[0].received<protocol::ForceRelease>().size(), 0);
}

/** The console closes before the answer has arrived. */
void TestAgents::aReleaseOutlivesTheSetNotTheAgents()
{
    Taken<protocol::ReleaseResult> released;
    {
        AgentsRig rig({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
        rig.open();
        QTRY_COMPARE(rig.live(), 3);
        for (const char *source : {"b/s", "c/s"})
            rig.agents.ask(releaseOf(keyOf(QString::fromLatin1(source))), this, released.taker());
        QTRY_COMPARE(rig[1].received<protocol::ForceRelease>().size(), 1);
        QTRY_COMPARE(rig[2].received<protocol::ForceRelease>().size(), 1);
        rig[1].stop();
        QTRY_COMPARE(rig.live(), 2);
        rig.agents.open({rig[0].address(), rig[1].address()});
        QCoreApplication::sendPostedEvents(nullptr, QEvent::MetaCall);
    }
    QTRY_COMPARE(released.count, 2);
    QVERIFY(released.result->has_value());
    QCOMPARE((*released.result)->outcome, domain::Outcome::Unknown);
}

namespace {

/** Answers in slices of at least `leastUs`. With `obeys`, it grants wider slices on request. */
void tellSlices(ReplayAgent &fake, qint64 leastUs, bool obeys = true)
{
    fake.answer = [=](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *query = std::get_if<protocol::TimelineQuery>(&message);
        if (!query)
            return std::nullopt;
        protocol::TimelinePage page;
        page.id = query->id;
        page.sliceUs = obeys ? std::max(leastUs, query->sliceUs) : leastUs;
        page.lanes.resize(1);
        page.lanes[0].key = heldLock("l").key;
        return page;
    };
}

} // namespace

void TestAgents::timelineIsAskedAgainWithTheWidestSlice()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    tellSlices(rig[0], 10);
    tellSlices(rig[1], 70);
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    Taken<protocol::TimelinePage> taken;
    protocol::TimelineQuery query;
    query.sliceUs = 10;
    const quint64 id = rig.agents.timeline(query, this, taken.taker());
    QTRY_VERIFY(taken.result);
    QVERIFY(taken.result->has_value());
    QCOMPARE((*taken.result)->sliceUs, 70);
    QCOMPARE((*taken.result)->lanes.size(), 2);
    QCOMPARE((*taken.result)->id, id);
    QCOMPARE(taken.count, 1);
    QCOMPARE(rig[0].received<protocol::TimelineQuery>().last().sliceUs, 70);
    QCOMPARE(rig[0].received<protocol::TimelineQuery>().size(), 2);
}

/** The console would draw bars of another width in the wrong place. */
void TestAgents::slicesThatNeverFitAreLeftOut()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    tellSlices(rig[0], 10, false);
    tellSlices(rig[1], 70);
    QSignalSpy leftOut(&rig.agents, &AgentGroup::leftOut);
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    Taken<protocol::TimelinePage> taken;
    protocol::TimelineQuery query;
    query.sliceUs = 10;
    rig.agents.timeline(query, this, taken.taker());
    QTRY_VERIFY(taken.result);
    QVERIFY(taken.result->has_value());
    QCOMPARE((*taken.result)->sliceUs, 70);
    QCOMPARE((*taken.result)->lanes.size(), 1);
    QCOMPARE((*taken.result)->lanes.first().key->source, QStringLiteral("b/s"));
    QCOMPARE(leftOut.count(), 1);
    QCOMPARE(leftOut.first().first().toString(), QStringLiteral("a"));
}

void TestAgents::timelineKeysGoToTheirAgents()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    tellSlices(rig[0], 10);
    tellSlices(rig[1], 10);
    rig.open();
    QTRY_COMPARE(rig.live(), 3);
    protocol::TimelineQuery query;
    query.keys = {keyOf(QStringLiteral("b/s")), keyOf(QStringLiteral("a/s"))};
    Taken<protocol::TimelinePage> taken;
    rig.agents.timeline(query, this, taken.taker());
    QTRY_VERIFY(taken.result);
    QVERIFY(taken.result->has_value());
    QCOMPARE((*taken.result)->lanes.size(), 2);
    QCOMPARE((*taken.result)->lanes[0].key->source, QStringLiteral("b/s"));
    QCOMPARE(rig[0].received<protocol::TimelineQuery>().first().keys,
             (QList<domain::LockKey>{keyOf(QStringLiteral("s"))}));
    QCOMPARE(rig[2].received<protocol::TimelineQuery>().size(), 0);
}

void TestAgents::slowOnesAreNamed()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    tellHistory(rig[0], {10});
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    Taken<app::session::EventsRead> taken;
    const quint64 id = rig.agents.history({}, this, taken.taker());
    QCOMPARE(rig.agents.slowAgents(), QStringList());
    QTRY_COMPARE(rig.agents.slowAgents(), QStringList{QStringLiteral("b")});
    rig.agents.cancel(id);
    QTRY_VERIFY(taken.result);
    QCOMPARE(rig.agents.slowAgents(), QStringList());
}

void TestAgents::waitersOfOneStoreCountOnce()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    for (std::size_t i = 0; i < 2; ++i) {
        rig[i].sources = {storeOf(QStringLiteral("s"), "run")};
        rig[i].answer = [i](const protocol::Message &message) -> std::optional<protocol::Message> {
            const auto *query = std::get_if<protocol::ContentionQuery>(&message);
            if (!query)
                return std::nullopt;
            protocol::ContentionPage page;
            page.id = query->id;
            page.waiters = {{QStringLiteral("s"), "w1", 1, 1, 10}};
            if (i == 1)
                page.waiters.append({QStringLiteral("s"), "w2", 1, 1, 5}); // not observed by the other agent
            page.blockers = {{QStringLiteral("s"), "h1", {}, 1, 1, 1, 10}};
            page.unattributedUs = 7;
            return page;
        };
    }
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    Taken<protocol::ContentionPage> taken;
    protocol::ContentionQuery query;
    query.ranking = domain::ContentionRanking::Waiter;
    rig.agents.ask(query, this, taken.taker());
    QTRY_VERIFY(taken.result);
    QCOMPARE((*taken.result)->waiters.size(), 2);
    QCOMPARE((*taken.result)->waiters[0].source, QStringLiteral("a/s"));
    QCOMPARE((*taken.result)->waiters[1].waiter, QByteArray("w2"));
    QCOMPARE((*taken.result)->blockers.size(), 1);
    QCOMPARE((*taken.result)->blockers[0].source, QStringLiteral("a/s"));
    QVERIFY(!(*taken.result)->unattributedUs); // it would count some waits twice
}

void TestAgents::waitsOfOneStoreCountOnceAndBothTellTheirGaps()
{
    AgentsRig rig({QStringLiteral("a"), QStringLiteral("b")});
    for (std::size_t i = 0; i < 2; ++i) {
        rig[i].sources = {storeOf(QStringLiteral("s"), "run")};
        rig[i].answer = [i](const protocol::Message &message) -> std::optional<protocol::Message> {
            const auto *query = std::get_if<protocol::WaitingQuery>(&message);
            if (!query)
                return std::nullopt;
            protocol::WaitingPage page{query->id, query->fromUs, query->toUs, {}};
            page.sources = {{QStringLiteral("s"), query->toUs, {{1 + qint64(i), 5}}, {10}}};
            return page;
        };
    }
    rig.open();
    QTRY_COMPARE(rig.live(), 2);
    Taken<app::session::WaitingRead> taken;
    protocol::WaitingQuery query;
    query.toUs = 60'000'000;
    rig.agents.waiting(query, this, taken.taker());
    QTRY_VERIFY(taken.result);
    const app::session::WaitingRead &page = **taken.result;
    QCOMPARE(page.sources.size(), 1);
    QCOMPARE(page.copies.size(), 1);
    QCOMPARE(page.sources[0].source, QStringLiteral("a/s"));
    QCOMPARE(page.copies[0].source, QStringLiteral("b/s"));
    QCOMPARE(page.copies[0].gaps.first().fromUs, 2);
}

LOCKKEEPER_TEST(TestAgents)

} // namespace tst_agents

#include "tst_agents.moc"
