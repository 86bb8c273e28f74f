// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/nodes_pass.h"

namespace lockkeeper::stores::redis {

NodesPass::NodesPass(NodeSet &nodes, quint64 request, qsizetype lockSets, Look look, Ended ended)
    : m_nodes(nodes), m_look(std::move(look)), m_ended(std::move(ended)), m_seen(size_t(lockSets))
{
    m_end.request = request;
}

void NodesPass::start()
{
    m_end.beganUs = m_nodes.nowUs() - m_nodes.slackUs();
    ++m_pending; // until all are asked
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        if (!m_nodes.at(i).up)
            continue;
        ++m_pending;
        m_nodes.at(i).pass([self = shared_from_this()](const Page &page) { self->takePage(page); },
                           [self = shared_from_this()](const PassEnd &end) { self->takeEnd(end); });
    }
    step();
}

void NodesPass::takePage(const Page &page)
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

void NodesPass::takeEnd(const PassEnd &end)
{
    m_whole += end.complete ? 1 : 0;
    m_end.scanned += end.scanned;
    if (!end.complete && m_end.error.cause.isEmpty())
        m_end.error = end.error;
    step();
}

void NodesPass::step()
{
    if (--m_pending > 0 || m_over)
        return;
    m_over = true;
    m_end.endedUs = m_nodes.nowUs() + m_nodes.slackUs();
    m_end.complete = m_whole >= m_nodes.quorum();
    if (m_end.complete)
        m_end.error = {};
    else if (m_end.error.cause.isEmpty())
        m_end.error = noQuorumError(m_nodes);
    m_ended(m_end);
}

} // namespace lockkeeper::stores::redis
