// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>

#include <string>
#include <vector>

namespace lockkeeper::app::cli {

/** An option or a positional argument, as a shell completes it. */
struct OptionWords
{
    QStringList names; ///< "--help", "-h"; empty: a positional argument
    QString about;
    bool takesValue = false;
    QStringList values; ///< all possible ones; empty: any value, for example a file
};

struct CommandWords
{
    QString name;
    QString about;
    QList<OptionWords> arguments;
};

/** The words of a whole program. */
struct ProgramWords
{
    QString name;
    QList<OptionWords> options; ///< of the program: they may also stand after its command
    QList<CommandWords> commands;
};

/** The shells that have a completion script, by the names that `completion` takes. */
enum class CompletionShell : quint8 { Bash, Zsh, Fish };
inline const std::vector<std::string> kCompletionShells{"bash", "zsh", "fish"}; // by CompletionShell

/**
 * A script that makes the shell complete the program's commands, options and values. Where any value fits, it
 * leaves the word to the shell, which completes file names. Pure.
 */
QString completionScript(CompletionShell shell, const ProgramWords &program);

} // namespace lockkeeper::app::cli
