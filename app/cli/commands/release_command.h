// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"
#include "shared/domain/release.h"

#include <QString>

#include <optional>

namespace lockkeeper::app::cli {

struct ReleaseOptions
{
    QString source;
    QString lock;   ///< in its text form
    QString place;  ///< empty: any
    QString scheme; ///< empty: any
    std::optional<QString> holder;
    QByteArray guard;
    QString reason;
    domain::Because because = domain::Because::Operator;
    bool ifNotRenewed = false;
    std::optional<qint64> expiresUs; ///< with the guard: the deadline shown beside it
    bool dryRun = false;
    bool yes = false;
    bool wait = false; ///< for the decision if a second person must approve
};

/** A glob that matches `text`, a name's text form, and few others: the caller compares exactly. */
QByteArray globFor(const QString &text);
/** True if the options name this lock. */
bool isMeant(const domain::LockKey &lock, const ReleaseOptions &options);
/** The residual risk that no tool can remove; shown before each release. */
QString residueText(const domain::LockState &lock);
/** The options that distinguish the lock from others with its name. */
QString candidateText(const domain::LockState &lock);

} // namespace lockkeeper::app::cli
