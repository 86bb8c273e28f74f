// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/kubernetes_probe.h"

#include "agent/liveness/start_times.h"
#include "shared/base/clock.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace lockkeeper::agent::liveness {

using base::ErrorCode;
using domain::HolderEvidence;
using domain::HolderVerdict;

namespace {

constexpr qint64 kClocksMarginUs = 30 * base::kSecondUs;
constexpr int kOk = 200;
constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;
constexpr int kNotFound = 404;

ProbeOutcome failedOutcome(ErrorCode code, const QString &cause, const QString &remedy = {})
{
    return {HolderVerdict::Unknown, HolderEvidence::Failed, std::nullopt, {code, cause, remedy}};
}

QJsonObject objectIn(const QJsonObject &object, const char *key)
{
    return object.value(QLatin1String(key)).toObject();
}

QString textIn(const QJsonObject &object, const char *key)
{
    return object.value(QLatin1String(key)).toString();
}

std::optional<qint64> timeIn(const QJsonObject &object, const char *key)
{
    const QDateTime time = QDateTime::fromString(textIn(object, key), Qt::ISODate);
    return time.isValid() ? std::optional(time.toMSecsSinceEpoch() * 1'000) : std::nullopt;
}

/** An answer other than 200. */
ProbeOutcome refusal(int status, const QString &forbidden)
{
    if (status == kUnauthorized)
        return failedOutcome(ErrorCode::Authentication,
                             QStringLiteral("the cluster rejected the agent's credentials"));
    if (status == kForbidden)
        return failedOutcome(ErrorCode::PermissionDenied, forbidden,
                             QStringLiteral("Grant it \"get\" on pods and nodes."));
    return failedOutcome(ErrorCode::Protocol,
                         QStringLiteral("the cluster answered with status %1").arg(status));
}

/** All containers have ended. A phase alone may be set for a node that doesn't report any more. */
bool haveEnded(const QJsonObject &status)
{
    const QJsonArray containers = status.value(QLatin1String("containerStatuses")).toArray();
    return textIn(status, "reason") == QLatin1String("Evicted") ||
           (!containers.isEmpty() &&
            std::all_of(containers.cbegin(), containers.cend(), [](const QJsonValue &container) {
                return objectIn(container.toObject(), "state").contains(QLatin1String("terminated"));
            }));
}

/** A pod in the phase Running. */
PodReading readRunning(const QJsonObject &pod, const std::optional<AcquiredWhen> &acquired)
{
    const QJsonObject status = objectIn(pod, "status");
    std::optional<qint64> first;
    std::optional<qint64> last;
    for (const QJsonValue &container : status.value(QLatin1String("containerStatuses")).toArray()) {
        const QJsonObject state = objectIn(container.toObject(), "state");
        if (const auto startedUs = timeIn(objectIn(state, "running"), "startedAt")) {
            first = std::min(first.value_or(*startedUs), *startedUs);
            last = std::max(last.value_or(*startedUs), *startedUs);
        }
    }
    if (!first)
        return {{HolderVerdict::Unknown, HolderEvidence::PodPending}, {}};
    if (!acquired)
        return {failedOutcome(ErrorCode::Unsupported,
                              QStringLiteral("the store doesn't show when the lock was acquired, so that "
                                             "another pod could have this name")),
                {}};
    switch (startOrder(*first, *last, *acquired, kClocksMarginUs)) {
    case StartOrder::After:
        return {{HolderVerdict::Dead, HolderEvidence::PodReplaced, *first}, {}};
    case StartOrder::Unclear:
        return {{HolderVerdict::Unknown, HolderEvidence::PodReplaced, *last}, {}};
    case StartOrder::Before:
        break;
    }
    return {{HolderVerdict::Alive, HolderEvidence::PodRunning}, textIn(objectIn(pod, "spec"), "nodeName")};
}

} // namespace

PodReading readPod(const BoundedGet::HttpAnswer &answer, const QString &pod,
                   const std::optional<AcquiredWhen> &acquired)
{
    const QJsonObject object = QJsonDocument::fromJson(answer.body).object();
    const bool isStatus = textIn(object, "kind") == QLatin1String("Status");
    const QJsonObject details = objectIn(object, "details");
    // A wrong address has pages that aren't found, too: only the API's own statement counts.
    if (answer.status == kNotFound && isStatus && textIn(object, "reason") == QLatin1String("NotFound") &&
        textIn(details, "kind") == QLatin1String("pods") && textIn(details, "name") == pod)
        return {{HolderVerdict::Dead, HolderEvidence::PodGone}, {}};
    if (answer.status != kOk)
        return {refusal(answer.status, QStringLiteral("the agent's account may not read pods")), {}};
    const QJsonObject metadata = objectIn(object, "metadata");
    if (textIn(object, "kind") != QLatin1String("Pod") || textIn(metadata, "name") != pod)
        return {
            failedOutcome(ErrorCode::Protocol, QStringLiteral("the cluster's answer isn't about the pod")),
            {}};
    const QJsonObject status = objectIn(object, "status");
    const QString phase = textIn(status, "phase");
    const auto createdUs = timeIn(metadata, "creationTimestamp");
    if (createdUs && acquired &&
        startOrder(*createdUs, *createdUs, *acquired, kClocksMarginUs) == StartOrder::After)
        return {{HolderVerdict::Dead, HolderEvidence::PodReplaced, *createdUs}, {}};
    if (phase == QLatin1String("Succeeded") || phase == QLatin1String("Failed"))
        return {
            {haveEnded(status) ? HolderVerdict::Dead : HolderVerdict::Unknown, HolderEvidence::PodFinished},
            {}};
    if (metadata.contains(QLatin1String("deletionTimestamp")))
        return {{HolderVerdict::Unknown, HolderEvidence::PodDeleting}, {}};
    if (phase == QLatin1String("Running"))
        return readRunning(object, acquired);
    return {{HolderVerdict::Unknown, HolderEvidence::PodPending}, {}};
}

ProbeOutcome readNode(const BoundedGet::HttpAnswer &answer, const ProbeOutcome &running)
{
    if (answer.status == kNotFound)
        return {HolderVerdict::Unknown, HolderEvidence::NodeNotReady};
    if (answer.status != kOk)
        return refusal(answer.status, QStringLiteral("the agent's account may not read nodes"));
    const QJsonObject node = QJsonDocument::fromJson(answer.body).object();
    const QJsonArray conditions = objectIn(node, "status").value(QLatin1String("conditions")).toArray();
    const bool isReady = std::any_of(conditions.cbegin(), conditions.cend(), [](const QJsonValue &value) {
        const QJsonObject condition = value.toObject();
        return textIn(condition, "type") == QLatin1String("Ready") &&
               textIn(condition, "status") == QLatin1String("True");
    });
    return isReady ? running : ProbeOutcome{HolderVerdict::Unknown, HolderEvidence::NodeNotReady};
}

KubernetesProbe::KubernetesProbe(ProbeTarget target, std::optional<AcquiredWhen> acquired, Done done)
    : HolderProbe(std::move(target), std::move(done)), m_acquired(acquired)
{
}

void KubernetesProbe::begin()
{
    auto access = target().kubeconfig.isEmpty() ? inClusterAccess() : readKubeconfig(target().kubeconfig);
    if (!access) {
        fail(access.error().code, access.error().cause, access.error().remedy);
        return;
    }
    m_access = std::move(*access);
    get("/api/v1/namespaces/" + target().nameSpace.toLatin1() + "/pods/" + target().pod.toLatin1(),
        [this](const BoundedGet::HttpAnswer &answer) {
            const PodReading pod = readPod(answer, target().pod, m_acquired);
            if (pod.node.isEmpty()) {
                finish(pod.outcome);
                return;
            }
            get("/api/v1/nodes/" + QUrl::toPercentEncoding(pod.node),
                [this, running = pod.outcome](const BoundedGet::HttpAnswer &node) {
                    finish(readNode(node, running));
                });
        });
}

void KubernetesProbe::get(const QByteArray &path, std::function<void(const BoundedGet::HttpAnswer &)> taken)
{
    abort();
    m_get = std::make_unique<BoundedGet>(
        m_access, path, [this, taken = std::move(taken)](const base::Result<BoundedGet::HttpAnswer> &answer) {
            if (isFinished())
                return;
            if (answer)
                taken(*answer);
            else
                fail(answer.error().code, answer.error().cause, answer.error().remedy);
        });
}

void KubernetesProbe::abort()
{
    if (!m_get)
        return;
    m_get->cancel();
    m_get.release()->deleteLater(); // it may be calling
}

} // namespace lockkeeper::agent::liveness
