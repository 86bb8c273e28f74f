// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/receiver_settings.h"

#include <QString>

#include <array>

namespace lockkeeper::agent::alerts {

/** The words of ready texts in one language. Receivers without a console show them as they are. */
struct AlertWords
{
    std::array<QString, size_t(domain::kLastAlertCondition) + 1> conditions;
    std::array<QString, 3> severities;
    QString testMessage; ///< %1: the agent
    QString undelivered; ///< %1: the number of alerts, %2 and %3: the first and the last moment
    QString alreadyOver; ///< %1 and %2: when it fired and ended
    QString over;
    QString joined;                  ///< %1 and %2: the parts of a headline
    QString line;                    ///< %1: a title, %2: its value
    QString withThreshold;           ///< %1: a value, %2: the rule's threshold
    QString livenessValue;           ///< %1: a verdict, %2: the target, %3: the moment of the probe
    std::array<QString, 3> verdicts; ///< by domain::HolderVerdict
    QString severity, rule, agent, source, lock, place, holder, value, since, fired, acknowledgedBy, repeats;
    QString cause, chain, sessions, count, worst, liveness, id;
};

const AlertWords &wordsOf(config::AlertLanguage language);

} // namespace lockkeeper::agent::alerts
