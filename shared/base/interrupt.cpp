// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

namespace lockkeeper::base {

Interrupt::Interrupt()
{
    if (::pipe(m_pipe) != 0)
        return;
    for (const int end : m_pipe) {
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
        ::fcntl(end, F_SETFL, O_NONBLOCK);
    }
}

Interrupt::~Interrupt()
{
    for (const int end : m_pipe) {
        if (end >= 0)
            ::close(end);
    }
}

void Interrupt::raise()
{
    m_raised.store(true);
    if (m_pipe[1] >= 0)
        (void)!::write(m_pipe[1], "x", 1); // if the pipe is full, it is readable already
}

} // namespace lockkeeper::base
