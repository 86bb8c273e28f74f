// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace lockkeeper::agent::journal {

/**
 * Knows whether the journal can write. Each of the journal's threads reports one part of that. Health calls
 * `failed` when the first part fails and `recovered` when the last one has recovered, in the thread that
 * reported it. Thread-safe.
 */
class JournalHealth
{
public:
    enum class JournalPart { Log, Database, Audit };
    static constexpr size_t kParts = 3;

    JournalHealth(std::function<void(const base::Error &)> failed, std::function<void()> recovered)
        : m_failed(std::move(failed)), m_recovered(std::move(recovered))
    {
    }

    void fail(JournalPart part, const base::Error &error) { set(part, true, &error); }
    void recover(JournalPart part) { set(part, false, nullptr); }
    bool isFailing(JournalPart part) const
    {
        const std::lock_guard lock(m_mutex);
        return m_failing[size_t(part)];
    }
    /** The cause of the first part that fails now; empty: none fails. */
    std::optional<base::Error> failure() const
    {
        const std::lock_guard lock(m_mutex);
        const auto failing = std::find(m_failing.cbegin(), m_failing.cend(), true);
        if (failing == m_failing.cend())
            return std::nullopt;
        return m_errors[size_t(failing - m_failing.cbegin())];
    }

private:
    void set(JournalPart part, bool failing, const base::Error *error)
    {
        // Held during the calls too, so that they come in the right order.
        const std::lock_guard lock(m_mutex);
        const bool before = isAnyFailing();
        m_failing[size_t(part)] = failing;
        if (error != nullptr)
            m_errors[size_t(part)] = *error;
        const bool now = isAnyFailing();
        if (now && !before)
            m_failed(*error);
        else if (before && !now)
            m_recovered();
    }

    bool isAnyFailing() const
    {
        return std::find(m_failing.cbegin(), m_failing.cend(), true) != m_failing.cend();
    }

    const std::function<void(const base::Error &)> m_failed;
    const std::function<void()> m_recovered;
    mutable std::mutex m_mutex;
    std::array<bool, kParts> m_failing{};
    std::array<base::Error, kParts> m_errors;
};

} // namespace lockkeeper::agent::journal
