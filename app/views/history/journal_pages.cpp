// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/history/journal_pages.h"

#include "app/filter/history_filter.h"
#include "app/records/records.h"
#include "app/replica/replica.h"
#include "app/session/agent_group.h"

#include <algorithm>

namespace lockkeeper::app::views {

namespace {

constexpr int kExportPage = 250; ///< rows; written well within a turn

/** The share of a lone agent's numbers from `first` down to `least` that was read; -1: unknown. */
double shareDone(const session::Numbers &read, quint64 first, quint64 least)
{
    const quint64 now = read.value(QString());
    return now > 0 && first > least ? double(first - now) / double(first - least) : -1;
}

} // namespace

std::unique_ptr<ExportSource> eventPages(const ConsoleContext &context, const filter::Query &query,
                                         records::FileFormat::Syntax kind)
{
    protocol::HistoryQuery ask = filter::historyFilter(query).query;
    ask.limit = kExportPage;
    ask.descending = true;
    ask.inSlices = true;
    const auto load = [context, query, ask, read = session::Numbers(),
                       first = quint64(0)](QObject *asker, const PageSource::Loaded &loaded) mutable {
        context.session->history(
            ask, asker,
            [&, loaded](const base::Result<session::EventsRead> &page) {
                if (!page) {
                    loaded(tl::unexpected(page.error()));
                    return;
                }
                PageSource::RecordPage part;
                for (const events::LockEvent &event : page->events) {
                    const QString agent = context.session->agentOf(event.key.source);
                    if (filter::matches(query, event, agent))
                        part.records.append(records::withAgent(events::toJson(event, agent), agent,
                                                               context.session->labelOf(event.key.source)));
                }
                page->goOn(read);
                const session::EventsRead::JournalRange journal = page->journals.value(QString());
                first = first == 0 ? std::max(journal.lastSeq, read.value(QString())) : first;
                part.share = page->more ? shareDone(read, first, journal.firstSeq) : 1;
                part.last = !page->more;
                loaded(std::move(part));
            },
            read);
    };
    return std::make_unique<PageSource>(load, records::FileFormat{kind, records::eventColumns()});
}

std::unique_ptr<ExportSource> holdPages(const ConsoleContext &context, const filter::Query &query,
                                        records::FileFormat::Syntax kind)
{
    const filter::HoldsFilter filter = filter::holdsFilter(query);
    protocol::HoldsQuery ask = filter.query;
    ask.limit = kExportPage;
    const auto load = [context, rest = filter.rest, ask, read = session::Numbers(),
                       first = quint64(0)](QObject *asker, const PageSource::Loaded &loaded) mutable {
        context.session->holds(
            ask, asker,
            [&, loaded](const base::Result<protocol::HoldPage> &page) {
                if (!page) {
                    loaded(tl::unexpected(page.error()));
                    return;
                }
                PageSource::RecordPage part;
                part.last = !page->more || page->holds.isEmpty();
                for (const protocol::Hold &hold : page->holds) {
                    const QString agent = context.session->agentOf(hold.key.source);
                    const QString label = context.session->labelOf(hold.key.source);
                    read.insert(label, quint64(hold.id));
                    first = std::max(first, quint64(hold.id));
                    if (filter::matches(rest, hold, agent))
                        part.records.append(records::withAgent(records::holdObject(hold), agent, label));
                }
                part.share = part.last ? 1 : shareDone(read, first, 0);
                loaded(std::move(part));
            },
            read);
    };
    return std::make_unique<PageSource>(load, records::FileFormat{kind, records::holdColumns()});
}

} // namespace lockkeeper::app::views
