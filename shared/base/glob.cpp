// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/glob.h"

#include "shared/base/text.h"

#include <QSet>

#include <algorithm>
#include <bitset>
#include <set>
#include <vector>

namespace lockkeeper::base {

namespace {

/**
 * Matches the set `[…]` at `at` with one byte, and moves `at` past it. Returns false if the closing bracket
 * is missing; the opening bracket is then an ordinary character.
 */
bool takeSet(QByteArrayView pattern, qsizetype &at, uchar c, bool &hit)
{
    qsizetype i = at + 1;
    const bool negate = i < pattern.size() && (pattern[i] == '^' || pattern[i] == '!');
    if (negate)
        ++i;
    hit = false;
    for (bool first = true; i < pattern.size() && (first || pattern[i] != ']'); ++i, first = false) {
        if (pattern[i] == '\\' && i + 1 < pattern.size())
            ++i;
        const uchar low = static_cast<uchar>(pattern[i]);
        uchar high = low;
        if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
            high = static_cast<uchar>(pattern[i + 2]);
            i += 2;
        }
        hit = hit || (c >= low && c <= high);
    }
    if (i >= pattern.size())
        return false;
    at = i + 1;
    hit = hit != negate;
    return true;
}

char folded(char c, GlobRules rules)
{
    return rules == GlobRules::Text && c >= 'A' && c <= 'Z' ? char(c + ('a' - 'A')) : c;
}

/** The number of bytes of the first character in `text`. */
qsizetype characterLength(QByteArrayView text)
{
    qsizetype length = 1;
    if ((uchar(text.front()) & 0xc0) == 0xc0) {
        while (length < 4 && length < text.size() && (uchar(text[length]) & 0xc0) == 0x80)
            ++length;
    }
    return length;
}

/**
 * Matches one element of a glob, other than `*`, with the beginning of `name`, and moves `at` past the
 * element. Returns how many bytes of the name it matches; 0: no match.
 */
qsizetype takeOne(QByteArrayView pattern, qsizetype &at, QByteArrayView name, GlobRules rules)
{
    bool hit = false;
    if (pattern[at] == '[' && takeSet(pattern, at, static_cast<uchar>(name.front()), hit))
        return hit ? 1 : 0;
    if (pattern[at] == '?') {
        ++at;
        return rules == GlobRules::Text ? characterLength(name) : 1;
    }
    if (pattern[at] == '\\' && at + 1 < pattern.size())
        ++at;
    return folded(pattern[at++], rules) == folded(name.front(), rules) ? 1 : 0;
}

} // namespace

bool globMatches(QByteArrayView pattern, QByteArrayView name, GlobRules rules)
{
    // Greedy, and backtracks only to the last `*`: linear for real patterns, never exponential.
    qsizetype p = 0;
    qsizetype n = 0;
    qsizetype starP = -1;
    qsizetype starN = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            starP = ++p;
            starN = n;
            continue;
        }
        qsizetype next = p;
        if (const qsizetype taken = p < pattern.size() ? takeOne(pattern, next, name.sliced(n), rules) : 0) {
            p = next;
            n += taken;
            continue;
        }
        if (starP < 0)
            return false;
        p = starP;
        n = ++starN;
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

QByteArray literalGlob(QByteArrayView name)
{
    QByteArray glob;
    for (const char c : name) {
        if (QByteArrayView("*?[]\\").contains(c))
            glob += '\\';
        glob += c;
    }
    return glob;
}

namespace {

/** One element of a glob: `*`, or a set of bytes of which it matches one. */
struct Element
{
    bool star = false;
    std::bitset<256> bytes;
};
using Elements = std::vector<Element>;

Elements elementsOf(QByteArrayView pattern)
{
    Elements elements;
    for (qsizetype at = 0; at < pattern.size();) {
        Element element;
        if (pattern[at] == '*') {
            ++at;
            element.star = true;
            if (!elements.empty() && elements.back().star)
                continue;
            elements.push_back(element);
            continue;
        }
        qsizetype next = at;
        for (int c = 0; c < 256; ++c) {
            const char byte = char(c);
            next = at;
            element.bytes.set(size_t(c),
                              takeOne(pattern, next, QByteArrayView(&byte, 1), GlobRules::Bytes) > 0);
        }
        at = next;
        elements.push_back(element);
    }
    return elements;
}

/** One byte of each kind. All bytes of a kind match the same elements of both globs. */
std::vector<size_t> alphabetOf(const Elements &a, const Elements &b)
{
    std::vector<size_t> alphabet;
    QSet<QByteArray> kinds;
    for (size_t c = 0; c < 256; ++c) {
        QByteArray kind;
        for (const Elements *elements : {&a, &b}) {
            for (const Element &element : *elements)
                kind += element.star || element.bytes.test(c) ? '1' : '0';
        }
        if (!kinds.contains(kind))
            alphabet.push_back(c);
        kinds.insert(kind);
    }
    return alphabet;
}

/** The possible positions in a glob after matching some bytes of a name; the glob's size is its end. */
using Positions = std::vector<size_t>;

/** Adds position `at`, and also the next position after a `*`, which may match nothing. */
void addClosure(const Elements &elements, Positions &positions, size_t at)
{
    positions.push_back(at);
    if (at < elements.size() && elements[at].star)
        positions.push_back(at + 1);
}

/** All positions after byte `c`. Drops those before the last `*`, because it matches all that they match. */
Positions after(const Elements &elements, const Positions &positions, size_t c)
{
    Positions next;
    for (const size_t at : positions) {
        if (at == elements.size())
            continue;
        if (elements[at].star)
            addClosure(elements, next, at);
        else if (elements[at].bytes.test(c))
            addClosure(elements, next, at + 1);
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    const auto star = std::find_if(next.rbegin(), next.rend(), [&elements](size_t at) {
        return at < elements.size() && elements[at].star;
    });
    if (star != next.rend())
        next.erase(next.begin(), std::prev(star.base()));
    return next;
}

/** Limit on the work, enough for ordinary globs. Globs that exceed it count as Crossing, which is refused. */
constexpr size_t kMostSteps = 50'000;

/** One possible position in the first glob, with all possible positions in the second, for the same name. */
struct GlobWalk
{
    size_t first;
    Positions second;
    auto operator<=>(const GlobWalk &) const = default;
};

/**
 * Follows every name that `inner` matches through `outer`. For each it calls `atEnd(taken)`, where `taken` is
 * true if `outer` matches the name, too. Stops when atEnd() returns true. Returns false if it never did;
 * null: the globs are too large.
 */
template <typename AtEnd>
std::optional<bool> walk(const Elements &inner, const Elements &outer, const AtEnd &atEnd)
{
    const std::vector<size_t> alphabet = alphabetOf(inner, outer);
    Positions begin;
    addClosure(outer, begin, 0);
    Positions starts;
    addClosure(inner, starts, 0);
    std::set<GlobWalk> seen;
    std::vector<GlobWalk> open;
    const auto visit = [&](GlobWalk next) {
        if (seen.insert(next).second)
            open.push_back(std::move(next));
    };
    for (const size_t start : starts)
        visit({start, begin});
    while (!open.empty()) {
        if (seen.size() > kMostSteps)
            return std::nullopt;
        const GlobWalk here = std::move(open.back());
        open.pop_back();
        const bool taken = !here.second.empty() && here.second.back() == outer.size();
        if (here.first == inner.size()) {
            if (atEnd(taken))
                return true;
            continue;
        }
        for (const size_t c : alphabet) {
            const Positions firsts = after(inner, {here.first}, c);
            if (firsts.empty())
                continue;
            const Positions second = after(outer, here.second, c);
            for (const size_t first : firsts)
                visit({first, second});
        }
    }
    return false;
}

bool contains(const Elements &outer, const Elements &inner)
{
    return walk(inner, outer, [](bool taken) { return !taken; }) == false;
}

} // namespace

GlobRelation relationOf(QByteArrayView a, QByteArrayView b)
{
    const Elements first = elementsOf(a);
    const Elements second = elementsOf(b);
    if (walk(first, second, [](bool taken) { return taken; }) == false)
        return GlobRelation::Apart;
    const bool wider = contains(first, second);
    const bool narrower = contains(second, first);
    if (wider && narrower)
        return GlobRelation::Same;
    return wider ? GlobRelation::Wider : narrower ? GlobRelation::Narrower : GlobRelation::Crossing;
}

} // namespace lockkeeper::base
