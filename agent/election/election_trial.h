// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"
#include "shared/locks/lock_manager.h"

namespace lockkeeper::agent::election {

/**
 * Tries out whether this agent's login may take the lock of its election, keep it and give it back: with the
 * lock itself, which is free again at once. While another agent has it, only whether it may be asked for
 * shows.
 */
class ElectionTrial final : public QObject
{
    Q_OBJECT

public:
    ElectionTrial(const config::Election &settings, std::unique_ptr<locks::LockManager> manager,
                  QObject *parent = nullptr);

    void start();

Q_SIGNALS:
    /** A line for people about each step; the last is about the one that failed where not `good`. */
    void finished(const QStringList &lines, bool good);

private:
    /** Notes how a step ended; true where the next may follow. */
    bool note(const QString &step, const base::Result<bool> &done);

    config::Election m_settings;
    std::unique_ptr<locks::LockManager> m_manager;
    std::unique_ptr<locks::Lock> m_lock; ///< destroyed before its manager
    QStringList m_lines;
};

} // namespace lockkeeper::agent::election
