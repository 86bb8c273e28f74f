// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/hub/hub_schema.h"

#include <QDir>
#include <QFile>

namespace lockkeeper::agent::hub {

using base::ErrorCode;

namespace {

const QString kHubFolder = QStringLiteral(":/lockkeeper/hub/");
const QString kHubPrologue = QStringLiteral("schema.sql");
/** Any number that no other program takes: the letters of "lk-hub". */
constexpr char kTakeInstallLock[] = "SELECT pg_advisory_xact_lock(119193124070754)";

QStringList hubScripts()
{
    return QDir(kHubFolder)
        .entryList({QStringLiteral("[0-9][0-9][0-9][0-9]_*.sql")}, QDir::Files, QDir::Name);
}

QByteArray hubScript(const QString &name)
{
    QFile file(kHubFolder + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray versionStatement(int version)
{
    return "INSERT INTO lockkeeper.meta VALUES ('version', " + QByteArray::number(version) +
           ") ON CONFLICT (key) DO UPDATE SET value = excluded.value;\n";
}

base::Error newerSchema(int version)
{
    return {ErrorCode::Unsupported,
            QStringLiteral("a hub of another version: its schema is %1, this build knows %2")
                .arg(version)
                .arg(newestHubSchema()),
            QStringLiteral("Update lockkeeper-agent")};
}

QByteArray quotedRole(const QString &role)
{
    return '"' + role.toUtf8().replace('"', "\"\"") + '"';
}

/** 0: no schema yet. */
base::Result<int> installedVersion(PgConnection &connection)
{
    const auto exists = connection.run("SELECT to_regclass('lockkeeper.meta') IS NOT NULL");
    if (!exists)
        return tl::unexpected(exists.error());
    if (!exists->isTrue(0, 0))
        return 0;
    const auto version =
        connection.run("SELECT coalesce(max(value), 0) FROM lockkeeper.meta WHERE key = 'version'");
    if (!version)
        return tl::unexpected(version.error());
    return int(version->number(0, 0));
}

base::Result<QStringList> applyFrom(PgConnection &connection, int installed)
{
    QStringList applied;
    const QStringList scripts = hubScripts();
    if (installed == newestHubSchema())
        return applied;
    if (const auto done = connection.runScript(hubScript(kHubPrologue)); !done)
        return tl::unexpected(done.error());
    for (const QString &name : scripts) {
        const int version = name.first(4).toInt();
        if (version <= installed)
            continue;
        if (const auto done = connection.runScript(hubScript(name) + versionStatement(version)); !done) {
            base::Error error = done.error();
            error.cause = name + QStringLiteral(": ") + error.cause;
            return tl::unexpected(error);
        }
        applied.append(name);
    }
    return applied;
}

base::Result<QStringList> installOpen(PgConnection &connection, const QString &owner)
{
    if (const auto begun = connection.begin(); !begun)
        return tl::unexpected(begun.error());
    if (const auto locked = connection.run(kTakeInstallLock); !locked)
        return tl::unexpected(locked.error());
    if (!owner.isEmpty()) {
        if (const auto set = connection.runScript("SET LOCAL ROLE " + quotedRole(owner)); !set)
            return tl::unexpected(set.error());
    }
    const auto installed = installedVersion(connection);
    if (!installed)
        return tl::unexpected(installed.error());
    if (*installed > newestHubSchema())
        return tl::unexpected(newerSchema(*installed));
    auto applied = applyFrom(connection, *installed);
    if (!applied)
        return applied;
    if (const auto made = connection.run("SELECT lockkeeper.maintain()"); !made)
        return tl::unexpected(made.error());
    if (const auto committed = connection.commit(); !committed)
        return tl::unexpected(committed.error());
    return applied;
}

} // namespace

int newestHubSchema()
{
    const QStringList scripts = hubScripts();
    return scripts.isEmpty() ? 0 : scripts.constLast().first(4).toInt();
}

base::Result<void> checkHubVersion(const HubVersion &version)
{
    if (version.newest < newestHubSchema())
        return base::failure(ErrorCode::Unsupported,
                             QStringLiteral("a hub of another version: its schema is %1, this agent needs %2")
                                 .arg(version.newest)
                                 .arg(newestHubSchema()),
                             QStringLiteral("Run: lockkeeper-agent hub --init URL"));
    if (version.oldestWriter > newestHubSchema())
        return tl::unexpected(newerSchema(version.newest));
    return {};
}

QByteArray hubSchemaText()
{
    QByteArray text = "BEGIN;\n" + hubScript(kHubPrologue);
    for (const QString &name : hubScripts())
        text += '\n' + hubScript(name);
    return text + '\n' + versionStatement(newestHubSchema()) + "SELECT lockkeeper.maintain();\nCOMMIT;\n";
}

base::Result<QStringList> installHubSchema(PgConnection &connection, const QString &owner)
{
    auto applied = installOpen(connection, owner);
    if (applied)
        return applied;
    connection.rollBack();
    base::Error error = applied.error();
    if (error.code == ErrorCode::PermissionDenied && error.cause.contains(QLatin1String("role")))
        error.remedy = QStringLiteral("Run as a superuser: CREATE ROLE lockkeeper_agent NOLOGIN; CREATE ROLE "
                                      "lockkeeper_reader NOLOGIN");
    return tl::unexpected(error);
}

} // namespace lockkeeper::agent::hub
