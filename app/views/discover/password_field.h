// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/translated.h"
#include "shared/base/result.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace lockkeeper::app::views {

class FileField;

/**
 * A password: typed, or a reference to it in the configuration's words (`env:NAME`, `file:PATH`). GUI thread.
 */
class PasswordField : public Translated<QWidget>
{
    Q_OBJECT

public:
    enum class Where : quint8 { Typed = 0, Environment, File };

    explicit PasswordField(QWidget *parent = nullptr);

    Where where() const;
    /** The typed password; empty if the password is kept elsewhere. */
    QByteArray typed() const;
    /** The configuration's reference to the password; empty if it was typed, or if there is no password. */
    QString reference() const;
    /** The password itself; NotFound where the variable or the file can't be read. */
    base::Result<QByteArray> secret() const;
    /** False if a place was chosen but not named. */
    bool isComplete() const;
    void setTyped(const QString &password);
    /** Clears a typed password; a reference stays. */
    void forgetTyped();
    void setWhat(const QString &what);

Q_SIGNALS:
    void changed();

private:
    void showWhere();
    void retranslate() final;

    QComboBox *m_where;
    QLineEdit *m_typed;
    QLineEdit *m_variable;
    FileField *m_file;
    QString m_what;
    bool m_forgotten = false; ///< a typed password was cleared
};

} // namespace lockkeeper::app::views
