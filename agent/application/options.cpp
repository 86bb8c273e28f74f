// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/options.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

namespace lockkeeper::agent::application {

std::optional<Options> readOptions(int argc, char **argv, int &status)
{
    CLI::App cli(
        "Watches distributed locks in Redis and MySQL or MariaDB and breaks them on an operator's word.",
        "lockkeeper-agent");
    std::string config;
    std::string level = "info";
    Options options;
    cli.add_option("--config", config, "The configuration file")->type_name("FILE")->required();
    cli.add_flag("--check", options.check,
                 "Read the configuration, connect to every source, say what it can see and break and what is "
                 "missing, and end");
    cli.add_flag("--stop", options.stop,
                 "End the agent that runs with this configuration, wait for it, and end")
        ->excludes("--check");
    cli.add_flag("--rebuild-rollups", options.rebuildRollups,
                 "Add up the journal's holds, waits and events again, and end; the agent must not run")
        ->excludes("--check")
        ->excludes("--stop");
    cli.add_option("--log-level", level, "The least level that is logged")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"debug", "info", "warning", "error"}))
        ->capture_default_str();
    cli.add_flag("--exit-with-parent", options.exitWithParent, "End when the process that started it ends");
    cli.set_version_flag("--version", std::string("lockkeeper-agent " LOCKKEEPER_VERSION),
                         "Print the version and end");
    try {
        cli.parse(argc, argv);
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
    return options;
}

} // namespace lockkeeper::agent::application
