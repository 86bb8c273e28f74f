// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/spare_memory.h"

#include <QFile>

#include <algorithm>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lockkeeper::agent::application {

namespace {
constexpr qint64 kGrownKib = 16 * 1024;
}

qint64 residentKib()
{
    QFile file(QStringLiteral("/proc/self/statm")); // proc(5): size resident shared …, in pages
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArrayList fields = file.readAll().split(' ');
    return fields.value(1).toLongLong() * (sysconf(_SC_PAGESIZE) / 1024);
}

void SpareMemory::giveBack()
{
    const qint64 now = residentKib();
    m_floorKib = std::min(m_floorKib, now);
    if (now - m_floorKib < kGrownKib)
        return;
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    m_floorKib = residentKib();
}

} // namespace lockkeeper::agent::application
