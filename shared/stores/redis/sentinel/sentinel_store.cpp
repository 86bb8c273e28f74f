// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/sentinel/sentinel_store.h"

#include <QPointer>

#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

SentinelStore::SentinelStore(SentinelGroup group, Make make, QObject *parent)
    : CompositeStore(false, parent), m_guide(std::move(group)), m_make(std::move(make))
{
    replacePrimary(m_guide.group().primary);
    connect(&m_guide, &SentinelGuide::found, this, &SentinelStore::onFound);
    connect(&m_guide, &SentinelGuide::notFound, this, &SentinelStore::giveUp);
    connect(&m_guide, &SentinelGuide::moved, this, [this](const QString &words) {
        m_moved = true;
        giveUp({ErrorCode::ConnectionLost, words, {}});
    });
}

void SentinelStore::replacePrimary(const Endpoint &primary)
{
    if (m_primary.store != nullptr)
        retire(m_primary);
    m_primary.address = primary.address().toUtf8();
    m_primary.store = m_make(primary);
    addAlone(m_primary);
    RedisStore *store = m_primary.store.get();
    connect(store, &Store::opened, this, &SentinelStore::onOpened);
    connect(store, &Store::failed, this, &SentinelStore::leavePrimary);
}

void SentinelStore::open()
{
    endGathering();
    m_wanted = true;
    m_primary.store->close();
    m_guide.find();
}

void SentinelStore::close()
{
    endGathering();
    m_wanted = false;
    m_guide.stop();
    m_primary.store->close();
}

void SentinelStore::release(const ReleaseOrder &order, Released done)
{
    const auto take = [self = QPointer<SentinelStore>(this), store = m_primary.store.get(),
                       done = std::move(done)](const ReleaseReport &report) {
        done(report);
        if (!self.isNull() && report.error.code == ErrorCode::ReadOnly &&
            store == self->m_primary.store.get())
            self->leavePrimary(
                {ErrorCode::ConnectionLost,
                 QString::fromUtf8(self->m_primary.address) + QStringLiteral(" is no longer the primary"),
                 {}});
    };
    m_primary.store->release(order, take);
}

void SentinelStore::onFound(const Endpoint &primary)
{
    if (!m_wanted)
        return;
    replacePrimary(primary);
    m_primary.store->open();
}

void SentinelStore::onOpened(const ServerInfo &info)
{
    if (!m_wanted)
        return;
    if (info.readOnly) {
        leavePrimary(
            {ErrorCode::Unreachable,
             QString::fromUtf8(m_primary.address) +
                 QStringLiteral(
                     " is a replica, but the sentinels name it as the primary: a failover is under way"),
             {}});
        return;
    }
    const QByteArray before = std::exchange(m_last, m_primary.address);
    ServerInfo found = info;
    found.failover = !before.isEmpty() && (before != m_last || m_moved);
    m_moved = false;
    Q_EMIT opened(found);
}

void SentinelStore::leavePrimary(const Error &error)
{
    if (m_wanted)
        m_guide.mistrust();
    giveUp(error);
}

void SentinelStore::giveUp(const Error &error)
{
    if (!std::exchange(m_wanted, false))
        return;
    m_primary.store->close();
    failLater(error);
}

} // namespace lockkeeper::stores::redis
