// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/translated.h"

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace lockkeeper::app::views {

/** The path of a file that exists: typed, or chosen in a dialog. GUI thread. */
class FileField : public Translated<QWidget>
{
    Q_OBJECT

public:
    /** `name`: of the line edit, for tests and accessibility tools. */
    explicit FileField(const QString &name, QWidget *parent = nullptr);

    QString path() const;
    void setPath(const QString &path);
    /** Names the file in the dialog's title and as the edit's accessible name. */
    void setWhat(const QString &what);
    QLineEdit *edit() const { return m_edit; }

Q_SIGNALS:
    void changed();

private:
    void retranslate() final;
    void browse();

    QLineEdit *m_edit;
    QPushButton *m_browse;
    QString m_what;
};

} // namespace lockkeeper::app::views
