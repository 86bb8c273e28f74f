// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/page_writer.h"

namespace lockkeeper::agent::server {

PageWriter::PageWriter(transport::Channel &channel, quint64 id, SnapshotPtr snapshot,
                       std::chrono::milliseconds patience, QObject *parent)
    : QObject(parent), m_channel(channel), m_id(id), m_snapshot(std::move(snapshot))
{
    m_stall.setSingleShot(true);
    m_stall.setInterval(patience);
    connect(&m_stall, &QTimer::timeout, this, [this] {
        cancel();
        Q_EMIT stalled();
    });
    // Use a timer, not a queued call: queued calls would all run before any socket gets its turn.
    m_turn.setSingleShot(true);
    m_turn.setInterval(0);
    connect(&m_turn, &QTimer::timeout, this, &PageWriter::writeSome);
    connect(&m_channel, &transport::Channel::taken, this, &PageWriter::taken);
    connect(&m_channel, &transport::Channel::drained, this, &PageWriter::writeSome);
}

PageWriter::~PageWriter() = default;

void PageWriter::start()
{
    m_goal = m_channel.takenBytes() + kPageHeadway;
    m_stall.start();
    writeSome();
}

void PageWriter::taken()
{
    const qint64 taken = m_channel.takenBytes();
    if (m_done || taken < m_goal)
        return;
    m_stall.start();
    m_goal = taken + kPageHeadway;
}

void PageWriter::cancel()
{
    m_done = true;
    m_stall.stop();
    m_turn.stop();
    m_snapshot.reset();
}

void PageWriter::writePage()
{
    // Take the page out, so that the snapshot is freed page by page and not all at once at the end.
    const PackedLocks::PackedPage page = m_snapshot->locks.takePage();
    if (page.count == 0)
        return;
    m_channel.sendFrame(
        protocol::frame(protocol::encodePage(m_id, m_snapshot->seq, page.count, page.states)));
}

void PageWriter::writeLastPage()
{
    protocol::SnapshotPage page{m_id, m_snapshot->seq, true, {}, m_snapshot->sources};
    if (!m_snapshot->locks.isEmpty())
        page.locks = m_snapshot->locks.takeLocks();
    m_channel.send(page);
    cancel();
    Q_EMIT finished();
}

void PageWriter::writeSome()
{
    if (m_done || m_channel.pendingBytes() >= kChannelHigh)
        return;
    if (m_snapshot->locks.isEmpty() || m_snapshot->locks.isLastPage()) {
        writeLastPage();
        return;
    }
    writePage();
    if (m_channel.pendingBytes() < kChannelHigh)
        m_turn.start();
}

} // namespace lockkeeper::agent::server
