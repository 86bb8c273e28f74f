// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"
#include "shared/stores/zookeeper/connection/zookeeper_link.h"
#include "shared/stores/zookeeper/reading/recipes.h"

#include <QHash>
#include <QSet>

namespace lockkeeper::stores::zookeeper {

/** One znode that stands in a queue. */
struct Contender
{
    QByteArray name; ///< without its parent's path
    RecipePlace place;
    Stat stat;
    QByteArray data;
    /** Names it for people, and distinguishes waiters: its data and its session. */
    QByteArray label;
};

/** A znode as it was at one moment, with the contenders that queue below it. */
struct Znode
{
    QByteArray path;
    bool present = false;
    std::optional<base::Error> error; ///< it couldn't be read: nothing is known of it
    Stat stat;
    QList<QByteArray> below; ///< its other children
    QList<Contender> queue;  ///< in order; contenders past the first 1,000 have no Stat or data

    bool isLock() const { return !queue.isEmpty(); }
};

/** The number of entries at the front of a queue that hold the lock; all of them for a semaphore. Pure. */
qsizetype holdersOf(const QList<Contender> &queue);

/** The observation of a lock, under `name`; not present if no client queues below the znode. Pure. */
Observation observationOf(const Znode &znode, quint16 set, const QByteArray &name);

/** How the tree uses the result of a reading. */
enum class ReadingUse : quint8 {
    Once = 0, ///< not kept: it answers a question
    Kept,     ///< remembered
    Watched,  ///< … and the next change of the children is reported
};

/** "/a/b" from "/a" and "b". */
QByteArray childOf(const QByteArray &path, const QByteArray &name);

/** Identifies one acquisition: "czxid/session/path". */
QByteArray identityOf(const QByteArray &lock, const Contender &contender);

/**
 * Reads znodes with the contenders that queue below them. A contender is read when it appears; holders are
 * read each time. A contender's reading stays valid while the list of children shows it and the parent is the
 * same znode. A parent that is recreated restarts its sequence.
 */
class Tree
{
public:
    using Done = std::function<void(const Znode &)>;

    /** `roots`: where one of these is missing, its creation is watched. The creation of any other znode is a
     * change of its parent's children. */
    Tree(ZookeeperLink &link, QSet<QByteArray> roots) : m_link(link), m_roots(std::move(roots)) {}

    /** `done` is called once, later. */
    void read(const QByteArray &path, ReadingUse look, Done done);
    /** As last kept; null: not kept, or it doesn't exist. */
    const Znode *known(const QByteArray &path) const;
    void clear() { m_known.clear(); }

private:
    struct ZnodeReading;

    ZookeeperLink &m_link;
    QSet<QByteArray> m_roots;
    QHash<QByteArray, Znode> m_known;
};

} // namespace lockkeeper::stores::zookeeper
