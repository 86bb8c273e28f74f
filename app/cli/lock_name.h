// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/java_text.h"
#include "shared/domain/lock_state.h"

namespace lockkeeper::app::cli {

/** A name or a holder for people: the inner text if Java's serialisation wraps it. */
inline QString shownText(const QByteArray &bytes)
{
    return base::displayText(base::withoutJavaHeader(bytes));
}
inline QString lockName(const domain::LockKey &key)
{
    return shownText(key.name);
}

} // namespace lockkeeper::app::cli
