// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/requests/discovery_runner.h"

#include "shared/base/random_id.h"
#include "shared/protocol/weight.h"
#include "shared/stores/host_list.h"

#include <QPointer>
#include <QTimer>
#include <QUrlQuery>

#include <algorithm>
#include <utility>

namespace lockkeeper::agent::requests {

using base::ErrorCode;
using domain::Outcome;
using domain::discovery::Candidate;
using domain::discovery::Discovery;
using stores::discover::Discoverer;

namespace {

constexpr int kLookLimitMs = 25'000; ///< below the time that a console waits for an answer
constexpr qsizetype kLongestUrl = 2048;
constexpr qsizetype kLongestPassword = 4096;

/** A reference to a password, instead of the password: the agent would read its own variable or file. */
bool isReference(const QByteArray &password)
{
    return password.startsWith("env:") || password.startsWith("file:") || password.startsWith("keychain:");
}

/** The first query item that a store's address doesn't have; empty: none. */
QString unknownItem(const QUrl &url)
{
    const QStringList known{QStringLiteral("host"), QStringLiteral("port"), QStringLiteral("user"),
                            QStringLiteral("db"), QStringLiteral("schema")};
    const QString text = stores::textOf(url); // this text has further hosts outside the query
    const QString query = text.section(QLatin1Char('#'), 0, 0).section(QLatin1Char('?'), 1);
    for (const auto &item : QUrlQuery(query).queryItems()) {
        if (!known.contains(item.first))
            return item.first;
    }
    return url.hasFragment() ? QStringLiteral("#") : QString();
}

/** For the audit, without unknown items: they may be secrets. */
QByteArray auditedAddress(QUrl url)
{
    if (!unknownItem(url).isEmpty()) {
        url.setQuery(QString());
        url.setFragment(QString());
    }
    return stores::displayAddress(url).toUtf8();
}

std::optional<base::Error> addressRefusal(const protocol::DiscoverRequest &request)
{
    const QUrl url = request.url.size() <= kLongestUrl ? stores::urlOf(request.url) : QUrl();
    if (!url.isValid())
        return base::Error{ErrorCode::Usage, QStringLiteral("the address of the store is not a URL"), {}};
    if (!url.password().isEmpty())
        return base::Error{ErrorCode::Usage, QStringLiteral("the URL holds a password"),
                           QStringLiteral("Send it in its own field")};
    if (!unknownItem(url).isEmpty())
        return base::Error{ErrorCode::Usage, QStringLiteral("the URL contains more than an address"),
                           QStringLiteral("It may have host, port, user, db and schema")};
    const auto kind = stores::storeKind(url);
    if (!kind)
        return kind.error();
    if (*kind == "sqlite")
        return base::Error{ErrorCode::Unsupported,
                           QStringLiteral("the agent doesn't open files that a client names"),
                           QStringLiteral("Run lockkeeperctl discover on the agent's machine")};
    if (isReference(request.password) || request.password.size() > kLongestPassword)
        return base::Error{ErrorCode::Usage,
                           QStringLiteral("this is a reference to a password, not the password"),
                           QStringLiteral("The agent doesn't read its variables or files for a client")};
    if (!QStringList{QString(), QStringLiteral("full"), QStringLiteral("ca"), QStringLiteral("off")}.contains(
            request.verify))
        return base::Error{ErrorCode::Usage, QStringLiteral("verify is full, ca or off"), {}};
    return {};
}

/** Cuts the discovery to the size of one frame; proposals come first. */
Discovery fitting(Discovery discovery)
{
    qint64 weight = 0;
    for (QList<Candidate> *list : {&discovery.found, &discovery.near, &discovery.rest}) {
        const auto end = std::find_if(list->cbegin(), list->cend(), [&weight](const Candidate &candidate) {
            weight += protocol::weightOf(candidate);
            return weight > protocol::kPageWeight;
        });
        discovery.allSeen = discovery.allSeen && end == list->cend();
        list->resize(end - list->cbegin());
    }
    return discovery;
}

} // namespace

struct DiscoveryRunner::DiscoveryJob
{
    Done done;
    QString user;
    protocol::DiscoverResult result;
    stores::SourceSpec spec;
    std::optional<base::Error> refusal; ///< empty: the job is in `m_jobs`
    quint64 number = 0;
    std::shared_ptr<release::TicketBox> session; ///< keeps the address from being reused for another session
    std::stop_token takenBack;
    std::optional<std::stop_callback<std::function<void()>>> onTakenBack;
    Discoverer *look = nullptr; ///< owned by the other thread
};

DiscoveryRunner::DiscoveryRunner(journal::AuditLog &audit, const base::Clock &clock,
                                 release::AuditLimit &limit, QObject *parent)
    : QObject(parent),
      m_audit(audit),
      m_clock(clock),
      m_limit(limit),
      m_makeDiscoverer(&stores::discover::makeDiscoverer),
      m_limitMs(kLookLimitMs),
      m_inside(new QObject)
{
    m_thread.setObjectName(QStringLiteral("discoveries"));
    m_inside->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_inside, &QObject::deleteLater);
}

DiscoveryRunner::~DiscoveryRunner()
{
    for (const JobPtr &job : std::as_const(m_jobs))
        job->onTakenBack.reset();
    m_jobs.clear();
    if (!m_thread.isRunning()) {
        delete m_inside;
        return;
    }
    m_thread.quit();
    m_thread.wait();
}

std::optional<base::Error> DiscoveryRunner::refusalOf(const protocol::DiscoverRequest &request,
                                                      const release::Asker &asker) const
{
    if (const auto refusal = addressRefusal(request))
        return refusal;
    const bool busy = std::any_of(m_jobs.cbegin(), m_jobs.cend(),
                                  [&asker](const JobPtr &job) { return job->session == asker.tickets; });
    if (busy)
        return base::Error{ErrorCode::Busy, QStringLiteral("a discovery is already running in this session"),
                           QStringLiteral("Wait for it or cancel it")};
    return m_limit.beginRefusal(release::intentOf(asker, {}, {}, {}, 0));
}

void DiscoveryRunner::discover(const protocol::DiscoverRequest &request, const release::Asker &asker,
                               Done done, const std::stop_token &takenBack)
{
    deny(request, asker, refusalOf(request, asker), std::move(done), takenBack);
}

void DiscoveryRunner::deny(const protocol::DiscoverRequest &request, const release::Asker &asker,
                           const std::optional<base::Error> &refusal, Done done,
                           const std::stop_token &takenBack)
{
    const auto job = std::make_shared<DiscoveryJob>();
    job->done = std::move(done);
    job->user = asker.user();
    job->refusal = refusal;
    job->session = asker.tickets;
    job->takenBack = takenBack;
    job->result.id = request.id;
    job->result.command = request.command;
    const auto badId = release::checkCommandId(request.command);
    if (badId)
        job->refusal = badId;
    if (job->refusal &&
        !m_limit.take(release::intentOf(asker, {}, {}, {}, 0), release::outcomeOf(*job->refusal, false))) {
        job->result.error = *job->refusal;
        job->done(job->result);
        return;
    }
    job->spec.url = stores::urlOf(request.url.left(kLongestUrl));
    job->spec.password = request.password;
    if (!request.verify.isEmpty())
        job->spec.tls.insert(QStringLiteral("verify"), request.verify);
    if (!job->refusal) {
        job->number = ++m_lastNumber;
        m_jobs.insert(job->number, job);
    }
    domain::AuditEntry entry =
        release::intentOf(asker, domain::AuditEntry::kDiscovery, request.reason,
                          badId ? base::randomId() : request.command, m_clock.wallUs());
    entry.key.place = auditedAddress(job->spec.url);
    m_audit.writeIntent(entry,
                        [self = QPointer(this), job](const base::Result<journal::ReleaseIntent> &intent) {
                            if (self)
                                self->begun(job, intent);
                        });
}

void DiscoveryRunner::begun(const JobPtr &job, const base::Result<journal::ReleaseIntent> &intent)
{
    // Reveal nothing about another user's command.
    const bool isTheirs = intent && intent->recorded && intent->recorded->who != job->user;
    job->result.auditId = intent && !isTheirs ? intent->auditId : 0;
    if (!intent || intent->recorded) {
        job->result.error = {ErrorCode::Usage, QStringLiteral("this command was already executed"),
                             QStringLiteral("Ask again")};
        if (!intent)
            job->result.error = intent.error(); // no audit, no look
        m_jobs.remove(job->number);
        job->done(job->result);
    } else if (job->refusal) {
        reported(job, tl::unexpected(*job->refusal));
    } else {
        look(job);
    }
}

void DiscoveryRunner::look(const JobPtr &job)
{
    const quint64 number = job->number;
    if (!m_thread.isRunning())
        m_thread.start();
    QTimer::singleShot(m_limitMs, this, [this, number] {
        ended(number, base::failure(ErrorCode::Timeout, QStringLiteral("discovery timed out"),
                                    QStringLiteral("Run lockkeeperctl discover on the agent's machine")));
    });
    // This object outlives the thread: its destructor waits for it.
    const auto tell = [this, number](const base::Result<Discovery> &found) {
        QMetaObject::invokeMethod(
            this, [this, number, found] { ended(number, found); }, Qt::QueuedConnection);
    };
    QMetaObject::invokeMethod(m_inside, [inside = m_inside, job, tell, make = m_makeDiscoverer] {
        auto made = make(job->spec);
        job->spec.password.clear();
        if (!made) {
            tell(tl::unexpected(made.error()));
            return;
        }
        Discoverer *look = made->release();
        look->setParent(inside);
        job->look = look;
        connect(look, &Discoverer::found, inside, [tell](const Discovery &found) { tell(found); });
        connect(look, &Discoverer::failed, inside,
                [tell](const base::Error &error) { tell(tl::unexpected(error)); });
        look->start();
    });
    job->onTakenBack.emplace(job->takenBack, [this, number] {
        // Do it later: this may run within a session's destructor.
        QMetaObject::invokeMethod(
            this,
            [this, number] {
                ended(number, base::failure(ErrorCode::Cancelled, QStringLiteral("discovery was cancelled")));
            },
            Qt::QueuedConnection);
    });
}

void DiscoveryRunner::ended(quint64 number, const base::Result<Discovery> &found)
{
    const JobPtr job = m_jobs.take(number);
    if (!job)
        return;
    job->onTakenBack.reset();
    QMetaObject::invokeMethod(m_inside, [job] {
        if (Discoverer *look = std::exchange(job->look, nullptr)) {
            look->cancel();
            look->deleteLater();
        }
    });
    reported(job, found);
}

void DiscoveryRunner::reported(const JobPtr &job, const base::Result<Discovery> &found)
{
    Outcome outcome = Outcome::Discovered;
    QString told;
    if (found) {
        job->result.discovery = fitting(*found);
        told = QStringLiteral("%1 looked at, %2 proposed").arg(found->tables).arg(found->found.size());
    } else {
        const base::Error &error = job->result.error = found.error();
        outcome =
            release::outcomeOf(error, error.code == ErrorCode::Cancelled || error.code == ErrorCode::Timeout);
        told = error.line();
    }
    m_audit.writeOutcome(job->result.auditId, outcome, told,
                         [job](const base::Result<void> &) { job->done(job->result); });
}

} // namespace lockkeeper::agent::requests
