// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock.h"
#include "tests/support/foreign_client.h"

#include <QObject>

#include <functional>
#include <memory>

namespace lockkeeper::tests {

/** A handle that takes its lock a given number of times, as a foreign client's "fight" does. */
class Fighter : public QObject
{
    Q_OBJECT

public:
    Fighter(std::unique_ptr<locks::Lock> lock, QString folder, int rounds);

    bool isDone = false;
    int overlaps = 0;
    int failures = 0;

private:
    void next();
    void onAcquired(const base::Result<bool> &result);
    void leave();
    QString inside() const { return m_folder + QStringLiteral("/inside"); }

    std::unique_ptr<locks::Lock> m_lock;
    QString m_folder;
    int m_left;
};

/**
 * Somebody else's clients and two handles of ours fight for one lock, which nobody ever has beside another.
 * Theirs are `who`, twice as often as ours; what they call the lock is `name`. Fails the test otherwise, or
 * where the lock changes between theirs and ours no more often than `leastHandOvers`.
 */
void fight(ForeignProgram &theirs, const QList<QByteArray> &who, const QByteArray &name,
           const std::function<std::unique_ptr<locks::Lock>()> &ours, int rounds, int leastHandOvers);

} // namespace lockkeeper::tests
