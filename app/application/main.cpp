// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application/console.h"
#include "app/application/shot.h"
#include "app/report/report_stream.h"
#include "app/views/report/report_pdf.h"
#include "app/views/window/main_window.h"
#include "shared/base/clock.h"
#include "shared/base/log_level.h"
#include "shared/transport/address.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFile>
#include <QFileInfo>
#include <QLoggingCategory>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSize>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string_view>

namespace {

using namespace lockkeeper;

struct ConsoleOptions
{
    QString agent;
    QString language;
    QString theme;
    QString settings;
    bool demo = false;
    QSize size; ///< empty: as last time
    app::ShotOptions shot;
    QString reportPdf; ///< a file; empty: show the window
};

/** Writes one line with cause and remedy to standard error; status 2. */
std::nullopt_t usage(const QString &message)
{
    std::fprintf(stderr, "lockkeeper: %s; see lockkeeper --help\n", qPrintable(message));
    return std::nullopt;
}

QList<QCommandLineOption> optionList()
{
    const auto s = [](const char *text) { return QString::fromLatin1(text); };
    return {{s("agent"),
             s("Agent to connect to: local:PATH, ssh://HOST, tls://HOST or a name of agents.toml; repeat for "
               "several (default: LOCKKEEPER_AGENT, or the local agent)."),
             s("address")},
            {s("demo"), s("Show demo locks in a private Redis; needs redis-server.")},
            {s("language"), s("Language: en or zh_CN."), s("code")},
            {s("theme"), s("Appearance: system, light or dark."), s("name")},
            {s("settings"), s("Settings file to use instead of the user's."), s("file")},
            {s("log-level"), s("Lowest level to log: debug, info, warning or error."), s("level"), s("info")},
            {s("shot"), s("Write a picture of the window to this PNG file and exit."), s("file")},
            {s("shot-after"), s("When to take the picture, in milliseconds (3000)."), s("ms"), s("3000")},
            {s("report-pdf"),
             s("Write the report on standard input, as lockkeeperctl sends it, to this PDF file and exit."),
             s("file")},
            {s("size"), s("Size of the window, e.g. 1280x800."), s("WxH"), s("1280x800")},
            {s("select"), s("For --shot: the lock to select, by its name."), s("lock")}};
}

bool setLogLevel(const QString &level)
{
    const QString rules = base::logRules(level);
    QLoggingCategory::setFilterRules(rules);
    return !rules.isEmpty();
}

std::optional<ConsoleOptions> parse(const QCoreApplication &application)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("The Lockkeeper console: live locks, history and guarded force-release."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions(optionList());
    if (!parser.parse(application.arguments()))
        return usage(parser.errorText());
    if (parser.isSet(QStringLiteral("help")))
        parser.showHelp(0);
    if (parser.isSet(QStringLiteral("version")))
        parser.showVersion();
    if (!parser.positionalArguments().isEmpty())
        return usage(QStringLiteral("unexpected argument \"%1\"").arg(parser.positionalArguments().first()));
    ConsoleOptions options;
    options.agent = parser.values(QStringLiteral("agent")).join(QStringLiteral(", "));
    options.demo = parser.isSet(QStringLiteral("demo"));
    options.language = parser.value(QStringLiteral("language"));
    options.theme = parser.value(QStringLiteral("theme"));
    options.settings = parser.value(QStringLiteral("settings"));
    options.shot.file = parser.value(QStringLiteral("shot"));
    options.shot.select = parser.value(QStringLiteral("select"));
    options.reportPdf = parser.value(QStringLiteral("report-pdf"));
    static const QRegularExpression sizeForm(QStringLiteral("^([0-9]{3,5})x([0-9]{3,5})$"));
    const auto size = sizeForm.match(parser.value(QStringLiteral("size")));
    if (!size.hasMatch())
        return usage(QStringLiteral("--size must be WIDTHxHEIGHT, e.g. 1280x800"));
    if (parser.isSet(QStringLiteral("size")) || !options.shot.file.isEmpty())
        options.size = QSize(size.captured(1).toInt(), size.captured(2).toInt());
    bool number = false;
    options.shot.afterMs = parser.value(QStringLiteral("shot-after")).toInt(&number);
    if (!number || options.shot.afterMs < 0)
        return usage(QStringLiteral("--shot-after must be a number of milliseconds"));
    const QStringList themes{QString(), QStringLiteral("system"), QStringLiteral("light"),
                             QStringLiteral("dark")};
    if (!themes.contains(options.theme))
        return usage(QStringLiteral("--theme must be system, light or dark"));
    const QStringList languages{QString(), QStringLiteral("en"), QStringLiteral("zh_CN")};
    if (!languages.contains(options.language))
        return usage(QStringLiteral("--language must be en or zh_CN"));
    if (!setLogLevel(parser.value(QStringLiteral("log-level"))))
        return usage(QStringLiteral("--log-level must be debug, info, warning or error"));
    return options;
}

/** Answered without a window, so that it works without a display. */
bool asksForText(std::string_view argument)
{
    constexpr std::array kForms{"-h", "--help", "--help-all", "-v", "--version"};
    return std::find(kForms.begin(), kForms.end(), argument) != kForms.end();
}

/**
 * The agent from the option, from the environment, the last opened agent, or a default socket that exists;
 * empty: none is known.
 */
QString chooseAgent(const ConsoleOptions &options, const app::settings::Settings &settings)
{
    if (!options.agent.isEmpty())
        return options.agent;
    const QString told = qEnvironmentVariable("LOCKKEEPER_AGENT");
    if (!told.isEmpty())
        return told;
    const QString last = settings.value(app::settings::Key::LastAgent).toString();
    if (!last.isEmpty())
        return last;
    const QString local = transport::defaultAddress();
    return QFileInfo::exists(local.mid(QStringLiteral("local:").size())) ? local : QString();
}

/** Writes the report on standard input as PDF; the exit status. */
int writeReport(const QString &path)
{
    QFile input;
    const bool isOpen = input.open(stdin, QIODevice::ReadOnly);
    const auto report = app::report::unpackReport(isOpen ? input.readAll() : QByteArray());
    if (!report) {
        std::fprintf(stderr, "lockkeeper: %s\n", qUtf8Printable(report.error().line()));
        return 2;
    }
    const QByteArray pdf = app::views::reportPdf(*report);
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(pdf) == pdf.size() && file.commit())
        return 0;
    std::fprintf(stderr, "lockkeeper: can't write %s: %s\n", qUtf8Printable(path),
                 qUtf8Printable(file.errorString()));
    return 1;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication::setApplicationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setOrganizationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKKEEPER_VERSION));
    if (std::any_of(argv + 1, argv + argc, asksForText)) {
        const QCoreApplication withoutDisplay(argc, argv);
        parse(withoutDisplay); // prints the text and exits
        return 2;
    }
    QApplication application(argc, argv);
    QApplication::setDesktopFileName(QStringLiteral("lockkeeper"));
    const std::optional<ConsoleOptions> options = parse(application);
    if (!options)
        return 2;
    if (!options->reportPdf.isEmpty())
        return writeReport(options->reportPdf);
    const base::SystemClock clock;
    const auto settings = options->settings.isEmpty()
                              ? std::make_unique<app::settings::Settings>()
                              : std::make_unique<app::settings::Settings>(options->settings);
    if (!options->language.isEmpty())
        settings->setValue(app::settings::Key::Language, options->language);
    if (!options->theme.isEmpty())
        settings->setValue(app::settings::Key::Appearance, options->theme);
    app::Console console(settings.get(), &clock);
    console.start(options->demo ? QString() : chooseAgent(*options, *settings));
    if (options->demo)
        console.startDemo();
    if (!options->size.isEmpty())
        console.window()->resize(options->size);
    console.window()->show();
    std::unique_ptr<app::Shot> shot;
    if (!options->shot.file.isEmpty())
        shot = std::make_unique<app::Shot>(&console, options->shot);
    return QApplication::exec();
}
