// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QIcon>
#include <QList>

#include <functional>

namespace lockkeeper::app::views {

/** One line of the command palette: its texts are plain. */
struct PaletteEntry
{
    QString text;
    QString group; ///< what it is: its menu, "View", a lock's place
    QString keys;  ///< the shortcut
    QIcon icon;
    QString reason; ///< why it can't be chosen; empty: it can
    std::function<void()> run;
};

/** The lines that fit what is typed, best first. */
class PaletteModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Roles { GroupRole = Qt::UserRole, KeysRole, ReasonRole };

    using QAbstractListModel::QAbstractListModel;

    void show(const QList<PaletteEntry> &entries);
    const PaletteEntry &at(int row) const { return m_entries.at(row); }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    QList<PaletteEntry> m_entries;
};

} // namespace lockkeeper::app::views
