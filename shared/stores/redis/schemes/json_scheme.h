// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/schemes/token_scheme.h"

namespace lockkeeper::stores::redis {

/**
 * Scheme redis.json: a string key whose value is a JSON object with owner, state and the end of the last run,
 * rewritten while it is held. The fields' names are the lock set's. Read as redis.token reads.
 *
 * Identity is the owner: a heartbeat may rewrite every other field. The whole value is part of the freshness,
 * and a break compares it always: applications may keep more in it than Lockkeeper knows.
 */
class JsonScheme final : public TokenScheme
{
public:
    JsonScheme(KeyLayout layout, Script release);

    /** With a state field, an idle lock's key exists as well. */
    bool isHeldWhileThere() const override { return m_layout.stateField.isEmpty(); }
    void explain(Observation &lock) const override;
    base::Result<ReleaseCall> releaseCall(const ReleaseOrder &order, QByteArrayView name) const override;

private:
    KeyLayout m_layout;
};

} // namespace lockkeeper::stores::redis
