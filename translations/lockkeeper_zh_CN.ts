<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AccessFormatter</name>
    <message>
        <source>Right</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>Needed to</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Granted</source>
        <translation>已授予</translation>
    </message>
    <message>
        <source>Statement that grants it</source>
        <translation>授权语句</translation>
    </message>
    <message>
        <source>force-release</source>
        <comment>needed to</comment>
        <translation>强制释放</translation>
    </message>
    <message>
        <source>observe</source>
        <comment>needed to</comment>
        <translation>观测</translation>
    </message>
    <message>
        <source>yes</source>
        <comment>granted</comment>
        <translation>是</translation>
    </message>
    <message>
        <source>missing</source>
        <comment>granted</comment>
        <translation>缺失</translation>
    </message>
</context>
<context>
    <name>AdviceRowFormatter</name>
    <message>
        <source>Advice</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>可信度</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>修改方法</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <comment>two locks</comment>
        <translation>%1 和 %2</translation>
    </message>
</context>
<context>
    <name>AgentLookout</name>
    <message>
        <source>needs the admin role on all sources</source>
        <translation>需要具有所有数据源的管理员角色</translation>
    </message>
    <message>
        <source>the link to the agent broke</source>
        <translation>与 Agent 的连接已中断</translation>
    </message>
</context>
<context>
    <name>AlertActions</name>
    <message>
        <source>The alert is over.</source>
        <translation>告警已结束。</translation>
    </message>
    <message>
        <source>The agent of this alert isn&apos;t connected.</source>
        <translation>未连接到该告警所属的 Agent。</translation>
    </message>
    <message>
        <source>Your role doesn&apos;t cover this alert: it takes the role that may release the lock.</source>
        <translation>当前角色无权处理该告警：需要有权释放该锁的角色。</translation>
    </message>
    <message>
        <source>The alert is acknowledged.</source>
        <translation>告警已确认。</translation>
    </message>
    <message>
        <source>The alert isn&apos;t snoozed.</source>
        <translation>告警未暂停提醒。</translation>
    </message>
    <message>
        <source>Select an alert.</source>
        <translation>请选择一条告警。</translation>
    </message>
    <message>
        <source>The agent refused: %1</source>
        <translation>Agent 拒绝了请求：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s) acknowledged.</source>
        <translation>
            <numerusform>已确认 %n 条告警。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s) snoozed.</source>
        <translation>
            <numerusform>已暂停 %n 条告警的提醒。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The snooze of %n alert(s) has ended.</source>
        <translation>
            <numerusform>已恢复 %n 条告警的提醒。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AlertFormatter</name>
    <message>
        <source>Not known since %1</source>
        <comment>time</comment>
        <translation>自 %1 起状态未知</translation>
    </message>
    <message>
        <source>Snoozed until %1</source>
        <comment>time</comment>
        <translation>暂停提醒至 %1</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Alert</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>Lock or source</source>
        <translation>锁或数据源</translation>
    </message>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Lasts</source>
        <translation>持续</translation>
    </message>
    <message>
        <source>Fired (%1)</source>
        <translation>触发 (%1)</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>By</source>
        <translation>处理人</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Since (%1)</source>
        <translation>开始 (%1)</translation>
    </message>
    <message>
        <source>%1, %2. %3</source>
        <comment>severity, state, sentence</comment>
        <translation>%1，%2。%3</translation>
    </message>
    <message>
        <source>%1
Rule %2</source>
        <comment>sentence, its name</comment>
        <translation>%1
规则 %2</translation>
    </message>
    <message>
        <source>Since %1</source>
        <comment>time</comment>
        <translation>自 %1 起</translation>
    </message>
    <message>
        <source>Over since %1</source>
        <translation>已于 %1 结束</translation>
    </message>
</context>
<context>
    <name>AttentionFormatter</name>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Since (%1)</source>
        <comment>zone</comment>
        <translation>起始（%1）</translation>
    </message>
    <message>
        <source>For</source>
        <comment>how long it has been so</comment>
        <translation>已持续</translation>
    </message>
    <message>
        <source>Waiting</source>
        <comment>how many</comment>
        <translation>等待者</translation>
    </message>
    <message>
        <source>settled, or not seen any more</source>
        <translation>已恢复，或不再被观测</translation>
    </message>
    <message>
        <source>Since when is not known</source>
        <translation>起始时间未知</translation>
    </message>
    <message>
        <source>The longest has waited for %1</source>
        <translation>最长已等待 %1</translation>
    </message>
    <message>
        <source>It began earlier: it was already so when first seen</source>
        <translation>未观测到起始：当时已是如此</translation>
    </message>
    <message>
        <source>or up to %1 earlier</source>
        <translation>或最多再早 %1</translation>
    </message>
    <message>
        <source>This scheme doesn&apos;t show its waiters</source>
        <translation>此锁方案的等待者不可见</translation>
    </message>
    <message>
        <source>Source and place</source>
        <translation>数据源与位置</translation>
    </message>
</context>
<context>
    <name>AuditFormatter</name>
    <message>
        <source>Time (%1)</source>
        <translation>时间（%1）</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>操作者</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>校验条件</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Approver</source>
        <translation>审批人</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>%1, held by %2</source>
        <comment>lock, holder</comment>
        <translation>%1，由 %2 持有</translation>
    </message>
    <message>
        <source>Reaper</source>
        <translation>自动清理器</translation>
    </message>
    <message>
        <source>The reaper: a policy of the agent&apos;s configuration, run as %1</source>
        <translation>自动清理器：Agent 配置中的策略，以 %1 身份运行</translation>
    </message>
    <message>
        <source>Probe of %1</source>
        <comment>source</comment>
        <translation>对 %1 的探测</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>Login here</source>
        <translation>在本机登录</translation>
    </message>
    <message>
        <source>Login from %1</source>
        <comment>machine</comment>
        <translation>从 %1 登录</translation>
    </message>
    <message>
        <source>Scan of %1</source>
        <comment>address of a store</comment>
        <translation>扫描 %1</translation>
    </message>
    <message>
        <source>Incomplete audit accepted</source>
        <translation>已接受不完整的审计</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>time</comment>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>BlockerFormatter</name>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Waiting caused</source>
        <translation>造成的等待</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>等待次数</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>Observed</source>
        <translation>观测覆盖率</translation>
    </message>
    <message>
        <source>Statement</source>
        <translation>语句</translation>
    </message>
    <message>
        <source>The time that others waited while it certainly held the lock, added up</source>
        <translation>其他客户端在其确定持有锁期间的等待时间之和</translation>
    </message>
    <message>
        <source>Share of all waiting in this range; “?”: there are more rows than were read</source>
        <translation>占该时间范围内全部等待的比例；“?”表示还有未读取的行</translation>
    </message>
    <message>
        <source>The longest part of a single wait</source>
        <translation>单次等待中最长的部分</translation>
    </message>
    <message>
        <source>How many clients waited for it</source>
        <translation>等待过它的客户端数</translation>
    </message>
    <message>
        <source>At how many locks others waited for it</source>
        <translation>其他客户端因它而等待的锁数</translation>
    </message>
    <message>
        <source>Share of this range in which the agent saw the source</source>
        <translation>该时间范围内 Agent 观测到该数据源的占比</translation>
    </message>
</context>
<context>
    <name>ChainFormatter</name>
    <message>
        <source>Connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>正在等待</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待时长</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>阻塞</translation>
    </message>
    <message>
        <source>Waiting caused</source>
        <translation>造成的等待</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Connections that wait for it directly / everybody behind it</source>
        <translation>直接等待它的连接数 / 其后的全部连接数</translation>
    </message>
    <message>
        <source>The waiting times of everybody behind it, added up</source>
        <translation>其后全部连接的等待时长之和</translation>
    </message>
    <message>
        <source>Gone: it neither blocks nor waits any more.</source>
        <translation>已消失：不再阻塞其他连接，也不再等待。</translation>
    </message>
    <message>
        <source>Since %1</source>
        <translation>始于 %1</translation>
    </message>
    <message>
        <source>%1 directly, %2 in all</source>
        <translation>直接 %1 个，共 %2 个</translation>
    </message>
    <message>
        <source>%1, read at %2</source>
        <translation>%1，读取于 %2</translation>
    </message>
    <message>
        <source>also blocked by %1</source>
        <translation>同时被 %1 阻塞</translation>
    </message>
    <message>
        <source>whole table locked, unindexed predicate?</source>
        <translation>整表被锁，条件未走索引？</translation>
    </message>
    <message numerus="yes">
        <source>Connection %1 blocks %n connection(s)</source>
        <translation>
            <numerusform>连接 %1 阻塞了 %n 个连接</numerusform>
        </translation>
    </message>
    <message>
        <source>an unknown time</source>
        <translation>未知时长</translation>
    </message>
    <message numerus="yes">
        <source>Connection %1 has waited for %2 for %3 and blocks %n connection(s)</source>
        <translation>
            <numerusform>连接 %1 等待 %2 已 %3，并阻塞了 %n 个连接</numerusform>
        </translation>
    </message>
    <message>
        <source>Connection %1 has waited for %2 for %3</source>
        <translation>连接 %1 等待 %2 已 %3</translation>
    </message>
    <message>
        <source>%1 (an old picture: others read it too often)</source>
        <comment>what was read</comment>
        <translation>%1（旧数据：其他程序读取过于频繁）</translation>
    </message>
    <message>
        <source>the register of waiters</source>
        <comment>what was read</comment>
        <translation>等待者登记表</translation>
    </message>
    <message>
        <source>Deadlock in %1: %2. Each waits for the next one.</source>
        <comment>source, path</comment>
        <translation>%1 中发生死锁：%2。每个连接都在等待下一个。</translation>
    </message>
    <message numerus="yes">
        <source>%n connection(s) waiting</source>
        <translation>
            <numerusform>%n 个连接在等待</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n head blocker(s)</source>
        <translation>
            <numerusform>%n 个阻塞源头</numerusform>
        </translation>
    </message>
    <message>
        <source>longest wait %1</source>
        <translation>最长等待 %1</translation>
    </message>
    <message>
        <source>%1 %2 · %3 rows</source>
        <comment>whole table locked, place, number</comment>
        <translation>%1%2 · %3 行</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>whole table locked, place</comment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>%1 +%2</source>
        <comment>lock, how many more</comment>
        <translation>%1 +%2</translation>
    </message>
    <message>
        <source>last: %1</source>
        <comment>statement</comment>
        <translation>上一条：%1</translation>
    </message>
    <message>
        <source>Runs: %1</source>
        <translation>正在执行：%1</translation>
    </message>
    <message>
        <source>Idle for %1. Last statement: %2</source>
        <translation>连接已空闲 %1。上一条语句：%2</translation>
    </message>
    <message>
        <source>It holds none of the watched locks.</source>
        <translation>它未持有任何受观测的锁。</translation>
    </message>
    <message numerus="yes">
        <source>Holds %n watched lock(s): %1.</source>
        <translation>
            <numerusform>持有 %n 个受观测的锁：%1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A kill rolls back %Ln changed row(s).</source>
        <translation>
            <numerusform>终止连接将回滚 %Ln 行已更改的数据。</numerusform>
        </translation>
    </message>
    <message>
        <source>Locks that it holds and others wait for</source>
        <translation>它持有且有其他连接在等待的锁</translation>
    </message>
    <message>
        <source>One transaction has locked many rows of one table. A predicate without an index makes the server lock every row that it scans.</source>
        <translation>一个事务锁定了一张表的许多行。条件未使用索引时，服务器会锁定它扫描到的每一行。</translation>
    </message>
    <message>
        <source>It is listed once, below the connection that it waits for first. Enter goes to the other one.</source>
        <translation>每个连接只列一次，位于它首先等待的连接之下；按 Enter 跳转到同时阻塞它的另一连接。</translation>
    </message>
    <message>
        <source>The server doesn&apos;t report what it is running.</source>
        <translation>服务器未提供其正在执行的语句。</translation>
    </message>
    <message>
        <source>Idle for %1; the server doesn&apos;t report its last statement.</source>
        <translation>连接已空闲 %1；服务器未提供其上一条语句。</translation>
    </message>
    <message>
        <source>The server doesn&apos;t report how much a kill rolls back.</source>
        <translation>服务器未提供终止连接将回滚的行数。</translation>
    </message>
    <message>
        <source>Open for</source>
        <translation>已打开</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>How long its transaction has been open, if the store has transactions</source>
        <translation>其事务已持续的时长（若存储支持事务）</translation>
    </message>
    <message>
        <source>The statement that it runs or ran last, if the store has statements</source>
        <translation>正在执行或上次执行的语句（若存储支持语句）</translation>
    </message>
    <message>
        <source>This store doesn&apos;t show what its clients do.</source>
        <translation>此存储不显示其客户端在做什么。</translation>
    </message>
    <message>
        <source>No connection waits for a lock</source>
        <translation>没有连接在等待锁</translation>
    </message>
</context>
<context>
    <name>ChainMenu</name>
    <message>
        <source>Go to connection %1</source>
        <translation>转到连接 %1</translation>
    </message>
    <message>
        <source>Force-release “%1”…</source>
        <translation>强制释放“%1”…</translation>
    </message>
    <message>
        <source>Show lock “%1”</source>
        <translation>显示锁“%1”</translation>
    </message>
    <message>
        <source>Show lock “%1”, which it waits for</source>
        <translation>显示它正在等待的锁“%1”</translation>
    </message>
    <message>
        <source>Copy statement</source>
        <translation>复制语句</translation>
    </message>
    <message>
        <source>Show everything of this holder</source>
        <translation>显示该持有者的全部锁</translation>
    </message>
</context>
<context>
    <name>ColumnsMenu</name>
    <message>
        <source>C&amp;olumns…</source>
        <translation>列(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Default order</source>
        <translation>默认顺序(&amp;D)</translation>
    </message>
    <message>
        <source>Default &amp;columns</source>
        <translation>默认列(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Ascending</source>
        <translation>升序(&amp;A)</translation>
    </message>
    <message>
        <source>D&amp;escending</source>
        <translation>降序(&amp;E)</translation>
    </message>
</context>
<context>
    <name>CommandFormatter</name>
    <message>
        <source>Time (%1)</source>
        <translation>时间（%1）</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>ContentionFormatter</name>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待时长</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>等待次数</translation>
    </message>
    <message>
        <source>Wait p50 / p95</source>
        <translation>等待 p50 / p95</translation>
    </message>
    <message>
        <source>Hold p50 / p95</source>
        <translation>持有 p50 / p95</translation>
    </message>
    <message>
        <source>Hand-over p50</source>
        <translation>交接间隔 p50</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>持有占比</translation>
    </message>
    <message>
        <source>Changes/min</source>
        <translation>持有者变更/分</translation>
    </message>
    <message>
        <source>Forced</source>
        <translation>强制释放</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>Observed</source>
        <translation>观测覆盖率</translation>
    </message>
    <message>
        <source>All waiting in this range, added up</source>
        <translation>此范围内全部等待时间之和</translation>
    </message>
    <message>
        <source>Free time between one holder and the next: lower and upper bound</source>
        <translation>上一持有者结束到下一持有者开始之间的空闲时间（下限与上限）</translation>
    </message>
    <message>
        <source>Share of the observed time during which the lock was held: lower and upper bound</source>
        <translation>观测时间内锁被持有的占比（下限与上限）</translation>
    </message>
    <message>
        <source>Acquisitions in a minute of the observed time</source>
        <translation>观测时间内每分钟的获取次数</translation>
    </message>
    <message>
        <source>Share of this range in which the agent saw the source</source>
        <translation>此范围内 Agent 观测到该数据源的时间占比</translation>
    </message>
    <message>
        <source>Longest: %1</source>
        <translation>最长：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n hand-over(s), p95 %1</source>
        <translation>
            <numerusform>%n 次交接，p95 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>vs. before</source>
        <translation>环比</translation>
    </message>
    <message>
        <source>Compared with the preceding period of the same length, per observed time: waiting, or hand-overs where waiters aren&apos;t visible</source>
        <translation>与此范围之前的等长时段相比，均按已观测时间折算：比较等待时间；等待者不可见时，比较持有者变更次数</translation>
    </message>
    <message>
        <source>new</source>
        <comment>contention that wasn&apos;t there before</comment>
        <translation>新增</translation>
    </message>
    <message>
        <source>Before: %1 of waiting; %2 of that time was observed</source>
        <translation>上期：等待 %1；该时段观测覆盖率 %2</translation>
    </message>
    <message>
        <source>Before: acquired %1 times; %2 of that time was observed</source>
        <translation>上期：获取 %1 次；该时段观测覆盖率 %2</translation>
    </message>
    <message>
        <source>Not enough data in the previous period</source>
        <translation>上期观测数据过少，无法比较</translation>
    </message>
    <message numerus="yes">
        <source>%1 — %Ln lock(s)</source>
        <comment>table, place, source or waiter</comment>
        <translation>
            <numerusform>%1 — %Ln 个锁</numerusform>
        </translation>
    </message>
    <message>
        <source>Waiters are not visible in this scheme: its clients retry on their own schedule</source>
        <translation>此锁方案的等待者不可见：其客户端自行重试</translation>
    </message>
</context>
<context>
    <name>Durations</name>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation>
            <numerusform>%n 秒</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n 小时</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>hours, minutes</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>days, hours</comment>
        <translation>%1 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n day(s)</source>
        <translation>
            <numerusform>%n 天</numerusform>
        </translation>
    </message>
    <message>
        <source>no expiry</source>
        <translation>永不过期</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <source>this agent is standby, and the active one is unknown: %1</source>
        <translation>该 Agent 处于待命状态，且无法查询哪个 Agent 处于活动状态：%1</translation>
    </message>
    <message>
        <source>this agent is standby; active is %1</source>
        <translation>该 Agent 处于待命状态；处于活动状态的是 %1</translation>
    </message>
    <message>
        <source>this agent is standby; another one is active, but its name isn&apos;t known</source>
        <translation>该 Agent 处于待命状态；另一个 Agent 处于活动状态，其名称未知</translation>
    </message>
    <message>
        <source>this agent is standby; no agent is known to be active</source>
        <translation>该 Agent 处于待命状态；没有已知处于活动状态的 Agent</translation>
    </message>
    <message>
        <source>Ask that agent.</source>
        <translation>请向该 Agent 查询。</translation>
    </message>
    <message>
        <source>Ask the other agent.</source>
        <translation>请向另一个 Agent 查询。</translation>
    </message>
    <message>
        <source>Start lockkeeper-agent, or specify its address</source>
        <translation>请启动 lockkeeper-agent，或指定其地址。</translation>
    </message>
    <message>
        <source>Restart lockkeeper-agent; it replaces the stale socket</source>
        <translation>请重新启动 lockkeeper-agent；它会替换遗留的套接字。</translation>
    </message>
    <message>
        <source>Run as the user that lockkeeper-agent runs as</source>
        <translation>请以运行 lockkeeper-agent 的用户身份运行。</translation>
    </message>
    <message>
        <source>Check that lockkeeper-agent runs and that this is its socket</source>
        <translation>请检查 lockkeeper-agent 是否在运行，以及这是否是它的套接字。</translation>
    </message>
    <message>
        <source>Check that lockkeeper-agent isn&apos;t stopped or overloaded</source>
        <translation>请检查 lockkeeper-agent 是否已停止或过载。</translation>
    </message>
    <message>
        <source>Use --user NAME, and --password env:NAME or file:PATH</source>
        <translation>请指定 --user NAME，以及 --password env:NAME 或 file:PATH。</translation>
    </message>
    <message>
        <source>Install Lockkeeper there, in the PATH of commands over ssh</source>
        <translation>请在那台机器上安装 Lockkeeper，并使其位于 ssh 命令的 PATH 中。</translation>
    </message>
    <message>
        <source>Install a newer Lockkeeper there</source>
        <translation>请在那台机器上安装较新的 Lockkeeper。</translation>
    </message>
    <message>
        <source>Start lockkeeper-agent there, or add its socket&apos;s path to the address</source>
        <translation>请在那台机器上启动 lockkeeper-agent，或在地址中加上其套接字的路径。</translation>
    </message>
    <message>
        <source>Install the OpenSSH client</source>
        <translation>请安装 OpenSSH 客户端。</translation>
    </message>
    <message>
        <source>Make its login shell silent for commands over ssh</source>
        <translation>请使其登录 shell 在执行 ssh 命令时不输出任何内容。</translation>
    </message>
    <message>
        <source>Run &apos;ssh %1&apos; once in a terminal, and compare the key&apos;s fingerprint before you accept it</source>
        <translation>请在终端中运行一次“ssh %1”，核对密钥指纹后再接受。</translation>
    </message>
    <message>
        <source>Check the name; ssh&apos;s own configuration may define aliases</source>
        <translation>请检查名称；ssh 自身的配置可能定义了别名。</translation>
    </message>
    <message>
        <source>Try &apos;ssh %1&apos; in a terminal; load the key with ssh-add</source>
        <translation>请在终端中尝试“ssh %1”；用 ssh-add 载入密钥。</translation>
    </message>
    <message>
        <source>Try &apos;ssh %1&apos; in a terminal; name the right key in ssh&apos;s configuration</source>
        <translation>请在终端中尝试“ssh %1”；在 ssh 的配置中指定正确的密钥。</translation>
    </message>
    <message>
        <source>Try &apos;ssh %1 lockkeeperctl status&apos; in a terminal</source>
        <translation>请在终端中尝试“ssh %1 lockkeeperctl status”。</translation>
    </message>
    <message>
        <source>Try &apos;ssh %1&apos; in a terminal</source>
        <translation>请在终端中尝试“ssh %1”。</translation>
    </message>
    <message>
        <source>Check the clock of this machine, or give the agent a new certificate</source>
        <translation>请检查本机的时钟，或为 Agent 更换证书。</translation>
    </message>
    <message>
        <source>Compare it with what lockkeeper-agent --config FILE --fingerprint prints there, then trust it: lockkeeperctl --agent %1 --trust %2 status</source>
        <translation>请与那台机器上 lockkeeper-agent --config FILE --fingerprint 的输出核对，然后信任它：lockkeeperctl --agent %1 --trust %2 status</translation>
    </message>
    <message>
        <source>Use the name that the certificate carries: %1</source>
        <translation>请使用证书中的名称：%1</translation>
    </message>
    <message>
        <source>Use --ca with the file of the authority that signed it</source>
        <translation>请用 --ca 指定签发该证书的 CA 的证书文件。</translation>
    </message>
    <message>
        <source>Check the name</source>
        <translation>请检查名称。</translation>
    </message>
    <message>
        <source>Start lockkeeper-agent there, with this address in listen</source>
        <translation>请在那台机器上启动 lockkeeper-agent，并在 listen 中写入此地址。</translation>
    </message>
    <message>
        <source>Check the address and the firewall</source>
        <translation>请检查地址以及中间的防火墙。</translation>
    </message>
    <message>
        <source>Use --certificate and --key, signed by an authority in its client_ca</source>
        <translation>请指定由其 client_ca 中的 CA 签发的 --certificate 和 --key。</translation>
    </message>
    <message>
        <source>TLS 1.2 or later is required; update the server</source>
        <translation>至少需要 TLS 1.2；请更新在该地址监听的程序。</translation>
    </message>
    <message>
        <source>Use the port of the agent&apos;s tls:// address</source>
        <translation>请指定 Agent 的 tls:// 地址的端口。</translation>
    </message>
    <message>
        <source>Check that a lockkeeper-agent listens there</source>
        <translation>请检查在该地址监听的是否为 lockkeeper-agent。</translation>
    </message>
    <message>
        <source>Use the address in the agent&apos;s listen</source>
        <translation>请使用 Agent 配置中 listen 的地址。</translation>
    </message>
    <message>
        <source>Check that it is a lockkeeper-agent, and not overloaded</source>
        <translation>请检查它是否是 lockkeeper-agent，以及是否过载。</translation>
    </message>
    <message>
        <source>Connect again</source>
        <translation>请重新连接。</translation>
    </message>
    <message>
        <source>Request a new certificate</source>
        <translation>请换用新的证书。</translation>
    </message>
    <message>
        <source>Use --certificate and --key</source>
        <translation>请指定 --certificate 和 --key。</translation>
    </message>
    <message>
        <source>Wait a few minutes</source>
        <translation>请等待几分钟。</translation>
    </message>
    <message>
        <source>Try again in a few seconds</source>
        <translation>请几秒钟后重试。</translation>
    </message>
    <message>
        <source>Add an [[access]] with who = [&quot;user:%1&quot;] to the agent&apos;s configuration</source>
        <translation>请在 Agent 的配置中添加 who = [&quot;user:%1&quot;] 的 [[access]]。</translation>
    </message>
    <message>
        <source>Ask for an [[access]] entry in the agent&apos;s configuration.</source>
        <translation>请申请在 Agent 的配置中添加 [[access]] 条目。</translation>
    </message>
    <message>
        <source>Wait for the lease to expire, or release it as an operator (--because operator).</source>
        <translation>请等租约过期，或改以操作员身份强制释放（--because operator）。</translation>
    </message>
    <message>
        <source>Check its state, or release it as an operator (--because operator).</source>
        <translation>请查看其状态，或改以操作员身份强制释放（--because operator）。</translation>
    </message>
    <message>
        <source>Read the lock again.</source>
        <translation>请重新读取该锁。</translation>
    </message>
    <message>
        <source>Use local:PATH, ssh://HOST or tls://HOST</source>
        <translation>请指定 local:路径、ssh://主机 或 tls://主机。</translation>
    </message>
    <message>
        <source>Specify the path of the socket, e.g. local:lockkeeper.sock</source>
        <translation>请指定套接字的路径，例如 local:lockkeeper.sock。</translation>
    </message>
    <message>
        <source>Use a shorter path, e.g. below /run or /tmp</source>
        <translation>请使用较短的路径，例如位于 /run 或 /tmp 之下。</translation>
    </message>
    <message>
        <source>Use ssh://[USER@]HOST[:PORT][/SOCKET]</source>
        <translation>请指定 ssh://[用户@]主机[:端口][/套接字]。</translation>
    </message>
    <message>
        <source>Remove it: ssh asks for it, or uses a key</source>
        <translation>请省略密码：ssh 会自行询问，或使用密钥。</translation>
    </message>
    <message>
        <source>Remove it, and log in with --user and --password</source>
        <translation>请在地址中省略密码，并以 --user 和 --password 登录。</translation>
    </message>
    <message>
        <source>Use tls://HOST[:PORT], with an IPv6 address in brackets</source>
        <translation>请指定 tls://主机[:端口]，IPv6 地址须加方括号。</translation>
    </message>
    <message>
        <source>Use local:PATH, or ssh://HOST or tls://HOST for another machine</source>
        <translation>请使用 local:路径；连接另一台机器则使用 ssh://主机 或 tls://主机。</translation>
    </message>
    <message>
        <source>Log in again</source>
        <translation>请重新登录。</translation>
    </message>
    <message>
        <source>Try again. An administrator manages users with: lockkeeper-agent --config FILE user list</source>
        <translation>请重试；管理员可用此命令查看和更改用户：lockkeeper-agent --config FILE user list</translation>
    </message>
    <message>
        <source>Its common name must be a user name: 1 to 64 visible characters</source>
        <translation>其通用名（CN）须为用户名：1 至 64 个可见字符。</translation>
    </message>
    <message>
        <source>Ask another approver.</source>
        <translation>请由另一名审批人审批。</translation>
    </message>
    <message>
        <source>Copy the guard from &apos;lockkeeperctl locks --json&apos;.</source>
        <translation>请从 lockkeeperctl locks --json 中复制 guard。</translation>
    </message>
    <message>
        <source>XA RECOVER lists it; commit or roll it back there.</source>
        <translation>XA RECOVER 会列出该事务；请在服务器上提交或回滚。</translation>
    </message>
    <message>
        <source>Try again in a few seconds.</source>
        <translation>请几秒钟后重试。</translation>
    </message>
    <message>
        <source>It can be released once a single holder is left.</source>
        <translation>只剩一个持有者时才能强制释放。</translation>
    </message>
    <message>
        <source>Release at the primary.</source>
        <translation>请在主节点上释放。</translation>
    </message>
    <message>
        <source>break = &quot;unsafe&quot; in its lock set allows it, but the release may then hit the holder&apos;s next acquisition.</source>
        <translation>在其锁集中设置 break = &quot;unsafe&quot; 可允许释放：被结束的可能是同一持有者的下一次获取。</translation>
    </message>
    <message>
        <source>Correct &quot;held_value&quot; and &quot;free_value&quot; of the lock set.</source>
        <translation>请更正该锁集的 held_value 和 free_value。</translation>
    </message>
    <message>
        <source>Add its name to &quot;names&quot; of the lock set.</source>
        <translation>请把该名称加入锁集的 names。</translation>
    </message>
    <message>
        <source>Check the schema in the source&apos;s url.</source>
        <translation>请检查数据源 url 中的 schema。</translation>
    </message>
    <message>
        <source>Check the user and the password of this source, and pg_hba.conf.</source>
        <translation>请检查此数据源的用户和密码，以及 pg_hba.conf。</translation>
    </message>
    <message>
        <source>Write the same &quot;table&quot; in both lock sets.</source>
        <translation>请在两个锁集中写相同的 table。</translation>
    </message>
    <message>
        <source>Correct the path in the URL, or create the znode.</source>
        <translation>请更正 URL 中的路径，或创建该 znode。</translation>
    </message>
    <message>
        <source>The server has no such command: it was renamed or disabled (rename-command), or a proxy doesn&apos;t support it.</source>
        <translation>服务器没有此命令：它被重命名或停用（rename-command），或者中间的代理不支持它。</translation>
    </message>
    <message>
        <source>Ask for a new probe</source>
        <translation>请重新申请探测。</translation>
    </message>
    <message>
        <source>Wait for it or cancel it</source>
        <translation>请等待其完成，或取消它</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>请重新申请。</translation>
    </message>
    <message>
        <source>Run lockkeeperctl discover on the agent&apos;s machine</source>
        <translation>请在 Agent 所在的机器上运行 lockkeeperctl discover。</translation>
    </message>
    <message>
        <source>Try again; ask the agent that is active then.</source>
        <translation>请重试，并向届时处于活动状态的 Agent 申请。</translation>
    </message>
    <message>
        <source>Check the source&apos;s user and password.</source>
        <translation>请检查该数据源的用户名和密码。</translation>
    </message>
    <message>
        <source>Check the user, the password and authSource.</source>
        <translation>请检查用户名、密码和 authSource。</translation>
    </message>
    <message>
        <source>Check the user in the URL and the source&apos;s password.</source>
        <translation>请检查 URL 中的用户名和该数据源的密码。</translation>
    </message>
    <message>
        <source>Write the user into the URL, etcd://USER@HOST, and its password beside it.</source>
        <translation>请在 URL 中写明用户（etcd://USER@HOST），并在同一 [[source]] 中配置 password。</translation>
    </message>
    <message>
        <source>Set a password on the server, or connect over its unix socket.</source>
        <translation>请为服务器设置密码，或通过其 Unix 套接字连接。</translation>
    </message>
    <message>
        <source>Connect the source to the primary.</source>
        <translation>请将该数据源连接到主节点。</translation>
    </message>
    <message>
        <source>Narrow the lock set&apos;s match to the keys that are locks.</source>
        <translation>请缩小该锁集的 match 范围，使其只匹配作为锁的键。</translation>
    </message>
    <message>
        <source>Check that this is its TLS port.</source>
        <translation>请确认这是否为其 TLS 端口。</translation>
    </message>
    <message>
        <source>A server that asks for TLS closes other connections: add ?tls=true.</source>
        <translation>要求 TLS 的服务器会关闭其他连接：请添加 ?tls=true。</translation>
    </message>
    <message>
        <source>Use the port for TLS, or redis:// for this one.</source>
        <translation>请改用 TLS 端口，或对此端口使用 redis://。</translation>
    </message>
    <message>
        <source>Use the port for TLS, or etcd:// for this one.</source>
        <translation>请改用 TLS 端口，或对此端口使用 etcd://。</translation>
    </message>
    <message>
        <source>Write the address that clients use, with etcds:// for TLS.</source>
        <translation>请写明客户端所用的地址；若为 TLS 地址，请使用 etcds://。</translation>
    </message>
    <message>
        <source>Enable TLS on the server.</source>
        <translation>请在服务器上启用 TLS。</translation>
    </message>
    <message>
        <source>Set tls_ca to the file of the CA that signed it.</source>
        <translation>请将 tls_ca 设为签发该证书的 CA 的文件。</translation>
    </message>
    <message>
        <source>Check tls_ca, and that the certificate is for the host in the url.</source>
        <translation>请检查 tls_ca，并确认证书是签发给 url 中的主机的。</translation>
    </message>
    <message>
        <source>Set tls_cert and tls_key to a certificate that the server accepts.</source>
        <translation>请将 tls_cert 和 tls_key 设为服务器接受的证书。</translation>
    </message>
    <message>
        <source>Set tls_cert and tls_key to a certificate that the members accept.</source>
        <translation>请将 tls_cert 和 tls_key 设为各成员接受的证书。</translation>
    </message>
    <message>
        <source>Use the name that the certificate carries, or tls_verify = &quot;ca&quot;.</source>
        <translation>请使用证书中的名称，或设置 tls_verify = &quot;ca&quot;。</translation>
    </message>
    <message>
        <source>Renew it, and check this machine&apos;s clock.</source>
        <translation>请续签该证书，并检查本机时钟。</translation>
    </message>
    <message>
        <source>Make it readable to the agent&apos;s user.</source>
        <translation>请使运行 Agent 的用户可以读取它。</translation>
    </message>
    <message>
        <source>Use a file in PEM format.</source>
        <translation>请指定 PEM 格式的文件。</translation>
    </message>
    <message>
        <source>Check the path in the source&apos;s url.</source>
        <translation>请检查该数据源 url 中的路径。</translation>
    </message>
    <message>
        <source>Install the package %1.</source>
        <translation>请安装软件包 %1。</translation>
    </message>
    <message>
        <source>Run: SET GLOBAL binlog_format = ROW; and let the applications connect again.</source>
        <translation>请执行：SET GLOBAL binlog_format = ROW; 然后让应用程序重新连接。</translation>
    </message>
    <message>
        <source>Run: %1</source>
        <translation>请执行：%1</translation>
    </message>
    <message>
        <source>Check its name, or run: %1</source>
        <translation>请检查其名称，或执行：%1</translation>
    </message>
    <message>
        <source>Did you mean &quot;%1&quot;? Or run: %2</source>
        <translation>是否指“%1”？或执行：%2</translation>
    </message>
    <message>
        <source>If it exists, run: %1;</source>
        <translation>若其存在，请执行：%1;</translation>
    </message>
    <message>
        <source>Create it, or name the lock by another field.</source>
        <translation>请创建该字段，或改用其他字段作为锁名。</translation>
    </message>
    <message>
        <source>Set log_bin in the server&apos;s configuration and restart it.</source>
        <translation>请在服务器的配置中设置 log_bin 并重启服务器。</translation>
    </message>
    <message>
        <source>Use the server&apos;s own address instead of a load balancer&apos;s.</source>
        <translation>请直接指定服务器本身，而不是负载均衡器的地址。</translation>
    </message>
    <message>
        <source>Keep the clocks of the application&apos;s hosts in step.</source>
        <translation>请使应用程序所在主机的时钟保持同步。</translation>
    </message>
    <message>
        <source>Push needs Redis 6.0 or later.</source>
        <translation>推送需要 Redis 6.0 或更高版本。</translation>
    </message>
    <message>
        <source>Give match a fixed prefix (&quot;lock:*&quot;), or remove push.</source>
        <translation>请为 match 指定固定的前缀（如 &quot;lock:*&quot;），或去掉 push。</translation>
    </message>
    <message>
        <source>Grant the agent&apos;s user the role &quot;read&quot; on the database: it has changeStream.</source>
        <translation>请将该数据库的 &quot;read&quot; 角色授予 Agent 的用户：它包含 changeStream。</translation>
    </message>
    <message>
        <source>Remove push: the source is polled every poll_ms.</source>
        <translation>请去掉 push：数据源将每隔 poll_ms 轮询一次。</translation>
    </message>
    <message>
        <source>Write a smaller page_size.</source>
        <translation>请减小 page_size。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>Try again in a few minutes.</source>
        <translation>请几分钟后重试。</translation>
    </message>
    <message>
        <source>Try again in a minute.</source>
        <translation>请一分钟后重试。</translation>
    </message>
    <message>
        <source>Commit it or roll it back by its id.</source>
        <translation>请按其 ID 提交或回滚。</translation>
    </message>
    <message>
        <source>Release it as an operator, without &quot;if not renewed&quot;.</source>
        <translation>请以操作员身份强制释放，并取消“仅当此后未续期”。</translation>
    </message>
    <message>
        <source>lockkeeper-agent --check names the missing right.</source>
        <translation>运行 lockkeeper-agent --check 可查看缺少的权限。</translation>
    </message>
    <message>
        <source>lockkeeper-agent --check shows how to enable it.</source>
        <translation>运行 lockkeeper-agent --check 可查看启用方法。</translation>
    </message>
    <message>
        <source>lockkeeper-agent --check shows what to enable.</source>
        <translation>运行 lockkeeper-agent --check 可查看需要启用的选项。</translation>
    </message>
    <message>
        <source>lockkeeperctl approvals lists them.</source>
        <translation>运行 lockkeeperctl approvals 可列出这些申请。</translation>
    </message>
    <message>
        <source>lockkeeperctl whoami shows its scope.</source>
        <translation>运行 lockkeeperctl whoami 可查看其范围。</translation>
    </message>
    <message>
        <source>Compare the journal with a backup. To accept the audit as it is, stop the agent and run: lockkeeper-agent --config FILE audit accept --reason TEXT</source>
        <translation>请将日志库与备份比对。若要以审计现状继续，请停止 Agent 并运行：lockkeeper-agent --config FILE audit accept --reason TEXT</translation>
    </message>
    <message>
        <source>End some of them</source>
        <translation>请结束其中一些会话</translation>
    </message>
    <message>
        <source>Restore it from a backup, or accept the audit as it is: lockkeeper-agent --config FILE audit accept --reason TEXT</source>
        <translation>请从备份恢复，或接受审计现状：lockkeeper-agent --config FILE audit accept --reason TEXT</translation>
    </message>
    <message>
        <source>Restore it from a backup</source>
        <translation>请从备份恢复</translation>
    </message>
    <message>
        <source>Make it readable for the agent&apos;s user alone</source>
        <translation>请使其仅对 Agent 的用户可读</translation>
    </message>
    <message>
        <source>Make its folder writable for the agent&apos;s user</source>
        <translation>请使其所在文件夹对 Agent 的用户可写</translation>
    </message>
    <message>
        <source>Ask that machine&apos;s administrator whether its key was changed, and only then: ssh-keygen -R %1</source>
        <translation>请先向该机器的管理员确认其密钥是否已更换，确认后再运行：ssh-keygen -R %1</translation>
    </message>
    <message>
        <source>Ask that agent&apos;s administrator whether its certificate was changed, and only then trust the new one: lockkeeperctl --agent %1 --trust FINGERPRINT status</source>
        <translation>请先向该 Agent 的管理员确认其证书是否已更换，确认后再信任新证书：lockkeeperctl --agent %1 --trust FINGERPRINT status</translation>
    </message>
    <message>
        <source>Its log has the reason; it may refuse the client&apos;s certificate, or require one</source>
        <translation>原因见其日志；它可能拒绝了客户端证书，或要求提供证书。</translation>
    </message>
    <message>
        <source>Set probe = true in its [[source]]: contention.md describes the cost of a probe</source>
        <translation>请在其 [[source]] 中设置 probe = true；contention.md 说明了探测的代价。</translation>
    </message>
    <message>
        <source>Use a separate source for row and advisory locks, without binlog.</source>
        <translation>请为行锁和咨询锁单独配置一个不使用 binlog 的数据源。</translation>
    </message>
    <message>
        <source>Find the program that reads information_schema.INNODB_TRX, INNODB_LOCKS or INNODB_LOCK_WAITS more often than ten times a second.</source>
        <translation>请找出以每秒十次以上的频率读取 information_schema.INNODB_TRX、INNODB_LOCKS 或 INNODB_LOCK_WAITS 的程序。</translation>
    </message>
    <message>
        <source>Its slot is moving to another node: read the lock again.</source>
        <translation>其槽正在迁移到另一个节点：请重新查看该锁。</translation>
    </message>
    <message>
        <source>Add &quot;names&quot; to the lock set, or let the server list them: %1</source>
        <translation>请在锁集中填写 &quot;names&quot;，或让服务器列出它们：%1</translation>
    </message>
    <message>
        <source>no agent listens on &apos;%1&apos;: there is no such socket</source>
        <translation>没有 Agent 监听 %1：该套接字不存在</translation>
    </message>
    <message>
        <source>no agent answers on &apos;%1&apos;</source>
        <translation>%1 上没有 Agent 响应</translation>
    </message>
    <message>
        <source>the socket &apos;%1&apos; belongs to another user</source>
        <translation>套接字 %1 属于其他用户</translation>
    </message>
    <message>
        <source>can&apos;t connect to &apos;%1&apos; within %2 ms</source>
        <translation>未能在 %2 毫秒内连接到 %1</translation>
    </message>
    <message>
        <source>can&apos;t connect to &apos;%1&apos;: %2</source>
        <translation>无法连接到 %1：%2</translation>
    </message>
    <message>
        <source>the agent didn&apos;t answer Hello with Welcome</source>
        <translation>Agent 未以 Welcome 响应 Hello</translation>
    </message>
    <message>
        <source>the agent asked for a login twice</source>
        <translation>Agent 两次要求登录</translation>
    </message>
    <message>
        <source>the agent at &apos;%1&apos; requires a name and a password</source>
        <translation>%1 处的 Agent 要求用户名和密码</translation>
    </message>
    <message>
        <source>the connection was closed</source>
        <translation>连接已关闭</translation>
    </message>
    <message>
        <source>the peer closed the connection</source>
        <translation>对端关闭了连接</translation>
    </message>
    <message>
        <source>the peer left a frame unfinished for %1 ms</source>
        <translation>对端在 %1 毫秒内未发完一帧</translation>
    </message>
    <message>
        <source>no login within %1 ms</source>
        <translation>%1 毫秒内未登录</translation>
    </message>
    <message>
        <source>the peer was silent for %1 ms</source>
        <translation>对端已 %1 毫秒无响应</translation>
    </message>
    <message>
        <source>a message of %1 bytes is larger than a frame</source>
        <translation>%1 字节的消息超过一帧的上限</translation>
    </message>
    <message>
        <source>the peer sent an empty frame</source>
        <translation>对端发送了空帧</translation>
    </message>
    <message>
        <source>the peer announced a frame of %1 bytes, the limit is %2</source>
        <translation>对端要发送 %1 字节的帧，上限为 %2 字节</translation>
    </message>
    <message>
        <source>the peer speaks versions %1 to %2 of the protocol, this program %3 to %4</source>
        <translation>对端的协议版本为 %1 至 %2，本程序为 %3 至 %4</translation>
    </message>
    <message>
        <source>Update the peer</source>
        <translation>请升级对端程序</translation>
    </message>
    <message>
        <source>Update this program</source>
        <translation>请升级本程序</translation>
    </message>
    <message>
        <source>the address &apos;local:%1&apos; names no path</source>
        <translation>地址 local:%1 未给出路径</translation>
    </message>
    <message>
        <source>the socket&apos;s path &apos;%1&apos; takes %2 bytes, the system allows %3</source>
        <translation>套接字路径 %1 有 %2 字节，系统最多允许 %3 字节</translation>
    </message>
    <message>
        <source>an address of an agent contains a password</source>
        <translation>Agent 的地址中含有密码</translation>
    </message>
    <message>
        <source>an address over TLS names no user and has no password</source>
        <translation>TLS 地址中不能含有用户名和密码</translation>
    </message>
    <message>
        <source>&apos;%1&apos; names no user</source>
        <translation>%1 未给出用户名</translation>
    </message>
    <message>
        <source>&apos;%1&apos; names no host, or no port</source>
        <translation>%1 未给出主机名，或未给出端口</translation>
    </message>
    <message>
        <source>the socket&apos;s path has a control character</source>
        <translation>套接字路径含有控制字符</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is refused: Lockkeeper never listens on or connects to an unprotected network socket</source>
        <translation>不接受 %1：Lockkeeper 从不监听或连接未加保护的网络套接字</translation>
    </message>
    <message>
        <source>&apos;%1&apos; isn&apos;t an address of an agent</source>
        <translation>%1 不是 Agent 的地址</translation>
    </message>
    <message>
        <source>&apos;%1&apos; isn&apos;t the fingerprint of a certificate</source>
        <translation>%1 不是证书指纹</translation>
    </message>
    <message>
        <source>Use the output of lockkeeper-agent --fingerprint: SHA256:…</source>
        <translation>请使用 lockkeeper-agent --fingerprint 的输出：SHA256:…</translation>
    </message>
    <message>
        <source>there is no program named ssh here</source>
        <translation>本机没有 ssh 程序</translation>
    </message>
    <message>
        <source>&apos;%1&apos; didn&apos;t answer as a bridge</source>
        <translation>%1 未作为 bridge 响应</translation>
    </message>
    <message>
        <source>the host key of &apos;%1&apos; isn&apos;t the one that is known</source>
        <translation>%1 的主机密钥与已知的不一致</translation>
    </message>
    <message>
        <source>the host key of &apos;%1&apos; isn&apos;t known yet</source>
        <translation>尚不知道 %1 的主机密钥</translation>
    </message>
    <message>
        <source>there is no host named &apos;%1&apos;</source>
        <translation>没有名为 %1 的主机</translation>
    </message>
    <message>
        <source>&apos;%1&apos; rejected this user</source>
        <translation>%1 拒绝了此用户</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no lockkeeperctl: %2</source>
        <translation>%1 上没有 lockkeeperctl：%2</translation>
    </message>
    <message>
        <source>the lockkeeperctl on &apos;%1&apos; is too old for ssh: %2</source>
        <translation>%1 上的 lockkeeperctl 版本过旧，不支持 ssh：%2</translation>
    </message>
    <message>
        <source>ssh can&apos;t reach &apos;%1&apos;: %2</source>
        <translation>ssh 无法连接 %1：%2</translation>
    </message>
    <message>
        <source>the connection to &apos;%1&apos; ended (status %2): %3</source>
        <translation>到 %1 的连接已结束（状态码 %2）：%3</translation>
    </message>
    <message>
        <source>the connection over ssh to &apos;%1&apos; ended</source>
        <translation>到 %1 的 ssh 连接已结束</translation>
    </message>
    <message>
        <source>the certificate of &apos;%1&apos; is %2, but %3 was expected: the connection may be intercepted</source>
        <translation>%1 的证书为 %2，应为 %3：连接可能被劫持</translation>
    </message>
    <message>
        <source>the certificate of &apos;%1&apos; isn&apos;t known: %2</source>
        <translation>%1 的证书未知：%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; shows no certificate</source>
        <translation>%1 未出示证书</translation>
    </message>
    <message>
        <source>the certificate of &apos;%1&apos; is for another host</source>
        <translation>%1 的证书属于另一主机</translation>
    </message>
    <message>
        <source>the certificate of &apos;%1&apos; isn&apos;t signed by the given authority: %2</source>
        <translation>%1 的证书不是由所给的 CA 签发的：%2</translation>
    </message>
    <message>
        <source>no agent answers at &apos;%1&apos;</source>
        <translation>%1 处没有 Agent 响应</translation>
    </message>
    <message>
        <source>&apos;%1&apos; closed the connection before the handshake</source>
        <translation>%1 在握手之前关闭了连接</translation>
    </message>
    <message>
        <source>&apos;%1&apos; closed the connection</source>
        <translation>%1 关闭了连接</translation>
    </message>
    <message>
        <source>&apos;%1&apos; rejected our certificate, or requires one: %2</source>
        <translation>%1 拒绝了我方证书，或要求提供证书：%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; speaks only versions of TLS that are no longer safe</source>
        <translation>%1 只支持已不安全的 TLS 版本</translation>
    </message>
    <message>
        <source>the server at &apos;%1&apos; doesn&apos;t use TLS</source>
        <translation>%1 处的服务未使用 TLS</translation>
    </message>
    <message>
        <source>the server at &apos;%1&apos; isn&apos;t a lockkeeper-agent</source>
        <translation>%1 处的服务不是 lockkeeper-agent</translation>
    </message>
    <message>
        <source>no TLS connection to &apos;%1&apos;: %2</source>
        <translation>无法与 %1 建立 TLS 连接：%2</translation>
    </message>
    <message>
        <source>no request has the number %1</source>
        <translation>没有编号为 %1 的申请</translation>
    </message>
    <message>
        <source>another approver is deciding request %1</source>
        <translation>申请 %1 正由另一审批人处理</translation>
    </message>
    <message>
        <source>request %1 expired after 5 minutes</source>
        <translation>申请 %1 已在 5 分钟后失效</translation>
    </message>
    <message>
        <source>request %1 was approved by %2 already</source>
        <translation>申请 %1 已由 %2 审批通过</translation>
    </message>
    <message>
        <source>request %1 was rejected by %2 already</source>
        <translation>申请 %1 已由 %2 驳回</translation>
    </message>
    <message>
        <source>you can&apos;t approve your own request</source>
        <translation>不能审批自己的申请</translation>
    </message>
    <message>
        <source>the requester %1 may no longer release this lock</source>
        <translation>申请人 %1 已无权强制释放此锁</translation>
    </message>
    <message>
        <source>withdrawn by the requester</source>
        <translation>已由申请人撤回</translation>
    </message>
    <message>
        <source>the requester may no longer release this lock</source>
        <translation>申请人已无权强制释放此锁</translation>
    </message>
    <message>
        <source>not decided within 5 minutes</source>
        <translation>5 分钟内未审批</translation>
    </message>
    <message>
        <source>the lock changed: %1</source>
        <translation>锁已变化：%1</translation>
    </message>
    <message>
        <source>rate limit reached: 100 discoveries and probes a minute</source>
        <translation>已达到频率上限：每分钟 100 次扫描和探测</translation>
    </message>
    <message>
        <source>the address of the store is not a URL</source>
        <translation>存储的地址不是 URL</translation>
    </message>
    <message>
        <source>the URL holds a password</source>
        <translation>URL 中含有密码</translation>
    </message>
    <message>
        <source>Send it in its own field</source>
        <translation>请在单独的字段中给出密码</translation>
    </message>
    <message>
        <source>the URL contains more than an address</source>
        <translation>URL 中含有地址以外的内容</translation>
    </message>
    <message>
        <source>It may have host, port, user, db and schema</source>
        <translation>URL 只能包含 host、port、user、db 和 schema</translation>
    </message>
    <message>
        <source>the agent doesn&apos;t open files that a client names</source>
        <translation>Agent 不会打开客户端指定的文件</translation>
    </message>
    <message>
        <source>this is a reference to a password, not the password</source>
        <translation>这是密码的来源，不是密码本身</translation>
    </message>
    <message>
        <source>The agent doesn&apos;t read its variables or files for a client</source>
        <translation>Agent 不会代客户端读取其环境变量或文件</translation>
    </message>
    <message>
        <source>verify is full, ca or off</source>
        <translation>verify 应为 full、ca 或 off</translation>
    </message>
    <message>
        <source>a discovery is already running in this session</source>
        <translation>此会话已有正在进行的扫描</translation>
    </message>
    <message>
        <source>this command was already executed</source>
        <translation>此命令已执行过</translation>
    </message>
    <message>
        <source>discovery timed out</source>
        <translation>扫描超时</translation>
    </message>
    <message>
        <source>discovery was cancelled</source>
        <translation>扫描已取消</translation>
    </message>
    <message>
        <source>no source has this name</source>
        <translation>没有此名称的数据源</translation>
    </message>
    <message>
        <source>this message is not a request</source>
        <translation>该消息不是请求</translation>
    </message>
    <message>
        <source>the role %1 doesn&apos;t allow this</source>
        <translation>角色 %1 不允许此操作</translation>
    </message>
    <message>
        <source>the role %1 doesn&apos;t cover %2</source>
        <translation>角色 %1 的范围不含 %2</translation>
    </message>
    <message>
        <source>a probe lasts at most 10 s</source>
        <translation>探测最长 10 秒</translation>
    </message>
    <message>
        <source>a probe reads 1 to 10,000,000 commands</source>
        <translation>探测可读取 1 到 10,000,000 条命令</translation>
    </message>
    <message>
        <source>no source is named &quot;%1&quot;</source>
        <translation>没有名为“%1”的数据源</translation>
    </message>
    <message>
        <source>the configuration doesn&apos;t allow probes of %1</source>
        <translation>配置不允许探测 %1</translation>
    </message>
    <message>
        <source>a probe of %1 is already running</source>
        <translation>已有对 %1 的探测正在进行</translation>
    </message>
    <message>
        <source>a probe of this source is already running</source>
        <translation>已有对此数据源的探测正在进行</translation>
    </message>
    <message>
        <source>the source is no longer observed</source>
        <translation>该数据源已不再被观测</translation>
    </message>
    <message>
        <source>this source can&apos;t be probed</source>
        <translation>此数据源不支持探测</translation>
    </message>
    <message>
        <source>dry run: nothing was written to the store</source>
        <translation>试运行：未向存储写入任何内容</translation>
    </message>
    <message>
        <source>the lease hasn&apos;t expired yet by the store&apos;s clock</source>
        <translation>按存储时钟，租约尚未过期</translation>
    </message>
    <message>
        <source>the lease hasn&apos;t expired by the store&apos;s clock</source>
        <translation>按存储时钟，租约尚未过期</translation>
    </message>
    <message>
        <source>the lease hasn&apos;t expired by the server&apos;s clock</source>
        <translation>按服务器时钟，租约尚未过期</translation>
    </message>
    <message>
        <source>the agent doesn&apos;t consider this lock stuck</source>
        <translation>Agent 未判定此锁卡死</translation>
    </message>
    <message>
        <source>a command id is 32 lower-case hex digits</source>
        <translation>命令编号应为 32 位小写十六进制数字</translation>
    </message>
    <message>
        <source>a force-release needs a reason</source>
        <translation>强制释放须填写原因</translation>
    </message>
    <message>
        <source>the reason is longer than %1 characters</source>
        <translation>原因超过 %1 个字符</translation>
    </message>
    <message>
        <source>a guard or a holder is required</source>
        <translation>须给出 guard 或持有者</translation>
    </message>
    <message>
        <source>this session hasn&apos;t read this lock</source>
        <translation>此会话尚未读取该锁</translation>
    </message>
    <message>
        <source>the lock was read more than 5 s ago</source>
        <translation>该锁的读取已超过 5 秒</translation>
    </message>
    <message>
        <source>the link to the store was lost since the lock was read</source>
        <translation>读取该锁之后，与存储的连接曾断开</translation>
    </message>
    <message>
        <source>renewed since it was read, or another acquisition of the same client: read it again</source>
        <translation>读取之后已续期，或已是同一客户端的另一次获取：请重新读取</translation>
    </message>
    <message>
        <source>this isn&apos;t the acquisition that was read</source>
        <translation>已不是读取时的那次获取</translation>
    </message>
    <message>
        <source>the holder isn&apos;t the one that was given</source>
        <translation>持有者与所给的不一致</translation>
    </message>
    <message>
        <source>it was renewed in the meantime: its delay starts again</source>
        <translation>期间已续期：延迟重新计算</translation>
    </message>
    <message>
        <source>it was renewed in the meantime</source>
        <translation>期间已续期</translation>
    </message>
    <message>
        <source>the lease was renewed in the meantime</source>
        <translation>租约在此期间已续期</translation>
    </message>
    <message>
        <source>nothing stored identifies this acquisition, so it can&apos;t be approved</source>
        <translation>存储的内容无法标识此次获取，因此无法审批</translation>
    </message>
    <message>
        <source>the lock isn&apos;t held</source>
        <translation>锁未被持有</translation>
    </message>
    <message>
        <source>the configuration says break = &quot;never&quot;</source>
        <translation>配置为 break = &quot;never&quot;</translation>
    </message>
    <message>
        <source>nothing stored distinguishes this acquisition from the holder&apos;s next one: it has no deadline and no identity from the store</source>
        <translation>存储的内容无法将此次获取与持有者的下一次获取相区分：既没有过期时间，也没有存储生成的标识</translation>
    </message>
    <message>
        <source>the value is longer than the part that is read</source>
        <translation>值超过可读取的长度</translation>
    </message>
    <message>
        <source>the key isn&apos;t of the scheme&apos;s type</source>
        <translation>键的类型与锁方案不符</translation>
    </message>
    <message>
        <source>the store can&apos;t be reached</source>
        <translation>无法连接存储</translation>
    </message>
    <message>
        <source>the agent&apos;s rights don&apos;t allow a release</source>
        <translation>Agent 没有强制释放的权限</translation>
    </message>
    <message>
        <source>locks of this scheme can&apos;t be broken</source>
        <translation>此锁方案的锁不能强制释放</translation>
    </message>
    <message>
        <source>the stored value doesn&apos;t match the scheme</source>
        <translation>存储的内容与锁方案不符</translation>
    </message>
    <message>
        <source>the server&apos;s transaction instrument is off</source>
        <translation>服务器未启用事务监测（instrument）</translation>
    </message>
    <message>
        <source>a replication, system or monitoring connection is never killed</source>
        <translation>复制、系统或监控连接绝不会被终止</translation>
    </message>
    <message>
        <source>a prepared XA transaction holds it without a connection</source>
        <translation>由已准备的 XA 事务持有，没有对应的连接</translation>
    </message>
    <message>
        <source>a prepared transaction holds it without a connection</source>
        <translation>由已准备的事务持有，没有对应的连接</translation>
    </message>
    <message>
        <source>it was acquired too recently to be distinguished from the holder&apos;s next acquisition</source>
        <translation>获取时间过短，无法与持有者的下一次获取相区分</translation>
    </message>
    <message>
        <source>several holders share the lock</source>
        <translation>该锁由多个持有者共享</translation>
    </message>
    <message>
        <source>this is a past state</source>
        <translation>这是过去的状态</translation>
    </message>
    <message>
        <source>the server is a read-only replica</source>
        <translation>该服务器是只读副本</translation>
    </message>
    <message>
        <source>the server is a replica</source>
        <translation>该服务器是副本</translation>
    </message>
    <message>
        <source>the server is read-only</source>
        <translation>该服务器是只读的</translation>
    </message>
    <message>
        <source>this command id belongs to another lock, or to another user</source>
        <translation>此命令编号属于另一个锁或另一用户</translation>
    </message>
    <message>
        <source>no lock set of this source matches</source>
        <translation>此数据源没有适用的锁集</translation>
    </message>
    <message>
        <source>no lock with this name, place and scheme was ever seen here, as far back as the journal goes</source>
        <translation>在日志库的保留范围内，从未观测到名称、位置和锁方案均相符的锁</translation>
    </message>
    <message>
        <source>too many requests are waiting for approval, or were made within 10 minutes</source>
        <translation>等待审批或 10 分钟内提出的申请过多</translation>
    </message>
    <message>
        <source>the reply came late</source>
        <translation>响应迟到</translation>
    </message>
    <message>
        <source>found released, probably by this command</source>
        <translation>发现已释放，很可能由此命令所致</translation>
    </message>
    <message>
        <source>this agent may not be the active one until the release is over</source>
        <translation>强制释放完成之前，该 Agent 可能已不处于活动状态</translation>
    </message>
    <message>
        <source>the store didn&apos;t answer within 5 s</source>
        <translation>存储在 5 秒内未响应</translation>
    </message>
    <message>
        <source>the store didn&apos;t answer within 15 s</source>
        <translation>存储在 15 秒内未响应</translation>
    </message>
    <message>
        <source>the store didn&apos;t answer in time</source>
        <translation>存储未及时响应</translation>
    </message>
    <message>
        <source>the scan took longer than 30 s</source>
        <translation>扫描超过 30 秒</translation>
    </message>
    <message>
        <source>the agent ended before the outcome was known</source>
        <translation>结果尚未确定，Agent 就已终止</translation>
    </message>
    <message>
        <source>the agent was restarted before the request was decided</source>
        <translation>申请尚未审批，Agent 就已重启</translation>
    </message>
    <message>
        <source>this request has already ended</source>
        <translation>此申请已结束</translation>
    </message>
    <message>
        <source>record %1 of the audit is missing</source>
        <translation>审计缺少第 %1 条记录</translation>
    </message>
    <message>
        <source>records %1 to %2 of the audit are missing</source>
        <translation>审计缺少第 %1 至 %2 条记录</translation>
    </message>
    <message>
        <source>record %1 of the audit isn&apos;t the one that was written</source>
        <translation>审计的第 %1 条记录不是当初写入的内容</translation>
    </message>
    <message>
        <source>record %1 of the audit isn&apos;t the one that was signed</source>
        <translation>审计的第 %1 条记录不是当初签名的内容</translation>
    </message>
    <message>
        <source>record %1 of the audit, or one before it, isn&apos;t the one that was written</source>
        <translation>审计的第 %1 条或更早的记录不是当初写入的内容</translation>
    </message>
    <message>
        <source>the audit doesn&apos;t end in the record that was written last</source>
        <translation>审计的末尾不是最后写入的记录</translation>
    </message>
    <message>
        <source>the database has lost the head of its audit</source>
        <translation>数据库丢失了审计的链头</translation>
    </message>
    <message>
        <source>the check of the audit was cancelled</source>
        <translation>审计校验已取消</translation>
    </message>
    <message>
        <source>the journal is closed</source>
        <translation>日志库已关闭</translation>
    </message>
    <message>
        <source>the range ends before it begins</source>
        <translation>时间范围的终点早于起点</translation>
    </message>
    <message>
        <source>the journal has the table of locks only since %1</source>
        <translation>日志库中的锁表始于 %1</translation>
    </message>
    <message>
        <source>Choose a later time</source>
        <translation>请选择更晚的时间</translation>
    </message>
    <message>
        <source>this time is in the future</source>
        <translation>该时间尚未到来</translation>
    </message>
    <message>
        <source>the query was cancelled or the journal is closing</source>
        <translation>查询已取消，或日志库正在关闭</translation>
    </message>
    <message>
        <source>the query was cancelled</source>
        <translation>查询已取消</translation>
    </message>
    <message>
        <source>the query took longer than 5 s</source>
        <translation>查询超过 5 秒</translation>
    </message>
    <message>
        <source>Choose a shorter time range, a lock or a source</source>
        <translation>请缩短时间范围，或指定锁或数据源</translation>
    </message>
    <message>
        <source>there are too many holders in this range</source>
        <translation>此范围内的持有者过多</translation>
    </message>
    <message>
        <source>the time range is out of bounds</source>
        <translation>时间范围超出界限</translation>
    </message>
    <message>
        <source>the strip is longer than a century</source>
        <translation>时间条超过一百年</translation>
    </message>
    <message>
        <source>too many gaps in this range</source>
        <translation>此范围内的观测中断过多</translation>
    </message>
    <message>
        <source>Choose a shorter range</source>
        <translation>请缩短时间范围</translation>
    </message>
    <message>
        <source>row %1 of the journal&apos;s table locks is missing</source>
        <translation>日志库的表 locks 缺少第 %1 行</translation>
    </message>
    <message>
        <source>row %1 of the journal&apos;s table %2 is damaged</source>
        <translation>日志库的表 %2 的第 %1 行已损坏</translation>
    </message>
    <message>
        <source>Check the disk, and restore the journal from a backup</source>
        <translation>请检查磁盘，并从备份恢复日志库</translation>
    </message>
    <message>
        <source>the name or the password is wrong</source>
        <translation>用户名或密码错误</translation>
    </message>
    <message>
        <source>too many logins have failed as this user or from this machine</source>
        <translation>以该用户或从该机器登录失败的次数过多</translation>
    </message>
    <message>
        <source>too many logins at once</source>
        <translation>同时登录的请求过多</translation>
    </message>
    <message>
        <source>a name has 1 to 64 characters, a password 1 to 1024 bytes</source>
        <translation>用户名为 1 到 64 个字符，密码为 1 到 1024 字节</translation>
    </message>
    <message>
        <source>the user &apos;%1&apos; is disabled</source>
        <translation>用户 %1 已停用</translation>
    </message>
    <message>
        <source>the user &apos;%1&apos; was removed</source>
        <translation>用户 %1 已删除</translation>
    </message>
    <message>
        <source>the user &apos;%1&apos; was changed</source>
        <translation>用户 %1 已变更</translation>
    </message>
    <message>
        <source>no Hello and login within 10 s</source>
        <translation>10 秒内未完成 Hello 和登录</translation>
    </message>
    <message>
        <source>the agent is shutting down</source>
        <translation>Agent 正在关闭</translation>
    </message>
    <message>
        <source>can&apos;t determine the peer&apos;s user</source>
        <translation>无法确定对端的用户</translation>
    </message>
    <message>
        <source>the certificate names no user</source>
        <translation>证书未指明用户</translation>
    </message>
    <message>
        <source>the agent accepts only certificates</source>
        <translation>Agent 只接受证书登录</translation>
    </message>
    <message>
        <source>the certificate of this session has expired</source>
        <translation>此会话的证书已过期</translation>
    </message>
    <message>
        <source>the access of %1 has changed</source>
        <translation>%1 的权限已变更</translation>
    </message>
    <message>
        <source>the pages were not read</source>
        <translation>分页数据未被读取</translation>
    </message>
    <message>
        <source>the client doesn&apos;t read its answers</source>
        <translation>客户端未读取响应</translation>
    </message>
    <message>
        <source>the agent has %1 sessions already</source>
        <translation>Agent 已有 %1 个会话</translation>
    </message>
    <message>
        <source>the store didn&apos;t say whether the lock is held</source>
        <translation>存储未说明锁是否被持有</translation>
    </message>
    <message>
        <source>the lease wasn&apos;t renewed in time</source>
        <translation>租约未及时续期</translation>
    </message>
    <message>
        <source>another client took the lock</source>
        <translation>锁已被其他客户端获取</translation>
    </message>
    <message>
        <source>it was released or taken by another client, or had expired</source>
        <translation>锁已被其他客户端释放或获取，或已过期</translation>
    </message>
    <message>
        <source>it was no longer ours</source>
        <translation>锁已不属于本程序</translation>
    </message>
    <message>
        <source>the session that held it has ended</source>
        <translation>持有该锁的会话已结束</translation>
    </message>
    <message>
        <source>the connection that this lock belongs to has ended</source>
        <translation>该锁所属的连接已结束</translation>
    </message>
    <message>
        <source>the store answered after the lease had expired</source>
        <translation>存储响应时租约已过期</translation>
    </message>
    <message>
        <source>Use a TTL of several round trips.</source>
        <translation>请使用数倍于往返时间的 TTL。</translation>
    </message>
    <message>
        <source>this handle is already being acquired</source>
        <translation>此句柄正在获取锁</translation>
    </message>
    <message>
        <source>Use one handle per owner.</source>
        <translation>请为每个持有者使用单独的句柄。</translation>
    </message>
    <message>
        <source>this handle is being acquired</source>
        <translation>此句柄正在获取锁</translation>
    </message>
    <message>
        <source>a lock needs a name</source>
        <translation>锁须有名称</translation>
    </message>
    <message>
        <source>the name has %1 bytes, and this scheme keeps %2 at most</source>
        <translation>名称有 %1 字节，此锁方案最多保存 %2 字节</translation>
    </message>
    <message>
        <source>the name isn&apos;t UTF-8 text, and this scheme keeps no other</source>
        <translation>名称不是 UTF-8 文本，此锁方案只保存 UTF-8</translation>
    </message>
    <message>
        <source>a TTL of this scheme lasts %1 to %2 ms</source>
        <translation>此锁方案的 TTL 应为 %1 到 %2 毫秒</translation>
    </message>
    <message>
        <source>this client has no store to read</source>
        <translation>此客户端没有可读取的存储</translation>
    </message>
    <message>
        <source>a lease lasts at least one millisecond</source>
        <translation>租期至少为 1 毫秒</translation>
    </message>
    <message>
        <source>the link was lost meanwhile</source>
        <translation>期间连接已断开</translation>
    </message>
    <message>
        <source>this program acquires only permits of redis-semaphore&apos;s kind</source>
        <translation>本程序只能获取 redis-semaphore 的许可</translation>
    </message>
    <message>
        <source>sql.advisory has no table</source>
        <translation>sql.advisory 没有表</translation>
    </message>
    <message>
        <source>the application of &quot;%1&quot; creates its table itself</source>
        <translation>“%1”的表由其应用程序自行创建</translation>
    </message>
    <message>
        <source>a lease must be longer than zero</source>
        <translation>租期必须大于零</translation>
    </message>
    <message>
        <source>there is no such row</source>
        <translation>没有这样的行</translation>
    </message>
    <message>
        <source>Insert it with its first version.</source>
        <translation>请插入该行及其初始版本。</translation>
    </message>
    <message>
        <source>the table has no row</source>
        <translation>表中没有行</translation>
    </message>
    <message>
        <source>the server is read-only: another server may have the locks now</source>
        <translation>服务器是只读的：锁现在可能在另一台服务器上</translation>
    </message>
    <message>
        <source>an optimistic lock has no lease to renew</source>
        <translation>乐观锁没有可续期的租约</translation>
    </message>
    <message>
        <source>the table has no row of that name to lock</source>
        <translation>表中没有可加锁的该名称的行</translation>
    </message>
    <message>
        <source>Insert it once; the row stays.</source>
        <translation>请插入一次；该行会一直保留。</translation>
    </message>
    <message>
        <source>the session ended as it got the lock</source>
        <translation>获取锁时会话已结束</translation>
    </message>
    <message>
        <source>the place in the queue was deleted</source>
        <translation>队列中的位置已被删除</translation>
    </message>
    <message>
        <source>the place in the queue no longer exists: its lease expired, or it was deleted</source>
        <translation>队列中的位置已不存在：租约已过期，或已被删除</translation>
    </message>
    <message>
        <source>the link to the server is down</source>
        <translation>与服务器的连接已断开</translation>
    </message>
    <message>
        <source>the link to MongoDB is down</source>
        <translation>与 MongoDB 的连接已断开</translation>
    </message>
    <message>
        <source>the link to etcd is down</source>
        <translation>与 etcd 的连接已断开</translation>
    </message>
    <message>
        <source>the link to ZooKeeper is down</source>
        <translation>与 ZooKeeper 的连接已断开</translation>
    </message>
    <message>
        <source>the server closed the connection</source>
        <translation>服务器关闭了连接</translation>
    </message>
    <message>
        <source>host not found</source>
        <translation>找不到主机</translation>
    </message>
    <message>
        <source>no such socket</source>
        <translation>套接字不存在</translation>
    </message>
    <message>
        <source>the server is loading its data set</source>
        <translation>服务器正在加载数据</translation>
    </message>
    <message>
        <source>the server doesn&apos;t speak TLS on this port</source>
        <translation>服务器的此端口不支持 TLS</translation>
    </message>
    <message>
        <source>the connection isn&apos;t encrypted</source>
        <translation>连接未加密</translation>
    </message>
    <message>
        <source>the driver %1 isn&apos;t installed</source>
        <translation>未安装驱动 %1</translation>
    </message>
    <message>
        <source>there is no file &quot;%1&quot;</source>
        <translation>文件“%1”不存在</translation>
    </message>
    <message>
        <source>there is no table &quot;%1&quot; in &quot;%2&quot;</source>
        <translation>“%2”中没有表“%1”</translation>
    </message>
    <message>
        <source>the table &quot;%1&quot; has no column &quot;%2&quot;</source>
        <translation>表“%1”没有列“%2”</translation>
    </message>
    <message>
        <source>this build can&apos;t talk to etcd</source>
        <translation>此构建不支持 etcd</translation>
    </message>
    <message>
        <source>this build can&apos;t talk to MongoDB</source>
        <translation>此构建不支持 MongoDB</translation>
    </message>
    <message>
        <source>this build can&apos;t talk to ZooKeeper</source>
        <translation>此构建不支持 ZooKeeper</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a kind of store known here</source>
        <translation>“%1”不是已知的存储类型</translation>
    </message>
    <message>
        <source>the environment variable %1 isn&apos;t set</source>
        <translation>未设置环境变量 %1</translation>
    </message>
    <message>
        <source>a password is written in clear</source>
        <translation>密码以明文写出</translation>
    </message>
    <message>
        <source>Write where it is: env:NAME or file:PATH.</source>
        <translation>请写明来源：env:NAME 或 file:PATH。</translation>
    </message>
    <message>
        <source>Use env:NAME or file:PATH.</source>
        <translation>请使用 env:NAME 或 file:PATH。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a duration</source>
        <translation>“%1”不是有效的时长</translation>
    </message>
    <message>
        <source>Write a number and a unit: 500ms, 30s, 10m, 2h or 7d.</source>
        <translation>请写成数字加单位：500ms、30s、10m、2h 或 7d。</translation>
    </message>
    <message>
        <source>cancelled before it was sent</source>
        <translation>发送前已取消</translation>
    </message>
    <message>
        <source>the session has run another statement since it was read</source>
        <translation>读取之后该会话已执行另一条语句</translation>
    </message>
    <message>
        <source>the session was killed and is still rolling back</source>
        <translation>会话已被终止，仍在回滚</translation>
    </message>
    <message>
        <source>an optimistic lock is never held: there is nothing to release</source>
        <translation>乐观锁从不被持有：没有可释放的内容</translation>
    </message>
    <message>
        <source>released without a guard: the row has no identity</source>
        <translation>无校验释放：该行没有标识</translation>
    </message>
    <message>
        <source>released, but waiters weren&apos;t woken: they sleep until their next attempt</source>
        <translation>已释放，但未唤醒等待者：它们会休眠到下次尝试</translation>
    </message>
    <message>
        <source>the server was restarted since the lock was seen</source>
        <translation>观测到该锁之后，服务器已重启</translation>
    </message>
    <message>
        <source>the lock has no identity to guard with</source>
        <translation>该锁没有可用于校验的标识</translation>
    </message>
    <message>
        <source>the guard belongs to another lock set</source>
        <translation>guard 属于另一个锁集</translation>
    </message>
    <message>
        <source>the password is empty</source>
        <translation>密码为空</translation>
    </message>
    <message>
        <source>the password is longer than 1 KiB</source>
        <translation>密码超过 1 KiB</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>no answer in time</source>
        <translation>未及时响应</translation>
    </message>
    <message>
        <source>%1 may no longer release this lock</source>
        <translation>%1 已无权强制释放此锁</translation>
    </message>
    <message>
        <source>%1, the head of the audit, is missing</source>
        <translation>缺少审计的链头 %1</translation>
    </message>
    <message>
        <source>%1 has no access to this agent</source>
        <translation>%1 无权访问此 Agent</translation>
    </message>
    <message>
        <source>%1 has %2 sessions already</source>
        <translation>%1 已有 %2 个会话</translation>
    </message>
    <message>
        <source>the certificate of &apos;%1&apos; isn&apos;t valid before %2</source>
        <translation>%1 的证书在 %2 之前无效</translation>
    </message>
    <message>
        <source>the certificate of &apos;%1&apos; expired on %2</source>
        <translation>%1 的证书已于 %2 过期</translation>
    </message>
    <message>
        <source>&apos;%1&apos; didn&apos;t complete the handshake: %2</source>
        <translation>%1 未完成握手：%2</translation>
    </message>
    <message>
        <source>too many connections wait to log in</source>
        <translation>等待登录的连接过多</translation>
    </message>
    <message>
        <source>on &apos;%1&apos;: %2</source>
        <translation>%1 上：%2</translation>
    </message>
    <message>
        <source>its lease has expired</source>
        <translation>其租约已过期</translation>
    </message>
    <message>
        <source>the TTL of %1 ms is less than three round trips of %2 ms</source>
        <translation>TTL 为 %1 毫秒，不足三次往返（每次 %2 毫秒）</translation>
    </message>
    <message>
        <source>A slow answer will lose the lock: use a longer one.</source>
        <translation>响应缓慢会导致失去锁：请使用更长的 TTL。</translation>
    </message>
    <message>
        <source>request %1 has ended: %2</source>
        <translation>申请 %1 已结束：%2</translation>
    </message>
    <message>
        <source>%1 can&apos;t be reached</source>
        <translation>无法连接 %1</translation>
    </message>
    <message>
        <source>an earlier request (audit entry %1), whose reply was lost, released it</source>
        <translation>更早的一次请求（审计条目 %1）的响应已丢失，锁由它释放</translation>
    </message>
    <message>
        <source>an earlier request (audit entry %1), whose reply was lost, probably released it</source>
        <translation>更早的一次请求（审计条目 %1）的响应已丢失，锁很可能由它释放</translation>
    </message>
    <message>
        <source>an earlier request (audit entry %1), whose reply was lost, may have released it</source>
        <translation>更早的一次请求（审计条目 %1）的响应已丢失，锁可能由它释放</translation>
    </message>
    <message>
        <source>there is no such alert</source>
        <translation>没有这条告警</translation>
    </message>
    <message>
        <source>lockkeeperctl alerts lists them.</source>
        <translation>可用 lockkeeperctl alerts 列出全部告警。</translation>
    </message>
    <message>
        <source>only a role that may release the lock may act on its alert</source>
        <translation>只有有权释放该锁的角色才能处理其告警</translation>
    </message>
    <message>
        <source>this alert is over</source>
        <translation>这条告警已经结束</translation>
    </message>
    <message>
        <source>a snooze lasts at most seven days</source>
        <translation>暂停提醒最长为七天</translation>
    </message>
    <message>
        <source>the cluster&apos;s answer isn&apos;t HTTP</source>
        <translation>集群的应答不是 HTTP</translation>
    </message>
    <message>
        <source>the cluster&apos;s answer was cut</source>
        <translation>集群的应答不完整</translation>
    </message>
    <message>
        <source>the cluster&apos;s answer is too long</source>
        <translation>集群的应答过长</translation>
    </message>
    <message>
        <source>the cluster can&apos;t be reached: %1</source>
        <translation>无法连接集群：%1</translation>
    </message>
    <message>
        <source>the liveness command can&apos;t be started: %1</source>
        <translation>无法启动探测命令：%1</translation>
    </message>
    <message>
        <source>the liveness command was ended by a signal</source>
        <translation>探测命令被信号终止</translation>
    </message>
    <message>
        <source>the kubeconfig&apos;s user logs in by &quot;%1&quot;</source>
        <translation>kubeconfig 中的用户通过“%1”登录</translation>
    </message>
    <message>
        <source>Use a service account&apos;s token or a client certificate.</source>
        <translation>请使用服务账号的令牌或客户端证书。</translation>
    </message>
    <message>
        <source>the kubeconfig can&apos;t be read</source>
        <translation>无法解析 kubeconfig</translation>
    </message>
    <message>
        <source>Write it with &apos;kubectl config view --raw --output json&apos;.</source>
        <translation>请用 kubectl config view --raw --output json 生成该文件。</translation>
    </message>
    <message>
        <source>the kubeconfig wants the server&apos;s certificate unverified</source>
        <translation>kubeconfig 要求不验证服务器证书</translation>
    </message>
    <message>
        <source>Add the cluster&apos;s certificate authority.</source>
        <translation>请添加集群的证书颁发机构。</translation>
    </message>
    <message>
        <source>this agent doesn&apos;t run in a Kubernetes pod</source>
        <translation>此 Agent 不在 Kubernetes Pod 中运行</translation>
    </message>
    <message>
        <source>Name a &quot;kubeconfig&quot; in the liveness rule.</source>
        <translation>请在探测规则中指定 &quot;kubeconfig&quot;。</translation>
    </message>
    <message>
        <source>the kubeconfig&apos;s client key can&apos;t be used</source>
        <translation>kubeconfig 中的客户端私钥无法使用</translation>
    </message>
    <message>
        <source>the kubeconfig&apos;s current context names no server</source>
        <translation>kubeconfig 的当前上下文没有指定服务器</translation>
    </message>
    <message>
        <source>the agent&apos;s account may not read pods</source>
        <translation>Agent 的账号无权读取 Pod</translation>
    </message>
    <message>
        <source>the agent&apos;s account may not read nodes</source>
        <translation>Agent 的账号无权读取节点</translation>
    </message>
    <message>
        <source>Grant it &quot;get&quot; on pods and nodes.</source>
        <translation>请授予其对 Pod 和节点的 &quot;get&quot; 权限。</translation>
    </message>
    <message>
        <source>the cluster rejected the agent&apos;s credentials</source>
        <translation>集群拒绝了 Agent 的凭据</translation>
    </message>
    <message>
        <source>the cluster answered with status %1</source>
        <translation>集群返回状态码 %1</translation>
    </message>
    <message>
        <source>the store doesn&apos;t show when the lock was acquired, so that another pod could have this name</source>
        <translation>存储没有显示锁的获取时间，因此使用该名称的可能是另一个 Pod</translation>
    </message>
    <message>
        <source>the store doesn&apos;t show when the lock was acquired, so that another process could have this number</source>
        <translation>存储没有显示锁的获取时间，因此使用该进程号的可能是另一个进程</translation>
    </message>
    <message>
        <source>the cluster&apos;s answer isn&apos;t about the pod</source>
        <translation>集群的应答与该 Pod 无关</translation>
    </message>
    <message>
        <source>the agent can&apos;t read the holder&apos;s process</source>
        <translation>Agent 无权查看持有者的进程</translation>
    </message>
    <message>
        <source>the holder&apos;s host name can&apos;t be resolved: %1</source>
        <translation>无法解析持有者的主机名：%1</translation>
    </message>
    <message>
        <source>the holder&apos;s answer isn&apos;t HTTP</source>
        <translation>持有者的应答不是 HTTP</translation>
    </message>
    <message>
        <source>the policy&apos;s condition isn&apos;t true any more</source>
        <translation>策略的条件已不再满足</translation>
    </message>
    <message>
        <source>the receiver answered %1%2</source>
        <translation>接收端返回 %1%2</translation>
    </message>
    <message>
        <source>It redirects, which the agent doesn&apos;t follow: write the new address</source>
        <translation>接收端要求重定向，而 Agent 不跟随重定向：请填写新地址</translation>
    </message>
    <message>
        <source>the mail server answered %1: %2</source>
        <translation>邮件服务器返回 %1：%2</translation>
    </message>
    <message>
        <source>Set &quot;ca&quot; of the receiver to the authority of its certificate</source>
        <translation>请将该接收端的 &quot;ca&quot; 设为其证书的颁发机构</translation>
    </message>
    <message>
        <source>Check the port and whether it expects TLS</source>
        <translation>请检查端口，以及对方是否要求 TLS</translation>
    </message>
    <message>
        <source>Check user and password of the receiver</source>
        <translation>请检查该接收端的用户名和密码</translation>
    </message>
    <message>
        <source>the command printed more than %1 KiB</source>
        <translation>命令的输出超过 %1 KiB</translation>
    </message>
    <message>
        <source>the command was interrupted</source>
        <translation>命令已被中断</translation>
    </message>
    <message>
        <source>the command didn&apos;t end within %1 s</source>
        <translation>命令未在 %1 秒内结束</translation>
    </message>
    <message>
        <source>Correct &quot;command&quot; of the receiver</source>
        <translation>请更正该接收端的 &quot;command&quot;</translation>
    </message>
    <message>
        <source>the command was ended by a signal</source>
        <translation>命令被信号终止</translation>
    </message>
    <message>
        <source>the command ended with status %1</source>
        <translation>命令以状态 %1 结束</translation>
    </message>
    <message>
        <source>the transfer was interrupted</source>
        <translation>传输已被中断</translation>
    </message>
    <message>
        <source>no receiver is named &quot;%1&quot;</source>
        <translation>没有名为“%1”的接收端</translation>
    </message>
    <message>
        <source>Add a [[receiver]] to the configuration</source>
        <translation>请在配置中添加 [[receiver]]</translation>
    </message>
    <message>
        <source>the receiver was removed or stopped</source>
        <translation>该接收端已被移除或停止</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 can&apos;t be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
    <message>
        <source>the probe &quot;redis&quot; needs a source that is one Redis server</source>
        <translation>探测方式“redis”要求数据源是单台 Redis 服务器</translation>
    </message>
    <message>
        <source>the probe &quot;redis&quot; needs an address: a server&apos;s clients have no names</source>
        <translation>探测方式“redis”需要地址：服务器的客户端没有主机名</translation>
    </message>
    <message>
        <source>the agent may not list the server&apos;s clients</source>
        <translation>Agent 无权列出服务器的客户端</translation>
    </message>
    <message>
        <source>too many waits in this range</source>
        <translation>该范围内的等待过多</translation>
    </message>
    <message>
        <source>Grant its Redis user +client|list.</source>
        <translation>请为其 Redis 用户授予 +client|list。</translation>
    </message>
    <message>
        <source>the kubeconfig can&apos;t be read: line %1: %2</source>
        <translation>无法解析 kubeconfig：第 %1 行：%2</translation>
    </message>
</context>
<context>
    <name>EventFormatter</name>
    <message>
        <source>Time (%1)</source>
        <translation>时间（%1）</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Waiter</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>TTL</source>
        <translation>TTL</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>Seq</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>exact time, window</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>User and reason</source>
        <translation>操作者与原因</translation>
    </message>
</context>
<context>
    <name>ExportWords</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) written to %1</source>
        <translation>
            <numerusform>已将 %Ln 行写入 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Not written: %1</source>
        <translation>未写入：%1</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The export was cancelled: nothing was written</source>
        <translation>导出已取消：未写入任何内容</translation>
    </message>
    <message>
        <source>JSON Lines (*.jsonl)</source>
        <translation>JSON Lines (*.jsonl)</translation>
    </message>
</context>
<context>
    <name>HelpDialogs</name>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Filter; Esc back to the table</source>
        <translation>筛选；Esc 返回表格</translation>
    </message>
    <message>
        <source>Read now</source>
        <translation>立即读取</translation>
    </message>
    <message>
        <source>Pause and resume</source>
        <translation>暂停与继续</translation>
    </message>
    <message>
        <source>Next and previous pane</source>
        <translation>下一个与上一个窗格</translation>
    </message>
    <message>
        <source>Lock detail</source>
        <translation>锁详情</translation>
    </message>
    <message>
        <source>Open the lock&apos;s detail</source>
        <translation>打开锁详情</translation>
    </message>
    <message>
        <source>Force-release…</source>
        <translation>强制释放…</translation>
    </message>
    <message>
        <source>History of the selection</source>
        <translation>所选锁的历史</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>复制为 JSON</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Preferences…</source>
        <translation>首选项…</translation>
    </message>
    <message>
        <source>Back and forward</source>
        <translation>后退与前进</translation>
    </message>
    <message>
        <source>These keys</source>
        <translation>本快捷键表</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>About Lockkeeper</source>
        <translation>关于 Lockkeeper</translation>
    </message>
    <message>
        <source>Lockkeeper %1</source>
        <translation>Lockkeeper %1</translation>
    </message>
    <message>
        <source>Watches distributed locks in Redis, MySQL, MariaDB, PostgreSQL, SQLite, MongoDB, etcd and ZooKeeper, and releases them safely.</source>
        <translation>观测 Redis、MySQL、MariaDB、PostgreSQL、SQLite、MongoDB、etcd 与 ZooKeeper 中的分布式锁，并安全地释放它们。</translation>
    </message>
    <message>
        <source>Licence: GPL-3.0-or-later. Made with Qt %1.</source>
        <translation>许可证：GPL-3.0-or-later。基于 Qt %1。</translation>
    </message>
    <message>
        <source>Timeline of the selection</source>
        <translation>所选锁的时间线</translation>
    </message>
    <message>
        <source>Timeline: zoom in, out, show all</source>
        <translation>时间线：放大、缩小、显示全部</translation>
    </message>
    <message>
        <source>Timeline: move; to the next event</source>
        <translation>时间线：平移；跳到下一个事件</translation>
    </message>
    <message>
        <source>Timeline: another lane; move the lane</source>
        <translation>时间线：切换泳道；移动泳道</translation>
    </message>
    <message>
        <source>Timeline: follow now, zoom to the brush, clear it, back</source>
        <translation>时间线：跟随当前时间、放大到所选时段、清除所选、返回</translation>
    </message>
    <message>
        <source>History: go to a time</source>
        <translation>历史：转到某一时间</translation>
    </message>
    <message>
        <source>State at a time…</source>
        <translation>某一时刻的状态…</translation>
    </message>
    <message>
        <source>Command palette: locks, views, filters, actions</source>
        <translation>命令面板：锁、视图、筛选、操作</translation>
    </message>
    <message>
        <source>Print Timeline or Contention…</source>
        <translation>打印“时间线”或“争用”…</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Larger, smaller, normal text</source>
        <translation>放大、缩小、恢复文字大小</translation>
    </message>
    <message>
        <source>Everything of the selected lock&apos;s holder</source>
        <translation>所选锁的持有者的全部锁</translation>
    </message>
</context>
<context>
    <name>HoldFormatter</name>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>From (%1)</source>
        <translation>起始（%1）</translation>
    </message>
    <message>
        <source>To</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>持有时长</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束方式</translation>
    </message>
    <message>
        <source>Renewals</source>
        <translation>续期次数</translation>
    </message>
    <message>
        <source>Longest gap</source>
        <translation>最长间隔</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 to %3; %Ln renewal(s)</source>
        <comment>holder, from, to</comment>
        <translation>
            <numerusform>%1：%2 至 %3；续期 %Ln 次</numerusform>
        </translation>
    </message>
    <message>
        <source>before %1</source>
        <translation>早于 %1</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>Waited before</source>
        <translation>此前等待</translation>
    </message>
    <message>
        <source>command %1</source>
        <translation>命令 %1</translation>
    </message>
    <message>
        <source>Force-released by %1 (command %2)</source>
        <comment>who and why, command</comment>
        <translation>强制释放：%1（命令 %2）</translation>
    </message>
    <message>
        <source>Expired or released</source>
        <translation>过期或释放</translation>
    </message>
    <message>
        <source>Probably force-released</source>
        <translation>很可能被强制释放</translation>
    </message>
    <message>
        <source>User and reason</source>
        <translation>操作者与原因</translation>
    </message>
</context>
<context>
    <name>HolderFormatter</name>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Relation</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Since (%1)</source>
        <translation>开始 (%1)</translation>
    </message>
    <message>
        <source>For</source>
        <translation>已持续</translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>Waiting caused</source>
        <translation>造成的等待</translation>
    </message>
    <message>
        <source>Alive</source>
        <translation>活动迹象</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>≥: the start wasn&apos;t seen. ~: dated with a window.</source>
        <translation>≥：未观测到开始。~：时刻有误差范围。</translation>
    </message>
    <message>
        <source>The present waits for this lock, added up; “?”: its scheme doesn&apos;t show waiters.</source>
        <translation>当前对该锁的各次等待之和；“?”表示其方案不显示等待者。</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>a time, its window</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Acquired %1, %2: %3</source>
        <translation>获取于 %1，%2：%3</translation>
    </message>
    <message>
        <source>Not observed now; as of %1.</source>
        <translation>当前未观测；所示为 %1 的状态。</translation>
    </message>
</context>
<context>
    <name>HolderWords</name>
    <message>
        <source>alive</source>
        <comment>a holder</comment>
        <translation>存活</translation>
    </message>
    <message>
        <source>dead</source>
        <comment>a holder</comment>
        <translation>已死亡</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>whether a holder is alive</comment>
        <translation>未知</translation>
    </message>
    <message>
        <source>no liveness rule covers this lock</source>
        <translation>没有适用于此锁的存活规则</translation>
    </message>
    <message>
        <source>its holder&apos;s text matches no liveness rule</source>
        <translation>持有者文本不符合任何存活规则</translation>
    </message>
    <message>
        <source>%1 wasn&apos;t asked, because the rule doesn&apos;t allow such an address</source>
        <translation>未探测 %1，因为规则不允许此类地址</translation>
    </message>
    <message>
        <source>its holder isn&apos;t known</source>
        <translation>持有者未知</translation>
    </message>
    <message>
        <source>not asked yet, because the source&apos;s limit of probes is reached</source>
        <translation>尚未探测，因为已达到该数据源的探测上限</translation>
    </message>
    <message>
        <source>%1 didn&apos;t answer in time</source>
        <translation>%1 未及时应答</translation>
    </message>
    <message>
        <source>the probe failed: %1</source>
        <translation>探测失败：%1</translation>
    </message>
    <message>
        <source>%1 accepts connections</source>
        <translation>%1 接受连接</translation>
    </message>
    <message>
        <source>nothing listens at %1</source>
        <translation>%1 无人监听</translation>
    </message>
    <message>
        <source>%1 answered with status %2</source>
        <translation>%1 返回状态码 %2</translation>
    </message>
    <message>
        <source>the command for %1 ended with code %2</source>
        <translation>针对 %1 的命令以退出码 %2 结束</translation>
    </message>
    <message>
        <source>pod %1 runs and is older than this hold</source>
        <translation>Pod %1 正在运行，且早于本次持有启动</translation>
    </message>
    <message>
        <source>pod %1 doesn&apos;t run yet</source>
        <translation>Pod %1 尚未运行</translation>
    </message>
    <message>
        <source>pod %1 has ended</source>
        <translation>Pod %1 已结束</translation>
    </message>
    <message>
        <source>pod %1 doesn&apos;t exist</source>
        <translation>Pod %1 不存在</translation>
    </message>
    <message>
        <source>pod %1 started after the acquisition, so it isn&apos;t the holder</source>
        <translation>Pod %1 在获取之后才启动，因此不是持有者</translation>
    </message>
    <message>
        <source>pod %1 is being deleted</source>
        <translation>Pod %1 正在删除</translation>
    </message>
    <message>
        <source>the node of pod %1 doesn&apos;t report</source>
        <translation>Pod %1 所在节点未上报状态</translation>
    </message>
    <message>
        <source>the server lists a connection from %1</source>
        <translation>服务器列出了来自 %1 的连接</translation>
    </message>
    <message>
        <source>the server lists no connection from %1 now</source>
        <translation>服务器目前没有来自 %1 的连接</translation>
    </message>
    <message>
        <source>process %1 runs and is older than this hold</source>
        <translation>进程 %1 正在运行，且早于本次持有启动</translation>
    </message>
    <message>
        <source>process %1 doesn&apos;t exist</source>
        <translation>进程 %1 不存在</translation>
    </message>
    <message>
        <source>process %1 started after the acquisition, so it isn&apos;t the holder</source>
        <translation>进程 %1 在获取之后才启动，因此不是持有者</translation>
    </message>
    <message>
        <source>evidence that only a newer version of the console can word</source>
        <translation>只有更新版本的控制台才能描述的依据</translation>
    </message>
    <message>
        <source>%1: %2 (%3 ago)</source>
        <comment>verdict, evidence, age</comment>
        <translation>%1：%2（%3前）</translation>
    </message>
</context>
<context>
    <name>KnownAgents</name>
    <message>
        <source>a line is an address and its certificate&apos;s fingerprint</source>
        <translation>每行应为一个地址及其证书指纹</translation>
    </message>
    <message>
        <source>Remove the line, and trust the agent again</source>
        <translation>请删除该行，然后重新信任该 Agent</translation>
    </message>
    <message>
        <source>Make the folder writable</source>
        <translation>请使该文件夹可写</translation>
    </message>
</context>
<context>
    <name>LockFormatter</name>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>持有时长</translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>Longest wait</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>Scheme</source>
        <translation>锁方案</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>时间误差</translation>
    </message>
    <message>
        <source>Acquired</source>
        <translation>获取时间</translation>
    </message>
    <message>
        <source>Expires</source>
        <translation>过期时间</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>重入深度</translation>
    </message>
    <message>
        <source>Fencing token</source>
        <translation>防护令牌</translation>
    </message>
    <message>
        <source>(none)</source>
        <comment>group</comment>
        <translation>（无）</translation>
    </message>
    <message numerus="yes">
        <source>%1 — %Ln lock(s), worst: %2</source>
        <translation>
            <numerusform>%1 — %Ln 个锁，最严重：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>≥: the start wasn&apos;t seen. ~: dated with a window.</source>
        <translation>≥：未观测到起始。~：起始时刻带时间窗。</translation>
    </message>
    <message>
        <source>Time left of the lease by the store&apos;s clock; −: past its end.</source>
        <translation>以存储时钟计算的租约剩余时间；−：已过期的时长。</translation>
    </message>
    <message>
        <source>Not observed now; as of %1.</source>
        <translation>当前未被观测；数据截至 %1。</translation>
    </message>
    <message>
        <source>Acquired %1, %2: %3</source>
        <translation>获取于 %1，%2：%3</translation>
    </message>
    <message>
        <source>Expires %1: %2</source>
        <translation>过期时间 %1：%2</translation>
    </message>
    <message>
        <source>Alive</source>
        <translation>活动迹象</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Not observed then, last at %1; as last known.</source>
        <translation>当时未被观测，最后一次观测在 %1；所示为最后已知的状态。</translation>
    </message>
    <message>
        <source>~: may have changed by then: its next change can&apos;t be dated more exactly, or a part of its source wasn&apos;t observed.</source>
        <translation>~：当时可能已有变化：下一次变化无法更精确地确定时间，或其数据源的一部分未被观测。</translation>
    </message>
    <message>
        <source>%1, as of %2</source>
        <comment>a lock&apos;s state, a past moment</comment>
        <translation>%1，截至 %2</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Awaiting approval %1</source>
        <comment>minutes and seconds that are left</comment>
        <translation>等待审批 %1</translation>
    </message>
    <message>
        <source>Awaits %1</source>
        <comment>an approval, for so many minutes and seconds</comment>
        <translation>待审批 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a lock&apos;s state, what its release awaits</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Locks seen by several agents are listed once. The first agent named has the best view and performs releases.</source>
        <translation>多个 Agent 都能观测到的锁只列一次，由排在最前的 Agent 释放。</translation>
    </message>
    <message>
        <source>Alive: the holder&apos;s last sign of life.</source>
        <translation>活动迹象：持有者最近一次活动的迹象。</translation>
    </message>
    <message>
        <source>Release: whether a force-release would be guarded, unsafe or impossible.</source>
        <translation>释放：强制释放会有校验、不安全，还是无法进行。</translation>
    </message>
</context>
<context>
    <name>LockText</name>
    <message>
        <source>not seen</source>
        <translation>未观测到</translation>
    </message>
    <message>
        <source>renewed %1 ago</source>
        <translation>%1前续期</translation>
    </message>
    <message numerus="yes">
        <source>silent: %n renewal(s) missed</source>
        <translation>
            <numerusform>无活动迹象：已 %n 次未按时续期</numerusform>
        </translation>
    </message>
    <message>
        <source>unknown: what is stored can&apos;t be read as a lock</source>
        <translation>未知：存储的内容无法识别为锁</translation>
    </message>
    <message>
        <source>unknown: too many of its servers can&apos;t be asked</source>
        <translation>未知：无法查询的服务器过多</translation>
    </message>
    <message>
        <source>unknown: no renewal seen</source>
        <translation>未知：未观测到续期</translation>
    </message>
    <message>
        <source>unknown: watched too briefly</source>
        <translation>未知：观测时间过短</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>state, lock</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, %2, held at least %3</source>
        <translation>%1，%2，已持有至少 %3</translation>
    </message>
    <message>
        <source>%1, %2, held for %3</source>
        <translation>%1，%2，已持有 %3</translation>
    </message>
    <message>
        <source>connection open, idle %1</source>
        <translation>连接未断开，已空闲 %1</translation>
    </message>
    <message>
        <source>connection open, running a statement</source>
        <translation>连接未断开，正在执行语句</translation>
    </message>
    <message>
        <source>unknown: no connection holds it</source>
        <translation>未知：没有连接持有它</translation>
    </message>
    <message>
        <source>unknown: this scheme doesn&apos;t renew</source>
        <translation>未知：此锁方案不续期</translation>
    </message>
    <message numerus="yes">
        <source>%n process(es) seen waiting %1 ago; who polls, as for a spin lock, isn&apos;t seen</source>
        <translation>
            <numerusform>%1前观测到 %n 个进程在等待；轮询的等待者（如自旋锁）不可见</numerusform>
        </translation>
    </message>
    <message>
        <source>unknown: the journal doesn&apos;t keep it</source>
        <translation>未知：日志库不保存这项信息</translation>
    </message>
    <message>
        <source>%1, %2, may have changed already</source>
        <comment>state, lock</comment>
        <translation>%1，%2，可能已发生变化</translation>
    </message>
    <message>
        <source>session open</source>
        <translation>会话未断开</translation>
    </message>
    <message>
        <source>not held</source>
        <translation>未被持有</translation>
    </message>
    <message>
        <source>unknown: the part of the source that has it isn&apos;t observed</source>
        <translation>未知：该锁所在的那部分数据源当前未被观测</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <comment>the last renewal</comment>
        <translation>%1前</translation>
    </message>
    <message numerus="yes">
        <source>%n missed</source>
        <comment>renewals</comment>
        <translation>
            <numerusform>%n 次未续期</numerusform>
        </translation>
    </message>
    <message>
        <source>idle %1</source>
        <comment>a connection</comment>
        <translation>空闲 %1</translation>
    </message>
    <message>
        <source>running</source>
        <comment>a connection&apos;s statement</comment>
        <translation>正在执行</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>whether the holder is alive</comment>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>NodeFormatter</name>
    <message>
        <source>Held: %1 of %2 nodes have its token, %3 are needed.</source>
        <translation>持有中：%2 个节点中有 %1 个持有其令牌，需要 %3 个。</translation>
    </message>
    <message>
        <source>nothing</source>
        <comment>on a node</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>can&apos;t be reached</source>
        <comment>a node</comment>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>not a lock of this scheme</source>
        <comment>on a node</comment>
        <translation>不是此锁方案的锁</translation>
    </message>
    <message>
        <source>holder&apos;s token</source>
        <comment>on a node</comment>
        <translation>持有者的令牌</translation>
    </message>
    <message>
        <source>token %1</source>
        <comment>on a node</comment>
        <translation>令牌 %1</translation>
    </message>
    <message>
        <source>%1, no expiry</source>
        <comment>token on a node</comment>
        <translation>%1，永不过期</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>token on a node, time that is left</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>released</source>
        <comment>on a node</comment>
        <translation>已释放</translation>
    </message>
    <message>
        <source>another token or deadline: left alone</source>
        <comment>on a node</comment>
        <translation>令牌或过期时间不同：未改动</translation>
    </message>
    <message>
        <source>refused</source>
        <comment>on a node</comment>
        <translation>节点拒绝</translation>
    </message>
    <message>
        <source>would be released: nothing was written</source>
        <comment>on a node</comment>
        <translation>试运行：可以释放，未写入任何内容</translation>
    </message>
    <message>
        <source>can&apos;t be reached: counts as held</source>
        <comment>on a node</comment>
        <translation>无法连接：视为仍被持有</translation>
    </message>
    <message>
        <source>reply lost: counts as held</source>
        <comment>on a node</comment>
        <translation>响应丢失：视为仍被持有</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>node, what became of the release there</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <comment>4/5 of them hold the lock</comment>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>Unknown: %1 of %2 nodes have its token, %3 are needed, and %4 are unreachable.</source>
        <translation>未知：%2 个节点中有 %1 个持有其令牌，需要 %3 个，另有 %4 个无法连接。</translation>
    </message>
    <message>
        <source>Not held: no token has a majority (%1 of %2 nodes). Leftover tokens may block the next holder.</source>
        <translation>未被持有：没有令牌达到多数（%2 个节点中的 %1 个）。残留令牌可能阻碍下一次获取。</translation>
    </message>
    <message>
        <source>there was no lock</source>
        <comment>on a node</comment>
        <translation>原本就没有锁</translation>
    </message>
</context>
<context>
    <name>PaletteCommands</name>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Saved filter</source>
        <translation>已保存的筛选</translation>
    </message>
</context>
<context>
    <name>PictureOutput</name>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>SVG picture (*.svg)</source>
        <translation>SVG 图片 (*.svg)</translation>
    </message>
    <message>
        <source>The picture was written to %1</source>
        <translation>图片已写入 %1</translation>
    </message>
    <message>
        <source>The printer can&apos;t be used.</source>
        <translation>无法使用该打印机。</translation>
    </message>
    <message>
        <source>The picture was sent to the printer.</source>
        <translation>图片已发送到打印机。</translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>是(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>否(&amp;N)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>QueryTime</name>
    <message>
        <source>yesterday</source>
        <comment>as typed: yesterday 22:00</comment>
        <translation>昨天</translation>
    </message>
</context>
<context>
    <name>QueryWords</name>
    <message>
        <source>Unknown field “%1”.</source>
        <translation>未知字段“%1”。</translation>
    </message>
    <message>
        <source>Unknown field “%1”. Did you mean “%2”?</source>
        <translation>未知字段“%1”。是否指“%2”？</translation>
    </message>
    <message>
        <source>“%1” isn&apos;t a value of “%2”.</source>
        <translation>“%1”不是“%2”的有效取值。</translation>
    </message>
    <message>
        <source>“%1” isn&apos;t a value of “%2”. Did you mean “%3”?</source>
        <translation>“%1”不是“%2”的有效取值。是否指“%3”？</translation>
    </message>
    <message>
        <source>A value is missing after “%1”.</source>
        <translation>“%1”之后缺少取值。</translation>
    </message>
    <message>
        <source>“%1” needs a whole number, not “%2”.</source>
        <translation>“%1”的值应为整数，而不是“%2”。</translation>
    </message>
    <message>
        <source>“%1” needs a duration such as 30s or 10m, not “%2”.</source>
        <translation>“%1”的值应为 30s、10m 这样的时长，而不是“%2”。</translation>
    </message>
    <message>
        <source>“%1” needs a time such as 02:40 or -15m, not “%2”.</source>
        <translation>“%1”的值应为 02:40、-15m 这样的时间，而不是“%2”。</translation>
    </message>
    <message>
        <source>“%1” can&apos;t be compared like that.</source>
        <translation>“%1”不支持这种比较。</translation>
    </message>
    <message>
        <source>A closing quotation mark is missing.</source>
        <translation>缺少右引号。</translation>
    </message>
</context>
<context>
    <name>ReceiverFormatter</name>
    <message>
        <source>Webhook</source>
        <translation>Webhook</translation>
    </message>
    <message>
        <source>E-mail</source>
        <translation>电子邮件</translation>
    </message>
    <message>
        <source>Command</source>
        <comment>a program that is run</comment>
        <translation>命令</translation>
    </message>
    <message>
        <source>Not known</source>
        <comment>state of a receiver</comment>
        <translation>状态未知</translation>
    </message>
    <message>
        <source>Fails</source>
        <comment>receiver</comment>
        <translation>故障</translation>
    </message>
    <message>
        <source>Works</source>
        <comment>receiver</comment>
        <translation>正常</translation>
    </message>
    <message>
        <source>Not used yet</source>
        <comment>receiver</comment>
        <translation>尚未使用</translation>
    </message>
    <message>
        <source>Receiver</source>
        <translation>接收端</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Last delivery (%1)</source>
        <translation>最近送达 (%1)</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>待发送</translation>
    </message>
    <message>
        <source>Fails because</source>
        <translation>故障原因</translation>
    </message>
    <message>
        <source>since %1: %2</source>
        <comment>time, cause and remedy</comment>
        <translation>自 %1 起：%2</translation>
    </message>
    <message>
        <source>%1
Last delivery %2</source>
        <comment>state, time</comment>
        <translation>%1
最近送达 %2</translation>
    </message>
</context>
<context>
    <name>ReleaseText</name>
    <message>
        <source>Force-release “%1”?</source>
        <translation>强制释放“%1”？</translation>
    </message>
    <message>
        <source>Force-release expired lock “%1”?</source>
        <translation>强制释放已过期的锁“%1”？</translation>
    </message>
    <message>
        <source>Force-release stuck lock “%1”?</source>
        <translation>强制释放卡死的锁“%1”？</translation>
    </message>
    <message>
        <source>Break live lock “%1”?</source>
        <translation>强制释放有效的锁“%1”？</translation>
    </message>
    <message>
        <source>Release “%1” without knowing its holder?</source>
        <translation>在持有者未知的情况下强制释放“%1”？</translation>
    </message>
    <message>
        <source>“%1” can&apos;t be released</source>
        <translation>不能释放“%1”</translation>
    </message>
    <message>
        <source>The lock “%1” changed while this dialog was open</source>
        <translation>对话框打开期间锁“%1”已变化</translation>
    </message>
    <message>
        <source>“%1” is free already</source>
        <translation>“%1”已空闲</translation>
    </message>
    <message>
        <source>“%1” can&apos;t be read</source>
        <translation>无法读取“%1”</translation>
    </message>
    <message>
        <source>Reading the lock from its store…</source>
        <translation>正在从存储读取该锁…</translation>
    </message>
    <message>
        <source>The lease ended %1 ago by the store&apos;s clock.</source>
        <translation>以存储时钟为准，租约已过期 %1。</translation>
    </message>
    <message>
        <source>It never expires, no sign of life for %1. A slow holder looks the same: check %2.</source>
        <translation>它永不过期，已有 %1无活动迹象。运行缓慢的持有者也会如此：请先检查 %2。</translation>
    </message>
    <message>
        <source>Its holder renewed it %1 ago. Two processes may then use the resource at once.</source>
        <translation>持有者于 %1前续期。强制释放后，可能有两个进程同时使用该资源。</translation>
    </message>
    <message>
        <source>Its lease has not ended. Two processes may then use the resource at once.</source>
        <translation>租约尚未过期。强制释放后，可能有两个进程同时使用该资源。</translation>
    </message>
    <message>
        <source>If its holder or another process has acquired it again in the meantime, that lock may be deleted.</source>
        <translation>若其间原持有者重新获取了该锁，或其他进程获取了该锁，被删除的可能是新获取的锁。</translation>
    </message>
    <message>
        <source>It was renewed since it was read, or acquired again: %1 holds it now. Nothing was released.</source>
        <translation>读取之后它已续期，或已被重新获取：现由 %1 持有。未释放任何锁。</translation>
    </message>
    <message>
        <source>It is now held by %1. Nothing was released.</source>
        <translation>现由 %1 持有。未释放任何锁。</translation>
    </message>
    <message>
        <source>Can&apos;t reach %1 (last seen %2 ago). Force-release is unavailable.</source>
        <translation>无法连接 %1，最近一次观测在 %2前。暂不能强制释放。</translation>
    </message>
    <message>
        <source>Release does not stop the holder. If it is running, it keeps writing unless the resource checks a fencing token.</source>
        <translation>强制释放不会停止持有者。若持有者仍在运行，它会继续写入，除非资源校验防护令牌（fencing token）。</translation>
    </message>
    <message>
        <source>Break live lock</source>
        <translation>强制释放有效锁</translation>
    </message>
    <message>
        <source>Release unsafely</source>
        <translation>强制释放（无校验）</translation>
    </message>
    <message>
        <source>Force-release</source>
        <translation>强制释放</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Review again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>Released. Confirmed by the store at %1 %2.</source>
        <translation>已释放。存储于 %1 %2 确认。</translation>
    </message>
    <message>
        <source>Not replicated yet: a failover of the store may bring the lock back.</source>
        <translation>尚未复制：存储发生故障切换时，该锁可能重新出现。</translation>
    </message>
    <message>
        <source>this acquisition and its exact deadline (%1…)</source>
        <translation>本次获取及其确切的过期时间（%1…）</translation>
    </message>
    <message>
        <source>this acquisition, renewed or not (%1…)</source>
        <translation>本次获取，不论是否续期（%1…）</translation>
    </message>
    <message>
        <source>this value and its exact deadline, as the value alone may be the next holder&apos;s too (%1…)</source>
        <translation>此值及其确切的过期时间，因为仅凭该值可能无法与下一个持有者相区分（%1…）</translation>
    </message>
    <message>
        <source>Kill connection %1 to free “%2”?</source>
        <translation>终止连接 %1 以释放“%2”？</translation>
    </message>
    <message>
        <source>Its transaction rolls back, and all its locks become free. Between check and kill it may begin other work.</source>
        <translation>其事务将回滚，其持有的所有锁都会释放。在检查与终止之间，该连接可能已开始其他工作。</translation>
    </message>
    <message>
        <source>Kill connection</source>
        <translation>终止连接</translation>
    </message>
    <message>
        <source>this connection, its thread and its transaction (%1…)</source>
        <translation>此连接及其线程和事务（%1…）</translation>
    </message>
    <message>
        <source>Remove what is left of “%1”?</source>
        <translation>清除“%1”的残留？</translation>
    </message>
    <message>
        <source>Remove leftovers</source>
        <translation>清除残留</translation>
    </message>
    <message>
        <source>The program behind the connection isn&apos;t stopped. It sees an error, and may connect and begin again.</source>
        <translation>使用该连接的程序不会停止。它会收到错误，并可能重新连接、重新开始。</translation>
    </message>
    <message>
        <source>Enter a reason and type the lock&apos;s name.</source>
        <translation>请填写原因，并输入锁的名称。</translation>
    </message>
    <message>
        <source>Enter a reason.</source>
        <translation>请填写原因。</translation>
    </message>
    <message>
        <source>this acquisition as it was read, without a deadline (%1…)</source>
        <translation>读取时的本次获取，无过期时间（%1…）</translation>
    </message>
    <message>
        <source>Wait a second: read what will be released.</source>
        <translation>请稍候一秒，先看清将要释放的内容。</translation>
    </message>
    <message>
        <source>Request approval</source>
        <translation>申请审批</translation>
    </message>
    <message>
        <source>A second operator must approve within 5 minutes. The request ends if the lock changes.</source>
        <translation>须由另一名操作员在 5 分钟内审批通过。锁一旦变化，申请即失效。</translation>
    </message>
    <message>
        <source>Its session is open. Two processes may then use the resource at once.</source>
        <translation>其会话未断开。强制释放后，可能有两个进程同时使用该资源。</translation>
    </message>
    <message>
        <source>It isn&apos;t held any more. Nothing was released.</source>
        <translation>已未被持有。未释放任何锁。</translation>
    </message>
    <message>
        <source>Type the lock&apos;s name exactly as shown above.</source>
        <translation>请按上方所示准确输入锁的名称。</translation>
    </message>
    <message>
        <source>This information is out of date: the lock is being read again.</source>
        <translation>所示内容已过时：正在重新读取该锁。</translation>
    </message>
    <message>
        <source>none: nothing distinguishes this acquisition from the next</source>
        <translation>无：无法将本次持有与下一次持有相区分</translation>
    </message>
    <message>
        <source>Force-release lock “%1” of a dead holder?</source>
        <translation>强制释放已死亡持有者的锁“%1”？</translation>
    </message>
    <message>
        <source>A liveness probe found its holder dead. If the probe is wrong, two processes may then use the resource at once.</source>
        <translation>存活探测判定其持有者已死亡。若探测有误，之后可能有两个进程同时使用该资源。</translation>
    </message>
</context>
<context>
    <name>ReleaseVerdict</name>
    <message>
        <source>No lock is selected.</source>
        <translation>未选择锁。</translation>
    </message>
    <message>
        <source>A release is under way.</source>
        <translation>正在释放。</translation>
    </message>
    <message>
        <source>Can&apos;t release: no agent is connected. Connect to one in the Agent menu.</source>
        <translation>不能释放：未连接 Agent。请在“Agent”菜单中连接。</translation>
    </message>
    <message>
        <source>Can&apos;t release: your role is %1. An administrator can make you an operator.</source>
        <translation>不能释放：当前角色为“%1”。管理员可将角色改为操作员。</translation>
    </message>
    <message>
        <source>Can&apos;t release: none of the selected locks can be released. Select one of them to see why.</source>
        <translation>不能释放：所选的锁均不能释放。请选择其中一个以查看原因。</translation>
    </message>
    <message>
        <source>Can&apos;t release: this list doesn&apos;t show the lock. Clear the filter in Locks to see it.</source>
        <translation>不能释放：此列表未显示该锁。请在“锁”中清除筛选以查看它。</translation>
    </message>
    <message>
        <source>Can&apos;t release: the lock isn&apos;t listed any more. It was released, or is no longer observed.</source>
        <translation>不能释放：该锁已不在列表中，已释放，或不再被观测。</translation>
    </message>
    <message>
        <source>Can&apos;t release: your role doesn&apos;t cover this lock. An administrator can extend it.</source>
        <translation>不能释放：当前角色的范围不含此锁。管理员可扩大该范围。</translation>
    </message>
</context>
<context>
    <name>SavedAgents</name>
    <message>
        <source>Write for example: [[agent]] name = &quot;dc1&quot; address = &quot;ssh://db1&quot;</source>
        <translation>例如：[[agent]] name = &quot;dc1&quot; address = &quot;ssh://db1&quot;</translation>
    </message>
    <message>
        <source>an agent has a name and an address, and no &quot;%1&quot;</source>
        <translation>Agent 只有 name 和 address，没有“%1”</translation>
    </message>
    <message>
        <source>an agent&apos;s name is a text without a colon</source>
        <translation>Agent 的名称须为不含冒号的文本</translation>
    </message>
    <message>
        <source>there are two agents named &apos;%1&apos;</source>
        <translation>有两个 Agent 都叫“%1”</translation>
    </message>
    <message>
        <source>Make it readable, or give the agent&apos;s address</source>
        <translation>请使该文件可读，或直接指定 Agent 的地址</translation>
    </message>
    <message>
        <source>this isn&apos;t TOML: %1</source>
        <translation>不是有效的 TOML：%1</translation>
    </message>
    <message>
        <source>its address can&apos;t be used: %1</source>
        <translation>其地址无法使用：%1</translation>
    </message>
    <message>
        <source>an agent is a table, [[agent]]</source>
        <translation>Agent 须写成表，即 [[agent]]</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is neither an address nor a name in %2</source>
        <translation>“%1”既不是地址，也不是 %2 中的名称</translation>
    </message>
    <message>
        <source>Did you mean &apos;%1&apos;?</source>
        <translation>是否指“%1”？</translation>
    </message>
    <message>
        <source>%1 holds no certificate</source>
        <translation>%1 中没有证书</translation>
    </message>
    <message>
        <source>Use a file in PEM format</source>
        <translation>请指定 PEM 格式的文件</translation>
    </message>
    <message>
        <source>Specify the certificate&apos;s private key with --key</source>
        <translation>请用 --key 指定该证书的私钥</translation>
    </message>
    <message>
        <source>%1 isn&apos;t the certificate&apos;s private key, without a pass phrase</source>
        <translation>%1 不是该证书的无口令私钥</translation>
    </message>
    <message>
        <source>a login is for agents over TLS, and &apos;%1&apos; is none</source>
        <translation>登录仅用于通过 TLS 连接的 Agent，而“%1”不是</translation>
    </message>
    <message>
        <source>Use tls://HOST, or omit user, password and certificate</source>
        <translation>请指定 tls://主机，或不要指定用户、密码和证书</translation>
    </message>
    <message>
        <source>each of its keys has a text</source>
        <translation>其每个键的值都应为文本</translation>
    </message>
    <message>
        <source>Use local:PATH, ssh://HOST or tls://HOST</source>
        <translation>请指定 local:路径、ssh://主机 或 tls://主机</translation>
    </message>
    <message>
        <source>only [[agent]] is allowed here</source>
        <translation>这里只能有 [[agent]]</translation>
    </message>
</context>
<context>
    <name>SchemeWords</name>
    <message>
        <source>guarded: every column as read</source>
        <translation>有校验：各列均与读取时一致</translation>
    </message>
    <message>
        <source>guarded kill: connection, thread and transaction</source>
        <translation>有校验的终止：连接、线程和事务</translation>
    </message>
    <message>
        <source>It notices at its next renewal or release, if its client names itself there and counts the rows.</source>
        <translation>若其客户端在续期或释放时带上自己的标识并检查行数，持有者会在那时发现。</translation>
    </message>
    <message>
        <source>a key&apos;s value is the holder, its time to live the lease</source>
        <translation>键的值是持有者，其 TTL 即租约</translation>
    </message>
    <message>
        <source>guarded: token and expiry</source>
        <translation>有校验：令牌与过期时间</translation>
    </message>
    <message>
        <source>the same key and value on most of the nodes</source>
        <translation>多数节点上有相同的键和值</translation>
    </message>
    <message>
        <source>a key&apos;s value is an object of owner and state</source>
        <translation>键的值是含所有者和状态的对象</translation>
    </message>
    <message>
        <source>guarded: the whole value, and expiry</source>
        <translation>有校验：完整的值与过期时间</translation>
    </message>
    <message>
        <source>A client that writes the key again without reading it notices nothing, and takes the lock back.</source>
        <translation>不先读取就重写该键的客户端不会发现，还会夺回该锁。</translation>
    </message>
    <message>
        <source>Redisson: a hash of the holder and its count</source>
        <translation>Redisson：含持有者及其计数的哈希</translation>
    </message>
    <message>
        <source>guarded: holder, depth and expiry</source>
        <translation>有校验：持有者、重入深度与过期时间</translation>
    </message>
    <message>
        <source>Waiters not visible now: one shows while it is queued or subscribed; who polls, as for a spin lock, never</source>
        <translation>当前看不到等待者：只有排队或订阅的等待者才可见；轮询的等待者（如自旋锁）始终不可见</translation>
    </message>
    <message>
        <source>a semaphore: several may hold it at once</source>
        <translation>信号量：可同时由多方持有</translation>
    </message>
    <message>
        <source>guarded: permit and its time</source>
        <translation>有校验：许可及其时间</translation>
    </message>
    <message>
        <source>ShedLock: a row stays, its time says until when it is held</source>
        <translation>ShedLock：行始终保留，时间列表示持有到何时</translation>
    </message>
    <message>
        <source>guarded: holder and both times</source>
        <translation>有校验：持有者与两个时间</translation>
    </message>
    <message>
        <source>It notices only if it extends the lock: most tasks never do, and end without a word.</source>
        <translation>持有者只有在延长锁时才会发现：大多数任务从不延长，直到结束也不会发现。</translation>
    </message>
    <message>
        <source>It notices nothing before it deletes its row, and then only if its client counts the rows.</source>
        <translation>持有者在删除自己的行之前不会发现，且仅当其客户端检查受影响行数时才会发现。</translation>
    </message>
    <message>
        <source>a row stays, its columns say whether it is held</source>
        <translation>行始终保留，由列表示是否被持有</translation>
    </message>
    <message>
        <source>re-entrant: the holder may enter several times</source>
        <translation>可重入：持有者可多次获取</translation>
    </message>
    <message>
        <source>row locks of open transactions</source>
        <translation>未结束事务的行锁</translation>
    </message>
    <message>
        <source>advisory locks of sessions (GET_LOCK, pg_advisory_lock)</source>
        <translation>会话的咨询锁（GET_LOCK、pg_advisory_lock）</translation>
    </message>
    <message>
        <source>guarded: revisions and lease</source>
        <translation>有校验：修订版本与租约</translation>
    </message>
    <message>
        <source>Waiters not visible for a plain key: they try again or watch it</source>
        <translation>普通键看不到等待者：它们会重试或监听该键</translation>
    </message>
    <message>
        <source>guarded</source>
        <translation>有校验</translation>
    </message>
    <message>
        <source>Waiters not visible in this scheme</source>
        <translation>此锁方案的等待者不可见</translation>
    </message>
    <message>
        <source>ZooKeeper: numbered znodes of sessions, the lowest number holds</source>
        <translation>ZooKeeper：会话的顺序节点，编号最小者持有</translation>
    </message>
    <message>
        <source>guarded: full name and version, after transaction and session</source>
        <translation>有校验：先比对创建事务与会话，再按完整名称和版本删除</translation>
    </message>
    <message>
        <source>Count only: too many waiters to list</source>
        <translation>只统计数量：等待者过多，未逐一列出</translation>
    </message>
    <message>
        <source>guarded: type and value of each field that was seen</source>
        <translation>有校验：比对所见每个字段的类型和值</translation>
    </message>
    <message>
        <source>stays; other keys on it: %1</source>
        <translation>保留；其上的其他键：%1</translation>
    </message>
    <message>
        <source>stays; other keys on it: %1 (%2)</source>
        <translation>保留；其上的其他键：%1（%2）</translation>
    </message>
    <message>
        <source>It notices at its next renewal or unlock, if its client compares the token there. A client that doesn&apos;t (ShedLock on Redis) extends any existing lock, the next holder&apos;s too.</source>
        <translation>若其客户端在续期或解锁时比对令牌，持有者会在那时发现。不比对的客户端（如 Redis 上的 ShedLock）会延长当前存在的任何锁，包括下一个持有者的锁。</translation>
    </message>
    <message>
        <source>Its watchdog, if it has one, finds no lock at its next renewal and ends silently. The program notices when it unlocks.</source>
        <translation>其看门狗（如果有）会在下次续期时发现锁已不在，并静默停止；程序要到解锁时才得知。</translation>
    </message>
    <message>
        <source>It notices when it next refreshes or releases its permit, if its client checks the answer.</source>
        <translation>若其客户端检查返回值，持有者会在下次刷新或释放许可时发现。</translation>
    </message>
    <message>
        <source>a row that exists is held, deleting it releases</source>
        <translation>行存在即为持有，删除行即释放</translation>
    </message>
    <message>
        <source>MongoDB: one document for each lock, held until its deadline or until it is released</source>
        <translation>MongoDB：每个锁一份文档，过期或释放之前为持有状态</translation>
    </message>
    <message>
        <source>Its holder isn&apos;t notified: it notices when it renews or releases the document, if it checks whether one was found.</source>
        <translation>持有者不会收到通知：续期或释放该文档时，若检查是否找到文档，才会发现。</translation>
    </message>
    <message>
        <source>etcd: keys under leases, the first one holds</source>
        <translation>etcd：租约下的键，最先创建者持有</translation>
    </message>
    <message>
        <source>Its holder isn&apos;t notified: its session continues, and it notices only if its client watches or checks its key. The lease stays, with its other keys.</source>
        <translation>持有者不会收到通知：其会话继续，只有当其客户端监听或检查该键时才会发现。租约及其上的其他键保留。</translation>
    </message>
    <message>
        <source>Its holder isn&apos;t notified: kazoo and Curator continue as if they held the lock. Its session stays, with the other locks that it holds.</source>
        <translation>持有者不会收到通知：kazoo 和 Curator 会继续认为自己持有该锁。其会话及其持有的其他锁保留。</translation>
    </message>
    <message>
        <source>optimistic: never held, a version grows</source>
        <translation>乐观锁：没有持有者，版本号递增</translation>
    </message>
</context>
<context>
    <name>SourceFormatter</name>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Last seen</source>
        <translation>最近观测</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Poll</source>
        <translation>轮询</translation>
    </message>
    <message>
        <source>Scan</source>
        <translation>单轮耗时</translation>
    </message>
    <message>
        <source>Observed by</source>
        <translation>观测方式</translation>
    </message>
    <message>
        <source>Clock offset</source>
        <translation>时钟偏差</translation>
    </message>
    <message>
        <source>Store</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Silent</source>
        <comment>source</comment>
        <translation>无数据</translation>
    </message>
    <message>
        <source>%1%2 ± %3</source>
        <comment>sign, clock offset, uncertainty</comment>
        <translation>%1%2 ± %3</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>gravest severity, number of findings</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Login rejected</source>
        <comment>source</comment>
        <translation>登录被拒绝</translation>
    </message>
    <message>
        <source>Right missing</source>
        <comment>source</comment>
        <translation>缺少权限</translation>
    </message>
    <message>
        <source>Risks</source>
        <translation>风险</translation>
    </message>
</context>
<context>
    <name>TimelineFormatter</name>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>%1 held by %2 since before %3</source>
        <translation>%1 由 %2 持有，始于 %3 之前</translation>
    </message>
    <message>
        <source>%1 held by %2 from %3, or up to %4 earlier</source>
        <translation>%1 由 %2 持有，始于 %3，最多早 %4</translation>
    </message>
    <message>
        <source>%1 held by %2 from %3</source>
        <translation>%1 由 %2 持有，始于 %3</translation>
    </message>
    <message>
        <source>Still held, as far as was seen</source>
        <translation>据观测仍在持有</translation>
    </message>
    <message>
        <source>Ended %1, or up to %2 earlier (%3): %4</source>
        <translation>结束于 %1，最多早 %2（%3）：%4</translation>
    </message>
    <message>
        <source>Ended %1 (%2): %3</source>
        <translation>结束于 %1（%2）：%3</translation>
    </message>
    <message>
        <source>%1 waits for %2 since %3</source>
        <translation>%1 自 %3 起等待 %2</translation>
    </message>
    <message>
        <source>%1 waited for %2 from %3 to %4 (%5)</source>
        <translation>%1 等待 %2，从 %3 到 %4（%5）</translation>
    </message>
    <message>
        <source>Held for %1 of it, waited for %2 in all</source>
        <translation>其间持有 %1，等待合计 %2</translation>
    </message>
    <message>
        <source>Too many to draw one by one: zoom in to see them</source>
        <translation>数量太多，无法逐个绘制：放大后可见</translation>
    </message>
    <message>
        <source>Part %1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>%1 not observed from %2 to %3 (%4)</source>
        <translation>%1 从 %2 到 %3 未被观测（%4）</translation>
    </message>
    <message>
        <source>%1 not observed since %2</source>
        <translation>%1 自 %2 起未被观测</translation>
    </message>
    <message>
        <source>Cause: %1</source>
        <translation>原因：%1</translation>
    </message>
    <message>
        <source>%1: not observed</source>
        <translation>%1：未被观测</translation>
    </message>
    <message>
        <source>%1: held for %2 of this slice, waited for %3</source>
        <translation>%1：此时间片内持有 %2，等待 %3</translation>
    </message>
    <message>
        <source>%1: held by %2</source>
        <translation>%1：由 %2 持有</translation>
    </message>
    <message>
        <source>%1: perhaps held by %2</source>
        <translation>%1：可能由 %2 持有</translation>
    </message>
    <message>
        <source>%1: not held</source>
        <translation>%1：未被持有</translation>
    </message>
    <message>
        <source>%1, %2 waiting</source>
        <translation>%1，%2 个等待者</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Many</source>
        <translation>汇总</translation>
    </message>
    <message>
        <source>Gap</source>
        <translation>观测中断</translation>
    </message>
    <message>
        <source>before %1</source>
        <translation>早于 %1</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>What</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>主体</translation>
    </message>
    <message>
        <source>From (%1)</source>
        <translation>起始（%1）</translation>
    </message>
    <message>
        <source>To</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>How long</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束方式</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>waiting, %L1 (+%L2)</source>
        <translation>等待 %L1（+%L2）</translation>
    </message>
    <message>
        <source>waiting, %L1</source>
        <translation>等待 %L1</translation>
    </message>
    <message>
        <source>Holds %L1 (%2)</source>
        <comment>how many, their time in all</comment>
        <translation>持有 %L1 次（%2）</translation>
    </message>
    <message>
        <source>Waits %L1</source>
        <translation>等待 %L1 次</translation>
    </message>
    <message>
        <source>Waited %1 for it</source>
        <translation>获取前等待了 %1</translation>
    </message>
    <message numerus="yes">
        <source>Renewed %Ln time(s), last %1 to last until %2</source>
        <translation>
            <numerusform>续期 %Ln 次，最近一次在 %1，有效至 %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Renewed %Ln time(s)</source>
        <translation>
            <numerusform>续期 %Ln 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Renewals</source>
        <translation>续期次数</translation>
    </message>
    <message>
        <source>Holds that ended: %L1, waits that ended: %L2</source>
        <translation>已结束的持有：%L1，已结束的等待：%L2</translation>
    </message>
    <message>
        <source>Broken by force: %L1</source>
        <translation>强制释放：%L1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln wait(s) too short to draw one by one</source>
        <translation>
            <numerusform>%Ln 次等待太短，无法逐个绘制</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln hold(s) too short to draw one by one</source>
        <translation>
            <numerusform>%Ln 次持有太短，无法逐个绘制</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln lock(s) held</source>
        <translation>
            <numerusform>%1：持有 %Ln 个锁</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln hold(s)</source>
        <translation>
            <numerusform>%Ln 次持有</numerusform>
        </translation>
    </message>
    <message>
        <source>Shown: %L1 holds, %2 in all; %L3 waits, %4 in all</source>
        <translation>显示范围内：持有 %L1 次，共 %2；等待 %L3 次，共 %4</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>Releasing…</source>
        <comment>state</comment>
        <translation>释放中…</translation>
    </message>
    <message>
        <source>Unknown</source>
        <comment>state</comment>
        <translation>未知</translation>
    </message>
    <message>
        <source>Stuck</source>
        <comment>state</comment>
        <translation>卡死</translation>
    </message>
    <message>
        <source>Expired</source>
        <comment>state</comment>
        <translation>已过期</translation>
    </message>
    <message>
        <source>Contended</source>
        <comment>state</comment>
        <translation>争用中</translation>
    </message>
    <message>
        <source>Expiring</source>
        <comment>state</comment>
        <translation>即将过期</translation>
    </message>
    <message>
        <source>Held</source>
        <comment>state</comment>
        <translation>持有中</translation>
    </message>
    <message>
        <source>Optimistic</source>
        <comment>state</comment>
        <translation>乐观锁</translation>
    </message>
    <message>
        <source>Free</source>
        <comment>state</comment>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Acquired</source>
        <comment>event</comment>
        <translation>获取</translation>
    </message>
    <message>
        <source>Renewed</source>
        <comment>event</comment>
        <translation>续期</translation>
    </message>
    <message>
        <source>Released</source>
        <comment>event</comment>
        <translation>释放</translation>
    </message>
    <message>
        <source>Expired</source>
        <comment>event</comment>
        <translation>过期</translation>
    </message>
    <message>
        <source>Taken over</source>
        <comment>event</comment>
        <translation>被接管</translation>
    </message>
    <message>
        <source>Wait began</source>
        <comment>event</comment>
        <translation>开始等待</translation>
    </message>
    <message>
        <source>Wait ended</source>
        <comment>event</comment>
        <translation>结束等待</translation>
    </message>
    <message>
        <source>Stuck</source>
        <comment>event</comment>
        <translation>卡死</translation>
    </message>
    <message>
        <source>No longer stuck</source>
        <comment>event</comment>
        <translation>不再卡死</translation>
    </message>
    <message>
        <source>Force-released</source>
        <comment>event</comment>
        <translation>强制释放</translation>
    </message>
    <message>
        <source>Gap opened</source>
        <comment>event</comment>
        <translation>观测中断开始</translation>
    </message>
    <message>
        <source>Gap closed</source>
        <comment>event</comment>
        <translation>观测恢复</translation>
    </message>
    <message>
        <source>Source reached</source>
        <comment>event</comment>
        <translation>数据源已连接</translation>
    </message>
    <message>
        <source>Source lost</source>
        <comment>event</comment>
        <translation>数据源已断开</translation>
    </message>
    <message>
        <source>Lost by the store</source>
        <comment>event</comment>
        <translation>存储中已丢失</translation>
    </message>
    <message>
        <source>State changed</source>
        <comment>event</comment>
        <translation>状态已变化</translation>
    </message>
    <message>
        <source>Released</source>
        <comment>outcome</comment>
        <translation>已释放</translation>
    </message>
    <message>
        <source>Holder changed</source>
        <comment>outcome</comment>
        <translation>持有者已变</translation>
    </message>
    <message>
        <source>Already free</source>
        <comment>outcome</comment>
        <translation>已空闲</translation>
    </message>
    <message>
        <source>Refused</source>
        <comment>outcome</comment>
        <translation>拒绝执行</translation>
    </message>
    <message>
        <source>Unreachable</source>
        <comment>outcome</comment>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>Partial</source>
        <comment>outcome</comment>
        <translation>部分释放</translation>
    </message>
    <message>
        <source>Unknown</source>
        <comment>outcome</comment>
        <translation>未知</translation>
    </message>
    <message>
        <source>Pending</source>
        <comment>outcome</comment>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Released. The store confirmed it.</source>
        <translation>已释放，存储已确认。</translation>
    </message>
    <message>
        <source>The lock changed in the meantime. Nothing was released.</source>
        <translation>其间锁已变化。未释放任何锁。</translation>
    </message>
    <message>
        <source>The lock was free already. This request released nothing.</source>
        <translation>该锁已空闲。本次请求未释放任何锁。</translation>
    </message>
    <message>
        <source>The release was refused. Nothing was released.</source>
        <translation>释放请求被拒绝执行。未释放任何锁。</translation>
    </message>
    <message>
        <source>The request didn&apos;t reach the store. Nothing was released.</source>
        <translation>请求未到达存储。未释放任何锁。</translation>
    </message>
    <message>
        <source>Only some of the nodes released the lock.</source>
        <translation>仅部分节点释放了该锁。</translation>
    </message>
    <message>
        <source>Outcome unknown. The request was sent, the reply lost. It isn&apos;t sent again.</source>
        <translation>结果未知。请求已发出，但未收到响应。不会重发。</translation>
    </message>
    <message>
        <source>The request is under way.</source>
        <translation>请求正在处理。</translation>
    </message>
    <message>
        <source>Operator</source>
        <comment>role</comment>
        <translation>操作员</translation>
    </message>
    <message>
        <source>Administrator</source>
        <comment>role</comment>
        <translation>管理员</translation>
    </message>
    <message>
        <source>Connecting</source>
        <comment>source</comment>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>Observed</source>
        <comment>source</comment>
        <translation>观测中</translation>
    </message>
    <message>
        <source>Unreachable</source>
        <comment>source</comment>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>Standby</source>
        <comment>source</comment>
        <translation>待命</translation>
    </message>
    <message>
        <source>Push</source>
        <comment>observation</comment>
        <translation>推送</translation>
    </message>
    <message>
        <source>Polling</source>
        <comment>observation</comment>
        <translation>轮询</translation>
    </message>
    <message>
        <source>no evidence</source>
        <translation>无依据</translation>
    </message>
    <message>
        <source>written by the application</source>
        <translation>由应用写入</translation>
    </message>
    <message>
        <source>the store&apos;s own expiry</source>
        <translation>存储自身的过期时间</translation>
    </message>
    <message>
        <source>seen between two observations</source>
        <translation>发生在两次观测之间</translation>
    </message>
    <message>
        <source>already present when first seen</source>
        <translation>首次观测时已存在</translation>
    </message>
    <message>
        <source>Stuck: it has no expiry, though locks of this scheme expire. Its owner probably died between taking the lock and setting the expiry.</source>
        <translation>卡死：此锁方案的锁会过期，而它没有过期时间。持有者很可能在获取锁之后、设置过期时间之前已异常退出。</translation>
    </message>
    <message>
        <source>Stuck: no sign of life for longer than the configuration allows.</source>
        <translation>卡死：无活动迹象的时间已超过配置的上限。</translation>
    </message>
    <message>
        <source>unsafe: no identity</source>
        <comment>release verdict</comment>
        <translation>不安全：无身份标识，无法校验</translation>
    </message>
    <message>
        <source>Force-release is unavailable.</source>
        <translation>不能释放。</translation>
    </message>
    <message>
        <source>Nothing to release: the lock is free.</source>
        <translation>无需释放：该锁空闲。</translation>
    </message>
    <message>
        <source>still held</source>
        <translation>仍被持有</translation>
    </message>
    <message>
        <source>not observed</source>
        <translation>未被观测</translation>
    </message>
    <message>
        <source>Would release</source>
        <comment>outcome</comment>
        <translation>试运行（未释放）</translation>
    </message>
    <message>
        <source>A dry run of the policy. Nothing was released.</source>
        <translation>策略试运行。未释放任何锁。</translation>
    </message>
    <message>
        <source>Policy</source>
        <comment>role</comment>
        <translation>策略</translation>
    </message>
    <message>
        <source>Probed</source>
        <comment>outcome</comment>
        <translation>已探测</translation>
    </message>
    <message>
        <source>The commands of the store&apos;s clients were listened to for a moment. Nothing was released.</source>
        <translation>已短暂监听存储客户端的命令。未释放任何锁。</translation>
    </message>
    <message>
        <source>Awaiting approval</source>
        <comment>outcome</comment>
        <translation>等待审批</translation>
    </message>
    <message>
        <source>Rejected</source>
        <comment>outcome</comment>
        <translation>审批驳回</translation>
    </message>
    <message>
        <source>Expired without a decision</source>
        <comment>outcome</comment>
        <translation>超时未审批</translation>
    </message>
    <message>
        <source>The request waits for a second person&apos;s approval. Nothing was released yet.</source>
        <translation>申请正等待另一人审批。尚未释放任何锁。</translation>
    </message>
    <message>
        <source>The request was rejected. Nothing was released.</source>
        <translation>申请已被驳回。未释放任何锁。</translation>
    </message>
    <message>
        <source>The request ended without a decision. Nothing was released.</source>
        <translation>申请未经审批即失效。未释放任何锁。</translation>
    </message>
    <message>
        <source>Viewer</source>
        <comment>role</comment>
        <translation>查看者</translation>
    </message>
    <message>
        <source>Approver</source>
        <comment>role</comment>
        <translation>审批人</translation>
    </message>
    <message>
        <source>%1 everywhere</source>
        <comment>role</comment>
        <translation>%1（所有范围）</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <comment>role, sources</comment>
        <translation>%1（数据源 %2）</translation>
    </message>
    <message>
        <source>%1 for locks %2</source>
        <comment>role, names</comment>
        <translation>%1（锁 %2）</translation>
    </message>
    <message>
        <source>%1 in %2 for locks %3</source>
        <comment>role, sources, names</comment>
        <translation>%1（数据源 %2，锁 %3）</translation>
    </message>
    <message>
        <source>Your role at this agent: %1</source>
        <translation>在此 Agent 上的角色：%1</translation>
    </message>
    <message>
        <source>Your role at this agent: %1. You see nothing else of it.</source>
        <translation>在此 Agent 上的角色：%1。其余内容不可见。</translation>
    </message>
    <message>
        <source>Logged in</source>
        <comment>outcome</comment>
        <translation>已登录</translation>
    </message>
    <message>
        <source>The login was good, and the session began.</source>
        <translation>登录成功，会话已开始。</translation>
    </message>
    <message>
        <source>Scanned</source>
        <comment>outcome</comment>
        <translation>已扫描</translation>
    </message>
    <message>
        <source>Accepted</source>
        <comment>outcome</comment>
        <translation>已接受</translation>
    </message>
    <message>
        <source>An operator accepted an incomplete audit. Nothing was released.</source>
        <translation>操作员已接受不完整的审计。未释放任何锁。</translation>
    </message>
    <message>
        <source>The store was scanned for locks. Nothing was released.</source>
        <translation>已扫描该存储中的锁。未释放任何锁。</translation>
    </message>
    <message>
        <source>reported by the store</source>
        <translation>由存储通知</translation>
    </message>
    <message>
        <source>Can&apos;t release: the agent&apos;s configuration says break = &quot;never&quot;. Set break = &quot;guarded&quot; in the lock set to allow releases.</source>
        <translation>不能释放：Agent 的配置为 break = &quot;never&quot;。要允许释放，请在锁集中设置 break = &quot;guarded&quot;。</translation>
    </message>
    <message>
        <source>Can&apos;t release: nothing distinguishes this acquisition from the holder&apos;s next one. break = &quot;unsafe&quot; in the lock set allows a release without a guard, which may end a later hold instead.</source>
        <translation>不能释放：无法将本次持有与同一持有者的下一次持有相区分。在锁集中设置 break = &quot;unsafe&quot; 可允许无校验的释放，但被释放的可能是之后的另一次持有。</translation>
    </message>
    <message>
        <source>Can&apos;t release: the value is too long to be read whole. Release the lock with its store&apos;s own client.</source>
        <translation>不能释放：值过长，无法完整读取。请用存储自带的客户端释放该锁。</translation>
    </message>
    <message>
        <source>Can&apos;t release: the key is of another type than the scheme&apos;s. Correct the scheme of its lock set.</source>
        <translation>不能释放：键的类型与锁方案不符。请更正其锁集的锁方案。</translation>
    </message>
    <message>
        <source>Can&apos;t release: the source isn&apos;t observed now. The Sources view names the cause.</source>
        <translation>不能释放：当前未观测该数据源。原因见“数据源”视图。</translation>
    </message>
    <message>
        <source>Can&apos;t release: a grant or your role doesn&apos;t allow it. The Sources view names the grant.</source>
        <translation>不能释放：缺少权限或角色不允许。所缺授权见“数据源”视图。</translation>
    </message>
    <message>
        <source>Can&apos;t release: locks of this scheme can&apos;t be broken. Stop the holder instead.</source>
        <translation>不能释放：此锁方案的锁无法强制释放。请改为停止持有者。</translation>
    </message>
    <message>
        <source>Can&apos;t release: what is stored doesn&apos;t match the scheme. Correct the scheme of its lock set.</source>
        <translation>不能释放：存储内容与锁方案不符。请更正其锁集的锁方案。</translation>
    </message>
    <message>
        <source>Can&apos;t release: the server&apos;s transaction instrument is off, so a kill can&apos;t be guarded. The Sources view has the statement that turns it on.</source>
        <translation>不能释放：服务器的事务监测项（instrument）未开启，无法校验终止操作。“数据源”视图中有开启它的语句。</translation>
    </message>
    <message>
        <source>Can&apos;t release: a replication, system or monitoring connection is never killed. End it on the server.</source>
        <translation>不能释放：复制、系统或监控连接绝不会被终止。请在服务器上结束该连接。</translation>
    </message>
    <message>
        <source>Can&apos;t release: a prepared XA transaction holds it without a connection. End it with XA COMMIT or XA ROLLBACK.</source>
        <translation>不能释放：它由已准备的 XA 事务持有，没有对应的连接。请用 XA COMMIT 或 XA ROLLBACK 结束该事务。</translation>
    </message>
    <message>
        <source>Can&apos;t release yet: it was acquired too recently to be distinguished from the holder&apos;s next acquisition. Wait a few seconds.</source>
        <translation>暂不能释放：获取时间过近，尚无法与同一持有者的下一次获取相区分。请稍候几秒。</translation>
    </message>
    <message>
        <source>Can&apos;t release: the server is a read-only replica. Release the lock at the primary.</source>
        <translation>不能释放：该服务器是只读副本。请在主节点上释放此锁。</translation>
    </message>
    <message>
        <source>Can&apos;t release: this is the past. Go back to now to release what is held now.</source>
        <translation>不能释放：所示为过去的状态。请返回现在，再释放当前被持有的锁。</translation>
    </message>
    <message>
        <source>An optimistic lock is never held: there is nothing to break.</source>
        <translation>乐观锁没有持有者，无可释放。</translation>
    </message>
    <message>
        <source>guarded</source>
        <comment>release verdict</comment>
        <translation>有校验</translation>
    </message>
    <message>
        <source>unsafe</source>
        <comment>release verdict</comment>
        <translation>不安全</translation>
    </message>
    <message>
        <source>off</source>
        <comment>release verdict</comment>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Can&apos;t release: several holders share it. It can be released once a single holder is left.</source>
        <translation>不能释放：由多个持有者共享。只剩一个持有者时才能释放。</translation>
    </message>
    <message>
        <source>Stuck: a liveness probe found its holder dead.</source>
        <translation>卡死：存活探测判定其持有者已死亡。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::Console</name>
    <message>
        <source>The private agent can&apos;t be started: lockkeeper-agent isn&apos;t installed here.</source>
        <translation>无法启动私有 Agent：本机未安装 lockkeeper-agent。</translation>
    </message>
    <message>
        <source>The private agent doesn&apos;t run. Its log is %1.</source>
        <translation>私有 Agent 未在运行，日志见 %1。</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Demo data: these locks are made up, in a Redis of this demo alone.</source>
        <translation>演示数据：这些锁是虚构的，位于仅供本演示使用的 Redis 中。</translation>
    </message>
    <message>
        <source>End the demo</source>
        <translation>结束演示</translation>
    </message>
    <message>
        <source>The demo doesn&apos;t run: %1</source>
        <translation>演示未能运行：%1</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::charts::LeaseChart</name>
    <message numerus="yes">
        <source>%n renewal(s) seen</source>
        <translation>
            <numerusform>观测到 %n 次续期</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n renewal(s) missed</source>
        <translation>
            <numerusform>%n 次未按时续期</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n gap(s)</source>
        <translation>
            <numerusform>%n 次观测中断</numerusform>
        </translation>
    </message>
    <message>
        <source>Remaining time of the lease over the last 15 minutes: %1; %2; %3</source>
        <translation>最近 15 分钟的租约剩余时间：%1；%2；%3</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::charts::SliceChart</name>
    <message>
        <source>Most: %1, %2</source>
        <comment>time, figures</comment>
        <translation>最高：%1，%2</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::discover::CandidateFormatter</name>
    <message>
        <source>milliseconds</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>microseconds</source>
        <translation>微秒</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>“%1” (%2) names the lock</source>
        <translation>“%1”（%2）是锁的名称</translation>
    </message>
    <message>
        <source>“%1” is unique</source>
        <translation>“%1”具有唯一性</translation>
    </message>
    <message>
        <source>“%1” (%2) counts how often the holder has entered</source>
        <translation>“%1”（%2）是持有者的重入次数</translation>
    </message>
    <message>
        <source>“%1” (%2) grows with every change</source>
        <translation>“%1”（%2）随每次修改递增</translation>
    </message>
    <message>
        <source>“%1” counts %2, by its values</source>
        <translation>从取值看，“%1”的单位是%2</translation>
    </message>
    <message>
        <source>“%1” counts %2, by its name</source>
        <translation>从列名看，“%1”的单位是%2</translation>
    </message>
    <message>
        <source>check: “%1” has no time zone; taken for UTC unless time_zone says otherwise</source>
        <translation>请核对：“%1”不带时区；除非设置 time_zone，否则按 UTC 处理</translation>
    </message>
    <message>
        <source>check: values of “%1” lie up to %2 ahead of UTC; set time_zone to the application&apos;s</source>
        <translation>请核对：“%1”的值最多比 UTC 快 %2；请将 time_zone 设为应用程序所用的时区</translation>
    </message>
    <message>
        <source>against it: “%1” is a column of other kinds of tables</source>
        <translation>不利因素：“%1”是其他类型的表才有的列</translation>
    </message>
    <message>
        <source>table and columns are those of the preset “%1”</source>
        <translation>表名和列均与预设“%1”一致</translation>
    </message>
    <message>
        <source>the columns are those of the preset “%1”, under another table name</source>
        <translation>列与预设“%1”一致，只是表名不同</translation>
    </message>
    <message>
        <source>the table is named after locks</source>
        <translation>表名与锁有关</translation>
    </message>
    <message>
        <source>no column names a lock: the table is one</source>
        <translation>没有列表示锁的名称：整张表就是一个锁</translation>
    </message>
    <message>
        <source>rows outlive their lock: a past “%1” is a free lock</source>
        <translation>锁释放后行仍保留：“%1”已过即为空闲</translation>
    </message>
    <message>
        <source>the lock is a row lock (SELECT … FOR UPDATE) on this table</source>
        <translation>锁就是该表上的行锁（SELECT … FOR UPDATE）</translation>
    </message>
    <message>
        <source>against it: the table&apos;s name means something else</source>
        <translation>不利因素：表名另有含义</translation>
    </message>
    <message>
        <source>against it: columns without a part in locking: %1</source>
        <translation>不利因素：与锁无关的列数：%1</translation>
    </message>
    <message>
        <source>no column with a unique index names the lock</source>
        <translation>没有带唯一索引的列表示锁的名称</translation>
    </message>
    <message>
        <source>neither the table&apos;s name nor its columns speak of locks</source>
        <translation>表名和列均看不出与锁有关</translation>
    </message>
    <message>
        <source>its columns are those of another kind of table</source>
        <translation>列属于其他类型的表</translation>
    </message>
    <message>
        <source>this store can&apos;t show such locks</source>
        <translation>此存储无法显示这类锁</translation>
    </message>
    <message>
        <source>its rows count as permanent rows that clients lock (SELECT … FOR UPDATE), and SQLite has no row locks; if a holder inserts its row and deletes it, write scheme = &quot;sql.insert&quot;</source>
        <translation>其中的行被视为常驻行，由客户端加锁（SELECT … FOR UPDATE），而 SQLite 没有行锁；如果持有者是插入行来加锁、删除行来解锁，请写 scheme = &quot;sql.insert&quot;</translation>
    </message>
    <message>
        <source>Redlock reads tokens only, and these keys hold something else</source>
        <translation>Redlock 只读取令牌，而这些键中存放的是其他内容</translation>
    </message>
    <message>
        <source>check: the keys also match the preset “%1”; with that preset a break wakes waiting clients</source>
        <translation>请核对：这些键也符合预设“%1”；使用该预设时，强制释放会唤醒正在等待的客户端</translation>
    </message>
    <message>
        <source>rows stay when the lock is free: “%1” is empty then</source>
        <translation>锁空闲时行仍然保留，此时“%1”为空</translation>
    </message>
    <message>
        <source>check: no row was seen to come or go, so the rows count as permanent rows that clients lock (SELECT … FOR UPDATE); if a holder inserts its row and deletes it, write scheme = &quot;sql.insert&quot;</source>
        <translation>请核对：没有迹象表明行会增减，因此视为由客户端加锁的常驻行（SELECT … FOR UPDATE）；如果持有者是插入行来加锁、删除行来解锁，请写 scheme = &quot;sql.insert&quot;</translation>
    </message>
    <message>
        <source>check: no column holds the length of a lease; %1 is the client&apos;s default</source>
        <translation>请核对：没有列存放租期；%1 是该客户端的默认值</translation>
    </message>
    <message>
        <source>the agent wouldn&apos;t accept it</source>
        <translation>Agent 不会接受</translation>
    </message>
    <message>
        <source>such locks aren&apos;t visible on this server</source>
        <translation>此处看不到这类锁</translation>
    </message>
    <message>
        <source>certain</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>likely</source>
        <translation>很可能</translation>
    </message>
    <message>
        <source>unsure</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>may force-release</source>
        <translation>可强制释放</translation>
    </message>
    <message>
        <source>may observe</source>
        <translation>可观测</translation>
    </message>
    <message>
        <source>missing to force-release</source>
        <translation>缺少强制释放所需的授权</translation>
    </message>
    <message>
        <source>missing to force-release; run: %1</source>
        <translation>缺少强制释放所需的授权；请执行：%1</translation>
    </message>
    <message>
        <source>missing to observe</source>
        <translation>缺少观测所需的授权</translation>
    </message>
    <message>
        <source>missing to observe; run: %1</source>
        <translation>缺少观测所需的授权；请执行：%1</translation>
    </message>
    <message>
        <source>%1: %2 of 100, %3; %4</source>
        <comment>table, score, confidence, how the lock works</comment>
        <translation>%1：%2 分（满分 100），%3；%4</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what, cause</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 (%2 of 100): %3</source>
        <comment>table, score, why not</comment>
        <translation>%1（%2 分，满分 100）：%3</translation>
    </message>
    <message>
        <source>too little in names and values speaks of locks</source>
        <translation>名称和值中与锁有关的迹象太少</translation>
    </message>
    <message>
        <source>no scheme reads what these keys hold</source>
        <translation>没有锁方案能读取这些键的内容</translation>
    </message>
    <message>
        <source>No pattern of lock keys was recognised.</source>
        <translation>未识别出锁键的模式。</translation>
    </message>
    <message>
        <source>No table of locks was recognised.</source>
        <translation>未识别出锁表。</translation>
    </message>
    <message>
        <source>UUIDs</source>
        <comment>values are</comment>
        <translation>UUID</translation>
    </message>
    <message>
        <source>random hex digits</source>
        <comment>values are</comment>
        <translation>随机十六进制数字</translation>
    </message>
    <message>
        <source>random tokens</source>
        <comment>values are</comment>
        <translation>随机令牌</translation>
    </message>
    <message>
        <source>host and process</source>
        <comment>values are</comment>
        <translation>主机和进程</translation>
    </message>
    <message>
        <source>times</source>
        <comment>values are</comment>
        <translation>时间</translation>
    </message>
    <message>
        <source>objects that name a holder</source>
        <comment>values are</comment>
        <translation>写明持有者的对象</translation>
    </message>
    <message>
        <source>other objects</source>
        <comment>values are</comment>
        <translation>其他对象</translation>
    </message>
    <message>
        <source>data</source>
        <comment>values are</comment>
        <translation>数据</translation>
    </message>
    <message>
        <source>names</source>
        <comment>values are</comment>
        <translation>名称</translation>
    </message>
    <message>
        <source>the keys are named after locks (“%1”)</source>
        <translation>键名与锁有关（“%1”）</translation>
    </message>
    <message>
        <source>“%1” in the keys&apos; names may speak of locks</source>
        <translation>键名中的“%1”可能与锁有关</translation>
    </message>
    <message>
        <source>check: the values don&apos;t identify the holder; a release can compare only value and deadline</source>
        <translation>请核对：值不含持有者；释放时只能比较值和过期时间</translation>
    </message>
    <message>
        <source>the values are objects of owner and state</source>
        <translation>值是含所有者和状态的对象</translation>
    </message>
    <message>
        <source>every key has a time to live, at most %1</source>
        <translation>每个键都有生存时间，最长 %1</translation>
    </message>
    <message>
        <source>check: some keys have a time to live and some have none; those count as stuck</source>
        <translation>请核对：部分键有生存时间，部分没有；没有的视为卡死</translation>
    </message>
    <message>
        <source>check: no key has a time to live; nothing ends a lock when its holder dies</source>
        <translation>请核对：所有键都没有生存时间；持有者异常退出后，锁不会自动释放</translation>
    </message>
    <message>
        <source>seen: a key got more time with the same value, as a lease is renewed</source>
        <translation>已观测到：有键的值未变而生存时间延长，如同续期</translation>
    </message>
    <message>
        <source>seen: a key changed hands</source>
        <translation>已观测到：有键换了持有者</translation>
    </message>
    <message>
        <source>hashes of a client, its thread and a count, as Redisson keeps locks</source>
        <translation>含客户端、线程和计数的哈希，与 Redisson 的锁一致</translation>
    </message>
    <message>
        <source>read-write locks are among them</source>
        <translation>其中有读写锁</translation>
    </message>
    <message>
        <source>sorted sets of holders and times, as semaphores are kept</source>
        <translation>含持有者和时间的有序集合，与信号量一致</translation>
    </message>
    <message>
        <source>check: the sets live for %1; “lease” has to be the time-out that the clients have</source>
        <translation>请核对：集合的生存时间为 %1；“lease”须与客户端设置的超时一致</translation>
    </message>
    <message>
        <source>numbers with deadlines of permits beside, as Redisson keeps semaphores</source>
        <translation>数字，另有许可的过期时间，与 Redisson 的信号量一致</translation>
    </message>
    <message>
        <source>every name begins with “%1”: changes can be pushed</source>
        <translation>所有名称都以“%1”开头：变化可以推送</translation>
    </message>
    <message>
        <source>names begin differently: such locks are polled</source>
        <translation>名称开头各不相同：此类锁靠轮询</translation>
    </message>
    <message>
        <source>against it: the values aren&apos;t alike</source>
        <translation>不利因素：各键的值格式不一致</translation>
    </message>
    <message>
        <source>against it: the keys are named after something else</source>
        <translation>不利因素：键名与其他事物有关</translation>
    </message>
    <message>
        <source>against it: the values are %1</source>
        <translation>不利因素：值是%1</translation>
    </message>
    <message>
        <source>against it: times to live up to %1 are longer than a lock&apos;s</source>
        <translation>不利因素：生存时间长达 %1，对锁而言过长</translation>
    </message>
    <message>
        <source>against it: %1 keys alike, and no word for locks</source>
        <translation>不利因素：有 %1 个类似的键，且键名中没有与锁有关的词</translation>
    </message>
    <message>
        <source>check: values of “%1” lie up to %2 ahead of the store&apos;s clock; if the application writes its own time, set clock = &quot;client&quot;</source>
        <translation>请核对：“%1”的值最多比存储的时钟快 %2；若时间由应用程序自行写入，请设置 clock = &quot;client&quot;</translation>
    </message>
    <message>
        <source>held or waited for at the moment: %1</source>
        <translation>当前被持有或有等待者：%1</translation>
    </message>
    <message>
        <source>names and values are those of the preset “%1”</source>
        <translation>键名和值与预设“%1”一致</translation>
    </message>
    <message>
        <source>against it: the values count something, as a semaphore&apos;s or any other counter does</source>
        <translation>不利因素：值是某种计数，例如信号量或其他计数器</translation>
    </message>
    <message>
        <source>since when</source>
        <comment>not told</comment>
        <translation>获取时间</translation>
    </message>
    <message>
        <source>until when</source>
        <comment>not told</comment>
        <translation>过期时间</translation>
    </message>
    <message>
        <source>who waits</source>
        <comment>not told</comment>
        <translation>等待者</translation>
    </message>
    <message>
        <source>%1: added by hand; %2</source>
        <comment>pattern, how the lock works</comment>
        <translation>%1：手动添加；%2</translation>
    </message>
    <message>
        <source>something that this version doesn&apos;t know</source>
        <translation>此版本无法识别的依据</translation>
    </message>
    <message>
        <source>sessions queue there, each with a key that its lease names (queues: %1)</source>
        <translation>会话在此排队，每个会话各有一个以其租约命名的键（队列数：%1）</translation>
    </message>
    <message>
        <source>each key ends with the lease of a session</source>
        <translation>每个键都随某个会话的租约一同失效</translation>
    </message>
    <message>
        <source>No collection of locks was recognised.</source>
        <translation>未识别出存放锁的集合。</translation>
    </message>
    <message>
        <source>No pattern of locks was recognised.</source>
        <translation>未识别出锁的模式。</translation>
    </message>
    <message>
        <source>children are named as those who queue for a lock of %1 are</source>
        <translation>子节点的命名方式与 %1 锁的排队节点一致</translation>
    </message>
    <message>
        <source>children are numbered in the order in which they came</source>
        <translation>子节点是顺序节点，按创建顺序编号</translation>
    </message>
    <message>
        <source>“%1” (%2) names the holder</source>
        <translation>“%1”（%2）表示持有者</translation>
    </message>
    <message>
        <source>“%1” (%2) is the time of the acquisition</source>
        <translation>“%1”（%2）表示获取时间</translation>
    </message>
    <message>
        <source>“%1” (%2) is the time of the last renewal</source>
        <translation>“%1”（%2）表示最近一次续期的时间</translation>
    </message>
    <message>
        <source>“%1” (%2) is the time of the expiry</source>
        <translation>“%1”（%2）表示过期时间</translation>
    </message>
    <message>
        <source>“%1” (%2) is the longest time that it may be held</source>
        <translation>“%1”（%2）表示最长持有时长</translation>
    </message>
    <message>
        <source>“%1” (%2) distinguishes one acquisition from the next</source>
        <translation>“%1”（%2）可区分每一次获取</translation>
    </message>
    <message>
        <source>“%1” (%2) is the state, held or free</source>
        <translation>“%1”（%2）表示是否被持有</translation>
    </message>
    <message>
        <source>the holder</source>
        <comment>not told</comment>
        <translation>持有者</translation>
    </message>
    <message>
        <source>check: the unit of “%1” is unknown; %2 is assumed</source>
        <translation>请核对：无从得知“%1”的单位，按%2处理</translation>
    </message>
    <message>
        <source>released rows have “%1” near 1970: such a row is a free lock</source>
        <translation>已释放的行中“%1”接近 1970 年：这样的行是空闲的锁</translation>
    </message>
    <message>
        <source>check: the columns also match “%1”; only the application&apos;s code can decide between them</source>
        <translation>请核对：这些列也符合“%1”，只有查看应用程序的代码才能区分</translation>
    </message>
    <message>
        <source>check: an existing row counts as held; releasing deletes it</source>
        <translation>请核对：行存在即视为持有，释放时删除该行</translation>
    </message>
    <message>
        <source>not recorded by this layout: %1</source>
        <translation>此结构不含：%1</translation>
    </message>
    <message>
        <source>check: nothing in a row distinguishes one acquisition from the next: it can&apos;t be broken unless break = &quot;unsafe&quot;</source>
        <translation>请核对：行中没有任何内容能区分前后两次获取：除非设置 break = &quot;unsafe&quot;，否则无法强制释放</translation>
    </message>
    <message>
        <source>it is not broken (break = &quot;never&quot;): the next client would do its work a second time</source>
        <translation>不强制释放（break = &quot;never&quot;）：否则下一个客户端会把同一份工作再做一遍</translation>
    </message>
    <message>
        <source>a lock is read as a document that exists while the lock is held, and that one field names. These documents stay when the lock is free, or several fields name them</source>
        <translation>锁应是在持有期间存在、由一个字段命名的文档；而这些文档在锁空闲时仍然存在，或由多个字段命名</translation>
    </message>
    <message>
        <source>%1. Keys scanned: %2, patterns recognised: %3, near misses: %4. Nothing was written to the store.</source>
        <translation>%1。已扫描 %2 个键，识别出 %3 个模式，疑似 %4 个。未向存储写入任何内容。</translation>
    </message>
    <message>
        <source>%1. Znodes scanned: %2, patterns recognised: %3, near misses: %4. Nothing was written to the store.</source>
        <translation>%1。已扫描 %2 个 znode，识别出 %3 个模式，疑似 %4 个。未向存储写入任何内容。</translation>
    </message>
    <message>
        <source>%1, database “%2”. Collections scanned: %3, recognised: %4, near misses: %5. Nothing was written to the store.</source>
        <translation>%1，数据库“%2”。已扫描 %3 个集合，识别出 %4 个，疑似 %5 个。未向存储写入任何内容。</translation>
    </message>
    <message>
        <source>%1, database “%2”. Keys scanned: %3, patterns recognised: %4, near misses: %5. Nothing was written to the store.</source>
        <translation>%1，数据库“%2”。已扫描 %3 个键，识别出 %4 个模式，疑似 %5 个。未向存储写入任何内容。</translation>
    </message>
    <message>
        <source>%1, database “%2”. Tables scanned: %3, recognised: %4, near misses: %5. Nothing was written to the store.</source>
        <translation>%1，数据库“%2”。已扫描 %3 张表，识别出 %4 张，疑似 %5 张。未向存储写入任何内容。</translation>
    </message>
    <message>
        <source>the values identify the holder: %1</source>
        <translation>从值可看出持有者：%1</translation>
    </message>
    <message>
        <source>fair locks are among them: their queues exist</source>
        <translation>其中有公平锁：存在其队列</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::discover::CandidatesModel</name>
    <message>
        <source>%1 (%2)</source>
        <comment>confidence, score</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>near miss (%1)</source>
        <translation>疑似（%1）</translation>
    </message>
    <message>
        <source>observe, force-release</source>
        <translation>可观测，可强制释放</translation>
    </message>
    <message>
        <source>observe only</source>
        <translation>仅可观测</translation>
    </message>
    <message>
        <source>none: a grant is missing</source>
        <translation>无：缺少授权</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <comment>table, layout, confidence</comment>
        <translation>%1，%2，%3</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Preset or scheme</source>
        <translation>预设或锁方案</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>Rights</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>added by hand</source>
        <translation>手动添加</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::overview::OverviewFormatter</name>
    <message>
        <source>%1 not seen for %2</source>
        <translation>%1 未被观测已有 %2</translation>
    </message>
    <message>
        <source>%1 never seen</source>
        <translation>从未观测到 %1</translation>
    </message>
    <message>
        <source>; </source>
        <comment>between parts of the verdict</comment>
        <translation>；</translation>
    </message>
    <message>
        <source>no source is configured</source>
        <translation>没有配置数据源</translation>
    </message>
    <message>
        <source>no source is observed</source>
        <translation>未观测到任何数据源</translation>
    </message>
    <message>
        <source>what is stored makes no sense</source>
        <translation>存储的内容无法识别</translation>
    </message>
    <message>
        <source>only the primary knows whether it is held</source>
        <translation>只有主节点知道它是否被持有</translation>
    </message>
    <message>
        <source>no sign of life</source>
        <translation>没有活动迹象</translation>
    </message>
    <message>
        <source>waited for</source>
        <translation>有等待者</translation>
    </message>
    <message>
        <source>%1 more not seen</source>
        <comment>sources</comment>
        <translation>另有 %1 个未被观测</translation>
    </message>
    <message>
        <source>never expires</source>
        <translation>永不过期</translation>
    </message>
    <message>
        <source>past its deadline</source>
        <translation>过期时间已过</translation>
    </message>
    <message>
        <source>%L1 unreadable</source>
        <comment>locks</comment>
        <translation>无法识别 %L1 个</translation>
    </message>
    <message>
        <source>%L1 stuck</source>
        <comment>locks</comment>
        <translation>卡死 %L1 个</translation>
    </message>
    <message>
        <source>%L1 expired</source>
        <comment>locks</comment>
        <translation>已过期 %L1 个</translation>
    </message>
    <message>
        <source>%L1 contended, %L2 waiting, the longest for %3</source>
        <comment>locks, who wait</comment>
        <translation>争用中 %L1 个，等待者 %L2 个，最长已等待 %3</translation>
    </message>
    <message>
        <source>%L1 contended, %L2 waiting</source>
        <comment>locks, who wait</comment>
        <translation>争用中 %L1 个，等待者 %L2 个</translation>
    </message>
    <message>
        <source>%1 may show an older state</source>
        <translation>%1 所示状态可能已过时</translation>
    </message>
    <message>
        <source>%1 seen in part</source>
        <translation>%1 仅部分被观测</translation>
    </message>
    <message>
        <source>%1 more seen in part or late</source>
        <comment>sources</comment>
        <translation>另有 %1 个仅部分被观测或有延迟</translation>
    </message>
    <message>
        <source>no problem in the observed sources</source>
        <translation>受观测的数据源均正常</translation>
    </message>
    <message>
        <source>its holder is dead</source>
        <translation>持有者已死亡</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::report::IncidentStory</name>
    <message>
        <source>not known</source>
        <comment>share of observed time</comment>
        <translation>未知</translation>
    </message>
    <message>
        <source>at least %1</source>
        <comment>share</comment>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>The times of observation couldn&apos;t be read. Nothing in this report proves that something did not happen.</source>
        <translation>未能读取这段时间中哪些部分被观测到。本报告中没有任何内容能证明某件事没有发生。</translation>
    </message>
    <message>
        <source>The lock was observed during the whole time.</source>
        <translation>整段时间内该锁都处于观测之中。</translation>
    </message>
    <message>
        <source>The lock was observed for %1 of this time. For %2 it was not observed: whatever happened then is not in this report.</source>
        <comment>share, duration</comment>
        <translation>这段时间中有 %1 被观测到，另有 %2 未被观测：其间发生的事情不在本报告中。</translation>
    </message>
    <message>
        <source>When the lock was held couldn&apos;t be read.</source>
        <translation>未能读取该锁的持有记录。</translation>
    </message>
    <message>
        <source>The lock was not seen held in this time.</source>
        <translation>这段时间内没有看到该锁被持有。</translation>
    </message>
    <message numerus="yes">
        <source>The lock was seen held at least %Ln time(s)</source>
        <translation>
            <numerusform>看到该锁至少被持有 %Ln 次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The lock was seen held %Ln time(s)</source>
        <translation>
            <numerusform>看到该锁被持有 %Ln 次</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; its holders are not known.</source>
        <comment>how often</comment>
        <translation>%1，持有者未知。</translation>
    </message>
    <message>
        <source>%1, by %2.</source>
        <comment>how often, by how many</comment>
        <translation>%1，涉及 %2。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln different holder(s)</source>
        <translation>
            <numerusform>%Ln 个不同的持有者</numerusform>
        </translation>
    </message>
    <message>
        <source>The waits for it couldn&apos;t be read.</source>
        <translation>未能读取谁在等待该锁。</translation>
    </message>
    <message numerus="yes">
        <source>Others waited for it %Ln time(s), %1 together. There were too many waits to list them.</source>
        <translation>
            <numerusform>其他客户端共等待该锁 %Ln 次，累计 %1。等待次数过多，无法逐一列出。</numerusform>
        </translation>
    </message>
    <message>
        <source>No client was seen waiting for it. Some stores don&apos;t show their waiters.</source>
        <translation>没有看到任何客户端等待该锁。有些存储不显示等待者。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln session(s) waited for it, %1 together; the longest wait lasted %2.</source>
        <translation>
            <numerusform>%Ln 个会话等待过该锁，累计 %1；最长的一次等待持续 %2。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln session(s) waited at the same time</source>
        <translation>
            <numerusform>有 %Ln 个会话同时等待</numerusform>
        </translation>
    </message>
    <message>
        <source>At the worst moment, %1, %2. Their blocker is not known.</source>
        <comment>time, how many waited</comment>
        <translation>最严重的时刻是 %1，%2。当时是谁阻塞了它们未知。</translation>
    </message>
    <message>
        <source>At the worst moment, %1, %2. They waited for each other in a circle, with %3 in it: a deadlock, which no waiting resolves.</source>
        <comment>time, how many waited, session</comment>
        <translation>最严重的时刻是 %1，%2。它们循环地互相等待（其中包括 %3）：这是死锁，继续等待也无法解除。</translation>
    </message>
    <message>
        <source>At the worst moment, %1, %2. At the head of the chain was %3, which did not wait.</source>
        <comment>time, how many waited, holder</comment>
        <translation>最严重的时刻是 %1，%2。阻塞链的最前端是 %3，它没有等待任何人。</translation>
    </message>
    <message>
        <source>an unknown holder</source>
        <translation>未知持有者</translation>
    </message>
    <message>
        <source>since %1</source>
        <comment>time</comment>
        <translation>自 %1 起</translation>
    </message>
    <message>
        <source>since before %1, when it was first seen</source>
        <comment>time</comment>
        <translation>自 %1（首次看到它的时间）之前起</translation>
    </message>
    <message>
        <source>at least %1</source>
        <comment>duration</comment>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>about %1</source>
        <comment>duration</comment>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>Most of the waiting was behind one hold: %1 held the lock %2, for %3. Others waited %4 together behind it.</source>
        <comment>holder, since when, duration, duration</comment>
        <translation>大部分等待都由同一次持有引起：%1 %2持有该锁，时长 %3。其他会话因它累计等待 %4。</translation>
    </message>
    <message>
        <source>The longest hold: %1 held the lock %2, for %3.</source>
        <comment>holder, since when, duration</comment>
        <translation>最长的一次持有：%1 %2持有该锁，时长 %3。</translation>
    </message>
    <message>
        <source>It was ended by a forced release at %1. The audit entry of that release wasn&apos;t found.</source>
        <translation>这次持有于 %1 被强制释放。未找到该次释放的审计记录。</translation>
    </message>
    <message>
        <source>It was ended by a forced release at %1, by %2.</source>
        <comment>time, who and why</comment>
        <translation>这次持有于 %1 被强制释放，操作者：%2。</translation>
    </message>
    <message>
        <source>Its holder released it at %1.</source>
        <translation>持有者于 %1 释放了该锁。</translation>
    </message>
    <message>
        <source>Its lease ended at %1, and the holder had not renewed it.</source>
        <translation>租约于 %1 到期，持有者没有续期。</translation>
    </message>
    <message>
        <source>Another holder had the lock at %1; no release of the earlier holder was seen.</source>
        <translation>另一个持有者于 %1 持有了该锁；没有看到前一个持有者释放它。</translation>
    </message>
    <message>
        <source>The store came back without the lock at %1, after a restart or a failover. Whether its holder had released it before is not known.</source>
        <translation>存储在重启或故障切换后于 %1 恢复，但该锁已不在其中。持有者此前是否已释放它未知。</translation>
    </message>
    <message>
        <source>Its end was not observed: it was last seen held before %1.</source>
        <translation>没有观测到这次持有的结束：最后一次看到它被持有是在 %1 之前。</translation>
    </message>
    <message>
        <source>It ended at %1: %2.</source>
        <comment>time, how</comment>
        <translation>这次持有于 %1 结束：%2。</translation>
    </message>
    <message>
        <source>It had not ended when the lock was last observed, at %1.</source>
        <translation>到最后一次观测该锁时（%1），这次持有尚未结束。</translation>
    </message>
    <message>
        <source>It ended after the time of this report.</source>
        <translation>这次持有在本报告的时间范围之后才结束。</translation>
    </message>
    <message>
        <source>Whether somebody tried to release the lock by force couldn&apos;t be read.</source>
        <translation>未能读取是否有人尝试强制释放该锁。</translation>
    </message>
    <message>
        <source>This agent&apos;s audit has no attempt to release it by force.</source>
        <translation>该 Agent 的审计中没有强制释放它的尝试。</translation>
    </message>
    <message>
        <source>the agent&apos;s journal doesn&apos;t reach back so far</source>
        <translation>Agent 的日志没有追溯到那么早</translation>
    </message>
    <message>
        <source>only a part of it, %1</source>
        <comment>part of a source</comment>
        <translation>仅其中一部分：%1</translation>
    </message>
    <message>
        <source>it was not observed since</source>
        <translation>此后未再观测到它</translation>
    </message>
    <message>
        <source>%1 (or up to %2 earlier)</source>
        <comment>time, duration</comment>
        <translation>%1（或最多早 %2）</translation>
    </message>
    <message>
        <source>It was ended by a forced release at %1, by %2. Approved by %3.</source>
        <comment>time, who and why, a second person</comment>
        <translation>这次持有于 %1 被强制释放，操作者：%2。批准人：%3。</translation>
    </message>
    <message numerus="yes">
        <source>The audit that was read has %Ln attempt(s) to release it by force; %1 of them released the lock.</source>
        <translation>
            <numerusform>已读取的审计中有 %Ln 次强制释放的尝试，其中 %1 次释放了该锁。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::report::PictureMaker</name>
    <message>
        <source>Held</source>
        <comment>a row of the picture</comment>
        <translation>持有</translation>
    </message>
    <message>
        <source>Waiting</source>
        <comment>a row of the picture</comment>
        <translation>等待</translation>
    </message>
    <message>
        <source>up to %1</source>
        <comment>number of waiters</comment>
        <translation>最多 %1</translation>
    </message>
    <message>
        <source>Timeline from %1: above, when the lock was held; below, how many clients waited; hatched, when nothing was observed.</source>
        <translation>时间线 %1：上方为该锁被持有的时间，下方为等待的客户端数量，斜线部分为未被观测的时间。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::report::ReportWriter</name>
    <message>
        <source>the state of the source</source>
        <translation>数据源的状态</translation>
    </message>
    <message>
        <source>the waits and the gaps in the observation</source>
        <translation>等待记录和观测缺口</translation>
    </message>
    <message>
        <source>the holds of the lock</source>
        <translation>该锁的持有记录</translation>
    </message>
    <message>
        <source>the events of the lock</source>
        <translation>该锁的事件</translation>
    </message>
    <message>
        <source>the audit of forced releases</source>
        <translation>强制释放的审计</translation>
    </message>
    <message>
        <source>the alerts</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>the advice</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>the chain of sessions at the worst moment</source>
        <translation>最严重时刻的会话阻塞链</translation>
    </message>
    <message>
        <source>Not read: %1. %2</source>
        <comment>what, why</comment>
        <translation>未能读取：%1。%2</translation>
    </message>
    <message>
        <source>Only the last %1 rows are shown; %2 earlier rows are left out.</source>
        <translation>只显示最后 %1 行，省略了较早的 %2 行。</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>事件经过</translation>
    </message>
    <message>
        <source>These agents didn&apos;t answer, and may know more about this lock: %1.</source>
        <translation>以下 Agent 没有应答，可能掌握该锁的更多信息：%1。</translation>
    </message>
    <message>
        <source>In figures</source>
        <translation>关键数据</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Where it is kept</source>
        <translation>所在位置</translation>
    </message>
    <message>
        <source>Time of the report</source>
        <translation>报告的时间范围</translation>
    </message>
    <message>
        <source>Observed share of it</source>
        <translation>其中被观测的比例</translation>
    </message>
    <message>
        <source>First seen in it</source>
        <translation>其间首次看到</translation>
    </message>
    <message>
        <source>not seen</source>
        <translation>未看到</translation>
    </message>
    <message>
        <source>Last seen in it</source>
        <translation>其间最后看到</translation>
    </message>
    <message>
        <source>Root holder at the worst moment</source>
        <translation>最严重时刻的根持有者</translation>
    </message>
    <message>
        <source>none known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Length of the chain</source>
        <translation>阻塞链长度</translation>
    </message>
    <message numerus="yes">
        <source>%Ln session(s), the root included</source>
        <translation>
            <numerusform>%Ln 个会话（含根）</numerusform>
        </translation>
    </message>
    <message>
        <source>Sessions blocked at the worst moment</source>
        <translation>最严重时刻被阻塞的会话数</translation>
    </message>
    <message>
        <source>Sessions that waited</source>
        <translation>等待过的会话数</translation>
    </message>
    <message>
        <source>Waiting, all sessions together</source>
        <translation>所有会话累计等待</translation>
    </message>
    <message>
        <source>Longest wait</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>持有记录</translation>
    </message>
    <message>
        <source>at least %1</source>
        <comment>number</comment>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>Attempts to release it by force</source>
        <translation>强制释放的尝试次数</translation>
    </message>
    <message>
        <source>The holder counts as the root: the store doesn&apos;t show whether it waited for another lock.</source>
        <translation>这里把持有者视为根：存储不显示它是否在等待另一个锁。</translation>
    </message>
    <message>
        <source>Attempts to end it</source>
        <translation>已尝试的操作</translation>
    </message>
    <message>
        <source>Time (%1)</source>
        <translation>时间（%1）</translation>
    </message>
    <message>
        <source>By</source>
        <translation>操作者</translation>
    </message>
    <message>
        <source>Approved by</source>
        <translation>批准人</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>outcome, cause</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>No forced release of this lock is in the part of the agent&apos;s audit that was read. Somebody may have changed the store directly.</source>
        <translation>在已读取的 Agent 审计中没有该锁的强制释放记录。可能有人直接修改了存储。</translation>
    </message>
    <message>
        <source>Only the newest %1 entries of the audit were read: earlier attempts may be missing.</source>
        <translation>只读取了最新的 %1 条审计记录：较早的尝试可能缺失。</translation>
    </message>
    <message>
        <source>Course of events</source>
        <translation>事件过程</translation>
    </message>
    <message>
        <source>At most earlier by</source>
        <translation>最多可早</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>window of a time</comment>
        <translation>未知</translation>
    </message>
    <message>
        <source>exact</source>
        <comment>window of a time</comment>
        <translation>精确</translation>
    </message>
    <message>
        <source>No event of this lock was seen.</source>
        <translation>没有看到该锁的任何事件。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln renewal(s) left out.</source>
        <translation>
            <numerusform>省略了 %Ln 次续期。</numerusform>
        </translation>
    </message>
    <message>
        <source>There were too many events: the oldest of this time weren&apos;t read.</source>
        <translation>事件过多：这段时间内最早的事件没有读取。</translation>
    </message>
    <message>
        <source>Holds of the lock</source>
        <translation>持有该锁的客户端</translation>
    </message>
    <message>
        <source>From (%1)</source>
        <translation>起始（%1）</translation>
    </message>
    <message>
        <source>To</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>持有时长</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束方式</translation>
    </message>
    <message>
        <source>before %1</source>
        <translation>早于 %1</translation>
    </message>
    <message>
        <source>%1 (not proven)</source>
        <comment>how a hold ended</comment>
        <translation>%1（未证实）</translation>
    </message>
    <message>
        <source>The lock was not seen held in this time.</source>
        <translation>这段时间内没有看到该锁被持有。</translation>
    </message>
    <message>
        <source>There were too many holds: the oldest of this time weren&apos;t read.</source>
        <translation>持有记录过多：这段时间内最早的记录没有读取。</translation>
    </message>
    <message>
        <source>Times not observed</source>
        <translation>未被观测的时间</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Alerts</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>Fired (%1)</source>
        <translation>触发（%1）</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Alert</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>Over since</source>
        <translation>结束时间</translation>
    </message>
    <message>
        <source>Acknowledged by</source>
        <translation>确认人</translation>
    </message>
    <message>
        <source>not over</source>
        <comment>alert</comment>
        <translation>尚未结束</translation>
    </message>
    <message>
        <source>nobody</source>
        <comment>acknowledged the alert</comment>
        <translation>无人</translation>
    </message>
    <message>
        <source>The agent has no alert about this lock or its source in this time.</source>
        <translation>这段时间内 Agent 没有关于该锁或其数据源的告警。</translation>
    </message>
    <message>
        <source>Agents keep an alert for a day after its end. Alerts that ended earlier are missing here.</source>
        <translation>告警结束后，Agent 只保留一天。更早结束的告警不在此列。</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Fault</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>可信度</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Change to make</source>
        <translation>应做的更改</translation>
    </message>
    <message>
        <source>The evidence supports no advice about this lock.</source>
        <translation>现有依据不足以对该锁给出建议。</translation>
    </message>
    <message>
        <source>The advice rests on the evidence of %1.</source>
        <comment>range of time</comment>
        <translation>这些建议依据的时间范围：%1。</translation>
    </message>
    <message>
        <source>There was more evidence than the agent reads: further advice is possible.</source>
        <translation>依据超出了 Agent 读取的数量：可能还有其他建议。</translation>
    </message>
    <message>
        <source>Basis of this report</source>
        <translation>本报告的依据</translation>
    </message>
    <message>
        <source>Observed by agent</source>
        <translation>观测的 Agent</translation>
    </message>
    <message>
        <source>Version of the agent</source>
        <translation>Agent 版本</translation>
    </message>
    <message>
        <source>Store</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Version of the store&apos;s server, now</source>
        <translation>存储服务器的当前版本</translation>
    </message>
    <message>
        <source>Kind of lock</source>
        <translation>锁的类型</translation>
    </message>
    <message>
        <source>Beginning of the agent&apos;s journal</source>
        <translation>Agent 日志的起点</translation>
    </message>
    <message>
        <source>Times of the lock are by the store&apos;s clock. Times of alerts and of attempts to release it are by the agent&apos;s clock.</source>
        <translation>锁的时间以存储的时钟为准；告警和强制释放尝试的时间以 Agent 的时钟为准。</translation>
    </message>
    <message>
        <source>Words in this report</source>
        <translation>术语说明</translation>
    </message>
    <message>
        <source>A mark in a database or cache. Programs use it to agree that only one of them does a piece of work at a time.</source>
        <translation>存储（数据库或缓存）中的一个标记，各程序据此约定同一时间只有一个程序执行某项工作。</translation>
    </message>
    <message>
        <source>The program or session that has the lock now. Others that need the lock wait.</source>
        <translation>当前拥有锁的程序或会话。其他需要该锁的程序必须等待。</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>租约</translation>
    </message>
    <message>
        <source>A time limit of a lock. The holder renews it while it works; if the holder dies, the lease ends, and the lock becomes free.</source>
        <translation>锁的时间期限。持有者在工作期间为它续期；如果持有者失效，租约到期，锁随之空闲。</translation>
    </message>
    <message>
        <source>Chain</source>
        <translation>阻塞链</translation>
    </message>
    <message>
        <source>Sessions that wait for each other in a row. The root holder is at its head and does not wait.</source>
        <translation>依次等待的一串会话。根持有者位于最前端，不等待任何人。</translation>
    </message>
    <message>
        <source>Forced release</source>
        <translation>强制释放</translation>
    </message>
    <message>
        <source>An operator takes the lock away from its holder. The agent first checks that it is still the hold that the operator saw.</source>
        <translation>操作员把锁从持有者手中强行解除。Agent 会先检查它是否仍是操作员看到的那次持有。</translation>
    </message>
    <message>
        <source>Not observed</source>
        <translation>未被观测</translation>
    </message>
    <message>
        <source>The agent couldn&apos;t read the store. Changes at that time may have left no record.</source>
        <translation>Agent 无法读取存储。其间可能发生了没有任何记录的事情。</translation>
    </message>
    <message>
        <source>Incident report: lock %1</source>
        <translation>事故报告：锁 %1</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>source and place, range of time</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>en</source>
        <comment>the language of this catalogue, as in HTML: zh-CN</comment>
        <translation>zh-CN</translation>
    </message>
    <message>
        <source>held</source>
        <translation>持有中</translation>
    </message>
    <message>
        <source>held or not: the exact time isn&apos;t known</source>
        <translation>不确定是否持有：确切时间未知</translation>
    </message>
    <message>
        <source>ended by force</source>
        <translation>被强制结束</translation>
    </message>
    <message>
        <source>clients that waited</source>
        <translation>等待的客户端</translation>
    </message>
    <message>
        <source>not observed</source>
        <translation>未被观测</translation>
    </message>
    <message>
        <source>Made by %1 at %2.</source>
        <comment>program, time</comment>
        <translation>由 %1 生成于 %2。</translation>
    </message>
    <message>
        <source>none seen</source>
        <translation>未看到</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ActivityPanel</name>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands (%1)</source>
        <translation>命令（%1）</translation>
    </message>
    <message>
        <source>No events yet</source>
        <translation>尚无事件</translation>
    </message>
    <message>
        <source>No commands yet</source>
        <translation>尚无命令</translation>
    </message>
    <message>
        <source>Force-releases by this console are listed here, each with its outcome.</source>
        <translation>本控制台执行的强制释放将列在这里，并注明结果。</translation>
    </message>
    <message>
        <source>Changes of locks from now on are listed here; History has the earlier ones.</source>
        <translation>此后各锁发生的事件将列在这里；更早的事件见“历史”。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::AdviceView</name>
    <message>
        <source>Advice</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the advice again: %1</source>
        <translation>无法重新读取建议：%1</translation>
    </message>
    <message>
        <source>No evidence yet</source>
        <translation>暂无依据</translation>
    </message>
    <message>
        <source>The journal has no holds in this range of time.</source>
        <translation>日志库在此时间范围内没有持有记录。</translation>
    </message>
    <message>
        <source>No advice</source>
        <translation>没有建议</translation>
    </message>
    <message>
        <source>The holds of this range show no fault. That doesn&apos;t prove that there is none: each rule needs a minimum of evidence.</source>
        <translation>此范围内的持有没有显示问题。但这不证明没有问题：每条规则都需要一定的依据。</translation>
    </message>
    <message>
        <source>%1 holds of %2 locks were read</source>
        <translation>已读取 %2 个锁的 %1 次持有</translation>
    </message>
    <message>
        <source>%1; only %2 % of the range was observed</source>
        <comment>a sentence; number</comment>
        <translation>%1；只观测了此范围的 %2 %</translation>
    </message>
    <message>
        <source>%1; not everything was read: choose a shorter range</source>
        <comment>a sentence</comment>
        <translation>%1；未能全部读取，请缩小范围</translation>
    </message>
    <message>
        <source>%1 %2 (%3)</source>
        <comment>evidence, change, section of a document</comment>
        <translation>%1%2（%3）</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>最近 1 小时</translation>
    </message>
    <message>
        <source>Last 24 hours</source>
        <translation>最近 24 小时</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Range of time</source>
        <translation>时间范围</translation>
    </message>
    <message>
        <source>Advice, the surest first</source>
        <translation>建议，可信度高的在前</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::AlertPanel</name>
    <message>
        <source>&amp;Acknowledge</source>
        <translation>确认(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Snooze</source>
        <translation>暂停提醒(&amp;S)</translation>
    </message>
    <message>
        <source>E&amp;nd the snooze</source>
        <translation>恢复提醒(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n 小时</numerusform>
        </translation>
    </message>
    <message>
        <source>Select an alert to see what it is about.</source>
        <translation>选择一条告警以查看其内容。</translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s) selected</source>
        <translation>
            <numerusform>已选择 %n 条告警</numerusform>
        </translation>
    </message>
    <message>
        <source>by %1, %2</source>
        <comment>person, time</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>%1, for %2</source>
        <comment>time, duration</comment>
        <translation>%1，已持续 %2</translation>
    </message>
    <message>
        <source>Fired</source>
        <translation>触发</translation>
    </message>
    <message>
        <source>Over</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Chain</source>
        <translation>阻塞链</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话数</translation>
    </message>
    <message>
        <source>Alerts in all</source>
        <translation>告警总数</translation>
    </message>
    <message>
        <source>Such as</source>
        <translation>例如</translation>
    </message>
    <message>
        <source>Fired again</source>
        <translation>再次触发</translation>
    </message>
    <message numerus="yes">
        <source>%n time(s)</source>
        <translation>
            <numerusform>%n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Acknowledged</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>Snoozed</source>
        <translation>已暂停提醒</translation>
    </message>
    <message>
        <source>by %1, until %2</source>
        <comment>person, time</comment>
        <translation>%1，至 %2</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Go to the so&amp;urce</source>
        <translation>转到数据源(&amp;U)</translation>
    </message>
    <message>
        <source>Go to the loc&amp;k</source>
        <translation>转到锁(&amp;K)</translation>
    </message>
    <message>
        <source>%1, %2. %3</source>
        <comment>severity, state, sentence</comment>
        <translation>%1，%2。%3</translation>
    </message>
    <message>
        <source>&amp;Report…</source>
        <translation>报告(&amp;R)…</translation>
    </message>
    <message>
        <source>%1: %2, probed at %3</source>
        <comment>verdict, evidence, time</comment>
        <translation>%1：%2，探测于 %3</translation>
    </message>
    <message>
        <source>Its holder</source>
        <translation>持有者探测</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::AlertWatch</name>
    <message numerus="yes">
        <source>%n alert(s) have fired</source>
        <translation>
            <numerusform>触发了 %n 条告警</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>severity, condition</comment>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%1 It has fired %n time(s) within ten minutes. Its next alerts stay silent.</source>
        <comment>sentence, count</comment>
        <translation>
            <numerusform>%1十分钟内已触发 %n 次，后续告警不再提醒。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <comment>alerts</comment>
        <translation>
            <numerusform>另有 %n 条。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::AlertsView</name>
    <message>
        <source>Alerts</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>No alert is active</source>
        <translation>没有活动的告警</translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s) are hidden.</source>
        <translation>
            <numerusform>有 %n 条告警被隐藏。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>No alert</source>
        <translation>没有告警</translation>
    </message>
    <message>
        <source>The agent&apos;s rules have fired nothing within the last day.</source>
        <translation>最近一天内，Agent 的规则未触发任何告警。</translation>
    </message>
    <message>
        <source>The agent can&apos;t be reached: %1</source>
        <translation>无法连接 Agent：%1</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the alerts: %1</source>
        <translation>无法读取告警：%1</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the alerts of %1: %2</source>
        <comment>agent, cause</comment>
        <translation>无法读取 %1 的告警：%2</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Alerts, the most urgent first</source>
        <translation>告警，最紧急的在前</translation>
    </message>
    <message>
        <source>All alerts are hidden</source>
        <translation>所有告警均被隐藏</translation>
    </message>
    <message>
        <source>There are too many alerts to show. Older ones that are over are left out.</source>
        <translation>告警过多，无法全部显示；已省略较早的已结束告警。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ApprovalWatch</name>
    <message>
        <source>A release waits for approval</source>
        <translation>有释放申请等待审批</translation>
    </message>
    <message>
        <source>%1 asks to release “%2”.</source>
        <comment>user, lock</comment>
        <translation>%1 申请释放“%2”。</translation>
    </message>
    <message>
        <source>Your request to release “%1” awaits another person&apos;s approval.</source>
        <translation>释放“%1”的申请正等待另一人审批。</translation>
    </message>
    <message>
        <source>%1 asks to release “%2”: %3</source>
        <comment>user, lock, reason</comment>
        <translation>%1 申请释放“%2”：%3</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>查看…</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ApproveDialog</name>
    <message>
        <source>%1 has decided already.</source>
        <translation>%1 已作出审批决定。</translation>
    </message>
    <message>
        <source>The request has ended without a decision.</source>
        <translation>申请未经审批即已失效。</translation>
    </message>
    <message>
        <source>This is your own request: another person must approve it.</source>
        <translation>这是自己的申请：须由另一人审批。</translation>
    </message>
    <message>
        <source>Your role doesn&apos;t allow you to approve this.</source>
        <translation>当前角色无权审批此申请。</translation>
    </message>
    <message>
        <source>The lock can&apos;t be read: %1</source>
        <translation>无法读取该锁：%1</translation>
    </message>
    <message>
        <source>The lock changed since it was asked for. Nothing can be released by this request.</source>
        <translation>申请之后锁已变化。此申请不能再释放任何锁。</translation>
    </message>
    <message>
        <source>The lock is being read.</source>
        <translation>正在读取该锁。</translation>
    </message>
    <message>
        <source>Approve %1&apos;s release of “%2”?</source>
        <comment>user, lock</comment>
        <translation>审批通过 %1 释放“%2”的申请？</translation>
    </message>
    <message>
        <source>Reason given: %1</source>
        <translation>申请原因：%1</translation>
    </message>
    <message>
        <source>Why you reject it (goes to the audit):</source>
        <translation>驳回原因（记入审计）：</translation>
    </message>
    <message>
        <source>Why you reject it</source>
        <translation>驳回原因</translation>
    </message>
    <message>
        <source>&amp;Withdraw</source>
        <translation>撤回(&amp;W)</translation>
    </message>
    <message>
        <source>Re&amp;ject</source>
        <translation>驳回(&amp;J)</translation>
    </message>
    <message>
        <source>Approve and release</source>
        <translation>审批通过并释放</translation>
    </message>
    <message>
        <source>You see it as it is now. The request ends in %1:%2.</source>
        <comment>minutes, seconds</comment>
        <translation>所示为当前状态。申请将在 %1:%2 后失效。</translation>
    </message>
    <message>
        <source>It is shown as it was last seen. The request ends in %1:%2.</source>
        <comment>minutes, seconds</comment>
        <translation>所示为上次观测的状态。申请将在 %1:%2 后失效。</translation>
    </message>
    <message>
        <source>It is shown as it was last seen.</source>
        <translation>所示为上次观测的状态。</translation>
    </message>
    <message>
        <source>You see it as it is now.</source>
        <translation>所示为当前状态。</translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation>正在发送…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::AttentionWatch</name>
    <message numerus="yes">
        <source>%n thing(s) need attention</source>
        <translation>
            <numerusform>%n 项需要关注</numerusform>
        </translation>
    </message>
    <message>
        <source>A source is down</source>
        <translation>数据源已失联</translation>
    </message>
    <message>
        <source>A lock is stuck</source>
        <translation>有锁卡死</translation>
    </message>
    <message>
        <source>A lock has expired</source>
        <translation>有锁已过期</translation>
    </message>
    <message>
        <source>%1 isn&apos;t observed any more.</source>
        <translation>%1 已无法观测。</translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) aren&apos;t observed any more, such as %1.</source>
        <translation>
            <numerusform>%n 个数据源已无法观测，例如 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” in %2 is stuck.</source>
        <comment>lock, source</comment>
        <translation>“%1”（%2）已卡死。</translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) are stuck, such as “%1” in %2.</source>
        <comment>lock, source</comment>
        <translation>
            <numerusform>%n 个锁已卡死，例如“%1”（%2）。</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” in %2 has expired and still exists.</source>
        <comment>lock, source</comment>
        <translation>“%1”（%2）已过期但仍存在。</translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) have expired, such as “%1” in %2.</source>
        <comment>lock, source</comment>
        <translation>
            <numerusform>%n 个锁已过期，例如“%1”（%2）。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::AuditView</name>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>The chain has not been checked yet</source>
        <translation>审计链尚未校验</translation>
    </message>
    <message>
        <source>Checking the chain…</source>
        <translation>正在校验审计链…</translation>
    </message>
    <message>
        <source>Chain verified %1</source>
        <translation>审计链校验通过（%1）</translation>
    </message>
    <message>
        <source>Chain broken, checked %1</source>
        <translation>审计链校验未通过（%1）</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Nothing was force-released yet</source>
        <translation>尚未强制释放过任何锁</translation>
    </message>
    <message>
        <source>Every force-release is written here before it is sent, and again with its outcome.</source>
        <translation>每次强制释放在发出前都会记录于此，并随后补上结果。</translation>
    </message>
    <message>
        <source>&amp;Verify chain</source>
        <translation>校验审计链(&amp;V)</translation>
    </message>
    <message>
        <source>Audit, newest first</source>
        <translation>审计，最新在前</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the audit again: %1</source>
        <translation>无法重新读取审计：%1</translation>
    </message>
    <message>
        <source>The filter hides the others.</source>
        <translation>其余记录被筛选隐藏。</translation>
    </message>
    <message>
        <source>Show all entries</source>
        <translation>显示全部记录</translation>
    </message>
    <message>
        <source>&amp;Only this lock</source>
        <translation>仅此锁(&amp;O)</translation>
    </message>
    <message>
        <source>Filter: who:kim outcome:refused name:lock* from:-24h</source>
        <translation>筛选：who:kim outcome:refused name:lock* from:-24h</translation>
    </message>
    <message>
        <source>Filter of the audit</source>
        <translation>审计的筛选</translation>
    </message>
    <message>
        <source>Signature not checked yet</source>
        <translation>尚未查询签名</translation>
    </message>
    <message>
        <source>Nothing is signed yet</source>
        <translation>尚无签名</translation>
    </message>
    <message>
        <source>Signed by key %1 at record %2 of %3; compare the key</source>
        <comment>key&apos;s ID, number, number</comment>
        <translation>由密钥 %1 签名至第 %2 条记录（共 %3 条）；请核对密钥</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>agent, what is known of its audit</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Couldn&apos;t check the chain: %1</source>
        <translation>未能校验审计链：%1</translation>
    </message>
    <message>
        <source>Chain whole %1, but compared with no earlier head</source>
        <translation>审计链完整（%1），但没有更早的链头可供比对</translation>
    </message>
    <message>
        <source>The audit isn&apos;t whole from entry %1 on: %2</source>
        <comment>number, cause and remedy</comment>
        <translation>审计自第 %1 条起不完整：%2</translation>
    </message>
    <message>
        <source>The audit isn&apos;t whole: %1</source>
        <comment>cause and remedy</comment>
        <translation>审计不完整：%1</translation>
    </message>
    <message>
        <source>Unsigned: anyone with write access to the database can forge it</source>
        <translation>未签名：有数据库写权限者可伪造</translation>
    </message>
    <message>
        <source>The agent signs the chain with its key at each hundredth record and each hour. To verify that the key is the agent&apos;s, run lockkeeperctl audit --verify --public-key FILE with the agent&apos;s audit.key.pub.</source>
        <translation>Agent 每写入一百条记录以及每小时，都会用其密钥对审计链签名一次。要验证该密钥属于 Agent，请用 Agent 的 audit.key.pub 运行 lockkeeperctl audit --verify --public-key FILE。</translation>
    </message>
    <message>
        <source>No entry matches this filter</source>
        <translation>没有符合筛选的记录</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::BannerArea</name>
    <message numerus="yes">
        <source>%n more message(s)</source>
        <translation>
            <numerusform>另有 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::BlockersPanel</name>
    <message>
        <source>Show everything of this &amp;holder</source>
        <translation>显示该持有者的全部锁(&amp;H)</translation>
    </message>
    <message>
        <source>%1 of waiting isn&apos;t attributed: no client certainly held the lock then, its holder isn&apos;t known or may share it, or the hold began without a statement.</source>
        <translation>有 %1 的等待未归属：当时没有客户端确定持有该锁，其持有者未知或可能与他人共享，或持有开始时没有语句。</translation>
    </message>
    <message>
        <source>%1 of waiting isn&apos;t attributed: no client certainly held the lock then, or its holder isn&apos;t known or may share it.</source>
        <translation>有 %1 的等待未归属：当时没有客户端确定持有该锁，或其持有者未知或可能与他人共享。</translation>
    </message>
    <message>
        <source>By holder and statement, one name in the filter counts alone: its other terms are left out.</source>
        <translation>按持有者和语句排名时，筛选中只有一个名称起作用，其余条件被忽略。</translation>
    </message>
    <message numerus="yes">
        <source>These are the %n that caused the most waiting; there are more.</source>
        <translation>
            <numerusform>此处为造成等待最多的 %n 个；还有更多。</numerusform>
        </translation>
    </message>
    <message>
        <source>Statements by the waiting that they caused</source>
        <translation>按造成的等待排列的语句</translation>
    </message>
    <message>
        <source>Holders by the waiting that they caused</source>
        <translation>按造成的等待排列的持有者</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::BulkDialog</name>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Reason (goes to the audit):</source>
        <translation>原因（记入审计）：</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation>正在发送…</translation>
    </message>
    <message>
        <source>will release</source>
        <translation>将释放</translation>
    </message>
    <message>
        <source>left out: not ticked</source>
        <translation>跳过：未勾选</translation>
    </message>
    <message>
        <source>left out: its lease is live</source>
        <translation>跳过：租约有效</translation>
    </message>
    <message>
        <source>left out: no identity</source>
        <translation>跳过：无身份标识</translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation>跳过：%1</translation>
    </message>
    <message>
        <source>left out: free already</source>
        <translation>跳过：已空闲</translation>
    </message>
    <message>
        <source>left out: can&apos;t be read</source>
        <translation>跳过：无法读取</translation>
    </message>
    <message>
        <source>left out: changed since the preview</source>
        <translation>跳过：预览后已变化</translation>
    </message>
    <message numerus="yes">
        <source>left out: more than %n at once</source>
        <translation>
            <numerusform>跳过：超出单次上限 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>left out: stopped</source>
        <translation>跳过：已停止</translation>
    </message>
    <message numerus="yes">
        <source>Force-release %n lock(s)? Live locks and locks without identity are left out.</source>
        <translation>
            <numerusform>强制释放 %n 个锁？有效锁和无身份标识的锁除外。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Force-release %n lock(s)</source>
        <translation>
            <numerusform>强制释放 %n 个锁</numerusform>
        </translation>
    </message>
    <message>
        <source>Type the number of locks to confirm:</source>
        <translation>请输入锁的数量以确认：</translation>
    </message>
    <message numerus="yes">
        <source>Force-release %n</source>
        <translation>
            <numerusform>强制释放 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1 released of %2 sent</source>
        <translation>已发送 %2 个，释放 %1 个</translation>
    </message>
    <message>
        <source>left out: connections are killed one at a time</source>
        <translation>跳过：连接只能逐个终止</translation>
    </message>
    <message>
        <source>No agent is connected.</source>
        <translation>未连接 Agent。</translation>
    </message>
    <message>
        <source>No lock is ticked.</source>
        <translation>未勾选任何锁。</translation>
    </message>
    <message>
        <source>Type the number %1 to confirm.</source>
        <translation>请输入数字 %1 以确认。</translation>
    </message>
    <message>
        <source>Enter a reason and type the number %1.</source>
        <translation>请填写原因，并输入数字 %1。</translation>
    </message>
    <message>
        <source>Enter a reason.</source>
        <translation>请填写原因。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ChainsView</name>
    <message>
        <source>%1 %2</source>
        <comment>two sentences</comment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>Chains</source>
        <translation>阻塞链</translation>
    </message>
    <message>
        <source>Evidence: %1, read %2 ago</source>
        <comment>what was read, duration</comment>
        <translation>依据：%1，%2前读取</translation>
    </message>
    <message>
        <source>There are more waits than the agent reads: not all connections are shown.</source>
        <translation>等待数量超出 Agent 的读取上限，未显示全部连接。</translation>
    </message>
    <message>
        <source>Not read: %1</source>
        <translation>未能读取：%1</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>No agent is connected</source>
        <translation>未连接 Agent</translation>
    </message>
    <message>
        <source>Not observed now: %1</source>
        <comment>sources</comment>
        <translation>当前未被观测：%1</translation>
    </message>
    <message>
        <source>Chains of waiting connections</source>
        <translation>等待中的连接组成的阻塞链</translation>
    </message>
    <message>
        <source>Evidence: the journal&apos;s holders and waiters; the journal doesn&apos;t keep statements, nor row locks without waiters</source>
        <translation>依据：日志库中的持有者和等待者；日志库不保存语句，也不保存无人等待的行锁</translation>
    </message>
    <message>
        <source>The blocking connections are known once it answers.</source>
        <translation>Agent 响应后才能得知阻塞的连接。</translation>
    </message>
    <message>
        <source>No connection is known to have waited for a lock</source>
        <translation>未发现当时有等待锁的连接</translation>
    </message>
    <message>
        <source>Evidence: the journal&apos;s holders and waiters</source>
        <translation>依据：日志库中的持有者和等待者</translation>
    </message>
    <message>
        <source>Select a connection to see what it does.</source>
        <translation>选择一个连接以查看它在做什么。</translation>
    </message>
    <message>
        <source>No connection is known to wait for a lock</source>
        <translation>没有已知的对锁的等待</translation>
    </message>
    <message>
        <source>No connection waits for a lock</source>
        <translation>没有连接在等待锁</translation>
    </message>
    <message>
        <source>No source of this agent shows wait chains.</source>
        <translation>此 Agent 没有任何数据源显示等待链。</translation>
    </message>
    <message>
        <source>Activity of the selected connection</source>
        <translation>所选连接的活动</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ColumnsDialog</name>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Move the column to the left (Alt+Up)</source>
        <translation>将此列左移 (Alt+Up)</translation>
    </message>
    <message>
        <source>Move the column to the right (Alt+Down)</source>
        <translation>将此列右移 (Alt+Down)</translation>
    </message>
    <message>
        <source>&amp;Default columns</source>
        <translation>默认列(&amp;D)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::CommandPalette</name>
    <message>
        <source>A lock, a view, a saved filter or an action</source>
        <translation>锁、视图、已保存的筛选或操作</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>No matches.</source>
        <translation>无匹配项。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ConsoleStatusBar</name>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Stale %1</source>
        <translation>数据陈旧 %1</translation>
    </message>
    <message>
        <source>Live %1</source>
        <translation>实时 %1</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>The link to the agent and its round trip</source>
        <translation>与 Agent 的连接及往返延迟</translation>
    </message>
    <message numerus="yes">
        <source>%1/%n source(s)</source>
        <comment>observed, all</comment>
        <translation>
            <numerusform>%1/%n 个数据源</numerusform>
        </translation>
    </message>
    <message>
        <source>Sources that are observed now, of all</source>
        <translation>当前被观测的数据源与总数</translation>
    </message>
    <message numerus="yes">
        <source>%n command(s) under way</source>
        <translation>
            <numerusform>%n 条命令进行中</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>time, zone</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>This machine&apos;s clock. Click to change the time zone.</source>
        <translation>本机时钟。单击可更改时区。</translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s), %2 shown, %3 selected</source>
        <translation>
            <numerusform>共 %1 个锁，显示 %2，选中 %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s); in this list %2, selected %3</source>
        <translation>
            <numerusform>共 %1 个锁；此列表 %2 项，选中 %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s)</source>
        <translation>
            <numerusform>共 %1 个锁</numerusform>
        </translation>
    </message>
    <message>
        <source>Awaiting approval %1:%2</source>
        <comment>minutes, seconds</comment>
        <translation>等待审批 %1:%2</translation>
    </message>
    <message>
        <source>Waiting for %1…</source>
        <translation>正在等待 %1…</translation>
    </message>
    <message>
        <source>Live %1/%2</source>
        <comment>agents that are connected, of all</comment>
        <translation>实时 %1/%2</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ContentionPanel</name>
    <message>
        <source>observed: %1</source>
        <translation>观测覆盖率：%1</translation>
    </message>
    <message>
        <source>not read yet</source>
        <translation>尚未读取</translation>
    </message>
    <message>
        <source>Waiting, as the store shows it</source>
        <translation>等待（存储所示）</translation>
    </message>
    <message>
        <source>No waiting.</source>
        <translation>没有等待。</translation>
    </message>
    <message>
        <source>waiting: %1, waits: %2</source>
        <translation>等待：%1，次数：%2</translation>
    </message>
    <message>
        <source>Changes of hands a minute</source>
        <translation>每分钟持有者变更次数</translation>
    </message>
    <message>
        <source>It didn&apos;t change hands.</source>
        <translation>持有者未变更。</translation>
    </message>
    <message>
        <source>changes a minute: %1</source>
        <translation>每分钟持有者变更：%1</translation>
    </message>
    <message>
        <source>Hold time: p50, p95 pale</source>
        <translation>持有时长：p50，浅色为 p95</translation>
    </message>
    <message>
        <source>No hold began and ended here.</source>
        <translation>没有完整的持有过程。</translation>
    </message>
    <message>
        <source>p50 %1, p95 %2, longest %3</source>
        <translation>p50 %1，p95 %2，最长 %3</translation>
    </message>
    <message>
        <source>Hand-over gap: lower bound, upper bound pale</source>
        <translation>交接间隔：下限，浅色为上限</translation>
    </message>
    <message>
        <source>No complete hand-over was observed.</source>
        <translation>未观测到完整的交接。</translation>
    </message>
    <message>
        <source>median gap: %1 to %2</source>
        <translation>间隔中位数：%1 至 %2</translation>
    </message>
    <message>
        <source>Utilisation: lower bound, upper bound pale</source>
        <translation>占用率：下限，浅色为上限</translation>
    </message>
    <message>
        <source>held: %1 to %2 of the observed time</source>
        <translation>持有：占已观测时间的 %1 至 %2</translation>
    </message>
    <message>
        <source>waiting: %1</source>
        <translation>等待：%1</translation>
    </message>
    <message>
        <source>changes of hands: %1</source>
        <translation>持有者变更次数：%1</translation>
    </message>
    <message>
        <source>Waiting by day and hour (%1)</source>
        <translation>按日期和小时的等待时间（%1）</translation>
    </message>
    <message>
        <source>Changes of hands by day and hour (%1)</source>
        <translation>按日期和小时的持有者变更次数（%1）</translation>
    </message>
    <message>
        <source>Select a lock to see its course over this range.</source>
        <translation>选择一个锁，查看它在此范围内的变化。</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Waiting is what the store shows; the rest follows from when the agent saw the lock change hands. Hatched: not observed. Blank: nothing happened.</source>
        <translation>等待为存储所示；其余由 Agent 观测到的持有者变更时间推算。斜线：未观测。空白：无活动。</translation>
    </message>
    <message>
        <source>It was not held.</source>
        <translation>未被持有。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ContentionView</name>
    <message>
        <source>Contention</source>
        <translation>争用</translation>
    </message>
    <message>
        <source>Observed %1 of this range</source>
        <translation>此范围的观测覆盖率为 %1</translation>
    </message>
    <message>
        <source>Observed %1 to %2 of this range, by source</source>
        <translation>此范围的观测覆盖率为 %1 至 %2，因数据源而异</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Nothing was read</source>
        <translation>未读取任何内容</translation>
    </message>
    <message>
        <source>Reading was cancelled, or no agent is connected.</source>
        <translation>读取已取消，或未连接 Agent。</translation>
    </message>
    <message>
        <source>No contention in this range</source>
        <translation>此范围内没有争用</translation>
    </message>
    <message>
        <source>No lock was waited for or changed hands in this time, as far as it was observed.</source>
        <translation>在已观测的范围内，这段时间没有锁被等待或变更持有者。</translation>
    </message>
    <message>
        <source>Locks by waiting</source>
        <translation>按等待时间排列的锁</translation>
    </message>
    <message>
        <source>?: this scheme doesn&apos;t show waiters, only how fast and how often the lock changes hands; beside &quot;vs. before&quot;: not enough data in the previous period.</source>
        <translation>?：此锁方案的等待者不可见，仅能获知持有者变更的快慢与频率；在“环比”列中：上期观测数据过少。</translation>
    </message>
    <message>
        <source>By waiter</source>
        <translation>按等待者</translation>
    </message>
    <message>
        <source>&amp;Waits in this range</source>
        <translation>此范围内的等待(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Its locks</source>
        <translation>其中的锁(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;History in this range</source>
        <translation>此范围内的历史(&amp;H)</translation>
    </message>
    <message>
        <source>By waiter, one name in the filter counts alone: its other terms are left out.</source>
        <translation>按等待者排行时，筛选中只有一个名称起作用，其余条件已忽略。</translation>
    </message>
    <message numerus="yes">
        <source>These are the %n that waited longest; there are more.</source>
        <translation>
            <numerusform>此处为等待最久的 %n 个；还有更多。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Showing the %n locks with the most waiting.</source>
        <translation>
            <numerusform>仅显示等待最多的 %n 个锁。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show all locks</source>
        <translation>显示全部锁</translation>
    </message>
    <message>
        <source>Each lock</source>
        <translation>逐个锁</translation>
    </message>
    <message>
        <source>By table or place</source>
        <translation>按表或位置</translation>
    </message>
    <message>
        <source>By source</source>
        <translation>按数据源</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Filter: name, or source:x place:app.stock from:-6h to:-5h</source>
        <translation>筛选：名称，或 source:x place:app.stock from:-6h to:-5h</translation>
    </message>
    <message>
        <source>Filter of the ranking</source>
        <translation>排行的筛选</translation>
    </message>
    <message>
        <source>Not read again: %1. The data shown are of %2 – %3 %4.</source>
        <comment>cause, time, time, zone</comment>
        <translation>未能重新读取：%1。所示内容的时段为 %2 – %3 %4。</translation>
    </message>
    <message>
        <source>No lock matches this filter</source>
        <translation>没有符合筛选的锁</translation>
    </message>
    <message>
        <source>Among the locks with waits or hand-overs in this range.</source>
        <translation>仅限在此范围内有等待或持有者变更的锁。</translation>
    </message>
    <message>
        <source>Contention – %1</source>
        <comment>agent</comment>
        <translation>争用 – %1</translation>
    </message>
    <message>
        <source>No waiting that somebody caused</source>
        <translation>没有由持有者造成的等待</translation>
    </message>
    <message>
        <source>No client is known to have held a lock while others waited for it, as far as this time was observed.</source>
        <translation>就该时间内已观测的部分而言，没有发现他人等待期间确定的持有者。</translation>
    </message>
    <message>
        <source>By holder</source>
        <translation>按持有者</translation>
    </message>
    <message>
        <source>By statement</source>
        <translation>按语句</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::CostsPanel</name>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>%1, waited for %2 in all, %3</source>
        <comment>lock, duration, number of waits</comment>
        <translation>%1，共等待 %2，%3</translation>
    </message>
    <message>
        <source>Reaper</source>
        <translation>自动清理器</translation>
    </message>
    <message>
        <source>%1 at %2, by %3: %4</source>
        <comment>lock, time, who, outcome</comment>
        <translation>%1，%2，由 %3 执行：%4</translation>
    </message>
    <message>
        <source>Most waiting in the last hour</source>
        <translation>最近一小时等待最多</translation>
    </message>
    <message>
        <source>Force-releases in the last 24 hours</source>
        <translation>最近 24 小时的强制释放</translation>
    </message>
    <message>
        <source>Force-releases in the last 24 hours: %1</source>
        <translation>最近 24 小时的强制释放：%1</translation>
    </message>
    <message>
        <source>Force-releases in the 24 hours until %1: %2</source>
        <comment>time, number</comment>
        <translation>截至 %1 的 24 小时内的强制释放：%2</translation>
    </message>
    <message>
        <source>None was asked for.</source>
        <translation>没有强制释放请求。</translation>
    </message>
    <message>
        <source>Open ranking</source>
        <translation>打开排行</translation>
    </message>
    <message>
        <source>Open audit</source>
        <translation>打开审计</translation>
    </message>
    <message>
        <source>Most waiting in the hour until %1</source>
        <translation>截至 %1 一小时内等待最多</translation>
    </message>
    <message numerus="yes">
        <source>%Ln wait(s)</source>
        <translation>
            <numerusform>%Ln 次等待</numerusform>
        </translation>
    </message>
    <message>
        <source>No waiting was seen.</source>
        <translation>未观测到等待者。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::CountChip</name>
    <message>
        <source>%1 %2</source>
        <comment>state, count</comment>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::FigureTile</name>
    <message>
        <source>%1: %2</source>
        <comment>word, figure</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::FileField</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>选择：%1</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::FilterBar</name>
    <message>
        <source>none</source>
        <comment>grouping</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>source</source>
        <comment>grouping</comment>
        <translation>数据源</translation>
    </message>
    <message>
        <source>scheme</source>
        <comment>grouping</comment>
        <translation>锁方案</translation>
    </message>
    <message>
        <source>holder</source>
        <comment>grouping</comment>
        <translation>持有者</translation>
    </message>
    <message>
        <source>name prefix</source>
        <comment>grouping</comment>
        <translation>名称前缀</translation>
    </message>
    <message>
        <source>Filter: name, holder, or field:value</source>
        <translation>筛选：名称、持有者或 字段:值</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Space: and. Comma: or. -: not. Fields: state source scheme place agent name holder waiter waiters wait held ttl alive release</source>
        <translation>空格：与。逗号：或。-：非。字段：state source scheme place agent name holder waiter waiters wait held ttl alive release</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存的筛选</translation>
    </message>
    <message>
        <source>Saved filters</source>
        <translation>已保存的筛选</translation>
    </message>
    <message>
        <source>Group: %1</source>
        <translation>分组：%1</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>需要关注</translation>
    </message>
    <message>
        <source>Waiting now</source>
        <translation>正在等待</translation>
    </message>
    <message>
        <source>No expiry</source>
        <translation>永不过期</translation>
    </message>
    <message>
        <source>Save this filter…</source>
        <translation>保存此筛选…</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Save this filter</source>
        <translation>保存此筛选</translation>
    </message>
    <message>
        <source>Name of the filter:</source>
        <translation>筛选的名称：</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::FilterEdit</name>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>%1   (%2)</source>
        <comment>completion, count</comment>
        <translation>%1   (%2)</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::FilterHelp</name>
    <message>
        <source>locks in one of these states</source>
        <translation>处于其中一种状态的锁</translation>
    </message>
    <message>
        <source>of this source</source>
        <translation>属于此数据源</translation>
    </message>
    <message>
        <source>of these lock schemes</source>
        <translation>属于这些锁方案</translation>
    </message>
    <message>
        <source>in this table, database or node set</source>
        <translation>位于此表、数据库或节点集</translation>
    </message>
    <message>
        <source>of this agent</source>
        <translation>属于此 Agent</translation>
    </message>
    <message>
        <source>locks with such a name</source>
        <translation>名称与之相符的锁</translation>
    </message>
    <message>
        <source>held by it; in the history also formerly</source>
        <translation>由其持有；在历史中也包括曾经持有</translation>
    </message>
    <message>
        <source>it waits for the lock</source>
        <translation>由其等待</translation>
    </message>
    <message>
        <source>longest wait at least this long</source>
        <translation>最长等待达到此值</translation>
    </message>
    <message>
        <source>without expiry; ttl&lt;5s: so much is left of the lease</source>
        <translation>永不过期；ttl&lt;5s：租约剩余时间少于此值</translation>
    </message>
    <message>
        <source>by its holder&apos;s sign of life: renewed, silent, connected, unknown</source>
        <translation>按持有者的活动迹象：renewed、silent、connected、unknown</translation>
    </message>
    <message>
        <source>by how a force-release goes: guarded, unsafe, off</source>
        <translation>按强制释放的方式：guarded、unsafe、off</translation>
    </message>
    <message>
        <source>events of one of these kinds</source>
        <translation>其中一种类型的事件</translation>
    </message>
    <message>
        <source>since then; also 02:40 or 2026-11-20T02:40</source>
        <translation>自此时起；也可写 02:40 或 2026-11-20T02:40</translation>
    </message>
    <message>
        <source>until then</source>
        <translation>到此时为止</translation>
    </message>
    <message>
        <source>of this force-release</source>
        <translation>属于此次强制释放</translation>
    </message>
    <message>
        <source>asked for by this person</source>
        <translation>由此人发起</translation>
    </message>
    <message>
        <source>with this in its reason</source>
        <translation>原因中含有此文字</translation>
    </message>
    <message>
        <source>with one of these outcomes</source>
        <translation>结果为其中之一</translation>
    </message>
    <message>
        <source>a comma is “or”: one of them is enough</source>
        <translation>逗号表示“或”：符合其一即可</translation>
    </message>
    <message>
        <source>a minus is “not”</source>
        <translation>减号表示“非”</translation>
    </message>
    <message>
        <source>= matches the whole value exactly</source>
        <translation>= 要求整个值完全一致，区分大小写</translation>
    </message>
    <message>
        <source>quotes keep spaces, commas and colons together</source>
        <translation>引号使空格、逗号和冒号不被拆开</translation>
    </message>
    <message>
        <source>Filter syntax</source>
        <translation>筛选语法</translation>
    </message>
    <message>
        <source>How terms are put together</source>
        <translation>条件的组合方式</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Filter syntax, with examples</source>
        <translation>筛选语法及示例</translation>
    </message>
    <message>
        <source>a word alone is searched in lock and holder</source>
        <translation>单独的词在锁名和持有者中查找</translation>
    </message>
    <message>
        <source>a space is “and”: both must match</source>
        <translation>空格表示“且”：两者都须符合</translation>
    </message>
    <message>
        <source>* matches any text, ? one character</source>
        <translation>* 代表任意文字，? 代表一个字符</translation>
    </message>
    <message>
        <source>lists the recent filters if the line is empty</source>
        <translation>输入行为空时列出最近使用的筛选条件</translation>
    </message>
    <message>
        <source>at least this many waiters</source>
        <translation>等待者数量达到此值</translation>
    </message>
    <message>
        <source>held at least this long</source>
        <translation>持有时长达到此值</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::FindingsList</name>
    <message>
        <source>Not known while the source can&apos;t be reached.</source>
        <translation>数据源无法连接时，风险未知。</translation>
    </message>
    <message>
        <source>No risks to its locks were found.</source>
        <translation>未发现影响其锁的风险。</translation>
    </message>
    <message>
        <source>Not known before the source was seen.</source>
        <translation>首次观测数据源之前，风险未知。</translation>
    </message>
    <message>
        <source>Risks to its locks</source>
        <translation>锁的风险</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::FinishPage</name>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Save the section</source>
        <translation>保存配置段</translation>
    </message>
    <message>
        <source>Configuration (*.toml)</source>
        <translation>配置文件 (*.toml)</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>Watch from this console</source>
        <translation>由本控制台观测</translation>
    </message>
    <message>
        <source>Starts a private agent on this computer, for this user alone, and connects to it. The password is kept in a file that only this user can read, never in a configuration.</source>
        <translation>在本机启动仅供当前用户使用的私有 Agent 并与之连接。密码保存在只有当前用户可读的文件中，不会写入配置。</translation>
    </message>
    <message>
        <source>Keep watching after the console is closed</source>
        <translation>关闭控制台后继续观测</translation>
    </message>
    <message>
        <source>Start watching</source>
        <translation>开始观测</translation>
    </message>
    <message>
        <source>Or give this section to an agent elsewhere</source>
        <translation>或将此配置段交给其他机器上的 Agent</translation>
    </message>
    <message>
        <source>Section of the configuration</source>
        <translation>配置段</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Starts a private agent on this computer, for this user alone, and connects to it.</source>
        <translation>在本机启动仅供当前用户使用的私有 Agent 并与之连接。</translation>
    </message>
    <message>
        <source>Add this section to the agent %1</source>
        <translation>将此配置段交给 Agent %1</translation>
    </message>
    <message>
        <source>Unavailable: the agent %1 scanned, from its own machine. This computer may not reach the same stores.</source>
        <translation>不可用：扫描由 Agent %1 在其所在机器上进行，本机未必能连接相同的存储。</translation>
    </message>
    <message>
        <source>The agent&apos;s message</source>
        <translation>Agent 的输出</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::FiredList</name>
    <message numerus="yes">
        <source>%n active alert(s)</source>
        <translation>
            <numerusform>%n 条活动告警</numerusform>
        </translation>
    </message>
    <message>
        <source>Open Alerts</source>
        <translation>打开告警</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>severity, sentence</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::HistoryView</name>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Show all events</source>
        <translation>显示所有事件</translation>
    </message>
    <message>
        <source>No events yet</source>
        <translation>尚无事件</translation>
    </message>
    <message>
        <source>The agent has journalled nothing so far.</source>
        <translation>Agent 尚未记录任何事件。</translation>
    </message>
    <message>
        <source>The filter hides the others.</source>
        <translation>其余事件被筛选隐藏。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln new</source>
        <translation>
            <numerusform>%Ln 条新事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s) in the journal</source>
        <translation>
            <numerusform>日志库中有 %Ln 条事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>among about %Ln event(s)</source>
        <translation>
            <numerusform>约 %Ln 条事件中</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, following</source>
        <translation>%1，跟随最新</translation>
    </message>
    <message>
        <source>Filter: event:expired name:lock* from:-15m</source>
        <translation>筛选：event:expired name:lock* from:-15m</translation>
    </message>
    <message>
        <source>Filter of the history</source>
        <translation>历史的筛选</translation>
    </message>
    <message>
        <source>Go to time</source>
        <translation>转到时间</translation>
    </message>
    <message>
        <source>Show the events before this time (Ctrl+G)</source>
        <translation>显示此时间之前的事件（Ctrl+G）</translation>
    </message>
    <message>
        <source>Time to go to</source>
        <translation>要转到的时间</translation>
    </message>
    <message>
        <source>Events, newest first</source>
        <translation>事件，最新在前</translation>
    </message>
    <message>
        <source>Back to the newest events</source>
        <translation>回到最新事件</translation>
    </message>
    <message>
        <source>Reading was cancelled.</source>
        <translation>读取已取消。</translation>
    </message>
    <message>
        <source>Time of the journal, with the density of the events read so far</source>
        <translation>日志库的时间轴，显示已读取事件的密度</translation>
    </message>
    <message>
        <source>“%1” isn&apos;t a time. Write 21:20, yesterday 21:20, 2026-11-20 21:20 or -15m.</source>
        <translation>“%1”的时间格式无效。请写作 21:20、昨天 21:20、2026-11-20 21:20 或 -15m。</translation>
    </message>
    <message>
        <source>21:20, yesterday 21:20, 2026-11-20 21:20 or -15m</source>
        <translation>21:20、昨天 21:20、2026-11-20 21:20 或 -15m</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>持有记录</translation>
    </message>
    <message>
        <source>Searched back to %1…</source>
        <translation>已搜索至 %1…</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>No agent is connected: this is what was read before.</source>
        <translation>未连接 Agent：所示为此前读取的内容。</translation>
    </message>
    <message>
        <source>State at this time</source>
        <translation>该时刻的状态</translation>
    </message>
    <message>
        <source>Timeline around it</source>
        <translation>前后的时间线</translation>
    </message>
    <message>
        <source>No event matches so far</source>
        <translation>到目前为止没有符合筛选的事件</translation>
    </message>
    <message>
        <source>Reading was cancelled at %1: older events weren&apos;t searched.</source>
        <translation>读取在 %1 处取消：更早的事件尚未搜索。</translation>
    </message>
    <message>
        <source>No event matches this filter</source>
        <translation>没有符合筛选的事件</translation>
    </message>
    <message>
        <source>&amp;Only this lock</source>
        <translation>仅此锁(&amp;O)</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::HolderView</name>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>The same host isn&apos;t the same process: several programs may run there.</source>
        <translation>同一主机不等于同一进程：其上可能运行着多个程序。</translation>
    </message>
    <message>
        <source>This lock&apos;s holder is a random token; other locks of the same client can&apos;t be recognised.</source>
        <translation>该锁的持有者是随机令牌，无法识别同一客户端的其他锁。</translation>
    </message>
    <message>
        <source>This holder&apos;s text ends in a random part, so its other locks have other texts. “Same host” shows them.</source>
        <translation>该持有者的名称以随机部分结尾，其他锁的名称因此不同。“同一主机”会显示它们。</translation>
    </message>
    <message>
        <source>A connection is known only within its source, %1.</source>
        <translation>连接只能在其数据源 %1 内识别。</translation>
    </message>
    <message>
        <source>Waiting is seen only at locks whose scheme names the waiters.</source>
        <translation>只有方案会列出等待者的锁才能看到等待。</translation>
    </message>
    <message>
        <source>The agent at %1 isn&apos;t connected: its locks are missing.</source>
        <translation>尚未连接到 %1 的 Agent：其锁未列出。</translation>
    </message>
    <message>
        <source>%1 isn&apos;t observed since %2: its locks may be missing.</source>
        <translation>%1 自 %2 起未被观测：其锁可能未列出。</translation>
    </message>
    <message>
        <source>%1 hasn&apos;t been observed yet: its locks are missing.</source>
        <translation>%1 尚未被观测：其锁未列出。</translation>
    </message>
    <message numerus="yes">
        <source>The filter hides %n row(s).</source>
        <translation>
            <numerusform>筛选隐藏了 %n 行。</numerusform>
        </translation>
    </message>
    <message>
        <source>No holder chosen</source>
        <translation>未选择持有者</translation>
    </message>
    <message>
        <source>Select a lock, then choose “Show everything of this holder”.</source>
        <translation>请选择一个锁，然后选择“显示该持有者的全部锁”。</translation>
    </message>
    <message>
        <source>No agent is connected</source>
        <translation>未连接到任何 Agent</translation>
    </message>
    <message>
        <source>Nothing is known about this holder now.</source>
        <translation>目前没有关于该持有者的信息。</translation>
    </message>
    <message>
        <source>No lock matches the filter</source>
        <translation>没有符合筛选条件的锁</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Nothing is seen of this holder now</source>
        <translation>目前未观测到该持有者</translation>
    </message>
    <message>
        <source>It holds no lock and waits for none, as far as the sources are observed.</source>
        <translation>就已观测的数据源而言，它既未持有锁，也未等待锁。</translation>
    </message>
    <message>
        <source>None of the shown locks can be released.</source>
        <translation>所显示的锁均无法释放。</translation>
    </message>
    <message numerus="yes">
        <source>Previews the %n shown lock(s) that can be released.</source>
        <translation>
            <numerusform>预览所显示的 %n 个可释放的锁。</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything of its h&amp;older</source>
        <translation>其持有者的全部锁(&amp;O)</translation>
    </message>
    <message>
        <source>Same host</source>
        <translation>同一主机</translation>
    </message>
    <message>
        <source>Same host: %1</source>
        <translation>同一主机：%1</translation>
    </message>
    <message>
        <source>The name of this holder shows no host.</source>
        <translation>该持有者的名称中没有主机。</translation>
    </message>
    <message>
        <source>Also show the locks of other holders on %1</source>
        <translation>同时显示 %1 上其他持有者的锁</translation>
    </message>
    <message>
        <source>Filter: name, or source:x state:stuck</source>
        <translation>筛选：名称，或 source:x state:stuck</translation>
    </message>
    <message>
        <source>Filter of this holder&apos;s locks</source>
        <translation>该持有者的锁的筛选</translation>
    </message>
    <message>
        <source>Locks that this holder has and waits for</source>
        <translation>该持有者持有和等待的锁</translation>
    </message>
    <message>
        <source>Break all…</source>
        <translation>全部强制释放…</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::HoldsPage</name>
    <message>
        <source>Show all holds</source>
        <translation>显示所有持有记录</translation>
    </message>
    <message>
        <source>Holds can be filtered by lock, place, source, holder and time; other terms are ignored.</source>
        <translation>持有记录只含锁、位置、数据源、持有者和时间：筛选的其余条件在此已忽略。</translation>
    </message>
    <message>
        <source>No holds yet</source>
        <translation>尚无持有记录</translation>
    </message>
    <message>
        <source>The agent has journalled none so far.</source>
        <translation>Agent 尚未记录任何持有。</translation>
    </message>
    <message>
        <source>The filter hides the others.</source>
        <translation>其余记录被筛选隐藏。</translation>
    </message>
    <message>
        <source>Holds, newest first</source>
        <translation>持有记录，最新在前</translation>
    </message>
    <message>
        <source>No hold matches this filter</source>
        <translation>没有符合筛选的持有记录</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::HoursPanel</name>
    <message>
        <source>Waiting in all</source>
        <translation>等待总时长</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>等待次数</translation>
    </message>
    <message>
        <source>Acquisitions</source>
        <translation>获取次数</translation>
    </message>
    <message>
        <source>Forced</source>
        <translation>强制释放</translation>
    </message>
    <message>
        <source>Observed</source>
        <translation>观测覆盖率</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>最近一小时</translation>
    </message>
    <message>
        <source>A day ago</source>
        <translation>一天前</translation>
    </message>
    <message>
        <source>A week ago</source>
        <translation>一周前</translation>
    </message>
    <message>
        <source>Not read yet</source>
        <translation>尚未读取</translation>
    </message>
    <message>
        <source>That hour</source>
        <translation>那一小时</translation>
    </message>
    <message>
        <source>Among the %L1 locks with the most waiting</source>
        <translation>仅统计等待最多的 %L1 个锁</translation>
    </message>
    <message>
        <source>It wasn&apos;t observed, or the journal doesn&apos;t reach back so far</source>
        <translation>当时未被观测，或日志库没有那么早的记录</translation>
    </message>
    <message>
        <source>It is unknown whether it was observed</source>
        <translation>当时是否被观测未知</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LastHour</name>
    <message>
        <source>Opens the timeline.</source>
        <translation>打开时间线。</translation>
    </message>
    <message>
        <source>The last hour: held for %1, waits: %2.</source>
        <translation>最近一小时：持有 %1，等待次数：%2。</translation>
    </message>
    <message>
        <source>The last hour, not observed since %1: held for %2, waits: %3 until then.</source>
        <translation>最近一小时，自 %1 起未被观测：此前持有 %2，等待次数：%3。</translation>
    </message>
    <message>
        <source>The last hour hasn&apos;t been read.</source>
        <translation>最近一小时尚未读取。</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>最近一小时</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LeasePanel</name>
    <message>
        <source>Lease</source>
        <translation>租约</translation>
    </message>
    <message>
        <source>No lease: it has no expiry, or it isn&apos;t held.</source>
        <translation>无租约：永不过期，或无人持有。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LinkBanners</name>
    <message>
        <source>Reconnect now</source>
        <translation>立即重新连接</translation>
    </message>
    <message numerus="yes">
        <source>Paused at %1 %2, %Ln change(s) waiting</source>
        <translation>
            <numerusform>已于 %1 %2 暂停，%Ln 处变化待显示</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>%1 hasn&apos;t been observed yet</source>
        <translation>%1 尚未被观测</translation>
    </message>
    <message>
        <source>%1 hasn&apos;t been observed yet: %2</source>
        <translation>%1 尚未被观测：%2</translation>
    </message>
    <message>
        <source>%1 not observed since %2 %3</source>
        <translation>%1 自 %2 %3 起未被观测</translation>
    </message>
    <message>
        <source>%1 not observed since %2 %3: %4</source>
        <translation>%1 自 %2 %3 起未被观测：%4</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Agent %1: %2</source>
        <translation>Agent %1：%2</translation>
    </message>
    <message>
        <source>Agent %1 can&apos;t be reached: %2. Its locks aren&apos;t shown.</source>
        <translation>无法连接 Agent %1：%2。其锁未显示。</translation>
    </message>
    <message>
        <source>Agent %1 lost: %2. Its locks are shown as last seen; lists omit what only it can see. A refused login isn&apos;t retried automatically.</source>
        <translation>Agent %1 已断开：%2。其锁按最近一次观测显示；仅由它观测的锁未列出。登录被拒绝后不会自动重试。</translation>
    </message>
    <message>
        <source>Agent %1 lost: %2. Its locks are shown as last seen; lists omit what only it can see. It won&apos;t reconnect automatically.</source>
        <translation>Agent %1 已断开：%2。其锁按最近一次观测显示；仅由它观测的锁未列出。不会自动重新连接。</translation>
    </message>
    <message numerus="yes">
        <source>Agent %1 lost: %2. Its locks are shown as last seen; lists omit what only it can see. Next attempt in %n second(s).</source>
        <translation>
            <numerusform>Agent %1 已断开：%2。其锁按最近一次观测显示；仅由它观测的锁未列出。%n 秒后重试。</numerusform>
        </translation>
    </message>
    <message>
        <source>Agent lost: %1. Everything is shown as last seen. A refused login isn&apos;t retried automatically.</source>
        <translation>与 Agent 的连接已断开：%1。所示均为最近一次观测的内容。登录被拒绝后不会自动重试。</translation>
    </message>
    <message>
        <source>Agent lost: %1. Everything is shown as last seen. It won&apos;t reconnect automatically.</source>
        <translation>与 Agent 的连接已断开：%1。所示均为最近一次观测的内容。不会自动重新连接。</translation>
    </message>
    <message numerus="yes">
        <source>Agent lost: %1. Everything is shown as last seen. Next attempt in %n second(s).</source>
        <translation>
            <numerusform>与 Agent 的连接已断开：%1。所示均为最近一次观测的内容。%n 秒后重试。</numerusform>
        </translation>
    </message>
    <message>
        <source>Agent %1 didn&apos;t answer: %2. The answer lacks its part.</source>
        <translation>Agent %1 未响应：%2。所示内容中缺少由它提供的部分。</translation>
    </message>
    <message numerus="yes">
        <source>%n sources</source>
        <translation>
            <numerusform>%n 个数据源</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 observed again; not observed for up to %2</source>
        <translation>%1 已恢复观测；最长 %2 未被观测</translation>
    </message>
    <message>
        <source>%1 observed again; not observed for up to %2: %3</source>
        <translation>%1 已恢复观测；最长 %2 未被观测：%3</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ListPage</name>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Nothing was read</source>
        <translation>未读取任何内容</translation>
    </message>
    <message>
        <source>Reading was cancelled.</source>
        <translation>读取已取消。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Not read again: %1</source>
        <translation>未能重新读取：%1</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy as &amp;JSON</source>
        <translation>复制为 JSON(&amp;J)</translation>
    </message>
    <message>
        <source>Show in &amp;Locks</source>
        <translation>在锁视图中显示(&amp;L)</translation>
    </message>
    <message>
        <source>Show in &amp;Timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;History of this lock</source>
        <translation>此锁的历史(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Report…</source>
        <translation>报告(&amp;R)…</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LockAdvice</name>
    <message numerus="yes">
        <source>Read: %Ln hold(s) of locks of this name in the last 24 hours; %1 % of that time was observed.</source>
        <translation>
            <numerusform>已读取：最近 24 小时内同名锁的 %Ln 次持有；其中 %1 % 的时间被观测到。</numerusform>
        </translation>
    </message>
    <message>
        <source>Not everything was read.</source>
        <translation>未读取全部内容。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a fault, how sure; the change to make</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>a fault, how sure</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 %2 (%3)</source>
        <comment>evidence, change, section of a document</comment>
        <translation>%1 %2（%3）</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>All advice</source>
        <translation>所有建议</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LockDetail</name>
    <message>
        <source>Force-release…</source>
        <translation>强制释放…</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy all that is shown here as text</source>
        <translation>将此处所示全部复制为文本</translation>
    </message>
    <message>
        <source>Holder</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Not observed now: as of %1.</source>
        <translation>当前未被观测：数据截至 %1。</translation>
    </message>
    <message>
        <source>Not observed now, and not among what was seen last.</source>
        <translation>当前未被观测，也不在最后观测到的锁之中。</translation>
    </message>
    <message>
        <source>Alive</source>
        <translation>活动迹象</translation>
    </message>
    <message>
        <source>unknown: not observed now</source>
        <translation>未知：当前未被观测</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>持有时长</translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Held by</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Last held by</source>
        <translation>上次持有者</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>重入深度</translation>
    </message>
    <message>
        <source>Fencing token</source>
        <translation>防护令牌</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>身份标识</translation>
    </message>
    <message>
        <source>the store says NULL</source>
        <translation>存储中为 NULL</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>time, zone</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>before %1 (%2)</source>
        <translation>%1 之前（%2）</translation>
    </message>
    <message>
        <source>%1, %2 (%3)</source>
        <comment>time, window, evidence</comment>
        <translation>%1，%2（%3）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>time, evidence</comment>
        <translation>%1（%2）</translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln seen, longest gap %2</source>
        <comment>time</comment>
        <translation>
            <numerusform>%1，共 %Ln 次，最长间隔 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <comment>offset, uncertainty</comment>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>Acquired</source>
        <translation>获取时间</translation>
    </message>
    <message>
        <source>Expires</source>
        <translation>过期时间</translation>
    </message>
    <message>
        <source>Renewed</source>
        <translation>续期</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>租约</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>最近观测</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1前</translation>
    </message>
    <message>
        <source>Clock offset</source>
        <translation>时钟偏差</translation>
    </message>
    <message>
        <source>The store&apos;s clock against the agent&apos;s</source>
        <translation>存储时钟与 Agent 时钟之差</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>Waiters (%1)</source>
        <translation>等待者（%1）</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>waiter, for how long</comment>
        <translation>%1，%2</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>No waiters.</source>
        <translation>无等待者。</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>变更频率</translation>
    </message>
    <message numerus="yes">
        <source>%n a minute</source>
        <translation>
            <numerusform>每分钟 %n 次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>taken %n time(s)</source>
        <translation>
            <numerusform>已获取 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>How often its holder has taken it; it is free after as many releases</source>
        <translation>持有者获取它的次数，释放同样次数后才空闲</translation>
    </message>
    <message>
        <source>Since %1</source>
        <translation>始于 %1</translation>
    </message>
    <message>
        <source>none open</source>
        <translation>无活动事务</translation>
    </message>
    <message>
        <source>open for %1</source>
        <translation>已持续 %1</translation>
    </message>
    <message>
        <source>%1, open for %2</source>
        <comment>transaction, duration</comment>
        <translation>%1，已持续 %2</translation>
    </message>
    <message>
        <source>Connection %1</source>
        <translation>连接 %1</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Transaction</source>
        <translation>事务</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>连接空闲</translation>
    </message>
    <message>
        <source>no, it runs a statement</source>
        <translation>否，正在执行语句</translation>
    </message>
    <message>
        <source>Not killed</source>
        <translation>不可终止</translation>
    </message>
    <message>
        <source>Last statement:</source>
        <translation>上一条语句：</translation>
    </message>
    <message>
        <source>Running statement:</source>
        <translation>正在执行的语句：</translation>
    </message>
    <message>
        <source>Cut: the agent keeps its beginning only</source>
        <translation>已截断：Agent 只保留开头部分</translation>
    </message>
    <message>
        <source>Order unknown</source>
        <translation>顺序未知</translation>
    </message>
    <message>
        <source>Nodes (%1)</source>
        <comment>how many of them hold the lock</comment>
        <translation>节点（%1）</translation>
    </message>
    <message>
        <source>not observed now</source>
        <translation>当前未被观测</translation>
    </message>
    <message>
        <source>Its source isn&apos;t watched any more: what became of the lock isn&apos;t known. This is what was last seen.</source>
        <translation>其数据源已不再受观测：该锁后来的情况未知。以下为最后一次观测的内容。</translation>
    </message>
    <message>
        <source>Gone: not in the store any more since %1 %2. This is what was last seen.</source>
        <translation>已消失：自 %1 %2 起存储中不再有该锁。以下为最后一次观测的内容。</translation>
    </message>
    <message>
        <source>Gone: %1 at %2 %3. This is what was last seen.</source>
        <comment>an event, time, zone</comment>
        <translation>已消失：%2 %3 %1。以下为最后一次观测的内容。</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>至 %1</translation>
    </message>
    <message>
        <source>Not observed yet.</source>
        <translation>尚未观测到。</translation>
    </message>
    <message>
        <source>%1 isn&apos;t in the table of that time.</source>
        <translation>当时的锁表中没有 %1。</translation>
    </message>
    <message>
        <source>As of %1</source>
        <translation>截至 %1</translation>
    </message>
    <message>
        <source>Not observed then: as last known, at %1.</source>
        <translation>当时未被观测：为最后已知的状态，时间 %1。</translation>
    </message>
    <message>
        <source>Not observed then, nor before.</source>
        <translation>当时及此前均未被观测。</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Not in this list.</source>
        <translation>不在此列表中。</translation>
    </message>
    <message>
        <source>Session %1</source>
        <translation>会话 %1</translation>
    </message>
    <message>
        <source>Select a lock to see its holder, the time of the acquisition, and its waiters.</source>
        <translation>选择一个锁，查看其持有者、获取时间和等待者。</translation>
    </message>
    <message>
        <source>No longer listed: it was released, or it is no longer monitored.</source>
        <translation>已不在列表中：已释放，或不再受观测。</translation>
    </message>
    <message>
        <source>Alerts</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>%1 for %2. %3</source>
        <comment>an alert&apos;s condition, duration, its state</comment>
        <translation>%1，已持续 %2。%3</translation>
    </message>
    <message>
        <source>Its holder</source>
        <translation>持有者探测</translation>
    </message>
    <message>
        <source>The result of a liveness probe</source>
        <translation>存活探测的结果</translation>
    </message>
    <message>
        <source>Everything of this holder</source>
        <translation>该持有者的全部锁</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LocksView</name>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>The agent can&apos;t be reached: %1</source>
        <translation>无法连接 Agent：%1</translation>
    </message>
    <message>
        <source>Connecting to the agent…</source>
        <translation>正在连接 Agent…</translation>
    </message>
    <message>
        <source>No locks seen yet</source>
        <translation>尚未观测到锁</translation>
    </message>
    <message>
        <source>Locks appear here as soon as a source has one.</source>
        <translation>数据源中一有锁便会显示在此。</translation>
    </message>
    <message>
        <source>Show sources</source>
        <translation>显示数据源</translation>
    </message>
    <message numerus="yes">
        <source>The filter hides %Ln lock(s).</source>
        <translation>
            <numerusform>筛选隐藏了 %Ln 个锁。</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message numerus="yes">
        <source>%Ln free lock(s) are hidden.</source>
        <translation>
            <numerusform>已隐藏 %Ln 个空闲锁。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lock(s) are in states that are hidden.</source>
        <translation>
            <numerusform>%Ln 个锁处于被隐藏的状态。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to show</source>
        <translation>没有可显示的锁</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) copied</source>
        <translation>
            <numerusform>已复制 %Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) copied as JSON</source>
        <translation>
            <numerusform>已将 %Ln 行复制为 JSON</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>No lock was seen</source>
        <translation>未观测到锁</translation>
    </message>
    <message>
        <source>Show history</source>
        <translation>显示历史</translation>
    </message>
    <message>
        <source>No lock is seen now</source>
        <translation>当前未观测到锁</translation>
    </message>
    <message>
        <source>The history has the events of earlier locks.</source>
        <translation>历史中有先前各锁的事件。</translation>
    </message>
    <message>
        <source>Copy c&amp;ell</source>
        <translation>复制单元格(&amp;E)</translation>
    </message>
    <message>
        <source>Filter by this h&amp;older</source>
        <translation>按此持有者筛选(&amp;O)</translation>
    </message>
    <message>
        <source>Filter by this &amp;source</source>
        <translation>按此数据源筛选(&amp;S)</translation>
    </message>
    <message>
        <source>Filter by this sche&amp;me</source>
        <translation>按此锁方案筛选(&amp;M)</translation>
    </message>
    <message>
        <source>Show in Ch&amp;ains</source>
        <translation>在阻塞链中显示(&amp;A)</translation>
    </message>
    <message>
        <source>Show in Timeline at this mome&amp;nt</source>
        <translation>在时间线中显示该时刻(&amp;N)</translation>
    </message>
    <message>
        <source>The journal has none at that time.</source>
        <translation>日志库中没有该时刻的锁。</translation>
    </message>
    <message>
        <source>No lock matches the filter</source>
        <translation>没有符合筛选的锁</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::LoginDialog</name>
    <message>
        <source>Log in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>The agent at %1 requires a name and a password.</source>
        <translation>位于 %1 的 Agent 要求提供用户名和密码。</translation>
    </message>
    <message>
        <source>&amp;User:</source>
        <translation>用户(&amp;U)：</translation>
    </message>
    <message>
        <source>&amp;Password:</source>
        <translation>密码(&amp;P)：</translation>
    </message>
    <message>
        <source>&amp;Keep in the keychain</source>
        <translation>保存到密钥环(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Log in</source>
        <translation>登录(&amp;L)</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::MainWindow</name>
    <message>
        <source>Lockkeeper</source>
        <translation>Lockkeeper</translation>
    </message>
    <message>
        <source>%1 – Lockkeeper</source>
        <translation>%1 – Lockkeeper</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>动态</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>All sources have been read.</source>
        <translation>已读取所有数据源。</translation>
    </message>
    <message>
        <source>Not all sources were read within 30 s; the agent may still be reading.</source>
        <translation>30 秒内未读完所有数据源；Agent 可能仍在读取。</translation>
    </message>
    <message>
        <source>Not all sources were read: %1</source>
        <translation>未读取所有数据源：%1</translation>
    </message>
    <message>
        <source>%1 – %2 – Lockkeeper</source>
        <comment>a past moment, agent</comment>
        <translation>%1 – %2 – Lockkeeper</translation>
    </message>
    <message numerus="yes">
        <source>%n agent(s)</source>
        <translation>
            <numerusform>%n 个 Agent</numerusform>
        </translation>
    </message>
    <message>
        <source>This list doesn&apos;t show the selected lock. Clear the filter in Locks to see it.</source>
        <translation>此列表未显示所选的锁。清除“锁”视图中的筛选即可看到。</translation>
    </message>
    <message>
        <source>No agent is connected.</source>
        <translation>未连接 Agent。</translation>
    </message>
    <message>
        <source>This view has no rows to export.</source>
        <translation>此视图没有可导出的行。</translation>
    </message>
    <message>
        <source>Only Timeline and Contention have pictures, once they show something.</source>
        <translation>仅“时间线”和“争用”在有内容时可生成图片。</translation>
    </message>
    <message>
        <source>A past moment has its own details beside it.</source>
        <translation>过去时刻的旁边有其自己的详情。</translation>
    </message>
    <message>
        <source>No view came before.</source>
        <translation>没有更早的视图。</translation>
    </message>
    <message>
        <source>No view comes after.</source>
        <translation>没有更晚的视图。</translation>
    </message>
    <message>
        <source>This view has no table.</source>
        <translation>此视图没有表格。</translation>
    </message>
    <message>
        <source>Select a lock to see its details.</source>
        <translation>选择一个锁即可查看其详情。</translation>
    </message>
    <message>
        <source>A past moment shows no holder&apos;s other locks.</source>
        <translation>过去的时刻不显示持有者的其他锁。</translation>
    </message>
    <message>
        <source>This lock has no known holder.</source>
        <translation>该锁没有已知的持有者。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::Navigation</name>
    <message>
        <source>%1, saved filter of %2</source>
        <comment>filter, view</comment>
        <translation>%1，“%2”中已保存的筛选</translation>
    </message>
    <message>
        <source>%1, saved filter of %2, %3</source>
        <comment>filter, view, count</comment>
        <translation>%1，“%2”中已保存的筛选，%3</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n need attention</source>
        <comment>view, count</comment>
        <translation>
            <numerusform>%1，%n 个需要关注</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::OverviewView</name>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the last hour: %1</source>
        <translation>无法读取最近一小时：%1</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <comment>locks</comment>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>The agent can&apos;t be reached: nothing is known of this moment</source>
        <translation>无法连接 Agent：当前状况未知</translation>
    </message>
    <message>
        <source>not seen</source>
        <comment>sources</comment>
        <translation>未被观测</translation>
    </message>
    <message>
        <source>Open Sources</source>
        <translation>打开数据源</translation>
    </message>
    <message>
        <source>unreadable</source>
        <comment>locks</comment>
        <translation>无法识别</translation>
    </message>
    <message>
        <source>Open the locks of which nothing certain is known</source>
        <translation>打开状态未知的锁</translation>
    </message>
    <message>
        <source>stuck</source>
        <comment>locks</comment>
        <translation>卡死</translation>
    </message>
    <message>
        <source>Open the stuck locks</source>
        <translation>打开卡死的锁</translation>
    </message>
    <message>
        <source>expired</source>
        <comment>locks</comment>
        <translation>已过期</translation>
    </message>
    <message>
        <source>Open the expired locks</source>
        <translation>打开已过期的锁</translation>
    </message>
    <message>
        <source>contended</source>
        <comment>locks</comment>
        <translation>争用中</translation>
    </message>
    <message>
        <source>Open the locks that have waiters</source>
        <translation>打开有等待者的锁</translation>
    </message>
    <message>
        <source>waiting</source>
        <comment>who</comment>
        <translation>等待者</translation>
    </message>
    <message>
        <source>longest wait</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>No source is configured</source>
        <translation>没有配置数据源</translation>
    </message>
    <message>
        <source>The agent&apos;s configuration names no store to watch.</source>
        <translation>Agent 的配置中没有要观测的存储。</translation>
    </message>
    <message>
        <source>Show sources</source>
        <translation>显示数据源</translation>
    </message>
    <message>
        <source>The agent can&apos;t be reached: %1</source>
        <translation>无法连接 Agent：%1</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>需要关注</translation>
    </message>
    <message>
        <source>No lock needs attention</source>
        <translation>没有需要关注的锁</translation>
    </message>
    <message>
        <source>No observed lock needs attention</source>
        <translation>观测到的锁中没有需要关注的</translation>
    </message>
    <message>
        <source>No source is observed now</source>
        <translation>当前没有观测到任何数据源</translation>
    </message>
    <message>
        <source>Sources and when they were seen, last hour</source>
        <translation>数据源及最近一小时的观测情况</translation>
    </message>
    <message>
        <source>Locks that need a look, worst first</source>
        <translation>需要关注的锁，最严重的在前</translation>
    </message>
    <message>
        <source>held</source>
        <comment>locks</comment>
        <translation>持有中</translation>
    </message>
    <message>
        <source>Open the locks that are held</source>
        <translation>打开持有中的锁</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>Locks of the observed sources</source>
        <translation>已观测数据源中的锁</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::PasswordField</name>
    <message>
        <source>Typed here</source>
        <translation>在此输入</translation>
    </message>
    <message>
        <source>In an environment variable</source>
        <translation>在环境变量中</translation>
    </message>
    <message>
        <source>In a file</source>
        <translation>在文件中</translation>
    </message>
    <message>
        <source>Where the password is</source>
        <translation>密码来源</translation>
    </message>
    <message>
        <source>Environment variable of the password</source>
        <translation>密码所在的环境变量</translation>
    </message>
    <message>
        <source>File of the password</source>
        <translation>密码文件</translation>
    </message>
    <message>
        <source>Cleared: it was typed for another server</source>
        <translation>已清除：这是为另一台服务器输入的</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::PastDialog</name>
    <message>
        <source>State at a time</source>
        <translation>某一时刻的状态</translation>
    </message>
    <message>
        <source>Show the locks as they were at (%1):</source>
        <translation>显示该时刻的锁（%1）：</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>03:12, yesterday 22:00, 2026-11-20 03:12:30, or -15m for fifteen minutes ago</source>
        <translation>03:12、昨天 22:00、2026-11-20 03:12:30，或 -15m（15 分钟前）</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>This time is in the future.</source>
        <translation>该时间尚未到来。</translation>
    </message>
    <message>
        <source>This isn&apos;t a time.</source>
        <translation>时间格式无效。</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>日期</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::PastView</name>
    <message>
        <source>State at a time</source>
        <translation>某一时刻的状态</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>%1 wasn&apos;t observed then, last at %2 %3: its locks are as last known.</source>
        <translation>%1 当时未被观测，最后一次观测在 %2 %3：其锁为最后已知的状态。</translation>
    </message>
    <message>
        <source>%1 wasn&apos;t observed then, nor before.</source>
        <translation>%1 在当时及之前都未被观测。</translation>
    </message>
    <message>
        <source>As of %1 %2</source>
        <translation>截至 %1 %2</translation>
    </message>
    <message>
        <source>%1 – reading %2 %3…</source>
        <comment>as of a time; another time, zone</comment>
        <translation>%1，正在读取 %2 %3…</translation>
    </message>
    <message>
        <source>Another time…</source>
        <translation>其他时刻…</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>返回现在</translation>
    </message>
    <message>
        <source>%1: its part %2 wasn&apos;t observed then, and its locks (~) may have changed.</source>
        <translation>%1：其中 %2 当时未被观测，相应的锁（~）可能已有变化。</translation>
    </message>
    <message>
        <source>The table of that time isn&apos;t available: %1</source>
        <translation>无法显示该时刻的锁表：%1</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::PhaseChips</name>
    <message>
        <source>%1: show or hide alerts in this state</source>
        <comment>a state</comment>
        <translation>%1：显示或隐藏此状态的告警</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::PreferencesDialog</name>
    <message>
        <source>Export folder</source>
        <translation>导出文件夹</translation>
    </message>
    <message>
        <source>The system&apos;s</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>紧凑</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation>宽松</translation>
    </message>
    <message>
        <source>Local</source>
        <translation>本地</translation>
    </message>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation>
            <numerusform>%n 秒</numerusform>
        </translation>
    </message>
    <message>
        <source>The last one</source>
        <translation>上次的视图</translation>
    </message>
    <message>
        <source>Notify of approval requests</source>
        <translation>有待审批的申请时通知</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>Language:</source>
        <translation>语言：</translation>
    </message>
    <message>
        <source>Appearance:</source>
        <translation>外观：</translation>
    </message>
    <message>
        <source>Row height:</source>
        <translation>行高：</translation>
    </message>
    <message>
        <source>Times in:</source>
        <translation>时区：</translation>
    </message>
    <message>
        <source>Re-sort every:</source>
        <translation>重新排序间隔：</translation>
    </message>
    <message>
        <source>Start with:</source>
        <translation>启动视图：</translation>
    </message>
    <message>
        <source>Export folder:</source>
        <translation>导出文件夹：</translation>
    </message>
    <message>
        <source>Mark rows whose state has changed</source>
        <translation>标记状态有变化的行</translation>
    </message>
    <message>
        <source>Tint stuck and expired rows</source>
        <translation>为卡死和已过期的行着色</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Reconnect automatically</source>
        <translation>自动重新连接</translation>
    </message>
    <message>
        <source>Show milliseconds in every view</source>
        <translation>在所有视图中显示毫秒</translation>
    </message>
    <message>
        <source>Notify of alerts</source>
        <translation>发送告警通知</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ProbeDialog</name>
    <message>
        <source>Not probed: %1</source>
        <translation>未探测：%1</translation>
    </message>
    <message>
        <source>%1 commands passed by in %2.</source>
        <translation>%2 内经过 %1 条命令。</translation>
    </message>
    <message>
        <source>The probe ended early: the command limit was reached.</source>
        <translation>探测提前结束：经过的命令已达上限。</translation>
    </message>
    <message>
        <source>The probe ended early: the commands were too long.</source>
        <translation>探测提前结束：命令过长。</translation>
    </message>
    <message>
        <source>The probe ended early: the agent couldn&apos;t keep up.</source>
        <translation>探测提前结束：Agent 来不及处理。</translation>
    </message>
    <message>
        <source>Probe %1</source>
        <translation>探测 %1</translation>
    </message>
    <message>
        <source>The agent sends MONITOR: the server copies every command of every client to it, values included, and is slower during the probe. Measured on a fully loaded server, it lost two thirds of its throughput. Only attempts on locks are counted, nothing else is kept. The probe is audited.</source>
        <translation>Agent 发送 MONITOR：服务器会把每个客户端的每条命令连同其值复制给它，期间运行变慢。在满载的服务器上实测，吞吐量下降了三分之二。只统计对锁的尝试，不保留其他任何内容。探测会记入审计。</translation>
    </message>
    <message>
        <source>For</source>
        <translation>时长</translation>
    </message>
    <message>
        <source> s</source>
        <comment>seconds, after a number</comment>
        <translation> 秒</translation>
    </message>
    <message>
        <source>For, in seconds</source>
        <translation>时长（秒）</translation>
    </message>
    <message>
        <source>At most, commands</source>
        <translation>命令数上限</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>Attempts by lock and client</source>
        <translation>按锁与客户端统计的尝试</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Probe again</source>
        <translation>再次探测</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message numerus="yes">
        <source>Listening for %n second(s)…</source>
        <translation>
            <numerusform>正在监听 %n 秒…</numerusform>
        </translation>
    </message>
    <message>
        <source>No client attempted to take a lock.</source>
        <translation>没有客户端尝试获取锁。</translation>
    </message>
    <message>
        <source>The server doesn&apos;t report results, so failed attempts can&apos;t be identified.</source>
        <translation>服务器不报告结果，因此无法识别失败的尝试。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::RangeBar</name>
    <message>
        <source>Last hour</source>
        <translation>最近 1 小时</translation>
    </message>
    <message>
        <source>Last night, 22–08</source>
        <translation>昨夜 22–08 点</translation>
    </message>
    <message>
        <source>Last 24 hours</source>
        <translation>最近 24 小时</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>From – to</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Beginning of the range</source>
        <translation>范围起点</translation>
    </message>
    <message>
        <source>End of the range</source>
        <translation>范围终点</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ReceiversPanel</name>
    <message>
        <source>Sending…</source>
        <translation>正在发送…</translation>
    </message>
    <message>
        <source>Select a receiver to test it.</source>
        <translation>选择一个接收端以进行测试。</translation>
    </message>
    <message>
        <source>The agent isn&apos;t connected.</source>
        <translation>未连接到 Agent。</translation>
    </message>
    <message>
        <source>A test takes the role admin.</source>
        <translation>测试需要 admin 角色。</translation>
    </message>
    <message>
        <source>The test message was delivered to %1.</source>
        <translation>测试消息已送达 %1。</translation>
    </message>
    <message>
        <source>The test message wasn&apos;t delivered to %1: %2</source>
        <translation>测试消息未能送达 %1：%2</translation>
    </message>
    <message>
        <source>Receivers</source>
        <translation>接收端</translation>
    </message>
    <message>
        <source>No receiver is configured: only open consoles notify people. A [[receiver]] section in the agent&apos;s configuration adds one.</source>
        <translation>未配置接收端：只有打开的控制台会发出通知。可在 Agent 的配置中用 [[receiver]] 段添加。</translation>
    </message>
    <message>
        <source>Send a &amp;test message</source>
        <translation>发送测试消息(&amp;T)</translation>
    </message>
    <message>
        <source>Receivers of alerts</source>
        <translation>告警接收端</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::RecentHolds</name>
    <message>
        <source>Last holds</source>
        <translation>最近的持有</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what, cause</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>None in the journal yet.</source>
        <translation>日志库中尚无记录。</translation>
    </message>
    <message>
        <source>No agent is connected.</source>
        <translation>未连接 Agent。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ReleaseDialog</name>
    <message>
        <source>Its agent isn&apos;t connected, so the lock can&apos;t be read. Force-release is unavailable.</source>
        <translation>其 Agent 未连接，因此无法读取该锁。不能释放。</translation>
    </message>
    <message>
        <source>It is now held by %1. The request whose answer was lost may have released it before; the audit says what is known.</source>
        <translation>现由 %1 持有。响应丢失的那次请求此前可能已将其释放；已知情况见审计。</translation>
    </message>
    <message>
        <source>The lock can&apos;t be read: %1</source>
        <translation>无法读取该锁：%1</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Only if not &amp;renewed since</source>
        <translation>仅当此后未续期(&amp;R)</translation>
    </message>
    <message>
        <source>Reason (goes to the audit):</source>
        <translation>原因（记入审计）：</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Type the lock&apos;s name to confirm:</source>
        <translation>请输入锁的名称以确认：</translation>
    </message>
    <message>
        <source>The lock&apos;s name, to confirm</source>
        <translation>锁的名称，用于确认</translation>
    </message>
    <message>
        <source>Co&amp;py details</source>
        <translation>复制详情(&amp;P)</translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation>正在发送…</translation>
    </message>
    <message>
        <source>Checked %1 ago</source>
        <translation>%1前已检查</translation>
    </message>
    <message>
        <source>Not read yet</source>
        <translation>尚未读取</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>It isn&apos;t held any more. The request whose answer was lost may have released it; the audit has the known facts.</source>
        <translation>已无人持有。响应丢失的那次请求可能已将其释放；已知情况见审计。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ReleaseFacts</name>
    <message>
        <source>Lock:</source>
        <translation>锁：</translation>
    </message>
    <message>
        <source>Source:</source>
        <translation>数据源：</translation>
    </message>
    <message>
        <source>Holder:</source>
        <translation>持有者：</translation>
    </message>
    <message>
        <source>Held for:</source>
        <translation>持有时长：</translation>
    </message>
    <message>
        <source>Remaining:</source>
        <translation>剩余时间：</translation>
    </message>
    <message>
        <source>Alive:</source>
        <translation>活动迹象：</translation>
    </message>
    <message>
        <source>Waiters:</source>
        <translation>等待者：</translation>
    </message>
    <message>
        <source>Will run:</source>
        <translation>将执行：</translation>
    </message>
    <message>
        <source>Guard:</source>
        <translation>校验条件：</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%n, longest %1</source>
        <translation>
            <numerusform>%n 个，最长 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Nodes:</source>
        <translation>节点：</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>node, what it has</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Agent:</source>
        <translation>Agent：</translation>
    </message>
    <message>
        <source>%1 releases it; also seen by %2</source>
        <translation>由 %1 释放；%2 也能观测到</translation>
    </message>
    <message>
        <source>Its lease:</source>
        <translation>其租约：</translation>
    </message>
    <message>
        <source>%1; probed: %2</source>
        <comment>sign of life, verdict</comment>
        <translation>%1；探测：%2</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::ReportDialog</name>
    <message>
        <source>Incident report</source>
        <translation>事故报告</translation>
    </message>
    <message>
        <source>Report on %1</source>
        <comment>lock</comment>
        <translation>关于 %1 的报告</translation>
    </message>
    <message>
        <source>The report is one HTML or PDF file for readers without this program. It names the times that were not observed.</source>
        <translation>报告是单个 HTML 或 PDF 文件，读者无需安装本程序。报告会列出未被观测的时间。</translation>
    </message>
    <message>
        <source>&amp;From (%1)</source>
        <comment>zone</comment>
        <translation>起始（%1）(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;To (%1)</source>
        <comment>zone</comment>
        <translation>结束（%1）(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>Asking the agent…</source>
        <translation>正在查询 Agent…</translation>
    </message>
    <message>
        <source>The report was written to %1</source>
        <translation>报告已写入 %1</translation>
    </message>
    <message>
        <source>“%1” isn&apos;t a time. Write 21:20, yesterday 21:20, 2026-11-20 21:20 or -15m.</source>
        <translation>“%1”不是时间。请写作 21:20、yesterday 21:20、2026-11-20 21:20 或 -15m。</translation>
    </message>
    <message>
        <source>The range ends before it begins.</source>
        <translation>范围的结束早于起始。</translation>
    </message>
    <message>
        <source>HTML page (*.html)</source>
        <translation>HTML 页面 (*.html)</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF 文档 (*.pdf)</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::SourceChip</name>
    <message>
        <source>%1: %2, %3</source>
        <comment>source, state, when seen</comment>
        <translation>%1：%2，%3</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::SourcePanel</name>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Last seen</source>
        <translation>最近观测</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Store&apos;s clock</source>
        <translation>存储时钟</translation>
    </message>
    <message>
        <source>Observation</source>
        <translation>观测</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Schemes</source>
        <translation>锁方案</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>%1 since %2</source>
        <comment>state, time</comment>
        <translation>%1，自 %2 起</translation>
    </message>
    <message>
        <source>%1; not observed since %2</source>
        <translation>%1；自 %2 起未被观测</translation>
    </message>
    <message>
        <source>%1 held, %2 free, %3 expired, %4 stuck, %5 contended</source>
        <translation>持有中 %1，空闲 %2，已过期 %3，卡死 %4，争用中 %5</translation>
    </message>
    <message>
        <source>%1 against the agent&apos;s</source>
        <translation>与 Agent 时钟相差 %1</translation>
    </message>
    <message>
        <source>Not known before the source was reached.</source>
        <translation>连接到数据源之前未知。</translation>
    </message>
    <message>
        <source>A right to observe is missing: some locks can&apos;t be seen.</source>
        <translation>缺少观测权限：部分锁不可见。</translation>
    </message>
    <message>
        <source>Can observe. Can&apos;t force-release: a right is missing.</source>
        <translation>可以观测。不能强制释放：缺少权限。</translation>
    </message>
    <message>
        <source>Can observe and force-release.</source>
        <translation>可以观测和强制释放。</translation>
    </message>
    <message>
        <source>The statement is on the clipboard</source>
        <translation>语句已复制到剪贴板</translation>
    </message>
    <message>
        <source>&amp;Copy statement</source>
        <translation>复制语句(&amp;C)</translation>
    </message>
    <message>
        <source>%1 against the agent&apos;s: more than 2 s off, set one of the clocks right</source>
        <translation>与 Agent 时钟相差 %1：超过 2 秒，请校正其中一个时钟</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Polling every %1, a scan takes %2</source>
        <comment>interval, duration</comment>
        <translation>每 %1 轮询一次，每次用时 %2</translation>
    </message>
    <message>
        <source>not counted: your role covers only some of its locks</source>
        <translation>未统计：当前角色只能查看其中一部分锁</translation>
    </message>
    <message>
        <source>Push: the store reports each change; a full scan to verify takes %1</source>
        <translation>推送：存储通知每次变更；一次全量核对耗时 %1</translation>
    </message>
    <message>
        <source>The agent&apos;s rights</source>
        <translation>Agent 的权限</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::SourceStrip</name>
    <message>
        <source>seen by another agent</source>
        <translation>由另一 Agent 观测</translation>
    </message>
    <message>
        <source>never seen</source>
        <translation>从未观测到</translation>
    </message>
    <message>
        <source>Observed all through the last hour</source>
        <translation>最近一小时全程被观测</translation>
    </message>
    <message>
        <source>Not observed %1 – %2 (%3)</source>
        <comment>from, to, how long</comment>
        <translation>未被观测：%1 – %2（%3）</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <comment>gaps</comment>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <comment>sources</comment>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>not seen for %1</source>
        <translation>未被观测已有 %1</translation>
    </message>
    <message>
        <source>seen now</source>
        <translation>正在观测</translation>
    </message>
    <message numerus="yes">
        <source>seen now, %Ln lock(s)</source>
        <translation>
            <numerusform>正在观测，%Ln 个锁</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::SourcesView</name>
    <message>
        <source>Its agent isn&apos;t connected</source>
        <translation>其 Agent 未连接</translation>
    </message>
    <message>
        <source>The agent&apos;s configuration names no store to watch.</source>
        <translation>Agent 的配置中没有要观测的存储。</translation>
    </message>
    <message>
        <source>No agent is connected</source>
        <translation>未连接 Agent</translation>
    </message>
    <message>
        <source>Its sources are known once it answers.</source>
        <translation>Agent 响应后即可看到其数据源。</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>No sources</source>
        <translation>没有数据源</translation>
    </message>
    <message>
        <source>The agent&apos;s state is not known: %1</source>
        <translation>Agent 状态未知：%1</translation>
    </message>
    <message>
        <source>The journal can&apos;t be written, so nothing can be force-released: %1</source>
        <translation>无法写入日志库，因此不能强制释放任何锁：%1</translation>
    </message>
    <message numerus="yes">
        <source>Agent %1 %2 · running for %3 · journal %4, %5 events · disk %6 free · %n console(s)</source>
        <translation>
            <numerusform>Agent %1 %2 · 已运行 %3 · 日志库 %4，%5 条事件 · 磁盘剩余 %6 · %n 个控制台</numerusform>
        </translation>
    </message>
    <message>
        <source>Count what this store&apos;s clients attempt, for a moment</source>
        <translation>短时间统计该存储各客户端的加锁尝试</translation>
    </message>
    <message>
        <source>Your role doesn&apos;t allow this</source>
        <translation>当前角色不允许此操作</translation>
    </message>
    <message>
        <source>&amp;Probe…</source>
        <translation>探测(&amp;P)…</translation>
    </message>
    <message>
        <source>The journal or its audit isn&apos;t whole: %1</source>
        <translation>日志库或其审计不完整：%1</translation>
    </message>
    <message>
        <source>Show its &amp;locks</source>
        <translation>显示其中的锁(&amp;L)</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::StartPage</name>
    <message>
        <source>Welcome to Lockkeeper</source>
        <translation>欢迎使用 Lockkeeper</translation>
    </message>
    <message>
        <source>Connect to an agent</source>
        <translation>连接 Agent</translation>
    </message>
    <message>
        <source>Address:</source>
        <translation>地址：</translation>
    </message>
    <message>
        <source>Address of the agent</source>
        <translation>Agent 的地址</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation>体验演示环境</translation>
    </message>
    <message>
        <source>Starts private Redis and MariaDB servers with a set of active locks, an agent and a console, and removes everything afterwards. Run this in the source folder:</source>
        <translation>启动私有的 Redis 和 MariaDB 服务器、Agent 和控制台，演示一组不断变化的锁，结束后全部清除。请在源代码文件夹中运行：</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what, cause</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Start the agent, or check its data_dir and listen.</source>
        <translation>请启动 Agent，或检查其 data_dir 和 listen 配置。</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Connected to %1 as %2 (%3).</source>
        <comment>agent, user, role</comment>
        <translation>已以 %2（%3）身份连接到 %1。</translation>
    </message>
    <message>
        <source>%1 speaks the same protocol.</source>
        <translation>与 %1 的协议版本兼容。</translation>
    </message>
    <message>
        <source>Watch a store</source>
        <translation>观测存储</translation>
    </message>
    <message>
        <source>Finds the lock tables of a database and watches them from here, without an agent elsewhere.</source>
        <translation>找出数据库中存放锁的表，直接在本机观测，无需另设 Agent。</translation>
    </message>
    <message>
        <source>Watch a store…</source>
        <translation>观测存储…</translation>
    </message>
    <message>
        <source>Recent:</source>
        <translation>最近使用：</translation>
    </message>
    <message>
        <source>Recent agents, the last one first</source>
        <translation>最近使用的 Agent，最新在前</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove this address from the list</source>
        <translation>从列表中移除此地址</translation>
    </message>
    <message>
        <source>no answer within %1 s</source>
        <translation>%1 秒内没有响应</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>name of an agent, address</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>cause, remedy</comment>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>Saved:</source>
        <translation>已保存：</translation>
    </message>
    <message>
        <source>Agents that agents.toml names</source>
        <translation>agents.toml 中命名的 Agent</translation>
    </message>
    <message>
        <source>Good</source>
        <comment>step of a test</comment>
        <translation>通过</translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>step of a test</comment>
        <translation>失败</translation>
    </message>
    <message>
        <source>Under way</source>
        <comment>step of a test</comment>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Connect shows its fingerprint so that you can compare and trust it.</source>
        <translation>连接时会显示其指纹，核对后方可信任。</translation>
    </message>
    <message>
        <source>Connect asks for both.</source>
        <translation>连接时会询问这两项。</translation>
    </message>
    <message>
        <source>Connecting over SSH; it may ask you to log in…</source>
        <translation>正在通过 ssh 连接；可能会要求登录…</translation>
    </message>
    <message>
        <source>Looking the name up…</source>
        <translation>正在解析名称…</translation>
    </message>
    <message>
        <source>Beginning TLS…</source>
        <translation>正在建立 TLS…</translation>
    </message>
    <message>
        <source>Logging in…</source>
        <translation>正在登录…</translation>
    </message>
    <message>
        <source>Asking for the version…</source>
        <translation>正在查询版本…</translation>
    </message>
    <message>
        <source>The name %1 is known.</source>
        <translation>名称 %1 可以解析。</translation>
    </message>
    <message>
        <source>ssh is logged in to %1.</source>
        <translation>ssh 已登录 %1。</translation>
    </message>
    <message>
        <source>The socket answers.</source>
        <translation>套接字有响应。</translation>
    </message>
    <message>
        <source>The remote bridge has reached the agent&apos;s socket.</source>
        <translation>对端的桥接已连接到 Agent 的套接字。</translation>
    </message>
    <message>
        <source>An address or a name of agents.toml; several separated by a comma and a space</source>
        <translation>地址，或 agents.toml 中的名称；多个之间用逗号加空格分隔</translation>
    </message>
    <message>
        <source>Of several addresses the last one is tested</source>
        <translation>有多个地址时，测试最后一个</translation>
    </message>
    <message>
        <source>TLS is established and the certificate is trusted.</source>
        <translation>TLS 已建立，证书可信。</translation>
    </message>
    <message>
        <source>Start the demo</source>
        <translation>启动演示</translation>
    </message>
    <message>
        <source>Install lockkeeper-agent to start a demo from here.</source>
        <translation>安装 lockkeeper-agent 后即可从此处启动演示。</translation>
    </message>
    <message>
        <source>Install redis-server to start a demo from here.</source>
        <translation>安装 redis-server 后即可从此处启动演示。</translation>
    </message>
    <message>
        <source>Starts a private Redis with a set of active locks and an agent that watches it, and removes everything afterwards.</source>
        <translation>启动一个私有的 Redis、一组活跃的锁和一个观测它们的 Agent，结束后全部清除。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::StateChip</name>
    <message>
        <source>%1: show or hide locks in this state</source>
        <comment>a state</comment>
        <translation>%1：显示或隐藏此状态的锁</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::StatePage</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详情</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::StoreForm</name>
    <message>
        <source>SQLite file</source>
        <translation>SQLite 文件</translation>
    </message>
    <message>
        <source>Which store keeps the locks? Its catalogue is read, and a few rows of tables that look like locks. Nothing is written to it.</source>
        <translation>锁保存在哪个存储中？只读取其系统目录以及疑似存放锁的表中的少量行，不写入任何内容。</translation>
    </message>
    <message>
        <source>Store:</source>
        <translation>存储：</translation>
    </message>
    <message>
        <source>Host or socket:</source>
        <translation>主机或套接字：</translation>
    </message>
    <message>
        <source>Port:</source>
        <translation>端口：</translation>
    </message>
    <message>
        <source>Database:</source>
        <translation>数据库：</translation>
    </message>
    <message>
        <source>User:</source>
        <translation>用户：</translation>
    </message>
    <message>
        <source>Password:</source>
        <translation>密码：</translation>
    </message>
    <message>
        <source>File:</source>
        <translation>文件：</translation>
    </message>
    <message>
        <source>Address:</source>
        <translation>地址：</translation>
    </message>
    <message>
        <source>Which store keeps the locks? The names of its keys are read, and the values of a few of each kind. Nothing is written to it.</source>
        <translation>锁保存在哪个存储中？只读取键名以及每类中少数几个键的值，不写入任何内容。</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Choose the store above, and name its host alone.</source>
        <translation>请在上方选择存储，并只填写主机。</translation>
    </message>
    <message>
        <source>Hosts with ports:</source>
        <translation>主机和端口：</translation>
    </message>
    <message>
        <source>Primary&apos;s name:</source>
        <translation>主节点名称：</translation>
    </message>
    <message>
        <source>Write it like mysql://user@host:3306/database or redis://host:6379/0, or fill in the fields.</source>
        <translation>请写成 mysql://user@host:3306/database 或 redis://host:6379/0 的形式，或填写各栏。</translation>
    </message>
    <message>
        <source>Paste a URL, or fill in the fields</source>
        <translation>粘贴 URL，或填写各栏</translation>
    </message>
    <message>
        <source>Which store keeps the locks? The names and leases of its keys are read, and none of their values. Nothing is written to it.</source>
        <translation>锁保存在哪个存储中？只读取键名及其租约，不读取任何值，也不会写入任何内容。</translation>
    </message>
    <message>
        <source>Which store keeps the locks? The names and types of the fields of a few documents of each collection are read, and of times and numbers the values. Nothing is written to it.</source>
        <translation>锁保存在哪个存储中？只读取每个集合中少量文档的字段名和类型，以及其中时间和数字的值，不写入任何内容。</translation>
    </message>
    <message>
        <source>Replica set:</source>
        <translation>副本集：</translation>
    </message>
    <message>
        <source>Which store keeps the locks? The names of its znodes are read, and none of their data. Nothing is written to it.</source>
        <translation>锁保存在哪个存储中？只读取 znode 的名称，不读取任何数据，也不会写入任何内容。</translation>
    </message>
    <message>
        <source>Chroot:</source>
        <translation>Chroot：</translation>
    </message>
    <message>
        <source>“%1” isn&apos;t the address of a store that can be scanned here.</source>
        <translation>“%1”不是此处可扫描的存储地址。</translation>
    </message>
    <message>
        <source>Addresses that begin with %1:// can&apos;t be scanned here.</source>
        <translation>此处不支持扫描 %1:// 开头的地址。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::TablesPage</name>
    <message>
        <source>No table of locks was recognised. Tables can be mapped by hand in the agent&apos;s configuration.</source>
        <translation>未识别出存放锁的表。可在 Agent 的配置中手动映射表。</translation>
    </message>
    <message>
        <source>Why:</source>
        <translation>依据：</translation>
    </message>
    <message>
        <source>Recognised tables</source>
        <translation>识别出的表</translation>
    </message>
    <message>
        <source>Reasons</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Recognised keys</source>
        <translation>识别出的键</translation>
    </message>
    <message>
        <source>No pattern of lock keys was recognised. Name one below.</source>
        <translation>未识别出锁键的模式。可在下方指定。</translation>
    </message>
    <message>
        <source>Add a pattern of key names, such as lock:*</source>
        <translation>添加键名模式，例如 lock:*</translation>
    </message>
    <message>
        <source>Pattern of key names</source>
        <translation>键名模式</translation>
    </message>
    <message>
        <source>How these locks work</source>
        <translation>这些锁的工作方式</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>Add a pattern of paths, such as /locks/*</source>
        <translation>添加路径模式，例如 /locks/*</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::TimeBar</name>
    <message>
        <source>Go to %1 %2</source>
        <translation>转到 %1 %2</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::TimeFields</name>
    <message>
        <source>Times without a zone are in:</source>
        <translation>不带时区的时间按：</translation>
    </message>
    <message>
        <source>Time zone of times without a zone</source>
        <translation>不带时区的时间所用的时区</translation>
    </message>
    <message>
        <source>This is not the name of a time zone.</source>
        <translation>这不是时区名称。</translation>
    </message>
    <message>
        <source>Times are written by:</source>
        <translation>时间的来源：</translation>
    </message>
    <message>
        <source>the database&apos;s clock</source>
        <translation>数据库的时钟</translation>
    </message>
    <message>
        <source>the application&apos;s own clock</source>
        <translation>应用程序自己的时钟</translation>
    </message>
    <message>
        <source>The clock that dates the locks</source>
        <translation>锁的时间取自哪个时钟</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::TimelineCanvas</name>
    <message>
        <source>Waits meanwhile: %1</source>
        <translation>其间的等待：%1</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::TimelineLegend</name>
    <message>
        <source>Hold</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Start uncertain</source>
        <translation>起点不确定</translation>
    </message>
    <message>
        <source>Not observed</source>
        <translation>未被观测</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Not read again: %1</source>
        <translation>未能重新读取：%1</translation>
    </message>
    <message numerus="yes">
        <source>These %n lane(s) are those that were waited for most; there are more.</source>
        <translation>
            <numerusform>这 %n 条泳道是等待最多的，还有更多。</numerusform>
        </translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Nothing was read</source>
        <translation>未读取任何内容</translation>
    </message>
    <message>
        <source>Reading was cancelled, or no agent is connected.</source>
        <translation>读取已取消，或未连接 Agent。</translation>
    </message>
    <message>
        <source>No lock is selected</source>
        <translation>未选择锁</translation>
    </message>
    <message>
        <source>Nothing is known of these locks in this time</source>
        <translation>这段时间内没有这些锁的记录</translation>
    </message>
    <message>
        <source>Select one in Locks and press Ctrl+T.</source>
        <translation>在“锁”视图中选择一个，然后按 Ctrl+T。</translation>
    </message>
    <message>
        <source>Show the locks that were waited for most</source>
        <translation>显示等待最多的锁</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Nothing was held in this time, as far as it was observed</source>
        <translation>在已观测的范围内，这段时间没有锁被持有</translation>
    </message>
    <message>
        <source>The journal reaches back to %1.</source>
        <translation>日志库最早到 %1。</translation>
    </message>
    <message>
        <source>The agent has journalled nothing so far.</source>
        <translation>Agent 尚未记录任何内容。</translation>
    </message>
    <message>
        <source>Show the whole journal</source>
        <translation>显示整个日志库</translation>
    </message>
    <message>
        <source>Journal since %1</source>
        <translation>日志库始于 %1</translation>
    </message>
    <message>
        <source>Point at a moment to see what was true then; click to keep it.</source>
        <translation>指向某一时刻可查看当时的状态；单击可固定。</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>所选时段：%1</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Locks waited for most</source>
        <translation>等待最多的锁</translation>
    </message>
    <message>
        <source>Holders</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>数据源</translation>
    </message>
    <message>
        <source>Selected locks</source>
        <translation>所选的锁</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation>放大（+）</translation>
    </message>
    <message>
        <source>Zoom out (−)</source>
        <translation>缩小（−）</translation>
    </message>
    <message>
        <source>Back to what was shown before (Backspace)</source>
        <translation>返回之前的范围（Backspace）</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Show the whole journal (0)</source>
        <translation>显示整个日志库（0）</translation>
    </message>
    <message>
        <source>Follow now</source>
        <translation>跟随当前</translation>
    </message>
    <message>
        <source>Follow the current time (L)</source>
        <translation>跟随当前时间（L）</translation>
    </message>
    <message>
        <source>As a table</source>
        <translation>表格形式</translation>
    </message>
    <message>
        <source>The same bars as rows, to read, to copy and to export</source>
        <translation>将同样的时间条显示为行，便于阅读、复制和导出</translation>
    </message>
    <message>
        <source>State at this time</source>
        <translation>该时刻的状态</translation>
    </message>
    <message>
        <source>All locks as they were at the moment that is marked</source>
        <translation>所有锁在标记时刻的状态</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Contention</source>
        <translation>争用</translation>
    </message>
    <message>
        <source>Filter: name, or holder:x source:y from:-6h to:-5h</source>
        <translation>筛选：名称，或 holder:x source:y from:-6h to:-5h</translation>
    </message>
    <message>
        <source>Filter of the lanes</source>
        <translation>泳道筛选</translation>
    </message>
    <message>
        <source>Timeline of holds and waits; arrow keys move, Shift+arrows step from event to event</source>
        <translation>持有与等待的时间线；方向键平移，Shift+方向键逐个事件移动</translation>
    </message>
    <message>
        <source>The whole journal, with the density of its events</source>
        <translation>整个日志库及其事件密度</translation>
    </message>
    <message>
        <source>Holds, waits and gaps that are shown</source>
        <translation>所示的持有、等待和观测中断</translation>
    </message>
    <message>
        <source>Show in &amp;Locks</source>
        <translation>在锁视图中显示(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;History of this lock</source>
        <translation>此锁的历史(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Only this lock</source>
        <translation>仅此锁(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Pin to the top</source>
        <translation>固定在顶部(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;State at this time</source>
        <translation>该时刻的状态(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Copy as a picture</source>
        <translation>复制为图片(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>The picture is on the clipboard</source>
        <translation>图片已复制到剪贴板</translation>
    </message>
    <message>
        <source>Bars don&apos;t have events, waiters, TTLs and commands: these terms are ignored.</source>
        <translation>时间条不含事件、等待者、TTL 和命令：这些条件已忽略。</translation>
    </message>
    <message>
        <source>No lane matches this filter</source>
        <translation>没有符合此筛选条件的泳道</translation>
    </message>
    <message>
        <source>Among the locks that were held or waited for in this time.</source>
        <translation>范围是这段时间内被持有或等待过的锁。</translation>
    </message>
    <message>
        <source>Timeline – %1</source>
        <comment>agent</comment>
        <translation>时间线 – %1</translation>
    </message>
    <message>
        <source>&amp;Report…</source>
        <translation>报告(&amp;R)…</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::TlsFields</name>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>TLS, certificate and name checked</source>
        <translation>TLS，校验证书和名称</translation>
    </message>
    <message>
        <source>TLS, certificate checked, not its name</source>
        <translation>TLS，校验证书，不校验名称</translation>
    </message>
    <message>
        <source>TLS, server not checked</source>
        <translation>TLS，不校验服务器</translation>
    </message>
    <message>
        <source>Encryption:</source>
        <translation>加密：</translation>
    </message>
    <message>
        <source>Authorities:</source>
        <translation>证书颁发机构：</translation>
    </message>
    <message>
        <source>Client certificate:</source>
        <translation>客户端证书：</translation>
    </message>
    <message>
        <source>Client key:</source>
        <translation>客户端密钥：</translation>
    </message>
    <message>
        <source>Encryption</source>
        <translation>加密</translation>
    </message>
    <message>
        <source>File of certificate authorities (PEM)</source>
        <translation>证书颁发机构文件（PEM）</translation>
    </message>
    <message>
        <source>File of the client&apos;s certificate (PEM)</source>
        <translation>客户端证书文件（PEM）</translation>
    </message>
    <message>
        <source>File of the client&apos;s key (PEM)</source>
        <translation>客户端密钥文件（PEM）</translation>
    </message>
    <message>
        <source>those of this system</source>
        <translation>本系统的证书颁发机构</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::Tray</name>
    <message>
        <source>Lockkeeper</source>
        <translation>Lockkeeper</translation>
    </message>
    <message>
        <source>Show Lockkeeper</source>
        <translation>显示 Lockkeeper</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::TrustDialog</name>
    <message>
        <source>Unknown agent</source>
        <translation>未知的 Agent</translation>
    </message>
    <message>
        <source>The certificate of the agent at %1 isn&apos;t signed by a trusted authority. Its fingerprint:</source>
        <translation>%1 的证书未经受信任的 CA 签发，其指纹为：</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>指纹</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>I have compared the two, and they are &amp;equal</source>
        <translation>我已比对，两者一致(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Trust this agent</source>
        <translation>信任此 Agent(&amp;T)</translation>
    </message>
    <message>
        <source>The agent&apos;s administrator sees the right one by:</source>
        <translation>Agent 的管理员可用以下命令查看正确的指纹：</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::View</name>
    <message>
        <source>As of (%1)</source>
        <comment>a past moment, its time zone</comment>
        <translation>截至（%1）</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::WaitingPanel</name>
    <message>
        <source>observed: %1</source>
        <translation>已观测：%1</translation>
    </message>
    <message>
        <source>%1 waiting on average</source>
        <translation>平均 %1 个等待者</translation>
    </message>
    <message>
        <source>not all of it is known</source>
        <translation>数据不完整</translation>
    </message>
    <message>
        <source>Waiting, last hour</source>
        <translation>最近一小时的等待者</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Waiting, last hour, without %1</source>
        <comment>sources</comment>
        <translation>最近一小时的等待者，不含 %1</translation>
    </message>
    <message>
        <source>Waiting, the hour until %1</source>
        <translation>截至 %1 一小时内的等待者</translation>
    </message>
    <message>
        <source>%L1 waiting</source>
        <translation>%L1 个等待者</translation>
    </message>
    <message>
        <source>No waiting was seen.</source>
        <translation>未观测到等待者。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::WatchStoreDialog</name>
    <message>
        <source>The program lockkeeper-agent isn&apos;t installed on this computer. Install it, or give the section below to an agent elsewhere.</source>
        <translation>本机未安装 lockkeeper-agent。请安装，或将下方的配置段交给其他机器上的 Agent。</translation>
    </message>
    <message>
        <source>The agent doesn&apos;t accept the configuration. It says:</source>
        <translation>Agent 不接受该配置，其输出如下：</translation>
    </message>
    <message>
        <source>The private agent was started, but doesn&apos;t answer. It says:</source>
        <translation>私有 Agent 已启动但没有响应，其输出如下：</translation>
    </message>
    <message>
        <source>The private agent ended. It says:</source>
        <translation>私有 Agent 已退出，其输出如下：</translation>
    </message>
    <message>
        <source>The private agent can&apos;t be started: %1</source>
        <translation>无法启动私有 Agent：%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what, cause</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Look for locks</source>
        <translation>查找锁</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Starting the private agent…</source>
        <translation>正在启动私有 Agent…</translation>
    </message>
    <message>
        <source>The private agent checks its configuration…</source>
        <translation>私有 Agent 正在检查配置…</translation>
    </message>
    <message>
        <source>Watch a store</source>
        <translation>观测存储</translation>
    </message>
    <message>
        <source>Looking for locks</source>
        <translation>正在查找锁</translation>
    </message>
    <message>
        <source>Which tables should be watched?</source>
        <translation>要观测哪些表？</translation>
    </message>
    <message>
        <source>How are they to be watched?</source>
        <translation>如何观测？</translation>
    </message>
    <message>
        <source>Reading the catalogue…</source>
        <translation>正在读取系统目录…</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Check the user and the password.</source>
        <translation>请检查用户名和密码。</translation>
    </message>
    <message>
        <source>Check that the store is running and that the address is right.</source>
        <translation>请检查存储是否在运行、地址是否正确。</translation>
    </message>
    <message>
        <source>Check the database or the file.</source>
        <translation>请检查数据库或文件。</translation>
    </message>
    <message>
        <source>Reading keys…</source>
        <translation>正在读取键…</translation>
    </message>
    <message>
        <source>Which keys are to be watched?</source>
        <translation>要观测哪些键？</translation>
    </message>
    <message>
        <source>Look from:</source>
        <translation>查找位置：</translation>
    </message>
    <message>
        <source>Look from</source>
        <translation>查找位置</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Agent %1</source>
        <translation>Agent %1</translation>
    </message>
    <message>
        <source>Agent %1 (%2)</source>
        <comment>name, why it can&apos;t be asked</comment>
        <translation>Agent %1（%2）</translation>
    </message>
    <message>
        <source>The address is the store&apos;s as that agent reaches it. The password goes to the agent over its link, and is kept nowhere.</source>
        <translation>地址须是该 Agent 连接此存储所用的地址。密码经由与 Agent 的连接传送，不会保存在任何地方。</translation>
    </message>
    <message>
        <source>an agent opens no file for a console</source>
        <translation>Agent 不会为控制台打开文件</translation>
    </message>
    <message>
        <source>Run lockkeeperctl discover on the agent&apos;s computer.</source>
        <translation>请在 Agent 所在的计算机上运行 lockkeeperctl discover。</translation>
    </message>
    <message>
        <source>files of this computer aren&apos;t sent to an agent</source>
        <translation>本机的文件不会发送给 Agent</translation>
    </message>
    <message>
        <source>Leave the certificates out, or run lockkeeperctl discover on the agent&apos;s computer.</source>
        <translation>请不填证书，或在 Agent 所在的计算机上运行 lockkeeperctl discover。</translation>
    </message>
    <message>
        <source>Found by the agent %1 from its machine.</source>
        <translation>由 Agent %1 在其所在机器上找到。</translation>
    </message>
    <message>
        <source>Put this into the configuration of that agent.</source>
        <translation>请将此配置段写入该 Agent 的配置。</translation>
    </message>
    <message>
        <source>Check it with lockkeeper-agent --check on that machine, and reload the agent.</source>
        <translation>请在该机器上用 lockkeeper-agent --check 检查，然后让 Agent 重新加载配置。</translation>
    </message>
    <message>
        <source>The agent %1 looks…</source>
        <translation>Agent %1 正在扫描…</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::views::WindowActions</name>
    <message>
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Read now</source>
        <translation>立即读取(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Force-release…</source>
        <translation>强制释放(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;History</source>
        <translation>历史(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy as &amp;JSON</source>
        <translation>复制为 JSON(&amp;J)</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Lock &amp;detail</source>
        <translation>锁详情(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Events and commands</source>
        <translation>事件与命令(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>筛选(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation>下一个窗格(&amp;N)</translation>
    </message>
    <message>
        <source>Pre&amp;vious pane</source>
        <translation>上一个窗格(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>F&amp;orward</source>
        <translation>前进(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Local time</source>
        <translation>本地时间(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;UTC</source>
        <translation>UTC(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Preferences…</source>
        <translation>首选项(&amp;P)…</translation>
    </message>
    <message>
        <source>Reset la&amp;yout</source>
        <translation>重置布局(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Connect to an agent…</source>
        <translation>连接 Agent(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Reconnect now</source>
        <translation>立即重新连接(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Lockkeeper</source>
        <translation>关于 Lockkeeper(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Lock</source>
        <translation>锁(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Time &amp;zone</source>
        <translation>时区(&amp;Z)</translation>
    </message>
    <message>
        <source>Time: UTC</source>
        <translation>时间：UTC</translation>
    </message>
    <message>
        <source>Time: local (%1)</source>
        <translation>时间：本地（%1）</translation>
    </message>
    <message>
        <source>Agent: none</source>
        <translation>Agent：无</translation>
    </message>
    <message>
        <source>Agent: %1</source>
        <translation>Agent：%1</translation>
    </message>
    <message>
        <source>&amp;Watch a store…</source>
        <translation>观测存储(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Stop the private agent</source>
        <translation>停止私有 Agent(&amp;S)</translation>
    </message>
    <message>
        <source>State at a &amp;time…</source>
        <translation>某一时刻的状态(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>时间线(&amp;T)</translation>
    </message>
    <message>
        <source>Co&amp;nnect to another agent as well…</source>
        <translation>同时连接另一个 Agent(&amp;N)…</translation>
    </message>
    <message numerus="yes">
        <source>%n agent(s)</source>
        <translation>
            <numerusform>%n 个 Agent</numerusform>
        </translation>
    </message>
    <message>
        <source>Save p&amp;icture…</source>
        <translation>保存图片(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>打印(&amp;P)…</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>Lar&amp;ger text</source>
        <translation>放大文字(&amp;G)</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>缩小文字(&amp;M)</translation>
    </message>
    <message>
        <source>Normal te&amp;xt size</source>
        <translation>正常文字大小(&amp;X)</translation>
    </message>
    <message>
        <source>C&amp;olumns…</source>
        <translation>列(&amp;O)…</translation>
    </message>
    <message>
        <source>Command &amp;palette…</source>
        <translation>命令面板(&amp;P)…</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>action, its shortcut</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Not available now.</source>
        <translation>当前不可用。</translation>
    </message>
    <message>
        <source>&amp;Sort by</source>
        <translation>排序依据(&amp;S)</translation>
    </message>
    <message>
        <source>This is the largest size.</source>
        <translation>已是最大字号。</translation>
    </message>
    <message>
        <source>This is the smallest size.</source>
        <translation>已是最小字号。</translation>
    </message>
    <message>
        <source>The text has its normal size.</source>
        <translation>文字已是正常大小。</translation>
    </message>
    <message>
        <source>Connect to an agent first.</source>
        <translation>请先连接 Agent。</translation>
    </message>
    <message>
        <source>No connection is lost.</source>
        <translation>没有断开的连接。</translation>
    </message>
    <message>
        <source>No private agent is running.</source>
        <translation>没有正在运行的私有 Agent。</translation>
    </message>
    <message>
        <source>Show everything of this h&amp;older</source>
        <translation>显示该持有者的全部锁(&amp;O)</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::words::AdviceFormatter</name>
    <message>
        <source>lease too short</source>
        <translation>租约过短</translation>
    </message>
    <message>
        <source>lease too long</source>
        <translation>租约过长</translation>
    </message>
    <message>
        <source>renewed too late</source>
        <translation>续期过晚</translation>
    </message>
    <message>
        <source>clients poll too slowly</source>
        <translation>客户端轮询过慢</translation>
    </message>
    <message>
        <source>a herd of clients</source>
        <translation>客户端惊群</translation>
    </message>
    <message>
        <source>unusually long hold</source>
        <translation>持有时间异常</translation>
    </message>
    <message>
        <source>never contended</source>
        <translation>从无争用</translation>
    </message>
    <message>
        <source>no expiry</source>
        <translation>没有过期时间</translation>
    </message>
    <message>
        <source>taken in both orders</source>
        <translation>获取顺序相反</translation>
    </message>
    <message>
        <source>clients&apos; clocks are off</source>
        <translation>客户端时钟有偏差</translation>
    </message>
    <message>
        <source>one statement blocks</source>
        <translation>一条语句造成阻塞</translation>
    </message>
    <message>
        <source>unknown advice</source>
        <translation>未知建议</translation>
    </message>
    <message>
        <source>certain</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>likely</source>
        <translation>很可能</translation>
    </message>
    <message>
        <source>possible</source>
        <translation>可能</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>The lease lasts %1. %2 of %3 holds took more than four fifths of it.</source>
        <translation>租约为 %1。%3 次持有中有 %2 次超过租约的五分之四。</translation>
    </message>
    <message>
        <source>%1 more ended only because it ran out.</source>
        <translation>另有 %1 次直到租约到期才结束。</translation>
    </message>
    <message>
        <source>99 % of %1 holds end within %2, but the lease lasts %3. %4 dead holders kept others waiting for %5.</source>
        <translation>%1 次持有中有 99 % 在 %2 内结束，而租约长达 %3。%4 个异常退出的持有者让其他客户端多等了 %5。</translation>
    </message>
    <message>
        <source>The holder renews every %1, and the lease lasts %2: after one missed renewal the lock is lost.</source>
        <translation>持有者每 %1续期一次，租约为 %2：错过一次续期就会失去锁。</translation>
    </message>
    <message>
        <source>Holds without an expiry: %1. The longest lasted %2.</source>
        <translation>%1 次持有没有过期时间，最长的一次持续 %2。</translation>
    </message>
    <message>
        <source>One holder took the lock %1 times in %2, and no client ever waited for it.</source>
        <translation>%2内只有一个持有者获取过此锁（%1 次），从未有客户端等待。</translation>
    </message>
    <message>
        <source>%1 times a holder of the first lock took the second, and %2 times it was the other way round.</source>
        <translation>先获取第一个锁再获取第二个的有 %1 次，顺序相反的有 %2 次。</translation>
    </message>
    <message>
        <source>an unknown holder</source>
        <translation>未知持有者</translation>
    </message>
    <message>
        <source>%1 has held the lock for %2 and still holds it. 99 % of %3 other holds ended within %4.</source>
        <translation>%1 已持有此锁 %2，目前仍在持有。其他 %3 次持有中有 99 % 在 %4 内结束。</translation>
    </message>
    <message>
        <source>%1 held the lock for %2. 99 % of %3 other holds ended within %4.</source>
        <translation>%1 曾持有此锁 %2。其他 %3 次持有中有 99 % 在 %4 内结束。</translation>
    </message>
    <message>
        <source>At half of %1 hand-overs the lock stayed free for %2 or more although somebody waited: %3 of the time.</source>
        <translation>%1 次交接中有一半在有客户端等待时仍空闲 %2 以上，合计占时间的 %3。</translation>
    </message>
    <message>
        <source>%1 clients race for the lock: it is held for %2 of the time, and half of %3 hand-overs take %4 or less.</source>
        <translation>%1 个客户端争抢此锁：%2 的时间都被持有，%3 次交接中有一半不超过 %4。</translation>
    </message>
    <message>
        <source>At least one client&apos;s clock is %1 ahead of the store&apos;s.</source>
        <translation>至少有一个客户端的时钟比存储时钟快 %1。</translation>
    </message>
    <message>
        <source>At least one client&apos;s clock is %1 behind the store&apos;s.</source>
        <translation>至少有一个客户端的时钟比存储时钟慢 %1。</translation>
    </message>
    <message>
        <source>Sessions waited %1 of %2 behind this statement: %3</source>
        <translation>会话共等待 %2，其中 %1 是在等待这条语句：%3</translation>
    </message>
    <message>
        <source>The agent is newer than this program, which doesn&apos;t know this advice.</source>
        <translation>Agent 的版本比本程序新，本程序无法识别这条建议。</translation>
    </message>
    <message>
        <source>Use a lease of %1, or renew the lock while the work runs.</source>
        <translation>将租约设为 %1，或在任务执行期间续期。</translation>
    </message>
    <message>
        <source>Use a lease of %1, and renew the lock if the work takes longer.</source>
        <translation>将租约设为 %1，任务更久时请续期。</translation>
    </message>
    <message>
        <source>Renew after a third of the lease, or use a lease of %1.</source>
        <translation>在租约的三分之一处续期，或将租约设为 %1。</translation>
    </message>
    <message>
        <source>Let clients wait for a notification, or poll more often.</source>
        <translation>让客户端等待通知，或更频繁地轮询。</translation>
    </message>
    <message>
        <source>Use a lock with a queue or notifications, or retry with random back-off.</source>
        <translation>改用带队列或通知的锁，或以随机退避重试。</translation>
    </message>
    <message>
        <source>Check what this holder does, and limit the time of its work.</source>
        <translation>检查该持有者在做什么，并限制其任务时长。</translation>
    </message>
    <message>
        <source>Check whether the work still needs this lock.</source>
        <translation>检查该任务是否仍需要此锁。</translation>
    </message>
    <message>
        <source>Set the expiry in the command that takes the lock.</source>
        <translation>在获取锁的命令中设置过期时间。</translation>
    </message>
    <message>
        <source>Take the two locks in the same order everywhere.</source>
        <translation>在所有地方按相同的顺序获取这两个锁。</translation>
    </message>
    <message>
        <source>Synchronise the clients&apos; clocks, or write times by the store&apos;s clock.</source>
        <translation>同步客户端的时钟，或按存储时钟写入时间。</translation>
    </message>
    <message>
        <source>Shorten the transaction with this statement, or commit before it waits for anything else.</source>
        <translation>缩短包含此语句的事务，或在它等待其他操作之前提交。</translation>
    </message>
    <message>
        <source>Update this program.</source>
        <translation>请更新本程序。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::words::AlertDescription</name>
    <message>
        <source>Info</source>
        <comment>severity of an alert</comment>
        <translation>信息</translation>
    </message>
    <message>
        <source>Warning</source>
        <comment>severity of an alert</comment>
        <translation>警告</translation>
    </message>
    <message>
        <source>Critical</source>
        <comment>severity of an alert</comment>
        <translation>严重</translation>
    </message>
    <message>
        <source>Active</source>
        <comment>alert</comment>
        <translation>活动</translation>
    </message>
    <message>
        <source>Acknowledged</source>
        <comment>alert</comment>
        <translation>已确认</translation>
    </message>
    <message>
        <source>Snoozed</source>
        <comment>alert</comment>
        <translation>已暂停提醒</translation>
    </message>
    <message>
        <source>Resolved</source>
        <comment>alert</comment>
        <translation>已结束</translation>
    </message>
    <message>
        <source>Lock stuck</source>
        <translation>锁卡死</translation>
    </message>
    <message>
        <source>Lease expired</source>
        <translation>租约已过期</translation>
    </message>
    <message>
        <source>Deadlock</source>
        <translation>死锁</translation>
    </message>
    <message>
        <source>Source down</source>
        <translation>数据源中断</translation>
    </message>
    <message>
        <source>Not observed</source>
        <translation>未观测</translation>
    </message>
    <message>
        <source>Agent stalled</source>
        <translation>Agent 停顿</translation>
    </message>
    <message>
        <source>Audit fails</source>
        <translation>审计写入失败</translation>
    </message>
    <message>
        <source>Reload failed</source>
        <translation>重新加载失败</translation>
    </message>
    <message>
        <source>Receiver fails</source>
        <translation>接收端故障</translation>
    </message>
    <message>
        <source>Force-released</source>
        <translation>被强制释放</translation>
    </message>
    <message>
        <source>Taken over</source>
        <translation>被接管</translation>
    </message>
    <message>
        <source>Lost in a failover</source>
        <translation>故障转移中丢失</translation>
    </message>
    <message>
        <source>Long wait</source>
        <translation>等待过久</translation>
    </message>
    <message>
        <source>Blocks others</source>
        <translation>阻塞他人</translation>
    </message>
    <message>
        <source>Many waiters</source>
        <translation>等待者过多</translation>
    </message>
    <message>
        <source>Held for long</source>
        <translation>持有过久</translation>
    </message>
    <message>
        <source>Longer than usual</source>
        <translation>比平时更久</translation>
    </message>
    <message>
        <source>Renewed late</source>
        <translation>续期过晚</translation>
    </message>
    <message>
        <source>Changes hands often</source>
        <translation>频繁易手</translation>
    </message>
    <message>
        <source>No holder</source>
        <translation>无持有者</translation>
    </message>
    <message>
        <source>Heartbeat</source>
        <translation>心跳</translation>
    </message>
    <message>
        <source>Agent %1</source>
        <translation>Agent %1</translation>
    </message>
    <message>
        <source>“%1” in %2 is stuck.</source>
        <comment>lock, source</comment>
        <translation>%2 中的“%1”已卡死。</translation>
    </message>
    <message>
        <source>The lease of “%1” in %2 has ended, and the lock still exists.</source>
        <translation>%2 中“%1”的租约已到期，但锁仍然存在。</translation>
    </message>
    <message>
        <source>Sessions wait for each other around “%1” in %2.</source>
        <comment>lock, source</comment>
        <translation>%2 中有会话围绕“%1”互相等待。</translation>
    </message>
    <message>
        <source>“%1” in %2 was force-released.</source>
        <translation>%2 中的“%1”已被强制释放。</translation>
    </message>
    <message>
        <source>“%1” in %2 was taken over from a holder that hadn&apos;t released it.</source>
        <translation>%2 中的“%1”在持有者未释放的情况下被接管。</translation>
    </message>
    <message>
        <source>“%1” in %2 was lost in a failover.</source>
        <translation>%2 中的“%1”在故障转移中丢失。</translation>
    </message>
    <message>
        <source>A client has waited %3 for “%1” in %2.</source>
        <comment>lock, source, duration</comment>
        <translation>有客户端已等待 %2 中的“%1” %3。</translation>
    </message>
    <message numerus="yes">
        <source>%n client(s) wait for “%1” in %2.</source>
        <comment>lock, source</comment>
        <translation>
            <numerusform>%n 个客户端正在等待 %2 中的“%1”。</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” in %2 has been held for %3.</source>
        <comment>lock, source, duration</comment>
        <translation>%2 中的“%1”已被持有 %3。</translation>
    </message>
    <message>
        <source>“%1” in %2 is held %3 times as long as 99 % of its earlier holds.</source>
        <comment>lock, source, number</comment>
        <translation>%2 中“%1”的本次持有时长是以往 99 % 持有时长的 %3 倍。</translation>
    </message>
    <message>
        <source>The lease of “%1” in %2 was renewed when only %3 of it was left.</source>
        <comment>lock, source, share</comment>
        <translation>%2 中“%1”的租约在仅剩 %3 时才续期。</translation>
    </message>
    <message numerus="yes">
        <source>“%1” in %2 has changed hands %n time(s) within an hour.</source>
        <comment>lock, source</comment>
        <translation>
            <numerusform>%2 中的“%1”一小时内易手 %n 次。</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” in %2 has had no holder for %3.</source>
        <comment>lock, source, duration</comment>
        <translation>%2 中的“%1”已有 %3 无人持有。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be reached.</source>
        <comment>source</comment>
        <translation>无法连接 %1。</translation>
    </message>
    <message>
        <source>%1 wasn&apos;t observed for a while.</source>
        <comment>source</comment>
        <translation>%1 有一段时间未被观测。</translation>
    </message>
    <message>
        <source>Agent %1 stalled.</source>
        <translation>Agent %1 曾停顿。</translation>
    </message>
    <message>
        <source>Agent %1 can&apos;t write its audit.</source>
        <translation>Agent %1 无法写入审计。</translation>
    </message>
    <message>
        <source>Agent %1 refused its changed configuration.</source>
        <translation>Agent %1 拒绝了更改后的配置。</translation>
    </message>
    <message>
        <source>Agent %1 can&apos;t deliver alerts to a receiver.</source>
        <translation>Agent %1 无法将告警送达某个接收端。</translation>
    </message>
    <message>
        <source>Agent %1 sends its heartbeat.</source>
        <translation>Agent %1 正在发送心跳。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what has happened, to what</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The clients that “%1” in %2 blocks have waited %3 together.</source>
        <comment>lock, source, duration</comment>
        <translation>被 %2 中的“%1”阻塞的客户端共已等待 %3。</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::words::ErrorWords</name>
    <message>
        <source>Check that it is running and that the address is right.</source>
        <translation>请检查它是否在运行，以及地址是否正确。</translation>
    </message>
    <message>
        <source>Check the user and the password in the agent&apos;s configuration.</source>
        <translation>请检查 Agent 配置中的用户和密码。</translation>
    </message>
    <message>
        <source>The Sources view names the missing grant.</source>
        <translation>所缺授权见“数据源”视图。</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>请稍后重试。</translation>
    </message>
    <message>
        <source>Use a console and an agent of matching versions.</source>
        <translation>请使用版本匹配的控制台和 Agent。</translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation>发生错误</translation>
    </message>
    <message>
        <source>The request wasn&apos;t understood</source>
        <translation>请求无法识别</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>The name matches more than one lock</source>
        <translation>名称对应多个锁</translation>
    </message>
    <message>
        <source>Can&apos;t be reached</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>The login was rejected</source>
        <translation>登录被拒绝</translation>
    </message>
    <message>
        <source>A permission is missing</source>
        <translation>缺少权限</translation>
    </message>
    <message>
        <source>The server is read-only</source>
        <translation>服务器只读</translation>
    </message>
    <message>
        <source>The server is still starting</source>
        <translation>服务器仍在启动</translation>
    </message>
    <message>
        <source>No answer in time</source>
        <translation>响应超时</translation>
    </message>
    <message>
        <source>The connection was lost</source>
        <translation>连接已断开</translation>
    </message>
    <message>
        <source>The other side doesn&apos;t speak the protocol</source>
        <translation>对端不支持此协议</translation>
    </message>
    <message>
        <source>Too large</source>
        <translation>过大</translation>
    </message>
    <message>
        <source>Not supported here</source>
        <translation>此处不支持</translation>
    </message>
    <message>
        <source>A table isn&apos;t what the configuration says</source>
        <translation>表与配置不符</translation>
    </message>
    <message>
        <source>Busy: nothing was done</source>
        <translation>繁忙：未执行任何操作</translation>
    </message>
    <message>
        <source>Reading or writing failed</source>
        <translation>读写失败</translation>
    </message>
    <message>
        <source>Stored data is damaged</source>
        <translation>存储的数据已损坏</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>The agent is ending</source>
        <translation>Agent 正在退出</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>error, what was said in English</comment>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::words::EventWords</name>
    <message>
        <source>%1 (perhaps)</source>
        <comment>an event</comment>
        <translation>%1（可能）</translation>
    </message>
    <message>
        <source>%1 (unseen)</source>
        <comment>an event</comment>
        <translation>%1（未观测到）</translation>
    </message>
    <message>
        <source>The command&apos;s answer was lost: probably by this command, or its holder gave it back at that time.</source>
        <translation>该命令的响应已丢失：很可能由该命令释放，也可能由持有者在同一时刻释放。</translation>
    </message>
    <message>
        <source>%1 not observed from %2 %3 on</source>
        <translation>%1 自 %2 %3 起未被观测</translation>
    </message>
    <message>
        <source>%1 observed again from %2 %3 on</source>
        <translation>%1 自 %2 %3 起恢复观测</translation>
    </message>
    <message>
        <source>%1 not observed from %2 %3 on: %4</source>
        <translation>%1 自 %2 %3 起未被观测：%4</translation>
    </message>
    <message>
        <source>%1 observed again; not observed %2–%3 %4, for %5</source>
        <translation>%1 已恢复观测；%2–%3 %4 未被观测，历时 %5</translation>
    </message>
    <message>
        <source>%1 observed again; not observed %2–%3 %4, for %5: %6</source>
        <translation>%1 已恢复观测；%2–%3 %4 未被观测，历时 %5：%6</translation>
    </message>
    <message>
        <source>Locks at %1 in %2</source>
        <translation>%2 中 %1 的锁</translation>
    </message>
    <message>
        <source>Node %1 of %2</source>
        <translation>%2 的节点 %1</translation>
    </message>
    <message>
        <source>Slots %1 of %2 (node %3)</source>
        <translation>%2 的槽 %1（节点 %3）</translation>
    </message>
    <message>
        <source>the agent wasn&apos;t running</source>
        <translation>Agent 当时未运行</translation>
    </message>
    <message>
        <source>the agent was standby</source>
        <translation>Agent 当时处于待命状态</translation>
    </message>
    <message>
        <source>no connection to it</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>its notifications were lost</source>
        <translation>存储的变更通知已丢失</translation>
    </message>
    <message>
        <source>these slots were moving</source>
        <translation>这些槽正在迁移</translation>
    </message>
    <message>
        <source>they couldn&apos;t be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>its locks couldn&apos;t be read</source>
        <translation>无法读取其中的锁</translation>
    </message>
    <message>
        <source>it wasn&apos;t configured</source>
        <translation>当时未配置该数据源</translation>
    </message>
    <message>
        <source>it was configured otherwise</source>
        <translation>其配置已更改</translation>
    </message>
    <message>
        <source>the agent&apos;s journal couldn&apos;t be written</source>
        <translation>Agent 的日志库当时无法写入</translation>
    </message>
    <message>
        <source>the reaper</source>
        <translation>自动清理器</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>who, why</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 began to wait for %2, which %3 holds.</source>
        <comment>waiter, lock, holder</comment>
        <translation>%1 开始等待 %2，其持有者为 %3。</translation>
    </message>
    <message>
        <source>%1 waited %2 for %3, and holds it now.</source>
        <comment>waiter, duration, lock</comment>
        <translation>%1 等待 %3 达 %2，现已持有。</translation>
    </message>
    <message>
        <source>%1 waited %2 for %3 and waits no longer.</source>
        <comment>waiter, duration, lock</comment>
        <translation>%1 等待 %3 达 %2，现已不再等待。</translation>
    </message>
    <message>
        <source>Its lease has expired, and its row still exists.</source>
        <translation>租约已过期，但行仍然存在。</translation>
    </message>
    <message>
        <source>The same holder has it: its deadline was changed, or it can be read again.</source>
        <translation>持有者未变：过期时间被修改，或内容恢复可读。</translation>
    </message>
    <message>
        <source>From then on its row can&apos;t be understood: whether it is held isn&apos;t known.</source>
        <translation>此后其内容无法识别：是否被持有未知。</translation>
    </message>
    <message>
        <source>Force-released; it was held by %1.</source>
        <translation>已强制释放；此前由 %1 持有。</translation>
    </message>
    <message>
        <source>Force-released by command %1; it was held by %2.</source>
        <translation>由命令 %1 强制释放；此前由 %2 持有。</translation>
    </message>
    <message>
        <source>Force-released by %1 (command %2); it was held by %3.</source>
        <comment>who and why, command, holder</comment>
        <translation>强制释放：%1（命令 %2）；此前由 %3 持有。</translation>
    </message>
    <message>
        <source>the agent may not read it</source>
        <translation>Agent 无权读取</translation>
    </message>
    <message>
        <source>It may have been released at its deadline.</source>
        <translation>也可能在过期时刻被释放。</translation>
    </message>
    <message>
        <source>%1 waited %2 for %3, which is no longer listed.</source>
        <comment>waiter, duration, lock</comment>
        <translation>%1 等待 %3 达 %2，该锁已不在列表中。</translation>
    </message>
    <message>
        <source>Its row or key no longer exists.</source>
        <translation>其行或键已不存在。</translation>
    </message>
    <message>
        <source>It isn&apos;t held now.</source>
        <translation>当前未被持有。</translation>
    </message>
    <message>
        <source>It began earlier: it already existed when it was first seen.</source>
        <translation>首次观测到时已存在：实际开始时间更早。</translation>
    </message>
    <message>
        <source>It was taken and released between two reads; its holder is unknown.</source>
        <translation>它在两次读取之间被获取又被释放，持有者未知。</translation>
    </message>
    <message>
        <source>Further changes between two reads: %1</source>
        <translation>另有未能读取的变化：%1</translation>
    </message>
    <message>
        <source>Found by a full scan; the store should have sent a notification.</source>
        <translation>由全量扫描发现；存储本应发送通知。</translation>
    </message>
    <message>
        <source>the agent was suspended</source>
        <translation>Agent 曾停顿（如系统休眠）</translation>
    </message>
    <message>
        <source>the store was restored to an earlier state</source>
        <translation>存储已回退到更早的状态</translation>
    </message>
</context>
<context>
    <name>lockkeeper::app::words::FindingFormatter</name>
    <message>
        <source>Danger</source>
        <comment>severity</comment>
        <translation>危险</translation>
    </message>
    <message>
        <source>Warning</source>
        <comment>severity</comment>
        <translation>警告</translation>
    </message>
    <message>
        <source>Notice</source>
        <comment>severity</comment>
        <translation>提示</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>No memory limit is set. With one, the policy %1 would evict locks.</source>
        <translation>未设置内存上限。若设置，策略 %1 会逐出锁。</translation>
    </message>
    <message>
        <source>Locks may be evicted when memory runs short: the policy is %1.</source>
        <translation>内存不足时锁可能被逐出：策略为 %1。</translation>
    </message>
    <message>
        <source>Keys are being evicted: %1 since the server&apos;s start. Locks may be among them.</source>
        <translation>正在逐出键：服务器启动以来共 %1 个，其中可能有锁。</translation>
    </message>
    <message>
        <source>Keys are being evicted: %1 since the server&apos;s start, more at %2. Locks may be among them.</source>
        <translation>正在逐出键：服务器启动以来共 %1 个，最近一次发现于 %2，其中可能有锁。</translation>
    </message>
    <message>
        <source>Keys evicted since the server&apos;s start: %1. Locks may have been among them.</source>
        <translation>服务器启动以来逐出的键：%1，其中可能有过锁。</translation>
    </message>
    <message>
        <source>Nothing is saved to disk: a restart of the server loses every lock.</source>
        <translation>未开启持久化：服务器重启后所有锁都会丢失。</translation>
    </message>
    <message>
        <source>Couldn&apos;t write the append-only file.</source>
        <translation>AOF 文件未能写入。</translation>
    </message>
    <message>
        <source>Couldn&apos;t write the last snapshot.</source>
        <translation>最近一次快照未能写入。</translation>
    </message>
    <message>
        <source>No append-only file, and changes that no snapshot has for %1: a crash takes the locks back to it.</source>
        <translation>未开启 AOF，且最近 %1 的变化未进入快照：崩溃后锁会回到上次快照的状态。</translation>
    </message>
    <message>
        <source>No append-only file: a crash takes the locks back to the last snapshot.</source>
        <translation>未开启 AOF：崩溃后锁会回到上次快照的状态。</translation>
    </message>
    <message>
        <source>A replica hasn&apos;t answered for %1: a failover to it may lose locks.</source>
        <translation>有副本已 %1 未响应：故障切换到该副本可能丢失锁。</translation>
    </message>
    <message>
        <source>A replica is %1 behind: a failover to it may lose locks.</source>
        <translation>有副本落后 %1：故障切换到该副本可能丢失锁。</translation>
    </message>
    <message>
        <source>Replicas that are still being given the data: %1.</source>
        <translation>正在同步数据的副本：%1 个。</translation>
    </message>
    <message>
        <source>This server is a replica and has been without its master for %1: what it shows may be old.</source>
        <translation>此服务器是副本，与主节点断开已 %1：所示内容可能已过时。</translation>
    </message>
    <message>
        <source>The store&apos;s clock is %1 s ahead of the agent&apos;s.</source>
        <translation>存储的时钟比 Agent 快 %1 秒。</translation>
    </message>
    <message>
        <source>The store&apos;s clock is %1 s behind the agent&apos;s.</source>
        <translation>存储的时钟比 Agent 慢 %1 秒。</translation>
    </message>
    <message>
        <source>Held locks without an expiry: %1. Nothing ends them when their holder dies.</source>
        <translation>持有中且永不过期的锁：%1 个。持有者异常退出后，这些锁不会自动释放。</translation>
    </message>
    <message>
        <source>Restarts of the server, or changes to another one, since the agent&apos;s start: %1. Last noticed at %2.</source>
        <translation>Agent 启动以来，服务器重启或换成另一台的次数：%1。最近一次发现于 %2。</translation>
    </message>
    <message>
        <source>Most polls read only what is held, by an index: %1.</source>
        <translation>多数轮询只按索引读取被持有的锁：%1。</translation>
    </message>
    <message>
        <source>Rows of %1 aren&apos;t shown: their names are longer than 64 KiB.</source>
        <translation>%1 中有些行未显示：其名称超过 64 KiB。</translation>
    </message>
    <message>
        <source>Permits of %1 last %2, longer than the lease of %3 that the configuration gives them.</source>
        <translation>%1 的许可有效期为 %2，长于配置中的租期 %3。</translation>
    </message>
    <message>
        <source>A clock of the applications is off by at least %1 s.</source>
        <translation>有应用程序的时钟至少偏差 %1 秒。</translation>
    </message>
    <message>
        <source>%1 is not permitted: eviction, persistence and replicas can&apos;t be seen.</source>
        <translation>不允许执行 %1：无法获知逐出、持久化和副本的情况。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>code, value</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Set appendonly yes where a restart must not lose locks.</source>
        <translation>若重启不得丢失锁，请设置 appendonly yes。</translation>
    </message>
    <message>
        <source>Check the server&apos;s log and its free disk space.</source>
        <translation>请检查服务器日志和磁盘空间。</translation>
    </message>
    <message>
        <source>Check the link between the servers and the load of the replica.</source>
        <translation>请检查服务器之间的连接和副本的负载。</translation>
    </message>
    <message>
        <source>Keep the clocks of the applications&apos; hosts in step.</source>
        <translation>请使应用程序所在主机的时钟保持同步。</translation>
    </message>
    <message>
        <source>Set “lease” of this lock set to the lockTimeout that its clients have.</source>
        <translation>请将此锁集的“lease”设为其客户端的 lockTimeout。</translation>
    </message>
    <message>
        <source>Look for code that sets a key and its expiry in two steps.</source>
        <translation>请查找分两步设置键和过期时间的代码。</translation>
    </message>
    <message>
        <source>Grant the agent&apos;s user +info.</source>
        <translation>请授予 Agent 的用户 +info。</translation>
    </message>
    <message>
        <source>The replica set&apos;s majority is %1 behind its primary: what it hasn&apos;t confirmed isn&apos;t shown, and a failover may lose it.</source>
        <translation>副本集的多数成员落后于主节点 %1：尚未得到多数确认的内容不会显示，故障切换时可能丢失。</translation>
    </message>
    <message>
        <source>Make it a replica set: one of a single server is enough for its changes to be followed.</source>
        <translation>请将其改为副本集：只含一台服务器的副本集就足以跟踪变更。</translation>
    </message>
    <message>
        <source>Check the members of the replica set and the links between them.</source>
        <translation>请检查副本集的成员以及它们之间的连接。</translation>
    </message>
    <message>
        <source>Check ttlMonitorEnabled and the load of the primary.</source>
        <translation>请检查 ttlMonitorEnabled 以及主节点的负载。</translation>
    </message>
    <message>
        <source>%1&apos;s holder has a %2 ms lease or session, less than three %3 ms round trips: a late reply can lose the lock.</source>
        <translation>%1 的持有者的租约或会话为 %2 毫秒，不足三次往返（每次 %3 毫秒）：响应延迟就会使其丢失该锁。</translation>
    </message>
    <message>
        <source>Bring back as many servers as make a majority.</source>
        <translation>请恢复足够构成多数派的服务器。</translation>
    </message>
    <message>
        <source>Three servers go on serving when one of them is lost.</source>
        <translation>三台服务器在失去其中一台时仍能继续服务。</translation>
    </message>
    <message>
        <source>Use a longer lease or session for its clients, or move them closer to the store.</source>
        <translation>请为其客户端设置更长的租约或会话，或使它们更靠近存储。</translation>
    </message>
    <message>
        <source>Check the load of the store&apos;s servers and the link to them.</source>
        <translation>请检查存储服务器的负载以及与它们的连接。</translation>
    </message>
    <message>
        <source>This server is a replica and applies no changes at present: its data is %1 old. Leases that have expired since may have been renewed at the primary.</source>
        <translation>此服务器是副本，目前没有应用任何变更：所示内容是 %1前的。此后过期的租约，在主节点上可能已续期。</translation>
    </message>
    <message>
        <source>This server is a replica and may be %1 behind its primary: a lease that has expired here may have been renewed there.</source>
        <translation>此服务器是副本，可能落后主节点 %1：在此处过期的租约，在主节点上可能已续期。</translation>
    </message>
    <message>
        <source>This server is a replica, at most %1 behind its primary. Locks can be released only there.</source>
        <translation>此服务器是副本，最多落后主节点 %1。锁只能在主节点上释放。</translation>
    </message>
    <message>
        <source>%1 isn&apos;t seen: what happens to locks there isn&apos;t known.</source>
        <translation>%1 未被观测：其中各锁的情况未知。</translation>
    </message>
    <message>
        <source>Let the agent&apos;s user see the lag (PostgreSQL: pg_monitor, MariaDB: SLAVE MONITOR, MySQL: REPLICATION CLIENT), or connect the source to the primary.</source>
        <translation>请授权 Agent 的用户查看复制延迟（PostgreSQL：pg_monitor，MariaDB：SLAVE MONITOR，MySQL：REPLICATION CLIENT），或将数据源连接到主节点。</translation>
    </message>
    <message>
        <source>Resume the replication, or connect the source to the primary.</source>
        <translation>请恢复复制，或将数据源连接到主节点。</translation>
    </message>
    <message>
        <source>This server is a replica and applies no changes at present: the age of its data is unknown.</source>
        <translation>此服务器是副本，目前没有应用任何变更：所示数据的延迟未知。</translation>
    </message>
    <message>
        <source>This server is a replica, and its delay behind its primary is unknown: a lease that has expired here may have been renewed there.</source>
        <translation>此服务器是副本，落后主节点的时长未知：在此处过期的租约，在主节点上可能已续期。</translation>
    </message>
    <message>
        <source>The node %1 can&apos;t be reached: locks that depend on it are unknown.</source>
        <translation>无法连接节点 %1：取决于该节点的锁，状态未知。</translation>
    </message>
    <message>
        <source>The node %1 doesn&apos;t send changes: the source is polled.</source>
        <translation>节点 %1 不推送变更，改为轮询该数据源。</translation>
    </message>
    <message>
        <source>Your role covers only some of its locks, so risks aren&apos;t shown.</source>
        <translation>当前角色只能查看其中一部分锁，因此不显示风险。</translation>
    </message>
    <message>
        <source>A single server without a replica set: nothing replaces it when it fails, and its changes can&apos;t be followed.</source>
        <translation>这是不属于副本集的单台服务器：一旦发生故障，没有其他服务器可以接替，也无法跟踪其变更。</translation>
    </message>
    <message>
        <source>Documents that the server should have removed more than five minutes ago: %1. Clients can&apos;t acquire these locks until they are removed.</source>
        <translation>服务器本应在五分钟前就删除的文档：%1 个。在它们被删除之前，客户端无法获取这些锁。</translation>
    </message>
    <message>
        <source>The servers have no majority: %1 knows of no leader. Clients can&apos;t acquire or release locks, and the state shown may be out of date.</source>
        <translation>集群已失去多数派：%1 上没有 Leader。当前无法获取或释放锁，所示状态可能已过时。</translation>
    </message>
    <message>
        <source>A single server: nothing replaces it when it fails.</source>
        <translation>只有一台服务器：一旦发生故障，没有其他服务器可以接替。</translation>
    </message>
    <message>
        <source>Change notifications came up to %1 late, last at %2.</source>
        <translation>变更通知最多延迟 %1，最近一次在 %2。</translation>
    </message>
    <message>
        <source>Set maxmemory-policy noeviction, or keep locks in a separate server.</source>
        <translation>请设置 maxmemory-policy noeviction，或将锁放在单独的服务器中。</translation>
    </message>
    <message>
        <source>Correct one of the clocks. Times shown follow the store&apos;s clock.</source>
        <translation>请校准其中一个时钟。所示时间以存储的时钟为准。</translation>
    </message>
</context>
</TS>
