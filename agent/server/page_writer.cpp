// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/page_writer.h"

#include "shared/base/text.h"

#include <chrono>

namespace lockkeeper::agent::server {

using namespace std::chrono_literals;

namespace {
constexpr auto kStalledAfter = 5s;
constexpr qsizetype kLookedAtPerTurn = 5'000; ///< where a filter lets few through
} // namespace

PageWriter::PageWriter(transport::Channel &channel, quint64 id, SnapshotPtr snapshot, Filter filter,
                       QObject *parent)
    : QObject(parent),
      m_channel(channel),
      m_id(id),
      m_snapshot(std::move(snapshot)),
      m_filter(std::move(filter))
{
    m_stall.setSingleShot(true);
    connect(&m_stall, &QTimer::timeout, this, [this] {
        cancel();
        Q_EMIT stalled();
    });
    // A timer and not a queued call: those would all be done before any socket gets its turn.
    m_turn.setSingleShot(true);
    m_turn.setInterval(0);
    connect(&m_turn, &QTimer::timeout, this, &PageWriter::writeSome);
    connect(&m_channel, &transport::Channel::drained, this, &PageWriter::writeSome);
}

PageWriter::~PageWriter() = default;

void PageWriter::start()
{
    m_stall.start(kStalledAfter);
    writeSome();
}

void PageWriter::cancel()
{
    m_done = true;
    m_stall.stop();
    m_turn.stop();
    m_snapshot.reset();
}

bool PageWriter::fits(const domain::LockState &state) const
{
    return (m_filter.source.isEmpty() || m_filter.source == state.key.source) &&
           (m_filter.nameGlob.isEmpty() || base::globMatches(m_filter.nameGlob, state.key.name));
}

protocol::SnapshotPage PageWriter::nextPage()
{
    protocol::SnapshotPage page;
    page.id = m_id;
    page.atSeq = m_snapshot->seq;
    qint64 weight = 0;
    QList<domain::LockState> &locks = m_snapshot->locks;
    const qsizetype turnEnd = std::min(locks.size(), m_next + kLookedAtPerTurn);
    for (; m_next < turnEnd && page.locks.size() < kItemsPerFrame && weight < kFrameTarget; ++m_next) {
        // Taken out, so that the snapshot goes page by page and not all at once at the end.
        domain::LockState state = std::move(locks[m_next]);
        if (!fits(state))
            continue;
        weight += weightOf(state);
        page.locks.append(std::move(state));
    }
    page.last = m_next == locks.size();
    if (page.last)
        page.sources = m_snapshot->sources;
    return page;
}

void PageWriter::writeSome()
{
    if (m_done || m_channel.pendingBytes() >= kChannelHigh)
        return;
    const protocol::SnapshotPage page = nextPage();
    if (page.last || !page.locks.isEmpty()) {
        m_channel.send(page);
        m_stall.start(kStalledAfter);
    }
    if (page.last) {
        cancel();
        Q_EMIT finished();
        return;
    }
    if (m_channel.pendingBytes() < kChannelHigh)
        m_turn.start();
}

} // namespace lockkeeper::agent::server
