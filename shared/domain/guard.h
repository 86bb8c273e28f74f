// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_key.h"

namespace lockkeeper::domain {

/**
 * All that must still be true for a force-release to act. `instance` is the store's run; `identity` pins one
 * acquisition (holder, token, generation) and stays the same while it is renewed; `freshness` pins its
 * exact deadline. Identity and freshness are the store's own encoding: bytes that only the store that
 * made them reads.
 */
struct Guard
{
    LockKey key;
    QByteArray instance;
    QByteArray identity;
    QByteArray freshness;
    /** Where another acquisition may have the same identity: when this one was seen to begin, and its
     * deadline. Then the freshness is compared in every release. Empty: the identity differs by itself. */
    QByteArray pin = {};

    /**
     * SHA-256 over key, instance, identity and, where there is one, pin, each with its length before it, as
     * 64 hex digits: it names one acquisition, and with a pin one of its deadlines; without it doesn't change
     * with renewals. Empty where there is no identity.
     */
    QByteArray digest() const;
    bool operator==(const Guard &) const = default;
};

} // namespace lockkeeper::domain
