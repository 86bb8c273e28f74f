// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/source_runner.h"

#include "shared/base/text.h"

#include <QLoggingCategory>
#include <QPointer>
#include <QRandomGenerator>

#include <algorithm>
#include <utility>

namespace lockkeeper::agent::application {

Q_LOGGING_CATEGORY(lcSource, "lockkeeper.application.source")

using namespace std::chrono_literals;
using base::ErrorCode;

namespace {
constexpr std::chrono::milliseconds kInspectWithin = 5s;
constexpr auto kReleaseWithin = 15s;
constexpr auto kReadWithin = 30s;
constexpr auto kProbeMargin = 15s;     ///< added to a probe's time: to connect, and to end
constexpr qint64 kScansPerSecond = 20; ///< that clients may ask for
constexpr qint64 kSmallTable = 50;     ///< a scan costs at least as much as so many locks
constexpr qint64 kCountEveryUs = 5'000'000;
constexpr qint64 kLongestSleepUs = 3'600'000'000;
constexpr quint32 kCountedAtOnce = 1'000;

void countIn(domain::Counts &counts, const domain::LockState &lock)
{
    ++counts.total;
    counts.held += lock.phase == domain::Phase::Held;
    counts.free += lock.phase == domain::Phase::Free;
    counts.expired += lock.phase == domain::Phase::Expired;
    counts.stuck += lock.stuck != domain::StuckReason::None;
    counts.contended += !lock.waiters.isEmpty();
}
} // namespace

SourceRunner::SourceRunner(const stores::SourceSpec &spec, std::unique_ptr<stores::Store> store,
                           const base::Clock &clock, server::Publisher &publisher, QObject *parent)
    : QObject(parent),
      m_spec(spec),
      m_clock(clock),
      m_publisher(publisher),
      m_engine(spec, QRandomGenerator::global()->generate64()),
      m_store(std::move(store)),
      m_owners(spec.locks)
{
    m_storeKind = stores::storeKind(spec.url).value_or(QByteArray());
    m_tick.setSingleShot(true);
    m_tick.setTimerType(Qt::PreciseTimer);
    connect(&m_tick, &QTimer::timeout, this, [this] { tick(); });
    stores::Store *s = m_store.get();
    connect(s, &stores::Store::opened, this, &SourceRunner::opened);
    connect(s, &stores::Store::failed, this, &SourceRunner::failed);
    connect(s, &stores::Store::pageTold, this, [this](const stores::Page &page) {
        take([&](engine::Instant at) { return m_engine.pageTold(m_owners.owned(page), at); });
    });
    connect(s, &stores::Store::pushed, this, &SourceRunner::pushed);
    connect(s, &stores::Store::pushStateChanged, this, &SourceRunner::pushStateChanged);
    connect(s, &stores::Store::shardChanged, this, [this](const stores::ShardState &part) {
        take([&](engine::Instant at) { return m_engine.shardChanged(part, at); });
    });
    connect(s, &stores::Store::standingRead, this, [this](const stores::Standing &standing) {
        take([&](engine::Instant at) { return m_engine.standingRead(standing, at); });
    });
    connect(s, &stores::Store::waitGraphRead, this, &SourceRunner::waitGraphRead);
    connect(s, &stores::Store::findingsRead, this, [this](const QList<domain::Finding> &found) {
        take([&](engine::Instant at) { return m_engine.findingsRead(found, at); });
    });
}

SourceRunner::~SourceRunner()
{
    stop();
}

engine::Instant SourceRunner::now() const
{
    return {m_clock.monotonicUs(), m_clock.wallUs()};
}

void SourceRunner::start(const engine::Restored &restored)
{
    m_position = restored.position;
    run(m_engine.start(restored, now()));
}

void SourceRunner::stop()
{
    if (m_stopped)
        return;
    m_stopped = true;
    m_link = 0;
    m_graph.reset();
    m_tick.stop();
    m_store->close();
    const base::Error error{ErrorCode::Cancelled, QStringLiteral("the source is no longer observed"), {}};
    const auto undone = std::exchange(m_undone, {});
    for (const auto &end : undone)
        end(error);
    answerReaders(~quint64(0), tl::unexpected(error));
}

void SourceRunner::setPaused(bool paused)
{
    m_paused = paused;
    m_store->setPaused(paused);
}

void SourceRunner::reconfigure(const stores::SourceSpec &spec)
{
    m_spec = spec;
    m_store->setReconcileMs(spec.reconcileMs);
    m_engine.reconfigure(spec);
    tick();
}

void SourceRunner::tick()
{
    take([this](engine::Instant at) { return m_engine.tick(at); });
}

engine::Restored SourceRunner::restored() const
{
    engine::Restored restored;
    restored.lastSeenUs = m_engine.table().lastSeenUs();
    const domain::SourceState source = state();
    restored.gapOpen = source.gapSinceUs.has_value();
    restored.gapSinceUs = source.gapSinceUs.value_or(0);
    if (restored.lastSeenUs == 0 && !restored.gapOpen && source.link == domain::Link::Up)
        restored.gapSinceUs = source.sinceWallUs; // the time of the source_up event
    restored.position = m_engine.canResume() ? m_position : QByteArray();
    restored.sets = scannedSets();
    restored.server = lastServer();
    restored.locks = m_engine.table().journalled();
    return restored;
}

std::optional<journal::Progress> SourceRunner::progress() const
{
    if (m_engine.table().lastSeenUs() == 0)
        return std::nullopt;
    return journal::Progress{m_spec.name, m_storeKind, m_engine.table().lastSeenUs(),
                             m_engine.canResume() ? m_position : QByteArray()};
}

domain::SourceState SourceRunner::state() const
{
    return m_engine.state(now());
}

QHash<QByteArray, domain::Counts> SourceRunner::locksByScheme() const
{
    const domain::SourceState whole = state();
    if (whole.schemes.size() == 1)
        return {{whole.schemes.constFirst(), whole.counts}};
    if (m_countedUs != 0 && m_clock.monotonicUs() - m_countedUs < kCountEveryUs)
        return m_counts;
    m_countedUs = m_clock.monotonicUs();
    m_counts.clear();
    quint32 place = 0; // in slices: don't copy a table of a million locks for this
    while (place != engine::ObservedTable::kNoPlace) {
        for (const domain::LockState &lock : m_engine.table().locksFrom(place, kCountedAtOnce))
            countIn(m_counts[lock.key.scheme], lock);
    }
    return m_counts;
}

std::optional<stores::Subject> SourceRunner::subjectFor(const domain::LockKey &key) const
{
    if (const auto known = m_engine.table().subjectOf(key))
        return known;
    for (qsizetype i = 0; i < m_spec.locks.size() && i < m_places.size(); ++i) {
        const stores::LockSet &set = m_spec.locks.at(i);
        const auto name = stores::subjectNameOf(m_places.at(i), key);
        if (set.scheme == key.scheme && name && base::globMatches(set.match, key.name) &&
            m_owners.owns(quint16(i), *name))
            return stores::Subject{quint16(i), *name};
    }
    return std::nullopt;
}

void SourceRunner::run(const engine::EngineStep &step)
{
    if (m_stopped)
        return;
    // Events first: if a store answers from within a call below, its answer comes after them.
    if (!step.events.isEmpty()) {
        m_eventCount += quint64(step.events.size());
        const auto seen = progress();
        m_publisher.append(step.events, seen ? QList<journal::Progress>{*seen} : QList<journal::Progress>{});
    }
    if (!step.updates.isEmpty() || !step.renewals.isEmpty())
        m_publisher.update(step.updates, step.renewals);
    if (step.sourceChanged)
        m_publisher.sourceChanged(m_spec.name);
    if (!step.pointReads.isEmpty())
        readPoints(step.pointReads);
    if (step.scan)
        beginScan();
    if (step.open) {
        m_store->resumeAfter(m_engine.canResume() ? m_position : QByteArray());
        // Go through the event loop: a store may fail at once, again and again.
        QMetaObject::invokeMethod(m_store.get(), &stores::Store::open, Qt::QueuedConnection);
    }
    arm();
}

void SourceRunner::arm()
{
    const qint64 next = m_engine.nextTickUs();
    const qint64 waitUs = std::clamp<qint64>(next - m_clock.monotonicUs(), 0, kLongestSleepUs);
    m_tick.start(std::chrono::milliseconds((waitUs + 999) / 1000));
}

void SourceRunner::opened(const stores::ServerInfo &info)
{
    if (const auto error = stores::undeclaredOverlap(m_spec.locks, info.places)) {
        m_store->close();
        failed(*error);
        return;
    }
    // Count the links of all runners: a reading through one runner is void for the runner that replaces it.
    static quint64 links = 0;
    m_link = ++links;
    m_wasUp = true;
    m_places = info.places;
    m_storeKind = info.store;
    qCInfo(lcSource).noquote() << base::singleLine(m_spec.name) << "is up:" << base::singleLine(info.server);
    for (const domain::Access &access : info.access) {
        if (!access.granted)
            qCWarning(lcSource).noquote() << base::singleLine(m_spec.name) << "lacks" << access.need + ":"
                                          << base::singleLine(access.remedy);
    }
    take([&](engine::Instant at) { return m_engine.opened(info, at); });
}

void SourceRunner::failed(const base::Error &error)
{
    if (m_link != 0 || !m_wasUp)
        qCWarning(lcSource).noquote() << base::singleLine(m_spec.name) << "is down:" << error.line();
    m_link = 0;
    m_readFromUs.reset();
    m_graph.reset(); // the current waiters are unknown: an old graph would be a false claim
    take([&](engine::Instant at) { return m_engine.failed(error, at); });
    answerReaders(~quint64(0), tl::unexpected(error));
}

stores::Store::PageTaken SourceRunner::pageTaker()
{
    return [self = QPointer<SourceRunner>(this)](const stores::Page &page) {
        if (!self.isNull())
            self->take(
                [&](engine::Instant at) { return self->m_engine.pageRead(self->m_owners.owned(page), at); });
    };
}

void SourceRunner::beginScan()
{
    ++m_lastScan;
    m_scanBeganUs = m_clock.monotonicUs();
    m_store->scan(pageTaker(),
                  [self = QPointer<SourceRunner>(this), scan = m_lastScan](const stores::ScanEnd &end) {
                      if (!self.isNull())
                          self->scanEnded(scan, end);
                  });
}

void SourceRunner::scanEnded(quint64 scan, const stores::ScanEnd &end)
{
    if (scan == m_lastScan)
        take([&](engine::Instant at) { return m_engine.scanEnded(end, at); });
    if (end.complete && scan == m_lastScan)
        m_readFromUs = m_scanBeganUs;
    if (end.complete)
        answerReaders(scan, {});
    else
        answerReaders(scan, tl::unexpected(end.error));
}

void SourceRunner::waitGraphRead(const domain::WaitGraph &graph)
{
    if (m_link == 0 || m_stopped)
        return;
    m_graph = graph;
    m_graph->source = m_spec.name;
}

std::optional<domain::WaitGraph> SourceRunner::waitGraph() const
{
    const bool knows = m_storeKind == "redis" ||
                       std::any_of(m_spec.locks.cbegin(), m_spec.locks.cend(),
                                   [](const stores::LockSet &set) { return set.waitersRegistered; });
    if (m_graph) {
        domain::WaitGraph dated = *m_graph;
        m_engine.table().dateWaits(dated);
        return dated;
    }
    if (!knows || m_link == 0)
        return std::nullopt;
    domain::WaitGraph graph = m_engine.table().queues();
    return graph.edges.isEmpty() ? std::nullopt : std::optional(std::move(graph));
}

void SourceRunner::pushed(const stores::Push &push)
{
    take([&](engine::Instant at) {
        engine::EngineStep step = m_engine.pushed(m_owners.owned(push), at);
        m_position = push.position; // it is saved with the events of this step
        return step;
    });
}

void SourceRunner::pushStateChanged(const stores::PushState &state)
{
    if (!state.why.cause.isEmpty())
        qCWarning(lcSource).noquote()
            << base::singleLine(m_spec.name)
            << (state.on ? "missed changes:" : "is polled, without pushed changes:") << state.why.line();
    take([&](engine::Instant at) { return m_engine.pushStateChanged(state, at); });
    if (!m_engine.canResume())
        m_position.clear();
}

template <typename Answer>
std::function<void(const Answer &)> SourceRunner::limited(std::chrono::milliseconds within,
                                                          const QString &late,
                                                          std::function<void(const Answer &)> done)
{
    const quint64 id = ++m_request;
    m_undone.insert(id, [done](const base::Error &error) {
        Answer answer; // a release's outcome is unknown by default
        answer.error = error;
        done(answer);
    });
    const quint64 deadline = m_deadlines.add(within, [this, id, late] {
        if (const auto end = m_undone.take(id))
            end({ErrorCode::Timeout, late, {}});
    });
    return [self = QPointer<SourceRunner>(this), id, deadline, done = std::move(done)](const Answer &answer) {
        if (self.isNull() || self->m_undone.remove(id) == 0)
            return;
        self->m_deadlines.remove(deadline);
        done(answer);
    };
}

void SourceRunner::inspect(const Caller &caller, const stores::Subject &subject, Inspected done)
{
    Inspectors &inspectors = m_inspectors[subject];
    const bool isAsked = !inspectors.now.isEmpty();
    const bool isUnderWay = isAsked && !inspectors.begin;
    (isUnderWay ? inspectors.next : inspectors.now).append(std::move(done));
    if (isUnderWay && (inspectors.next.size() == 1 || caller.purpose == ReadingPurpose::Act))
        inspectors.caller = caller;
    if (!isAsked)
        ask(caller, subject);
    else if (caller.purpose == ReadingPurpose::Act) // callers that act don't wait for callers that only read
        beginInspection(subject);
    else if (!isUnderWay) // this session's turn may come before that of the one which asked first
        m_lookTurns.push(caller.session, subject);
}

bool SourceRunner::beginInspection(const stores::Subject &subject)
{
    const auto it = m_inspectors.find(subject);
    if (m_stopped || it == m_inspectors.end())
        return false;
    const auto begin = std::exchange(it->begin, {});
    if (begin)
        begin();
    return bool(begin);
}

/** The next reading answers the callers that asked after this one began. */
void SourceRunner::inspected(const stores::Subject &subject, const stores::Inspection &read)
{
    Inspectors &inspectors = m_inspectors[subject];
    inspectors.begin = {}; // it may already have been too late to start
    QList<Inspected> due = std::exchange(inspectors.now, std::exchange(inspectors.next, {}));
    if (read.error) // the store doesn't answer, or the source is no longer observed
        due += std::exchange(inspectors.now, {});
    if (inspectors.now.isEmpty())
        m_inspectors.remove(subject);
    else
        ask(inspectors.caller, subject);
    for (const Inspected &done : due)
        done(read);
}

qint64 SourceRunner::readsOfAScan() const
{
    return std::max<qint64>(state().counts.total, kSmallTable);
}

/** Half of the limit, for scans or for single locks: neither delays the other. */
qint64 SourceRunner::readsPerSecond() const
{
    return (m_spec.maxReadsPerSecond > 0 ? m_spec.maxReadsPerSecond : kScansPerSecond * readsOfAScan()) / 2;
}

void SourceRunner::takeTurns()
{
    while (!m_isTurnDue && !m_lookTurns.isEmpty()) {
        m_isTurnDue = true;
        within(m_singleReads, 1, [this] {
            m_isTurnDue = false;
            for (auto subject = m_lookTurns.take(); subject && !beginInspection(*subject);)
                subject = m_lookTurns.take();
            takeTurns();
        });
    }
}

void SourceRunner::within(ReadBudget &budget, qint64 reads, std::function<void()> read)
{
    const qint64 waitUs = budget.reserve(reads, readsPerSecond(), m_clock.monotonicUs());
    if (waitUs <= 0)
        read();
    else
        m_deadlines.add(std::chrono::milliseconds((waitUs + 999) / 1'000), std::move(read));
}

void SourceRunner::ask(const Caller &caller, const stores::Subject &subject)
{
    const auto answer = limited<stores::Inspection>(
        kInspectWithin, QStringLiteral("the store didn't answer within 5 s"),
        [this, subject](const stores::Inspection &read) { inspected(subject, read); });
    const auto taken = [self = QPointer(this), answer](const stores::Inspection &read) {
        if (self.isNull() || read.error || read.lock.ownIdentity) {
            answer(read);
            return;
        }
        // Two holds that begin within a millisecond may share their deadline. After this wait, a later hold
        // has a different deadline.
        const std::chrono::milliseconds wait(2 + read.lock.expiryNoiseUs / 1'000);
        QTimer::singleShot(std::min(wait, kInspectWithin / 2), Qt::PreciseTimer, self,
                           [answer, read] { answer(read); });
    };
    m_inspectors[subject].begin = [this, subject, taken] { m_store->inspect(subject, taken); };
    if (caller.purpose == ReadingPurpose::Act) {
        beginInspection(subject);
        return;
    }
    m_lookTurns.push(caller.session, subject);
    takeTurns();
}

void SourceRunner::release(const stores::ReleaseOrder &order,
                           std::function<void(const stores::ReleaseReport &)> done)
{
    if (m_duty && !m_duty(m_spec.statementTimeoutMs * 1'000)) {
        stores::ReleaseReport refused;
        refused.outcome = domain::Outcome::Refused;
        refused.error = {ErrorCode::Busy,
                         QStringLiteral("this agent may not be the active one until the release is over"),
                         QStringLiteral("Try again; ask the agent that is active then.")};
        const auto answer = limited<stores::ReleaseReport>(kReleaseWithin, {}, std::move(done));
        QMetaObject::invokeMethod(
            this, [answer, refused] { answer(refused); }, Qt::QueuedConnection);
        return;
    }
    std::optional<domain::LockKey> key; // empty for a dry run
    if (!order.dryRun) {
        key = order.guard.key;
        m_engine.releaseSent(order.guard.key, order.guard.identity, now());
    }
    const auto late = std::make_shared<bool>(false);
    const auto answered = [this, key, late, done = std::move(done)](const stores::ReleaseReport &report) {
        *late = true; // for any answer after this one
        done(report);
        if (key)
            take([&](engine::Instant at) {
                return m_engine.releaseAnswered(*key, report.storeUs.value_or(0), at);
            });
    };
    const auto inTime = limited<stores::ReleaseReport>(
        kReleaseWithin, QStringLiteral("the store didn't answer within 15 s"), answered);
    m_store->release(order, [self = QPointer<SourceRunner>(this), key, late, inTime,
                             identity = order.guard.identity](const stores::ReleaseReport &report) {
        if (self && key && *late && report.outcome != domain::Outcome::Unknown)
            self->m_engine.releaseAnsweredLate(*key, identity, report.outcome == domain::Outcome::Released,
                                               self->now());
        inTime(report);
    });
}

void SourceRunner::probe(const stores::ProbeOrder &order,
                         std::function<void(const stores::ProbeReport &)> done)
{
    const auto within = std::chrono::milliseconds(order.forUs / 1000) + kProbeMargin;
    m_store->probe(order,
                   limited(within, QStringLiteral("the store didn't answer in time"), std::move(done)));
}

void SourceRunner::releasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                                     const QByteArray &command)
{
    take([&](engine::Instant at) { return m_engine.releasedByCommand(key, identity, command, at); });
}

void SourceRunner::maybeReleasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                                          const QByteArray &command)
{
    m_engine.releaseUnanswered(key, identity, command);
}

void SourceRunner::holderChecked(const domain::LockKey &key, const QByteArray &guard, bool isGone)
{
    take([&](engine::Instant at) { return m_engine.holderChecked(key, guard, isGone, at); });
}

void SourceRunner::readPoint(const stores::Subject &subject)
{
    if (m_link != 0 && !m_stopped)
        readPoints({subject});
}

void SourceRunner::readPoints(const QList<stores::Subject> &subjects)
{
    m_store->readPoints(subjects, pageTaker(), [self = QPointer<SourceRunner>(this), subjects] {
        if (!self.isNull())
            self->take([&](engine::Instant) { return self->m_engine.pointsRead(subjects); });
    });
}

void SourceRunner::readNow(ReadingPurpose purpose, std::function<void(const base::Result<void> &)> done)
{
    if (m_link == 0) {
        const base::Error error = state().error;
        done(base::failure(ErrorCode::Unreachable,
                           error.cause.isEmpty() ? QStringLiteral("the store can't be reached") : error.cause,
                           error.remedy));
        return;
    }
    if (purpose == ReadingPurpose::Look && m_readFromUs &&
        m_clock.monotonicUs() - *m_readFromUs <= m_spec.pollMs * 1'000) {
        done({});
        return;
    }
    // A running scan began before the request and can't answer it. The next scan answers all callers.
    const quint64 from = m_lastScan + 1;
    const bool isAsked = !m_readers.isEmpty() && m_readers.last().from == from;
    m_readers.append({from, std::move(done)});
    if (isAsked)
        return;
    limitRead(from);
    // One scan answers all waiting callers: even a caller that acts needs no more than one.
    within(m_scans, readsOfAScan(), [this, from] {
        if (m_lastScan < from && !m_readers.isEmpty()) // no regular scan started in the meantime
            take([this](engine::Instant at) { return m_engine.readNow(at); });
    });
}

/** A scan that is paused for the journal isn't late. */
void SourceRunner::limitRead(quint64 from)
{
    m_deadlines.add(kReadWithin, [this, from] {
        if (m_paused)
            limitRead(from);
        else
            answerReaders(
                from, base::failure(ErrorCode::Timeout, QStringLiteral("the scan took longer than 30 s")));
    });
}

void SourceRunner::answerReaders(quint64 scan, const base::Result<void> &result)
{
    QList<WaitingReader> due;
    for (auto it = m_readers.begin(); it != m_readers.end();) {
        if (it->from <= scan) {
            due.append(std::move(*it));
            it = m_readers.erase(it);
        } else {
            ++it;
        }
    }
    for (const WaitingReader &reader : due)
        reader.done(result);
}

} // namespace lockkeeper::agent::application
