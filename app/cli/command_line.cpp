// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include "app/cli/language/parser_words.h"
#include "shared/transport/address.h"

#include <QRegularExpression>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace lockkeeper::app::cli {

namespace {

constexpr const char *kProgram = "lockkeeperctl";

/** The options of the program itself, as CLI11 reads them. */
struct GeneralOptions
{
    std::vector<std::string> agents;
    std::string user, password, certificate, key, ca, trust;
    std::string logLevel = "warning";
    bool json = false;
};

void addGeneral(CLI::App &app, GeneralOptions &general)
{
    app.add_option("--agent", general.agents,
                   help("the agent's address: local:PATH, ssh://[USER@]HOST[:PORT][/SOCKET], "
                        "tls://HOST[:PORT], or a name in your agents.toml (default: LOCKKEEPER_AGENT); may "
                        "be repeated to query several agents"))
        ->allow_extra_args(false);
    app.add_option("--user", general.user, help("over TLS: log in as this user"));
    app.add_option("--password", general.password,
                   help("over TLS: the password's source, env:NAME or file:PATH (default: prompt)"));
    app.add_option("--certificate", general.certificate,
                   help("over TLS: your certificate, used as the login"));
    app.add_option("--key", general.key, help("its private key (default: in the same file)"));
    app.add_option("--ca", general.ca, help("over TLS: the authorities that sign the agent's certificate"));
    app.add_option("--trust", general.trust,
                   help("over TLS: trust the agent with this fingerprint from now on (see lockkeeper-agent "
                        "--fingerprint)"));
    app.add_flag("--json", general.json, help("JSON Lines: one object a line"));
    app.add_option("--log-level", general.logLevel,
                   help("lowest level to log: debug, info, warning or error"))
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"debug", "info", "warning", "error"}));
    app.set_version_flag("--version", "lockkeeperctl " LOCKKEEPER_VERSION, help("print the version"));
    app.require_subcommand(1);
    app.fallthrough();
}

void addHelp(CLI::App &to)
{
    to.set_help_flag("-h,--help", help("Print this help message and exit"));
}

/** A command, its parser, and the object that reads its options. */
struct Declared
{
    const CLI::App *parser;
    std::unique_ptr<CommandSpec> command;
    std::unique_ptr<Arguments> arguments;
};

Declared declare(CLI::App &app, std::unique_ptr<CommandSpec> command, qint64 nowUs,
                 const QByteArrayList &toRun)
{
    const CommandSpec::Summary summary = command->summary();
    CLI::App *parser = app.add_subcommand(summary.name, summary.about.toStdString());
    parser->group(help("Subcommands"));
    addHelp(*parser);
    parser->footer(help("Examples:") + "\n  lockkeeperctl " + summary.example + "\n  lockkeeperctl " +
                   summary.another);
    auto arguments = std::make_unique<Arguments>(*parser, nowUs, toRun);
    command->declare(*arguments);
    return {parser, std::move(command), std::move(arguments)};
}

/** The words of an option's "{a,b,c}", which CLI11 derives from its check. */
QStringList valuesOf(const CLI::Option &option)
{
    static const QRegularExpression set(QStringLiteral("\\{([^}]*)\\}"));
    const QString all = set.match(QString::fromStdString(option.get_type_name())).captured(1);
    return all.split(QLatin1Char(','), Qt::SkipEmptyParts);
}

QList<OptionWords> argumentWords(const CLI::App &parser)
{
    QList<OptionWords> words;
    for (const CLI::Option *option : parser.get_options()) {
        OptionWords one{{},
                        QString::fromStdString(option->get_description()),
                        option->get_items_expected_max() > 0,
                        valuesOf(*option)};
        for (const std::string &name : option->get_lnames())
            one.names.append(QStringLiteral("--") + QString::fromStdString(name));
        for (const std::string &name : option->get_snames())
            one.names.append(QLatin1Char('-') + QString::fromStdString(name));
        words.append(one);
    }
    return words;
}

/**
 * The arguments as CLI11 needs them: "--holder=" is split, because otherwise CLI11 takes the next word for
 * the empty value.
 */
std::vector<std::string> words(const QByteArrayList &arguments)
{
    std::vector<std::string> words;
    bool options = true;
    for (const QByteArray &argument : arguments) {
        options = options && argument != "--";
        const bool empty =
            options && argument.startsWith("--") && argument.endsWith('=') && argument.count('=') == 1;
        words.push_back((empty ? argument.chopped(1) : argument).toStdString());
        if (empty)
            words.emplace_back();
    }
    return words;
}

/** The first word that belongs to no option; -1: none. */
qsizetype commandIn(const QByteArrayList &arguments)
{
    static const QByteArrayList kWithValue{"--agent",       "--log-level", "--user", "--password",
                                           "--certificate", "--key",       "--ca",   "--trust"};
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        if (kWithValue.contains(arguments.at(i)))
            ++i; // its value
        else if (!arguments.at(i).startsWith('-'))
            return i;
    }
    return -1;
}

/** Empty if the first word that belongs to no option is a command, or if there is none. */
QString unknownCommand(const CLI::App &app, const QByteArrayList &arguments)
{
    QStringList known;
    for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
        known.append(QString::fromStdString(command->get_name()));
    const qsizetype command = commandIn(arguments);
    const QString word = QString::fromUtf8(arguments.value(command));
    if (command < 0 || known.contains(word))
        return {};
    return tr("there is no command '%1'. %2").arg(base::displayText(word), didYouMean(word, known));
}

/** Removes from the arguments, and returns, the command after `run … --`, which we don't parse. */
QByteArrayList takeCommandToRun(QByteArrayList &arguments)
{
    const qsizetype command = commandIn(arguments);
    if (command < 0 || arguments.at(command) != "run")
        return {};
    const qsizetype end = arguments.indexOf("--", command);
    if (end < 0)
        return {};
    const QByteArrayList toRun = arguments.mid(end + 1);
    arguments.resize(end);
    return toRun;
}

/** The reason why the command doesn't work with this number of agents; empty if it does. */
QString agentsFault(const CommandLine &line)
{
    if (!line.command->asksAgent())
        return line.agents.isEmpty() ? QString()
                                     : tr("--agent: this command doesn't query an agent. Remove the option");
    if (agentAddresses(line).size() == 1)
        return {};
    const QString why = line.command->whyOneAgent();
    if (!why.isEmpty())
        return why;
    return line.trust.isEmpty() ? QString()
                                : tr("--trust: each agent has its own certificate. Specify one agent");
}

CommandLine commandLineOf(const GeneralOptions &general)
{
    const auto text = [](const std::string &given) { return QString::fromStdString(given); };
    CommandLine line;
    for (const std::string &agent : general.agents)
        line.agents.append(text(agent));
    line.json = general.json;
    line.credentials = {text(general.user), text(general.password), text(general.certificate),
                        text(general.key), text(general.ca)};
    line.trust = text(general.trust);
    line.logLevel = text(general.logLevel);
    return line;
}

} // namespace

std::variant<CommandLine, Stop> parseCommandLine(const QByteArrayList &all, qint64 nowUs,
                                                 std::vector<std::unique_ptr<CommandSpec>> commands)
{
    QByteArrayList arguments = all;
    const QByteArrayList toRun = takeCommandToRun(arguments);
    CLI::App app(help("Shows and force-releases distributed locks through a lockkeeper-agent."), kProgram);
    app.formatter(helpFormatter());
    app.option_defaults()->group(help("Options"));
    addHelp(app);
    GeneralOptions general;
    addGeneral(app, general);
    std::vector<Declared> declared;
    for (std::unique_ptr<CommandSpec> &command : commands)
        declared.push_back(declare(app, std::move(command), nowUs, toRun));
    std::vector<std::string> reversed = words(arguments);
    std::reverse(reversed.begin(), reversed.end());
    try {
        app.parse(reversed);
    } catch (const CLI::Success &answer) {
        std::ostringstream out;
        std::ostringstream err;
        app.exit(answer, out, err);
        return Stop{0, QString::fromStdString(out.str())};
    } catch (const CLI::ParseError &error) {
        if (const QString fault = unknownCommand(app, arguments); !fault.isEmpty())
            return Stop{int(Exit::Usage), fault};
        return Stop{int(Exit::Usage), tr("%1. See lockkeeperctl --help").arg(faultText(error.what()))};
    }
    CommandLine line = commandLineOf(general);
    const auto chosen = std::find_if(declared.begin(), declared.end(),
                                     [](const Declared &one) { return one.parser->parsed(); });
    chosen->command->check(*chosen->arguments);
    line.command = std::move(chosen->command);
    const QString fault =
        chosen->arguments->fault().isEmpty() ? agentsFault(line) : chosen->arguments->fault();
    if (!fault.isEmpty())
        return Stop{int(Exit::Usage), fault};
    return line;
}

ProgramWords programWords(std::vector<std::unique_ptr<CommandSpec>> commands)
{
    CLI::App app({}, kProgram);
    addHelp(app);
    GeneralOptions general;
    addGeneral(app, general);
    ProgramWords words{QString::fromLatin1(kProgram), argumentWords(app), {}};
    for (std::unique_ptr<CommandSpec> &command : commands) {
        const CommandSpec::Summary summary = command->summary();
        const Declared declared = declare(app, std::move(command), 0, {});
        QList<OptionWords> arguments = argumentWords(*declared.parser);
        arguments.removeIf([&words](const OptionWords &one) { // --help
            return !one.names.isEmpty() && one.names == words.options.constFirst().names;
        });
        words.commands.append({QString::fromLatin1(summary.name), summary.about, arguments});
    }
    return words;
}

QStringList agentAddresses(const CommandLine &line)
{
    QStringList addresses = line.agents;
    addresses.removeAll(QString());
    addresses.removeDuplicates();
    if (!addresses.isEmpty())
        return addresses;
    const QString configured = qEnvironmentVariable("LOCKKEEPER_AGENT");
    return {configured.isEmpty() ? transport::defaultAddress() : configured};
}

} // namespace lockkeeper::app::cli
