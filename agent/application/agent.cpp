// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/agent.h"

#include "agent/application/samples.h"
#include "agent/journal/query/queries.h"
#include "shared/base/text.h"

#include <QLoggingCategory>

#include <chrono>

namespace lockkeeper::agent::application {

Q_LOGGING_CATEGORY(lcAgent, "lockkeeper.application")

using namespace std::chrono_literals;

namespace {

constexpr auto kProgressEvery = 2s;
constexpr auto kApprovalStep = 1s;
constexpr auto kEndingStep = 10ms;
constexpr int kReaperStepMs = 500;
constexpr qint64 kEndingWithinUs = 2'000'000;

qint64 cyclesOf(const SourceRunner &runner)
{
    const auto graph = runner.waitGraph();
    return graph ? domain::chainsOf(*graph).cycles.size() : 0;
}

} // namespace

Agent::Agent(config::Config config, const base::Clock &clock, Sources::StoreFactory makeStore,
             forward::Forwarding::SinkMaker makeSink, QObject *parent)
    : QObject(parent),
      m_config(std::move(config)),
      m_clock(clock),
      m_makeStore(std::move(makeStore)),
      m_makeSink(std::move(makeSink)),
      m_authenticator(clock)
{
    connect(&m_certificate, &login::ServerCertificate::changed, this, [this] {
        if (m_server)
            m_server->setTls(m_certificate.configuration());
    });
    connect(&m_progress, &QTimer::timeout, this, &Agent::saveProgress);
    connect(&m_ending, &QTimer::timeout, this, &Agent::shutDownFurther);
}

Agent::~Agent()
{
    if (m_sources)
        m_sources->clear(); // answers pending calls while their callers still exist
    m_metrics.reset();
    m_server.reset();
    m_discoveries.reset(); // waits for its thread
    m_forwarding.reset();
    if (m_journal)
        m_journal->close();
}

journal::JournalOptions journalOptions(const config::Config &config)
{
    return {config.journalPath,     config.keepDays,
            config.keepMib,         config.journalQueueBytes,
            config.keepRollupsDays, QStringLiteral("/dev/log"),
            config.auditKey,        forward::unforwardedAtStart(config.forwards)};
}

base::Result<void> Agent::start()
{
    m_startedWallUs = m_clock.wallUs();
    m_policy = access::policyOfThisProcess(m_config.access);
    if (const auto held = m_dataDir.hold(m_config.dataDir); !held)
        return held;
    m_journal = std::make_unique<journal::Journal>(m_clock);
    const auto opened = m_journal->open(journalOptions(m_config));
    if (!opened)
        return tl::unexpected(opened.error());
    if (!opened->setAside.isEmpty())
        qCCritical(lcAgent).noquote() << "the journal was damaged; a new one was created, and the old one is"
                                      << base::singleLine(opened->setAside);
    if (opened->interruptedReleases > 0)
        qCWarning(lcAgent) << opened->interruptedReleases
                           << "releases were interrupted by a crash: outcome unknown";
    m_sources = std::make_unique<Sources>(*m_journal, m_clock, m_makeStore);
    m_publisher = std::make_unique<server::Publisher>(*m_journal, *m_sources);
    m_releaser = std::make_unique<release::Releaser>(*m_sources, *m_journal, m_clock);
    const auto grantsOf = [this](const access::Identity &identity) {
        return m_authenticator.mayStand(identity) ? m_policy.grantsOf(identity) : domain::Grants();
    };
    m_releaser->setGrantsOf(grantsOf);
    m_releaser->setWasSeen(
        [this](const domain::LockKey &key, const std::function<void(const base::Result<bool> &)> &done) {
            m_journal->ask([key](journal::Queries &queries) { return queries.wasSeen(key); }, done);
        });
    connect(m_publisher.get(), &server::Publisher::published, m_releaser.get(),
            [this](const server::BatchPtr &batch) { m_releaser->take(batch->events()); });
    m_prober = std::make_unique<requests::Prober>(*m_sources, *m_journal, m_clock, m_releaser->refusals());
    m_discoveries = std::make_unique<requests::DiscoveryRunner>(*m_journal, m_clock, m_releaser->refusals());
    m_reaper = std::make_unique<release::Reaper>(*m_sources, *m_releaser, m_clock);
    m_reaper->start(kReaperStepMs);
    m_approvals = std::make_unique<release::Approvals>(*m_releaser, *m_journal, m_clock, grantsOf);
    connect(m_publisher.get(), &server::Publisher::published, m_approvals.get(),
            [this](const server::BatchPtr &batch) { m_approvals->take(batch->events()); });
    connect(&m_authenticator, &login::Authenticator::changed, m_approvals.get(),
            &release::Approvals::policyChanged);
    connect(&m_approvalClock, &QTimer::timeout, m_approvals.get(), &release::Approvals::step);
    m_approvalClock.start(kApprovalStep);
    openLiveness();
    if (const auto ready = openAlerts(); !ready)
        return ready;
    m_logins = std::make_unique<server::LoginRecords>(*m_journal, m_clock);
    m_dispatcher = std::make_unique<requests::Dispatcher>(
        *m_sources, *m_journal, *m_releaser, *m_prober, *m_approvals, *m_alerts, *m_liveness, *m_discoveries,
        [this](std::function<void()> done) { m_publisher->whenPublished(std::move(done)); },
        [this] { return status(); }, [this] { return m_sources->standbyError(); });
    m_server = std::make_unique<server::Server>(server::Services{
        *m_publisher, *m_journal, *m_dispatcher, m_authenticator, m_policy, *m_logins, m_config.name});
    if (const auto ready = serveTls(m_config); !ready)
        return ready;
    if (const auto listening = m_server->listen(m_config.listen, m_config.dataDir); !listening)
        return listening;
    if (const auto serving = serveMetrics(m_config.metrics); !serving)
        return serving;
    if (const auto begun = m_sources->begin(m_config, *opened, *m_publisher); !begun)
        return begun;
    openForwarding();
    m_progress.start(kProgressEvery);
    qCInfo(lcAgent).noquote() << "agent" << base::singleLine(m_config.name) << LOCKKEEPER_VERSION
                              << (m_config.election ? "stands by for" : "observes") << m_config.sources.size()
                              << "sources; journal at event" << m_journal->lastSeq();
    return {};
}

base::Result<void> Agent::openAlerts()
{
    m_alerts = std::make_unique<requests::AlertCenter>(
        requests::AlertCenter::AlertContext{*m_sources, m_clock, [this] { return alertHealth(); },
                                            [this] { return m_sources->standbyError().has_value(); },
                                            [this](const domain::LockKey &key, const QByteArray &guard) {
                                                return m_liveness->knowledge(key, guard);
                                            }});
    const auto cursor = m_alerts->open(m_config);
    if (!cursor)
        return tl::unexpected(cursor.error());
    connect(m_publisher.get(), &server::Publisher::published, m_alerts.get(),
            [this](const server::BatchPtr &batch) { m_alerts->take(batch->events()); });
    connect(m_publisher.get(), &server::Publisher::statesChanged, m_alerts.get(),
            [this](const server::StatesPtr &states) { m_alerts->show(states->locks, states->removed); });
    connect(m_publisher.get(), &server::Publisher::restarted, m_alerts.get(),
            &requests::AlertCenter::showTables);
    startAlerts(cursor->value_or(m_journal->lastSeq()));
    return {};
}

void Agent::openLiveness()
{
    m_liveness = std::make_unique<requests::LivenessCenter>(*m_sources, m_clock);
    connect(m_publisher.get(), &server::Publisher::published, m_liveness.get(),
            [this](const server::BatchPtr &batch) { m_liveness->take(batch->events()); });
    connect(m_publisher.get(), &server::Publisher::statesChanged, m_liveness.get(),
            [this](const server::StatesPtr &states) { m_liveness->show(states->locks, states->removed); });
    connect(m_publisher.get(), &server::Publisher::restarted, m_liveness.get(),
            &requests::LivenessCenter::walkTables);
    const auto knowledge = [this](const domain::LockKey &key, const QByteArray &guard) {
        return m_liveness->knowledge(key, guard);
    };
    m_releaser->setHolderKnowledge(knowledge);
    m_reaper->setHolderKnowledge(knowledge);
    m_liveness->configure(m_config.liveness);
}

void Agent::openForwarding()
{
    const auto epoch = [this] {
        const auto election = m_sources->election();
        return election ? election->epoch.toLongLong() : 0;
    };
    m_forwarding = std::make_unique<forward::Forwarding>(forward::ForwardingSender{m_config.name, epoch},
                                                         m_makeSink, *m_journal, m_clock);
    m_forwarding->apply(m_config.forwards);
}

/** Lets the alerts begin after they took the events that the run before had journalled but not considered. */
void Agent::startAlerts(quint64 cursor)
{
    protocol::HistoryQuery missed;
    missed.kinds = {events::EventKind::ForceReleased, events::EventKind::TakenOver, events::EventKind::Lost};
    missed.afterSeq = cursor;
    missed.beforeSeq = m_journal->lastSeq() + 1;
    missed.limit = 1'000;
    m_journal->ask([missed](journal::Queries &queries) { return queries.events.history(missed); },
                   [this](const base::Result<protocol::EventPage> &page) {
                       if (m_endingSinceUs)
                           return;
                       if (page)
                           m_alerts->takePast(page->events);
                       else
                           qCWarning(lcAgent).noquote()
                               << "alerts of the time before the start may lack:" << page.error().line();
                       m_alerts->start();
                   });
}

alerts::AgentHealth Agent::alertHealth() const
{
    return {m_publisher->isFailing() ? m_journal->error() : m_journal->damage(), m_reloadFailed};
}

base::Result<void> Agent::serveTls(const config::Config &wanted)
{
    if (!config::servesTls(wanted))
        return {};
    // Check the certificate before applying the users: if either can't be read, neither is applied.
    if (const auto readable = login::serverConfiguration(wanted.tls); !readable)
        return tl::unexpected(readable.error());
    if (const auto read = m_authenticator.configure(wanted.tls); !read)
        return read;
    return m_certificate.configure(wanted.tls);
}

base::Result<void> Agent::serveMetrics(const QString &address)
{
    m_metrics.reset();
    if (address.isEmpty())
        return {};
    auto endpoint =
        std::make_unique<metrics::MetricsServer>([this] { return samples(); }, [this] { return health(); });
    const auto listening = endpoint->listen(address);
    if (listening) {
        m_metrics = std::move(endpoint);
        qCInfo(lcAgent).noquote() << "metrics on port" << m_metrics->port();
    }
    return listening;
}

protocol::Status Agent::status() const
{
    protocol::Status status;
    status.agent = m_config.name;
    status.version = QStringLiteral(LOCKKEEPER_VERSION);
    status.firstSeq = m_journal->firstSeq();
    status.lastSeq = m_publisher->lastSeq();
    status.startedWallUs = m_startedWallUs;
    status.wallUs = m_clock.wallUs();
    status.journalBytes = m_journal->bytes();
    status.diskFreeBytes = m_journal->diskFree();
    status.sessions = m_server->sessionCount();
    status.journalError = m_publisher->isFailing() ? m_journal->error() : m_journal->damage();
    for (const release::SourcePort *port : m_sources->sources())
        status.sources.append(port->state());
    status.election = m_sources->election();
    return status;
}

void Agent::reload()
{
    if (m_endingSinceUs)
        return; // a reload would listen again
    const config::Outcome read = config::read(m_config.file);
    m_reloadFailed = true; // until it is applied
    if (!read) {
        qCCritical(lcAgent) << "configuration not reloaded: it has errors";
        for (const config::Problem &problem : read.error())
            qCCritical(lcAgent).noquote() << problem.text();
        return;
    }
    apply(*read);
}

void Agent::apply(const config::Config &wanted)
{
    config::Config next = wanted;
    if (next.name != m_config.name || next.dataDir != m_config.dataDir ||
        next.journalPath != m_config.journalPath || next.auditKey != m_config.auditKey) {
        qCWarning(lcAgent)
            << "not applied before a restart: name, data_dir, the journal's url and its audit_key";
        if (next.dataDir != m_config.dataDir)
            next.tls = m_config.tls; // the new paths refer to the new data_dir
        next.name = m_config.name;
        next.dataDir = m_config.dataDir;
        next.journalPath = m_config.journalPath;
        next.auditKey = m_config.auditKey;
    }
    if (next.election != m_config.election) {
        qCWarning(lcAgent) << "not applied before a restart: the election";
        next.election = m_config.election;
    }
    if (const auto ready = serveTls(next); !ready) {
        qCCritical(lcAgent).noquote() << "configuration not reloaded:" << ready.error().line();
        return;
    }
    m_journal->setRetention(next.keepDays, next.keepMib, next.keepRollupsDays);
    m_policy = access::policyOfThisProcess(next.access);
    m_server->policyChanged();
    m_approvals->policyChanged();
    const QStringList kept = applyListeners(next);
    if (m_sources->apply(next.sources))
        m_publisher->restartAll();
    m_alerts->configure(next);
    if (next.liveness != m_config.liveness)
        m_liveness->configure(next.liveness);
    m_forwarding->apply(next.forwards);
    m_config = next;
    m_reloadFailed = !kept.isEmpty();
    qCInfo(lcAgent) << "configuration reloaded:" << next.sources.size() << "sources";
    if (!kept.isEmpty())
        qCWarning(lcAgent).noquote() << "not applied:" << kept.join(QLatin1String(" and "));
}

QStringList Agent::applyListeners(config::Config &next)
{
    QStringList kept;
    if (const auto listening = m_server->listen(next.listen, next.dataDir); !listening) {
        qCCritical(lcAgent).noquote() << "the listeners stay as they were:" << listening.error().line();
        next.listen = m_config.listen;
        kept.append(QStringLiteral("listen"));
    }
    if (next.metrics == m_config.metrics && (m_metrics || next.metrics.isEmpty()))
        return kept;
    if (const auto serving = serveMetrics(next.metrics); !serving) {
        qCCritical(lcAgent).noquote() << "the metrics stay as they were:" << serving.error().line();
        next.metrics = m_config.metrics;
        kept.append(QStringLiteral("metrics"));
        if (const auto back = serveMetrics(next.metrics); !back)
            qCCritical(lcAgent).noquote() << back.error().line();
    }
    return kept;
}

QList<metrics::MetricSample> Agent::samples() const
{
    Figures figures;
    const auto reaped = m_reaper->totals();
    for (const auto &item : m_sources->runners()) {
        const SourceRunner &runner = *item.second;
        figures.sources.append({runner.state(), runner.locksByScheme(), runner.eventCount(),
                                runner.missedPushes(), runner.unreadPushes(), runner.tableBytes(),
                                m_clock.wallUs(), reaped.value(item.first), runner.ages(), cyclesOf(runner)});
    }
    figures.lastSeq = m_publisher->lastSeq();
    figures.journalBytes = m_journal->bytes();
    figures.queuedEvents = m_journal->queuedEvents();
    figures.journalFailing = m_publisher->isFailing();
    figures.reloadFailed = m_reloadFailed;
    figures.sessions = m_server->sessionCount();
    figures.sessionBytes = m_server->waitingBytes();
    figures.releases = m_releaser->totals();
    figures.election = m_sources->election();
    if (m_config.election)
        figures.electionName = m_config.election->lock;
    figures.alerts = m_alerts->totals();
    if (m_forwarding)
        figures.forwards = m_forwarding->states();
    return samplesOf(figures);
}

metrics::HealthReport Agent::health() const
{
    metrics::HealthReport health;
    const auto trouble = [&health](const QString &line) {
        health.text += (health.ok ? "" : "\n") + line.toUtf8();
        health.ok = false;
    };
    if (m_publisher->isFailing())
        trouble(QStringLiteral("journal: ") + m_journal->error().line());
    for (const auto &item : m_sources->runners()) {
        const domain::SourceState state = item.second->state();
        const bool isBlind = state.gapSinceUs && state.error != base::Error(); // its scans fail
        if (state.link != domain::Link::Up || isBlind)
            trouble(QStringLiteral("source %1: %2").arg(base::singleLine(state.name), state.error.line()));
    }
    const std::optional<domain::ElectionState> election = m_sources->election();
    const std::optional<base::Error> standby = m_sources->standbyError();
    if (standby && election->error != base::Error())
        trouble(QStringLiteral("election: ") + standby->line());
    if (health.ok)
        health.text = !election ? "ok" : standby ? "ok: " + standby->cause.toUtf8() : "ok: active";
    return health;
}

void Agent::saveProgress()
{
    m_sources->noteSeen();
    const QList<journal::Progress> progress = m_sources->progress();
    if (!progress.isEmpty())
        m_publisher->append({}, progress);
}

void Agent::shutDown()
{
    if (m_endingSinceUs || !m_server)
        return;
    qCInfo(lcAgent) << "ending";
    m_progress.stop();
    m_reaper->stop();
    m_alerts->close();
    m_liveness->stop();
    m_releaser->refusals().sumUp();
    m_logins->sumUp();
    m_server->shutDown();
    m_endingSinceUs = m_clock.monotonicUs();
    m_ending.start(kEndingStep);
}

void Agent::shutDownFurther()
{
    const bool quiet = m_server->sessionCount() == 0 && m_releaser->pending() == 0 &&
                       m_discoveries->pending() == 0 && m_journal->pendingAudits() == 0;
    if (!quiet && m_clock.monotonicUs() - *m_endingSinceUs < kEndingWithinUs)
        return;
    m_ending.stop();
    saveProgress();
    m_sources->end([this] { finish(); });
}

void Agent::finish()
{
    m_metrics.reset();
    m_forwarding.reset();
    m_journal->close();
    qCInfo(lcAgent) << "ended";
    Q_EMIT finished();
}

} // namespace lockkeeper::agent::application
