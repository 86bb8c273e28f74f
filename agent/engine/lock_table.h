// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/change_rate.h"
#include "shared/stores/store.h"

#include <array>
#include <limits>
#include <memory>
#include <vector>

namespace lockkeeper::agent::engine {

/** No deadline. */
inline constexpr qint64 kNever = std::numeric_limits<qint64>::max();

/** A moment between two readings of the store's clock, in microseconds since the epoch. */
struct Bracket
{
    qint64 beganUs = 0;
    qint64 endedUs = 0;
};

/** Details that most locks don't have; those locks pay only for a null pointer. */
struct Extras
{
    QList<domain::Waiter> waiters; ///< each with the best known beginning; also between two holders
    std::shared_ptr<const domain::Session> session;
    QByteArray fencing;
    QList<domain::NodeView> nodes; ///< of locks kept on several servers
    QByteArray mode;
    std::optional<quint32> waiting;
    std::unique_ptr<ChangeRate> rate; ///< of optimistic locks

    bool isContended() const { return !waiters.isEmpty() || waiting.value_or(0) > 0; }
    qint64 bytes() const;
};

/**
 * The texts of a record in one allocation: the name, then the identity, owner and token. If one text contains
 * another, the bytes are stored once. Usually all three are equal (a Redis token); otherwise their positions
 * are stored behind the texts.
 */
class Texts
{
public:
    Texts() = default;
    Texts(Texts &&other) noexcept { swap(other); }
    Texts &operator=(Texts &&other) noexcept
    {
        Texts old;
        old.swap(*this);
        swap(other);
        return *this;
    }
    ~Texts();

    bool isNull() const { return m_bytes == nullptr; }
    QByteArrayView name() const { return {m_bytes, qsizetype(m_nameSize)}; }
    QByteArrayView identity() const { return part(0); }
    QByteArrayView owner() const { return part(1); }
    QByteArrayView token() const { return part(2); }
    /** Sets the name, and drops the other texts. */
    void setName(QByteArrayView name);
    /** Replaces all texts but the name. The views may point into this object. */
    void set(QByteArrayView identity, QByteArrayView owner, QByteArrayView token);
    qint64 bytes() const { return qint64(m_size) + (m_split ? qint64(sizeof(Slices)) : 0); }

private:
    struct TextSlice
    {
        quint32 at = 0;
        quint32 size = 0;
    };
    using Slices = std::array<TextSlice, 3>;

    QByteArrayView part(size_t which) const;
    /** Replaces the present texts. */
    void keep(QByteArrayView bytes, qsizetype nameSize, const Slices *slices);
    void swap(Texts &other) noexcept;

    char *m_bytes = nullptr;
    quint32 m_size = 0; ///< of the texts
    quint32 m_nameSize : 31 = 0;
    quint32 m_split : 1 = 0; ///< the three differ: Slices follow
};

/** The state of one lock, without its texts and extras. Times are by the store's clock, in microseconds. */
struct RecordValues
{
    quint32 hash = 0;
    quint32 seenSpanUs = 0; ///< the last sighting was in [seenUs − seenSpanUs, seenUs]
    qint64 seenUs = 0;
    /** Valid if acquiredBy isn't None. For a lock that was `indeterminate` at every sighting: the time since
     * which it may be held; 0: not known. */
    qint64 acquiredUs = 0;
    qint64 windowUs = 0;
    qint64 renewedUs = 0; ///< with renewals > 0
    qint64 longestGapUs = 0;
    qint64 expiresUs = 0; ///< with expiry At: not before this
    qint64 pinnedUs = 0;  ///< everything that a guard pins has existed since this time or earlier
    qint64 ttlMs = 0;
    qint64 quietSinceUs = 0;  ///< the last sign of life; with expiry None, since when it has had none
    qint64 dueUs = kNever;    ///< when to read it again
    qint64 queuedUs = kNever; ///< the deadline queue's entry for it; never later than dueUs
    quint32 slackUs = 0;      ///< the deadline is in [expiresUs, expiresUs + slackUs]
    quint32 noiseUs = 0;      ///< stores::Observation::expiryNoiseUs
    quint32 renewals = 0;
    quint32 depth = 0;
    quint32 scanStamp = 0; ///< the scan in which it was seen last
    quint32 previous = 0;  ///< identityHash() of the previous holder that was seen; 0: not known
    quint32 freshness = 0; ///< without expiry: hash of what a sign of life changes; 0: not known
    quint16 set = 0;
    quint16 epoch = 0;  ///< the connection through which it was seen last; 0: an earlier process
    quint16 server = 0; ///< the server whose clock dates the deadline: stores::Observation::server
    domain::Phase phase = domain::Phase::Free;
    domain::ExpiryKind expiry = domain::ExpiryKind::Unknown;
    domain::Evidence acquiredBy = domain::Evidence::None;
    domain::Evidence expiresBy = domain::Evidence::None;
    stores::Flaw flaw = stores::Flaw::None;
    domain::ReleaseOff off = domain::ReleaseOff::None; ///< why the store says that it can't be broken
    domain::StuckReason stuck : 2 = domain::StuckReason::None;
    bool ownerKnown : 1 = true;
    bool reclaimed : 1 = false;      ///< if it disappears after its deadline, it had expired
    bool waitersVisible : 1 = false; ///< the last sighting showed all waiters
    bool gone : 1 = false;           ///< seen to be absent; kept until a scan confirms it
    bool restored : 1 = false;       ///< from the journal: its identity isn't known yet
    bool readAsked : 1 = false;
    bool readQueued : 1 = false;
    quint8 serverGone : 2 = 0;    ///< its server was restarted (1) or replaced (2) since the last sighting
    bool pushed : 1 = false;      ///< changes of it were pushed since the store began to push
    bool ownIdentity : 1 = false; ///< see stores::Observation; false: its guard pins the deadline too
    bool dated : 1 = false;
    /** Too many of its servers can't be asked now: all other values are from the last conclusive reading. */
    bool indeterminate : 1 = false;
    bool unseen : 1 = false;     ///< the part of the source that has it isn't observed
    bool journalled : 1 = false; ///< events have put it into the journal's table, as it is shown now
    bool holderGone : 1 = false; ///< a probe found the holder of this acquisition dead
    bool goneDenied : 1 = false; ///< since a probe found that, the holder has shown a sign of life
};

/** One lock, stored compactly: with 100,000 locks, each takes less than 300 bytes. */
struct LockRecord : RecordValues
{
    Texts texts;                    ///< null: an unused slot
    std::unique_ptr<Extras> extras; ///< null: none

    QByteArrayView name() const { return texts.name(); }
    QByteArrayView identity() const { return texts.identity(); }
    QByteArrayView owner() const { return texts.owner(); }
    QByteArrayView token() const { return texts.token(); }
    /** Distinguishes identities well enough for a hint; never 0. */
    quint32 identityHash() const { return quint32(qHash(identity(), 1)) | 1; }
    qint64 seenBeganUs() const { return seenUs - seenSpanUs; }
    /** True if its guard can't match another hold of its client. */
    bool isDistinct() const { return ownIdentity || dated || expiry == domain::ExpiryKind::At; }
    bool isYoung() const { return off == domain::ReleaseOff::TooYoung && !ownIdentity; }
    /** True if a client has acquired it, as far as known. */
    bool isOccupied() const { return phase == domain::Phase::Held || phase == domain::Phase::Expired; }
    /** Also true for a hold whose row can't be read at present. */
    bool hasHold() const
    {
        return isOccupied() || (phase == domain::Phase::Unknown && acquiredBy != domain::Evidence::None);
    }
    domain::Phase shownPhase() const { return indeterminate ? domain::Phase::Unknown : phase; }
    /** The longest bracket that a sighting is kept with. */
    static constexpr qint64 kLongestSpanUs = std::numeric_limits<quint32>::max();
    /** A copy of the values, without its place in the queues. */
    LockRecord clone() const;
    void noteSeen(const Bracket &bracket);
    /** The holder has shown a sign of life: it isn't gone, whatever a probe says about this acquisition. */
    void noteLife(qint64 atUs)
    {
        quietSinceUs = atUs;
        goneDenied = goneDenied || holderGone;
        holderGone = false;
    }
};

/**
 * Records by lock set and name: chunks that never move, and an open-addressed index of 4 bytes an entry. Not
 * thread-safe. Indexes stay valid until remove().
 */
class LockTable
{
public:
    static constexpr quint32 kNone = std::numeric_limits<quint32>::max();

    LockTable();

    quint32 find(quint16 set, QByteArrayView name) const;
    /** Adds a lock that isn't in the table yet. */
    quint32 insert(quint16 set, QByteArrayView name);
    void remove(quint32 index);
    /** For changes: the record is no longer idle. */
    LockRecord &at(quint32 index)
    {
        m_idle[index] = kBusy;
        return m_chunks[index / kChunk][index % kChunk];
    }
    const LockRecord &at(quint32 index) const { return m_chunks[index / kChunk][index % kChunk]; }
    /** One past the highest index in use; isUsed() checks a single index. */
    quint32 end() const { return m_end; }
    bool isUsed(quint32 index) const { return !at(index).texts.isNull(); }
    /** Marks a record that needs no work at the end of a scan over held locks, until it changes. */
    void setIdle(quint32 index);
    /** The first record from `index` on that is in use and isn't idle in one of `sets`; end() without such a
     * record. Skips a million others in a millisecond. */
    quint32 nextBusy(quint32 index, const QList<quint16> &sets) const;
    qsizetype size() const { return m_size; }
    /** Bytes held, the allocator's rounding included. Visits every record. */
    qint64 bytes() const;

private:
    static constexpr quint32 kChunk = 256;
    static constexpr quint16 kBusy = 0;
    static constexpr quint16 kUnused = std::numeric_limits<quint16>::max();

    quint32 hashOf(quint16 set, QByteArrayView name) const;
    quint32 slotOf(quint32 index) const;
    void place(quint32 index);
    void grow();

    std::vector<std::unique_ptr<LockRecord[]>> m_chunks;
    std::vector<quint16> m_idle;  ///< by index: kBusy, kUnused, or 1 + the set of an idle record
    std::vector<quint32> m_slots; ///< index + 1; 0: empty
    std::vector<quint32> m_free;
    quint32 m_end = 0;
    qsizetype m_size = 0;
    size_t m_seed;
};

} // namespace lockkeeper::agent::engine
