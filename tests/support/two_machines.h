// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::tests {

/**
 * Two network namespaces joined by a cable (veth). To programs they are two machines that reach each other by
 * address. The thread's new sockets and processes belong to its current machine.
 */
class TwoMachines
{
public:
    TwoMachines() = default;
    ~TwoMachines();
    Q_DISABLE_COPY_MOVE(TwoMachines)

    /** Why it can't be had here; empty: it can. */
    static QString missing();

    /** Makes both; the thread stands on the far one then. */
    bool start();
    void goNear() const { go(m_near); }
    void goFar() const { go(m_far); }
    void goHome() const { go(m_home); }
    static QString farAddress() { return QStringLiteral("10.213.77.1"); }
    static QString nearAddress() { return QStringLiteral("10.213.77.2"); }

private:
    static void go(int fd);

    int m_home = -1;
    int m_far = -1;
    int m_near = -1;
};

} // namespace lockkeeper::tests
