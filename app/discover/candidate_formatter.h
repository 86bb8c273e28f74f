// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discovery.h"

#include <QCoreApplication>

namespace lockkeeper::app::discover {

/** Describes the results of Discover in words. Text from the store is escaped; the texts are plain. */
class CandidateFormatter
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::discover::CandidateFormatter)

public:
    static QString reason(const stores::discover::Reason &reason);
    static QString missing(stores::discover::Missing missing);
    /** The confidence as a word: certain, likely, unsure. */
    static QString confidence(int score);
    /** One right, with a remark if it is missing. */
    static QString access(const domain::Access &access);
    /** True if the user named it and it wasn't recognised. */
    static bool isByHand(const stores::discover::Candidate &candidate);
    /** The comment above a candidate's section: what it is, the reasons, and the missing rights. */
    static QStringList explain(const stores::discover::Candidate &candidate);
    /**
     * The reason why a near miss isn't proposed, in one line. `refusal`: the candidate's own, worded for the
     * user.
     */
    static QString nearMiss(const stores::discover::Candidate &candidate, const QString &refusal);
    /** The searched places, in one sentence. */
    static QString summary(const stores::discover::Discovery &discovery);
    /** States that nothing was recognised; empty if something was, or nothing was searched. */
    static QString nothing(const stores::discover::Discovery &discovery);

private:
    static QString column(const stores::discover::Reason &reason);
    static QString key(const stores::discover::Reason &reason);
    static QString againstKeys(const stores::discover::Reason &reason);
    static QString shape(const QString &name);
    static QString unit(const QString &unit);
    static QString notTold(const QString &codes);
    static QString unsupported(const stores::discover::Candidate &candidate);
    static QString doubt(const stores::discover::Reason &reason);
};

} // namespace lockkeeper::app::discover
