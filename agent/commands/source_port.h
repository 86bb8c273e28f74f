// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/domain/source_state.h"
#include "shared/stores/store.h"

#include <QList>

#include <functional>
#include <optional>

namespace lockkeeper::agent::commands {

/**
 * What commands and sessions may ask of a source that is being observed: the seam between them and the
 * runner. Lives in the main thread. A callback is called exactly once, at the latest after the stated limit;
 * when the source is taken away before, its end answers (an order that was sent: unknown).
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
    /** Every lock, in slices: the next `count` places from `place` on (first 0), which is kNoPlace after the
     * last. */
    virtual QList<domain::LockState> locksFrom(quint32 &place, quint32 count) const = 0;
    static constexpr quint32 kNoPlace = ~quint32(0);
    virtual std::optional<domain::LockState> lock(const domain::LockKey &key) const = 0;
    /** Where to read `key`, also where the lock isn't in the table; empty: no lock set of this source fits.
     */
    virtual std::optional<stores::Subject> subjectFor(const domain::LockKey &key) const = 0;
    virtual domain::LockState stateOf(const stores::Inspection &inspection) const = 0;
    /** Who waits for whom, as the last scan of this link read it; empty where the source shows none. */
    virtual std::optional<domain::WaitGraph> waitGraph() const { return std::nullopt; }
    /** Numbers the connection: another number means that the link was lost in between; 0: it is down now. */
    virtual quint64 link() const = 0;

    /** Why a client has the store read: to look at it, within the source's limit of readings, or to act on
     * it, at once. */
    enum class Purpose : quint8 { Look, Act };

    /** One fresh reading; an Inspection with an error after 5 s. */
    virtual void inspect(Purpose purpose, const stores::Subject &subject,
                         std::function<void(const stores::Inspection &)> done) = 0;
    /** The guarded operation; a report of `unknown` (Timeout) after 15 s. */
    virtual void release(const stores::ReleaseOrder &order,
                         std::function<void(const stores::ReleaseReport &)> done) = 0;
    /** Tells the engine whose doing the end of this acquisition will be. */
    virtual void releasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                                   const QByteArray &command) = 0;
    /** The same where the answer was lost: nobody can tell from the end alone. */
    virtual void maybeReleasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                                        const QByteArray &command) = 0;
    /** Reads a lock soon, to bring its event. */
    virtual void readPoint(const stores::Subject &subject) = 0;
    /** Counts what the store's clients attempt; answered some seconds after its time at the latest. `held` of
     * the order is filled in here. */
    virtual void probe(const stores::ProbeOrder &, std::function<void(const stores::ProbeReport &)> done)
    {
        stores::ProbeReport report;
        report.error =
            base::Error{base::ErrorCode::Unsupported, QStringLiteral("this source can't be probed"), {}};
        done(report);
    }
    /** A scan, as soon as the source's limit of readings allows it; done when it has ended, or with an error
     * after 30 s. To look, one will do that began at most poll_ms ago. */
    virtual void readNow(Purpose purpose, std::function<void(const base::Result<void> &)> done) = 0;
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
    /** Null where no source has that name. */
    virtual SourcePort *source(const QString &name) const = 0;
};

} // namespace lockkeeper::agent::commands
