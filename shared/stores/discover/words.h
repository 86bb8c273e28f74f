// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace lockkeeper::stores::discover {

/**
 * The words of an identifier in lower case: split at '_', '-', '.', blanks, digits and at capitals. A run of
 * letters is split further only where it consists entirely of words that lock tables use
 * (`DATABASECHANGELOGLOCK`, `lockedby`). So `blocks`, `padlock` and `clock` stay whole.
 */
QStringList wordsOf(const QString &identifier);

/** True where one of the words is in the list, which is separated by blanks. */
bool hasWord(const QStringList &words, const char *list);

} // namespace lockkeeper::stores::discover
