// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>

class QComboBox;
class QFormLayout;

namespace lockkeeper::app::views {

class FileField;
class PlainLabel;

/**
 * How the connection to a store is encrypted: rows of a form, of which the files' are there only where it is.
 * Says it in the configuration's words. GUI thread.
 */
class TlsFields : public QObject
{
    Q_OBJECT

public:
    /** Adds its rows to the end of `form`, whose widget owns them. */
    explicit TlsFields(QFormLayout *form, QObject *parent);

    /** Shown at all, and with `caAlone` ("ca": the certificate without the name) among the choices.
     * `authorities`: the file that counts where none is named; empty: this system's. */
    void offer(bool shown, bool caAlone, const QString &authorities);
    bool isOn() const;
    /** What stores::SourceSpec::tls takes: "verify" always, files where named; empty: not encrypted. */
    QHash<QString, QString> settings() const;
    void setOn(bool on);
    void retranslate();

Q_SIGNALS:
    void changed();

private:
    void showRows();
    void fillModes();

    QFormLayout *m_form;
    QComboBox *m_mode;
    FileField *m_ca;
    FileField *m_cert;
    FileField *m_key;
    QList<PlainLabel *> m_labels;
    bool m_shown = true;
    bool m_caAlone = true;
    QString m_authorities;
};

} // namespace lockkeeper::app::views
