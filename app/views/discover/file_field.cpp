// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/discover/file_field.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

namespace lockkeeper::app::views {

FileField::FileField(const QString &name, QWidget *parent)
    : Translated(parent), m_edit(new QLineEdit), m_browse(new QPushButton)
{
    m_edit->setObjectName(name);
    retranslate();
    m_browse->setAutoDefault(false);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_edit, 1);
    row->addWidget(m_browse);
    setFocusProxy(m_edit);
    connect(m_edit, &QLineEdit::textChanged, this, &FileField::changed);
    connect(m_browse, &QPushButton::clicked, this, &FileField::browse);
}

QString FileField::path() const
{
    return m_edit->text().trimmed();
}

void FileField::setPath(const QString &path)
{
    m_edit->setText(path);
}

void FileField::setWhat(const QString &what)
{
    m_what = what;
    m_edit->setAccessibleName(what);
    m_browse->setAccessibleName(tr("Choose: %1").arg(what));
}

void FileField::retranslate()
{
    m_browse->setText(tr("Choose…"));
}

void FileField::browse()
{
    auto *dialog = new QFileDialog(this, m_what, m_edit->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, m_edit, &QLineEdit::setText);
    dialog->open();
}

} // namespace lockkeeper::app::views
