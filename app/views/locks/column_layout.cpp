// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/locks/column_layout.h"

#include "app/presentation/theme.h"

#include <utility>

namespace lockkeeper::app::views {

namespace {
constexpr int kWords = 1440; ///< px of the window: from here *Alive* and *Release* are words
constexpr int kRoomy = 1600; ///< px of the window: from here columns fit their longest usual texts
constexpr int kIconWidth = 24;
} // namespace

ColumnLayout::ColumnLayout(QHeaderView *header, const models::RawModel *model, QObject *parent)
    : QObject(parent), m_header(header), m_model(model), m_zoom(presentation::zoomed(100))
{
    m_header->setSectionsMovable(true);
    m_header->setFirstSectionMovable(false);
    m_header->setStretchLastSection(false);
    m_header->setMinimumSectionSize(kIconWidth);
    m_header->setSectionResizeMode(QHeaderView::Interactive);
    applyDefaults();
    connect(m_header, &QHeaderView::sectionResized, this, [this](int column) {
        if (m_busy)
            return;
        if (column != models::NameColumn)
            fitLock();
        choose();
    });
    connect(m_header, &QHeaderView::sectionMoved, this, [this] {
        if (!m_busy)
            choose();
    });
}

void ColumnLayout::choose()
{
    m_chosen = true;
    Q_EMIT edited();
}

bool ColumnLayout::isOptional(int column)
{
    return column != models::StateColumn && column != models::NameColumn;
}

int ColumnLayout::defaultWidth(int column, int windowWidth, bool severalAgents)
{
    if (windowWidth < kWords && (column == models::AliveColumn || column == models::ReleaseColumn))
        return kIconWidth;
    const models::ColumnWidth &width = models::kLockColumns[size_t(column)].width;
    if (severalAgents)
        return windowWidth < kRoomy ? width.tightBesideAgent : width.roomyBesideAgent;
    return windowWidth < kRoomy ? width.tight : width.roomy;
}

bool ColumnLayout::isDefault(int column, int windowWidth, bool severalAgents)
{
    return column == models::AgentColumn ? severalAgents
                                         : windowWidth >= models::kLockColumns[size_t(column)].shownFrom;
}

int ColumnLayout::widthOf(int column) const
{
    return presentation::zoomed(defaultWidth(column, m_windowWidth, m_severalAgents));
}

void ColumnLayout::rescale()
{
    const int before = std::exchange(m_zoom, presentation::zoomed(100));
    if (before == m_zoom)
        return;
    m_busy = true;
    for (int column = 0; column < m_header->count(); ++column) {
        if (!m_header->isSectionHidden(column))
            m_header->resizeSection(column, qRound(double(m_header->sectionSize(column)) * m_zoom / before));
    }
    m_busy = false;
    fit(m_viewportWidth, m_windowWidth * before / 100);
    if (m_chosen)
        Q_EMIT edited();
}

void ColumnLayout::applyDefaults()
{
    m_busy = true;
    for (int column = 0; column < m_header->count(); ++column) {
        m_header->setSectionHidden(column, !isDefault(column, m_windowWidth, m_severalAgents));
        m_header->resizeSection(column, widthOf(column));
    }
    m_busy = false;
    fitLock();
}

void ColumnLayout::reset()
{
    m_chosen = false;
    m_busy = true;
    for (int column = 0; column < m_header->count(); ++column)
        m_header->moveSection(m_header->visualIndex(column), column);
    m_busy = false;
    applyDefaults();
}

void ColumnLayout::restore(const std::optional<settings::ColumnSettings> &columns)
{
    if (!columns || columns->columns.isEmpty())
        return;
    m_chosen = true;
    m_busy = true;
    int position = 0;
    for (const settings::ColumnSetting &kept : columns->columns) {
        const int column = m_model->columnFromName(kept.name);
        if (column < 0)
            continue; // of another version
        m_header->moveSection(m_header->visualIndex(column), position++);
        m_header->setSectionHidden(column, isOptional(column) && !kept.visible);
        // A hidden section has no width: it comes back with the default width.
        m_header->resizeSection(column, kept.width > 0 ? kept.width : widthOf(column));
    }
    m_busy = false;
    fitLock();
}

settings::ColumnSettings ColumnLayout::columns() const
{
    settings::ColumnSettings result;
    for (int position = 0; m_chosen && position < m_header->count(); ++position) {
        const int column = m_header->logicalIndex(position);
        result.columns.append(
            {m_model->columnName(column), m_header->sectionSize(column), !m_header->isSectionHidden(column)});
    }
    if (m_header->isSortIndicatorShown() && m_header->sortIndicatorSection() >= 0) {
        result.sortColumn = m_model->columnName(m_header->sortIndicatorSection());
        result.descending = m_header->sortIndicatorOrder() == Qt::DescendingOrder;
    }
    return result;
}

void ColumnLayout::setSeveralAgents(bool several)
{
    if (several == m_severalAgents)
        return;
    m_severalAgents = several;
    if (!m_chosen)
        applyDefaults();
    else
        setColumnShown(models::AgentColumn, several);
}

void ColumnLayout::setColumnShown(int column, bool shown)
{
    if (!isOptional(column))
        return;
    m_busy = true;
    m_header->setSectionHidden(column, !shown);
    if (shown && m_header->sectionSize(column) < m_header->minimumSectionSize())
        m_header->resizeSection(column, widthOf(column));
    m_busy = false;
    fitLock();
    choose();
}

void ColumnLayout::fit(int viewportWidth, int windowWidth)
{
    m_viewportWidth = viewportWidth;
    const int before =
        std::exchange(m_windowWidth, windowWidth * 100 / m_zoom); // as wide as it is to its text
    if (!m_chosen) {
        m_busy = true;
        for (int column = 0; column < m_header->count(); ++column) {
            const bool shown = isDefault(column, m_windowWidth, m_severalAgents);
            const bool other = defaultWidth(column, m_windowWidth, m_severalAgents) !=
                               defaultWidth(column, before, m_severalAgents);
            const bool comes = shown && m_header->isSectionHidden(column);
            m_header->setSectionHidden(column, !shown);
            if (comes || (shown && other))
                m_header->resizeSection(column, widthOf(column));
        }
        m_busy = false;
    }
    fitLock();
}

void ColumnLayout::fitLock()
{
    if (m_viewportWidth <= 0)
        return;
    int others = 0;
    for (int column = 0; column < m_header->count(); ++column) {
        if (column != models::NameColumn && !m_header->isSectionHidden(column))
            others += m_header->sectionSize(column);
    }
    const bool busy = m_busy;
    m_busy = true;
    m_header->resizeSection(models::NameColumn,
                            std::max(presentation::zoomed(kLockMinimum), m_viewportWidth - others));
    m_busy = busy;
}

} // namespace lockkeeper::app::views
