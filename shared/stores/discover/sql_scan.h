// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/blocking_discoverer.h"

namespace lockkeeper::stores::discover {

/** Looks through the catalogue and a few rows of MySQL, MariaDB, PostgreSQL or SQLite, and judges. */
base::Result<Scanned> scanSql(const SourceSpec &spec, const QByteArray &store, const Progress &progress,
                              const std::atomic_bool &stop);

} // namespace lockkeeper::stores::discover
