// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/look_command.h"
#include "app/cli/tables.h"
#include "app/cli/times.h"
#include "app/records/records.h"
#include "app/words/error_words.h"
#include "shared/base/signing_key.h"

#include <QFile>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

namespace lockkeeper::app::cli {

using namespace records;

namespace {

constexpr qint64 kAuditPage = 1000;
/** An agent signs at each hundredth record and each hour. */
constexpr qint64 kUnsignedRecords = 100;
constexpr qint64 kUnsignedUs = 2 * 3'600'000'000;

struct AuditOptions
{
    bool verify = false;
    std::optional<base::PublicKey> key; ///< with `verify`: the key that must have signed the chain
    qint64 limit = 1000;                ///< 0: all
    qint64 atLeast = 0;                 ///< with `verify`: the least expected number of records
    QByteArray head;                    ///< with `verify`: the hash of an expected record
    bool printsHead = false;            ///< prints only the head, for a later comparison
};

/** The audit; with `verify` the exit status is 1 if the chain is broken. */
class AuditCommand final : public Command
{
    Q_OBJECT

public:
    AuditCommand(const AuditOptions &options, Context &context) : Command(context), m_options(options) {}

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    void ask();
    void print(const QList<domain::AuditEntry> &entries, const std::function<void()> &then = {});
    void conclude();
    void printHead();
    QString chainFault() const;
    QString expectationFault() const;
    QString signatureFault() const;

    AuditOptions m_options;
    std::optional<qint64> m_before;
    qint64 m_count = 0;
    QList<domain::AuditEntry> m_entries; ///< with several agents, those of this agent
    std::optional<protocol::AuditPage> m_chain;
};

void AuditCommand::connected(const protocol::Welcome &)
{
    ask();
}

void AuditCommand::ask()
{
    protocol::AuditQuery query;
    query.id = 1;
    query.beforeId = m_before;
    query.limit = int(m_options.limit == 0 ? kAuditPage : std::min(kAuditPage, m_options.limit - m_count));
    query.verify = (m_options.verify || m_options.printsHead) && !m_chain;
    query.soughtHash = m_options.head;
    if (m_options.key)
        query.keyId = m_options.key->id();
    if (m_options.printsHead)
        query.limit = 1;
    send(query);
}

void AuditCommand::received(const protocol::Message &message)
{
    const auto *page = std::get_if<protocol::AuditPage>(&message);
    if (!page)
        return;
    if ((m_options.verify || m_options.printsHead) && !m_chain) {
        m_chain = *page;
        m_chain->entries.clear();
    }
    if (m_options.printsHead) {
        printHead();
        return;
    }
    m_count += page->entries.size();
    const bool full = m_options.limit != 0 && m_count >= m_options.limit;
    if (page->more && !full && !page->entries.isEmpty()) {
        m_before = page->entries.constLast().id;
        print(page->entries, [this] { ask(); });
        return;
    }
    print(page->entries);
    conclude();
}

void AuditCommand::printHead()
{
    if (const QString fault = chainFault(); !fault.isEmpty()) {
        context().out.note(fault);
        finish(Exit::Failed);
        return;
    }
    const QString hash = QString::fromLatin1(m_chain->hash.toHex());
    if (context().json)
        write(jsonLine({{QStringLiteral("agent"), agent()},
                        {QStringLiteral("records"), m_chain->records},
                        {QStringLiteral("hash"), hash},
                        {QStringLiteral("t_us"), m_chain->checkedUs}}));
    else
        write(tr("%1 at %2 %3: the audit has %4 records. Compare later: "
                 "lockkeeperctl audit --verify --at-least %4 --head %5",
                 "agent, time, zone, number, hash")
                  .arg(base::displayText(agent()), timeText(m_chain->checkedUs), zoneName(m_chain->checkedUs))
                  .arg(m_chain->records)
                  .arg(hash)
                  .toUtf8() +
              '\n');
    finish(Exit::Done);
}

void AuditCommand::print(const QList<domain::AuditEntry> &entries, const std::function<void()> &then)
{
    QByteArray lines;
    if (context().part) {
        m_entries += entries;
    } else if (context().json) {
        for (const domain::AuditEntry &entry : entries)
            lines += jsonLine(auditObject(entry));
    } else if (!entries.isEmpty()) {
        lines = auditTable(entries).render(context().terminal.width, context().terminal.colours).toUtf8();
    }
    write(lines, then);
}

void AuditCommand::conclude()
{
    if (context().part)
        context().part->audit = m_entries;
    else if (!context().json && m_count == 0)
        context().out.note(tr("the audit is empty"));
    if (!m_chain) {
        finish(Exit::Done);
        return;
    }
    if (context().json) {
        QJsonObject chain = chainObject(*m_chain);
        if (context().part)
            chain.insert(QStringLiteral("agent"), agent());
        write(jsonLine(chain));
    }
    for (const QString &fault : {chainFault(), expectationFault(), signatureFault()}) {
        if (fault.isEmpty())
            continue;
        context().out.note(fault);
        finish(Exit::Failed);
        return;
    }
    if (!context().json) {
        QString text =
            tr("Chain verified at %1 %2.").arg(timeText(m_chain->checkedUs), zoneName(m_chain->checkedUs));
        if (const auto &anchor = m_chain->anchor)
            text += QLatin1Char(' ') + tr("Compared with the head of %1 records that was signed at %2 %3.")
                                           .arg(anchor->records)
                                           .arg(timeText(anchor->timeUs), zoneName(anchor->timeUs));
        if (m_options.key)
            text += QLatin1Char(' ') + tr("Signed with this key until record %1 of %2.")
                                           .arg(m_chain->signature->records)
                                           .arg(m_chain->records);
        for (const qint64 id : std::as_const(m_chain->accepted))
            text += QLatin1Char(' ') + tr("An incomplete audit was accepted: entry %1.").arg(id);
        if (context().part)
            text.prepend(base::displayText(agent()) + QStringLiteral(": "));
        write((text + QLatin1Char('\n')).toUtf8());
    }
    finish(Exit::Done);
}

/** The reason why the agent rejects the chain; empty if the chain is intact. */
QString AuditCommand::chainFault() const
{
    if (m_chain->verified)
        return {};
    const QString where = m_chain->firstBadId ? tr("entry %1").arg(*m_chain->firstBadId) : tr("its end");
    return tr("the chain of the audit is broken at %1: %2", "entry, cause")
        .arg(where, words::ErrorWords::line(m_chain->fault));
}

/** The reason why the chain doesn't match the caller's earlier knowledge; empty if it matches. */
QString AuditCommand::expectationFault() const
{
    if (m_chain->records < m_options.atLeast)
        return tr("the audit has %1 records and should have %2: the last ones are missing")
            .arg(m_chain->records)
            .arg(m_options.atLeast);
    if (!m_options.head.isEmpty() && !m_chain->soughtRecord)
        return tr("no record of the audit has the hash %1: it was rewritten, or is another agent's")
            .arg(QString::fromLatin1(m_options.head.toHex()));
    if (m_chain->anchor || !m_options.head.isEmpty())
        return {};
    return tr(
        "the chain holds, but there was no earlier head to compare it with: a shorter chain, or "
        "another one, would look the same. Compare it with a head of your own (--at-least, --head), and "
        "see in the agent's log why none is kept beside its key");
}

/** The reason why the given key doesn't verify the chain; empty if it does. */
QString AuditCommand::signatureFault() const
{
    if (!m_options.key)
        return {};
    const auto &signature = m_chain->signature;
    if (!signature || !signature->isBy(*m_options.key))
        return tr("the audit isn't signed with this key. Compare it with the agent's audit.key.pub");
    if (m_chain->records - signature->records < kUnsignedRecords &&
        m_chain->checkedUs - signature->timeUs < kUnsignedUs)
        return {};
    return tr("the last signature with this key is of %1 %2, at record %3 of %4. The agent's log says why it "
              "signs no more")
        .arg(timeText(signature->timeUs), zoneName(signature->timeUs))
        .arg(signature->records)
        .arg(m_chain->records);
}

class AuditSpec final : public LookSpec, public WithOptions<AuditOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"audit", tr("force-releases: who, what, when, why, outcome"), "audit",
                "audit --verify --limit 20"};
    }
    void declare(Arguments &arguments) override;
    void check(Arguments &arguments) override;
    QString whyOneAgent() const override
    {
        if (options.key)
            return tr("--public-key: each agent signs with its own key. Query one agent");
        return options.printsHead || !options.head.isEmpty() || options.atLeast > 0
                   ? tr("--head, --at-least: each agent has its own audit. Query one agent")
                   : QString();
    }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<AuditCommand>(options, context);
    }
    bool printsAlone(const Context &) const override { return true; }
    void print(Listing &listing) const override;

private:
    void readKey(Arguments &arguments);

    QString m_keyFile;
    std::optional<QString> m_head; ///< as typed; empty: the head is to be printed
};

void AuditSpec::declare(Arguments &arguments)
{
    CLI::Option *verify = arguments.flag("--verify", options.verify, help("verify the chain of entries"));
    arguments
        .text("--public-key", m_keyFile,
              help("the agent's audit.key.pub: the chain must be signed with its key"))
        ->needs(verify);
    arguments.number("--at-least", options.atLeast,
                     help("with --verify: the number of records that the audit must have"));
    arguments
        .text("--head", m_head,
              help("print the number of records and the last one's hash, for a ticket or another machine; "
                   "with --verify and HASH: the audit must have a record with this hash"))
        ->expected(0, 1);
    arguments.number("--limit", options.limit, help("maximum number, newest first, 0: all (default 1000)"));
}

void AuditSpec::check(Arguments &arguments)
{
    if (!m_keyFile.isEmpty())
        readKey(arguments);
    options.printsHead = m_head && m_head->isEmpty();
    const bool expectsHead = m_head && !options.printsHead;
    options.head = QByteArray::fromHex(m_head.value_or(QString()).toUtf8());
    if (expectsHead && (m_head->size() != 64 || options.head.size() != 32))
        arguments.blame("--head", tr("a record's hash has 64 hexadecimal digits"),
                        tr("Copy it from what 'lockkeeperctl audit --head' printed"));
    else if (!options.verify && (expectsHead || options.atLeast > 0))
        arguments.blame(options.atLeast > 0 ? "--at-least" : "--head", tr("it needs --verify"));
}

void AuditSpec::readKey(Arguments &arguments)
{
    QFile file(m_keyFile);
    const bool opened = file.open(QIODevice::ReadOnly);
    const auto key = base::PublicKey::fromPem(opened ? file.read(10'000) : QByteArray());
    if (key)
        options.key = *key;
    else
        arguments.blame(qPrintable(QStringLiteral("--public-key %1").arg(m_keyFile)),
                        opened ? key.error().cause : file.errorString());
}

void AuditSpec::print(Listing &listing) const
{
    QList<qsizetype> agents;
    for (qsizetype i = 0; i < listing.agents().count(); ++i) {
        if (listing.part(i).audit) // also if the chain is broken
            agents.append(i);
    }
    const auto later = [](const domain::AuditEntry &a, const domain::AuditEntry &b) {
        return a.timeUs > b.timeUs;
    };
    const auto merged = listing.merge<domain::AuditEntry>(
        agents,
        [](const AgentPart &part) {
            return Answers<domain::AuditEntry>{*part.audit, false};
        },
        later, options.limit == 0 ? std::numeric_limits<qsizetype>::max() : qsizetype(options.limit));
    for (const Merged<domain::AuditEntry> &one : merged.list) {
        if (listing.isJson())
            listing.write(auditObject(one.item), one.agent);
        else
            listing.add(auditTable({one.item}), listing.label(one.agent));
    }
    if (!listing.isJson())
        listing.show(tr("the audit is empty"));
    for (qsizetype i = 0; i < listing.agents().count(); ++i)
        listing.context().out.write(listing.agents().written(i)); // the verdict on its chain
}

} // namespace

std::unique_ptr<CommandSpec> auditCommand()
{
    return std::make_unique<AuditSpec>();
}

} // namespace lockkeeper::app::cli

#include "audit_command.moc"
