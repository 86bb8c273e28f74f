// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/lock_key.h"

#include <tuple>

namespace lockkeeper::domain {

bool LockKey::operator<(const LockKey &other) const
{
    return std::tie(source, scheme, place, name) <
           std::tie(other.source, other.scheme, other.place, other.name);
}

size_t qHash(const LockKey &key, size_t seed) noexcept
{
    return qHashMulti(seed, key.name, key.source, key.scheme, key.place);
}

} // namespace lockkeeper::domain
