// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/journal/store_life.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::tests {

using domain::Evidence;
using domain::ExpiryKind;
using stores::Observation;

namespace {
constexpr qint64 kLifeBeginsUs = 1'795'000'000'000'000;
} // namespace

StoreLife::StoreLife(RowKind kind, quint32 seed, int rows)
    : m_kind(std::move(kind)), m_random(seed), m_nowUs(kLifeBeginsUs)
{
    for (int i = 0; i < rows; ++i) {
        Row &row = m_rows[QByteArray(1, char('a' + i))];
        row.present = m_kind.optimistic || (m_kind.staysFree && draw(0, 1) == 0);
    }
}

void StoreLife::changed(const QByteArray &name, bool expired)
{
    stores::Change change;
    change.lock = at(name);
    change.timeUs = m_nowUs;
    change.expired = expired;
    m_changes.append(change);
}

void StoreLife::advance(qint64 us)
{
    const qint64 untilUs = m_nowUs + us;
    for (auto it = m_rows.begin(); it != m_rows.end(); ++it) {
        if (!it->present || it->removedUs == 0 || it->removedUs > untilUs)
            continue;
        const qint64 now = std::exchange(m_nowUs, std::max(m_nowUs, it->removedUs));
        *it = Row();
        changed(it.key(), true);
        m_nowUs = now;
    }
    std::stable_sort(m_changes.begin(), m_changes.end(),
                     [](const auto &a, const auto &b) { return a.timeUs < b.timeUs; });
    m_nowUs = untilUs;
}

void StoreLife::setDeadline(Row &row, qint64 low, qint64 high)
{
    row.expiresUs = m_kind.deadline == RowKind::Never ? 0 : m_nowUs + draw(low, high) * 1'000;
    row.removedUs = m_kind.deadline == RowKind::Store  ? row.expiresUs
                    : m_kind.deadline == RowKind::Late ? row.expiresUs + draw(1, 1'000) * 1'000
                                                       : 0;
}

void StoreLife::acquire(Row &row)
{
    const int version = row.version;
    const auto waiters = row.waiters;
    row = Row();
    row.version = version;
    row.waiters = waiters;
    row.present = row.held = true;
    row.owner = "c" + QByteArray::number(++m_clients);
    row.acquiredUs = m_nowUs;
    if (m_kind.nests && draw(0, 1) == 0)
        row.mode = "read";
    row.waiters.removeIf([&row](const domain::Waiter &waiter) { return waiter.id == row.owner; });
    setDeadline(row, 50, 3'000);
}

void StoreLife::giveBack(Row &row)
{
    if (!m_kind.staysFree) {
        row = Row();
        return;
    }
    row.held = false;
    row.removedUs = 0;
    row.waiters.clear();
    row.expiresUs = m_kind.deadline == RowKind::Row ? m_nowUs : 0;
    if (m_kind.deadline != RowKind::Row)
        row.owner.clear();
}

void StoreLife::actAsHolder(Row &row)
{
    switch (draw(0, 11)) {
    case 0:
    case 1:
    case 2:
        if (row.expiresUs && (m_kind.deadline != RowKind::Late || row.removedUs > m_nowUs))
            setDeadline(row, (row.expiresUs - m_nowUs) / 1'000 + 100,
                        (row.expiresUs - m_nowUs) / 1'000 + 2'000);
        break;
    case 3: // nearer
        if (row.expiresUs)
            setDeadline(row, 20, 300);
        break;
    case 4: // not any more
        if (m_kind.deadline == RowKind::Store)
            row.expiresUs = row.removedUs = 0;
        break;
    case 5:
        acquire(row); // handed over in one transaction
        break;
    case 6:
        row.depth += m_kind.nests ? 1 : 0;
        break;
    case 7:
        row.unreadable = true;
        break;
    case 8:
        if (m_kind.waiters)
            row.waiters.append({"w" + QByteArray::number(++m_clients), m_nowUs, {}, 0});
        break;
    case 9:
        if (!row.waiters.isEmpty())
            row.waiters.removeFirst();
        break;
    default:
        giveBack(row);
    }
}

/** A row without a holder, or with an expired holder. */
void StoreLife::actOnRest(Row &row)
{
    const bool ranOut = row.held;
    switch (draw(0, 6)) {
    case 0:
    case 1:
        row = Row(); // cleaned up
        break;
    case 2:
        row.unreadable = true;
        break;
    case 3:
        if (ranOut && m_kind.deadline == RowKind::Clients) // late, and still its own
            setDeadline(row, 100, 2'000);
        break;
    case 4:
        if (ranOut)
            giveBack(row);
        break;
    default:
        acquire(row);
    }
}

void StoreLife::act()
{
    auto it = m_rows.begin();
    std::advance(it, draw(0, m_rows.size() - 1));
    Row &row = *it;
    if (row.unreadable) {
        row.unreadable = false;
        if (draw(0, 1) == 0)
            draw(0, 1) == 0 ? giveBack(row) : void(row = Row());
    } else if (m_kind.optimistic) {
        row.present = draw(0, 9) != 0;
        ++row.version;
    } else if (!row.present) {
        acquire(row);
    } else if (isHeld(row) || (row.held && m_kind.deadline == RowKind::Late)) {
        actAsHolder(row);
    } else {
        actOnRest(row);
    }
    changed(it.key());
}

Observation StoreLife::at(const QByteArray &name) const
{
    const Row row = m_rows.value(name);
    Observation seen;
    seen.name = name;
    seen.present = row.present;
    if (!row.present)
        return seen;
    if (row.unreadable) {
        seen.flaw = stores::Flaw::Malformed;
        seen.owner = seen.identity = row.owner; // the times alone make no sense
        seen.ownerKnown = !row.owner.isEmpty();
        return seen;
    }
    if (m_kind.optimistic) {
        seen.optimistic = true;
        seen.fencing = QByteArray::number(row.version);
        seen.expiry = ExpiryKind::None;
        return seen;
    }
    seen.held = row.held && (m_kind.deadline != RowKind::Row || isHeld(row));
    seen.owner = seen.identity = seen.token = row.owner;
    seen.ownIdentity = m_kind.ownId;
    seen.depth = row.held ? row.depth : 0;
    seen.mode = row.mode;
    seen.waitersVisible = m_kind.waiters;
    seen.waiters = row.waiters;
    if (m_kind.dated && row.acquiredUs) {
        seen.acquiredUs = row.acquiredUs;
        seen.identity += '@' + QByteArray::number(row.acquiredUs);
    }
    seen.expiry = row.expiresUs ? ExpiryKind::At : ExpiryKind::None;
    seen.expiresUs = row.expiresUs;
    const bool byStore = m_kind.deadline == RowKind::Store || m_kind.deadline == RowKind::Late;
    seen.expiresBy = byStore ? Evidence::Ttl : Evidence::Column;
    seen.reclaimed = m_kind.deadline == RowKind::Late || m_kind.deadline == RowKind::Clients;
    return seen;
}

QList<Observation> StoreLife::all() const
{
    QList<Observation> some;
    for (auto it = m_rows.cbegin(); it != m_rows.cend(); ++it) {
        if (it->present)
            some.append(at(it.key()));
    }
    return some;
}

} // namespace lockkeeper::tests
