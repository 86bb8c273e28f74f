// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/requests.h"

#include <QByteArrayList>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

namespace lockkeeper::tests {

/** The lines of what `view` exports to `name` in `folder`, by its own dialog as an operator answers it. */
template <typename View>
QByteArrayList exportedTo(View &view, app::views::Requests &requests, const QString &folder,
                          const QString &name)
{
    QSignalSpy told(&requests, &app::views::Requests::messageCame);
    if (!view.exportRows())
        return {"nothing to export"};
    QFileDialog *dialog = view.template findChild<QFileDialog *>();
    if (!dialog)
        return {"no dialog"};
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    for (const QString &kind : dialog->nameFilters()) {
        if (kind.contains(name.section(QLatin1Char('.'), -1)))
            dialog->selectNameFilter(kind);
    }
    dialog->setDirectory(folder);
    dialog->findChild<QLineEdit *>()->setText(folder + QLatin1Char('/') + name);
    dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save)->click();
    if (told.isEmpty() && !told.wait(30'000))
        return {"nothing was told"};
    QFile file(folder + QLatin1Char('/') + name);
    if (!file.open(QIODevice::ReadOnly))
        return {told.first().first().toString().toUtf8()};
    QByteArrayList lines = file.readAll().split('\n');
    if (lines.constLast().isEmpty())
        lines.removeLast();
    return lines;
}

template <typename View, typename Rig> QByteArrayList exported(View &view, Rig &rig, const QString &name)
{
    return exportedTo(view, rig.requests, rig.folder.path(), name);
}

} // namespace lockkeeper::tests
