// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/advice/rules.h"

#include <QRandomGenerator>

namespace lockkeeper::tests {

/** Evidence about one lock of the source "orders", written hold by hold. Times in milliseconds. */
class EvidenceStory
{
public:
    explicit EvidenceStory(const QByteArray &name, const QByteArray &scheme = "redis.token");

    /** The lease of the holds that follow; 0: unknown. */
    EvidenceStory &ttl(qint64 ms);
    /** A hold of that length begins after the time has passed. */
    EvidenceStory &hold(const QByteArray &owner, qint64 afterMs, qint64 lengthMs,
                        agent::advice::EvidenceEnd end = agent::advice::EvidenceEnd::Released);
    /** The last hold continues at the end. */
    EvidenceStory &open(const QByteArray &owner, qint64 afterMs);
    /** The last hold was renewed at this interval, until its end. */
    EvidenceStory &renewedEvery(qint64 ms);
    /** Somebody waited from so long before the end of the last hold until so long after it. */
    EvidenceStory &waited(qint64 beforeMs, qint64 afterMs);
    /** The windows of the last hold's beginning and end. */
    EvidenceStory &windows(qint64 ms);
    agent::advice::EvidenceHold &last() { return lock.holds.last(); }
    qint64 nowMs() const { return m_nowMs; }
    void setNowMs(qint64 ms) { m_nowMs = ms; }

    agent::advice::LockEvidence lock;

private:
    qint64 m_nowMs = 1'000;
    qint64 m_ttlMs = 10'000;
};

/** All of it, observed from the beginning to the end without a gap. */
agent::advice::AdviceEvidence evidenceOf(const QList<EvidenceStory> &stories, qint64 toMs,
                                         qint64 lookMs = 100);

/** "lease_too_short lock:a certain 20000; …": code, lock, confidence and the proposed lease in ms. */
QString textOf(const QList<domain::Advice> &advice);

} // namespace lockkeeper::tests
