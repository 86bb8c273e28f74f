// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QJsonObject>
#include <QStringList>

#include <span>

namespace lockkeeper::app::models {

/**
 * A cell's full text, for copies and exports. Falls back to the displayed text if the Formatter returns
 * nothing.
 */
inline constexpr int kWholeRole = Qt::EditRole;

/**
 * Provides the texts, icons and colours of a model's rows. Implemented by presentation, so that models stay
 * free of all three. `index` belongs to the calling model.
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

/**
 * The base of all tables here: a model's at() returns the data of a row, and the Formatter provides the
 * displayed cell. GUI thread.
 */
class RawModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /** `columns`: their stable names for the settings ("held_for"), never shown; must outlive the model. */
    explicit RawModel(std::span<const char *const> columns, QObject *parent = nullptr)
        : QAbstractTableModel(parent), m_columns(columns)
    {
    }

    /** `formatter` isn't owned and must live as long as the model; null: no words. */
    void setFormatter(const Formatter *formatter);
    /** After a change of language, zone or colours: repaints everything. */
    void reword();

    int rowCount(const QModelIndex &parent = {}) const final;
    int columnCount(const QModelIndex &parent = {}) const final;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;

    /** A column's stable name; empty for an invalid column. */
    QByteArray columnName(int column) const;
    /** The inverse; −1 for an unknown name. */
    int columnFromName(const QByteArray &name) const;

    /** A row for an export, as lockkeeperctl prints it. By default the full texts of all columns, by name. */
    virtual QJsonObject record(int row) const;
    /** The columns of these records in CSV. */
    virtual QStringList recordColumns() const;

protected:
    /** dataChanged for whole rows: one signal per run of neighbouring rows, never one over scattered rows.
     * Sorts `rows`. */
    void announceRows(QList<int> &rows);

private:
    virtual int rows() const = 0;

    std::span<const char *const> m_columns;
    const Formatter *m_formatter = nullptr;
};

/** The data of the row of `index`; null if the index belongs to another model. */
template <typename Model> auto rowOf(const QModelIndex &index)
{
    const auto *model = qobject_cast<const Model *>(index.model());
    return model ? model->at(index.row()) : nullptr;
}

} // namespace lockkeeper::app::models
