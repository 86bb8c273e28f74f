// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"

#include <QString>

namespace lockkeeper::app::replica {

/** The names under which one holder is looked for. Equal names prove no more than equal names. */
struct HolderId
{
    QByteArray owner;
    QString source;  ///< the name means something only there: the number of a connection; empty: everywhere
    QByteArray host; ///< the part after `@`, or the connection's client; empty: not known

    bool isEmpty() const { return owner.isEmpty(); }
    bool operator==(const HolderId &) const = default;
};

/** How far two names may differ. */
enum class HolderReach : quint8 {
    Exact = 0, ///< the same text
    Host,      ///< the same host, whatever runs there
};

/** Only hex digits and dashes, or base64, as in random tokens: the text names nobody. */
bool isRandomToken(const QString &text);

/** "10.2.3.17" of "worker-3@10.2.3.17:9c1f…"; empty without an `@`, and for names that every machine has for
 * itself, such as localhost. */
QByteArray hostOf(const QByteArray &owner);

/** The holder of a held lock; empty if the store names none. */
HolderId holderOf(const domain::LockState &state);
/** A holder or waiter by its name alone; `source`: where it was seen. */
HolderId holderNamed(const QByteArray &owner, const QString &source);

bool isHeldBy(const HolderId &holder, HolderReach reach, const domain::LockState &state);
bool isWaiter(const HolderId &holder, HolderReach reach, const domain::LockState &state,
              const domain::Waiter &waiter);

/** The sum of the present waits for the lock at `nowUs`, as far as the store dates them; empty: it doesn't
 * show its waiters. */
std::optional<qint64> waitingCausedUs(const domain::LockState &state, qint64 nowUs);

} // namespace lockkeeper::app::replica
