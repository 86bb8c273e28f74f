// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/hub/hub_command.h"

#include "agent/hub/hub_schema.h"

#include <QUrl>
#include <QUrlQuery>

namespace lockkeeper::agent::hub {

namespace {

constexpr char kNextSteps[] = R"(Next, for each agent, here "dc1":
  CREATE ROLE dc1 LOGIN PASSWORD '...' IN ROLE lockkeeper_agent;
  SELECT lockkeeper.add_agent('dc1', 'dc1');  -- [agent] name, role
For SQL users and Grafana:
  CREATE ROLE grafana LOGIN PASSWORD '...' IN ROLE lockkeeper_reader;
)";

bool hasPassword(const QString &text)
{
    const QUrl url(text);
    return !url.password().isEmpty() || QUrlQuery(url).hasQueryItem(QStringLiteral("password"));
}

} // namespace

base::Result<void> run(const HubCommand &command, QTextStream &out)
{
    if (command.printsSchema) {
        out << hubSchemaText() << Qt::flush;
        return {};
    }
    if (hasPassword(command.url))
        return base::failure(base::ErrorCode::Usage, QStringLiteral("the URL contains a password"),
                             QStringLiteral("Put it into PGPASSWORD or ~/.pgpass"));
    const base::Interrupt interrupt;
    PgConnection connection(interrupt);
    HubTarget target;
    target.url = command.url;
    target.statementTimeoutMs = 0; // a migration of a large table takes its time
    if (const auto opened = connection.open(target); !opened)
        return opened;
    const auto applied = installHubSchema(connection, command.owner);
    if (!applied)
        return tl::unexpected(applied.error());
    if (applied->isEmpty())
        out << "The schema is up to date: version " << newestHubSchema() << Qt::endl;
    else
        out << "Installed " << applied->join(QLatin1String(", ")) << Qt::endl;
    out << kNextSteps << Qt::flush;
    return {};
}

} // namespace lockkeeper::agent::hub
