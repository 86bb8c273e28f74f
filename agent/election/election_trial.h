// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"
#include "shared/locks/lock_manager.h"

namespace lockkeeper::agent::election {

/**
 * Checks that this agent's login may acquire, renew and release the election's lock. It uses the real lock
 * and releases it at once. While another agent holds the lock, the trial only shows that this agent may ask
 * for it.
 */
class ElectionTrial final : public QObject
{
    Q_OBJECT

public:
    ElectionTrial(const config::ElectionSettings &settings, std::unique_ptr<locks::LockManager> manager,
                  QObject *parent = nullptr);

    void start();

Q_SIGNALS:
    /** `lines` has one line for people about each step. If not `good`, the last line is about the failed
     * step. */
    void finished(const QStringList &lines, bool good);

private:
    /** Records how a step ended. Returns true if the next step may follow. */
    bool note(const QString &step, const base::Result<bool> &done);

    config::ElectionSettings m_settings;
    std::unique_ptr<locks::LockManager> m_manager;
    std::unique_ptr<locks::Lock> m_lock; ///< destroyed before its manager
    QStringList m_lines;
};

} // namespace lockkeeper::agent::election
