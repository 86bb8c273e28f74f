// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/locks_proxy.h"
#include "app/views/table/export_source.h"

#include <QByteArray>
#include <QStringList>

#include <vector>

namespace lockkeeper::app::views {

/** The cells of `rows` (proxy rows) in whole under their headers, in the given column order. */
QList<QStringList> lockCells(const models::LocksProxy &proxy, const QList<int> &rows,
                             const QList<int> &columns);

/** The locks as a JSON array of objects with names that stay as they are; times RFC 3339 in UTC. `asOfUs`:
 * of a past moment, which each of them says. */
QByteArray locksToJson(const QList<const models::LockRow *> &rows, const domain::TimeUs &asOfUs = {});

/**
 * All that is known of each lock that is shown, in its order: a CSV line, or one of locksToJson()'s objects.
 * The locks are gathered first, in some turns, and written as they were then, so that each is there once; a
 * change of order meanwhile begins the gathering anew. `asOfUs` as above.
 */
class LocksSource : public ExportSource
{
    Q_OBJECT

public:
    /** `proxy` isn't owned and outlives this. */
    LocksSource(const models::LocksProxy *proxy, ExportColumns::Format format, domain::TimeUs asOfUs = {});

    void next() override;

private:
    struct Lock
    {
        state::PackedLock lock;
        state::Badge badge;
    };
    void gather();
    void beginAgain();

    const models::LocksProxy *m_proxy;
    ExportColumns::Format m_format;
    QStringList m_names;
    domain::TimeUs m_asOfUs;
    std::vector<Lock> m_locks;
    int m_row = 0; ///< of the proxy: the next one to gather
    size_t m_written = 0;
    bool m_gathered = false;
    int m_beginnings = 0;
};

} // namespace lockkeeper::app::views
