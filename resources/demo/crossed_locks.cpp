// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "resources/demo/crossed_locks.h"

#include <utility>

namespace lockkeeper::demo {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr milliseconds kPatience(1'500); ///< for the second lock; taking it needs half a second

} // namespace

CrossedLocks::CrossedLocks(std::unique_ptr<locks::LockManager> manager, QByteArray first, QByteArray second,
                           quint32 seed)
    : m_manager(std::move(manager)), m_first(std::move(first)), m_second(std::move(second)), m_random(seed)
{
    m_next.setSingleShot(true);
}

void CrossedLocks::start()
{
    connect(&m_next, &QTimer::timeout, this, [this] { takeOuter(); });
    rest();
}

void CrossedLocks::rest()
{
    m_next.start(m_random.bounded(2'000, 5'000));
}

void CrossedLocks::takeOuter()
{
    const bool isCrossed = m_random.bounded(2) == 1;
    auto outer = m_manager->lock(isCrossed ? m_second : m_first, {seconds(10), true});
    if (!outer)
        return rest();
    m_outer = *std::move(outer);
    m_outer->acquire(seconds(2),
                     [this, inner = isCrossed ? m_first : m_second](const base::Result<bool> &held) {
                         if (held && *held)
                             takeInner(inner);
                         else
                             finish();
                     });
}

void CrossedLocks::takeInner(const QByteArray &name)
{
    auto inner = m_manager->lock(name, {seconds(10), true});
    if (!inner)
        return finish();
    m_inner = *std::move(inner);
    m_inner->acquire(kPatience, [this](const base::Result<bool> &held) {
        if (held && *held)
            QTimer::singleShot(m_random.bounded(60, 160), this, [this] { finish(); });
        else
            finish();
    });
}

/** The inner lock is released first, as nested scopes do. */
void CrossedLocks::finish()
{
    const auto releaseOuter = [this](const base::Result<bool> &) {
        m_inner.reset();
        if (m_outer && m_outer->isHeld())
            return m_outer->release([this](const base::Result<bool> &) {
                m_outer.reset();
                rest();
            });
        m_outer.reset();
        rest();
    };
    if (m_inner && m_inner->isHeld())
        m_inner->release(releaseOuter);
    else
        releaseOuter(false);
}

} // namespace lockkeeper::demo
