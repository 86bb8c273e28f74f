// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/options.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

namespace lockkeeper::agent::application {

namespace {

struct Verb
{
    const char *name;
    const char *help;
};
constexpr Verb kVerbs[] = {
    {"add", "Add a user, whose password is asked for, or read from standard input"},
    {"password", "Give a user another password"},
    {"disable", "Disable a user, and end their sessions"},
    {"enable", "Enable a disabled user"},
    {"remove", "Remove a user, and end their sessions"},
};

/** `user VERB NAME`, `user list`. */
CLI::App *addUserCommand(CLI::App &cli, std::string &name)
{
    CLI::App *user = cli.add_subcommand("user", "Who may log in over TLS by a password");
    user->require_subcommand(1);
    for (const Verb &verb : kVerbs)
        user->add_subcommand(verb.name, verb.help)->add_option("NAME", name, "The user's name")->required();
    user->add_subcommand("list", "List the users");
    return user;
}

/** `audit accept --reason TEXT`. */
CLI::App *addAuditCommand(CLI::App &cli, std::string &reason)
{
    CLI::App *audit = cli.add_subcommand("audit", "The record of releases");
    audit->require_subcommand(1);
    audit->add_subcommand("accept", "Accept an incomplete audit and sign it; stop the agent first")
        ->add_option("--reason", reason, "The reason, recorded in the audit")
        ->type_name("TEXT")
        ->required();
    return audit;
}

/** The texts that CLI11 reads for `hub`. */
struct HubTexts
{
    bool printsSchema = false;
    std::string url;
    std::string owner;
};

/** `hub --init URL [--owner ROLE]`, `hub --print-schema`. */
CLI::App *addHubCommand(CLI::App &cli, HubTexts &texts)
{
    CLI::App *hub = cli.add_subcommand("hub", "The PostgreSQL database with the fleet's history");
    auto *forms = hub->add_option_group("form");
    auto *init = forms->add_option("--init", texts.url,
                                   "Install the schema, or update it, print the next statements, and end");
    init->type_name("URL");
    forms->add_flag("--print-schema", texts.printsSchema, "Print the schema for psql, and end");
    forms->require_option(1);
    hub->add_option("--owner", texts.owner, "With --init: the role that owns the schema")
        ->type_name("ROLE")
        ->needs(init);
    return hub;
}

} // namespace

std::optional<AgentOptions> readOptions(int argc, char **argv, int &status)
{
    CLI::App cli("Watches distributed locks in Redis, SQL databases, MongoDB, etcd and ZooKeeper, and "
                 "force-releases them when an operator asks.",
                 "lockkeeper-agent");
    std::string config;
    std::string level = "info";
    AgentOptions options;
    auto *file = cli.add_option("--config", config, "The configuration file")->type_name("FILE");
    cli.add_flag("--check", options.check,
                 "Read the configuration, connect to every source, say what it can see and break and what is "
                 "missing, and end");
    cli.add_flag("--stop", options.stop,
                 "End the agent that runs with this configuration, wait for it, and end")
        ->excludes("--check");
    std::vector<std::string> hosts;
    std::string userName;
    auto *make =
        cli.add_flag("--make-certificate", options.makeCertificate,
                     "Write the certificate and key that [tls] names, print the fingerprint, and end; "
                     "never replaces one");
    cli.add_option("--host", hosts, "With --make-certificate: a name or address of this machine")
        ->type_name("NAME")
        ->needs(make);
    cli.add_flag("--fingerprint", options.fingerprint, "Print the certificate's fingerprint, and end");
    const CLI::App *user = addUserCommand(cli, userName);
    std::string reason;
    const CLI::App *audit = addAuditCommand(cli, reason);
    HubTexts hubTexts;
    const CLI::App *hub = addHubCommand(cli, hubTexts);
    cli.add_option("--log-level", level, "Lowest level to log: debug, info, warning or error")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"debug", "info", "warning", "error"}))
        ->capture_default_str();
    cli.add_flag("--exit-with-parent", options.exitWithParent, "End when the process that started it ends");
    cli.set_version_flag("--version", std::string("lockkeeper-agent " LOCKKEEPER_VERSION),
                         "Print the version and end");
    try {
        cli.parse(argc, argv);
        if (file->empty() && !hub->parsed())
            throw CLI::RequiredError("--config");
    } catch (const CLI::CallForHelp &call) {
        status = cli.exit(call);
        return std::nullopt;
    } catch (const CLI::CallForVersion &call) {
        status = cli.exit(call);
        return std::nullopt;
    } catch (const CLI::ParseError &error) {
        std::fprintf(stderr, "lockkeeper-agent: %s. Try lockkeeper-agent --help.\n", error.what());
        status = 2;
        return std::nullopt;
    }
    options.config = QString::fromLocal8Bit(config.c_str());
    options.logLevel = QString::fromStdString(level);
    for (const std::string &host : hosts)
        options.hosts.append(QString::fromLocal8Bit(host.c_str()));
    if (user->parsed())
        options.user = login::UserCommand{QString::fromStdString(user->get_subcommands().front()->get_name()),
                                          QString::fromLocal8Bit(userName.c_str())};
    if (hub->parsed())
        options.hub = hub::HubCommand{hubTexts.printsSchema, QString::fromLocal8Bit(hubTexts.url.c_str()),
                                      QString::fromLocal8Bit(hubTexts.owner.c_str())};
    if (audit->parsed())
        options.acceptsAudit = QString::fromLocal8Bit(reason.c_str());
    return options;
}

} // namespace lockkeeper::agent::application
