// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/command.h"

#include <memory>
#include <vector>

namespace lockkeeper::app::cli {

/** An agent as the user named it, and the context needed to query it. */
struct NamedAgent
{
    QString name; ///< in agents.toml, or an address
    Context context;
};

/**
 * One command of lockkeeperctl: its words, its options, and its execution. It lives in its command's own
 * file, and allCommands() lists it. An object parses one command line and outlives the task that it makes. An
 * implementation declares Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli), which is where its texts are
 * translated.
 */
class CommandSpec
{
public:
    struct Summary
    {
        const char *name;
        QString about;
        const char *example; ///< the line behind "lockkeeperctl"
        const char *another;
    };

    CommandSpec() = default;
    virtual ~CommandSpec() = default;
    Q_DISABLE_COPY_MOVE(CommandSpec)

    virtual Summary summary() const = 0;
    virtual void declare(Arguments &) {}
    /** Checks the parsed values; a fault is a usage error. */
    virtual void check(Arguments &) {}

    virtual bool asksAgent() const { return true; }
    /** The reason why these options work with a single agent only; empty: they work with several. */
    virtual QString whyOneAgent() const { return {}; }
    /** False for output that another program parses, in which errors stay English. */
    virtual bool speaksToPeople() const { return true; }

    /** The part of the command at one agent; `context` outlives it. */
    virtual std::unique_ptr<Command> make(Context &context) const = 0;
    /** The whole command. `agents` has at least one entry and outlives it. */
    virtual std::unique_ptr<Task> task(std::vector<NamedAgent> &agents) const
    {
        return make(agents.front().context);
    }
};

/** The options of a command, as parsed. */
template <typename Options> struct WithOptions
{
    Options options;
};

/** All commands, in the order of --help. */
std::vector<std::unique_ptr<CommandSpec>> allCommands();

} // namespace lockkeeper::app::cli
