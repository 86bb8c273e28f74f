// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QTextStream>

namespace lockkeeper::agent::login {

/** `lockkeeper-agent user …`: what is done to the users file. */
struct UserCommand
{
    QString verb; ///< "add", "password", "disable", "enable", "remove", "list"
    QString user; ///< empty with "list"
};

/** Carries it out; asks for a password where it takes one. Waits for another that is at work. */
base::Result<void> run(const UserCommand &command, const QString &usersFile, QTextStream &out);

} // namespace lockkeeper::agent::login
