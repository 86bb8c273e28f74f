// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace lockkeeper::stores {

/**
 * Whether a client made `token` anew for one acquisition, as far as the token itself can tell: it has a part
 * that looks random. `true`, `1`, a host name, a time or a counter has none, and the next acquisition may
 * carry the same.
 *
 * Random are: 16 bytes or more that are no UTF-8, a third of them beyond ASCII and hardly any twice; a UUID;
 * a run of 16 or more hexadecimal digits with both letters and digits, where four zeros or more before them
 * don't count (a thread's id is padded so); a run of 16 or more characters of base64 (or its form for URLs)
 * with small letters, capitals and digits, in which at least two characters of five are of another kind than
 * the one before (random ones change kind two times in three, words one time in four); of random tokens of 22
 * characters one in 25 doesn't pass. Pure, linear.
 */
bool isDistinctive(QByteArrayView token);

} // namespace lockkeeper::stores
