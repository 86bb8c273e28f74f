// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/store/mongo_rights.h"

#include "shared/base/text.h"

#include <utility>

namespace lockkeeper::stores::mongodb {

using domain::Access;

namespace {

const QByteArray kBreakRole("lockkeeperBreak");

/** Whether `is` is true of an element of the array "authInfo.NAME". */
template <typename Is> bool anyOf(const bson_t *status, const char *name, Is is)
{
    bson_iter_t root;
    bson_iter_t found;
    bson_iter_t each;
    if (status == nullptr || !bson_iter_init(&root, status) ||
        !bson_iter_find_descendant(&root, (QByteArray("authInfo.") + name).constData(), &found) ||
        !bson_iter_recurse(&found, &each))
        return false;
    while (bson_iter_next(&each)) {
        if (BSON_ITER_HOLDS_DOCUMENT(&each) && is(documentOf(each).get()))
            return true;
    }
    return false;
}

std::optional<QByteArray> textAt(const bson_t *document, const char *path)
{
    bson_iter_t root;
    bson_iter_t found;
    return bson_iter_init(&root, document) && bson_iter_find_descendant(&root, path, &found) &&
                   BSON_ITER_HOLDS_UTF8(&found)
               ? std::optional(textOf(found))
               : std::nullopt;
}

/** Whether a privilege allows `action` on a collection; empty: on all of the database. */
bool allows(const bson_t *privilege, const QByteArray &database, const QByteArray &collection,
            const char *action)
{
    bson_iter_t root;
    bson_iter_t found;
    const bool any = bson_iter_init(&root, privilege) &&
                     bson_iter_find_descendant(&root, "resource.anyResource", &found) &&
                     bson_iter_as_bool(&found);
    const auto db = textAt(privilege, "resource.db");
    const auto name = textAt(privilege, "resource.collection");
    if (!any &&
        !(db && name && (db->isEmpty() || *db == database) && (name->isEmpty() || *name == collection)))
        return false;
    bson_iter_t each;
    if (!bson_iter_init_find(&root, privilege, "actions") || !bson_iter_recurse(&root, &each))
        return false;
    while (bson_iter_next(&each)) {
        if (BSON_ITER_HOLDS_UTF8(&each) && textOf(each) == action)
            return true;
    }
    return false;
}

/** In mongosh's syntax. */
QString quoted(const QByteArray &text)
{
    QString inside = base::displayText(text);
    inside.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('"'), QLatin1String("\\\""));
    return QLatin1Char('"') + inside + QLatin1Char('"');
}

QString in(const QByteArray &database)
{
    return QStringLiteral("db.getSiblingDB(%1)").arg(quoted(database));
}

QLatin1String actionOf(const Layout &layout)
{
    return layout.isUpdated() ? QLatin1String("update") : QLatin1String("remove");
}

} // namespace

MongoRights::MongoRights(const bson_t *status, QByteArray database)
    : m_status(status), m_database(std::move(database))
{
    m_isOpen = status != nullptr && !anyOf(status, "authenticatedUsers", [this](const bson_t *user) {
                   m_user = textAt(user, "user").value_or(QByteArray());
                   m_userDatabase = textAt(user, "db").value_or(QByteArray());
                   return true;
               });
}

bool MongoRights::grants(const QByteArray &collection, const char *action) const
{
    return m_isOpen || anyOf(m_status, "authenticatedUserPrivileges", [&](const bson_t *privilege) {
               return allows(privilege, m_database, collection, action);
           });
}

bool MongoRights::hasRole(const QByteArray &role) const
{
    return anyOf(m_status, "authenticatedUserRoles", [&](const bson_t *one) {
        return textAt(one, "role") == role && textAt(one, "db") == m_database;
    });
}

bool MongoRights::mayBreak(const Layout &layout) const
{
    return grants(layout.collection, actionOf(layout).data());
}

QString MongoRights::grantRole(const QByteArray &role) const
{
    if (m_user.isEmpty())
        return QStringLiteral("Name a user in the source's url.");
    return QStringLiteral("%1.grantRolesToUser(%2, [{role: %3, db: %4}])")
        .arg(in(m_userDatabase), quoted(m_user), quoted(role), quoted(m_database));
}

Access MongoRights::toObserve(bool granted) const
{
    return {"observe:mongodb.ttl", granted, false, granted ? QString() : grantRole("read")};
}

Access MongoRights::toBreak(const QList<Layout> &unbreakable) const
{
    if (unbreakable.isEmpty() || m_user.isEmpty())
        return {"break:mongodb.ttl", unbreakable.isEmpty(), true,
                unbreakable.isEmpty() ? QString() : grantRole(kBreakRole)};
    QStringList privileges;
    for (const Layout &layout : unbreakable)
        privileges.append(QStringLiteral("{resource: {db: %1, collection: %2}, actions: [\"%3\"]}")
                              .arg(quoted(m_database), quoted(layout.collection), actionOf(layout)));
    const QString list = privileges.join(QLatin1String(", "));
    const QString remedy = hasRole(kBreakRole)
                               ? QStringLiteral("%1.grantPrivilegesToRole(%2, [%3])")
                                     .arg(in(m_database), quoted(kBreakRole), list)
                               : QStringLiteral("%1.createRole({role: %2, privileges: [%3], roles: []}); %4")
                                     .arg(in(m_database), quoted(kBreakRole), list, grantRole(kBreakRole));
    return {"break:mongodb.ttl", false, true, remedy};
}

Access MongoRights::toFollow() const
{
    const bool granted = grants({}, "find") && grants({}, "changeStream");
    return {"push:changestream", granted, false, granted ? QString() : grantRole("read")};
}

} // namespace lockkeeper::stores::mongodb
