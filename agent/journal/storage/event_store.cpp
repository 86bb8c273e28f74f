// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/event_store.h"

#include "agent/journal/storage/event_rows.h"
#include "agent/journal/storage/packed_state.h"
#include "agent/journal/storage/present_locks.h"
#include "shared/protocol/codec.h"

#include <QLoggingCategory>
#include <QMap>

#include <algorithm>

Q_LOGGING_CATEGORY(lcJournalStore, "lockkeeper.journal")

namespace lockkeeper::agent::journal {

namespace {

constexpr size_t kNameBits = 1 << 23; ///< with a million names in the file, nine in ten new names hit none

bool opensHold(const events::LockEvent &event)
{
    return event.kind == events::EventKind::Acquired || event.kind == events::EventKind::TakenOver;
}

/** The state of an open hold, from the hold itself or from its first event, which follows it in the row. */
std::optional<domain::LockState> stateOf(const SqliteStatement &row, const HoldRow &hold)
{
    if (hold.state.isEmpty()) {
        auto event = readEvent(row, true, kHoldColumns);
        return event ? std::move(event->event.after) : std::nullopt;
    }
    const auto bytes = unsealState(hold.state);
    auto state = bytes ? unpackState(*bytes, stateBy(hold.hold))
                       : base::Result<domain::LockState>(tl::unexpected(base::Error{}));
    return state ? std::optional(std::move(*state)) : std::nullopt;
}

void restoreRenewals(domain::LockState &state, const RenewalNote &note)
{
    if (note.renewals <= state.renewals)
        return;
    state.renewals = note.renewals;
    state.longestRenewalGapUs = note.longestGapUs;
    if (note.renewedUs)
        state.renewedUs = note.renewedUs;
    if (note.expiresUs)
        state.expiresUs = note.expiresUs;
}

} // namespace

bool remakeNames(SqliteConnection &connection)
{
    const auto textOf = [&connection](const char *name) {
        const auto text = connection.scalar(
            QStringLiteral("SELECT sql FROM sqlite_schema WHERE name = '%1'").arg(QLatin1String(name)));
        return text ? text->toString() : QString();
    };
    const auto make = [&] {
        const QString table = textOf("lock_names");
        const QString trigger = textOf("lock_names_follow");
        return !table.isEmpty() && !trigger.isEmpty() &&
               connection.run(QStringLiteral("DROP TRIGGER lock_names_follow")) &&
               connection.run(QStringLiteral("ALTER TABLE lock_names RENAME TO lock_names_damaged")) &&
               connection.run(table) && connection.run(trigger) && connection.setMeta("named_lock", "0") &&
               connection.setMeta("damaged", "1");
    };
    if (!connection.transact(make))
        return false;
    qCWarning(lcJournalStore) << "the index of names can't be read and is rebuilt";
    return true;
}

void addNote(RenewalNotes &notes, const domain::LockKey &key, const domain::LockState &renewed)
{
    notes.insert({key, renewed.acquiredUs.value_or(0)},
                 {renewed.acquiredUs, renewed.renewals, renewed.longestRenewalGapUs, renewed.renewedUs,
                  renewed.expiresUs});
}

bool EventStore::reload()
{
    if (m_connection.isUnreadable() &&
        !m_connection.scalar(QStringLiteral("SELECT count(*) FROM lock_names")) && !remakeNames(m_connection))
        return false;
    m_sources.clear();
    m_locks.clear();
    m_lastSeq = m_writtenSeq = m_connection.meta("last_seq").value_or("0").toULongLong();
    // Retention may have deleted the lock with the last number.
    const auto last = m_connection.firstNumber(m_connection.statement("lock_last"));
    if (!last)
        return false;
    m_lastLock = m_writtenLock = std::max(m_connection.metaNumber("last_lock", 0), last->value_or(0));
    if (m_lastLock == 0)
        m_names.assign(kNameBits, false);
    m_namedLock = m_connection.metaNumber("named_lock", 0);
    if (!nameLocks())
        return false;
    SqliteStatement &all = m_connection.statement("source_all");
    if (!m_connection.run(all))
        return false;
    while (all.next()) {
        m_sources.insert({QString::fromUtf8(all.bytes(1)), all.bytes(2)},
                         {all.integer(0), all.integer(3), all.integer(4) != 0, all.bytes(5)});
    }
    return m_rollups.reload() && m_open.reload() && m_waits.reload() && m_connection.endReading();
}

EventStore::StoredSource *EventStore::sourceOf(const QString &name, const QByteArray &store)
{
    const SourceKey key(name, store);
    if (const auto it = m_sources.find(key); it != m_sources.end())
        return &*it;
    SqliteStatement &insert = m_connection.statement("source_insert");
    if (!m_connection.run(insert.bindBytes(name.toUtf8()).bindBytes(store)))
        return nullptr;
    return &*m_sources.insert(key, {insert.lastId(), 0, false, {}});
}

std::optional<EventStore::StoredLock> EventStore::lockOf(qint64 sourceId, const domain::LockKey &key)
{
    const LockNumbers::Fingerprint print = m_locks.fingerprint(sourceId, key);
    if (const auto known = m_locks.find(print))
        return StoredLock{*known, false};
    const qint64 hash = nameHash(key.name);
    StoredLock lock;
    if (m_names.empty() || m_names[size_t(hash) % kNameBits]) {
        SqliteStatement &find = m_connection.statement("lock_find");
        find.bind(hash).bindBytes(key.name).bind(sourceId).bindBytes(key.scheme).bindBytes(key.place);
        const auto found = m_connection.firstNumber(find);
        if (!found)
            return std::nullopt;
        lock.id = found->value_or(0);
    }
    if (lock.id == 0) {
        if (!m_names.empty())
            m_names[size_t(hash) % kNameBits] = true;
        SqliteStatement &insert = m_connection.statement("lock_insert");
        lock = {++m_lastLock, true};
        insert.bind(lock.id).bind(sourceId).bindBytes(key.scheme).bindBytes(key.place).bindBytes(key.name);
        if (!m_connection.run(insert.bind(lockChecksum(sourceId, key)).bind(hash)))
            return std::nullopt;
    }
    if (m_locks.isFull() && !nameLocks())
        return std::nullopt;
    m_locks.insert(print, lock.id);
    return lock;
}

bool EventStore::nameLocks()
{
    if (m_namedLock == m_lastLock)
        return true;
    if (!m_connection.run(m_connection.statement("lock_names_add").bind(m_namedLock)) ||
        !m_connection.setMeta("named_lock", QByteArray::number(m_lastLock)))
        return false;
    m_namedLock = m_lastLock;
    return true;
}

bool EventStore::forgetLocks()
{
    if (!nameLocks())
        return false;
    m_locks.clear();
    return true;
}

bool EventStore::write(const QList<events::LockEvent> &events, RenewalNotes &notes)
{
    for (const events::LockEvent &event : events) {
        if (event.seq <= m_lastSeq)
            continue;
        m_lastSeq = event.seq;
        if (!writeEvent(event, notes))
            return false;
    }
    return true;
}

bool EventStore::writeEvent(const events::LockEvent &event, RenewalNotes &notes)
{
    StoredSource *source = sourceOf(event.key.source, event.store);
    if (!source)
        return false;
    SqliteStatement &insert = m_connection.statement("event_insert");
    if (!event.isSourceEvent()) {
        const auto lock = lockOf(source->id, event.key);
        std::optional<OpenHold> open;
        if (!lock || (!lock->isNew && !m_open.find(lock->id, open)))
            return false;
        bindEvent(insert, event, source->id, lock->id,
                  opensHold(event) ? qint64(event.seq)
                  : open           ? std::optional(open->id)
                                   : std::nullopt);
        return m_connection.run(insert) && m_waits.follow(event, lock->id) &&
               followHold(event, lock->id, open, notes);
    }
    bindEvent(insert, event, source->id, std::nullopt, std::nullopt);
    if (!m_connection.run(insert))
        return false;
    const bool ofPart = event.detail.partial;
    // A gap of dropped events is over already, while the source's own gap continues.
    const bool ofJournal = event.detail.cause == events::EventCause::Journal;
    if (ofPart || ofJournal ||
        (event.kind != events::EventKind::GapOpened && event.kind != events::EventKind::GapClosed))
        return true;
    source->gapOpen = event.kind == events::EventKind::GapOpened;
    return saveSource(*source);
}

bool EventStore::followHold(const events::LockEvent &event, qint64 lockId,
                            const std::optional<OpenHold> &open, RenewalNotes &notes)
{
    const HoldEnd end = endOf(event.kind);
    const bool ofWaiter =
        event.kind == events::EventKind::WaitStart || event.kind == events::EventKind::WaitEnd;
    if (ofWaiter && event.after && open) {
        // A restarted agent then knows who waited, and no wait begins twice.
        SqliteStatement &update = m_connection.statement("hold_state");
        const QByteArray state = protocol::encodeState(*event.after);
        return m_connection.run(update.bindBytes(sealState(state)).bind(open->id));
    }
    if (end == HoldEnd::Open) {
        if (event.kind == events::EventKind::Renewed && event.after)
            addNote(notes, event.key, *event.after);
        return true;
    }
    if (open) {
        m_open.remove(lockId);
        // The event may belong to a later hold than the open one: see WriteQueue.
        const bool isLater = event.detail.dropped > 0;
        if (!closeHold(event, *open, int(isLater ? HoldEnd::Gap : end), notes))
            return false;
    }
    return !opensHold(event) || openHold(event, lockId);
}

bool EventStore::openHold(const events::LockEvent &event, qint64 lockId)
{
    protocol::Hold hold;
    hold.ownerKnown = event.ownerKnown;
    hold.owner = event.owner;
    hold.fromUs = event.timeUs;
    hold.fromWindowUs = event.windowUs;
    if (event.after && event.after->acquiredUs) {
        hold.fromUs = *event.after->acquiredUs;
        hold.fromWindowUs = event.after->windowUs;
    }
    if (event.after)
        hold.startSeen = event.after->acquiredBy != domain::Evidence::FirstSeen;
    const std::optional<QByteArray> owner = event.ownerKnown ? std::optional(event.owner) : std::nullopt;
    SqliteStatement &insert = m_connection.statement("hold_insert");
    insert.bind(qint64(event.seq))
        .bind(lockId)
        .bindBytes(owner)
        .bind(hold.fromUs)
        .bind(hold.fromWindowUs)
        .bind(hold.startSeen ? 1 : 0);
    if (!m_connection.run(
            insert.bind(holdOpenCheck(lockId, owner, hold.fromUs, hold.fromWindowUs, hold.startSeen))))
        return false;
    m_open.insert(lockId, {qint64(event.seq), hold.fromUs});
    return true;
}

bool EventStore::closeHold(const events::LockEvent &event, const OpenHold &hold, int end, RenewalNotes &notes)
{
    for (const qint64 acquiredUs : {qint64(0), hold.fromUs}) {
        const auto it = notes.constFind({event.key, acquiredUs});
        if (it == notes.cend())
            continue;
        if (!renewHold(hold.id, *it))
            return false;
        m_taken.append({it.key(), it.value()});
        notes.erase(it);
    }
    SqliteStatement &close = m_connection.statement("hold_close");
    const qint64 events = qint64(event.seq) - hold.id;
    close.bind(event.timeUs).bind(event.windowUs).bind(end).bind(events);
    close.bind(holdCloseCheck(hold.id, event.timeUs, event.windowUs, HoldEnd(end), events)).bind(hold.id);
    return m_connection.run(close) && m_rollups.holdEnded(hold.id, event.timeUs);
}

bool EventStore::renewHold(qint64 holdId, const RenewalNote &note)
{
    SqliteStatement &renew = m_connection.statement("hold_renew");
    renew.bind(qint64(note.renewals)).bind(note.longestGapUs).bind(note.renewedUs).bind(note.expiresUs);
    return m_connection.run(renew.bind(holdRenewCheck(holdId, note)).bind(holdId));
}

bool EventStore::writeRenewals(RenewalNotes &notes, int limit)
{
    for (auto it = notes.begin(); it != notes.end() && limit > 0; it = notes.erase(it), --limit) {
        m_taken.append({it.key(), it.value()});
        const auto source =
            std::find_if(m_sources.keyValueBegin(), m_sources.keyValueEnd(),
                         [&](const auto &pair) { return pair.first.first == it.key().first.source; });
        if (source == m_sources.keyValueEnd())
            continue;
        const auto lock = lockOf((*source).second.id, it.key().first);
        std::optional<OpenHold> hold;
        if (!lock || !m_open.find(lock->id, hold))
            return false;
        if (!hold || it->acquiredUs.value_or(hold->fromUs) != hold->fromUs)
            continue;
        if (!renewHold(hold->id, *it))
            return false;
    }
    return true;
}

void EventStore::undo(RenewalNotes &notes)
{
    for (const auto &[key, note] : std::as_const(m_taken)) {
        if (!notes.contains(key))
            notes.insert(key, note);
    }
    m_taken.clear();
}

bool EventStore::writeProgress(const QList<Progress> &progress)
{
    // Stored beside the events, because the numbers must continue after retention has deleted the newest
    // event.
    if (m_writtenSeq != m_lastSeq && !m_connection.setMeta("last_seq", QByteArray::number(m_lastSeq)))
        return false;
    m_writtenSeq = m_lastSeq;
    if (m_writtenLock != m_lastLock && !m_connection.setMeta("last_lock", QByteArray::number(m_lastLock)))
        return false;
    m_writtenLock = m_lastLock;
    if (!m_rollups.write())
        return false;
    QMap<qint64, StoredSource> moved; // several of the same source are written once
    for (const Progress &step : progress) {
        StoredSource *source = sourceOf(step.source, step.store);
        if (!source)
            return false;
        source->lastSeenUs = step.lastSeenUs;
        if (step.position)
            source->position = *step.position;
        moved.insert(source->id, *source);
    }
    return std::all_of(moved.cbegin(), moved.cend(),
                       [this](const StoredSource &source) { return saveSource(source); });
}

bool EventStore::saveSource(const StoredSource &source)
{
    SqliteStatement &update = m_connection.statement("source_update");
    return m_connection.run(update.bind(source.lastSeenUs)
                                .bind(source.gapOpen ? 1 : 0)
                                .bindBytes(source.position)
                                .bind(source.id));
}

base::Result<QList<Opened::SourceAtEnd>> EventStore::sources()
{
    // A source that was moved to another store has a row for each store. The row that was seen last is the
    // current one.
    QHash<QString, Opened::SourceAtEnd> newest;
    for (auto it = m_sources.cbegin(); it != m_sources.cend(); ++it) {
        const auto known = newest.constFind(it.key().first);
        if (known != newest.cend() && known->lastSeenUs >= it->lastSeenUs)
            continue;
        Opened::SourceAtEnd source{it.key().first, it.key().second, it->lastSeenUs, it->gapOpen,
                                   it->position};
        source.sets = m_connection.meta("sets/" + source.name.toUtf8()).value_or(QByteArray());
        source.server = m_connection.meta("server/" + source.name.toUtf8()).value_or(QByteArray());
        if (source.lastSeenUs == 0) {
            const auto up = m_connection.firstNumber(m_connection.statement("source_first_up").bind(it->id));
            if (!up)
                return tl::unexpected(up.error());
            source.firstUpUs = up->value_or(0);
        }
        newest.insert(source.name, source);
    }
    return newest.values();
}

base::Result<QHash<qint64, domain::LockState>> EventStore::lastStates()
{
    const auto locks = presentAtEnd(m_connection);
    if (!locks)
        return tl::unexpected(locks.error());
    QHash<qint64, domain::LockState> states;
    SqliteStatement &last = m_connection.statement("event_with_lock");
    for (const PresentLock &lock : *locks) {
        std::optional<OpenHold> open;
        if (lock.seq == 0 || !m_open.find(lock.lockId, open) || (open && open->id == lock.seq))
            continue; // the hold's first event already contains that state
        if (!m_connection.run(last.bind(lock.seq)))
            return tl::unexpected(m_connection.error());
        if (!last.next())
            continue;
        auto row = readEvent(last, true);
        const auto key = readLock(last, kEventColumns);
        if (!row || !key) {
            qCWarning(lcJournalStore) << "event" << lock.seq << "is damaged: its lock isn't restored by it";
        } else if (row->event.after) {
            row->event.after->key = key->key;
            row->event.after->key.source = nameOf(key->sourceId);
            states.insert(lock.lockId, std::move(*row->event.after));
        }
        last.finish();
    }
    if (!m_connection.endReading())
        return tl::unexpected(m_connection.error());
    return states;
}

QString EventStore::nameOf(qint64 sourceId) const
{
    for (auto it = m_sources.cbegin(); it != m_sources.cend(); ++it) {
        if (it->id == sourceId)
            return it.key().first;
    }
    return {};
}

base::Result<void> EventStore::restore(Opened &opened)
{
    auto last = lastStates();
    if (!last) { // a damaged page must not keep the agent from writing
        qCWarning(lcJournalStore) << "idle locks aren't restored:" << last.error().line();
        (void)m_connection.endReading();
        last = QHash<qint64, domain::LockState>();
    }
    SqliteStatement &open = m_connection.statement("hold_open_rows");
    if (!m_connection.run(open))
        return tl::unexpected(m_connection.error());
    while (open.next()) {
        const auto row = readHold(open);
        auto state = row ? stateOf(open, *row) : std::nullopt;
        if (const auto known = row ? last->constFind(row->lockId) : last->cend(); known != last->cend()) {
            state = *known;
            last->erase(known);
        }
        const auto lock = readLock(open, kHoldColumns + kEventColumns);
        if (!state || !lock) {
            qCWarning(lcJournalStore) << "hold" << open.integer(0) << "is damaged and not restored";
            continue;
        }
        if (state->key == domain::LockKey()) {
            state->key = lock->key;
            state->key.source = nameOf(lock->sourceId);
        }
        restoreRenewals(*state, row->note);
        opened.held.append(std::move(*state));
    }
    opened.idle = last->values();
    if (!m_connection.endReading())
        return tl::unexpected(m_connection.error());
    return {};
}

} // namespace lockkeeper::agent::journal
