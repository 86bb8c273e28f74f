// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/attempts/probe_counter.h"

#include "shared/base/text.h"

#include <algorithm>
#include <tuple>

namespace lockkeeper::stores::redis {

namespace {

/** Digits alone, at most 12 of them; empty where it is anything else. */
std::optional<qint64> digits(QByteArrayView text)
{
    const bool all = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    return all && !text.isEmpty() && text.size() <= 12 ? std::optional(text.toLongLong()) : std::nullopt;
}

/** Takes what an escape stands for off the front of `rest`, which is behind the '\'. */
std::optional<char> unescaped(QByteArrayView &rest)
{
    static constexpr QByteArrayView kLetters("\\\"nrtab");
    static constexpr QByteArrayView kMeanings("\\\"\n\r\t\a\b");
    if (rest.isEmpty())
        return std::nullopt;
    const qsizetype letter = kLetters.indexOf(rest.front());
    if (letter >= 0) {
        rest = rest.sliced(1);
        return kMeanings.at(letter);
    }
    static constexpr QByteArrayView kHex("0123456789abcdef");
    if (rest.size() < 3 || rest.front() != 'x' || !kHex.contains(rest.at(1)) || !kHex.contains(rest.at(2)))
        return std::nullopt;
    const auto byte = char(kHex.indexOf(rest.at(1)) * 16 + kHex.indexOf(rest.at(2)));
    rest = rest.sliced(3);
    return byte;
}

/** Takes `"word"` off the front of `rest`. */
std::optional<QByteArray> quoted(QByteArrayView &rest)
{
    if (!rest.startsWith('"'))
        return std::nullopt;
    QByteArray word;
    for (rest = rest.sliced(1); !rest.isEmpty();) {
        const char c = rest.front();
        rest = rest.sliced(1);
        if (c == '"')
            return word;
        if (c < 0x20 || c > 0x7e) // would have been written as an escape
            return std::nullopt;
        const auto byte = c == '\\' ? unescaped(rest) : std::optional(c);
        if (!byte)
            return std::nullopt;
        word += *byte;
    }
    return std::nullopt;
}

/** "set key value … NX": the word is an option only behind the value. */
bool isSetIfAbsent(const QList<QByteArray> &words)
{
    return std::any_of(words.cbegin() + std::min<qsizetype>(words.size(), 3), words.cend(),
                       [](const QByteArray &word) { return word.compare("nx", Qt::CaseInsensitive) == 0; });
}

} // namespace

std::optional<MonitorLine> readMonitorLine(QByteArrayView line)
{
    const qsizetype point = line.indexOf('.');
    const qsizetype bracket = line.indexOf(" [");
    const qsizetype space = line.indexOf(' ', bracket + 1);
    const qsizetype end = line.indexOf("] \"");
    if (point < 0 || bracket != point + 7 || space < 0 || end <= space + 1)
        return std::nullopt;
    const auto seconds = digits(line.first(point));
    const auto microseconds = digits(line.sliced(point + 1, 6));
    const auto database = digits(line.sliced(bracket + 2, space - bracket - 2));
    if (!seconds || !microseconds || !database || *database > 0x7fffffff)
        return std::nullopt;
    MonitorLine read{*seconds * 1'000'000 + *microseconds,
                     int(*database),
                     line.sliced(space + 1, end - space - 1).toByteArray(),
                     {}};
    for (QByteArrayView rest = line.sliced(end + 1); !rest.isEmpty();) {
        if (!rest.startsWith(' '))
            return std::nullopt;
        rest = rest.sliced(1);
        const auto word = quoted(rest);
        if (!word)
            return std::nullopt;
        read.words.append(*word);
    }
    return read;
}

void ProbeCounter::take(QByteArrayView line)
{
    ++m_lines;
    const auto read = readMonitorLine(line);
    if (!read) {
        ++m_unreadable;
        return;
    }
    m_nowUs = read->timeUs;
    if (!read->isOfScript()) {
        m_client = read->client;
        m_inScript.clear();
    }
    if (read->database != m_database || read->words.size() < 2)
        return;
    const QByteArray name = read->words.constFirst().toLower();
    if (read->isOfScript() && name == "exists") {
        std::for_each(read->words.cbegin() + 1, read->words.cend(), [this](const QByteArray &key) {
            attempt(key);
            m_inScript.insert(key);
        });
    } else if ((name == "setnx" || (name == "set" && isSetIfAbsent(read->words))) &&
               !m_inScript.contains(read->words.at(1))) {
        attempt(read->words.at(1));
    }
}

void ProbeCounter::attempt(const QByteArray &key)
{
    if (std::none_of(m_patterns.cbegin(), m_patterns.cend(),
                     [&key](const QByteArray &pattern) { return base::globMatches(pattern, key); }))
        return;
    ProbeCount &count = m_counts[{key, m_client}];
    count.lock = key;
    count.client = m_client;
    ++count.attempts;
    ++count.uncertain;
}

QList<ProbeCount> ProbeCounter::counts() const
{
    QList<ProbeCount> counts = m_counts.values();
    std::sort(counts.begin(), counts.end(), [](const ProbeCount &a, const ProbeCount &b) {
        return std::tie(b.attempts, a.lock, a.client) < std::tie(a.attempts, b.lock, b.client);
    });
    return counts;
}

} // namespace lockkeeper::stores::redis
