// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLoggingCategory>

namespace lockkeeper::stores::redis {
Q_DECLARE_LOGGING_CATEGORY(lcRedis)
} // namespace lockkeeper::stores::redis
