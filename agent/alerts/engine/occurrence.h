// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/engine/alert_reading.h"
#include "shared/domain/alert.h"

#include <QHash>

#include <limits>
#include <memory>
#include <optional>

namespace lockkeeper::agent::alerts {

/** One place at which a rule applies: a lock, a source (an empty name) or the agent (an empty source). */
struct AlertSubject
{
    QString rule; ///< its name
    domain::LockKey lock;
    QByteArray object; ///< of several at one place: a receiver, a cycle of waits; usually empty

    bool operator==(const AlertSubject &) const = default;
};

inline size_t qHash(const AlertSubject &subject, size_t seed = 0) noexcept
{
    return qHashMulti(seed, subject.rule, subject.lock, subject.object);
}

/** The state of one rule at one subject, from the moment when its condition may become true. */
struct Occurrence
{
    AlertReading reading;
    bool isTrue = false;                  ///< the condition, as of the last step
    qint64 sinceUs = 0;                   ///< it has been true since then; blind time is added
    std::optional<qint64> endedUs;        ///< set while an alert is active and the condition isn't true
    std::unique_ptr<domain::Alert> alert; ///< active; null: none
    bool inStorm = false;                 ///< active as one of many, in the rule's storm
    bool isRestored = false;              ///< from before a restart, and not observed since
    QByteArray holder;
    QByteArray guard; ///< digest of the acquisition
    QJsonObject detail;
    qint64 dueUs = std::numeric_limits<qint64>::max();

    bool isActive() const { return alert || inStorm; }
};

} // namespace lockkeeper::agent::alerts
