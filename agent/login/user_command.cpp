// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/user_command.h"

#include "agent/login/password_hash.h"
#include "agent/login/users_file.h"
#include "shared/base/clock.h"
#include "shared/base/password_prompt.h"
#include "shared/base/text.h"

#include <QDir>
#include <QFileInfo>
#include <QLockFile>

#include <algorithm>

namespace lockkeeper::agent::login {

using base::ErrorCode;
using base::failure;

namespace {

constexpr int kPatienceMs = 10'000;

/** Ends the user's sessions even if the next change undoes this one before the agent reads the file. */
void noteChange(User &user)
{
    user.changedUs = base::SystemClock().wallUs();
}

base::Result<void> setPassword(User &user)
{
    const auto password =
        base::readPassword(QStringLiteral("Password of %1: ").arg(base::displayText(user.name)));
    if (!password)
        return tl::unexpected(password.error());
    const auto hash = hashPassword(*password);
    if (!hash)
        return tl::unexpected(hash.error());
    user.password = *hash;
    noteChange(user);
    return {};
}

base::Result<void> add(QList<User> &users, const QString &name)
{
    if (!isUserName(name))
        return failure(ErrorCode::Usage,
                       QStringLiteral("'%1' isn't a valid user name").arg(base::displayText(name.left(80))),
                       QStringLiteral("Give 1 to 64 visible characters, without blanks and colons."));
    User user;
    user.name = name;
    const auto set = setPassword(user);
    if (set)
        users.append(user);
    return set;
}

/** Every verb except "add" and "list": changes an existing user. */
base::Result<void> change(QList<User> &users, const UserCommand &command)
{
    const auto it = std::find_if(users.begin(), users.end(),
                                 [&command](const User &user) { return user.name == command.user; });
    if (it == users.end())
        return failure(
            ErrorCode::NotFound,
            QStringLiteral("there is no user named '%1'").arg(base::displayText(command.user.left(80))),
            QStringLiteral("Run: lockkeeper-agent --config FILE user list"));
    if (command.verb == QLatin1String("password"))
        return setPassword(*it);
    if (command.verb == QLatin1String("remove")) {
        users.erase(it);
        return {};
    }
    it->disabled = command.verb == QLatin1String("disable");
    noteChange(*it);
    return {};
}

} // namespace

base::Result<void> run(const UserCommand &command, const QString &usersFile, QTextStream &out)
{
    if (!QDir().mkpath(QFileInfo(usersFile).absolutePath()))
        return failure(ErrorCode::Storage,
                       QStringLiteral("the folder of %1 can't be made").arg(base::displayText(usersFile)));
    QLockFile lock(usersFile + QStringLiteral(".lock"));
    if (!lock.tryLock(kPatienceMs))
        return failure(ErrorCode::Busy,
                       QStringLiteral("can't lock %1.lock").arg(base::displayText(usersFile)),
                       QStringLiteral("Run this as the agent's user, one at a time."));
    auto users = readUsers(usersFile);
    if (!users)
        return tl::unexpected(users.error());
    if (command.verb == QLatin1String("list")) {
        for (const User &user : std::as_const(*users))
            out << user.name << (user.disabled ? "  disabled" : "") << '\n';
        return {};
    }
    const bool isThere = std::any_of(users->cbegin(), users->cend(),
                                     [&command](const User &user) { return user.name == command.user; });
    const bool adds = command.verb == QLatin1String("add");
    if (adds && isThere)
        return failure(ErrorCode::Usage,
                       QStringLiteral("there is a user named '%1' already").arg(command.user),
                       QStringLiteral("Change it with: user password %1").arg(command.user));
    const auto done = adds ? add(*users, command.user) : change(*users, command);
    return done ? writeUsers(usersFile, *users) : done;
}

} // namespace lockkeeper::agent::login
