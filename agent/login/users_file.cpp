// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/users_file.h"

#include "agent/login/file_stamp.h"
#include "agent/login/password_hash.h"
#include "shared/base/regular_file.h"
#include "shared/base/text.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>
#include <toml++/toml.h>

namespace lockkeeper::agent::login {

using base::ErrorCode;
using base::failure;

namespace {

constexpr qint64 kLongestFile = 1'048'576;
constexpr QByteArrayView kEnd("# end of the users\n");

tl::unexpected<base::Error> mistake(const QString &file, const toml::source_region &at, const QString &what)
{
    return failure(ErrorCode::Corrupt,
                   QStringLiteral("%1:%2: %3").arg(base::displayText(file)).arg(at.begin.line).arg(what),
                   QStringLiteral("Change users with: lockkeeper-agent --config FILE user add|remove NAME."));
}

base::Result<User> readUser(const toml::table &table, const QString &file)
{
    for (const auto &[key, value] : table) {
        if (key != "name" && key != "password" && key != "disabled" && key != "changed_us")
            return mistake(
                file, value.source(),
                QStringLiteral("a user has a name, a password, disabled and changed_us, nothing else"));
    }
    const auto *name = table.get_as<std::string>("name");
    const auto *password = table.get_as<std::string>("password");
    User user;
    user.name = name ? QString::fromStdString(name->get()) : QString();
    user.password = password ? QByteArray::fromStdString(password->get()) : QByteArray();
    user.disabled = table["disabled"].value_or(false);
    user.changedUs = table["changed_us"].value_or<int64_t>(0);
    if (!isUserName(user.name))
        return mistake(file, table.source(), QStringLiteral("the user has no name"));
    if (!isPasswordHash(user.password))
        return mistake(file, table.source(), QStringLiteral("the user's password isn't a hash"));
    if (table.contains("disabled") && !table["disabled"].is_boolean())
        return mistake(file, table.source(), QStringLiteral("disabled is true or false"));
    return user;
}

base::Result<QByteArray> contentOf(const QString &file)
{
    QFile stored(file);
    if (const auto opened = base::openRegular(stored); !opened)
        return failure(ErrorCode::Storage,
                       QStringLiteral("%1: %2").arg(base::displayText(file), opened.error().cause),
                       QStringLiteral("Make it readable to the agent's user alone."));
    QByteArray text = stored.read(kLongestFile + 1);
    if (text.size() > kLongestFile)
        return failure(ErrorCode::TooLarge,
                       QStringLiteral("%1 is longer than 1 MiB").arg(base::displayText(file)));
    if (!text.endsWith(kEnd))
        return failure(
            ErrorCode::Corrupt,
            QStringLiteral("%1 is incomplete: its last line is missing").arg(base::displayText(file)),
            QStringLiteral("Restore it from a backup, or remove it and add the users again."));
    return text;
}

} // namespace

bool isUserName(const QString &name)
{
    return !name.isEmpty() && name.size() <= kLongestUserName && base::displayText(name) == name &&
           std::none_of(name.begin(), name.end(),
                        [](QChar c) { return c.isSpace() || c == QLatin1Char(':'); });
}

base::Result<QList<User>> readUsers(const QString &file)
{
    if (!QFileInfo::exists(file))
        return QList<User>();
    if (const auto kept = isKeptSecret(file, 0077); !kept)
        return tl::unexpected(kept.error());
    const auto text = contentOf(file);
    if (!text)
        return tl::unexpected(text.error());
    toml::table root;
    try {
        root = toml::parse(std::string_view(text->constData(), size_t(text->size())));
    } catch (const toml::parse_error &error) {
        const std::string_view words = error.description();
        return mistake(file, error.source(), QString::fromUtf8(words.data(), qsizetype(words.size())));
    }
    QList<User> users;
    for (const auto &[key, value] : root) {
        const toml::array *entries = key == "user" ? value.as_array() : nullptr;
        if (!entries)
            return mistake(file, value.source(), QStringLiteral("only [[user]] is allowed here"));
        for (const toml::node &node : *entries) {
            auto user = node.is_table() ? readUser(*node.as_table(), file)
                                        : mistake(file, node.source(), QStringLiteral("a user is a table"));
            if (!user)
                return tl::unexpected(user.error());
            if (std::any_of(users.cbegin(), users.cend(),
                            [&user](const User &other) { return other.name == user->name; }))
                return mistake(file, node.source(),
                               QStringLiteral("there are two users named '%1'").arg(user->name));
            users.append(*std::move(user));
        }
    }
    return users;
}

base::Result<void> writeUsers(const QString &file, const QList<User> &users)
{
    toml::array entries;
    for (const User &user : users) {
        toml::table entry{{"name", user.name.toStdString()}, {"password", user.password.toStdString()}};
        if (user.disabled)
            entry.insert("disabled", true);
        if (user.changedUs != 0)
            entry.insert("changed_us", int64_t(user.changedUs));
        entries.push_back(std::move(entry));
    }
    toml::table root;
    if (!users.isEmpty())
        root.insert("user", std::move(entries));
    std::ostringstream text;
    text << root << '\n';
    QSaveFile stored(file);
    const bool written = stored.open(QIODevice::WriteOnly) &&
                         stored.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) &&
                         stored.write(QByteArray::fromStdString(text.str()) + kEnd.toByteArray()) > 0 &&
                         stored.commit();
    if (!written)
        return failure(ErrorCode::Storage,
                       QStringLiteral("%1: %2").arg(base::displayText(file), stored.errorString()),
                       QStringLiteral("Run this as the agent's user."));
    return {};
}

} // namespace lockkeeper::agent::login
