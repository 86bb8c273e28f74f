// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::base {

/**
 * `text` as a field of a CSV file (RFC 4180), quoted where it has to be. Controls and invisible characters
 * are written as displayText() writes them: a file is also read in a terminal. A text that a spreadsheet
 * would evaluate gets an apostrophe before it; a number doesn't.
 */
QString csvField(const QString &text);

/** True where a spreadsheet takes `text` for a formula. */
bool isFormula(const QString &text);

} // namespace lockkeeper::base
