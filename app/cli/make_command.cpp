// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bridge_command.h"
#include "app/cli/chains_command.h"
#include "app/cli/contention_command.h"
#include "app/cli/discover_command.h"
#include "app/cli/export_command.h"
#include "app/cli/listing_commands.h"
#include "app/cli/overview_command.h"
#include "app/cli/probe_command.h"
#include "app/cli/release_command.h"
#include "app/cli/watch_command.h"

namespace lockkeeper::app::cli {

namespace {

/** Which command an option struct belongs to; one without an overload doesn't compile. */
struct Maker
{
    using Made = std::unique_ptr<Command>;
    Context &context;
    Made operator()(const StatusOptions &o) const { return std::make_unique<StatusCommand>(o, context); }
    Made operator()(const OverviewOptions &o) const { return std::make_unique<OverviewCommand>(o, context); }
    Made operator()(const BridgeOptions &) const { return std::make_unique<BridgeCommand>(context); }
    Made operator()(const ChainsOptions &o) const { return std::make_unique<ChainsCommand>(o, context); }
    Made operator()(const ContentionOptions &o) const
    {
        return std::make_unique<ContentionCommand>(o, context);
    }
    Made operator()(const ProbeOptions &o) const { return std::make_unique<ProbeCommand>(o, context); }
    Made operator()(const LocksOptions &o) const { return std::make_unique<LocksCommand>(o, context); }
    Made operator()(const WatchOptions &o) const { return std::make_unique<WatchCommand>(o, context); }
    Made operator()(const HistoryOptions &o) const { return std::make_unique<HistoryCommand>(o, context); }
    Made operator()(const HoldsOptions &o) const { return std::make_unique<HoldsCommand>(o, context); }
    Made operator()(const ReleaseOptions &o) const { return std::make_unique<ReleaseCommand>(o, context); }
    Made operator()(const AuditOptions &o) const { return std::make_unique<AuditCommand>(o, context); }
    Made operator()(const ExportOptions &o) const { return std::make_unique<ExportCommand>(o, context); }
    Made operator()(const DiscoverOptions &o) const { return std::make_unique<DiscoverCommand>(o, context); }
};

} // namespace

std::unique_ptr<Command> makeCommand(const CommandOptions &options, Context &context)
{
    return std::visit(Maker{context}, options);
}

} // namespace lockkeeper::app::cli
