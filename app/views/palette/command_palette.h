// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/palette/palette_model.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QPointer>
#include <QWidget>

class QLineEdit;
class QListView;

namespace lockkeeper::app::views {

class PlainLabel;

/**
 * A line to type into over the window's content, and below it the commands and locks that fit. It is a child
 * widget of the window, so that an input method works in it and no event loop is nested. It closes
 * once the focus is elsewhere. GUI thread.
 */
class CommandPalette : public Translated<QWidget>
{
    Q_OBJECT

public:
    static constexpr int kMostLocks = 20;

    CommandPalette(const ConsoleContext &context, QWidget *window);

    /** Shows the palette, empty, over `commands` and the locks of the replica. */
    void open(const QList<PaletteEntry> &commands);
    void dismiss();

    QLineEdit *edit() const { return m_edit; }
    PaletteModel *model() const { return m_model; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void retranslate() final;
    void search();
    void place();
    void run(const QModelIndex &index);
    bool takeKey(int key);
    void step(int rows);
    PaletteEntry entryOf(const domain::LockKey &key) const;

    ConsoleContext m_context;
    QLineEdit *m_edit;
    QListView *m_list;
    PlainLabel *m_none;
    PaletteModel *m_model;
    QList<PaletteEntry> m_commands;
    QPointer<QWidget> m_before; ///< had the focus
};

} // namespace lockkeeper::app::views
