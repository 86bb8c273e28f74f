// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/delivery/alert_text.h"
#include "shared/base/interrupt.h"
#include "shared/base/result.h"

#include <QProcessEnvironment>

namespace lockkeeper::agent::alerts {

/** The environment of a command: PATH and LOCKKEEPER_ALERT_*. Names from stores are escaped. */
QProcessEnvironment commandEnvironment(const DueNotice &notice, const SendContext &context);

/** The limits of a command. */
struct CommandLimits
{
    int timeMs = 10'000;
    qsizetype outputBytes = 64 * 1'024;
};

/**
 * Starts a program without a shell, gives it `input` on its standard input, and waits until it ends. Past a
 * limit, or when the interrupt is raised, it is killed with everything that it has started in its session.
 * Errors: NotFound (it can't be started), Timeout, TooLarge, Shutdown, Unknown (its exit status isn't 0; the
 * cause has the end of its output).
 */
base::Result<void> runCommand(const QStringList &command, const QProcessEnvironment &environment,
                              const QByteArray &input, const base::Interrupt &interrupt,
                              CommandLimits limits = {});

} // namespace lockkeeper::agent::alerts
