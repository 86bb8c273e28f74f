// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/tables/row_rules.h"

#include "shared/stores/sql/tables/long_values.h"
#include "shared/stores/sql/tables/reuse.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockkeeper::stores::sql {

using domain::Evidence;
using domain::ExpiryKind;

namespace {
constexpr qsizetype kUsualGuard = 120; ///< bytes
constexpr qint64 kMostTimeoutUs = 100 * 366 * 86'400'000'000LL;

/** True where the server counts the column up. SQLite reuses a deleted row's number. */
bool countsUp(const Column &column, Dialect dialect)
{
    return column.ascends ||
           (column.unique && column.kind == ColumnKind::Epoch && dialect == Dialect::PostgreSql);
}

} // namespace

void MappedRow::keep()
{
    for (QByteArray &value : values) {
        if (!value.isNull())
            value = QByteArray(value.constData(), value.size());
    }
}

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
    if (scheme == "sql.shedlock")
        return Protocol::ShedLock;
    return std::nullopt;
}

RowRules::RowRules(const ResolvedTable &table, const SourceSpec &spec, const LockSet &set, Protocol protocol)
    : m_protocol(protocol),
      m_leaseUs(set.table.leaseUs),
      m_graceUs(table.graceUs),
      m_clientClock(spec.clientClock &&
                    protocol != Protocol::ShedLock), // its clients judge by `lock_until` alone
      m_heldValue(table.heldValue.toUtf8()),
      m_otherIsHeld(!table.freeValue.isEmpty()),
      m_freeValue(table.freeStatus()),
      m_timeoutUnitUs(table.column("timeout").unitUs)
{
    for (const QByteArray &name : columnKeys()) {
        if (!table.has(name))
            continue;
        const RowKey key = rowKeyOf(name);
        m_mayBeLong = m_mayBeLong || table.column(name).isLong;
        m_has[size_t(key)] = true;
        if (isTimeKey(name))
            m_times[size_t(key)].emplace(table.column(name), QTimeZone(spec.timeZone), table.dialect);
        const bool identifies = isIdentity(key);
        m_columns.append({key, name, isTimeKey(name), identifies,
                          key != RowKey::Status && (!identifies || key == RowKey::AcquiredAt),
                          countsUp(table.column(name), table.dialect),
                          protocol == Protocol::Lease && !table.has("status") &&
                              table.writes.value(name).kind == ColumnWrite::Null,
                          table.column(name).nullable});
    }
}

const TimeColumn &RowRules::time(QByteArrayView key) const
{
    return timeOf(rowKeyOf(key));
}

RowRules::RowStanding RowRules::statusSays(const MappedRow &row) const
{
    const QByteArray &status = row.value(RowKey::Status);
    if (status.isNull() ? m_freeValue.isNull() : status == m_freeValue)
        return RowStanding::Free;
    if (status.isNull())
        return RowStanding::Unknown;
    return m_otherIsHeld || status == m_heldValue ? RowStanding::Held : RowStanding::Unknown;
}

qint64 RowRules::heldUntilUs(const MappedRow &row) const
{
    const RawTime &read = row.time(RowKey::ExpiresAt);
    if (const auto span = timeOf(RowKey::ExpiresAt).span(read))
        return span->toUs;
    return read.raw && *read.raw > 0 ? std::numeric_limits<qint64>::max() : 0;
}

RowRules::RowStanding RowRules::standing(const MappedRow &row, qint64 nowUs) const
{
    const auto heldIf = [](bool held) { return held ? RowStanding::Held : RowStanding::Free; };
    const RowStanding said = has(RowKey::Status) ? statusSays(row) : RowStanding::Held;
    switch (m_protocol) {
    case Protocol::ShedLock:
        return heldIf(heldUntilUs(row) > nowUs);
    case Protocol::Version:
        return RowStanding::Free;
    case Protocol::Insert: // rows with another status are no locks
        return heldIf(said == RowStanding::Held);
    case Protocol::Reentrant:
        return said == RowStanding::Held ? heldIf(row.value(RowKey::Count).toLongLong() > 0) : said;
    case Protocol::Lease:
        break;
    }
    return has(RowKey::Status) ? said : heldIf(!leaseIsFree(row, nowUs));
}

bool RowRules::leaseIsFree(const MappedRow &row, qint64 nowUs) const
{
    const auto frees = [&row](const GuardColumn &column) {
        return column.freesByNull &&
               (column.isTime ? row.time(column.key).isNull() : row.value(column.key).isNull());
    };
    if (std::any_of(m_columns.cbegin(), m_columns.cend(), frees))
        return true;
    const bool ahead = has(RowKey::ExpiresAt) && heldUntilUs(row) > nowUs;
    for (const RowKey key : {RowKey::Holder, RowKey::Request}) {
        const QByteArray &owner = row.value(key);
        // A holder without a name may have a lease that hasn't ended yet.
        if (has(key) && owner.isEmpty() && (!owner.isNull() || !ahead))
            return true;
    }
    // Without these two columns, no other column shows that the row is held.
    const bool tellsAlone = !has(RowKey::Holder) && !has(RowKey::Request);
    for (const RowKey key : {RowKey::AcquiredAt, RowKey::RenewedAt, RowKey::ExpiresAt}) {
        const RawTime &read = row.time(key);
        if (has(key) && (read.isNull() ? tellsAlone : timeOf(key).isEpoch(read)))
            return true;
    }
    return false;
}

void RowRules::noteFree(const MappedRow &row) const
{
    for (const GuardColumn &column : m_columns) {
        const QByteArray &text = row.value(column.key);
        const bool null = column.isTime ? row.time(column.key).isNull() : text.isNull();
        m_freeNull[size_t(column.key)] = m_freeNull[size_t(column.key)] || null;
        m_freeEmpty[size_t(column.key)] = m_freeEmpty[size_t(column.key)] || (text.isEmpty() && !null);
    }
}

QByteArray RowRules::freeText(RowKey key) const
{
    const auto column = std::find_if(m_columns.cbegin(), m_columns.cend(),
                                     [key](const GuardColumn &any) { return any.key == key; });
    if (column == m_columns.cend())
        return {};
    const bool null = m_freeNull[size_t(key)];
    if (!column->isTime)
        return !m_freeEmpty[size_t(key)] && (null || column->nullable) ? QByteArray() : QByteArrayLiteral("");
    return null ? QByteArray() : timeOf(key).epochText();
}

bool RowRules::namesNobody(const MappedRow &row) const
{
    for (const RowKey key : {RowKey::Holder, RowKey::Request}) {
        if (has(key))
            return row.value(key).isEmpty();
    }
    const RawTime &acquired = row.time(RowKey::AcquiredAt);
    return !has(RowKey::AcquiredAt) || acquired.isNull() || timeOf(RowKey::AcquiredAt).isEpoch(acquired);
}

RowRules::RowDeadline RowRules::deadlineOf(const MappedRow &row, RowKey key, qint64 afterUs) const
{
    const RawTime &read = row.time(key);
    if (read.isNull())
        return {ExpiryKind::Unknown, {}, false};
    const auto span = timeOf(key).span(read);
    if (!span)
        return {ExpiryKind::Unknown, {}, true};
    return {ExpiryKind::At, {span->fromUs + afterUs, span->toUs + afterUs}, false};
}

std::optional<qint64> RowRules::timeoutUs(const MappedRow &row) const
{
    const QByteArray &text = row.value(RowKey::Timeout);
    if (text.isNull())
        return std::nullopt;
    bool isNumber = false;
    const double units = text.toDouble(&isNumber);
    const double us = units * double(m_timeoutUnitUs);
    return isNumber && us >= 0 && us <= double(kMostTimeoutUs) ? qint64(us) : -1;
}

RowRules::RowDeadline RowRules::deadline(const MappedRow &row) const
{
    if (has(RowKey::ExpiresAt))
        return deadlineOf(row, RowKey::ExpiresAt, 0);
    const RowKey base = has(RowKey::RenewedAt) ? RowKey::RenewedAt : RowKey::AcquiredAt;
    std::optional<qint64> length = m_leaseUs;
    if (const auto timeout = timeoutUs(row)) {
        if (*timeout < 0)
            return {ExpiryKind::Unknown, {}, true};
        if (*timeout == 0) // "no limit" for some clients, "over at once" for others
            return {ExpiryKind::Unknown, {}, false};
        length = timeout;
    }
    if (!length)
        return {};
    return has(base) ? deadlineOf(row, base, *length + m_graceUs) : RowDeadline{};
}

bool RowRules::isIdentity(RowKey key) const
{
    // The id of a row that stays identifies the lock, not an acquisition.
    if (key == RowKey::Id)
        return m_protocol == Protocol::Insert;
    return key == RowKey::Holder || key == RowKey::Request || key == RowKey::AcquiredAt;
}

SeenValue RowRules::seen(const MappedRow &row, const GuardColumn &column) const
{
    if (!column.isTime)
        return {column.name, row.value(column.key)};
    const RawTime &read = row.time(column.key);
    return {column.name, read.isNull() ? QByteArray() : timeOf(column.key).text(read)};
}

bool RowRules::appendSeen(QByteArray &out, const MappedRow &row, const GuardColumn &column) const
{
    TimeColumn::Space space;
    const QByteArrayView value = column.isTime ? timeOf(column.key).textIn(space, row.time(column.key))
                                               : QByteArrayView(row.value(column.key));
    appendValue(out, column.name, value);
    return !value.isEmpty();
}

void RowRules::setUniqueness(Observation &lock, const MappedRow &row) const
{
    lock.pinStepUs = std::numeric_limits<quint32>::max();
    for (const GuardColumn &column : m_columns) {
        if (column.isTime && !row.time(column.key).isNull())
            lock.pinStepUs = std::min(lock.pinStepUs, timeOf(column.key).stepUs(row.time(column.key)));
        const bool counted = column.identifies && column.ascends && !row.value(column.key).isEmpty();
        lock.ownIdentity = lock.ownIdentity || counted;
    }
    if (lock.pinStepUs == std::numeric_limits<quint32>::max())
        lock.pinStepUs = 1;
    // A version grows with each acquisition, and is compared like a deadline.
    lock.dated =
        (has(RowKey::AcquiredAt) && !row.time(RowKey::AcquiredAt).isNull()) || !lock.fencing.isEmpty();
}

QList<SeenValue> RowRules::seenValues(const MappedRow &row) const
{
    QList<SeenValue> values;
    for (const GuardColumn &column : m_columns)
        values.append(seen(row, column));
    return values;
}

bool RowRules::tellsIdentity(const MappedRow &row) const
{
    const RowKey key = has(RowKey::Holder) ? RowKey::Holder : RowKey::Request;
    if (has(key) && row.value(key).isNull())
        return false;
    return m_protocol != Protocol::ShedLock || !row.time(RowKey::AcquiredAt).isNull();
}

void RowRules::setOwner(Observation &lock, const MappedRow &row) const
{
    const RowKey key = has(RowKey::Holder) ? RowKey::Holder : RowKey::Request;
    const QByteArray &owner = row.value(key);
    lock.ownerKnown = !has(key) || !owner.isNull(); // a layout may have no holder at all
    copyBytes(lock.owner, owner);
    if (!has(RowKey::Request) && has(RowKey::Holder))
        lock.token = lock.owner;
    else
        copyBytes(lock.token, row.value(has(RowKey::Request) ? RowKey::Request : RowKey::Id));
    // A holder's column that is NULL proves nothing about the acquisition.
    if ((lock.held || m_protocol == Protocol::ShedLock) && !tellsIdentity(row))
        lock.flaw = Flaw::NullIdentity;
}

void RowRules::setGuard(Observation &lock, const MappedRow &row, QByteArray identity,
                        QByteArray freshness) const
{
    for (QByteArray *bytes : {&identity, &freshness}) {
        bytes->resize(0);
        bytes->reserve(kUsualGuard);
    }
    bool identifies = false;
    for (const GuardColumn &column : m_columns) {
        const qsizetype at = identity.size();
        if (column.identifies)
            identifies = appendSeen(identity, row, column) || identifies;
        if (column.identifies && column.freshens)
            freshness += QByteArrayView(identity).sliced(at);
        else if (column.freshens)
            appendSeen(freshness, row, column);
    }
    if (identifies && lock.flaw != Flaw::NullIdentity) {
        lock.identity = std::move(identity);
        setUniqueness(lock, row);
    }
    lock.freshness = std::move(freshness);
}

void RowRules::setTimes(Observation &lock, const MappedRow &row) const
{
    const RowDeadline deadline = this->deadline(row);
    lock.expiry = deadline.kind;
    if (deadline.kind == ExpiryKind::At) {
        lock.expiresBy = Evidence::Column;
        lock.expiresUs = deadline.span.fromUs;
        lock.expirySlackUs = deadline.span.toUs - deadline.span.fromUs + (m_clientClock ? kClientSkewUs : 0);
        if (m_protocol == Protocol::ShedLock) // a client's release writes the time there
            lock.expiresStepUs = timeOf(RowKey::ExpiresAt).stepUs(row.time(RowKey::ExpiresAt));
    }
    bool nonsense =
        deadline.nonsense || (m_protocol == Protocol::ShedLock && deadline.kind != ExpiryKind::At);
    if (has(RowKey::AcquiredAt)) {
        const RawTime &read = row.time(RowKey::AcquiredAt);
        const auto span = timeOf(RowKey::AcquiredAt).span(read);
        nonsense = nonsense || (!span && !read.isNull() && m_protocol != Protocol::ShedLock);
        // In the hour that repeats, the time is ambiguous: no time is better than a wrong one.
        if (span && span->fromUs == span->toUs && !m_clientClock) {
            lock.acquiredUs = span->fromUs;
            lock.acquiredStepUs = timeOf(RowKey::AcquiredAt).stepUs(read);
        }
    }
    if (nonsense && lock.flaw == Flaw::None)
        lock.flaw = Flaw::BadTime;
    if (nonsense)
        lock.expiry = ExpiryKind::Unknown;
}

Observation RowRules::observation(const MappedRow &row, qint64 nowUs) const
{
    Observation lock;
    observe(lock, row, nowUs);
    return lock;
}

bool RowRules::hasLong(const MappedRow &row) const
{
    return std::any_of(m_columns.cbegin(), m_columns.cend(), [&](const GuardColumn &column) {
        return isLong(column.isTime ? row.time(column.key).odd : row.value(column.key));
    });
}

void RowRules::observe(Observation &lock, const MappedRow &row, qint64 nowUs) const
{
    if (!m_mayBeLong || !hasLong(row)) {
        observeWhole(lock, row, nowUs);
        return;
    }
    MappedRow cut = row;
    for (const RowKey key : {RowKey::Id, RowKey::Holder, RowKey::Request, RowKey::Version})
        cut.values[size_t(key)] = shownOf(row.value(key));
    observeWhole(lock, cut, nowUs);
    setTruncated(lock);
}

void RowRules::observeWhole(Observation &lock, const MappedRow &row, qint64 nowUs) const
{
    QByteArray identity = std::exchange(lock.identity, {});
    QByteArray freshness = std::exchange(lock.freshness, {});
    resetObservation(lock);
    copyBytes(lock.name, row.name);
    copyBytes(lock.fencing, row.value(RowKey::Version));
    if (m_protocol == Protocol::Version) {
        lock.owner = {};
        lock.token = {};
        lock.optimistic = true;
        lock.expiry = ExpiryKind::None;
        lock.off = domain::ReleaseOff::Unsupported;
        return;
    }
    const RowStanding standing = this->standing(row, nowUs);
    lock.held = standing == RowStanding::Held;
    setOwner(lock, row);
    setGuard(lock, row, std::move(identity), std::move(freshness));
    if (standing == RowStanding::Unknown) {
        lock.flaw = Flaw::Malformed;
        lock.expiry = ExpiryKind::Unknown;
        return;
    }
    if (!lock.held && m_protocol == Protocol::Lease)
        noteFree(row);
    if (!lock.held && m_protocol != Protocol::ShedLock) {
        lock.expiry = ExpiryKind::None;
        if (namesNobody(row))
            lock.identity = {};
        return;
    }
    if (has(RowKey::Count))
        lock.depth = quint32(std::clamp<qint64>(row.value(RowKey::Count).toLongLong(), 0, 0xffffffff));
    setTimes(lock, row);
}

} // namespace lockkeeper::stores::sql
