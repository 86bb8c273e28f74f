// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/etcd/reading/queues.h"

#include <QHash>
#include <QMap>

namespace lockkeeper::stores::etcd {

/** One key as an event of a watch shows it. */
struct KeyEvent
{
    KeyValue key; ///< for a deletion the key and the revision that deleted it (`mod`)
    bool deleted = false;
};

/** A lock that a revision has changed. */
struct Turned
{
    QByteArray name;
    std::optional<Queue> queue; ///< empty: it no longer exists
    qint64 before = 0;          ///< the lease of the former holder; 0: none
};

/** The keys of one range as of some revision: from a reading, and each event of a watch since. */
class KeyMirror
{
public:
    void fill(const QList<KeyValue> &keys, qint64 revision);
    /** Applies all changes of one revision. Events of a revision that was applied before change nothing. */
    QList<Turned> apply(const QList<KeyEvent> &events);
    QList<Queue> queues() const { return queuesOf(m_keys.values()); }
    /** The locks whose holder has one of these leases. */
    QList<Queue> heldBy(const QSet<qint64> &leases) const;
    /** True where its holder is the known holder. */
    bool isHeldAs(const Queue &queue) const;
    qint64 revision() const { return m_revision; }
    qsizetype size() const { return m_keys.size(); }

private:
    QByteArray rootOf(const QByteArray &key) const;
    QList<KeyValue> keysUnder(const QByteArray &root) const;
    void count(const KeyValue &key, int by);

    QMap<QByteArray, KeyValue> m_keys;
    QHash<QByteArray, int> m_places; ///< by prefix: the length of its queue
    qint64 m_revision = 0;
};

} // namespace lockkeeper::stores::etcd
