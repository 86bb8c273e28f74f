// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discoverer.h"
#include "shared/stores/store.h"

#include <memory>

namespace lockkeeper::stores::discover {

/**
 * A Discoverer that asks a store itself. It opens each candidate as the agent would, one after the other. The
 * missing rights therefore come in the agent's own words, and it proposes nothing that the agent would
 * reject.
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
    /** The contents of found(), beside the candidates. */
    Discovery &discovery() { return m_discovery; }
    /** It has answered, or was cancelled. */
    bool isOver() const { return m_over; }
    /** Once; found() or failed() follows, unless cancelled. */
    void verify(QList<Candidate> candidates);
    void end(const base::Error &error);
    /** Gives up the store's link; the link itself may be the caller. */
    virtual void drop() = 0;

private:
    void verifyNext();
    void verifyLater();
    void accept(const ServerInfo &info);
    void refuse(const base::Error &error);

    SourceSpec m_spec;
    Discovery m_discovery;
    QList<Candidate> m_candidates; ///< to be found
    qsizetype m_at = -1;           ///< index of the open candidate
    std::unique_ptr<Store> m_opened;
    bool m_over = false;
};

} // namespace lockkeeper::stores::discover
