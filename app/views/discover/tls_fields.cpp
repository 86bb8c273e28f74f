// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/discover/tls_fields.h"

#include "app/views/discover/file_field.h"
#include "app/views/widgets/plain_label.h"

#include <QComboBox>
#include <QDir>
#include <QFormLayout>
#include <QLineEdit>
#include <QSignalBlocker>

namespace lockkeeper::app::views {

namespace {
const QString kVerify = QStringLiteral("verify");
} // namespace

TlsFields::TlsFields(QFormLayout *form, QObject *parent)
    : QObject(parent),
      m_form(form),
      m_mode(new QComboBox),
      m_ca(new FileField(QStringLiteral("tls_ca"))),
      m_cert(new FileField(QStringLiteral("tls_cert"))),
      m_key(new FileField(QStringLiteral("tls_key")))
{
    m_mode->setObjectName(QStringLiteral("tls"));
    for (QWidget *field : std::initializer_list<QWidget *>{m_mode, m_ca, m_cert, m_key}) {
        m_labels.append(new PlainLabel);
        m_labels.last()->setBuddy(field);
        form->addRow(m_labels.last(), field);
    }
    m_cert->edit()->setPlaceholderText(QStringLiteral("client.pem"));
    m_key->edit()->setPlaceholderText(QStringLiteral("client.key"));
    connect(m_mode, &QComboBox::currentIndexChanged, this, [this] {
        showRows();
        Q_EMIT changed();
    });
    for (const FileField *field : {m_ca, m_cert, m_key})
        connect(field, &FileField::changed, this, &TlsFields::changed);
    fillModes();
    retranslate();
}

void TlsFields::fillModes()
{
    const QSignalBlocker quiet(m_mode);
    const QString chosen = m_mode->currentData().toString();
    m_mode->clear();
    m_mode->addItem(tr("None"), QString());
    m_mode->addItem(tr("TLS, certificate and name checked"), QStringLiteral("full"));
    if (m_caAlone)
        m_mode->addItem(tr("TLS, certificate checked, not its name"), QStringLiteral("ca"));
    m_mode->addItem(tr("TLS, server not checked"), QStringLiteral("off"));
    // A choice that isn't offered here becomes the strictest one.
    const int same = m_mode->findData(chosen);
    m_mode->setCurrentIndex(same >= 0 ? same : 1);
}

void TlsFields::offer(bool shown, bool caAlone, const QString &authorities)
{
    m_shown = shown;
    m_caAlone = caAlone;
    m_authorities = authorities;
    retranslate();
    showRows();
}

bool TlsFields::isOn() const
{
    return m_shown && !m_mode->currentData().toString().isEmpty();
}

QHash<QString, QString> TlsFields::settings() const
{
    if (!isOn())
        return {};
    QHash<QString, QString> settings{{kVerify, m_mode->currentData().toString()}};
    for (const auto &[key, field] :
         {std::pair<const char *, const FileField *>{"ca", m_ca}, {"cert", m_cert}, {"key", m_key}}) {
        if (!field->path().isEmpty()) // the agent runs in another folder
            settings.insert(QLatin1String(key), QDir::current().absoluteFilePath(field->path()));
    }
    return settings;
}

void TlsFields::setOn(bool on)
{
    m_mode->setCurrentIndex(on ? std::max(1, m_mode->currentIndex()) : 0);
}

void TlsFields::showRows()
{
    m_form->setRowVisible(m_mode, m_shown);
    for (FileField *field : {m_ca, m_cert, m_key})
        m_form->setRowVisible(field, isOn());
}

void TlsFields::retranslate()
{
    fillModes();
    const QStringList labels{tr("Encryption:"), tr("Authorities:"), tr("Client certificate:"),
                             tr("Client key:")};
    for (int row = 0; row < labels.size(); ++row)
        m_labels.at(row)->setText(labels.at(row));
    m_mode->setAccessibleName(tr("Encryption"));
    m_ca->setWhat(tr("File of certificate authorities (PEM)"));
    m_cert->setWhat(tr("File of the client's certificate (PEM)"));
    m_key->setWhat(tr("File of the client's key (PEM)"));
    m_ca->edit()->setPlaceholderText(m_authorities.isEmpty() ? tr("those of this system") : m_authorities);
}

} // namespace lockkeeper::app::views
