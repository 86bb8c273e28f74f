// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/sentinel_store.h"

#include "shared/stores/redis/store_relay.h"

#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

SentinelStore::SentinelStore(SentinelGroup group, Make make, QObject *parent)
    : Store(parent), m_guide(std::move(group)), m_make(std::move(make))
{
    replaceInner(m_guide.group().primary);
    connect(&m_guide, &SentinelGuide::found, this, &SentinelStore::onFound);
    connect(&m_guide, &SentinelGuide::notFound, this, &SentinelStore::giveUp);
    connect(&m_guide, &SentinelGuide::moved, this, [this](const QString &words) {
        m_moved = true;
        giveUp({ErrorCode::ConnectionLost, words, {}});
    });
}

void SentinelStore::replaceInner(const Endpoint &primary)
{
    // Answers that it owes are on their way still.
    if (m_inner != nullptr)
        m_inner.release()->deleteLater();
    m_primary = primary;
    m_inner = m_make(primary);
    m_inner->setPaused(m_paused);
    Store *inner = m_inner.get();
    relay(*inner, *this);
    connect(inner, &Store::passEnded, this, &Store::passEnded);
    connect(inner, &Store::opened, this, &SentinelStore::onOpened);
    connect(inner, &Store::failed, this, [this, inner](const Error &error) {
        if (inner == m_inner.get())
            giveUp(error);
    });
    connect(inner, &Store::released, this, [this, inner](const ReleaseReport &report) {
        Q_EMIT released(report);
        if (report.error.code == ErrorCode::ReadOnly && inner == m_inner.get())
            giveUp({ErrorCode::ConnectionLost,
                    m_primary.address() + QStringLiteral(" is no longer the primary"),
                    {}});
    });
}

void SentinelStore::open()
{
    ++m_opened;
    m_wanted = true;
    m_inner->close();
    m_guide.find();
}

void SentinelStore::close()
{
    ++m_opened;
    m_wanted = false;
    m_guide.stop();
    m_inner->close();
}

void SentinelStore::onFound(const Endpoint &primary)
{
    if (!m_wanted)
        return;
    replaceInner(primary);
    m_inner->open();
}

void SentinelStore::onOpened(const ServerInfo &info)
{
    if (!m_wanted)
        return;
    if (info.readOnly) {
        giveUp({ErrorCode::Unreachable,
                m_primary.address() +
                    QStringLiteral(" is said to be the primary and is a replica: a failover is under way"),
                {}});
        return;
    }
    const QString before = std::exchange(m_last, m_primary.address());
    ServerInfo found = info;
    found.failover = !before.isEmpty() && (before != m_last || m_moved);
    m_moved = false;
    Q_EMIT opened(found);
}

void SentinelStore::giveUp(const Error &error)
{
    if (!std::exchange(m_wanted, false))
        return;
    m_inner->close();
    const auto tell = [this, error, opening = m_opened] { // after what was owed
        if (opening == m_opened)
            Q_EMIT failed(error);
    };
    QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
}

} // namespace lockkeeper::stores::redis
