// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/words.h"

#include <QSet>

#include <optional>

namespace lockkeeper::stores::discover {

namespace {

const QSet<QString> &vocabulary()
{
    static const QSet<QString> words = [] {
        const QStringList list =
            QStringLiteral(
                "acquire acquired acquirer at by change client count create created creation cron database "
                "date "
                "deadline distribute distributed expiration expire expires expiry fencing fetch global "
                "granted heartbeat held holder host id instance ip is job key last leader lease lock locked "
                "locking "
                "locks log master method modified mutex name named node owner process ref release released "
                "renewed request resource scheduled scheduler semaphore server shed since state status sync "
                "table task taken thread time timeout token ts ttl unlock until update updated version "
                "worker")
                .split(QLatin1Char(' '));
        return QSet<QString>(list.cbegin(), list.cend());
    }();
    return words;
}

/** The whole of `text` as words of the vocabulary, the longest first; empty where it isn't made of them. */
QStringList segmented(const QString &text)
{
    if (vocabulary().contains(text))
        return {text};
    for (qsizetype length = text.size() - 1; length >= 2; --length) {
        if (!vocabulary().contains(text.left(length)))
            continue;
        const QStringList rest = segmented(text.mid(length));
        if (!rest.isEmpty())
            return QStringList{text.left(length)} + rest;
    }
    return {};
}

/** Chinese has no blanks: 订单锁 is a lock of orders. A lock of a door, or what opens one, is no lock here.
 */
std::optional<QStringList> chineseWords(const QString &run)
{
    if (run.contains(QStringLiteral("互斥")))
        return QStringList{run, QStringLiteral("mutex")};
    for (const char16_t *other :
         {u"解锁", u"开锁", u"门锁", u"挂锁", u"车锁", u"密码锁", u"指纹锁", u"智能锁"}) {
        if (run.endsWith(QStringView(other)))
            return QStringList{run};
    }
    if (run.endsWith(u'锁') || run.endsWith(u'鎖'))
        return run.size() == 1 ? QStringList{QStringLiteral("lock")}
                               : QStringList{run.chopped(1), QStringLiteral("lock")};
    return std::nullopt;
}

void flush(QString &run, QStringList &words)
{
    constexpr qsizetype kLongest = 40; // longer runs aren't words
    if (run.isEmpty())
        return;
    if (const auto chinese = chineseWords(run)) {
        words += *chinese;
        run.clear();
        return;
    }
    const QStringList parts = run.size() <= kLongest ? segmented(run) : QStringList();
    words += parts.isEmpty() ? QStringList{run} : parts;
    run.clear();
}

} // namespace

QStringList wordsOf(const QString &identifier)
{
    QStringList words;
    QString run;
    for (qsizetype i = 0; i < identifier.size(); ++i) {
        const QChar c = identifier.at(i);
        if (!c.isLetter()) {
            flush(run, words);
            continue;
        }
        // A capital begins a word after a small letter, or before one: lockedBy, IDOwner.
        const bool begins =
            c.isUpper() && i > 0 &&
            (identifier.at(i - 1).isLower() || (i + 1 < identifier.size() && identifier.at(i + 1).isLower()));
        if (begins)
            flush(run, words);
        run += c.toLower();
    }
    flush(run, words);
    return words;
}

bool hasWord(const QStringList &words, const char *list)
{
    for (const QLatin1String wanted : QLatin1String(list).tokenize(u' ')) {
        if (words.contains(wanted))
            return true;
    }
    return false;
}

} // namespace lockkeeper::stores::discover
