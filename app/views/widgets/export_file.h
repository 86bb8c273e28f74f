// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QObject>

#include <functional>

namespace lockkeeper::app::views {

/**
 * Runs `work` on a thread of the pool. Then calls `then` with the result in `context`'s thread, unless
 * `context` is gone.
 */
void runInPool(std::function<QString()> work, QObject *context, std::function<void(const QString &)> then);

/**
 * Writes `bytes` to `path` on a thread of the pool: whole, or not at all. The answer comes in `context`'s
 * thread, unless `context` is gone by then.
 */
void writeFile(const QString &path, const QByteArray &bytes, QObject *context,
               std::function<void(base::Result<void>)> answer);

} // namespace lockkeeper::app::views
