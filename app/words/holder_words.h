// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/holder_check.h"

#include <QCoreApplication>
#include <QString>

namespace lockkeeper::app::words {

/** The results of liveness probes in words. Text from holders is escaped; show the results as plain text. */
class HolderWords
{
    Q_DECLARE_TR_FUNCTIONS(HolderWords)

public:
    /** "dead", "alive", "unknown". */
    static QString verdict(domain::HolderVerdict verdict);
    /** The observation in a clause: "pod shop/orders-7f9 doesn't exist". */
    static QString evidence(const domain::HolderCheck &check);
    /** Verdict, evidence and age: "dead: pod shop/orders-7f9 doesn't exist (4 s ago)". */
    static QString line(const domain::HolderCheck &check, qint64 ageUs);
    /** False if no liveness rule covers the lock, or nobody holds it: then a view shows nothing. */
    static bool hasAnswer(const domain::HolderCheck &check);
};

} // namespace lockkeeper::app::words
