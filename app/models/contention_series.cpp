// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/contention_series.h"

#include "app/session/source_names.h"
#include "shared/base/text.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::app::models {

namespace {
constexpr int kMostMarks = 1'000; ///< a page
constexpr int kMostPlaces = 50;   ///< locks of one name in a source
constexpr int kTellMs = 150;
} // namespace

QList<events::Interval> slicesOf(events::Interval range, qint64 stepUs, qint64 offsetUs)
{
    QList<events::Interval> spans;
    const qint64 first = (range.fromUs + offsetUs) / stepUs * stepUs - offsetUs;
    for (qint64 from = first; from < range.toUs; from += stepUs)
        spans.append({std::max(from, range.fromUs), std::min(from + stepUs, range.toUs)});
    return spans;
}

ContentionSeries::ContentionSeries(session::AgentGroup &session, QObject *parent)
    : QObject(parent), m_session(session)
{
    m_tell.setSingleShot(true);
    m_tell.setInterval(kTellMs);
    connect(&m_tell, &QTimer::timeout, this, &ContentionSeries::changed);
}

void ContentionSeries::cancel()
{
    if (const quint64 id = std::exchange(m_request, 0))
        m_session.cancel(id);
    m_key.reset();
    m_slices.clear();
    m_marks.clear();
    m_error = {};
    m_next = 0;
}

void ContentionSeries::ask(const domain::LockKey &key, const QList<events::Interval> &spans,
                           qint64 seenUntilUs)
{
    cancel();
    m_key = key;
    m_seenUntilUs = seenUntilUs;
    for (const events::Interval &span : spans)
        m_slices.append({span, 0, false, std::nullopt});
    askOldest();
    Q_EMIT changed();
}

bool ContentionSeries::fails(const base::Error *error)
{
    if (!error)
        return false;
    if (error->code == base::ErrorCode::Cancelled)
        return true; // the question was cancelled; another may be pending by now
    m_request = 0;
    m_error = *error;
    finish();
    return true;
}

void ContentionSeries::finish()
{
    m_tell.stop();
    Q_EMIT changed();
}

/** Queries how far back the journal reaches: earlier times count as unobserved. */
void ContentionSeries::askOldest()
{
    protocol::HistoryQuery query;
    query.source = session::joinedName(m_session.labelOf(m_key->source), {}); // all that its agent knows
    query.limit = 1;
    m_request = m_session.history(query, this, [this](const base::Result<session::EventsRead> &page) {
        if (page && page->id != m_request)
            return;
        if (fails(page ? nullptr : &page.error()))
            return;
        m_oldestUs =
            page->events.isEmpty() ? std::numeric_limits<qint64>::max() : page->events.first().timeUs;
        askMarks(0);
    });
}

void ContentionSeries::askMarks(quint64 afterSeq)
{
    protocol::HistoryQuery query;
    query.source = m_key->source;
    query.kinds = {events::EventKind::SourceUp, events::EventKind::SourceDown, events::EventKind::GapOpened,
                   events::EventKind::GapClosed};
    query.limit = kMostMarks;
    const session::Numbers from =
        afterSeq > 0 ? session::Numbers{{m_session.labelOf(m_key->source), afterSeq}} : session::Numbers();
    m_request = m_session.history(
        query, this, [this](const base::Result<session::EventsRead> &page) { tookMarks(page); }, from);
}

void ContentionSeries::tookMarks(const base::Result<session::EventsRead> &page)
{
    if (page && page->id != m_request)
        return;
    if (fails(page ? nullptr : &page.error()))
        return;
    for (const events::LockEvent &event : page->events) {
        if (event.isSourceEvent() && event.key.source == m_key->source)
            m_marks.append(events::SourceMark::of(event.kind, event.timeUs, event.detail));
    }
    if (page->more && !page->events.isEmpty())
        return askMarks(page->events.last().seq);
    observe();
    askNext();
}

void ContentionSeries::observe()
{
    if (m_slices.isEmpty())
        return;
    const events::Interval range{m_slices.first().span.fromUs, m_slices.last().span.toUs};
    const auto observed = events::observedIn(range, m_marks, m_oldestUs, m_seenUntilUs);
    for (ContentionSlice &slice : m_slices) {
        slice.observedUs = events::overlapUs(observed, slice.span.fromUs, slice.span.toUs);
        slice.read = slice.observedUs == 0; // nothing is known about it
    }
}

void ContentionSeries::askNext()
{
    while (m_next < m_slices.size() && m_slices.at(m_next).read)
        ++m_next;
    m_request = 0;
    if (m_next >= m_slices.size())
        return finish();
    const qsizetype slice = m_next++;
    protocol::ContentionQuery query;
    query.source = m_key->source;
    query.lockGlob = base::literalGlob(m_key->name);
    query.fromUs = m_slices.at(slice).span.fromUs;
    query.toUs = m_slices.at(slice).span.toUs;
    query.limit = kMostPlaces;
    m_request = m_session.ask(query, this, [this, slice](const base::Result<protocol::ContentionPage> &page) {
        tookSlice(slice, page);
    });
}

void ContentionSeries::tookSlice(qsizetype slice, const base::Result<protocol::ContentionPage> &page)
{
    if (page && page->id != m_request)
        return; // an answer to an old question
    if (fails(page ? nullptr : &page.error()))
        return;
    ContentionSlice &taken = m_slices[slice];
    taken.read = true;
    const auto found = std::find_if(page->locks.cbegin(), page->locks.cend(),
                                    [this](const domain::Contention &c) { return c.key == *m_key; });
    if (found != page->locks.cend())
        taken.figures = *found;
    if (!m_tell.isActive())
        m_tell.start();
    askNext();
}

} // namespace lockkeeper::app::models
