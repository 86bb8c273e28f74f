// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discoverer.h"
#include "shared/stores/store.h"

#include <memory>

namespace lockkeeper::stores::discover {

/**
 * A Discoverer that asks a store itself. What is proposed is opened as the agent would open it, one candidate
 * after the other: so the rights that are missing are the agent's own words, and nothing is proposed that the
 * agent wouldn't take.
 */
class VerifiedDiscoverer : public Discoverer
{
    Q_OBJECT

public:
    ~VerifiedDiscoverer() override;

    void cancel() final;

protected:
    /** The lock sets of `spec` are ignored. */
    explicit VerifiedDiscoverer(SourceSpec spec);

    const SourceSpec &spec() const { return m_spec; }
    /** What found() tells, beside the candidates. */
    Discovery &discovery() { return m_discovery; }
    /** It has answered, or was cancelled. */
    bool isOver() const { return m_over; }
    /** Once; found() or failed() follows, unless cancelled. */
    void verify(QList<Candidate> candidates);
    void end(const base::Error &error);
    /** Gives up the store's link; it may be the one that is calling. */
    virtual void drop() = 0;

private:
    void verifyNext();
    void verifyLater();
    void accept(const ServerInfo &info);
    void refuse(const base::Error &error);

    SourceSpec m_spec;
    Discovery m_discovery;
    QList<Candidate> m_candidates; ///< to be found
    qsizetype m_at = -1;           ///< of them the one that is open
    std::unique_ptr<Store> m_opened;
    bool m_over = false;
};

} // namespace lockkeeper::stores::discover
