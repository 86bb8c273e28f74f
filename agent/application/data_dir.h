// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

namespace lockkeeper::agent::application {

/**
 * The agent's folder, held: made with mode 0700 where it is missing, and locked for as long as this lives
 * (and no longer than the process does), so that two agents never share a journal.
 */
class DataDir
{
public:
    DataDir() = default;
    ~DataDir();
    DataDir(const DataDir &) = delete;
    DataDir &operator=(const DataDir &) = delete;

    base::Result<void> hold(const QString &path);

private:
    int m_fd = -1;
};

} // namespace lockkeeper::agent::application
