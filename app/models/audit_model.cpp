// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/audit_model.h"

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

class AuditModel::Private
{
public:
    Private(AuditModel *model, session::Agents &s) : q(model), session(s) {}

    void ask(bool older);
    void verifyNext();
    void tookNewest(const protocol::AuditPage &page);
    void tookOlder(const protocol::AuditPage &page);
    void replaceAll(const QList<domain::AuditEntry> &entries);
    void fill();
    QList<domain::AuditEntry> fitting(const QList<domain::AuditEntry> &entries) const;
    qsizetype place(const QList<domain::AuditEntry> &entries, const domain::AuditEntry &wanted) const;

    AuditModel *q;
    session::Agents &session;
    QList<domain::AuditEntry> all;  ///< that were read, newest first
    QList<domain::AuditEntry> rows; ///< those that fit the filter
    state::Query query{state::QueryScope::Audit, {}};
    bool hasOlder = false;
    quint64 request = 0;
    quint64 verification = 0;
    bool again = false; ///< refresh() came while a question was under way
    base::Error error;
    Chain chain = Chain::NotChecked;
    std::optional<qint64> firstBad;
    qint64 checkedUs = 0;
    QList<Checked> checked;
    QStringList unchecked; ///< agents whose chains are to be checked yet
};

void AuditModel::Private::ask(bool older)
{
    protocol::AuditQuery asked;
    asked.limit = kAuditPage;
    session::Numbers before;
    for (const domain::AuditEntry &entry : std::as_const(all)) {
        if (older)
            before.insert(session.labelOf(entry.key.source),
                          quint64(entry.id)); // each agent's last is its oldest
    }
    request = session.audit(
        asked, q,
        [this, older](const Entries &page) {
            request = 0;
            error = page ? base::Error() : page.error();
            if (page)
                older ? tookOlder(*page) : tookNewest(*page);
            Q_EMIT q->stateChanged();
            if (std::exchange(again, false))
                q->refresh();
            else if (page)
                fill();
        },
        before);
    Q_EMIT q->stateChanged();
}

void AuditModel::Private::replaceAll(const QList<domain::AuditEntry> &entries)
{
    q->beginResetModel();
    all = entries;
    rows = fitting(all);
    q->endResetModel();
}

QList<domain::AuditEntry> AuditModel::Private::fitting(const QList<domain::AuditEntry> &entries) const
{
    QList<domain::AuditEntry> found;
    std::copy_if(entries.cbegin(), entries.cend(), std::back_inserter(found),
                 [this](const domain::AuditEntry &entry) { return matches(query, entry); });
    return found;
}

void AuditModel::Private::tookNewest(const protocol::AuditPage &page)
{
    const auto known = [this](const domain::AuditEntry &entry) { return place(all, entry) >= 0; };
    const auto meet = std::find_if(page.entries.begin(), page.entries.end(), known);
    // Another agent's clock may put what is new between what is known.
    const bool between = session.several() && !std::all_of(meet, page.entries.end(), known);
    if (all.isEmpty() || meet == page.entries.end() || between) {
        hasOlder = page.more;
        replaceAll(page.entries);
        return;
    }
    QList<int> changed;
    bool refit = false;
    for (auto it = meet; it != page.entries.end(); ++it) {
        const qsizetype at = place(all, *it);
        if (at < 0 || all[at] == *it)
            continue;
        all[at] = *it;
        const qsizetype row = place(rows, *it);
        refit = refit || (row >= 0) != matches(query, *it);
        if (row >= 0) {
            rows[row] = *it;
            changed.append(int(row));
        }
    }
    const QList<domain::AuditEntry> added = page.entries.first(meet - page.entries.begin());
    if (refit) {
        replaceAll(added + all);
        return;
    }
    q->announceRows(changed);
    all = added + all;
    const QList<domain::AuditEntry> shown = fitting(added);
    if (shown.isEmpty())
        return;
    q->beginInsertRows({}, 0, int(shown.size()) - 1);
    rows = shown + rows;
    q->endInsertRows();
}

void AuditModel::Private::tookOlder(const protocol::AuditPage &page)
{
    hasOlder = page.more && !page.entries.isEmpty();
    all.append(page.entries);
    const QList<domain::AuditEntry> shown = fitting(page.entries);
    if (shown.isEmpty())
        return;
    const int size = int(rows.size());
    q->beginInsertRows({}, size, size + int(shown.size()) - 1);
    rows.append(shown);
    q->endInsertRows();
}

/** The view asks for more only at its end, and where few rows fit it doesn't reach one. */
void AuditModel::Private::fill()
{
    if (hasOlder && !request && rows.size() < kAuditPage && !query.isEmpty())
        ask(true);
}

/** Where the entry stands; −1: nowhere. Each agent numbers its own. */
qsizetype AuditModel::Private::place(const QList<domain::AuditEntry> &entries,
                                     const domain::AuditEntry &wanted) const
{
    const auto it = std::find_if(entries.begin(), entries.end(), [&](const domain::AuditEntry &entry) {
        return entry.id == wanted.id &&
               session.labelOf(entry.key.source) == session.labelOf(wanted.key.source);
    });
    return it != entries.end() ? it - entries.begin() : -1;
}

AuditModel::AuditModel(session::Agents &session, QObject *parent)
    : RawModel(kAuditColumns, parent), d(std::make_unique<Private>(this, session))
{
    connect(&session, &session::Agents::agentChanged, this, [this] {
        d->hasOlder = false;
        d->replaceAll({}); // the other agent's
        d->chain = Chain::NotChecked;
        d->firstBad.reset();
        Q_EMIT stateChanged();
    });
}

AuditModel::~AuditModel() = default;

int AuditModel::rows() const
{
    return int(d->rows.size());
}

bool AuditModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && d->hasOlder && !d->request && !d->all.isEmpty();
}

void AuditModel::fetchMore(const QModelIndex &parent)
{
    if (canFetchMore(parent))
        d->ask(true);
}

const domain::AuditEntry *AuditModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &d->rows[row] : nullptr;
}

void AuditModel::setQuery(const state::Query &query)
{
    if (query == d->query)
        return;
    d->query = query;
    d->replaceAll(QList<domain::AuditEntry>(d->all));
    d->fill();
    Q_EMIT stateChanged();
}

qint64 AuditModel::hiddenRows() const
{
    return d->all.size() - d->rows.size();
}

void AuditModel::refresh()
{
    if (d->request)
        d->again = true;
    else
        d->ask(false);
}

void AuditModel::verify()
{
    if (d->verification)
        return;
    d->chain = Chain::Checking;
    d->checked.clear();
    d->firstBad.reset();
    d->checkedUs = 0;
    d->unchecked = d->session.labels();
    d->verifyNext();
    Q_EMIT stateChanged();
}

/** One agent's after the other; a broken one ends it. */
void AuditModel::Private::verifyNext()
{
    const QString agent = unchecked.isEmpty() ? QString() : unchecked.takeFirst();
    protocol::AuditQuery asked;
    asked.limit = 1;
    asked.verify = true;
    const auto take = [this, agent](const Entries &page) {
        verification = 0;
        error = page ? base::Error() : page.error();
        if (page) {
            checked.append({agent, page->records, page->signature});
            checkedUs = std::max(checkedUs, page->checkedUs);
            firstBad = page->firstBadId;
        }
        if (page && page->verified && !unchecked.isEmpty())
            return verifyNext();
        chain = !page ? Chain::NotChecked : page->verified ? Chain::Holds : Chain::Broken;
        Q_EMIT q->stateChanged();
    };
    verification = session.audit(asked, q, take, {}, session::joinedName(agent, {}));
}

const state::Query &AuditModel::query() const
{
    return d->query;
}

void AuditModel::show(const QList<domain::AuditEntry> &entries)
{
    d->replaceAll(entries);
}

void AuditModel::cancel()
{
    for (const quint64 id : {d->request, d->verification}) {
        if (id)
            d->session.cancel(id);
    }
}

bool AuditModel::isLoading() const
{
    return d->request != 0;
}

base::Error AuditModel::error() const
{
    return d->error;
}

AuditModel::Chain AuditModel::chain() const
{
    return d->chain;
}

std::optional<qint64> AuditModel::firstBadId() const
{
    return d->firstBad;
}

const QList<AuditModel::Checked> &AuditModel::checked() const
{
    return d->checked;
}

qint64 AuditModel::checkedUs() const
{
    return d->checkedUs;
}

} // namespace lockkeeper::app::models
