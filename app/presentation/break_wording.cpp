// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/break_wording.h"

namespace lockkeeper::app::presentation {

QString BreakWording::noticed(QByteArrayView scheme)
{
    if (scheme == "redis.token")
        return tr(
            "It notices at its next renewal or unlock, if its client compares the token there. One that "
            "doesn't (ShedLock on Redis) extends whatever is there, the next holder's lock too.");
    if (scheme == "redis.json")
        return tr("A client that writes the key again without reading it notices nothing, and takes the lock "
                  "back.");
    if (scheme == "redis.redisson")
        return tr(
            "Its watchdog, if it has one, finds the lock gone at its next renewal and ends without a word; "
            "the program hears of it when it unlocks.");
    if (scheme == "redis.semaphore")
        return tr(
            "It notices when it next refreshes or gives back its permit, if its client checks the answer.");
    if (scheme == "sql.shedlock")
        return tr("It notices only if it extends the lock: most tasks never do, and end without a word.");
    if (scheme == "sql.insert")
        return tr(
            "It notices nothing before it deletes its row, and then only if its client counts the rows.");
    if (scheme == "sql.lease" || scheme == "sql.reentrant")
        return tr(
            "It notices at its next renewal or release, if its client names itself there and counts the "
            "rows.");
    return {};
}

} // namespace lockkeeper::app::presentation
