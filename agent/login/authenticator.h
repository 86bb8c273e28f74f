// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/access/identity.h"
#include "agent/config/config.h"
#include "agent/login/file_stamp.h"
#include "agent/login/login_limits.h"
#include "agent/login/users_file.h"
#include "shared/base/clock.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>

namespace lockkeeper::agent::login {

/**
 * Decides who may log in over TLS, and which sessions may stay open. Passwords are verified in separate
 * threads, two at a time. The users file is read again as soon as it has changed. A wrong name takes as much
 * time as a wrong password. Lives in the main thread.
 */
class Authenticator : public QObject
{
    Q_OBJECT

public:
    using Verdict = std::function<void(const base::Result<void> &)>;

    explicit Authenticator(const base::Clock &clock, QObject *parent = nullptr);
    ~Authenticator() override;

    /** Reads the users now, and again whenever their file changes. On error nothing has changed. */
    base::Result<void> configure(const config::TlsSettings &tls);
    bool takesPasswords() const { return m_tls.login != config::TlsSettings::LoginMethod::Certificate; }
    /** How verify() checks passwords in the current configuration. */
    access::Identity::LoginWay wayOfPasswords() const
    {
        return m_tls.login == config::TlsSettings::LoginMethod::Pam ? access::Identity::LoginWay::Pam
                                                                    : access::Identity::LoginWay::Password;
    }
    /** Calls `verdict` later, unless `context` was destroyed. `address`: the client machine's address. */
    void verify(const QString &user, const QByteArray &password, const QString &address, QObject *context,
                const Verdict &verdict);
    /** A digest of the user's entry in the users file; every change of that user changes it. Empty: the file
     * has no such user, or PAM decides. Call it before verify(). */
    QByteArray accountOf(const QString &user);
    /** Returns an error if a session of this identity may not start or stay open. */
    base::Result<void> mayStand(const access::Identity &identity);

Q_SIGNALS:
    /** mayStand() may return a different answer now. */
    void changed();

private:
    base::Result<void> load();
    void look();
    const User *find(const QString &name) const;
    QByteArray accountAsRead(const QString &user) const;
    void verifyByFile(const QString &user, const QByteArray &password, std::function<void(bool)> done);
    void settle(bool right, const QString &user, const QString &address, const Verdict &verdict);

    const base::Clock &m_clock;
    config::TlsSettings m_tls;
    QList<User> m_users;
    FileStamp m_stamp;
    bool m_broken = false; ///< the file is unusable now; `m_users` is from before
    LoginLimits m_limits;
    QThreadPool m_threads;
    int m_pending = 0;
    QTimer m_due;
};

} // namespace lockkeeper::agent::login
