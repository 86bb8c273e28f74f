// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/grants.h"
#include "shared/domain/release.h"
#include "shared/domain/source_state.h"
#include "shared/events/lock_event.h"

#include <QCoreApplication>
#include <QString>

namespace lockkeeper::app::words {

/** The console's texts for the agent's codes, in the current language. Plain text, never markup. */
class Words
{
    Q_DECLARE_TR_FUNCTIONS(Words)

public:
    static QString event(events::EventKind kind);
    static QString outcome(domain::Outcome outcome);
    /** A whole sentence for a dialog or the audit's tooltip. */
    static QString outcomeSentence(domain::Outcome outcome);
    static QString role(const QString &code);
    /** "You are Operator in orders-*; Viewer": one's own roles and where they hold, in one line. */
    static QString grants(const domain::Grants &grants);
    static QString link(domain::Link link);
    static QString mode(domain::ObservationMode mode);
    static QString evidence(domain::Evidence evidence);
    static QString stuckReason(domain::StuckReason reason);
    /** The verdict Release in a few words: "guarded: token and expiry", "off: …". */
    static QString release(const domain::ReleaseCapability &capability, const QByteArray &scheme);
    /** The same in one word: "guarded", "unsafe", "off". */
    static QString releaseBriefly(domain::ReleaseSafety safety);
    /** The reason why a release is unavailable, as a sentence beside the disabled button. */
    static QString releaseOff(domain::ReleaseOff why);
    /**
     * The reason why there is nothing to release: "An optimistic lock is never held: there is nothing to
     * break."
     */
    static QString nothingToBreak();
    /** How a hold ended: the codes of protocol::Hold::end; empty for a running one. */
    static QString holdEnd(const QByteArray &code);
};

} // namespace lockkeeper::app::words
