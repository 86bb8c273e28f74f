// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/reading/znode_watcher.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::zookeeper {

namespace {

constexpr qsizetype kMostReadAgain = 100; ///< readings under way; changes of waiting paths are coalesced

} // namespace

ZnodeWatcher::ZnodeWatcher(ZookeeperLink &link, Tree &tree, const LocalClock &clock, AnswerTimes &times,
                           qint64 proofMs)
    : m_link(link), m_tree(tree), m_clock(clock), m_times(times)
{
    m_read.setSingleShot(true);
    m_read.setInterval(0); // reads all changes of one packet together
    m_proof.setInterval(int(std::clamp<qint64>(proofMs, 50, 1'000)));
    connect(&m_link, &ZookeeperLink::childrenChanged, this, &ZnodeWatcher::mark);
    connect(&m_read, &QTimer::timeout, this, &ZnodeWatcher::read);
    connect(&m_proof, &QTimer::timeout, this, &ZnodeWatcher::prove);
}

void ZnodeWatcher::begin()
{
    m_on = true;
    m_provenUs = m_clock.nowUs();
    m_proof.start();
}

void ZnodeWatcher::end()
{
    m_on = false;
    m_marked.clear();
    m_reading.clear();
    m_read.stop();
    m_proof.stop();
}

void ZnodeWatcher::mark(const QByteArray &path)
{
    if (!m_on)
        return;
    if (!m_marked.contains(path))
        m_marked.insert(path, m_provenUs);
    if (!m_read.isActive())
        m_read.start();
}

void ZnodeWatcher::read()
{
    QList<QByteArray> paths = m_marked.keys();
    paths.removeIf([this](const QByteArray &path) { return m_reading.contains(path); });
    for (const QByteArray &path : paths.first(std::min(paths.size(), kMostReadAgain - m_reading.size())))
        readOne(path);
}

void ZnodeWatcher::readOne(const QByteArray &path)
{
    const qint64 sinceUs = m_marked.take(path);
    const Znode *known = m_tree.known(path);
    const Znode before = known ? *known : Znode();
    m_reading.insert(path);
    m_tree.read(path, ReadingUse::Watched, [this, path, sinceUs, before](const Znode &now) {
        if (!m_on)
            return;
        m_reading.remove(path);
        if (!m_marked.isEmpty())
            m_read.start();
        if (now.error && (now.error->code != base::ErrorCode::PermissionDenied || before.present)) {
            Q_EMIT failed(*now.error);
            return;
        }
        const bool same = now.present && before.present && now.stat.czxid == before.stat.czxid;
        ZnodeChange change;
        change.znode = now;
        change.sinceUs = sinceUs;
        change.untilUs = m_clock.nowUs();
        change.changes = same ? now.stat.cversion - before.stat.cversion : 1;
        change.wasLock = before.isLock();
        if (change.changes > 0)
            Q_EMIT changed(change);
        for (const QByteArray &name : now.below) {
            const QByteArray child = childOf(path, name);
            if (same && before.below.contains(name) && m_tree.known(child))
                continue;
            if (!m_marked.contains(child)) // new: it isn't watched yet
                m_marked.insert(child, sinceUs);
        }
        if (!m_marked.isEmpty())
            m_read.start();
    });
}

/** ZooKeeper keeps the order: all changes from before the sync were reported before its answer. */
void ZnodeWatcher::prove()
{
    m_link.sync([this, sentUs = m_clock.nowUs()](const Reply &reply) {
        if (!m_on || reply.error)
            return;
        m_provenUs = std::max(m_provenUs, sentUs);
        m_times.answered(m_clock.nowUs() - sentUs);
        m_times.waited(m_clock.nowUs() - sentUs, m_clock.nowUs());
        if (m_marked.isEmpty() && m_reading.isEmpty())
            Q_EMIT proven(sentUs);
    });
}

} // namespace lockkeeper::stores::zookeeper
