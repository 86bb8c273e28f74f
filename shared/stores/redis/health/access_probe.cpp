// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/health/access_probe.h"

#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/redis/connection/redirect.h"
#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/redis/schemes/key_scheme.h"

#include <QSet>

#include <algorithm>
#include <hiredis/hiredis.h>
#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;
using domain::Access;

namespace {

enum class ProbeForm : quint8 { Command, Deadline, Script };

struct AccessQuestion
{
    ProbeForm probe = ProbeForm::Command;
    QByteArray need;
    int set = -1; ///< none: the command takes no key
    bool forBreaking = false;
    QByteArray rule; ///< of a Script: the rule that grants it
};

class RightsProbe final : public ReplySink
{
public:
    using Done = std::function<void(const base::Result<ProbedRights> &)>;

    RightsProbe(RedisConnection &connection, const RedisFacts &facts, Done done)
        : m_connection(connection), m_facts(facts), m_done(std::move(done))
    {
    }

    void setAskers(QList<AclSubject> askers) { m_askers = std::move(askers); }

    void ask(CommandBatch &batch, const AccessQuestion &question, const QList<QByteArray> &arguments)
    {
        batch.add(arguments);
        m_questions.append(question);
    }

    void take(const redisReply *reply) override
    {
        const AccessQuestion question = m_questions.takeFirst();
        // In a cluster: a node that lacks the key has accepted the user, and runs nothing.
        const bool elsewhere =
            isError(reply) && (sendsElsewhere(bytesOf(reply)) || isError(reply, "CLUSTERDOWN"));
        if (reply != nullptr)
            noteRule(question, reply);
        if (reply == nullptr) {
            m_lost = true;
        } else if (isError(reply, "CLUSTERDOWN The cluster is down")) {
            m_down = true; // it serves no key yet
        } else if (elsewhere) {
            takeElsewhere(question);
        } else if (question.probe == ProbeForm::Deadline) {
            takeDeadline(question, reply);
        } else if (question.probe == ProbeForm::Script) {
            takeScript(question, reply);
        } else {
            takeCommand(question, reply);
        }
        if (m_questions.isEmpty())
            finish();
    }

private:
    AclSubject asker(const AccessQuestion &question) const { return m_askers.value(question.set + 1); }

    /** Granted until one of the sets shows otherwise; the first remedy stays. */
    void note(const QByteArray &need, bool granted, const QString &remedy, bool forBreaking = false)
    {
        for (Access &access : m_rights.access) {
            if (access.need != need)
                continue;
            if (access.granted && !granted)
                access.remedy = remedy;
            access.granted = access.granted && granted;
            return;
        }
        m_rights.access.append({need, granted, forBreaking, granted ? QString() : remedy});
    }

    /** A refusal names only one missing rule. The other missing rules are those that no answer shows to be
     * granted. */
    void noteRule(const AccessQuestion &question, const redisReply *reply)
    {
        const bool script = question.probe == ProbeForm::Script;
        const bool refused = isError(reply, "NOPERM");
        const bool asked = script && !question.rule.isEmpty() && reply->type == REDIS_REPLY_INTEGER;
        if (!refused || deniedCommand(bytesOf(reply)).isEmpty())
            m_held.insert(!script                   ? '+' + question.need
                          : question.rule.isEmpty() ? QByteArrayLiteral("+evalsha")
                                                    : QByteArrayLiteral("+eval"));
        if (asked && reply->integer > 0)
            m_held += listOf(question.rule);
        if (refused || (asked && reply->integer == 0))
            m_shut.insert({question.set, question.forBreaking});
    }

    static QSet<QByteArray> listOf(const QByteArray &rules)
    {
        const QList<QByteArray> words = rules.split(' ');
        return {words.cbegin(), words.cend()};
    }

    /** The rules of every set for `purpose` that the user may lack. */
    QByteArray lacking(RightPurpose purpose) const
    {
        QList<QByteArray> patterns;
        QList<QByteArray> commands;
        for (int set = 0; set + 1 < m_askers.size(); ++set) {
            const bool shut = m_shut.contains({set, purpose == RightPurpose::Break});
            for (const QByteArray &rule : rulesOf(m_askers.at(set + 1), purpose).split(' ')) {
                const bool isCommand = rule.startsWith('+');
                QList<QByteArray> &rules = isCommand ? commands : patterns;
                if ((isCommand ? !m_held.contains(rule) : shut) && !rules.contains(rule))
                    rules.append(rule);
            }
        }
        if (purpose == RightPurpose::Break && !m_held.contains("+info"))
            commands.append("+info");
        return (patterns + commands).join(' ');
    }

    /** One statement for all that is missing to observe, and one for all that is missing to break. */
    void tellWholeStatements()
    {
        const QString grant = QStringLiteral("ACL SETUSER ");
        const auto lacks = [&grant](const Access &access) {
            return !access.granted && access.need != "wake" && access.remedy.startsWith(grant);
        };
        const bool breaks = std::ranges::any_of(
            m_rights.access, [&](const Access &access) { return access.forBreaking && lacks(access); });
        for (Access &access : m_rights.access) {
            const bool concerned = lacks(access) || (breaks && access.need == "wake" && !access.granted);
            const QByteArray rules =
                lacking(access.forBreaking ? RightPurpose::Break : RightPurpose::Observe);
            if (concerned && !rules.isEmpty())
                access.remedy = aclStatement(asker({}), rules);
        }
    }

    void takeElsewhere(const AccessQuestion &question)
    {
        if (question.probe == ProbeForm::Deadline && question.need == "pexpiretime")
            m_exact = true;
        else if (question.probe == ProbeForm::Deadline)
            return;
        if (question.probe != ProbeForm::Script ||
            question.rule.isEmpty()) // otherwise the key's node answers it
            note(question.need, true, {}, question.forBreaking);
    }

    void takeCommand(const AccessQuestion &question, const redisReply *reply)
    {
        const auto purpose = question.forBreaking ? RightPurpose::Break : RightPurpose::Observe;
        const Error error = errorOf(reply, asker(question), purpose);
        // Other errors (WRONGTYPE, NOSCRIPT) come from a command that was permitted.
        const bool denied =
            isError(reply) && (error.code == ErrorCode::PermissionDenied || lacksCommand(bytesOf(reply)));
        note(question.need, !denied, denied ? error.remedy : QString(), question.forBreaking);
    }

    void takeDeadline(const AccessQuestion &question, const redisReply *reply)
    {
        if (question.need == "pexpiretime") {
            m_exact = !isError(reply);
            m_exactKnown = m_exactKnown || bytesOf(reply).startsWith("NOPERM");
            m_exactRemedy = errorOf(reply, asker(question)).remedy;
            m_rights.exactDeadlines = m_rights.exactDeadlines && m_exact;
            if (m_exact)
                note(question.need, true, {});
            else if (m_exactKnown)
                note(question.need, false, m_exactRemedy);
            return;
        }
        if (m_exact)
            return; // PTTL isn't needed
        const bool denied = isError(reply, "NOPERM");
        note(question.need, !denied, denied ? errorOf(reply, asker(question)).remedy : QString());
    }

    void takeScript(const AccessQuestion &question, const redisReply *reply)
    {
        if (isError(reply, "NOSCRIPT")) {
            note(question.need, true, {}, true);
        } else if (isError(reply)) {
            note(question.need, false, errorOf(reply, asker(question), RightPurpose::Break).remedy, true);
        } else {
            const bool denied = reply->type == REDIS_REPLY_INTEGER && reply->integer == 0;
            note(question.need, !denied, denied ? aclStatement(asker(question), question.rule) : QString(),
                 true);
        }
    }

    void finish()
    {
        if (m_lost) {
            m_done(tl::unexpected<Error>(m_connection.failure()));
            return;
        }
        if (m_down) {
            m_done(tl::unexpected<Error>(
                Error{ErrorCode::Unreachable,
                      m_connection.endpoint().address() + QStringLiteral(": CLUSTERDOWN The cluster is down"),
                      {}}));
            return;
        }
        const bool info = m_facts.infoDenied.code == ErrorCode::Unknown;
        note("info", info, m_facts.infoDenied.remedy);
        if (info)
            m_held.insert("+info");
        if (!info)
            note("release", false, m_facts.infoDenied.remedy, true); // no run id, no guard
        tellWholeStatements();
        if (!m_rights.exactDeadlines && m_exactKnown)
            m_rights.warning = {
                ErrorCode::PermissionDenied,
                QStringLiteral("PEXPIRETIME is forbidden: deadlines are known to a few milliseconds"),
                m_exactRemedy};
        m_done(m_rights);
    }

    RedisConnection &m_connection;
    RedisFacts m_facts;
    Done m_done;
    QList<AclSubject> m_askers; ///< for commands without a key, then by set
    QList<AccessQuestion> m_questions;
    ProbedRights m_rights;
    QSet<QByteArray> m_held;           ///< rules that an answer has shown to be granted
    QSet<std::pair<int, bool>> m_shut; ///< sets of which something is refused, to observe and to break
    QString m_exactRemedy;
    bool m_exact = true;
    bool m_exactKnown = false; ///< the command exists and is forbidden
    bool m_lost = false;
    bool m_down = false;
};

void askForSet(RightsProbe &sink, CommandBatch &batch, int set, const KeyScheme &scheme,
               const QByteArray &key)
{
    static const QByteArray kNoScript(40, '0');
    if (scheme.readsDeadlines()) {
        sink.ask(batch, {ProbeForm::Deadline, "pexpiretime", set, false, {}}, {"PEXPIRETIME", key});
        sink.ask(batch, {ProbeForm::Deadline, "pttl", set, false, {}}, {"PTTL", key});
    }
    sink.ask(batch, {ProbeForm::Script, "release", set, true, {}}, {"EVALSHA", kNoScript, "1", key});
    for (const RightQuestion &right : scheme.rights(key)) {
        const bool wakes = right.kind == RightQuestion::Wake;
        if (right.kind != RightQuestion::Write && !wakes) {
            const bool toBreak = right.kind == RightQuestion::Break;
            sink.ask(batch, {ProbeForm::Command, right.need, set, toBreak, {}}, right.command);
            continue;
        }
        sink.ask(batch, {ProbeForm::Script, wakes ? "wake" : "release", set, true, right.need},
                 QList<QByteArray>{"EVAL", clientScript("probe").text, "1"} + right.command);
    }
}

} // namespace

QByteArray sampleOf(QByteArrayView pattern)
{
    QByteArray name;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c == '*')
            continue;
        if (c == '?') {
            name += 'x';
        } else if (c == '\\' && i + 1 < pattern.size()) {
            name += pattern[++i];
        } else if (c == '[' && i + 1 < pattern.size()) {
            const bool negated = pattern[i + 1] == '^' || pattern[i + 1] == '!';
            name += negated ? '_' : pattern[i + 1];
            const qsizetype close = pattern.indexOf(']', i + 2);
            i = close < 0 ? pattern.size() : close;
        } else {
            name += c;
        }
    }
    return name;
}

namespace {

QList<AclSubject> askersOf(const SourceSpec &spec, const KeySchemes &schemes, AclSubject asker)
{
    QList<AclSubject> askers{asker};
    for (qsizetype set = 0; set < spec.locks.size(); ++set) {
        const KeyScheme &scheme = *schemes.at(size_t(set));
        asker.keys = spec.locks.at(set).match;
        asker.observeRules = scheme.observeRules();
        asker.breakRules = scheme.breakRules();
        askers.append(asker);
    }
    return askers;
}

} // namespace

QString observeStatement(const SourceSpec &spec, const KeySchemes &schemes, const QByteArray &user,
                         const QByteArray &more)
{
    QList<QByteArray> rules = more.split(' ');
    for (const AclSubject &asker : askersOf(spec, schemes, {user, {}}).sliced(1)) {
        for (const QByteArray &rule : rulesOf(asker, RightPurpose::Observe).split(' ')) {
            if (!rules.contains(rule))
                rules.append(rule);
        }
    }
    return aclStatement({user, {}}, rules.join(' '));
}

void probeRights(RedisConnection &connection, const SourceSpec &spec, const KeySchemes &schemes,
                 const RedisFacts &facts, std::function<void(const base::Result<ProbedRights> &)> done)
{
    auto sink = std::make_unique<RightsProbe>(connection, facts, std::move(done));
    const QList<AclSubject> askers =
        askersOf(spec, schemes,
                 {connection.endpoint().user, {}, facts.version.isEmpty() || facts.majorVersion() >= 7});
    CommandBatch batch;
    sink->ask(batch, {ProbeForm::Command, "scan", -1, false, {}}, {"SCAN", "0", "COUNT", "1"});
    sink->ask(batch, {ProbeForm::Command, "time", -1, false, {}}, {"TIME"});
    for (int set = 0; set < int(spec.locks.size()); ++set)
        askForSet(*sink, batch, set, *schemes.at(size_t(set)), sampleOf(spec.locks.at(set).match));
    sink->setAskers(askers);
    connection.send(std::move(sink), batch);
}

} // namespace lockkeeper::stores::redis
