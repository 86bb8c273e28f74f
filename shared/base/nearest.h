// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace lockkeeper::base {

/**
 * Returns the name in `known` that a user who typed `wanted` probably meant; ignores case. A name matches if
 * it begins with `wanted`, or if a few edits lead to it; a longer word may have more edits. Edits are counted
 * by Damerau's restricted distance, in which a swap of neighbours is one edit. Empty if no name is near
 * enough. Pure.
 */
QString nearestName(const QString &wanted, const QStringList &known);
/** At most `most` such names, the nearest first. */
QStringList nearestNames(const QString &wanted, const QStringList &known, qsizetype most);

} // namespace lockkeeper::base
