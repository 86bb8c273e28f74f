// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/domain/source_state.h"
#include "shared/stores/store.h"

#include <QList>

#include <functional>
#include <optional>

namespace lockkeeper::agent::release {

/**
 * The interface between an observed source's runner and the commands and sessions that use the source. Lives
 * in the main thread. A callback is called exactly once, at the latest after the stated limit. If the source
 * is removed before, its end answers; an order that was sent counts as unknown.
 */
class SourcePort
{
public:
    SourcePort() = default;
    SourcePort(const SourcePort &) = delete;
    SourcePort &operator=(const SourcePort &) = delete;
    virtual ~SourcePort() = default;

    virtual const stores::SourceSpec &spec() const = 0;
    virtual domain::SourceState state() const = 0;
    /** All locks, in slices: returns the next `count` places from `place` (first 0). Sets `place` to kNoPlace
     * after the last. */
    virtual QList<domain::LockState> locksFrom(quint32 &place, quint32 count) const = 0;
    static constexpr quint32 kNoPlace = ~quint32(0);
    virtual std::optional<domain::LockState> lock(const domain::LockKey &key) const = 0;
    /** Where to read `key`, even if the lock isn't in the table. Empty: no lock set of this source matches.
     */
    virtual std::optional<stores::Subject> subjectFor(const domain::LockKey &key) const = 0;
    virtual domain::LockState stateOf(const stores::Inspection &inspection) const = 0;
    /** The graph of waits, from the last scan over this link; empty if the source shows none. */
    virtual std::optional<domain::WaitGraph> waitGraph() const { return std::nullopt; }
    /** The number of the connection. A different number means that the link was lost in between; 0: it is
     * down now. */
    virtual quint64 link() const = 0;

    /** Why a client wants a reading: to look, within the source's limit of readings, or to act, at once. */
    enum class ReadingPurpose : quint8 { Look, Act };
    struct Caller
    {
        ReadingPurpose purpose = ReadingPurpose::Act;
        quintptr session = 0; ///< sessions that look take turns; 0: the agent itself
    };

    /** Makes one fresh reading; after 5 s, returns an Inspection with an error. */
    virtual void inspect(const Caller &caller, const stores::Subject &subject,
                         std::function<void(const stores::Inspection &)> done) = 0;
    /** Runs the guarded operation; after 15 s, reports `unknown` (Timeout). */
    virtual void release(const stores::ReleaseOrder &order,
                         std::function<void(const stores::ReleaseReport &)> done) = 0;
    /** Notifies the engine that this command ends this acquisition. */
    virtual void releasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                                   const QByteArray &command) = 0;
    /** The same if the answer was lost: the end alone doesn't show what caused it. */
    virtual void maybeReleasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                                        const QByteArray &command) = 0;
    /** A liveness probe found the holder of this acquisition dead, or alive. */
    virtual void holderChecked(const domain::LockKey &, const QByteArray & /*guard*/, bool /*isGone*/) {}
    /** Reads a lock soon, so that its event is published. */
    virtual void readPoint(const stores::Subject &subject) = 0;
    /** Counts the attempts of the store's clients; answers at most some seconds after the probe's time. */
    virtual void probe(const stores::ProbeOrder &, std::function<void(const stores::ProbeReport &)> done)
    {
        stores::ProbeReport report;
        report.error =
            base::Error{base::ErrorCode::Unsupported, QStringLiteral("this source can't be probed"), {}};
        done(report);
    }
    /** Scans as soon as the source's limit of readings allows it. Calls `done` when the scan has ended, or
     * with an error after 30 s. For Purpose::Look a scan is enough that began at most poll_ms ago. */
    virtual void readNow(ReadingPurpose purpose, std::function<void(const base::Result<void> &)> done) = 0;
};

/** The sources that are being observed now. */
class SourceDirectory
{
public:
    SourceDirectory() = default;
    SourceDirectory(const SourceDirectory &) = delete;
    SourceDirectory &operator=(const SourceDirectory &) = delete;
    virtual ~SourceDirectory() = default;

    virtual QList<SourcePort *> sources() const = 0;
    /** Null if no source has that name. */
    virtual SourcePort *source(const QString &name) const = 0;
};

} // namespace lockkeeper::agent::release
