// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/source_state.h"
#include "shared/stores/mongodb/connection/bson.h"
#include "shared/stores/mongodb/reading/layout.h"

namespace lockkeeper::stores::mongodb {

/** What the logged-in user may do in one database, and the statements for mongosh that grant the rest. */
class MongoRights
{
public:
    /** `status`: the answer to connectionStatus with showPrivileges, alive as long as this; null: none. */
    MongoRights(const bson_t *status, QByteArray database);

    bool mayBreak(const Layout &layout) const;

    domain::Access toObserve(bool granted) const;
    /** `unbreakable`: those of which mayBreak() says no. */
    domain::Access toBreak(const QList<Layout> &unbreakable) const;
    /** To follow the database's change stream. */
    domain::Access toFollow() const;

private:
    bool grants(const QByteArray &collection, const char *action) const;
    QString grantRole(const QByteArray &role) const;
    bool hasRole(const QByteArray &role) const;

    const bson_t *m_status;
    QByteArray m_database;
    bool m_isOpen = false; ///< nobody is logged in: there is no access control, or nothing may be read
    QByteArray m_user;
    QByteArray m_userDatabase;
};

} // namespace lockkeeper::stores::mongodb
