// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/monitor/probe_counter.h"

#include "shared/base/text.h"

#include <QRegularExpression>

#include <algorithm>
#include <tuple>

namespace lockkeeper::stores::redis {

namespace {

constexpr qsizetype kMostCounts = 10'000; ///< of one report

/** Reads the byte that the escape at `at` stands for, and moves `at` behind the escape. */
std::optional<char> unescaped(QByteArrayView line, qsizetype &at)
{
    static constexpr QByteArrayView kLetters("\\\"nrtab"), kMeanings("\\\"\n\r\t\a\b"),
        kHex("0123456789abcdef");
    const QByteArrayView rest = line.sliced(++at);
    if (const qsizetype letter = rest.isEmpty() ? -1 : kLetters.indexOf(rest.front()); letter >= 0) {
        ++at;
        return kMeanings.at(letter);
    }
    if (rest.size() < 3 || rest.front() != 'x' || !kHex.contains(rest.at(1)) || !kHex.contains(rest.at(2)))
        return std::nullopt;
    at += 3;
    return char(kHex.indexOf(rest.at(1)) * 16 + kHex.indexOf(rest.at(2)));
}

/** Reads ` "word"` at `at`, and moves `at` behind it. */
std::optional<QByteArray> wordAt(QByteArrayView line, qsizetype &at)
{
    if (!line.sliced(at).startsWith(" \""))
        return std::nullopt;
    QByteArray word;
    for (at += 2; at < line.size();) {
        const char c = line.at(at);
        if (c == '"') {
            ++at;
            return word;
        }
        if (c < 0x20 || c > 0x7e) // would have been written as an escape
            return std::nullopt;
        const auto byte = c == '\\' ? unescaped(line, at) : std::optional(line.at(at++));
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
    static const QRegularExpression kHead(
        QStringLiteral(R"(\A(?<s>[0-9]{1,12})\.(?<us>[0-9]{6}) \[(?<db>[0-9]{1,9}) (?<client>.+)\z)"));
    qsizetype at = std::max<qsizetype>(line.indexOf("] \""), 0);
    const auto head = kHead.match(QString::fromLatin1(line.first(at)));
    if (!head.hasMatch())
        return std::nullopt;
    MonitorLine read{head.captured(u"s").toLongLong() * 1'000'000 + head.captured(u"us").toLongLong(),
                     head.captured(u"db").toInt(),
                     head.captured(u"client").toLatin1(),
                     {}};
    for (++at; at < line.size();) {
        const auto word = wordAt(line, at);
        if (!word)
            return std::nullopt;
        read.words.append(*word);
    }
    return read;
}

void keepMost(ProbeReport &report)
{
    std::ranges::sort(report.counts, [](const ProbeCount &a, const ProbeCount &b) {
        return std::tie(b.attempts, a.lock, a.client) < std::tie(a.attempts, b.lock, b.client);
    });
    report.leftOut += std::max<qint64>(0, report.counts.size() - kMostCounts);
    report.counts.resize(std::min(report.counts.size(), kMostCounts));
}

void ProbeCounter::take(QByteArrayView line)
{
    ++m_told.commands;
    const auto read = readMonitorLine(line);
    if (!read) {
        ++m_told.unreadable;
        return;
    }
    m_told.endedUs = read->timeUs;
    if (m_told.beganUs == 0)
        m_told.beganUs = read->timeUs;
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
    if (std::ranges::any_of(m_patterns, [&key](const auto &glob) { return base::globMatches(glob, key); }))
        ++m_attempts[{key, m_client}];
}

ProbeReport ProbeCounter::report() const
{
    ProbeReport report = m_told;
    for (auto it = m_attempts.cbegin(); it != m_attempts.cend(); ++it)
        report.counts.append({it.key().first, it.key().second, it.value(), 0, it.value()});
    keepMost(report);
    return report;
}

} // namespace lockkeeper::stores::redis
