// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discoverer.h"
#include "shared/stores/store.h"

#include <QObject>

#include <memory>
#include <utility>

namespace lockkeeper::stores::discover {

/**
 * Opens what is proposed as the agent would open it, one candidate after the other: so the rights that are
 * missing are the agent's own words, and nothing is proposed that the agent wouldn't take. Lives in the
 * thread that made it; never answers from within start().
 */
class Verification : public QObject
{
    Q_OBJECT

public:
    /** The lock sets of `spec` are ignored. */
    explicit Verification(SourceSpec spec, QObject *parent = nullptr);
    ~Verification() override;

    /** Once; done() or failed() follows, unless cancelled. */
    void start(QList<Candidate> candidates);
    void cancel();

Q_SIGNALS:
    /** All of them, those that were proposed with their rights, or with why they aren't any more. */
    void done(const QList<lockkeeper::stores::discover::Candidate> &candidates);
    /** The link, not a candidate. */
    void failed(const lockkeeper::base::Error &error);

private:
    void later();
    void next();
    void accept(const ServerInfo &info);
    void refuse(const base::Error &error);

    SourceSpec m_spec;
    QList<Candidate> m_candidates;
    qsizetype m_at = -1;
    bool m_cancelled = false;
    std::unique_ptr<Store> m_opened;
};

/** A Discoverer that asks a store itself: what it has judged is verified and sorted before it is found. */
class VerifiedDiscoverer : public Discoverer
{
    Q_OBJECT

public:
    void cancel() final;

protected:
    explicit VerifiedDiscoverer(SourceSpec spec);

    const SourceSpec &spec() const { return m_spec; }
    /** What found() tells, beside the candidates. */
    Discovery &discovery() { return m_discovery; }
    /** It has answered, or was cancelled. */
    bool isOver() const { return m_over; }
    /** Once; found() or failed() follows, unless cancelled. */
    void verify(QList<Candidate> candidates) { m_verification.start(std::move(candidates)); }
    void end(const base::Error &error);
    /** Gives up the store's link; it may be the one that is calling. */
    virtual void drop() = 0;

private:
    SourceSpec m_spec;
    Discovery m_discovery;
    Verification m_verification;
    bool m_over = false;
};

} // namespace lockkeeper::stores::discover
