// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace tst_cli_completion {

using namespace lockkeeper;
using namespace lockkeeper::app::cli;

namespace {

/** Marks the place of a quote, a bracket and a backslash, which each shell treats in its own way. */
const QString kHostile = QStringLiteral("it's [one]: \\ $(touch x) `y`");

ProgramWords hostileWords()
{
    const OptionWords option{
        {QStringLiteral("--one")}, kHostile, true, {QStringLiteral("a"), QStringLiteral("b")}};
    return {QStringLiteral("lockkeeperctl"), {option}, {{QStringLiteral("go"), kHostile, {option}}}};
}

} // namespace

/** The scripts, in the shells that they are for. */
class TestCliCompletion : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void words_data();
    void words();
    void parses_data();
    void parses();

private:
    QString write(CompletionShell shell, const ProgramWords &words)
    {
        QFile file(m_folder.filePath(QStringLiteral("script")));
        return file.open(QIODevice::WriteOnly) && file.write(completionScript(shell, words).toUtf8()) > 0
                   ? file.fileName()
                   : QString();
    }
    /** The last word of the line, completed by bash or fish. */
    QStringList completed(CompletionShell shell, const QStringList &line);

    QTemporaryDir m_folder;
};

QStringList TestCliCompletion::completed(CompletionShell shell, const QStringList &line)
{
    const QString script = write(shell, programWords(allCommands()));
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    if (shell == CompletionShell::Bash)
        process.start(QStringLiteral("bash"),
                      QStringList{QStringLiteral("--norc"), QStringLiteral("-c"),
                                  QStringLiteral("compopt() { :; }; . \"$1\"; shift; COMP_WORDS=(\"$@\"); "
                                                 "COMP_CWORD=$(($# - 1)); _lockkeeperctl; "
                                                 "printf '%s\\n' \"${COMPREPLY[@]}\""),
                                  QStringLiteral("bash"), script} +
                          line);
    else
        process.start(QStringLiteral("fish"),
                      {QStringLiteral("--no-config"), QStringLiteral("-c"),
                       QStringLiteral("source $argv[1]; complete -C $argv[2]"), script,
                       line.join(QLatin1Char(' ')).replace(QLatin1String(" = "), QLatin1String("="))});
    if (!process.waitForFinished())
        return {};
    QStringList found;
    for (const QString &one : QString::fromUtf8(process.readAllStandardOutput()).split(QLatin1Char('\n'))) {
        if (!one.isEmpty())
            found.append(one.section(QLatin1Char('\t'), 0, 0).section(QLatin1Char('='), -1));
    }
    found.sort();
    return found;
}

void TestCliCompletion::words_data()
{
    QTest::addColumn<CompletionShell>("shell");
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, const char *line, const char *words) {
        for (const CompletionShell shell : {CompletionShell::Bash, CompletionShell::Fish})
            QTest::addRow("%s, %s", kCompletionShells.at(std::size_t(shell)).c_str(), name)
                << shell << QStringLiteral("lockkeeperctl ") + QLatin1String(line)
                << QString::fromLatin1(words);
    };
    row("a command", "co", "completion contention");
    row("a command behind options", "--agent x --json chai", "chains");
    row("the command's option", "contention --b", "--by");
    row("its values", "contention --by ", "holder lock statement waiter");
    row("its values, begun", "contention --by ho", "holder");
    row("its values behind an equals sign", "contention --by = st", "statement");
    row("the same option of another command", "locks --state unk", "unknown");
    row("another command's", "watch --state unk", "");
    row("the program's option behind the command", "locks --log", "--log-level");
    row("the program's values behind the command", "locks --log-level w", "warning");
    row("a positional argument", "completion ", "bash fish zsh");
    row("a positional argument of several words", "alerts sn", "snooze");
    row("options of a command with a positional argument", "completion --j", "--json");
    row("an unknown word", "nothing-like-this --sta", "");
    row("a value that isn't a command", "--user locks whoa", "whoami");
    row("many words before it", "--agent x --json --user y chai", "chains");
}

void TestCliCompletion::words()
{
    QFETCH(CompletionShell, shell);
    QFETCH(QString, line);
    QFETCH(QString, words);
    QCOMPARE(completed(shell, line.split(QLatin1Char(' '))).join(QLatin1Char(' ')), words);
}

void TestCliCompletion::parses_data()
{
    QTest::addColumn<CompletionShell>("shell");
    QTest::addColumn<bool>("isHostile");
    for (const CompletionShell shell : {CompletionShell::Bash, CompletionShell::Zsh, CompletionShell::Fish}) {
        const char *name = kCompletionShells.at(std::size_t(shell)).c_str();
        QTest::addRow("%s", name) << shell << false;
        QTest::addRow("%s, hostile texts", name) << shell << true;
    }
}

void TestCliCompletion::parses()
{
    QFETCH(CompletionShell, shell);
    QFETCH(bool, isHostile);
    const QString script = write(shell, isHostile ? hostileWords() : programWords(allCommands()));
    const QString program = QString::fromStdString(kCompletionShells.at(std::size_t(shell)));
    QVERIFY2(!QStandardPaths::findExecutable(program).isEmpty(), qPrintable(program));
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(
        program,
        {QStringLiteral("-c"),
         shell == CompletionShell::Zsh
             ? QStringLiteral("compdef() { }; . ") + script
             : (shell == CompletionShell::Bash ? QStringLiteral(". ") : QStringLiteral("source ")) + script});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.readAllStandardError(), QByteArray());
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("x"))));
}

LOCKKEEPER_TEST(TestCliCompletion)

} // namespace tst_cli_completion

#include "tst_cli_completion.moc"
