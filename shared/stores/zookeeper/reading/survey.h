// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"

#include <QObject>

#include <memory>

namespace lockkeeper::stores::zookeeper {

/** A znode with numbered children, by their names alone. */
struct QueueFacts
{
    QByteArray path;
    QByteArray client; ///< the client that writes such names: "kazoo"; empty: not known
    qint64 places = 0; ///< numbered children

    bool operator==(const QueueFacts &) const = default;
};

struct TreeFacts
{
    QString server; ///< product and version
    QList<QueueFacts> queues;
    qint64 znodes = 0;   ///< names that were read
    bool allSeen = true; ///< false: more exist, or some may not be read
};

/** The limits of a survey. */
struct SurveyLimits
{
    qsizetype names = 200'000;
    qsizetype below = 1'000; ///< children of one znode whose children are read too
};

/** Reads the names of an ensemble's znodes, level by level, and no data. Runs on the thread that made it;
 * nothing blocks. */
class Survey : public QObject
{
    Q_OBJECT

public:
    /** Unsupported where this build has no client library. */
    static base::Result<std::unique_ptr<Survey>> of(const SourceSpec &spec, const SurveyLimits &limits = {});

    /** Answers found() or failed(), unless it is destroyed first. */
    virtual void start() = 0;

Q_SIGNALS:
    void progressed(qint64 done, qint64 total);
    void found(const lockkeeper::stores::zookeeper::TreeFacts &facts);
    void failed(const lockkeeper::base::Error &error);
};

} // namespace lockkeeper::stores::zookeeper
