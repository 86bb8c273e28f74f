// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/domain/lock_key.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace lockkeeper::domain {

/** The answer to "is the holder alive?" that a liveness rule found outside the store. */
enum class HolderVerdict : quint8 {
    Unknown = 0, ///< the evidence shows neither; `HolderEvidence` says why
    Alive,
    Dead, ///< the process that acquired the lock can't be running any more
};

/** How a liveness rule asks. The names are those of the rule's keys in the configuration. */
enum class LivenessMethod : quint8 { Tcp = 0, Http, Command, Kubernetes, Redis, Process };

/** The observation that a verdict rests on. The console words it; `number` and `target` fill the words. */
enum class HolderEvidence : quint8 {
    Other = 0,        ///< from a newer agent
    NoRule,           ///< no liveness rule matches the source and the lock
    NoMatch,          ///< the holder's text doesn't match a rule, or its groups hold forbidden characters
    TargetRefused,    ///< a loopback, link-local or metadata address that the rule doesn't allow
    NoHolder,         ///< nobody holds the lock, or its holder isn't known
    Waiting,          ///< the probe is due, but the source's budget is used up for now
    TimedOut,         ///< no answer within the time limit
    Failed,           ///< `error` says why the probe couldn't be made
    Connected,        ///< Tcp: the connection was accepted
    Refused,          ///< Tcp, Http: the host answered, and nothing listens at the port
    HttpStatus,       ///< `number`: the status code
    ExitCode,         ///< `number`: the command's exit code
    PodRunning,       ///< Kubernetes: since before the acquisition, on a ready node
    PodPending,       ///< it doesn't run yet
    PodFinished,      ///< its containers have ended
    PodGone,          ///< no pod has this name
    PodReplaced,      ///< `number`: it started then, after the acquisition: another pod under this name
    PodDeleting,      ///< its deletion has begun
    NodeNotReady,     ///< its node doesn't report
    ConnectionListed, ///< Redis: the server lists a connection from the holder's address
    ConnectionAbsent, ///< it lists none now; a client may reconnect, so this proves nothing
    ProcessRunning,   ///< on the agent's host, since before the acquisition
    ProcessGone,      ///< no process has this number
    ProcessReplaced,  ///< `number`: it started then, after the acquisition: another process
};

inline constexpr HolderEvidence kLastHolderEvidence = HolderEvidence::ProcessReplaced;

/**
 * The result of one liveness probe. It belongs to one acquisition: another `guard` makes it void. It never
 * relaxes a guard. Made only by the agent; `target` is untrusted text from the holder.
 */
struct HolderCheck
{
    LockKey lock;
    QByteArray guard;  ///< of the acquisition that was asked about; empty: it has none
    QByteArray holder; ///< as the lock names it
    QString rule;      ///< the liveness rule that matched; empty: none
    LivenessMethod method = LivenessMethod::Tcp;
    HolderVerdict verdict = HolderVerdict::Unknown;
    HolderEvidence evidence = HolderEvidence::NoRule;
    QByteArray target;            ///< what was asked about: "10.0.0.7:8080", "shop/orders-7f9", "4711"
    std::optional<qint64> number; ///< a status, an exit code, or µs since the epoch: see the evidence
    base::Error error;            ///< of Failed
    qint64 checkedUs = 0;         ///< by the agent's wall clock

    bool operator==(const HolderCheck &) const = default;
};

/** The stable names: "dead", "kubernetes", "pod_gone". */
QByteArrayView holderVerdictName(HolderVerdict verdict);
std::optional<HolderVerdict> holderVerdictFromName(QByteArrayView name);
QByteArrayView livenessMethodName(LivenessMethod method);
std::optional<LivenessMethod> livenessMethodFromName(QByteArrayView name);
QByteArrayView holderEvidenceName(HolderEvidence evidence);
std::optional<HolderEvidence> holderEvidenceFromName(QByteArrayView name);

} // namespace lockkeeper::domain
