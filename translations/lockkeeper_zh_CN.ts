<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AccessWording</name>
    <message>
        <source>Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needed to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Granted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Statement that grants it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>force-release</source>
        <comment>needed to</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>observe</source>
        <comment>needed to</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <comment>granted</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing</source>
        <comment>granted</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AuditWording</name>
    <message>
        <source>Time (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Approver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, held by %2</source>
        <comment>lock, holder</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CommandWording</name>
    <message>
        <source>Time (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Durations</name>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>hours, minutes</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>days, hours</comment>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n day(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>no expiry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EventWording</name>
    <message>
        <source>Time (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seq</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>exact time, window</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 not observed from %2 %3 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 observed again; not observed %2–%3 %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 observed again from %2 %3 on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExportWords</name>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) written to %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Not written: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HelpDialogs</name>
    <message>
        <source>Views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter; Esc back to the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause and resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next and previous pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock detail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the lock&apos;s detail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Force-release…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History of the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preferences…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back and forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Lockkeeper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lockkeeper %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watches the distributed locks of Redis and MySQL or MariaDB, and releases them safely.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence: GPL-3.0-or-later. Made with Qt %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HoldWording</name>
    <message>
        <source>Holder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 to %3; %n renewal(s)</source>
        <comment>holder, from, to</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LockText</name>
    <message>
        <source>renewed %1 ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>silent: %n renewal(s) missed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>connection open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody holds it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown: no renewal seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown: watched too briefly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>state, lock</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2, held at least %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2, held for %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LockWording</name>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scheme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Acquired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expires</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fencing token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(none)</source>
        <comment>group</comment>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 — %n lock(s), worst: %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>≥: the start wasn&apos;t seen. ~: dated with a window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time left of the lease by the store&apos;s clock; −: past its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not observed now; as of %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Acquired %1, %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expires %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiters not visible in this scheme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last observed %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select All</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select All</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueryWords</name>
    <message>
        <source>Unknown field “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown field “%1”. Did you mean “%2”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” isn&apos;t a value of “%2”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” isn&apos;t a value of “%2”. Did you mean “%3”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A value is missing after “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” wants a whole number, not “%2”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” wants a duration such as 30s or 10m, not “%2”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” wants a time such as 02:40 or -15m, not “%2”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” can&apos;t be compared like that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A closing quotation mark is missing.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReleaseText</name>
    <message>
        <source>Force-release “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Force-release expired lock “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Force-release stuck lock “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Break live lock “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release “%1” without knowing its holder?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” can&apos;t be released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock “%1” changed while this dialog was open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is free already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” can&apos;t be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the lock from its store…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lease ended %1 ago by the store&apos;s clock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It never expires, no sign of life for %1. A slow holder looks the same: check %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its holder renewed it %1 ago. Two processes may then use the resource at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its lease has not ended. Two processes may then use the resource at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If another process took it meanwhile, that lock is deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is now held by %1. Nothing was released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody holds it any more. Nothing was released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 can&apos;t be reached; last seen %2 ago. Release is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release does not stop the holder. If it is running, it keeps writing unless the resource checks a fencing token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Break live lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release unsafely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Force-release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Review again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released. Confirmed by the store at %1 %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not replicated yet: a failover of the store may bring the lock back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none: the row carries no identity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this acquisition and its exact deadline (%1…)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this acquisition, renewed or not (%1…)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReleaseVerdict</name>
    <message>
        <source>No lock is selected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: no agent is connected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: your role is Observer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: none of the selected locks can be released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock is gone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A release is under way.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SourceWording</name>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Poll</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Observed by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clock offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Store</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Silent</source>
        <comment>source</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1%2 ± %3</source>
        <comment>sign, clock offset, uncertainty</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>Releasing…</source>
        <comment>state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown</source>
        <comment>state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stuck</source>
        <comment>state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expired</source>
        <comment>state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contended</source>
        <comment>state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expiring</source>
        <comment>state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held</source>
        <comment>state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimistic</source>
        <comment>state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free</source>
        <comment>state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Acquired</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewed</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expired</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taken over</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait began</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait ended</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stuck</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No longer stuck</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Force-released</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gap opened</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gap closed</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source reached</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source lost</source>
        <comment>event</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released</source>
        <comment>outcome</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holder changed</source>
        <comment>outcome</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Already free</source>
        <comment>outcome</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused</source>
        <comment>outcome</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unreachable</source>
        <comment>outcome</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Partial</source>
        <comment>outcome</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown</source>
        <comment>outcome</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pending</source>
        <comment>outcome</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released. The store confirmed it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock changed in the meantime. Nothing was released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock was free already. Nothing was released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The release was refused. Nothing was released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The store couldn&apos;t be reached. Nothing was released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only some of the nodes released the lock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome unknown. The request was sent, the reply lost. It won&apos;t be repeated; the lock is being read again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The request is under way.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator&apos;s decision</source>
        <comment>because</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expired</source>
        <comment>because</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stuck</source>
        <comment>because</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Observer</source>
        <comment>role</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <comment>role</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Administrator</source>
        <comment>role</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting</source>
        <comment>source</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Observed</source>
        <comment>source</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unreachable</source>
        <comment>source</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Push</source>
        <comment>observation</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Polling</source>
        <comment>observation</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no evidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written by the application</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the store&apos;s own expiry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seen between two observations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there when first seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>told by the store</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stuck: it has no expiry, though locks of this scheme expire. Its owner probably died between taking the lock and setting the expiry.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stuck: no sign of life for longer than the configuration allows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>guarded: token and expiry</source>
        <comment>release verdict</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>guarded: holder and both times</source>
        <comment>release verdict</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>guarded</source>
        <comment>release verdict</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unsafe: no identity</source>
        <comment>release verdict</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to release: the lock is free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: the agent&apos;s configuration says break = &quot;never&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: nothing identifies the holder, so the release can&apos;t be guarded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: the value is too long to be read whole.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: the key is of another type than the scheme&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: the source isn&apos;t observed now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: a grant or your role doesn&apos;t allow it. The Sources view names the grant.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: locks of this scheme can&apos;t be broken.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: what is stored doesn&apos;t fit the scheme.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>still held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not observed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The request wasn&apos;t understood</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name fits more than one lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can&apos;t be reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The login was rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A permission is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is still starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer in time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection was lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other side doesn&apos;t speak the protocol</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not supported here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A table isn&apos;t what the configuration says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Busy: nothing was done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The journal can&apos;t be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stored data is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agent is ending</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that it is running and that the address is right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the user and the password in the agent&apos;s configuration.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Sources view names the missing grant.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free some disk space for the agent&apos;s journal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a console and an agent of matching versions.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::charts::LeaseChart</name>
    <message numerus="yes">
        <source>%n renewal(s) seen</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n renewal(s) missed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n gap(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Remaining time of the lease over the last 15 minutes: %1; %2; %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ActivityPanel</name>
    <message>
        <source>Events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands (%1)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::AuditView</name>
    <message>
        <source>Audit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chain has not been checked yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking the chain…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chain verified %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chain broken, checked %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The audit was altered outside the agent: entry %1 is the first that doesn&apos;t fit the chain.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The audit was altered outside the agent: entries are missing at its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was force-released yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every force-release is written here before it is sent, and again with its outcome.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Verify chain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Audit, newest first</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::BannerArea</name>
    <message numerus="yes">
        <source>%n more message(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::BulkDialog</name>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason (goes to the audit):</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>will release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out: not ticked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out: its lease is live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out: no identity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out: free already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out: can&apos;t be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out: changed since the preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>left out: more than %n at once</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>left out: stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Force-release %n lock(s)? Live locks and locks without identity are left out.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Force-release %n lock(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Type the number of locks to confirm:</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Force-release %n</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 released of %2 sent</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ConsoleStatusBar</name>
    <message>
        <source>Connecting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stale %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Live %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The link to the agent and its round trip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1/%2 sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources that are observed now, of all</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n command(s) under way</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Your role at this agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>time, zone</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This machine&apos;s clock. Click to change the time zone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 locks, %2 shown, %3 selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 locks</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::FilterBar</name>
    <message>
        <source>none</source>
        <comment>grouping</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source</source>
        <comment>grouping</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scheme</source>
        <comment>grouping</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holder</source>
        <comment>grouping</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name prefix</source>
        <comment>grouping</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter: name, holder, or field:value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space: and. Comma: or. -: not. Fields: state source scheme place name holder waiters wait held ttl alive release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No expiry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save this filter…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save this filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the filter:</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::FilterEdit</name>
    <message>
        <source>%1   (%2)</source>
        <comment>completion, count</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::HistoryView</name>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No events yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No event fits this filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agent has journalled nothing so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The filter hides the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n new</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 events in the journal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>among about %1 events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, following</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in &amp;Locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only this lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as &amp;JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter: event:expired name:lock* from:-15m</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter of the history</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the events before this time (Ctrl+G)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to go to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events, newest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the newest events</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LeasePanel</name>
    <message>
        <source>Lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No lease: it has no expiry, or nobody holds it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LinkBanners</name>
    <message numerus="yes">
        <source>Agent lost: %1. Everything shown is as it was last seen. Next attempt in %n second(s).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Reconnect now</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Paused at %1 %2, %n change(s) waiting</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 hasn&apos;t been observed yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 hasn&apos;t been observed yet: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 not observed since %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 not observed since %2 %3: %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 not observed %2–%3 %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 observed again since %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LockDetail</name>
    <message>
        <source>Force-release…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy all that is shown here as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n locks selected</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Select a lock to see who holds it, since when, and who waits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not observed now: as of %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gone: the store has no such lock any more. This is what was last seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not in the list: the filter or the state buttons hide it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown: not observed now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last held by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fencing token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Identity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the store says NULL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>time, zone</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 (%3)</source>
        <comment>time, window, evidence</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>time, evidence</comment>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1, %n seen, longest gap %2</source>
        <comment>time</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <comment>offset, uncertainty</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Acquired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expires</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clock offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The store&apos;s clock against the agent&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiters not visible in this scheme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiters (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>waiter, for how long</comment>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nobody waits.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LocksView</name>
    <message>
        <source>Locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agent can&apos;t be reached: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting to the agent…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No locks seen yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locks appear here as soon as a source has one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No lock fits the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The filter hides %n lock(s).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n free lock(s) are hidden.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) are in states that are hidden.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) copied</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) copied as JSON</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Export the shown locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) written to %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 couldn&apos;t be written: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::MainWindow</name>
    <message>
        <source>Lockkeeper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 – Lockkeeper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Force-release the selected lock (Ctrl+Del)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All sources have been read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading failed: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::Navigation</name>
    <message>
        <source>%1, %2</source>
        <comment>view, count</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::PreferencesDialog</name>
    <message>
        <source>Export folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Local</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The last one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row height:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times in:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re-sort every:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start with:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export folder:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show milliseconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark rows whose state has changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tint stuck and expired rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reconnect by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::RecentHolds</name>
    <message>
        <source>Last holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what, cause</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None in the journal yet.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ReleaseDialog</name>
    <message>
        <source>Read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only if not &amp;renewed since</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason (goes to the audit):</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type the lock&apos;s name to confirm:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock&apos;s name, to confirm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Co&amp;py details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checked %1 ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not read yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ReleaseFacts</name>
    <message>
        <source>Lock:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holder:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held for:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remaining:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alive:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiters:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Will run:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guard:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not visible in this scheme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n, longest %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::SourcePanel</name>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Store&apos;s clock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Observation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schemes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 since %2</source>
        <comment>state, time</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; not observed since %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 held, %2 free, %3 expired, %4 stuck, %5 contended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 against the agent&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 every %2, a pass takes %3</source>
        <comment>polling, interval, duration</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not known before the source was reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A right to observe is missing: some locks can&apos;t be seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can observe. Can&apos;t force-release: a right is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can observe and force-release.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The statement is on the clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the agent may do there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy statement</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::SourcesView</name>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agent&apos;s configuration names no store to watch, or no agent is connected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agent&apos;s state is not known: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The journal can&apos;t be written, so nothing can be force-released: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Agent %1 %2 · running for %3 · journal %4, %5 events · disk %6 free · %n console(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::StartPage</name>
    <message>
        <source>no answer within 5 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Welcome to Lockkeeper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect to an agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address of the agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts private Redis and MariaDB servers with a lively set of locks, an agent and a console, and removes everything afterwards. Run this in the source folder:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what, cause</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address is valid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the agent, or check its data_dir and listen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The socket exists.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connected to %1 as %2 (%3).</source>
        <comment>agent, user, role</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 speaks the same protocol.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::StateChip</name>
    <message>
        <source>%1 %2</source>
        <comment>state, count</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show or hide locks in this state</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::StatePage</name>
    <message>
        <source>Copy details</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::WindowActions</name>
    <message>
        <source>&amp;Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Read now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Force-release…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as &amp;JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock &amp;detail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Events and commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pre&amp;vious pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;orward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Local time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;UTC</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Preferences…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset la&amp;yout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Connect to an agent…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reconnect now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Lockkeeper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time &amp;zone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time: UTC</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time: local (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent: none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
