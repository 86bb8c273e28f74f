// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/row_rules.h"

namespace lockkeeper::stores::sql {

using domain::Evidence;
using domain::ExpiryKind;

namespace {
constexpr qint64 kMostTimeoutUs = 100 * 366 * 86'400'000'000LL;
} // namespace

std::optional<Protocol> protocolOf(QByteArrayView scheme)
{
    if (scheme == "sql.insert")
        return Protocol::Insert;
    if (scheme == "sql.lease")
        return Protocol::Lease;
    if (scheme == "sql.reentrant")
        return Protocol::Reentrant;
    if (scheme == "sql.version")
        return Protocol::Version;
    return std::nullopt;
}

RowRules::RowRules(const Table &table, const SourceSpec &spec, const LockSet &set, Protocol protocol)
    : m_table(table), m_protocol(protocol), m_leaseUs(set.table.leaseUs), m_clientClock(spec.clientClock)
{
    for (const QByteArray &key : columnKeys()) {
        if (isTimeKey(key) && table.has(key))
            m_times.emplace(key, TimeColumn(table.column(key), QTimeZone(spec.timeZone), table.dialect));
    }
}

const TimeColumn &RowRules::time(QByteArrayView key) const
{
    return m_times.at(key.toByteArray());
}

bool RowRules::statusIsHeld(const MappedRow &row) const
{
    const QByteArray status = row.values.value("status");
    return !status.isNull() && status == m_table.heldValue.toUtf8();
}

bool RowRules::isHeld(const MappedRow &row) const
{
    switch (m_protocol) {
    case Protocol::Version:
        return false;
    case Protocol::Insert:
        return !has("status") || statusIsHeld(row);
    case Protocol::Reentrant:
        return (!has("status") || statusIsHeld(row)) && row.values.value("count").toLongLong() > 0;
    case Protocol::Lease:
        break;
    }
    if (has("status") && !statusIsHeld(row))
        return false;
    for (const char *key : {"holder", "request"}) {
        const QByteArray owner = row.values.value(key);
        if (has(key) && !owner.isNull() && owner.isEmpty())
            return false;
    }
    for (const auto &[key, column] : m_times) {
        const RawTime read = row.times.value(key);
        // Nothing else could tell that such a row is held.
        const bool tellsAlone = !has("status") && !has("holder") && !has("request");
        if (column.isEpoch(read) || (tellsAlone && read.isNull()))
            return false;
    }
    return true;
}

RowRules::Deadline RowRules::deadlineOf(const MappedRow &row, QByteArrayView key, qint64 afterUs) const
{
    const RawTime read = row.times.value(key.toByteArray());
    if (read.isNull())
        return {ExpiryKind::Unknown, {}, false};
    const auto span = time(key).span(read);
    if (!span)
        return {ExpiryKind::Unknown, {}, true};
    return {ExpiryKind::At, {span->fromUs + afterUs, span->toUs + afterUs}, false};
}

std::optional<qint64> RowRules::timeoutUs(const MappedRow &row) const
{
    const QByteArray text = row.values.value("timeout");
    if (text.isNull())
        return std::nullopt;
    bool isNumber = false;
    const double units = text.toDouble(&isNumber);
    const double us = units * double(m_table.column("timeout").unitUs);
    return isNumber && us >= 0 && us <= double(kMostTimeoutUs) ? qint64(us) : -1;
}

RowRules::Deadline RowRules::deadline(const MappedRow &row) const
{
    if (has("expires_at"))
        return deadlineOf(row, "expires_at", 0);
    const char *base = has("renewed_at") ? "renewed_at" : "acquired_at";
    std::optional<qint64> length = m_leaseUs;
    if (const auto timeout = timeoutUs(row)) {
        if (*timeout < 0)
            return {ExpiryKind::Unknown, {}, true};
        if (*timeout == 0) // "no limit" to some, "over at once" to others
            return {ExpiryKind::Unknown, {}, false};
        length = timeout;
    }
    if (!length)
        return {};
    return has(base) ? deadlineOf(row, base, *length) : Deadline{};
}

bool RowRules::isIdentity(QByteArrayView key) const
{
    // The id of a row that stays is the lock's, not that of an acquisition.
    if (key == "id")
        return m_protocol == Protocol::Insert;
    return key == "holder" || key == "request" || key == "acquired_at";
}

SeenValue RowRules::seen(const MappedRow &row, const QByteArray &key) const
{
    if (!isTimeKey(key))
        return {key, row.values.value(key)};
    const RawTime read = row.times.value(key);
    return {key, read.isNull() ? QByteArray() : time(key).text(read)};
}

QList<SeenValue> RowRules::seenValues(const MappedRow &row) const
{
    QList<SeenValue> values;
    for (const QByteArray &key : columnKeys()) {
        if (has(key))
            values.append(seen(row, key));
    }
    return values;
}

void RowRules::setOwner(Observation &lock, const MappedRow &row) const
{
    const char *key = has("holder") ? "holder" : "request";
    const QByteArray owner = row.values.value(key);
    lock.ownerKnown = !owner.isNull();
    lock.owner = owner;
    lock.token = has("request")  ? row.values.value("request")
                 : has("holder") ? owner
                                 : row.values.value("id");
    // A column that says who holds it and says NULL proves nothing about the acquisition.
    if (lock.held && has(key) && owner.isNull())
        lock.flaw = Flaw::NullIdentity;
}

void RowRules::setGuard(Observation &lock, const MappedRow &row) const
{
    QList<SeenValue> identity;
    QList<SeenValue> freshness;
    bool identifies = false;
    for (const QByteArray &key : columnKeys()) {
        if (!has(key) || key == "status")
            continue;
        const SeenValue value = seen(row, key);
        if (isIdentity(key)) {
            identity.append(value);
            identifies = identifies || !value.value.isEmpty();
        }
        if (!isIdentity(key) || key == "acquired_at")
            freshness.append(value);
    }
    if (identifies && lock.flaw != Flaw::NullIdentity)
        lock.identity = encodedValues(identity);
    lock.freshness = encodedValues(freshness);
}

Observation RowRules::observation(const MappedRow &row) const
{
    Observation lock;
    lock.name = row.name;
    if (m_protocol == Protocol::Version) {
        lock.optimistic = true;
        lock.ownerKnown = false;
        lock.expiry = ExpiryKind::None;
        lock.fencing = row.values.value("version");
        lock.off = domain::ReleaseOff::Unsupported;
        return lock;
    }
    lock.held = isHeld(row);
    setOwner(lock, row);
    setGuard(lock, row);
    if (has("version"))
        lock.fencing = row.values.value("version");
    if (!lock.held) {
        lock.expiry = ExpiryKind::None;
        return lock;
    }
    lock.depth = quint32(std::clamp<qint64>(row.values.value("count").toLongLong(), 0, 0xffffffff));
    const Deadline deadline = this->deadline(row);
    lock.expiry = deadline.kind;
    if (deadline.kind == ExpiryKind::At) {
        lock.expiresBy = Evidence::Column;
        lock.expiresUs = deadline.span.fromUs;
        lock.expirySlackUs = deadline.span.toUs - deadline.span.fromUs + (m_clientClock ? kClientSkewUs : 0);
    }
    bool nonsense = deadline.nonsense;
    if (has("acquired_at")) {
        const RawTime read = row.times.value("acquired_at");
        const auto span = time("acquired_at").span(read);
        nonsense = nonsense || (!span && !read.isNull());
        // In the hour that repeats nobody can tell which of two it was: no time is better than a wrong one.
        if (span && span->fromUs == span->toUs && !m_clientClock)
            lock.acquiredUs = span->fromUs;
    }
    if (nonsense && lock.flaw == Flaw::None)
        lock.flaw = Flaw::BadTime;
    if (nonsense)
        lock.expiry = ExpiryKind::Unknown;
    return lock;
}

} // namespace lockkeeper::stores::sql
