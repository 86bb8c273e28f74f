// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/lock_model.h"
#include "app/settings/settings.h"

#include <QHeaderView>

namespace lockkeeper::app::views {

/**
 * The widths, order and visibility of the locks table's columns. Columns are remembered by name, so that a
 * column of a later version changes nothing. The Lock column takes the width that the others leave, at least
 * 200 px. Until the operator chooses columns, they come and go with the window's width.
 */
class ColumnLayout : public QObject
{
    Q_OBJECT

public:
    static constexpr int kLockMinimum = models::kLockColumns[models::NameColumn].width.roomy;
    static constexpr int kIconOnly = 48; ///< narrower, *Alive* and *Release* show their icon without a word

    /** Neither is owned; `header` has its model already. */
    ColumnLayout(QHeaderView *header, const models::RawModel *model, QObject *parent = nullptr);

    void restore(const std::optional<settings::ColumnSettings> &columns);
    /** Without columns until the operator chooses some: an order of the rows alone fixes no column. */
    settings::ColumnSettings columns() const;
    void reset();

    /** The columns follow the font zoom. */
    void rescale();
    /** The table's width changed; `windowWidth` decides what is shown by default. */
    void fit(int viewportWidth, int windowWidth);
    /** A column for their names appears with a second agent. */
    void setSeveralAgents(bool several);
    void setColumnShown(int column, bool shown);
    static bool isOptional(int column);
    static int defaultWidth(int column, int windowWidth, bool severalAgents = false);
    static bool isDefault(int column, int windowWidth, bool severalAgents);

Q_SIGNALS:
    /** The operator changed the columns, which are to be kept. */
    void edited();

private:
    void choose();
    void applyDefaults();
    void fitLock();
    int widthOf(int column) const;

    QHeaderView *m_header;
    const models::RawModel *m_model;
    int m_viewportWidth = 0;
    int m_windowWidth = 1280;
    int m_zoom;
    bool m_severalAgents = false;
    bool m_chosen = false;
    bool m_busy = false;
};

} // namespace lockkeeper::app::views
