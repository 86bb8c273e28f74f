// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::agent::application {

/**
 * Gives the system back what the allocator keeps of memory that was freed: after a first scan over a million
 * locks, or a snapshot of them, that is more than what is in use. Of no effect with an allocator that can't
 * be asked to. Belongs to one thread.
 */
class SpareMemory
{
public:
    /** Now and then: where the process has grown, or has freed, 16 MiB since the last time. Takes some
     * milliseconds then. */
    void giveBack();

private:
    qint64 m_residentKib = 0; ///< after the last time, or less since
    qint64 m_freedKib = 0;
};

/** Of this process, in memory; 0 where the system doesn't tell. */
qint64 residentKib();

} // namespace lockkeeper::agent::application
