// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/locks/filter_bar.h"

#include "app/filter/completion.h"
#include "app/presentation/icons.h"
#include "app/views/locks/state_chips.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/filter_help.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLocale>
#include <QMenu>
#include <QPushButton>

#include <array>

namespace lockkeeper::app::views {

namespace {

constexpr std::array kGroupings{models::Grouping::None, models::Grouping::Source, models::Grouping::Scheme,
                                models::Grouping::Holder, models::Grouping::NamePrefix};

QString groupingWord(models::Grouping grouping)
{
    switch (grouping) {
    case models::Grouping::None:
        return FilterBar::tr("none", "grouping");
    case models::Grouping::Source:
        return FilterBar::tr("source", "grouping");
    case models::Grouping::Scheme:
        return FilterBar::tr("scheme", "grouping");
    case models::Grouping::Holder:
        return FilterBar::tr("holder", "grouping");
    case models::Grouping::NamePrefix:
        return FilterBar::tr("name prefix", "grouping");
    }
    return {};
}

QPushButton *menuButton(QMenu *menu, QWidget *parent)
{
    auto *button = new QPushButton(parent);
    button->setMenu(menu);
    button->setAutoDefault(false);
    button->setMinimumHeight(24);
    return button;
}

} // namespace

FilterBar::FilterBar(const ConsoleContext &context, models::LocksProxy *proxy, QWidget *parent)
    : Translated(parent),
      m_context(context),
      m_proxy(proxy),
      m_help(new FilterHelp(filter::QueryScope::Locks, this)),
      m_groupMenu(new QMenu(this)),
      m_savedMenu(new QMenu(this)),
      m_chips(new StateChips(context.theme, this))
{
    const models::LockModel *model = &proxy->source();
    m_edit = new FilterEdit(
        context.theme,
        [model](const QString &text) {
            return filter::parseQuery(text, filter::QueryScope::Locks, {},
                                      filter::beginsNameOf(model->replica().locks()));
        },
        [model](const QString &text, qsizetype cursor) {
            return filter::complete(text, cursor, filter::QueryScope::Locks, model->replica().locks(),
                                    [model](const domain::LockState &lock) {
                                        const models::LockRow *row = model->find(lock.key);
                                        return row ? model->context(*row) : replica::LockContext{};
                                    });
        },
        this);
    m_group = menuButton(m_groupMenu, this);
    m_saved = menuButton(m_savedMenu, this);
    m_saved->setIcon(presentation::icon(QStringLiteral("bookmarks")));
    m_group->setIcon(presentation::icon(QStringLiteral("view-group")));
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_edit, 1);
    line->addWidget(m_help);
    line->addWidget(m_group);
    line->addWidget(m_saved);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(line);
    column->addWidget(m_chips);
    m_edit->setErrorBelow(m_chips);
    connect(m_edit, &FilterEdit::applied, this, [this](const filter::Query &query) {
        m_proxy->setQuery(query);
        Q_EMIT edited();
    });
    connect(m_savedMenu, &QMenu::aboutToShow, this, &FilterBar::fillSavedMenu);
    connect(m_edit, &FilterEdit::left, this, &FilterBar::left);
    connect(m_chips, &StateChips::toggled, this, [this](replica::Badge badge, bool shown) {
        m_proxy->setBadgeShown(badge, shown);
        Q_EMIT edited();
    });
    connect(proxy, &models::LocksProxy::countsChanged, m_chips,
            [this] { m_chips->setCounts(m_proxy->counts()); });
    connect(context.settings, &settings::Settings::savedFiltersChanged, this, &FilterBar::fillSavedMenu);
    m_chips->setCounts(proxy->counts());
    retranslate();
}

void FilterBar::retranslate()
{
    m_edit->setPlaceholderText(tr("Filter: name, holder, or field:value"));
    m_edit->setAccessibleName(tr("Filter"));
    m_edit->setToolTip(
        tr("Space: and. Comma: or. -: not. Fields: state source scheme place agent name holder waiter "
           "waiters wait held ttl alive release"));
    m_saved->setText(tr("Saved"));
    m_saved->setToolTip(tr("Saved filters"));
    fillGroupMenu();
    fillSavedMenu();
}

void FilterBar::fillGroupMenu()
{
    m_groupMenu->clear();
    auto *group = new QActionGroup(m_groupMenu);
    for (const models::Grouping grouping : kGroupings) {
        QAction *action = m_groupMenu->addAction(groupingWord(grouping));
        action->setCheckable(true);
        action->setChecked(grouping == m_proxy->grouping());
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, grouping] { setGrouping(grouping); });
    }
    m_group->setText(tr("Group: %1").arg(groupingWord(m_proxy->grouping())));
}

QString FilterBar::savedName(const settings::SavedFilter &filter)
{
    if (filter.id == "needs_attention")
        return tr("Needs attention");
    if (filter.id == "waiting_now")
        return tr("Waiting now");
    if (filter.id == "no_expiry")
        return tr("No expiry");
    return filter.name;
}

QList<settings::SavedFilter> FilterBar::savedFilters() const
{
    return settings::Settings::shippedFilters() + m_context.settings->savedFilters();
}

int FilterBar::savedInForce() const
{
    const QStringList hidden = hiddenStates();
    const QSet<QString> now(hidden.cbegin(), hidden.cend());
    const QList<settings::SavedFilter> all = savedFilters();
    for (int i = 0; i < all.size(); ++i) {
        const QStringList &states = all.at(i).hiddenStates;
        if (all.at(i).query == m_edit->text() && QSet<QString>(states.cbegin(), states.cend()) == now)
            return i;
    }
    return -1;
}

void FilterBar::fillSavedMenu()
{
    m_savedMenu->clear();
    auto add = [this, number = 0](const settings::SavedFilter &filter) mutable {
        // An ampersand in a name would become a mnemonic. A tab puts the count where a shortcut would be.
        QString name = savedName(filter).replace(QLatin1Char('&'), QLatin1String("&&"));
        if (number < m_savedCounts.size())
            name += QLatin1Char('\t') + QLocale(QLocale::English).toString(m_savedCounts.at(number));
        ++number;
        connect(m_savedMenu->addAction(name), &QAction::triggered, this, [this, filter] { use(filter); });
    };
    for (const settings::SavedFilter &filter : settings::Settings::shippedFilters())
        add(filter);
    const QList<settings::SavedFilter> own = m_context.settings->savedFilters();
    if (!own.isEmpty())
        m_savedMenu->addSeparator();
    for (const settings::SavedFilter &filter : own)
        add(filter);
    m_savedMenu->addSeparator();
    connect(m_savedMenu->addAction(tr("Save this filter…")), &QAction::triggered, this,
            &FilterBar::saveCurrent);
    if (own.isEmpty())
        return;
    QMenu *forget = m_savedMenu->addMenu(tr("Forget"));
    for (qsizetype i = 0; i < own.size(); ++i) {
        const QString name = QString(own.at(i).name).replace(QLatin1Char('&'), QLatin1String("&&"));
        connect(forget->addAction(name), &QAction::triggered, this, [this, i] {
            auto filters = m_context.settings->savedFilters();
            if (i < filters.size())
                filters.removeAt(i);
            m_context.settings->setSavedFilters(filters);
        });
    }
}

void FilterBar::saveCurrent()
{
    auto *dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save this filter"));
    dialog->setLabelText(tr("Name of the filter:"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &name) {
        if (name.trimmed().isEmpty())
            return;
        auto filters = m_context.settings->savedFilters();
        filters.removeIf([&](const settings::SavedFilter &other) { return other.name == name.trimmed(); });
        filters.append({{}, name.trimmed(), m_edit->text(), hiddenStates()});
        m_context.settings->setSavedFilters(filters);
    });
    dialog->open();
}

void FilterBar::setFilter(const QString &text)
{
    m_edit->setFilter(text);
}

void FilterBar::setGrouping(models::Grouping grouping)
{
    m_proxy->setGrouping(grouping);
    fillGroupMenu();
    Q_EMIT edited();
}

void FilterBar::use(const settings::SavedFilter &filter)
{
    setHiddenStates(filter.hiddenStates);
    setFilter(filter.query);
}

QStringList FilterBar::hiddenStates() const
{
    QStringList names;
    for (int i = 0; i < replica::kBadgeCount; ++i) {
        const auto name = replica::badgeName(replica::Badge(i));
        if (!m_chips->isShown(replica::Badge(i)))
            names.append(QString::fromLatin1(name.data(), name.size()));
    }
    return names;
}

void FilterBar::setHiddenStates(const QStringList &names)
{
    for (int i = 0; i < replica::kBadgeCount; ++i) {
        const auto name = replica::badgeName(replica::Badge(i));
        const bool shown = !names.contains(QString::fromLatin1(name.data(), name.size()));
        m_chips->setShown(replica::Badge(i), shown);
        m_proxy->setBadgeShown(replica::Badge(i), shown);
    }
    Q_EMIT edited();
}

} // namespace lockkeeper::app::views
