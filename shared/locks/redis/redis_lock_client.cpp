// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/redis_lock_client.h"

#include "shared/locks/redis/waiter_register.h"
#include "shared/stores/redis/connection/handshake.h"

#include <QTimer>

#include <utility>

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;
using base::Error;
using base::ErrorCode;

/** Receives the answers to the commands that were sent together. */
class RedisLockClient::CommandAnswers final : public ReplySink
{
public:
    explicit CommandAnswers(RedisLockClient *client) : m_client(client) {}
    void take(const redisReply *reply) override { m_client->take(reply); }

private:
    RedisLockClient *m_client; ///< owns the connection, and outlives its answers
};

RedisLockClient::RedisLockClient(SourceSpec spec, Endpoint endpoint, QByteArray match,
                                 std::unique_ptr<ClientScheme> scheme)
    : m_spec(std::move(spec)),
      m_connection(std::move(endpoint), m_spec.statementTimeoutMs),
      m_asker{m_connection.endpoint().user, std::move(match)},
      m_scheme(std::move(scheme)),
      m_traits(m_scheme->traits()),
      m_channels(m_spec, m_connection.endpoint()),
      m_waits(
          m_channels,
          [this](ClientAct act, const Lease &lease, Done done) { ask(act, lease, std::move(done)); },
          [this](const QByteArray &name) { return m_scheme->channelOf(name); })
{
    connect(&m_connection, &RedisConnection::connected, this, &RedisLockClient::onConnected);
    connect(&m_connection, &RedisConnection::lost, this, &RedisLockClient::failAll);
    m_connection.setBusyPolling(true);
    m_connection.setTakenHandler([this] {
        m_reading = false;
        flush();
    });
}

RedisLockClient::~RedisLockClient()
{
    flush();
}

void RedisLockClient::tryAcquire(const Lease &wanted, Done done)
{
    ask(ClientAct::Acquire, wanted, std::move(done));
}

void RedisLockClient::renew(const Lease &lease, qint64 ttlUs, Done done)
{
    Lease longer = lease;
    longer.ttlUs = ttlUs;
    ask(ClientAct::Renew, std::move(longer), std::move(done));
}

void RedisLockClient::release(const Lease &lease, Done done)
{
    ask(ClientAct::Release, lease, std::move(done));
}

void RedisLockClient::enqueue(const Lease &wanted, Done done)
{
    m_waits.join(wanted, std::move(done));
}

void RedisLockClient::leave(const Lease &wanted)
{
    m_waits.leave(wanted);
}

void RedisLockClient::subscribe(const QByteArray &name, Wake wake)
{
    if (m_traits.wakes)
        m_channels.subscribe(m_scheme->channelOf(name), std::move(wake));
}

void RedisLockClient::unsubscribe(const QByteArray &name)
{
    if (m_traits.wakes)
        m_channels.unsubscribe(m_scheme->channelOf(name));
}

void RedisLockClient::ask(ClientAct act, Lease lease, Done done)
{
    const bool acquires = act == ClientAct::Acquire || act == ClientAct::Enqueue;
    if (acquires && lease.token.isEmpty())
        lease.token = m_scheme->token();
    ask({{act, std::move(lease), 0, false, {}}, std::move(done), m_asking, 0});
}

void RedisLockClient::announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                               Done done)
{
    ClientCall call{.act = ClientAct::Announce, .lease = {name, {}, forUs, {}, {}}, .seen = {}};
    for (const AnnouncedWaiter &waiter : waiters)
        call.waiters.append(waiter.id);
    ask({std::move(call), std::move(done), m_asking, 0});
}

void RedisLockClient::forget(const QByteArray &name, const QByteArray &id)
{
    if (m_ready) // otherwise the entry expires by itself
        ask({{.act = ClientAct::Withdraw, .lease = {name, {}, 1'000, {}, {}}, .seen = {}, .waiters = {id}},
             [](const AttemptResult &) {},
             m_asking,
             0});
}

void RedisLockClient::ask(RedisRequest &&request)
{
    if (m_ready && m_connection.isOpen()) {
        start(std::move(request));
        return;
    }
    m_ready = false;
    m_waiting.push_back(std::move(request));
    if (!m_opening) {
        m_opening = true;
        m_connection.close();
        m_connection.open(m_spec.connectTimeoutMs);
    }
}

void RedisLockClient::onConnected()
{
    shakeHands(m_connection, m_spec.password, [this](const base::Result<RedisFacts> &facts) {
        if (!facts) {
            m_connection.fail(facts.error()); // lost() then fails the waiting requests
            return;
        }
        m_ready = true;
        m_opening = false;
        m_runId = facts->runId;
        for (RedisRequest &request : std::exchange(m_waiting, {}))
            start(std::move(request));
    });
}

void RedisLockClient::start(RedisRequest &&request)
{
    if (request.call.act != ClientAct::Release && request.call.lease.ttlUs < 1'000)
        fail(request, {ErrorCode::Usage, QStringLiteral("a lease lasts at least one millisecond"), {}});
    else
        put(std::move(request));
}

void RedisLockClient::put(RedisRequest &&request)
{
    m_out.setAsking(request.asking);
    const qsizetype before = m_out.size();
    if (isOfRegister(request.call.act))
        composeRegister(m_out, request.call);
    else
        m_scheme->compose(m_out, request.call);
    request.owed = int(m_out.size() - before);
    m_sent.push_back(std::move(request));
    if (++m_unsent >= size_t(RedisConnection::kWorthSending))
        flush();
    else
        flushSoon();
}

void RedisLockClient::flushSoon()
{
    if (m_reading || std::exchange(m_flushing, true))
        return;
    QMetaObject::invokeMethod(this, &RedisLockClient::flush, Qt::QueuedConnection);
}

void RedisLockClient::flush()
{
    m_flushing = false;
    if (m_unsent == 0)
        return;
    if (m_ready && m_connection.send(std::make_unique<CommandAnswers>(this), m_out)) {
        m_unsent = 0;
        m_out.clear();
    } else {
        failUnsent(m_connection.failure());
    }
}

void RedisLockClient::take(const redisReply *reply)
{
    m_reading = reply != nullptr;
    if (--m_sent.front().owed > 0)
        return; // this was the answer to ASKING
    RedisRequest request = std::move(m_sent.front());
    m_sent.pop_front();
    if (reply == nullptr) {
        m_ready = false; // so that failAll() doesn't emit doubted(): this request's error shows the loss
        fail(request, m_connection.failure(), true);
    } else if (isError(reply, "NOSCRIPT") && !request.call.byText) {
        request.call.byText = true;
        put(std::move(request));
    } else if (isError(reply)) {
        const Error error = errorFrom(request, reply);
        fail(request, error, request.call.index > 0);
        if (error.code == ErrorCode::ReadOnly) { // the address may lead to another server by now
            m_ready = false;
            m_reading = false;
            m_connection.fail(error);
        }
    } else {
        const ClientStep step = isOfRegister(request.call.act) ? ClientStep{.attempt = Attempt::Done}
                                                               : m_scheme->take(request.call, reply);
        ++request.call.index;
        request.call.byText = false;
        proceed(std::move(request), step);
    }
}

void RedisLockClient::proceed(RedisRequest &&request, const ClientStep &step)
{
    if (step.more && step.afterMs == 0) {
        put(std::move(request));
        return;
    }
    if (step.more) {
        QTimer::singleShot(std::chrono::milliseconds(step.afterMs), this, [this, request] {
            if (m_ready && m_connection.isOpen())
                put(RedisRequest(request));
            else // it may be reconnecting, and to another server
                fail(request, {ErrorCode::ConnectionLost, QStringLiteral("the link was lost meanwhile"), {}},
                     true);
        });
        return;
    }
    AttemptResult result;
    result.attempt = step.attempt;
    result.freeInUs = step.freeInUs;
    if (step.attempt == Attempt::Done && request.call.act != ClientAct::Release)
        result.lease = std::move(request.call.lease);
    request.done(result);
}

Error RedisLockClient::errorFrom(const RedisRequest &request, const redisReply *reply) const
{
    Error error = errorOf(reply, m_asker, RightPurpose::Hold);
    if (isOfRegister(request.call.act) && error.code == ErrorCode::PermissionDenied)
        error.remedy = aclStatement(m_asker, QByteArray(kRegisterRules) + " +eval +evalsha");
    const bool acquires = request.call.act == ClientAct::Acquire || request.call.act == ClientAct::Enqueue;
    const QByteArray beside = m_scheme->besideRules();
    if (!acquires || beside.isEmpty())
        return error;
    const QString without =
        m_traits.fencing ? QStringLiteral(" (or take it without fencing tokens)") : QString();
    if (error.code == ErrorCode::PermissionDenied)
        error.remedy =
            aclStatement(m_asker, keyRule(m_asker, RightPurpose::Hold) + ' ' + beside + " +eval +evalsha") +
            without;
    else if (isError(reply, "CROSSSLOT"))
        error.remedy = QStringLiteral("No key beside this name has its hash slot.") + without;
    return error;
}

/** Answers later: the link may break during a caller's request, and the completion may destroy this.
 * `unknown`: the request may have been carried out nevertheless. */
void RedisLockClient::fail(const RedisRequest &request, const Error &error, bool unknown)
{
    const bool acquires = request.call.act == ClientAct::Acquire || request.call.act == ClientAct::Enqueue;
    AttemptResult result;
    result.attempt = acquires ? Attempt::Held : Attempt::Lost;
    result.error = error;
    if (acquires && unknown && m_scheme->mayHaveTaken(request.call))
        result.lease = request.call.lease;
    QMetaObject::invokeMethod(
        this, [done = request.done, result] { done(result); }, Qt::QueuedConnection);
}

/** Fails the requests that were never sent: they haven't acquired anything. */
void RedisLockClient::failUnsent(const Error &error)
{
    m_out.clear();
    const size_t first = m_sent.size() - std::exchange(m_unsent, 0);
    for (size_t i = first; i < m_sent.size(); ++i)
        fail(m_sent[i], error);
    m_sent.resize(first);
}

void RedisLockClient::failAll(const Error &error)
{
    // The server may have restarted without its keys, and no pending request shows that: see take().
    if (std::exchange(m_ready, false))
        QMetaObject::invokeMethod(
            this, [this] { Q_EMIT doubted(); }, Qt::QueuedConnection);
    m_opening = false;
    m_reading = false;
    m_runId.clear();
    failUnsent(error);
    for (const RedisRequest &request : std::exchange(m_waiting, {}))
        fail(request, error);
}

} // namespace lockkeeper::locks::redis
