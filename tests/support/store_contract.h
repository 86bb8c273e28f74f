// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/store_harness.h"

#include <functional>

namespace lockkeeper::tests {

/** A private server that a test disturbs. */
struct ServerSwitch
{
    /** Any of the server classes of this folder. */
    template <class Server> static ServerSwitch of(Server &server)
    {
        return {[&server] { server.kill(); }, [&server] { return server.restart(); },
                [&server] { server.pause(); }, [&server] { server.resume(); }};
    }

    std::function<void()> kill;
    std::function<bool()> restart;
    std::function<void()> pause;
    std::function<void()> resume;
};

/**
 * The promises that every store keeps. The test class of a store inherits these tests, and brings its
 * server and a client of one lock in init().
 */
class StoreContract : public QObject
{
    Q_OBJECT

protected:
    /** The source with the lock set that shows the lock. */
    virtual stores::SourceSpec source() const = 0;
    virtual QByteArray lockName() const = 0;
    /** Acquires the free lock as a client does. The lock survives the end of that client and a restart. */
    virtual bool acquire(const QByteArray &holder) = 0;
    /** Removes or frees the lock as its holder does. */
    virtual bool giveBack() = 0;
    /** Asks the server without the store. */
    virtual bool isAcquired() = 0;
    virtual ServerSwitch server() = 0;
    /** The address of the same store where nobody listens. */
    virtual QUrl nobody() const = 0;
    /** The answer to a guard of another server, and to an identity that isn't of this store. */
    virtual domain::Outcome answerToAnotherServer() const { return domain::Outcome::Refused; }
    virtual domain::Outcome answerToAnotherIdentity() const { return domain::Outcome::Refused; }
    /** How the store's client reports a server that answers nothing. */
    virtual base::ErrorCode silence() const { return base::ErrorCode::Timeout; }
    /** A restart voids all guards, as the server may have lost what the guards saw. */
    virtual bool voidsGuardsOnRestart() const { return false; }

private Q_SLOTS:
    void pointsShowWhatAScanShows();
    void aDryRunWritesNothing();
    void aBreakFreesWhatWasSeen();
    void anotherAcquisitionIsLeft();
    void foreignGuardsAreRefused();
    void neverBreaksWhereItIsTold();
    void killedAndStartedAgain();
    void aFrozenServerIsNoticed();
    void nobodyListens();

private:
    std::unique_ptr<StoreHarness> opened(const stores::SourceSpec &source) const;
    /** The store, open, with the lock acquired by "h1". */
    std::unique_ptr<StoreHarness> watching();
};

} // namespace lockkeeper::tests
