// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/connect/login_dialog.h"

#include "app/views/connect/keychain.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "shared/base/error.h"
#include "shared/base/text.h"
#include "shared/transport/address.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

LoginDialog::LoginDialog(const transport::Address &address, const QString &user, const base::Error &refusal,
                         QWidget *parent)
    : QDialog(parent),
      m_user(new QLineEdit(user, this)),
      m_password(new QLineEdit(this)),
      m_keep(new QCheckBox(this))
{
    setWindowTitle(tr("Log in"));
    setWindowModality(Qt::WindowModal);
    auto *what = new WrappedLabel(
        tr("The agent at %1 requires a name and a password.").arg(base::displayText(address.text())), this);
    auto *why = new WrappedLabel(words::ErrorWords::detail(refusal), this);
    why->setVisible(!refusal.cause.isEmpty());
    m_password->setEchoMode(QLineEdit::Password);
    auto *fields = new QFormLayout;
    fields->addRow(tr("&User:"), m_user);
    fields->addRow(tr("&Password:"), m_password);
    m_keep->setText(tr("&Keep in the keychain"));
    m_keep->setVisible(Keychain::isAvailable());
    auto *buttons = new QDialogButtonBox(this);
    m_logIn = buttons->addButton(tr("&Log in"), QDialogButtonBox::AcceptRole);
    buttons->addButton(QDialogButtonBox::Cancel);
    m_logIn->setDefault(true);
    const auto check = [this] {
        m_logIn->setEnabled(!m_user->text().trimmed().isEmpty() && !m_password->text().isEmpty());
    };
    connect(m_user, &QLineEdit::textChanged, this, check);
    connect(m_password, &QLineEdit::textChanged, this, check);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
    auto *column = new QVBoxLayout(this);
    column->setSpacing(8);
    column->addWidget(what);
    column->addWidget(why);
    column->addLayout(fields);
    column->addWidget(m_keep);
    column->addWidget(buttons);
    setMinimumWidth(420);
    (user.isEmpty() ? m_user : m_password)->setFocus();
}

} // namespace lockkeeper::app::views
