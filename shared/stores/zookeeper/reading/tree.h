// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"
#include "shared/stores/zookeeper/connection/link.h"
#include "shared/stores/zookeeper/reading/recipes.h"

#include <QHash>
#include <QSet>

namespace lockkeeper::stores::zookeeper {

/** One znode that stands in a queue. */
struct Contender
{
    QByteArray name; ///< without its parent's path
    Place place;
    Stat stat;
    QByteArray data;
    /** Who it is, for people and for telling waiters apart: what it says of itself and its session. */
    QByteArray label;
};

/** A znode as it was at one moment, with those who queue below it. */
struct Znode
{
    QByteArray path;
    bool present = false;
    std::optional<base::Error> error; ///< it couldn't be read: nothing is known of it
    Stat stat;
    QList<QByteArray> below; ///< its other children
    QList<Contender> queue;  ///< in order; the ones past the first 1,000 without Stat and data

    bool isLock() const { return !queue.isEmpty(); }
};

/** How many of a queue, from its front, hold the lock. Of a semaphore: all that are there. Pure. */
qsizetype holdersOf(const QList<Contender> &queue);

/** What a lock shows, under `name`; not present where nobody queues below the znode. Pure. */
Observation observationOf(const Znode &znode, quint16 set, const QByteArray &name);

/** What becomes of what is read. */
enum class Look : quint8 {
    Once = 0, ///< nothing: it answers a question
    Kept,     ///< it is remembered
    Watched,  ///< … and the next change of the children is told
};

/** "/a/b" from "/a" and "b". */
QByteArray childOf(const QByteArray &path, const QByteArray &name);

/** What names one acquisition: "czxid/session/path". */
QByteArray identityOf(const QByteArray &lock, const Contender &contender);

/**
 * Reads znodes with those that queue below them. A contender is read when it appears; of the holders all is
 * read each time. What was read once holds for as long as the list of children says, whose own znode must be
 * the same one (a parent that is made anew begins its sequence anew).
 */
class Tree
{
public:
    using Done = std::function<void(const Znode &)>;

    /** `roots`: of these, where they are missing, the creation is watched. A creation of any other znode is a
     * change of its parent's children. */
    Tree(Link &link, QSet<QByteArray> roots) : m_link(link), m_roots(std::move(roots)) {}

    /** `done` is called once, later. */
    void read(const QByteArray &path, Look look, Done done);
    /** As it was kept last; null: not kept, or not there. */
    const Znode *known(const QByteArray &path) const;
    void clear() { m_known.clear(); }

private:
    struct Reading;

    Link &m_link;
    QSet<QByteArray> m_roots;
    QHash<QByteArray, Znode> m_known;
};

} // namespace lockkeeper::stores::zookeeper
