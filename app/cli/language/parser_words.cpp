// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/language/parser_words.h"

#include "app/cli/command.h"
#include "app/cli/table.h"

#include <QRegularExpression>

#include <CLI/CLI.hpp>
#include <array>

namespace lockkeeper::app::cli {

namespace {

/** CLI11's layout. It pads by bytes, but a Chinese character has three bytes and two columns. */
class HelpLayout final : public CLI::Formatter
{
public:
    /** CLI11 writes an ASCII colon after every title. */
    std::string make_help(const CLI::App *app, std::string name, CLI::AppFormatMode mode) const override
    {
        static const QRegularExpression colon(QStringLiteral("(?<=\\p{Han}): ?"));
        QString help = QString::fromStdString(CLI::Formatter::make_help(app, std::move(name), mode));
        return help.replace(colon, QStringLiteral("：")).toStdString();
    }
    std::string make_option(const CLI::Option *option, bool isPositional) const override
    {
        const std::string name = "  " + make_option_name(option, isPositional) + make_option_opts(option);
        const int width = int(get_column_width());
        const int left = width - displayWidth(QString::fromStdString(name));
        const std::string gap =
            left > 0 ? std::string(std::size_t(left), ' ') : '\n' + std::string(std::size_t(width), ' ');
        return name + gap + make_option_desc(option) + '\n';
    }
};

/** CLI11's errors; %1, … stand for parts that are copied unchanged. The first that fits is used. */
constexpr std::array kFaults{
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "A subcommand is required"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "%1 is required"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "The following argument was not expected: %1"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "The following arguments were not expected: %1"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "%1: %2 not in %3"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "%1: %2 required %3 missing"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "%1: At Most %2 required but received %3"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "%1 requires %2"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "%1 excludes %2"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "Could not convert: %1 = %2"),
};

constexpr std::array kTitles{
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "Usage"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "OPTIONS"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "SUBCOMMAND"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "Positionals"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "REQUIRED"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "Needs"),
    QT_TRANSLATE_NOOP("lockkeeper::app::cli", "Excludes"),
};

} // namespace

std::shared_ptr<CLI::Formatter> helpFormatter()
{
    auto formatter = std::make_shared<HelpLayout>();
    for (const char *title : kTitles)
        formatter->label(title, tr(title).toStdString());
    return formatter;
}

QString faultText(const std::string &message)
{
    const QString said = base::singleLine(QString::fromStdString(message));
    static const QRegularExpression place(QStringLiteral(R"(\\%\d)"));
    for (const char *fault : kFaults) {
        const QString pattern =
            QRegularExpression::escape(QLatin1String(fault)).replace(place, QStringLiteral("(.+)"));
        const auto match = QRegularExpression(QRegularExpression::anchoredPattern(pattern)).match(said);
        if (!match.hasMatch())
            continue;
        QString words = tr(fault);
        for (int i = match.lastCapturedIndex(); i > 0; --i)
            words.replace(QStringLiteral("%%1").arg(i), match.captured(i));
        return words;
    }
    return said;
}

} // namespace lockkeeper::app::cli
