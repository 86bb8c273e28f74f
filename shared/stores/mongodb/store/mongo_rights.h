// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/source_state.h"
#include "shared/stores/mongodb/connection/bson.h"
#include "shared/stores/mongodb/reading/layout.h"

namespace lockkeeper::stores::mongodb {

/** The logged-in user's rights in one database, and the mongosh statements that grant the missing rights. */
class MongoRights
{
public:
    /** `status`: the answer to connectionStatus with showPrivileges, alive as long as this; null: none. */
    MongoRights(const bson_t *status, QByteArray database);

    bool mayBreak(const Layout &layout) const;

    domain::Access toObserve(bool granted) const;
    /** `unbreakable`: the layouts for which mayBreak() is false. */
    domain::Access toBreak(const QList<Layout> &unbreakable) const;
    /** To follow the database's change stream. */
    domain::Access toFollow() const;

private:
    bool grants(const QByteArray &collection, const char *action) const;
    QString grantRole(const QByteArray &role) const;
    bool hasRole(const QByteArray &role) const;

    const bson_t *m_status;
    QByteArray m_database;
    bool m_isOpen = false; ///< not logged in: access control is off, or nothing may be read
    QByteArray m_user;
    QByteArray m_userDatabase;
};

} // namespace lockkeeper::stores::mongodb
