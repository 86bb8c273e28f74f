// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QPushButton;

namespace lockkeeper::base {
struct Error;
}
namespace lockkeeper::transport {
struct Address;
}

namespace lockkeeper::app::views {

/** Asks for the name and the password that an agent wants. GUI thread. */
class LoginDialog : public QDialog
{
    Q_OBJECT

public:
    /** `refusal`: why the last attempt failed; without a cause if no attempt failed. */
    LoginDialog(const transport::Address &address, const QString &user, const base::Error &refusal,
                QWidget *parent);

    QLineEdit *user() const { return m_user; }
    QLineEdit *password() const { return m_password; }
    QCheckBox *keep() const { return m_keep; }
    QPushButton *logIn() const { return m_logIn; }

private:
    QLineEdit *m_user;
    QLineEdit *m_password;
    QCheckBox *m_keep;
    QPushButton *m_logIn;
};

} // namespace lockkeeper::app::views
