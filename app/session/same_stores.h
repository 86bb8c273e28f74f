// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/source_state.h"

#include <QHash>
#include <QStringList>

namespace lockkeeper::app::session {

/**
 * Which sources of several agents are the same store, and which of them sees it best. A lock of the same
 * scheme, place and name in two of them is one lock.
 */
class SameStores
{
public:
    /** True where some store is seen otherwise than before: by others, or by another one best. */
    bool take(const domain::SourceState &source);
    /** Its agent is connected, or isn't: who isn't sees nothing. True as of take(). */
    bool setLive(const QString &agent, bool live);
    /** There is no such agent any more. True as of take(). */
    bool forget(const QString &agent);
    void clear();

    /** All sources of this one's store, the best first: itself alone where no other is known. */
    QStringList of(const QString &source) const;
    /** Of the sources of its store the one that sees it best. */
    QString bestOf(const QString &source) const;
    bool isEmpty() const { return m_groups.isEmpty(); } ///< no store is seen twice
    /** The sources of all stores that are seen twice. */
    QStringList shared() const { return m_groups.keys(); }

private:
    bool arrange();

    QHash<QString, domain::SourceState> m_sources;
    QHash<QString, bool> m_live;          ///< by agent; those not in it are
    QHash<QString, QStringList> m_groups; ///< by source; of those with more than one alone
};

} // namespace lockkeeper::app::session
