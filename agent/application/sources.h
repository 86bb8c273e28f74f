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
 * The configured sources. Each is observed by a SourceRunner, or stands by as a StandbySource while another
 * agent observes it, which the election decides where there is one. Lives in the main thread.
 */
class Sources final : public QObject, public commands::SourceDirectory
{
    Q_OBJECT

public:
    using StoreFactory =
        std::function<base::Result<std::unique_ptr<stores::Store>>(const stores::SourceSpec &)>;

    Sources(journal::Journal &journal, const base::Clock &clock, StoreFactory makeStore,
            QObject *parent = nullptr);
    ~Sources() override;

    /** Begins to observe, or to stand by, with what the journal knows. `publisher` outlives this. */
    base::Result<void> begin(const config::Config &config, const journal::Opened &opened,
                             server::Publisher &publisher);
    /** Takes another list of sources over. True where the table changed in a way that no event tells. */
    bool apply(const QList<stores::SourceSpec> &wanted);
    /** Ends every connection, and gives the election's lock back; `done` comes once. */
    void end(std::function<void()> done);
    /** Forgets them: whatever waits for one of them is answered. */
    void clear();

    QList<commands::SourcePort *> sources() const override;
    commands::SourcePort *source(const QString &name) const override;
    /** Those that are observed, by name. */
    const std::map<QString, std::unique_ptr<SourceRunner>> &runners() const { return m_runners; }
    QList<journal::Progress> progress() const;
    /** Keeps, for the next start, which lock sets the last whole scans were of, and where the servers stood.
     */
    void noteSeen();
    /** Empty: this agent is the only one. */
    std::optional<domain::ElectionState> election() const;
    /** Why a standby doesn't do what it was asked for; empty: this agent is active. */
    std::optional<base::Error> standbyError() const;

private:
    base::Result<void> beginElection(const config::Config &config, const journal::Opened &opened);
    base::Result<void> observe(const stores::SourceSpec &spec, const engine::Restored &restored);
    void standBy(const stores::SourceSpec &spec, engine::Restored restored, const domain::SourceState &last);
    /** Observes what stood by until now. */
    void becomeActive(std::optional<quint64> fencing);
    void becomeStandby();
    void applyStandbys(const QList<stores::SourceSpec> &wanted);
    /** The source isn't configured any more: a gap, also in `known`, from its last observation on. */
    void openGap(const QString &name, const QByteArray &store, engine::Restored &known);
    void setPaused(bool paused);

    journal::Journal &m_journal;
    const base::Clock &m_clock;
    StoreFactory m_makeStore;
    server::Publisher *m_publisher = nullptr;                   ///< from begin() on
    std::unique_ptr<election::Election> m_election;             ///< null: this agent is the only one
    QByteArray m_epoch;                                         ///< see journal::Opened
    std::map<QString, std::unique_ptr<SourceRunner>> m_runners; ///< by name
    /** Those that another agent observes. A source is in one of the two. */
    std::map<QString, std::unique_ptr<election::StandbySource>> m_standbys;
    /** What is known of those that apply() took out, for when they come back. */
    std::map<QString, engine::Restored> m_left;
    struct Noted
    {
        QByteArrayList sets;
        QByteArray server;
    };
    std::map<QString, Noted> m_noted; ///< see noteSeen()
};

/** True where a runner of `before` can go on under `after`: the same store, sets and connection, other
 * figures. */
bool canReconfigure(const stores::SourceSpec &before, const stores::SourceSpec &after);

} // namespace lockkeeper::agent::application
