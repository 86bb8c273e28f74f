// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

namespace lockkeeper::app::models {

/**
 * Puts a model's raw values into words, icons and colours. Implemented by presentation, so that models stay
 * free of all three. `index` belongs to the model that asks.
 */
class Formatter
{
public:
    virtual ~Formatter() = default;
    /** For every role below Qt::UserRole (display, decoration, tool tip, accessible text, alignment, …). */
    virtual QVariant cell(const QModelIndex &index, int role) const = 0;
    /** The same for a column's header. */
    virtual QVariant header(int column, int role) const = 0;
};

/** The base of all models here: raw values in roles from Qt::UserRole on, everything else by the Formatter.
 * GUI thread. */
class RawModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /** The roles that every model has. Models add theirs from OwnRole on. */
    enum Role {
        ValueRole = Qt::UserRole, ///< the cell's typed value; invalid where it has none or it is unknown
        KeyRole,                  ///< the row's domain::LockKey, where it has one
        OwnRole = Qt::UserRole + 16,
    };

    using QAbstractTableModel::QAbstractTableModel;

    /** `formatter` isn't owned and must live as long as the model; null: no words. */
    void setFormatter(const Formatter *formatter);
    /** After a change of language, zone or colours: repaints everything. */
    void reword();

    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;

    /** A column's stable name for the settings ("held_for"), never shown. */
    virtual QByteArray columnName(int column) const = 0;
    /** The inverse; −1 for a name that isn't one. */
    int columnFromName(const QByteArray &name) const;

protected:
    /** A role of Qt::UserRole or above of a valid index. */
    virtual QVariant raw(const QModelIndex &index, int role) const = 0;
    /** dataChanged for whole rows: one signal per run of neighbouring rows, never one over scattered rows.
     * Sorts `rows`. */
    void announceRows(QList<int> &rows);

private:
    const Formatter *m_formatter = nullptr;
};

/** What stands behind the row of `index`; null where that is of another model. */
template <typename Model> auto rowOf(const QModelIndex &index)
{
    const auto *model = qobject_cast<const Model *>(index.model());
    return model ? model->at(index.row()) : nullptr;
}

} // namespace lockkeeper::app::models
