// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/connections/saved_agents.h"

#include "shared/base/nearest.h"
#include "shared/base/text.h"

#include <QFile>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <toml++/toml.h>

namespace lockkeeper::app::connections {

using base::ErrorCode;
using base::failure;

namespace {

constexpr qint64 kLongestFile = 1'048'576;
constexpr std::array<std::string_view, 7> kKeys{"name",        "address", "user", "password",
                                                "certificate", "key",     "ca"};

tl::unexpected<base::Error> mistake(const QString &file, const toml::source_region &at, const QString &what)
{
    return failure(ErrorCode::Usage,
                   QStringLiteral("%1:%2: %3").arg(base::displayText(file)).arg(at.begin.line).arg(what),
                   SavedAgents::tr("Write for example: [[agent]] name = \"dc1\" address = \"ssh://db1\""));
}

QString textOf(const toml::table &table, std::string_view key)
{
    const std::string text = table[key].value_or(std::string());
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

base::Result<SavedAgent> readAgent(const toml::table &table, const QString &file,
                                   const QList<SavedAgent> &before)
{
    for (const auto &[key, value] : table) {
        if (std::find(kKeys.begin(), kKeys.end(), std::string_view(key)) == kKeys.end())
            return mistake(file, value.source(),
                           SavedAgents::tr("an agent has a name and an address, and no \"%1\"")
                               .arg(base::displayText(QByteArray(key.data(), qsizetype(key.length())))));
        if (!value.is_string())
            return mistake(file, value.source(), SavedAgents::tr("each of its keys has a text"));
    }
    const SavedAgent agent{textOf(table, "name"),
                           textOf(table, "address"),
                           {textOf(table, "user"), textOf(table, "password"), textOf(table, "certificate"),
                            textOf(table, "key"), textOf(table, "ca")}};
    if (agent.name.isEmpty() || agent.name.contains(QLatin1Char(':')) || agent.name != agent.name.trimmed())
        return mistake(file, table.source(), SavedAgents::tr("an agent's name is a text without a colon"));
    const bool isDouble = std::any_of(before.begin(), before.end(),
                                      [&agent](const SavedAgent &other) { return other.name == agent.name; });
    if (isDouble)
        return mistake(file, table.source(),
                       SavedAgents::tr("there are two agents named '%1'").arg(base::displayText(agent.name)));
    if (const auto address = transport::parseAddress(agent.address, QStringLiteral("/")); !address)
        return mistake(file, table.source(),
                       SavedAgents::tr("its address can't be used: %1").arg(address.error().cause));
    return agent;
}

} // namespace

QString SavedAgents::defaultFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/lockkeeper/agents.toml");
}

base::Result<SavedAgents> SavedAgents::read(const QString &file)
{
    SavedAgents saved;
    saved.m_file = file;
    QFile stored(file);
    if (!stored.exists())
        return saved;
    if (!stored.open(QIODevice::ReadOnly))
        return failure(ErrorCode::Storage,
                       QStringLiteral("%1: %2").arg(base::displayText(file), stored.errorString()),
                       SavedAgents::tr("Make it readable, or give the agent's address"));
    const QByteArray text = stored.read(kLongestFile);
    toml::table root;
    try {
        root = toml::parse(std::string_view(text.constData(), size_t(text.size())));
    } catch (const toml::parse_error &error) {
        const std::string_view words = error.description();
        return mistake(file, error.source(),
                       SavedAgents::tr("this isn't TOML: %1")
                           .arg(QString::fromUtf8(words.data(), qsizetype(words.size()))));
    }
    for (const auto &[key, value] : root) {
        const toml::array *agents = key == "agent" ? value.as_array() : nullptr;
        if (!agents)
            return mistake(file, value.source(), SavedAgents::tr("only [[agent]] is allowed here"));
        for (const toml::node &node : *agents) {
            if (!node.is_table())
                return mistake(file, node.source(), SavedAgents::tr("an agent is a table, [[agent]]"));
            auto agent = readAgent(*node.as_table(), file, saved.m_agents);
            if (!agent)
                return tl::unexpected(agent.error());
            saved.m_agents.append(*std::move(agent));
        }
    }
    return saved;
}

base::Result<SavedAgent> SavedAgents::find(const QString &text) const
{
    QStringList names;
    for (const SavedAgent &agent : m_agents) {
        if (agent.name == text)
            return agent;
        names.append(agent.name);
    }
    const QString nearest = base::nearestName(text, names);
    return failure(ErrorCode::Usage,
                   SavedAgents::tr("'%1' is neither an address nor a name in %2")
                       .arg(base::displayText(text), base::displayText(m_file)),
                   nearest.isEmpty() ? SavedAgents::tr("Use local:PATH, ssh://HOST or tls://HOST")
                                     : SavedAgents::tr("Did you mean '%1'?").arg(nearest));
}

} // namespace lockkeeper::app::connections
