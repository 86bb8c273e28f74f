// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/shedlock.h"

#include "shared/stores/distinctive.h"
#include "shared/stores/sql/long_values.h"
#include "shared/stores/sql/reuse.h"

#include <QtEndian>

#include <limits>
#include <utility>

namespace lockkeeper::stores::sql {

using domain::Evidence;
using domain::ExpiryKind;

namespace {
constexpr qsizetype kLongestTime = 32;

/** Writes an identity without its time into `out`, with room for that. */
void beginIdentity(QByteArray &out, const QByteArray &holder)
{
    constexpr qsizetype head = sizeof(quint32);
    out.reserve(head + holder.size() + kLongestTime);
    out.resize(head);
    qToBigEndian(quint32(holder.size()), out.data());
    out += holder;
}
} // namespace

QByteArray ShedlockIdentity::encoded() const
{
    QByteArray out;
    beginIdentity(out, holder);
    return out + acquiredAt;
}

std::optional<ShedlockIdentity> ShedlockIdentity::decoded(const QByteArray &bytes)
{
    constexpr qsizetype head = sizeof(quint32);
    if (bytes.size() < head)
        return std::nullopt;
    const auto length = qsizetype(qFromBigEndian<quint32>(bytes.constData()));
    if (length > bytes.size() - head || bytes.size() == head + length)
        return std::nullopt;
    return ShedlockIdentity{bytes.sliced(head, length), bytes.sliced(head + length)};
}

ShedlockReader::ShedlockReader(const Table &table, const QTimeZone &zone)
    : m_expiresAt(table.column("expires_at"), zone, table.dialect),
      m_acquiredAt(table.column("acquired_at"), zone, table.dialect),
      m_fine(table.column("acquired_at").isFine())
{
}

qint64 ShedlockReader::heldUntilUs(const RawTime &expiresAt) const
{
    if (const auto span = m_expiresAt.span(expiresAt))
        return span->toUs;
    return expiresAt.raw && *expiresAt.raw > 0 ? std::numeric_limits<qint64>::max() : 0;
}

Observation ShedlockReader::observation(quint16 set, const LockRow &row, qint64 nowUs) const
{
    Observation lock;
    observe(lock, set, row, nowUs);
    return lock;
}

void ShedlockReader::observe(Observation &lock, quint16 set, const LockRow &row, qint64 nowUs) const
{
    if (!isLong(row.holder) && !isLong(row.expiresAt.odd) && !isLong(row.acquiredAt.odd)) {
        observeWhole(lock, set, row, nowUs);
        return;
    }
    LockRow cut = row;
    cut.holder = shownOf(row.holder);
    observeWhole(lock, set, cut, nowUs);
    setTruncated(lock);
}

void ShedlockReader::observeWhole(Observation &lock, quint16 set, const LockRow &row, qint64 nowUs) const
{
    QByteArray identity = std::exchange(lock.identity, {});
    QByteArray freshness = std::exchange(lock.freshness, {});
    resetObservation(lock);
    lock.set = set;
    copyBytes(lock.name, row.name);
    lock.held = heldUntilUs(row.expiresAt) > nowUs;
    if (!row.expiresAt.isNull()) {
        freshness.resize(0);
        m_expiresAt.appendText(freshness, row.expiresAt);
        lock.freshness = std::move(freshness);
    }
    if (const auto expires = m_expiresAt.span(row.expiresAt)) {
        lock.expiry = ExpiryKind::At;
        lock.expiresBy = Evidence::Column;
        lock.expiresUs = expires->fromUs;
        lock.expirySlackUs = expires->toUs - expires->fromUs;
        lock.expiresStepUs = m_expiresAt.stepUs(row.expiresAt);
    } else {
        lock.flaw = Flaw::BadTime;
    }
    // In the hour that repeats nobody can tell which of two acquisitions it was: better no time than a wrong
    // one.
    if (const auto acquired = m_acquiredAt.span(row.acquiredAt);
        acquired && acquired->fromUs == acquired->toUs) {
        lock.acquiredUs = acquired->fromUs;
        lock.acquiredStepUs = m_acquiredAt.stepUs(row.acquiredAt);
    }
    if (row.holder.isNull()) {
        lock.ownerKnown = false;
        lock.owner = {};
        lock.token = {};
        lock.flaw = Flaw::NullIdentity;
        return;
    }
    if (row.acquiredAt.isNull()) {
        lock.flaw = Flaw::NullIdentity;
    } else {
        beginIdentity(identity, row.holder);
        m_acquiredAt.appendText(identity, row.acquiredAt);
        lock.identity = std::move(identity);
        lock.coarse = !m_fine && !isDistinctive(row.holder);
    }
    copyBytes(lock.owner, row.holder);
    lock.token = lock.owner;
}

} // namespace lockkeeper::stores::sql
