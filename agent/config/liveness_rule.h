// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/holder_check.h"

#include <QHostAddress>
#include <QList>
#include <QStringList>

namespace lockkeeper::agent::config {

/** One range of addresses: "10.0.0.0/8", or a single address. */
struct AddressRange
{
    QHostAddress address;
    int prefix = 0;

    bool operator==(const AddressRange &) const = default;
};

/** One [[liveness]] entry: how to ask whether the holders of some locks are alive. A value. */
struct LivenessRule
{
    QString name;                         ///< unique
    QString source = QStringLiteral("*"); ///< glob
    QByteArray match = "*";               ///< glob of lock names
    QString holder;                       ///< regular expression that must match the whole holder
    domain::LivenessMethod method = domain::LivenessMethod::Tcp;
    /** With groups of `holder` as {name}. Of a command: the program and its arguments; of Kubernetes: the
     * namespace and the pod; otherwise one text. */
    QStringList parts;
    QString kubeconfig; ///< absolute path; empty: the agent's own pod's account
    qint64 timeoutUs = 2'000'000;
    qint64 everyUs = 10'000'000; ///< the least time between two probes of one lock
    int budget = 60;             ///< probes a minute, for each source
    QList<AddressRange> allow; ///< may be asked although they are loopback, link-local or metadata addresses
    bool operator==(const LivenessRule &) const = default;

    bool fits(const domain::LockKey &key) const;
};

/** A piece of a template: a literal text, or the name of a group. */
struct TemplatePiece
{
    QString text;
    bool isGroup = false;
};

/** Splits "http://{ip}:8080/{pod}". Errors: Usage (a brace without its counterpart or without a name). */
base::Result<QList<TemplatePiece>> templatePieces(const QString &text);

/** The rule's expression: whole holders only, and with a bound on the time that a hostile holder can cost. */
QString boundedPattern(const LivenessRule &rule);

} // namespace lockkeeper::agent::config
