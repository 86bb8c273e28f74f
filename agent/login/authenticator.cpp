// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/authenticator.h"

#include "agent/login/pam_login.h"
#include "agent/login/password_hash.h"
#include "shared/base/sha256.h"
#include "shared/base/text.h"

#include <QLoggingCategory>
#include <QPointer>

#include <algorithm>
#include <chrono>

namespace lockkeeper::agent::login {

Q_LOGGING_CATEGORY(lcLogin, "lockkeeper.login")

using namespace std::chrono_literals;
using base::ErrorCode;
using base::failure;

namespace {

constexpr auto kLookEvery = 2s;
/** Each verification takes 64 MiB while it runs. */
constexpr int kThreads = 2;
constexpr int kMostPending = 32;

tl::unexpected<base::Error> refusal(const QString &cause, const QString &remedy = {})
{
    return failure(ErrorCode::Authentication, cause, remedy);
}

} // namespace

Authenticator::Authenticator(const base::Clock &clock, QObject *parent) : QObject(parent), m_clock(clock)
{
    m_threads.setMaxThreadCount(kThreads);
    connect(&m_due, &QTimer::timeout, this, &Authenticator::look);
}

Authenticator::~Authenticator()
{
    m_threads.clear();
    m_threads.waitForDone();
}

base::Result<void> Authenticator::configure(const config::TlsSettings &tls)
{
    const config::TlsSettings before = std::exchange(m_tls, tls);
    const auto loaded = load();
    if (!loaded)
        m_tls = before;
    else
        m_due.start(kLookEvery);
    return loaded;
}

base::Result<void> Authenticator::load()
{
    const FileStamp seen = stampOf(m_tls.users);
    auto users = readUsers(m_tls.users);
    if (!users)
        return tl::unexpected(users.error());
    m_stamp = seen;
    m_users = *std::move(users);
    m_broken = false;
    Q_EMIT changed();
    return {};
}

void Authenticator::look()
{
    const FileStamp now = stampOf(m_tls.users);
    if (now != m_stamp) {
        if (const auto loaded = load(); !loaded) {
            m_stamp = now; // log it once
            m_broken = true;
            qCCritical(lcLogin).noquote() << "password logins are unavailable:" << loaded.error().line();
        }
    } else {
        Q_EMIT changed(); // a certificate may have expired
    }
}

const User *Authenticator::find(const QString &name) const
{
    const auto it = std::find_if(m_users.cbegin(), m_users.cend(),
                                 [&name](const User &user) { return user.name == name; });
    return it == m_users.cend() ? nullptr : &*it;
}

void Authenticator::verify(const QString &user, const QByteArray &password, const QString &address,
                           QObject *context, const Verdict &verdict)
{
    const QPointer<QObject> asker(context);
    const Verdict tell = [asker, verdict](const base::Result<void> &result) {
        if (asker)
            verdict(result);
    };
    const auto tellLater = [this, tell](const base::Result<void> &result) {
        QMetaObject::invokeMethod(
            this, [tell, result] { tell(result); }, Qt::QueuedConnection);
    };
    if (!isUserName(user) || password.isEmpty() || password.size() > kLongestPassword)
        return tellLater(
            refusal(QStringLiteral("a name has 1 to 64 characters, a password 1 to 1024 bytes")));
    const bool mayTry = m_limits.mayTry(user, address, m_clock.monotonicUs());
    // Logins in progress count as failed. A crowd that arrives at once hasn't failed, and may try again.
    if (m_pending >= kMostPending || (!mayTry && m_pending > 0))
        return tellLater(failure(ErrorCode::Busy, QStringLiteral("too many logins at once"),
                                 QStringLiteral("Try again in a few seconds")));
    if (!mayTry) {
        qCWarning(lcLogin).noquote() << "too many failed logins as" << user << "or from" << address;
        return tellLater(
            refusal(QStringLiteral("too many logins have failed as this user or from this machine"),
                    QStringLiteral("Wait a few minutes")));
    }
    // Count it as failed until it proves right, so that parallel logins can't exceed the limit.
    m_limits.failed(user, address, m_clock.monotonicUs());
    ++m_pending;
    const auto done = [this, user, address, tell](bool right) {
        --m_pending;
        settle(right, user, address, tell);
    };
    if (m_tls.login == config::TlsSettings::LoginMethod::Pam)
        verifyByPam(m_tls.pamService, user, password, this, done);
    else
        verifyByFile(user, password, done);
}

void Authenticator::verifyByFile(const QString &user, const QByteArray &password,
                                 std::function<void(bool)> done)
{
    look();
    const User *known = m_broken ? nullptr : find(user);
    const QByteArray hash = known ? known->password : decoyHash();
    const bool enabled = known && !known->disabled;
    m_threads.start([this, hash, password, enabled, done = std::move(done)] {
        const bool right = verifyPassword(hash, password) && enabled;
        QMetaObject::invokeMethod(
            this, [done, right] { done(right); }, Qt::QueuedConnection);
    });
}

void Authenticator::settle(bool right, const QString &user, const QString &address, const Verdict &verdict)
{
    if (right) {
        m_limits.succeeded(user, address);
        return verdict({});
    }
    qCWarning(lcLogin).noquote() << "a login as" << user << "from" << address << "failed";
    verdict(refusal(
        QStringLiteral("the name or the password is wrong"),
        QStringLiteral(
            "Try again. An administrator manages users with: lockkeeper-agent --config FILE user list")));
}

QByteArray Authenticator::accountOf(const QString &user)
{
    look();
    return accountAsRead(user);
}

QByteArray Authenticator::accountAsRead(const QString &user) const
{
    const User *known = m_tls.login == config::TlsSettings::LoginMethod::Pam ? nullptr : find(user);
    return known ? base::sha256(known->password + '\n' + QByteArray::number(known->changedUs)) : QByteArray();
}

base::Result<void> Authenticator::mayStand(const access::Identity &identity)
{
    using Way = access::Identity::LoginWay;
    if (identity.way == Way::Local)
        return {};
    if (identity.way != Way::Certificate && (!takesPasswords() || identity.way != wayOfPasswords()))
        return refusal(QStringLiteral("the agent no longer takes this password: another login is configured"),
                       QStringLiteral("Log in again"));
    if (m_tls.login == config::TlsSettings::LoginMethod::Pam)
        return {};
    const User *known = find(identity.user);
    if (known && known->disabled)
        return refusal(QStringLiteral("the user '%1' is disabled").arg(identity.user));
    if (!known && identity.way == Way::Password)
        return refusal(QStringLiteral("the user '%1' was removed").arg(identity.user));
    if (accountAsRead(identity.user) != identity.account)
        return refusal(QStringLiteral("the user '%1' was changed").arg(identity.user),
                       QStringLiteral("Log in again"));
    return {};
}

} // namespace lockkeeper::agent::login
