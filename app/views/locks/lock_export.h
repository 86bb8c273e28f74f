// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/locks_proxy.h"
#include "app/records/records.h"
#include "app/views/table/export_source.h"

#include <QByteArray>
#include <QStringList>

#include <vector>

namespace lockkeeper::app::views {

/** The cells of `rows` (proxy rows) in whole under their headers, in the given column order. */
QList<QStringList> lockCells(const models::LocksProxy &proxy, const QList<int> &rows,
                             const QList<int> &columns);

/** A lock as it was when the export read its row. */
struct ExportedLock
{
    replica::PackedLock lock;
    records::SourceView view;
    QString agent;
    QString label;      ///< Replica::labelOf() its source
    QStringList others; ///< further agents that see it
};

/**
 * The locks as a JSON array of the objects that `lockkeeperctl locks --json` prints. `asOfUs`: the past
 * moment of the rows; each object contains it.
 */
QByteArray locksToJson(const models::LockModel &model, const QList<const models::LockRow *> &rows,
                       const domain::TimeUs &asOfUs = {});

/**
 * Exports all that is known of each shown lock, in the shown order, with the columns and members of
 * `lockkeeperctl export`. Gathers the locks first, in some turns, and writes them as they were then, so that
 * each lock appears once. A change of order meanwhile restarts the gathering. `asOfUs` as above.
 */
class LocksSource : public ExportSource
{
    Q_OBJECT

public:
    /** `proxy` isn't owned and outlives this. */
    LocksSource(const models::LocksProxy *proxy, records::FileFormat::Syntax kind,
                domain::TimeUs asOfUs = {});

    void next() override;

private:
    void gather();
    void beginAgain();

    const models::LocksProxy *m_proxy;
    domain::TimeUs m_asOfUs;
    records::FileFormat m_format;
    std::vector<ExportedLock> m_locks;
    bool m_severalAgents = false;
    int m_row = 0; ///< the next proxy row to gather
    size_t m_written = 0;
    bool m_gathered = false;
    int m_beginnings = 0;
};

} // namespace lockkeeper::app::views
