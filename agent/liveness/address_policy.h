// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/liveness_rule.h"

namespace lockkeeper::agent::liveness {

/**
 * Whether a probe may connect to an address that a holder's text names. Loopback, link-local, multicast,
 * reserved and unspecified addresses and the metadata services of clouds are refused unless `allow` covers
 * them: a client of the store must not reach services that trust the agent's host. An IPv4 address within
 * an IPv6 address counts as the IPv4 address.
 */
bool mayProbe(const QHostAddress &address, const QList<config::AddressRange> &allow);

} // namespace lockkeeper::agent::liveness
