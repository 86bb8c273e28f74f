// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>

namespace lockkeeper::stores {

/**
 * The secret that a reference names: `env:NAME` (of this process's environment) or `file:PATH` (relative to
 * `folder`; one trailing newline is left out; at most 4 KiB). A secret written in clear is refused, and no
 * error repeats what was written.
 */
base::Result<QByteArray> resolveSecret(const QString &reference, const QString &folder);

} // namespace lockkeeper::stores
