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
 * Who may log in over TLS, and whose session may stand. Passwords are verified in threads of their own, two
 * at a time; the file of the users is read again as soon as it has changed. A wrong name costs as much time
 * as a wrong password. Lives in the main thread.
 */
class Authenticator : public QObject
{
    Q_OBJECT

public:
    using Verdict = std::function<void(const base::Result<void> &)>;

    explicit Authenticator(const base::Clock &clock, QObject *parent = nullptr);
    ~Authenticator() override;

    /** Reads the users now, and from now on when their file changes. With an error nothing has changed. */
    base::Result<void> configure(const config::Tls &tls);
    bool takesPasswords() const { return m_tls.login != config::Tls::Login::Certificate; }
    /** Of those whom verify() finds right by now. */
    access::Identity::Way wayOfPasswords() const
    {
        return m_tls.login == config::Tls::Login::Pam ? access::Identity::Way::Pam
                                                      : access::Identity::Way::Password;
    }
    /** The verdict comes later, unless `context` is gone. `address`: of the client's machine. */
    void verify(const QString &user, const QByteArray &password, const QString &address, QObject *context,
                const Verdict &verdict);
    /** Names what a user's login rests on: it is another one after each change of that user. Empty: the users
     * file doesn't have the name, or isn't what counts. Asked before verify(). */
    QByteArray accountOf(const QString &user);
    /** Why no session of this identity may stand (any longer). */
    base::Result<void> mayStand(const access::Identity &identity);

Q_SIGNALS:
    /** mayStand() may have another answer. */
    void changed();

private:
    base::Result<void> load();
    void look();
    const User *find(const QString &name) const;
    QByteArray accountAsRead(const QString &user) const;
    void verifyByFile(const QString &user, const QByteArray &password, std::function<void(bool)> done);
    void settle(bool right, const QString &user, const QString &address, const Verdict &verdict);

    const base::Clock &m_clock;
    config::Tls m_tls;
    QList<User> m_users;
    FileStamp m_stamp;
    bool m_broken = false; ///< the file can't be used now: m_users is what it was before
    LoginLimits m_limits;
    QThreadPool m_threads;
    int m_pending = 0;
    QTimer m_due;
};

} // namespace lockkeeper::agent::login
