// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/palette/palette_search.h"

#include <algorithm>
#include <vector>

namespace lockkeeper::app::views {

namespace {

QStringList wordsOf(const QString &typed)
{
    return typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

/** The positions of `typed`, or of each of its words, in the folded text. */
template <typename Text, typename Find, typename IsWordAt>
std::optional<PaletteRank> rankOf(const Text &typed, const QList<Text> &words, qsizetype length,
                                  const Find &find, const IsWordAt &isWordAt)
{
    if (find(typed) == 0)
        return length == typed.size() ? PaletteRank::Whole : PaletteRank::Start;
    bool starts = true;
    for (const Text &word : words) {
        const qsizetype at = find(word);
        if (at < 0)
            return std::nullopt;
        starts = starts && isWordAt(at);
    }
    return starts ? PaletteRank::WordStart : PaletteRank::Within;
}

bool hasLetters(const QString &letters, const QString &text)
{
    qsizetype at = 0;
    return std::all_of(letters.cbegin(), letters.cend(), [&](QChar letter) {
        at = text.indexOf(letter, at, Qt::CaseInsensitive) + 1;
        return at > 0;
    });
}

char folded(char c)
{
    return c >= 'A' && c <= 'Z' ? char(c + ('a' - 'A')) : c;
}

/** `part` is folded already. −1: not there. */
qsizetype indexIn(QByteArrayView text, QByteArrayView part)
{
    const auto same = [](char a, char b) { return folded(a) == b; };
    const auto at = std::search(text.begin(), text.end(), part.begin(), part.end(), same);
    return at == text.end() && !part.isEmpty() ? -1 : at - text.begin();
}

bool isWordChar(char c)
{
    return (folded(c) >= 'a' && folded(c) <= 'z') || (c >= '0' && c <= '9') || quint8(c) >= 0x80;
}

struct FittingLock
{
    PaletteRank rank;
    QByteArrayView name;
    const replica::PackedLock *lock;

    bool operator<(const FittingLock &other) const
    {
        if (rank != other.rank)
            return rank < other.rank;
        if (name.size() != other.name.size())
            return name.size() < other.name.size();
        const auto order = name.compare(other.name);
        return order != 0 ? order < 0 : lock->key() < other.lock->key(); // rarely: the same name
    }
};

/** Words that the name lacks may be in the place or the source: "stock 148" is row 148 of that table. */
std::optional<PaletteRank> rankOfLock(const QByteArray &typed, const QList<QByteArray> &words,
                                      const replica::PackedLock &lock)
{
    const QByteArrayView name = lock.name();
    const auto find = [name](const QByteArray &part) { return indexIn(name, part); };
    const auto rank = rankOf(typed, words, name.size(), find,
                             [name](qsizetype at) { return at == 0 || !isWordChar(name.at(at - 1)); });
    if (rank || words.size() < 2)
        return rank;
    QList<QByteArray> others;
    std::copy_if(words.cbegin(), words.cend(), std::back_inserter(others),
                 [&find](const QByteArray &word) { return find(word) < 0; });
    if (others.size() == words.size())
        return std::nullopt;
    const domain::LockKey key = lock.key();
    const QByteArray source = key.source.toUtf8();
    const bool elsewhere =
        std::all_of(others.cbegin(), others.cend(), [&key, &source](const QByteArray &word) {
            return indexIn(key.place, word) >= 0 || indexIn(source, word) >= 0;
        });
    return elsewhere ? std::optional(PaletteRank::Within) : std::nullopt;
}

} // namespace

std::optional<PaletteRank> paletteRank(const QString &typed, const QString &text)
{
    const QStringList words = wordsOf(typed);
    const auto rank = rankOf(
        typed.trimmed(), words, text.size(),
        [&text](const QString &part) { return text.indexOf(part, 0, Qt::CaseInsensitive); },
        [&text](qsizetype at) { return at == 0 || !text.at(at - 1).isLetterOrNumber(); });
    if (!rank && hasLetters(words.join(QString()), text))
        return PaletteRank::Letters;
    return rank;
}

QList<FoundLock> findLocks(const QString &typed, const replica::PackedLockTable &locks, qsizetype most)
{
    QList<QByteArray> words;
    for (const QString &word : wordsOf(typed)) {
        QByteArray bytes = word.toUtf8();
        std::transform(bytes.begin(), bytes.end(), bytes.begin(), folded);
        words.append(bytes);
    }
    if (words.isEmpty() || most <= 0)
        return {};
    const QByteArray whole = words.join(' ');
    std::vector<FittingLock> best; // a heap with the worst on top
    for (const replica::PackedLock &lock : locks) {
        const auto rank = rankOfLock(whole, words, lock);
        if (!rank)
            continue;
        const FittingLock fitting{*rank, lock.name(), &lock};
        if (qsizetype(best.size()) == most) {
            if (!(fitting < best.front()))
                continue;
            std::pop_heap(best.begin(), best.end());
            best.pop_back();
        }
        best.push_back(fitting);
        std::push_heap(best.begin(), best.end());
    }
    std::sort_heap(best.begin(), best.end());
    QList<FoundLock> found;
    for (const FittingLock &fitting : best)
        found.append({fitting.rank, fitting.lock->key()});
    return found;
}

} // namespace lockkeeper::app::views
