// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/finding.h"
#include "shared/domain/node.h"
#include "shared/domain/probe.h"
#include "shared/domain/release.h"
#include "shared/domain/source_state.h"
#include "shared/domain/wait_graph.h"
#include "shared/stores/source_spec.h"

#include <QHash>
#include <QObject>

#include <functional>
#include <memory>
#include <utility>

namespace lockkeeper::stores {

/** The address of one lock of a source: `set` is the index in SourceSpec::locks. */
struct Subject
{
    quint16 set = 0;
    QByteArray name;

    bool operator==(const Subject &) const = default;
};

size_t qHash(const Subject &subject, size_t seed = 0) noexcept;

/**
 * The locks of one set may have different places: the place of a table's row lock contains its index. The
 * set's place then ends with '/' ("app.jobs/"), and Subject::name begins with the rest of the lock's place
 * and another '/' ("PRIMARY/17" is the lock "17" at "app.jobs/PRIMARY").
 */
domain::LockKey keyOf(const QString &source, const QByteArray &scheme, const QByteArray &setPlace,
                      QByteArrayView subjectName);
/** The inverse; empty where the key isn't of a set at this place. */
std::optional<QByteArray> subjectNameOf(const QByteArray &setPlace, const domain::LockKey &key);
/** The place of the set that a lock of `scheme` at `place` belongs to. */
QByteArray setPlaceOf(QByteArrayView scheme, const QByteArray &place);

/** At most this many bytes of a value are read, … */
inline constexpr qsizetype kLongestValue = 64 * 1024;
/** … and this many bytes of a longer value are kept for display. */
inline constexpr qsizetype kShownOfLongValue = 1024;

/** Why an observation can't be read as its scheme says. */
enum class Flaw : quint8 {
    None = 0,
    Truncated,    ///< the value is longer than 64 KiB: only its beginning was read
    WrongType,    ///< the key holds another type
    NullIdentity, ///< the holder or the token is NULL
    BadTime,      ///< a time that makes no sense
    Malformed,
    /** For a lock kept on several servers: too many of them can't be asked. It may be held or free, and its
     * holder isn't known. This ends no hold and begins none; `identity` is the likeliest holder. */
    Indeterminate,
};

/** One lock as the store showed it. Times by the store's clock, microseconds since the epoch. */
struct Observation
{
    quint16 set = 0;
    bool present = true; ///< false (in answers to readPoints() only): no such key or row
    bool held = false;   ///< false with present: a row that stays while the lock isn't held
    bool ownerKnown = true;
    Flaw flaw = Flaw::None;
    domain::ExpiryKind expiry = domain::ExpiryKind::Unknown;
    domain::Evidence expiresBy = domain::Evidence::None;
    QByteArray name;
    QByteArray owner;
    QByteArray token;
    QByteArray identity; ///< see domain::Guard; empty: nothing to guard with
    QByteArray freshness;
    /** The store makes a new identity for every acquisition (a row's own id, a create revision). Otherwise a
     * client's next hold may have the same one, and a guard pins the deadline too. */
    bool ownIdentity = false;
    /** The identity has the time of the acquisition, or the id of a document made for it: it needs no
     * deadline beside it. */
    bool dated = false;
    quint32 pinStepUs = 1'000; ///< a guard distinguishes holds that are further apart than this by their time
    domain::TimeUs acquiredUs; ///< from a column or the server, where known …
    qint64 acquiredWindowUs = 0; ///< … in [acquiredUs − this, acquiredUs]; the engine narrows it no further
    qint64 expiresUs = 0;        ///< meaningful with expiry At: not before this …
    qint64 expirySlackUs = 0;    ///< … and at most this much later (0: exact)
    qint64 expiryNoiseUs = 0;    ///< the most by which two readings of one deadline may differ
    /** The resolution of the column of `acquiredUs`. Where the server rounds, the acquisition was up to half
     * a step earlier. Where the server or the client truncates, it was less than a step later. 1: exact. */
    quint32 acquiredStepUs = 1;
    quint32 expiresStepUs = 1; ///< the same for the deadline's column, where a release writes it
    quint32 depth = 0;
    bool optimistic = false; ///< nobody holds it: `fencing` is a version
    /** Others remove it once its deadline has passed: if it disappears after that, it had expired. With Ttl
     * the store itself removes it some time after the deadline, and the lock is held until then. */
    bool reclaimed = false;
    bool waitersVisible = false;                    ///< `waiters` lists every waiter
    std::optional<quint32> waiting;                 ///< number of waiters, where only the number is known
    QByteArray mode;                                ///< "read" or "write" of a read-write lock
    QByteArray fencing;                             ///< a version or fencing token, as text
    QList<domain::Waiter> waiters;                  ///< in the order of their turn
    std::shared_ptr<const domain::Session> session; ///< the holder's connection; null: none
    QList<domain::NodeView> nodes;                  ///< of a lock kept on several servers: what each holds
    /** Nobody holds it any more. As far as the store knows, servers forgot it (a restart); it wasn't
     * released. */
    bool lost = false;
    /** The store's server that showed it, where each server has its own clock: this alone makes the deadlines
     * that two servers show differ. 0: the store has one clock. */
    quint16 server = 0;
    domain::ReleaseOff off = domain::ReleaseOff::None; ///< why it can't be broken, beside its flaw

    bool operator==(const Observation &) const = default;
};

/** Observations made together. All of them hold at some time in [beganUs, endedUs] of the store's clock. */
struct Page
{
    qint64 beganUs = 0;
    qint64 endedUs = 0;
    QList<Observation> locks;
};

/** The end of a scan. `complete`: every lock that existed throughout the scan was in a page. */
struct ScanEnd
{
    bool complete = false;
    qint64 beganUs = 0;
    qint64 endedUs = 0;
    qint64 scanned = 0; ///< keys or rows that were examined
    base::Error error;  ///< where not complete
    /** For a complete scan over a store in parts: false for a lock whose part couldn't be read, so that its
     * absence proves nothing. Null: every lock was covered. Pure. */
    std::function<bool(const Subject &)> covers = {};
    /** Sets (indices in SourceSpec::locks) of which only held locks were read. Each of their locks that
     * wasn't in a page was free at one moment in [beganUs, endedUs]. The scan says nothing about a
     * row that was free already. */
    QList<quint16> heldOnly = {};
};

/** One change that the store itself reported. */
struct Change
{
    Observation lock;    ///< `present` false: deleted
    qint64 timeUs = 0;   ///< by the store's clock: it happened in [timeUs − windowUs, timeUs]
    qint64 windowUs = 0; ///< 0: exact
    /** The number of further changes of this lock that were reported together with this change; only the last
     * state could be read. 0: this is the only change. */
    quint32 coalesced = 0;
    /** `lock` is absent, but it existed unread for some time in the window: a hold began and ended. */
    bool unseen = false;
    /** The store reported that the lock expired. */
    bool expired = false;
    /** The store reported its deletion. With neither flag, the store didn't report how it ended.
     */
    bool deleted = false;
};

/** Changes in the store's own order. */
struct Push
{
    QList<Change> changes;
    QByteArray position; ///< where to resume after these; the store's own encoding, empty: nowhere
    /** Everything may have changed in one go (FLUSHDB): only a scan shows the current locks. No change was
     * missed. */
    bool everything = false;
    qint64 sinceUs = 0; ///< with `everything`: these changes happened after this; the store's clock
};

/** The state of a store's change notifications. */
struct PushState
{
    bool on = false;
    bool blind = false; ///< changes may have been missed since the last one: only a scan shows the locks
    base::Error why;    ///< while off, or blind: the cause; code Unknown and no cause: not asked for
    /** With `blind`: every change up to this time of the store's clock was reported; 0: use the last page. */
    qint64 toldUntilUs = 0;
};

/** One of the independent servers behind a source, as its connection found it. */
struct NodeInfo
{
    QByteArray address;
    bool up = false;
    QString server; ///< product and version; empty: it was never up
    bool readOnly = false;
    base::Error error;             ///< why it is down
    QList<domain::Access> missing; ///< what it doesn't grant

    bool operator==(const NodeInfo &) const = default;
};

/** Where a server stands in the history of its data, and its possible distance behind its primary. */
struct Standing
{
    QByteArray server; ///< names the server alone; empty: not known
    QByteArray line;   ///< names the data; other data may lack what was seen, or have what was gone
    QByteArray branch; ///< of those data; empty: not known, or no matter
    QHash<QByteArray, quint64> reached; ///< each only grows along one history
    bool replica = false;               ///< it repeats what another server writes …
    bool stalled = false;               ///< … and doesn't at present
    /** For a replica: it shows its primary's data as of this time or later. Empty: not known. */
    std::optional<qint64> asOfUs = {};

    /** True where `later` may lack what was seen at `this`. Unknown parts say nothing. */
    bool mayHaveLost(const Standing &later) const;
    bool operator==(const Standing &) const = default;
};

/** The server's properties as a connection found them at its start. */
struct ServerInfo
{
    QByteArray store;         ///< "redis", "mysql"
    QString server;           ///< product and version
    QByteArray instance;      ///< changes when the server is restarted
    QList<QByteArray> places; ///< by lock set: "db0", "app.shedlock"
    QList<domain::Access> access;
    bool readOnly = false; ///< a replica: observes, can't break
    /** `instance` changed because another server took over; false: because the server restarted. */
    bool failover = false;
    base::Error warning;        ///< something that limits what can be seen; code Unknown and no cause: none
    QList<NodeInfo> nodes = {}; ///< of a source of several independent servers
    /** For a cluster: the instance that has this lock, for its guard. Null: `instance`. */
    std::function<QByteArray(const Subject &)> instanceOf = {};
    Standing standing = {};
};

/** A store of several servers lost sight of one of them, or sees it again; the others continued. */
struct ShardState
{
    QByteArray node; ///< its address, or another name for it
    QString ranges;  ///< of the locks that it has, in the store's words ("0-5460")
    bool up = false;
    bool restarted = false;                     ///< with `up`: it isn't the same run as before
    bool failover = false;                      ///< with `restarted`: another server took its place
    base::Error error;                          ///< while down
    std::function<bool(const Subject &)> holds; ///< whether it has, or had, a lock
    /** Not a server, but locks that are moving from one server to another. Scans show them as always; none of
     * their changes are pushed while it isn't up. */
    bool polled = false;
};

/** A single fresh reading, with the guard that a release would carry. */
struct Inspection
{
    Observation lock;
    qint64 storeUs = 0;
    domain::Guard guard;
    std::optional<base::Error> error;
    domain::Companions companions = {};
    /** SQL: the texts that a break writes into columns as the table's free rows have them, by the mapping's
     * key; null: NULL. */
    QHash<QByteArray, QByteArray> freeTexts = {};
};

/** A lock to release, and the guard for it. */
struct ReleaseOrder
{
    QByteArray command; ///< id: kept for the log, never interpreted
    quint16 set = 0;
    domain::Guard guard;
    bool checkFreshness = false; ///< compare the exact deadline too, in the same operation
    bool mustBeExpired = false;  ///< the store's clock must be past the deadline, in the same operation
    bool dryRun = false;         ///< check everything, write nothing
};

struct ReleaseReport
{
    domain::Outcome outcome = domain::Outcome::Unknown;
    std::optional<qint64> storeUs;
    base::Error error; ///< the cause of refused, unreachable and unknown; or "not replicated" with released
    bool replicated = true; ///< false: the store's replicas haven't confirmed the release in time
    QList<domain::NodeOutcome> nodes = {}; ///< of a lock kept on several servers: its outcome on each
    bool underWay =
        false; ///< with Unknown: the store accepted the command, but its end hasn't been observed yet
};

base::Error noSuchSet();
base::Error closedError();
/** The inspection of a lock that wasn't read, with the reason. */
Inspection absent(const Subject &subject, std::optional<base::Error> why = {});
ReleaseReport reportOf(domain::Outcome outcome, const base::Error &error = {});

/** Cost limits for a bounded look at the commands of a store's clients. */
struct ProbeOrder
{
    qint64 forUs = 2'000'000;
    qint64 mostCommands = 100'000; ///< it ends after this many
};

using domain::ProbeCount;
using domain::ProbeEnd;

struct ProbeReport
{
    qint64 beganUs = 0; ///< the store's clock; 0: nothing passed by
    qint64 endedUs = 0;
    qint64 commands = 0;   ///< that passed by
    qint64 unreadable = 0; ///< of them
    ProbeEnd end = ProbeEnd::Time;
    QList<ProbeCount> counts; ///< the most attempts first
    qint64 leftOut = 0;       ///< counts past the first 10,000
    std::optional<base::Error> error;
};

/**
 * The agent's connection to one store: observes and breaks locks. It lives in the thread that made it and
 * answers there; an implementation with a blocking driver has an internal thread. It doesn't reconnect by
 * itself: after failed() the owner decides when to open() again. An error means "the store wasn't reachable",
 * never "everything was released".
 *
 * Every request takes a completion; signals carry what the store reports unasked. A completion is called
 * exactly once, in the store's thread and never from within the call that made the request. This also holds
 * after close() and when the link breaks: a release under way then ends as unknown, a release that wasn't
 * sent as unreachable. Only a destroyed store doesn't call its completions any more. A caller that may be
 * destroyed first makes sure that its completion then does nothing.
 *
 * At most one scan is under way at a time; readPoints(), inspect() and release() may be called at any time.
 */
class Store : public QObject
{
    Q_OBJECT

public:
    using PageTaken = std::function<void(const Page &)>;
    using ScanEnded = std::function<void(const ScanEnd &)>;
    using PointsRead = std::function<void()>;
    using Inspected = std::function<void(const Inspection &)>;
    using Released = std::function<void(const ReleaseReport &)>;
    using Probed = std::function<void(const ProbeReport &)>;

    using QObject::QObject;

    /** Connects, checks catalogue and rights; answers opened() or failed(). */
    virtual void open() = 0;
    /** Ends the connection; pending requests are answered as above. No failed() follows. */
    virtual void close() = 0;
    /** Reads every lock of every set. `page` gets each page as soon as it was read, in order with the pushed
     * changes. `done` is called last, after the changes from before the scan's end. */
    virtual void scan(PageTaken page, ScanEnded done) = 0;
    /**
     * Reads these locks now: one observation for each, absent locks too; unreadable locks are left out.
     * `page` and `done` as for scan(). A running scan continues.
     */
    virtual void readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done) = 0;
    /** Reads one lock with its exact deadline. */
    virtual void inspect(const Subject &subject, Inspected done) = 0;
    /** The one guarded, atomic operation. Never sent twice. If the link ends first, a release under way is
     * unknown, and a release that wasn't sent is unreachable. */
    virtual void release(const ReleaseOrder &order, Released done) = 0;
    /** Call before open(): the position where the pushed and journalled changes ended. Stores without push
     * ignore it. */
    virtual void resumeAfter(const QByteArray &position) { Q_UNUSED(position) }
    /**
     * A paused scan reads no further page. Pages already requested still arrive, each with the bracket of
     * when it was read; once resumed, the scan continues where it was. Pushed changes, readPoints(),
     * inspect() and release() aren't held. close() and open() don't change the setting. Stores whose scans
     * are short may ignore it.
     */
    virtual void setPaused(bool paused) { Q_UNUSED(paused) }
    /** How often the store reads everything where a part is otherwise enough; applies from the next scan on.
     * Stores that always read everything ignore it. */
    virtual void setReconcileMs(qint64 ms) { Q_UNUSED(ms) }
    /** Counts what clients attempt, at a cost for the store. By default: Unsupported. */
    virtual void probe(const ProbeOrder &order, Probed done);

Q_SIGNALS:
    void opened(const lockkeeper::stores::ServerInfo &info);
    /** The link is lost, or couldn't be established. `isTransient(error.code)` is true where waiting may
     * help. */
    void failed(const lockkeeper::base::Error &error);
    /** An unrequested page: the locks that were read after a notification, or, without locks, the time up to
     * which every change was reported. */
    void pageTold(const lockkeeper::stores::Page &page);
    /** Changes, while push is on. Scans continue meanwhile and prove that nothing was missed. */
    void pushed(const lockkeeper::stores::Push &push);
    void pushStateChanged(const lockkeeper::stores::PushState &state);
    /** Only between opened() and failed(). */
    void shardChanged(const lockkeeper::stores::ShardState &part);
    /** The server's present standing; everything read from now on is no older. */
    void standingRead(const lockkeeper::stores::Standing &standing);
    /** The graph of waiters and holders, once a scan, from stores whose locks belong to sessions. */
    void waitGraphRead(const lockkeeper::domain::WaitGraph &graph);
    /** All visible dangers to the locks of this store; each signal carries the complete list. */
    void findingsRead(const QList<lockkeeper::domain::Finding> &findings);

protected:
    /** Answers that need nothing from a server still arrive only after the call has returned. */
    template <typename Call> void later(Call call)
    {
        QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
    }
};

} // namespace lockkeeper::stores
