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
/** What `hello` tells of the server's clock, to the millisecond that has begun. */
base::Result<qint64> timeIn(const Bson &hello);

/** A connection to MongoDB's primary, of one thread. Every call blocks, for the source's time limits at most,
 * and for what the client was lent to. */
class Link
{
public:
    explicit Link(SourceSpec spec) : m_spec(std::move(spec)) {}

    base::Result<void> open();
    void close();
    bool isUp() const { return m_client && !m_lost; }
    /** What one command answers. */
    base::Result<Bson> ask(const char *database, const bson_t *command, const bson_t *options = nullptr);
    /** What `hello` answers. Ends the link where the server isn't the primary any more: it serves cursors as
     * before, and may not have what the new one has. */
    base::Result<Bson> hello();
    /** The primary's clock, to the millisecond that has begun. */
    base::Result<qint64> now();
    /** The driver's error as ours; one that ends the link is kept. */
    base::Error noted(const bson_error_t &error);
    /** Why nothing more can be asked; empty: it can. */
    const std::optional<base::Error> &lost() const { return m_lost; }

    const SourceSpec &spec() const { return m_spec; }
    /** The URL's database. */
    const QByteArray &database() const { return m_database; }
    mongoc_client_t *client() const
    {
        settle();
        return m_client.get();
    }
    /** Does `work` in a thread of its own, or where there is none left in settle(), which all others call; it
     * has the client alone until then. */
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
    Owned<mongoc_client_t> m_client; ///< stays until close(): others have cursors and sessions of it
    std::optional<base::Error> m_lost;
    mutable std::future<void> m_lent; ///< valid: somebody else may have the client
};

} // namespace lockkeeper::stores::mongodb
