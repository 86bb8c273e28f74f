// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/foreign_clients.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <cstdlib>

namespace lockkeeper::tests {

using domain::LockState;
using domain::Outcome;
using events::EventKind;
using events::LockEvent;

namespace {
/** Makes a release order with the guard of one acquisition, as `lockkeeperctl release --guard` does. */
protocol::ForceRelease orderBy(const LockState &seen, domain::Because because = domain::Because::Operator)
{
    static int commands = 0;
    protocol::ForceRelease order;
    order.command = QByteArray::number(++commands).rightJustified(32, 'c');
    order.key = seen.key;
    order.guard = seen.guard;
    order.because = because;
    order.reason = QStringLiteral("test");
    return order;
}
} // namespace

QByteArray ForeignClientsTest::sourceOf(const QByteArray &store, const QUrl &url,
                                        const QByteArray &settings) const
{
    QList<QByteArray> sets;
    for (const ForeignClient &client : m_clients) {
        if (client.store == store && m_programs.at(client.program)->isReady() && !sets.contains(client.locks))
            sets.append(client.locks);
    }
    if (sets.isEmpty())
        return {};
    QByteArray source =
        "[[source]]\nname = \"" + store + "\"\nurl = \"" + url.toEncoded() + "\"\n" + settings;
    for (const QByteArray &set : sets)
        source += "  [[source.locks]]\n" + set;
    return source;
}

void ForeignClientsTest::initTestCase()
{
    if (!startStores())
        QSKIP("no such server here");
    for (const ForeignClient &client : std::as_const(m_clients)) {
        auto &program = m_programs[client.program];
        if (!program) {
            program = std::make_unique<ForeignProgram>(client);
            program->start(environment);
        }
    }
    const QByteArray sections = sources();
    if (sections.isEmpty())
        QSKIP("needs the lock libraries (./run test fetches them)");
    m_agent = std::make_unique<AgentProcess>();
    m_agent->configure(sections);
    m_agentClient = std::make_unique<TestClient>();
    QVERIFY2(m_agent->start() && m_agentClient->open(m_agent->socket()), m_agent->log().constData());
    m_agentClient->subscribe(0, true);
    QTRY_VERIFY2_WITH_TIMEOUT(m_agentClient->count(EventKind::SourceUp) == sections.count("[[source]]"),
                              m_agent->log().constData(), 10'000);
}

void ForeignClientsTest::cleanupTestCase()
{
    m_programs.clear();
    m_agentClient.reset();
    m_agent.reset();
}

void ForeignClientsTest::cleanup()
{
    if (QTest::currentTestFailed() && m_program) {
        for (qsizetype i = m_from; i < m_agentClient->events.size() && i < m_from + 20; ++i) {
            const LockEvent &event = m_agentClient->events.at(i);
            if (isRows(event.key))
                qInfo("%s by \"%s\"", events::kindName(event.kind).data(), event.owner.constData());
        }
        m_program->restart();
    }
    QCOMPARE(m_agentClient->faults, QStringList());
}

void ForeignClientsTest::rows(Fits fits)
{
    QTest::addColumn<int>("client");
    for (int i = 0; i < m_clients.size(); ++i) {
        if (fits(m_clients.at(i)))
            QTest::newRow(m_clients.at(i).name.constData()) << i;
    }
}

bool ForeignClientsTest::begin()
{
    m_client = m_clients.at(*static_cast<int *>(QTest::qData("client", qMetaTypeId<int>())));
    m_program = m_programs.at(m_client.program).get();
    m_lock = m_client.lockOf(QTest::currentTestFunction());
    m_key = m_client.keyOf(QTest::currentTestFunction());
    m_from = m_agentClient->events.size();
    return m_program->isReady();
}

bool ForeignClientsTest::isRows(const domain::LockKey &key) const
{
    return m_key.endsWith('*') ? key.name.startsWith(m_key.chopped(1)) : key.name == m_key;
}

qsizetype ForeignClientsTest::count(EventKind kind) const
{
    return std::count_if(m_agentClient->events.cbegin() + m_from, m_agentClient->events.cend(),
                         [&](const LockEvent &event) { return event.kind == kind && isRows(event.key); });
}

QByteArray ForeignClientsTest::acquire(int ttlMs, const char *who)
{
    return ask(who + QByteArray(" acquire ") + m_lock + ' ' + QByteArray::number(ttlMs));
}

LockEvent ForeignClientsTest::last(EventKind kind) const
{
    const QList<LockEvent> &all = m_agentClient->events;
    const auto found = std::find_if(all.crbegin(), all.crend(), [&](const LockEvent &event) {
        return event.kind == kind && isRows(event.key);
    });
    return found == all.crend() ? LockEvent() : *found;
}

LockState ForeignClientsTest::state() const
{
    LockState found;
    for (const LockState &state : m_agentClient->table.locks) {
        if (isRows(state.key) && (state.isHeld() || !found.isHeld()))
            found = state;
    }
    return found;
}

void ForeignClientsTest::taken()
{
    if (!begin())
        QSKIP(qPrintable(m_program->why));
    const QByteArray answer = acquire();
    QVERIFY2(answer.startsWith("acquired"), answer.constData());
    QTRY_COMPARE(count(EventKind::Acquired), 1);
    QTRY_VERIFY(state().isHeld());
    if (m_client.tellsOwner)
        QCOMPARE(state().owner, answer.mid(9));
    QCOMPARE(state().expiresUs.has_value(), m_client.expiry);
    if (m_client.expiry) {
        const qint64 ttlUs = (m_client.ttlMs > 0 ? m_client.ttlMs : 60'000) * qint64(1'000);
        const events::LockEvent taken = last(EventKind::Acquired); // the state may be a renewal's by now
        QVERIFY(taken.expiresUs && std::abs(*taken.expiresUs - taken.timeUs - ttlUs) < ttlUs / 6);
    }
    if (m_client.waiters.isEmpty())
        QVERIFY(!state().waitersVisible);
    QVERIFY(!state().isContended());
    if (!m_client.settles)
        QCOMPARE(state().release.possible(), m_client.breakable);
    QCOMPARE(ask(" release"), QByteArray("released"));
}

void ForeignClientsTest::renewed_data()
{
    rows([](const ForeignClient &client) { return client.renewal != ForeignClient::Renewal::No; });
}

void ForeignClientsTest::renewed()
{
    if (!begin())
        QSKIP(qPrintable(m_program->why));
    const bool itself = m_client.renewal == ForeignClient::Renewal::Itself;
    const QByteArray answer = acquire(itself ? 0 : 20'000);
    QVERIFY2(answer.startsWith("acquired"), answer.constData());
    QTRY_COMPARE(count(EventKind::Acquired), 1);
    QTRY_VERIFY(state().isHeld());
    const LockState first = state();
    if (!itself)
        QCOMPARE(ask(" renew 60000"), QByteArray("renewed"));
    const auto isLater = [&] { return state().expiresUs.value_or(0) > first.expiresUs.value_or(0); };
    // Some renew for as long as before: at once, that ends within what a slow reading left open of the first
    // end.
    if (m_client.renewal == ForeignClient::Renewal::Asked && m_client.expiry &&
        !QTest::qWaitFor(isLater, 5'000))
        QCOMPARE(ask(" renew 60000"), QByteArray("renewed"));
    if (m_client.expiry)
        QTRY_VERIFY(isLater());
    if (m_client.renewal == ForeignClient::Renewal::Anew) {
        QTRY_COMPARE(count(EventKind::TakenOver), 1);
        QCOMPARE(ask(" release"), QByteArray("released"));
        return;
    }
    QTRY_VERIFY(state().renewals > first.renewals);
    QCOMPARE(state().owner, first.owner);
    // A guard read before a renewal still names this acquisition, except for a random token that happens not
    // to look random.
    if (!m_client.alike && !first.pinsDeadline)
        QCOMPARE(state().guard, first.guard);
    QCOMPARE(ask(" release"), QByteArray("released"));
    QTRY_COMPARE(count(EventKind::Released), count(EventKind::Acquired));
    QCOMPARE(count(EventKind::Acquired), 1);
    QCOMPARE(count(EventKind::TakenOver), 0);
}

void ForeignClientsTest::givenBack()
{
    if (!begin())
        QSKIP(qPrintable(m_program->why));
    const QByteArray answer = acquire();
    QVERIFY2(answer.startsWith("acquired"), answer.constData());
    QTRY_VERIFY(state().isHeld());
    QCOMPARE(ask(" release"), QByteArray("released"));
    QTRY_COMPARE(count(EventKind::Released), 1);
    if (m_client.tellsOwner)
        QCOMPARE(last(EventKind::Released).owner, answer.mid(9));
    QVERIFY(!state().isHeld());
    QCOMPARE(count(EventKind::Expired) + count(EventKind::TakenOver), 0);
}

void ForeignClientsTest::contended_data()
{
    rows(
        [](const ForeignClient &client) { return client.contends || client.waits || client.showsWaiters(); });
}

void ForeignClientsTest::contended()
{
    if (!begin())
        QSKIP(qPrintable(m_program->why));
    const QByteArray answer = acquire();
    QVERIFY2(answer.startsWith("acquired"), answer.constData());
    QTRY_VERIFY(state().isHeld());
    if (m_client.contends)
        QCOMPARE(acquire(60'000, "#2"), QByteArray("held"));
    if (m_client.waits || m_client.showsWaiters())
        QCOMPARE(ask("#3 wait " + m_lock), QByteArray("waiting"));
    if (m_client.showsWaiters()) {
        // A waiter that only subscribes to a channel changes no key: the agent has to look.
        QTRY_VERIFY(m_agentClient->ask<protocol::Done>(protocol::ReadNow{}) && state().isContended());
        QCOMPARE(state().waiterCount().value_or(0), 1);
        QCOMPARE(state().waiters.size(), m_client.waiters == "list" ? 1 : 0);
    }
    QVERIFY(m_agentClient->ask<protocol::Done>(protocol::ReadNow{}));
    if (m_client.tellsOwner)
        QCOMPARE(state().owner, answer.mid(9));
    QCOMPARE(count(EventKind::Acquired), 1);
    QCOMPARE(ask(" release"), QByteArray("released"));
    if (m_client.waits || m_client.showsWaiters()) {
        const QByteArray next = m_program->waited();
        QVERIFY2(next.startsWith("got "), next.constData());
        QTRY_VERIFY(!state().isHeld());
    }
    QTRY_VERIFY(count(EventKind::Released) >= 1);
}

void ForeignClientsTest::broken()
{
    if (!begin())
        QSKIP(qPrintable(m_program->why));
    QByteArray answer = acquire();
    QVERIFY2(answer.startsWith("acquired"), answer.constData());
    QTRY_VERIFY(state().isHeld());
    const LockState seen = state();
    if (!m_client.breakable) {
        QCOMPARE(m_agentClient->breakLock(seen.key), Outcome::Refused);
        QCOMPARE(m_agentClient->breakHeldBy(seen.key, seen.owner), Outcome::Refused);
        QCOMPARE(ask(" release"), QByteArray("released"));
        return;
    }
    QTRY_VERIFY_WITH_TIMEOUT(state().release.possible(),
                             20'000); // a session's lock has to be some seconds old
    QCOMPARE(m_agentClient->breakLock(seen.key), Outcome::Released);
    QTRY_COMPARE(count(EventKind::ForceReleased), 1);
    if (m_client.tellsOwner)
        QCOMPARE(last(EventKind::ForceReleased).owner, answer.mid(9));
    QVERIFY(!state().isHeld());
    if (!m_client.also.isEmpty()) {
        domain::LockKey also = seen.key;
        also.name = m_client.alsoOf(QTest::currentTestFunction());
        QCOMPARE(m_agentClient->breakLock(also), Outcome::Released);
    }
    QCOMPARE(ask(" release"), QByteArray(m_client.holderNotices ? "lost" : "released"));
    // Broken as its own release would have left it: the next one gets it.
    QVERIFY2(QTest::qWaitFor([&] { return (answer = acquire(60'000, "#2")).startsWith("acquired"); }),
             answer.constData());
    QTRY_VERIFY(state().isHeld());
    QCOMPARE(ask("#2 release"), QByteArray("released"));
    QTRY_VERIFY(!state().isHeld());
}

void ForeignClientsTest::wokenByABreak_data()
{
    rows([](const ForeignClient &client) { return client.wakes; });
}

/** A client that sleeps until a message comes, or until the lease that it saw ends, needs the message. */
void ForeignClientsTest::wokenByABreak()
{
    if (QTest::currentDataTag() == nullptr)
        QSKIP("no client of these sleeps on a message");
    if (!begin())
        QSKIP(qPrintable(m_program->why));
    constexpr int kLeaseMs = 60'000; // without a message, the client would try again then
    const QByteArray answer = acquire(kLeaseMs);
    QVERIFY2(answer.startsWith("acquired"), answer.constData());
    QTRY_VERIFY(state().isHeld());
    const int before = sleepers();
    QCOMPARE(ask("#3 wait " + m_lock), QByteArray("waiting"));
    QTRY_VERIFY(sleepers() > before);
    QElapsedTimer since;
    since.start();
    QCOMPARE(m_agentClient->breakLock(state().key), Outcome::Released);
    const QByteArray next = m_program->waited();
    QVERIFY2(next.startsWith("got "), next.constData());
    qInfo("awake after %lld ms", since.elapsed());
    QVERIFY(since.elapsed() < kLeaseMs / 2);
    QTRY_VERIFY(!state().isHeld());
    QCOMPARE(ask(" release"), QByteArray(m_client.holderNotices ? "lost" : "released"));
}

void ForeignClientsTest::oldGuardOnNextAcquisition()
{
    if (!begin())
        QSKIP(qPrintable(m_program->why));
    QByteArray answer = acquire();
    QVERIFY2(answer.startsWith("acquired"), answer.constData());
    QTRY_VERIFY(state().isHeld());
    const LockState old = state();
    QCOMPARE(ask(" release"), QByteArray("released"));
    QTRY_VERIFY(!state().isHeld());
    answer = acquire(); // the same client, in the same process and thread
    QVERIFY2(answer.startsWith("acquired"), answer.constData());
    QTRY_VERIFY(state().isHeld());
    if (!old.guard.isEmpty()) {
        const auto result = m_agentClient->ask<protocol::ReleaseResult>(orderBy(old));
        QVERIFY(result);
        const QByteArray outcome = domain::outcomeName(result->outcome).toByteArray();
        // Each permit is a separate line: the old permit's line is gone, whatever the new one is called.
        QList<Outcome> honest{Outcome::HolderChanged, Outcome::Refused};
        if (state().key != old.key)
            honest.append(Outcome::AlreadyFree);
        QVERIFY2(honest.contains(result->outcome), outcome.constData());
    }
    QVERIFY(m_agentClient->ask<protocol::Done>(protocol::ReadNow{}));
    QVERIFY(state().isHeld());
    QCOMPARE(count(EventKind::ForceReleased), 0);
    QCOMPARE(ask(" release"), QByteArray("released"));
}

/** All clients take their locks for a moment and are killed, so that the rows wait at the same time. */
void ForeignClientsTest::killAll()
{
    for (const ForeignClient &client : std::as_const(m_clients)) {
        ForeignProgram &program = *m_programs.at(client.program);
        if (program.isReady())
            m_orphans.insert(client.name, program.ask(client.kind + " acquire " + client.lockOf("expired") +
                                                      ' ' + QByteArray::number(client.shortTtlMs)));
    }
    for (const auto &[name, program] : m_programs)
        program->kill();
}

void ForeignClientsTest::expired()
{
    if (!begin())
        QSKIP(qPrintable(m_program->why));
    if (m_orphans.isEmpty()) {
        m_killedFrom = m_from;
        killAll();
    }
    m_from = m_killedFrom; // regardless of its outcome, in this row or before
    const QByteArray answer = m_orphans.value(m_client.name);
    QVERIFY2(answer.startsWith("acquired"), answer.constData());
    switch (m_client.death) {
    case ForeignClient::Death::Expires:
        QTRY_COMPARE_WITH_TIMEOUT(count(EventKind::Expired), 1, 20'000);
        if (m_client.tellsOwner)
            QCOMPARE(last(EventKind::Expired).owner, answer.mid(9));
        // Some libraries set the deadline once more after they have the lock.
        if (m_client.renewal != ForeignClient::Renewal::Itself)
            QVERIFY(std::abs(last(EventKind::Expired).timeUs -
                             last(EventKind::Acquired).expiresUs.value_or(0)) < 100'000);
        break;
    case ForeignClient::Death::SessionEnds:
        QTRY_VERIFY_WITH_TIMEOUT(!state().isHeld(), 20'000);
        QCOMPARE(count(EventKind::Expired), 0);
        break;
    case ForeignClient::Death::Stays:
        QTRY_VERIFY(state().isHeld());
        QVERIFY(m_agentClient->ask<protocol::Done>(protocol::ReadNow{}));
        QVERIFY(state().isHeld());
        QCOMPARE(count(EventKind::Expired), 0);
        QTRY_COMPARE(state().release.possible(), m_client.breakable);
        QCOMPARE(m_agentClient->breakLock(state().key),
                 m_client.breakable ? Outcome::Released : Outcome::Refused);
        break;
    }
}

} // namespace lockkeeper::tests
