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
 * The encryption of the connection to a store, in the configuration's words: rows of a form. The rows for
 * files are shown only with encryption. GUI thread.
 */
class TlsFields : public QObject
{
    Q_OBJECT

public:
    /** Adds its rows to the end of `form`, whose widget owns them. */
    explicit TlsFields(QFormLayout *form, QObject *parent);

    /**
     * `shown`: shows the rows at all. `caAlone`: offers "ca", which checks the certificate without the name.
     * `authorities`: the file that counts if the user names none; empty: this system's.
     */
    void offer(bool shown, bool caAlone, const QString &authorities);
    bool isOn() const;
    /** The value for stores::SourceSpec::tls: "verify" always, files if named; empty: not encrypted. */
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
