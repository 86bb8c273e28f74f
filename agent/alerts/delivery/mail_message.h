// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/delivery/alert_text.h"

namespace lockkeeper::agent::alerts {

/**
 * An alert as a message of plain text (RFC 5322), with CRLF. Its Message-ID is the same each time it is sent.
 * The end refers to the firing, so that mail programs show both as one conversation. No name from a store can
 * add a header or a line.
 */
QByteArray mailMessage(const DueNotice &notice, const SendContext &context,
                       const config::EmailReceiver &receiver);

} // namespace lockkeeper::agent::alerts
