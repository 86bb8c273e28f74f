// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/known_locks.h"

#include <QRandomGenerator>

namespace lockkeeper::agent::journal {

namespace {

constexpr size_t kSmallest = 1024;

quint64 chained(QByteArrayView bytes, quint64 seed)
{
    return qHashBits(bytes.data(), size_t(bytes.size()), size_t(seed));
}

} // namespace

LockNumbers::LockNumbers(size_t most)
    : m_most(most),
      m_seedA(QRandomGenerator::system()->generate64()),
      m_seedB(QRandomGenerator::system()->generate64()),
      m_slots(kSmallest)
{
}

LockNumbers::Fingerprint LockNumbers::fingerprint(qint64 sourceId, const domain::LockKey &key) const
{
    const QByteArrayView source(reinterpret_cast<const char *>(&sourceId), qsizetype(sizeof sourceId));
    const auto of = [&](quint64 seed) {
        return chained(key.name, chained(key.place, chained(key.scheme, chained(source, seed))));
    };
    return {of(m_seedA), of(m_seedB)};
}

size_t LockNumbers::slotOf(const Fingerprint &print) const
{
    const size_t mask = m_slots.size() - 1;
    size_t at = size_t(print.a) & mask;
    while (m_slots[at].lockId != 0 && m_slots[at].print != print)
        at = (at + 1) & mask;
    return at;
}

std::optional<qint64> LockNumbers::find(const Fingerprint &print) const
{
    const NumberedLock &entry = m_slots[slotOf(print)];
    return entry.lockId != 0 ? std::optional(entry.lockId) : std::nullopt;
}

void LockNumbers::insert(const Fingerprint &print, qint64 lockId)
{
    if (isFull())
        clear();
    if (2 * (m_used + 1) > m_slots.size()) {
        std::vector<NumberedLock> old(m_slots.size() * 2);
        old.swap(m_slots);
        for (const NumberedLock &entry : old) {
            if (entry.lockId != 0)
                m_slots[slotOf(entry.print)] = entry;
        }
    }
    m_slots[slotOf(print)] = {print, lockId};
    ++m_used;
}

void LockNumbers::clear()
{
    m_slots.assign(kSmallest, {});
    m_used = 0;
}

bool OpenHolds::reload()
{
    m_known.clear();
    m_all = true;
    SqliteStatement &open = m_connection.statement("hold_open_ids");
    if (!m_connection.run(open))
        return false;
    while (m_all && open.next())
        insert(open.integer(0), {open.integer(1), open.integer(2)});
    open.finish();
    return true;
}

bool OpenHolds::find(qint64 lockId, std::optional<OpenHold> &found)
{
    found.reset();
    if (const auto it = m_known.constFind(lockId); it != m_known.cend()) {
        found = *it;
        return true;
    }
    if (m_all)
        return true;
    SqliteStatement &open = m_connection.statement("hold_open_of");
    if (!m_connection.run(open.bind(lockId)))
        return false;
    if (open.next())
        found = OpenHold{open.integer(0), open.integer(1)};
    open.finish();
    if (found)
        insert(lockId, *found);
    return true;
}

void OpenHolds::insert(qint64 lockId, const OpenHold &hold)
{
    if (m_known.size() >= m_most) {
        m_known = {};
        m_all = false;
    }
    m_known.insert(lockId, hold);
}

} // namespace lockkeeper::agent::journal
