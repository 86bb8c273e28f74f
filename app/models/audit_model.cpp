// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/audit_model.h"

#include "app/records/records.h"
#include "app/session/source_names.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lockkeeper::app::models {

using Entries = base::Result<protocol::AuditPage>;

namespace {
constexpr int kAuditPage = 200;
constexpr std::array<const char *, AuditColumnCount> kAuditColumns{
    "time", "who", "role", "lock", "reason", "guard", "outcome", "approver", "command", "source"};
} // namespace

AuditModel::AuditModel(session::AgentGroup &session, QObject *parent)
    : RawModel(kAuditColumns, parent), m_session(session)
{
    connect(&session, &session::AgentGroup::agentChanged, this, [this] {
        m_hasOlder = false;
        show({}); // of the previous agent
        m_chain = Chain::NotChecked;
        m_firstBad.reset();
        m_checkError = {};
        cancelVerification();
        Q_EMIT stateChanged();
    });
}

void AuditModel::ask(bool older)
{
    protocol::AuditQuery asked;
    asked.limit = kAuditPage;
    session::Numbers before;
    for (const domain::AuditEntry &entry : std::as_const(m_all)) {
        if (older)
            before.insert(m_session.labelOf(entry.key.source),
                          quint64(entry.id)); // each agent's last entry is its oldest
    }
    m_request = m_session.audit(
        asked, this,
        [this, older](const Entries &page) {
            m_request = 0;
            m_error = page ? base::Error() : page.error();
            if (page)
                older ? tookOlder(*page) : tookNewest(*page);
            Q_EMIT stateChanged();
            if (std::exchange(m_again, false))
                refresh();
            else if (page)
                fill();
        },
        before);
    Q_EMIT stateChanged();
}

void AuditModel::show(const QList<domain::AuditEntry> &entries)
{
    beginResetModel();
    m_all = entries;
    m_rows = fitting(m_all);
    endResetModel();
}

QList<domain::AuditEntry> AuditModel::fitting(const QList<domain::AuditEntry> &entries) const
{
    QList<domain::AuditEntry> found;
    std::copy_if(entries.cbegin(), entries.cend(), std::back_inserter(found),
                 [this](const domain::AuditEntry &entry) { return matches(m_query, entry); });
    return found;
}

void AuditModel::tookNewest(const protocol::AuditPage &page)
{
    const auto known = [this](const domain::AuditEntry &entry) { return place(m_all, entry) >= 0; };
    const auto meet = std::find_if(page.entries.begin(), page.entries.end(), known);
    // Another agent's clock may place new entries between known ones.
    const bool between = m_session.several() && !std::all_of(meet, page.entries.end(), known);
    if (m_all.isEmpty() || meet == page.entries.end() || between) {
        m_hasOlder = page.more;
        show(page.entries);
        return;
    }
    QList<int> changed;
    bool refit = false;
    for (auto it = meet; it != page.entries.end(); ++it) {
        const qsizetype at = place(m_all, *it);
        if (at < 0 || m_all[at] == *it)
            continue;
        m_all[at] = *it;
        const qsizetype row = place(m_rows, *it);
        refit = refit || (row >= 0) != matches(m_query, *it);
        if (row >= 0) {
            m_rows[row] = *it;
            changed.append(int(row));
        }
    }
    const QList<domain::AuditEntry> added = page.entries.first(meet - page.entries.begin());
    if (refit) {
        show(added + m_all);
        return;
    }
    announceRows(changed);
    m_all = added + m_all;
    const QList<domain::AuditEntry> shown = fitting(added);
    if (shown.isEmpty())
        return;
    beginInsertRows({}, 0, int(shown.size()) - 1);
    m_rows = shown + m_rows;
    endInsertRows();
}

void AuditModel::tookOlder(const protocol::AuditPage &page)
{
    m_hasOlder = page.more && !page.entries.isEmpty();
    m_all.append(page.entries);
    const QList<domain::AuditEntry> shown = fitting(page.entries);
    if (shown.isEmpty())
        return;
    const int size = int(m_rows.size());
    beginInsertRows({}, size, size + int(shown.size()) - 1);
    m_rows.append(shown);
    endInsertRows();
}

/** The view requests more only at its end, which it doesn't reach if few rows match. */
void AuditModel::fill()
{
    if (m_hasOlder && !m_request && m_rows.size() < kAuditPage && !m_query.isEmpty())
        ask(true);
}

/** The entry's position; −1: absent. Each agent numbers its own entries. */
qsizetype AuditModel::place(const QList<domain::AuditEntry> &entries, const domain::AuditEntry &wanted) const
{
    const auto it = std::find_if(entries.begin(), entries.end(), [&](const domain::AuditEntry &entry) {
        return entry.id == wanted.id &&
               m_session.labelOf(entry.key.source) == m_session.labelOf(wanted.key.source);
    });
    return it != entries.end() ? it - entries.begin() : -1;
}

bool AuditModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && m_hasOlder && !m_request && !m_all.isEmpty();
}

void AuditModel::fetchMore(const QModelIndex &parent)
{
    if (canFetchMore(parent))
        ask(true);
}

const domain::AuditEntry *AuditModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[row] : nullptr;
}

QJsonObject AuditModel::record(int row) const
{
    const domain::AuditEntry *entry = at(row);
    if (!entry)
        return {};
    const QString &source = entry->key.source;
    return records::withAgent(records::auditObject(*entry), m_session.agentOf(source),
                              m_session.labelOf(source));
}

QStringList AuditModel::recordColumns() const
{
    return records::auditColumns();
}

void AuditModel::setQuery(const filter::Query &query)
{
    if (query == m_query)
        return;
    m_query = query;
    show(QList<domain::AuditEntry>(m_all));
    fill();
    Q_EMIT stateChanged();
}

void AuditModel::refresh()
{
    if (m_request)
        m_again = true;
    else
        ask(false);
}

void AuditModel::verify()
{
    if (m_verification)
        return;
    m_chain = Chain::Checking;
    m_checked.clear();
    m_firstBad.reset();
    m_checkedUs = 0;
    m_unchecked = m_session.labels();
    verifyNext();
    Q_EMIT stateChanged();
}

/** Verifies one agent's chain after the other; stops at a broken one. */
void AuditModel::verifyNext()
{
    const QString agent = m_unchecked.isEmpty() ? QString() : m_unchecked.takeFirst();
    protocol::AuditQuery asked;
    asked.limit = 1;
    asked.verify = true;
    const auto take = [this, agent](const Entries &page) {
        m_verification = 0;
        const bool isFailed = !page && page.error().code != base::ErrorCode::Cancelled;
        m_checkError = isFailed ? page.error() : base::Error();
        if (page) {
            m_checked.append({agent, page->records, page->signature, page->anchor.has_value()});
            m_checkedUs = std::max(m_checkedUs, page->checkedUs);
            m_firstBad = page->firstBadId;
            m_fault = page->fault;
        }
        if (page && page->verified && !m_unchecked.isEmpty())
            return verifyNext();
        m_chain = !page ? Chain::NotChecked : page->verified ? Chain::Holds : Chain::Broken;
        Q_EMIT stateChanged();
    };
    m_verification = m_session.audit(asked, this, take, {}, session::joinedName(agent, {}));
}

bool AuditModel::isCompared() const
{
    return std::all_of(m_checked.cbegin(), m_checked.cend(),
                       [](const Checked &one) { return one.isCompared; });
}

void AuditModel::cancelVerification()
{
    if (m_verification)
        m_session.cancel(m_verification);
}

void AuditModel::cancel()
{
    if (m_request)
        m_session.cancel(m_request);
    cancelVerification();
}

} // namespace lockkeeper::app::models
