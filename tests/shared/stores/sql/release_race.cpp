// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/release_race.h"

#include "shared/locks/client_makers.h"
#include "shared/stores/sql/tables/row_identity.h"

#include <QEventLoop>
#include <QTimer>

namespace lockkeeper::tests {

using namespace stores;
using locks::Attempt;
using locks::AttemptResult;
using locks::Lease;
using locks::LockClient;

namespace {
constexpr qint64 kLongTtlUs = 3'600'000'000;
constexpr int kNames = 2;
constexpr qsizetype kGuardsKept = 12;

/** The acquisition that a guard names, in the same terms as acquisitionOf(). */
QByteArray acquisitionIn(const QByteArray &identity)
{
    QHash<QByteArray, QByteArray> values;
    const auto decoded = sql::decodedValues(identity).value_or(QList<sql::SeenValue>());
    for (const sql::SeenValue &seen : decoded)
        values.insert(seen.key, seen.value);
    for (const char *key : {"id", "holder", "request", "acquired_at"}) {
        if (values.contains(key))
            return values.value(key);
    }
    return {};
}

/** A generated id or an exact time where the scheme's rows have that, else the holder's text. */
QByteArray acquisitionOf(const Lease &lease)
{
    return lease.proof.isEmpty() ? lease.token : lease.proof;
}
} // namespace

ReleaseRace::ReleaseRace(const SourceSpec &spec, int clients, quint32 seed, const RaceWays &ways)
    : m_spec(spec), m_store(spec, ways.seams), m_clients(size_t(clients)), m_random(seed), m_ways(ways)
{
    m_clock.start();
    connect(&m_store, &Store::opened, this, &ReleaseRace::observe);
    connect(&m_store, &Store::failed, this, [this](const base::Error &error) {
        m_result.errors.append(error);
        m_releaserDone = true;
        finishIfIdle();
    });
    int number = 0;
    for (Client &client : m_clients) {
        const QByteArray name = "client-" + QByteArray::number(++number);
        client.client = *locks::sql::makeLockClient(spec, spec.locks.first(), name);
        client.name = ways.reuses ? name : QByteArray();
    }
}

RaceResult ReleaseRace::run(qint64 rounds)
{
    m_wanted = rounds;
    QEventLoop loop;
    connect(this, &ReleaseRace::finished, &loop, &QEventLoop::quit);
    m_store.open();
    for (Client &client : m_clients)
        next(client);
    loop.exec();
    // The acquisitions that clients lost and those reported as released have to be the same.
    m_result.wrong = wrongOfReused() + QSet<QByteArray>(m_lost).subtract(m_releasedHolders).size() +
                     QSet<QByteArray>(m_releasedHolders).subtract(m_lost).size();
    return m_result;
}

/** A client detects each loss before it acquires that lock again, so breaks and losses come in pairs. */
qint64 ReleaseRace::wrongOfReused() const
{
    qint64 wrong = 0;
    QSet<QByteArray> all(m_broken.keyBegin(), m_broken.keyEnd());
    all.unite(QSet<QByteArray>(m_missed.keyBegin(), m_missed.keyEnd()));
    for (const QByteArray &key : std::as_const(all)) {
        const QList<qint64> broken = m_broken.value(key);
        const QList<qint64> missed = m_missed.value(key);
        wrong += std::abs(broken.size() - missed.size());
        for (qsizetype i = 0; i < std::min(broken.size(), missed.size()); ++i)
            wrong += broken.at(i) < missed.at(i) ? 1 : 0; // by a guard from before the lease
    }
    return wrong;
}

QByteArray ReleaseRace::someName()
{
    return "lock-" + QByteArray::number(m_random.bounded(kNames));
}

void ReleaseRace::next(Client &client)
{
    if (!client.holds && m_releaserDone) {
        client.idle = true;
        finishIfIdle();
    } else if (!client.holds) {
        Lease wanted;
        wanted.name = someName();
        wanted.ttlUs = kLongTtlUs;
        wanted.token = client.name;
        client.askedNs = m_clock.nsecsElapsed();
        client.client->tryAcquire(wanted, onward(client));
    } else if (!m_releaserDone && m_random.bounded(3) != 0) {
        client.client->renew(client.lease, kLongTtlUs, onward(client));
    } else {
        client.client->release(client.lease, onward(client));
        client.holds = false;
        client.gives = true;
        return; // the answer says whether it was still ours
    }
}

LockClient::Done ReleaseRace::onward(Client &client)
{
    return [this, &client](const AttemptResult &result) { onAnswer(client, result); };
}

void ReleaseRace::onAnswer(Client &client, const AttemptResult &result)
{
    const bool asked = !client.holds && !client.gives;
    const bool wasOurs = !asked && !client.lease.token.isEmpty() && result.lease.token == client.lease.token;
    const bool gave = std::exchange(client.gives, false);
    if (result.error && result.error->code == base::ErrorCode::Busy) {
        // A deadlock: the server rolled the statement back, so the lease is unchanged.
        client.holds = wasOurs && (gave || client.holds);
    } else if (result.error) {
        m_result.errors.append(*result.error);
        client.holds = false;
    } else if (result.attempt == Attempt::Lost) {
        if (m_ways.reuses)
            m_missed[client.name + '/' + client.lease.name].append(client.askedNs);
        else
            m_lost.insert(acquisitionOf(result.lease));
        client.holds = false;
    } else if (result.attempt == Attempt::Done && !wasOurs) {
        ++m_result.acquisitions;
        client.lease = result.lease;
        client.holds = true;
    } else if (result.attempt == Attempt::Done) {
        m_result.renewals += client.holds ? 1 : 0;
        client.lease = result.lease;
    }
    next(client);
}

void ReleaseRace::observe()
{
    m_store.inspect({0, someName()}, [this](const Inspection &seen) {
        // Like the agent, so that no later acquisition has the same times.
        QTimer::singleShot(m_ways.reuses ? 2 : 0, Qt::PreciseTimer, this,
                           [this, seen] { onInspected(seen); });
    });
}

void ReleaseRace::onInspected(const Inspection &inspection)
{
    if (inspection.error) {
        m_result.errors.append(*inspection.error);
    } else if (inspection.lock.held) {
        m_guards.append({inspection.guard, inspection.lock.ownIdentity, m_clock.nsecsElapsed()});
        if (m_guards.size() > kGuardsKept)
            m_guards.removeFirst();
    }
    if (m_guards.isEmpty()) {
        observe();
        return;
    }
    ReleaseOrder order;
    // Half of the time the newest guard, otherwise a guard of any age.
    m_tried =
        m_random.bounded(2) == 0 ? m_guards.last() : m_guards.at(m_random.bounded(int(m_guards.size())));
    order.guard = m_tried.guard;
    order.checkFreshness = !m_tried.own || m_random.bounded(3) == 0;
    m_store.release(order, [this](const ReleaseReport &report) { onReleased(report); });
}

void ReleaseRace::onReleased(const ReleaseReport &report)
{
    ++m_result.rounds;
    if (report.outcome == domain::Outcome::Released) {
        ++m_result.released;
        const QByteArray acquisition = acquisitionIn(m_tried.guard.identity);
        if (m_ways.reuses)
            m_broken[acquisition + '/' + m_tried.guard.key.name].append(m_tried.atNs);
        else
            m_releasedHolders.insert(acquisition);
    } else if (report.outcome == domain::Outcome::Unknown || report.outcome == domain::Outcome::Unreachable) {
        m_result.errors.append(report.error);
    }
    if (m_result.rounds < m_wanted) {
        observe();
        return;
    }
    m_releaserDone = true;
    finishIfIdle();
}

void ReleaseRace::finishIfIdle()
{
    for (const Client &client : m_clients) {
        if (!client.idle)
            return;
    }
    Q_EMIT finished();
}

} // namespace lockkeeper::tests
