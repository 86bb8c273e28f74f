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

#ifdef __GLIBC__
/** What the allocator has of freed memory, pages given back included. */
qint64 freedKib()
{
    return qint64(mallinfo2().fordblks / 1024);
}
#endif

} // namespace

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
#ifdef __GLIBC__
    m_residentKib = std::min(m_residentKib, residentKib());
    m_freedKib = std::min(m_freedKib, freedKib());
    if (residentKib() - m_residentKib < kGrownKib && freedKib() - m_freedKib < kGrownKib)
        return;
    malloc_trim(0);
    m_residentKib = residentKib();
    m_freedKib = freedKib();
#endif
}

} // namespace lockkeeper::agent::application
