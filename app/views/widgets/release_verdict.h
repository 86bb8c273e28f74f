// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"
#include "shared/domain/lock_key.h"

#include <QCoreApplication>
#include <QList>
#include <QString>

namespace lockkeeper::app::views {

/**
 * Decides if [Force-release…] may be pressed for a selection; if not, gives the sentence beside the button.
 */
class ReleaseVerdict
{
    Q_DECLARE_TR_FUNCTIONS(ReleaseVerdict)

public:
    bool possible = false;
    QString reason; ///< empty where possible

    static ReleaseVerdict of(const QList<domain::LockKey> &keys, const ConsoleContext &context);
    /** The reason of every action that needs a selected lock. */
    static QString nothingSelected();
    /** The reason where the view in front lists locks, but not the selected one. */
    static QString notListed();

private:
    static ReleaseVerdict off(QString reason) { return {false, std::move(reason)}; }
    static ReleaseVerdict ofOne(const domain::LockKey &key, const ConsoleContext &context);
};

} // namespace lockkeeper::app::views
