// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QTextStream>

namespace lockkeeper::agent::login {

/** `lockkeeper-agent user …`: one action on the users file. */
struct UserCommand
{
    QString verb; ///< "add", "password", "disable", "enable", "remove", "list"
    QString user; ///< empty with "list"
};

/** Runs the command, and asks for a password if the verb needs one. Waits up to 10 s for another run in
 * progress. */
base::Result<void> run(const UserCommand &command, const QString &usersFile, QTextStream &out);

} // namespace lockkeeper::agent::login
