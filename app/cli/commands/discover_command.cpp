// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_spec.h"
#include "app/cli/stores/store_choice.h"
#include "app/discover/candidate_formatter.h"
#include "app/discover/remote_discoverer.h"
#include "app/records/records.h"
#include "app/words/error_words.h"
#include "shared/base/text.h"
#include "shared/stores/discover/discoverer.h"
#include "shared/stores/discover/source_section.h"
#include "shared/stores/host_list.h"
#include "shared/stores/secret.h"

#include <QDir>
#include <QJsonArray>
#include <QUrlQuery>

#include <CLI/CLI.hpp>
#include <utility>

namespace lockkeeper::app::cli {

using namespace records;

using app::discover::CandidateFormatter;
using stores::discover::Candidate;
using stores::discover::Discovery;

namespace {

/** Several Redis servers are searched together: data that most of them have belongs to a Redlock. */
base::Result<QUrl> readUrls(const QStringList &texts)
{
    auto first = storeUrl(texts.value(0));
    if (!first || texts.size() == 1)
        return first;
    QStringList nodes;
    for (const QString &text : texts) {
        const auto url = storeUrl(text);
        if (!url)
            return url;
        if (url->scheme() != QLatin1String("redis") || url->host().isEmpty() ||
            url->path() != first->path() || url->userName() != first->userName())
            return base::failure(
                base::ErrorCode::Usage,
                tr("several addresses have to be redis://HOST:PORT/DB of one database and user"),
                tr("Scan other stores one by one"));
        nodes.append(url->host(QUrl::FullyEncoded) + QLatin1Char(':') + QString::number(url->port(6379)));
    }
    const QString user = first->userName(QUrl::FullyEncoded);
    return storeUrl(QStringLiteral("redlock://") + (user.isEmpty() ? QString() : user + QLatin1Char('@')) +
                    nodes.join(QLatin1Char(',')) + first->path(QUrl::FullyEncoded));
}

QJsonArray reasonArray(const Candidate &candidate)
{
    QJsonArray reasons;
    for (const stores::discover::Reason &reason : candidate.reasons)
        reasons.append(QJsonObject{{QStringLiteral("code"), latin(reasonName(reason.code))},
                                   {QStringLiteral("points"), reason.points},
                                   {QStringLiteral("column"), textOrNull(reason.column)},
                                   {QStringLiteral("value"), textOrNull(reason.value)},
                                   {QStringLiteral("text"), CandidateFormatter::reason(reason)}});
    return reasons;
}

QJsonObject mappingObject(const Candidate &candidate)
{
    const stores::TableMapping &mapping = candidate.mapping;
    QJsonObject object;
    for (const stores::discover::Setting &one : candidate.settings)
        object.insert(QString::fromLatin1(one.key), one.value);
    if (!mapping.name.isEmpty())
        object.insert(QStringLiteral("name"), QJsonArray::fromStringList(mapping.name));
    for (const stores::discover::MappedColumn &column : stores::discover::mappedColumns(mapping)) {
        if (column.key != "name")
            object.insert(QString::fromLatin1(column.key), column.column);
    }
    for (auto it = mapping.units.cbegin(); it != mapping.units.cend(); ++it)
        object.insert(it.key() + QStringLiteral("_unit"), it.value());
    if (!mapping.heldValue.isEmpty())
        object.insert(QStringLiteral("held_value"), mapping.heldValue);
    if (!mapping.freeValue.isEmpty())
        object.insert(QStringLiteral("free_value"), mapping.freeValue);
    return object;
}

/** A candidate as an object of `discover --json`. */
QJsonObject candidateObject(const Candidate &candidate, const Discovery &discovery)
{
    QJsonArray missing;
    for (const stores::discover::Missing one : candidate.missing)
        missing.append(latin(missingName(one)));
    QJsonArray access;
    for (const domain::Access &one : candidate.access)
        access.append(QJsonObject{{QStringLiteral("need"), QString::fromUtf8(one.need)},
                                  {QStringLiteral("granted"), one.granted},
                                  {QStringLiteral("for_breaking"), one.forBreaking},
                                  {QStringLiteral("remedy"), textOrNull(one.remedy)}});
    return {{QStringLiteral("store"), QString::fromLatin1(discovery.store)},
            {QStringLiteral("server"), discovery.server},
            {QStringLiteral("database"), discovery.database},
            {QStringLiteral("schema"), textOrNull(candidate.schema)},
            {QStringLiteral("table"), textOrNull(candidate.table)},
            {QStringLiteral("match"), textOrNull(candidate.match)},
            {QStringLiteral("keys"), candidate.match.isEmpty() ? QJsonValue() : QJsonValue(candidate.keys)},
            {QStringLiteral("proposed"), candidate.isProposed()},
            {QStringLiteral("score"), candidate.score},
            {QStringLiteral("scheme"), textOrNull(candidate.scheme)},
            {QStringLiteral("preset"), textOrNull(candidate.preset)},
            {QStringLiteral("mapping"), mappingObject(candidate)},
            {QStringLiteral("reasons"), reasonArray(candidate)},
            {QStringLiteral("missing"), missing},
            {QStringLiteral("access"), access},
            {QStringLiteral("error"), textOrNull(candidate.refusal.cause)}};
}

struct DiscoverOptions
{
    QStringList urls;      ///< as typed: they may hold a password, so they are never repeated
    QString password;      ///< reference: env:NAME or file:PATH; empty: none
    bool all = false;      ///< also tables without locks
    bool viaAgent = false; ///< the agent searches, from its machine
};

/** Searches a store itself or lets an agent search it, and prints a section for an agent's configuration. */
class DiscoverCommand final : public Command
{
    Q_OBJECT

public:
    DiscoverCommand(DiscoverOptions options, Context &context);
    void start() override;

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    void look(base::Result<std::unique_ptr<stores::discover::Discoverer>> discoverer);
    void print(const stores::discover::Discovery &discovery);
    QString section(const stores::discover::Discovery &discovery) const;
    QByteArray lines(const stores::discover::Discovery &discovery) const;

    DiscoverOptions m_options;
    stores::SourceSpec m_spec;
    discover::LookingAgent::Answer m_answer; ///< waits for the agent's
    std::unique_ptr<stores::discover::Discoverer> m_discoverer;
};

DiscoverCommand::DiscoverCommand(DiscoverOptions options, Context &context)
    : Command(context), m_options(std::move(options))
{
}

void DiscoverCommand::start()
{
    const auto url = readUrls(m_options.urls);
    if (!url)
        return fail(url.error());
    m_spec.url = *url;
    if (!m_options.password.isEmpty()) {
        const auto secret = stores::resolveSecret(m_options.password, QDir::currentPath());
        if (!secret)
            return fail({base::ErrorCode::Usage, secret.error().cause, secret.error().remedy});
        m_spec.password = *secret;
    }
    if (m_options.viaAgent)
        Command::start();
    else
        look(stores::discover::makeDiscoverer(m_spec));
}

void DiscoverCommand::look(base::Result<std::unique_ptr<stores::discover::Discoverer>> discoverer)
{
    if (!discoverer)
        return fail(discoverer.error());
    m_discoverer = *std::move(discoverer);
    connect(m_discoverer.get(), &stores::discover::Discoverer::found, this, &DiscoverCommand::print);
    connect(m_discoverer.get(), &stores::discover::Discoverer::failed, this,
            [this](const base::Error &error) { fail(error); });
    m_discoverer->start();
}

void DiscoverCommand::connected(const protocol::Welcome &)
{
    const auto ask = [this](protocol::DiscoverRequest request, QObject *,
                            discover::LookingAgent::Answer answer) -> quint64 {
        m_answer = std::move(answer);
        request.id = 1;
        send(request);
        return request.id;
    };
    look(std::make_unique<discover::RemoteDiscoverer>(
        discover::LookingAgent{agent(), {}, ask, [](quint64) {}}, m_spec));
}

void DiscoverCommand::received(const protocol::Message &message)
{
    if (const auto *result = std::get_if<protocol::DiscoverResult>(&message); result && m_answer)
        std::exchange(m_answer, {})(*result);
}

void DiscoverCommand::print(const Discovery &discovery)
{
    if (context().json)
        context().out.write(lines(discovery));
    else
        context().out.text(section(discovery));
    finish(Exit::Done);
}

QByteArray DiscoverCommand::lines(const Discovery &discovery) const
{
    QByteArray text;
    for (const auto *list : {&discovery.found, &discovery.near, &discovery.rest}) {
        if (list == &discovery.rest && !m_options.all)
            continue;
        for (const Candidate &candidate : *list)
            text += jsonLine(candidateObject(candidate, discovery));
    }
    return text;
}

QString DiscoverCommand::section(const Discovery &discovery) const
{
    QStringList head{CandidateFormatter::summary(discovery)};
    if (m_options.viaAgent)
        head.append(
            tr("Found by the agent %1 from its machine: add this to its configuration.").arg(agent()));
    if (!discovery.allSeen)
        head.append(hasKeys(discovery) ? tr("There are more keys than were scanned.")
                                       : tr("There are more tables than were scanned."));
    QString text = stores::discover::commentLines(head);
    if (discovery.found.isEmpty())
        text += stores::discover::commentLines({CandidateFormatter::nothing(discovery)});
    else
        text += QLatin1Char('\n') + stores::discover::sourceSection({{}, m_spec.url, m_options.password, {}},
                                                                    discovery.found,
                                                                    &CandidateFormatter::explain);
    QStringList misses;
    for (const Candidate &candidate : discovery.near)
        misses.append(QStringLiteral("  ") +
                      CandidateFormatter::nearMiss(candidate, words::ErrorWords::line(candidate.refusal)));
    if (!misses.isEmpty())
        text += QLatin1Char('\n') + stores::discover::commentLines(QStringList{tr("Near misses:")} + misses);
    QStringList rest;
    if (m_options.all) {
        for (const Candidate &candidate : discovery.rest)
            rest.append(QStringLiteral("  ") +
                        CandidateFormatter::nearMiss(candidate, words::ErrorWords::line(candidate.refusal)));
    }
    if (!rest.isEmpty())
        text += QLatin1Char('\n') +
                stores::discover::commentLines(
                    QStringList{hasKeys(discovery) ? tr("Other keys:") : tr("Other tables:")} + rest);
    return text;
}

class DiscoverSpec final : public CommandSpec, public WithOptions<DiscoverOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"discover", tr("scan a store, print a section for an agent's configuration"),
                "discover redis://127.0.0.1:6379/0",
                "discover mysql://lockkeeper@db1/app --password env:DB_PASSWORD"};
    }
    void declare(Arguments &arguments) override
    {
        arguments
            .texts(
                "URL", options.urls,
                help("redis://HOST:PORT/0, mysql://USER@HOST/DATABASE, postgresql://…, sqlite:PATH; several "
                     "of Redis: the nodes of a Redlock"))
            ->required();
        arguments.text("--password", options.password, help("the password's source: env:NAME or file:PATH"));
        arguments.flag("--all", options.all,
                       help("also list tables or keys that aren't locks, with the reason"));
        arguments.flag("--via-agent", options.viaAgent,
                       help("the agent scans from its own machine (needs the admin role)"));
    }
    QString whyOneAgent() const override
    {
        return tr("this command queries a single agent. Use --agent once");
    }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<DiscoverCommand>(options, context);
    }
};

} // namespace

std::unique_ptr<CommandSpec> discoverCommand()
{
    return std::make_unique<DiscoverSpec>();
}

} // namespace lockkeeper::app::cli

#include "discover_command.moc"
