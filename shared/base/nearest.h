// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace lockkeeper::base {

/**
 * The one of `known` that somebody who wrote `wanted` probably meant, whatever the case of its letters: it
 * begins so, or a few edits (Damerau's restricted distance: a swap of neighbours is one) lead to it, the more
 * the longer the word is. Empty where none is near enough. Pure.
 */
QString nearestName(const QString &wanted, const QStringList &known);
/** At most `most` of them, the nearest first. */
QStringList nearestNames(const QString &wanted, const QStringList &known, qsizetype most);

} // namespace lockkeeper::base
