// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/simulation/process.h"

#include <QUrlQuery>

#include <chrono>

namespace lockkeeper::locks::simulation {

using std::chrono::ceil;
using std::chrono::microseconds;
using std::chrono::milliseconds;

namespace {

/** The place as an agent names it: a Redis database, or a table in a database. */
QByteArray placeOf(const stores::SourceSpec &spec, const stores::LockSet &set, const QByteArray &store)
{
    const QString named = QUrlQuery(spec.url).queryItemValue(QStringLiteral("db"));
    const bool isSocket = spec.url.scheme().endsWith(QLatin1String("+unix"));
    const QByteArray path = (isSocket ? named : spec.url.path().mid(1)).toUtf8();
    if (store == "redis" && !stores::isRedlock(spec.url))
        return "db" + (path.isEmpty() ? QByteArray("0") : path);
    if (!set.table.table.isEmpty() && (store == "mysql" || store == "postgresql"))
        return path + '.' + set.table.table.toUtf8();
    return {};
}

} // namespace

Process::Process(const Scenario &scenario, const WorkerGroup &group, int number, Tell tell)
    : m_spec(scenario.sources.at(group.source)),
      m_group(group),
      m_owner(group.owner + QByteArray::number(number)),
      m_tell(std::move(tell)),
      m_store(stores::storeKind(m_spec.url).value_or(QByteArray())),
      m_random(scenario.seed + quint32(number))
{
    m_wallUs = m_clock.wallUs() - m_clock.monotonicUs();
}

Process::~Process()
{
    m_manager.reset(); // leaves its locks in the store
}

base::Result<void> Process::open()
{
    auto manager = LockManager::open(m_spec, m_group.set, m_owner);
    if (!manager)
        return tl::unexpected(manager.error());
    m_manager = *std::move(manager);
    m_traits = m_manager->traits();
    for (const QByteArray &name : m_group.names) {
        if (const auto lock = m_manager->lock(name, {microseconds(m_group.ttlUs), m_group.renews}); !lock)
            return tl::unexpected(lock.error());
    }
    return {};
}

Worker &Process::hire(const QByteArray &name, const QByteArray &ownLock, quint32 seed)
{
    m_workers.push_back(std::make_unique<Worker>(*this, name, ownLock, seed));
    return *m_workers.back();
}

void Process::crash()
{
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (!m_manager)
                return; // another worker has already crashed it
            std::vector<std::unique_ptr<Lock>> left;
            for (const auto &worker : m_workers)
                left.push_back(worker->die());
            m_manager.reset();
            QTimer::singleShot(ceil<milliseconds>(microseconds(m_group.restart.draw(m_random))), this,
                               [this] {
                                   if (!open())
                                       return;
                                   for (const auto &worker : m_workers)
                                       worker->start();
                               });
        },
        Qt::QueuedConnection);
}

void Process::whenIdle(std::function<void()> done)
{
    if (m_manager)
        m_manager->whenIdle(std::move(done));
    else
        QMetaObject::invokeMethod(this, std::move(done), Qt::QueuedConnection);
}

domain::LockKey Process::keyOf(const QByteArray &lock) const
{
    return {m_spec.name, m_group.set.scheme, placeOf(m_spec, m_group.set, m_store), lock};
}

} // namespace lockkeeper::locks::simulation
