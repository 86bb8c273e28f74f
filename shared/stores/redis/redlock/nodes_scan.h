// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/reading/seen_names.h"
#include "shared/stores/redis/redlock/node_set.h"

#include <functional>
#include <memory>

namespace lockkeeper::stores::redis {

/**
 * One scan over all nodes: each that is up is scanned for names, and every name is looked at on all nodes
 * once, when the first of them shows it. Whole where a majority of the nodes was scanned: any lock that is
 * held is on one of those. Keeps itself alive until its end.
 */
class NodesScan : public std::enable_shared_from_this<NodesScan>
{
public:
    /** Looks at locks on all nodes, and reports when it is done. */
    using Look = std::function<void(const QList<Subject> &, std::function<void()>)>;

    NodesScan(NodeSet &nodes, qsizetype lockSets, Look look, Store::ScanEnded ended);

    void start();
    /** It ends here. */
    void lose(const base::Error &error) { end(error); }
    bool isOver() const { return m_over; }

private:
    void takePage(const Page &page);
    void takeEnd(const ScanEnd &end);
    void step();
    void end(const std::optional<base::Error> &error);

    NodeSet &m_nodes;
    ScanEnd m_end;
    Look m_look;
    Store::ScanEnded m_ended;
    std::vector<SeenNames> m_seen; ///< by lock set
    qsizetype m_whole = 0;         ///< nodes scanned from end to end
    int m_pending = 0;
    bool m_over = false;
};

} // namespace lockkeeper::stores::redis
