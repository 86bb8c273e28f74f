// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::stores {

/** A Store that takes over figures of its SourceSpec while it is open; others need none of them. */
class Tunable
{
public:
    virtual ~Tunable() = default;
    /** How often the whole is read where otherwise a part is enough; from the next scan on. */
    virtual void setReconcileMs(qint64 ms) = 0;
};

} // namespace lockkeeper::stores
