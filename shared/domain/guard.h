// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_key.h"

namespace lockkeeper::domain {

/**
 * The conditions that must still hold for a force-release to act. `instance` is the store's run. `identity`
 * pins one acquisition (holder, token, generation) and stays the same while it is renewed. `freshness` pins
 * its exact deadline. Identity and freshness are opaque bytes: only the store that made them can read them.
 */
struct Guard
{
    LockKey key;
    QByteArray instance;
    QByteArray identity;
    QByteArray freshness;
    /** Set if another acquisition may have the same identity: when this one was seen to begin, and its
     * deadline. Then every release also compares the freshness. Empty: the identity is unique. */
    QByteArray pin = {};

    /**
     * SHA-256 as 64 hex digits, over key, instance, identity and (if set) pin, each preceded by its length.
     * With a pin it stands for one deadline of one acquisition. Without a pin it stands for the acquisition,
     * and renewals don't change it. Empty without an identity.
     */
    QByteArray digest() const;
    bool operator==(const Guard &) const = default;
};

} // namespace lockkeeper::domain
