// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::base {

/**
 * `text` as a field of a CSV file (RFC 4180), quoted if necessary. Controls and invisible characters are
 * escaped as by displayText(), because users also read such files in a terminal. A text that a spreadsheet
 * would evaluate gets an apostrophe in front; a number doesn't.
 */
QString csvField(const QString &text);

/** True if a spreadsheet would interpret `text` as a formula. */
bool isFormula(const QString &text);

} // namespace lockkeeper::base
