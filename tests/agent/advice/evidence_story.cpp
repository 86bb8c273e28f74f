// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/advice/evidence_story.h"

namespace lockkeeper::tests {

using namespace agent::advice;

namespace {

const QString kOrders = QStringLiteral("orders");

} // namespace

EvidenceStory::EvidenceStory(const QByteArray &name, const QByteArray &scheme)
{
    lock.key = {kOrders, scheme, "db0", name};
}

EvidenceStory &EvidenceStory::ttl(qint64 ms)
{
    m_ttlMs = ms;
    return *this;
}

EvidenceStory &EvidenceStory::hold(const QByteArray &owner, qint64 afterMs, qint64 lengthMs, EvidenceEnd end)
{
    open(owner, afterMs);
    m_nowMs += lengthMs;
    last().toUs = m_nowMs * 1000;
    last().end = end;
    return *this;
}

EvidenceStory &EvidenceStory::open(const QByteArray &owner, qint64 afterMs)
{
    m_nowMs += afterMs;
    EvidenceHold hold;
    hold.owner = owner;
    hold.fromUs = m_nowMs * 1000;
    hold.ttlUs = m_ttlMs * 1000;
    lock.holds.append(hold);
    return *this;
}

EvidenceStory &EvidenceStory::renewedEvery(qint64 ms)
{
    const qint64 lengthUs = last().toUs.value_or(m_nowMs * 1000) - last().fromUs;
    last().renewals = quint32(lengthUs / (ms * 1000));
    last().renewedUs = last().fromUs + qint64(last().renewals) * ms * 1000;
    return *this;
}

EvidenceStory &EvidenceStory::waited(qint64 beforeMs, qint64 afterMs)
{
    lock.waitersVisible = true;
    lock.waits.append({(m_nowMs - beforeMs) * 1000, (m_nowMs + afterMs) * 1000});
    return *this;
}

EvidenceStory &EvidenceStory::windows(qint64 ms)
{
    last().fromWindowUs = last().toWindowUs = ms * 1000;
    return *this;
}

AdviceEvidence evidenceOf(const QList<EvidenceStory> &stories, qint64 toMs, qint64 lookMs)
{
    AdviceEvidence evidence;
    evidence.range = {0, toMs * 1000};
    evidence.sources.insert(kOrders, {{{0, toMs * 1000}}, lookMs * 1000, {}});
    for (const EvidenceStory &story : stories)
        evidence.locks.append(story.lock);
    return evidence;
}

QString textOf(const QList<domain::Advice> &advice)
{
    QStringList lines;
    for (const domain::Advice &one : advice) {
        QString line =
            QStringLiteral("%1 %2").arg(QString::fromLatin1(domain::adviceCodeName(one.code)),
                                        one.isOfLock() ? QString::fromUtf8(one.lock.name) : one.lock.source);
        if (!one.other.name.isEmpty())
            line += QLatin1Char('+') + QString::fromUtf8(one.other.name);
        line += QLatin1Char(' ') + QString::fromLatin1(domain::adviceConfidenceName(one.confidence));
        if (one.ttlUs)
            line += QStringLiteral(" %1").arg(*one.ttlUs / 1000);
        lines.append(line);
    }
    return lines.join(QLatin1String("; "));
}

} // namespace lockkeeper::tests
