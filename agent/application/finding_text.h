// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/finding.h"

#include <QString>

namespace lockkeeper::agent::application {

/**
 * A finding as a line of --check: "nothing is saved to disk: a restart loses every lock (no_persistence)".
 * A code without a sentence is printed with its value.
 */
QString findingText(const domain::Finding &finding);

} // namespace lockkeeper::agent::application
