// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcessEnvironment>
#include <QTranslator>

namespace lockkeeper::app::cli {

/** The language of help, prompts, errors and outcomes. Tables, JSON and CSV are English in every language. */
class Language
{
public:
    /**
     * "zh_CN" or "en", from LC_ALL, LC_MESSAGES, LANG and LANGUAGE as gettext reads them. Only the names
     * count: a minimal machine hasn't the locales that its variables name. English if the encoding isn't
     * UTF-8, the only one that we write.
     */
    static QString wanted(const QProcessEnvironment &environment);

    ~Language();
    /** Replaces the installed catalogues. Texts that a catalogue lacks are English. */
    void speak(const QString &code);

private:
    QTranslator m_shell;
    QTranslator m_console; ///< for the texts that the shell shares with the console
};

} // namespace lockkeeper::app::cli
