// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/verified_discoverer.h"

#include "shared/stores/discover/scoring.h"
#include "shared/stores/factory.h"

#include <utility>

namespace lockkeeper::stores::discover {

using base::ErrorCode;

VerifiedDiscoverer::VerifiedDiscoverer(SourceSpec spec) : m_spec(std::move(spec))
{
    m_spec.locks.clear();
}

VerifiedDiscoverer::~VerifiedDiscoverer() = default;

void VerifiedDiscoverer::cancel()
{
    m_over = true;
    disconnect(); // no answer follows
    if (Store *store = m_opened.release()) {
        // Deleting a hanging store would wait for it: delete it once it has answered, within its time limits.
        store->disconnect(this);
        connect(store, &Store::opened, store, &QObject::deleteLater);
        connect(store, &Store::failed, store, &QObject::deleteLater);
    }
    drop();
}

void VerifiedDiscoverer::end(const base::Error &error)
{
    if (std::exchange(m_over, true))
        return;
    drop();
    Q_EMIT failed(error);
}

void VerifiedDiscoverer::verify(QList<Candidate> candidates)
{
    m_candidates = std::move(candidates);
    verifyLater();
}

void VerifiedDiscoverer::verifyLater()
{
    QMetaObject::invokeMethod(this, &VerifiedDiscoverer::verifyNext, Qt::QueuedConnection);
}

void VerifiedDiscoverer::verifyNext()
{
    if (m_over)
        return;
    if (m_opened) {
        m_opened->disconnect(this);
        m_opened->close();
        m_opened.release()->deleteLater(); // it may be the one that is calling
    }
    do {
        ++m_at;
    } while (m_at < m_candidates.size() && !m_candidates.at(m_at).isProposed());
    if (m_at >= m_candidates.size()) {
        m_over = true;
        sortInto(m_discovery, m_candidates);
        Q_EMIT found(m_discovery);
        return;
    }
    SourceSpec spec = m_spec;
    spec.url = urlOf(m_spec.url, m_candidates.at(m_at).schema);
    spec.locks = {lockSetOf(m_candidates.at(m_at))};
    auto store = makeStore(spec);
    if (!store) {
        refuse(store.error());
        return;
    }
    m_opened = *std::move(store);
    connect(m_opened.get(), &Store::opened, this, &VerifiedDiscoverer::accept);
    connect(m_opened.get(), &Store::failed, this, &VerifiedDiscoverer::refuse);
    m_opened->open();
}

void VerifiedDiscoverer::accept(const ServerInfo &info)
{
    m_candidates[m_at].access = info.access;
    verifyNext();
}

void VerifiedDiscoverer::refuse(const base::Error &error)
{
    Candidate &candidate = m_candidates[m_at];
    if (error.code == ErrorCode::PermissionDenied) {
        static const QLatin1String kRun("Run: "); // an Access has the statement alone
        const QString statement =
            error.remedy.startsWith(kRun) ? error.remedy.sliced(kRun.size()) : error.remedy;
        candidate.access.append({"observe:" + candidate.subject().toUtf8(), false, false, statement});
    } else if (base::isTransient(error.code)) {
        end(error); // the link, not the candidate
        return;
    } else {
        candidate.missing.append(Missing::Refused);
        candidate.refusal = error;
    }
    verifyLater();
}

} // namespace lockkeeper::stores::discover
