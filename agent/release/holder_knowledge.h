// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/holder_check.h"

#include <QJsonObject>

#include <functional>

namespace lockkeeper::agent::release {

/** The latest verdict on the holder of one acquisition, for those who act on it. */
struct HolderKnowledge
{
    domain::HolderCheck check;
    /** The verdict is Dead and younger than twice the rule's `every`. */
    bool isFreshlyDead = false;
};

/** Looks the verdict up; empty: none is known of the acquisition with this guard. */
using HolderKnowledgeOf =
    std::function<std::optional<HolderKnowledge>(const domain::LockKey &, const QByteArray &guard)>;

/** "liveness: dead, pod_gone of shop/orders-7f9 at 2026-11-30T10:00:00.000Z", for the audit. */
QString livenessText(const domain::HolderCheck &check);
/** The same as {verdict, evidence, target, checked_us}, for alerts. */
QJsonObject livenessObject(const domain::HolderCheck &check);

} // namespace lockkeeper::agent::release
