// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QRandomGenerator>
#include <QSet>

#include <utility>

namespace lockkeeper::stores::redis {

/**
 * The names that a SCAN has shown, to drop those it shows twice. Keeps 128 bits of two seeded hashes a name
 * instead of the name. Among a million names, the chance that two different names are taken for one is below
 * 10^-24. Nobody who chooses the names can raise it.
 */
class SeenNames
{
public:
    /** True where `name` is new. */
    bool insert(QByteArrayView name)
    {
        const auto print = [name](quint64 seed) {
            return qHashBits(name.data(), size_t(name.size()), size_t(seed));
        };
        const qsizetype before = m_prints.size();
        m_prints.insert({print(m_seedA), print(m_seedB)});
        return m_prints.size() > before;
    }
    void clear() { m_prints.clear(); }

private:
    quint64 m_seedA = QRandomGenerator::system()->generate64();
    quint64 m_seedB = QRandomGenerator::system()->generate64();
    QSet<std::pair<size_t, size_t>> m_prints;
};

} // namespace lockkeeper::stores::redis
