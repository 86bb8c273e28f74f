// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/reuse.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::sql {

void resetObservation(Observation &lock)
{
    QByteArray name = std::exchange(lock.name, {});
    QByteArray owner = std::exchange(lock.owner, {});
    lock = {};
    name.resize(0);
    owner.resize(0);
    lock.name = std::move(name);
    lock.owner = std::move(owner);
}

void copyBytes(QByteArray &out, const QByteArray &bytes)
{
    if (bytes.isNull()) {
        out = {};
        return;
    }
    out.resize(bytes.size());
    std::copy(bytes.cbegin(), bytes.cend(), out.data());
}

} // namespace lockkeeper::stores::sql
