// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/look_command.h"
#include "app/records/records.h"

#include <QJsonArray>

namespace lockkeeper::app::cli {

using namespace records;

namespace {

QString listText(const QStringList &globs)
{
    QStringList shown;
    for (const QString &glob : globs)
        shown.append(base::displayText(glob));
    return shown.isEmpty() ? tr("all") : shown.join(QStringLiteral(", "));
}

QStringList lockGlobs(const domain::Grant &grant)
{
    QStringList globs;
    for (const QByteArray &glob : grant.locks)
        globs.append(base::textOf(glob));
    return globs;
}

QJsonObject grantObject(const domain::Grant &grant)
{
    return {{QStringLiteral("role"), domain::roleName(grant.role)},
            {QStringLiteral("sources"), QJsonArray::fromStringList(grant.sources)},
            {QStringLiteral("locks"), QJsonArray::fromStringList(lockGlobs(grant))}};
}

/**
 * Shows the user as the agent knows them: the name, how the identity was proven, and the roles with their
 * scopes.
 */
class WhoAmICommand final : public Command
{
    Q_OBJECT

public:
    explicit WhoAmICommand(Context &context);

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
};

WhoAmICommand::WhoAmICommand(Context &context) : Command(context) {}

void WhoAmICommand::connected(const protocol::Welcome &)
{
    send(protocol::WhoAmI{1});
}

void WhoAmICommand::received(const protocol::Message &message)
{
    const auto *who = std::get_if<protocol::Identified>(&message);
    if (!who || who->id != 1)
        return;
    if (context().json) {
        QJsonArray grants;
        for (const domain::Grant &grant : who->grants.list)
            grants.append(grantObject(grant));
        context().out.write(
            jsonLine(QJsonObject{{QStringLiteral("agent"), agent()},
                                 {QStringLiteral("user"), who->user},
                                 {QStringLiteral("way"), who->way},
                                 {QStringLiteral("role"), domain::roleName(who->grants.role())},
                                 {QStringLiteral("sees_all"), who->grants.looksEverywhere()},
                                 {QStringLiteral("grants"), grants}}));
    } else {
        QStringList lines{
            tr("%1 at %2, proven by: %3")
                .arg(base::displayText(who->user), base::displayText(agent()), base::displayText(who->way))};
        for (const domain::Grant &grant : who->grants.list)
            lines.append(tr("%1  sources: %2  locks: %3")
                             .arg(domain::roleName(grant.role), -8)
                             .arg(listText(grant.sources), listText(lockGlobs(grant))));
        if (!who->grants.looksEverywhere())
            lines.append(tr("sees nothing else"));
        context().out.text(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
    }
    finish(Exit::Done);
}

class WhoAmISpec final : public LookSpec
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"whoami", tr("your identity and your permissions at the agent"), "whoami",
                "whoami --json | jq -r .role"};
    }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<WhoAmICommand>(context);
    }
    bool printsAlone(const Context &) const override { return true; }
    void print(Listing &listing) const override { listing.showUnmerged(); }
};

} // namespace

std::unique_ptr<CommandSpec> whoAmICommand()
{
    return std::make_unique<WhoAmISpec>();
}

} // namespace lockkeeper::app::cli

#include "whoami_command.moc"
