// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/agent_session.h"
#include "shared/base/random_id.h"
#include "tests/app/session/replay_agent.h"
#include "tests/support/test_program.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

namespace tst_agent_session {

using namespace lockkeeper;
using app::session::AgentSession;
using app::session::LinkState;
using tests::acquired;
using tests::heldLock;

class TestAgentSession : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void bringsTheTableAndThenEvents();
    void resumesWithoutHoleOrDouble();
    void anotherJournalBeginsAfresh();
    void aHoleIsClosedByResuming();
    void readingNowAsksForTheTableAnew();
    void unjournalledChangesAreToldApart();
    void questionsEnd_data();
    void questionsEnd();
    void aLongVerificationGoesOn();
    void wrongAnswerIsAnError();
    void pagesOfThePastArePutTogether();
    void cancelledQuestionEndsOnce();
    void nothingForAContextThatHasGone();
    void lostReleaseIsFoundInTheAudit_data();
    void lostReleaseIsFoundInTheAudit();
    void releaseWithoutLinkIsUnreachable();
    void closedStaysClosed();
    void refusedLoginIsNotRepeated();

private:
    void openAndWait();
    QList<quint64> seqs() const;

    std::unique_ptr<tests::ReplayAgent> m_agent;
    std::unique_ptr<AgentSession> m_session;
    QList<events::LockEvent> m_events;
};

void TestAgentSession::init()
{
    m_agent = std::make_unique<tests::ReplayAgent>();
    m_session = std::make_unique<AgentSession>(QStringLiteral("test"));
    AgentSession::Timing timing;
    timing.questionMs = 300;
    timing.firstRetryMs = 20;
    timing.lastRetryMs = 60;
    timing.recoveryStepMs = 20;
    m_session->setTiming(timing);
    m_events.clear();
    connect(m_session.get(), &AgentSession::eventsCame, this,
            [this](const auto &events) { m_events += events; });
}

void TestAgentSession::cleanup()
{
    m_session.reset();
    m_agent.reset();
}

void TestAgentSession::openAndWait()
{
    QVERIFY(m_agent->start());
    m_session->open(m_agent->address());
    QTRY_COMPARE(m_session->link(), LinkState::Live);
}

QList<quint64> TestAgentSession::seqs() const
{
    QList<quint64> list;
    for (const events::LockEvent &event : m_events)
        list.append(event.seq);
    return list;
}

void TestAgentSession::bringsTheTableAndThenEvents()
{
    m_agent->table.seq = 7;
    m_agent->table.locks.insert(heldLock("a").key, heldLock("a"));
    m_agent->table.locks.insert(heldLock("b").key, heldLock("b"));
    QSignalSpy reset(m_session.get(), &AgentSession::tableReset);
    QSignalSpy page(m_session.get(), &AgentSession::tablePage);
    QSignalSpy complete(m_session.get(), &AgentSession::tableComplete);
    openAndWait();
    QCOMPARE(reset.count(), 1);
    QCOMPARE(page.count(), 3);
    QCOMPARE(complete.value(0).value(0).toULongLong(), 7u);
    QCOMPARE(m_session->welcome().agent, QStringLiteral("fake"));
    m_agent->publish(acquired(heldLock("c")));
    QTRY_COMPARE(seqs(), QList<quint64>{8});
}

void TestAgentSession::resumesWithoutHoleOrDouble()
{
    openAndWait();
    QSignalSpy reset(m_session.get(), &AgentSession::tableReset);
    m_agent->publish(acquired(heldLock("a")));
    m_agent->publish(acquired(heldLock("b")));
    QTRY_COMPARE(m_events.size(), 2);
    m_agent->stop();
    QTRY_COMPARE(m_session->link(), LinkState::Waiting);
    QVERIFY(m_session->lastError().code != base::ErrorCode::Unknown);
    m_agent->publish(acquired(heldLock("c")));
    m_agent->publish(acquired(heldLock("d")));
    QVERIFY(m_agent->start());
    QTRY_COMPARE(m_session->link(), LinkState::Live);
    m_agent->publish(acquired(heldLock("e")));
    QTRY_COMPARE(seqs(), (QList<quint64>{1, 2, 3, 4, 5}));
    QCOMPARE(reset.count(), 0);
    QCOMPARE(m_agent->received<protocol::Subscribe>().last().since, std::optional<quint64>(2));
}

void TestAgentSession::anotherJournalBeginsAfresh()
{
    openAndWait();
    m_agent->publish(acquired(heldLock("a")));
    QTRY_COMPARE(m_events.size(), 1);
    QSignalSpy reset(m_session.get(), &AgentSession::tableReset);
    m_agent->stop();
    m_agent->journalId = "journal-2";
    m_agent->table = {};
    m_agent->journal.clear();
    QVERIFY(m_agent->start());
    QTRY_COMPARE(reset.count(), 1);
    QCOMPARE(reset.first().first().toULongLong(), 0u);
    QCOMPARE(m_agent->received<protocol::Subscribe>().last().journal, QByteArray("journal-1"));
}

void TestAgentSession::aHoleIsClosedByResuming()
{
    openAndWait();
    m_agent->publish(acquired(heldLock("a")));
    QTRY_COMPARE(m_events.size(), 1);
    for (quint64 seq : {2u, 3u}) {
        const events::LockEvent event = acquired(heldLock("b"), seq);
        events::apply(event, m_agent->table);
        m_agent->journal.append(event);
    }
    m_agent->sendToAll(protocol::EventBatch{{m_agent->journal.last()}});
    QTRY_COMPARE(seqs(), (QList<quint64>{1, 2, 3}));
    QTRY_COMPARE(m_agent->connections(), 2);
}

void TestAgentSession::readingNowAsksForTheTableAnew()
{
    openAndWait();
    m_agent->answer = [](const protocol::Message &message) {
        return protocol::Done{std::get<protocol::ReadNow>(message).id};
    };
    m_agent->publish(acquired(heldLock("a")));
    QTRY_COMPARE(m_events.size(), 1);
    bool done = false;
    m_session->ask(protocol::ReadNow(), this, [&done](const auto &answer) { done = answer.has_value(); });
    m_agent->publish(acquired(heldLock("b")));
    QTRY_VERIFY(done);
    QTRY_COMPARE(m_agent->received<protocol::Subscribe>().size(), 2);
    QVERIFY(m_agent->received<protocol::Subscribe>().last().since >= quint64(1)); // nothing is void
    m_agent->publish(acquired(heldLock("c")));
    QTRY_COMPARE(seqs(), (QList<quint64>{1, 2, 3}));
    QCOMPARE(m_session->link(), LinkState::Live);
}

void TestAgentSession::unjournalledChangesAreToldApart()
{
    openAndWait();
    QSignalSpy plain(m_session.get(), &AgentSession::statesCame);
    QSignalSpy apart(m_session.get(), &AgentSession::unjournalledCame);
    protocol::StateBatch batch;
    batch.locks = {heldLock("a")};
    m_agent->sendToAll(batch);
    batch.unjournalled = true;
    batch.removed = {heldLock("b").key};
    m_agent->sendToAll(batch);
    QTRY_COMPARE(apart.count(), 1);
    QCOMPARE(plain.count(), 1);
    QCOMPARE(apart.first().at(1).value<QList<domain::LockKey>>().size(), 1);
}

void TestAgentSession::questionsEnd_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<base::ErrorCode>("code");
    QTest::newRow("answered") << QStringLiteral("answer") << base::ErrorCode::Unknown;
    QTest::newRow("failed by the agent") << QStringLiteral("fail") << base::ErrorCode::NotFound;
    QTest::newRow("no answer") << QStringLiteral("silence") << base::ErrorCode::Timeout;
    QTest::newRow("link broke") << QStringLiteral("break") << base::ErrorCode::ConnectionLost;
    QTest::newRow("no link") << QStringLiteral("offline") << base::ErrorCode::Unreachable;
}

void TestAgentSession::questionsEnd()
{
    QFETCH(QString, how);
    QFETCH(base::ErrorCode, code);
    m_agent->answer = [&](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *query = std::get_if<protocol::HoldsQuery>(&message);
        if (!query || how == QStringLiteral("silence"))
            return std::nullopt;
        if (how == QStringLiteral("fail"))
            return protocol::Failed{query->id, {base::ErrorCode::NotFound, QStringLiteral("no"), {}}};
        if (how == QStringLiteral("break"))
            QMetaObject::invokeMethod(
                m_agent.get(), [this] { m_agent->stop(); }, Qt::QueuedConnection);
        return how == QStringLiteral("answer")
                   ? std::optional<protocol::Message>(protocol::HoldPage{query->id, {}, true})
                   : std::nullopt;
    };
    if (how != QStringLiteral("offline"))
        openAndWait();
    int calls = 0;
    base::Result<protocol::HoldPage> result;
    m_session->ask(protocol::HoldsQuery(), this, [&](const auto &page) {
        ++calls;
        result = page;
    });
    QCOMPARE(calls, 0); // never from within the call
    QTRY_COMPARE(calls, 1);
    QCOMPARE(result.has_value(), how == QStringLiteral("answer"));
    if (!result)
        QCOMPARE(result.error().code, code);
}

/**
 * The agent checks the whole chain, however long it takes. Another question keeps its time limit meanwhile.
 */
void TestAgentSession::aLongVerificationGoesOn()
{
    openAndWait();
    protocol::AuditQuery verification;
    verification.verify = true;
    std::optional<base::Result<protocol::AuditPage>> verdict;
    const quint64 id = m_session->ask(verification, this, [&verdict](const auto &page) { verdict = page; });
    std::optional<base::ErrorCode> other;
    m_session->ask(protocol::HoldsQuery(), this, [&other](const auto &page) { other = page.error().code; });
    QTRY_VERIFY(other);
    QCOMPARE(*other, base::ErrorCode::Timeout);
    QVERIFY(!verdict);
    m_agent->sendToAll(protocol::AuditPage{id, {}, false, true, {}, 7});
    QTRY_VERIFY(verdict);
    QVERIFY(verdict->has_value() && (*verdict)->verified);
    verdict.reset();
    m_session->ask(verification, this, [&verdict](const auto &page) { verdict = page; });
    m_agent->stop();
    QTRY_VERIFY(verdict);
    QCOMPARE(verdict->error().code, base::ErrorCode::ConnectionLost);
}

void TestAgentSession::wrongAnswerIsAnError()
{
    m_agent->answer = [](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *query = std::get_if<protocol::StatusQuery>(&message);
        return query ? std::optional<protocol::Message>(protocol::Done{query->id}) : std::nullopt;
    };
    openAndWait();
    std::optional<base::Error> error;
    m_session->ask(protocol::StatusQuery(), this,
                   [&](const auto &status) { error = status.has_value() ? base::Error() : status.error(); });
    QTRY_VERIFY(error.has_value());
    QCOMPARE(error->code, base::ErrorCode::Protocol);
}

void TestAgentSession::pagesOfThePastArePutTogether()
{
    m_agent->answer = [this](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *query = std::get_if<protocol::LocksQuery>(&message);
        if (!query || query->atUs == 1)
            return std::nullopt; // the first one stays without an answer
        m_agent->sendToAll(protocol::SnapshotPage{query->id, 7, false, {tests::heldLock("a")}, {}});
        return protocol::SnapshotPage{query->id, 7, true, {tests::heldLock("b")}, {domain::SourceState()}};
    };
    openAndWait();
    QSignalSpy live(m_session.get(), &app::session::AgentSession::tablePage);
    std::optional<base::Result<protocol::SnapshotPage>> first;
    std::optional<base::Result<protocol::SnapshotPage>> second;
    m_session->ask(protocol::LocksQuery{0, {}, {}, 1}, this, [&first](const auto &got) { first = got; });
    m_session->ask(protocol::LocksQuery{0, {}, {}, 2}, this, [&second](const auto &got) { second = got; });
    QTRY_VERIFY(first && second);
    QCOMPARE(first->error().code, base::ErrorCode::Cancelled);
    QVERIFY(second->has_value());
    QCOMPARE((*second)->locks.size(), 2);
    QCOMPARE((*second)->sources.size(), 1);
    QCOMPARE(live.size(), 0); // the live table is another
}

void TestAgentSession::cancelledQuestionEndsOnce()
{
    openAndWait();
    int calls = 0;
    base::ErrorCode code = base::ErrorCode::Unknown;
    const quint64 id = m_session->ask(protocol::HistoryQuery(), this, [&](const auto &page) {
        ++calls;
        code = page.error().code;
    });
    m_session->cancel(id);
    m_session->cancel(id);
    QTRY_COMPARE(calls, 1);
    QCOMPARE(code, base::ErrorCode::Cancelled);
    QTRY_COMPARE(m_agent->received<protocol::Cancel>().size(), 1);
    m_agent->sendToAll(protocol::EventPage{id, {}, false, 1, 1});
    m_agent->publish(acquired(heldLock("after")));
    QTRY_COMPARE(m_events.size(), 1);
    QCOMPARE(calls, 1);
}

void TestAgentSession::nothingForAContextThatHasGone()
{
    m_agent->answer = [](const protocol::Message &message) -> std::optional<protocol::Message> {
        if (const auto *query = std::get_if<protocol::AuditQuery>(&message))
            return protocol::AuditPage{query->id, {}, false, false, {}, 0};
        protocol::ReleaseResult released;
        if (const auto *request = std::get_if<protocol::ForceRelease>(&message)) {
            released.id = request->id;
            return released;
        }
        return std::nullopt;
    };
    openAndWait();
    auto context = std::make_unique<QObject>();
    bool called = false;
    m_session->ask(protocol::AuditQuery(), context.get(), [&](const auto &) { called = true; });
    m_session->ask(protocol::ForceRelease(), context.get(), [&](const auto &) { called = true; });
    context.reset();
    bool second = false;
    m_session->ask(protocol::AuditQuery(), this, [&](const auto &) { second = true; });
    QTRY_VERIFY(second);
    QVERIFY(!called);
}

void TestAgentSession::lostReleaseIsFoundInTheAudit_data()
{
    QTest::addColumn<int>("recorded");
    QTest::addColumn<QString>("detail");
    QTest::addColumn<int>("outcome");
    using O = domain::Outcome;
    QTest::newRow("released") << int(O::Released) << QString() << int(O::Released);
    QTest::newRow("released, with a note")
        << int(O::Released) << QStringLiteral("not replicated") << int(O::Released);
    QTest::newRow("holder changed") << int(O::HolderChanged) << QStringLiteral("another one")
                                    << int(O::HolderChanged);
    QTest::newRow("never recorded") << -1 << QString() << int(O::Unknown);
    QTest::newRow("intent without outcome") << int(O::Pending) << QString() << int(O::Unknown);
}

void TestAgentSession::lostReleaseIsFoundInTheAudit()
{
    QFETCH(int, recorded);
    QFETCH(QString, detail);
    QFETCH(int, outcome);
    QByteArray command;
    m_agent->answer = [&](const protocol::Message &message) -> std::optional<protocol::Message> {
        if (std::holds_alternative<protocol::ForceRelease>(message)) {
            QMetaObject::invokeMethod(
                m_agent.get(),
                [this] {
                    m_agent->stop();
                    m_agent->start();
                },
                Qt::QueuedConnection);
            return std::nullopt;
        }
        const auto *query = std::get_if<protocol::AuditQuery>(&message);
        if (!query)
            return std::nullopt;
        protocol::AuditPage page;
        page.id = query->id;
        if (recorded >= 0) {
            domain::AuditEntry entry;
            entry.id = 5;
            entry.command = command;
            entry.outcome = domain::Outcome(recorded);
            entry.detail = detail;
            page.entries.append(entry);
        }
        return page;
    };
    openAndWait();
    protocol::ForceRelease request;
    request.command = command = base::randomId();
    request.key = heldLock("a").key;
    int calls = 0;
    base::Result<protocol::ReleaseResult> result;
    m_session->ask(request, this, [&](const auto &answer) {
        ++calls;
        result = answer;
    });
    QTRY_COMPARE(calls, 1);
    QVERIFY(result.has_value());
    QCOMPARE(int(result->outcome), outcome);
    if (result->outcome != domain::Outcome::Unknown)
        QCOMPARE(result->error.cause, detail);
    QCOMPARE(result->command, command);
    QCOMPARE(m_agent->received<protocol::ForceRelease>().size(), 1); // never sent again
}

void TestAgentSession::releaseWithoutLinkIsUnreachable()
{
    base::Result<protocol::ReleaseResult> result;
    int calls = 0;
    m_session->ask(protocol::ForceRelease(), this, [&](const auto &answer) {
        ++calls;
        result = answer;
    });
    QTRY_COMPARE(calls, 1);
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().code, base::ErrorCode::Unreachable);
    QCOMPARE(base::randomId().size(), 32);
    QVERIFY(base::randomId() != base::randomId());
}

void TestAgentSession::closedStaysClosed()
{
    openAndWait();
    m_session->close();
    QCOMPARE(m_session->link(), LinkState::Offline);
    m_session->retryNow();
    QCOMPARE(m_session->link(), LinkState::Offline);
    QCOMPARE(m_session->retryInMs(), 0);
}

/**
 * An ssh login that is refused every 15 s all night locks its user out, or prompts for a password each time.
 */
void TestAgentSession::refusedLoginIsNotRepeated()
{
    const QTemporaryDir folder;
    const QString log = folder.filePath(QStringLiteral("log"));
    QFile ssh(folder.filePath(QStringLiteral("ssh")));
    QVERIFY(ssh.open(QIODevice::WriteOnly));
    ssh.write("#!/bin/sh\necho x >>" + log.toUtf8() +
              "\necho 'ops@db1: Permission denied (publickey).' >&2\nexit 255\n");
    ssh.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    ssh.close();
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
    qputenv("PATH", folder.path().toUtf8() + ":/usr/bin:/bin");
    const auto attempts = [&log] {
        QFile file(log);
        return file.open(QIODevice::ReadOnly) ? file.readAll().count('x') : 0;
    };
    const auto address = transport::parseAddress(QStringLiteral("ssh://ops@db1"), QStringLiteral("/"));
    m_session->open(*address);
    QTRY_COMPARE(m_session->link(), LinkState::Waiting);
    QCOMPARE(int(m_session->lastError().code), int(base::ErrorCode::Authentication));
    QCOMPARE(m_session->retryInMs(), 0);
    QCOMPARE(attempts(), 1);
    m_session->retryNow();
    QTRY_COMPARE(attempts(), 2);
    QTRY_COMPARE(m_session->link(), LinkState::Waiting);
    QCOMPARE(m_session->retryInMs(), 0);
}

LOCKKEEPER_TEST(TestAgentSession)

} // namespace tst_agent_session

#include "tst_agent_session.moc"
