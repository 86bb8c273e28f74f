// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUrl>
#include <QWidget>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace lockkeeper::app::views {

class PlainLabel;

/** Where a store is and who asks: kind, host or socket, database, user and password, or a file. GUI thread.
 */
class StoreForm : public QWidget
{
    Q_OBJECT

public:
    explicit StoreForm(QWidget *parent = nullptr);

    /** The store's URL, without the password. */
    QUrl url() const;
    QByteArray password() const;
    /** Fills the fields; a password in the URL goes into its field. False where it is no store of a known
     * kind. */
    bool setUrl(const QUrl &url);
    /** What is needed is there. */
    bool isComplete() const;
    /** The store keeps keys, not tables. */
    bool hasKeys() const;
    /** The cause and remedy of a failure; both empty: none. */
    void showError(const QString &cause, const QString &remedy);
    QString errorText() const;

Q_SIGNALS:
    void changed();

protected:
    void changeEvent(QEvent *event) override;

private:
    void build();
    QWidget *addRow(QWidget *field, QWidget *whole = nullptr);
    void showKind();
    void retranslate();
    void browse();
    void onEdited();
    bool isFile() const;

    QFormLayout *m_form;
    QComboBox *m_kind;
    QLineEdit *m_host;
    QSpinBox *m_port;
    QLineEdit *m_database;
    QLineEdit *m_user;
    QLineEdit *m_password;
    QLineEdit *m_file;
    QPushButton *m_browse;
    QList<PlainLabel *> m_labels;
    PlainLabel *m_lead;
    PlainLabel *m_address;
    QWidget *m_error;
    PlainLabel *m_cause;
    PlainLabel *m_remedy;
};

} // namespace lockkeeper::app::views
