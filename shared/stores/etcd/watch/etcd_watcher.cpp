// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/watch/etcd_watcher.h"

#include "shared/base/text.h"

#include <QJsonArray>

#include <algorithm>
#include <memory>
#include <utility>

namespace lockkeeper::stores::etcd {

using base::Error;
using base::ErrorCode;

namespace {

constexpr qint64 kShortestPauseMs = 100;
constexpr qint64 kLongestPauseMs = 2'000;
constexpr qint64 kChecksShare = 20; ///< a check may keep the server busy for one part of so many
constexpr qint64 kMostBehindMs = 5'000;
constexpr int kDueMs = 1'000;
constexpr int kFirstRetryMs = 200;
constexpr int kLongestRetryMs = 30'000;
constexpr int kMostTries = 5; ///< before push is reported as off

QJsonObject rangeOf(const KeyRange &set)
{
    QJsonObject range{{QStringLiteral("key"), jsonOf(startOf(set.key))}};
    if (set.prefix)
        range.insert(QStringLiteral("range_end"), jsonOf(endOf(set.key)));
    return range;
}

} // namespace

QByteArray WatchPosition::encoded() const
{
    QByteArray text = cluster + ' ' + QByteArray::number(sinceUs);
    for (const qint64 revision : revisions)
        text += ' ' + QByteArray::number(revision);
    return text;
}

std::optional<WatchPosition> WatchPosition::decoded(const QByteArray &text)
{
    const QList<QByteArray> parts = text.split(' ');
    if (parts.size() < 3)
        return std::nullopt;
    WatchPosition position{parts.at(0), {}, parts.at(1).toLongLong()};
    for (const QByteArray &part : parts.sliced(2))
        position.revisions.append(part.toLongLong());
    return position.sinceUs > 0 && position.first() > 0 ? std::optional(position) : std::nullopt;
}

EtcdWatcher::EtcdWatcher(const Endpoints &endpoints, const SourceSpec &spec, const LocalClock &clock,
                         LeaseBook &leases, AnswerTimes &times, QObject *parent)
    : QObject(parent),
      m_spec(spec),
      m_clock(clock),
      m_leases(leases),
      m_times(times),
      m_gateway(endpoints, spec.password)
{
    for (QTimer *timer : {&m_checkTimer, &m_retry})
        timer->setSingleShot(true);
    m_dueTimer.setInterval(kDueMs);
    connect(&m_checkTimer, &QTimer::timeout, this, &EtcdWatcher::check);
    connect(&m_dueTimer, &QTimer::timeout, this, &EtcdWatcher::readDue);
    connect(&m_retry, &QTimer::timeout, this, [this] {
        if (m_mirrors.empty())
            begin(m_from);
        else
            watch();
    });
}

void EtcdWatcher::open(const QByteArray &cluster, const QList<KeyRange> &sets, const QByteArray &resumeAfter)
{
    close();
    m_cluster = cluster;
    m_sets = sets;
    m_failures = 0;
    m_lostUs = 0;
    m_why = {};
    m_gateway.setTimeoutMs(m_spec.statementTimeoutMs);
    auto from = WatchPosition::decoded(resumeAfter);
    if (from && (from->cluster != cluster || from->revisions.size() != sets.size()))
        from.reset();
    begin(from);
}

void EtcdWatcher::close()
{
    ++m_run;
    for (QTimer *timer : {&m_checkTimer, &m_dueTimer, &m_retry})
        timer->stop();
    m_on = m_telling = m_checking = false;
    m_mirrors.clear();
    dropBatches();
    m_behind.invalidate();
    m_gateway.abort();
    free();
}

void EtcdWatcher::dropBatches()
{
    for (WatchBatch &batch : m_batches) {
        for (auto &then : batch.then)
            m_waiting.emplace_back(0, std::move(then));
    }
    m_batches.clear();
}

void EtcdWatcher::free()
{
    for (const auto &[revision, then] : std::exchange(m_waiting, {}))
        then();
}

void EtcdWatcher::begin(const std::optional<WatchPosition> &from)
{
    const quint64 run = ++m_run;
    m_from = from;
    m_mirrors.clear();
    dropBatches();
    m_telling = m_checking = false;
    m_behind.invalidate();
    for (QTimer *timer : {&m_checkTimer, &m_dueTimer, &m_retry})
        timer->stop();
    m_gateway.abort();
    const auto taken = [this, run, from](const RangeReading &reading) {
        if (run != m_run)
            return;
        const auto failed = reading.whole();
        if (failed && from && !base::isTransient(failed->code)) {
            m_why = *failed; // that revision was compacted, or another cause
            begin({});
            return;
        }
        if (failed) {
            fail(*failed);
            return;
        }
        m_resumed = from.has_value();
        m_fresh = true;
        m_proofs = {{reading.revision, from ? from->sinceUs : reading.beganUs}};
        m_told = reading.revision;
        m_toldUs = m_proofs.constFirst().atUs;
        m_passed = {};
        m_toldBefore = from ? from->revisions : QList<qint64>(m_sets.size(), reading.revision);
        m_mirrors.resize(size_t(m_sets.size()));
        for (qsizetype set = 0; set < m_sets.size(); ++set)
            m_mirrors[size_t(set)].fill(reading.keys.at(set), reading.revision);
        watch();
    };
    readRanges(m_gateway, m_clock, m_sets, m_spec.pageSize, taken, from ? from->first() : 0);
}

void EtcdWatcher::watch()
{
    const quint64 run = m_run;
    const quint64 stream = ++m_stream;
    m_created = 0;
    QList<QJsonObject> bodies;
    for (qsizetype set = 0; set < m_sets.size(); ++set) {
        QJsonObject create = rangeOf(m_sets.at(set));
        const qint64 after = std::max(m_told, m_mirrors[size_t(set)].revision());
        create.insert(QStringLiteral("start_revision"), jsonOf(after + 1));
        create.insert(QStringLiteral("watch_id"), jsonOf(qint64(set + 1)));
        bodies.append(QJsonObject{{QStringLiteral("create_request"), create}});
    }
    const auto isCurrent = [this, run, stream] { return run == m_run && stream == m_stream; };
    m_gateway.follow(
        "watch", bodies,
        [this, isCurrent](const QJsonObject &line) {
            if (isCurrent())
                take(line);
        },
        [this, isCurrent](const Answer &answer) {
            if (!isCurrent())
                return;
            fail(answer.error ? *answer.error
                              : Error{ErrorCode::ConnectionLost, QStringLiteral("the watch has ended"), {}});
        });
}

/** The watch couldn't be made, or has ended. Another watch continues where it was, at the next member. */
void EtcdWatcher::fail(const Error &why)
{
    ++m_stream;
    m_gateway.next();
    if (++m_failures >= kMostTries && (m_on || m_failures == kMostTries)) {
        const bool wasOn = std::exchange(m_on, false);
        const qint64 toldUs = m_toldUs;
        m_mirrors.clear();
        m_from.reset(); // scans report the next changes
        m_checkTimer.stop();
        m_dueTimer.stop();
        ++m_run;
        dropBatches();
        free();
        Q_EMIT stateChanged({false, wasOn, why, toldUs});
    }
    m_retry.start(std::min(kLongestRetryMs, kFirstRetryMs << std::min(m_failures - 1, 10)));
}

void EtcdWatcher::take(const QJsonObject &line)
{
    const QJsonObject result = line.value(QLatin1String("result")).toObject();
    const qint64 id = int64Of(result.value(QLatin1String("watch_id")));
    if (result.value(QLatin1String("canceled")).toBool() || line.contains(QLatin1String("error"))) {
        if (result.contains(QLatin1String("compact_revision"))) {
            m_lostUs = m_on ? m_toldUs : 0;
            m_why = {ErrorCode::NotFound, QStringLiteral("unsent changes were compacted"), {}};
            begin({});
            return;
        }
        const QString cause = result.value(QLatin1String("cancel_reason")).toString();
        const bool denied = cause.contains(QLatin1String("permission denied"));
        fail({denied ? ErrorCode::PermissionDenied : ErrorCode::Unknown,
              QStringLiteral("etcd has ended the watch: ") + base::displayText(cause),
              {}});
        return;
    }
    if (result.value(QLatin1String("created")).toBool()) {
        if (++m_created == m_sets.size())
            onCreated();
    } else if (id >= 1 && id <= m_sets.size()) {
        takeEvents(quint16(id - 1), result.value(QLatin1String("events")).toArray());
    }
}

void EtcdWatcher::onCreated()
{
    m_failures = 0;
    m_sinceEvent.start();
    m_dueTimer.start();
    m_checkTimer.start(int(kShortestPauseMs));
    if (!std::exchange(m_fresh, false))
        return;
    m_on = true;
    const quint64 run = m_run;
    Q_EMIT stateChanged({true, !m_resumed, std::exchange(m_why, {}), m_lostUs});
    if (m_resumed || run != m_run)
        return;
    Push before; // a scan that is under way may have read before the watch began
    before.everything = true;
    before.sinceUs = m_toldUs;
    Q_EMIT pushed(before);
}

void EtcdWatcher::takeEvents(quint16 set, const QJsonArray &events)
{
    const qint64 nowUs = m_clock.nowUs();
    WatchBatch batch;
    QList<KeyEvent> ofOne;
    const auto apply = [&] {
        if (ofOne.isEmpty())
            return;
        const qint64 fromUs = before(ofOne.constFirst().key.mod).atUs;
        for (const Turned &lock : m_mirrors[set].apply(ofOne)) {
            if (m_mirrors[set].revision() > m_toldBefore.at(set) && isMatched(set, lock.name))
                batch.locks.append({set, lock, nowUs, nowUs - fromUs});
        }
        ofOne.clear();
    };
    for (const QJsonValue &value : events) {
        const QJsonObject event = value.toObject();
        KeyEvent one{keyValueOf(event.value(QLatin1String("kv")).toObject()),
                     event.value(QLatin1String("type")).toString() == QLatin1String("DELETE")};
        if (!ofOne.isEmpty() && ofOne.constFirst().key.mod != one.key.mod)
            apply();
        ofOne.append(one);
    }
    apply();
    m_sinceEvent.start();
    if (m_checkTimer.isActive() && m_checkTimer.remainingTime() > kShortestPauseMs)
        m_checkTimer.start(int(kShortestPauseMs));
    const WatchPosition at = position();
    while (m_proofs.size() > 1 && m_proofs.at(1).revision <= at.first())
        m_proofs.removeFirst();
    batch.position = at.encoded();
    m_batches.push_back(batch);
    tell();
}

/** Sends the batches in order, each once its holders' leases are known. */
void EtcdWatcher::tell()
{
    while (!m_telling && !m_batches.empty()) {
        QSet<qint64> leases;
        for (const ChangedLock &told : std::as_const(m_batches.front().locks)) {
            if (told.lock.queue)
                leases.insert(told.lock.queue->keys.constFirst().lease);
            leases.insert(told.lock.before);
        }
        leases.remove(0);
        m_telling = true;
        readLeases(m_gateway, m_clock, m_leases, m_leases.due(leases, m_clock.nowUs()), [this, run = m_run] {
            if (run != m_run)
                return;
            m_telling = false;
            const WatchBatch batch = std::move(m_batches.front());
            m_batches.pop_front();
            send(batch);
            for (const auto &then : batch.then)
                then();
            if (run == m_run)
                tell();
        });
    }
}

void EtcdWatcher::send(const WatchBatch &batch)
{
    if (!m_on)
        return;
    Push push;
    push.position = batch.position;
    for (const ChangedLock &told : batch.locks) {
        Change change;
        change.timeUs = told.timeUs;
        change.windowUs = told.windowUs;
        change.deleted = m_leases.lasts(told.lock.before, told.timeUs);
        if (told.lock.queue) {
            change.lock = observationOf(*told.lock.queue, told.set);
            m_leases.date(change.lock, told.lock.queue->keys.constFirst().lease);
        } else {
            change.lock.set = told.set;
            change.lock.name = told.lock.name;
            change.lock.present = false;
        }
        push.changes.append(change);
    }
    if (push.changes.isEmpty())
        return;
    m_changed = true;
    Q_EMIT pushed(push);
}

void EtcdWatcher::check()
{
    if (m_checking || m_mirrors.empty())
        return;
    m_checking = true;
    const auto check = std::make_shared<RangeCheck>();
    check->took.start();
    check->left = m_sets.size();
    check->proof.atUs = m_clock.nowUs();
    for (qsizetype set = 0; set < m_sets.size(); ++set) {
        QJsonObject range = rangeOf(m_sets.at(set));
        const qint64 revision = m_mirrors[size_t(set)].revision();
        range.insert(QStringLiteral("min_mod_revision"), jsonOf(revision + 1));
        range.insert(QStringLiteral("limit"), QStringLiteral("1"));
        range.insert(QStringLiteral("keys_only"), true);
        m_gateway.ask("kv/range", range, [this, run = m_run, set, revision, check](const Answer &answer) {
            if (run != m_run)
                return;
            const KeyMirror &mirror = m_mirrors[size_t(set)];
            const qint64 answered = revisionOf(answer.body);
            if (check->proof.revision == 0 || answered < check->proof.revision)
                check->proof.revision = answered;
            const bool same =
                answer.keys.isEmpty() && int64Of(answer.body.value(QLatin1String("count"))) == mirror.size();
            const bool open = mirror.revision() != revision && mirror.revision() < answered;
            check->passed = check->passed && !answer.error && (same || mirror.revision() >= answered);
            check->open = check->open || (open && !answer.error);
            check->failed = check->failed || answer.error;
            // Linearizable: no member shows an older revision than the store had at the request.
            check->older = check->older || (!answer.error && answered > 0 && answered < revision);
            if (answer.error && answer.error->code == ErrorCode::Timeout)
                check->silence = answer.error;
            if (--check->left == 0)
                checked(*check);
        });
    }
}

void EtcdWatcher::checked(const RangeCheck &check)
{
    m_checking = false;
    if (check.silence) { // the watch over the same link could be silent for ever
        Q_EMIT silent(*check.silence);
        return;
    }
    m_times.waited(1'000 * std::max(check.took.elapsed(), m_behind.isValid() ? m_behind.elapsed() : 0),
                   m_clock.nowUs());
    if (check.older) { // a watch from a future revision is silent until then
        m_lostUs = m_on ? m_toldUs : 0;
        m_why = {ErrorCode::Protocol, QStringLiteral("etcd was restored to an earlier revision"), {}};
        ++m_rewinds;
        begin({});
        free(); // the awaited revisions may never come
        return;
    }
    if (!check.failed && check.proof.revision > 0)
        m_proofs.append(check.proof);
    if (check.open) { // events arrived in the meantime: the check proves nothing
        m_checkTimer.start(int(check.took.elapsed() * kChecksShare));
        return;
    }
    if (check.passed) {
        m_behind.invalidate();
        // Events of short-lived keys from before this proof may still be on their way, but they arrive
        // before the next proof.
        if (m_passed.revision > 0) {
            m_told = std::max(m_told, m_passed.revision);
            m_toldUs = m_passed.atUs;
        }
        m_passed = check.proof;
        auto ready = std::partition(m_waiting.begin(), m_waiting.end(), [&check](const auto &waiting) {
            return waiting.first > check.proof.revision;
        });
        std::vector<std::pair<qint64, std::function<void()>>> due(std::make_move_iterator(ready),
                                                                  std::make_move_iterator(m_waiting.end()));
        m_waiting.erase(ready, m_waiting.end());
        for (auto &[revision, then] : due) {
            if (m_batches.empty())
                then();
            else // the awaited change may still be queued, for its holder's lease
                m_batches.back().then.push_back(std::move(then));
        }
        if (m_on && m_batches.empty())
            Q_EMIT seen(m_toldUs);
    } else if (!m_behind.isValid()) {
        m_behind.start();
    } else if (m_behind.elapsed() > kMostBehindMs) {
        m_lostUs = m_on ? m_toldUs : 0;
        m_why = {ErrorCode::Protocol, QStringLiteral("the watch didn't report a write"), {}};
        begin({});
        return;
    }
    const qint64 pause = std::clamp(m_sinceEvent.elapsed() / 10, kShortestPauseMs, kLongestPauseMs);
    m_checkTimer.start(int(std::max(pause, check.took.elapsed() * kChecksShare)));
}

std::optional<QList<QList<Queue>>> EtcdWatcher::changedQueues()
{
    if (!std::exchange(m_changed, false))
        return std::nullopt;
    QList<QList<Queue>> sets;
    for (size_t set = 0; set < m_mirrors.size(); ++set) {
        sets.append(m_mirrors[set].queues());
        sets.last().removeIf(
            [this, set](const Queue &queue) { return !isMatched(quint16(set), queue.name); });
    }
    return sets;
}

void EtcdWatcher::whenTold(qint64 revision, std::function<void()> then)
{
    if (!m_on) {
        then();
        return;
    }
    m_waiting.emplace_back(revision, std::move(then));
    m_checkTimer.start(0);
}

/** Reads again the locks of leases that may have been renewed. */
void EtcdWatcher::readDue()
{
    const QList<qint64> due = m_leases.due(m_clock.nowUs());
    if (!m_on || due.isEmpty())
        return;
    const QSet<qint64> leases(due.begin(), due.end());
    QSet<qint64> ended = leases; // no holder uses them any more
    for (size_t set = 0; set < m_mirrors.size(); ++set) {
        QList<QByteArray> names;
        for (const Queue &queue : m_mirrors[set].heldBy(leases)) {
            if (!isMatched(quint16(set), queue.name))
                continue;
            names.append(queue.name);
            ended.remove(queue.keys.constFirst().lease);
        }
        if (!names.isEmpty())
            readAgain(quint16(set), names);
    }
    m_leases.drop(ended);
}

/** Reports an unchanged holder as seen again, with the present deadline of its lease. */
void EtcdWatcher::readAgain(quint16 set, const QList<QByteArray> &names)
{
    QList<KeyRange> ranges;
    for (const QByteArray &name : names)
        ranges += rangesOf(name);
    m_dueTimer.stop(); // until these are read
    const auto read = [this, run = m_run, set, names](const RangeReading &reading) {
        if (run != m_run)
            return;
        if (reading.whole()) {
            m_dueTimer.start();
            return;
        }
        QList<Queue> queues;
        QSet<qint64> leases;
        for (qsizetype i = 0; i < names.size(); ++i) {
            if (const auto queue =
                    queueNamed(names.at(i), reading.keys.at(2 * i) + reading.keys.at(2 * i + 1))) {
                queues.append(*queue);
                leases.insert(queue->keys.constFirst().lease);
            }
        }
        readLeases(m_gateway, m_clock, m_leases, leases.values(), [this, run, set, queues, reading] {
            if (run != m_run || !m_on)
                return;
            m_dueTimer.start();
            Push push;
            push.position = position().encoded();
            for (const Queue &queue : queues) {
                if (!m_mirrors[set].isHeldAs(queue) || !m_batches.empty())
                    continue; // a change is on its way
                Change change;
                change.timeUs = m_clock.nowUs();
                change.windowUs = change.timeUs - reading.beganUs;
                change.lock = observationOf(queue, set);
                m_leases.date(change.lock, queue.keys.constFirst().lease);
                push.changes.append(change);
            }
            if (!push.changes.isEmpty())
                Q_EMIT pushed(push);
        });
    };
    readRanges(m_gateway, m_clock, ranges, m_spec.pageSize, read);
}

/** The last known proof from before a change of this revision. */
EtcdWatcher::Proof EtcdWatcher::before(qint64 revision) const
{
    Proof found = m_proofs.constFirst();
    for (const Proof &proof : m_proofs) {
        if (proof.revision < revision)
            found = proof;
    }
    return found;
}

WatchPosition EtcdWatcher::position() const
{
    WatchPosition position{m_cluster, {}, 0};
    for (size_t set = 0; set < m_mirrors.size(); ++set)
        position.revisions.append(
            std::max({m_mirrors[set].revision(), m_told, m_toldBefore.at(qsizetype(set))}));
    position.sinceUs = before(position.first() + 1).atUs;
    return position;
}

bool EtcdWatcher::isMatched(quint16 set, const QByteArray &name) const
{
    return base::globMatches(m_spec.locks.at(set).match, name);
}

} // namespace lockkeeper::stores::etcd
