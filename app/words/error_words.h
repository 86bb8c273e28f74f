// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"

#include <QCoreApplication>

namespace lockkeeper::app::words {

/**
 * Errors in the user's language, for the console and lockkeeperctl. Agents, servers and libraries report
 * theirs in English. Text from outside is escaped; the texts are plain.
 */
class ErrorWords
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::words::ErrorWords)

public:
    /** A title for an error's code. */
    static QString title(base::ErrorCode code);
    /**
     * The cause, as part of a sentence. In another language than English, a cause without a translation
     * follows the title of its code in brackets.
     */
    static QString cause(const base::Error &error);
    /** The cause, and the remedy if the error has one, in one line. */
    static QString line(const base::Error &error);
    /** The details below an error's title: the unchanged cause, and the remedy. */
    static QString detail(const base::Error &error);
    /** The error's remedy; without one, a text for its code, which may be empty. */
    static QString remedy(const base::Error &error);
};

} // namespace lockkeeper::app::words
