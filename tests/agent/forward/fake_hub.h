// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/hub/hub_batch.h"

#include <QHash>

#include <condition_variable>
#include <memory>
#include <mutex>

namespace lockkeeper::tests {

/** How the calls of a hub fail. */
enum class HubFault : quint8 {
    None,
    Unreachable,  ///< every call fails
    LostReply,    ///< the next batch is stored, but its answer is lost
    Hangs,        ///< a batch waits for the interrupt
    KeepsNothing, ///< a batch is accepted and not stored
};

/** A hub's copy of one journal. */
struct JournalCopy
{
    agent::hub::Watermark watermark;
    QList<qint64> numbers; ///< of events and of those in holes, in the order of their arrival
    QList<agent::journal::EventRow> events;
    QList<agent::journal::StoredLockRow> locks;
    QList<agent::hub::HubHole> holes;
    QList<agent::journal::HoldRow> holds;
    QList<agent::hub::HubWait> waits;
    QList<agent::journal::AuditRecord> records;
};

/** Adds the batch as a hub's transaction does. */
base::Result<agent::hub::Watermark> addTo(JournalCopy &copy, const agent::hub::HubBatch &batch);

/** A hub's database in memory. Safe from any thread. */
class FakeHub
{
public:
    FakeHub() : m_shared(std::make_shared<Shared>()) {}

    /** A connection to this hub. */
    std::unique_ptr<agent::hub::HubSink> sink() const;
    void setFault(HubFault fault);
    /** Refuses agents of a lower epoch. */
    void setEpoch(qint64 epoch);
    JournalCopy copyOf(const QByteArray &journalId) const;
    qint64 lastSeqOf(const QByteArray &journalId) const { return copyOf(journalId).watermark.lastSeq; }
    QList<qint64> openedEpochs() const;
    /** Batches that arrived. */
    int batches() const;
    bool isHanging() const;

private:
    friend class FakeSink;
    struct Shared
    {
        mutable std::mutex mutex;
        std::condition_variable changed;
        HubFault fault = HubFault::None;
        qint64 epoch = 0;
        int batches = 0;
        int hanging = 0;
        QList<qint64> openedEpochs;
        QHash<QByteArray, JournalCopy> copies;
    };

    std::shared_ptr<Shared> m_shared;
};

} // namespace lockkeeper::tests
