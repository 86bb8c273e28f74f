// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/store_harness.h"

#include <QPointer>
#include <QTimer>

namespace lockkeeper::tests {

using namespace stores;

StoreHarness::StoreHarness(std::unique_ptr<Store> store, int patienceMs)
    : m_store(std::move(store)), m_patienceMs(patienceMs)
{
    connect(m_store.get(), &Store::opened, this, [this](const ServerInfo &info) {
        m_info = info;
        ++m_openings;
    });
    connect(m_store.get(), &Store::failed, this,
            [this](const base::Error &error) { m_failures.append(error); });
    // Connected last: the announced data have been collected when these signals wake waitFor().
    connect(m_store.get(), &Store::opened, &m_loop, &QEventLoop::quit);
    connect(m_store.get(), &Store::failed, &m_loop, &QEventLoop::quit);
}

bool StoreHarness::waitFor(const std::function<bool()> &condition)
{
    QTimer limit;
    limit.setSingleShot(true);
    connect(&limit, &QTimer::timeout, &m_loop, &QEventLoop::quit);
    limit.start(m_patienceMs);
    while (!condition() && limit.isActive())
        m_loop.exec();
    return condition();
}

bool StoreHarness::open()
{
    m_failures.clear();
    const int before = m_openings;
    m_store->open();
    return waitFor([&] { return m_openings > before || !m_failures.isEmpty(); }) && m_openings > before;
}

bool StoreHarness::scan()
{
    beginScan();
    return waitFor([&] { return !m_ends.isEmpty(); }) && m_ends.first().complete;
}

void StoreHarness::beginScan()
{
    m_pages.clear();
    m_ends.clear();
    const QPointer<StoreHarness> self(this);
    m_store->scan(
        [self, request = ++m_request](const Page &page) {
            if (self.isNull() || request != self->m_request)
                return;
            self->m_pages.append(page);
            self->m_loop.quit();
        },
        [self](const ScanEnd &end) {
            if (self.isNull())
                return;
            self->m_ends.append(end);
            self->m_loop.quit();
        });
}

QList<Observation> StoreHarness::readPoints(const QList<Subject> &subjects)
{
    m_pages.clear();
    ++m_request;
    m_looked = false;
    const QPointer<StoreHarness> self(this);
    m_store->readPoints(
        subjects,
        [self](const Page &page) {
            if (!self.isNull())
                self->m_pages.append(page);
        },
        [self] {
            if (self.isNull())
                return;
            self->m_looked = true;
            self->m_loop.quit();
        });
    waitFor([this] { return m_looked; });
    QList<Observation> all;
    for (const Page &page : std::as_const(m_pages))
        all += page.locks;
    return all;
}

Inspection StoreHarness::inspect(const QByteArray &name, quint16 set)
{
    m_inspections.clear();
    m_store->inspect({set, name}, [self = QPointer<StoreHarness>(this)](const Inspection &inspection) {
        if (self.isNull())
            return;
        self->m_inspections.append(inspection);
        self->m_loop.quit();
    });
    waitFor([&] { return !m_inspections.isEmpty(); });
    return m_inspections.isEmpty() ? Inspection{} : m_inspections.first();
}

ReleaseReport StoreHarness::release(const ReleaseOrder &order)
{
    m_reports.clear();
    sendRelease(order);
    waitFor([&] { return !m_reports.isEmpty(); });
    return m_reports.isEmpty() ? ReleaseReport{} : m_reports.first();
}

void StoreHarness::sendRelease(const ReleaseOrder &order)
{
    m_store->release(order, [self = QPointer<StoreHarness>(this)](const ReleaseReport &report) {
        if (self.isNull())
            return;
        self->m_reports.append(report);
        self->m_loop.quit();
    });
}

bool StoreHarness::waitForFailure()
{
    return waitFor([&] { return !m_failures.isEmpty(); });
}

const Observation *StoreHarness::find(const QByteArray &name) const
{
    for (const Page &page : m_pages) {
        for (const Observation &lock : page.locks) {
            if (lock.name == name)
                return &lock;
        }
    }
    return nullptr;
}

SourceSpec sourceOf(const QUrl &url, const QByteArray &scheme, const QByteArray &match)
{
    SourceSpec spec;
    spec.name = QStringLiteral("s");
    spec.url = url;
    LockSet set;
    set.scheme = scheme;
    set.match = match;
    spec.locks = {set};
    return spec;
}

SourceSpec tableOf(const QUrl &url, const QByteArray &scheme, const QString &table)
{
    SourceSpec spec = sourceOf(url, scheme);
    spec.locks.first().table.table = table;
    return spec;
}

SourceSpec redisSpec(const QUrl &url, const QByteArray &match, const QByteArray &password)
{
    SourceSpec spec = sourceOf(url, "redis.token", match);
    spec.name = QStringLiteral("redis");
    spec.password = password;
    return spec;
}

ReleaseOrder orderFor(const Inspection &inspection, bool checkFreshness)
{
    ReleaseOrder order;
    order.command = QByteArrayLiteral("test");
    order.set = inspection.lock.set;
    order.guard = inspection.guard;
    order.checkFreshness = checkFreshness;
    return order;
}

} // namespace lockkeeper::tests
