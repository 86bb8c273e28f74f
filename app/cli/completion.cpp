// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion.h"

namespace lockkeeper::app::cli {

namespace {

const QString kSpace = QStringLiteral(" ");

/** A word that all three shells take literally. */
QString quoted(QString text)
{
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

QStringList optionNames(const QList<OptionWords> &arguments)
{
    QStringList names;
    for (const OptionWords &argument : arguments)
        names += argument.names;
    return names;
}

/** The values of the arguments without a name. */
QStringList positionalValues(const QList<OptionWords> &arguments)
{
    QStringList values;
    for (const OptionWords &argument : arguments) {
        if (argument.names.isEmpty())
            values += argument.values;
    }
    return values;
}

QStringList namesWithValue(const QList<OptionWords> &arguments)
{
    QStringList names;
    for (const OptionWords &argument : arguments) {
        if (argument.takesValue)
            names += argument.names;
    }
    return names;
}

/** The lines of bash's `case COMMAND/PREVIOUS-WORD`; the command "*": each. */
QString bashValues(const QString &command, const QList<OptionWords> &arguments)
{
    QString lines;
    QStringList free;
    for (const OptionWords &argument : arguments) {
        if (!argument.takesValue)
            continue;
        QStringList patterns;
        for (const QString &name : argument.names)
            patterns.append(command + QLatin1Char('/') + name);
        if (argument.values.isEmpty())
            free += patterns;
        else if (!patterns.isEmpty())
            lines += QStringLiteral("  %1) words=%2 ;;\n")
                         .arg(patterns.join(QLatin1Char('|')), quoted(argument.values.join(kSpace)));
    }
    if (!free.isEmpty())
        lines +=
            QStringLiteral("  %1) compopt -o bashdefault -o default ;;\n").arg(free.join(QLatin1Char('|')));
    return lines;
}

/** A line of bash's `case`: these words; options if there are none, or once a dash was typed. */
QString bashWords(const QString &command, const QStringList &words, const QStringList &options)
{
    const QString all = quoted(options.join(kSpace));
    if (words.isEmpty())
        return QStringLiteral("  %1/*) words=%2 ;;\n").arg(command, all);
    return QStringLiteral("  %1/*) [[ $current == -* ]] && words=%2 || words=%3 ;;\n")
        .arg(command, all, quoted(words.join(kSpace)));
}

QString bashScript(const ProgramWords &program)
{
    QStringList commands;
    QString values = bashValues(QStringLiteral("*"), program.options);
    QString others;
    for (const CommandWords &command : program.commands) {
        commands.append(command.name);
        values += bashValues(command.name, command.arguments);
        others += bashWords(command.name, positionalValues(command.arguments),
                            optionNames(command.arguments + program.options));
    }
    return QStringLiteral(R"SH(# bash completion for %1
_%1()
{
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= words= i
  # bash takes the "=" of --name=value for a word.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
    --) compopt -o bashdefault -o default; return ;;
    %2) [[ -n $command || ${COMP_WORDS[i + 1]} == = ]] || ((i++)) ;;
    -*|=) ;;
    *) [[ -n $command || ${COMP_WORDS[i - 1]} == = ]] || command=${COMP_WORDS[i]} ;;
    esac
  done
  case $command/$previous in
%3%4%5  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _%1 %1
)SH")
        .arg(program.name, namesWithValue(program.options).join(QLatin1Char('|')), values,
             bashWords({}, commands, optionNames(program.options)), others);
}

/** A text within zsh's "[…]", or before the ":" of a description. */
QString zshText(QString text)
{
    static const QString special = QStringLiteral("\\[]:");
    for (const QChar c : special)
        text.replace(c, QLatin1Char('\\') + QString(c));
    return text;
}

QString zshArguments(const QList<OptionWords> &arguments)
{
    QString lines;
    int place = 0;
    for (const OptionWords &argument : arguments) {
        const QString action = argument.values.isEmpty()
                                   ? QStringLiteral("_files")
                                   : QLatin1Char('(') + argument.values.join(kSpace) + QLatin1Char(')');
        if (argument.names.isEmpty() && !argument.values.isEmpty())
            lines += QStringLiteral(" \\\n        %1")
                         .arg(quoted(
                             QStringLiteral("%1:%2:%3").arg(++place).arg(zshText(argument.about), action)));
        for (const QString &name : argument.names) {
            QString spec = QStringLiteral("*%1[%2]").arg(name, zshText(argument.about));
            if (argument.takesValue)
                spec =
                    QStringLiteral("*%1%2[%3]:value:%4")
                        .arg(name,
                             name.startsWith(QLatin1String("--")) ? QStringLiteral("=") : QStringLiteral("+"),
                             zshText(argument.about), action);
            lines += QStringLiteral(" \\\n        ") + quoted(spec);
        }
    }
    return lines;
}

QString zshScript(const ProgramWords &program)
{
    QString commands;
    QString cases;
    for (const CommandWords &command : program.commands) {
        commands += QStringLiteral("      %1\n")
                        .arg(quoted(command.name + QLatin1Char(':') + zshText(command.about)));
        cases += QStringLiteral("    %1)\n      _arguments -s%2\n      ;;\n")
                     .arg(command.name, zshArguments(command.arguments + program.options));
    }
    return QStringLiteral(R"SH(#compdef %1
_%1()
{
  local state line
  local -a commands
  _arguments -s -C%2 \
        '1:command:->command' \
        '*::argument:->argument'
  case $state in
  command)
    commands=(
%3    )
    _describe command commands
    ;;
  argument)
    case $line[1] in
%4    esac
    ;;
  esac
}
if [[ $funcstack[1] == _%1 ]]; then
  _%1 "$@"
else
  compdef _%1 %1
fi
)SH")
        .arg(program.name, zshArguments(program.options), commands, cases);
}

QString fishArguments(const QString &start, const QList<OptionWords> &arguments)
{
    QString lines;
    for (const OptionWords &argument : arguments) {
        if (argument.names.isEmpty() && argument.values.isEmpty())
            continue;
        QString line = start;
        for (const QString &name : argument.names) {
            line += name.startsWith(QLatin1String("--"))
                        ? QStringLiteral(" -l ") + name.mid(2)
                        : (name.size() == 2 ? QStringLiteral(" -s ") : QStringLiteral(" -o ")) + name.mid(1);
        }
        if (!argument.values.isEmpty())
            line += (argument.names.isEmpty() ? QStringLiteral(" -f -a ") : QStringLiteral(" -x -a ")) +
                    quoted(argument.values.join(kSpace));
        else if (argument.takesValue)
            line += QStringLiteral(" -r -F");
        lines += line + QStringLiteral(" -d ") + quoted(argument.about) + QLatin1Char('\n');
    }
    return lines;
}

QString fishScript(const ProgramWords &program)
{
    const QString start = QStringLiteral("complete -c ") + program.name;
    const QString command = QStringLiteral("__%1_command").arg(program.name);
    QString script = QStringLiteral(R"SH(# fish completion for %1
function %2 -d 'The command in the line so far'
    set -l words (commandline -poc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case %3
                set -e words[1] # its value is next
            case '-*'
            case '*'
                echo $words[1]
                return 0
        end
        set -e words[1]
    end
    return 1
end
%4 -f
)SH")
                         .arg(program.name, command, namesWithValue(program.options).join(kSpace), start) +
                     fishArguments(start, program.options);
    for (const CommandWords &one : program.commands) {
        script += QStringLiteral("%1 -n 'not %2 >/dev/null' -f -a %3 -d %4\n")
                      .arg(start, command, one.name, quoted(one.about));
        script += fishArguments(
            QStringLiteral("%1 -n 'string match -q %2 (%3)'").arg(start, one.name, command), one.arguments);
    }
    return script;
}

} // namespace

QString completionScript(CompletionShell shell, const ProgramWords &program)
{
    switch (shell) {
    case CompletionShell::Bash:
        return bashScript(program);
    case CompletionShell::Zsh:
        return zshScript(program);
    case CompletionShell::Fish:
        return fishScript(program);
    }
    return {};
}

} // namespace lockkeeper::app::cli
