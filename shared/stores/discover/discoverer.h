// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discovery.h"

#include <QObject>

#include <memory>

namespace lockkeeper::stores::discover {

/**
 * Looks once at a store and reports which of its tables or keys are locks. Writes nothing to it. Lives in the
 * thread that made it and answers by signals there, never from within start(). Blocking work runs in a
 * separate thread. Each kind of store has one implementation.
 */
class Discoverer : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /** Begins; one found() or failed() follows, unless cancelled. Once. */
    virtual void start() = 0;
    /** Ends it without an answer. The store's link is given up at once, or within its time limits. */
    virtual void cancel() = 0;

Q_SIGNALS:
    /** How far the look has come, in tables or keys. */
    void progressed(qint64 done, qint64 total);
    void found(const lockkeeper::stores::discover::Discovery &discovery);
    void failed(const lockkeeper::base::Error &error);
};

/**
 * A Discoverer for the store that `spec` names (its url, password, TLS files; lock sets are ignored), or why
 * there is none.
 */
base::Result<std::unique_ptr<Discoverer>> makeDiscoverer(const SourceSpec &spec);

} // namespace lockkeeper::stores::discover
