// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/shedlock.h"

#include <QtEndian>

#include <limits>

namespace lockkeeper::stores::sql {

using domain::Evidence;
using domain::ExpiryKind;

namespace {
constexpr qsizetype kLongestTime = 32;

/** The head of an identity, with room for a time's text. */
QByteArray beginIdentity(const QByteArray &holder)
{
    constexpr qsizetype head = sizeof(quint32);
    QByteArray out;
    out.reserve(head + holder.size() + kLongestTime);
    out.resize(head);
    qToBigEndian(quint32(holder.size()), out.data());
    out += holder;
    return out;
}
} // namespace

QByteArray ShedlockIdentity::encoded() const
{
    return beginIdentity(holder) + acquiredAt;
}

QByteArray ShedlockReader::identity(const LockRow &row) const
{
    QByteArray out = beginIdentity(row.holder);
    m_acquiredAt.appendText(out, row.acquiredAt);
    return out;
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
    : m_expiresAt(table.column("expires_at"), zone), m_acquiredAt(table.column("acquired_at"), zone)
{
}

qint64 ShedlockReader::heldUntilUs(const RawTime &expiresAt) const
{
    if (const auto span = m_expiresAt.span(expiresAt))
        return span->toUs;
    return expiresAt.raw && *expiresAt.raw > 0 ? std::numeric_limits<qint64>::max() : 0;
}

Observation ShedlockReader::observation(quint16 set, LockRow row, qint64 nowUs) const
{
    Observation lock;
    lock.set = set;
    lock.name = std::move(row.name);
    lock.held = heldUntilUs(row.expiresAt) > nowUs;
    lock.freshness = m_expiresAt.text(row.expiresAt);
    if (const auto expires = m_expiresAt.span(row.expiresAt)) {
        lock.expiry = ExpiryKind::At;
        lock.expiresBy = Evidence::Column;
        lock.expiresUs = expires->fromUs;
        lock.expirySlackUs = expires->toUs - expires->fromUs;
    } else {
        lock.flaw = Flaw::BadTime;
    }
    // In the hour that repeats nobody can tell which of two acquisitions it was: better no time than a wrong
    // one.
    if (const auto acquired = m_acquiredAt.span(row.acquiredAt);
        acquired && acquired->fromUs == acquired->toUs)
        lock.acquiredUs = acquired->fromUs;
    if (row.holder.isNull()) {
        lock.ownerKnown = false;
        lock.flaw = Flaw::NullIdentity;
        return lock;
    }
    if (row.acquiredAt.isNull())
        lock.flaw = Flaw::NullIdentity;
    else
        lock.identity = identity(row);
    lock.token = row.holder;
    lock.owner = std::move(row.holder);
    return lock;
}

} // namespace lockkeeper::stores::sql
