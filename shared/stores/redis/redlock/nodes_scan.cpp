// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/nodes_scan.h"

#include <utility>

namespace lockkeeper::stores::redis {

NodesScan::NodesScan(NodeSet &nodes, qsizetype lockSets, Look look, Store::ScanEnded ended)
    : m_nodes(nodes), m_look(std::move(look)), m_ended(std::move(ended)), m_seen(size_t(lockSets))
{
}

void NodesScan::start()
{
    m_end.beganUs = m_nodes.nowUs() - m_nodes.slackUs();
    ++m_pending; // until all are asked
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        if (!m_nodes.at(i).up)
            continue;
        ++m_pending;
        m_nodes.at(i).store->scan([self = shared_from_this()](const Page &page) { self->takePage(page); },
                                  [self = shared_from_this()](const ScanEnd &end) { self->takeEnd(end); });
    }
    step();
}

void NodesScan::takePage(const Page &page)
{
    if (m_over)
        return;
    QList<Subject> fresh;
    for (const Observation &lock : page.locks) {
        if (lock.set < m_seen.size() && m_seen[lock.set].insert(lock.name))
            fresh.append({lock.set, lock.name});
    }
    if (fresh.isEmpty())
        return;
    ++m_pending;
    m_look(fresh, [self = shared_from_this()] { self->step(); });
}

void NodesScan::takeEnd(const ScanEnd &end)
{
    m_whole += end.complete ? 1 : 0;
    m_end.scanned += end.scanned;
    if (!end.complete && m_end.error.cause.isEmpty())
        m_end.error = end.error;
    step();
}

void NodesScan::step()
{
    if (--m_pending > 0)
        return;
    if (m_whole >= m_nodes.quorum())
        end(std::nullopt);
    else
        end(m_end.error.cause.isEmpty() ? noQuorumError(m_nodes) : m_end.error);
}

void NodesScan::end(const std::optional<base::Error> &error)
{
    if (std::exchange(m_over, true))
        return;
    m_end.endedUs = m_nodes.nowUs() + m_nodes.slackUs();
    m_end.complete = !error;
    m_end.error = error.value_or(base::Error{});
    m_ended(m_end);
}

} // namespace lockkeeper::stores::redis
