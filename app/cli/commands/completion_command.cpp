// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>

namespace lockkeeper::app::cli {

namespace {

/** Prints the script by which a shell completes lockkeeperctl's words. */
class CompletionCommand final : public Command
{
    Q_OBJECT

public:
    CompletionCommand(CompletionShell shell, Context &context) : Command(context), m_shell(shell) {}

    void start() override
    {
        context().out.text(completionScript(m_shell, programWords(allCommands())));
        tellFinished(int(Exit::Done));
    }

private:
    CompletionShell m_shell;
};

class CompletionSpec final : public CommandSpec
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"completion", tr("print a script that completes lockkeeperctl's words in your shell"),
                "completion zsh | sudo tee /usr/local/share/zsh/site-functions/_lockkeeperctl",
                "completion fish | source"};
    }
    void declare(Arguments &arguments) override
    {
        arguments
            .choice(
                "SHELL", kCompletionShells, [this](std::size_t index) { m_shell = CompletionShell(index); },
                help("the shell"))
            ->required();
    }
    bool asksAgent() const override { return false; }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<CompletionCommand>(m_shell, context);
    }

private:
    CompletionShell m_shell = CompletionShell::Bash;
};

} // namespace

std::unique_ptr<CommandSpec> completionCommand()
{
    return std::make_unique<CompletionSpec>();
}

} // namespace lockkeeper::app::cli

#include "completion_command.moc"
