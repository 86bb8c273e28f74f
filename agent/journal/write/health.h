// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <array>
#include <functional>
#include <mutex>
#include <utility>

namespace lockkeeper::agent::journal {

/**
 * Whether the journal can write, of which each of its threads knows a part. Tells when the first part fails
 * and when the last one is well again, in the thread that noticed. Thread-safe.
 */
class Health
{
public:
    enum class Part { Log, Database };

    Health(std::function<void(const base::Error &)> failed, std::function<void()> recovered)
        : m_failed(std::move(failed)), m_recovered(std::move(recovered))
    {
    }

    void fail(Part part, const base::Error &error) { set(part, true, &error); }
    void recover(Part part) { set(part, false, nullptr); }
    bool isFailing(Part part) const
    {
        const std::lock_guard lock(m_mutex);
        return m_failing[size_t(part)];
    }
    /** Why the part failed last. */
    base::Error error(Part part) const
    {
        const std::lock_guard lock(m_mutex);
        return m_errors[size_t(part)];
    }

private:
    void set(Part part, bool failing, const base::Error *error)
    {
        const std::lock_guard lock(m_mutex); // also while it tells: no two are told in the wrong order
        const bool before = m_failing[0] || m_failing[1];
        m_failing[size_t(part)] = failing;
        if (error != nullptr)
            m_errors[size_t(part)] = *error;
        const bool now = m_failing[0] || m_failing[1];
        if (now && !before)
            m_failed(*error);
        else if (before && !now)
            m_recovered();
    }

    const std::function<void(const base::Error &)> m_failed;
    const std::function<void()> m_recovered;
    mutable std::mutex m_mutex;
    std::array<bool, 2> m_failing{};
    std::array<base::Error, 2> m_errors;
};

} // namespace lockkeeper::agent::journal
