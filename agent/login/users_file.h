// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QList>

namespace lockkeeper::agent::login {

inline constexpr qsizetype kLongestUserName = 64;

/** A user who logs in by a password. */
struct User
{
    QString name;
    QByteArray password; ///< as hashPassword() makes it
    bool disabled = false;
    qint64 changedUs = 0; ///< when `lockkeeper-agent user` changed it last, since the epoch; 0: not known
    bool operator==(const User &) const = default;
};

/** 1 to 64 visible characters, without blanks and colons. */
bool isUserName(const QString &name);

/**
 * The users file: TOML with [[user]], and a last line that shows that the file is complete. A missing file
 * has no users. An error names the line of a missing or duplicate name, or of a password that isn't a hash.
 * The whole file is refused if others than its owner may read it, or if its last line is missing.
 */
base::Result<QList<User>> readUsers(const QString &file);

/** Replaces the file as a whole, with mode 0600. */
base::Result<void> writeUsers(const QString &file, const QList<User> &users);

} // namespace lockkeeper::agent::login
