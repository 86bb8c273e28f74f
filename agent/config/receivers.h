// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/receiver_settings.h"
#include "shared/config/table_reader.h"

namespace lockkeeper::agent::config {

/** Reads every `[[receiver]]`. Files and secrets are relative to `folder`. */
QList<ReceiverSettings> readReceivers(const lockkeeper::config::TableReader &file, const QString &folder,
                                      lockkeeper::config::Problems &problems);

} // namespace lockkeeper::agent::config
