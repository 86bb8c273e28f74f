// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QList>

namespace lockkeeper::agent::login {

inline constexpr qsizetype kLongestUserName = 64;

/** Somebody who may log in by a password. */
struct User
{
    QString name;
    QByteArray password; ///< as hashPassword() makes it
    bool disabled = false;
    qint64 changedUs = 0; ///< when `lockkeeper-agent user` changed it last, since the epoch; 0: not known
    bool operator==(const User &) const = default;
};

/** Visible characters, 1 to 64 of them, none a blank or a colon. */
bool isUserName(const QString &name);

/**
 * The users file: TOML with [[user]], closed by a line that tells a whole file from a torn one. One that
 * isn't there has no users. Refused with its line: a name that is doubled or none, a password that isn't a
 * hash; as a whole where others than its owner may read it, or where its end is missing.
 */
base::Result<QList<User>> readUsers(const QString &file);

/** Replaces it as a whole, mode 0600. */
base::Result<void> writeUsers(const QString &file, const QList<User> &users);

} // namespace lockkeeper::agent::login
