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
 * What the agent shows over TLS, and whom it lets show a certificate of theirs: TLS 1.2 or later. Refused: a
 * file that is missing or no PEM, a key that is open to others or that doesn't belong to the certificate.
 */
base::Result<QSslConfiguration> serverConfiguration(const config::Tls &tls);

/** Keeps it as the files are: reads them again when one changes. A broken pair is logged, the last stays. */
class ServerCertificate : public QObject
{
    Q_OBJECT

public:
    explicit ServerCertificate(QObject *parent = nullptr);

    /** Reads now, and from now on when a file changes. With an error nothing has changed. */
    base::Result<void> configure(const config::Tls &tls);
    const QSslConfiguration &configuration() const { return m_configuration; }

Q_SIGNALS:
    void changed();

private:
    base::Result<void> load();
    void look();
    QList<FileStamp> stamps() const;

    config::Tls m_tls;
    QSslConfiguration m_configuration;
    QList<FileStamp> m_stamps;
    QTimer m_due;
};

} // namespace lockkeeper::agent::login
