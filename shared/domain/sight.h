// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/grants.h"
#include "shared/domain/source_state.h"

#include <optional>

namespace lockkeeper::domain {

/** Instead of the findings of a source that is seen in part: what endangers it isn't told. */
inline constexpr char kPartialView[] = "partial_view";

/**
 * What one user may look at. Everything that an agent tells passes by it: rows of locks as they leave, and
 * questions to the journal inside of the query, so that pages are full and sums exact. A plain value of the
 * moment in which it was made.
 */
class Sight
{
public:
    Sight() = default; ///< of everything
    /** `sources`: those observed now of which these grants let something be seen. */
    Sight(Grants grants, QStringList sources) : m_grants(std::move(grants)), m_sources(std::move(sources)) {}

    bool isWhole() const { return !m_grants; }
    /** The source itself: that there is one of this name, its health, when it wasn't observed. */
    bool sees(const QString &source) const;
    /** Each of its locks, and what concerns them all. */
    bool seesAllOf(const QString &source) const;
    bool sees(const LockKey &key) const;

    /** The state of a lock that is seen: what its connection runs may name others. */
    LockState shown(LockState state) const;
    /** Those that are seen, without what tells of locks that aren't. */
    QList<SourceState> shown(QList<SourceState> states) const;

    bool operator==(const Sight &) const = default;

private:
    std::optional<Grants> m_grants;
    QStringList m_sources;
};

} // namespace lockkeeper::domain
