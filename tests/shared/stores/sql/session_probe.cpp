// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/session_probe.h"

#include <QTest>

#include <algorithm>

namespace lockkeeper::tests {

using namespace stores;

SourceSpec sessionSpec(const QUrl &url, const QStringList &tables, bool advisory,
                       const QList<QByteArray> &names)
{
    SourceSpec spec;
    spec.name = QStringLiteral("db");
    spec.url = url;
    for (const QString &table : tables) {
        LockSet set;
        set.scheme = "sql.row";
        set.table.table = table;
        spec.locks.append(set);
    }
    if (advisory) {
        LockSet set;
        set.scheme = "sql.advisory";
        set.names = names;
        spec.locks.append(set);
    }
    return spec;
}

SessionProbe::SessionProbe(const SourceSpec &spec, const sql::ReleaseSeams &seams) : StoreProbe(spec, seams)
{
    connect(&store(), &Store::waitGraphRead, this, [this](const domain::WaitGraph &read) {
        graph = read;
        ++graphs;
    });
}

Observation SessionProbe::until(const QByteArray &name, qsizetype waiters)
{
    Observation found;
    found.present = false;
    (void)QTest::qWaitFor(
        [&] {
            const auto locks = scan();
            if (locks.contains(name) && locks.value(name).waiters.size() >= waiters)
                found = locks.value(name);
            return found.present;
        },
        10'000);
    return found;
}

bool SessionProbe::untilGone(const QByteArray &name)
{
    return QTest::qWaitFor(
        [&] {
            const bool gone = !scan().contains(name) && !ends.isEmpty() && ends.last().complete;
            return gone;
        },
        10'000);
}

Observation SessionProbe::untilMature(const QByteArray &name)
{
    Observation found;
    (void)QTest::qWaitFor(
        [&] {
            found = scan().value(name);
            return found.off != domain::ReleaseOff::TooYoung;
        },
        10'000);
    return found;
}

QByteArray edgesText(const domain::WaitGraph &graph, const QHash<QByteArray, QByteArray> &names)
{
    QByteArrayList edges;
    for (const domain::WaitEdge &edge : graph.edges)
        edges.append(names.value(edge.waiter, edge.waiter) + '>' + names.value(edge.blocker, edge.blocker));
    std::sort(edges.begin(), edges.end());
    return edges.join(' ');
}

} // namespace lockkeeper::tests
