// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QString>

namespace lockkeeper::transport {

/** Where an agent listens: "local:PATH" now; "tls://HOST:PORT" is known and refused until it exists. */
struct Address
{
    QString path; ///< of the local socket, absolute
    bool operator==(const Address &) const = default;
};

/**
 * Reads an address. A relative local path is taken from `baseDir`. "tcp://…" is refused for good, "tls://…"
 * with the word that it isn't available yet: there is no unprotected network listener, ever.
 */
base::Result<Address> parseAddress(const QString &text, const QString &baseDir);

/** Where an agent of this machine is looked for: the user's own, where there is one, else the system's. */
QString defaultAddress();

} // namespace lockkeeper::transport
