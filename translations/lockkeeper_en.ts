<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AlertActions</name>
    <message numerus="yes">
        <source>%n alert(s) acknowledged.</source>
        <translation>
            <numerusform>%n alert acknowledged.</numerusform>
            <numerusform>%n alerts acknowledged.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s) snoozed.</source>
        <translation>
            <numerusform>%n alert snoozed.</numerusform>
            <numerusform>%n alerts snoozed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The snooze of %n alert(s) has ended.</source>
        <translation>
            <numerusform>The snooze of %n alert has ended.</numerusform>
            <numerusform>The snooze of %n alerts has ended.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChainFormatter</name>
    <message numerus="yes">
        <source>Connection %1 blocks %n connection(s)</source>
        <translation>
            <numerusform>Connection %1 blocks %n connection</numerusform>
            <numerusform>Connection %1 blocks %n connections</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Connection %1 has waited for %2 for %3 and blocks %n connection(s)</source>
        <translation>
            <numerusform>Connection %1 has waited for %2 for %3 and blocks %n connection</numerusform>
            <numerusform>Connection %1 has waited for %2 for %3 and blocks %n connections</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n connection(s) waiting</source>
        <translation>
            <numerusform>%n connection waiting</numerusform>
            <numerusform>%n connections waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n head blocker(s)</source>
        <translation>
            <numerusform>%n head blocker</numerusform>
            <numerusform>%n head blockers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Holds %n watched lock(s): %1.</source>
        <translation>
            <numerusform>Holds %n watched lock: %1.</numerusform>
            <numerusform>Holds %n watched locks: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A kill rolls back %Ln changed row(s).</source>
        <translation>
            <numerusform>A kill rolls back %Ln changed row.</numerusform>
            <numerusform>A kill rolls back %Ln changed rows.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContentionFormatter</name>
    <message numerus="yes">
        <source>%n hand-over(s), p95 %1</source>
        <translation>
            <numerusform>%n hand-over, p95 %1</numerusform>
            <numerusform>%n hand-overs, p95 %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 — %Ln lock(s)</source>
        <comment>table, place, source or waiter</comment>
        <translation>
            <numerusform>%1 — %Ln lock</numerusform>
            <numerusform>%1 — %Ln locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Durations</name>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation>
            <numerusform>%n second</numerusform>
            <numerusform>%n seconds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n hour</numerusform>
            <numerusform>%n hours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n day(s)</source>
        <translation>
            <numerusform>%n day</numerusform>
            <numerusform>%n days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportWords</name>
    <message numerus="yes">
        <source>%Ln row(s) written to %1</source>
        <translation>
            <numerusform>%Ln row written to %1</numerusform>
            <numerusform>%Ln rows written to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HoldFormatter</name>
    <message numerus="yes">
        <source>%1: %2 to %3; %Ln renewal(s)</source>
        <comment>holder, from, to</comment>
        <translation>
            <numerusform>%1: %2 to %3; %Ln renewal</numerusform>
            <numerusform>%1: %2 to %3; %Ln renewals</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LockFormatter</name>
    <message numerus="yes">
        <source>%1 — %Ln lock(s), worst: %2</source>
        <translation>
            <numerusform>%1 — %Ln lock, worst: %2</numerusform>
            <numerusform>%1 — %Ln locks, worst: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LockText</name>
    <message numerus="yes">
        <source>silent: %n renewal(s) missed</source>
        <translation>
            <numerusform>silent: %n renewal missed</numerusform>
            <numerusform>silent: %n renewals missed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n process(es) seen waiting %1 ago; who polls, as for a spin lock, isn&apos;t seen</source>
        <translation>
            <numerusform>%n process seen waiting %1 ago; who polls, as for a spin lock, isn&apos;t seen</numerusform>
            <numerusform>%n processes seen waiting %1 ago; who polls, as for a spin lock, isn&apos;t seen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n missed</source>
        <comment>renewals</comment>
        <translation>
            <numerusform>%n missed</numerusform>
            <numerusform>%n missed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TimelineFormatter</name>
    <message numerus="yes">
        <source>Renewed %Ln time(s), last %1 to last until %2</source>
        <translation>
            <numerusform>Renewed %Ln time, at %1, to last until %2</numerusform>
            <numerusform>Renewed %Ln times, last at %1, to last until %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Renewed %Ln time(s)</source>
        <translation>
            <numerusform>Renewed %Ln time</numerusform>
            <numerusform>Renewed %Ln times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln wait(s) too short to draw one by one</source>
        <translation>
            <numerusform>%Ln wait too short to draw</numerusform>
            <numerusform>%Ln waits too short to draw one by one</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln hold(s) too short to draw one by one</source>
        <translation>
            <numerusform>%Ln hold too short to draw</numerusform>
            <numerusform>%Ln holds too short to draw one by one</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln lock(s) held</source>
        <translation>
            <numerusform>%1: %Ln lock held</numerusform>
            <numerusform>%1: %Ln locks held</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln hold(s)</source>
        <translation>
            <numerusform>%Ln hold</numerusform>
            <numerusform>%Ln holds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::charts::LeaseChart</name>
    <message numerus="yes">
        <source>%n renewal(s) seen</source>
        <translation>
            <numerusform>%n renewal seen</numerusform>
            <numerusform>%n renewals seen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n renewal(s) missed</source>
        <translation>
            <numerusform>%n renewal missed</numerusform>
            <numerusform>%n renewals missed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n gap(s)</source>
        <translation>
            <numerusform>%n gap</numerusform>
            <numerusform>%n gaps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::report::IncidentStory</name>
    <message numerus="yes">
        <source>The lock was seen held at least %Ln time(s)</source>
        <translation>
            <numerusform>The lock was seen held at least once</numerusform>
            <numerusform>The lock was seen held at least %Ln times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The lock was seen held %Ln time(s)</source>
        <translation>
            <numerusform>The lock was seen held once</numerusform>
            <numerusform>The lock was seen held %Ln times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln different holder(s)</source>
        <translation>
            <numerusform>%Ln holder</numerusform>
            <numerusform>%Ln different holders</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Others waited for it %Ln time(s), %1 together. There were too many waits to list them.</source>
        <translation>
            <numerusform>Others waited for it once, %1 together. There were too many waits to list them.</numerusform>
            <numerusform>Others waited for it %Ln times, %1 together. There were too many waits to list them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln session(s) waited for it, %1 together; the longest wait lasted %2.</source>
        <translation>
            <numerusform>%Ln session waited for it, %1 together; the longest wait lasted %2.</numerusform>
            <numerusform>%Ln sessions waited for it, %1 together; the longest wait lasted %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln session(s) waited at the same time</source>
        <translation>
            <numerusform>%Ln session waited</numerusform>
            <numerusform>%Ln sessions waited at the same time</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The audit that was read has %Ln attempt(s) to release it by force; %1 of them released the lock.</source>
        <translation>
            <numerusform>The audit that was read has %Ln attempt to release it by force; %1 of them released the lock.</numerusform>
            <numerusform>The audit that was read has %Ln attempts to release it by force; %1 of them released the lock.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::report::ReportWriter</name>
    <message numerus="yes">
        <source>%Ln session(s), the root included</source>
        <translation>
            <numerusform>%Ln session, the root included</numerusform>
            <numerusform>%Ln sessions, the root included</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln renewal(s) left out.</source>
        <translation>
            <numerusform>%Ln renewal left out.</numerusform>
            <numerusform>%Ln renewals left out.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::AlertPanel</name>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n hour</numerusform>
            <numerusform>%n hours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s) selected</source>
        <translation>
            <numerusform>%n alert selected</numerusform>
            <numerusform>%n alerts selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s)</source>
        <translation>
            <numerusform>once</numerusform>
            <numerusform>%n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::AlertWatch</name>
    <message numerus="yes">
        <source>%n alert(s) have fired</source>
        <translation>
            <numerusform>%n alert has fired</numerusform>
            <numerusform>%n alerts have fired</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 It has fired %n time(s) within ten minutes. Its next alerts stay silent.</source>
        <comment>sentence, count</comment>
        <translation>
            <numerusform>%1 It has fired once within ten minutes. Its next alerts stay silent.</numerusform>
            <numerusform>%1 It has fired %n times within ten minutes. Its next alerts stay silent.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <comment>alerts</comment>
        <translation>
            <numerusform>And %n more.</numerusform>
            <numerusform>And %n more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::AlertsView</name>
    <message numerus="yes">
        <source>%n alert(s) are hidden.</source>
        <translation>
            <numerusform>%n alert is hidden.</numerusform>
            <numerusform>%n alerts are hidden.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::AttentionWatch</name>
    <message numerus="yes">
        <source>%n thing(s) need attention</source>
        <translation>
            <numerusform>%n thing needs attention</numerusform>
            <numerusform>%n things need attention</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) aren&apos;t observed any more, such as %1.</source>
        <translation>
            <numerusform>%n source isn&apos;t observed any more: %1.</numerusform>
            <numerusform>%n sources aren&apos;t observed any more, such as %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) are stuck, such as “%1” in %2.</source>
        <comment>lock, source</comment>
        <translation>
            <numerusform>%n lock is stuck: “%1” in %2.</numerusform>
            <numerusform>%n locks are stuck, such as “%1” in %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) have expired, such as “%1” in %2.</source>
        <comment>lock, source</comment>
        <translation>
            <numerusform>%n lock has expired: “%1” in %2.</numerusform>
            <numerusform>%n locks have expired, such as “%1” in %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::BannerArea</name>
    <message numerus="yes">
        <source>%n more message(s)</source>
        <translation>
            <numerusform>%n more message</numerusform>
            <numerusform>%n more messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::BlockersPanel</name>
    <message numerus="yes">
        <source>These are the %n that caused the most waiting; there are more.</source>
        <translation>
            <numerusform>This is the one that caused the most waiting; there are more.</numerusform>
            <numerusform>These are the %n that caused the most waiting; there are more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::BulkDialog</name>
    <message numerus="yes">
        <source>left out: more than %n at once</source>
        <translation>
            <numerusform>left out: more than %n at once</numerusform>
            <numerusform>left out: more than %n at once</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Force-release %n lock(s)? Live locks and locks without identity are left out.</source>
        <translation>
            <numerusform>Force-release %n lock? Live locks and locks without identity are left out.</numerusform>
            <numerusform>Force-release %n locks? Live locks and locks without identity are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Force-release %n lock(s)</source>
        <translation>
            <numerusform>Force-release %n lock</numerusform>
            <numerusform>Force-release %n locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Force-release %n</source>
        <translation>
            <numerusform>Force-release %n</numerusform>
            <numerusform>Force-release %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ConsoleStatusBar</name>
    <message numerus="yes">
        <source>%n command(s) under way</source>
        <translation>
            <numerusform>%n command under way</numerusform>
            <numerusform>%n commands under way</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s), %2 shown, %3 selected</source>
        <translation>
            <numerusform>%1 lock, %2 shown, %3 selected</numerusform>
            <numerusform>%1 locks, %2 shown, %3 selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s); in this list %2, selected %3</source>
        <translation>
            <numerusform>%1 lock; in this list %2, selected %3</numerusform>
            <numerusform>%1 locks; in this list %2, selected %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s)</source>
        <translation>
            <numerusform>%1 lock</numerusform>
            <numerusform>%1 locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1/%n source(s)</source>
        <comment>observed, all</comment>
        <translation>
            <numerusform>%1/%n source</numerusform>
            <numerusform>%1/%n sources</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ContentionView</name>
    <message numerus="yes">
        <source>These are the %n that waited longest; there are more.</source>
        <translation>
            <numerusform>This is the one that waited longest; there are more.</numerusform>
            <numerusform>These are the %n that waited longest; there are more.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Showing the %n locks with the most waiting.</source>
        <translation>
            <numerusform>This is the lock that cost most; there are more.</numerusform>
            <numerusform>These are the %n locks that cost most; there are more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::CostsPanel</name>
    <message numerus="yes">
        <source>%Ln wait(s)</source>
        <translation>
            <numerusform>%Ln wait</numerusform>
            <numerusform>%Ln waits</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::FiredList</name>
    <message numerus="yes">
        <source>%n active alert(s)</source>
        <translation>
            <numerusform>%n active alert</numerusform>
            <numerusform>%n active alerts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::HistoryView</name>
    <message numerus="yes">
        <source>%Ln event(s) in the journal</source>
        <translation>
            <numerusform>%Ln event in the journal</numerusform>
            <numerusform>%Ln events in the journal</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>among about %Ln event(s)</source>
        <translation>
            <numerusform>among about %Ln event</numerusform>
            <numerusform>among about %Ln events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln new</source>
        <translation>
            <numerusform>%Ln new</numerusform>
            <numerusform>%Ln new</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::HolderView</name>
    <message numerus="yes">
        <source>The filter hides %n row(s).</source>
        <translation>
            <numerusform>The filter hides %n row.</numerusform>
            <numerusform>The filter hides %n rows.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Previews the %n shown lock(s) that can be released.</source>
        <translation>
            <numerusform>Previews the %n shown lock that can be released.</numerusform>
            <numerusform>Previews the %n shown locks that can be released.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LinkBanners</name>
    <message numerus="yes">
        <source>Paused at %1 %2, %Ln change(s) waiting</source>
        <translation>
            <numerusform>Paused at %1 %2, %Ln change waiting</numerusform>
            <numerusform>Paused at %1 %2, %Ln changes waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Agent %1 lost: %2. Its locks are shown as last seen; lists omit what only it can see. Next attempt in %n second(s).</source>
        <translation>
            <numerusform>Agent %1 lost: %2. Its locks are shown as last seen; lists omit what only it can see. Next attempt in %n second.</numerusform>
            <numerusform>Agent %1 lost: %2. Its locks are shown as last seen; lists omit what only it can see. Next attempt in %n seconds.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Agent lost: %1. Everything is shown as last seen. Next attempt in %n second(s).</source>
        <translation>
            <numerusform>Agent lost: %1. Everything is shown as last seen. Next attempt in %n second.</numerusform>
            <numerusform>Agent lost: %1. Everything is shown as last seen. Next attempt in %n seconds.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sources</source>
        <translation>
            <numerusform>%n source</numerusform>
            <numerusform>%n sources</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LockAdvice</name>
    <message numerus="yes">
        <source>Read: %Ln hold(s) of locks of this name in the last 24 hours; %1 % of that time was observed.</source>
        <translation>
            <numerusform>Read: %Ln hold of locks of this name in the last 24 hours; %1 % of that time was observed.</numerusform>
            <numerusform>Read: %Ln holds of locks of this name in the last 24 hours; %1 % of that time was observed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LockDetail</name>
    <message numerus="yes">
        <source>%1, %Ln seen, longest gap %2</source>
        <comment>time</comment>
        <translation>
            <numerusform>%1, %Ln seen, longest gap %2</numerusform>
            <numerusform>%1, %Ln seen, longest gap %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n a minute</source>
        <translation>
            <numerusform>%n a minute</numerusform>
            <numerusform>%n a minute</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>taken %n time(s)</source>
        <translation>
            <numerusform>taken %n time</numerusform>
            <numerusform>taken %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LocksView</name>
    <message numerus="yes">
        <source>The filter hides %Ln lock(s).</source>
        <translation>
            <numerusform>The filter hides %Ln lock.</numerusform>
            <numerusform>The filter hides %Ln locks.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln free lock(s) are hidden.</source>
        <translation>
            <numerusform>%Ln free lock is hidden.</numerusform>
            <numerusform>%Ln free locks are hidden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lock(s) are in states that are hidden.</source>
        <translation>
            <numerusform>%Ln lock is in states that are hidden.</numerusform>
            <numerusform>%Ln locks are in states that are hidden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) copied</source>
        <translation>
            <numerusform>%Ln row copied</numerusform>
            <numerusform>%Ln rows copied</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) copied as JSON</source>
        <translation>
            <numerusform>%Ln row copied as JSON</numerusform>
            <numerusform>%Ln rows copied as JSON</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::MainWindow</name>
    <message numerus="yes">
        <source>%n agent(s)</source>
        <translation>
            <numerusform>%n agent</numerusform>
            <numerusform>%n agents</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::Navigation</name>
    <message numerus="yes">
        <source>%1, %n need attention</source>
        <comment>view, count</comment>
        <translation>
            <numerusform>%1, %n needs attention</numerusform>
            <numerusform>%1, %n need attention</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::PreferencesDialog</name>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation>
            <numerusform>%n second</numerusform>
            <numerusform>%n seconds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ProbeDialog</name>
    <message numerus="yes">
        <source>Listening for %n second(s)…</source>
        <translation>
            <numerusform>Listening for %n second…</numerusform>
            <numerusform>Listening for %n seconds…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ReleaseFacts</name>
    <message numerus="yes">
        <source>%n, longest %1</source>
        <translation>
            <numerusform>%n, longest %1</numerusform>
            <numerusform>%n, longest %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::SourceStrip</name>
    <message numerus="yes">
        <source>seen now, %Ln lock(s)</source>
        <translation>
            <numerusform>seen now, %Ln lock</numerusform>
            <numerusform>seen now, %Ln locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::SourcesView</name>
    <message numerus="yes">
        <source>Agent %1 %2 · running for %3 · journal %4, %5 events · disk %6 free · %n console(s)</source>
        <translation>
            <numerusform>Agent %1 %2 · running for %3 · journal %4, %5 events · disk %6 free · %n console</numerusform>
            <numerusform>Agent %1 %2 · running for %3 · journal %4, %5 events · disk %6 free · %n consoles</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::TimelineView</name>
    <message numerus="yes">
        <source>These %n lane(s) are those that were waited for most; there are more.</source>
        <translation>
            <numerusform>This %n lane is the one that was waited for most; there are more.</numerusform>
            <numerusform>These %n lanes are those that were waited for most; there are more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::WindowActions</name>
    <message numerus="yes">
        <source>%n agent(s)</source>
        <translation>
            <numerusform>%n agent</numerusform>
            <numerusform>%n agents</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::words::AlertDescription</name>
    <message numerus="yes">
        <source>%n client(s) wait for “%1” in %2.</source>
        <comment>lock, source</comment>
        <translation>
            <numerusform>%n client waits for “%1” in %2.</numerusform>
            <numerusform>%n clients wait for “%1” in %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“%1” in %2 has changed hands %n time(s) within an hour.</source>
        <comment>lock, source</comment>
        <translation>
            <numerusform>“%1” in %2 has changed hands once within an hour.</numerusform>
            <numerusform>“%1” in %2 has changed hands %n times within an hour.</numerusform>
        </translation>
    </message>
</context>
</TS>
