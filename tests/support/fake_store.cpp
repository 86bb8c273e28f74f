// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_store.h"

namespace lockkeeper::tests {

using domain::Outcome;

namespace {
constexpr qsizetype kPage = 500;
} // namespace

FakeStore::FakeStore(stores::SourceSpec spec, const base::Clock &clock, QObject *parent)
    : Store(parent), m_spec(std::move(spec)), m_clock(clock)
{
}

void FakeStore::hold(const QByteArray &name, const QByteArray &owner, qint64 ttlUs)
{
    m_locks.insert(name, {owner, ++m_generation, ttlUs ? m_clock.wallUs() + ttlUs : 0});
}

void FakeStore::renew(const QByteArray &name, qint64 ttlUs)
{
    const auto it = m_locks.find(name);
    if (it != m_locks.end())
        it->expiresUs = m_clock.wallUs() + ttlUs;
}

void FakeStore::drop(const QByteArray &name)
{
    m_locks.remove(name);
}

QByteArray FakeStore::ownerOf(const QByteArray &name) const
{
    return m_locks.value(name).owner;
}

void FakeStore::breakLink(const base::Error &error)
{
    m_open = false;
    m_kept.clear();
    Q_EMIT failed(error);
}

void FakeStore::letGo()
{
    m_holdBack = false;
    for (auto &answer : std::exchange(m_kept, {}))
        post(std::move(answer));
}

void FakeStore::post(std::function<void()> answer)
{
    if (m_holdBack)
        m_kept.append(std::move(answer));
    else
        QMetaObject::invokeMethod(this, std::move(answer), Qt::QueuedConnection);
}

void FakeStore::open()
{
    post([this] {
        if (m_openError) {
            Q_EMIT failed(*m_openError);
            return;
        }
        m_open = true;
        stores::ServerInfo info;
        info.store = "redis";
        info.server = QStringLiteral("in memory");
        info.instance = "run-" + QByteArray::number(++m_run);
        info.places.fill("db0", m_spec.locks.size());
        info.access.append({"observe", true, false, {}});
        info.access.append({"break", true, true, {}});
        Q_EMIT opened(info);
    });
}

void FakeStore::close()
{
    m_open = false;
    m_kept.clear();
}

void FakeStore::expireDue()
{
    if (m_keepExpired)
        return;
    const qint64 now = m_clock.wallUs();
    m_locks.removeIf([now](const auto &item) { return item->expiresUs != 0 && item->expiresUs <= now; });
}

stores::Observation FakeStore::observationOf(const QByteArray &name) const
{
    stores::Observation seen;
    seen.name = name;
    const auto it = m_locks.constFind(name);
    seen.present = it != m_locks.cend();
    if (!seen.present)
        return seen;
    seen.held = true;
    const auto queue = m_waiters.constFind(name);
    seen.waitersVisible = queue != m_waiters.cend();
    if (seen.waitersVisible)
        seen.waiters = *queue;
    seen.owner = it->owner;
    seen.token = it->owner;
    const domain::Guard guard = guardOf(name);
    seen.identity = guard.identity;
    seen.ownIdentity = true; // a generation is never given twice
    seen.freshness = guard.freshness;
    seen.expiry = it->expiresUs ? domain::ExpiryKind::At : domain::ExpiryKind::None;
    seen.expiresBy = m_keepExpired ? domain::Evidence::Column : domain::Evidence::Ttl;
    seen.expiresUs = it->expiresUs;
    return seen;
}

domain::Guard FakeStore::guardOf(const QByteArray &name) const
{
    const Lock lock = m_locks.value(name);
    return {{m_spec.name, m_spec.locks.constFirst().scheme, "db0", name},
            "run-" + QByteArray::number(m_run),
            lock.owner + '#' + QByteArray::number(lock.generation),
            QByteArray::number(lock.expiresUs)};
}

void FakeStore::scan(PageTaken take, ScanEnded done)
{
    ++m_scans;
    post([this, take = std::move(take), done = std::move(done)] {
        if (!m_open) {
            done({});
            return;
        }
        expireDue();
        const qint64 began = m_clock.wallUs();
        if (m_failScans) {
            const base::Error denied{base::ErrorCode::PermissionDenied, QStringLiteral("may not scan"), {}};
            done({false, began, began, 0, denied});
            return;
        }
        stores::Page page{began, began, {}};
        const QList<QByteArray> names = m_locks.keys();
        for (const QByteArray &name : names) {
            page.locks.append(observationOf(name));
            if (page.locks.size() == kPage) {
                page.endedUs = m_clock.wallUs();
                take(page);
                page.locks.clear();
            }
        }
        page.endedUs = m_clock.wallUs();
        take(page);
        done({true, began, m_clock.wallUs(), names.size(), {}});
    });
}

void FakeStore::readPoints(const QList<stores::Subject> &subjects, PageTaken page, PointsRead done)
{
    post([this, subjects, page = std::move(page), done = std::move(done)] {
        if (m_open) {
            expireDue();
            stores::Page read{m_clock.wallUs(), m_clock.wallUs(), {}};
            for (const stores::Subject &subject : subjects)
                read.locks.append(observationOf(subject.name));
            page(read);
        }
        done();
    });
}

void FakeStore::inspect(const stores::Subject &subject, Inspected done)
{
    ++m_inspections;
    post([this, subject, done = std::move(done)] {
        expireDue();
        stores::Inspection read;
        read.lock = observationOf(subject.name);
        read.storeUs = m_clock.wallUs();
        read.guard = guardOf(subject.name);
        if (!m_open)
            read.error = base::Error{base::ErrorCode::ConnectionLost, QStringLiteral("closed"), {}};
        done(read);
    });
}

void FakeStore::release(const stores::ReleaseOrder &order, Released done)
{
    m_orders.append(order);
    post([this, order, done = std::move(done)] {
        const stores::ReleaseReport report = carryOut(order);
        if (!m_loseReplies)
            done(report);
    });
}

stores::ReleaseReport FakeStore::carryOut(const stores::ReleaseOrder &order)
{
    expireDue();
    const QByteArray name = order.guard.key.name;
    const domain::Guard now = guardOf(name);
    stores::ReleaseReport report;
    report.storeUs = m_clock.wallUs();
    if (!m_locks.contains(name)) {
        report.outcome = Outcome::AlreadyFree;
    } else if (now.instance != order.guard.instance || now.identity != order.guard.identity ||
               (order.checkFreshness && now.freshness != order.guard.freshness)) {
        report.outcome = Outcome::HolderChanged;
    } else {
        report.outcome = Outcome::Released;
        if (!order.dryRun) {
            m_locks.remove(name);
            ++m_writes;
        }
    }
    return report;
}

} // namespace lockkeeper::tests
