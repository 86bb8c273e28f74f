// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discovery.h"

#include <QCoreApplication>

namespace lockkeeper::app::discover {

/** Puts what Discover found into words. What comes from the store is escaped; the texts are plain. */
class CandidateFormatter
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::discover::CandidateFormatter)

public:
    static QString reason(const stores::discover::Reason &reason);
    static QString missing(stores::discover::Missing missing);
    /** The confidence as a word: certain, likely, unsure. */
    static QString confidence(int score);
    /** One right and, where it is missing, that it is. */
    static QString access(const domain::Access &access);
    /** Somebody named it; it wasn't recognised. */
    static bool isByHand(const stores::discover::Candidate &candidate);
    /** The comment above a candidate's section: what it is, why, and which rights are missing. */
    static QStringList explain(const stores::discover::Candidate &candidate);
    /** What keeps a near miss from being proposed, in one line; `refusal`: its own, in words for a user. */
    static QString nearMiss(const stores::discover::Candidate &candidate, const QString &refusal);
    /** What was looked at, in one sentence. */
    static QString summary(const stores::discover::Discovery &discovery);
    /** That nothing was recognised; empty where something was, or nothing was looked at. */
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
