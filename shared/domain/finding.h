// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace lockkeeper::domain {

enum class Severity : quint8 {
    Notice = 0, ///< worth knowing
    Warning,    ///< may cost locks one day
    Danger,     ///< costs locks now, or has
};

/** Of a source at a past moment: the part that `value` names wasn't observed, since `whenUs`. */
inline constexpr char kPartUnseen[] = "part_unseen";

/** One thing about a store that endangers the locks in it. A value; the console has the words. */
struct Finding
{
    QByteArray code; ///< stable: "eviction_policy", "evicted_keys", "replica_lag", "no_persistence", …
    Severity severity = Severity::Notice;
    QByteArray value; ///< what was read: a policy's name, a number as text (its unit follows from the code)
    std::optional<qint64> whenUs = {}; ///< the store's clock: when it happened last; empty: no one moment
    QByteArray node =
        {}; ///< of a store of several servers: which show it (the worst of it); empty: the store

    bool operator==(const Finding &) const = default;
};

QByteArrayView severityName(Severity value);

} // namespace lockkeeper::domain
