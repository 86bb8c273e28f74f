// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <QSet>

#include <utility>

namespace lockkeeper::agent::engine {

/**
 * The tokens that more than one acquisition of a source has carried, however random they look: a client that
 * writes its own id into every lock (Spring Integration's registry). Such a token doesn't identify an
 * acquisition. Remembers the last 20,000 to 40,000 acquisitions; an older one counts as never seen. Not
 * thread-safe.
 */
class RepeatedTokens
{
public:
    /** An acquisition was seen to begin. */
    void note(const stores::Observation &seen)
    {
        if (seen.repeatable || seen.identity.isEmpty() || seen.identity != seen.token)
            return;
        const size_t token = qHash(QByteArrayView(seen.token));
        if (m_recent.contains(token) || m_older.contains(token)) {
            if (m_repeated.size() < kMostRepeated)
                m_repeated.insert(token);
            return;
        }
        m_recent.insert(token);
        if (m_recent.size() >= kGeneration)
            m_older = std::exchange(m_recent, {});
    }
    bool contains(QByteArrayView identity) const
    {
        // A store with more of them is full of clients that reuse their tokens: none is trusted any more.
        return !m_repeated.isEmpty() &&
               (m_repeated.size() == kMostRepeated || m_repeated.contains(qHash(identity)));
    }

private:
    static constexpr qsizetype kGeneration = 20'000;
    static constexpr qsizetype kMostRepeated = 100'000;

    QSet<size_t> m_recent;
    QSet<size_t> m_older;
    QSet<size_t> m_repeated;
};

} // namespace lockkeeper::agent::engine
