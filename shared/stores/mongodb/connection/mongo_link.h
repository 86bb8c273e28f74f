// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/connection/bson.h"
#include "shared/stores/mongodb/connection/driver.h"

#include <functional>
#include <future>

namespace lockkeeper::stores::mongodb {

/** {name: 1} */
Bson command(const char *name);
/** The server's clock in the answer to `hello`, rounded down to the millisecond. */
base::Result<qint64> timeIn(const Bson &hello);

/** A connection to MongoDB's primary that belongs to one thread. Every call blocks, at most for the source's
 * time limits and for the work that borrows the client. */
class MongoLink
{
public:
    explicit MongoLink(SourceSpec spec) : m_spec(std::move(spec)) {}

    base::Result<void> open();
    void close();
    bool isUp() const { return m_client && !m_lost; }
    /** Runs one command and returns its answer. */
    base::Result<Bson> ask(const char *database, const bson_t *command, const bson_t *options = nullptr);
    /** Runs `hello`. Ends the link where the server isn't the primary any more: such a server still serves
     * cursors, but may lack writes of the new primary. */
    base::Result<Bson> hello();
    /** The primary's clock, rounded down to the millisecond. */
    base::Result<qint64> now();
    /** Converts the driver's error to ours; keeps an error that ends the link. */
    base::Error noted(const bson_error_t &error);
    /** Why the link can't be used any more; empty: it can. */
    const std::optional<base::Error> &lost() const { return m_lost; }

    const SourceSpec &spec() const { return m_spec; }
    /** The URL's database. */
    const QByteArray &database() const { return m_database; }
    mongoc_client_t *client() const
    {
        settle();
        return m_client.get();
    }
    /** Runs `work` in a separate thread or, if no thread can be started, in settle(). All other users of the
     * client call settle() first; until then `work` has the client to itself. */
    void lend(std::function<void()> work)
    {
        settle();
        m_lent = std::async(std::launch::async | std::launch::deferred, std::move(work));
    }
    void settle() const
    {
        if (m_lent.valid())
            m_lent.get();
    }

private:
    SourceSpec m_spec;
    QByteArray m_database;
    Owned<mongoc_client_t> m_client; ///< stays until close(): its cursors and sessions are in use elsewhere
    std::optional<base::Error> m_lost;
    mutable std::future<void> m_lent; ///< valid: another thread may be using the client
};

} // namespace lockkeeper::stores::mongodb
