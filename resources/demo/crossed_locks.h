// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock.h"
#include "shared/locks/lock_manager.h"

#include <QRandomGenerator>
#include <QTimer>

#include <memory>

namespace lockkeeper::demo {

/**
 * A planted fault: an application that takes two locks, sometimes in one order and sometimes in the other.
 * Two of these meet now and then; each then waits for the other, and gives up after a moment. Lives on the
 * event loop.
 */
class CrossedLocks : public QObject
{
public:
    CrossedLocks(std::unique_ptr<locks::LockManager> manager, QByteArray first, QByteArray second,
                 quint32 seed);

    void start();

private:
    void rest();
    void takeOuter();
    void takeInner(const QByteArray &name);
    void finish();

    std::unique_ptr<locks::LockManager> m_manager;
    QByteArray m_first;
    QByteArray m_second;
    QRandomGenerator m_random;
    QTimer m_next;
    std::unique_ptr<locks::Lock> m_outer;
    std::unique_ptr<locks::Lock> m_inner;
};

} // namespace lockkeeper::demo
