// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/push/tracker.h"

#include "shared/base/clock.h"
#include "shared/stores/redis/log.h"
#include "shared/stores/redis/push/prefixes.h"

#include <algorithm>
#include <chrono>
#include <hiredis/hiredis.h>
#include <utility>

namespace lockkeeper::stores::redis::push {

using namespace std::chrono_literals;
using base::Error;
using base::ErrorCode;

namespace {
constexpr qsizetype kPage = 256;            ///< keys in one reading: others' questions don't wait long
constexpr int kPagesUnderWay = 2;           ///< of full ones: one in the server, one on its way
constexpr qsizetype kMostWaiting = 500'000; ///< keys; more are everything
constexpr qint64 kLeastProofPauseMs = 100;
constexpr qint64 kMostProofPauseMs = 2'000;
constexpr auto kCheckEvery = 5s;
constexpr qint64 kProofPatienceNs = 1'000'000;
constexpr qint64 kSeenEveryUs = 1'000'000;
constexpr int kFirstRetryMs = 250;
constexpr int kLastRetryMs = 30'000;

Error noPrefix()
{
    return {ErrorCode::Unsupported,
            QStringLiteral("a lock set's match has no beginning: the server would tell of every key"),
            QStringLiteral("Give match a fixed beginning (\"lock:*\"), or remove push.")};
}

/** For a command whose words aren't known when it is compiled. */
class OneAnswer final : public ReplySink
{
public:
    explicit OneAnswer(Connection::Handler handler) : m_handler(std::move(handler)) {}
    void take(const redisReply *reply) override { m_handler(reply); }

private:
    Connection::Handler m_handler;
};
} // namespace

std::chrono::milliseconds proofPauseMs(qint64 quietMs)
{
    return std::chrono::milliseconds(std::clamp(quietMs / 10, kLeastProofPauseMs, kMostProofPauseMs));
}

Tracker::Tracker(Connection &data, const SourceSpec &spec, QObject *parent)
    : QObject(parent),
      m_data(data),
      m_spec(spec),
      m_subscriber(
          spec, [this](const Told &what) { hear(what); }, [this] { pump(); }),
      m_barrier(line()),
      m_budget(spec.pushCommandsPerSecond)
{
    m_clock.start();
    m_sincePage.start();
    m_sinceTold.start();
    connect(&m_subscriber, &Subscriber::ready, this, &Tracker::track);
    connect(&m_subscriber, &Subscriber::lost, this, &Tracker::lose);
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &Tracker::connectNow);
    m_pump.setSingleShot(true);
    m_pump.setTimerType(Qt::PreciseTimer);
    connect(&m_pump, &QTimer::timeout, this, &Tracker::pump);
    m_idle.setSingleShot(true);
    connect(&m_idle, &QTimer::timeout, this, [this] {
        m_barrier.renew();
        m_idle.start(proofPauseMs(m_sinceTold.elapsed()));
    });
    m_check.setInterval(kCheckEvery);
    connect(&m_check, &QTimer::timeout, this, &Tracker::check);
}

Tracker::~Tracker()
{
    m_subscriber.disconnect(this);
}

Barrier::Line Tracker::line()
{
    const auto askTime = [this](std::function<void(qint64)> then) {
        m_data.send({"TIME"}, [this, link = m_links, then = std::move(then)](const redisReply *reply) {
            const auto us = timeOf(reply);
            if (us && isCurrent(link))
                then(*us);
        });
    };
    const auto ping = [this] {
        m_subscriber.ping([this, link = m_links] {
            if (isCurrent(link))
                m_barrier.ponged();
        });
    };
    return {askTime, ping, [this](qint64 us) { onProven(us); }};
}

void Tracker::open(const ReadMode &mode)
{
    close();
    m_open = true;
    m_mode = mode;
    m_mode.wholeKeys = true;
    m_failures = 0;
    m_commandsAKey = 1;
    for (qsizetype set = 0; set < m_spec.locks.size(); ++set) {
        m_commandsAKey = std::max(m_commandsAKey, schemeFor(m_mode, quint16(set)).commandsAKey());
    }
    QList<QByteArray> beside;
    for (const auto &scheme : *m_mode.schemes) {
        for (const QByteArrayView prefix : scheme->besidePrefixes())
            beside.append(prefix.toByteArray());
    }
    m_prefixes = trackedPrefixes(m_spec.locks, beside);
    if (m_prefixes.isEmpty())
        setState({false, false, noPrefix()});
    else
        connectNow();
}

void Tracker::close()
{
    m_open = m_answered = false;
    ++m_links;
    m_subscriber.close();
    for (QTimer *timer : {&m_retry, &m_idle, &m_pump, &m_check})
        timer->stop();
    m_state = {};
    m_dirty.clear();
    m_members.clear();
    m_pages = 0;
    m_evidence = {};
    m_barrier.end();
    sendAllLooks();
    callTold();
}

void Tracker::connectNow()
{
    m_subscriber.open(m_data.endpoint(), m_prefixes);
}

/** The subscription stands: from here on the server is to fill it. */
void Tracker::track(qint64 id)
{
    const QByteArray redirect = QByteArray::number(id);
    m_data.send({"CLIENT", "TRACKING", "OFF"}, [](const redisReply *) {});
    auto sinceUs = std::make_shared<qint64>(0);
    m_data.send({"TIME"}, [sinceUs](const redisReply *reply) { *sinceUs = timeOf(reply).value_or(0); });
    QList<QByteArray> words{"CLIENT", "TRACKING", "ON", "REDIRECT", redirect, "BCAST"};
    for (const QByteArray &prefix : m_prefixes)
        words += {"PREFIX", prefix};
    CommandBatch batch;
    batch.add(words);
    m_data.send(std::make_unique<OneAnswer>([this, sinceUs, link = m_links](const redisReply *reply) {
                    if (reply == nullptr || link != m_links)
                        return;
                    if (isError(reply))
                        m_subscriber.fail(pushError(reply, m_data.endpoint()));
                    else
                        tracked(*sinceUs);
                }),
                batch);
}

void Tracker::tracked(qint64 sinceUs)
{
    ++m_links;
    m_failures = 0;
    m_swaps = -1;
    m_checkedUs = m_seenUs = 0;
    m_evidence = {};
    m_barrier.begin(sinceUs);
    m_tellsSinceUs = sinceUs;
    m_sinceTold.start();
    m_idle.start(proofPauseMs(0));
    m_check.start();
    setState({true, true, {}});
    check();
}

void Tracker::lose(const Error &why)
{
    if (!m_open)
        return;
    ++m_links;
    const PushState off{false, m_state.on, why, m_state.on ? m_barrier.provenUs() : 0};
    const bool news = m_state.on || !m_answered || m_state.why.cause != why.cause;
    m_idle.stop();
    m_check.stop();
    m_pump.stop();
    m_dirty.clear();
    m_pages = 0;
    const int doubled = kFirstRetryMs << std::min(m_failures++, 7);
    m_retry.start(base::isTransient(why.code) ? std::min(doubled, kLastRetryMs) : kLastRetryMs);
    if (news)
        setState(off);
    m_barrier.end();
    sendAllLooks();
    callTold();
}

void Tracker::setState(const PushState &state)
{
    m_state = state;
    m_answered = true;
    Q_EMIT stateChanged(state);
}

void Tracker::hear(const Told &what)
{
    if (!m_state.on)
        return;
    stayAwake();
    if (what.kind == Told::Kind::Everything) {
        everything(m_barrier.provenUs());
        return;
    }
    if (m_names) {
        hand(what);
        return;
    }
    for (const QByteArrayView view : what.keys) {
        const bool own = !setsOf(m_spec, *m_mode.schemes, view).isEmpty();
        const QByteArray key = own ? view.toByteArray() : lockBeside(m_spec, *m_mode.schemes, view);
        if (key.isEmpty() || (!own && what.kind == Told::Kind::Event))
            continue;
        if (what.kind == Told::Kind::Event) {
            m_evidence.events = m_evidence.events || what.event == "set";
            m_evidence.ends = m_evidence.ends || (m_evidence.events && what.event == "del");
            m_dirty.note(key, what.event, m_barrier.provenUs());
            continue;
        }
        if (own)
            m_dirty.mark(key, m_barrier.provenUs());
        else
            m_dirty.markBeside(key, m_barrier.provenUs());
        for (Look &look : m_looks)
            look.open.insert(key);
    }
    if (m_dirty.waiting() > kMostWaiting)
        everything(m_dirty.oldestSinceUs());
}

void Tracker::hand(const Told &what)
{
    QList<Subject> locks;
    for (const QByteArrayView name : what.kind == Told::Kind::Keys ? what.keys : QList<QByteArrayView>()) {
        for (const quint16 set : setsOf(m_spec, *m_mode.schemes, name))
            locks.append({set, name.toByteArray()});
    }
    if (!locks.isEmpty())
        m_names(locks);
}

void Tracker::stayAwake()
{
    if (!m_state.on)
        return;
    if (proofPauseMs(m_sinceTold.restart()).count() > kLeastProofPauseMs)
        m_idle.start(proofPauseMs(0));
}

/** A database was emptied, or so much changed that asking for each is dearer than a pass. */
void Tracker::everything(qint64 sinceUs)
{
    m_dirty.clear();
    m_members.clear();
    Push push;
    push.everything = true;
    push.sinceUs = sinceUs;
    Q_EMIT pushed(push);
    callTold();
}

/**
 * After all messages that have come together, and after the proof that the last reading gave occasion to: a
 * change alone is read at once, and many are read together, each time with a proof in between.
 */
bool Tracker::mayRead() const
{
    if (!m_state.on || m_dirty.waiting() == 0)
        return false;
    if (m_pages > 0)
        return m_pages < kPagesUnderWay && m_dirty.waiting() >= kPage;
    return !m_barrier.isUnderWay() || m_sincePage.nsecsElapsed() > kProofPatienceNs ||
           m_dirty.waiting() >= kPage;
}

/** Looks and what was told take turns: neither waits for all of the other. */
void Tracker::pump()
{
    while (true) {
        const bool may = mayRead();
        if (!may && m_waitingLooks.empty())
            break;
        const bool look = !m_waitingLooks.empty() && (m_lookNext || !may);
        const qint64 nowUs = m_clock.nsecsElapsed() / 1000;
        const qint64 affordable = (m_budget.left(nowUs) - 2) / m_commandsAKey;
        if (affordable < 1) {
            const qint64 page =
                std::min<qint64>(look ? kPage : m_dirty.waiting(), kPage) * m_commandsAKey + 2;
            m_pump.start(std::chrono::milliseconds(m_budget.waitUs(page, nowUs) / 1000 + 1));
            return;
        }
        m_lookNext = !look;
        if (look)
            sendLook();
        else if (!readBack(std::min<qint64>(affordable, kPage)))
            return;
    }
    // The proof may never come.
    if (m_state.on && m_pages == 0 && m_dirty.waiting() > 0 && !m_pump.isActive())
        m_pump.start(2ms);
}

bool Tracker::readBack(qsizetype most)
{
    ReadBack asked;
    for (DirtyKeys::Asked &key : m_dirty.take(most)) {
        QList<quint16> sets = setsOf(m_spec, *m_mode.schemes, key.key);
        asked.keys.append({std::move(key), std::move(sets)});
    }
    QList<Observation> questions = asked.questions();
    // What it takes in the end is settled when it is there: nothing is sent that wasn't paid for.
    const qint64 paid = questions.size() * m_commandsAKey + 2;
    m_budget.spend(paid);
    const bool sent =
        readKeys(m_data, m_mode, std::move(questions),
                 [this, asked, paid, link = m_links, now = base::SystemClock().monotonicUs()](KeyPage &page) {
                     m_budget.spend(page.commands - paid);
                     if (isCurrent(link))
                         takePage(asked, now, page);
                 });
    if (!sent)
        m_budget.spend(-paid);
    m_pages += sent ? 1 : 0;
    m_sincePage.restart();
    return sent;
}

void Tracker::takePage(const ReadBack &asked, qint64 askedUs, KeyPage &page)
{
    --m_pages;
    if (page.error) {
        // A link that broke is told by itself. Anything else leaves these keys unread: a gap, and no guess.
        if (m_data.isOpen())
            m_subscriber.fail(*page.error);
        return;
    }
    ReadBack here = asked;
    // Somebody else may have read them while this reading was under way.
    for (ReadBack::Key &key : here.keys)
        m_dirty.refresh(key.asked);
    const Strays strays{takeElsewhere(here, page, m_countsHere), page.beganUs, askedUs};
    for (const ReadBack::Key &key : strays.keys)
        m_dirty.passedOn(key.asked.key);
    Push push;
    push.changes = changesOf(here, page, m_mode, m_evidence, m_members);
    noteAnswers(here, page, push.changes);
    Q_EMIT pushed(push);
    if (!strays.keys.isEmpty())
        Q_EMIT astray(strays);
    // Windows are as narrow as proofs are frequent.
    m_budget.spend(2);
    m_barrier.timeRead(page.endedUs);
    callTold();
    pump();
}

/** What the page shows is what later messages are judged by. */
void Tracker::noteAnswers(const ReadBack &asked, const KeyPage &page, const QList<Change> &changes)
{
    QSet<QByteArray> claimed;
    for (const Change &change : changes) {
        if (change.unseen)
            claimed.insert(change.lock.name);
    }
    qsizetype at = 0;
    for (const ReadBack::Key &key : asked.keys) {
        const Sight now = sightOf(key, page, at, m_mode);
        at += key.sets.size();
        m_dirty.answered(key.asked.key, now, page.endedUs, claimed.contains(key.asked.key));
    }
}

void Tracker::whenTold(qint64 us, std::function<void()> then)
{
    if (!m_state.on) {
        then();
        return;
    }
    m_barrier.whenProven(us, [this, then = std::move(then)]() mutable {
        m_told.emplace_back(m_dirty.lastMark(), std::move(then));
        callTold();
    });
}

void Tracker::callTold()
{
    while (!m_told.empty() && (!m_state.on || m_dirty.isReadUpTo(m_told.front().first))) {
        const auto then = std::move(m_told.front().second);
        m_told.pop_front();
        then();
    }
}

void Tracker::shown(const QList<Observation> &locks, qint64 atUs)
{
    for (const Observation &lock : locks) {
        const KeyScheme &scheme = schemeFor(m_mode, lock.set);
        if (!m_state.on || !lock.present || !scheme.manyPerKey())
            continue;
        const QByteArray key = scheme.keyOf(lock.name).toByteArray();
        if (m_members.show({lock.set, key}, lock))
            m_dirty.wasRead(key, atUs); // what is still to be told may be of what this has shown
    }
}

qint64 Tracker::toldUntilUs(const QByteArray &key) const
{
    return m_state.on ? m_dirty.openSinceUs(key).value_or(m_barrier.provenUs()) : 0;
}

void Tracker::wasAbsent(const QByteArray &key, qint64 atUs)
{
    if (m_state.on)
        m_dirty.wasAbsent(key, atUs);
}

void Tracker::prove(qint64 us)
{
    if (!m_state.on)
        return;
    m_budget.spend(2);
    m_barrier.timeRead(us);
}

void Tracker::giveMembers(const KeyMembers &members)
{
    if (m_state.on)
        m_members.show(members);
}

void Tracker::onProven(qint64 us)
{
    m_dirty.proven(us);
    if (us - m_seenUs < kSeenEveryUs && us >= m_seenUs)
        return;
    m_seenUs = us;
    Q_EMIT seen(us);
}

} // namespace lockkeeper::stores::redis::push
