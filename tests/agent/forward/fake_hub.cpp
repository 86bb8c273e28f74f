// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/forward/fake_hub.h"

namespace lockkeeper::tests {

using agent::hub::ForwardingAgent;
using agent::hub::HubBatch;
using agent::hub::Watermark;
using base::ErrorCode;

base::Result<Watermark> addTo(JournalCopy &copy, const HubBatch &batch)
{
    Watermark &watermark = copy.watermark;
    if (batch.toSeq >= batch.fromSeq && batch.toSeq <= watermark.lastSeq)
        return watermark;
    if (batch.fromSeq != watermark.lastSeq + 1)
        return base::failure(ErrorCode::Usage, QStringLiteral("the batch begins with event %1 after event %2")
                                                   .arg(batch.fromSeq)
                                                   .arg(watermark.lastSeq));
    qsizetype event = 0;
    qsizetype hole = 0;
    for (qint64 seq = batch.fromSeq; seq <= batch.toSeq; ++seq) {
        if (event < batch.events.size() && qint64(batch.events.at(event).event.seq) == seq) {
            ++event;
        } else {
            while (hole < batch.holes.size() && batch.holes.at(hole).to < seq)
                ++hole;
            if (hole == batch.holes.size() || batch.holes.at(hole).from > seq)
                return base::failure(ErrorCode::Usage, QStringLiteral("event %1 is missing").arg(seq));
        }
        copy.numbers.append(seq);
    }
    watermark.lastSeq = batch.toSeq;
    copy.events += batch.events;
    copy.holes += batch.holes;
    copy.holds += batch.holds;
    copy.waits += batch.waits;
    copy.locks += batch.locks;
    copy.records += batch.records;
    if (!batch.locks.isEmpty())
        watermark.lastLock = batch.locks.constLast().lockId;
    if (!batch.records.isEmpty())
        watermark.lastRecord = batch.records.constLast().record;
    return watermark;
}

/** A connection; see FakeHub. */
class FakeSink final : public agent::hub::HubSink
{
public:
    explicit FakeSink(std::shared_ptr<FakeHub::Shared> shared) : m_shared(std::move(shared)) {}

    base::Result<Watermark> open(const ForwardingAgent &agent) override
    {
        const std::lock_guard lock(m_shared->mutex);
        if (m_shared->fault == HubFault::Unreachable)
            return base::failure(ErrorCode::Unreachable, QStringLiteral("the hub is away"));
        m_shared->openedEpochs.append(agent.epoch);
        if (agent.epoch < m_shared->epoch)
            return base::failure(ErrorCode::ReadOnly, QStringLiteral("another agent is the active one"));
        m_agent = agent;
        return m_shared->copies[agent.journalId].watermark;
    }

    base::Result<Watermark> write(const HubBatch &batch) override
    {
        std::unique_lock lock(m_shared->mutex);
        ++m_shared->batches;
        if (m_shared->fault == HubFault::Unreachable)
            return base::failure(ErrorCode::ConnectionLost, QStringLiteral("the hub went away"));
        if (m_shared->fault == HubFault::Hangs) {
            ++m_shared->hanging;
            m_shared->changed.wait(lock, [this] { return m_interrupted; });
            --m_shared->hanging;
            return base::failure(ErrorCode::Cancelled, QStringLiteral("interrupted"));
        }
        JournalCopy &copy = m_shared->copies[m_agent.journalId];
        if (m_shared->fault == HubFault::KeepsNothing)
            return copy.watermark;
        const auto added = addTo(copy, batch);
        if (m_shared->fault == HubFault::LostReply) {
            m_shared->fault = HubFault::None;
            return base::failure(ErrorCode::ConnectionLost, QStringLiteral("the answer was lost"));
        }
        return added;
    }

    void interrupt() override
    {
        const std::lock_guard lock(m_shared->mutex);
        m_interrupted = true;
        m_shared->changed.notify_all();
    }

private:
    std::shared_ptr<FakeHub::Shared> m_shared;
    ForwardingAgent m_agent;
    bool m_interrupted = false; ///< guarded by the hub's mutex
};

std::unique_ptr<agent::hub::HubSink> FakeHub::sink() const
{
    return std::make_unique<FakeSink>(m_shared);
}

void FakeHub::setFault(HubFault fault)
{
    const std::lock_guard lock(m_shared->mutex);
    m_shared->fault = fault;
}

void FakeHub::setEpoch(qint64 epoch)
{
    const std::lock_guard lock(m_shared->mutex);
    m_shared->epoch = epoch;
}

JournalCopy FakeHub::copyOf(const QByteArray &journalId) const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->copies.value(journalId);
}

QList<qint64> FakeHub::openedEpochs() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->openedEpochs;
}

int FakeHub::batches() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->batches;
}

bool FakeHub::isHanging() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->hanging > 0;
}

} // namespace lockkeeper::tests
