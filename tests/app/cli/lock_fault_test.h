// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace lockkeeper::tests {

/**
 * Locks under faults, some seconds each: what a scheme promises holds, and where it is known not to, the same
 * checker says so. `./run bench locks` does the same for minutes. Two test classes, since each case mostly
 * waits: those of SQL take as long as all others.
 */
class LockFaultTest : public QObject
{
    Q_OBJECT

public:
    explicit LockFaultTest(bool ofSql) : m_ofSql(ofSql) {}

private Q_SLOTS:
    void cases_data();
    void cases();

private:
    bool m_ofSql;
};

} // namespace lockkeeper::tests
