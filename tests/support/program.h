// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace lockkeeper::tests {

/** The output and the exit status of a program of this build. */
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
