// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace lockkeeper::domain {

enum class Severity : quint8 {
    Notice = 0, ///< worth knowing
    Warning,    ///< may cost locks one day
    Danger,     ///< costs locks now, or already has
};

/** Finding code: the part of the source that `value` names hasn't been observed since `whenUs`. */
inline constexpr char kPartUnseen[] = "part_unseen";

/** One condition of a store that endangers its locks. A value; the console turns it into words. */
struct Finding
{
    QByteArray code; ///< stable: "eviction_policy", "evicted_keys", "replica_lag", "no_persistence", …
    Severity severity = Severity::Notice;
    QByteArray value; ///< as read: a policy's name, a number as text (its unit follows from the code)
    std::optional<qint64> whenUs = {}; ///< last occurrence, by the store's clock; empty: no single moment
    QByteArray node = {}; ///< with several servers: those where it is worst; empty: the whole store

    bool operator==(const Finding &) const = default;
};

QByteArrayView severityName(Severity value);

} // namespace lockkeeper::domain
