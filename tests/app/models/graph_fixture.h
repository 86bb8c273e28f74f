// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/wait_graph.h"

namespace lockkeeper::tests {

/**
 * A wait graph from readable rows: "waiter>blocker lock seconds", as of `nowUs`. Every connection has a
 * different transaction, which is 100 s old.
 */
inline domain::WaitGraph graphOf(const QList<QByteArray> &rows, qint64 nowUs = 1'000'000'000,
                                 const QString &source = QStringLiteral("orders-db"))
{
    domain::WaitGraph graph;
    graph.source = source;
    graph.beganUs = nowUs - 2'000;
    graph.endedUs = nowUs;
    graph.evidence = "data_locks";
    const auto know = [&graph, nowUs](const QByteArray &id) {
        for (const domain::Session &session : std::as_const(graph.sessions)) {
            if (session.id == id)
                return;
        }
        domain::Session session;
        session.id = id;
        session.user = "app";
        session.client = "10.2.3." + id + ":4711";
        session.transaction = "t" + id;
        session.transactionSinceUs = nowUs - 100'000'000;
        session.statement = "SELECT * FROM `lock` WHERE id = 1 FOR UPDATE";
        graph.sessions.append(session);
    };
    for (const QByteArray &row : rows) {
        const QList<QByteArray> parts = row.split(' ');
        const QList<QByteArray> ends = parts.at(0).split('>');
        know(ends.at(1));
        know(ends.at(0));
        domain::WaitEdge edge;
        edge.waiter = ends.at(0);
        edge.blocker = ends.at(1);
        edge.lock = {source, "sql.row", "app.lock/PRIMARY", parts.at(1)};
        edge.sinceUs = nowUs - parts.at(2).toLongLong() * 1'000'000;
        graph.edges.append(edge);
    }
    return graph;
}

} // namespace lockkeeper::tests
