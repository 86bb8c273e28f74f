// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command_spec.h"
#include "app/cli/completion.h"
#include "app/connections/saved_agents.h"

#include <variant>

namespace lockkeeper::app::cli {

/** The parsed command line. */
struct CommandLine
{
    connections::Credentials credentials;
    QString trust;      ///< a fingerprint, as typed; empty: the known one
    QStringList agents; ///< addresses as given; none: LOCKKEEPER_AGENT or the default
    bool json = false;
    QString logLevel = QStringLiteral("warning");
    std::unique_ptr<CommandSpec> command;
};

/** The output and the exit status if there is nothing to run: for help, the version, or a usage error. */
struct Stop
{
    int status = 0;
    QString text; ///< with status 0 for standard output, otherwise one line for standard error
};

/**
 * Reads the arguments (without the program's name); `run` uses them byte by byte. `nowUs`: wall clock, for
 * relative times.
 */
std::variant<CommandLine, Stop> parseCommandLine(const QByteArrayList &arguments, qint64 nowUs,
                                                 std::vector<std::unique_ptr<CommandSpec>> commands);

/** The words of the program and of these commands, for completion. */
ProgramWords programWords(std::vector<std::unique_ptr<CommandSpec>> commands);

/**
 * The agents' addresses as text, without duplicates: from the option, from LOCKKEEPER_AGENT, or the first
 * default socket that the user may use.
 */
QStringList agentAddresses(const CommandLine &line);

} // namespace lockkeeper::app::cli
