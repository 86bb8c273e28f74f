// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/discover/key_corpus.h"

#include "shared/base/text.h"

#include <QFile>
#include <QRandomGenerator>

namespace lockkeeper::tests {

using stores::discover::KeyFacts;
using stores::discover::KeyMember;
using stores::discover::KeyType;

namespace {

const QByteArrayList kWords{"orders",  "billing",  "import",  "export",  "report",  "settle", "invoice",
                            "stock",   "shipping", "refund",  "ledger",  "archive", "backup", "migrate",
                            "payroll", "tax",      "pricing", "catalog", "audits",  "sync"};

/** Random bytes that are the same in each run. */
class Maker
{
public:
    QByteArray hex(int digits)
    {
        QByteArray text;
        for (int i = 0; i < digits; ++i)
            text += "0123456789abcdef"[m_random.bounded(16)];
        text[0] = 'f';
        return text;
    }
    QByteArray uuid() { return hex(8) + '-' + hex(4) + '-' + hex(4) + '-' + hex(4) + '-' + hex(12); }
    QByteArray base64()
    {
        QByteArray bytes;
        for (int i = 0; i < 18; ++i)
            bytes += char(m_random.bounded(256));
        return bytes.toBase64();
    }
    int number(int most) { return m_random.bounded(most); }

private:
    QRandomGenerator m_random{20'26};
};

QByteArray unescaped(const QByteArray &text)
{
    QByteArray out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text.mid(i, 2) == "\\x") {
            out += QByteArray::fromHex(text.mid(i + 2, 2));
            i += 3;
        } else {
            out += text.at(i);
        }
    }
    return out;
}

QByteArray nameOf(QByteArray name, int index, Maker &make)
{
    const QByteArray &word = kWords.at(index % kWords.size());
    const int round = index / int(kWords.size());
    name.replace("{w}", round == 0 ? word : word + QByteArray::number(round));
    name.replace("{n}", QByteArray::number(1'000 + index * 7));
    name.replace("{u}", make.uuid());
    name.replace("{h}", make.hex(26));
    return unescaped(name);
}

QByteArray stringOf(const QByteArray &content, int index, qint64 nowS, Maker &make)
{
    const QByteArray number = QByteArray::number(index + 1);
    if (content == "uuid")
        return make.uuid();
    if (content == "hex32")
        return make.hex(32);
    if (content == "hex24")
        return make.hex(24);
    if (content == "shedlock")
        return "ADDED:2026-11-23T00:00:" + QByteArray::number(10 + index) + ".123Z@web-" + number;
    if (content == "alnum16")
        return "pFx7Kq2LmZ9aT0b" + number.right(1);
    if (content == "leader")
        return "web-" + number + ":4711:" + make.hex(12);
    if (content == "count")
        return number;
    if (content == "java-uuid")
        return QByteArray("\xac\xed\x00\x05t\x00\x24", 7) + make.uuid();
    if (content == "random")
        return "0.48120567" + QByteArray::number(100'000 + make.number(800'000));
    if (content == "execute")
        return "execute:" + make.uuid();
    if (content == "cacheops")
        return index % 4 == 0 ? QByteArray("LOCK") : QByteArray("\x80\x04\x95", 3) + make.hex(40);
    if (content == "b64")
        return make.base64();
    if (content == "hostpid")
        return "web-" + number + ':' + QByteArray::number(4'000 + make.number(20'000));
    if (content == "thread")
        return make.uuid() + ':' + number;
    if (content == "name")
        return "worker-" + number;
    if (content == "one")
        return "1";
    if (content == "time")
        return QByteArray::number(nowS + 30) + ".25";
    if (content == "json-lock")
        return "{\"owner\":\"w" + number +
               "\",\"state\":\"execute\",\"lastSync\":" + QByteArray::number(nowS) + "123}";
    if (content == "json-holder")
        return "{\"owner\":\"w" + number + "\",\"pid\":4711}";
    if (content == "json-cache")
        return "{\"id\":" + number + ",\"title\":\"Thing " + number + "\",\"price\":12.5,\"tags\":[\"a\"]}";
    if (content == "php")
        return "a:2:{s:2:\"id\";i:" + number + ";s:4:\"cart\";a:0:{}}";
    if (content == "html")
        return "<html><body>" + QByteArray(300, 'x') + "</body></html>";
    if (content == "number")
        return QByteArray::number(make.number(900'000));
    if (content == "long")
        return QByteArray(5'000, 'z');
    return {};
}

void fillMembers(KeyFacts &key, const QByteArray &content, int index, qint64 nowS, Maker &make)
{
    const QByteArray ms = QByteArray::number(nowS * 1'000);
    if (content == "redisson") {
        key.members = {{make.uuid() + ":41", QByteArray::number(1 + index % 3)}};
    } else if (content == "redisson-uuid") {
        key.members = {{make.uuid() + ':' + make.uuid(), "1"}};
    } else if (content == "attempts") {
        key.members = {{"failed_attempts", QByteArray::number(1 + index)}};
    } else if (content == "redisson-name") {
        key.members = {{"worker-" + QByteArray::number(index), "1"}};
    } else if (content == "zset-write") {
        const QByteArray endMs = QByteArray::number((nowS + 300) * 1'000);
        key.members = {{make.base64(), endMs}, {"__write__", endMs}};
    } else if (content == "redisson-rw") {
        key.members = {{"mode", "read"}, {make.uuid() + ":41", "1"}};
    } else if (content == "hash") {
        key.members = {{"creationTime", ms}, {"id", "1"}};
    } else if (content == "zset-uuid") {
        key.members = {{make.uuid(), ms}, {make.uuid(), ms}};
    } else if (content == "zset-user") {
        key.members = {{"user:17", "120"}, {"user:18", "99"}};
    }
    key.length = key.members.size();
}

KeyType typeOf(const QByteArray &content)
{
    if (content == "hash" || content == "attempts" || content.startsWith("redisson"))
        return KeyType::Hash;
    if (content.startsWith("zset"))
        return KeyType::SortedSet;
    if (content == "list")
        return KeyType::List;
    if (content == "set")
        return KeyType::Set;
    return content == "stream" ? KeyType::Stream : KeyType::String;
}

qint64 ttlMsOf(const QByteArray &text, int index)
{
    if (text == "none" || (text == "some" && index % 2 == 0))
        return -1;
    const QByteArray duration = text == "some" ? "30s" : text;
    return *base::parseDuration(QString::fromLatin1(duration)) / 1'000;
}

KeyLine lineOf(const QByteArray &text, qint64 nowS, Maker &make)
{
    const QByteArrayList parts = text.mid(2).split('|');
    if (parts.size() != 5)
        qFatal("keys.txt: %s", text.constData());
    KeyLine line;
    line.text = parts.at(0).trimmed();
    line.isLock = text.startsWith('+');
    line.scheme = line.isLock ? parts.at(1).trimmed() : QByteArray();
    const QByteArray content = parts.at(2).trimmed();
    const int count = parts.at(4).trimmed().toInt();
    for (int i = 0; i < count; ++i) {
        KeyFacts key;
        key.name = nameOf(line.text, i, make);
        key.type = typeOf(content);
        key.ttlMs = ttlMsOf(parts.at(3).trimmed(), i);
        key.sampled = true;
        if (key.type == KeyType::String) {
            key.value = stringOf(content, i, nowS, make);
            key.length = key.value.size();
        } else {
            fillMembers(key, content, i, nowS, make);
        }
        line.keys.append(key);
    }
    return line;
}

} // namespace

QList<KeyLine> keyCorpus(qint64 nowS)
{
    QFile file(qEnvironmentVariable("LOCKKEEPER_SOURCE") + QStringLiteral("/tests/data/discover/keys.txt"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no corpus of keys");
    Maker make;
    QList<KeyLine> lines;
    for (const QByteArray &text : file.readAll().split('\n')) {
        if (text.startsWith("+ ") || text.startsWith("- "))
            lines.append(lineOf(text, nowS, make));
    }
    return lines;
}

QList<KeyFacts> helperKeys()
{
    const auto key = [](const char *name, KeyType type) {
        KeyFacts facts;
        facts.name = name;
        facts.type = type;
        facts.ttlMs = 1'000;
        return facts;
    };
    return {
        key("redisson_lock_queue:{myLock}", KeyType::List),
        key("redisson_lock_timeout:{myLock}", KeyType::SortedSet),
        key("redisson_unlock_latch:{myLock}:0123456789abcdef", KeyType::String),
        key("redisson_lock_token:{myLock}", KeyType::String),
        key("{ledger-rw:orders}:0f0f0f0f-1111-2222-3333-444444444444:41:rwlock_timeout:1", KeyType::String),
        key("lock-signal:orders", KeyType::List)};
}

QList<QByteArrayList> commandsFor(const KeyFacts &key)
{
    QList<QByteArrayList> commands;
    switch (key.type) {
    case KeyType::Hash:
        for (const KeyMember &one : key.members)
            commands.append({"HSET", key.name, one.name, one.value});
        break;
    case KeyType::SortedSet:
        for (const KeyMember &one : key.members)
            commands.append({"ZADD", key.name, one.value.isEmpty() ? "0" : one.value, one.name});
        if (key.members.isEmpty())
            commands.append({"ZADD", key.name, "0", "x"});
        break;
    case KeyType::List:
        commands.append({"RPUSH", key.name, "x"});
        break;
    case KeyType::Set:
        commands.append({"SADD", key.name, "x"});
        break;
    case KeyType::Stream:
        commands.append({"XADD", key.name, "*", "k", "v"});
        break;
    default:
        commands.append({"SET", key.name, key.value});
    }
    if (key.ttlMs >= 0)
        commands.append({"PEXPIRE", key.name, QByteArray::number(key.ttlMs)});
    return commands;
}

} // namespace lockkeeper::tests
