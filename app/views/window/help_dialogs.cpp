// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/window/help_dialogs.h"

#include "app/presentation/icons.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(HelpDialogs)
};

QDialog *makeDialog(QWidget *parent, const QString &title)
{
    auto *dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    return dialog;
}

void finish(QDialog *dialog, QVBoxLayout *column)
{
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    column->addWidget(buttons);
    dialog->show();
}

QList<std::pair<QString, QString>> keys()
{
    const auto key = [](const char *text) { return QString::fromLatin1(text); };
    return {{QStringLiteral("Ctrl+1 … 9"), Words::tr("Views")},
            {key("Ctrl+K"), Words::tr("Command palette: locks, views, filters, actions")},
            {key("Ctrl+F"), Words::tr("Filter; Esc back to the table")},
            {key("F5"), Words::tr("Read now")},
            {key("F9"), Words::tr("Pause and resume")},
            {key("F6, Shift+F6"), Words::tr("Next and previous pane")},
            {key("F4"), Words::tr("Lock detail")},
            {key("Enter"), Words::tr("Open the lock's detail")},
            {key("Ctrl+Del"), Words::tr("Force-release…")},
            {key("Ctrl+T"), Words::tr("Timeline of the selection")},
            {key("Ctrl+H"), Words::tr("History of the selection")},
            {key("Ctrl+Shift+H"), Words::tr("Everything of the selected lock's holder")},
            {key("Ctrl+G"), Words::tr("History: go to a time")},
            {key("Ctrl+Shift+G"), Words::tr("State at a time…")},
            {key("Ctrl+C"), Words::tr("Copy rows")},
            {key("Ctrl+Shift+C"), Words::tr("Copy as JSON")},
            {key("Ctrl+E"), Words::tr("Export…")},
            {key("Ctrl+P"), Words::tr("Print Timeline or Contention…")},
            {key("Ctrl+,"), Words::tr("Preferences…")},
            {key("F11"), Words::tr("Full screen")},
            {key("Ctrl++, Ctrl+-, Ctrl+0"), Words::tr("Larger, smaller, normal text")},
            {key("Alt+Left, Alt+Right"), Words::tr("Back and forward")},
            {QStringLiteral("+ − 0"), Words::tr("Timeline: zoom in, out, show all")},
            {QStringLiteral("← →, Shift+← →"), Words::tr("Timeline: move; to the next event")},
            {QStringLiteral("↑ ↓, Ctrl+↑ ↓"), Words::tr("Timeline: another lane; move the lane")},
            {key("L, Enter, Esc, Backspace"),
             Words::tr("Timeline: follow now, zoom to the brush, clear it, back")},
            {key("F1, Ctrl+?"), Words::tr("These keys")}};
}

} // namespace

void showKeys(QWidget *parent)
{
    QDialog *dialog = makeDialog(parent, Words::tr("Keys"));
    auto *column = new QVBoxLayout(dialog);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    int row = 0;
    for (const auto &[key, meaning] : keys()) {
        auto *name = new PlainLabel(key, dialog);
        name->setMuted(true);
        grid->addWidget(name, row, 0);
        grid->addWidget(new PlainLabel(meaning, dialog), row++, 1);
    }
    column->addLayout(grid);
    finish(dialog, column);
}

void showAbout(QWidget *parent)
{
    QDialog *dialog = makeDialog(parent, Words::tr("About Lockkeeper"));
    auto *column = new QVBoxLayout(dialog);
    auto *icon = new QLabel(dialog);
    icon->setPixmap(presentation::icon(QStringLiteral("lockkeeper")).pixmap(48, 48));
    column->addWidget(icon, 0, Qt::AlignHCenter);
    column->addWidget(
        new PlainLabel(Words::tr("Lockkeeper %1").arg(QStringLiteral(LOCKKEEPER_VERSION)), dialog), 0,
        Qt::AlignHCenter);
    auto *what = new WrappedLabel(
        Words::tr("Watches distributed locks in Redis, MySQL, MariaDB, PostgreSQL, SQLite, MongoDB, etcd and "
                  "ZooKeeper, and releases them safely."),
        dialog);
    column->addWidget(what);
    auto *licence = new PlainLabel(
        Words::tr("Licence: GPL-3.0-or-later. Made with Qt %1.").arg(QString::fromLatin1(qVersion())),
        dialog);
    licence->setMuted(true);
    column->addWidget(licence);
    finish(dialog, column);
}

} // namespace lockkeeper::app::views
