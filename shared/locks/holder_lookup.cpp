// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/holder_lookup.h"

#include "shared/stores/factory.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::locks {

using base::Error;
using base::ErrorCode;
using base::failure;

namespace {

std::optional<HolderInfo> holderOf(const stores::Observation &lock, qint64 storeUs)
{
    if (!lock.held)
        return {};
    HolderInfo info;
    info.owner = lock.owner;
    info.token = lock.token;
    info.fencing = fencingNumber(lock.fencing);
    info.depth = std::max<int>(int(lock.depth), 1);
    if (lock.expiry == domain::ExpiryKind::At)
        info.remaining = std::chrono::microseconds(std::max<qint64>(lock.expiresUs - storeUs, 0));
    if (lock.acquiredUs)
        info.heldFor = std::chrono::microseconds(std::max<qint64>(storeUs - *lock.acquiredUs, 0));
    if (lock.waitersVisible)
        info.waiters = int(lock.waiters.size());
    else if (lock.waiting)
        info.waiters = int(*lock.waiting);
    return info;
}

} // namespace

HolderLookup::HolderLookup(stores::SourceSpec spec) : m_spec(std::move(spec))
{
    m_spec.push = false;
}

void HolderLookup::read(const QByteArray &name, LockManager::HolderRead done)
{
    if (m_open) {
        ask({name, std::move(done)});
        return;
    }
    m_waiting.enqueue({name, std::move(done)});
    if (m_waiting.size() > 1)
        return;
    if (!m_store) {
        auto made = stores::makeStore(m_spec);
        if (!made) {
            QMetaObject::invokeMethod(
                this, [this, error = made.error()] { fail(error); }, Qt::QueuedConnection);
            return;
        }
        m_store = *std::move(made);
        connect(m_store.get(), &stores::Store::opened, this, [this] {
            m_open = true;
            for (const HolderQuery &question : std::exchange(m_waiting, {}))
                ask(question);
        });
        connect(m_store.get(), &stores::Store::failed, this, [this](const Error &error) {
            m_open = false;
            fail(error);
        });
    }
    m_store->open();
}

void HolderLookup::ask(const HolderQuery &question)
{
    const auto seen = std::make_shared<base::Result<std::optional<HolderInfo>>>(
        failure(ErrorCode::ConnectionLost, QStringLiteral("the store didn't say whether the lock is held")));
    m_store->readPoints(
        {{0, question.name}},
        [seen](const stores::Page &page) {
            for (const stores::Observation &lock : page.locks)
                *seen = holderOf(lock, page.endedUs);
        },
        [seen, done = question.done] { done(*seen); });
}

void HolderLookup::fail(const Error &error)
{
    for (const HolderQuery &question : std::exchange(m_waiting, {}))
        question.done(tl::unexpected(error));
}

} // namespace lockkeeper::locks
