// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include <cstdio>

namespace lockkeeper::app::cli {

void StandardOutput::write(const QByteArray &bytes)
{
    std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stdout);
    std::fflush(stdout);
}

void StandardOutput::note(const QString &line)
{
    const QByteArray bytes = "lockkeeperctl: " + line.toUtf8() + '\n';
    std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stderr);
    std::fflush(stderr);
}

} // namespace lockkeeper::app::cli
