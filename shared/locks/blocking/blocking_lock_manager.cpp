// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/blocking/blocking_lock_manager.h"

#include "shared/locks/blocking/event_thread.h"
#include "shared/locks/lock_client.h"
#include "shared/locks/lock_manager.h"

#include <QLoggingCategory>
#include <QPointer>
#include <QTimer>

#include <utility>

Q_LOGGING_CATEGORY(lcBlocking, "lockkeeper.locks")

namespace lockkeeper::locks {

using base::Result;

Result<std::unique_ptr<BlockingLockManager>> BlockingLockManager::open(Runtime &runtime,
                                                                       const StoreOptions &options)
{
    using Answer = EventThread::Answer<LockManager *>;
    const auto manager = runtime.m_thread->ask<LockManager *>(
        [thread = runtime.m_thread.get(), &options](const Answer &answer) {
            auto opened = LockManager::open(options);
            if (!opened) {
                answer(tl::unexpected(opened.error()));
                return;
            }
            LockManager *made = opened->release();
            made->setParent(thread->root());
            QObject::connect(made, &LockManager::warned, made,
                             [](const base::Error &what) { qCWarning(lcBlocking).noquote() << what.line(); });
            answer(made);
        });
    if (!manager)
        return tl::unexpected(manager.error());
    return std::unique_ptr<BlockingLockManager>(new BlockingLockManager(
        runtime.m_thread, *manager, options.connectTimeout + options.statementTimeout));
}

BlockingLockManager::BlockingLockManager(std::shared_ptr<EventThread> thread, LockManager *manager,
                                         std::chrono::milliseconds patience)
    : m_thread(std::move(thread)), m_manager(manager), m_patience(patience)
{
}

BlockingLockManager::~BlockingLockManager()
{
    m_thread->ask<bool>([this](const EventThread::Answer<bool> &answer) {
        const auto end = [answer, manager = QPointer<LockManager>(m_manager)] {
            if (manager.isNull())
                return;
            delete manager.data();
            answer(true);
        };
        m_manager->endWaits();
        QTimer::singleShot(m_patience, m_manager, end);
        m_manager->whenIdle(end);
    });
}

Result<std::unique_ptr<BlockingLock>> BlockingLockManager::lock(const std::string &name,
                                                                const LockOptions &options)
{
    using Made = std::unique_ptr<BlockingLock>;
    return m_thread->ask<Made>([this, &name, &options](const EventThread::Answer<Made> &answer) {
        auto made = m_manager->lock(QByteArray::fromStdString(name), options);
        if (made)
            answer(Made(new BlockingLock(m_thread, *std::move(made), m_manager->traits().holds)));
        else
            answer(tl::unexpected(made.error()));
    });
}

Traits BlockingLockManager::traits() const
{
    return m_thread
        ->ask<Traits>([this](const EventThread::Answer<Traits> &answer) { answer(m_manager->traits()); })
        .value_or(Traits{});
}

Result<std::optional<HolderInfo>> BlockingLockManager::readHolder(const std::string &name)
{
    using Read = std::optional<HolderInfo>;
    return m_thread->ask<Read>([this, &name](const EventThread::Answer<Read> &answer) {
        m_manager->readHolder(QByteArray::fromStdString(name), answer);
    });
}

Result<bool> BlockingLockManager::compareAndIncrement(const std::string &name,
                                                      const std::function<void()> &change, int attempts)
{
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const auto version = lock(name, {.ttl = std::chrono::hours(1), .renews = false});
        if (!version)
            return tl::unexpected(version.error());
        if (const auto read = (*version)->tryAcquire(); !read || !*read)
            return read;
        change();
        if (const auto incremented = (*version)->release(); !incremented || *incremented)
            return incremented;
    }
    return false;
}

} // namespace lockkeeper::locks
