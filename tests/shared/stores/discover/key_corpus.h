// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/key_facts.h"

namespace lockkeeper::tests {

/** One line of tests/data/discover/keys.txt, with the keys made from it. */
struct KeyLine
{
    QByteArray text; ///< the line's name, for messages
    bool isLock = false;
    QByteArray scheme;
    QList<stores::discover::KeyFacts> keys;
};

/** Every line; the same keys each time. `nowS`: for values that are times. */
QList<KeyLine> keyCorpus(qint64 nowS);

/** The keys that Redisson and python-redis-lock keep beside a lock. */
QList<stores::discover::KeyFacts> helperKeys();

/** The commands that make a key on a server. */
QList<QByteArrayList> commandsFor(const stores::discover::KeyFacts &key);

} // namespace lockkeeper::tests
