// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/liveness_rule.h"
#include "shared/stores/source_spec.h"

#include <QRegularExpression>
#include <QUrl>

#include <vector>

namespace lockkeeper::agent::liveness {

/** One thing to ask. All texts were checked: see TargetFinder. A value. */
struct ProbeTarget
{
    domain::LivenessMethod method = domain::LivenessMethod::Tcp;
    QByteArray shown; ///< HolderCheck::target
    QString host;     ///< Tcp, Http, Redis: a name or an address, without brackets
    quint16 port = 0; ///< 0: any; only of Redis
    /** The holder's text is the address that is asked, so an answer from it is about the holder's host. */
    bool isHolderAddress = false;
    QUrl url;            ///< Http
    QStringList command; ///< the program and its arguments
    QString nameSpace;   ///< Kubernetes
    QString pod;
    QString kubeconfig;
    qint64 pid = 0;            ///< Process
    stores::SourceSpec source; ///< Redis: the watched server; set by who probes
    qint64 timeoutUs = 0;
    QList<config::AddressRange> allow;

    bool operator==(const ProbeTarget &) const = default;
};

/** The rule for a lock and its holder, and the target that it asks. */
struct TargetChoice
{
    const config::LivenessRule *rule = nullptr; ///< null: none matches
    std::optional<ProbeTarget> target;
    /** Why there is no target: NoRule, NoMatch or TargetRefused. */
    domain::HolderEvidence why = domain::HolderEvidence::NoRule;
    QByteArray shown; ///< the refused target; empty: none
};

/**
 * Finds the target to ask about a holder. Any client of the store can choose the holder's text. Therefore a
 * group is filled into a template only if it consists of [A-Za-z0-9._:-], doesn't begin with '-' and isn't
 * made of dots alone. A target at a forbidden address is refused here if it is written as an address; a probe
 * checks the addresses of names. Pure; one thread at a time.
 */
class TargetFinder
{
public:
    /** `thisHost`: the names of this host, of which rules for processes match one. */
    TargetFinder(QList<config::LivenessRule> rules, QStringList thisHost);

    bool isEmpty() const { return m_rules.empty(); }
    /** Whether any rule is about this lock. */
    bool concerns(const domain::LockKey &key) const;
    /** The first rule that is about the lock and matches its whole holder decides. */
    TargetChoice choose(const domain::LockKey &key, const QByteArray &holder) const;

private:
    struct CompiledRule
    {
        config::LivenessRule rule;
        QRegularExpression holder;
    };

    std::vector<CompiledRule> m_rules;
    QStringList m_thisHost;
};

} // namespace lockkeeper::agent::liveness
