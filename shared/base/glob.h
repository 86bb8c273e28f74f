// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace lockkeeper::base {

/** How the sets of names that two globs match relate, byte by byte (see globMatches()). */
enum class GlobRelation : quint8 {
    Apart = 0, ///< no name matches both
    Same,      ///< both match the same names
    Wider,     ///< the first matches every name of the second, and more
    Narrower,  ///< the second matches every name of the first, and more
    Crossing,  ///< some names match both, and each matches others; or the globs are too large to decide
};

/** The relation of `a` to `b`. Pure; bounded in time. */
GlobRelation relationOf(QByteArrayView a, QByteArrayView b);

} // namespace lockkeeper::base
