// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QHash>
#include <QRandomGenerator>

#include <vector>

namespace lockkeeper::stores::redis {

/**
 * The names that a SCAN has shown, to drop those it shows twice. Keeps 128 bits of two seeded hashes a name
 * instead of the name: 16 bytes, and two different names taken for one with a chance below 10^-24
 * in a million, which nobody who chooses the names can raise. An open-addressed table, at most half full.
 */
class SeenNames
{
public:
    SeenNames()
        : m_seedA(QRandomGenerator::system()->generate64()), m_seedB(QRandomGenerator::system()->generate64())
    {
        m_slots.resize(kSmallest);
    }

    /** True where `name` is new. */
    bool insert(QByteArrayView name)
    {
        if (2 * (m_used + 1) > m_slots.size())
            grow();
        Print print{qHashBits(name.data(), size_t(name.size()), size_t(m_seedA)),
                    qHashBits(name.data(), size_t(name.size()), size_t(m_seedB))};
        if (print.a == 0 && print.b == 0)
            print.b = 1; // all zeros marks a slot that is free
        if (!place(print))
            return false;
        ++m_used;
        return true;
    }

    void clear()
    {
        m_slots.assign(kSmallest, {});
        m_used = 0;
    }

private:
    struct Print
    {
        quint64 a = 0;
        quint64 b = 0;
        bool operator==(const Print &) const = default;
    };
    static constexpr size_t kSmallest = 4096;

    bool place(const Print &print)
    {
        const size_t mask = m_slots.size() - 1;
        for (size_t at = size_t(print.a) & mask;; at = (at + 1) & mask) {
            if (m_slots[at] == print)
                return false;
            if (m_slots[at] == Print{}) {
                m_slots[at] = print;
                return true;
            }
        }
    }

    void grow()
    {
        std::vector<Print> old(m_slots.size() * 2);
        old.swap(m_slots);
        for (const Print &print : old) {
            if (print != Print{})
                place(print);
        }
    }

    quint64 m_seedA;
    quint64 m_seedB;
    std::vector<Print> m_slots;
    size_t m_used = 0;
};

} // namespace lockkeeper::stores::redis
