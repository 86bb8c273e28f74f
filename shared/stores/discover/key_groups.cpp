// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/key_groups.h"

#include "shared/base/java_text.h"
#include "shared/base/text.h"
#include "shared/stores/discover/key_clients.h"
#include "shared/stores/discover/key_names.h"
#include "shared/stores/discover/value_shape.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace lockkeeper::stores::discover {

namespace {

constexpr qsizetype kFewWords = 16; ///< this many different words may distinguish namespaces
constexpr qsizetype kFewNames = 4;  ///< from so many alike on, what comes before the word is a name, too
constexpr qsizetype kFewKeys = 3;
constexpr qsizetype kMostGroups = 2'000; ///< users read no more than this: the rest goes into one

/** The parts of a name's pattern. */
struct PatternParts
{
    QByteArray match;
    QByteArray prefix;
    QByteArray wider; ///< the same with every part before the word for locks left open; empty: none
};

/** A glob under way: literals as they are, and one `*` for what varies. */
class Glob
{
public:
    void literal(const QByteArray &text)
    {
        m_match += escapedGlob(text);
        if (!m_open)
            m_prefix += text;
    }
    void any()
    {
        if (!m_match.endsWith('*') || m_match.endsWith("\\*"))
            m_match += '*';
        m_open = true;
    }
    QByteArray match() const { return m_match; }
    QByteArray prefix() const { return m_prefix; }

private:
    QByteArray m_match;
    QByteArray m_prefix;
    bool m_open = false;
};

/** Digits at a part's end vary: "lock17". `isHead`: the word for locks is in it, so that it stays. */
void addPart(Glob &glob, const QByteArray &text, const QByteArray &separator, bool isHead = false)
{
    qsizetype letters = text.size();
    while (letters > 0 && text.at(letters - 1) >= '0' && text.at(letters - 1) <= '9')
        --letters;
    if (letters > 0 && letters < text.size() && (isHead || isWord(text.first(letters)))) {
        glob.literal(text.first(letters));
        glob.any();
    } else if (isHead || isWord(text)) {
        glob.literal(text);
    } else {
        glob.any();
    }
    glob.literal(separator);
}

/** Up to the part with the word for locks; what follows varies. */
PatternParts cutAtWord(const QList<NamePart> &parts, qsizetype at)
{
    Glob glob;
    Glob wider;
    for (qsizetype i = 0; i <= at; ++i) {
        addPart(glob, parts.at(i).text, i < at ? parts.at(i).separator : QByteArray(), i == at);
        if (i == at)
            addPart(wider, parts.at(i).text, {}, true);
        else if (i + 1 == at) {
            wider.any();
            wider.literal(parts.at(i).separator);
        }
    }
    for (Glob *one : {&glob, &wider}) {
        if (at + 1 < parts.size()) {
            one->literal(parts.at(at).separator);
            one->any();
        }
    }
    return {glob.match(), glob.prefix(), at > 0 ? wider.match() : QByteArray()};
}

/** The separator that cuts a name first. */
char mainSeparator(const QByteArray &name)
{
    for (const char c : QByteArrayView(":/|.#-_")) {
        if (name.contains(c))
            return c;
    }
    return '\0';
}

/** How many different words follow each beginning; counted no further than is asked. */
class Branches
{
public:
    void add(const QByteArray &name)
    {
        const char separator = mainSeparator(name);
        for (qsizetype end = separator ? name.indexOf(separator) : -1; end >= 0;) {
            const qsizetype next = name.indexOf(separator, end + 1);
            QSet<QByteArray> &children = m_children[name.first(end + 1)];
            if (children.size() <= kFewWords)
                children.insert(name.mid(end + 1, (next < 0 ? name.size() : next) - end - 1));
            end = next;
        }
    }

    PatternParts cut(const QByteArray &name) const
    {
        const char separator = mainSeparator(name);
        Glob glob;
        if (!separator) {
            addPart(glob, name, {});
            return {glob.match(), glob.prefix(), {}};
        }
        qsizetype end = name.indexOf(separator);
        if (!isWord(QByteArrayView(name).first(end))) {
            glob.any();
            return {glob.match(), {}, {}};
        }
        for (;;) {
            const qsizetype next = name.indexOf(separator, end + 1);
            if (next < 0 || !isWord(QByteArrayView(name).sliced(end + 1, next - end - 1)) ||
                m_children.value(name.first(end + 1)).size() > kFewWords)
                break;
            end = next;
        }
        glob.literal(name.first(end + 1));
        glob.any();
        return {glob.match(), glob.prefix(), {}};
    }

private:
    QHash<QByteArray, QSet<QByteArray>> m_children;
};

/** Gathers keys under their patterns. */
class PatternSorter
{
public:
    void add(const KeyFacts &key, const PatternParts &cut)
    {
        const QByteArray id = cut.match + '\0' + char(key.type);
        auto at = m_at.find(id);
        if (at == m_at.end() && m_groups.size() >= kMostGroups)
            return add(key, {"*", {}, {}});
        if (at == m_at.end()) {
            at = m_at.insert(id, m_groups.size());
            m_groups.append({cut.match, cut.prefix, key.type, {}});
            m_wider.append(cut.wider);
        }
        m_groups[*at].keys.append(key);
    }

    /** Names that differ before the word for locks, with few keys each, become one pattern. */
    void widen()
    {
        QHash<QByteArray, QList<qsizetype>> alike;
        for (qsizetype i = 0; i < m_groups.size(); ++i) {
            if (!m_wider.at(i).isEmpty() && m_groups.at(i).keys.size() <= kFewKeys)
                alike[m_wider.at(i) + '\0' + char(m_groups.at(i).type)].append(i);
        }
        for (const QList<qsizetype> &indexes : alike) {
            if (indexes.size() < kFewNames)
                continue;
            KeyGroup &first = m_groups[indexes.first()];
            first.match = m_wider.at(indexes.first());
            first.prefix.clear();
            for (const qsizetype other : indexes.mid(1))
                first.keys.append(std::exchange(m_groups[other].keys, {}));
        }
    }

    QList<KeyGroup> take()
    {
        m_groups.removeIf([](const KeyGroup &group) { return group.keys.isEmpty(); });
        std::sort(m_groups.begin(), m_groups.end(), [](const KeyGroup &a, const KeyGroup &b) {
            return a.match != b.match ? a.match < b.match : a.type < b.type;
        });
        return std::move(m_groups);
    }

private:
    QList<KeyGroup> m_groups;
    QByteArrayList m_wider; ///< by group
    QHash<QByteArray, qsizetype> m_at;
};

/** One key alone is its own pattern, where its name is made of words. */
void nameTheSingle(KeyGroup &group)
{
    if (group.keys.size() != 1 || !group.match.endsWith('*'))
        return;
    const QByteArray &name = group.keys.first().name;
    if (plainName(name) != name)
        return; // no configuration can hold the header's bytes
    const QList<NamePart> parts = partsOf(name);
    const bool words =
        std::all_of(parts.begin(), parts.end(), [](const NamePart &part) { return isWord(part.text); });
    if (!words || readName(parts).part == 0)
        return; // "lock:orders" will have company
    group.match = escapedGlob(name);
    group.prefix = name;
}

void noteHelper(KeyGroup &group, Helper::HelperRole kind)
{
    group.fair = group.fair || kind == Helper::HelperRole::Queue;
    group.readWrite = group.readWrite || kind == Helper::HelperRole::Readers;
    group.woken = group.woken || kind == Helper::HelperRole::Wakeup;
}

/** The pattern of a client whose names end as no other's do; none where the key isn't such a client's. */
std::optional<PatternParts> ownEndOf(const KeyFacts &key)
{
    for (const KnownClient &client : knownClients()) {
        if (client.ownEnd && client.type == key.type && base::globMatches(client.match, key.name))
            return PatternParts{client.match, {}, {}};
    }
    return std::nullopt;
}

/** Names within Java's serialisation: its header has bytes that no configuration can hold, and a length. */
PatternParts behindHeader(PatternParts cut)
{
    const QByteArray header(base::kJavaHeader, '?');
    cut.match.prepend(header);
    cut.prefix.clear();
    if (!cut.wider.isEmpty())
        cut.wider.prepend(header);
    return cut;
}

} // namespace

QList<KeyGroup> groupsOf(const QList<KeyFacts> &keys)
{
    constexpr QByteArrayView kLocked(":LOCKED");
    QSet<QByteArray> digests; // sidekiq-unique-jobs keeps the last job there, and :INFO, :QUEUED, … beside
    for (const KeyFacts &key : keys) {
        if (key.type == KeyType::Hash && key.name.endsWith(kLocked))
            digests.insert(key.name.chopped(kLocked.size()));
    }
    QHash<QByteArray, QList<Helper::HelperRole>> helpers;
    QHash<QByteArray, KeyFacts> permits;
    QList<const KeyFacts *> plain;
    Branches branches;
    for (const KeyFacts &key : keys) {
        const auto helper = helperOf(key.name);
        // "{x}:timeout" may be anybody's; a semaphore keeps a sorted set there.
        const bool really =
            helper && (helper->kind != Helper::HelperRole::Permits || key.type == KeyType::SortedSet);
        const bool beside =
            !key.name.endsWith(kLocked) &&
            digests.contains(key.name.first(std::max<qsizetype>(0, key.name.lastIndexOf(':'))));
        if (beside || digests.contains(key.name))
            continue;
        if (really) {
            helpers[helper->lock].append(helper->kind);
            if (helper->kind == Helper::HelperRole::Permits)
                permits.insert(helper->lock, key);
        } else {
            plain.append(&key);
            branches.add(plainName(key.name));
        }
    }
    PatternSorter sorter;
    for (const KeyFacts *key : plain) {
        if (const auto own = ownEndOf(*key)) {
            sorter.add(*key, *own);
            continue;
        }
        const QByteArray name = plainName(key->name);
        const QList<NamePart> parts = partsOf(name);
        const NameReading reading = readName(parts);
        const PatternParts cut = reading.part >= 0 ? cutAtWord(parts, reading.part) : branches.cut(name);
        sorter.add(*key, name == key->name ? cut : behindHeader(cut));
    }
    sorter.widen();
    QList<KeyGroup> groups = sorter.take();
    for (KeyGroup &group : groups) {
        for (const KeyFacts &key : group.keys) {
            for (const Helper::HelperRole kind : helpers.value(key.name))
                noteHelper(group, kind);
            if (const auto set = permits.constFind(key.name); set != permits.constEnd())
                group.permits.append(*set);
        }
        nameTheSingle(group);
    }
    return groups;
}

} // namespace lockkeeper::stores::discover
