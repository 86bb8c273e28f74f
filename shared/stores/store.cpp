// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/store.h"

namespace lockkeeper::stores {

size_t qHash(const Subject &subject, size_t seed) noexcept
{
    return qHashMulti(seed, subject.set, subject.name);
}

} // namespace lockkeeper::stores
