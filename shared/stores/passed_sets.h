// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <QMap>

namespace lockkeeper::stores {

/** The lock sets that a store's scans skip because they can't be read, while other sets can. */
class PassedSets
{
public:
    /** The scan under way can't read this set. */
    void pass(quint16 set, const base::Error &why) { m_now.insert(set, why); }
    bool isEmpty() const { return m_now.isEmpty(); }
    qsizetype count() const { return m_now.size(); }
    /** Why the first of them isn't read. */
    base::Error why() const { return m_now.isEmpty() ? base::Error() : m_now.first(); }
    /** The scan fails. */
    void giveUp() { m_now.clear(); }
    void clear() { *this = {}; }

    /**
     * The scan has ended. Calls `tell` for each set that is newly skipped, and for each set that is read
     * again. `places`: as in ServerInfo. Returns ScanEnd::covers.
     */
    std::function<bool(const Subject &)> end(const QList<LockSet> &sets, const QList<QByteArray> &places,
                                             const std::function<void(const ShardState &)> &tell);

private:
    QMap<quint16, base::Error> m_now;
    QMap<quint16, base::Error> m_told; ///< reported by earlier scans
};

} // namespace lockkeeper::stores
