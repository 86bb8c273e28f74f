// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/election/election_trial.h"

namespace lockkeeper::agent::election {

using base::Result;

ElectionTrial::ElectionTrial(const config::ElectionSettings &settings,
                             std::unique_ptr<locks::LockManager> manager, QObject *parent)
    : QObject(parent), m_settings(settings), m_manager(std::move(manager))
{
}

bool ElectionTrial::note(const QString &step, const Result<bool> &done)
{
    const bool good = done && *done;
    m_lines.append(good ? QStringLiteral("granted  to %1 the election's lock").arg(step)
                        : QStringLiteral("MISSING  to %1 the election's lock: %2")
                              .arg(step, done ? QStringLiteral("it was lost") : done.error().line()));
    if (!good)
        Q_EMIT finished(m_lines, false);
    return good;
}

void ElectionTrial::start()
{
    locks::LockOptions options;
    options.ttl = std::chrono::microseconds(m_settings.ttlUs);
    options.renews = false;
    auto lock = m_manager->lock(m_settings.lock, options);
    if (!lock) {
        m_lines.append(QStringLiteral("FAILED   %1").arg(lock.error().line()));
        Q_EMIT finished(m_lines, false);
        return;
    }
    m_lock = std::move(*lock);
    m_lock->tryAcquire([this](const Result<bool> &taken) {
        if (taken && !*taken) {
            m_lines.append(
                QStringLiteral("granted  to request the election's lock, which another agent holds"));
            Q_EMIT finished(m_lines, true);
            return;
        }
        if (!note(QStringLiteral("take"), taken))
            return;
        m_lock->renew([this](const Result<bool> &kept) {
            if (!note(QStringLiteral("keep"), kept))
                return;
            m_lock->release([this](const Result<bool> &left) {
                if (note(QStringLiteral("give back"), left))
                    Q_EMIT finished(m_lines, true);
            });
        });
    });
}

} // namespace lockkeeper::agent::election
