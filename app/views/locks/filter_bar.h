// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/locks_proxy.h"
#include "app/settings/settings.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QWidget>

class QActionGroup;
class QMenu;
class QPushButton;

namespace lockkeeper::app::views {

class FilterEdit;
class FilterHelp;
class StateChips;

/**
 * The bar above the locks: filter line, grouping, saved filters, and the chips of states. Passes every change
 * to the proxy at once: a change that the operator asks for isn't frozen.
 */
class FilterBar : public Translated<QWidget>
{
    Q_OBJECT

public:
    FilterBar(const ConsoleContext &context, models::LocksProxy *proxy, QWidget *parent = nullptr);

    FilterEdit *edit() const { return m_edit; }
    StateChips *chips() const { return m_chips; }
    void setFilter(const QString &text);
    void setGrouping(models::Grouping grouping);
    void use(const settings::SavedFilter &filter);
    /** All saved filters, shipped filters first, as the menu and the navigation offer them. */
    QList<settings::SavedFilter> savedFilters() const;
    /** How many locks each filter would show, in the order of savedFilters(). */
    void setSavedCounts(const QList<qint64> &counts) { m_savedCounts = counts; }
    static QString savedName(const settings::SavedFilter &filter);
    /** Index in savedFilters() of the filter that is in force unchanged; −1: none. */
    int savedInForce() const;
    /** Badges whose chip is off, by name. */
    QStringList hiddenStates() const;
    void setHiddenStates(const QStringList &names);

Q_SIGNALS:
    /** The filter, the chips or the grouping changed and are to be kept. */
    void edited();
    void left();

private:
    void retranslate() final;
    void fillGroupMenu();
    void fillSavedMenu();
    void saveCurrent();

    ConsoleContext m_context;
    models::LocksProxy *m_proxy;
    FilterEdit *m_edit;
    FilterHelp *m_help;
    QPushButton *m_group;
    QPushButton *m_saved;
    QMenu *m_groupMenu;
    QMenu *m_savedMenu;
    QList<qint64> m_savedCounts;
    StateChips *m_chips;
};

} // namespace lockkeeper::app::views
