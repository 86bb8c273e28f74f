// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application/language.h"

#include <QCoreApplication>
#include <QFile>
#include <QLibraryInfo>
#include <QLocale>

#include <array>

// A static library's resources are only linked if something refers to them; the macro must be outside a
// namespace.
static void initCatalogues()
{
    Q_INIT_RESOURCE(lockkeeper_i18n);
}

namespace lockkeeper::app {

namespace {

// Qt's texts that the console shows everywhere. We translate them too, because Qt's catalogues are a separate
// package that may be missing. Only for lupdate.
[[maybe_unused]] constexpr std::array kQtTexts{
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Open"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&No"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Close"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Apply"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Help"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Reset"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Undo"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Redo"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Cu&t"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Copy"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Paste"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Select All"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Undo"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Redo"),
    QT_TRANSLATE_NOOP("QLineEdit", "Cu&t"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Copy"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Paste"),
    QT_TRANSLATE_NOOP("QLineEdit", "Delete"),
    QT_TRANSLATE_NOOP("QLineEdit", "Select All"),
};

QString catalogue(const QString &code)
{
    return QStringLiteral(":/i18n/lockkeeper_%1.qm").arg(code);
}

} // namespace

Language::~Language()
{
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_qt);
}

QString Language::resolve(const QString &code)
{
    if (!code.isEmpty() && QFile::exists(catalogue(code)))
        return code;
    for (const QString &wish : QLocale::system().uiLanguages()) {
        const QString name = QLocale(wish).name();
        if (QFile::exists(catalogue(name)))
            return name;
        if (name.startsWith(QLatin1String("en")))
            break;
    }
    return QStringLiteral("en");
}

QStringList Language::fontFamilies() const
{
    if (m_code != QLatin1String("zh_CN"))
        return {};
    return {QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Source Han Sans SC"),
            QStringLiteral("Microsoft YaHei")};
}

void Language::setLanguage(const QString &code)
{
    initCatalogues();
    const QString wanted = resolve(code);
    if (wanted == m_code)
        return;
    m_code = wanted;
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_qt);
    QLocale::setDefault(QLocale(wanted));
    // Ours has priority, because it is installed last.
    if (m_qt.load(QStringLiteral("qtbase_") + wanted, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&m_qt);
    if (m_own.load(catalogue(wanted)))
        QCoreApplication::installTranslator(&m_own);
}

} // namespace lockkeeper::app
