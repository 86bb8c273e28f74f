// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/colours.h"
#include "app/presentation/time_format.h"
#include "app/views/release/release_case.h"

#include <QCoreApplication>
#include <QString>

class QWidget;

namespace lockkeeper::app::views {

inline constexpr int kRefreshMs = 200; ///< between two looks at the clock, in both dialogs
inline constexpr int kTitleBar = 48;   ///< what a desktop keeps of the screen's height
inline constexpr int kReasonLimit = 1'000;

/** Fills a widget as a banner is filled: the warning, and the outcome. */
void fillWith(QWidget *widget, const presentation::BannerColours &colours);

/** The sentences of the force-release dialogs. Plain text, store bytes escaped. */
class ReleaseText
{
    Q_DECLARE_TR_FUNCTIONS(ReleaseText)

public:
    static QString title(ReleaseCase releaseCase, const domain::LockState &state);
    /** What this case means for the lock; empty where the title says it all. `nowUs` by the store's clock. */
    static QString explanation(ReleaseCase releaseCase, const domain::LockState &state, qint64 nowUs);
    /** What no tool can close: said in every dialog. */
    static QString residue(const domain::LockState &state = {});
    static QString action(ReleaseCase releaseCase);
    /** The button's word where a second person must approve, and the sentence that says so. */
    static QString requestApproval();
    static QString approvalNeeded();
    /** What the operator has yet to do, or to wait for; empty where nothing is missing or the explanation
     * says why there is no action. */
    static QString missing(Missing missing);
    /** The button that reads again; its word depends on why the action is off. */
    static QString again(ReleaseCase releaseCase);
    /** What became of it, with the cause where there is one. */
    static QString outcome(const protocol::ReleaseResult &result, const presentation::TimeFormat &times);
    /** What the guard pins, in words, and the acquisition's digest, shortened. */
    static QString guard(ReleaseCase releaseCase, const domain::LockState &state, bool ifNotRenewed);
};

} // namespace lockkeeper::app::views
