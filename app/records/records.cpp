// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/records/records.h"

#include "shared/base/text.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace lockkeeper::app::records {

namespace {

QJsonValue numberOrNull(qint64 value)
{
    return value != 0 ? QJsonValue(value) : QJsonValue();
}

QJsonValue nodeOutcomeList(const QList<domain::NodeOutcome> &outcomes)
{
    if (outcomes.isEmpty())
        return {};
    QJsonArray nodes;
    for (const domain::NodeOutcome &node : outcomes)
        nodes.append(QJsonObject{{QStringLiteral("node"), base::textOf(node.node)},
                                 {QStringLiteral("outcome"), latin(domain::outcomeName(node.outcome))},
                                 {QStringLiteral("error"), errorValue(node.error)}});
    return nodes;
}

/** Null if the agent takes part in no election. */
QJsonValue electionValue(const std::optional<domain::ElectionState> &election)
{
    if (!election)
        return {};
    return QJsonObject{
        {QStringLiteral("role"), election->active ? QStringLiteral("active") : QStringLiteral("standby")},
        {QStringLiteral("holder"), textOrNull(election->holder)},
        {QStringLiteral("epoch"), textOrNull(election->epoch)},
        {QStringLiteral("since_us"), numberOrNull(election->sinceWallUs)},
        {QStringLiteral("error"), errorValue(election->error)}};
}

} // namespace

QJsonValue textOrNull(const QByteArray &bytes)
{
    return bytes.isEmpty() ? QJsonValue() : QJsonValue(base::textOf(bytes));
}

QJsonValue textOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QString latin(QByteArrayView name)
{
    return QString::fromLatin1(name.data(), name.size());
}

QJsonValue number(const domain::TimeUs &value)
{
    return value ? QJsonValue(*value) : QJsonValue();
}

SourceView viewOf(const domain::SourceState &source, qint64 wallUs)
{
    SourceView view;
    view.store = source.store;
    view.nowUs = wallUs + source.clockOffsetUs;
    view.stale = source.link != domain::Link::Up || !source.lastSeenWallUs ||
                 wallUs - *source.lastSeenWallUs > source.patienceUs();
    if (view.stale && source.lastSeenUs)
        view.nowUs = std::min(view.nowUs, *source.lastSeenUs);
    return view;
}

domain::Condition conditionOf(const domain::LockState &state, const SourceView &view)
{
    return view.stale ? domain::Condition::Unknown : domain::condition(state, view.nowUs);
}

QJsonObject approvalObject(const domain::ApprovalRequest &r, const QString &agent)
{
    return {{QStringLiteral("id"), r.id},
            {QStringLiteral("agent"), agent},
            {QStringLiteral("state"), latin(domain::approvalStateName(r.state))},
            {QStringLiteral("outcome"), r.state == domain::ApprovalRequest::ApprovalState::Open
                                            ? QJsonValue()
                                            : latin(domain::outcomeName(r.outcome))},
            {QStringLiteral("who"), r.who},
            {QStringLiteral("decided_by"), textOrNull(r.decidedBy)},
            {QStringLiteral("source"), r.key.source},
            {QStringLiteral("scheme"), textOrNull(r.key.scheme)},
            {QStringLiteral("place"), textOrNull(r.key.place)},
            {QStringLiteral("lock"), base::textOf(r.key.name)},
            {QStringLiteral("holder"), textOrNull(r.holder)},
            {QStringLiteral("guard"), textOrNull(r.guard)},
            {QStringLiteral("reason"), r.reason},
            {QStringLiteral("because"), latin(domain::becauseName(r.because))},
            {QStringLiteral("if_not_renewed"), r.ifNotRenewed},
            {QStringLiteral("command"), textOrNull(r.command)},
            {QStringLiteral("asked_us"), r.askedUs},
            {QStringLiteral("ends_us"), r.endsUs},
            {QStringLiteral("detail"), textOrNull(r.detail)}};
}

QJsonObject auditObject(const domain::AuditEntry &e)
{
    return {{QStringLiteral("id"), e.id},
            {QStringLiteral("t_us"), numberOrNull(e.timeUs)}, // the record of the intent may be lost
            {QStringLiteral("who"), e.who},
            {QStringLiteral("role"), e.role},
            {QStringLiteral("source"), e.key.source},
            {QStringLiteral("scheme"), e.isRelease() ? textOrNull(e.key.scheme) : QJsonValue()},
            {QStringLiteral("place"), textOrNull(e.key.place)},
            {QStringLiteral("lock"), e.isRelease() ? QJsonValue(base::textOf(e.key.name)) : QJsonValue()},
            {QStringLiteral("holder"), textOrNull(e.holder)},
            {QStringLiteral("reason"), e.reason},
            {QStringLiteral("because"), latin(domain::becauseName(e.because))},
            {QStringLiteral("guard"), textOrNull(e.guard)},
            {QStringLiteral("act"), e.isProbe()        ? QStringLiteral("probe")
                                    : e.isLogin()      ? QStringLiteral("login")
                                    : e.isDiscovery()  ? QStringLiteral("discover")
                                    : e.isAcceptance() ? QStringLiteral("accept")
                                                       : QStringLiteral("release")},
            {QStringLiteral("outcome"), latin(domain::outcomeName(e.outcome))},
            {QStringLiteral("outcome_us"), number(e.outcomeTimeUs)},
            {QStringLiteral("detail"), textOrNull(e.detail)},
            {QStringLiteral("command"), textOrNull(e.command)},
            {QStringLiteral("approver"), textOrNull(e.approver)},
            {QStringLiteral("intact"), e.intact}};
}

QJsonObject chainObject(const protocol::AuditPage &page)
{
    QJsonArray accepted;
    for (const qint64 id : page.accepted)
        accepted.append(id);
    return {
        {QStringLiteral("verified"), page.verified},
        {QStringLiteral("first_bad_id"), number(page.firstBadId)},
        {QStringLiteral("checked_us"), page.checkedUs},
        {QStringLiteral("records"), page.records},
        {QStringLiteral("signed_records"),
         page.signature ? QJsonValue(page.signature->records) : QJsonValue()},
        {QStringLiteral("signed_us"), page.signature ? QJsonValue(page.signature->timeUs) : QJsonValue()},
        {QStringLiteral("signed_by"),
         page.signature ? QJsonValue(QString::fromLatin1(page.signature->keyId.toHex())) : QJsonValue()},
        {QStringLiteral("hash"), QString::fromLatin1(page.hash.toHex())},
        {QStringLiteral("fault"), page.fault.cause.isEmpty() ? QJsonValue() : QJsonValue(page.fault.cause)},
        {QStringLiteral("compared_records"), page.anchor ? QJsonValue(page.anchor->records) : QJsonValue()},
        {QStringLiteral("compared_us"), page.anchor ? QJsonValue(page.anchor->timeUs) : QJsonValue()},
        {QStringLiteral("accepted_ids"), accepted}};
}

QJsonObject holdObject(const protocol::Hold &h)
{
    return {{QStringLiteral("source"), h.key.source},
            {QStringLiteral("scheme"), textOrNull(h.key.scheme)},
            {QStringLiteral("place"), textOrNull(h.key.place)},
            {QStringLiteral("lock"), base::textOf(h.key.name)},
            {QStringLiteral("owner"), h.ownerKnown ? textOrNull(h.owner) : QJsonValue()},
            {QStringLiteral("from_us"), h.fromUs},
            {QStringLiteral("from_window_us"), h.fromWindowUs},
            {QStringLiteral("start_seen"), h.startSeen},
            {QStringLiteral("to_us"), number(h.toUs)},
            {QStringLiteral("to_window_us"), h.toUs ? QJsonValue(h.toWindowUs) : QJsonValue()},
            {QStringLiteral("end"), textOrNull(h.end)},
            {QStringLiteral("renewals"), qint64(h.renewals)},
            {QStringLiteral("longest_renewal_gap_us"), numberOrNull(h.longestRenewalGapUs)},
            {QStringLiteral("waited_us"), number(h.waitedUs)},
            {QStringLiteral("wait_seen"), h.waitedUs ? QJsonValue(h.waitSeen) : QJsonValue()},
            {QStringLiteral("by"), textOrNull(h.by)},
            {QStringLiteral("role"), textOrNull(h.role)},
            {QStringLiteral("reason"), textOrNull(h.reason)},
            {QStringLiteral("command"), textOrNull(h.command)},
            {QStringLiteral("may_be"), textOrNull(h.mayBe)}};
}

QJsonObject sourceObject(const domain::SourceState &s, qint64 wallUs)
{
    QJsonArray access;
    for (const domain::Access &a : s.access)
        access.append(QJsonObject{{QStringLiteral("need"), base::textOf(a.need)},
                                  {QStringLiteral("granted"), a.granted},
                                  {QStringLiteral("for_breaking"), a.forBreaking},
                                  {QStringLiteral("remedy"), textOrNull(a.remedy)}});
    QJsonArray schemes;
    for (const QByteArray &scheme : s.schemes)
        schemes.append(base::textOf(scheme));
    QJsonArray findings;
    for (const domain::Finding &f : s.findings)
        findings.append(QJsonObject{{QStringLiteral("code"), base::textOf(f.code)},
                                    {QStringLiteral("severity"), latin(domain::severityName(f.severity))},
                                    {QStringLiteral("value"), textOrNull(f.value)},
                                    {QStringLiteral("node"), textOrNull(f.node)},
                                    {QStringLiteral("t_us"), number(f.whenUs)}});
    const QJsonObject counts{
        {QStringLiteral("total"), s.counts.total}, {QStringLiteral("held"), s.counts.held},
        {QStringLiteral("free"), s.counts.free},   {QStringLiteral("expired"), s.counts.expired},
        {QStringLiteral("stuck"), s.counts.stuck}, {QStringLiteral("contended"), s.counts.contended}};
    const bool failed = s.link == domain::Link::Down || s.error.code != base::ErrorCode::Unknown;
    return {
        {QStringLiteral("name"), s.name},
        {QStringLiteral("store"), textOrNull(s.store)},
        {QStringLiteral("address"), s.address},
        {QStringLiteral("link"), latin(domain::linkName(s.link))},
        {QStringLiteral("since_us"), numberOrNull(s.sinceWallUs)},
        {QStringLiteral("last_seen_us"), number(s.lastSeenUs)},
        {QStringLiteral("lag_us"), s.lastSeenWallUs ? QJsonValue(wallUs - *s.lastSeenWallUs) : QJsonValue()},
        {QStringLiteral("gap_since_us"), number(s.gapSinceUs)},
        {QStringLiteral("retry_us"), number(s.retryWallUs)},
        {QStringLiteral("mode"),
         s.mode == domain::ObservationMode::Push ? QStringLiteral("push") : QStringLiteral("poll")},
        {QStringLiteral("poll_ms"), s.pollMs},
        {QStringLiteral("pass_us"), s.passUs},
        {QStringLiteral("clock_offset_us"), s.clockOffsetUs},
        {QStringLiteral("clock_uncertainty_us"), s.clockUncertaintyUs},
        {QStringLiteral("server"), textOrNull(s.server)},
        {QStringLiteral("instance"), textOrNull(s.instance)},
        {QStringLiteral("counts"), s.counts.areTold() ? QJsonValue(counts) : QJsonValue()},
        {QStringLiteral("schemes"), schemes},
        {QStringLiteral("access"), access},
        {QStringLiteral("findings"), findings},
        {QStringLiteral("error"), failed ? errorValue(s.error) : QJsonValue()}};
}

QJsonObject withAgent(QJsonObject record, const QString &agent, const QString &label)
{
    record.insert(QStringLiteral("agent"), agent);
    for (const char *member : {"source", "name"}) { // a source's own record has its name
        const QString name = record.value(QLatin1String(member)).toString();
        if (!label.isEmpty() && name.startsWith(label + QLatin1Char('/')))
            record.insert(QLatin1String(member), name.sliced(label.size() + 1));
    }
    return record;
}

QJsonObject statusObject(const protocol::Status &s)
{
    QJsonArray sources;
    for (const domain::SourceState &source : s.sources)
        sources.append(sourceObject(source, s.wallUs));
    return {{QStringLiteral("agent"), s.agent},
            {QStringLiteral("version"), s.version},
            {QStringLiteral("seq"), qint64(s.lastSeq)},
            {QStringLiteral("first_seq"), qint64(s.firstSeq)},
            {QStringLiteral("started_us"), s.startedWallUs},
            {QStringLiteral("t_us"), s.wallUs},
            {QStringLiteral("journal_bytes"), s.journalBytes},
            {QStringLiteral("disk_free_bytes"), s.diskFreeBytes},
            {QStringLiteral("sessions"), s.sessions},
            {QStringLiteral("journal_error"), errorValue(s.journalError)},
            {QStringLiteral("election"), electionValue(s.election)},
            {QStringLiteral("sources"), sources}};
}

QJsonObject releaseObject(const protocol::ReleaseResult &result, const domain::LockState &state,
                          const QString &willRun)
{
    // An answer from the audit has no store time, and only its detail mentions replicas.
    const bool told = result.outcome == domain::Outcome::Released && !result.dryRun && result.storeUs;
    return {{QStringLiteral("outcome"), latin(domain::outcomeName(result.outcome))},
            {QStringLiteral("dry_run"), result.dryRun},
            {QStringLiteral("source"), state.key.source},
            {QStringLiteral("scheme"), textOrNull(state.key.scheme)},
            {QStringLiteral("place"), textOrNull(state.key.place)},
            {QStringLiteral("lock"), base::textOf(state.key.name)},
            {QStringLiteral("holder"), state.ownerKnown ? textOrNull(state.owner) : QJsonValue()},
            {QStringLiteral("guard"), textOrNull(state.guard)},
            {QStringLiteral("will_run"), textOrNull(willRun)},
            {QStringLiteral("command"), textOrNull(result.command)},
            {QStringLiteral("audit_id"), numberOrNull(result.auditId)},
            {QStringLiteral("ends_us"), numberOrNull(result.endsUs)},
            {QStringLiteral("store_us"), number(result.storeUs)},
            {QStringLiteral("replicated"), told ? QJsonValue(result.replicated) : QJsonValue()},
            {QStringLiteral("nodes"), nodeOutcomeList(result.nodes)},
            {QStringLiteral("error"), errorValue(result.error)}};
}

QJsonValue errorValue(const base::Error &error)
{
    if (error == base::Error())
        return {};
    return QJsonObject{{QStringLiteral("code"), latin(base::errorName(error.code))},
                       {QStringLiteral("cause"), textOrNull(error.cause)},
                       {QStringLiteral("remedy"), textOrNull(error.remedy)}};
}

QByteArray jsonLine(const QJsonObject &object)
{
    return base::compactJson(QJsonDocument(object)) + '\n';
}

} // namespace lockkeeper::app::records
