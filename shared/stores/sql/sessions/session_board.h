// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sessions/session_source.h"

#include <QElapsedTimer>

namespace lockkeeper::stores::sql {

/**
 * The state that a source's session sets share: one reading of the server for a scan, whatever the number of
 * sets, and the memory from one reading to the next. Used in the thread of its connection.
 */
class SessionBoard
{
public:
    /** Finds the tables of the sets and checks rights and instruments; an error has the statement to run.
     * `only`: for this set alone, not for all. */
    static base::Result<std::shared_ptr<SessionBoard>> open(SqlConnection &connection, const SourceSpec &spec,
                                                            const ServerFacts &facts,
                                                            std::optional<quint16> only = {});

    const SessionRights &rights() const { return m_rights; }
    QByteArray database() const { return m_database; }
    QByteArray advisoryPlace() const { return m_wants.advisoryPlace; }
    /** The first of the sets that share this board: it reads for a scan, and has the graph. */
    quint16 firstSet() const { return m_firstSet; }

    /** An advisory lock's name as the pictures have it; clients may write it in another way. */
    base::Result<QByteArray> shownName(const QByteArray &name) const;
    /** The name in the server's spelling. */
    base::Result<QByteArray> serverName(const QByteArray &name) const { return m_source->spelled(name); }
    /** An error where the server shows nothing of an advisory lock of this name. */
    base::Result<void> checkSeen(const QByteArray &shownName) const;
    bool ignoresCase() const { return m_source->ignoresCase(); }

    base::Result<void> read();
    /** Reads again, unless the server would only return the same reading. */
    base::Result<void> readIfOlder();
    const Picture &picture() const { return m_picture; }
    const PictureMemory &memory() const { return m_memory; }

private:
    SessionBoard(SqlConnection &connection, const ServerFacts &facts);
    base::Result<void> findTables(const SourceSpec &spec, std::optional<quint16> only);
    base::Result<void> findIndexes(const QString &table);
    base::Result<void> findNames(const SourceSpec &spec);

    SqlConnection &m_connection;
    ServerFacts m_facts;
    SessionWants m_wants;
    SessionRights m_rights;
    QHash<QByteArray, QByteArray> m_names; ///< as the configuration writes them, by the server's spelling
    QByteArray m_database;
    quint16 m_firstSet = 0;
    std::unique_ptr<SessionSource> m_source;
    Picture m_picture;
    PictureMemory m_memory;
    QElapsedTimer m_sinceRead;
};

} // namespace lockkeeper::stores::sql
