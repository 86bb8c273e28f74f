// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/tables/reuse.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace lockkeeper::stores::sql {

void resetObservation(Observation &lock)
{
    QByteArray name = std::exchange(lock.name, {});
    QByteArray owner = std::exchange(lock.owner, {});
    QByteArray token = std::exchange(lock.token, {});
    if (token.constData() == owner.constData()) // the two share a buffer, which the owner keeps
        token = {};
    std::destroy_at(&lock); // this runs for a million rows: assigning a new observation costs more
    std::construct_at(&lock);
    for (QByteArray *bytes : {&name, &owner, &token})
        bytes->resize(0);
    lock.name = std::move(name);
    lock.owner = std::move(owner);
    lock.token = std::move(token);
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
