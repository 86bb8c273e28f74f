// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/access_rules.h"

#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::agent::config {

using domain::Role;
using lockkeeper::config::words;

namespace {

void readWho(const TableReader &reader, AccessRule &rule)
{
    const QStringList who = reader.strings("who", {}, true);
    if (who.isEmpty())
        reader.problem("who", QStringLiteral("%1 names nobody").arg(reader.nameOf("who")),
                       QStringLiteral("Write who = [\"user:NAME\"] or [\"group:NAME\"]."));
    for (const QString &one : who) {
        const QString kind = one.section(QLatin1Char(':'), 0, 0);
        const QString name = one.section(QLatin1Char(':'), 1);
        const QString shown = base::displayText(one);
        if (name.isEmpty() || base::displayText(name) != name || name.trimmed() != name) {
            const QString bare = base::displayText(one.section(QLatin1Char(':'), -1).trimmed());
            reader.problem(
                "who",
                QStringLiteral("%1: \"%2\" is neither a user nor a group").arg(reader.nameOf("who"), shown),
                bare.isEmpty() ? QStringLiteral("Write \"user:NAME\" or \"group:NAME\".")
                               : QStringLiteral("Write \"user:%1\" or \"group:%1\".").arg(bare));
        } else if (kind == QLatin1String("user")) {
            rule.users.append(name);
        } else if (kind == QLatin1String("group")) {
            rule.groups.append(name);
        } else {
            reader.problem(
                "who",
                QStringLiteral("%1: \"%2\" is neither a user nor a group").arg(reader.nameOf("who"), shown),
                lockkeeper::config::suggestion(kind, {QStringLiteral("user"), QStringLiteral("group")}));
        }
    }
}

void readWhere(const TableReader &reader, const QList<stores::SourceSpec> &sources, AccessRule &rule)
{
    rule.grant.sources = reader.strings("sources", {}, true);
    QStringList locks = reader.strings("locks", {}, true);
    locks.removeDuplicates();
    for (const QString &glob : std::as_const(locks))
        rule.grant.locks.append(glob.toUtf8());
    for (const char *key : {"sources", "locks"}) {
        if (!reader.has(key))
            continue;
        if (reader.strings(key, {}, true).isEmpty() || reader.strings(key, {}, true).contains(QString()))
            reader.problem(key, QStringLiteral("%1 is empty and would allow nothing").arg(reader.nameOf(key)),
                           QStringLiteral("Remove it to allow all."));
    }
    rule.grant.sources.removeDuplicates();
    // A viewer of "*" sees everything, including reports about whole sources and about the agent.
    if (rule.grant.role == Role::Viewer && rule.grant.sources.contains(QLatin1String("*")))
        rule.grant.sources.clear();
    if (rule.grant.role == Role::Viewer && rule.grant.locks.contains("*"))
        rule.grant.locks.clear();
    QStringList names;
    for (const stores::SourceSpec &source : sources)
        names.append(source.name);
    for (const QString &glob : std::as_const(rule.grant.sources)) {
        const domain::Grant one{rule.grant.role, {glob}, {}};
        if (!glob.isEmpty() && std::none_of(names.cbegin(), names.cend(),
                                            [&one](const QString &name) { return one.coversSource(name); }))
            reader.problem("sources",
                           QStringLiteral("%1: no source matches \"%2\"")
                               .arg(reader.nameOf("sources"), base::displayText(glob)),
                           lockkeeper::config::suggestion(glob, names));
    }
}

} // namespace

AccessRule readAccess(const toml::table &table, const QList<stores::SourceSpec> &sources, Problems &problems)
{
    const TableReader reader(table, QStringLiteral("[[access]]"), words("who role sources locks"), problems);
    AccessRule rule;
    readWho(reader, rule);
    QStringList roles;
    for (const Role role : {Role::Viewer, Role::Operator, Role::Approver, Role::Admin})
        roles.append(domain::roleName(role));
    if (reader.has("role"))
        rule.grant.role = domain::roleFromName(reader.choice("role", roles)).value_or(Role::Viewer);
    else
        reader.problem("role", QStringLiteral("an [[access]] has no \"role\""),
                       QStringLiteral("Use one of: %1.").arg(roles.join(QLatin1String(", "))));
    readWhere(reader, sources, rule);
    return rule;
}

} // namespace lockkeeper::agent::config
