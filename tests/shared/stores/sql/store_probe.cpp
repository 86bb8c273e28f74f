// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/store_probe.h"

#include "shared/stores/sql/tables/row_identity.h"
#include "tests/support/gather_into.h"

#include <QTest>

namespace lockkeeper::tests {

using namespace stores;

bool waitFor(const std::function<bool()> &done, int ms)
{
    return QTest::qWaitFor(done, ms);
}

StoreProbe::StoreProbe(const SourceSpec &spec, const sql::ReleaseSeams &seams)
    : m_store(std::make_unique<sql::SqlStore>(spec, seams))
{
    listen();
}

StoreProbe::StoreProbe(std::unique_ptr<Store> store) : m_store(std::move(store))
{
    listen();
}

void StoreProbe::listen()
{
    connect(m_store.get(), &Store::opened, this, [this](const ServerInfo &found) {
        info = found;
        ++opens;
    });
    connect(m_store.get(), &Store::failed, this,
            [this](const base::Error &error) { failures.append(error); });
    connect(m_store.get(), &Store::pushed, this, [this](const Push &push) { pushes.append(push); });
    connect(m_store.get(), &Store::pushStateChanged, this,
            [this](const PushState &state) { pushStates.append(state); });
    connect(m_store.get(), &Store::shardChanged, this,
            [this](const ShardState &part) { parts.append(part); });
    connect(m_store.get(), &Store::findingsRead, this,
            [this](const QList<domain::Finding> &found) { findings = found; });
}

bool StoreProbe::open()
{
    const int opensBefore = opens;
    const qsizetype failuresBefore = failures.size();
    m_store->open();
    return waitFor([&] { return opens > opensBefore || failures.size() > failuresBefore; }) &&
           opens > opensBefore;
}

QHash<QByteArray, Observation> StoreProbe::scan()
{
    pages.clear();
    const qsizetype before = ends.size();
    askScan();
    waitFor([&] { return ends.size() > before; }, 60'000);
    QHash<QByteArray, Observation> rows;
    for (const Page &page : std::as_const(pages)) {
        for (const Observation &lock : page.locks)
            rows.insert(lock.name, lock);
    }
    return rows;
}

void StoreProbe::askScan()
{
    m_store->scan(gatherInto(this, &StoreProbe::pages), gatherInto(this, &StoreProbe::ends));
}

Observation StoreProbe::readPoints(const QByteArray &name, quint16 set)
{
    const int before = looked;
    pages.clear();
    askPoints({{set, name}});
    waitFor([&] { return looked > before; });
    return pages.isEmpty() ? Observation{} : pages.last().locks.value(0);
}

void StoreProbe::askPoints(const QList<Subject> &subjects)
{
    m_store->readPoints(subjects, gatherInto(this, &StoreProbe::pages), countInto(this, &StoreProbe::looked));
}

Inspection StoreProbe::inspect(const QByteArray &name, quint16 set)
{
    const qsizetype before = inspections.size();
    askInspection({set, name});
    waitFor([&] { return inspections.size() > before; });
    return inspections.isEmpty() ? Inspection{} : inspections.last();
}

void StoreProbe::askInspection(const Subject &subject)
{
    m_store->inspect(subject, gatherInto(this, &StoreProbe::inspections));
}

ReleaseReport StoreProbe::release(const ReleaseOrder &order)
{
    const qsizetype before = reports.size();
    sendRelease(order);
    waitFor([&] { return reports.size() > before; });
    return reports.isEmpty() ? ReleaseReport{} : reports.last();
}

void StoreProbe::sendRelease(const ReleaseOrder &order)
{
    m_store->release(order, gatherInto(this, &StoreProbe::reports));
}

ReleaseReport StoreProbe::release(const domain::Guard &guard, bool checkFreshness, bool dryRun)
{
    ReleaseOrder order;
    order.command = "c1";
    order.guard = guard;
    order.checkFreshness = checkFreshness;
    order.dryRun = dryRun;
    return release(order);
}

SourceSpec shedlockSpec(const QUrl &url, const QString &table)
{
    SourceSpec spec;
    spec.name = QStringLiteral("db");
    spec.url = url;
    LockSet set;
    set.scheme = "sql.shedlock";
    set.table.table = table;
    spec.locks = {set};
    return spec;
}

QByteArray shedlockIdentity(const QByteArray &holder, const QByteArray &acquiredAt)
{
    return sql::encodedValues({{"holder", holder}, {"acquired_at", acquiredAt}});
}

QByteArray shedlockFreshness(const QByteArray &acquiredAt, const QByteArray &expiresAt)
{
    return sql::encodedValues({{"acquired_at", acquiredAt}, {"expires_at", expiresAt}});
}

QString shedlockTable(const QString &name, int precision, const QString &type)
{
    return QStringLiteral("CREATE TABLE %1 (name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until %2(%3) NULL, "
                          "locked_at %2(%3) NULL, locked_by VARCHAR(255) NULL)")
        .arg(name, type)
        .arg(precision);
}

} // namespace lockkeeper::tests
