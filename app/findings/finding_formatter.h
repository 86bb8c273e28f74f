// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/finding.h"

#include <QCoreApplication>

namespace lockkeeper::app::findings {

/** Puts findings into words. What comes from the store is escaped; the texts are plain. */
class FindingFormatter
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::findings::FindingFormatter)

public:
    /** "Danger", "Warning", "Notice". */
    static QString severity(domain::Severity severity);
    /** What was found and what it means for locks, in a sentence, behind the servers that show it where there
     * are several. `when`: the finding's moment as a text with its zone; empty where it has none. */
    static QString text(const domain::Finding &finding, const QString &when);
    /** What would end it; empty where nothing has to be done. */
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

} // namespace lockkeeper::app::findings
