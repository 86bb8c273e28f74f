// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace lockkeeper::tests {

/** What a program of this build printed, and how it ended. */
struct Output
{
    int status = -1;
    QByteArray out;
    QByteArray err;
};

/** Runs it to its end, a minute at most; `environment` in the form NAME=VALUE is set beside this process's
 * own. */
Output run(const char *program, const QStringList &arguments, const QStringList &environment = {});

} // namespace lockkeeper::tests
