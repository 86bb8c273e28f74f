// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/wait_store.h"

#include "agent/journal/storage/checksum.h"

namespace lockkeeper::agent::journal {

namespace {

qint64 startCheck(qint64 lockId, const QByteArray &waiter, qint64 fromUs)
{
    return Checksum().add(lockId).addBytes(waiter).add(fromUs).value();
}

qint64 endCheck(qint64 waitId, qint64 toUs)
{
    return Checksum().add(waitId).add(toUs).value();
}

} // namespace

base::Result<WaitRow> readWait(const SqliteStatement &row)
{
    WaitRow out{row.integer(0), row.integer(3), row.optionalInteger(5)};
    const auto end = row.optionalInteger(6);
    const bool started = startCheck(row.integer(1), row.bytesHere(2), out.fromUs) == row.integer(4);
    const bool ended =
        out.toUs.has_value() == end.has_value() && (!end || *end == endCheck(out.waitId, *out.toUs));
    if (started && ended)
        return out;
    return damagedRow("waits", out.waitId);
}

bool WaitStore::reload()
{
    m_open.clear();
    SqliteStatement &open = m_connection.statement("wait_open_ids");
    if (!m_connection.run(open))
        return false;
    while (open.next())
        m_open.insert({open.integer(0), open.bytes(1)}, open.integer(2));
    return true;
}

bool WaitStore::follow(const events::LockEvent &event, qint64 lockId)
{
    if (event.kind == events::EventKind::WaitStart)
        return begin(event, lockId);
    return event.kind != events::EventKind::WaitEnd || end(event, lockId);
}

bool WaitStore::begin(const events::LockEvent &event, qint64 lockId)
{
    const QByteArray waiter = event.waiter.value_or(QByteArray());
    if (const auto it = m_open.constFind({lockId, waiter}); it != m_open.cend()) {
        // The waiter waits again, but nobody saw its earlier wait end: the length of that wait isn't known.
        if (!m_connection.run(m_connection.statement("wait_delete").bind(*it)))
            return false;
        m_open.erase(it);
    }
    return insert(qint64(event.seq), lockId, waiter, event.timeUs);
}

bool WaitStore::end(const events::LockEvent &event, qint64 lockId)
{
    const Key key(lockId, event.waiter.value_or(QByteArray()));
    if (!m_open.contains(key)) {
        if (!event.detail.sinceUs)
            return true; // nobody knows when it began
        if (!insert(qint64(event.seq), lockId, key.second, *event.detail.sinceUs))
            return false;
    }
    const qint64 waitId = m_open.take(key);
    SqliteStatement &close = m_connection.statement("wait_close");
    return m_connection.run(close.bind(event.timeUs).bind(endCheck(waitId, event.timeUs)).bind(waitId)) &&
           m_rollups.waitEnded(waitId, event.timeUs);
}

bool WaitStore::insert(qint64 waitId, qint64 lockId, const QByteArray &waiter, qint64 fromUs)
{
    SqliteStatement &insert = m_connection.statement("wait_insert");
    insert.bind(waitId).bind(lockId).bindBytes(waiter).bind(fromUs).bind(startCheck(lockId, waiter, fromUs));
    if (!m_connection.run(insert))
        return false;
    m_open.insert({lockId, waiter}, waitId);
    return true;
}

} // namespace lockkeeper::agent::journal
