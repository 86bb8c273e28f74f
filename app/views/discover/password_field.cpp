// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/discover/password_field.h"

#include "app/views/discover/file_field.h"
#include "shared/stores/secret.h"

#include <QComboBox>
#include <QDir>
#include <QHBoxLayout>
#include <QLineEdit>

namespace lockkeeper::app::views {

PasswordField::PasswordField(QWidget *parent)
    : Translated(parent),
      m_where(new QComboBox),
      m_typed(new QLineEdit),
      m_variable(new QLineEdit),
      m_file(new FileField(QStringLiteral("password_file")))
{
    m_where->setObjectName(QStringLiteral("password_where"));
    m_where->addItems({QString(), QString(), QString()});
    m_typed->setObjectName(QStringLiteral("password"));
    m_typed->setEchoMode(QLineEdit::Password);
    m_variable->setObjectName(QStringLiteral("password_variable"));
    m_variable->setPlaceholderText(QStringLiteral("PGPASSWORD"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_where);
    row->addWidget(m_typed, 1);
    row->addWidget(m_variable, 1);
    row->addWidget(m_file, 1);
    setFocusProxy(m_where);
    connect(m_where, &QComboBox::currentIndexChanged, this, &PasswordField::showWhere);
    connect(m_typed, &QLineEdit::textChanged, this, &PasswordField::changed);
    connect(m_variable, &QLineEdit::textChanged, this, &PasswordField::changed);
    connect(m_file, &FileField::changed, this, &PasswordField::changed);
    retranslate();
    showWhere();
}

PasswordField::Where PasswordField::where() const
{
    return Where(m_where->currentIndex());
}

QByteArray PasswordField::typed() const
{
    return where() == Where::Typed ? m_typed->text().toUtf8() : QByteArray();
}

QString PasswordField::reference() const
{
    switch (where()) {
    case Where::Environment:
        return QStringLiteral("env:") + m_variable->text().trimmed();
    case Where::File: // the agent runs in another folder
        return QStringLiteral("file:") + QDir::current().absoluteFilePath(m_file->path());
    default:
        return {};
    }
}

base::Result<QByteArray> PasswordField::secret() const
{
    return where() == Where::Typed ? base::Result<QByteArray>(typed())
                                   : stores::resolveSecret(reference(), QDir::currentPath());
}

bool PasswordField::isComplete() const
{
    if (where() == Where::Typed)
        return true;
    return !(where() == Where::File ? m_file->path() : m_variable->text().trimmed()).isEmpty();
}

void PasswordField::setTyped(const QString &password)
{
    m_where->setCurrentIndex(int(Where::Typed));
    m_typed->setText(password);
}

void PasswordField::forgetTyped()
{
    if (m_typed->text().isEmpty())
        return;
    m_typed->clear();
    m_forgotten = true;
    retranslate();
}

void PasswordField::setWhat(const QString &what)
{
    m_what = what;
    retranslate();
}

void PasswordField::showWhere()
{
    m_typed->setVisible(where() == Where::Typed);
    m_variable->setVisible(where() == Where::Environment);
    m_file->setVisible(where() == Where::File);
    Q_EMIT changed();
}

void PasswordField::retranslate()
{
    m_where->setItemText(int(Where::Typed), tr("Typed here"));
    m_where->setItemText(int(Where::Environment), tr("In an environment variable"));
    m_where->setItemText(int(Where::File), tr("In a file"));
    m_where->setAccessibleName(tr("Where the password is"));
    m_typed->setAccessibleName(m_what);
    m_typed->setPlaceholderText(m_forgotten ? tr("Cleared: it was typed for another server") : QString());
    m_variable->setAccessibleName(tr("Environment variable of the password"));
    m_file->setWhat(tr("File of the password"));
}

} // namespace lockkeeper::app::views
