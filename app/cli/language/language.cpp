// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/language/language.h"

#include <QCoreApplication>
#include <QLocale>

namespace lockkeeper::app::cli {

namespace {

QString english()
{
    return QStringLiteral("en");
}

/** The locale of a category, for example "zh_CN.UTF-8"; empty if no variable sets it. */
QString localeOf(const QProcessEnvironment &environment, const QString &category)
{
    for (const QString &name : {QStringLiteral("LC_ALL"), category, QStringLiteral("LANG")}) {
        if (const QString value = environment.value(name); !value.isEmpty())
            return value;
    }
    return {};
}

bool isUtf8(const QString &locale)
{
    QString charset = locale.section(QLatin1Char('.'), 1).section(QLatin1Char('@'), 0, 0).toLower();
    return charset.remove(QLatin1Char('-')) == QLatin1String("utf8");
}

} // namespace

QString Language::wanted(const QProcessEnvironment &environment)
{
    const QString messages = localeOf(environment, QStringLiteral("LC_MESSAGES"));
    const QString name = messages.section(QLatin1Char('.'), 0, 0);
    // Without a locale LANGUAGE has no effect.
    if (name.isEmpty() || name == QLatin1String("C") || name == QLatin1String("POSIX") ||
        !isUtf8(localeOf(environment, QStringLiteral("LC_CTYPE"))))
        return english();
    const QString list = environment.value(QStringLiteral("LANGUAGE"));
    const QStringList wishes = (list.isEmpty() ? messages : list).split(QLatin1Char(':'), Qt::SkipEmptyParts);
    for (const QString &wish : wishes) {
        const QString code = QLocale(wish).name();
        if (code == QLatin1String("zh_CN"))
            return code;
        if (code.startsWith(QLatin1String("en")))
            break;
    }
    return english();
}

Language::~Language()
{
    QCoreApplication::removeTranslator(&m_console);
    QCoreApplication::removeTranslator(&m_shell);
}

void Language::speak(const QString &code)
{
    const auto install = [&code](QTranslator &translator, const char *name) {
        QCoreApplication::removeTranslator(&translator);
        if (translator.load(QStringLiteral(":/i18n/%1_%2.qm").arg(QLatin1String(name), code)))
            QCoreApplication::installTranslator(&translator);
    };
    QLocale::setDefault(QLocale(code)); // for numbers, and for errors that are reported in English
    install(m_console, "lockkeeper");
    install(m_shell, "lockkeeperctl");
}

} // namespace lockkeeper::app::cli
