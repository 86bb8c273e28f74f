// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/history/journal_pages.h"

#include "app/models/events_model.h"
#include "app/models/holds_model.h"
#include "app/session/agents.h"
#include "app/state/history_filter.h"
#include "app/state/replica.h"

#include <algorithm>

namespace lockkeeper::app::views {

namespace {

constexpr int kExportPage = 250; ///< rows; worded well within a turn

/** The share of a lone agent's numbers from `first` down to `least` that was read; -1: unknown. */
double shareDone(const session::Numbers &read, quint64 first, quint64 least)
{
    const quint64 now = read.value(QString());
    return now > 0 && first > least ? double(first - now) / double(first - least) : -1;
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
    ask.inSlices = true;
    const auto load = [context, query, ask, read = session::Numbers(), first = quint64(0),
                       shown = model.get()](QObject *asker, const PageSource::Loaded &loaded) mutable {
        context.session->history(
            ask, asker,
            [&, loaded, shown](const base::Result<session::EventsRead> &page) {
                if (!page) {
                    loaded(tl::unexpected(page.error()));
                    return;
                }
                QList<events::LockEvent> found;
                for (const events::LockEvent &event : page->events) {
                    if (state::matches(query, event, context.session->agentOf(event.key.source)))
                        found.prepend(event);
                }
                shown->clear();
                shown->add(found);
                page->goOn(read);
                const session::EventsRead::Journal journal = page->journals.value(QString());
                first = first == 0 ? std::max(journal.lastSeq, read.value(QString())) : first;
                loaded(
                    PageSource::Page{page->more ? shareDone(read, first, journal.firstSeq) : 1, !page->more});
            },
            read);
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
    const auto load = [context, rest = filter.rest, ask, read = session::Numbers(), first = quint64(0),
                       shown = model.get()](QObject *asker, const PageSource::Loaded &loaded) mutable {
        context.session->holds(
            ask, asker,
            [&, loaded, shown](const base::Result<protocol::HoldPage> &page) {
                if (!page) {
                    loaded(tl::unexpected(page.error()));
                    return;
                }
                QList<protocol::Hold> found;
                bool last = !page->more || page->holds.isEmpty();
                for (const protocol::Hold &hold : page->holds) {
                    read.insert(context.session->labelOf(hold.key.source), quint64(hold.id));
                    first = std::max(first, quint64(hold.id));
                    if (state::matches(rest, hold, context.session->agentOf(hold.key.source)))
                        found.append(hold);
                }
                shown->show(found);
                loaded(PageSource::Page{last ? 1 : shareDone(read, first, 0), last});
            },
            read);
    };
    return std::make_unique<PageSource>(std::move(model), load, table.columns, table.names);
}

} // namespace lockkeeper::app::views
