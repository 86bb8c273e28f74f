// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"
#include "agent/login/file_stamp.h"

#include <QObject>
#include <QSslConfiguration>
#include <QTimer>

namespace lockkeeper::agent::login {

/**
 * The agent's TLS configuration: its certificate, and the authorities of client certificates that it accepts.
 * TLS 1.2 or later. Refuses a file that is missing or not PEM, and a key that is open to others or doesn't
 * belong to the certificate.
 */
base::Result<QSslConfiguration> serverConfiguration(const config::TlsSettings &tls);

/** Keeps the configuration current: reads the files again when one changes. Logs a broken pair, and keeps the
 * last good one. */
class ServerCertificate : public QObject
{
    Q_OBJECT

public:
    explicit ServerCertificate(QObject *parent = nullptr);

    /** Reads the files now, and again whenever one changes. On error nothing has changed. */
    base::Result<void> configure(const config::TlsSettings &tls);
    const QSslConfiguration &configuration() const { return m_configuration; }

Q_SIGNALS:
    void changed();

private:
    base::Result<void> load();
    void look();
    QList<FileStamp> stamps() const;

    config::TlsSettings m_tls;
    QSslConfiguration m_configuration;
    QList<FileStamp> m_stamps;
    QTimer m_due;
};

} // namespace lockkeeper::agent::login
