// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTranslator>

namespace lockkeeper::app {

/**
 * The language of the program, changeable at run time: installs the translators, upon which Qt sends every
 * widget a LanguageChange. English is the source language; its catalogue only holds the plural forms. GUI
 * thread.
 */
class Language : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    ~Language() override;

    /** "en", "zh_CN"; empty or unknown: the system's language if it has a catalogue, otherwise English. */
    void setLanguage(const QString &code);
    QString code() const { return m_code; }
    /** Font families to prefer, best first: without them a Chinese text may be drawn with the glyphs of
     * another language. Empty: the system's. */
    QStringList fontFamilies() const;

private:
    static QString resolve(const QString &code);

    QTranslator m_own;
    QTranslator m_qt;
    QString m_code;
};

} // namespace lockkeeper::app
