// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/colours.h"
#include "app/views/release/release_case.h"
#include "app/words/time_format.h"

#include <QCoreApplication>
#include <QString>

class QWidget;

namespace lockkeeper::app::views {

inline constexpr int kRefreshMs = 200; ///< between two checks of the clock, in both dialogs
inline constexpr int kReasonLimit = 1'000;

/** Gives a widget the colours of a banner: the warning, and the outcome. */
void fillWith(QWidget *widget, const presentation::BannerColours &colours);

/** The sentences of the force-release dialogs. Plain text, store bytes escaped. */
class ReleaseText
{
    Q_DECLARE_TR_FUNCTIONS(ReleaseText)

public:
    static QString title(ReleaseCase releaseCase, const domain::LockState &state);
    /** Explains the case of the lock; empty if the title says it all. `nowUs` by the store's clock. */
    static QString explanation(ReleaseCase releaseCase, const domain::LockState &state, qint64 nowUs);
    /** The remaining risk that no tool can close; shown in every dialog. */
    static QString residue(const domain::LockState &state = {});
    static QString action(ReleaseCase releaseCase);
    /** The button's word where a second person must approve, and the sentence that says so. */
    static QString requestApproval();
    static QString approvalNeeded();
    /**
     * The step that the operator must still take or wait for; empty if nothing is missing, or if the
     * explanation says why there is no action.
     */
    static QString missing(MissingInput missing);
    /** The button that reads again; its word depends on why the action is off. */
    static QString again(ReleaseCase releaseCase);
    /** The outcome of the release, with its cause if there is one. */
    static QString outcome(const protocol::ReleaseResult &result, const words::TimeFormat &times);
    /** The state that the guard pins, in words, and the acquisition's digest, shortened. */
    static QString guard(ReleaseCase releaseCase, const domain::LockState &state, bool ifNotRenewed);
};

} // namespace lockkeeper::app::views
