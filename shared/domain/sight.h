// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/grants.h"
#include "shared/domain/source_state.h"

#include <optional>

namespace lockkeeper::domain {

/** Finding code that replaces the findings of a partly visible source: this user may not see the findings. */
inline constexpr char kPartialView[] = "partial_view";

/**
 * Decides what one user may see. The agent filters everything that it sends with it: rows of locks as they
 * are sent, and journal queries inside the query, so that pages are full and sums exact. A plain value; it
 * describes the moment in which it was made.
 */
class Sight
{
public:
    Sight() = default; ///< sees everything
    /** `sources`: the currently observed sources of which these grants show something. */
    Sight(Grants grants, QStringList sources) : m_grants(std::move(grants)), m_sources(std::move(sources)) {}

    bool isWhole() const { return !m_grants; }
    /** True if the user may see the source itself: that it exists, its health, when it wasn't observed. */
    bool sees(const QString &source) const;
    /** True if the user may see all locks of the source, and facts that concern all of them. */
    bool seesAllOf(const QString &source) const;
    bool sees(const LockKey &key) const;

    /** The state of a visible lock. Removes statements and waiters' details, which may name hidden locks,
     * unless the user sees the whole source. */
    LockState shown(LockState state) const;
    /** The visible sources, without facts about hidden locks. */
    QList<SourceState> shown(QList<SourceState> states) const;

    bool operator==(const Sight &) const = default;

private:
    std::optional<Grants> m_grants;
    QStringList m_sources;
};

} // namespace lockkeeper::domain
