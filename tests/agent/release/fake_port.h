// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_log.h"
#include "agent/release/source_port.h"

#include <vector>

namespace lockkeeper::tests {

/** A source with one lock. A test decides each of its answers. It compares guards as a store does. */
class FakePort final : public agent::release::SourcePort
{
public:
    FakePort()
    {
        m_spec.name = QStringLiteral("orders");
        m_spec.url = QUrl(QStringLiteral("redis://127.0.0.1/0"));
        stores::LockSet set;
        set.scheme = "redis.token";
        m_spec.locks.append(set);
        key = {QStringLiteral("orders"), "redis.token", "db0", "lock:a"};
    }

    const stores::SourceSpec &spec() const override { return m_spec; }
    domain::SourceState state() const override
    {
        domain::SourceState state = source;
        state.name = m_spec.name;
        return state;
    }
    QList<domain::LockState> locksFrom(quint32 &place, quint32 count) const override
    {
        QList<domain::LockState> some;
        for (; count > 0 && place < quint32(places.size()); --count, ++place) {
            if (const auto &state = places.at(place))
                some.append(*state);
        }
        if (place >= quint32(places.size()))
            place = kNoPlace;
        return some;
    }
    std::optional<domain::LockState> lock(const domain::LockKey &asked) const override
    {
        return live || !placeOf.contains(asked) ? live : places.at(placeOf.value(asked));
    }
    /** Changes the table as an engine's does: a lock keeps its place, and a free place is used again. */
    void put(const domain::LockState &state)
    {
        if (!placeOf.contains(state.key)) {
            if (freePlaces.isEmpty()) {
                freePlaces.append(places.size());
                places.emplace_back();
            }
            placeOf.insert(state.key, freePlaces.takeLast());
        }
        places[placeOf.value(state.key)] = state;
    }
    void take(const domain::LockKey &gone)
    {
        if (!placeOf.contains(gone))
            return;
        freePlaces.append(placeOf.take(gone));
        places[freePlaces.constLast()].reset();
    }
    std::optional<stores::Subject> subjectFor(const domain::LockKey &asked) const override
    {
        if (asked.place != key.place || asked.scheme != key.scheme)
            return std::nullopt;
        return stores::Subject{0, asked.name};
    }
    domain::LockState stateOf(const stores::Inspection &read) const override
    {
        domain::LockState s;
        s.key = read.guard.key;
        s.phase = read.lock.present ? phase : domain::Phase::Free;
        s.owner = read.lock.owner;
        domain::Guard guard = read.guard;
        guard.pin = pin;
        s.guard = guard.digest();
        s.pinsDeadline = pinsDeadline;
        s.release = capability;
        s.stuck = stuck;
        s.expiresUs = expiresUs;
        return s;
    }
    quint64 link() const override { return linkNumber; }

    void inspect(const Caller &, const stores::Subject &,
                 std::function<void(const stores::Inspection &)> done) override
    {
        ++inspections;
        stores::Inspection read;
        read.error = inspectError;
        read.lock.present = present;
        read.lock.held = present;
        read.lock.owner = owner;
        read.guard = {key, "run-1", identity, freshness};
        read.storeUs = storeUs;
        done(read);
    }
    void release(const stores::ReleaseOrder &order,
                 std::function<void(const stores::ReleaseReport &)> done) override
    {
        orders.append(order);
        stores::ReleaseReport report = forced.value_or(compare(order));
        if (report.outcome == domain::Outcome::Released && !order.dryRun) {
            present = false;
            ++writes;
        }
        if (holdAnswers)
            held.push_back([done, report] { done(report); });
        else
            done(report);
    }
    void releasedByCommand(const domain::LockKey &, const QByteArray &, const QByteArray &command) override
    {
        attributed.append(command);
    }
    void maybeReleasedByCommand(const domain::LockKey &, const QByteArray &,
                                const QByteArray &command) override
    {
        perhaps.append(command);
    }
    void holderChecked(const domain::LockKey &, const QByteArray &guard, bool isGone) override
    {
        marks.append({guard, isGone});
    }
    void readPoint(const stores::Subject &) override { ++looks; }
    void probe(const stores::ProbeOrder &order,
               std::function<void(const stores::ProbeReport &)> done) override
    {
        probes.append(order);
        held.push_back([this, done] { done(probeReport); });
    }
    void readNow(ReadingPurpose, std::function<void(const base::Result<void> &)> done) override { done({}); }

    void answerHeld()
    {
        for (const auto &answer : std::exchange(held, {}))
            answer();
    }

    stores::SourceSpec m_spec;
    domain::SourceState source;
    QList<std::optional<domain::LockState>> places;
    QHash<domain::LockKey, qsizetype> placeOf;
    QList<qsizetype> freePlaces;
    domain::LockKey key;
    domain::Phase phase = domain::Phase::Held;
    domain::StuckReason stuck = domain::StuckReason::None;
    domain::ReleaseCapability capability{domain::ReleaseSafety::Guarded, domain::ReleaseOff::None};
    bool present = true;
    QByteArray owner = "alice";
    QByteArray identity = "alice#1";
    QByteArray freshness = "deadline-1";
    QByteArray pin;            ///< the part of digests that only the agent knows
    bool pinsDeadline = false; ///< of the states that it shows
    domain::TimeUs expiresUs;
    qint64 storeUs = 0;
    quint64 linkNumber = 1;
    std::optional<base::Error> inspectError;
    std::optional<domain::LockState> live;
    std::optional<stores::ReleaseReport> forced;
    bool holdAnswers = false;
    QList<stores::ReleaseOrder> orders;
    QList<stores::ProbeOrder> probes; ///< answered by answerHeld()
    stores::ProbeReport probeReport;
    QList<QByteArray> attributed;
    QList<QByteArray> perhaps;                ///< releases whose answer was lost
    QList<std::pair<QByteArray, bool>> marks; ///< guards of holders that a probe found gone, or not
    int inspections = 0;
    int looks = 0;
    int writes = 0;
    std::vector<std::function<void()>> held;

private:
    stores::ReleaseReport compare(const stores::ReleaseOrder &order) const
    {
        stores::ReleaseReport report;
        if (!present)
            report.outcome = domain::Outcome::AlreadyFree;
        else if (order.guard.identity != identity ||
                 (order.checkFreshness && order.guard.freshness != freshness))
            report.outcome = domain::Outcome::HolderChanged;
        else
            report.outcome = domain::Outcome::Released;
        return report;
    }
};

/** One source or none. */
class FakeDirectory final : public agent::release::SourceDirectory
{
public:
    QList<agent::release::SourcePort *> sources() const override
    {
        return port ? QList<agent::release::SourcePort *>{port} : QList<agent::release::SourcePort *>{};
    }
    agent::release::SourcePort *source(const QString &name) const override
    {
        return port && port->spec().name == name ? port : nullptr;
    }

    agent::release::SourcePort *port = nullptr;
};

/** An audit in memory that can be made to fail, before or after the act; it keeps no late outcomes by itself.
 */
class FakeAudit final : public agent::journal::AuditLog
{
public:
    void writeIntent(const domain::AuditEntry &intent,
                     std::function<void(base::Result<agent::journal::ReleaseIntent>)> done) override
    {
        if (beforeBegin)
            beforeBegin();
        if (failBegin) {
            done(base::failure(base::ErrorCode::Storage, QStringLiteral("disk full")));
            return;
        }
        for (const domain::AuditEntry &entry : entries) {
            if (entry.command == intent.command) {
                done(agent::journal::ReleaseIntent{entry.id, entry});
                return;
            }
        }
        entries.append(intent);
        entries.last().id = entries.size();
        done(agent::journal::ReleaseIntent{entries.last().id, std::nullopt});
    }
    void writeDecision(qint64 id, const QString &approver, domain::Outcome outcome, const QString &detail,
                       Done done) override
    {
        if (failDecide) {
            done(base::failure(base::ErrorCode::Storage, QStringLiteral("disk full")));
            return;
        }
        entries[id - 1].approver = approver;
        entries[id - 1].outcome = outcome;
        entries[id - 1].detail = detail;
        done({});
    }
    void writeOutcome(qint64 id, domain::Outcome outcome, const QString &detail, Done done) override
    {
        if (failEnd) {
            done(base::failure(base::ErrorCode::Storage, QStringLiteral("disk full")));
            return;
        }
        ++outcomes;
        entries[id - 1].outcome = outcome;
        entries[id - 1].detail = detail;
        done({});
    }

    std::function<void()> beforeBegin; ///< called while an intent is being written
    bool failBegin = false;
    bool failEnd = false;
    bool failDecide = false;
    int outcomes = 0;
    QList<domain::AuditEntry> entries;
};

} // namespace lockkeeper::tests
