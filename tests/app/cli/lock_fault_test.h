// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace lockkeeper::tests {

/**
 * Tests locks under faults, some seconds each. A scheme's promise holds; where a scheme is known to break it,
 * the same checker reports that. `./run bench locks` does the same for minutes. There are two test classes,
 * since each case mostly waits: the SQL cases take as long as all others.
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
