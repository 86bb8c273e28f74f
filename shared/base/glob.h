// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace lockkeeper::base {

/** How the names that one glob takes relate to those of another, byte by byte (see globMatches()). */
enum class GlobRelation : quint8 {
    Apart = 0, ///< no name fits both
    Same,      ///< each name that fits one fits the other
    Wider,     ///< the first takes every name of the second, and more
    Narrower,  ///< the other way round
    Crossing,  ///< some names fit both, and each takes others; or the globs are too large to say
};

/** The relation of `a` to `b`. Pure; bounded in time. */
GlobRelation relationOf(QByteArrayView a, QByteArrayView b);

} // namespace lockkeeper::base
