// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/reading/walk.h"

#include "shared/base/text.h"

#include <algorithm>
#include <memory>

namespace lockkeeper::stores::zookeeper {

namespace {

/** One walk; the readings keep it. */
struct Walk : std::enable_shared_from_this<Walk>
{
    struct WalkStep
    {
        Root root;
        QByteArray path;
        int depth = 0;
    };

    Tree &tree;
    ReadingUse look;
    std::function<void(quint16, const Znode &)> found;
    std::function<void(const Walked &)> done;
    QList<WalkStep> left;
    qsizetype underWay = 0;
    Walked walked;

    Walk(Tree &of, ReadingUse how, std::function<void(quint16, const Znode &)> told,
         std::function<void(const Walked &)> then)
        : tree(of), look(how), found(std::move(told)), done(std::move(then))
    {
    }

    void go()
    {
        while (!left.isEmpty() && underWay < kMostAtOnce && !walked.error) {
            const WalkStep step = left.takeLast();
            ++underWay;
            tree.read(step.path, look, [self = shared_from_this(), step](const Znode &znode) {
                --self->underWay;
                self->take(step, znode);
                self->go();
            });
        }
        if (underWay == 0)
            done(walked);
    }

    void take(const WalkStep &step, const Znode &znode)
    {
        ++walked.scanned;
        if (znode.error && znode.error->code == base::ErrorCode::PermissionDenied)
            walked.denied.append(step.path);
        else if (znode.error)
            walked.error = znode.error;
        if (!znode.present)
            return;
        walked.scanned += znode.queue.size();
        if (znode.isLock() && base::globMatches(step.root.match, step.path))
            found(step.root.set, znode);
        if (step.depth == kDeepest)
            return;
        for (const QByteArray &name : znode.below) {
            if (step.path != "/" || name != "zookeeper")
                left.append({step.root, childOf(step.path, name), step.depth + 1});
        }
    }
};

} // namespace

QByteArray rootOf(const QByteArray &match)
{
    const auto glob = std::find_if(match.cbegin(), match.cend(),
                                   [](char c) { return QByteArrayView("*?[\\").contains(c); });
    QByteArray root = match.first(glob - match.cbegin());
    if (glob != match.cend())
        root.truncate(std::max<qsizetype>(root.lastIndexOf('/'), 0));
    return root.isEmpty() ? QByteArray("/") : root;
}

void walk(Tree &tree, const QList<Root> &roots, ReadingUse look,
          std::function<void(quint16, const Znode &)> found, std::function<void(const Walked &)> done)
{
    const auto all = std::make_shared<Walk>(tree, look, std::move(found), std::move(done));
    for (const Root &root : roots)
        all->left.append({root, root.path, 0});
    all->go();
}

} // namespace lockkeeper::stores::zookeeper
