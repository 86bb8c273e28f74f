// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/reading/tree.h"

#include "shared/stores/zookeeper/reading/sessions.h"

#include <algorithm>
#include <memory>

namespace lockkeeper::stores::zookeeper {

namespace {

constexpr qsizetype kMostRead = 1'000; ///< of a queue
constexpr int kMostTries = 20;         ///< to read a queue whose front keeps changing

QByteArray labelOf(const Contender &contender, const QSet<QByteArray> &taken)
{
    QByteArray session = contender.stat.owner == 0 ? contender.name : sessionText(contender.stat.owner);
    QByteArray label = contender.data.isEmpty() ? session : contender.data + " (" + session + ')';
    if (!taken.contains(label))
        return label;
    session += '/' + QByteArray::number(contender.place.sequence); // threads of one client
    return contender.data.isEmpty() ? session : contender.data + " (" + session + ')';
}

} // namespace

/** One znode's reading under way; the requests keep it. */
struct Tree::ZnodeReading : std::enable_shared_from_this<Tree::ZnodeReading>
{
    Tree &tree;
    ZookeeperLink &link;
    QByteArray path;
    ReadingUse look;
    Done done;
    Znode znode;
    qsizetype open = 0;
    bool again = false;
    int tries = 0;

    ZnodeReading(Tree &into, QByteArray of, ReadingUse how, Done then)
        : tree(into), link(into.m_link), path(std::move(of)), look(how), done(std::move(then))
    {
    }

    void begin()
    {
        link.children(path, look == ReadingUse::Watched,
                      [self = shared_from_this()](const Reply &reply) { self->takeList(reply); });
    }

    void end()
    {
        if (znode.present && look != ReadingUse::Once)
            tree.m_known.insert(path, znode);
        else if (!znode.error && look != ReadingUse::Once)
            tree.m_known.remove(path);
        done(znode);
    }

    void takeMissing(const Reply &reply)
    {
        if (!reply.missing)
            znode.error = reply.error;
        end();
    }

    void takeList(const Reply &reply)
    {
        znode = {};
        znode.path = path;
        if (reply.missing && look == ReadingUse::Watched && tree.m_roots.contains(path)) {
            link.awaitCreation(path, [self = shared_from_this()](const Reply &found) {
                if (found.error)
                    self->takeMissing(found);
                else
                    self->begin(); // created meanwhile
            });
            return;
        }
        if (reply.error) {
            takeMissing(reply);
            return;
        }
        znode.present = true;
        znode.stat = reply.stat;
        for (const QByteArray &child : reply.children) {
            if (const auto place = placeOf(child)) {
                Contender contender;
                contender.name = child;
                contender.place = *place;
                znode.queue.append(contender);
            } else {
                znode.below.append(child);
            }
        }
        std::sort(znode.queue.begin(), znode.queue.end(), [](const Contender &a, const Contender &b) {
            return std::pair(a.place.sequence, a.name) < std::pair(b.place.sequence, b.name);
        });
        readQueue();
    }

    void readQueue()
    {
        const Znode before = tree.m_known.value(path);
        QHash<QByteArray, Contender> old;
        if (before.stat.czxid == znode.stat.czxid) {
            for (const Contender &contender : before.queue)
                old.insert(contender.name, contender);
        }
        const qsizetype holders = holdersOf(znode.queue);
        QList<qsizetype> unread;
        for (qsizetype i = 0; i < std::min(znode.queue.size(), kMostRead); ++i) {
            Contender &contender = znode.queue[i];
            const auto known = old.constFind(contender.name);
            const bool isKnown = known != old.constEnd() && known->stat.czxid != 0;
            if (isKnown)
                contender = *known;
            if (!isKnown || i < holders)
                unread.append(i);
        }
        again = false;
        open = 1;
        for (const qsizetype i : unread) {
            ++open;
            link.get(childOf(path, znode.queue.at(i).name),
                     [self = shared_from_this(), i, holders](const Reply &reply) {
                         self->takeContender(i, i < holders, reply);
                         self->closeOne();
                     });
        }
        closeOne();
    }

    void takeContender(qsizetype i, bool holds, const Reply &reply)
    {
        Contender &contender = znode.queue[i];
        if (reply.missing) {
            again = again || holds; // another client holds it: read the list again
            contender.name.clear();
        } else if (reply.error && reply.error->code == base::ErrorCode::PermissionDenied) {
            contender.stat = {}; // it is in the queue, but its owner isn't known
        } else if (reply.error) {
            znode.error = reply.error;
        } else {
            contender.stat = reply.stat;
            contender.data = reply.data;
        }
    }

    void closeOne()
    {
        if (--open > 0)
            return;
        if (znode.error) {
            znode.present = false;
            end();
        } else if (again && ++tries < kMostTries) {
            begin();
        } else if (again) {
            znode.error = base::Error{
                base::ErrorCode::Busy, QStringLiteral("the queue changes faster than it can be read"), {}};
            znode.present = false;
            end();
        } else {
            znode.queue.removeIf([](const Contender &contender) { return contender.name.isEmpty(); });
            QSet<QByteArray> taken;
            for (const Contender &contender : std::as_const(znode.queue))
                taken.insert(contender.label);
            for (Contender &contender : znode.queue) {
                if (contender.label.isEmpty())
                    contender.label = labelOf(contender, taken);
                taken.insert(contender.label);
            }
            end();
        }
    }
};

void Tree::read(const QByteArray &path, ReadingUse look, Done done)
{
    std::make_shared<ZnodeReading>(*this, path, look, std::move(done))->begin();
}

const Znode *Tree::known(const QByteArray &path) const
{
    const auto at = m_known.constFind(path);
    return at == m_known.constEnd() ? nullptr : &*at;
}

qsizetype holdersOf(const QList<Contender> &queue)
{
    if (queue.isEmpty())
        return 0;
    const HoldKind first = queue.constFirst().place.wish;
    if (first == HoldKind::Exclusive)
        return 1;
    const auto end = std::find_if(queue.cbegin(), queue.cend(), [first](const Contender &contender) {
        return contender.place.wish != first;
    });
    return end - queue.cbegin();
}

QByteArray childOf(const QByteArray &path, const QByteArray &name)
{
    return path + (path == "/" ? "" : "/") + name;
}

QByteArray identityOf(const QByteArray &lock, const Contender &contender)
{
    return QByteArray::number(contender.stat.czxid) + '/' + sessionText(contender.stat.owner) +
           childOf(lock, contender.name);
}

Observation observationOf(const Znode &znode, quint16 set, const QByteArray &name)
{
    constexpr qsizetype kMostNamed = 10;
    Observation lock;
    lock.set = set;
    lock.name = name;
    lock.present = znode.isLock();
    if (!lock.present)
        return lock;
    const Contender &first = znode.queue.constFirst();
    const qsizetype holders = holdersOf(znode.queue);
    lock.held = true;
    lock.token = sessionText(first.stat.owner);
    lock.fencing = QByteArray::number(first.stat.czxid);
    lock.expiry = first.stat.owner == 0 ? domain::ExpiryKind::None : domain::ExpiryKind::Unknown;
    for (qsizetype i = 0; i < std::min(holders, kMostNamed); ++i)
        lock.owner += (i == 0 ? "" : ", ") + znode.queue.at(i).label;
    if (holders > kMostNamed)
        lock.owner += " and " + QByteArray::number(holders - kMostNamed) + " more";
    if (holders > 1)
        lock.off = domain::ReleaseOff::SeveralHolders;
    else if (!first.place.numbered)
        lock.off = domain::ReleaseOff::Unsupported;
    if (first.stat.czxid == 0) { // no right to read it
        lock.ownerKnown = false;
        lock.expiry = domain::ExpiryKind::Unknown;
    } else {
        lock.identity = identityOf(name, first);
        lock.ownIdentity = true; // the czxid
        lock.freshness = QByteArray::number(first.stat.version);
    }
    if (first.place.wish == HoldKind::Shared)
        lock.mode = "read";
    lock.waitersVisible = znode.queue.size() <= kMostRead;
    if (!lock.waitersVisible)
        lock.waiting = quint32(znode.queue.size() - holders);
    for (qsizetype i = holders; i < znode.queue.size() && lock.waitersVisible; ++i) {
        domain::Waiter waiter;
        waiter.id = znode.queue.at(i).label;
        lock.waiters.append(waiter);
    }
    return lock;
}

} // namespace lockkeeper::stores::zookeeper
