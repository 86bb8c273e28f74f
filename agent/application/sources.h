// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/application/source_runner.h"
#include "agent/config/config.h"
#include "agent/election/election.h"
#include "agent/election/standby_source.h"
#include "agent/journal/storage/records.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>

namespace lockkeeper::agent::application {

/**
 * The configured sources. Each is observed by a SourceRunner, or is a StandbySource while another agent
 * observes it. The election decides, if there is one. Lives in the main thread.
 */
class Sources final : public QObject, public release::SourceDirectory
{
    Q_OBJECT

public:
    using StoreFactory =
        std::function<base::Result<std::unique_ptr<stores::Store>>(const stores::SourceSpec &)>;

    Sources(journal::Journal &journal, const base::Clock &clock, StoreFactory makeStore,
            QObject *parent = nullptr);
    ~Sources() override;

    /** Begins to observe, or to stand by, with the journal's knowledge. `publisher` must outlive this. */
    base::Result<void> begin(const config::Config &config, const journal::Opened &opened,
                             server::Publisher &publisher);
    /** Applies another list of sources. Returns true if the table changed without an event. */
    bool apply(const QList<stores::SourceSpec> &wanted);
    /** Ends every connection, and releases the election's lock. Calls `done` once. */
    void end(std::function<void()> done);
    /** Destroys the sources, and answers every call that waits for one of them. */
    void clear();

    QList<release::SourcePort *> sources() const override;
    release::SourcePort *source(const QString &name) const override;
    /** The observed sources, by name. */
    const std::map<QString, std::unique_ptr<SourceRunner>> &runners() const { return m_runners; }
    QList<journal::Progress> progress() const;
    /** Notes in the journal, for the next start, which lock sets the last whole scans read, and the servers'
     * positions. */
    void noteSeen();
    /** Empty: this agent takes part in no election. */
    std::optional<domain::ElectionState> election() const;
    /** Why a standby agent refuses a request; empty: this agent is active. */
    std::optional<base::Error> standbyError() const;

private:
    base::Result<void> beginElection(const config::Config &config, const journal::Opened &opened);
    base::Result<void> observe(const stores::SourceSpec &spec, const engine::Restored &restored);
    void standBy(const stores::SourceSpec &spec, engine::Restored restored, const domain::SourceState &last);
    /** Starts to observe the standby sources. */
    void becomeActive(std::optional<quint64> fencing);
    void becomeStandby();
    void applyStandbys(const QList<stores::SourceSpec> &wanted);
    /** Opens a gap from the last observation of a source that is no longer configured, also in `known`. */
    void openGap(const QString &name, const QByteArray &store, engine::Restored &known);
    void setPaused(bool paused);

    journal::Journal &m_journal;
    const base::Clock &m_clock;
    StoreFactory m_makeStore;
    server::Publisher *m_publisher = nullptr;                   ///< set by begin()
    std::unique_ptr<election::Election> m_election;             ///< null: no election
    QByteArray m_epoch;                                         ///< see journal::Opened
    std::map<QString, std::unique_ptr<SourceRunner>> m_runners; ///< by name
    /** The sources that another agent observes. Each source is either in m_runners or here. */
    std::map<QString, std::unique_ptr<election::StandbySource>> m_standbys;
    /** The state of the sources that apply() removed, for their return. */
    std::map<QString, engine::Restored> m_left;
    struct Noted
    {
        QByteArrayList sets;
        QByteArray server;
    };
    std::map<QString, Noted> m_noted; ///< see noteSeen()
};

/** True if a runner of `before` can continue under `after`: the store, sets and connection are the same, only
 * figures differ. */
bool canReconfigure(const stores::SourceSpec &before, const stores::SourceSpec &after);

} // namespace lockkeeper::agent::application
