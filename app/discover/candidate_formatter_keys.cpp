// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/discover/candidate_formatter.h"
#include "shared/base/text.h"

namespace lockkeeper::app::discover {

using base::displayText;
using namespace stores::discover;

/** Shapes of values, after "values are". */
QString CandidateFormatter::shape(const QString &name)
{
    if (name == QLatin1String("uuid"))
        return tr("UUIDs", "values are");
    if (name == QLatin1String("hex"))
        return tr("random hex digits", "values are");
    if (name == QLatin1String("token"))
        return tr("random tokens", "values are");
    if (name == QLatin1String("process"))
        return tr("host and process", "values are");
    if (name == QLatin1String("time"))
        return tr("times", "values are");
    if (name == QLatin1String("holder_json"))
        return tr("objects that name a holder", "values are");
    if (name == QLatin1String("json"))
        return tr("other objects", "values are");
    if (name == QLatin1String("data"))
        return tr("data", "values are");
    return tr("names", "values are");
}

QString CandidateFormatter::key(const Reason &reason)
{
    const QString value = displayText(reason.value);
    switch (reason.code) {
    case ReasonCode::KeyName:
        return tr("the keys are named after locks (“%1”)").arg(value);
    case ReasonCode::KeyHint:
        return tr("“%1” in the keys' names may speak of locks").arg(value);
    case ReasonCode::KeyHolder:
        return tr("the values identify the holder: %1").arg(shape(reason.value));
    case ReasonCode::KeyFlag:
        return tr(
            "check: the values don't identify the holder; a release can compare only value and deadline");
    case ReasonCode::KeyJson:
        return tr("the values are objects of owner and state");
    case ReasonCode::KeyTtl:
        return tr("every key has a time to live, at most %1").arg(value);
    case ReasonCode::KeySomeTtl:
        return tr("check: some keys have a time to live and some have none; those count as stuck");
    case ReasonCode::KeyNoTtl:
        return tr("check: no key has a time to live; nothing ends a lock when its holder dies");
    case ReasonCode::KeyRenewed:
        return tr("seen: a key got more time with the same value, as a lease is renewed");
    case ReasonCode::KeyHandOver:
        return tr("seen: a key changed hands");
    case ReasonCode::KeyRedisson:
        return tr("hashes of a client, its thread and a count, as Redisson keeps locks");
    case ReasonCode::KeyModes:
        return tr("read-write locks are among them");
    case ReasonCode::KeyFair:
        return tr("fair locks are among them: their queues exist");
    case ReasonCode::KeyMembers:
        return tr("sorted sets of holders and times, as semaphores are kept");
    case ReasonCode::KeyLease:
        return tr("check: the sets live for %1; “lease” has to be the time-out that the clients have")
            .arg(value);
    case ReasonCode::KeyPreset:
        return tr("names and values are those of the preset “%1”").arg(value);
    case ReasonCode::KeyPermits:
        return tr("numbers with deadlines of permits beside, as Redisson keeps semaphores");
    case ReasonCode::KeyPrefix:
        return tr("every name begins with “%1”: changes can be pushed").arg(value);
    case ReasonCode::KeyQueue:
        return tr("sessions queue there, each with a key that its lease names (queues: %1)").arg(value);
    case ReasonCode::KeyLeased:
        return tr("each key ends with the lease of a session");
    case ReasonCode::ZnodeRecipe:
        return tr("children are named as those who queue for a lock of %1 are").arg(value);
    case ReasonCode::ZnodeNumbered:
        return tr("children are numbered in the order in which they came");
    case ReasonCode::KeyNoPrefix:
        return tr("names begin differently: such locks are polled");
    default:
        return againstKeys(reason);
    }
}

QString CandidateFormatter::againstKeys(const Reason &reason)
{
    const QString value = displayText(reason.value);
    switch (reason.code) {
    case ReasonCode::KeyCounter:
        return tr("against it: the values count something, as a semaphore's or any other counter does");
    case ReasonCode::KeyMixed:
        return tr("against it: the values aren't alike");
    case ReasonCode::KeyForeign:
        return tr("against it: the keys are named after something else");
    case ReasonCode::KeyData:
        return tr("against it: the values are %1").arg(shape(reason.value));
    case ReasonCode::KeyLongTtl:
        return tr("against it: times to live up to %1 are longer than a lock's").arg(value);
    case ReasonCode::KeyMany:
        return tr("against it: %1 keys alike, and no word for locks").arg(value);
    case ReasonCode::Other:
        return tr("something that this version doesn't know");
    default:
        return {};
    }
}

} // namespace lockkeeper::app::discover
