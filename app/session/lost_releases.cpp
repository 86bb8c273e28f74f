// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/lost_releases.h"

#include <utility>

namespace lockkeeper::app::session {

LostReleases::LostReleases(AskAudit askAudit, QObject *parent)
    : QObject(parent), m_askAudit(std::move(askAudit))
{
    m_clock.start();
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &LostReleases::look);
}

LostReleases::~LostReleases()
{
    giveUp(true);
}

void LostReleases::setTiming(int stepMs, int patienceMs)
{
    m_stepMs = stepMs;
    m_patienceMs = patienceMs;
}

void LostReleases::add(const protocol::ForceRelease &request, const QPointer<QObject> &context, Answer answer)
{
    m_lost.insert(request.id, {context, std::move(answer), request, m_clock.elapsed() + m_patienceMs});
    look();
}

void LostReleases::look()
{
    giveUp(false);
    if (m_lost.isEmpty())
        return;
    m_again.start(m_stepMs);
    m_askAudit([self = QPointer<LostReleases>(this)](const protocol::AuditPage &page) {
        if (self)
            self->take(page);
    });
}

void LostReleases::giveUp(bool all)
{
    const QHash<quint64, LostRelease> waiting = m_lost;
    for (auto it = waiting.cbegin(); it != waiting.cend(); ++it) {
        if (!all && m_clock.elapsed() < it->deadlineMs)
            continue;
        protocol::ReleaseResult result;
        result.outcome = domain::Outcome::Unknown;
        result.error = {
            base::ErrorCode::ConnectionLost, QStringLiteral("the request was sent and the answer lost"), {}};
        finish(it.key(), result);
    }
}

void LostReleases::take(const protocol::AuditPage &page)
{
    for (const domain::AuditEntry &entry : page.entries) {
        if (entry.outcome == domain::Outcome::Pending)
            continue;
        const QHash<quint64, LostRelease> waiting = m_lost;
        for (auto it = waiting.cbegin(); it != waiting.cend(); ++it) {
            if (it->request.command != entry.command)
                continue;
            protocol::ReleaseResult result;
            result.outcome = entry.outcome;
            result.auditId = entry.id;
            result.error.cause = entry.detail; // also for a successful release: "not replicated"
            finish(it.key(), result);
        }
    }
}

void LostReleases::finish(quint64 id, const protocol::ReleaseResult &result)
{
    const LostRelease lost = m_lost.take(id);
    protocol::ReleaseResult whole = result;
    whole.id = id;
    whole.command = lost.request.command;
    if (lost.context)
        lost.answer(whole);
}

} // namespace lockkeeper::app::session
