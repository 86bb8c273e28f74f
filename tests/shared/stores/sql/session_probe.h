// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sql_stores.h"
#include "tests/shared/stores/sql/stock_client.h"
#include "tests/shared/stores/sql/store_probe.h"

namespace lockkeeper::tests {

/** A source "db" with a set of row locks on each table, and advisory locks where asked for. */
stores::SourceSpec sessionSpec(const QUrl &url, const QStringList &tables, bool advisory = false,
                               const QList<QByteArray> &names = {});

/** A StoreProbe that keeps the last graph, too. */
class SessionProbe : public StoreProbe
{
    Q_OBJECT

public:
    explicit SessionProbe(const stores::SourceSpec &spec, const stores::sql::ReleaseSeams &seams = {});

    /** Scans until the lock is present, with so many waiters; a null answer after 10 s. */
    stores::Observation until(const QByteArray &name, qsizetype waiters = 0);
    /** Scans until the lock is gone. */
    bool untilGone(const QByteArray &name);
    /** Scans until the lock may be broken, or can't be broken for another reason than its age. */
    stores::Observation untilMature(const QByteArray &name);

    domain::WaitGraph graph;
    int graphs = 0;
};

/** "w1>h w2>h": the graph's edges by the sessions' users or whatever `nameOf` says, sorted. */
QByteArray edgesText(const domain::WaitGraph &graph, const QHash<QByteArray, QByteArray> &names);

} // namespace lockkeeper::tests
