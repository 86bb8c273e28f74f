// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/history/journal_pages.h"

#include "app/models/events_model.h"
#include "app/models/holds_model.h"
#include "app/session/agent_session.h"
#include "app/state/history_filter.h"
#include "app/state/replica.h"

#include <algorithm>

namespace lockkeeper::app::views {

namespace {

constexpr int kExportPage = 250; ///< rows that are worded well within a turn

/** How much of the numbers from `first` down to `least` lies behind `now`. */
double shareDone(quint64 first, quint64 now, quint64 least)
{
    return first > least ? double(first - now) / double(first - least) : -1;
}

} // namespace

std::unique_ptr<ExportSource> eventPages(const ConsoleContext &context, const state::Query &query,
                                         const ExportTable &table)
{
    auto model = std::make_unique<models::EventsModel>();
    model->setFormatter(table.formatter);
    protocol::HistoryQuery ask = state::historyFilter(query).query;
    ask.limit = kExportPage;
    ask.descending = true;
    const auto load = [context, query, ask, first = quint64(0),
                       shown = model.get()](QObject *asker, const PageSource::Loaded &loaded) mutable {
        context.session->history(
            ask, asker, [&, loaded, shown](const base::Result<protocol::EventPage> &page) {
                if (!page) {
                    loaded(tl::unexpected(page.error()));
                    return;
                }
                QList<events::LockEvent> found;
                for (const events::LockEvent &event : page->events) {
                    if (state::matches(query, event, context.replica->agent()))
                        found.prepend(event);
                }
                shown->clear();
                shown->add(found);
                const bool last = !page->more || page->events.isEmpty();
                if (!page->events.isEmpty()) {
                    first = std::max(first, page->events.first().seq);
                    ask.beforeSeq = page->events.last().seq;
                }
                loaded(PageSource::Page{last ? 1 : shareDone(first, *ask.beforeSeq, page->firstSeq), last});
            });
    };
    return std::make_unique<PageSource>(std::move(model), load, table.columns, table.names);
}

std::unique_ptr<ExportSource> holdPages(const ConsoleContext &context, const state::Query &query,
                                        const ExportTable &table)
{
    auto model = std::make_unique<models::HoldsModel>(*context.session);
    model->setFormatter(table.formatter);
    const state::HoldsFilter filter = state::holdsFilter(query);
    protocol::HoldsQuery ask = filter.query;
    ask.limit = kExportPage;
    const auto load = [context, rest = filter.rest, ask, first = qint64(0),
                       shown = model.get()](QObject *asker, const PageSource::Loaded &loaded) mutable {
        context.session->holds(ask, asker, [&, loaded, shown](const base::Result<protocol::HoldPage> &page) {
            if (!page) {
                loaded(tl::unexpected(page.error()));
                return;
            }
            QList<protocol::Hold> found;
            std::copy_if(
                page->holds.begin(), page->holds.end(), std::back_inserter(found),
                [&](const auto &hold) { return state::matches(rest, hold, context.replica->agent()); });
            shown->show(found);
            const qint64 oldest = page->holds.isEmpty() ? 0 : page->holds.last().id;
            const bool last = !page->more || oldest == 0;
            first = std::max(first, page->holds.isEmpty() ? 0 : page->holds.first().id);
            ask.beforeId = oldest;
            loaded(PageSource::Page{last ? 1 : shareDone(quint64(first), quint64(oldest), 0), last});
        });
    };
    return std::make_unique<PageSource>(std::move(model), load, table.columns, table.names);
}

} // namespace lockkeeper::app::views
