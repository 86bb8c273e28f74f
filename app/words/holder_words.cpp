// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/holder_words.h"

#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::app::words {

using domain::HolderEvidence;

QString HolderWords::verdict(domain::HolderVerdict verdict)
{
    switch (verdict) {
    case domain::HolderVerdict::Alive:
        return tr("alive", "a holder");
    case domain::HolderVerdict::Dead:
        return tr("dead", "a holder");
    case domain::HolderVerdict::Unknown:
        break;
    }
    return tr("unknown", "whether a holder is alive");
}

QString HolderWords::evidence(const domain::HolderCheck &check)
{
    const QString target = base::displayText(check.target);
    const QString number = check.number ? QString::number(*check.number) : Durations::unknown();
    switch (check.evidence) {
    case HolderEvidence::Other:
        break;
    case HolderEvidence::NoRule:
        return tr("no liveness rule covers this lock");
    case HolderEvidence::NoMatch:
        return tr("its holder's text matches no liveness rule");
    case HolderEvidence::TargetRefused:
        return tr("%1 wasn't asked, because the rule doesn't allow such an address").arg(target);
    case HolderEvidence::NoHolder:
        return tr("its holder isn't known");
    case HolderEvidence::Waiting:
        return tr("not asked yet, because the source's limit of probes is reached");
    case HolderEvidence::TimedOut:
        return tr("%1 didn't answer in time").arg(target);
    case HolderEvidence::Failed:
        return tr("the probe failed: %1").arg(ErrorWords::line(check.error).trimmed());
    case HolderEvidence::Connected:
        return tr("%1 accepts connections").arg(target);
    case HolderEvidence::Refused:
        return tr("nothing listens at %1").arg(target);
    case HolderEvidence::HttpStatus:
        return tr("%1 answered with status %2").arg(target, number);
    case HolderEvidence::ExitCode:
        return tr("the command for %1 ended with code %2").arg(target, number);
    case HolderEvidence::PodRunning:
        return tr("pod %1 runs and is older than this hold").arg(target);
    case HolderEvidence::PodPending:
        return tr("pod %1 doesn't run yet").arg(target);
    case HolderEvidence::PodFinished:
        return tr("pod %1 has ended").arg(target);
    case HolderEvidence::PodGone:
        return tr("pod %1 doesn't exist").arg(target);
    case HolderEvidence::PodReplaced:
        return tr("pod %1 started after the acquisition, so it isn't the holder").arg(target);
    case HolderEvidence::PodDeleting:
        return tr("pod %1 is being deleted").arg(target);
    case HolderEvidence::NodeNotReady:
        return tr("the node of pod %1 doesn't report").arg(target);
    case HolderEvidence::ConnectionListed:
        return tr("the server lists a connection from %1").arg(target);
    case HolderEvidence::ConnectionAbsent:
        return tr("the server lists no connection from %1 now").arg(target);
    case HolderEvidence::ProcessRunning:
        return tr("process %1 runs and is older than this hold").arg(target);
    case HolderEvidence::ProcessGone:
        return tr("process %1 doesn't exist").arg(target);
    case HolderEvidence::ProcessReplaced:
        return tr("process %1 started after the acquisition, so it isn't the holder").arg(target);
    }
    return tr("evidence that only a newer version of the console can word");
}

QString HolderWords::line(const domain::HolderCheck &check, qint64 ageUs)
{
    return tr("%1: %2 (%3 ago)", "verdict, evidence, age")
        .arg(verdict(check.verdict), evidence(check), Durations::inSentence(std::max<qint64>(0, ageUs)));
}

bool HolderWords::hasAnswer(const domain::HolderCheck &check)
{
    return check.evidence != HolderEvidence::NoRule && check.evidence != HolderEvidence::NoHolder;
}

} // namespace lockkeeper::app::words
