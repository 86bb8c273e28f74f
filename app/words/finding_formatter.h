// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/finding.h"

#include <QCoreApplication>

namespace lockkeeper::app::words {

/** Describes findings in words. Text from the store is escaped; the texts are plain. */
class FindingFormatter
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::words::FindingFormatter)

public:
    /** "Danger", "Warning", "Notice". */
    static QString severity(domain::Severity severity);
    /**
     * The finding and its meaning for locks, in a sentence, after the servers that show it if there are
     * several. `when`: the finding's time as a text with its zone; empty if it has none.
     */
    static QString text(const domain::Finding &finding, const QString &when);
    /** The remedy; empty if no action is needed. */
    static QString advice(const domain::Finding &finding);

private:
    static QString ofStore(const domain::Finding &finding, const QString &when);
    static QString memory(const domain::Finding &finding, const QString &when);
    static QString persistence(const domain::Finding &finding);
    static QString replication(const domain::Finding &finding);
    static QString replica(const domain::Finding &finding);
    static QString observed(const domain::Finding &finding, const QString &when);
    static QString lease(const domain::Finding &finding);
    static QString shortLease(const domain::Finding &finding);
    static QString clock(const domain::Finding &finding);
    static QString duration(qint64 seconds);
};

} // namespace lockkeeper::app::words
