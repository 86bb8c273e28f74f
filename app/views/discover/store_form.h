// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/discover/store_address.h"
#include "app/views/widgets/translated.h"
#include "shared/stores/source_spec.h"

#include <QUrl>
#include <QWidget>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace lockkeeper::app::views {

class FileField;
class PasswordField;
class PlainLabel;
class TlsFields;

/**
 * The address of a store and the login for it: kind, host or socket, database, user, password and encryption,
 * or a file. GUI thread.
 */
class StoreForm : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit StoreForm(QWidget *parent = nullptr);
    ~StoreForm() override;

    /** The store's URL, without the password. */
    QUrl url() const;
    /** The typed password; empty for a file, or if the password is kept elsewhere. */
    QByteArray password() const;
    /**
     * The place of the password ("env:NAME", "file:PATH"); empty if it was typed, or if there is no password.
     */
    QString passwordReference() const;
    /** How the connection is encrypted, as stores::SourceSpec::tls; empty: as the URL says. */
    QHash<QString, QString> tls() const;
    /** Address, encryption and password as a store takes them; an Error if the password can't be read. */
    base::Result<stores::SourceSpec> spec() const;
    /**
     * Fills the fields; a password in the URL goes into its field. False if `url` isn't a store of a kind
     * that discovery supports.
     */
    bool setUrl(const QUrl &url);
    /** True if all that is needed was entered. */
    bool isComplete() const;
    /** The store keeps keys, not tables. */
    bool hasKeys() const;
    /** The cause and remedy of a failure; both empty: none. */
    void showError(const QString &cause, const QString &remedy);
    QString errorText() const;
    /** The form's rows, for a caller that adds rows before them. */
    QFormLayout *rows() const { return m_form; }

Q_SIGNALS:
    void changed();

private:
    void build();
    void buildRows();
    QWidget *buildError();
    void showKind();
    void showTls();
    void retranslate() final;
    void onPasted(const QString &text);
    void onAddress(const QString &text);
    void onEdited();
    void showForeignAddress();
    StoreAddress address() const;
    bool isForeign() const;

    QFormLayout *m_form;
    QComboBox *m_kind;
    QLineEdit *m_host;
    QSpinBox *m_port;
    QLineEdit *m_group;
    QLineEdit *m_database;
    QLineEdit *m_user;
    PasswordField *m_password;
    FileField *m_file;
    TlsFields *m_tls = nullptr;
    QList<PlainLabel *> m_labels; ///< of the rows before those of TlsFields, then the address
    PlainLabel *m_lead;
    QLineEdit *m_address;  ///< the URL, to be read and to be pasted
    QString m_options;     ///< of the address; no field shows them
    QString m_before;      ///< the text of `m_address` before the latest edit
    bool m_typing = false; ///< the user types the address: don't overwrite it
    QWidget *m_error = nullptr;
    PlainLabel *m_cause;
    PlainLabel *m_remedy;
};

} // namespace lockkeeper::app::views
