// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/holder_check.h"

#include "shared/base/enum_names.h"

namespace lockkeeper::domain {

namespace {

constexpr base::EnumNames<3> kHolderVerdicts{"unknown", "alive", "dead"};
constexpr base::EnumNames<6> kLivenessMethods{"tcp", "http", "command", "kubernetes", "redis", "process"};
constexpr base::EnumNames<size_t(kLastHolderEvidence) + 1> kHolderEvidences{"other",
                                                                            "no_rule",
                                                                            "no_match",
                                                                            "target_refused",
                                                                            "no_holder",
                                                                            "waiting",
                                                                            "timed_out",
                                                                            "failed",
                                                                            "connected",
                                                                            "refused",
                                                                            "http_status",
                                                                            "exit_code",
                                                                            "pod_running",
                                                                            "pod_pending",
                                                                            "pod_finished",
                                                                            "pod_gone",
                                                                            "pod_replaced",
                                                                            "pod_deleting",
                                                                            "node_not_ready",
                                                                            "connection_listed",
                                                                            "connection_absent",
                                                                            "process_running",
                                                                            "process_gone",
                                                                            "process_replaced"};

} // namespace

QByteArrayView holderVerdictName(HolderVerdict verdict)
{
    return base::enumName(kHolderVerdicts, verdict);
}

std::optional<HolderVerdict> holderVerdictFromName(QByteArrayView name)
{
    return base::enumFromName<HolderVerdict>(kHolderVerdicts, name);
}

QByteArrayView livenessMethodName(LivenessMethod method)
{
    return base::enumName(kLivenessMethods, method);
}

std::optional<LivenessMethod> livenessMethodFromName(QByteArrayView name)
{
    return base::enumFromName<LivenessMethod>(kLivenessMethods, name);
}

QByteArrayView holderEvidenceName(HolderEvidence evidence)
{
    return base::enumName(kHolderEvidences, evidence);
}

std::optional<HolderEvidence> holderEvidenceFromName(QByteArrayView name)
{
    return base::enumFromName<HolderEvidence>(kHolderEvidences, name);
}

} // namespace lockkeeper::domain
