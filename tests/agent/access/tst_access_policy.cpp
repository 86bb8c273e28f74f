// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/access/access_policy.h"
#include "shared/domain/sight.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

namespace tst_access_policy {

using namespace lockkeeper;
using namespace lockkeeper::agent;
using access::AccessPolicy;
using access::Identity;
using domain::Permission;
using domain::Role;
using transport::SocketAudience;
using LoginWay = Identity::LoginWay;

/** The roles of users and groups, and the users that the socket admits because of them. */
class AccessPolicyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void grants_data();
    void grants();
    void grantsReachWhatTheyName_data();
    void grantsReachWhatTheyName();
    void sight_data();
    void sight();
    void audience_data();
    void audience();
    void foldersInTheWay();
};

namespace {

agent::config::AccessRule rule(const QStringList &users, const QStringList &groups, Role role)
{
    return {users, groups, {role, {}, {}}};
}

/** alice operates, the group lockops approves, bob and root may look. */
QList<agent::config::AccessRule> someRules()
{
    return {rule({QStringLiteral("alice")}, {}, Role::Operator),
            rule({}, {QStringLiteral("lockops")}, Role::Approver),
            rule({QStringLiteral("bob"), QStringLiteral("service")}, {}, Role::Viewer)};
}

} // namespace

void AccessPolicyTest::grants_data()
{
    QTest::addColumn<bool>("rules");
    QTest::addColumn<int>("way");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QStringList>("groups");
    QTest::addColumn<QString>("role"); // empty: may not come in
    const auto row = [](const char *name, bool rules, LoginWay way, const char *user, const char *group,
                        const char *role) {
        QTest::newRow(name) << rules << int(way) << QString::fromLatin1(user)
                            << QStringList(QString::fromLatin1(group)) << QString::fromLatin1(role);
    };
    row("the agent's own user", false, LoginWay::Local, "keeper", "", "admin");
    row("root", false, LoginWay::Local, "root", "", "admin");
    row("root of a users file", false, LoginWay::Password, "root", "", "viewer");
    row("the own user's name in a certificate", false, LoginWay::Certificate, "keeper", "", "viewer");
    row("a local user without an entry", false, LoginWay::Local, "mallory", "", "");
    row("nobody knows who", false, LoginWay::Local, "", "", "");
    row("a certificate without a name", false, LoginWay::Certificate, "", "", "");
    row("the own user beside entries", true, LoginWay::Local, "keeper", "", "admin");
    row("named", true, LoginWay::Local, "alice", "", "operator");
    row("named, by a certificate", true, LoginWay::Certificate, "alice", "", "operator");
    row("named, by a password", true, LoginWay::Password, "alice", "", "operator");
    row("of a named group", true, LoginWay::Local, "carol", "lockops", "approver");
    row("of another group", true, LoginWay::Local, "carol", "lockop", "");
    row("a group's name over TLS", true, LoginWay::Password, "carol", "lockops", "viewer");
    row("named and of a group: the higher", true, LoginWay::Local, "alice", "lockops", "approver");
    row("a local user whom no entry names", true, LoginWay::Local, "mallory", "", "");
    row("a TLS user whom no entry names", true, LoginWay::Password, "mallory", "", "viewer");
    row("the user as a part of a name", true, LoginWay::Local, "alic", "", "");
    row("another case", true, LoginWay::Local, "Alice", "", "");
    row("another case, by a password", true, LoginWay::Password, "Bob", "", "");
}

void AccessPolicyTest::grants()
{
    QFETCH(bool, rules);
    QFETCH(int, way);
    QFETCH(QString, user);
    QFETCH(QStringList, groups);
    QFETCH(QString, role);
    const AccessPolicy policy(rules ? someRules() : QList<agent::config::AccessRule>(),
                              QStringLiteral("keeper"));
    const domain::Grants got = policy.grantsOf({LoginWay(way), user, groups});
    QCOMPARE(got.list.isEmpty() ? QString() : domain::roleName(got.role()), role);
    // An entry that names the owner replaces the owner's default grants.
    const AccessPolicy narrowed({rule({QStringLiteral("keeper")}, {}, Role::Viewer)},
                                QStringLiteral("keeper"));
    QCOMPARE(narrowed.grantsOf({LoginWay::Local, QStringLiteral("keeper"), {}}).role(), Role::Viewer);
}

void AccessPolicyTest::grantsReachWhatTheyName_data()
{
    QTest::addColumn<int>("permission");
    QTest::addColumn<QString>("source");
    QTest::addColumn<QByteArray>("lock");
    QTest::addColumn<bool>("may");
    const auto row = [](const char *name, Permission permission, const char *source, const char *lock,
                        bool may) {
        QTest::newRow(name) << int(permission) << QString::fromLatin1(source) << QByteArray(lock) << may;
    };
    row("release as told", Permission::Release, "orders-1", "order:7", true);
    row("another lock", Permission::Release, "orders-1", "user:7", false);
    row("another source", Permission::Release, "users", "order:7", false);
    row("an approver releases too", Permission::Release, "billing", "order:7", true);
    row("approve is of another entry", Permission::Approve, "orders-1", "order:7", false);
    row("approve there", Permission::Approve, "billing", "order:7", true);
    row("looking isn't narrowed", Permission::Observe, "billing", "x", true);
    row("administer", Permission::Administer, "billing", "order:7", false);
}

void AccessPolicyTest::grantsReachWhatTheyName()
{
    QFETCH(int, permission);
    QFETCH(QString, source);
    QFETCH(QByteArray, lock);
    QFETCH(bool, may);
    const domain::Grants grants{{{Role::Operator, {QStringLiteral("orders-*")}, {"order:*"}},
                                 {Role::Approver, {QStringLiteral("billing")}, {"order:*"}},
                                 {Role::Viewer, {}, {}}}};
    QCOMPARE(grants.may(Permission(permission), source, lock), may);
    QCOMPARE(grants.role(), Role::Approver);
    QCOMPARE(grants.roleAt(QStringLiteral("orders-1"), "order:7"), Role::Operator);
    QCOMPARE(grants.roleAt(QStringLiteral("orders-1"), "user:7"), Role::Viewer);
    // Some of its locks aren't the source.
    QVERIFY(!grants.mayOnAll(Permission::Probe, QStringLiteral("orders-1")));
    QVERIFY(domain::grantsFor(Role::Operator).mayOnAll(Permission::Probe, QStringLiteral("orders-1")));
    // Grants on every source by name don't amount to a grant on everything.
    const domain::Grants some{{{Role::Admin, {QStringLiteral("*")}, {}}, {Role::Admin, {}, {"*"}}}};
    QVERIFY(!some.mayEverywhere(Permission::Administer));
    QVERIFY(domain::grantsFor(Role::Admin).mayEverywhere(Permission::Administer));
    QVERIFY(!domain::grantsFor(Role::Approver).mayEverywhere(Permission::Administer));
}

void AccessPolicyTest::sight_data()
{
    QTest::addColumn<domain::Grants>("grants");
    QTest::addColumn<bool>("everywhere");
    QTest::addColumn<QString>("seen"); // of r1/o:1 r1/p:1 r2/o:1 r2/p:1, and r1, r2 as a whole
    const QStringList one{QStringLiteral("r1")};
    const QList<QByteArray> orders{"o:*"};
    const auto row = [](const char *name, const QList<domain::Grant> &list, bool everywhere,
                        const char *seen) {
        QTest::newRow(name) << domain::Grants{list} << everywhere << QString::fromLatin1(seen);
    };
    row("a viewer", {{Role::Viewer, {}, {}}}, true, "111111");
    row("a viewer of a source", {{Role::Viewer, one, {}}}, false, "110010");
    row("of some locks", {{Role::Viewer, {}, orders}}, false, "101000");
    row("of some locks of a source", {{Role::Viewer, one, orders}}, false, "100000");
    row("an operator of some looks at all", {{Role::Operator, one, orders}}, true, "111111");
    row("an admin of a source", {{Role::Admin, one, {}}}, true, "111111");
    row("two of part add up", {{Role::Viewer, one, {}}, {Role::Viewer, {}, orders}}, false, "111010");
    row("what one may act on is seen", {{Role::Viewer, one, orders}, {Role::Operator, {}, {"p:*"}}}, false,
        "110100");
    row("a wide role beside a narrow one", {{Role::Viewer, one, orders}, {Role::Operator, {}, {}}}, true,
        "111111");
}

void AccessPolicyTest::sight()
{
    QFETCH(domain::Grants, grants);
    QFETCH(QString, seen);
    QTEST(grants.looksEverywhere(), "everywhere");
    const domain::Sight sight = grants.looksEverywhere() ? domain::Sight() : domain::Sight(grants, {});
    QString got;
    for (const char *source : {"r1", "r2"}) {
        for (const char *name : {"o:1", "p:1"})
            got += QString::number(sight.sees({QLatin1String(source), "redis.token", "db0", name}));
    }
    for (const char *source : {"r1", "r2"})
        got += QString::number(sight.seesAllOf(QLatin1String(source)));
    QCOMPARE(got, seen);
    // A source none of whose locks can be seen isn't listed; in doubt it is.
    const domain::Grants some{{{Role::Viewer, {}, {"order:*"}}}};
    const QString any = QStringLiteral("r1");
    QVERIFY(some.mayLookAtSome(any, {"*"}));
    QVERIFY(some.mayLookAtSome(any, {"ord*"}));
    QVERIFY(some.mayLookAtSome(any, {"pay:*", "order:1?"}));
    QVERIFY(!some.mayLookAtSome(any, {"pay:*", "orders"}));
    QVERIFY(!some.mayLookAtSome(any, {}));
}

void AccessPolicyTest::audience_data()
{
    QTest::addColumn<QStringList>("users");
    QTest::addColumn<QStringList>("groups");
    QTest::addColumn<int>("who");
    QTest::newRow("nobody else") << QStringList() << QStringList() << int(SocketAudience::Who::Owner);
    QTest::newRow("the owner named") << QStringList{QStringLiteral("keeper"), QStringLiteral("root")}
                                     << QStringList() << int(SocketAudience::Who::Owner);
    QTest::newRow("one group") << QStringList() << QStringList{QStringLiteral("ops")}
                               << int(SocketAudience::Who::Group);
    QTest::newRow("one group twice") << QStringList{QStringLiteral("keeper")}
                                     << QStringList{QStringLiteral("ops"), QStringLiteral("ops")}
                                     << int(SocketAudience::Who::Group);
    QTest::newRow("two groups") << QStringList() << QStringList{QStringLiteral("ops"), QStringLiteral("dev")}
                                << int(SocketAudience::Who::Everyone);
    QTest::newRow("a user") << QStringList{QStringLiteral("alice")} << QStringList()
                            << int(SocketAudience::Who::Everyone);
    QTest::newRow("a user and a group")
        << QStringList{QStringLiteral("alice")} << QStringList{QStringLiteral("ops")}
        << int(SocketAudience::Who::Everyone);
}

void AccessPolicyTest::audience()
{
    QFETCH(QStringList, users);
    QFETCH(QStringList, groups);
    QFETCH(int, who);
    const AccessPolicy policy({rule(users, groups, Role::Operator)}, QStringLiteral("keeper"));
    QCOMPARE(int(policy.audience().who), who);
    if (policy.audience().who == SocketAudience::Who::Group)
        QCOMPARE(policy.audience().group, groups.first());
}

void AccessPolicyTest::foldersInTheWay()
{
    QTemporaryDir folder;
    const QByteArray outer = QFile::encodeName(folder.path());
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("data")));
    const QByteArray inner = outer + "/data";
    const QString socket = folder.filePath(QStringLiteral("data/agent.sock"));
    const SocketAudience everyone{SocketAudience::Who::Everyone, {}};
    ::chmod(outer.constData(), 0755);
    ::chmod(inner.constData(), 0711);
    QVERIFY(!access::unreachableBy(everyone, socket));
    ::chmod(inner.constData(), 0700);
    const auto error = access::unreachableBy(everyone, socket);
    QVERIFY(error);
    QVERIFY2(error->line().contains(QStringLiteral("chmod o+x '%1'").arg(QString::fromLocal8Bit(inner))),
             qPrintable(error->line()));
    QVERIFY(!access::unreachableBy({}, socket)); // the owner can
    ::chmod(outer.constData(), 0700);            // the outer one is met first
    QVERIFY(access::unreachableBy(everyone, socket)
                ->line()
                .contains(QStringLiteral("chmod o+x '%1'").arg(folder.path())));
    QVERIFY(access::unreachableBy({SocketAudience::Who::Group, QStringLiteral("no-such-group")}, socket));
}

LOCKKEEPER_TEST(AccessPolicyTest)

} // namespace tst_access_policy

#include "tst_access_policy.moc"
